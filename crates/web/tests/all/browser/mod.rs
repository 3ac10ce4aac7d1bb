//! Pages in a real browser. With `GREENWAVE_SCREENSHOTS` naming a folder, pictures of what is seen are left
//! there; with `GREENWAVE_AXE` naming axe's script, it has to find nothing.

mod driver;

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::common::{get, server};
use driver::Browser;

#[test]
fn discs_of_a_triangle_are_large_enough_for_fingers() {
    let browser = Browser::open(390, false);
    // The whole board fits, however many points it has.
    for (game, width) in [
        ("ampel-4-2-1", 44.0),
        ("ampel-5-3-3", 44.0),
        ("ampel-7-3-3", 34.0),
        ("ampel", 26.0),
    ] {
        browser.goto(&format!("/{game}?hints=0"));
        let least = browser.run(
            "return Math.min(...[...document.querySelectorAll('section.board svg a .hit')]\
             .map(one => one.getBoundingClientRect().width))",
        );
        assert!(least.as_f64().unwrap() >= width, "{game}: {least}");
        let wider = browser.run(
            "return Math.max(document.documentElement.scrollWidth - innerWidth,\
             document.querySelector('section.board svg.gw').getBoundingClientRect().right - innerWidth)",
        );
        assert!(wider.as_f64().unwrap() <= 0.0, "{game}: {wider}");
    }
}

#[test]
fn a_won_game_is_clicked_through_and_a_mistake_is_told() {
    let browser = Browser::open(1200, false);
    browser.goto("/classic-3x3");
    assert!(
        browser
            .text("#verdict")
            .contains("in 17 plies if both play best")
    );
    browser.inspect("start");
    // A wide window has the opening tree beside the game.
    browser.size(2560.0, 1400.0);
    browser.goto("/classic-3x3");
    browser.until("document.querySelector('.tree-from .graph a')");
    browser.inspect("start-wide");
    browser.size(1200.0, 1000.0);
    // The reasons of another move, without a step forward in the history.
    browser.click("ul.moves li:last-child a.ask");
    browser.until_address_has("why=");
    browser.until("document.querySelector('.why [data-fact]')");
    browser.inspect("why");
    browser.goto("/classic-3x3");
    // The centre keeps the win; then the other side moves.
    browser.click("a[data-move=b2R]");
    browser.until_address_has("moves=b2R");
    browser.until(
        "document.querySelector('#verdict').textContent.includes('First player wins in 16')",
    );
    browser.inspect("after-centre");
    // Whoever passes over three in a row gives the game away.
    browser.goto("/classic-3x3?moves=b2R,a2R");
    browser.click("section.board svg a[aria-label^='a1 ']");
    browser.until("document.querySelector('.mistake')");
    browser.inspect("mistake");
    browser.click("a[data-step=back]");
    browser.until_address_has("ply=2");
    browser.press('\u{e014}');
    browser.until("!location.href.includes('ply')");
    browser.press('\u{e012}');
    browser.until_address_has("ply=2");
    // Best play to the end.
    browser.goto("/classic-3x3");
    browser.run("const all = document.querySelectorAll('.line a'); all[all.length - 1].click()");
    browser.until("document.querySelector('#verdict').textContent.includes('over')");
    browser.inspect("over");
    browser.run("history.back()");
    browser.until("document.querySelector('#verdict').textContent.includes('in 17 plies')");
}

#[test]
fn boards_are_edited_turned_and_shared() {
    let browser = Browser::open(1200, false);
    browser.goto("/classic-3x4");
    browser.click("a[data-tool=edit]");
    browser.until_address_has("edit=1");
    browser.click("section.board svg a[aria-label^='a1']");
    browser.until_address_has("position=..../..../R...");
    // A light that is chosen is put at once, and a second press takes it away.
    browser.click("a[data-tool=put-green]");
    browser.until_address_has("put=green");
    browser.click("section.board svg a[aria-label^='b1']");
    browser.until_address_has("position=..../..../RG..");
    browser.click("section.board svg a[aria-label^='b1']");
    browser.until_address_has("position=..../..../R...");
    browser.inspect("edit");
    browser.click("a[data-tool=edit]");
    browser.until("!location.href.includes('edit')");
    browser.click("a[data-tool=mirror]");
    browser.until_address_has("position=..../..../...R");
    browser.click("a[data-tool=hints]");
    browser.until_address_has("hints=0");
    browser.run("document.querySelectorAll('details').forEach(one => one.open = true)");
    let link = browser.run("return document.getElementById('link').value");
    browser.inspect("share");
    browser.open_url(link.as_str().unwrap());
    // Hints stay hidden, though the link does not say so.
    browser.until_address_has("hints=0");
    assert!(browser.text(".of-game").contains("3\u{d7}4"));
}

