//! Games as they are played and gone through.

use super::verdict;
use crate::common::{get, get_from_tables};

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
fn a_level_promises_what_it_keeps_in_the_game() {
    let solved = get_from_tables("/classic-3x3/play").body;
    assert!(solved.contains("never errs") && solved.contains("it sees every win in one move"));
    // There a search has an opinion, and no level is sure of anything.
    let searched = get_from_tables("/ampel/play").body;
    assert!(
        !searched.contains("never errs") && searched.contains("the best that a search finds"),
        "{searched}"
    );
    // Where chances and points are counted, no level looks for a win at once.
    for game in ["bag-classic-3x3", "points-3x3"] {
        let page = get_from_tables(&format!("/{game}/play")).body;
        assert!(page.contains("moves are good"), "{page}");
        assert!(!page.contains("win in one move"), "{page}");
    }
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
        told.contains("class=\"mistake\"") && told.contains("class=\"ended\""),
        "{told}"
    );
}

#[test]
fn the_end_of_a_game_tells_the_mistakes_of_both() {
    let over = get("/classic-3x3?moves=b2R,a2R,a1R,c2R&hints=0&play=first").body;
    assert!(
        over.contains("You: 1 mistake (ply <a ") && over.contains("data-tool=\"mistake\""),
        "{over}"
    );
    // The last mistake of the reader, and the position before it.
    assert!(
        over.contains("You lost after 2 of your moves")
            && over.contains("You were winning until ply 3, a1R."),
        "{over}"
    );
    assert!(over.contains("moves=b2R,a2R&amp;hints=0&amp;play=first\">Try again from there"));
    let level = get("/classic-3x3?moves=b2R,a2R,a1R,c2R&hints=0&play=first&level=easy").body;
    // Whoever lost against the easiest program is offered no stronger one, but the values.
    let gentler = "href=\"/classic-3x3?play=first&amp;level=easy\">Again with values shown";
    assert!(
        level.contains(gentler) && !level.contains("\"stronger\""),
        "{level}"
    );
    let medium = get("/classic-3x3?moves=b2R,a2R,a1R,c2R&hints=0&play=first&level=medium").body;
    assert!(
        medium.contains("\"easier\"") && !medium.contains("\"again-hints\""),
        "{medium}"
    );
    assert!(over.contains("Same game again") && over.contains("/classic-3x3/play\">Other level"));
}

/// What is shared stands once at the end of a game, and the review counts how often the win changed hands.
#[test]
fn a_finished_game_is_shared_and_marked() {
    let over = get("/classic-3x3?moves=b2R,a2R,a1R,c2R&hints=0&play=first").body;
    assert_eq!(over.matches("id=\"share\"").count(), 1, "{over}");
    assert!(!over.contains("data-tool=\"share-game\""), "{over}");
    assert!(over.contains("The win changed hands once."), "{over}");
    // Moves that keep what they had and lose or win six plies are marked, each with its figure.
    for (moves, said) in [
        ("b2R,b2Y,c3R,b2G,b1R", "b1R: still wins, but "),
        ("a3R,a3Y,c2R,c2Y,a2R,c1R", "c1R: "),
    ] {
        let page = get(&format!("/classic-3x3?moves={moves}")).body;
        let marked = page.rsplit("class=\"inexact\"").next().unwrap();
        let marked = marked.split("</a>").next().unwrap();
        let is_told = marked.contains(said) && marked.contains("6 plies") && marked.ends_with("?!");
        assert!(is_told, "{moves}: {marked}");
    }
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
        over.body.contains("You gave up a won position</h1>"),
        "{}",
        over.body
    );
    assert!(over.body.contains("class=\"tag ") && over.body.contains("class=\"chart\""));
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
    let said = "No move could win, but at ply 2, b2Y in place of a1R would have lasted ";
    assert!(page.contains(said), "{page}");
    assert!(
        page.contains("/classic-3x3?moves=b2R&amp;hints=0&amp;play=second\">Try again from there")
    );
    assert!(!page.contains("You made no mistake."));
    // Whoever held out longest made none.
    let line = get("/api/v1/line?variant=classic-3x3").json();
    let plies = line["plies"].as_array().unwrap().iter();
    let moves: Vec<&str> = plies.map(|ply| ply["move"].as_str().unwrap()).collect();
    let path = format!("/classic-3x3?moves={}&hints=0&play=second", moves.join(","));
    let lost =
        "You made no mistake: against best play your position was lost before your first move.";
    assert!(get(&path).body.contains(lost));
}

