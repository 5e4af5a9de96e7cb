"""What follows an existing contract, in words: from how many GPUs to how many, from what term to which."""

from typing import Final

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.worded import worded

VERDICTS: Final = {
    "keep": worded("keep it"),
    "renew": "renew",
    "shorten": worded("renew for less time"),
    "let_expire": worded("let it end"),
}
"""What the JSON calls a verdict -> its words."""


def follows(verdict: Verdict) -> bool:
    """Whether GPUs are signed in the contract's place."""
    return bool(verdict.gpus and verdict.then_term_months)


def change_words(verdict: Verdict, contract: Contract | None, unit: str = "GPUs") -> str:
    """64 \u2192 10 GPUs, 36 \u2192 mostly 12 months; "" where nothing follows. unit: what is counted, such as H100."""
    if not follows(verdict):
        return ""
    before, term = (None, None) if contract is None else (contract.gpus, contract.term_months)
    months = f"{verdict.then_term_months:,} {'month' if verdict.then_term_months == 1 else 'months'}"
    mostly = worded("mostly ") if " + " in verdict.reason else ""
    return ", ".join(
        (
            f"{_from(before, verdict.gpus, ',.10g')}{verdict.gpus:,.10g} {unit}",
            f"{_from(term, verdict.then_term_months, ',')}{mostly}{months}",
        )
    )


def verdict_words(verdict: Verdict, contract: Contract | None, unit: str = "GPUs") -> str:
    """Renew for less time: 64 \u2192 10 GPUs, 36 \u2192 12 months; let it end."""
    words = VERDICTS.get(verdict.verdict, verdict.verdict)
    change = change_words(verdict, contract, unit)
    return f"{words}: {change}" if change else words


def _from(before: float | None, after: float, form: str) -> str:
    return "" if before is None or before == after else f"{before:{form}} \u2192 "
