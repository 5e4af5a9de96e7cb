"""Facets of cards: the one table behind grouping, filtering and Select similar."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.demand.model_names import model_in_name
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.plan.splits import Splits, bare_key, whole_key
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.ui.cards.card_dates import Dates
from gpuplanner.ui.state.view_state import is_planned
from gpuplanner.ui.words.lanes import lane_of

Chosen = Mapping[str, frozenset[Text]]
"""What a filter lets through: by facet, the values of which a card has to have one."""

MOVED, PINNED, WARNED = worded("Moved"), worded("Pinned"), worded("Has warnings")
NOTED, DIVIDED, MERGED = worded("Has a note"), worded("Divided"), worded("Merged")
DATED, PLANNED, ON_SPOT = worded("Has dates"), worded("Planned"), worded("On spot")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """What is known of cards beside their own figures. models: the AI models that jobs name, by workload.

    members: of a card that stands for several, the keys of all of them. dates: of the cards that have some. on_spot:
    keys of those that the plan runs on spot.
    """

    has_warning: Callable[[str], bool] = lambda key: False
    notes: Mapping[str, str] = field(default_factory=dict)
    splits: Splits = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dates: Dates = field(default_factory=dict)
    on_spot: frozenset[str] = frozenset()

    def note(self, key: str) -> str:
        """What the planner wrote about the workload that a card is of, or about those that are merged in it."""
        if not self.notes:
            return ""
        wholes = dict.fromkeys(whole_key(member, self.splits) for member in self.members.get(key, (key,)))
        return "\n".join(self.notes[whole] for whole in wholes if whole in self.notes)


@dataclass(frozen=True, slots=True)
class Facet:
    """One way to tell cards apart: its title, the values of a card, its words in Select similar (empty: not there)."""

    title: Message
    values: Callable[[CardFigures, CardFacts], tuple[Text, ...]]
    similar: Text = ""


def _each(text: str, card: CardFigures, facts: CardFacts) -> tuple[str, ...]:
    """Owners or clusters: those of each that is merged in a card."""
    return tuple(text.split(", ")) if card.key in facts.members else (text,)


def _state(card: CardFigures, facts: CardFacts) -> tuple[Message, ...]:
    """What was done to a card or is to be known of it, all that apply."""
    return tuple(
        name
        for name, is_so in (
            (MOVED, card.pool is not card.classification.pool),
            (PINNED, card.is_pinned),
            (WARNED, facts.has_warning(card.key)),
            (NOTED, bool(facts.note(card.key))),
            (DIVIDED, bool(facts.splits) and whole_key(card.key, facts.splits) != card.key),
            (MERGED, card.key in facts.members),
            (DATED, card.key in facts.dates),
            (PLANNED, is_planned(card)),
            (ON_SPOT, not facts.on_spot.isdisjoint(facts.members.get(card.key, (card.key,)))),
        )
        if is_so
    )


def _model(card: CardFigures, facts: CardFacts) -> tuple[str, ...]:
    """The GPU model of most of its hours, else one that its name tells."""
    known = facts.models.get(bare_key(card.key)) or model_in_name(card.name)
    return (known or tr("no known model"),)


def name_family(name: str) -> str:
    """The first word of a name: `vllm` of vllm-chat-prod."""
    word = name.replace("_", "-").replace(".", "-").replace(" ", "-").replace(",", "-").split("-", 1)[0]
    return word.lower() or name.lower()


_VALUES: Final[Mapping[str, Callable[[CardFigures, CardFacts], tuple[Text, ...]]]] = {
    "class": lambda card, facts: (lane_of(card.classification.pool).title,),
    "team": lambda card, facts: _each(card.owner or tr("no owner"), card, facts),
    "cluster": lambda card, facts: _each(card.cluster or tr("no cluster"), card, facts),
    "model": _model,
    "gpu": lambda card, facts: card.gpu_models or (tr("unknown model"),),
    "family": lambda card, facts: (name_family(card.name),),
    "state": _state,
}
_SIMILAR: Final = words_table("facet_same")
FACETS: Final = {
    name: Facet(title, _VALUES[name], _SIMILAR.get(name, "")) for name, title in words_table("facet").items()
}
"""By the word that names it in code; the values of `state` are in their order, those of others are found."""

GROUPS: Final = ("team", "cluster", "model", "gpu")
FILTERS: Final = ("class", "team", "cluster", "model", "gpu")
STATES: Final = (MOVED, PINNED, WARNED, NOTED, DIVIDED, MERGED, DATED, PLANNED, ON_SPOT)
SIMILAR: Final = ("family", "team", "class", "cluster", "model", "gpu")


def lets_through(card: CardFigures, chosen: Chosen, facts: CardFacts) -> bool:
    """Whether a card has one of the values of every facet that is filtered by."""
    return all(not values.isdisjoint(FACETS[name].values(card, facts)) for name, values in chosen.items())


def values_of(name: str, cards: Iterable[CardFigures], facts: CardFacts) -> list[tuple[Text, int]]:
    """The values of a facet that cards have, with how many have each: most first, then by name."""
    counts: dict[Text, int] = {}
    read = FACETS[name].values
    for card in cards:
        for value in read(card, facts):
            counts[value] = counts.get(value, 0) + 1
    return sorted(counts.items(), key=lambda entry: (-entry[1], str(entry[0])))


def similar_keys(
    name: str, like: CardFigures, cards: Iterable[CardFigures], facts: CardFacts
) -> tuple[str, ...]:
    """The cards that share a value of a facet with one of them; that one is among them."""
    read = FACETS[name].values
    wanted = frozenset(read(like, facts))
    return tuple(card.key for card in cards if not wanted.isdisjoint(read(card, facts)))