/// A game of bag-classic-1x3 with a pass that is forced.
const BAG_GAME: &str = "[RG],+G,[RY],+R,[YY],+Y,[RY],+R,[YY],+Y,[YG],+G,[YG],b1R+Y,[GG],b1Y+G,[RG],b1G+R,[RG],miss,\
                        a1R+G,[RG],a1Y+R,[YG],c1R+Y,[YG],a1G+G,[RY],c1Y+Y,[RG],c1G";

#[test]
fn who_lost_a_game_with_chance_is_told_where_the_chances_turned() {
    let game = BAG_GAME.replace('+', "%2B");
    let lost = get(&format!("/bag-classic-1x3?play=second&moves={game}")).body;
    let said = "You had the better chances until ply 9, \u{201c}green on b1, take red\u{201d}.";
    assert!(lost.contains(said), "{lost}");
    // Whoever won is told of the last mistake all the same.
    let won = get(&format!("/bag-classic-1x3?play=first&moves={game}")).body;
    assert!(won.contains("Your last mistake was ply 1, \u{201c}take green\u{201d}."));
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
    let (before, _) = page
        .split_once("\">Find the better moves yourself")
        .unwrap();
    let (_, link) = before.rsplit_once("href=\"").unwrap();
    let link = link.replace("&amp;", "&");
    let task = get(&link);
    assert_eq!(task.status, 200, "{link}");
    assert_eq!(verdict(&task.body), "Find a better move than b1R");
    let said = "Here the first player played b1R and lost the win.<";
    assert!(task.body.contains(said), "{}", task.body);
    assert!(!task.body.contains("class=\"tag ") && !task.body.contains("class=\"progress\""));
    // It is one move: the program refuses one that loses, praises one that wins, and makes none itself.
    let own = link.replacen("&hints", "&moves=b1R&hints", 1);
    let missed = get(&own).body;
    assert_eq!(verdict(&missed), "b1R does not win");
    let again = missed.split("data-tool=\"again\"").nth(1).expect(&missed);
    assert!(again.split('>').next().unwrap().contains("instead=b1R"));
    let found = get(&own.replacen("b1R", "b2Y", 1)).body;
    assert_eq!(verdict(&found), "Good: b2Y keeps the win.");
    // The game had no other mistake.
    let back =
        "href=\"/classic-3x3?position=..G/.R./Y..&amp;moves=b1R&amp;ply=0\">Back to the game</a>";
    assert!(
        found.contains(back) && !found.contains("Next mistake"),
        "{found}"
    );
    // Of several mistakes each leads to the next one.
    let page = get("/classic-3x3?moves=b2R,c2R,c2Y,a2R,a2Y,a2G,c2G,b1R,b1Y").body;
    let mistakes = page.matches("<em class=\"mistake\">").count();
    let link_to = |page: &str, name: &str| {
        let (before, _) = page.split_once(&format!("\">{name}</a>"))?;
        let (_, link) = before.rsplit_once("href=\"")?;
        Some(link.replace("&amp;", "&"))
    };
    let mut sought = link_to(&page, "Find the better moves yourself");
    let mut found = Vec::new();
    while let Some(link) = sought {
        let position = link.split(['=', '&']).nth(1).unwrap();
        let query = get(&format!(
            "/api/v1/query?variant=classic-3x3&position={position}"
        ));
        let best = query.json()["best"][0].as_str().unwrap().to_string();
        let page = get(&link.replacen("&hints", &format!("&moves={best}&hints"), 1)).body;
        assert!(verdict(&page).starts_with("Good: "), "{}", verdict(&page));
        found.push(best);
        sought = link_to(&page, "Next mistake");
    }
    assert_eq!((found.len(), mistakes), (2, 2), "{found:?}");
    // A move that is none, or no mistake, is not called one.
    for other in ["b2Y", "z9"] {
        let page = get(&link.replace("instead=b1R", &format!("instead={other}"))).body;
        assert!(!page.contains("Here the first player"), "{page}");
    }
}

