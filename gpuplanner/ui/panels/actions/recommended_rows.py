"""Rows of Recommendations: what to sign now and later, and what becomes of contracts."""

from collections.abc import Sequence

from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.plan.layers import is_in_first_month, layer_of, order_dollars
from gpuplanner.domain.commitment.plan.orders import at_list, due_at_once_usd, liability_usd, vendors
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.commitment.words.orders import expected_price_words
from gpuplanner.domain.evidence.plan.layers import order_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.book.contract import Contract, term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.state.commitment_words import (
    Commitments,
    bought_words,
    commit_words,
    days_words,
    due_words,
    gpus_by_term,
    gpus_in,
    in_place_of,
    longest_lead_words,
    order_by_words,
    reason_words,
    sentences,
    sla_words,
    terms_words,
    until_words,
)
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

# --- What to sign, now and later, as rows of Recommendations -------------------------------------


def sign_now(
    rows: Sequence[Commitments], due: Sequence[Order], seen: Seen, advice: Advice, offers: Sequence[Offer]
) -> list[ListRow]:
    """A row for each commitment that is due; the heading has all GPUs, and $ a month of what begins in the first month.

    rows: those of which some order is due, with what continues them; due: these orders; offers: at the rates that
    count.
    """
    if not due:
        certain = [order for order in advice.orders if order.is_certain]
        words = tr("Nothing to order now")
        if certain and all(map(seen.is_over, certain)):
            words = tr("All order terms have passed")
        elif not is_priced(advice.pools):
            words = tr("No order due for priced demand")
        return [ListRow(title=words, is_heading=True)]
    whole = [order_dollars(order, advice) for order in due]
    first = [usd for order, usd in zip(due, whole, strict=True) if is_in_first_month(order, advice)]
    total = None if not first or None in first else sum(usd for usd in first if usd is not None)
    signs = tr("Commit now: {due}", due=gpus_in(due))
    if any(order.is_bought for order in due):
        signs = tr("Order now: {due}", due=gpus_in(due))
    amount = tr("$ per month")
    if total is not None and len(first) == len(due):
        amount = tr("{usd} per month", usd=numbers.dollar_change(total))
    elif total is not None:
        amount = tr("{total} per month at first", total=numbers.dollar_change(total))
    figure_id = "" if total is None else figure("orders_usd")
    heading = ListRow(title=signs, amount=amount, is_heading=True, figure_id=figure_id)
    return [heading, *_bound(due, advice, offers), *(_commitment(row, advice, seen) for row in rows)]


def _bound(due: Sequence[Order], advice: Advice, offers: Sequence[Offer]) -> list[ListRow]:
    """What signing now binds over whole terms, what of it is due on the day, and what later orders add; what it binds
    at today's list, which a quote keeps to while it is valid."""
    bound, at_once, in_all = liability_usd(due), due_at_once_usd(due), advice.totals.liability
    if bound is None or at_once is None:
        return []
    listed, more = liability_usd(at_list(due, offers)), list[str]()
    if listed is not None and round(listed) != round(bound):
        more = [tr("{usd} at today's list prices, if signed in time", usd=numbers.dollars(listed))]
    if in_all is not None:
        more.append(tr("With later orders of 12 months: {usd}", usd=numbers.dollars(in_all)))
    cash = tr("Nothing upfront; paid monthly")
    if at_once > 0:
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


def _commitment(row: Commitments, advice: Advice, seen: Seen) -> ListRow:
    """Orders that continue each other; $ a month of the first."""
    order = row[0]
    usd, found = order_dollars(order, advice), layer_of(order, advice)
    facts = [
        *due_words(row[:1]),
        numbers.capital(days_words(row)),
        tr("With {vendors}", vendors=vendors(row)),
        lane_of(order.pool).title,
        *in_place_of(row[:1]),
        *map(numbers.capital, (*longest_lead_words(order), *sla_words(order))),
    ]
    bound = None
    if found is not None:
        plan, layer = found
        if layer.utilization is not None:
            facts.append(tr("{used} used", used=numbers.percent(layer.utilization)))
        same_term = (term for term in plan.break_even if term.term_months == order.term_months)
        bound = next((term.break_even for term in same_term), None)
    sentence, icon, role = order_by_words(order.last_day_s, seen.written_s, has_lapsed=seen.has_lapsed(order))
    return ListRow(
        title=commit_words(row),
        note=sentence,
        amount="" if usd is None else numbers.change(usd),
        icon=icon,
        icon_role=role,
        kind="layers",
        key=_layers_key(order),
        tip=sentences(
            tr("Ends {end_s}", end_s=numbers.date(row[-1].end_s - 1)),
            ""
            if bound is None
            else tr("Break-even: pays above {bound} of hours used", bound=numbers.percent(bound)),
        ),
        note_role=role,
        more=numbers.MIDDOT.join([*facts, reason_words(order)]),
        figure_id="" if usd is None else figure("order_usd", order_subject(order)),
    )


def _layers_key(order: Order) -> str:
    return f"{order.pool.value}\t{order.gpu_model or ''}"


def sign_later(
    rows: Sequence[Commitments], seen: Seen, advice: Advice, offers: Sequence[Offer]
) -> list[ListRow]:
    """One row for each day to order by, day of start, pool and GPU model, and for orders that continue each other.

    offers: at the rates that count.
    """
    groups: dict[tuple[object, ...], list[tuple[Commitments, Order]]] = {}
    for row, listed in zip(rows, at_list([row[0] for row in rows], offers), strict=True):
        order = row[0]
        of = (_layers_key(order), order.offer_gpu_model, seen.has_lapsed(order), order.is_bought)
        apart = order.row if len(row) > 1 or order.renews else None
        groups.setdefault((order.last_day_s, order.start_s, *of, apart), []).append((row, listed))
    return [_later(group, seen, advice) for group in groups.values()]


