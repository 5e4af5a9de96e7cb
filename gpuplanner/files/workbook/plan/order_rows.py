"""The list of a plan: its orders from a start to an end, which all months and layers are sums of; and FOCUS."""

from collections.abc import Mapping
from math import isclose
from typing import Final, NamedTuple

from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.commitment.listed_order import in_list, place_of
from gpuplanner.domain.commitment.numbers import order_number
from gpuplanner.domain.commitment.recursion.rates import is_firm
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, currency_from
from gpuplanner.domain.model.book.offer import has_owned
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from gpuplanner.domain.reports.orders import ORDERS
from gpuplanner.domain.reports.report import Medium
from gpuplanner.files.export import focus
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import hours_in
from gpuplanner.files.workbook.inputs.rates_found import TERM_HOURS, UPFRONT, WITH_EXTRAS, Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit import figure_cells
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import Check, as_in_app, take_dates, take_numbers
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    UNKNOWN,
    Expr,
    Operand,
    Operands,
    call,
    formula,
    known,
    lift,
    lowest,
    scaled,
    when,
)
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_ORDERS, FOCUS
from gpuplanner.lazy_dataclass import dataclass

LOOKS: Final = figure_cells.looks_of("order")
FIELDS: Final = figure_cells.fields_of("order_rows", of=ORDER)
"""Beside the columns of the report: what an order costs, and the workings of the sums over the list."""
TO_OWN: Final = (
    figure_cells.figure_field(ORDER["capex_per_gpu"], 13),
    figure_cells.figure_field(ORDER["due_at_once"], 13),
)
"""After these, where offers are owned: what is to be paid on the day."""
NUMBER: Final = Field(key="number", heading="Order", style="text", width=7)
"""O1, O2, …, as all papers name the order; orders that renew each other have one."""
SETUP: Final = figure_cells.figure_field(ORDER["setup_per_gpu"], 13)
LONGEST_AHEAD: Final = Field(
    key="ahead_high_h", heading="Ahead at the longest lead, h", style="number", width=9
)
LONGEST_LEAD: Final = Field(
    key="order_by_high", heading="Order by at the longest lead (UTC)", style="date", width=16
)
SLA: Final = Field(key="sla_hours", heading="SLA leaves open, h a month", style="hourly", width=10)
AT_STAKE: Final = Field(key="sla_usd", heading="$ of those hours", style="usd", width=10)
"""Each only where an offer states it: its set-up, how long it takes at most, and its SLA."""
TYPED: Final = frozenset(("bought_gpus", "start", "end", "term_months"))
"""Inputs of the list that formulas count with."""
Spans = tuple[tuple[float, float], ...]


class LayerKey(NamedTuple):
    """What is one layer. offer_id: empty where nobody sells that term."""

    row: Row
    offer_id: str
    term_months: int


def layer_of(order: Order) -> LayerKey:
    """Of which layer an order is."""
    return LayerKey(Row(order.pool, order.gpu_model), order.offer_id, order.term_months)


@dataclass(frozen=True, slots=True)
class Orders:
    """The table of the list; places: the row of each order; layers: the number of each layer, from 1 on."""

    table: Table
    prices: Prices
    places: Mapping[Order, int]
    layers: Mapping[LayerKey, int]

    def cell(self, key: str, order: Order) -> Expr:
        """A cell of the order's row; an input that is no number counts as 0, and is told."""
        cell = self.table.cell(key, self.places[order])
        return call("N", cell) if key in TYPED else cell

    def listed(self, key: str, order: Order) -> Expr:
        """What Prices says of the offer that is ordered now; key: of a column there."""
        return self.prices.found(key, self.cell("offer_no", order))

    def listed_rate(self, order: Order) -> Expr:
        """The rate of that offer on today's list, $ per GPU-hour."""
        return self.prices.counted_rate(self.cell("offer_no", order))


