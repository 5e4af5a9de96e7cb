"""How the cells and headings of a table of figures are drawn: text, bars, marks, swatches."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gpuplanner.ui.kit.drawing import LEFT, RIGHT, draw_box, draw_icon, draw_text, text_width
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Bar, Column, Row
from gpuplanner.ui.tables.rows import Index
from gpuplanner.ui.words.lanes import Lane


class Drawn(Protocol):
    """What is drawn here: a table that says what stands in it, and in which colours."""

    palette_in_use: Palette
    row_height: int

    @property
    def columns(self) -> Sequence[Column]:
        """The columns in use."""

    def row_at(self, row: int) -> Row:
        """One row."""


class CellDelegate(QStyledItemDelegate):
    """Draws the cells of a table."""

    def __init__(self, table: Drawn, parent: QWidget) -> None:
        super().__init__(parent)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws a cell on its row: hairline or rule, then bar, mark, swatch and text."""
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
        """Draws a share as a bar with its marks: solid for the flag, dashed for break-even."""
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

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row, cell = index.data(Qt.ItemDataRole.UserRole)
        step = font("total" if row.is_total else "strong" if cell.is_strong else "body")
        extra = (20 if cell.icon else 0) + (18 if cell.swatch else 0)
        return QSize(
            text_width(cell.text, step) + extra + (0 if index.column() == 0 else 8) + 2,
            self._table.row_height,
        )


class Heading(QHeaderView):
    """Draws the headings of a table, with the scales over its bars."""

    def __init__(self, table: Drawn, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._table = table
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        lines = max((str(column.title).count("\n") + 1 for column in self._table.columns), default=1)
        return QSize(10, 10 + 14 * lines)

    def sectionSizeFromContents(self, section: int) -> QSize:
        """The room that a title needs, in as many lines as it has."""
        title = str(self._table.columns[section].title)
        width = max(text_width(line, font("small")) for line in title.split("\n")) if title else 0
        return QSize(width + (0 if section == 0 else 8) + 2, self.sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draws a title above its column, on the side of its cells, with the scale of bars."""
        palette, column = self._table.palette_in_use, self._table.columns[section]
        painter.save()
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), palette.colour("line"))
        lines = str(column.title).split("\n")
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
