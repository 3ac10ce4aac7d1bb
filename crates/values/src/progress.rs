//! How engines tell what they are doing, without knowing who listens.

/// What is being counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Positions.
    Positions,
    /// Bytes.
    Bytes,
    /// Games.
    Games,
}

/// A listener. Engines call it from many threads, at most once for some ten thousand positions.
pub trait Progress: Sync {
    /// A stage begins: its name, and the amount of its work.
    fn begin(&self, stage: &str, total: u64, unit: Unit);

    /// The same for a stage that does not ask whether to stop.
    fn begin_unstoppable(&self, stage: &str, total: u64, unit: Unit) {
        self.begin(stage, total, unit);
    }

    /// So much more of the stage is done.
    fn advance(&self, amount: u64);

    /// The work that began last is over, one way or the other.
    fn end(&self) {}

    /// The work resumes from a checkpoint, whose path this is.
    fn resumes(&self, _checkpoint: &str) {}

    /// Something that the work goes on in spite of, but that its user has to know: a sentence without
    /// a full stop.
    fn warn(&self, _warning: &str) {}

    /// Whether the work is to stop as soon as possible.
    fn cancelled(&self) -> bool {
        false
    }
}

/// A listener that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {}
}
