"""Page 2 of a brief: all orders by number, and existing contracts by the day to act on them."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.approval import ALL_PASSED, Approval, day_sentences, lapsed_orders
from gpuplanner.domain.brief.decisions_page import by_day, committed_usd, is_urgent
from gpuplanner.domain.commitment.asked_rows import AskedRow, asked_now_words
from gpuplanner.domain.commitment.listed_order import STATUS_TITLES
from gpuplanner.domain.commitment.numbers import order_number
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.plan.layers import order_dollars
from gpuplanner.domain.commitment.plan.orders import at_list, liability_usd, orders_by_row
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.result import Advice, Order, vendors
from gpuplanner.domain.commitment.words.orders import bought_words
from gpuplanner.domain.commitment.words.terms import row_term_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.typed import amount, of_unit, significant, whole, worded_whole
from gpuplanner.domain.message import NO_WORDS, Message, Part, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.reports.orders import TO_DECIDE, ToDecide
from gpuplanner.lazy_dataclass import replace

MOST_CONTRACTS: Final = 18
WIDTHS: Final = {"decide_by": 1.2, "Contract": 1.4, "advice": 3.0, "Provider": 1.4, "wait": 2.0}
"""Of columns, where it is not 1."""


def orders_page(
    evaluation: Evaluation, advice: Advice, approval: Approval, asked: Sequence[AskedRow]
) -> pages.Page:
    """All orders and contracts with their days. approval: as of the day of writing; asked: rows of a request."""
    days = pages.TextBlock("", tuple(day_sentences(approval)))
    orders = order_table(evaluation, advice, approval)
    orders = replace(orders, note=pages.sentences(orders.note, asked_now_words(asked, approval.now)))
    return pages.Page(
        key="sign",
        kicker=worded("Orders"),
        title=orders_title(advice, approval),
        rows=((days,), (orders,), (contract_table(evaluation, approval.seen),)),
        is_whole=True,
    )


def orders_title(advice: Advice, approval: Approval) -> Text:
    """What is to be signed now and by when, what is overdue first, and how many orders come later."""
    now, later, seen = approval.now, approval.later, approval.seen
    if not now and not later:
        if approval.over:
            return ALL_PASSED
        if is_priced(advice.pools):
            return worded("No orders in 12 months")
        return worded("Orders unknown: prices are missing")
    if not now:
        return worded(
            "No order due yet. First of {count}: {order} by {by}",
            order=bought_words(later[:1]),
            by=seen.day(later[0].last_day_s),
            count=whole(len(later)),
        )
    title = write_order_deadline(approval)
    if 0 < (lapsed := len(approval.lapsed)) < len(now):
        title = joined((title, worded("{count} on expired quotes", count=whole(lapsed))), ", ")
    more = worded("{count} more later", count=whole(len(later))) if later else NO_WORDS
    return joined(filter(None, (title, more)), "; ")


def write_order_deadline(approval: Approval) -> Message:
    """Sign 6 orders for 90 GPUs, the first by 1 Oct 2026; what no quote holds for is to be asked again."""
    overdue, seen = len(approval.overdue), approval.seen
    if not approval.open:
        why = lapsed_orders(approval)
        return worded("Ask again before ordering: {why}", why=why)
    counted: dict[str, Part] = {
        "orders": pages.counted(len(approval.now), "order"),
        "gpus": approval.gpus_words,
    }
    if overdue:
        return worded_whole(
            overdue,
            "Place {orders} now for {gpus}; {count} is overdue",
            "Place {orders} now for {gpus}; {count} are overdue",
            **counted,
        )
    words = worded("Place {name}", name=worded("{orders} for {gpus}", **counted))
    if not seen.is_dated:
        return worded("{name} in the first month, without calendar days", name=words)
    return worded("{name}, the first by {by}", name=words, by=seen.day(approval.open_from_s))


# ---------------------------------------------------------------- the table of orders

LIST, QUOTE = worded("List"), worded("Quote")
TO_APPROVE, LATER, ALL = worded("To approve now"), worded("Later"), worded("All orders")
_COLUMNS: Final = (
    pages.Column(worded("Order"), is_number=False, share=0.5),
    pages.Column(worded("Order by"), is_number=False),
    pages.Column(worded("Provider"), is_number=False, share=1.4),
    pages.Column("GPUs", share=0.5),
    pages.Column(worded("GPU model"), is_number=False),
    pages.Column(titles.TERM, is_number=False, share=1.4),
    pages.Column(worded("Starts"), is_number=False),
    pages.Column(worded("Last day"), is_number=False),
    pages.Column(worded("Rate, $ per GPU-h"), share=0.7),
    pages.Column(worded("Cost, $ per month"), share=0.8),
    pages.Column(worded("Cash with order, $"), share=0.8),
    pages.Column(worded("Commits now, $")),
    pages.Column(worded("Commits later, $")),
    pages.Column(worded("Price"), is_number=False, share=0.6),
    pages.Column(worded("Status"), is_number=False),
)


class OrderLine(NamedTuple):
    """An order with those that renew it. number: O1; empty before it has one. price: what its rate stands on."""

    number: str
    orders: tuple[Order, ...]
    price: Text
    status: Text


class OrderSums(NamedTuple):
    """Whole $ of an order or of several: cash with it, what it commits now and later. None is unknown."""

    cash: int | None
    now: int | None
    later: int | None


def order_table(evaluation: Evaluation, advice: Advice, approval: Approval) -> pages.TableBlock:
    """Return all orders that are not over: those to approve now, then the later ones, each with their sum."""
    lines = _order_lines(evaluation, approval)
    now = [line for line in lines if any(order in approval.now for order in line.orders)]
    later = [line for line in lines if line not in now]
    listed = [*now, *later]
    sums = _whole_sums(listed, approval)
    rows: list[tuple[Part, ...]] = []
    urgent, subtotals = set[int](), set[int]()
    for title, begin, part in ((TO_APPROVE, 0, now), (LATER, len(now), later)):
        of_part = sums[begin : begin + len(part)]
        for line, usd in zip(part, of_part, strict=True):
            if is_urgent(line.orders[0].last_day_s, approval.seen):
                urgent.add(len(rows))
            rows.append(_order_cells(line, usd, advice, approval.seen))
        if now and later:
            subtotals.add(len(rows))
            rows.append(_sum_cells(title, part, of_part, approval))
    return pages.TableBlock(
        title=worded("Orders"),
        columns=_COLUMNS,
        rows=tuple(rows),
        total=_sum_cells(ALL if later else TO_APPROVE, listed, sums, approval) if listed else (),
        note=prices_words(evaluation, approval.left),
        urgent=frozenset(urgent),
        day_column=1,
        subtotals=frozenset(subtotals),
    )


def _order_lines(evaluation: Evaluation, approval: Approval) -> list[OrderLine]:
    """Return the orders by number, without those that are over; in their order of days before they have numbers."""
    listed = [
        OrderLine(
            order_number(row.number), orders, QUOTE if row.is_quote else LIST, STATUS_TITLES[row.status]
        )
        for row in evaluation.listed_orders
        if (orders := tuple(order for order in row.orders if order in approval.left))
    ]
    return listed or [OrderLine("", orders, "", "") for orders in orders_by_row(approval.left)]


def _whole_sums(lines: Sequence[OrderLine], approval: Approval) -> list[OrderSums]:
    """Return the $ of each order in whole dollars; those to approve now add up to the sum that is asked for."""
    committed = [committed_usd(line.orders, approval) for line in lines]
    cash = largest_remainder([known_sum(order.due_at_once for order in line.orders) for line in lines])
    now = largest_remainder([usd.now for usd in committed], approval.usd)
    later = largest_remainder([usd.later for usd in committed])
    return [OrderSums(*usd) for usd in zip(cash, now, later, strict=True)]


def _order_cells(line: OrderLine, usd: OrderSums, advice: Advice, seen: Seen) -> tuple[Part, ...]:
    first, last = line.orders[0], line.orders[-1]
    term = row_term_words(line.orders, has_end=False)
    if len(line.orders) > 1:
        term = worded("{term}, {count} times", term=term, count=whole(len(line.orders)))
    is_dollars = first.is_dollars
    return (
        line.number,
        seen.order_by(first) if seen.has_lapsed(first) else by_day(first.last_day_s, seen),
        vendors(line.orders),
        "" if is_dollars else significant(first.bought_gpus),
        bought_words((first,))
        if is_dollars
        else first.offer_gpu_model or gpu_model_of(first.gpu_model) or "",
        worded("to buy, for {term}", term=term) if first.is_bought else term,
        seen.day(first.start_s),
        seen.day(last.end_s - 1),
        "" if is_dollars else of_unit(first.rate, "rate"),
        whole(order_dollars(first, advice)),
        *map(whole, usd),
        line.price,
        line.status,
    )


def _sum_cells(
    title: Text, lines: Iterable[OrderLine], usd: Sequence[OrderSums], approval: Approval
) -> tuple[Part, ...]:
    """Return the cells of a sum, with the GPUs of orders in GPUs; a lower bound where a rate is missing."""
    gpus = sum(line.orders[0].bought_gpus for line in lines if not line.orders[0].is_dollars)
    known = [known_sum(column) for column in zip(*usd, strict=True)]
    sums = [approval.summed(total, whole) for total in known]
    return ("", title, "", significant(gpus), "", "", "", "", "", "", *sums, "", "")


def prices_words(evaluation: Evaluation, orders: Sequence[Order]) -> Message:
    """What orders cost at the prices that their amounts are at, and at today's; empty where both are the same."""
    project = evaluation.project
    offers = project.offers_in(project.scenario(evaluation.scenario))
    expected, listed = liability_usd(orders), liability_usd(at_list(orders, offers))
    if expected is None or listed is None or round(expected) == round(listed):
        return NO_WORDS
    return worded(
        "Amounts use prices expected at each start: {expected} over whole terms. At today's list prices, "
        "signed in time: {listed}.",
        expected=amount(expected),
        listed=amount(listed),
    )


# ---------------------------------------------------------------- the table of contracts


def contract_table(evaluation: Evaluation, seen: Seen) -> pages.TableBlock:
    """Return what becomes of existing contracts, the first to act on first."""
    about = ToDecide(evaluation, seen)
    block = pages.report_block(TO_DECIDE, about, TO_DECIDE.title, WIDTHS, MOST_CONTRACTS, "Contracts")
    rows = TO_DECIDE.rows(about)[:MOST_CONTRACTS]
    urgent = (place for place, row in enumerate(rows) if is_urgent(row.due_s, seen))
    return replace(block, urgent=frozenset(urgent))
