"""Leaks on cases made to mislead them: every amount is worked out by hand, to the cent and to the flag."""

from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.result import Audit, Leak
from gpuplanner.domain.model.tables import Pool, PricingCategory

GPU_HOUR = 3_600_000
HOUR_S = 3600
DAY = 24
START_S = 1_782_864_000  # where the window of the small world begins


def found(answer: Audit, code: str) -> list[Leak]:
    return [leak for leak in answer.leaks if leak.code == code]


def monthly(window_usd: float, hours: int) -> float:
    return window_usd * 730 / hours


def held(
    workload: int, first: int, last: int, gpus: float, model: int = 0
) -> list[tuple[int, int, int, int]]:
    return [(workload, model, hour, round(gpus * GPU_HOUR)) for hour in range(first, last)]


# --- Development --------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "last"), [(0, 20), (80, 100)])
def test_a_session_that_the_window_cuts_counts_with_what_lies_inside(
    world: Any, first: int, last: int
) -> None:
    box = world.workload("devbox", activity=0.03, longest_job_s=30 * HOUR_S)
    project = world.project(100, [box], held(0, first, last, 2), [world.contract("k", 4, "1.50")])
    (leak,) = found(audit(project, world.classified(Pool.BURST, subtype="development")), "persistent_dev")
    assert leak.gpu_hours == 40
    assert leak.leaked_per_month == pytest.approx(monthly(60.00, 100), abs=0.005)


def test_a_day_to_the_second_is_not_over_a_day_and_ten_percent_is_not_under_ten(world: Any) -> None:
    for activity, longest_s, is_found in (
        (0.0999, 24 * HOUR_S + 1, True),
        (0.0999, 24 * HOUR_S, False),
        (0.10, 25 * HOUR_S, False),
        (None, 72 * HOUR_S, False),
        (None, 72 * HOUR_S + 1, True),
    ):
        box = world.workload("devbox", activity=activity, longest_job_s=longest_s)
        rows = held(0, 3, 4, 0.5) + held(0, 4, 4 + longest_s // HOUR_S, 1)
        project = world.project(100, [box], rows, [world.contract("k", 4, "1")])
        leaks = found(audit(project, world.classified(Pool.BURST, subtype="notebook")), "persistent_dev")
        assert bool(leaks) is is_found, (activity, longest_s)


def test_only_development_is_persistent_development(world: Any) -> None:
    rows = held(0, 0, 90, 2)
    work = [world.workload("eval", activity=0.02, longest_job_s=90 * HOUR_S)]
    project = world.project(100, work, rows, [world.contract("k", 4, "1")])
    assert not found(audit(project, world.classified(Pool.BURST, subtype="evaluation")), "persistent_dev")


# --- Contracts that nobody uses -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "start_day", "busy_days", "is_found"),
    [
        (90, -400, range(60, 63), False),  # 10.0% of the last block but one
        (90, -400, range(60, 62), True),
        (89, -400, range(3), False),  # 10.3% of the 29 days of the third block that the window shows
        (100, -400, range(10), True),  # before the last three blocks
        (80, 10, range(10, 16), True),  # 8.6% of the 70 days since its start, though 20% of its first month
        (80, 10, range(10, 17), False),
        (60, 31, (), False),  # 29 days old
        (60, 30, (), True),
    ],
)
def test_each_of_the_last_three_blocks_or_since_its_start(
    world: Any, days: int, start_day: int, busy_days: Any, is_found: bool
) -> None:
    rows = [row for day in busy_days for row in held(0, day * DAY, day * DAY + DAY, 10)]
    contract = world.contract("k", 10, "2.50", start_s=START_S + start_day * DAY * HOUR_S)
    project = world.project(days * DAY, [world.workload("w")], rows, [contract])
    answer = audit(project, world.classified(Pool.TRAINING))
    leaks = found(answer, "unmaterialised")
    assert bool(leaks) is is_found
    if is_found:
        idle = (days - max(start_day, 0) - len(busy_days)) * DAY * 10
        assert leaks[0].gpu_hours == idle
        assert leaks[0].leaked_per_month == pytest.approx(monthly(idle * 2.50, days * DAY), abs=0.005)
        assert leaks[0].leak_id == "unmaterialised:k"


def test_a_contract_that_has_ended_is_not_to_be_ended_again(world: Any) -> None:
    ended = world.contract("k", 10, "1", end_s=START_S + 40 * DAY * HOUR_S)
    project = world.project(60 * DAY, [world.workload("w")], [], [ended])
    (leak,) = found(audit(project, world.classified(Pool.TRAINING)), "unmaterialised")
    assert (leak.gpu_hours, "renew" in str(leak.action)) == (40 * DAY * 10, True)


