"""Demand of the window and of month 0: what contracts served, what they leave over, demand of unknown model."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.use_by import CELLS, EPOCH_CELL, first_cell
from gpuplanner.domain.model.tables import POOLS, SERVING_ORDER, Pool
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import (
    FIRST_HEAD_ROW,
    HEAD_ROWS,
    Heading,
    HourColumn,
    HourSheet,
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
from gpuplanner.files.workbook.kit.expressions import Expr

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
        total = sum((column.values for column in parts), np.zeros(self.hours.hours))
        condition = "+".join(column.now for column in parts)
        formula = f"IF({condition}>0,1,0)" if parts else "0"
        heading = Heading(self.cluster, "all models", "training runs (1 yes)")
        self.hours.add_formula(("training", self.cluster), heading, (total > 0).astype(np.float64), formula)

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
        hour = self.hours.column("hour")
        letters = self.hours.next_letters()
        head = {what: f"{letters}${row}" for what, row in _HEAD_ROW.items()}
        formula = f"{head['gpus']}*MAX(0,MIN({head['to']},${hour.now}+1)-MAX({head['from']},${hour.now}))"
        table = self.contracts
        begins, ends = table.cell("from_h", place).number, table.cell("to_h", place).number
        share = np.maximum(0.0, np.minimum(ends, hour.values + 1) - np.maximum(begins, hour.values))
        values = table.cell("gpus", place).number * share
        return self.hours.add_formula(("capacity", place), self._heading(place, "capacity"), values, formula)

    def _serve_known(self, model: str, demand: list[HourColumn], own: list[int]) -> None:
        """Serves demand of one model from its own contracts, in merit order, and tells what is lost."""
        if not own:
            return
        wanted = sum((column.values for column in demand), np.zeros(self.hours.hours))
        total = f"SUM({_span(demand)})"
        capacities = [self.hours.column(("capacity", place)) for place in own]
        for place in own:
            self._serve(("served", place), place, own, capacities, wanted, total, "served")
        all_capacity = sum((column.values for column in capacities), np.zeros(self.hours.hours))
        self._lost(model, wanted, total, all_capacity, f"SUM({_span(capacities)})")

    def _serve_unknown(self, demand: list[HourColumn]) -> None:
        """Serves demand of unknown model from what all contracts have left."""
        left = []
        for place in self.places:
            capacity, served = self.hours.column(("capacity", place)), self.hours.find(("served", place))
            used = np.zeros(self.hours.hours) if served is None else served.values
            formula = capacity.now if served is None else f"{capacity.now}-{served.now}"
            left.append(
                self.hours.add_formula(
                    ("left", place), self._heading(place, "left for unknown"), capacity.values - used, formula
                )
            )
        wanted = sum((column.values for column in demand), np.zeros(self.hours.hours))
        total = f"SUM({_span(demand)})"
        for place in self.places:
            key = ("served_unknown", place)
            self._serve(key, place, list(self.places), left, wanted, total, "served, unknown model")
        all_left = sum((column.values for column in left), np.zeros(self.hours.hours))
        self._lost(None, wanted, total, all_left, f"SUM({_span(left)})")

    def _serve(
        self,
        key: tuple[str, int],
        place: int,
        among: list[int],
        room: list[HourColumn],
        wanted: Floats,
        total: str,
        what: str,
    ) -> None:
        """What one contract serves: the demand less what contracts before it in merit order have room for."""
        own = room[among.index(place)]
        rank = self.contracts.cell("merit", place).number
        before = [
            column
            for other, column in zip(among, room, strict=True)
            if self.contracts.cell("merit", other).number < rank
        ]
        taken = sum((column.values for column in before), np.zeros(self.hours.hours))
        values = np.maximum(0.0, np.minimum(own.values, wanted - taken))
        if len(among) == 1:
            formula = f"MIN({own.now},{total})"
        else:
            ranks = f"${room[0].head('merit')}:${room[-1].head('merit')}"
            formula = (
                f"MAX(0,MIN({own.now},{total}-SUMPRODUCT({_span(room)}*({ranks}<${own.head('merit')}))))"
            )
        self.hours.add_formula(key, self._heading(place, what), values, formula)

    def _lost(self, model: str | None, wanted: Floats, total: str, room: Floats, room_text: str) -> None:
        """Adds the share of demand that overflows in each hour, 0 where there is no demand."""
        values = np.divide(
            np.maximum(0.0, wanted - room), wanted, out=np.zeros(self.hours.hours), where=wanted > 0
        )
        heading = Heading(self.cluster, model_words(model), "overflow, share of demand")
        formula = f"IF({total}>0,MAX(0,{total}-{room_text})/{total},0)"
        self.hours.add_formula(("lost", self.cluster, model), heading, values, formula)


_HEAD_ROW = {what: FIRST_HEAD_ROW + place + 1 for place, what in enumerate(HEAD_ROWS)}


def _span(columns: list[HourColumn]) -> str:
    """Neighbouring columns in the row of the formula."""
    return f"{columns[0].now}:{columns[-1].now}"


# Keys of the columns: ("week",), ("paid",), ("used",), ("beyond", cluster, model), ("contended", cluster),
# ("inference", cluster).

WHAT_ROW = FIRST_HEAD_ROW + HEAD_ROWS.index("what") + 1
CONTENDED_FROM_GPUS = 1e-7
"""Less than one milli-GPU-second in an hour is rounding of the sheet's fractions."""


