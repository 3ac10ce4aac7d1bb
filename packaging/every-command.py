#!/usr/bin/env python3
"""Runs every command, every page of the explorer and every answer of the API on the rule files of the repository:
docs/examples and those that the pages of docs/ show. A game that does not fit the memory must say so. Prints what
fails; the exit code is 1 if anything does. It takes about a minute a game on a free core.

    every-command.py PROGRAM [NAME]...

NAME is that of a file without .toml; without names it takes all."""

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = str(Path(sys.argv[1]).resolve())
NAMES = sys.argv[2:]
# Seconds that one command may take, and the memory of each.
LIMIT = 300
MEMORY = "512M"


def rule_files(folder):
    """Rule files by their paths, those that pages show written into a folder."""
    files = sorted((ROOT / "docs/examples").glob("*.toml"))
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for number, block in enumerate(re.findall(r"^```toml\n(.*?)^```", page.read_text(), re.M | re.S)):
            if "board" in block and ("patterns" in block or "goal" in block):
                path = folder / f"{page.stem}-{number}.toml"
                path.write_text(block)
                files.append(path)
    return [path for path in files if not NAMES or path.stem in NAMES]


class Game:
    """A rule file, and what failed on it."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder / path.stem
        self.folder.mkdir()
        self.failed = []
        self.refused = set()

    def run(self, arguments, codes=(0,), text=None):
        command = [PROGRAM, "--memory", MEMORY, "--color", "never", *arguments]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, timeout=LIMIT,
                cwd=self.folder, env={"GREENWAVE_DIR": str(self.folder / "tables"), "PATH": "/usr/bin:/bin"},
                stdin=subprocess.DEVNULL if text is None else None,
            )
        except subprocess.TimeoutExpired:
            self.failed.append((arguments, f"takes longer than {LIMIT} s"))
            return None
        if done.returncode == 2 and "memory" in done.stderr and "--memory" in done.stderr:
            self.refused.add(arguments[0])
            return None
        if done.returncode not in codes:
            self.failed.append((arguments, f"exit {done.returncode}: {done.stderr.strip()[-600:]}"))
            return None
        if "panicked" in done.stderr:
            self.failed.append((arguments, done.stderr[-300:]))
        return done.stdout

    def document(self, arguments, **options):
        out = self.run([*arguments, "--json", "-q"], **options)
        try:
            return out and [json.loads(line) for line in out.splitlines()]
        except ValueError as error:
            self.failed.append((arguments, f"no JSON: {error}"))

    def commands(self):
        """Every command of the terminal."""
        me = str(self.path)
        # Where a player moves twice running, replies make no strategy: both commands refuse such games.
        in_turns = "moves-a-turn" in self.path.read_text()
        run, document = self.run, self.document
        for lang in ("en", "pt", "es", "de"):
            said = run(["rules", me, "--lang", lang]) or ""
            if "{" in said:
                self.failed.append((["rules", lang], said))
        run(["solve", me, "--estimate"])
        run(["solve", me, "--metric", "all", "-q"])
        query = document(["query", me, "--budget", "2s"])
        if not query:
            return
        start = query[0]["position"]
        moves = [mv["move"] for mv in query[0]["moves"]]
        run(["query", me, "--why", "--budget", "2s"])
        for lang in ("pt", "es", "de"):
            run(["query", me, "--why", "--lang", lang, "--budget", "2s"])
        document(["line", me])
        run(["line", me])
        run(["stats", me])
        document(["stats", me, "--metric", "all"])
        for what in ("value = loss", "winning_moves = 1 and moves > 2", "ply = 2"):
            document(["find", me, what, "--limit", "2", "--up-to-symmetry"])
        run(["find", me, "value = win", "--count"])
        run(["find", me, "value = win", "--csv", "--limit", "3"])
        run(["check", f"{me} some: value = win"])
        document(["check", f"{me} none: value = draw"])
        made = document(["certify", me], codes=(0, 2) if in_turns else (0,))
        for file in made[0]["files"] if made and not in_turns else []:
            checker = [sys.executable, ROOT / "solutions/check_rule_file.py", file]
            try:
                done = subprocess.run(checker, capture_output=True, text=True, timeout=LIMIT)
            except subprocess.TimeoutExpired:
                self.failed.append((checker[1:], f"takes longer than {LIMIT} s"))
                continue
            if done.returncode:
                self.failed.append((checker[1:], f"exit {done.returncode}: {(done.stdout + done.stderr)[-400:]}"))
        run(["compare", me, "classic-2x3"])
        run(["compare", me, "classic-2x3", "--csv"])
        run(["compare", me, "classic-2x3", "--html", "compare.html"])
        document(["compare", me, "classic-2x3"])
        run(["design", me, "--vary", "stalemate=,loss", "--games", "20", "--budget", "3s", "-q"], codes=(0, 2))
        run(["strategy", me, "--budget", "1s", "-q"], codes=(0, 1, 2) if in_turns else (0, 1))
        run(["verify", me, "--sample", "200", "-q"])
        run(["perft", me, "--depth", "3"])
        run(["sum", me, "classic-1x3", "-q"], codes=(0, 2))
        run(["draw", me, "-o", "board.svg"])
        run(["draw", me, "--values", "-o", "values.svg"])
        run(["draw", me, "--values", "--png", "-o", "values.png"])
        for level in ("perfect", "strong", "medium", "easy"):
            run(["play", me, "--as", "none", "--level", level, "--seed", "3", "--record", f"{level}.txt"])
            run(["review", f"{level}.txt", "--budget", "1s"])
        run(["play", me, "--seed", "1", "--hints"], text=f"{moves[0]}\nquit\n" if moves else "quit\n")
        document(["play", me, "--seed", "1"], text=f"{moves[0]}\nundo\n{moves[-1]}\nquit\n" if moves else "quit\n")
        run(["review", "easy.txt", "--html", "review.html", "--practice", "practice.txt", "--budget", "1s"])
        run(["review", me, "--moves", ",".join(moves[:1]), "--budget", "1s"])
        run(["book", me, "--depth", "2", "--budget", "1s", "-q"])
        run(["book", me, "--depth", "2", "--html", "book.html", "--svg", "book.svg", "--for", "first", "--budget", "1s", "-q"])
        puzzle = document(["puzzle", me, "--count", "2"], codes=(0, 1))
        run(["puzzle", me, "--count", "4", "--html", "puzzles.html", "--svg", "puzzles.svg"], codes=(0, 1))
        run(["puzzle", me, "--play"], text="quit\n", codes=(0, 1))
        for lang in ("en", "pt", "es", "de"):
            run(["sheet", me, "--svg", "sheet.svg", "--lang", lang, "-q"], codes=(0, 1))
        run(["cite", me])
        self.start, self.moves = start, moves


def fetch(url):
    """An answer, asked for again while the server works for this client."""
    until = time.monotonic() + LIMIT
    while True:
        try:
            with urllib.request.urlopen(url, timeout=LIMIT) as answer:
                code, text = answer.status, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            code, text = error.code, error.read().decode(errors="replace")
        if code not in (202, 429, 503) or time.monotonic() > until:
            return code, text
        time.sleep(0.5)


def pages(games, folder):
    """Starts the server on all files and asks for every page."""
    files = [str(game.path) for game in games]
    server = subprocess.Popen(
        [PROGRAM, "serve", *files, "--port", "0", "--memory", MEMORY, "--budget", "30s"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={"GREENWAVE_DIR": str(folder / "served"), "PATH": "/usr/bin:/bin"})
    try:
        base = None
        for line in server.stdout:
            found = re.search(r"http://[\d.:]+", line)
            if found:
                base = found[0]
                break
        if base is None:
            games[0].failed.append((["serve"], "it ends without an address"))
            return
        for game in games:
            if not hasattr(game, "moves"):
                continue
            name = game.path.name
            quote = urllib.parse.quote
            moves = ",".join(game.moves[:1])
            paths = [f"/{name}{rest}" for rest in (
                "", "?edit=1", "?hints=0", f"?moves={moves}", f"?play=first&level=medium&moves={moves}", f"?why={quote(game.moves[0]) if game.moves else ''}",
                "?view=board", "?values=signs", "?heat=1", "?embed=1", "/stats", "/stats?scale=log", "/find?where=value=loss", "/puzzle", "/sheet?count=2", f"/record?record={moves}",
                "/play", "/learn", "/tree", "/tree?depth=2&for=first", f"/card.png?position={quote(game.start)}")]
            paths += [f"/{name}?lang={lang}&why={quote(game.moves[0]) if game.moves else ''}" for lang in ("pt", "es", "de")]
            paths += [f"/compare?a={name}&b=classic-2x3"]
            for api, rest in (("rules", ""), ("query", ""), ("line", ""), ("stats", ""), ("find", "&expression=value%20%3D%20loss&limit=2"),
                              ("explain", ""), ("review", f"&moves={moves}"), ("book", "&depth=2"), ("puzzle", ""), ("play", ""), ("draw.svg", "&values")):
                paths.append(f"/api/v1/{api}?variant={name}{rest}")
            paths += [f"/api/v1/compare?variants={name}+classic-2x3"]
            for path in paths:
                try:
                    code, text = fetch(base + path)
                except OSError as error:
                    game.failed.append((["GET", path[:200]], str(error)))
                    continue
                if code == 413 and "memory" in text:
                    game.refused.add(path.split("?")[0])
                elif code != 200:
                    body = re.sub(r"<[^>]+>", " ", text)
                    game.failed.append((["GET", path[:200]], f"{code} {' '.join(body.split())[-300:]}"))
    finally:
        server.terminate()
        server.wait()


def main():
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        shown = folder / "shown"
        shown.mkdir()
        games = [Game(path, folder) for path in rule_files(shown)]
        if not games:
            sys.exit(f"found no rule file called {' or '.join(NAMES)}, expected the stem of one in docs/examples")
        for game in games:
            game.commands()
            print(game.path.name, len(game.failed), f"{time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        pages(games, folder)
        for game in games:
            print(f"{game.path.name}: {len(game.failed)} failed; too large for the memory: {', '.join(sorted(game.refused)) or 'nothing'}")
            for arguments, why in game.failed:
                print("   ", " ".join(map(str, arguments)), "\n       ", why)
        return any(game.failed for game in games)


if __name__ == "__main__":
    sys.exit(main())
