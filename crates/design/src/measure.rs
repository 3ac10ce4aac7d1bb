//! The measures of a game: what its values say, and what comes of games at the levels of play.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use greenwave_game::{Dense, Edge, Figures, Game, Luck, Outcome, Variant, with_game};
use greenwave_judge::{SearchOutcome, can_have_strategy, seek_strategy};
use greenwave_play::{Dice, Level, Offer, pick, puzzle_level};
use greenwave_probe::answer;
use greenwave_solver::{SearchBudget, plan_values};
use greenwave_tablebase::{Error, Tablebase};
use greenwave_values::ValueSource;
use greenwave_values::parallel::try_map_parts;
use greenwave_words::Language;
use serde::{Deserialize, Serialize};

use crate::DesignError;

/// The most that solving one set of rules may take, and the source of its games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureLimits {
    /// The seed of all choices.
    pub seed: u64,
    /// Games at each level.
    pub games: u64,
    /// Seconds that a solve may take, as estimated.
    pub seconds: f64,
}

impl Default for MeasureLimits {
    fn default() -> MeasureLimits {
        MeasureLimits {
            seed: 0,
            games: 1000,
            seconds: 60.0,
        }
    }
}

/// A game with its value and its measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredGame {
    /// The winner under best play: `first`, `second` or `draw`.
    pub winner: String,
    /// Value of the start for the player to move: `win`, `draw` or `loss`.
    pub value: String,
    /// Plies to the end under best play.
    pub distance: Option<u32>,
    /// Points of the start, in scored games.
    pub points: Option<i32>,
    /// Its measures.
    pub measures: Measures,
}

/// The measures, which `docs/reference/measures.md` explains. Shares and means have four digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Measures {
    /// The share of first moves that win.
    pub winning_openings: f64,
    /// The first player's share of wins less the second's, between players of level easy.
    pub balance_weak: f64,
    /// The same between players of level medium.
    pub balance_medium: f64,
    /// The same between players of level strong.
    pub balance_strong: f64,
    /// The same at level medium, where the first player chooses the opening and the second a side.
    pub balance_pie: f64,
    /// The number of changes of the value in a game between players of level medium.
    pub drama: f64,
    /// The share of positions with a choice in which one move alone keeps the value, in strong play.
    pub only_moves: f64,
    /// Plies of a game in strong play, on average.
    pub length: f64,
    /// The standard deviation of that.
    pub length_spread: f64,
    /// The share of drawn games in strong play.
    pub draws: f64,
    /// Puzzles of levels 1 to 5 among the positions of all these games, images counted once.
    pub puzzles: [u32; 5],
    /// Words of the shortest strategy that was found; `None` where there is none, or none was found.
    pub strategy_words: Option<u32>,
}

/// Plies after which a game counts as drawn, since positions can repeat.
const LONGEST: u32 = 400;
/// Games of each level that are played one after the other, with what they have in common worked out once.
const PART: u64 = 125;
/// Positions that a part remembers with their moves.
const REMEMBERED: usize = 1 << 14;
/// Positions that the search for a strategy may look at.
const STRATEGY: u64 = 20_000;
/// Streams of dice below those of the games after an opening.
const STREAMS: u64 = 1 << 40;

const LEVELS: [Level; 3] = [Level::Easy, Level::Medium, Level::Strong];

/// Solves a game in memory and measures it. The same rules, seed and number of games give the same
/// measures, on any number of threads.
///
/// # Errors
/// When the game has chance, when a solve takes more time or memory than it may, and when the work is
/// cancelled.
pub fn measure(
    tablebase: &Tablebase,
    variant: &Variant,
    effort: &MeasureLimits,
) -> Result<MeasuredGame, DesignError> {
    let rules = variant.rules();
    let metric = rules.default_metric;
    if rules.properties.luck == Luck::Draws {
        return Err(DesignError::Refused(
            "counters are drawn from a bag, so a position has odds and no value; leave out [bag]"
                .into(),
        ));
    }
    if !tablebase.is_metric_at_hand(variant, metric) {
        let planned = plan_values(variant, metric, tablebase.memory()).map_err(Error::Solve)?;
        let seconds = planned.cost().seconds;
        if seconds > effort.seconds {
            let time = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            return Err(DesignError::Refused(format!(
                "the solve takes about {:.0?}, expected at most {:.0?}; give more with --budget",
                time(seconds),
                time(effort.seconds)
            )));
        }
    }
    let sources = tablebase.sources(variant, &[metric])?;
    let mut measured = with_game!(variant, game => {
        let source = sources.of(game)?;
        tablebase.on_threads(|| GameMeasurement { game, source: &source, tablebase, effort }.measured())?
    });
    measured.measures.strategy_words = strategy_words(tablebase, variant)?;
    Ok(measured)
}