def _later(pairs: Sequence[tuple[Commitments, Order]], seen: Seen, advice: Advice) -> ListRow:
    """Orders of one day: the first of each that continue each other, beside it as today's list has it."""
    group, listed = zip(*pairs, strict=True)
    orders = [row[0] for row in group]
    first = orders[0]
    title, terms = commit_words(group[0]), list[str]()
    if len(group) > 1:
        title = commit_words((replace(first, offer_gpus=sum(order.bought_gpus for order in orders)),))
        by_term = gpus_by_term([(order.gpus, (order.term_months, order.term_days)) for order in orders])
        if len(by_term) > 1 and not first.is_bought:
            most = max(by_term, key=lambda term: (by_term[term], -term[0]))
            months = spoken(term_words(*most))
            title = tr("Commit {what}, most for {months}.", what=bought_words(orders), months=months)
            terms = [terms_words([(one.bought_gpus, (one.term_months, one.term_days)) for one in orders])]
    sentence, icon, role = order_by_words(first.last_day_s, seen.written_s, has_lapsed=seen.has_lapsed(first))
    usd = [order_dollars(order, advice) for order in orders]
    known = sum(value for value in usd if value is not None)
    tip = sentences(
        tr("Ends {end_s}", end_s=numbers.date(max(row[-1].end_s for row in group) - 1)),
        "" if None in usd else tr(long_text("not_in_spend", known=numbers.dollars(known))),
        spoken(expected_price_words(orders, listed) or ""),
    )
    reasons = dict.fromkeys(reason_words(order) for order in orders)
    called = tr("With {vendors}", vendors=vendors(orders))
    facts = [*due_words(orders), called, lane_of(first.pool).title, *in_place_of(orders), *terms, *reasons]
    facts += map(numbers.capital, dict.fromkeys(words for order in orders for words in sla_words(order)))
    return ListRow(
        title=title,
        note=numbers.MIDDOT.join((sentence, days_words(group[0]))),
        icon=icon,
        icon_role=role,
        kind="layers",
        key=_layers_key(first),
        tip=tip,
        note_role=role,
        more=numbers.MIDDOT.join(facts),
    )


# --- Decisions with what they save, as rows of Recommendations


def decision_row(decision: NextDecision, today_s: int) -> ListRow:
    """A decision with its day and what it saves in twelve months; what it opens asks what becomes of it.

    today_s: epoch seconds.
    """
    usd = decision.usd_12_months
    sentence, icon, role = tr("No day"), "info", "muted"
    if decision.by_s is not None:
        sentence, icon, role = until_words(decision.by_s, today_s)
        sentence = numbers.capital(sentence)
    if usd is None:
        sentence = numbers.MIDDOT.join((sentence, spoken(decision.unknown)))
    bound = (
        tr("commits {usd} now", usd=numbers.dollars(decision.committed_usd)) if decision.committed_usd else ""
    )
    return ListRow(
        title=tr("{number} {title}", number=decision_number(decision.number), title=decision.title),
        note=numbers.MIDDOT.join(filter(None, (sentence, decision.provider, bound))),
        amount="\u2014" if usd is None else numbers.whole(usd),
        icon=icon,
        icon_role=role,
        kind="decision",
        key=decision.decision_id,
        note_role=role,
        more=spoken(decision.gap),
        unit=tr("$ saved in a year"),
        figure_id=figure("next_decision", decision.decision_id),
    )


# --- What is paid by use under a contract and the plan does not pay any more


def stop_rows(shown: ViewState, advice: Advice) -> list[ListRow]:
    """On-demand contracts that the plan stops, those that cost most first: no decision has their amount."""
    contracts = {contract.contract_id: contract for contract in paid_contracts(shown.evaluation.project)}
    used = {row.contract_id: row.utilization for row in shown.evaluation.audit.contracts}
    stopped = [
        contract
        for verdict in advice.verdicts
        if verdict.verdict == "let_expire" and (contract := contracts.get(verdict.contract_id))
        if not contract.is_committed
    ]
    stopped.sort(key=lambda contract: -(contract.cost_per_month or 0.0))
    return [_stop_row(contract, used.get(contract.contract_id)) for contract in stopped]


def _stop_row(contract: Contract, used: float | None) -> ListRow:
    """used: share of its GPU-hours, 0..1; None is unknown."""
    gpus = f"{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}"
    paid = tr("{many} on demand", many=gpus)
    if used is not None:
        paid = tr("{first}, {second}", first=paid, second=tr("{used} used", used=numbers.percent(used)))
    if days := contract.notice:
        notice = by_count(days, "{days} day's notice", "{days} days' notice", days=numbers.whole(days))
        paid = tr("{first}, {second}", first=paid, second=notice)
    usd = contract.cost_per_month
    return ListRow(
        title=tr("Stop {contract_id}.", contract_id=contract.contract_id),
        note=paid,
        amount="" if usd is None else numbers.change(-usd),
        icon="clock",
        kind="contract",
        key=contract.contract_id,
        figure_id="" if usd is None else figure("contract_usd", contract.contract_id, "ends"),
    )
