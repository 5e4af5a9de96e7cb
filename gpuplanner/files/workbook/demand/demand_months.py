"""Demand of the months ahead: what contracts leave over of it as it grows, and in a plan with dates, part by part."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Protocol

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.streams import ModelDemand, Stream
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import Contract, merit
from gpuplanner.domain.model.book.only import ANYBODY, only_of
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.files.workbook.demand.demand_plan import NOTHING, left_over_columns, write_split
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import Heading, HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.sheet_inputs import (
    WHICH,
    CapacityKey,
    Inputs,
    PairKey,
    cluster_words,
    differs_without_signing,
    fits_a_formula,
    is_served,
    left_of,
    left_over,
    model_words,
    running_places,
    serving_places,
)
from gpuplanner.files.workbook.inputs.workloads_sheet import Dates
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import Expr, Range, added, by_row, call, lift, summed


@dataclass(frozen=True, slots=True, eq=False)
class MonthDemand:
    """GPUs left over in each hour of one month. column: where a column of Demand is the whole of it."""

    hours: Range
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
    above = demand.hours if low.text == "0" else by_row("{hours}-{low}", hours=demand.hours, low=low)
    if size is not None:
        above = by_row("(ABS({above})-ABS({above}-{size})+{size})/2", above=above, size=size)
    elif low.text != "0":
        above = by_row("(ABS({above})+{above})/2", above=above)
    return call("SUMPRODUCT", hours.weight.range, above) / hours.weight_sum


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
            table.put(f"m{month}", place, table.cell(f"m{first}", place))
            continue
        seen.append((demand, month))
        table.put(f"m{month}", place, mean_above(hours, demand, low, size))


def whole(column: HourColumn) -> MonthDemand:
    """A whole column as the demand of a month."""
    return MonthDemand(column.range, column)


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

    def _with_growth(self, pool: Pool, column: HourColumn, month: int) -> Range:
        """A column times how its pool has grown by a month."""
        return by_row("{hours}*{factor}", hours=column.range, factor=self.factors[pool, month])

    def _array(self, which: str, pair: PairKey, month: int, today: HourColumn) -> Range:
        """From the month's demand and the contracts of the month, all of them cells."""
        pool, model = pair
        found = []
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
                found.append(part)
        return summed(found) if found else by_row("0*{hours}", hours=today.range)

    def _of_column(self, which: str, pair: PairKey, month: int, today: HourColumn) -> MonthDemand:
        """A column of Demand, at the growth that the app has; months alike share one."""
        pool = pair[0]
        parts = [self._part(which, cluster, pair, month) for cluster in self.clusters]
        if all(part is None for part in parts):
            return whole(today)
        found: list[Range] = []
        for cluster, part in zip(self.clusters, parts, strict=True):
            found += [one.here for one in self._month_0(which, cluster, pair)] if part is None else part
        total = summed(found)
        column = self._sums.get((pair, total.text))
        if column is None:
            words = "beyond existing contracts" if which == "existing" else "beyond all contracts"
            heading = Heading(f"{pool} pool", model_words(pair[1]), f"demand {words}, month {month}", pool)
            column = self.hours.add_formula(("over_month", which, *pair, month), heading, total)
            self._sums[pair, total.text] = column
        return whole(column)

    def _month_0(self, which: str, cluster: str, pair: PairKey) -> list[HourColumn]:
        """The columns that the plan's part of the sheet already has for month 0."""
        return left_over_columns(self.hours, self.inputs, cluster, pair, which)

    def _grows(self, pool: Pool, month: int) -> bool:
        """Whether a pool's demand differs from month 0 in a month."""
        return month > 0 and self.inputs.assumptions.of_pool("growth", pool) != 0

    def _part(self, which: str, cluster: str, pair: PairKey, month: int) -> list[Range] | None:
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
        return [] if column is None else [column.here]

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

    def _grown(self, pool: Pool, column: HourColumn, month: int) -> Range:
        """A column in one hour, grown by a month; without growth just the column."""
        if not self._grows(pool, month):
            return column.here
        return by_row("{here}*{factor}", here=column.here, factor=self.factors[pool, month])

    def _serve(
        self, which: str, cluster: str, pair: PairKey, month: int, streams: Sequence[tuple[Pool, HourColumn]]
    ) -> HourColumn:
        """What is left of a pool's streams: with A the demand in serving order so far, max(A - C, 0) of it."""
        pool, model = pair
        free = self._capacity(which, cluster, model, None, month)
        wanted: dict[Pool, list[Range]] = {}
        past: list[Range] = []
        before: Range | None = None
        left: list[Range] = []
        for each, column in streams:
            wanted.setdefault(each, []).append(self._grown(each, column, month))
            past.append(_beyond_pins(wanted[each], self._capacity(which, cluster, model, each, month)))
            unserved = by_row("MAX(0,{so_far}-{free})", so_far=summed(past), free=free)
            if each is pool:
                more = "{unserved}" if before is None else "{unserved}-{before}"
                left.append(by_row(more, unserved=unserved, before=before or unserved))
            before = unserved
        heading = Heading(cluster, model_words(model), f"{pool}, left over, month {month}", pool)
        key = ("left_month", which, cluster, model, pool, month)
        return self.hours.add_formula(key, heading, by_row("MAX(0,{left})", left=summed(left)))

    def _capacity(self, which: str, cluster: str, model: str | None, pool: Pool | None, month: int) -> Expr:
        """GPUs of contracts of this cluster, model and pool in a month; 0 if there are none."""
        return self.capacities.get(((which, cluster, model, pool), month), lift(0))


