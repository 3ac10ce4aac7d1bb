//! The ways from a game to playing it, and to what there is to know about it.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Game, Luck, Play, Variant};
use greenwave_picture::{Picture, Scheme, escaped};
use greenwave_play::{Level, Theme, levels_of, offers_theme};
use greenwave_words::Language;

use crate::board_words::row_titles;
use crate::explorer::{Explorer, Reach};
use crate::page::puzzles::stars;
use crate::page::reader::Reader;
use crate::page::start::Start;
use crate::page::{frame, key, tiles, titles};
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// The games that are solved at once: of these claims are made and sheets printed.
pub(super) const FIRST_GAMES: [&str; 8] = [
    "classic-3x3",
    "semaforo",
    "signal-3x3",
    "green-3x3",
    "points-3x3",
    "noughts-3x4",
    "slider",
    "bag-classic-2x3",
];

/// The numbers of puzzles that a sheet can have.
pub(super) const SHEETS: [&str; 2] = ["6", "12"];

/// The page on which a game is begun without its name: that of the first page, and below it the others.
pub(super) fn play_first(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let question = Question::read(explorer, tiles::HERO.0, params)?;
    let plain = reader.plain();
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{}</h1><p><a href=\"{}\">{}</a></p>{}\
         <section><h2>{}</h2>{}</section></main>",
        words.text("play"),
        escaped(&plain.address(explorer, "/lesson", &[])),
        words.text("lesson"),
        begin(explorer, reader, &question, params),
        words.text("game-choose"),
        tiles::tiles(explorer, &plain, "/play")
    );
    Ok(page(explorer, reader, "play", "play", None, &body))
}

/// The page on which a game is begun.
pub(super) fn play(
    explorer: &Explorer,
    reader: &Reader,
    question: &Question,
    params: &Params,
) -> RouteAnswer {
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{}</h1>{}</main>",
        reader.language.text("play"),
        begin(explorer, reader, question, params)
    );
    page(explorer, reader, "play", "play", Some(question), &body)
}

/// The board of a game, on which the reader may begin at once, how well the program plays, and who begins.
fn begin(explorer: &Explorer, reader: &Reader, question: &Question, params: &Params) -> String {
    let words = reader.language;
    // A first game is to be won.
    let level = match params.get("level") {
        None | Some("") => Level::Easy,
        Some(_) => reader.level,
    };
    let quiet = Reader {
        hints: false,
        ..reader.plain()
    };
    let player = Reader {
        play: Some(true),
        level,
        ..quiet.clone()
    };
    let mut body = format!(
        "<form class=\"begin\" action=\"{}{}\" method=\"get\">{}",
        escaped(&explorer.base),
        escaped(&encoded(&format!("/{}", question.name))),
        seen(explorer, &player, question, "play-square")
    );
    if let Some(position) = &question.position {
        let _ = write!(
            body,
            "<input type=\"hidden\" name=\"position\" value=\"{}\">",
            escaped(position)
        );
    }
    body.push_str(&quiet.hidden_fields());
    body.push_str(&levels(explorer, words, &question.variant, level));
    let mut ways = [
        ("first", "play-first"),
        ("second", "play-second"),
        ("both", "play-both"),
    ];
    // Who wants to win does not begin a game that the first player loses.
    let start = Start::of(&question.variant).filter(|_| question.position.is_none());
    let is_lost = start
        .is_some_and(|start| start.figures.odds.is_none() && start.favours() == Some("second"));
    if is_lost {
        ways.swap(0, 1);
        let _ = write!(
            body,
            "<p><strong>{}</strong></p>",
            escaped(words.text("play-second-wins"))
        );
    }
    body.push_str("<p class=\"actions\">");
    for (number, (value, key)) in ways.into_iter().enumerate() {
        let first = if number == 0 { " class=\"first\"" } else { "" };
        let _ = write!(
            body,
            "<button name=\"play\" value=\"{value}\"{first}>{}</button> ",
            words.text(key)
        );
    }
    body + "</p></form>"
}

/// While something is worked out of a game: its board, on which a game may be begun, and its rules.
pub(super) fn meanwhile(explorer: &Explorer, reader: &Reader, question: &Question) -> String {
    let player = Reader {
        hints: false,
        play: Some(true),
        level: Level::Easy,
        again: None,
        ..reader.plain()
    };
    seen(explorer, &player, question, "meanwhile-play")
}

/// Whether a game is Traffic Lights itself: no option differs, and three alike of each light win where
/// the board has lines.
fn is_traffic_lights(variant: &Variant) -> bool {
    let options = &variant.rules().options;
    let is_usual = options.iter().all(|option| option.value == option.default);
    variant.fixed_board().is_some_and(|game| {
        let board = game.board();
        let wins = |level: u8| {
            let mut patterns = board.patterns.iter();
            patterns.any(|pattern| pattern.levels == [level; 3])
        };
        // The rules of a rule file stand in no options.
        !options.is_empty()
            && is_usual
            && board.play == Play::Normal
            && board.patterns.len() == 3
            && (1..=3).all(wins)
            && !board.shape.lines(board.line_length).is_empty()
    })
}

