"""Dialog: steps of a plan's demand."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.plan.changes import MOST_TIMES
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.fields import PlainNumber
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, add, column, emptied, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, tool_button
from gpuplanner.ui.words import lanes, numbers

FACTOR: Final = 2.0


class DemandDialog(QtWidgets.QDialog):
    """Told the steps in words; emits the one that is wanted, or the number of the one that is to go."""

    # key, class or ALL; factor; epoch seconds; evenly up to then
    step_chosen = QtCore.Signal(str, float, object, bool)
    step_removed = QtCore.Signal(int)

    def __init__(
        self,
        of: tuple[str, str] | None,
        begins_s: int,
        first_s: int,
        refusal: Callable[[str, float, int, bool], str],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        """of: key and name of the workload that is asked about; None: of a class or all."""
        super().__init__(parent)
        self._refusal = refusal
        title, under = dialogs.title_and_note(
            dialogs.titled(self, tr("Steps of demand"), 520), tr(long_text("demand_steps"))
        )
        self._list = column(spacing=4)
        self.removers: list[QtWidgets.QToolButton] = []
        self._make_fields(of, begins_s, first_s)
        # the dialog stays open for the next
        self.add = dialogs.primary_button(tr("Add the step"), self._go_on)
        self.close_button = dialogs.close_button(self)
        step = row(self.of, self.factor, self.how, self.day, STRETCH, spacing=8)
        self.note = label(role="red", is_wrapped=True)
        last = dialogs.foot(self.close_button, self.add)
        dialogs.dialog_column(self, title, under, self._list, step, self.note, STRETCH, last)
        self._check()

    def _make_fields(self, of: tuple[str, str] | None, begins_s: int, first_s: int) -> None:
        """Makes the fields of one more step: of what, by which factor, from or evenly by which day."""
        asked: list[tuple[Text, str]] = [] if of is None else [(of[1], of[0])]
        asked += ((tr("All demand"), ALL), *((lanes.lane_of(pool).title, pool.value) for pool in POOLS))
        tip = tr("A class means its current workloads")
        self.of = choice_of(tr("Demand of"), tip, asked, self._check)
        self.factor = PlainNumber(decimals=3, minimum=0, maximum=MOST_TIMES, singleStep=0.1, prefix="\u00d7 ")
        self.factor.setValue(FACTOR)
        tip = tr("2: double, {half}: half, 0: end", half=numbers.significant(0.5))
        named(self.factor, tr("Times"), tip)
        ways = ((tr("from"), False), (tr("evenly by"), True))
        tip = tr("On the day, or month by month up to it")
        self.how = choice_of(tr("Transition"), tip, ways, self._check)
        self.day = DayField(tr("Day"), tr("First day at full size, UTC"), first_s)
        self.day.show_day(begins_s)
        self.factor.valueChanged.connect(self._check)
        self.day.changed.connect(self._check)

    def show_steps(self, steps: Sequence[str]) -> None:
        """Show the steps that there are, in words."""
        emptied(self._list)
        self.removers = []
        for number, words in enumerate(steps):
            name, tip = tr("Remove: {step}", step=words), tr("Remove; one undo step")
            button = tool_button(name, tip, lambda _=False, number=number: self.step_removed.emit(number))
            button.setIcon(icon("close", "muted"))
            self.removers.append(button)
            add(self._list, row(share(label(words)), button))
        if not steps:
            add(self._list, label(tr("No steps yet."), role="muted"))

    def _wanted(self) -> tuple[str, float, int, bool]:
        """What the step is of, its factor, its day in epoch seconds, and whether it comes evenly by that day."""
        of, is_even = str(self.of.currentData()), bool(self.how.currentData())
        return of, self.factor.value(), self.day.day_s, is_even

    def _check(self) -> None:
        """Lets the step be added, or says why it cannot be."""
        why = self.day.refusal or self._refusal(*self._wanted())
        self.note.show_text(why)
        self.add.setEnabled(not why)
        set_tip(self.add, why or tr("Only in this plan; one undo step (Enter)"))

    def _go_on(self) -> None:
        """Says which step is to be added."""
        self.step_chosen.emit(*self._wanted())
