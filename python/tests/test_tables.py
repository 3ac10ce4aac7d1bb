"""Batches, searches and arrays: one by one the same as queries, and as other programs read them."""

import concurrent.futures
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
import threading

import greenwave
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import REPOSITORY, command

SOLUTIONS = greenwave.Tablebase(REPOSITORY / "solutions")
POSITIONS = ["R../.Y./..G", ".../.../...", "GGG/.../...", "R../RR./G.."]


def asked_one_by_one(variant, positions):
    rows = []
    for position in positions:
        answer = SOLUTIONS.query(variant, position)
        row = {name: answer[name] for name in ("position", "value", "distance", "points", "nimber")}
        odds = answer["odds"]
        rows.append({**row, "expectation": odds and odds["expectation"], "best": answer["best"]})
    return rows


@pytest.mark.parametrize(
    "variant, positions",
    [
        ("classic-3x3", POSITIONS),
        ("classic-3x3:supply=cap4", POSITIONS[:2]),
        ("points-3x3", POSITIONS[:3]),
        ("noughts-3x3", ["X../.O./...", "XO./.../...", "XXX/OO./..."]),
        ("ampel-4-2-1", [greenwave.query("ampel-4-2-1")["position"]]),
        ("bag-classic-2x3", ["R../...;RRY;GGG;RY"]),
    ],
)
def test_batches_say_what_queries_say(variant, positions):
    if variant.startswith("bag"):
        positions = [greenwave.query(variant)["position"], *positions]
    found = SOLUTIONS.query_many(variant, positions).to_arrow().to_pylist()
    assert found == asked_one_by_one(variant, positions)


@pytest.mark.parametrize(
    "given",
    [
        POSITIONS,
        tuple(POSITIONS),
        iter(POSITIONS),
        numpy.array(POSITIONS),
        numpy.array(POSITIONS, dtype=object),
        pandas.Series(POSITIONS),
        pandas.Series(POSITIONS, dtype="category"),
        polars.Series(POSITIONS),
        pyarrow.array(POSITIONS),
        pyarrow.array(POSITIONS, pyarrow.large_string()),
        pyarrow.array(POSITIONS, pyarrow.string_view()),
        pyarrow.array(POSITIONS).dictionary_encode(),
        pyarrow.chunked_array([POSITIONS[:1], POSITIONS[1:]]),
        pyarrow.array(["", *POSITIONS])[1:],
        polars.DataFrame({"position": POSITIONS}),
    ],
    ids=lambda given: type(given).__module__ + "." + type(given).__name__,
)
def test_positions_come_in_every_kind_of_array(given):
    found = SOLUTIONS.query_many("classic-3x3", given).to_arrow()
    assert found["position"].to_pylist() == POSITIONS
    assert found["distance"].to_pylist() == [9, 17, 0, 1]


def test_no_positions_make_an_empty_table():
    found = SOLUTIONS.query_many("classic-3x3", [])
    assert (len(found), found.num_columns) == (0, 7)
    assert found.to_polars().columns == found.column_names
    assert SOLUTIONS.find("classic-3x3", "value = draw").to_arrow().num_rows == 0


def test_bad_positions_are_raised_or_have_a_column():
    mixed = ["R../.Y./..G", "RX./..", 3, None, "X../.O./...", ".../.../..."]
    with pytest.raises(ValueError, match=r"^positions\[1\]: 'RX./..' cannot be a position"):
        SOLUTIONS.query_many("classic-3x3", mixed)
    with pytest.raises(ValueError, match=r"^positions\[0\]: found int, expected a str"):
        SOLUTIONS.query_many("classic-3x3", mixed[2:])
    found = SOLUTIONS.query_many("classic-3x3", mixed, on_error="column").to_arrow().to_pydict()
    assert [error is not None for error in found["error"]] == [False, True, True, True, True, False]
    assert found["value"] == ["win", None, None, None, None, "win"]
    assert found["position"][1] == "RX./.." and found["best"][1] is None
    assert found["position"][2:4] == [None, None], "what is no text has none"
    with pytest.raises(ValueError) as error:
        SOLUTIONS.query("classic-3x3", "RX./..")
    assert found["error"][1] == str(error.value)
    many = 30_000 * ["R../.Y./..G"]
    many[20_123] = "x"
    with pytest.raises(ValueError, match=r"^positions\[20123\]: "):
        SOLUTIONS.query_many("classic-3x3", many)


