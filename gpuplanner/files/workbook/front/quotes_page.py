"""Quotes: a row for each request with what vendors quote, the cheapest of it, and what it is below the plan."""

from collections.abc import Iterator, Sequence
from typing import Final

from gpuplanner.domain.commitment.asked_rows import AskedRow, usual_days
from gpuplanner.domain.commitment.numbers import order_numbers
from gpuplanner.domain.commitment.result import NO_PROVIDER, vendors
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.intake import issued_on
from gpuplanner.domain.model.window import DAY_S, instant_s
from gpuplanner.files.workbook.front.pages import Fronts, iso_words, listed, money, sentence
from gpuplanner.files.workbook.inputs.sheet_inputs import model_words
from gpuplanner.files.workbook.kit.book import AsWritten, Content, Table
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, formula, known, when
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.front_page import DUE_DAYS, WIDEST, FrontPage
from gpuplanner.files.workbook.kit.looks import Field
from gpuplanner.files.workbook.kit.sheets import QUOTES as SHEET
from gpuplanner.files.workbook.plan.quotes_sheet import FIRM, VENDOR_COLUMNS, QuoteCells, is_answered, term_of
from gpuplanner.lazy_dataclass import replace

FIELDS: Final = fields_of("front.quotes")
VENDOR: Final = "vendor"
"""The column of the table that stands for the columns of the vendors."""
OTHER: Final = "other"
NAME_WIDTH: Final = 14.0
"""Characters of a vendor's column, where the page has them."""
COPIED: Final = ("gpus", "plan_rate", "on_demand", "best_rate", "best_usd", "below")
"""Columns that are references; of the GPUs asked for, in whole nodes."""
NONE_YET: Final = "No quote yet"
UNCLEAR: Final = "Needs clarification"
EXPIRES: Final = "Expires"


def write_quotes_page(fronts: Fronts, cells: QuoteCells) -> None:
    """Write the sheet."""
    names = _vendor_names(cells)
    fields = list(_fields(names))
    page = FrontPage(fronts.book, fronts.form, SHEET, [field.width for field in fields])
    row = page.title(_finding(fronts, cells), _sentence(fronts, cells))
    table = Table(book=fronts.book, sheet=SHEET, row=row + 1, size=len(cells.rows), fields=fields)
    _put_groups(page, table, row, names)
    page.book.sheets[SHEET].freeze_panes(table.first_row, 1)
    for place, asked in enumerate(cells.rows):
        _put_row(fronts, table, place, asked, cells, names)
        texts = [(str(table.cell(key, place).value), key) for key in ("gpu_model", "term", "status")]
        page.fit(
            table.first_row + place,
            [(text, table.fields[table.column_of(key)].width, False) for text, key in texts],
        )
    if cells.rows:
        page.mark_words(table.area("status", "status"), (NONE_YET, UNCLEAR, EXPIRES))
        _put_sums(fronts, page, table, cells)
    last = table.end_row + 2
    for words in _notes(fronts):
        page.across(last, 0, page.last, words, "front_note")
        last += 1
    page.finish(last - 1, repeated_row=table.first_row - 1)


def _vendor_names(cells: QuoteCells) -> tuple[str, ...]:
    """Return the vendors with a column: those that quoted, the cheapest first, then those the plan orders from."""
    orders = (row.orders for row in cells.rows)
    planned = (str(vendors((row_orders[0],))) for row_orders in orders)
    named = dict.fromkeys(name for name in (*cells.vendors, *planned) if name != str(NO_PROVIDER))
    return tuple(named)[:VENDOR_COLUMNS]


def _fields(names: Sequence[str]) -> Iterator[Field]:
    """Return the columns, with one for each vendor, as wide as the page allows.

    Without a vendor the next column has its room: what the columns have in common stands above them.
    """
    others = sum(field.width for field in FIELDS if field.key != VENDOR)
    for field in FIELDS:
        if field.key == VENDOR:
            width = min(NAME_WIDTH, (WIDEST - others) / max(1, len(names)))
            for place, name in enumerate(names):
                yield replace(field, key=f"{VENDOR}{place}", heading=name, width=width)
        elif field.key == OTHER and not names:
            yield replace(field, width=field.width + NAME_WIDTH)
        else:
            yield field


def _put_groups(page: FrontPage, table: Table, row: int, names: Sequence[str]) -> None:
    """Write what columns have in common above their headings."""
    quoted = table.column_of(f"{VENDOR}0" if names else OTHER)
    plan, by_use, best = (table.column_of(key) for key in ("plan_rate", "on_demand", "best_rate"))
    page.span(row, plan, by_use, "Compare with", "front_group")
    page.span(row, quoted, best, page.book.in_currency("Quoted, $ per GPU-h, all in"), "front_group")


