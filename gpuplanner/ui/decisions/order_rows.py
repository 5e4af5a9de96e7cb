"""Orders of a decision as rows: what is ordered, by when, with whom, and why; and what all orders of now commit."""

from collections.abc import Sequence

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.listed_order import STATUS_TITLES, ListedOrder
from gpuplanner.domain.commitment.numbers import order_number
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.plan.layers import is_in_first_month, layer_of, order_dollars
from gpuplanner.domain.commitment.plan.orders import at_list, due_at_once_usd, liability_usd
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.result import Advice, Order, vendors
from gpuplanner.domain.commitment.words.orders import expected_price_words, set_up_words
from gpuplanner.domain.evidence.plan.layers import order_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.state.commitment_words import (
    Commitments,
    bought_words,
    days_words,
    due_words,
    gpus_in,
    in_place_of,
    longest_lead_words,
    order_by_words,
    reason_words,
    sentences,
    short_term,
    sla_words,
)
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of


def order_row(listed: ListedOrder, seen: Seen, advice: Advice, offers: Sequence[Offer]) -> ListRow:
    """An order with its days, provider, terms and reason; $ a month of its first part.

    listed: number 0 where it has none. offers: at the rates that count.
    """
    row = listed.orders
    order = row[0]
    usd = order_dollars(order, advice)
    sentence, icon, role = order_by_words(order.last_day_s, seen.written_s, has_lapsed=seen.has_lapsed(order))
    if not order.is_certain:
        sentence = tr("Only if its demand lasts: {day}", day=sentence)
    title = order_title(row)
    if listed.number:
        title = tr("{number} {title}", number=order_number(listed.number), title=title)
    return ListRow(
        title=title,
        note=numbers.MIDDOT.join((sentence, days_words(row))),
        amount="" if usd is None else numbers.change(usd),
        icon=icon,
        icon_role=role,
        kind="layers",
        key=layers_key(order),
        tip=_tip(row, advice, offers),
        note_role=role,
        more=numbers.MIDDOT.join(_facts(listed, advice)),
        figure_id="" if usd is None else figure("order_usd", order_subject(order)),
    )


def status_words(listed: ListedOrder) -> Text:
    """The status of an order, and that it is ordered at list price where the user chose so."""
    title = STATUS_TITLES[listed.status]
    return worded("{status} at list price", status=title) if listed.is_at_list_price else title


def order_title(row: Commitments) -> str:
    """8 H100 for 12 months; 16 B200, monthly: GPUs and term of orders that continue each other."""
    words = {"what": bought_words(row[:1]), "term": short_term(row)}
    if row[0].is_bought:
        return tr("{what}, to own for {term}", **words)
    if len(row) > 1 or row[0].renews:
        return tr("{what}, {term}", **words)
    return tr("{what} for {term}", **words)


def _facts(listed: ListedOrder, advice: Advice) -> list[str]:
    """What an order says beside its days: cash, provider, pool, quote, use and reason."""
    row = listed.orders
    order, layer_in_plan = row[0], layer_of(row[0], advice)
    facts = [
        *([spoken(status_words(listed))] if listed.number else []),
        *due_words(row[:1]),
        tr("With {vendors}", vendors=vendors(row)),
        lane_of(order.pool).title,
        *in_place_of(row[:1]),
        *map(numbers.capital, (*longest_lead_words(order), *sla_words(order))),
    ]
    if listed.quote_valid_until is not None:
        facts.append(tr("quote valid until {day}", day=numbers.iso_date(listed.quote_valid_until)))
    if layer_in_plan is not None and layer_in_plan[1].utilization is not None:
        facts.append(tr("{used} used", used=numbers.percent(layer_in_plan[1].utilization)))
    return [*facts, reason_words(order)]


