"""A strip under the headline while a log, contracts or prices lack: what is there, what each shows, how to add it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.state.checklist_steps import (
    ADD_CONTRACTS,
    ADD_LOG,
    BUTTONS,
    LOOK_AT_REVIEW,
    PUBLIC_PRICES,
    Step,
)
from gpuplanner.ui.words.commands import COMMAND, with_keys
from gpuplanner.ui.words.translation import spoken, tr

ICON_PX = 16
MOST_STEPS = 4
HEIGHT = 50
NOTES_FROM = 1180
"""Width of the strip, in pixels, from which there is room for what each step makes known; else its tool tip has it."""

ICONS = {ADD_LOG: "job_log", ADD_CONTRACTS: "contract", PUBLIC_PRICES: "price", LOOK_AT_REVIEW: "review"}
TIPS = {
    ADD_LOG: worded("Choose a job log; it is looked at before anything is taken in"),
    ADD_CONTRACTS: worded("Choose the file of what you pay for today"),
    PUBLIC_PRICES: worded("The rates with a public source that come with gpuplanner: no quotes"),
    LOOK_AT_REVIEW: worded("Show the first workload that the classifier is not sure of"),
}


class _StepView(QWidget):
    """One step: a tick or what it is about, two lines of words, and a button where something is to be done."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Step"))
        self.step: Step | None = None
        self._icon, self._title, self._note = PlainLabel(), PlainLabel(), muted_label(is_wrapped=False)
        self._title.setFont(font("strong"))
        self.button = QPushButton()
        self.button.setAccessibleName(tr("Step"))
        self.button.setAutoDefault(True)  # outside a dialog Enter would not press it
        self.button.clicked.connect(lambda: self.asked.emit(self.step.asks if self.step else ""))
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._note)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words)
        row.addSpacing(4)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_step(self, step: Step | None, palette: Palette) -> None:
        """Show a step, or nothing."""
        self.step = step
        self.setVisible(step is not None)
        if step is None:
            return
        name, colour = ("tick", palette.green) if step.is_done else (ICONS[step.asks], palette.muted)
        self._icon.setPixmap(icon(name, colour).pixmap(ICON_PX, ICON_PX))
        self._title.setText(step.title)
        self._note.setText(step.note)
        self.button.setVisible(not step.is_done)
        if not step.is_done:
            words = spoken(BUTTONS[step.asks])
            self.button.setText(words)
            self.button.setAccessibleName(words)
            tip = spoken(TIPS[step.asks])
            set_tip(self.button, with_keys(tip, step.asks) if step.asks in COMMAND else tip)
        done = tr("there") if step.is_done else tr("missing")
        set_tip(self, f"{step.title}: {step.note}")
        self.setAccessibleName(tr("{title}: {done}. {note}", title=step.title, done=done, note=step.note))

    def show_note(self, is_visible: bool) -> None:
        """Say what the step makes known under its title, or leave it to the tool tip."""
        self._note.setVisible(is_visible)


class Checklist(QFrame):
    """Told the steps; emits what one of them asks for, and that it is to be hidden."""

    asked = Signal(str)
    hide_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("head")
        self.setAccessibleName(tr("Checklist"))
        self._palette = palette
        self._steps: tuple[Step, ...] = ()
        self.views = tuple(_StepView() for _ in range(MOST_STEPS))
        self.hide_it = QPushButton(tr("Hide"))
        self.hide_it.setProperty("link", True)
        self.hide_it.setAutoDefault(True)
        self.hide_it.setAccessibleName(tr("Hide the checklist"))
        set_tip(self.hide_it, tr("Hide the checklist; View, Checklist brings it back"))
        self.hide_it.clicked.connect(self.hide_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(15, 0, 12, 0)
        row.setSpacing(0)
        for view in self.views:
            view.asked.connect(self.asked)
            row.addWidget(view)
            row.addStretch(1)
        row.addWidget(self.hide_it)
        self.setFixedHeight(HEIGHT)
        self.show_steps(())

    @property
    def steps(self) -> tuple[Step, ...]:
        """What it shows."""
        return self._steps

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        """Show these steps."""
        self._steps = steps
        for at, view in enumerate(self.views):
            view.show_step(steps[at] if at < len(steps) else None, self._palette)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.show_steps(self._steps)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows the notes beside each step only where there is room."""
        super().resizeEvent(event)
        for view in self.views:
            view.show_note(self.width() >= NOTES_FROM)
