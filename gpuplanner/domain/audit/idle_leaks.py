"""Leaks of capacity that is paid for and idle: tails after training, reservations unused; what sharing did to runs."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import pairwise
from statistics import median_low
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.audit.leak_claims import LeakClaim, LeakRule, Part, PartOf, Past
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import dispatch, shares_of_contracts
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.training import PAST_RUN
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import capital, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.cube import RunningJobs, Workload
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.lazy_dataclass import dataclass, field

# --- Tails: how long a cluster waited after training stopped, and what stood idle; to the second where it can be known
# The cube knows hours; of each workload the first start and the last end are known to the second. Of one that runs a
# single job at a time, all of the same size, the GPU time of the hour before and after a pause says when it stopped and
# went on. Where something of an hour is not known so, the whole hour is left out of the tail.

UNKNOWN_S = 2**62
TRAINING = POOLS.index(Pool.TRAINING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """GPU time of a workload and model in the hour in which it first began or last ended; seconds in the window.

    model and pool: places in ClusterHours.models and POOLS; amount in milli-GPU-seconds.
    """

    hour: int
    begin_s: int
    end_s: int
    model: int
    pool: int
    amount: int

    def inside(self, begin_s: int, end_s: int) -> float:
        """What of the amount lies between two instants of its hour, spread evenly over its time in the hour.

        Units: milli-GPU-seconds; seconds from the window's start.
        """
        ran = min(self.end_s, (self.hour + 1) * HOUR_S) - max(self.begin_s, self.hour * HOUR_S)
        shared = min(self.end_s, end_s) - max(self.begin_s, begin_s)
        return self.amount * max(shared, 0) / ran if ran > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """All edges of a cluster by their hour: the fields of `Edge` as columns; shape (fields, edges)."""

    columns: Ints

    def at(self, hour: int) -> list[Edge]:
        """Those of one hour.

        hour: of the window; empty where nothing is known of it.
        """
        first, last = np.searchsorted(self.columns[0], (hour, hour + 1)).tolist()
        return [
            Edge(hour=edge_hour, begin_s=begin_s, end_s=end_s, model=model, pool=pool, amount=amount)
            for edge_hour, begin_s, end_s, model, pool, amount in self.columns[:, first:last].T.tolist()
        ]


@dataclass(frozen=True, slots=True)
class Tail:
    """One wait, in seconds from the window's start. idle: milli-GPU-seconds by contract, shape (contracts,)."""

    begin_s: int
    end_s: int
    idle: Floats


def tails_of(past: Past, hours: ClusterHours, longer_than_s: float) -> list[Tail]:
    """Waits of a cluster that are longer than this and in which something stood idle, by their beginning.

    Units: seconds. Where somebody began within an hour and nobody knows when, the tail ends with the hour
    before.
    """
    edges = _edges(past, hours)
    hour, begins_s, ends_s, model, pool, amount = edges.columns
    is_new = begins_s >= hour * HOUR_S
    new = np.zeros_like(hours.demand)
    np.add.at(new, (model[is_new], pool[is_new], hour[is_new]), amount[is_new])
    older = hours.demand - new
    level = (
        hours.demand.copy()
    )  # what goes on at an hour's end, were it so all hour: a start at half past is no rise
    stays = is_new & (ends_s > (hour + 1) * HOUR_S)
    missed = amount[stays] * HOUR_S // ((hour[stays] + 1) * HOUR_S - begins_s[stays]) - amount[stays]
    np.add.at(level, (model[stays], pool[stays], hour[stays]), missed)
    before = np.concatenate((hours.demand[:, :, :1], level[:, :, :-1]), axis=2)
    is_unsure = np.asarray((older > before).any(axis=(0, 1)))  # something began, and nobody knows when
    is_unsure[hour[begins_s == hour * HOUR_S - 1]] = True
    blocked = np.flatnonzero(is_unsure | (older[:, TRAINING].sum(axis=0) > 0))
    starts = np.unique(begins_s[is_new])
    tails = []
    for begin_s in _stops(hours, edges, is_unsure):
        end_s = next_job_start_s(begin_s, starts, blocked, past.project.window.hours)
        if end_s - begin_s > longer_than_s:
            idle = idle_between(
                hours, begin_s, end_s, past.project.window.start_s, partial(demand_by_edges, hours, edges)
            )
            if idle.any():
                tails.append(Tail(begin_s, end_s, idle))
    return tails


