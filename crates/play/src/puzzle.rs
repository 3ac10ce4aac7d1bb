//! Positions with one move that wins, or saves a draw.

use std::collections::HashSet;
use std::ops::Deref;

use greenwave_game::{
    Advance, AnyPosition, At, Diagram, Figures, Game, Luck, Message, Outcome, Plies, Rules,
    Squares, Variant, VariantGame, with_game,
};
use greenwave_probe::{BestLine, MoveAnswer, PositionAnswer, ReachableSet, answer, line};
use greenwave_tablebase::{Error, SCHEMA, Tablebase};
use greenwave_values::{Progress, Unit, ValueSource};
use serde::Serialize;

use crate::theme::themes;
use crate::{Dice, Theme, messages};

/// The wanted puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleOptions {
    /// How many at most.
    pub count: usize,
    /// What they follow from.
    pub seed: u64,
    /// How hard, 1 to 5; any if not given.
    pub level: Option<u8>,
    /// Their theme; any theme if not given.
    pub theme: Option<Theme>,
}

/// A position with exactly one winning move or, where nothing wins, one that saves a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Puzzle {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// The position.
    pub position: String,
    /// The same, to ask about.
    #[serde(skip)]
    pub at: AnyPosition,
    /// How hard: by the plies to the win, and by how many moves look safe.
    pub level: u8,
    /// Best play from it to the end.
    pub solution: Vec<String>,
    /// Number of moves of the solution that alone keep the value.
    pub only_moves: usize,
    /// Plies to the end.
    pub distance: Option<u32>,
    /// The result of the one move: `win` or `draw`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["win", "draw"])))]
    pub goal: &'static str,
    /// The themes of the puzzle.
    pub themes: Vec<Theme>,
    /// The moves that solve it: one, if the search made the puzzle.
    #[serde(skip)]
    pub keeps: Vec<String>,
}

impl Puzzle {
    /// The diagram of the position.
    #[must_use]
    pub fn diagram(&self, variant: &Variant) -> Diagram {
        variant.diagram(&self.at)
    }
}

/// Lines of drawn games are cut after this many plies.
const LINE: usize = 400;
/// Positions between two reports of progress.
const TOLD: u64 = 1 << 12;
/// Indices of a table that is read into memory, at most: some ten milliseconds. Most puzzles are found
/// soon, but to know that there is none takes a look at every position.
const READ: u64 = 1 << 26;
/// Number of positions of random play that the search visits where it cannot visit all.
const PLAYED: u64 = 400_000;
/// Positions of random play that are settled by a search, at most.
const SETTLED: u64 = 4_000;
/// Positions that a search may look at to settle one, and what it may remember them in.
const SEARCHED: u64 = 20_000;
const SEARCH_MEMORY: u64 = 128 << 20;
/// Squares from which on values may take more than a moment.
const SAMPLED: u32 = 14;
/// A moment in seconds, and the memory that it is worth.
const MOMENT: f64 = 1.0;
const ROOM: u128 = 256 << 20;

/// The puzzles found, and whether the search visited every position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Puzzles {
    pub(crate) found: Vec<Puzzle>,
    /// Whether there are no others: the search visited every position that play reaches.
    pub are_all: bool,
}

impl Deref for Puzzles {
    type Target = [Puzzle];

    fn deref(&self) -> &[Puzzle] {
        &self.found
    }
}

/// The message if a game has no puzzles, of some level and theme or of any; `are_all` if the search
/// visited every position.
#[must_use]
pub fn no_puzzles(
    rules: &Rules,
    level: Option<u8>,
    theme: Option<Theme>,
    are_all: bool,
) -> Message {
    let name = rules.title();
    if rules.properties.luck == Luck::Draws {
        return messages::puzzle_bag(name);
    }
    if are_all && level.is_none() && theme.is_none() {
        return messages::puzzle_none(name);
    }
    let mut level = level.map_or_else(String::new, |level| format!(" of level {level}"));
    if let Some(theme) = theme {
        level.push_str(&format!(" with the theme {theme}"));
    }
    if are_all {
        let none = format!(
            "{name} has no position{level} with exactly one move that wins or saves a draw"
        );
        return none.into();
    }
    let none = format!(
        "found no position{level} of {name} with exactly one move that wins or saves a draw, in a sample of \
         its positions; another --seed looks at others"
    );
    none.into()
}

