"""Demand of the window and the months ahead: what contracts serve of it and what they leave over, part by part."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import groupby
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.use_by import CELLS, EPOCH_CELL
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, Stream
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import Contract, merit
from gpuplanner.domain.model.book.only import ANYBODY, Row, only_of
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import (
    FIRST_HEAD_ROW,
    HEAD_ROWS,
    Heading,
    HourColumn,
    HourSheet,
    span,
)
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_order, model_words
from gpuplanner.files.workbook.inputs.workloads_sheet import Dates
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.cells import EPOCH_SERIAL
from gpuplanner.files.workbook.kit.expressions import Expr, Range, added, by_row, lift, summed
from gpuplanner.lazy_dataclass import dataclass, replace

# Keys of the columns: ("today", cluster, model, class), ("training", cluster), ("capacity", contract place),
# ("served", place), ("served_unknown", place), ("left", place), ("lost", cluster, model).


def write_today(hours: HourSheet, contracts: Table) -> None:
    """Write every cluster's columns of the window; contracts: the table of the Contracts sheet."""
    inputs = hours.inputs
    for cluster in inputs.clusters:
        _Cluster(hours, inputs, contracts, cluster).write()


class _Cluster:
    """One cluster's columns: demand, capacity, served by merit order, and the share of demand that is lost."""

    def __init__(self, hours: HourSheet, inputs: Inputs, contracts: Table, cluster: str) -> None:
        self.hours, self.inputs, self.contracts, self.cluster = hours, inputs, contracts, cluster
        self.places = inputs.contract_places(cluster)
        self.models = sorted(
            {key.gpu_model for key in inputs.today if key.cluster == cluster}, key=model_order
        )

    def write(self) -> None:
        """Writes demand, capacity and what was served, first of known models, then of unknown by what is left."""
        demand = {model: self._streams(model) for model in self.models}
        self._training_hours()
        capacities = [self._capacity(place) for place in self.places]
        for model in self.models:
            if model is not None:
                rows = ((place, self.inputs.contracts[place]) for place in self.places)
                own = [place for place, row in rows if row.gpu_model == model and row.serves]
                self._serve_known(model, demand[model], own)
        if None in demand and capacities:
            self._serve_unknown(demand[None])

    def _streams(self, model: str | None) -> list[HourColumn]:
        """Adds a column of logged GPUs for each class that has demand of a model, shape (hours,)."""
        columns = []
        for pool in POOLS:
            gpus = self.inputs.today.get(sheet_inputs.StreamKey(self.cluster, model, pool))
            if gpus is not None:
                heading = Heading(
                    where=self.cluster, gpu_model=model_words(model), what=f"{pool} jobs", pool=pool
                )
                columns.append(self.hours.add_input(("today", self.cluster, model, pool), heading, gpus))
        return columns

    def _training_hours(self) -> None:
        """Adds the column of whether any training runs in an hour."""
        parts = self.hours.those(*(("today", self.cluster, one, Pool.TRAINING) for one in self.models))
        formula = by_row("IF({some}>0,1,0)", some=_total(parts)) if parts else NOTHING
        heading = Heading(where=self.cluster, gpu_model="all models", what="training runs (1 yes)")
        self.hours.add_formula(("training", self.cluster), heading, formula)

    def _heading(self, place: int, what: str) -> Heading:
        """The heading of a contract's column, with the cells that its formulas read."""
        contract, table = self.inputs.contracts[place], self.contracts
        return Heading(
            where=self.cluster,
            gpu_model=model_words(contract.gpu_model),
            what=what,
            contract=table.cell("contract_id", place),
            gpus=table.cell("gpus_used", place),
            from_h=table.cell("from_h", place),
            to_h=table.cell("to_h", place),
            merit=table.cell("merit", place),
        )

    def _capacity(self, place: int) -> HourColumn:
        """Adds a contract's GPUs times the part of each hour in which it runs."""
        if of_dollars := self.inputs.dollar_hours.get(self.inputs.contracts[place].contract_id):
            return self.hours.add_input(("capacity", place), self._heading(place, "capacity"), of_dollars[1])
        hour, letters = self.hours.column("hour").here, self.hours.next_letters()
        head = {
            name: self.contracts.cell(key, place).named(f"{letters}${_HEAD_ROW[name]}")
            for name, key in (("gpus", "gpus_used"), ("from", "from_h"), ("to", "to_h"))
        }
        hour = Range(f"${hour.text}", hour.values)
        capacity = by_row("{gpus}*MAX(0,MIN({to},{hour}+1)-MAX({from},{hour}))", hour=hour, **head)
        return self.hours.add_formula(("capacity", place), self._heading(place, "capacity"), capacity)

    def _serve_known(self, model: str, demand: list[HourColumn], own: list[int]) -> None:
        """Serves demand of one model from its own contracts, in merit order, and tells what is lost."""
        if not own:
            return
        total = _sum(demand)
        capacities = [self.hours.column(("capacity", place)) for place in own]
        for place in own:
            self._serve(("served", place), place, own, capacities, total, "served")
        self._lost(model, total, _sum(capacities))

    def _serve_unknown(self, demand: list[HourColumn]) -> None:
        """Serves demand of unknown model from what all contracts have left."""
        left = []
        for place in self.places:
            formula = self.hours.column(("capacity", place)).here
            if (served := self.hours.find(("served", place))) is not None:
                formula = by_row("{capacity}-{served}", capacity=formula, served=served.here)
            heading = self._heading(place, "left for unknown")
            left.append(self.hours.add_formula(("left", place), heading, formula))
        total = _sum(demand)
        for place in self.places:
            key = ("served_unknown", place)
            self._serve(key, place, list(self.places), left, total, "served, unknown model")
        self._lost(None, total, _sum(left))

    def _serve(
        self,
        key: tuple[str, int],
        place: int,
        among: list[int],
        room: list[HourColumn],
        wanted: Range,
        what: str,
    ) -> None:
        """What one contract serves: the demand less what contracts before it in merit order have room for."""
        own = room[among.index(place)]
        if len(among) == 1:
            formula = by_row("MIN({own},{wanted})", own=own.here, wanted=wanted)
        else:
            cells = [self.contracts.cell("merit", other) for other in among]
            ranks = Range(
                f"${room[0].head('merit')}:${room[-1].head('merit')}",
                np.array([cell.number for cell in cells]),
            )
            formula = by_row(
                "MAX(0,MIN({own},{wanted}-SUMPRODUCT({room}*({ranks}<{rank}))))",
                own=own.here,
                wanted=wanted,
                room=span(room),
                ranks=ranks,
                rank=self.contracts.cell("merit", place).named(f"${own.head('merit')}"),
            )
        self.hours.add_formula(key, self._heading(place, what), formula)

    def _lost(self, model: str | None, wanted: Range, room: Range) -> None:
        """Adds the share of demand that overflows in each hour, 0 where there is no demand."""
        share = by_row("IF({wanted}>0,MAX(0,{wanted}-{room})/{wanted},0)", wanted=wanted, room=room)
        heading = Heading(where=self.cluster, gpu_model=model_words(model), what="overflow, share of demand")
        self.hours.add_formula(("lost", self.cluster, model), heading, share)


