"""The backtest in a thread: walked when it is looked at, and kept for as long as its parts are the same."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import IsCancelled, OnProgress, Threaded
from gpuplanner.app.questions.newest_question import NewestQuestion
from gpuplanner.domain.commitment.backtest.advice_backtest import Backtest, backtest_history
from gpuplanner.domain.commitment.backtest.history import LogsSoFar
from gpuplanner.domain.commitment.backtest.variants import Variant, variants_of
from gpuplanner.domain.evaluation import history_in
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables

WholeLog = Callable[[Project, OnProgress, IsCancelled], Project]
PastLogs = Callable[[Project, OnProgress, IsCancelled], LogsSoFar | None]


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """A backtest and the settings tried on one log of so many hours. is_whole_log: beyond the project's window."""

    backtest: Backtest
    variants: tuple[Variant, ...]
    is_whole_log: bool
    hours: int = 0


def whole_log_from(rows_dir: Path) -> WholeLog:
    """How to get the project over its whole log, from the job rows that its import kept.

    Errors: PlannerError file_missing where they are gone.
    """

    def read(project: Project, on_progress: OnProgress, is_cancelled: IsCancelled) -> Project:
        from gpuplanner.app.importing import rewindowed_project
        from gpuplanner.files.values.window_request import WindowRequest

        request = WindowRequest(start_s=None, end_s=None, days=None, whole_log=True)
        return rewindowed_project(project, rows_dir, request, on_progress, is_cancelled)

    return read


def has_rows(rows_dir: Path, project: Project) -> bool:
    """Whether the rows that its import kept are on this computer: then all of the log can be walked over.

    rows_dir: where imports keep job rows.
    """
    from gpuplanner.files.importing.import_jobs import kept_rows

    try:
        kept_rows(rows_dir, project.jobs)
    except PlannerError:
        return False
    return True


def past_logs_from(rows_dir: Path) -> PastLogs:
    """How to get a project's log as it was known in the past, from the rows that its import kept; None without them.

    rows_dir: where imports keep job rows. Returns what reads them; None from it means that the walk knows its
    workloads from the whole log.
    """

    def read(project: Project, on_progress: OnProgress, is_cancelled: IsCancelled) -> LogsSoFar | None:
        from gpuplanner.files.importing.logs_so_far import logs_so_far

        if not has_rows(rows_dir, project):
            return None
        return lambda windows: logs_so_far(rows_dir, project, windows, on_progress, is_cancelled)

    return read


def _no_rows(project: Project, on_progress: OnProgress, is_cancelled: IsCancelled) -> LogsSoFar | None:
    """A log without rows behind it."""
    return None


class Backtesting(Threaded):
    """The newest question is answered; one asked again is answered at once."""

    answered = Signal(object)  # Walked

    def __init__(
        self,
        tables: Tables,
        whole_log: WholeLog,
        past_logs: PastLogs = _no_rows,
        parent: QObject | None = None,
    ) -> None:
        """whole_log: gets the project over all of its log; past_logs: gets what was known month by month."""
        super().__init__(parent)
        self._tables, self._whole_log, self._past_logs = tables, whole_log, past_logs
        self._newest = NewestQuestion[Walked](self._background, self.answered.emit)

    def ask(self, project: Project, scenario: str, *, is_whole_log: bool) -> None:
        """Walk over the project's window, or over all of its log; `answered` tells.

        scenario: a plan, not Today. Asked again about the same parts it is told at once.
        Errors: KeyError for a plan that there is not.
        """
        plan = project.scenario(scenario)
        question = (
            project.cube, project.workloads, project.offers, project.labels, project.assumptions, plan.pools,
            project.mappings, plan.assumptions, plan.start, plan.price_case, is_whole_log,
        )  # fmt: skip

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Walked:
            log = self._whole_log(project, on_progress, is_cancelled) if is_whole_log else project
            history = history_in(log, scenario, self._tables, self._past_logs(log, on_progress, is_cancelled))
            answer = backtest_history(history, is_cancelled)
            return Walked(answer, variants_of(history, is_cancelled), is_whole_log, log.window.hours)

        self._newest.ask(question, work)
