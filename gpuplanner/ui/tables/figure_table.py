"""A table of figures: aligned headings, hairlines, a ruled total; the one table of every panel and popover."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from gpuplanner.ui.kit.drawing import draw_box
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.cell_drawing import CellDelegate, Heading
from gpuplanner.ui.tables.cells import Column, Row, rows_as_text
from gpuplanner.ui.tables.rows import Index, RowsModel
from gpuplanner.ui.words.translation import tr

ROW_HEIGHT: Final = 23
ROWS_AT_LEAST: Final = 8
"""So many rows are seen of a table that shares a page with others: fewer are no list."""
NAMES_AT_LEAST_PX: Final = 96
"""So wide stays the column that takes what is left, if it needs as much: figures without a name say nothing."""
NAMES_AT_MOST_PX: Final = 560
"""So wide it grows at most, unless its names are longer: a figure far from its name is read in another's row."""
NO_BUTTON: Final = Qt.MouseButton.NoButton


class FigureTable(QTableView):
    """Told its columns and rows; emits the figure that was asked about, or else the key of the row that was opened."""

    row_opened = Signal(str)
    figure_opened = Signal(str, QRect)  # figure id, and where its cell is in the table

    def __init__(self, name: str, palette: Palette, parent: QWidget | None = None) -> None:
        self.palette_in_use = palette
        self.row_height = ROW_HEIGHT
        self.asks_by_click = True  # else a click chooses the row, and Enter, F1 or a double click asks
        self.names_at_least_px = NAMES_AT_LEAST_PX
        self._is_fitted = False
        self._at_least = 0
        self._stretched = -1
        super().__init__(parent)
        self._rows = RowsModel((), self)
        self.setAccessibleName(name)
        self.setModel(self._rows)
        self.setItemDelegate(CellDelegate(self, self))
        self.setHorizontalHeader(Heading(self, self))
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.selectionModel().currentChanged.connect(lambda *_: self.viewport().update())
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.viewport().setMouseTracking(True)
        self.activated.connect(self._open)
        self.clicked.connect(self._click)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns in use."""
        return self._rows.columns

    def row_at(self, row: int) -> Row:
        """One row."""
        return self._rows.rows[row]

    def show_rows(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Show these rows; widths follow what is in them, and the first column of width 0 takes what is left."""
        self._rows.show_rows([replace(column, title=tr(column.title)) for column in columns], rows)
        heading = self.horizontalHeader()
        heading.setMinimumSectionSize(12)
        self._stretched = -1
        for at, column in enumerate(self.columns):
            if column.width == 0 and self._stretched < 0 and not column.is_figure:
                heading.setSectionResizeMode(at, QHeaderView.ResizeMode.Stretch)
                self._stretched = at
            elif column.width:
                heading.setSectionResizeMode(at, QHeaderView.ResizeMode.Fixed)
                heading.resizeSection(at, column.width)
            else:
                heading.setSectionResizeMode(at, QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setDefaultSectionSize(self.row_height)
        self.verticalHeader().setMinimumSectionSize(16)
        self._keep_names()
        if self.hasFocus():
            self._stand_on_a_figure()
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_names()

    def _keep_names(self) -> None:
        """The column that takes what is left never vanishes, and leaves the figures beside their names.

        Where there is no room, the table is scrolled sideways.
        """
        at, heading = self._stretched, self.horizontalHeader()
        if at < 0:
            return
        taken = sum(heading.sectionSize(one) for one in range(heading.count()) if one != at)
        room, needed = self.viewport().width() - taken, self.sizeHintForColumn(at)
        least, most = min(self.names_at_least_px, needed), max(NAMES_AT_MOST_PX, needed)
        if least <= room <= most:
            heading.setSectionResizeMode(at, QHeaderView.ResizeMode.Stretch)
        else:
            heading.setSectionResizeMode(at, QHeaderView.ResizeMode.Fixed)
            heading.resizeSection(at, least if room < least else most)

    def figure_ids(self) -> list[str]:
        """Every figure that can be asked about, row by row."""
        return [cell.figure_id for row in self._rows.rows for cell in row.cells if cell.figure_id]

    def ask_why(self) -> None:
        """Ask about the figure that the keyboard stands on, or the first one of its row."""
        self._stand_on_a_figure(is_asked=True)
        index = self.currentIndex()
        if not index.isValid():
            return
        cells = self.row_at(index.row()).cells
        first = next((at for at, cell in enumerate(cells) if cell.figure_id), None)
        if self._figure_at(index):
            self._open(index)
        elif first is not None:
            self._open(self._rows.index(index.row(), first))

    def _figure_at(self, index: Index) -> str:
        """The figure of a cell; empty for one that is none."""
        cells = self.row_at(index.row()).cells
        return cells[index.column()].figure_id if index.column() < len(cells) else ""

    def _click(self, index: QModelIndex) -> None:
        """A click asks why, where clicks do; else it opens the row."""
        key = self.row_at(index.row()).key
        if self.asks_by_click:
            self._open(index)
        elif key:
            self.row_opened.emit(key)

    def _open(self, index: QModelIndex) -> None:
        """Asks why of a figure, else opens the row, else asks of the first figure beside a name."""
        figure_id, key = self._figure_at(index), self.row_at(index.row()).key
        if figure_id:
            place = self.visualRect(index).translated(self.viewport().pos())
            self.figure_opened.emit(figure_id, place)
        elif key:
            self.row_opened.emit(key)
        elif not self.columns[index.column()].is_figure and QGuiApplication.mouseButtons() == NO_BUTTON:
            self.ask_why()  # the keyboard stands on a name: the first figure beside it

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By keyboard, stands on a figure at once."""
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self._stand_on_a_figure()
        super().focusInEvent(event)

    def _stand_on_a_figure(self, is_asked: bool = False) -> None:
        """The keyboard comes to the first figure that can be asked about."""
        if self.currentIndex().isValid() or not (self.asks_by_click or is_asked):
            return
        for row in range(self._rows.rowCount()):
            cells = self.row_at(row).cells
            first = next((at for at, cell in enumerate(cells) if cell.figure_id), None)
            if first is not None:
                flag = QItemSelectionModel.SelectionFlag.NoUpdate
                self.selectionModel().setCurrentIndex(self._rows.index(row, first), flag)
                return

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The hand over whatever can be asked or opened."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        can_ask = index.isValid() and bool(self._figure_at(index) or self.row_at(index.row()).key)
        shape = Qt.CursorShape.PointingHandCursor if can_ask else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.palette_in_use = palette
        self.viewport().update()
        self.horizontalHeader().viewport().update()

    def fit_height(self) -> None:
        """Stand as high as the rows need: for tables that a page scrolls as a whole."""
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._follow_its_bar()
        self.setFixedHeight(self._height_of(len(self._rows.rows)))

    def take_room(self, at_least: int = ROWS_AT_LEAST) -> None:
        """Stand as high as there is room for rows: for the longest table of a page. at_least: rows that are seen."""
        self._at_least = at_least
        self._follow_its_bar()
        rows = len(self._rows.rows)
        self.setMinimumHeight(self._height_of(min(rows, at_least)))
        self.setMaximumHeight(self._height_of(rows))

    def _height_of(self, rows: int) -> int:
        """Pixels of so many rows under their heading, and over the bar that scrolls sideways, where there is one."""
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0  # not over the last row
        return self.horizontalHeader().sizeHint().height() + rows * self.row_height + 2 + below

    def _follow_its_bar(self) -> None:
        if not self._is_fitted:
            self._is_fitted = True
            self.horizontalScrollBar().rangeChanged.connect(lambda *_: self._fit_again())

    def _fit_again(self) -> None:
        """Fits the height to the rows, where nobody else sets it."""
        if self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            self.fit_height()
        elif self._at_least:
            self.take_room(self._at_least)

    def as_text(self) -> str:
        """Headings and rows, tab separated, for the clipboard."""
        return rows_as_text(self.columns, self._rows.rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            draw_box(QPainter(self.viewport()), self._focused_rect(), None, self.palette_in_use.focus, 4, 2)

    def _focused_rect(self) -> QRect:
        """The current row as far as it is seen; all rows where none of them is current or it is out of sight."""
        seen, current = self.viewport().rect(), self.currentIndex()
        if not current.isValid():
            return seen
        if self._figure_at(current):
            return self.visualRect(current).adjusted(0, 0, 3, 0)  # at the edge without its right side
        row = QRect(0, self.rowViewportPosition(current.row()), seen.width(), self.rowHeight(current.row()))
        # no sides: they would cross the first and the last figure
        return row.adjusted(-3, 0, 3, 0) if seen.contains(row) else seen

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies the whole table; F1 asks why."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
        elif (
            event.key() == Qt.Key.Key_F1 and self.figure_ids()
        ):  # in a sheet; the window has a key for all it shows
            self.ask_why()
        else:
            super().keyPressEvent(event)
