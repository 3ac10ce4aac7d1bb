#!/usr/bin/env python3
"""Checks certificates of games that rule files describe, as check_certificate.py does those of built-in games.
Usage: check_rule_file.py FILE... (- is stdin)

Knows the rules of boards with any directions, joined edges, figures, hexagons, tops, starts and barred first moves. Also
knows the memory of a game: swaps, the square raised last, passes, levels, goals and lines of each player. It plays by the
lines that spell out the rules, and refuses a line that it does not know.
A position stands for all its images under the symmetries that keep all this; where the player can end the game with a
win at once, nothing is listed. Exit 0: all of them hold; 1: one does not; 2: one is no certificate.
"""
import re
import sys

# The lines of a certificate before its replies, in this order; those in (?:…)? may be absent.
HEAD = (r"greenwave certificate 1", r"variant (?P<variant>.+\.toml)",
        r"(?:lights (?P<lights>ryg|gyr)\n)?(?:winner (?P<winner>first|second)|player (?P<player>first|second)\nresult draw)", r"greenwave rules 1",
        r"board (?P<board>[#-]+(?:/[#-]+)*)", r"line-length (?P<length>[1-9][0-9]?)",
        r"(?:without (?P<without>[a-z0-9 -]+)\n)?(?:grid (?P<grid>hex)\n)?(?:wrap (?P<wrap>files|ranks|both)\n)?(?:directions(?P<directions>(?: rank| file| diagonal)*)\n)?"
        r"(?P<shapes>(?:shape [#/-]+\n)*)levels (?P<levels>[123])", r"(?:tops (?P<tops>[0-3]+)\n)?"
        r"(?P<patterns>(?:pattern [123]+(?: points [0-9]+)?\n)*)"
        r"completed line (?P<completed>wins|loses|scores and ends the game\nscore each (?:line|run))",
        r"supply (?P<supply>unlimited|(?:cap|pool) [1-9][0-9]?)", r"stalemate (?P<stalemate>draw|loss|pass)",
        r"(?:start (?P<start>[0-3]+)\n)?(?:not-first (?P<barred>[a-z0-9 ]+)\n)?(?P<swap>swap in the second ply\n)?"
        r"(?:last square (?P<last>forbidden|neighbours|elsewhere)\n)?(?:pass (?P<passing>free|once)\n)?"
        r"(?:first raises to (?P<may1>[0-9 ]+|nothing)\n)?(?:first completes (?P<goal1>[0-9 ]+|nothing)\n)?"
        r"(?:second raises to (?P<may2>[0-9 ]+|nothing)\n)?(?:second completes (?P<goal2>[0-9 ]+|nothing)\n)?(?:lines (?P<lines>[2-9])(?: when nobody can raise)?\n)?",
        r"positions (?P<count>[0-9]+)")


def fail(found, expected):
    raise ValueError(f"found {found}, expected {expected}; 'greenwave certify' writes certificates")


def digits(text):
    return tuple(map(int, text))


