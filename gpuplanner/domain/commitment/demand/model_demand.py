"""Demand for one GPU model: its streams, what contracts leave over of them, and the largest job of each row."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.cache import AdviceCache, Scratch
from gpuplanner.domain.commitment.demand.streams import Cell, Streams, serving_order
from gpuplanner.domain.model.amounts import grouped, summed
from gpuplanner.domain.model.book.only import Row, gpu_model_of
from gpuplanner.domain.model.intake import LargestJob
from gpuplanner.domain.model.plan.splits import bare_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What existing contracts leave over of a model's demand, at any growth and level, hour by hour

Spans = tuple[tuple[float, float], ...]
Capacity = tuple[tuple[tuple[int, ...], float | bytes | Spans], ...]
"""Of one site: GPU time an hour, in the unit of the streams, with the places of the rows that it may serve; in the
order in which they take it: what is pinned before what is free, in merit order. Bytes: a float64 of each hour; spans:
what a placed order serves of what is left over of the first row."""


class Flow(NamedTuple):
    """Demand that comes, goes and moves together: the pool that it grows with, its group (0: the log's, undated), and
    its row, whose volatility its level has."""

    grows_with: Pool
    group: int
    row: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stream:
    """Demand of one planned row on one cluster; it grows as `grows_with` does.

    row: place of the row in ModelDemand.rows, which it is planned and left over for; group: as in Flow. is_split: of
    demand whose jobs do not say their model.
    Shapes: demand (hours,), milli-GPU-seconds in each hour of the window, as the log has it, before growth and level.
    """

    row: int
    grows_with: Pool
    demand: Floats
    group: int = 0
    is_split: bool = False

    @property
    def flow(self) -> Flow:
        """What its factor in a month hangs on.

        Streams of one flow move together and may be added up.
        """
        return Flow(self.grows_with, self.group, self.row)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """One cluster's demand for one model.

    streams: in the order in which contracts serve them: known model before unknown, each inference, training, burst;
    within a pool what only some may serve first.
    Source: docs/formulas/contracts.md.
    """

    cluster: str
    streams: tuple[Stream, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ModelDemand:
    """All demand for one GPU model (None: unknown, on clusters without contracts).

    rows: (pool, model) pairs that are planned, each with slices of its own; Stream.row and the first axis of what is
    left over count in them. sites: one a cluster; capacities are given in their order.
    """

    gpu_model: str | None
    rows: tuple[Row, ...]
    sites: tuple[Site, ...]

    def with_streams(self, change: Callable[[str, Stream], Stream]) -> "ModelDemand":
        """With every stream of it changed. change: asked with the cluster of each."""
        sites = (replace(s, streams=tuple(change(s.cluster, of) for of in s.streams)) for s in self.sites)
        return replace(self, sites=tuple(sites))

    def hourly(self, hours: int, times: Callable[[str, Stream], float]) -> Floats:
        """The sum of its streams in each hour, (hours,), milli-GPU-seconds. times: how often each counts."""
        total = np.zeros(hours)
        for site in self.sites:
            for stream in site.streams:
                if often := times(site.cluster, stream):
                    total += stream.demand if often == 1 else stream.demand * often
        return total

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The pools of its rows, each once.

        In the order of the rows.
        """
        return tuple(dict.fromkeys(pool for pool, _ in self.rows))

    @property
    def grows_with(self) -> tuple[Pool, ...]:
        """The pools whose growth the demand follows, sorted."""
        return tuple(sorted({flow.grows_with for flow in self.flows}))

    @property
    def flows(self) -> tuple[Flow, ...]:
        """Everything that comes, goes or grows by itself in it, sorted."""
        return tuple(sorted({stream.flow for site in self.sites for stream in site.streams}))


def _by_flow(streams: Iterable[Stream], unit: float) -> tuple[Stream, ...]:
    """Streams added up by flow, in the order in which flows came, divided by `unit`."""
    sums = summed((stream.flow, stream.demand) for stream in streams)
    return tuple(
        Stream(row=flow.row, grows_with=flow.grows_with, demand=demand / unit, group=flow.group)
        for flow, demand in sums.items()
    )


Room = float | Floats
Held = tuple[tuple[tuple[int, ...], Room], ...]
"""A capacity made ready: of arrays one value an hour."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Prepared:
    """A model's demand made ready for one set of running contracts.

    rows, hours: how many. uncovered: streams of all sites that no contract serves, added up by flow: they are left over
    whole. covered: of every other site its streams in the order of service, and its capacity. shared: what serves all
    sites, after their own. cuts: of a row, from where to where placed orders serve what is left, the highest first.
    Units: all of it divided by the `unit` that `prepared` was given.
    """

    rows: int
    hours: int
    uncovered: tuple[Stream, ...]
    covered: tuple[tuple[tuple[Stream, ...], Held], ...]
    shared: Held = ()
    cuts: tuple[tuple[int, float, float], ...] = ()


def prepared(
    model: ModelDemand, capacities: Sequence[Capacity], hours: int, unit: float, first: int = 0
) -> Prepared:
    """Streams and capacities divided by `unit` (milli-GPU-seconds); capacities[i] is that of model.sites[i], and one
    more is what serves all of them.

    An empty capacity is a site where no contract runs. Shapes: every demand and capacity (hours,). first: the hour
    that it begins with, 0 or more.
    Errors: ValueError where there are fewer capacities than sites.
    """

    def scaled(capacity: Capacity) -> Held:
        amounts = (
            (rows, np.frombuffer(of) if isinstance(of, bytes) else of)
            for rows, of in capacity
            if not isinstance(of, tuple)
        )
        # of another log, as of a saved plan, its mean
        known = ((rows, of if np.size(of) in (1, hours) else float(np.mean(of))) for rows, of in amounts)
        return tuple(
            (rows, (of if np.size(of) == 1 else np.asarray(of)[first:]) / unit) for rows, of in known
        )

    model = model.with_streams(lambda _, stream: replace(stream, demand=stream.demand[first:]))
    count, shared = len(model.sites), [row for more in capacities[len(model.sites) :] for row in more]
    spans = ((rows[0], of) for rows, of in shared if isinstance(of, tuple))
    cuts = [(row, low / unit, high / unit) for row, of in spans for low, high in of]
    cuts.sort(key=itemgetter(1), reverse=True)
    uncovered: list[Stream] = []
    covered = []
    for site, capacity in zip(model.sites, capacities[:count], strict=True):
        if not (capacity or shared):
            uncovered += site.streams
            continue
        streams = tuple(replace(stream, demand=stream.demand / unit) for stream in site.streams)
        if len({stream.row for stream in site.streams}) == 1:  # the order does not matter
            streams = _by_flow(site.streams, unit)
        covered.append((streams, scaled(capacity)))
    free, everywhere = _by_flow(uncovered, unit), scaled(tuple(shared))
    return Prepared(
        rows=len(model.rows),
        hours=hours - first,
        uncovered=free,
        covered=tuple(covered),
        shared=everywhere,
        cuts=tuple(cuts),
    )


def leftover(ready: Prepared, factors: Mapping[Flow, Floats], scratch: Scratch) -> Floats:
    """What is left over for each row, level and hour: shape (rows, levels, hours), in the unit of `ready`.

    factors: G_t f_j of each flow, 0 where it is not there, shape (levels,). The answer lives in `scratch`.
    Law: of each site, demand - left over == min(demand, capacity) where every contract may serve every row.
    With A the demand that came to a capacity C so far, max(A - C, 0) of it is left: each stream leaves the difference,
    which rounding may leave a last digit under 0.
    """
    shape = (len(next(iter(factors.values()))), ready.hours)
    left = scratch.floats("left", (ready.rows, *shape))
    left.fill(0.0)
    demand = scratch.floats("demand", shape)
    for stream in ready.uncovered:
        left[stream.row] += np.multiply(factors[stream.flow][:, None], stream.demand, out=demand)
    numbered = enumerate(ready.shared)
    everywhere = [(rows, _Held(of, shape, scratch, f"all {number}")) for number, (rows, of) in numbered]
    for streams, capacity in ready.covered:
        held = [
            (rows, _Held(amount, shape, scratch, number)) for number, (rows, amount) in enumerate(capacity)
        ] + everywhere
        for stream in streams:
            np.multiply(factors[stream.flow][:, None], stream.demand, out=demand)
            for rows, capacity_left in held:
                if stream.row in rows:
                    capacity_left.serve(demand)
            left[stream.row] += demand
    for row, low, high in ready.cuts:
        left[row] -= np.clip(left[row], low, high) - low
    return left


class _Held:
    """What contracts that the same rows may use still have for the next stream."""

    def __init__(self, capacity: Room, shape: tuple[int, ...], scratch: Scratch, number: object) -> None:
        """past: demand that came so far, less the capacity; buffers are the scratch's, by number, and are
        lost to the next one.
        """
        self._capacity: Room | None = capacity
        self._past = scratch.floats(f"past {number}", shape)
        self._left_before = scratch.floats("before", shape)

    def serve(self, demand: Floats) -> None:
        """Take what they serve out of `demand`, in place."""
        if self._capacity is None:
            np.maximum(self._past, 0.0, out=self._left_before)
            self._past += demand
            np.maximum(self._past, 0.0, out=demand)
            demand -= self._left_before
        else:  # nothing came before
            np.subtract(demand, self._capacity, out=self._past)
            np.maximum(self._past, 0.0, out=demand)
            self._capacity = None


def models_of(
    groups: Sequence[Streams], parts: Sequence[Mapping[Cell, Ints]], cache: AdviceCache
) -> tuple[ModelDemand, ...]:
    """Return demand by model; on each cluster in serving order: known demand of every pool, then split unknown one."""
    listed: dict[str | None, list[tuple[Cell, int, bool, Ints]]] = {}
    known = [
        {key: amounts for key, amounts in streams.cells.items() if gpu_model_of(key.name) is not None}
        for streams in groups
    ]
    for source in (known, parts):
        for pool in SERVING_ORDER:
            keys = {key for cells in source for key in cells if key.pool is pool}
            for key in sorted(keys, key=serving_order):
                for group, cells in enumerate(source):
                    if key in cells:
                        cell = key, group, source is parts, cells[key]
                        listed.setdefault(gpu_model_of(key.name), []).append(cell)
    return tuple(
        cache.recall(
            "model",
            (model, *(cell[:-1] for cell in of_model)),
            tuple(cell[-1] for cell in of_model),
            partial(_model_demand, model, of_model),
        )
        for model, of_model in sorted(listed.items(), key=lambda pair: pair[0] or "")
    )


def _model_demand(model: str | None, cells: Sequence[tuple[Cell, int, bool, Ints]]) -> ModelDemand:
    """Return one model's demand: rows in serving order, streams by cluster.

    cells: demand with the group of each, and whether its jobs name no model, in serving order.
    """
    named = {Row(key.pool, key.name) for key, *_ in cells}
    rows = tuple(sorted(named, key=lambda row: (SERVING_ORDER.index(row.pool), row.name or "")))
    sites = tuple(
        Site(
            cluster,
            tuple(
                Stream(
                    row=rows.index(Row(key.pool, key.name)),
                    grows_with=key.pool,
                    demand=amounts.astype(np.float64),
                    group=group,
                    is_split=is_split,
                )
                for key, group, is_split, amounts in cells
                if key.cluster == cluster
            ),
        )
        for cluster in sorted({key.cluster for key, *_ in cells})
    )
    return ModelDemand(model, rows, sites)


# --- The largest job of each row: one job is no evidence of what comes (docs/formulas/policy.md)

ONE_JOB_POOLS: Final = frozenset({Pool.TRAINING, Pool.BURST})
"""Where days are counted without it: a service is one job by nature."""


@dataclass(frozen=True, slots=True)
class OneJob:
    """The largest job of a row. place: of its workload; factor: how many times the log its pool is planned; share: of
    the row's GPU time in the window that it holds, 0..1."""

    job: LargestJob
    place: int
    factor: float
    share: float


def one_jobs(
    project: Project, users: Mapping[Row, Floats], demand: Mapping[Pool, float]
) -> Mapping[Row, OneJob]:
    """Of every row in training and burst whose log says. users: as of `gpu_time_by_row`, times the demand of each pool.

    A job of unknown GPU model is of the row in which its workload has most GPU time.
    """
    missing = {row for row, spent in users.items() if row.pool in ONE_JOB_POOLS and spent.any()}
    workloads = project.workloads if project.jobs.largest else ()
    places = grouped((bare_key(workload.key), place) for place, workload in enumerate(workloads))
    largest: dict[Row, OneJob] = {}
    for job in project.jobs.largest:  # the largest first
        if not missing:
            break
        for place in places.get(job.key, ()):
            own = [row for row in users if users[row][place] > 0]
            if job.gpu_model is None:
                own = sorted(own, key=lambda row: -users[row][place])[:1]
            for row in own:
                if row in missing and job.gpu_model in (None, gpu_model_of(row.name)):
                    missing.discard(row)
                    factor = demand[row.pool]
                    spent = min(job.milli_gpu_seconds * factor, float(users[row][place]))
                    largest[row] = OneJob(job, place, factor, spent / float(users[row].sum()))
    return largest


def without_one_job(model: ModelDemand, flow: Flow, cluster: str, amounts: Floats) -> ModelDemand:
    """The demand with so much less of a flow in each hour, (hours,), where it is on a cluster.

    Where there is one site alone it is all clusters together.
    """
    sites = []
    for site in model.sites:
        left = amounts if site.cluster == cluster or len(model.sites) == 1 else np.zeros(len(amounts))
        kept = []
        for stream in site.streams:
            taken = np.minimum(stream.demand, left) if stream.flow == flow else np.zeros(len(left))
            kept.append(replace(stream, demand=stream.demand - taken))
            left = left - taken
        sites.append(replace(site, streams=tuple(kept)))
    return replace(model, sites=tuple(sites))
