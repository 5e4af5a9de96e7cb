"""A table that shows its first rows and says how many more there are; all of them on demand, with a scroll bar."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.cells import Column, Row, rows_as_text
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import spoken, tr

MOST_WITHOUT_SCROLLING: Final = 24
ROWS_IN_SIGHT: Final = 16
SLACK: Final = 2
"""So many rows over the limit are shown too: a button for two rows takes more room than they do."""


class LimitedTable(QWidget):
    """Told all its rows; a total at the end is shown in either state."""

    def __init__(self, name: Text, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = FigureTable(spoken(name), palette)
        self._columns: tuple[Column, ...] = ()
        self._rows: tuple[Row, ...] = ()
        self._limit, self._more_words = 8, "more"
        self._is_whole = False
        self._count = 0
        self._make_all: Callable[[], Sequence[Row]] | None = None
        self.more = QPushButton()
        self.more.setAccessibleName(tr("More of {name}", name=name))
        self.more.hide()
        self.more.setProperty("link", True)
        self.more.setAutoDefault(True)
        self.more.clicked.connect(self._turn)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.more)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.table)
        layout.addLayout(row)

    def show_rows(
        self,
        columns: Sequence[Column],
        rows: Sequence[Row],
        limit: int,
        more_words: str = "more",
        count: int | None = None,
        make_all: Callable[[], Sequence[Row]] | None = None,
    ) -> None:
        """Show the first rows, up to the limit; more_words: what the rest is ("more leaks").

        count, make_all: where `rows` are the first ones only, how many there are, and what makes all of them.
        """
        self._count = len([row for row in rows if not row.is_total]) if count is None else count
        self._make_all = make_all
        self._columns, self._rows, self._limit, self._more_words = (
            tuple(columns),
            tuple(rows),
            limit,
            more_words,
        )
        self._show()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, those out of sight too."""
        return self._rows if self._make_all is None else tuple(self._make_all())

    def as_text(self) -> str:
        """Headings and all rows, tab separated."""
        return rows_as_text(self._columns, self.rows)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)

    def _turn(self) -> None:
        """Shows all rows, or the first ones again."""
        self._is_whole = not self._is_whole
        self._show()

    def _show(self) -> None:
        """Shows the rows there are to be, totals always; a few more than the limit are shown at once."""
        rows = self.rows if self._is_whole else self._rows
        totals = [row for row in rows if row.is_total]
        others = [row for row in rows if not row.is_total]
        hidden = self._count - self._limit
        has_more = hidden > (SLACK if self._limit else 0)
        shown = others if self._is_whole or not has_more else others[: self._limit]
        self.more.setVisible(has_more)
        first = tr("Show {limit} only", limit=self._limit) if self._limit else tr("Hide them")
        words = (
            first
            if self._is_whole
            else tr("and {hidden} {more_words}", hidden=hidden, more_words=self._more_words)
        )
        self.more.setText(spoken(words))
        self.more.setAccessibleName(spoken(words))
        set_tip(self.more, "" if self._is_whole else tr("Show all {count}", count=self._count))
        self.table.setVisible(bool(shown or totals))
        self.table.show_rows(self._columns, [*shown, *totals])
        self.table.fit_height()
        if len(shown) > MOST_WITHOUT_SCROLLING:  # so many rows are drawn only where they are seen
            head = self.table.horizontalHeader().sizeHint().height()
            self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
            self.table.setFixedHeight(head + ROWS_IN_SIGHT * self.table.row_height)
