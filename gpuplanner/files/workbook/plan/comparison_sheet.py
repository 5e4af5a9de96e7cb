"""Comparison: twelve months side by side: nothing signed, and the plan as advised, worked out from its orders."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isclose
from typing import Final

from gpuplanner.domain.commitment.asked_rows import MONTHS_OF_HOURS
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Band, Order, PlannedRunFigures, PoolPlan
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.typed import plan_month
from gpuplanner.domain.model.book.contract import month_start_s
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.workbook.demand.demand_months import DemandAhead, PartDemand, mean_above, means_by_part
from gpuplanner.files.workbook.demand.pools_sheet import Pools
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts, hours_in, to_key
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.workloads_sheet import Dates
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.charts import IN_USD, add_series, put_chart
from gpuplanner.files.workbook.kit.checks import UNSOUND
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Operands,
    Range,
    added,
    by_row,
    call,
    formula,
    highest,
    known,
    known_sum_where,
    lift,
    lowest,
    scaled,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import NOTHING_GPU_HOURS, fields_of
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_MONTHS
from gpuplanner.files.workbook.plan.order_rows import Orders
from gpuplanner.lazy_dataclass import dataclass

# --- Comparison by month: contracts, growth and prices, what the orders of the list cost, serve and leave

MONTHS: Final = range(COMPARED_MONTHS)


def by_month(key: str, style: str, words: str) -> tuple[Field, ...]:
    """A column for each month. words: what stands in it."""
    return tuple(
        Field(key=f"{key}{month}", heading=f"{words}, {plan_month(month)}", style=style, width=11)
        for month in MONTHS
    )


class MonthInputs:
    """Tables below one another, from `next_row` on, of what the months are worked out from."""

    def __init__(self, named: Named, contracts: Contracts, next_row: int) -> None:
        self.book, self.inputs, self.named, self.contracts = named.book, named.inputs, named, contracts
        self.next_row = next_row

    def table(self, title: str, size: int, fields: Sequence[Field]) -> Table:
        """A table of its own under a heading."""
        watch = Watch(title=title, values=True)
        table = Table(
            book=self.book,
            sheet=CALC_MONTHS,
            row=self.next_row,
            size=size,
            fields=fields,
            watch=watch,
            section=title,
        )
        self.next_row = table.end_row + 1
        return table

    def price(self, months: Expr) -> Expr:
        """The share of today's prices after some months."""
        return formula("(1-{fall})^{months}", fall=self.named.assumptions["delta"], months=months)

    def edges(self, month: int) -> tuple[Expr, Expr]:
        """Begin and end of a month in hours of the plan, as formulas."""
        first = lift(month) * self.named.hours_per_month
        return first, first + self.named.hours_per_month

    def same_contracts(self, dates: Dates, month: int) -> Expr:
        """Whether no contract begins or ends within a part of this month: those that run are there through all of it,
        wherever else their days were moved to. No either where an input is no number."""
        table, cuts = self.contracts.table, list[Expr]()
        own, in_force = (to_key(table, which) for which in sheet_inputs.WHICH)
        ends = {"from_h": "", in_force: ""}
        # what is on demand ends as it is in force
        if own != in_force and not self.inputs.scenario.greenfield:
            ends[own] = "*({committed}=1)"
        for key, counted in ends.items():
            for part in self.inputs.parts_of(month):
                first, last = (self.named.plan_begins_h + edge for edge in dates.edges[part])
                given: Operands = {"at": table.range(key), "first": first, "last": last}
                given |= {"committed": table.range("committed")} if counted else {}
                inside = f"SUMPRODUCT(({{at}}>{{first}}+0.00001)*({{at}}<{{last}}-0.00001){counted})"
                cuts.append(formula(inside, **given))
        return formula("IF({unsound}+{cuts}=0,1,0)", unsound=UNSOUND, cuts=added(cuts))

    def _hours_of_contracts(self, which: str, begin: Expr, end: Expr) -> Range:
        """Hours of a month in which each contract runs, as an array; max(0, x) is (|x| + x) / 2."""
        table = self.contracts.table
        edges: Operands = {
            "from_h": table.range("from_h"),
            "begin": begin,
            "to_h": table.range(to_key(table, which)),
            "end": end,
        }
        last = "(({to_h}+{end})-ABS({to_h}-{end}))/2"
        first = "(({from_h}+{begin})+ABS({from_h}-{begin}))/2"
        return by_row(f"(ABS({last}-{first})+{last}-{first})/2", **edges)

    def growth(self) -> Mapping[tuple[Pool, int], Expr]:
        """How many times today's demand each pool has in each month, as cells: a growth that fades."""
        pools = [pool for pool in POOLS if any(pair.pool is pool for pair in self.inputs.pairs)]
        table = self.table(
            "Growth of demand",
            len(pools),
            (
                Field(key="pool", heading="Pool"),
                Field(key="growth", heading="Per month", style="ratio"),
                *by_month("m", "amount", "Demand"),
            ),
        )
        cells: dict[tuple[Pool, int], Expr] = {}
        for place, pool in enumerate(pools):
            table.put("pool", place, sheet_inputs.pool_words(pool), f"pool_{pool}")
            cell = table.put("growth", place, self.named.growth(pool))
            fade = self.named.assumptions["growth_fade"]
            for month in MONTHS:
                given: Operands = {"growth": cell, "fade": fade, "power": month - 1}
                more = formula("1+{growth}*{fade}^{power}", **given)
                factor = cells[pool, month - 1] * more if month else lift(1)
                cells[pool, month] = table.put(f"m{month}", place, factor)
        return cells

    def contracts_usd(self, which: str, month: int) -> Expr:
        """What contracts cost in a month, used or not, each for the hours that it runs."""
        source = self.contracts.table
        if not sheet_inputs.serving_places(self.inputs, which):
            return lift(0)
        begin, end = (self.named.plan_begins_h + edge for edge in self.edges(month))
        hours, rates = self._hours_of_contracts(which, begin, end), source.range("rate_used")
        if which != "all":
            hours = by_row("{hours}*({committed}=1)", hours=hours, committed=source.range("committed"))
        no_rate = formula("SUMPRODUCT(ISTEXT({rates})*{hours})>0", rates=rates, hours=hours)
        usd = call("SUMPRODUCT", source.range("gpus_used"), rates, hours)
        if source.has(key := f"{which}_paid{month}"):
            shares = by_row("{month}-{window}", month=source.range(key), window=source.range("paid_share"))
            usd += call("SUMPRODUCT", source.range("gpus_used"), source.range("rate"), shares, hours)
        return when(no_rate, DASH, usd)


