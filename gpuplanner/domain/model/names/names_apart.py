"""Names of workloads: where two have one name, what tells them apart stands beside it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from gpuplanner.domain.message import Message, Text, joined, worded


class Named(Protocol):
    """A card, or a workload."""

    @property
    def key(self) -> str:
        """What tells it from all others."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def cluster(self) -> str:
        """Where it runs."""

    @property
    def owner(self) -> str:
        """Whose it is."""


def names_apart(cards: Iterable[Named]) -> Mapping[str, Message]:
    """By key of each card that shares its name with another: its cluster, its owner, or both, whichever differ.

    Cards whose name nobody shares are left out.
    """
    of_name: dict[str, list[Named]] = defaultdict(list)
    for card in cards:
        of_name[card.name].append(card)
    return {card.key: text for alike in of_name.values() if len(alike) > 1 for card, text in _told(alike)}


def told_apart(cards: Sequence[Named]) -> dict[str, Text]:
    """By key the name of each of these, with what tells it from others of that name.

    The name alone where nothing else bears it, or where neither cluster nor owner differs.
    """
    beside = names_apart(cards)
    return {
        card.key: joined((card.name, " \u00b7 ", beside[card.key])) if beside.get(card.key) else card.name
        for card in cards
    }


def name_apart(workload: Named, workloads: Iterable[Named]) -> Text:
    """The name of one of these, with what tells it from the others of that name. Of one only: it is asked at a drop.

    workloads: those that it stands among, itself one of them.
    """
    alike = [one for one in workloads if one.name == workload.name]
    beside = _beside(workload, *_differences(alike)) if len(alike) > 1 else ""
    return joined((workload.name, " \u00b7 ", beside)) if beside else workload.name


def _told(alike: Sequence[Named]) -> Iterable[tuple[Named, Message]]:
    """Cards of one name, each with what stands beside it."""
    has_clusters, has_owners = _differences(alike)
    for card in alike:
        yield card, _beside(card, has_clusters, has_owners)


def _differences(alike: Sequence[Named]) -> tuple[bool, bool]:
    """Whether these are of several clusters, and of several owners."""
    return len({card.cluster for card in alike}) > 1, len({card.owner for card in alike}) > 1


def _beside(card: Named, has_clusters: bool, has_owners: bool) -> Message:
    """Cluster and owner as far as each is asked for; words where one is empty."""
    cluster = [card.cluster or worded("no cluster")] if has_clusters else []
    owner = [card.owner or worded("no owner")] if has_owners else []
    return joined([*cluster, *owner], "/")
