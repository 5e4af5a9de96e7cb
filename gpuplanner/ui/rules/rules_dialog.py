"""Class rules: the planner's own in the order in which they decide, and what each does; the shipped ones to read."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import Trace, parts_of
from gpuplanner.domain.demand.rule_preview import RuleAmount
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.ui.kit.dialogs import resize_within_screen
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.rules.rows import RULE_COLUMNS, rule_rows
from gpuplanner.ui.rules.traces import rule_trace
from gpuplanner.ui.tables.cells import Cell, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import spoken, tr

NO_RULES = worded(
    "No rules of your own yet. Label a card of Review and make a rule of it, add one here, or import some."
)
_NEEDS_ROW = ("change", "remove", "up", "down")


class RulesDialog(QDialog):
    """Told a project and amounts; emits what is to be done, which stays an undo step each."""

    add_asked = Signal()
    change_asked = Signal(str)  # rule_id
    remove_asked = Signal(str)
    move_asked = Signal(str, int)  # places
    import_asked = Signal()
    export_asked = Signal()
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(
        self, project: Project, shipped: Sequence[ClassRule], palette: Palette, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._project, self._shipped = project, tuple(shipped)
        self._amounts: dict[str, RuleAmount] = {}
        self.setWindowTitle(tr("Class rules"))
        self.setAccessibleName(tr("Class rules"))
        resize_within_screen(self, 860, 560)
        heading = PlainLabel(tr("Class rules"))
        heading.setFont(font("page"))
        note = PlainLabel(
            tr(
                "The first rule that matches a workload decides its class, in all plans. Labels stand above them, the "
                "shipped rules and the shape of the jobs below. Money is today\u2019s."
            )
        )
        note.setProperty("role", "muted")
        note.setWordWrap(True)
        self.table = FigureTable(tr("Class rules"), palette)
        self.table.setSelectionMode(self.table.SelectionMode.SingleSelection)
        self.table.figure_opened.connect(
            lambda figure_id, place: self.figure_opened.emit(figure_id, self.table, place)
        )
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._enable())
        self.table.doubleClicked.connect(lambda _: self._ask(self.change_asked))
        self._empty = PlainLabel(tr(NO_RULES))
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        self.said = PlainLabel()
        self.said.setProperty("role", "muted")
        self.said.setWordWrap(True)
        self.all = QCheckBox(tr("Show the shipped rules too"))
        set_tip(self.all, tr("They can be read here, not changed: a rule of your own stands above them"))
        self.all.toggled.connect(lambda _: self._show())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(heading)
        layout.addWidget(note)
        layout.addLayout(self._tools())
        layout.addWidget(self._empty)
        layout.addWidget(self.table, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.all)
        foot.addSpacing(12)
        foot.addWidget(self.said, 1)
        close = QPushButton(tr("Close"))
        close.setAccessibleName(tr("Close"))
        set_tip(close, tr("Close (Esc)"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        foot.addWidget(close)
        layout.addLayout(foot)
        self._show()
        (self.table if project.rules else self.buttons["add"]).setFocus()

    def _tools(self) -> QHBoxLayout:
        """The buttons above the list."""
        row = QHBoxLayout()
        row.setSpacing(6)
        self.buttons: dict[str, QPushButton] = {}
        self._tips: dict[str, str] = {}
        for name, text, tip, pressed in (
            ("add", tr("Add\u2026"), tr("A new rule, with a preview of what it changes (Insert)"),
             self.add_asked.emit),
            ("change", tr("Edit\u2026"), tr("Change the selected rule (Enter)"),
             lambda: self._ask(self.change_asked)),
            ("remove", tr("Remove"), tr("Remove the selected rule; Undo brings it back (Delete)"),
             lambda: self._ask(self.remove_asked)),
            ("up", tr("Move up"), tr("Let it decide before the one above (Alt+Up)"), lambda: self._move(-1)),
            ("down", tr("Move down"), tr("Let it decide after the one below (Alt+Down)"), lambda: self._move(1)),
            ("import", tr("Import\u2026"), tr("Rules from a CSV file, as others exported them"),
             self.import_asked.emit),
            ("export", tr("Export\u2026"), tr("Your rules as a CSV file, to share them"), self.export_asked.emit),
        ):  # fmt: skip
            button = QPushButton(spoken(text))
            button.setAccessibleName(text.rstrip("\u2026"))
            self._tips[name] = tip
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, pressed=pressed: pressed())
            self.buttons[name] = button
            row.addWidget(button)
            if name in ("remove", "down"):
                row.addSpacing(10)
        row.addStretch(1)
        return row

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
        return rule_trace(self._amounts[parts_of(figure_id)[2]], figure_id)

    # Inside

    def _show(self) -> None:
        """Shows the rules, the shipped ones below if wished; selection and place stay."""
        selected, place = self.selected, self.table.currentIndex().row()
        rules = self._project.rules
        rows = rule_rows(rules, self._amounts)
        if self.all.isChecked():
            blank = tuple(Cell() for _ in RULE_COLUMNS[2:])
            rows.append(
                Row((Cell(), Cell(tr("Shipped rules, of which the surest decides"), "muted"), *blank))
            )
            rows += rule_rows(self._shipped, {}, is_shipped=True)
        self.table.show_rows(RULE_COLUMNS, rows)
        self._empty.setVisible(not rules)
        ids = [rule.rule_id for rule in rules]
        if selected in ids:
            self.select(selected)
        elif ids:
            self.table.selectRow(min(max(place, 0), len(ids) - 1))
        self._enable()

    def _enable(self) -> None:
        """Lets each button be pressed, or says in its tip why not."""
        rule_id, ids = self.selected, [rule.rule_id for rule in self._project.rules]
        refused = {} if rule_id else dict.fromkeys(_NEEDS_ROW, tr("Select one of your rules first"))
        if rule_id and rule_id == ids[0]:
            refused["up"] = tr("It is the first already")
        if rule_id and rule_id == ids[-1]:
            refused["down"] = tr("It is the last already")
        if not ids:
            refused["export"] = tr("There are no rules of yours to export")
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
