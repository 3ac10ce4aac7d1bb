"""Solved board games of the Traffic Lights family.

>>> import greenwave
>>> answer = greenwave.query("classic-3x3", "R../.Y./..G")
>>> answer["value"], answer["distance"], answer["best"]
('win', 9, ['b1R', 'b2G', 'c2R', 'a3Y'])

Everything is from the point of view of the player to move; distances are in plies, one player's
moves. Positions are written as rows from the top rank down, `.RYG` for no light, red, yellow and green.

* `query`, `explain`, `line`, `stats`, `check`, `review`, `book` and `perft` answer with the documents of
  `greenwave --json` as dicts.

* `Tablebase(dir)` asks about millions of positions at once and gives whole variants as Arrow tables
  and NumPy arrays.

* `Position` draws itself in a notebook.

If there is no answer, the function raises a `ValueError` with the sentence that the command prints.
"""

from ._native import (
    Position,
    Table,
    Tablebase,
    book,
    check,
    explain,
    line,
    perft,
    query,
    review,
    stats,
)
from ._native import __version__ as __version__

__all__ = [
    "Position",
    "Table",
    "Tablebase",
    "book",
    "check",
    "explain",
    "line",
    "perft",
    "query",
    "review",
    "stats",
]
