"""Orders of twelve months: GPUs and offer of their layers, rates of Prices; and FOCUS, the same as commitments."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Final

from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, currency_from
from gpuplanner.domain.model.book.offer import has_owned
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports.orders import ORDERS, OrderRow
from gpuplanner.files.export import (
    FOCUS_COLUMNS,
    RESERVATION,
    ProposedCommitment,
    focus_cells,
    proposed_commitments,
)
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.rates_found import UPFRONT, Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import CENT, Check
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
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import (
    Look,
    figure_field,
    maybe,
    put_rows,
    report_fields,
    surely,
    write_figures,
)
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_advised import AT_PRICES, HoldKey, price_when_signed
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison

MONEY: Final = (
    AT_PRICES,
    figure_field(ORDER["rate"], 10),
    figure_field(ORDER["cost_per_month"], 13),
    figure_field(ORDER["spread_rate"], 12),
    figure_field(ORDER["upfront_per_gpu"], 13),
    figure_field(ORDER["term_hours"], 7),
    Field("offer_no", "Offer no.", "count", 8, "The number on Prices of the offer that is ordered."),
    Field("asked", "For GPU model", width=8),
)
"""Beside the columns of the report: what an order costs. $ stand where the layers above have wide columns."""
TO_OWN: Final = (figure_field(ORDER["capex_per_gpu"], 13), figure_field(ORDER["due_at_once"], 13))
"""After these, where offers are owned: what is to be paid on the day."""


@dataclass(frozen=True, slots=True)
class Orders:
    """The table of orders; places: the row of each."""

    table: Table
    prices: Prices
    places: Mapping[Order, int]

    def cell(self, key: str, order: Order) -> Expr:
        """A cell of the order's row."""
        return self.table.cell(key, self.places[order])

    def listed(self, key: str, order: Order) -> Expr:
        """What Prices says of the offer that is ordered now; key: of a column there."""
        return self.prices.found(key, self.cell("offer_no", order))

    def listed_rate(self, order: Order) -> Expr:
        """The rate of that offer on today's list, $ per GPU-hour."""
        return self.prices.counted_rate(self.cell("offer_no", order))


def write_orders(
    book: Book, inputs: Inputs, named: Named, prices: Prices, commitment: Commitment, comparison: Comparison
) -> Orders:
    """Write them under the sums of the sheet."""
    above, orders = commitment.totals, inputs.advice.orders
    row = above.end_row + 1
    book.write(above.sheet, row, 0, "Orders of the next twelve months", "section")
    looks = {"offer_id": Look(style="muted"), "bought_gpus": Look(style="gpus")}
    looks |= dict.fromkeys(("start", "end"), Look(style="date"))
    watch = Watch("Orders", named_by=("pool", "gpu_model", "term_months"), values=True)
    fields = (*report_fields(ORDERS, looks=looks), *MONEY, *(TO_OWN if has_owned(prices.listed) else ()))
    table = Table(book, above.sheet, row + 1, len(orders), fields, watch=watch)
    put_rows(table, ORDERS, inputs.advice, _style_of_order)
    for place, order in enumerate(orders):
        _order(table, place, order, (inputs, named, prices, comparison))
    return Orders(table, prices, {order: place for place, order in enumerate(orders)})


def _style_of_order(name: str, row: OrderRow) -> str | None:
    """The name of the style in a pool's colour, of the cell that names the pool."""
    return f"pool_{row.order.pool}" if name == "pool" else None


_Sheets = tuple[Inputs, Named, Prices, Comparison]


def _order(table: Table, place: int, order: Order, sheets: _Sheets) -> None:
    """What is ordered and what it costs, over the cells of this book.

    GPUs, start and end are those of the list on Comparison, which the months are sums over.
    """
    inputs, named, prices, comparison = sheets
    own = prices.number_of(order.offer_id)
    assert own is not None  # it is ordered
    held = comparison.places.get(_hold_of(order, inputs))
    if held is not None and comparison.orders is not None:
        for key in ("start", "end"):
            table.put(key, place, comparison.orders.cell(key, held))
        mine, share = (comparison.orders.cell(key, held) for key in ("gpus", "share"))
        is_whole = isclose(mine.number, order.bought_gpus, rel_tol=1e-9)
        table.put("bought_gpus", place, mine if is_whole else share * order.bought_gpus)
    number = table.put("offer_no", place, own)
    table.put("offer_id", place, prices.found("offer_id", number))
    table.put("asked", place, order.gpu_model or "")
    hours = formula(
        "ROUND(({end}-{start})*24,6)", end=table.cell("end", place), start=table.cell("start", place)
    )
    level = table.put("price", place, _level(order, inputs, prices, comparison))
    listed = prices.counted_rate(number)
    given = {
        "bought_gpus": surely(table.cell("bought_gpus", place)),
        "rate": maybe(table.put("rate", place, _at_level(listed, level))),
        "upfront_per_gpu": surely(table.put("upfront_per_gpu", place, _upfront(prices, number))),
        "term_hours": surely(table.put("term_hours", place, hours)),
    }
    given["paid_hours"] = surely(lowest(named.hours_per_month, given["term_hours"].expression))
    missing = write_figures(table, place, ORDER, given, ["spread_rate", "cost_per_month"])
    assert not missing, missing
    if has_owned(prices.listed):
        given["capex_per_gpu"] = surely(table.put("capex_per_gpu", place, _capex(prices, number, level)))
        write_figures(table, place, ORDER, given, ["due_at_once"])


