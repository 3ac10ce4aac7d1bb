#!/usr/bin/env python3
"""Checks certificates: that their replies win against every defence, or never lose. Usage: check_certificate.py FILE...
(- is stdin)

Knows only the rules of games on fixed boards. A certificate names the variant, spells out the rules, says who wins (or,
of a drawn game, who never loses), and lists positions with that player to move and one reply each. A position stands for all its images under the symmetries of
the board; where the player can end the game with a win at once, nothing is listed.
Exit 0: all of them hold; 1: one does not; 2: one is no certificate.
"""
import re
import sys

# The lines of a certificate before its replies, in this order; of games of lights, and of noughts and crosses.
TOP = ("greenwave certificate 1", r"variant (?P<variant>.+)(?:\nlights (?P<lights>ryg|gyr))?",
       "(?:winner (?P<winner>first|second)|player (?P<player>first|second)\nresult draw)", "greenwave rules 1",
       "board (?P<board>[#-]+(?:/[#-]+)*)", r"line-length (?P<length>[1-9][0-9]?)(?:\nwithout (?P<without>[a-z]+[0-9]+-[a-z]+[0-9]+(?: [a-z]+[0-9]+-[a-z]+[0-9]+)*))?")
LIGHTS = (*TOP, "levels (?P<levels>[123])",
          "pattern (?P<patterns>[123]+(?: points [0-9]+)?(?:\npattern [123]+(?: points [0-9]+)?)*)",
          "completed line (?P<completed>wins|loses|scores and ends the game\nscore each (?:line|run))",
          "supply (?P<supply>unlimited|(?:cap|pool) [1-9][0-9]?)", "stalemate (?P<stalemate>draw|loss|pass)", "",
          "positions (?P<count>[0-9]+)")
MARKED = "marks of each player\na move marks an empty square"
MARKS = (*TOP, MARKED, "completed line (?P<completed>wins|loses)", "full board draw", "", "positions (?P<count>[0-9]+)")
OPTION = "(?:play=misere|supply=(?:cap|pool)[0-9]+|stalemate=(?:loss|pass)|four=once|score=win)"
MOST = 64  # squares; the boards of Greenwave have at most 32
PATTERNS = ("111 points 1", "222 points 5", "333 points 2", "123 points 3", "321 points 3")


def fail(found, expected):
    raise ValueError(f"found {found}, expected {expected}; 'greenwave certify' writes certificates")


def board_of(ranks, files):
    """A full board as text, unless it is too large for any."""
    if len(ranks + files) > 6 or not 1 <= int(ranks) * int(files) <= MOST:
        fail(f"a board of {ranks[:9]} x {files[:9]}", f"1 to {MOST} squares")
    return "/".join(["#" * int(files)] * int(ranks))