/// A network between a browser and the server, and what cuts it.
fn network() -> (SocketAddr, impl FnOnce()) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let open: Arc<Mutex<Option<Vec<TcpStream>>>> = Arc::new(Mutex::new(Some(Vec::new())));
    let kept = Arc::clone(&open);
    std::thread::spawn(move || {
        for from in listener.incoming().flatten() {
            let to = TcpStream::connect(server()).unwrap();
            let Some(open) = &mut *kept.lock().unwrap() else {
                continue;
            };
            for (one, other) in [(&from, &to), (&to, &from)] {
                let (mut one, mut other) = (one.try_clone().unwrap(), other.try_clone().unwrap());
                open.push(one.try_clone().unwrap());
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut one, &mut other);
                    let _ = other.shutdown(Shutdown::Both);
                });
            }
        }
    });
    let cut = move || {
        for stream in open.lock().unwrap().take().unwrap() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    };
    (address, cut)
}

#[test]
fn without_a_network_the_first_page_opens_and_others_say_so() {
    let browser = Browser::open(390, false);
    let (address, cut) = network();
    let open = |path: &str| browser.open_url(&format!("http://{address}{path}"));
    // What a worker of another version kept goes.
    open("/robots.txt");
    browser.run("caches.open('greenwave-old')");
    browser.until("caches.has('greenwave-old')");
    open("/classic-2x3?moves=b2R&lang=de");
    let first = browser.text("h1");
    browser.until("navigator.serviceWorker.controller");
    browser.until("caches.match(location.href, { ignoreVary: true })");
    browser.until("caches.has('greenwave-old').then(has => !has)");
    cut();
    let shows = |heading: &str| {
        browser.until(&format!(
            "document.querySelector('h1')?.textContent === {heading:?}"
        ));
    };
    open("/classic-2x3?moves=b2R&lang=de");
    shows(&first);
    open("/classic-3x3/stats?lang=de");
    shows("Keine Verbindung");
    assert_eq!(browser.run("return document.documentElement.lang"), "de");
    // The way back leads to what is kept.
    browser.click("ul.ways a");
    browser.until_address_has("classic-2x3?moves=b2R");
    shows(&first);
}

/// The page shortens what other commands print, and says what is too long before it is sent.
#[test]
fn a_pasted_document_is_shortened_to_its_moves() {
    let browser = Browser::open(1200, false);
    let paste = |text: &str| {
        browser.goto("/classic-3x3/record");
        browser.run(&format!(
            "document.getElementById('record').value = {};\
             document.querySelector('form[data-longest] button').click()",
            json!(text)
        ));
    };
    let line = get("/api/v1/line?variant=classic-3x3").body;
    let ply = |number: u32, mv: &str| {
        json!({"schema": 2, "variant": "classic-3x3", "ply": number, "move": mv, "from": ".../.../...", "drawn": [], "note": "x".repeat(9000)}).to_string()
    };
    let undone = json!({"schema": 2, "undone": 1, "position": ".../.R./..."}).to_string();
    let pretty = serde_json::to_string_pretty(&json!({"schema": 2, "variant": "classic-3x3", "start": ".../.../...", "plies": [{"move": "b2R", "drawn": []}]})).unwrap();
    let played = [
        ply(1, "b2R"),
        ply(2, "a1R"),
        undone,
        ply(2, "c1R"),
        ply(1, "a1R"),
    ]
    .join("\n");
    for (text, moves) in [
        (line.repeat(9), "moves=b2R,"),
        (played, "moves=b2R,c1R&"),
        (pretty, "moves=b2R&"),
    ] {
        paste(&text);
        browser.until_address_has(moves);
    }
    paste(&"b2R ".repeat(3000));
    browser.until("!document.querySelector('form[data-longest] .problem').hidden");
    assert!(
        browser
            .text("form[data-longest] .problem")
            .contains("at most 2000 letters")
    );
    assert!(browser.url().ends_with("/record"));
    // A rule file that was chosen is not sent either; a script sets it past what may be typed.
    browser.goto("/design");
    browser.run(
        "const field = document.getElementById('rules');\
         field.value = '# ' + 'é'.repeat(1900);\
         field.form.requestSubmit()",
    );
    browser.until("!document.querySelector('form[data-longest] .problem').hidden");
    assert!(browser.url().ends_with("/design"));
}

/// A hint stands above the board, in the place of what was said before it.
#[test]
fn a_hint_does_not_move_the_board() {
    let browser = Browser::open(390, false);
    let top = |path: &str| {
        browser.goto(path);
        browser.until("!document.querySelector('main[data-again]')");
        let top = "return document.querySelector('section.board svg').getBoundingClientRect().top";
        browser.run(top)
    };
    let game = "/classic-3x3?moves=b2R,b2Y&play=first&hints=0&lang=de";
    let before = top(game);
    for step in 1..=3 {
        assert_eq!(top(&format!("{game}&hint={step}")), before, "{step}");
        let hints = browser.run("return document.querySelectorAll('.said.hint:has(~ svg)').length");
        assert_eq!(hints, 1);
    }
    browser.inspect("hint-phone");
}

