#!/usr/bin/env python3
"""Takes pictures of the explorer with a headless Chromium: `explorer-pictures.py [PROGRAM]` those of the README,
docs/explorer.png and docs/explorer-phone.png; `explorer-pictures.py [PROGRAM] --all FOLDER [NAME…]` one of every
kind of page, or of those that are named, in five widths, light, dark, in forced colours and in four languages,
with an index to look through. PROGRAM is target/release/greenwave by default. Needs chromium and chromedriver."""

import argparse
import base64
import html
import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
# Seconds for any one answer.
LIMIT = 60

# A position in mid-game, and a game that goes on for a while.
DRAWN = "position=..G/.R./Y.."
LONG = "moves=b2R,b2Y,a1R,a1Y,b2G,c3R"
HELP = "document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))"
WRONG = """const links = [...document.querySelectorAll('section.board svg a')]; links.at(-1).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))"""
# Every kind of page by name: its address, and what is done there before the picture, as a script.
PAGES = {
    "home": ("/", ""),
    "position": (f"/classic-3x3?{DRAWN}", ""),
    "start": ("/semaforo?moves=b2G,b2Y", ""),
    "strip": ("/strip?moves=slide-N", ""),
    "bag": ("/bag-classic-3x3?position=R../.Y./...;RRY;YGG;RG", ""),
    "ampel": ("/ampel-4-2-1?position=4%202%201%20r%201%200%200%20./.R/.y./....", ""),
    "noughts": ("/noughts-3x3?position=X../.O./..X", ""),
    "rule-file": ("/ring.toml", ""),
    "undecided": ("/classic-5x5", ""),
    "waiting": ("/classic-4x5?moves=a1R,a1Y", ""),
    "stats": ("/classic-3x3/stats", ""),
    "compare": ("/compare?a=classic-3x3&b=signal-3x3", ""),
    "claims": ("/claims", ""),
    "tables": ("/tables", ""),
    "tree": ("/classic-3x3/tree", ""),
    "find": ("/classic-3x3/find?where=value%20%3D%20loss%20and%20moves%20%3C%208", ""),
    "play-cards": ("/semaforo/play", ""),
    "play": ("/classic-3x3?play=first&hints=0&moves=b2R,b2Y", ""),
    "play-over": ("/classic-3x3?play=first&hints=0&moves=b2R,a2R,c2R", ""),
    "puzzle": ("/classic-3x3/puzzle?seed=4&level=2", ""),
    "puzzle-wrong": ("/classic-3x3/puzzle?seed=4&level=2", WRONG),
    "review": (f"/classic-3x3?{LONG}", ""),
    "record": ("/classic-3x3/record", ""),
    "heat": (f"/classic-3x3?{DRAWN}&heat=1", ""),
    "sheet": ("/classic-3x3/sheet?count=6&seed=2", ""),
    "settings": ("/settings", ""),
    "help": ("/help", ""),
    "help-sheet": (f"/classic-3x3?{DRAWN}", HELP),
    "about": ("/about", ""),
    "learn": ("/classic-3x3/learn", ""),
    "projector": (f"/classic-3x3?{DRAWN}&view=board", ""),
    "embed": (f"/classic-3x3?{DRAWN}&embed=1", ""),
    "sum": ("/sum?boards=classic-2x3+classic-2x3=R../...", ""),
    "design": ("/design", ""),
    "design-hexagons": ("/design?board=oo-/ooo/-oo&grid=hex&levels=2", ""),
    "missing": ("/chess", ""),
    "refused": ("/classic-3x3?moves=x", ""),
}
WIDTHS = [320, 390, 768, 1280, 2560]
HEIGHTS = {320: 640, 390: 844, 768: 1024, 1280: 860, 2560: 1400}
LANGUAGES = ["pt", "es", "de"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def ready(address):
    """Waits until something answers there."""
    patience = time.monotonic() + LIMIT
    while True:
        try:
            with urllib.request.urlopen(address, timeout=LIMIT) as answer:
                return answer.read()
        except OSError:
            if time.monotonic() > patience:
                sys.exit(f"nothing answers at {address}")
            time.sleep(0.1)


class Browser:
    """A Chromium behind chromedriver."""

    def __init__(self, driver):
        self.base = driver
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options = {"args": [*arguments, "--force-device-scale-factor=1"]}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options}}
        made = self.ask("session", {"capabilities": wanted})
        self.base += f"/session/{made['sessionId']}"

    def ask(self, path, body):
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/{path}", data)
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=LIMIT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"chromedriver refuses {path}: {error.read().decode()[:400]}")

    def tell(self, command, parameters):
        return self.ask("goog/cdp/execute", {"cmd": command, "params": parameters})

    def run(self, script):
        return self.ask("execute/sync", {"script": script, "args": []})

    def until(self, script):
        patience = time.monotonic() + LIMIT
        while not self.run(f"return Boolean({script})"):
            if time.monotonic() > patience:
                sys.exit(f"not so after {LIMIT} s: {script}")
            time.sleep(0.05)

    def look(self, width, height, scheme, forced):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.tell("Emulation.setDeviceMetricsOverride", metrics)
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "forced-colors", "value": "active" if forced else "none"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.tell("Emulation.setEmulatedMedia", {"features": features})

    def take(self, address, script, file, whole):
        self.ask("url", {"url": address})
        if script:
            self.run(script)
            # The click has taken effect, and the page draws nothing more.
            self.until("!document.querySelector('[aria-busy]') && document.readyState === 'complete'")
            self.run("return new Promise((done) => setTimeout(done, 300))")
        parameters = {"captureBeyondViewport": whole}
        if whole:
            size = self.tell("Page.getLayoutMetrics", {})["cssContentSize"]
            parameters["clip"] = {**size, "height": min(size["height"], 6000), "scale": 1}
        picture = self.tell("Page.captureScreenshot", parameters)["data"]
        file.write_bytes(base64.b64decode(picture))


