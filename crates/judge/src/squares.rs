//! What expressions can ask of a position beside its value: squares, lights and discs, moves of the
//! strip, hands of counters.

use greenwave_game::{
    AmpelGame, AmpelMove, AmpelPosition, BagBase, BagGame, BagMove, BagPosition, BagSupply,
    BoardGame, Cell, Code, Colours, Dense, Disc, Game, Metric, Outcome, Outcomes, Packing, Phase,
    Player, Point, Raise, Side, StripGame, StripMove, StripPosition, file_name,
};

/// What positions of a game show beside lights or discs on squares. Fields and calls that ask for
/// something else are refused.
#[derive(Clone, Debug, Default)]
pub struct Traits {
    /// Levels that add up to a sum, and lines of them.
    pub lines: bool,
    /// That sum counts the plies played so far.
    pub counts_plies: bool,
    /// A strip.
    pub strip: bool,
    /// Turns in steps, discs in hand, captures and cylinders.
    pub discs: bool,
    /// Hands, a market and a bag of counters.
    pub piles: bool,
}

/// Counters that lie together beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pile {
    /// The hand of the player to move.
    Hand,
    /// The hand of the other player.
    OtherHand,
    /// The market.
    Market,
    /// The bag.
    Bag,
}

/// The state of a turn, and what the players have beside the board; by player, Red first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discs {
    /// The step to be made, 0 in the set-up; `None` when the game is over.
    pub step: Option<u8>,
    /// Whether Red is to move, or has won.
    pub red_moves: bool,
    /// Yellows captured.
    pub captured: [u8; 2],
    /// Discs in hand.
    pub in_hand: [u32; 2],
}

/// A square that a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Its number in listing order.
    pub square: usize,
    /// The side that the strip has to lie at, for the coordinates of a square of the strip.
    pub side: Option<Side>,
}

impl From<usize> for Spot {
    fn from(square: usize) -> Spot {
        Spot { square, side: None }
    }
}

/// A game whose positions show lights or discs on named squares.
///
/// Squares are counted in listing order: a1, b1, … by rank, then the strip; points of a triangle row
/// by row from the apex. A disc counts as a light: red is level 1, yellow 2, green 3.
pub trait Squares: Dense {
    /// Whether values list their positions, those that play reaches.
    fn lists(&self) -> bool {
        self.packing(self.rules().default_metric) == Packing::Listed
    }

    /// What positions show besides.
    fn traits(&self) -> Traits;

    /// How letters and names of colours are read, when the user has chosen an order of the lights.
    fn colours(&self, chosen: Colours) -> Colours {
        chosen
    }

    /// The names of the squares.
    fn square_names(&self) -> Vec<String>;

    /// Further names of squares, which hold while the strip lies at a side.
    fn coordinates(&self) -> Vec<(String, Spot)> {
        Vec::new()
    }

    /// Whether a square is there under the name that it was called by.
    fn is_there(&self, position: &Self::Position, spot: Spot) -> bool {
        let _ = position;
        spot.side.is_none()
    }

    /// The level of a square, counted in listing order.
    fn level(&self, position: &Self::Position, square: usize) -> u8;

    /// How many squares stand at a level, 1 to 3.
    fn count(&self, position: &Self::Position, level: u8) -> u32;

    /// The sum of all levels; `None` where levels are discs.
    fn level_sum(&self, position: &Self::Position) -> Option<u32>;

    /// The square that a move raises or puts a disc on, and the level that it raises it to.
    fn raise(&self, position: &Self::Position, mv: Self::Move) -> Option<(usize, u8)>;

    /// Whether a completed line stands on the board.
    fn has_line(&self, position: &Self::Position) -> bool;

