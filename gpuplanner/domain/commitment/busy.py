"""u_k(t, j): how busy every slice of every row is, as demand comes, goes and steps, at every level."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.audit.utilization.cluster_hours import part_of
from gpuplanner.domain.commitment.cache import Scratch
from gpuplanner.domain.commitment.demand.demand_levels import EDGE, level_factors
from gpuplanner.domain.commitment.demand.growth import grown
from gpuplanner.domain.commitment.demand.model_demand import (
    Capacity,
    Flow,
    ModelDemand,
    Stream,
    leftover,
    prepared,
)
from gpuplanner.domain.commitment.demand.slicing import (
    SOON_MONTHS,
    Peaks,
    Slicing,
    shares_of_slices,
    weighted_mean,
)
from gpuplanner.domain.commitment.demand.streams import MILLI_GPU_SECONDS_PER_MILLI_GPU
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import (
    Contract,
    hours_in,
    merit,
    month_start_s,
    paid_and_used,
    paid_for,
    runs_at,
)
from gpuplanner.domain.model.book.dollars import DollarPart, room_in
from gpuplanner.domain.model.book.only import Row, only_of
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.plan.changes import PriceChange, Step, factor_in
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import NO_SPELL, Spell
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Flows: demand in groups that come, go and step together, and how much of each is there in every month


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """What the workloads of one group have in common: when they are there, and the steps of their demand.

    steps: in order of time. is_run: work with an end is bought apart (plan/runs.py) and is in no demand of
    slices. repeats: hours before the first of services that began, which the log does not have.
    """

    spell: Spell = NO_SPELL
    steps: tuple[Step, ...] = ()
    is_planned: bool = False
    is_run: bool = False
    repeats: bool = False

    @property
    def grows(self) -> bool:
        """Planned work is what it was planned to be."""
        return not self.is_planned

    @property
    def is_stated(self) -> bool:
        """Whether the planner said when it is there: its going is no fall."""
        return self.is_planned or self.spell != NO_SPELL

    @property
    def counts_as_lived(self) -> bool:
        """Whether its slices need not have run: planned, or said to come back."""
        return self.is_planned or self.spell.begins_s is not None

    @property
    def moments(self) -> tuple[int, ...]:
        """When it changes.

        Epoch seconds, not sorted. Gradual steps (`by`) change with every month and have no moment of their
        own.
        """
        steps = (step.from_s for step in self.steps if not step.by)
        ends = (self.spell.begins_s, self.spell.ends_s, *steps)
        return tuple(at for at in ends if at is not None)

    def factor_at(self, at_s: int, month: int, plan_begins_s: int) -> float:
        """How many times its own demand is there at a moment of a month of a plan that begins then.

        at_s, plan_begins_s: epoch seconds; month: that of `at_s`. 0 before it begins and from its end on; a
        ratio otherwise, 1 without steps.
        """
        begins, ends = self.spell.begins_s, self.spell.ends_s
        if (begins is not None and at_s < begins) or (ends is not None and at_s >= ends):
            return 0.0
        return factor_in(self.steps, at_s, month, plan_begins_s)


UNDATED = Schedule()
_NOT_THERE: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Workloads of one schedule: a cube of their rows alone, over all workloads of the project.

    cube: the hours of the others are left out, but places and numbers of workloads stay.
    """

    schedule: Schedule
    cube: Cube


def schedules_of(workloads: Sequence[Workload], scenario: Scenario, begins_s: int) -> tuple[Schedule, ...]:
    """Of each workload, in their order. begins_s: when the plan does, epoch seconds.

    Shapes: one for each workload. Source: docs/formulas/demand.md, Start and end dates.
    """
    return schedules_for([workload.key for workload in workloads], scenario, begins_s)


def schedules_for(card_keys: Sequence[str], scenario: Scenario, begins_s: int) -> tuple[Schedule, ...]:
    """Of the cards of these keys: workloads, parts of them, or work that no log has.

    Steps come in order of time; one without keys is for everybody. A spell that the planner set counts before
    that of planned work.
    """
    changes = [
        (Step(change.factor, change.from_s, change.by), frozenset(change.keys))
        for change in sorted(scenario.changes, key=lambda change: change.from_s)
    ]
    planned = {work.key: work for work in scenario.planned}
    answer = []
    for key in card_keys:
        whole = whole_key(key, scenario.splits)  # what is said of a workload is said of its parts
        steps = tuple(step for step, keys in changes if not keys or whole in keys)
        work = planned.get(key)
        spell = scenario.spells.get(whole) or (work.spell(begins_s) if work else NO_SPELL)
        is_run = work is not None and (work.length_hours is not None or spell.ends_s is not None)
        answer.append(Schedule(spell=spell, steps=steps, is_planned=work is not None, is_run=is_run))
    return tuple(answer)