/// On a phone the moves come first, on the page of a game that is looked back on, too.
#[test]
fn the_legend_stands_below_the_moves_on_a_phone() {
    let browser = Browser::open(390, false);
    for path in [
        "/classic-3x3?moves=b2R,a1R",
        "/classic-3x3?moves=b2R,b2Y,a1R,a1Y,c3R,c3Y&ply=4",
    ] {
        browser.goto(path);
        browser.until("document.querySelector('ul.moves li')");
        let below = browser.run(
            "const box = of => document.querySelector(of).getBoundingClientRect();\
             return box('.keys').top - box('ul.moves').bottom",
        );
        assert!(below.as_f64().unwrap() >= 0.0, "{path}: {below}");
    }
}

/// Before a class every letter of the board and its buttons has a twenty-fifth of the height (Firefox counts sixtieths of
/// a pixel), and all buttons are seen.
#[test]
fn buttons_can_be_read_before_a_class() {
    let browser = Browser::open(1280, false);
    for (width, height) in [(1280.0, 720.0), (1024.0, 768.0), (1920.0, 1080.0)] {
        browser.size(width, height);
        for path in [
            "/classic-3x3?moves=b2R,a1R&view=board&lang=de",
            "/classic-3x3?moves=b2R,b2Y&view=board&play=first&hint=3&lang=de",
            "/strip?view=board&hints=1",
        ] {
            browser.goto(path);
            browser.until("!document.querySelector('main[data-again]')");
            let small = browser.run(
                "return [...document.querySelectorAll('.at-hand :is(a, .steps span), .said, .note, .verdict, .turn')]\
                 .filter(one => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) + 0.01 < innerHeight / 25)\
                 .map(one => one.outerHTML)",
            );
            assert_eq!(small, json!([]), "{path} {width}");
            let low = browser.run(
                "const all = [...document.querySelectorAll('.at-hand a')];\
                 return Math.max(...all.map(one => one.getBoundingClientRect().bottom)) - innerHeight",
            );
            assert!(low.as_f64().unwrap() <= 0.0, "{path} {width}: {low}");
            let covered = browser.run(
                "const bar = document.querySelector('.at-hand').getBoundingClientRect().top;\
                 const said = [...document.querySelectorAll('.said, .verdict, .turn')];\
                 return Math.max(...said.map(one => one.getBoundingClientRect().bottom)) - bar",
            );
            assert!(
                covered.as_f64().unwrap() <= 0.0,
                "{path} {width}: {covered}"
            );
        }
    }
}

#[test]
fn the_strip_is_dragged() {
    let browser = Browser::open(1200, false);
    // Where nothing is being worked out any more, nothing on the page moves.
    let open = || {
        browser.goto("/strip");
        browser.until("!document.querySelector('main[data-again]')");
    };
    open();
    browser.inspect("strip");
    let places = browser.run(
        "const box = document.querySelector('svg .strip').getBoundingClientRect();\
         const board = document.querySelector('section.board svg').getBoundingClientRect();\
         return [box.x + box.width / 2, box.y + box.height / 2, board.x + board.width / 2, board.y + 5,\
         box.bottom - 10]",
    );
    let at = |place: usize| places[place].as_f64().unwrap();
    browser.drag((at(0), at(1)), (at(2), at(3)));
    browser.until_address_has("moves=slide-N");
    browser.inspect("strip-north");
    browser.click("section.board svg a[aria-label^='turn ']");
    browser.until_address_has("moves=slide-N,turn");
    // A finger does the same.
    open();
    browser.drag_by_touch((at(0), at(1)), (at(2), at(3)));
    browser.until_address_has("moves=slide-N");
    // Its way tells within the board, wherever the strip is taken hold of.
    open();
    browser.drag_by_touch((at(0), at(4)), (at(2), at(4) - 15.0));
    browser.until_address_has("moves=slide-W");
}

