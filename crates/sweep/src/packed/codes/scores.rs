//! Points of the raises that end the game.
//!
//! A raise scores the sum of the lines that it completes. No line lies on far, middle and low
//! squares at once, so two look-ups give the score of one raise:
//!
//! ```text
//! raise of a      points that the family tells                          points that the block tells
//! far square      a byte for each low position, and one for each block  none
//! middle square   a byte for each block                                 a byte for each low position
//! low square      a byte for each low position                          a byte for each low position
//! ```
//!
//! The most over all raises begins the block: the opponent sees a finished position as 128 and its
//! points, and 0 stands for no raise that ends the game. Where a run of equal lights scores once,
//! lines of a run take points back, so sums are modulo 256 on the way, and from 0 to 127 at the
//! end. A part of the lines never scores more than all of them. So the points that the block gives,
//! and those that the family gives apart from blocks, need no look-up of the rest.

use greenwave_game::{BoardGame, Cell};

use super::rows::{CodeBlock, place};
use crate::packed::tables::{DigitOrder, Ranks, Tables, blocks, each, set};
use crate::sweep::pattern::Pattern;
use crate::sweep::points_fit;

/// Whether lines determine the score of raises, and whether it fits into seven bits.
pub(in super::super) fn has_scores(game: &BoardGame) -> bool {
    let patterns = &game.board().patterns;
    patterns.iter().all(|pattern| pattern.points > 0) && points_fit(game)
}

/// What raises score on a board.
#[derive(Debug)]
pub(in super::super) struct Scores<const G: usize> {
    // By far digit and the level that is raised, by middle digit, and by low digit: patterns that ask
    // something of far squares.
    far: Vec<[Vec<RaiseScore<ScoringSquares<G>>>; 3]>,
    mid: Vec<Vec<RaiseScore<Blocks<G>>>>,
    low: Vec<Vec<RaiseScore<usize>>>,
    // What patterns on low squares score.
    parts: Vec<(Pattern, u8, CodeBlock)>,
    // What patterns on middle and low squares alone score, by digit and rank.
    of_mid: Vec<Vec<CodeBlock>>,
    of_low: Vec<Vec<CodeBlock>>,
    // The most of these by rank.
    near: Vec<CodeBlock>,
}

// A pattern that a raise completes, as the board stands before it: what it asks of far squares, and what it
// scores by others.
#[derive(Debug)]
struct RaiseScore<P> {
    far: Pattern,
    part: P,
}

// What a pattern scores that a raise of a far square completes.
#[derive(Debug)]
enum ScoringSquares<const G: usize> {
    // Whatever stands on other squares.
    All(u8),
    // By the middle.
    Blocks(Blocks<G>),
    // By the low squares: a number of [`Scores::parts`].
    Low(usize),
}

// Points in the blocks of some ranks.
#[derive(Debug)]
struct Blocks<const G: usize> {
    ranks: Ranks<G>,
    points: u8,
}

impl<const G: usize> Blocks<G> {
    #[inline(always)]
    fn score(&self, by_rank: &mut [u8]) {
        each(self.ranks, |rank| {
            by_rank[rank] = by_rank[rank].wrapping_add(self.points)
        });
    }
}

// What the patterns score whose far part a family shows.
#[inline(always)]
fn shown<P>(shares: &[RaiseScore<P>], code: u64) -> impl Iterator<Item = &P> {
    let shown = shares.iter().filter(move |share| share.far.shown(code));
    shown.map(|share| &share.part)
}