def _unsold(inputs: Inputs) -> list[Order]:
    """Levels set by hand of terms that nobody sells: they are held, and what they cost is unknown."""
    begin_s = inputs.parts[0].from_s
    spans_by_row: dict[tuple[Row, tuple[int, int]], list[tuple[float, float]]] = {}
    for plan in inputs.advice.pools:
        for band in plan.bands:
            edges = plan.slicing.below(band.first_slice - 1), plan.slicing.below(band.last_slice)
            for span in band.unsold:
                spans_by_row.setdefault((Row(plan.pool, plan.gpu_model), span), []).append(edges)
    return [
        Order(
            pool=pool,
            gpu_model=gpu_model,
            offer_id="",
            term_months=round((end_s - start_s) / MONTH_S),
            gpus=sum(high - low for low, high in spans),
            start_s=begin_s + start_s,
            end_s=begin_s + end_s,
            order_by_s=begin_s + start_s,
            reason="now",
            spans=tuple(spans),
            row=-1 - number,
        )
        for number, (((pool, gpu_model), (start_s, end_s)), spans) in enumerate(spans_by_row.items())
    ]


def write_orders(book: Book, inputs: Inputs, named: Named, prices: Prices, row: int) -> Orders:
    """Write the list from a row of Commitment on: GPUs, start, end and term are inputs, rates those of Prices."""
    orders = (*inputs.advice.orders, *_unsold(inputs))
    title = "Orders of the next twelve months"
    watch = Watch(title="Orders", named_by=("pool", "gpu_model", "term_months"), values=True)
    fields = (
        NUMBER,
        *figure_cells.report_fields(ORDERS, looks=LOOKS),
        *FIELDS,
        *(TO_OWN if has_owned(prices.listed) else ()),
        *([SETUP] if any(one.setup_per_gpu for one in orders) else ()),
        *([SLA, AT_STAKE] if any(one.sla_percent is not None for one in orders) else ()),
        *([LONGEST_AHEAD, LONGEST_LEAD] if any(one.order_by_high_s is not None for one in orders) else ()),
    )
    table = Table(
        book=book, sheet=CALC_ORDERS, row=row, size=len(orders), fields=fields, watch=watch, section=title
    )
    table.widen()
    figure_cells.put_rows(table, ORDERS, ORDERS.rows_in(Medium.WORKBOOK, inputs.advice))
    keys = sorted(
        set(map(layer_of, orders)),
        key=lambda key: (inputs.pairs.index(key.row), -key.term_months, key.offer_id),
    )
    places = in_list(inputs.evaluation.listed_orders)
    for place, order in enumerate(orders):
        known = places.get(place_of(order))
        table.put(NUMBER.key, place, "" if known is None else order_number(known.listed.number))
    found = Orders(
        table,
        prices,
        {order: place for place, order in enumerate(orders)},
        {key: number for number, key in enumerate(keys, 1)},
    )
    ending: dict[tuple[LayerKey, Spans, int], Order] = {}
    for order in orders:
        slices = layer_of(order), order.spans
        _order(found, order, ending.get((*slices, order.start_s)), named)
        ending[*slices, order.end_s] = order
    take_numbers(table, "bought_gpus")
    take_numbers(table, "offer_no", words="Enter the number of an offer on Offer inputs.", or_unknown=True)
    take_numbers(table, "term_months", words="Enter months.", or_unknown=True)
    take_dates(table, "start")
    take_dates(table, "end")
    return found


