"""Tables of figures: columns, rows of cells, their Qt model, and their painting."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Final, Generic, Protocol, TypeVar, overload

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import day_in, show_tip_at, speak, spoken, tip_text, tr
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import Text, worded
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.ui.kit import theme
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import Lane, tip_of

# --- Contents of a table of figures: columns with cell functions, rows of cells with text, bar and figure id

_Of = TypeVar("_Of")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A heading (unit after a line break), the alignment of its values, and a width in pixels (0: the rest)."""

    title: Text
    is_figure: bool = True
    width: int = 0
    # for long text: sentences are cut at the end, names in the middle
    is_cut_at_end: bool = False
    scale: tuple[tuple[float, str], ...] = ()  # labels above the bars, at shares of the column's width


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar in a cell: a share 0..1 in a palette role (or "lane:" and a pool), with a solid and a dashed mark."""

    share: float
    role: str = "neutral"
    solid_mark: float | None = None
    dashed_mark: float | None = None
    has_track: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The contents of a cell. role: palette role of the text. icon: before the text. swatch: a color.

    figure_id: the figure explained by "Why this number?"; "" without an explanation. value: sort key in the column's
    unit; None: the bar, otherwise the text.
    """

    text: Text = ""
    role: str = "text"
    is_strong: bool = False
    icon: str = ""
    icon_role: str = "muted"
    swatch: str = ""
    is_hatched: bool = False
    bar: Bar | None = None
    tip: Text = ""
    figure_id: str = ""
    value: Any = None

    def __post_init__(self) -> None:
        speak(self, "text", "tip")


@dataclass(frozen=True, slots=True)
class Row:
    """Cells from left to right. is_total: below a rule. key: id of the row's object."""

    cells: tuple[Cell, ...]
    is_total: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled(Column, Generic[_Of]):
    """A column with the function that returns a row's cell, or its text."""

    cell: Callable[[_Of], Cell | Text] = field(kw_only=True, compare=False)


def asked(value: object, kind: str, subject: str = "", scope: str = "") -> str:
    """Return the figure id of a value; "" for an unknown value, which has no explanation."""
    return "" if value is None else figure(kind, subject, scope)


def filled_row(columns: Iterable[Filled[_Of]], of: _Of, key: str = "", *, is_total: bool = False) -> Row:
    """Return the row of one object. key: its id."""
    cells = (column.cell(of) for column in columns)
    return Row(tuple(cell if isinstance(cell, Cell) else Cell(text=cell) for cell in cells), is_total, key)


def filled_rows(
    columns: Sequence[Filled[_Of]], things: Iterable[_Of], key: Callable[[_Of], str] = lambda _: ""
) -> list[Row]:
    """Return one row per object. key: returns the id of an object."""
    return [filled_row(columns, of, key(of)) for of in things]


def written(write: Callable[[Any], str], value: Any, role: str = "text", **others: Any) -> Cell:
    """Return the cell of a value, sorted by the value. write: formats it. others: fields of the cell."""
    return Cell(text=write(value), role=role, value=value, **others)