NOTHING = Range("0", np.zeros(1))
_HEAD_ROW = {what: FIRST_HEAD_ROW + place + 1 for place, what in enumerate(HEAD_ROWS)}


def _total(columns: Sequence[HourColumn]) -> Range:
    """Columns added up in the row of the formula, one by one; 0 of none."""
    return summed([column.here for column in columns])


def _sum(columns: Sequence[HourColumn]) -> Range:
    """Neighbouring columns added up in the row of the formula."""
    return by_row("SUM({columns})", columns=span(columns))


# Keys of the columns: ("week",), ("paid",), ("used",), ("beyond", cluster, model), ("contended", cluster),
# ("inference", cluster).

WHAT_ROW = FIRST_HEAD_ROW + HEAD_ROWS.index("what") + 1
_ROUNDING = Expr("0.0000001", 1e-7)
"""Less than one milli-GPU-second in an hour is rounding of the sheet's fractions."""


def write_use_hours(hours: HourSheet) -> None:
    """Write the columns; those of `write_today` are there."""
    inputs = hours.inputs
    cell = by_row(
        "MOD(ROUND(({start}-{epoch})*24,0)+{first}+{hour},{cells})",
        start=hours.named.window_start,
        epoch=EPOCH_SERIAL,
        first=EPOCH_CELL,
        hour=hours.column("hour").here,
        cells=CELLS,
    )
    heading = Heading(
        where="all clusters", gpu_model="all models", what="hour of the week (0: Monday 00:00 UTC)"
    )
    hours.add_formula(("week",), heading, cell)
    _all(hours, "paid", "paid for", ("capacity",))
    _all(hours, "used", "in use", ("served", "served, unknown model"))
    for cluster in inputs.clusters:
        _contended(hours, cluster)


