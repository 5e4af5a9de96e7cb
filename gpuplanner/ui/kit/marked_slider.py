"""A slider in our own colours: a mark where its default is, and marks where the advice would become another."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSlider, QWidget

from gpuplanner.charts.kit.plain_text import show_tip_at
from gpuplanner.domain.message import Message
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.words.translation import spoken

RADIUS = 7
NEAR = 6


@dataclass(frozen=True, slots=True)
class FlipMark:
    """Where on the scale (in steps, with fractions) the advice becomes another, and how, in words."""

    at: float
    words: str


class MarkedSlider(QSlider):
    """Told its range, default and marks; says when the hand, or the key, lets go."""

    let_go = Signal()

    def __init__(self, name: Message, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(spoken(name))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._palette = palette
        self._default: int | None = None
        self._marks: tuple[FlipMark, ...] = ()
        self.sliderReleased.connect(self.let_go)

    @property
    def marks(self) -> tuple[FlipMark, ...]:
        """The flip marks as shown."""
        return self._marks

    def show_default(self, step: int | None) -> None:
        """Mark the value that holds where nothing is set."""
        self._default = step
        self.update()

    def show_marks(self, marks: Sequence[FlipMark]) -> None:
        """Mark where the advice flips."""
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            said = ". ".join(mark.words for mark in self._marks)
            self.setAccessibleDescription(spoken(said))
            self.update()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, 22)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 22)

    def _x(self, step: float) -> float:
        """Where a position is, in pixels from the left."""
        span = max(1, self.maximum() - self.minimum())
        return RADIUS + 1 + (self.width() - 2 * RADIUS - 2) * (step - self.minimum()) / span

    def _step_at(self, x: float) -> int:
        """The position nearest to a place in pixels, within the slider's ends."""
        span = self.maximum() - self.minimum()
        share = (x - RADIUS - 1) / max(1, self.width() - 2 * RADIUS - 2)
        return self.minimum() + round(min(1.0, max(0.0, share)) * span)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The track, how far the value is from the default, the marks of flip points and the knob."""
        painter, palette = QPainter(self), self._palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.colour("track"))
        left, right = self._x(self.minimum()), self._x(self.maximum())
        painter.drawRoundedRect(QRectF(left, middle - 2, right - left, 4), 2, 2)
        here = self._x(self.value())
        if self._default is not None and self.isEnabled():
            start = self._x(self._default)
            painter.setBrush(palette.colour("muted"))
            painter.drawRect(QRectF(min(start, here), middle - 2, abs(here - start), 4))
            painter.drawRect(QRectF(start - 0.75, middle - 5, 1.5, 10))
        painter.setBrush(palette.colour("amber"))
        for mark in self._marks:
            x = self._x(mark.at)
            painter.drawPolygon(
                [QPointF(x - 4, middle - 10), QPointF(x + 4, middle - 10), QPointF(x, middle - 4)]
            )
        painter.setBrush(palette.colour("raised" if self.isEnabled() else "track"))
        painter.setPen(QPen(QColor(palette.text if self.isEnabled() else palette.edge), 1.5))
        painter.drawEllipse(QPointF(here, middle), RADIUS - 1.5, RADIUS - 1.5)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(palette.colour("focus"), 2))
            painter.drawEllipse(QPointF(here, middle), RADIUS + 1.0, RADIUS + 1.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The handle comes to the cursor, wherever on the line that is."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._step_at(event.position().x()))
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follows the mouse while the knob is held."""
        if self.isSliderDown():
            self.setValue(self._step_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Lets the knob go."""
        if self.isSliderDown():
            self.setSliderDown(False)  # it says so itself

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """A key that is let go ends the gesture; a key that repeats does not."""
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat() and event.key() not in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.let_go.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Ends the gesture when the keyboard goes elsewhere."""
        super().focusOutEvent(event)
        self.let_go.emit()
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the page."""
        event.ignore()  # a plan must not change because a page scrolls

    def event(self, event: QEvent) -> bool:
        """A mark under the cursor says what flips there."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            near = [mark for mark in self._marks if abs(self._x(mark.at) - event.pos().x()) <= NEAR]
            if near:
                show_tip_at(event.globalPos(), "\n".join(mark.words for mark in near), self)
                return True
        return super().event(event)
