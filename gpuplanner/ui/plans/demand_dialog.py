"""Steps of demand of a plan: what there is, each with a way to take it out, and one more."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.scenario.dated import MOST_TIMES
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import dialog_column, foot, primary_button, title_and_note
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.plain_number import PlainNumber
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import tr

FACTOR: Final = 2.0


class DemandDialog(QDialog):
    """Told the steps in words; emits the one that is wanted, or the number of the one that is to go."""

    step_chosen = Signal(
        str, float, object, bool
    )  # key, class or ALL; factor; epoch seconds; evenly up to then
    step_removed = Signal(int)

    def __init__(
        self,
        of: tuple[str, str] | None,
        begins_s: int,
        first_s: int,
        refusal: Callable[[str, float, int, bool], str],
        palette: Palette,
        parent: QWidget | None = None,
    ) -> None:
        """of: key and name of the workload that is asked about; None: of a class or all."""
        super().__init__(parent)
        self._refusal, self._palette = refusal, palette
        self.setWindowTitle(tr("Steps of demand"))
        self.setAccessibleName(tr("Steps of demand"))
        self.setMinimumWidth(520)
        title, under = title_and_note(
            tr("Steps of demand"),
            tr(
                "From a day on, or evenly up to it, demand is so many times what it was; steps of one workload "
                "multiply. This plan alone."
            ),
        )
        self._list = QVBoxLayout()
        self._list.setSpacing(4)
        self.removers: list[QToolButton] = []
        self._make_fields(of, begins_s, first_s)
        self._make_buttons()
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.of, self.factor, self.how, self.day):
            row.addWidget(widget)
        row.addStretch(1)
        self.note = PlainLabel()
        self.note.setProperty("role", "red")
        self.note.setWordWrap(True)
        layout = dialog_column(self, title, under)
        layout.addLayout(self._list)
        layout.addLayout(row)
        layout.addWidget(self.note)
        layout.addStretch()
        layout.addLayout(foot(self.close_button, self.add))
        self._check()

    def _make_fields(self, of: tuple[str, str] | None, begins_s: int, first_s: int) -> None:
        """Makes the fields of one more step: of what, by which factor, from or evenly by which day."""
        self.of = QComboBox()
        if of is not None:
            self.of.addItem(of[1], of[0])
        self.of.addItem(tr("All demand"), ALL)
        for pool in POOLS:
            self.of.addItem(lane_of(pool).title, pool.value)
        self.factor = PlainNumber()
        self.factor.setRange(0, MOST_TIMES)
        self.factor.setDecimals(3)
        self.factor.setSingleStep(0.1)
        self.factor.setPrefix("\u00d7 ")
        self.factor.setValue(FACTOR)
        self.how = QComboBox()
        self.how.addItem(tr("from"), False)
        self.how.addItem(tr("evenly by"), True)
        self.day = DayField(tr("Day"), tr("First day on which all of it is there, UTC"), first_s)
        self.day.show_day(begins_s)
        for field, name, tip in (
            (self.of, tr("Demand of"), tr("A class is the workloads that are of it now")),
            (
                self.factor,
                tr("Times"),
                tr("2 doubles it, {half} halves it, 0 ends it", half=numbers.significant(0.5)),
            ),
            (self.how, tr("How it comes"), tr("At once on the day, or month by month up to it")),
        ):
            field.setAccessibleName(name)
            set_tip(field, tip)
        for box in (self.of, self.how):
            box.view().setAccessibleName(box.accessibleName())
            box.currentIndexChanged.connect(self._check)
        self.factor.valueChanged.connect(self._check)
        self.day.changed.connect(self._check)

    def _make_buttons(self) -> None:
        """Makes the buttons: adding a step leaves the dialog open for the next."""
        self.add = primary_button(tr("Add the step"), self._go_on)
        self.close_button = QPushButton(tr("Close"))
        self.close_button.setAccessibleName(tr("Close"))
        set_tip(self.close_button, tr("Close (Esc)"))
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.accept)

    def show_steps(self, steps: Sequence[str]) -> None:
        """Show the steps that there are, in words."""
        while (item := self._list.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.removers = []
        for number, words in enumerate(steps):
            holder = QWidget()
            line = QHBoxLayout(holder)
            line.setContentsMargins(0, 0, 0, 0)
            line.addWidget(PlainLabel(words), 1)
            button = QToolButton()
            button.setIcon(icon("close", self._palette.muted))
            button.setAccessibleName(tr("Remove: {step}", step=words))
            set_tip(button, tr("Remove this step; one undo step"))
            button.clicked.connect(lambda _=False, number=number: self.step_removed.emit(number))
            self.removers.append(button)
            line.addWidget(button)
            self._list.addWidget(holder)
        if not steps:
            none = PlainLabel(tr("No steps yet."))
            none.setProperty("role", "muted")
            self._list.addWidget(none)

    def _wanted(self) -> tuple[str, float, int, bool]:
        """What the step is of, its factor, its day in epoch seconds, and whether it comes evenly by that day."""
        return (
            str(self.of.currentData()),
            self.factor.value(),
            self.day.day_s,
            bool(self.how.currentData()),
        )

    def _check(self) -> None:
        """Lets the step be added, or says why it cannot be."""
        why = self.day.refusal or self._refusal(*self._wanted())
        self.note.setText(why)
        self.note.setVisible(bool(why))
        self.add.setEnabled(not why)
        set_tip(self.add, why or tr("In this plan alone; one undo step (Enter)"))

    def _go_on(self) -> None:
        """Says which step is to be added."""
        self.step_chosen.emit(*self._wanted())
