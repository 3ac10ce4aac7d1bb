#!/usr/bin/env python3
"""Compares every figure in the tables of docs/which-game.md with docs/families/*.csv, which `just designs` makes, and
checks the sentences of the page on all games. The exit code is 1 if one differs."""

import csv
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
# The rules of the last table, as columns and values.
RULES = {
    "who completes a line wins": ("play", "normal"),
    "who completes a line loses (misère)": ("play", "misere"),
    "red lines alone": ("patterns", '["111"]'),
    "green lines alone": ("patterns", '["333"]'),
    "classic lines": ("patterns", '["111", "222", "333"]'),
    "signal lines": ("patterns", '["111", "222", "333", "123"]'),
    "squares": ("board.grid", "square"),
    "hexagons": ("board.grid", "hex"),
    "lines in all directions": ("board.directions", "-"),
    "no diagonals": ("board.directions", '["rank", "file"]'),
    "diagonals alone": ("board.directions", '["diagonal"]'),
    "no edges joined": ("board.wrap", "none"),
    "left and right joined": ("board.wrap", "files"),
    "all edges joined": ("board.wrap", "both"),
    "with blocks of four": ("board.shapes", '["##/##"]'),
    "not the centre first": ("not-first", '["b2"]'),
}


# What the symmetries of the board change, so that the same lines on squares and on hexagons differ in it alone.
OF_SYMMETRIES = {"balance_pie", *(f"puzzles_{level}" for level in range(1, 6))}


def family(name):
    with (DOCS / "families" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def of_set(row):
    """The cells of a set of rules, behind those that say its rules."""
    signed = lambda figure: re.sub(r"[+-]0\.00", "0.00", f"{float(figure):+.2f}")
    balance = " ".join(signed(row[f"balance_{level}"]) for level in ("weak", "medium", "strong"))
    puzzles = sum(int(row[f"puzzles_{level}"]) for level in range(1, 6))
    return [
        f"{row['winner']} in {row['distance']}",
        balance,
        f"{100 * float(row['only_moves']):.0f} %",
        f"{float(row['drama']):.1f}",
        f"{float(row['length']):.0f}",
        f"{puzzles:,}",
    ]


def of_game(row):
    """What is measured of a game, however it is described."""
    columns = list(row)
    measures = columns[columns.index("winner") : columns.index("rules")]
    return [row[name] for name in measures if name not in OF_SYMMETRIES]


def games(rows):
    """One set of rules of each game. Those that describe the same game have the same measures."""
    return list({tuple(of_game(row)): row for row in rows}.values())


def of_rule(rows):
    """The cells of a rule: means over all games that have it."""
    rows = games(rows)
    mean = lambda column: sum(abs(float(row[column])) for row in rows) / len(rows)
    return [
        ", ".join(str(sum(row["winner"] == winner for row in rows)) for winner in ("first", "second", "draw")),
        f"{mean('balance_medium'):.2f}",
        f"{100 * mean('only_moves'):.0f} %",
        f"{mean('drama'):.2f}",
        f"{mean('length'):.1f}",
        f"{100 * mean('draws'):.0f} %",
    ]


def alike(one, other):
    """Whether two sets of rules may differ and be the same game, by the page."""
    lines, rules = "board.directions", [column for column, _ in set(RULES.values())]
    changed = {column for column in rules if one[column] != other[column]}
    if not changed:
        return True
    few = one["patterns"] != RULES["signal lines"][1] and one["board.shapes"] == "-"
    if one[lines] == RULES["no diagonals"][1]:
        return changed <= ({"board.grid", "board.wrap"} if few else {"board.grid"})
    return few and changed <= {"board.wrap"} and RULES["no edges joined"][1] not in (one["board.wrap"], other["board.wrap"])


def sentences(rows, four):
    """Sentences of the page that do not hold."""
    one_of = {}
    for row in rows:
        one_of.setdefault(tuple(of_game(row)), row)
    same = all(alike(row, other) == (of_game(row) == of_game(other)) for row in rows for other in rows)
    red = [row for row in games(rows) if row["patterns"] == RULES["red lines alone"][1]]
    only = lambda name: float(of_rule([row for row in rows if row[RULES[name][0]] == RULES[name][1]])[2].split()[0])
    lines = ("red lines alone", "green lines alone", "classic lines", "signal lines")
    held = {
        "576 sets on 3 x 3, 32 on 3 x 4, 408 games": (len(rows), len(four), len(one_of)) == (576, 32, 408),
        "which sets are the same game": same,
        "with red lines alone nobody wins, in all 96 games": [row["winner"] for row in red] == ["draw"] * 96,
        "four-21 has the most drama": max(four, key=lambda row: float(row["drama"]))["name"] == "four-21",
        "signal lines add most only moves": max(lines, key=only) == "signal lines",
    }
    return [f"false: {sentence}" for sentence, holds in held.items() if not holds]


def main():
    families = {name: family(name) for name in ("three", "four")}
    sets = {row["name"]: row for rows in families.values() for row in rows}
    compared, differing = 0, []
    for line in (DOCS / "which-game.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        name = re.fullmatch(r"`(\w+-\d+)`", cells[0])
        if name:
            found, expected = cells[2:], of_set(sets[name[1]])
        elif cells[0] in RULES:
            column, value = RULES[cells[0]]
            found, expected = cells[1:], of_rule([row for row in families["three"] if row[column] == value])
        else:
            continue
        compared += len(expected)
        differing += [f"{cells[0]}: {one}, expected {other}" for one, other in zip(found, expected) if one != other]
    differing += sentences(families["three"], families["four"])
    print(f"{compared} figures compared, {len(differing)} differ", *differing, sep="\n  ")
    return bool(differing) or not compared


if __name__ == "__main__":
    sys.exit(main())
