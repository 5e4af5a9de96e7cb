"""Demand of the window and of month 0: what contracts served, what they leave over, demand of unknown model."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpuplanner.domain.audit.use_by import CELLS, EPOCH_CELL
from gpuplanner.domain.model.tables import POOLS, SERVING_ORDER, Pool
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import (
    FIRST_HEAD_ROW,
    HEAD_ROWS,
    Heading,
    HourColumn,
    HourSheet,
    span,
)
from gpuplanner.files.workbook.inputs.sheet_inputs import (
    Inputs,
    PairKey,
    StreamKey,
    differs_without_signing,
    model_order,
    model_words,
)
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.cells import EPOCH_SERIAL
from gpuplanner.files.workbook.kit.expressions import Expr, Range, by_row, summed

# Keys of the columns: ("today", cluster, model, class), ("training", cluster), ("capacity", contract place),
# ("served", place), ("served_unknown", place), ("left", place), ("lost", cluster, model).


def write_today(hours: HourSheet, inputs: Inputs, contracts: Table) -> None:
    """Write every cluster's columns of the window; contracts: the table of the Contracts sheet."""
    for cluster in inputs.clusters:
        _Cluster(hours, inputs, contracts, cluster).write()


class _Cluster:
    """One cluster's columns: demand, capacity, served by merit order, and the share of demand that is lost."""

    def __init__(self, hours: HourSheet, inputs: Inputs, contracts: Table, cluster: str) -> None:
        self.hours, self.inputs, self.contracts, self.cluster = hours, inputs, contracts, cluster
        self.places = inputs.contract_places(cluster)
        self.models = sorted({key[1] for key in inputs.today if key[0] == cluster}, key=model_order)

    def write(self) -> None:
        """Writes demand, capacity and what was served, first of known models, then of unknown by what is left."""
        demand = {model: self._streams(model) for model in self.models}
        self._training_hours()
        capacities = [self._capacity(place) for place in self.places]
        for model in self.models:
            if model is not None:
                own = [place for place in self.places if self.inputs.contracts[place].gpu_model == model]
                self._serve_known(model, demand[model], own)
        if None in demand and capacities:
            self._serve_unknown(demand[None])

    def _streams(self, model: str | None) -> list[HourColumn]:
        """Adds a column of logged GPUs for each class that has demand of a model, shape (hours,)."""
        columns = []
        for pool in POOLS:
            gpus = self.inputs.today.get((self.cluster, model, pool))
            if gpus is not None:
                heading = Heading(self.cluster, model_words(model), f"{pool} jobs", pool)
                columns.append(self.hours.add_input(("today", self.cluster, model, pool), heading, gpus))
        return columns

    def _training_hours(self) -> None:
        """Adds the column of whether any training runs in an hour."""
        parts = [
            column
            for model in self.models
            if (column := self.hours.find(("today", self.cluster, model, Pool.TRAINING))) is not None
        ]
        formula = by_row("IF({some}>0,1,0)", some=_total(parts)) if parts else NOTHING
        heading = Heading(self.cluster, "all models", "training runs (1 yes)")
        self.hours.add_formula(("training", self.cluster), heading, formula)

    def _heading(self, place: int, what: str) -> Heading:
        """The heading of a contract's column, with the cells that its formulas read."""
        contract, table = self.inputs.contracts[place], self.contracts
        return Heading(
            self.cluster,
            model_words(contract.gpu_model),
            what,
            contract=table.cell("contract_id", place),
            gpus=table.cell("gpus", place),
            from_h=table.cell("from_h", place),
            to_h=table.cell("to_h", place),
            merit=table.cell("merit", place),
        )

    def _capacity(self, place: int) -> HourColumn:
        """Adds a contract's GPUs times the part of each hour in which it runs."""
        hour, letters = self.hours.column("hour").here, self.hours.next_letters()
        head = {
            name: self.contracts.cell(key, place).named(f"{letters}${_HEAD_ROW[name]}")
            for name, key in (("gpus", "gpus"), ("from", "from_h"), ("to", "to_h"))
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
        heading = Heading(self.cluster, model_words(model), "overflow, share of demand")
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


def write_use_hours(hours: HourSheet, inputs: Inputs, named: Named) -> None:
    """Write the columns; those of `write_today` are there."""
    cell = by_row(
        "MOD(ROUND(({start}-{epoch})*24,0)+{first}+{hour},{cells})",
        start=named.window_start,
        epoch=EPOCH_SERIAL,
        first=EPOCH_CELL,
        hour=hours.column("hour").here,
        cells=CELLS,
    )
    heading = Heading("all clusters", "all models", "hour of the week (0: Monday 00:00 UTC)")
    hours.add_formula(("week",), heading, cell)
    _all(hours, "paid", "paid for", ("capacity",))
    _all(hours, "used", "in use", ("served", "served, unknown model"))
    for cluster in inputs.clusters:
        _contended(hours, inputs, cluster)


def _all(hours: HourSheet, key: str, what: str, words: tuple[str, ...]) -> None:
    """The sum over all columns of contracts whose heading says one of the words."""
    kinds = {"capacity": "capacity", "served": "served", "served_unknown": "served, unknown model"}
    by_kind = [(name, column) for name, column in hours.columns.items() if isinstance(name, tuple)]
    of_contracts = [(str(name[0]), column) for name, column in by_kind if name[0] in kinds]
    heading = Heading("all clusters", "all models", what)
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


def _contended(hours: HourSheet, inputs: Inputs, cluster: str) -> None:
    """GPUs asked for beyond what a model has, where it has some; the hours with any; the hours with inference."""
    models = sorted({key[1] for key in inputs.today if key[0] == cluster}, key=model_order)
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
    hours.add_formula(("contended", cluster), Heading(cluster, "all models", "contended (1 yes)"), over)
    served = [
        column
        for model in models
        if (column := hours.find(("today", cluster, model, Pool.INFERENCE))) is not None
    ]
    runs = by_row("IF({served}>0,1,0)", served=_total(served))
    hours.add_formula(("inference", cluster), Heading(cluster, "all models", "inference runs (1 yes)"), runs)


def _beyond(
    hours: HourSheet, cluster: str, model: str | None, lost: HourColumn, capacity: list[HourColumn]
) -> HourColumn:
    """Adds what was asked for beyond the GPUs of a model, in hours in which it has any."""
    demand = [column for pool in Pool if (column := hours.find(("today", cluster, model, pool))) is not None]
    demand.sort(key=lambda column: column.place)
    capacity = sorted(capacity, key=lambda column: column.place)
    formula = by_row(
        "IF({room}>0,{lost}*{wanted},0)", room=_sum(capacity), lost=lost.here, wanted=_sum(demand)
    )
    heading = Heading(cluster, model_words(model), "asked for beyond its GPUs")
    return hours.add_formula(("beyond", cluster, model), heading, formula)


# Keys of the columns: ("split_room", which, contract place), ("split_served", which, contract place, pool),
# ("split", which, cluster, model, pool): untyped demand of a pool that counts with a model; which: existing or all.


def write_split(
    hours: HourSheet, inputs: Inputs, contracts: Contracts, cluster: str, which: str = "existing"
) -> None:
    """Serve one cluster's untyped demand contract by contract, and add it up by model; which: existing or all rows.

    Pinned contracts first, then free ones, both in merit order, with what known demand leaves; what nobody
    serves counts with the cluster's usual model.
    """
    _Split(hours, inputs, contracts, cluster, which).write()


class _Split:
    """Writes the columns of one cluster that tell which contract serves demand of unknown model."""

    def __init__(
        self, hours: HourSheet, inputs: Inputs, contracts: Contracts, cluster: str, which: str
    ) -> None:
        self.hours, self.inputs, self.contracts, self.cluster = hours, inputs, contracts, cluster
        self.which = which
        self.places = inputs.contract_places(cluster)
        self.untyped = {
            pool: column
            for pool in SERVING_ORDER
            if (column := hours.find(("plan", cluster, None, pool))) is not None
        }

    def write(self) -> None:
        """Pool by pool: contracts bound to it first, then free ones by merit.

        The rest counts with the usual model.
        """
        for place in self.places:
            self._room(place)
        before: list[Range] = []
        for pool, wanted in self.untyped.items():
            pinned = [place for place in self.places if self.inputs.contracts[place].pool is pool]
            for place in pinned:
                self._serve_pinned(place, pool, wanted, pinned)
            spilled = _not_below_0(wanted.here, [self._room_column(place).here for place in pinned])
            free = [place for place in self.places if self.inputs.contracts[place].pool is None]
            for place in free:
                self._serve_free(place, pool, free, summed(before), spilled)
            before.append(spilled)
            self._by_model(pool, wanted, [*pinned, *free])

    def _gpus(self, place: int) -> Expr:
        """GPUs of a contract if it is among those that serve and runs through month 0, else 0."""
        table = self.contracts.table
        return table.cell("gpus", place) * table.cell(
            "existing" if self.which == "existing" else "runs", place
        )

    def _merit(self, place: int) -> Expr:
        """The cell of a contract's place in merit order."""
        return self.contracts.table.cell("merit", place)

    def _room_column(self, place: int) -> HourColumn:
        """What a contract has left over after demand of its own model."""
        return self.hours.column(("split_room", self.which, place))

    def _room(self, place: int) -> None:
        """What known demand leaves of a contract."""
        contract = self.inputs.contracts[place]
        taken = self._known_demand(contract.gpu_model, contract.pool)
        peers = [
            other
            for other in self.places
            if other != place
            and self.inputs.contracts[other].gpu_model == contract.gpu_model
            and self.inputs.contracts[other].pool is contract.pool
        ]
        for other in peers:
            taken = by_row(
                "{taken}-{gpus}*({other}<{own})",
                taken=taken,
                gpus=self._gpus(other),
                other=self._merit(other),
                own=self._merit(place),
            )
        formula = by_row("{gpus}-MAX(0,MIN({gpus},{taken}))", gpus=self._gpus(place), taken=taken)
        heading = self._heading(place, "left for unknown, month 0")
        self.hours.add_formula(("split_room", self.which, place), heading, formula)

    def _known_demand(self, model: str | None, pin: Pool | None) -> Range:
        """Known demand that turns to the contracts of a model with a pin: the pool's own, or what its pins leave."""
        found = []
        for pool in SERVING_ORDER:
            column = None if model is None else self.hours.find(("plan", self.cluster, model, pool))
            if column is None or pin not in (None, pool):
                continue
            pinned = None if pin is pool else self.contracts.gpus(self.which, self.cluster, model, pool)
            found.append(column.here if pinned is None else _not_below_0(column.here, [pinned]))
        return summed(found)

    def _serve_pinned(self, place: int, pool: Pool, wanted: HourColumn, among: Sequence[int]) -> None:
        """What a contract bound to a pool serves of it, after those before it in merit order."""
        below = self._below(place, among)
        rest = "{wanted}" if below.text == "0" else "{wanted}-({below})"
        formula = by_row(
            f"MAX(0,MIN({{own}},{rest}))", own=self._room_column(place).here, wanted=wanted.here, below=below
        )
        self._add_served(place, pool, formula)

    def _serve_free(
        self, place: int, pool: Pool, among: Sequence[int], before: Range, spilled: Range
    ) -> None:
        """The overlap of the pool's stretch of demand with the contract's stretch of room, both stacked from 0."""
        formula = by_row(
            "MAX(0,MIN({before}+{spilled},{below}+{own})-MAX({before},{below}))",
            before=before,
            spilled=spilled,
            below=self._below(place, among),
            own=self._room_column(place).here,
        )
        self._add_served(place, pool, formula)

    def _below(self, place: int, among: Sequence[int]) -> Range:
        """Room of the contracts that come before in merit order."""
        rank = self._merit(place)
        return summed(
            [
                by_row(
                    "{room}*({other}<{rank})",
                    room=self._room_column(other).here,
                    other=self._merit(other),
                    rank=rank,
                )
                for other in among
                if other != place
            ]
        )

    def _add_served(self, place: int, pool: Pool, formula: Range) -> None:
        """Adds the column of what a contract serves of a pool."""
        heading = self._heading(place, f"{pool}, unknown model served")
        self.hours.add_formula(("split_served", self.which, place, pool), heading, formula)

    def _by_model(self, pool: Pool, wanted: HourColumn, serving: Sequence[int]) -> None:
        """Adds for each model what its contracts serve of a pool; what nobody serves goes to the usual model."""
        served = {place: self.hours.column(("split_served", self.which, place, pool)) for place in serving}
        usual = self.inputs.usual_model(self.cluster)
        models = {self.inputs.contracts[place].gpu_model for place in self.places} | {usual}
        for model in sorted(models, key=model_order):
            mine = [
                column for place, column in served.items() if self.inputs.contracts[place].gpu_model == model
            ]
            counted = [_total(mine)]
            if model == usual:
                counted.append(_not_below_0(wanted.here, [column.here for column in served.values()]))
            heading = Heading(self.cluster, model_words(model), f"{pool}, unknown counted as", pool)
            self.hours.add_formula(("split", self.which, self.cluster, model, pool), heading, summed(counted))

    def _heading(self, place: int, what: str) -> Heading:
        """The heading of a contract's column."""
        contract = self.inputs.contracts[place]
        return Heading(
            self.cluster,
            model_words(contract.gpu_model),
            what,
            contract=self.contracts.table.cell("contract_id", place),
            merit=self.contracts.table.cell("merit", place),
        )


# Keys of the columns, besides ("plan", cluster, model, pool) for the demand itself (model None: unknown):
# ("left_over", which, cluster, model, pool)   what contracts leave of it; which: existing or all
# ("demand", pool, model), ("over", pool, model), ("over_now", pool, model), ("over_joint", model)   sums

WHICH_WORDS = {"existing": "left over", "all": "left over, nothing signed"}


def write_plan(hours: HourSheet, inputs: Inputs, contracts: Contracts) -> None:
    """Write every cluster's columns of the plan, then the sums by pool and model."""
    clusters = sorted({key[0] for key in inputs.plan})
    for cluster in clusters:
        for _, model, pool in (key for key in inputs.plan if key[0] == cluster):
            _write_demand(hours, inputs, (cluster, model, pool))
        served_by = _Serving(hours, inputs, contracts, cluster)
        if not inputs.scenario.greenfield:
            served_by.write("existing")
        if differs_without_signing(inputs, cluster):
            served_by.write("all")
        if has_split(inputs, cluster):
            write_split(hours, inputs, contracts, cluster)
        served_by.write_joint()
    _write_sums(hours, inputs, clusters)


def _write_demand(hours: HourSheet, inputs: Inputs, stream: StreamKey) -> None:
    """A pool's demand: the log, or so many times the log where the scenario plans with more or less of it."""
    cluster, model, pool = stream
    heading = Heading(cluster, model_words(model), f"{pool} pool", pool)
    gpus, factor = inputs.plan[stream], inputs.demand_factor(pool)
    if factor is None:
        hours.add_input(("plan", *stream), heading, gpus)
        return
    of_log = Heading(cluster, model_words(model), f"{pool} pool, as logged", pool)
    logged = hours.add_input(("logged", *stream), of_log, gpus / inputs.assumptions.demand_of(pool))
    planned = by_row("{logged}*{factor}", logged=logged.here, factor=factor)
    hours.add_formula(("plan", *stream), heading, planned)


def has_split(inputs: Inputs, cluster: str) -> bool:
    """Whether untyped demand of a cluster is split among models by the contracts that serve it."""
    is_untyped = any(key[0] == cluster and key[1] is None for key in inputs.plan)
    return is_untyped and inputs.has_mixed_models(cluster) and not inputs.scenario.greenfield


class _Serving:
    """What one cluster's contracts leave over: pinned ones first, then free ones, pool after pool."""

    def __init__(self, hours: HourSheet, inputs: Inputs, contracts: Contracts, cluster: str) -> None:
        self.hours, self.inputs, self.contracts, self.cluster = hours, inputs, contracts, cluster
        self.models = sorted(
            {row.gpu_model for row in inputs.contracts if row.cluster == cluster}, key=model_order
        )
        self.demand: dict[str | None, dict[Pool, HourColumn]] = {}
        for _, model, pool in (key for key in inputs.plan if key[0] == cluster):
            self.demand.setdefault(model, {})[pool] = hours.column(("plan", cluster, model, pool))

    def write(self, which: str) -> None:
        """Columns of what is left over of known models, then of unknown ones, when these contracts serve."""
        for model, of_pool in self.demand.items():
            if model is not None and model in self.models:
                pins = {pool: self._gpus(which, model, pool) for pool in of_pool}
                self._chain(which, model, of_pool, pins, self._gpus(which, model, None))
        untyped = self.demand.get(None)
        if untyped and self.models:
            pins = {pool: self._pinned_left(which, pool) for pool in untyped}
            self._chain(which, None, untyped, pins, self._free_left(which))

    def _chain(
        self,
        which: str,
        model: str | None,
        demand: Mapping[Pool, HourColumn],
        pinned: Mapping[Pool, Range],
        free: Range,
    ) -> None:
        """max(0, D - pinned - what the pools before leave of the free GPUs), in the order of serving."""
        taken: list[Range] = []
        for pool in (each for each in SERVING_ORDER if each in demand):
            want, pin = demand[pool].here, pinned[pool]
            heading = Heading(self.cluster, model_words(model), f"{pool}, {WHICH_WORDS[which]}", pool)
            key = ("left_over", which, self.cluster, model, pool)
            left = free if free.text == "0" else _not_below_0(free, taken)
            self.hours.add_formula(key, heading, _not_below_0(want, [pin, left]))
            taken.append(_not_below_0(want, [pin]))

    def _gpus(self, which: str, model: str | None, pool: Pool | None) -> Range:
        """The GPUs of one model bound to one pool, the same in each hour; 0 where there are none."""
        cell = self.contracts.gpus(which, self.cluster, model, pool)
        return NOTHING if cell is None else Range(cell.text, np.array([cell.number]))

    def _pinned_left(self, which: str, pool: Pool) -> Range:
        """GPUs pinned to a pool, of every model, that its known demand leaves."""
        found = []
        for model in self.models:
            gpus = self._gpus(which, model, pool)
            wanted = self.demand.get(model, {}).get(pool) if model is not None else None
            if gpus.text != "0":
                found.append(gpus if wanted is None else _not_below_0(gpus, [wanted.here]))
        return summed(found)

    def _free_left(self, which: str) -> Range:
        """Free GPUs of every model that known demand leaves."""
        found = []
        for model in self.models:
            gpus = self._gpus(which, model, None)
            known = self.demand.get(model, {}) if model is not None else {}
            spilled = [
                _not_below_0(column.here, [self._gpus(which, model, pool)]) for pool, column in known.items()
            ]
            if gpus.text != "0":
                found.append(_not_below_0(gpus, spilled) if spilled else gpus)
        return summed(found)

    def write_joint(self) -> None:
        """What is left over with all workloads of a model in one pool: pins are ignored, the split of untyped stays."""
        for model in () if self.inputs.scenario.greenfield else self.models:
            columns = [
                column
                for pool in SERVING_ORDER
                for column in demand_columns(self.hours, self.inputs, self.cluster, (pool, model))
            ]
            if columns:
                heading = Heading(self.cluster, model_words(model), "all pools together, left over")
                left = _not_below_0(_total(columns), [self._all_gpus(model)])
                self.hours.add_formula(("left_over_joint", self.cluster, model), heading, left)

    def _all_gpus(self, model: str | None) -> Range:
        """All GPUs of a model, bound to a pool or not, the same in each hour."""
        return summed([self._gpus("existing", model, pool) for pool in (None, *Pool)])


def _not_below_0(amount: Range, less: Sequence[Range | Expr]) -> Range:
    """What is left of an amount, 0 at least; what is 0 in any hour needs no cell."""
    left = amount
    for each in less:
        if each.text != "0":
            left = by_row("{left}-{each}", left=left, each=each)
    return by_row("MAX(0,{left})", left=left)


def _write_sums(hours: HourSheet, inputs: Inputs, clusters: Sequence[str]) -> None:
    """Demand and what is left over, by pool and model; unknown models count with the model they are planned as."""
    for pool, model in inputs.pairs:
        sources = [
            column for cluster in clusters for column in demand_columns(hours, inputs, cluster, (pool, model))
        ]
        heading = Heading(f"{pool} pool", model_words(model), "demand", pool)
        _add_sum(hours, ("demand", pool, model), heading, sources)
        for which, key, words in (
            ("existing", "over", "demand beyond existing contracts"),
            ("all", "over_now", "demand beyond all contracts"),
        ):
            columns = [
                column
                for cluster in clusters
                for column in left_over_columns(hours, inputs, cluster, (pool, model), which)
            ]
            _add_sum(
                hours, (key, pool, model), Heading(f"{pool} pool", model_words(model), words, pool), columns
            )
    for pool, model in inputs.unplanned_pairs:
        heading = Heading(f"{pool} pool", model_words(model), "demand beyond all contracts", pool)
        _add_sum(hours, ("over_now", pool, model), heading, [])
    for model in dict.fromkeys(pair[1] for pair in inputs.pairs):
        columns = [column for cluster in clusters for column in _joint_columns(hours, inputs, cluster, model)]
        heading = Heading("all pools", model_words(model), "demand beyond existing contracts, pools together")
        _add_sum(hours, ("over_joint", model), heading, columns)


def _add_sum(
    hours: HourSheet, key: tuple[str | None, ...], heading: Heading, columns: Sequence[HourColumn]
) -> None:
    """Adds a column that is the sum of others, 0 without any."""
    hours.add_formula(key, heading, _total(columns))


def demand_columns(hours: HourSheet, inputs: Inputs, cluster: str, pair: PairKey) -> list[HourColumn]:
    """The columns whose sum is the demand of a pool and model on one cluster.

    Those of unknown model count with it.
    """
    pool, model = pair
    keys: list[tuple[str | None, ...]] = []
    if model is not None:
        keys.append(("plan", cluster, model, pool))
    if has_split(inputs, cluster):
        keys.append(("split", "existing", cluster, model, pool))
    elif inputs.usual_model(cluster) == model:
        keys.append(("plan", cluster, None, pool))
    return [column for key in keys if (column := hours.find(key)) is not None]


def left_over_columns(
    hours: HourSheet, inputs: Inputs, cluster: str, pair: PairKey, which: str
) -> list[HourColumn]:
    """The columns that leave demand over: what no contract was asked to serve is left over whole."""
    pool, model = pair
    spellings = ([model] if model is not None else []) + (
        [None] if inputs.usual_model(cluster) == model else []
    )
    found = []
    for spelling in spellings:
        keys = (("left_over", which, cluster, spelling, pool), ("plan", cluster, spelling, pool))
        if which == "all" and not differs_without_signing(inputs, cluster):
            keys = (("left_over", "existing", cluster, spelling, pool), keys[1])
        found += [column for key in keys if (column := hours.find(key)) is not None][:1]
    return found


def _joint_columns(hours: HourSheet, inputs: Inputs, cluster: str, model: str | None) -> list[HourColumn]:
    """What is left over of a model with all pools together; without contracts of it, all its demand."""
    joint = hours.find(("left_over_joint", cluster, model))
    if joint is not None:
        return [joint]
    return [
        column for pool in SERVING_ORDER for column in demand_columns(hours, inputs, cluster, (pool, model))
    ]
