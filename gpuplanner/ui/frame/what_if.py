"""The strip "What if": sliders for growth, prices, churn, traffic, models and mix; told values, says what is wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.labels import ElidedLabel
from gpuplanner.ui.kit.marked_slider import FlipMark, MarkedSlider
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.kit.typed_field import ValueField
from gpuplanner.ui.words.slider_words import MODELS, SLIDERS, SliderSpec, rate_words
from gpuplanner.ui.words.translation import spoken, tr

VALUE_PX: Final = 62


@dataclass(frozen=True, slots=True)
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


class _Cell(QWidget):
    """One slider with its title, its value in words and the button back to the default."""

    def __init__(self, spec: SliderSpec, palette: Palette) -> None:
        super().__init__()
        self.title = ElidedLabel(spec.title, role="muted", step="small", shorter=spec.short)
        self.value = ValueField()
        self.value.setFont(font("strong"))
        self.value.setProperty("dense", True)
        self.value.setFixedWidth(VALUE_PX)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.value.setAccessibleName(tr("{title}: value", title=spec.title))
        self.slider = MarkedSlider(spec.title, palette)
        self.back = QToolButton()
        self.back.setIconSize(QSize(12, 12))
        self.back.setFixedSize(20, 18)
        self.back.setAccessibleName(tr("{title}: back to the default", title=spec.title))
        set_tip(self.back, tr("Back to the default"))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.title, 1)
        head.addWidget(self.value)
        head.addWidget(self.back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addLayout(head)
        layout.addWidget(self.slider)


class WhatIfStrip(QWidget):
    """Six sliders in a row. A change is told while the hand still holds the slider; `let_go` ends the gesture."""

    moved = Signal(str, int)  # name of the slider, step
    typed = Signal(str, str)  # name of the slider, the value as it was typed
    let_go = Signal(str)
    reset_asked = Signal(str)
    plan_from_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headline")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("What if"))
        self.cells: dict[str, _Cell] = {}
        self._is_told = False
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 6)
        layout.setSpacing(12)
        for spec in SLIDERS:
            cell = self.cells[spec.name] = _Cell(spec, palette)
            cell.slider.valueChanged.connect(lambda step, name=spec.name: self._move(name, step))
            cell.slider.let_go.connect(lambda name=spec.name: self.let_go.emit(name))
            cell.value.entered.connect(lambda text, name=spec.name: self.typed.emit(name, text))
            cell.back.clicked.connect(lambda _=False, name=spec.name: self.reset_asked.emit(name))
            layout.addWidget(cell, 1)
        self._plan_from_title = PlainLabel(tr("Plan from"))
        self._plan_from_title.setFont(font("small"))
        self._plan_from_title.setProperty("role", "muted")
        self.plan_from = QPushButton()
        self.plan_from.setFont(font("small"))
        self.plan_from.setAccessibleName(tr("Plan from"))
        set_tip(self.plan_from, tr("The day that all plans begin. Press to choose another"))
        self.plan_from.clicked.connect(self.plan_from_asked)
        begins = QVBoxLayout()
        begins.setSpacing(1)
        begins.addWidget(self._plan_from_title)
        begins.addWidget(self.plan_from)
        layout.addLayout(begins)
        self.show_palette(palette)

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
            said = tr("{tip}. {note}", tip=spec.tip, note=one.note) if one.note else spec.tip
            tip = one.why_not or tr(
                "{said}. Arrow keys move it; Home and End go to its ends, which move on once it stands there",
                said=said,
            )
            set_tip(slider, spoken(tip))
            cell.title.show_tip(tip)
            set_tip(cell.value, one.why_not or tr("Type a value, also one beyond the scale, and press Enter"))
            cell.back.setVisible(one.is_set)
            set_tip(cell.back, tr("Back to {spec}, the default", spec=_words_of(spec, one.default)))
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

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        for cell in self.cells.values():
            cell.slider.show_palette(palette)
            cell.back.setIcon(icon("undo", palette.muted))

    def _move(self, name: str, step: int) -> None:
        """Says that a slider was moved; not where it was told its place."""
        if not self._is_told:
            self.moved.emit(name, step)


def _words_of(spec: SliderSpec, step: int) -> str:
    """A position in words until the flow has better ones."""
    return f"{step}" if spec.name == MODELS else rate_words(step * spec.size)
