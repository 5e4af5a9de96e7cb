"""How long will they wait: the log's jobs on the GPUs of today, on the plan's, and on sizes between.

Source: docs/formulas/waits.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import OnProgress, unheard
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import month_start_s
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import POOL_TITLES, SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.queue import waits
from gpuplanner.domain.queue.frontier import FrontierPoint, OfModel, OnSizes, TargetFound, calibrated_sizes
from gpuplanner.domain.queue.ground import MILLI, Fewest, IsCancelled, Queueing
from gpuplanner.domain.queue.later_months import LaterWaits, Ranges, later_waits
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.rows import (
    Fragment,
    QueueRow,
    Replayed,
    by_model,
    jobs_of,
    measured_rows,
    replayed,
    shared_models,
)
from gpuplanner.domain.queue.sets import QueuedJob
from gpuplanner.lazy_dataclass import dataclass, field, replace

SIZES: Final = 12
"""Points of a frontier where nobody says how many."""

OF_NAMES: Final = ("cluster_without_log", "models_unmatched")

MOST_TRIED: Final = 100_000
"""Jobs of a log up to which a better size is looked for with every plan, not only where sizes are asked for."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Between which quantiles replayed ones would really lie; miss: see `waits.miss_of`. None: unknown."""

    p50: waits.Range | None
    p90: waits.Range | None
    p99: waits.Range | None
    miss: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowWaits:
    """A planned run that comes again, without a window of its own: waits of its runs in the log's window on the GPUs of
    the plan; never: runs that never start; usd: what its window costs in the plan, all of it; usd_per_month: its mean
    month held for it alone in the cheapest way. None: unknown."""

    work: PlannedWork
    waits: waits.Waits
    never: int
    usd: float | None
    usd_per_month: float | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Waiting:
    """The answer. submit_known, limit_known: shares of the log's rows; measured: empty where none says when it was
    eligible; it and today: by class, whatever pools a plan has.

    replayed: on the plan, or on today where nothing is planned; by_model of the same; loose: the same were
    every node one GPU, empty where nodes do not count. fragments: of the window. begins_cold: no job was eligible
    before the window; is_capacity_guessed: no contract says what there is; fewest, is_changed: see `Queueing`.
    models: without sizes only what is better than a plan. on_demand: $ of the plan's first month by GPU model. drop: of
    each its dearest order.
    larger: those of never_fit that are larger than a limit. limits, unmatched, is_fair: see `Queueing`.
    asked: checks of names that log and contracts do not share, so that GPUs of contracts are in no replay. later: of
    the plan's later months and decisions; None where they were not asked for."""

    submit_known: float
    limit_known: float
    measured: tuple[QueueRow, ...]
    today: tuple[QueueRow, ...]
    replayed: tuple[QueueRow, ...]
    by_model: tuple[QueueRow, ...]
    calibrated: Mapping[Pool, Calibrated]
    frontier: tuple[FrontierPoint, ...]
    target: TargetFound | None
    never_fit: tuple[str, ...]
    is_planned: bool
    begins_cold: bool
    is_capacity_guessed: bool
    fragments: tuple[Fragment, ...] = ()
    loose: tuple[QueueRow, ...] = ()
    windows: tuple[WindowWaits, ...] = ()
    fewest: Fewest | None = None
    is_changed: bool = False
    models: tuple[OfModel, ...] = ()
    on_demand: Mapping[str | None, float] = field(default_factory=dict)
    drop: Mapping[str | None, Order] = field(default_factory=dict)
    larger: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    unmatched: tuple[Limit, ...] = ()
    is_fair: bool = False
    asked: tuple[Check, ...] = ()
    later: LaterWaits | None = None

    @property
    def calibrated_capacity(self) -> "Waiting":
        """The same with sizes drawn from the capacity at which the replay agrees with the log."""
        return replace(self, frontier=calibrated_sizes(self.frontier, self.models))


