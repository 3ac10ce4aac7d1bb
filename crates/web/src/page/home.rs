//! The first page: a board, and the games.

use std::fmt::Write;

use greenwave_game::{FAMILIES, Game, Variant, catalogue};
use greenwave_picture::{Picture, Scheme, escaped, lamp};
use greenwave_words::Language;

use crate::board_words::lights;
use crate::explorer::Explorer;
use crate::page::frame;
use crate::page::reader::Reader;
use crate::page::start::{Start, winner};
use crate::page::tiles::{HERO, open_squares, tiles};
use crate::page::titles::{choices, family_name, title};
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::RouteAnswer;

/// The board of the first page: every square that can be played is a link to what its move comes to.
fn hero(explorer: &Explorer, reader: &Reader) -> String {
    let (name, position) = HERO;
    let Ok(variant) = explorer.variant(name) else {
        return String::new();
    };
    let words = reader.language;
    let at = variant.parse_position(position);
    let at = at.unwrap_or_else(|_| variant.start());
    let (diagram, position) = (variant.diagram(&at), variant.position_text(&at));
    let mut picture = Picture::new(&diagram, words.text("hero"));
    picture.scheme = Scheme::Page;
    // The board asks: what a move is worth stands on the page it leads to.
    let open = open_squares(explorer, reader, (name, &*variant), &at, Some(&position));
    picture.tags = open.into_iter().map(|(_, tag)| tag).collect();
    format!(
        "<p class=\"verdict\">{}</p>{}",
        words.text("hero-task"),
        picture.svg()
    )
}

/// The lights in the order in which a square goes through them.
pub(super) fn order(words: Language, variant: &Variant) -> String {
    let shown = [('R', "red"), ('Y', "yellow"), ('G', "green")];
    let shown =
        shown.map(|(letter, key)| format!("<span>{}{}</span>", lamp(letter), words.text(key)));
    let then = "<svg viewBox=\"0 0 18 12\" width=\"18\" height=\"12\">\
                <path class=\"to\" d=\"M2 6h14m-5-5l5 5-5 5\"/></svg>";
    format!(
        "<p class=\"order\"><span class=\"unseen\">{}</span><span aria-hidden=\"true\">{}</span></p>",
        escaped(&lights(words, variant, ", ")),
        shown.join(then)
    )
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

    fn is_set(&self) -> bool {
        let texts = [self.name, self.family, self.winner];
        self.cells.is_some() || texts.iter().any(|text| !text.is_empty())
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

pub(crate) fn page(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    // The game in the middle of play is written in its own lights.
    let own = Reader {
        lights: None,
        ..reader.clone()
    };
    let words = reader.language;
    let filter = Filter::read(params)?;
    let address = |path: &str| escaped(&reader.address(explorer, path, &[]));
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"home\"><div class=\"hero\"><div><h1>{}</h1>\
         <p class=\"lead\">{}</p>{}<p class=\"proved\">{}</p><p class=\"actions\"><a class=\"first\" href=\"{}\">{}</a> <a href=\"{}\">{}</a> \
         <a href=\"{}\">{}</a></p>\
         <p class=\"more-ways\"><a href=\"{}\">{}</a> <a href=\"{}\">{}</a></p></div><section class=\"board\">{}</section></div><h2 id=\"games\">{}</h2>",
        words.text("tagline"),
        words.text("rule-line-ryg"),
        order(words, &*explorer.variant(HERO.0)?),
        escaped(words.text("home-proved")),
        address("/play"),
        words.text("tab-play"),
        address("/puzzle"),
        words.text("today"),
        escaped(&own.address(explorer, &format!("/{}", HERO.0), &[("position", HERO.1)])),
        words.text("show-hints"),
        address("/lesson"),
        words.text("lesson"),
        address(&format!("/{}/record", HERO.0)),
        words.text("paste"),
        hero(explorer, &own),
        words.text("games")
    );
    body.push_str(&tiles(explorer, reader, ""));
    let _ = write!(
        body,
        "<details class=\"all\"{}><summary><h2 id=\"all\">{}</h2></summary>{}<ul class=\"names\">",
        // A filtered list is what was asked for.
        if filter.is_set() { " open" } else { "" },
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
            "<li><a title=\"{}\" href=\"{}\">{}</a> <small>{squares}</small> {}</li>",
            escaped(name),
            address(&format!("/{name}")),
            escaped(&called),
            winner(words, &variant)
        );
    }
    body.push_str("</ul>");
    if found == 0 {
        let _ = write!(body, "<p role=\"status\">{}</p>", words.text("filter-none"));
    }
    body.push_str(&form(explorer, reader));
    body.push_str("</details></main>");
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
    format!(
        "<form class=\"open\" action=\"{}/go\" method=\"get\"><label for=\"name\">{}</label>\
         <input id=\"name\" name=\"name\" list=\"names\" required autocomplete=\"off\" \
         spellcheck=\"false\"><datalist id=\"names\">{}</datalist>{}<button>{}</button></form>",
        escaped(&explorer.base),
        words.text("choose-name"),
        choices(explorer, words),
        reader.hidden_fields(),
        words.text("open")
    )
}