# --- Inference ----------------------------------------------------------------------------------


def test_hours_in_which_a_service_came_or_went_do_not_make_it_uneven(world: Any) -> None:
    rows = [(0, 0, 0, 4 * GPU_HOUR), (0, 0, 1, 8 * GPU_HOUR), (0, 0, 2, 4 * GPU_HOUR)]
    project = world.project(4, [world.workload("api", activity=0.26)], rows, [world.contract("k", 8, "2")])
    (leak,) = found(audit(project, world.classified(Pool.INFERENCE)), "peak_provisioned")
    assert leak.gpu_hours == (4 - 2) + (8 - 4) + (4 - 2)  # ceil(4 x 0.26 / 0.65) = 2, ceil(8 x 0.4) = 4
    assert leak.leaked_per_month == pytest.approx(monthly(16.00, 4), abs=0.005)


def test_the_premium_is_paid_only_by_those_who_pay_more(world: Any) -> None:
    offers = [world.offer("metal", "2.00", pricing_category="COMMITTED", term_months=12)]
    held_here = [world.contract("a", 4, "3"), world.contract("b", 4, "1.50", cluster="borealis")]
    work = [world.workload("chat"), world.workload("rank", cluster="borealis")]
    project = world.project(10, work, held(0, 0, 10, 4) + held(1, 0, 10, 4), held_here, offers)
    (leak,) = found(audit(project, world.classified(Pool.INFERENCE, Pool.INFERENCE)), "consolidation_premium")
    assert (leak.cluster, leak.gpu_hours) == ("atlas", 40)
    assert leak.leaked_per_month == pytest.approx(monthly(40.00, 10), abs=0.005)


def test_each_model_is_compared_with_its_own_offer(world: Any) -> None:
    offers = [world.offer("h", "2.00"), world.offer("a", "1.00", gpu_model="A100")]
    contracts = [world.contract("k", 4, "3"), world.contract("l", 4, "3", gpu_model="A100")]
    rows = held(0, 0, 10, 4) + held(0, 0, 10, 2, model=1)
    project = world.project(10, [world.workload("chat")], rows, contracts, offers)
    (leak,) = found(audit(project, world.classified(Pool.INFERENCE)), "consolidation_premium")
    assert leak.leaked_per_month == pytest.approx(monthly(40 * 1 + 20 * 2, 10), abs=0.005)
    assert leak.gpu_hours == 60


def test_a_cheap_model_beside_a_dear_one_pays_its_own_rate(world: Any) -> None:
    offers = [world.offer("h", "3.00"), world.offer("a", "1.00", gpu_model="A100")]
    contracts = [world.contract("k", 4, "3"), world.contract("l", 4, "1", gpu_model="A100")]
    rows = held(0, 0, 10, 4) + held(1, 0, 10, 4, model=1)
    project = world.project(10, [world.workload("chat"), world.workload("rank")], rows, contracts, offers)
    answer = audit(project, world.classified(Pool.INFERENCE, Pool.INFERENCE))
    assert not found(answer, "consolidation_premium")  # neither pays more than its own offer


# --- Contention ---------------------------------------------------------------------------------


def test_overflow_of_two_models_is_priced_model_by_model(world: Any) -> None:
    offers = [world.offer("h", "6.88"), world.offer("a", "2.00", gpu_model="A100")]
    contracts = [world.contract("k", 4, "3"), world.contract("l", 4, "1", gpu_model="A100")]
    work = [world.workload("sft"), world.workload("chat")]
    rows = held(0, 0, 2, 6) + held(1, 0, 2, 7, model=1)
    project = world.project(10, work, rows, contracts, offers)
    answer = audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE))
    (leak,) = found(answer, "contention")
    assert leak.gpu_hours == pytest.approx(2 * 2 + 2 * 3)
    assert leak.leaked_per_month == pytest.approx(monthly(4 * 6.88 + 6 * 2.00, 10), abs=0.005)
    assert str(leak.subject) == "atlas: sft"
    assert "2 h with training" in str(leak.action)


def test_demand_that_just_fits_is_not_contended_and_a_rate_nobody_offers_is_not_nothing(world: Any) -> None:
    fits = world.project(2, [world.workload("sft")], held(0, 0, 2, 4), [world.contract("k", 4, "3")])
    assert not found(audit(fits, world.classified(Pool.TRAINING)), "contention")
    beyond = world.project(2, [world.workload("sft")], held(0, 0, 2, 5), [world.contract("k", 4, "3")])
    answer = audit(beyond, world.classified(Pool.TRAINING))
    (leak,) = found(answer, "contention")
    assert (leak.gpu_hours, leak.leaked_per_month) == (pytest.approx(2), None)
    assert answer.leaks_total.counted_per_month is None


