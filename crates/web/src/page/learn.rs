//! The page of what there is to learn: a course in order, what teachers need, and the tools.

use std::fmt::Write;

use greenwave_game::{Game, Variant};
use greenwave_picture::{MovePlace, Picture, Ring, Scheme, Tag, Tone, escaped, place};
use greenwave_play::Level;

use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::page::tiles::{HERO, tiles};
use crate::page::ways::FIRST_GAMES;
use crate::page::{frame, home, lesson};
use crate::problem::Problem;
use crate::routes::RouteAnswer;

/// An idea by which games are won: a position, a move there, and what its reasons are about.
struct Idea {
    title: &'static str,
    note: &'static str,
    game: &'static str,
    position: &'static str,
    mv: &'static str,
    tone: Tone,
}

/// The ideas of the course; a test asks the pages of these positions for the facts that they are to show.
const IDEAS: [Idea; 4] = [
    Idea {
        title: "learn-parity",
        note: "learn-parity-note",
        game: "classic-3x3",
        position: ".G./RRG/.Y.",
        mv: "b1G",
        tone: Tone::Win,
    },
    Idea {
        title: "idea-copying",
        note: "learn-copying-note",
        game: "classic-3x3",
        position: "..R/.Y./R..",
        mv: "b2G",
        tone: Tone::Win,
    },
    Idea {
        title: "theme-fork",
        note: "learn-fork-note",
        game: "noughts-3x3",
        position: "X../O.O/X..",
        mv: "b2",
        tone: Tone::Win,
    },
    Idea {
        title: "idea-one-answer",
        note: "learn-one-answer-note",
        game: "classic-3x3",
        position: ".Y./.YG/RG.",
        mv: "c3R",
        tone: Tone::Loss,
    },
];

/// What makes the links of the page.
struct LearnPage<'a> {
    explorer: &'a Explorer,
    /// The reader outside of any game, to whom each game has its own lights.
    reader: &'a Reader,
}

impl LearnPage<'_> {
    fn text(&self, key: &'static str) -> String {
        escaped(self.reader.language.text(key)).to_string()
    }

    fn address(&self, path: &str, own: &[(&str, &str)]) -> String {
        self.reader.address(self.explorer, path, own)
    }

    /// The address of a game against the program.
    fn game(&self, path: &str, first: bool, level: Level) -> String {
        let player = Reader {
            hints: false,
            play: Some(first),
            level,
            ..self.reader.clone()
        };
        player.address(self.explorer, path, &[])
    }

    /// A step: its title, a sentence or two, and what stands below.
    fn step(&self, title: &'static str, note: &str, below: &str) -> String {
        format!(
            "<li class=\"part\"><h2>{}</h2><p>{note}</p>{below}</li>",
            self.text(title)
        )
    }

    /// Links in a row, the first of them the one to take.
    fn actions(&self, links: &[(String, &'static str)]) -> String {
        let mut html = String::from("<p class=\"actions\">");
        for (number, (address, key)) in links.iter().enumerate() {
            let first = if number == 0 { " class=\"first\"" } else { "" };
            let _ = write!(
                html,
                "<a{first} href=\"{}\">{}</a> ",
                escaped(address),
                self.text(key)
            );
        }
        html + "</p>"
    }

    fn idea(&self, idea: &Idea) -> Result<String, Problem> {
        let words = self.reader.language;
        let variant = self.explorer.variant(idea.game)?;
        let own = [("position", idea.position), ("why", idea.mv)];
        let mut address = self.address(&format!("/{}", idea.game), &own);
        if !self.explorer.in_folder {
            address.push_str("#why");
        }
        let why = if idea.tone == Tone::Win {
            "why-wins"
        } else {
            "why-loses"
        };
        Ok(format!(
            "<li id=\"{}\"><span aria-hidden=\"true\">{}</span><div><h3>{}</h3><p>{}</p><p><a href=\"{}\">{}</a></p></div></li>",
            idea.title,
            board_of(idea, &variant),
            self.text(idea.title),
            self.text(idea.note),
            escaped(&address),
            escaped(&words.with(why, idea.mv))
        ))
    }

    /// Links, each with a sentence about what it leads to.
    fn noted(&self, title: &'static str, links: &[(String, String, &'static str)]) -> String {
        let mut html = format!(
            "<section class=\"part\"><h2>{}</h2><ul class=\"noted\">",
            self.text(title)
        );
        for (address, name, note) in links {
            let _ = write!(
                html,
                "<li><a href=\"{}\">{}</a> <span>{}</span></li>",
                escaped(address),
                escaped(name),
                self.text(note)
            );
        }
        html + "</ul></section>"
    }

    fn for_teachers(&self) -> String {
        let words = self.reader.language;
        let room = Reader {
            projector: true,
            hints: false,
            ..self.reader.clone()
        };
        let path = format!("/{}", HERO.0);
        let board = room.address(self.explorer, &path, &[("position", HERO.1)]);
        let mut links = vec![(
            board.clone(),
            words.text("projector").to_string(),
            "learn-projector-note",
        )];
        if !self.explorer.in_folder {
            let code = format!("{board}#class");
            links.push((code, words.text("class-code").into(), "learn-class-note"));
        }
        let sheet = self.address(&format!("{path}/sheet"), &[("count", "6")]);
        links.push((sheet, words.with("sheet", 6), "learn-sheet-note"));
        let both = Reader {
            hints: false,
            watch: true,
            ..self.reader.clone()
        };
        let both = both.address(self.explorer, &path, &[]);
        links.push((both, words.text("play-both").into(), "learn-both-note"));
        self.noted("learn-teachers", &links)
    }

    fn tools(&self) -> String {
        let words = self.reader.language;
        let record = format!("/{}/record", FIRST_GAMES[0]);
        let tools = [
            (&*record, "paste", "learn-paste-note"),
            ("/find", "find", "learn-find-note"),
            ("/compare", "compare", "learn-compare-note"),
            ("/sum", "sums", "sums-note"),
            ("/design", "design", "learn-design-note"),
            ("/claims", "claims", "claims-note"),
            ("/tables", "tables", "learn-tables-note"),
        ];
        let links = tools
            .map(|(path, key, note)| (self.address(path, &[]), words.text(key).to_string(), note));
        self.noted("learn-tools", &links)
    }
}

