"""Who commits to what: offers and rooms that run out, levels set by hand, and a row's own prices, by hand."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.history import knowing_all
from gpuplanner.domain.commitment.recursion.allocation import (
    NAMED,
    PROVIDER,
    RowToPlan,
    Signed,
    allocate,
    has_offer,
    in_turn,
    policy_of,
    policy_pieces,
    until_one_closes,
    usd_of_room,
)
from gpuplanner.domain.commitment.recursion.calendar import (
    ANY_TIME,
    FOR_EVER_S,
    Calendar,
    Lived,
    month_placed,
)
from gpuplanner.domain.commitment.recursion.rates import Prices
from gpuplanner.domain.commitment.recursion.slice_policy import (
    NO_ORDER,
    NOBODY,
    LimitedUse,
    UseCosts,
    no_orders,
    orders_of_blocks,
    too_late,
)
from gpuplanner.domain.commitment.recursion.ways import ways_of
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.model.book.only import ModelMapping, Row
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH, MONTH_S, instant_s, iso_day
from tests.domain.commitment.conftest import contract, offer

ROW = Row(Pool.TRAINING, "H100")
BEGIN_S = instant_s("2026-10-01")
MAPPINGS = (ModelMapping("H100", "H200", 1.6),)


def a_row(
    *offers: Any,
    gpus: float = 4.0,
    months: int = 12,
    pool: Pool = Pool.TRAINING,
    calendar: Calendar = ANY_TIME,
    **values: Any,
) -> RowToPlan:
    """A row that wants so many H100 in every hour of so many months, at $6 by use."""
    row = knowing_all(
        Row(pool, "H100"), [np.array([gpus])] * months, [6.0] * months, offers, None, MAPPINGS, calendar
    )
    return replace(row, ends_by_month=None, **values)


def places(signed: Signed, month: int = 0) -> list[int]:
    """The places of the offers that slices sign in a month."""
    return signed.orders.offer[month].tolist()  # type: ignore[no-any-return]


# --- A row's own prices


def test_a_slice_takes_gpus_of_the_offers_own_model() -> None:
    """An H200 does the work of 1.6 H100."""
    row = a_row(offer("y1", 12, 2.0), offer("big", 12, 3.0, gpu_model="H200"))
    assert row.ratios == {"big": 1.6}
    assert row.widths_of("y1").tolist() == [1.0] * 4
    assert row.widths_of("big").tolist() == [0.625] * 4
    assert row.gpus(np.array([True, False, True, True])) == 3.0
    assert (row.slices, row.is_by_hand) == (4, False)
    assert replace(row, hand=()).is_by_hand and not replace(row, hand=(), is_rest_advised=True).is_by_hand


def test_rates_are_those_of_the_month_in_which_an_order_is_placed() -> None:
    """Prices halve each month; in month 2 those of H100 change by a half too. A quote and a last day keep theirs."""
    change = PriceChange("H100", 0.5, BEGIN_S + 2 * MONTH_S)
    prices = Prices((1.0, 0.5, 0.25), (change,), BEGIN_S)
    quote = offer("q", 12, 3.0, source="Quote RFQ-20260925-AAAA R1 for 2026-10-01")
    ends = offer("e", 12, 4.0, valid_until="2099-01-01")
    row = a_row(offer("y1", 12, 2.0), quote, ends, prices=prices)
    assert row.rates_when_placed(4).tolist() == [[2.0, 1.0, 0.25, 0.25], [3.0] * 4, [4.0] * 4]
    assert a_row().rates_when_placed(2).shape == (0, 2)


def test_a_lead_of_months_is_at_the_price_of_so_many_months_before() -> None:
    """Prices halve each month. A lead of 1,500 h is two months and 40 h; 48 h is none. An order of month 1 that begins
    with it was placed 48 h before, in month 0."""
    prices = Prices((1.0, 0.5, 0.25))
    soon, late = offer("s", 12, 2.0, lead_time_hours=48.0), offer("l", 12, 1.8, lead_time_hours=1500.0)
    assert prices.of_offer(soon, 4).tolist() == [1.0, 0.5, 0.25, 0.25]
    assert prices.of_offer(late, 5).tolist() == [1.0, 1.0, 1.0, 0.5, 0.25]
    starts_s = np.array([0, MONTH_S, MONTH_S + 48 * 3600, 9 * MONTH_S])
    assert [month_placed(soon, start_s, 3) for start_s in starts_s.tolist()] == [0, 0, 1, 2]
    ways = a_row(soon, late, prices=prices).ways()
    rates = {lead: ways.placed_rate(at, starts_s).tolist() for at, lead in enumerate(ways.lead_s.tolist())}
    assert rates == {48 * 3600: [2.0, 2.0, 1.0, 0.5], 1500 * 3600: [1.8, 1.8, 1.8, 0.45]}


def test_use_is_priced_part_by_part() -> None:
    row = a_row(months=3)
    assert row.use_rate() == 6.0
    assert row.part_prices().tolist() == [1.0, 1.0, 1.0]
    falling = row.on_path((1.0, 0.5))
    assert falling.part_prices().tolist() == [1.0, 0.5, 0.5]
    assert falling.market.use_prices == (1.0, 0.5) and falling.prices.path == (1.0, 0.5)
    dated = replace(row, dated_use=(1.0, 0.9, 0.8), dated_parts=np.array([1.0, 0.9, 0.7])).on_path(
        (1.0, 0.5, 0.5)
    )
    assert dated.market.use_prices == (1.0, 0.45, 0.4)
    assert dated.part_prices().tolist() == pytest.approx([1.0, 0.45, 0.35])
    rates = np.arange(12.0).reshape(3, 4)
    limited = replace(row, use=LimitedUse(rates, np.zeros(4, np.int64), (row.flex,)))
    assert np.asarray(limited.use_rate(1, 2)).tolist() == [[1, 2], [5, 6], [9, 10]]
    assert np.asarray(limited.use_rate(2)).tolist() == [[2, 3], [6, 7], [10, 11]]
    # a GPU of slice 3 for two months of 730 h at $2 and $6
    assert limited.use_costs(2).until(np.array([2 * MONTH_S]), np.array([0])).tolist() == [730 * (2.0 + 6.0)]


def test_what_is_signed_now_starts_in_the_first_month() -> None:
    orders = no_orders(2, 3)
    orders.offer[0] = [1, 0, NOBODY]
    orders.start_s[0] = [0, MONTH_S, MONTH_S - 1]
    signed = Signed(orders=orders, lasts=np.zeros((2, 3), np.bool_), value_usd=np.zeros(3))
    assert signed.now.tolist() == [1, NO_ORDER, NOBODY]
    orders.offer[1] = [0, -1, -1]
    assert signed.ever(0).tolist() == [True, True, False]
    assert signed.ever(1).tolist() == [True, False, False]


# --- Offers with a maximum, and rooms


def test_pools_come_in_the_order_in_which_they_are_served() -> None:
    rows = [
        Row(Pool.BURST, "A100"),
        Row(Pool.TRAINING, "H100"),
        Row(Pool.TRAINING, None),
        Row(Pool.INFERENCE, "H100"),
    ]
    assert sorted(rows, key=in_turn) == [rows[3], rows[2], rows[1], rows[0]]


def test_an_offer_that_runs_out_is_left_to_who_comes_first() -> None:
    """Inference takes 4 of 6; of what is left training takes 2, and its other slices the next best."""
    few, many = offer("few", 12, 2.0, max_gpus=6), offer("many", 12, 3.0)
    rows = [a_row(few, many), a_row(few, many, pool=Pool.INFERENCE)]
    (training, inference), reached, left, apart = allocate(rows, 12, AdviceCache())
    assert (places(inference), places(training)) == ([0] * 4, [0, 0, 1, 1])
    assert (reached, apart) == ((few,), {})
    assert [dict(each) for each in left] == [{"few": 2.0}, {"few": 6}]
    plenty = replace(few, max_gpus=9)
    assert allocate([a_row(plenty, many)], 12, AdviceCache()).reached == ()
    exactly = replace(few, max_gpus=4)
    assert allocate([a_row(exactly, many)], 12, AdviceCache()).reached == (exactly,)


def test_what_is_bought_apart_takes_its_turn_above_the_slices_of_its_row() -> None:
    few = offer("few", 12, 2.0, max_gpus=7)
    rows = [a_row(few), a_row(few, pool=Pool.INFERENCE)]

    def buy(left: dict[str, float]) -> float:
        left["few"] -= 1.0
        return left["few"]

    alone = Row(Pool.BURST, "A100")
    (training, inference), _, left, bought = allocate(
        rows, 12, AdviceCache(), {"else": 3.0}, {Row(Pool.INFERENCE, "H100"): buy, alone: buy}
    )
    assert bought == {Row(Pool.INFERENCE, "H100"): 2.0, alone: -1.0}
    assert (places(inference), places(training)) == ([0] * 4, [0, 0, -1, -1])
    assert [each["few"] for each in left] == [2.0, 7] and left[0]["else"] == 3.0


def test_a_mapped_offer_gives_what_its_gpus_are_worth() -> None:
    """One H200 at $3 for the work of a H100: 1.6 H100 of it hold one slice, and the next would need 1.25 H200."""
    one = offer("big", 12, 4.8, gpu_model="H200", max_gpus=1)
    (signed,), reached, *_ = allocate([a_row(one, offer("y1", 12, 3.5))], 12, AdviceCache())
    assert [item.offer_id for item in a_row(one, offer("y1", 12, 3.5)).offers] == ["y1", "big"]
    (cheap,), reached, *_ = allocate(
        [a_row(replace(one, rate_usd_per_gpu_hour=3), offer("y1", 12, 3.5))], 12, AdviceCache()
    )
    assert places(signed) == [0] * 4 and places(cheap) == [0, 1, 1, 1]
    assert [item.offer_id for item in reached] == ["big"]


@pytest.mark.parametrize("ratio", [3, 5, 9, 11])
def test_a_mapped_gpu_holds_as_many_slices_as_it_is_worth(ratio: int) -> None:
    """What a division leaves behind is no GPU too few."""
    big = offer("big", 12, 1.0, gpu_model="H200", max_gpus=1)
    row = knowing_all(
        ROW,
        [np.array([ratio + 1.0])] * 2,
        [6.0] * 2,
        (big,),
        None,
        (ModelMapping("H100", "H200", ratio),),
        ANY_TIME,
    )
    (signed,), *_ = allocate(
        [replace(row, ends_by_month=None, ratios={"big": float(ratio)})], 2, AdviceCache()
    )
    assert places(signed) == [0] * ratio + [NO_ORDER]


def test_whom_a_room_is_of() -> None:
    seller = offer("a", 12, 2.0, provider="Ada", region="eu")
    keys = [PROVIDER + "Ada", PROVIDER + "Bo", NAMED + "Ada", NAMED + "Ada [eu]", NAMED + "[us]", "a"]
    assert [has_offer(key, seller) for key in keys] == [True, False, True, True, False, False]
    assert has_offer(PROVIDER + "Ada", contract("k", 1, 2.0, 3, 100, provider="Ada"))


def test_a_room_is_spent_at_the_dearest_offer_that_a_slice_ever_takes() -> None:
    """$730 a month for each dollar of rate; what another sells does not count."""
    row = a_row(
        offer("a1", 12, 2.0, provider="Ada"),
        offer("a2", 12, 3.0, provider="Ada"),
        offer("b", 12, 4.0, provider="Bo"),
    )
    takes = {
        0: np.array([True, True, False, False]),
        1: np.array([False, True, False, False]),
        2: np.array([True, False, True, False]),
    }
    assert usd_of_room(row, PROVIDER + "Ada", takes).tolist() == [1460.0, 2190.0, 0.0, 0.0]
    assert usd_of_room(row, PROVIDER + "Bo", takes).tolist() == [2920.0, 0.0, 2920.0, 0.0]
    above = {place: taken[:3] for place, taken in takes.items()}  # of the slices from the second on
    assert usd_of_room(row, PROVIDER + "Ada", above).tolist() == [0.0, 1460.0, 2190.0, 0.0]
    assert usd_of_room(a_row(), PROVIDER + "Ada", {}).tolist() == [0.0] * 4


@pytest.mark.parametrize(
    ("room", "taken"),
    [(0.0, 0), (1459.0, 0), (1460.0, 1), (2 * 1460.0, 2), (2 * 1460.0 + 1459, 2), (9999.0, 4)],
)
def test_a_room_closes_to_the_slice_that_is_over_it(room: float, taken: int) -> None:
    """A slice at $2 is $1,460 a month."""
    row = a_row(offer("a", 12, 2.0, provider="Ada"), offer("b", 12, 3.0, provider="Bo"))
    key = PROVIDER + "Ada"
    (signed,), _, (left,), _ = allocate([row], 12, AdviceCache(), {key: room})
    assert places(signed) == [0] * taken + [1] * (4 - taken)
    assert left[key] == room


def test_slices_are_kept_until_an_offer_or_a_room_closes() -> None:
    row = a_row(offer("a", 12, 2.0, provider="Ada", max_gpus=9))
    orders = no_orders(12, 4)
    orders.offer[0] = [0, -1, 0, 0]
    key = PROVIDER + "Ada"

    def keep(remaining: dict[str, float], begin: int = 0) -> tuple[int, dict[str, float]]:
        here = replace(
            orders,
            **{name: getattr(orders, name)[:, begin:] for name in ("offer", "start_s", "end_s", "follows")},
        )
        return until_one_closes(here, row, remaining, begin), remaining

    assert keep({"a": 9.0}) == (4, {"a": 6.0})
    assert keep({"a": 2.0}) == (3, {"a": 0.0})
    assert keep({"a": 1.0}) == (1, {"a": 0.0})  # the second would find it closed, though it takes none
    assert keep({"a": 0.5}) == (4, {"a": -2.5})  # closed from the first on: nobody is planned with it
    assert keep({"a": 9.0}, 2) == (2, {"a": 7.0})
    assert keep({key: 2 * 1460.0}) == (3, {key: 0.0})
    assert keep({key: 100.0}) == (0, {key: -np.inf})
    assert keep({key: -np.inf, "else": 1.0}) == (4, {key: -np.inf, "else": 1.0})


def test_policies_come_in_pieces_of_slices_that_find_the_same_open() -> None:
    row = a_row(offer("few", 12, 2.0, max_gpus=3), offer("many", 12, 3.0))
    pieces = list(policy_pieces(row, 12, {"few": 3.0}))
    assert [(piece.begin, piece.keep) for piece in pieces] == [(0, 3), (3, 1)]
    assert [piece.ways.place.tolist() for piece in pieces] == [[0, 1], [1]]
    assert pieces[1].policy.value.shape[1] == 1
    left = {"few": 9.0}
    assert [(piece.begin, piece.keep) for piece in policy_pieces(row, 12, left)] == [(0, 4)]
    assert left == {"few": 9.0}
    assert policy_of(row, 1, row.ways(), 2).value.shape[1] == 2


def test_orders_of_young_demand_hold_only_if_it_lasts() -> None:
    """A month now, and a year after it: the two upper slices have lived for 20 days."""
    days = np.array([[90, 90, 20, 20]] * 2)
    lived = Lived(days, np.full((2, 4), FOR_EVER_S))
    row = a_row(offer("m1", 1, 5.0), offer("y1", 12, 2.0), months=24, lived=lived)
    (signed,), *_ = allocate([row], 24, AdviceCache())
    names = [
        [None if at < 0 else row.offers[at].offer_id for at in month]
        for month in signed.orders.offer.tolist()
    ]
    assert names[0] == ["y1", "y1", "m1", "m1"]
    assert not signed.lasts[:, :2].any() and signed.lasts[:, 2:].any()
    assert not signed.lasts[0].any()
    later = [month for month in range(1, 24) if signed.orders.offer[month, 2] >= 0]
    assert all(signed.lasts[month, 2] for month in later)


# --- Levels set by hand


def by_hand(
    row: RowToPlan, *layers: HandLayer, months: int = 12, **room: float
) -> tuple[Signed, dict[str, float]]:
    """The row with these levels, and what is left when another row's turn comes."""
    other = replace(a_row(pool=Pool.BURST), offers=row.offers)
    (signed, _), _, (_, left), _ = allocate([replace(row, hand=layers), other], months, AdviceCache(), room)
    return signed, dict(left)


