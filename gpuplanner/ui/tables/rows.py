"""The rows of a table of figures, as Qt asks for them."""

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import tip_text
from gpuplanner.domain.message import worded
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words.translation import spoken, tr

WHY_TIP: Final = worded("Why this number? Enter or F1")
Index = QModelIndex | QPersistentModelIndex


class RowsModel(QAbstractTableModel):
    """Rows of the same shape take the place of others without a reset."""

    def __init__(self, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: Sequence[Row] = ()

    def show_rows(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Shows other rows; those of the same shape change in place."""
        rows = (
            tuple(rows) if isinstance(rows, list) else rows
        )  # others do not change; they may be made when seen
        if rows and tuple(columns) == self.columns and len(rows) == len(self.rows):
            self.rows = rows  # same shape: spin boxes, selection and place in the table stay
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
        """The title of a column."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What Qt asks of a cell: text, row and cell, tip, words for screen readers."""
        row = self.rows[index.row()]
        cell = row.cells[index.column()] if index.column() < len(row.cells) else Cell()
        heading = str(self.columns[index.column()].title).replace("\n", " ")
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.UserRole:
            return (row, cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            words = (str(cell.tip), spoken(WHY_TIP) if cell.figure_id else "")
            return tip_text("\n".join(filter(None, words))) or None
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return spoken(WHY_TIP) if cell.figure_id else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if not heading:
                return cell.text
            return tr("{heading}: {value}", heading=heading, value=cell.text or cell.tip)
        return None
