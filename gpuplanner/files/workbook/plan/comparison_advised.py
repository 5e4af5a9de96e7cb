"""Comparison by month: contracts, growth and prices, the orders of the app at live prices and what they leave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Bond, BondRun, PoolPlan
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import whole_gpus
from gpuplanner.domain.model.book.price_book import answered_row
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.reports.orders import SHORT_REASONS
from gpuplanner.domain.reports.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.demand.demand_months import MonthDemand, MonthsAhead, mean_above
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import POOL_NUMBER, Contracts, runs_through
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import UPFRONT, Prices
from gpuplanner.files.workbook.kit import expressions
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.figure_cells import NOTHING_GPU_HOURS, figure_field, text_field
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.plan.commitment_layers import spans_outside

SHEET: Final = "Comparison"
MONTHS: Final = range(COMPARED_MONTHS)


def by_month(key: str, style: str, word: str = "") -> tuple[Field, ...]:
    """A column for each month."""
    return tuple(Field(f"{key}{month}", f"{word}Month {month}", style, 11) for month in MONTHS)


class MonthInputs:
    """Tables below one another, from `next_row` on, of what the months are worked out from."""

    def __init__(
        self, book: Book, inputs: sheet_inputs.Inputs, named: Named, contracts: Contracts, next_row: int
    ) -> None:
        self.book, self.inputs, self.named, self.contracts = book, inputs, named, contracts
        self.next_row = next_row

    def table(self, title: str, size: int, fields: Sequence[Field]) -> Table:
        """A table of its own under a heading."""
        self.book.write(SHEET, self.next_row, 0, title, "section")
        table = Table(self.book, SHEET, self.next_row + 1, size, fields, watch=Watch(title, values=True))
        self.next_row = table.end_row + 1
        return table

    def names(self, table: Table, place: int, pair: sheet_inputs.PairKey) -> None:
        """Fill the two columns that say of which pool and model a row is."""
        table.put("pool", place, sheet_inputs.pool_words(pair[0]), f"pool_{pair[0]}")
        table.put("gpu_model", place, sheet_inputs.model_words(pair[1]))

    def price(self, months: expressions.Expr) -> expressions.Expr:
        """The share of today's prices after some months."""
        fall = self.named.assumptions["delta"]
        return expressions.formula("(1-{fall})^{months}", fall=fall, months=months)

    def _edges(self, month: int) -> tuple[expressions.Expr, expressions.Expr]:
        """Begin and end of a month in hours from the window's start, as formulas."""
        begin = self.named.plan_begins_h + expressions.lift(month) * self.named.hours_per_month
        return begin, begin + self.named.hours_per_month

    def _runs(self, month: int, which: str) -> expressions.Range:
        """1 for each contract that runs through all of a month, of those that are existing or of all; as an array."""
        begin, end = self._edges(month)
        table = self.contracts.table
        edges: expressions.Operands = {
            "from_h": table.range("from_h"),
            "begin": begin,
            "to_h": table.range("to_h"),
            "end": end,
        }
        runs = expressions.by_row("({from_h}<={begin})*({to_h}>={end})", **edges)
        if which == "all":
            return runs
        return expressions.by_row("{runs}*({committed}=1)", runs=runs, committed=table.range("committed"))

    def same_contracts(self, month: int) -> expressions.Expr:
        """Whether the contracts of this month are those that ran through it when the book was written.

        Told by how many they are, and by the sums of their numbers and of these squared.
        """
        places = [place + 1 for place in sheet_inputs.running_places(self.inputs, "all", month)]
        same = ",".join(
            f"SUMPRODUCT({{runs}}{'*{number}' * power})={sum(place**power for place in places)}"
            for power in range(3)
        )
        number = self.contracts.table.range("number")
        return expressions.formula(f"IF(AND({same}),1,0)", runs=self._runs(month, "all"), number=number)

    def growth(self, free: frozenset[Pool]) -> Mapping[tuple[Pool, int], expressions.Expr]:
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
        cells: dict[tuple[Pool, int], expressions.Expr] = {}
        for place, pool in enumerate(pools):
            value = self.inputs.assumptions.of_pool("growth", pool)
            growth: expressions.Expr | float = value
            if pool in free:
                own, common = self.named.assumptions[f"growth_{pool}"], self.named.assumptions["growth"]
                growth = expressions.formula("IF(ISNUMBER({own}),{own},{common})", own=own, common=common)
            table.put("pool", place, sheet_inputs.pool_words(pool), f"pool_{pool}")
            table.put("says", place, "on Assumptions" if pool in free else "in the app")
            cell = table.put("growth", place, growth)
            fade = table.put("fade", place, self.inputs.assumptions.growth_fade)
            for month in MONTHS:
                given: expressions.Operands = {"growth": cell, "fade": fade, "power": month - 1}
                more = expressions.formula("1+{growth}*{fade}^{power}", **given)
                factor = cells[pool, month - 1] * more if month else expressions.lift(1)
                cells[pool, month] = table.put(f"m{month}", place, factor)
        return cells

    def capacities(self) -> Mapping[tuple[sheet_inputs.CapacityKey, int], expressions.Expr]:
        """GPUs of contracts that run through each month, as cells."""
        keys = sheet_inputs.capacity_keys(self.inputs)
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
        cells = {}
        for place, key in enumerate(keys):
            which, cluster, model, pool = key
            table.put("which", place, "committed" if which == "existing" else "all rows")
            table.put("cluster", place, sheet_inputs.cluster_words(cluster))
            table.put("gpu_model", place, sheet_inputs.model_words(model))
            table.put(
                "serves", place, "every pool" if pool is None else f"{sheet_inputs.pool_words(pool)} only"
            )
            for month in MONTHS:
                cells[key, month] = table.put(f"m{month}", place, self._gpus_in(key, month))
        return cells

    def gpus_of_contracts(self) -> Mapping[tuple[int, int], expressions.Expr]:
        """GPUs of each contract in each month that it runs through, as cells by place and month.

        Nothing where everybody may serve everything.
        """
        if not self.inputs.scenario.only:
            return {}
        source, cells = self.contracts.table, dict[tuple[int, int], expressions.Expr]()
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
                held = runs_through(begins, ends, begin, end, gpus)
                cells[place, month] = table.put(f"m{month}", place, held)
        return cells

    def _gpus_in(self, key: sheet_inputs.CapacityKey, month: int) -> expressions.Expr:
        """GPUs of all contracts of a key that run in a month, as a sum over the sheet Contracts."""
        source = self.contracts.table
        which, cluster, model, pool = key
        return expressions.formula(
            "SUMPRODUCT({gpus},({clusters}={cluster})*({models}={model})*({pools}={pool})*{runs})",
            gpus=source.range("gpus"),
            clusters=source.range("cluster_no"),
            cluster=self.inputs.clusters.index(cluster) + 1,
            models=source.range("model_no"),
            model=self.inputs.models.index(model) + 1,
            pools=source.range("pool_no"),
            pool=POOL_NUMBER[pool],
            runs=self._runs(month, which),
        )

    def contracts_usd(self, which: str, month: int) -> expressions.Expr:
        """What the contracts that run through a month cost, used or not."""
        source = self.contracts.table
        if not sheet_inputs.serving_places(self.inputs, which):
            return expressions.lift(0)
        runs, rates = self._runs(month, which), source.range("rate_used")
        no_rate = expressions.formula("SUMPRODUCT(ISTEXT({rates})*{runs})>0", rates=rates, runs=runs)
        usd = expressions.call("SUMPRODUCT", source.range("gpus"), rates, runs) * self.named.hours_per_month
        return expressions.when(no_rate, expressions.DASH, usd)


