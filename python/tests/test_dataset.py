"""A small deposit is written, verified by its own script, and found out when a byte of it changes."""

import importlib.util
import shutil
import subprocess
import sys
import types

import frictionless
import greenwave
import pytest
from conftest import REPOSITORY, command

# Games of at most this many indices have their tables in the small deposit.
SMALL = 1 << 15


@pytest.fixture(scope="module")
def deposit(tmp_path_factory):
    # As where it runs as a program; what tests start later finds its modules as before.
    before = list(sys.path)
    sys.path.insert(0, str(REPOSITORY / "python"))
    try:
        specification = importlib.util.spec_from_file_location("dataset", REPOSITORY / "python" / "dataset.py")
        dataset = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(dataset)
    finally:
        sys.path[:] = before

    class Tables:
        """Those of the repository, of which a few claims are checked."""

        def __init__(self, folder):
            self.tables = greenwave.Tablebase(folder)
            self.find = self.tables.find

        def check(self):
            return self.tables.check([1, 2])

    rows = [row for row in dataset.catalogue() if row["positions"] <= SMALL]
    assert {row["variant"] for row in rows} >= {"ampel-4-2-1", "noughts-3x3"}
    folder = tmp_path_factory.mktemp("dataset") / "deposit"
    dataset.COMMAND, dataset.MOST_INDICES, dataset.PUZZLES = command(), SMALL, 1
    dataset.greenwave = types.SimpleNamespace(Tablebase=Tables)
    dataset.catalogue = lambda: iter(rows)
    # One table is copied, the others are solved; the large certificates take minutes to check.
    solutions = tmp_path_factory.mktemp("solutions")
    for name in ("classic-3x3/certificate.txt", "noughts-3x3/value.gwt", "check_certificate.py", "atlas.json"):
        (solutions / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(dataset.SOLUTIONS / name, solutions / name)
    dataset.SOLUTIONS, dataset.published_tables = solutions, lambda: [solutions / "noughts-3x3" / "value.gwt"]
    dataset.main(folder)
    return folder


def verified(folder):
    return subprocess.run([sys.executable, folder / "verify_deposit.py"], capture_output=True, text=True)


def test_a_deposit_is_whole_and_described(deposit):
    done = verified(deposit)
    assert done.returncode == 0, done.stdout + done.stderr
    report = frictionless.validate(str(deposit / "datapackage.json"))
    assert report.valid, report.to_summary()
    for name in ("catalogue", "atlas", "claims", "puzzles", "signatures", "positions/noughts-3x3"):
        assert (deposit / f"{name}.csv").is_file() and (deposit / f"{name}.parquet").is_file()
        assert f"## {name}\n" in (deposit / "DATA_DICTIONARY.md").read_text()


def test_a_byte_that_changes_is_found(deposit):
    for name in ("tables/noughts-3x3/value.gwt", "claims.csv"):
        path = deposit / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        done = verified(deposit)
        path.write_bytes(whole)
        assert done.returncode != 0 and name in done.stdout + done.stderr


def test_a_folder_that_is_there_is_left_alone(deposit):
    done = subprocess.run(
        [sys.executable, REPOSITORY / "python" / "dataset.py", deposit], capture_output=True, text=True
    )
    assert done.returncode != 0 and "is there already" in done.stderr