/// The rules of Traffic Lights in one line, in the order of its lights; `None` for other games.
pub(super) fn rule_line(words: Language, variant: &Variant) -> Option<&'static str> {
    let key = if variant.rules().begins_with_green() {
        "rule-line-gyr"
    } else {
        "rule-line-ryg"
    };
    is_traffic_lights(variant).then(|| words.text(key))
}

/// The board of a game at the position in which it is to begin, and its rules. Where a move is a light on a
/// square, it may be made there.
fn seen(
    explorer: &Explorer,
    player: &Reader,
    question: &Question,
    invitation: &'static str,
) -> String {
    let words = player.language;
    let (variant, at) = (&*question.variant, question.at());
    let diagram = variant.diagram(at.position());
    let titles = row_titles(words);
    let mut picture = Picture::new(&diagram, words.text("board"));
    picture.row_titles = &titles;
    picture.scheme = Scheme::Page;
    if variant.fixed_board().is_some() && variant.rules().lights.is_some() {
        let (game, position) = ((&*question.name, variant), question.position.as_deref());
        let open = tiles::open_squares(explorer, player, game, at.position(), position);
        picture.tags = open.into_iter().map(|(_, tag)| tag).collect();
    }
    let note = if picture.tags.is_empty() {
        String::new()
    } else {
        let level = format!(
            "<span data-level>{}</span>",
            escaped(words.text(level_key(player.level)))
        );
        format!(
            "<p><strong>{}</strong></p>",
            escaped(words.text(invitation)).replace("{}", &level)
        )
    };
    let task = key::task(words, &diagram);
    let task = task.map_or_else(String::new, |task| {
        format!("<p class=\"step\"><strong>{}</strong></p>", escaped(&task))
    });
    let rules = match rule_line(words, &question.variant) {
        Some(line) => format!("<p>{}</p>", escaped(line)),
        None => {
            let sentences = words.rules(&question.variant);
            let sentences = sentences
                .iter()
                .map(|one| format!("<p>{}</p>", escaped(one)));
            // Rules of one's own are known to nobody by their name.
            let open = if titles::is_of_own_rules(explorer, &question.name) {
                " open"
            } else {
                ""
            };
            format!(
                "<details{open}><summary>{}</summary>{}</details>",
                words.text("rules"),
                sentences.collect::<String>()
            )
        }
    };
    format!(
        "<div class=\"own-rules\"><section class=\"board\">{task}{}{}</section><section class=\"rules\">{rules}{note}</section></div>",
        picture.svg(),
        titles::lights_note(words, variant)
    )
}

/// The key of the name of a level.
pub(super) fn level_key(level: Level) -> &'static str {
    match level {
        Level::Perfect => "level-perfect",
        Level::Strong => "level-strong",
        Level::Medium => "level-medium",
        Level::Easy => "level-easy",
    }
}

/// What a level is like in a game. Only where neither points nor chances are counted does it look for a win at once.
fn level_note(words: Language, level: Level, variant: &Variant, is_solved: bool) -> String {
    let (note, about_wins) = match level {
        Level::Perfect if is_solved => ("level-perfect-note", None),
        Level::Perfect => ("level-perfect-search", None),
        Level::Strong => ("level-strong-note", Some("level-sees-wins")),
        Level::Medium => ("level-medium-note", Some("level-sees-wins")),
        Level::Easy => ("level-easy-note", Some("level-overlooks")),
    };
    let rules = variant.rules();
    let mut note = words.text(note).to_string();
    if !is_solved && level != Level::Perfect {
        note = format!("{note} ({})", words.text("level-where-known"));
    }
    let looks = rules.properties.luck == Luck::None && !rules.properties.scores;
    match about_wins.filter(|_| looks) {
        Some(about_wins) => format!("{note}; {}", words.text(about_wins)),
        None => note,
    }
}

/// How well the program plays, as cards of which one is chosen.
fn levels(explorer: &Explorer, words: Language, variant: &Variant, chosen: Level) -> String {
    let is_solved = explorer.settings.tablebase.is_at_hand(variant);
    let mut html = format!(
        "<fieldset class=\"levels\"><legend>{}</legend>",
        words.text("level")
    );
    for level in Level::ALL.into_iter().rev() {
        let checked = if level == chosen { " checked" } else { "" };
        let _ = write!(
            html,
            "<label class=\"card\"><input type=\"radio\" name=\"level\" value=\"{level}\"{checked}>\
             <strong>{}</strong> <small>{}</small></label>",
            words.text(level_key(level)),
            escaped(&level_note(words, level, variant, is_solved))
        );
    }
    html + "</fieldset>"
}

