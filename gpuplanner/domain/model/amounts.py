"""Amounts of which some may be unknown: unknown is not nought."""

from collections.abc import Iterable


def known_sum(amounts: Iterable[float | None]) -> float | None:
    """The sum; None as soon as one of them is unknown. Of nothing it is 0."""
    total = 0.0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
