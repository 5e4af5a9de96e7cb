"""Amounts of which some may be unknown (unknown is not nought), and whole ones that add up to their total."""

from collections.abc import Iterable, Sequence


def known_sum(amounts: Iterable[float | None]) -> float | None:
    """The sum; None as soon as one of them is unknown. Of nothing it is 0.

    >>> known_sum([1.5, 2]), known_sum([1.5, None]), known_sum([])
    (3.5, None, 0.0)
    """
    total = 0.0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total


def largest_remainder(values: Sequence[float | None], total: float | None = None) -> list[int | None]:
    """Whole numbers that add up to the rounded total: what is cut off goes to the largest remainders.

    Unknown values stay unknown. Source: the largest remainder method of apportionment (Hamilton).
    """
    known = [(index, value) for index, value in enumerate(values) if value is not None]
    rounded: list[int | None] = [None] * len(values)
    floors = {index: int(value // 1) for index, value in known}
    missing = round(sum(value for _, value in known) if total is None else total) - sum(floors.values())
    by_remainder = sorted(known, key=lambda item: (-(item[1] % 1), item[0]))
    for place, (index, _) in enumerate(by_remainder):
        rounded[index] = floors[index] + (1 if place < missing else 0)
    return rounded
