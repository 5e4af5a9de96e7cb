"""Shares: how much of a plan's first month a provider or a region may have."""

from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.only import ANYBODY, Only, check_only, who_words
from gpuplanner.domain.model.errors import PlannerError


def read_share(text: str) -> float | None:
    """40% or 0.4, as a share 0..1; None for an empty text or none: no limit. Errors: PlannerError.

    >>> read_share("40%"), read_share("0.4"), read_share("none")
    (0.4, 0.4, None)
    """
    said = text.strip().lower()
    if said in ("", "none"):
        return None
    try:
        share = float(said[:-1]) / 100 if said.endswith("%") else float(said)
    except ValueError:
        share = -1.0
    return _in_range(share, text)


def _in_range(share: float, text: str) -> float:
    """A share, 0..1. Errors: PlannerError with what was said."""
    if not 0 <= share <= 1:
        what = worded("{share} is no share", share=repr(text))
        remedy = worded("enter {low} to {high}", low=percent(0.0), high=percent(1.0))
        raise PlannerError(text, "usage", what, remedy)
    return share


def check_share(who: Only, share: float) -> float:
    """The share itself, 0..1. Errors: PlannerError where it is none, or is of nobody that may have one."""
    check_only(str(who), who)
    if who == ANYBODY or who.not_provider:
        what = worded("a share is of a provider or a region")
        raise PlannerError(str(who_words(who)), "usage", what, worded("name one"))
    is_number = isinstance(share, int | float) and not isinstance(share, bool)
    return _in_range(float(share) if is_number else -1.0, str(share))
