"""The cards of the board as they are to be seen: sorted, filtered, grouped; what stayed the same is kept."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.names.names_apart import names_apart
from gpuplanner.domain.model.scenario.parting import Splits
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.column_order import SORTS, Lanes, Moved, Usd, in_lanes, moved_in_lanes
from gpuplanner.ui.cards.column_rows import (
    BoardRow,
    GroupHeading,
    filtered,
    largest_hours,
    rows_of,
    search_texts,
)
from gpuplanner.ui.cards.dates import Dates, card_dates
from gpuplanner.ui.cards.facets import FACETS, CardFacts
from gpuplanner.ui.cards.marks import CardMarks
from gpuplanner.ui.state.view_state import LaneDollars, LaneSums, ViewState, lane_dollars, lane_sums
from gpuplanner.ui.words.lanes import Lane

ELLIPSIS = "\u2026"


def telling_ends(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """By name its ends that no other name has, longest first, each after an ellipsis; only names that have some.

    >>> telling_ends(["aurora-large-pretrain", "aurora-base-pretrain", "sft"])["aurora-base-pretrain"]
    ('…base-pretrain',)
    """
    ends = {name: _ends(name) for name in set(names)}
    count = Counter(end for found in ends.values() for end in found)
    count.update(list(ends))  # a name may be the end of another
    told = {name: tuple(ELLIPSIS + end for end in found if count[end] == 1) for name, found in ends.items()}
    return {name: found for name, found in told.items() if found}


def _ends(name: str) -> tuple[str, ...]:
    """What is left of a name after its first word, its first two, and so on."""
    words = name.split("-")
    return tuple("-".join(words[at:]) for at in range(1, len(words)))


@dataclass(frozen=True, slots=True, eq=False)
class Arranged:
    """Everything that the columns show. cards: those that the filter lets through; rows: with headings, as folded."""

    usd: Usd
    marks: CardMarks
    facts: CardFacts
    apart: Mapping[str, Message]
    ends: Mapping[str, tuple[str, ...]]
    everything: Lanes
    cards: Lanes
    rows: Mapping[Lane, Sequence[BoardRow]]
    sums: Mapping[Lane, LaneSums]
    largest: Mapping[Lane, float]  # GPU-hours that fill a bar
    dates: Dates

    @property
    def visible_count(self) -> int:
        """How many cards the filter lets through."""
        return sum(map(len, self.cards.values()))

    @property
    def count(self) -> int:
        """How many cards there are."""
        return sum(map(len, self.everything.values()))


@dataclass(frozen=True, slots=True, eq=False)
class _Sorted:
    """Sorted columns with what they were sorted by: still good while these are the very same values."""

    usd: Usd
    sort: str
    cards: tuple[CardFigures, ...]
    lanes: Lanes
    before: Lanes  # the columns that these were made of by a move
    moved: Moved | None


class BoardCards:
    """Keeps the last answer and what it was of."""

    def __init__(self) -> None:
        self._sorted: _Sorted | None = None
        self._texts: tuple[tuple[object, ...], Mapping[str, str]] = ((), {})
        self._apart: tuple[tuple[object, ...], Mapping[str, Message]] = ((), {})
        self._ends: Mapping[str, tuple[str, ...]] = {}
        self._models: tuple[object, Mapping[str, str]] = (None, {})
        self._largest: tuple[Lanes, Mapping[Lane, float]] = ({}, {})
        self._marks: tuple[tuple[object, ...], CardMarks | None] = ((), None)
        self._sums: tuple[tuple[object, ...], Mapping[Lane, LaneSums]] = ((), {})
        self._dollars: Mapping[Lane, LaneDollars] = {}
        self._dates: Dates = {}

    def arrange(self, shown: ViewState, view: BoardView) -> Arranged:
        """The columns of an evaluation, as they are looked at."""
        marks = self._marks_of(shown)
        facts = CardFacts(
            marks.has_warning,
            shown.evaluation.project.notes,
            splits_of(shown),
            self._models_of(shown),
            shown.members,
            dates := self._dates_of(shown),
        )
        everything = self._in_order(shown, view.sort)
        texts = self._texts_of(shown, facts) if view.search.strip() else {}
        cards = filtered(everything, view, texts, facts)
        rows = {lane: rows_of(found, view, shown.usd, facts) for lane, found in cards.items()}
        apart, sums = self._apart_of(shown), self._sums_of(shown, everything)
        return Arranged(
            shown.usd, marks, facts, apart, self._ends, everything, cards, rows, sums,
            self._largest_of(cards), dates,
        )  # fmt: skip

    def _largest_of(self, cards: Lanes) -> Mapping[Lane, float]:
        """Looked up again only in columns that are another list now, and not where few cards moved."""
        before, known = self._largest
        made = {}
        for lane, found in cards.items():
            if before.get(lane) is found:
                made[lane] = known[lane]
                continue
            left, came = self._change_of(lane, before.get(lane), found) or (None, ())
            if left is None or largest_hours(left) >= known[lane]:
                made[lane] = largest_hours(found)
            else:
                made[lane] = max(known[lane], largest_hours(came))
        self._largest = cards, made
        return made

    def _change_of(
        self, lane: Lane, before: object, after: object
    ) -> tuple[Sequence[CardFigures], Sequence[CardFigures]] | None:
        """The cards that left a column and those that came; None where that is not how it came about."""
        known = self._sorted
        if known is None or known.moved is None:
            return None
        if known.before.get(lane) is not before or known.lanes[lane] is not after:
            return None
        return known.moved.left.get(lane, ()), known.moved.came.get(lane, ())

    def _marks_of(self, shown: ViewState) -> CardMarks:
        """The same while cards are moved and the advice of before is shown."""
        evaluation = shown.evaluation
        of = (
            shown.is_today, evaluation.audit, shown.advice, shown.outlook, shown.fit, evaluation.project.notes,
            _identity(splits_of(shown)), _identity(shown.members),
        )  # fmt: skip
        before, made = self._marks
        if made is None or not _are_same(before, of):
            made = CardMarks(shown)
            self._marks = of, made
        return made

    def _dates_of(self, shown: ViewState) -> Dates:
        """The same while what a plan says of time is: cards are drawn again where it is not."""
        made = card_dates(shown)
        if made != self._dates:
            self._dates = made
        return self._dates

    def _sums_of(self, shown: ViewState, everything: Lanes) -> Mapping[Lane, LaneSums]:
        """The same while only the way to look at the cards changes."""
        of = (shown, shown.cards)
        if not _are_same(self._sums[0], of):
            self._dollars = lane_dollars(shown.usd, everything, self._dollars, self._change_of)
            self._sums = of, lane_sums(shown, everything, self._dollars)
        return self._sums[1]

    def _in_order(self, shown: ViewState, sort: str) -> Lanes:
        """Every card in its column; after a move only the cards that moved are put in their places."""
        known, moved = self._sorted, None
        if known is not None and known.usd is shown.usd and known.sort == sort:
            if known.cards is shown.cards:
                return known.lanes
            moved = moved_in_lanes(known.lanes, known.cards, shown.cards, shown.usd, sort)
        made = in_lanes(shown.cards, shown.usd, sort) if moved is None else moved.lanes
        before = {} if known is None else known.lanes
        self._sorted = _Sorted(shown.usd, sort, shown.cards, made, before, moved)
        return made

    def _texts_of(self, shown: ViewState, facts: CardFacts) -> Mapping[str, str]:
        """The same while only cards are moved: no word of a card says where it stands."""
        of = (shown.evaluation.audit, facts.notes, _identity(facts.splits), _identity(facts.members))
        if not _are_same(self._texts[0], of):
            self._texts = of, search_texts(shown.cards, facts)
        return self._texts[1]

    def _apart_of(self, shown: ViewState) -> Mapping[str, Message]:
        """What tells cards of one name apart; the same while only cards are moved."""
        of = (shown.evaluation.project.workloads, _identity(splits_of(shown)), _identity(shown.members))
        if not _are_same(self._apart[0], of):
            self._apart = of, names_apart(shown.cards)
            self._ends = telling_ends(card.name for card in shown.cards)
        return self._apart[1]

    def _models_of(self, shown: ViewState) -> Mapping[str, str]:
        """The AI model that the jobs of a workload name most, by key; of most workloads only the name tells it."""
        workloads = shown.evaluation.project.workloads
        if self._models[0] is not workloads:
            named = {one.key: one.model_time[0][0] for one in workloads if one.model_time}
            self._models = workloads, named
        return self._models[1]


def splits_of(shown: ViewState) -> Splits:
    """What the plan that is shown divides; nothing of the past is divided."""
    basis = shown.evaluation.figures.basis
    return {} if shown.is_today else basis.plan.splits


def place_among(
    card: CardFigures, rows: Sequence[BoardRow], view: BoardView, usd: Usd, facts: CardFacts
) -> int:
    """The row at which a card would stand in a column: in its group where cards are grouped."""
    key = SORTS[view.sort](usd)
    mine = key(card)
    if not view.group:
        return sum(1 for row in rows if isinstance(row, CardFigures) and key(row) < mine)
    value = FACETS[view.group].values(card, facts)[0]
    at = next(
        (place for place, row in enumerate(rows) if isinstance(row, GroupHeading) and row.value == value),
        None,
    )
    if at is None:
        return len(rows)
    place = at + 1
    while place < len(rows):
        row = rows[place]
        if isinstance(row, GroupHeading) or not key(row) < mine:
            break
        place += 1
    return place


def _identity(known: Mapping[str, object]) -> object:
    """Two plans that divide, or merge, nothing are alike in this."""
    return known or None


def _are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether both hold the very same objects, which costs less than comparing thousands of cards."""
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
