"""The panel Backtest: it is worked out on request, and a chosen setting is one step of Undo."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from gpuplanner.app.past import backtesting
from gpuplanner.domain.edits import labels, plans
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.panels.duration.backtest import BacktestPanel


class BacktestFlow(QObject):
    """Told the session and the panel. rows_dir: where job rows of imports are kept."""

    def __init__(self, session: Session, panel: BacktestPanel, tables: Tables, rows_dir: Path) -> None:
        super().__init__(session.window)
        self.session, self._rows_dir = session, rows_dir
        self.backtesting = backtesting.Backtesting(
            tables, backtesting.whole_log_from(rows_dir), backtesting.past_logs_from(rows_dir), self
        )
        panel.walk_asked.connect(self.ask)
        panel.settings_chosen.connect(self._apply)
        self.backtesting.answered.connect(panel.show_walked)
        self.backtesting.progressed.connect(panel.show_progress)
        self.backtesting.failed.connect(panel.show_failure)

    def ask(self, is_whole_log: bool) -> None:
        """Over the whole log where its rows are here, as on a command line; else over the window."""
        project, scenario = self.session.document.project, self.session.scenario
        if scenario != TODAY:
            is_whole_log = is_whole_log or backtesting.has_rows(self._rows_dir, project)
            self.backtesting.ask(project, scenario, is_whole_log=is_whole_log)

    def _apply(self, settings: dict[str, Any], title: str) -> None:
        """Sets the settings of a backtest in the plan as one step; today has none to set."""
        if (scenario := self.session.scenario) == TODAY:
            return

        def edit(project: Project) -> Project:
            """The project with all of the settings in this plan."""
            for name, value in settings.items():
                project = plans.set_assumption(project, scenario, name, value)
            return project

        self.session.gestures.edit(labels.settings_label(title), edit)
