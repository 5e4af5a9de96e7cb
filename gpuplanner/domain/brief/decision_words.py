"""Words of the page Decisions, in brief and workbook: what to approve, which contracts end, and what prices rest on."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.approval import Approval, ask
from gpuplanner.domain.commitment.asked_rows import usual_days
from gpuplanner.domain.commitment.listed_order import PROVIDER_MISSING, ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number, order_numbers
from gpuplanner.domain.commitment.order_days import (
    Seen,
    open_decisions_of_contracts,
    stop_or_decide_by_s,
    verdict_rows,
)
from gpuplanner.domain.commitment.plan.ground import needs_no_notice
from gpuplanner.domain.commitment.plan.orders import SOON_S, liability_usd
from gpuplanner.domain.commitment.plan.totals import plan_sum
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import amount, day, percent, whole, worded_whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, lowered, worded
from gpuplanner.domain.model.amounts import sum_text
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.window import DAY_S, day_of, has_calendar, instant_s

ROLES: Final = (worded("Requested by"), worded("Finance"), worded("Procurement"), worded("Approved by"))
CHOICES: Final = (worded("Approve"), worded("Approve with changes"), worded("Reject"))
"""Of a whole plan."""
LATER: Final = worded("Decide later")
TO_APPROVE: Final = worded("Commitment to approve now")
WHOLE_PLAN: Final = worded("Whole plan against doing nothing")
NOT_ADDED: Final = worded(
    "Savings of single decisions do not add up: each is the plan recalculated without that decision."
)
MOST_NAMES: Final = 3
URGENT_S: Final = 14 * DAY_S


# ---------------------------------------------------------------- the title


def page_title(evaluation: Evaluation, advice: Advice, approval: Approval) -> Text:
    """Return what to approve and by when, and how many contracts end."""
    decisions = evaluation.listed_decisions_on(approval.seen.written_s)
    ends = ends_words(list_ends(evaluation, decisions, approval.seen), approval.seen)
    words = joined(filter(None, (question_title(approval, advice), ends)), "; ")
    return joined((HYPOTHETICAL, words), " ") if evaluation.is_hypothetical else words


def question_title(approval: Approval, advice: Advice) -> Text:
    """Return what to approve; what is unknown where nothing can be approved."""
    is_asked = approval.now and (approval.usd is not None or liability_usd(approval.now))
    return ask(approval) if advice.totals.plan is not None or is_asked else unknown_words(advice)


def unknown_words(advice: Advice) -> Message:
    """Return what is known of the plan's cost, and for what a rate is missing; empty where all is known."""
    known = plan_sum(advice)
    if advice.totals.plan is not None:
        return NO_WORDS
    if not known.is_at_least:
        return worded("Plan cost unknown: a rate is missing. Get a quote first")
    return worded(
        "Plan cost partly known, {usd} per month: no rate for {names}",
        usd=sum_text(known),
        names=joined(known.missing[:MOST_NAMES], ", "),
    )


class ContractEnd(NamedTuple):
    """A contract that ends or changes, and the last day to decide that, epoch seconds; None without one."""

    by_s: int | None
    contract_id: str


def list_ends(evaluation: Evaluation, decisions: Sequence[NextDecision], seen: Seen) -> list[ContractEnd]:
    """Return the contracts that the plan ends or replaces, by the day of their decision; those without one last.

    Without those that have ended or whose notice was given: nothing is left to decide about them.
    """
    ends = []
    for row in verdict_rows(evaluation.project, evaluation.advice, decisions):
        contract, ends_s = row.contract, row.ends_s
        if contract is None or not row.verdict.is_to_decide or needs_no_notice(contract, evaluation.plan):
            continue
        if ends_s is None or ends_s > seen.written_s:
            ends.append(ContractEnd(stop_or_decide_by_s(row, seen), contract.contract_id))
    return sorted(ends, key=lambda end: (end.by_s is None, end.by_s or 0, end.contract_id))


