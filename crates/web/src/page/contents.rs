//! What the page of a position is made of, and the addresses of its links.

use greenwave_game::{Figures, Game, Outcome};
use greenwave_play::{Dice, HardestMoves, Hint, Level, choose};
use greenwave_tablebase::Answer;
use greenwave_values::since_1970;

use crate::ahead::PendingWork;
use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::page::told::{ChartPoint, JudgedPly, MoveReasons, PlyFault};
use crate::question::Question;
use crate::view::{Ply, View};

/// Everything that the parts of a page look at.
pub(crate) struct Page<'a> {
    pub(crate) explorer: &'a Explorer,
    pub(crate) reader: &'a Reader,
    pub(crate) question: &'a Question,
    pub(crate) view: &'a View,
    /// The values of the position shown, where they are to be shown.
    pub(crate) answer: Option<&'a Answer>,
    /// The marks of the plies of the game; `None` for draws, and where they are not known.
    pub(crate) marks: &'a [Option<JudgedPly>],
    /// The values of the positions of the game, where they are shown.
    pub(crate) points: &'a [Option<ChartPoint>],
    /// The values of the positions after each draw of chance, where they are shown.
    pub(crate) draws: &'a [Option<Figures>],
    /// A step of a hint that was requested.
    pub(crate) hint: Option<&'a Hint>,
    /// The key of the idea that its first step names.
    pub(crate) hint_idea: Option<&'static str>,
    /// Whether the last move misses what the puzzle is about.
    pub(crate) missed: bool,
    /// Whether the last move is one that the reader sought in the place of a mistake.
    pub(crate) found: bool,
    /// From the search for a better move, the ways back to the game.
    pub(crate) review: Option<&'a ReviewLinks>,
    /// Why that move misses it.
    pub(crate) refuted: Option<&'a MoveReasons>,
    /// Why the move of the last hint is the best; at the end of a puzzle, why its first move was right.
    pub(crate) key: Option<&'a MoveReasons>,
    /// The reasons of the requested move, or of the best one, where they are shown.
    pub(crate) why: Option<&'a MoveReasons>,
    /// Of a lost position, the moves that are hardest to refute.
    pub(crate) hardest: Option<&'a HardestMoves>,
    /// In a puzzle, the value of the last position shown in which the reader is to move.
    pub(crate) goal: Option<&'a Answer>,
    /// The square whose moves are to be chosen from, by its place among the marks.
    pub(crate) selected: Option<usize>,
    /// The light of the counter that stands on that square until another one is taken.
    pub(crate) put: Option<char>,
    /// Whether the program moves as soon as the position is settled.
    pub(crate) thinks: bool,
    /// Whether the game was solved before the page asked about it.
    pub(crate) is_settled: bool,
    /// The running solve, so that the page may show more soon.
    pub(crate) coming: Option<&'a PendingWork>,
    pub(super) path: String,
}

/// The ways from the search for a better move back to the game in which a mistake was made.
pub(crate) struct ReviewLinks {
    /// Before the mistake.
    pub(crate) back: String,
    /// The search for a better move than the next mistake.
    pub(crate) next: Option<String>,
}

