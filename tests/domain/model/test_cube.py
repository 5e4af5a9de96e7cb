"""What a log of some length supports: the sentences say it, and the figures themselves are there or not accordingly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.advice_backtest import backtest
from gpuplanner.domain.commitment.demand.growth import fitted_growth
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.cube import (
    LOG_NEEDS,
    TREND_HOURS,
    Cube,
    Support,
    cannot_support,
    cube_from_entries,
    days_words,
    empty_cube,
    log_support,
    short_advice,
    short_advice_words,
)
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, offer

OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 4.6), offer("y1", 12, 3.0)]


def support_of(hours: int) -> dict[str, Support]:
    return {one.figure: one.support for one in log_support(hours)}


def edges() -> list[int]:
    return sorted({hours for need in LOG_NEEDS for hours in (need.least_hours - 1, need.least_hours)})


@pytest.mark.parametrize("hours", edges())
def test_a_figure_is_there_exactly_where_the_table_says_so(hours: int) -> None:
    made = case([Load(pool=Pool.INFERENCE, gpus=[5.0 + hour % 7 for hour in range(hours)])], (), OFFERS)
    scenario = made.project.scenarios[0]
    advice = advise(made.project, scenario, made.pools, audit())
    band = outlook(made.project, scenario, made.pools, advice).uncertainty
    terms = {offer.term_months for plan in advice.pools for offer in plan.supply.offers}
    hourly = np.array([5.0 + hour % 7 for hour in range(hours)])
    there = {
        "long_terms": 12 in terms,
        "range": band.p10_usd_per_month is not None,
        "trend": fitted_growth(hourly) is not None,
        "backtest": bool(backtest(made.project, scenario, made.pools).folds),
    }
    said = support_of(hours)
    assert there == {figure: one is not Support.NO for figure, one in said.items()}


@given(st.integers(1, 10_000))
def test_a_longer_log_never_supports_less(hours: int) -> None:
    rank = (Support.NO, Support.WEAK, Support.YES)
    for before, after in zip(log_support(hours), log_support(hours + 1), strict=True):
        assert rank.index(before.support) <= rank.index(after.support)
        assert bool(before.message) is (before.support is not Support.YES)


@pytest.mark.parametrize(
    ("hours", "messages"),
    [
        (
            168,
            (
                "No terms over one month: they need more than a week, the log has 7 days.",
                "No P10–P90 and cost of being wrong: they need two whole weeks, the log has 7 days.",
                "No growth measured in the log: it needs 30 days, the log has 7 days.",
                "No backtest: it needs two months of 730 h, the log has 7 days.",
            ),
        ),
        (
            500,
            (
                "P10–P90 and the cost of being wrong use 2 weeks.",
                "No growth measured in the log: it needs 30 days, the log has 20.8 days.",
                "No backtest: it needs two months of 730 h, the log has 20.8 days.",
            ),
        ),
        (2160, ("The backtest covers 1 month: too few to conclude.",)),
        (2190, ("The backtest covers 2 months: too few to conclude.",)),
        (2920, ()),
    ],
)
def test_what_is_said(hours: int, messages: tuple[str, ...]) -> None:
    assert tuple(str(one.message) for one in log_support(hours) if one.message) == messages


def test_in_one_line() -> None:
    assert str(cannot_support(1460)) == ""
    assert str(cannot_support(800)).startswith("no backtest (")
    assert [str(cannot_support(hours)).count("no ") for hours in (800, 168)] == [1, 4]
    assert str(cannot_support(168)).endswith(str(cannot_support(800)))
    assert [str(days_words(hours)) for hours in (1, 23, 24, 168, 500)] == [
        "1 hour",
        "23 hours",
        "1 day",
        "7 days",
        "20.8 days",
    ]


def test_advice_is_short_below_the_hours_of_a_trend() -> None:
    assert short_advice(TREND_HOURS) == short_advice_words(TREND_HOURS) == ""
    assert str(short_advice_words(TREND_HOURS - 1)) == f"{short_advice(TREND_HOURS - 1)}."


# --- Hours of workloads


def three_workloads() -> Cube:
    """Of 4 hours: the first workload on two models, which share hour 2; the second on one; the third never ran."""
    entries = np.array(
        [(0, 0, 0, 5), (0, 0, 2, 7), (0, 1, 2, 11), (0, 1, 3, 13), (1, -1, 1, 17), (1, -1, 3, 19)],
        dtype=np.int64,
    )
    return cube_from_entries(4, ("A", "B"), *entries.T)


@pytest.mark.parametrize(
    ("workload", "hourly"), [(0, [5, 0, 18, 13]), (1, [0, 17, 0, 19]), (2, [0, 0, 0, 0])]
)
def test_hours_of_a_workload_are_added_over_its_models(workload: int, hourly: list[int]) -> None:
    cube = three_workloads()
    assert cube.hourly_of(workload).tolist() == hourly
    hours, amounts = cube.hours_of(workload)
    assert hours.tolist() == [hour for hour, amount in enumerate(hourly) if amount]
    assert amounts.tolist() == [amount for amount in hourly if amount]


def test_a_workload_has_its_rows_by_model_and_keeps_them_without_the_others() -> None:
    cube = three_workloads()
    assert cube.pairs == [(0, "A"), (0, "B"), (1, None)]
    rows = [(model, hours.tolist(), spent.tolist()) for model, hours, spent in cube.by_model_of(0)]
    assert rows == [("A", [0, 2], [5, 7]), ("B", [2, 3], [11, 13])]
    (unknown,) = cube.by_model_of(1)
    assert unknown[0] is None and unknown[2].tolist() == [17, 19]
    second = cube.of_workloads(np.array([False, True, False]))
    assert second.pairs == [(1, None)] and second.total == 36 and second.offsets.tolist() == [0, 2]
    assert cube.of_workloads(np.array([True, True, False])) is cube


def test_entries_are_added_in_any_order_and_those_of_nothing_left_out() -> None:
    rows = np.array([(1, 0, 3, 4), (0, 0, 0, 0), (0, 0, 2, 5), (1, 0, 3, 6), (0, -1, 2, 7)], dtype=np.int64)
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        cube = cube_from_entries(4, ("A",), *rows[order].T)
        assert cube.pairs == [(0, None), (0, "A"), (1, "A")]
        assert (cube.hour.tolist(), cube.milli_gpu_seconds.tolist()) == ([2, 2, 3], [7, 5, 10])
        assert (cube.offsets.tolist(), cube.entry_row.tolist()) == ([0, 1, 2, 3], [0, 1, 2])


@pytest.mark.parametrize(
    ("hour", "amount", "is_right"),
    [(0, 1, True), (3, 1, True), (4, 1, False), (-1, 1, False), (2, -1, False), (4, 0, True)],
)
def test_an_entry_is_in_the_window_and_no_negative_amount(hour: int, amount: int, *, is_right: bool) -> None:
    columns = (np.array([value], dtype=np.int64) for value in (0, 0, hour, amount))
    if is_right:
        assert cube_from_entries(4, ("A",), *columns).total == amount
    else:
        with pytest.raises(ValueError, match="window"):
            cube_from_entries(4, ("A",), *columns)


def test_an_empty_cube_has_no_rows() -> None:
    none = np.zeros(0, dtype=np.int64)
    for cube in (empty_cube(24), cube_from_entries(24, (), none, none, none, none)):
        assert (cube.hours, cube.total, cube.pairs, cube.offsets.tolist()) == (24, 0, [], [0])
        assert len(cube.hour) == len(cube.workload_index) == len(cube.entry_row) == 0
