"""Class rules in the order in which they decide, and the effect of each."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.demand.rule_preview import RuleAmount
from gpuplanner.domain.evidence.trace import Trace, parts_of
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, Part, column, row, share
from gpuplanner.ui.kit.page_parts import label, named_button
from gpuplanner.ui.plans import rule_rows
from gpuplanner.ui.tables.cells import Cell, Row
from gpuplanner.ui.tables.figure_table import FigureTable

NO_RULES = worded("No rules yet. Add or import one, or use a card in Review.")
_NEEDS_ROW = ("change", "remove", "up", "down")


class RulesDialog(dialogs.AnsweringDialog):
    """Told a project and amounts; emits what is to be done, which stays an undo step each."""

    add_asked = Signal()
    change_asked = Signal(str)  # rule_id
    remove_asked = Signal(str)
    move_asked = Signal(str, int)  # places
    import_asked = Signal()
    export_asked = Signal()

    def __init__(self, project: Project, shipped: Sequence[ClassRule], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project, self._shipped = project, tuple(shipped)
        self._amounts: dict[str, RuleAmount] = {}
        heading = label(dialogs.titled(self, tr("Class rules")), step="page")
        dialogs.resize_within_screen(self, 860, 560)
        note = tr(long_text("rules_order"))
        self.table = FigureTable(tr("Class rules"))
        self.table.setSelectionMode(self.table.SelectionMode.SingleSelection)
        self.table.pass_on(self.figure_opened)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._enable())
        self.table.doubleClicked.connect(lambda _: self._ask(self.change_asked))
        self.empty = label(tr(NO_RULES), role="muted", is_wrapped=True)
        self.said = label(role="muted", is_wrapped=True)
        self.all = QCheckBox(tr("Show shipped rules too"))
        set_tip(self.all, tr("Read-only; yours come first"))
        self.all.toggled.connect(lambda _: self._show())
        bottom = row(self.all, 12, share(self.said), dialogs.close_button(self))
        head = (heading, label(note, role="muted", is_wrapped=True), self._tools(), self.empty)
        column(*head, share(self.table), bottom, on=self, margins=(20, 16, 20, 16), spacing=8)
        self._show()
        (self.table if project.rules else self.buttons["add"]).setFocus()

    def _tools(self) -> QHBoxLayout:
        """The buttons above the list."""
        parts: list[Part] = []
        self.buttons: dict[str, QPushButton] = {}
        self._tips: dict[str, str] = {}
        for name, text, tip, pressed in (
            ("add", tr("Add\u2026"), tr("With a preview (Insert)"), self.add_asked),
            ("change", tr("Edit\u2026"), tr("Change rule (Enter)"), lambda: self._ask(self.change_asked)),
            ("remove", tr("Remove"), tr("Remove rule (Delete)"), lambda: self._ask(self.remove_asked)),
            ("up", tr("Move up"), tr("Before the rule above (Alt+Up)"), lambda: self._move(-1)),
            ("down", tr("Move down"), tr("After the rule below (Alt+Down)"), lambda: self._move(1)),
            ("import", tr("Import\u2026"), tr("From an exported CSV file"), self.import_asked),
            ("export", tr("Export\u2026"), tr("As a CSV file"), self.export_asked),
        ):
            self._tips[name] = tip
            self.buttons[name] = named_button(text, does=pressed, called=text.rstrip("\u2026"))
            parts += (self.buttons[name], 10 if name in ("remove", "down") else None)
        return row(*parts, STRETCH, spacing=6)

    # What to show

    def show_project(self, project: Project) -> None:
        """Other rules, or another log; what each decides comes with `show_amounts`."""
        self._project = project
        self._show()

    def show_amounts(self, amounts: Sequence[RuleAmount]) -> None:
        """What each rule decides."""
        self._amounts = {amount.rule_id: amount for amount in amounts}
        self._show()

    def say(self, text: str) -> None:
        """What was just done."""
        self.said.setText(spoken(text))

    @property
    def selected(self) -> str:
        """The id of the selected rule of the planner's own; empty where there is none."""
        index = self.table.currentIndex()
        return self.table.row_at(index.row()).key if index.isValid() else ""

    def select(self, rule_id: str) -> None:
        """Select a rule."""
        for place, rule in enumerate(self._project.rules):
            if rule.rule_id == rule_id:
                self.table.selectRow(place)

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of a rule is what it is. Errors: KeyError where it is none of the list."""
        return rule_rows.rule_trace(self._amounts[parts_of(figure_id)[2]], figure_id)

    # Inside

    def _show(self) -> None:
        """Shows the rules, the shipped ones below if wished; selection and place stay."""
        selected, place = self.selected, self.table.currentIndex().row()
        rules = self._project.rules
        rows = rule_rows.rule_rows(rules, self._amounts)
        if self.all.isChecked():
            shipped = Cell(text=tr("Shipped rules; the surest decides"), role="muted")
            rows.append(Row((Cell(), shipped, *(Cell() for _ in rule_rows.RULE_COLUMNS[2:]))))
            rows += rule_rows.rule_rows(self._shipped, {}, is_shipped=True)
        self.table.show_rows(rule_rows.RULE_COLUMNS, rows)
        self.empty.setVisible(not rules)
        ids = [rule.rule_id for rule in rules]
        if selected in ids:
            self.select(selected)
        elif ids:
            self.table.selectRow(min(max(place, 0), len(ids) - 1))
        self._enable()

    def _enable(self) -> None:
        """Lets each button be pressed, or says in its tip why not."""
        rule_id, ids = self.selected, [rule.rule_id for rule in self._project.rules]
        refused = {} if rule_id else dict.fromkeys(_NEEDS_ROW, tr("Select a rule first"))
        if rule_id and rule_id == ids[0]:
            refused["up"] = tr("Already the first")
        if rule_id and rule_id == ids[-1]:
            refused["down"] = tr("Already the last")
        if not ids:
            refused["export"] = tr("No rules to export")
        for name, button in self.buttons.items():
            button.setEnabled(name not in refused)
            set_tip(button, refused.get(name, self._tips[name]))

    def _ask(self, asked: SignalInstance) -> None:
        """Asks something of the selected rule."""
        if self.selected:
            asked.emit(self.selected)

    def _move(self, places: int) -> None:
        """Asks for the selected rule to go up or down."""
        if self.selected:
            self.move_asked.emit(self.selected, places)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the buttons; Enter never closes."""
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if isinstance(focused, QPushButton):
                focused.click()
            else:
                self._ask(self.change_asked)
        elif event.key() == Qt.Key.Key_Delete:
            self._ask(self.remove_asked)
        elif event.key() == Qt.Key.Key_Insert:
            self.add_asked.emit()
        elif event.key() in moves and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._move(moves[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)