NO_EXCESS: Final = 1e-9
"""Mean GPUs: what is left of a difference of floats."""
RUN_ROW: Final = Field(key="run_row", heading="Pools row, of a run", style="count", width=8)
NOT_USED: Final = ""
"""Of a row of a run, whose use is the app's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandRow:
    """A band of a pool and model: GPUs from `low` on of what contracts leave over; top: all above it too. held: the
    orders that serve it; is_refused: nobody sells by use."""

    pair_place: int
    plan: PoolPlan
    band: Band
    low: float
    width: float
    is_top: bool
    held: tuple[Order, ...]
    is_refused: bool

    def is_lost(self, month: int) -> bool:
        """Whether nobody serves by use what orders leave of it in a month."""
        rates = self.band.use_rates
        return self.is_refused or (bool(rates) and rates[month] is None)

    def rate_share(self, month: int) -> float:
        """What a GPU-hour by use costs in a month, as a share of the usage rate of its pool and model."""
        rate, usual = self.band.use_rates[month] if self.band.use_rates else None, self.plan.flex.rate
        return 1.0 if rate is None or not usual else rate / usual


def bands_of(inputs: sheet_inputs.Inputs, orders: Orders) -> list[BandRow]:
    """Of every pool and model from the bottom up; the last of each is never held, and has what rises above them all."""
    found = []
    for place, pair in enumerate(inputs.pairs):
        plan = inputs.pool_plan(pair)
        if plan is None:
            continue
        mine = [order for order in orders.places if (order.pool, order.gpu_model) == pair]
        bands, count = list(plan.bands), plan.slicing.count
        held = [
            tuple(order for order in mine if any(low <= edge < high for low, high in order.spans))
            for edge in (plan.slicing.below(band.first_slice - 1) for band in bands)
        ]
        if not bands or held[-1] or bands[-1].denied:
            bands.append(
                Band(first_slice=count + 1, last_slice=count, use_rates=bands[-1].use_rates if bands else ())
            )
            held.append(())
        for band, of_band in zip(bands, held, strict=True):
            low = plan.slicing.below(band.first_slice - 1)
            width = plan.slicing.gpus(band.first_slice, band.last_slice)
            is_top = band is bands[-1]
            found.append(
                BandRow(
                    pair_place=place,
                    plan=plan,
                    band=band,
                    low=low,
                    width=width,
                    is_top=is_top,
                    held=of_band,
                    is_refused=inputs.is_refused(pair),
                )
            )
    return found


def _hours_of(spans: Sequence[tuple[int, int]], first: Expr, last: Expr) -> float:
    """Hours of a part in which a budget leaves a band's use to nobody, or placed orders serve it."""
    ends = ((since / HOUR_S, until / HOUR_S) for since, until in spans)
    return sum(max(0.0, min(until, last.number) - max(since, first.number)) for since, until in ends)


