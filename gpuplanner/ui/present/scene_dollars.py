"""Dollars as scenes say them: $334k and $7.3M, and parts that add up to their total as it is said."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

SHORT_FROM: Final = 10_000.0
"""$ from which thousands are said: below it a thousand is too coarse."""


def amount(usd: float | None) -> str:
    """$334k, $7.3M, $8,120; a dash where it is unknown."""
    if usd is None:
        return numbers.UNKNOWN
    if abs(usd) < SHORT_FROM:
        return numbers.dollars(usd)
    if 999_500 <= abs(usd) < 1e6:  # it rounds to a million, which is not "1,000k"
        return numbers.short_dollars(1e6 if usd > 0 else -1e6)
    return numbers.short_dollars(usd)


def parts(amounts: Sequence[float | None], total: float | None) -> list[str]:
    """Each amount as it is said, in one step for all, so that the thousands add up to those of the total."""
    known = [usd for usd in amounts if usd is not None]
    step = 1000.0 if max((abs(usd) for usd in (*known, total or 0.0)), default=0.0) >= SHORT_FROM else 1.0
    adds_up = total is not None and None not in amounts and abs(sum(known) - total) <= 1
    steps = [None if usd is None else usd / step for usd in amounts]
    whole = largest_remainder(steps, total / step if adds_up and total is not None else None)
    return [numbers.UNKNOWN if count is None else _written_in(count, step) for count in whole]


def beside_others(usd: float | None, largest: float) -> str:
    """One of a column of amounts: all of them in thousands where the largest is; a dash where it is unknown."""
    if usd is None or largest < SHORT_FROM:
        return numbers.dollars(usd)
    return numbers.short_dollars(round(usd, -3)) if usd >= 500 else tr("< $1k")


def _written_in(count: int, step: float) -> str:
    """So many steps of dollars, short unless they are single dollars."""
    usd = count * step
    return numbers.dollars(usd) if step == 1.0 or not count else numbers.short_dollars(usd)


def chained(amounts: Sequence[tuple[str, float | None]]) -> list[str]:
    """Amounts of a waterfall (kind, $) as they are said: a step is the difference of what is said before and after.

    Steps between two bars that stand on zero add up to their difference in thousands, by largest remainder.
    """
    texts = [amount(usd) for _, usd in amounts]
    anchors = [at for at, (kind, _) in enumerate(amounts) if kind in ("start", "result")]
    for first, last in pairwise(anchors):
        begin, end = amounts[first][1], amounts[last][1]
        steps = [usd for _, usd in amounts[first + 1 : last]]
        if begin is None or end is None or None in steps:
            continue
        by = 1000.0 if max(abs(begin), abs(end)) >= SHORT_FROM else 1.0
        total = (round(end / by) - round(begin / by)) * by
        whole = largest_remainder([(usd or 0.0) / by for usd in steps], total / by)
        for at, count in enumerate(whole, first + 1):
            usd = (count or 0) * by
            sign = "+" if usd > 0 else ""
            texts[at] = (
                f"{sign}{numbers.dollars(usd) if by == 1.0 or not usd else numbers.short_dollars(usd)}"
            )
    return texts
