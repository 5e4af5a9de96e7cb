"""Text and tables of a brief on paper: how high they are, and how they are drawn."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gpuplanner.charts.brief.brief_look import Type
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.message import Text
from gpuplanner.files.brief.column_widths import LONGEST_CELL, broken, column_widths, table_widths
from gpuplanner.files.brief.paper_colours import EDGE, GRID, MUTED, TEXT

HEADING: Final = 20.0
PARAGRAPH_GAP: Final = 6.0
CELL_PAD: Final = 5.0


def write(
    painter: QPainter,
    room: QRectF,
    text: Text,
    font: QFont,
    colour: str,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """One line, in the middle of the room's height; cut with a mark where it is too long.

    room: in pixels of 96 to the inch, as all of a page; side: where in the room it stands.
    """
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetricsF(font).elidedText(str(text), Qt.TextElideMode.ElideRight, room.width() + 1)
    flags = int(side | Qt.AlignmentFlag.AlignVCenter) | int(
        Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
    )
    painter.drawText(room, flags, shown)


def lines_of(text: Text, font: QFont, width: float) -> list[str]:
    """The text broken at spaces into lines of a width, and within a word that is wider."""
    return broken(str(text), width, QFontMetricsF(font).horizontalAdvance)


def balanced(text: str, font: QFont, width: float) -> list[str]:
    """As few lines as at that width, of nearly one length: no word of a title stands alone.

    width: pixels, which no line is wider than.
    """
    lines = lines_of(text, font, width)
    for share in range(50, 100, 2):
        tried = lines_of(text, font, width * share / 100)
        if len(tried) == len(lines):
            return tried
    return lines


def _line_height(font: QFont) -> float:
    """Pixels from one line to the next: a little more than the font asks for."""
    return QFontMetricsF(font).height() * 1.12


def block_height(block: TextBlock | TableBlock, width: float, kind: Type) -> float:
    """Pixels that a block needs at a width.

    kind: the type of the page, whose scale counts.
    """
    if isinstance(block, TextBlock):
        font = kind.font("body")
        count = sum(len(lines_of(sentence, font, width)) for sentence in block.sentences)
        gaps = PARAGRAPH_GAP * max(0, len(block.sentences) - 1)
        return (HEADING if block.title else 0.0) + count * _line_height(font) + gaps
    layout = _TableLayout(block, width, kind)
    return (HEADING if block.title else 0.0) + layout.height


def draw_text(painter: QPainter, room: QRectF, block: TextBlock, kind: Type) -> None:
    """A heading and its sentences.

    What does not fit the room is drawn below it: the page chose its type so that it fits.
    """
    top = room.top()
    if block.title:
        write(painter, QRectF(room.left(), top, room.width(), 16), block.title, kind.font("heading"), TEXT)
        top += HEADING
    font = kind.font("body")
    line = _line_height(font)
    for sentence in block.sentences:
        for text in lines_of(sentence, font, room.width()):
            write(painter, QRectF(room.left(), top, room.width(), line), text, font, TEXT)
            top += line
        top += PARAGRAPH_GAP


class _TableLayout:
    """Widths of the columns and the lines of every cell."""

    def __init__(self, block: TableBlock, width: float, kind: Type) -> None:
        """width: pixels of the whole table; columns share them by what they have to say."""
        self.block = block
        self.font, self.strong, self.small = (kind.font(step) for step in ("table", "table_strong", "small"))
        self.widths = column_widths(
            block, width, 2 * CELL_PAD + 1, QFontMetricsF(self.strong).horizontalAdvance
        )
        self.line = _line_height(self.font)
        self.heads = [
            lines_of(column.heading, self.strong, room - 2 * CELL_PAD)
            for column, room in zip(block.columns, self.widths, strict=True)
        ]
        self.head_height = max(len(lines) for lines in self.heads) * self.line + 6
        self.rows = [self._cells(row, self.font) for row in block.rows]
        self.total = self._cells(block.total, self.strong) if block.total else []
        self.note = lines_of(block.note, self.small, width) if block.note else []
        self.height = (
            self.head_height
            + sum(map(self.row_height, self.rows))
            + (self.row_height(self.total) if self.total else 0.0)
            + (4 + len(self.note) * _line_height(self.small) if self.note else 0.0)
        )

    def row_height(self, cells: list[list[str]]) -> float:
        """Pixels of a row."""
        return max(len(lines) for lines in cells) * self.line + 5

    def _cells(self, row: tuple[Text, ...], font: QFont) -> list[list[str]]:
        """The lines of every cell of a row; numbers stay on one line, long texts are cut."""
        cells = []
        for column, text, width in zip(self.block.columns, row, self.widths, strict=True):
            words = str(text)
            kept = words if len(words) <= LONGEST_CELL else f"{words[: LONGEST_CELL - 1]}\u2026"
            cells.append([kept] if column.is_number else lines_of(kept, font, width - 2 * CELL_PAD))
        return cells


def side_by_side(tables: Sequence[TableBlock], width: float, kind: Type) -> list[float]:
    """Pixels of tables that stand beside each other and share a width.

    In the order of the tables.
    """
    measure = QFontMetricsF(kind.font("table_strong")).horizontalAdvance
    return table_widths(tables, width, 2 * CELL_PAD + 1, measure)


def draw_table(painter: QPainter, room: QRectF, block: TableBlock, kind: Type) -> None:
    """Headings over a rule, rows between hairlines, numbers at the right.

    Its note stands under it. Rows are as high as their longest cell.
    """
    layout = _TableLayout(block, room.width(), kind)
    top = room.top()
    if block.title:
        write(painter, QRectF(room.left(), top, room.width(), 16), block.title, kind.font("heading"), TEXT)
        top += HEADING
    bottom = top + layout.head_height
    left = room.left()
    for column, lines, width in zip(block.columns, layout.heads, layout.widths, strict=True):
        at = bottom - 4 - len(lines) * layout.line
        _lines(painter, QRectF(left, at, width, layout.line), lines, layout.strong, MUTED, column.is_number)
        left += width
    _rule(painter, room, bottom, EDGE)
    top = bottom
    for cells in layout.rows:
        top = _row(painter, room, top, cells, layout, layout.font)
        _rule(painter, room, top, GRID)
    if layout.total:
        _rule(painter, room, top, EDGE)
        top = _row(painter, room, top, layout.total, layout, layout.strong)
    top += 4
    for text in layout.note:
        line = _line_height(layout.small)
        write(painter, QRectF(room.left() + CELL_PAD, top, room.width(), line), text, layout.small, MUTED)
        top += line


def _row(
    painter: QPainter, room: QRectF, top: float, cells: list[list[str]], layout: _TableLayout, font: QFont
) -> float:
    """One row from `top` on; returns where it ends."""
    left = room.left()
    for column, lines, width in zip(layout.block.columns, cells, layout.widths, strict=True):
        cell = QRectF(left, top + 2.5, width, layout.line)
        _lines(painter, cell, lines, font, TEXT, column.is_number)
        left += width
    return top + layout.row_height(cells)


def _lines(
    painter: QPainter, first: QRectF, lines: list[str], font: QFont, colour: str, is_number: bool
) -> None:
    """Lines of one cell, numbers at the right."""
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    room = first.adjusted(CELL_PAD, 0, -CELL_PAD, 0)
    for text in lines:
        write(painter, room, text, font, colour, side)
        room.translate(0, first.height())


def _rule(painter: QPainter, room: QRectF, y: float, colour: str) -> None:
    painter.setPen(QPen(QColor(colour), 1))
    painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