def test_levels_set_by_hand_are_held_from_the_bottom_the_longest_first() -> None:
    row = a_row(offer("m3", 3, 4.0), offer("y1", 12, 2.0))
    signed, _ = by_hand(row, HandLayer(3, 1), HandLayer(12, 2), HandLayer(0, 9))
    assert places(signed) == [0, 0, 1, NO_ORDER]  # y1 is the cheapest, so it is first
    months = [month for month in range(12) if signed.orders.offer[month, 2] == 1]
    assert months == [0, 3, 6, 9]
    assert signed.orders.start_s[months, 2].tolist() == [month * MONTH_S for month in months]
    assert signed.orders.end_s[months, 2].tolist() == [(month + 3) * MONTH_S for month in months]
    assert signed.orders.follows[months, 2].tolist() == [False, True, True, True]
    assert np.isnan(signed.value_usd).all() and not signed.lasts.any()


def test_levels_set_by_hand_take_the_next_best_where_an_offer_runs_out() -> None:
    """Four of a year, of which two offers have one and two: the fourth is by the policy of what is left."""
    few, year = offer("few", 12, 2.0, max_gpus=1), offer("y1", 12, 3.0, max_gpus=2)
    signed, left = by_hand(a_row(few, year), HandLayer(12, 4))
    assert places(signed) == [0, 1, 1, NO_ORDER]  # on demand
    assert left == {"few": 0.0, "y1": 0.0}
    row = a_row(few, year, offer("m6", 6, 3.5), offer("m1", 1, 5.0))
    signed, _ = by_hand(row, HandLayer(12, 4))
    assert [row.offers[place].offer_id for place in places(signed)] == ["few", "y1", "y1", "m6"]
    assert signed.orders.follows[6].tolist() == [False, False, False, True]
    days = a_row(offer("d", 3, 1.0, term_days=90), offer("m3", 3, 4.0))
    assert [days.offers[place].offer_id for place in places(by_hand(days, HandLayer(3, 1))[0])[:1]] == ["m3"]


