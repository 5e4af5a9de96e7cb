"""What to sign, now and later, as rows of Recommendations."""

from collections.abc import Sequence

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.evidence.plan_evidence import order_subject
from gpuplanner.domain.commitment.plan.orders import due_at_once_usd, liability_usd
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.plan.whole_dollars import layer_of, order_dollars
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.commitment.words.expected_price import expected_price_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.reports.plan.order_days import Seen
from gpuplanner.ui.state.order_words import (
    bought_words,
    commit_words,
    due_words,
    gpus_by_term,
    in_place_of,
    order_by_words,
    reason_words,
    sentences,
    terms_words,
)
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import by_count, spoken, tr


def sign_now(due: Sequence[Order], seen: Seen, advice: Advice) -> list[ListRow]:
    """A row for each commitment that is due; the heading has all GPUs, and $ of what begins in the first month."""
    if not due:
        certain = [order for order in advice.orders if order.is_certain]
        words = tr("Nothing to sign now")
        if certain and all(map(seen.is_over, certain)):
            words = tr("The terms of all orders have passed")
        elif not is_priced(advice.pools):
            words = tr("Nothing to sign now of what has a price")
        return [ListRow(words, is_heading=True)]
    whole = [order_dollars(order, advice) for order in due]
    first = [usd for order, usd in zip(due, whole, strict=True) if order.is_in_first_month]
    total = None if not first or None in first else sum(usd for usd in first if usd is not None)
    heading = ListRow(
        tr("To buy and sign now: {due}", due=gpus_in(due))
        if any(order.is_bought for order in due)
        else tr("To sign now: {due}", due=gpus_in(due)),
        amount=tr("$ per month")
        if total is None
        else tr("{total} $ per month", total=numbers.change(total))
        if len(first) == len(due)
        else tr("{total} in the first month", total=numbers.dollar_change(total)),
        is_heading=True,
        figure_id="" if total is None else figure("orders_usd"),
    )
    return [
        heading,
        *_bound(due, advice),
        *(_commitment(order, advice, usd, seen) for order, usd in zip(due, whole, strict=True)),
    ]


def _bound(due: Sequence[Order], advice: Advice) -> list[ListRow]:
    """What signing now binds over whole terms, what of it is due on the day, and what later orders add."""
    bound, at_once, in_all = liability_usd(due), due_at_once_usd(due), advice.totals.liability
    if bound is None or at_once is None:
        return []
    cash = (
        tr("{usd} due when signed or bought, the rest month by month", usd=numbers.dollars(at_once))
        if at_once > 0
        else tr("Nothing due when signed; all of it is paid month by month")
    )
    return [
        ListRow(
            tr("Signing this binds, over whole terms"),
            cash,
            numbers.dollars(bound),
            icon="info",
            more=""
            if in_all is None
            else tr("With all that is signed in twelve months: {usd}", usd=numbers.dollars(in_all)),
            unit="",
            figure_id=figure("orders_bind"),
        )
    ]


def gpus_in(orders: Sequence[Order]) -> str:
    """The GPUs of orders together."""
    gpus = sum(order.bought_gpus for order in orders)
    return by_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=numbers.gpus(gpus))


def _commitment(order: Order, advice: Advice, usd: int | None, seen: Seen) -> ListRow:
    found = layer_of(order, advice)
    facts = [
        *due_words([order]),
        tr("Starts {start_s}", start_s=numbers.date(order.start_s)),
        lane_of(order.pool).title,
        *in_place_of([order]),
    ]
    bound = None
    if found is not None:
        plan, layer = found
        if layer.utilization is not None:
            facts.append(tr("{utilization} used", utilization=numbers.percent(layer.utilization)))
        bound = next(
            (row.break_even for row in plan.break_even if row.term_months == order.term_months), None
        )
    else:
        facts.append(reason_words(order, advice))
    sentence, icon, role = order_by_words(order.order_by_s, seen.written_s, has_lapsed=seen.has_lapsed(order))
    return ListRow(
        commit_words([order], spoken(term_words(order.term_months, order.term_days))),
        sentence,
        "" if usd is None else numbers.change(usd),
        icon,
        role,
        kind="layers",
        key=_layers_key(order),
        tip=""
        if bound is None
        else tr("Break-even: pays when used above {bound} of the hours.", bound=numbers.percent(bound)),
        note_role=role,
        more=numbers.MIDDOT.join(facts),
        figure_id="" if usd is None else figure("order_usd", order_subject(order)),
    )


def _layers_key(order: Order) -> str:
    return f"{order.pool.value}\t{order.gpu_model or ''}"


def sign_later(orders: list[Order], seen: Seen, advice: Advice, offers: Sequence[Offer]) -> list[ListRow]:
    """One row for each day to order by, day of start, pool and GPU model. offers: at the rates that count."""
    groups: dict[tuple[int, int, str, str | None, bool, bool], list[Order]] = {}
    for order in sorted(orders, key=lambda order: (order.order_by_s, order.start_s)):
        has_lapsed = seen.has_lapsed(order)
        of = (_layers_key(order), order.offer_gpu_model)
        day = (order.order_by_s, order.start_s, *of, has_lapsed, order.is_bought)
        groups.setdefault(day, []).append(order)
    rows = []
    for (order_by_s, start_s, key, _, has_lapsed, _), group in groups.items():
        first = group[0]
        terms = terms_words([(order.bought_gpus, (order.term_months, order.term_days)) for order in group])
        what = bought_words(group)
        lane = lane_of(first.pool).title
        title = commit_words(group, spoken(term_words(first.term_months, first.term_days)))
        by_term = gpus_by_term([(order.gpus, (order.term_months, order.term_days)) for order in group])
        if len(by_term) > 1 and not first.is_bought:
            most = max(by_term, key=lambda term: (by_term[term], -term[0]))
            title = tr("Commit {what}, most for {months}.", what=what, months=spoken(term_words(*most)))
        sentence, icon, role = order_by_words(order_by_s, seen.written_s, has_lapsed=has_lapsed)
        usd = [order_dollars(order, advice) for order in group]
        known = sum(value for value in usd if value is not None)
        reason = reason_words(first, advice)
        last = terms if len(by_term) > 1 else reason
        tip = sentences(
            reason,
            ""
            if None in usd
            else tr(
                "{known} per month from its start, not part of this plan's spend",
                known=numbers.dollars(known),
            ),
            spoken(expected_price_words(group, offers) or ""),
        )
        rows.append(
            ListRow(
                title,
                tr("{sentence} \u00b7 starts {start_s}", sentence=sentence, start_s=numbers.date(start_s)),
                icon=icon,
                icon_role=role,
                kind="layers",
                key=key,
                tip=tip,
                note_role=role,
                more=numbers.MIDDOT.join([*due_words(group), lane, *in_place_of(group), last]),
            )
        )
    return rows
