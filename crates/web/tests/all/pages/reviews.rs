//! Games that are looked back on: the ways between their mistakes, and what is told of each.

use crate::common::{get, get_from_tables};

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
    // Whoever played is still called so.
    let at = format!("/classic-3x3?moves={moves}&amp;ply=4&amp;play");
    assert_eq!(first, format!("{at}=first\""));
    // The second player made none.
    let second = begins(&format!("/classic-3x3?moves={moves}&hints=0&play=second"));
    assert_eq!(second, format!("{at}=second\""));
    let pasted = get(&format!("/classic-3x3?moves={moves}&ply=mistake"));
    let to = format!("/classic-3x3?moves={moves}&ply=4");
    assert_eq!(pasted.header("location"), Some(to.as_str()));
    let quiet = get(&format!("/classic-3x3?moves={moves}&ply=mistake&hints=0"));
    assert_eq!(quiet.header("location"), Some(&*format!("{to}&hints=0")));
    let flawless = get("/classic-3x3?moves=b2R&ply=mistake");
    assert_eq!(flawless.status, 200);
}

/// Reviewed games of several families.
const GAMES: [(&str, &str); 10] = [
    ("classic-3x3", "a2R,c3R,c1R,c2R"),
    (
        "classic-3x3",
        "a2R,a2Y,b2R,a2G,b2Y,b3R,b3Y,b2G,c3R,b3G,c3Y,c1R,c1Y,c1G,c3G,a3R,c2R,a1R,b1R,a1Y,a1G",
    ),
    ("classic-3x3", "b2R,b2Y,a1R,a1Y,c3R,c3Y"),
    ("noughts-3x3", "a2,c1,b2,b3,a3,a1,c3,b1"),
    ("points-3x3", "a2R,c3R,c1R,c2R"),
    ("signal-3x3", "a2R,c3R,c1R,c2R"),
    (
        "green-3x3",
        "a2R,c3R,c1R,c2R,b3R,b1R,a1R,b3Y,b2R,c3Y,a2Y,a2G,c3G,c2Y,b3G,c2G,b2Y,b2G",
    ),
    ("classic-3x3:play=misere", "a2R,b2R,b1R,a3R,b3R"),
    (
        "ampel-4-2-1",
        "%2Bc2,pass,pass,%2Bd3,pass,pass,%2Bd4,d3-d1,pass,%2Bc3,d4-d2,d1-c1,%2Bd4,c3-d3,pass,off,d4-c3",
    ),
    (
        "strip",
        "b3R,turn,slide-Wt,b2R,s3R,slide-Nt,turn,c1R,a1R,slide-Et,c3R",
    ),
];

/// The address of the link with a mark; `None` where it leads nowhere.
fn link(page: &str, mark: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("{mark} href=\""))?;
    Some(rest.split('"').next()?.replace("&amp;", "&"))
}

/// The ways of a review lead to its mistakes, one after the other, and to the position in which each was made.
#[test]
fn each_way_of_a_review_leads_where_it_says() {
    for (name, moves) in GAMES {
        let whole = format!("/{name}?moves={moves}");
        let page = get_from_tables(&whole).body;
        let at = |ply: &str| format!("{whole}&ply={ply}");
        // The list of all faults says where each mistake was made.
        let told = page.split("<li class=\"of-mistake\"").skip(1);
        let mistakes: Vec<String> = told
            .map(|one| link(one, "<a rel=\"nofollow\"").unwrap())
            .collect();
        let (first, last) = (mistakes.first().expect(&page), mistakes.last().unwrap());
        assert_eq!(link(&page, "data-tool=\"mistake\"").as_ref(), Some(first));
        assert_eq!(
            link(&page, "data-step=\"mistake-before\"").as_ref(),
            Some(last)
        );
        assert_eq!(
            get_from_tables(&at("mistake")).header("location"),
            Some(first.as_str())
        );
        for (number, here) in mistakes.iter().enumerate() {
            let page = get_from_tables(here).body;
            let before = number.checked_sub(1).map(|before| &mistakes[before]);
            assert_eq!(link(&page, "data-step=\"mistake-before\"").as_ref(), before);
            let after = link(&page, "data-step=\"mistake-after\"");
            assert_eq!(after.as_ref(), mistakes.get(number + 1));
            let names = ["Previous mistake", "Next mistake"];
            let has_ways = mistakes.len() > 1;
            assert!(
                names.iter().all(|name| page.contains(name) == has_ways),
                "{page}"
            );
            // What was wrong stands beside the board, and the tally calls it by its number.
            assert!(
                page.contains("<section class=\"fault of-mistake\">"),
                "{page}"
            );
            let (_, ply) = here.split_once("ply=").unwrap();
            assert!(
                page.contains(&format!("after {ply} ")) || ply == "0",
                "{page}"
            );
        }
    }
}

