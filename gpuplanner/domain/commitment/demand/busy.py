"""u_k(t, j): how busy every slice of every row is in every month and at every level of demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.demand.flows import UNDATED, Schedule, pieces_of_months
from gpuplanner.domain.commitment.demand.growth import grown
from gpuplanner.domain.commitment.demand.residual import Capacity, Flow, ModelDemand, leftover, prepared
from gpuplanner.domain.commitment.demand.scratch import Scratch
from gpuplanner.domain.commitment.demand.slices import busy_shares
from gpuplanner.domain.commitment.demand.split import MILLI_GPU_SECONDS_PER_MILLI_GPU
from gpuplanner.domain.commitment.demand.walk import EDGE, level_factors
from gpuplanner.domain.commitment.slicing import SOON_MONTHS, Peaks, Slicing
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import merit, runs_through
from gpuplanner.domain.model.book.only import only_of
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window

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


Month = tuple[tuple[float, MonthState], ...]
"""The pieces of a month and their shares of it: several where a workload begins, ends or steps in it."""


@dataclass(frozen=True, slots=True, eq=False)
class BusyTable:
    """u_k(t, j) of one row: the share of a month that each slice is busy.

    Shapes: shares (states, levels, slices), 0..1, the middle level is today's; state_of_month (months,), places in the
    first axis of shares: months that are alike share a state. Source: docs/formulas.md, Slices.
    """

    shares: Floats
    state_of_month: Ints

    def today(self, month: int) -> Floats:
        """u_k(month, 0) at today's level, shape (slices,).

        month: from 0 on. Values 0..1, the lowest slice first. Errors: IndexError beyond the table's months.
        """
        shares: Floats = self.shares[self.state_of_month[month], self.shares.shape[1] // 2]
        return shares


@dataclass(frozen=True, slots=True)
class Outlined:
    """How demand moves over time.

    growth: g by pool, a ratio a month (0.03: 3%); fade: the part of it that each month keeps of the one before.
    schedules: by group, when its workloads are there; group 0 is undated.
    Source: docs/formulas.md, Contracts over time and what they leave over.
    """

    growth: Mapping[Pool, float]
    fade: float
    schedules: tuple[Schedule, ...] = (UNDATED,)


def months_of(
    model: ModelDemand,
    contracts: Sequence[Contract],
    window: Window,
    outlined: Outlined,
    months: int,
    pins_apply: bool = True,
    is_joined: bool = True,
) -> tuple[Month, ...]:
    """Months 0..months-1: who still runs, how far demand has grown, and who is there.

    is_joined: pieces of a month that are alike are one; otherwise all models have the same pieces.
    """
    answer: list[Month] = []
    schedules = outlined.schedules
    factors = {
        pool: grown(outlined.growth[pool], outlined.fade, months).tolist() for pool in model.grows_with
    }
    pieces = pieces_of_months(schedules, window, months)
    serving = in_turn(contracts, model, pins_apply)
    for month in range(months):
        running = {one.contract_id: 1.0 for one, _ in serving if runs_through(one, window, month)}
        capacities = capacities_of(model, serving, running)
        found: list[tuple[float, MonthState]] = []
        for share, there in pieces[month]:
            of_flows = tuple(
                (
                    flow,
                    (factors[flow.grows_with][month] if schedules[flow.group].grows else 1.0)
                    * there[flow.group],
                )
                for flow in model.flows
            )
            found.append((share, MonthState(capacities, of_flows)))
        answer.append(_joined(found) if is_joined else tuple(found))
    return tuple(answer)


def _joined(pieces: Sequence[tuple[float, MonthState]]) -> Month:
    """The pieces of a month that are alike as one, in the order of their first."""
    by_state: dict[MonthState, float] = {}
    for share, state in pieces:
        by_state[state] = by_state.get(state, 0.0) + share
    if len(by_state) == 1:  # the whole month: what its shares add up to but for rounding
        by_state = dict.fromkeys(by_state, 1.0)
    return tuple((share, state) for state, share in by_state.items())


Serving = Sequence[tuple[Contract, tuple[int, ...]]]
"""Contracts of a model in the order in which they serve, each with the places of the rows that it may serve."""


def in_turn(contracts: Sequence[Contract], model: ModelDemand, pins_apply: bool = True) -> Serving:
    """The contracts that may serve a model, in turn: in each pool what is pinned to it, then what is free, in merit
    order. pins_apply: whether a contract pinned to a pool serves that pool alone."""
    answer = []
    for pin in (*model.pools, None) if pins_apply else (None,):
        for contract in sorted(contracts, key=merit):
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


def capacities_of(model: ModelDemand, serving: Serving, there: Mapping[str, float]) -> tuple[Capacity, ...]:
    """What contracts have on each site of a model. serving: as `in_turn` has them; there: the share of the time in
    which each runs, by contract_id, those that do not run left out."""
    return tuple(
        _capacity(
            [
                (contract, rows, there[contract.contract_id])
                for contract, rows in serving
                if contract.cluster == site.cluster and contract.contract_id in there
            ]
        )
        for site in model.sites
    )


def _capacity(serving: Sequence[tuple[Contract, tuple[int, ...], float]]) -> Capacity:
    """What contracts of one site have; neighbours that serve the same rows together."""
    taken: list[tuple[tuple[int, ...], float]] = []
    for contract, rows, share in serving:
        amount = share * contract.milli_gpus * MILLI_GPU_SECONDS_PER_MILLI_GPU
        if taken and taken[-1][0] == rows:
            taken[-1] = (rows, taken[-1][1] + amount)
        else:
            taken.append((rows, amount))
    return tuple(taken)


def states_in(months: Sequence[Month]) -> list[MonthState]:
    """Every state of some months, each once, in the order in which they come.

    Equal states are one, so that each demand is worked out once.
    """
    return list(dict.fromkeys(state for month in months for _, state in month))


def residual_at(model: ModelDemand, state: MonthState, hours: int) -> Floats:
    """R(h; t, 0): what contracts leave over in one state, at today's level of demand.

    Shapes: (rows, hours), rows as in model.rows, hours of the window. Units: milli-GPU-seconds, never negative, exact
    integers where nothing grows. Source: docs/formulas.md, Contracts over time and what they leave over.
    """
    factors = {flow: np.array([factor]) for flow, factor in state.factors}
    left = leftover(prepared(model, state.capacities, hours, 1.0), factors, Scratch())
    return np.maximum(left[:, 0], 0.0)


def residual_in(model: ModelDemand, month: Month, hours: int) -> Floats:
    """R(h; t, 0) of a month: the mean of its pieces by their length. Shapes and units: as `residual_at`.

    A month of a single piece is that piece, bit for bit.
    """
    parts = [share * residual_at(model, state, hours) for share, state in month]
    return parts[0] if len(parts) == 1 else np.sum(parts, axis=0)


def peaks_of(model: ModelDemand, months: Sequence[Month], hours: int) -> list[Peaks]:
    """The largest R(h; t, 0) of each row over the hours: of month 0, of the next 12 months, of all `months`.

    Units: GPUs, one entry for each of model.rows. A state that another one outgrows is left out: its peak
    cannot be higher.
    """

    def highest(some: Sequence[Month]) -> list[float]:
        peaks = np.zeros(len(model.rows))
        for state in _largest(states_in(some)):
            if state not in known:
                known[state] = residual_at(model, state, hours).max(axis=1)
            peaks = np.maximum(peaks, known[state])
        # demand that grows leaves digits of rounding behind: they are no slice of their own
        return [round(float(peak), 2) / MILLI_GPU_SECONDS_PER_GPU_HOUR for peak in peaks]

    known: dict[MonthState, Floats] = {}
    spans = (months[:1], months[:SOON_MONTHS], months)
    return [Peaks(*each) for each in zip(*map(highest, spans), strict=True)]


def _largest(states: Sequence[MonthState]) -> list[MonthState]:
    """Those that no other of the same capacities has outgrown: more demand never leaves less over."""
    kept: list[MonthState] = []
    for state in dict.fromkeys(states):
        if not any(_outgrows(other, state) for other in kept):
            kept = [other for other in kept if not _outgrows(state, other)]
            kept.append(state)
    return kept


def _outgrows(one: MonthState, other: MonthState) -> bool:
    """Whether a month's demand is at least another's, flow by flow, beside the same contracts."""
    return one.capacities == other.capacities and all(
        mine[1] >= theirs[1] for mine, theirs in zip(one.factors, other.factors, strict=True)
    )


def busy_tables(
    model: ModelDemand,
    months: Sequence[Month],
    row_sigma: Sequence[float],
    slicings: Sequence[Slicing],
    hours: int,
    weights: Floats | None,
) -> tuple[BusyTable, ...]:
    """One table a row, over some months.

    row_sigma: the volatility that each row is planned with, which sets how far apart its levels are (0: its one level);
    slicings: of each row.
    weights: of the hours, which add up to 1, shape (hours,); None: all alike. hours: of the window.
    Source: docs/formulas.md, Slices.
    """
    places = {state: place for place, state in enumerate(states_in(months))}
    moves = any(sigma > 0 for sigma in row_sigma)
    levels = 2 * EDGE + 1 if moves else 1
    factor_of = [np.broadcast_to(level_factors(sigma if moves else 0.0), (levels,)) for sigma in row_sigma]
    shares = [
        np.zeros((len(places), levels if sigma > 0 else 1, slicing.count))
        for sigma, slicing in zip(row_sigma, slicings, strict=True)
    ]
    scratch, at_once = Scratch(), max(1, AT_ONCE // hours)
    block = slicings[0].block
    ready = {}
    for state, place in places.items():
        if state.capacities not in ready:
            unit = float(MILLI_GPU_SECONDS_PER_GPU_HOUR * block)
            ready[state.capacities] = prepared(model, state.capacities, hours, unit)
        for first in range(0, levels, at_once):
            chunk = slice(first, first + at_once)
            factors = {flow: factor * factor_of[flow.row][chunk] for flow, factor in state.factors}
            left = leftover(ready[state.capacities], factors, scratch)
            for row, slicing in enumerate(slicings):
                moving = row_sigma[row] > 0 or levels == 1
                if not moving and not first <= levels // 2 < first + at_once:
                    continue
                here = left[row] if moving else left[row, levels // 2 - first][None]
                if slicing.block != block:
                    here *= block / slicing.block
                busy = busy_shares(slicing.in_slices(here), slicing.count, weights, scratch)
                if moving:
                    shares[row][place, chunk] = busy
                else:
                    shares[row][place, 0] = busy[0]
    for _, state in months[0]:  # to the last digit: a slice that is not needed today is not busy at all
        today = residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for row, row_shares in enumerate(shares):
            slicing = slicings[row]
            filled = slicing.in_slices(today[row][None] / slicing.block)
            row_shares[places[state], row_shares.shape[1] // 2] = busy_shares(filled, slicing.count, weights)[
                0
            ]
    return tuple(_table(row_shares, months, places) for row_shares in shares)


def _table(of_states: Floats, months: Sequence[Month], places: Mapping[MonthState, int]) -> BusyTable:
    """The table of a row: a month of several pieces has their mean. of_states: (states, levels, slices)."""
    number: dict[Month, int] = {}
    state_of_month = np.array([number.setdefault(month, len(number)) for month in months], dtype=np.int64)
    if all(len(month) == 1 for month in number):
        return BusyTable(of_states, state_of_month)
    mixed = [
        sum((share * of_states[places[state]] for share, state in month), np.zeros_like(of_states[0]))
        for month in number
    ]
    return BusyTable(np.stack(mixed), state_of_month)
