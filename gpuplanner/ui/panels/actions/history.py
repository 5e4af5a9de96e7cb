"""History: every step of Undo by name, to go back to or on to; why it was done; and the plan's log of decisions."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.layout import STRETCH, column, named, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, named_button
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.words import numbers

COLUMNS: Final = (
    Column(title="Step", is_figure=False),
    Column(title="UTC", is_figure=True, width=52),
    Column(title="Why", is_figure=False, width=44),
)
WHY: Final = "why:"
ASK: Final = worded("Why this decision?")
DECISIONS_OF_A_PLAN: Final = worded("Open a plan to see this.")
NOTHING_YET: Final = worded("No decisions yet. This plan's changes appear here.")


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step: its name, when it was done (epoch seconds UTC; None: before this window was open), and its reason."""

    name: Text
    at_s: int | None
    reason: Text = ""
    is_reason: bool = False  # it only gave one


class HistoryPanel(Panel):
    """Told steps and decisions; says which step is to be gone to, and what the planner gives as a reason."""

    about = About(name="history", title=worded("History"), beside="contracts", letter="H", is_closed=True)

    step_chosen = Signal(int)  # how many steps are done then
    reason_asked = Signal(int)  # of the step of that number, from 1
    decision_chosen = Signal(int)  # number in the log, from 0
    reason_given = Signal(str)
    copy_asked = Signal()
    export_asked = Signal()
    seen = Signal()

    def build(self) -> None:
        self._steps: tuple[StepLine, ...] = ()
        self._done = 0
        self.steps = FigureTable(tr("Steps"))
        self.steps.row_opened.connect(lambda key: self.step_chosen.emit(int(key)))
        self.steps.figure_opened.connect(self._ask_why)
        self.asked_of = label(step="strong")
        self.asked_of.setMinimumWidth(0)
        tip = tr("Optional. Enter saves it.")
        self.reason = named(QLineEdit(placeholderText=tr(ASK)), ASK, tip)
        self.reason.returnPressed.connect(self._give)
        tip = tr("Save in the plan's log (Enter)")
        self.keep = named_button(tr("Keep"), tip, self._give, called=tr("Keep the reason"))
        self.heading = heading_label(tr("Decisions"))
        self.how_many = muted_label("")
        tip = tr("This plan's log as text")
        self.copy = named_button(tr("Copy"), tip, self.copy_asked, called=tr("Copy the decisions"))
        tip = tr("All plans' logs as CSV or text; the workbook has this one")
        called = tr("Export the decisions")
        self.export = named_button(tr("Export\u2026"), tip, self.export_asked, called=called)
        self.decisions = RowList(tr("Decisions"))
        self.decisions.row_opened.connect(lambda _, key: self.decision_chosen.emit(int(key)))
        column(
            share(row(self.steps, margins=(14, 4, 4, 0)), 3),
            row(share(self.asked_of), margins=(14, 8, 12, 2)),
            row(share(self.reason), self.keep, margins=(14, 0, 12, 0), spacing=8),
            row(
                *(self.heading, self.how_many, STRETCH, self.copy, self.export),
                margins=(14, 14, 12, 2),
                spacing=8,
            ),
            share(self.decisions, 2),
            on=self,
            spacing=0,
        )

    def draw(self, shown: ViewState) -> None:
        """Another state of the project is shown: who knows the steps tells them."""
        self.seen.emit()

    def show_steps(self, steps: Sequence[StepLine], done: int) -> None:
        """Show the steps, of which so many are done; those ahead are muted, the last one done is marked."""
        if tuple(steps) == self._steps and done == self._done and self.steps.model().rowCount():
            return
        self._steps, self._done = tuple(steps), done
        rows = [self._row(0, StepLine(tr("As it was opened"), None), done)]
        rows += [self._row(number, step, done) for number, step in enumerate(steps, 1)]
        self.steps.show_rows(COLUMNS, rows)
        self.steps.selectRow(done)
        self.steps.scrollTo(self.steps.model().index(done, 0))

    def _row(self, number: int, step: StepLine, done: int) -> Row:
        is_ahead, is_now = number > done, number == done
        role = "muted" if is_ahead else "text"
        tip = tr("Redo to here: click or Enter") if is_ahead else tr("Undo to here: click or Enter")
        if is_now:
            tip = tr("Current state")
        why = Cell()
        if number and not is_ahead and not step.is_reason:
            words = tr("Add a reason: click or Enter")
            if step.reason:
                words = tr("Why: {reason}", reason=step.reason)
            icon, icon_role = ("tick", "green") if step.reason else ("why", "muted")
            why = Cell(icon=icon, icon_role=icon_role, tip=words, figure_id=f"{WHY}{number}")
        drawn = "chevron_right" if is_now else ""
        name = Cell(
            text=spoken(step.name), role=role, is_strong=is_now, icon=drawn, icon_role="accent", tip=tip
        )
        return Row((name, Cell(text=numbers.clock(step.at_s), role="muted"), why), key=str(number))

    def show_decisions(self, plan: str, decisions: Sequence[Decision]) -> None:
        """Show the log of a plan, newest first; "" where no plan is shown."""
        set_tip(self.heading, tr("Decisions of {plan}", plan=plan) if plan else "")  # its name stands above
        reasons = sum(bool(decision.reason) for decision in decisions)
        count, with_reason = numbers.whole(len(decisions)), numbers.whole(reasons)
        words = tr("{decisions}, {reasons} with a reason", decisions=count, reasons=with_reason)
        self.how_many.setText(words if decisions else "")
        self.decisions.empty_text = NOTHING_YET if plan else DECISIONS_OF_A_PLAN
        self.decisions.show_rows(
            [
                ListRow(
                    title=spoken(decision.text),
                    note=decision.reason or tr("No reason given"),
                    amount=numbers.clock(decision.at_s, with_day=True),
                    icon="tick" if decision.reason else "why",
                    icon_role="green" if decision.reason else "muted",
                    kind="decision",
                    key=str(number),
                    unit="UTC",
                )
                for number, decision in reversed(list(enumerate(decisions)))
            ]
        )
        for button in (self.copy, self.export):
            button.setEnabled(bool(decisions))

    def show_prompt(self, step: Text, reason: Text, *, is_asked: bool = False) -> None:
        """What the reason is to be of; "" where there is nothing to give one for. Nothing waits for an answer."""
        self.asked_of.setText(spoken(step) or tr("No step needs a reason"))
        set_tip(self.asked_of, spoken(step))
        if is_asked or not self.reason.isModified():  # what is being typed stays
            self.reason.setText(str(reason))
            self.reason.setModified(False)
        self.reason.setEnabled(bool(step))
        self.keep.setEnabled(bool(step))
        if is_asked and step:
            self.reason.setFocus(Qt.FocusReason.OtherFocusReason)
            self.reason.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc in the reason lets go of what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.reason.hasFocus() and self.reason.isModified():
            self.reason.setModified(False)
            self.seen.emit()
        else:
            super().keyPressEvent(event)

    def _ask_why(self, figure_id: str, _place: QRect) -> None:
        self.reason_asked.emit(int(figure_id.removeprefix(WHY)))

    def _give(self) -> None:
        if self.reason.isEnabled():
            self.reason.setModified(False)
            self.reason_given.emit(self.reason.text().strip())
