"""How a plan is called where there is little room, such that no two plans of a project are taken for each other."""

from collections.abc import Collection, Sequence
from typing import Final

from gpuplanner.ui.words import numbers

LETTERS: Final = 18
"""Of a short name, which stands over a column of figures."""


def head_name(name: str, among: Collection[str]) -> str:
    """What stands before the first dot, where no other plan begins with it; else the name as it is.

    among: the names of all plans. A question that was kept begins like the plan that it was asked of.

    >>> head_name("Plan A · Separate", ("Plan A · Separate", "Plan B"))
    'Plan A'
    """
    head = name.split(numbers.MIDDOT, 1)[0]
    is_alone = all(other == name or other.split(numbers.MIDDOT, 1)[0] != head for other in among)
    return head if is_alone else name


def short_names(names: Sequence[str], among: Collection[str]) -> tuple[str, ...]:
    """Names of columns: heads, else what stands after the last dot, cut to the room there is; numbers at the worst.

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
