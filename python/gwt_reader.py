"""A second reader of .gwt tables, written from docs/format.md and the rules pages alone.

It shares no line with the program that writes the tables and needs NumPy and zstandard. It reads
boards and games with a strip; Ampel, the bag game and noughts and crosses number their positions in
ways of their own and are refused.

    python gwt_reader.py solutions/classic-3x3/distance.gwt          what the file says of itself
    python gwt_reader.py solutions/classic-3x3/distance.gwt 0 256    the values of two indices

All values are for the player to move. `values()` gives an array in index order: value int8 (+1 won,
0 drawn, -1 lost), distance int16 (positive won, negative lost in so many plies, 0 finished, -32768
drawn), points int16, nimber uint8; an index that cannot be a position has the dtype's least value,
for distances -32767.
"""
import itertools
import struct
import sys
import zlib

import numpy as np
import zstandard

LEAF, DRAWN = 1 << 16, -32768


def all_of(conditions):
    return np.logical_and.reduce(list(conditions))


class Rules:
    """A game out of its canonical text: squares, lines, patterns, limits, strip."""

    def __init__(self, text):
        self.said = set(text.splitlines())
        if "\nlevels " not in text:
            raise ValueError("found a game without levels, expected a board or a strip game")
        word = {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in text.splitlines()}
        rows = word["board"].split("/")[::-1]  # from rank 1 up
        squares = [(f, r) for r, row in enumerate(rows) for f, c in enumerate(row) if c == "#"]
        self.strip = "strip along one edge" in self.said
        if self.strip:  # at the east its squares s1 s2 s3 are d3 d2 d1
            squares = [(f, r) for r in range(3) for f in range(4)]
        self.number = {square: n for n, square in enumerate(squares)}
        self.top = int(word["levels"])
        length = int(word["line-length"])
        self.patterns = [
            ([int(c) for c in line.split()[1]], int(line.split()[3]) if "points" in line else 0)
            for line in text.splitlines() if line.startswith("pattern ")]
        ways = itertools.product(squares, [(1, 0), (0, 1), (1, 1), (1, -1)])
        lines = [[(f + i * x, r + i * y) for i in range(length)] for (f, r), (x, y) in ways]
        self.lines = [line for line in lines if all(square in self.number for square in line)]
        self.each = list(itertools.product(self.lines, self.patterns))
        supply = word["supply"].split()
        self.limit = (supply[0], int(supply[1])) if len(supply) == 2 else None
        self.wins = "completed line wins" in self.said
        self.undecided = self.wins and self.limit is None
        self.size = 4 ** len(squares)
        # Each strip move as the square that each square's light comes from.
        self.moves = []
        if self.strip:
            main = {(f, r): (f, r) for f in range(3) for r in range(3)}
            quarter = {(f, r): (r, 2 - f) for f, r in main}  # a rotation of the main board
            for turns in range(4):
                beside = turns != 2 or "strip slides to any side" in self.said
                for turned in (False, True):
                    if (turns or turned) and beside and (not turned or "strip turns" in self.said):
                        from_ = dict(main) | {(3, r): (3, 2 - r if turned else r) for r in range(3)}
                        self.moves.append([self.number[from_[square]] for square in squares])
                main = {square: quarter[main[square]] for square in main}

    def has_line(self, levels):
        """Whether a line is completed, at each of many positions."""
        found = np.zeros(len(levels[0]), bool)
        for line, (pattern, _) in self.each:
            found |= all_of(levels[self.number[square]] == p for square, p in zip(line, pattern))
        return found

    def line_points(self, levels):
        """The points of all lines that stand; a run scores once where the rules say so."""
        points = np.zeros(len(levels[0]), np.int32)
        for line, (pattern, worth) in self.each:
            stands = [levels[self.number[square]] == level for square, level in zip(line, pattern)]
            (f, r), (g, s) = line[0], line[1]
            before = self.number.get((2 * f - g, 2 * r - s))
            if "score each run" in self.said and len(set(pattern)) == 1 and before is not None:
                stands.append(levels[before] != pattern[0])
            points += worth * all_of(stands)
        return points

    def wins_at_once(self, levels, free):
        """Whether the player to move can complete a line."""
        found = np.zeros(len(levels[0]), bool)
        for line, (pattern, _) in self.each:
            here = [levels[self.number[square]] for square in line]
            for raised in (i for i, level in enumerate(pattern) if level > 0):
                found |= all_of(here[i] + (i == raised) == p for i, p in enumerate(pattern))
        for from_ in self.moves if free else []:
            may = True
            if "strip stays while empty" in self.said:
                may = np.logical_or.reduce([levels[self.number[3, r]] > 0 for r in range(3)])
            found |= self.has_line([levels[n] for n in from_]) & may
        return found

    def stuck_and_legal(self, levels):
        """Whether nobody can move, and whether the supply allows the position."""
        fits = all_of(level <= self.top for level in levels)
        stuck = np.ones(len(levels[0]), bool)
        for level in range(1, self.top + 1):
            may = np.logical_or.reduce([cell == level - 1 for cell in levels])
            if self.limit:
                at = (lambda c: c == level) if self.limit[0] == "cap" else (lambda c: c >= level)
                used = sum(at(cell).astype(np.int32) for cell in levels)
                fits, may = fits & (used <= self.limit[1]), may & (used < self.limit[1])
            stuck &= ~may
        return stuck, fits