class Game:
    """The game that the head of a certificate spells out. A state: board, whether a swap may be played, the square raised
    last, passes in a row, passes left (mover's first), whose turn it is (0 or 1), lines so far (mover's first)."""
    def __init__(self, head):
        rows = head["board"].split("/")[::-1]
        self.width, self.height, self.hex = len(rows[0]), len(rows), bool(head["grid"])
        if {*map(len, rows)} != {self.width} or self.width * self.height > 64:
            fail("rows of other lengths or too many squares", "a board of equal rows of at most 64 squares")
        self.squares = [(f, r) for r, row in enumerate(rows) for f, square in enumerate(row) if square == "#"]
        self.number = {square: n for n, square in enumerate(self.squares)}
        self.joined = head["wrap"] in ("files", "both"), head["wrap"] in ("ranks", "both")
        self.names = ["a" * (f > 25) + chr(97 + f % 26) + str(r + 1) for f, r in self.squares]
        self.letters, self.levels = "." + (head["lights"] or "ryg").upper(), int(head["levels"])
        self.tops = digits(head["tops"]) if head["tops"] else (self.levels,) * len(self.squares)
        begin = bytes(digits(head["start"])) if head["start"] else bytes(len(self.squares))
        if not len(self.tops) == len(begin) == len(self.squares):
            fail("tops or a start of another size", "a digit for each square")
        self.barred = [self.names.index(name) for name in (head["barred"] or "").split()]
        self.wins, self.scored = head["completed"] != "loses", head["completed"].startswith("scores")
        self.supply, self.stalemate = (head["supply"] + " 0").split(), head["stalemate"]
        self.swap, self.last, self.passing = bool(head["swap"]), head["last"], head["passing"]
        self.may = [set(digits(head[key].replace("nothing", "").split())) for key in ("may1", "may2")] if head["may1"] is not None else None
        self.most, self.goal = int(head["lines"] or 0), head["goal1"] is not None
        patterns = [re.findall("^pattern ([123]+)", head["patterns"], re.MULTILINE)] * 2
        if self.goal:
            patterns = [head[key].replace("nothing", "").split() for key in ("goal1", "goal2")]
        self.targets = [self.placed([*map(digits, each)], int(head["length"]), head) for each in patterns]
        self.through = [[[line for line in each if any(s == n for s, _ in line)] for n in range(len(self.squares))]
                        for each in self.targets]
        near = [self.near(square) for square in self.squares]
        self.after = [{s for s in range(len(near)) if (s in near[n] if self.last == "neighbours" else
                       s != n and (self.last != "elsewhere" or s not in near[n]))} for n in range(len(near))]
        self.start = (begin, False, None, 0, (1, 1) if self.passing == "once" else (0, 0), 0, (0, 0))
        self.images = [image for image in self.permutations() if self.keeps(image)]
        self.board = re.compile("/".join(rows[::-1]).replace("#", f"[{self.letters[:self.levels + 1]}]"))

    def at(self, f, r):
        f, r = f % self.width if self.joined[0] else f, r % self.height if self.joined[1] else r
        return self.number.get((f, r))

    def near(self, square):
        steps = [(1, 0), (0, 1), (1, -1)] + [(1, 1)] * (not self.hex)
        found = {self.at(square[0] + by * f, square[1] + by * r) for f, r in steps for by in (1, -1)}
        return found - {None, self.number[square]}

    def placed(self, patterns, length, head):
        """Every pattern on every line: squares with their levels, each set of squares once for a pattern."""
        counts = (" rank file diagonal" if head["directions"] is None else head["directions"]).split()
        steps = [(1, 0)] * ("rank" in counts) + [(0, 1)] * ("file" in counts) + [(1, -1)] * ("diagonal" in counts)
        steps += [(1, 1)] * ("diagonal" in counts and not self.hex)
        lines = [(True, [self.at(f + i * x, r + i * y) for i in range(length)]) for f, r in self.squares for x, y in steps]
        for shape in re.findall("shape ([#/-]+)", head["shapes"]):  # every turn has a line of its own
            figure = [(f, r) for r, row in enumerate(shape.split("/")[::-1]) for f, mark in enumerate(row) if mark == "#"]
            lines += [(False, [self.at(f + x - figure[0][0], r + y - figure[0][1]) for x, y in figure]) for f, r in self.squares]
        gone, found = {frozenset(line.split("-")) for line in (head["without"] or "").split()}, set()
        for ordered, squares in lines:
            if None in squares or len(set(squares)) < len(squares):
                continue
            named = squares if any(self.joined) or not ordered else squares[::len(squares) - 1 or 1]
            if frozenset(self.names[s] for s in named) in gone:
                continue
            for pattern in patterns:
                equal = len(set(pattern)) == 1
                if equal or ordered and len(pattern) == len(squares):
                    levels = pattern[:1] * len(squares) if equal else pattern
                    found.add((min(pattern, pattern[::-1]), tuple(sorted(zip(squares, levels)))))
        return [line for _, line in sorted(found)]

    def permutations(self):
        for turn in range(8):
            if self.hex and (turn & 1 > 0) != (turn & 2 > 0):
                continue
            turned = [(self.width - 1 - f if turn & 1 else f, self.height - 1 - r if turn & 2 else r) for f, r in self.squares]
            image = [self.number.get(place[::-1] if turn & 4 else place) for place in turned]
            if None not in image:
                yield image

    def keeps(self, image):
        def moved(line):
            return tuple(sorted((image[s], level) for s, level in line))
        every, known = range(len(image)), [set(each) for each in self.targets]
        return (all({*map(moved, each)} == each for each in known)
                and all(self.tops[image[s]] == self.tops[s] and self.start[0][image[s]] == self.start[0][s] for s in every)
                and {image[s] for s in self.barred} == set(self.barred)
                and (not self.last or all({image[t] for t in self.after[s]} == self.after[image[s]] for s in every)))

    def canonical(self, state):
        def image(to):
            board = bytearray(state[0])
            for s, level in zip(to, state[0]):
                board[s] = level
            return bytes(board), state[1], -1 if state[2] is None else to[state[2]], *state[3:]
        return min(map(image, self.images))

    def raises(self, state, anybody=False):
        """The squares that the player to move may raise, or that anybody may."""
        board, _, last, _, _, turn, _ = state
        kind, limit, *_ = self.supply
        used = [sum(other == level or (kind == "pool" and other > level) for other in board) for level in range(4)]
        can = [s for s, level in enumerate(board) if level < self.tops[s] and (kind == "unlimited" or used[level + 1] < int(limit))
               and (not self.may or level + 1 in self.may[turn] or anybody and level + 1 in self.may[1 - turn])
               and (anybody or not (state == self.start and s in self.barred))]
        return can if last is None else [s for s in can if s in self.after[last]] or can

    def can_pass(self, state):
        return self.passing == "free" or self.passing == "once" and state[4][0] > 0

    def stuck(self, state):
        """The result for the player to move who can raise nothing: 1, 0, -1; None where play goes on."""
        if self.raises(state):
            return None
        goes_on = self.can_pass(state) or state[1]
        if self.most and not (goes_on and self.raises(state, True)):
            more = (state[6][0] > state[6][1]) - (state[6][0] < state[6][1])
            return more if self.wins else -more
        if goes_on:
            return None
        return -1 if self.stalemate == "loss" and not self.scored else 0

    def shown(self, board, square, who):
        return sum(all(board[s] == level for s, level in line) for line in self.through[who][square])

    def offered(self, before, state):
        """After the first ply the second player may swap, if the game goes on."""
        if self.swap and before == self.start:
            offer = state[:1] + (True,) + state[2:]
            return state if self.stuck(offer) is not None else offer
        return state

    def moves(self, state):
        """Every move: its text, the state after it, and the result for whoever moves, or None."""
        board, swap, last, passed, (mine, theirs), turn, lines = state
        for square in self.raises(state):
            after = bytearray(board)
            after[square] += 1
            own, other = self.shown(after, square, turn), self.shown(after, square, 1 - turn) if self.goal else 0
            other = 0 if own else other
            result, both = None, lines
            if self.most:
                both = min(lines[0] + own, self.most), min(lines[1] + other, self.most)
                own, other = both[0] == self.most, both[1] == self.most
            if own or other:
                result = 1 if bool(own) == self.wins else -1
            to = bytes(after), False, square if self.last else None, 0, (theirs, mine), 1 - turn, both[::-1]
            if result is None:
                to = self.offered(state, to)
                end = self.stuck(to)
                result = None if end is None else -end
            yield self.names[square] + self.letters[after[square]], to, result
        if self.can_pass(state):
            to = board, False, None, 0, (theirs, mine - 1), 1 - turn, lines[::-1]
            if self.passing == "free":
                to = board, False, None, passed + 1, (0, 0), 1 - turn, lines[::-1]
            else:
                to = self.offered(state, to)
            end = 0 if to[3] == 2 else self.stuck(to)
            yield "pass", to, None if end is None else -end
        if swap:  # the players exchange parts: the same part is to move
            to = board, False, None, 0, (mine, theirs), turn, lines
            end = self.stuck(to)
            yield "swap", to, None if end is None else -end

    def read(self, text):
        """The state of a position text."""
        board, *fields = text.split(",")
        if not self.board.fullmatch(board):
            fail(f"'{text}'", "a position of the game")
        rows = board.split("/")[::-1]
        levels = bytes(self.letters.index(rows[r][f]) for f, r in self.squares)
        swap, last, passed, passes, turn, lines = False, None, 0, self.start[4], None, (0, 0)
        for field in fields:
            key, _, value = field.partition("=")
            if key == "swap":
                swap = True
            elif key == "last" and value in self.names:
                last = self.names.index(value)
            elif key == "passed":
                passed += 1
            elif key == "passes" and re.fullmatch("[01]:[01]", value):
                passes = digits(value.split(":"))
            elif key in ("first", "second"):
                turn = ("first", "second").index(key)
            elif key == "lines" and re.fullmatch("[0-9]:[0-9]", value):
                lines = digits(value.split(":"))
            else:
                fail(f"',{field}'", "what this game remembers")
        return levels, swap, last, passed, passes, self.turn(levels, passes, turn), lines

    def turn(self, board, passes, told):
        if told is not None:
            return told
        if not (self.goal or self.may):
            return 0  # whose turn it is makes no difference
        return (sum(board) - sum(self.start[0]) + sum(self.start[4]) - sum(passes)) % 2


