"""Verdicts: what to do about each existing contract when it ends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuplanner.domain.commitment.plan.orders import FirstCommitment
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar, lead_s
from gpuplanner.domain.commitment.result import THE_WINDOW, Verdict
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import (
    first_missed_month,
    has_notice_passed,
    merit,
    notice_s,
)
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.pool import SERVING_ORDER
from gpuplanner.domain.model.window import DAY_S, MONTH_S, Window

KEEP_AFTER_MONTHS = 24
MONTHS_BEFORE = 2


@dataclass(slots=True)
class _Open:
    """A first commitment and the GPUs of it that no contract has taken yet."""

    first: FirstCommitment
    gpus: float


def verdicts_of(
    contracts: Sequence[Contract],
    firsts: Sequence[FirstCommitment],
    served: dict[str, int],
    window: Window,
    origin: Message = THE_WINDOW,
    calendar: Calendar = ANY_TIME,
) -> tuple[Verdict, ...]:
    """One verdict for each contract that has not ended when the plan begins, by contract_id (docs/formulas.md).

    origin: what reasons count days and months from.
    """
    answer: dict[str, Verdict] = {}
    to_share: list[tuple[int, Contract]] = []
    for contract in contracts:
        missed = first_missed_month(contract, window)
        if contract.end_s is not None and contract.end_s <= window.end_s:
            continue
        if not contract.is_committed:
            answer[contract.contract_id] = _expire(contract, worded("on demand: planned afresh"))
        elif missed is None or (contract.end_s or 0) - window.end_s > KEEP_AFTER_MONTHS * MONTH_S:
            why = (
                worded("has no end")
                if missed is None
                else worded(
                    "ends more than {keep_after_months} months after {origin}",
                    keep_after_months=whole(KEEP_AFTER_MONTHS),
                    origin=origin,
                )
            )
            answer[contract.contract_id] = Verdict(
                contract.contract_id, "keep", 0, 0.0, _notice_by(contract), why
            )
        else:
            to_share.append((missed, contract))
    commitments = [_Open(first, first.gpus) for first in firsts]
    to_share.sort(key=lambda one: (one[0], -served.get(one[1].contract_id, 0), merit(one[1])))
    for missed, contract in to_share:
        answer[contract.contract_id] = _shared(contract, missed, commitments, window, origin, calendar)
    for contract in contracts:
        if contract.contract_id in answer and has_notice_passed(contract, window.end_s):
            answer[contract.contract_id] = _renewing(answer[contract.contract_id])
    return tuple(answer[contract_id] for contract_id in sorted(answer))


def _renewing(verdict: Verdict) -> Verdict:
    """The verdict with the word that its notice can no longer be given."""
    renews = worded("its notice has passed: it renews unless it is negotiated")
    return replace(verdict, reason=joined((verdict.reason, renews), "; "))


def _notice_by(contract: Contract) -> int | None:
    """The last moment to give notice, epoch seconds; None for a contract without an end."""
    return None if contract.end_s is None else contract.end_s - notice_s(contract)


def _expire(contract: Contract, reason: Message) -> Verdict:
    """Let it end: nothing is signed in its place."""
    return Verdict(contract.contract_id, "let_expire", 0, 0.0, _notice_by(contract), reason)


def _is_open(one: _Open, contract: Contract, missed: int) -> bool:
    """Whether a first commitment may take a contract's place: in time, of its model, and of its pool where it
    is pinned.
    """
    first = one.first
    in_time = first.month == 0 if missed == 0 else max(1, missed - MONTHS_BEFORE) <= first.month <= missed
    return (
        in_time
        and one.gpus > 0
        and gpu_model_of(first.gpu_model) == contract.gpu_model
        and (contract.pool is None or contract.pool is first.pool)
    )


def _shared(
    contract: Contract,
    missed: int,
    commitments: list[_Open],
    window: Window,
    origin: Message,
    calendar: Calendar,
) -> Verdict:
    """Take from the term with most GPUs still open (tie: shorter), up to the contract's own GPUs."""
    share: dict[int, float] = {}
    sold: dict[tuple[int, int | None], float] = {}
    are_young: list[bool] = []
    longest_lead_s, needed = 0, contract.gpus
    quoted_until_s: list[int] = []
    while needed > 0:
        by_term: dict[int, float] = {}
        for one in commitments:
            if _is_open(one, contract, missed):
                term = one.first.offer.term_months
                by_term[term] = by_term.get(term, 0.0) + one.gpus
        if not by_term:
            break
        term = min(by_term, key=lambda term: (-by_term[term], term))
        for one in sorted(commitments, key=_taking_order):
            if needed > 0 and one.first.offer.term_months == term and _is_open(one, contract, missed):
                taken = min(needed, one.gpus)
                one.gpus -= taken
                needed -= taken
                share[term] = share.get(term, 0.0) + taken
                are_young.append(one.first.if_it_lasts)
                as_sold = (term, one.first.offer.term_days)
                sold[as_sold] = sold.get(as_sold, 0.0) + taken
                longest_lead_s = max(longest_lead_s, lead_s(one.first.offer))
                if answered_row(one.first.offer) and one.first.offer.last_order_s is not None:
                    quoted_until_s.append(one.first.offer.last_order_s)
    if not share:
        return _expire(
            contract,
            worded("nothing follows it") + _later(contract, missed, commitments, window, origin, calendar),
        )
    then = min(share, key=lambda term: (-share[term], term))
    shorter = contract.term_months is not None and then < contract.term_months
    shares = tuple((sold[term], term) for term in sorted(sold, key=lambda one: (one[0], one[1] or 0)))
    return Verdict(
        contract.contract_id,
        "shorten" if shorter else "renew",
        then,
        sum(share.values()),
        min([(contract.end_s or 0) - max(notice_s(contract), longest_lead_s), *quoted_until_s]),
        joined((_in_words(gpus, term_words(*term)) for gpus, term in shares), " + "),
        shares,
        all(are_young),
    )


def _in_words(gpus: float, term: Message) -> Message:
    """14 GPUs for 3 months."""
    return worded(
        "{gpus} for {term}",
        gpus=worded_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=significant(gpus)),
        term=term,
    )


def _taking_order(one: _Open) -> tuple[int, float, int, str]:
    """Who takes a contract's place first: serving order, then the shorter lead, the earlier month, the
    offer's id.
    """
    first = one.first
    return SERVING_ORDER.index(first.pool), first.offer.lead_time_hours, first.month, first.offer.offer_id


def _later(
    contract: Contract,
    missed: int,
    commitments: list[_Open],
    window: Window,
    origin: Message,
    calendar: Calendar,
) -> Text:
    """When one follows after all, later, because no offer can start sooner."""
    months = [
        one.first
        for one in commitments
        if one.first.month > missed
        and one.first.month == calendar.first_month(one.first.offer)
        and gpu_model_of(one.first.gpu_model) == contract.gpu_model
        and (contract.pool is None or contract.pool is one.first.pool)
    ]
    if not months:
        return ""
    soonest = min(months, key=lambda one: (one.month, calendar.delay_s(one.offer, one.month)))
    days = calendar.delay_s(soonest.offer, soonest.month) / DAY_S
    return worded(
        " then; a commitment follows {days} days after {origin}, when its lead time allows",
        days=whole(days),
        origin=origin,
    )