def waiting_of(
    queueing: Queueing,
    sizes: int = SIZES,
    target: waits.Target | None = None,
    on_progress: OnProgress = unheard,
    is_cancelled: IsCancelled = lambda: False,
    together: Sequence[bool] = (False,),
    decisions: Sequence[NextDecision] | None = None,
    *,
    is_whole: bool = True,
) -> Waiting:
    """How long the jobs of a log wait on what its evaluation has and plans. sizes: points of each frontier; 0: none,
    and neither gaps nor nodes of one GPU.

    target: of a row that there is not it finds nothing. together: whether all pools of a GPU model stand on a size, or
    one alone; the target is of the first. decisions: of the plan, whose later months are replayed, too; None: they are
    not. is_whole: see `later_waits`. Where it was cancelled the answer is cut short, and for nobody.
    """
    log, project, was = queueing.log, queueing.evaluation.project, queueing.of_today
    on_progress(0.0, worded("Replaying the log on today's GPUs"))
    today = plan = replayed(was, was.today, is_cancelled)
    if queueing.plan is not None:
        on_progress(0.15, worded("Replaying the log on the plan's GPUs"))
        plan = replayed(queueing, queueing.plan, is_cancelled)
    now = today.rows()
    then = now if plan is today else plan.rows()
    measured = measured_rows(was) if log.submit_known else ()
    models = tuple(by_model(plan))
    shared, frontier, target_found = shared_models(models), list[FrontierPoint](), None
    asked = None if target is None else find_target_row(target, plan.queueing, models)
    for place, row in enumerate(models if sizes or asked else ()):
        words = worded("Replaying {pool} on other sizes", pool=POOL_TITLES[row.pool])
        on_progress(0.3 + 0.7 * place / len(models), words)
        for is_together in together if row.gpu_model in shared else (False,):
            on_sizes = OnSizes(today, plan, row, is_cancelled, is_together=is_together)
            here = None if target is None or row is not asked or target_found else on_sizes.target(target)
            target_found = here or target_found
            frontier += on_sizes.frontier(sizes, here)
    is_tried = measured and (sizes or (queueing.plan is not None and len(log.job_ids) <= MOST_TRIED))
    firsts = {row.gpu_model: row for row in models} if is_tried else {}
    together_of = [OnSizes(today, plan, row, is_cancelled, is_together=True) for row in firsts.values()]
    never = np.flatnonzero(log.counted(project.window) & (plan.start_s < 0)).tolist()
    sets = tuple(replace(gpu_set, node_milli_gpus=None) for gpu_set in plan.named.sets)
    loose = replayed(plan.queueing, replace(plan.named, sets=sets), is_cancelled) if sizes else plan
    of_models = tuple(of.of_model(SIZES, is_short=not sizes) for of in together_of)
    on_demand, drop = _bought(queueing)
    later = None
    if decisions is not None:
        on_progress(0.9, worded("Replaying the log on the plan's later GPUs"))
        p90_h = [{row.pool: row.waits.p90_h for row in rows} for rows in (measured, now)]
        later = later_waits(queueing, decisions, Ranges(*p90_h), is_cancelled, is_whole=is_whole)
    return Waiting(
        submit_known=log.submit_known,
        limit_known=log.limit_known,
        measured=measured,
        today=now,
        replayed=then,
        by_model=models,
        calibrated=dict(_calibrated(today, measured, now, then)) if measured else {},
        frontier=tuple(frontier),
        target=target_found,
        never_fit=tuple(log.job_ids[place] for place in never),
        is_planned=queueing.plan is not None,
        begins_cold=not bool((log.eligible_s < project.window.start_s).any()),
        is_capacity_guessed=bool(queueing.clusters.guessed),
        fragments=plan.fragments(),
        loose=() if loose is plan else loose.rows(),
        windows=tuple(replay_planned_runs(queueing, is_cancelled)),
        fewest=queueing.fewest,
        is_changed=queueing.is_changed,
        models=of_models,
        on_demand=on_demand,
        drop=drop,
        larger=tuple(log.job_ids[place] for place in never if queueing.larger[place]),
        limits=project.queue_limits or (),
        unmatched=queueing.schedule.unmatched,
        is_fair=bool(project.is_fair_share),
        asked=tuple(check for check in queueing.evaluation.audit.checks if check.code in OF_NAMES),
        later=later,
    )


def _bought(queueing: Queueing) -> tuple[dict[str | None, float], dict[str | None, Order]]:
    """What a plan pays on demand in its first month by GPU model, and of each model the dearest order of that month."""
    advice, usd = queueing.evaluation.advice, dict[str | None, float]()
    if advice is None or queueing.plan is None:
        return usd, {}
    for row in advice.pools:
        paid = (each.cost_per_month or 0.0 for each in row.layers if not (each.existing or each.term_months))
        model = gpu_model_of(row.gpu_model)
        usd[model] = usd.get(model, 0.0) + sum(paid)
    until_s = month_start_s(queueing.evaluation.project.plan_window, 1)
    orders = [each for each in advice.orders if each.start_s < until_s and each.is_certain and not each.run]
    orders.sort(key=lambda order: order.cost_per_month or 0.0)
    return usd, {gpu_model_of(order.gpu_model): order for order in orders}


