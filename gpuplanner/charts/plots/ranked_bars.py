"""Bars from the largest down, each with its name and amount: what costs how much."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.choice import Choice
from gpuplanner.charts.kit.colours import ChartColours
from gpuplanner.charts.kit.tips import show_tip, tip_table
from gpuplanner.charts.kit.translation import speak, spoken
from gpuplanner.charts.plots.waterfall import on_ground

ROW: Final = 22
BAR: Final = 10
GAP: Final = 8
SHARE_OF_TEXT: Final = 0.5
UNKNOWN: Final = "\u2014"


@dataclass(frozen=True, slots=True)
class RankedBar:
    """One bar. amount None: unknown; label: as it is written; lines: name and value of what else is said of it."""

    key: str
    name: str
    amount: float | None
    label: str
    lines: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Its name in the planner's language, once."""
        speak(self, "name")


class RankedBars(QWidget):
    """Told its bars; up and down choose one, a click or Enter opens it."""

    bar_opened = Signal(str)

    def __init__(self, name: str, unit: str, colours: ChartColours, parent: QWidget | None = None) -> None:
        """name: of the chart; unit: of its amounts, said in tips and to a screen reader."""
        self._colours, self._unit = colours, unit
        self._bars: tuple[RankedBar, ...] = ()
        super().__init__(parent)
        self.setAccessibleName(spoken(name))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._choice = Choice(self, name, lambda at: f"{self._bars[at].name} {self._bars[at].label}")

    @property
    def bars(self) -> tuple[RankedBar, ...]:
        """What it was told."""
        return self._bars

    def show_bars(self, bars: Sequence[RankedBar]) -> None:
        """Show these from the top down.

        In the order that they are given; its height follows their number.
        """
        self._bars = tuple(bars)
        self._choice.keep_below(len(bars))
        said = (f"{bar.name} {bar.label}" for bar in bars)
        self.setAccessibleDescription(f"{self._unit}: {', '.join(said)}")
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def show_colours(self, colours: ChartColours) -> None:
        """Other colours from now on."""
        self._colours = colours
        self.update()

    def select(self, key: str) -> None:
        """Stand on the bar of a key; one that is not there changes nothing.

        Nothing is emitted.
        """
        at = next((at for at, bar in enumerate(self._bars) if bar.key == key), None)
        if at is not None:
            self._choice.choose(at)

    def sizeHint(self) -> QSize:
        return QSize(320, max(1, len(self._bars)) * ROW + 4)

    def bar_rect(self, at: int) -> QRectF:
        """The bar at a place, in pixels; without width where its amount is unknown or nothing.

        The longest reaches as far as there is room for its amount.
        """
        left, right = self._sides()
        most = max((bar.amount or 0.0 for bar in self._bars), default=0.0) or 1.0
        share = max(0.0, self._bars[at].amount or 0.0) / most
        return QRectF(left, at * ROW + 2 + (ROW - BAR) / 2, share * (right - left), BAR)

    def _sides(self) -> tuple[float, float]:
        """Where bars begin and where the longest one ends: between the widest name and the widest amount."""
        small, strong = QFontMetricsF(self._colours.small), QFontMetricsF(self._colours.strong)
        names = max((small.horizontalAdvance(bar.name) for bar in self._bars), default=0.0)
        labels = max((strong.horizontalAdvance(bar.label) for bar in self._bars), default=0.0)
        left = min(names, self.width() * 0.4) + GAP + 4
        return left, max(left + 20, self.width() - labels - 2 * GAP)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), self._colours
        painter.fillRect(self.rect(), QColor(colours.raised))
        left, _ = self._sides()
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        for at, bar in enumerate(self._bars):
            rect = self.bar_rect(at)
            painter.fillRect(rect, on_ground(colours, SHARE_OF_TEXT))
            painter.setFont(colours.small)
            painter.setPen(QColor(colours.text))
            room = QRectF(4, at * ROW + 2, left - GAP - 4, ROW)
            name = QFontMetricsF(colours.small).elidedText(
                bar.name, Qt.TextElideMode.ElideMiddle, room.width()
            )
            painter.drawText(room, int(middle), name)
            painter.setFont(colours.strong)
            painter.drawText(QRectF(rect.right() + 6, room.top(), self.width(), ROW), int(middle), bar.label)
        painter.setPen(QPen(QColor(colours.edge), 1))
        painter.drawLine(round(left), 2, round(left), len(self._bars) * ROW + 2)
        if self.hasFocus() and self._bars:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.focus or colours.text), 2))
            painter.drawRoundedRect(
                QRectF(1, self._choice.current * ROW + 3, self.width() - 2, ROW - 2), 4, 4
            )

    def bar_at(self, y: float) -> int | None:
        """Place of the bar at a pixel from the top; None beside them.

        y: pixels of the widget.
        """
        at = int((y - 2) // ROW)
        return at if 0 <= at < len(self._bars) else None

    def reading_at(self, at: int) -> str:
        """The tool tip of a bar.

        Its amount, then the lines that are said of it.
        """
        bar = self._bars[at]
        swatch = on_ground(self._colours, SHARE_OF_TEXT).name()
        return tip_table(
            bar.name, [(swatch, self._unit, bar.label or UNKNOWN), *(("", *line) for line in bar.lines)], None
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self.bar_at(event.position().y())
        show_tip("" if at is None else self.reading_at(at), event.position().toPoint(), self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self.bar_at(event.position().y())
        if at is not None and event.button() is Qt.MouseButton.LeftButton:
            self._choice.choose(at)
            self.bar_opened.emit(self._bars[at].key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down choose, Enter and Space open."""
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in moves and self._bars:
            at = self._choice.current + moves[Qt.Key(event.key())]
            at = min(len(self._bars) - 1, max(0, at))
            self._choice.choose(at)
            show_tip(self.reading_at(at), QPoint(40, (at + 1) * ROW), self)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._bars:
            self.bar_opened.emit(self._bars[self._choice.current].key)
        else:
            super().keyPressEvent(event)