def test_levels_set_by_hand_of_a_term_that_nobody_sells_have_no_price() -> None:
    row = a_row(offer("few", 12, 2.0, max_gpus=1))
    assert places(by_hand(row, HandLayer(6, 1))[0]) == [NOBODY, -1, -1, -1]
    never = a_row(offer("y1", 12, 2.0, lead_time_hours=99 * HOURS_PER_MONTH))
    assert places(by_hand(never, HandLayer(12, 1))[0])[0] == NOBODY


@pytest.mark.parametrize("is_rest_advised", [False, True])
def test_a_level_whose_offer_cannot_start_yet_begins_when_it_can(is_rest_advised: bool) -> None:
    """Half a year that takes 731 h to deliver: on demand until then, then two of it, renewed after six months."""
    late = offer("m6", 6, 2.0, lead_time_hours=HOURS_PER_MONTH + 1)
    row = a_row(late, hand=(HandLayer(6, 2),), is_rest_advised=is_rest_advised, calendar=ANY_TIME.by_hand)
    few = replace(row, offers=(replace(late, max_gpus=1),))
    for of_row, gpus in ((row, 2), (few, 1)):
        (signed,), *_ = allocate([of_row], 12, AdviceCache())
        assert places(signed) == [NO_ORDER] * 4
        if not is_rest_advised:
            assert places(signed, 1) == places(signed, 7) == [0] * gpus + [NO_ORDER] * (4 - gpus)
            assert signed.orders.follows[7].tolist() == [True] * gpus + [False] * (4 - gpus)
        begins = signed.orders.start_s[signed.orders.is_there]
        assert begins.min() == 731 * 3600 and not (signed.orders.offer == NOBODY).any()


