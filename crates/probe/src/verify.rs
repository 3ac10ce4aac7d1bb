//! The check of a table against the rules: every stored value is worked out again from its
//! children's, by the same order of moves in which answers are given.
//!
//! That settles everything, also where positions can repeat, if ends of play stand behind the wins
//! and losses:
//!
//! - *Wins and losses.* The win of a position follows from one move, its loss from all of them. Under
//!   the distance metric the positions that they lead to are nearer to the end by a ply, so that
//!   going down from ply to ply leads to finished positions, which the rules decide. Other metrics
//!   have no plies; where play always ends that does not matter, and where positions can repeat
//!   [`without_end`] looks for the ends.
//! - *Draws.* A drawn position has a move to a drawn one and none to a position lost for the
//!   opponent. So a player who always moves from drawn positions to drawn ones is safe for ever.
//!   The opponent, who gets a drawn position, can only answer with another one or with one that is
//!   won for that player. Both players can play so, hence neither can force a win. In scored games
//!   this is true for any number of points. A player who follows the values gets at least this
//!   many: by an end if they are positive, and by an end or endless play if they are not.

use std::collections::BTreeSet;

use greenwave_game::{Advance, Code, Dense, Figures, LEAF_BITS, Metric, RuleFile, Rules, Variant};
use greenwave_table::{IndexScheme, Summary, Table};
use greenwave_values::parallel::{fold_parts, try_map_parts};
use greenwave_values::{
    NumberedValues, TableValues, ValueSource, Values, ValuesError, codes, summarise,
};

use crate::ends::{self, without_end};
use crate::{Dice, rank};

/// What a verification came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyResult {
    /// Frames read.
    pub blocks: u64,
    /// Positions whose stored value was worked out again.
    pub positions: u64,
    /// Those whose value is wrong, and figures of the metadata that disagree with the values.
    pub mismatches: u64,
    /// The first mismatch in index order, in words.
    pub first: Option<String>,
}

// Places that a task works on.
const TASK: u64 = 1 << 12;

/// Bytes of memory that [`verify`] takes for a table.
#[must_use]
pub fn verifying_bytes<G: Dense>(table: &TableValues<'_, G>, game: &G) -> u128 {
    // What threads read and count with.
    const BUFFERS: u128 = 8 << 20;
    // Leaves that a table keeps once they are read.
    const KEPT: u128 = 32 << 20;
    let positions = u128::from(table.table().layout().indexable);
    let values = match table.as_dense() {
        Some(_) => Values::bytes(game, table.metric()),
        // Each with its index, beside the leaves and the file.
        None => 10 * positions + KEPT.min(8 * positions) + u128::from(table.table().bytes()),
    };
    let repeats = game.rules().properties.advance == Advance::Repeats;
    values + BUFFERS + if repeats { ends::bytes(positions) } else { 0 }
}

/// Reads a whole table, its checksums included, and works out every value again.
///
/// Needs memory for all values. `advance` gets the number of places of the table's numbering
/// finished since the last call.
///
/// # Errors
/// When the table cannot be read or is damaged.
pub fn verify<G: Dense>(
    table: &TableValues<'_, G>,
    game: &G,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<VerifyResult, ValuesError> {
    let read = table.table().check()?;
    let values = table.load()?;
    let check = ValueChecker {
        game,
        values: &values,
        numbered: values.numbered(),
    };
    let tasks = check.numbered.places().div_ceil(TASK) as usize;
    let checked = fold_parts(
        tasks,
        || (StoredCheck::default(), Vec::new()),
        |(found, moves), task| {
            let first = task as u64 * TASK;
            let end = check.numbered.places().min(first + TASK);
            (first..end).for_each(|place| check.place(place, found, moves));
            advance(end - first);
        },
    );
    let found = checked.into_iter().map(|(found, _)| found);
    let mut found = found.reduce(StoredCheck::and).unwrap_or_default();
    if check.numbered.place_of(game.index(&game.start())).is_none() {
        found.wrong += 1;
        let problem = "the start of the game is not listed".to_string();
        found.first = found.first.or(Some((u64::MAX, problem)));
    }
    let repeats = game.rules().properties.advance == Advance::Repeats;
    if found.wrong == 0 && repeats && values.metric() != Metric::Distance {
        let without_end = without_end(game, &values)?;
        found.wrong = without_end.count;
        let first = without_end.first.and_then(|index| game.at(index));
        found.first = first.map(|position| {
            let text = game.position_text(&position);
            (0, format!("the value of position {text} is not forced"))
        });
    }
    let expected = ExpectedMeta {
        rules: game.rules(),
        summary: summarise(game, &values),
        scheme: check.numbered.scheme(game),
    };
    Ok(conclude(table.table(), read.frames, found, &expected))
}

/// Which stored values are worked out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many; the same one may come up more than once.
    pub count: u64,
    /// What the choice follows from.
    pub seed: u64,
}