/// What raises score in a family.
#[derive(Clone, Debug)]
pub(super) struct FamilyScores<const G: usize> {
    // The most that raises of far squares score, middle squares left aside.
    best: CodeBlock,
    // Raises of far squares that score by middle squares, too: this many of them.
    far: Vec<FarRaise>,
    // By low digit.
    low: Vec<CodeBlock>,
    // By middle digit and rank.
    mid: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
struct FarRaise {
    codes: CodeBlock,
    by_rank: Vec<u8>,
}

impl<const G: usize> FamilyScores<G> {
    fn new(scores: &Scores<G>) -> FamilyScores<G> {
        let raise = FarRaise {
            codes: CodeBlock::EMPTY,
            by_rank: vec![0; blocks::<G>()],
        };
        FamilyScores {
            best: CodeBlock::EMPTY,
            far: vec![raise; scores.far.len()],
            low: vec![CodeBlock::EMPTY; scores.low.len()],
            mid: vec![vec![0; blocks::<G>()]; scores.mid.len()],
        }
    }
}

impl<const G: usize> Scores<G> {
    /// The scores of a game that [has them](has_scores).
    pub(super) fn new(game: &BoardGame, tables: &Tables<G>) -> Scores<G> {
        let layout = &tables.layout;
        let squares = game.board().shape.cells();
        let places = DigitOrder::new(layout, squares);
        let (low_mask, mid_mask, far_mask) = places.masks();
        let (lows, mids) = (layout.low.len(), layout.mid.len());
        let blocks = |count| vec![vec![CodeBlock::EMPTY; tables.middles.len()]; count];
        let mut scores = Scores {
            far: (0..layout.far.len()).map(|_| Default::default()).collect(),
            mid: (0..mids).map(|_| Vec::new()).collect(),
            low: (0..lows).map(|_| Vec::new()).collect(),
            parts: Vec::new(),
            of_mid: blocks(mids),
            of_low: blocks(lows),
            near: vec![CodeBlock::EMPTY; tables.middles.len()],
        };
        for square in 0..squares {
            let digit = places.digit(square);
            for (mask, value, points) in game.scoring(Cell(square as u8)) {
                let before = places.moved(Pattern {
                    mask,
                    value: value - (1 << (2 * square)),
                });
                let kinds = [low_mask, mid_mask, far_mask];
                assert!(
                    kinds.iter().any(|kind| before.mask & kind == 0),
                    "{before:?} is on squares of all three kinds"
                );
                let middle = before.within(mid_mask);
                let shown = tables.middles.iter().enumerate().filter(|(_, code)| {
                    before.mask & mid_mask == 0
                        || middle.shown(u64::from(**code) << places.mid_shift())
                });
                let shown = shown.map(|(rank, _)| rank);
                let points = points as u8;
                if before.mask & far_mask == 0 {
                    let of = match digit.checked_sub(lows) {
                        None => &mut scores.of_low[digit],
                        Some(digit) => &mut scores.of_mid[digit],
                    };
                    for rank in shown {
                        of[rank].score(before.within(low_mask), points);
                    }
                    continue;
                }
                let mut ranks = [[0; 4]; G];
                for rank in shown {
                    set(&mut ranks, rank, true);
                }
                let blocks = Blocks { ranks, points };
                let far = before.within(far_mask);
                let far = Pattern {
                    mask: far.mask >> places.far_shift(),
                    value: far.value >> places.far_shift(),
                };
                let mut low = || scores.part(before.within(low_mask), points);
                match (digit.checked_sub(lows), digit.checked_sub(lows + mids)) {
                    (None, _) => {
                        let part = low();
                        scores.low[digit].push(RaiseScore { far, part });
                    }
                    (Some(digit), None) => scores.mid[digit].push(RaiseScore { far, part: blocks }),
                    (_, Some(digit)) => {
                        let part = if before.mask & low_mask != 0 {
                            ScoringSquares::Low(low())
                        } else if before.mask & mid_mask != 0 {
                            ScoringSquares::Blocks(blocks)
                        } else {
                            ScoringSquares::All(points)
                        };
                        let level = (far.value >> (2 * digit) & 3) as usize;
                        scores.far[digit][level].push(RaiseScore { far, part });
                    }
                }
            }
        }
        for of in scores.of_mid.iter().chain(&scores.of_low) {
            for (near, of) in scores.near.iter_mut().zip(of) {
                near.join::<1>(of);
            }
        }
        scores
    }

    // The number of what a pattern on low squares scores.
    fn part(&mut self, pattern: Pattern, points: u8) -> usize {
        let known = |(other, scored, _): &(Pattern, u8, _)| *other == pattern && *scored == points;
        let found = self.parts.iter().position(known);
        found.unwrap_or_else(|| {
            let mut codes = CodeBlock::EMPTY;
            codes.score(pattern, points);
            self.parts.push((pattern, points, codes));
            self.parts.len() - 1
        })
    }

