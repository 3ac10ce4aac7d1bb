//! Rules of one's own.

use std::time::Duration;

use crate::common::{Answer, ask_at, ask_until, get, server, start, start_with};

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
    assert!(
        begun.contains("</span> in 2 plies if both play best"),
        "{begun}"
    );
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
    let line = " you put a ";
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
            && !page.contains("jogo do campeonato"),
        "{page}"
    );
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
fn a_design_has_a_title_and_a_file_to_keep() {
    let page = get("/design?title=Mein+gr%C3%BCnes+Spiel&turns=2").body;
    // The file is there without a script, and a script copies it.
    let file = "download=\"my-game.toml\" href=\"data:text/plain;charset=utf-8,title%20=%20%22Mein%20gr%C3%BCnes%20Spiel%22%0A";
    assert!(page.contains(file), "{page}");
    assert!(
        page.contains("data-copy-text=\"title = &quot;Mein"),
        "{page}"
    );
    // The choices keep the title, and the form of the title keeps the choices.
    assert!(page.contains("title=Mein%20gr%C3%BCnes%20Spiel&amp;lose=1"));
    assert!(page.contains("<input type=\"hidden\" name=\"turns\" value=\"2\">"));
    let name = "own:title=Mein.gr%C3%BCnes.Spiel,turns=2";
    assert!(
        page.contains(&format!("/compare?a=classic-3x3&amp;b={name}")),
        "{page}"
    );
    let game = get(&format!("/{name}/learn"));
    assert!(
        game.body.contains("<h1>Mein gr\u{fc}nes Spiel</h1>"),
        "{}",
        game.body
    );
    // There is nothing to compare the usual game with.
    assert!(!get("/design").body.contains("/compare?"));
}

/// A rule file is opened in the form, and one with rules that the form has not says so and stays.
#[test]
fn a_rule_file_is_opened_in_the_form() {
    let opens = |text: &str| get(&format!("/design?file={text}"));
    let opened = opens("patterns+%3D+%5B%22111%22%5D%0A%5Bboard%5D%0Asize+%3D+%223x4%22");
    assert_eq!(opened.status, 303);
    let to = "/design?board=oooo/oooo/oooo&goals=111";
    assert_eq!(opened.header("location"), Some(to));
    for (text, told) in [
        (
            "patterns+%3D+%5B%22111%22%5D%0Asupply+%3D+%22cap6%22%0A%5Bboard%5D%0Asize+%3D+%223x3%22",
            "does not have all rules",
        ),
        ("patterns+%3D+1", "make no game"),
    ] {
        let page = opens(text).body;
        let (_, form) = page.split_once("id=\"open-file\" open>").expect(&page);
        let form = form.split("</details>").next().unwrap();
        assert!(form.contains(told) && form.contains(" = "), "{form}");
    }
}
