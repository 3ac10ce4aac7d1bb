//! Values of positions before any undecided child: the results of raises that end the game.

use greenwave_game::Packing;

use super::rows::{CodeBlock, spread};
use super::scores::Scores;
use super::work::CodeWork;
use crate::packed::blocks::Block;
use crate::packed::grain::{ByteMeaning, Grain};
use crate::packed::kernel::{PackedKernel, family, far_decides};
use crate::packed::layout::Patterns;
use crate::packed::plan::PackedPlan;
use crate::packed::tables::{Ranks, Tables, each, has};

/// How blocks begin.
#[derive(Debug)]
pub(in super::super) enum BlockStart<const G: usize> {
    /// With the same byte everywhere; for distances.
    Byte(u8),
    /// With nimber 0 within reach but for the positions of these tables, from which no raise ends the
    /// game.
    Calm(Box<Tables<G>>),
    /// With the most points that a raise scores.
    Scores(Box<Scores<G>>),
}

impl<const G: usize> BlockStart<G> {
    /// How the blocks of a sweep with some tables begin.
    pub(in super::super) fn new(plan: &PackedPlan<'_>, tables: &Tables<G>) -> BlockStart<G> {
        match plan.grain {
            Grain::Sparse | Grain::Byte | Grain::Bit | Grain::Code(ByteMeaning::Distance) => {
                BlockStart::Byte(plan.first_byte())
            }
            Grain::Code(ByteMeaning::Nimber) => {
                let patterns = Patterns::new(plan.game, Packing::Undecided);
                let calm = Tables::new(&patterns, plan.layout.clone(), plan.grain);
                BlockStart::Calm(Box::new(calm))
            }
            Grain::Code(ByteMeaning::Points) => {
                BlockStart::Scores(Box::new(Scores::new(plan.game, tables)))
            }
        }
    }
}

impl<const G: usize> CodeWork<G> {
    /// Begins the quiet blocks of a family whose far squares leave some positions undecided.
    #[inline(always)]
    pub(in super::super) fn begin<K: PackedKernel<G>>(
        &mut self,
        first: &BlockStart<G>,
        tables: &Tables<G>,
        code: u64,
        open: &Block,
        quiet: Ranks<G>,
    ) {
        match first {
            BlockStart::Byte(byte) => each(quiet, |rank| self.found[rank] = CodeBlock::all(*byte)),
            BlockStart::Calm(calm) => {
                let (left, mut ranks) = family::<G, K>(calm, code);
                if far_decides::<G, K>(calm, code) {
                    ranks = [[0; 4]; G];
                }
                each(quiet, |rank| {
                    let mut ending = open.and(&tables.mixed[rank]);
                    if has(&ranks, rank) {
                        ending = ending.without(&left.and(&calm.mixed[rank]));
                    }
                    let CodeBlock(rows) = &mut self.found[2 * rank];
                    for (row, bits) in rows.iter_mut().zip(&ending.0) {
                        *row = spread(*bits).map(|byte| byte & 1);
                    }
                    self.found[2 * rank + 1] = CodeBlock::EMPTY;
                });
            }
            BlockStart::Scores(scores) => {
                scores.begin(code, quiet, &mut self.scores, &mut self.found);
            }
        }
    }
}