def ends_words(ends: Sequence[ContractEnd], seen: Seen) -> Message:
    """Return how many contracts end and when that is decided: end 7 contracts: 2 by 1 Dec 2026, 5 from 29 Jan 2027.

    What is overdue says so, as in the rows of the decisions.
    """
    if not ends:
        return NO_WORDS
    days = [end.by_s for end in ends if end.by_s is not None] if seen.is_dated else []
    dated = [max(by_s, seen.counted_from_s) for by_s in days if not seen.is_past(by_s)]
    overdue = len(days) - len(dated)
    now = [by_s for by_s in dated if by_s < seen.counted_from_s + SOON_S]
    later = [by_s for by_s in dated if by_s not in now]
    parts = [worded("{count} overdue", count=whole(overdue))] if overdue else []
    parts += [_days_words(part, seen) for part in (now, later) if part]
    if len(days) < len(ends):
        parts.append(worded("{count} without a day", count=whole(len(ends) - len(days))))
    if len(parts) > 1:
        return worded(
            "end {contracts}: {parts}",
            contracts=pages.counted(len(ends), "contract"),
            parts=joined(parts, ", "),
        )
    if overdue:
        return worded_whole(overdue, "end {count} contract, overdue", "end {count} contracts, all overdue")
    if not dated:
        return worded_whole(len(ends), "end {count} contract", "end {count} contracts")
    return worded_whole(
        len(ends),
        "end {count} contract by {by}",
        "end {count} contracts, the first by {by}",
        by=seen.day(min(dated)),
    )


def _days_words(days: Sequence[int], seen: Seen) -> Message:
    """Return how many days, epoch seconds, there are and when: all by one day, or from their first."""
    count, first = whole(len(days)), seen.day(min(days))
    if day_of(min(days)) == day_of(max(days)):
        return worded("{count} by {day}", count=count, day=first)
    return worded("{count} from {day}", count=count, day=first)


# ---------------------------------------------------------------- decisions


def now_and_later(
    decisions: Iterable[NextDecision], approval: Approval
) -> tuple[list[NextDecision], list[NextDecision]]:
    """Return the decisions of now, with those of all orders to approve, and the later ones.

    Savings that the plan does not contain, and what is done, are in neither.
    """
    shown = [row for row in decisions if not row.is_done and (row.kind != "saving" or row.is_in_plan)]
    is_now = [row.is_now or any(order in approval.now for order in row.orders) for row in shown]
    now = [row for row, soon in zip(shown, is_now, strict=True) if soon]
    return now, [row for row, soon in zip(shown, is_now, strict=True) if not soon]


def now_title(decisions: Iterable[NextDecision], seen: Seen) -> Message:
    """Return the title of the decisions of now, with the last of their days: Decide now (by 1 Dec 2026).

    Where days have passed, it has their number.
    """
    days = [row.by_s for row in decisions if row.by_s is not None]
    if not days or not seen.is_dated:
        return worded("Decide now")
    overdue = sum(map(seen.is_past, days))
    last = day(max(*days, seen.counted_from_s))
    if not overdue:
        return worded("Decide now (by {day})", day=last)
    if overdue == len(days):
        return worded("Decide now (overdue)")
    return worded("Decide now ({count} overdue, the rest by {day})", count=whole(overdue), day=last)


def has_savings(decision: NextDecision) -> bool:
    """Return whether the column of savings has a figure or a dash for a decision: not for a question, which saves
    nothing by itself."""
    return decision.kind != "question"


def what_to_do(decision: NextDecision, title: Text) -> Message:
    """Return what to do in a table of decisions: why it pays if it costs in 12 months, or what a question is about, $.

    title: of the decision, as long as the table has room.
    """
    at_stake = "" if has_savings(decision) else decision.saves or decision.saves_shortly
    return joined(filter(None, (title, decision.reason, at_stake)), ", ")