def _all(hours: HourSheet, key: str, what: str, words: tuple[str, ...]) -> None:
    """The sum over all columns of contracts whose heading says one of the words."""
    kinds = {"capacity": "capacity", "served": "served", "served_unknown": "served, unknown model"}
    by_kind = [(name, column) for name, column in hours.columns.items() if isinstance(name, tuple)]
    of_contracts = [(str(name[0]), column) for name, column in by_kind if name[0] in kinds]
    heading = Heading(where="all clusters", gpu_model="all models", what=what)
    if not of_contracts:
        hours.add_formula((key,), heading, NOTHING)
        return
    places = sorted((column.place, column, kinds[kind]) for kind, column in of_contracts)
    columns = hours.between(places[0][1], places[-1][1])
    first, last = columns[0], columns[-1]
    labels = Range(
        f"${first.letters}${WHAT_ROW}:${last.letters}${WHAT_ROW}", [column.what for column in columns]
    )
    across = span(columns)
    there = Range("$" + across.text.replace(":", ":$"), across.values)
    parts = [
        by_row("SUMIF({labels},{word},{there})", labels=labels, word=word, there=there) for word in words
    ]
    hours.add_formula((key,), heading, summed(parts))


def _contended(hours: HourSheet, cluster: str) -> None:
    """GPUs asked for beyond what a model has, where it has some; the hours with any; the hours with inference."""
    inputs = hours.inputs
    models = sorted({key.gpu_model for key in inputs.today if key.cluster == cluster}, key=model_order)
    beyond = []
    for model in models:
        places = [
            place
            for place in inputs.contract_places(cluster)
            if model in (None, inputs.contracts[place].gpu_model)
        ]
        lost = hours.find(("lost", cluster, model))
        if lost is not None and places:
            capacity = [hours.column(("capacity", place)) for place in places]
            beyond.append(_beyond(hours, cluster, model, lost, capacity))
    over = by_row("IF({over}>{rounding},1,0)", over=_total(beyond), rounding=_ROUNDING)
    hours.add_formula(
        ("contended", cluster), Heading(where=cluster, gpu_model="all models", what="contended (1 yes)"), over
    )
    served = hours.those(*(("today", cluster, model, Pool.INFERENCE) for model in models))
    runs = by_row("IF({served}>0,1,0)", served=_total(served))
    hours.add_formula(
        ("inference", cluster),
        Heading(where=cluster, gpu_model="all models", what="inference runs (1 yes)"),
        runs,
    )


def _beyond(
    hours: HourSheet, cluster: str, model: str | None, lost: HourColumn, capacity: list[HourColumn]
) -> HourColumn:
    """Adds what was asked for beyond the GPUs of a model, in hours in which it has any."""
    demand = hours.those(*(("today", cluster, model, pool) for pool in Pool))
    demand.sort(key=lambda column: column.place)
    capacity = sorted(capacity, key=lambda column: column.place)
    formula = by_row(
        "IF({room}>0,{lost}*{wanted},0)", room=_sum(capacity), lost=lost.here, wanted=_sum(demand)
    )
    heading = Heading(where=cluster, gpu_model=model_words(model), what="asked for beyond its GPUs")
    return hours.add_formula(("beyond", cluster, model), heading, formula)


@dataclass(frozen=True, slots=True, eq=False)
class PartDemand:
    """GPUs left over of a pool and model in each hour of one part of a month. column: where a column of Demand is the
    whole of it."""

    pair: Row
    hours: Range
    column: HourColumn | None = None


