"""Backtest: the walk forward against sums done by hand, and laws that hold for any log."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.advice_backtest import (
    BEST_SO_FAR,
    RECENT_FALL,
    WAYS,
    Backtest,
    Variant,
    backtest,
    backtest_history,
    variants_of,
)
from gpuplanner.domain.commitment.demand.streams import Row
from gpuplanner.domain.commitment.history import (
    RULES,
    Held,
    History,
    Known,
    MonthPaid,
    Span,
    history_known,
    history_of,
    in_order,
    pay,
    windows_of,
)
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, parse_assumption
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from tests.domain.commitment.conftest import Load, case, offer

# --- Backtest: the walk forward against sums done by hand, and laws that hold for any log --------

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
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4))], [ON_DEMAND, ONE_MONTH])
    assert len(answer.folds) == 2
    for fold in answer.folds:
        assert fold.usd == {way: pytest.approx(4 * 3.5 * MONTH) for way in WAYS} | {
            "on_demand": pytest.approx(4 * 7.0 * MONTH)
        }
    assert answer.advice_over_hindsight == pytest.approx(1.0)


def test_what_was_bought_is_paid_though_demand_left() -> None:
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(4, 1))], [ON_DEMAND, ONE_MONTH])
    (fold,) = answer.folds
    assert fold.usd["advice"] == pytest.approx(4 * 3.5 * MONTH)
    assert fold.usd["hindsight"] == pytest.approx(1 * 3.5 * MONTH)
    assert fold.usd["on_demand"] == pytest.approx(1 * 7.0 * MONTH)
    (row,) = fold.rows
    assert (row.held_gpus, row.hindsight_gpus, row.mean_gpus_advised_on, row.mean_gpus) == (4, 1, 4, 1)
    assert row.unused_usd == pytest.approx(3 * 3.5 * MONTH)


def test_what_came_beyond_is_paid_by_use() -> None:
    answer = walk([Load(pool=Pool.TRAINING, gpus=steps(2, 5))], [ON_DEMAND, ONE_MONTH])
    (fold,) = answer.folds
    assert fold.usd["advice"] == pytest.approx((2 * 3.5 + 3 * 7.0) * MONTH)
    assert fold.rows[0].beyond_gpu_hours == pytest.approx(3 * MONTH)


def test_commitments_are_carried_over_until_they_end_and_not_bought_twice() -> None:
    answer = walk(
        [Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4, 4, 4))], [ON_DEMAND, ONE_MONTH, THREE_MONTHS]
    )
    bought = [[(one.term_months, one.gpus) for one in fold.bought] for fold in answer.folds]
    assert bought == [[(3, 4.0)], [], [], [(1, 4.0)]]  # the last month is no place for three
    assert [fold.usd["advice"] for fold in answer.folds] == pytest.approx(
        [4 * 2.0 * MONTH] * 3 + [4 * 3.5 * MONTH]
    )


@pytest.mark.parametrize("values", [{"max_provider_share": 0.5}, {}])
def test_what_is_carried_over_counts_in_the_share_of_who_sold_it(values: dict[str, float]) -> None:
    """Half of 4 GPUs at once, and nothing more while they are held: of any provider, or of one who is named."""
    sold = replace(THREE_MONTHS, provider="one")
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4, 4, 4))], (), [ON_DEMAND, sold], **{**CALM, **values}
    )
    plan = replace(made.project.scenarios[0], shares={} if values else {Only("one"): 0.5})
    answer = backtest(replace(made.project, scenarios=(plan,)), plan, made.pools)
    assert [[one.gpus for one in fold.bought] for fold in answer.folds] == [[2.0], [], [], []]


def test_a_wait_of_the_plan_is_none_of_the_months_that_are_bought_for() -> None:
    loads, offers = [Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4))], [ON_DEMAND, ONE_MONTH]
    waiting = walk(loads, offers, wait_months=3)
    assert waiting.totals == walk(loads, offers).totals
    assert all(fold.bought for fold in waiting.folds)


def test_a_term_longer_than_the_rest_of_the_log_is_offered_to_nobody() -> None:
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4))], [ON_DEMAND, THREE_MONTHS])
    assert answer.totals["advice"] == answer.totals["on_demand"] == answer.totals["hindsight"]
    assert all(not fold.bought for fold in answer.folds)


def test_rules_of_thumb_hold_their_levels() -> None:
    gpus = [float(8 if hour % 24 < 6 else 2) for hour in range(2 * MONTH)]  # 8 GPUs a quarter of the day
    answer = walk([Load(pool=Pool.INFERENCE, gpus=gpus)], [ON_DEMAND, ONE_MONTH])
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


def level(
    rule: str, gpus: Sequence[float], block: int = 1, term_rate: float = 3.5, flex_rate: float = 7.0
) -> float:
    """GPUs that a rule of thumb holds of a row whose hours so far wanted these."""
    return RULES[rule].gpus(np.array(gpus), block, term_rate / flex_rate)


def test_a_lookback_holds_what_is_busy_more_than_the_rates_break_even() -> None:
    """Beyond the first GPU, which is always busy, one is 13 hours of a day, one 12 and one 11: half of them is 12."""
    gpus = [float(1 + (hour % 24 < 13) + (hour % 24 < 12) + (hour % 24 < 11)) for hour in range(2 * MONTH)]
    assert level("lookback_7", gpus) == 2.0
    assert level("lookback_7", gpus, term_rate=3.2) == 4.0  # busy more than 10.97 hours
    assert level("lookback_7", gpus, term_rate=3.3) == 3.0  # 11.31
    assert level("lookback_7", gpus, term_rate=3.8) == 1.0  # 13.03
    assert level("lookback_7", gpus, flex_rate=3.5) == 0.0  # nothing is busy more than always
    assert level("lookback_7", [8 * one for one in gpus], block=8) == 16.0


@pytest.mark.parametrize("days", [7, 28, 56])
def test_a_lookback_begins_on_the_hour(days: int) -> None:
    """The second GPU is busy before those days and in their second half: with one hour more, or less, in over half."""
    hours = 24 * days
    gpus = [2.0] * (2 * MONTH - hours) + [1.0] * (hours // 2) + [2.0] * (hours // 2)
    assert level(f"lookback_{days}", gpus) == 1.0
    gpus[-hours + hours // 2 - 1] = 2.0
    assert level(f"lookback_{days}", gpus) == 2.0


def test_peak_and_mean_are_whole_blocks_for_all_hours_so_far() -> None:
    """In nodes of 8, of 1,460 hours 730 with 31.6 GPUs and 730 with 15.6: in the mean 23.6, just under three nodes."""
    cases = {(31.6, 15.6): (32.0, 24.0), (32.4, 16.4): (40.0, 32.0), (24.0, 24.0): (24.0, 24.0)}
    for (first, second), expected in cases.items():
        gpus = [first] * MONTH + [second] * MONTH
        assert (level("peak", gpus, 8), level("mean", gpus, 8)) == expected


def test_the_last_weeks_alone_count_for_a_short_lookback() -> None:
    gpus = [10.0] * (MONTH - 7 * 24) + [3.0] * (7 * 24) + [3.0] * MONTH
    answer = walk([Load(pool=Pool.INFERENCE, gpus=gpus)], [ON_DEMAND, ONE_MONTH])
    assert answer.totals["lookback_7"] == pytest.approx(3 * 3.5 * MONTH)
    assert answer.totals["lookback_28"] == pytest.approx(10 * 3.5 * MONTH)


def test_an_advice_sees_no_more_than_ninety_days() -> None:
    answer = walk(
        [Load(pool=Pool.INFERENCE, gpus=steps(9, 9, 1, 1, 1, 1, extra_hours=10))], [ON_DEMAND, ONE_MONTH]
    )
    last = answer.folds[-1]
    assert last.advised_on[1] - last.advised_on[0] == 2160 * 3600
    assert last.paid_for[0] == last.advised_on[1]
    assert last.usd["advice"] == pytest.approx(1 * 3.5 * MONTH)


def test_a_log_of_under_two_months_has_no_fold_and_no_sum() -> None:
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(4, extra_hours=729))], [ON_DEMAND, ONE_MONTH])
    assert answer.folds == ()
    assert set(answer.totals.values()) == {None}


def test_demand_that_nobody_has_a_price_for_makes_the_sums_unknown() -> None:
    loads = [
        Load(pool=Pool.INFERENCE, gpus=steps(4, 4)),
        Load(pool=Pool.INFERENCE, gpus=steps(1, 1), model="T4"),
    ]
    answer = walk(loads, [ON_DEMAND, ONE_MONTH])
    assert set(answer.totals.values()) == {None}
    known = next(row for row in answer.folds[0].rows if row.row[1] == "H100")
    assert known.usd["advice"] == pytest.approx(4 * 3.5 * MONTH)


def test_of_an_offer_with_a_maximum_only_the_rest_can_be_bought_again() -> None:
    few = offer("m3", 3, 2.0, max_gpus=3)
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(5, 5, 5, 5))], [ON_DEMAND, few])
    held = [row.held_gpus for fold in answer.folds for row in fold.rows]
    assert held == [3.0, 3.0, 3.0]


def test_of_a_maximum_what_is_held_already_is_taken_off() -> None:
    """Of 5 on offer 3 are held for three months: 2 can be had when demand grows, whatever would be worth it."""
    few = offer("m3", 3, 2.0, max_gpus=5)
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(3, 9, 9, 9, 9))], [ON_DEMAND, few])
    assert [row.held_gpus for fold in answer.folds for row in fold.rows][:2] == [3.0, 5.0]


def test_clusters_of_a_row_are_added_up() -> None:
    loads = [
        Load(pool=Pool.INFERENCE, gpus=steps(3, 3)),
        Load(pool=Pool.INFERENCE, gpus=steps(2, 2), cluster="c2"),
    ]
    (fold,) = walk(loads, [ON_DEMAND, ONE_MONTH]).folds
    assert fold.usd["advice"] == fold.usd["peak"] == pytest.approx(5 * 3.5 * MONTH)
    assert fold.usd["on_demand"] == pytest.approx(5 * 7.0 * MONTH)


def test_a_lookback_may_buy_the_term_that_is_cheapest_with_the_level_of_its_rate() -> None:
    gpus = [float(8 if hour % 24 < 8 else 2) for hour in range(4 * MONTH)]  # 8 GPUs a third of the day
    answer = walk([Load(pool=Pool.INFERENCE, gpus=gpus)], [ON_DEMAND, ONE_MONTH, THREE_MONTHS])
    use = [7.0 * sum(max(one - 2, 0.0) for one in gpus[month * MONTH :][:MONTH]) for month in (1, 2, 3)]
    for fold, by_use in zip(answer.folds, use, strict=True):
        assert fold.usd["lookback_28"] == pytest.approx(
            2 * 3.5 * MONTH + by_use
        )  # busy a third, break-even a half
        assert fold.usd["lookback_28_cheapest"] == pytest.approx(8 * 2.0 * MONTH)  # break-even 2 / 7


def test_a_lookback_tops_up_what_it_holds() -> None:
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(4, 6, 2, 2))], [ON_DEMAND, THREE_MONTHS])
    held = [fold.usd["lookback_7_cheapest"] for fold in answer.folds]
    assert held == pytest.approx([(4 * 2 + 2 * 7) * MONTH, 4 * 2 * MONTH, 4 * 2 * MONTH])


def test_an_offer_with_a_lead_over_a_month_is_offered_to_nobody_and_a_shorter_one_was_ordered_ahead() -> None:
    loads = [Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4))]
    late = walk(loads, [ON_DEMAND, offer("m1", 1, 3.5, lead_time_hours=731.0)])
    assert late.totals["advice"] == late.totals["hindsight"] == late.totals["on_demand"]
    soon = walk(loads, [ON_DEMAND, offer("m1", 1, 3.5, lead_time_hours=730.0)])
    assert soon.totals["advice"] == soon.totals["hindsight"] == pytest.approx(2 * 4 * 3.5 * MONTH)


def test_a_term_in_days_renews_through_the_month() -> None:
    days = offer("d20", 1, 3.5, term_days=20)
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(4, 4))], [ON_DEMAND, days])
    by_hand = 4 * MONTH * 3.5
    for way in ("advice", "hindsight", "lookback_7", "lookback_28_cheapest"):
        assert answer.totals[way] == pytest.approx(by_hand)


@pytest.mark.parametrize(
    "dates", [{"starts": "2026-05-01"}, {"ends": "2026-02-10"}, {"valid_until": "2026-01-15"}]
)
def test_what_is_not_there_on_the_day_is_bought_by_nobody(dates: dict[str, str]) -> None:
    answer = walk([Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4))], [ON_DEMAND, offer("m1", 1, 3.5, **dates)])
    for way in WAYS:
        assert answer.totals[way] == answer.totals["on_demand"]


def test_hindsight_knows_no_cost_of_capital() -> None:
    loads = [Load(pool=Pool.INFERENCE, gpus=steps(4, 4, 4, 4))]
    offers = [ON_DEMAND, ONE_MONTH, offer("m3", 3, 3.49)]
    assert walk(loads, offers, wacc=1.0).totals["hindsight"] == pytest.approx(3 * 4 * 3.49 * MONTH)


def test_a_log_that_is_in_use_for_under_two_months_has_no_fold() -> None:
    idle = [0.0] * MONTH
    answer = walk([Load(pool=Pool.INFERENCE, gpus=idle + steps(4) + idle)], [ON_DEMAND, ONE_MONTH])
    assert answer.folds == ()


def test_a_workload_stays_in_the_pool_where_it_was_first_known() -> None:
    made = case([Load(pool=Pool.TRAINING, gpus=steps(4, 4, 4))], (), [ON_DEMAND, ONE_MONTH], **CALM)
    pools = (Pool.TRAINING, Pool.BURST, Pool.INFERENCE)
    known = []
    for window, pool in zip(windows_of(made.project.window), pools, strict=True):
        cut = case(
            [Load(pool=pool, gpus=steps(4) * (window.hours // MONTH))], (), [ON_DEMAND, ONE_MONTH], **CALM
        )
        known.append(Known(replace(cut.project, window=window), (pool,)))
    answer = backtest_history(history_known(made.project, made.project.scenarios[0], known))
    assert [[row.row[0] for row in fold.rows] for fold in answer.folds] == [[Pool.TRAINING]] * 2
    assert answer.knows_rows
    assert answer.totals["advice"] == pytest.approx(2 * 4 * 3.5 * MONTH)


@pytest.mark.long
@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=4, max_size=4), st.integers(1, 3))
def test_demand_that_came_later_changes_no_advice(after: list[int], month: int) -> None:
    before = steps(4, 7, 3, 5)
    changed = before[: month * MONTH] + steps(*(float(gpus + 1) for gpus in after))[month * MONTH :]
    offers = [ON_DEMAND, ONE_MONTH, offer("m2", 2, 2.5)]
    one, other = (walk([Load(pool=Pool.INFERENCE, gpus=gpus)], offers) for gpus in (before, changed))
    for fold, same in zip(one.folds[:month], other.folds[:month], strict=True):
        assert fold.bought == same.bought
    for fold, same in zip(one.folds[: month - 1], other.folds[: month - 1], strict=True):
        assert {way: fold.usd[way] for way in WAYS if way != "hindsight"} == {
            way: same.usd[way] for way in WAYS if way != "hindsight"
        }


HOURLY = st.lists(st.integers(0, 6), min_size=4, max_size=4)


@pytest.mark.long
@settings(max_examples=15)
@given(HOURLY, HOURLY, st.booleans())
def test_nobody_beats_hindsight(even: list[int], odd: list[int], has_longer: bool) -> None:
    pairs = zip(even, odd, strict=True)
    gpus = [float(a if hour % 2 else b) for a, b in pairs for hour in range(MONTH)]
    busy = [hour for hour, one in enumerate(gpus) if one]
    if not busy or busy[-1] - busy[0] + 1 < 2 * MONTH:
        return
    offers = [ON_DEMAND, ONE_MONTH, *([offer("m2", 2, 2.5)] if has_longer else [])]
    answer = walk([Load(pool=Pool.BURST, gpus=gpus)], offers)
    best = answer.totals["hindsight"]
    assert best is not None
    for way in WAYS:
        assert (answer.totals[way] or 0.0) >= best - 1e-6


def test_sums_are_those_of_the_folds(make_case: Callable[..., Any]) -> None:
    loads = [Load(pool=Pool.INFERENCE, gpus=steps(4, 2, 6)), Load(pool=Pool.TRAINING, gpus=steps(1, 3, 2))]
    answer = walk(loads, [ON_DEMAND, ONE_MONTH], sigma=0.1, lambda_=0.01, delta=0.02)
    for way in WAYS:
        by_row = sum(row.usd[way] or 0.0 for fold in answer.folds for row in fold.rows)
        assert answer.totals[way] == pytest.approx(by_row)


# --- Variants of the advice: each is walked like the advice, and only the past chooses among them

OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 3.5)]


VARIANTS_CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0}
"""Of most walks only the levels matter, and those of one volatility alone are worked out in a tenth of the time."""


def walked(gpus: list[float], **assumptions: Any) -> dict[str, Variant]:
    made = case([Load(pool=Pool.INFERENCE, gpus=gpus)], (), OFFERS, **assumptions)
    history = history_of(made.project, made.project.scenarios[0], made.pools)
    return {one.name: one for one in variants_of(history)}


@cache
def falling_by_steps(months: int) -> dict[str, Variant]:
    return walked([float(max(20 - 2 * (hour // 336), 2)) for hour in range(months * MONTH)], **VARIANTS_CALM)


@pytest.mark.long
def test_as_set_is_the_backtest_itself() -> None:
    gpus = [float(1 + hour // 500) for hour in range(4 * MONTH)]
    made = case([Load(pool=Pool.INFERENCE, gpus=gpus)], (), OFFERS, sigma=0.1)
    answer = backtest(made.project, made.project.scenarios[0], made.pools)
    assert walked(gpus, sigma=0.1)["as_set"].usd == pytest.approx(answer.totals["advice"])


@pytest.mark.long
def test_where_demand_falls_by_steps_recent_weeks_pay() -> None:
    found = falling_by_steps(6)
    assert (found["half_life_3.5"].usd or 0) < (found["as_set"].usd or 0)
    assert "growth_inference" not in found["fitted_growth"].settings  # for some weeks it fell no more
    assert falling_by_steps(4)["fitted_growth"].settings["growth_inference"] < 0  # type: ignore[operator]


def test_the_best_so_far_starts_with_falls_alone_and_never_looks_ahead() -> None:
    whole, cut = falling_by_steps(6), falling_by_steps(4)
    assert whole[BEST_SO_FAR].by_month[0] == whole[RECENT_FALL].by_month[0]
    assert whole[BEST_SO_FAR].by_month[:3] == pytest.approx(cut[BEST_SO_FAR].by_month)


def test_from_the_second_month_on_the_settings_that_paid_best_are_taken() -> None:
    """10 GPUs for 600 h of each month, then 2: the last days hold 2 and pay 8 by use, the whole month holds 10."""
    found = walked([10.0 if hour % MONTH < 600 else 2.0 for hour in range(4 * MONTH)], **VARIANTS_CALM)
    by_use, held = 2 * 3.5 * MONTH + 8 * 7 * 600, 10 * 3.5 * MONTH
    assert found[RECENT_FALL].by_month == pytest.approx([by_use] * 3)
    assert found["as_set"].by_month == pytest.approx([held] * 3)
    assert found[BEST_SO_FAR].by_month == pytest.approx([by_use, held, held])


@pytest.mark.parametrize(
    ("usd", "chosen"),
    [
        ({}, RECENT_FALL),
        ({"as_set": 97.9}, "as_set"),
        ({"as_set": 98.0}, RECENT_FALL),  # 2% less is not clear
        ({"as_set": None}, RECENT_FALL),
        ({RECENT_FALL: None, "as_set": 1.0}, RECENT_FALL),
        ({"as_set": 10.0, "other": 5.0}, "other"),
        ({"as_set": 10.0, "other": 10.0}, "as_set"),
    ],
)
def test_now_those_settings_are_best_that_cost_clearly_least_in_all_months(
    usd: dict[str, float | None], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first of three months all cost $1; what they cost in the others decides."""
    names = ("as_set", RECENT_FALL, "other")
    tried = [
        Variant(
            name=name,
            title=Message(name),
            settings={"growth": at},
            usd=None,
            by_month=(1.0, usd.get(name, 100.0), 0.0),
        )
        for at, name in enumerate(names)
    ]
    history: Any = SimpleNamespace(months=4)
    monkeypatch.setattr(advice_backtest, "walk_advice", lambda *_: None)
    monkeypatch.setattr(advice_backtest, "advice_by_month", lambda *_: (2.0, 3.0, 4.0))
    found = advice_backtest.choose_best_so_far(history, tried)
    assert (found.name, found.usd, found.by_month) == (BEST_SO_FAR, 9.0, (2.0, 3.0, 4.0))
    assert found.settings == {"growth": names.index(chosen)}


