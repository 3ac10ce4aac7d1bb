//! The first page, and the names of games.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use greenwave_game::{Diagram, FAMILIES, Figures, Game, Outcome, Setting, Variant, catalogue};
use greenwave_picture::{Picture, Ring, Scheme, Tag, Tone, escaped, ring};
use greenwave_tablebase::{Answer, Place, PublishedResult, QueryOptions, published};
use greenwave_words::Language;

use crate::explorer::{Client, Demand, Explorer};
use crate::own_rules;
use crate::page::reader::Reader;
use crate::page::{figures, frame, options};
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::RouteAnswer;

/// The games shown as tiles, one of each kind, each with a position in the middle of a game.
const SHOWN: [(&str, &str); 10] = [
    ("classic-3x3", "..G/.R./Y.."),
    ("semaforo", "G..R/.Y../..G."),
    ("signal-3x3", "RY./..G/..."),
    ("green-3x3", "G.Y/.R./..G"),
    ("points-3x4", "G..Y/.R../Y..R"),
    ("slider", "R../.Y./..G+..R@E"),
    ("strip", ".G./R../..Y+.Y.@E"),
    ("bag-classic-3x3", "R../.Y./...;RRY;YGG;RG"),
    ("noughts-3x4", "XO../.X../...."),
    ("ampel-4-2-1", "4 2 1 r 1 0 0 ./.R/.y./...."),
];

/// The board on the first page.
pub(super) const HERO: (&str, &str) = ("classic-3x3", "..G/.R./Y..");

/// The time in which the values of that board are worked out.
const HERO_TIME: Duration = Duration::from_secs(2);

static PUBLISHED: LazyLock<Vec<PublishedResult>> = LazyLock::new(published);

/// What is published about the start of a game: its figures, and the expectation where chance takes part.
pub(super) struct Start {
    figures: Figures,
    expectation: Option<f64>,
    /// Whether the expectation is one of points.
    scores: bool,
}

impl Start {
    pub(super) fn of(variant: &Variant) -> Option<Start> {
        let rules = variant.rules();
        let hash = rules.hash.to_string();
        let row = PUBLISHED
            .iter()
            .find(|row| row.rules_hash == hash && row.metric == rules.default_metric.name())?;
        Some(Start {
            figures: row.start,
            expectation: row.expectation,
            scores: rules.properties.scores,
        })
    }

    /// Whom the game favours: `first`, `second` or `draw`.
    fn favours(&self) -> Option<&'static str> {
        let sign = match (self.expectation, self.figures.points) {
            (Some(share), _) => share,
            (None, Some(points)) => f64::from(points),
            (None, None) => match self.figures.value? {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.0,
                Outcome::Loss => -1.0,
            },
        };
        Some(if sign > 0.0 {
            "first"
        } else if sign < 0.0 {
            "second"
        } else {
            "draw"
        })
    }

    /// What the start comes to for the first player, as a sentence.
    pub(super) fn verdict(&self, words: Language) -> String {
        match self.expectation {
            Some(share) => words.with("expects", words.expectation(share, 4)),
            None => figures::standing(words, &self.figures),
        }
    }

    /// What the start comes to, in the words of a badge.
    pub(super) fn in_words(&self, words: Language) -> String {
        if let Some(share) = self.expectation {
            return figures::expected(words, share, self.scores);
        }
        let (figures, scores) = (&self.figures, self.scores);
        if figures.points.is_none() && figures.value == Some(Outcome::Draw) {
            return words.text("start-draw").into();
        }
        let standing = figures::standing_for(words, figures, scores, true);
        standing.unwrap_or_else(|| words.text("start-unknown").into())
    }
}

/// Whom a game favours, as a badge.
fn winner(words: Language, variant: &Variant) -> String {
    let Some(start) = Start::of(variant) else {
        return String::new();
    };
    let class = match start.favours() {
        Some("first") => "win",
        Some("second") => "loss",
        Some(_) | None => "draw",
    };
    format!(
        "<span class=\"tag {class}\">{}</span>",
        escaped(&start.in_words(words))
    )
}

/// The name of a kind of game as people say it.
pub(super) fn family_name(words: Language, family: &str) -> &'static str {
    words.text(match family {
        "classic" => "family-classic",
        "signal" => "family-signal",
        "green" => "family-green",
        "points" => "family-points",
        "noughts" => "family-noughts",
        "slider" => "family-slider",
        "strip" => "family-strip",
        "bag" => "family-bag",
        "ampel" => "family-ampel",
        _ => "family-custom",
    })
}