def _order(of: Orders, order: Order, before: Order | None, named: Named) -> None:
    """What is ordered, from when to when, and what it costs. before: the order that it continues, of the same GPUs and
    offer."""
    table, prices, place = of.table, of.prices, of.places[order]
    table.put("pool", place, pool_words(order.pool), f"pool_{order.pool}")
    table.put("asked", place, order.gpu_model or "")
    if not order.offer_id:
        table.fill(place, gpu_model=model_words(order.gpu_model), reason="set by hand")
    number = _put_offer(of, order, before)
    _put_span(of, order, before, named)
    table.put("layer_no", place, of.layers[layer_of(order)])
    gpus, advised = of.cell("bought_gpus", order), table.put("advised", place, order.bought_gpus)
    work = table.put("work", place, order.gpus)
    share, worth = (
        gpus / advised,
        prices.worth_of(order.offer_id, prices.plan[Row(order.pool, order.gpu_model)]),
    )
    table.put("share", place, share if worth is None else lowest(share, gpus * worth / work))
    hours = formula("ROUND(({end}-{start})*24,6)", end=of.cell("end", order), start=of.cell("start", order))
    hours = table.put("term_hours", place, hours)
    given: figure_cells.Cells = {"bought_gpus": gpus, "term_hours": hours}
    bound: Operands = {key: of.cell(key, order) for key in ("term_hours", "length_h", "term_months")}
    typed = "IF(ROUND({term_hours}-{length_h},3)=0,{term_months},{term_hours}/{hours})"
    table.put("bound", place, formula(typed, hours=named.hours_per_month, **bound))
    given["paid_hours"] = lowest(named.hours_per_month, hours)
    if number is None:
        for key in ("price", "rate", "cost_per_month", "spread_rate"):
            table.put(key, place, None)
        table.put("upfront_per_gpu", place, 0)
        return
    level = table.put("price", place, _level(of, order, named))
    paid = table.put("rate", place, when(hours > 0, _at_level(prices.counted_rate(number), level), DASH))
    given["rate"] = figure_cells.maybe(paid)
    if order.sla_hours_per_month is not None:
        left_open = table.put(SLA.key, place, order.sla_hours_per_month)
        table.put(AT_STAKE.key, place, known([paid], gpus * paid * left_open))
    upfront = call("N", prices.found(UPFRONT.key, number)) if prices.has_upfront else 0
    given["upfront_per_gpu"] = table.put("upfront_per_gpu", place, upfront)
    counted = _at_level(prices.found(prices.key_of_rate(), number), level)
    spent = given | {"rate": figure_cells.maybe(when(hours > 0, counted, DASH))}
    spent = spent if prices.offers.has(WITH_EXTRAS.key) else given
    missing = figure_cells.write_figures(table, place, ORDER, spent, ["spread_rate", "cost_per_month"])
    assert not missing, missing
    if table.has(SETUP.key):
        once: Operands = {key: call("N", prices.found(key, number)) for key in ("setup", TERM_HOURS.key)}
        once |= {"level": level, "hours": hours, "term": once[TERM_HOURS.key]}
        given[SETUP.key] = table.put(
            SETUP.key, place, formula("IF({term}>0,{setup}*{level}*{hours}/{term},0)", **once)
        )
    if has_owned(prices.listed):
        capex = call("N", prices.found("capex_per_gpu", number))  # 0 of what is signed for
        capex = capex * level if level.is_known else capex
        given["capex_per_gpu"] = table.put("capex_per_gpu", place, capex)
        figure_cells.write_figures(table, place, ORDER, given, ["due_at_once"])


def _put_offer(of: Orders, order: Order, before: Order | None) -> Expr | None:
    """Which offer is ordered: its number on Prices, None where nobody sells the term."""
    table, prices, place = of.table, of.prices, of.places[order]
    number = prices.number_of(order.offer_id)
    if number is None:
        for key in ("offer_id", "offer_no"):
            table.put(key, place, None, "muted")
        return None
    is_run = order.reason == "planned_run"
    if before is not None and not is_run:
        number = table.put("offer_no", place, of.cell("offer_no", before), "count")
    else:
        number = table.put("offer_no", place, number.number, "count.fixed" if is_run else None)
    table.put("offer_id", place, prices.found("offer_id", number))
    return number


