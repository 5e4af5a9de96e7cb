"""How plans are called where there is little room: by what stands before the dot, and by their letters."""

from collections.abc import Sequence

from gpuplanner.domain.message import Message, joined
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr


def short(name: str) -> str:
    """Plan A of "Plan A, a dot, Separate"; any other name as it is."""
    return name.split(numbers.MIDDOT, 1)[0]


def shorts(names: Sequence[str]) -> tuple[str, ...]:
    """Short names; where two of them would be the same their ends, as of a plan and its question, or all of them.

    >>> shorts(("Plan A \u00b7 Separate", "Plan A \u00b7 Separate \u00b7 what if"))
    ('Plan A', 'what if')
    """
    cut = tuple(short(name) for name in names)
    if len(set(cut)) < len(cut):  # a question has the name of its plan before its own
        longer = {name for name in names for other in names if name.startswith(other + numbers.MIDDOT)}
        cut = tuple(name.rsplit(numbers.MIDDOT, 1)[-1] if name in longer else short(name) for name in names)
    return cut if len(set(cut)) == len(cut) else tuple(names)


def heading(name: str) -> Message:
    """The name of a plan over a column: from the data, no word for a translator."""
    return joined((name,))


def less(other: str, first: str) -> Message:
    """B - A with a true minus for Plan B and Plan A; else the whole names."""
    return joined((_letter(other), f" {numbers.MINUS} ", _letter(first)))


def against(other: str, first: str) -> str:
    """B against A."""
    return tr("{plan} against {first}", plan=_letter(other), first=_letter(first))


def _letter(name: str) -> str:
    """The letter of a plan with its usual name, else the name."""
    return name.removeprefix("Plan ") or name
