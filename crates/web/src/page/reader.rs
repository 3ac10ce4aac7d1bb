//! Who reads a page, and the choices that its links and forms carry on.

use std::borrow::Cow;
use std::time::Duration;

use greenwave_game::{Lights, Message};
use greenwave_play::{HINTS, Level, Theme};
use greenwave_words::Language;

use crate::api;
use crate::explorer::Explorer;
use crate::page::address::game_of;
use crate::page::unplayed::UnplayedMove;
use crate::params::{Params, encoded};
use crate::problem::Problem;

/// Lengths of the searches before each page of an undecided position, each better than the one
/// before; the next page after the last has all the time.
pub(super) const STAGES: [Duration; 2] = [Duration::from_millis(60), Duration::from_millis(500)];

/// Most times that a puzzle is tried again and the tries are counted.
const MOST_RETRIES: u64 = 99;

/// What can be put on a square as a board is edited: nothing, a light or disc, a disc under its owner's cylinder, a
/// sign.
const BRUSHES: [&str; 8] = [
    "empty",
    "red",
    "yellow",
    "green",
    "red-cylinder",
    "green-cylinder",
    "x",
    "o",
];

/// The reader and the choices that every link of a page repeats.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    pub(crate) language: Language,
    /// Whether the language was requested in the address.
    pub(super) language_asked: bool,
    pub(crate) hints: bool,
    /// Whether values are signs alone, without figures.
    pub(crate) signs: bool,
    /// Whether squares are shaded by what their moves are worth.
    pub(crate) heat: bool,
    pub(crate) edit: bool,
    /// What is put on squares as the board is edited; what comes next on each where nothing is chosen.
    pub(super) brush: Option<&'static str>,
    pub(crate) embed: bool,
    pub(crate) lights: Option<Lights>,
    /// Whether the board alone is shown, large, for a room.
    pub(crate) projector: bool,
    /// Where the solver plays for the other side: whether the reader is the player who begins.
    pub(crate) play: Option<bool>,
    /// Whether two people play and the judge watches.
    pub(crate) watch: bool,
    /// How well the program plays.
    pub(crate) level: Level,
    /// What the program's choices and the draws follow from.
    pub(crate) seed: Option<u64>,
    /// Where a puzzle is played: how hard it is, 0 for any.
    pub(crate) puzzle: Option<u8>,
    /// The level of puzzles that was asked for and not found; links do not carry it on.
    pub(super) wanted: Option<u8>,
    /// The theme of a puzzle, found or requested.
    pub(crate) theme: Option<Theme>,
    /// Whether it was requested: then the next puzzle has it, too, and it is no secret.
    pub(crate) themed: bool,
    /// How often the reader tried the puzzle again.
    pub(crate) retries: u8,
    /// The date of a puzzle of the day.
    pub(crate) day: Option<String>,
    /// Whether the solution of the puzzle is shown; steps through it alone carry it on.
    pub(super) solution: bool,
    /// Whether the reader has given the game up; links do not carry it on.
    pub(crate) resigned: bool,
    /// Whether the program's reply is held back; links do not carry it on.
    pub(crate) held: bool,
    /// Whether the game is to be shown before its first mistake; links do not carry it on.
    pub(crate) at_mistake: bool,
    /// Whether a ply of the game is requested, to look back on it; links do not carry it on.
    pub(crate) looks_back: bool,
    /// How many searches, each longer, have been made for this page; links do not carry it on.
    pub(crate) stage: usize,
    /// The address at which the page shows more, where it is another than its own.
    pub(crate) further: Option<String>,
    /// The step of a hint that is requested; links do not carry it on.
    pub(crate) hint: usize,
    /// Whether nothing was proven about the program's last move; links do not carry it on.
    pub(crate) opinion: bool,
    /// The square whose moves are to be chosen from.
    pub(crate) from: Option<String>,
    /// The move whose reasons the page shows; links do not repeat it.
    pub(crate) why: Option<String>,
    /// The mistake for which the reader seeks a better move.
    pub(crate) instead: Option<String>,
    /// Whether the first player made it.
    pub(crate) instead_by: Option<bool>,
    /// The moves of the game in which it was made, and the position in which that game began.
    pub(crate) reviewed: Option<String>,
    pub(crate) begun: Option<String>,
    /// Scheme and host of addresses that are given away.
    pub(crate) origin: String,
    /// Whether the reader sits at the computer on which the server runs.
    pub(crate) at_server: bool,
    /// What the page says, for programs that show its address; else its first sentence.
    pub(crate) summary: Option<String>,
    /// Why the page shows less than it was requested.
    pub(crate) notice: Option<Message>,
    /// The move at which the game that was given stops; links do not carry it on.
    pub(crate) unplayed: Option<UnplayedMove>,
    /// Seconds after which the page may show more.
    pub(crate) again: Option<u32>,
}

