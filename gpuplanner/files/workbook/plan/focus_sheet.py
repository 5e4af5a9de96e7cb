"""FOCUS: the layers to buy as FOCUS 1.3 contract commitments; quantities and costs follow from their GPUs."""

from typing import Final

from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, currency_from
from gpuplanner.domain.model.book.owned import has_owned
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.files.export.focus_rows import (
    COLUMNS,
    RESERVATION,
    ProposedCommitment,
    focus_cells,
    proposed_commitments,
)
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Value, copy_of, known
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import maybe, surely
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.order_rows import Orders

SHEET: Final = "FOCUS"
_STYLES: Final = {
    "ContractCommitmentCost": "usd",
    "PricingCurrencyContractCommitmentCost": "usd",
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
    "ServiceProviderName": 30,
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
        for column in COLUMNS
    ]
    commitments = proposed_commitments(inputs.advice, inputs.project.offers)
    table = Table(book, SHEET, row, len(commitments), fields, name="FocusRows", watch=WATCH)
    table.widen()
    book.sheets[SHEET].freeze_panes(table.first_row, 0)
    checks = []
    for place, one in enumerate(commitments):
        cells = focus_cells(one, billed)
        for column in COLUMNS:
            if column not in (*_COST, *_LIVE, _TYPE):
                cell = cells[column]
                table.put(column, place, "" if cell is None else cell)
        _put_type(table, place, one, orders, may_be_owned=has_owned(inputs.project.offers))
        _offered(table, place, str(cells["ContractCommitmentDurationType"]), one, orders)
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
    said = f'IF({category.text}="{PricingCategory.OWNED}","none: GPUs to buy","{RESERVATION}")'
    table.put(_TYPE, place, Expr(said, RESERVATION, True))


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
_COST: Final = ("ContractCommitmentCost", "PricingCurrencyContractCommitmentCost")
_LISTED: Final = {
    "ServiceProviderName": "provider",
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

    def put(column: str, text: str, value: Value) -> Expr:
        """A formula of words."""
        return table.put(column, place, Expr(text, value, True))

    found = {}
    for column, key in _LISTED.items():
        listed = orders.listed(key, one.order)
        value = "" if listed.value == DASH else listed.value
        found[column] = put(column, f'IF({listed.text}="{DASH}","",{listed.text})', value)
    least = orders.listed("min_term", one.order)
    put("x_MinTermMonths", f'IF(N({least.text})>0,{least.text},"")', least.value or "")
    bare = orders.listed("bare_metal", one.order)
    is_bare = {"yes": "true", "no": "false"}.get(str(bare.value), "")
    put("x_BareMetal", f'IF({bare.text}="yes","true",IF({bare.text}="no","false",""))', is_bare)
    provider, offer_id = found["ServiceProviderName"], found["x_OfferId"]
    whose = f'"proposed-"&IF({provider.text}="","provider",{provider.text})'
    put("ContractId", whose, f"proposed-{provider.value or 'provider'}")
    begin = one.name.removesuffix(one.order.offer_id)
    put("ContractCommitmentId", f'"{begin}"&{offer_id.text}', f"{begin}{offer_id.value}")
    gpus, model = (
        table.put("x_Gpus", place, copy_of(orders.cell("bought_gpus", one.order))),
        found["x_GpuModel"],
    )
    rest = f" for {months}, {one.order.pool} pool"
    said = f"ROUND({gpus.text},5-INT(LOG10(MAX({gpus.text},1E-6))))"
    words = f"{gpus.number:g} {model.value}{rest}"
    put("ContractCommitmentDescription", f'{said}&" "&{model.text}&"{rest}"', words)


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
            table.put(column, place, copy_of(amount))
        else:
            table.put(column, place, None if in_dollars is None else known([amount], amount * in_dollars))
    is_told = billed == DOLLARS or in_dollars is not None
    sent = egress if billed == DOLLARS or in_dollars is None else egress * in_dollars
    shown = f'IF(ISNUMBER({egress.text}),{sent.text},"")'
    is_there = is_told and egress.is_known
    table.put("x_EgressUsdPerGb", place, Expr(shown, sent.value if is_there else "", True) if is_told else "")
    return cost


def _hours(table: Table, place: int, hours: float) -> Expr:
    """Hours of a row's period, from its two days as they are written; 0 where it has no end."""
    starts, ends = (table.cell(f"ContractCommitmentPeriod{edge}", place) for edge in ("Start", "End"))
    if not hours:
        return Expr("0", 0.0, True)

    def days(at: Expr) -> str:
        """The spreadsheet's day number of a moment in ISO."""
        return f"DATEVALUE(LEFT({at.text},10))+TIMEVALUE(MID({at.text},12,8))"

    return Expr(f"ROUND(({days(ends)}-({days(starts)}))*24,6)", hours, True)