def at_steps(amounts: Sequence[Expr], steps: Sequence[Expr | None]) -> Expr:
    """GPU-hours of some parts, each times what dated steps make of prices in it (None: nothing)."""
    hours = added([scaled(amount, step) for amount, step in zip(amounts, steps, strict=True)])
    return formula("({hours})", hours=hours)


def _share(app: float | None, live: Expr) -> float:
    """What $ of the app are of a formula's; 1 where they are the same, or either is unknown."""
    if not app or not live.is_known or not live.number or isclose(live.number, app, rel_tol=1e-9):
        return 1.0
    return app / live.number


class AdvisedMonths:
    """The plan as advised. main: the sheet's first table, whose `price` column is there; pools: with usage rates."""

    def __init__(
        self, sheet: MonthInputs, main: Table, hours: HourSheet, pools: Table, orders: Orders
    ) -> None:
        """Tables of what orders cost, what is left of bands, and what orders serve of them in month 0."""
        self.sheet, self.inputs, self.named = sheet, sheet.inputs, sheet.named
        self.main, self.hours, self.pools, self.orders = main, hours, pools, orders
        self.rows = bands_of(self.inputs, orders)
        self._parts = range(len(self.inputs.parts))
        self.dollars = self._write_dollars()
        self.bands, self.served = self._tables()

    def _write_dollars(self) -> Table:
        """$ of each order in each month: GPUs for the hours that it runs in it, what is paid upfront spread."""
        orders = self.orders
        fields = (
            *sheet_inputs.PAIR_FIELDS,
            Field(key="offer_id", heading="Offer", style="muted"),
            *by_month("usd", "usd", "$"),
            Field(key="bound", heading="Bound, first month, $ x months", style="usd"),
            RUN_ROW,
        )
        table = self.sheet.table("As advised: cost of each order on Calc orders", len(orders.places), fields)
        for order, place in orders.places.items():
            sheet_inputs.put_pair(table, place, Row(order.pool, order.gpu_model))
            table.put("offer_id", place, orders.cell("offer_id", order))
            is_run = order.reason == "planned_run"
            table.put(
                "run_row", place, self.inputs.pairs.index((order.pool, order.gpu_model)) + 1 if is_run else 0
            )
            gpus, rate, *ends = (
                orders.cell(key, order) for key in ("bought_gpus", "spread_rate", "from_h", "to_h")
            )
            for month in MONTHS:
                gpu_hours = gpus * hours_in(ends[0], ends[1], *self.sheet.edges(month))
                usd = known([rate], gpu_hours * rate)
                table.put(f"usd{month}", place, when(gpu_hours < NOTHING_GPU_HOURS, 0, usd))
            usd = table.cell("usd0", place)
            table.put("bound", place, known([usd], usd * orders.cell("bound", order)))
        return table

    def _tables(self) -> tuple[Table, Table]:
        """What orders leave, by band and run, and what they serve of bands in month 0: still without rows."""
        names = [sheet_inputs.part_words(self.inputs, part) for part in self._parts]
        now = self.inputs.parts_of(0)
        is_limited = bool(self.inputs.advice.planned_runs) or any(row.band.use_rates for row in self.rows)
        bands = self.sheet.table(
            "As advised: GPU-hours paid on demand",
            len(self.rows) + len(self.inputs.advice.planned_runs),
            (
                *sheet_inputs.PAIR_FIELDS,
                *fields_of("comparison.from"),
                *by_month("h", "hours", "GPU-h"),
                *by_month("usd", "usd", "$"),
                Field(key="lost0", heading="Unserved, first month, GPU-h", style="hours", width=11),
                Field(key="open0", heading="On demand at most, first month, GPUs", style="gpus", width=11),
                *(
                    Field(key=f"m{part}", heading=f"Busy, {names[part]}", style="mean", width=11)
                    for part in self._parts
                ),
                *(
                    Field(key=f"f{part}", heading=f"Free h, {names[part]}", style="number", width=11)
                    for part in self._parts
                ),
                *(
                    Field(
                        key=f"k{part}",
                        heading=f"Share of hours with orders, {names[part]}",
                        style="ratio",
                        width=11,
                    )
                    for part in now
                ),
                *(by_month("q", "ratio", "Share of the usage rate") if is_limited else ()),
                *fields_of("comparison.width"),
                RUN_ROW,
            ),
        )
        served = self.sheet.table(
            "As advised: GPUs served by the orders in the first month",
            sum(len(row.held) for row in self.rows)
            + sum(len(run.orders) for run in self.inputs.advice.planned_runs),
            (*sheet_inputs.PAIR_FIELDS, *fields_of("comparison.offer_id")),
        )
        return bands, served

    def write_by_hour(self, ahead: DemandAhead) -> None:
        """GPU-hours of bands in the hours in which no order holds them, by formulas over Demand, and those of month 0
        in which one does; what runs pay by use, and use of their orders, which are the app's."""
        at = 0
        for place, row in enumerate(self.rows):
            self._names(place, row.pair_place)
            self._put_size(place, row)
            low = self.bands.cell("from", place)
            shares = [
                self._name_served(number, order, low, self._share(place, order))
                for number, order in enumerate(row.held, at)
            ]
            self._put_means(ahead, place, row)
            self._put_months(place, row, self._put_free(ahead, place, row, shares))
            for number, order in enumerate(row.held, at):
                self._put_served(ahead, number, place, order)
            at += len(row.held)
        for place, run in enumerate(self.inputs.advice.planned_runs, len(self.rows)):
            self._run(place, run)
            held = [self.inputs.advice.orders[number] for number in run.orders]
            hours = [self.orders.cell("hours0", order).number * order.gpus for order in held]
            used = run.gpu_hours - run.of_contracts_gpu_hours - run.unserved_gpu_hours
            used -= sum(run.by_use_gpu_hours[part] for part in self.inputs.parts_of(0))
            for order, mine in zip(held, hours, strict=True):
                self._name_served(at, order, lift(0), lift(1))
                self.served.put("used", at, used * mine / sum(hours) if used > 0 and mine else 0)
                at += 1

    def _names(self, place: int, pair_place: int) -> None:
        """Of which pool and model a row of bands is."""
        sheet_inputs.put_pair(self.bands, place, self.inputs.pairs[pair_place])
        self.bands.put("pool_row", place, pair_place + 1)
        self.bands.put("run_row", place, pair_place + 1 if place >= len(self.rows) else 0)

    def _put_size(self, place: int, row: BandRow) -> None:
        """From which GPU on a band reaches and how far: orders of more GPUs widen it, and push up what is above."""
        table = self.bands
        is_first = not place or self.rows[place - 1].pair_place != row.pair_place
        below = None if is_first else table.cell("from", place - 1) + table.cell("gpus", place - 1)
        table.put("from", place, row.low if below is None else below)
        width = table.put("width", place, row.width)
        cells = [self.orders.cell("share", order) for order in row.held]
        scale = table.put("scale", place, call("MAX", *cells) if cells else 1)
        table.put("gpus", place, "and above" if row.is_top else width * scale)
        table.put("r_flex", place, self.pools.cell("r_flex", row.pair_place))

    def _share(self, place: int, order: Order) -> Expr:
        """The share of a band's GPUs that an order has."""
        given = {"share": self.orders.cell("share", order), "scale": self.bands.cell("scale", place)}
        return formula("IF({scale}>0,{share}/{scale},0)", **given)

    def _name_served(self, at: int, order: Order, low: Expr, share: Expr) -> tuple[Expr, ...]:
        """Begin a row of what an order serves; from and to in hours of the plan, and the share of its GPUs."""
        sheet_inputs.put_pair(self.served, at, Row(order.pool, order.gpu_model))
        self.served.put("offer_id", at, self.orders.cell("offer_id", order))
        self.served.put("from", at, low)
        self.served.put("layer_no", at, self.orders.cell("layer_no", order))
        part = self.served.put("part", at, share)
        return self.orders.cell("from_h", order), self.orders.cell("to_h", order), part

    def _put_means(self, ahead: DemandAhead, place: int, row: BandRow) -> None:
        """Mean GPUs of a band that are busy in each part."""
        table, left = self.bands, partial(ahead.left_over, "slices", self.inputs.pairs[row.pair_place])
        low = table.cell("from", place)
        if row.is_top:
            self._top_means(place, left, low, row.width)
        else:
            means_by_part(self.hours, table, place, left, len(self._parts), low, table.cell("gpus", place))

    def _top_means(self, place: int, left: Callable[[int], PartDemand], low: Expr, width: float) -> None:
        """Mean GPUs of the topmost slices, which take what rises above them later, too.

        Beyond a horizon under twelve months the app plans no slices for what is new there, and counts none of it.
        """
        for part in self._parts:
            mean = mean_above(self.hours, left(part), low, None)
            excess = mean.number - mean_above(self.hours, left(part), low, lift(width)).number
            self.bands.put(f"m{part}", place, mean - excess if excess > NO_EXCESS else mean)

    def _put_free(
        self, ahead: DemandAhead, place: int, row: BandRow, shares: Sequence[tuple[Expr, ...]]
    ) -> Expr:
        """Hours of each part in which no order holds a band, less what a budget leaves unserved; and the share of hours
        held that counts, where orders hold more of them than there are. The answer is GPU-hours of month 0 unserved."""
        table, unserved = self.bands, list[Expr]()
        for part in self._parts:
            first, last = ahead.dates.edges[part]
            whole = ahead.dates.hours[part]
            denied, placed = (_hours_of(of, first, last) for of in (row.band.denied, row.band.placed))
            held = added([hours_in(from_h, to_h, first, last) * share for from_h, to_h, share in shares])
            left = highest(0, whole - held - placed) if shares or placed else whole
            free = table.put(f"f{part}", place, highest(0, left - denied) if denied else left)
            if self.inputs.parts[part].month == 0:
                given: Operands = {"held": held, "whole": whole}
                counted = formula("IF({held}>{whole},{whole}/{held},1)", **given)
                table.put(f"k{part}", place, counted if shares else 1)
                if denied:
                    unserved.append((left - free) * table.cell(f"m{part}", place))
        return added(unserved)

    def _put_months(self, place: int, row: BandRow, lost: Expr) -> None:
        """GPU-hours by use of each month, and of month 0 what they cost and what nobody serves (lost: for a budget)."""
        table = self.bands

        cells = [table.cell(f"m{part}", place) * table.cell(f"f{part}", place) for part in self._parts]
        for month in MONTHS:
            gpu_hours = added([cells[part] for part in self.inputs.parts_of(month)])
            table.put(f"h{month}", place, 0 if row.is_lost(month) else gpu_hours)
            self._put_usd(place, month, row.pair_place, cells, row.rate_share(month))
            if month == 0:
                table.put("lost0", place, gpu_hours + lost if row.is_lost(0) else lost)
        column = self.hours.column(self.inputs.over_key(self.inputs.pairs[row.pair_place]))
        whole = [one for _, one in column.parts] or [column]
        peaks = [
            when(table.cell(f"f{part}", place) > 0, call("MAX", one.range), 0)
            for part, one in zip(self.inputs.parts_of(0), whole, strict=True)
        ]
        given: Operands = {"low": table.cell("from", place), "block": row.plan.block}
        above = formula(
            "{block}*MAX(0,ROUNDUP(ROUND(({peak}-{low})/{block},6),0))", peak=call("MAX", *peaks), **given
        )
        most = above if row.is_top else lowest(above, table.cell("gpus", place))
        table.put("open0", place, when(table.cell("h0", place) < NOTHING_GPU_HOURS, 0, most))

    def _put_usd(
        self,
        place: int,
        month: int,
        pair_place: int,
        amounts: Sequence[Expr] | Mapping[int, Expr],
        share: float | None,
        app: float | None = None,
    ) -> None:
        """$ by use of a month, at the prices of its parts. amounts: GPU-hours of each part; share: of the usage rate
        that is paid (None: what the app's $ are of the formula's)."""
        table, steps, pair = self.bands, self.orders.prices.steps, self.inputs.pairs[pair_place]
        hours, rate = table.cell(f"h{month}", place), table.cell("r_flex", place)
        parts = self.inputs.parts_of(month)
        stepped = [steps.of_blend([pair], part) for part in parts]
        at_prices = at_steps([amounts[part] for part in parts], stepped) if any(stepped) else hours
        usd = at_prices * rate * self.main.cell("price", month)
        share = _share(app, usd) if share is None else share
        usd = scaled(usd, table.put(f"q{month}", place, share) if table.has("q0") else None)
        paid = known([rate], usd)
        table.put(f"usd{month}", place, when(hours < NOTHING_GPU_HOURS, 0, paid))

    def _put_served(self, ahead: DemandAhead, at: int, place: int, order: Order) -> None:
        """GPU-hours of a band that an order serves in month 0."""
        table, ends = self.bands, [self.orders.cell(key, order) for key in ("from_h", "to_h")]
        hours = [
            table.cell(f"m{part}", place)
            * table.cell(f"k{part}", place)
            * hours_in(ends[0], ends[1], *ahead.dates.edges[part])
            for part in self.inputs.parts_of(0)
        ]
        self.served.put("used", at, formula("({hours})", hours=added(hours)) * self.served.cell("part", at))

    def _run(self, place: int, one: PlannedRunFigures) -> None:
        """What a run pays by use, as the app has it."""
        table = self.bands
        pair_place = self.inputs.pairs.index((one.pool, one.gpu_model))
        self._names(place, pair_place)
        table.put("from", place, one.key)
        table.put("gpus", place, one.gpus)
        live = (self.pools.cell(key, pair_place) for key in ("r_flex", "on_demand"))
        same = (
            rate for rate in live if rate.is_known and one.use_rate and isclose(rate.number, one.use_rate)
        )
        table.put("r_flex", place, next(same, one.use_rate))
        for part in self._parts:
            for key in ("m", "f", *("k" * (self.inputs.parts[part].month == 0))):
                table.put(f"{key}{part}", place, NOT_USED)
        for month, app in zip(MONTHS, one.by_use_usd, strict=True):
            in_parts = [one.by_use_gpu_hours[part] for part in self.inputs.parts_of(month)]
            table.put(f"h{month}", place, sum(in_parts))
            amounts = dict(zip(self.inputs.parts_of(month), map(lift, in_parts), strict=True))
            self._put_usd(place, month, pair_place, amounts, None, app)
        for key in ("width", "scale"):
            table.put(key, place, NOT_USED)
        table.put("lost0", place, one.unserved_gpu_hours)
        table.put("open0", place, when(table.cell("h0", place) > 0, one.gpus, 0))

    def run_usd(self, pair_place: int) -> Expr:
        """$ of month 0 of the runs of a pool and model: their orders, and what they pay by use."""
        tables = (self.dollars, self.bands)
        mine = [known_sum_where(one.range("usd0"), (one.range("run_row"), pair_place + 1)) for one in tables]
        are_known = [formula("ISNUMBER({usd})", usd=usd) for usd in mine]
        return when(call("AND", *are_known), mine[0] + mine[1], DASH)

    def signed(self, month: int) -> Expr:
        """$ of a month for what is signed."""
        return self.dollars.range(f"usd{month}").known_sum()

    def usage(self, month: int) -> Expr:
        """$ of a month by the hour, at its prices."""
        return self.bands.range(f"usd{month}").known_sum()