def replay_planned_runs(queueing: Queueing, is_cancelled: IsCancelled) -> Iterator[WindowWaits]:
    """Replay each planned run that comes again, among the log's jobs, from the window's start on."""
    evaluation, named = queueing.evaluation, queueing.plan
    window, advice = evaluation.project.window, evaluation.advice
    if named is None or advice is None:
        return
    cost = {run.key: run for run in advice.planned_runs}
    for work in evaluation.figures.basis.plan.planned:
        if work.every_hours is None or work.length_hours is None:
            continue
        own_rows = [
            (pool is None, place)
            for place, (cluster, model, pool) in enumerate(named.names)
            if model == gpu_model_of(work.gpu_model)
            and pool in (None, work.pool)
            and work.cluster in ("", cluster or work.cluster)
        ]
        sets = tuple(place for _, place in sorted(own_rows))
        milli, length_s = round(work.gpus * MILLI), HOUR_S * work.length_hours
        node = max((named.sets[place].node_milli_gpus or 0 for place in sets), default=0)
        nodes, pool = -(-milli // node) if node else 1, SERVING_ORDER.index(work.pool)
        account = queueing.schedule.planned
        runs = [
            QueuedJob(
                pool=pool,
                eligible_s=at_s,
                length_s=length_s,
                planned_s=length_s,
                milli_gpus=milli,
                sets=sets,
                nodes=nodes,
                account=account,
            )
            for at_s in range(window.start_s, window.end_s, HOUR_S * work.every_hours)
        ]
        own = {id(run) for run in runs}
        jobs = sorted((*queueing.jobs(named), *runs), key=lambda job: (job.pool, job.eligible_s))
        starts = replay(jobs, named.sets, queueing.rooms, is_cancelled, rules=queueing.schedule.rules).start_s
        waited = [
            at_s - job.eligible_s
            for job, at_s in zip(jobs, starts, strict=True)
            if id(job) in own and at_s >= job.eligible_s
        ]
        run_waits = waits.waits_of(np.array(waited, dtype=np.int64))
        of, never = cost.get(work.key), len(runs) - len(waited)
        usd, ways = (None, ()) if of is None else (of.usd, of.ways)
        month = min((option.cost_per_month for option in ways), default=None)
        yield WindowWaits(work=work, waits=run_waits, never=never, usd=usd, usd_per_month=month)


def waiting_where_known(
    queueing: Queueing | None,
    on_progress: OnProgress = unheard,
    is_cancelled: IsCancelled = lambda: False,
    sizes: int = SIZES,
    outlook: Outlook | None = None,
    *,
    is_whole: bool = True,
) -> Waiting | None:
    """`waiting_of`, beside a plan. None where rows of the log are not kept; None too without submit times.

    outlook: of the plan, for the waits of its decisions; is_whole: see `later_waits`.
    """
    if queueing is None or not queueing.log.submit_known:
        return None
    decisions = None if outlook is None else outlook.next_decisions
    both = (True, False)
    return waiting_of(queueing, sizes, None, on_progress, is_cancelled, both, decisions, is_whole=is_whole)


def pool_waits(
    queueing: Queueing | None, is_cancelled: IsCancelled = lambda: False
) -> tuple[QueueRow, ...] | None:
    """Rows of pools on the GPUs of the plan, of today where nothing is planned; None as of `waiting_where_known`."""
    if queueing is None or not queueing.log.submit_known:
        return None
    on = queueing if queueing.plan else queueing.of_today
    return replayed(on, on.plan or on.today, is_cancelled).rows()


def find_target_row(target: waits.Target, queueing: Queueing, rows: Sequence[QueueRow]) -> QueueRow | None:
    """Return the row that a target is of: of its model, or the one of its pool with most GPU time; None without one."""
    spent = queueing.log.spent(queueing.evaluation.project.window)
    asked = [row for row in rows if row.pool is target.pool and target.gpu_model in (None, row.gpu_model)]
    return max(
        asked,
        key=lambda row: int(spent[jobs_of(queueing, row.pool, row.gpu_model, is_of_model=True)].sum()),
        default=None,
    )


# --- Calibration: what the log's own waits say of the replay at the real size --------------------


def _calibrated(
    today: Replayed, measured: Sequence[QueueRow], now: Sequence[QueueRow], then: Sequence[QueueRow]
) -> Iterator[tuple[Pool, Calibrated]]:
    """Of each pool what its waits on the plan would really be; measured and now are of the same pools."""
    queueing = today.queueing
    log, window = queueing.log, queueing.evaluation.project.window
    cut_s = window.end_s - int(waits.LAST_PART * window.hours * HOUR_S)
    pairs = zip(measured, now, strict=True)
    for was, is_now, planned in ((*pair, row) for pair in pairs for row in then if row.pool is pair[0].pool):
        p50, p90, p99 = (
            None if None in (x, y, z) else waits.calibrated(z or 0.0, x or 0.0, y or 0.0)
            for x, y, z in zip(
                was.waits.quantiles, is_now.waits.quantiles, planned.waits.quantiles, strict=True
            )
        )
        own = jobs_of(queueing, was.pool)
        first, first_now, last, last_now = (
            waits.p90_h(wait[own & part & known])
            for part in (log.eligible_s < cut_s, log.eligible_s >= cut_s)
            for wait, known in (
                (log.wait_s, log.measured(window)),
                (today.start_s - log.eligible_s, log.counted(window) & (today.start_s >= 0)),
            )
        )
        miss = None
        if first is not None and first_now is not None and last is not None and last_now is not None:
            miss = waits.miss_of(first, first_now, last, last_now)
        yield was.pool, Calibrated(p50, p90, p99, miss)
