"""What vendors are asked for, the quotes that came back, and who gets what of the orders."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.award.award import Awarded, award_of, plan_rate
from gpuplanner.domain.award.deciding import asked_on, conditions_of
from gpuplanner.domain.award.qualifying import Conditions, Considered, beside, hindrance, quotes_among
from gpuplanner.domain.commitment import asked_rows
from gpuplanner.domain.commitment.listed_order import OrderPlaces, place_of, same_orders
from gpuplanner.domain.commitment.plan.ground import sold_in_units
from gpuplanner.domain.commitment.recursion.calendar import lead_s
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.commitment.words.terms import times_words
from gpuplanner.domain.figures.award import AWARD
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.book.quote_source import answered_row, is_quote
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.reports.award import ROWS, open_words, provider_words, remark_of, rows_of
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.rates_found import UPFRONT, Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words
from gpuplanner.files.workbook.kit import figure_cells
from gpuplanner.files.workbook.kit.book import AsWritten, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import Check, as_in_app
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Operands,
    added,
    by_row,
    call,
    formula,
    known,
    lift,
    when,
)
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_ORDERS as SHEET
from gpuplanner.files.workbook.plan.order_rows import Orders
from gpuplanner.lazy_dataclass import dataclass

GIVEN: Final = ("gpus", "bought_gpus", "term_hours")
"""The app's, which divides the nodes."""
FORMULAS: Final = ("liability", "prepaid", "at_plan_rate", "saves_beside_plan")
FIELDS: Final = (
    *figure_cells.fields_of("quotes"),
    *(
        figure_cells.figure_field(AWARD[key], style="hours.fixed" if key == "term_hours" else "gpus.fixed")
        for key in GIVEN
    ),
    *(
        figure_cells.figure_field(AWARD[key])
        for key in ("rate", "upfront_per_gpu", "plan_rate", *FORMULAS[:-1])
    ),
    figure_cells.figure_field(AWARD[FORMULAS[-1]], style="change"),
    Field(key="offer_id", heading="Offer", style="muted"),
    Field(key="remark", heading="Remark"),
)


def write_award(
    inputs: Inputs,
    orders: Orders,
    asked: Table,
    rows: Sequence[asked_rows.AskedRow],
    conditions: Conditions,
    own: OrderPlaces,
    row: int,
) -> list[Check]:
    """Write it from a row on; what is checked of it.

    asked: the table of all rows that are asked for, in order. own: orders of the plan that those of the rows are.
    """
    offers = quotes_among(sold_in_units(inputs.project, inputs.ground.assumptions.unit).offers)
    try:
        award = award_of(rows, offers, conditions)
    except PlannerError as error:
        asked.book.write(asked.sheet, row + 1, 0, str(error), "note")
        return []
    assert award is not None  # nobody cancels it
    lines = rows_of(award)
    table = Table(
        book=asked.book,
        sheet=asked.sheet,
        row=row,
        size=len(lines),
        fields=FIELDS,
        watch=Watch(title="Award"),
        section=ROWS.title,
    )
    for place, line in enumerate(lines):
        table.fill(place, row=line.row.name, model=model_words(line.row.gpu_model))
        if line.given is not None:
            _given(table, place, line.given, orders, own)
        elif line.left is not None:
            table.fill(place, vendor=open_words(line.left), gpus=line.left.gpus)
    saved = [one.saves_beside_plan for one in award.awarded]
    app = {
        "liability": award.liability,
        "prepaid": award.prepaid,
        "saves_beside_plan": None if None in saved else sum(one or 0.0 for one in saved),
    }
    asked.book.write(asked.sheet, table.end_row, 0, "Sum", "strong.total")
    checks = []
    for key, value in app.items():
        style = "change.strong.total" if key == "saves_beside_plan" else "usd.strong.total"
        here = table.put_below(key, table.range(key).known_sum(), style)
        checks.append(as_in_app(f"{AWARD[key].title}, $", value, here, "Award as in the app"))
    return checks


