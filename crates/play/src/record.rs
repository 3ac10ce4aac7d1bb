//! The record of a game: where it began, what was played and drawn, how it stands.

use std::fmt;
use std::sync::Arc;

use greenwave_game::{AnyMove, AnyPosition, At, Game, Lights, Outcome, Variant, VariantError};
use greenwave_tablebase::{
    Course, Error, HandedGame, Place, SCHEMA, handed_games, is_header_line, other_version,
    read_moves,
};
use greenwave_words::Language;

use crate::{Dice, messages};

/// A position that comes up so often is drawn by repetition.
const REPEATS: usize = 3;

/// Who makes a move: the player who was to move at the start of the record, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The player who was to move first.
    First,
    /// The opponent.
    Second,
}

impl Seat {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// `first` or `second`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }

    /// A figure of this player from the first player's view, and back.
    fn seen(self, figure: i32) -> i32 {
        match self {
            Seat::First => figure,
            Seat::Second => -figure,
        }
    }
}

/// One ply. Texts have the lights in the order of the variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordTurn {
    /// The player who made the move.
    pub by: Seat,
    /// What chance drew before it, in brackets: `[RG]`.
    pub drawn: Vec<String>,
    /// The move.
    pub mv: String,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The winner; `None` in a draw.
    pub winner: Option<Seat>,
    /// The first player's points less the second player's, where lines score.
    pub points: i32,
    /// Whether it is drawn because a position came up three times.
    pub repeated: bool,
}

/// How things stand after some plies, chance included.
#[derive(Clone, Debug)]
struct PlyStanding {
    position: AnyPosition,
    side: Seat,
    // Points that moves scored at once, the first player's less the second's.
    gained: i32,
    // What was drawn since the last ply.
    drawn: Vec<String>,
    ended: Option<End>,
}

/// A game that is being played, or has been.
#[derive(Clone, Debug)]
pub struct Record {
    variant: Arc<Variant>,
    // Where it began, if not at the start of the game.
    start: Option<AnyPosition>,
    turns: Vec<RecordTurn>,
    // One more than turns; the last is how things stand now.
    standings: Vec<PlyStanding>,
}

/// A place in a game while chance may still have to draw.
struct Moment {
    position: AnyPosition,
    side: Seat,
    gained: i32,
    drawn: Vec<String>,
}

impl Record {
    /// The record that begins at a place, with the moves played from there; the dice make the draws
    /// that are still due.
    ///
    /// # Errors
    /// When the position or a move cannot be read or played.
    pub fn begin(variant: Variant, place: &Place<'_>, dice: &mut Dice) -> Result<Record, Error> {
        let course = Course::read(&Arc::new(variant), place)?;
        Ok(Record::of(&course, place.position.is_some(), dice))
    }

    /// Another game from where this one began, with other dice.
    #[must_use]
    pub fn again(&self, dice: &mut Dice) -> Record {
        Record::of(&Course::from(self.start()), self.start.is_some(), dice)
    }

    /// Where it begins, before any draw.
    #[must_use]
    pub fn start(&self) -> At {
        match self.start {
            Some(start) => At::new(Arc::clone(&self.variant), start),
            None => At::start(Arc::clone(&self.variant)),
        }
    }

    /// The same of a game that has been read; whether it began from a position that was `given`.
    #[must_use]
    pub fn of(course: &Course, given: bool, dice: &mut Dice) -> Record {
        let variant = Arc::clone(course.variant());
        let played = course.played();
        let mut at = Moment {
            position: played.start,
            side: Seat::First,
            gained: 0,
            drawn: Vec::new(),
        };
        let (mut turns, mut standings) = (Vec::new(), Vec::new());
        for step in &played.steps {
            match step.mv {
                None => {
                    at.drawn.push(format!("[{}]", variant.draw_text(&step.to)));
                    at.position = step.to;
                }
                Some(mv) => {
                    standings.push(at.standing(&variant));
                    turns.push(at.make(&variant, mv));
                }
            }
        }
        at.settle(&variant, dice);
        standings.push(at.standing(&variant));
        Record {
            variant,
            start: given.then(|| *course.after(0).position()),
            turns,
            standings,
        }
    }

