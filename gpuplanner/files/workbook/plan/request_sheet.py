"""Request for quote: one row for each layer to buy, with empty columns for what several vendors answer."""

from dataclasses import dataclass
from datetime import date
from math import isclose
from typing import Final

from gpuplanner.domain.commitment.plan.orders import as_they_fall_due, asked_for
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Field, Table, day_number
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.plan import request_columns as names
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment


# What is to be bought: the orders of the next twelve months, each with the offer it was advised on.
@dataclass(frozen=True, slots=True)
class RequestRow:
    """One layer to buy. name: R1, R2 ... in the order of order_by; offer: what it was advised on, with its place."""

    name: str
    order: Order
    offer: Offer
    offer_place: int


def request_rows(inputs: Inputs) -> tuple[RequestRow, ...]:
    """The orders, what must be ordered first coming first."""
    places = {offer.offer_id: place for place, offer in enumerate(inputs.project.offers)}
    orders = as_they_fall_due(order for order in asked_for(inputs.advice.orders) if order.offer_id in places)
    return tuple(
        RequestRow(f"R{number}", order, inputs.project.offers[places[order.offer_id]], places[order.offer_id])
        for number, order in enumerate(orders, 1)
    )


def _ordered(row: RequestRow) -> float:
    """GPUs of the offer's own model."""
    return row.order.bought_gpus


def gpus_of(row: RequestRow, inputs: Inputs, commitment: Commitment) -> Expr | float:
    """GPUs to buy: of an order for now the layers of Commitment that it stands for, else as the app says."""
    if row.order.month:
        return _ordered(row)
    pair_row = inputs.pairs.index((row.order.pool, row.order.gpu_model)) + 1
    layers = commitment.layers
    is_mapped = row.order.gpu_model not in (None, row.offer.gpu_model)
    cells = [
        layers.cell("paid", place) / layers.cell("worth", place) if is_mapped else layers.cell("gpus", place)
        for place in range(layers.size)
        if layers.cell("kind", place).value == COMMITTED
        and layers.cell("pool_row", place).value == pair_row
        and layers.cell("term_months", place).value == row.order.term_months
        and layers.cell("offer_id", place).value == row.order.offer_id
    ]
    total = sum(cell.number for cell in cells)
    if not cells or not isclose(total, _ordered(row), rel_tol=1e-9):
        return _ordered(row)
    return Expr("+".join(cell.text for cell in cells), total, len(cells) == 1)


SHEET: Final = names.SHEET
SLA_PERCENT: Final = 99.9
"""What a request asks for: the SLA of the defaults' bare metal; the buyer may write another."""
FIRST_DAY: Final = date(2000, 1, 1)
LAST_DAY: Final = date(2199, 12, 31)

REQUEST_FIELDS: Final = (
    Field("request", names.REQUEST, width=9),
    Field("pool", "Pool", width=11),
    Field("gpu_model", names.MODEL, width=13),
    Field("gpus", names.GPUS, "gpus", 9),
    Field("term", names.TERM, "count", 8),
    Field("start", "Start (UTC)", "date", 12),
    Field("order_by", "Order by (UTC)", "date", 12),
    Field(
        "region", names.REGION, "text.input", 14, "As of the offer it was planned with; write what you need."
    ),
    Field("interconnect", names.INTERCONNECT, "text.input", 12),
    Field("memory", names.MEMORY, "hours.input", 10, "At least."),
    Field("bare_metal", names.BARE_METAL, "text.input", 9),
    Field("sla", names.SLA, "percent.input", 9, "At least."),
)
_STYLES: Final = {
    names.RATE: ("rate.input", 10),
    names.MOST: ("hours.input", 8),
    names.LEAD: ("hours.input", 9),
    names.EGRESS: ("rate.input", 9),
    names.OFFERED_SLA: ("percent.input", 9),
    names.REMARK: ("text.input", 18),
}
_INTERCONNECTS: Final = ("any", "infiniband", "nvlink", "roce_400", "roce", "ethernet")


@dataclass(frozen=True, slots=True)
class Request:
    """The sheet's table, its rows, and the vendors' names as cells."""

    table: Table
    rows: tuple[RequestRow, ...]
    vendors: tuple[Expr, ...]


def quote_key(vendor: int, column: str) -> str:
    """The table's key of a vendor's column."""
    return f"{vendor} {column}"


