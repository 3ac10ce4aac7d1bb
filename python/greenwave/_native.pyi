"""The types of the package; its classes and functions are written in Rust."""

from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any, Literal, Optional, Union

import numpy
import pandas
import polars
import pyarrow

__version__: str

Document = dict[str, Any]
Moves = Union[str, Iterable[str]]
Budget = Union[str, int, float]
Lights = Literal["ryg", "gyr"]
Metric = Literal["value", "distance", "points", "odds", "nimber"]

def query(
    variant: str,
    position: Optional[str] = None,
    moves: Optional[Moves] = None,
    budget: Optional[Budget] = None,
    *,
    lights: Optional[Lights] = None,
) -> Document:
    """The value of a position and of every move, for the player to move.

    variant: a name such as `classic-3x4:play=misere`, or the path of a rule file (`.toml`).

    position: a text such as `R../.Y./..G`; the start of the game if it is left out.

    moves: moves to be played from there, `"b2R,b2Y"` or a list.

    budget: for what has to be solved or searched, a time (`"500ms"`, `"10s"`) or a whole number of positions.

    Fields: `value` ("win", "loss", "draw", "unknown"), `distance` (plies), `points`, `odds`,
    `nimber`, `terminal`, `best` (moves that tie for the best), `moves`, `source`; fields that the
    variant lacks are None.
    """

def explain(
    variant: str,
    position: Optional[str] = None,
    moves: Optional[Moves] = None,
    budget: Optional[Budget] = None,
    *,
    lights: Optional[Lights] = None,
) -> Document:
    """Why every move of a position is worth what it is: `moves`, each with `sentences` and `facts`; `hardest` of a lost position."""

def line(
    variant: str,
    position: Optional[str] = None,
    moves: Optional[Moves] = None,
    *,
    lights: Optional[Lights] = None,
) -> Document:
    """Best play by both sides to the end: `plies`, each with `move`, `to` and what it is worth."""

def stats(
    variant: str, metric: Optional[Metric] = None, *, lights: Optional[Lights] = None
) -> Document:
    """The positions of a variant counted by value, distance, points and nimber.

    Counts are over legal, unfinished positions of the index, not up to symmetry; `reachable` over those
    that play can reach.
    """

def check(claims: Union[None, str, int, Iterable[Union[str, int]]] = None) -> list[Document]:
    """Claims settled with evidence: ids of built-in ones, files (`.toml`), or lines such as
    `"classic-3x3 none: value = draw"`; all built-in ones if none is named."""

def review(
    variant: str,
    moves: Moves,
    position: Optional[str] = None,
    budget: Optional[Budget] = None,
    *,
    lights: Optional[Lights] = None,
) -> Document:
    """A game gone through: what every move was worth, mistakes marked. `moves` may be the text of a
    record."""

def book(
    variant: str,
    position: Optional[str] = None,
    moves: Optional[Moves] = None,
    *,
    depth: int = 4,
    side: Optional[str] = None,
    budget: Optional[Budget] = None,
    lights: Optional[Lights] = None,
) -> list[Document]:
    """The opening tree as a list of positions, and in the last dict how many there are: every legal move, or
    with `side` ("first" or "second") one move of that player in each position."""

def perft(
    variant: str,
    position: Optional[str] = None,
    moves: Optional[Moves] = None,
    *,
    depth: int,
    lights: Optional[Lights] = None,
) -> Document:
    """Move sequences of exactly `depth` plies, counted in `nodes`."""