def _beyond_pins(wanted: Sequence[Range], pin: Expr) -> Range:
    """Of a pool's latest stream, what its pinned contracts leave."""
    if pin.text == "0":
        return wanted[-1]
    of_all = by_row("MAX(0,{all}-{pin})", all=summed(wanted), pin=pin)
    if len(wanted) == 1:
        return of_all
    first = by_row("MAX(0,{first}-{pin})", first=summed(wanted[:-1]), pin=pin)
    return by_row("({of_all}-{first})", of_all=of_all, first=first)


LONGEST_SITE: Final = 700
"""Characters of what a cluster leaves over, within the formula of all clusters: a longer one is a column of its own."""
WORDS: Final = {"existing": "demand beyond existing contracts", "all": "demand beyond all contracts"}

Capacity = Sequence[tuple[frozenset[int], Expr]]
"""Of a cluster: the rows of its model that some GPUs serve, and how many these are."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a month in which nothing of a model begins, ends or steps. number: of its first span.

    share: of the month; None where it is all of it.
    """

    month: int
    number: int
    share: Expr | None


@dataclass(frozen=True, slots=True)
class MonthCapacity:
    """GPUs of contracts in a month. of_pin: by cluster, GPU model and pool (None: those that serve every pool).

    of_contract: of one contract. contracts: those that serve, in merit order, with what `of_contract` knows them by.
    are_pinned: whether a contract pinned to a pool serves that pool alone.
    """

    of_pin: Callable[[str, str | None, Pool | None], Expr | None]
    of_contract: Callable[[int], Expr]
    contracts: Sequence[tuple[int, Contract]]
    are_pinned: bool = True

    def of(self, cluster: str, model: ModelDemand) -> Capacity:
        """Those of a cluster for the rows of a model, in the order in which demand turns to them."""
        every = frozenset(range(len(model.rows)))
        if any(only_of(name) != ANYBODY for _, name in model.rows):
            return self._one_by_one(cluster, model)
        if not self.are_pinned:
            cells = [cell for pool in (None, *Pool) if (cell := self.of_pin(cluster, model.gpu_model, pool))]
            return [(every, added(cells))] if cells else []
        found: list[tuple[frozenset[int], Expr]] = []
        for pool in model.pools:
            gpus = self.of_pin(cluster, model.gpu_model, pool)
            if gpus is not None:
                found.append((frozenset(at for at, row in enumerate(model.rows) if row[0] is pool), gpus))
        free = self.of_pin(cluster, model.gpu_model, None)
        return found if free is None else [*found, (every, free)]

    def _one_by_one(self, cluster: str, model: ModelDemand) -> Capacity:
        """The same where a contract may not serve every row; neighbours that serve the same are one."""
        found: list[tuple[frozenset[int], list[Expr]]] = []
        for pin in (*model.pools, None) if self.are_pinned else (None,):
            for place, contract in self.contracts:
                if (contract.cluster, contract.gpu_model) != (cluster, model.gpu_model):
                    continue
                if self.are_pinned and contract.pool is not pin:
                    continue
                rows = frozenset(
                    at
                    for at, (pool, name) in enumerate(model.rows)
                    if pin in (None, pool) and only_of(name).allows(contract)
                )
                if found and found[-1][0] == rows:
                    found[-1][1].append(self.of_contract(place))
                elif rows:
                    found.append((rows, [self.of_contract(place)]))
        return [(rows, added(cells)) for rows, cells in found]


