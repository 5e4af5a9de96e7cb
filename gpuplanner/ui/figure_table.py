"""A table of figures: aligned headings, hairlines, a ruled total; the one table of every panel and popover."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gpuplanner.ui.drawing import LEFT, RIGHT, draw_box, draw_icon, draw_text, text_width
from gpuplanner.ui.lanes import Lane
from gpuplanner.ui.said import said
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font

ROW_HEIGHT: Final = 23
WHY_TIP: Final = "Why this number? Enter or F1"
NO_BUTTON: Final = Qt.MouseButton.NoButton
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Column:
    """A heading (its unit after a line break), the side its values stand on, and a width (0: what is left)."""

    title: str
    is_figure: bool = True
    width: int = 0
    is_cut_at_end: bool = (
        False  # where there is no room: sentences begin with what matters, names need both ends
    )
    scale: tuple[tuple[float, str], ...] = ()  # labels over the bars of the column, at shares of its width


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in a cell: a share 0..1 in a palette role (or "lane:" and a pool), a solid mark and a dashed one."""

    share: float
    role: str = "neutral"
    solid_mark: float | None = None
    dashed_mark: float | None = None
    has_track: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows. `swatch` is a colour; `role` a palette role of the text; `icon` and its role come first.

    figure_id: the figure that "Why this number?" answers for; "" where there is nothing to ask.
    """

    text: str = ""
    role: str = "text"
    is_strong: bool = False
    icon: str = ""
    icon_role: str = "muted"
    swatch: str = ""
    is_hatched: bool = False
    bar: Bar | None = None
    tip: str = ""
    figure_id: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Cells from left to right; a total stands under a rule. key: what the row is about."""

    cells: tuple[Cell, ...]
    is_total: bool = False
    key: str = ""