def test_a_held_level_begins_when_its_offer_can_where_the_advice_takes_another() -> None:
    late, now = offer("m6", 6, 5.0, lead_time_hours=HOURS_PER_MONTH + 1), offer("m3", 3, 2.0)
    row = a_row(late, now, hand=(HandLayer(6, 2),), is_rest_advised=True, calendar=ANY_TIME.by_hand)
    (signed,), *_ = allocate([row], 12, AdviceCache())
    names = [item.offer_id for item in row.offers]
    assert sorted(names[place] if place >= 0 else "" for place in places(signed)) == ["", "", "m3", "m3"]
    assert [places(signed, 1).count(names.index(name)) for name in ("m6", "m3")] == [2, 0]
    assert np.isfinite(signed.value_usd).all()


def test_each_level_set_by_hand_takes_its_offers_before_another_is_beyond_its_own() -> None:
    """Two of a year are for two that were set, and not for the ones beyond the single GPU of two years."""
    row = a_row(offer("y2", 24, 2.0, max_gpus=1), offer("y1", 12, 3.0, max_gpus=2), months=24)
    signed, left = by_hand(row, HandLayer(24, 2), HandLayer(12, 2), months=24)
    assert places(signed) == [0, NO_ORDER, 1, 1]
    assert left == {"y2": 0.0, "y1": 0.0}


