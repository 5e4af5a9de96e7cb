"""Comparison, its inputs by month: which contracts run, how demand grows, what prices do, what contracts cost."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.commitment.demand.growth import grown
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import POOL_NUMBER, Contracts
from gpuplanner.files.workbook.inputs.month_contracts import (
    CapacityKey,
    capacity_keys,
    running_places,
    serving_places,
)
from gpuplanner.files.workbook.inputs.sheet_inputs import (
    Inputs,
    PairKey,
    cluster_words,
    model_words,
    pool_words,
)
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.watch import Watch

SHEET: Final = "Comparison"
MONTHS: Final = range(COMPARED_MONTHS)


def by_month(key: str, style: str, word: str = "") -> tuple[Field, ...]:
    """A column for each month."""
    return tuple(Field(f"{key}{month}", f"{word}Month {month}", style, 11) for month in MONTHS)


def copied(cell: Expr) -> Expr:
    """A formula that shows another cell."""
    return Expr(cell.text, cell.value, True)


class MonthInputs:
    """Tables below one another, from `next_row` on, of what the months are worked out from."""

    def __init__(self, book: Book, inputs: Inputs, named: Named, contracts: Contracts, next_row: int) -> None:
        self.book, self.inputs, self.named, self.contracts = book, inputs, named, contracts
        self.next_row = next_row

    def table(self, title: str, size: int, fields: Sequence[Field]) -> Table:
        """A table of its own under a heading."""
        self.book.write(SHEET, self.next_row, 0, title, "section")
        table = Table(self.book, SHEET, self.next_row + 1, size, fields, watch=Watch(title, values=True))
        self.next_row = table.end_row + 1
        return table

    def names(self, table: Table, place: int, pair: PairKey) -> None:
        """Fill the two columns that say of which pool and model a row is."""
        table.put("pool", place, pool_words(pair[0]), f"pool_{pair[0]}")
        table.put("gpu_model", place, model_words(pair[1]))

    def price(self, months: Expr) -> Expr:
        """The share of today's prices after some months."""
        fall = self.named.assumptions["delta"]
        return Expr(f"(1-{fall.text})^{months.inner}", (1 - fall.number) ** months.number)

    def _edges(self, month: int) -> tuple[str, str]:
        """Begin and end of a month in hours from the window's start, as formulas."""
        begin = f"{self.named.plan_begins_h.text}+{month}*{self.named.hours_per_month.text}"
        return begin, f"{begin}+{self.named.hours_per_month.text}"

    def _runs(self, month: int) -> str:
        """1 for each contract that runs through all of a month, as an array."""
        begin, end = self._edges(month)
        table = self.contracts.table
        return f"({table.range('from_h').text}<={begin})*({table.range('to_h').text}>={end})"

    def same_contracts(self, month: int) -> Expr:
        """Whether the contracts of this month are those that ran through it when the book was written.

        Told by how many they are, and by the sums of their numbers and of these squared.
        """
        places = [place + 1 for place in running_places(self.inputs, "all", month)]
        runs, row = self._runs(month), self.contracts.table.range("number").text
        same = ",".join(
            f"SUMPRODUCT({runs}{weight})={sum(place**power for place in places)}"
            for power, weight in enumerate(("", f"*{row}", f"*{row}*{row}"))
        )
        return Expr(f"IF(AND({same}),1,0)", 1.0, True)

    def growth(self, free: frozenset[Pool]) -> Mapping[tuple[Pool, int], Expr]:
        """How many times today's demand each pool has in each month, as cells: a growth that fades."""
        pools = [pool for pool in POOLS if any(pair[0] is pool for pair in self.inputs.pairs)]
        table = self.table(
            "Growth of demand",
            len(pools),
            (
                Field("pool", "Pool"),
                Field("says", "Change it"),
                Field("growth", "Growth per month", "ratio"),
                Field("fade", "Of the growth a month before", "ratio"),
                *by_month("m", "amount"),
            ),
        )
        cells: dict[tuple[Pool, int], Expr] = {}
        for place, pool in enumerate(pools):
            value = self.inputs.assumptions.of_pool("growth", pool)
            growth: Expr | float = value
            if pool in free:
                own, common = self.named.assumptions[f"growth_{pool}"], self.named.assumptions["growth"]
                growth = Expr(f"IF(ISNUMBER({own.text}),{own.text},{common.text})", value, True)
            table.put("pool", place, pool_words(pool), f"pool_{pool}")
            table.put("says", place, "on Assumptions" if pool in free else "in the app")
            cell = table.put("growth", place, growth)
            fade = table.put("fade", place, self.inputs.assumptions.growth_fade)
            factors = grown(value, fade.number, len(MONTHS)).tolist()
            for month, factor in zip(MONTHS, factors, strict=True):
                before = cells[pool, month - 1].text if month else ""
                text = f"{before}*(1+{cell.text}*{fade.text}^{month - 1})" if month else "1"
                cells[pool, month] = table.put(f"m{month}", place, Expr(text, factor))
        return cells

    def capacities(self) -> Mapping[tuple[CapacityKey, int], Expr]:
        """GPUs of contracts that run through each month, as cells."""
        keys = capacity_keys(self.inputs)
        table = self.table(
            "GPUs of contracts that run through each month",
            len(keys),
            (
                Field("which", "Which"),
                Field("cluster", "Cluster"),
                Field("gpu_model", "GPU model"),
                Field("serves", "Serves"),
                *by_month("m", "gpus"),
            ),
        )
        source = self.contracts.table
        cells = {}
        for place, key in enumerate(keys):
            which, cluster, model, pool = key
            table.put("which", place, "committed" if which == "existing" else "all rows")
            table.put("cluster", place, cluster_words(cluster))
            table.put("gpu_model", place, model_words(model))
            table.put("serves", place, "every pool" if pool is None else f"{pool_words(pool)} only")
            mine = [
                each
                for each in serving_places(self.inputs, which)
                if (self.inputs.contracts[each].cluster, self.inputs.contracts[each].gpu_model)
                == (cluster, model)
                and self.inputs.contracts[each].pool is pool
            ]
            for month in MONTHS:
                running = running_places(self.inputs, which, month)
                gpus = sum(source.cell("gpus", each).number for each in mine if each in running)
                cells[key, month] = table.put(f"m{month}", place, self._gpus_in(key, mine, month, gpus))
        return cells

    def gpus_of_contracts(self) -> Mapping[tuple[int, int], Expr]:
        """GPUs of each contract in each month that it runs through, as cells by place and month.

        Nothing where everybody may serve everything.
        """
        if not self.inputs.scenario.only:
            return {}
        source, cells = self.contracts.table, dict[tuple[int, int], Expr]()
        table = self.table(
            "GPUs of each contract in the months that it runs through",
            len(self.inputs.contracts),
            (Field("contract", "Contract"), *by_month("m", "gpus")),
        )
        for place, contract in enumerate(self.inputs.contracts):
            table.put("contract", place, contract.contract_id)
            begins, ends, gpus = (source.cell(key, place) for key in ("from_h", "to_h", "gpus"))
            for month in MONTHS:
                begin, end = self._edges(month)
                runs = place in running_places(self.inputs, "all", month)
                text = f"IF(AND({begins.text}<={begin},{ends.text}>={end}),{gpus.text},0)"
                cells[place, month] = table.put(
                    f"m{month}", place, Expr(text, gpus.number if runs else 0.0, True)
                )
        return cells

    def _gpus_in(self, key: CapacityKey, mine: Sequence[int], month: int, gpus: float) -> Expr:
        """GPUs of all contracts of a key that run in a month, as a sum over the sheet Contracts."""
        source = self.contracts.table
        number = POOL_NUMBER[key[3]]
        mask = (
            f"({source.range('cluster_no').text}={self.inputs.clusters.index(key[1]) + 1})"
            f"*({source.range('model_no').text}={self.inputs.models.index(key[2]) + 1})"
            f"*({source.range('pool_no').text}={number})*{self._runs(month)}"
        )
        if key[0] == "existing":
            mask += f"*({source.range('committed').text}=1)"
        return call("SUMPRODUCT", gpus, source.range("gpus"), mask)

    def contracts_usd(self, which: str, month: int) -> Expr:
        """What the contracts that run through a month cost, used or not."""
        source = self.contracts.table
        places = running_places(self.inputs, which, month)
        if not serving_places(self.inputs, which):
            return Expr("0", 0.0, True)
        mask = self._runs(month)
        if which == "existing":
            mask += f"*({source.range('committed').text}=1)"
        rates = source.range("rate_used")
        unknown = sum(not source.cell("rate_used", place).is_known for place in places)
        value = sum(
            source.cell("gpus", place).number * source.cell("rate_used", place).number
            for place in places
            if source.cell("rate_used", place).is_known
        )
        no_rate = call("SUMPRODUCT", float(unknown), f"ISTEXT({rates.text})*{mask}")
        total = call("SUMPRODUCT", value, source.range("gpus"), rates, mask) * self.named.hours_per_month
        return when(no_rate > 0, DASH, Expr(total.text, DASH if unknown else total.value))
