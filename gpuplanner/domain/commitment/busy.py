"""u_k(t, j): how busy every slice of every row is in every month and at every level of demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.commitment.growth import grown
from gpuplanner.domain.commitment.residual import Capacity, ModelDemand, leftover, prepared
from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.commitment.scratch import Scratch
from gpuplanner.domain.commitment.slices import busy_shares
from gpuplanner.domain.commitment.slicing import SOON_MONTHS, Peaks, Slicing
from gpuplanner.domain.commitment.split import MILLI_GPU_SECONDS_PER_MILLI_GPU
from gpuplanner.domain.commitment.walk import EDGE, level_factors
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.contract_months import running
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window

AT_ONCE = 36_000
"""Hours times levels worked on at a time: they fit a processor's cache."""


@dataclass(frozen=True, slots=True)
class MonthState:
    """All that tells one month's demand from another's: capacity of each site, and G_t of each pool."""

    capacities: tuple[Capacity, ...]
    growth: tuple[tuple[Pool, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class BusyTable:
    """u_k of one row. Shapes: shares (states, levels, slices); state_of_month (months,)."""

    shares: Floats
    state_of_month: Ints

    def today(self, month: int) -> Floats:
        """u_k(month, 0) at today's level, shape (slices,)."""
        shares: Floats = self.shares[self.state_of_month[month], self.shares.shape[1] // 2]
        return shares


def month_states(
    model: ModelDemand,
    contracts: Sequence[Contract],
    window: Window,
    growth: Mapping[Pool, float],
    fade: float,
    months: int,
    pins_apply: bool = True,
) -> tuple[MonthState, ...]:
    """The state of each month 0..months-1: who still runs, and how far demand has grown. growth: g a month by pool."""
    states = []
    factors = {pool: grown(growth[pool], fade, months).tolist() for pool in model.grows_with}
    for month in range(months):
        here = [c for c in running(contracts, window, month) if c.gpu_model == model.gpu_model]
        capacities: list[Capacity] = []
        for site in model.sites:
            free, pinned = 0, [0] * len(model.rows)
            for contract in here:
                if contract.cluster == site.cluster:
                    amount = contract.milli_gpus * MILLI_GPU_SECONDS_PER_MILLI_GPU
                    if contract.pool is None or not pins_apply:
                        free += amount
                    elif contract.pool in model.rows:
                        pinned[model.rows.index(contract.pool)] += amount
            capacities.append((tuple(map(float, pinned)), float(free)))
        by_pool = tuple((pool, factors[pool][month]) for pool in model.grows_with)
        states.append(MonthState(tuple(capacities), by_pool))
    return tuple(states)


def residual_at(model: ModelDemand, state: MonthState, hours: int) -> Floats:
    """R(h; t, 0) in milli-GPU-seconds, exact where nothing grows; shape (rows, hours)."""
    factors = {pool: np.array([factor]) for pool, factor in state.growth}
    left = leftover(prepared(model, state.capacities, hours, 1.0), factors, Scratch())
    return np.maximum(left[:, 0], 0.0)


def peaks_of(model: ModelDemand, states: Sequence[MonthState], hours: int) -> list[Peaks]:
    """The largest R(h; t, 0) of each row over the hours: of month 0, of the next 12 months, of all `states`."""

    def highest(some: Sequence[MonthState]) -> list[float]:
        peaks = np.zeros(len(model.rows))
        for state in _largest(some):
            if state not in known:
                known[state] = residual_at(model, state, hours).max(axis=1)
            peaks = np.maximum(peaks, known[state])
        # demand that grows leaves digits of rounding behind: they are no slice of their own
        return [round(float(peak), 2) / MILLI_GPU_SECONDS_PER_GPU_HOUR for peak in peaks]

    known: dict[MonthState, Floats] = {}
    spans = (states[:1], states[:SOON_MONTHS], states)
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
    return one.capacities == other.capacities and all(
        mine[1] >= theirs[1] for mine, theirs in zip(one.growth, other.growth, strict=True)
    )


def busy_tables(
    model: ModelDemand,
    states: Sequence[MonthState],
    step_sigma: Mapping[Pool, float],
    row_sigma: Sequence[float],
    slicings: Sequence[Slicing],
    hours: int,
    weights: Floats | None,
) -> tuple[BusyTable, ...]:
    """One table a row, over the months of `states`.

    step_sigma: the volatility that sets how far apart each pool's levels are; row_sigma: the volatility that each
    row is planned with (0: its one level); slicings: of each row.
    """
    places: dict[MonthState, int] = {}
    state_of_month = np.array([places.setdefault(state, len(places)) for state in states], dtype=np.int64)
    moves = any(sigma > 0 for sigma in row_sigma)
    levels = 2 * EDGE + 1 if moves else 1
    factor_of = {
        pool: np.broadcast_to(level_factors(sigma if moves else 0.0), (levels,))
        for pool, sigma in step_sigma.items()
    }
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
            factors = {pool: factor * factor_of[pool][chunk] for pool, factor in state.growth}
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
    today = residual_at(model, states[0], hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    for row, row_shares in enumerate(
        shares
    ):  # to the last digit: a slice that is not needed today is not busy at all
        slicing = slicings[row]
        month_0 = busy_shares(slicing.in_slices(today[row][None] / slicing.block), slicing.count, weights)
        row_shares[state_of_month[0], row_shares.shape[1] // 2] = month_0[0]
    return tuple(BusyTable(row_shares, state_of_month) for row_shares in shares)
