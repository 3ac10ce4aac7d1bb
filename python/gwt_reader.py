"""A second reader of .gwt tables, written from docs/format.md and the rules pages alone.

It shares no line with the program and needs NumPy and zstandard. It reads boards, games with a strip,
noughts and crosses; Ampel, whose positions are listed, and the bag game are refused. Values are for
the player to move, in index order: value int8 (+1 won, 0 drawn, -1 lost), distance int16 (plies, positive
won, negative lost, 0 finished, -32768 drawn), points int16, nimber uint8. An index that cannot be a
position has the dtype's least value, for distances -32767.

    python gwt_reader.py solutions/classic-3x3/distance.gwt 0 256     the values of two indices
"""
import itertools
import struct
import sys
import zlib

import numpy as np
import zstandard

LEAF, DRAWN = 1 << 16, -32768


def shown(levels, line, pattern):
    """Whether squares have certain levels, at each of many positions: `levels` has a row a square."""
    return np.all([levels[square] == level for square, level in zip(line, pattern)], axis=0)


class Rules:
    """A game out of its canonical text: squares, lines with their patterns, limits, strip."""

    def __init__(self, text):
        self.said = said = text.splitlines()
        word = dict(line.split(" ", 1) for line in said)
        rows = enumerate(reversed(word["board"].split("/")))  # from rank 1 up
        squares = [(f, r) for r, row in rows for f, c in enumerate(row) if c == "#"]
        strip = "strip along one edge" in said
        if strip:  # at the east its squares s1 s2 s3 are d3 d2 d1
            squares = [(f, r) for r in range(3) for f in range(4)]
        number = {square: n for n, square in enumerate(squares)}
        self.marks = "marks of each player" in said  # 1 is X, 2 is O
        self.base, self.top = (3, 2) if self.marks else (4, int(word["levels"]))
        self.squares, length = len(squares), int(word["line-length"])
        patterns = [([mark] * length, 0) for mark in (1, 2) if self.marks]
        patterns += [([int(c) for c in line.split()[1]], int((line + " points 0").split()[3]))
                     for line in said if line.startswith("pattern ")]
        self.targets = []  # the squares of a line, their levels, its points, the square before it
        for (f, r), (x, y) in itertools.product(squares, [(1, 0), (0, 1), (1, 1), (1, -1)]):
            line = [number.get((f + i * x, r + i * y)) for i in range(length)]
            if None not in line:
                self.targets += [(line, *pattern, number.get((f - x, r - y))) for pattern in patterns]
        supply = word.get("supply", "unlimited").split()
        self.cap, self.limit = supply[0] == "cap", int(supply[1]) if len(supply) == 2 else 1 << 30
        self.wins = "completed line wins" in said
        self.moves = []  # each strip move as the square that each square's light comes from
        turned = {(f, r): (f, r) for f in range(3) for r in range(3)}
        for turns in range(4 if strip else 0):
            for flip in (False, True) if "strip turns" in said else (False,):
                if (turns or flip) and (turns != 2 or "strip slides to any side" in said):
                    from_ = turned | {(3, r): (3, 2 - r if flip else r) for r in range(3)}
                    self.moves.append([number[from_[square]] for square in squares])
            turned = {(f, r): turned[r, 2 - f] for f, r in turned}
        self.edge = [number[3, r] for r in range(3)] if "strip stays while empty" in said else []

    def has_line(self, levels, marks=(1, 2, 3)):
        """Whether a line that begins with one of these levels is there."""
        lines = [shown(levels, line, to) for line, to, *_ in self.targets if to[0] in marks]
        return np.any(lines + [np.zeros(len(levels[0]), bool)], axis=0)

    def line_points(self, levels):
        """The points of all lines that stand; a run scores once where the rules say so."""
        points = np.zeros(len(levels[0]), np.int32)
        for line, pattern, worth, before in self.targets:
            runs = "score each run" in self.said and len(set(pattern)) == 1 and before is not None
            points += worth * (shown(levels, line, pattern) & (not runs or levels[before] != pattern[0]))
        return points

    def mover(self, levels):
        """Who marks the next square, 1 or 2; 0 where the counts cannot be."""
        more = (levels == 1).sum(0) - (levels == 2).sum(0)
        return np.select([more == 0, more == 1], [1, 2])

    def wins_at_once(self, levels, free):
        """Whether the player to move can complete a line."""
        found, mover = np.zeros(len(levels[0]), bool), self.mover(levels)
        for line, pattern, *_ in self.targets:
            for at, level in enumerate(pattern):
                before = pattern[:at] + [0 if self.marks else level - 1] + pattern[at + 1:]
                found |= shown(levels, line, before) & (not self.marks or mover == level)
        may = np.any(levels[self.edge] > 0, axis=0) if self.edge else True
        for from_ in self.moves if free else []:
            found |= self.has_line(levels[from_]) & may
        return found

    def stuck_and_legal(self, levels):
        """Whether nobody can raise a square, and whether marks and supply allow the position."""
        if self.marks:
            mover = self.mover(levels)
            own = [self.has_line(levels, [mark]) & (mover == mark) for mark in (1, 2)]
            return np.all(levels > 0, axis=0), (mover > 0) & ~np.any(own, axis=0)
        fits, stuck = np.all(levels <= self.top, axis=0), np.ones(len(levels[0]), bool)
        for level in range(1, self.top + 1):
            used = (levels == level if self.cap else levels >= level).sum(0)
            fits &= used <= self.limit
            stuck &= ~np.any(levels == level - 1, axis=0) | (used >= self.limit)
        return stuck, fits