def serving_in_turn(inputs: Inputs, which: str) -> list[tuple[int, Contract]]:
    """The contracts that serve, with their places, in merit order; which: existing or all."""
    found = [(place, inputs.contracts[place]) for place in serving_places(inputs, which)]
    return sorted(found, key=lambda one: merit(one[1]))


class DatedDemand:
    """Columns of what is logged and planned, as it is served, and of what is left over in parts of months."""

    def __init__(self, hours: HourSheet, inputs: Inputs, contracts: Contracts, dates: Dates) -> None:
        self.hours, self.inputs, self.contracts, self.dates = hours, inputs, contracts, dates
        ground = inputs.ground
        self._served = {"existing": ground.plan, "all": ground.nothing}
        self._there: dict[tuple[Hashable, bytes], HourColumn] = {}
        self._sums: dict[tuple[Hashable, str], HourColumn] = {}

    def write_month_0(self) -> None:
        """Demand of each pool and model in month 0 and what contracts leave of it, now and with all pools in one."""
        for pair in self.inputs.pairs_of_nothing:
            if pair in self.inputs.pairs:
                self._demand(pair)
                self.left("existing", pair, 0, self._now("existing"), {})
            self.left("all", pair, 0, self._now("all"), {})
        for name in dict.fromkeys(pair[1] for pair in self.inputs.pairs):
            self._joint(name)

    def left(
        self,
        which: str,
        pair: PairKey,
        month: int,
        capacity: MonthCapacity,
        growth: Mapping[tuple[Pool, int], Expr],
    ) -> HourColumn:
        """What contracts leave over of a pool and model in a month; of a month in parts the mean, by its parts."""
        model = self._model(which, pair)
        heading = Heading(f"{pair[0]} pool", model_words(pair[1]), f"{WORDS[which]}, month {month}", pair[0])
        key: tuple[Hashable, ...] = (("over" if which == "existing" else "over_now"), *pair)
        key = key if month == 0 else (*key, month)
        if model is None:
            return self._column(key, heading, NOTHING)
        row = model.rows.index(pair)

        def of_part(part: Part) -> Range:
            return self._left_of_model(model, (which, row), part, capacity, growth)

        return self._in_parts(key, heading, self._parts(model, month), of_part)

    def _model(self, which: str, pair: PairKey) -> ModelDemand | None:
        """The model that a row is of, as the plan sees demand or as doing nothing does."""
        return next((model for model in self._served[which].models if pair in model.rows), None)

    def _now(self, which: str) -> MonthCapacity:
        """GPUs that run through month 0, cell by cell of Contracts."""
        one_by_one, is_green = self.contracts.one_by_one, self.inputs.scenario.greenfield

        def of_pin(cluster: str, model: str | None, pool: Pool | None) -> Expr | None:
            if which == "existing" and is_green:
                return None
            return self.contracts.gpus(self.served_by(which, cluster), cluster, model, pool)

        def of_contract(place: int) -> Expr:
            assert one_by_one is not None  # else every contract serves every row
            return one_by_one.cell(self.served_by(which, self.inputs.contracts[place].cluster), place)

        return MonthCapacity(of_pin, of_contract, serving_in_turn(self.inputs, which))

    def served_by(self, which: str, cluster: str) -> str:
        """Whose GPUs serve a cluster: with nothing signed those of the plan, too, where it has no others."""
        return which if which == "existing" or differs_without_signing(self.inputs, cluster) else "existing"

    def _parts(self, model: ModelDemand, month: int) -> list[Part]:
        """The parts of a month in which something of a model differs; neighbours that are alike are one."""
        groups = sorted({flow.group for flow in model.flows})
        numbers = [part for at, part in self.dates.shares if at == month]
        alike = [
            list(run)
            for _, run in groupby(
                numbers, key=lambda part: [self.dates.there[each, month, part] for each in groups]
            )
        ]
        if len(alike) == 1:
            return [Part(month, 0, None)]
        found = []
        for some in alike:
            shares = [self.dates.shares[month, part] for part in some]
            found.append(Part(month, some[0], added(shares)))
        return found

    def _demand(self, pair: PairKey) -> None:
        """All of a pool's and model's demand in month 0."""
        model = self._model("existing", pair)
        heading = Heading(f"{pair[0]} pool", model_words(pair[1]), "demand, month 0", pair[0])
        if model is None:
            self._column(("demand", *pair), heading, NOTHING)
            return
        row = model.rows.index(pair)

        def of_part(part: Part) -> Range:
            mine = [
                self._amount(model, site.cluster, run, part, {})
                for site in model.sites
                for run in _runs(site.streams)
                if run[0].row == row
            ]
            return summed(mine)

        self._in_parts(("demand", *pair), heading, self._parts(model, 0), of_part)

    def _joint(self, name: str | None) -> None:
        """What existing contracts leave over in month 0 with all pools of a model in one; pins are ignored."""
        heading = Heading("all pools", model_words(name), "demand beyond existing contracts, pools together")
        key = ("over_joint", name)
        model = next(
            (each for each in self.inputs.ground.plan.models if name in {row[1] for row in each.rows}), None
        )
        if model is None:
            self._column(key, heading, NOTHING)
            return
        names = list(dict.fromkeys(row[1] for row in model.rows))
        joined = [names.index(row[1]) for row in model.rows]
        sites = tuple(
            replace(site, streams=tuple(replace(one, row=joined[one.row]) for one in site.streams))
            for site in model.sites
        )
        together = ModelDemand(model.gpu_model, tuple((model.rows[0][0], each) for each in names), sites)
        capacity = replace(self._now("existing"), are_pinned=False)

        def of_part(part: Part) -> Range:
            return self._left_of_model(together, ("existing", names.index(name)), part, capacity, {})

        self._in_parts(key, heading, self._parts(model, 0), of_part)

    def _in_parts(
        self, key: Hashable, heading: Heading, parts: Sequence[Part], of_part: Callable[[Part], Range]
    ) -> HourColumn:
        """A column of a month; where it has parts the mean of a column each."""
        if len(parts) == 1:
            return self._column(key, heading, of_part(parts[0]))
        columns = []
        for number, part in enumerate(parts, 1):
            assert part.share is not None
            of_one = replace(heading, what=f"{heading.what}, part {number}")
            columns.append((part.share, self._column((key, number), of_one, of_part(part))))
        mean = summed(
            [by_row("{share}*{hours}", share=share, hours=column.here) for share, column in columns]
        )
        self._column(key, replace(heading, what=f"{heading.what}, by its parts"), mean)
        return self.hours.in_parts(key, columns)

    def _column(self, key: Hashable, heading: Heading, amount: Range) -> HourColumn:
        """A column of an amount; one of the same heading's pool whose formula is the same is the same column."""
        again = ((heading.where, heading.gpu_model), amount.text)
        found = self._sums.get(again)
        if found is None:
            found = self._sums[again] = self.hours.add_formula(key, heading, amount)
        self.hours.columns[key] = found
        return found

    def _left_of_model(
        self,
        model: ModelDemand,
        whose: tuple[str, int],
        part: Part,
        capacity: MonthCapacity,
        growth: Mapping[tuple[Pool, int], Expr],
    ) -> Range:
        """What contracts leave over of a row of a model, all clusters together. whose: existing or all, and the row."""
        which, row = whose
        found = []
        for site in model.sites:
            serving = capacity.of(site.cluster, model)
            runs = _runs(site.streams)
            if not serving:
                runs = [run for run in runs if run[0].row == row]
            streams = [(run[0].row, self._amount(model, site.cluster, run, part, growth)) for run in runs]
            left = left_of(streams, row, serving)
            if left is None:
                continue
            if len(left.text) > LONGEST_SITE:
                heading = Heading(
                    cluster_words(site.cluster),
                    model_words(model.rows[row][1]),
                    f"{model.rows[row][0]}, left over, month {part.month}, part {part.number + 1}",
                )
                key = ("left_month", which, site.cluster, model.rows[row], part.month, part.number, left.text)
                column = self._column(key, heading, left)
                left = column.here
            found.append(left)
        return summed(found)

    def _amount(
        self,
        model: ModelDemand,
        cluster: str,
        streams: Sequence[Stream],
        part: Part,
        growth: Mapping[tuple[Pool, int], Expr],
    ) -> Range:
        """What of some streams of one row is there in a part of a month, times how it has grown: planned work does
        not."""
        schedules = self.inputs.ground.outlined.schedules
        there: dict[tuple[Pool, bool], Floats] = {}
        for stream in streams:
            flow = (stream.grows_with, schedules[stream.group].is_planned)
            factor = self.dates.there[stream.group, part.month, part.number]
            if factor:
                there[flow] = there.get(flow, 0.0) + stream.demand / MILLI_GPU_SECONDS_PER_GPU_HOUR * factor
        found = []
        for (pool, is_planned), gpus in there.items():
            name = model.rows[streams[0].row][1] if streams[0].row < len(model.rows) else None
            column = self._there_column(cluster, name, pool, is_planned, part, gpus)
            grown = None if is_planned else growth.get((pool, part.month))
            if grown is None:
                found.append(column.here)
            else:
                found.append(by_row("{hours}*{grown}", hours=column.here, grown=grown))
        return by_row("({total})", total=summed(found)) if len(found) > 1 else summed(found)

    def _there_column(
        self, cluster: str, name: str | None, pool: Pool, is_planned: bool, part: Part, gpus: Floats
    ) -> HourColumn:
        """Who is there hour by hour, as the app has it; months and parts in which it is the same share a column."""
        key = (cluster, pool, name, is_planned)
        again = (key, gpus.tobytes())
        column = self._there.get(again)
        if column is None:
            words = f"{pool} pool, planned" if is_planned else f"{pool} pool"
            if part.month:
                words += f", from month {part.month} on"
            elif part.share is not None:
                words += f", month 0, part {part.number + 1}"
            heading = Heading(cluster_words(cluster), model_words(name), words, pool)
            column = self.hours.add_input(("stream", *key, len(self._there)), heading, gpus)
            self._there[again] = column
        return column


