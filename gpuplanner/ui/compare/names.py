"""How plans are called where there is little room: by what stands before the dot, and by their letters."""

from collections.abc import Sequence

from gpuplanner.domain.message import Message, joined
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr


def short(name: str) -> str:
    """Plan A of "Plan A, a dot, Separate"; any other name as it is."""
    return name.split(numbers.MIDDOT, 1)[0]


def shorts(names: Sequence[str]) -> tuple[str, ...]:
    """Short names, or the whole ones where two of them would be the same."""
    cut = tuple(short(name) for name in names)
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
