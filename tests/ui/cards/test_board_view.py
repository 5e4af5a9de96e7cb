"""Search, filter and sort of the board."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.ui.board.menu import place_among
from gpuplanner.ui.cards.board_view import BoardView, filter_words, view_of_text
from gpuplanner.ui.cards.card_order import SORTS, in_lanes, moved_in_lanes
from gpuplanner.ui.cards.column_rows import GroupHeading, filtered, rows_of, search_texts
from gpuplanner.ui.cards.facets import (
    FACETS,
    FILTERS,
    GROUPS,
    MOVED,
    NOTED,
    PINNED,
    CardFacts,
    name_family,
    similar_keys,
    values_of,
)
from gpuplanner.ui.state.view_state import lane_of_card
from gpuplanner.ui.words.lanes import LANES, Lane
from tests.ui.sample_world import evaluation_of, key_of, sample_project

# --- Search, filter and sort of the board --------------------------------------------------------

PROJECT = sample_project()
EVALUATION = evaluation_of(PROJECT, PROJECT.scenarios[0].name)
CARDS = EVALUATION.figures.cards
USD = EVALUATION.advice.workload_usd if EVALUATION.advice else {}


def test_every_card_stands_in_exactly_one_column() -> None:
    lanes = in_lanes(CARDS, USD, "Most expensive first")
    keys = [card.key for lane in LANES for card in lanes[lane]]
    assert sorted(keys) == sorted(card.key for card in CARDS)


def test_dearest_first() -> None:
    amounts = [USD[card.key] for card in in_lanes(CARDS, USD, "Most expensive first")[Lane.INFERENCE]]
    assert amounts == sorted(amounts, reverse=True)  # type: ignore[type-var]


@given(
    st.lists(st.tuples(st.integers(0, len(CARDS) - 1), st.sampled_from(POOLS), st.booleans()), max_size=6),
    st.sampled_from(sorted(SORTS)),
)
def test_moved_cards_put_in_their_places_equal_sorting_afresh(moves: list[tuple], sort: str) -> None:
    after: list[CardFigures] = list(CARDS)
    for at, pool, in_review in moves:
        after[at] = replace(after[at], pool=pool, in_review=in_review)
    lanes = in_lanes(CARDS, USD, sort)
    moved = moved_in_lanes(lanes, CARDS, after, USD, sort)
    assert moved is not None
    assert moved.lanes == in_lanes(after, USD, sort)
    for lane in LANES:  # who left and who came is all the difference there is
        left, came = moved.left.get(lane, ()), moved.came.get(lane, ())
        stayed = {id(card) for card in lanes[lane]} - {id(card) for card in left}
        assert {id(card) for card in moved.lanes[lane]} == stayed | {id(card) for card in came}


@given(
    st.lists(st.tuples(st.integers(0, len(CARDS) - 1), st.none() | st.sampled_from((0.0, 5.0))), max_size=9),
    st.sampled_from(sorted(SORTS)),
)
def test_all_cards_sorted_at_once_stand_as_one_by_one(dollars: list[tuple], sort: str) -> None:
    usd = {**USD, **{CARDS[at].key: amount for at, amount in dollars}}
    for lane, cards in in_lanes(CARDS, usd, sort).items():
        assert cards == sorted((card for card in CARDS if lane_of_card(card) is lane), key=SORTS[sort](usd))


def test_the_columns_of_before_are_left_as_they_were() -> None:
    lanes = in_lanes(CARDS, USD, "Name")
    kept = {lane: list(cards) for lane, cards in lanes.items()}
    after = [replace(CARDS[0], pool=POOLS[2]), *CARDS[1:]]
    moved_in_lanes(lanes, CARDS, after, USD, "Name")
    assert lanes == kept


# --- Search, filter and groups of the board: nothing is lost, sums add up, what is remembered comes back

LANES_OF_ALL = in_lanes(CARDS, USD, "Most expensive first")
FACTS = CardFacts(notes={key_of("vllm-chat-eu"): "Ends in March"})
TEXTS = search_texts(CARDS, FACTS)


def names(view: BoardView) -> set[str]:
    found = filtered(LANES_OF_ALL, view, TEXTS, FACTS)
    return {card.name for cards in found.values() for card in cards}


@pytest.mark.parametrize("search", ["VLLM", "vllm borealis", "h100 vllm", "inference vllm"])
def test_every_word_of_a_search_must_be_found_whatever_its_case(search: str) -> None:
    assert names(BoardView(search=search)) == {"vllm-chat-prod", "vllm-chat-eu"}


def test_a_search_finds_notes() -> None:
    assert names(BoardView(search="march")) == {"vllm-chat-eu"}


def test_without_search_and_filter_the_columns_are_the_very_same() -> None:
    assert filtered(LANES_OF_ALL, BoardView(), {}, FACTS) is LANES_OF_ALL


def test_values_of_a_facet_add_up_and_facets_narrow_each_other() -> None:
    one, other = BoardView().toggled("cluster", "cedar"), BoardView().toggled("cluster", "atlas")
    assert names(one.toggled("cluster", "atlas")) == names(one) | names(other)
    narrow = one.toggled("class", "Training")
    assert names(narrow) == names(one) & names(BoardView().toggled("class", "Training"))
    assert narrow.toggled("class", "Training") == one
    assert narrow.unfiltered() == BoardView()


def test_states_are_what_they_say() -> None:
    moved = replace(CARDS[0], pool=next(c.pool for c in CARDS if c.pool is not CARDS[0].classification.pool))
    state = FACETS["state"].values
    assert state(moved, FACTS) == (MOVED,)
    assert state(replace(CARDS[0], is_pinned=True), CardFacts()) == (PINNED,)
    noted = next(card for card in CARDS if card.name == "vllm-chat-eu")
    assert state(noted, FACTS) == (NOTED,)


@pytest.mark.parametrize("facet", FILTERS)
def test_the_filter_of_every_value_lets_every_card_through(facet: str) -> None:
    values = frozenset(value for value, _ in values_of(facet, CARDS, FACTS))
    assert names(BoardView(chosen={facet: values})) == {card.name for card in CARDS}


@given(
    st.sampled_from(GROUPS),
    st.sampled_from(sorted({"Most expensive first", "Name"})),
    st.sets(st.integers(0, 9)),
)
def test_groups_lose_no_card_and_their_sums_are_the_columns(group: str, sort: str, folded: set[int]) -> None:
    cards = in_lanes(CARDS, USD, sort)[Lane.INFERENCE]
    plain = rows_of(cards, BoardView(sort=sort, group=group), USD, FACTS)
    headings = [row for row in plain if isinstance(row, GroupHeading)]
    inside = [row for row in plain if isinstance(row, CardFigures)]
    assert sorted(card.key for card in inside) == sorted(card.key for card in cards)
    assert sum(heading.cards for heading in headings) == len(cards)
    total = sum(USD[card.key] or 0.0 for card in cards)
    assert sum(heading.whole_usd_per_month or 0 for heading in headings) == round(total)
    view = BoardView(sort=sort, group=group)
    for place in folded:
        if place < len(headings):
            view = view.folding(headings[place].value)
    some = rows_of(cards, view, USD, FACTS)
    hidden = sum(row.cards for row in some if isinstance(row, GroupHeading) and row.is_folded)
    assert sum(isinstance(row, CardFigures) for row in some) == len(cards) - hidden


def test_groups_come_dearest_first_or_by_name() -> None:
    cards = LANES_OF_ALL[Lane.INFERENCE]
    rows = rows_of(cards, BoardView(group="cluster"), USD, FACTS)
    headings = [row for row in rows if isinstance(row, GroupHeading)]
    assert [row.value for row in headings] == ["borealis", "cedar"]
    assert (headings[0].usd_per_month or 0) > (headings[1].usd_per_month or 0)


@pytest.mark.parametrize("group", ["", "cluster"])
def test_a_card_would_stand_where_sorting_puts_it(group: str) -> None:
    view = BoardView(group=group)
    cards = LANES_OF_ALL[Lane.INFERENCE]
    for card in cards:
        others = [other for other in cards if other is not card]
        rows = list(rows_of(others, view, USD, FACTS))
        rows.insert(place_among(card, rows, view, USD, FACTS), card)
        read = FACETS[group].values if group else lambda one, facts: ("",)
        of_group = [
            row for row in rows if isinstance(row, CardFigures) and read(row, FACTS) == read(card, FACTS)
        ]
        assert of_group == [one for one in cards if read(one, FACTS) == read(card, FACTS)]


def test_what_is_remembered_comes_back_and_what_cannot_be_read_does_not() -> None:
    view = BoardView(
        sort="Name", group="team", chosen={"class": frozenset(["Training"])}, search="x"
    ).folding("ml")
    again = view_of_text(view.to_text())
    assert again == BoardView(sort="Name", group="team", folded=frozenset(["team:ml"]))
    assert again.is_folded("ml") and not again.is_folded("other")
    for text in (
        "",
        "[]",
        "null",
        '{"sort": 3, "group": "x", "folded": "y"}',
        "{",
        '{"folded": [1]}',
        "[" * 100_000,
    ):
        assert view_of_text(text) == BoardView()


def test_the_filter_is_said_in_words() -> None:
    view = BoardView().toggled("team", "ml").toggled("state", PINNED)
    assert [str(words) for _, _, words in filter_words(view)] == ["Team: ml", "Pinned"]


def test_similar_cards_share_the_value_and_the_card_is_among_them() -> None:
    card = next(card for card in CARDS if card.name == "vllm-chat-eu")
    assert set(similar_keys("family", card, CARDS, FACTS)) == {
        key_of("vllm-chat-eu"),
        key_of("vllm-chat-prod"),
    }
    assert card.key in similar_keys("class", card, CARDS, FACTS)


@pytest.mark.parametrize(
    ("name", "family"), [("vllm-chat-prod", "vllm"), ("Run_3", "run"), ("x", "x"), ("-a", "-a")]
)
def test_the_family_of_a_name_is_its_first_word(name: str, family: str) -> None:
    assert name_family(name) == family
