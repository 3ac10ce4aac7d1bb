//! Variants side by side as documents.

use greenwave_game::{Figures, Luck, Odds, Outcome, Variant, with_game};
use greenwave_tablebase::{ErrorKind, OddsFigures, SCHEMA, Sources, Tablebase};
use greenwave_values::{OddsSource, figures_of_stored};
use serde::Serialize;

use super::changes::{Disagreement, EarlyPosition, disagreements, early_positions, sentences};
use crate::sources::MetricSources;
use crate::{
    Choices, Counts, JudgeError, Manner, Mean, OpeningFigures, Playout, Profile, longest_game,
    play_out, play_out_with_draws, sampled_choices,
};

/// A variant with its figures.
#[derive(Clone, Debug)]
pub struct ComparedVariant {
    /// The variant.
    pub variant: Variant,
    /// Its figures.
    pub profile: Profile,
    /// Plies of the longest game; `None` where that is not worked out.
    pub longest_game: Option<u32>,
    /// Plies of the longest game among those that were sampled.
    pub longest_seen: Option<u64>,
    /// Games by manner: random, careful, keeping the value.
    pub playouts: [Option<Playout>; 3],
    /// Positions of the first plies; none where chance takes part.
    pub early: Vec<EarlyPosition>,
}

impl ComparedVariant {
    /// Works the figures of a variant out from the values of its default metric.
    ///
    /// # Errors
    /// When the values cannot be had, and when the work is cancelled.
    pub fn of(tablebase: &Tablebase, variant: Variant) -> Result<ComparedVariant, JudgeError> {
        // A table is not skipped in silence where its metric is not read.
        tablebase.expect_tables(&variant)?;
        let mut playouts = [None; 3];
        let mut early = Vec::new();
        let profile = if variant.rules().properties.luck == Luck::Draws {
            let mut profile = counted(tablebase, &variant)?;
            (playouts, profile.choices) = played_with_draws(tablebase, &variant)?;
            profile
        } else {
            let metrics = [variant.rules().default_metric];
            let sources = MetricSources::of(tablebase, &variant, &metrics)?;
            sources.check()?;
            with_game!(&variant, game => {
                sources.ask(game, None, |known| {
                    tablebase.on_threads(|| {
                        for (playout, manner) in playouts.iter_mut().zip(MANNERS) {
                            *playout = play_out(known, manner, tablebase.progress())?;
                        }
                        early = early_positions(known)?;
                        Profile::of(known, tablebase.progress())
                    })
                })
            })?
        };
        // Elsewhere positions repeat or do not tell the plies.
        let progress = tablebase.progress();
        let longest = variant
            .fixed_board()
            .map(|game| tablebase.on_threads(|| longest_game(game, progress)));
        let longest_game = match longest {
            Some(Ok(longest)) => Some(longest.plies),
            Some(Err(JudgeError::Interrupted)) => return Err(JudgeError::Interrupted),
            Some(Err(_)) | None => None,
        };
        let seen = playouts.iter().flatten();
        let longest_seen = seen.filter_map(|playout| playout.longest).max();
        // A game that was seen, and that none can exceed.
        let bound = profile.most_plies.map(u64::from);
        let proven = bound.filter(|bound| longest_seen == Some(*bound));
        Ok(ComparedVariant {
            longest_game: longest_game.or(proven.map(|plies| plies as u32)),
            longest_seen,
            variant,
            profile,
            playouts,
            early,
        })
    }

    /// The odds of the start, in games with chance.
    #[must_use]
    pub fn odds(&self) -> Option<Odds> {
        self.profile.start.odds
    }