/// Words of a strategy, if one is found soon.
fn strategy_words(tablebase: &Tablebase, variant: &Variant) -> Result<Option<u32>, DesignError> {
    if can_have_strategy(variant, None).is_err() {
        return Ok(None);
    }
    let budget = SearchBudget {
        nodes: Some(STRATEGY),
        deadline: None,
    };
    let sought = tablebase.on_threads(|| seek_strategy(variant, None, budget, tablebase))?;
    Ok(match sought {
        SearchOutcome::Found(found) => {
            let count = |text: &str| text.split_whitespace().count();
            let words = count(&found.words(Language::English));
            // A player learns the exceptions, too, where they are too many for the text.
            let unlisted = if found.lists_exceptions() {
                0
            } else {
                found.exceptions.len() * count(Language::English.text("told-at"))
            };
            Some((words + unlisted) as u32)
        }
        SearchOutcome::Drawn | SearchOutcome::Spent(_) => None,
    })
}

/// A game that is being measured.
struct GameMeasurement<'a, G, S> {
    game: &'a G,
    source: &'a S,
    tablebase: &'a Tablebase,
    effort: &'a MeasureLimits,
}

/// What games of one level come to; whole numbers, so that their order does not matter.
#[derive(Clone, Copy, Debug, Default)]
struct LevelSums {
    first: u64,
    second: u64,
    games: u64,
    changes: u64,
    length: u64,
    squares: u64,
    choices: u64,
    only: u64,
}

impl LevelSums {
    fn joined(self, other: LevelSums) -> LevelSums {
        LevelSums {
            first: self.first + other.first,
            second: self.second + other.second,
            games: self.games + other.games,
            changes: self.changes + other.changes,
            length: self.length + other.length,
            squares: self.squares + other.squares,
            choices: self.choices + other.choices,
            only: self.only + other.only,
        }
    }

    fn balance(&self) -> f64 {
        (self.first as f64 - self.second as f64) / self.games.max(1) as f64
    }
}

/// What a part of the games comes to: sums of each level, and puzzles with their level.
struct GamesPart<P> {
    sums: [LevelSums; 3],
    puzzles: HashMap<P, u8>,
}

