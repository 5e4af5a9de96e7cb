"""Rows of a column: its cards, and a heading with sums above each group."""

from collections.abc import Mapping, Sequence

from gpuplanner.charts.kit.translation import speak
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.card_order import HOURS_OF_CARD, Lanes, Usd
from gpuplanner.ui.cards.facets import FACETS, CardFacts, lets_through


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
    return max(map(HOURS_OF_CARD, cards), default=0.0)


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
