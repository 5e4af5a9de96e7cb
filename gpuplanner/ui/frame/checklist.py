"""The strip of steps from a first file to a plan: what is there, what each step shows, how to do it."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.layout import STRETCH, column, named, placed, row
from gpuplanner.ui.kit.page_parts import Drawing, label, muted_label, named_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COMMAND, with_keys

# --- The steps from a first file to a plan: which are done, what each that is not makes known, and what does it

ADD_LOG, ADD_CONTRACTS, PUBLIC_PRICES, LOOK_AT_REVIEW = "import", "add_contracts", "public_prices", "review"
"""What a step asks for: the id of an action of the window, or the review queue."""

BUTTONS: Final = words_table("checklist_button")


@dataclass(frozen=True, slots=True)
class Step:
    """title: what is to be there; note: how much of it is, or what it shows; asks: what adds it, empty if done."""

    title: str
    note: str
    asks: str = ""

    def __post_init__(self) -> None:
        speak(self, "title", "note")

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return not self.asks


def checklist_steps(project: Project, in_review: int | None) -> tuple[Step, ...]:
    """Log, contracts, prices, and the workloads to decide; empty where all three files are there, or nothing is.

    in_review: how many workloads wait for a decision; None while that is not known.
    """
    if project.is_empty or (project.workloads and project.contracts and project.offers):
        return ()
    steps = (
        Step(tr("Job log"), numbers.counted(project.jobs.count, "job"))
        if project.workloads
        else Step(tr("Job log"), tr("Shows demand, classes and the board"), ADD_LOG),
        Step(tr("Contracts"), numbers.counted(len(project.contracts), "contract"))
        if project.contracts
        else Step(tr("Contracts"), tr("Show spend, utilization and idle GPUs"), ADD_CONTRACTS),
        Step(tr("Prices"), numbers.counted(len(project.offers), "offer"))
        if project.offers
        else Step(tr("Prices"), tr("Show a plan and its savings"), PUBLIC_PRICES),
    )
    if not project.workloads or in_review is None:
        return steps
    waiting = numbers.counted(in_review, "workload")
    if in_review:
        return (*steps, Step(tr("Review"), tr("{waiting} to decide", waiting=waiting), LOOK_AT_REVIEW))
    return (*steps, Step(tr("Review"), tr("Nothing to decide")))


# --- A strip under the headline while a log, contracts or prices lack: what is there, what each shows, how to add it

ICON_PX = 16
MOST_STEPS = 4
HEIGHT = 50
NOTES_FROM = 1180
"""Width of the strip, in pixels, from which there is room for what each step makes known; else its tool tip has it."""

ICONS = {ADD_LOG: "job_log", ADD_CONTRACTS: "contract", PUBLIC_PRICES: "price", LOOK_AT_REVIEW: "review"}
TIPS: Final = words_table("checklist_tip")


class _StepView(QWidget):
    """One step: a tick or what it is about, two lines of words, and a button where something is to be done."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Step"))
        self.step: Step | None = None
        self._icon, self._title = Drawing(px=ICON_PX), label(step="strong")
        self._note = muted_label(is_wrapped=False)
        self.button = named_button("", called=tr("Step"), takes_enter=True)  # also outside a dialog
        self.button.clicked.connect(lambda: self.asked.emit(self.step.asks if self.step else ""))
        words = column(STRETCH, self._title, self._note, STRETCH, spacing=1)
        middle = Qt.AlignmentFlag.AlignVCenter
        row(placed(self._icon, middle), words, 4, placed(self.button, middle), on=self, spacing=8)

    def show_step(self, step: Step | None) -> None:
        """Show a step, or nothing."""
        self.step = step
        self.setVisible(step is not None)
        if step is None:
            return
        self._icon.show_drawing(*(("tick", "green") if step.is_done else (ICONS[step.asks], "muted")))
        self._title.setText(step.title)
        self._note.setText(step.note)
        self.button.setVisible(not step.is_done)
        if not step.is_done:
            words, tip = BUTTONS[step.asks], spoken(TIPS[step.asks])
            self.button.setText(spoken(words))
            named(self.button, words, with_keys(tip, step.asks) if step.asks in COMMAND else tip)
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

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Checklist"), look="head")
        self.steps: tuple[Step, ...] = ()  # what it shows
        self.views = tuple(_StepView() for _ in range(MOST_STEPS))
        hide = tr("Hide; View, Checklist shows it again")
        self.hide_it = named_button(
            tr("Hide"), hide, self.hide_asked, called=tr("Hide the checklist"), is_link=True, takes_enter=True
        )
        for view in self.views:
            view.asked.connect(self.asked)
        steps = (part for view in self.views for part in (view, STRETCH))
        row(*steps, self.hide_it, on=self, margins=(15, 0, 12, 0), spacing=0)
        self.setFixedHeight(text_px(HEIGHT))
        self.show_steps(())

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        """Show these steps."""
        self.steps = steps
        for at, view in enumerate(self.views):
            view.show_step(steps[at] if at < len(steps) else None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows the notes beside each step only where there is room."""
        super().resizeEvent(event)
        for view in self.views:
            view.show_note(self.width() >= NOTES_FROM)