impl<G: Dense, S: ValueSource<G::Position>> GameMeasurement<'_, G, S>
where
    Error: From<S::Error>,
    S::Error: Send,
{
    fn measured(&self) -> Result<MeasuredGame, Error> {
        let parts = try_map_parts(self.effort.games.div_ceil(PART) as usize, |part| {
            let first = part as u64 * PART;
            let mut players = Players::new(self);
            let mut sums = [LevelSums::default(); 3];
            for (number, level) in LEVELS.into_iter().enumerate() {
                for game_no in first..self.effort.games.min(first + PART) {
                    let stream = number as u64 * STREAMS + game_no;
                    let start = (self.game.start(), 1);
                    players.play(start, level, stream, &mut sums[number])?;
                }
            }
            Ok::<_, Error>(GamesPart {
                sums,
                puzzles: players.puzzles,
            })
        })?;
        let mut sums = [LevelSums::default(); 3];
        let mut puzzles: HashMap<G::Position, u8> = HashMap::new();
        for part in parts {
            for (all, more) in sums.iter_mut().zip(part.sums) {
                *all = all.joined(more);
            }
            puzzles.extend(part.puzzles);
        }
        let mut by_level = [0; 5];
        for level in puzzles.into_values() {
            by_level[usize::from(level) - 1] += 1;
        }
        let [weak, medium, strong] = sums;
        let games = strong.games.max(1) as f64;
        let length = strong.length as f64 / games;
        let square = strong.squares as f64 / games;
        let drawn = strong.games - strong.first - strong.second;
        let start = answer(self.game, &self.game.start(), self.source)?;
        let wins = |figures: &Figures| standing(figures) > 0;
        let winning = start.moves.iter().filter(|mv| wins(&mv.figures)).count();
        let sign = standing(&start.figures);
        let words = |texts: [&str; 3]| texts[(1 - sign) as usize].to_string();
        Ok(MeasuredGame {
            winner: words(["first", "draw", "second"]),
            value: words(["win", "draw", "loss"]),
            distance: start.figures.distance.map(|plies| plies.0),
            points: start.figures.points,
            measures: Measures {
                winning_openings: rounded(winning as f64 / start.moves.len().max(1) as f64),
                balance_weak: rounded(weak.balance()),
                balance_medium: rounded(medium.balance()),
                balance_strong: rounded(strong.balance()),
                balance_pie: rounded(-self.least_opening()?),
                drama: rounded(medium.changes as f64 / medium.games.max(1) as f64),
                only_moves: rounded(strong.only as f64 / strong.choices.max(1) as f64),
                length: rounded(length),
                length_spread: rounded((square - length * length).max(0.0).sqrt()),
                draws: rounded(drawn as f64 / games),
                puzzles: by_level,
                strategy_words: None,
            },
        })
    }

    /// How far one side is ahead after the opening that leaves the least to choose between them.
    fn least_opening(&self) -> Result<f64, Error> {
        let start = self.game.start();
        let mut moves = Vec::new();
        self.game.moves(&start, &mut moves);
        let mut images = HashSet::new();
        let edges = moves.iter().map(|mv| self.game.play(&start, *mv));
        let edges: Vec<Edge<G::Position>> = edges
            .filter(|edge| images.insert(self.game.canonical(&edge.to)))
            .collect();
        let games = self.effort.games.div_ceil(5);
        let ahead = try_map_parts(edges.len(), |number| {
            let edge = &edges[number];
            let mut players = Players::new(self);
            let mut sums = LevelSums::default();
            let turn = if edge.keeps_turn { 1 } else { -1 };
            for game_no in 0..games {
                let stream = (8 + number as u64) * STREAMS + game_no;
                players.play((edge.to, turn), Level::Medium, stream, &mut sums)?;
            }
            Ok::<f64, Error>(sums.balance().abs())
        })?;
        Ok(ahead.into_iter().reduce(f64::min).unwrap_or(0.0))
    }
}

/// Four digits, which texts keep exactly, and no negative zero.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0 + 0.0
}

/// Who is ahead: 1 the player to move, −1 the other, 0 nobody.
fn standing(figures: &Figures) -> i32 {
    match (figures.points, figures.value) {
        (Some(points), _) => points.signum(),
        (None, Some(Outcome::Win)) => 1,
        (None, Some(Outcome::Loss)) => -1,
        (None, Some(Outcome::Draw) | None) => 0,
    }
}

/// A position as players see it.
struct PlayerView<P> {
    figures: Figures,
    offers: Vec<Offer>,
    edges: Vec<Edge<P>>,
    /// Whether one of several moves alone keeps what the player to move has.
    only: bool,
}

/// Plays games one after the other and remembers what was seen.
struct Players<'a, G: Game, S> {
    measuring: &'a GameMeasurement<'a, G, S>,
    seen: HashMap<G::Position, PlayerView<G::Position>>,
    puzzles: HashMap<G::Position, u8>,
}