def test_beyond_an_offer_only_what_the_advice_may_sign_is_taken() -> None:
    """A year at $3 is sold from eight GPUs on, two years are longer than the log allows."""
    few = offer("few", 6, 2.0, max_gpus=1)
    others = offer("y1", 12, 3.0, min_gpus=8), offer("y2", 24, 3.0), offer("m3", 3, 4.0)
    row = a_row(few, *others, months=24, advised_to_months=12)
    signed, _ = by_hand(row, HandLayer(6, 3), months=24)
    names = [row.offers[place].offer_id for place in places(signed)[:3]]
    assert names == ["few", "m3", "m3"] and places(signed)[3] == NO_ORDER
    young = replace(row, lived=Lived(np.full((2, 4), 20), np.full((2, 4), FOR_EVER_S)))
    assert places(by_hand(young, HandLayer(6, 3), months=24)[0]) == [0, NO_ORDER, NO_ORDER, NO_ORDER]


def test_levels_set_by_hand_beyond_the_room_of_a_provider_keep_a_price() -> None:
    """Nothing more of Ada: its year is closed, and Bo sells by the half year."""
    row = a_row(offer("a", 12, 2.0, provider="Ada"), offer("b", 6, 3.0, provider="Bo"))
    signed, _ = by_hand(row, HandLayer(12, 2), **{PROVIDER + "Ada": -np.inf})
    assert places(signed) == [1, 1, NO_ORDER, NO_ORDER]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("is_rest_advised", [False, True])
