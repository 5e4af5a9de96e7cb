"""The strip "What if": sliders with marks for growth, prices, churn, traffic, models and mix."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip, show_tip_at
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.fields import ValueField
from gpuplanner.ui.kit.layout import column, ground, named, row, share
from gpuplanner.ui.kit.page_parts import ElidedLabel, label, named_button, tool_button
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import font, text_px
from gpuplanner.ui.words.sliders import MODELS, SLIDERS, SliderSpec, rate_words

# --- A slider in our own colours: a mark where its default is, and marks where the advice would become another

RADIUS = 7
NEAR = 6


@dataclass(frozen=True, slots=True)
class FlipMark:
    """Where on the scale (in steps, with fractions) the advice becomes another, and how, in words."""

    at: float
    words: str


class MarkedSlider(QtWidgets.QSlider):
    """Told its range, default and marks; says when the hand, or the key, lets go."""

    let_go = QtCore.Signal()

    def __init__(self, name: Message) -> None:
        super().__init__(QtCore.Qt.Orientation.Horizontal)
        self.setAccessibleName(spoken(name))
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)
        self._default: int | None = None
        self.marks: tuple[FlipMark, ...] = ()  # the flip marks as shown
        self.sliderReleased.connect(self.let_go)

    def show_default(self, step: int | None) -> None:
        """Mark the value that holds where nothing is set."""
        self._default = step
        self.update()

    def show_marks(self, marks: Sequence[FlipMark]) -> None:
        """Mark where the advice flips."""
        if tuple(marks) != self.marks:
            self.marks = tuple(marks)
            self.setAccessibleDescription(spoken(". ".join(mark.words for mark in self.marks)))
            self.update()

    def sizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(96, 22)

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(60, 22)

    def _x(self, step: float) -> float:
        """Where a position is, in pixels from the left."""
        span = max(1, self.maximum() - self.minimum())
        return RADIUS + 1 + (self.width() - 2 * RADIUS - 2) * (step - self.minimum()) / span

    def _step_at(self, x: float) -> int:
        """The position nearest to a place in pixels, within the slider's ends."""
        span = self.maximum() - self.minimum()
        share = (x - RADIUS - 1) / max(1, self.width() - 2 * RADIUS - 2)
        return self.minimum() + round(min(1.0, max(0.0, share)) * span)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The track, how far the value is from the default, the marks of flip points and the knob."""
        painter, palette = QtGui.QPainter(self), in_use()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        painter.setPen(QtCore.Qt.PenStyle.NoPen)
        painter.setBrush(palette.colour("track"))
        left, right = self._x(self.minimum()), self._x(self.maximum())
        painter.drawRoundedRect(QtCore.QRectF(left, middle - 2, right - left, 4), 2, 2)
        here = self._x(self.value())
        if self._default is not None and self.isEnabled():
            start = self._x(self._default)
            painter.setBrush(palette.colour("muted"))
            painter.drawRect(QtCore.QRectF(min(start, here), middle - 2, abs(here - start), 4))
            painter.drawRect(QtCore.QRectF(start - 0.75, middle - 5, 1.5, 10))
        painter.setBrush(palette.colour("amber"))
        for mark in self.marks:
            x, over = self._x(mark.at), middle - 10
            painter.drawPolygon(
                [QtCore.QPointF(x - 4, over), QtCore.QPointF(x + 4, over), QtCore.QPointF(x, middle - 4)]
            )
        painter.setBrush(palette.colour("raised" if self.isEnabled() else "track"))
        painter.setPen(QtGui.QPen(QtGui.QColor(palette.text if self.isEnabled() else palette.edge), 1.5))
        painter.drawEllipse(QtCore.QPointF(here, middle), RADIUS - 1.5, RADIUS - 1.5)
        if self.hasFocus():
            painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
            painter.setPen(QtGui.QPen(palette.colour("focus"), 2))
            painter.drawEllipse(QtCore.QPointF(here, middle), RADIUS + 1.0, RADIUS + 1.0)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """The handle comes to the cursor, wherever on the line that is."""
        if event.button() is QtCore.Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._step_at(event.position().x()))
            event.accept()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Follows the mouse while the knob is held."""
        if self.isSliderDown():
            self.setValue(self._step_at(event.position().x()))

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """Lets the knob go."""
        if self.isSliderDown():
            self.setSliderDown(False)  # it says so itself

    def keyReleaseEvent(self, event: QtGui.QKeyEvent) -> None:
        """A key that is let go ends the gesture; a key that repeats does not."""
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat() and event.key() not in (QtCore.Qt.Key.Key_Tab, QtCore.Qt.Key.Key_Backtab):
            self.let_go.emit()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        """Ends the gesture when the keyboard goes elsewhere."""
        super().focusOutEvent(event)
        self.let_go.emit()
        self.update()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """Leaves the wheel to the page."""
        event.ignore()  # a plan must not change because a page scrolls

    def event(self, event: QtCore.QEvent) -> bool:
        """A mark under the cursor says what flips there."""
        if isinstance(event, QtGui.QHelpEvent) and event.type() == QtCore.QEvent.Type.ToolTip:
            near = [mark for mark in self.marks if abs(self._x(mark.at) - event.pos().x()) <= NEAR]
            if near:
                show_tip_at(event.globalPos(), "\n".join(mark.words for mark in near), self)
                return True
        return super().event(event)


