use proptest::prelude::*;

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use greenwave_words::Language;

use crate::common::{
    Answer, ask, ask_at, ask_until, get, get_at, get_from_tables, server, start, start_with,
    start_with_strip, with_tables,
};

/// The addresses of links, forms, pictures and scripts of a page.
fn addresses(page: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ["href=\"", "src=\"", "action=\""] {
        for part in page.body.split(mark).skip(1) {
            let address = part.split('"').next().unwrap();
            let address = address.replace("&amp;", "&").replace("&#39;", "'");
            // A part of a page is asked for without its name.
            let end = address.rfind('#').filter(|end| *end > 0);
            found.push(address[..end.unwrap_or(address.len())].to_string());
        }
    }
    found
}

#[test]
fn the_value_comes_first_and_every_move_is_a_link() {
    let page = get("/classic-3x3");
    assert_eq!(page.status, 200);
    assert!(page.body.len() < 100_000, "{} bytes", page.body.len());
    let verdict = page.body.find("First player wins in 17 plies").unwrap();
    assert!(
        verdict < page.body.find("<svg ").unwrap()
            && verdict < page.body.find("Moves, best").unwrap()
    );
    let links = addresses(&page);
    for square in ["a1", "b2", "c3"] {
        let wanted = format!("/classic-3x3?moves={square}R");
        assert!(links.contains(&wanted), "{wanted}");
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere_and_every_address_is_there() {
    // Searches end soon, so that addresses of large games answer, too.
    let host = start_with_strip(4, Duration::from_millis(100));
    let get = |path: &str| ask_at(host, "GET", path, "");
    let (mut answered, mut tried) = (0, 0);
    for path in [
        "/",
        "/classic-3x3?moves=b2R,b2Y",
        "/small.toml",
        "/ring.toml",
        "/classic-2x3?edit=1",
    ] {
        let page = get(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(
            !page.body.contains("<script>") && !page.body.contains(" style=\""),
            "{path}"
        );
        let mut all = addresses(&page);
        all.sort_unstable();
        all.dedup();
        for address in all.iter().filter(|address| !address.starts_with('#')) {
            assert!(address.starts_with('/'), "{path}: {address}");
        }
        let some = all
            .iter()
            .filter(|address| address.starts_with('/'))
            .step_by(5);
        for address in
            some.filter(|address| !address.ends_with("/go") && !address.ends_with("/record"))
        {
            let status = get(address).status;
            // A board so small has no hard puzzles.
            if address.contains("/puzzle?") && status == 404 {
                continue;
            }
            assert!(
                [200, 303, 429, 503].contains(&status),
                "{path}: {address}: {status}"
            );
            tried += 1;
            answered += u32::from(status < 400);
        }
    }
    assert!(2 * answered > tried, "{answered} of {tried}");
}

#[test]
fn every_move_of_a_group_leads_to_its_reasons() {
    for game in ["/semaforo", "/semaforo?values=signs"] {
        let page = get(game).body;
        let part = |from: &str, to: &str| {
            let (_, rest) = page.split_once(from).expect(&page);
            rest.split_once(to).expect(rest).0.to_string()
        };
        let group = part("<li class=\"top\">", "</li>");
        let others = part("<p class=\"others\">", "</p>");
        assert_eq!(
            others.matches("why=").count() + 1,
            group.matches("data-move=").count(),
            "{game}: {others}"
        );
    }
}

#[test]
fn nobody_is_you_at_a_start_that_nobody_plays() {
    for (game, said) in [
        ("classic-3x4", "Second player wins in 26 plies"),
        ("classic-3x3", "First player wins in 17 plies"),
        ("points-3x3", "First player wins by 1 point"),
        ("noughts-3x4", "First player wins in 7 plies"),
        ("noughts-3x3", "A draw"),
        // Its value is published, and no table of it is there.
        ("classic-4x4", "Second player wins in 36 plies"),
    ] {
        let said = format!("{said} if both play best");
        assert_eq!(verdict(&get(&format!("/{game}")).body), said, "{game}");
    }
    for (language, said) in [
        (
            "de",
            "Der erste Spieler liegt am Ende 1 Punkt vorn bei bestem Spiel beider",
        ),
        (
            "es",
            "El primer jugador gana por 1 punto si ambos juegan lo mejor posible",
        ),
        (
            "pt",
            "O primeiro jogador ganha por 1 ponto se ambos jogarem o melhor possível",
        ),
    ] {
        let page = get(&format!("/points-3x3?lang={language}")).body;
        assert_eq!(verdict(&page), said);
    }
    let drawn = verdict(&get("/bag-classic-1x3").body);
    assert!(
        drawn.contains(" of the games if both play best. Chance"),
        "{drawn}"
    );
    // One who plays is told of oneself, and so is one who stands in the middle of a game.
    let played = get("/classic-3x3?play=first").body;
    assert_eq!(verdict(&played), "You win in 17 plies if both play best");
    let begun = get("/classic-3x3?moves=b2R").body;
    assert_eq!(verdict(&begun), "You lose in 16 plies if both play best");
    let scored = get("/points-3x3?moves=b2R").body;
    assert_eq!(
        verdict(&scored),
        "Your opponent gets 1 point more from here if both play best"
    );
    let key = get("/points-3x3").body;
    assert!(key.contains("points that the player to move will still make"));
}

#[test]
fn every_language_has_its_page_and_portuguese_its_order_of_the_lights() {
    for (language, words) in [
        ("en", "Second player wins in 26 plies if both play best"),
        (
            "pt",
            "O segundo jogador ganha em 26 meias-jogadas se ambos jogarem o melhor possível",
        ),
        (
            "es",
            "El segundo jugador gana en 26 medias jugadas si ambos juegan lo mejor posible",
        ),
        (
            "de",
            "Der zweite Spieler gewinnt in 26 Halbz\u{fc}gen bei bestem Spiel beider",
        ),
    ] {
        let page = get(&format!("/semaforo?lang={language}"));
        assert!(page.body.contains(words), "{language}");
        assert!(page.body.contains(&format!("<html lang=\"{language}\">")));
        assert!(page.body.contains("moves=a1G&amp;lang="), "green first");
        let accepted = ask(
            "GET",
            "/semaforo",
            &format!("Accept-Language: {language};q=0.9\r\n"),
        );
        assert!(accepted.body.contains(words), "{language}");
        let varies = accepted.header("vary");
        assert_eq!(varies, Some("Accept-Language, Accept-Encoding"));
    }
    assert!(
        get("/semaforo?lang=pt")
            .body
            .contains("class=\"of-game\" href=\"/semaforo?lang=pt\">Sem\u{e1}foro</a>")
    );
    assert!(
        get("/?lang=pt")
            .body
            .contains("<strong>Sem\u{e1}foro</strong>")
    );
    let turned = get("/semaforo?colours=ryg");
    assert!(turned.body.contains("moves=a1R&amp;lights=ryg"));
}

#[test]
fn the_game_is_charted_and_its_mistakes_are_marked() {
    let page = get("/classic-3x3?moves=a1R,b2R,b2Y");
    assert!(page.body.contains("class=\"chart\""), "{}", page.body);
    let undone = get("/classic-3x3?moves=a1R,b2R,b2Y&ply=1");
    assert!(
        undone
            .body
            .contains("data-step=\"forward\" href=\"/classic-3x3?moves=a1R,b2R,b2Y&amp;ply=2\"")
    );
    assert!(
        undone.body.contains("moves=a1R,a1Y\""),
        "a move from there starts a new line"
    );
}

#[test]
fn hints_can_be_hidden_and_stay_so() {
    let page = get("/classic-3x3?hints=0");
    // Neither around it nor in its own address: files and ports have digits, too.
    let main = page.body[page.body.find("<main").unwrap()..].replace(&server().to_string(), "");
    // Nor where things are drawn.
    let parts = main
        .split("<svg ")
        .map(|part| part.rsplit("</svg>").next().unwrap_or(""));
    let written: String = parts.collect();
    assert!(!written.contains("17") && written.contains("Values are hidden"));
    assert!(written.contains("id=\"verdict\">First player to move</h1>"));
    assert!(
        !main.contains('\u{2713}') || main.matches('\u{2713}').count() == 1,
        "the legend alone"
    );
    assert!(page.body.contains("moves=b2R&amp;hints=0"));
}

#[test]
fn the_solver_answers_perfectly_and_the_end_tells_what_it_was_worth() {
    let moved = get("/classic-3x3?play=second&hints=0");
    assert_eq!(moved.status, 303);
    assert_eq!(
        moved.header("location"),
        Some("/classic-3x3?moves=b2R&hints=0&play=second")
    );
    let mine = get("/classic-3x3?moves=b2R&hints=0&play=second");
    assert!(mine.status == 200 && mine.body.contains("id=\"verdict\">Your turn<"));
    assert_eq!(
        get("/classic-3x3?moves=b2R,b2Y&hints=0&play=second").status,
        303
    );
    let over = get("/classic-3x3?moves=b2R,a2R,a1R,c2R&hints=0&play=first");
    assert!(over.body.contains("class=\"chart\"") && over.body.contains("class=\"mistake\""));
}

#[test]
fn the_program_slips_at_lower_levels_and_draws_by_itself() {
    let easy = get("/classic-3x3?play=second&hints=0&level=easy");
    let to = easy.header("location").unwrap();
    assert!(
        easy.status == 303 && to.contains("level=easy") && to.contains("seed="),
        "{to}"
    );
    let again = get("/classic-3x3?play=second&hints=0&level=easy&seed=5");
    let same = get("/classic-3x3?play=second&hints=0&level=easy&seed=5");
    assert_eq!(again.header("location"), same.header("location"));
    let drawn = get("/bag-classic-2x3?play=first&hints=0&seed=1");
    let to = drawn.header("location").unwrap();
    assert!(drawn.status == 303 && to.contains("moves=%5B"), "{to}");
}

#[test]
fn the_only_move_and_traps_are_marked() {
    let puzzle = get("/api/v1/puzzle?variant=classic-3x3&level=1").json();
    let position = puzzle["position"].as_str().unwrap();
    let page = get(&format!("/classic-3x3?position={position}")).body;
    let only = "class=\"remark\">the only move";
    assert!(page.contains(only) && page.contains("loses at once"));
    let start = get("/classic-3x3").body;
    assert!(!start.contains(only) && !start.contains("loses at once"));
}

#[test]
fn where_nothing_is_proven_the_move_is_called_an_opinion() {
    let host = start(2, Duration::from_millis(300));
    let path = "/classic-5x6?play=second&hints=0";
    let moved = ask_until(host, path, |answer| answer.status == 303);
    let to = moved.header("location").unwrap();
    assert!(moved.status == 303 && to.contains("opinion=1"), "{to}");
    let says = |path: &str, text: &str| {
        let page = ask_until(host, path, |answer| answer.body.contains(text)).body;
        assert!(page.contains(text), "{page}");
    };
    says(to, "That is an opinion: nothing is proven here.");
    says(
        "/classic-5x6?play=first&hints=0&hint=3",
        "Not proven; what looks best:",
    );
}

#[test]
fn a_headline_says_not_proven_only_where_the_page_shows_no_more_later() {
    let host = start(4, Duration::from_secs(2));
    let open = "/classic-5x6?position=R...../....../....../....../....Y.";
    let headline = |page: &Answer| {
        let (_, rest) = page.body.split_once("id=\"verdict\">").unwrap();
        rest.split_once("</h1>").unwrap().0.to_string()
    };
    let first = ask_until(host, open, |page| page.body.contains("stage=1"));
    assert_eq!(headline(&first), "Being worked out");
    let within = "<p class=\"summary\">Nobody can force a win within ";
    let last = ask_until(host, &format!("{open}&stage=2"), |page| {
        page.status == 200 && !page.body.contains("data-again")
    });
    assert!(headline(&last).starts_with("Not proven"), "{}", last.body);
    assert!(last.body.contains(within), "{}", last.body);
}

#[test]
fn a_game_is_learnt_by_what_the_memory_does_for() {
    let small = get("/classic-3x3/learn").body;
    assert!(small.contains("/classic-3x3/stats") && small.contains("/classic-3x3/puzzle?"));
    let large = get("/classic-4x7/learn").body;
    assert!(!large.contains("/classic-4x7/stats"), "{large}");
    assert!(
        large.contains("Needs more memory than there is here: Statistics"),
        "{large}"
    );
    let bag = get("/bag-classic-3x3/puzzle");
    assert!(
        bag.status == 404 && !bag.body.contains("'find'"),
        "{}",
        bag.body
    );
}

#[test]
fn a_player_who_can_only_pass_is_told_above_the_board() {
    for (language, said) in [
        ("en", "You can only pass."),
        ("de", "Du kannst nur passen."),
        ("es", "Solo puedes pasar."),
        ("pt", "S\u{f3} podes passar."),
    ] {
        let path =
            format!("/ampel-4-2-1?moves=%2Bc2,pass,pass,%2Bb1&hints=0&play=first&lang={language}");
        let page = get(&path).body;
        let (above, below) = page.split_once(" class=\"gw\" ").unwrap();
        assert!(
            above.contains(said) && above.contains("data-move=\"pass\""),
            "{page}"
        );
        assert!(!below.contains("class=\"elsewhere\""), "{page}");
    }
}

#[test]
fn the_green_first_game_is_called_semaforo_and_its_order_is_told() {
    for (language, green, red) in [
        (
            "en",
            "In Sem\u{e1}foro you put a green",
            "In Traffic Lights you",
        ),
        (
            "de",
            "Im Sem\u{e1}foro setzt du ein gr",
            "Im Ampelspiel setzt",
        ),
        (
            "es",
            "En el Sem\u{e1}foro pones una luz v",
            "En el Sem\u{e1}foro cl\u{e1}sico",
        ),
        (
            "pt",
            "No Sem\u{e1}foro p\u{f5}es uma luz v",
            "No Sem\u{e1}foro cl\u{e1}ssico",
        ),
    ] {
        let of = |path: &str| get(&format!("{path}?lang={language}")).body;
        assert!(of("/semaforo/play").contains(green), "{language}");
        for path in ["/", "/help", "/classic-3x3/play"] {
            let page = of(path);
            assert!(
                page.contains(red) && !page.contains(green),
                "{language} {path}"
            );
        }
    }
}

#[test]
fn the_legend_of_a_game_for_points_speaks_of_points() {
    let [points, plies] = ["/slider/learn", "/semaforo/learn"].map(|path| get(path).body);
    let of_points = "points that the player to move will still make";
    assert!(
        points.contains(of_points) && !plies.contains(of_points),
        "{points}"
    );
    assert!(!points.contains("counts plies"), "{points}");
}

#[test]
fn what_discs_are_is_folded_below_what_the_players_hold() {
    let page = get("/ampel-4-2-1?hints=0").body;
    let held = "<p class=\"note\">Red places a yellow disc inside \u{b7} Red: 2 in hand, 0 of 1 yellow captured \
                \u{b7} Green: 2 in hand, 0 of 1 yellow captured</p><details class=\"discs\"><summary>";
    assert!(page.contains(held), "{page}");
    // Nobody in a room can unfold it.
    let room = get("/ampel-4-2-1?hints=0&view=board").body;
    assert!(room.contains("<details class=\"discs\" open>"), "{room}");
}

#[test]
fn hints_come_in_three_steps() {
    let ask = |step: u32| get(&format!("/classic-3x3?play=first&hints=0&hint={step}")).body;
    // A phone shows the short text in the bar.
    assert!(
        ask(0).contains("aria-label=\"Hint: is it won?\"")
            && ask(0).contains("<span class=\"short\">Hint</span>")
            && !ask(0).contains("class=\"said\"")
    );
    assert!(
        ask(1).contains("You are winning. 9 moves keep the win.")
            && ask(1).contains("Hint: which square?")
    );
    assert!(ask(2).contains("Look at b2") && ask(2).contains("Hint: which move?"));
    assert!(ask(3).contains("Best: b2R") && !ask(3).contains("Hint:"));
    // The board shows the square, then the light, too.
    let shown = |step: u32| {
        let page = ask(step);
        let count = |part: &str| page.matches(part).count();
        (count("class=\"quick\""), count("class=\"ghost shown\""))
    };
    assert_eq!([1, 2, 3].map(shown), [(0, 0), (1, 0), (1, 1)]);
    // The values stay hidden.
    assert!(!ask(3).contains("17 plies"));
}

#[test]
fn every_page_has_one_sentence_one_board_and_three_tabs() {
    for path in [
        "/classic-3x3",
        "/semaforo?moves=b2G,b2Y",
        "/strip?hints=0",
        "/ampel-4-2-1",
    ] {
        let page = get(path).body;
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert_eq!(
            page.matches("<section class=\"board\"").count(),
            1,
            "{path}"
        );
        assert_eq!(page.matches("aria-current=\"page\"").count(), 1, "{path}");
        assert!(
            page.contains("class=\"turn\"") && page.contains("class=\"at-hand\""),
            "{path}"
        );
    }
    assert!(
        get("/classic-3x3?moves=b2R")
            .body
            .contains("Second player to move")
    );
    assert!(
        get("/classic-3x3?play=first&hints=0")
            .body
            .contains("Your turn")
    );
    // The lights of a position count its plies; a strip may have lain elsewhere before.
    let given = get("/classic-3x3?position=R../.../...").body;
    assert!(given.contains("Second player to move"));
    let given = get("/strip?position=R../.../...%2B...@E").body;
    assert!(given.contains("Player to move") && !given.contains("First player to move"));
    let over = get("/classic-3x3?moves=b2R,a2R,c2R").body;
    assert!(over.contains("the first player has won") && over.contains("class=\"won\""));
    // Nobody has to be told how an end is known.
    assert!(!over.contains("How this is known"), "{over}");
}

#[test]
fn values_are_signs_in_every_language() {
    for language in ["en", "pt", "es", "de"] {
        let page = get(&format!(
            "/classic-3x3?lang={language}&position=..G/.R./Y.."
        ))
        .body;
        assert!(
            page.contains(">\u{2713}\u{a0}3<") && page.contains(">\u{2715}\u{a0}2<"),
            "{language}"
        );
        let drawn = get(&format!("/noughts-3x3?lang={language}")).body;
        assert!(drawn.contains(">=<"), "{language}");
    }
}

#[test]
fn a_game_is_begun_and_learnt_under_its_own_tabs() {
    // Who teaches finds sheets and the rules of each game without knowing its name.
    let learn = get("/learn").body;
    for path in ["/classic-3x3/sheet?count=6", "/semaforo/learn"] {
        assert!(
            learn.contains(&format!("href=\"{path}\"")),
            "{path}: {learn}"
        );
    }
    for path in [
        "/play",
        "/learn",
        "/classic-3x3/play",
        "/classic-3x3/learn",
        "/bag-classic-2x3/learn",
    ] {
        assert_eq!(get(path).status, 200, "{path}");
    }
    let begun = get("/classic-3x3/play?position=R../.../...").body;
    assert!(
        begun.contains("name=\"position\" value=\"R../.../...\"")
            && begun.contains("value=\"easy\"")
    );
    let moved = get("/go?name=semaforo&play=first&level=easy&hints=0");
    assert_eq!(
        moved.header("location"),
        Some("/semaforo?hints=0&play=first&level=easy")
    );
    let learnt = get("/classic-3x3/learn?lang=de").body;
    assert!(
        learnt.contains("/classic-3x3/puzzle?level=5") && learnt.contains("/classic-3x3/stats")
    );
    assert!(!get("/bag-classic-2x3/learn").body.contains("/puzzle?level"));
}

#[test]
fn the_first_page_is_filtered_without_a_script() {
    let all = get("/").body;
    assert!(all.contains("class=\"hero\"") && all.contains("moves=b1R"));
    assert!(all.contains("Second player wins in 26 plies"));
    let drawn = get("/?winner=draw&family=classic").body;
    let listed = |page: &str, name: &str| {
        let list = &page[page.find("<ul class=\"names\"").unwrap()..];
        list.contains(&format!("<code>{name}</code>"))
    };
    assert!(listed(&all, "classic-3x4") && !listed(&drawn, "classic-3x4"));
    let small = get("/?cells=9&find=classic").body;
    assert!(listed(&small, "classic-3x3") && !listed(&small, "classic-3x4"));
    // A game is called by its title, and found by it.
    let misere = get("/?find=mis%C3%A8re").body;
    assert!(
        misere.contains(">Traffic Lights 3\u{d7}4 \u{b7} mis\u{e8}re</a>"),
        "{misere}"
    );
    assert!(listed(&misere, "classic-3x4:play=misere") && !listed(&misere, "classic-3x4"));
    assert!(get("/?find=zzz").body.contains("widen the filter"));
    assert_eq!(get("/?winner=nobody").status, 400);
}

#[test]
fn who_edits_sees_no_moves_and_ends_at_hand() {
    let page = get("/classic-3x3?position=R../.Y./..G&edit=1").body;
    for absent in [
        "data-move=",
        "class=\"moves\"",
        "data-tool=\"play\"",
        "data-tool=\"reply\"",
        "data-step=",
        "data-tree",
    ] {
        assert!(!page.contains(absent), "{absent}: {page}");
    }
    let (_, bar) = page.split_once("class=\"at-hand\"").expect("a bar");
    let (bar, _) = bar.split_once("</div>").unwrap();
    assert!(bar.contains("data-tool=\"edit\"") && bar.contains(">Done editing</a>"));
    assert_eq!(page.matches("data-tool=\"edit\"").count(), 1, "{page}");
    let strip = get("/strip?edit=1").body;
    assert!(!strip.contains("class=\"strip-arrow\""), "{strip}");
}

#[test]
fn a_room_sees_the_board_alone_and_values_when_asked() {
    let page = get("/classic-3x3?view=board&hints=0").body;
    assert!(page.contains("<body class=\"projector\"") && !page.contains("class=\"tag "));
    assert!(page.contains("moves=b2R&amp;view=board"), "{page}");
    assert!(page.contains("href=\"/classic-3x3?hints=1&amp;view=board\">Show values"));
    // Until they are asked for there are none.
    let alone = get("/classic-3x3?view=board").body;
    assert!(!alone.contains("class=\"tag "), "{alone}");
    // The class opens the same position on its telephones.
    assert!(page.contains("href=\"#class\"") && page.contains("<div id=\"class\" class=\"full\">"));
    assert!(page.contains("%2Fclassic-3x3%3Fhints%3D0") || page.contains("/classic-3x3%3Fhints=0"));
    assert_eq!(get("/classic-3x3?view=wall").status, 400);
    // Values on the board can be read from the last row.
    let shown = get("/classic-3x3?view=board&hints=1").body;
    assert!(
        shown.contains("font-size=\"11\"") && !shown.contains("font-size=\"8\""),
        "{shown}"
    );
}

#[test]
fn reasons_are_facts_with_their_line_to_play() {
    let page = get("/classic-3x3?position=..G/.R./Y..&why=b1R").body;
    assert!(
        page.contains("Why b1R loses") && page.contains("data-fact=\"refuted\""),
        "{page}"
    );
    assert!(page.contains("After b1R, ") && page.contains(" completes the red line "));
    // The board shows them, too: b1 in a frame of its own, both lights, and the line.
    let board = page.split("<section class=\"board\">").nth(1).unwrap();
    let board = board.split("</svg>").next().unwrap();
    let square = board.split("aria-label=\"b1 ").nth(1).unwrap();
    let square = square.split("<a ").next().unwrap();
    assert!(square.contains("class=\"chosen\""), "{square}");
    assert_eq!(board.matches("class=\"chosen\"").count(), 1, "{board}");
    assert_eq!(board.matches("class=\"ghost shown\"").count(), 2);
    assert_eq!(board.matches("class=\"threat\"").count(), 1);
    assert!(page.contains("Dotted frame: best move; plain frame: also good."));
    let api = get("/api/v1/explain?variant=classic-3x3&position=..G/.R./Y..").json();
    let told = api["moves"].as_array().unwrap();
    let lost = told.iter().find(|mv| mv["move"] == "b1R").unwrap();
    let sentence = lost["sentences"][0].as_str().unwrap();
    assert!(page.contains(sentence), "{sentence}");
    assert_eq!(lost["facts"][0]["squares"].as_array().unwrap().len(), 3);
    let german = get("/classic-3x3?position=..G/.R./Y..&why=b1R&lang=de").body;
    assert!(german.contains("Nach b1R vervollständigt "));
    assert_eq!(get("/classic-3x3?why=z9").status, 400);
    // Without a script, too, the reasons come into view.
    assert!(get("/classic-3x3").body.contains("?why=b2R#why\""));
    // A line to its end is a reason, and steps through the board.
    let far = get("/classic-3x3?moves=b2R&why=b2Y").body;
    assert!(far.contains("Why b2Y loses") && far.contains("If both play best, "));
    let (_, line) = far.split_once("data-tool=\"line\" href=\"").expect(&far);
    let line = line.split('"').next().unwrap().replace("&amp;", "&");
    assert!(line.ends_with("&ply=2"), "{line}");
    assert!(verdict(&get(&line.replace("&ply=2", "")).body).contains("won"));
    // Nimber and source are folded, and no key names a draw where there is none.
    let (_, known) = far.split_once("<details class=\"of-answer\">").expect(&far);
    let (known, _) = known.split_once("</details>").unwrap();
    assert!(
        known.contains("Nimber ") && known.contains("Solved in memory"),
        "{known}"
    );
    assert!(far.contains("\u{2713} wins, \u{2715} loses. The number") && !far.contains("= draws"));
    let drawn = get("/noughts-3x3").body;
    assert!(
        drawn.contains("\u{2713} wins, = draws, \u{2715} loses."),
        "{drawn}"
    );
    // Each move has reasons of its own, without a script.
    let trap = get("/classic-3x3?moves=b2R&why=a1R").body;
    for mv in ["b1R", "c2R", "c3R"] {
        let link = format!("class=\"ask\" href=\"/classic-3x3?moves=b2R&amp;why={mv}#why\"");
        assert!(trap.contains(&link), "{mv}: {trap}");
    }
    // The page has no remark where values are hidden.
    assert!(!get("/classic-3x3?hints=0").body.contains("data-fact"));
}

#[test]
fn the_judge_watches_two_people() {
    // Two players see no remark while they play.
    let quiet = get("/classic-3x3?play=both&hints=0&moves=b2R,a2R,a1R").body;
    assert!(!quiet.contains("class=\"mistake\"") && !quiet.contains("class=\"tag"));
    assert!(
        quiet.contains("href=\"/classic-3x3?moves=b2R,a2R&amp;hints=0&amp;play=both\">Take back")
    );
    let told = get("/classic-3x3?play=both&hints=0&moves=b2R,a2R,a1R,c2R").body;
    assert!(
        told.contains("class=\"mistake\"") && told.contains("class=\"ending\""),
        "{told}"
    );
}

#[test]
fn the_end_of_a_game_tells_the_mistakes_of_both() {
    let over = get("/classic-3x3?moves=b2R,a2R,a1R,c2R&hints=0&play=first").body;
    assert!(
        over.contains("Mistakes of the first player: ") && over.contains("data-tool=\"mistake\"")
    );
    // The last mistake of the reader, and the position before it.
    assert!(
        over.contains("You lost after 4 plies. You were winning until ply 3, a1R."),
        "{over}"
    );
    assert!(over.contains("moves=b2R,a2R&amp;hints=0&amp;play=first\">Try again from there"));
    let level = get("/classic-3x3?moves=b2R,a2R,a1R,c2R&hints=0&play=first&level=easy").body;
    assert!(
        level.contains("play=first&amp;level=medium\">Stronger"),
        "{level}"
    );
    assert!(over.contains("Same game again") && over.contains("/classic-3x3/play\">Other level"));
}

#[test]
fn a_game_is_taken_back_and_given_up() {
    let game = get("/classic-3x3?moves=b2R,b2Y&hints=0&play=first").body;
    assert!(
        game.contains("href=\"/classic-3x3?hints=0&amp;play=first\">Take back"),
        "{game}"
    );
    assert!(game.contains("moves=b2R,b2Y&amp;resign=1&amp;hints=0&amp;play=first"));
    // A player who resigns sees everything, and the program makes no more moves.
    let over = get("/classic-3x3?moves=b2R,b2Y&hints=0&play=first&resign=1");
    assert_eq!(over.status, 200);
    assert!(
        over.body.contains("You gave up after 2 plies."),
        "{}",
        over.body
    );
    assert!(over.body.contains("class=\"tag ") && over.body.contains("class=\"chart\""));
}

/// What a page says first.
fn verdict(page: &str) -> String {
    let (_, verdict) = page.split_once("id=\"verdict\">").expect(page);
    verdict.split('<').next().unwrap().to_string()
}

#[test]
fn a_puzzle_tells_its_own_players_how_far_they_are() {
    let at = "/classic-3x3?position=..G/.R./Y..&hints=0&play=first&puzzle=1";
    let query = |moves: &str| {
        get(&format!(
            "/api/v1/query?variant=classic-3x3&position=..G/.R./Y..&moves={moves}"
        ))
        .json()
    };
    let plies = |answer: &serde_json::Value| answer["distance"].as_u64().unwrap();
    let start = query("");
    assert_eq!(
        verdict(&get(at).body),
        format!(
            "You are to move and win in {} plies \u{2605}\u{2606}\u{2606}\u{2606}\u{2606}",
            plies(&start)
        )
    );
    // Best play to the end: each headline counts from where it stands.
    let mut moves: Vec<String> = Vec::new();
    loop {
        let answer = query(&moves.join(","));
        let Some(best) = answer["best"].get(0).and_then(|best| best.as_str()) else {
            break;
        };
        moves.push(best.to_string());
        let ending = query(&moves.join(","));
        if moves.len().is_multiple_of(2) && ending["terminal"] != true {
            let page = get(&format!("{at}&moves={}", moves.join(","))).body;
            let left = format!("You are to move and win in {} pl", plies(&ending));
            assert!(verdict(&page).starts_with(&left), "{}", verdict(&page));
            let said = format!(
                "data-say=\"You played {}. The program played {}. You are to move",
                moves[moves.len() - 2],
                moves[moves.len() - 1]
            );
            assert!(page.contains(&said), "{page}");
        }
    }
    let solved = get(&format!("{at}&moves={}", moves.join(","))).body;
    assert_eq!(verdict(&solved), "Solved! You found every move.");
    assert!(solved.contains("data-puzzle=\"solved\"") && solved.contains("data-result"));
    for part in ["first player", "second player"] {
        assert!(!solved.contains(part), "{part}: {solved}");
    }
    let missed = get(&format!("{at}&moves=b1R")).body;
    assert_eq!(verdict(&missed), "b1R does not win");
    assert!(
        missed.contains("data-say=\"Not that one. After b1R, "),
        "{missed}"
    );
    // The first hint says more than the task, and is remembered.
    assert!(get(at).body.contains("hint=2") && !get(at).body.contains("hint=1"));
    assert!(
        get(&format!("{at}&hint=2"))
            .body
            .contains("data-puzzle=\"open\" data-hinted")
    );
}

#[test]
fn the_address_and_not_the_lights_tell_who_is_first() {
    // Four lights stand there, and the reader begins.
    let won = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=first&puzzle=1").body;
    assert_eq!(verdict(&won), "Solved! You found every move.");
    let won = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=first").body;
    assert_eq!(verdict(&won), "The game is over: you have won");
    let lost = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=second").body;
    assert_eq!(verdict(&lost), "The game is over: the program has won");
    let both = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=both").body;
    assert_eq!(verdict(&both), "The game is over: the first player has won");
    // Where nobody plays the lights are all there is.
    let plain = get("/classic-3x3?position=R../.../...&moves=b2R").body;
    assert!(plain.contains("First player to move"), "{plain}");
}

#[test]
fn who_won_is_not_told_as_if_lost() {
    let moves = "b2R,b2Y,b3R,a1R,a1Y,c1R,b1R,c3R,a3R";
    let path = format!("/classic-3x3?moves={moves}&hints=0&play=first&level=easy");
    let page = get(&path).body;
    assert!(page.contains("Your b1R at ply 7 let the win go"), "{page}");
    let order = ["data-tool=\"stronger\"", "data-tool=\"again-here\""].map(|tool| page.find(tool));
    assert!(order[0].is_some() && order[0] < order[1], "{page}");
}

#[test]
fn who_gives_up_is_told_what_was_given_up() {
    for (moves, said) in [
        ("b2R,a2R&play=first", "You gave up a won position"),
        ("b2R&play=second", "You gave up a lost position"),
    ] {
        let path = format!("/classic-3x3?moves={moves}&hints=0&resign=1");
        let page = get(&path).body;
        assert_eq!(verdict(&page), said);
        let won = said.contains("won");
        assert_eq!(page.contains(">Play on<"), won, "{page}");
        assert!(!(won && page.contains("You were winning until")), "{page}");
    }
}

#[test]
fn who_was_lost_is_told_what_would_have_lasted_longer() {
    let page = get("/classic-3x3?moves=b2R,a1R,c3R&hints=0&play=second").body;
    assert!(
        page.contains("No move could win, but b2Y would have lasted "),
        "{page}"
    );
    assert!(!page.contains("You made no mistake."));
    // Whoever held out longest made none.
    let line = get("/api/v1/line?variant=classic-3x3").json();
    let plies = line["plies"].as_array().unwrap().iter();
    let moves: Vec<&str> = plies.map(|ply| ply["move"].as_str().unwrap()).collect();
    let path = format!("/classic-3x3?moves={}&hints=0&play=second", moves.join(","));
    assert!(get(&path).body.contains("You made no mistake."));
}

#[test]
fn a_mistake_stands_beside_the_better_move_and_can_be_mended() {
    let page = get("/classic-3x3?position=..G/.R./Y..&moves=b1R").body;
    let judged = page.split("class=\"mistake\">").nth(1).expect(&page);
    let judged = judged.split('<').next().unwrap();
    assert!(
        judged.starts_with("?? lost the win; ") && judged.contains(" wins in "),
        "{judged}"
    );
    let (before, _) = page.split_once("\">Before the first mistake").unwrap();
    let (_, link) = before.rsplit_once("href=\"").unwrap();
    let link = link.replace("&amp;", "&");
    let task = get(&link);
    assert_eq!(task.status, 200, "{link}");
    let said = "Here the first player played b1R and lost the win. Find the better move.";
    assert!(task.body.contains(said), "{}", task.body);
    assert!(!task.body.contains("class=\"tag ") && !task.body.contains("class=\"progress\""));
    // The program answers: it refuses a move that loses, and plays on after one that wins.
    let start = link.split("&instead").next().unwrap();
    let carried = "&hints=0&play=first&puzzle=0";
    let missed = get(&format!("{start}&moves=b1R{carried}")).body;
    assert_eq!(verdict(&missed), "b1R does not win");
    assert_eq!(get(&format!("{start}&moves=b2Y{carried}")).status, 303);
    // A move that is none, or no mistake, is not called one.
    for other in ["b2Y", "z9"] {
        let page = get(&link.replace("instead=b1R", &format!("instead={other}"))).body;
        assert!(!page.contains("Here the first player"), "{page}");
    }
}

#[test]
fn a_review_says_why_a_move_was_a_mistake_and_how_it_is_refuted() {
    let page = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R").body;
    // A game under review has two players, and none of them is the reader.
    let before = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R&ply=4").body;
    assert_eq!(
        verdict(&before),
        "First player wins in 17 plies if both play best"
    );
    let mistakes = page.split("<ul class=\"mistakes\">").nth(1).expect(&page);
    let (mistakes, _) = mistakes.split_once("</ul>").unwrap();
    assert!(mistakes.contains("5. c3R") && mistakes.contains("?? lost the win"));
    assert!(
        mistakes.contains(
            "data-fact=\"refuted\">After c3R, c3Y completes the yellow line a1\u{2013}b2\u{2013}c3."
        ),
        "{mistakes}"
    );
    assert!(mistakes.contains("href=\"/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R,c3Y\">c3Y"));
    // A reader who plays is called "you".
    let mine = get("/classic-3x3?moves=b2R,b2Y,a1R&hints=1&play=second").body;
    assert!(!verdict(&mine).contains("player wins"), "{mine}");
}

#[test]
fn pages_are_described_by_their_own_sentence() {
    let described = |path: &str| {
        let page = get(path).body;
        let (_, rest) = page.split_once("og:description\" content=\"").expect(path);
        rest.split('"').next().unwrap().to_string()
    };
    let turn = described("/classic-3x3?moves=b2R&lang=de");
    assert!(
        turn.starts_with("Der zweite Spieler ist am Zug. "),
        "{turn}"
    );
    assert!(described("/classic-3x3").contains(" in 17 plies if both play best."));
    assert!(described("/claims").starts_with("Statements about these games"));
    assert!(described("/about").starts_with("Greenwave solves"));
    // Pages without a sentence of their own have the rules of their game.
    let misere = described("/classic-2x3:play=misere/play");
    assert!(misere.contains("completes a line loses."), "{misere}");
    assert!(described("/noughts-3x3/learn").contains("puts X"));
}

#[test]
fn best_moves_have_a_dotted_frame_and_a_key_below_the_board() {
    let page = get("/classic-3x3?position=..G/.R./Y..").body;
    let board = page.split("<section class=\"board\">").nth(1).unwrap();
    let (board, below) = board.split_once("</svg>").unwrap();
    assert!(
        below.starts_with(
            "<div class=\"keys\"><p class=\"note key\">\u{2713} wins, \u{2715} loses. The number counts plies to \
             the end. Dotted frame: best move; plain frame: also good.</p>"
        ),
        "{below}"
    );
    // One badge is full for each dotted frame; other winning moves have a plain frame and a pale badge.
    let count = |part: &str| board.matches(part).count();
    assert!(count("class=\"quick\"") >= 1 && count("class=\"keeps\"") >= 1);
    assert_eq!(count("class=\"quick\""), count("class=\"win\""));
    assert_eq!(count("class=\"keeps\""), count("class=\"win soft\""));
    let style = ask("GET", &style_of(&get("/")), "").body;
    assert!(style.contains(".gw .quick,.gw .keeps{fill:none;stroke:#1746c7;stroke-width:1.3}"));
    assert!(style.contains(".gw .quick{stroke-width:2.7;stroke-linecap:round;stroke-dasharray:"));
    // Where every move loses, none has a plain frame.
    let lost = get_from_tables("/semaforo").body;
    assert!(lost.contains("end. Dotted frame: best move.</p>"), "{lost}");
    assert!(!lost.contains("class=\"keeps\""));
    // Without figures there is nothing to count, and without values no key.
    let signs = get("/classic-3x3?position=..G/.R./Y..&values=signs").body;
    assert!(signs.contains("loses. Dotted frame: best move; plain frame: also good.</p>"));
    assert!(!get("/classic-3x3?hints=0").body.contains("note key"));
}

/// The address of the style sheet of a page.
fn style_of(page: &Answer) -> String {
    let all = addresses(page);
    all.into_iter()
        .find(|address| address.contains("style.css"))
        .unwrap()
}

#[test]
fn values_without_distances_name_no_best_move() {
    // Nothing is solved in so little memory: the published values of the moves are all there is.
    let small = greenwave_tablebase::Settings {
        memory: Some(1 << 20),
        ..Default::default()
    };
    let tablebase =
        greenwave_tablebase::Tablebase::with_settings("no-such-folder", &small).unwrap();
    let host = start_with(tablebase, |settings| {
        settings.budget = Duration::from_millis(200);
    });
    let page = get_at(host, "/semaforo").body;
    assert!(page.contains("Every move loses."), "{page}");
    assert!(!page.contains("All moves are worth the same."));
    assert!(!page.contains("class=\"remark\"") && !page.contains("class=\"top\""));
    assert!(!page.contains("Dotted frame: best move"));
}

#[test]
fn a_first_game_is_easy_unless_the_address_says_more() {
    let chosen = |path: &str| {
        let page = get(path).body;
        let (before, _) = page.split_once(" checked>").unwrap();
        before.rsplit_once("value=\"").unwrap().1.to_string()
    };
    assert_eq!(chosen("/play"), "easy\"");
    assert_eq!(chosen("/classic-3x3/play"), "easy\"");
    assert_eq!(chosen("/play?level=strong"), "strong\"");
    let play = get("/play").body;
    assert!(!play.contains("the judge watches") && !play.contains("its moves are opinions"));
    assert!(get("/help").body.contains("its moves are opinions"));
    // The board of the first page is ready: its squares begin a game, and so do the buttons.
    let first = "href=\"/classic-3x3?moves=b2R&amp;hints=0&amp;play=first&amp;level=easy\"";
    assert!(
        play.contains(first) && play.contains("class=\"begin\" action=\"/classic-3x3\""),
        "{play}"
    );
    // Where a game goes on from a position, its squares do, too.
    let later = get("/classic-3x3/play?position=R../.../...&level=perfect").body;
    assert!(
        later.contains("?position=R../.../...&amp;moves=a3Y&amp;hints=0&amp;play=first\""),
        "{later}"
    );
    // Every kind of game of the first page is below.
    let home = get("/").body;
    for name in ["ampel-4-2-1", "bag-classic-3x3", "strip", "noughts-3x4"] {
        assert!(home.contains(&format!("href=\"/{name}\"")), "{name}");
        assert!(
            play.contains(&format!("href=\"/{name}/play\"")),
            "{name}: {play}"
        );
    }
    assert!(get("/?lang=de").body.contains(">Im Beutel</text>"));
}

#[test]
fn the_first_page_shows_what_moves_are_worth() {
    let page = get("/").body;
    let (_, hero) = page.split_once("<section class=\"board\">").unwrap();
    let (hero, rest) = hero.split_once("</svg>").unwrap();
    let answer = get("/api/v1/query?variant=classic-3x3&position=..G/.R./Y..").json();
    for mv in answer["moves"].as_array().unwrap() {
        let sign = if mv["value"] == "win" {
            '\u{2713}'
        } else {
            '\u{2715}'
        };
        let worth = format!(">{sign}\u{a0}{}<", mv["distance"]);
        assert!(hero.contains(&worth), "{worth}: {hero}");
    }
    assert!(rest.starts_with("<p class=\"note key\">"), "{rest}");
    let hidden = get("/?hints=0").body;
    let (_, hero) = hidden.split_once("<section class=\"board\">").unwrap();
    assert!(!hero.split("</svg>").next().unwrap().contains('\u{2713}'));
    // The tab, and the button that opens the board shown.
    assert_eq!(page.matches(">Explore</a>").count(), 2);
    assert!(
        page.contains("?position=..G/.R./Y..\">Explore</a>"),
        "{page}"
    );
    assert!(page.contains("<details class=\"all\" data-folds open>"));
}

#[test]
fn a_visitor_is_told_where_games_are_and_how_an_own_one_is_played() {
    let page = get("/nosuch");
    assert_eq!(page.status, 404);
    let told = page.body.replace("&#39;", "'");
    assert!(told.contains("There is no game 'nosuch'. Choose one from All games."));
    assert!(!told.contains("greenwave variants"), "{told}");
    let near = get("/clasic-3x3").body.replace("&#39;", "'");
    assert!(
        near.contains("There is no game 'clasic-3x3': did you mean classic-3x3"),
        "{near}"
    );
    let told = get("/api/v1/query?variant=nosuch").body;
    assert!(
        told.contains("'greenwave variants' lists the catalogue"),
        "{told}"
    );
    let design = get("/design").body;
    assert!(
        design.contains("<code>greenwave serve my-game.toml</code>"),
        "{design}"
    );
}

#[test]
fn claims_are_translated_and_keep_their_english_words() {
    let said = "Las afirmaciones est\u{e1}n traducidas";
    assert!(get("/claims?lang=es").body.contains(said));
    assert!(!get("/claims").body.contains("are translated"));
    let found = get("/claims?lang=pt&find=jogo+do+galo").body;
    assert_eq!(
        found.matches("<li><span class=\"number\">").count(),
        1,
        "{found}"
    );
    let german = get("/claims/7?lang=de").body;
    assert!(
        german.contains("<h1>Eine Analyse mit dem Computer"),
        "{german}"
    );
    assert!(
        german.contains("<p>Englischer Wortlaut:</p><blockquote lang=\"en\">Computer analysis"),
        "{german}"
    );
    assert!(german.contains("Geschichte und Geschmack"), "{german}");
    // Of a source the titles stay, and what is said about them does not.
    for path in ["/claims?lang=de", "/claims/6?lang=de"] {
        let page = get(path).body;
        let source =
            "<small>Losada, Sem\u{e1}foros (Traffic Lights), ohne Beschr\u{e4}nkung auf 3x3";
        assert!(page.contains(source), "{path}: {page}");
    }
    let titles = "<small lang=\"en\">Luna-Mota, Traffic Lights player</small>";
    assert!(get("/claims?lang=de").body.contains(titles));
    assert!(!get("/claims/7").body.contains("<blockquote"));
    // The name of the game stands in the title, also above a claim that is written as a formula.
    let game = "Ampelspiel 3\u{d7}3";
    for (path, titles) in [
        (
            "/claims/5?lang=pt",
            [
                "<title>Sem\u{e1}foro cl\u{e1}ssico 3x4: o segundo jogador tem uma estrat\u{e9}gia vencedora \u{2013} ",
                "<h1>Sem\u{e1}foro cl\u{e1}ssico 3x4: ",
            ],
        ),
        (
            "/claims/own?claim=classic-3x3+none:+value+%3D+draw&lang=de",
            [
                &format!("<title>{game} \u{2013} "),
                &format!("<h1>{game}</h1><p class=\"verdict\">"),
            ],
        ),
    ] {
        let page = get(path).body;
        for title in titles {
            assert!(page.contains(title), "{title}: {page}");
        }
    }
    // The letters on the board of an example are those of the English words.
    let example = get("/claims/2?lang=de").body;
    assert!(example.contains("R rot, Y gelb, G gr\u{fc}n"), "{example}");
}

#[test]
fn claims_are_made_of_choices() {
    let claims = get("/claims").body;
    // The list comes at once: the form above it is folded.
    assert!(
        claims.contains("<details class=\"part own-claim\"><summary>"),
        "{claims}"
    );
    for name in ["winner", "first-move", "best-play", "longest"] {
        assert!(
            claims.contains(&format!("name=\"says\" value=\"{name}\"")),
            "{name}"
        );
    }
    for (query, verdict, sentence) in [
        (
            "says=winner&game=classic-3x3&result=win",
            "This claim is true",
            "Traffic Lights 3×3, the first player wins.",
        ),
        (
            "says=first-move&game=classic-3x3&square=B2&result=loss",
            "This claim is false",
            "a first move on b2 loses.",
        ),
        (
            "says=best-play&game=classic-3x3&bound=at-least&plies=17",
            "This claim is true",
            "takes at least 17 plies.",
        ),
        (
            "says=longest&game=classic-3x3&bound=exactly&plies=23&lights=gyr",
            "This claim is false",
            "takes exactly 23 plies.",
        ),
        (
            "says=longest&game=classic-3x3&bound=at-least&plies=24",
            "This claim is true",
            "the longest game has 24 plies",
        ),
        (
            "says=best-play&game=classic-3x3&bound=at-most&plies=16",
            "This claim is false",
            "win in 17 plies for the player to move",
        ),
    ] {
        let page = get(&format!("/claims/own?{query}")).body;
        assert!(page.contains(verdict) && page.contains(sentence), "{page}");
        assert!(page.contains("[[claim.test]]"), "{page}");
    }
    let german = get("/claims/own?says=winner&game=classic-3x3&lang=de").body;
    assert!(german.contains("<h1>Im Spiel "), "{german}");
    // The form is there again, with what was filled in.
    let wrong = get("/claims/own?says=first-move&square=z9");
    assert_eq!(wrong.status, 400);
    assert!(
        wrong
            .body
            .contains("name=\"square\" size=\"3\" required maxlength=\"3\" value=\"z9\"")
    );
    assert!(
        get("/claims/own?claim=nonsense")
            .body
            .contains("value=\"nonsense\"")
    );
    assert!(get("/claims/99").body.contains("<li><a href=\"/claims\">"));
    assert!(
        wrong.body.contains("expected a square of the board"),
        "{}",
        wrong.body
    );
}

#[test]
fn evidence_of_claims_is_in_the_language_of_the_page() {
    let german = get("/claims/1?lang=de").body;
    let said = ", am Anfang: Gewinn in 17 Halbz\u{fc}gen f\u{fc}r den Spieler am Zug";
    assert!(
        german.contains(&format!("{said}</p>")) && german.contains("<span>am Anfang</span>"),
        "{german}"
    );
    let played = get("/claims/36?lang=de").body;
    assert!(
        played.contains("nach a1R a1Y b1R entsteht .../.../YR."),
        "{played}"
    );
}

#[test]
fn a_reply_is_held_back_until_the_script_asks() {
    let held = get("/classic-3x3?moves=b2R,b2Y,a1R&hints=0&play=first&hold=1");
    assert_eq!(held.status, 200);
    assert!(
        held.body
            .contains("data-reply=\"/classic-3x3?moves=b2R,b2Y,a1R&amp;hints=0&amp;play=first\""),
        "{}",
        held.body
    );
    let replied = get("/classic-3x3?moves=b2R,b2Y,a1R&hints=0&play=first");
    assert_eq!(replied.status, 303);
    // The light of the reply has a halo and a short arrow at it; nothing moved from square to square.
    let page = get("/classic-3x3?moves=b2R,a2R&hints=0&play=first").body;
    assert!(!page.contains("class=\"arrow\"") && page.contains("data-replies"));
    assert_eq!(page.matches("class=\"arrow came\"").count(), 1, "{page}");
    assert_eq!(page.matches("class=\"halo\"").count(), 1, "{page}");
}

#[test]
fn values_have_three_densities_and_a_map() {
    let page = get("/classic-3x3?position=..G/.R./Y..&values=signs").body;
    assert!(page.contains(">\u{2713}</text>") && !page.contains("\u{2713}\u{a0}"));
    assert!(
        page.contains("&amp;moves=b2Y&amp;values=signs"),
        "links keep it: {page}"
    );
    let heat = get("/classic-3x3?position=..G/.R./Y..&heat=1").body;
    assert!(heat.contains("class=\"heat-win s4\"") && heat.contains("class=\"heat-loss s"));
    assert!(heat.contains("class=\"note legend\""));
    assert!(
        !get("/classic-3x3?heat=1&hints=0")
            .body
            .contains("class=\"heat-")
    );
    assert_eq!(get("/classic-3x3?values=letters").status, 400);
}

#[test]
fn a_record_is_pasted_in_any_form() {
    let saved = "%23%20variant%20signal-3x3%0A%23%20lights%20gyr%0Ab2G%0Aa1G";
    let to = get(&format!("/classic-3x3/record?record={saved}"));
    assert_eq!(to.status, 303, "{}", to.body);
    let to = to.header("location").unwrap();
    assert_eq!(to, "/signal-3x3?moves=b2G,a1G&ply=mistake&lights=gyr");
    assert_eq!(get(to).status, 200);
    let plain = get("/classic-3x3/record?record=b2R+a1R%0D%0A");
    let shown = "/classic-3x3?moves=b2R,a1R&ply=mistake";
    assert_eq!(plain.header("location"), Some(shown));
    // Of several games, the first.
    let several = "%23+variant+classic-3x3%0Ab2R%0A%23+variant+classic-3x3%0Aa1R";
    let first = get(&format!("/classic-3x3/record?record={several}"));
    let shown = "/classic-3x3?moves=b2R&ply=mistake";
    assert_eq!(first.header("location"), Some(shown));
    // Without a text there is the field for it.
    for path in ["/classic-3x3/record", "/classic-3x3/record?record="] {
        let field = get(path);
        assert_eq!(field.status, 200, "{}", field.body);
        assert!(field.body.contains("<textarea id=\"record\""));
    }
    // What cannot be read is marked, the text is kept, and the board is that before it.
    let mended = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y,b2G,hello");
    assert_eq!(mended.status, 400);
    let mended = mended.body;
    assert!(
        mended.contains("<mark>hello</mark>")
            && mended.contains(">b2R b2Y a1R a1Y b2G hello</textarea>")
            && mended.contains("moves=b2R,b2Y,a1R,a1Y,b2G\"")
            && mended.contains("class=\"gw\""),
        "{mended}"
    );
    // The example is legal in the game asked about.
    let none = get("/semaforo/record?record=%23+note");
    assert_eq!(none.status, 400);
    assert!(none.body.contains("such as a1G a1Y"), "{}", none.body);
    let kept = get("/classic-3x3/record?record=%23+lights+foo");
    assert_eq!(kept.status, 400);
    assert!(
        kept.body.contains("# lights foo</textarea>"),
        "{}",
        kept.body
    );
    let page = get("/classic-3x3?moves=b2R,a1R").body;
    assert!(page.contains("action=\"/classic-3x3/record\"") && page.contains("class=\"mini\""));
    assert!(page.contains("<li class=\"second\">"));
}

/// The winner's own slip comes before the mistake of the opponent that ended the game.
#[test]
fn a_review_begins_before_the_first_mistake_of_the_reader() {
    let moves = "b2R,b2Y,a1R,a1Y,c3R,c3Y";
    let begins = |path: &str| {
        let page = get(path).body;
        let (before, _) = page.split_once(">Review this game<").expect(&page);
        before.rsplit("href=\"").next().unwrap().to_string()
    };
    let first = begins(&format!("/classic-3x3?moves={moves}&hints=0&play=first"));
    assert_eq!(first, format!("/classic-3x3?moves={moves}&amp;ply=4\""));
    // The second player made none.
    let second = begins(&format!("/classic-3x3?moves={moves}&hints=0&play=second"));
    assert_eq!(second, first);
    let pasted = get(&format!("/classic-3x3?moves={moves}&ply=mistake"));
    let to = format!("/classic-3x3?moves={moves}&ply=4");
    assert_eq!(pasted.header("location"), Some(to.as_str()));
    let quiet = get(&format!("/classic-3x3?moves={moves}&ply=mistake&hints=0"));
    assert_eq!(quiet.header("location"), Some(&*format!("{to}&hints=0")));
    let flawless = get("/classic-3x3?moves=b2R&ply=mistake");
    assert_eq!(flawless.status, 200);
}

#[test]
fn a_lesson_is_played_and_judged_by_the_rules() {
    for path in ["/", "/play", "/learn"] {
        assert!(get(path).body.contains("href=\"/lesson\""), "{path}");
    }
    assert!(
        get("/semaforo/learn")
            .body
            .contains("href=\"/lesson?lights=gyr\"")
    );
    let step = get("/lesson?step=4").body;
    assert!(
        step.contains("<title>Learn by playing: Step 4 of 6 "),
        "{step}"
    );
    assert!(step.contains("Step 4 of 6") && step.contains("href=\"/lesson?step=4&amp;square=b2\""));
    let right = get("/lesson?step=4&square=b2").body;
    assert!(
        right.contains("you have won") && right.contains("href=\"/lesson?step=5\""),
        "{right}"
    );
    // After another one the board still has its links.
    let wrong = get("/lesson?step=4&square=a1").body;
    assert!(wrong.contains("no line of three alike"), "{wrong}");
    assert!(!wrong.contains("class=\"actions\""), "{wrong}");
    assert!(wrong.contains("href=\"/lesson?step=4&amp;square=b2\"") && !wrong.contains("step=5"));
    let refuted = get("/lesson?step=6&square=a3").body;
    assert!(
        refuted.contains("your opponent plays") && refuted.contains(">Try again<"),
        "{refuted}"
    );
    let portuguese = get("/lesson?step=1&lights=gyr&lang=pt").body;
    assert!(portuguese.contains("passa a verde"), "{portuguese}");
    let capital = get("/lesson?step=4&square=B2").body;
    assert!(capital.contains("a2 red, b2 red, c2 red"), "{capital}");
    let past = get("/lesson?step=7");
    assert_eq!(past.status, 400);
    assert!(
        past.body.contains("<li><a href=\"/lesson\">"),
        "{}",
        past.body
    );
    assert_eq!(get("/lesson?square=d4").status, 400);
}

#[test]
fn a_named_game_shows_its_board_and_its_rules_before_it_is_played() {
    let classic = get("/classic-3x3/play").body;
    assert!(
        classic.contains("class=\"gw\"") && classic.contains("you put a red light"),
        "{classic}"
    );
    assert!(get("/semaforo/play").body.contains("you put a green light"));
    let points = get("/points-3x3/play").body;
    assert!(
        points.contains("<details><summary>Rules</summary>"),
        "{points}"
    );
}

#[test]
fn puzzles_are_set_solved_and_missed() {
    let set = get("/classic-3x3/puzzle?level=1&seed=3");
    assert_eq!(set.status, 303, "{}", set.body);
    let to = set.header("location").unwrap().to_string();
    assert!(
        to.contains("play=first") && to.contains("puzzle=1") && to.contains("hints=0"),
        "{to}"
    );
    let page = get(&to).body;
    assert!(page.contains("One move alone does it") && !page.contains("class=\"tag "));
    assert!(
        page.contains("You are to move and win in ") && page.contains("\u{2605}\u{2606}\u{2606}")
    );
    let puzzle = get("/api/v1/puzzle?variant=classic-3x3&level=1&seed=3")
        .lines()
        .remove(0);
    let solution = puzzle["solution"][0].as_str().unwrap().to_string();
    let moves = get(&format!(
        "/api/v1/query?variant=classic-3x3&position={}",
        puzzle["position"].as_str().unwrap()
    ))
    .json();
    let wrong = moves["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|mv| mv["move"] != *solution);
    let wrong = wrong.unwrap()["move"].as_str().unwrap().to_string();
    let missed = get(&format!("{to}&moves={wrong}"));
    assert_eq!(missed.status, 200);
    assert!(missed.body.contains("Not that one") && missed.body.contains("Try again"));
    // The page does not name the solution, and the puzzle begins again at its position.
    let told = missed.body.contains("class=\"mistake\"");
    assert!(!told, "{}", missed.body);
    let anew = missed.body.split("data-tool=\"start\"").nth(1);
    let anew = anew.and_then(|rest| rest.split('>').next()).unwrap();
    assert!(anew.contains("position="), "{anew}");
    assert!(
        missed.body.contains(&format!(" {wrong}"))
            && missed.body.contains("data-puzzle=\"missed\"")
            && !missed.body.contains("data-move="),
        "the reason names the move: {}",
        missed.body
    );
    // The reply that refutes it is a lamp, and no arrow leads there.
    assert!(
        missed.body.contains("ghost shown reply") && !missed.body.contains("class=\"arrow\""),
        "{}",
        missed.body
    );
    // The solution stays in the puzzle: its task, its line and the ways on.
    let shown = missed.body.split("data-tool=\"solution\"").nth(1).unwrap();
    let shown = shown.split("href=\"").nth(1).unwrap();
    let shown = get(&shown.split('"').next().unwrap().replace("&amp;", "&"));
    assert_eq!(shown.status, 303, "{}", shown.body);
    let shown = get(shown.header("location").unwrap());
    assert_eq!(shown.status, 200, "{}", shown.body);
    for part in [
        "id=\"verdict\">The solution<",
        "class=\"summary\">You are to move and win in ",
        "class=\"line\"",
        "data-tool=\"next\"",
        "data-step=\"forward\"",
        "Open in Explore",
        "aria-current=\"page\">Play</a>",
    ] {
        assert!(shown.body.contains(part), "{part}: {}", shown.body);
    }
    let right = get(&format!("{to}&moves={solution}"));
    match puzzle["distance"].as_u64() {
        Some(1) => assert!(
            right.body.contains("Solved! You found every move.")
                && right.body.contains("Next puzzle")
        ),
        _ => assert_eq!(right.status, 303),
    }
    let of_today = get("/puzzle");
    assert_eq!(of_today.status, 303, "{}", of_today.body);
    let to = of_today.header("location").unwrap();
    let (_, day) = to.split_once("day=").unwrap();
    assert!(
        get(to)
            .body
            .contains(&format!("Puzzle of {}", Language::English.date(&day[..10]))),
        "{to}"
    );
    assert_eq!(get(&to.replace(&day[..10], "tomorrow")).status, 400);
    // Each day has its own, of a level that no pupil despairs of.
    let of_day = |day: &str| get(&format!("/puzzle?day={day}"));
    let days = ["2026-11-30", "2026-12-01", "2026-12-02", "2026-12-04"];
    let set = days.map(|day| of_day(day).header("location").unwrap().to_string());
    for (to, day) in set.iter().zip(days) {
        assert!(to.ends_with(&format!("day={day}")), "{to}");
        assert!(to.contains("puzzle=2") || to.contains("puzzle=3"), "{to}");
        assert_eq!(of_day(day).header("location"), Some(to.as_str()));
    }
    assert!(set[0] != set[1] && set[1] != set[2], "{set:?}");
    let easy = of_day("2026-12-01&level=1");
    assert!(easy.header("location").unwrap().contains("puzzle=1"));
    assert_eq!(of_day("2026-12-01&level=9").status, 400);
    assert_eq!(get("/classic-3x3/puzzle?level=9").status, 400);
    let never = of_day("2026-11-31");
    assert_eq!(never.status, 400);
    assert!(
        never.body.contains("expected a day such as"),
        "{}",
        never.body
    );
    assert_eq!(get("/bag-classic-2x3/puzzle").status, 404);
}

#[test]
fn sheets_have_their_solutions_on_a_page_of_their_own() {
    let sheet = get("/classic-3x3/sheet?count=6&seed=2&lang=de").body;
    assert_eq!(sheet.matches("<figure>").count(), 6);
    assert!(sheet.contains("class=\"solutions\"") && sheet.contains("Gewinn in"));
    assert_eq!(get("/classic-3x3/sheet?count=900").status, 400);
    assert!(sheet.contains(">US Letter</a>"), "{sheet}");
    let letter = get("/classic-3x3/sheet?count=6&seed=2&paper=letter&level=1").body;
    assert!(letter.contains("class=\"sheet letter\"") && letter.contains("class=\"pupil\""));
    assert!(letter.contains("class=\"answer-box\"") && letter.contains("/qr.svg?text=http"));
    assert!(letter.contains("aria-current=\"true\">Level 1"), "{letter}");
    let order = letter.split("class=\"order-of-lights\">").nth(1).unwrap();
    let places = ["R red", "Y yellow", "G green"].map(|light| order.find(light).unwrap());
    assert!(places.is_sorted(), "{order}");
    // They are of one level, said once above and once for each, and the code says what it opens.
    for (level, of) in [("", 1), ("&level=2", 2)] {
        let many = get(&format!("/classic-3x3/sheet?count=12&seed=2{level}")).body;
        let levels = many.split("class=\"unseen\">Level ").skip(1);
        let levels: Vec<&str> = levels.map(|rest| &rest[..1]).collect();
        assert_eq!(levels, vec![of.to_string(); 14]);
        assert!(
            many.contains("<figcaption>Scan to open this sheet"),
            "{many}"
        );
    }
    assert_eq!(get("/classic-3x3/sheet?paper=a0").status, 400);
}

/// A page offers what it advises, and advises no option of a command.
#[test]
fn puzzles_that_a_sample_lacks_are_looked_for_elsewhere() {
    let page = get("/ampel-4-2-1/puzzle?theme=strip&level=2&seed=7");
    assert_eq!(page.status, 404, "{}", page.body);
    assert!(!page.body.contains("--") && page.body.contains("Other puzzles"));
    let next = "href=\"/ampel-4-2-1/puzzle?level=2&amp;theme=strip&amp;seed=8\"";
    assert!(page.body.contains(next), "{}", page.body);
    let api = get("/api/v1/puzzle?variant=ampel-4-2-1&theme=strip&seed=7");
    let remark = api.header("greenwave-remark");
    assert!(remark.is_some_and(|remark| remark.contains("another seed looks at others")));
}

/// Boards and counters are there when they are asked for.
#[test]
fn a_sheet_has_boards_and_counters_to_cut_out() {
    let plain = get("/classic-3x3/sheet?count=1&seed=2").body;
    assert!(!plain.contains("class=\"counters\""));
    let to = "/classic-3x3/sheet?count=1&amp;seed=2&amp;level=1&amp;material=1";
    assert!(plain.contains(to), "{plain}");
    let sheet = get(&to.replace("&amp;", "&")).body;
    let (_, material) = sheet.split_once("class=\"boards rows-3\"").expect(&sheet);
    let (boards, counters) = material.split_once("class=\"counters\"").unwrap();
    assert_eq!(boards.matches("<figure>").count(), 6);
    // Each with its letter and its pattern.
    for light in ["r", "y", "g"] {
        let letters = counters.matches(&format!("letter-{light}")).count();
        let patterns = counters.matches(&format!("on-{light}")).count();
        assert_eq!((letters, patterns % 8), (8, 0), "{light}");
        assert!(patterns > 0, "{light}");
    }
    let noughts = get("/noughts-3x3/sheet?count=1&material=1").body;
    let (_, counters) = noughts.split_once("class=\"counters\"").unwrap();
    assert_eq!(counters.matches(">X</text>").count(), 5, "{counters}");
    let ampel = get("/ampel-4-2-1/sheet?count=1&material=1").body;
    assert!(ampel.contains("class=\"cylinder\""));
}

#[test]
fn rules_are_written_by_clicks_and_carried_by_the_address() {
    let usual = get("/design");
    assert_eq!(usual.status, 200);
    assert!(
        usual.body.contains("The first player wins in 17 plies"),
        "{}",
        usual.body
    );
    assert!(
        usual.body.contains("size = &quot;3x3&quot;"),
        "{}",
        usual.body
    );
    // One click: no diagonals. It is a link, so it needs no script.
    let link = usual.body.split(" rel=\"nofollow\" href=\"");
    let mut link = link.filter_map(|rest| rest.split('"').next());
    let link = link
        .find(|link| link.contains("along=rf"))
        .unwrap()
        .replace("&amp;", "&");
    let changed = get(&link);
    assert_eq!(changed.status, 200);
    assert!(
        changed
            .body
            .contains("directions = [&quot;rank&quot;, &quot;file&quot;]"),
        "{}",
        changed.body
    );
    // The values are those of the rule file.
    let pair = get("/design?board=oo&length=2&levels=1&lang=de");
    assert!(
        pair.body.contains("Wer nachzieht, gewinnt in 2"),
        "{}",
        pair.body
    );
    let misere = get("/design?board=oo&length=2&levels=1&lose=1");
    assert!(
        misere.body.contains("Every first move wins."),
        "{}",
        misere.body
    );
    let gaps = get("/design?board=---/ooo");
    assert!(
        gaps.body.contains("These rules make no game") || gaps.status == 200,
        "{}",
        gaps.body
    );
    // Hexagons are drawn as such, with a link for every square and gap.
    let hexagons = get("/design?board=ooo/o-o/ooo&grid=hex").body;
    let board = hexagons
        .split("<svg class=\"gw editor hexagons\"")
        .nth(1)
        .unwrap();
    let board = board.split("</svg>").next().unwrap();
    assert_eq!(board.matches("<a ").count(), 9, "{board}");
    assert_eq!(board.matches("class=\"gap\"").count(), 1, "{board}");
    assert!(board.contains("grid=hex"), "{board}");
    // A game of one's own is played as every other; one of the catalogue has its name.
    assert!(
        usual.body.contains("href=\"/classic-3x3/play\"")
            && usual.body.contains("the rules of Traffic Lights 3\u{d7}3"),
        "{}",
        usual.body
    );
    let own = "/own:board=oo,length=2,levels=1,lose=1";
    let link = misere
        .body
        .split("id=\"play-this\" href=\"")
        .nth(1)
        .unwrap();
    let link = link.split('"').next().unwrap();
    assert_eq!(get(link).status, 200, "{link}");
    let begun = get(own).body;
    assert!(begun.contains("First player wins in 2 plies"), "{begun}");
    let played = get(&format!("{own}?moves=a1R&play=second"));
    assert_eq!(played.status, 200);
    let answer = get(&format!("/api/v1/query?variant={}", &own[1..]));
    assert!(answer.body.contains("\"value\":\"win\""), "{}", answer.body);
    assert_eq!(get("/own:lose=2").status, 404);
    for wrong in [
        "/design?board=oo/o",
        "/design?levels=4",
        "/design?goals=11",
        "/design?b=1",
    ] {
        assert_eq!(get(wrong).status, 400, "{wrong}");
    }
}

#[test]
fn a_design_that_is_not_solved_says_what_is_known() {
    // Theorems and published results tell who wins on large boards.
    let large = get("/design?board=ooooo/ooooo/ooooo/ooooo/ooooo").body;
    let solve = "<code>greenwave solve my-game.toml</code>";
    assert!(!large.contains(solve) && large.contains("id=\"play-this\""));
    let open = get("/design?board=ooooo/ooooo/ooooo/ooooo/ooooo&goals=333").body;
    assert!(
        open.contains("more than 12 squares") && open.contains(solve),
        "{open}"
    );
    let has_source = large.contains("By a theorem") || large.contains("From the published results");
    assert!(
        large.contains("The first player wins in 49 plies") && has_source,
        "{large}"
    );
    // A longer search says no more.
    assert!(!large.contains("data-again"), "{large}");
    // The theorem tells one move that wins, and nothing of the others.
    let one = get("/design?board=ooooo/ooooo/ooooo&levels=1&goals=111").body;
    assert!(
        one.contains("First moves known to win: c2R. Whether there are others is not known."),
        "{one}"
    );
    // What is known whole needs no solve.
    let whole = get("/design?board=oooooo/oooooo/oooooo").body;
    assert!(
        whole.contains("The second player wins in 38 plies")
            && whole.contains("From the published results")
            && !whole.contains("more than 12 squares")
            && !whole.contains("greenwave solve"),
        "{whole}"
    );
}

#[test]
fn a_design_is_shown_at_once_and_searched_on() {
    let design = "/design?board=ooooo/ooooo/ooooo&swap=1";
    let searched = |page: &Answer| page.body.contains("data-again=\"1\"");
    let page = ask_until(server(), design, searched).body;
    assert!(
        page.contains("swap=1&amp;stage=1\"") && page.contains("Who wins is not known"),
        "{page}"
    );
    // The longer search is the last, and links do not carry it on.
    let last = |page: &Answer| page.status == 200 && !page.body.contains("data-again");
    let page = ask_until(server(), &format!("{design}&stage=1"), last).body;
    assert!(
        !page.contains("data-again") && !page.contains("stage="),
        "{page}"
    );
    // A server that is busy says so, and the page asks again.
    let busy = start(0, Duration::from_secs(5));
    for address in [design.to_string(), format!("{design}&stage=1")] {
        let page = ask_at(busy, "GET", &address, "");
        assert_eq!(page.status, 200);
        assert!(
            page.body.contains("data-again=") && page.body.contains("id=\"verdict\""),
            "{}",
            page.body
        );
        assert!(page.body.contains("busy"), "{}", page.body);
    }
}

#[test]
fn the_rules_of_a_game_in_one_line_are_its_own() {
    let line = "Three alike in a line";
    for (game, has_line) in [
        ("classic-3x3", true),
        ("classic-3x4", true),
        ("semaforo", true),
        ("classic-1x1", false),
        ("classic-1x2", false),
        ("classic-2x2", false),
        ("classic-3x3:play=misere", false),
        ("green-3x3", false),
        ("signal-3x3", false),
        ("points-3x3", false),
    ] {
        let page = get(&format!("/{game}/play"));
        assert_eq!(page.status, 200, "{game}");
        assert_eq!(page.body.contains(line), has_line, "{game}: {}", page.body);
    }
    // The page of a game names one order of the lights.
    let page = get("/semaforo/play?lights=ryg&lang=pt").body;
    assert!(
        page.contains("No Sem\u{e1}foro cl\u{e1}ssico p\u{f5}es uma luz vermelha")
            && !page.contains("campeonato"),
        "{page}"
    );
}

#[test]
fn a_claim_that_cannot_be_checked_needs_no_job() {
    let busy = start(0, Duration::from_secs(5));
    for path in ["/claims/27", "/api/v1/check?claim=29"] {
        let page = ask_at(busy, "GET", path, "");
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert!(
            page.body.contains("not checkable") || page.body.contains("No program can check"),
            "{path}: {}",
            page.body
        );
    }
}

#[test]
fn variants_claims_sums_and_tables_have_pages() {
    let compared = get("/compare?a=classic-3x3&b=signal-3x3").body;
    assert!(compared.contains("class=\"compared\"") && compared.contains("/signal-3x3\""));
    assert!(compared.contains("<datalist id=\"games\">") && compared.contains("class=\"differs\""));
    assert_eq!(compared.matches("<figure>").count(), 2);
    // Each board says who wins, and a sentence in what the games differ.
    assert_eq!(
        compared
            .matches("<br>First player wins in 17 plies")
            .count(),
        2,
        "{compared}"
    );
    assert!(compared.contains("The same player wins both games, and they take equally long."));
    let longer = get("/compare?a=classic-3x3&b=green-3x3").body;
    assert!(
        longer.contains("Greens only 3\u{d7}3 takes 4 plies longer."),
        "{longer}"
    );
    assert!(compared.contains("R red, Y yellow, G green"));
    // What was asked for comes before the form that asks for more.
    let (results, _) = compared.split_once("<form class=\"filter\"").unwrap();
    assert!(results.contains("class=\"compared\""), "{compared}");
    // The differences stand on both boards.
    let tags: Vec<usize> = compared
        .split("<figure>")
        .skip(1)
        .map(|one| one.matches("on-").count())
        .collect();
    assert!(
        tags.len() == 2 && tags[0] > 0 && tags[0] == tags[1],
        "{tags:?}"
    );
    // How games are named is told beside the fields, and there are comparisons that need no typing.
    let begin = get("/compare?lang=de");
    assert_eq!(begin.status, 200);
    let (_, naming) = begin.body.split_once("id=\"naming\"").expect(&begin.body);
    assert!(naming.contains("classic-3x3:play=misere.</p>"), "{naming}");
    assert_eq!(
        naming
            .matches("href=\"/compare?a=classic-3x3&amp;b=")
            .count(),
        3
    );
    assert!(
        naming.contains(">Ampelspiel 3\u{d7}3 und Signal 3\u{d7}3</a>"),
        "{naming}"
    );
    assert_eq!(get("/compare?a=nothing&b=classic-2x3").status, 404);
    // A game that is named alone is set beside itself in misère play, and a misère one beside normal play.
    for (named, beside) in [
        ("signal-3x4", "signal-3x4:play=misere"),
        ("classic-3x3:play=misere", "classic-3x3"),
        ("strip:repeat=ban", "classic-3x3"),
    ] {
        let form = get(&format!("/compare?a={named}")).body;
        let filled =
            |name: &str, value: &str| form.contains(&format!("name=\"{name}\" value=\"{value}\""));
        assert!(filled("a", named) && filled("b", beside), "{named}: {form}");
    }
    // Pages and programs are asked in the same ways.
    let names = [
        "a=classic-3x3&b=signal-3x3",
        "variants=classic-3x3+signal-3x3",
    ];
    assert_eq!(get(&format!("/compare?{}", names[1])).body, compared);
    let [fields, list] = names.map(|names| get(&format!("/api/v1/compare?{names}")).json());
    assert_eq!(fields, list);
    let three = get("/compare?variants=classic-2x3+signal-2x3+green-2x3").body;
    assert_eq!(three.matches("<th scope=\"col\">").count(), 3, "{three}");
    let claims = get("/claims");
    assert!(claims.body.contains("/claims/"), "{}", claims.body);
    // They are found by words, authors and games, and by verdict.
    let found = get("/claims?find=lOSADa&verdict=false").body;
    assert_eq!(
        found.matches("<li><span class=\"number\">").count(),
        1,
        "{found}"
    );
    assert!(found.contains("The first player can always win"), "{found}");
    assert!(
        get("/claims?find=nothing+like+it")
            .body
            .contains("No claim is like that")
    );
    // From a claim one goes on to the next and back.
    let second = get("/claims/2?lang=es").body;
    assert!(second.contains("href=\"/claims/1?lang=es\">\u{2039} Afirmaci\u{f3}n 1</a>"));
    assert!(
        second.contains(">Afirmaci\u{f3}n 3 \u{203a}</a>"),
        "{second}"
    );
    assert!(!get("/claims/1").body.contains("rel=\"prev\""));
    assert_eq!(get("/claims/no-such").status, 404);
    let own = get("/claims/own?claim=classic-2x3+none:+value+=+draw");
    assert!(
        own.status == 200
            && own
                .body
                .contains("<h1>Traffic Lights 2×3</h1><p class=\"verdict\">"),
        "{}",
        own.body
    );
    assert!(
        own.body.contains("<pre><code>classic-2x3 none: ")
            && own
                .body
                .contains("value=\"classic-2x3 none: value = draw\""),
        "{}",
        own.body
    );
    assert_eq!(get("/claims/own?claim=nonsense").status, 400);
    let sum = get("/sum?boards=classic-2x3+classic-2x3=R../...").body;
    assert!(
        sum.contains("Nimber") && sum.contains("/sum?boards="),
        "{sum}"
    );
    assert_eq!(get("/sum?boards=slider").status, 400);
    assert!(get("/tables").body.contains("There is no table here"));
    let offered = ask_at(with_tables(), "GET", "/tables", "").body;
    assert!(
        offered.contains("/tables/classic-3x3/value.gwt") && offered.contains("<td>who wins</td>")
    );
    assert!(
        offered.contains("href=\"/classic-3x3:play=misere\""),
        "{offered}"
    );
}

#[test]
fn a_sum_says_what_its_signs_and_its_nimbers_mean() {
    let sum = get("/sum?boards=classic-2x3+classic-2x3").body;
    assert!(sum.contains("wins, \u{2715} loses.") && sum.contains("A number for adding boards"));
}

#[test]
fn a_claim_is_settled_with_a_position_to_look_at() {
    let listed = get("/api/v1/check?list=1").lines();
    let quick = listed
        .iter()
        .find(|claim| claim["checkable"] == true && claim["text"].as_str().unwrap().contains("3"));
    let id = quick.unwrap()["claim"].to_string();
    let page = get(&format!("/claims/{}", id.trim_matches('"')));
    assert_eq!(page.status, 200, "{}", page.body);
}

#[test]
fn positions_are_counted() {
    let page = get("/classic-3x3/stats");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("262,144"), "{}", page.body);
    assert!(page.body.contains("class=\"bar\""));
    assert!(
        page.body
            .contains(">To the start of Traffic Lights 3\u{d7}3</a>")
    );
    // The longest position is a board that leads to it.
    let (_, longest) = page
        .body
        .split_once("Farthest from the end, 20 plies")
        .expect("a board");
    let (longest, _) = longest.split_once("</figure>").unwrap();
    assert!(
        longest.contains("position=.../.../R..") && longest.contains("<svg"),
        "{longest}"
    );
    let even = get("/classic-3x3/stats?scale=even").body;
    let widths = |page: &str| page.matches(" width=\"0.").count();
    assert!(
        widths(&page.body) < widths(&even),
        "no bar is too short to be seen"
    );
    assert_eq!(get("/classic-3x3/stats?scale=odd").status, 400);
    assert!(
        page.body
            .contains("How many positions there are of each nimber")
    );
}

#[test]
fn only_the_embedded_view_may_stand_in_a_frame() {
    let policy = |path: &str| {
        get(path)
            .header("content-security-policy")
            .unwrap()
            .to_string()
    };
    assert!(policy("/classic-3x3").ends_with("frame-ancestors 'none'"));
    assert!(policy("/classic-3x3?embed=1").ends_with("frame-ancestors *"));
    assert!(!policy("/classic-3x3").contains("unsafe"));
    let page = get("/classic-3x3");
    assert_eq!(page.header("access-control-allow-origin"), None);
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
}

#[test]
fn the_order_of_the_lights_is_offered_where_there_are_lights() {
    let offered = |path: &str| get(path).body.contains("data-tool=\"lights\"");
    assert!(offered("/classic-2x3") && offered("/bag-classic-1x3?hints=0"));
    assert!(!offered("/noughts-3x3") && !offered("/ampel-4-2-1?hints=0"));
}

#[test]
fn wrong_addresses_help() {
    let page = get("/classic-3x3?moves=b2R,b2R");
    assert_eq!(page.status, 400);
    assert!(page.body.contains("move 2") && page.body.contains("href=\"/classic-3x3\""));
    assert!(
        page.body
            .contains("href=\"/classic-3x3?moves=b2R,b2R&amp;lang=de\""),
        "{}",
        page.body
    );
    let misspelt = get("/clasic-3x3");
    assert_eq!(misspelt.status, 404);
    for near in ["classic-3x3", "classic-3x4", "classic-3x5"] {
        let link = format!("href=\"/{near}\"");
        assert!(misspelt.body.contains(&link), "{}", misspelt.body);
    }
    assert_eq!(get("/classic-3x3/../../etc/passwd").status, 404);
    let page = get("/%3Cscript%3Ealert(1)%3C/script%3E");
    assert!(page.status == 404 && !page.body.contains("<script>alert"));
}

#[test]
fn a_page_is_found_by_other_names_that_visitors_type() {
    for (typed, page) in [
        ("/games", "/"),
        ("/variants?lang=de", "/?lang=de"),
        ("/puzzles", "/puzzle"),
        ("/table", "/tables"),
        ("/claim/27", "/claims/27"),
        ("/games/classic-3x3", "/classic-3x3"),
        (
            "/classic-3x3/puzzles?count=2",
            "/classic-3x3/puzzle?count=2",
        ),
        ("/classic-3x4/tables?lang=pt", "/tables?lang=pt"),
        ("/classic-3x4/claims", "/claims?find=classic-3x4"),
        ("/semaforo/compare", "/compare?a=semaforo"),
    ] {
        let answer = get(typed);
        assert_eq!(answer.status, 303, "{typed}");
        assert_eq!(answer.header("location"), Some(page), "{typed}");
    }
    for nowhere in ["/classic-3x3/gamez", "/clasic-3x3/tables"] {
        assert_eq!(get(nowhere).status, 404, "{nowhere}");
    }
}

#[test]
fn what_a_page_cannot_make_sense_of_is_told() {
    for (path, part) in [
        (
            "/classic-2x3?postion=R../...",
            "unknown parameter 'postion'",
        ),
        (
            "/classic-2x3?lang=xx",
            "found 'xx', expected one of en, pt, es, de",
        ),
        (
            "/classic-2x3?play=third",
            "expected one of first, second, both",
        ),
        (
            "/classic-2x3?level=expert",
            "perfect, strong, medium or easy",
        ),
        ("/classic-2x3?hints=maybe", "expected 1, yes, on or true"),
        ("/classic-2x3?hint=9", "a number from 0 to 3"),
        ("/classic-2x3?seed=x", "seed: found 'x'"),
        ("/classic-2x3?puzzle=7", "a number from 0 to 5"),
        (
            "/classic-2x3?from=z9",
            "expected a square of the board, such as a1",
        ),
        ("/classic-2x3?moves=b2R&ply=2", "a number from 0 to 1"),
        ("/classic-2x3?colours=red", "lights: found 'red'"),
        ("/classic-2x3/puzzle?level=6", "a number from 1 to 5"),
        ("/classic-2x3/sheet?count=0", "a number from 1 to 24"),
        ("/compare?c=classic-2x3", "unknown parameter 'c'"),
        ("/?name=classic-2x3", "unknown parameter 'name'"),
        (
            "/go?name=classic-2x3&o-plya=misere",
            "unknown parameter 'o-plya'",
        ),
    ] {
        let refused = get(path);
        assert_eq!(refused.status, 400, "{path}");
        let shown = refused.body.replace("&#39;", "'");
        assert!(shown.contains(part), "{path}: {shown}");
        assert!(
            shown.contains("href=\"/\"") || shown.contains("href=\"/?"),
            "{path}"
        );
    }
    // Marks that others put on addresses which are passed on.
    assert_eq!(get("/classic-2x3?utm_source=x&fbclid=y").status, 200);
}

#[test]
fn a_sheet_leads_to_another_and_keeps_its_own_in_other_languages() {
    let sheet = get("/classic-3x3/sheet?count=6&seed=2&level=1");
    let links = addresses(&sheet);
    let next = "/classic-3x3/sheet?count=6&seed=3&level=1".to_string();
    assert!(links.contains(&next), "{links:?}");
    assert_eq!(get(&next).status, 200);
    let german = "/classic-3x3/sheet?count=6&seed=2&level=1&lang=de".to_string();
    assert!(links.contains(&german), "{links:?}");
}

#[test]
fn a_page_that_has_to_be_waited_for_says_so_and_asks_again() {
    let host = start(2, Duration::from_millis(20));
    let waits = |path: &str| {
        let page = ask_at(host, "GET", path, "");
        assert_eq!(page.status, 503, "{path}: {}", page.body);
        page
    };
    let page = waits("/compare?a=signal-3x3&b=green-3x3");
    assert!(page.body.contains("data-again=\"") && page.body.contains("http-equiv=\"refresh\""));
    // Heading and title name what is worked out.
    let puzzle = waits("/puzzle?lang=es");
    for (page, subject) in [
        (
            &page,
            "Signal 3\u{d7}3 and Greens only 3\u{d7}3: being worked out",
        ),
        (
            &waits("/classic-3x4/stats?lang=de"),
            "Ampelspiel 3\u{d7}4 \u{b7} Statistik: wird berechnet",
        ),
        (&puzzle, "Problema de hoy: calculando"),
    ] {
        assert!(
            page.body.contains(&format!("<h1>{subject}</h1>"))
                && page.body.contains(&format!("<title>{subject} ")),
            "{subject}: {}",
            page.body
        );
    }
    // The puzzle of the day says why it is not there yet.
    let why = "El programa a\u{fa}n lo est\u{e1} eligiendo entre las posiciones";
    assert!(puzzle.body.contains(why), "{}", puzzle.body);
    // It is the same page in other languages, and under its own tab.
    assert!(
        page.body
            .contains("href=\"/compare?a=signal-3x3&amp;b=green-3x3&amp;lang=de\"")
            && page.body.contains("href=\"/learn\" aria-current=\"page\""),
        "{}",
        page.body
    );
    // It is no fault, and there is nothing to type.
    let (_, main) = page.body.split_once("<main").unwrap();
    let main = main.split("</main>").next().unwrap();
    assert!(
        !main.contains("\"problem\"") && !main.contains("<form"),
        "{main}"
    );
}

#[test]
fn forms_lead_to_variants() {
    let form = get("/classic-2x3:play=misere?hints=0").body;
    assert!(
        form.contains("<option value=\"misere\" selected>loses</option>")
            && form.contains("<option value=\"cap4\">at most 4 on the board</option>"),
        "{form}"
    );
    let moved = get("/go?name=classic-3x3&o-play=misere&o-supply=unlimited&lang=de");
    assert_eq!(moved.status, 303);
    assert_eq!(
        moved.header("location"),
        Some("/classic-3x3:play=misere?lang=de")
    );
    assert_eq!(get("/go?name=").status, 400);
    assert_eq!(get("/go?name=nothing").status, 404);
}

#[test]
fn draws_are_chosen_and_hands_are_shown() {
    let page = get("/bag-classic-3x3?hints=0");
    assert!(page.body.contains("Chance is to draw") && page.body.contains("moves=%5BRG%5D"));
    let page = get("/bag-classic-3x3?hints=0&moves=[RG]");
    assert!(page.body.contains("data-move=\"+R\""), "{}", page.body);
}

#[test]
fn a_disc_is_chosen_first_where_it_has_several_moves() {
    let at = "/ampel-4-2-1?position=4%202%201%20r%201%200%200%20./.R/.y./....";
    let page = get(at);
    assert!(page.body.contains("from=b2"), "{}", page.body);
    let chosen = get(&format!("{at}&from=b2"));
    assert!(chosen.body.contains("moves=b2-"), "{}", chosen.body);
}

#[test]
fn codes_are_pictures() {
    let code = get("/qr.svg?text=http://127.0.0.1/classic-3x3");
    assert_eq!(code.header("content-type"), Some("image/svg+xml"));
    assert_eq!(get("/qr.svg").status, 400);
    assert_eq!(
        get(&format!("/qr.svg?text={}", "x".repeat(4000))).status,
        400
    );
}

#[test]
fn files_are_kept_and_confirmed() {
    let page = get("/");
    let script = addresses(&page)
        .into_iter()
        .find(|address| address.contains(".js"))
        .unwrap();
    let asset = get(&script);
    let tag = asset.header("etag").unwrap().to_string();
    let again = ask("GET", &script, &format!("If-None-Match: {tag}\r\n"));
    assert_eq!((again.status, again.body.as_str()), (304, ""));
}

#[test]
fn a_curved_arrow_turns_the_strip_and_the_tree_is_at_hand() {
    let page = get_at(with_strip(), "/small.toml").body;
    let mut arrows = page.split("class=\"strip-arrow\"").skip(1);
    let turning = arrows.find(|arrow| arrow.contains("aria-label=\"turn "));
    let turning = turning.expect(&page);
    assert!(
        turning.starts_with(" href=\"/small.toml?moves=turn\""),
        "{turning}"
    );
    assert!(!get("/classic-2x3").body.contains("class=\"strip-arrow\""));
    // Solved games lead to their tree from where they are, unless a game is being played.
    let page = get("/classic-2x3?moves=b1R").body;
    assert!(
        page.contains("data-tree><h2><a rel=\"nofollow\" href=\"/classic-2x3/tree?position="),
        "{page}"
    );
    assert!(
        !get("/classic-2x3?play=first&hints=0")
            .body
            .contains("data-tree")
    );
}

fn with_strip() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| start_with_strip(16, Duration::from_secs(60)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_is_asked_is_answered_or_refused(
        path in "(/|/api/v1/(query|line|rules|draw\\.svg)|/classic-2x3|/small\\.toml|/go|/qr\\.svg)",
        query in "(variant=classic-2x3&)?((position|moves|colours|ply|from|edit|hints|lang|text|name)=[!-~]{0,12}&?){0,4}",
    ) {
        let query = query.replace(['#', ' '], "");
        let status = get_at(with_strip(), &format!("{path}?{query}")).status;
        prop_assert!([200, 303, 400, 404, 429, 503].contains(&status), "{}", status);
    }

    #[test]
    fn whatever_path_is_named_nothing_outside_is_shown(path in "/[!-~]{0,30}") {
        let path = path.replace(['#', '?', ' '], "");
        let status = get(&path).status;
        prop_assert!([200, 400, 404, 429, 503].contains(&status), "{}", status);
    }
}

#[test]
fn rule_files_of_one_name_have_addresses_of_their_own() {
    let tablebase = greenwave_tablebase::Tablebase::open("no-such-folder").unwrap();
    let file = |path: &str, size: &str| {
        let text = format!(
            "title = 'Game {size}'\npatterns = ['11', '22']\nboard.size = '{size}'\n\
                            board.line-length = 2\n"
        );
        let file = greenwave_game::RuleFile::parse("gap.toml", &text).unwrap();
        greenwave_game::RuleFile {
            variant: file.variant.shown_as(path),
            ..file
        }
    };
    let host = start_with(tablebase, |settings| {
        settings.files = vec![
            file("gap.toml", "1x3"),
            file("games/other/gap.toml", "1x4"),
            file("./claims/gap.toml", "1x5"),
            // The same file again.
            file("gap.toml", "1x3"),
        ];
    });
    let first = ask_at(host, "GET", "/", "").body;
    for (address, size) in [
        ("gap.toml", 3),
        ("other/gap.toml", 4),
        ("claims/gap.toml", 5),
    ] {
        assert_eq!(
            first.matches(&format!("href=\"/{address}\"")).count(),
            1,
            "{address}"
        );
        let query = format!("/api/v1/query?variant={address}");
        let answer = ask_at(host, "GET", &query, "").json();
        assert_eq!(answer["variant"], address);
        assert_eq!(answer["position"], ".".repeat(size));
        for part in ["", "/stats", "/play", "/learn", "?moves=a1R"] {
            let page = ask_at(host, "GET", &format!("/{address}{part}"), "");
            assert_eq!(page.status, 200, "{address}{part}: {}", page.body);
        }
        let page = ask_at(host, "GET", &format!("/{address}"), "").body;
        let here = format!("/{address}?moves=a1R");
        assert!(page.contains(&here), "no link to {here}");
        let other = ask_at(host, "GET", &format!("/nowhere/{address}"), "");
        assert_eq!(other.status, 404);
    }
}

#[test]
fn draws_of_the_bag_are_lamps_with_what_they_are_worth() {
    let page = get("/bag-classic-1x3").body;
    let (_, draws) = page
        .split_once("<ul class=\"moves draws\">")
        .expect("the draws");
    let (draws, _) = draws.split_once("</ul>").unwrap();
    let lamps = draws.matches("class=\"gw lamp\"").count();
    assert_eq!(lamps, 2 * draws.matches("<li>").count(), "{draws}");
    assert!(draws.contains("market: red, green") && draws.contains("first player wins"));
    assert!(!page.contains("of 100 draws"), "{page}");
    // How often each draw comes is said, and what the numbers count.
    assert_eq!(
        draws.matches(" % of the draws<br>").count(),
        draws.matches("<li>").count()
    );
    assert!(
        page.contains("The number shows wins less losses, in per cent"),
        "{page}"
    );
    // The headline and every draw have a bar, and shares of the games are in per cent.
    let bars = page.matches("<svg class=\"shares\"").count();
    assert_eq!(bars, 1 + draws.matches("<li>").count(), "{page}");
    assert_eq!(page.matches("class=\"of-shares\"").count(), 1, "{page}");
    assert!(page.contains(">Draw from the bag</a>") && page.contains(">In the bag</text>"));
    // On a board without lines nobody leads, and no draw is better than another.
    let level = get("/bag-classic-2x2").body;
    assert!(
        verdict(&level).starts_with("Neither player leads if both play best."),
        "{level}"
    );
    assert!(!level.contains("of the draws the first player"), "{level}");
    // A move counts the draws that follow it, and nobody reads of a search.
    let turn = get("/bag-classic-1x3?position=...;RRY;YGG;RG").body;
    assert!(turn.contains("data-fact=\"draws\"") && turn.contains("wins "));
    assert!(
        turn.contains(" % of the games and lose ") && !turn.contains("By search"),
        "{turn}"
    );
    assert!(turn.contains("class=\"of-shares\"") && turn.contains("aria-label=\"win "));
    assert!(turn.contains("take red</span>"), "{turn}");
}

#[test]
fn moves_of_the_strip_are_words_and_arrows() {
    let page = get("/strip?position=R../.Y./..G%2B.R.@S").body;
    assert_eq!(page.matches("class=\"strip-arrow\"").count(), 7);
    assert!(
        page.contains("push the strip up, turned over <small>slide-Nt</small>"),
        "{page}"
    );
    assert!(page.contains("aria-label=\"turn the strip over "));
    let german = get("/strip?lang=de&position=R../.Y./..G%2B.R.@S").body;
    assert!(german.contains("den Streifen wenden <small>turn</small>"));
    // The chosen disc of a triangle and the points that it reaches are marked, and its moves are words.
    let ampel = get("/ampel-4-2-1?position=4%202%201%20r%201%200%200%20./.R/.y./....&from=b2").body;
    assert_eq!(ampel.matches("class=\"chosen\"").count(), 1);
    assert_eq!(ampel.matches("class=\"target\"").count(), 3);
    assert!(ampel.contains("b2 to a1 <small>b2-a1</small>"), "{ampel}");
    assert!(ampel.contains("second player\u{2019}s disc"));
    // Sentences and rows of moves name them in the language of the page.
    let german = get("/ampel-4-2-1?lang=de").body;
    assert!(
        german.contains("Warum \u{201e}Scheibe auf c2\u{201c} gewinnt"),
        "{german}"
    );
    assert!(
        german.contains("eine Antwort, \u{201e}passen\u{201c}, und"),
        "{german}"
    );
    assert!(german.contains(">passen</a>") && !german.contains(">pass<"));
}

#[test]
fn a_review_says_who_was_winning_until_which_move() {
    let page = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R,c3Y").body;
    assert!(
        page.contains("class=\"summary\">The first player was winning until ply 5, c3R.<"),
        "{page}"
    );
    // The chart begins at the half in which the position shown stands.
    assert!(page.contains("class=\"scroll end\""), "{page}");
    // Where the board shows an earlier position, the sentence is true of that one.
    let game = "/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R,c3Y&ply=";
    for (ply, said) in [
        (0, "The first player\u{2019}s last mistake was ply 5, c3R."),
        (4, "Here the first player played c3R and lost the win."),
    ] {
        let earlier = get(&format!("{game}{ply}")).body;
        let said = format!("class=\"summary\">{said}<");
        assert!(earlier.contains(&said), "{ply}: {earlier}");
    }
    // A move that can be said in words is.
    let discs = "/ampel-4-2-1?moves=%2Bc2,pass,pass,%2Bb1,pass,pass,%2Bd1,b1-b2&ply=7";
    let discs = get(discs).body;
    let said = "Here the second player played \u{201c}b1 to b2\u{201d} and lost the win.";
    assert!(discs.contains(said), "{discs}");
    let (_, review) = page.split_once("class=\"game review\"").expect("a review");
    for part in [
        "class=\"charted\"",
        "<h3>Record</h3>",
        "<h3>Mistakes</h3>",
        "plies of the game",
        "5. c3R was a mistake: ",
    ] {
        assert!(review.contains(part), "{part}");
    }
    // In a game that goes on, the record stands beside the board.
    let short = get("/classic-3x3?moves=b2R,b2Y,a1R").body;
    assert!(!short.contains("class=\"game review\"") && !short.contains("class=\"summary\""));
    let board = get("/classic-3x3?moves=b2R&view=board&hints=0").body;
    assert!(board.contains("id=\"verdict\">Second player to move<"));
    assert!(board.contains("The space bar shows the values."));
}

#[test]
fn the_moves_of_reasons_have_numbers_on_the_board() {
    let page = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y&why=c3R").body;
    let (_, board) = page.split_once("<section class=\"board\">").unwrap();
    let board = board.split("</svg>").next().unwrap();
    assert_eq!(board.matches("class=\"number\"").count(), 1, "{board}");
    assert!(board.contains(">1 2</text>") && page.contains("class=\"line numbered\""));
    let unasked = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y").body;
    assert!(!unasked.contains("class=\"number\"") && !unasked.contains("numbered"));
    let tree = get("/classic-3x3/tree?depth=3").body;
    assert!(tree.contains("<details><summary>Replies: "), "{tree}");
    assert_eq!(
        tree.matches("<details").count(),
        tree.matches("</details>").count()
    );
    assert!(
        get("/classic-2x3/sheet")
            .body
            .contains("data-print hidden>Print<")
    );
}

#[test]
fn positions_are_found_by_a_description() {
    let path = "/classic-2x3/find?where=value+%3D+loss+and+moves+%3C+6&limit=12";
    let page = get(path).body;
    assert!(page.contains("Positions that fit: "), "{page}");
    let found: Vec<&str> = page.split("<li class=\"tree-row\">").skip(1).collect();
    assert!((1..=12).contains(&found.len()), "{page}");
    for one in &found {
        assert!(one.contains("href=\"/classic-2x3?position="), "{one}");
        assert!(
            one.contains("You lose in ") && one.contains("moves = "),
            "{one}"
        );
    }
    // The same description is what the API has.
    let answer =
        get("/api/v1/find?variant=classic-2x3&limit=12&expression=value+%3D+loss+and+moves+%3C+6");
    assert_eq!(answer.lines().len(), found.len() + 1);
    let page = get("/classic-2x3/find?lang=de").body;
    assert!(page.contains("<code>winning_moves</code>") && page.contains("Stellungen finden"));
    // What cannot be read is told in the language of the page, with what was meant and with the form.
    let wrong = get("/classic-2x3/find?where=valeu+%3D+win&lang=de");
    assert_eq!(wrong.status, 400);
    for said in ["meintest du „value“?", "value=\"valeu = win\""] {
        assert!(wrong.body.contains(said), "{said}: {}", wrong.body);
    }
    // Of a large board some positions are drawn; what needs their values is told plainly.
    let drawn = get("/classic-5x5/find?where=winning_at_once+%3D+0").body;
    assert!(drawn.contains("Drawn at random: "), "{drawn}");
    assert!(get("/classic-2x3/learn").body.contains("/classic-2x3/find"));
}