def _put_span(of: Orders, order: Order, before: Order | None, named: Named) -> None:
    """GPUs, term, start and end: inputs of what begins a row, and of what continues it formulas over it. Those of
    planned work are the app's."""
    table, place = of.table, of.places[order]
    is_run = order.reason == "planned_run"
    kind = ""
    if is_run:
        kind = ".fixed"
    elif before is None:
        kind = ".input"
    is_whole = order.end_s - order.start_s == order.term_months * MONTH_S
    gpus = term = start = None
    if before is not None and not is_run:
        gpus, term, start = (of.cell(key, before) for key in ("bought_gpus", "term_months", "end"))
    is_alike = before is not None and isclose(before.bought_gpus, order.bought_gpus, rel_tol=1e-9)
    table.put(
        "bought_gpus", place, gpus if is_alike and gpus is not None else order.bought_gpus, f"gpus{kind}"
    )
    if term is None and order.offer_id and not is_run:
        own = table.put("own_term", place, order.term_months)
        term = formula("IF(ISNUMBER({term}),{term},{own})", term=of.listed("term", order), own=own)
    else:
        table.put("own_term", place, "")
    is_sold = term is not None and term.number == order.term_months
    months = order.term_months if term is None or not is_sold else term
    table.put("term_months", place, months, f"count{kind}" if is_whole else "count")
    term = of.cell("term_months", order)
    hours = term * named.hours_per_month if is_whole else (order.end_s - order.start_s) / HOUR_S
    length = table.put("length_h", place, hours)
    began = day_number(order.start_s) if start is None else start
    table.put("start", place, began, f"moment{kind}")
    start = of.cell("start", order)
    table.put("end", place, start + length / 24, f"moment{kind}")
    ahead = table.put("ahead_h", place, (order.start_s - order.order_by_s) / HOUR_S)
    by_s = "" if order.is_soonest else "-1/86400"  # by a midnight is by the end of the day before
    table.put("order_by", place, formula("{start}-{ahead}/24" + by_s, start=start, ahead=ahead))
    if order.order_by_high_s is not None:
        ahead = table.put(LONGEST_AHEAD.key, place, (order.start_s - order.order_by_high_s) / HOUR_S)
        table.put(LONGEST_LEAD.key, place, formula("{start}-{ahead}/24" + by_s, start=start, ahead=ahead))
    given = {"from": named.window_start, "begins": named.plan_begins_h}
    in_hours = "ROUND(({day}-{from})*86400,0)/3600-{begins}"
    ends = [
        table.put(into, place, formula(in_hours, day=of.cell(day, order), **given))
        for into, day in (("from_h", "start"), ("to_h", "end"))
    ]
    table.put("hours0", place, hours_in(ends[0], ends[1], lift(0), named.hours_per_month))


def _level(of: Orders, order: Order, named: Named) -> Expr | float | None:
    """What it is signed at, as a share of the rate on the list today: one that is firm stays, any other moves to the
    month in which the order is placed. None where the rate is not known."""
    offer = next(offer for offer in of.prices.counted if offer.offer_id == order.offer_id)
    if order.rate is None or not offer.bare_rate:
        return None
    if is_firm(offer):
        return 1.0
    given: Operands = {"from_h": of.cell("from_h", order), "hours": named.hours_per_month}
    given["lead_h"] = call("N", of.prices.found("lead", of.cell("offer_no", order)))
    given["horizon"] = named.assumptions["horizon_months"]
    month = formula("MAX(0,MIN({horizon}-1,INT(ROUND(({from_h}-{lead_h})/{hours},6))))", **given)
    price = formula("(1-{fall})^{month}", fall=named.assumptions["delta"], month=month)
    live_rate = scaled(price, of.prices.steps.signed_in(offer.gpu_model, month))
    app = order.rate / offer.bare_rate
    return live_rate if isclose(live_rate.number, app, rel_tol=1e-9) else app


def _at_level(rate: Expr, level: Expr) -> Expr:
    """The rate in the month of signature; the dash where there is none, for none is never free."""
    return UNKNOWN if not level.is_known else when(call("N", rate) > 0, rate * level, DASH)


WATCH: Final = Watch(title="FOCUS rows", named_by=("ContractCommitmentId",), values=True)
_LOOKS: Final = figure_cells.looks_of("focus")
_PLAIN: Final = figure_cells.Look(14)
_LETTER: Final = 1.2
"""How wide a letter of a heading is: names of FOCUS have no spaces, and are never broken within a word."""


