"""Orders: a row for each, what it commits and where it stands; cells for purchasing; providers with their share."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.brief.approval import Approval
from gpuplanner.domain.brief.orders_page import ALL, LATER, TO_APPROVE, write_order_deadline
from gpuplanner.domain.brief.pages import counted
from gpuplanner.domain.commitment.listed_order import PROVIDER_MISSING, QUOTE_FIRST, STATUS_TITLES
from gpuplanner.domain.commitment.order_days import ShownOrder
from gpuplanner.domain.commitment.plan.orders import together_words
from gpuplanner.domain.commitment.plan.plan_checks import CONCENTRATED, CONCENTRATED_ABOVE
from gpuplanner.domain.commitment.result import NO_PROVIDER, vendors
from gpuplanner.domain.commitment.words.terms import counted_term_words
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.reports.orders import name_served_model
from gpuplanner.files.tables.network_words import offered_network_words
from gpuplanner.files.workbook.front.pages import Fronts, live, money, sentence, sum_look, sum_of_orders
from gpuplanner.files.workbook.kit.book import Content, Table
from gpuplanner.files.workbook.kit.cells import written_date
from gpuplanner.files.workbook.kit.expressions import added, call, formula, known
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.front_page import FrontPage
from gpuplanner.files.workbook.kit.sheets import ORDERS as SHEET
from gpuplanner.lazy_re import lazy_re

FIELDS: Final = fields_of("front.orders")
"""The columns of both pages, in their order."""
SECOND: Final = next(place for place, field in enumerate(FIELDS) if field.key == "pool")
SUMMED: Final = ("gpus", "cash", "now_usd", "later_usd")
OPEN_STATES: Final = tuple(str(STATUS_TITLES[code]) for code in (PROVIDER_MISSING, QUOTE_FIRST))
_QUOTE_NUMBER: Final = lazy_re(r"(?i)quote\s+[^\s;,]+")


def write_orders_page(fronts: Fronts) -> None:
    """Write the sheet."""
    widths = [field.width for field in FIELDS]
    page = FrontPage(fronts.book, fronts.form, SHEET, widths, second=SECOND)
    numbered = fronts.numbered
    now = [row for row in numbered.listed if numbered.is_now(row)]
    later = [row for row in numbered.listed if not numbered.is_now(row)]
    row = page.title(_finding(fronts, now, later), _sentence(fronts), column=3)
    page.span(0, 0, 2, SHEET, "front_title")
    sums = _list_sums(now, later)
    size = len(now) + len(later) + len(sums)
    table = Table(book=fronts.book, sheet=SHEET, row=row, size=size, fields=FIELDS)
    page.book.sheets[SHEET].freeze_panes(table.first_row, 3)
    offers = {offer.offer_id: offer for offer in fronts.inputs.project.offers}
    places = [place for place in range(size) if place not in {row_of_sums.place for row_of_sums in sums}]
    for place, order in zip(places, (*now, *later), strict=True):
        _put_order(fronts, table, place, order, offers.get(order.order.offer_id))
        texts = (
            (cell, table.fields[table.column_of(key)].width, False) for key, cell in _texts(table, place)
        )
        page.fit(table.first_row + place, texts)
    for row_of_sums in sums:
        _put_sum(fronts, table, row_of_sums)
    page.mark_due(table.area("order_by", "order_by"))
    page.mark_words(table.area("status", "status"), OPEN_STATES)
    page.choice(table.area("status", "status"), list(map(str, STATUS_TITLES.values())))
    last = _put_providers(fronts, page, table.end_row + 1)
    page.finish(last, repeated_row=table.first_row - 1)


def _finding(fronts: Fronts, now: Sequence[ShownOrder], later: Sequence[ShownOrder]) -> str:
    """Return how many orders are to be placed by when."""
    if not now and not later:
        return "Nothing to order"
    if now and not fronts.numbered.approval.open:
        return str(write_order_deadline(fronts.numbered.approval))
    parts = []
    if now:
        parts.append(f"Place {counted(len(now), 'order')} {_until(fronts, now)}")
    if later:
        by = _last_day(fronts, later)
        more = f"{len(later)} more" if now else f"Place {counted(len(later), 'order')}"
        parts.append(f"{more} by {by}" if by else f"{more} later")
    return "; ".join(parts)


def _until(fronts: Fronts, rows: Sequence[ShownOrder]) -> str:
    """Return when the orders of now are to be placed: now where the day of some has passed."""
    if overdue := len(fronts.numbered.approval.overdue):
        return f"now, {overdue} {'is' if overdue == 1 else 'are'} overdue"
    by = _last_day(fronts, rows)
    return f"by {by}" if by else "in the first month"


def _last_day(fronts: Fronts, rows: Sequence[ShownOrder]) -> str:
    """Return the last of the days to order, in words; empty without a calendar."""
    seen = fronts.numbered.approval.seen
    return written_date(max(row.order.last_day_s for row in rows)) if seen.is_dated else ""


def _sentence(fronts: Fronts) -> str:
    """Return what the rows are."""
    young = sum(not order.is_certain for order in fronts.inputs.advice.orders)
    more = counted(young, "more order pays", "more orders pay")
    only = f" {more} off only if recent demand lasts: in no total." if young else ""
    return (
        "One row per order; those that renew each other are one. Amounts without tax, over whole terms; last days "
        f"included. Blue cells are yours.{only}"
    )


def _put_order(fronts: Fronts, table: Table, place: int, row: ShownOrder, offer: Offer | None) -> None:
    """Write one order: its figures are those of its row by number."""
    source, source_place = fronts.numbered.orders, fronts.numbered.order_place(row.listed.number)
    order, listed = row.order, row.listed
    for key in (
        "number",
        "order_by",
        "gpus",
        "starts",
        "last_day",
        "rate",
        "usd_per_month",
        "cash",
        "now_usd",
        "later_usd",
    ):
        table.put(key, place, source.cell(key, source_place))
    nodes: Content = None
    if listed.nodes:
        nodes = f"{listed.nodes} × {order.bought_gpus / listed.nodes:g}"
    table.fill(
        place,
        provider=vendors((order,)),
        gpu_model=name_served_model(row),
        term=counted_term_words(listed.orders),
        price=_price(listed.is_quote, offer),
        pool=POOL_TITLES[order.pool],
        replaces=", ".join(listed.replaces) or None,
        nodes=nodes,
        region=None if offer is None else offer.region,
        memory=None if offer is None else offer.gpu_memory_gb,
        network=str(offered_network_words(offer)) or None,
        lead=None if offer is None or offer.lead_time_hours is None else offer.lead_time_hours / 24,
    )
    for key in ("status", "cost_center", "requisition", "quote_no", "po_no", "comment"):
        table.put(key, place, STATUS_TITLES[listed.status] if key == "status" else "")


def _price(is_quote: bool, offer: Offer | None) -> Text | None:
    """Return what the price stands on: the list, or the quote by its number."""
    if not is_quote:
        return "List"
    number = _QUOTE_NUMBER.match("" if offer is None else offer.source or "")
    return "Quote" if number is None else number[0]


def _texts(table: Table, place: int) -> list[tuple[str, str]]:
    """Return the texts of a row that may need a second line."""
    keys = ("provider", "gpu_model", "term", "replaces", "region", "network", "price", "status")
    return [(key, str(table.cell(key, place).value)) for key in keys]


class OrderSum(NamedTuple):
    """A row of sums. place: its row of the table; parts: the rows that it adds up, of orders or of other sums."""

    place: int
    words: Text
    parts: Sequence[int]
    orders: Sequence[ShownOrder]


def _list_sums(now: Sequence[ShownOrder], later: Sequence[ShownOrder]) -> tuple[OrderSum, ...]:
    """Return the sums below the orders of now, those of later, and of both: one where all are of one kind."""
    if not now or not later:
        orders = [*now, *later]
        return (OrderSum(len(orders), TO_APPROVE if now else ALL, range(len(orders)), orders),)
    middle = len(now)
    last = middle + 1 + len(later)
    return (
        OrderSum(middle, TO_APPROVE, range(middle), now),
        OrderSum(last, LATER, range(middle + 1, last), later),
        OrderSum(last + 1, ALL, (middle, last), [*now, *later]),
    )


def _put_sum(fronts: Fronts, table: Table, summed: OrderSum) -> None:
    """Write a row of sums: beside them how many of the GPUs run at a time, where that is fewer, and on the second page
    how many orders they are."""
    for field in table.fields:
        table.put(field.key, summed.place, summed.words if field.key == "number" else "", "front.front_total")
    approval = fronts.numbered.approval
    for key in SUMMED:
        total, look = _sum_of(table, key, summed.parts, approval), "whole"
        if key != "gpus":
            total, look = sum_of_orders(approval, total), sum_look(approval, look)
        table.put(key, summed.place, total, f"front.front_total.{look}")
    orders = [order for row in summed.orders for order in row.listed.orders]
    if summed.words == TO_APPROVE:
        orders = [order for order in orders if order in fronts.numbered.approval.now]
    _, _, most = str(together_words(orders)).partition(", ")
    table.put("term", summed.place, most.capitalize(), "front.front_total.front_small")
    table.put("pool", summed.place, str(counted(len(summed.orders), "order")), "front.front_total")


def _sum_of(table: Table, key: str, parts: Sequence[int], approval: Approval) -> Content:
    """Return the sum of some rows of a column."""
    if not parts:
        return 0
    if isinstance(parts, range):
        return table.range(key, parts[0], parts[-1] + 1).known_sum()
    cells = [table.cell(key, place) for place in parts]
    total = call("SUM", *cells)
    return known(cells, total) if approval.usd is not None else total


PROVIDER_COLUMNS: Final = (
    ("name", "Provider", 3, 5, "wrapped_mid"),
    ("orders", "Orders", 6, 6, "whole"),
    ("now_usd", "Commits now, $", 7, 8, "whole"),
    ("later_usd", "Commits later, $", 9, 10, "whole"),
    ("share", "Share", 11, 11, "ratio"),
    ("existing_usd", "Existing contracts, $", 12, 13, "whole"),
    ("all_usd", "All, $", 14, 14, "whole"),
)
"""Key, heading, first and last column of the sheet, style."""


def _put_providers(fronts: Fronts, page: FrontPage, row: int) -> int:
    """Write what each provider gets, and return the last row."""
    source = fronts.numbered.providers
    row = page.section(row, "By provider", PROVIDER_COLUMNS[0][2], page.last)
    for _, heading, first, last, style in PROVIDER_COLUMNS:
        side = "left" if style == "wrapped_mid" else "right"
        page.span(row, first, last, heading, f"front_heading.{side}")
    for place in range(source.size):
        row += 1
        is_most = _is_most(source, place)
        for key, _, first, last, style in PROVIDER_COLUMNS:
            look = f"line.{style}{'.front_amber_text' if is_most and key in ('name', 'share') else ''}"
            page.span(row, first, last, source.cell(key, place), look)
    largest = next((place for place in range(source.size) if _is_most(source, place)), None)
    if largest is not None:
        share, name = source.cell("share", largest), source.cell("name", largest)
        percent = known([share], formula('FIXED({share}*100,1)&"%"', share=share))
        new = [source.cell(key, largest) for key in ("now_usd", "later_usd")]
        every = [source.range(key).known_sum() for key in ("now_usd", "later_usd")]
        usd, total = (money(fronts.book, known(cells, added(cells))) for cells in (new, every))
        words = sentence(live(CONCENTRATED, share=percent, provider=name, usd=usd, total=total), ".")
        row += 1
        page.amber(row, words, PROVIDER_COLUMNS[0][2], page.last)
    return row


def _is_most(source: Table, place: int) -> bool:
    """Return whether one provider has more than half of the new commitment; orders without one are not one's."""
    share, name = source.cell("share", place), source.cell("name", place)
    return name.value != str(NO_PROVIDER) and share.is_known and share.number > CONCENTRATED_ABOVE
