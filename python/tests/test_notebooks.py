"""Every notebook runs, each in less than a minute."""

import time

import nbclient
import nbformat
import pytest
from conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_in_less_than_a_minute(path):
    notebook = nbformat.read(path, as_version=4)
    begun = time.process_time()
    client = nbclient.NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": str(REPOSITORY)}}
    )
    client.execute()
    assert time.process_time() - begun < 60
    assert not any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)


def test_there_are_four():
    assert len(NOTEBOOKS) == 4