def _runs(streams: Sequence[Stream]) -> list[list[Stream]]:
    """Neighbours of one row together."""
    return [list(run) for _, run in groupby(streams, key=lambda stream: stream.row)]


class DatedMonths:
    """What is left over in each of the twelve months. capacities: GPUs by key and month; growth: by pool and month."""

    def __init__(
        self,
        demand: DatedDemand,
        capacities: Mapping[tuple[CapacityKey, int], Expr],
        growth: Mapping[tuple[Pool, int], Expr],
        of_contracts: Mapping[tuple[int, int], Expr],
    ) -> None:
        """of_contracts: GPUs of each contract by its place and month, where only some may serve something."""
        self.demand, self.capacities, self.growth = demand, capacities, growth
        self.of_contracts = of_contracts
        self._columns: dict[tuple[str, PairKey, int], HourColumn] = {}

    def left_over(self, which: str, pair: PairKey, month: int) -> MonthDemand:
        """What contracts leave over of a pool and model in a month."""
        if month == 0:
            return whole(self.demand.hours.column(("over" if which == "existing" else "over_now", *pair)))
        key = (which, pair, month)
        if key not in self._columns:

            def of_pin(cluster: str, model: str | None, pool: Pool | None) -> Expr | None:
                served_by = self.demand.served_by(which, cluster)
                return self.capacities.get(((served_by, cluster, model, pool), month))

            capacity = MonthCapacity(
                of_pin,
                lambda place: self.of_contracts[place, month],
                serving_in_turn(self.demand.inputs, which),
            )
            self._columns[key] = self.demand.left(which, pair, month, capacity, self.growth)
        return whole(self._columns[key])
