#!/usr/bin/env python3
"""Checks certificates: that their replies win against every defence. Usage: check_certificate.py FILE... (- is stdin)

Knows only the rules of games on fixed boards. A certificate names the variant, spells out the rules, says who wins, and
lists positions with the winner to move and one reply each. A position stands for all its images under the symmetries of
the board; where the winner can end the game with a win at once, nothing is listed.
Exit 0: all of them win; 1: one does not; 2: one is no certificate.
"""
import re
import sys

LIGHTS = ".RYG"


class Rules:
    """A game on a fixed board, from the lines of a certificate."""
    def __init__(self, lines):
        self.patterns, self.supply, self.stalemate = [], ("unlimited", 0), "draw"
        self.wins, self.length, self.levels, self.rows = True, 3, 3, []
        for key, _, rest in (line.partition(" ") for line in lines):
            if key == "board":
                self.rows = rest.split("/")[::-1]
            elif key in ("line-length", "levels"):
                setattr(self, key.removeprefix("line-"), int(rest))
            elif key == "pattern":
                self.patterns.append(tuple(int(level) for level in rest.split()[0]))
            elif key == "completed" and rest in ("line wins", "line loses", "line scores and ends the game"):
                self.wins = rest != "line loses"
            elif key == "supply":
                self.supply = (rest.split()[0], int((rest.split() + ["0"])[1]))
            elif key == "stalemate":
                self.stalemate = rest
            elif key not in ("greenwave", "score"):
                raise ValueError(f"a rule that this program does not know: {key} {rest}")
        self.squares = [(f, r) for r, row in enumerate(self.rows) for f, square in enumerate(row) if square == "#"]
        number = {square: n for n, square in enumerate(self.squares)}
        self.lines = [[] for _ in self.squares]
        for f, r in self.squares:
            for df, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                run = tuple(number.get((f + i * df, r + i * dr)) for i in range(self.length))
                if None not in run:
                    for square in set(run):
                        self.lines[square].append(run)
        width, height = len(self.rows[0]), len(self.rows)
        self.images = []
        for turn in range(8):
            image = []
            for f, r in self.squares:
                f, r = (width - 1 - f if turn & 1 else f), (height - 1 - r if turn & 2 else r)
                image.append(number.get((r, f) if turn & 4 else (f, r)))
            if None not in image and image not in self.images:
                self.images.append(image)
        self.name = {f"{chr(97 + f)}{r + 1}": n for n, (f, r) in enumerate(self.squares)}

    def canonical(self, position):
        return min(bytes(position[square] for square in image) for image in self.images)

    def moves(self, position):
        """Every move: the position after it, and whether it completes a line."""
        kind, limit = self.supply
        for square, level in enumerate(position):
            if level == self.levels:
                continue
            used = sum(other == level + 1 or (kind == "pool" and other > level) for other in position)
            if kind != "unlimited" and used >= limit:
                continue
            after = bytearray(position)
            after[square] += 1
            line = any(tuple(after[s] for s in run) in self.patterns for run in self.lines[square])
            yield square, bytes(after), line

    def won(self, after, line):
        """Whether a move wins the game for the player who makes it."""
        return self.wins if line else self.stalemate == "loss" and not any(self.moves(after))

    def parse(self, text):
        rows = text.split("/")[::-1]
        if [len(row) for row in rows] != [len(row) for row in self.rows]:
            raise ValueError(f"no position: {text}")
        return bytes(LIGHTS.index(rows[r][f]) for f, r in self.squares)


def built_in(name):
    """The rules that a built-in name stands for, where this program knows them."""
    if not (match := re.fullmatch(r"(classic|signal|green)-(\d+)x(\d+)(:play=misere)?", name)):
        return None
    family, ranks, files, misere = match.groups()
    patterns = {"green": ["333"], "classic": ["111", "222", "333"]}.get(family, ["111", "222", "333", "123", "321"])
    board = "/".join(["#" * int(files)] * int(ranks))
    return (["greenwave rules 1", f"board {board}", "line-length 3", "levels 3"] + [f"pattern {p}" for p in patterns]
            + [f"completed line {'loses' if misere else 'wins'}", "supply unlimited", "stalemate draw"])


def check(path):
    text = sys.stdin.read() if path == "-" else open(path, encoding="utf-8").read()
    head, _, body = text.partition("\n\npositions ")
    title, variant, winner, *rules = head.split("\n")
    name, winner = variant.removeprefix("variant "), winner.removeprefix("winner ")
    if title != "greenwave certificate 1" or not body or winner not in ("first", "second"):
        raise ValueError("not a certificate")
    if built_in(name) not in (None, rules):
        raise ValueError(f"these are not the rules of {name}")
    game = Rules(rules)
    count, *entries = body.rstrip("\n").split("\n")
    replies = {}
    for entry in entries:
        text, reply = entry.split(" ")
        position = game.parse(text)
        replies[game.canonical(position)] = (position, game.name[reply[:-1]], LIGHTS.index(reply[-1]))
    if len(entries) != int(count):
        raise ValueError(f"found {len(entries)} replies, expected {count}")
    waiting, seen, met = [(bytes(len(game.squares)), winner == "first")], set(), 0
    while waiting:  # every move raises the sum of the levels, so this ends
        position, winners_turn = waiting.pop()
        if (key := (game.canonical(position), winners_turn)) in seen:
            continue
        seen.add(key)
        moves = list(game.moves(position))
        if not moves and (winners_turn or game.stalemate != "loss"):
            return f"{position.hex()}: no move is left and the winner has not won"
        if any(game.won(after, line) for _, after, line in moves):
            if winners_turn:
                continue
            return f"{position.hex()}: the loser can win at once"
        if not winners_turn:
            waiting += [(after, True) for _, after, line in moves if not line]
            continue
        if key[0] not in replies:
            return f"{position.hex()}: no reply is listed"
        met += 1
        listed, square, level = replies[key[0]]
        after = [(a, line) for s, a, line in game.moves(listed) if s == square and a[s] == level]
        if not after or after[0][1]:
            return f"{listed.hex()}: the reply is illegal or completes a line"
        waiting.append((after[0][0], False))
    print(f"{path}: the {winner} player wins {name}; {met} replies met of {len(replies)}, {len(seen)} positions")


if __name__ == "__main__":
    code = 0 if sys.argv[1:] else 2
    for path in sys.argv[1:]:
        try:
            problem = check(path)
        except (ValueError, KeyError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            sys.exit(2)
        if problem:
            code = print(f"{path}: WRONG: {problem}") or 1
    sys.exit(code)
