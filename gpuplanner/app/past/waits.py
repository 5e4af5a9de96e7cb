"""Waits of jobs in a thread: the log is read once and replayed for each plan and target."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from gpuplanner.app.background import Answering, IsCancelled, Itself, OnProgress, are_same
from gpuplanner.app.exporting import WhoWaits
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.award.offer_worths import offer_worths
from gpuplanner.domain.commitment.advice_backtest import backtest_history
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_question_figures, read_tables

if TYPE_CHECKING:
    from gpuplanner.domain.ask.changes import Question
    from gpuplanner.domain.queue import ground
    from gpuplanner.domain.queue.logged import QueueLog
    from gpuplanner.domain.queue.waiting import Waiting
    from gpuplanner.domain.queue.waits import Target
from gpuplanner.app.past.backtesting import (
    has_rows,
    history_walked,
    months_from,
    past_logs_from,
    whole_log_from,
)

MOST_LAID: Final = 4
"""Plans of which replays are kept: today, and those between which a planner goes back and forth."""


def replayed_by(of: Evaluation) -> tuple[object, ...]:
    """The past that a replay is of, with its limits and whether by fair share; to be compared by `are_same`."""
    return Itself(of.audit), of.project.queue_limits, of.project.is_fair_share


class KeptQueue:
    """The jobs of a log as they stood in the queue, read once for all who ask, in whichever thread they do.

    rows_dir: where imports keep job rows.
    """

    def __init__(self, rows_dir: Path) -> None:
        self.rows_dir = rows_dir
        self._reading = Lock()
        self._log: tuple[tuple[object, ...], QueueLog] | None = None
        self._laid: list[tuple[tuple[object, ...], ground.Queueing]] = []

    def read(self, of: Evaluation, on_progress: OnProgress, is_cancelled: IsCancelled) -> "ground.Queueing":
        """The log laid on an evaluation, with what was replayed of the newest few: back on a plan nothing is run again.

        Errors: PlannerError file_missing.
        """
        from gpuplanner.domain.queue.ground import Queueing
        from gpuplanner.files.importing.windowed_jobs import read_queue

        project = of.project
        asked = (project.jobs, project.same, project.window, project.workloads)
        with self._reading:
            if self._log is None or not are_same(self._log[0], asked):
                self._log = (asked, read_queue(self.rows_dir, project, on_progress, is_cancelled))
            log = self._log[1]
            laid = (Itself(log), Itself(of.advice), *replayed_by(of))
            kept = (entry for entry in self._laid if are_same(entry[0], laid))
            answer = next(kept, None) or (laid, Queueing(of, log))
            others = [entry for entry in self._laid if entry is not answer and entry[0][0] == laid[0]]
            self._laid = [answer, *others[: MOST_LAID - 1]]
            return answer[1]


def waits_from(queue: KeptQueue) -> WhoWaits:
    """How to get how long jobs wait, from the rows that the import of their log kept."""

    def read(evaluation: Evaluation, on_progress: OnProgress, is_cancelled: IsCancelled) -> "Waiting | None":
        from gpuplanner.domain.queue.waiting import waiting_where_known

        if not has_rows(queue.rows_dir, evaluation.project):
            return None
        queueing = queue.read(evaluation, on_progress, is_cancelled)
        return waiting_where_known(queueing, on_progress, is_cancelled, outlook=evaluation.outlook)

    return read


def waits_of_pools(
    queue: KeptQueue, evaluation: Evaluation, on_progress: OnProgress, is_cancelled: IsCancelled
) -> dict[Pool, float | None]:
    """P90 of each pool on the GPUs of a plan, hours; empty where nobody knows."""
    from gpuplanner.domain.queue.waiting import pool_waits

    if not has_rows(queue.rows_dir, evaluation.project):
        return {}
    rows = pool_waits(queue.read(evaluation, on_progress, is_cancelled), is_cancelled)
    return {row.pool: row.waits.p90_h for row in rows or ()}


class Queueing(Answering):
    """How long jobs wait; answers with a `Waiting`, of `ask_log` with the rows."""

    def __init__(self, queue: KeptQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue = queue

    def ask(
        self,
        evaluation: Evaluation,
        target: "Target | None" = None,
        sizes: int | None = None,
        *,
        is_together: bool = False,
        is_later: bool = False,
    ) -> None:
        """How long jobs wait on the GPUs of today and of an evaluation's plan; `answered` tells.

        target: of one pool, or None; sizes: points of each frontier, None: as many as are usual; is_together: on sizes
        for all pools of a GPU model. is_later: in the plan's later months and with its decisions, too.
        Errors: PlannerError file_missing where the rows of the log are gone.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> "Waiting":
            from gpuplanner.domain.queue.waiting import SIZES, waiting_of

            queueing = self._queue.read(evaluation, on_progress, is_cancelled)
            points, together = SIZES if sizes is None else sizes, (is_together,)
            return waiting_of(queueing, points, target, on_progress, is_cancelled, together, decisions)

        outlook = evaluation.outlook if is_later else None
        decisions = None if outlook is None else outlook.next_decisions
        advised = None if evaluation.advice is None else Itself(evaluation.advice)
        key = (*replayed_by(evaluation), advised, target, sizes, is_together, Itself(decisions))
        self._newest.ask(key, work)

    def ask_log(self, evaluation: Evaluation) -> None:
        """The log's own waits; `answered` tells rows of `WaitsBy`, None where it does not say. Errors as of `ask`."""

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> object:
            from gpuplanner.domain.queue.rows import log_waits

            return log_waits(self._queue.read(evaluation, on_progress, is_cancelled).of_today, is_whole=True)

        self._newest.ask((Itself(evaluation.audit),), work)

    def ask_question(self, asked: "Question", evaluation: Evaluation, now_s: int) -> None:
        """What was asked in words and takes long; `answered` tells `Answered`: unknown where rows are not kept.

        now_s: of an award, epoch seconds.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> object:
            from gpuplanner.domain.ask.answers import answer_question
            from gpuplanner.files.tables.odd_rates import market_of_offer

            project, rows, tables = evaluation.project, self._queue.rows_dir, read_tables()
            is_kept, hooks = has_rows(rows, project), (on_progress, is_cancelled)
            logs = (whole_log_from(rows) if is_kept else None, past_logs_from(rows))
            reads: dict[str, Callable[[], object]] = {
                **dict.fromkeys(
                    ("waits", "waited", "team_waits", "size"),
                    lambda: self._queue.read(evaluation, *hooks) if is_kept else None,
                ),
                "backtest": lambda: backtest_history(
                    history_walked(project, evaluation.scenario, tables, logs, hooks)[1], is_cancelled
                ),
                "worth": lambda: offer_worths(evaluation, is_cancelled),
                "history": lambda: months_from(rows, tables)(evaluation, *hooks).months,
                "award": lambda: decide(evaluation, now_s, market_of_offer, is_cancelled=is_cancelled),
            }
            read = reads.get(asked.form, lambda: None)()
            return answer_question(asked, evaluation, read_question_figures(), read, is_cancelled)

        self._newest.ask((Itself(evaluation.advice), Itself(asked)), work)
