"""How the board is looked at: in which column and order cards stand, sorted, grouped, filtered, folded."""

import json
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, repeat
from operator import and_, attrgetter, is_, is_not, neg, not_
from typing import Any, Final

from gpuplanner.charts.kit.plain_text import speak, tr
from gpuplanner.domain.commitment.result import CardCosts
from gpuplanner.domain.demand.model_names import model_in_name
from gpuplanner.domain.edits.find import planned_keys
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.plan_inputs import NO_SPELL, Spell, Splits, bare_key, leaf_keys, whole_key
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.ui.state.plan_words import run_figures, run_money
from gpuplanner.ui.state.view_state import ViewState, is_planned, lane_of_card
from gpuplanner.ui.words.dated_words import is_at_once_for_good, is_over, short_spell_words
from gpuplanner.ui.words.glossary import LANES, Lane, lane_of

# --- In which column every card stands and in what order: plain functions ------------------------

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
    return [map(neg, amounts), map(neg, map(_HOURS, cards))]


_KEY, _POOL, _IN_REVIEW = attrgetter("key"), attrgetter("pool"), attrgetter("in_review")
_HOURS: Final = attrgetter("gpu_hours_per_month")
_COLUMNS: Final[dict[str, Callable[[list[CardFigures], Usd], list[Iterable[Any]]]]] = {
    "Most expensive first": _most_expensive,
    "Largest first": lambda cards, usd: [map(neg, map(_HOURS, cards))],
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


# --- What a card says of time: when its workload is there in the plan that is shown, and whether it is gone


@dataclass(frozen=True, slots=True)
class CardDates:
    """texts: when it is there, longest first; of a card that stands for several of which not all have these dates,
    none. is_over: it is gone when the plan begins. run_usd: of all of a planned run, short, where it is known."""

    texts: tuple[str, ...] = ()
    is_over: bool = False
    run_usd: str = ""


UNDATED: Final = CardDates()
Dates = Mapping[str, CardDates]


def gone_of(costs: CardCosts | None) -> frozenset[str]:
    """The workloads that no month of a plan expects."""
    return (
        frozenset(key for key, expected in costs.gpu_hours.items() if not expected) if costs else frozenset()
    )


def card_dates(shown: ViewState, gone: frozenset[str] | None = None) -> Dates:
    """Of every card that has dates, by its key; nothing of the past has any. gone: of its costs, where it is known."""
    if shown.is_today:
        return {}
    gone = gone_of(shown.costs) if gone is None else gone
    plan, project = shown.evaluation.figures.basis.plan, shown.evaluation.project
    begins_s = project.plan_window.end_s
    if not (gone or plan.spells or plan.planned):
        return {}
    works = planned_keys(project, plan)
    ended = {work.key: work.last_end_s for work in project.workloads if work.key in gone}
    spells = {key: Spell(None, min(at_s, begins_s)) for key, at_s in ended.items() if at_s is not None}
    spells |= {leaf: spell for key, spell in plan.spells.items() for leaf in leaf_keys(key, plan.splits)}
    dated = [work for work in plan.planned if work.key in works and not is_at_once_for_good(work, begins_s)]
    spells |= {work.key: work.spell(begins_s) for work in dated}
    for first, keys in shown.members.items():
        all_spells = {spells.get(key, NO_SPELL) for key in keys}
        spells[first] = all_spells.pop() if len(all_spells) == 1 else NO_SPELL
    money = {run.key: run_money(run, shown) for run in run_figures(shown)}
    return {
        key: CardDates(short_spell_words(spell, begins_s), is_over(spell, begins_s), money.get(key, ""))
        for key, spell in spells.items()
        if spell != NO_SPELL
    }


# --- What cards are told apart by: the one table behind grouping, filtering and Select similar ---

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


# --- How the board is looked at: sorted, grouped, filtered, folded; what of it is remembered, as text

MOST_FOLDED = 500
"""Folded groups that are remembered: more than anyone folds by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """sort: a title of SORTS. group: a facet, "" for none. folded: groups whose cards are not shown, as facet:value."""

    sort: str = next(iter(SORTS))
    group: str = ""
    chosen: Chosen = field(default_factory=dict)
    search: str = ""
    folded: frozenset[str] = frozenset()

    @property
    def is_filtered(self) -> bool:
        """Whether cards may be left out."""
        return bool(self.chosen or self.search.split())

    def toggled(self, facet: str, value: Text) -> "BoardView":
        """With one value more to be let through, or one less."""
        values = self.chosen.get(facet, frozenset()) ^ {value}
        others = {name: own for name, own in self.chosen.items() if name != facet}
        return replace(self, chosen={**others, facet: values} if values else others)

    def unfiltered(self) -> "BoardView":
        """With every card let through."""
        return replace(self, chosen={}, search="")

    def folding(self, value: Text) -> "BoardView":
        """With one group folded, or unfolded."""
        return replace(self, folded=self.folded ^ {f"{self.group}:{value}"})

    def is_folded(self, value: Text) -> bool:
        """Whether the cards of a group are not shown."""
        return f"{self.group}:{value}" in self.folded

    def to_text(self) -> str:
        """What is remembered from one session to the next: not the filter, which would hide cards unasked."""
        kept = sorted(self.folded)[:MOST_FOLDED]
        return json.dumps({"sort": self.sort, "group": self.group, "folded": kept})


def view_of_text(text: str) -> BoardView:
    """What `to_text` wrote; what cannot be read is as if nothing had been remembered."""
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return BoardView()
    if not isinstance(entry, Mapping):
        return BoardView()
    sort, group, folded = entry.get("sort"), entry.get("group"), entry.get("folded")
    names = frozenset(name for name in (folded if isinstance(folded, list) else ()) if isinstance(name, str))
    sort = sort if isinstance(sort, str) and sort in SORTS else BoardView().sort
    return BoardView(
        sort=sort, group=group if isinstance(group, str) and group in GROUPS else "", folded=names
    )


def filter_words(view: BoardView) -> tuple[tuple[str, Text, Text], ...]:
    """What is filtered by, as (facet, value, words): `Team: ml`."""
    return tuple(
        (
            name,
            value,
            value if name == "state" else tr("{title}: {value}", title=FACETS[name].title, value=value),
        )
        for name, values in view.chosen.items()
        for value in sorted(values, key=str)
    )


# --- The rows of a column: its cards, and above each group of them a heading whose sums add up to the column's


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupHeading:
    """One group in one column. whole_usd: $ a month as it is written; None is unknown."""

    value: Text
    title: Text
    cards: int
    gpu_hours_per_month: float
    usd_per_month: float | None
    whole_usd_per_month: int | None
    is_folded: bool

    def __post_init__(self) -> None:
        speak(self, "title")


BoardRow = CardFigures | GroupHeading


def row_id(row: BoardRow) -> str:
    """What a row is of, whatever it says: a card's key, or a group."""
    return row.key if isinstance(row, CardFigures) else f"\0{row.value}"


def filtered(lanes: Lanes, view: BoardView, texts: Mapping[str, str], facts: CardFacts) -> Lanes:
    """The columns without what the search or the filter leaves out; the same lists where nothing is asked for.

    texts: by key, from `search_texts`; every word of the search has to be in a card's, whatever its case.
    """
    for word in view.search.lower().split():
        lanes = {lane: [card for card in cards if word in texts[card.key]] for lane, cards in lanes.items()}
    if not view.chosen:
        return lanes
    return {
        lane: [one for one in cards if lets_through(one, view.chosen, facts)] for lane, cards in lanes.items()
    }


def rows_of(cards: list[CardFigures], view: BoardView, usd: Usd, facts: CardFacts) -> Sequence[BoardRow]:
    """A column's cards under the headings of their groups, in the order they have; just the cards without groups.

    The most expensive group comes first; sorted by name, groups are too. Whole dollars of the headings add up to
    those of the cards together, rounded.
    """
    if not view.group:
        return cards
    groups: dict[Text, list[CardFigures]] = {}
    read = FACETS[view.group].values
    for card in cards:
        groups.setdefault(read(card, facts)[0], []).append(card)
    sums = {value: known_sum([usd.get(card.key) for card in group]) for value, group in groups.items()}
    by_name = view.sort == "Name"
    order = sorted(groups, key=lambda value: (0.0 if by_name else -(sums[value] or 0.0), str(value)))
    written = _written([sums[value] for value in order])
    rows: list[BoardRow] = []
    for value, whole in zip(order, written, strict=True):
        group, is_folded = groups[value], view.is_folded(value)
        hours = sum(card.gpu_hours_per_month for card in group)
        rows.append(
            GroupHeading(
                value=value,
                title=value,
                cards=len(group),
                gpu_hours_per_month=hours,
                usd_per_month=sums[value],
                whole_usd_per_month=whole,
                is_folded=is_folded,
            )
        )
        rows += () if is_folded else group
    return rows


def _written(amounts: Sequence[float | None]) -> list[int | None]:
    """Amounts in whole dollars that add up to the whole; rounded each alone where one is unknown."""
    if (total := known_sum(amounts)) is None:
        return [None if amount is None else round(amount) for amount in amounts]
    return list(largest_remainder(amounts, total))


def largest_hours(cards: Sequence[CardFigures]) -> float:
    """The GPU-hours that fill a bar."""
    return max(map(_HOURS, cards), default=0.0)


def search_texts(cards: Sequence[CardFigures], facts: CardFacts) -> Mapping[str, str]:
    """What a search looks through, by key: made once, not at every key that is pressed.

    A key names cluster, owner and workload.
    """
    texts = {
        card.key: f"{card.key} {card.name} {card.classification.pool} {' '.join(card.gpu_models)}".lower()
        for card in cards
    }
    for key, keys in facts.members.items():
        texts[key] = " ".join((texts.get(key, ""), *keys)).lower()  # a key names its workload
    if facts.notes:
        noted = {card.key: facts.note(card.key).lower() for card in cards}
        texts.update({key: f"{texts[key]} {note}" for key, note in noted.items() if note})
    return texts
