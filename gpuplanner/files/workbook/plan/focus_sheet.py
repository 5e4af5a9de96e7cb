"""FOCUS: the layers to buy as FOCUS 1.3 contract commitments; quantities and costs follow from their GPUs."""

from typing import Final

from gpuplanner.domain.model.book.exchange import DOLLARS, currency_from
from gpuplanner.files.export.focus_rows import COLUMNS, focus_cells, proposed_commitments
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Field, Table
from gpuplanner.files.workbook.kit.expressions import Expr, known
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.order_gpus import gpus_of

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
_WIDTHS: Final = {"ContractCommitmentDescription": 44, "ContractCommitmentId": 30, "ServiceProviderName": 22}


def write_focus_sheet(
    book: Book, inputs: Inputs, named: Named, prices: Prices, commitment: Commitment
) -> None:
    """Write the sheet; GPUs of what is signed now are those of Commitment's layers."""
    billed = currency_from(inputs.project.currency, inputs.project.exchange)
    rate_of = named.dollars.get(billed.code)  # none: amounts are US dollars, or in those they are unknown
    row = book.title(
        SHEET,
        "FOCUS",
        "The layers to buy as FOCUS 1.3 contract commitments, status Proposed. x_ columns are gpuplanner's own.",
        "The same rows as CSV: File > Export FOCUS rows, or export --focus. Times are UTC.",
    )
    fields = [
        Field(column, column, _STYLES.get(column, "text"), _WIDTHS.get(column, 21)) for column in COLUMNS
    ]
    commitments = proposed_commitments(inputs.advice, inputs.project.offers)
    table = Table(book, SHEET, row, len(commitments), fields, name="FocusRows", watch=WATCH)
    table.widen()
    book.sheets[SHEET].freeze_panes(table.first_row, 0)
    book.sheets[SHEET].set_print_scale(60)
    places = {offer.offer_id: place for place, offer in enumerate(inputs.project.offers)}
    for place, one in enumerate(commitments):
        cells = focus_cells(one, billed)
        rate = prices.offer_named(places[one.offer.offer_id])
        for column in COLUMNS:
            if column not in ("ContractCommitmentCost", "PricingCurrencyContractCommitmentCost"):
                cell = cells[column]
                table.put(column, place, "" if cell is None else cell)
        shown = table.put("x_Gpus", place, gpus_of(one.order, inputs, prices, commitment))
        hours = _hours(table, place, one.hours)
        quantity = table.put("ContractCommitmentQuantity", place, shown * hours)
        if billed == DOLLARS:
            known_rate = table.put(
                "x_RateUsdPerGpuHour", place, known([rate], Expr(rate.text, rate.value, True))
            )
            cost = table.put("ContractCommitmentCost", place, known([known_rate], quantity * known_rate))
            table.put("PricingCurrencyContractCommitmentCost", place, Expr(cost.text, cost.value, True))
            continue
        cost = table.put("ContractCommitmentCost", place, known([rate], quantity * rate))
        for column, amount in (
            ("x_RateUsdPerGpuHour", rate),
            ("PricingCurrencyContractCommitmentCost", cost),
        ):
            table.put(column, place, None if rate_of is None else known([amount], amount * rate_of))


def _hours(table: Table, place: int, hours: float) -> Expr:
    """Hours of a row's period, from its two days as they are written; 0 where it has no end."""
    starts, ends = (table.cell(f"ContractCommitmentPeriod{edge}", place) for edge in ("Start", "End"))
    if not hours:
        return Expr("0", 0.0, True)

    def days(at: Expr) -> str:
        """The spreadsheet's day number of a moment in ISO."""
        return f"DATEVALUE(LEFT({at.text},10))+TIMEVALUE(MID({at.text},12,8))"

    return Expr(f"ROUND(({days(ends)}-({days(starts)}))*24,6)", hours, True)
