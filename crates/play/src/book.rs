//! The opening tree of a game, and repertoires for one of the players.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use greenwave_game::{AnyMove, AnyPosition, Figures, Game, Luck, Plies, Variant};
use greenwave_tablebase::{
    Answer, Budget, Course, Error, MoveFigures, Queries, QueryOptions, Reservation, SCHEMA,
    Tablebase, Value,
};
use greenwave_values::{Instant, room};
use serde::Serialize;

use crate::shared_time::SharedTime;
use crate::symmetries::PositionSymmetries;
use crate::{Dice, Record, Seat, keeps, messages};

/// Nodes of a book at most.
const MOST: usize = 100_000;
/// Positions that one sweep settles for a book, at most.
const TOGETHER: usize = 1 << 12;
/// Bytes of one of them with the positions after it, roughly.
const AHEAD: usize = 2 << 10;

/// What a book holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct BookOptions {
    /// Plies at most.
    pub depth: u32,
    /// Of which player one move is kept in each position: a repertoire. All moves if not given.
    pub side: Option<Seat>,
    /// The limits for each position. Those that have to be settled one by one share a minute, or the budget if that
    /// is longer: the others stay unknown.
    pub query: QueryOptions,
    /// The limit of what settles all positions together: a solve of the game, else sweeps of what they can become.
    pub together: Option<Budget>,
    /// When a book that is not done is given up.
    pub deadline: Option<Instant>,
}

/// One position of a book, and how it is reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BookNode {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of the lights in which positions and moves are written; none in games without them.
    pub lights: Option<&'static str>,
    /// Moves made since the root, which is 0.
    pub ply: u32,
    /// The position.
    pub position: String,
    /// The moves from the root.
    pub moves: Vec<String>,
    /// Win, loss or draw for the player to move.
    pub value: Value,
    /// Plies to the end.
    pub distance: Option<u32>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// The moves that tie for the best.
    pub best: Vec<String>,
    /// Whether one move alone, of several, keeps the value.
    pub only: bool,
    /// The number of positions that the symmetries of the root make of it.
    pub stands_for: u64,
    /// The same position, or an image of it, where the book goes on.
    pub same_as: Option<String>,
    /// The position itself.
    #[serde(skip)]
    pub at: AnyPosition,
    /// The number of the first node with the same position up to symmetry; its own where it is that.
    #[serde(skip)]
    pub met: usize,
    /// Whether the game is over.
    #[serde(skip)]
    pub over: bool,
    /// Whether the last move is that of the player for whom the repertoire is.
    #[serde(skip)]
    pub own: bool,
    /// Whether whoever made the last move moves again.
    #[serde(skip)]
    pub keeps_turn: bool,
}

impl BookNode {
    /// What the position is worth, for the player to move.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures::of(self.value.outcome(), self.distance.map(Plies), self.points)
    }

    /// What the last move is worth for the player who made it: the distance counts that move, too. At the root, for
    /// the player to move.
    #[must_use]
    pub fn for_mover(&self) -> Figures {
        let figures = self.figures();
        if self.ply == 0 {
            return figures;
        }
        figures.after_move(0, self.keeps_turn)
    }
}

/// An opening tree, depth first.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// Every node, the root first, each before the nodes below it.
    pub nodes: Vec<BookNode>,
}

/// The last line of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BookEnd {
    /// Version of the document.
    pub schema: u32,
    /// Number of nodes.
    pub nodes: usize,
}

impl Book {
    /// The last line of its document.
    #[must_use]
    pub fn end(&self) -> BookEnd {
        BookEnd {
            schema: SCHEMA,
            nodes: self.nodes.len(),
        }
    }