class Table:
    """One table file, checked and opened."""

    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:8] != b"\x89GWT\r\n\x1a\n" or struct.unpack_from("<I", data, 8)[0] != 1:
            raise ValueError(f"{path}: found no table of format version 1")
        crc, length, d, dl, m, ml, meta_crc, own = struct.unpack_from("<I5QII", data, 12)
        directory, meta = data[d:d + dl], data[m:m + ml]
        sums = [zlib.crc32(part) for part in (directory, meta, data[:60])]
        if length != len(data) or sums != [crc, meta_crc, own]:
            raise ValueError(f"{path}: damaged")

        def text(at):  # its length as a number, then the text; and where it ends
            end = at + 8 + struct.unpack_from("<Q", meta, at)[0]
            return meta[at + 8:end].decode(), end

        if meta[:4] != bytes(4):
            raise ValueError(f"{path}: its positions are listed or in rows, which is not read here")
        self.variant, at = text(4)
        rules, at = text(at)
        self.metric, at = text(at + 32)  # after the hash of the rules
        (self.indexable, self.nonterminal, self.packed, self.width, self.signed,
         self.frame_bits) = struct.unpack_from("<3Q3I", meta, at)
        self.rules, self.data, self.directory = Rules(rules), data, directory

    def leaves(self):
        """The number and the codes of each leaf that packs any."""
        leaves, per_frame = -(-self.indexable // LEAF), 1 << self.frame_bits - 16
        at, offset = (-(-leaves // per_frame) + 7) // 8, 64
        for first in range(0, leaves, per_frame):
            if not self.directory[first // per_frame // 8] >> first // per_frame % 8 & 1:
                continue
            stored, crc, count = struct.unpack_from("<III", self.directory, at)
            body = self.data[offset:offset + (stored & 0x7fffffff)]
            at, offset = at + 12, offset + len(body)
            if zlib.crc32(body) != crc:
                raise ValueError(f"the frame of leaf {first} is damaged")
            body = body if stored >> 31 else zstandard.ZstdDecompressor().decompress(body)
            several = min(per_frame, leaves - first)
            place = 4 * several if several > 1 else 0
            counts = struct.unpack_from(f"<{several}I", body) if place else [count]
            for leaf, count in enumerate(counts, first):
                size = (count * self.width + 7) // 8
                yield leaf, self.codes(count, body[place:place + size])
                place += size

    def codes(self, count, payload):
        if self.width >= 8:
            return np.frombuffer(payload, f"<{'ui'[self.signed]}{self.width // 8}").astype(np.int32)
        bits = np.unpackbits(np.frombuffer(payload, np.uint8), bitorder="little")
        return bits[:count * self.width].reshape(count, self.width) @ (1 << np.arange(self.width))

    def values(self):
        """The values of all indices; see the top of this page for the codes."""
        kind = {"value": np.int8, "nimber": np.uint8}.get(self.metric, np.int16)
        values = np.full(self.indexable, np.iinfo(kind).min + (self.metric == "distance"), kind)
        packed, board = dict(self.leaves()), self.rules
        powers = board.base ** np.arange(board.squares)[:, None]
        plies = np.concatenate([-np.arange(128), [DRAWN], 255 - np.arange(129, 256)])
        meant = {"value": np.array([1, -1, 0]), "distance": plies}
        undecided = board.wins and board.limit == 1 << 30 and self.metric in ("value", "distance")
        for leaf in range(-(-self.indexable // LEAF)):
            index = np.arange(leaf * LEAF, min(self.indexable, (leaf + 1) * LEAF))
            levels = (index // powers % board.base).astype(np.int8)
            stuck, legal = board.stuck_and_legal(levels)
            line = board.has_line(levels) & ("completed line scores" not in board.said)
            over, here = (stuck | line) & legal, values[leaf * LEAF:(leaf + 1) * LEAF]
            here[over] = self.ended(levels, line)[over]
            inside = legal & ~over
            if undecided:  # above the boards come those on which the strip is barred
                at_once = board.wins_at_once(levels, leaf * LEAF < board.base ** board.squares)
                here[inside & at_once] = 1
                inside &= ~at_once
            codes = packed.get(leaf, np.zeros(0, int))
            if len(codes) != inside.sum():
                raise ValueError(f"leaf {leaf}: found {len(codes)} values, expected {inside.sum()}")
            here[inside] = meant[self.metric][codes] if self.metric in meant else codes
        return values

    def ended(self, levels, line):
        """The values of finished positions."""
        if self.metric == "points":
            return -self.rules.line_points(levels) * line
        stuck = -1 if "stalemate loss" in self.rules.said else 0
        result = np.where(line, -1 if self.rules.wins else 1, stuck)
        drawn = np.where((result == 0) & (self.metric == "distance"), DRAWN, 0)
        return result if self.metric == "value" else drawn


if __name__ == "__main__":
    table = Table(sys.argv[1])
    print(table.variant, table.metric, f"{table.indexable:,} indices, {table.packed:,} packed")
    print(table.values()[[int(number) for number in sys.argv[2:]]])