/// Between the end of a game of the reader and its review, every way leads to where it says: to the values and the
/// reasons of a mistake, and from there into the game, without values.
#[test]
fn a_lost_game_is_looked_back_on_with_reasons() {
    let moves = "a2R,b1R,c3R,c3Y,c1R,c2R,c2Y,c1Y";
    let own = "hints=0&play=first&level=easy";
    let end = get_from_tables(&format!("/classic-3x3?moves={moves}&{own}")).body;
    assert!(end.contains("You lost after 4 of your moves"), "{end}");
    let faults = end.split("class=\"mistake\" href=\"").skip(1);
    let faults: Vec<String> = faults
        .map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"))
        .collect();
    assert_eq!(faults.len(), 3, "{end}");
    // The moves of a reason are looked at.
    let (_, reasons) = end.split_once("<p class=\"line\">").unwrap();
    let (reasons, _) = reasons.split_once("</p>").unwrap();
    assert!(!reasons.contains("play="), "{reasons}");
    for (number, fault) in faults.iter().enumerate() {
        let page = get_from_tables(fault).body;
        for part in [
            "<section class=\"fault of-mistake\">",
            "<p class=\"better\">",
            "<h2>The game</h2>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        // The second mistake was the program's.
        let text = ["Try again from there", "Play from here"][number % 2];
        assert!(page.contains(text), "{page}");
        let again = link(&page, "data-tool=\"again-here\" class=\"first\"").expect(&page);
        assert!(again.ends_with(own) && !again.contains("ply="), "{again}");
        let last = link(&page, "data-step=\"last\"").expect(&page);
        assert_eq!(last, format!("/classic-3x3?moves={moves}&{own}"));
    }
}

/// How many lamps of a board are as large as those that stand on squares.
fn lamps(page: &str) -> usize {
    let (_, board) = page.split_once("<section class=\"board\">").expect(page);
    let (board, _) = board.split_once("</svg>").unwrap();
    // What the next move puts there is seen under a pointer alone.
    let ghosts = board.split("class=\"ghost\"").skip(1);
    let hidden =
        ghosts.filter(|ghost| ghost.split("</g></g>").next().unwrap().contains("r=\"16\""));
    let all = ["r", "y", "g"].map(|class| {
        let lamp = format!("<circle class=\"{class}\"");
        let lamps = board.split(&lamp).skip(1);
        lamps
            .filter(|lamp| lamp.split('/').next().unwrap().contains("r=\"16\""))
            .count()
    });
    all.iter().sum::<usize>() - hidden.count()
}

/// The better move stands in a corner and hides no counter.
#[test]
fn every_counter_is_drawn_on_every_step_of_a_review() {
    for (name, moves) in [
        GAMES[0],
        GAMES[1],
        GAMES[2],
        ("classic-3x3", "c2R,a1R,b1R,c1R"),
    ] {
        let mut squares = std::collections::BTreeSet::new();
        let mut made = moves.split(',');
        for ply in 0.. {
            let page = get_from_tables(&format!("/{name}?moves={moves}&ply={ply}")).body;
            assert_eq!(lamps(&page), squares.len(), "{name} {moves} {ply}: {page}");
            if page.contains("<section class=\"fault") {
                assert!(page.contains("class=\"suggested\""), "{page}");
                let legend = ["<i class=\"suggestion\">", "<b class=\"sign\">"];
                assert!(legend.iter().all(|part| page.contains(part)), "{page}");
            }
            // The last position has a line through its lamps.
            match made.next() {
                Some(mv) if ply + 1 < moves.split(',').count() => squares.insert(&mv[..2]),
                Some(_) | None => break,
            };
        }
    }
}

/// Where nobody made a mistake, the ways lead to the slips.
#[test]
fn a_review_without_mistakes_leads_to_its_slips() {
    let whole = "/classic-3x3?moves=a2R,a2Y,b2R,a2G,b2Y,b3R";
    let asked = get(&format!("{whole}&ply=mistake"));
    let [first, second] = [3, 4].map(|ply| format!("{whole}&ply={ply}"));
    assert_eq!(asked.header("location"), Some(first.as_str()));
    let page = get(&first).body;
    assert_eq!(link(&page, "data-step=\"mistake-before\""), None);
    assert_eq!(link(&page, "data-step=\"mistake-after\""), Some(second));
    assert!(page.contains("Next slip"), "{page}");
    assert!(!page.contains("data-tool=\"mistake\""), "{page}");
    for told in [
        "a2G: b2Y would have held out 6 plies longer.",
        "1 slip (ply <a ",
    ] {
        assert!(page.contains(told), "{page}");
    }
}

/// The reasons address the player who moved, whoever reads them.
#[test]
fn a_review_says_whom_its_reasons_address() {
    let moves = "b2R,b2Y,a1R,a1Y,c3R,c3Y";
    let at = |own: &str| get(&format!("/classic-3x3?moves={moves}&ply=4{own}")).body;
    let notes = [
        "\u{201c}You\u{201d} means the first player here.",
        "\u{201c}You\u{201d} means the program here.",
    ];
    let played = get("/classic-3x3?play=second&hints=0&moves=b2R").body;
    assert!(played.contains(">You are the second player \u{b7} Program: perfect<"));
    for (own, said, fault) in [
        (
            "",
            Some(notes[0]),
            "Here the first player played c3R and lost the win.",
        ),
        (
            "&play=second",
            Some(notes[1]),
            "The program\u{2019}s c3R lost the win.",
        ),
        ("&play=first", None, "Your c3R lost the win."),
    ] {
        let page = at(own);
        assert!(page.contains(fault), "{own}: {page}");
        for note in notes {
            assert_eq!(page.contains(note), said == Some(note), "{own}: {page}");
        }
    }
}

/// A game without faults says so above its board.
#[test]
fn a_game_without_faults_says_so() {
    let said = |path: &str| {
        let page = get(path).body;
        let (_, summary) = page.split_once("class=\"summary\">").expect(&page);
        summary.split('<').next().unwrap().to_string()
    };
    let open = said("/classic-3x3?moves=b2R,b2Y,b2G&ply=1");
    assert_eq!(open, "No mistake so far; the game goes on.");
}

/// A record that names no order of the lights has the one in which it can be played.
#[test]
fn a_record_in_the_other_order_of_the_lights_is_read() {
    let leads = |record: &str| {
        let page = get(&format!("/semaforo/record?record={record}"));
        page.header("location").expect("a game").to_string()
    };
    let to = "/semaforo?moves=b2R,c2R,a1R,d3R&ply=mistake";
    assert_eq!(leads("1.+b2R+c2R+2.+a1R+d3R"), format!("{to}&lights=ryg"));
    assert_eq!(leads("b2G+c2G"), "/semaforo?moves=b2G,c2G&ply=mistake");
    // What cannot be played in either order keeps its own.
    assert_eq!(leads("b2R+c2G"), "/semaforo?moves=b2R,c2G&ply=mistake");
}

/// The game is turned with its board, and whoever plays it plays on.
#[test]
fn a_turned_board_keeps_its_game() {
    let tool = |path: &str, key: &str| {
        let page = get(path).body;
        let (_, rest) = page
            .split_once(&format!("data-tool=\"{key}\" href=\""))
            .expect(&page);
        rest.split('"').next().unwrap().replace("&amp;", "&")
    };
    let at = "/classic-3x3?moves=c2R,b1R,a1R&ply=2&hints=0&play=first";
    let turned = tool(at, "turn");
    assert_eq!(
        turned,
        "/classic-3x3?moves=b1R,a2R,a3R&ply=2&hints=0&play=first"
    );
    let mirrored = tool(&turned, "mirror");
    assert_eq!(
        mirrored,
        "/classic-3x3?moves=b1R,c2R,c3R&ply=2&hints=0&play=first"
    );
}