def write_use_hours(hours: HourSheet, inputs: Inputs, named: Named) -> None:
    """Write the columns; those of `write_today` are there."""
    start = named.window_start.text
    cell = f"MOD(ROUND(({start}-{EPOCH_SERIAL})*24,0)+{EPOCH_CELL}+{hours.column('hour').now},{CELLS})"
    cells = (first_cell(inputs.project.window) + np.arange(hours.hours)) % CELLS
    heading = Heading("all clusters", "all models", "hour of the week (0: Monday 00:00 UTC)")
    hours.add_formula(("week",), heading, cells.astype(np.float64), cell)
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
        hours.add_formula((key,), heading, np.zeros(hours.hours), "0")
        return
    places = sorted((column.place, column) for _, column in of_contracts)
    first, last = places[0][1], places[-1][1]
    values: Floats = sum(
        (column.values for kind, column in of_contracts if kinds[kind] in words), np.zeros(hours.hours)
    )
    said = f"${first.letters}${WHAT_ROW}:${last.letters}${WHAT_ROW}"
    parts = [f'SUMIF({said},"{word}",${first.now}:${last.now})' for word in words]
    hours.add_formula((key,), heading, values, "+".join(parts))


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
    over = _sum(hours, beyond)
    condition = "+".join(column.now for column in beyond) or "0"
    hours.add_formula(
        ("contended", cluster),
        Heading(cluster, "all models", "contended (1 yes)"),
        (over > CONTENDED_FROM_GPUS).astype(np.float64),
        f"IF({condition}>{CONTENDED_FROM_GPUS:.7f},1,0)",
    )
    served = [
        column
        for model in models
        if (column := hours.find(("today", cluster, model, Pool.INFERENCE))) is not None
    ]
    condition = "+".join(column.now for column in served) or "0"
    hours.add_formula(
        ("inference", cluster),
        Heading(cluster, "all models", "inference runs (1 yes)"),
        (_sum(hours, served) > 0).astype(np.float64),
        f"IF({condition}>0,1,0)",
    )


def _beyond(
    hours: HourSheet, cluster: str, model: str | None, lost: HourColumn, capacity: list[HourColumn]
) -> HourColumn:
    """Adds what was asked for beyond the GPUs of a model, in hours in which it has any."""
    demand = [column for pool in Pool if (column := hours.find(("today", cluster, model, pool))) is not None]
    demand.sort(key=lambda column: column.place)
    capacity = sorted(capacity, key=lambda column: column.place)
    values = np.where(_sum(hours, capacity) > 0, lost.values * _sum(hours, demand), 0.0)
    formula = f"IF(SUM({_span(capacity)})>0,{lost.now}*SUM({_span(demand)}),0)"
    heading = Heading(cluster, model_words(model), "asked for beyond its GPUs")
    return hours.add_formula(("beyond", cluster, model), heading, values, formula)


