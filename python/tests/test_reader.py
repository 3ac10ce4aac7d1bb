"""The second reader, written from the pages alone, agrees with the program."""

import importlib.util
import pathlib

import greenwave
import numpy
import pytest
from conftest import REPOSITORY

# By its file alone: with its folder on the path, processes that tests start would find the sources of the
# package beside it and not the package.
SPECIFICATION = importlib.util.spec_from_file_location("gwt_reader", REPOSITORY / "python" / "gwt_reader.py")
gwt_reader = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(gwt_reader)

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


def test_it_has_at_most_two_hundred_lines():
    text = pathlib.Path(gwt_reader.__file__).read_text()
    assert len(text.splitlines()) <= 200
    assert numpy.__name__ in text
