"""Backtest: the walk forward against sums done by hand, and laws that hold for any log."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.backtest import WAYS, Backtest, backtest
from gpuplanner.domain.model.pool import Pool
from tests.domain.commitment.conftest import Load, case, offer

MONTH = 730
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0}


def walk(loads: Sequence[Load], offers: Sequence[Any], **assumptions: Any) -> Backtest:
    made = case(loads, (), offers, **{**CALM, **assumptions})
    return backtest(made.project, made.project.scenarios[0], made.pools)


def steps(*gpus_by_month: float, extra_hours: int = 0) -> list[float]:
    """Whole months of steady demand."""
    return [gpus for gpus in gpus_by_month for _ in range(MONTH)] + [gpus_by_month[-1]] * extra_hours


ON_DEMAND = offer("od", 0, 7.0)
ONE_MONTH = offer("m1", 1, 3.5)
THREE_MONTHS = offer("m3", 3, 2.0)


def test_steady_demand_is_bought_month_by_month_and_costs_what_hindsight_costs() -> None:
    answer = walk([Load(Pool.INFERENCE, steps(4, 4, 4))], [ON_DEMAND, ONE_MONTH])
    assert len(answer.folds) == 2
    for fold in answer.folds:
        assert fold.usd == {way: pytest.approx(4 * 3.5 * MONTH) for way in WAYS} | {
            "on_demand": pytest.approx(4 * 7.0 * MONTH)
        }
    assert answer.advice_over_hindsight == pytest.approx(1.0)


def test_what_was_bought_is_paid_though_demand_left() -> None:
    answer = walk([Load(Pool.INFERENCE, steps(4, 1))], [ON_DEMAND, ONE_MONTH])
    (fold,) = answer.folds
    assert fold.usd["advice"] == pytest.approx(4 * 3.5 * MONTH)
    assert fold.usd["hindsight"] == pytest.approx(1 * 3.5 * MONTH)
    assert fold.usd["on_demand"] == pytest.approx(1 * 7.0 * MONTH)
    (row,) = fold.rows
    assert (row.held_gpus, row.hindsight_gpus, row.mean_gpus_advised_on, row.mean_gpus) == (4, 1, 4, 1)
    assert row.unused_usd == pytest.approx(3 * 3.5 * MONTH)


def test_what_came_beyond_is_paid_by_use() -> None:
    answer = walk([Load(Pool.TRAINING, steps(2, 5))], [ON_DEMAND, ONE_MONTH])
    (fold,) = answer.folds
    assert fold.usd["advice"] == pytest.approx((2 * 3.5 + 3 * 7.0) * MONTH)
    assert fold.rows[0].beyond_gpu_hours == pytest.approx(3 * MONTH)


def test_commitments_are_carried_over_until_they_end_and_not_bought_twice() -> None:
    answer = walk([Load(Pool.INFERENCE, steps(4, 4, 4, 4, 4))], [ON_DEMAND, ONE_MONTH, THREE_MONTHS])
    bought = [[(one.term_months, one.gpus) for one in fold.bought] for fold in answer.folds]
    assert bought == [[(3, 4.0)], [], [], [(1, 4.0)]]  # the last month is no place for three
    assert [fold.usd["advice"] for fold in answer.folds] == pytest.approx(
        [4 * 2.0 * MONTH] * 3 + [4 * 3.5 * MONTH]
    )


def test_a_term_longer_than_the_rest_of_the_log_is_offered_to_nobody() -> None:
    answer = walk([Load(Pool.INFERENCE, steps(4, 4, 4))], [ON_DEMAND, THREE_MONTHS])
    assert answer.totals["advice"] == answer.totals["on_demand"] == answer.totals["hindsight"]
    assert all(not fold.bought for fold in answer.folds)


def test_rules_of_thumb_hold_their_levels() -> None:
    gpus = [float(8 if hour % 24 < 6 else 2) for hour in range(2 * MONTH)]  # 8 GPUs a quarter of the day
    answer = walk([Load(Pool.INFERENCE, gpus)], [ON_DEMAND, ONE_MONTH])
    (fold,) = answer.folds
    second = gpus[MONTH:]

    def cost(level: float) -> float:
        return level * 3.5 * MONTH + 7.0 * sum(max(one - level, 0.0) for one in second)

    assert fold.usd["peak"] == pytest.approx(cost(8))
    assert fold.usd["mean"] == pytest.approx(cost(4))  # 3.5 GPUs, in whole ones
    assert fold.usd["lookback_7"] == pytest.approx(
        cost(2)
    )  # the rest is busy a quarter, break-even is a half
    assert fold.usd["advice"] == pytest.approx(cost(2))


def test_the_last_weeks_alone_count_for_a_short_lookback() -> None:
    gpus = [10.0] * (MONTH - 7 * 24) + [3.0] * (7 * 24) + [3.0] * MONTH
    answer = walk([Load(Pool.INFERENCE, gpus)], [ON_DEMAND, ONE_MONTH])
    assert answer.totals["lookback_7"] == pytest.approx(3 * 3.5 * MONTH)
    assert answer.totals["lookback_28"] == pytest.approx(10 * 3.5 * MONTH)


def test_an_advice_sees_no_more_than_ninety_days() -> None:
    answer = walk([Load(Pool.INFERENCE, steps(9, 9, 1, 1, 1, 1, extra_hours=10))], [ON_DEMAND, ONE_MONTH])
    last = answer.folds[-1]
    assert last.advised_on[1] - last.advised_on[0] == 2160 * 3600
    assert last.paid_for[0] == last.advised_on[1]
    assert last.usd["advice"] == pytest.approx(1 * 3.5 * MONTH)


def test_a_log_of_under_two_months_has_no_fold_and_no_sum() -> None:
    answer = walk([Load(Pool.INFERENCE, steps(4, extra_hours=729))], [ON_DEMAND, ONE_MONTH])
    assert answer.folds == ()
    assert set(answer.totals.values()) == {None}


def test_demand_that_nobody_has_a_price_for_makes_the_sums_unknown() -> None:
    loads = [Load(Pool.INFERENCE, steps(4, 4)), Load(Pool.INFERENCE, steps(1, 1), model="T4")]
    answer = walk(loads, [ON_DEMAND, ONE_MONTH])
    assert set(answer.totals.values()) == {None}
    known = next(row for row in answer.folds[0].rows if row.row[1] == "H100")
    assert known.usd["advice"] == pytest.approx(4 * 3.5 * MONTH)


def test_of_an_offer_with_a_maximum_only_the_rest_can_be_bought_again() -> None:
    few = offer("m3", 3, 2.0, max_gpus=3)
    answer = walk([Load(Pool.INFERENCE, steps(5, 5, 5, 5))], [ON_DEMAND, few])
    held = [row.held_gpus for fold in answer.folds for row in fold.rows]
    assert held == [3.0, 3.0, 3.0]


HOURLY = st.lists(st.integers(0, 6), min_size=4, max_size=4)


@settings(max_examples=15)
@given(HOURLY, HOURLY, st.booleans())
def test_nobody_beats_hindsight(even: list[int], odd: list[int], has_longer: bool) -> None:
    pairs = zip(even, odd, strict=True)
    gpus = [float(a if hour % 2 else b) for a, b in pairs for hour in range(MONTH)]
    busy = [hour for hour, one in enumerate(gpus) if one]
    if not busy or busy[-1] - busy[0] + 1 < 2 * MONTH:
        return
    offers = [ON_DEMAND, ONE_MONTH, *([offer("m2", 2, 2.5)] if has_longer else [])]
    answer = walk([Load(Pool.BURST, gpus)], offers)
    best = answer.totals["hindsight"]
    assert best is not None
    for way in WAYS:
        assert (answer.totals[way] or 0.0) >= best - 1e-6


def test_sums_are_those_of_the_folds(make_case: Callable[..., Any]) -> None:
    loads = [Load(Pool.INFERENCE, steps(4, 2, 6)), Load(Pool.TRAINING, steps(1, 3, 2))]
    answer = walk(loads, [ON_DEMAND, ONE_MONTH], sigma=0.1, lambda_=0.01, delta=0.02)
    for way in WAYS:
        by_row = sum(row.usd[way] or 0.0 for fold in answer.folds for row in fold.rows)
        assert answer.totals[way] == pytest.approx(by_row)
