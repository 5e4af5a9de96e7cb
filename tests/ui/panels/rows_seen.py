"""How many rows of a list or table are seen whole, by where they stand in the window."""

from typing import Final

from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from gpuplanner.ui.tables.row_list import RowList

ROWS: Final = 8
"""So many of its longest table a maximised panel shows at 1440 x 900, where there are as many."""
FIRST_PX: Final = 40
"""Of a row that is wider than its table the beginning is looked at."""


def lists_of(panel: QWidget) -> list[QAbstractItemView]:
    """The lists and tables of a panel that are shown, also those that are scrolled out of sight."""
    found: list[QAbstractItemView] = [*panel.findChildren(QTableView), *panel.findChildren(RowList)]
    return [one for one in found if one.isVisible()]


def rows_seen(view: QAbstractItemView) -> int:
    """Rows of which nothing is cut off, by the view itself or by what scrolls it."""
    model, seen = view.model(), view.viewport().visibleRegion()
    places = (view.visualRect(model.index(row, 0)) for row in range(model.rowCount()))
    begins = (
        place.adjusted(-place.left(), 0, FIRST_PX - place.right(), 0)
        for place in places
        if place.height() and place.bottom() >= 0
    )
    return sum(QRegion(one).subtracted(seen).isEmpty() for one in begins)


def most_seen(panel: QWidget) -> tuple[int, int]:
    """Rows seen of the list that shows most of its rows, and how many it may be asked for: `ROWS`, or all it has."""
    views = [(rows_seen(view), view.model().rowCount()) for view in lists_of(panel)]
    if not views:
        return 0, 0
    longest = max(count for _, count in views)
    seen = max(seen for seen, count in views if count == longest or seen >= ROWS)
    return seen, min(ROWS, longest)
