#!/usr/bin/env python3
"""Checks the measures of `greenwave design` by a program that shares nothing with it but the rules.

It reads a rule file by itself, lists every position that play reaches, and works out what each measure is on
average: exactly, over all games that the levels of play can make, where `design` plays some of them at random. So
the two differ by chance alone. A measure of N games may be off by five standard errors, which follow from the same
exact figures. The value, the distance and the share of winning first moves must be equal.

    check.py [PROGRAM] [--games N] [--seed S] [FILE.toml | NAME]...

It takes rule files and games below by their names, without any all of these, and prints a line for each game. The
exit code is 1 if a measure differs. It knows the keys of rule files but `supply`, `shapes`, `without-lines`, points, strips and bags."""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Standard errors by which a measure may be off: chance does more once in two million measures.
ERRORS = 5

GAMES = {
    "passes": 'patterns = ["111", "222"]\npass = "once"\nboard = { size = "2x3", levels = 2 }',
    "free-passes": 'patterns = ["111"]\nplay = "misere"\npass = "free"\nboard = { size = "3x3", levels = 1 }',
    "pie": 'patterns = ["111", "222"]\nswap = true\nboard = { size = "3x3", levels = 2 }',
    "pie-3x4": 'patterns = ["111"]\nplay = "misere"\nswap = true\nboard = { size = "3x4", levels = 1 }',
    "two-a-turn": 'patterns = ["111", "222"]\nmoves-a-turn = 2\nboard = { size = "3x3", levels = 2 }',
    "one-two-two": 'patterns = ["111", "222"]\nmoves-a-turn = "1-2-2"\nplay = "misere"\n'
    'board = { size = "2x4", levels = 2 }',
    "own-goals": 'goal = { first = ["111"], second = ["222"] }\nboard = { size = "3x3", levels = 2 }',
    "own-lights": 'patterns = ["111", "222"]\nmay = { first = [1], second = [1, 2] }\nstalemate = "loss"\n'
    'board = { size = "2x4", levels = 2 }',
    "gaps": 'patterns = ["111", "222"]\nboard.outline = "###/#-#/###"\nboard.levels = 2',
    "hexagons": 'patterns = ["111"]\nplay = "misere"\nboard = { outline = "##-/###/-##", grid = "hex", levels = 2 }',
    "hexagons-wrapped": 'patterns = ["111", "222"]\nboard = { size = "3x3", grid = "hex", wrap = "files", levels = 2 }',
    "last-square": 'patterns = ["111", "222"]\nlast-square = "neighbours"\nboard = { size = "2x4", levels = 2 }',
    "two-lines": 'patterns = ["11", "22"]\nwin-lines = 2\nboard = { size = "2x3", levels = 2, line-length = 2 }',
    "a-start": 'patterns = ["111", "222", "123"]\nstart = "R../..."\nnot-first = ["b1"]\n'
    'board = { size = "2x3", top = "333/323" }',
}
# Times in ten that a level keeps the value, and whether it sees every win in one ply.
LEVELS = {"weak": (3, False), "medium": (6, True), "strong": (9, True)}


