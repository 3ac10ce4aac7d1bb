"""Verifies a deposit of solved games, with Python, zstandard and blake3 alone.

    python verify_deposit.py [FOLDER]       the folder of this script, if none is named

Checks that every file has its checksum and none is missing or added. Checks that every table is
whole, has rules with the hash that it states, and values with the signature that it states (format.md
defines it). Checks that every certificate wins. Exit 0: all is correct; 1: something is not.
"""

import csv
import pathlib
import struct
import subprocess
import sys
import zlib

import blake3
import zstandard

LEAF_BITS = 16


def read_header(data):
    """The metadata of a table, as far as they are checked, and its directory."""
    if data[:8] != b"\x89GWT\r\n\x1a\n" or struct.unpack_from("<I", data, 8)[0] != 1:
        raise ValueError("no table of format version 1")
    directory_crc, length, at, size, meta_at, meta_size, meta_crc, own = struct.unpack_from("<I5QII", data, 12)
    directory, meta = data[at:at + size], data[meta_at:meta_at + meta_size]
    if length != len(data) or [directory_crc, meta_crc, own] != [zlib.crc32(part) for part in (directory, meta, data[:60])]:
        raise ValueError("damaged")
    place = 4
    if struct.unpack_from("<I", meta)[0] != 0:
        place += 8  # the number of positions that the list stands for

    def take(form):
        nonlocal place
        found = struct.unpack_from("<" + form, meta, place)
        place += struct.calcsize("<" + form)
        return found[0] if len(found) == 1 else found

    def text():
        return take(f"{take('Q')}s").decode()

    variant, rules, rules_hash, metric = text(), text(), take("32s"), text()
    indexable, _, packed, width, _, frame_bits = take("QQQIII")
    return {
        "variant": variant, "rules": rules, "rules_hash": rules_hash, "metric": metric, "indexable": indexable,
        "packed": packed, "width": width, "frame_bits": frame_bits, "signature": take("32s"), "directory": directory,
    }


def leaf_hashes(data, header):
    """The hashes of the leaves that pack any values, in order; the packed values are counted."""
    leaves, per_frame = -(-header["indexable"] // (1 << LEAF_BITS)), 1 << header["frame_bits"] - LEAF_BITS
    directory, width = header["directory"], header["width"]
    place, offset, packed = (-(-leaves // per_frame) + 7) // 8, 64, 0
    for frame, first in enumerate(range(0, leaves, per_frame)):
        if not directory[frame // 8] >> frame % 8 & 1:
            continue
        stored, crc, count = struct.unpack_from("<III", directory, place)
        body = data[offset:offset + (stored & 0x7FFFFFFF)]
        place, offset = place + 12, offset + len(body)
        if zlib.crc32(body) != crc:
            raise ValueError(f"frame {frame} is damaged")
        if not stored >> 31:
            body = zstandard.ZstdDecompressor().decompress(body)
        several = min(per_frame, leaves - first)
        at = 4 * several if several > 1 else 0
        counts = struct.unpack_from(f"<{several}I", body) if at else (count,)
        for leaf, number in enumerate(counts, first):
            size = (number * width + 7) // 8
            if number:
                yield blake3.blake3(struct.pack("<QI", leaf, number) + body[at:at + size]).digest()
            at, packed = at + size, packed + number
    if packed != header["packed"]:
        raise ValueError(f"found {packed} values, the table states {header['packed']}")


def check_table(path, expected):
    """Raises what is wrong with a table."""
    data = path.read_bytes()
    header = read_header(data)
    if blake3.blake3(header["rules"].encode()).digest() != header["rules_hash"]:
        raise ValueError("the rules hash is not that of the rules")
    name = header["metric"].encode()
    made = blake3.blake3(b"greenwave table signature 1\n" + header["rules_hash"])
    made.update(struct.pack("<I", len(name)) + name + struct.pack("<I", header["width"]))
    for leaf in leaf_hashes(data, header):
        made.update(leaf)
    if made.digest() != header["signature"]:
        raise ValueError(f"its values have the signature {made.hexdigest()}, it states {header['signature'].hex()}")
    stated = {key: header[key] for key in ("variant", "metric")}
    stated.update(signature=header["signature"].hex(), rules_hash=header["rules_hash"].hex())
    for key, value in stated.items():
        if expected[key] != value:
            raise ValueError(f"signatures.csv has {key} {expected[key]}, the table {value}")


def check_sums(folder):
    """What is wrong with the files."""
    listed = dict(reversed(line.split("  ", 1)) for line in (folder / "B3SUMS").read_text().splitlines())
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    there -= {"B3SUMS", "SHA256SUMS"} | {name for name in there if "__pycache__" in name}
    for name in sorted(listed.keys() | there):
        if name not in there:
            yield f"{name}: is missing"
        elif name not in listed:
            yield f"{name}: has no checksum"
        elif blake3.blake3((folder / name).read_bytes()).hexdigest() != listed[name]:
            yield f"{name}: does not have its checksum"


def check_certificate(folder, path):
    """The fault of a certificate; nothing if it wins."""
    text = path.read_bytes()
    if path.suffix == ".zst":
        text = zstandard.ZstdDecompressor().decompressobj().decompress(text)
    done = subprocess.run([sys.executable, str(folder / "check_certificate.py"), "-"], input=text, capture_output=True, check=False)
    return None if done.returncode == 0 else (done.stdout + done.stderr).decode().strip()


def main(folder):
    problems = list(check_sums(folder))
    with open(folder / "signatures.csv", encoding="utf-8", newline="") as file:
        tables = list(csv.DictReader(file))
    for row in tables:
        try:
            check_table(folder / row["file"], row)
        except (OSError, ValueError, struct.error, zstandard.ZstdError) as error:
            problems.append(f"{row['file']}: {error}")
    certificates = sorted((folder / "certificates").iterdir())
    for path in certificates:
        problem = check_certificate(folder, path)
        if problem:
            problems.append(f"certificates/{path.name}: {problem}")
    for problem in problems:
        print(problem)
    if not problems:
        print(f"all files, {len(tables)} tables and {len(certificates)} certificates are as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    named = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    sys.exit(main(named.resolve()))
