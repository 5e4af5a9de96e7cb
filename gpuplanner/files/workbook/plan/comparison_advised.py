"""Comparison by month: contracts, growth and prices, the orders of the app at live prices and what they leave."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import HoldRun, PlannedRunFigures, PoolPlan
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.contract import hours_in, month_start_s
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import answered_row
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from gpuplanner.domain.reports.orders import SHORT_REASONS
from gpuplanner.domain.reports.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.demand.demand_months import DemandAhead, PartDemand, mean_above, means_by_part
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import UPFRONT, Prices
from gpuplanner.files.workbook.inputs.workloads_sheet import part_words
from gpuplanner.files.workbook.kit import expressions
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import take_dates, take_numbers
from gpuplanner.files.workbook.kit.expressions import added
from gpuplanner.files.workbook.kit.figure_cells import NOTHING_GPU_HOURS, figure_field, text_field
from gpuplanner.files.workbook.kit.looks import Field, Watch

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

    def same_contracts(self, main: Table, month: int) -> expressions.Expr:
        """Whether contracts cut this month where they did when the book was written: each runs as many hours in it.

        main: has columns for what their hours came to then, added up and each times its number.
        """
        table, (begin, end) = self.contracts.table, self._edges(month)
        from_s = month_start_s(self.inputs.project.plan_window, month)
        hours = [hours_in(one, from_s, from_s + MONTH_S) for one in self.inputs.contracts]
        total = sum(place * amount for place, amount in enumerate(hours, 1))
        return expressions.formula(
            "IF(AND(ABS(SUMPRODUCT({number},{hours})-{total})<0.00001,ABS(SUMPRODUCT({hours})-{sum})<0.00001),1,0)",
            number=table.range("number"),
            hours=self._hours_of_contracts(begin, end),
            total=main.put("numbered_h", month, total),
            sum=main.put("contracts_h", month, sum(hours)),
        )

    def _hours_of_contracts(self, begin: expressions.Expr, end: expressions.Expr) -> expressions.Range:
        """Hours of a month in which each contract runs, as an array; max(0, x) is (|x| + x) / 2."""
        table = self.contracts.table
        edges: expressions.Operands = {
            "from_h": table.range("from_h"),
            "begin": begin,
            "to_h": table.range("to_h"),
            "end": end,
        }
        last = "(({to_h}+{end})-ABS({to_h}-{end}))/2"
        first = "(({from_h}+{begin})+ABS({from_h}-{begin}))/2"
        return expressions.by_row(f"(ABS({last}-{first})+{last}-{first})/2", **edges)

    def growth(self) -> Mapping[tuple[Pool, int], expressions.Expr]:
        """How many times today's demand each pool has in each month, as cells: a growth that fades."""
        pools = [pool for pool in POOLS if any(pair[0] is pool for pair in self.inputs.pairs)]
        table = self.table(
            "Growth of demand",
            len(pools),
            (
                Field("pool", "Pool"),
                Field("growth", "Growth per month", "ratio"),
                Field("fade", "Of the growth a month before", "ratio"),
                *by_month("m", "amount"),
            ),
        )
        cells: dict[tuple[Pool, int], expressions.Expr] = {}
        for place, pool in enumerate(pools):
            own, common = self.named.assumptions[f"growth_{pool}"], self.named.assumptions["growth"]
            growth = expressions.formula("IF(ISNUMBER({own}),{own},{common})", own=own, common=common)
            table.put("pool", place, sheet_inputs.pool_words(pool), f"pool_{pool}")
            cell = table.put("growth", place, growth)
            fade = table.put("fade", place, self.inputs.assumptions.growth_fade)
            for month in MONTHS:
                given: expressions.Operands = {"growth": cell, "fade": fade, "power": month - 1}
                more = expressions.formula("1+{growth}*{fade}^{power}", **given)
                factor = cells[pool, month - 1] * more if month else expressions.lift(1)
                cells[pool, month] = table.put(f"m{month}", place, factor)
        return cells

    def contracts_usd(self, which: str, month: int) -> expressions.Expr:
        """What contracts cost in a month, used or not, each for the hours that it runs."""
        source = self.contracts.table
        if not sheet_inputs.serving_places(self.inputs, which):
            return expressions.lift(0)
        hours, rates = self._hours_of_contracts(*self._edges(month)), source.range("rate_used")
        if which != "all":
            hours = expressions.by_row(
                "{hours}*({committed}=1)", hours=hours, committed=source.range("committed")
            )
        no_rate = expressions.formula("SUMPRODUCT(ISTEXT({rates})*{hours})>0", rates=rates, hours=hours)
        usd = expressions.call("SUMPRODUCT", source.range("gpus"), rates, hours)
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


