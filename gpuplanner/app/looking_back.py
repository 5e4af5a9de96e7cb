"""Questions about the past, in a thread: backtest, waits, track, unit costs, jobs, and Why of the audit."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Answering, IsCancelled, Itself, OnProgress, Threaded, are_same
from gpuplanner.app.exporting import WhoWaits, WithMonths
from gpuplanner.domain.audit import unit_costs
from gpuplanner.domain.audit.chargeback import Charged, Charges, charged, charges
from gpuplanner.domain.audit.cost_result import ChargeBy, Period, UnitCosts, Variance
from gpuplanner.domain.audit.energy import WindowEnergy
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.variance import variance
from gpuplanner.domain.award.deciding import decide, offer_worths
from gpuplanner.domain.commitment.advice_backtest import Backtest, Variant, backtest_history, variants_of
from gpuplanner.domain.commitment.history import History, LogsSoFar
from gpuplanner.domain.evaluation import Evaluation, history_in, with_months
from gpuplanner.domain.evidence import money, serving, use, workloads
from gpuplanner.domain.evidence.answering import Answers
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, Tables
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.track.track import Track
from gpuplanner.files.system.resources import read_question_figures, read_tables
from gpuplanner.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from gpuplanner.domain.arrays import Bools
    from gpuplanner.domain.ask.changes import Question
    from gpuplanner.domain.queue import ground
    from gpuplanner.domain.queue.logged import QueueLog
    from gpuplanner.domain.queue.waiting import Waiting
    from gpuplanner.domain.queue.waits import Target
    from gpuplanner.files.job_logs.reduce.job_rows import JobsPage


# --- The backtest in a thread: walked when it is looked at, and kept for as long as its parts are the same

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
        from gpuplanner.app.importing import rewindowed_project
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
        return waiting_where_known(queueing, on_progress, is_cancelled)

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


class MonthByMonth(Answering):
    """The audit of every month; answers with an `Evaluation`."""

    def __init__(self, with_months: WithMonths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._with_months = with_months

    def ask(self, evaluation: Evaluation) -> None:
        """Work out the months behind an audit; `answered` tells the evaluation with them."""
        question = (Itself(evaluation.audit), evaluation.figures.basis.plan.leak_decisions)
        self._newest.ask(question, lambda *hooks: self._with_months(evaluation, *hooks))


def _history_walked(
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
            hours, history = _history_walked(
                project, scenario, self._tables, logs, (on_progress, is_cancelled)
            )
            answer = backtest_history(history, is_cancelled)
            return Walked(answer, variants_of(history, is_cancelled), is_whole_log, hours)

        self._newest.ask(question, work)


# --- How long jobs wait, in a thread: the log is read once, and replayed for each plan and target


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
    ) -> None:
        """How long jobs wait on the GPUs of today and of an evaluation's plan; `answered` tells.

        target: of one pool, or None; sizes: points of each frontier, None: as many as are usual; is_together: on sizes
        for all pools of a GPU model.
        Errors: PlannerError file_missing where the rows of the log are gone.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> "Waiting":
            from gpuplanner.domain.queue.waiting import SIZES, waiting_of

            queueing = self._queue.read(evaluation, on_progress, is_cancelled)
            points = SIZES if sizes is None else sizes
            return waiting_of(queueing, points, target, on_progress, is_cancelled, (is_together,))

        advised = None if evaluation.advice is None else Itself(evaluation.advice)
        self._newest.ask((*replayed_by(evaluation), advised, target, sizes, is_together), work)

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
                    _history_walked(project, evaluation.scenario, tables, logs, hooks)[1], is_cancelled
                ),
                "worth": lambda: offer_worths(evaluation, is_cancelled),
                "history": lambda: months_from(rows, tables)(evaluation, *hooks).months,
                "award": lambda: decide(evaluation, now_s, market_of_offer, is_cancelled=is_cancelled),
            }
            read = reads.get(asked.form, lambda: None)()
            return answer_question(asked, evaluation, read_question_figures(), read, is_cancelled)

        self._newest.ask((Itself(evaluation.advice), Itself(asked)), work)


# --- A plan against what came, in a thread: the later log is read, then compared; the newest question is answered


@dataclass(frozen=True, slots=True)
class TrackFiles:
    """Paths of what came: job logs, and contracts and prices as they are now; empty: the plan's own."""

    jobs: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    prices: tuple[str, ...] = ()


