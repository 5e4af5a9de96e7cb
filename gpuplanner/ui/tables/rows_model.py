"""The Qt model of a table of figures, and rows that are made at first access."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, overload

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import tip_text
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words.glossary import tip_of

# --- The Qt model of a table of figures -----------------------------------------------------------

WHY_TIP: Final = worded("Why this number? Enter or F1")
Index = QModelIndex | QPersistentModelIndex


class RowsModel(QAbstractTableModel):
    """A table model that replaces rows of the same shape without a reset."""

    def __init__(self, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: Sequence[Row] = ()

    def show_rows(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Show other rows; if columns and number of rows are the same, without a reset."""
        # a list may change later; lazy rows stay lazy
        rows = tuple(rows) if isinstance(rows, list) else rows
        if rows and tuple(columns) == self.columns and len(rows) == len(self.rows):
            self.rows = rows  # same shape: spin boxes, selection and scroll position stay
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(columns) - 1))
            return
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the title of a column; as a tool tip, the meaning if the title is a term."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(tip_of(self.columns[section].title)) or None
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return data of a cell for a role: text, row and cell, tool tip, texts for screen readers."""
        row = self.rows[index.row()]
        cell = row.cells[index.column()] if index.column() < len(row.cells) else Cell()
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.UserRole:
            return (row, cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            words = (str(cell.tip), spoken(WHY_TIP) if cell.figure_id else "")
            return tip_text("\n".join(filter(None, words))) or None
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            note = row.note if index.column() == 0 else ""
            return note or (spoken(WHY_TIP) if cell.figure_id else None)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if not (heading := str(self.columns[index.column()].title).replace("\n", " ")):
                return cell.text
            return tr("{title}: {value}", title=heading, value=cell.text or cell.tip)
        return None


# --- Rows of a table that are made at first access ------------------------------------------------


class LazyRows(Sequence[Row]):
    """Rows made at first access, because a table paints few of thousands."""

    def __init__(self, count: int, make: Callable[[int], Row]) -> None:
        self._count, self._make = count, make
        self._made: dict[int, Row] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(self._count))]
        if not 0 <= place < self._count:
            raise IndexError(place)
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def __iter__(self) -> Iterator[Row]:
        return (self[place] for place in range(self._count))
