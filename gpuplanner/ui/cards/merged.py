"""Cards that a plan has merged, as the one card that the board shows: hours and dollars are the sums of theirs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.scenario.merging import Merges
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

Members = Mapping[str, tuple[str, ...]]
"""Key of the card that stands for others -> keys of all of them, itself first."""


def merges_of(shown: ViewState) -> Merges:
    """What the plan that is shown has merged; nothing of the past is merged."""
    evaluation = shown.evaluation
    return {} if shown.is_today else evaluation.project.scenario(evaluation.scenario).merges


class MergedCards:
    """Keeps the last answer: members and dollars that stayed the same are the same objects, so that nothing is redone.

    Law: over all cards, GPU-hours and $ a month are those of what was told.
    """

    def __init__(self) -> None:
        self._members: Members = {}
        self._names: Mapping[str, str] = {}
        self._usd: tuple[object, Members, Mapping[str, float | None]] = (None, {}, {})

    def show(self, shown: ViewState) -> ViewState:
        """The same with one card in place of those that are merged; itself where nothing is."""
        merges = merges_of(shown)
        groups = _groups(shown.cards, merges) if merges else {}
        if not groups:
            return shown
        members = {cards[0].key: tuple(card.key for card in cards) for _, cards in groups.values()}
        names = {cards[0].key: name for name, cards in groups.values()}
        if members != self._members or names != self._names:  # what is found by a name stands on the members
            self._members, self._names = members, names
        gone = _gone(members)
        one_of = {cards[0].key: _as_one(name, cards) for name, cards in groups.values()}
        cards = tuple(one_of.get(card.key, card) for card in shown.cards if card.key not in gone)
        return replace(shown, cards=cards, usd=self._dollars(shown), members=self._members)

    def _dollars(self, shown: ViewState) -> Mapping[str, float | None]:
        """Dollars by card with sums for merged ones; unknown if one of theirs is. Kept while nothing changed."""
        of, members, usd = self._usd
        if of is not shown.usd or members is not self._members:
            sums = {
                key: known_sum([shown.usd.get(one) for one in keys]) for key, keys in self._members.items()
            }
            gone = _gone(self._members)
            usd = {key: value for key, value in shown.usd.items() if key not in gone} | sums
            self._usd = shown.usd, self._members, usd
        return usd


def _gone(members: Members) -> set[str]:
    """Keys of the cards that another stands for."""
    return {key for keys in members.values() for key in keys[1:]}


def _groups(
    cards: Sequence[CardFigures], merges: Merges
) -> dict[tuple[str, str], tuple[str, list[CardFigures]]]:
    """By name and pool, the cards that stand as one; those whose others an import no longer brings stand alone."""
    name_of = {key: name for name, keys in merges.items() for key in keys}
    found: dict[tuple[str, str], tuple[str, list[CardFigures]]] = {}
    for card in cards:
        name = name_of.get(card.key)
        if name is not None:
            found.setdefault((name, card.pool.value), (name, []))[1].append(card)
    return {key: group for key, group in found.items() if len(group[1]) > 1}


def _as_one(name: str, cards: Sequence[CardFigures]) -> CardFigures:
    """One card with the sums of these; its class is that of the most GPU-hours."""
    largest = max(cards, key=lambda card: card.gpu_hours_per_month)
    return replace(
        largest,
        key=cards[0].key,
        name=name,
        cluster=", ".join(dict.fromkeys(card.cluster for card in cards if card.cluster)),
        owner=", ".join(dict.fromkeys(card.owner for card in cards if card.owner)),
        in_review=False,
        is_pinned=all(card.is_pinned for card in cards),
        gpu_hours_per_month=sum(card.gpu_hours_per_month for card in cards),
        gpu_models=tuple(dict.fromkeys(model for card in cards for model in card.gpu_models)),
    )


def proposed_name(names: Sequence[str]) -> str:
    """What these have in common at their beginning; else the first and how many more."""
    common = names[0]
    for name in names[1:]:
        while common and not name.startswith(common):
            common = common[:-1]
    common = common.rstrip(" -_./:0123456789")
    return common if len(common) >= 3 else tr("{name} and {names} more", name=names[0], names=len(names) - 1)


def cards_words(cards: int, workloads: int) -> str:
    """12 workloads; where some are merged, 12 workloads on 10 cards."""
    words = numbers.counted(workloads or cards, "workload")
    return (
        words
        if workloads in (0, cards)
        else tr("{words} on {cards}", words=words, cards=numbers.counted(cards, "card"))
    )
