"""Demand of the months ahead: who is there, and what contracts leave over of it, part by part."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.streams import ModelDemand, Stream
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import Contract, merit
from gpuplanner.domain.model.book.only import ANYBODY, only_of
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.workbook.demand.demand_plan import NOTHING
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import Heading, HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.workloads_sheet import Dates
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import Expr, Range, added, by_row, call, lift, summed


@dataclass(frozen=True, slots=True, eq=False)
class PartDemand:
    """GPUs left over in each hour of one part of a month. column: where a column of Demand is the whole of it."""

    hours: Range
    column: HourColumn | None = None

    def same_as(self, other: "PartDemand") -> bool:
        """Whether it is the same amount of GPUs in every hour, whatever the inputs."""
        return self.hours.text == other.hours.text


def mean_above(hours: HourSheet, demand: PartDemand, low: Expr, size: Expr | None) -> Expr:
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


def means_by_part(
    hours: HourSheet,
    table: Table,
    place: int,
    left_over: Callable[[int], PartDemand],
    parts: int,
    low: Expr,
    size: Expr | None,
) -> None:
    """Mean GPUs of each part's left over above `low`, in the columns m0 and on; parts alike read the first of them.

    size: GPUs at most (None: all above)."""
    seen: list[tuple[PartDemand, int]] = []
    for part in range(parts):
        demand = left_over(part)
        first = next((each for known_one, each in seen if known_one.same_as(demand)), None)
        if first is not None:
            table.put(f"m{part}", place, table.cell(f"m{first}", place))
            continue
        seen.append((demand, part))
        table.put(f"m{part}", place, mean_above(hours, demand, low, size))


LONGEST_SITE: Final = 700
"""Characters of what a cluster leaves over, within the formula of all clusters: a longer one is a column of its own."""
LONGEST_ARRAY: Final = 3_800
"""Characters: a formula says an array twice at most and has room for 8,192; a longer one is a column."""
WORDS: Final = {"existing": "demand beyond existing contracts", "all": "demand beyond all contracts"}

Capacity = Sequence[tuple[frozenset[int], Expr]]
"""Of a cluster: the rows of its model that some GPUs serve, and how many these are."""


def serving_in_turn(inputs: sheet_inputs.Inputs, which: str) -> list[tuple[int, Contract]]:
    """The contracts that serve, with their places, in merit order; which: existing or all."""
    found = [(place, inputs.contracts[place]) for place in sheet_inputs.serving_places(inputs, which)]
    return sorted(found, key=lambda one: merit(one[1]))


class DemandAhead:
    """Columns of what is logged and planned, as it is served, and of what is left over in parts of months.

    growth: how many times today's demand each pool has in each month, as cells, once they are written; month 0 has
    none.
    """

    def __init__(
        self, hours: HourSheet, inputs: sheet_inputs.Inputs, contracts: Contracts, dates: Dates
    ) -> None:
        self.hours, self.inputs, self.contracts, self.dates = hours, inputs, contracts, dates
        self.growth: Mapping[tuple[Pool, int], Expr] = {}
        ground = inputs.ground
        self._served = {"existing": ground.plan, "all": ground.nothing}
        self._there: dict[tuple[Hashable, bytes], HourColumn] = {}
        self._sums: dict[tuple[Hashable, str], HourColumn] = {}
        self._left: dict[tuple[str, sheet_inputs.PairKey, int], PartDemand] = {}

    def write_month_0(self) -> None:
        """Demand of each pool and model in month 0 and what contracts leave of it, part by part and by their mean."""
        for pair in self.inputs.pairs_of_nothing:
            heading = Heading(f"{pair[0]} pool", sheet_inputs.model_words(pair[1]), "", pair[0])
            if pair in self.inputs.pairs:
                self._month_0(
                    ("demand", *pair), replace(heading, what="demand, month 0"), self._demand_of(pair)
                )
                of_plan = replace(heading, what=f"{WORDS['existing']}, month 0")
                self._month_0(("over", *pair), of_plan, self._left_of("existing", pair))
            of_nothing = replace(heading, what=f"{WORDS['all']}, month 0")
            self._month_0(("over_now", *pair), of_nothing, self._left_of("all", pair))

    def left_over(self, which: str, pair: sheet_inputs.PairKey, part: int) -> PartDemand:
        """What contracts leave over of a pool and model in a part of a month; which: existing or all."""
        key = (which, pair, part)
        if key not in self._left:
            self._left[key] = self._left_over(which, pair, part)
        return self._left[key]

    def _left_over(self, which: str, pair: sheet_inputs.PairKey, part: int) -> PartDemand:
        """A column of month 0, else an array, or a column where that is long."""
        if self.inputs.parts[part].month == 0:
            column = self.hours.column(("over" if which == "existing" else "over_now", *pair))
            parts = [one for _, one in column.parts] or [column]
            return _whole(parts[part])
        model = self._model(which, pair)
        if model is None:
            return PartDemand(by_row("0*{hours}", hours=self.hours.weight.range))
        row = (which, model.rows.index(pair))
        array = self._left_of_model(model, row, part, is_array=True)
        if len(array.text) <= LONGEST_ARRAY:
            return PartDemand(array)
        heading = Heading(
            f"{pair[0]} pool",
            sheet_inputs.model_words(pair[1]),
            f"{WORDS[which]}, {sheet_inputs.part_words(self.inputs, part)}",
            pair[0],
        )
        return _whole(
            self._column(("left", which, *pair, part), heading, self._left_of_model(model, row, part))
        )

    def _model(self, which: str, pair: sheet_inputs.PairKey) -> ModelDemand | None:
        """The model that a row is of, as the plan sees demand or as doing nothing does."""
        return next((model for model in self._served[which].models if pair in model.rows), None)

    def _left_of(self, which: str, pair: sheet_inputs.PairKey) -> Callable[[int], Range]:
        """What is left over of a row in a part."""
        model = self._model(which, pair)
        if model is None:
            return lambda part: NOTHING
        row = (which, model.rows.index(pair))
        return lambda part: self._left_of_model(model, row, part)

    def _demand_of(self, pair: sheet_inputs.PairKey) -> Callable[[int], Range]:
        """All of a row's demand in a part."""
        model = self._model("existing", pair)
        if model is None:
            return lambda part: NOTHING
        row = model.rows.index(pair)

        def of_part(part: int) -> Range:
            mine = [
                self._amount(model, site.cluster, run, part)
                for site in model.sites
                for run in _runs(site.streams)
                if run[0].row == row
            ]
            return summed(mine)

        return of_part

    def _month_0(self, key: Hashable, heading: Heading, of_part: Callable[[int], Range]) -> None:
        """A column of month 0; where it has parts the mean of a column each."""
        parts = self.inputs.parts_of(0)
        if len(parts) == 1:
            self._column(key, heading, of_part(0))
            return
        columns = []
        for part in parts:
            of_one = replace(heading, what=f"{heading.what}, part {part + 1}")
            share = self.dates.hours[part] / MONTH_HOURS
            columns.append((share, self._column((key, part), of_one, of_part(part))))
        mean = summed(
            [by_row("{share}*{hours}", share=share, hours=column.here) for share, column in columns]
        )
        self._column(key, replace(heading, what=f"{heading.what}, by its parts"), mean)
        self.hours.in_parts(key, columns)

    def _column(self, key: Hashable, heading: Heading, amount: Range) -> HourColumn:
        """A column of an amount; one of the same heading's pool whose formula is the same is the same column."""
        again = ((heading.where, heading.gpu_model), amount.text)
        found = self._sums.get(again)
        if found is None:
            found = self._sums[again] = self.hours.add_formula(key, heading, amount)
        self.hours.columns[key] = found
        return found

    def _capacity(self, which: str, cluster: str, model: ModelDemand, part: int) -> Capacity:
        """GPUs of contracts of a cluster for the rows of a model, in the order in which demand turns to them."""
        if which == "existing" and self.inputs.scenario.greenfield:
            return []
        served_by = (
            which
            if which == "existing" or sheet_inputs.differs_without_signing(self.inputs, cluster)
            else "existing"
        )
        every = frozenset(range(len(model.rows)))
        if any(only_of(name) != ANYBODY for _, name in model.rows):
            return self._one_by_one(which, served_by, cluster, model, part)
        found: list[tuple[frozenset[int], Expr]] = []
        for pool in (*model.pools, None):
            gpus = self.contracts.gpus(served_by, (cluster, model.gpu_model, pool), part)
            if gpus is not None:
                mine = frozenset(at for at, row in enumerate(model.rows) if row[0] is pool)
                found.append((every if pool is None else mine, gpus))
        return found

    def _one_by_one(
        self, which: str, served_by: str, cluster: str, model: ModelDemand, part: int
    ) -> Capacity:
        """The same where a contract may not serve every row; neighbours that serve the same are one."""
        found: list[tuple[frozenset[int], list[Expr]]] = []
        for pin in (*model.pools, None):
            for place, contract in serving_in_turn(self.inputs, which):
                if (contract.cluster, contract.gpu_model, contract.pool) != (cluster, model.gpu_model, pin):
                    continue
                rows = frozenset(
                    at
                    for at, (pool, name) in enumerate(model.rows)
                    if pin in (None, pool) and only_of(name).allows(contract)
                )
                gpus = self.contracts.gpus_of_one(served_by, place, part)
                if found and found[-1][0] == rows:
                    found[-1][1].append(gpus)
                elif rows:
                    found.append((rows, [gpus]))
        return [(rows, added(cells)) for rows, cells in found]

    def _left_of_model(
        self, model: ModelDemand, whose: tuple[str, int], part: int, is_array: bool = False
    ) -> Range:
        """What contracts leave over of a row of a model, all clusters together. whose: existing or all, and the row."""
        which, row = whose
        found = []
        for site in model.sites:
            serving = self._capacity(which, site.cluster, model, part)
            runs = _runs(site.streams)
            if not serving:
                runs = [run for run in runs if run[0].row == row]
            streams = [(run[0].row, self._amount(model, site.cluster, run, part, is_array)) for run in runs]
            left = sheet_inputs.left_of(streams, row, serving)
            if left is None:
                continue
            if len(left.text) > LONGEST_SITE and not is_array:
                heading = Heading(
                    sheet_inputs.cluster_words(site.cluster),
                    sheet_inputs.model_words(model.rows[row][1]),
                    f"{model.rows[row][0]}, left over, {sheet_inputs.part_words(self.inputs, part)}",
                )
                key = ("left_site", which, site.cluster, model.rows[row], part, left.text)
                left = self._column(key, heading, left).here
            found.append(left)
        if not found and is_array:
            return by_row("0*{hours}", hours=self.hours.weight.range)
        return summed(found)

    def _amount(
        self, model: ModelDemand, cluster: str, streams: Sequence[Stream], part: int, is_array: bool = False
    ) -> Range:
        """What of some streams of one row is there in a part of a month, times how it has grown: planned work does
        not."""
        schedules, month = self.inputs.ground.outlined.schedules, self.inputs.parts[part].month
        there: dict[tuple[Pool, bool], Floats] = {}
        for stream in streams:
            flow = (stream.grows_with, schedules[stream.group].is_planned)
            factor = self.dates.there[stream.group, part]
            if factor:
                there[flow] = there.get(flow, 0.0) + stream.demand / MILLI_GPU_SECONDS_PER_GPU_HOUR * factor
        found = []
        for (pool, is_planned), gpus in there.items():
            name = model.rows[streams[0].row][1] if streams[0].row < len(model.rows) else None
            column = self._there_column(cluster, name, pool, is_planned, part, gpus)
            hours = column.range if is_array else column.here
            grown = None if is_planned or not month else self.growth.get((pool, month))
            found.append(hours if grown is None else by_row("{hours}*{grown}", hours=hours, grown=grown))
        if not found and is_array:
            return by_row("0*{hours}", hours=self.hours.weight.range)
        return by_row("({total})", total=summed(found)) if len(found) > 1 else summed(found)

    def _there_column(
        self, cluster: str, name: str | None, pool: Pool, is_planned: bool, part: int, gpus: Floats
    ) -> HourColumn:
        """Who is there hour by hour, as the app has it; parts in which it is the same share a column."""
        key = (cluster, pool, name, is_planned)
        again = (key, gpus.tobytes())
        column = self._there.get(again)
        if column is None:
            words = f"{pool} pool, planned" if is_planned else f"{pool} pool"
            if part:
                words += f", from {sheet_inputs.part_words(self.inputs, part).lower()} on"
            heading = Heading(
                sheet_inputs.cluster_words(cluster), sheet_inputs.model_words(name), words, pool
            )
            column = self.hours.add_input(("stream", *key, len(self._there)), heading, gpus)
            self._there[again] = column
        return column


MONTH_HOURS: Final = lift(730)


def _whole(column: HourColumn) -> PartDemand:
    """A whole column as the demand of a part."""
    return PartDemand(column.range, column)


def _runs(streams: Sequence[Stream]) -> list[list[Stream]]:
    """Neighbours of one row together."""
    return [list(run) for _, run in groupby(streams, key=lambda stream: stream.row)]
