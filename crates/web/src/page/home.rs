//! The first page: a board, and the games.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{FAMILIES, Figures, Game, Variant, catalogue};
use greenwave_picture::{Picture, Scheme, escaped, ring};
use greenwave_tablebase::{Answer, Place, QueryOptions};

use crate::explorer::{Client, Demand, Explorer};
use crate::page::figures::FigureUnit;
use crate::page::reader::Reader;
use crate::page::start::{Start, winner};
use crate::page::tiles::{HERO, open_squares, tiles};
use crate::page::titles::{family_name, lights_note, title};
use crate::page::{figures, frame};
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::RouteAnswer;

/// The time in which the values of the board of the first page are worked out.
const HERO_TIME: Duration = Duration::from_secs(2);

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
    let mut picture = Picture::new(&diagram, words.text("hero"));
    picture.scheme = Scheme::Page;
    let known: Vec<(&str, Figures)> = answer
        .into_iter()
        .flat_map(|answer| &answer.moves)
        .map(|mv| (mv.mv.as_str(), mv.figures()))
        .collect();
    let best = answer.map_or(0, |answer| answer.best.len());
    let open = open_squares(explorer, reader, (name, &*variant), &at, Some(&position));
    for (text, mut tag) in open {
        if let Some(rank) = known.iter().position(|(mv, _)| *mv == text) {
            let (worth, tone, spoken) = figures::of_move(words, &known[rank].1);
            (tag.text, tag.tone) = (worth, tone);
            tag.label = format!("{text} {spoken}");
            tag.ring = ring(&known, rank, best);
        }
        picture.tags.push(tag);
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
        let _ = write!(
            html,
            "<p class=\"note key\">{} {}</p>",
            figures::key(words, FigureUnit::Plies, variant.rules().has_draws()),
            words.text("legend-best")
        );
    }
    html + &lights_note(words, &variant)
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
         <p class=\"lead\">{}</p><p class=\"order\" aria-hidden=\"true\"><svg viewBox=\"0 0 124 24\" \
         width=\"124\" height=\"24\"><circle class=\"lamp-r\" cx=\"12\" cy=\"12\" r=\"11\"/><path class=\"to\" \
         d=\"M30 12h14m-5-5l5 5-5 5\"/><circle class=\"lamp-y\" cx=\"62\" cy=\"12\" r=\"11\"/><path class=\"to\" \
         d=\"M80 12h14m-5-5l5 5-5 5\"/><circle class=\"lamp-g\" cx=\"112\" cy=\"12\" r=\"11\"/></svg></p>\
         <p class=\"actions\"><a class=\"first\" href=\"{}\">{}</a> <a href=\"{}\">{}</a> <a href=\"{}\">{}</a></p>\
         <p><a href=\"{}\">{}</a></p></div><section class=\"board\">{}</section></div><h2 id=\"games\">{}</h2>",
        words.text("tagline"),
        words.text("rule-line"),
        address("/play"),
        words.text("tab-play"),
        address("/puzzle"),
        words.text("today"),
        escaped(&reader.address(explorer, &format!("/{}", HERO.0), &[("position", HERO.1)])),
        words.text("explore"),
        address("/lesson"),
        words.text("lesson"),
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
