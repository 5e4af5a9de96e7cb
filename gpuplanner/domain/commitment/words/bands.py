"""Bands of cost in words: what they are drawn from, how past bands did, and the sizes beside the advice."""

from typing import Final

from gpuplanner.domain.commitment.outlook_result import Uncertainty
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded

SIZE_NAMES: Final = {
    "advice": worded("As advised"),
    "one_less": worded("A unit less"),
    "quarter_less": worded("A quarter less"),
    "one_more": worded("A unit more"),
    "quarter_more": worded("A quarter more"),
}
"""Sizes of the shortest term by their names in SizeBand, as tables of documents have them."""


def coverage_words(band: Uncertainty) -> Message:
    """7 of 9 months fell inside; or that nothing could be tested.

    band: with its coverage, a ratio, None where too few months could be tested.
    """
    if band.coverage is None:
        return worded("untested: too few months of log")
    return worded(
        "{inside} of {folds} months in range",
        inside=whole(round(band.coverage * band.coverage_folds)),
        folds=whole(band.coverage_folds),
    )


def drawn_words(band: Uncertainty) -> Message:
    """What the band holds, and what it does not."""
    return worded(
        "{resamples} draws of log weeks, demand and ending workloads, with fixed advice; prices have their own "
        "table",
        resamples=whole(band.resamples),
    )