/// Who plays.
#[derive(Clone, Copy)]
enum PlayMode {
    /// The reader, who begins or does not, against the program.
    Reader(bool),
    Both,
}

impl Reader {
    /// Reads who asks for a page. Pages of puzzles have a level and a seed of another kind.
    pub(crate) fn read(
        path: &str,
        params: &Params,
        accepted: Option<&str>,
    ) -> Result<Reader, Problem> {
        if let Some(lang) = params.get("lang").filter(|lang| !lang.is_empty()) {
            Language::named(lang)?;
        }
        let players = [
            ("first", PlayMode::Reader(true)),
            ("second", PlayMode::Reader(false)),
            ("both", PlayMode::Both),
        ];
        let playing = params.one_of("play", &players)?;
        let of_puzzles = path.ends_with("/puzzle") || path.ends_with("/sheet");
        let level = params.get("level").filter(|level| !level.is_empty());
        let projector = params.one_of("view", &[("board", true)])?.unwrap_or(false);
        let mut reader = Reader {
            // A room sees the values when it asks for them.
            hints: params.switch("hints", !projector)?,
            signs: params
                .one_of("values", &[("signs", true), ("figures", false)])?
                .unwrap_or(false),
            heat: params.switch("heat", false)?,
            day: params.date("day")?,
            theme: api::theme(params)?,
            themed: params.switch("themed", false)?,
            retries: params.number("retries", MOST_RETRIES)?.unwrap_or(0) as u8,
            solution: params.switch("solution", false)?,
            resigned: params.switch("resign", false)?,
            held: params.switch("hold", false)?,
            stage: params.number("stage", STAGES.len() as u64)?.unwrap_or(0) as usize,
            edit: params.switch("edit", false)?,
            brush: params.one_of("put", &BRUSHES.map(|brush| (brush, brush)))?,
            embed: params.switch("embed", false)?,
            lights: params.lights()?,
            projector,
            play: match playing {
                Some(PlayMode::Reader(first)) => Some(first),
                Some(PlayMode::Both) | None => None,
            },
            watch: matches!(playing, Some(PlayMode::Both)),
            puzzle: params.number("puzzle", 5)?.map(|level| level as u8),
            wanted: params
                .number("wanted", 5)?
                .filter(|level| *level > 0)
                .map(|level| level as u8),
            hint: params.number("hint", HINTS as u64)?.unwrap_or(0) as usize,
            opinion: params.switch("opinion", false)?,
            from: params.text("from"),
            why: params.text("why"),
            instead: params.text("instead"),
            instead_by: params.one_of("side", &[("first", true), ("second", false)])?,
            reviewed: params.text("reviewed"),
            begun: params.text("begun"),
            ..Reader::who_reads(params, accepted)
        };
        reader.solution &= reader.puzzle.is_some() && reader.play.is_some();
        if !of_puzzles {
            reader.level = match level.map(str::parse).transpose() {
                Ok(level) => level.unwrap_or_default(),
                Err(problem) => return Err(Problem::wrong("level", problem)),
            };
            reader.seed = params.number("seed", u64::MAX)?;
        }
        Ok(reader)
    }

    /// The same for a reader of whom only the language is known, as well as the request shows it.
    pub(crate) fn who_reads(params: &Params, accepted: Option<&str>) -> Reader {
        let asked = params.get("lang");
        Reader {
            language: Language::chosen(asked, accepted),
            language_asked: asked.is_some_and(|asked| Language::named(asked).is_ok()),
            hints: true,
            ..Reader::default()
        }
    }

    /// The same reader outside of any game.
    pub(crate) fn plain(&self) -> Reader {
        Reader {
            hints: true,
            edit: false,
            brush: None,
            play: None,
            watch: false,
            level: Level::Perfect,
            seed: None,
            puzzle: None,
            retries: 0,
            solution: false,
            theme: None,
            themed: false,
            day: None,
            instead: None,
            instead_by: None,
            reviewed: None,
            begun: None,
            ..self.clone()
        }
    }

    /// The same reader after one more miss.
    pub(super) fn trying_again(&self) -> Reader {
        Reader {
            retries: (self.retries + 1).min(MOST_RETRIES as u8),
            ..self.clone()
        }
    }