def write_focus_sheet(named: Named, orders: Orders) -> list[Check]:
    """Write the sheet, each row over its order on Commitment; what of it is checked against the CSV file."""
    book, inputs = named.book, named.inputs
    billed = currency_from(inputs.project.currency, inputs.project.exchange)
    row = book.title(
        FOCUS,
        "All certain orders as FOCUS 1.3 contract commitments, status Proposed. x_ columns are gpuplanner's own.",
        "The same rows as CSV: File > Export FOCUS rows, or export --focus. Times are UTC.",
        "Periods are calendar days; the last line has the difference to the plan, whose months have 730 hours.",
        *_not_here(inputs),
    )
    looks = {column: _LOOKS.get(column, _PLAIN) for column in focus.FOCUS_COLUMNS}
    fields = [
        Field(
            key=column,
            heading=column,
            style=look.style or "text",
            width=max(look.width, _LETTER * len(column)),
        )
        for column, look in looks.items()
    ]
    approval = approval_on(inputs.advice, inputs.project, inputs.generated_at_s)
    commitments = focus.proposed_commitments(approval, inputs.project, inputs.evaluation.listed_orders)
    lines = len(commitments) + bool(approval.left)
    table = Table(book=book, sheet=FOCUS, row=row, size=lines, fields=fields, name="FocusRows", watch=WATCH)
    table.widen()
    book.sheets[FOCUS].freeze_panes(table.first_row, 0)
    checks = []
    for place, commitment in enumerate(commitments):
        cells = focus.focus_cells(commitment, billed)
        for column in focus.FOCUS_COLUMNS:
            if column not in (*_COST, *_LIVE, _TYPE):
                cell = cells[column]
                table.put(column, place, "" if cell is None else cell)
        _put_type(table, place, commitment, orders, may_be_owned=has_owned(inputs.project.offers))
        _offered(table, place, str(cells["x_ContractCommitmentDurationType"]), commitment, orders)
        cost = _cost(table, place, commitment, orders, billed, named)
        checks.append(as_in_app(commitment.name, commitment.cost_usd, cost, "FOCUS rows as in the app, $"))
    if lines > len(commitments):
        _put_plan_line(table, focus.plan_line(commitments, approval.left, billed), billed, named)
    return checks


def _put_plan_line(
    table: Table, cells: Mapping[str, str | float | None], billed: Currency, named: Named
) -> None:
    """The last line: what the plan counts less the rows above it."""
    last = table.rows - 1
    for column in focus.FOCUS_COLUMNS:
        if column not in _COST:
            table.put(column, last, "" if cells[column] is None else cells[column])
    planned = table.range(_PLANNED).known_sum()
    above = table.range(_COST[0], 0, last).known_sum() if last else None
    cost = table.put(_COST[0], last, planned if above is None else known([planned, above], planned - above))
    table.put(_COST[1], last, _dollars(cost, billed, named))


def _dollars(amount: Expr, billed: Currency, named: Named) -> Expr | None:
    """An amount of the project in US dollars; None where no rate of exchange is stated."""
    in_dollars = named.dollars.get(billed.code)  # none: amounts are US dollars, or in those they are unknown
    if billed == DOLLARS:
        return amount
    return None if in_dollars is None else known([amount], amount * in_dollars)


def _put_type(
    table: Table, place: int, commitment: focus.ProposedCommitment, orders: Orders, *, may_be_owned: bool
) -> None:
    """What is committed. may_be_owned: a price typed into the book may make GPUs to buy the cheapest of the term."""
    if not may_be_owned:
        table.put(_TYPE, place, focus.RESERVATION)
        return
    category = orders.listed("category", commitment.order)
    is_owned = f'{{category}}="{PricingCategory.OWNED}"'
    words = f'IF({is_owned},"none: GPUs to buy","{focus.RESERVATION}")'
    table.put(_TYPE, place, formula(words, category=category))


def _not_here(inputs: Inputs) -> list[str]:
    """That GPUs which are bought are no contract commitment; nothing where none is."""
    gpus = sum(order.bought_gpus for order in inputs.advice.orders if order.is_certain and order.is_bought)
    if not gpus:
        return []
    return [
        f"The {gpus:g} GPUs to buy are only in the last line: owned GPUs are no contract commitment of a provider. "
        "In FOCUS a purchase is a charge (ChargeCategory Purchase) once it is invoiced. Calc months has the "
        "amounts due for them."
    ]


