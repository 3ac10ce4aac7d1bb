//! Chromium, driven through chromedriver; with `GREENWAVE_BROWSER=firefox` Firefox, through geckodriver.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource as _, KeyAction, KeyActions, MouseActions, PointerAction, TouchActions,
};
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::wd::{PrintConfigurationBuilder, PrintSize, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::common::{PATIENCE, server};

/// Whose pages are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrivenBrowser {
    Chromium,
    Firefox,
}

impl DrivenBrowser {
    fn chosen() -> DrivenBrowser {
        match std::env::var("GREENWAVE_BROWSER").as_deref() {
            Ok("firefox") => DrivenBrowser::Firefox,
            Ok(other) => {
                panic!("GREENWAVE_BROWSER: found '{other}', expected 'firefox' or nothing")
            }
            Err(_) => DrivenBrowser::Chromium,
        }
    }

    /// A driver and its port; `None` if it has ended without one.
    #[expect(
        clippy::zombie_processes,
        reason = "the browser that holds it waits for it"
    )]
    fn started(self) -> Option<(Child, u16)> {
        let (program, args, before): (_, &[&str], _) = match self {
            DrivenBrowser::Chromium => ("chromedriver", &["--port=0"], "successfully on port "),
            // What it asks of the browser's own window is more than pages may.
            DrivenBrowser::Firefox => (
                "geckodriver",
                &["--port=0", "--allow-system-access"],
                "Listening on 127.0.0.1:",
            ),
        };
        let mut driver = Command::new(program)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let mut said = BufReader::new(driver.stdout.take()?);
        loop {
            let mut line = String::new();
            if said.read_line(&mut line).unwrap() == 0 {
                let _ = driver.wait();
                return None;
            }
            if let Some((_, port)) = line.split_once(before) {
                let port = port.trim().trim_end_matches('.').parse().unwrap();
                std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
                return Some((driver, port));
            }
        }
    }

    fn capabilities(self, width: u32, stores: bool) -> Value {
        match self {
            DrivenBrowser::Chromium => json!({
                "goog:chromeOptions": { "args": [
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--no-first-run",
                    "--force-device-scale-factor=1",
                    format!("--window-size={width},1000"),
                ], "prefs": { "profile.default_content_setting_values.cookies": if stores { 1 } else { 2 } } },
                "goog:loggingPrefs": { "browser": "ALL" }
            }),
            DrivenBrowser::Firefox => json!({ "moz:firefoxOptions": {
                "args": ["-headless"],
                "prefs": { "dom.storage.enabled": stores }
            } }),
        }
    }
}

/// A browser, ended with its driver when dropped.
pub(super) struct Browser {
    engine: DrivenBrowser,
    driver: Child,
    client: Client,
    runtime: Runtime,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.client.clone().close());
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