// Positions of a sample that a task works on.
const SAMPLED: u64 = 1 << 6;

// Indices that are tried for one position of a sample.
const TRIES: u32 = 1 << 20;

/// Works out some stored values of a table of values by index or of families again, from those of their children in
/// the same table; `None` where positions are numbered in another way.
///
/// Reads the blocks of these positions and no others, and does not check the metadata. `advance`
/// gets the number of positions finished since the last call.
///
/// # Errors
/// When the table cannot be read, and when a block that is read is damaged.
pub fn verify_sample<G: Dense>(
    table: &TableValues<'_, G>,
    game: &G,
    sample: Sample,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<Option<VerifyResult>, ValuesError> {
    let families = table.as_families();
    if table.as_dense().is_none() && families.is_none() {
        return Ok(None);
    }
    // The frame that the value of an index is read from, if its value is stored.
    let frame_of = |index: u64| {
        let place = match families {
            Some(table) => table.families().least(Code(index)).key,
            None => index >> LEAF_BITS,
        };
        table.table().frame_of(place)
    };
    let metric = table.metric();
    let packing = game.packing(metric);
    let (indexable, packed) = (table.table().meta().indexable, table.table().meta().packed);
    let count = if packed == 0 { 0 } else { sample.count };
    let tasks = count.div_ceil(SAMPLED) as usize;
    let parts = try_map_parts(tasks, |task| {
        let first = task as u64 * SAMPLED;
        let mut dice = Dice::new(sample.seed, task as u64);
        let (mut found, mut moves, mut frames) =
            (StoredCheck::default(), Vec::new(), BTreeSet::new());
        let stored = |index: &u64| game.implied(packing, *index).is_none();
        for _ in first..count.min(first + SAMPLED) {
            let index = match families {
                Some(families) => families.index_at(dice.below(packed))?,
                None => (0..TRIES).map(|_| dice.below(indexable)).find(stored),
            };
            let Some(index) = index else {
                continue;
            };
            let Some(position) = game.at(index) else {
                continue;
            };
            found.positions += 1;
            frames.extend(frame_of(index));
            let mut children = Vec::new();
            game.moves(&position, &mut moves);
            for mv in &moves {
                let edge = game.play(&position, *mv);
                let index = Some(game.index(&edge.to)).filter(stored);
                frames.extend(index.and_then(frame_of));
                let child = table.figures(&edge.to)?;
                children.push(child.after_move(edge.gain, edge.keeps_turn));
            }
            let right = match game.ending(&position) {
                Some(ending) => codes::ended(metric, &ending),
                None => follows(metric, children.into_iter()),
            };
            if table.figures(&position)? != right {
                found.wrong += 1;
                let text = game.position_text(&position);
                let told = format!("position {text} has a wrong {metric}");
                found.first.get_or_insert((first, told));
            }
        }
        advance(found.positions);
        Ok::<_, ValuesError>((found, frames))
    })?;
    let mut frames = BTreeSet::new();
    let mut found = StoredCheck::default();
    for (part, read) in parts {
        found = found.and(part);
        frames.extend(read);
    }
    Ok(Some(VerifyResult {
        blocks: frames.len() as u64,
        positions: found.positions,
        mismatches: found.wrong,
        first: found.first.map(|(_, problem)| problem),
    }))
}

/// The correct metadata of a table, given its values.
pub(crate) struct ExpectedMeta<'a> {
    /// The rules.
    pub(crate) rules: &'a Rules,
    /// Counts, longest play, openings.
    pub(crate) summary: Summary,
    /// How positions are numbered.
    pub(crate) scheme: IndexScheme,
}

/// What the check of some stored values came to.
#[derive(Default)]
pub(crate) struct StoredCheck {
    /// Stored values.
    pub(crate) positions: u64,
    /// Those that are wrong.
    pub(crate) wrong: u64,
    /// The place of the first wrong one, and what is wrong with it.
    pub(crate) first: Option<(u64, String)>,
}

impl StoredCheck {
    pub(crate) fn and(self, other: StoredCheck) -> StoredCheck {
        let first = self.first.into_iter().chain(other.first);
        StoredCheck {
            positions: self.positions + other.positions,
            wrong: self.wrong + other.wrong,
            first: first.min_by_key(|(place, _)| *place),
        }
    }
}

struct ValueChecker<'a, G> {
    game: &'a G,
    values: &'a Values,
    numbered: &'a dyn NumberedValues<G>,
}