def _hold_of(order: Order, inputs: Inputs) -> HoldKey:
    """The row of the list on Comparison that an order is."""
    begin_s = inputs.parts[0].from_s
    return (order.pool, order.gpu_model), order.offer_id, order.start_s - begin_s, order.end_s - begin_s


def _level(order: Order, inputs: Inputs, prices: Prices, comparison: Comparison) -> Expr | float | None:
    """What it is signed at, as a share of the rate on the list today; None where the rate is not known.

    As the app has it where a lead lets what is signed for several months start together.
    """
    offer = next(offer for offer in prices.counted if offer.offer_id == order.offer_id)
    if order.rate is None or not offer.rate:
        return None
    app = order.rate / offer.rate
    month = (order.start_s - inputs.parts[0].from_s) // MONTH_S
    live = lift(price_when_signed(comparison.table, prices, offer, min(month, COMPARED_MONTHS - 1)))
    return live if isclose(live.number, app, rel_tol=1e-9) else app


def _at_level(rate: Expr, level: Expr) -> Expr:
    """The rate in the month of signature; the dash where there is none, for none is never free."""
    if not level.is_known:
        return UNKNOWN
    return when(call("N", rate) > 0, rate * level, DASH)


def _upfront(prices: Prices, number: Expr) -> Expr | float:
    """$ that are paid upfront for a GPU of the offer; none stated counts as none."""
    if not prices.has_upfront:
        return 0.0
    return call("N", prices.found(UPFRONT.key, number))


def _capex(prices: Prices, number: Expr, level: Expr) -> Expr:
    """$ to buy a GPU of the offer in the month in which it is bought; 0 of what is signed for."""
    listed = call("N", prices.found("capex_per_gpu", number))
    return listed * level if level.is_known else listed


SHEET: Final = "FOCUS"
_STYLES: Final = {
    "ContractCommitmentCost": "usd",
    "x_PricingCurrencyContractCommitmentCost": "usd",
    "ContractCommitmentQuantity": "hours",
    "x_Gpus": "gpus",
    "x_RateUsdPerGpuHour": "rate",
    "x_EgressUsdPerGb": "rate",
    "x_GpuMemoryGb": "hours",
    "x_MinTermMonths": "count",
    "x_TermMonths": "count",
}
WATCH: Final = Watch("FOCUS rows", named_by=("ContractCommitmentId",), values=True)
_WIDTHS: Final = {
    "ContractCommitmentDescription": 44,
    "ContractCommitmentId": 30,
    "ContractId": 42,
    "x_ServiceProviderName": 30,
    "x_OfferId": 24,
    "x_OrderBy": 22,
}
_LETTER: Final = 1.2
"""How wide a letter of a heading is: names of FOCUS have no spaces, and are never broken within a word."""


def write_focus_sheet(book: Book, inputs: Inputs, named: Named, orders: Orders) -> list[Check]:
    """Write the sheet, each row over its order on Commitment; what of it is checked against the CSV file."""
    billed = currency_from(inputs.project.currency, inputs.project.exchange)
    row = book.title(
        SHEET,
        "FOCUS",
        "The layers to buy as FOCUS 1.3 contract commitments, status Proposed. x_ columns are gpuplanner's own.",
        "The same rows as CSV: File > Export FOCUS rows, or export --focus. Times are UTC.",
        *_not_here(inputs),
    )
    fields = [
        Field(
            column, column, _STYLES.get(column, "text"), max(_WIDTHS.get(column, 14), _LETTER * len(column))
        )
        for column in FOCUS_COLUMNS
    ]
    commitments = proposed_commitments(inputs.advice, inputs.project.offers)
    table = Table(book, SHEET, row, len(commitments), fields, name="FocusRows", watch=WATCH)
    table.widen()
    book.sheets[SHEET].freeze_panes(table.first_row, 0)
    checks = []
    for place, one in enumerate(commitments):
        cells = focus_cells(one, billed)
        for column in FOCUS_COLUMNS:
            if column not in (*_COST, *_LIVE, _TYPE):
                cell = cells[column]
                table.put(column, place, "" if cell is None else cell)
        _put_type(table, place, one, orders, may_be_owned=has_owned(inputs.project.offers))
        _offered(table, place, str(cells["x_ContractCommitmentDurationType"]), one, orders)
        cost = _cost(table, place, one, orders, billed, named)
        app = DASH if one.cost_usd is None else one.cost_usd
        checks.append(Check("FOCUS rows as in the app, $", one.name, app, cost, CENT, "total"))
    return checks


