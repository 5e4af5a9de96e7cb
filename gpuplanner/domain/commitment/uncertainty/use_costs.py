"""What use costs a month if it were like a week of the log, at each level of demand: what bands are drawn from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.busy import Month, MonthState, months_of
from gpuplanner.domain.commitment.demand.residual import leftover, prepared
from gpuplanner.domain.commitment.demand.scratch import Scratch
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.layers import by_use_share
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import bound_in, committed_share
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.log.log_length import WEEK_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH

WHOLE_WEEKS: Final = 4
PART_HOURS: Final = HOURS_PER_MONTH - WHOLE_WEEKS * WEEK_HOURS
"""A month is four weeks and the first 58 hours of a fifth."""


@dataclass(frozen=True, slots=True, eq=False)
class UseCost:
    """$ a month by use of some slices of a row. levels: factors of demand, rising, (levels,).

    whole, part: of each of the log's last whole weeks, if all hours were like its hours, or like its first 58; shape
    (levels, weeks).
    """

    levels: Floats
    whole: Floats
    part: Floats

    def at(self, level: Floats, weeks: np.ndarray) -> Floats:
        """$ of months of drawn weeks, (draws,), linear between levels. Shapes: level (draws,), weeks (draws, 5).

        Levels beyond the known ones count as the outermost. A month is four drawn weeks and a part of a
        fifth, in $ a month.
        """
        place = np.clip(np.searchsorted(self.levels, level, side="right") - 1, 0, len(self.levels) - 2)
        low, high = self.levels[place], self.levels[place + 1]
        above = np.clip((level - low) / (high - low), 0.0, 1.0)
        answer = (1 - above) * self._month(place, weeks) + above * self._month(place + 1, weeks)
        return np.asarray(answer, dtype=np.float64)

    def _month(self, place: np.ndarray, weeks: np.ndarray) -> Floats:
        """$ of drawn weeks at the level of each draw's place; place (draws,), weeks (draws, 5)."""
        whole = self.whole[place[:, None], weeks[:, :WHOLE_WEEKS]].sum(axis=1) * WEEK_HOURS
        last = self.part[place, weeks[:, WHOLE_WEEKS]] * PART_HOURS
        return np.asarray((whole + last) / HOURS_PER_MONTH, dtype=np.float64)


class UseCosts:
    """Works them out for the rows of a plan; what leaves demand over alike is worked out once.

    Source: docs/formulas.md, Uncertainty and cost of separation.
    """

    def __init__(self, ground: Ground, rows: Sequence[PlannedRow], levels: Floats, months: int) -> None:
        """levels: factors of demand, rising, (levels,). months: how many of the plan are asked about."""
        self._ground, self._levels = ground, levels
        self._hours = ground.window.hours
        self._weeks = self._hours // WEEK_HOURS
        self._model = {model.gpu_model: model for model in ground.plan.models}
        self._months = {
            model.gpu_model: months_of(
                model, ground.plan.contracts, ground.window, ground.outlined, months, pins_apply=True
            )
            for model in ground.plan.models
        }
        self._left: dict[tuple[str | None, MonthState], Floats] = {}
        self._known: dict[tuple[object, ...], UseCost] = {}
        self.rows = rows

    def by_use(self, one: PlannedRow, month: int) -> UseCost:
        """Of all that a row pays by use in a month with its commitments held, at that month's prices but their fall.

        one: a row of the plan. What is above its slices is paid at its r_flex.
        """
        since, place = bound_in(one.signed, month)
        share, _ = committed_share(one.row, since, place, month)
        return self._known_cost(one, month, np.where(since >= 0, 1 - share, 1.0), one.row.flex.rate or 0.0)

    def of_layers(self, one: PlannedRow) -> UseCost:
        """Of what the row's layers of month 0 leave to be paid by use.

        At the price of use of month 0, which dated changes may have moved.
        """
        share = by_use_share(one.row, one.signed) * one.row.market.use_prices[0]
        return self._known_cost(one, 0, share, (one.row.flex.rate or 0.0) * one.row.market.use_prices[0])

    def of_slices(self, one: PlannedRow, month: int, share: Floats) -> UseCost:
        """Of a share of each slice, (slices,), and of nothing above them.

        share: 0..1. What is not a slice of the row costs nothing here.
        """
        return self._known_cost(one, month, share, 0.0)

    def _known_cost(self, one: PlannedRow, month: int, share: Floats, above_rate: float) -> UseCost:
        """share: of each slice that is paid by use, (slices,); above_rate: $ per GPU-hour of demand beyond
        the slices.
        """
        row = one.row
        if row.use is None:
            rates = np.full(row.slices, row.flex.rate or 0.0)
        else:
            rates, above_rate = np.nan_to_num(row.use.rate[month]), 0.0
        here = self._months[gpu_model_of(row.gpu_model)][month]
        key = (row.pool, row.gpu_model, here, (share * rates).tobytes(), above_rate)
        if key not in self._known:
            self._known[key] = self._cost(one, here, share * rates, above_rate)
        return self._known[key]

    def _cost(self, one: PlannedRow, month: Month, rates: Floats, above_rate: float) -> UseCost:
        """rates: $ per GPU-hour of each slice, (slices,). A month in pieces is their sum by length."""
        edges = one.row.slicing.edges
        usd = np.concatenate(([0.0], np.cumsum(one.row.slicing.widths * rates)))
        whole, part = (np.zeros((len(self._levels), self._weeks)) for _ in range(2))
        for share, state in month:
            left = self._left_over(one, state)
            hourly = np.interp(left, edges, usd) + above_rate * np.maximum(left - edges[-1], 0.0)
            weekly = hourly[:, -self._weeks * WEEK_HOURS :].reshape(len(left), self._weeks, WEEK_HOURS)
            whole += share * HOURS_PER_MONTH * weekly.mean(axis=2)
            part += share * HOURS_PER_MONTH * weekly[:, :, :PART_HOURS].mean(axis=2)
        return UseCost(self._levels, whole, part)

    def _left_over(self, one: PlannedRow, state: MonthState) -> Floats:
        """GPUs that existing contracts leave over of a row, (levels, hours)."""
        model = self._model[gpu_model_of(one.row.gpu_model)]
        key = (model.gpu_model, state)
        if key not in self._left:
            ready = prepared(model, state.capacities, self._hours, float(MILLI_GPU_SECONDS_PER_GPU_HOUR))
            factors = {flow: factor * self._levels for flow, factor in state.factors}
            self._left[key] = leftover(ready, factors, Scratch()).copy()
        left: Floats = self._left[key][model.rows.index((one.row.pool, one.row.gpu_model))]
        return left
