//! The names of metrics.

/// The metrics that a table may hold.
pub const METRICS: [&str; 5] = ["value", "distance", "points", "odds", "nimber"];
