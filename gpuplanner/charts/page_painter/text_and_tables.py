"""Sentences and tables on a page."""

from collections.abc import Set

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gpuplanner.charts.page_painter.page_look import (
    CELL_PAD,
    FORM_LINE,
    FRAME_PAD,
    HEADING_GAP,
    HEADING_LINE,
    PARAGRAPH_GAP,
    Look,
)
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.message import Text
from gpuplanner.files.brief import sheets


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
    return sheets.broken(str(text), width, QFontMetricsF(font).horizontalAdvance)


def balanced(text: Text, font: QFont, width: float) -> list[str]:
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


def head_height(block: pages.Block, width: float, look: Look) -> float:
    """Pixels of what stands over a block; 0 of one without a title."""
    lines = len(_title_lines(block, width, look))
    return lines * HEADING_LINE * max(1.0, look.scale) + HEADING_GAP if lines else 0.0


def _title_lines(block: pages.Block, width: float, look: Look) -> list[str]:
    return lines_of(block.title, look.font("heading"), width) if block.title else []


def block_height(block: TextBlock | TableBlock, width: float, look: Look) -> float:
    """Pixels that a block needs at a width, in the type of the look, its title too."""
    head = head_height(block, width, look)
    if isinstance(block, TableBlock):
        return head + TableLayout(block, width, look).height
    font, pad = look.font("body"), FRAME_PAD if block.is_warning else 0.0
    count = sum(len(lines_of(sentence, font, width - 2 * pad)) for sentence in block.sentences)
    gaps = PARAGRAPH_GAP * max(0, len(block.sentences) - 1)
    return head + count * _line_height(font) + gaps + 2 * pad


def draw_title(painter: QPainter, room: QRectF, block: pages.Block, look: Look) -> None:
    """What stands over a block."""
    font, high = look.font("heading"), HEADING_LINE * max(1.0, look.scale)
    for at, text in enumerate(_title_lines(block, room.width(), look)):
        place = QRectF(room.left(), room.top() + at * high, room.width(), high)
        write(painter, place, text, font, look.text)


def draw_text(painter: QPainter, room: QRectF, block: TextBlock, look: Look) -> None:
    """Sentences, a warning in its frame. What does not fit is drawn below the room: the page chose its type to fit."""
    font, colour = look.font("body"), look.text
    if block.is_warning:
        frame = QRectF(room.left(), room.top(), room.width(), block_height(block, room.width(), look))
        painter.setPen(QPen(QColor(look.amber), 1))
        painter.setBrush(QColor(look.amber_ground))
        painter.drawRect(frame)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        room, colour = room.adjusted(FRAME_PAD, FRAME_PAD, -FRAME_PAD, 0), look.amber
    line, top = _line_height(font), room.top()
    for sentence in block.sentences:
        for text in lines_of(sentence, font, room.width()):
            write(painter, QRectF(room.left(), top, room.width(), line), text, font, colour)
            top += line
        top += PARAGRAPH_GAP


class TableLayout:
    """Widths of the columns and the lines of every cell."""

    def __init__(self, block: TableBlock, width: float, look: Look) -> None:
        """width: pixels of the whole table; columns share them by what they have to say."""
        self.block, self.row_pad = block, look.row_pad
        padding = 2 * CELL_PAD + 1
        self.font, self.strong, self.small = (look.font(step) for step in ("table", "table_strong", "small"))
        measure = QFontMetricsF(self.strong).horizontalAdvance
        self.widths = sheets.column_widths(block, width, padding, measure)
        self.is_cut = sheets.least_width(block, padding, measure) > width
        self.line = _line_height(self.font)
        self.heads = [
            lines_of(column.heading, self.strong, room - 2 * CELL_PAD)
            for column, room in zip(block.columns, self.widths, strict=True)
        ]
        self.head_height = max(len(lines) for lines in self.heads) * self.line + 6
        self.rows = [
            self._cells(row, self.strong if place in block.subtotals else self.font)
            for place, row in enumerate(block.rows)
        ]
        self.total = self._cells(block.total, self.strong) if block.total else []
        self.note = lines_of(block.note, self.small, width - 2 * CELL_PAD) if block.note else []
        self.height = (
            self.head_height
            + sum(map(self.row_height, self.rows))
            + (self.row_height(self.total) if self.total else 0.0)
            + (4 + len(self.note) * _line_height(self.small) if self.note else 0.0)
        )

    def row_height(self, cells: list[list[str]]) -> float:
        """Pixels of a row."""
        needed = max(len(lines) for lines in cells) * self.line + self.row_pad
        return max(needed, FORM_LINE) if self.block.is_form else needed

    def _cells(self, row: tuple[object, ...], font: QFont) -> list[list[str]]:
        """The lines of every cell of a row; numbers stay on one line, long texts are cut."""
        cells = []
        for column, text, width in zip(self.block.columns, row, self.widths, strict=True):
            words = str(text)
            kept = words if len(words) <= sheets.LONGEST_CELL else f"{words[: sheets.LONGEST_CELL - 1]}\u2026"
            cells.append([kept] if column.is_number else lines_of(kept, font, width - 2 * CELL_PAD))
        return cells


def draw_table(painter: QPainter, room: QRectF, block: TableBlock, look: Look) -> None:
    """Headings over a rule, rows between hairlines, numbers at the right.

    Its note stands under it. Rows are as high as their longest cell.
    """
    layout = TableLayout(block, room.width(), look)
    bottom, left = room.top() + layout.head_height, room.left()
    for column, lines, width in zip(block.columns, layout.heads, layout.widths, strict=True):
        place = QRectF(left, bottom - 4 - len(lines) * layout.line, width, layout.line)
        _lines(painter, place, lines, layout.strong, look.muted, column.is_number)
        left += width
    rule(painter, room, bottom, look.edge)
    top = bottom
    for number, cells in enumerate(layout.rows):
        font = layout.strong if number in block.subtotals else layout.font
        red = {block.day_column} if number in block.urgent else set[int]()
        top = _row(painter, room, top, cells, layout, font, look, red)
        rule(painter, room, top, look.edge if block.is_form else look.grid)
    if layout.total:
        rule(painter, room, top, look.edge)
        top = _row(painter, room, top, layout.total, layout, layout.strong, look)
    top += 4
    for text in layout.note:
        line = _line_height(layout.small)
        place = QRectF(room.left() + CELL_PAD, top, room.width(), line)
        write(painter, place, text, layout.small, look.muted)
        top += line


def _row(
    painter: QPainter,
    room: QRectF,
    top: float,
    cells: list[list[str]],
    layout: TableLayout,
    font: QFont,
    look: Look,
    red: Set[int] = frozenset(),
) -> float:
    """One row from `top` on; returns where it ends. red: columns that are written in red."""
    left = room.left()
    for place, (column, lines, width) in enumerate(
        zip(layout.block.columns, cells, layout.widths, strict=True)
    ):
        cell = QRectF(left, top + layout.row_pad / 2, width, layout.line)
        _lines(painter, cell, lines, font, look.red if place in red else look.text, column.is_number)
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


def rule(painter: QPainter, room: QRectF, y: float, colour: str) -> None:
    painter.setPen(QPen(QColor(colour), 1))
    painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