def _given(table: Table, place: int, given: Awarded, orders: Orders, own: OrderPlaces) -> None:
    """What one offer is given of a row: GPUs are the app's, rates and payments upfront those of Prices.

    Beside the offer of a list the plan's rate is that of today's lists, as in the app.
    """
    prices = orders.prices
    at = next(at for at, one in enumerate(prices.listed) if one.offer_id == given.offer.offer_id)
    cells: figure_cells.Cells = {key: table.put(key, place, getattr(given, key)) for key in GIVEN}
    rate = table.put("rate", place, prices.offers.cell(prices.key_of_rate(is_of_plan=False), at))
    upfront = call("N", prices.offers.cell(UPFRONT.key, at)) if prices.has_upfront else 0
    cells["rate"] = figure_cells.maybe(rate)
    cells["upfront_per_gpu"] = table.put("upfront_per_gpu", place, upfront)
    listed = [_order_on_sheet(order, orders, own) for order in given.row.orders]
    planned = [order for order in listed if order is not None]
    is_of_today = answered_row(given.offer) is None
    is_planned = len(planned) == len(listed)
    at_plan_rate = _plan_rate(planned, orders, is_of_today=is_of_today) if is_planned else given.plan_rate
    cells["plan_rate"] = figure_cells.maybe(table.put("plan_rate", place, at_plan_rate))
    figure_cells.write_figures(table, place, AWARD, cells, FORMULAS)
    table.put("vendor", place, provider_words(given.offer))
    table.fill(place, offer_id=given.offer.offer_id, remark=AsWritten(remark_of(given.offer)))


QUALIFIES, NO_RATE, TOO_FEW, TOO_MANY = "yes", "no rate", "too few GPUs", "only larger orders"
PART = "for a part"
OVER, TOO_LATE, OTHER_MODEL = "no longer valid", "starts later", "another GPU model"
FIRM, OPTION = "firm", "option"

