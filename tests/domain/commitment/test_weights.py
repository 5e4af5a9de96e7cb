"""Weights by whole weeks, and by whole months where demand has a cycle of one: known answers 35 to 37, and the laws."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import hour_weights
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.uncertainty.bands import past_of
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.oracle.comparison import disagreements, savings_differ, separation_differs
from tests.oracle.crafted import cycle_of_a_month

HOURS = 2160
OFFERS = [offer("od", 0, 6.88), offer("c1", 1, 3.5), offer("c12", 12, 2.75)]
SCENARIO = Scenario(name="Plan A")
WORKING_DAYS = [40.0] * 120 + [10.0] * 48


def made(*loads: Load) -> Any:
    return case(loads, [], OFFERS, SCENARIO, recency_half_life_days=7.0, demand_fall_closes=True)


def do_nothing(
    gpus: Sequence[float], pool: Pool = Pool.TRAINING, end: datetime | None = None
) -> float | None:
    of = until(end, made(Load(pool=pool, gpus=list(gpus))))
    return advise(of.project, SCENARIO, of.pools, audit()).totals.do_nothing


def until(end: datetime | None, of: Any) -> Any:
    """The same log, ended at that moment."""
    if end is None:
        return of
    hours = of.project.window.hours
    window = Window(int(end.timestamp()) - HOUR_S * hours, hours)
    return replace(of, project=replace(of.project, window=window))


def close(end: datetime, gpus: float = 256.0, hours: int = HOURS, days_before: int = 0) -> list[float]:
    """GPUs on the first 72 hours of each calendar month, or from so many days before, of a log that ends then."""
    starts = (end.timestamp() + HOUR_S * (24 * days_before - back) for back in range(hours, 0, -1))
    return [gpus if datetime.fromtimestamp(at, UTC).day <= 3 else 0.0 for at in starts]


@pytest.mark.parametrize("after_h", [0, 24, 48, 72, 96, 120, 147])
def test_35_a_weekly_job_costs_alike_whatever_hour_the_log_ends_in(after_h: int) -> None:
    gpus = [64.0 if (hour - after_h) % 168 >= 148 else 0.0 for hour in range(-HOURS, 0)]
    assert do_nothing(gpus) == pytest.approx(64 * 20 * 6.88 * 730 / 168, rel=0.0005)


@pytest.mark.parametrize("end_day", range(7))
def test_36_working_days_and_weekends_cost_alike_whatever_day_the_log_ends_on(end_day: int) -> None:
    gpus = [WORKING_DAYS[(hour + 24 * end_day) % 168] for hour in range(-HOURS, 0)]
    assert do_nothing(gpus, Pool.INFERENCE) == pytest.approx(157_847, rel=0.001)


@pytest.mark.parametrize("day", [4, 8, 12, 16, 22, 28])
def test_37_a_monthly_close_costs_alike_whatever_day_the_log_ends_on(day: int) -> None:
    end = datetime(2026, 11, day, tzinfo=UTC)
    assert do_nothing(close(end), end=end) == pytest.approx(126_812.16, rel=1e-9)


ENDS = [
    datetime(2026, *of, tzinfo=UTC)
    for of in [(1, 31, 9), (3, 4, 0), (3, 6, 10), (3, 16, 0), (3, 31), (4, 1, 0), (5, 4, 0), (6, 5, 23)]
]
"""The months before have 28 to 31 days: two closes lie 672 to 744 hours apart."""


@pytest.mark.parametrize("days_before", [0, 3])
@pytest.mark.parametrize("end", ENDS, ids=str)
def test_37_a_month_holds_one_close_whatever_its_length(end: datetime, days_before: int) -> None:
    """The first three days of a month, or its last three. A month of 730 h holds 72 of them: 256 x 72 x 6.88."""
    gpus = close(end, days_before=days_before)
    assert do_nothing(gpus, end=end) == pytest.approx(256 * 72 * 6.88, rel=1e-9)


def test_flat_demand_beside_a_close_counts_its_hours_of_a_month() -> None:
    """8 GPUs for 730 h, and the close: February has 672 h, of which the 192 in its middle count 250 / 192 times."""
    end = datetime(2026, 3, 12, tzinfo=UTC)
    gpus = [8 + gpus for gpus in close(end)]
    assert do_nothing(gpus, end=end) == pytest.approx((8 * 730 + 256 * 72) * 6.88, rel=1e-9)
    weights = hour_weights(HOURS - 24, 7.0, None, int(end.timestamp()))
    assert weights is not None
    times = weights / weights[-25]  # 10 March; 12 February is the oldest day of the newest month
    assert times[[-1, -241, -504, -505, -672]].tolist() == pytest.approx(
        [250 / 192, 1, 1, 250 / 192, 250 / 192]
    )
    # January: 744 h, of which 264 in its middle
    assert times[-673] == pytest.approx(250 / 264 * 2 ** (-730 / 168))
    assert times[0] == 0.0  # of December: the log begins on the 13th


@pytest.mark.parametrize("off_h", [1, 7, 31, 100, 167])
def test_the_hour_of_the_export_moves_no_dollar(off_h: int) -> None:
    """The same log of days, weekends and a weekly job, exported some hours later."""
    log = [
        WORKING_DAYS[hour % 168] * (1 + hour % 24 / 24) + 64 * (hour % 168 < 20)
        for hour in range(HOURS + 168)
    ]
    usd = do_nothing(log[:HOURS], Pool.INFERENCE)
    assert do_nothing(log[off_h : HOURS + off_h], Pool.INFERENCE) == pytest.approx(usd, rel=0.001)


def test_the_band_of_an_unchanged_week_is_the_same_whatever_hour_the_log_ends_in_and_holds_its_cost() -> None:
    """The first 58 hours of a fifth week would hold all of the job or nothing, by the hour of the export."""
    bands = []
    for after_h in (0, 100):
        load = Load(
            pool=Pool.TRAINING, gpus=[64.0 if (h - after_h) % 168 >= 148 else 0.0 for h in range(-HOURS, 0)]
        )
        of = case([load], [], OFFERS[:1], SCENARIO, recency_half_life_days=7.0)
        band = outlook(
            of.project, SCENARIO, of.pools, advise(of.project, SCENARIO, of.pools, audit())
        ).uncertainty
        bands.append([band.p10_usd_per_month, band.p50_usd_per_month, band.p90_usd_per_month])
    assert bands[1] == pytest.approx(bands[0], rel=0.001)
    low, _, high = bands[0]
    assert low is not None and high is not None and low < 64 * 20 * 6.88 * 730 / 168 < high


def test_months_are_counted_for_the_pool_and_model_that_has_the_cycle() -> None:
    """Training closes months, inference does not: the weights of each are its own, and add up to 1."""
    end = datetime(2026, 11, 1, tzinfo=UTC)  # October has 744 h, the last of September is older
    of = until(
        end, made(Load(pool=Pool.TRAINING, gpus=close(end)), Load(pool=Pool.INFERENCE, gpus=[8.0] * HOURS))
    )
    ground = ground_of(of.project, SCENARIO, of.pools, AdviceCache())
    assert ground.monthly == {(Pool.TRAINING, "H100")}
    weekly, monthly = (ground.weights_of((pool, "H100")) for pool in (Pool.INFERENCE, Pool.TRAINING))
    assert weekly is not None and monthly is not None
    for weights, newest_h, age_h in ((weekly, 168, 168), (monthly, 744, 730)):
        assert weights.sum() == pytest.approx(1.0)
        assert weights[-newest_h] == weights[-1]
        assert weights[-newest_h - 1] / weights[-1] == pytest.approx(2 ** (-age_h / 168))
    plans = advise(of.project, SCENARIO, of.pools, audit()).pools
    assert {plan.pool: plan.demand.weights is not None and plan.demand.weights[-744] == plan.demand.weights[-1]
            for plan in plans} == {Pool.TRAINING: True, Pool.INFERENCE: False}  # fmt: skip


def test_without_a_half_life_all_hours_count_alike_and_no_cycle_is_looked_for() -> None:
    of = case(
        [Load(pool=Pool.TRAINING, gpus=close(datetime(2026, 11, 12, tzinfo=UTC)))],
        [contract("k", 8, 2.0, 40, HOURS)],
    )
    ground = ground_of(of.project, SCENARIO, of.pools, AdviceCache())
    assert not ground.monthly and ground.weights_of((Pool.TRAINING, "H100")) is None


def test_weeks_of_a_cycle_of_a_month_are_drawn_by_months() -> None:
    """Of 12 weeks the last four are of the newest month, and 72 hours of the fifth; each older month weighs a 20th."""
    end, older = datetime(2026, 11, 1, tzinfo=UTC), 2 ** (-730 / 168)
    gpus, between = np.array(close(end, hours=12 * 168)), 250 / 264  # 11 to 21 October: 264 h
    past = past_of(gpus, 7.0, end_s=int(end.timestamp()))
    weeks = past.week_weights / past.week_weights[-1]
    assert weeks.tolist()[-5:] == pytest.approx(
        [(72 + 96 * older) / 168, 1.0, between, (72 + 96 * between) / 168, 1.0]
    )
    without_a_calendar = past_of(gpus, 7.0)  # months of 730 h
    assert (without_a_calendar.week_weights / without_a_calendar.week_weights[-1]).tolist()[
        -5:
    ] == pytest.approx([(58 + 110 * older) / 168, 1.0, 1.0, 1.0, 1.0])


@pytest.mark.long
@pytest.mark.parametrize("differ", [disagreements, separation_differs, savings_differ])
def test_a_plan_with_a_cycle_of_a_month_is_that_of_the_simulator(differ: Any) -> None:
    assert differ(cycle_of_a_month(growth=0.02)) == []


def test_the_simulator_sees_the_cycle_where_the_engine_does() -> None:
    of = cycle_of_a_month()
    project, pools, _ = of.on_board
    rows = ground_of(project, of.scenario, pools, AdviceCache()).monthly
    assert rows == {(Pool.TRAINING, "H100")}