    /// Begins the quiet blocks of a family.
    #[inline(always)]
    pub(super) fn begin(
        &self,
        code: u64,
        quiet: Ranks<G>,
        work: &mut Option<Box<FamilyScores<G>>>,
        found: &mut [CodeBlock],
    ) {
        let work = work.get_or_insert_with(|| Box::new(FamilyScores::new(self)));
        let (mut lows, mut mids, mut fars) = (0_u32, 0_u32, 0);
        for (digit, shares) in self.low.iter().enumerate() {
            for part in shown(shares, code) {
                let codes = &mut work.low[digit];
                if lows >> digit & 1 == 0 {
                    *codes = self.parts[*part].2;
                } else {
                    codes.add(&self.parts[*part].2, 0);
                }
                lows |= 1 << digit;
            }
        }
        for (digit, shares) in self.mid.iter().enumerate() {
            for blocks in shown(shares, code) {
                let by_rank = &mut work.mid[digit];
                if mids >> digit & 1 == 0 {
                    by_rank.fill(0);
                }
                mids |= 1 << digit;
                blocks.score(by_rank);
            }
        }
        work.best = CodeBlock::EMPTY;
        for (digit, shares) in self.far.iter().enumerate() {
            let Some(shares) = shares.get((code >> (2 * digit) & 3) as usize) else {
                continue;
            };
            let raise = &mut work.far[fars];
            let (mut constant, mut low, mut blocks) = (0_u8, false, false);
            for part in shown(shares, code) {
                match part {
                    ScoringSquares::All(points) => constant = constant.wrapping_add(*points),
                    ScoringSquares::Blocks(of) => {
                        if !blocks {
                            raise.by_rank.fill(0);
                        }
                        blocks = true;
                        of.score(&mut raise.by_rank);
                    }
                    ScoringSquares::Low(part) => {
                        if !low {
                            raise.codes = CodeBlock::EMPTY;
                        }
                        low = true;
                        raise.codes.add(&self.parts[*part].2, 0);
                    }
                }
            }
            if !low && (blocks || constant > 0) {
                raise.codes = CodeBlock::EMPTY;
            }
            if low || constant > 0 {
                let mut codes = raise.codes;
                codes.add(&CodeBlock::EMPTY, constant);
                work.best.join::<1>(&codes);
                raise.codes = codes;
            }
            if blocks {
                fars += 1;
            }
        }
        let raises = Raises {
            lows,
            mids,
            far: &work.far[..fars],
        };
        for (number, word) in quiet.as_flattened().iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let rank = (64 * number) | rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                self.begin_block(work, &raises, rank, &mut found[rank]);
            }
        }
    }

    // Not a closure, which would be compiled for every CPU.
    #[inline(always)]
    fn begin_block(
        &self,
        work: &FamilyScores<G>,
        raises: &Raises<'_>,
        rank: usize,
        found: &mut CodeBlock,
    ) {
        let mut most = self.near[rank];
        most.join::<1>(&work.best);
        let mut rest = raises.lows;
        while rest != 0 {
            let digit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            most.join_sum(&self.of_low[digit][rank], &work.low[digit]);
        }
        let mut rest = raises.mids;
        while rest != 0 {
            let digit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            let points = work.mid[digit][rank];
            if points != 0 {
                most.join_sum(&self.of_mid[digit][rank], &CodeBlock::all(points));
            }
        }
        for raise in raises.far {
            let points = raise.by_rank[rank];
            if points != 0 {
                most.join_sum(&raise.codes, &CodeBlock::all(points));
            }
        }
        for byte in most.0.as_flattened_mut() {
            let some: u8 = if *byte > 0 { 128 } else { 0 };
            *byte |= some;
        }
        *found = most;
    }
}

// The raises of a family that score by far squares and others: low and middle digits, one bit each, and far
// squares.
struct Raises<'a> {
    lows: u32,
    mids: u32,
    far: &'a [FarRaise],
}

impl CodeBlock {
    // Points more where low squares show a pattern.
    fn score(&mut self, low: Pattern, points: u8) {
        for position in (0..256).filter(|position| low.shown(*position as u64)) {
            let (row, lane) = place(position);
            let byte = &mut self.0[row][lane];
            *byte = byte.wrapping_add(points);
        }
    }

    #[inline(always)]
    fn add(&mut self, other: &CodeBlock, constant: u8) {
        let bytes = self.0.as_flattened_mut().iter_mut();
        for (byte, other) in bytes.zip(other.0.as_flattened()) {
            *byte = byte.wrapping_add(*other).wrapping_add(constant);
        }
    }

    // The larger one of each byte and of a sum.
    #[inline(always)]
    fn join_sum(&mut self, one: &CodeBlock, other: &CodeBlock) {
        let bytes = self.0.as_flattened_mut().iter_mut();
        let one = one.0.as_flattened().iter();
        let both = one.zip(other.0.as_flattened());
        for (byte, (one, other)) in bytes.zip(both) {
            *byte = (*byte).max(one.wrapping_add(*other));
        }
    }
}