def looks():
    """Width, scheme, forced colours, language and a name of every look of a page."""
    for width in WIDTHS:
        yield width, "light", False, "en", f"{width}"
    for width in (390, 1280):
        yield width, "dark", False, "en", f"{width}-dark"
    yield 1280, "light", True, "en", "1280-forced"
    for language in LANGUAGES:
        yield 390, "light", False, language, f"390-{language}"


def all_pages(browser, server, folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    index = []
    for name, (path, script) in PAGES.items():
        if names and name not in names:
            continue
        index.append(f"<h2>{html.escape(name)} <small>{html.escape(path)}</small></h2>")
        for width, scheme, forced, language, look in looks():
            browser.look(width, HEIGHTS[width], scheme, forced)
            mark = "&" if "?" in path else "?"
            file = folder / f"{name}-{look}.png"
            # The help over a page is as high as the window.
            browser.take(f"{server}{path}{mark}lang={language}", script, file, name != "help-sheet")
            index.append(f'<a href="{quote(file.name)}"><img src="{quote(file.name)}" alt="{look}" height="400"></a>')
        print(f"took {name}", flush=True)
    page = f"<!doctype html><meta charset=utf-8><title>Explorer</title>{''.join(index)}"
    (folder / "index.html").write_text(page)


def for_readme(browser, server):
    for name, width, height in (("explorer", 1280, 860), ("explorer-phone", 390, 844)):
        browser.look(width, height, "light", False)
        file = ROOT / "docs" / f"{name}.png"
        browser.take(f"{server}/classic-3x3?lang=en&{DRAWN}", "", file, False)
        print(f"wrote {file.relative_to(ROOT)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program", nargs="?", default=str(ROOT / "target/release/greenwave"))
    arguments.add_argument("--all", nargs="+", metavar=("FOLDER", "NAME"))
    asked = arguments.parse_args()
    folder, *names = asked.all or [None]
    unknown = [name for name in names if name not in PAGES]
    if unknown:
        sys.exit(f"found the page '{unknown[0]}', expected one of {', '.join(PAGES)}")
    if not shutil.which("chromedriver"):
        sys.exit("found no chromedriver, expected one (apt-get install chromium chromium-driver)")
    port, driver = free_port(), free_port()
    started, opened = [], []
    with tempfile.TemporaryDirectory() as scratch:
        try:
            ring = ROOT / "docs/examples/ring.toml"
            serve = [asked.program, "serve", "--quiet", "--port", str(port), "--dir", "solutions", str(ring)]
            started.append(subprocess.Popen(serve, cwd=ROOT))
            with open(Path(scratch) / "log", "wb") as log:
                command = ["chromedriver", f"--port={driver}"]
                started.append(subprocess.Popen(command, stdout=log, stderr=log))
            ready(f"http://127.0.0.1:{port}/healthz")
            ready(f"http://127.0.0.1:{driver}/status")
            browser = Browser(f"http://127.0.0.1:{driver}")
            opened.append(browser)
            server = f"http://127.0.0.1:{port}"
            if folder:
                all_pages(browser, server, Path(folder), names)
            else:
                for_readme(browser, server)
        finally:
            # Chromium would outlive its driver.
            for browser in opened:
                end = urllib.request.Request(browser.base, method="DELETE")
                urllib.request.urlopen(end, timeout=LIMIT).close()
            for process in started:
                process.send_signal(signal.SIGINT if process is started[0] else signal.SIGTERM)
                process.wait(LIMIT)


main()