impl<'a, G: Dense, S: ValueSource<G::Position>> Players<'a, G, S>
where
    Error: From<S::Error>,
{
    fn new(measuring: &'a GameMeasurement<'a, G, S>) -> Players<'a, G, S> {
        Players {
            measuring,
            seen: HashMap::new(),
            puzzles: HashMap::new(),
        }
    }

    fn look(&mut self, position: &G::Position) -> Result<&PlayerView<G::Position>, Error> {
        if self.seen.len() >= REMEMBERED && !self.seen.contains_key(position) {
            self.seen.clear();
        }
        if !self.seen.contains_key(position) {
            let seen = self.answer(position)?;
            self.seen.insert(*position, seen);
        }
        Ok(&self.seen[position])
    }

    fn answer(&mut self, position: &G::Position) -> Result<PlayerView<G::Position>, Error> {
        let (game, source) = (self.measuring.game, self.measuring.source);
        let found = answer(game, position, source)?;
        let own = found.figures;
        if let Some(level) = puzzle_level(game, &found, source)? {
            self.puzzles.insert(game.canonical(position), level);
        }
        let offers = found.moves.iter().enumerate().map(|(place, mv)| Offer {
            best: place < found.best,
            keeps: match own.points {
                Some(points) => mv.figures.points.is_some_and(|mine| mine >= points),
                None => mv.figures.value == own.value,
            },
            wins_now: own.points.is_none() && mv.ends && mv.figures.value == Some(Outcome::Win),
        });
        let offers: Vec<Offer> = offers.collect();
        let keeping = offers.iter().filter(|offer| offer.keeps).count();
        Ok(PlayerView {
            figures: own,
            only: offers.len() > 1 && keeping == 1,
            offers,
            edges: found
                .moves
                .iter()
                .map(|mv| game.play(position, mv.mv))
                .collect(),
        })
    }

    /// Plays a game from a position in which the first player (1) or the second (−1) moves.
    fn play(
        &mut self,
        (mut position, mut turn): (G::Position, i32),
        level: Level,
        stream: u64,
        sums: &mut LevelSums,
    ) -> Result<(), Error> {
        let bench = self.measuring;
        if bench.tablebase.progress().cancelled() {
            return Err(Error::interrupted());
        }
        let mut dice = Dice::new(bench.effort.seed, stream);
        let (mut total, mut plies) = (0, 0_u32);
        let mut before = None;
        let ahead = loop {
            let seen = self.look(&position)?;
            // Of the first player: who is ahead with what was gained so far.
            let ahead = match seen.figures.points {
                Some(points) => (total + turn * points).signum(),
                None => turn * standing(&seen.figures),
            };
            if before.is_some_and(|before| before != ahead) {
                sums.changes += 1;
            }
            before = Some(ahead);
            let lost = seen.figures.value == Some(Outcome::Loss);
            let Some(place) = pick(&seen.offers, lost, level, &mut dice) else {
                break ahead;
            };
            if plies == LONGEST {
                break 0;
            }
            sums.choices += u64::from(seen.offers.len() > 1);
            sums.only += u64::from(seen.only);
            let edge = &seen.edges[place];
            total += turn * edge.gain;
            if !edge.keeps_turn {
                turn = -turn;
            }
            position = edge.to;
            plies += 1;
        };
        sums.games += 1;
        sums.first += u64::from(ahead > 0);
        sums.second += u64::from(ahead < 0);
        sums.length += u64::from(plies);
        sums.squares += u64::from(plies) * u64::from(plies);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::RuleFile;

    use super::*;

    fn measured(
        text: &str,
        threads: usize,
        effort: &MeasureLimits,
    ) -> Result<MeasuredGame, DesignError> {
        let settings = greenwave_tablebase::Settings {
            memory: Some(1 << 28),
            threads: Some(threads),
        };
        let tablebase = Tablebase::with_settings("no-such-folder", &settings)?;
        let variant = RuleFile::parse("small.toml", text)?.variant;
        measure(&tablebase, &variant, effort)
    }

    const ROW: &str = "patterns = ['111']\nboard.size = '1x3'\nboard.levels = 1\n";

    /// Three squares, of which each is marked once: the first player makes the line with the last.
    #[test]
    fn a_game_without_choices_has_the_measures_that_can_be_counted() {
        let found = measured(ROW, 1, &MeasureLimits::default()).unwrap();
        assert_eq!((&*found.winner, &*found.value), ("first", "win"));
        assert_eq!(found.distance, Some(3));
        let measures = found.measures;
        assert_eq!(measures.winning_openings, 1.0);
        assert_eq!(
            [
                measures.balance_weak,
                measures.balance_medium,
                measures.balance_strong
            ],
            [1.0; 3]
        );
        assert_eq!(measures.balance_pie, -1.0);
        assert_eq!(
            (measures.drama, measures.only_moves, measures.draws),
            (0.0, 0.0, 0.0)
        );
        assert_eq!((measures.length, measures.length_spread), (3.0, 0.0));
        assert_eq!(measures.puzzles, [0; 5]);
    }

    /// The games follow from the seed alone, and a level is as good as its name.
    #[test]
    fn measures_follow_from_the_seed_on_any_number_of_threads() {
        let text = "patterns = ['111', '222', '333']\nboard.size = '2x3'\n";
        let effort = MeasureLimits {
            seed: 7,
            games: 300,
            ..MeasureLimits::default()
        };
        let one = measured(text, 1, &effort).unwrap();
        assert_eq!(measured(text, 2, &effort).unwrap(), one);
        let other = MeasureLimits { seed: 8, ..effort };
        assert_ne!(measured(text, 1, &other).unwrap(), one);
        let measures = &one.measures;
        let sign = if one.winner == "first" { 1.0 } else { -1.0 };
        assert!(
            sign * measures.balance_strong > sign * measures.balance_weak,
            "{one:?}"
        );
        assert!(measures.drama > 0.0 && measures.only_moves > 0.0, "{one:?}");
        assert!(measures.puzzles[0] > 0, "{one:?}");
        assert!(measures.balance_pie <= 0.0);
    }

    /// Counted by hand in what `greenwave strategy` says of the examples ring, corners and notakto. Notakto
    /// needs 21 exceptions, which are too many for the text: 42 words in it, and 4 for each exception.
    #[test]
    fn words_of_a_strategy_are_those_that_one_has_to_learn() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        for (text, words) in [
            (
                "patterns = ['111', '222', '333', '123']\nboard.outline = '###/#-#/###'",
                Some(30),
            ),
            (
                "patterns = ['111', '222', '333']\nboard = { size = '3x3', directions = [], shapes = ['##/#-'] }",
                Some(36),
            ),
            (
                "patterns = ['111']\nplay = 'misere'\nboard = { size = '3x3', levels = 1 }",
                Some(42 + 4 * 21),
            ),
            // With points nobody wins by a strategy in words.
            (
                "patterns = { 111 = 1 }\nplay = 'points'\nboard = { size = '1x3', levels = 1 }",
                None,
            ),
        ] {
            let variant = RuleFile::parse("small.toml", text).unwrap().variant;
            assert_eq!(
                strategy_words(&tablebase, &variant).unwrap(),
                words,
                "{text}"
            );
        }
    }

    #[test]
    fn points_decide_who_is_ahead_in_scored_games() {
        let text =
            "patterns = { 111 = 1 }\nplay = 'points'\nboard.size = '1x3'\nboard.levels = 1\n";
        let found = measured(text, 1, &MeasureLimits::default()).unwrap();
        assert_eq!((&*found.winner, found.points), ("first", Some(1)));
        assert_eq!(found.measures.balance_weak, 1.0);
    }

    #[test]
    fn what_takes_too_long_or_is_of_chance_is_refused() {
        let hasty = MeasureLimits {
            seconds: 0.0,
            ..MeasureLimits::default()
        };
        let error = measured(ROW, 1, &hasty).unwrap_err().to_string();
        assert!(error.contains("--budget"), "{error}");
        let bag = "patterns = ['111']\nboard.size = '1x3'\n[bag]\n";
        let error = measured(bag, 1, &MeasureLimits::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains("[bag]"), "{error}");
        let large = "patterns = ['111']\nboard.size = '5x6'\n";
        let patient = MeasureLimits {
            seconds: f64::MAX,
            ..MeasureLimits::default()
        };
        let error = measured(large, 1, &patient).unwrap_err().to_string();
        assert!(error.contains("memory"), "{error}");
    }
}
