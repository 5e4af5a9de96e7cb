"""History: every step of Undo by name, to go back to or on to; why it was done; and the plan's log of decisions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from gpuplanner.charts.kit.plain_text import set_tip, spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.plan_inputs import Decision
from gpuplanner.ui.kit.layout import STRETCH, column, named, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, named_button
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.words import numbers

COLUMNS: Final = (Column("Step", False), Column("UTC", True, 52), Column("Why", False, 44))
WHY: Final = "why:"
ASK: Final = worded("Why did we decide this?")
OF_A_PLAN: Final = worded("Decisions are those of a plan. Open one to see its log.")
NOTHING_YET: Final = worded(
    "Nothing decided yet. What you change in this plan is listed here, with its time and your reason."
)


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step: its name, when it was done (epoch seconds UTC; None: before this window was open), and its reason."""

    name: Text
    at_s: int | None
    reason: Text = ""
    is_reason: bool = False  # it only gave one


class HistoryPanel(Panel):
    """Told steps and decisions; says which step is to be gone to, and what the planner gives as a reason."""

    about = About("history", worded("History"), beside="recommendations", letter="H", is_closed=True)

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
        self.reason = named(
            QLineEdit(placeholderText=tr(ASK)),
            ASK,
            tr("Enter keeps the reason in the plan's log. Nothing waits for it."),
        )
        self.reason.returnPressed.connect(self._give)
        self.keep = named_button(
            tr("Keep"),
            tr("Keep the reason in the plan's log (Enter)"),
            self._give,
            called=tr("Keep the reason"),
        )
        self.heading = heading_label(tr("Decisions"))
        self.how_many = muted_label("")
        self.copy = named_button(
            tr("Copy"),
            tr("Copy the log of this plan as text"),
            self.copy_asked,
            called=tr("Copy the decisions"),
        )
        self.export = named_button(
            tr("Export\u2026"),
            tr("Save the logs of all plans as CSV or text; the workbook has this plan's"),
            self.export_asked,
            called=tr("Export the decisions"),
        )
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
        tip = (
            tr("The window stands here")
            if is_now
            else (tr("Go on to here: click or Enter") if is_ahead else tr("Go back to here: click or Enter"))
        )
        why = Cell()
        if number and not is_ahead and not step.is_reason:
            said = (
                tr("Why: {reason}", reason=step.reason)
                if step.reason
                else tr("Say why: click, or Enter on this cell")
            )
            icon, icon_role = ("tick", "green") if step.reason else ("why", "muted")
            why = Cell(icon=icon, icon_role=icon_role, tip=said, figure_id=f"{WHY}{number}")
        name = Cell(
            spoken(step.name),
            role,
            is_strong=is_now,
            icon="chevron_right" if is_now else "",
            icon_role="accent",
            tip=tip,
        )
        return Row((name, Cell(numbers.clock(step.at_s), "muted"), why), key=str(number))

    def show_decisions(self, plan: str, decisions: Sequence[Decision]) -> None:
        """Show the log of a plan, newest first; "" where no plan is shown."""
        set_tip(self.heading, tr("Decisions of {plan}", plan=plan) if plan else "")  # its name stands above
        reasons = sum(bool(one.reason) for one in decisions)
        self.how_many.setText(
            tr(
                "{decisions}, {reasons} with a reason",
                decisions=numbers.whole(len(decisions)),
                reasons=numbers.whole(reasons),
            )
            if decisions
            else ""
        )
        self.decisions.empty_text = NOTHING_YET if plan else OF_A_PLAN
        self.decisions.show_rows(
            [
                ListRow(
                    spoken(one.what),
                    one.reason or tr("No reason yet"),
                    numbers.clock(one.at_s, with_day=True),
                    icon="tick" if one.reason else "why",
                    icon_role="green" if one.reason else "muted",
                    kind="decision",
                    key=str(number),
                    unit="UTC",
                )
                for number, one in reversed(list(enumerate(decisions)))
            ]
        )
        for button in (self.copy, self.export):
            button.setEnabled(bool(decisions))

    def show_prompt(self, what: Text, reason: Text, *, is_asked: bool = False) -> None:
        """What the reason is to be of; "" where there is nothing to give one for. Nothing waits for an answer."""
        self.asked_of.setText(spoken(what) or tr("Nothing to give a reason for"))
        set_tip(self.asked_of, spoken(what))
        if is_asked or not self.reason.isModified():  # what is being typed stays
            self.reason.setText(str(reason))
            self.reason.setModified(False)
        self.reason.setEnabled(bool(what))
        self.keep.setEnabled(bool(what))
        if is_asked and what:
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