NOTHING: Final = 1e-9
"""GPU-hours below this are none: what is left of a subtraction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rented:
    """What a pool and model rents without new commitments of one offer, or of the cheapest (None). below: of the offers
    before it; most: GPUs of the row's model that it has (None: no end)."""

    pair: Row
    need: int
    offer: Offer | None = None
    below: float = 0.0
    most: float | None = None


def _rented(inputs: sheet_inputs.Inputs, prices: Prices) -> list[Rented]:
    """Pools and models that may rent from one offer after the other, where the cheapest has not GPUs for all."""
    found = []
    needs = {**{pair: prices.plan[pair] for pair in inputs.pairs}, **prices.unplanned}
    for pair in inputs.pairs_of_nothing:
        need, below = needs[pair], 0.0
        offers = prices.on_demand_in_turn(need)
        if not offers or offers[0].max_gpus is None:
            found.append(Rented(pair=pair, need=need))
            continue
        for offer in offers:
            ratio = prices.needs[need].ratios.get(offer.offer_id, 1.0)
            most = None if offer.max_gpus is None else offer.max_gpus * ratio
            found.append(Rented(pair=pair, need=need, offer=offer, below=below, most=most))
            if most is None:
                break
            below += most
    return found


def _left_over(
    sheet: MonthInputs, main: Table, prices: Prices, pools: Table, ahead: DemandAhead
) -> tuple[Table, bool]:
    """Demand above contracts without new commitments and its cost on demand; and whether pools, models and runs
    share an offer that has not GPUs for all: who gets them is the app's then."""
    inputs = sheet.inputs
    rows, parts = _rented(inputs, prices), range(len(inputs.parts))
    table = sheet.table(
        "Without new commitments: left over by the contracts, mean GPUs",
        len(rows),
        (
            *sheet_inputs.PAIR_FIELDS,
            Field(key="rate", heading="On demand, $ per GPU-h", style="rate"),
            *by_month("usd", "usd", "$"),
            *(
                Field(key=f"m{part}", heading=sheet_inputs.part_words(inputs, part), style="mean", width=11)
                for part in parts
            ),
            Field(key="below", heading="From GPU", style="gpus"),
            Field(key="most", heading="GPUs at most", style="gpus"),
        ),
    )
    for place, one in enumerate(rows):
        sheet_inputs.put_pair(table, place, one.pair)
        rate = prices.on_demand(one.need) if one.offer is None else prices.rate_of(one.offer, one.need)
        rate = table.put("rate", place, rate)
        below = table.put("below", place, one.below) if one.below else lift(0)
        most = table.put("most", place, "" if one.most is None else one.most)
        left = partial(ahead.left_over, "all", one.pair)
        means_by_part(ahead.hours, table, place, left, len(parts), below, None if one.most is None else most)
        runs = [
            run
            for run in inputs.advice.planned_runs
            if (run.pool, run.gpu_model) == one.pair and not one.below
        ]
        is_served = not prices.is_refused(one.need)
        for month in MONTHS:
            amounts, steps = list[Expr](), list[Expr | None]()
            for part in inputs.parts_of(month):
                amount = table.cell(f"m{part}", place) * ahead.dates.hours[part]
                if of_runs := sum(run.nothing_gpu_hours[part] for run in runs):  # which no slice has
                    amount = amount + of_runs
                amounts.append(amount)
                model = None if one.offer is None else one.offer.gpu_model
                steps.append(prices.steps.when_used(model, part) if model else prices.use_in(one.need, part))
            usd = known([rate], at_steps(amounts, steps) * rate * main.cell("price", month))
            table.put(f"usd{month}", place, when(added(amounts) < NOTHING, 0, usd) if is_served else 0)
    for at, pair in enumerate(inputs.pairs):
        cells = [table.cell("usd0", place) for place, one in enumerate(rows) if one.pair == pair]
        pools.put("open_usd", at, known(cells, added(cells)))
    tiers = [one for one in rows if one.offer is not None]
    limited = [one.offer for one in tiers if one.most is not None]
    with_runs = {(run.pool, run.gpu_model) for run in inputs.advice.planned_runs}
    return table, len(set(limited)) < len(limited) or any(one.pair in with_runs for one in tiers)