    /// Whether a move is one of the strip.
    fn is_strip_move(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether strip moves are barred; `None` in games without a strip.
    fn barred(&self, position: &Self::Position) -> Option<bool> {
        let _ = position;
        None
    }

    /// Step, captures and hands; `None` in games without discs.
    fn discs(&self, position: &Self::Position) -> Option<Discs> {
        let _ = position;
        None
    }

    /// Whether a cylinder stands on a square.
    fn covered(&self, position: &Self::Position, square: usize) -> bool {
        let _ = (position, square);
        false
    }

    /// How many counters of a level, 1 to 3, lie in a pile; `None` where nobody counts them.
    fn pile(&self, position: &Self::Position, pile: Pile, level: u8) -> Option<u32> {
        let _ = (position, pile, level);
        None
    }

    /// The squares of a picture, rows from the top with `/` between, in listing order; `None` for
    /// any light, which is written `?`.
    ///
    /// # Errors
    /// What does not fit, in words.
    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String>;

    /// A move that is more than a square and its light, as it is written in `RYG`; `None` if no move
    /// is called so.
    fn other_move(&self, text: &str, colours: Colours) -> Option<String> {
        let _ = (text, colours);
        None
    }

    /// What to say, after squares with or without their new light, of moves that are written
    /// otherwise.
    fn other_moves(&self) -> &'static str {
        ""
    }

    /// Whether two positions are the same wherever the strip lies.
    fn is_same(&self, a: &Self::Position, b: &Self::Position) -> bool {
        self.index(a) == self.index(b)
    }

    /// A number that no move lowers, and that every move raises which does not stay in its tier.
    fn stage(&self, position: &Self::Position) -> u32 {
        let tier = self.tier(position).0;
        2 * tier + u32::from(self.barred(position).unwrap_or(false))
    }
}

/// The rows of a picture, from the top.
fn rows(text: &str) -> Vec<Vec<char>> {
    text.split('/').map(|row| row.chars().collect()).collect()
}

/// Squares of a picture with `None` for any light.
fn shown(lights: impl Iterator<Item = char>) -> Vec<Option<char>> {
    lights
        .map(|light| Some(light).filter(|light| *light != '?'))
        .collect()
}

impl Squares for BoardGame {
    fn traits(&self) -> Traits {
        Traits {
            lines: true,
            counts_plies: true,
            ..Traits::default()
        }
    }

    fn square_names(&self) -> Vec<String> {
        let shape = &self.board().shape;
        (0..shape.cells() as u8)
            .map(|cell| shape.cell_name(Cell(cell)))
            .collect()
    }

    fn level(&self, position: &Code, square: usize) -> u8 {
        position.level(Cell(square as u8))
    }

    fn count(&self, position: &Code, level: u8) -> u32 {
        position.count(level)
    }

    fn level_sum(&self, position: &Code) -> Option<u32> {
        Some(position.level_sum())
    }

    fn is_same(&self, a: &Code, b: &Code) -> bool {
        a == b
    }

    fn raise(&self, position: &Code, Raise(cell): Raise) -> Option<(usize, u8)> {
        Some((cell.index(), position.level(cell) + 1))
    }

    fn has_line(&self, position: &Code) -> bool {
        BoardGame::has_line(self, *position)
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let shape = &self.board().shape;
        let rows = rows(text);
        let (ranks, files) = (usize::from(shape.ranks()), usize::from(shape.files()));
        if rows.len() != ranks || rows.iter().any(|row| row.len() != files) {
            return Err(format!(
                "expected {ranks} rows of {files} squares with / between"
            ));
        }
        let light = |file: u8, rank: u8| rows[ranks - 1 - usize::from(rank)][usize::from(file)];
        for (rank, file) in
            (0..shape.ranks()).flat_map(|rank| (0..shape.files()).map(move |file| (rank, file)))
        {
            let (found, name) = (
                light(file, rank),
                format!("{}{}", file_name(file), rank + 1),
            );
            match shape.at(file, rank) {
                None if !"-?".contains(found) => {
                    return Err(format!(
                        "found '{found}' at {name}, where the board has a gap; write - or ? there"
                    ));
                }
                Some(_) if found == '-' => {
                    return Err(format!(
                        "found '-' at {name}, which is a square and no gap; write ? for any light"
                    ));
                }
                _ => {}
            }
        }
        let lights = (0..shape.cells() as u8).map(|cell| {
            let (file, rank) = shape.place(Cell(cell));
            light(file, rank)
        });
        Ok(shown(lights))
    }
}

impl Squares for StripGame {
    fn traits(&self) -> Traits {
        Traits {
            lines: true,
            strip: true,
            ..Traits::default()
        }
    }

