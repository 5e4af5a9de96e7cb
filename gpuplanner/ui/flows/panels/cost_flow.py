"""The panel Cost: rules of idle GPUs, budgets, business figures and months."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from gpuplanner.app.exporting import WithMonths
from gpuplanner.app.past import audit_answers
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits import labels, money, plans
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import parse_assumption
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import exec_once
from gpuplanner.ui.kit.file_dialogs import open_files
from gpuplanner.ui.kit.small_dialogs import Question, errors_in_dialog
from gpuplanner.ui.panels.cost.charge_controls import SHARED_BY
from gpuplanner.ui.panels.cost.cost import CostPanel
from gpuplanner.ui.words.window_words import refused_words

if TYPE_CHECKING:
    from gpuplanner.files.tables.small_table import TableKind


TABLES = worded("Tables (*.csv *.xlsx *.parquet);;All files (*)")
BUSINESS_TABLES = worded("Tables (*.csv *.xlsx *.parquet);;All files (*)")
R = TypeVar("R")
"""What a row says."""


class CostFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: CostPanel) -> None:
        super().__init__(session.window)
        self.session, self.document = session, session.document
        panel.charge_controls.rule_chosen.connect(self.share_by)
        panel.charge_controls.budget_typed.connect(self.set_budget)
        panel.charge_controls.budgets_asked.connect(self._choose_budgets)
        panel.business_asked.connect(self._choose_business)

    def share_by(self, rule: str) -> None:
        """Share idle GPUs by another rule."""
        after = plans.set_assumption(self.document.project, None, SHARED_BY, rule)
        self.document.edit(labels.assumption_label(SHARED_BY, rule), after)

    def set_budget(self, team: str, text: str) -> None:
        """Set the budget of a team, in the money of the project; an empty text takes it away."""
        with errors_in_dialog(self.session.window):
            usd = float(parse_assumption("budget_usd_per_month", text)) if text else None  # type: ignore[arg-type]
            after = money.set_budget(self.document.project, team, usd)
            self.document.edit(labels.budget_label(team, usd), after)

    def read_budgets(self, paths: Sequence[str]) -> None:
        """Read budgets from files, which are US dollars; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.budgets import BUDGETS, Budget

        def edit(project: Project, read: Sequence[Budget]) -> tuple[Message, Project]:
            return labels.budgets_label(len(read)), money.add_dollar_budgets(project, dict(read))

        self._read(BUDGETS, paths, edit, tr("Some rows were not read"))

    def read_business(self, paths: Sequence[str]) -> None:
        """Read figures of the business from files; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.business_figures import BUSINESS

        def edit(project: Project, read: Sequence[BusinessFigure]) -> tuple[Message, Project]:
            return labels.business_label(len(read)), money.add_business(project, read)

        self._read(BUSINESS, paths, edit, tr("Some rows were not read"))

    def _read(
        self,
        kind: "TableKind[R]",
        paths: Sequence[str],
        edit: Callable[[Project, Sequence[R]], tuple[Message, Project]],
        lost_title: str,
    ) -> None:
        """Read files and take what they say as one undo step; nothing where one of them is no such table.

        edit: the words of the step, and the project after it.
        """
        with errors_in_dialog(self.session.window):
            read = kind.read_files(paths).or_refused()
            label, after = edit(self.document.project, read.values)
            if read.values:
                self.document.edit(label, replace(after, intake=(*after.intake, *read.intake)))
            if lost := refused_words(read):
                exec_once(Question(self.session.window, lost_title, "\n".join(lost), ("Close",)))

    def _choose_business(self) -> None:
        """Asks for files of business figures."""
        if paths := open_files(self.session.window, tr("Import business figures"), tr(BUSINESS_TABLES)):
            self.read_business([str(Path(path)) for path in paths])

    def _choose_budgets(self) -> None:
        """Asks for files of budgets."""
        if paths := open_files(self.session.window, tr("Import budgets"), tr(TABLES)):
            self.read_budgets([str(Path(path)) for path in paths])


class MonthsFlow(QObject):
    """The months of a log for the panel Cost, worked out while they are looked at."""

    def __init__(self, session: Session, panel: CostPanel, with_months: WithMonths) -> None:
        super().__init__(session.window)
        self.months = audit_answers.MonthByMonth(with_months, self)
        panel.months_asked.connect(self.months.ask)
        self.months.answered.connect(panel.show_months)
        self.months.failed.connect(panel.show_no_months)
