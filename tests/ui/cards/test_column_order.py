"""Search, filter and sort of the board."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.ui.cards.column_order import SORTS, in_lanes, moved_in_lanes
from gpuplanner.ui.state.view_state import lane_of_card
from gpuplanner.ui.words.lanes import LANES, Lane
from tests.ui.sample_world import evaluation_of, sample_project

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
