"""Coverage: shares and the price of a target, against sums done by hand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty.coverage import coverage_of
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, contract, offer

COVERAGE_STILL = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0}
OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 3.5)]
COVERAGE_HOURS = 240
# 8 GPUs a quarter of the time, 4 another quarter, 2 for the rest: slices 1-2 always, 3-4 half, 5-8 a quarter
GPUS = [8.0 if hour % 4 == 0 else 4.0 if hour % 4 == 1 else 2.0 for hour in range(COVERAGE_HOURS)]


def covered(target: float, contracts: tuple[Contract, ...] = (), **more: Any) -> Coverage:
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=GPUS)],
        contracts,
        OFFERS,
        **COVERAGE_STILL,
        target_coverage=target,
        **more,
    )
    cache = AdviceCache()
    ground = ground_of(made.project, made.project.scenarios[0], made.pools, cache)
    return coverage_of(ground, plan_of(ground, cache))


def test_the_share_that_the_plan_commits() -> None:
    found = covered(0.5)
    assert found.now == 0
    assert found.plan == pytest.approx(
        2 / 4
    )  # slices 1 and 2 of a mean of 4; half busy is not more than break-even
    assert (found.reached, found.extra_gpus, found.extra_usd_per_month) == (pytest.approx(0.5), 0, 0)


def test_more_coverage_takes_the_busiest_open_slices_first() -> None:
    found = covered(0.7)
    assert found.reached == pytest.approx(3 / 4)  # slices 3 and 4, half busy each
    assert found.extra_gpus == 2
    assert found.extra_usd_per_month == pytest.approx(730 * 2 * (3.5 - 0.5 * 7.0), abs=1e-6)


def test_beyond_break_even_coverage_costs_money() -> None:
    found = covered(0.8)
    assert found.reached == pytest.approx(3.25 / 4)
    assert found.extra_usd_per_month == pytest.approx(730 * (3.5 - 0.25 * 7.0))


def test_less_coverage_lets_slices_go_and_stays_on_the_side_of_the_target() -> None:
    found = covered(0.3)
    assert found.reached == pytest.approx(0.5)  # without a whole GPU it would be a quarter: under the target
    assert found.extra_gpus == 0
    found = covered(0.25)
    assert (found.reached, found.extra_gpus) == (pytest.approx(0.25), -1)
    assert found.extra_usd_per_month == pytest.approx(730 * (7.0 - 3.5))


def test_existing_contracts_count() -> None:
    found = covered(0.5, (contract("k", 2, 3.0, 40, COVERAGE_HOURS),))
    assert found.now == found.plan == pytest.approx(0.5)


def test_where_nothing_can_be_committed_a_target_is_out_of_reach() -> None:
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=GPUS)],
        (),
        [offer("od", 0, 7.0)],
        **COVERAGE_STILL,
        target_coverage=0.5,
    )
    cache = AdviceCache()
    ground = ground_of(made.project, made.project.scenarios[0], made.pools, cache)
    found = coverage_of(ground, plan_of(ground, cache))
    assert (found.plan, found.reached, found.extra_usd_per_month) == (0.0, None, None)


@settings(max_examples=20)
@given(st.floats(0.0, 1.0))
def test_a_plan_that_only_follows_break_even_never_gains_by_another_coverage(target: float) -> None:
    found = covered(target)
    assert found.extra_usd_per_month is None or found.extra_usd_per_month >= -1e-6
