//! A form that writes a rule file as one clicks: each choice is a link to the page with that choice, so the
//! address carries the rules. Who wins stands beside it.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Game, RuleFile, Variant, VariantError, file_name, with_game};
use greenwave_picture::{Picture, Scheme, escaped};
use greenwave_tablebase::{Place, QueryOptions, Tablebase, Value};

use crate::explorer::{Client, Explorer};
use crate::page::{Reader, frame, in_words};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::time_of;
use crate::routes::{Answered, Kind};
use crate::worked::Work;

/// What the address of the page says, beside what all pages carry on.
pub(super) const PARAMS: [&str; 9] = [
    "board", "along", "length", "wrap", "grid", "levels", "goals", "lose", "budget",
];

/// Most squares of a board that is solved for the page.
const SOLVED: usize = 12;
/// Most ranks and files of the form.
const SIDE: usize = 6;
const DIRECTIONS: [(char, &str, &str); 3] = [
    ('r', "rank", "design-rank"),
    ('f', "file", "design-file"),
    ('d', "diagonal", "design-diagonal"),
];
const WRAPS: [(&str, &str); 4] = [
    ("none", "design-none"),
    ("files", "design-files"),
    ("ranks", "design-ranks"),
    ("both", "design-both"),
];

/// The choices that make the rules.
#[derive(Clone, Debug, PartialEq)]
struct Design {
    /// Rows from the top: whether there is a square.
    board: Vec<Vec<bool>>,
    along: Vec<char>,
    length: usize,
    wrap: &'static str,
    hex: bool,
    levels: u8,
    goals: Vec<String>,
    lose: bool,
}

/// Lines of equal lights, which count where nothing else is chosen.
fn equal(length: usize, levels: u8) -> Vec<String> {
    let of = |level: u8| level.to_string().repeat(length);
    (1..=levels).map(of).collect()
}

impl Default for Design {
    fn default() -> Design {
        Design {
            board: vec![vec![true; 3]; 3],
            along: DIRECTIONS.map(|(letter, ..)| letter).to_vec(),
            length: 3,
            wrap: WRAPS[0].0,
            hex: false,
            levels: 3,
            goals: equal(3, 3),
            lose: false,
        }
    }
}

impl Design {
    fn read(params: &Params) -> Result<Design, Problem> {
        let usual = Design::default();
        let board = match params.get("board").filter(|board| !board.is_empty()) {
            Some(text) => board_of(text).ok_or_else(|| {
                Problem::input(format!(
                    "board: found '{text}', expected rows from the top with o for a square, - for a gap and \
                     / between, such as ooo/o-o/ooo, at most {SIDE} by {SIDE}"
                ))
            })?,
            None => usual.board,
        };
        let along = params.get("along").map_or(usual.along, |letters| {
            let known = DIRECTIONS.map(|(letter, ..)| letter).into_iter();
            known.filter(|letter| letters.contains(*letter)).collect()
        });
        let wraps = WRAPS.map(|(name, _)| (name, name));
        let length = params.number_from("length", 1, SIDE as u64)?.unwrap_or(3) as usize;
        let levels = params.number_from("levels", 1, 3)?.unwrap_or(3) as u8;
        let goals = match params.text("goals") {
            Some(list) => {
                let goals: Vec<String> = list.split(',').map(str::to_string).collect();
                let fine = |goal: &String| {
                    goal.len() == length
                        && goal
                            .bytes()
                            .all(|digit| (b'1'..=b'0' + levels).contains(&digit))
                };
                if !goals.iter().all(fine) {
                    return Err(Problem::input(format!(
                        "goals: found '{list}', expected {length} digits from 1 to {levels} each, with commas \
                         between"
                    )));
                }
                goals
            }
            None => equal(length, levels),
        };
        Ok(Design {
            board,
            along,
            length,
            wrap: params.one_of("wrap", &wraps)?.unwrap_or(usual.wrap),
            hex: params
                .one_of("grid", &[("square", false), ("hex", true)])?
                .unwrap_or(false),
            levels,
            goals,
            lose: params.switch("lose", false)?,
        })
    }

