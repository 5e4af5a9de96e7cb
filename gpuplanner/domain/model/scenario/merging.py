"""Cards of a plan that stand on the board as one: by name, the workloads or parts that it is made of."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError

Merges = Mapping[str, tuple[str, ...]]
"""Of a plan: name of a merged card -> keys of its cards, ascending, at least two; a card is in at most one."""

LONGEST_NAME: Final = 120


def merge_of(key: str, merges: Merges) -> str | None:
    """The merged card that a card is in; None for one that stands alone.

    Its name, of which there is one at most.
    """
    return next((name for name, keys in merges.items() if key in keys), None)


def with_those_merged(keys: Iterable[str], merges: Merges) -> tuple[str, ...]:
    """These cards and all that are merged with one of them, each once: what is done to one is done to all.

    In given order, those of a merged card in that of its keys.
    """
    given = tuple(keys)
    if not merges:
        return given
    group = {key: members for members in merges.values() for key in members}
    return tuple(dict.fromkeys(one for key in given for one in group.get(key, (key,))))


def without_cards(merges: Merges, gone: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Merged cards without these; one that has a single card left is no merged card any more.

    gone: keys of cards. Names stay.
    """
    left = {name: tuple(key for key in keys if key not in gone) for name, keys in merges.items()}
    return {name: keys for name, keys in left.items() if len(keys) > 1}


def check_merges(merges: Merges) -> None:
    """Errors: PlannerError for a name or members that no merged card can have.

    A name is 1 to 120 printable letters without blanks around it; cards are two or more, sorted, in one
    merged card each.
    """
    seen: set[str] = set()
    for name, keys in merges.items():
        if not name or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise PlannerError(
                "name",
                "usage",
                worded("it is no name"),
                worded("enter 1 to {longest_name} letters on one line", longest_name=whole(LONGEST_NAME)),
            )
        if len(keys) < 2 or list(keys) != sorted(set(keys)) or seen & set(keys):
            raise PlannerError(
                name,
                "usage",
                worded("its cards cannot be merged"),
                worded("choose two cards or more, each once"),
            )
        seen |= set(keys)