def _edges(past: Past, hours: ClusterHours) -> Edges:
    """The first and the last hour of every workload of the cluster and model; once where they are the same."""
    cube, start_s = past.project.cube, past.project.window.start_s
    places = np.array(sorted(past.members(hours.cluster)), dtype=np.int64)
    rows = np.flatnonzero(np.isin(cube.workload_index, places))
    if not len(rows):
        return Edges(np.zeros((6, 0), dtype=np.int64))
    of_row = np.searchsorted(places, cube.workload_index[rows])
    opening, closing = cube.offsets[rows], cube.offsets[rows + 1] - 1
    groups = np.flatnonzero(np.diff(of_row, prepend=-1))
    first = np.minimum.reduceat(cube.hour[opening], groups)
    last = np.maximum.reduceat(cube.hour[closing], groups)
    workloads = [past.project.workloads[place] for place in places.tolist()]
    spells = [_known_spell(workload, start_s) for workload in workloads]
    begin_s = np.array([begins_s for begins_s, _ in spells])
    end_s = np.array([ends_s for _, ends_s in spells])
    begin_s = np.maximum(begin_s, first * HOUR_S)  # where the log says nothing: the whole hour
    end_s = np.minimum(end_s, (last + 1) * HOUR_S)
    spellings = (*cube.gpu_models, None)  # index -1 is the unknown model
    models = np.array([hours.models.index(spellings[number]) for number in cube.model_index[rows].tolist()])
    pools = np.array([POOLS.index(past.classifications[place].pool) for place in places.tolist()])[of_row]
    rows_of_each = np.diff(np.append(groups, len(rows)))
    level = np.array(  # of those whose jobs never ran beside one another, as far as the peak can tell
        [w.max_milli_gpus if w.max_milli_gpus == w.peak_milli_gpus else 0 for w in workloads]
    )
    level = np.where(rows_of_each == 1, level, 0)
    columns = []
    for entry, is_other in ((opening, np.ones(len(rows), dtype=bool)), (closing, closing != opening)):
        hour = cube.hour[entry]
        keep = is_other & ((hour == first[of_row]) | (hour == last[of_row])) & (level[of_row] == 0)
        parts = (hour, begin_s[of_row], end_s[of_row], models, pools, cube.milli_gpu_seconds[entry])
        columns.append(np.stack([part[keep] for part in parts]))
    for at in np.flatnonzero(level[of_row]).tolist():
        span = slice(int(opening[at]), int(closing[at]) + 1)
        stretches = find_stretches(cube.hour[span], cube.milli_gpu_seconds[span], int(level[of_row[at]]))
        stretches[1, stretches[0] == first[of_row[at]]] = begin_s[of_row[at]]
        stretches[2, stretches[0] == last[of_row[at]]] = end_s[of_row[at]]
        stretches[3:5] = [[models[at]], [pools[at]]]
        columns.append(stretches)
    together = np.concatenate(columns, axis=1)
    return Edges(together[:, np.argsort(together[0], kind="stable")])


def _known_spell(workload: Workload, window_start_s: int) -> tuple[int, int]:
    """First start and last end of a workload in seconds of the window: before its first hour and never if unknown."""
    if workload.first_start_s is None or workload.last_end_s is None:
        return -1, UNKNOWN_S
    return workload.first_start_s - window_start_s, workload.last_end_s - window_start_s


