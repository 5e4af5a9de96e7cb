"""A table of first rows with a button for the rest, then a scroll bar."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.layout import STRETCH, column, row
from gpuplanner.ui.kit.page_parts import named_button
from gpuplanner.ui.tables.cells import Column, Row, rows_as_text
from gpuplanner.ui.tables.figure_table import FigureTable

MOST_WITHOUT_SCROLLING: Final = 24
ROWS_IN_SIGHT: Final = 16
SLACK: Final = 2
"""Rows over the limit that are shown too, because a button takes more space than two rows."""


class LimitedTable(QtWidgets.QWidget):
    """A table with a limit; a total at the end is always shown."""

    def __init__(self, name: Text) -> None:
        super().__init__()
        self.table = FigureTable(spoken(name))
        self.table.habits.sort_changed.connect(self._show_sorted)
        self._columns: tuple[Column, ...] = ()
        self._rows: tuple[Row, ...] = ()
        self._limit, self._more_words = 8, "more"
        self._is_whole = False
        self._count = 0
        self._make_all: Callable[[], Sequence[Row]] | None = None
        called = tr("More of {name}", name=name)
        self.more = named_button("", does=self._turn, called=called, is_link=True, takes_enter=True)
        self.more.hide()
        column(self.table, row(self.more, STRETCH), on=self, spacing=2)

    def show_rows(
        self,
        columns: Sequence[Column],
        rows: Sequence[Row],
        limit: int,
        more_words: str = "more",
        count: int | None = None,
        make_all: Callable[[], Sequence[Row]] | None = None,
    ) -> None:
        """Show the first rows, up to the limit. more_words: name of the rest ("more leaks").

        count, make_all: number of all rows, and the function that returns them, if `rows` are only the first.
        """
        self._count = len([row for row in rows if not row.is_total]) if count is None else count
        self._make_all = make_all
        self._columns, self._rows = tuple(columns), tuple(rows)
        self._limit, self._more_words = limit, more_words
        self._show()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, including hidden ones."""
        return self._rows if self._make_all is None else tuple(self._make_all())

    def as_text(self) -> str:
        """Return headings and all rows as tab-separated text."""
        return rows_as_text(self._columns, self.rows)

    def _turn(self) -> None:
        """Toggle between all rows and the first ones."""
        self._is_whole = not self._is_whole
        self._show()

    def _show_sorted(self) -> None:
        """Show all rows once they are sorted, because the first ones change."""
        if not self._is_whole and self.table.habits.look.sorted_by:
            self._turn()

    def _show(self) -> None:
        """Show the visible rows and the totals; a few rows over the limit are included."""
        rows = self.rows if self._is_whole else self._rows
        totals = [row for row in rows if row.is_total]
        others = [row for row in rows if not row.is_total]
        hidden = self._count - self._limit
        has_more = hidden > (SLACK if self._limit else 0)
        shown = others if self._is_whole or not has_more else others[: self._limit]
        self.more.setVisible(has_more)
        first = tr("Show {limit} only", limit=self._limit) if self._limit else tr("Hide them")
        rest = tr("and {hidden} {more_words}", hidden=hidden, more_words=self._more_words)
        words = first if self._is_whole else rest
        self.more.setText(spoken(words))
        self.more.setAccessibleName(spoken(words))
        set_tip(self.more, "" if self._is_whole else tr("Show all {count}", count=self._count))
        self.table.show_all(self._columns, [*shown, *totals])
        if len(shown) > MOST_WITHOUT_SCROLLING:  # from here on, only visible rows are drawn
            head = self.table.horizontalHeader().sizeHint().height()
            self.table.setVerticalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
            self.table.setFixedHeight(head + ROWS_IN_SIGHT * self.table.row_height)