def _put_row(
    fronts: Fronts, table: Table, place: int, asked: AskedRow, cells: QuoteCells, names: Sequence[str]
) -> None:
    """Write one request."""
    source = cells.asked
    name = source.cell("request", place)
    table.put("request", place, f"{asked.name} option" if asked.is_option else asked.name)
    table.fill(place, gpu_model=model_words(asked.gpu_model), term=term_of(asked))
    table.put("starts", place, float(int(day_number(asked.start_s))))
    for key in COPIED:
        cell = source.cell("asked" if key == "gpus" else key, place)
        table.put(key, place, known([cell], cell))
    for column in range(len(names)):
        has_quoted = column < len(cells.vendors)
        table.put(
            f"{VENDOR}{column}", place, _cheapest_of(cells.answers, name, column + 1) if has_quoted else None
        )
    table.put(OTHER, place, _cheapest_of(cells.answers, name, VENDOR_COLUMNS + 1))
    table.put("status", place, _status(fronts, place, cells))


def _cheapest_of(answers: Table, name: Expr, column: int) -> Expr:
    """Return the cheapest rate of the vendors of a column for a request, whether it qualifies or not."""
    conditions = (answers.range("request"), name, answers.range("column"), column)
    rates = answers.range("rate")
    return when(
        call("COUNTIFS", *conditions, rates, ">0") > 0, call("_xlfn.MINIFS", rates, *conditions), DASH
    )


def _status(fronts: Fronts, place: int, cells: QuoteCells) -> Content:
    """Return where a request stands: quotes that count, and the first of them that expires soon."""
    came, count = cells.asked.cell("came", place), cells.asked.cell("quotes", place)
    until = fronts.inputs.generated_at_s + DUE_DAYS * DAY_S
    offers = [quote.offer for quote in cells.quotes if quote.row == place and not quote.never]
    soon = [day for offer in offers if (day := offer.valid_until) and instant_s(day[:10]) <= until]
    counted = formula('{count}&IF({count}=1," quote"," quotes")', count=count)
    quoted = f"{EXPIRES} {iso_words(min(soon))}" if soon else counted
    return when(count > 0, quoted, when(came > 0, UNCLEAR, NONE_YET))


def _put_sums(fronts: Fronts, page: FrontPage, table: Table, cells: QuoteCells) -> None:
    """Write how much of the plan is quoted, and what the best quotes come to."""
    for field in table.fields:
        table.put_below(field.key, "", "front.front_total")
    quoted, whole = (money(fronts.book, cells.sums[key]) for key in ("plan_usd", "whole"))
    words = sentence("Quoted so far: ", quoted, " of ", whole)
    page.span(table.end_row, 0, table.column_of(OTHER), words, "front_total.left")
    for key in ("best_usd", "below"):
        is_quoted = call("COUNT", cells.asked.range("best_rate")) > 0
        table.put_below(key, when(is_quoted, cells.sums[key], DASH), "front.front_total.whole")


def _finding(fronts: Fronts, cells: QuoteCells) -> Content:
    """Return how many requests have a quote, and when replies are due."""
    firm = sum(not row.is_option for row in cells.rows)
    if not cells.rows:
        return "Quotes: nothing to ask for"
    came = call("COUNTIFS", cells.asked.range("came"), ">0", cells.asked.range("need"), FIRM)
    days = fronts.inputs.project.request_days or usual_days(fronts.inputs.generated_at_s)
    due = f"replies due {written_date(days.reply_by_s)}"
    is_dated = fronts.numbered.approval.seen.is_dated
    how = f", {due}" if is_answered(fronts.inputs) else f"; if sent today, {due}"
    still_due = when(came < firm, how, "") if is_dated else ""
    return sentence("Quotes: ", came, f" of {firm} requests quoted", still_due)


def _sentence(fronts: Fronts, cells: QuoteCells) -> Content:
    """Return which requests were answered, and what is not asked for."""
    if not cells.rows:
        return "The plan orders nothing that a vendor is asked for."
    parts = []
    answers = [
        (answer.reference, offer) for offer in _quotes(cells) if (answer := answered_row(offer)) is not None
    ]
    if answers:
        newest = max((reference for reference, _ in answers), key=lambda each: (issued_on(each) or "", each))
        came = dict.fromkeys(
            offer.provider or str(NO_PROVIDER) for reference, offer in answers if reference == newest
        )
        parts.append(f"{newest} was answered by {listed(came)}.")
    else:
        parts.append("Requests are files: File, Export requests for quote.")
    parts.append("The request has the number of the order, and starts once its quotes are decided on.")
    at_list = [order.number for order in fronts.inputs.evaluation.listed_orders if order.is_at_list_price]
    if at_list:
        parts.append(f"Ordered at list price, without a request: {', '.join(order_numbers(at_list))}.")
    return AsWritten(" ".join(parts))


def _quotes(cells: QuoteCells) -> list[Offer]:
    """Return the offers that answer a request."""
    return [quote.offer for quote in cells.quotes]


def _notes(fronts: Fronts) -> Iterator[str]:
    """Return how the columns are to be read."""
    yield (
        "All in: the rate plus upfront payment, set-up, support and network, spread over the term; a commitment on "
        "Decisions and Orders counts rate and upfront payment only. A quote counts if it is valid on the order date, "
        "covers all GPUs and needs no clarification. A list price is a comparison, "
        "never an award."
    )
