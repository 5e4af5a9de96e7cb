"""Short names of plans, unique within a project."""

from collections.abc import Collection, Sequence
from typing import Final

from gpuplanner.ui.words import numbers

LETTERS: Final = 18
"""Longest short name, for the heading of a column of figures."""


def head_name(name: str, among: Collection[str]) -> str:
    """Return the part before the first dot, if no other plan starts with it; otherwise the name.

    among: names of all plans. A saved question starts like the plan it was asked about.

    >>> head_name("Plan A · Separate", ("Plan A · Separate", "Plan B"))
    'Plan A'
    """
    head = name.split(numbers.MIDDOT, 1)[0]
    is_alone = all(other == name or other.split(numbers.MIDDOT, 1)[0] != head for other in among)
    return head if is_alone else name


def short_names(names: Sequence[str], among: Collection[str]) -> tuple[str, ...]:
    """Return short names for columns: the head, otherwise the part after the last dot, shortened; numbers if not
    unique.

    >>> both = ("Plan A · Separate", "Plan A · Separate · growth 5%, longest term 12 months")
    >>> short_names(both, both)
    ('Separate', 'growth 5%, longes…')
    """
    heads = (head_name(name, among) for name in names)
    tails = (head.rsplit(numbers.MIDDOT, 1)[-1] for head in heads)
    cut = tuple(
        tail if len(tail) <= LETTERS else f"{tail[: LETTERS - 1].rstrip(' ,')}\u2026" for tail in tails
    )
    return cut if len(set(cut)) == len(cut) else tuple(map(numbers.whole, range(1, len(names) + 1)))
