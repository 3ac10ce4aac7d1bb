//! The form: each choice is a link to the page with that choice.

use std::fmt::Write;

use greenwave_game::{Fault, Message, Variant, VariantError, catalogue};
use greenwave_picture::escaped;
use greenwave_tablebase::{SourceKind, Value};

use super::drawing;
use crate::design_result::DesignResult;
use crate::explorer::Explorer;
use crate::own_rules;
use crate::own_rules::choices::{
    CLICKS, DIRECTIONS, Design, LASTS, LIGHTS, LINES, PASSES, TURNS, WRAPS, equal,
};
use crate::page::notices::in_words;
use crate::page::reader::Reader;
use crate::page::tiles::HERO;
use crate::page::titles;

/// The page of some choices.
pub(super) struct Form<'a> {
    pub(super) explorer: &'a Explorer,
    pub(super) reader: &'a Reader,
    pub(super) design: &'a Design,
}

impl Form<'_> {
    pub(super) fn address(&self, design: &Design) -> String {
        let own = design.own();
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        self.reader.address(self.explorer, "/design", &own)
    }

    pub(super) fn verdict(&self, found: &DesignResult) -> String {
        let words = self.reader.language;
        let plies = found.distance.map(|plies| words.plies(plies));
        let verdict = match (found.value, plies) {
            (Value::Win, Some(plies)) => words.with("design-first", plies),
            (Value::Win, None) => words.text("start-first-plain").into(),
            (Value::Loss, Some(plies)) => words.with("design-second", plies),
            (Value::Loss, None) => words.text("start-second-plain").into(),
            (Value::Draw, _) => words.text("design-draw").into(),
            (Value::Unknown, _) => words.text("design-unknown").into(),
        };
        let mut html = format!(
            "<p class=\"verdict\" id=\"verdict\">{}</p>",
            escaped(&verdict)
        );
        if !found.winning.is_empty() {
            let moves = if found.winning.len() == found.openings && found.openings > 1 {
                words.text("design-every-opening").into()
            } else {
                let key = if found.has_unknown_moves {
                    "design-some-openings"
                } else {
                    "design-openings"
                };
                words.with(key, found.winning.join(" "))
            };
            let _ = write!(html, "<p class=\"details\">{}</p>", escaped(&moves));
        }
        html
    }

    /// What can be said of a game that is not solved here, what kept the search from it, and where something
    /// is open, how the game is solved.
    pub(super) fn unsolved(
        &self,
        found: Option<&DesignResult>,
        problem: Option<&Message>,
        why: &str,
    ) -> String {
        let words = self.reader.language;
        let mut html = match found {
            Some(found) => self.verdict(found),
            None => format!(
                "<p class=\"verdict\" id=\"verdict\">{}</p>",
                words.text("design-unknown")
            ),
        };
        let source = found
            .filter(|found| found.value != Value::Unknown)
            .map(|found| match found.source {
                SourceKind::Table => "source-table",
                SourceKind::Solved => "source-solved",
                SourceKind::Swept => "source-swept",
                SourceKind::Searched => "source-searched-known",
                SourceKind::Published => "source-published-known",
                SourceKind::Proved => "source-proved-known",
            });
        let within = found.and_then(|found| found.undecided_within);
        let within = within.filter(|plies| *plies > 0);
        let said = [
            source.map(|key| words.text(key).to_string()),
            within.map(|plies| words.with("no-win-within", words.plies(plies))),
        ];
        for text in said.into_iter().flatten() {
            let _ = write!(html, "<p class=\"details\">{}</p>", escaped(&text));
        }
        if let Some(problem) = problem {
            let told = in_words(words, problem, str::to_string);
            let _ = write!(html, "<p class=\"details\"{told}</p>");
        }
        if found.is_some_and(DesignResult::is_complete) {
            return html;
        }
        let _ = write!(
            html,
            "<p>{}</p><p>{} <code>greenwave solve my-game.toml</code> \
             <a href=\"#file\" data-opens=\"file\">{}</a></p>",
            escaped(why),
            words.text("design-solve"),
            words.text("design-text")
        );
        html
    }

    pub(super) fn faults(&self, error: &VariantError) -> String {
        format!(
            "<p class=\"verdict\" id=\"verdict\">{}</p>{}",
            self.reader.language.text("design-wrong"),
            // The form wrote the file, and shows no lines.
            self.faults_listed(error, |fault| {
                in_words(self.reader.language, &fault.problem, str::to_string)
            })
        )
    }

    /// What is wrong with rules that make no game; `said` tells a fault of a file, as [`in_words`] does.
    pub(super) fn faults_listed(
        &self,
        error: &VariantError,
        said: impl Fn(&Fault) -> String,
    ) -> String {
        let said: Vec<String> = if let VariantError::File { faults, .. } = error {
            faults.iter().map(said).collect()
        } else {
            let message = error.message();
            vec![in_words(self.reader.language, &message, str::to_string)]
        };
        let items = said.iter().map(|said| format!("<li{said}</li>"));
        format!("<ul>{}</ul>", items.collect::<String>())
    }

    /// A choice; those that hold now are marked.
    fn choice(&self, design: &Design, on: bool, text: &str) -> String {
        self.link(design, on, &escaped(text))
    }

    /// A choice that is seen as lights and read as their names.
    fn choice_of_lights(&self, design: &Design, on: bool, levels: &[u8], between: &str) -> String {
        let words = self.reader.language;
        let names: Vec<&str> = levels
            .iter()
            .filter_map(|level| LIGHTS.iter().find(|(known, _)| known == level))
            .map(|(_, light)| words.text(light))
            .collect();
        let shown = format!(
            "{}<span class=\"unseen\">{}</span>",
            drawing::row_of_lights(levels),
            names.join(between)
        );
        self.link(design, on, &shown)
    }

    fn link(&self, design: &Design, on: bool, html: &str) -> String {
        let (mark, current) = if on {
            ("\u{2713} ", " aria-current=\"true\"")
        } else {
            ("", "")
        };
        let href = escaped(&self.address(design));
        format!("<a rel=\"nofollow\" href=\"{href}\"{current}>{mark}{html}</a> ")
    }

    fn group(&self, key: &'static str, choices: &[String]) -> String {
        let name = self.reader.language.text(key);
        format!(
            "<div class=\"group\"><h3>{name}</h3><p class=\"tools\" role=\"group\" aria-label=\"{name}\">{}</p></div>",
            choices.concat()
        )
    }

    /// Choices of which one holds: a value, and the key of what it is called.
    fn one_of<T: Copy + PartialEq>(
        &self,
        key: &'static str,
        values: &[(T, &'static str)],
        held: T,
        choose: impl Fn(&mut Design, T),
    ) -> String {
        let choices: Vec<String> = values
            .iter()
            .map(|(value, text)| {
                let mut next = self.design.clone();
                choose(&mut next, *value);
                self.choice(&next, *value == held, self.reader.language.text(text))
            })
            .collect();
        self.group(key, &choices)
    }

    /// A part of the form: a heading, and its groups of choices; those that few games need can be folded.
    fn part(&self, key: &'static str, groups: &str, folded: Option<bool>) -> String {
        let name = self.reader.language.text(key);
        match folded {
            None => format!("<section class=\"part\"><h2>{name}</h2>{groups}</section>"),
            Some(open) => format!(
                "<details class=\"part\"{}><summary><h2>{name}</h2></summary>{groups}</details>",
                if open { " open" } else { "" }
            ),
        }
    }

    pub(super) fn choices(&self) -> String {
        let usual = Design::default();
        let design = self.design;
        let remembers = design.swap
            || design.last != usual.last
            || design.pass != usual.pass
            || design.turns != usual.turns
            || design.restricts();
        self.part("design-of-lines", &self.lines(), None)
            + &self.part("design-of-squares", &self.squares(), None)
            + &self.part("design-of-turns", &self.turns(), Some(remembers))
    }

    /// What a line is, and what it does.
    fn lines(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let lengths: Vec<String> = (2..=5)
            .map(|length| {
                let next = design.with_lines(length, design.levels);
                self.choice(&next, length == design.length, &length.to_string())
            })
            .collect();
        let mut html = self.group("design-length", &lengths);
        let along = DIRECTIONS.map(|(letter, _, key)| {
            let on = design.along.contains(&letter);
            let choice = self.choice(&design.with_direction(letter), on, words.text(key));
            // The board shows these lines while it is pointed at.
            choice.replacen("<a ", &format!("<a data-along=\"{letter}\" "), 1)
        });
        html.push_str(&self.group("design-along", &along));
        let of = |design: &mut Design, value| design.lose = value;
        html.push_str(&self.one_of(
            "design-play",
            &[(false, "design-wins"), (true, "design-loses")],
            design.lose,
            of,
        ));
        let mut goals = equal(design.length, design.levels);
        let rising: String = ('1'..='9').take(design.length).collect();
        if (2..=usize::from(design.levels)).contains(&design.length) {
            goals.push(rising);
        }
        let owners = [("design-shared", false), ("design-apart", true)].map(|(key, own)| {
            let next = design.with_own_goals(own);
            self.choice(&next, own == design.second.is_some(), words.text(key))
        });
        let second = design
            .second
            .iter()
            .map(|second| (second, true, "design-goals-second"));
        let first = match design.second {
            Some(_) => "design-goals-first",
            None => "design-goals",
        };
        for (chosen, of_second, key) in [(&design.goals, false, first)].into_iter().chain(second) {
            let choice = |goal: &String| {
                let levels: Vec<u8> = goal.bytes().map(|digit| digit - b'0').collect();
                let next = design.with_goal(goal, of_second);
                self.choice_of_lights(&next, chosen.contains(goal), &levels, "-")
            };
            let choices: Vec<String> = goals.iter().map(choice).collect();
            html.push_str(&self.group(key, &choices));
        }
        html.push_str(&self.group("design-own", &owners));
        let lines: Vec<String> = (1..=LINES)
            .map(|lines| {
                let next = Design {
                    lines,
                    ..design.clone()
                };
                self.choice(&next, lines == design.lines, &lines.to_string())
            })
            .collect();
        html + &self.group("design-lines", &lines)
    }

    /// What squares there are, and what becomes of them.
    fn squares(&self) -> String {
        let design = self.design;
        let levels: Vec<String> = (1..=3_u8)
            .map(|levels| {
                let next = design.with_lines(design.length, levels);
                let shown: Vec<u8> = (1..=levels).collect();
                self.choice_of_lights(&next, levels == design.levels, &shown, ", ")
            })
            .collect();
        let mut html = self.group("design-lights", &levels);
        let of = |design: &mut Design, value| design.hex = value;
        html.push_str(&self.one_of(
            "design-grid",
            &[(false, "design-square"), (true, "design-hex")],
            design.hex,
            of,
        ));
        let of = |design: &mut Design, value| design.wrap = value;
        html + &self.one_of("design-wrap", &WRAPS, design.wrap, of)
    }

    /// What a game remembers, and what each player may do.
    fn turns(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let mut html = String::new();
        let of = |design: &mut Design, value| design.swap = value;
        html.push_str(&self.one_of(
            "design-swap",
            &[(false, "design-never"), (true, "design-free")],
            design.swap,
            of,
        ));
        let of = |design: &mut Design, value| design.last = value;
        html.push_str(&self.one_of("design-last", &LASTS, design.last, of));
        let of = |design: &mut Design, value| design.pass = value;
        html.push_str(&self.one_of("design-pass", &PASSES, design.pass, of));
        let turns = TURNS.map(|turns| {
            let next = Design {
                turns,
                ..design.clone()
            };
            let text = match turns {
                "1-2-2" => words.text("design-one-then-two"),
                _ => turns,
            };
            self.choice(&next, turns == design.turns, text)
        });
        html.push_str(&self.group("design-turns", &turns));
        for (player, key) in [(0, "design-may-first"), (1, "design-may-second")] {
            let lights = LIGHTS.iter().take(usize::from(design.levels));
            let lights: Vec<String> = lights
                .map(|(level, _)| {
                    let on = design.may[player].contains(level);
                    self.choice_of_lights(&design.with_level(player, *level), on, &[*level], "")
                })
                .collect();
            html.push_str(&self.group(key, &lights));
        }
        html
    }

    /// The squares, each a link that changes it, what a click does, and the size.
    pub(super) fn board(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let (ranks, files) = (design.board.len(), design.board[0].len());
        let of = |design: &mut Design, value| design.click = value;
        let clicks = self.one_of("design-click", &CLICKS, design.click, of);
        let mut html = format!(
            "<h2 class=\"unseen\">{}</h2>{}<div class=\"group sizes\">",
            words.text("design-board"),
            self.drawing()
        );
        let sizes = [
            (
                "design-rank",
                ranks,
                [
                    (design.sized(ranks - 1, files), "design-fewer-ranks"),
                    (design.sized(ranks + 1, files), "design-more-ranks"),
                ],
            ),
            (
                "design-file",
                files,
                [
                    (design.sized(ranks, files - 1), "design-fewer-files"),
                    (design.sized(ranks, files + 1), "design-more-files"),
                ],
            ),
        ];
        for (name, count, [fewer, more]) in sizes {
            let _ = write!(
                html,
                "<p><span>{}</span> {} <strong>{count}</strong> {}</p>",
                words.text(name),
                self.size('\u{2212}', fewer),
                self.size('+', more)
            );
        }
        html + "</div>" + &clicks
    }

    /// A step to another size, where there is one.
    fn size(&self, sign: char, (next, key): (Option<Design>, &'static str)) -> String {
        match next {
            Some(next) => format!(
                "<a rel=\"nofollow\" href=\"{}\" aria-label=\"{}\">{sign}</a>",
                escaped(&self.address(&next)),
                self.reader.language.text(key)
            ),
            None => format!("<span aria-hidden=\"true\">{sign}</span>"),
        }
    }

    /// Where the game is played and looked at: under its own name, where it is one of the catalogue.
    pub(super) fn ways(&self, variant: &Variant) -> String {
        let words = self.reader.language;
        let twin = catalogue().iter().copied().find(|name| {
            let known = self.explorer.variant(name);
            known.is_ok_and(|known| known.rules().hash == variant.rules().hash)
        });
        let name = twin.map_or_else(|| own_rules::name_of(self.design), String::from);
        let plain = self.reader.plain();
        let address = |path: String| escaped(&plain.address(self.explorer, &path, &[]));
        let mut html = format!(
            "<p class=\"actions\"><a class=\"first\" rel=\"nofollow\" id=\"play-this\" href=\"{}\">{}</a> \
             <a rel=\"nofollow\" href=\"{}\">{}</a></p>",
            address(format!("/{name}/play")),
            words.text("design-play-this"),
            address(format!("/{name}")),
            words.text("design-explore")
        );
        if twin != Some(HERO.0) {
            let games = [("a", HERO.0), ("b", &*name)];
            let _ = write!(
                html,
                "<p class=\"tools\"><a rel=\"nofollow\" href=\"{}\">{}</a></p>",
                escaped(&plain.address(self.explorer, "/compare", &games)),
                escaped(&words.with(
                    "design-compare",
                    titles::title(self.explorer, words, HERO.0)
                ))
            );
        }
        if let Some(twin) = twin {
            let known = titles::title(self.explorer, words, twin);
            let _ = write!(
                html,
                "<p class=\"details\">{}</p>",
                escaped(&words.with("design-twin", known))
            );
        }
        html
    }

    /// The rules in words.
    pub(super) fn rules(&self, variant: &Variant) -> String {
        let words = self.reader.language;
        let mut html = format!(
            "<section class=\"rules\"><h2>{}</h2><ul>",
            words.text("rules")
        );
        for sentence in words.rules(variant) {
            let _ = write!(html, "<li>{}</li>", escaped(&sentence));
        }
        html + "</ul></section>"
    }
}
