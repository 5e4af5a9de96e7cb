"""Backtest in a thread: walked when it is viewed, kept while its parts are the same."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from gpuplanner.app.background import Answering, IsCancelled, OnProgress
from gpuplanner.app.exporting import WithMonths
from gpuplanner.domain.commitment.advice_backtest import Backtest, Variant, backtest_history, variants_of
from gpuplanner.domain.commitment.history import History, LogsSoFar
from gpuplanner.domain.evaluation import Evaluation, history_in, with_months
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables
from gpuplanner.lazy_dataclass import dataclass

Told = tuple[OnProgress, IsCancelled]
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
        from gpuplanner.app.importing.into_project import rewindowed_project
        from gpuplanner.files.values.lookback_period import WindowRequest

        request = WindowRequest(start_s=None, end_s=None, days=None, whole_log=True)
        return rewindowed_project(project, rows_dir, request, on_progress, is_cancelled)

    return read


def has_rows(rows_dir: Path, project: Project) -> bool:
    """Whether the rows that its import kept are on this computer: then all of the log can be walked over.

    rows_dir: where imports keep job rows.
    """
    from gpuplanner.files.importing.windowed_jobs import kept_rows

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


def months_from(rows_dir: Path, tables: Tables) -> WithMonths:
    """How to get an evaluation with the months of its log, from the rows that its import kept; without them as it is.

    rows_dir: where imports keep job rows.
    """

    def read(evaluation: Evaluation, on_progress: OnProgress, is_cancelled: IsCancelled) -> Evaluation:
        from gpuplanner.files.importing.logs_so_far import months_of_log

        project = evaluation.project
        if not has_rows(rows_dir, project):
            return evaluation
        return with_months(evaluation, months_of_log(rows_dir, project, on_progress, is_cancelled), tables)

    return read


def history_walked(
    project: Project, scenario: str, tables: Tables, logs: tuple[WholeLog | None, PastLogs], hooks: Told
) -> tuple[int, History]:
    """Hours of the log that is walked over, the project's own where no whole one is read, and its history."""
    whole_log, past_logs = logs
    log = project if whole_log is None else whole_log(project, *hooks)
    return log.window.hours, history_in(log, scenario, tables, past_logs(log, *hooks))


class Backtesting(Answering):
    """A walk over what is past; answers with `Walked`."""

    def __init__(
        self,
        tables: Tables,
        whole_log: WholeLog,
        past_logs: PastLogs = lambda *_: None,  # of a log without rows behind it
        parent: QObject | None = None,
    ) -> None:
        """whole_log: gets the project over all of its log; past_logs: gets what was known month by month."""
        super().__init__(parent)
        self._tables, self._whole_log, self._past_logs = tables, whole_log, past_logs

    def ask(self, project: Project, scenario: str, *, is_whole_log: bool) -> None:
        """Walk over the project's window, or over all of its log; `answered` tells.

        scenario: a plan, not Today. Asked again about the same parts it is told at once.
        Errors: KeyError for a plan that there is not.
        """
        plan = project.scenario(scenario)
        question = (
            project.cube,
            project.workloads,
            project.offers,
            project.labels,
            project.assumptions,
            plan.pools,
            project.mappings,
            plan.assumptions,
            plan.start,
            plan.price_case,
            is_whole_log,
        )

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Walked:
            logs = (self._whole_log if is_whole_log else None, self._past_logs)
            hours, history = history_walked(
                project, scenario, self._tables, logs, (on_progress, is_cancelled)
            )
            answer = backtest_history(history, is_cancelled)
            return Walked(answer, variants_of(history, is_cancelled), is_whole_log, hours)

        self._newest.ask(question, work)
