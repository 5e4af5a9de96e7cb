"""Quotes: what vendors answered beside the plan's own rates; the cheapest of each row and what it changes."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.kit.book import Book, Field, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, known, when
from gpuplanner.files.workbook.kit.looks import GREEN
from gpuplanner.files.workbook.kit.monthly_costs import cost_per_month
from gpuplanner.files.workbook.plan import request_columns as names
from gpuplanner.files.workbook.plan.request_sheet import Request, quote_key

SHEET: Final = "Quotes"

FIELDS: Final = (
    Field("request", "Request", width=10),
    Field("pool", "Pool", width=12),
    Field("gpu_model", "GPU model", width=14),
    Field("gpus", "GPUs", "gpus", 9),
    Field("term", LAYER["term_months"].heading(", "), "count", 8),
    Field(
        "plan_rate",
        "Plan's rate, $ per GPU-h",
        "rate",
        10,
        "Of the offer the row was planned with, on Prices.",
    ),
    Field("plan_usd", "Plan, $ per month", "usd", 12),
    *(
        Field(
            f"rate{vendor}",
            f"Vendor {vendor + 1}, $ per GPU-h",
            "rate",
            11,
            "A rate above 0, from a vendor that has all the GPUs. A dash: quote needed.",
        )
        for vendor in range(names.VENDORS)
    ),
    Field("best_rate", "Cheapest, $ per GPU-h", "rate", 11),
    Field("best", "From", width=18),
    Field("best_usd", "Cheapest, $ per month", "usd", 12),
    Field("change", "Against the plan, $ per month", "change", 13, "Below 0: the quote is cheaper."),
    Field("ratio", "Against the plan", "ratio", 10),
)


def write_quotes(book: Book, named: Named, prices: Prices, request: Request) -> None:
    """Write the sheet: all formulas over Request for quote and Prices."""
    row = book.title(
        SHEET,
        "Quotes",
        "Fill Request for quote: the cheapest quote of each row follows here, beside the rate the plan counts with.",
        "Rates of the plan are those of Prices. At other prices other layers may pay: import the quotes in the app.",
    )
    book.write(SHEET, row, 0, "Vendors", "strong")
    table = Table(book, SHEET, row + 2, len(request.rows), FIELDS)
    table.widen()
    book.sheets[SHEET].freeze_panes(table.first_row, 3)
    for vendor, cell in enumerate(request.vendors):
        shown = Expr(f'IF({cell.text}="","Vendor {vendor + 1}",{cell.text})', f"Vendor {vendor + 1}", True)
        book.write(SHEET, row, table.column_of(f"rate{vendor}"), shown, "strong")
    heads = [
        Expr(f"{SHEET}!${_letters(table, vendor)}${row + 1}", f"Vendor {vendor + 1}", True)
        for vendor in range(names.VENDORS)
    ]
    for place, each in enumerate(request.rows):
        for key in ("request", "pool", "gpu_model", "gpus", "term"):
            cell = request.table.cell(key, place)
            style = f"pool_{each.order.pool}.indent" if key == "pool" else None
            table.put(key, place, Expr(cell.text, cell.value, True), style)
        plan_rate = prices.offer_named(each.offer_place)
        rate = table.put("plan_rate", place, known([plan_rate], Expr(plan_rate.text, plan_rate.value, True)))
        gpus, hours = table.cell("gpus", place), named.hours_per_month
        plan = table.put("plan_usd", place, cost_per_month(gpus, rate, hours))
        _answers(table, place, request, heads)
        best = table.cell("best_rate", place)
        best_usd = table.put("best_usd", place, cost_per_month(gpus, best, hours))
        change = table.put("change", place, known([plan, best_usd], best_usd - plan))
        table.put("ratio", place, known([change, plan], change / plan))
    _sums(book, table)


def _letters(table: Table, vendor: int) -> str:
    """The letters of the column of a vendor's rates."""
    return table.range(f"rate{vendor}").area.split("!$")[1].split("$")[0]


def _answers(table: Table, place: int, request: Request, heads: Sequence[Expr]) -> None:
    """Each vendor's rate where it counts, the lowest of them and whose it is; nothing is filled at the export."""
    gpus = table.cell("gpus", place)
    for vendor in range(names.VENDORS):
        rate, most = (
            request.table.cell(quote_key(vendor, column), place).text for column in (names.RATE, names.MOST)
        )
        counts = f"AND(N({rate})>0,OR(N({most})=0,N({most})>={gpus.text}))"
        table.put(f"rate{vendor}", place, Expr(f'IF({counts},{rate},"{DASH}")', DASH, True))
    rates = [table.cell(f"rate{vendor}", place) for vendor in range(names.VENDORS)]
    row = f"{rates[0].text}:{rates[-1].text.split('!')[1]}"
    found = call("COUNT", 0.0, row) > 0
    table.put("best_rate", place, when(found, Expr(f"MIN({row})", DASH, True), DASH))
    best = table.cell("best_rate", place)
    vendors = f"{heads[0].text}:{heads[-1].text.split('!')[1]}"
    whose = Expr(f"INDEX({vendors},MATCH({best.text},{row},0))", DASH, True)
    table.put("best", place, when(found, whose, "quote needed"))


def _sums(book: Book, table: Table) -> None:
    """What the quoted rows come to, and how many are quoted."""
    row = table.end_row
    column = {key: table.column_of(key) for key in ("plan_usd", "best_usd", "change", "best")}
    book.write(SHEET, row, 0, "Rows with a quote", "total")
    for between in range(1, column["change"] + 1):
        book.write(SHEET, row, between, "", "total")
    best, plan = table.range("best_usd"), table.range("plan_usd")
    quoted = call("SUMPRODUCT", 0.0, f"ISNUMBER({best.text})*1", plan)
    plan_sum = book.write(SHEET, row, column["plan_usd"], quoted, "usd.total")
    best_sum = book.write(SHEET, row, column["best_usd"], best.sum(), "usd.total")
    book.write(SHEET, row, column["change"], best_sum - plan_sum, "change.total")
    count = Expr(f'COUNT({best.text})&" of {table.size} quoted"', f"0 of {table.size} quoted", True)
    book.write(SHEET, row, column["best"], count, "total")
    look = book.workbook.add_format({"font_color": GREEN, "bold": True})
    if table.size:
        first, last = table.column_of("rate0"), table.column_of(f"rate{names.VENDORS - 1}")
        best_letters = table.range("best_rate").area.split("!$")[1].split("$")[0]
        first_letters = _letters(table, 0)
        book.sheets[SHEET].conditional_format(
            table.first_row,
            first,
            table.end_row - 1,
            last,
            {
                "type": "formula",
                "criteria": f"=AND(ISNUMBER({first_letters}{table.first_row + 1}),"
                f"{first_letters}{table.first_row + 1}=${best_letters}{table.first_row + 1})",
                "format": look,
            },
        )
