//! What a designer wants to know about a variant, in figures that can be set side by side.

use greenwave_game::{Figures, LEAF_BITS, LeafMask, Outcome, Packing, Plies};
use greenwave_probe::rank;
use rayon::prelude::*;

use crate::Squares;
use crate::expr::Known;

/// Figures of one level sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyCount {
    /// Unfinished positions won for the player to move.
    pub win: u64,
    /// Drawn ones.
    pub draw: u64,
    /// Lost ones.
    pub loss: u64,
}

/// An opening move.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningFigures {
    /// The move.
    pub mv: String,
    /// Figures for the player who makes it.
    pub figures: Figures,
}

/// Figures of a variant. All counts are over legal, unfinished positions, not up to symmetry.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The start, for the player to move.
    pub start: Figures,
    /// By level sum, which on fixed boards is the number of plies played.
    pub by_ply: Vec<PlyCount>,
    /// Positions in which exactly one of several moves keeps the value.
    pub only_moves: u64,
    /// Openings, in listing order.
    pub openings: Vec<OpeningFigures>,
    /// Openings that give away part of the value of the start.
    pub opening_mistakes: u64,
    /// The longest distance of any position under best play.
    pub longest_distance: Option<Plies>,
}

impl Profile {
    /// Works the figures out from the values of the default metric.
    #[must_use]
    pub fn of<G: Squares>(known: &Known<'_, G>) -> Profile {
        let game = known.game();
        let metric = game.rules().default_metric;
        let leaves = game.indexable().div_ceil(1 << LEAF_BITS) as u64;
        let sums = 3 * game.rules().cells as usize + 1;
        let fresh = || (vec![PlyCount::default(); sums], 0_u64, None::<Plies>);
        let (by_ply, only_moves, longest_distance) = (0..leaves)
            .into_par_iter()
            .fold(
                || (fresh(), LeafMask::default(), Vec::new()),
                |(mut counts, mut mask, mut moves), leaf| {
                    game.leaf_mask(Packing::Unfinished, leaf, &mut mask);
                    for place in mask.places() {
                        let Some(position) = game.at((leaf << LEAF_BITS) + u64::from(place)) else {
                            continue;
                        };
                        let own = known.figures(metric, &position);
                        let count = &mut counts.0[game.lights(&position).level_sum() as usize];
                        match own.value {
                            Some(Outcome::Win) => count.win += 1,
                            Some(Outcome::Loss) => count.loss += 1,
                            _ => count.draw += 1,
                        }
                        counts.2 = counts.2.max(own.distance);
                        game.moves(&position, &mut moves);
                        let keeps = |mv: &&G::Move| {
                            let edge = game.play(&position, **mv);
                            let figures = known
                                .figures(metric, &edge.to)
                                .after_move(edge.gain, edge.keeps_turn);
                            figures.value == own.value && figures.points == own.points
                        };
                        let mut keeping = moves.iter().filter(keeps);
                        let only =
                            moves.len() > 1 && keeping.next().is_some() && keeping.next().is_none();
                        counts.1 += u64::from(only);
                    }
                    (counts, mask, moves)
                },
            )
            .map(|(counts, ..)| counts)
            .reduce(fresh, |mut a, b| {
                for (sum, more) in a.0.iter_mut().zip(&b.0) {
                    sum.win += more.win;
                    sum.draw += more.draw;
                    sum.loss += more.loss;
                }
                (a.0, a.1 + b.1, a.2.max(b.2))
            });
        let start = game.start();
        let own = known.figures(metric, &start);
        let mut moves = Vec::new();
        game.moves(&start, &mut moves);
        let openings: Vec<OpeningFigures> = moves
            .iter()
            .map(|mv| {
                let edge = game.play(&start, *mv);
                OpeningFigures {
                    mv: game.move_text(&start, *mv, greenwave_game::Colours::Ryg),
                    figures: known
                        .figures(metric, &edge.to)
                        .after_move(edge.gain, edge.keeps_turn),
                }
            })
            .collect();
        let mistake = |opening: &&OpeningFigures| {
            opening.figures.value != own.value || opening.figures.points != own.points
        };
        let opening_mistakes = openings.iter().filter(mistake).count() as u64;
        Profile {
            start: own,
            by_ply,
            only_moves,
            openings,
            opening_mistakes,
            longest_distance,
        }
    }

    /// Drawn positions.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.by_ply.iter().map(|count| count.draw).sum()
    }

    /// Who wins from the start.
    #[must_use]
    pub fn winner(&self) -> Option<&'static str> {
        Some(match self.start.value? {
            Outcome::Win => "first",
            Outcome::Draw => "draw",
            Outcome::Loss => "second",
        })
    }

    /// The openings that are there in both and whose value or points differ, in listing order.
    #[must_use]
    pub fn changed_openings<'p>(
        &'p self,
        other: &'p Profile,
    ) -> Vec<(&'p OpeningFigures, &'p OpeningFigures)> {
        let pairs = self.openings.iter().filter_map(|mine| {
            let theirs = other.openings.iter().find(|theirs| theirs.mv == mine.mv)?;
            let differs = mine.figures.value != theirs.figures.value
                || mine.figures.points != theirs.figures.points;
            differs.then_some((mine, theirs))
        });
        pairs.collect()
    }

    /// The openings, best first, equals in listing order.
    #[must_use]
    pub fn ranked_openings(&self) -> Vec<&OpeningFigures> {
        let mut ranked: Vec<&OpeningFigures> = self.openings.iter().collect();
        ranked.sort_by_key(|opening| rank(&opening.figures));
        ranked
    }
}
