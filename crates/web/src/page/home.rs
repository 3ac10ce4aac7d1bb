//! The first page, and the way from a form to a variant.

use greenwave_game::{Variant, catalogue};
use greenwave_picture::{Picture, Scheme, escaped};

use crate::explorer::Explorer;
use crate::page::{CARRIED, Reader, frame};
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::{Answered, Kind};

/// The games shown with a picture, one of each kind.
const SHOWN: [&str; 8] = [
    "classic-3x3",
    "semaforo",
    "signal-3x3",
    "points-3x4",
    "slider",
    "strip",
    "bag-classic-3x3",
    "ampel-4-2-1",
];

pub(crate) fn page(explorer: &Explorer, reader: &Reader) -> Answered {
    let words = reader.language;
    let mut ways = String::from("<p class=\"tools\">");
    for (path, key) in [
        ("/puzzle", "puzzle-of-the-day"),
        ("/compare", "compare"),
        ("/sum", "sums"),
        ("/claims", "claims"),
        ("/tables", "tables"),
    ] {
        ways.push_str(&format!(
            "<a href=\"{}\">{}</a> ",
            escaped(&reader.address(explorer, path, &[])),
            words.text(key)
        ));
    }
    ways.push_str("</p>");
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"><h1>{}</h1><p class=\"lead\">{}</p>{}{ways}<ul class=\"cards\">",
        words.text("tagline"),
        words.text("intro"),
        form(explorer, reader)
    );
    for name in SHOWN {
        let Ok(variant) = explorer.variant(name) else {
            continue;
        };
        let diagram = greenwave_game::with_game!(&*variant, game => {
            use greenwave_game::Game;
            game.diagram(&game.start())
        });
        let mut board = diagram.clone();
        board.rows.clear();
        board.labels.clear();
        let mut picture = Picture::new(&board, name);
        picture.scheme = Scheme::Page;
        let note = if name == "semaforo" {
            words.text("semaforo-note").to_string()
        } else {
            words.with("squares", variant.rules().cells)
        };
        body.push_str(&format!(
            "<li><a href=\"{}\"><span aria-hidden=\"true\">{}</span><strong>{}</strong> <small>{}</small>\
             </a></li>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            picture.svg(),
            escaped(&words.named_game(name)),
            escaped(&note)
        ));
    }
    body.push_str("</ul><ul class=\"names\">");
    let files = explorer
        .files()
        .map(|file| file.variant.rules().name.as_str());
    for name in catalogue().iter().copied().chain(files) {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            escaped(name)
        ));
    }
    body.push_str("</ul></main>");
    Answered {
        kind: Kind::Page,
        body: frame::page(
            explorer,
            reader,
            words.text("tagline"),
            Some(("/", &[])),
            &body,
        ),
        signature: None,
    }
}

/// The form that opens a variant by its name.
pub(crate) fn form(explorer: &Explorer, reader: &Reader) -> String {
    let words = reader.language;
    let mut names: Vec<&str> = catalogue().to_vec();
    names.extend(
        explorer
            .files()
            .map(|file| file.variant.rules().name.as_str()),
    );
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
        kept(reader),
        words.text("open")
    )
}

/// What a form carries on.
pub(crate) fn kept(reader: &Reader) -> String {
    let mut fields = String::new();
    let mut field = |name: &str, value: &str| {
        fields.push_str(&format!(
            "<input type=\"hidden\" name=\"{name}\" value=\"{value}\">"
        ));
    };
    if reader.language_asked {
        field("lang", reader.language.code());
    }
    if !reader.hints {
        field("hints", "0");
    }
    if let Some(lights) = reader.lights {
        field("lights", lights.name());
    }
    fields
}

/// The form of the options of a variant.
pub(crate) fn options(explorer: &Explorer, reader: &Reader, variant: &Variant) -> String {
    let rules = variant.rules();
    let name = rules.title().split(':').next().unwrap_or_default();
    let mut html = format!(
        "<form class=\"options\" action=\"{}/go\" method=\"get\"><input type=\"hidden\" name=\"name\" \
         value=\"{}\">{}",
        escaped(&explorer.base),
        escaped(name),
        kept(reader)
    );
    for setting in &rules.options {
        html.push_str(&format!(
            "<p><label for=\"o-{key}\">{key}</label><input id=\"o-{key}\" name=\"o-{key}\" value=\"{}\" \
             spellcheck=\"false\" autocomplete=\"off\" aria-describedby=\"a-{key}\"><small \
             id=\"a-{key}\">{}</small></p>",
            escaped(&setting.value),
            escaped(&setting.allowed),
            key = setting.key
        ));
    }
    html.push_str(&format!(
        "<button>{}</button></form>",
        reader.language.text("open")
    ));
    html
}

/// From a form to the page of the variant that it names: a page with a link, which is followed at
/// once.
pub(crate) fn go(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<Answered, Problem> {
    let name = params.text("name").ok_or_else(|| {
        Problem::input("found no name of a game, expected one such as classic-3x4")
    })?;
    let mut settings = Vec::new();
    let mut keys = vec!["name".to_string()];
    if let Ok(variant) = explorer.variant(&name) {
        let options = variant.rules().options.iter();
        keys.extend(options.map(|setting| format!("o-{}", setting.key)));
        for setting in &variant.rules().options {
            let value = params.text(&format!("o-{}", setting.key));
            if let Some(value) = value.filter(|value| *value != setting.default) {
                settings.push(format!("{}={value}", setting.key));
            }
        }
    }
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    params.only_on_page(&[&keys[..], &CARRIED].concat())?;
    let name = match settings.is_empty() {
        true => name,
        false => format!("{name}:{}", settings.join(",")),
    };
    explorer.variant(&name)?;
    Ok(Answered {
        kind: Kind::Moved,
        body: reader.address(explorer, &format!("/{name}"), &[]),
        signature: None,
    })
}
