"""Verdicts on contracts in words: what to do with each, and what follows it."""

from typing import Final

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import Contract, term_words, terms_words
from gpuplanner.domain.model.book.renewal import decided_by_s

VERDICTS: Final = {
    "keep": worded("keep"),
    "renew": worded("renew"),
    "end": worded("end (give notice)"),
    "replace": worded("replace"),
    "shorten": worded("shorten"),
    "let_expire": worded("let expire"),
}
"""Words for a verdict of the JSON, where the contract ends without notice."""
STOP: Final = worded("end it")
ANEW: Final = worded("end (give notice) and replace")
"""For a contract that would renew unchanged, whatever the plan orders in its place."""
_GPUS: Final = worded("GPUs")
IS_LATER: Final = worded("what follows is not yet planned")


def follows(verdict: Verdict) -> bool:
    """Return whether orders follow the contract; False if it is kept as it is."""
    return bool(verdict.gpus and verdict.then_term_months)


def change_words(verdict: Verdict, contract: Contract | None, unit: Text = _GPUS) -> Text:
    """Return the change in words: 64 → 10 GPUs, 36 → mostly 12 months, 4 more if it lasts; "" without following orders.

    unit: of the GPUs, such as H100. contract: None if unknown; only the following orders are then described.
    """
    parts = []
    if follows(verdict):
        before, term = (None, None) if contract is None else (contract.gpus, contract.term_months)
        parts = [_gpus_before_and_after(before, verdict.gpus, unit), _term(term, verdict)]
    if verdict.if_it_lasts_gpus:
        parts.append(if_it_lasts_words(verdict))
    return joined(parts, ", ")


def if_it_lasts_words(verdict: Verdict) -> Message:
    """Return the GPUs that follow a contract only if recent demand continues: 4 more if it lasts."""
    return worded("{gpus} more if it lasts", gpus=significant(verdict.if_it_lasts_gpus))


def decided_words(decision: Message, verdict: Verdict) -> Message:
    """Return a decision about a contract, with the GPUs that follow it only if recent demand continues."""
    if not verdict.if_it_lasts_gpus:
        return decision
    return worded("{verdict} ({change})", verdict=decision, change=if_it_lasts_words(verdict))


def is_to_stop(verdict: Verdict, contract: Contract) -> bool:
    """Return whether the user has to stop a contract for the plan: it is on demand, or has no end."""
    return verdict.verdict == "let_expire" and (not contract.is_committed or contract.end_s is None)


def ends_by_notice(contract: Contract) -> bool:
    """Return whether somebody has to give notice so that a contract ends: a notice is stated, and no end without it."""
    return bool(contract.is_committed and contract.notice and contract.renews_months != 0)


def decide_by_s(verdict: Verdict, contract: Contract | None) -> int | None:
    """Return the last day to order the successor of a contract or to give notice, epoch seconds; None without one.

    `Verdict.order_by_s` in documents is the instant of the deadline. If that is set by the notice, or by the end
    without any order, the last day is the day before; following orders have their own deadlines, but not after that
    end. contract: None if unknown.
    """
    if verdict.continued_by is not None:
        return None
    if verdict.verdict == "end" and verdict.order_by_s is not None:
        return verdict.order_by_s - 1
    if contract is None or verdict.order_by_s is None or contract.end_s is None:
        return verdict.order_by_s
    return min(verdict.last_day_s or verdict.order_by_s, decided_by_s(contract, contract.end_s))


def step_words(verdict: Verdict, contract: Contract | None) -> Text:
    """Return the action for a contract: keep, renew, end (give notice), replace, shorten, let expire. contract: None if
    unknown.
    """
    if verdict.continued_by is not None:
        return worded("goes on as {contract}", contract=verdict.continued_by)
    if verdict.is_later and verdict.verdict != "end":
        return IS_LATER
    if contract is None or not is_to_stop(verdict, contract):
        step = VERDICTS.get(verdict.verdict, verdict.verdict)
        if verdict.verdict == "end" and follows(verdict):
            step = ANEW
        return step
    notice = contract.notice
    if not notice:
        return STOP
    return worded_count(
        notice, "end it ({days} day's notice)", "end it ({days} days' notice)", days=whole(notice)
    )


def verdict_words(verdict: Verdict, contract: Contract | None) -> Text:
    """Return action and change in words: shorten (64 → 10 GPUs, 36 → 12 months); renew."""
    words, change = step_words(verdict, contract), change_words(verdict, contract)
    return worded("{verdict} ({change})", verdict=words, change=change) if change else words


def _gpus_before_and_after(before: float | None, after: float, unit: Text) -> Message:
    """Return the GPUs before and after; one number if equal."""
    if before is None or before == after:
        return worded("{gpus} {unit}", gpus=significant(after, 10), unit=unit)
    return worded(
        "{before} → {gpus} {unit}", before=significant(before, 10), gpus=significant(after, 10), unit=unit
    )


def _term(before: int | None, verdict: Verdict) -> Message:
    """Return the terms before and after; mostly, if several follow."""
    term = terms_words(verdict.then_terms)
    if len(verdict.shares) > 1:
        term = worded("mostly {term}", term=term)
    if before is None or before == verdict.then_term_months:
        return term
    is_of_days = any(days for _, days in verdict.then_terms)  # otherwise 36 → 12 months, with one noun
    return worded("{before} → {term}", before=term_words(before) if is_of_days else whole(before), term=term)