def test_a_level_above_what_offers_have_is_served_whole_the_cheapest_first(
    seed: int, is_rest_advised: bool
) -> None:
    """Random offers of a year, of which some have a most: all GPUs of the level have an order or are by use."""
    draw = np.random.default_rng(seed)
    years = [
        offer(f"y{at}", 12, round(float(draw.uniform(1, 5)), 2), max_gpus=int(draw.integers(1, 5)))
        for at in range(int(draw.integers(1, 4)))
    ]
    others = [offer(f"m{months}", months, round(float(draw.uniform(1, 7)), 2)) for months in (1, 3, 6)]
    kept = [other for other in others if draw.random() < 0.5]
    level = int(draw.integers(1, 17))
    row = a_row(*years, *kept, gpus=16.0, hand=(HandLayer(12, level),), is_rest_advised=is_rest_advised)
    (signed,), *_ = allocate([row], 12, AdviceCache())
    now = places(signed)
    assert NOBODY not in now and not (signed.orders.offer == NOBODY).any()
    taken = {item.offer_id: now.count(place) for place, item in enumerate(row.offers)}
    cheapest_first = sorted(years, key=lambda item: (item.rate, item.offer_id))
    left = level
    for year in cheapest_first:
        assert taken[year.offer_id] == min(left, year.max_gpus)
        left -= taken[year.offer_id]
    if (
        left and not is_rest_advised
    ):  # the rest of the level is by the cheapest other, if that is below on demand
        best = min(kept, key=lambda item: item.rate or 0.0, default=None)
        by_use = best is None or (best.rate or 0.0) > 6.0
        expected = NO_ORDER if by_use else row.offers.index(best)
        assert now[level - left : level] == [expected] * left
        assert now[level:] == [NO_ORDER] * (16 - level)


def test_levels_of_a_quote_are_renewed_with_what_is_no_quote() -> None:
    """It is for one start: after its three months the cheapest list of three months, then nobody where none is."""
    starts = iso_day(BEGIN_S)
    quote = offer("q", 3, 1.0, source=f"Quote RFQ-20260925-AAAA R1 for {starts}", starts=starts)
    listed = [
        offer("d90", 3, 2.0, term_days=90),
        offer("m3", 3, 4.0),
        offer("m3b", 3, 5.0),
        offer("y1", 12, 2.0),
        offer("old", 3, 3.0, valid_until=iso_day(BEGIN_S + 5 * DAY_S)),
    ]
    row = a_row(quote, *listed, calendar=Calendar(begin_s=BEGIN_S))
    signed, _ = by_hand(row, HandLayer(3, 1))
    names = [row.offers[place].offer_id for place in signed.orders.offer[[0, 3, 6, 9], 0].tolist()]
    assert names == ["q", "m3", "m3", "m3"]
    alone = a_row(quote, listed[0], listed[3], calendar=Calendar(begin_s=BEGIN_S))
    signed, _ = by_hand(alone, HandLayer(3, 1))
    assert signed.orders.offer[[3, 6, 9], 0].tolist() == [NOBODY] * 3