AT_PRICES: Final = Field(
    "price",
    "Prices when signed, share of today's",
    "ratio",
    12,
    "The rate is that of the month it is signed for.",
)
NO_EXCESS: Final = 1e-9
"""Mean GPUs: what is left of a difference of floats."""


@dataclass(slots=True)
class Signed:
    """What one pool and model sign with one offer for one month; offer None: nobody sells that term.

    gpus: of the row's model; shares, upfront_shares: of the months that it pays, and of what is paid upfront.
    """

    pair: sheet_inputs.PairKey
    offer: Offer | None
    month: int
    gpus: float = 0.0
    shares: dict[int, float] = field(default_factory=dict)
    upfront_shares: dict[int, float] = field(default_factory=dict)

    def bought(self, plan: PoolPlan) -> float:
        """GPUs of the offer's own model, in the units that it is sold by; signed together they are bought together."""
        if self.offer is None:
            return self.gpus
        ratio, unit = plan.supply.ratios.get(self.offer.offer_id), self.offer.unit_gpus
        return self.gpus if ratio is None and unit is None else whole_gpus(self.gpus, ratio or 1.0, unit or 1)


def signed_in(inputs: sheet_inputs.Inputs, pair: sheet_inputs.PairKey) -> list[Signed]:
    """Every commitment of a pool and model that the twelve months rest on, by month and offer."""
    plan, offers = inputs.pool_plan(pair), {offer.offer_id: offer for offer in inputs.project.offers}
    found: dict[tuple[int, str], Signed] = {}
    if plan is None:
        return []
    for run in plan.bond_runs:
        gpus = plan.slicing.gpus(run.first_slice, run.last_slice)
        for since, name in dict.fromkeys((bond.since_month, bond.offer_id) for bond in run.bonds if bond):
            one = found.setdefault((since, name or ""), Signed(pair, offers.get(name or ""), since))
            one.gpus += gpus
            for month, bond in enumerate(run.bonds):
                if bond is not None and (bond.since_month, bond.offer_id) == (since, name):
                    one.shares[month], one.upfront_shares[month] = bond.share, bond.upfront_share
    return [found[key] for key in sorted(found)]