def write_request(book: Book, inputs: Inputs, commitment: Commitment) -> Request:
    """Write the sheet. What vendors fill is empty; the plan's own rates stand on Quotes, not here."""
    rows = request_rows(inputs)
    row = book.title(
        SHEET,
        "Request for quote",
        (
            "One row for each layer to buy in the next twelve months. Yellow cells are to be filled: first what you "
            "need, then what vendors answer. A price that is not known stays empty: it is a quote needed."
        ),
        "Import the filled book in the app, or give it as --prices: each quote becomes an offer of its vendor and day.",
    )
    fields = (
        *REQUEST_FIELDS,
        *(
            Field(quote_key(vendor, column), names.quote_heading(vendor, column), *_STYLES[column])
            for vendor in range(names.VENDORS)
            for column in names.QUOTE_COLUMNS
        ),
    )
    table = Table(book, SHEET, row + 3, len(rows), fields, name="RequestRows")
    table.widen()
    book.sheets[SHEET].set_row(row + 3, 44)
    book.sheets[SHEET].freeze_panes(table.first_row, 3)
    book.sheets[SHEET].repeat_rows(row, table.first_row - 1)
    book.sheets[SHEET].repeat_columns(0, 2)
    book.sheets[SHEET].fit_to_pages(0, 0)
    book.sheets[SHEET].set_print_scale(60)
    vendors = _vendor_cells(book, table, row)
    for place, each in enumerate(rows):
        _row(table, place, each, gpus_of(each, inputs, commitment))
    if rows:
        _validate(book, table)
    return Request(table, rows, vendors)


def _vendor_cells(book: Book, table: Table, row: int) -> tuple[Expr, ...]:
    """The rows above the headings: each vendor's name, and when it quoted."""
    book.write(SHEET, row, 0, names.VENDOR_LABEL, "strong")
    book.write(SHEET, row + 1, 0, names.DATE_LABEL, "strong")
    cells = []
    for vendor in range(names.VENDORS):
        column = table.column_of(quote_key(vendor, names.RATE))
        cell = book.write(SHEET, row, column, "", "strong.input")
        cells.append(Expr(cell.text, "", True))
        book.write(SHEET, row + 1, column, "", "date.input")
        book.sheets[SHEET].data_validation(
            row + 1,
            column,
            row + 1,
            column,
            {
                "validate": "date",
                "criteria": "between",
                "minimum": FIRST_DAY,
                "maximum": LAST_DAY,
                "error_title": names.DATE_LABEL,
                "error_message": "Enter the day of the quote.",
            },
        )
    return tuple(cells)


def _row(table: Table, place: int, each: RequestRow, gpus: Expr | float) -> None:
    """Writes what is asked for, and leaves the vendors' columns empty."""
    order, offer = each.order, each.offer
    table.put("request", place, each.name)
    table.put("pool", place, pool_words(order.pool), f"pool_{order.pool}.indent")
    table.put("gpu_model", place, model_words(offer.gpu_model))
    table.put("gpus", place, gpus)
    table.put("term", place, order.term_months)
    table.put("start", place, day_number(order.start_s))
    table.put("order_by", place, day_number(order.order_by_s))
    table.put("region", place, offer.region or names.ANY)
    table.put("interconnect", place, offer.interconnect or names.ANY)
    table.put("memory", place, offer.gpu_memory_gb or "")
    needs_metal = order.pool is Pool.TRAINING and offer.bare_metal is not None
    words = names.ANY if offer.bare_metal is None else "yes" if offer.bare_metal else "no"
    table.put("bare_metal", place, words if needs_metal or offer.bare_metal else names.ANY)
    table.put("sla", place, SLA_PERCENT)
    for vendor in range(names.VENDORS):
        for column in names.QUOTE_COLUMNS:
            table.put(quote_key(vendor, column), place, "")


def _validate(book: Book, table: Table) -> None:
    """Sets what the cells take that vendors may change."""
    sheet, first, last = book.sheets[SHEET], table.first_row, table.end_row - 1

    def validate(key: str, rule: dict[str, object]) -> None:
        """Sets a rule on a whole column of the requests."""
        column = table.column_of(key)
        sheet.data_validation(first, column, last, column, rule)

    validate("interconnect", {"validate": "list", "source": list(_INTERCONNECTS)})
    validate("bare_metal", {"validate": "list", "source": [names.ANY, "yes", "no"]})
    for vendor in range(names.VENDORS):
        for column in names.QUOTE_COLUMNS:
            if column == names.REMARK:
                continue
            validate(
                quote_key(vendor, column),
                {
                    "validate": "decimal",
                    "criteria": ">=",
                    "value": 0,
                    "ignore_blank": True,
                    "error_type": "warning",
                    "error_title": column,
                    "error_message": "Enter a number, or leave it empty where it is not known yet.",
                },
            )
