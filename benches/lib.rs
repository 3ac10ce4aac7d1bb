//! Nothing here: the benches are in `benches/`, a package of their own so that what they depend on
//! stays out of normal builds.
