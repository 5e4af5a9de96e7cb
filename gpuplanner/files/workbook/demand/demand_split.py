"""Demand of unknown model on clusters with several models: it counts with the model of whoever serves it in month 0."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import Heading, HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_order, model_words

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