def certificates(path):
    """The texts of the certificates in a file, one after another."""
    text = sys.stdin.read() if path == "-" else open(path, encoding="utf-8").read()
    return re.split(r"\n(?=greenwave certificate 1\n)", text.rstrip("\n"))


def check(path, text):
    pattern = "\n".join(HEAD[:-2]) + "\n" + HEAD[-2] + "\n" + HEAD[-1]
    if not (head := re.match(pattern + "(?:\n|$)", text)):
        lines = text.split("\n")
        for number in range(len(HEAD) - 2):
            if not re.match("\n".join(HEAD[:number + 1]) + "\n", text):
                fail(f"no proper line like '{HEAD[number]}'", "the head of a certificate of a rule file, line by line")
        fail("rules after 'stalemate' that are not known here", "nothing, or what a game remembers but 'raises in a turn'")
    game, replies = Game(head.groupdict()), {}
    parts = game.goal or game.may
    plain = (lambda state: state) if parts else (lambda state: state[:5] + (0,) + state[6:])
    name, player, draw = head["variant"], head["winner"] or head["player"], not head["winner"]
    entries = text[head.end():].split("\n") if text[head.end():] else []
    for entry in entries:
        position, _, move = entry.partition(" ")
        state = game.read(position)
        replies[game.canonical(plain(state))] = (state, move)
    if not len(entries) == len(replies) == int(head["count"]):
        fail(f"{len(entries)} replies for {len(replies)} positions", f"{head['count']}, each for another position")
    waiting, seen, met = [(game.start, player == "first")], set(), 0
    while waiting:  # no position comes again, so this ends
        state, players_turn = waiting.pop()
        if (key := (game.canonical(plain(state)), players_turn)) in seen:
            continue
        seen.add(key)
        moves = list(game.moves(state))
        told = f"{state[0].hex()}"
        if any(result == 1 for _, _, result in moves):
            if players_turn:
                continue
            return f"{told}: the opponent can win at once"
        if not moves:
            return f"{told}: the game is over at the start"
        if not players_turn:
            if not draw and any(result == 0 for _, _, result in moves):
                return f"{told}: the opponent can end the game as a draw"
            waiting += [(to, True) for _, to, result in moves if result is None]
            continue
        if key[0] not in replies:
            return f"{told}: no reply is listed"
        met += 1
        listed, move = replies[key[0]]
        after = [(to, result) for text, to, result in game.moves(listed) if text == move]
        if not after or after[0][1] == -1 or (after[0][1] == 0 and not draw):
            return f"{listed[0].hex()}: the reply {move} is illegal or ends the game otherwise"
        if after[0][1] is None:
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
            known = {UnicodeDecodeError: "not text; decompress it first", FileNotFoundError: "no such file"}
            sys.exit(print(f"{path}: {known.get(type(error), error)}", file=sys.stderr) or 2)
        for problem in filter(None, problems):
            code = print(f"{path}: WRONG: {problem}") or 1
    sys.exit(code)