def test_a_fall_is_carried_on_and_a_rise_is_not() -> None:
    down = falling_by_steps(4)[RECENT_FALL]
    assert down.settings["recency_half_life_days"] == 3.5 and down.settings["growth_inference"] < 0  # type: ignore[operator]
    up = walked([float(4 + 3 * (hour // 336)) for hour in range(4 * MONTH)], **VARIANTS_CALM)
    assert up[RECENT_FALL].settings == {"recency_half_life_days": 3.5}
    assert up["fitted_growth"].settings["growth_inference"] > 0  # type: ignore[operator]


def test_settings_are_assumptions_that_a_planner_can_apply() -> None:
    for variant in falling_by_steps(6).values():
        for name, value in variant.settings.items():
            assert parse_assumption(name, str(value)) == value


def test_a_short_log_has_no_variants() -> None:
    assert walked([1.0] * (2 * MONTH - 1)) == {}


def test_months_are_summed_in_one_order_whatever_a_run_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last digit of a sum hangs on its order: rows of a set come in another one in every process."""
    loads = [
        Load(pool=pool, gpus=[4.0] * (3 * MONTH), model=name)
        for pool in Pool
        for name in ("B200", "H100", "L40S")
    ]
    offers = [replace(one, offer_id=f"{one.offer_id}-{name}", gpu_model=name)
              for one in OFFERS for name in ("B200", "H100", "L40S")]  # fmt: skip
    made = case(loads, (), offers)
    history = history_of(made.project, made.project.scenarios[0], made.pools)
    paid: list[Row] = []

    def watched(came: Span, month: int, held: Sequence[Held], row: Row) -> MonthPaid:
        paid.append(row)
        return pay(came, month, held, row)

    monkeypatch.setattr(advice_backtest, "pay", watched)
    months = advice_backtest.advice_by_month(history, ())
    rows = in_order(set(paid))
    assert len(rows) == 9 and paid == [*rows] * len(months)


# --- What is asked, cut short or set, without a walk


def two_months() -> History:
    """4 GPUs that serve, then 6, with a term of a month at half of the rate by use."""
    made = case([Load(pool=Pool.INFERENCE, gpus=steps(4, 6))], (), [ON_DEMAND, ONE_MONTH], **CALM)
    return history_of(made.project, made.project.scenarios[0], made.pools)


def test_a_walk_that_is_cancelled_buys_no_more_and_says_nothing() -> None:
    history = two_months()
    asked = [0]

    def after(calls: int) -> Callable[[], bool]:
        asked[0] = 0

        def is_cancelled() -> bool:
            asked[0] += 1
            return asked[0] > calls

        return is_cancelled

    assert advice_backtest.walk_advice(history, advice_backtest.as_set, after(0)) == ()
    assert len(advice_backtest.walk_advice(history, advice_backtest.as_set, after(1))) == 1
    for calls in (0, 3):
        nothing = backtest_history(history, after(calls))
        assert (nothing.folds, set(nothing.totals.values())) == ((), {None})
    assert variants_of(history, after(0)) == ()
    assert [variant.name for variant in variants_of(history, after(2))] == ["as_set"]


def test_a_log_of_one_month_has_nothing_to_pay_for() -> None:
    history = replace(two_months(), logs=two_months().logs[:1])
    assert backtest_history(history).folds == () and variants_of(history) == ()


def test_a_fold_has_what_was_held_and_what_it_lacked() -> None:
    """4 GPUs that nobody had in mind to grow are held for $3.50; two of 6 run by use, at $7."""
    (fold,) = backtest_history(two_months()).folds
    (row,) = fold.rows
    start_s = two_months().project.window.start_s
    assert (fold.month, fold.advised_on, fold.paid_for) == (
        1,
        (start_s, start_s + MONTH_S),
        (start_s + MONTH_S, start_s + 2 * MONTH_S),
    )
    assert (row.held_gpus, row.hindsight_gpus) == (4.0, 6.0)
    assert (row.mean_gpus_advised_on, row.mean_gpus) == (4.0, 6.0)
    assert (row.unused_usd, row.beyond_gpu_hours) == (0.0, 2.0 * MONTH)
    assert fold.usd["advice"] == pytest.approx(MONTH * (4 * 3.5 + 2 * 7))
    assert [(item.gpus, item.month) for item in fold.bought] == [(4.0, 1)]


def test_what_is_held_and_not_used_is_its_share_of_what_it_costs() -> None:
    """6 are held in a month of no GPUs in its first half and 4 in its second: two thirds of $15,330 are unused."""
    answer = walk(
        [Load(pool=Pool.INFERENCE, gpus=steps(6) + [0.0] * 365 + [4.0] * 365)], [ON_DEMAND, ONE_MONTH]
    )
    (row,) = answer.folds[0].rows
    assert row.unused_usd == pytest.approx(6 * 3.5 * MONTH * 2 / 3) and row.beyond_gpu_hours == 0.0
    assert row.held_gpus == 6.0


def test_a_row_that_goes_or_comes_is_in_the_fold_of_its_month() -> None:
    """Training ends with month 0, serving begins in month 1: nothing runs of one, nothing was seen of the other."""
    loads = [Load(pool=Pool.TRAINING, gpus=steps(4, 0)), Load(pool=Pool.INFERENCE, gpus=steps(0, 3))]
    (fold,) = walk(loads, [ON_DEMAND, ONE_MONTH]).folds
    gone, come = fold.rows
    assert (gone.row[0], gone.usd["on_demand"], gone.mean_gpus) == (Pool.TRAINING, 0.0, 0.0)
    assert gone.unused_usd == pytest.approx(4 * 3.5 * MONTH)
    assert (come.row[0], come.mean_gpus_advised_on, come.held_gpus) == (Pool.INFERENCE, 0.0, 0.0)
    assert come.usd["on_demand"] == come.usd["advice"] == pytest.approx(3 * 7.0 * MONTH)
    assert (come.unused_usd, come.beyond_gpu_hours) == (0.0, 3.0 * MONTH)


def seen(**weekly: Sequence[float]) -> Any:
    """A span of steady weeks of each pool, by name; others have no demand."""
    hours = 168 * max(map(len, weekly.values()))
    return SimpleNamespace(
        pool_gpus=lambda pool: np.repeat(np.array(weekly.get(str(pool), [0.0] * (hours // 168))), 168)
    )


def test_growth_is_set_where_it_is_clear_and_within_bounds() -> None:
    """A week's factor to the power of 730 / 168 is that of a month: 1.02 makes 8.99%, 0.98 loses 8.4%."""
    times = [1.02**week for week in range(8)]
    falls = [0.98**week for week in range(8)]
    up, down = round(1.02 ** (730 / 168) - 1, 4), round(0.98 ** (730 / 168) - 1, 4)
    both = seen(training=times, inference=falls)
    assert advice_backtest.growth_settings(both) == {"growth_training": up, "growth_inference": down}
    assert advice_backtest.fall_settings(both) == {"growth_inference": down}
    assert advice_backtest.growth_settings(seen(burst=[5.0, 3.0, 5.0, 3.0, 4.0])) == {}
    spec = SPEC_BY_NAME["growth_burst"]
    wild = seen(burst=[2.0**week for week in range(8)], training=[0.2**week for week in range(8)])
    assert advice_backtest.growth_settings(wild) == {
        "growth_burst": spec.high,
        "growth_training": max(spec.low, round(0.2 ** (730 / 168) - 1, 4)),
    }
    half = advice_backtest.set_half_life(7.0, advice_backtest.fall_settings)
    assert half(both) == {"recency_half_life_days": 7.0, "growth_inference": down}
