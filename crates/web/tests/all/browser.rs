//! Pages in a real browser, through chromedriver. With `GREENWAVE_SCREENSHOTS` naming a folder, pictures of
//! what is seen are left there; with `GREENWAVE_AXE` naming axe's script, it has to find nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{get, server};

/// A browser, ended with its driver when dropped.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.call("DELETE", "", &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    fn open(width: u32, dark: bool) -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let mut said = BufReader::new(driver.stdout.take().unwrap());
        let port = loop {
            let mut line = String::new();
            assert!(
                said.read_line(&mut line).unwrap() > 0,
                "chromedriver says its port"
            );
            if let Some((_, port)) = line.split_once("successfully on port ") {
                break port.trim().trim_end_matches('.').parse().unwrap();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
        };
        let mut args = vec![
            "--headless=new".to_string(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-dev-shm-usage".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--no-first-run".into(),
            "--force-device-scale-factor=1".into(),
            format!("--window-size={width},1000"),
        ];
        if dark {
            args.push("--force-dark-mode".into());
            args.push("--blink-settings=preferredColorScheme=0".into());
        }
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL" }
        } } });
        let made = browser.send("POST", "/session", &wanted);
        browser.session = made["sessionId"].as_str().expect("a session").into();
        let metrics = json!({
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": { "width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false }
        });
        browser.call("POST", "/goog/cdp/execute", &metrics);
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({
            "cmd": "Emulation.setEmulatedMedia",
            "params": { "features": [{ "name": "prefers-color-scheme", "value": scheme }] }
        });
        browser.call("POST", "/goog/cdp/execute", &media);
        browser
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .unwrap();
        // The driver keeps connections open, so the length of the answer has to be read.
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some((key, value)) = line.split_once(':')
                && key.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        let body = String::from_utf8_lossy(&body);
        let value: Value = serde_json::from_str(&body).unwrap();
        value["value"].clone()
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.send(method, &format!("/session/{}{path}", self.session), body);
        let error = value.get("error").and_then(Value::as_str);
        assert!(error.is_none(), "{path} {body}: {value}");
        value
    }

    fn goto(&self, path: &str) {
        let url = format!("http://{}{path}", server());
        self.call("POST", "/url", &json!({ "url": url }));
    }

    fn run(&self, script: &str) -> Value {
        self.call(
            "POST",
            "/execute/sync",
            &json!({ "script": script, "args": [] }),
        )
    }

    fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.textContent ?? ''");
        self.run(&script).as_str().unwrap_or("").to_string()
    }

    fn element(&self, selector: &str) -> String {
        let found = self.call(
            "POST",
            "/element",
            &json!({ "using": "css selector", "value": selector }),
        );
        let object = found.as_object().unwrap();
        object.values().next().unwrap().as_str().unwrap().into()
    }

    fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.call("POST", &format!("/element/{element}/click"), &json!({}));
    }

    fn press(&self, key: &str) {
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": [
            { "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }
        ] }] });
        self.call("POST", "/actions", &actions);
    }

    /// Waits until a script says something true.
    fn until(&self, script: &str) {
        let patience = Instant::now() + Duration::from_secs(20);
        while !self
            .run(&format!("return Boolean({script})"))
            .as_bool()
            .unwrap_or(false)
        {
            let here = self.run("return location.href");
            assert!(Instant::now() < patience, "not so: {script}; at {here}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn until_address_has(&self, part: &str) {
        self.until(&format!(
            "decodeURIComponent(location.href).includes({part:?})"
        ));
    }

    /// What has to hold on every page.
    fn inspect(&self, name: &str) {
        let wide = self.run("return document.documentElement.scrollWidth - window.innerWidth");
        assert!(
            wide.as_i64().unwrap() <= 0,
            "{name} is {wide} pixels too wide"
        );
        let foreign = self.run(
            "return performance.getEntriesByType('resource').map(one => one.name)\
             .filter(name => new URL(name).origin !== location.origin && !name.startsWith('data:'))",
        );
        assert_eq!(foreign, json!([]), "{name}");
        let log = self.call("POST", "/se/log", &json!({ "type": "browser" }));
        let severe: Vec<&Value> = log
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .collect();
        assert!(severe.is_empty(), "{name}: {severe:?}");
        if let Ok(file) = std::env::var("GREENWAVE_AXE") {
            let axe = std::fs::read_to_string(file).unwrap();
            let script = format!(
                // A page of a folder may not load its style sheet a second time.
                "{axe}\nconst done = arguments[arguments.length - 1];\
                 axe.run(document, {{ preload: location.protocol !== 'file:',\
                 runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }})\
                 .then(result => done(result.violations.map(one => [one.id, one.nodes.map(node => \
                 node.html.slice(0, 200) + node.failureSummary)])), error => done([String(error)]))"
            );
            let found = self.call(
                "POST",
                "/execute/async",
                &json!({ "script": script, "args": [] }),
            );
            assert_eq!(found, json!([]), "{name}");
        }
        if let Ok(folder) = std::env::var("GREENWAVE_SCREENSHOTS") {
            let picture = self.call("GET", "/screenshot", &Value::Null);
            let bytes = of_base64(picture.as_str().unwrap());
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(format!("{folder}/{name}.png"), bytes).unwrap();
        }
    }
}

fn of_base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(value).map(u32::from).collect();
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let whole = four.iter().fold(0, |sum, digit| sum << 6 | digit) << (6 * (4 - four.len()));
        bytes.extend_from_slice(&whole.to_be_bytes()[1..four.len()]);
    }
    bytes
}