#[test]
fn a_counter_is_dragged_from_the_bag() {
    let browser = Browser::open(1200, false);
    // A green of the market for the red that is placed; then, with a finger, a yellow of the hand, for
    // which either counter of the market can be taken.
    for (pile, counter, square, is_touch) in
        [("market", "G", "c1", false), ("own", "Y", "a3", true)]
    {
        browser.goto("/bag-classic-3x3?position=R../.Y./...;RRY;YGG;RG");
        browser.until("document.querySelector(\"[data-move='a3Y+G']\")");
        let places = browser.run(&format!(
            "const middle = (of) => {{ const box = of.getBoundingClientRect();\
             return [box.x + box.width / 2, box.y + box.height / 2]; }};\
             return [...middle(document.querySelector('[data-pile={pile}][data-counter={counter}]')),\
             ...middle(document.querySelector('section.board svg a[aria-label^=\"{square} \"]'))]"
        ));
        let at = |place: usize| places[place].as_f64().unwrap();
        if is_touch {
            browser.drag_by_touch((at(0), at(1)), (at(2), at(3)));
            // It stays there, and what is missing is said and has a ring.
            browser.until_address_has("from=a3Y");
            browser.until("document.querySelector('.said')?.textContent.includes('Now take a counter: red or green')");
            assert_eq!(
                browser.run("return document.querySelectorAll('rect.rim').length"),
                json!(1)
            );
            browser.inspect("bag-chosen");
            browser.click("section.board svg [data-pile=market][data-counter=R]");
            browser.until_address_has("a3Y+R");
        } else {
            browser.drag((at(0), at(1)), (at(2), at(3)));
            browser.until_address_has("c1R");
        }
    }
}

#[test]
fn every_family_and_language_on_a_phone_in_the_dark() {
    let browser = Browser::open(320, true);
    browser.goto("/");
    browser.inspect("phone-home");
    for (path, name) in [
        ("/semaforo?lang=pt&moves=b2G,b2Y", "phone-semaforo"),
        ("/ampel?lang=de&budget=300ms", "phone-ampel-whole"),
        ("/slider?lang=de", "phone-slider"),
        ("/ring.toml?lang=es", "phone-ring"),
        ("/bag-classic-3x3?hints=0&moves=[RG],%2BR", "phone-bag"),
        (
            "/ampel-4-2-1?position=4%202%201%20r%201%200%200%20./.R/.y./....",
            "phone-ampel",
        ),
        ("/classic-3x3?moves=b2R,x", "phone-unplayed"),
        ("/classic-3x3?moves=x", "phone-problem"),
    ] {
        browser.goto(path);
        if ["phone-problem", "phone-unplayed"].contains(&name) {
            // The browser itself reports the status of the page.
            browser.log();
        }
        browser.inspect(name);
    }
    for (path, name) in [
        (
            "/compare?a=classic-2x3&b=signal-2x3&lang=de",
            "phone-compare",
        ),
        ("/claims?lang=pt", "phone-claims"),
        (
            "/sum?boards=classic-2x3+classic-2x3=R../...&lang=es",
            "phone-sum",
        ),
        ("/classic-3x3/sheet?count=6&seed=2", "phone-sheet"),
        ("/classic-3x3/stats", "phone-stats"),
        ("/tables", "phone-tables"),
        ("/classic-3x3?play=first&hints=0&hint=2", "phone-play"),
        ("/noughts-3x3", "phone-noughts"),
    ] {
        browser.goto(path);
        browser.inspect(name);
    }
    browser.goto("/semaforo?lang=pt");
    assert!(
        browser
            .text("#verdict")
            .contains("perdes em 26 meias-jogadas")
    );
}

#[test]
fn the_keyboard_alone_plays() {
    let browser = Browser::open(1000, false);
    browser.goto("/classic-3x3");
    // Tab to the board, arrows to the centre, Enter.
    browser.run("document.querySelector(\"section.board svg a[aria-label^='a1 ']\").focus()");
    browser.press('\u{e013}');
    browser.until("document.activeElement.getAttribute('aria-label')?.startsWith('a2 ')");
    browser.press('\u{e014}');
    browser.until("document.activeElement.getAttribute('aria-label')?.startsWith('b2 ')");
    browser.press('\u{e007}');
    browser.until_address_has("moves=b2R");
    // The focus stays on the square, and the page shows the value.
    browser.until("document.activeElement.getAttribute('aria-label')?.startsWith('b2 ')");
    assert!(browser.text("#status").contains("First player wins in 16"));
}

#[test]
fn the_skip_link_leads_into_the_page() {
    const TAB: char = '\u{e004}';
    const ENTER: char = '\u{e007}';
    let browser = Browser::open(1000, false);
    for path in ["/classic-3x3?moves=b2R", "/claims", "/compare"] {
        browser.goto(path);
        browser.press_until(TAB, "document.activeElement.matches('.skip')");
        browser.press(ENTER);
        browser.until("location.hash === '#main' && document.activeElement.id === 'main'");
        // Long enough for a page that is shown once more to be there.
        std::thread::sleep(std::time::Duration::from_millis(300));
        browser.until("document.activeElement.id === 'main'");
        browser.press(TAB);
        browser.until(
            "document.activeElement.closest('main') && document.activeElement.id !== 'main'",
        );
    }
}

