//! Which rank a family belongs to.
//!
//! Symmetries keep orbits of far squares, and so the sum of the levels on each. The owner of a family is
//! the sum, over a few orbits, of that level sum times a *step* of the orbit, modulo the ranks. Therefore:
//!
//! - It depends on the far code alone, of any image of the family.
//!
//! - A raise in the orbit leads from a rank to the one that is a step further, whichever family it
//!   is. A raise of any other square stays on its rank. So a rank needs streams of as many other
//!   ranks as there are different steps: one or two of them, for any number of ranks.
//!
//! - The orbits are those of the highest far digits, so a rank lists its own families and no others.
//!
//! The levels of a few more orbits make the *class* of a family, which raises from rank to rank leave as
//! it is, and symmetries, too: streams are sent class by class.
//!
//! The levels of an orbit are spread over many sums. With the variance of a square's level near 1,
//! the share of a rank differs from 1/N by about exp(−2π² S). Here S is the least value over k = 1
//! … N − 1 of the sum, over the orbits, of their squares times ‖k · step / N‖². The norm ‖x‖ is the
//! distance to the next integer. Steps are chosen for the largest S, orbits are added until S is
//! 1/4.

use greenwave_game::Code;

use crate::packed::layout::SquareLayout;

/// Least spread: shares then differ by a hundredth.
const SPREAD: f64 = 0.25;

/// Classes that are enough.
const CLASSES: usize = 64;

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
    // Both bits of each digit, and what a level counts.
    classes: Vec<(u64, usize)>,
    class_count: usize,
}

impl Shards {
    pub(super) fn new(layout: &SquareLayout, ranks: usize) -> Shards {
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
                mask: between(start, end),
                step,
            });
            end = start;
        }
        let digits = layout.far.len() - end;
        let (mut classes, mut class_count) = (Vec::new(), 1);
        for start in layout.orbits.iter().copied().skip(orbits.len()) {
            if class_count >= CLASSES {
                break;
            }
            classes.push((between(start, end), class_count));
            class_count *= 3 * (end - start) + 1;
            end = start;
        }
        Shards {
            ranks,
            orbits,
            digits,
            classes,
            class_count,
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

    /// The class of a family, by the far code of any of its images: the same as that of whatever a
    /// raise leads to on another rank.
    pub(super) fn class(&self, code: u64) -> usize {
        let levels = self.classes.iter();
        let levels = levels.map(|(mask, each)| Code(code & mask).level_sum() as usize * each);
        levels.sum()
    }

    /// Number of classes.
    pub(super) fn classes(&self) -> usize {
        self.class_count
    }

    /// How many of the highest far digits tell the owner.
    pub(super) fn digits(&self) -> usize {
        self.digits
    }

    /// Number of ranks between a family and its child by a raise of a far digit.
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

// Both bits of some digits.
fn between(start: usize, end: usize) -> u64 {
    let below = |digit: usize| (1_u64 << (2 * digit)) - 1;
    below(end) & !below(start)
}