def _sum(hours: HourSheet, columns: list[HourColumn]) -> Floats:
    """Hourly values of several columns added up, shape (hours,)."""
    return sum((column.values for column in columns), np.zeros(hours.hours))


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
        before_text, before = "0", np.zeros(self.hours.hours)
        for pool, wanted in self.untyped.items():
            pinned = [place for place in self.places if self.inputs.contracts[place].pool is pool]
            for place in pinned:
                self._serve_pinned(place, pool, wanted, pinned)
            room = "".join(f"-{self._room_column(place).now}" for place in pinned)
            spilled_text = f"MAX(0,{wanted.now}{room})"
            spilled = np.maximum(
                0.0,
                wanted.values
                - sum((self._room_column(place).values for place in pinned), np.zeros_like(before)),
            )
            free = [place for place in self.places if self.inputs.contracts[place].pool is None]
            for place in free:
                self._serve_free(place, pool, free, (before_text, before), (spilled_text, spilled))
            before_text = spilled_text if before_text == "0" else f"{before_text}+{spilled_text}"
            before = before + spilled
            self._by_model(pool, wanted, [*pinned, *free])

    def _gpus(self, place: int) -> tuple[str, float]:
        """GPUs of a contract if it is among those that serve and runs through month 0, else 0."""
        gpus, existing = (
            self.contracts.table.cell("gpus", place),
            self.contracts.table.cell("existing" if self.which == "existing" else "runs", place),
        )
        return f"{gpus.text}*{existing.text}", gpus.number * existing.number

    def _merit(self, place: int) -> tuple[str, float]:
        """The cell of a contract's place in merit order, and its number."""
        cell = self.contracts.table.cell("merit", place)
        return cell.text, cell.number

    def _room_column(self, place: int) -> HourColumn:
        """What a contract has left over after demand of its own model."""
        return self.hours.column(("split_room", self.which, place))

    def _room(self, place: int) -> None:
        """What known demand leaves of a contract."""
        contract = self.inputs.contracts[place]
        gpus_text, gpus = self._gpus(place)
        taken_text, taken = self._known_demand(contract.gpu_model, contract.pool)
        rank_text, rank = self._merit(place)
        peers = [
            other
            for other in self.places
            if other != place
            and self.inputs.contracts[other].gpu_model == contract.gpu_model
            and self.inputs.contracts[other].pool is contract.pool
        ]
        for other in peers:
            other_text, other_gpus = self._gpus(other)
            other_rank_text, other_rank = self._merit(other)
            taken_text += f"-{other_text}*({other_rank_text}<{rank_text})"
            taken = taken - other_gpus * (other_rank < rank)
        values = gpus - np.maximum(0.0, np.minimum(gpus, taken))
        heading = self._heading(place, "left for unknown, month 0")
        self.hours.add_formula(
            ("split_room", self.which, place),
            heading,
            values,
            f"{gpus_text}-MAX(0,MIN({gpus_text},{taken_text}))",
        )

    def _known_demand(self, model: str | None, pin: Pool | None) -> tuple[str, Floats]:
        """Known demand that turns to the contracts of a model with a pin: the pool's own, or what its pins leave."""
        texts, total = [], np.zeros(self.hours.hours)
        for pool in SERVING_ORDER:
            column = None if model is None else self.hours.find(("plan", self.cluster, model, pool))
            if column is None or pin not in (None, pool):
                continue
            pinned = None if pin is pool else self.contracts.gpus(self.which, self.cluster, model, pool)
            if pinned is None:
                texts.append(column.now)
                total = total + column.values
            else:
                texts.append(f"MAX(0,{column.now}-{pinned.text})")
                total = total + np.maximum(0.0, column.values - pinned.number)
        return "+".join(texts) or "0", total

    def _serve_pinned(self, place: int, pool: Pool, wanted: HourColumn, among: Sequence[int]) -> None:
        """What a contract bound to a pool serves of it, after those before it in merit order."""
        own = self._room_column(place)
        below_text, below = self._below(place, among)
        values = np.maximum(0.0, np.minimum(own.values, wanted.values - below))
        text = wanted.now if below_text == "0" else f"{wanted.now}-({below_text})"
        self._add_served(place, pool, values, f"MAX(0,MIN({own.now},{text}))")

    def _serve_free(
        self,
        place: int,
        pool: Pool,
        among: Sequence[int],
        before: tuple[str, Floats],
        spilled: tuple[str, Floats],
    ) -> None:
        """The overlap of the pool's stretch of demand with the contract's stretch of room, both stacked from 0."""
        own = self._room_column(place)
        below_text, below = self._below(place, among)
        end = np.minimum(before[1] + spilled[1], below + own.values)
        values = np.maximum(0.0, end - np.maximum(before[1], below))
        end_text = f"MIN({before[0]}+{spilled[0]},{below_text}+{own.now})"
        formula = f"MAX(0,{end_text}-MAX({before[0]},{below_text}))"
        self._add_served(place, pool, values, formula)

    def _below(self, place: int, among: Sequence[int]) -> tuple[str, Floats]:
        """Room of the contracts that come before in merit order."""
        rank_text, rank = self._merit(place)
        texts, total = [], np.zeros(self.hours.hours)
        for other in among:
            if other == place:
                continue
            column, (other_text, other_rank) = self._room_column(other), self._merit(other)
            texts.append(f"{column.now}*({other_text}<{rank_text})")
            total = total + column.values * (other_rank < rank)
        return "+".join(texts) or "0", total

    def _add_served(self, place: int, pool: Pool, values: Floats, formula: str) -> None:
        """Adds the column of what a contract serves of a pool."""
        heading = self._heading(place, f"{pool}, unknown model served")
        self.hours.add_formula(("split_served", self.which, place, pool), heading, values, formula)

    def _by_model(self, pool: Pool, wanted: HourColumn, serving: Sequence[int]) -> None:
        """Adds for each model what its contracts serve of a pool; what nobody serves goes to the usual model."""
        served = {place: self.hours.column(("split_served", self.which, place, pool)) for place in serving}
        all_served = sum((column.values for column in served.values()), np.zeros(self.hours.hours))
        usual = self.inputs.usual_model(self.cluster)
        models = {self.inputs.contracts[place].gpu_model for place in self.places} | {usual}
        for model in sorted(models, key=model_order):
            mine = [
                column for place, column in served.items() if self.inputs.contracts[place].gpu_model == model
            ]
            values = sum((column.values for column in mine), np.zeros(self.hours.hours))
            text = "+".join(column.now for column in mine) or "0"
            if model == usual:
                minus = "".join(f"-{column.now}" for column in served.values())
                text += f"+MAX(0,{wanted.now}{minus})"
                values = values + np.maximum(0.0, wanted.values - all_served)
            heading = Heading(self.cluster, model_words(model), f"{pool}, unknown counted as", pool)
            self.hours.add_formula(("split", self.which, self.cluster, model, pool), heading, values, text)

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
    if not factor:
        hours.add_input(("plan", *stream), heading, gpus)
        return
    of_log = Heading(cluster, model_words(model), f"{pool} pool, as logged", pool)
    logged = hours.add_input(("logged", *stream), of_log, gpus / inputs.assumptions.demand_of(pool))
    hours.add_formula(("plan", *stream), heading, gpus, f"{logged.now}*{factor}")


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
                columns = {pool: (column.now, column.values) for pool, column in of_pool.items()}
                self._chain(which, model, columns, pins, self._gpus(which, model, None))
        untyped = self.demand.get(None)
        if untyped and self.models:
            columns = {pool: (column.now, column.values) for pool, column in untyped.items()}
            pins = {pool: self._pinned_left(which, pool) for pool in untyped}
            self._chain(which, None, columns, pins, self._free_left(which))

    def _chain(
        self,
        which: str,
        model: str | None,
        demand: Mapping[Pool, tuple[str, Floats]],
        pinned: Mapping[Pool, tuple[str, Floats]],
        free: tuple[str, Floats],
    ) -> None:
        """max(0, D - pinned - what the pools before leave of the free GPUs), in the order of serving."""
        free_text, free_values = free
        for pool in (each for each in SERVING_ORDER if each in demand):
            (want_text, want), (pin_text, pin) = demand[pool], pinned[pool]
            pin_part = "" if pin_text == "0" else f"-{pin_text}"
            free_part = "" if free_text == "0" else f"-MAX(0,{free_text})"
            heading = Heading(self.cluster, model_words(model), f"{pool}, {WHICH_WORDS[which]}", pool)
            values = np.maximum(0.0, want - pin - np.maximum(0.0, free_values))
            key = ("left_over", which, self.cluster, model, pool)
            self.hours.add_formula(key, heading, values, f"MAX(0,{want_text}{pin_part}{free_part})")
            free_values = free_values - np.maximum(0.0, want - pin)
            if free_text != "0":
                free_text = f"{free_text}-MAX(0,{want_text}{pin_part})"

    def _gpus(self, which: str, model: str | None, pool: Pool | None) -> tuple[str, Floats]:
        """Formula and hourly values of the GPUs of one model bound to one pool."""
        cell = self.contracts.gpus(which, self.cluster, model, pool)
        return _constant(cell, self.hours.hours)

    def _pinned_left(self, which: str, pool: Pool) -> tuple[str, Floats]:
        """GPUs pinned to a pool, of every model, that its known demand leaves."""
        texts, values = [], np.zeros(self.hours.hours)
        for model in self.models:
            text, gpus = self._gpus(which, model, pool)
            if text == "0":
                continue
            wanted = self.demand.get(model, {}).get(pool) if model is not None else None
            texts.append(text if wanted is None else f"MAX(0,{text}-{wanted.now})")
            values = values + (gpus if wanted is None else np.maximum(0.0, gpus - wanted.values))
        return _in_brackets(texts), values

    def _free_left(self, which: str) -> tuple[str, Floats]:
        """Free GPUs of every model that known demand leaves."""
        texts, values = [], np.zeros(self.hours.hours)
        for model in self.models:
            text, gpus = self._gpus(which, model, None)
            if text == "0":
                continue
            spilled_texts, spilled = [], np.zeros(self.hours.hours)
            for pool, column in (self.demand.get(model, {}) if model is not None else {}).items():
                pin_text, pin = self._gpus(which, model, pool)
                pin_part = "" if pin_text == "0" else f"-{pin_text}"
                spilled_texts.append(f"MAX(0,{column.now}{pin_part})")
                spilled = spilled + np.maximum(0.0, column.values - pin)
            texts.append(f"MAX(0,{'-'.join([text, *spilled_texts])})" if spilled_texts else text)
            values = values + np.maximum(0.0, gpus - spilled)
        return _in_brackets(texts), values

    def write_joint(self) -> None:
        """What is left over with all workloads of a model in one pool: pins are ignored, the split of untyped stays."""
        for model in () if self.inputs.scenario.greenfield else self.models:
            columns = [
                column
                for pool in SERVING_ORDER
                for column in demand_columns(self.hours, self.inputs, self.cluster, (pool, model))
            ]
            if columns:
                gpus_text, gpus = self._all_gpus(model)
                wanted = sum((column.values for column in columns), np.zeros(self.hours.hours))
                wanted_text = "+".join(column.now for column in columns)
                heading = Heading(self.cluster, model_words(model), "all pools together, left over")
                key = ("left_over_joint", self.cluster, model)
                values = np.maximum(0.0, wanted - gpus)
                self.hours.add_formula(key, heading, values, f"MAX(0,{wanted_text}-{gpus_text})")

    def _all_gpus(self, model: str | None) -> tuple[str, Floats]:
        """Formula and hourly values of all GPUs of a model, bound to a pool or not."""
        cells = [
            cell
            for pool in (None, *Pool)
            if (cell := self.contracts.gpus("existing", self.cluster, model, pool)) is not None
        ]
        total = sum(cell.number for cell in cells)
        return _in_brackets([cell.text for cell in cells]), np.full(self.hours.hours, total)


def _constant(cell: Expr | None, hours: int) -> tuple[str, Floats]:
    """A cell that holds for every hour, shape (hours,); 0 where there is none."""
    return ("0", np.zeros(hours)) if cell is None else (cell.text, np.full(hours, cell.number))


def _in_brackets(texts: Sequence[str]) -> str:
    """Texts added up, in brackets if there are several."""
    if not texts:
        return "0"
    return texts[0] if len(texts) == 1 else f"({'+'.join(texts)})"


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
    total = sum((column.values for column in columns), np.zeros(hours.hours))
    hours.add_formula(key, heading, total, "+".join(column.now for column in columns) or "0")


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