_TYPE: Final = "ContractCommitmentType"
_COST: Final = ("ContractCommitmentCost", "x_PricingCurrencyContractCommitmentCost")
_PLANNED: Final = "x_PlanCost"
_LIVE: Final = plain_table("focus_live")
"""Columns of formulas, and of Prices which column a row shows as it is; the others are the app's."""


def _offered(
    table: Table, place: int, months: str, commitment: focus.ProposedCommitment, orders: Orders
) -> None:
    """What Prices says of the offer that is ordered, and the words that it is in. months: its term, in words."""

    def put(column: str, template: str, **operands: Operand) -> Expr:
        """A formula of words."""
        return table.put(column, place, formula(template, **operands))

    found = {
        column: put(
            column, 'IF({listed}={dash},"",{listed})', listed=orders.listed(key, commitment.order), dash=DASH
        )
        for column, key in _LIVE.items()
        if key
    }
    put("x_MinTermMonths", 'IF(N({least})>0,{least},"")', least=orders.listed("min_term", commitment.order))
    is_bare = 'IF({bare}="yes","true",IF({bare}="no","false",""))'
    put("x_BareMetal", is_bare, bare=orders.listed("bare_metal", commitment.order))
    provider = found["x_ServiceProviderName"]
    put("ContractId", '"proposed-"&IF({provider}="","provider",{provider})', provider=provider)
    begin = commitment.name.removesuffix(commitment.order.offer_id)
    put("ContractCommitmentId", "{begin}&{offer_id}", begin=begin, offer_id=found["x_OfferId"])
    gpus = table.put("x_Gpus", place, orders.cell("bought_gpus", commitment.order))
    described = 'ROUND({gpus},5-INT(LOG10(MAX({gpus},1E-6))))&" "&{model}&{rest}'
    rest = f" for {months}, {commitment.order.pool} pool"
    put("ContractCommitmentDescription", described, gpus=gpus, model=found["x_GpuModel"], rest=rest)


def _cost(
    table: Table,
    place: int,
    commitment: focus.ProposedCommitment,
    orders: Orders,
    billed: Currency,
    named: Named,
) -> Expr:
    """What it costs over its period, what is paid upfront in it, and the same in US dollars."""
    rate, egress = orders.cell("rate", commitment.order), orders.listed("egress", commitment.order)
    hours = _hours(table, place, commitment.hours)
    gpus = table.cell("x_Gpus", place)
    table.put("ContractCommitmentQuantity", place, gpus * hours)
    given: figure_cells.Cells = {
        "bought_gpus": gpus,
        "term_hours": hours,
        "rate": figure_cells.maybe(rate),
        "upfront_per_gpu": orders.cell("upfront_per_gpu", commitment.order),
    }
    cost = table.put(_COST[0], place, figure_cells.live(ORDER, "liability", given))
    planned = given | {"term_hours": orders.cell("term_hours", commitment.order)}
    table.put(_PLANNED, place, figure_cells.live(ORDER, "liability", planned))
    for column, amount in (("x_RateUsdPerGpuHour", rate), (_COST[1], cost)):
        table.put(column, place, _dollars(amount, billed, named))
    in_dollars = named.dollars.get(billed.code)
    is_told = billed == DOLLARS or in_dollars is not None
    sent = egress if billed == DOLLARS or in_dollars is None else egress * in_dollars
    shown = formula('IF(ISNUMBER({egress}),{sent},"")', egress=egress, sent=sent)
    table.put("x_EgressUsdPerGb", place, shown if is_told else "")
    return cost


def _hours(table: Table, place: int, hours: float) -> Expr:
    """Hours of a row's period, from its two days as they are written; 0 where it has no end."""
    starts, ends = (table.cell(f"ContractCommitmentPeriod{edge}", place) for edge in ("Start", "End"))
    if not hours:
        return lift(0)

    def days(at: Expr) -> Expr:
        """The spreadsheet's day number of a moment in ISO."""
        return formula("DATEVALUE(LEFT({at},10))+TIMEVALUE(MID({at},12,8))", at=at)

    return formula("ROUND(({ends}-({starts}))*24,6)", ends=days(ends), starts=days(starts))