    /// The same reader before a game as far as it can be played.
    pub(super) fn looking_back(&self, unplayed: UnplayedMove) -> Reader {
        Reader {
            looks_back: true,
            hint: 0,
            held: false,
            resigned: false,
            unplayed: Some(unplayed),
            ..self.plain()
        }
    }

    /// The parameters that links of pages carry on, in this order of the lights; those without a
    /// value are left out.
    fn carried(&self, lights: Option<Lights>) -> [(&'static str, Option<Cow<'_, str>>); 21] {
        let play = match self.play {
            Some(true) => Some("first"),
            Some(false) => Some("second"),
            None => self.watch.then_some("both"),
        };
        let level = (self.level != Level::Perfect).then(|| self.level.name());
        let text = |text: &'static str| Cow::Borrowed(text);
        let side = |by_first: bool| text(if by_first { "first" } else { "second" });
        let hints = if self.hints { "1" } else { "0" };
        [
            ("lights", lights.map(Lights::name).map(text)),
            (
                "lang",
                self.language_asked.then(|| text(self.language.code())),
            ),
            (
                "hints",
                (self.hints == self.projector).then_some(text(hints)),
            ),
            ("values", self.signs.then_some(text("signs"))),
            ("heat", self.heat.then_some(text("1"))),
            ("edit", self.edit.then_some(text("1"))),
            ("put", self.brush.map(text)),
            ("embed", self.embed.then_some(text("1"))),
            ("view", self.projector.then_some(text("board"))),
            ("play", play.map(text)),
            ("level", level.map(text)),
            ("seed", self.seed.map(|seed| seed.to_string().into())),
            ("puzzle", self.puzzle.map(|level| level.to_string().into())),
            (
                "retries",
                (self.retries > 0).then(|| self.retries.to_string().into()),
            ),
            ("theme", self.theme.map(Theme::name).map(text)),
            ("themed", self.themed.then_some(text("1"))),
            ("day", self.day.as_deref().map(Cow::Borrowed)),
            ("instead", self.instead.as_deref().map(Cow::Borrowed)),
            ("side", self.instead_by.map(side)),
            ("reviewed", self.reviewed.as_deref().map(Cow::Borrowed)),
            ("begun", self.begun.as_deref().map(Cow::Borrowed)),
        ]
    }

    /// Who is sent the address of this page: with the values in sight, or before the same puzzle.
    pub(crate) fn sent(&self) -> Reader {
        let is_puzzle = self.puzzle.is_some();
        Reader {
            lights: self.lights,
            hints: !is_puzzle,
            play: self.play.filter(|_| is_puzzle),
            puzzle: self.puzzle,
            theme: self.theme,
            themed: self.themed,
            day: self.day.clone(),
            instead: self.instead.clone(),
            instead_by: self.instead_by,
            reviewed: self.reviewed.clone(),
            begun: self.begun.clone(),
            ..Reader::default()
        }
    }

    /// Refuses parameters of a page that are neither its own nor carried on by links.
    pub(crate) fn only(params: &Params, own: &[&str]) -> Result<(), Problem> {
        let carried = Reader::default().carried(None).map(|(name, _)| name);
        params.only_on_page(&[own, &carried].concat())
    }

    /// The address of a page of this reader: a path, and parameters by name.
    pub(crate) fn address(&self, explorer: &Explorer, path: &str, own: &[(&str, &str)]) -> String {
        // Games without these lights would refuse an order of them.
        let lights = self.lights.filter(|_| {
            let named = game_of(path).and_then(|name| explorer.variant(name).ok());
            named.is_none_or(|variant| variant.rules().lights.is_some())
        });
        let kept = self.carried(lights);
        let kept = kept
            .iter()
            .filter_map(|(name, value)| Some((*name, value.as_deref()?)));
        let mut address = format!("{}{}", explorer.base, encoded(path));
        let mut mark = '?';
        for (name, value) in own.iter().copied().chain(kept) {
            address.push(mark);
            address.push_str(name);
            address.push('=');
            address.push_str(&encoded(value));
            mark = '&';
        }
        address
    }

    /// The hidden fields of a form that carry this reader on.
    pub(super) fn hidden_fields(&self) -> String {
        let mut fields = String::new();
        let mut field = |name: &str, value: &str| {
            fields.push_str(&format!(
                "<input type=\"hidden\" name=\"{name}\" value=\"{value}\">"
            ));
        };
        if self.language_asked {
            field("lang", self.language.code());
        }
        if !self.hints {
            field("hints", "0");
        }
        if let Some(lights) = self.lights {
            field("lights", lights.name());
        }
        fields
    }
}