/// A game as people call it: its family and size, and in what its rules differ from those.
pub(super) fn title(explorer: &Explorer, words: Language, name: &str) -> String {
    if let Some(file) = explorer.file(name) {
        return file.variant.rules().title().to_string();
    }
    if own_rules::is_own(name) {
        return words.text("family-custom").into();
    }
    let Ok(variant) = explorer.variant(name) else {
        return words.named_game(name);
    };
    let rules = variant.rules();
    let base = name.split(':').next().unwrap_or(name);
    let mut called = base_title(explorer, words, rules.family.name, base);
    let changed = |setting: &&Setting| setting.value != setting.default;
    for setting in rules.options.iter().filter(changed) {
        called.push_str(" \u{b7} ");
        called.push_str(&options::in_title(words, setting));
    }
    called
}

/// The same of a name without options.
fn base_title(explorer: &Explorer, words: Language, family: &str, base: &str) -> String {
    let named = words.named_game(base);
    if named != base {
        return named;
    }
    let called = family_name(words, family);
    let Some(rest) = base.strip_prefix(family) else {
        return format!("{called} \u{b7} {base}");
    };
    match rest.strip_prefix('-') {
        None => called.into(),
        Some(size) if is_size(rest) => format!("{called} {}", size.replace('x', "\u{d7}")),
        // A game with a bag is called after the game that is played with it.
        Some(inner) if explorer.variant(inner).is_ok() => {
            format!("{called} \u{b7} {}", title(explorer, words, inner))
        }
        Some(size) => format!("{called} {size}"),
    }
}

/// Whether the rest of a name is a size, such as `-3x4`.
fn is_size(rest: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let sides = rest.strip_prefix('-').and_then(|size| size.split_once('x'));
    sides.is_some_and(|(ranks, files)| is_number(ranks) && is_number(files))
}

/// A position of a variant as it is drawn; its start where the text is none of its positions.
fn drawn(variant: &Variant, position: &str) -> Diagram {
    let read = variant.parse_position(position);
    variant.diagram(&read.unwrap_or_else(|_| variant.start()))
}

/// The values of the moves of the board of the first page; `None` where they are not known soon.
async fn hero_answer(explorer: &Arc<Explorer>, client: Client) -> Option<Answer> {
    let (name, position) = HERO;
    let variant = explorer.variant(name).ok()?;
    let demand = if explorer.settings.tablebase.is_at_hand(&variant) {
        Demand::Nothing
    } else {
        Demand::Job(HERO_TIME)
    };
    let answered = explorer.work(client, demand, move |_, tablebase| {
        let options = QueryOptions::default();
        Ok(tablebase.query_at(&variant, &Place::at(position), &options)?)
    });
    answered.await.ok()
}

/// The board of the first page: every square that can be played is a link, with what its move is worth.
fn hero(explorer: &Explorer, reader: &Reader, answer: Option<&Answer>) -> String {
    let (name, position) = HERO;
    let Ok(variant) = explorer.variant(name) else {
        return String::new();
    };
    let words = reader.language;
    let at = variant.parse_position(position);
    let at = at.unwrap_or_else(|_| variant.start());
    let (diagram, position) = (variant.diagram(&at), variant.position_text(&at));
    let moves = variant.move_texts(&at);
    let mut picture = Picture::new(&diagram, words.text("hero"));
    picture.scheme = Scheme::Page;
    let known: Vec<(&str, Figures)> = answer
        .into_iter()
        .flat_map(|answer| &answer.moves)
        .map(|mv| (mv.mv.as_str(), mv.figures()))
        .collect();
    let best = answer.map_or(0, |answer| answer.best.len());
    for text in &moves {
        let Some(square) = diagram
            .names
            .iter()
            .position(|square| text.starts_with(square))
        else {
            continue;
        };
        let own = [("position", position.as_str()), ("moves", text.as_str())];
        let rank = known.iter().position(|(mv, _)| mv == text);
        let (worth, tone, label) = match rank {
            Some(rank) => {
                let (worth, tone, spoken) = figures::of_move(words, &known[rank].1);
                (worth, tone, format!("{text} {spoken}"))
            }
            None => (String::new(), Tone::Plain, text.clone()),
        };
        picture.tags.push(Tag {
            square,
            text: worth,
            tone,
            ring: rank.map_or(Ring::None, |rank| ring(&known, rank, best)),
            next: text.chars().last(),
            heat: 0,
            href: Some(reader.address(explorer, &format!("/{name}"), &own)),
            label,
        });
    }
    let mut html = answer.map_or_else(String::new, |answer| {
        format!(
            "<p class=\"verdict\">{}</p>",
            escaped(&figures::verdict(
                words,
                answer,
                variant.rules().properties.scores
            ))
        )
    });
    html.push_str(&picture.svg());
    if !known.is_empty() {
        let key = ["legend", "legend-plies", "legend-best"].map(|key| words.text(key));
        let _ = write!(html, "<p class=\"note key\">{}</p>", key.join(" "));
    }
    html
}

