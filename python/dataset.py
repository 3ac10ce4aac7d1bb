"""Writes a folder that can be deposited: the published tables, positions, results, claims, puzzles and
certificates, as Parquet and CSV, with what each column means, where everything comes from, and how it
is checked.

    python dataset.py FOLDER        from the repository, with the command in $GREENWAVE or built in target/release

The folder must not be there, so that nothing of an older deposit stays in a new one.
"""

import csv
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

# The folder of this file comes last, so that Python imports the installed package, not its sources
# beside this file.
sys.path.append(sys.path.pop(0))

import blake3
import greenwave
import gwt_reader
import pyarrow
import pyarrow.csv
import pyarrow.parquet

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
SOLUTIONS = REPOSITORY / "solutions"
COMMAND = os.environ.get("GREENWAVE", str(REPOSITORY / "target" / "release" / "greenwave"))
# Positions are written out for games of at most this many indices; of larger ones there are the tables.
MOST_INDICES = 1 << 20
# Tables are written of games of at most this many indices; the few larger ones take hundreds of megabytes.
MOST_SOLVED = 1 << 33
PUZZLES = 10

POSITION_FIELDS = {
    "position": ("string", "the position: rows from the top rank down, '.' empty, R red, Y yellow, G green; X and O in noughts"),
    "value": ("string", "win, draw or loss under best play, for the player to move"),
    "distance": ("integer", "plies to the end when the winner hurries and the loser delays; empty in draws"),
    "points": ("integer", "own minus the opponent's points still to come, for the player to move"),
    "nimber": ("integer", "the Grundy value: the heap of nim that the position equals in a sum"),
    "reachable": ("boolean", "whether play can come to the position from the start"),
}
FIELDS = {
    "catalogue": {
        "variant": ("string", "name of the game with its options"),
        "rules_hash": ("string", "BLAKE3 of the canonical text of the rules"),
        "metric": ("string", "value, distance, points, odds or nimber"),
        "value": ("string", "win, draw or loss of the start for the player who begins"),
        "distance": ("integer", "plies to the end from the start under best play"),
        "points": ("integer", "points that the player who begins gets more than the other"),
        "nimber": ("integer", "Grundy value of the start"),
        "expectation": ("number", "what the player who begins can expect, in games with chance"),
        "win": ("number", "how often that player wins, of 1, in games with chance"),
        "loss": ("number", "how often that player loses, of 1, in games with chance"),
        "positions": ("integer", "positions that were solved: indices, not up to symmetry"),
        "signature": ("string", "one hash over all values, the same on every machine"),
    },
    "atlas": {
        "variant": ("string", "name of the board, ranks by files"),
        "squares": ("integer", "number of squares"),
        "positions": ("integer", "indices: 4 to the number of squares"),
        "value": ("string", "win or loss for the player who begins"),
        "winning_openings": ("string", "first moves that win, with blanks between them"),
        "won": ("integer", "unfinished positions won for the player to move; empty where not counted"),
        "lost": ("integer", "unfinished positions lost for the player to move; empty where not counted"),
        "distance": ("integer", "plies under best play; empty where only the winner is known"),
        "longest": ("integer", "largest distance of any position"),
        "nimber": ("integer", "Grundy value of the start"),
        "largest_nimber": ("integer", "largest Grundy value of any position"),
    },
    "claims": {
        "claim": ("string", "number of the claim"),
        "text": ("string", "the statement"),
        "source": ("string", "who makes it, and where"),
        "verdict": ("string", "true, false, unknown or not checkable"),
        "evidence": ("string", "what was found"),
        "witness": ("string", "a position or line of play that shows it"),
        "positions_examined": ("integer", "positions that were looked at"),
        "signature": ("string", "signature of the first values that were used"),
        "note": ("string", "how the words were read"),
    },
    "puzzles": {
        "variant": ("string", "name of the game with its options"),
        "position": ("string", "the position; exactly one move wins"),
        "level": ("integer", "difficulty from 1 (easy) to 5"),
        "solution": ("string", "the main line, with blanks between the moves"),
        "only_moves": ("integer", "moves of the solution that are the only ones"),
        "distance": ("integer", "plies to the win"),
    },
    "signatures": {
        "file": ("string", "the table"),
        "variant": ("string", "name of the game with its options"),
        "metric": ("string", "value, distance, points or nimber"),
        "signature": ("string", "the signature that the table states, and its values have"),
        "rules_hash": ("string", "BLAKE3 of the rules text in the table"),
    },
}
ARROW = {"string": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64(), "boolean": pyarrow.bool_()}


