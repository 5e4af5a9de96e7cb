"""FOCUS: the layers to buy as FOCUS 1.3 contract commitments; quantities and costs follow from the request's GPUs."""

from typing import Final

from gpuplanner.domain.model.book.exchange import DOLLARS, currency_from
from gpuplanner.files.export.focus_rows import COLUMNS, focus_cells, proposed_commitments
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Field, Table
from gpuplanner.files.workbook.kit.expressions import Expr, known
from gpuplanner.files.workbook.plan.request_sheet import Request

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
_WIDTHS: Final = {"ContractCommitmentDescription": 44, "ContractCommitmentId": 30, "ServiceProviderName": 22}


def write_focus_sheet(book: Book, inputs: Inputs, named: Named, prices: Prices, request: Request) -> None:
    """Write the sheet; its rows are those of Request for quote."""
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
    table = Table(book, SHEET, row, len(commitments), fields, name="FocusRows")
    table.widen()
    book.sheets[SHEET].freeze_panes(table.first_row, 0)
    book.sheets[SHEET].repeat_rows(row)
    book.sheets[SHEET].fit_to_pages(0, 0)
    book.sheets[SHEET].set_print_scale(60)
    for place, (one, asked) in enumerate(zip(commitments, request.rows, strict=True)):
        cells = focus_cells(one, billed)
        gpus, rate = request.table.cell("gpus", place), prices.offer_named(asked.offer_place)
        hours = f"{one.hours:g}" if one.hours == int(one.hours) else repr(one.hours)
        for column in COLUMNS:
            if column not in ("ContractCommitmentCost", "PricingCurrencyContractCommitmentCost"):
                cell = cells[column]
                table.put(column, place, "" if cell is None else cell)
        shown = table.put("x_Gpus", place, Expr(gpus.text, gpus.value, True))
        quantity = table.put("ContractCommitmentQuantity", place, Expr(f"{shown.text}*{hours}", one.quantity))
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
