//! Which rank a family belongs to.
//!
//! Symmetries keep orbits of far squares, and so the sum of the levels on each. The owner of a family is
//! the sum, over a few orbits, of that level sum times a *step* of the orbit, modulo the ranks. Therefore
//!
//! - it is told from the far code alone, from any image of it;
//! - a raise in the orbit leads from a rank to the one that is a step further, whichever family it
//!   is, and a raise of any other square stays on its rank: a rank needs streams of as many other
//!   ranks as there are different steps, one or two of them, however many ranks there are;
//! - the orbits are those of the highest far digits, so a rank lists its own families and no others.
//!
//! The levels of an orbit are spread over many sums. With the variance of a square's level near 1, the
//! share of a rank differs from 1/N by about exp(−2π² S), S being the least value over k = 1 … N − 1
//! of the sum, over the orbits, of their squares times ‖k · step / N‖², where ‖x‖ is the distance
//! to the next integer. Steps are chosen for the largest S, orbits are added until S is 1/4.

use greenwave_game::Code;

use crate::packed::layout::Layout;

/// Least spread: shares then differ by a hundredth.
const SPREAD: f64 = 0.25;

/// An orbit of far squares, both bits of each digit, and the step that a raise in it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Orbit {
    mask: u64,
    step: usize,
}

/// How families are spread over ranks.
#[derive(Clone, Debug)]
pub(super) struct Shards {
    ranks: usize,
    orbits: Vec<Orbit>,
    // The highest far digits, which tell the owner.
    digits: usize,
}

impl Shards {
    pub(super) fn new(layout: &Layout, ranks: usize) -> Shards {
        let mut orbits: Vec<Orbit> = Vec::new();
        let mut end = layout.far.len();
        // By k - 1.
        let mut spreads = vec![0.0; ranks - 1];
        for start in layout.orbits.iter().copied() {
            if spreads.iter().all(|spread| *spread >= SPREAD) {
                break;
            }
            let squares = (end - start) as f64;
            let spread = |step: usize, k: usize| {
                let part = (k * step % ranks) as f64 / ranks as f64;
                squares * part.min(1.0 - part).powi(2)
            };
            let least = |step: usize| {
                let spreads = spreads.iter().zip(1..);
                let spreads = spreads.map(|(before, k)| before + spread(step, k));
                spreads.fold(f64::INFINITY, f64::min)
            };
            let step = (1..=ranks / 2)
                .rev()
                .max_by(|a, b| least(*a).total_cmp(&least(*b)))
                .unwrap_or(0);
            for (sum, k) in spreads.iter_mut().zip(1..) {
                *sum += spread(step, k);
            }
            orbits.push(Orbit {
                mask: ((1 << (2 * end)) - 1) & !((1 << (2 * start)) - 1),
                step,
            });
            end = start;
        }
        Shards {
            ranks,
            orbits,
            digits: layout.far.len() - end,
        }
    }

    /// The rank that a family belongs to, by the far code of any of its images.
    pub(super) fn owner(&self, code: u64) -> usize {
        let steps = self.orbits.iter().map(|orbit| {
            let sum = Code(code & orbit.mask).level_sum() as usize;
            sum * orbit.step
        });
        steps.sum::<usize>() % self.ranks
    }

    /// How many of the highest far digits tell the owner.
    pub(super) fn digits(&self) -> usize {
        self.digits
    }

    /// How many ranks further the family is that a raise of a far digit leads to.
    pub(super) fn step(&self, digit: usize) -> usize {
        let orbit = self
            .orbits
            .iter()
            .find(|orbit| orbit.mask >> (2 * digit) & 1 == 1);
        orbit.map_or(0, |orbit| orbit.step)
    }

    /// All different steps to other ranks, each with the far digits that make it.
    pub(super) fn steps(&self) -> Vec<(usize, u64)> {
        let mut steps: Vec<(usize, u64)> = Vec::new();
        for orbit in &self.orbits {
            match steps.iter_mut().find(|(step, _)| *step == orbit.step) {
                Some((_, mask)) => *mask |= orbit.mask,
                None => steps.push((orbit.step, orbit.mask)),
            }
        }
        steps
    }
}