class Rules:
    """A rule file, read from its text."""

    def __init__(self, text):
        file = tomllib.loads(text)
        board = file["board"]
        if "size" in board:
            ranks, files = map(int, board["size"].split("x"))
            rows = ["#" * files] * ranks
        else:
            rows = board["outline"].split("/")
        self.ranks, self.files = len(rows), len(rows[0])
        # In the order of their names: a1, b1, …, a2.
        self.places = [
            (file, rank)
            for rank in range(self.ranks)
            for file in range(self.files)
            if rows[self.ranks - 1 - rank][file] == "#"
        ]
        self.number = {place: number for number, place in enumerate(self.places)}
        self.hexagonal = board.get("grid") == "hex"
        wrap = board.get("wrap", "none")
        self.joined = (wrap in ("files", "both"), wrap in ("ranks", "both"))
        levels = board.get("levels", 3)
        self.tops = self.by_place(board["top"]) if "top" in board else [levels] * len(self.places)
        self.start = self.by_place(file["start"]) if "start" in file else [0] * len(self.places)
        names = [f"{chr(ord('a') + file)}{rank + 1}" for file, rank in self.places]
        self.barred = {names.index(name) for name in file.get("not-first", [])}
        if "goal" in file:
            self.patterns = [file["goal"]["first"], file["goal"]["second"]]
        else:
            self.patterns = [file["patterns"]] * 2
        self.patterns = [[tuple(map(int, text)) for text in texts] for texts in self.patterns]
        self.own_goals = "goal" in file
        self.may = file.get("may") and [file["may"]["first"], file["may"]["second"]]
        self.misere = file.get("play") == "misere"
        self.stuck_loses = file.get("stalemate") == "loss"
        self.swap = file.get("swap", False)
        self.passing = file.get("pass", "never")
        self.last = file.get("last-square", "any")
        turn = file.get("moves-a-turn", 1)
        self.turn = (1, 2) if turn == "1-2-2" else (int(turn), int(turn))
        self.win_lines = file.get("win-lines", 1)
        self.counts_lines = "win-lines" in file
        length = board.get("line-length", 3)
        steps = {"rank": [(1, 0)], "file": [(0, 1)], "diagonal": [(1, -1)] + [(1, 1)] * (not self.hexagonal)}
        along = [step for name in board.get("directions", steps) for step in steps[name]]
        lines = [self.line(place, step, length) for place in self.places for step in along]
        self.readings = [line for line in lines if line and len(set(line)) == length]
        near = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] + [(1, 1), (-1, -1)] * (not self.hexagonal)
        self.near = []
        for square, (file, rank) in enumerate(self.places):
            found = {self.at((file + x, rank + y)) for x, y in near}
            self.near.append(found - {None, square})
        self.images = self.symmetries()

    def by_place(self, text):
        rows = text.split("/")
        letters = [rows[self.ranks - 1 - rank][file] for file, rank in self.places]
        return [".RYG".index(letter) if letter in ".RYG" else int(letter) for letter in letters]

    def at(self, place):
        sizes = (self.files, self.ranks)
        place = tuple(at % size if joined else at for at, size, joined in zip(place, sizes, self.joined))
        return self.number.get(place)

    def line(self, place, step, length):
        squares = [self.at((place[0] + n * step[0], place[1] + n * step[1])) for n in range(length)]
        return None if None in squares else tuple(squares)

    def symmetries(self):
        """Where squares go: turns and mirror images of the grid that keep the board and the rules."""
        east, north = self.files - 1, self.ranks - 1
        motions = [lambda f, r: (f, r), lambda f, r: (east - f, north - r)]
        if not self.hexagonal:
            motions += [lambda f, r: (east - f, r), lambda f, r: (f, north - r)]
        if east == north:
            motions += [lambda f, r: (r, f), lambda f, r: (east - r, north - f)]
            if not self.hexagonal:
                motions += [lambda f, r: (east - r, f), lambda f, r: (r, north - f)]
        # The order of squares in a line counts for patterns of unequal levels alone.
        ordered = any(len(set(pattern)) > 1 for patterns in self.patterns for pattern in patterns)
        unturned = lambda line: min(line, line[::-1]) if ordered else frozenset(line)
        lines = set(map(unturned, self.readings))
        found = []
        for motion in motions:
            image = [self.number.get(motion(*place)) for place in self.places]
            if None in image:
                continue
            moved = (tuple(image[square] for square in line) for line in self.readings)
            keeps = set(map(unturned, moved)) == lines
            for levels in (self.tops, self.start):
                keeps = keeps and all(levels[image[square]] == level for square, level in enumerate(levels))
            keeps = keeps and {image[square] for square in self.barred} == self.barred
            if self.last != "any":
                keeps = keeps and all(
                    {image[near] for near in self.near[square]} == self.near[image[square]]
                    for square in range(len(self.places))
                )
            if keeps:
                found.append(image)
        return found

    # A position: board, part to move, raises left in the turn, whether a swap may be played, the square raised
    # last, passes just made, passes left of each part, lines of each part, and the result for the part to move.

    def first(self):
        passes = (1, 1) if self.passing == "once" else (0, 0)
        return self.settled((tuple(self.start), 0, self.turn[0], False, None, 0, passes, (0, 0), None))

    def is_start(self, at):
        board, _, _, _, _, passed, passes, lines, _ = at
        untouched = self.passing != "once" or passes == (1, 1)
        return board == tuple(self.start) and passed == 0 and untouched and lines == (0, 0)

    def raises(self, at):
        board, part, _, _, last, _, _, _, _ = at
        barred = self.barred if self.is_start(at) else set()
        squares = [
            square
            for square, level in enumerate(board)
            if level < self.tops[square]
            and square not in barred
            and (not self.may or level + 1 in self.may[part])
        ]
        if last is None or self.last == "any":
            return squares
        allowed = {
            "forbidden": lambda square: square != last,
            "neighbours": lambda square: square in self.near[last],
            "elsewhere": lambda square: square != last and square not in self.near[last],
        }[self.last]
        return list(filter(allowed, squares)) or squares

    def may_pass(self, at):
        return self.passing == "free" or self.passing == "once" and at[6][at[1]] > 0

    def stuck(self, at):
        """The result for the part to move if it cannot move; None if it can."""
        _, part, _, swap, _, _, _, lines, _ = at
        if self.raises(at):
            return None
        if self.counts_lines:
            more = (lines[part] > lines[1 - part]) - (lines[part] < lines[1 - part])
            return -more if self.misere else more
        if self.may_pass(at) or swap:
            return None
        return -1 if self.stuck_loses else 0

    def settled(self, at):
        result = self.stuck(at)
        # Nothing may be swapped where the game is over.
        return at if result is None else (*at[:3], False, *at[4:8], result)

    def completed(self, board, square, part):
        found = set()
        for line in self.readings:
            if square not in line:
                continue
            shown = tuple(board[each] for each in line)
            for pattern in self.patterns[part]:
                if shown in (pattern, pattern[::-1]):
                    found.add((frozenset(line), min(pattern, pattern[::-1])))
        return len(found)

    def raised(self, at, square):
        board, part, left, _, _, _, passes, lines, _ = at
        board = (*board[:square], board[square] + 1, *board[square + 1 :])
        mine = self.completed(board, square, part)
        theirs = self.completed(board, square, 1 - part) if self.own_goals and not mine else 0
        result, counted = None, list(lines)
        for player, more in ((part, mine), (1 - part, theirs)):
            reached = min(counted[player] + more, self.win_lines)
            if self.counts_lines:
                counted[player] = reached
            if more and reached == self.win_lines:
                # For the opponent of whoever raised.
                result = -1 if (player == part) != self.misere else 1
        last = square if self.last != "any" else None
        after = (board, part, left - 1, False, last, 0, passes, tuple(counted), None)
        if result is None and left > 1:
            if self.raises(after):
                return after, True
            cut = self.stuck(after)
            if cut is not None:
                return (*after[:1], 1 - part, self.turn[1], *after[3:8], -cut), False
        swap = self.swap and self.is_start(at) and result is None
        after = (board, 1 - part, self.turn[1], swap, last, 0, passes, tuple(counted), result)
        return (after if result is not None else self.settled(after)), False

    def moves(self, at):
        """Positions after each move, and whether the same player moves there."""
        if at[8] is not None:
            return []
        after = [self.raised(at, square) for square in self.raises(at)]
        board, part, left, swap, _, passed, passes, lines, _ = at
        if self.may_pass(at):
            if self.passing == "once":
                passes = tuple(count - (player == part) for player, count in enumerate(passes))
                swappable = self.swap and self.is_start(at)
                after.append((self.settled((board, 1 - part, left, swappable, None, 0, passes, lines, None)), False))
            else:
                result = 0 if passed else None
                to = (board, 1 - part, left, False, None, passed + 1, passes, lines, result)
                after.append((to if passed else self.settled(to), False))
        if swap:
            after.append((self.settled((board, part, left, False, None, 0, passes, lines, None)), False))
        return after

    def orbit(self, at):
        """What is the same for all images of a position, as far as its text tells it."""
        board, part, left, swap, last, passed, passes, lines, _ = at
        tells_part = (self.own_goals or self.may) and (self.swap or self.passing != "never")
        rest = (swap, passed, passes[part], passes[1 - part], lines[part], lines[1 - part], tells_part and part)
        images = []
        for image in self.images:
            moved = [0] * len(board)
            for square, level in enumerate(board):
                moved[image[square]] = level
            images.append((tuple(moved), -1 if last is None else image[last]))
        return min(images), rest