class Rules:
    """A game on a fixed board, from the head of a certificate."""
    def __init__(self, head):
        self.marks = "levels" not in head  # each player has marks of their own: 1 is X, 2 is O
        self.letters, self.length = ".XO" if self.marks else "." + (head["lights"] or "ryg").upper(), int(head["length"])
        self.rows, self.supply = head["board"].split("/")[::-1], (head.get("supply", "unlimited") + " 0").split()
        self.levels, self.stalemate = int(head.get("levels", 2)), head.get("stalemate", "draw")
        patterns = re.findall("^(?:pattern )?([123]+)", head.get("patterns", ""), re.MULTILINE)
        patterns = ["1" * self.length, "2" * self.length] if self.marks else patterns
        self.patterns = [tuple(map(int, levels)) for levels in patterns]
        self.wins, width, height = head["completed"] != "loses", len(self.rows[0]), len(self.rows)
        if {*map(len, self.rows)} != {width} or {*map(len, self.patterns)} != {self.length}:
            fail("rows or patterns of other lengths", "a board of equal rows, and patterns as long as a line")
        if width * height > MOST:
            fail(f"a board of {height} x {width}", f"1 to {MOST} squares")
        self.squares = [(f, r) for r, row in enumerate(self.rows) for f, square in enumerate(row) if square == "#"]
        number = {square: n for n, square in enumerate(self.squares)}
        self.name = {("a" * (f > 25) + chr(97 + f % 26) + str(r + 1)): n for n, (f, r) in enumerate(self.squares)}
        try:  # lines that do not count, by their ends
            without = {frozenset(self.name[end] for end in line.split("-")) for line in (head["without"] or "").split()}
        except KeyError as end:
            fail(f"a line without with the end {end}", "squares of the board")
        self.lines = [[] for _ in self.squares]
        for f, r in self.squares:
            for df, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                run = tuple(number.get((f + i * df, r + i * dr)) for i in range(self.length))
                if None not in run and frozenset((run[0], run[-1])) not in without:
                    for square in set(run):
                        self.lines[square].append(run)
        self.images = []
        for turn in range(8):
            turned = [(width - 1 - f if turn & 1 else f, height - 1 - r if turn & 2 else r) for f, r in self.squares]
            image = [number.get(place[::-1] if turn & 4 else place) for place in turned]
            kept = None not in image and all(frozenset(image[end] for end in line) in without for line in without)
            if kept and image not in self.images:
                self.images.append(image)
        board = "/".join(self.rows[::-1]).replace("#", f"[{self.letters[:self.levels + 1]}]")
        self.entry = re.compile(f"({board}) ({'|'.join(self.name)})({'' if self.marks else '[RYG]'})")

    def canonical(self, position):
        return min(bytes(position[square] for square in image) for image in self.images)

    def moves(self, position):
        """Every move: the position after it, and whether it completes a line."""
        kind, limit, *_ = self.supply
        mark = 1 + (position.count(1) > position.count(2))
        for square, level in enumerate(position):
            if self.marks and level:
                continue
            used = sum(other == level + 1 or (kind == "pool" and other > level) for other in position)
            if level == self.levels or (kind != "unlimited" and used >= int(limit)):
                continue
            after = bytearray(position)
            after[square] += mark if self.marks else 1
            line = any(tuple(after[s] for s in run) in self.patterns for run in self.lines[square])
            yield square, bytes(after), line

    def won(self, after, line):
        """Whether a move wins the game for the player who makes it."""
        return self.wins if line else self.stalemate == "loss" and not any(self.moves(after))


def built_in(name):
    """The rules that a built-in name stands for, spelled out; empty for the name of a rule file."""
    if match := re.fullmatch("noughts-([0-9]+)x([0-9]+)(?::(play=misere)?,?(?:line=([456]))?)?", name):
        ranks, files, misere, line = match.groups()
        return "\n".join(["greenwave rules 1", f"board {board_of(ranks, files)}", f"line-length {line or 3}", MARKED,
                          "completed line " + ("loses" if misere else "wins"), "full board draw"])
    if not (match := re.fullmatch(f"(classic|signal|green|points)-([0-9]+)x([0-9]+)(|:{OPTION}(?:,{OPTION})*)", name)):
        return "" if name.endswith(".toml") else fail(f"variant {name}", "a fixed board and options, or a rule file")
    family, ranks, files, options = match.groups()
    scored, limit = family == "points" and "score=win" not in options, re.search("(cap|pool)([0-9]+)", options)
    patterns = PATTERNS[2 if family == "green" else 0:3 if family in ("green", "classic") else 5]
    score = "scores and ends the game\nscore each " + ("run" if "four=once" in options else "line")
    return "\n".join([f"greenwave rules 1\nboard {board_of(ranks, files)}\nline-length 3\nlevels 3"]
                     + ["pattern " + (pattern if scored else pattern[:3]) for pattern in patterns]
                     + ["completed line " + (score if scored else "loses" if "misere" in options else "wins")]
                     + ["supply " + (f"{limit[1]} {limit[2]}" if limit else "unlimited")]
                     + ["stalemate " + (re.findall("stalemate=(loss|pass)", options) or ["draw"])[0]])