class Tracking(Answering):
    """One comparison at a time; answers with a `Track`."""

    def __init__(self, tables: Tables, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tables = tables

    def ask(self, evaluation: Evaluation, files: TrackFiles) -> None:
        """Hold a plan against a log; `answered` tells. Errors: ValueError without advice.

        Told at once where the advice is that of last time, and so are the files, unchanged since.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Track | None:
            return tracked(evaluation, files, self._tables, on_progress, is_cancelled)

        self._newest.ask((Itself(evaluation.advised), files, _stamps(files)), work)

    def _tell(self, answer: Track | None) -> None:
        if answer is not None:
            self.answered.emit(answer)


def _stamps(files: TrackFiles) -> tuple[tuple[int, int] | None, ...]:
    """What tells whether files were changed: size and time of each, None of one that is not there."""
    stamps: list[tuple[int, int] | None] = []
    for path in (*files.jobs, *files.contracts, *files.prices):
        try:
            status = os.stat(path)
        except OSError:
            stamps.append(None)
        else:
            stamps.append((status.st_size, status.st_mtime_ns))
    return tuple(stamps)


def tracked(
    evaluation: Evaluation,
    files: TrackFiles,
    tables: Tables,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> Track | None:
    """Read what came and compare; None where it was cancelled.

    Errors: PlannerError where a file cannot be read or is refused, or nothing of the log lies after the plan begins.
    """
    from gpuplanner.files.importing.later_log import LaterFiles, track_later

    later, track = track_later(
        evaluation.project,
        lambda: evaluation,
        LaterFiles(jobs=files.jobs, contracts=files.contracts, prices=files.prices),
        tables,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    if later.refused:
        raise later.refused[0]
    if later.project is None:
        fault = joined(later.notes, "; ") if later.notes else worded("no job was imported")
        raise PlannerError(", ".join(files.jobs), "usage", fault, worded("choose a later log"))
    return track


# --- Unit costs, variance, chargeback and energy in a thread: worked out when looked at, and kept while they hold

Periods = tuple[Period, Period]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Costs:
    """What was worked out, and of what: the answer to any project whose parts are the very same objects.

    usd_by_hour: what is spent in each hour of the window (None: unknown); business: that beside the business figures
    and the plan that are shown, which whoever shows them puts in.
    """

    parts: tuple[object, ...]
    periods: Periods
    past: Past
    unit: UnitCosts
    variance: Variance
    charged: Charged
    charges: Mapping[ChargeBy, Charges]
    energy: WindowEnergy
    usd_by_hour: unit_costs.Spend
    retraining: tuple[unit_costs.Retraining, ...]
    business: tuple[unit_costs.BusinessCost, ...] = ()
    plan: Evaluation | None = None  # the plan beside which it is shown, with its advice
    by_month: Evaluation | None = None  # with the months of the log, once they are worked out
    today: Evaluation | None = None  # of whose past it is


class Costing(Threaded):
    """The newest question is answered; one asked again is answered at once."""

    answered = Signal(object)  # Costs

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: Costs | None = None
        self._asked: tuple[object, ...] = ()

    def ask(self, project: Project, audit: Audit, periods: Periods) -> None:
        """Work out the costs of a project's past; `answered` tells.

        periods: the two that are compared. Where only they moved, unit costs are taken over. `answered` is
        emitted before it returns where all is known.
        """
        # an audit is of one past, and made again where an assumption moved
        parts = (Itself(audit), Itself(project.traffic), Itself(project.serving), Itself(project.budgets))
        known = self._known
        if known is not None and are_same(known.parts, parts) and known.periods == periods:
            self._background.cancel()
            self.answered.emit(known)
            return
        question = (*parts, *periods)
        if self.is_busy and are_same(self._asked, question):
            return
        self._asked = question
        unit = known.unit if known is not None and are_same(known.parts, parts) else None
        self._background.run(lambda: _work_out(project, audit, periods, parts, unit), self._take)

    def _take(self, costs: Costs) -> None:
        """Kept, and told."""
        self._known = costs
        self.answered.emit(costs)


def _work_out(
    project: Project, audit: Audit, periods: Periods, parts: tuple[object, ...], unit: UnitCosts | None
) -> Costs:
    """In the thread. unit: what is known already; None: to be worked out."""
    past = unit_costs.past_of(project, audit)
    charged_to = charged(past, audit)
    unit = unit or unit_costs.unit_costs(past)
    return Costs(
        parts=parts,
        periods=periods,
        past=past,
        unit=unit,
        variance=variance(past, *periods),
        charged=charged_to,
        charges={by: charges(project, charged_to, by) for by in ChargeBy},
        energy=audit.energy,
        usd_by_hour=unit_costs.spend_by_hour(past),
        retraining=unit_costs.retraining_of(unit.runs, project.window),
    )


# --- Drill-down in a thread: pages of the jobs of a workload, or of several, asked for one after the other

PAGE_ROWS = 200
ReadPage = Callable[[Path, tuple[str, ...], Window, str, int], "JobsPage"]


def read_page(
    path: Path,
    keys: tuple[str, ...],
    window: Window,
    order: str,
    offset: int,
    hours: "Bools | None" = None,
    same: tuple[Same, ...] = (),
) -> "JobsPage":
    """The next jobs of these workloads from the kept rows; hours: only these count; same: of the project.

    Errors: PlannerError where the rows are gone.
    """
    from gpuplanner.files.job_logs.reduce.job_rows import jobs_of_workloads

    return jobs_of_workloads(
        path, keys, window=window, order=order, limit=PAGE_ROWS, offset=offset, hours=hours, same=same
    )


def reader_in(hours: "Bools | None", same: tuple[Same, ...]) -> ReadPage:
    """Reads jobs of a project's workloads, of which only some hours of the window count where they are given.

    hours: of the window, (hours,), True where they count; None: all. same: what the project says is one.
    """
    return partial(read_page, hours=hours, same=same)


def kept_rows(folder: Path, sha256: str) -> Path:
    """Where the job rows of a project are kept.

    sha256: of the Parquet file, as the facts of the jobs have it. The file need not be there.
    """
    from gpuplanner.files.job_logs.reduce.job_rows import rows_path

    return rows_path(folder, sha256)


class JobDrill(Threaded):
    """The jobs of one workload, or of several together; the newest question is answered."""

    found = Signal(str, int, object)  # order, offset, JobsPage

    def __init__(self, path: Path, keys: tuple[str, ...], window: Window, read: ReadPage = read_page) -> None:
        """path: of the kept rows; keys: of workloads; read: another reader in tests."""
        super().__init__()
        self._path, self._keys, self._window, self._read = path, keys, window, read

    def ask(self, order: str, offset: int) -> None:
        """Ask for the jobs from a place on, in an order.

        order: a column of the page; offset: rows before the first. Only the newest question is answered.
        """
        path, keys, window, read = self._path, self._keys, self._window, self._read
        self._background.run(
            lambda: read(path, keys, window, order, offset), lambda page: self.found.emit(order, offset, page)
        )


# --- Answers "Why this number?" in a thread: the hours behind an audit are worked out once, and kept while it is shown


ANSWERS: Final = Answers[Evidence](use.WHY | money.WHY | workloads.WHY | serving.OF_PLACES)


class Tracer(Threaded):
    """Told a project and its audit; the newest question is answered."""

    answered = Signal(object)  # Trace

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._evidence: Evidence | None = None

    @property
    def evidence(self) -> Evidence | None:
        """The hours behind the audit that was asked about last.

        None before the first answer.
        """
        return self._evidence

    def ask(self, project: Project, audit: Audit, figure_id: str, fit: tuple[WorkloadFit, ...] = ()) -> None:
        """Answer for a figure of this audit. fit: of its workloads, in their order; empty while it is worked out.

        figure_id: as figures are named where they are shown. Hours are worked out again only for another
        audit or cube.
        """
        known = self._evidence

        def work() -> tuple[Evidence, Trace]:
            evidence = known
            if evidence is None or evidence.audit is not audit or evidence.project.cube is not project.cube:
                evidence = evidence_of(project, audit, fit)
            elif evidence.project is not project or evidence.fit is not fit:
                # the same past: cards moved, leaks were decided
                evidence = Evidence(project, audit, evidence.past, fit)
            return evidence, ANSWERS.answer(evidence, figure_id)

        self._background.run(work, self._take)

    def _take(self, answer: tuple[Evidence, Trace]) -> None:
        """The hours are kept for the next question."""
        self._evidence, trace = answer
        self.answered.emit(trace)