def price_when_signed(
    months: Table, prices: Prices, offer: Offer | None, month: int
) -> expressions.Expr | float:
    """What is signed for a month, as a share of the rate on the list: a quote is firm, a list price moves.

    months: the main table of Comparison.
    """
    if offer is not None and answered_row(offer) is not None:
        return 1.0
    price = months.cell("price", month)
    stepped = prices.steps.when_signed(None if offer is None else offer.gpu_model, month)
    return price if stepped is None else price * stepped


class AdvisedMonths:
    """The plan as advised. main: the sheet's first table, whose `price` column is there; pools: with usage rates."""

    def __init__(
        self, sheet: MonthInputs, main: Table, prices: Prices, hours: HourSheet, pools: Table
    ) -> None:
        self.sheet, self.inputs, self.named = sheet, sheet.inputs, sheet.named
        self.main, self.prices, self.hours, self.pools = main, prices, hours, pools
        self.orders: Table | None = None
        self.by_hour: Table | None = None

    def write_orders(self) -> None:
        """What the app orders: GPUs, months and hours are its own, rates and payments upfront those of Prices."""
        rows = [one for pair in self.inputs.pairs for one in signed_in(self.inputs, pair)]
        prepaid = self.prices.has_upfront
        table = self.orders = self.sheet.table(
            "As advised: orders and follow-ups of the app, GPU-hours that they are paid for",
            len(rows),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("offer_id", "Offer", "muted"),
                Field("reason", "Reason"),
                figure_field(ORDER["term_months"], 8),
                Field("month", "Signed for month", "count", 9),
                Field("gpus", "GPUs bought", "gpus", 10),
                figure_field(ORDER["rate"], 10),
                AT_PRICES,
                *((UPFRONT,) if prepaid else ()),
                *by_month("h", "hours", "GPU-h, "),
                *(by_month("u", "mean", "GPUs prepaid for, ") if prepaid else ()),
                *by_month("share", "ratio.fixed", "Paid of it, "),
                *(by_month("prepaid", "ratio.fixed", "Prepaid of it, ") if prepaid else ()),
            ),
        )
        places = {offer.offer_id: place for place, offer in enumerate(self.prices.listed)}
        for place, one in enumerate(rows):
            self.sheet.names(table, place, one.pair)
            plan = self.inputs.pool_plan(one.pair)
            assert plan is not None  # it signs
            bought = one.bought(plan)
            table.put("offer_id", place, None if one.offer is None else one.offer.offer_id)
            table.put("reason", place, self._reasons(one))
            table.put("term_months", place, None if one.offer is None else one.offer.term_months)
            table.put("month", place, one.month)
            gpus = table.put("gpus", place, bought)
            offer_place = None if one.offer is None else places[one.offer.offer_id]
            table.put("rate", place, None if offer_place is None else self._rate(offer_place))
            table.put("price", place, price_when_signed(self.main, self.prices, one.offer, one.month))
            if prepaid:
                upfront = None if offer_place is None else self.prices.offers.cell(UPFRONT.key, offer_place)
                table.put(UPFRONT.key, place, None if upfront is None else upfront, "rate")
            for month in MONTHS:
                share = table.put(f"share{month}", place, one.shares.get(month, 0.0))
                table.put(f"h{month}", place, gpus * share * self.named.hours_per_month)
                if prepaid:
                    part = table.put(f"prepaid{month}", place, one.upfront_shares.get(month, 0.0))
                    table.put(f"u{month}", place, gpus * part)

    def _reasons(self, one: Signed) -> str:
        """Why it is signed; orders alike but for their reason are one row here."""
        found = [
            str(SHORT_REASONS.get(order.reason, order.reason))
            for order in self.inputs.advice.orders
            if one.offer is not None
            and (order.pool, order.gpu_model) == one.pair
            and (order.offer_id, order.month) == (one.offer.offer_id, one.month)
        ]
        return ", ".join(dict.fromkeys(found))

    def _rate(self, place: int) -> expressions.Expr:
        """An offer's rate that counts in the plan; the dash where there is none, for none is never free."""
        rate = self.prices.offer_named(place)
        return expressions.when(expressions.call("N", rate) > 0, rate, expressions.DASH)

    def write_by_hour(self, months: MonthsAhead) -> None:
        """What nothing is signed for: GPU-hours of slices that are free in a month, by formulas over Demand."""
        rows = [
            (place, pair, plan, run)
            for place, pair in enumerate(self.inputs.pairs)
            if (plan := self.inputs.pool_plan(pair)) is not None and not self.inputs.is_refused(pair)
            for run in _served(plan)
        ]
        table = self.by_hour = self.sheet.table(
            "As advised: what the orders leave, GPU-hours paid by the hour",
            len(rows),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("from", "From GPU", "gpus"),
                Field("gpus", "GPUs", "gpus"),
                Field("r_flex", "Usage rate, $ per GPU-h", "rate"),
                *by_month("h", "hours", "GPU-h, "),
                *by_month("share", "ratio.fixed", "Free of it, "),
                *(by_month("s", "ratio", "Steps of prices, ") if self.prices.steps.cells else ()),
            ),
        )
        for place, (pair_place, pair, plan, run) in enumerate(rows):
            self._put_steps(table, place, pair)
            self.sheet.names(table, place, pair)
            low = table.put("from", place, plan.slicing.below(run.first_slice - 1))
            is_top = run.last_slice >= plan.slicing.count and not any(run.bonds)
            width = plan.slicing.gpus(run.first_slice, run.last_slice)
            gpus = table.put("gpus", place, "and above" if is_top else width)
            table.put("r_flex", place, self.pools.cell("r_flex", pair_place))
            seen: list[tuple[MonthDemand, float, int]] = []
            for month, bond in enumerate(run.bonds):
                share = 1.0 if bond is None else 1 - bond.share
                free = table.put(f"share{month}", place, share)
                if not share:
                    table.put(f"h{month}", place, 0)
                    continue
                demand = months.left_over("existing", pair, month)
                first = next(
                    (each for known_one, part, each in seen if part == share and known_one.same_as(demand)),
                    None,
                )
                if first is not None:
                    table.put(f"h{month}", place, table.cell(f"h{first}", place))
                    continue
                seen.append((demand, share, month))
                mean = self._mean(demand, low, None if is_top else gpus, width)
                used = expressions.highest(0, mean * self.named.hours_per_month)
                table.put(f"h{month}", place, used * free)

    def _put_steps(self, table: Table, place: int, pair: sheet_inputs.PairKey) -> None:
        """What dated steps make of a usage rate in each month, where the plan has any ahead."""
        if not self.prices.steps.cells:
            return
        for month in MONTHS:
            stepped = self.prices.steps.of_blend([pair], month)
            table.put(f"s{month}", place, 1 if stepped is None else stepped)

    def _mean(
        self, demand: MonthDemand, low: expressions.Expr, gpus: expressions.Expr | None, width: float
    ) -> expressions.Expr:
        """Mean GPUs of slices. gpus None: of the topmost, which take what rises above them later, too.

        Beyond a horizon under twelve months the app plans no slices for what is new there, and counts none of it.
        """
        mean = mean_above(self.hours, demand, low, gpus)
        if gpus is not None:
            return mean
        excess = mean.number - mean_above(self.hours, demand, low, expressions.lift(width)).number
        return mean - excess if excess > NO_EXCESS else mean

    def signed(self, month: int) -> expressions.Expr:
        """$ of a month for what is signed: GPU-hours at the rate of the month of signature, and this month's share of
        what is paid upfront."""
        assert self.orders is not None
        table = self.orders
        hours, rates, prices = (table.range(key) for key in (f"h{month}", "rate", "price"))
        total = _sum_of(hours, rates, prices)
        if self.prices.has_upfront:
            total = total + _sum_of(table.range(f"u{month}"), table.range(UPFRONT.key))
        return _if_rated(hours, rates, total)

    def usage(self, month: int) -> expressions.Expr:
        """$ of a month by the hour, at the prices of that month."""
        assert self.by_hour is not None
        hours, rates = self.by_hour.range(f"h{month}"), self.by_hour.range("r_flex")
        stepped = (self.by_hour.range(f"s{month}"),) if self.prices.steps.cells else ()
        return _if_rated(hours, rates, _sum_of(hours, rates, *stepped) * self.main.cell("price", month))