def find_stretches(hours: Ints, amount: Ints, level: int) -> Ints:
    """First and last hours of the stretches of a workload that runs one job of `level` milli-GPUs at a time.

    Returns the columns of `Edges`, model and pool left empty. A stretch whose neighbouring hour is not full began or
    ended nobody knows when: before its first hour, or never.
    """
    opens = np.flatnonzero(np.diff(hours, prepend=-2) > 1)
    closes = np.append(opens[1:], len(hours)) - 1
    full, is_long = level * HOUR_S, closes > opens
    begins_known = is_long & (amount[np.minimum(opens + 1, len(hours) - 1)] == full) & (amount[opens] <= full)
    ends_known = is_long & (amount[np.maximum(closes - 1, 0)] == full) & (amount[closes] <= full)
    begin_s = np.where(
        begins_known, (hours[opens] + 1) * HOUR_S - amount[opens] // level, hours[opens] * HOUR_S - 1
    )
    end_s = np.where(ends_known, hours[closes] * HOUR_S + -(-amount[closes] // level), UNKNOWN_S)
    nothing = np.zeros(len(opens), dtype=np.int64)
    ends = np.stack((hours[closes], begin_s, end_s, nothing, nothing, amount[closes]))[:, is_long]
    begins = np.stack((hours[opens], begin_s, end_s, nothing, nothing, amount[opens]))
    return np.concatenate((begins, ends), axis=1)


def _stops(hours: ClusterHours, edges: Edges, is_unsure: Bools) -> list[int]:
    """When training stopped: to the second where that is known, else the beginning of the first hour without any."""
    trained = hours.demand[:, TRAINING].sum(axis=0)
    hour, _, end_s, _, pool, _ = edges.columns
    ends = hour[(pool == TRAINING) & (end_s <= (hour + 1) * HOUR_S)]
    falls = np.flatnonzero((trained[:-1] > 0) & (trained[1:] == 0))
    stops = []
    for at in np.union1d(ends, falls).tolist():
        known = [] if is_unsure[at] else known_training_stops(edges.at(at), int(trained[at]))
        if not known and at + 1 < len(trained) and not trained[at + 1]:
            known = [(at + 1) * HOUR_S]
        stops += known
    return stops


def known_training_stops(edges: list[Edge], trained: int) -> list[int]:
    """The instants of an hour at which all training that ran in it is over, or did not begin yet."""
    own = [edge for edge in edges if edge.pool == TRAINING]
    ends = sorted({edge.end_s for edge in own if edge.end_s <= (edge.hour + 1) * HOUR_S})
    return [
        end_s
        for end_s in ends
        if sum(edge.amount for edge in own if edge.end_s <= end_s or edge.begin_s >= end_s) == trained
    ]


def next_job_start_s(begin_s: int, starts: Ints, blocked: Ints, window_hours: int) -> int:
    """When the next job began, at the earliest; the end of the window where none did."""
    hour = int(np.searchsorted(blocked, -(-begin_s // HOUR_S)))
    of_hours = int(blocked[hour]) * HOUR_S if hour < len(blocked) else window_hours * HOUR_S
    start = int(np.searchsorted(starts, begin_s))
    return min(of_hours, int(starts[start]) if start < len(starts) else of_hours)


def idle_between(
    hours: ClusterHours,
    begin_s: int,
    end_s: int,
    window_start_s: int,
    demand_in: Callable[[int, int], Floats],
) -> Floats:
    """Milli-GPU-seconds by contract that were paid and not used between two instants: whole hours as they were served.

    demand_in: milli-GPU-seconds by GPU model between two instants of one hour, shape (models,).
    """
    first, last = -(-begin_s // HOUR_S), end_s // HOUR_S
    whole = slice(first, max(first, last))
    idle: Floats = (hours.capacity[:, whole] - hours.served[:, whole]).sum(axis=1).astype(np.float64)
    pieces = [(begin_s, first * HOUR_S), (last * HOUR_S, end_s)]
    if first > last:  # both inside one hour
        pieces = [(begin_s, end_s)]
    for begin, end in pieces:
        if end > begin:
            demand, left = demand_in(begin, end), np.zeros((len(hours.contracts), 1))
            left[:, 0] = [paid_between(contract, begin, end, window_start_s) for contract in hours.contracts]
            for number, model in enumerate(hours.models):
                open_to = hours.open_to(model)
                left[open_to] -= dispatch(demand[number : number + 1], left[open_to])
            idle += left[:, 0]
    return idle


def demand_by_edges(hours: ClusterHours, edges: Edges, begin_s: int, end_s: int) -> Floats:
    """Between two instants of an hour: what runs through all of it runs evenly, what begins or ends in it is known."""
    hour = begin_s // HOUR_S
    known = edges.at(hour)
    demand: Floats = hours.demand[:, :, hour].sum(axis=1).astype(np.float64)
    for edge in known:
        demand[edge.model] -= edge.amount
    demand *= (end_s - begin_s) / HOUR_S
    for edge in known:
        demand[edge.model] += edge.inside(begin_s, end_s)
    return demand


def paid_between(contract: Contract, begin_s: int, end_s: int, window_start_s: int) -> float:
    """Milli-GPU-seconds that a contract is paid for between two instants, in seconds from the window's start.

    0 where it ran in none of it.
    """
    ends_s = end_s if contract.end_s is None else min(end_s, contract.end_s - window_start_s)
    return float(contract.milli_gpus * max(0, ends_s - max(begin_s, contract.start_s - window_start_s)))


# --- Tails of a cluster whose idle gaps are known: when training stopped, the next job began, and what idled between


def tails_of_idle_gaps(past: Past, hours: ClusterHours, longer_than_s: float) -> list[Tail] | None:
    """Waits longer than this in which something stood idle, to the second, by their beginning.

    None where the log's idle gaps are not known, or this is shorter than those that are kept: then `tails_of` tells.
    """
    of_clusters = past.idle_gaps_longer_than(longer_than_s)
    if of_clusters is None:
        return None
    tails = []
    for idle_gap in of_clusters.get(hours.cluster, ()):
        trained = [
            jobs.until_s
            for jobs in idle_gap.running
            if past.classifications[jobs.workload].pool is Pool.TRAINING
        ]
        stop_s = max(trained, default=idle_gap.end_s)
        if idle_gap.end_s - stop_s > longer_than_s:
            idle = idle_between(
                hours,
                stop_s,
                idle_gap.end_s,
                past.project.window.start_s,
                partial(demand_of_jobs, hours, idle_gap.running),
            )
            if idle.any():
                tails.append(Tail(stop_s, idle_gap.end_s, idle))
    return tails


def demand_of_jobs(hours: ClusterHours, running: tuple[RunningJobs, ...], begin_s: int, end_s: int) -> Floats:
    """Between two instants of an hour: what runs in it is served as in an hour, by how much of it there is."""
    place_of = {_folded(model): place for place, model in enumerate(hours.models)}
    demand = np.zeros(len(hours.models))
    for jobs in running:
        ran_s = min(jobs.until_s, end_s) - begin_s
        if ran_s > 0:
            demand[place_of[_folded(jobs.gpu_model)]] += jobs.milli_gpus * ran_s
    return demand


def _folded(gpu_model: str | None) -> str | None:
    """A model's name as it is compared; None stays unknown."""
    return None if gpu_model is None else gpu_model.casefold()


# --- Leaks of capacity that is paid for and idle: tails after training, and reservations that never materialised

BLOCK_HOURS: Final = 30 * 24
BLOCKS: Final = 3
UNMATERIALISED_PERCENT: Final = 10


def tails_in(past: Past) -> Iterator[tuple[ClusterHours, list[Tail]]]:
    """The tails of every cluster that are longer than the assumption, by their beginning."""
    longer_than_s = 60 * past.project.assumptions.idle_tail_minutes
    for hours in past.clusters:
        tails = tails_of_idle_gaps(past, hours, longer_than_s)
        yield hours, tails_of(past, hours, longer_than_s) if tails is None else tails


def idle_tails(past: Past) -> list[LeakClaim]:
    """Capacity idle for longer than the assumption after a training run's last job ended, up to the next job.

    GPU-hours are those of each contract, to the second where the log tells them. Source:
    docs/formulas/leaks.md.
    """
    claims = []
    for hours, tails in tails_in(past):
        if tails:
            idle = sum((tail.idle for tail in tails), start=np.zeros(len(hours.contracts)))
            subject = worded_count(
                len(tails),
                "{cluster}: {tails} tail",
                "{cluster}: {tails} tails",
                cluster=hours.cluster,
                tails=whole(len(tails)),
            )
            parts = tuple(
                idle_part(contract, amount)
                for contract, amount in zip(hours.contracts, idle.tolist(), strict=True)
            )
            claims.append(LeakClaim(cluster=hours.cluster, subject=subject, parts=parts))
    return claims


IDLE_TAIL: Final = LeakRule(
    code="idle_tail",
    title=worded("Idle after training"),
    find=idle_tails,
    claims="contract",
    words=worded("After training, GPUs stayed idle beyond the idle tail, until new demand came."),
    formula=worded("idle GPU-hours per contract × its rate"),
    action=worded("Release GPUs when runs end, or fill them with queued burst work."),
)


def unmaterialised(past: Past) -> list[LeakClaim]:
    """Contracts under 10% used in each of their last three 30-day blocks, or since their start if that is younger.

    Of a contract older than the window only what the window shows is looked at, 30 days of it at least.
    """
    claims = []
    for hours in past.clusters:
        for place, contract in enumerate(hours.contracts):
            blocks = split_into_blocks(contract, past.project.window) if contract.serves else []
            if blocks and all(
                is_block_unused(hours.served[place], hours.capacity[place], block) for block in blocks
            ):
                has_ended = contract.end_s is not None and contract.end_s <= past.project.window.end_s
                idle = int((hours.capacity[place] - hours.served[place]).sum())
                claims.append(
                    LeakClaim(
                        cluster=hours.cluster,
                        subject=contract.contract_id,
                        parts=(idle_part(contract, idle),),
                        action=worded("Ended: do not renew.") if has_ended else "",
                        contract_id=contract.contract_id,
                    )
                )
    return claims


UNMATERIALISED: Final = LeakRule(
    code="unmaterialised",
    title=worded("Contract hardly used"),
    find=unmaterialised,
    claims="contract",
    words=worded("Utilization stayed under 10% in the last three 30-day blocks, or since the start."),
    formula=capital(worded("idle GPU-hours × rate")),
    action=worded("End it at the next notice date, or cut it to the GPUs used."),
)


def split_into_blocks(contract: Contract, window: Window) -> list[slice]:
    """Hours of the window to look at: up to three blocks of 30 days back from its end.

    A contract that began less than three blocks ago, inside the window, is one block from its start on.
    """
    end_s = window.end_s if contract.end_s is None else min(contract.end_s, window.end_s)
    seen_from_s = max(contract.start_s, window.start_s)
    if end_s - seen_from_s < BLOCK_HOURS * HOUR_S:
        return []
    first, last = (seen_from_s - window.start_s) // HOUR_S, -(-(end_s - window.start_s) // HOUR_S)
    is_younger = end_s - contract.start_s < BLOCKS * BLOCK_HOURS * HOUR_S
    if is_younger and contract.start_s >= window.start_s:
        return [slice(first, last)]
    edges = [max(last - number * BLOCK_HOURS, first) for number in range(BLOCKS + 1)]
    return [slice(begin, end) for end, begin in pairwise(edges) if begin < end]


def is_block_unused(served: Ints, capacity: Ints, block: slice) -> bool:
    """Whether under 10% of a block was used, by whole numbers."""
    return 100 * int(served[block].sum()) < UNMATERIALISED_PERCENT * int(capacity[block].sum())


def idle_part(contract: Contract, milli_gpu_seconds: float) -> Part:
    """A part of what a contract held and idled, at what is paid for that."""
    gpu_hours = milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
    return Part(PartOf("contract", contract.contract_id), gpu_hours, contract.idle_rate)


# --- What sharing did to training runs of the log -------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A run of the log, with figures by the keys of PAST_RUN or LEAK. workload: without a key where it is not known.

    run: the job's id, "" where it is not known; start_s: epoch seconds, of a tail when the run stopped; state: as
    schedulers say.
    """

    workload: Workload
    run: str
    start_s: int
    figures: Mapping[str, float | None] = field(hash=False)
    state: str = ""


def _trained(past: Past) -> list[tuple[Workload, LoggedRun]]:
    """Training runs that the log kept, by start."""
    classed = zip(past.project.workloads, past.classifications, strict=True)
    trains = {workload.key: workload for workload, c in classed if c.pool is Pool.TRAINING}
    return [(trains[run.key], run) for run in past.project.jobs.runs if run.key in trains]


def _row(workload: Workload, run: LoggedRun, **given: float | None) -> PastRun:
    unknown = dict.fromkeys(("idle_hours", "contended_hours", "usual_hours", "committed_share"))
    figures = PAST_RUN.row({**unknown, "hours": run.hours, "gpus": run.milli_gpus / 1000, **given})
    return PastRun(workload=workload, run=run.job_id, start_s=run.start_s, figures=figures, state=run.state)


def contended_runs(past: Past) -> list[PastRun]:
    """Runs in hours with more demand for their GPU model than GPUs, beside runs of the workload on as many GPUs without
    any: the lower median of those that completed. By start. Source: docs/formulas/training.md.
    """
    masks = {
        (hours.cluster, model): short > 0
        for hours in past.clusters
        for model, short in zip(hours.models, hours.contended, strict=True)
    }
    met = []
    without: dict[tuple[str, int], list[float]] = {}
    for workload, run in _trained(past):
        mask = masks.get((workload.cluster, run.gpu_model))
        spent = 0 if mask is None else int(run.hourly(past.project.window)[mask].sum())
        if spent:
            met.append((workload, run, spent / run.milli_gpus / HOUR_S))
        elif run.state in ("COMPLETED", "") and run.start_s >= past.project.window.start_s:
            without.setdefault((run.key, run.milli_gpus), []).append(run.hours)
    usual = {of: median_low(hours) for of, hours in without.items()}
    return [
        _row(workload, run, contended_hours=hours, usual_hours=usual.get((run.key, run.milli_gpus)))
        for workload, run, hours in met
    ]


def long_runs(past: Past) -> list[PastRun]:
    """Runs of over a day, by start, with the share of their GPU-hours in the window that commitments served;
    unknown without any contract.

    Source: docs/formulas/training.md.
    """
    shares = {}
    for hours in past.clusters:
        committed = np.array([contract.is_committed for contract in hours.contracts], dtype=np.float64)
        for model, by_hour in shares_of_contracts(hours).items():
            shares[hours.cluster, model] = committed @ by_hour
    runs = []
    for workload, run in _trained(past):
        share_by_hour = shares.get((workload.cluster, run.gpu_model))
        if run.end_s - run.start_s > DAY_S and share_by_hour is not None:
            held = run.hourly(past.project.window)
            share = float(held @ share_by_hour) / int(held.sum()) if past.project.has_spend else None
            runs.append(_row(workload, run, committed_share=share))
    return runs


def idle_tail_rows(past: Past) -> list[PastRun]:
    """Each tail of the leak, by cluster and beginning, with the run that ended. Law: they add up to the leak."""
    window, ended, runs = past.project.window, build_ended_training_finder(past), []
    for hours, tails in tails_in(past):
        for tail in tails:
            parts = [idle_part(*of) for of in zip(hours.contracts, tail.idle.tolist(), strict=True)]
            given = {
                "idle_hours": (tail.end_s - tail.begin_s) / HOUR_S,
                "gpu_hours": sum(part.gpu_hours for part in parts),
                "leaked_in_window": known_sum(part.paid for part in parts),
                "months": window.months,
            }
            figures = {**given, **LEAK.row(given, ["leaked_per_month"])}
            begin_s = window.start_s + tail.begin_s
            workload, run = ended(hours.cluster, begin_s)
            runs.append(PastRun(workload=workload, run=run, start_s=begin_s, figures=figures))
    return runs


def build_ended_training_finder(past: Past) -> Callable[[str, int], tuple[Workload, str]]:
    """Finds the training that ended when a tail began, epoch seconds: of kept runs the largest, else what trained most
    in the hour before.
    """
    largest: dict[tuple[str, int], tuple[Workload, LoggedRun]] = {}
    for workload, run in _trained(past):
        of = workload.cluster, run.end_s
        _, before = largest.get(of, (None, None))
        if before is None or before.milli_gpus < run.milli_gpus:
            largest[of] = workload, run
    window, hourly_of = past.project.window, cache(past.project.cube.hourly_of)

    def ended(cluster: str, at_s: int) -> tuple[Workload, str]:
        if (cluster, at_s) in largest:
            workload, run = largest[cluster, at_s]
            return workload, run.job_id
        hour = (at_s - 1 - window.start_s) // HOUR_S
        spent = [(int(hourly_of(place)[hour]), -place) for place in past.members(cluster, Pool.TRAINING)]
        most, place = max(spent, default=(0, 0))
        return past.project.workloads[-place] if most else Workload(
            key="", name="", cluster=cluster, owner=""
        ), ""

    return ended