/// The page of what there is to know about a game: rules, puzzles, counts, claims.
pub(super) async fn learn(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: &Question,
) -> RouteAnswer {
    let words = reader.language;
    let plain = reader.plain();
    let link = |path: &str, own: &[(&str, &str)], text: &str| {
        format!(
            "<a href=\"{}\">{}</a> ",
            escaped(&plain.address(explorer, path, own)),
            escaped(text)
        )
    };
    let title = titles::title(explorer, words, &question.name);
    let path = format!("/{}", question.name);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{}</h1><p class=\"tools\">{}</p>\
         <section class=\"rules\"><h2>{}</h2>",
        escaped(&title),
        link("/learn", &[], words.text("learn-all")),
        words.text("rules")
    );
    for sentence in &words.rules(&question.variant) {
        let _ = write!(body, "<p>{}</p>", escaped(sentence));
    }
    if is_traffic_lights(&question.variant) {
        let taught = Reader {
            lights: question.variant.rules().lights,
            ..plain.clone()
        };
        let address = taught.address(explorer, "/lesson", &[]);
        let _ = write!(
            body,
            "<p class=\"actions\"><a class=\"first\" href=\"{}\">{}</a></p>",
            escaped(&address),
            words.text("lesson")
        );
    }
    body.push_str("</section>");
    let has_moves_alone = question.variant.rules().properties.luck == Luck::None;
    // All is offered until it is known what the memory does for.
    let Reach {
        has_puzzles,
        has_counts,
    } = explorer.reach_of(&question.variant).await.unwrap_or(Reach {
        has_puzzles: has_moves_alone,
        has_counts: true,
    });
    if has_puzzles {
        let _ = write!(
            body,
            "<section class=\"puzzles\" id=\"puzzles\"><h2>{}</h2><p>{}</p><p class=\"tools of-levels\">",
            words.text("puzzles"),
            words.text("puzzles-note")
        );
        let of_level = format!("{path}/puzzle");
        for level in levels_of(&question.variant) {
            let own = level.to_string();
            let own = [("level", own.as_str())];
            let _ = write!(
                body,
                "<a href=\"{}\">{}</a> ",
                escaped(&plain.address(explorer, &of_level, &own)),
                stars(words, level)
            );
        }
        body.push_str("</p><p class=\"tools\">");
        let features = question.variant.features();
        let scores = question.variant.rules().properties.scores;
        for theme in Theme::ALL.into_iter().filter(|theme| {
            theme.fits(&features, scores) && offers_theme(&question.variant, *theme)
        }) {
            let own = [("theme", theme.name())];
            body.push_str(&link(
                &format!("{path}/puzzle"),
                &own,
                words.text(theme.key()),
            ));
        }
        body.push_str("</p><p class=\"tools\">");
        for count in SHEETS {
            let text = words.with("sheet", count);
            body.push_str(&link(&format!("{path}/sheet"), &[("count", count)], &text));
        }
        body.push_str("</p></section>");
    }
    let _ = write!(
        body,
        "<section><h2>{}</h2><p class=\"tools\">",
        words.text("about-game")
    );
    if has_moves_alone {
        body.push_str(&link(&format!("{path}/tree"), &[], words.text("tree")));
    }
    if has_counts {
        body.push_str(&link(&format!("{path}/stats"), &[], words.text("stats")));
    }
    body.push_str(&link(&format!("{path}/find"), &[], words.text("find")));
    body.push_str(&link(&format!("{path}/record"), &[], words.text("paste")));
    // What there is no memory for.
    let mut too_large: Vec<&str> = Vec::new();
    too_large.extend((has_moves_alone && !has_puzzles).then(|| words.text("puzzles")));
    too_large.extend((!has_counts).then(|| words.text("stats")));
    let compared = [("a", question.name.as_str())];
    body.push_str(&link("/compare", &compared, words.text("compare")));
    body.push_str(&link("/claims", &[], words.text("claims")));
    body.push_str(&link("/tables", &[], words.text("tables")));
    body.push_str("</p>");
    if !too_large.is_empty() {
        let said = words.with("needs-memory", too_large.join(", "));
        let _ = write!(body, "<p class=\"details\">{}</p>", escaped(&said));
    }
    if let Some(diagram) = tiles::lit(&question.name, &question.variant) {
        // A board in the middle of the game.
        let titles = row_titles(words);
        let mut picture = Picture::new(&diagram, &title);
        picture.row_titles = &titles;
        picture.scheme = Scheme::Page;
        let _ = write!(
            body,
            "<figure aria-hidden=\"true\">{}</figure>",
            picture.svg()
        );
    }
    body.push_str("</section></main>");
    page(explorer, reader, "learn", "learn", Some(question), &body)
}

fn page(
    explorer: &Explorer,
    reader: &Reader,
    part: &str,
    title: &'static str,
    question: Option<&Question>,
    body: &str,
) -> RouteAnswer {
    let words = reader.language;
    let path = match question {
        Some(question) => format!("/{}/{part}", question.name),
        None => format!("/{part}"),
    };
    let title = match question {
        Some(question) => format!(
            "{}: {}",
            titles::title(explorer, words, &question.name),
            words.text(title)
        ),
        None => words.text(title).into(),
    };
    let position = question.and_then(|question| question.position.as_deref());
    let own: Vec<(&str, &str)> = position
        .map(|text| ("position", text))
        .into_iter()
        .collect();
    frame::answer(explorer, reader, &title, Some((&path, &own)), body)
}