class SolvedGame:
    """All positions of a game, the last first, with their values."""

    def __init__(self, rules):
        self.rules = rules
        self.after = {}
        waiting = [rules.first()]
        self.start = waiting[0]
        while waiting:
            at = waiting.pop()
            if at not in self.after:
                self.after[at] = rules.moves(at)
                waiting.extend(to for to, _ in self.after[at])

        def height(at):
            board, _, _, swap, _, passed, passes, _, _ = at
            return 16 * sum(board) + 4 * passed + 4 * (2 - sum(passes)) + (not swap)

        self.order = sorted(self.after, key=height, reverse=True)
        self.value, self.distance, self.offers = {}, {}, {}
        for at in self.order:
            if at[8] is not None:
                self.value[at], self.distance[at], self.offers[at] = at[8], 0, []
                continue
            # Value and distance of each move, for the player who makes it.
            moves = [
                (self.value[to] if same else -self.value[to], self.distance[to] + 1, to, same)
                for to, same in self.after[at]
            ]
            value = max(move[0] for move in moves)
            plies = [move[1] for move in moves if move[0] == value]
            distance = min(plies) if value > 0 else max(plies) if value < 0 else 0
            self.value[at], self.distance[at], self.offers[at] = value, distance, moves

    def chances(self, at, level):
        """The moves that a level may make, each with its chance."""
        tenths, sees = LEVELS[level]
        value, distance, moves = self.value[at], self.distance[at], self.offers[at]
        winning = [move for move in moves if move[0] > 0 and move[2][8] is not None]
        if sees and winning:
            return [(1.0, winning[0])]
        best = [move for move in moves if move[0] == value and (value == 0 or move[1] == distance)]
        others = [move for move in moves if move[0] != value]
        well = 1.0 if value < 0 or not others else tenths / 10
        chances = [(well / len(best), move) for move in best]
        return chances + [((1 - well) / len(others), move) for move in others if well < 1]

    def expected(self, level):
        """Means of what a game counts, from every position on, for the player to move there."""
        means = {}
        for at in self.order:
            if at[8] is not None:
                means[at] = defaultdict(float, result=float(at[8]), square=float(at[8] ** 2))
                continue
            moves = self.offers[at]
            choice = float(len(moves) > 1)
            only = float(choice and sum(move[0] == self.value[at] for move in moves) == 1)
            sums = defaultdict(float)
            for chance, (value, _, to, same) in self.chances(at, level):
                below = means[to]
                change = float(value != self.value[at])
                sums["result"] += chance * (below["result"] if same else -below["result"])
                sums["square"] += chance * below["square"]
                length = [1.0, *(below[f"length{power}"] for power in range(1, 5))]
                for power in range(1, 5):
                    terms = (math.comb(power, k) * length[k] for k in range(power + 1))
                    sums[f"length{power}"] += chance * sum(terms)
                sums["changes"] += chance * (change + below["changes"])
                sums["changes2"] += chance * (change + 2 * change * below["changes"] + below["changes2"])
                sums["choices"] += chance * (choice + below["choices"])
                sums["only"] += chance * (only + below["only"])
                sums["choices2"] += chance * (choice + 2 * choice * below["choices"] + below["choices2"])
                sums["only2"] += chance * (only + 2 * only * below["only"] + below["only2"])
                cross = choice * below["only"] + only * below["choices"] + below["both"]
                sums["both"] += chance * (only * choice + cross)
            means[at] = sums
        return means

    def puzzle(self, at):
        """The level of the puzzle that a position is, 1 to 5; None if it is none."""
        value, moves = self.value[at], self.offers[at]
        reaching = [number for number, move in enumerate(moves) if move[0] == value]
        if value < 0 or len(moves) < 2 or len(reaching) != 1:
            return None
        plies = self.distance[at] if value > 0 else max([move[1] for move in moves if move[0] != 0], default=0)
        if plies <= 8:
            return 1 if plies <= 3 else 2
        safe = [number for number, move in enumerate(moves) if move[0] >= 0 or move[1] > 2]
        if 3 * len(safe) > len(moves):
            return 3
        return 4 if safe[0] == reaching[0] else 5

    def visits(self, level):
        """How likely a game comes to each position."""
        chance = defaultdict(float, {self.start: 1.0})
        for at in reversed(self.order):
            if at[8] is None and chance[at] > 0:
                for share, (_, _, to, _) in self.chances(at, level):
                    chance[to] += chance[at] * share
        return chance

    def puzzles(self, games):
        """For each level of puzzles how many different ones the games show: mean and standard error."""
        seen = defaultdict(lambda: [0.0] * len(LEVELS))
        levels = {}
        puzzles = [(at, self.puzzle(at)) for at in self.order]
        puzzles = [(at, level, self.rules.orbit(at)) for at, level in puzzles if level]
        for number, level in enumerate(LEVELS):
            visits = self.visits(level)
            for at, of_level, orbit in puzzles:
                levels.setdefault(orbit, of_level)
                seen[orbit][number] += visits[at]
        found = [[0.0, 0.0] for _ in range(5)]
        for orbit, chances in seen.items():
            missed = math.prod(max(0.0, 1 - min(chance, 1.0)) ** games for chance in chances)
            found[levels[orbit] - 1][0] += 1 - missed
            found[levels[orbit] - 1][1] += missed * (1 - missed)
        return [(mean, math.sqrt(spread)) for mean, spread in found]


