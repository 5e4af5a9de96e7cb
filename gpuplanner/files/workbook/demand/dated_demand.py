"""Demand of a plan with dates: what the log and the planner have of it, and what contracts leave over in each month."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.demand.residual import ModelDemand, Stream
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import merit
from gpuplanner.domain.model.book.only import ANYBODY, only_of
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.demand.demand_months import MonthDemand, whole
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.dates_sheet import Dates
from gpuplanner.files.workbook.inputs.demand_sheet import Heading, HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.month_contracts import (
    CapacityKey,
    differs_without_signing,
    serving_places,
)
from gpuplanner.files.workbook.inputs.month_left_over import Amount, left_of
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, PairKey, cluster_words, model_words
from gpuplanner.files.workbook.kit.expressions import Expr

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
            return [(every, _bracketed(cells))] if cells else []
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
        return [(rows, _bracketed(cells)) for rows, cells in found]


def serving_in_turn(inputs: Inputs, which: str) -> list[tuple[int, Contract]]:
    """The contracts that serve, with their places, in merit order; which: existing or all."""
    found = [(place, inputs.contracts[place]) for place in serving_places(inputs, which)]
    return sorted(found, key=lambda one: merit(one[1]))


def _bracketed(cells: Sequence[Expr]) -> Expr:
    """Cells added up, in brackets where there are several."""
    total = Expr("+".join(cell.text for cell in cells), sum(cell.number for cell in cells), len(cells) == 1)
    return Expr(total.inner, total.number, True)


class DatedDemand:
    """Columns of what is logged and planned, as it is served, and of what is left over in parts of months."""

    def __init__(self, hours: HourSheet, inputs: Inputs, contracts: Contracts, dates: Dates) -> None:
        self.hours, self.inputs, self.contracts, self.dates = hours, inputs, contracts, dates
        ground = inputs.ground
        self._served = {"existing": ground.plan, "all": ground.nothing}
        self._inputs: dict[tuple[Hashable, bytes], HourColumn] = {}
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
            return self._column(key, heading, Amount("0", np.zeros(self.hours.hours)))
        row = model.rows.index(pair)

        def of_part(part: Part) -> Amount:
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
        alike: list[list[int]] = []
        for part in numbers:
            texts = [self._texts(groups, month, each) for each in (alike[-1][0] if alike else part, part)]
            if alike and texts[0] == texts[1]:
                alike[-1].append(part)
            else:
                alike.append([part])
        if len(alike) == 1:
            return [Part(month, 0, None)]
        found = []
        for some in alike:
            shares = [self.dates.shares[month, part] for part in some]
            text = "+".join(each.text for each in shares)
            total = Expr(text, sum(each.number for each in shares), len(some) == 1)
            found.append(Part(month, some[0], total))
        return found

    def _texts(self, groups: Sequence[int], month: int, part: int) -> list[str]:
        """The formulas of what is there of some groups."""
        return [self.dates.formulas[group, month, part] for group in groups]

    def _demand(self, pair: PairKey) -> None:
        """All of a pool's and model's demand in month 0."""
        model = self._model("existing", pair)
        heading = Heading(f"{pair[0]} pool", model_words(pair[1]), "demand, month 0", pair[0])
        if model is None:
            self._column(("demand", *pair), heading, Amount("0", np.zeros(self.hours.hours)))
            return
        row = model.rows.index(pair)

        def of_part(part: Part) -> Amount:
            mine = [
                self._there("existing", model, site.cluster, [stream], part, {})
                for site in model.sites
                for stream in site.streams
                if stream.row == row
            ]
            return _added(mine, self.hours.hours)

        self._in_parts(("demand", *pair), heading, self._parts(model, 0), of_part)

    def _joint(self, name: str | None) -> None:
        """What existing contracts leave over in month 0 with all pools of a model in one; pins are ignored."""
        heading = Heading("all pools", model_words(name), "demand beyond existing contracts, pools together")
        key = ("over_joint", name)
        model = next(
            (each for each in self.inputs.ground.plan.models if name in {row[1] for row in each.rows}), None
        )
        if model is None:
            self._column(key, heading, Amount("0", np.zeros(self.hours.hours)))
            return
        names = list(dict.fromkeys(row[1] for row in model.rows))
        joined = [names.index(row[1]) for row in model.rows]
        sites = tuple(
            replace(site, streams=tuple(replace(one, row=joined[one.row]) for one in site.streams))
            for site in model.sites
        )
        together = ModelDemand(model.gpu_model, tuple((model.rows[0][0], each) for each in names), sites)
        capacity = replace(self._now("existing"), are_pinned=False)

        def of_part(part: Part) -> Amount:
            return self._left_of_model(together, ("existing", names.index(name)), part, capacity, {})

        self._in_parts(key, heading, self._parts(model, 0), of_part)

    def _in_parts(
        self, key: Hashable, heading: Heading, parts: Sequence[Part], of_part: Callable[[Part], Amount]
    ) -> HourColumn:
        """A column of a month; where it has parts the mean of a column each."""
        if len(parts) == 1:
            return self._column(key, heading, of_part(parts[0]))
        columns = []
        for number, part in enumerate(parts, 1):
            assert part.share is not None
            of_one = replace(heading, what=f"{heading.what}, part {number}")
            columns.append((part.share, self._column((key, number), of_one, of_part(part))))
        text = "+".join(f"{share.inner}*{column.now}" for share, column in columns)
        values = sum((share.number * column.values for share, column in columns), np.zeros(self.hours.hours))
        self._column(key, replace(heading, what=f"{heading.what}, by its parts"), Amount(text, values))
        return self.hours.in_parts(key, columns)

    def _column(self, key: Hashable, heading: Heading, amount: Amount) -> HourColumn:
        """A column of an amount; one of the same heading's pool whose formula is the same is the same column."""
        again = ((heading.where, heading.gpu_model), amount.text)
        found = self._sums.get(again)
        if found is None:
            found = self._sums[again] = self.hours.add_formula(key, heading, amount.values, amount.text)
        self.hours.columns[key] = found
        return found

    def _left_of_model(
        self,
        model: ModelDemand,
        whose: tuple[str, int],
        part: Part,
        capacity: MonthCapacity,
        growth: Mapping[tuple[Pool, int], Expr],
    ) -> Amount:
        """What contracts leave over of a row of a model, all clusters together. whose: existing or all, and the row."""
        which, row = whose
        found = []
        for site in model.sites:
            serving = capacity.of(site.cluster, model)
            runs: list[list[Stream]] = []
            for stream in site.streams:
                if runs and runs[-1][0].row == stream.row:
                    runs[-1].append(stream)
                else:
                    runs.append([stream])
            if not serving:
                runs = [run for run in runs if run[0].row == row]
            streams = [
                (run[0].row, self._there(which, model, site.cluster, run, part, growth)) for run in runs
            ]
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
                left = Amount(column.now, column.values)
            found.append(left)
        return _added(found, self.hours.hours)

    def _there(
        self,
        which: str,
        model: ModelDemand,
        cluster: str,
        streams: Sequence[Stream],
        part: Part,
        growth: Mapping[tuple[Pool, int], Expr],
    ) -> Amount:
        """What of some streams of one row is there in a part of a month."""
        texts, total = [], np.zeros(self.hours.hours)
        for stream in streams:
            column = self._input(model, cluster, stream)
            factor = self.dates.there[stream.group, part.month, part.number]
            formula = self.dates.formulas[stream.group, part.month, part.number]
            if formula == "0":
                continue
            text, value = column.now, factor.number
            if formula != "1":
                text += f"*{factor.text}"
            grown = growth.get((stream.grows_with, part.month))
            if grown is not None and self.inputs.ground.outlined.schedules[stream.group].grows:
                text, value = f"{text}*{grown.text}", value * grown.number
            texts.append(text)
            total = total + column.values * value
        if len(texts) > 1:
            texts = [f"({'+'.join(texts)})"]
        return Amount(texts[0] if texts else "0", total)

    def _input(self, model: ModelDemand, cluster: str, stream: Stream) -> HourColumn:
        """The hours of a stream as the app serves them: of the log, or as they are planned."""
        pool, name = stream.grows_with, model.rows[stream.row][1] if stream.row < len(model.rows) else None
        key = (cluster, pool, name, stream.group)
        again = (key, stream.demand.tobytes())
        column = self._inputs.get(again)
        if column is None:
            is_planned = self.inputs.ground.outlined.schedules[stream.group].is_planned
            words = f"{pool} pool, planned" if is_planned else f"{pool} pool"
            words += f", group {stream.group}" if stream.group else ""
            heading = Heading(cluster_words(cluster), model_words(name), words, pool)
            gpus = stream.demand / MILLI_GPU_SECONDS_PER_GPU_HOUR
            column = self.hours.add_input(("stream", *key, len(self._inputs)), heading, gpus)
            self._inputs[again] = column
        return column


def _added(amounts: Sequence[Amount], hours: int) -> Amount:
    """Amounts added up; those of nobody are left out, for they need no cell."""
    texts = [amount.text for amount in amounts if amount.text != "0"]
    return Amount("+".join(texts) or "0", sum((amount.values for amount in amounts), np.zeros(hours)))


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
