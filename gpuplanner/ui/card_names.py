"""Names of cards: where two have one name, what tells them apart stands beside it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.ui.said import said


def names_apart(cards: Iterable[CardFigures]) -> Mapping[str, str]:
    """By key of each card that shares its name with another: its cluster, its owner, or both, whichever differ."""
    of_name: dict[str, list[CardFigures]] = defaultdict(list)
    for card in cards:
        of_name[card.name].append(card)
    return {card.key: text for alike in of_name.values() if len(alike) > 1 for card, text in _told(alike)}


def _told(alike: Sequence[CardFigures]) -> Iterable[tuple[CardFigures, str]]:
    has_clusters = len({card.cluster for card in alike}) > 1
    has_owners = len({card.owner for card in alike}) > 1
    for card in alike:
        cluster = [card.cluster or said("no cluster")] if has_clusters else []
        owner = [card.owner or said("no owner")] if has_owners else []
        yield card, "/".join([*cluster, *owner])