class Tablebase:
    """A folder of tables that the command `greenwave` and this package share.

    dir: the folder; `$GREENWAVE_DIR`, else `solutions` if it is there, else the user's data folder.

    memory: bytes that may be used, or a text such as `"8G"`; half of the machine's.

    threads: all cores if left out.

    Tables stay open and solutions in memory from one question to the next. It can be used by several
    threads, after a fork, and pickled; the interpreter is free while it works, and Ctrl-C stops it.
    """

    def __init__(
        self,
        dir: Union[None, str, PathLike[str]] = None,
        *,
        memory: Union[None, int, str] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    @property
    def dir(self) -> PathLike[str]:
        """The folder of its tables."""
    @property
    def memory(self) -> int:
        """Bytes that may be used."""
    @property
    def threads(self) -> int:
        """Number of threads."""
    def query(
        self,
        variant: str,
        position: Optional[str] = None,
        moves: Optional[Moves] = None,
        budget: Optional[Budget] = None,
        *,
        lights: Optional[Lights] = None,
    ) -> Document:
        """As the function `query`."""
    def explain(
        self,
        variant: str,
        position: Optional[str] = None,
        moves: Optional[Moves] = None,
        budget: Optional[Budget] = None,
        *,
        lights: Optional[Lights] = None,
    ) -> Document:
        """As the function `explain`."""
    def line(
        self,
        variant: str,
        position: Optional[str] = None,
        moves: Optional[Moves] = None,
        *,
        lights: Optional[Lights] = None,
    ) -> Document:
        """As the function `line`."""
    def stats(
        self,
        variant: str,
        metric: Optional[Metric] = None,
        *,
        lights: Optional[Lights] = None,
    ) -> Document:
        """As the function `stats`."""
    def check(
        self, claims: Union[None, str, int, Iterable[Union[str, int]]] = None
    ) -> list[Document]:
        """As the function `check`."""
    def review(
        self,
        variant: str,
        moves: Moves,
        position: Optional[str] = None,
        budget: Optional[Budget] = None,
        *,
        lights: Optional[Lights] = None,
    ) -> Document:
        """As the function `review`."""
    def perft(
        self,
        variant: str,
        position: Optional[str] = None,
        moves: Optional[Moves] = None,
        *,
        depth: int,
        lights: Optional[Lights] = None,
    ) -> Document:
        """As the function `perft`."""
    def query_many(
        self,
        variant: str,
        positions: Iterable[str],
        *,
        on_error: Literal["raise", "column"] = "raise",
        budget: Optional[Budget] = None,
        lights: Optional[Lights] = None,
    ) -> Table:
        """Many positions at once, a row each in their order.

        positions: a list, a NumPy array, or without a copy a column of pyarrow, polars or pandas.

        on_error: "raise" the first position that cannot be read, with its place counted from 0; or give
            such rows nulls and a text in the column `error`.

        Columns: `position` (text), `value` ("win", "draw", "loss", "unknown"; dictionary), `distance`
        (plies), `points`, `nimber` (int32, null where there is none), `expectation` (float64), `best`
        (list of texts).
        """
    def find(
        self,
        variant: str,
        expression: str,
        fields: Union[None, str, Iterable[str]] = None,
        *,
        lights: Optional[Lights] = None,
    ) -> Table:
        """All legal, unfinished positions for which an expression holds, in the order of their indices.

        Columns: `position`, then the fields named in the expression, or those of `fields`: numbers
        int64 (`expectation` in millionths), truths bool, outcomes a dictionary, lights texts.
        """
    def values(self, variant: str, metric: Optional[Metric] = None) -> numpy.ndarray:
        """The values of all indices, an array of shape (indexable,), read only, finished positions
        included.

        value: int8, +1 won, 0 drawn, -1 lost. distance: int16 in plies, positive won, negative lost, 0
        finished, -32768 drawn (a finished draw, too). points: int16. nimber: uint8. odds: float64, the expectation. An index
        that cannot be a position has the least value of its type, for distances -32767.
        """
    def solve(
        self,
        variant: str,
        metric: Optional[Metric] = None,
        *,
        progress: Union[None, bool, Callable[[str, int, int], Any]] = None,
        force: bool = False,
    ) -> Document:
        """Solves a variant in a metric and writes its table; one that is there is reported.

        progress: called about twenty times a second with the stage, how much of it is done and how much
            there is of it; True shows a bar of tqdm, if that is installed. An exception that it raises
            stops the solve, as Ctrl-C does; the next solve resumes from there.
        """

class Table:
    """An Arrow table: give it to `pyarrow.table`, `polars.DataFrame`, `pandas.DataFrame.from_arrow` or
    duckdb, which take its columns without a copy."""

    @property
    def num_rows(self) -> int:
        """Number of rows."""
    @property
    def num_columns(self) -> int:
        """Number of columns."""
    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""
    @property
    def nbytes(self) -> int:
        """Bytes that the columns take in memory."""
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
    def to_arrow(self) -> pyarrow.Table:
        """As a table of pyarrow."""
    def to_polars(self) -> polars.DataFrame:
        """As a frame of polars."""
    def to_pandas(self) -> pandas.DataFrame:
        """As a frame of pandas, its columns still those of Arrow."""

class Position:
    """A position of a variant; it draws itself in a notebook."""

    def __init__(
        self,
        variant: str,
        text: Optional[str] = None,
        moves: Optional[Moves] = None,
        *,
        lights: Optional[Lights] = None,
    ) -> None: ...
    @property
    def variant(self) -> str:
        """The variant."""
    @property
    def text(self) -> str:
        """The position as text."""
    @property
    def lights(self) -> Optional[Lights]:
        """The order of the lights in its texts: "ryg" or "gyr"; None where the game has none."""
    @property
    def terminal(self) -> bool:
        """Whether the game is over."""
    @property
    def moves(self) -> list[str]:
        """The legal moves, in listing order."""
    def play(self, moves: Moves) -> Position:
        """The position after moves."""
    def query(self, budget: Optional[Budget] = None) -> Document:
        """The document of `query`."""
    def line(self) -> Document:
        """The document of `line`."""
    def svg(self, values: bool = False) -> str:
        """A picture; with the value of the best move on each square if `values` is true."""
    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...
