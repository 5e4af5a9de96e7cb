"""In which column every card stands and in what order: plain functions."""

from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.ui.lanes import LANES, Lane
from gpuplanner.ui.shown import lane_of_card

Usd = Mapping[str, float | None]
Lanes = dict[Lane, list[CardFigures]]

MOST_MOVED: Final = 200
"""More cards than this at once, and sorting afresh is as fast."""


def _by_usd(usd: Usd) -> Callable[[CardFigures], Any]:
    def key(card: CardFigures) -> tuple[float, float, str]:
        amount = usd.get(card.key)
        return (-amount if amount is not None else 0.0, -card.gpu_hours_per_month, card.key)

    return key


SORTS: Final[dict[str, Callable[[Usd], Callable[[CardFigures], Any]]]] = {
    "Dearest first": _by_usd,
    "Largest first": lambda usd: lambda card: (-card.gpu_hours_per_month, card.key),
    "Name": lambda usd: lambda card: (card.name, card.key),
    "Least certain first": lambda usd: lambda card: (card.classification.confidence, card.key),
}
"""Title -> a function of the dollars that gives the sort key of a card."""


def in_lanes(cards: Iterable[CardFigures], usd: Usd, sort: str) -> Lanes:
    """The cards of each column, sorted."""
    lanes: Lanes = {lane: [] for lane in LANES}
    add = {lane: found.append for lane, found in lanes.items()}
    for card in cards:
        add[lane_of_card(card)](card)
    key = SORTS[sort](usd)
    for found in lanes.values():
        found.sort(key=key)
    return lanes


def moved_in_lanes(
    lanes: Lanes, before: Sequence[CardFigures], after: Sequence[CardFigures], usd: Usd, sort: str
) -> Lanes | None:
    """The columns after a move of few cards, by putting those in their places; None where that is not worth it.

    before and after: all cards in one order. Law: equal to in_lanes(after, usd, sort).
    """
    if len(before) != len(after):
        return None
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old is not new]
    if len(changed) > MOST_MOVED:
        return None
    key = SORTS[sort](usd)
    made = dict(lanes)
    for lane in {lane_of_card(old) for old, _ in changed}:
        gone = {id(old) for old, _ in changed}
        made[lane] = [card for card in made[lane] if id(card) not in gone]
    for _, new in changed:
        lane = lane_of_card(new)
        if made[lane] is lanes[lane]:
            made[lane] = list(lanes[lane])
        insort(made[lane], new, key=key)
    return made
