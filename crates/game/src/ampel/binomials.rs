//! How many ways there are to place discs on points.

use super::rules::DISCS;

/// Points of the largest triangle.
pub(super) const MOST_POINTS: usize = 66;

/// Pascal's triangle for up to 66 points: for each number of discs the ways to place them on 0, 1, …
/// points.
#[derive(Clone, Debug)]
pub(super) struct Binomials(Vec<[u64; MOST_POINTS + 1]>);

impl Binomials {
    pub(super) fn new() -> Binomials {
        let discs = usize::from(*DISCS.end());
        let mut columns = vec![[0_u64; MOST_POINTS + 1]; discs + 1];
        columns[0] = [1; MOST_POINTS + 1];
        for k in 1..=discs {
            for n in 1..=MOST_POINTS {
                columns[k][n] = columns[k - 1][n - 1] + columns[k][n - 1];
            }
        }
        Binomials(columns)
    }

    /// By number of points: the ways to place a number of discs.
    pub(super) fn column(&self, discs: u32) -> &[u64] {
        &self.0[discs as usize]
    }

    pub(super) fn get(&self, n: u32, k: u32) -> u64 {
        self.0[k as usize][n as usize]
    }
}