def certificates(path):
    """The texts of the certificates in a file, one after another."""
    text = sys.stdin.read() if path == "-" else open(path, encoding="utf-8").read()
    return re.split(r"\n(?=greenwave certificate 1\n)", text.rstrip("\n"))


def check(path, text):
    lines = MARKS if f"\n{MARKED}\n" in text else LIGHTS
    for number in range(len(lines)):
        if not (head := re.match("\n".join(lines[:number + 1]) + "(?:\n|$)", text)):
            fail(f"no proper line '{lines[number].split('(')[0]}…'", "the head of a certificate, line by line")
    name, player, draw = head["variant"], head["winner"] or head["player"], not head["winner"]
    entries = text[head.end():].split("\n") if text[head.end():] else []
    for stated, known in zip(text[text.index("greenwave rules 1"):].split("\n"), filter(None, built_in(name).split("\n"))):
        if stated != known:
            fail(f"the rule '{stated}'", f"'{known}', which is a rule of {name}")
    game, replies = Rules(head.groupdict()), {}
    for entry in entries:
        if not (match := game.entry.fullmatch(entry)):
            fail(f"'{entry}'", "a position, one space, and a square (with its new light)")
        rows = match[1].split("/")[::-1]
        position = bytes(game.letters.index(rows[r][f]) for f, r in game.squares)
        replies[game.canonical(position)] = (position, game.name[match[2]], game.letters.find(match[3] or "-"))
    if not len(entries) == len(replies) == int(head["count"]):
        fail(f"{len(entries)} replies for {len(replies)} positions", f"{head['count']}, each for another position")
    waiting, seen, met = [(bytes(len(game.squares)), player == "first")], set(), 0
    while waiting:  # every move raises the sum of the levels, so this ends
        position, players_turn = waiting.pop()
        if (key := (game.canonical(position), players_turn)) in seen:
            continue
        seen.add(key)
        moves = list(game.moves(position))
        if not moves and (players_turn if game.stalemate == "loss" else not draw):
            return f"{position.hex()}: no move is left and the player has not {'drawn' if draw else 'won'}"
        if any(game.won(after, line) for _, after, line in moves):
            if players_turn:
                continue
            return f"{position.hex()}: the opponent can win at once"
        if not moves:
            continue
        if not players_turn:
            waiting += [(after, True) for _, after, line in moves if not line]
            continue
        if key[0] not in replies:
            return f"{position.hex()}: no reply is listed"
        met += 1
        listed, square, level = replies[key[0]]
        after = [(a, line) for s, a, line in game.moves(listed) if s == square and (game.marks or a[s] == level)]
        if not after or after[0][1]:
            return f"{listed.hex()}: the reply is illegal or completes a line"
        waiting.append((after[0][0], False))
    print(f"{path}: the {player} player {'never loses' if draw else 'wins'} {name}; {met} replies met of {len(replies)}, {len(seen)} positions")


if __name__ == "__main__":
    if {"-h", "--help"} & {*sys.argv[1:]}:
        sys.exit(print(__doc__.strip()))
    code = 0 if sys.argv[1:] else 2
    for path in sys.argv[1:]:
        try:
            problems = [check(path, text) for text in certificates(path)]
        except (ValueError, OSError) as error:
            known = {UnicodeDecodeError: "not text; decompress it first: zstd -dc FILE | check_certificate.py -",
                     FileNotFoundError: "no such file; name a certificate that 'greenwave certify' wrote"}
            sys.exit(print(f"{path}: {known.get(type(error), error)}", file=sys.stderr) or 2)
        for problem in filter(None, problems):
            code = print(f"{path}: WRONG: {problem}") or 1
    sys.exit(code)