class _RowsModel(QAbstractTableModel):
    def __init__(self, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: Sequence[Row] = ()

    def show_rows(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
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

    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        cell = row.cells[index.column()] if index.column() < len(row.cells) else Cell()
        heading = self.columns[index.column()].title.replace("\n", " ")
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.UserRole:
            return (row, cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (cell.tip, WHY_TIP if cell.figure_id else ""))) or None
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return WHY_TIP if cell.figure_id else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{heading}: {cell.text or cell.tip}" if heading else cell.text
        return None


class _CellDelegate(QStyledItemDelegate):
    def __init__(self, table: "FigureTable") -> None:
        super().__init__(table)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        palette, rect = self._table.palette_in_use, option.rect
        row, cell = index.data(Qt.ItemDataRole.UserRole)
        column = self._table.columns[index.column()]
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, palette.colour("selection"))
        is_last = index.row() == index.model().rowCount() - 1
        if row.is_total:
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), palette.colour("edge"))
        elif not is_last and not self._table.row_at(index.row() + 1).is_total:
            painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), palette.colour("line"))
        inner = rect.adjusted(0 if index.column() == 0 else 8, 1, 0, 0)
        if cell.bar is not None:
            self._paint_bar(painter, inner, cell.bar, palette)
            return
        step = font("total" if row.is_total else "strong" if cell.is_strong else "body")
        is_asked = bool(cell.figure_id and option.state & QStyle.StateFlag.State_MouseOver)
        if column.is_figure:
            width = text_width(cell.text, step)
            left = min(inner.left(), inner.right() - width)  # a number is never cut
            place = QRect(left, inner.top(), inner.right() - left + 1, inner.height())
            draw_text(painter, place, cell.text, step, palette.colour(cell.role), RIGHT)
            if is_asked:
                line = QRect(inner.right() - width + 1, inner.center().y() + 9, width, 1)
                painter.fillRect(line, palette.colour("muted"))
            if cell.icon:
                left = inner.right() - width - 20
                draw_icon(
                    painter, cell.icon, palette.colour(cell.icon_role), left, inner.center().y() - 7, 15
                )
            return
        left = inner.left()
        if cell.swatch:
            box = QRect(left, inner.center().y() - 5, 11, 11)
            paint_swatch(painter, box, cell.swatch, cell.is_hatched, palette)
            left += 18
        if cell.icon:
            colour = role_colour(cell.icon_role, palette)
            draw_icon(painter, cell.icon, colour, left, inner.center().y() - 7, 15)
            left += 22
        place = QRect(left, inner.top(), inner.right() - left, inner.height())
        cut = Qt.TextElideMode.ElideRight if column.is_cut_at_end else Qt.TextElideMode.ElideMiddle
        draw_text(painter, place, cell.text, step, palette.colour(cell.role), LEFT, cut)

    def _paint_bar(self, painter: QPainter, rect: QRect, bar: Bar, palette: Palette) -> None:
        middle = rect.center().y()
        track = QRect(rect.left(), middle - 3, rect.width() - 4, 8)
        if bar.has_track:
            painter.fillRect(track, palette.colour("track"))
        neutral = QColor(palette.text)
        neutral.setAlphaF(0.5)
        colour = neutral if bar.role == "neutral" else role_colour(bar.role, palette)
        painter.fillRect(
            QRect(track.left(), track.top(), round(track.width() * min(bar.share, 1)), 8), colour
        )
        for mark, is_dashed in ((bar.solid_mark, False), (bar.dashed_mark, True)):
            if mark is not None and mark <= 1:
                pen = QPen(palette.colour("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
                if is_dashed:
                    pen.setDashPattern([1, 1])
                painter.setPen(pen)
                at = track.left() + round(track.width() * mark)
                painter.drawLine(at, middle - 5, at, middle + 6)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        row, cell = index.data(Qt.ItemDataRole.UserRole)
        step = font("total" if row.is_total else "strong" if cell.is_strong else "body")
        extra = (20 if cell.icon else 0) + (18 if cell.swatch else 0)
        return QSize(
            text_width(cell.text, step) + extra + (0 if index.column() == 0 else 8) + 2,
            self._table.row_height,
        )


class _Heading(QHeaderView):
    def __init__(self, table: "FigureTable") -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        lines = max((column.title.count("\n") + 1 for column in self._table.columns), default=1)
        return QSize(10, 10 + 14 * lines)

    def sectionSizeFromContents(self, section: int) -> QSize:
        title = self._table.columns[section].title
        width = max(text_width(line, font("small")) for line in title.split("\n")) if title else 0
        return QSize(width + (0 if section == 0 else 8) + 2, self.sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        palette, column = self._table.palette_in_use, self._table.columns[section]
        painter.save()
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), palette.colour("line"))
        lines = column.title.split("\n")
        for number, line in enumerate(reversed(lines)):
            place = QRect(rect.left() + (0 if section == 0 else 8), rect.bottom() - 18 - 14 * number, 0, 15)
            place.setRight(rect.right())
            draw_text(painter, place, line, font("small"), palette.muted, RIGHT if column.is_figure else LEFT)
        for share, text in column.scale:
            width = text_width(text, font("small"))
            left = (
                rect.left()
                + 8
                + round((rect.width() - 12) * share)
                - (0 if share == 0 else width if share == 1 else width // 2)
            )
            draw_text(
                painter, QRect(left, rect.bottom() - 18, width + 2, 15), text, font("small"), palette.muted
            )
        painter.restore()


class FigureTable(QTableView):
    """Told its columns and rows; emits the figure that was asked about, or else the key of the row that was opened."""

    row_opened = Signal(str)
    figure_opened = Signal(str, QRect)  # figure id, and where its cell is in the table

    def __init__(self, name: str, palette: Palette, parent: QWidget | None = None) -> None:
        self.palette_in_use = palette
        self.row_height = ROW_HEIGHT
        self.asks_by_click = True  # else a click chooses the row, and Enter, F1 or a double click asks
        self._is_fitted = False
        super().__init__(parent)
        self._rows = _RowsModel((), self)
        self.setAccessibleName(name)
        self.setModel(self._rows)
        self.setItemDelegate(_CellDelegate(self))
        self.setHorizontalHeader(_Heading(self))
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
        self._rows.show_rows([replace(column, title=said(column.title)) for column in columns], rows)
        heading = self.horizontalHeader()
        heading.setMinimumSectionSize(12)
        stretched = False
        for at, column in enumerate(self.columns):
            if column.width == 0 and not stretched and not column.is_figure:
                heading.setSectionResizeMode(at, QHeaderView.ResizeMode.Stretch)
                stretched = True
            elif column.width:
                heading.setSectionResizeMode(at, QHeaderView.ResizeMode.Fixed)
                heading.resizeSection(at, column.width)
            else:
                heading.setSectionResizeMode(at, QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setDefaultSectionSize(self.row_height)
        self.verticalHeader().setMinimumSectionSize(16)
        if self.hasFocus():
            self._stand_on_a_figure()
        self.updateGeometry()

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

    def _figure_at(self, index: _Index) -> str:
        cells = self.row_at(index.row()).cells
        return cells[index.column()].figure_id if index.column() < len(cells) else ""

    def _click(self, index: QModelIndex) -> None:
        key = self.row_at(index.row()).key
        if self.asks_by_click:
            self._open(index)
        elif key:
            self.row_opened.emit(key)

    def _open(self, index: QModelIndex) -> None:
        figure_id, key = self._figure_at(index), self.row_at(index.row()).key
        if figure_id:
            place = self.visualRect(index).translated(self.viewport().pos())
            self.figure_opened.emit(figure_id, place)
        elif key:
            self.row_opened.emit(key)
        elif not self.columns[index.column()].is_figure and QGuiApplication.mouseButtons() == NO_BUTTON:
            self.ask_why()  # the keyboard stands on a name: the first figure beside it

    def focusInEvent(self, event: QFocusEvent) -> None:
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
        if not self._is_fitted:
            self._is_fitted = True
            self.horizontalScrollBar().rangeChanged.connect(lambda *_: self._fit_again())
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0  # not over the last row
        self.setFixedHeight(
            self.horizontalHeader().sizeHint().height() + len(self._rows.rows) * self.row_height + 2 + below
        )

    def _fit_again(self) -> None:
        if (
            self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        ):  # else others set its height
            self.fit_height()

    def as_text(self) -> str:
        """Headings and rows, tab separated, for the clipboard."""
        lines = ["\t".join(column.title.replace("\n", " ") for column in self.columns)]
        lines += ["\t".join(cell.text for cell in row.cells) for row in self._rows.rows]
        return "\n".join(lines)

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
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
        elif (
            event.key() == Qt.Key.Key_F1 and self.figure_ids()
        ):  # in a sheet; the window has a key for all it shows
            self.ask_why()
        else:
            super().keyPressEvent(event)


def role_colour(role: str, palette: Palette) -> QColor:
    """A role of the palette as a colour; "lane:training" is a pool's."""
    name, _, lane = role.partition(":")
    return palette.lane(Lane(lane)) if name == "lane" else palette.colour(role)


def paint_swatch(painter: QPainter, box: QRect, colour: str, is_hatched: bool, palette: Palette) -> None:
    """A small square in a layer's colour; usage-priced layers are hatched."""
    draw_box(painter, box, colour, palette.edge, 2, 1)
    if is_hatched:
        painter.save()
        painter.setClipRect(box.adjusted(1, 1, -1, -1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.hatch), 1))
        for offset in range(-12, 13, 4):
            painter.drawLine(box.left() + offset, box.bottom() + 1, box.left() + offset + 12, box.top() - 1)
        painter.restore()
