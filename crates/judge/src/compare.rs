//! Figures of a variant for a designer, in a form that allows a comparison.

use greenwave_game::{Figures, Outcome, Plies};
use greenwave_probe::rank;
use greenwave_values::{Orbits, Progress};

use crate::expr::KnownValues;
use crate::{Among, JudgeError, Mean};
use greenwave_game::Squares;

/// Unfinished positions by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those won for the player to move.
    pub win: u64,
    /// Drawn ones.
    pub draw: u64,
    /// Lost ones.
    pub loss: u64,
}

impl Counts {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// The share of won ones; `None` where there are no positions.
    #[must_use]
    pub fn won_share(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.win as f64 / self.total() as f64)
    }

    fn add(&mut self, more: Counts) {
        self.win += more.win;
        self.draw += more.draw;
        self.loss += more.loss;
    }
}

/// An opening move.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningFigures {
    /// The move.
    pub mv: String,
    // The same with red first, by which the moves of two variants are distinguished.
    plain: String,
    /// Figures for the player who makes it.
    pub figures: Figures,
}

/// Figures of a variant. All counts are over legal, unfinished positions, where positions are listed
/// over unfinished ones that play reaches, not up to symmetry.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The start, for the player to move.
    pub start: Figures,
    /// All positions.
    pub counts: Counts,
    /// By level sum, which on fixed boards is the number of plies played, and without levels by plies;
    /// empty where there is neither, or positions are only known in total.
    pub by_ply: Vec<Counts>,
    /// Positions in which exactly one of several moves keeps the value; `None` where chance makes
    /// nearly every move differ from every other.
    pub only_moves: Option<u64>,
    /// Openings, in listing order; none where the game begins with a draw of chance.
    pub openings: Vec<OpeningFigures>,
    /// Openings that give away part of the value of the start; `None` where there are no openings.
    pub opening_mistakes: Option<u64>,
    /// The longest distance of any position under best play.
    pub longest_distance: Option<Plies>,
    /// The choices that players have; `None` where they are not known.
    pub choices: Option<Choices>,
    /// Plies that no game exceeds, where positions without levels tell how many were played.
    pub most_plies: Option<u32>,
}

/// The choices that players have, over the unfinished positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choices {
    /// Legal moves in a position, on average.
    pub branching: Mean,
    /// The share of positions in which every move comes to the same, so that nothing is left to decide;
    /// `None` where values are not at hand.
    pub decided: Option<Mean>,
    /// The share of the moves of a position that keep its value, in scored games the points, with
    /// chance the expectation, on average; `None` where values are not at hand.
    pub keeping: Option<Mean>,
}

// What is counted position by position.
#[derive(Default)]
struct Tally {
    counts: Counts,
    by_ply: Vec<Counts>,
    only_moves: u64,
    longest: Option<Plies>,
    moves: u64,
    decided: u64,
    keeping: f64,
    most_plies: Option<u32>,
}

impl Tally {
    fn add(&mut self, sum: Option<u32>, counts: Counts) {
        self.counts.add(counts);
        if let Some(sum) = sum {
            let sum = sum as usize;
            if sum >= self.by_ply.len() {
                self.by_ply.resize(sum + 1, Counts::default());
            }
            self.by_ply[sum].add(counts);
        }
    }

    fn choices(&self) -> Choices {
        let positions = self.counts.total().max(1) as f64;
        let exactly = |sum: f64| Mean {
            mean: sum / positions,
            error: None,
        };
        Choices {
            branching: exactly(self.moves as f64),
            decided: Some(exactly(self.decided as f64)),
            keeping: Some(exactly(self.keeping)),
        }
    }

    fn merge(&mut self, other: Tally) {
        self.counts.add(other.counts);
        let sums = self.by_ply.len().max(other.by_ply.len());
        self.by_ply.resize(sums, Counts::default());
        for (sum, more) in self.by_ply.iter_mut().zip(other.by_ply) {
            sum.add(more);
        }
        self.only_moves += other.only_moves;
        self.moves += other.moves;
        self.decided += other.decided;
        self.keeping += other.keeping;
        self.longest = self.longest.max(other.longest);
        self.most_plies = self.most_plies.max(other.most_plies);
    }
}

