"""What a workload counts: the model's known answers 38, 39 and 47."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, classified
from tests.domain.commitment.test_dated_list import BEGIN_S, DEFAULTS, HOURS, LEAD

SECOND = "c1/team/load-001"
DAY_S, DAY_H = 86_400, 24


def plan(
    loads: Sequence[Load],
    contracts: Sequence[Contract],
    offers: Sequence[Offer],
    scenario: Scenario | None = None,
    name: str = "",
    *,
    is_completed: bool = False,
) -> Advice:
    """The plan of workloads whose classes are their pools. name: all have it; is_completed: of the last job of each."""
    scenario = scenario or Scenario(name="Plan A")
    made = case(loads, contracts, offers, scenario, **DEFAULTS)
    project = made.project
    ended = tuple(replace(workload, is_completed=is_completed) for workload in project.workloads)
    project = replace(project, workloads=ended)
    if name:
        project = replace(project, workloads=tuple(replace(w, name=name) for w in project.workloads))
    return advise(project, scenario, made.pools, classified(made.pools))


def steady(gpus: float) -> Load:
    return Load(pool=Pool.INFERENCE, gpus=[gpus] * HOURS)


def until(gpus: float, hours_ago: int) -> Load:
    return Load(pool=Pool.INFERENCE, gpus=[gpus] * (HOURS - hours_ago) + [0.0] * hours_ago)


def since(gpus: float, days_ago: int, pool: Pool = Pool.INFERENCE, **more: object) -> Load:
    return Load(pool=pool, gpus=[0.0] * (HOURS - 24 * days_ago) + [gpus] * 24 * days_ago, **more)  # type: ignore[arg-type]


def nothing(advice: Advice) -> float:
    return round(advice.comparison[0].do_nothing_usd or 0.0, 2)


def year(advice: Advice) -> float:
    return round(sum(month.plan_usd or 0.0 for month in advice.comparison), 2)


def terms(advice: Advice) -> dict[int, float]:
    """GPUs of each term in the layers of month 0."""
    layers = [layer for pool in advice.pools for layer in pool.layers if layer.term_months]
    return {
        term: sum(a.gpus for a in layers if a.term_months == term) for term in {a.term_months for a in layers}
    }


def spelled(begins_s: int | None = None, ends_s: int | None = None) -> Scenario:
    return Scenario(name="Plan A", spells={SECOND: Spell(begins_s, ends_s)})


def fallen(advice: Advice) -> list[tuple[str, ...]]:
    return [check.keys for check in advice.checks if check.code == "demand_fell"]


@pytest.mark.parametrize("days", [5, 9, 13, 20, 40])
def test_38_what_comes_back_counts_its_own_hours(days: int) -> None:
    advice = plan([steady(1), until(48, 24 * days)], (), LEAD, spelled(BEGIN_S))
    assert nothing(advice) == 246_097.60
    assert terms(advice) == {36: 42.0, 3: 3.0, 1: 4.0}
    assert advice.totals.liability_now == pytest.approx(2_238_435.50, abs=0.01)
    assert not fallen(advice)


@pytest.mark.parametrize(
    ("days", "signs", "usd"), [(3, {36: 8, 1: 24}, 481_800), (14, {36: 2, 6: 6, 1: 24}, 243_966)]
)
def test_39_a_service_that_began_counts_back_from_its_first_hour(
    days: int, signs: dict[int, float], usd: float
) -> None:
    advice = plan([steady(8), since(24, days)], (), LEAD)
    assert nothing(advice) == 160_716.80
    assert terms(advice) == signs
    assert advice.totals.liability_now == pytest.approx(usd, abs=0.01)
    assert nothing(plan([steady(8), since(24, days, Pool.TRAINING)], (), LEAD)) < 0.9 * 160_716.80


def test_39_a_job_of_an_hour_is_no_service() -> None:
    job = Load(pool=Pool.INFERENCE, gpus=[0.0] * (HOURS - 72) + [24.0] + [0.0] * 71)
    now = Load(pool=Pool.INFERENCE, gpus=[0.0] * (HOURS - 1) + [24.0])
    assert nothing(plan([steady(8), job], (), LEAD)) < 1.03 * 8 * 730 * 6.88
    assert nothing(plan([steady(8), now], (), LEAD)) < 1.06 * 8 * 730 * 6.88


@pytest.mark.parametrize(
    ("pool", "is_completed", "codes"),
    [
        (Pool.TRAINING, True, [("work_completed", "info")]),
        (Pool.BURST, True, [("work_completed", "info")]),
        (Pool.TRAINING, False, [("demand_fell", "red")]),
        (Pool.INFERENCE, True, [("demand_fell", "red")]),  # a service does not complete
    ],
)
def test_work_that_ended_as_planned_is_no_error(
    pool: Pool, *, is_completed: bool, codes: list[tuple[str, str]]
) -> None:
    gone = Load(pool=pool, gpus=[48.0] * (HOURS - 24 * 31) + [0.0] * 24 * 31)
    advice = plan([steady(16), gone], (), LEAD, is_completed=is_completed)
    ended = [check for check in advice.checks if check.code in ("work_completed", "demand_fell")]
    assert [(check.code, check.severity) for check in ended] == codes
    assert [check.keys for check in ended] == [(SECOND,)] and SECOND in str(ended[0].message)
    assert year(advice) == 306_010.86  # as without it


@pytest.mark.parametrize("scenario", [None, spelled(ends_s=BEGIN_S)])
def test_47_what_has_ended_leaves_everything(scenario: Scenario | None) -> None:
    alone = plan([steady(16)], (), LEAD)
    both = plan([steady(16), until(48, 24 * 31)], (), LEAD, scenario)
    assert both.totals.liability_now == alone.totals.liability_now == pytest.approx(745_293.50, abs=0.01)
    assert year(both) == year(alone) == 306_010.86
    assert nothing(both) == nothing(alone)
    assert fallen(both) == ([] if scenario else [(SECOND,)])


def test_47_ended_ten_days_ago() -> None:
    advice = plan([steady(8), until(24, 240)], (), LEAD, spelled(ends_s=BEGIN_S))
    assert year(advice) == year(plan([steady(8)], (), LEAD)) == 151_567.30


def test_what_paused_so_long_before_has_not_ended() -> None:
    paused = [0.0] * 720 + [48.0] * 24 + [0.0] * 672 + [48.0] * 24 + [0.0] * 720
    assert fallen(plan([steady(16), Load(pool=Pool.INFERENCE, gpus=paused)], (), LEAD)) == []


def test_what_ran_on_another_cluster_before_is_moved_and_not_launched() -> None:
    gone, here = until(40, 72), since(40, 3, cluster="c2")
    assert nothing(plan([gone, here], (), LEAD, name="chat")) == pytest.approx(40 * 730 * 6.88)
    assert nothing(plan([gone, here], (), LEAD)) > 1.3 * 40 * 730 * 6.88


def test_46_a_fall_that_is_over_keeps_terms_of_what_ran_in_each_week() -> None:
    hourly = [64.0] * (HOURS - 24 * 31) + [16.0] * 24 * 31
    advice = plan([Load(pool=Pool.INFERENCE, gpus=hourly)], (), LEAD)
    assert terms(advice) == {36: 13.0, 3: 1.0, 1: 2.0}
    assert advice.totals.liability_now == pytest.approx(695_288.50, abs=0.01)
    assert fallen(advice) == [("c1/team/load-000",)]


def test_46_a_fall_that_goes_on_signs_nothing_over_three_months() -> None:
    hourly = [float(round(40 - 35 * hour / (HOURS - 1))) for hour in range(HOURS)]
    advice = plan([Load(pool=Pool.INFERENCE, gpus=hourly)], (), LEAD)
    assert terms(advice) and max(terms(advice)) <= 3
    later = [order for order in advice.orders if order.start_s >= BEGIN_S + 730 * 3600]
    assert later and {order.reason for order in later} == {"if_it_lasts"}


def test_30_what_never_stopped_signs_for_six_months() -> None:
    """520 GPUs, of which 512 have been gone for 44 days: by hours of one workload a fall, not one that has ended."""
    hourly = [520.0] * (HOURS - 24 * 44) + [8.0] * 24 * 44
    advice = plan([Load(pool=Pool.TRAINING, gpus=hourly)], (), LEAD)
    assert terms(advice)[6] == 6.0 and max(terms(advice)) == 6
    assert fallen(advice)


@pytest.mark.parametrize(
    ("hours", "signs"), [(47, {36: 26, 3: 3, 1: 3}), *((h, {36: 8, 1: 24}) for h in (48, 72, 95))]
)
def test_48_what_is_silent_signs_a_month(hours: int, signs: dict[int, float]) -> None:
    advice = plan([steady(8), until(24, hours)], (), LEAD)
    assert terms(advice) == signs
    if hours > 47:
        assert advice.totals.liability_now == pytest.approx(481_800, abs=0.01)
        later = [order for order in advice.orders if order.start_s >= BEGIN_S + 600 * 3600]
        assert {order.reason for order in later if order.term_months > 1} == {"if_it_lasts"}


@pytest.mark.parametrize(("idle", "is_silent"), [(48, False), (72, True)])
def test_48_a_weekend_is_no_silence(idle: int, is_silent: bool) -> None:
    """24 GPUs on five days of each week; the log ends so many hours after a Friday."""
    hourly = [
        24.0 if (HOURS - idle - 1 - hour) % 168 < 120 and hour < HOURS - idle else 0.0
        for hour in range(HOURS)
    ]
    advice = plan([Load(pool=Pool.INFERENCE, gpus=hourly)], (), LEAD)
    assert (set(terms(advice)) <= {1}) is is_silent