/// Finds puzzles among the positions that play reaches. The same seed gives the same ones; no two are
/// images of each other. Empty where the variant has none of the level, or a sample has none, and where
/// chance takes part, since moves there are worth odds.
///
/// Where the values are not at hand and take more than a moment to be had, positions of games played at
/// random are settled by a search, from the end of each game backwards.
///
/// # Errors
/// When the values of the variant do not fit the memory, and when a table is damaged or of other rules.
pub fn search_puzzles(
    tablebase: &Tablebase,
    variant: &Variant,
    options: &PuzzleOptions,
) -> Result<Puzzles, Error> {
    let rules = variant.rules();
    if rules.properties.luck == Luck::Draws {
        return Ok(Puzzles::default());
    }
    let long = takes_long(tablebase, variant);
    with_game!(variant, game => {
        if long { sampled(tablebase, game, options) } else { valued(tablebase, variant, game, options) }
    })
}

/// Whether a variant can have puzzles, and the memory does to look for them, whatever else is in it.
#[must_use]
pub fn can_have_puzzles(tablebase: &Tablebase, variant: &Variant) -> bool {
    let rules = variant.rules();
    rules.properties.luck == Luck::None
        && (takes_long(tablebase, variant) || tablebase.fits(variant, rules.default_metric))
}

/// A position as the puzzle that [`search_puzzles`] would make of it; `None` where it makes none.
///
/// # Errors
/// As [`search_puzzles`].
pub fn puzzle_at(tablebase: &Tablebase, at: &At) -> Result<Option<Puzzle>, Error> {
    let variant: &Variant = at.variant();
    if variant.rules().properties.luck == Luck::Draws {
        return Ok(None);
    }
    let progress = tablebase.progress();
    let long = takes_long(tablebase, variant);
    with_game!(variant, game => {
        let position = game.position(at.position());
        if long {
            let source = tablebase.searched_values(game, SEARCHED, SEARCH_MEMORY)?;
            found_at(game, &source, progress, &position)
        } else {
            let sources = tablebase.sources_in_memory(variant, variant.rules().default_metric, READ)?;
            found_at(game, &sources.of(game)?, progress, &position)
        }
    })
}

fn found_at<G: Squares + VariantGame, S: ValueSource<G::Position>>(
    game: &G,
    source: &S,
    progress: &dyn Progress,
    position: &G::Position,
) -> Result<Option<Puzzle>, Error>
where
    Error: From<S::Error>,
{
    let options = PuzzleOptions::default();
    let mut search = PuzzleSearch::new(game, source, &options, progress);
    search.look(position)?;
    Ok(search.found.pop())
}

/// Puzzles among positions whose values are at hand, or are soon.
fn valued<G: Squares + VariantGame>(
    tablebase: &Tablebase,
    variant: &Variant,
    game: &G,
    options: &PuzzleOptions,
) -> Result<Puzzles, Error> {
    let rules = game.rules();
    let sources = tablebase.sources_in_memory(variant, rules.default_metric, READ)?;
    let source = sources.of(game)?;
    let small = ReachableSet::bytes(game) <= u128::from(tablebase.memory() / 8);
    let all = small && !game.holds_reachable_only();
    let progress = tablebase.progress();
    let stage = format!("looking for puzzles of {}", rules.title());
    let mut search = PuzzleSearch::new(game, &source, options, progress);
    if all {
        let walk = format!("walking through {}", rules.title());
        progress.begin(&walk, game.indexable() as u64, Unit::Positions);
        let reached = tablebase.on_threads(|| ReachableSet::watched(game, progress))?;
        progress.end();
        progress.begin(&stage, game.indexable() as u64, Unit::Positions);
        search.all(&reached)?;
    } else {
        progress.begin(&stage, PLAYED, Unit::Positions);
        search.played()?;
    }
    progress.end();
    let are_all = all && search.found.len() < options.count;
    Ok(Puzzles {
        found: search.found,
        are_all,
    })
}