    /// What the address says, no more than it has to.
    fn own(&self) -> Vec<(&'static str, String)> {
        let usual = Design::default();
        let mut own = Vec::new();
        if self.board != usual.board {
            own.push(("board", self.rows('o')));
        }
        if self.along != usual.along {
            own.push(("along", self.along.iter().collect()));
        }
        if self.length != usual.length {
            own.push(("length", self.length.to_string()));
        }
        if self.wrap != usual.wrap {
            own.push(("wrap", self.wrap.into()));
        }
        if self.hex {
            own.push(("grid", "hex".into()));
        }
        if self.levels != usual.levels {
            own.push(("levels", self.levels.to_string()));
        }
        if self.goals != equal(self.length, self.levels) {
            own.push(("goals", self.goals.join(",")));
        }
        if self.lose {
            own.push(("lose", "1".into()));
        }
        own
    }

    fn rows(&self, square: char) -> String {
        let row = |row: &Vec<bool>| -> String {
            row.iter()
                .map(|there| if *there { square } else { '-' })
                .collect()
        };
        self.board.iter().map(row).collect::<Vec<_>>().join("/")
    }

    fn squares(&self) -> usize {
        self.board.iter().flatten().filter(|there| **there).count()
    }

    /// The rule file.
    fn text(&self) -> String {
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        let quoted = |text: &str| format!("\"{text}\"");
        let mut text = format!(
            "patterns = {}\n",
            list(self.goals.iter().map(|goal| quoted(goal)).collect())
        );
        if self.lose {
            text.push_str("play = \"misere\"\n");
        }
        text.push_str("\n[board]\n");
        let (ranks, files) = (self.board.len(), self.board[0].len());
        let _ = if self.squares() == ranks * files {
            writeln!(text, "size = \"{ranks}x{files}\"")
        } else {
            writeln!(text, "outline = \"{}\"", self.rows('#'))
        };
        if self.length != 3 {
            let _ = writeln!(text, "line-length = {}", self.length);
        }
        if self.levels != 3 {
            let _ = writeln!(text, "levels = {}", self.levels);
        }
        if self.along.len() < DIRECTIONS.len() {
            let known = DIRECTIONS
                .iter()
                .filter(|(letter, ..)| self.along.contains(letter));
            let along = list(known.map(|(_, name, _)| quoted(name)).collect());
            let _ = writeln!(text, "directions = {along}");
        }
        if self.wrap != "none" {
            let _ = writeln!(text, "wrap = \"{}\"", self.wrap);
        }
        if self.hex {
            text.push_str("grid = \"hex\"\n");
        }
        text
    }

    /// The same with another length or number of lights, and the lines of equal lights.
    fn with_lines(&self, length: usize, levels: u8) -> Design {
        Design {
            length,
            levels,
            goals: equal(length, levels),
            ..self.clone()
        }
    }

    fn with_square(&self, row: usize, file: usize) -> Design {
        let mut changed = self.clone();
        changed.board[row][file] ^= true;
        changed
    }

    fn with_goal(&self, goal: &str) -> Design {
        let mut changed = self.clone();
        match changed.goals.iter().position(|known| known == goal) {
            Some(place) if changed.goals.len() > 1 => drop(changed.goals.remove(place)),
            Some(_) => {}
            None => changed.goals.push(goal.into()),
        }
        changed.goals.sort();
        changed
    }

    fn with_direction(&self, letter: char) -> Design {
        let mut changed = self.clone();
        let known = DIRECTIONS.map(|(letter, ..)| letter).into_iter();
        changed.along = known
            .filter(|known| self.along.contains(known) != (*known == letter))
            .collect();
        changed
    }

    /// The board with a rank at the top or a file at the right more or less, all of it squares.
    fn sized(&self, ranks: usize, files: usize) -> Option<Design> {
        let sides = 1..=SIDE;
        (sides.contains(&ranks) && sides.contains(&files)).then(|| Design {
            board: vec![vec![true; files]; ranks],
            ..self.clone()
        })
    }
}