@dataclass(frozen=True, slots=True)
class Signed:
    """What one pool and model hold of one offer from a start to an end, seconds from the plan's first moment; offer
    None: nobody sells that term. gpus: of the offer's own model, as they are bought; reasons: why."""

    pair: sheet_inputs.PairKey
    offer: Offer | None
    start_s: int
    end_s: int
    gpus: float
    reasons: str = ""

    @property
    def month(self) -> int:
        """The month of the plan in which it starts, whose price it has."""
        return self.start_s // MONTH_S


HoldKey = tuple[sheet_inputs.PairKey, str | None, int, int]
"""Pool and model, offer, start and end: what is one row of the list."""


def signed_in(inputs: sheet_inputs.Inputs) -> dict[HoldKey, Signed]:
    """Every order of the plan, those of runs and those that start after the twelve months too, by pool and model, start
    and offer."""
    offers = {offer.offer_id: offer for offer in inputs.project.offers}
    gpus: dict[HoldKey, float] = {}
    for pair in inputs.pairs:
        plan = inputs.pool_plan(pair)
        for run in () if plan is None else plan.hold_runs:
            for hold in run.holds:
                key = (pair, hold.offer_id, hold.start_s, hold.end_s)
                ratio = 1.0 if plan is None else plan.supply.ratios.get(hold.offer_id or "", 1.0)
                own = plan.slicing.gpus(run.first_slice, run.last_slice) * hold.paid / ratio if plan else 0.0
                gpus[key] = gpus.get(key, 0.0) + own
    begin_s, of_slices = inputs.project.plan_window.end_s, frozenset(gpus)
    reasons: dict[HoldKey, list[str]] = {}
    for order in inputs.advice.orders:
        pair = (order.pool, order.gpu_model)
        key = (pair, order.offer_id, order.start_s - begin_s, order.end_s - begin_s)
        reasons.setdefault(key, []).append(str(SHORT_REASONS.get(order.reason, order.reason)))
        if order.reason == "planned_run" or key not in of_slices:
            gpus[key] = gpus.get(key, 0.0) + order.bought_gpus
    in_order = sorted(gpus, key=lambda key: (inputs.pairs.index(key[0]), key[2], key[1] or "", key[3]))
    return {
        key: Signed(
            key[0],
            offers.get(key[1] or ""),
            key[2],
            key[3],
            gpus[key],
            ", ".join(dict.fromkeys(reasons.get(key, ()))),
        )
        for key in in_order
    }


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
        self.places: dict[HoldKey, int] = {}
        self.orders: Table | None = None
        self.by_hour: Table | None = None

    def write_orders(self) -> None:
        """What the app orders, as the list that all months are sums over: GPUs, start and end are inputs, rates and
        payments upfront those of Prices."""
        rows = signed_in(self.inputs)
        table = self.orders = self.sheet.table(
            "As advised: the orders of the app from a start to an end, and GPU-hours that they are paid for",
            len(rows),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("offer_id", "Offer", "muted"),
                Field("reason", "Reason"),
                figure_field(ORDER["term_months"], 8, "Moves the end.", "count.input"),
                Field("gpus", "GPUs bought", "gpus.input", 10),
                Field(
                    "share",
                    "Of those advised",
                    "ratio",
                    9,
                    "Other GPUs than advised serve in proportion, and never more than what was advised for them.",
                ),
                Field("start", "Start (UTC)", "moment.input", 16),
                Field("end", "End (UTC)", "moment.input", 16, "A term moves its end."),
                Field("advised", "Advised, GPUs", "gpus", 9),
                figure_field(ORDER["rate"], 10),
                AT_PRICES,
                *((UPFRONT,) if self.prices.has_upfront else ()),
                Field("from_h", "From, h of the plan", "number", 10),
                Field("to_h", "To, h of the plan", "number", 10),
                Field("paid_rate", "Paid, $ per GPU-h", "rate", 10, "With what is paid upfront, spread."),
                *by_month("h", "hours", "GPU-h, "),
            ),
        )
        places = {offer.offer_id: place for place, offer in enumerate(self.prices.listed)}
        begins = self.inputs.project.plan_window.end_s
        for place, (key, one) in enumerate(rows.items()):
            self.places[key] = place
            self.sheet.names(table, place, one.pair)
            table.put("offer_id", place, None if one.offer is None else one.offer.offer_id)
            table.put("reason", place, one.reasons)
            months = 0 if one.offer is None else one.offer.term_months
            is_whole = bool(months) and one.end_s - one.start_s == months * MONTH_S
            term = table.put("term_months", place, months or None, None if is_whole else "count")
            gpus = table.put("gpus", place, one.gpus)
            advised = table.put("advised", place, one.gpus)
            table.put("share", place, gpus / advised)
            start = table.put("start", place, day_number(begins + one.start_s))
            last = expressions.formula(
                "{start}+{term}*{hours}/24", start=start, term=term, hours=self.named.hours_per_month
            )
            table.put("end", place, last if is_whole else day_number(begins + one.end_s))
            from_h, to_h = (
                table.put(into, place, self._hours_at(table.cell(day, place)))
                for into, day in (("from_h", "start"), ("to_h", "end"))
            )
            offer_place = None if one.offer is None else places[one.offer.offer_id]
            rate = table.put("rate", place, None if offer_place is None else self._rate(offer_place))
            month = min(one.month, MONTHS[-1])
            price = table.put("price", place, price_when_signed(self.main, self.prices, one.offer, month))
            paid = rate * price
            if self.prices.has_upfront:
                upfront = None if offer_place is None else self.prices.offers.cell(UPFRONT.key, offer_place)
                cell = table.put(UPFRONT.key, place, None if upfront is None else upfront, "rate")
                spread = expressions.formula(
                    "N({upfront})/MAX({to_h}-{from_h},0.00001)", upfront=cell, from_h=from_h, to_h=to_h
                )
                paid = paid + spread
            table.put("paid_rate", place, expressions.known([rate], paid) if one.offer else None)
            for month in MONTHS:
                first = expressions.lift(month) * self.named.hours_per_month
                inside = hours_between(from_h, to_h, first, first + self.named.hours_per_month)
                table.put(f"h{month}", place, gpus * inside)
        take_numbers(table, "gpus")
        take_numbers(table, "term_months", words="Enter months.", or_unknown=True)
        take_dates(table, "start")
        take_dates(table, "end")

    def _hours_at(self, day: expressions.Expr) -> expressions.Expr:
        """Hours from the plan's first moment to a day, to the second."""
        return expressions.formula(
            "ROUND(({day}-{start})*86400,0)/3600-{begins}",
            day=day,
            start=self.named.window_start,
            begins=self.named.plan_begins_h,
        )

    def _rate(self, place: int) -> expressions.Expr:
        """An offer's rate that counts in the plan; the dash where there is none, for none is never free."""
        rate = self.prices.offer_named(place)
        return expressions.when(expressions.call("N", rate) > 0, rate, expressions.DASH)

    def write_by_hour(self, ahead: DemandAhead) -> None:
        """What the orders leave: GPU-hours of slices in the hours in which no order holds them, by formulas over
        Demand; and what runs pay by use, which is the app's."""
        assert self.orders is not None
        rows = [
            (place, pair, plan, run)
            for place, pair in enumerate(self.inputs.pairs)
            if (plan := self.inputs.pool_plan(pair)) is not None and not self.inputs.is_refused(pair)
            for run in _served(plan)
        ]
        parts = range(len(self.inputs.parts))
        runs = self.inputs.advice.planned_runs
        table = self.by_hour = self.sheet.table(
            "As advised: what the orders leave, GPU-hours paid by the hour",
            len(rows) + len(runs),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("from", "From GPU", "gpus"),
                Field("gpus", "GPUs", "gpus"),
                Field("r_flex", "Usage rate, $ per GPU-h", "rate"),
                *by_month("h", "hours", "GPU-h, "),
                *(Field(f"m{part}", f"Busy, {part_words(self.inputs, part)}", "mean", 11) for part in parts),
                *(
                    Field(f"f{part}", f"Free h, {part_words(self.inputs, part)}", "number", 11)
                    for part in parts
                ),
                *(by_month("s", "ratio", "Steps of prices, ") if self.prices.steps.cells else ()),
            ),
        )
        for place, (pair_place, pair, plan, run) in enumerate(rows):
            self._put_steps(table, place, pair)
            self.sheet.names(table, place, pair)
            low = table.put("from", place, plan.slicing.below(run.first_slice - 1))
            is_top = run.last_slice >= plan.slicing.count and not run.holds and not run.denied
            width = plan.slicing.gpus(run.first_slice, run.last_slice)
            gpus = table.put("gpus", place, "and above" if is_top else width)
            table.put("r_flex", place, self.pools.cell("r_flex", pair_place))
            left = partial(ahead.left_over, "existing", pair)
            if is_top:
                self._top_means(table, place, left, low, width)
            else:
                means_by_part(self.hours, table, place, left, len(parts), low, gpus)
            spans = [
                tuple(
                    self.orders.cell(key, self.places[pair, hold.offer_id, hold.start_s, hold.end_s])
                    for key in ("from_h", "to_h", "share")
                )
                for hold in run.holds
            ]
            for part in parts:
                table.put(f"f{part}", place, self._free_hours(ahead, part, spans, run.denied))
            for month in MONTHS:
                table.put(
                    f"h{month}",
                    place,
                    added(
                        [
                            table.cell(f"m{part}", place) * table.cell(f"f{part}", place)
                            for part in self.inputs.parts_of(month)
                        ]
                    ),
                )
        for place, one in enumerate(runs, len(rows)):
            self._run(table, place, one)

    def _run(self, table: Table, place: int, one: PlannedRunFigures) -> None:
        """What a run pays by use, as the app has it."""
        pair = (one.pool, one.gpu_model)
        self.sheet.names(table, place, pair)
        table.put("from", place, one.key)
        table.put("gpus", place, one.gpus)
        table.put("r_flex", place, one.use_rate)
        self._put_steps(table, place, pair)
        for part in range(len(self.inputs.parts)):
            table.put(f"m{part}", place, "")
            table.put(f"f{part}", place, "")
        for month in MONTHS:
            table.put(f"h{month}", place, one.by_use_gpu_hours[month])

    def _free_hours(
        self,
        ahead: DemandAhead,
        part: int,
        spans: Sequence[tuple[expressions.Expr, ...]],
        denied: Sequence[tuple[int, int]],
    ) -> expressions.Expr:
        """Hours of a part in which no order holds slices, each for the share of its GPUs; less what a budget leaves
        unserved."""
        first, last = ahead.dates.edges[part]
        lost = sum(
            max(0.0, min(until / HOUR_S, last.number) - max(since / HOUR_S, first.number))
            for since, until in denied
        )
        free = ahead.dates.hours[part] - lost if lost else ahead.dates.hours[part]
        for from_h, to_h, share in spans:
            free = free - hours_between(from_h, to_h, first, last) * share
        return expressions.highest(0, free) if spans else free

    def _put_steps(self, table: Table, place: int, pair: sheet_inputs.PairKey) -> None:
        """What dated steps make of a usage rate in each month, where the plan has any ahead."""
        if not self.prices.steps.cells:
            return
        for month in MONTHS:
            stepped = self.prices.steps.of_blend([pair], month)
            table.put(f"s{month}", place, 1 if stepped is None else stepped)

    def _top_means(
        self, table: Table, place: int, left: Callable[[int], PartDemand], low: expressions.Expr, width: float
    ) -> None:
        """Mean GPUs of the topmost slices, which take what rises above them later, too.

        Beyond a horizon under twelve months the app plans no slices for what is new there, and counts none of it.
        """
        for part in range(len(self.inputs.parts)):
            mean = mean_above(self.hours, left(part), low, None)
            excess = mean.number - mean_above(self.hours, left(part), low, expressions.lift(width)).number
            table.put(f"m{part}", place, mean - excess if excess > NO_EXCESS else mean)

    def signed(self, month: int) -> expressions.Expr:
        """$ of a month for what is signed: GPU-hours in it at the rate that each pays, what is paid upfront spread."""
        assert self.orders is not None
        hours, rates = self.orders.range(f"h{month}"), self.orders.range("paid_rate")
        return _if_rated(hours, rates, _sum_of(hours, rates))

    def usage(self, month: int) -> expressions.Expr:
        """$ of a month by the hour, at the prices of that month."""
        assert self.by_hour is not None
        hours, rates = self.by_hour.range(f"h{month}"), self.by_hour.range("r_flex")
        stepped = (self.by_hour.range(f"s{month}"),) if self.prices.steps.cells else ()
        return _if_rated(hours, rates, _sum_of(hours, rates, *stepped) * self.main.cell("price", month))


def hours_between(
    from_h: expressions.Expr, to_h: expressions.Expr, first: expressions.Expr, last: expressions.Expr
) -> expressions.Expr:
    """Hours of a span that lie in another."""
    given: expressions.Operands = {"from_h": from_h, "to_h": to_h, "first": first, "last": last}
    return expressions.formula("MAX(0,MIN({to_h},{last})-MAX({from_h},{first}))", **given)


def _served(plan: PoolPlan) -> Sequence[HoldRun]:
    """Runs of slices, those that nothing holds too; the last is never held, and has what rises above them all."""
    runs = list(plan.hold_runs)
    count = plan.slicing.count
    if not runs or runs[-1].holds or runs[-1].denied:
        runs.append(HoldRun(count + 1, count, ()))
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
