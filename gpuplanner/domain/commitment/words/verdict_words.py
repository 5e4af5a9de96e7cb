"""What follows an existing contract, in words: from how many GPUs to how many, from what term to which."""

from typing import Final

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.term_words import term_words, terms_words

VERDICTS: Final = {
    "keep": worded("keep it"),
    "renew": worded("renew"),
    "shorten": worded("renew for less time"),
    "let_expire": worded("let it end"),
}
"""What the JSON calls a verdict -> its words, of a contract that ends by itself."""
STOP: Final = worded("stop it")
_GPUS: Final = worded("GPUs")


def follows(verdict: Verdict) -> bool:
    """Whether GPUs are signed in the contract's place.

    False, too, where the contract is kept as it is.
    """
    return bool(verdict.gpus and verdict.then_term_months)


def change_words(verdict: Verdict, contract: Contract | None, unit: Text = _GPUS) -> Text:
    """64 \u2192 10 GPUs, 36 \u2192 mostly 12 months; "" where nothing follows. unit: what is counted, such as H100.

    contract: None where nobody knows it any more; what is then said is what follows alone.
    """
    if not follows(verdict):
        return ""
    before, term = (None, None) if contract is None else (contract.gpus, contract.term_months)
    return joined((_gpus(before, verdict.gpus, unit), _term(term, verdict)), ", ")


def is_to_stop(verdict: Verdict, contract: Contract) -> bool:
    """Whether somebody has to stop it for the plan to come true: what is paid by use, or has no end, runs on.

    False where it is kept, and where its end is its own.
    """
    return verdict.verdict == "let_expire" and (not contract.is_committed or contract.end_s is None)


def step_words(verdict: Verdict, contract: Contract | None) -> Text:
    """What to do about a contract: keep it, renew, let it end; stop it where it is paid by use, with its notice.

    contract: None where nobody knows it any more.
    """
    if contract is None or not is_to_stop(verdict, contract):
        step = VERDICTS.get(verdict.verdict, verdict.verdict)
        return worded("{step} if its demand lasts", step=step) if verdict.if_it_lasts else step
    notice = contract.notice_days
    if not notice:
        return STOP
    return worded_count(
        notice, "stop it: {days} day's notice", "stop it: {days} days' notice", days=whole(notice)
    )


def verdict_words(verdict: Verdict, contract: Contract | None) -> Text:
    """Renew for less time: 64 \u2192 10 GPUs, 36 \u2192 12 months; let it end."""
    words = step_words(verdict, contract)
    change = change_words(verdict, contract)
    return worded("{verdict}: {change}", verdict=words, change=change) if change else words


def _gpus(before: float | None, after: float, unit: Text) -> Message:
    """From how many to how many; one number where it stays."""
    if before is None or before == after:
        return worded("{gpus} {unit}", gpus=significant(after, 10), unit=unit)
    return worded(
        "{before} \u2192 {gpus} {unit}",
        before=significant(before, 10),
        gpus=significant(after, 10),
        unit=unit,
    )


def _term(before: int | None, verdict: Verdict) -> Message:
    """From which term to which; mostly, where several follow."""
    term = terms_words(verdict.then_terms)
    if len(verdict.shares) > 1:
        term = worded("mostly {term}", term=term)
    if before is None or before == verdict.then_term_months:
        return term
    is_of_days = any(days for _, days in verdict.then_terms)  # else 36 \u2192 12 months: the noun once
    return worded(
        "{before} \u2192 {term}", before=term_words(before) if is_of_days else whole(before), term=term
    )