impl<G: Dense> ValueChecker<'_, G> {
    fn place(&self, place: u64, found: &mut StoredCheck, moves: &mut Vec<G::Move>) {
        let index = self.numbered.index_at(place);
        if !self.numbered.stores(self.game, index) {
            return;
        }
        found.positions += 1;
        if let Some(wrong) = self.wrong(index, moves) {
            found.wrong += 1;
            if found.first.as_ref().is_none_or(|(first, _)| place < *first) {
                found.first = Some((place, self.told(index, wrong)));
            }
        }
    }

    // What is wrong with a stored value.
    //
    // It is right if its index is that of a position, values of all children are held, and it follows
    // from theirs.
    fn wrong(&self, index: u64, moves: &mut Vec<G::Move>) -> Option<Wrong> {
        let Some(position) = self.game.at(index) else {
            return Some(Wrong::NoPosition);
        };
        let right = match self.game.ending(&position) {
            Some(ending) => codes::ended(self.values.metric(), &ending),
            None => {
                let right = settled(self.game, &position, self.values, moves);
                let held = |mv: &G::Move| {
                    let child = self.game.play(&position, *mv).to;
                    self.numbered.place_of(self.game.index(&child)).is_some()
                };
                if !moves.iter().all(held) {
                    return Some(Wrong::NoChild);
                }
                right
            }
        };
        (self.values.figures(index) != right).then_some(Wrong::Value)
    }

    fn told(&self, index: u64, wrong: Wrong) -> String {
        let position = self.game.at(index);
        let text = position.map(|position| self.game.position_text(&position));
        let text = text.unwrap_or_default();
        match wrong {
            Wrong::NoPosition => format!("index {index} is that of no position"),
            Wrong::NoChild => format!("a child of {text} is not listed"),
            Wrong::Value => format!("position {text} has a wrong {}", self.values.metric()),
        }
    }
}

enum Wrong {
    NoPosition,
    NoChild,
    Value,
}

/// The verdict on a table, given what was found of its values, and what these come to.
pub(crate) fn conclude(
    table: &Table,
    blocks: u64,
    found: StoredCheck,
    expected: &ExpectedMeta<'_>,
) -> VerifyResult {
    let mut mismatches = found.wrong;
    let mut first = found.first.map(|(_, problem)| problem);
    if let Some(what) = disagrees(table, expected) {
        mismatches += 1;
        first = first.or(Some(format!(
            "{what} in the metadata disagrees with the values of the table"
        )));
    }
    VerifyResult {
        blocks,
        positions: found.positions,
        mismatches,
        first,
    }
}

// The figures of an unfinished position from those of its children.
pub(crate) fn settled<G: Dense>(
    game: &G,
    position: &G::Position,
    values: &Values,
    moves: &mut Vec<G::Move>,
) -> Figures {
    game.moves(position, moves);
    let children = moves.iter().map(|mv| {
        let edge = game.play(position, *mv);
        values
            .figures_of(game, &edge.to)
            .after_move(edge.gain, edge.keeps_turn)
    });
    follows(values.metric(), children)
}

// The figures of an unfinished position, given those of its moves for the player who makes them.
fn follows(metric: Metric, children: impl Iterator<Item = Figures>) -> Figures {
    if metric == Metric::Nimber {
        let seen = children
            .filter_map(|child| child.nimber)
            .fold(0_u128, |seen, nimber| {
                seen | 1_u128.checked_shl(nimber).unwrap_or(0)
            });
        return Figures {
            nimber: Some(seen.trailing_ones()),
            ..Figures::default()
        };
    }
    children.min_by_key(rank).unwrap_or_default()
}

// What the metadata says that does not follow from the values and the rules. The version of the
// program that wrote the table is all that it says besides.
fn disagrees(table: &Table, expected: &ExpectedMeta<'_>) -> Option<&'static str> {
    let meta = table.meta();
    let (stored, summary) = (&meta.summary, &expected.summary);
    let unfinished = summary.histogram.iter().map(|entry| entry.count).sum();
    let name = &meta.variant;
    let named_right = match Variant::parse(name) {
        Ok(named) => named.rules().hash == expected.rules.hash && named.rules().name == *name,
        // A file that may not be here.
        Err(_) => RuleFile::stem(name).is_some() || *name == expected.rules.name,
    };
    let parts = [
        ("the name of the variant", named_right),
        ("the numbering", meta.index_scheme == expected.scheme),
        ("the value of the start", stored.start == summary.start),
        ("the number of positions", meta.nonterminal == unfinished),
        (
            "the number of wins, losses and draws",
            stored.by_value == summary.by_value,
        ),
        ("the histogram", stored.histogram == summary.histogram),
        ("the longest play", stored.longest == summary.longest),
        ("the list of openings", stored.openings == summary.openings),
    ];
    let wrong = parts.into_iter().find(|(_, right)| !right);
    wrong.map(|(what, _)| what)
}