CHART_ROWS: Final = 22
NO_NUMBER: Final = "an input is no number: the light names it"
WAYS: Final = {"nothing": str(titles.DO_NOTHING), "plan": "Plan as advised"}
MOVED: Final = "a contract begins or ends inside it where none did: ask the app"
NO_RATE: Final = "a rate is missing: type it where it was, or import a quote in the app"
UNKNOWN: Final = "as in the app; its checks name the missing input"

MAIN_FIELDS = fields_of("comparison.main")
SUMMED: Final = tuple(field.key for field in MAIN_FIELDS if field.style in ("usd", "change"))
"""Columns of $, which the sum of the twelve months has."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sheet's table of months, what stands below it of orders and bands, and the months' sums, by column."""

    table: Table
    advised: AdvisedMonths
    sums: Mapping[str, Expr]


def write_comparison(pools: Pools, orders: Orders, ahead: DemandAhead) -> Comparison:
    """Write the sheet, and the columns of Demand that later months need."""
    hours = ahead.hours
    book, inputs = hours.book, hours.inputs
    row = book.title(
        CALC_MONTHS,
        f"Cost of each of the next twelve months, as contracts end and prices decline. {MONTHS_OF_HOURS}",
        "Plan as advised: the orders on Calc orders at the rates, contracts and growth of this book. Each month is a "
        "sum over the orders and follows their GPUs, terms, starts and ends.",
        *((sheet_inputs.SERVES_LESS,) if inputs.serves_less else ()),
        title="Twelve months",
    )
    main = Table(
        book=book, sheet=CALC_MONTHS, row=row, size=COMPARED_MONTHS, fields=MAIN_FIELDS, name="Months"
    )
    main.widen()
    book.sheets[CALC_MONTHS].freeze_panes(0, 2)
    sheet = MonthInputs(hours.named, ahead.contracts, main.end_row + CHART_ROWS)
    for month in MONTHS:
        start_s = month_start_s(inputs.project.plan_window, month)
        main.fill(month, month=sheet_inputs.month_words(month), start=day_number(start_s))
        main.fill(month, price=sheet.price(lift(month)), same=sheet.same_contracts(ahead.dates, month))
    advised = AdvisedMonths(sheet=sheet, main=main, hours=hours, pools=pools.table, orders=orders)
    ahead.growth = sheet.growth()
    advised.write_by_hour(ahead)
    left, is_shared = _left_over(sheet, main, orders.prices, pools.table, ahead)
    for month in MONTHS:
        _month(main, sheet, month, None if is_shared else left, advised)
    sums = _sums(main)
    add_months_chart(book, main, CALC_MONTHS, main.end_row + 2, 0, (1000, 380))
    return Comparison(main, advised, sums)