def sort_value(cell: Cell, *, is_figure: bool) -> float | tuple[str | int, ...] | None:
    """Return the sort key of a cell: a number, a day, or words with numbers in numeric order (node 9 before node 10).

    None: unknown. is_figure: the column contains numbers, so that words have no value.

    >>> sort_value(Cell("Node 10"), is_figure=False), sort_value(Cell("quote needed"), is_figure=True)
    (('node ', 10, ''), None)
    """
    if isinstance(cell.value, int | float | Decimal):
        return None if cell.value != cell.value else float(cell.value)
    if cell.bar is not None:
        return cell.bar.share
    if (text := str(cell.value or cell.text)) in ("", numbers.UNKNOWN):
        return None
    if is_figure and cell.value is None:
        return numbers.number_in(text)
    if (day := day_in(text)) is not None:
        return float(day)
    return tuple(int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", text.casefold()))


def sorted_places(rows: Sequence[Row], at: int, *, is_figure: bool, is_descending: bool) -> list[int]:
    """Return the indexes of rows sorted by a column; unknown values are last in both directions, then totals."""
    none = Cell()
    values = {
        place: sort_value(row.cells[at] if at < len(row.cells) else none, is_figure=is_figure)
        for place, row in enumerate(rows)
        if not row.is_total
    }
    known = {place: value for place, value in values.items() if value is not None}
    ordered = sorted(known, key=lambda place: _among_all(known[place]), reverse=is_descending)
    unknown = [place for place in values if place not in known]
    return [*ordered, *unknown, *(place for place, row in enumerate(rows) if row.is_total)]


def _among_all(value: float | tuple[str | int, ...]) -> tuple[float, tuple[str | int, ...]]:
    """Return a sort key that puts numbers before words."""
    return (float("inf"), value) if isinstance(value, tuple) else (value, ())


def rows_as_text(columns: Iterable[Column], rows: Iterable[Row]) -> str:
    """Return headings and rows as tab-separated text for the clipboard."""
    head = [str(column.title).replace("\n", " ").strip() for column in columns]
    return tab_text((head, *([str(cell.text) for cell in row.cells] for row in rows)))


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
            return spoken(WHY_TIP) if cell.figure_id else None
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


# --- Reasons for columns of only dashes, shown once next to the table, because tips need the mouse -

LONGEST: Final = 100
"""Most characters of a reason in a line; longer ones stay in tips."""


def dash_reasons(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a line for each column of figures that is unknown in all rows for one reason, as CO2 kg per month —:
    reason.
    """
    lines = []
    for at, column in enumerate(columns):
        cells = [row.cells[at] for row in rows]
        reasons = {spoken(cell.tip) for cell in cells}
        if not column.is_figure or not cells or any(cell.text != numbers.UNKNOWN for cell in cells):
            continue
        (reason, *others) = reasons
        if reason and not others and len(reason) <= LONGEST:
            title = " ".join(spoken(column.title).split())
            lines.append(tr("{title} \u2014: {reason}", title=title, reason=reason))
    return tuple(lines)


# --- Painting of cells and headings: text, bars, marks, swatches ----------------------------------


SWATCH_PX: Final = 18


class Drawn(Protocol):
    """A table that can be painted here."""

    row_height: int

    @property
    def columns(self) -> Sequence[Column]:
        """Columns in use."""

    def row_below(self, row: int) -> Row | None:
        """Return the visible row below `row`; None below the last."""

    def edge_of(self, column: int) -> int:
        """Return the free pixels at the right of a column, such as before a scroll bar."""

    def is_cut(self, column: int) -> bool:
        """Return whether a column of numbers is only partly in sight."""


def _step_of(row: Row, cell: Cell) -> str:
    """Return the step of type in which a cell is written."""
    if row.is_total:
        return "total"
    return "strong" if cell.is_strong else "body"


class CellDelegate(QStyledItemDelegate):
    """Paints the cells of a table."""

    def __init__(self, table: Drawn, parent: QWidget) -> None:
        super().__init__(parent)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell: hairline or rule, then bar, mark, swatch and text."""
        painter.save()
        self._paint_cell(painter, theme.in_text_size(painter, option.rect), option.state, index)
        painter.restore()

    def _paint_cell(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, index: Index) -> None:
        palette = theme.in_use()
        row, cell = index.data(Qt.ItemDataRole.UserRole)
        column = self._table.columns[index.column()]
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, palette.colour("selection"))
        below = self._table.row_below(index.row())
        if row.is_total:
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), palette.colour("edge"))
        elif below is not None and not below.is_total:
            painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), palette.colour("line"))
        if self._table.is_cut(index.column()):
            return
        inner = rect.adjusted(0 if index.column() == 0 else 8, 1, -self._table.edge_of(index.column()), 0)
        if cell.bar is not None:
            self._paint_bar(painter, inner, cell.bar, palette)
            return
        step = theme.base_font(_step_of(row, cell))
        is_asked = bool(cell.figure_id and state & QStyle.StateFlag.State_MouseOver)
        if column.is_figure:
            width = theme.text_width(cell.text, step)
            left = min(inner.left(), inner.right() - width)  # numbers are never cut
            place = QRect(left, inner.top(), inner.right() - left + 1, inner.height())
            theme.draw_text(painter, place, cell.text, step, palette.colour(cell.role), theme.RIGHT)
            if is_asked:
                line = QRect(inner.right() - width + 1, inner.center().y() + 9, width, 1)
                painter.fillRect(line, palette.colour("muted"))
            if cell.icon:
                left = inner.right() - width - 20
                colour, top = palette.colour(cell.icon_role), inner.center().y() - 7
                theme.draw_icon(painter, cell.icon, colour, left, top, 15)
            return
        left = inner.left()
        if cell.swatch:
            box = QRect(left, inner.center().y() - 5, 11, 11)
            paint_swatch(painter, box, cell.swatch, cell.is_hatched, palette)
            left += SWATCH_PX
        if cell.icon:
            colour = role_colour(cell.icon_role, palette)
            theme.draw_icon(painter, cell.icon, colour, left, inner.center().y() - 7, 15)
            left += 22
        place = QRect(left, inner.top(), inner.right() - left, inner.height())
        cut = Qt.TextElideMode.ElideRight if column.is_cut_at_end else Qt.TextElideMode.ElideMiddle
        theme.draw_text(painter, place, cell.text, step, palette.colour(cell.role), theme.LEFT, cut)

    def _paint_bar(self, painter: QPainter, rect: QRect, bar: Bar, palette: theme.Palette) -> None:
        """Paint a share as a bar with its marks: solid for the flag, dashed for break-even."""
        middle = rect.center().y()
        track = QRect(rect.left(), middle - 3, rect.width() - 4, 8)
        if bar.has_track:
            painter.fillRect(track, palette.colour("track"))
        neutral = QColor(palette.text)
        neutral.setAlphaF(0.5)
        colour = neutral if bar.role == "neutral" else role_colour(bar.role, palette)
        filled = round(track.width() * min(bar.share, 1))
        painter.fillRect(QRect(track.left(), track.top(), filled, 8), colour)
        for mark, is_dashed in ((bar.solid_mark, False), (bar.dashed_mark, True)):
            if mark is not None and mark <= 1:
                pen = QPen(palette.colour("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
                if is_dashed:
                    pen.setDashPattern([1, 1])
                painter.setPen(pen)
                at = track.left() + round(track.width() * mark)
                painter.drawLine(at, middle - 5, at, middle + 6)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """Show the whole text of a cut cell, followed by its tool tip."""
        if not index.isValid() or self.sizeHint(option, index).width() <= option.rect.width():
            return super().helpEvent(event, view, option, index)
        show_tip_at(event.globalPos(), str(index.data()), view, index.data(Qt.ItemDataRole.ToolTipRole))
        return True

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row, cell = index.data(Qt.ItemDataRole.UserRole)
        step = theme.base_font(_step_of(row, cell))
        extra = (20 if cell.icon else 0) + (SWATCH_PX if cell.swatch else 0)
        around = extra + (0 if index.column() == 0 else 8) + self._table.edge_of(index.column()) + 2
        return QSize(theme.text_px(theme.text_width(cell.text, step) + around), self._table.row_height)


class Heading(QHeaderView):
    """Paints the headings of a table, with the scales above its bars."""

    def __init__(self, table: Drawn, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._table = table
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        lines = max((str(column.title).count("\n") + 1 for column in self._table.columns), default=1)
        return QSize(10, theme.text_px(10 + 14 * lines))

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Return the size of a title in all its lines."""
        title = str(self._table.columns[section].title)
        width = (
            max(theme.text_width(line, theme.base_font("small")) for line in title.split("\n"))
            if title
            else 0
        )
        room = (0 if section == 0 else 8) + self._table.edge_of(section) + 2
        return QSize(theme.text_px(width + room), self.sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title above its column, aligned like its cells, with the scale of bars."""
        palette, column = theme.in_use(), self._table.columns[section]
        painter.save()
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), palette.colour("line"))
        rect = theme.in_text_size(painter, rect)
        lines = [] if self._table.is_cut(section) else str(column.title).split("\n")
        for number, line in enumerate(reversed(lines)):
            place = QRect(rect.left() + (0 if section == 0 else 8), rect.bottom() - 18 - 14 * number, 0, 15)
            place.setRight(rect.right() - self._table.edge_of(section))
            side = theme.RIGHT if column.is_figure else theme.LEFT
            theme.draw_text(painter, place, line, theme.base_font("small"), palette.muted, side)
        if lines and self.isSortIndicatorShown() and section == self.sortIndicatorSection():
            self._paint_arrow(painter, place, column, palette)
        for share, text in column.scale:
            width = theme.text_width(text, theme.base_font("small"))
            if share == 0:
                before = 0
            elif share == 1:
                before = width
            else:
                before = width // 2
            left = rect.left() + 8 + round((rect.width() - 12) * share) - before
            place = QRect(left, rect.bottom() - 18, width + 2, 15)
            theme.draw_text(painter, place, text, theme.base_font("small"), palette.muted)
        painter.restore()

    def _paint_arrow(self, painter: QPainter, title: QRect, column: Column, palette: theme.Palette) -> None:
        """Paint the sort arrow above the title."""
        tip, base = (1, -1) if self.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder else (-1, 1)
        across = title.right() - 4 if column.is_figure else title.left() + 4
        middle = title.top() - 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.colour("accent"))
        corners = (
            (across - 4, middle + 2 * base),
            (across + 4, middle + 2 * base),
            (across, middle + 2 * tip),
        )
        painter.drawPolygon([QPoint(x, y) for x, y in corners])


def role_colour(role: str, palette: theme.Palette) -> QColor:
    """Return the color of a palette role; "lane:training" is a pool's."""
    name, _, lane = role.partition(":")
    return palette.lane(Lane(lane)) if name == "lane" else palette.colour(role)


def paint_swatch(
    painter: QPainter, box: QRect, colour: str, is_hatched: bool, palette: theme.Palette
) -> None:
    """Paint a small square in a layer's color; usage-priced layers are hatched."""
    theme.draw_box(painter, box, colour, palette.edge, 2, 1)
    if is_hatched:
        painter.save()
        painter.setClipRect(box.adjusted(1, 1, -1, -1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.hatch), 1))
        for offset in range(-12, 13, 4):
            painter.drawLine(box.left() + offset, box.bottom() + 1, box.left() + offset + 12, box.top() - 1)
        painter.restore()
