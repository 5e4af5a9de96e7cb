"""A table of a scene: few rows, large type, figures at the right; what has no room is counted below."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.ui.kit.drawing import LEFT, RIGHT, draw_icon, draw_text, text_width
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.present.large_type import large
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

GAP: Final = 20
MARK: Final = 34


@dataclass(frozen=True, slots=True)
class BigRow:
    """One row. cells: the first at the left, the others at the right; note: a line under the first, in its role.

    more: what follows on that line, muted; swatch: a colour before it, hatched in that of pattern; icon: a drawing
    before it, in the colour of a role; is_heading: a section begins.
    """

    cells: tuple[str, ...]
    note: str = ""
    note_role: str = "muted"
    more: str = ""
    swatch: str = ""
    pattern: str = ""
    icon: str = ""
    icon_role: str = "muted"
    is_heading: bool = False
    is_total: bool = False


class BigTable(QWidget):
    """Told its headings and rows."""

    def __init__(self, name: str, headings: Sequence[str], rows: Sequence[BigRow], palette: Palette) -> None:
        super().__init__()
        self._headings, self._rows, self._palette = tuple(headings), tuple(rows), palette
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(spoken(name))
        self.setAccessibleDescription(rows_in_words(headings, rows))
        count = max((len(row.cells) for row in rows), default=1)
        self._widths = [self._width_of(at) for at in range(1, count)]
        self._is_marked = any(row.swatch or row.icon for row in rows)

    def sizeHint(self) -> QSize:
        return QSize(
            300, sum(self._height(row) for row in self._rows) + QFontMetrics(large("small")).height()
        )

    def _width_of(self, at: int) -> int:
        """The width of a column: its widest cell or its heading."""
        texts = [row.cells[at] for row in self._rows if len(row.cells) > at and not row.is_heading]
        widest = max((text_width(text, self._font(at)) for text in texts), default=0)
        heading = self._headings[at] if len(self._headings) > at else ""
        return max(widest, text_width(heading, large("small")))

    def _font(self, at: int) -> QFont:
        """First and last column stand out."""
        return large("strong" if at == len(self._headings) - 1 or at == 0 else "body")

    def _height(self, row: BigRow) -> int:
        """The height of a row in pixels, with its note."""
        if row.is_heading:
            return QFontMetrics(large("title")).height() + 22
        note = QFontMetrics(large("small")).height() if row.note else 0
        return QFontMetrics(large("body")).height() + note + 12

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows there is room for, then how many more there are; no heading is left without a row."""
        painter, palette, small = QPainter(self), self._palette, large("small")
        line = QFontMetrics(small).height()
        top = 0
        if any(self._headings):
            self._paint_cells(painter, QRect(0, 0, self.width(), line), self._headings, is_heading=True)
            top = line + 8
        left = sum(not row.is_heading for row in self._rows)
        for at, row in enumerate(self._rows):
            height = self._height(row)
            after = line + 4 if at < len(self._rows) - 1 else 0
            needed = height + (self._height(self._rows[at + 1]) if row.is_heading and after else 0)
            if top + needed + after > self.height():
                text = tr("and {left} more", left=numbers.whole(left))
                draw_text(painter, QRect(0, top + 4, self.width(), line), text, small, palette.muted)
                return
            self._paint_row(painter, QRect(0, top, self.width(), height), row)
            top += height
            left -= not row.is_heading

    def _paint_row(self, painter: QPainter, place: QRect, row: BigRow) -> None:
        """A heading, or a row with swatch or icon, cells and note."""
        palette = self._palette
        if row.is_heading:
            words = place.adjusted(0, 10, 0, -6)
            used = (
                draw_text(painter, words, row.cells[-1], large("small"), palette.muted, RIGHT)
                if row.cells[1:]
                else 0
            )
            draw_text(
                painter, words.adjusted(0, 0, -used - GAP, 0), row.cells[0], large("title"), palette.text
            )
            return
        if row.is_total:
            painter.setPen(QPen(palette.colour("edge"), 1))
            painter.drawLine(place.topLeft(), place.topRight())
        height = QFontMetrics(large("body")).height()
        words = QRect(0, place.top() + 6, place.width(), height)
        if row.swatch:
            box = QRect(0, words.center().y() - 8, 18, 18)
            painter.fillRect(box, QColor(row.swatch))
            if row.pattern:
                painter.fillRect(box, QBrush(QColor(row.pattern), Qt.BrushStyle.BDiagPattern))
        elif row.icon:
            draw_icon(painter, row.icon, palette.colour(row.icon_role), 0, words.center().y() - 10, 22)
        used = self._paint_cells(painter, words, row.cells)
        if row.note:
            note = QRect(
                self._indent,
                words.bottom() + 1,
                place.width() - self._indent,
                QFontMetrics(large("small")).height(),
            )
            room = note.adjusted(0, 0, -used if self._overlaps(used) else 0, 0)
            said_width = draw_text(painter, room, row.note, large("small"), palette.colour(row.note_role))
            rest = f"{numbers.MIDDOT}{row.more}" if row.more else ""
            draw_text(painter, room.adjusted(said_width, 0, 0, 0), rest, large("small"), palette.muted)

    def _overlaps(self, used: int) -> bool:
        """Whether so much is written at the right that the name has no room beside it."""
        return used > self.width() // 3

    @property
    def _indent(self) -> int:
        """What all names leave free at the left if any row has a mark."""
        return MARK if self._is_marked else 0

    def _paint_cells(
        self, painter: QPainter, words: QRect, cells: Sequence[str], is_heading: bool = False
    ) -> int:
        """Figures from the right, then the first cell in what is left; returns the width of the figures."""
        right = words.right() + 1
        for at in range(len(self._widths), 0, -1):
            width = self._widths[at - 1]
            if at < len(cells):
                font = large("small") if is_heading else self._font(at)
                role = "muted" if is_heading else "text"
                place = QRect(right - width, words.top(), width, words.height())
                draw_text(painter, place, cells[at], font, self._palette.colour(role), RIGHT)
            right -= width + GAP
        room = QRect(self._indent, words.top(), right - self._indent, words.height())
        font = large("small" if is_heading else "strong")
        draw_text(
            painter, room, cells[0], font, self._palette.muted if is_heading else self._palette.text, LEFT
        )
        return words.right() + 1 - right


def rows_in_words(headings: Sequence[str], rows: Sequence[BigRow]) -> str:
    """The rows as sentences, for who does not see them."""
    lines = []
    for row in rows:
        cells = [
            f"{headings[at]} {text}"
            if 0 < at < len(headings) and headings[at] and not row.is_heading
            else text
            for at, text in enumerate(row.cells)
            if text
        ]
        lines.append(", ".join(text for text in (*cells, row.note, row.more) if text))
    return ". ".join(lines) + "." if lines else ""