    fn square_names(&self) -> Vec<String> {
        let main = &self.strip().main.shape;
        let board = (0..main.cells() as u8).map(|cell| main.cell_name(Cell(cell)));
        let strip = (1..=main.ranks()).map(|number| format!("s{number}"));
        board.chain(strip).collect()
    }

    fn coordinates(&self) -> Vec<(String, Spot)> {
        let first = self.strip().main.shape.cells();
        let at_side = |side| {
            let names = self.frame().strip_coordinates(side).into_iter();
            names.enumerate().map(move |(number, name)| {
                let (square, side) = (first + number, Some(side));
                (name, Spot { square, side })
            })
        };
        Side::CLOCKWISE.into_iter().flat_map(at_side).collect()
    }

    fn is_there(&self, position: &StripPosition, spot: Spot) -> bool {
        spot.side.is_none_or(|side| side == position.side)
    }

    fn level(&self, position: &StripPosition, square: usize) -> u8 {
        let squares = self.frame().squares(position.side);
        position.code.level(squares[square])
    }

    fn count(&self, position: &StripPosition, level: u8) -> u32 {
        position.code.count(level)
    }

    fn level_sum(&self, position: &StripPosition) -> Option<u32> {
        Some(position.code.level_sum())
    }

    fn is_strip_move(&self, mv: StripMove) -> bool {
        !matches!(mv, StripMove::Raise(_))
    }

    fn raise(&self, position: &StripPosition, mv: StripMove) -> Option<(usize, u8)> {
        let StripMove::Raise(listed) = mv else {
            return None;
        };
        let square = self.frame().squares(position.side)[listed.index()];
        Some((listed.index(), position.code.level(square) + 1))
    }

    fn has_line(&self, position: &StripPosition) -> bool {
        self.board().has_line(position.code)
    }

    fn other_move(&self, text: &str, _: Colours) -> Option<String> {
        let known = ["turn", "slide-n", "slide-e", "slide-s", "slide-w"];
        let lower = text.to_ascii_lowercase();
        let turned = |slide: &str| known[1..].contains(&slide);
        let is_known =
            known.contains(&lower.as_str()) || lower.strip_suffix('t').is_some_and(turned);
        is_known.then_some(lower)
    }

    fn other_moves(&self) -> &'static str {
        ", or a strip move such as slide-N"
    }

    fn barred(&self, position: &StripPosition) -> Option<bool> {
        Some(position.barred)
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let ranks = usize::from(self.strip().main.shape.ranks());
        let expected = || {
            format!(
                "expected {ranks} rows of {ranks} squares with / between, + and {ranks} squares of the strip"
            )
        };
        let (main, strip) = text.split_once('+').ok_or_else(expected)?;
        let rows = rows(main);
        let strip: Vec<char> = strip.chars().collect();
        if rows.len() != ranks || rows.iter().chain([&strip]).any(|row| row.len() != ranks) {
            return Err(expected());
        }
        Ok(shown(rows.into_iter().rev().chain([strip]).flatten()))
    }
}

impl Squares for AmpelGame {
    fn traits(&self) -> Traits {
        Traits {
            discs: true,
            ..Traits::default()
        }
    }

    // Discs are red, yellow and green whatever the order of the lights.
    fn colours(&self, _: Colours) -> Colours {
        Colours::Ryg
    }

    fn square_names(&self) -> Vec<String> {
        (0..self.rules().cells as usize)
            .map(|number| Point::of_number(number).name())
            .collect()
    }

    fn level(&self, position: &AmpelPosition, square: usize) -> u8 {
        match position.disc(Point::of_number(square)) {
            None => 0,
            Some(Disc::Red) => 1,
            Some(Disc::Yellow) => 2,
            Some(Disc::Green) => 3,
        }
    }

    fn count(&self, position: &AmpelPosition, level: u8) -> u32 {
        let disc = match level {
            1 => Disc::Red,
            2 => Disc::Yellow,
            _ => Disc::Green,
        };
        self.standing(position, disc)
    }

    fn level_sum(&self, _: &AmpelPosition) -> Option<u32> {
        None
    }