/// Whether the values of a variant take more than a moment, or more memory than puzzles are worth.
fn takes_long(tablebase: &Tablebase, variant: &Variant) -> bool {
    // Positions that can repeat are settled by no search to the end.
    if tablebase.is_at_hand(variant)
        || variant.rules().properties.advance == Advance::Repeats
        || variant.rules().cells < SAMPLED
    {
        return false;
    }
    let prospect = tablebase.prospect(variant);
    prospect.is_none_or(|prospect| prospect.seconds > MOMENT || prospect.memory > ROOM)
}

/// Puzzles among positions of games played at random, settled by a search.
fn sampled<G: Squares + VariantGame>(
    tablebase: &Tablebase,
    game: &G,
    options: &PuzzleOptions,
) -> Result<Puzzles, Error> {
    let source = tablebase.searched_values(game, SEARCHED, SEARCH_MEMORY)?;
    let progress = tablebase.progress();
    let stage = format!("looking for puzzles of {}", game.rules().title());
    progress.begin(&stage, SETTLED, Unit::Positions);
    let mut search = PuzzleSearch::new(game, &source, options, progress);
    search.played_backwards()?;
    progress.end();
    Ok(Puzzles {
        found: search.found,
        are_all: false,
    })
}

struct PuzzleSearch<'a, G: Squares + VariantGame, S> {
    game: &'a G,
    source: &'a S,
    options: &'a PuzzleOptions,
    progress: &'a dyn Progress,
    // Canonical forms.
    seen: HashSet<G::Position>,
    found: Vec<Puzzle>,
}

