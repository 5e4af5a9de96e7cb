"""What follows an existing contract, in words: from how many GPUs to how many, from what term to which."""

from typing import Final

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.term_words import term_words

VERDICTS: Final = {
    "keep": worded("keep it"),
    "renew": worded("renew"),
    "shorten": worded("renew for less time"),
    "let_expire": worded("let it end"),
}
"""What the JSON calls a verdict -> its words."""
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


def verdict_words(verdict: Verdict, contract: Contract | None, unit: Message = _GPUS) -> Text:
    """Renew for less time: 64 \u2192 10 GPUs, 36 \u2192 12 months; let it end.

    unit: what is counted.
    """
    words = VERDICTS.get(verdict.verdict, verdict.verdict)
    change = change_words(verdict, contract, unit)
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
    term = term_words(verdict.then_term_months)
    if len(verdict.shares) > 1:
        term = worded("mostly {term}", term=term)
    if before is None or before == verdict.then_term_months:
        return term
    return worded("{before} \u2192 {term}", before=whole(before), term=term)