/// The board of an idea, with a frame around the square of its move.
fn board_of(idea: &Idea, variant: &Variant) -> String {
    let at = variant.parse_position(idea.position);
    let mut diagram = variant.diagram(&at.unwrap_or_else(|_| variant.start()));
    let square = place(&diagram, idea.mv);
    diagram.labels.clear();
    let mut picture = Picture::new(&diagram, idea.mv);
    picture.scheme = Scheme::Page;
    if let MovePlace::Square(square) = square {
        picture.tags.push(Tag {
            square,
            tone: idea.tone,
            ring: Ring::Quick,
            ..Tag::default()
        });
    }
    picture.svg()
}

/// The page of what there is to learn about all games.
pub(super) fn page(explorer: &Explorer, reader: &Reader) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let plain = Reader {
        lights: None,
        ..reader.plain()
    };
    let course = LearnPage {
        explorer,
        reader: &plain,
    };
    let game = format!("/{}", HERO.0);
    let puzzle = format!("{game}/puzzle");
    let (task, board) = lesson::first_board(explorer, &plain)?;
    let ideas: Result<String, Problem> = IDEAS.iter().map(|idea| course.idea(idea)).collect();
    let lamps = home::order(words, &*explorer.variant(HERO.0)?);
    let steps = [
        course.step(
            "learn-rule",
            &course.text("rule-line-ryg"),
            &format!(
                "{lamps}<p><strong>{}</strong></p><section class=\"board lesson-board\">{board}</section>{}",
                escaped(&task),
                course.actions(&[(course.address("/lesson", &[]), "lesson")])
            ),
        ),
        course.step(
            "learn-game",
            &course.text("learn-game-note"),
            &course.actions(&[
                (course.game(&game, true, Level::Easy), "play-first"),
                (course.address("/play", &[]), "game-choose"),
            ]),
        ),
        course.step(
            "learn-puzzle",
            &course.text("learn-puzzle-note"),
            &course.actions(&[
                (course.address(&puzzle, &[("level", "1")]), "learn-puzzle-begin"),
                (course.address("/puzzle", &[]), "today"),
            ]),
        ),
        course.step(
            "learn-ideas",
            &course.text("learn-ideas-note"),
            &format!("<ul class=\"ideas\">{}</ul>", ideas?),
        ),
        course.step(
            "learn-perfect",
            &course.text("learn-perfect-note"),
            &course.actions(&[
                (course.game(&game, true, Level::Perfect), "learn-perfect-first"),
                (course.game("/semaforo", false, Level::Perfect), "learn-perfect-second"),
            ]),
        ),
    ];
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way course\"><h1>{}</h1><p class=\"lead\">{}</p><ol>{}</ol>\
         <div class=\"beside-course\">{}{}</div><section><h2>{}</h2>{}</section></main>",
        course.text("learn"),
        course.text("learn-lead"),
        steps.concat(),
        course.for_teachers(),
        course.tools(),
        course.text("learn-games"),
        tiles(explorer, &plain, "/learn")
    );
    Ok(frame::answer(
        explorer,
        reader,
        words.text("learn"),
        Some(("/learn", &[])),
        &body,
    ))
}
