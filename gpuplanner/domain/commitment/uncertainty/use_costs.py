"""Cost of use: what use costs a month if it were like a week of the log, at each level of demand."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.busy import Month, MonthState, months_of
from gpuplanner.domain.commitment.cache import Scratch
from gpuplanner.domain.commitment.demand.model_demand import leftover, prepared
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass

WHOLE_WEEKS: Final = 4
SHARE_OF_THE_FIFTH: Final = HOURS_PER_MONTH / WEEK_HOURS - WHOLE_WEEKS
"""A month is four weeks and 58 hours' share of a whole fifth: its first hours would hold what the hour of the export
puts there."""


@dataclass(frozen=True, slots=True, eq=False)
class UseCost:
    """$ a month by use of some slices of a row. levels: factors of demand, rising, (levels,).

    weekly: of each of the log's last whole weeks, if all hours were like its hours, (levels, weeks). most: $ a month
    that it never comes to more than.
    """

    levels: Floats
    weekly: Floats
    most: float = float("inf")

    def at(self, level: Floats, weeks: np.ndarray) -> Floats:
        """$ of months of drawn weeks, (draws,), linear between levels. Shapes: level (draws,), weeks (draws, 5).

        Levels beyond the known ones count as the outermost. A month is four drawn weeks and a share of a
        fifth, in $ a month.
        """
        place = np.clip(np.searchsorted(self.levels, level, side="right") - 1, 0, len(self.levels) - 2)
        low, high = self.levels[place], self.levels[place + 1]
        above = np.clip((level - low) / (high - low), 0.0, 1.0)
        answer = (1 - above) * self._month(place, weeks) + above * self._month(place + 1, weeks)
        return np.asarray(np.minimum(answer, self.most), dtype=np.float64)

    def _month(self, place: np.ndarray, weeks: np.ndarray) -> Floats:
        """$ of drawn weeks at the level of each draw's place; place (draws,), weeks (draws, 5)."""
        usd = self.weekly[place[:, None], weeks]
        whole = usd[:, :WHOLE_WEEKS].sum(axis=1) + SHARE_OF_THE_FIFTH * usd[:, WHOLE_WEEKS]
        return np.asarray(whole * WEEK_HOURS / HOURS_PER_MONTH, dtype=np.float64)


def compute_open_share(row: PlannedRow, month: int) -> Floats:
    """The share of each part of a month in which a slice is paid by use, (parts, slices)."""
    listed, parts = row.listed, row.listed.parts_of(month)
    hours = np.diff(listed.edges_s)[parts][:, None] / HOUR_S
    denied = np.zeros(listed.held_h.shape) if row.denied_h is None else row.denied_h[: len(listed.held_h)]
    is_held = row.row.held[parts] if row.row.held is not None else False
    return np.asarray(np.clip(1 - (listed.held_h[parts] + denied[parts]) / hours - is_held, 0.0, 1.0))


def compute_most_usd(row: PlannedRow, rate: float) -> float:
    """$ a month that use comes to at most, at $ per GPU-hour: of a row whose fall is seen its log's peak around the
    clock, of any other nothing limits it."""
    if row.fall is None or not rate:
        return float("inf")
    return HOURS_PER_MONTH * float(row.demand_gpus.max()) * rate


class UseCosts:
    """Works them out for the rows of a plan; what leaves demand over alike is worked out once.

    Source: docs/formulas/uncertainty.md.
    """

    def __init__(self, ground: Ground, rows: Sequence[PlannedRow], levels: Floats, months: int) -> None:
        """levels: factors of demand, rising, (levels,). months: how many of the plan are asked about."""
        self._ground, self._levels = ground, levels
        self._hours = ground.window.hours
        self._weeks = len(ground.known(np.zeros(self._hours))) // WEEK_HOURS
        self._model = {model.gpu_model: model for model in ground.plan.models}
        self._months = {
            model.gpu_model: months_of(model, ground.below_slices, ground.window, ground.outlined, months)
            for model in ground.plan.models
        }
        self._left: dict[tuple[str | None, MonthState], Floats] = {}
        self._known: dict[tuple[object, ...], UseCost] = {}
        self.rows = rows

    def by_use(self, row: PlannedRow, month: int) -> UseCost:
        """Of all that a row pays by use in a month with its commitments held, at that month's prices but their fall.

        row: of the plan. What is above its slices is paid at its r_flex.
        """
        return self._known_cost(row, month, compute_open_share(row, month), row.row.flex.rate or 0.0)

    def of_layers(self, row: PlannedRow) -> UseCost:
        """Of what the row's layers of month 0 leave to be paid by use.

        At the price of use of month 0, which dated changes may have moved.
        """
        price = row.row.market.use_prices[0]
        return self._known_cost(
            row, 0, compute_open_share(row, 0) * price, (row.row.flex.rate or 0.0) * price
        )

    def of_slices(self, row: PlannedRow, month: int, share: Floats) -> UseCost:
        """Of a share of each slice, (slices,), and of nothing above them.

        share: 0..1. What is not a slice of the row costs nothing here.
        """
        parts = row.listed.parts_of(month)
        return self._known_cost(row, month, np.repeat(share[None], parts.stop - parts.start, axis=0), 0.0)

    def _known_cost(self, planned: PlannedRow, month: int, share: Floats, above_rate: float) -> UseCost:
        """share: of each slice that is paid by use in each part of the month, (parts, slices); above_rate: $ per
        GPU-hour of demand beyond the slices.
        """
        row = planned.row
        if not row.slices:  # it is there for runs alone, which have one future
            return UseCost(self._levels, np.zeros((len(self._levels), self._weeks)))
        if row.use is None:
            rates = np.full(row.slices, row.flex.rate or 0.0)
        else:
            rates, above_rate = np.nan_to_num(row.use.rate[month]), 0.0
        here = self._months[gpu_model_of(row.gpu_model)][month]
        key = (row.pool, row.gpu_model, here, (share * rates).tobytes(), above_rate)
        if key not in self._known:
            self._known[key] = self._cost(planned, here, share * rates, above_rate)
        return self._known[key]

    def _cost(self, row: PlannedRow, month: Month, rates: Floats, above_rate: float) -> UseCost:
        """rates: $ per GPU-hour of each slice in each part, (parts, slices). A month is the sum of its parts."""
        edges = row.row.slicing.edges
        answer = np.zeros((len(self._levels), self._weeks))
        for (share, state), of_part in zip(month, rates, strict=True):
            usd = np.concatenate(([0.0], np.cumsum(row.row.slicing.widths * of_part)))
            left = self._ground.known(self._left_over(row, state))
            hourly = np.interp(left, edges, usd) + above_rate * np.maximum(left - edges[-1], 0.0)
            weekly = hourly[:, -self._weeks * WEEK_HOURS :].reshape(len(left), self._weeks, WEEK_HOURS)
            answer += share * HOURS_PER_MONTH * weekly.mean(axis=2)
        return UseCost(self._levels, answer, compute_most_usd(row, above_rate))

    def _left_over(self, row: PlannedRow, state: MonthState) -> Floats:
        """GPUs that existing contracts leave over of a row, (levels, hours)."""
        model = self._model[gpu_model_of(row.row.gpu_model)]
        key = (model.gpu_model, state)
        if key not in self._left:
            ready = prepared(model, state.capacities, self._hours, float(MILLI_GPU_SECONDS_PER_GPU_HOUR))
            factors = {flow: factor * self._levels for flow, factor in state.factors}
            self._left[key] = leftover(ready, factors, Scratch()).copy()
        left: Floats = self._left[key][model.rows.index((row.row.pool, row.row.gpu_model))]
        return left