def offered_words(decisions: Iterable[NextDecision]) -> Message:
    """Return the savings that the plan does not contain, with their $ in twelve months; empty without any."""
    offered = [
        worded("{saving} ({usd})", saving=lowered(row.subject), usd=amount(row.usd_12_months))
        for row in decisions
        if row.kind == "saving" and not row.is_in_plan and row.usd_12_months
    ]
    return worded("Not in the plan: {savings}.", savings=pages.listed(offered)) if offered else NO_WORDS


def done_words(decisions: Iterable[NextDecision]) -> Message:
    """Return which decisions are done, by number; empty without any."""
    done = ", ".join(decision_number(row.number) for row in decisions if row.is_done)
    return worded("Done: {decisions}.", decisions=done) if done else NO_WORDS


# ---------------------------------------------------------------- prices


def price_words(evaluation: Evaluation, approval: Approval) -> tuple[Message, ...]:
    """Return what the prices of the orders to approve rest on, and what waiting for their quotes costs: sentences.

    Nothing where all have a quote.
    """
    orders = [row for row in evaluation.listed_orders if any(order in approval.now for order in row.orders)]
    sentences = [_basis_words(evaluation, orders)]
    wait = evaluation.wait_for_quotes(usual_days(approval.seen.written_s))
    if wait is not None:
        share = NO_WORDS
        if wait.usd is not None and approval.usd:
            share = worded(", {share} of the commitment", share=percent(wait.usd / approval.usd, 1))
        sentences.append(joined((wait.text, share, "."), ""))
        if wait.bridge_text is not None:
            sentences.append(joined((wait.bridge_text, "."), ""))
    return tuple(filter(None, sentences))


def _basis_words(evaluation: Evaluation, orders: Sequence[ListedOrder]) -> Message:
    """Return how many orders rest on list prices, and of which day; empty where all have a quote."""
    on_list = [row for row in orders if not row.is_quote]
    if not on_list:
        return NO_WORDS
    ids = {order.offer_id for row in on_list for order in row.orders}
    days = {offer.as_of for offer in evaluation.project.offers if offer.offer_id in ids}
    dated = next(iter(days)) if len(days) == 1 else None
    of_day = worded(" of {day}", day=day(instant_s(dated))) if dated else ""
    if len(on_list) < len(orders):
        return worded_whole(
            len(on_list),
            "{count} of {orders} rests on a list price{of_day}, without a quote.",
            "{count} of {orders} rest on list prices{of_day}, without a quote.",
            orders=pages.counted(len(orders), "order"),
            of_day=of_day,
        )
    return worded_whole(
        len(orders),
        "The order rests on a list price{of_day}, without a quote.",
        "All {count} orders rest on list prices{of_day}, without a quote.",
        of_day=of_day,
    )


# ---------------------------------------------------------------- what nobody has decided


def without_provider_words(listed: Iterable[ListedOrder]) -> Message:
    """Return which orders cannot be placed because their provider is missing; empty without any."""
    numbers = ", ".join(order_numbers(row.number for row in listed if row.status == PROVIDER_MISSING))
    return (
        worded("Without a provider, not ready to order: {orders}.", orders=numbers) if numbers else NO_WORDS
    )


def undecided_words(evaluation: Evaluation, decisions: Sequence[NextDecision], approval: Approval) -> Message:
    """Return contracts to act on within 14 days that no decision is about, each with its day; empty without any."""
    until_s, asked = approval.seen.counted_from_s + URGENT_S, open_decisions_of_contracts(decisions)
    due = []
    for row in verdict_rows(evaluation.project, evaluation.advice, decisions):
        contract, ends_s = row.contract, row.ends_s
        if contract is None or needs_no_notice(contract, evaluation.plan) or contract.contract_id in asked:
            continue
        by_s = notice_by_s(contract, ends_s) if row.decide_by_s is None else row.decide_by_s
        if by_s is not None and has_calendar(by_s) and approval.seen.counted_from_s <= by_s < until_s:
            due.append((by_s, contract.contract_id))
    if not due:
        return NO_WORDS
    names = [worded("{contract} ({day})", contract=name, day=day(by_s)) for by_s, name in sorted(due)]
    return worded("Due without a decision: {contracts}.", contracts=pages.listed(names))