#[test]
fn every_family_is_turned_mirrored_and_edited() {
    let browser = Browser::open(1000, false);
    for (path, turned, edited) in [
        ("/noughts-3x3?position=X../.../...", "..X/.../...", "b2"),
        (
            "/strip?position=R../.../...%2B...@E",
            "..R/.../...+...@S",
            "s1",
        ),
        (
            "/ampel-4-2-1?position=4 2 1 r 1 0 0 ./r./.y./....&hints=0",
            "./../.yr/....",
            "a1",
        ),
        (
            "/bag-classic-3x3?hints=0&position=R../.../...;RRY;YGG;RG",
            "..R/.../...;RRY",
            "b2",
        ),
        ("/ring.toml?position=R../.-./...&hints=0", "..R/.-.", "a1"),
    ] {
        browser.goto(path);
        browser.click("a[data-tool=turn]");
        browser.until_address_has(turned);
        let before = browser.run("return location.href");
        browser.click("a[data-tool=mirror]");
        browser.until(&format!("location.href !== {before}"));
        browser.click("a[data-tool=edit]");
        browser.until_address_has("edit=1");
        let before = browser.run("return location.href");
        browser.click(&format!("section.board svg a[aria-label^='{edited}:']"));
        browser.until(&format!("location.href !== {before}"));
    }
    browser.inspect("edited");
}

#[test]
fn a_puzzle_is_missed_and_then_solved() {
    let browser = Browser::open(1000, false);
    let puzzle = get("/api/v1/puzzle?variant=classic-3x3&level=1&seed=3")
        .lines()
        .remove(0);
    let position = puzzle["position"].as_str().unwrap();
    let solution = puzzle["solution"][0].as_str().unwrap();
    browser.goto("/classic-3x3");
    browser.run("document.querySelectorAll('details').forEach(one => one.open = true)");
    browser.inspect("details");
    browser.goto("/classic-3x3/puzzle?level=1&seed=3");
    browser.until_address_has(position);
    browser.inspect("puzzle");
    let wrong = browser.run(&format!(
        "return [...document.querySelectorAll('a[data-move]')].map(one => one.dataset.move)\
         .find(mv => mv !== {solution:?})"
    ));
    browser.click(&format!("a[data-move={}]", wrong.as_str().unwrap()));
    browser.until("document.querySelector('[data-tool=again]')");
    browser.inspect("puzzle-missed");
    browser.click("[data-tool=solution]");
    browser.until_address_has("solution=1");
    browser.until("document.querySelector('[data-step=forward]')");
    browser.inspect("puzzle-solution");
    browser.press_until('\u{E014}', "document.querySelector('.line [aria-current]')");
    browser.click("[data-tool=again]");
    browser.until("!document.querySelector('[data-tool=again]')");
    for mv in puzzle["solution"].as_array().unwrap().iter().step_by(2) {
        browser.click(&format!("a[data-move={}]", mv.as_str().unwrap()));
        browser.until_address_has(mv.as_str().unwrap());
    }
    browser.until("document.querySelector('[data-tool=next]')");
    browser.inspect("puzzle-solved");
    // It counts, but it was missed at first and begins no row.
    let told = browser.text(".progress");
    assert!(told.contains("device: 1 \u{b7} in a row: 0"), "{told}");
    browser.press('n');
    browser.until("!document.querySelector('[data-tool=next]')");
    browser.click("[data-reset]");
    browser.until("document.querySelector('.progress').hidden");
}

#[test]
fn a_device_without_storage_plays_solves_and_sets() {
    let browser = Browser::open_without_storage(1000);
    browser.goto("/classic-3x3");
    browser.until("(() => { try { return !localStorage } catch { return true } })()");
    // The address alone carries the choice.
    browser.click("a[data-tool=hints]");
    browser.until_address_has("hints=0");
    browser.goto("/classic-3x3?play=first&hints=0");
    browser.click("section.board svg a[aria-label^='b2 ']");
    browser.until("document.querySelector('.said')?.textContent.includes('The program played')");
    browser.inspect("played-without-storage");
    let puzzle = get("/api/v1/puzzle?variant=classic-3x3&level=1&seed=3")
        .lines()
        .remove(0);
    browser.goto("/classic-3x3/puzzle?level=1&seed=3");
    browser.until_address_has("puzzle=1");
    for mv in puzzle["solution"].as_array().unwrap().iter().step_by(2) {
        browser.click(&format!("a[data-move={}]", mv.as_str().unwrap()));
        browser.until_address_has(mv.as_str().unwrap());
    }
    browser.until("document.querySelector('[data-tool=next]')");
    // What was solved is counted nowhere.
    browser.until("document.querySelector('.progress').hidden");
    browser.goto("/settings");
    browser.inspect("settings-without-storage");
}