// What a driver knows beyond the standard: a path below the session, and what is sent there.
#[derive(Debug)]
struct Own(&'static str, Value);

impl WebDriverCompatibleCommand for Own {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.0
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}

/// Whether a click fails only because the page is changing.
fn passes(error: &CmdError) -> bool {
    let intercepted = matches!(
        error,
        CmdError::Standard(told) if told.error == ErrorStatus::ElementClickIntercepted
    );
    intercepted || error.is_stale_element_reference() || error.is_no_such_element()
}

/// Moves the mouse to a place of the window and clicks.
fn clicking((x, y): (f64, f64)) -> MouseActions {
    MouseActions::new("mouse".into())
        .then(PointerAction::MoveTo {
            duration: None,
            x,
            y,
        })
        .then(PointerAction::Down { button: 0 })
        .then(PointerAction::Up { button: 0 })
}

impl Browser {
    pub(super) fn open(width: u32, dark: bool) -> Browser {
        Browser::begun(width, dark, true)
    }

    /// One that keeps nothing on its device, as some are set to.
    pub(super) fn open_without_storage(width: u32) -> Browser {
        Browser::begun(width, false, false)
    }

    fn begun(width: u32, dark: bool, stores: bool) -> Browser {
        let engine = DrivenBrowser::chosen();
        // Of the ports that it picks, one may be in use.
        let (driver, port) = (0..5)
            .find_map(|_| engine.started())
            .expect("the driver says its port");
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let driven = format!("http://127.0.0.1:{port}");
        let client = runtime.block_on(
            ClientBuilder::new(HttpConnector::new())
                .capabilities(
                    engine
                        .capabilities(width, stores)
                        .as_object()
                        .unwrap()
                        .clone(),
                )
                .connect(&driven),
        );
        let client = client.expect("a session");
        let browser = Browser {
            engine,
            driver,
            client,
            runtime,
        };
        browser.size(f64::from(width), 1000.0);
        let scheme = if dark { "dark" } else { "light" };
        match engine {
            DrivenBrowser::Chromium => {
                let scheme = json!({ "name": "prefers-color-scheme", "value": scheme });
                browser.emulate("setEmulatedMedia", json!({ "features": [scheme] }));
            }
            DrivenBrowser::Firefox => {
                browser.in_window(&format!(
                    "tab.browsingContext.prefersColorSchemeOverride = {scheme:?}"
                ));
            }
        }
        browser
    }

    #[track_caller]
    fn wait<T>(&self, command: impl Future<Output = Result<T, CmdError>>) -> T {
        let said = self
            .runtime
            .block_on(async { tokio::time::timeout(PATIENCE, command).await });
        said.expect("an answer of the browser").unwrap()
    }

    pub(super) fn size(&self, width: f64, height: f64) {
        let (width, height) = (width as u32, height as u32);
        match self.engine {
            DrivenBrowser::Chromium => {
                let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
                self.emulate("setDeviceMetricsOverride", size);
            }
            // Its window takes the size when it has heard that it may be as small.
            DrivenBrowser::Firefox => loop {
                self.in_window(&format!(
                    "document.documentElement.style.minWidth = 0;\
                     window.resizeTo({width} + outerWidth - tab.clientWidth, {height} + outerHeight - tab.clientHeight)"
                ));
                if self.says(&format!(
                    "innerWidth === {width} && innerHeight === {height}"
                )) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(50));
            },
        }
    }

    /// A command of Chromium's own.
    fn emulate(&self, command: &str, params: Value) {
        let command = json!({ "cmd": format!("Emulation.{command}"), "params": params });
        self.wait(self.client.issue_cmd(Own("goog/cdp/execute", command)));
    }

    /// Runs a script in the window of Firefox, where `tab` is what shows the page.
    fn in_window(&self, script: &str) {
        let within = |context: &str| {
            let context = json!({ "context": context });
            self.wait(self.client.issue_cmd(Own("moz/context", context)));
        };
        within("chrome");
        self.run(&format!("const tab = gBrowser.selectedBrowser; {script}"));
        within("content");
    }

    /// From the next page on, scripts do not run.
    pub(super) fn stop_scripts(&self) {
        match self.engine {
            DrivenBrowser::Chromium => {
                self.emulate("setScriptExecutionDisabled", json!({ "value": true }))
            }
            DrivenBrowser::Firefox => self.in_window("tab.browsingContext.allowJavascript = false"),
        }
    }

    /// Shows pages as on paper, or as on a screen.
    fn show_as(&self, medium: &str) {
        match self.engine {
            DrivenBrowser::Chromium => self.emulate("setEmulatedMedia", json!({ "media": medium })),
            DrivenBrowser::Firefox => {
                self.in_window(&format!("tab.browsingContext.mediumOverride = {medium:?}"));
            }
        }
    }

    /// The browser's log since the last call; geckodriver has none.
    pub(super) fn log(&self) -> Value {
        if self.engine == DrivenBrowser::Firefox {
            return json!([]);
        }
        let kind = json!({ "type": "browser" });
        self.wait(self.client.issue_cmd(Own("se/log", kind)))
    }

    pub(super) fn open_url(&self, url: &str) {
        self.wait(self.client.goto(url));
        // On a busy machine a page may be driven before its script has come.
        self.until("document.readyState === 'complete'");
    }

    #[track_caller]
    pub(super) fn goto(&self, path: &str) {
        self.open_url(&format!("http://{}{path}", server()));
        // From then on it is given what is pressed; a page that has not all of its answer yet renews itself.
        self.until("document.hasFocus() && !document.querySelector('[data-again]')");
    }

    pub(super) fn url(&self) -> String {
        self.wait(self.client.current_url()).into()
    }

    #[track_caller]
    pub(super) fn run(&self, script: &str) -> Value {
        self.wait(self.client.execute(script, Vec::new()))
    }

    pub(super) fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.textContent ?? ''");
        self.run(&script).as_str().unwrap_or("").to_string()
    }

    /// Clicks an element; once more where the page has renewed itself since it was found, or something lies over it on
    /// the way to its place.
    #[track_caller]
    pub(super) fn click(&self, selector: &str) {
        self.wait(async {
            loop {
                // What stands in a menu is seen when the menu is open.
                let opened = format!(
                    "document.querySelector({selector:?})?.closest('details:not([open])')?.setAttribute('open', '')"
                );
                self.client.execute(&opened, Vec::new()).await?;
                let clicked = match (self.engine, self.client.find(Locator::Css(selector)).await) {
                    (DrivenBrowser::Chromium, Ok(element)) => element.click().await,
                    // It cannot be asked to click what is drawn.
                    (DrivenBrowser::Firefox, Ok(_)) => match self.middle(selector).await? {
                        Some(place) => self.client.perform_actions(clicking(place)).await,
                        None => continue,
                    },
                    (_, Err(error)) => Err(error),
                };
                match clicked {
                    Err(error) if passes(&error) => {}
                    clicked => return clicked,
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
    }

    /// The middle of an element, in pixels of the window; `None` while something lies over it.
    async fn middle(&self, selector: &str) -> Result<Option<(f64, f64)>, CmdError> {
        let script = format!(
            "const one = document.querySelector({selector:?});\
             one?.scrollIntoView({{ block: 'center', behavior: 'instant' }});\
             const box = one?.getBoundingClientRect();\
             const at = box && [box.x + box.width / 2, box.y + box.height / 2];\
             return at && one.contains(document.elementFromPoint(...at)) ? at : null"
        );
        let at = self.client.execute(&script, Vec::new()).await?;
        Ok(at[0].as_f64().zip(at[1].as_f64()))
    }

    #[track_caller]
    pub(super) fn press(&self, value: char) {
        let keys = KeyActions::new("keys".into())
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
        self.wait(self.client.perform_actions(keys));
    }

    /// Presses a key, until a script says something true. On a machine with little room a page that has just
    /// come is not yet given what is pressed: then it is pressed again, as long as nothing has the focus.
    #[track_caller]
    pub(super) fn press_until(&self, value: char, script: &str) {
        for _ in 0..10 {
            self.press(value);
            let soon = Instant::now() + Duration::from_secs(2);
            while Instant::now() < soon {
                if self.says(script) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            if !self.says("document.activeElement === document.body") {
                break;
            }
        }
        self.until(script);
    }

    /// With the mouse, from a place of the window to another, in pixels.
    pub(super) fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let move_to = |(x, y): (f64, f64), duration| PointerAction::MoveTo { duration, x, y };
        let mouse = MouseActions::new("mouse".into())
            .then(move_to(from, None))
            .then(PointerAction::Down { button: 0 })
            .then(move_to(to, Some(Duration::from_millis(100))))
            .then(PointerAction::Up { button: 0 });
        self.wait(self.client.perform_actions(mouse));
    }

    /// The same with a finger.
    pub(super) fn drag_by_touch(&self, from: (f64, f64), to: (f64, f64)) {
        let move_to = |(x, y): (f64, f64), duration| PointerAction::MoveTo { duration, x, y };
        let finger = TouchActions::new("finger".into())
            .then(move_to(from, None))
            .then(PointerAction::Down { button: 0 })
            .then(move_to(to, Some(Duration::from_millis(200))))
            .then(PointerAction::Up { button: 0 });
        self.wait(self.client.perform_actions(finger));
    }

    fn says(&self, script: &str) -> bool {
        let said = self.run(&format!("return Promise.resolve({script}).then(Boolean)"));
        said.as_bool().unwrap_or(false)
    }

    /// Waits until a script says something true.
    #[track_caller]
    pub(super) fn until(&self, script: &str) {
        let patience = Instant::now() + PATIENCE;
        while !self.says(script) {
            let here = self.run("return location.href");
            assert!(Instant::now() < patience, "not so: {script}; at {here}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    pub(super) fn until_address_has(&self, part: &str) {
        self.until(&format!(
            "decodeURIComponent(location.href).includes({part:?})"
        ));
    }

    /// How the solutions of a sheet begin on paper, and the heights of the puzzles and of the solutions, in
    /// centimetres, between margins of 15 mm.
    pub(super) fn laid_out_on_paper(&self, width: f64, height: f64) -> Value {
        let pixels = 96.0 / 2.54;
        self.size((width - 3.0) * pixels, (height - 3.0) * pixels);
        self.show_as("print");
        let sheet = self.run(
            "const solutions = document.querySelector('.solutions'), cm = 2.54 / 96;\
             const from = document.body.getBoundingClientRect(), at = solutions.getBoundingClientRect();\
             return [getComputedStyle(solutions).breakBefore, (at.top - from.top) * cm, (from.bottom - at.top) * cm]",
        );
        self.show_as("");
        self.size(1000.0, 1000.0);
        sheet
    }

    /// The pages that are printed; none if Chromium says no more than that printing failed, which on a
    /// machine with little room it does, and does not print a page without anything either. Firefox packs
    /// what would tell them.
    pub(super) fn pages_on_paper(&self, width: f64, height: f64) -> Option<usize> {
        if self.engine == DrivenBrowser::Firefox {
            return None;
        }
        let centimetres = |width, height| PrintSize { width, height };
        let paper = PrintConfigurationBuilder::default()
            .size(centimetres(width, height))
            .build()
            .unwrap();
        let print = || {
            for _ in 0..5 {
                match self.runtime.block_on(self.client.print(paper.clone())) {
                    Ok(printed) => return Some(printed),
                    Err(failed) => {
                        assert!(failed.to_string().contains("Printing failed"), "{failed}")
                    }
                }
                std::thread::sleep(Duration::from_secs(1));
            }
            None
        };
        if let Some(printed) = print() {
            let printed = String::from_utf8_lossy(&printed);
            return Some(printed.matches("/Type /Page\n").count());
        }
        let here = self.url();
        self.open_url("about:blank");
        assert!(print().is_none(), "only {here} cannot be printed");
        self.open_url(&here);
        None
    }

    /// What has to hold on every page.
    #[track_caller]
    pub(super) fn inspect(&self, name: &str) {
        // Half-way through a motion, texts have other colours.
        self.until(
            // What follows how far one has scrolled runs for ever.
            "document.getAnimations().every(one => one.timeline !== document.timeline || one.playState !== 'running' ||\
             one.effect.getComputedTiming().endTime === Infinity)",
        );
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
        let log = self.log();
        let severe: Vec<&Value> = log
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .collect();
        assert!(severe.is_empty(), "{name}: {severe:?}");
        // Links within a sentence are as high as its lines.
        let small = self.run(
            "const inText = one => getComputedStyle(one).display === 'inline' &&\
             [...one.parentElement.childNodes].some(node => node.nodeType === 3 && /[^\\s·]/.test(node.data));\
             return [...document.querySelectorAll('a,button,summary,input:not([type=hidden]),select')]\
             .filter(one => !one.matches('.skip') && !inText(one) && one.checkVisibility())\
             .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])\
             .filter(([, box]) => box.width < 24 || box.height < 24)\
             .map(([html, box]) => `${html} ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`)",
        );
        assert_eq!(small, json!([]), "targets of {name}");
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
            let found = self.wait(self.client.execute_async(&script, Vec::new()));
            assert_eq!(found, json!([]), "{name}");
        }
        if let Ok(folder) = std::env::var("GREENWAVE_SCREENSHOTS") {
            let bytes = self.wait(self.client.screenshot());
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(format!("{folder}/{name}.png"), bytes).unwrap();
        }
    }
}