impl<'a, G: Squares + VariantGame, S: ValueSource<G::Position>> PuzzleSearch<'a, G, S>
where
    Error: From<S::Error>,
{
    fn new(
        game: &'a G,
        source: &'a S,
        options: &'a PuzzleOptions,
        progress: &'a dyn Progress,
    ) -> PuzzleSearch<'a, G, S> {
        PuzzleSearch {
            game,
            source,
            options,
            progress,
            seen: HashSet::new(),
            found: Vec::new(),
        }
    }

    /// Looks at every reachable position, in an order that follows from the seed.
    fn all(&mut self, reached: &ReachableSet) -> Result<(), Error> {
        let all = self.game.indexable() as u64;
        let mut dice = Dice::new(self.options.seed, 0);
        let first = dice.below(all);
        // Coprime to their number, so that every index comes up once.
        let step = loop {
            let step = dice.below(all) | 1;
            if coprime(step, all) {
                break step;
            }
        };
        let mut index = first;
        for number in 1..=all {
            if self.found.len() >= self.options.count {
                self.progress.advance((number - 1) % TOLD);
                return Ok(());
            }
            self.looked_at(number)?;
            if reached.contains(index)
                && let Some(position) = self.game.at(index)
            {
                self.look(&position)?;
            }
            index = ((u128::from(index) + u128::from(step)) % u128::from(all)) as u64;
        }
        self.progress.advance(all % TOLD);
        Ok(())
    }

    /// Looks at the positions of games played at random.
    fn played(&mut self) -> Result<(), Error> {
        let mut moves = Vec::new();
        let mut looked = 0;
        for game_no in 0.. {
            let mut dice = Dice::new(self.options.seed, game_no);
            let mut position = self.game.start();
            // Positions can repeat, so games are cut.
            for _ in 0..LINE {
                self.game.moves(&position, &mut moves);
                let Some(mv) = dice.one_of(&moves) else { break };
                position = self.game.play(&position, *mv).to;
                looked += 1;
                self.looked_at(looked)?;
                if self.found.len() >= self.options.count || looked > PLAYED {
                    self.progress.advance(looked % TOLD);
                    return Ok(());
                }
                self.look(&position)?;
            }
        }
        Ok(())
    }

    /// Looks at the positions of games played at random, the last ones first, as far back as they are
    /// settled. Nobody in these games lets the other win at once, where there is another move.
    fn played_backwards(&mut self) -> Result<(), Error> {
        let mut looked = 0;
        for game_no in 0.. {
            let mut dice = Dice::new(self.options.seed, game_no);
            let played = self.quiet_game(&mut dice);
            for position in played.iter().rev() {
                looked += 1;
                if self.found.len() >= self.options.count || looked > SETTLED {
                    return Ok(());
                }
                self.progress.advance(1);
                if self.progress.cancelled() {
                    return Err(Error::interrupted());
                }
                if self.source.figures(position)?.value.is_none() {
                    break;
                }
                self.look(position)?;
            }
        }
        Ok(())
    }

    /// The positions of a game played at random in which nobody blunders while there is another move.
    fn quiet_game(&self, dice: &mut Dice) -> Vec<G::Position> {
        let game = self.game;
        let mut moves = Vec::new();
        let mut replies = Vec::new();
        let mut played = vec![game.start()];
        while let Some(position) = played.last().copied() {
            game.moves(&position, &mut moves);
            let quiet: Vec<G::Move> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    let to = game.play(&position, *mv).to;
                    game.ending(&to).is_none() && !game.has_winning_move(&to, &mut replies)
                })
                .collect();
            let Some(mv) = dice.one_of(&quiet) else {
                return played;
            };
            played.push(game.play(&position, *mv).to);
        }
        played
    }

    /// Says now and then how many positions were looked at, and stops when asked to.
    fn looked_at(&self, number: u64) -> Result<(), Error> {
        if number.is_multiple_of(TOLD) {
            self.progress.advance(TOLD);
            if self.progress.cancelled() {
                return Err(Error::interrupted());
            }
        }
        Ok(())
    }

    /// Keeps a position if it is a puzzle that is wanted.
    fn look(&mut self, position: &G::Position) -> Result<(), Error> {
        if self.game.ending(position).is_some() {
            return Ok(());
        }
        let figures = self.source.figures(position)?;
        if !worth_a_look(&figures, self.options.level) {
            return Ok(());
        }
        let canonical = self.game.canonical(position);
        if self.seen.contains(&canonical) {
            return Ok(());
        }
        let found = answer(self.game, position, self.source)?;
        // A search may have settled the position and not each move.
        let open = |mv: &MoveAnswer<G::Position, G::Move>| mv.figures.value.is_none();
        if found.moves.iter().any(open) {
            return Ok(());
        }
        let Some((goal, level, plies)) = graded(self.game, &found, self.source)? else {
            return Ok(());
        };
        let best_play = || line(self.game, position, self.source, LINE);
        if self.options.level.is_some_and(|wanted| wanted != level) {
            return Ok(());
        }
        let plies = match plies {
            Some(plies) => plies,
            None => best_play()?,
        };
        // A search may have settled the position and not each reply: the line is not best play then.
        let is_best = |distance: Plies| goal != Outcome::Win || distance.0 as usize == plies.len();
        if !found.figures.distance.is_none_or(is_best) {
            return Ok(());
        }
        let mut only_moves = 0;
        let mut solution = Vec::with_capacity(plies.len());
        for (number, ply) in plies.iter().enumerate() {
            solution.push(self.game.move_text(&ply.from, ply.mv));
            // A drawn game may go round for ever: its first move is the solution.
            if goal == Outcome::Draw && number > 0 {
                continue;
            }
            let here = answer(self.game, &ply.from, self.source)?;
            only_moves += usize::from(self::goal(&here).is_some());
        }
        if goal == Outcome::Draw {
            solution.truncate(1);
        }
        let themes = themes(self.game, &found, self.source, only_moves)?;
        if self
            .options
            .theme
            .is_some_and(|wanted| !themes.contains(&wanted))
        {
            return Ok(());
        }
        // Only now, so that a position of another level does not hide its images from later seeds.
        self.seen.insert(canonical);
        self.found.push(Puzzle {
            schema: SCHEMA,
            variant: self.game.rules().title().to_string(),
            lights: self.game.rules().lights_name(),
            position: self.game.position_text(position),
            at: self.game.any_position(*position),
            level,
            keeps: solution.first().cloned().into_iter().collect(),
            solution,
            only_moves,
            distance: found.figures.distance.map(|plies| plies.0),
            goal: goal.name(),
            themes,
        });
        Ok(())
    }
}

