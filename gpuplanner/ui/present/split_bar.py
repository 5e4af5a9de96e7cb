"""A bar of dollars, split by pool and what is paid and not used, each part with its name and amount."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.present.large_type import large, roomy

BAR_PX: Final = 92
MOST_BAR_PX: Final = 128
LEAST_BAR_PX: Final = 64
TICK_PX: Final = 12
GAP: Final = 12


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its share of the whole scale (0..1), its fill and what is written on it."""

    name: str
    amount: str
    share: float
    fill: str
    on_fill: str


class SplitBar(QWidget):
    """Told its parts from left to right; the scale is that of all bars of the scene."""

    def __init__(
        self, parts: Sequence[Part], palette: Palette, beside: Sequence[tuple[tuple[str, ...], str]] = ()
    ) -> None:
        """beside: lines at the right of the bar, each at several lengths, with the role of its colour."""
        super().__init__()
        self._parts, self._palette, self._beside = tuple(parts), palette, tuple(beside)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(MOST_BAR_PX + self._below)
        self.setAccessibleName(", ".join(f"{part.name} {part.amount}" for part in parts))

    def sizeHint(self) -> QSize:
        return QSize(600, roomy(BAR_PX) + self._below)

    def minimumSizeHint(self) -> QSize:
        return QSize(300, roomy(LEAST_BAR_PX) + self._below)

    @property
    def _below(self) -> int:
        """The height kept free below the bar, in pixels."""
        return TICK_PX + round(QFontMetricsF(large("small")).height()) + 4

    @property
    def _bar_px(self) -> int:
        """The height of the bar."""
        return min(MOST_BAR_PX, self.height() - self._below)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The parts with their names inside, or below where they are too narrow, and the total beside."""
        painter = QPainter(self)
        left, outside = 0.0, []
        for part in self._parts:
            width = part.share * self.width()
            place = QRectF(left, 0, max(0.0, width - 1), self._bar_px)
            left += width
            if part.share <= 0:
                continue
            painter.fillRect(place, QColor(part.fill))
            if not self._write_inside(painter, part, place):
                outside.append((part, place.center().x()))
        self._write_below(painter, outside)
        self._write_beside(painter, left + 22)

    def _write_inside(self, painter: QPainter, part: Part, place: QRectF) -> bool:
        """Whether name and amount fit into the part."""
        small, total = large("small"), large("total")
        room = place.adjusted(14, 0, -8, 0)
        widest = max(_width(part.name, small), _width(part.amount, total))
        if widest > room.width():
            return False
        name, amount = QFontMetricsF(small).height(), QFontMetricsF(total).height()
        room.setTop((self._bar_px - name - amount) / 2)
        painter.setPen(QColor(part.on_fill))
        for text, font, height in ((part.name, small, name), (part.amount, total, amount)):
            room.setHeight(height)
            painter.setFont(font)
            painter.drawText(room, _ONE_LINE, text)
            room.translate(0, height)
        return True

    def _write_below(self, painter: QPainter, outside: Sequence[tuple[Part, float]]) -> None:
        """Names of narrow parts under the bar, beside one another, each with a mark under its part."""
        small, strong = large("small"), large("small_strong")
        widths = [_width(f"{part.name} ", small) + _width(part.amount, strong) for part, _ in outside]
        free, bar = 0.0, self._bar_px
        for at, ((part, centre), width) in enumerate(zip(outside, widths, strict=True)):
            after = sum(widths[at + 1 :]) + 2 * GAP * (len(widths) - at - 1)
            left = max(free, min(centre - width / 2, self.width() - width - after))
            free = left + width + 2 * GAP
            painter.setPen(QPen(QColor(self._palette.edge), 1))
            painter.drawLine(round(centre), bar + 2, round(centre), bar + TICK_PX)
            line = QRectF(left, bar + TICK_PX + 2, width + 2, QFontMetricsF(small).height())
            painter.setPen(QColor(self._palette.text))
            painter.setFont(small)
            painter.drawText(line, _ONE_LINE, f"{part.name} ")
            painter.setFont(strong)
            painter.drawText(line.adjusted(_width(f"{part.name} ", small), 0, 2, 0), _ONE_LINE, part.amount)

    def _write_beside(self, painter: QPainter, left: float) -> None:
        """Writes lines behind the bar, each in the longest form that fits."""
        fonts = [large("title"), *(large("small") for _ in self._beside[1:])]
        heights = [QFontMetricsF(font).height() for font in fonts[: len(self._beside)]]
        top = max(0.0, (self._bar_px - sum(heights)) / 2)  # a low bar: there is room below it, none above
        for (texts, role), font, height in zip(self._beside, fonts, heights, strict=False):
            room = self.width() - left
            text = next((one for one in texts if _width(one, font) <= room), texts[-1])
            cut = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.setFont(font)
            painter.setPen(self._palette.colour(role))
            painter.drawText(QRectF(left, top, room, height), _ONE_LINE, cut)
            top += height


_ONE_LINE: Final = int(
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
)


def _width(text: str, font: QFont) -> float:
    """A text's width in a font."""
    return QFontMetricsF(font).horizontalAdvance(text)
