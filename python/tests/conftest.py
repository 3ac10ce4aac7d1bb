"""What the tests share: the repository, its published tables, and the command."""

import json
import os
import pathlib
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--large", action="store_true", help="read the large published tables, too: minutes")


def command():
    """The command `greenwave`: the one named in $GREENWAVE, else the one that was built last."""
    if "GREENWAVE" in os.environ:
        return os.environ["GREENWAVE"]
    built = [REPOSITORY / "target" / profile / "greenwave" for profile in ("release", "debug")]
    built = [path for path in built if path.is_file()]
    if not built:
        pytest.skip("the command is not built; build it with 'cargo build --release'")
    return str(max(built, key=lambda path: path.stat().st_mtime))


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch):
    """Tests run where `solutions` is, without settings of the user's."""
    monkeypatch.chdir(REPOSITORY)
    for name in ("GREENWAVE_DIR", "GREENWAVE_MEMORY", "GREENWAVE_THREADS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def greenwave_json():
    """Asks the command for JSON: its exit code, its document (of claims a list), and what it says on stderr."""

    def ask(*words):
        done = subprocess.run(
            [command(), "--json", "--quiet", *words], capture_output=True, text=True, cwd=REPOSITORY
        )
        documents = [json.loads(line) for line in done.stdout.splitlines()]
        document = documents if words[0] == "check" else next(iter(documents), None)
        return done.returncode, document, done.stderr.strip()

    return ask
