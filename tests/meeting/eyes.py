"""Where a planner reads a number in the window: the headline, a cell of a table, a sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import RowList
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.ui.plans_world import wait_until
from tests.ui.visible_texts import visible_texts

Kind = TypeVar("Kind", bound=QWidget)
TITLES: Final = {
    "spend": "Spend",
    "savings": "Savings",
    "unused_per_month": "Idle cost",
    "utilization": "Effective utilization",
    "lock_in": "Average term left",
}
"""The figures of a plan's headline, from the left; in each horizon the same places."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A figure of the headline: what stands behind the arrow, before it, or how it changes under both."""

    figure_id: str
    part: Literal["after", "before", "change", "under"] = "after"

    @property
    def words(self) -> str:
        place = {"after": "", "before": ", before the arrow"}.get(self.part, ", the second line")
        return f"headline *{TITLES.get(self.figure_id, self.figure_id)}*{place}"

    def read(self, window: MainWindow) -> str:
        figures = [button.figure for button in window.headline.buttons if button.figure is not None]
        title = TITLES.get(self.figure_id, self.figure_id)
        figure = next((one for one in figures if one.title == title), None)
        assert figure is not None, [one.title for one in figures]
        assert not figure.is_settling
        if self.part == "change":
            return str(figure.second[0]).split(" ")[0]
        if self.part == "under":
            return str(figure.second[0]).split(numbers.MIDDOT)[0].rpartition(": ")[2]  # a range may follow
        return figure.plan if self.part == "after" else figure.now


@dataclass(frozen=True, slots=True)
class InTable:
    """A cell of a table that is seen, by the table's name, what its row has (all of it), and the column's heading."""

    table: str
    row: tuple[str, ...]
    column: str

    @property
    def words(self) -> str:
        return f"*{self.table}*: {numbers.MIDDOT.join(self.row)}, {self.column}"

    def read(self, window: MainWindow) -> str:
        wait_until(lambda: bool(self._tables(window)))  # costs are worked out once they are asked for
        table = self._tables(window)[-1]
        heads = [str(column.title).replace("\n", " ").strip() for column in table.columns]
        at = next((place for place, head in enumerate(heads) if head.startswith(self.column)), None)
        assert at is not None, heads
        rows = [table.row_at(row) for row in range(table.model().rowCount(QModelIndex()))]
        texts = [[str(cell.text) for cell in row.cells] for row in rows]
        found = [row for row in texts if all(any(cell.startswith(one) for cell in row) for one in self.row)]
        assert found, [row[:3] for row in texts]
        return found[0][at]

    def _tables(self, window: MainWindow) -> list[FigureTable]:
        """Those of the name that have rows."""
        found = [one for one in _seen(window, FigureTable) if one.accessibleName() == self.table]
        return [one for one in found if one.model().rowCount(QModelIndex())]


@dataclass(frozen=True, slots=True)
class InList:
    """The amount of a row of a list that is seen, by how its title begins."""

    title: str

    @property
    def words(self) -> str:
        return f"*{self.title}*"

    def read(self, window: MainWindow) -> str:
        rows = [row for one in _seen(window, RowList) for row in one.rows]
        found = [str(row.amount) for row in rows if str(row.title).startswith(self.title)]
        assert found, [str(row.title) for row in rows]
        return found[0]


@dataclass(frozen=True, slots=True)
class Said:
    """A number in a sentence of a panel or dialog. pattern: a regular expression whose one group is the number."""

    where: str
    pattern: str

    @property
    def words(self) -> str:
        return f"*{self.where}*"

    def read(self, window: MainWindow) -> str:
        places = [window, *_seen(window, QDialog)]
        texts = [text for place in places for _, text in visible_texts(place)]
        found = [match for text in texts if (match := re.search(self.pattern, text))]
        assert found, (self.pattern, [text for text in texts if "$" in text][:40])
        return found[-1].group(1)


def _seen(window: MainWindow, kind: type[Kind]) -> Iterator[Kind]:
    """The widgets of a kind that are in sight."""
    return (one for one in window.findChildren(kind) if one.isVisible())


def number_in(text: str) -> tuple[float, float] | None:
    """What is written, and one unit of its last digit: $1,234 is (1234, 1); None where a dash stands."""
    found = re.search(r"[-+\u2212]?\s*\$?\s*\d[\d,]*(\.\d+)?", text)
    if found is None or text.strip().startswith(numbers.UNKNOWN):
        return None
    plain = found.group().replace(numbers.MINUS, "-").replace(",", "").replace("$", "").replace(" ", "")
    return float(plain), 10.0 ** -len((found.group(1) or ".")[1:])