#[test]
fn a_won_game_is_clicked_through_and_a_mistake_is_told() {
    let browser = Browser::open(1200, false);
    browser.goto("/classic-3x3");
    assert!(browser.text("#verdict").contains("wins in 17 plies"));
    browser.inspect("start");
    // The centre keeps the win; then the other side moves.
    browser.click("a[data-move=b2R]");
    browser.until_address_has("moves=b2R");
    browser.until("document.querySelector('#verdict').textContent.includes('loses in 16')");
    browser.inspect("after-centre");
    // Whoever passes over three in a row gives the game away.
    browser.goto("/classic-3x3?moves=b2R,a2R");
    browser.click("section.board svg a[aria-label^='a1 ']");
    browser.until("document.querySelector('.mistake')");
    browser.inspect("mistake");
    browser.click("a[data-step=back]");
    browser.until_address_has("ply=2");
    browser.press("\u{e014}");
    browser.until("!location.href.includes('ply')");
    browser.press("\u{e012}");
    browser.until_address_has("ply=2");
    // Best play to the end.
    browser.goto("/classic-3x3");
    browser.run("const all = document.querySelectorAll('.line a'); all[all.length - 1].click()");
    browser.until("document.querySelector('#verdict').textContent.includes('over')");
    browser.inspect("over");
    browser.run("history.back()");
    browser.until("document.querySelector('#verdict').textContent.includes('wins in 17')");
}

#[test]
fn boards_are_edited_turned_and_shared() {
    let browser = Browser::open(1200, false);
    browser.goto("/classic-3x4");
    browser.click("a[data-tool=edit]");
    browser.until_address_has("edit=1");
    browser.click("section.board svg a[aria-label^='a1']");
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
    browser.call("POST", "/url", &json!({ "url": link }));
    // Hints stay hidden, though the link does not say so.
    browser.until_address_has("hints=0");
    assert!(browser.text("h1").contains("classic-3x4"));
}

#[test]
fn the_strip_is_dragged() {
    let browser = Browser::open(1200, false);
    browser.goto("/strip");
    browser.inspect("strip");
    let places = browser.run(
        "const box = document.querySelector('svg .strip').getBoundingClientRect();\
         const board = document.querySelector('section.board svg').getBoundingClientRect();\
         return [box.x + box.width / 2, box.y + box.height / 2, board.x + board.width / 2, board.y + 5]",
    );
    let at = |place: usize| places[place].as_f64().unwrap() as i64;
    let actions = json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": [
        { "type": "pointerMove", "x": at(0), "y": at(1) },
        { "type": "pointerDown", "button": 0 },
        { "type": "pointerMove", "x": at(2), "y": at(3), "duration": 100 },
        { "type": "pointerUp", "button": 0 }
    ] }] });
    browser.call("POST", "/actions", &actions);
    browser.until_address_has("moves=slide-N");
    browser.inspect("strip-north");
}