def test_wrong_kinds_of_arrays_are_named():
    for wrong in ("R../.Y./..G", 3, None, numpy.array(3), pyarrow.array([1, 2]), polars.Series([1.5])):
        with pytest.raises((TypeError, ValueError)):
            SOLUTIONS.query_many("classic-3x3", wrong)
    with pytest.raises(ValueError, match="'raise' or 'column'"):
        SOLUTIONS.query_many("classic-3x3", [], on_error="ignore")
    with pytest.raises(ValueError, match="found a table of 2 columns"):
        SOLUTIONS.query_many("classic-3x3", polars.DataFrame({"a": ["x"], "b": ["y"]}))


def test_found_positions_are_those_of_the_command():
    expression = "value = loss and distance > 17"
    found = SOLUTIONS.find("classic-3x3", expression)
    asked = subprocess.run(
        [command(), "find", "classic-3x3", expression, "--csv", "-q"],
        capture_output=True, text=True, check=True, cwd=REPOSITORY,
    )
    rows = [line.split(",") for line in asked.stdout.splitlines()]
    # The command says the order of the lights on each line, the table has the variant's.
    assert {row.pop() for row in rows} == {"lights", "ryg"}
    assert found.column_names == rows[0]
    table = found.to_arrow().to_pydict()
    assert list(zip(*(map(str, table[name]) for name in rows[0]))) == [tuple(row) for row in rows[1:]]
    fields = SOLUTIONS.find("classic-3x3", "distance = 20", ["distance", "b2", "only_move", "nimber"])
    kinds = [str(kind) for kind in fields.to_arrow().schema.types]
    assert kinds == ["string", "int64", "string", "bool", "int64"]
    with pytest.raises(ValueError, match="column"):
        SOLUTIONS.find("classic-3x3", "valeu = win")


def test_frames_are_made_without_a_copy():
    found = SOLUTIONS.find("classic-3x3", "1 = 1", "value, distance, nimber")
    counts = SOLUTIONS.stats("classic-3x3")["by_value"]
    for frame in (found.to_polars(), polars.DataFrame(found)):
        assert frame.filter(polars.col("value") == "win").height == counts["win"]
    for frame in (found.to_pandas(), pandas.DataFrame.from_arrow(found)):
        assert (frame["value"] == "loss").sum() == counts["loss"]
        assert frame["distance"].max() == 20
    assert pyarrow.schema(found) == found.to_arrow().schema


@pytest.mark.parametrize(
    "variant, metric, kind",
    [
        ("classic-3x3", "value", "int8"),
        ("classic-3x3", "distance", "int16"),
        ("classic-3x3", "nimber", "uint8"),
        ("classic-3x3:supply=cap4", "distance", "int16"),
        ("points-3x3", "points", "int16"),
        ("noughts-3x3", "distance", "int16"),
        ("bag-classic-1x3", "odds", "float64"),
    ],
)
def test_arrays_have_the_kinds_and_the_counts_of_the_contract(variant, metric, kind):
    values = SOLUTIONS.values(variant, metric)
    stats = SOLUTIONS.stats(variant)
    assert (values.dtype, values.shape) == (kind, (stats["indexable"],))
    assert not values.flags.owndata and not values.flags.writeable
    counts = stats["by_value"]
    if metric == "distance":
        assert ((values > 0).sum(), (values < 0).sum()) >= (counts["win"], counts["loss"])
        by_distance = {(row["value"], row["distance"]): row["count"] for row in stats["by_distance"]}
        for (value, plies), count in by_distance.items():
            if value != "draw":
                assert (values == (plies if value == "win" else -plies)).sum() == count
        assert ((values == -32767).any()) == (variant != "classic-3x3")
    if metric == "points":
        assert (values == -32768).sum() == 0
    if metric == "odds":
        start = greenwave.query(variant)["odds"]["expectation"]
        held = values[values != numpy.finfo("float64").min]
        assert abs(held).max() <= 1 and len(held) > 0 and abs(start) <= 1


