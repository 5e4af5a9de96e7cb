"""A table of figures: aligned headings, hairlines, a ruled total."""

from collections.abc import Sequence
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evidence.trace import parts_of
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.drawing import draw_box
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import base_font, text_px, text_width
from gpuplanner.ui.tables.cell_painting import NOTE_PX, SWATCH_PX, CellDelegate, Heading
from gpuplanner.ui.tables.cells import Column, Row, sorted_places
from gpuplanner.ui.tables.rows_model import Index, RowsModel
from gpuplanner.ui.tables.table_habits import CHOOSING, Action, TableHabits, ways_from, without_cut_row

ROW_HEIGHT: Final = 23
ROWS_AT_LEAST: Final = 8
"""Fewest visible rows of a table that shares a page with others."""
LETTERS_AT_LEAST: Final = "0" * 8
"""Smallest width of a text column that needs it, because figures need a name."""
NAMES_AT_MOST_PX: Final = 560
"""Largest width of names, unless longer ones need more; figures far from their names are hard to read."""
EDGE_PX: Final = 8
"""Space between the last column and a scroll bar."""
NO_BUTTON: Final = QtCore.Qt.MouseButton.NoButton


class FigureTable(QtWidgets.QTableView):
    """A table of columns and rows; signals the figure to explain, otherwise the key of the row to open."""

    row_opened = QtCore.Signal(str)
    row_entered = QtCore.Signal(str)  # by double click or menu, also where a click only selects
    figure_opened = QtCore.Signal(str, QtCore.QRect)  # figure id, and the cell's rectangle in the table

    def __init__(
        self, name: str, parent: QtWidgets.QWidget | None = None, *, model: RowsModel | None = None
    ) -> None:
        """Create the table. name: for screen readers. model: for rows loaded by page."""
        self._row_height = ROW_HEIGHT
        self.asks_by_click = True  # otherwise a click selects, and Enter, F1 or a double click explains
        self._wanted: dict[int, int] = {}  # pixels wanted by each visible column
        self._is_fitted = False
        self._at_least = 0
        self._stretched = -1
        self._higher: set[int] = set()  # places of rows with a note
        super().__init__(parent)
        self._rows = model or RowsModel((), self)
        self.setAccessibleName(name)
        self.setModel(self._rows)
        self.setItemDelegate(CellDelegate(self, self))
        self.setHorizontalHeader(Heading(self, self))
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(16)
        self.setShowGrid(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.selectionModel().currentChanged.connect(lambda *_: self.viewport().update())
        self.viewport().setAttribute(QtCore.Qt.WidgetAttribute.WA_Hover)
        self.viewport().setMouseTracking(True)
        self.habits = TableHabits(self)
        self.activated.connect(self._open)
        self.clicked.connect(self._click)

    @property
    def row_height(self) -> int:
        """Height of a row in pixels in the window's text size; set in the usual size."""
        return text_px(self._row_height)

    @row_height.setter
    def row_height(self, pixels: int) -> None:
        self._row_height = pixels

    @property
    def columns(self) -> tuple[Column, ...]:
        """Columns in use."""
        return self._rows.columns

    def row_at(self, row: int) -> Row:
        """Return a row."""
        return self._rows.rows[row]

    def row_below(self, row: int) -> Row | None:
        """Return the visible row below `row`; None below the last."""
        places = self.verticalHeader()
        at = places.logicalIndex(places.visualIndex(row) + 1)
        return None if at < 0 else self.row_at(at)

    def edge_of(self, column: int) -> int:
        """Return the free pixels at the right of a column: before the scroll bar, for the last visible column."""
        is_bare = self.verticalScrollBarPolicy() == QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        later = range(column + 1, len(self.columns))
        return 0 if is_bare or not all(map(self.isColumnHidden, later)) else EDGE_PX

    def is_cut(self, column: int) -> bool:
        """Return whether a column of numbers is only partly in sight; a number that is cut off would be misread."""
        left, right = (x := self.columnViewportPosition(column)), x + self.columnWidth(column)
        return self.columns[column].is_figure and (left < -EDGE_PX or right > self.viewport().width())

    def show_rows(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Show these rows; widths fit the contents; the last sentence column, or the first names, take the rest."""
        self._wanted = {}  # changing columns can show a scroll bar and resize the table
        self._rows.show_rows([replace(column, title=tr(column.title)) for column in columns], rows)
        names = [at for at, column in enumerate(self.columns) if column.width == 0 and not column.is_figure]
        sentences = [at for at in names if self.columns[at].is_cut_at_end]
        self._stretched = (sentences[-1:] or names[:1] or [-1])[0]
        self._fit_rows()
        self.habits.apply()
        if self.hasFocus():
            self._stand_on_a_figure()
        self.updateGeometry()

    def _fit_rows(self) -> None:
        """Set row heights: those with a note are higher by it."""
        places = self.verticalHeader()
        places.setDefaultSectionSize(self.row_height)
        noted = set(self._noted())
        for place in noted | self._higher:
            if place < places.count():
                places.resizeSection(place, self.row_height + (text_px(NOTE_PX) if place in noted else 0))
        self._higher = noted

    def _noted(self) -> list[int]:
        """Return the places of rows with a note; rows that are made at first access have none."""
        rows = self._rows.rows
        return [place for place, row in enumerate(rows) if row.note] if isinstance(rows, tuple) else []

    def span_of_notes(self) -> tuple[int, int]:
        """Return where the first column begins, and the width of all columns in sight, in pixels."""
        left = self.columnViewportPosition(0)
        return left, self.viewport().width() - max(0, left)

    def fit_columns(self) -> None:
        """Set column widths: the user's, otherwise the column's own, otherwise to fit the contents."""
        heading = self.horizontalHeader()
        self._wanted = {
            at: self.habits.width(at)
            or max(text_px(shown.width) or self.sizeHintForColumn(at), heading.sectionSizeHint(at))
            for at, shown in enumerate(self.columns)
            if not heading.isSectionHidden(at)
        }
        self._share_room()

    def sort_rows(self, at: int | None, *, is_descending: bool) -> None:
        """Sort the rows by a column; None: in the given order. The model's order does not change."""
        rows, places = self._rows.rows, self.verticalHeader()
        if at is None and not places.sectionsMoved():
            return
        order = list(range(len(rows)))
        if at is not None:
            is_figure = self.columns[at].is_figure
            order = sorted_places(rows, at, is_figure=is_figure, is_descending=is_descending)
        before = places.blockSignals(True)
        for to, place in enumerate(order):
            places.moveSection(places.visualIndex(place), to)
        places.blockSignals(before)
        self.viewport().update()

    def is_figure_column(self, at: int) -> bool:
        """Return whether a column contains numbers, which sort largest first."""
        return self.columns[at].is_figure or any(
            row.cells[at].bar is not None for row in self._rows.rows[:1] if at < len(row.cells)
        )

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._share_room()  # before the scroll bars get the column widths
        super().resizeEvent(event)

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.habits.recall()

    def doItemsLayout(self) -> None:
        """Adapt rows and columns to the text size."""
        if self.verticalHeader().defaultSectionSize() != self.row_height and self.columns:
            self._fit_rows()
            self.habits.fit()
            self._fit_again()
        super().doItemsLayout()

    def minimumSizeHint(self) -> QtCore.QSize:
        """Return a size with at least the first text column and the first figure."""
        figures = [px for at, px in self._wanted.items() if self.columns[at].is_figure]
        width = sum((*[*self._least().values()][:1], *figures[:1]))
        return super().minimumSizeHint().expandedTo(QtCore.QSize(width, 0))

    def _least(self) -> dict[int, int]:
        """Return the smallest width of each text column that fits its contents, in pixels."""
        heading, letters = self.horizontalHeader(), text_width(LETTERS_AT_LEAST, base_font("body")) + EDGE_PX
        swatches = [SWATCH_PX if cell.swatch else 0 for row in self._rows.rows[:1] for cell in row.cells]
        return {
            at: max(min(wanted, text_px(letters + sum(swatches[at : at + 1]))), heading.sectionSizeHint(at))
            for at, wanted in self._wanted.items()
            if not (self.columns[at].is_figure or self.columns[at].width or self.habits.width(at))
        }

    def _share_room(self) -> None:
        """Divide the width: text columns shrink, widest first; then the table scrolls sideways.

        Free space goes to the stretched column, up to NAMES_AT_MOST_PX, then evenly to all.
        """
        widths, least = dict(self._wanted), self._least()
        room = self.viewport().width() - sum(px for at, px in widths.items() if at not in least)
        for number, at in enumerate(sorted(least, key=widths.__getitem__)):
            widths[at] = max(least[at], min(widths[at], room // (len(least) - number)))
            room -= widths[at]
        free = [at for at in widths if not (self.columns[at].width or self.habits.width(at))]
        more = text_px(NAMES_AT_MOST_PX) - widths[self._stretched] if self._stretched in free else 0
        more = min(room, max(0, more))
        for number, at in enumerate(free if room > 0 else ()):
            rest = (room - more) // len(free) + (number < (room - more) % len(free))
            widths[at] += rest + (more if at == self._stretched else 0)
        self.habits.is_fitting = True
        for at, width in widths.items():
            self.horizontalHeader().resizeSection(at, width)
        self.habits.is_fitting = False

    def figure_ids(self) -> list[str]:
        """Return all figure ids of the table, row by row."""
        return [cell.figure_id for row in self._rows.rows for cell in row.cells if cell.figure_id]

    def ask_why(self) -> None:
        """Explain the figure with the keyboard focus, or the first one of its row."""
        self._stand_on_a_figure(is_asked=True)
        if self.currentIndex().isValid():
            self._ask_in_row(self.currentIndex())

    def _ask_in_row(self, index: Index) -> None:
        """Explain the figure of a cell, otherwise the first figure of its row."""
        cells = self.row_at(index.row()).cells
        order = (index.column(), *range(len(cells)))
        first = next((at for at in order if at < len(cells) and cells[at].figure_id), None)
        if first is not None:
            self._ask(self._rows.index(index.row(), first))

    def _ask(self, index: Index) -> None:
        """Signal the figure of a cell."""
        place = self.visualRect(index).translated(self.viewport().pos())
        self.figure_opened.emit(self._figure_at(index), place)

    def _figure_at(self, index: Index) -> str:
        """Return the figure id of a cell; "" without one."""
        cells = self.row_at(index.row()).cells
        return cells[index.column()].figure_id if index.column() < len(cells) else ""

    def _click(self, index: QtCore.QModelIndex) -> None:
        """Explain a figure where clicks do, otherwise open the row; with Shift or Ctrl, select rows."""
        key = self.row_at(index.row()).key
        if QtGui.QGuiApplication.keyboardModifiers() & CHOOSING:
            return
        if self.asks_by_click:
            self._open(index)
        elif key:
            self.row_opened.emit(key)

    def _open(self, index: QtCore.QModelIndex) -> None:
        """Explain a figure, otherwise open the row, otherwise explain the first figure after a name."""
        key = self.row_at(index.row()).key
        if self._figure_at(index):
            self._ask(index)
        elif key:
            self.row_opened.emit(key)
        elif not self.columns[index.column()].is_figure and QtGui.QGuiApplication.mouseButtons() == NO_BUTTON:
            self.ask_why()  # the focus is on a name: explain its first figure

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Open the object of a row, where the first click did not."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() is QtCore.Qt.MouseButton.LeftButton:
            self.open_row_of(index)
        else:
            super().mouseDoubleClickEvent(event)

    def open_row_of(self, index: Index) -> None:
        """Open the object of a row: by key, otherwise the named workload, contract or offer; otherwise explain a
        figure.
        """
        row = self.row_at(index.row())
        if row.key and self.receivers(QtCore.SIGNAL("row_opened(QString)")):
            self.row_opened.emit(row.key)
            self.row_entered.emit(row.key)
        elif ways := ways_from(self, self.names_of(index.row())):
            ways[0].go()
        else:
            self._ask_in_row(index)

    def names_of(self, at: int) -> list[str]:
        """Return possible names of a row's object: its key, the subjects of its figures, and its texts."""
        row = self.row_at(at)
        subjects = (parts_of(cell.figure_id)[2] for cell in row.cells if cell.figure_id)
        words = (
            str(cell.text)
            for cell, column in zip(row.cells, self.columns, strict=False)
            if not column.is_figure
        )
        return list(filter(None, dict.fromkeys((row.key, *subjects, *words))))

    def actions_of(self, index: Index) -> list[Action]:
        """Return the actions of a cell's menu, in addition to those of every table."""
        row, actions = self.row_at(index.row()), []
        if self._figure_at(index):
            actions.append(Action(tr("Why this number?"), lambda: self._ask(index), "F1"))
        if row.key and self.receivers(QtCore.SIGNAL("row_opened(QString)")):
            actions.append(Action(tr("Open"), lambda: self.open_row_of(index)))
        return actions

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Open the menu of the cell at the mouse, or with the keyboard focus."""
        self.habits.open_menu(event)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        """Move to a figure when focused by keyboard."""
        if event.reason() != QtCore.Qt.FocusReason.MouseFocusReason:
            self._stand_on_a_figure()
        super().focusInEvent(event)

    def _stand_on_a_figure(self, is_asked: bool = False) -> None:
        """Move the keyboard focus to the first figure with an explanation."""
        if self.currentIndex().isValid() or not (self.asks_by_click or is_asked):
            return
        for line in map(self.verticalHeader().logicalIndex, range(self._rows.rowCount())):
            cells = self.row_at(line).cells
            first = next((at for at, cell in enumerate(cells) if cell.figure_id), None)
            if first is not None:
                flag = QtCore.QItemSelectionModel.SelectionFlag.NoUpdate
                self.selectionModel().setCurrentIndex(self._rows.index(line, first), flag)
                return

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Show a hand over cells that can be explained or opened."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        can_ask = index.isValid() and bool(self._figure_at(index) or self.row_at(index.row()).key)
        shape = QtCore.Qt.CursorShape.PointingHandCursor if can_ask else QtCore.Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def pass_on(self, opened: QtCore.SignalInstance) -> None:
        """Forward requests for explanations, with this table."""
        self.figure_opened.connect(lambda figure_id, place: opened.emit(figure_id, self, place))

    def show_whole(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Show columns and rows at full height."""
        self.show_rows(columns, rows)
        self.fit_height()

    def show_all(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Show columns and rows at full height, and hide the table without rows; for pages that scroll as a whole."""
        self.setVisible(bool(rows))
        self.show_whole(columns, rows)

    def fit_height(self) -> None:
        """Set the height to that of all rows; for tables on a page that scrolls as a whole."""
        if self.verticalScrollBarPolicy() != QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            self.setVerticalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.habits.fit()  # the last column has no scroll bar next to it now
        self._follow_its_bar()
        self.setFixedHeight(self._height_of(len(self._rows.rows)))

    def take_room(self, at_least: int = ROWS_AT_LEAST) -> None:
        """Set the height to the available space for rows; for the longest table of a page.

        at_least: fewest visible rows.
        """
        self._at_least = at_least
        self._follow_its_bar()
        rows = len(self._rows.rows)
        self.setMinimumHeight(self._height_of(min(rows, at_least)))
        self.setMaximumHeight(self._height_of(rows))

    def _height_of(self, rows: int) -> int:
        """Return the height of `rows` rows in pixels, with heading and horizontal scroll bar."""
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0  # below the last row
        notes = sum(place < rows for place in self._noted()) * text_px(NOTE_PX)
        return self.horizontalHeader().sizeHint().height() + rows * self.row_height + notes + 2 + below

    def _follow_its_bar(self) -> None:
        if not self._is_fitted:
            self._is_fitted = True
            self.horizontalScrollBar().rangeChanged.connect(lambda *_: self._fit_again())

    def _fit_again(self) -> None:
        """Fit the height to the rows, where the table sets its height."""
        if self.verticalScrollBarPolicy() == QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            self.fit_height()
        elif self._at_least:
            self.take_room(self._at_least)

    def as_text(self) -> str:
        """Return headings and visible rows as tab-separated text for the clipboard."""
        return self.habits.text_of(None)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        super().paintEvent(without_cut_row(self, event))
        if self.hasFocus():
            draw_box(QtGui.QPainter(self.viewport()), self._focused_rect(), None, in_use().focus, 4, 2)

    def _focused_rect(self) -> QtCore.QRect:
        """Return the visible part of the current row; all rows if none is current or visible."""
        seen, current = self.viewport().rect().adjusted(-3, 0, 3, 0), self.currentIndex()
        if not current.isValid():
            return seen  # without sides, which would cross the first and the last figure
        if self._figure_at(current):
            return self.visualRect(current).adjusted(0, 0, 3, 0)  # at the edge without its right side
        row = QtCore.QRect(
            -3, self.rowViewportPosition(current.row()), seen.width(), self.rowHeight(current.row())
        )
        return row if seen.contains(row) else seen

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Copy the selected rows, otherwise the cell; F1 explains."""
        if event.matches(QtGui.QKeySequence.StandardKey.Copy):
            self.habits.copy()
        elif event.key() == QtCore.Qt.Key.Key_F1 and self.figure_ids():
            self.ask_why()  # in a sheet; the window has its own key
        else:
            super().keyPressEvent(event)