def test_levels_that_are_held_leave_the_rest_to_the_advice() -> None:
    """Two of six months, which nobody would sign by himself, and one of a term that nobody sells."""
    row = a_row(offer("m6", 6, 5.0), offer("y1", 12, 2.0), months=12)
    held = replace(row, hand=(HandLayer(6, 2),), is_rest_advised=True)
    (signed,), *_ = allocate([held], 12, AdviceCache())
    assert sorted(places(signed)) == [0, 0, 1, 1]
    assert np.isfinite(signed.value_usd).all()
    unsold = replace(row, hand=(HandLayer(24, 1),), is_rest_advised=True)
    (signed,), *_ = allocate([unsold], 12, AdviceCache())
    (slice_,) = np.flatnonzero(signed.orders.offer[0] == NOBODY).tolist()
    assert (int(signed.orders.start_s[0, slice_]), int(signed.orders.end_s[0, slice_])) == (0, 24 * MONTH_S)
    assert (signed.orders.offer[1:, slice_] == NO_ORDER).all()
    assert sorted(places(signed)) == [NOBODY, 0, 0, 0]


def test_held_levels_are_no_larger_than_what_their_offers_have() -> None:
    """Two slices that are always busy and two that rarely are: a year of two goes to the busy, whatever is held."""
    row = a_row(offer("y1", 12, 2.0, max_gpus=2), offer("m6", 6, 3.0), gpus=4.0)
    shares = row.busy.shares.copy()
    shares[:, :, 2:] = 0.55
    row = replace(row, busy=replace(row.busy, shares=shares), is_rest_advised=True)
    for level in (1, 2, 3, 4):
        (signed,), *_ = allocate([replace(row, hand=(HandLayer(12, level),))], 12, AdviceCache())
        rest = [1] * (2 - min(level, 2))
        assert places(signed) == [0] * min(level, 2) + rest + [1, 1]
        assert np.isfinite(signed.value_usd).all()


def test_a_held_level_beyond_the_room_of_a_provider_is_advised() -> None:
    row = a_row(offer("a", 12, 2.0, provider="Ada"), offer("b", 6, 3.0, provider="Bo"))
    held = replace(row, hand=(HandLayer(12, 4),), is_rest_advised=True)
    (signed,), *_ = allocate([held], 12, AdviceCache(), {PROVIDER + "Ada": 1460.0})
    assert places(signed) == [0, 1, 1, 1]


def test_flex_of_a_row_is_its_rate_by_use() -> None:
    assert a_row().flex == Flex(rate=6.0, category=PricingCategory.STANDARD, offer_id=None, spot_share=0.0)


# --- Blocks where nothing is sold by use