ASKED_FIELDS = figure_cells.fields_of("quotes.asked")
QUOTE_FIELDS = figure_cells.fields_of("quotes.quote")
VENDOR_COLUMNS: Final = 3
"""Vendors that have a column of their own on the front page; quotes of others share one."""
NOTHING_ASKED = "No order of the plan needs a request for quotes."
NOTHING_CAME = "No quotes yet. Import the answers of vendors in the app to see them here."
"""What stands below the table where it is empty."""
CAME_BACK: Final = "Quotes that came back"
ASKED_WATCH = Watch(title="Quotes asked for", values=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedQuote:
    """A quote. place: of the offer in the price list; row: of what it is asked for, from 0. never: why it does not
    qualify at any rate; empty where it may. node_gpus: of the row; together: the rows over which its least number of
    GPUs holds, from 0."""

    row: int
    place: int
    offer: Offer
    never: str
    node_gpus: int
    together: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCells:
    """Tables of requests and quotes. rows: of asked, in order; quotes: of answers, in order.

    vendors: those with a column of their own on the front page, the cheapest first. sums: of the firm rows with a
    quote, by column of asked; whole: of all of them in the plan. checks: of the award, against the app.
    """

    rows: tuple[asked_rows.AskedRow, ...]
    quotes: tuple[MatchedQuote, ...]
    vendors: tuple[str, ...]
    asked: Table
    answers: Table
    sums: Mapping[str, Expr]
    checks: Sequence[Check]


def asked_of(inputs: Inputs) -> tuple[asked_rows.AskedRow, ...]:
    """The rows that a request of that moment asks for, on the usual days; once quotes came back those of the award."""
    at_s = inputs.generated_at_s
    usual = asked_rows.usual_asking(at_s, inputs.project.offers)
    return asked_on(inputs.evaluation, at_s, None if is_answered(inputs) else usual)


def is_answered(inputs: Inputs) -> bool:
    """Whether a request came back, filled in or not."""
    project = inputs.project
    return project.request_days is not None or any(answered_row(offer) for offer in project.offers)


def write_quotes(named: Named, orders: Orders) -> QuoteCells:
    """Write the tables.

    Requests start, and quotes are valid, as of the day of the book. Who gets what is asked once
    quotes came back.
    """
    book, inputs = named.book, named.inputs
    rows = asked_of(inputs)
    conditions = conditions_of(inputs.ground, inputs.advice.checks, inputs.generated_at_s)
    quotes = match_quotes(rows, inputs.project.offers, conditions)
    row = book.title(
        SHEET,
        "Requests, the rates of the plan and the answers of vendors. Import the answers in the app.",
        "Requests are files: File > Export requests for quote. Other prices may change the orders: update the plan in "
        f"the app. {asked_rows.MONTHS_OF_HOURS}",
        title="Requests and quotes",
    )
    asked = Table(
        book=book,
        sheet=SHEET,
        row=row,
        size=len(rows),
        fields=ASKED_FIELDS,
        name="AskedRows",
        watch=ASKED_WATCH,
    )
    answers = Table(
        book=book,
        sheet=SHEET,
        row=asked.end_row + 3,
        size=len(quotes),
        fields=QUOTE_FIELDS,
        name="QuoteRows",
        watch=Watch(title=CAME_BACK, values=True),
        section=CAME_BACK,
    )
    own = same_orders([order for row in rows for order in row.orders], inputs.evaluation.listed_orders)
    for place, each in enumerate(rows):
        _put_asked(asked, place, each, orders, own)
    vendors = _cheapest_first(asked, quotes)[:VENDOR_COLUMNS]
    for place, quote in enumerate(quotes):
        _put_quote(answers, place, quote, asked, orders.prices)
        provider = quote.offer.provider
        column = vendors.index(provider) if provider in vendors else VENDOR_COLUMNS
        answers.put("column", place, column + 1)
    for place in range(len(rows)):
        _put_best(asked, place, answers)
    if not quotes:
        said = NOTHING_ASKED if not rows else NOTHING_CAME
        book.write(SHEET, answers.end_row, 0, said, "note")
    sums = _sums(asked) if rows else {}
    below = answers.end_row + 1
    checks = write_award(inputs, orders, asked, rows, conditions, own, below) if quotes else []
    return QuoteCells(
        rows=rows,
        quotes=tuple(quotes),
        vendors=vendors,
        asked=asked,
        answers=answers,
        sums=sums,
        checks=checks,
    )


def _cheapest_first(asked: Table, quotes: Sequence[MatchedQuote]) -> tuple[str, ...]:
    """The vendors with a quote, that which is most $ below the plan over all rows first."""
    below: dict[str, float] = {}
    for quote in quotes:
        rate, provider = quote.offer.spread_rate, quote.offer.provider
        if rate is None or not provider:
            continue
        cells = [asked.cell(key, quote.row) for key in ("asked", "hours", "plan_rate")]
        gpus, hours, plan = (cell.number if cell.is_known else 0.0 for cell in cells)
        below[provider] = below.get(provider, 0.0) + gpus * hours * (plan - rate)
    return tuple(sorted(below, key=lambda provider: (-below[provider], provider)))


def match_quotes(
    rows: Sequence[asked_rows.AskedRow], offers: Sequence[Offer], conditions: Conditions
) -> list[MatchedQuote]:
    """Return each quote once for every row that it is for: those that it answers, or all of its model and term."""
    leads = {offer.offer_id: lead_s(offer) for offer in offers}
    found = []
    for place, offer in enumerate(offers):
        never: dict[int, str] = {}
        for number in _rows_of(offer, rows, conditions):
            one = beside(rows[number], offer, None, leads, conditions)
            never[number] = OTHER_MODEL if one is None else _never(one, conditions)
        awarded = {number for number, why in never.items() if not why and not rows[number].is_option}
        for number, why in never.items():
            together = tuple(sorted(awarded | {number}))
            found.append(
                MatchedQuote(
                    row=number,
                    place=place,
                    offer=offer,
                    never=why,
                    node_gpus=rows[number].node_gpus,
                    together=together,
                )
            )
    return sorted(found, key=lambda quote: (quote.row, quote.place))


def _rows_of(offer: Offer, rows: Sequence[asked_rows.AskedRow], conditions: Conditions) -> Sequence[int]:
    """The places of the rows that a quote is for; none for a list price."""
    answered = asked_rows.rows_quoted_for(offer, rows, conditions.calendar)
    if answered is not None:
        return answered
    if not is_quote(offer):
        return ()
    return [
        place
        for place, row in enumerate(rows)
        if offer.gpu_model == row.gpu_model and asked_rows.is_of_term(offer, row)
    ]


def _never(one: Considered, conditions: Conditions) -> str:
    """Why a quote does not qualify, as in the award, whatever its rate and whatever the sizes of the layers."""
    if not asked_rows.is_in_time(one.offer, one.start_s, conditions.order_day_s):
        return TOO_LATE
    if not one.offer.is_open_on(conditions.order_day_s):
        return OVER
    return str(hindrance(one, conditions) or "")


def _put_asked(table: Table, place: int, row: asked_rows.AskedRow, orders: Orders, own: OrderPlaces) -> None:
    """What is asked for, and what the plan counts for it. own: orders of the plan that those of the row are."""
    table.put("request", place, row.name)
    table.fill(place, need=OPTION if row.is_option else FIRM, gpu_model=model_words(row.gpu_model))
    listed = [_order_on_sheet(order, orders, own) for order in row.orders]
    bought = [
        lift(order.bought_gpus) if on_sheet is None else orders.cell("bought_gpus", on_sheet)
        for order, on_sheet in zip(row.orders, listed, strict=True)
    ]
    gpus = table.put("gpus", place, bought[0])  # those that renew it are as many
    node, in_nodes = table.put("node", place, row.node_gpus), "{node}*ROUNDUP(ROUND({gpus},6)/{node},0)"
    table.put("asked", place, formula(in_nodes, node=node, gpus=gpus))  # as `whole_nodes` has it
    table.fill(place, term=term_of(row), start=day_number(row.start_s))
    hours = [
        lift(order.term_hours) if on_sheet is None else orders.cell("term_hours", on_sheet)
        for order, on_sheet in zip(row.orders, listed, strict=True)
    ]
    table.put("hours", place, row.orders[0].term_hours * row.terms)
    if None in listed:  # the plan that waits for quotes orders what the plan itself does not
        rate = table.put("plan_rate", place, plan_rate(row))
        usd: Expr = known([rate], gpus * rate * added(hours))
    else:
        planned = [order for order in listed if order is not None]
        table.put("plan_rate", place, _plan_rate(planned, orders))
        rates = [orders.cell("spread_rate", order) for order in planned]
        parts = [
            order_gpus * rate * term_hours
            for order_gpus, rate, term_hours in zip(bought, rates, hours, strict=True)
        ]
        usd = known(rates, added(parts))
    table.put("plan_usd", place, usd)
    need = orders.prices.plan.get(Row(row.orders[0].pool, row.orders[0].gpu_model))
    by_use = None if need is None else orders.prices.on_demand(need)
    table.put("on_demand", place, None if by_use is None else known([by_use], by_use))


def term_of(row: asked_rows.AskedRow) -> Message:
    """The term of a row with how often it is wanted: Monthly, 6 times."""
    return times_words(row.term_months, row.term_days or None, row.terms)


def _order_on_sheet(order: Order, orders: Orders, own: OrderPlaces) -> Order | None:
    """The order on Commitment that an order of a request is; None where the plan itself does not order it."""
    if order in orders.places:
        return order
    same = own.get(place_of(order))
    return None if same is None or same.order not in orders.places else same.order


def _plan_rate(listed_orders: Sequence[Order], orders: Orders, *, is_of_today: bool = False) -> Expr:
    """The mean rate of the orders of a row by their GPUs, what is paid upfront in it; the dash where one is missing.

    is_of_today: at what the list asks today for what is on it, as `listed_rate`.
    """
    prices = orders.prices
    listed = {one.offer_id: at for at, one in enumerate(prices.listed)} if is_of_today else {}
    parts = [orders.cell("bought_gpus", order) for order in listed_orders]
    rates = [
        orders.cell("spread_rate", order)
        if (at := listed.get(order.offer_id)) is None
        else prices.listed_with_upfront(at)
        for order in listed_orders
    ]
    if len(rates) == 1:
        return known(rates, rates[0]) if is_of_today else rates[0]
    amounts = [gpus * rate for gpus, rate in zip(parts, rates, strict=True)]
    whole = added(parts)
    return known(rates, when(whole > 0, added(amounts) / whole, DASH))  # a size that is no number counts as 0


def _put_quote(table: Table, place: int, quote: MatchedQuote, asked: Table, prices: Prices) -> None:
    """One quote beside the row that it is for, and whether it qualifies there."""
    offer = quote.offer
    request = table.put("request", place, asked.cell("request", quote.row).value)
    table.fill(place, model=model_words(offer.gpu_model), vendor=AsWritten(offer.provider or ""))
    offered = prices.offer_with_upfront(quote.place)
    rate = table.put("rate", place, known([offered], offered))
    most = table.put("most", place, "" if offer.max_gpus is None else offer.max_gpus)
    least = table.put("least", place, "" if offer.min_gpus is None else offer.min_gpus)
    table.fill(place, lead=offer.lead_time_hours, sla="" if offer.sla_percent is None else offer.sla_percent)
    table.fill(place, quoted_on=offer.as_of or "", valid_until=offer.valid_until or "")
    whole = _asked_of(asked, quote.row, request)
    together = added([whole, *(_asked_of(asked, row) for row in quote.together if row != quote.row)])
    answer = formula(
        f'IF(N({{rate}})<=0,"{NO_RATE}",IF(AND({{most}}<>"",N({{most}})<{{node}}),"{TOO_FEW}",'
        f'IF(N({{least}})>{{together}},"{TOO_MANY}",'
        f'IF(AND({{most}}<>"",N({{most}})<{{whole}}),"{PART}","{QUALIFIES}"))))',
        rate=rate,
        most=most,
        least=least,
        node=quote.node_gpus,
        together=together,
        whole=whole,
    )
    shown = table.put("qualifies", place, quote.never or answer)
    counted = formula("IF({shown}={yes},{rate},{dash})", shown=shown, yes=QUALIFIES, rate=rate, dash=DASH)
    table.fill(place, counted=counted, remark=AsWritten(remark_of(offer)))


def _asked_of(asked: Table, row: int, name: Expr | None = None) -> Expr:
    """GPUs that a row asks for, found by its number, since rows may be sorted. name: a cell that has the number."""
    found = name or str(asked.cell("request", row).value)
    return call("SUMIFS", asked.range("asked"), asked.range("request"), found)


def _put_best(table: Table, place: int, answers: Table) -> None:
    """The cheapest quote that qualifies for a row, by the row's key, and what it changes over all terms."""
    name = table.cell("request", place)
    keys, rates = answers.range("request"), answers.range("counted")
    table.put("came", place, call("COUNTIFS", keys, name))
    shown = table.put("quotes", place, call("COUNTIFS", keys, name, rates, ">0"))
    rate = table.put("best_rate", place, when(shown > 0, call("_xlfn.MINIFS", rates, keys, name), DASH))
    given: Operands = {
        "vendors": answers.range("vendor"),
        "keys": keys,
        "name": name,
        "rates": rates,
        "rate": rate,
    }
    if answers.size == 1:  # a program finds nothing in a column of one row
        whose = answers.cell("vendor", 0)
    else:
        whose = formula("INDEX({vendors},MATCH(1,INDEX(({keys}={name})*({rates}={rate}),0),0))", **given)
    table.put("best", place, when(shown > 0, whose, "quote needed"))
    gpus, hours, plan = (table.cell(key, place) for key in ("asked", "hours", "plan_rate"))
    table.put("best_usd", place, known([rate], gpus * hours * rate))
    table.put("below", place, known([rate, plan], gpus * hours * (plan - rate)))
    table.put("ratio", place, known([rate, plan], when(plan > 0, rate / plan - 1, DASH)))


def _sums(table: Table) -> dict[str, Expr]:
    """What the firm rows with a quote come to, and how many there are: an option is in no total of the plan."""
    table.line_below("Firm rows with a quote", "ratio")
    need, below = table.range("need"), table.range("below")
    is_firm = by_row("({need}={firm})*1", need=need, firm=FIRM)
    both = by_row("({need}={firm})*ISNUMBER({below})", need=need, firm=FIRM, below=below)
    sums = {}
    for key in ("plan_usd", "best_usd", "below"):
        style = "change.total" if key == "below" else "usd.total"
        sums[key] = table.put_below(key, call("SUMPRODUCT", both, table.range(key)), style)
    whole = "IF(SUMPRODUCT(ISTEXT({usd})*({need}={firm}))>0,{dash},SUMIFS({usd},{need},{firm}))"
    usd = table.range("plan_usd")
    table.line_below("All firm rows", "plan_usd", row=1)
    all_firm = formula(whole, usd=usd, need=need, firm=FIRM, dash=DASH)
    sums["whole"] = table.put_below("plan_usd", all_firm, "usd.total", 1)
    count = formula('SUMPRODUCT({both})&" of "&SUMPRODUCT({is_firm})&" quoted"', both=both, is_firm=is_firm)
    table.put_below("best", count, "total")
    return sums
