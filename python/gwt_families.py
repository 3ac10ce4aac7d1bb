"""A second reader of .gwt tables of large boards, whose format version 2 has families instead of leaves.

Like gwt_reader.py, whose rules of games it takes, it is written from docs/format.md alone and shares no
line with the program. It reads the values of single indices, not of the whole board. An
index is the number whose base-4 digits are the levels of the squares.

    python gwt_families.py solutions/signal-4x6/value.gwt 0 256     the values of two indices
"""
import mmap
import struct
import sys
import zlib

import numpy as np
import zstandard

from gwt_reader import Rules, Table

ENTRY = np.dtype([("key", "<u8"), ("stored", "<u4"), ("crc", "<u4"), ("packed", "<u4"), ("families", "<u4")])


class FamilyTable(Table):
    """One table file of families, checked and opened."""

    def __init__(self, path):
        with open(path, "rb") as file:  # never read as a whole: it may have many gigabytes
            self.data = data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if data[:8] != b"\x89GWT\r\n\x1a\n" or struct.unpack_from("<I", data, 8)[0] != 2:
            raise ValueError(f"{path}: found no table of format version 2")
        crc, length, d, dl, m, ml, meta_crc, own = struct.unpack_from("<I5QII", data, 12)
        self.directory, meta = data[d:d + dl], data[m:m + ml]
        sums = [zlib.crc32(part) for part in (self.directory, meta, data[:60])]
        if length != len(data) or sums != [crc, meta_crc, own]:
            raise ValueError(f"{path}: damaged")

        def items(at):  # their number, then a byte each; and where they end
            end = at + 8 + struct.unpack_from("<Q", meta, at)[0]
            return meta[at + 8:end], end

        self.squares, at = items(4)  # after the index scheme, which is that of families in version 2
        self.near, count = struct.unpack_from("<IQ", meta, at)
        at, self.symmetries = at + 12, []
        for _ in range(count):
            symmetry, at = items(at)
            self.symmetries.append(symmetry)
        variant, at = items(at)
        rules, at = items(at)
        metric, at = items(at + 32)  # after the hash of the rules
        self.indexable, self.nonterminal, self.packed, self.width = struct.unpack_from("<3QI", meta, at)
        self.variant, self.metric, self.rules = variant.decode(), metric.decode(), Rules(rules.decode())
        self.read_directory(path)

    def read_directory(self, path):
        waves, at = struct.unpack_from("<I", self.directory)[0], 4
        heads = [struct.unpack_from("<II", self.directory, at + 8 * wave) for wave in range(waves)]
        self.entries = np.frombuffer(self.directory, ENTRY, offset=at + 8 * waves)
        ends = np.cumsum(self.entries["stored"].astype(np.int64) & 0x7fffffff)
        self.offsets = 64 + np.concatenate([[0], ends])
        self.waves, first = {}, 0  # sum of far levels: number of the first frame, and of the first one after
        for level_sum, frames in heads:
            self.waves[level_sum] = first, first + frames
            first += frames
        if first != len(self.entries) or self.entries["packed"].sum() != self.packed:
            raise ValueError(f"{path}: its directory contradicts itself")

    def plain(self, frame):
        """The plain bytes of a frame."""
        entry, offset = self.entries[frame], int(self.offsets[frame])
        body = self.data[offset:int(self.offsets[frame + 1])]
        if zlib.crc32(body) != entry["crc"]:
            raise ValueError(f"frame {frame} is damaged")
        return body if entry["stored"] >> 31 else zstandard.ZstdDecompressor().decompress(body)

    def families(self, frame):
        """The key and the codes of each family of a frame."""
        entry, body, numbers, at = self.entries[frame], self.plain(frame), [], 0
        while len(numbers) < 2 * entry["families"] - 1:  # a count, then a step of the key and a count
            end = next(end for end in range(at, len(body)) if body[end] < 128) + 1
            numbers.append(sum((byte & 127) << 7 * n for n, byte in enumerate(body[at:end])))
            at = end
        key, all_of_it = int(entry["key"]), []
        for count, step in zip(numbers[::2], [*numbers[1::2], 0]):
            size = (count * self.width + 7) // 8
            all_of_it.append((key, self.codes(count, body[at:at + size])))
            key, at = key + step, at + size
        return all_of_it

    def family(self, key):
        """The codes of a family; none where it is not stored."""
        sums = sum(key >> 2 * digit & 3 for digit in range(len(self.squares) - self.near))
        first, end = self.waves.get(sums, (0, 0))
        frame = first + np.searchsorted(self.entries["key"][first:end], key, side="right") - 1
        return dict(self.families(frame) if frame >= first else []).get(key, np.zeros(0, int))

    def value(self, index):
        """The value of an index; see gwt_reader.py for what the numbers mean."""
        levels = [index >> 2 * square & 3 for square in range(len(self.squares))]
        values, inside = self.settled(np.array(levels, np.int8)[:, None])
        if not inside[0]:
            return int(values[0])
        images = []
        for symmetry in self.symmetries:
            image = dict(zip(symmetry, levels))
            digits = [image[square] for square in self.squares]
            near, far = digits[:self.near], digits[self.near:]
            images.append([sum(level << 2 * n for n, level in enumerate(part)) for part in (far, near)])
        key, place = min(images)
        codes, packed = self.family(key), self.packed_places(key)
        if len(codes) != packed.sum():
            raise ValueError(f"family {key}: found {len(codes)} values, expected {packed.sum()}")
        return [1, -1][codes[packed[:place].sum()]]

    def packed_places(self, key):
        """Whether each place of a family has a value in the table."""
        places = np.arange(1 << 2 * self.near)
        levels = np.zeros((len(self.squares), len(places)), np.int8)
        for digit, square in enumerate(self.squares):
            near = digit < self.near
            levels[square] = places >> 2 * digit & 3 if near else key >> 2 * (digit - self.near) & 3
        return self.settled(levels)[1]

    def settled(self, levels):
        """The values that the rules give away, and whether the table has to tell a position's."""
        stuck, legal = self.rules.stuck_and_legal(levels)
        line = self.rules.has_line(levels)
        values, inside = self.ended(levels, line), legal & ~line & ~stuck
        if self.rules.wins:
            at_once = self.rules.wins_at_once(levels, True)
            values, inside = np.where(inside & at_once, 1, values), inside & ~at_once
        return values, inside


if __name__ == "__main__":
    table = FamilyTable(sys.argv[1])
    print(table.variant, table.metric, f"{table.indexable:,} indices, {table.packed:,} packed")
    print([table.value(int(number)) for number in sys.argv[2:]])
