"""Comparison: twelve months side by side: nothing signed, and the plan as advised."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from gpuplanner.domain.commitment.asked_rows import MONTHS_OF_HOURS
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.model.book.contract import month_start_s
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.workbook.demand.demand_months import DemandAhead, means_by_part
from gpuplanner.files.workbook.demand.pools_sheet import Pools
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import UNSOUND
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, added, call, known, lift, when
from gpuplanner.files.workbook.kit.looks import Field
from gpuplanner.files.workbook.kit.print_pages import IN_USD, add_series, put_chart
from gpuplanner.files.workbook.plan.comparison_advised import (
    MONTHS,
    SHEET,
    AdvisedMonths,
    MonthInputs,
    at_steps,
    by_month,
)
from gpuplanner.files.workbook.plan.order_rows import Orders

NOTHING: Final = 1e-9
"""GPU-hours below this are none: what is left of a subtraction."""


@dataclass(frozen=True, slots=True)
class Rented:
    """What a pool and model rents with nothing signed of one offer, or of the cheapest (None). below: of the offers
    before it; most: GPUs of the row's model that it has (None: no end)."""

    pair: sheet_inputs.PairKey
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
            found.append(Rented(pair, need))
            continue
        for offer in offers:
            ratio = prices.needs[need].ratios.get(offer.offer_id, 1.0)
            most = None if offer.max_gpus is None else offer.max_gpus * ratio
            found.append(Rented(pair, need, offer, below, most))
            if most is None:
                break
            below += most
    return found


def _left_over(
    sheet: MonthInputs, main: Table, prices: Prices, pools: Table, ahead: DemandAhead
) -> tuple[Table, bool]:
    """What contracts leave over with nothing signed, and what it costs on demand; and whether pools, models and runs
    share an offer that has not GPUs for all: who gets them is the app's then."""
    inputs = sheet.inputs
    rows, parts = _rented(inputs, prices), range(len(inputs.parts))
    table = sheet.table(
        "With nothing signed: left over by the contracts, mean GPUs",
        len(rows),
        (
            *sheet_inputs.PAIR_FIELDS,
            Field("rate", "On demand, $ per GPU-h", "rate"),
            *by_month("usd", "usd", "$, "),
            *(Field(f"m{part}", sheet_inputs.part_words(inputs, part), "mean", 11) for part in parts),
            Field("below", "From GPU", "gpus"),
            Field("most", "GPUs at most", "gpus"),
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
MOVED: Final = "a contract begins or ends inside it where none did: ask the app"
NO_RATE: Final = "a rate is missing: type it where it was, or import a quote in the app"
UNKNOWN: Final = "as in the app, whose Checks say what is missing"

MAIN_FIELDS = (
    Field("month", "Month", "count", 16),
    Field("start", "From (UTC)", "date", 14),
    Field("nothing", "Do nothing, $", "usd", 20).noted(
        "Contracts that run on, and what they leave over on demand."
    ),
    Field("plan", "Plan as advised, $", "usd", 14).noted(
        "The orders of Commitment, at the prices of this book; what they leave is paid by the hour."
    ),
    Field("less", "As advised less do nothing, $", "change", 14),
    Field("why", "Why a dash", "muted", 52),
    Field("all_contracts", "Do nothing: contracts, $", "usd", 14).noted(
        "Every row that runs through the month."
    ),
    Field("open_usd", "Do nothing: on demand, $", "usd", 14),
    Field("contracts", "Plan: existing contracts, $", "usd", 14).noted("Used or idle."),
    Field("signed", "As advised: orders, $", "usd", 15),
    Field("usage", "As advised: by the hour, $", "usd", 15),
    Field("price", "Prices, share of today's", "ratio", 12).noted("(1 - price fall) ^ month."),
    Field("same", "Contracts as cut here", "count", 11).noted(
        "1: in whole parts of months. 0: a dash, told beside."
    ),
)
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
        SHEET,
        "Comparison",
        "What each of the next twelve months costs along today's level of demand, as contracts end and prices fall. "
        f"{MONTHS_OF_HOURS}",
        "As advised: the orders of Commitment, at the prices, contracts and growth of this book: each month is a "
        "sum over them, so that a start, an end, a term or a number of GPUs typed there moves it.",
        *((sheet_inputs.SERVES_LESS,) if inputs.serves_less else ()),
    )
    main = Table(book, SHEET, row, COMPARED_MONTHS, MAIN_FIELDS, name="Months")
    main.widen()
    book.sheets[SHEET].freeze_panes(main.first_row, 2)
    book.sheets[SHEET].print_up_to(main.end_row + CHART_ROWS - 1, main.column_of("usage"))
    sheet = MonthInputs(hours.named, ahead.contracts, main.end_row + CHART_ROWS)
    for month in MONTHS:
        main.fill(month, month=month, start=day_number(month_start_s(inputs.project.plan_window, month)))
        main.fill(month, price=sheet.price(lift(month)), same=sheet.same_contracts(ahead.dates, month))
    advised = AdvisedMonths(sheet, main, hours, pools.table, orders)
    ahead.growth = sheet.growth()
    advised.write_by_hour(ahead)
    left, is_shared = _left_over(sheet, main, orders.prices, pools.table, ahead)
    for month in MONTHS:
        _month(main, sheet, month, None if is_shared else left, advised)
    sums = _sums(main)
    add_months_chart(book, main, SHEET, main.end_row + 2, 0, (1000, 380))
    return Comparison(main, advised, sums)


def _month(main: Table, sheet: MonthInputs, month: int, left: Table | None, advised: AdvisedMonths) -> None:
    """One row of the months: each way's parts, and their sums. left: None where what is left over costs what the app
    says."""
    put, same = main.put, main.cell("same", month).equals(1)

    def dated(content: Expr) -> Expr:
        """An amount, unknown once the contracts' dates were changed."""
        return when(same, content, DASH)

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
        put("contracts", month, sheet.contracts_usd("existing", month)),
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
    for key, name, color in (("nothing", "Do nothing", "#7D8695"), ("plan", "Plan as advised", "#4B45C6")):
        add_series(chart, name, main.range("start"), main.range(key), fill={"color": color}, gap=60)
    title, dates = (
        book.in_currency("Twelve months, $ per month"),
        {"num_format": "d mmm yy", "text_axis": True},
    )
    put_chart(book, sheet, chart, title, (row, column), size, dates, IN_USD)
