"""The Backtest panel with what walks for it: asks, shows, and turns a chosen setting into one undo step."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from gpuplanner.app.questions.backtesting import Backtesting, has_rows, past_logs_from, whole_log_from
from gpuplanner.domain.edits import set_assumption, settings_label
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.model.tables import Tables
from gpuplanner.ui.panels.duration.backtest import BacktestPanel
from gpuplanner.ui.session.session import Session


class BacktestFlow(QObject):
    """Told the session and the panel. rows_dir: where job rows of imports are kept."""

    def __init__(self, session: Session, panel: BacktestPanel, tables: Tables, rows_dir: Path) -> None:
        super().__init__(session.window)
        self._session, self._rows_dir = session, rows_dir
        self._backtesting = Backtesting(tables, whole_log_from(rows_dir), past_logs_from(rows_dir), self)
        panel.walk_asked.connect(self._ask)
        panel.settings_chosen.connect(self._apply)
        self._backtesting.answered.connect(panel.show_walked)
        self._backtesting.progressed.connect(panel.show_progress)
        self._backtesting.failed.connect(panel.show_failure)

    @property
    def is_busy(self) -> bool:
        """Whether a walk is awaited."""
        return self._backtesting.is_busy

    def close(self) -> None:
        """Want no walk any more, and wait for the thread."""
        self._backtesting.close()

    def _ask(self, is_whole_log: bool) -> None:
        """Over the whole log where its rows are here, as on a command line; else over the window."""
        project, scenario = self._session.document.project, self._session.scenario
        if scenario != TODAY:
            is_whole_log = is_whole_log or has_rows(self._rows_dir, project)
            self._backtesting.ask(project, scenario, is_whole_log=is_whole_log)

    def _apply(self, settings: dict[str, Any], title: str) -> None:
        """Sets the settings of a backtest in the plan as one step; today has none to set."""
        scenario = self._session.scenario
        if scenario == TODAY:
            return

        def edit(project: Project) -> Project:
            """The project with all of the settings in this plan."""
            for name, value in settings.items():
                project = set_assumption(project, scenario, name, value)
            return project

        self._session.gestures.edit(settings_label(title), edit)