    fn side(&self, chance: bool) -> VariantSide {
        let profile = &self.profile;
        let Figures {
            value,
            distance,
            points,
            ..
        } = profile.start;
        let branching = profile.choices.map(|choices| choices.branching);
        let decided = profile.choices.and_then(|choices| choices.decided);
        let keeping = profile.choices.and_then(|choices| choices.keeping);
        let by_ply = profile
            .by_ply
            .iter()
            .enumerate()
            .filter(|(_, count)| count.total() > 0);
        VariantSide {
            variant: self.variant.rules().title().to_string(),
            lights: self.variant.rules().lights_name(),
            winner: profile.winner(),
            value: value.map(Outcome::name),
            distance: distance.map(|plies| plies.0),
            points,
            odds: chance.then(|| OddsFigures(self.odds())),
            positions: profile.counts.total(),
            by_ply: by_ply
                .map(|(ply, count)| PlyShare {
                    ply,
                    win: count.win,
                    draw: count.draw,
                    loss: count.loss,
                    won_share: count.won_share(),
                })
                .collect(),
            only_moves: profile.only_moves,
            opening_mistakes: profile.opening_mistakes,
            longest_game: self.longest_game,
            longest_seen: self.longest_seen,
            longest_distance: profile.longest_distance.map(|plies| plies.0),
            draws: profile.counts.draw,
            openings: profile
                .ranked_openings()
                .into_iter()
                .map(OpeningEntry::from)
                .collect(),
            winning_openings: profile.winning_openings(),
            branching: branching.map(|mean| mean.mean),
            branching_error: branching.and_then(|mean| mean.error),
            decided_positions: decided.map(|mean| mean.mean),
            decided_positions_error: decided.and_then(|mean| mean.error),
            decision_density: keeping.map(|mean| mean.mean),
            decision_density_error: keeping.and_then(|mean| mean.error),
            length: self.playouts[2].map(|playout| Length {
                mean: playout.length.mean,
                error: playout.length.error,
                spread: playout.spread,
                broken_off: playout.broken_off,
            }),
            random_advantage: self.playouts[0].map(|playout| playout.advantage.into()),
            careful_advantage: self.playouts[1].map(|playout| playout.advantage.into()),
            sampled_games: self.playouts[0].and_then(|playout| playout.games),
        }
    }
}

const MANNERS: [Manner; 3] = [Manner::Random, Manner::Careful, Manner::Keeping];

/// Games with draws, and what there is to choose in them. Where the odds do not fit the memory, the
/// figures that need none.
fn played_with_draws(
    tablebase: &Tablebase,
    variant: &Variant,
) -> Result<([Option<Playout>; 3], Option<Choices>), JudgeError> {
    let held = match tablebase.all_odds(variant) {
        Ok(sources) => Some(sources),
        Err(error) if error.kind() == ErrorKind::Memory => None,
        Err(error) => return Err(error.into()),
    };
    let progress = tablebase.progress();
    tablebase.on_threads(|| {
        with_game!(variant, game => {
            let odds = held.as_ref().and_then(Sources::odds);
            let source = odds.map(|odds| OddsSource::with_draft(game, odds)).transpose()?;
            let mut playouts = [None; 3];
            for (playout, manner) in playouts.iter_mut().zip(MANNERS) {
                *playout = play_out_with_draws(game, source.as_ref(), manner, progress)?;
            }
            let choices = sampled_choices(game, source.as_ref(), progress)?;
            Ok((playouts, choices))
        })
    })
}

/// What the counts of a game with chance tell: of its table, else of a sweep that keeps no values.
fn counted(tablebase: &Tablebase, variant: &Variant) -> Result<Profile, JudgeError> {
    let summary = tablebase.odds_summary(variant)?;
    let by_value = summary.by_value.unwrap_or_default();
    Ok(Profile {
        start: figures_of_stored(&summary.start),
        counts: Counts {
            win: by_value.win,
            draw: by_value.draw,
            loss: by_value.loss,
        },
        by_ply: Vec::new(),
        only_moves: None,
        openings: Vec::new(),
        opening_mistakes: None,
        longest_distance: None,
        choices: None,
        most_plies: None,
    })
}

/// Variants side by side.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Comparison {
    /// Two of them.
    Two {
        /// Version of the document.
        schema: u32,
        /// The one.
        a: Box<VariantSide>,
        /// The other.
        b: Box<VariantSide>,
        /// Openings that both have and whose value differs.
        changed_openings: Vec<ChangedOpening>,
        /// The changes from the first to the second, a sentence each.
        changes: Vec<String>,
        /// Positions of the first plies in which they disagree.
        disagreements: Vec<Disagreement>,
    },
    /// Any other number.
    Many {
        /// Version of the document.
        schema: u32,
        /// All of them.
        variants: Vec<VariantSide>,
    },
}

impl Comparison {
    /// The document of some variants.
    #[must_use]
    pub fn of(compared: &[ComparedVariant]) -> Comparison {
        let mut sides = VariantSide::all(compared);
        match (compared, sides.len()) {
            ([a, b], 2) => {
                let of_b = Box::new(sides.remove(1));
                let of_a = Box::new(sides.remove(0));
                let changed = a.profile.changed_openings(&b.profile).into_iter();
                Comparison::Two {
                    schema: SCHEMA,
                    a: of_a,
                    b: of_b,
                    changes: sentences(a, b),
                    disagreements: disagreements(a, b),
                    changed_openings: changed
                        .map(|(a, b)| ChangedOpening {
                            mv: a.mv.clone(),
                            a: a.into(),
                            b: b.into(),
                        })
                        .collect(),
                }
            }
            _ => Comparison::Many {
                schema: SCHEMA,
                variants: sides,
            },
        }
    }
}