/// The rows of a board, if they are written as they should be.
fn board_of(text: &str) -> Option<Vec<Vec<bool>>> {
    let rows: Vec<Vec<bool>> = text
        .split('/')
        .map(|row| {
            let square = |letter| match letter {
                'o' | 'O' | '#' => Some(true),
                '-' => Some(false),
                _ => None,
            };
            row.chars().map(square).collect()
        })
        .collect::<Option<_>>()?;
    let files = rows[0].len();
    let fine = rows.len() <= SIDE && (1..=SIDE).contains(&files);
    (fine && rows.iter().all(|row| row.len() == files)).then_some(rows)
}

/// Who wins, and by which first moves.
#[derive(Debug)]
pub(crate) struct Designed {
    value: Value,
    distance: Option<u32>,
    winning: Vec<String>,
}

fn who_wins(tablebase: &Tablebase, variant: &Variant) -> Result<Designed, Problem> {
    let answer = tablebase.query_at(variant, &Place::start(), &QueryOptions::default())?;
    let wins = answer
        .moves
        .iter()
        .filter(|mv| mv.value == Some(Value::Win));
    Ok(Designed {
        value: answer.value,
        distance: answer.distance,
        winning: wins.map(|mv| mv.mv.clone()).collect(),
    })
}

pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<Answered, Problem> {
    let words = reader.language;
    let design = Design::read(params)?;
    let text = design.text();
    let form = Form {
        explorer,
        reader,
        design: &design,
    };
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{}</h1><p class=\"lead\">{}</p>",
        words.text("design"),
        words.text("design-note")
    );
    let read = RuleFile::parse("designed.toml", &text);
    match &read {
        Ok(file) if design.squares() <= SOLVED => {
            let variant = Arc::new(file.variant.clone());
            let own = Arc::clone(&variant);
            let work = Work {
                name: "who wins by rules of one's own".into(),
                options: String::new(),
                of_values: true,
                variants: vec![variant],
                kept: |explorer: &Explorer| &explorer.designed,
                make: Arc::new(move |tablebase: &Tablebase| who_wins(tablebase, &own)),
            };
            let budget = time_of(params, explorer)?;
            let found = explorer.worked_out(work, client, budget).await?;
            body.push_str(&form.verdict(&found));
        }
        Ok(_) => {
            let large = words.with("design-large", SOLVED);
            let _ = write!(
                body,
                "<p class=\"verdict\" id=\"verdict\">{}</p>",
                escaped(&large)
            );
        }
        Err(error) => body.push_str(&form.faults(error)),
    }
    body.push_str(&form.choices());
    if let Ok(file) = &read {
        body.push_str(&form.rules(&file.variant));
    }
    body.push_str(&form.file(&text));
    body.push_str("</main>");
    let own = design.own();
    let own: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    Ok(Answered {
        kind: Kind::Page,
        body: frame::page(
            explorer,
            reader,
            words.text("design"),
            Some(("/design", &own)),
            &body,
        ),
        signature: None,
    })
}

/// The page of some choices.
struct Form<'a> {
    explorer: &'a Explorer,
    reader: &'a Reader,
    design: &'a Design,
}

