"""What existing contracts leave over of a model's demand, at any growth and level, hour by hour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.scratch import Scratch
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.model.pool import Pool

Capacity = tuple[tuple[tuple[int, ...], float], ...]
"""Of one site: GPU time an hour, in the unit of the streams, with the places of the rows that it may serve; in the
order in which they take it: what is pinned before what is free, in merit order."""


class Flow(NamedTuple):
    """Demand that comes, goes and moves together: the pool that it grows with, its group (0: the log's, undated), and
    its row, whose volatility its level has."""

    grows_with: Pool
    group: int
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Demand of one planned row on one cluster; it grows as `grows_with` does.

    row: place of the row in ModelDemand.rows, which it is planned and left over for; group: as in Flow.
    Shapes: demand (hours,), milli-GPU-seconds in each hour of the window, as the log has it, before growth and level.
    """

    row: int
    grows_with: Pool
    demand: Floats
    group: int = 0

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
    Source: docs/formulas.md, Contracts over time and what they leave over.
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


def _merged(streams: Sequence[Stream]) -> tuple[Stream, ...]:
    """The fewest streams that leave over the same for each row: of one row alone the order does not matter."""
    if len({stream.row for stream in streams}) > 1:
        return tuple(streams)
    sums: dict[Flow, Floats] = {}
    for stream in streams:
        _add(sums, stream)
    return _streams(sums)


def _add(sums: dict[Flow, Floats], stream: Stream) -> None:
    """Add a stream to the sum of its flow; the first of a flow is not copied."""
    flow = stream.flow
    sums[flow] = sums[flow] + stream.demand if flow in sums else stream.demand


def _streams(sums: Mapping[Flow, Floats]) -> tuple[Stream, ...]:
    """Sums by flow as streams again, in the order in which flows came."""
    return tuple(Stream(flow.row, flow.grows_with, demand, flow.group) for flow, demand in sums.items())


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A model's demand made ready for one set of running contracts.

    rows, hours: how many. uncovered: streams of all sites that no contract serves, added up by flow: they are left over
    whole. covered: of every other site its streams in the order of service, and its capacity.
    Units: all of it divided by the `unit` that `prepared` was given.
    """

    rows: int
    hours: int
    uncovered: tuple[Stream, ...]
    covered: tuple[tuple[tuple[Stream, ...], Capacity], ...]


def prepared(model: ModelDemand, capacities: Sequence[Capacity], hours: int, unit: float) -> Prepared:
    """Streams and capacities divided by `unit` (milli-GPU-seconds); capacities[i] is that of model.sites[i].

    An empty capacity is a site where no contract runs. Shapes: every demand and capacity (hours,).
    Errors: ValueError where there are not as many capacities as sites.
    """
    open_sums: dict[Flow, Floats] = {}
    covered = []
    for site, capacity in zip(model.sites, capacities, strict=True):
        if capacity:
            streams = tuple(
                Stream(s.row, s.grows_with, s.demand / unit, s.group) for s in _merged(site.streams)
            )
            covered.append((streams, tuple((rows, amount / unit) for rows, amount in capacity)))
            continue
        for stream in site.streams:
            _add(open_sums, stream)
    uncovered = _streams({flow: demand / unit for flow, demand in open_sums.items()})
    return Prepared(len(model.rows), hours, uncovered, tuple(covered))


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
    for streams, capacity in ready.covered:
        held = [
            (rows, _Held(amount, shape, scratch, number)) for number, (rows, amount) in enumerate(capacity)
        ]
        for stream in streams:
            np.multiply(factors[stream.flow][:, None], stream.demand, out=demand)
            for rows, one in held:
                if stream.row in rows:
                    one.serve(demand)
            left[stream.row] += demand
    return left


class _Held:
    """What contracts that the same rows may use still have for the next stream."""

    def __init__(self, capacity: float, shape: tuple[int, ...], scratch: Scratch, number: int) -> None:
        """past: demand that came so far, less the capacity; buffers are the scratch's, by number, and are
        lost to the next one.
        """
        self._past = scratch.floats(f"past {number}", shape)
        self._past.fill(-capacity)
        self._left, self._left_before = (
            scratch.floats(f"held {which} {number}", shape) for which in ("left", "before")
        )
        self._left_before.fill(0.0)

    def serve(self, demand: Floats) -> None:
        """Take what they serve out of `demand`, in place."""
        self._past += demand
        np.maximum(self._past, 0.0, out=self._left)
        np.subtract(self._left, self._left_before, out=demand)
        self._left, self._left_before = self._left_before, self._left