def measures(text, games):
    """Of each measure what it is on average, and its standard error."""
    solved = SolvedGame(Rules(text))
    start = solved.start
    means = {level: solved.expected(level) for level in LEVELS}
    root = math.sqrt(games)
    moves = solved.offers[start]
    winning = sum(move[0] > 0 for move in moves) / max(len(moves), 1)
    found = {"winning_openings": (winning, 0.0)}
    spread = lambda sums: math.sqrt(max(0.0, sums["square"] - sums["result"] ** 2))
    for level in LEVELS:
        sums = means[level][start]
        found[f"balance_{level}"] = (sums["result"], spread(sums) / root)
    openings = [means["medium"][move[2]] for move in moves]
    least = min((abs(sums["result"]) for sums in openings), default=0.0)
    widest = max(map(spread, openings), default=0.0)
    found["balance_pie"] = (-least, widest / math.sqrt(math.ceil(games / 5)))
    medium, strong = means["medium"][start], means["strong"][start]
    changes = medium["changes"]
    found["drama"] = (changes, math.sqrt(max(0.0, medium["changes2"] - changes**2)) / root)
    share = strong["only"] / strong["choices"] if strong["choices"] else 0.0
    error = strong["only2"] - 2 * share * strong["both"] + share**2 * strong["choices2"]
    found["only_moves"] = (share, math.sqrt(max(0.0, error)) / root / max(strong["choices"], 1e-9))
    m1, m2, m3, m4 = (strong[f"length{power}"] for power in range(1, 5))
    variance = max(0.0, m2 - m1**2)
    fourth = m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4
    deviation = math.sqrt(variance)
    found["length"] = (m1, deviation / root)
    error = math.sqrt(max(0.0, fourth - variance**2)) / (2 * deviation) / root if deviation > 1e-6 else 0.0
    found["length_spread"] = (deviation, error)
    drawn = 1 - strong["square"]
    found["draws"] = (drawn, math.sqrt(max(0.0, drawn * (1 - drawn))) / root)
    for level, (mean, error) in enumerate(solved.puzzles(games), 1):
        found[f"puzzles_{level}"] = (mean, error)
    value = {1: "win", 0: "draw", -1: "loss"}[solved.value[start]]
    distance = solved.distance[start] if value != "draw" else None
    return value, distance, found, len(solved.order)