def chains(spans: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """All sets of spans of which none overlap."""
    every = (chosen for size in range(len(spans) + 1) for chosen in combinations(range(len(spans)), size))
    return [
        chosen
        for chosen in every
        if all(spans[a][1] <= spans[b][0] or spans[b][1] <= spans[a][0] for a, b in combinations(chosen, 2))
    ]


@pytest.mark.parametrize("seed", range(12))
def test_blocks_are_the_cheapest_of_all_sets(seed: int) -> None:
    """Seven blocks of 1 to 30 days within 90, three slices that are busy by day: every set of blocks is tried."""
    draw = np.random.default_rng(seed)
    blocks = []
    for at in range(7):
        first, days = int(draw.integers(0, 60)), int(draw.integers(1, 31))
        blocks.append(
            offer(f"b{at}", 1, round(float(draw.uniform(1, 5)), 2), starts=iso_day(BEGIN_S + first * DAY_S),
                  ends=iso_day(BEGIN_S + (first + days) * DAY_S), term_days=days)
        )  # fmt: skip
    busy = draw.uniform(0, 1, (90, 3)) * (draw.uniform(0, 1, (90, 3)) < 0.6)
    rate = busy * float(draw.choice([4.0, 1e7]))
    paid = np.concatenate((np.zeros((1, 3)), np.cumsum(24 * rate, axis=0)))
    use = UseCosts(DAY_S * np.arange(91), paid, rate)
    ways = ways_of(blocks, 12, Calendar(begin_s=BEGIN_S), Prices())
    closed = np.zeros((2, ways.count, 3), dtype=np.bool_)
    closed[0, 0, 2] = True  # the last slice is too young for the shortest in month 0
    orders = orders_of_blocks(ways, use, 12, closed)
    spans = [(int(ways.begin_s[m, c]), int(ways.begin_s[m, c] + ways.length_s[c]))
             for c in range(ways.count) for m in np.flatnonzero(ways.is_open[:, c])]  # fmt: skip
    assert len(spans) == 7
    for k in range(3):

        def usd(chosen: Iterable[tuple[int, int, int]], k: int = k) -> float:
            """What blocks, as place, start and end, cost with the use beside them."""
            cost = float(paid[-1, k])
            for place, start_s, end_s in chosen:
                held = paid[end_s // DAY_S, k] - paid[start_s // DAY_S, k]
                cost += (blocks[place].rate or 0.0) * (end_s - start_s) / 3600 - float(held)
            return cost

        places_of = ways.place.tolist()
        least = min(
            usd((places_of[c], *spans[c]) for c in chosen)
            for chosen in chains(spans)
            if not (k == 2 and 0 in chosen and spans[0][0] < MONTH_S)
        )
        at = orders.is_there[:, k]
        taken = zip(
            orders.offer[at, k].tolist(),
            orders.start_s[at, k].tolist(),
            orders.end_s[at, k].tolist(),
            strict=True,
        )
        assert usd(taken) == pytest.approx(least, abs=0.01)


# --- Offers whose last day passes before they are worth an order


def use_of(rate: np.ndarray) -> UseCosts:
    """Costs of use in parts of half a month. rate: (parts, slices), $ per hour of each."""
    part_s = MONTH_S // 2
    paid = np.concatenate((np.zeros((1, rate.shape[1])), np.cumsum(rate * part_s / 3600, axis=0)))
    return UseCosts(part_s * np.arange(len(rate) + 1), paid, rate)


@pytest.mark.parametrize(
    ("last_month", "closed"),
    [
        (0.5, []),
        (0.4, [(0, 0)]),
        (1.25, [(1, 0), (1, 2)]),
        (1.5, []),
        (2.25, [(2, 2)]),
        (2.75, []),
        (3.0, None),
    ],
)
def test_an_offer_is_closed_to_slices_whose_use_is_worth_it_only_after_its_last_day(
    last_month: float, closed: list[tuple[int, int]] | None
) -> None:
    """Three months of two parts; an order costs $5. A month in which no part costs that much closes nothing."""
    rate = np.array(
        [[1.0, 1.0, 9.0], [5.0, 4.9, 9.0], [1.0, 9.0, 1.0], [5.0, 1.0, 5.0], [9.0, 1.0, 1.0], [1.0, 1.0, 9.0]]
    )
    ways = ways_of([offer("y1", 12, 5.0)], 12, ANY_TIME, Prices())
    ways = replace(ways, last_start_s=np.array([round(last_month * MONTH_S)]))
    found = too_late(use_of(rate), ways, 3)
    assert (None if found is None else [*map(tuple, np.argwhere(found[:, 0]).tolist())]) == closed
    if found is not None:
        assert found.shape == (3, 1, 3)


def test_an_offer_whose_last_day_was_before_the_plan_or_never_comes_closes_nothing() -> None:
    ways = ways_of([offer("y1", 12, 5.0)], 12, ANY_TIME, Prices())
    assert too_late(use_of(np.full((4, 2), 9.0)), ways, 2) is None
    before = replace(ways, last_start_s=np.array([-1]))
    found = too_late(use_of(np.full((4, 2), 9.0)), before, 2)
    assert found is not None and not found.any()
    one_part = UseCosts(MONTH_S * np.arange(3), np.zeros((3, 2)), np.full((2, 2), 9.0))
    found = too_late(one_part, replace(ways, last_start_s=np.array([0])), 2)
    assert found is not None and not found.any()