    fn raise(&self, position: &AmpelPosition, mv: AmpelMove) -> Option<(usize, u8)> {
        let AmpelMove::Add(point) = mv else {
            return None;
        };
        let level = match (position.phase(), position.player()) {
            (Phase::SetUp, _) => 2,
            (_, Player::Red) => 1,
            (_, Player::Green) => 3,
        };
        Some((point.number(), level))
    }

    fn has_line(&self, _: &AmpelPosition) -> bool {
        false
    }

    fn discs(&self, position: &AmpelPosition) -> Option<Discs> {
        let step = match position.phase() {
            Phase::SetUp => Some(0),
            Phase::MoveOwn => Some(1),
            Phase::MoveOther => Some(2),
            Phase::Add => Some(3),
            Phase::Over => None,
        };
        Some(Discs {
            step,
            red_moves: position.player() == Player::Red,
            captured: Player::BOTH.map(|player| position.captured(player)),
            in_hand: Player::BOTH.map(|player| self.in_hand(position, player)),
        })
    }

    fn covered(&self, position: &AmpelPosition, square: usize) -> bool {
        let point = Some(Point::of_number(square));
        Player::BOTH
            .into_iter()
            .any(|player| position.cylinder(player) == point)
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let rows = rows(text);
        let side = usize::from(self.ampel().side);
        let fits = rows.iter().map(Vec::len).eq(1..=side);
        if !fits {
            return Err(format!(
                "expected {side} rows of 1 to {side} points from the apex with / between"
            ));
        }
        Ok(shown(rows.into_iter().flatten()))
    }

    fn other_move(&self, text: &str, _: Colours) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        let squares = self.square_names();
        let is_point = |name: &str| squares.iter().any(|square| square == name);
        let is_known = match (lower.strip_prefix('+'), lower.split_once('-')) {
            (Some(point), _) => is_point(point),
            (_, Some((from, to))) => is_point(from) && is_point(to),
            _ => lower == "off" || lower == "pass",
        };
        is_known.then_some(lower)
    }

    fn other_moves(&self) -> &'static str {
        ", or a move such as +c2, d2-b1, off or pass"
    }

    fn is_same(&self, a: &AmpelPosition, b: &AmpelPosition) -> bool {
        a == b
    }
}

impl<B: BagBase + Squares> Squares for BagGame<B> {
    fn traits(&self) -> Traits {
        Traits {
            counts_plies: false,
            piles: true,
            ..self.base().traits()
        }
    }

    fn square_names(&self) -> Vec<String> {
        self.base().square_names()
    }

    fn coordinates(&self) -> Vec<(String, Spot)> {
        self.base().coordinates()
    }

    fn is_there(&self, position: &BagPosition<B::Position>, spot: Spot) -> bool {
        self.base().is_there(&position.base, spot)
    }

    fn level(&self, position: &BagPosition<B::Position>, square: usize) -> u8 {
        self.base().level(&position.base, square)
    }

    fn count(&self, position: &BagPosition<B::Position>, level: u8) -> u32 {
        self.base().count(&position.base, level)
    }

    fn level_sum(&self, position: &BagPosition<B::Position>) -> Option<u32> {
        self.base().level_sum(&position.base)
    }

    fn raise(
        &self,
        position: &BagPosition<B::Position>,
        mv: BagMove<B::Move>,
    ) -> Option<(usize, u8)> {
        match mv {
            BagMove::Play { mv, .. } => self.base().raise(&position.base, mv),
            BagMove::Pick(_) | BagMove::Miss => None,
        }
    }

    fn has_line(&self, position: &BagPosition<B::Position>) -> bool {
        self.base().has_line(&position.base)
    }

    fn is_strip_move(&self, mv: BagMove<B::Move>) -> bool {
        matches!(mv, BagMove::Play { mv, .. } if self.base().is_strip_move(mv))
    }

    // Inside a turn there is no index.
    fn is_same(&self, a: &BagPosition<B::Position>, b: &BagPosition<B::Position>) -> bool {
        let around = |position: &BagPosition<B::Position>| {
            (
                position.own,
                position.other,
                position.market,
                position.stage,
            )
        };
        self.base().is_same(&a.base, &b.base) && around(a) == around(b)
    }

    fn barred(&self, position: &BagPosition<B::Position>) -> Option<bool> {
        self.base().barred(&position.base)
    }

