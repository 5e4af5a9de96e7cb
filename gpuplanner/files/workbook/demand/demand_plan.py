"""Demand of the window and of month 0: what contracts served, what they leave over, demand of unknown model."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.audit.use_by import CELLS, EPOCH_CELL
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import (
    FIRST_HEAD_ROW,
    HEAD_ROWS,
    Heading,
    HourColumn,
    HourSheet,
    span,
)
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_order, model_words
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
            gpus=table.cell("gpus_used", place),
            from_h=table.cell("from_h", place),
            to_h=table.cell("to_h", place),
            merit=table.cell("merit", place),
        )

    def _capacity(self, place: int) -> HourColumn:
        """Adds a contract's GPUs times the part of each hour in which it runs."""
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
