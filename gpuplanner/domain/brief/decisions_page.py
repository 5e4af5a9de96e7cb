"""Page 1 of a brief: what to approve and to decide now and later, open questions, and lines for approval."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.audit.utilization.contracts_apart import any_paid
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.approval import Approval, at_least, commitment_figures
from gpuplanner.domain.brief.decision_words import (
    CHOICES,
    LATER,
    MOST_NAMES,
    NOT_ADDED,
    ROLES,
    TO_APPROVE,
    URGENT_S,
    WHOLE_PLAN,
    done_words,
    has_savings,
    now_and_later,
    now_title,
    offered_words,
    page_title,
    price_words,
    undecided_words,
    unknown_words,
    what_to_do,
    without_provider_words,
)
from gpuplanner.domain.brief.plan_pages import saved_in_year
from gpuplanner.domain.commitment.asked_rows import usual_days
from gpuplanner.domain.commitment.listed_order import QUOTE_FIRST, ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number, order_numbers
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.plan.orders import liability_usd
from gpuplanner.domain.commitment.plan.totals import cost_sum, plan_sum
from gpuplanner.domain.commitment.plan.twelve_months import OVER_BUDGET
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.commitment.words.plan_costs import by_the_hour
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import amount, percent, whole, worded_whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum, largest_remainder, sum_text
from gpuplanner.lazy_dataclass import replace

MOST_DECISIONS: Final = 18
"""So many stand on page 1; the others in the workbook."""


def decisions_page(evaluation: Evaluation, advice: Advice, approval: Approval) -> pages.Page:
    """What to approve and by when, what the plan comes to, all decisions, open questions, and lines for approval."""
    decisions = evaluation.listed_decisions_on(approval.seen.written_s)
    prices = pages.sentences(*price_words(evaluation, approval))
    missing = without_provider_words(evaluation.listed_orders)
    undecided = undecided_words(evaluation, decisions, approval)
    # one paragraph: lines of their own would push the approval off the page
    warned = pages.sentences(*filter(None, (prices, missing, undecided)))
    risks = pages.TextBlock("", tuple(filter(None, (warned,))), is_warning=True)
    tables = decision_tables(decisions, evaluation.listed_orders, advice, approval)
    listed = tables or (pages.TextBlock("", tuple(filter(None, (done_words(decisions),)))),)
    to_decide = pages.TextBlock(worded("To decide"), list_questions(evaluation, advice, approval))
    return pages.Page(
        key="question",
        kicker=worded("Decisions"),
        title=page_title(evaluation, advice, approval),
        rows=((risks,), *((block,) for block in listed), (to_decide, APPROVAL_LINES)),
        figures=(
            *commitment_figures(approval, evaluation.listed_orders),
            *headline_figures(evaluation, advice),
        ),
        is_whole=True,
    )


APPROVAL_LINES: Final = pages.TableBlock(
    title=worded("Approval"),
    columns=(
        pages.Column(worded("Role"), is_number=False),
        pages.Column(worded("Name and comment"), is_number=False, share=3.0),
        pages.Column(joined((CHOICES[0], *map(lowered, CHOICES[1:])), ", "), is_number=False, share=2.0),
        pages.Column(worded("Date"), is_number=False),
        pages.Column(worded("Signature"), is_number=False, share=2.0),
    ),
    rows=tuple((role, "", "", "", "") for role in ROLES),
    is_form=True,
)


def headline_figures(evaluation: Evaluation, advice: Advice) -> tuple[pages.LargeFigure, ...]:
    """Return what twelve months of the plan save and cost; without contracts nothing is said of today."""
    project, year, unit = (
        evaluation.project,
        [month.plan_sum for month in advice.comparison],
        worded("$ in 12 months"),
    )
    has_today = any_paid(project)
    saved, nothing = (
        saved_in_year(advice),
        comparison.nothing_usd_in(advice, comparison.Horizon.TWELVE_MONTHS),
    )
    _, why = comparison.saved_inputs(comparison.Horizon.TWELVE_MONTHS, advice)
    against = why or worded("against doing nothing, {usd}", usd=amount(nothing))
    if saved is None:
        against = (
            why or worded("unknown: a rate is missing")
            if comparison.compares_with_nothing(advice)
            else worded("unknown: some demand is unserved")
        )
    elif not why and nothing:
        against = worded(
            "{share} of doing nothing, {usd}", share=percent(saved / nothing), usd=amount(nothing)
        )
    beside = worded(
        "next month {plan}; {before} {usd} per month",
        plan=sum_text(plan_sum(advice)),
        before=worded("today") if has_today else worded("all on demand"),
        usd=sum_text(cost_sum(advice, "today")),
    )
    planned = comparison.sum_in(comparison.Horizon.TWELVE_MONTHS, year)
    return (
        pages.LargeFigure(
            key="plan_12_months",
            title=titles.THE_PLAN,
            unit=unit,
            amount=planned.total,
            text=sum_text(planned),
            note=beside,
        ),
        pages.LargeFigure(
            key="savings_12_months",
            title=PLAN["savings_vs_do_nothing"].short,
            unit=unit,
            amount=saved,
            text=amount(saved),
            note=against,
        ),
    )


# ---------------------------------------------------------------- tables of decisions

_COLUMNS: Final = (
    pages.Column(worded("No."), is_number=False, share=0.5),
    pages.Column(worded("Decide by"), is_number=False, share=1.2),
    pages.Column(worded("What to do"), is_number=False, share=4.0),
    pages.Column(worded("Provider"), is_number=False, share=1.4),
    pages.Column(worded("Orders"), is_number=False),
    pages.Column(worded("Saves in 12 months, $")),
    pages.Column(worded("Commits now, $")),
    pages.Column(worded("Commits later, $")),
    pages.Column(worded("Your decision"), is_number=False, share=1.2),
)


def decision_tables(
    decisions: Sequence[NextDecision], listed: Sequence[ListedOrder], advice: Advice, approval: Approval
) -> tuple[pages.TableBlock, ...]:
    """Return what to decide now and later, with what commits now and later; none without decisions.

    decisions: in their order; listed: all orders of the plan. Savings that the plan does not contain are in the note.
    """
    now, later = now_and_later(decisions, approval)
    shown = [*now, *later]
    if not shown:
        return ()
    of_each = {row.number: committed_usd(orders_of(row, listed), approval) for row in shown}
    now_usd, later_usd = approval.usd, approval.later_usd
    of_now = known_sum(of_each[row.number].later for row in now)
    title = now_title(now, approval.seen)
    first = _table(title, now[:MOST_DECISIONS], of_each, approval, (now_usd, of_now))
    second = _table(LATER, later[: max(0, MOST_DECISIONS - len(now))], of_each, approval)
    now_words = at_least(now_usd, liability_usd(approval.now), whole)
    later_words = at_least(later_usd, liability_usd(approval.not_now), whole)
    sums = ("", "", TO_APPROVE, "", "", "", now_words, approval.summed(of_now, whole), "")
    total = ("", "", WHOLE_PLAN, "", "", whole(saved_in_year(advice)), now_words, later_words, "")
    note = _note(decisions, len(shown) - MOST_DECISIONS)
    if not later:
        return (replace(first, total=total, note=note),)
    return replace(first, total=sums), replace(second, total=total, note=note)


class Committed(NamedTuple):
    """What orders commit, $: those to be approved now, and the others. None is unknown."""

    now: float | None
    later: float | None


def orders_of(decision: NextDecision, listed: Iterable[ListedOrder]) -> list[Order]:
    """Return the orders of a decision, with those that renew them."""
    return [order for row in listed if row.decision == decision.number for order in row.orders]


def committed_usd(orders: Sequence[Order], approval: Approval) -> Committed:
    """Return what certain orders commit that are not over, now and later."""
    now = known_sum(order.liability for order in orders if order in approval.now)
    later = known_sum(
        order.liability for order in orders if order in approval.left and order not in approval.now
    )
    return Committed(now, later)


def _table(
    title: Text,
    decisions: Sequence[NextDecision],
    of_each: Mapping[int, Committed],
    approval: Approval,
    sums: tuple[float | None, float | None] = (None, None),
) -> pages.TableBlock:
    """sums: of the columns of what commits now and later, which whole dollars add up to; None: their own."""
    committed = [of_each[row.number] for row in decisions]
    now = largest_remainder([row.now for row in committed], sums[0])
    later = largest_remainder([row.later for row in committed], sums[1])
    seen = approval.seen
    return pages.TableBlock(
        title=title,
        columns=_COLUMNS,
        rows=tuple(
            (
                decision_number(row.number),
                by_day(row.by_s, seen),
                what_to_do(row, row.marked_title),
                row.provider_words,
                ", ".join(order_numbers(row.order_numbers)),
                whole(row.usd_12_months) if has_savings(row) else "",
                whole(now_usd),
                whole(later_usd),
                "",
            )
            for row, now_usd, later_usd in zip(decisions, now, later, strict=True)
        ),
        urgent=frozenset(place for place, row in enumerate(decisions) if is_urgent(row.by_s, seen)),
        day_column=1,
    )


def _note(decisions: Sequence[NextDecision], rest: int) -> Message:
    """Return what savings mean, which ones are not in the plan, what is done, and how many decisions have no room."""
    more = worded_whole(
        rest, "{count} more decision in the workbook.", "{count} more decisions in the workbook."
    )
    return pages.sentences(
        NOT_ADDED, offered_words(decisions), done_words(decisions), more if rest > 0 else ""
    )


def by_day(by_s: int | None, seen: Seen) -> Text:
    """Return the last day of a decision or order, or that it has passed on the day of writing; empty without one.

    by_s: epoch seconds.
    """
    if by_s is None:
        return ""
    return worded("overdue") if seen.is_past(by_s) else seen.day(by_s)


def is_urgent(by_s: int | None, seen: Seen) -> bool:
    """Return whether a day, epoch seconds, is within 14 days of the day of writing, or has passed."""
    return by_s is not None and seen.is_dated and by_s < seen.counted_from_s + URGENT_S


# ---------------------------------------------------------------- questions


def price_question(evaluation: Evaluation, approval: Approval) -> Message:
    """Return the question of list price or quote with the cost of waiting; empty if every order has its price.

    The orders are those to approve that want a quote first.
    """
    asked = [row for row in evaluation.listed_orders if row.status == QUOTE_FIRST]
    now = [row for row in asked if any(order in approval.now for order in row.orders)]
    if not now:
        return NO_WORDS
    numbers = ", ".join(order_numbers(row.number for row in now))
    wait = evaluation.wait_for_quotes(usual_days(approval.seen.written_s))
    waits = [] if wait is None else [waiting for row in now if (waiting := wait.of(row.number)) is not None]
    usd = known_sum(waiting.usd for waiting in waits)
    if not waits or usd is None:
        return worded("{orders}: list price now, or quotes first?", orders=numbers)
    return worded(
        "{orders}: list price now, or quotes first (at most {usd})?", orders=numbers, usd=amount(usd)
    )


def list_questions(evaluation: Evaluation, advice: Advice, approval: Approval) -> tuple[Text, ...]:
    """Return what the approver has to answer, and what is left unserved or on demand: one sentence each."""
    unknown, price = unknown_words(advice), price_question(evaluation, approval)
    words: list[Text] = [
        *((price,) if price else ()),
        *((joined((unknown, "."), ""),) if unknown and approval.now else ()),
        *(
            worded("{finding}: accept?", finding=check.message)
            for check in advice.checks
            if check.code == "provider_concentration"
        ),
        *(check.message for check in advice.checks if check.code == "contracts_left_out"),
        *describe_unserved(evaluation, advice),
    ]
    if not approval.now and not approval.later:
        if advice.totals.plan is None:
            words.append(worded("Orders unknown: enter the rates marked Quote needed on page The plan."))
        elif not approval.left and not approval.over:
            words.append(worded("Order nothing now: no commitment pays off."))
    words += filter(None, (by_the_hour(advice, evaluation.project.offers),))
    young = sum(not order.is_certain for order in advice.orders)
    if young:
        words.append(
            worded_whole(
                young,
                "{count} more order pays off only if recent demand lasts (in no total).",
                "{count} more orders pay off only if recent demand lasts (in no total).",
            )
        )
    return tuple(words)


def describe_unserved(evaluation: Evaluation, advice: Advice) -> list[Text]:
    """Which workloads the plan leaves to nobody, by why, alike names with their cluster: no amount of it has them."""
    workloads = evaluation.in_parts.project.workloads
    often = Counter(workload.name for workload in workloads)
    names = {
        work.key: f"{work.name} ({work.cluster})" if often[work.name] > 1 and work.cluster else work.name
        for work in workloads
    }
    over = dict.fromkeys(row.key for row in advice.unserved if row.reason == OVER_BUDGET)
    others = dict.fromkeys(row.key for row in advice.unserved if row.reason != OVER_BUDGET)
    kept, offered = worded("to keep the budget"), worded("by current offers")
    sentences: list[Text] = []
    for keys, why in ((over, kept), (others, offered)):
        first: list[Text] = [str(names.get(key, key)) for key in list(keys)[:MOST_NAMES]]
        if len(keys) > MOST_NAMES:
            first.append(worded("{count} more", count=whole(len(keys) - MOST_NAMES)))
        if keys:
            sentences.append(
                worded_count(
                    len(keys),
                    "{names} is unserved {why}, in no amount of the plan.",
                    "{names} are unserved {why}, in no amount of the plan.",
                    names=pages.listed(first),
                    why=why,
                )
            )
    return sentences