/// A mean, with its standard error where it is estimated from sampled games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MeanFigure {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: Option<f64>,
}

/// Lengths of games, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Length {
    /// The mean.
    pub mean: f64,
    /// Its standard error, where it is estimated.
    pub error: Option<f64>,
    /// Standard deviation.
    pub spread: f64,
    /// The share of games that did not end and count with the plies after which they were stopped.
    pub broken_off: f64,
}

/// One of the variants. Counts are over unfinished positions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Side"))]
pub struct VariantSide {
    /// Its name.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// `first`, `second` or `draw`; `None` where chance decides.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["first", "second", "draw", null])))]
    pub winner: Option<&'static str>,
    /// Value of the start.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["win", "loss", "draw", null])))]
    pub value: Option<&'static str>,
    /// Plies to the end from the start.
    pub distance: Option<u32>,
    /// Points of the start, in scored games.
    pub points: Option<i32>,
    /// On both sides where chance takes part in one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<OddsFigures>,
    /// Positions.
    pub positions: u64,
    /// Positions by level sum.
    pub by_ply: Vec<PlyShare>,
    /// Positions in which one of several moves alone keeps the value.
    pub only_moves: Option<u64>,
    /// Openings that give away part of the value of the start.
    pub opening_mistakes: Option<u64>,
    /// Plies of the longest game; `None` where play need not end, and where it is not known.
    pub longest_game: Option<u32>,
    /// Plies of the longest game among those that were sampled.
    pub longest_seen: Option<u64>,
    /// Longest distance of any position.
    pub longest_distance: Option<u32>,
    /// Drawn positions.
    pub draws: u64,
    /// Openings, best first.
    pub openings: Vec<OpeningEntry>,
    /// Share of the openings.
    pub winning_openings: Option<f64>,
    /// Legal moves in a position, on average.
    pub branching: Option<f64>,
    /// Its standard error, where it is estimated.
    pub branching_error: Option<f64>,
    /// Share of the positions.
    pub decided_positions: Option<f64>,
    /// Its standard error, where it is estimated.
    pub decided_positions_error: Option<f64>,
    /// Share of the moves of a position, on average.
    pub decision_density: Option<f64>,
    /// Its standard error, where it is estimated.
    pub decision_density_error: Option<f64>,
    /// Of games in which both keep the value, any move that does.
    pub length: Option<Length>,
    /// How far the first player is ahead when both play at random.
    pub random_advantage: Option<MeanFigure>,
    /// How far when both play well but for slips.
    pub careful_advantage: Option<MeanFigure>,
    /// Games of each kind that were sampled for figures with errors.
    pub sampled_games: Option<u64>,
}

impl VariantSide {
    /// The documents of some variants.
    #[must_use]
    pub fn all(compared: &[ComparedVariant]) -> Vec<VariantSide> {
        let chance = compared.iter().any(|one| one.odds().is_some());
        compared.iter().map(|one| one.side(chance)).collect()
    }
}

/// Positions of one level sum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PlyShare {
    /// Level sum.
    pub ply: usize,
    /// Won for the player to move.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
    /// Share of won ones.
    pub won_share: Option<f64>,
}

/// An opening move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OpeningEntry {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for who makes it.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["win", "loss", "draw", null])))]
    pub value: Option<&'static str>,
    /// Plies to the end.
    pub distance: Option<u32>,
    /// Points.
    pub points: Option<i32>,
}

/// An opening whose value differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ChangedOpening {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// In the one variant.
    pub a: OpeningEntry,
    /// In the other.
    pub b: OpeningEntry,
}

impl From<&OpeningFigures> for OpeningEntry {
    fn from(opening: &OpeningFigures) -> OpeningEntry {
        let Figures {
            value,
            distance,
            points,
            ..
        } = opening.figures;
        OpeningEntry {
            mv: opening.mv.clone(),
            value: value.map(Outcome::name),
            distance: distance.map(|plies| plies.0),
            points,
        }
    }
}

impl From<Mean> for MeanFigure {
    fn from(mean: Mean) -> MeanFigure {
        MeanFigure {
            mean: mean.mean,
            error: mean.error,
        }
    }
}