impl Profile {
    /// Works the figures of a game without chance out from the values of its default metric.
    ///
    /// # Errors
    /// When the work is cancelled, and when positions are listed and the values are not there.
    pub fn of<G: Squares>(
        known: &KnownValues<'_, G>,
        progress: &dyn Progress,
    ) -> Result<Profile, JudgeError> {
        let game = known.game();
        let metric = game.rules().default_metric;
        let keeps = |own: &Figures, position: &G::Position, mv: G::Move| {
            let edge = game.play(position, mv);
            let figures = known
                .figures(metric, &edge.to)
                .after_move(edge.gain, edge.keeps_turn);
            figures.value == own.value && figures.points == own.points
        };
        // Figures of one position are those of its images.
        let scan = known.scan(Among::Legal, Orbits::Weighed)?;
        let mut tally = Tally::default();
        scan.run(
            &format!("looking through {}", game.rules().title()),
            progress,
            || (Tally::default(), Vec::new()),
            |(tally, moves), positions| {
                for (_, position) in positions {
                    let images = scan.walk().weight(&position);
                    let own = known.figures(metric, &position);
                    let mut counts = Counts::default();
                    match own.value {
                        Some(Outcome::Win) => counts.win = images,
                        Some(Outcome::Loss) => counts.loss = images,
                        _ => counts.draw = images,
                    }
                    let sum = game.level_sum(&position);
                    let plies = game.plies(&position);
                    tally.add(sum.or(plies), counts);
                    if sum.is_none() {
                        // One more at most is played from here.
                        tally.most_plies = tally.most_plies.max(plies.map(|plies| plies + 1));
                    }
                    tally.longest = tally.longest.max(own.distance);
                    game.moves(&position, moves);
                    let kept = moves.iter().filter(|mv| keeps(&own, &position, **mv));
                    let kept = kept.count();
                    if moves.len() > 1 && kept == 1 {
                        tally.only_moves += images;
                    }
                    tally.moves += images * moves.len() as u64;
                    tally.decided += if kept == moves.len() { images } else { 0 };
                    tally.keeping += images as f64 * kept as f64 / moves.len().max(1) as f64;
                }
            },
            |(part, _)| {
                tally.merge(part);
                Ok(true)
            },
        )?;
        let start = game.start();
        let own = known.figures(metric, &start);
        let mut moves = Vec::new();
        game.moves(&start, &mut moves);
        let openings: Vec<OpeningFigures> = moves
            .iter()
            .map(|mv| {
                let edge = game.play(&start, *mv);
                let mv = game.move_text(&start, *mv);
                OpeningFigures {
                    plain: game.rules().exchanged(&mv),
                    mv,
                    figures: known
                        .figures(metric, &edge.to)
                        .after_move(edge.gain, edge.keeps_turn),
                }
            })
            .collect();
        let mistake = |opening: &&OpeningFigures| {
            opening.figures.value != own.value || opening.figures.points != own.points
        };
        let choices = tally.choices();
        let opening_mistakes = openings.iter().filter(mistake).count() as u64;
        Ok(Profile {
            start: own,
            counts: tally.counts,
            by_ply: tally.by_ply,
            only_moves: Some(tally.only_moves),
            openings,
            opening_mistakes: Some(opening_mistakes),
            longest_distance: tally.longest,
            choices: Some(choices),
            most_plies: tally.most_plies,
        })
    }

    /// The winner from the start; `None` where chance decides.
    #[must_use]
    pub fn winner(&self) -> Option<&'static str> {
        if self.start.odds.is_some() {
            return None;
        }
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
            let theirs = other
                .openings
                .iter()
                .find(|theirs| theirs.plain == mine.plain)?;
            let differs = mine.figures.value != theirs.figures.value
                || mine.figures.points != theirs.figures.points;
            differs.then_some((mine, theirs))
        });
        pairs.collect()
    }

    /// The share of openings that win, in scored games that come out ahead; `None` where there are
    /// none.
    #[must_use]
    pub fn winning_openings(&self) -> Option<f64> {
        let wins = |opening: &&OpeningFigures| opening.figures.value == Some(Outcome::Win);
        let count = self.openings.iter().filter(wins).count();
        (!self.openings.is_empty()).then(|| count as f64 / self.openings.len() as f64)
    }

    /// The openings, best first, equals in listing order.
    #[must_use]
    pub fn ranked_openings(&self) -> Vec<&OpeningFigures> {
        let mut ranked: Vec<&OpeningFigures> = self.openings.iter().collect();
        ranked.sort_by_key(|opening| rank(&opening.figures));
        ranked
    }
}