def groups_of(
    cube: Cube,
    schedules: Sequence[Schedule],
    begins_s: int,
    log_from: Ints | None = None,
    log: Cube | None = None,
) -> tuple[Group, ...]:
    """The undated group first, then the others in order of their first workload, then hours that repeat services that
    began. Runs are in none, nor who is over before a plan begins. begins_s: of the plan, epoch seconds; log_from: as
    `counted` has it; None: nothing repeats. log: the cube without the hours that repeat, where it is known."""
    number = {UNDATED: 0}
    group_of = np.empty(len(schedules), dtype=np.int64)
    for place, schedule in enumerate(schedules):
        is_over = schedule.spell.ends_s is not None and schedule.spell.ends_s <= begins_s
        is_out = is_over or schedule.is_run
        group_of[place] = _NOT_THERE if is_out else number.setdefault(schedule, len(number))
    listed = [(schedule, place, cube) for schedule, place in number.items()]
    if log_from is not None and log_from.any():
        in_log = cube.hour >= np.repeat(log_from[cube.workload_index].astype(np.int32), np.diff(cube.offsets))
        own, more = log or cube.of_entries(in_log), cube.of_entries(~in_log)
        repeated = dict.fromkeys(group_of[(log_from > 0) & (group_of >= 0)].tolist())
        listed = [(schedule, place, own) for schedule, place, _ in listed]
        listed += [(replace(listed[place][0], repeats=True), place, more) for place in repeated]
    return tuple(Group(schedule, of.of_workloads(group_of == place)) for schedule, place, of in listed)


def moments_of(
    contracts: Iterable[Contract],
    schedules: Iterable[Schedule],
    changes: Iterable[PriceChange],
    window: Window,
    months: int,
    days_s: Iterable[int] = (),
) -> tuple[int, ...]:
    """When something begins, ends or steps inside the months of a plan: epoch seconds, ascending, each once.

    days_s: further ones. Source: docs/formulas/contracts.md, Months and their parts.
    """
    moments = {at for contract in contracts for at in (contract.start_s, contract.end_s) if at is not None}
    moments |= {at for schedule in schedules if not schedule.is_run for at in schedule.moments}
    moments |= {change.from_s for change in changes if not change.by} | {*days_s}
    return tuple(sorted(at for at in moments if window.end_s < at < month_start_s(window, months)))


