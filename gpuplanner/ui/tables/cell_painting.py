"""Painting of cells and headings: text, bars, marks, swatches."""

from collections.abc import Sequence
from typing import Final, Protocol

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import show_tip_at
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.tables.cells import Bar, Cell, Column, Row
from gpuplanner.ui.tables.rows_model import Index
from gpuplanner.ui.words.lanes import Lane

SWATCH_PX: Final = 18
ICON_PX: Final = 22
"""Width of an icon before a text, with the space after it."""
NOTE_PX: Final = 16
"""Height of a note below the cells of a row, in the usual text size."""


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

    def span_of_notes(self) -> tuple[int, int]:
        """Return where the first column begins, and the width of all columns in sight, in pixels."""


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
        self._paint_cell(painter, type_scale.in_text_size(painter, option.rect), option.state, index)
        painter.restore()
        row, _ = index.data(Qt.ItemDataRole.UserRole)
        if row.note:
            painter.save()
            self._paint_note(painter, option.rect, row)
            painter.restore()

    def _paint_note(self, painter: QPainter, cell: QRect, row: Row) -> None:
        """Paint the part of a row's note that is below one cell: a paint may be of that cell alone."""
        left, width = self._table.span_of_notes()
        high = type_scale.text_px(NOTE_PX)
        painter.setClipRect(cell.adjusted(0, 0, 0, -1))  # without the hairline
        line = QRect(left, cell.bottom() - high, width, high)
        place = type_scale.in_text_size(painter, line)
        first = row.cells[0]
        indent = SWATCH_PX * bool(first.swatch) + ICON_PX * bool(first.icon)
        small, colour = type_scale.base_font("small"), palettes.in_use().colour("muted")
        drawing.draw_text(painter, place.adjusted(indent, 0, 0, -2), str(row.note), small, colour)

    def _paint_cell(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, index: Index) -> None:
        palette = palettes.in_use()
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
        left, below_px = 0 if index.column() == 0 else 8, NOTE_PX if row.note else 0
        inner = rect.adjusted(left, 1, -self._table.edge_of(index.column()), -below_px)
        if cell.bar is not None:
            self._paint_bar(painter, inner, cell.bar, palette)
            return
        step = type_scale.base_font(_step_of(row, cell))
        is_asked = bool(cell.figure_id and state & QStyle.StateFlag.State_MouseOver)
        if column.is_figure:
            width = type_scale.text_width(cell.text, step)
            left = min(inner.left(), inner.right() - width)  # numbers are never cut
            place = QRect(left, inner.top(), inner.right() - left + 1, inner.height())
            drawing.draw_text(painter, place, cell.text, step, palette.colour(cell.role), drawing.RIGHT)
            if is_asked:
                line = QRect(inner.right() - width + 1, inner.center().y() + 9, width, 1)
                painter.fillRect(line, palette.colour("muted"))
            if cell.icon:
                left = inner.right() - width - 20
                colour, top = palette.colour(cell.icon_role), inner.center().y() - 7
                drawing.draw_icon(painter, cell.icon, colour, left, top, 15)
            return
        left = inner.left()
        if cell.swatch:
            box = QRect(left, inner.center().y() - 5, 11, 11)
            paint_swatch(painter, box, cell.swatch, cell.is_hatched, palette)
            left += SWATCH_PX
        if cell.icon:
            colour = role_colour(cell.icon_role, palette)
            drawing.draw_icon(painter, cell.icon, colour, left, inner.center().y() - 7, 15)
            left += ICON_PX
        place = QRect(left, inner.top(), inner.right() - left, inner.height())
        cut = Qt.TextElideMode.ElideRight if column.is_cut_at_end else Qt.TextElideMode.ElideMiddle
        drawing.draw_text(painter, place, cell.text, step, palette.colour(cell.role), drawing.LEFT, cut)

    def _paint_bar(self, painter: QPainter, rect: QRect, bar: Bar, palette: palettes.Palette) -> None:
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
        step = type_scale.base_font(_step_of(row, cell))
        extra = (20 if cell.icon else 0) + (SWATCH_PX if cell.swatch else 0)
        around = extra + (0 if index.column() == 0 else 8) + self._table.edge_of(index.column()) + 2
        return QSize(
            type_scale.text_px(type_scale.text_width(cell.text, step) + around), self._table.row_height
        )


class Heading(QHeaderView):
    """Paints the headings of a table, with the scales above its bars."""

    def __init__(self, table: Drawn, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._table = table
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        lines = max((str(column.title).count("\n") + 1 for column in self._table.columns), default=1)
        return QSize(10, type_scale.text_px(10 + 14 * lines))

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Return the size of a title in all its lines."""
        title = str(self._table.columns[section].title)
        width = (
            max(type_scale.text_width(line, type_scale.base_font("small")) for line in title.split("\n"))
            if title
            else 0
        )
        room = (0 if section == 0 else 8) + self._table.edge_of(section) + 2
        return QSize(type_scale.text_px(width + room), self.sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title above its column, aligned like its cells, with the scale of bars."""
        palette, column = palettes.in_use(), self._table.columns[section]
        painter.save()
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), palette.colour("line"))
        rect = type_scale.in_text_size(painter, rect)
        lines = [] if self._table.is_cut(section) else str(column.title).split("\n")
        for number, line in enumerate(reversed(lines)):
            place = QRect(rect.left() + (0 if section == 0 else 8), rect.bottom() - 18 - 14 * number, 0, 15)
            place.setRight(rect.right() - self._table.edge_of(section))
            side = drawing.RIGHT if column.is_figure else drawing.LEFT
            drawing.draw_text(painter, place, line, type_scale.base_font("small"), palette.muted, side)
        if lines and self.isSortIndicatorShown() and section == self.sortIndicatorSection():
            self._paint_arrow(painter, place, column, palette)
        for share, text in column.scale:
            width = type_scale.text_width(text, type_scale.base_font("small"))
            if share == 0:
                before = 0
            elif share == 1:
                before = width
            else:
                before = width // 2
            left = rect.left() + 8 + round((rect.width() - 12) * share) - before
            place = QRect(left, rect.bottom() - 18, width + 2, 15)
            drawing.draw_text(painter, place, text, type_scale.base_font("small"), palette.muted)
        painter.restore()

    def _paint_arrow(
        self, painter: QPainter, title: QRect, column: Column, palette: palettes.Palette
    ) -> None:
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


def role_colour(role: str, palette: palettes.Palette) -> QColor:
    """Return the color of a palette role; "lane:training" is a pool's."""
    name, _, lane = role.partition(":")
    return palette.lane(Lane(lane)) if name == "lane" else palette.colour(role)


def paint_swatch(
    painter: QPainter, box: QRect, colour: str, is_hatched: bool, palette: palettes.Palette
) -> None:
    """Paint a small square in a layer's color; usage-priced layers are hatched."""
    drawing.draw_box(painter, box, colour, palette.edge, 2, 1)
    if is_hatched:
        painter.save()
        painter.setClipRect(box.adjusted(1, 1, -1, -1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.hatch), 1))
        for offset in range(-12, 13, 4):
            painter.drawLine(box.left() + offset, box.bottom() + 1, box.left() + offset + 12, box.top() - 1)
        painter.restore()