def mean_above(hours: HourSheet, demand: PartDemand, low: Expr, size: Expr | None) -> Expr:
    """Mean GPUs above `low`, at most `size` of them (None: all); as HourSheet.mean_between.

    An array may be long and stands in the formula twice at most: max(0, x) is (|x| + x) / 2.
    """
    if demand.column is not None:
        return hours.mean_between(demand.column, demand.pair, low, size)
    above = demand.hours if low.text == "0" else by_row("{hours}-{low}", hours=demand.hours, low=low)
    if size is not None:
        above = by_row("(ABS({above})-ABS({above}-{size})+{size})/2", above=above, size=size)
    elif low.text != "0":
        above = by_row("(ABS({above})+{above})/2", above=above)
    return hours.mean(above, demand.pair)


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
        first = next((each for known_one, each in seen if known_one.hours.text == demand.hours.text), None)
        if first is not None:
            table.put(f"m{part}", place, table.cell(f"m{first}", place))
            continue
        seen.append((demand, part))
        table.put(f"m{part}", place, mean_above(hours, demand, low, size))


LONGEST_SITE: Final = 700
"""Characters of what a cluster leaves over, within the formula of all clusters: a longer one is a column of its own."""
LONGEST_ARRAY: Final = 3_800
"""Characters: a formula says an array twice at most and has room for 8,192; a longer one is a column."""
FROM_DOLLARS: Final = "covered by commitments in dollars (from the app)"
WORDS: Final = {
    "existing": "demand beyond existing contracts",
    "slices": "demand beyond contracts, placed orders not counted",
    "all": "demand beyond all contracts",
}

Capacity = Sequence[tuple[frozenset[int], Expr]]
"""Of a cluster: the rows of its model that some GPUs serve, and how many these are."""


def serving_in_turn(inputs: sheet_inputs.Inputs, which: str) -> list[tuple[int, Contract]]:
    """The contracts that serve, with their places, in merit order; which: existing or all."""
    rows = ((place, inputs.contracts[place]) for place in sheet_inputs.serving_places(inputs, which))
    in_gpus = [(place, row) for place, row in rows if not row.is_shared]
    return sorted(in_gpus, key=lambda placed: merit(placed[1]))