    /// Plays a move; what chance then draws, the dice do.
    ///
    /// # Errors
    /// When the game is over, and when the move is illegal.
    pub fn play(&mut self, mv: &str, dice: &mut Dice) -> Result<(), Error> {
        let now = self.now();
        if self.end().is_some() {
            return Err(Error::refused("the game is over; 'undo' takes a move back"));
        }
        let mut at = Moment {
            position: now.position,
            side: now.side,
            gained: now.gained,
            drawn: now.drawn.clone(),
        };
        let read = self.variant.parse_move(&at.position, mv.trim());
        let mv = read.map_err(|error| Error::refused(error.to_string()))?;
        let turn = at.make(&self.variant, mv);
        at.settle(&self.variant, dice);
        self.turns.push(turn);
        self.standings.push(at.standing(&self.variant));
        Ok(())
    }

    /// Takes the last ply back; `None` if there is none.
    pub fn undo(&mut self) -> Option<RecordTurn> {
        let turn = self.turns.pop()?;
        self.standings.pop();
        Some(turn)
    }

    fn now(&self) -> &PlyStanding {
        // There is always one more than turns.
        &self.standings[self.standings.len() - 1]
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The plies so far.
    #[must_use]
    pub fn turns(&self) -> &[RecordTurn] {
        &self.turns
    }

    /// The position now, as the variant writes it.
    #[must_use]
    pub fn position(&self) -> String {
        self.variant.position_text(&self.now().position)
    }

    /// The position now, to ask about.
    #[must_use]
    pub fn here(&self) -> At {
        At::new(Arc::clone(&self.variant), self.now().position)
    }

    /// The position after this many plies, at most all, without the type of its game.
    #[must_use]
    pub fn at(&self, plies: usize) -> AnyPosition {
        self.standings[plies.min(self.turns.len())].position
    }

    /// The player to move.
    #[must_use]
    pub fn side(&self) -> Seat {
        self.now().side
    }

    /// What was drawn since the last ply.
    #[must_use]
    pub fn drawn(&self) -> &[String] {
        &self.now().drawn
    }

    /// Points scored so far, the first player's less the second's.
    #[must_use]
    pub fn gained(&self) -> i32 {
        self.now().gained
    }

    /// How the game ended; `None` while it goes on. A position that comes up for the third time is a
    /// draw.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        if let Some(end) = self.now().ended {
            return Some(end);
        }
        let now = self.now().position;
        let standings = self.standings.iter();
        let times = standings.filter(|standing| standing.position == now);
        (times.count() >= REPEATS).then_some(End {
            winner: None,
            points: 0,
            repeated: true,
        })
    }

    /// The legal moves.
    #[must_use]
    pub fn legal(&self) -> Vec<String> {
        self.variant.move_texts(&self.now().position)
    }
}

/// The text that `review` and `play` read: comments with variant and start, then one move a line,
/// draws in brackets.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.variant.rules();
        writeln!(f, "# variant {}", rules.title())?;
        // Rule files of one name may say different things.
        if Variant::parse(&rules.name).is_err() {
            writeln!(f, "# rules {}", rules.hash)?;
        }
        if let Some(lights) = rules.lights {
            writeln!(f, "# lights {lights}")?;
        }
        writeln!(f, "# start {}", self.start().text())?;
        for turn in &self.turns {
            for drawn in &turn.drawn {
                writeln!(f, "{drawn}")?;
            }
            writeln!(f, "{}", turn.mv)?;
        }
        for drawn in self.drawn() {
            writeln!(f, "{drawn}")?;
        }
        Ok(())
    }
}

/// What the text of a record says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordText {
    /// The variant that it names.
    pub variant: Option<String>,
    /// The order of the lights that it names.
    pub lights: Option<String>,
    /// The hash of its rules, where they are those of a rule file.
    pub rules: Option<String>,
    /// The position that it begins from.
    pub start: Option<String>,
    /// The name of the player who moves first.
    pub first: Option<String>,
    /// The name of the other.
    pub second: Option<String>,
    /// Moves and draws with blanks between them.
    pub moves: String,
    /// The version of its documents, where it is not the present one; then nothing else is read.
    pub version: Option<u32>,
}

/// How lines of a record begin that say something of the game.
const HEADERS: [&str; 6] = [
    "variant ", "lights ", "rules ", "start ", "first ", "second ",
];

