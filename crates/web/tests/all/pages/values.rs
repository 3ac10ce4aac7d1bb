//! What a page says of a position: values, hints, reasons.

use std::collections::BTreeSet;
use std::time::Duration;

use greenwave_game::{AnyPosition, Game, Variant};

use super::{addresses, style_of, verdict, with_strip};
use crate::common::{
    Answer, ask, ask_until, get, get_at, get_from_tables, server, start, start_with,
};

#[test]
fn the_value_comes_first_and_every_move_is_a_link() {
    let page = get("/classic-3x3");
    assert_eq!(page.status, 200);
    assert!(page.body.len() < 100_000, "{} bytes", page.body.len());
    let verdict = page.body.find("in 17 plies if both play best").unwrap();
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
fn reasons_name_every_move_of_a_group_and_images_as_one() {
    // A small game is solved before the first page of it.
    for game in ["/noughts-3x3", "/noughts-3x3?values=signs"] {
        let page = get(game).body;
        let part = |from: &str, to: &str| {
            let (_, rest) = page.split_once(from).expect(&page);
            rest.split_once(to).expect(rest).0.to_string()
        };
        let group = part("<li class=\"top\">", "</li>");
        let others = part("<p class=\"others\">", "</p>");
        let reasons = part("<h2 id=\"why\"", "<details class=\"of-answer\">");
        let mut moves = group.split("data-move=\"").skip(1);
        assert!(
            moves.all(|mv| reasons.contains(mv.split('"').next().unwrap())),
            "{game}: {reasons}"
        );
        assert!(
            reasons.contains("In a mirror or turned, the same move: "),
            "{reasons}"
        );
        // A corner, the middle of a side and the centre; the first of them is explained.
        assert_eq!(others.matches("why=").count(), 2, "{game}: {others}");
        assert_eq!(others.matches("(= ").count(), 1, "{game}: {others}");
    }
}

#[test]
fn a_lost_position_shows_what_refutes_each_move() {
    let boards = |page: &str| {
        let (_, after) = page.split_once("<ul class=\"refuted\">").expect(page);
        after.split_once("</ul>").unwrap().0.to_string()
    };
    let at = "/classic-3x3?position=..G/.R./Y..";
    let lost = get(&format!("{at}&moves=a1G")).body;
    let shown = boards(&lost);
    // Seven moves, which a mirror makes three.
    assert_eq!(shown.matches("class=\"reply\"").count(), 3, "{shown}");
    assert!(shown.contains("moves=a1G,b1R&amp;why=b3R#why"), "{shown}");
    assert!(
        shown.contains("b1R \u{2192} b3R</span><small> (mirrored or turned: a2R, c2R, b3R)"),
        "{shown}"
    );
    // The same of the opponent, where the best move leaves no safe reply.
    let won = get(at).body;
    assert_eq!(boards(&won).matches("class=\"reply\"").count(), 3, "{won}");
    let forked = get("/noughts-3x3?position=X../.O./..X&why=a1").body;
    assert!(
        forked.contains("c3 threatens two lines at once"),
        "{forked}"
    );
    assert_eq!(forked.matches("class=\"threat\"").count(), 2, "{forked}");
}

#[test]
fn the_board_with_the_last_safe_moves_marks_the_squares_of_each() {
    let variant = Variant::parse("classic-3x4").unwrap();
    let mut seen = BTreeSet::new();
    for asked in [
        "?why=b2R",
        "?why=a2R",
        "?moves=b2R&why=d1R",
        "?moves=b2R&why=b2Y",
    ] {
        let page = get_from_tables(&format!("/classic-3x4{asked}")).body;
        let (_, shown) = page.split_once("<p class=\"settled\">").expect(&page);
        let (shown, _) = shown.split_once("</p>").unwrap();
        let (_, moves) = shown.split_once("?moves=").unwrap();
        let (moves, _) = moves.split_once('"').unwrap();
        let mut at = variant.start();
        for mv in moves.split(',') {
            at = variant.play(&at, variant.parse_move(&at, mv).unwrap()).to;
        }
        let after = moves.split(',').count() - asked.matches("moves=").count();
        assert!(
            shown.contains(&format!("The board after {after} plies.")),
            "{shown}"
        );
        let mut next = Vec::new();
        variant.moves(&at, &mut next);
        let ends = |to: &AnyPosition| variant.ending(to).is_some();
        let mut squares = BTreeSet::new();
        for mv in next {
            let to = variant.play(&at, mv).to;
            let mut replies = Vec::new();
            variant.moves(&to, &mut replies);
            let mut replies = replies.iter().map(|reply| variant.play(&to, *reply).to);
            if !ends(&to) && !replies.any(|to| ends(&to)) {
                squares.insert(variant.move_text(&at, mv)[..2].to_string());
            }
        }
        assert_eq!(
            shown.matches("class=\"safe\"").count(),
            squares.len(),
            "{shown}"
        );
        seen.insert(squares.len());
    }
    assert!(seen.len() > 1, "{seen:?}");
}

#[test]
fn before_a_solve_a_page_shows_what_a_few_plies_prove() {
    let lost = get("/classic-5x5?moves=b2R").body;
    for said in [
        "Published results say that d1R loses.",
        "11 of 25 moves lose at once.",
        "and 1 more:",
    ] {
        assert!(lost.contains(said), "{said}: {lost}");
    }
    assert_eq!(lost.matches("class=\"reply\"").count(), 6, "{lost}");
    let won = get("/classic-4x6?moves=a1R").body;
    for said in [
        "What is known so far",
        "At least one of the moves wins.",
        "moves lose at once.",
        "the moves are being worked out",
    ] {
        assert!(won.contains(said), "{said}: {won}");
    }
    assert!(!won.contains("not proven"), "{won}");
    let asked = get("/classic-4x6?moves=a1R&why=f4R").body;
    for said in [
        "Who wins after f4R is being worked out.",
        "No reply to f4R wins at once.",
    ] {
        assert!(asked.contains(said), "{said}: {asked}");
    }
    assert!(!asked.contains("Worth the same"), "{asked}");
}

#[test]
fn the_player_to_move_is_you_at_the_start_as_well() {
    for (game, said) in [
        ("classic-3x4", "You lose in 26 plies"),
        ("classic-3x3", "You win in 17 plies"),
        ("points-3x3", "You win by 1 point"),
        ("noughts-3x4", "You win in 7 plies"),
        ("noughts-3x3", "A draw"),
        // Its value is published, and no table of it is there.
        ("classic-4x4", "You lose in 36 plies"),
    ] {
        let said = format!("{said} if both play best");
        let shown = |page: &Answer| verdict(&page.body) == said;
        let page = ask_until(server(), &format!("/{game}"), shown);
        assert_eq!(verdict(&page.body), said, "{game}");
        // What is known is not being solved.
        assert!(!page.body.contains(">Being solved: "), "{}", page.body);
    }
    for (language, said) in [
        ("de", "Du liegst am Ende 1 Punkt vorn bei bestem Spiel"),
        ("es", "Ganas por 1 punto si ambos juegan lo mejor posible"),
        (
            "pt",
            "Ganhas por 1 ponto se ambos jogarem o melhor possível",
        ),
    ] {
        let page = get(&format!("/points-3x3?lang={language}")).body;
        assert_eq!(verdict(&page), said);
    }
    let drawn = verdict(&get("/bag-classic-1x3").body);
    assert!(
        drawn.contains(" of 100 games, ") && drawn.ends_with(" if both play best"),
        "{drawn}"
    );
    // One who plays is told of oneself. One who moves for both players would be the other one after each move.
    let played = get("/classic-3x3?play=first").body;
    assert_eq!(verdict(&played), "You win in 17 plies if both play best");
    let begun = get("/classic-3x3?moves=b2R").body;
    assert_eq!(
        verdict(&begun),
        "First player wins in 16 plies if both play best"
    );
    let now = get("/classic-3x3?moves=a1R,b1R").body;
    assert_eq!(verdict(&now), "First player can win now: c1R");
    assert!(played.contains("9 of your moves</span>") && begun.contains("8 moves each</span>"));
    let scored = get("/points-3x3?moves=b2R").body;
    assert_eq!(
        verdict(&scored),
        "First player gets 1 point more from here if both play best"
    );
    let key = get("/points-3x3").body;
    assert!(key.contains("points that the player to move will still make"));
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
fn the_only_move_and_traps_are_marked() {
    let puzzle = get("/api/v1/puzzle?variant=classic-3x3&level=1").json();
    let position = puzzle["position"].as_str().unwrap();
    let page = get(&format!("/classic-3x3?position={position}")).body;
    let only = "class=\"remark\">the only move";
    assert!(page.contains(only) && page.contains("loses at once"));
    let start = get("/classic-3x3").body;
    let (list, _) = start.split_once("<h2 id=\"why\"").expect(&start);
    assert!(!start.contains(only) && !list.contains("loses at once"));
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
        "Which move is best is not known here.",
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
fn a_player_who_can_only_pass_is_told_above_the_board() {
    for (language, said) in [
        ("en", "You can only pass: there is no other move."),
        ("de", "Du kannst nur passen: Es gibt keinen anderen Zug."),
        ("es", "Solo puedes pasar: no hay otra jugada."),
        ("pt", "S\u{f3} podes passar: n\u{e3}o h\u{e1} outra jogada."),
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
fn the_legend_of_a_game_for_points_speaks_of_points() {
    let [points, plies] = ["/points-3x3", "/classic-2x3"].map(|path| {
        let page = get(path).body;
        let (_, key) = page.split_once("class=\"note key\"").expect(&page);
        key.split("</p>").next().unwrap().to_string()
    });
    let of_points = "points that the player to move will still make";
    assert!(
        points.contains(of_points) && !plies.contains(of_points),
        "{points}"
    );
    assert!(!points.contains("counts plies"), "{points}");
}

#[test]
fn hints_come_in_three_steps() {
    let ask = |step: u32| get(&format!("/classic-3x3?play=first&hints=0&hint={step}")).body;
    // A phone shows the short text in the bar.
    assert!(
        ask(0).contains("aria-label=\"Hint\"")
            && ask(0).contains("<span class=\"short\">Hint</span>")
            && !ask(0).contains("class=\"said hint\"")
    );
    assert!(
        ask(1).contains("You are winning. 9 moves keep the win.")
            && ask(1).contains("Hint: where?")
            && ask(1).contains("Idea: Take the centre, then copy the opponent.")
    );
    assert!(ask(2).contains("Look at b2") && ask(2).contains("Hint: which move?"));
    assert!(ask(3).contains("Suggested move: b2R") && !ask(3).contains("Hint: "));
    // The board shows the square, then the light, too.
    let shown = |step: u32| {
        let page = ask(step);
        let count = |part: &str| page.matches(part).count();
        (count("class=\"quick\""), count("class=\"suggested\""))
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
    assert!(page.contains("Dashed frame: suggested move; plain frame: also good."));
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
    let far = get("/classic-3x3?moves=a1R&why=a1Y").body;
    assert!(far.contains("Why a1Y loses") && far.contains("In one line of best play, "));
    assert!(far.contains("<strong>You run out of safe moves first.</strong>"));
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
    for part in [
        "class=\"ask\" href=\"/classic-3x3?moves=b2R&amp;why=b1R#why\"",
        "In a mirror or turned, the same move: c1R, a3R, c3R",
    ] {
        assert!(trap.contains(part), "{part}: {trap}");
    }
    // The page has no remark where values are hidden.
    assert!(!get("/classic-3x3?hints=0").body.contains("data-fact"));
}

#[test]
fn best_moves_have_a_dashed_frame_and_a_key_below_the_board() {
    let page = get("/classic-3x3?position=..G/.R./Y..").body;
    let board = page.split("<section class=\"board\">").nth(1).unwrap();
    let (board, below) = board.split_once("</svg>").unwrap();
    assert!(
        below.starts_with(
            "<div class=\"keys\"><p class=\"note key\">\u{2713} wins, \u{2715} loses. The number counts plies to \
             the end. Dashed frame: suggested move; plain frame: also good.</p>"
        ),
        "{below}"
    );
    // One badge is full for each dashed frame; other winning moves have a plain frame and a pale badge.
    let count = |part: &str| board.matches(part).count();
    assert!(count("class=\"quick\"") >= 1 && count("class=\"keeps\"") >= 1);
    assert_eq!(count("class=\"quick\""), count("class=\"win badge\""));
    assert_eq!(count("class=\"keeps\""), count("class=\"win soft badge\""));
    let style = ask("GET", &style_of(&get("/")), "").body;
    assert!(style.contains(".gw .quick,.gw .keeps{fill:none;stroke:#1746c7;stroke-width:1.1}"));
    assert!(style.contains(".gw .quick{stroke-width:1.7;stroke-linecap:round;stroke-dasharray:"));
    // Where every move loses, none has a plain frame.
    let lost = get_from_tables("/semaforo").body;
    assert!(
        lost.contains("end. Dashed frame: suggested move, the hardest to refute.</p>"),
        "{lost}"
    );
    assert!(!lost.contains("class=\"keeps\""));
    // Without figures there is nothing to count, and without values no key.
    let signs = get("/classic-3x3?position=..G/.R./Y..&values=signs").body;
    assert!(signs.contains("loses. Dashed frame: suggested move; plain frame: also good.</p>"));
    assert!(!get("/classic-3x3?hints=0").body.contains("note key"));
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
    assert!(!page.contains("Dashed frame: best move"));
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
fn the_moves_of_reasons_have_numbers_on_the_board() {
    let page = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y&why=c3R").body;
    let (_, board) = page.split_once("<section class=\"board\">").unwrap();
    let board = board.split("</svg>").next().unwrap();
    assert_eq!(board.matches("class=\"number\"").count(), 1, "{board}");
    assert!(board.contains(">1 2</text>") && page.contains("class=\"line numbered\""));
    let unasked = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y").body;
    assert!(!unasked.contains("class=\"number\"") && !unasked.contains("line numbered"));
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

/// Moves of one sign stand together, of which one wins at once, and another one later.
#[test]
fn of_a_sign_no_more_is_said_than_is_true_of_every_move() {
    let figures = get("/classic-3x3?moves=a1R,b1R").body;
    assert!(figures.contains(">wins at once</em>"), "{figures}");
    let signs = get("/classic-3x3?moves=a1R,b1R&values=signs").body;
    let (_, list) = signs.split_once("<ul class=\"moves\">").expect("moves");
    let (list, _) = list.split_once("</ul>").expect("their end");
    assert!(
        list.contains(">wins </span>") && !list.contains("wins at once"),
        "{list}"
    );
    let reasons = get("/classic-3x3?moves=a1R,b1R&values=signs&why=c1R").body;
    assert!(!reasons.contains("Worth the same"), "{reasons}");
}

#[test]
fn a_repertoire_is_called_so_and_is_a_link() {
    let page = get("/classic-2x3/tree?depth=2&for=second");
    let title = "<h1>Repertoire for the second player: Traffic Lights 2\u{d7}3</h1>";
    assert!(page.body.contains(title), "{}", page.body);
    assert!(page.body.contains("data-print") && !page.body.contains("<form"));
    let links = addresses(&page);
    for to in [
        "/classic-2x3/tree",
        "/classic-2x3/tree?for=first",
        "/classic-2x3/tree?depth=4&for=second",
    ] {
        assert!(links.contains(&to.to_string()), "{to}: {links:?}");
    }
    // It ends with a move of its own.
    for other in [
        "depth=1&for=second",
        "depth=3&for=second",
        "depth=2&for=first",
    ] {
        assert!(!links.iter().any(|to| to.ends_with(other)), "{links:?}");
    }
}

#[test]
fn what_is_not_known_is_said_and_not_hidden() {
    // There is no memory for the bag with the slider.
    let page = ask_until(with_strip(), "/bag-slider?stage=2", |page| {
        page.status == 200 && !page.body.contains("data-again")
    });
    assert_eq!(verdict(&page.body), "Who is ahead is not known");
    assert!(
        page.body.contains("more time or memory than there is here"),
        "{}",
        page.body
    );
    assert!(!page.body.contains("Hide values"), "{}", page.body);
    let hidden = get_at(with_strip(), "/bag-slider?hints=0").body;
    assert!(hidden.contains("Show values"), "{hidden}");
    // A headline is a value, too.
    assert!(get("/noughts-2x3").body.contains("Hide values"));
}

#[test]
fn figures_of_sampled_games_are_called_estimates() {
    let page = get("/compare?a=noughts-3x3&b=noughts-2x3").body;
    let page = page.replace('\u{a0}', " ");
    let estimates = ["+30 \u{b1} 2 % of the games", "+31 \u{b1} 2 % of the games"];
    assert!(estimates.iter().any(|said| page.contains(said)), "{page}");
    assert!(page.contains("estimated from 10,000 games"), "{page}");
    let exact = get("/compare?a=classic-2x3&b=signal-2x3").body;
    assert!(!exact.contains('\u{b1}'), "{exact}");
}

#[test]
fn a_tree_explains_the_signs_that_stand_there() {
    let of = |path: &str| get(path).body;
    let classic = of("/classic-2x3/tree?depth=1");
    assert!(classic.contains("counts plies to the end"), "{classic}");
    let points = of("/points-2x3/tree?depth=1");
    assert!(!points.contains("counts plies"), "{points}");
    for (game, images) in [("classic-3x3", 4), ("classic-1x3", 2)] {
        let page = of(&format!("/{game}/tree?depth=1"));
        let told = format!("\u{d7}{images}: the position stands for {images} that are the same");
        assert!(page.contains(&told), "{page}");
    }
    let place = of("/classic-2x3/tree?depth=1&position=RYG/RY.");
    assert!(!place.contains("the position stands for"), "{place}");
}
