//! A position that is edited: what to put on its squares, the strip beside it, and the form that takes it as a text.

use std::fmt::Write;

use greenwave_game::{AnyPosition, Game, Mark};
use greenwave_picture::{Tag, Words, escaped, lamp};

use crate::page::contents::Page;
use crate::page::reader::Reader;
use crate::params::encoded;

/// The sides at which a strip lies, as positions write them, each with its sign and the key of its words.
const SIDES: [(&str, char, &str); 4] = [
    ("N", '\u{2191}', "edit-strip-north"),
    ("E", '\u{2192}', "edit-strip-east"),
    ("S", '\u{2193}', "edit-strip-south"),
    ("W", '\u{2190}', "edit-strip-west"),
];

/// What follows the side of a strip that was moved last.
const BARRED: &str = ",barred";

impl Page<'_> {
    /// What to put on squares, and the form that takes the position as a text.
    pub(super) fn editing(&self) -> String {
        let words = self.reader.language;
        let Some(at) = self.view.passed[self.view.at].at else {
            let note = words.text("edit-draw");
            return format!("<p>{note}</p>{}", self.position_form());
        };
        let mut html = format!(
            "<section class=\"palette\"><h2>{}</h2><p class=\"tools\">{}</p><p class=\"note\">{}</p>",
            words.text("edit-put"),
            self.palette(&at),
            words.text("edit-note")
        );
        html.push_str(&self.strip_places(&at));
        let variant = &self.question.variant;
        if let Some(cleared) = variant.with_no_marks(&at).filter(|cleared| *cleared != at) {
            let _ = write!(
                html,
                "<p class=\"tools\"><a data-tool=\"clear\" href=\"{}\">{}</a></p>",
                escaped(&self.at_position(&variant.position_text(&cleared))),
                words.text("edit-clear")
            );
        }
        html + "</section>" + &self.position_form()
    }

    /// Each square with the position that a press on it makes.
    pub(super) fn edit_tags(&self) -> Vec<Tag> {
        let Some(at) = self.view.passed[self.view.at].at else {
            return Vec::new();
        };
        let variant = &self.question.variant;
        let standing = self.standing();
        let brush = self.brush(&at);
        let squares = self.view.diagram.marks.iter().enumerate();
        let tags = squares.filter_map(|(square, (.., stands))| {
            let name = self.view.diagram.names.get(square)?;
            let put = brush.map(|brush| {
                if brush == *stands {
                    stands.alternatives()[0]
                } else {
                    brush
                }
            });
            let changed = match put {
                Some(mark) if mark == *stands => None,
                Some(mark) => variant.edited(&at, square, mark),
                None => variant.with_next_mark(&at, square),
            }?;
            let label = match put {
                Some(mark) => format!("{name}: {}", standing.mark(&self.view.diagram, mark)),
                None => self.reader.language.with("edit-square", name),
            };
            Some(Tag {
                square,
                href: Some(self.at_position(&variant.position_text(&changed))),
                label,
                ..Tag::default()
            })
        });
        tags.collect()
    }

    fn standing(&self) -> Words<'static> {
        let words = self.reader.language;
        Words::of_keys(|key| words.text(key))
    }

    /// Everything that can stand on the squares of this game.
    fn alternatives(&self) -> Vec<Mark> {
        let first = self.view.diagram.marks.first();
        first.map_or_else(Vec::new, |(.., mark)| mark.alternatives())
    }

    /// Whether something can be put on a square on which it does not stand.
    fn can_be_put(&self, at: &AnyPosition, mark: Mark) -> bool {
        let mut squares = self.view.diagram.marks.iter().enumerate();
        squares.any(|(square, (.., stands))| {
            *stands != mark && self.question.variant.edited(at, square, mark).is_some()
        })
    }

    /// What was chosen to be put on squares, as long as the rules allow it somewhere.
    fn brush(&self, at: &AnyPosition) -> Option<Mark> {
        let chosen = self.reader.brush?;
        let mut all = self.alternatives().into_iter();
        let mark = all.find(|mark| self.brush_of(*mark) == chosen)?;
        self.can_be_put(at, mark).then_some(mark)
    }

    /// The name of something that can be put on squares, in addresses.
    fn brush_of(&self, mark: Mark) -> &'static str {
        match self.lit(mark) {
            Some('R') if is_covered(mark) => "red-cylinder",
            Some('G') if is_covered(mark) => "green-cylinder",
            Some('R') => "red",
            Some('Y') => "yellow",
            Some('G') => "green",
            Some('X') => "x",
            Some('O') => "o",
            Some(_) | None => "empty",
        }
    }

    /// The letter of a light, disc or sign.
    fn lit(&self, mark: Mark) -> Option<char> {
        match mark {
            Mark::Level(0) | Mark::Point => None,
            Mark::Level(level) => Some(self.view.diagram.letter(level)),
            Mark::Disc { colour, .. } => Some(colour),
            Mark::Sign(sign) => sign,
        }
    }

    /// The links that choose what to put.
    fn palette(&self, at: &AnyPosition) -> String {
        let words = self.reader.language;
        let standing = self.standing();
        let chosen = self.brush(at);
        let choice = |mark: Option<Mark>| {
            let said = match mark {
                Some(mark) => escaped(&standing.mark(&self.view.diagram, mark)),
                None => words.text("edit-next").into(),
            };
            let lit = mark.and_then(|mark| self.lit(mark));
            let text = format!("{}{said}", lit.map_or_else(String::new, lamp));
            if mark.is_some_and(|mark| !self.can_be_put(at, mark)) {
                return format!("<span class=\"unusable\">{text}</span> ");
            }
            let reader = Reader {
                brush: mark.map(|mark| self.brush_of(mark)),
                ..self.reader.clone()
            };
            let current = if mark == chosen {
                " aria-current=\"true\""
            } else {
                ""
            };
            format!(
                "<a data-tool=\"put-{}\"{current} href=\"{}\">{text}</a> ",
                reader.brush.unwrap_or("next"),
                escaped(&self.here(&reader))
            )
        };
        let all = self.alternatives().into_iter().map(Some);
        std::iter::once(None).chain(all).map(choice).collect()
    }

    /// The links that lay the strip elsewhere, turn it over, and tell whether it was moved last.
    fn strip_places(&self, at: &AnyPosition) -> String {
        let (words, variant) = (self.reader.language, &self.question.variant);
        let text = variant.position_text(at);
        let Some((board, side)) = text.split_once('@') else {
            return String::new();
        };
        let (side, rest) = side.split_at(1);
        let mut html = format!("<h2>{}</h2><p class=\"tools\">", words.text("edit-strip"));
        let mut link = |tool: &str, position: String, is_so: bool, said: &str| {
            if variant.parse_position(&position).is_ok() {
                let current = if is_so { " aria-current=\"true\"" } else { "" };
                let _ = write!(
                    html,
                    "<a data-tool=\"{tool}\"{current} href=\"{}\">{said}</a> ",
                    escaped(&self.at_position(&position))
                );
            }
        };
        for (to, sign, key) in SIDES {
            let said = format!(
                "<span aria-hidden=\"true\">{sign}</span> {}",
                words.text(key)
            );
            let tool = format!("strip-{to}");
            link(&tool, format!("{board}@{to}{rest}"), side == to, &said);
        }
        if let Some((board, strip)) = board.rsplit_once('+') {
            let over: String = strip.chars().rev().collect();
            let said = words.text("mv-turn");
            if over != strip {
                link(
                    "strip-turn",
                    format!("{board}+{over}@{side}{rest}"),
                    false,
                    said,
                );
            }
        }
        let said = words.text("edit-barred");
        match rest.strip_prefix(BARRED) {
            Some(free) => link("barred", format!("{board}@{side}{free}"), true, said),
            None => {
                let barred = format!("{board}@{side}{BARRED}{rest}");
                link("barred", barred, false, said);
            }
        }
        html + "</p>"
    }

    /// The form that takes a position as a text.
    fn position_form(&self) -> String {
        let words = self.reader.language;
        let position = self.view.position.as_deref().unwrap_or("");
        format!(
            "<form class=\"open\" action=\"{}\" method=\"get\"><label for=\"position\">{} \
             <small>{}</small></label><input id=\"position\" name=\"position\" value=\"{}\" \
             spellcheck=\"false\" autocomplete=\"off\">{}<button>{}</button></form>",
            escaped(&format!("{}{}", self.explorer.base, encoded(&self.path))),
            words.text("position"),
            words.text("position-hint"),
            escaped(position),
            self.reader.hidden_fields(),
            words.text("show")
        )
    }
}

/// Whether a disc lies under its owner's cylinder.
fn is_covered(mark: Mark) -> bool {
    matches!(mark, Mark::Disc { cylinder: true, .. })
}
