"""Assumptions: every number the planner may change, by what it is about, with its unit and source."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QToolButton, QWidget

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.edits.money import default_in_money
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.assumptions import ASKED_FOR, AssumptionSpec, AssumptionValue
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import source_words
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import long_text, rows_as
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.dialogs import close_button, resize_within_screen, takes_enter, titled
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import RIGHT, STRETCH, column, named, placed, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, named_button, tool_button
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.dated_words import plan_from_words
from gpuplanner.ui.words.typed_assumptions import range_words, typed_value, value_words

# --- Assumptions by what they are about, and those that planners change most: so many as can be seen at once


@dataclass(frozen=True, slots=True)
class AssumptionGroup:
    """Some assumptions under one title; those of no group stand under the last."""

    title: Message
    names: tuple[str, ...]


USUAL: Final = AssumptionGroup(
    worded("Changed most"),
    (
        "growth",
        "demand",
        "lambda",
        "sigma",
        "delta",
        "wacc",
        "wait_months",
        "spot",
        "max_term_months",
        "max_provider_share",
        "budget_usd_per_month",
        "headroom",
    ),
)
GROUPS: Final = rows_as(AssumptionGroup, "assumption_groups.csv")
"""In the order of their titles in the dialog."""


def group_of(spec: AssumptionSpec) -> AssumptionGroup:
    """The group that an assumption is of; the last for one that none names."""
    return next((group for group in GROUPS if spec.name in group.names), GROUPS[-1])


def found_by(query: str) -> frozenset[str]:
    """Names of the assumptions of which title, unit, group or --set name hold every word that is typed."""
    words = query.casefold().split()
    return frozenset(spec.name for spec in ASKED_FOR if all(word in _text(spec) for word in words))


def _text(spec: AssumptionSpec) -> str:
    """All that an assumption is looked for by."""
    parts = (spec.title, spec.unit, group_of(spec).title, spec.name.replace("_", " "), spec.name)
    return " ".join(spoken(part) for part in parts).casefold()


# --- Assumptions: every number the planner may change, with its unit, range, default and source

_COLUMNS = (
    Column(title="Assumption", is_figure=False),
    Column(title="Value", is_figure=True, width=104),
    Column(title="Unit", is_figure=False, width=152),
    Column(title="Range", is_figure=True),
    Column(title="Default", is_figure=True),
    Column(title="Source", is_figure=False, width=178),
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

    def __init__(self, project: Project, scenario: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario = scenario
        title = label(titled(self, tr("Assumptions")), step="page")
        resize_within_screen(self, 900, 640)
        of = tr("For all plans.")
        if scenario:
            of = tr("Only for {scenario}.", scenario=scenario)
        rates = tr(long_text("percent_fields", of=of, share=numbers.significant(0.05)))
        self.said = label(role="muted")
        self.error = label(role="red", is_wrapped=True)
        self.error.hide()
        self.table = FigureTable(tr("Assumptions"), self)  # first: Tab goes from the group to the fields
        self.table.row_height = 30
        self.fields: dict[str, QLineEdit] = {}
        self.backs: dict[str, QToolButton] = {}
        self._shown: dict[str, str] = {}
        self._intake = project.intake
        self.close_button = close_button(self)
        foot = row(share(self.error), share(self.said), placed(self.close_button, RIGHT))
        head = (title, label(rates, role="muted", is_wrapped=True), self._beginning(bool(scenario)))
        column(*head, self._finding(), share(self.table), foot, on=self, margins=(20, 16, 20, 16), spacing=8)
        self.show_project(project)
        QWidget.setTabOrder(self.backs[ASKED_FOR[-1].name], self.close_button)
        self.search.setFocus()

    def _beginning(self, is_plan: bool) -> QHBoxLayout:
        """The day that plans begin, and the way to steps of a plan's demand."""
        self.plan_from = label()
        tip, called = tr("Start date of plans"), tr("Plan from")
        self.plan_from_button = named_button(tr("Plan from\u2026"), tip, self.plan_from_asked, called=called)
        tip = with_keys(tr("Dated changes of demand in this plan"), "change_demand")
        steps, called = tr("Steps of demand\u2026"), tr("Steps of demand")
        self.demand_button = named_button(steps, tip, self.demand_asked, called=called)
        self.demand_button.setVisible(is_plan)
        return row(self.plan_from, self.plan_from_button, self.demand_button, STRETCH, spacing=8)

    def _finding(self) -> QHBoxLayout:
        """A search over all assumptions, and the group that is seen while nothing is searched."""
        tip = tr("By name, unit, group or --set name")
        field = QLineEdit(placeholderText=tr("Search all assumptions"))
        self.search = named(field, tr("Search assumptions"), tip)
        self.search.textChanged.connect(lambda _: self._show_some())
        groups = [(group.title, group) for group in (USUAL, *GROUPS)]
        shown, tip = tr("Assumptions shown"), tr("Assumptions shown")
        self.group = choice_of(shown, tip, groups, lambda _: self._show_some())
        self.group.addItem(tr("All"), None)
        self.group.view().setAccessibleName(tr("Groups of assumptions"))
        self.count = label(role="muted")
        return row(share(self.search), self.group, self.count, STRETCH, spacing=8)

    def _show_some(self) -> None:
        """Show the rows that are searched, else those of the group; what was changed in its group is strong."""
        wanted = self.visible_names
        for at, spec in enumerate(ASKED_FOR):
            self.table.setRowHidden(at, spec.name not in wanted)
            for place in _WITH_WIDGETS:  # the table would place them only later
                inside = self.table.indexWidget(self.table.model().index(at, place))
                if inside is not None:
                    inside.setVisible(spec.name in wanted)
        shown, every = numbers.whole(len(wanted)), numbers.whole(len(ASKED_FOR))
        self.count.setText(tr("{shown} of {total}", shown=shown, total=every))
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
            text = self._shown[spec.name] = value_words(spec, getattr(values, spec.field))
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
        source: Text | None
        if is_own:
            source = tr("set in this plan")
        elif is_changed:
            source = source_words(spec.name, value, self._intake) or tr("set for all plans")
        else:
            source = _SOURCE.get(str(spec.source))
        return Row(
            (
                Cell(text=spec.title, is_strong=is_changed),
                Cell(),
                Cell(text=spec.unit, role="muted"),
                Cell(text=range_words(spec), role="muted"),
                Cell(text=value_words(spec, default) or tr("not set"), role="muted"),
                Cell(
                    text=source or spec.source,
                    role="text" if is_changed else "muted",
                    tip=f"--set {spec.name}=VALUE",
                ),
            ),
            key=spec.name,
        )

    def _way_back(self, spec: AssumptionSpec) -> QWidget:
        """A button back to the default."""
        default = value_words(spec, self._defaults[spec.name]) or tr("not set")
        back = self.backs[spec.name] = tool_button(
            tr("{title}: back to the default", title=spec.title),
            tr("Back to the default: {default}", default=default),
            lambda: self._change(spec, self._defaults[spec.name]),
        )
        back.setIcon(icon("undo", "text"))
        holder = QWidget()
        row(STRETCH, back, on=holder, margins=(8, 0, 4, 0))
        return holder

    def _field(self, spec: AssumptionSpec, text: str) -> QWidget:
        """A field for the value; the cell around it passes the keyboard on."""
        unset, right = (tr("not set") if spec.may_be_none else ""), Qt.AlignmentFlag.AlignRight
        field = self.fields[spec.name] = QLineEdit(text, alignment=right, placeholderText=unset)
        named(field, spec.title, tr("{first}, {second}", first=spec.title, second=spec.unit))
        field.editingFinished.connect(lambda: self._take(spec, field))
        holder = QWidget()
        row(field, on=holder, margins=(8, 2, 0, 2))
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
            remedy = sentence(error.remedy)
            self.error.setText(
                tr("{title}: {what}. {remedy}.", title=spec.title, what=error.what, remedy=remedy)
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
        if not takes_enter(self, event):
            super().keyPressEvent(event)