# --- Burst --------------------------------------------------------------------------------------


def test_burst_on_demand_binds_nobody(world: Any) -> None:
    for category, term, is_found in (
        (PricingCategory.STANDARD, 0, False),
        (PricingCategory.STANDARD, None, False),
        (PricingCategory.STANDARD, 12, False),
        (PricingCategory.COMMITTED, 1, False),
        (PricingCategory.COMMITTED, 2, True),
        (None, None, True),
    ):
        contract = world.contract("k", 2, "1", pricing_category=category, term_months=term)
        project = world.project(10, [world.workload("lr-sweep")], held(0, 0, 5, 2), [contract])
        leaks = found(audit(project, world.classified(Pool.BURST)), "permanent_burst")
        assert bool(leaks) is is_found, (category, term)


def test_burst_beside_a_long_contract_of_another_model_is_not_on_it(world: Any) -> None:
    long = world.contract("h", 8, "2", term_months=12)
    short = world.contract("a", 8, "1", gpu_model="A100", start_s=START_S, end_s=START_S + 5 * HOUR_S)
    rows = held(0, 0, 10, 8) + held(1, 0, 5, 2, model=1)
    project = world.project(10, [world.workload("sft"), world.workload("eval")], rows, [long, short])
    assert not found(audit(project, world.classified(Pool.TRAINING, Pool.BURST)), "permanent_burst")


def test_burst_counts_what_the_long_contract_served_at_its_rate(world: Any) -> None:
    long = world.contract("long", 2, "2.00", term_months=12)
    short = world.contract("short", 2, "3.00", start_s=START_S, end_s=START_S + 5 * HOUR_S)
    project = world.project(
        10, [world.workload("eval")], held(0, 0, 5, 5), [long, short], [world.offer("o", "6.88")]
    )
    answer = audit(project, world.classified(Pool.BURST))
    (leak,) = found(answer, "permanent_burst")
    assert leak.gpu_hours == pytest.approx(10)  # the short contract served 10 too, and 5 overflowed
    assert leak.leaked_per_month == pytest.approx(monthly(20.00, 10), abs=0.005)
    (contended,) = found(answer, "contention")
    assert leak.counted_gpu_hours + contended.counted_gpu_hours == pytest.approx(15)


# --- The total ----------------------------------------------------------------------------------


def test_failed_development_on_a_year_of_contract_counts_once(world: Any) -> None:
    box = world.workload(
        "devbox", activity=0.02, longest_job_s=80 * HOUR_S, failed_milli_gpu_seconds=30 * GPU_HOUR
    )
    contract = world.contract("k", 1, "2.00", term_months=12)
    project = world.project(100, [box], held(0, 0, 80, 1) + held(0, 90, 95, 1), [contract])
    answer = audit(project, world.classified(Pool.BURST, subtype="notebook"))
    assert {leak.code: (leak.gpu_hours, leak.counted_gpu_hours) for leak in answer.leaks} == {
        "persistent_dev": (80, 80),
        "failed_work": (30, 5),  # what is left of its 85 GPU-hours
        "permanent_burst": (85, 0),
    }
    assert answer.leaks_total.counted_gpu_hours == 85
    assert answer.leaks_total.counted_per_month == pytest.approx(monthly(170.00, 100), abs=0.005)


# --- Hours over capacity ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pools", "says"),
    [
        ((Pool.INFERENCE,), "Add GPUs for peaks"),
        ((Pool.INFERENCE, Pool.INFERENCE), "Add GPUs for peaks"),
        ((Pool.TRAINING, Pool.BURST), "Add GPUs for peaks"),
        ((Pool.INFERENCE, Pool.TRAINING), "Separate inference onto its own GPUs"),
    ],
)
def test_only_what_shares_its_cluster_is_told_to_have_gpus_of_its_own(
    world: Any, pools: tuple[Pool, ...], says: str
) -> None:
    """An endpoint that is alone on its cluster has GPUs of its own already: it has too few."""
    work = [world.workload(f"w{place}") for place in range(len(pools))]
    rows = [row for place in range(len(pools)) for row in held(place, 0, 10, 4)]
    project = world.project(100, work, rows, [world.contract("k", 3, "2")])
    (leak,) = found(audit(project, world.classified(*pools)), "contention")
    assert str(leak.action).startswith(says) and ": 10 h" in str(leak.action)