/// How hard a position is as a puzzle, 1 to 5; `None` where it is none. `found` is the answer about it.
///
/// # Errors
/// When the source cannot be read.
pub fn puzzle_level<G: Game, S: ValueSource<G::Position>>(
    game: &G,
    found: &PositionAnswer<G::Position, G::Move>,
    source: &S,
) -> Result<Option<u8>, S::Error> {
    Ok(graded(game, found, source)?.map(|(_, level, _)| level))
}

/// The result of the one move of a puzzle, its level, and best play if the search needed it.
type PuzzleGrade<G> = (Outcome, u8, Option<BestLine<G>>);

fn graded<G: Game, S: ValueSource<G::Position>>(
    game: &G,
    found: &PositionAnswer<G::Position, G::Move>,
    source: &S,
) -> Result<Option<PuzzleGrade<G>>, S::Error> {
    let Some(goal) = goal(found) else {
        return Ok(None);
    };
    let mut plies = None;
    let to_the_end = match (goal, found.figures.distance) {
        (Outcome::Win, Some(distance)) => distance.0,
        (Outcome::Win, None) => plies
            .insert(line(game, &found.position, source, LINE)?)
            .len() as u32,
        // How long the longest of the other moves holds out.
        _ => found
            .moves
            .iter()
            .filter_map(|mv| mv.figures.distance)
            .map(|plies| plies.0)
            .max()
            .unwrap_or(0),
    };
    Ok(Some((goal, level(game, found, to_the_end), plies)))
}

/// How hard a puzzle is whose goal is this many plies away.
fn level<G: Game>(game: &G, found: &PositionAnswer<G::Position, G::Move>, plies: u32) -> u8 {
    match plies {
        0..=3 => return 1,
        4..=8 => return 2,
        _ => {}
    }
    // Moves in listing order, as a search of two plies meets them.
    let mut moves = Vec::new();
    game.moves(&found.position, &mut moves);
    let of = |mv: &G::Move| found.moves.iter().find(|known| known.mv == *mv);
    let looks_safe = |mv: &&G::Move| of(mv).is_some_and(|known| safe(game, known));
    let looking_safe: Vec<&G::Move> = moves.iter().filter(looks_safe).collect();
    if looking_safe.len() * 3 > moves.len() {
        return 3;
    }
    let solves = found.moves.first().map(|mv| mv.mv);
    if looking_safe.first().copied().copied() == solves {
        4
    } else {
        5
    }
}

/// Whether a move looks safe to a search of two plies: it does not let the opponent win at once.
pub(crate) fn safe<G: Game>(game: &G, mv: &MoveAnswer<G::Position, G::Move>) -> bool {
    if mv.figures.value != Some(Outcome::Loss) {
        return true;
    }
    match (mv.figures.distance, game.ending(&mv.to)) {
        (Some(plies), _) => plies.0 > 2,
        (None, Some(_)) => false,
        // In scored games, where there are no distances.
        (None, None) => !game.has_winning_move(&mv.to, &mut Vec::new()),
    }
}

/// Whether figures can be those of a puzzle of a level.
fn worth_a_look(figures: &Figures, level: Option<u8>) -> bool {
    if !matches!(figures.value, Some(Outcome::Win | Outcome::Draw)) {
        return false;
    }
    match (figures.distance, level) {
        (Some(plies), Some(level)) => match plies.0 {
            0..=3 => level == 1,
            4..=8 => level == 2,
            _ => level >= 3,
        },
        _ => true,
    }
}

/// What the one move of a puzzle does; `None` where not exactly one does it, or nothing else is
/// possible.
fn goal<P, M>(found: &PositionAnswer<P, M>) -> Option<Outcome> {
    let goal = found.figures.value?;
    if goal == Outcome::Loss || found.moves.len() < 2 {
        return None;
    }
    let reaching = found
        .moves
        .iter()
        .filter(|mv| mv.figures.value == Some(goal));
    (reaching.count() == 1).then_some(goal)
}

fn coprime(mut a: u64, mut b: u64) -> bool {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}