def _served(plan: PoolPlan) -> Sequence[BondRun]:
    """Runs of slices that somebody serves by the hour in some month; the last is never bound, and has what rises above
    them all."""
    runs = [
        BondRun(*span, run.bonds)
        for run in plan.bond_runs
        if any(bond is None or bond.share != 1 for bond in run.bonds)
        for span in spans_outside(run.first_slice, run.last_slice, plan.given_up)
    ]
    count = plan.slicing.count
    if not runs or runs[-1].last_slice < count or any(runs[-1].bonds):
        nothing: tuple[Bond | None, ...] = (None,) * len(MONTHS)
        runs.append(BondRun(count + 1, count, nothing))
    return runs


def _sum_of(*columns: expressions.Range) -> expressions.Expr:
    """SUMPRODUCT of columns; text counts as nothing."""
    return expressions.call("SUMPRODUCT", *columns)


def _if_rated(
    hours: expressions.Range, rates: expressions.Range, total: expressions.Expr
) -> expressions.Expr:
    """The dash where a rate is missing for hours that there are."""
    lacks = f"SUMPRODUCT(({{hours}}>{NOTHING_GPU_HOURS:.7f})*ISTEXT({{rates}}))>0"
    return expressions.when(expressions.formula(lacks, hours=hours, rates=rates), expressions.DASH, total)