def test_arrays_hold_what_queries_say():
    # The index of a board is the number whose base-4 digits are its squares, a1 lowest.
    values = SOLUTIONS.values("classic-3x3", "distance")
    index = numpy.random.default_rng(7).integers(0, len(values), 20_000)
    squares = numpy.array(list(".RYG"))[index[:, None] // 4 ** numpy.arange(9) % 4]
    rows = ["/".join("".join(row[3 * r:3 * r + 3]) for r in (2, 1, 0)) for row in squares]
    found = SOLUTIONS.query_many("classic-3x3", rows).to_arrow()
    sign = {"win": 1, "loss": -1}
    asked = [sign[value] * plies for value, plies in zip(found["value"].to_pylist(), found["distance"].to_pylist())]
    assert (values[index] == asked).all()


def test_metrics_that_a_game_lacks_are_refused():
    with pytest.raises(ValueError, match="points-3x3 has no metric 'nimber'; its metrics: points"):
        SOLUTIONS.values("points-3x3", "nimber")
    with pytest.raises(ValueError, match="metric"):
        SOLUTIONS.values("classic-3x3", "speed")
    with pytest.raises(ValueError, match="needs .* of memory"):
        greenwave.Tablebase(memory="32M").values("classic-3x4", "distance")


def test_tables_go_from_the_package_to_the_command_and_back(tmp_path, greenwave_json):
    tables = greenwave.Tablebase(tmp_path)
    told = []
    solved = tables.solve("classic-2x3", progress=lambda *stage: told.append(stage))
    assert (tmp_path / "classic-2x3" / "distance.gwt").is_file()
    assert solved["signature"] and told[-1][1] <= told[-1][2]
    _, document, _ = greenwave_json("query", "classic-2x3", "--dir", str(tmp_path))
    assert document["source"]["kind"] == "table" and document == tables.query("classic-2x3")
    greenwave_json("solve", "classic-2x2", "--dir", str(tmp_path))
    assert tables.query("classic-2x2")["source"]["kind"] == "table"
    assert tables.solve("classic-2x3")["seconds"] is None
    assert tables.solve("classic-2x3", force=True)["signature"] == solved["signature"]


def test_a_table_that_disappears_is_done_without(tmp_path):
    shutil.copytree(REPOSITORY / "solutions" / "classic-3x3", tmp_path / "classic-3x3")
    tables = greenwave.Tablebase(tmp_path)
    before = tables.query("classic-3x3")
    assert before["source"]["kind"] == "table"
    shutil.rmtree(tmp_path / "classic-3x3")
    after = tables.query("classic-3x3")
    assert after["source"]["kind"] == "solved"
    assert (after["value"], after["best"]) == (before["value"], before["best"])
    (tmp_path / "classic-3x3").mkdir()
    (tmp_path / "classic-3x3" / "distance.gwt").write_bytes(b"no table")
    with pytest.raises(ValueError, match="distance.gwt"):
        tables.query("classic-3x3")
    assert len(tables.query_many("noughts-3x3", [".../.../..."])) == 1


def test_threads_ask_at_the_same_time():
    answers, free = [], []

    def ask():
        answers.append(SOLUTIONS.query("classic-3x3")["best"])
        free.append(len(SOLUTIONS.query_many("classic-3x3", 1000 * POSITIONS)))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == 8 * [["b2R"]] and free == 8 * [4000]


def test_a_progress_that_fails_stops_the_solve(tmp_path):
    def fails(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        greenwave.Tablebase(tmp_path).solve("slider", "points", progress=fails)
    assert not (tmp_path / "slider" / "points.gwt").exists()
    with pytest.raises(TypeError, match="progress"):
        greenwave.Tablebase(tmp_path).solve("classic-2x3", progress=3)


def test_a_bar_is_shown_where_tqdm_is_there(tmp_path, capfd):
    greenwave.Tablebase(tmp_path).solve("classic-2x3", progress=True)
    assert "classic-2x3" in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_asks_on():
    SOLUTIONS.query("classic-3x3")
    greenwave.query("classic-3x3")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            asked = SOLUTIONS.query("classic-3x3"), greenwave.query("classic-3x3")
            code = 0 if all(answer["best"] == ["b2R"] for answer in asked) else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert SOLUTIONS.query("classic-3x3")["best"] == ["b2R"]


def count_in_another_process(tables):
    return len(tables.query_many("classic-3x3", POSITIONS))


def test_a_tablebase_goes_to_other_processes():
    again = pickle.loads(pickle.dumps(SOLUTIONS))
    assert (again.dir, again.memory) == (SOLUTIONS.dir, SOLUTIONS.memory)
    # Unlike a multiprocessing.Pool, it ends with an error when its process does.
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
        assert pool.submit(count_in_another_process, SOLUTIONS).result(timeout=600) == 4


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
def test_an_interrupt_stops_a_solve(tmp_path):
    program = textwrap.dedent(
        """
        import signal, sys
        import greenwave
        tables = greenwave.Tablebase(sys.argv[1])
        def begun(stage, done, total):
            signal.raise_signal(signal.SIGINT)
        try:
            tables.solve("points-3x4:end=play-on", progress=begun)
        except KeyboardInterrupt:
            print("interrupted")
        print(tables.query("classic-2x3")["value"])
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=600
    )
    assert done.stdout.split() == ["interrupted", "loss"], done.stderr
    assert not list(tmp_path.glob("*/points.gwt"))
