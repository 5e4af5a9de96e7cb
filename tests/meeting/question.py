"""Questions of a meeting, as data: the words, the hands in the window, the command, and where each number stands.

A `Question` is a row of `first_twenty.py` or `next_twenty.py`. `test_meeting.py` asks each of them of the demo: in the
window, on the command line and in the workbook of the plan that the window then shows, and holds the three to one
number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from gpuplanner.ui.window.main_window import MainWindow


class Hand(Protocol):
    """One act in the window, and how the guide says it."""

    @property
    def words(self) -> str:
        """As a planner is told to do it."""

    def do(self, window: MainWindow) -> None:
        """Do it with the widget that a planner would take."""


class Eye(Protocol):
    """Where a number stands in the window, and how the guide says that."""

    @property
    def words(self) -> str:
        """As a planner is told to look."""

    def read(self, window: MainWindow) -> str:
        """The number as it is written there, with its sign and unit."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the workbook: its sheet, what the row begins with, and the heading above it.

    row: a cell of the row, or several that it has: ("Inference", "H100"). after: a heading of a block, below which the
    row is looked for, where rows of that name stand in several.
    """

    sheet: str
    row: str | tuple[str, ...]
    column: str
    after: str = ""

    @property
    def words(self) -> str:
        """As a reader of the book is told to look."""
        row = self.row if isinstance(self.row, str) else " \u00b7 ".join(self.row)
        return f"{self.sheet}: {row}, {self.column}"


UNITS: Final[Mapping[str, float]] = {
    "$": 1,
    "$ per month": 1,
    "$ per month taken off": -1,
    "$ per GPU-hour": 1,
    "$ per million tokens": 1,
    "%": 100,
    "points of %": 100,
    "months": 1,
    "GPUs": 1,
    "GPU-hours": 1,
    "hours": 1,
    "kWh per month": 1,
    "kW": 1,
    "kg per month": 1,
    "ms": 1,
    "": 1,
}
"""By unit, how many of what the window writes are one in JSON and workbook: shares are written as percent, and what a
step adds to the cost as what it takes off the savings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One number of an answer, and its three places.

    at: its path in the JSON document: `totals.plan_usd_per_month`, `horizons[horizon=month_12].plan_usd`,
    `orders[0].gpus`. part: the window rounds it so that a column adds up to its total, which may be one off.
    reason: what has to stand beside it in the window where it is not known. hands: what is done after those of the
    question before it is read. no_cell: why no workbook has it, where `cell` is None.
    """

    what: str
    unit: str
    window: Eye
    at: str
    cell: Cell | None
    part: bool = False
    reason: str = ""
    hands: Sequence[Hand] = ()
    no_cell: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of the meeting.

    command: the words after `gpuplanner`, without the project and --json; {folder} is where its files
    are, {inputs} those of the demo.
    files: what else it reads, by name. found_by: words that people type into *Find a command*, and what comes first.
    """

    number: int
    words: str
    hands: Sequence[Hand]
    command: tuple[str, ...]
    answers: tuple[Answer, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    found_by: tuple[tuple[str, str], ...] = ()