class Table:
    """One table file, checked and opened."""

    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:8] != b"\x89GWT\r\n\x1a\n" or struct.unpack_from("<I", data, 8)[0] != 1:
            raise ValueError(f"{path}: found no table of format version 1")
        crc, length, d, dl, m, ml, meta_crc, own = struct.unpack_from("<I5QII", data, 12)
        directory, meta = data[d:d + dl], data[m:m + ml]
        sums = (zlib.crc32(directory), zlib.crc32(meta), zlib.crc32(data[:60]))
        if length != len(data) or sums != (crc, meta_crc, own):
            raise ValueError(f"{path}: damaged")
        at = 0

        def take(form):  # bincode 2: little-endian, fixed width
            nonlocal at
            at += struct.calcsize("<" + form)
            found = struct.unpack_from("<" + form, meta, at - struct.calcsize("<" + form))
            return found[0] if len(found) == 1 else found

        def text():
            return take(f"{take('Q')}s").decode()

        if take("I") != 0:
            raise ValueError(f"{path}: its positions are listed or in rows, which is not read here")
        self.variant, self.text, self.hash, self.metric = text(), text(), take("32s"), text()
        self.indexable, self.nonterminal, self.packed = take("QQQ")
        self.width, self.signed, self.frame_bits, self.signature, self.program = (
            *take("III"), take("32s"), text())
        self.rules, self.data = Rules(self.text), data
        frames = -(-self.indexable // (1 << self.frame_bits))
        at, offset, self.frames = (frames + 7) // 8, 64, {}
        for frame in range(frames):
            if directory[frame // 8] >> frame % 8 & 1:
                stored, crc, count = struct.unpack_from("<III", directory, at)
                self.frames[frame] = (offset, stored & 0x7fffffff, stored >> 31, crc, count)
                at, offset = at + 12, offset + (stored & 0x7fffffff)

    def leaves(self):
        """Number, count of packed positions and payload of each leaf that has any."""
        per_frame = 1 << self.frame_bits - 16
        for frame, (offset, stored, plain, crc, count) in self.frames.items():
            body = self.data[offset:offset + stored]
            if zlib.crc32(body) != crc:
                raise ValueError(f"frame {frame} is damaged")
            body = body if plain else zstandard.ZstdDecompressor().decompress(body)
            first = frame * per_frame
            number = min(per_frame, -(-self.indexable // LEAF) - first)
            counts = struct.unpack_from(f"<{number}I", body) if number > 1 else (count,)
            at = 4 * number if number > 1 else 0
            for leaf, count in enumerate(counts):
                size = (count * self.width + 7) // 8
                if count:
                    yield first + leaf, count, body[at:at + size]
                at += size

    def codes(self, count, payload):
        """The codes of a leaf's packed positions."""
        if self.width >= 8:
            kind = f"<{'i' if self.signed else 'u'}{self.width // 8}"
            return np.frombuffer(payload, kind).astype(np.int32)
        bits = np.unpackbits(np.frombuffer(payload, np.uint8), bitorder="little")
        bits = bits[:count * self.width].reshape(count, self.width)
        return (bits << np.arange(self.width, dtype=np.uint8)).sum(1).astype(np.int32)

    def values(self):
        """The values of all indices; see the top of this page for the codes."""
        kind = {"value": np.int8, "distance": np.int16, "points": np.int16, "nimber": np.uint8}
        least = np.iinfo(kind[self.metric]).min + (self.metric == "distance")
        values = np.full(self.indexable, least, kind[self.metric])
        packed, board = {leaf: rest for leaf, *rest in self.leaves()}, self.rules
        for leaf in range(-(-self.indexable // LEAF)):
            index = np.arange(leaf * LEAF, min(self.indexable, (leaf + 1) * LEAF))
            levels = [(index >> 2 * n & 3).astype(np.int8) for n in range(len(board.number))]
            stuck, legal = board.stuck_and_legal(levels)
            line = board.has_line(levels) & ("completed line scores" not in board.said)
            over, here = (stuck | line) & legal, values[leaf * LEAF:(leaf + 1) * LEAF]
            here[over] = self.ended(levels, line, stuck)[over]
            at_once = legal & ~over & board.undecided & (self.metric in ("value", "distance"))
            if at_once.any():
                at_once &= board.wins_at_once(levels, leaf * LEAF < board.size)
                here[at_once] = 1
            inside = np.flatnonzero(legal & ~over & ~at_once)
            count, payload = packed.get(leaf, (0, b""))
            if count != len(inside):
                raise ValueError(f"leaf {leaf}: found {count} values, expected {len(inside)}")
            codes = self.codes(count, payload)
            if self.metric == "value":
                codes = np.array([1, -1, 0, 0])[codes]
            elif self.metric == "distance":
                lost = np.where(codes == 128, DRAWN, -codes)
                codes = np.where(codes > 128, 255 - codes, lost)
            here[inside] = codes
        return values

    def ended(self, levels, line, stuck):
        """What finished positions are worth."""
        if self.metric in ("nimber", "distance"):
            drawn = stuck & ~line & ("stalemate loss" not in self.rules.said)
            return np.where(drawn & (self.metric == "distance"), DRAWN, 0)
        if self.metric == "points":
            return np.where(line, -self.rules.line_points(levels), 0)
        result = -1 if self.rules.wins else 1
        return np.where(line, result, -1 if "stalemate loss" in self.rules.said else 0)


if __name__ == "__main__":
    table = Table(sys.argv[1])
    print(table.variant, table.metric, f"{table.indexable:,} indices, {table.packed:,} packed")
    found = table.values() if sys.argv[2:] else []
    for number in sys.argv[2:]:
        print(number, found[int(number)])
