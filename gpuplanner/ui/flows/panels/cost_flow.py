"""The panel Cost on a project: how idle GPUs are shared and what teams may be charged, one edit each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from gpuplanner.domain import edits
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.business import BusinessFigure
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import parse_assumption
from gpuplanner.ui.kit.message import Question, show_error
from gpuplanner.ui.panels.cost.charge_controls import SHARED_BY
from gpuplanner.ui.panels.cost.cost import CostPanel
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.refused_words import refused_words
from gpuplanner.ui.words.translation import tr

if TYPE_CHECKING:  # readers are imported once there is a file
    from gpuplanner.files.tables.table_kind import TableKind

TABLES = worded("Budgets (*.csv *.xlsx *.parquet);;All files (*)")
BUSINESS_TABLES = worded("Business figures (*.csv *.xlsx *.parquet);;All files (*)")
R = TypeVar("R")
"""What a row says."""


class CostFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: CostPanel) -> None:
        super().__init__(session.window)
        self._session, self._document = session, session.document
        panel.charge_controls.rule_chosen.connect(self.share_by)
        panel.charge_controls.budget_typed.connect(self.set_budget)
        panel.charge_controls.budgets_asked.connect(self._choose_budgets)
        panel.business_asked.connect(self._choose_business)

    def share_by(self, rule: str) -> None:
        """Share idle GPUs by another rule."""
        after = edits.set_assumption(self._document.project, None, SHARED_BY, rule)
        self._document.edit(edits.assumption_label(SHARED_BY, rule), after)

    def set_budget(self, team: str, text: str) -> None:
        """Set the budget of a team, in the money of the project; an empty text takes it away."""
        try:
            usd = float(parse_assumption("budget_usd_per_month", text)) if text else None  # type: ignore[arg-type]
            after = edits.set_budget(self._document.project, team, usd)
            self._document.edit(edits.budget_label(team, usd), after)
        except PlannerError as error:
            show_error(self._session.window, error)

    def read_budgets(self, paths: Sequence[str]) -> None:
        """Read budgets from files, which are US dollars; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.budget_list import BUDGETS, Budget

        def edit(project: Project, read: Sequence[Budget]) -> tuple[Message, Project]:
            return edits.budgets_label(len(read)), edits.add_dollar_budgets(project, dict(read))

        self._read(BUDGETS, paths, edit, tr("Not every budget was read"))

    def read_business(self, paths: Sequence[str]) -> None:
        """Read figures of the business from files; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.business_list import BUSINESS

        def edit(project: Project, read: Sequence[BusinessFigure]) -> tuple[Message, Project]:
            return edits.business_label(len(read)), edits.add_business(project, read)

        self._read(BUSINESS, paths, edit, tr("Not every figure was read"))

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
        project = self._document.project
        try:
            read = kind.read_files(paths).or_refused()
            label, after = edit(project, read.values)
        except PlannerError as error:
            show_error(self._session.window, error)
            return
        if read.values:
            self._document.edit(label, replace(after, intake=(*after.intake, *read.intake)))
        if lost := refused_words(read):
            Question(self._session.window, lost_title, "\n".join(lost), ("Close",)).exec()

    def _choose_business(self) -> None:
        """Asks for files of business figures."""
        paths, _ = QFileDialog.getOpenFileNames(
            self._session.window, tr("Import business figures"), "", tr(BUSINESS_TABLES)
        )
        if paths:
            self.read_business([str(Path(path)) for path in paths])

    def _choose_budgets(self) -> None:
        """Asks for files of budgets."""
        paths, _ = QFileDialog.getOpenFileNames(self._session.window, tr("Import budgets"), "", tr(TABLES))
        if paths:
            self.read_budgets([str(Path(path)) for path in paths])
