"""Names too long for their card: which words may go so that what is left still tells one name from the others."""

from collections import Counter
from collections.abc import Iterable, Mapping

ELLIPSIS = "\u2026"


def telling_ends(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """By name its ends that no other name has, longest first, each after an ellipsis; only names that have some.

    >>> telling_ends(["aurora-large-pretrain", "aurora-base-pretrain", "sft"])["aurora-base-pretrain"]
    ('…base-pretrain',)
    """
    ends = {name: _ends(name) for name in set(names)}
    count = Counter(end for found in ends.values() for end in found)
    count.update(list(ends))  # a name may be the end of another
    told = {name: tuple(ELLIPSIS + end for end in found if count[end] == 1) for name, found in ends.items()}
    return {name: found for name, found in told.items() if found}


def _ends(name: str) -> tuple[str, ...]:
    """What is left of a name after its first word, its first two, and so on."""
    words = name.split("-")
    return tuple("-".join(words[at:]) for at in range(1, len(words)))
