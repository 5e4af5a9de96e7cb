"""Which cards a column shows and in what order: search, filter and sort as plain functions."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.ui.lanes import LANES, Lane
from gpuplanner.ui.shown import lane_of_card

Usd = Mapping[str, float | None]


def _by_usd(usd: Usd) -> Callable[[CardFigures], Any]:
    def key(card: CardFigures) -> tuple[float, float, str]:
        amount = usd.get(card.key)
        return (-amount if amount is not None else 0.0, -card.gpu_hours_per_month, card.name)

    return key


SORTS: Final[dict[str, Callable[[Usd], Callable[[CardFigures], Any]]]] = {
    "Dearest first": _by_usd,
    "Largest first": lambda usd: lambda card: (-card.gpu_hours_per_month, card.name),
    "Name": lambda usd: lambda card: (card.name, card.key),
    "Least certain first": lambda usd: lambda card: (card.classification.confidence, card.name),
}
"""Title -> a function of the dollars that gives the sort key of a card."""


def matches(card: CardFigures, words: Iterable[str]) -> bool:
    """Whether every word is in the card's name, owner, cluster, class or GPU models; case does not matter."""
    text = " ".join((card.key, card.name, card.owner, card.cluster, card.classification.pool, *card.gpu_models)).lower()
    return all(word in text for word in words)


def in_lanes(
    cards: Iterable[CardFigures], usd: Usd, sort: str, search: str, cluster: str | None = None
) -> dict[Lane, list[CardFigures]]:
    """The cards of each column, sorted, without those that the search or the filter leaves out."""
    words = search.lower().split()
    lanes: dict[Lane, list[CardFigures]] = {lane: [] for lane in LANES}
    for card in cards:
        if (not words or matches(card, words)) and (cluster is None or card.cluster == cluster):
            lanes[lane_of_card(card)].append(card)
    key = SORTS[sort](usd)
    for found in lanes.values():
        found.sort(key=key)
    return lanes