# --- The strip "What if": sliders for growth, prices, churn, traffic, models and mix; told values, says what is wanted

VALUE_PX: Final = 62


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderState:
    """What one slider shows: its step and range, the step of its default, its value in words, why it cannot."""

    step: int
    low: int
    high: int
    default: int
    words: str
    is_set: bool
    why_not: str = ""
    note: str = ""


class _Cell(QtWidgets.QWidget):
    """One slider with its title, its value in words and the button back to the default."""

    def __init__(self, spec: SliderSpec) -> None:
        super().__init__()
        self.title = ElidedLabel(spec.title, role="muted", step="small", shorter=spec.short)
        self.value = named(ValueField(), tr("{title}: value", title=spec.title), step="strong")
        self.value.setProperty("dense", True)
        self.value.setFixedWidth(text_px(VALUE_PX))
        self.value.setAlignment(QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter)
        self.slider = MarkedSlider(spec.title)
        back = tr("{title}: back to the default", title=spec.title)
        self.back = tool_button(back, tr("Back to the default"), px=12, drawing="undo")
        self.back.setFixedSize(20, 18)
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        value = row(share(self.slider), self.value, spacing=4)  # so that the title has the whole width
        column(row(share(self.title), self.back), value, on=self, spacing=1)


class WhatIfStrip(QtWidgets.QWidget):
    """Six sliders in a row. A change is told while the hand still holds the slider; `let_go` ends the gesture."""

    moved = QtCore.Signal(str, int)  # name of the slider, step
    typed = QtCore.Signal(str, str)  # name of the slider, the value as it was typed
    let_go = QtCore.Signal(str)
    reset_asked = QtCore.Signal(str)
    plan_from_asked = QtCore.Signal()

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("What if"))
        ground(self, "headline")
        self.cells: dict[str, _Cell] = {}
        self._is_told = False
        for spec in SLIDERS:
            cell = self.cells[spec.name] = _Cell(spec)
            cell.slider.valueChanged.connect(lambda step, name=spec.name: self._move(name, step))
            cell.slider.let_go.connect(lambda name=spec.name: self.let_go.emit(name))
            cell.value.entered.connect(lambda text, name=spec.name: self.typed.emit(name, text))
            cell.back.clicked.connect(lambda _=False, name=spec.name: self.reset_asked.emit(name))
        self._plan_from_title = label(tr("Plan from"), role="muted", step="small")
        day = tr("Start date of plans; press to change")
        self.plan_from = named_button("", day, self.plan_from_asked, called=tr("Plan from"))
        self.plan_from.setFont(font("small"))
        begins = column(self._plan_from_title, self.plan_from, spacing=1)
        row(*map(share, self.cells.values()), begins, on=self, margins=(12, 6, 12, 6), spacing=12)

    @property
    def held(self) -> str:
        """The slider that is in the hand; "" where none is."""
        return next((name for name, cell in self.cells.items() if cell.slider.isSliderDown()), "")

    def show_sliders(self, shown: Mapping[str, SliderState]) -> None:
        """Show these values; the slider in the hand stays where the hand is."""
        self._is_told = True
        for spec in SLIDERS:
            cell, one = self.cells[spec.name], shown[spec.name]
            slider = cell.slider
            if not slider.isSliderDown():
                slider.setRange(one.low, one.high)
                slider.setPageStep(max(1, (one.high - one.low) // 10))
                slider.setValue(one.step)
                cell.value.show_value(spoken(one.words))
            cell.value.setEnabled(not one.why_not)
            slider.show_default(one.default)
            slider.setEnabled(not one.why_not)
            about = tr("{first}. {second}", first=spec.tip, second=one.note) if one.note else spec.tip
            tip = one.why_not or tr(long_text("slider_keys", said=about))
            set_tip(slider, spoken(tip))
            cell.title.show_tip(tip)
            set_tip(cell.value, one.why_not or tr("Any value, also beyond the scale (Enter)"))
            cell.back.setVisible(one.is_set)
            set_tip(cell.back, tr("Back to the default: {default}", default=_words_of(spec, one.default)))
        self._is_told = False

    def show_plan_from(self, words: str) -> None:
        """Say when plans begin."""
        self.plan_from.setText(words)
        self.plan_from.setAccessibleName(f"{self._plan_from_title.text()}: {words}")

    def show_words(self, name: str, words: str) -> None:
        """The value of a slider while it moves, before anything is worked out."""
        self.cells[name].value.show_value(spoken(words))

    def show_flips(self, marks: Mapping[str, Sequence[FlipMark]]) -> None:
        """Mark on the sliders where the advice becomes another."""
        for name, cell in self.cells.items():
            cell.slider.show_marks(marks.get(name, ()))

    def _move(self, name: str, step: int) -> None:
        """Says that a slider was moved; not where it was told its place."""
        if not self._is_told:
            self.moved.emit(name, step)


def _words_of(spec: SliderSpec, step: int) -> str:
    """A position in words until the flow has better ones."""
    return f"{step}" if spec.name == MODELS else rate_words(step * spec.size)