#[test]
fn a_reply_follows_the_move_without_a_reload() {
    let browser = Browser::open(1000, false);
    browser.goto("/classic-3x3?play=first&hints=0");
    browser.run("window.same = true");
    browser.click("section.board svg a[aria-label^='b2 ']");
    browser.until("document.querySelector('.said')?.textContent.includes('The program played')");
    // The page was not loaded anew, and the step that waited is none of the history.
    assert_eq!(browser.run("return window.same"), json!(true));
    browser.until("!location.href.includes('hold')");
    browser.inspect("replied");
    browser.click("a[data-tool=take-back]");
    browser.until("!location.href.includes('moves')");
    browser.click("section.board svg a[aria-label^='b2 ']");
    browser.until("document.querySelector('a[data-tool=resign]')");
    browser.click("a[data-tool=resign]");
    browser.until("document.querySelector('.ended')");
    browser.inspect("given-up");
}

#[test]
fn a_pressed_square_begins_a_game_at_the_chosen_level() {
    let browser = Browser::open(1000, false);
    for (address, cards) in [
        ("/play", ["perfect", "strong"]),
        ("/semaforo/play?level=perfect&lang=de", ["easy", "medium"]),
    ] {
        browser.goto(address);
        for level in cards {
            browser.click(&format!("input[value={level}]"));
            browser.until(&format!(
                "document.querySelector('[data-level]').textContent === \
                 document.querySelector('input[value={level}] + strong').textContent"
            ));
        }
        browser.click("form.begin .board a");
        browser.until_address_has("moves=");
        browser.until_address_has(&format!("&level={}", cards[1]));
    }
}

#[test]
fn the_board_stays_where_it_is_when_the_program_replies() {
    let browser = Browser::open(1000, false);
    let top = |path: &str| {
        browser.goto(path);
        browser.run(
            "return document.querySelector('section.board svg.gw').getBoundingClientRect().top",
        )
    };
    let before = top("/classic-3x3?play=first&hints=0");
    for path in [
        "/classic-3x3?play=first&hints=0&moves=b2R&hold=1",
        "/classic-3x3?play=first&hints=0&moves=b2R,a1R",
    ] {
        assert_eq!(top(path), before, "{path}");
    }
}

#[test]
fn chosen_settings_come_together() {
    let browser = Browser::open(1000, false);
    browser.goto("/settings");
    browser.run(
        "localStorage.setItem('greenwave-settings', JSON.stringify({ lights: 'gyr' }));\
         localStorage.setItem('greenwave-hints', '0')",
    );
    browser.goto("/classic-3x3?moves=b2");
    browser.until("/lights=gyr/.test(location.href) && /hints=0/.test(location.href)");
    browser.until("!document.querySelector('.turn .tag')");
}

#[test]
fn values_change_their_density_by_a_key() {
    let browser = Browser::open(1000, false);
    browser.goto("/classic-3x3?position=..G/.R./Y..");
    for wanted in ["values=signs", "hints=0"] {
        browser.press('v');
        browser.until_address_has(wanted);
    }
    browser.press('v');
    browser.until("!/hints|values/.test(location.href)");
    browser.press('h');
    browser.until("document.querySelector('.heat-loss') && document.querySelector('.legend')");
    browser.inspect("heat");
}

#[test]
fn the_program_is_played_against_with_hints() {
    let browser = Browser::open(1000, false);
    browser.goto("/classic-3x3");
    browser.click("a[data-tool=play]");
    browser.until("document.querySelector('.levels')");
    browser.inspect("play");
    browser.click("input[value=easy]");
    browser.click("button[value=first]");
    browser.until_address_has("level=easy");
    for step in ["win", "Look at b2", "Suggested move: b2R"] {
        browser.click("[data-tool=hint]");
        browser.until(&format!(
            "document.querySelector('.said')?.textContent.includes({step:?})"
        ));
    }
    browser.inspect("hint");
    browser.click("a[data-move=b2R]");
    browser.until("document.querySelector('.said')?.textContent.includes('The program played')");
    browser.inspect("reply");
    // The first move that is offered, until somebody has won.
    for _ in 0..27 {
        let moves = browser.run("return document.querySelectorAll('a[data-move]').length");
        if moves == 0 {
            break;
        }
        let here = browser.run("return location.href");
        browser.click("a[data-move]");
        browser.until(&format!("location.href !== {here}"));
        browser.until("!document.querySelector('main[data-reply]')");
    }
    browser.until("document.querySelector('.tally')");
    browser.inspect("played");
}

