//! Pages for people: complete without a script, every move a link.

mod about;
mod address;
mod board;
mod chart;
mod claims;
mod compare;
mod design;
mod figures;
mod frame;
mod game;
mod home;
mod mini;
mod more;
mod moves;
mod options;
mod position;
mod puzzles;
mod stats;
#[cfg(not(target_family = "wasm"))]
mod summary;
mod sums;
mod tables;
mod told;
mod tools;
mod tree;
mod verdict;
mod ways;
mod why;
mod written;

#[cfg(not(target_family = "wasm"))]
pub(crate) use summary::said_of;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{Filling, Lights, Message};
use greenwave_picture::escaped;
use greenwave_play::{HINTS, Level, Theme};
use greenwave_words::Language;

use crate::api;
use crate::explorer::{Client, Demand, Explorer};
use crate::messages;
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;
use address::{GamePage, GeneralPage, PageAddress};

/// The reader and the choices that every link of a page repeats.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    pub(crate) language: Language,
    /// Whether the language was requested in the address.
    language_asked: bool,
    pub(crate) hints: bool,
    /// Whether values are signs alone, without figures.
    pub(crate) signs: bool,
    /// Whether squares are shaded by what their moves are worth.
    pub(crate) heat: bool,
    pub(crate) edit: bool,
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
    /// The theme of a puzzle, found or requested.
    pub(crate) theme: Option<Theme>,
    /// The date of a puzzle of the day.
    pub(crate) day: Option<String>,
    /// Whether the reader has given the game up; links do not carry it on.
    pub(crate) resigned: bool,
    /// Whether the program's reply is held back; links do not carry it on.
    pub(crate) held: bool,
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
    /// The mistake for which the reader seeks a better move; links do not carry it on.
    pub(crate) instead: Option<String>,
    /// Whether the first player made it.
    pub(crate) instead_by: Option<bool>,
    /// Scheme and host of addresses that are given away.
    pub(crate) origin: String,
    /// Why the page shows less than it was requested.
    pub(crate) notice: Option<Message>,
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
        let mut reader = Reader {
            hints: params.switch("hints", true)?,
            signs: params
                .one_of("values", &[("signs", true), ("figures", false)])?
                .unwrap_or(false),
            heat: params.switch("heat", false)?,
            day: params.date("day")?,
            theme: api::theme(params)?,
            resigned: params.switch("resign", false)?,
            held: params.switch("hold", false)?,
            stage: params.number("stage", STAGES.len() as u64)?.unwrap_or(0) as usize,
            edit: params.switch("edit", false)?,
            embed: params.switch("embed", false)?,
            lights: params.lights()?,
            projector: params.one_of("view", &[("board", true)])?.unwrap_or(false),
            play: match playing {
                Some(PlayMode::Reader(first)) => Some(first),
                Some(PlayMode::Both) | None => None,
            },
            watch: matches!(playing, Some(PlayMode::Both)),
            puzzle: params.number("puzzle", 5)?.map(|level| level as u8),
            hint: params.number("hint", HINTS as u64)?.unwrap_or(0) as usize,
            opinion: params.switch("opinion", false)?,
            from: params.text("from"),
            why: params.text("why"),
            instead: params.text("instead"),
            instead_by: params.one_of("side", &[("first", true), ("second", false)])?,
            ..Reader::who_reads(params, accepted)
        };
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
            play: None,
            watch: false,
            level: Level::Perfect,
            seed: None,
            puzzle: None,
            theme: None,
            day: None,
            ..self.clone()
        }
    }

    /// The parameters that links of pages carry on, in this order of the lights; those without a
    /// value are left out.
    fn carried(&self, lights: Option<Lights>) -> [(&'static str, Option<Cow<'_, str>>); 14] {
        let play = match self.play {
            Some(true) => Some("first"),
            Some(false) => Some("second"),
            None => self.watch.then_some("both"),
        };
        let level = (self.level != Level::Perfect).then(|| self.level.name());
        let text = |text: &'static str| Cow::Borrowed(text);
        [
            ("lights", lights.map(Lights::name).map(text)),
            (
                "lang",
                self.language_asked.then(|| text(self.language.code())),
            ),
            ("hints", (!self.hints).then_some(text("0"))),
            ("values", self.signs.then_some(text("signs"))),
            ("heat", self.heat.then_some(text("1"))),
            ("edit", self.edit.then_some(text("1"))),
            ("embed", self.embed.then_some(text("1"))),
            ("view", self.projector.then_some(text("board"))),
            ("play", play.map(text)),
            ("level", level.map(text)),
            ("seed", self.seed.map(|seed| seed.to_string().into())),
            ("puzzle", self.puzzle.map(|level| level.to_string().into())),
            ("theme", self.theme.map(Theme::name).map(text)),
            ("day", self.day.as_deref().map(Cow::Borrowed)),
        ]
    }

    /// Refuses parameters of a page that are neither its own nor carried on by links.
    fn only(params: &Params, own: &[&str]) -> Result<(), Problem> {
        let carried = Reader::default().carried(None).map(|(name, _)| name);
        params.only_on_page(&[own, &carried].concat())
    }

    /// The address of a page of this reader: a path, and parameters by name.
    pub(crate) fn address(&self, explorer: &Explorer, path: &str, own: &[(&str, &str)]) -> String {
        // Games without these lights would refuse an order of them.
        let lights = self.lights.filter(|_| {
            let named = frame::game_of(path).and_then(|name| explorer.variant(name).ok());
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
}

/// The page of a path.
pub(crate) async fn answer(
    explorer: &Arc<Explorer>,
    path: &str,
    params: &Params,
    origin: &str,
    mut reader: Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    reader.origin = origin.to_string();
    let name = path.trim_start_matches('/');
    // A rule file may stand in a folder of any name.
    let file = name.find(".toml").map(|end| &name[..end + ".toml".len()]);
    let is_of_file = file.is_some_and(|file| explorer.file(file).is_some());
    let page = PageAddress::of(name, is_of_file);
    if let Some(own) = page.parameters() {
        Reader::only(params, own)?;
    }
    let read = |name: &str| {
        if name.contains('/') && !is_of_file {
            let problem = messages::nothing_there(path, "/classic-3x3");
            return Err(Problem::not_found(problem));
        }
        Question::read(explorer, name, params)
    };
    match page {
        PageAddress::General(page) => general(explorer, page, params, &reader, client).await,
        PageAddress::Claim(id) => claims::one(explorer, &reader, id, params, client).await,
        PageAddress::Game(name, page) => {
            of_game(explorer, page, read(name)?, params, &reader, client).await
        }
        PageAddress::Position(name) => {
            of_position(explorer, path, read(name)?, params, reader, client).await
        }
    }
}

/// A page that is of no game.
async fn general(
    explorer: &Arc<Explorer>,
    page: GeneralPage,
    params: &Params,
    reader: &Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    match page {
        GeneralPage::Home => home::page(explorer, reader, params, client).await,
        GeneralPage::Go => options::go(explorer, reader, params),
        GeneralPage::Play => Ok(ways::play(explorer, reader, None, params)),
        GeneralPage::Learn => Ok(ways::learn(explorer, reader, None)),
        GeneralPage::DailyPuzzle => puzzles::of_the_day(explorer, reader, client).await,
        GeneralPage::Claims => claims::list(explorer, reader, params),
        GeneralPage::OwnClaim => claims::one(explorer, reader, "own", params, client).await,
        GeneralPage::Tables => Ok(tables::page(explorer, reader)),
        GeneralPage::Compare => compare::page(explorer, reader, params, client).await,
        GeneralPage::Sum => sums::page(explorer, reader, params, client).await,
        GeneralPage::Design => design::page(explorer, reader, params, client).await,
        GeneralPage::Help => Ok(about::help(explorer, reader)),
        GeneralPage::Settings => Ok(about::settings(explorer, reader)),
        GeneralPage::About => Ok(about::about(explorer, reader)),
    }
}

/// A page of a game beside those of its positions.
async fn of_game(
    explorer: &Arc<Explorer>,
    page: GamePage,
    question: Question,
    params: &Params,
    reader: &Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    match page {
        GamePage::Stats => stats::page(explorer, &question, reader, params, client).await,
        GamePage::Puzzle => puzzles::one(explorer, reader, &question, params, client).await,
        GamePage::Sheet => puzzles::sheet(explorer, reader, &question, params, client).await,
        GamePage::Play => Ok(ways::play(explorer, reader, Some(&question), params)),
        GamePage::Learn => Ok(ways::learn(explorer, reader, Some(&question))),
        GamePage::Record => game::pasted(explorer, reader, &question, params),
        GamePage::Tree => tree::page(explorer, reader, question, params, client).await,
    }
}

/// The page of a position.
async fn of_position(
    explorer: &Arc<Explorer>,
    path: &str,
    question: Question,
    params: &Params,
    mut reader: Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let at = params.number("ply", 100_000)?.map(|ply| ply as usize);
    let asks =
        !reader.held && (reader.hints || reader.play.is_some() || reader.watch || reader.hint > 0);
    let coming = if asks {
        let variants = std::slice::from_ref(&question.variant);
        explorer.soon(variants, client).await
    } else {
        None
    };
    let question = match &coming {
        Some(coming) => question.hurried(coming.patience),
        None => question,
    };
    let question = match staged(explorer, &question, &mut reader, asks) {
        Some(most) => {
            let query = params.with("stage", &reader.stage.to_string());
            reader.further = Some(format!("{}{}?{query}", explorer.base, encoded(path)));
            question.hurried(most)
        }
        None => question,
    };
    let demand = if asks {
        question.demand(&explorer.settings.tablebase)
    } else {
        Demand::Nothing
    };
    let (shown, seen, solving) = (question.clone(), reader.clone(), coming.clone());
    let answered = explorer
        .work(client, demand, move |explorer, tablebase| {
            let shown = shown.begun(client);
            position::page(explorer, tablebase, &shown, at, &seen, solving.as_ref())
        })
        .await;
    match answered {
        // The board and its moves can be shown whatever else is being computed.
        Err(problem) if demand != Demand::Nothing && problem.retry_after().is_some() => {
            let plain = Reader {
                hints: false,
                play: None,
                hint: 0,
                notice: Some(problem.message),
                ..reader
            };
            explorer
                .work(
                    client.again(),
                    Demand::Nothing,
                    move |explorer, tablebase| {
                        position::page(explorer, tablebase, &question, at, &plain, coming.as_ref())
                    },
                )
                .await
        }
        answered => answered,
    }
}

/// The time left, roughly: an estimate in seconds changes with each look.
fn wait(words: Language, seconds: u32) -> String {
    match seconds {
        0..=10 => words.text("being-solved").into(),
        11..=60 => words.text("being-solved-minute").into(),
        _ => words.with("being-solved-minutes", seconds.div_ceil(60)),
    }
}

/// Lengths of the searches before each page of an undecided position, each better than the one
/// before; the next page after the last has all the time.
const STAGES: [Duration; 2] = [Duration::from_millis(60), Duration::from_millis(500)];

/// The time for the search of a page that is to be there at once and to show more soon; `None` for all the
/// time there is. Names the address at which it does.
fn staged(
    explorer: &Explorer,
    question: &Question,
    reader: &mut Reader,
    searches: bool,
) -> Option<Duration> {
    let at_hand = question.demand(&explorer.settings.tablebase) == Demand::Nothing;
    let replies = reader.play.is_some() || reader.hint > 0;
    if !searches || at_hand || replies || explorer.in_folder {
        return None;
    }
    let most = *STAGES.get(reader.stage)?;
    if question.time(explorer) <= most {
        return None;
    }
    reader.stage += 1;
    reader.again = Some(1);
    Some(most)
}

/// The end of a tag and what it holds: a message in a language, or in English where it has none, as the
/// reader is to see it.
fn in_words(words: Language, message: &Message, seen: impl Fn(&str) -> String) -> String {
    if words == Language::English {
        return format!(">{}", escaped(&seen(&in_english(message))));
    }
    match words.message(message) {
        Some(said) => format!(">{}", escaped(&seen(&said))),
        None => format!(" lang=\"en\">{}", escaped(&seen(&in_english(message)))),
    }
}

/// A message in English to a visitor of the pages, who has no command that lists the catalogue.
fn in_english(message: &Message) -> String {
    let filling = |place: &str| match message.filling(place) {
        Some(Filling::Text(text)) => text.clone(),
        Some(Filling::Message(_) | Filling::List(_)) | None => String::new(),
    };
    let name = filling("name");
    match message.key() {
        Some("variant_unknown") => {
            format!("There is no game '{name}'. Choose one from All games.")
        }
        Some("variant_near") => format!(
            "There is no game '{name}': did you mean {}? If not, choose one from All games.",
            filling("near")
        ),
        Some(_) | None => message.english().into(),
    }
}

/// The page that says why there is none; `seen` is how a message is shown to its reader.
pub(crate) fn of_problem(
    explorer: &Explorer,
    path: &str,
    reader: &Reader,
    problem: &Problem,
    seen: impl Fn(&str) -> String,
) -> RouteAnswer {
    let words = reader.language;
    let again = problem.comes_in();
    let reader = &Reader {
        again,
        ..reader.clone()
    };
    let told = match again {
        Some(seconds) => format!(">{}", escaped(&wait(words, seconds))),
        None => in_words(words, &problem.message, seen),
    };
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"{}><h1>{}</h1><p class=\"problem\" role=\"alert\"{told}</p><ul class=\"ways\">",
        frame::again(reader),
        words.text(match again {
            Some(_) => "later-title",
            None => "error-title",
        })
    );
    let name = path.trim_matches('/');
    let name = GamePage::of(name).map_or(name, |(name, _)| name);
    if explorer.variant(name).is_ok() {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            escaped(&words.with("error-start", name))
        ));
    }
    body.push_str(&format!(
        "<li><a href=\"{}\">{}</a></li></ul>{}</main>",
        escaped(&reader.address(explorer, "/", &[])),
        words.text("home"),
        home::form(explorer, reader)
    ));
    frame::answer(explorer, reader, words.text("error-title"), None, &body)
}