    /// Bytes that it takes, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let texts = |texts: &[String]| texts.len() * (size_of::<String>() + 8);
        let of_node = |node: &BookNode| {
            let names = node.variant.len() + 2 * node.position.len();
            size_of::<BookNode>() + names + texts(&node.moves) + texts(&node.best)
        };
        self.nodes.iter().map(of_node).sum()
    }

    /// The tree of one ply that an answer tells: its position, and the moves up to the symmetries of that.
    #[must_use]
    pub fn of_answer(variant: &Variant, answer: &Answer) -> Book {
        let root = &answer.at;
        let symmetries = PositionSymmetries::of(variant, root);
        let mut moves = Vec::new();
        if !answer.terminal {
            variant.moves(root, &mut moves);
        }
        let blank = BookNode {
            schema: SCHEMA,
            variant: answer.variant.clone(),
            lights: answer.lights,
            ply: 0,
            position: answer.position.clone(),
            moves: Vec::new(),
            value: answer.value,
            distance: answer.distance,
            points: answer.points,
            best: answer.best.clone(),
            only: is_only(answer),
            stands_for: 1,
            same_as: None,
            at: *root,
            met: 0,
            over: answer.terminal,
            own: false,
            keeps_turn: false,
        };
        let mut nodes = vec![blank.clone()];
        let mut seen = Vec::new();
        for made in &answer.moves {
            let is_it = |mv: &&AnyMove| variant.move_text(root, **mv) == made.mv;
            let Some(edge) = moves.iter().find(is_it).map(|mv| variant.play(root, *mv)) else {
                continue;
            };
            let image = symmetries.canonical(variant, &edge.to);
            if seen.contains(&image) {
                continue;
            }
            seen.push(image);
            let before = made.figures();
            let value = match before.value {
                Some(value) if !edge.keeps_turn => Some(value.negated()),
                value => value,
            };
            nodes.push(BookNode {
                ply: 1,
                position: variant.position_text(&edge.to),
                moves: vec![made.mv.clone()],
                value: value.into(),
                distance: before.distance.map(|plies| plies.0.saturating_sub(1)),
                points: None,
                best: Vec::new(),
                only: false,
                stands_for: symmetries.images(variant, &edge.to),
                at: edge.to,
                met: nodes.len(),
                over: made.ends,
                keeps_turn: edge.keeps_turn,
                ..blank.clone()
            });
        }
        Book { nodes }
    }
}

/// The tree of positions from the last one of a course, up to the symmetries of that one.
///
/// # Errors
/// When a game has chance, the book is too large, a table is damaged or of
/// other rules, or the work is cancelled.
pub fn book(tablebase: &Tablebase, course: &Course, options: &BookOptions) -> Result<Book, Error> {
    let variant = &**course.variant();
    let rules = variant.rules();
    if rules.properties.luck == Luck::Draws {
        return Err(Error::Refused(messages::book_bag(rules.title())));
    }
    let record = Record::of(course, false, &mut Dice::new(0, 0));
    let root = *course.last().position();
    let symmetries = PositionSymmetries::of(variant, &root);
    let together = QueryOptions {
        budget: options.together,
        ..options.query
    };
    let together = tablebase.queries(variant, &together)?;
    // With what that may have solved.
    let queries = tablebase.queries(variant, &options.query)?;
    let writer = BookWriter {
        variant,
        tablebase,
        answers: SharedTime::of(&queries),
        options,
        symmetries,
        root,
        to_move: record.side(),
    };
    writer.settle(&together)?;
    let writer = BookWriter {
        answers: SharedTime::of(&queries),
        ..writer
    };
    let tree = writer.tree(options.depth)?;
    Ok(Book { nodes: tree.nodes })
}

struct BookWriter<'a> {
    variant: &'a Variant,
    tablebase: &'a Tablebase,
    answers: SharedTime<'a>,
    options: &'a BookOptions,
    symmetries: PositionSymmetries,
    root: AnyPosition,
    // At the root.
    to_move: Seat,
}

/// How a position is reached.
struct PositionPath {
    moves: Vec<String>,
    to_move: Seat,
    // Of the last move.
    own: bool,
    keeps_turn: bool,
}

#[derive(Default)]
struct BookTree {
    // Plies at most.
    depth: u32,
    nodes: Vec<BookNode>,
    // The text of the node where each position up to symmetry stands, and whether the book goes on there.
    known: HashMap<AnyPosition, (String, bool)>,
    // The number of the first node of each position up to symmetry.
    firsts: HashMap<AnyPosition, usize>,
    // Bytes of all that, and what is reserved for it.
    bytes: usize,
    reserved: Vec<Reservation>,
}