#[test]
fn a_claim_shows_its_witness_and_boards_are_summed() {
    let browser = Browser::open(1000, false);
    browser.goto("/sum?boards=classic-2x3+classic-2x3");
    browser.inspect("sum");
    browser.click("figure svg a");
    browser.until_address_has("R..");
    browser.goto("/claims");
    browser.inspect("claims");
    browser.goto("/compare?a=classic-2x3&b=signal-2x3");
    browser.inspect("compare");
    browser.goto("/classic-3x3/sheet?count=12&seed=2");
    browser.inspect("sheet");
    browser.goto("/");
    browser.inspect("home");
}

#[test]
fn choices_of_a_design_that_follow_fast_are_all_made() {
    let browser = Browser::open(1200, false);
    browser.goto("/design?board=ooo/ooo");
    browser.run("const [one, two] = document.querySelectorAll('svg.editor a'); for (const square of [one, two]) square.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))");
    browser.until_address_has("board=--o/ooo");
}

#[test]
fn what_is_asked_for_on_a_phone_comes_into_view() {
    let browser = Browser::open(390, false);
    browser.goto("/classic-3x3");
    // Groups of moves stand below each other, inside the window.
    browser.until(
        "[...document.querySelectorAll('ul.moves li')].every(one => one.getBoundingClientRect().right <= innerWidth)",
    );
    // They are the first below the board, and on its screen.
    browser.size(390.0, 844.0);
    browser.until(
        "document.querySelector('ul.moves').getBoundingClientRect().bottom\
         <= document.querySelector('.at-hand').getBoundingClientRect().top",
    );
    browser.until(
        "document.querySelector('.keys').getBoundingClientRect().top\
         >= document.querySelector('ul.moves').getBoundingClientRect().bottom",
    );
    browser.size(390.0, 1000.0);
    browser.run("document.querySelector('ul.moves li:last-child a.ask').click()");
    browser.until_address_has("why=");
    // All of the reasons, or as much as half of the window shows of them.
    browser.until(
        "(why => why.top >= 0 && why.top + Math.min(why.height, innerHeight / 2)\
         <= document.querySelector('.at-hand').getBoundingClientRect().top)\
         (document.querySelector('.why').getBoundingClientRect())",
    );
    browser.inspect("phone-why");
    browser.run("document.querySelector('.tree-from a').click()");
    browser.until("document.querySelector('details.tree-list')?.open && scrollY === 0");
    // The end of best play is the right end of its chart.
    browser.goto("/classic-3x3");
    browser.run("const all = document.querySelectorAll('.line a'); all[all.length - 1].click()");
    browser.until("document.querySelector('.chart .here')");
    browser.until(
        "document.querySelector('.chart .here').getBoundingClientRect().right <= innerWidth",
    );
    browser.inspect("phone-review");
}

#[test]
fn wide_windows_are_filled_by_columns() {
    let browser = Browser::open(390, false);
    let compared = "/compare?a=classic-3x3&b=signal-3x3";
    for (path, part) in [
        ("/claims", ".claims > li"),
        (compared, ".comparing > section"),
    ] {
        for (width, columns) in [(390.0, 1), (1280.0, 2), (2560.0, 3)] {
            browser.size(width, 1000.0);
            browser.goto(path);
            let lefts = browser.run(&format!(
                "return new Set([...document.querySelectorAll('{part}')]\
                 .map(one => Math.round(one.getBoundingClientRect().left))).size"
            ));
            assert_eq!(lefts, json!(columns), "{path} at {width}");
        }
    }
}

#[test]
fn tools_of_a_sheet_stand_in_few_lines_for_fingers() {
    for (width, most) in [(320, 7), (390, 6)] {
        let browser = Browser::open(width, false);
        browser.goto("/classic-3x3/sheet?count=6&seed=2&lang=de");
        browser.until("!document.querySelector('[data-print]').hidden");
        let of_tools = |what: &str| {
            browser.run(&format!(
                "const all = [...document.querySelectorAll('.choosing-sheet :is(a, button)')]\
                 .map(one => one.getBoundingClientRect()); return {what}"
            ))
        };
        let lines = of_tools("new Set(all.map(one => one.top)).size");
        assert!(lines.as_u64().unwrap() <= most, "{width}: {lines}");
        let lowest = of_tools("Math.min(...all.map(one => one.height))");
        assert!(lowest.as_f64().unwrap() >= 48.0, "{width}: {lowest}");
        let widest = of_tools("Math.max(...all.map(one => one.right))");
        assert!(widest.as_f64().unwrap() <= f64::from(width), "{widest}");
    }
}

#[test]
fn no_script_is_needed() {
    let browser = Browser::open(1000, false);
    browser.goto("/classic-3x3");
    browser.stop_scripts();
    browser.goto("/classic-3x3?moves=b2R");
    browser.click("a[data-move]");
    browser.until_address_has("moves=b2R,");
}

