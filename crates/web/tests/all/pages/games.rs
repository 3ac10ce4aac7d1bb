//! The first page, and what is special to kinds of games.

use super::{verdict, with_strip};
use crate::common::{get, get_at, get_in_network};

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
            "En el Sem\u{e1}foro de campeonato pones una luz v",
            "En el Sem\u{e1}foro cl\u{e1}sico",
        ),
        (
            "pt",
            "No Sem\u{e1}foro de campeonato p\u{f5}es uma luz v",
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
fn the_key_of_the_lights_ends_with_the_last_light_of_the_game() {
    let shown = |page: &str, class: &str| {
        let (_, key) = page.split_once(class).expect(page);
        let key = key.split("</p>").next().unwrap();
        (
            key.matches('\u{2192}').count() + 1,
            key.matches("class=\"gw lamp\"").count(),
        )
    };
    for (game, levels) in [
        ("/own:levels=1", 1),
        ("/own:levels=2", 2),
        ("/classic-3x3", 3),
    ] {
        let page = get(game).body;
        assert_eq!(shown(&page, "note of-lights"), (levels, levels), "{page}");
        // One light has no order.
        assert_eq!(page.contains("Green first"), levels > 1, "{page}");
        let sheet = get(&format!("{game}/sheet")).body;
        assert_eq!(
            shown(&sheet, "order-of-lights"),
            (levels, levels),
            "{sheet}"
        );
    }
}

#[test]
fn what_discs_are_is_folded_below_what_the_players_hold() {
    let page = get("/ampel-4-2-1?hints=0").body;
    let held = "<p class=\"note\">Red: 2 in hand, 0 of 1 yellow captured \
                \u{b7} Green: 2 in hand, 0 of 1 yellow captured</p><details class=\"discs\"><summary>";
    assert!(page.contains(held), "{page}");
    // Nobody in a room can unfold it.
    let room = get("/ampel-4-2-1?hints=0&view=board").body;
    assert!(room.contains("<details class=\"discs\" open>"), "{room}");
}

/// A pass that had to be made is no move to choose: the record has it with the move before it.
#[test]
fn a_forced_pass_stands_with_the_move_before_it() {
    let page = get("/ampel-4-2-1?moves=%2Bc2,pass,pass,%2Bd3&hints=0&ply=3").body;
    let (_, record) = page.split_once("<ol class=\"plies\">").expect(&page);
    let (record, _) = record.split_once("</ol>").unwrap();
    assert_eq!(record.matches("<li ").count(), 2, "{record}");
    assert!(
        record.contains("<span class=\"unseen\"> (pass)</span>"),
        "{record}"
    );
    // The move before the passes is the one after which the board is shown.
    let (before, _) = record.split_once("disc on c2").unwrap();
    assert!(before.contains("aria-current=\"step\""), "{record}");
}

/// A turn that begins with a counter of the market says so, and that counter is a link.
#[test]
fn the_counters_of_the_market_can_be_taken_where_they_lie() {
    let page = get("/bag-classic-1x3?moves=[YG]&hints=0&play=first").body;
    assert!(
        page.contains("Now take a counter: yellow or green"),
        "{page}"
    );
    for taken in ["take yellow", "take green"] {
        let link =
            format!("&amp;hints=0&amp;play=first\" aria-label=\"{taken}\"><g class=\"counter\"");
        assert!(page.contains(&link), "{taken}: {page}");
    }
}

#[test]
fn the_first_page_is_filtered_without_a_script() {
    let all = get("/").body;
    assert!(all.contains("class=\"hero\"") && all.contains("moves=b1R"));
    assert!(all.contains("Second player wins in 26 plies"));
    let drawn = get("/?winner=draw&family=classic").body;
    let listed = |page: &str, name: &str| {
        let list = &page[page.find("<ul class=\"names\"").unwrap()..];
        list.contains(&format!("title=\"{name}\""))
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
fn what_is_chosen_is_put_on_the_squares_that_are_pressed() {
    // The link that a control or a square makes, by the beginning of its tag.
    let link = |page: &str, tag: &str| {
        let (_, rest) = page
            .split_once(tag)
            .unwrap_or_else(|| panic!("{tag}: {page}"));
        let (_, rest) = rest.split_once("href=\"").unwrap();
        rest.split('"').next().unwrap().replace("&amp;", "&")
    };
    let page = get("/classic-3x3?position=R../.Y./..G&edit=1").body;
    let chosen = get(&link(&page, "data-tool=\"put-yellow\"")).body;
    assert!(chosen.contains("data-tool=\"put-yellow\" aria-current=\"true\""));
    for (position, is_there) in [
        ("R../.Y./Y.G", true),
        ("R../.../..G", true),
        ("Y../.Y./..G", true),
        ("R../.G./..G", false),
    ] {
        let found = chosen.contains(&format!("?position={position}&amp;edit=1&amp;put=yellow"));
        assert_eq!(found, is_there, "{position}: {chosen}");
    }
    let cleared = link(&page, "data-tool=\"clear\"");
    assert_eq!(cleared, "/classic-3x3?position=.../.../...&edit=1");
    assert!(!get(&cleared).body.contains("data-tool=\"clear\""));
    // What is put leaves the address with the editor.
    assert!(!link(&chosen, "data-tool=\"edit\"").contains("put="));
    assert_eq!(get("/classic-3x3?edit=1&put=blue").status, 400);
    // Signs alternate: where a sign cannot be put, what comes next is.
    let noughts = get("/noughts-3x3?position=X../.../...&edit=1&put=x").body;
    assert!(noughts.contains("data-tool=\"put-next\" aria-current=\"true\""));
    assert!(noughts.contains("XO./.../...") && noughts.contains("<span class=\"unusable\">X"));
    // A strip is laid to another side, turned over, and was moved last or not.
    let strip = get("/slider?position=R../.Y./..G%2BR.Y@E&edit=1").body;
    assert!(
        link(&strip, "data-tool=\"strip-N\"").contains("%2BR.Y@N"),
        "{strip}"
    );
    assert!(link(&strip, "data-tool=\"strip-turn\"").contains("%2BY.R@E"));
    assert!(link(&strip, "data-tool=\"barred\"").contains("@E,barred"));
    let discs = "/ampel-4-2-1?position=4%202%201%20r%201%200%200%20./.R/.y./....&edit=1";
    let discs = get(discs).body;
    assert!(
        discs.contains("data-tool=\"put-green-cylinder\""),
        "{discs}"
    );
    let draws = get("/bag-classic-3x3?edit=1&hints=0").body;
    assert!(!draws.contains("class=\"palette\"") && draws.contains("Draw them"));
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
    let reached = get_in_network("/classic-3x3?view=board&hints=0").body;
    assert!(reached.contains("/classic-3x3%3Fhints=0"), "{reached}");
    // The rule of the game stands beside the board.
    assert!(page.contains("<p class=\"note\">Three of one colour in a line win.</p>"));
    assert_eq!(get("/classic-3x3?view=wall").status, 400);
    // Values on the board can be read from the last row.
    let shown = get("/classic-3x3?view=board&hints=1").body;
    assert!(
        shown.contains("font-size=\"10.5\"") && !shown.contains("font-size=\"7.9\""),
        "{shown}"
    );
}

#[test]
fn the_first_page_says_what_to_do_on_its_board() {
    let page = get("/").body;
    let (_, hero) = page.split_once("<section class=\"board\">").unwrap();
    let (hero, _) = hero.split_once("</svg>").unwrap();
    let task = "You are to move and can win: press a square";
    assert!(hero.contains(task), "{hero}");
    // The board asks, and it is as its task says.
    assert!(!hero.contains('\u{2713}'), "{hero}");
    let answer = get("/api/v1/query?variant=classic-3x3&position=..G/.R./Y..").json();
    assert_eq!(answer["value"], "win");
    for mv in answer["moves"].as_array().unwrap() {
        let link = format!("moves={}", mv["move"].as_str().unwrap());
        assert!(hero.contains(&link), "{link}: {hero}");
    }
    // A game of one's own is looked back on from here.
    assert!(page.contains("<a href=\"/classic-3x3/record\">Paste a game</a>"));
    let pasted = get("/classic-3x3/record").body;
    let (_, example) = pasted.split_once("class=\"figure\"").unwrap();
    assert!(
        example.contains("&amp;ply=mistake\"") && example.contains("See an example"),
        "{example}"
    );
    // The tab leads to a game, and the button to the values of the board shown.
    assert_eq!(page.matches(">Explore</a>").count(), 1);
    assert!(
        page.contains("?position=..G/.R./Y..\">Show values</a>"),
        "{page}"
    );
    assert!(page.contains("<details class=\"all\"><summary>"));
    let found = get("/?find=signal").body;
    assert!(found.contains("<details class=\"all\" open><summary>"));
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
fn the_order_of_the_lights_is_offered_where_there_are_lights() {
    let offered = |path: &str| get(path).body.contains("data-tool=\"lights\"");
    assert!(offered("/classic-2x3") && offered("/bag-classic-1x3?hints=0"));
    assert!(!offered("/noughts-3x3") && !offered("/ampel-4-2-1?hints=0"));
}

#[test]
fn draws_are_chosen_and_hands_are_shown() {
    let page = get("/bag-classic-3x3?hints=0");
    assert!(page.body.contains("Next comes a draw from the bag"));
    assert!(page.body.contains("moves=%5BRG%5D"));
    assert_eq!(page.body.matches("data-tool=\"draw\"").count(), 1);
    assert_eq!(page.body.matches(">Draw from the bag</span>").count(), 1);
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
    // How often each draw comes is said, and how many games are won: there is no second number.
    assert_eq!(
        draws.matches("\u{a0}% of the draws<br>").count(),
        draws.matches("<li>").count()
    );
    assert!(
        !page.contains("The number shows wins less losses") && !draws.contains("class=\"tag"),
        "{page}"
    );
    // The headline and every draw have a bar, and shares of the games are in per cent.
    let bars = page.matches("<svg class=\"shares\"").count();
    assert_eq!(bars, 1 + draws.matches("<li>").count(), "{page}");
    assert_eq!(page.matches("class=\"of-shares\"").count(), 1, "{page}");
    assert!(page.contains("<span class=\"chip\">Next comes a draw from the bag</span>"));
    assert!(page.contains(">Draw from the bag</span>") && page.contains(">In the bag</span>"));
    // On a board without lines nobody leads, and no draw is better than another.
    let level = get("/bag-classic-2x2").body;
    assert!(
        verdict(&level).starts_with("Neither player leads if both play best"),
        "{level}"
    );
    assert!(!level.contains("of the draws the first player"), "{level}");
    // A move counts the draws that follow it, and nobody reads of a search.
    let turn = get("/bag-classic-1x3?position=...;RRY;YGG;RG").body;
    assert!(turn.contains("data-fact=\"draws\"") && turn.contains("wins "));
    assert!(
        turn.contains(" of 100 games") && !turn.contains("By search"),
        "{turn}"
    );
    assert!(turn.contains("class=\"of-shares\"") && turn.contains("aria-label=\"win "));
    assert!(turn.contains("take red</span>"), "{turn}");
}

/// Where there is no other move, nobody has to press for a pass; to take back is to take back a choice.
#[test]
fn passes_without_a_choice_are_made_with_the_move_before() {
    let begun = get("/ampel-5-2-2?moves=%2Bc2").body;
    let after = "/ampel-5-2-2?moves=%2Bc2,%2Bd2,pass,pass\"";
    assert!(begun.contains(after), "{begun}");
    let together = get("/ampel-5-2-2?play=both&moves=%2Bc2,%2Bd2,pass,pass").body;
    assert!(!together.contains("You can only pass"), "{together}");
    let back = "href=\"/ampel-5-2-2?moves=%2Bc2&amp;play=both\"";
    assert!(together.contains(back), "{together}");
    // A move of the strip is made on the board.
    let strip = get("/slider").body;
    assert!(!strip.contains("You can only"), "{strip}");
}

#[test]
fn moves_of_the_strip_are_words_and_arrows() {
    let page = get("/strip?position=R../.Y./..G%2B.R.@S").body;
    assert_eq!(page.matches("class=\"strip-arrow\"").count(), 7);
    assert!(
        page.contains("push the strip up, turned over</span></a>") && !page.contains(">slide-"),
        "{page}"
    );
    assert!(page.contains("its squares are s1 to s3 from right to left"));
    assert!(page.contains("aria-label=\"turn the strip over "));
    let german = get("/strip?lang=de&position=R../.Y./..G%2B.R.@S").body;
    assert!(german.contains("den Streifen wenden</span></a>"));
    // The chosen disc of a triangle and the points that it reaches are marked, and its moves are words.
    let ampel = get("/ampel-4-2-1?position=4%202%201%20r%201%200%200%20./.R/.y./....&from=b2").body;
    assert_eq!(ampel.matches("class=\"chosen\"").count(), 1);
    assert_eq!(ampel.matches("class=\"target\"").count(), 3);
    assert!(ampel.contains("b2 to a1</a>"), "{ampel}");
    assert!(ampel.contains("second player\u{2019}s disc"));
    // Sentences and rows of moves name them in the language of the page.
    let german = get("/ampel-4-2-1?lang=de").body;
    assert!(
        german.contains("Warum \u{201e}Scheibe auf c2\u{201c} gewinnt"),
        "{german}"
    );
    assert!(
        german.contains("\u{201e}Scheibe auf c2\u{201c} ist der einzige erlaubte Zug"),
        "{german}"
    );
    // A line says whose move each is, and leaves out passes.
    let (_, line) = german.split_once("<p class=\"line\">").unwrap();
    let (line, note) = line.split_once("</p>").unwrap();
    for sign in ["<i class=\"mover\">", "<i class=\"mover other\">"] {
        assert!(line.contains(sign), "{line}");
    }
    assert!(!line.contains(">pass") && note.contains("Passen ist ausgelassen"));
}