class DemandAhead:
    """Columns of what is logged and planned, as it is served, and of what is left over in parts of months.

    growth: how many times today's demand each pool has in each month, as cells, once they are written; month 0 has
    none.
    """

    def __init__(self, hours: HourSheet, contracts: Contracts, dates: Dates) -> None:
        self.hours, self.inputs, self.contracts, self.dates = hours, hours.inputs, contracts, dates
        self.growth: Mapping[tuple[Pool, int], Expr] = {}
        ground = hours.inputs.ground
        self._served = {"existing": ground.plan, "slices": ground.plan, "all": ground.nothing}
        self._there: dict[tuple[Hashable, bytes], HourColumn] = {}
        self._sums: dict[tuple[Hashable, str], HourColumn] = {}
        self._left: dict[tuple[str, Row, int], PartDemand] = {}

    def write_month_0(self) -> None:
        """Demand of each pool and model in month 0 and what contracts leave of it, part by part and by their mean."""
        for pair in self.inputs.pairs_of_nothing:
            heading = Heading(
                where=f"{pair.pool} pool",
                gpu_model=sheet_inputs.model_words(pair.name),
                what="",
                pool=pair.pool,
            )
            if pair in self.inputs.pairs:
                self._month_0(
                    ("demand", *pair), replace(heading, what="demand, first month"), self._demand_of(pair)
                )
                for key, which in {self.inputs.over_key(pair): "slices", ("over", *pair): "existing"}.items():
                    of_plan = replace(heading, what=f"{WORDS[which]}, first month")
                    self._month_0(key, of_plan, self._left_of(which, pair))
            of_nothing = replace(heading, what=f"{WORDS['all']}, first month")
            self._month_0(("over_now", *pair), of_nothing, self._left_of("all", pair))

    def left_over(self, which: str, pair: Row, part: int) -> PartDemand:
        """What contracts leave over of a pool and model in a part of a month; which: existing or all."""
        key = (which, pair, part)
        if key not in self._left:
            self._left[key] = self._left_over(which, pair, part)
        return self._left[key]

    def _left_over(self, which: str, pair: Row, part: int) -> PartDemand:
        """A column of month 0, else an array, or a column where that is long."""
        if self.inputs.parts[part].month == 0:
            over = self.inputs.over_key(pair) if which == "slices" else ("over_now", *pair)
            column = self.hours.column(over)
            parts = [one for _, one in column.parts] or [column]
            return PartDemand(pair, parts[part].range, parts[part])
        model = self._model(which, pair)
        if model is None:
            return PartDemand(pair, by_row("0*{hours}", hours=self.hours.weight.range))
        row = (which, model.rows.index(pair))
        array = self._left_of_model(model, row, part, is_array=True)
        if len(array.text) <= LONGEST_ARRAY:
            return PartDemand(pair, array)
        heading = Heading(
            where=f"{pair.pool} pool",
            gpu_model=sheet_inputs.model_words(pair.name),
            what=f"{WORDS[which]}, {sheet_inputs.part_words(self.inputs, part)}",
            pool=pair.pool,
        )
        column = self._column(("left", which, *pair, part), heading, self._left_of_model(model, row, part))
        return PartDemand(pair, column.range, column)

    def _model(self, which: str, pair: Row) -> ModelDemand | None:
        """The model that a row is of, as the plan sees demand or as doing nothing does."""
        return next((model for model in self._served[which].models if pair in model.rows), None)

    def _left_of(self, which: str, pair: Row) -> Callable[[int], Range]:
        """What is left over of a row in a part."""
        model = self._model(which, pair)
        if model is None:
            return lambda part: NOTHING
        row = (which, model.rows.index(pair))
        return lambda part: self._left_of_model(model, row, part)

    def _demand_of(self, pair: Row) -> Callable[[int], Range]:
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
        if which != "all" and self.inputs.scenario.greenfield:
            return []
        differs = which == "all" and sheet_inputs.differs_without_signing(self.inputs, cluster)
        served_by = "all" if differs else "existing"
        every = frozenset(range(len(model.rows)))
        if any(only_of(name) != ANYBODY for _, name in model.rows):
            return self._one_by_one(which, served_by, cluster, model, part)
        found: list[tuple[frozenset[int], Expr]] = []
        for pool in (*model.pools, None):
            gpus = self.contracts.gpus(
                served_by, sheet_inputs.CapacityKey(cluster, model.gpu_model, pool), part
            )
            if gpus is not None:
                of_pool = frozenset(place for place, row in enumerate(model.rows) if row.pool is pool)
                found.append((every if pool is None else of_pool, gpus))
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
                    where=sheet_inputs.cluster_words(site.cluster),
                    gpu_model=sheet_inputs.model_words(model.rows[row].name),
                    what=f"{model.rows[row].pool}, left over, {sheet_inputs.part_words(self.inputs, part)}",
                )
                key = ("left_site", which, site.cluster, model.rows[row], part, left.text)
                left = self._column(key, heading, left).here
            found.append(left)
        if not found and is_array:
            return by_row("0*{hours}", hours=self.hours.weight.range)
        covered = self.inputs.covered_by_dollars(which, model, row, part)
        if covered is None:
            return summed(found)
        pool, name = model.rows[row]
        column = self._covered_column(pool, name, covered)
        taken = column.range if is_array else column.here
        text = "(ABS({left}-{taken})+{left}-{taken})/2"
        return by_row(text, left=summed(found), taken=taken)

    def _covered_column(self, pool: Pool, name: str | None, gpus: Floats) -> HourColumn:
        """What commitments in dollars cover hour by hour, as the app has it; parts alike share a column."""
        again = (("dollars", pool, name), gpus.tobytes())
        if (column := self._there.get(again)) is None:
            heading = Heading(
                where="all clusters",
                gpu_model=sheet_inputs.model_words(name),
                what=f"{pool} pool, {FROM_DOLLARS}",
                pool=pool,
            )
            column = self.hours.add_input((*again[0], len(self._there)), heading, gpus)
            self._there[again] = column
        return column

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
            name = model.rows[streams[0].row].name if streams[0].row < len(model.rows) else None
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
                where=sheet_inputs.cluster_words(cluster),
                gpu_model=sheet_inputs.model_words(name),
                what=words,
                pool=pool,
            )
            column = self.hours.add_input(("stream", *key, len(self._there)), heading, gpus)
            self._there[again] = column
        return column


MONTH_HOURS: Final = lift(730)


def _runs(streams: Sequence[Stream]) -> list[list[Stream]]:
    """Neighbours of one row together."""
    return [list(run) for _, run in groupby(streams, key=lambda stream: stream.row)]
