"""The second reader, written from the pages alone, agrees with the program."""

import importlib.util
import pathlib
import random
import sys

import greenwave
import numpy
import pyarrow
import pytest
from conftest import REPOSITORY


def of_file(name):
    """A module by its file alone: with its folder on the path, processes that tests start would find the
    sources of the package beside it and not the package."""
    specification = importlib.util.spec_from_file_location(name, REPOSITORY / "python" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


gwt_reader, gwt_families = of_file("gwt_reader"), of_file("gwt_families")

TABLES = sorted((REPOSITORY / "solutions").glob("*/*.gwt"))
# Tables of up to this many indices; the others are read with --large.
QUICK = 600_000


def of_boards(path):
    return not path.parent.name.startswith(("ampel", "bag"))


@pytest.mark.parametrize("path", list(filter(of_boards, TABLES)), ids=lambda path: "/".join(path.parts[-2:]))
def test_every_value_of_a_published_table_is_read_alike(path, request):
    table = gwt_reader.Table(path)
    if table.indexable > QUICK and not request.config.getoption("--large"):
        pytest.skip("one of the large tables: --large")
    ours = greenwave.Tablebase(REPOSITORY / "solutions").values(table.variant, table.metric)
    theirs = table.values()
    assert theirs.dtype == ours.dtype and (theirs == ours).all()


def test_more_than_a_hundred_thousand_values_are_compared():
    quick = [gwt_reader.Table(path).indexable for path in filter(of_boards, TABLES)]
    assert sum(indices for indices in quick if indices <= QUICK) >= 100_000


@pytest.mark.parametrize(
    "variant, metric",
    [
        ("noughts-3x3:play=misere", "distance"),
        ("signal-2x3", "distance"),
        ("classic-2x3:stalemate=loss,supply=pool2", "distance"),
        ("points-2x4:four=once", "points"),
        ("points-2x3:end=play-on", "points"),
    ],
)
def test_options_are_read_alike(tmp_path, variant, metric):
    tables = greenwave.Tablebase(tmp_path)
    solved = tables.solve(variant, metric)
    table = gwt_reader.Table(solved["file"])
    assert (table.values() == tables.values(variant, metric)).all()


def test_tables_that_are_not_read_are_refused(tmp_path):
    for path in TABLES:
        if not of_boards(path):
            with pytest.raises(ValueError, match="not read here"):
                gwt_reader.Table(path)
    damaged = bytearray(TABLES[-1].read_bytes())
    damaged[-1] ^= 1
    file = tmp_path / "damaged.gwt"
    file.write_bytes(damaged)
    with pytest.raises(ValueError, match="damaged"):
        gwt_reader.Table(file)


# 4²⁴ positions, of which red alone leaves few undecided.
LARGE = 'patterns = ["111"]\n[board]\nsize = "4x6"\nlevels = 1\n'


def test_values_of_a_large_board_are_read_alike(tmp_path):
    rules = tmp_path / "large.toml"
    rules.write_text(LARGE)
    tables = greenwave.Tablebase(tmp_path)
    solved = tables.solve(str(rules), "value")
    table = gwt_families.FamilyTable(solved["file"])
    boards, ours = [], []
    for frame in range(len(table.entries)):
        for key, codes in table.families(frame):
            for place, code in zip(numpy.flatnonzero(table.packed_places(key)), codes, strict=True):
                levels, rest = [0] * 24, int(place) | key << 2 * table.near
                for digit, square in enumerate(table.squares):
                    levels[square] = rest >> 2 * digit & 3
                boards.append(levels)
                ours.append([1, -1][code])
    assert len(boards) == table.packed
    dice = random.Random(1)
    for _ in range(200):
        raised = dice.sample(range(24), dice.choice([3, 4, 5]))
        boards.append([int(square in raised) for square in range(24)])
        ours.append(table.value(sum(1 << 2 * square for square in raised)))
    lights = ["".join(".R"[level] for level in levels) for levels in boards]
    texts = ["/".join(light[rank:rank + 6] for rank in (18, 12, 6, 0)) for light in lights]
    asked = tables.query_many(str(rules), texts)
    theirs = [{"win": 1, "loss": -1}[value] for value in pyarrow.table(asked)["value"].to_pylist()]
    assert ours == theirs
    with pytest.raises(ValueError, match="format version 1"):
        gwt_reader.Table(solved["file"])


def test_it_has_at_most_two_hundred_lines():
    text = pathlib.Path(gwt_reader.__file__).read_text()
    assert len(text.splitlines()) <= 200
    assert numpy.__name__ in text