/// The filter of the list of all games.
struct Filter<'p> {
    name: &'p str,
    family: &'p str,
    winner: &'p str,
    cells: Option<u32>,
}

impl Filter<'_> {
    fn read(params: &Params) -> Result<Filter<'_>, Problem> {
        let winners = [("first", "first"), ("second", "second"), ("draw", "draw")];
        let families: Vec<(&str, &str)> = FAMILIES
            .iter()
            .map(|family| (family.name, family.name))
            .collect();
        Ok(Filter {
            name: params.get("find").unwrap_or("").trim(),
            family: params.one_of("family", &families)?.unwrap_or(""),
            winner: params.one_of("winner", &winners)?.unwrap_or(""),
            cells: params.number("cells", 64)?.map(|cells| cells as u32),
        })
    }

    fn lets(&self, variant: &Variant, title: &str) -> bool {
        let rules = variant.rules();
        let wanted = self.name.to_lowercase();
        let named =
            rules.name.to_lowercase().contains(&wanted) || title.to_lowercase().contains(&wanted);
        named
            && (self.family.is_empty() || rules.family.name == self.family)
            && self.cells.is_none_or(|cells| rules.cells <= cells)
            && (self.winner.is_empty()
                || Start::of(variant).and_then(|start| start.favours()) == Some(self.winner))
    }

    fn form(&self, explorer: &Explorer, reader: &Reader) -> String {
        let words = reader.language;
        let choice = |name: &str, key: &'static str, all: &[(&str, String)], chosen: &str| {
            let mut html = format!(
                "<p><label for=\"f-{name}\">{}</label><select id=\"f-{name}\" name=\"{name}\">\
                 <option value=\"\">{}</option>",
                words.text(key),
                words.text("filter-any")
            );
            for (value, text) in all {
                let selected = if *value == chosen { " selected" } else { "" };
                let _ = write!(
                    html,
                    "<option value=\"{value}\"{selected}>{}</option>",
                    escaped(text)
                );
            }
            html + "</select></p>"
        };
        let families: Vec<(&str, String)> = FAMILIES
            .iter()
            .map(|family| (family.name, family_name(words, family.name).to_string()))
            .collect();
        let winners = [
            ("first", words.text("start-first-plain").to_string()),
            ("second", words.text("start-second-plain").to_string()),
            ("draw", words.text("start-draw").to_string()),
        ];
        let sizes = ["9", "12", "16"].map(|cells| (cells, cells.to_string()));
        let cells = self
            .cells
            .map_or_else(String::new, |cells| cells.to_string());
        format!(
            "<form class=\"filter\" action=\"{}\" method=\"get\"><p><label for=\"f-find\">{}</label>\
             <input id=\"f-find\" name=\"find\" value=\"{}\" autocomplete=\"off\" spellcheck=\"false\"></p>\
             {}{}{}{}<button>{}</button></form>",
            escaped(&format!(
                "{}/{}",
                explorer.base,
                // The games that were found stand below the board.
                if explorer.in_folder { "" } else { "#all" }
            )),
            words.text("filter-name"),
            escaped(self.name),
            choice("family", "filter-family", &families, self.family),
            choice("winner", "filter-winner", &winners, self.winner),
            choice("cells", "filter-size", &sizes, &cells),
            reader.hidden_fields(),
            words.text("filter")
        )
    }
}

/// A tile for a game of each kind, which leads to a page of the game.
pub(super) fn tiles(explorer: &Explorer, reader: &Reader, page: &str) -> String {
    let words = reader.language;
    let mut html = String::from("<ul class=\"cards\">");
    for (name, position) in SHOWN {
        let Ok(variant) = explorer.variant(name) else {
            continue;
        };
        let mut board = drawn(&variant, position);
        board.rows.clear();
        board.labels.clear();
        let mut picture = Picture::new(&board, name);
        picture.scheme = Scheme::Page;
        let family = variant.rules().family.name;
        let (title, note) = if name == "semaforo" {
            (
                words.named_game(name),
                words.text("semaforo-note").to_string(),
            )
        } else {
            let squares = words.with("squares", variant.rules().cells);
            (
                family_name(words, family).to_string(),
                format!("{name} \u{b7} {squares}"),
            )
        };
        let _ = write!(
            html,
            "<li><a href=\"{}\"><span aria-hidden=\"true\">{}</span><strong>{}</strong> <small>{}</small> {}\
             </a></li>",
            escaped(&reader.address(explorer, &format!("/{name}{page}"), &[])),
            picture.svg(),
            escaped(&title),
            escaped(&note),
            winner(words, &variant)
        );
    }
    html + "</ul>"
}

