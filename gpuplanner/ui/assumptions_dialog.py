"""Assumptions: every number the planner may change, with its unit, range, default and source."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gpuplanner.domain.model.assumptions import ASSUMPTIONS, AssumptionSpec, AssumptionValue, parse_assumption
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.ui import numbers
from gpuplanner.ui.figure_table import Cell, Column, FigureTable, Row
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font

_COLUMNS = (
    Column("Assumption", False),
    Column("Value", True, 104),
    Column("Unit", False, 130),
    Column("Range", True),
    Column("Default", True),
    Column("Source", False, 160),
)


def shown_value(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """A value as it is read and typed: 3%, 60, yes; empty where none is set."""
    if value is None:
        return ""
    if spec.kind == "flag":
        return "yes" if value else "no"
    if spec.kind == "ratio":
        return f"{100 * float(value):.4g}%"
    return f"{float(value):g}"


class AssumptionsDialog(QDialog):
    """Told a project; emits one change at a time, each an undo step."""

    assumption_changed = Signal(str, object)

    def __init__(
        self, project: Project, scenario: str | None, palette: Palette, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._scenario = scenario
        self.setWindowTitle("Assumptions")
        self.setAccessibleName("Assumptions")
        self.resize(880, 640)
        title = QLabel("Assumptions")
        title.setFont(font("page"))
        of = f"They hold for {scenario}; other plans keep theirs." if scenario else "They hold for all plans."
        note = QLabel(f"{of} Rates as 3% or 0.03. Each change is one undo step.")
        note.setProperty("role", "muted")
        self.error = QLabel()
        self.error.setProperty("role", "red")
        self.error.setWordWrap(True)
        self.error.hide()
        self.table = FigureTable("Assumptions", palette)
        self.table.row_height = 30
        self.fields: dict[str, QLineEdit] = {}
        close = QPushButton("Close")
        close.setAccessibleName("Close")
        close.setToolTip("Close (Esc)")
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.error, 1)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(note)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)
        self.show_project(project)

    def show_project(self, project: Project) -> None:
        """Show the values in force."""
        values = project.assumptions
        if self._scenario is not None and any(plan.name == self._scenario for plan in project.scenarios):
            values = project.assumptions_in(project.scenario(self._scenario))
        rows = []
        for spec in ASSUMPTIONS:
            value = getattr(values, spec.field)
            default = shown_value(spec, spec.default) or "not set"
            low, high = (shown_value(spec, bound) for bound in (spec.low, spec.high))
            rows.append(
                Row(
                    (
                        Cell(spec.title, is_strong=value != spec.default),
                        Cell(),
                        Cell(spec.unit, "muted"),
                        Cell(
                            "yes or no"
                            if spec.kind == "flag"
                            else f"{low} {numbers.EN_DASH} {high}".replace("-", numbers.MINUS),
                            "muted",
                        ),
                        Cell(default, "muted"),
                        Cell(spec.source, "muted", tip=f"--set {spec.name}=VALUE"),
                    ),
                    key=spec.name,
                )
            )
        self.table.show_rows(_COLUMNS, rows)
        for at, spec in enumerate(ASSUMPTIONS):
            text = shown_value(spec, getattr(values, spec.field))
            if spec.name in self.fields:
                self.fields[spec.name].setText(text)
            else:
                self.table.setIndexWidget(self.table.model().index(at, 1), self._field(spec, text))

    def _field(self, spec: AssumptionSpec, text: str) -> QWidget:
        field = QLineEdit(text)
        field.setAccessibleName(spec.title)
        field.setToolTip(f"{spec.title}, {spec.unit}")
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setPlaceholderText("not set" if spec.default is None else "")
        field.editingFinished.connect(lambda: self._take(spec, field))
        self.fields[spec.name] = field
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(8, 2, 0, 2)
        row.addWidget(field)
        holder.setFocusProxy(field)
        return holder

    def _take(self, spec: AssumptionSpec, field: QLineEdit) -> None:
        if not field.isModified():
            return
        field.setModified(False)
        try:
            value = parse_assumption(spec.name, field.text())
        except PlannerError as error:
            self.error.setText(f"{spec.title}: {error.what}. {error.remedy[:1].upper()}{error.remedy[1:]}.")
            self.error.show()
            return
        self.error.hide()
        self.assumption_changed.emit(spec.name, value)