impl RecordText {
    /// Reads the text of a record, a plain list of moves, or what `line` and `review` print, `play` too
    /// with `--json`.
    #[must_use]
    pub fn read(text: &str) -> RecordText {
        let text = text.trim_start_matches('\u{feff}');
        if let Some(printed) = printed(text) {
            return printed;
        }
        let version = other_version(text);
        if version.is_some() {
            return RecordText {
                version,
                ..RecordText::default()
            };
        }
        if let Some(games) = handed_games(text) {
            // Two games in one are refused where the first is over.
            let mut games = games.into_iter().map(RecordText::of_documents);
            let first = games.next().unwrap_or_default();
            return games.fold(first, |mut first, game| {
                first.moves.push_str(&game.moves);
                first
            });
        }
        let mut saved = RecordText::default();
        for line in text.lines() {
            let line = line.trim();
            match line.strip_prefix('#').map(str::trim) {
                Some(comment) => {
                    if let Some(name) = comment.strip_prefix("variant ") {
                        saved.variant = Some(name.trim().into());
                    } else if let Some(lights) = comment.strip_prefix("lights ") {
                        saved.lights = Some(lights.trim().into());
                    } else if let Some(hash) = comment.strip_prefix("rules ") {
                        saved.rules = Some(hash.trim().into());
                    } else if let Some(start) = comment.strip_prefix("start ") {
                        saved.start = Some(start.trim().into());
                    } else if let Some(name) = comment.strip_prefix("first ") {
                        saved.first = Some(name.trim().into());
                    } else if let Some(name) = comment.strip_prefix("second ") {
                        saved.second = Some(name.trim().into());
                    }
                }
                None => {
                    saved.moves.push_str(line);
                    // A remark may end with its line.
                    saved.moves.push('\n');
                }
            }
        }
        saved
    }

    /// Reads a text with the records of several games: another one begins with a line such as `# variant`
    /// after moves.
    #[must_use]
    pub fn read_all(text: &str) -> Vec<RecordText> {
        let text = text.trim_start_matches('\u{feff}');
        if let Some(games) = handed_games(text).filter(|games| !games.is_empty()) {
            return games.into_iter().map(RecordText::of_documents).collect();
        }
        let mut games = vec![String::new()];
        let mut has_moves = false;
        for line in text.lines() {
            let header = line.trim().strip_prefix('#').map(str::trim_start);
            let begins = |text: &str| HEADERS.iter().any(|header| text.starts_with(header));
            let is_of_chess = is_header_line(line);
            if has_moves && (is_of_chess || header.is_some_and(begins)) {
                games.push(String::new());
                has_moves = false;
            }
            has_moves |= header.is_none() && !is_of_chess && !line.trim().is_empty();
            if let Some(game) = games.last_mut() {
                game.push_str(line);
                game.push('\n');
            }
        }
        games.iter().map(|game| RecordText::read(game)).collect()
    }

    fn of_documents(game: HandedGame) -> RecordText {
        RecordText {
            variant: game.variant,
            lights: game.lights,
            rules: None,
            start: game.start,
            first: game.first,
            second: game.second,
            moves: game.moves,
            version: None,
        }
    }

    /// Whether there is no move in it, and none that another version wrote.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.version.is_none() && read_moves(&self.moves).is_empty()
    }

    /// Refuses documents of another version.
    ///
    /// # Errors
    /// When these are such.
    pub fn expect_present_version(&self) -> Result<(), Error> {
        self.version.map_or(Ok(()), |version| {
            Err(Error::Refused(messages::record_version(version, SCHEMA)))
        })
    }

    /// The variant of the question, in the order of the lights of this record. The record's own
    /// order comes first, then that of the variant it names, then the one in `asked`. `chosen` is
    /// an order that the user requested besides the variant.
    ///
    /// # Errors
    /// When this is the record of another game or documents of another version, names an order that there is
    /// not, and when it names another order than was chosen.
    pub fn variant(&self, asked: &Variant, chosen: Option<Lights>) -> Result<Variant, Error> {
        self.expect_present_version()?;
        let rules = asked.rules();
        let named = self
            .variant
            .as_ref()
            .map(|name| (name, Variant::parse(name)));
        // A rule file may have been named by another path, and is known by the hash of its rules.
        let is_same = |name: &str, named: &Result<Variant, VariantError>| {
            let base = name.rsplit(['/', '\\']).next();
            base == Some(&*rules.name)
                || self.rules.as_deref() == Some(&*rules.hash.to_string())
                || named.as_ref().map(|named| named.rules().hash) == Ok(rules.hash)
        };
        if let Some((name, named)) = &named
            && !is_same(name, named)
        {
            return Err(Error::Refused(messages::record_of(*name, rules.title())));
        }
        let lights = match (&self.lights, named) {
            (Some(name), _) => {
                let lights = Lights::named(name);
                Some(lights.ok_or_else(|| Error::Refused(messages::record_lights(name)))?)
            }
            (None, Some((_, Ok(named)))) => named.rules().lights,
            (None, _) => None,
        };
        match (lights, chosen) {
            (Some(lights), Some(chosen)) if lights != chosen => Err(Error::refused(format!(
                "the record has its lights in the order {lights}, but you ask for {chosen}; leave \
                 the order out: a record is read in its own"
            ))),
            (Some(lights), _) if rules.lights != Some(lights) => {
                let variant = asked.clone().with_lights(lights);
                variant.map_err(Error::from)
            }
            _ => Ok(asked.clone()),
        }
    }
}

