"""Columns of cards and their order, by $ or another figure; and cards that moved."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, repeat
from operator import and_, attrgetter, is_, is_not, neg, not_
from typing import Any, Final

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state.view_state import lane_of_card
from gpuplanner.ui.words.lanes import LANES, Lane

Usd = Mapping[str, float | None]
Lanes = dict[Lane, list[CardFigures]]

MOST_MOVED: Final = 200
"""More cards than this at once, and sorting afresh is as fast."""


def _by_usd(usd: Usd) -> Callable[[CardFigures], Any]:
    """A key that sorts by dollars a month, most expensive first; unknown counts 0, then by GPU-hours."""

    def key(card: CardFigures) -> tuple[float, float, str]:
        """Dollars, then GPU-hours, both falling, then the key: the order never wavers."""
        amount = usd.get(card.key)
        return (-amount if amount is not None else 0.0, -card.gpu_hours_per_month, card.key)

    return key


SORTS: Final[dict[str, Callable[[Usd], Callable[[CardFigures], Any]]]] = {
    "Most expensive first": _by_usd,
    "Largest first": lambda usd: lambda card: (-card.gpu_hours_per_month, card.key),
    "Name": lambda usd: lambda card: (card.name, card.key),
    "Least certain first": lambda usd: lambda card: (card.classification.confidence, card.key),
}
"""Title -> a function of the dollars that gives the sort key of a card."""


def in_lanes(cards: Iterable[CardFigures], usd: Usd, sort: str) -> Lanes:
    """The cards of each column, sorted. Nothing is asked of a card by itself: thousands are sorted in a frame."""
    given = list(cards)
    columns = _COLUMNS[sort](given, usd) if sort in _COLUMNS else [map(SORTS[sort](usd), given)]
    ordered = [row[-1] for row in sorted(zip(*columns, map(_KEY, given), given, strict=True))]
    pools, in_review = list(map(_POOL, ordered)), list(map(_IN_REVIEW, ordered))
    placed = list(map(not_, in_review))
    lanes: Lanes = {}
    for lane in LANES:
        inside = map(and_, placed, map(is_, pools, repeat(lane.pool))) if lane.pool is not None else in_review
        lanes[lane] = list(compress(ordered, inside))
    return lanes


def _most_expensive(cards: list[CardFigures], usd: Usd) -> list[Iterable[Any]]:
    """The same order as columns of numbers, which is faster for thousands of cards."""
    amounts: list[Any] = list(map(usd.get, map(_KEY, cards)))
    if None in amounts:
        amounts = [0.0 if amount is None else amount for amount in amounts]
    return [map(neg, amounts), map(neg, map(HOURS_OF_CARD, cards))]


_KEY, _POOL, _IN_REVIEW = attrgetter("key"), attrgetter("pool"), attrgetter("in_review")
HOURS_OF_CARD: Final = attrgetter("gpu_hours_per_month")
_COLUMNS: Final[dict[str, Callable[[list[CardFigures], Usd], list[Iterable[Any]]]]] = {
    "Most expensive first": _most_expensive,
    "Largest first": lambda cards, usd: [map(neg, map(HOURS_OF_CARD, cards))],
}
"""What the sorts of every day compare before the key, for all cards at once: the same as `SORTS` says of one."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Columns after a move of few cards, and by column the cards that left it and those that came."""

    lanes: Lanes
    left: Mapping[Lane, Sequence[CardFigures]]
    came: Mapping[Lane, Sequence[CardFigures]]


def moved_in_lanes(
    lanes: Lanes, before: Sequence[CardFigures], after: Sequence[CardFigures], usd: Usd, sort: str
) -> Moved | None:
    """The columns after a move of few cards, by putting those in their places; None where that is not worth it.

    before and after: all cards in one order. Law: its columns are equal to in_lanes(after, usd, sort).
    """
    if len(before) != len(after):
        return None
    places = list(compress(range(len(after)), map(is_not, before, after)))
    if len(places) > MOST_MOVED:
        return None
    key = SORTS[sort](usd)
    made = dict(lanes)
    left: dict[Lane, list[CardFigures]] = {}
    came: dict[Lane, list[CardFigures]] = {}
    for place in places:
        left.setdefault(lane_of_card(before[place]), []).append(before[place])
        came.setdefault(lane_of_card(after[place]), []).append(after[place])
    for lane in left.keys() | came.keys():
        made[lane] = list(lanes[lane])
    for lane, gone in left.items():
        for card in gone:
            del made[lane][_place_of(card, made[lane], key)]
    for lane, cards in came.items():
        for card in cards:
            insort(made[lane], card, key=key)
    return Moved(made, left, came)


def _place_of(card: CardFigures, cards: list[CardFigures], key: Callable[[CardFigures], Any]) -> int:
    """Where a card stands among sorted ones."""
    if (place := bisect_left(cards, key(card), key=key)) < len(cards) and cards[place] is card:
        return place
    return next(at for at, each in enumerate(cards) if each is card)