@lru_cache(maxsize=64)  # of one plan, which asks for the same months a hundred times
def spans_of_months(
    moments: tuple[int, ...], window: Window, months: int
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Of each month the parts between whose edges nothing begins, ends or steps; (from, to) in epoch seconds.

    moments: as `moments_of` has them. Law: the parts of a month follow each other without a gap, and are together the
    month.
    """
    answer = []
    for month in range(months):
        start_s, end_s = month_start_s(window, month), month_start_s(window, month + 1)
        edges = [start_s, *(at for at in moments if start_s < at < end_s), end_s]
        answer.append(tuple(pairwise(edges)))
    return tuple(answer)


def factors_of_months(
    outlined: "Outlined", window: Window, months: int
) -> tuple[tuple[tuple[float, tuple[float, ...]], ...], ...]:
    """Of each month its parts in order of time: the share of the month, and the factor of every schedule in it.

    Law: the shares of a month add up to 1; a month in which nothing begins, ends or steps has one part.
    """
    return tuple(
        tuple(
            (
                (to_s - from_s) / MONTH_S,
                tuple(schedule.factor_at(from_s, month, window.end_s) for schedule in outlined.schedules),
            )
            for from_s, to_s in spans
        )
        for month, spans in enumerate(spans_of_months(outlined.moments, window, months))
    )


def shares_of_month_0(parts: tuple[tuple[float, tuple[float, ...]], ...]) -> Mapping[int, float]:
    """How much of each group is there in month 0, by its number.

    parts: of month 0, each its share of the month and the factor of every group. Without steps a share is
    0..1.
    """
    count = len(parts[0][1])
    return {group: sum(share * factors[group] for share, factors in parts) for group in range(count)}


# --- u_k(t, j): how busy every slice of every row is in every month and at every level of demand

ALIKE: Final = 1e-12
"""Busy shares that differ by less are alike."""
AT_ONCE = 36_000
"""Hours times levels worked on at a time: they fit a processor's cache."""


@dataclass(frozen=True, slots=True)
class MonthState:
    """All that tells one time's demand from another's.

    capacities: of each site in the order of ModelDemand.sites, what the contracts that run can serve. factors: how many
    times each flow of the log is there, growth and dated steps in one; 0 where it has not begun or is over.
    """

    capacities: tuple[Capacity, ...]
    factors: tuple[tuple[Flow, float], ...]


class PartState(NamedTuple):
    """A part of a month. share: of the month."""

    share: float
    state: MonthState


Month = tuple[PartState, ...]
"""The parts of a month and their shares of it, in order of time: several where something begins, ends or steps in it;
all models have the same ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """How busy the slices of a row are along today's level, part by part, from the plan's first moment on.

    Shapes: edges_s (parts + 1,), seconds from that moment, ascending; busy (parts, slices), 0..1.
    """

    edges_s: Ints
    busy: Floats

    @property
    def months(self) -> Ints:
        """The month of each part, (parts,)."""
        return np.asarray(self.edges_s[:-1] // MONTH_S)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BusyTable:
    """u_k(t, j) of one row: how busy each slice is in a month, as the policy decides on it: from its fullest part on.

    Shapes: shares (states, levels, slices), 0..1, the middle level is today's; state_of_month (months,), places in the
    first axis of shares: months that are alike share a state. parts: what $ are counted by. pieces: of each state its
    parts in order of time, the share of the month and the place in by_part, (places, levels, slices).
    Source: docs/formulas/demand.md, Slices.
    """

    shares: Floats
    state_of_month: Ints
    parts: Parts
    pieces: tuple[tuple[tuple[float, int], ...], ...] = ()
    by_part: Floats | None = None

    def today(self, month: int) -> Floats:
        """u_k(month, 0) at today's level, shape (slices,).

        month: from 0 on. Values 0..1, the lowest slice first. Errors: IndexError beyond the table's months.
        """
        shares: Floats = self.shares[self.state_of_month[month], self.shares.shape[1] // 2]
        return shares

    def of_slices(self, here: slice) -> "BusyTable":
        """The table of some slices, without what $ are counted by."""
        by_part = None if self.by_part is None else self.by_part[:, :, here]
        return replace(self, shares=self.shares[:, :, here], by_part=by_part)

    def without(self, held: Bools) -> "BusyTable":
        """The table with some slices idle in some parts, (parts, slices)."""
        pieces_of, by_part = list[tuple[tuple[float, int], ...]](), list[Floats]()
        place_of: dict[tuple[int, bytes], int] = {}
        first_of = np.searchsorted(self.parts.edges_s, MONTH_S * np.arange(len(self.state_of_month)))
        whole = self.shares if self.by_part is None else self.by_part
        for state, first in zip(self.state_of_month.tolist(), first_of.tolist(), strict=True):
            pieces = []
            for part, (share, place) in enumerate(self.pieces[state], first):
                key = place, held[part].tobytes()
                if key not in place_of:
                    place_of[key] = len(by_part)
                    by_part.append(np.where(held[part], 0.0, whole[place]))
                pieces.append((share, place_of[key]))
            pieces_of.append(tuple(pieces))
        parts = Parts(self.parts.edges_s, np.where(held, 0.0, self.parts.busy))
        return _decided(pieces_of, np.stack(by_part), parts)


@dataclass(frozen=True, slots=True)
class Outlined:
    """How demand moves over time.

    growth: g by pool, a ratio a month (0.03: 3%); fade: the part of it that each month keeps of the one before.
    schedules: by group, when its workloads are there; group 0 is undated. moments: that cut months into parts.
    Source: docs/formulas/contracts.md.
    """

    growth: Mapping[Pool, float]
    fade: float
    schedules: tuple[Schedule, ...] = field(default_factory=lambda: (UNDATED,))
    moments: tuple[int, ...] = ()


def months_of(
    model: ModelDemand,
    contracts: Sequence[Contract],
    window: Window,
    outlined: Outlined,
    months: int,
    pins_apply: bool = True,
) -> tuple[Month, ...]:
    """Months 0..months-1, part by part: who runs, how far demand has grown, and who is there."""
    schedules = outlined.schedules
    factors = {
        pool: grown(outlined.growth[pool], outlined.fade, months).tolist() for pool in model.grows_with
    }
    serving = in_turn(contracts, model, pins_apply)
    answer: list[Month] = []
    spans = spans_of_months(outlined.moments, window, months)
    there_in = factors_of_months(outlined, window, months)
    for month in range(months):
        grown_to = {
            flow: factors[flow.grows_with][month] if schedules[flow.group].grows else 1.0
            for flow in model.flows
        }
        states: list[PartState] = []
        for (from_s, _), (share, factor_of) in zip(spans[month], there_in[month], strict=True):
            running = {contract.contract_id: 1.0 for contract, _ in serving if runs_at(contract, from_s)}
            of_flows = tuple((flow, times * factor_of[flow.group]) for flow, times in grown_to.items())
            states.append(PartState(share, MonthState(capacities_of(model, serving, running), of_flows)))
        answer.append(tuple(states))
    return tuple(answer)


UsedGpus = dict[str, tuple[Floats, float]]
"""What each contract serves, by contract_id: GPUs by hour of the window, and their mean."""
WeightsOf = Callable[[Row], Floats | None]
"""The weights of the window's hours for demand of a row, adding up to 1; None: all alike."""
Serving = Sequence[tuple[Contract, tuple[int, ...]]]
"""Contracts of a model in the order in which they serve, each with the places of the rows that it may serve."""


def in_turn(contracts: Sequence[Contract], model: ModelDemand, pins_apply: bool = True) -> Serving:
    """The contracts that may serve a model, in turn: in each pool what is pinned to it, then what is free, in merit
    order. pins_apply: whether a contract pinned to a pool serves that pool alone."""
    answer = []
    for pin in (*model.pools, None) if pins_apply else (None,):
        for contract in sorted(contracts, key=lambda row: (row.is_dollars, merit(row))):
            if contract.gpu_model != model.gpu_model or (pins_apply and contract.pool is not pin):
                continue
            rows = tuple(
                place
                for place, (pool, name) in enumerate(model.rows)
                if pin in (None, pool) and only_of(name).allows(contract)
            )
            if rows:
                answer.append((contract, rows))
    return answer


def capacities_of(model: ModelDemand, serving: Serving, shares: Mapping[str, float]) -> tuple[Capacity, ...]:
    """What contracts have on each site of a model, and last what is shared by all of them, if any.

    serving: as `in_turn` has them; shares: the share of the time in which each runs, by contract_id, those that do not
    run left out."""
    answer = []
    for site in model.sites:
        taken: list[tuple[tuple[int, ...], float]] = []  # neighbours that serve the same rows together
        for contract, rows in serving:
            if contract.cluster != site.cluster or contract.is_shared or contract.contract_id not in shares:
                continue
            milli_gpus = shares[contract.contract_id] * contract.milli_gpus
            amount = milli_gpus * MILLI_GPU_SECONDS_PER_MILLI_GPU
            before = taken.pop()[1] if taken and taken[-1][0] == rows else 0.0
            taken.append((rows, before + amount))
        answer.append(tuple(taken))
    unit, shared = float(MILLI_GPU_SECONDS_PER_GPU_HOUR), list[Any]()
    for part, rows in serving:
        if isinstance(part, DollarPart) and part.contract_id in shares:
            amounts = np.frombuffer(part.room) * (unit * shares[part.contract_id])
            shared.append((rows, amounts.tobytes()))
        elif part.is_shared and part.contract_id in shares:
            share = unit * shares[part.contract_id]
            shared.append((rows, tuple((low * share, high * share) for low, high in part.slices)))
    return (*answer, tuple(shared)) if shared else tuple(answer)


def used_gpus(
    model: ModelDemand,
    serving: Serving,
    running: Collection[str],
    state: MonthState,
    hours: int,
    weights_of: WeightsOf,
) -> UsedGpus:
    """What each contract of a model serves at today's level.

    serving: as `in_turn` has them; running: which of them run. Law: over all of them, demand less what is left over.
    """
    used = {contract.contract_id: np.zeros(hours) for contract, _ in serving}
    mean = dict.fromkeys(used, 0.0)
    for stream, _, taken, _ in served_streams(model, serving, running, state, hours):
        weights = weights_of(model.rows[stream.row])
        for contract, gpus in taken:
            used[contract.contract_id] += gpus
            mean[contract.contract_id] += weighted_mean(gpus, weights)
    return {name: (used[name], mean[name]) for name in used}


def served_streams(
    model: ModelDemand, serving: Serving, running: Collection[str], state: MonthState, hours: int
) -> Iterator[tuple[Stream, Floats, Sequence[tuple[Contract, Floats]], Floats]]:
    """Each stream of a model, in turn, at today's level: what it wants, what it takes of each contract, and what is
    left, GPUs by hour of the window. serving, running: as of `used_gpus`."""
    factors = dict(state.factors)
    active = [(contract, rows) for contract, rows in serving if contract.contract_id in running]
    free = {c.contract_id: room_in(c, hours) for c, _ in active if not c.slices}
    rest = np.zeros((len(model.rows), hours))
    streams: list[tuple[Stream, Floats, list[tuple[Contract, Floats]], Floats]] = []
    for site in model.sites:
        here = [
            (contract, rows)
            for contract, rows in active
            if contract.contract_id in free and (contract.is_dollars or contract.cluster == site.cluster)
        ]
        for stream in site.streams:
            wanted = left = stream.demand * (factors[stream.flow] / MILLI_GPU_SECONDS_PER_GPU_HOUR)
            taken = []
            for contract, rows in here if wanted.any() else ():
                if stream.row in rows:
                    gpus = np.minimum(left, free[contract.contract_id])
                    free[contract.contract_id] = free[contract.contract_id] - gpus
                    left = left - gpus
                    taken.append((contract, gpus))
            streams.append((stream, wanted, taken, left))
            rest[stream.row] += left
    whole, placed = rest.copy(), list[tuple[Contract, int, Floats]]()
    cuts = [(low, high, contract, rows[0]) for contract, rows in active for low, high in contract.slices]
    for low, high, contract, row in sorted(cuts, key=itemgetter(0), reverse=True):
        gpus = np.clip(rest[row], low, high) - low
        placed.append((contract, row, gpus))
        rest[row] -= gpus
    for stream, wanted, taken, left in streams:
        shares = [(c, part_of(left, whole[row]) * gpus) for c, row, gpus in placed if row == stream.row]
        yield stream, wanted, [*taken, *shares], left - sum(gpus for _, gpus in shares)


Takes = Sequence[tuple[Row, Sequence[Contract], int, int, float]]
"""What runs of a row take of contracts: of which, in turn, from when to when (epoch seconds), and how many GPUs."""


def paid_by_month(
    contracts: Sequence[Contract],
    models: Sequence[ModelDemand],
    window: Window,
    outlined: Outlined,
    months: int,
    weights_of: WeightsOf,
    takes: Takes,
) -> tuple[Contract, ...]:
    """Contracts with what each month of a plan pays and uses of those of which one is take-or-pay.

    Use is that of the plan's own demand at today's level, hour by hour with the weights of its row, in the order in
    which contracts serve; then what planned runs take of the GPUs that stand idle.
    """
    place = {contract.contract_id: at for at, contract in enumerate(contracts)}
    held, used = np.zeros((2, len(contracts), months))
    asked = {contract.gpu_model for contract in contracts if contract.take_or_pay_percent is not None}
    served = [
        (model, in_turn(contracts, model), months_of(model, contracts, window, outlined, months))
        for model in models
        if model.gpu_model in asked
    ]
    for month, spans in enumerate(spans_of_months(outlined.moments, window, months)):
        month_s = month_start_s(window, month)
        held[:, month] = [c.gpus * hours_in(c, month_s, month_s + MONTH_S) for c in contracts]
        for part, (from_s, to_s) in enumerate(spans):
            running = {c.contract_id for c in contracts if c.gpu_model in asked and runs_at(c, from_s)}
            by_log = dict.fromkeys(running, (np.zeros(window.hours), 0.0))
            for model, serving, states in served:
                by_log |= used_gpus(
                    model, serving, running, states[month][part].state, window.hours, weights_of
                )
            cuts = {at for _, _, *ends, _ in takes for at in ends if from_s < at < to_s}
            for since_s, until_s in pairwise(sorted({from_s, to_s} | cuts)):
                for name, gpus in _with_taken(by_log, running, takes, since_s, weights_of).items():
                    used[place[name], month] += gpus * (until_s - since_s) / HOUR_S
    paid = paid_for(contracts, held, used)
    return tuple(
        replace(contract, paid_shares=tuple(map(partial(paid_and_used, contract), *amounts)))
        if contract.gpu_model in asked
        else contract
        for contract, *amounts in zip(contracts, paid, used, held, strict=True)
    )


def _with_taken(
    by_log: UsedGpus, running: Collection[str], takes: Takes, at_s: int, weights_of: WeightsOf
) -> dict[str, float]:
    """Mean GPUs by contract_id that the log uses, and runs take of what it leaves idle then. by_log: of `used_gpus`."""
    used = {name: hourly for name, (hourly, _) in by_log.items()}
    answer = {name: mean for name, (_, mean) in by_log.items()}
    for row, contracts, from_s, to_s, gpus in takes:
        wanted: Floats | float = gpus
        for contract in (c for c in contracts if from_s <= at_s < to_s and c.contract_id in running):
            name = contract.contract_id
            more = np.minimum(wanted, contract.gpus - used[name])
            wanted, used[name] = wanted - more, used[name] + more
            answer[name] += weighted_mean(more, weights_of(row))
    return answer


def states_in(months: Sequence[Month]) -> list[MonthState]:
    """Every state of some months, each once, in the order in which they come.

    Equal states are one, so that each demand is worked out once.
    """
    return list(dict.fromkeys(state for month in months for _, state in month))


def residual_at(model: ModelDemand, state: MonthState, hours: int) -> Floats:
    """R(h; t, 0): what contracts leave over in one state, at today's level of demand.

    Shapes: (rows, hours), rows as in model.rows, hours of the window. Units: milli-GPU-seconds, never negative, exact
    integers where nothing grows. Source: docs/formulas/contracts.md.
    """
    factors = {flow: np.array([factor]) for flow, factor in state.factors}
    left = leftover(prepared(model, state.capacities, hours, 1.0), factors, Scratch())
    return np.maximum(left[:, 0], 0.0)


def demand_at(model: ModelDemand, place: int, state: MonthState, hours: int) -> Floats:
    """What one row of a model wants in each hour in one state at today's level, milli-GPU-seconds, before anything is
    served; (hours,)."""
    factors = dict(state.factors)
    return model.hourly(hours, lambda _, stream: factors[stream.flow] if stream.row == place else 0.0)


def peaks_of(model: ModelDemand, today: Sequence[Month], months: Sequence[Month], hours: int) -> list[Peaks]:
    """The largest R(h; t, 0) of each row over the hours: of `today`, of the next 12 months, of all `months`.

    today: month 0 without the contracts that end within them. Units: GPUs, one entry for each of model.rows. A state
    that another one outgrows is left out: its peak cannot be higher.
    """

    def highest(some: Sequence[Month]) -> list[float]:
        peaks = np.zeros(len(model.rows))
        for state in keep_largest(states_in(some)):
            if state not in known:
                known[state] = residual_at(model, state, hours).max(axis=1)
            peaks = np.maximum(peaks, known[state])
        # demand that grows leaves digits of rounding behind: they are no slice of their own
        return [round(float(peak), 2) / MILLI_GPU_SECONDS_PER_GPU_HOUR for peak in peaks]

    known: dict[MonthState, Floats] = {}
    spans = (today, months[:SOON_MONTHS], months)
    return [Peaks(*each) for each in zip(*map(highest, spans), strict=True)]


def keep_largest(states: Sequence[MonthState]) -> list[MonthState]:
    """Those that no other of the same capacities has outgrown: more demand never leaves less over."""
    kept: list[MonthState] = []
    for state in dict.fromkeys(states):
        if not any(outgrows(other, state) for other in kept):
            kept = [other for other in kept if not outgrows(state, other)]
            kept.append(state)
    return kept


def outgrows(state: MonthState, other: MonthState) -> bool:
    """Whether a month's demand is at least another's, flow by flow, beside the same contracts."""
    return state.capacities == other.capacities and all(
        factor >= other_factor
        for (_, factor), (_, other_factor) in zip(state.factors, other.factors, strict=True)
    )


def busy_tables(
    model: ModelDemand,
    months: Sequence[Month],
    row_sigma: Sequence[float],
    slicings: Sequence[Slicing],
    hours: int,
    weights: Sequence[Floats | None],
) -> tuple[BusyTable, ...]:
    """One table a row, over some months.

    row_sigma: the volatility that each row is planned with, which sets how far apart its levels are (0: its one level);
    slicings: of each row.
    weights: for each row of the hours, which add up to 1, shape (hours,); None: all alike. hours: of the window.
    Source: docs/formulas/demand.md, Slices.
    """
    places = {state: place for place, state in enumerate(states_in(months))}
    moves = any(sigma > 0 for sigma in row_sigma)
    levels = 2 * EDGE + 1 if moves else 1
    factor_of = [np.broadcast_to(level_factors(sigma if moves else 0.0), (levels,)) for sigma in row_sigma]
    shares = [np.zeros((len(places), levels, slicing.count)) for slicing in slicings]
    first_h = find_first_counted_hour(weights)
    lately = [of if of is None else of[first_h:] for of in weights]
    scratch, at_once = Scratch(), max(1, AT_ONCE // (hours - first_h))
    block = slicings[0].block
    ready = {}
    for state, place in places.items():
        if state.capacities not in ready:
            unit = float(MILLI_GPU_SECONDS_PER_GPU_HOUR * block)
            ready[state.capacities] = prepared(model, state.capacities, hours, unit, first_h)
        for first in range(0, levels, at_once):
            chunk = slice(first, first + at_once)
            factors = {flow: factor * factor_of[flow.row][chunk] for flow, factor in state.factors}
            left = leftover(ready[state.capacities], factors, scratch)
            for row, slicing in enumerate(slicings):
                here = left[row]
                if slicing.block != block:
                    here *= block / slicing.block
                shares[row][place, chunk] = shares_of_slices(slicing, here, lately[row], scratch)
    for _, state in months[0]:  # to the last digit: a slice that is not needed today is not busy at all
        today = residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for row, slicing in enumerate(slicings):
            (busy,) = shares_of_slices(slicing, today[row][None] / slicing.block, weights[row])
            shares[row][places[state], levels // 2] = busy
    middle = slice(levels // 2, levels // 2 + 1)  # what does not move has one level
    return tuple(
        _table(of_row if sigma > 0 else np.ascontiguousarray(of_row[:, middle]), months, places)
        for of_row, sigma in zip(shares, row_sigma, strict=True)
    )


def find_first_counted_hour(weights: Sequence[Floats | None]) -> int:
    """The first hour that tells in some row: in each row those before weigh less than ALIKE together."""
    return min(0 if of is None else int(np.searchsorted(np.cumsum(of), ALIKE)) for of in weights)


def _table(of_states: Floats, months: Sequence[Month], places: Mapping[MonthState, int]) -> BusyTable:
    """The table of a row. of_states: (states, levels, slices)."""
    of_parts = [places[state] for month in months for _, state in month]
    lengths_s = [round(share * MONTH_S) for month in months for share, _ in month]
    busy = of_states[of_parts, of_states.shape[1] // 2]
    parts = Parts(np.concatenate(([0], np.cumsum(lengths_s, dtype=np.int64))), busy)
    pieces = [tuple((share, places[state]) for share, state in month) for month in months]
    return _decided(pieces, of_states, parts)


def _decided(months: Sequence[tuple[tuple[float, int], ...]], by_part: Floats, parts: Parts) -> BusyTable:
    """The table of months, each the share and the place in by_part (places, levels, slices) of its parts."""
    number: dict[tuple[tuple[float, int], ...], int] = {}
    state_of_month = np.array([number.setdefault(month, len(number)) for month in months], dtype=np.int64)
    shares = [
        from_the_fullest_on(np.array([share for share, _ in month]), by_part[[place for _, place in month]])
        for month in number
    ]
    return BusyTable(
        shares=np.stack(shares),
        state_of_month=state_of_month,
        parts=parts,
        pieces=tuple(number),
        by_part=by_part,
    )


def from_the_fullest_on(lengths: Floats, shares: Floats) -> Floats:
    """Of each level and slice the mean by time of a month's parts from the fullest on, the first where several are.

    Shapes: lengths (parts,), shares (parts, levels, slices). Work that begins inside a month counts as there from its
    beginning, since its order begins with it.
    """
    if len(lengths) == 1:
        return np.asarray(shares[0])
    first = (shares >= shares.max(axis=0) - ALIKE).argmax(axis=0)[None]
    after = np.cumsum((lengths[:, None, None] * shares)[::-1], axis=0)[::-1]
    left = np.cumsum(lengths[::-1])[::-1]
    return np.asarray((np.take_along_axis(after, first, axis=0) / left[first])[0])