impl Form<'_> {
    fn address(&self, design: &Design) -> String {
        let own = design.own();
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        self.reader.address(self.explorer, "/design", &own)
    }

    fn verdict(&self, found: &Designed) -> String {
        let words = self.reader.language;
        let plies = words.plies(found.distance.unwrap_or(0));
        let verdict = match found.value {
            Value::Win => words.with("design-first", plies),
            Value::Loss => words.with("design-second", plies),
            Value::Draw => words.text("design-draw").into(),
            Value::Unknown => words.text("verdict-unknown").into(),
        };
        let mut html = format!(
            "<p class=\"verdict\" id=\"verdict\">{}</p>",
            escaped(&verdict)
        );
        if !found.winning.is_empty() {
            let moves = words.with("design-openings", found.winning.join(" "));
            let _ = write!(html, "<p class=\"details\">{}</p>", escaped(&moves));
        }
        html
    }

    fn faults(&self, error: &VariantError) -> String {
        let words = self.reader.language;
        let mut html = format!(
            "<p class=\"verdict\" id=\"verdict\">{}</p><ul>",
            words.text("design-wrong")
        );
        if let VariantError::File { faults, .. } = error {
            for fault in faults {
                let _ = write!(html, "<li{}</li>", in_words(words, &fault.to_string()));
            }
        } else {
            let _ = write!(html, "<li{}</li>", in_words(words, &error.to_string()));
        }
        html + "</ul>"
    }

    /// A choice; those that hold now are marked.
    fn choice(&self, design: &Design, on: bool, text: &str) -> String {
        let (mark, current) = if on {
            ("\u{2713} ", " aria-current=\"true\"")
        } else {
            ("", "")
        };
        let href = escaped(&self.address(design));
        format!(
            "<a rel=\"nofollow\" href=\"{href}\"{current}>{mark}{}</a> ",
            escaped(text)
        )
    }

    fn group(&self, key: &'static str, choices: &[String]) -> String {
        let name = self.reader.language.text(key);
        format!(
            "<section><h2>{name}</h2><p class=\"tools\" role=\"group\" aria-label=\"{name}\">{}</p></section>",
            choices.concat()
        )
    }

    fn choices(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let mut html = self.board();
        let along = DIRECTIONS.map(|(letter, _, key)| {
            let on = design.along.contains(&letter);
            self.choice(&design.with_direction(letter), on, words.text(key))
        });
        html.push_str(&self.group("design-along", &along));
        let lengths: Vec<String> = (2..=5)
            .map(|length| {
                let next = design.with_lines(length, design.levels);
                self.choice(&next, length == design.length, &length.to_string())
            })
            .collect();
        html.push_str(&self.group("design-length", &lengths));
        let mut goals = equal(design.length, design.levels);
        let rising: String = ('1'..='9').take(design.length).collect();
        if (2..=usize::from(design.levels)).contains(&design.length) {
            goals.push(rising);
        }
        let goals: Vec<String> = goals
            .iter()
            .map(|goal| self.choice(&design.with_goal(goal), design.goals.contains(goal), goal))
            .collect();
        html.push_str(&self.group("design-goals", &goals));
        let plays = [("design-wins", false), ("design-loses", true)].map(|(key, lose)| {
            let next = Design {
                lose,
                ..design.clone()
            };
            self.choice(&next, lose == design.lose, words.text(key))
        });
        html.push_str(&self.group("design-play", &plays));
        let levels: Vec<String> = (1..=3)
            .map(|levels| {
                let next = design.with_lines(design.length, levels);
                self.choice(&next, levels == design.levels, &levels.to_string())
            })
            .collect();
        html.push_str(&self.group("design-lights", &levels));
        let wraps = WRAPS.map(|(wrap, key)| {
            let next = Design {
                wrap,
                ..design.clone()
            };
            self.choice(&next, wrap == design.wrap, words.text(key))
        });
        html.push_str(&self.group("design-wrap", &wraps));
        let grids = [("design-square", false), ("design-hex", true)].map(|(key, hex)| {
            let next = Design {
                hex,
                ..design.clone()
            };
            self.choice(&next, hex == design.hex, words.text(key))
        });
        html + &self.group("design-grid", &grids)
    }

    /// The squares, each a link that makes it a gap or a square again, and the size.
    fn board(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let (ranks, files) = (design.board.len(), design.board[0].len());
        let mut html = format!(
            "<section><h2>{}</h2><p>{}</p><table class=\"design\"><tbody>",
            words.text("design-board"),
            words.text("design-squares")
        );
        for (row, squares) in design.board.iter().enumerate() {
            html.push_str("<tr>");
            for (file, there) in squares.iter().enumerate() {
                let name = format!("{}{}", file_name(file as u8), ranks - row);
                let sign = if *there { "\u{25a0}" } else { "\u{25a1}" };
                let href = escaped(&self.address(&design.with_square(row, file)));
                let _ = write!(
                    html,
                    "<td><a rel=\"nofollow\" href=\"{href}\" aria-label=\"{name} {sign}\">{sign}</a></td>"
                );
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table><p class=\"tools\">");
        let sizes = [
            (ranks + 1, files, "design-more-ranks"),
            (ranks - 1, files, "design-fewer-ranks"),
            (ranks, files + 1, "design-more-files"),
            (ranks, files - 1, "design-fewer-files"),
        ];
        for (ranks, files, key) in sizes {
            if let Some(next) = design.sized(ranks, files) {
                html.push_str(&self.choice(&next, false, words.text(key)));
            }
        }
        html + "</p></section>"
    }

    /// The rules in words, with a picture of the board.
    fn rules(&self, variant: &Variant) -> String {
        let words = self.reader.language;
        let diagram = with_game!(variant, game => game.diagram(&game.start()));
        let mut picture = Picture::new(&diagram, words.text("design-board"));
        picture.scheme = Scheme::Page;
        picture.notes = words.sentences(&diagram.notes);
        let mut html = format!(
            "<section class=\"rules\"><h2>{}</h2><figure>{}</figure>",
            words.text("rules"),
            picture.svg()
        );
        for sentence in words.rules(variant) {
            let _ = write!(html, "<p>{}</p>", escaped(&sentence));
        }
        html + "</section>"
    }

    /// The rule file, and the link that carries the rules.
    fn file(&self, text: &str) -> String {
        let words = self.reader.language;
        let address = self.address(self.design);
        format!(
            "<section><h2>{}</h2><pre id=\"rule-file\">{}</pre><p>{}</p><p><a id=\"carries\" \
             href=\"{}\">{}</a></p></section>",
            words.text("design-text"),
            escaped(text),
            words.text("design-text-note"),
            escaped(&format!(
                "{}{address}",
                if self.explorer.in_folder {
                    ""
                } else {
                    &self.reader.origin
                }
            )),
            words.text("design-link")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(query: &str) -> Design {
        Design::read(&Params::read(query).unwrap()).unwrap()
    }

    /// Every choice of every page is a page whose address says the same, and whose rule file is read.
    #[test]
    fn the_address_carries_the_rules() {
        for query in [
            "",
            "board=ooo/o-o/ooo&lose=1",
            "along=&wrap=both&levels=1",
            "along=rd&length=2&goals=11,12",
            "grid=hex&levels=2&board=oooo/oooo",
        ] {
            let read = design(query);
            let own = read.own();
            let again: Vec<String> = own
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            assert_eq!(design(&again.join("&")), read, "{query}");
            assert_eq!(
                again.len(),
                query.split('&').filter(|part| !part.is_empty()).count(),
                "{again:?}"
            );
            let text = read.text();
            let file = RuleFile::parse("designed.toml", &text);
            assert!(
                file.is_ok() || query.contains("wrap=both"),
                "{text}{file:?}"
            );
        }
        let usual = RuleFile::parse("designed.toml", &design("").text()).unwrap();
        let classic = Variant::parse("classic-3x3").unwrap();
        assert_eq!(usual.variant.rules().hash, classic.rules().hash);
    }

    #[test]
    fn choices_change_one_thing() {
        let usual = Design::default();
        assert_eq!(usual.with_square(1, 1).rows('o'), "ooo/o-o/ooo");
        assert_eq!(usual.with_square(1, 1).with_square(1, 1), usual);
        assert_eq!(usual.with_direction('d').along, ['r', 'f']);
        assert_eq!(usual.with_direction('d').with_direction('d'), usual);
        assert_eq!(usual.with_goal("111").goals, ["222", "333"]);
        assert_eq!(usual.with_goal("123").goals, ["111", "123", "222", "333"]);
        assert!(usual.sized(0, 3).is_none() && usual.sized(3, 7).is_none());
        for wrong in [
            "board=oo/o",
            "board=x",
            "levels=4",
            "goals=1111",
            "goals=114&levels=3",
            "wrap=up",
        ] {
            assert!(
                Design::read(&Params::read(wrong).unwrap()).is_err(),
                "{wrong}"
            );
        }
    }
}