/// Reads what `line` prints for people, and `review` in any language: a heading with the variant, then a
/// line for each ply, `  1.  first   b2R  win in 17 plies`.
fn printed(text: &str) -> Option<RecordText> {
    let mut languages = Language::ALL.into_iter();
    languages.find_map(|language| printed_in(language, text))
}

fn printed_in(language: Language, text: &str) -> Option<RecordText> {
    // What stands before the place of a text.
    let before = |key: &'static str, place: &str| {
        let text = language.text(key);
        text.split_once(place).map_or(text, |(before, _)| before)
    };
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    let (name, about) = lines.next()?.trim().rsplit_once(": ")?;
    let start = about.strip_prefix("best play from ");
    let heading = before("review-title", "{length}");
    let is_game = about.starts_with(heading.trim_start_matches("{name}: "));
    if start.is_none() && !is_game {
        return None;
    }
    // A report of many games, `FILE 1: first – second; semaforo: …`, does not repeat their moves.
    if name.contains("; ") {
        return Some(RecordText::default());
    }
    let mut saved = RecordText {
        variant: Some(name.into()),
        start: start.map(|start| start.trim().into()),
        ..RecordText::default()
    };
    for line in lines {
        if let Some(start) = line.trim().strip_prefix(before("review-start", "{}")) {
            saved.start = Some(start.trim().into());
        }
        if let Some(order) = line.trim().strip_prefix(before("legend-lights", "{}")) {
            let lights = Lights::ALL
                .into_iter()
                .find(|lights| order.starts_with(lights.letter(1)));
            saved.lights = lights.map(|lights| lights.to_string());
        }
        let mut words = line.split_whitespace().peekable();
        let is_number = |word: &&str| {
            let number = word.strip_suffix('.');
            number.is_some_and(|number| {
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        // A draw after the last move has a line of its own.
        let is_drawn = |line: &str| line.starts_with('[') && line.ends_with(']');
        if words.next_if(is_number).is_none() && !is_drawn(line.trim()) {
            continue;
        }
        let players = ["by-first", "by-second"].map(|key| language.text(key));
        words.next_if(|word| is_game && players.contains(word));
        // Draws stand before the move that follows them, `[RG]+R`.
        for word in words {
            saved.moves.push_str(word);
            saved.moves.push(' ');
            if !word.ends_with(']') {
                break;
            }
        }
    }
    Some(saved)
}

impl Moment {
    /// Makes a move.
    fn make(&mut self, variant: &Variant, mv: AnyMove) -> RecordTurn {
        let turn = RecordTurn {
            by: self.side,
            drawn: std::mem::take(&mut self.drawn),
            mv: variant.move_text(&self.position, mv),
        };
        let edge = variant.play(&self.position, mv);
        self.gained += self.side.seen(edge.gain);
        if !edge.keeps_turn {
            self.side = self.side.other();
        }
        self.position = edge.to;
        turn
    }

    /// Lets the dice draw what chance has to.
    fn settle(&mut self, variant: &Variant, dice: &mut Dice) {
        let mut draws = Vec::new();
        loop {
            variant.draws(&self.position, &mut draws);
            let weights = draws.iter().map(|(_, weight)| *weight);
            let drawn = dice.weighted(weights).and_then(|place| draws.get(place));
            let Some((to, _)) = drawn else { return };
            self.drawn.push(format!("[{}]", variant.draw_text(to)));
            self.position = *to;
        }
    }

    fn standing(&self, variant: &Variant) -> PlyStanding {
        let ended = variant.ending(&self.position).map(|ending| {
            let points = self.gained + self.side.seen(ending.points);
            let winner = match (points.signum(), ending.outcome) {
                (1, _) => Some(Seat::First),
                (-1, _) => Some(Seat::Second),
                (_, Outcome::Win) => Some(self.side),
                (_, Outcome::Loss) => Some(self.side.other()),
                (_, Outcome::Draw) => None,
            };
            End {
                winner,
                points,
                repeated: false,
            }
        });
        PlyStanding {
            position: self.position,
            side: self.side,
            gained: self.gained,
            drawn: self.drawn.clone(),
            ended,
        }
    }
}
