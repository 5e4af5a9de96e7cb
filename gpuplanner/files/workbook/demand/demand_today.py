"""Demand, today's part: what each cluster's contracts served in the window, and what overflowed."""

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.files.workbook.inputs.demand_sheet import (
    FIRST_HEAD_ROW,
    HEAD_ROWS,
    Heading,
    HourColumn,
    HourSheet,
)
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_order, model_words
from gpuplanner.files.workbook.kit.book import Table

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