impl<'a> Page<'a> {
    /// The same page for another reader.
    pub(super) fn read_by<'b>(&self, reader: &'b Reader) -> Page<'b>
    where
        'a: 'b,
    {
        Page {
            reader,
            path: self.path.clone(),
            ..*self
        }
    }

    /// The address of the game with these moves.
    pub(super) fn game(&self, start: Option<&str>, moves: &[&str], own: &[(&str, &str)]) -> String {
        let moves = moves.join(",");
        let mut all: Vec<(&str, &str)> = Vec::new();
        all.extend(start.map(|start| ("position", start)));
        if !moves.is_empty() {
            all.push(("moves", &moves));
        }
        all.extend_from_slice(own);
        self.reader.address(self.explorer, &self.path, &all)
    }

    pub(super) fn played(&self, plies: usize) -> Vec<&str> {
        let plies = self.view.plies.iter().take(plies);
        plies.map(|ply| ply.text.as_str()).collect()
    }

    /// The address of the position after one more move, and after the passes that it forces.
    pub(crate) fn after(&self, mv: &str) -> String {
        self.after_with(mv, &[])
    }

    fn after_with(&self, mv: &str, own: &[(&str, &str)]) -> String {
        let mut moves = self.played(self.view.at);
        moves.push(mv);
        // A puzzle judges the last ply, which is to be the reader's.
        if self.reader.puzzle.is_none() {
            let forced = self.view.forced_after(&self.question.variant, mv);
            moves.extend(forced.iter().map(String::as_str));
        }
        self.game(self.view.start.as_deref(), &moves, own)
    }

    /// The address after the move that the program makes at a level.
    pub(super) fn reply(&self, level: Level, seed: u64) -> Option<String> {
        let mut dice = Dice::new(seed, self.view.plies.len() as u64);
        let choice = choose(&self.question.variant, self.answer?, level, &mut dice)?;
        let mut choices = self.view.choices.iter();
        let found = choices.find(|known| known.text == choice.mv)?;
        let opinion = [("opinion", "1")];
        let own: &[(&str, &str)] = if choice.opinion { &opinion } else { &[] };
        Some(self.after_with(&found.text, own))
    }

    /// The address after a draw of chance.
    pub(super) fn drawn(&self, seed: u64) -> Option<String> {
        let mut dice = Dice::new(seed, self.view.plies.len() as u64);
        let weights = self.view.choices.iter().map(|choice| choice.weight);
        let place = dice.weighted(weights)?;
        Some(self.after(&self.view.choices.get(place)?.text))
    }

    /// The address of this position with a square chosen.
    pub(crate) fn choosing(&self, square: &str) -> String {
        let moves = self.played(self.view.at);
        self.game(self.view.start.as_deref(), &moves, &[("from", square)])
    }

    /// The address of the game shown after this many plies. A game that is over is looked back on with its values.
    pub(crate) fn at_ply(&self, ply: usize) -> String {
        match self.looking_back(ply) {
            Some(reader) => self.read_by(&reader).of_game(ply),
            None => self.of_game(ply),
        }
    }

    /// Who looks back on a finished game of their own; `None` where nothing changes.
    fn looking_back(&self, ply: usize) -> Option<Reader> {
        let (reader, view) = (self.reader, self.view);
        let plays = reader.play.is_some() || reader.watch;
        let is_open = reader.puzzle.is_some() || reader.held || reader.solution;
        if !plays || is_open {
            return None;
        }
        let all = view.plies.len();
        if reader.resigned && ply < all {
            return Some(self.plain());
        }
        let hints = ply < all;
        let changes = reader.hints != hints && (hints || view.at < all);
        (changes && self.has_ended()).then(|| Reader {
            hints,
            ..reader.clone()
        })
    }

    /// Whether the game has come to its end, whichever position of it is shown.
    pub(super) fn has_ended(&self) -> bool {
        let last = self.view.passed.last().and_then(|passed| passed.at);
        last.is_some_and(|at| self.question.variant.ending(&at).is_some())
    }

    fn of_game(&self, ply: usize) -> String {
        let all = self.view.plies.len();
        let moves = self.played(all);
        let ply = ply.to_string();
        let own = [("ply", ply.as_str()), ("solution", "1")];
        let own: &[(&str, &str)] = if self.reader.solution {
            &own
        } else if ply == all.to_string() {
            &[]
        } else {
            &own[..1]
        };
        self.game(self.view.start.as_deref(), &moves, own)
    }

    /// The address of a position without a game before it.
    pub(crate) fn at_position(&self, position: &str) -> String {
        self.game(Some(position), &[], &[])
    }

    /// The address of a part of a page.
    pub(super) fn at_part(&self, page: String, id: &str) -> String {
        self.explorer.at_part(page, id)
    }

    /// The address of what is shown here, for another reader.
    pub(super) fn here(&self, reader: &Reader) -> String {
        self.read_by(reader).at_ply(self.view.at)
    }

    /// How a ply of the game is judged, where that is known.
    pub(super) fn mark_of(&self, ply: usize) -> Option<&'a JudgedPly> {
        self.marks.get(ply)?.as_ref()
    }

    /// Whether the ply before a position was a mistake.
    pub(super) fn is_mistake(&self, ply: usize) -> bool {
        self.fault_of(ply) == Some(PlyFault::Mistake)
    }

    /// What was wrong with the ply before a position.
    pub(super) fn fault_of(&self, ply: usize) -> Option<PlyFault> {
        self.mark_of(ply).and_then(JudgedPly::fault)
    }

    /// Where a fault was made in the position shown of a game under review: the best move, the one made, and what was
    /// wrong with that.
    pub(super) fn better_here(&self) -> Option<(&'a str, &'a str, PlyFault)> {
        let is_shown = self.is_review() && self.asked_why().is_none();
        let judged = self.mark_of(self.view.at).filter(|_| is_shown)?;
        let made = &self.view.plies[self.view.at].text;
        Some((judged.best.as_deref()?, made, judged.fault()?))
    }

    /// The plies to which a review leads, first to last: the mistakes, or where there are none, the slips.
    pub(super) fn faults(&self) -> impl DoubleEndedIterator<Item = usize> + Clone {
        let all = 0..self.view.plies.len();
        let fault = if all.clone().any(|ply| self.is_mistake(ply)) {
            PlyFault::Mistake
        } else {
            PlyFault::Slip
        };
        all.filter(move |ply| self.fault_of(*ply) == Some(fault))
    }

    /// The number of a ply of the game, as text; none has a draw.
    pub(super) fn number_of(&self, ply: usize) -> String {
        let number = self.view.plies[ply].number;
        number.map_or_else(String::new, |number| number.to_string())
    }

    /// Whether nobody chose a ply: a draw, or a pass that the reader had to make.
    pub(super) fn is_quiet(&self, ply: &Ply) -> bool {
        ply.is_draw || (ply.is_forced && self.reader.play == Some(ply.by_first))
    }

    /// The program's last move in a game that goes on, with no more than a draw or a forced pass after it.
    pub(super) fn last_reply(&self) -> Option<&'a str> {
        let view = self.view;
        let first = self.reader.play?;
        let reply = view.plies.iter().rfind(|ply| !self.is_quiet(ply))?;
        let is_shown = view.ending.is_none() && view.at == view.plies.len();
        (is_shown && reply.by_first != first).then_some(&reply.text)
    }

    /// The first of these faults that the reader who plays made, or else either player.
    pub(super) fn first_fault(&self) -> Option<usize> {
        let of_reader = |ply: &usize| self.reader.play == Some(self.view.plies[*ply].by_first);
        self.faults()
            .find(of_reader)
            .or_else(|| self.faults().next())
    }

    /// Whether the players are called as the address calls them, since a game is played, and not as the lights
    /// of a position show them.
    fn is_played(&self) -> bool {
        let plays = self.reader.play.is_some() || self.reader.watch;
        // On a triangle each player has discs, which say who is the first.
        plays && !self.is_triangle()
    }

    /// Whether the first player is to move; `None` where nobody can tell.
    pub(super) fn first_moves(&self) -> Option<bool> {
        if self.is_played() {
            Some(self.view.passed[self.view.at].first_to_move)
        } else {
            self.view.first_moves()
        }
    }

    /// Whether the player who began the game shown, or the other one, is called the first.
    pub(super) fn is_first(&self, began: bool) -> bool {
        let by_first = self.is_played() || self.view.begun_by_first.unwrap_or(true);
        by_first == began
    }

    /// The requested reasons, which the board shows, too.
    pub(super) fn asked_why(&self) -> Option<&'a MoveReasons> {
        self.why.filter(|_| self.reader.why.is_some())
    }

    /// How the game shown came out for the reader who plays it.
    pub(super) fn result(&self) -> Option<Outcome> {
        let mover = self.view.passed[self.view.at].first_to_move == self.reader.play?;
        let outcome = self.view.ending.as_ref()?.outcome;
        Some(match (outcome, mover) {
            (Outcome::Draw, _) => Outcome::Draw,
            (Outcome::Win, true) | (Outcome::Loss, false) => Outcome::Win,
            (Outcome::Win, false) | (Outcome::Loss, true) => Outcome::Loss,
        })
    }

    /// Whether nothing can be played here: until the program has replied, after a miss or a better move, in a
    /// solution, and as long as the position is edited.
    pub(super) fn is_closed(&self) -> bool {
        self.awaits_reply() || self.missed || self.found || self.reader.solution || self.reader.edit
    }

    /// Whether the program's reply is to come.
    pub(super) fn awaits_reply(&self) -> bool {
        self.reader.held || self.thinks
    }

    /// Whether the reader has found every move of the puzzle.
    pub(super) fn is_solved(&self) -> bool {
        let mut plies = self.view.plies.iter().enumerate();
        self.reader.puzzle.is_some()
            && !self.missed
            && self.result().is_some_and(|result| result != Outcome::Loss)
            && !plies.any(|(number, ply)| {
                self.reader.play == Some(ply.by_first) && self.is_mistake(number)
            })
    }

    /// Whether the reader plays against the program and is to move.
    pub(super) fn readers_turn(&self) -> bool {
        let view = self.view;
        view.at == view.plies.len()
            && view.ending.is_none()
            && !view.chance
            && !self.missed
            && !self.found
            && !self.reader.resigned
            && !self.reader.solution
            && self.reader.play == Some(view.passed[view.at].first_to_move)
    }
}

/// A seed that is another one each time.
pub(super) fn now() -> u64 {
    since_1970().as_nanos() as u64 % 1_000_000
}
