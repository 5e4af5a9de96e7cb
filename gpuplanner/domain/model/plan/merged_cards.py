"""Merged cards: several workloads or parts shown as one on the board, by name."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal

Merges = Mapping[str, tuple[str, ...]]
"""Merged cards of a plan: by name the keys of the cards, ascending, at least two; a card is in at most one."""
LONGEST_NAME: Final = 120


def merge_of(key: str, merges: Merges) -> str | None:
    """Return the name of the merged card with this card; None for a single card."""
    return next((name for name, keys in merges.items() if key in keys), None)


def with_those_merged(keys: Iterable[str], merges: Merges) -> tuple[str, ...]:
    """Return these cards and all cards merged with them, each once, so that an edit applies to all.

    Order as given; cards of a merged card in the order of its keys.
    """
    given = tuple(keys)
    if not merges:
        return given
    group = {key: members for members in merges.values() for key in members}
    return tuple(dict.fromkeys(card for key in given for card in group.get(key, (key,))))


def without_cards(merges: Merges, gone: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the merged cards without the cards in `gone`; a merged card with one card left is dropped."""
    left = {name: tuple(key for key in keys if key not in gone) for name, keys in merges.items()}
    return {name: keys for name, keys in left.items() if len(keys) > 1}


def check_merges(merges: Merges) -> None:
    """Check the merged cards of a plan.

    Errors: PlannerError unless each name is 1 to 120 printable characters without surrounding spaces, and its cards are
    two or more, sorted, and in one merged card each.
    """
    seen: set[str] = set()
    for name, keys in merges.items():
        if not name or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise refusal(
                "name",
                worded("not a valid name"),
                worded("enter 1 to {most} letters on one line", most=whole(LONGEST_NAME)),
            )
        if len(keys) < 2 or list(keys) != sorted(set(keys)) or seen & set(keys):
            raise refusal(
                name, worded("its cards cannot be merged"), worded("choose two or more cards, each once")
            )
        seen |= set(keys)
