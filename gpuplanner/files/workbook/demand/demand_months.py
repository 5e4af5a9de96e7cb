"""Demand, the later months' part: what contracts leave over of each pool and model in months 0 to 11."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool
from gpuplanner.files.workbook.demand.demand_plan import left_over_columns
from gpuplanner.files.workbook.demand.demand_split import write_split
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import Heading, HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.month_contracts import (
    WHICH,
    CapacityKey,
    differs_without_signing,
    is_served,
    running_places,
    serving_places,
)
from gpuplanner.files.workbook.inputs.month_left_over import Amount, fits_a_formula, left_over
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, PairKey, model_words
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import Expr, call, copy_of, lift


@dataclass(frozen=True, slots=True, eq=False)
class MonthDemand:
    """GPUs left over in each hour of one month. column: where a column of Demand is the whole of it."""

    hours: Amount
    column: HourColumn | None = None

    def same_as(self, other: "MonthDemand") -> bool:
        """Whether it is the same amount of GPUs in every hour, whatever the inputs."""
        return self.hours.text == other.hours.text


def mean_above(hours: HourSheet, demand: MonthDemand, low: Expr, size: Expr | None) -> Expr:
    """Mean GPUs above `low`, at most `size` of them (None: all); as HourSheet.mean_between.

    An array may be long and stands in the formula twice at most: max(0, x) is (|x| + x) / 2.
    """
    if demand.column is not None:
        return hours.mean_between(demand.column, low, size)
    over, text = np.maximum(demand.hours.values - low.number, 0.0), demand.hours.text
    if low.text != "0":
        text = f"{text}-{low.text}"
    if size is not None:
        over = np.minimum(over, size.number)
        clipped = f"(ABS({text})-ABS({text}-{size.text})+{size.text})/2"
    elif low.text == "0":
        clipped = text
    else:
        clipped = f"(ABS({text})+{text})/2"
    value = float((hours.weight.values * over).sum())
    return call("SUMPRODUCT", value, hours.weight.range, clipped) / hours.weight_sum


def means_by_month(
    hours: HourSheet,
    table: Table,
    place: int,
    left_over: Callable[[int], MonthDemand],
    low: Expr,
    size: Expr | None,
) -> None:
    """Mean GPUs of each month's left over above `low`, in the columns m0 to m11; months alike read the first of them.

    size: GPUs at most (None: all above)."""
    seen: list[tuple[MonthDemand, int]] = []
    for month in range(COMPARED_MONTHS):
        demand = left_over(month)
        first = next((each for known_one, each in seen if known_one.same_as(demand)), None)
        if first is not None:
            table.put(f"m{month}", place, copy_of(table.cell(f"m{first}", place)))
            continue
        seen.append((demand, month))
        table.put(f"m{month}", place, mean_above(hours, demand, low, size))


def whole(column: HourColumn) -> MonthDemand:
    """A whole column as the demand of a month."""
    return MonthDemand(Amount(column.range.text, column.values), column)


class MonthsAhead(Protocol):
    """What is left over in each of the twelve months, however it is written."""

    def left_over(self, which: str, pair: PairKey, month: int) -> MonthDemand:
        """What contracts leave over of a pool and model in a month; which: existing or all."""


class LaterMonths:
    """What is left over in later months: arrays for formulas; where these get too long, columns of Demand."""

    def __init__(
        self,
        hours: HourSheet,
        inputs: Inputs,
        contracts: Contracts,
        capacities: Mapping[tuple[CapacityKey, int], Expr],
        factors: Mapping[tuple[Pool, int], Expr],
    ) -> None:
        """capacities: GPUs of a month by key; factors: of growth, by pool and month, cells."""
        self.hours, self.inputs, self.contracts = hours, inputs, contracts
        self.capacities, self.factors = capacities, factors
        self.served = {pair: is_served(inputs, pair) for pair in inputs.pairs_of_nothing}
        self.clusters = sorted({key[0] for key in inputs.plan})
        self._running = {
            (which, month): running_places(inputs, which, month)
            for which in WHICH
            for month in range(COMPARED_MONTHS)
        }
        self._sums: dict[tuple[PairKey, str], HourColumn] = {}
        self._fits = {model: fits_a_formula(inputs, model) for model in {pair[1] for pair in self.served}}
        self._arrays: dict[tuple[str, PairKey, int], MonthDemand] = {}

    def left_over(self, which: str, pair: PairKey, month: int) -> MonthDemand:
        """What contracts leave over of a pool and model in a month."""
        pool = pair[0]
        today = self.hours.column(("over" if which == "existing" else "over_now", *pair))
        if month == 0:
            return whole(today)
        if not self.served[pair]:
            return MonthDemand(self._with_growth(pool, today, month))
        if self._fits[pair[1]]:
            key = (which, pair, month)
            if key not in self._arrays:
                self._arrays[key] = MonthDemand(self._array(which, pair, month, today))
            return self._arrays[key]
        return self._of_column(which, pair, month, today)

    def _with_growth(self, pool: Pool, column: HourColumn, month: int) -> Amount:
        """A column times how its pool has grown by a month."""
        factor = self.factors[pool, month]
        return Amount(f"{column.range.text}*{factor.text}", column.values * factor.number)

    def _array(self, which: str, pair: PairKey, month: int, today: HourColumn) -> Amount:
        """From the month's demand and the contracts of the month, all of them cells."""
        pool, model = pair
        texts, total = [], np.zeros(self.hours.hours)
        for cluster in self.clusters:
            served_by = which
            if which == "all" and not differs_without_signing(self.inputs, cluster):
                served_by = "existing"
            gpus = {
                each: self.capacities[key, month]
                for each in (None, *SERVING_ORDER)
                if ((key := (served_by, cluster, model, each)), month) in self.capacities
            }
            free = gpus.pop(None, None)
            pins = {each: cell for each, cell in gpus.items() if each is not None}
            streams = [
                (each, self._with_growth(each, column, month))
                for each, column in self._streams(served_by, cluster, model)
            ]
            part = left_over(streams, pool, free, pins)
            if part is not None:
                texts.append(part.text)
                total = total + part.values
        return Amount("+".join(texts) or f"0*{today.range.text}", total)

    def _of_column(self, which: str, pair: PairKey, month: int, today: HourColumn) -> MonthDemand:
        """A column of Demand, at the growth that the app has; months alike share one."""
        pool = pair[0]
        parts = [self._part(which, cluster, pair, month) for cluster in self.clusters]
        if all(part is None for part in parts):
            return whole(today)
        texts, total = [], np.zeros(self.hours.hours)
        for cluster, found in zip(self.clusters, parts, strict=True):
            part = found
            if part is None:
                part = [(one.now, one.values) for one in self._month_0(which, cluster, pair)]
            texts += [text for text, _ in part]
            total = total + sum((values for _, values in part), np.zeros(self.hours.hours))
        text = "+".join(texts) or "0"
        column = self._sums.get((pair, text))
        if column is None:
            words = "beyond existing contracts" if which == "existing" else "beyond all contracts"
            heading = Heading(f"{pool} pool", model_words(pair[1]), f"demand {words}, month {month}", pool)
            column = self.hours.add_formula(("over_month", which, *pair, month), heading, total, text)
            self._sums[pair, text] = column
        return whole(column)

    def _month_0(self, which: str, cluster: str, pair: PairKey) -> list[HourColumn]:
        """The columns that the plan's part of the sheet already has for month 0."""
        return left_over_columns(self.hours, self.inputs, cluster, pair, which)

    def _grows(self, pool: Pool, month: int) -> bool:
        """Whether a pool's demand differs from month 0 in a month."""
        return month > 0 and self.inputs.assumptions.of_pool("growth", pool) != 0

    def _part(self, which: str, cluster: str, pair: PairKey, month: int) -> list[tuple[str, Floats]] | None:
        """What a cluster leaves over of a pair; None where it is what it leaves in month 0."""
        pool, model = pair
        if which == "all" and not differs_without_signing(self.inputs, cluster):
            which = "existing"
        here = [self._of_model(which, each, cluster, model) for each in (0, month)]
        streams = self._streams(which, cluster, model)
        grow = any(self._grows(each, month) for each, _ in streams)
        if here[0] == here[1] and not (grow if here[1] else self._grows(pool, month)):
            return None
        if not here[1]:
            own = [column for each, column in streams if each is pool]
            return [self._grown(pool, column, month) for column in own]
        first = min(
            each
            for each in range(month + 1)
            if self._of_model(which, each, cluster, model) == here[1] and (each == month or not grow)
        )
        key = ("left_month", which, cluster, model, pool, first)
        column = self.hours.find(key)
        if column is None and any(each is pool for each, _ in streams):
            column = self._serve(which, cluster, pair, first, streams)
        return [] if column is None else [(column.now, column.values)]

    def _of_model(self, which: str, month: int, cluster: str, model: str | None) -> frozenset[int]:
        """The contracts of a cluster and a model that run in a month, by their place."""
        return frozenset(
            place
            for place in self._running[which, month]
            if (self.inputs.contracts[place].cluster, self.inputs.contracts[place].gpu_model)
            == (cluster, model)
        )

    def _streams(self, which: str, cluster: str, model: str | None) -> list[tuple[Pool, HourColumn]]:
        """Demand for a model on a cluster in the order of serving: known of every pool, then the split unknown one."""
        known = [("plan", cluster, model, pool) for pool in SERVING_ORDER] if model is not None else []
        untyped: list[tuple[str | None, ...]] = []
        if self._splits(which, cluster):
            if (
                self.hours.find(
                    ("split", which, cluster, self.inputs.usual_model(cluster), self._any(cluster))
                )
                is None
            ):
                write_split(self.hours, self.inputs, self.contracts, cluster, which)
            untyped = [("split", which, cluster, model, pool) for pool in SERVING_ORDER]
        elif self.inputs.usual_model(cluster) == model:
            untyped = [("plan", cluster, None, pool) for pool in SERVING_ORDER]
        return [
            (Pool(str(key[-1])), column)
            for key in (*known, *untyped)
            if (column := self.hours.find(key)) is not None
        ]

    def _splits(self, which: str, cluster: str) -> bool:
        """Whether contracts of several models may serve the cluster's demand of unknown model."""
        serve = bool(serving_places(self.inputs, which))
        return serve and self._any(cluster) is not None and self.inputs.has_mixed_models(cluster)

    def _any(self, cluster: str) -> Pool | None:
        """One pool with demand of unknown model on a cluster."""
        return next((key[2] for key in self.inputs.plan if key[:2] == (cluster, None)), None)

    def _grown(self, pool: Pool, column: HourColumn, month: int) -> tuple[str, Floats]:
        """Formula and values of a column in one hour, grown by a month; without growth just the column."""
        if not self._grows(pool, month):
            return column.now, column.values
        factor = self.factors[pool, month]
        return f"{column.now}*{factor.text}", column.values * factor.number

    def _serve(
        self,
        which: str,
        cluster: str,
        pair: PairKey,
        month: int,
        streams: Sequence[tuple[Pool, HourColumn]],
    ) -> HourColumn:
        """What is left of a pool's streams: with A the demand in serving order so far, max(A - C, 0) of it."""
        pool, model = pair
        free = self._capacity(which, cluster, model, None, month)
        wanted: dict[Pool, list[tuple[str, Floats]]] = {}
        past: list[str] = []
        before_text, before = "", np.zeros(self.hours.hours)
        left_texts, left = [], np.zeros(self.hours.hours)
        total = np.zeros(self.hours.hours)
        for each, column in streams:
            wanted.setdefault(each, []).append(self._grown(each, column, month))
            text, values = self._beyond_pins(wanted[each], self._capacity(which, cluster, model, each, month))
            past.append(text)
            total = total + values
            so_far = "+".join(past)
            unserved = np.maximum(0.0, total - free.number)
            unserved_text = f"MAX(0,{so_far}-{free.text})"
            if each is pool:
                left_texts.append(unserved_text + (f"-{before_text}" if before_text else ""))
                left = left + unserved - before
            before_text, before = unserved_text, unserved
        heading = Heading(cluster, model_words(model), f"{pool}, left over, month {month}", pool)
        text = f"MAX(0,{'+'.join(left_texts)})"
        key = ("left_month", which, cluster, model, pool, month)
        return self.hours.add_formula(key, heading, np.maximum(0.0, left), text)

    def _beyond_pins(self, wanted: Sequence[tuple[str, Floats]], pin: Expr) -> tuple[str, Floats]:
        """Of a pool's latest stream, what its pinned contracts leave."""
        text, values = wanted[-1]
        if pin.text == "0":
            return text, values
        so_far = [
            sum((each for _, each in wanted[:count]), np.zeros(self.hours.hours)) for count in (-1, None)
        ]
        left = np.maximum(0.0, so_far[1] - pin.number)
        all_text = f"MAX(0,{'+'.join(each for each, _ in wanted)}-{pin.text})"
        if len(wanted) == 1:
            return all_text, left
        first = "+".join(each for each, _ in wanted[:-1])
        return f"({all_text}-MAX(0,{first}-{pin.text}))", left - np.maximum(0.0, so_far[0] - pin.number)

    def _capacity(self, which: str, cluster: str, model: str | None, pool: Pool | None, month: int) -> Expr:
        """GPUs of contracts of this cluster, model and pool in a month; 0 if there are none."""
        return self.capacities.get(((which, cluster, model, pool), month), lift(0))