def told(program, text, games, seed):
    """What `design` says of a game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.toml"
        path.write_text(text)
        # A key that changes nothing, since design varies one.
        vary = ["--vary", "source=checked"]
        options = ["--games", str(games), "--seed", str(seed), "--json", "--quiet", "--dir", folder]
        command = [program, "design", str(path), *vary, *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr}")
        [document] = [json.loads(line) for line in done.stdout.splitlines()]
    if "measures" not in document:
        sys.exit(f"not measured: {document}")
    measured = dict(document["measures"])
    for level, count in enumerate(measured.pop("puzzles"), 1):
        measured[f"puzzles_{level}"] = count
    return document["value"], document["distance"], measured


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(ROOT / "target/release/greenwave"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    games = {Path(name).stem: GAMES.get(name) or Path(name).read_text() for name in args.names} or GAMES
    differing = compared = 0
    worst = 0.0
    for name, text in games.items():
        value, distance, expected, positions = measures(text, args.games)
        found_value, found_distance, found = told(args.program, text, args.games, args.seed)
        wrong = []
        if (value, distance) != (found_value, found_distance):
            wrong.append(f"value: {found_value} in {found_distance}, expected {value} in {distance}")
        for measure, (mean, error) in expected.items():
            compared += 1
            off = abs(found[measure] - mean)
            # Measures have four digits; of few rare puzzles one more or less is no matter of standard errors.
            allowed = ERRORS * error + (1 if measure.startswith("puzzles") else 1e-4)
            if off > allowed:
                wrong.append(f"{measure}: {found[measure]}, expected {mean:.4f} within {allowed:.4f}")
            elif error > 0 and not measure.startswith("puzzles"):
                worst = max(worst, off / error)
        differing += len(wrong)
        balance = ", ".join(f"{expected[f'balance_{level}'][0]:+.3f}/{found[f'balance_{level}']:+.3f}" for level in LEVELS)
        print(f"{name}: {value} in {distance}, {positions:,} positions; balance exactly/played {balance}", flush=True)
        for line in wrong:
            print(f"  {line}")
    print(f"{len(games)} games, {compared} measures, {differing} differ; the farthest is off by {worst:.1f} standard errors")
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())