#[test]
fn every_family_and_language_on_a_phone_in_the_dark() {
    let browser = Browser::open(320, true);
    browser.goto("/");
    browser.inspect("phone-home");
    for (path, name) in [
        ("/semaforo?lang=pt&moves=b2G,b2Y", "phone-semaforo"),
        ("/slider?lang=de", "phone-slider"),
        ("/ring.toml?lang=es", "phone-ring"),
        ("/bag-classic-3x3?hints=0&moves=[RG],%2BR", "phone-bag"),
        (
            "/ampel-4-2-1?position=4%202%201%20r%201%200%200%20./.R/.y./....",
            "phone-ampel",
        ),
        ("/classic-3x3?moves=x", "phone-problem"),
    ] {
        browser.goto(path);
        if name == "phone-problem" {
            // The browser itself reports the status of the page.
            browser.call("POST", "/se/log", &json!({ "type": "browser" }));
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
            .contains("Quem joga perde em 26 lances")
    );
}

#[test]
fn the_keyboard_alone_plays() {
    let browser = Browser::open(1000, false);
    browser.goto("/classic-3x3");
    // Tab to the board, arrows to the centre, Enter.
    browser.run("document.querySelector(\"section.board svg a[aria-label^='a1 ']\").focus()");
    browser.press("\u{e013}");
    browser.until("document.activeElement.getAttribute('aria-label')?.startsWith('a2 ')");
    browser.press("\u{e014}");
    browser.until("document.activeElement.getAttribute('aria-label')?.startsWith('b2 ')");
    browser.press("\u{e007}");
    browser.until_address_has("moves=b2R");
    // The focus stays on the square, and the value is said.
    browser.until("document.activeElement.getAttribute('aria-label')?.startsWith('b2 ')");
    assert!(browser.text("#status").contains("loses in 16"));
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
    browser.click("[data-tool=again]");
    browser.until("!document.querySelector('[data-tool=again]')");
    for mv in puzzle["solution"].as_array().unwrap().iter().step_by(2) {
        browser.click(&format!("a[data-move={}]", mv.as_str().unwrap()));
        browser.until_address_has(mv.as_str().unwrap());
    }
    browser.until("document.querySelector('[data-tool=next]')");
    browser.inspect("puzzle-solved");
    browser.click("[data-tool=next]");
    browser.until("!document.querySelector('[data-tool=next]')");
}

#[test]
fn the_program_is_played_against_with_hints() {
    let browser = Browser::open(1000, false);
    browser.goto("/classic-3x3");
    browser.click("details.play summary");
    browser.run("document.getElementById('level').value = 'easy'");
    browser.click("details.play button[value=first]");
    browser.until_address_has("level=easy");
    for step in ["win", "Look at b2", "Best: b2R"] {
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
fn no_script_is_needed() {
    let browser = Browser::open(1000, false);
    let off = json!({ "cmd": "Emulation.setScriptExecutionDisabled", "params": { "value": true } });
    browser.goto("/classic-3x3");
    browser.call("POST", "/goog/cdp/execute", &off);
    browser.goto("/classic-3x3?moves=b2R");
    browser.click("a[data-move]");
    let url = browser.call("GET", "/url", &Value::Null);
    assert!(url.as_str().unwrap().contains("moves=b2R,"), "{url}");
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
        let url = format!("file://{}/{file}", folder.display());
        browser.call("POST", "/url", &json!({ "url": url }));
    };
    open("index.html");
    browser.click("a[href=\"#/classic-3x3\"]");
    browser.until("document.querySelector('#verdict')?.textContent.includes('wins in')");
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
    browser.until("document.querySelector('#verdict')?.textContent.includes('verliert in 16')");
    browser.run("document.querySelector('section.more details').open = true");
    browser.until("document.querySelector('img.qr').src.startsWith('data:image/svg')");
    browser.inspect("site-german");
    // A page for a frame has no head.
    browser.run("location.hash = '#/classic-3x3?embed=1&lang=de'");
    browser.until("document.body.classList.contains('embed')");
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
            let paper = json!({ "page": { "width": width, "height": height } });
            let printed = browser.call("POST", "/print", &paper);
            let printed = of_base64(printed.as_str().unwrap());
            let printed = String::from_utf8_lossy(&printed);
            let pages = printed.matches("/Type /Page\n").count();
            assert_eq!(pages, 2, "{path} on {width} by {height} cm");
        }
    }
}