def _put_type(
    table: Table, place: int, one: ProposedCommitment, orders: Orders, *, may_be_owned: bool
) -> None:
    """What is committed. may_be_owned: a price typed into the book may make GPUs to buy the cheapest of the term."""
    if not may_be_owned:
        table.put(_TYPE, place, RESERVATION)
        return
    category = orders.listed("category", one.order)
    words: Operands = {"category": category, "owned": str(PricingCategory.OWNED), "reservation": RESERVATION}
    table.put(_TYPE, place, formula('IF({category}={owned},"none: GPUs to buy",{reservation})', **words))


def _not_here(inputs: Inputs) -> list[str]:
    """That GPUs which are bought are no contract commitment; nothing where none is."""
    gpus = sum(order.bought_gpus for order in asked_for(inputs.advice.orders) if order.is_bought)
    if not gpus:
        return []
    return [
        f"The {gpus:g} GPUs to buy are in no row: what is owned is no contract commitment of a provider. In FOCUS a "
        "purchase is a charge (ChargeCategory Purchase) once it is invoiced. What is due for them stands on Advice."
    ]


_TYPE: Final = "ContractCommitmentType"
_COST: Final = ("ContractCommitmentCost", "x_PricingCurrencyContractCommitmentCost")
_LISTED: Final = {
    "x_ServiceProviderName": "provider",
    "x_GpuMemoryGb": "memory",
    "x_GpuModel": "gpu_model",
    "x_Interconnect": "interconnect",
    "x_OfferId": "offer_id",
    "x_Region": "region",
}
"""Columns of Prices that a row shows as they are."""
_LIVE: Final = frozenset(_LISTED) | {
    "ContractCommitmentDescription",
    "ContractCommitmentId",
    "ContractCommitmentQuantity",
    "ContractId",
    "x_BareMetal",
    "x_EgressUsdPerGb",
    "x_Gpus",
    "x_MinTermMonths",
    "x_RateUsdPerGpuHour",
}
"""Columns of formulas; the others are the app's."""


def _offered(table: Table, place: int, months: str, one: ProposedCommitment, orders: Orders) -> None:
    """What Prices says of the offer that is ordered, and the words that it is in. months: its term, in words."""

    def put(column: str, template: str, **operands: Operand) -> Expr:
        """A formula of words."""
        return table.put(column, place, formula(template, **operands))

    found = {
        column: put(
            column, 'IF({listed}={dash},"",{listed})', listed=orders.listed(key, one.order), dash=DASH
        )
        for column, key in _LISTED.items()
    }
    put("x_MinTermMonths", 'IF(N({least})>0,{least},"")', least=orders.listed("min_term", one.order))
    is_bare = 'IF({bare}="yes","true",IF({bare}="no","false",""))'
    put("x_BareMetal", is_bare, bare=orders.listed("bare_metal", one.order))
    provider = found["x_ServiceProviderName"]
    put("ContractId", '"proposed-"&IF({provider}="","provider",{provider})', provider=provider)
    begin = one.name.removesuffix(one.order.offer_id)
    put("ContractCommitmentId", "{begin}&{offer_id}", begin=begin, offer_id=found["x_OfferId"])
    gpus = table.put("x_Gpus", place, orders.cell("bought_gpus", one.order))
    described = 'ROUND({gpus},5-INT(LOG10(MAX({gpus},1E-6))))&" "&{model}&{rest}'
    rest = f" for {months}, {one.order.pool} pool"
    put("ContractCommitmentDescription", described, gpus=gpus, model=found["x_GpuModel"], rest=rest)


def _cost(
    table: Table, place: int, one: ProposedCommitment, orders: Orders, billed: Currency, named: Named
) -> Expr:
    """What it costs over its period, what is paid upfront in it, and the same in US dollars."""
    rate, egress = orders.cell("rate", one.order), orders.listed("egress", one.order)
    hours = _hours(table, place, one.hours)
    gpus = table.cell("x_Gpus", place)
    table.put("ContractCommitmentQuantity", place, gpus * hours)
    given = {
        "bought_gpus": surely(gpus),
        "term_hours": surely(hours),
        "rate": maybe(rate),
        "upfront_per_gpu": surely(orders.cell("upfront_per_gpu", one.order)),
    }
    cost = table.put("ContractCommitmentCost", place, ORDER.value("liability", given).live)
    in_dollars = named.dollars.get(billed.code)  # none: amounts are US dollars, or in those they are unknown
    for column, amount in (("x_RateUsdPerGpuHour", rate), (_COST[1], cost)):
        if billed == DOLLARS:
            table.put(column, place, amount)
        else:
            table.put(column, place, None if in_dollars is None else known([amount], amount * in_dollars))
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