#[test]
fn a_review_says_why_a_move_was_a_mistake_and_how_it_is_refuted() {
    let page = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R").body;
    // The reader moves for both players, and so the winner has a name.
    let before = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R&ply=4").body;
    assert_eq!(
        verdict(&before),
        "First player wins in 17 plies if both play best"
    );
    let mistakes = page.split("<ul class=\"mistakes\"").nth(1).expect(&page);
    let (mistakes, _) = mistakes.split_once("</ul>").unwrap();
    assert!(mistakes.contains("5. c3R") && mistakes.contains("?? lost the win"));
    assert!(
        mistakes.contains(
            "data-fact=\"refuted\"><strong>Refuted at once.</strong> After c3R, c3Y completes the yellow line a1\u{2013}b2\u{2013}c3."
        ),
        "{mistakes}"
    );
    assert!(mistakes.contains("href=\"/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R,c3Y\">c3Y"));
    // A reader who plays is called "you".
    let mine = get("/classic-3x3?moves=b2R,b2Y,a1R&hints=1&play=second").body;
    assert!(!verdict(&mine).contains("player wins"), "{mine}");
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
    for name in ["ampel-4-2-1", "bag-classic-3x3", "strip", "noughts-3x3"] {
        assert!(home.contains(&format!("href=\"/{name}\"")), "{name}");
        assert!(
            play.contains(&format!("href=\"/{name}/play\"")),
            "{name}: {play}"
        );
    }
    assert!(get("/?lang=de").body.contains(">Im Beutel</text>"));
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
fn a_record_is_pasted_in_any_form() {
    let saved = "%23%20variant%20signal-3x3%0A%23%20lights%20gyr%0Ab2G%0Aa1G";
    let to = get(&format!("/classic-3x3/record?record={saved}"));
    assert_eq!(to.status, 303, "{}", to.body);
    let to = to.header("location").unwrap();
    assert_eq!(to, "/signal-3x3?moves=b2G,a1G&ply=mistake&lights=gyr");
    // It begins before the reply, which loses sooner than it had to.
    let begins = get(to);
    let slip = "/signal-3x3?moves=b2G,a1G&ply=1&lights=gyr";
    assert_eq!(begins.header("location"), Some(slip));
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
    // Each game has an example, which can be played.
    for game in [
        "strip",
        "bag-classic-2x3",
        "ampel-4-2-1",
        "noughts-3x3",
        "points-3x3",
    ] {
        let field = get(&format!("/{game}/record")).body;
        let (_, example) = field.split_once("class=\"figure\" href=\"").unwrap();
        let example = example.split('"').next().unwrap().replace("&amp;", "&");
        let shown = get(&example.replace("&ply=mistake", "&hints=0"));
        assert_eq!(shown.status, 200, "{example}: {}", shown.body);
    }
    // The part that can be played is shown, and what was given is kept.
    for (moves, number, why) in [
        ("b2R,b2Y,a1R,a1Y,b2G,hello", 6, "expected a square"),
        ("b2R,a1R,c3R,c3Y", 4, "the game is over before it"),
    ] {
        let page = get(&format!("/classic-3x3?moves={moves}&ply=mistake"));
        assert_eq!(page.status, 400);
        let (played, wrong) = moves.rsplit_once(',').unwrap();
        let said = format!("Move {number}, {wrong}, was not played:");
        assert!(
            page.body.contains(&said) && page.body.contains(why),
            "{}",
            page.body
        );
        let kept = format!(">{}</textarea>", moves.replace(',', " "));
        assert!(page.body.contains(&kept), "{}", page.body);
        let link = format!("moves={played}&amp;ply=1\"");
        assert!(page.body.contains(&link) && page.body.contains("class=\"game review\""));
    }
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
    assert!(page.contains("<li class=\"second\" value=\"2\">"));
}

/// Every link of a record has the whole game in its address: a long one is shown in parts.
#[test]
fn a_long_record_is_shown_in_parts() {
    let moves = ["slide-N", "slide-S"].repeat(120).join(",");
    let page = get(&format!("/strip?moves={moves}&hints=0")).body;
    assert_eq!(page.matches(" value=\"2").count(), 40, "{page}");
    let parts = page.split("<nav class=\"parts\"").nth(1).unwrap();
    let parts = parts.split("</nav>").next().unwrap();
    assert!(
        parts.contains("1\u{2013}100</a>") && parts.contains(">201\u{2013}240</strong>"),
        "{parts}"
    );
    assert!(page.len() < 300_000, "{}", page.len());
}

/// Draws of chance are no plies: they have no number in the record, and no count has them.
#[test]
fn draws_are_not_counted_as_plies() {
    let drawn = get("/bag-classic-2x3?moves=[RG],%2BR,[RG]&play=second&hints=0").body;
    assert!(
        drawn.contains("The program played") && drawn.contains("Your hand"),
        "{drawn}"
    );
    assert!(drawn.contains("Program\u{2019}s hand") && !drawn.contains("Hand to move"));
    let record = drawn.split("<ol class=\"plies\">").nth(1).unwrap();
    let record = record.split("</ol>").next().unwrap();
    assert!(
        record.contains("<li class=\"first\" value=\"1\">"),
        "{record}"
    );
    assert_eq!(
        record.matches("<li class=\"chance\"><a").count(),
        2,
        "{record}"
    );
}

/// A ply has one number on pages and in the API: passes that are forced are plies, draws are none.
#[test]
fn pages_number_plies_as_the_api_does() {
    let ampel = "%2Bc2,pass,pass,%2Bd1,pass,pass,%2Bd2,d1-c1,pass,%2Bb1,d2-d3";
    let bag = BAG_GAME.replace('+', "%2B");
    for (game, moves, passes) in [("ampel-4-2-1", ampel, 5), ("bag-classic-1x3", &bag, 1)] {
        let page = get(&format!("/{game}?moves={moves}")).body;
        let record = page.split("<ol class=\"plies\">").nth(1).expect(game);
        let record = record.split("</ol>").next().unwrap();
        let numbers: Vec<usize> = record
            .split(" value=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
            .collect();
        let review = get(&format!("/api/v1/review?variant={game}&moves={moves}")).json();
        let plies = review["plies"].as_array().unwrap();
        let of_api: Vec<u64> = plies
            .iter()
            .map(|ply| ply["ply"].as_u64().unwrap())
            .collect();
        // A forced pass stands with the move before it, unless that is a draw.
        let has_number = |number: &usize| {
            game != "ampel-4-2-1" || moves.split(',').nth(number - 1) != Some("pass")
        };
        let shown: Vec<usize> = (1..=plies.len()).filter(has_number).collect();
        assert_eq!(numbers, shown, "{game}");
        assert_eq!(
            of_api,
            (1..=plies.len() as u64).collect::<Vec<_>>(),
            "{game}"
        );
        let made = plies
            .iter()
            .filter(|ply| ply["move"] == "pass" || ply["move"] == "miss");
        assert_eq!(made.count(), passes, "{game}");
        let after = format!("after {} plies", plies.len());
        assert!(page.contains(&after), "{game} {after}: {page}");
        // The mistakes are those of the API, each with its number.
        let tally = page.split("<p class=\"tally\">").nth(1).expect(game);
        let tally = tally.split("</p>").next().unwrap();
        for ply in plies.iter().filter(|ply| ply["mark"] == "mistake") {
            let number = format!(">{}</a>", ply["ply"]);
            assert!(tally.contains(&number), "{game} {number}: {tally}");
        }
    }
}

/// What is to be done in a turn of several steps stands above the board.
#[test]
fn a_step_of_ampel_is_told_above_the_board() {
    for (path, is_pressed) in [
        ("/ampel-4-2-1?play=first&hints=0", true),
        ("/ampel-4-2-1/play", false),
    ] {
        let page = get(path).body;
        let step = page.split("<p class=\"step\">").nth(1).expect(path);
        let step = step.split("</p>").next().unwrap();
        assert!(step.contains("Red places a yellow disc inside"), "{step}");
        assert_eq!(step.contains("Press a point."), is_pressed, "{path} {step}");
        assert_eq!(page.matches("Red places a yellow disc inside").count(), 1);
    }
}

/// Each idea of the course leads to a position whose reasons show it.
#[test]
fn the_course_leads_to_positions_that_show_its_ideas() {
    let page = get("/learn").body;
    let links: Vec<String> = page
        .split("href=\"")
        .filter_map(|rest| Some(rest.split_once("#why\"")?.0.replace("&amp;", "&")))
        .collect();
    let facts = ["parity", "theorem", "fork", "refuted"];
    assert_eq!(links.len(), facts.len(), "{links:?}");
    for (link, fact) in std::iter::zip(&links, facts) {
        let reasons = get(link).body;
        let shown = format!("data-fact=\"{fact}\"");
        assert!(reasons.contains(&shown), "{link} {fact}: {reasons}");
    }
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
fn a_review_says_who_was_winning_until_which_move() {
    let page = get("/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R,c3Y").body;
    assert!(
        page.contains(
            "class=\"summary\">Mistakes: 1. The first player was winning until ply 5, c3R.<"
        ),
        "{page}"
    );
    // The chart begins at the half in which the position shown stands.
    assert!(page.contains("class=\"scroll end\""), "{page}");
    // Where the board shows an earlier position, the sentence is true of that one.
    let game = "/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R,c3Y&ply=";
    let first = get(&format!("{game}0")).body;
    let said = "class=\"summary\">The first player\u{2019}s last mistake was ply 5, c3R.<";
    assert!(first.contains(said), "{first}");
    // Before a mistake, what was wrong stands beside the board, then what was better, and the reasons of both.
    let before = get(&format!("{game}4")).body;
    let (_, told) = before
        .split_once("<section class=\"fault of-mistake\">")
        .expect(&before);
    let (told, _) = told.split_once("</section>").unwrap();
    let parts = [
        "Here the first player played c3R and lost the win.",
        "After c3R, c3Y completes the yellow line",
        "a1G wins in 17 plies.",
        ",a1G\">a1G</a>",
    ];
    let places: Vec<Option<usize>> = parts.iter().map(|part| told.find(part)).collect();
    assert!(!places.contains(&None) && places.is_sorted(), "{told}");
    assert!(!before.contains("class=\"summary\"") && !before.contains("class=\"arrow came\""));
    assert!(before.contains("class=\"suggested\""), "{before}");
    // A move that can be said in words is.
    let discs = "/ampel-4-2-1?moves=%2Bc2,pass,pass,%2Bb1,pass,pass,%2Bd1,b1-b2&ply=7";
    let discs = get(discs).body;
    let said = "Here the second player played \u{201c}b1 to b2\u{201d} and lost the win.";
    assert!(discs.contains(said), "{discs}");
    let (_, review) = page.split_once("class=\"game review\"").expect("a review");
    for part in [
        "class=\"charted\"",
        "<ol class=\"plies\">",
        "<ul class=\"mistakes\" aria-label=\"Mistakes and slips\">",
        "Signs and figures: value for the player who made the move.",
        "5. c3R was a mistake: ",
    ] {
        assert!(review.contains(part), "{part}");
    }
    // In a game that goes on, the record stands beside the board.
    let short = get("/classic-3x3?moves=b2R,b2Y,a1R").body;
    assert!(!short.contains("class=\"game review\"") && !short.contains("class=\"summary\""));
    let board = get("/classic-3x3?moves=b2R&view=board&hints=0").body;
    assert!(board.contains("id=\"verdict\">Second player to move. Who wins? Which move?<"));
    assert!(board.contains("class=\"by-key\">The space bar shows the values."));
    assert!(board.contains("class=\"by-tap\">A tap beside the board shows the values."));
}
