"""The band in words: what it is drawn from, and how past bands did."""

from typing import Final

from gpuplanner.domain.commitment.outlook_result import Uncertainty
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded

SIZE_NAMES: Final = {
    "advice": "As advised",
    "one_less": "A unit less",
    "quarter_less": "A quarter less",
    "one_more": "A unit more",
    "quarter_more": "A quarter more",
}
"""Sizes of the shortest term by their names in SizeBand, as tables of documents have them."""


def coverage_words(band: Uncertainty) -> Message:
    """7 of 9 months fell inside; or that nothing could be tested.

    band: with its coverage, a ratio, None where too few months could be tested.
    """
    if band.coverage is None:
        return worded("untested: the log has too few months to hold it against")
    return worded(
        "{inside} of {folds} months fell inside",
        inside=whole(round(band.coverage * band.coverage_folds)),
        folds=whole(band.coverage_folds),
    )


def drawn_words(band: Uncertainty) -> Message:
    """What the band holds, and what it does not."""
    return worded(
        "{resamples} draws of the log's weeks, of how far demand moves and of workloads that end, the advice held "
        "fixed; prices have their own table",
        resamples=whole(band.resamples),
    )