pub(crate) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let worth = if reader.hints {
        hero_answer(explorer, client).await
    } else {
        None
    };
    let filter = Filter::read(params)?;
    let address = |path: &str| escaped(&reader.address(explorer, path, &[]));
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"home\"><div class=\"hero\"><div><h1>{}</h1>\
         <p class=\"lead\">{} {}</p><p class=\"order\" aria-hidden=\"true\"><svg viewBox=\"0 0 124 24\" \
         width=\"124\" height=\"24\"><circle class=\"lamp-r\" cx=\"12\" cy=\"12\" r=\"11\"/><path class=\"to\" \
         d=\"M30 12h14m-5-5l5 5-5 5\"/><circle class=\"lamp-y\" cx=\"62\" cy=\"12\" r=\"11\"/><path class=\"to\" \
         d=\"M80 12h14m-5-5l5 5-5 5\"/><circle class=\"lamp-g\" cx=\"112\" cy=\"12\" r=\"11\"/></svg></p>\
         <p class=\"actions\"><a class=\"first\" href=\"{}\">{}</a> <a href=\"{}\">{}</a> <a href=\"{}\">{}</a></p>\
         </div><section class=\"board\">{}</section></div><h2 id=\"games\">{}</h2>",
        words.text("tagline"),
        words.text("rule-line"),
        words.text("intro"),
        address("/play"),
        words.text("tab-play"),
        address("/puzzle"),
        words.text("today"),
        escaped(&reader.address(explorer, &format!("/{}", HERO.0), &[("position", HERO.1)])),
        words.text("open-board"),
        hero(explorer, reader, worth.as_ref()),
        words.text("games")
    );
    body.push_str(&tiles(explorer, reader, ""));
    let _ = write!(
        body,
        "<details class=\"all\" data-folds open><summary><h2 id=\"all\">{}</h2></summary>{}<ul class=\"names\">",
        words.text("all-games"),
        filter.form(explorer, reader)
    );
    let files = explorer.files().map(|file| file.variant.rules().title());
    let mut found = 0;
    for name in ["semaforo"]
        .into_iter()
        .chain(catalogue().iter().copied())
        .chain(files)
    {
        let Ok(variant) = explorer.variant(name) else {
            continue;
        };
        let called = match explorer.file(name) {
            Some(file) => file.title.clone(),
            None => title(explorer, words, name),
        };
        if !filter.lets(&variant, &called) {
            continue;
        }
        found += 1;
        let squares = words.with("squares", variant.rules().cells);
        let _ = write!(
            body,
            "<li><a href=\"{}\">{}</a> <small><code>{}</code> \u{b7} {squares}</small> {}</li>",
            address(&format!("/{name}")),
            escaped(&called),
            escaped(name),
            winner(words, &variant)
        );
    }
    body.push_str("</ul>");
    if found == 0 {
        let _ = write!(body, "<p role=\"status\">{}</p>", words.text("filter-none"));
    }
    body.push_str("</details>");
    body.push_str(&form(explorer, reader));
    body.push_str("</main>");
    Ok(frame::answer(
        explorer,
        reader,
        words.text("tagline"),
        Some(("/", &[])),
        &body,
    ))
}

/// The form that opens a variant by its name.
pub(crate) fn form(explorer: &Explorer, reader: &Reader) -> String {
    let words = reader.language;
    let mut names: Vec<&str> = catalogue().to_vec();
    names.extend(explorer.files().map(|file| file.variant.rules().title()));
    let list: String = names
        .iter()
        .map(|name| format!("<option value=\"{}\"></option>", escaped(name)))
        .collect();
    format!(
        "<form class=\"open\" action=\"{}/go\" method=\"get\"><label for=\"name\">{}</label>\
         <input id=\"name\" name=\"name\" list=\"names\" required autocomplete=\"off\" \
         spellcheck=\"false\"><datalist id=\"names\">{list}</datalist>{}<button>{}</button></form>",
        escaped(&explorer.base),
        words.text("choose-name"),
        reader.hidden_fields(),
        words.text("open")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_a_name_of_its_own() {
        let rest = family_name(Language::English, "");
        for family in FAMILIES {
            assert_ne!(family_name(Language::English, family.name), rest);
        }
    }
}