def _month(main: Table, sheet: MonthInputs, month: int, left: Table | None, advised: AdvisedMonths) -> None:
    """One row of the months: each way's parts, and their sums. left: None where what is left over costs what the app
    says."""
    put, same, has_log = main.put, main.cell("same", month).equals(1), sheet.inputs.project.has_log

    def dated(content: Expr) -> Expr | str:
        """An amount, unknown without a log, and once the contracts' dates were changed."""
        return when(same, content, DASH) if has_log else DASH

    is_use_known = not sheet.inputs.audit.asked_contracts
    is_asked = bool(sheet.inputs.advice.asked_models)  # then nobody knows what contracts leave over

    all_usd = put("all_contracts", month, sheet.contracts_usd("all", month))
    if left is None:
        open_usd = put(
            "open_usd", month, sheet.inputs.advice.comparison[month].do_nothing_use_usd, "usd.fixed"
        )
    else:
        rented = dated(left.range(f"usd{month}").known_sum())
        open_usd = put("open_usd", month, rented if is_use_known else DASH)
    nothing = put("nothing", month, known([all_usd, open_usd], all_usd + open_usd))
    parts = [
        put("contracts", month, sheet.contracts_usd("existing", month) if has_log else DASH),
        put("signed", month, dated(advised.signed(month))),
        put("usage", month, DASH if is_asked else dated(advised.usage(month))),
    ]
    whole = put("plan", month, known(parts, parts[0] + parts[1] + parts[2]))
    why = NO_RATE if nothing.is_known and whole.is_known else UNKNOWN
    is_known = call("COUNT", nothing, whole).equals(2)
    put("why", month, when(is_known, "", when(same, why, when(UNSOUND > 0, NO_NUMBER, MOVED))))
    put("less", month, DASH if sheet.inputs.serves_less else known([nothing, whole], whole - nothing))


def _sums(main: Table) -> dict[str, Expr]:
    """The twelve months together, by column."""
    main.line_below("Sum", "start")
    return {
        key: main.put_below(
            key, main.range(key).known_sum(), "change.total" if key.endswith("less") else "usd.total"
        )
        for key in SUMMED
    }


def add_months_chart(
    book: Book, main: Table, sheet: str, row: int, column: int, size: tuple[int, int]
) -> None:
    """A chart of both ways month by month, on any sheet."""
    chart = book.workbook.add_chart({"type": "column"})
    for (key, name), color in zip(WAYS.items(), ("#7D8695", "#4B45C6"), strict=True):
        add_series(chart, name, main.range("start"), main.range(key), fill={"color": color}, gap=60)
    title, dates = (
        book.in_currency("Twelve months, $ per month"),
        {"num_format": "d mmm yy", "text_axis": True},
    )
    put_chart(book, sheet, chart, title, (row, column), size, dates, IN_USD)