def _tip(row: Commitments, advice: Advice, offers: Sequence[Offer]) -> str:
    """The offer, the end, the break-even, and what a later order is expected to cost, in sentences."""
    order, layer_in_plan = row[0], layer_of(row[0], advice)
    bound = None
    if layer_in_plan is not None:
        same_term = (term for term in layer_in_plan[0].break_even if term.term_months == order.term_months)
        bound = next((term.break_even for term in same_term), None)
    parts = [
        tr("Offer {offer}", offer=order.offer_id),
        tr("Ends {end_s}", end_s=numbers.date(row[-1].end_s - 1)),
    ]
    if bound is not None:
        parts.append(tr("Break-even: pays above {bound} of hours used", bound=numbers.percent(bound)))
    usd = order_dollars(order, advice)
    if usd is not None and not is_in_first_month(order, advice):
        parts.append(tr(long_text("not_in_spend", known=numbers.dollars(usd))))
        parts.append(spoken(expected_price_words([order], at_list([order], offers)) or ""))
    return sentences(*parts)


def layers_key(order: Order) -> str:
    """What opens the layers that an order is of."""
    return f"{order.pool.value}\t{order.gpu_model or ''}"


# --- What the orders of now come to together ------------------------------------------------------


def commit_now_rows(
    due: Sequence[Order], seen: Seen, advice: Advice, offers: Sequence[Offer], *, put_off_usd: float = 0.0
) -> list[ListRow]:
    """A heading with all GPUs that are due, and $ a month of what begins in the first month; then what they commit.

    due: orders of now. offers: at the rates that count. put_off_usd: $ of them that decisions commit which were put
    off.
    """
    if not due:
        return [ListRow(title=_nothing_due(seen, advice), is_heading=True)]
    whole = [order_dollars(order, advice) for order in due]
    first = [usd for order, usd in zip(due, whole, strict=True) if is_in_first_month(order, advice)]
    total = None if not first or None in first else sum(usd for usd in first if usd is not None)
    signs = tr("Commit now: {due}", due=gpus_in(due))
    if any(order.is_bought for order in due):
        signs = tr("Order now: {due}", due=gpus_in(due))
    amount = ""
    if total is not None and len(first) == len(due):
        amount = tr("{usd} per month", usd=numbers.dollar_change(total))
    elif total is not None:
        amount = tr("{total} per month at first", total=numbers.dollar_change(total))
    figure_id = "" if total is None else figure("orders_usd")
    heading = ListRow(title=signs, amount=amount, is_heading=True, figure_id=figure_id)
    return [heading, *_bound(due, advice, offers, put_off_usd)]


def _nothing_due(seen: Seen, advice: Advice) -> str:
    """Why there is no order of now."""
    certain = [order for order in advice.orders if order.is_certain]
    if certain and all(map(seen.is_over, certain)):
        return tr("All order terms have passed")
    return tr("Nothing to order now") if is_priced(advice.pools) else tr("No order due for priced demand")


def _bound(
    due: Sequence[Order], advice: Advice, offers: Sequence[Offer], put_off_usd: float
) -> list[ListRow]:
    """What signing now commits over whole terms, what of it is due on the day, and what later orders add; what it
    commits at today's list, which a quote keeps to while it is valid."""
    bound, at_once, in_all = liability_usd(due), due_at_once_usd(due), advice.totals.liability
    if bound is None or at_once is None:
        return []
    listed, more = liability_usd(at_list(due, offers)), list[str]()
    if listed is not None and round(listed) != round(bound):
        more = [tr("{usd} at today's list prices, if signed in time", usd=numbers.dollars(listed))]
    if put_off_usd:
        more.append(tr("{usd} in Not now", usd=numbers.dollars(put_off_usd)))
    if in_all is not None:
        more.append(tr("With later orders of 12 months: {usd}", usd=numbers.dollars(in_all)))
    cash = tr("Nothing upfront; paid monthly")
    if set_up := spoken(set_up_words(due)):
        cash = tr("{usd} with the order: {what}", usd=numbers.dollars(at_once), what=set_up)
    elif at_once > 0:
        cash = tr("{usd} upfront, the rest monthly", usd=numbers.dollars(at_once))
    return [
        ListRow(
            title=tr(titles.TOTAL_COMMITMENT),
            note=cash,
            amount=numbers.dollars(bound),
            icon="info",
            more=numbers.MIDDOT.join(more),
            unit="",
            figure_id=figure("orders_bind"),
        )
    ]