/// Bytes of a node in a tree, of its keys and of the answer that is kept, while the lists that hold them grow.
fn bytes_of(node: &BookNode) -> usize {
    /// What a text takes, its place in a list and what the allocator adds included.
    const TEXT: usize = 160;
    let keys = 2 * (size_of::<AnyPosition>() + TEXT);
    let texts = 3 + node.best.len() + node.moves.len();
    4 * (size_of::<BookNode>() + keys) + texts * TEXT
}

impl BookWriter<'_> {
    /// Reserves memory for what a tree grows by.
    fn reserve(&self, tree: &mut BookTree, bytes: usize) -> Result<(), Error> {
        /// Bytes that are reserved at once.
        const PIECE: usize = 1 << 18;
        tree.bytes += bytes;
        while tree.reserved.len() * PIECE < tree.bytes {
            let title = self.variant.rules().title();
            let what = format!("a book of {title} with {} positions", tree.nodes.len());
            let way_out = ", or a smaller --depth";
            let piece = self.tablebase.reserve(PIECE as u128, &what, way_out)?;
            tree.reserved.push(piece);
        }
        Ok(())
    }

    /// Adds a position and what is below it.
    fn add(
        &self,
        tree: &mut BookTree,
        position: &AnyPosition,
        reached: PositionPath,
    ) -> Result<(), Error> {
        let PositionPath {
            moves,
            to_move,
            own,
            keeps_turn,
        } = reached;
        let is_late = |deadline| Instant::now() >= deadline;
        if self.tablebase.progress().cancelled() || self.options.deadline.is_some_and(is_late) {
            return Err(Error::interrupted());
        }
        if tree.nodes.len() >= MOST {
            return Err(Error::refused(format!(
                "the book has more than {MOST} positions; give a smaller --depth, or --for first or second"
            )));
        }
        room::reserve_keys(&mut tree.known, 1)?;
        room::reserve_keys(&mut tree.firsts, 1)?;
        let ply = moves.len() as u32;
        let answer = self.answer(position)?;
        let canonical = self.symmetries.canonical(self.variant, position);
        let may_go_on = ply < tree.depth && !answer.terminal;
        let known = tree.known.get(&canonical);
        // A position at which the book ends may be reached sooner by other moves.
        let known = known.filter(|(_, goes_on)| *goes_on || !may_go_on);
        let same_as = known.map(|(text, _)| text.clone());
        let goes_on = may_go_on && same_as.is_none();
        if same_as.is_none() {
            let stands = (answer.position.clone(), goes_on);
            tree.known.insert(canonical, stands);
        }
        let number = tree.nodes.len();
        let met = *tree.firsts.entry(canonical).or_insert(number);
        let node = BookNode {
            schema: SCHEMA,
            variant: answer.variant.clone(),
            lights: self.variant.rules().lights_name(),
            ply,
            position: answer.position.clone(),
            value: answer.value,
            distance: answer.distance,
            points: answer.points,
            best: answer.best.clone(),
            only: is_only(&answer),
            stands_for: self.symmetries.images(self.variant, position),
            same_as,
            at: answer.at,
            met,
            over: answer.terminal,
            own,
            keeps_turn,
            moves: moves.clone(),
        };
        self.reserve(tree, bytes_of(&node))?;
        room::push(&mut tree.nodes, node)?;
        if !goes_on {
            return Ok(());
        }
        let own = self.options.side == Some(to_move);
        let mut seen = Vec::new();
        for (text, to, keeps_turn) in self.continuations(position, &answer, own)? {
            // Moves that are images of each other are one.
            let image = self.symmetries.canonical(self.variant, &to);
            if seen.contains(&image) {
                continue;
            }
            seen.push(image);
            let mut line = moves.clone();
            line.push(text);
            let reached = PositionPath {
                moves: line,
                to_move: if keeps_turn { to_move } else { to_move.other() },
                own,
                keeps_turn,
            };
            self.add(tree, &to, reached)?;
        }
        Ok(())
    }

    /// The moves that the book continues with, best first: all, or of one's `own` the one that leaves the
    /// opponent most ways to go wrong.
    fn continuations(
        &self,
        position: &AnyPosition,
        answer: &Answer,
        own: bool,
    ) -> Result<Vec<(String, AnyPosition, bool)>, Error> {
        let mut moves = Vec::new();
        self.variant.moves(position, &mut moves);
        let made = |figures: &MoveFigures| {
            let is_it = |mv: &&AnyMove| self.variant.move_text(position, **mv) == figures.mv;
            let mv = moves.iter().find(is_it)?;
            let edge = self.variant.play(position, *mv);
            Some((figures.mv.clone(), edge.to, edge.keeps_turn))
        };
        if !own || answer.best.is_empty() {
            return Ok(answer.moves.iter().filter_map(made).collect());
        }
        let mut chosen = None;
        let best = answer.best_moves().iter();
        let best = best.filter(|mv| answer.leads_on(mv));
        for found in best.filter_map(made) {
            let after = self.answer(&found.1)?;
            let losing = |mv: &&MoveFigures| mv.value == Some(Value::Loss);
            let wrong = after.moves.iter().filter(losing).count();
            // The first of equals.
            if chosen.as_ref().is_none_or(|(most, _)| wrong > *most) {
                chosen = Some((wrong, found));
            }
        }
        Ok(chosen.map(|(_, found)| found).into_iter().collect())
    }

    /// Settles positions of the book by one sweep for as many plies as they are few, then by another for those that
    /// follow: of a repertoire these are known only then. Whatever is left is asked about by itself.
    fn settle(&self, together: &Queries<'_>) -> Result<(), Error> {
        let title = self.variant.rules().title();
        let what = format!("settling the positions of a book of {title}");
        let bytes = (TOGETHER * AHEAD) as u128;
        let reserve = || self.tablebase.reserve(bytes, &what, "").ok();
        let Some(_reserved) = (!together.has_values()).then(reserve).flatten() else {
            return Ok(());
        };
        let (mut from, mut ply) = (vec![self.root], 0);
        loop {
            let (positions, last) = self.below(&from, ply);
            if positions.is_empty() || !together.settle_all(&positions)? || last == ply {
                return Ok(());
            }
            ply = last;
            if ply == self.options.depth {
                return Ok(());
            }
            let nodes = self.tree(ply)?.nodes.into_iter();
            let ends = nodes.filter(|node| node.ply == ply && node.same_as.is_none());
            from = ends.map(|node| node.at).collect();
        }
    }

    /// Unfinished positions and those below them, one of each orbit, and the last ply of these.
    fn below(&self, from: &[AnyPosition], ply: u32) -> (Vec<AnyPosition>, u32) {
        let mut met = HashSet::new();
        let mut is_new = |to: &AnyPosition| {
            self.variant.ending(to).is_none()
                && met.insert(self.symmetries.canonical(self.variant, to))
        };
        let mut next: Vec<AnyPosition> = from.iter().copied().filter(&mut is_new).collect();
        let (mut all, mut plies, mut moves) = (Vec::new(), ply, Vec::new());
        while !next.is_empty() && plies <= self.options.depth && all.len() + next.len() <= TOGETHER
        {
            let last = std::mem::take(&mut next);
            for from in &last {
                self.variant.moves(from, &mut moves);
                let made = moves.iter().map(|mv| self.variant.play(from, *mv).to);
                next.extend(made.filter(&mut is_new));
            }
            all.extend(last);
            plies += 1;
        }
        let last = if next.is_empty() {
            self.options.depth
        } else {
            plies.saturating_sub(1)
        };
        (all, last)
    }

    /// The tree of so many plies.
    fn tree(&self, depth: u32) -> Result<BookTree, Error> {
        let mut tree = BookTree {
            depth,
            ..BookTree::default()
        };
        let reached = PositionPath {
            moves: Vec::new(),
            to_move: self.to_move,
            own: false,
            keeps_turn: false,
        };
        self.add(&mut tree, &self.root, reached)?;
        Ok(tree)
    }

    fn answer(&self, position: &AnyPosition) -> Result<Arc<Answer>, Error> {
        self.answers.answer(position)
    }
}

/// Whether one move alone, of several, keeps the value.
fn is_only(answer: &Answer) -> bool {
    let keeping = |mv: &&MoveFigures| keeps(answer, mv) == Some(true);
    let open = answer.moves.iter().any(|mv| keeps(answer, mv).is_none());
    answer.moves.len() > 1 && !open && answer.moves.iter().filter(keeping).count() == 1
}
