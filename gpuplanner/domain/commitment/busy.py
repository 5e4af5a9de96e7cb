"""u_k(t, j): how busy every slice of every row is in every month and at every level of demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.commitment.residual import Capacity, ModelDemand, leftover, prepared
from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.commitment.scratch import Scratch
from gpuplanner.domain.commitment.slices import busy_shares
from gpuplanner.domain.commitment.split import MILLI_GPU_SECONDS_PER_MILLI_GPU
from gpuplanner.domain.commitment.walk import EDGE, level_factors
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.contract_months import running
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window

PEAK_MONTHS = 24
AT_ONCE = 36_000
"""Hours times levels worked on at a time: they fit a processor's cache."""


@dataclass(frozen=True, slots=True)
class MonthState:
    """All that tells one month's demand from another's: capacity of each site, and (1 + g)^t of each pool."""

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
    months: int,
    pins_apply: bool = True,
) -> tuple[MonthState, ...]:
    """The state of each month 0..months-1: who still runs, and how far demand has grown. growth: g a month by pool."""
    states = []
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
        grown = tuple((pool, float((1 + growth[pool]) ** month)) for pool in model.grows_with)
        states.append(MonthState(tuple(capacities), grown))
    return tuple(states)


def residual_at(model: ModelDemand, state: MonthState, hours: int) -> Floats:
    """R(h; t, 0) in milli-GPU-seconds, exact where nothing grows; shape (rows, hours)."""
    factors = {pool: np.array([grown]) for pool, grown in state.growth}
    left = leftover(prepared(model, state.capacities, hours, 1.0), factors, Scratch())
    return np.maximum(left[:, 0], 0.0)


def peaks_gpus(model: ModelDemand, states: Sequence[MonthState], hours: int) -> list[float]:
    """The largest R(h; t, 0) of each row over the hours and the months 0..24, in GPUs."""
    peaks = np.zeros(len(model.rows))
    for state in dict.fromkeys(states[: PEAK_MONTHS + 1]):
        peaks = np.maximum(peaks, residual_at(model, state, hours).max(axis=1))
    # demand that grows leaves digits of rounding behind: they are no slice of their own
    return [round(float(peak), 2) / MILLI_GPU_SECONDS_PER_GPU_HOUR for peak in peaks]


def busy_tables(
    model: ModelDemand,
    states: Sequence[MonthState],
    step_sigma: Mapping[Pool, float],
    row_sigma: Sequence[float],
    block: int,
    row_blocks: Sequence[int],
    slices: Sequence[int],
    hours: int,
    weights: Floats | None,
) -> tuple[BusyTable, ...]:
    """One table a row, over the months of `states`.

    step_sigma: the volatility that sets how far apart each pool's levels are; row_sigma: the volatility that each
    row is planned with (0: its one level); block: GPUs a slice of the plan, row_blocks: of each row (another one only
    where layers set by hand are no whole blocks); slices: slices of each row.
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
        np.zeros((len(places), levels if sigma > 0 else 1, count))
        for sigma, count in zip(row_sigma, slices, strict=True)
    ]
    scratch, at_once = Scratch(), max(1, AT_ONCE // hours)
    ready = {}
    for state, place in places.items():
        if state.capacities not in ready:
            unit = float(MILLI_GPU_SECONDS_PER_GPU_HOUR * block)
            ready[state.capacities] = prepared(model, state.capacities, hours, unit)
        for first in range(0, levels, at_once):
            chunk = slice(first, first + at_once)
            factors = {pool: grown * factor_of[pool][chunk] for pool, grown in state.growth}
            left = leftover(ready[state.capacities], factors, scratch)
            for row, count in enumerate(slices):
                if row_blocks[row] != block:
                    left[row] *= block / row_blocks[row]
                if row_sigma[row] > 0 or levels == 1:
                    shares[row][place, chunk] = busy_shares(left[row], count, weights, scratch)
                elif first <= levels // 2 < first + at_once:
                    shares[row][place, 0] = busy_shares(left[row, levels // 2 - first][None], count, weights)[
                        0
                    ]
    today = residual_at(model, states[0], hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    for row, row_shares in enumerate(
        shares
    ):  # to the last digit: a slice that is not needed today is not busy at all
        month_0 = busy_shares(today[row][None] / row_blocks[row], slices[row], weights)
        row_shares[state_of_month[0], row_shares.shape[1] // 2] = month_0[0]
    return tuple(BusyTable(row_shares, state_of_month) for row_shares in shares)