/// The folder that `just site` builds, opened as a file: `GREENWAVE_SITE` names it. Without it there is
/// nothing to open, and the pages alone are compared elsewhere.
#[test]
fn the_folder_of_files_plays_without_a_server() {
    let Ok(folder) = std::env::var("GREENWAVE_SITE") else {
        return;
    };
    let folder = std::fs::canonicalize(folder).unwrap();
    let browser = Browser::open(1200, false);
    let open = |file: &str| {
        browser.open_url(&format!("file://{}/{file}", folder.display()));
    };
    open("index.html");
    browser.click("a[href=\"#/classic-3x3\"]");
    browser.until("document.querySelector('#verdict')?.textContent.includes('in 17 plies')");
    browser.inspect("site-start");
    // A game, clicked through on the board, that ends as perfect play does.
    for ply in 1..=20 {
        if browser.run("return !document.querySelector('ul.moves a.move')") == true {
            break;
        }
        browser.click("ul.moves a.move");
        browser.until(&format!(
            "decodeURIComponent(location.hash).split('moves=')[1]?.split('&')[0].split(',').length === {ply}"
        ));
        browser.until("!document.querySelector('main').getAttribute('aria-busy')");
    }
    assert!(
        browser.text("#verdict").contains("over"),
        "{}",
        browser.text("#verdict")
    );
    browser.inspect("site-end");
    // Every value that it tells is the server's.
    let hash = browser.run("return decodeURIComponent(location.hash)");
    let moves = hash.as_str().unwrap().split("moves=").nth(1).unwrap();
    let moves: Vec<&str> = moves.split(',').collect();
    for plies in 0..3 {
        let query = format!(
            "/api/v1/query?variant=classic-3x3&moves={}",
            moves[..plies].join(",")
        );
        browser.run(&format!("location.hash = '#{query}'"));
        browser.until("document.querySelector('main > pre')?.textContent.startsWith('{')");
        let here: Value = serde_json::from_str(&browser.text("main > pre")).unwrap();
        let there = get(&query).json();
        for field in ["position", "value", "distance", "best", "moves"] {
            assert_eq!(here[field], there[field], "{query} {field}");
        }
        browser.run("location.hash = '#/'");
        browser.until("document.querySelector('form.open')");
    }
    // A form, a language, and the code of the link.
    open("index.de.html");
    browser.run("document.querySelector('#name').value = 'classic-2x3'; document.querySelector('form.open button').click()");
    browser.until("document.querySelector('#verdict')?.textContent.includes('in 16 Halbz')");
    browser.run("document.querySelector('section.more details').open = true");
    browser.until("document.querySelector('img.qr').src.startsWith('data:image/svg')");
    browser.inspect("site-german");
    // A new request drops the earlier one, even while it is solved.
    browser.run("location.hash = '#/slider'");
    browser.run("location.hash = '#/classic-2x3?lang=pt'");
    browser.until("document.querySelector('.of-game')?.textContent.includes('2\u{d7}3')");
    browser.run("location.hash = '#/semaforo?lang=pt'");
    browser.until("document.querySelector('.of-game')?.textContent.startsWith('Sem\u{e1}foro')");
    // A page for a frame has no head.
    browser.run("location.hash = '#/classic-3x3?embed=1&lang=de'");
    browser.until("document.body.classList.contains('embed')");
    // A form that was sent before the script had come is answered when it has.
    open("index.de.html?name=classic-2x3&lang=de#/go");
    browser.until("document.querySelector('#verdict')?.textContent.includes('in 16 Halbz')");
    assert!(
        browser
            .url()
            .ends_with("/index.de.html#/classic-2x3?lang=de"),
        "{}",
        browser.url()
    );
}

#[test]
fn sheets_print_on_a_page_and_their_solutions_on_another() {
    let browser = Browser::open(1000, false);
    for path in [
        "/classic-3x3/sheet?count=12&seed=3",
        "/classic-3x3/sheet?count=6&seed=3",
    ] {
        browser.goto(path);
        for (width, height) in [(21.0, 29.7), (21.59, 27.94)] {
            let sheet = browser.laid_out_on_paper(width, height);
            assert_eq!(sheet[0], "page", "the solutions of {path} begin a page");
            for part in 1..3 {
                let (tall, room) = (sheet[part].as_f64().unwrap(), height - 3.0);
                assert!(tall < room, "part {part} of {path}: {tall} of {room} cm");
            }
            if let Some(pages) = browser.pages_on_paper(width, height) {
                assert_eq!(pages, 2, "{path} on {width} by {height} cm");
            }
        }
    }
    // Boards and counters have a page each.
    browser.goto("/classic-3x3/sheet?count=6&seed=3&material=1");
    browser.inspect("sheet-material");
    if let Some(pages) = browser.pages_on_paper(21.0, 29.7) {
        assert_eq!(pages, 4);
    }
}