    fn pile(&self, position: &BagPosition<B::Position>, pile: Pile, level: u8) -> Option<u32> {
        match (pile, self.bag().counters) {
            (Pile::Hand, _) => Some(position.own.count(level)),
            (Pile::OtherHand, _) => Some(position.other.count(level)),
            (Pile::Market, _) => Some(position.market.count(level)),
            (Pile::Bag, BagSupply::Each(_)) => self.left(position, level),
            (Pile::Bag, BagSupply::Infinite) => None,
        }
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        self.base().picture(text)
    }

    fn other_move(&self, text: &str, colours: Colours) -> Option<String> {
        if text.eq_ignore_ascii_case("miss") {
            return Some(text.into());
        }
        let Some((played, taken)) = text.split_once('+') else {
            return self.base().other_move(text, colours);
        };
        let in_ryg = |letter: char| {
            let level = colours.level(letter).filter(|level| *level > 0);
            level.map(|level| Colours::Ryg.letter(level))
        };
        let mut letters = taken.chars();
        let (Some(taken), None) = (letters.next().and_then(in_ryg), letters.next()) else {
            return None;
        };
        if played.is_empty() {
            return Some(format!("+{taken}"));
        }
        let (split, letter) = played.char_indices().next_back()?;
        let (square, light) = (&played[..split], in_ryg(letter)?);
        let coordinates = self.coordinates().into_iter().map(|(name, _)| name);
        let mut names = self.square_names().into_iter().chain(coordinates);
        let is_square = names.any(|name| name.eq_ignore_ascii_case(square));
        is_square.then(|| format!("{square}{light}+{taken}"))
    }

    fn other_moves(&self) -> &'static str {
        match self.base().traits().strip {
            true => ", or a move such as b2Y+G, +G, slide-N or miss",
            false => ", or a move such as b2Y+G, +G or miss",
        }
    }
}

/// The moves of a position that a text such as `b2`, `b2Y` or `slide-N` means: squares with or
/// without the letter of the light, other moves as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// A square is raised, to a level if one is given.
    Raise(Spot, Option<u8>),
    /// A move that is more than that, as it is written in `RYG`.
    Other(String),
    /// The same with the coordinates of a square of the strip, which have to be read where the strip
    /// lies.
    Placed(String),
}

impl MoveText {
    /// Finds the first move that is meant.
    pub fn find<G: Squares>(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Option<G::Move> {
        if let MoveText::Placed(text) = self {
            return game.parse_move(position, text, Colours::Ryg).ok();
        }
        moves.iter().copied().find(|mv| match self {
            MoveText::Placed(_) => false,
            MoveText::Raise(spot, level) => {
                game.raise(position, *mv).is_some_and(|(raised, to)| {
                    raised == spot.square && level.is_none_or(|level| level == to)
                }) && game.is_there(position, *spot)
            }
            MoveText::Other(text) => game
                .move_text(position, *mv, Colours::Ryg)
                .eq_ignore_ascii_case(text),
        })
    }
}

/// Whether a move that leads to an ended game wins it for the player who makes it.
pub(crate) fn wins<G: Game>(game: &G, edge: &greenwave_game::Edge<G::Position>) -> bool {
    game.ending(&edge.to).is_some_and(|ending| {
        let outcome = if edge.keeps_turn {
            ending.outcome
        } else {
            ending.outcome.negated()
        };
        outcome == greenwave_game::Outcome::Win
    })
}

/// Whether a move loses at once: it ends the game with a loss, or the opponent then has a move that
/// ends it with a win. `replies` is scratch space.
pub(crate) fn loses_at_once<G: Dense>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    replies: &mut Vec<G::Move>,
) -> bool {
    let to = game.play(position, mv).to;
    if let Some(ending) = game.ending(&to) {
        return ending.outcome == Outcome::Win;
    }
    if game.packing(Metric::Value) == Packing::Undecided {
        // This tells of completed lines; where games can end without one, a move that leaves none
        // can win, too.
        let by_line = game.wins_at_once(&to);
        if by_line || game.rules().properties.outcomes == Outcomes::WinLoss {
            return by_line;
        }
    }
    game.moves(&to, replies);
    replies
        .iter()
        .any(|reply| wins(game, &game.play(&to, *reply)))
}
