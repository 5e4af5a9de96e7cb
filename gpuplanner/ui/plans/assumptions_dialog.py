"""Assumptions: every number the planner may change, with its unit, range, default and source."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.edits.currency import default_in_money
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.interruptions import source_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import ASKED_FOR, AssumptionSpec, AssumptionValue
from gpuplanner.ui.kit.dialogs import resize_within_screen
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.plans.assumption_groups import GROUPS, USUAL, AssumptionGroup, found_by, group_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.assumption_values import range_words, typed_value, value_words
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.dated_words import plan_from_words
from gpuplanner.ui.words.translation import spoken, tr

_COLUMNS = (
    Column("Assumption", False),
    Column("Value", True, 104),
    Column("Unit", False, 152),
    Column("Range", True),
    Column("Default", True),
    Column("Source", False, 178),
)


_WITH_WIDGETS = (1, 5)
"""Columns with a field or a button in each row."""
_SOURCE = {"as for all pools unless set": worded("as for all pools")}
"""Sources in the room that there is."""


class AssumptionsDialog(QDialog):
    """Told a project; emits one change at a time, each an undo step."""

    assumption_changed = Signal(str, object)
    plan_from_asked = Signal()
    demand_asked = Signal()

    def __init__(
        self, project: Project, scenario: str | None, palette: Palette, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._scenario = scenario
        self.setWindowTitle(tr("Assumptions"))
        self.setAccessibleName(tr("Assumptions"))
        resize_within_screen(self, 900, 640)
        title = PlainLabel(tr("Assumptions"))
        title.setFont(font("page"))
        of = (
            tr("They hold for {scenario}; other plans keep theirs.", scenario=scenario)
            if scenario
            else tr("They hold for all plans.")
        )
        note = PlainLabel(
            tr(
                "{of} Rates in percent: 5 and 5% are 5%, and so is {share}. Each change is one undo step.",
                of=of,
                share=numbers.significant(0.05),
            )
        )
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        self.said = PlainLabel()
        self.said.setProperty("role", "muted")
        self.error = PlainLabel()
        self.error.setProperty("role", "red")
        self.error.setWordWrap(True)
        self.error.hide()
        self.table = FigureTable(tr("Assumptions"), palette)
        self.table.row_height = 30
        self.fields: dict[str, QLineEdit] = {}
        self.backs: dict[str, QToolButton] = {}
        self._shown: dict[str, str] = {}
        self._palette = palette
        self._intake = project.intake
        close = self.close_button = QPushButton(tr("Close"))
        close.setAccessibleName(tr("Close"))
        set_tip(close, tr("Close (Esc)"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.error, 1)
        row.addWidget(self.said, 1)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(note)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)
        layout.insertLayout(2, self._beginning(bool(scenario)))
        layout.insertLayout(3, self._finding())
        self.show_project(project)
        QWidget.setTabOrder(self.backs[ASKED_FOR[-1].name], close)
        self.search.setFocus()

    def _beginning(self, is_plan: bool) -> QHBoxLayout:
        """The day that plans begin, and the way to steps of a plan's demand."""
        begins = QHBoxLayout()
        begins.setSpacing(8)
        self.plan_from = PlainLabel()
        self.plan_from_button = QPushButton(tr("Plan from\u2026"))
        self.plan_from_button.setAccessibleName(tr("Plan from"))
        set_tip(self.plan_from_button, tr("Choose the day that all plans begin"))
        self.plan_from_button.setAutoDefault(False)
        self.plan_from_button.clicked.connect(self.plan_from_asked)
        begins.addWidget(self.plan_from)
        begins.addWidget(self.plan_from_button)
        self.demand_button = QPushButton(tr("Steps of demand\u2026"))
        self.demand_button.setAccessibleName(tr("Steps of demand"))
        set_tip(
            self.demand_button,
            with_keys(tr("More or less demand from a day on, in this plan"), "change_demand"),
        )
        self.demand_button.setAutoDefault(False)
        self.demand_button.clicked.connect(self.demand_asked)
        self.demand_button.setVisible(is_plan)
        begins.addWidget(self.demand_button)
        begins.addStretch(1)
        return begins

    def _finding(self) -> QHBoxLayout:
        """A search over all assumptions, and the group that is seen while nothing is searched."""
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search all assumptions"))
        self.search.setAccessibleName(tr("Search assumptions"))
        set_tip(self.search, tr("By name, unit, group, or what --set calls it"))
        self.search.setClearButtonEnabled(False)
        self.search.textChanged.connect(lambda _: self._show_some())
        self.group = QComboBox()
        self.group.setAccessibleName(tr("Assumptions shown"))
        self.group.view().setAccessibleName(tr("Groups of assumptions"))
        set_tip(self.group, tr("Which assumptions are shown"))
        for group in (USUAL, *GROUPS):
            self.group.addItem(spoken(group.title), group)
        self.group.addItem(tr("All"), None)
        self.group.currentIndexChanged.connect(lambda _: self._show_some())
        self.count = PlainLabel()
        self.count.setProperty("role", "muted")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.search, 1)
        row.addWidget(self.group)
        row.addWidget(self.count)
        row.addStretch(1)
        return row

    def _show_some(self) -> None:
        """Show the rows that are searched, else those of the group; what was changed in its group is strong."""
        wanted = self.visible_names
        for at, spec in enumerate(ASKED_FOR):
            self.table.setRowHidden(at, spec.name not in wanted)
            for place in _WITH_WIDGETS:  # the table would place them only later
                inside = self.table.indexWidget(self.table.model().index(at, place))
                if inside is not None:
                    inside.setVisible(spec.name in wanted)
        shown = numbers.whole(len(wanted))
        self.count.setText(
            tr("{shown} of {all_of_them}", shown=shown, all_of_them=numbers.whole(len(ASKED_FOR)))
        )
        self.group.setEnabled(not self.search.text().strip())

    @property
    def visible_names(self) -> frozenset[str]:
        """The --set names of the assumptions that can be seen, scrolling aside."""
        group: AssumptionGroup | None = self.group.currentData()
        if self.search.text().strip():
            return found_by(self.search.text())
        if group is USUAL:
            return frozenset(group.names)
        return frozenset(
            spec.name
            for spec in ASKED_FOR
            if group is None or spec.name in group.names or group_of(spec) is group
        )

    def show_project(self, project: Project, scenario: str = "") -> None:
        """Show the values in force. scenario: the plan that is shown by now: a question that was asked of it."""
        if self._scenario is not None and scenario:
            self._scenario = scenario
        plan = next((plan for plan in project.scenarios if plan.name == self._scenario), None)
        values = project.assumptions if plan is None else project.assumptions_in(plan)
        own = () if plan is None else tuple(plan.assumptions)
        self.plan_from.setText(tr("Plans begin: {day}").format(day=plan_from_words(project)))
        self._intake = project.intake
        self._defaults = {spec.name: default_in_money(spec, project) for spec in ASKED_FOR}
        rows = [self._row(spec, getattr(values, spec.field), spec.name in own) for spec in ASKED_FOR]
        self.table.show_rows(_COLUMNS, rows)
        for at, spec in enumerate(ASKED_FOR):
            self._shown[spec.name] = value_words(spec, getattr(values, spec.field))
            text = value_words(spec, getattr(values, spec.field))
            if spec.name in self.fields:
                if not self.fields[spec.name].isModified():  # what is being typed stays
                    self.fields[spec.name].setText(text)
            else:
                self.table.setIndexWidget(self.table.model().index(at, 1), self._field(spec, text))
                self.table.setIndexWidget(self.table.model().index(at, 5), self._way_back(spec))
            self.backs[spec.name].setVisible(getattr(values, spec.field) != self._defaults[spec.name])
        self._show_some()

    def _row(self, spec: AssumptionSpec, value: AssumptionValue, is_own: bool) -> Row:
        """An assumption as a row: strong if it is not the default, with where its value comes from."""
        default = self._defaults[spec.name]
        is_changed = value != default
        source = (
            tr("set in this plan")
            if is_own
            else source_words(spec.name, value, self._intake) or tr("set for all plans")
            if is_changed
            else _SOURCE.get(str(spec.source))
        )
        return Row(
            (
                Cell(spec.title, is_strong=is_changed),
                Cell(),
                Cell(spec.unit, "muted"),
                Cell(range_words(spec), "muted"),
                Cell(value_words(spec, default) or tr("not set"), "muted"),
                Cell(
                    source or spec.source, "text" if is_changed else "muted", tip=f"--set {spec.name}=VALUE"
                ),
            ),
            key=spec.name,
        )

    def _way_back(self, spec: AssumptionSpec) -> QWidget:
        """A button back to the default."""
        back = QToolButton()
        default = value_words(spec, self._defaults[spec.name]) or tr("not set")
        back.setIcon(icon("undo", self._palette.text))
        back.setAccessibleName(tr("{title}: back to the default", title=spec.title))
        set_tip(back, tr("Back to the default: {default}", default=default))
        back.clicked.connect(lambda: self._change(spec, self._defaults[spec.name]))
        self.backs[spec.name] = back
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(8, 0, 4, 0)
        row.addStretch(1)
        row.addWidget(back)
        return holder

    def _field(self, spec: AssumptionSpec, text: str) -> QWidget:
        """A field for the value; the cell around it passes the keyboard on."""
        field = QLineEdit(text)
        field.setAccessibleName(spoken(spec.title))
        set_tip(field, tr("{title}, {unit}", title=spec.title, unit=spec.unit))
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setPlaceholderText(tr("not set") if spec.may_be_none else "")
        field.editingFinished.connect(lambda: self._take(spec, field))
        self.fields[spec.name] = field
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(8, 2, 0, 2)
        row.addWidget(field)
        holder.setFocusProxy(field)
        return holder

    def _take(self, spec: AssumptionSpec, field: QLineEdit) -> None:
        """Takes what was typed; a refusal is said, and the value that holds comes back."""
        if not field.isModified():
            return
        field.setModified(False)
        try:
            value = typed_value(spec, field.text())
        except PlannerError as error:
            remedy = tr(error.remedy)
            self.error.setText(
                tr(
                    "{title}: {what}. {remedy}{remedy_2}.",
                    title=spec.title,
                    what=error.what,
                    remedy=remedy[:1].upper(),
                    remedy_2=remedy[1:],
                )
            )
            self.error.show()
            self.said.hide()
            field.setText(self._shown[spec.name])  # what holds, not what was refused
            return
        self._change(spec, value)

    def _change(self, spec: AssumptionSpec, value: AssumptionValue) -> None:
        """Says what the value is now, and that it changed."""
        self.error.hide()
        shown = value_words(spec, value)
        self.fields[spec.name].setText(shown)
        self.said.setText(tr("{title} is {shown} now.", title=spec.title, shown=shown or tr("not set")))
        self.said.show()
        self.assumption_changed.emit(spec.name, value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes a value or presses the button that has the keyboard; it does not close the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if isinstance(focused, QPushButton | QToolButton):
                focused.click()
            return
        super().keyPressEvent(event)