def command_json(*words):
    """The documents that the command answers with, one a line."""
    done = subprocess.run([COMMAND, "--json", "--quiet", *words], stdout=subprocess.PIPE, check=False, cwd=REPOSITORY)
    if done.returncode not in (0, 1):
        sys.exit(f"'{COMMAND} {' '.join(words)}' failed with exit code {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Deposit:
    """The folder, and what has been written into it."""

    def __init__(self, folder):
        self.folder = folder
        self.resources = []
        folder.mkdir(parents=True)

    def write(self, name, table, fields, title):
        """Writes a table twice and describes it once."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        pyarrow.parquet.write_table(table, f"{path}.parquet", compression="zstd")
        with open(f"{path}.csv", "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(table.column_names)
            for batch in table.to_batches():
                columns = [column.to_pylist() for column in batch.columns]
                rows.writerows(tuple(map(written, row)) for row in zip(*columns))
        described = [{"name": key, "type": fields[key][0], "description": fields[key][1]} for key in table.column_names]
        slug = name.replace("/", "-").replace("_", "-").lower()
        for ending, kind in (("csv", "text/csv"), ("parquet", "application/vnd.apache.parquet")):
            data = pathlib.Path(f"{path}.{ending}").read_bytes()
            resource = {
                "name": slug if ending == "csv" else f"{slug}-parquet",
                "type": "table" if ending == "csv" else "file",
                "path": f"{name}.{ending}",
                "title": title,
                "format": ending,
                "mediatype": kind,
                "bytes": len(data),
                "hash": "sha256:" + hashlib.sha256(data).hexdigest(),
            }
            if ending == "csv":
                resource.update(encoding="utf-8", schema={"fields": described, "missingValues": [""]})
            self.resources.append(resource)

    def rows(self, name, rows, title):
        """The same for rows as dicts; lists become texts with blanks between their items."""
        fields = FIELDS[name]
        columns = {}
        for key, (kind, _) in fields.items():
            cells = [row.get(key) for row in rows]
            cells = [" ".join(cell) if isinstance(cell, list) else cell for cell in cells]
            if kind == "string":
                cells = [cell if cell is None else str(cell) for cell in cells]
            columns[key] = pyarrow.array(cells, ARROW[kind])
        self.write(name, pyarrow.table(columns), fields, title)


def written(cell):
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else cell


def catalogue():
    """The rows of the published results, with their types."""
    with open(SOLUTIONS / "published.tsv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            kinds = {"integer": int, "number": float, "string": str}
            yield {key: kinds[FIELDS["catalogue"][key][0]](cell) if cell else None for key, cell in row.items()}


def published_tables():
    listed = subprocess.run(["git", "ls-files", "solutions/*.gwt"], cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
    return [REPOSITORY / line for line in listed.stdout.splitlines()]


def table_files(deposit, rows):
    """The table of every row of the catalogue that is not too large: the published one, else one that is solved now."""
    tables = deposit.folder / "tables"
    for path in published_tables():
        copy = tables / path.parent.name / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    for row in rows:
        if row["positions"] <= MOST_SOLVED:
            command_json("solve", row["variant"], "--metric", row["metric"], "--dir", str(tables))
    return sorted(tables.glob("*/*.gwt"))


def positions(deposit, tables):
    """Every unfinished position of the smaller games with all that is known of it."""
    for entry in command_json("variants"):
        variant = entry["variant"]
        if not entry["exact"] or entry["indexable"] > MOST_INDICES or entry["family"] in ("bag", "ampel"):
            continue
        fields = ["value"] + [metric for metric in ("distance", "points", "nimber") if metric in entry["metrics"]]
        found = pyarrow.table(tables.find(variant, "1 = 1", [*fields, "reachable"]))
        found = found.set_column(1, "value", found["value"].cast(pyarrow.string()))
        slug = variant.replace(":", "_").replace("=", "-").replace(",", "_")
        deposit.write(f"positions/{slug}", found, POSITION_FIELDS, f"All unfinished positions of {variant}")


def puzzles():
    for variant in ("classic-3x3", "signal-3x3"):
        for level in range(1, 6):
            yield from command_json("puzzle", variant, "--count", str(PUZZLES), "--level", str(level), "--seed", "1")


def signatures(deposit, rows):
    stated = {(row["variant"], row["metric"]): row["signature"] for row in rows}
    for path in table_files(deposit, rows):
        header = command_json("info", str(path))[0]
        if stated.get((header["variant"], header["metric"]), header["signature"]) != header["signature"]:
            sys.exit(f"'{path}' has the signature {header['signature']}, not that of the catalogue")
        yield {
            "file": str(path.relative_to(deposit.folder)),
            "variant": header["variant"],
            "metric": header["metric"],
            "signature": header["signature"],
            "rules_hash": header["rules_hash"],
        }


def describe(deposit):
    """The data dictionary, the datasheet and the description for programs."""
    lines = ["# Data dictionary", "", "Values are for the player to move; distances are in plies, one player's moves. An empty cell means: there is none."]
    for resource in deposit.resources:
        if resource["format"] == "csv":
            lines += ["", f"## {resource['path'][:-4]}", "", f"{resource['title']}; `.csv` and `.parquet`.", "", "| column | type | meaning |", "| --- | --- | --- |"]
            lines += [f"| `{f['name']}` | {f['type']} | {f['description']} |" for f in resource["schema"]["fields"]]
    (deposit.folder / "DATA_DICTIONARY.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    citation = command_json("cite")[0]["text"]
    sheet = (pathlib.Path(__file__).parent / "datasheet.md").read_text(encoding="utf-8")
    (deposit.folder / "README.md").write_text(sheet.replace("{citation}", citation), encoding="utf-8")
    package = {
        "name": "greenwave-solved-games",
        "title": "Solved games of the Traffic Lights family",
        "description": "Values of all positions, results, claims, puzzles and certificates; see README.md",
        "licenses": [
            {"name": "MIT", "path": "https://opensource.org/license/mit"},
            {"name": "Apache-2.0", "path": "https://www.apache.org/licenses/LICENSE-2.0"},
        ],
        "resources": deposit.resources,
    }
    (deposit.folder / "datapackage.json").write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")


def checksums(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for name, digest in (("SHA256SUMS", lambda data: hashlib.sha256(data).hexdigest()), ("B3SUMS", lambda data: blake3.blake3(data).hexdigest())):
        lines = [f"{digest(path.read_bytes())}  {path.relative_to(folder).as_posix()}\n" for path in files]
        (folder / name).write_text("".join(lines), encoding="utf-8")


def main(folder):
    if folder.exists():
        sys.exit(f"'{folder}' is there already; name a folder that is not, or remove it")
    os.chdir(REPOSITORY)
    deposit, tables = Deposit(folder.resolve()), greenwave.Tablebase(SOLUTIONS)
    rows = list(catalogue())
    deposit.rows("catalogue", rows, "Results of the catalogue")
    deposit.rows("atlas", json.loads((SOLUTIONS / "atlas.json").read_text(encoding="utf-8")), "Who wins on all boards that were solved")
    deposit.rows("claims", tables.check(), "Public claims, settled")
    deposit.rows("puzzles", list(puzzles()), "Positions with exactly one winning move")
    deposit.rows("signatures", list(signatures(deposit, rows)), "Tables and their signatures")
    positions(deposit, tables)
    (deposit.folder / "certificates").mkdir()
    for path in sorted(SOLUTIONS.glob("*/certificate.txt*")):
        shutil.copyfile(path, deposit.folder / "certificates" / f"{path.parent.name}{''.join(path.suffixes)}")
    for path in (SOLUTIONS / "check_certificate.py", pathlib.Path(gwt_reader.__file__), pathlib.Path(__file__).parent / "verify_deposit.py", REPOSITORY / "docs" / "format.md"):
        shutil.copyfile(path, deposit.folder / path.name)
    describe(deposit)
    checksums(deposit.folder)
    print(f"{folder}: {sum(path.is_file() for path in folder.rglob('*'))} files")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
