"""What a log is too young to sign for: demand that has gone, and demand that has only just come."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.orders import to_sign
from gpuplanner.domain.commitment.recursion.lived import fall_left, fall_of, needed_days
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.pool import Pool
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

HOURS = 2160
RATES = {1: 4.2, 3: 3.6, 6: 3.2, 12: 2.9, 36: 2.2}
OFFERS = [offer("od", 0, 6.88), *(offer(f"c{term}", term, rate) for term, rate in RATES.items())]
AS_IT_IS: dict[str, Any] = {
    "recency_half_life_days": 14,
    "demand_fall_closes": True,
    "slices_lived": True,
    "sigma": 0.0,
    "delta": 0.0,
}


def advised(
    *demands: Sequence[float], contracts: Sequence[Any] = (), offers: Any = OFFERS, **more: Any
) -> Advice:
    made = case([Load(Pool.TRAINING, list(gpus)) for gpus in demands], contracts, offers, **(AS_IT_IS | more))
    return advise(made.project, made.project.scenarios[0], made.pools, audit())


def signed(advice: Advice) -> dict[int, float]:
    terms: dict[int, float] = {}
    for layer in advice.pools[0].layers:
        if layer.term_months:
            terms[layer.term_months] = terms.get(layer.term_months, 0.0) + layer.gpus
    return terms


def codes(advice: Advice) -> dict[str, str]:
    return {check.code: check.message for check in advice.checks}


def spell(gpus: float, from_day: float, to_day: float) -> np.ndarray:
    """So many GPUs between two days before the window's end, none otherwise."""
    demand = np.zeros(HOURS)
    demand[HOURS - round(24 * from_day) : HOURS - round(24 * to_day)] = gpus
    return demand


def test_steady_demand_may_take_every_term() -> None:
    advice = advised(spell(40, 90, 0))
    assert signed(advice) == {36: 40.0} and "demand_fell" not in codes(advice)


def test_what_was_switched_off_32_days_ago_is_not_signed_for() -> None:
    advice = advised(spell(40, 90, 32))
    assert signed(advice) == {} and not advice.orders
    assert "Stopped: c1/team/load-000" in str(codes(advice)["demand_fell"])
    assert [check.severity for check in advice.checks if check.code == "demand_fell"] == ["red"]


def test_what_still_runs_beside_it_signs_for_three_months_at_most() -> None:
    advice = advised(spell(40, 90, 32), spell(8, 90, 0))
    assert max(signed(advice)) == 3 and sum(signed(advice).values()) == 8
    assert max(order.term_months for order in advice.orders) == 3
    assert str(codes(advice)["demand_fell"]).endswith("Stopped: c1/team/load-000")


def test_a_large_training_that_ended_six_weeks_ago() -> None:
    advice = advised(spell(512, 90, 42), spell(8, 90, 0))
    assert sum(signed(advice).values()) == 8 and "demand_fell" in codes(advice)


def test_demand_that_falls_from_40_to_5() -> None:
    falling = np.where(np.arange(HOURS) < HOURS - 24 * 20, 40.0, 5.0)
    advice = advised(falling)
    assert sum(signed(advice).values()) <= 5 and set(signed(advice)) <= {1, 3}


@pytest.mark.parametrize("before", [0.0, 3.0])
def test_a_run_of_three_weeks_alone_signs_for_a_month_and_what_follows_hangs_on_it(before: float) -> None:
    """No term over a month for the new slices, in layers and in orders but those that say so."""
    own = {36: before} if before else {}
    advice = advised(spell(108, 21, 0) + before)
    assert signed(advice) == own | {1: 108.0} and "demand_fell" not in codes(advice)
    terms = {order.term_months for order in advice.orders if order.reason != "if_it_lasts"}
    assert terms == {1, *own}
    without = advised(spell(108, 21, 0) + before, offers=[one for one in OFFERS if one.offer_id != "c1"])
    assert signed(without) == own
    later = [order for order in without.orders if order.reason == "if_it_lasts"]
    assert sum(order.gpus for order in later) == 108.0 and not to_sign(later, 2**60)
    assert all(order.gpus == before for order in without.orders if order not in later)


def test_what_ran_last_more_than_four_days_ago_signs_nothing_now() -> None:
    assert signed(advised(spell(6, 90, 0) + spell(4, 90, 4.1))) == {36: 6.0}
    assert signed(advised(spell(6, 90, 0) + spell(4, 90, 3.9)))[36] > 6


def test_a_slice_under_a_contract_has_lived_when_the_contract_ends() -> None:
    """40 GPUs on a contract to month 5: the slices it leaves free then ran all the time."""
    advice = advised(spell(40, 90, 0), contracts=[contract("k1", 40, 3.0, 5, HOURS)])
    (order,) = advice.orders
    assert (order.gpus, order.reason, order.term_months) == (40.0, "contract_end", 36)


def test_the_old_rules_sign_for_what_is_gone() -> None:
    old: dict[str, Any] = {"slices_lived": False, "recency_half_life_days": None}
    assert 36 in signed(advised(spell(40, 90, 32), demand_fall_closes=False, **old))
    assert 36 in signed(advised(spell(40, 21, 0), slices_lived=False))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=40))
def test_a_fall_is_less_than_60_percent_or_a_week_of_silence(by_day: list[int]) -> None:
    hourly = np.repeat(np.array(by_day, dtype=np.float64), 24)
    last, silent = by_day[-14:], not any(by_day[-7:])
    is_less = 10 * sum(last) * len(by_day) < 6 * sum(by_day) * len(last)
    fall = fall_of(hourly)
    assert (fall is not None) == (any(by_day) and (silent or is_less))
    if fall is not None:
        assert fall.is_silent == silent and (silent or fall.share < 0.6)


@given(*(st.lists(st.integers(0, 50), min_size=30, max_size=30) for _ in range(2)))
def test_a_date_makes_no_fall_where_the_whole_had_none(dated: list[int], undated: list[int]) -> None:
    """And where the whole fell, the fall that is said is that of what has no date."""
    gave, rest = (np.repeat(np.array(one, dtype=np.float64), 24) for one in (dated, undated))
    whole = gave + rest
    assert fall_left(whole, whole) == fall_of(whole)
    assert fall_left(whole, rest) == (fall_of(rest) if fall_of(whole) else None)
    if fall_of(whole) is None:
        assert fall_left(whole, rest) is None


def test_days_that_terms_need() -> None:
    assert [needed_days(term) for term in (2, 3, 4, 6, 36)] == [20, 30, 40, 45, 45]
