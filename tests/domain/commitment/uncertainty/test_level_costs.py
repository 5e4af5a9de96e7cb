"""Cost of levels over the horizon, by hand."""

from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.outlook_result import LevelCost
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import SliceRun
from gpuplanner.domain.commitment.uncertainty.level_costs import (
    cost_of_levels,
    cost_of_row,
    level_values,
    values_of_row,
)
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, offer
from tests.domain.commitment.uncertainty.small_rows import WEEK, planned, values


def test_levels_cost_their_term_and_what_follows_beside_the_advice() -> None:
    """A year of 2 slices of 2 GPUs at $1: $2,920 a month, for ten; the third slice pays by use."""
    found = cost_of_levels(planned(SliceRun(1, 2, 12, 1.0), SliceRun(3, 3, 0, 6.0)), values())
    assert found is not None
    year = LevelCost(12, 4.0, 2920.0 - 14.0, 29_200.0 + 2 + 10 - 100.0)
    use = LevelCost(0, 2.0, 10.0 - 7.0, 110.0 - 50.0)
    assert found.levels == (year, use)
    assert (found.horizon_months, found.month_0_usd, found.usd) == (
        24,
        year.month_0_usd + 3.0,
        year.usd + 60.0,
    )
    # two runs of one term are one level
    both = cost_of_levels(
        planned(SliceRun(1, 1, 12, 1.0), SliceRun(2, 2, 12, 1.0), SliceRun(3, 3, 0, 6.0)), values()
    )
    assert both is not None and both.levels == found.levels


@pytest.mark.parametrize(
    ("runs", "more"),
    [
        ((SliceRun(1, 1, 12, None),), {}),
        ((SliceRun(1, 1, 6, 1.0),), {}),  # a term without values
        ((SliceRun(1, 1, 12, 1.0),), {"slicing": Slicing(1, 3)}),
        ((SliceRun(1, 3, 12, 1.0),), {"slicing": Slicing(2, 2, 1)}),  # into what grows wider
        ((SliceRun(1, 1, 12, 1.0), SliceRun(2, 3, 12, 1.0)), {"slicing": Slicing(2, 2, 1)}),
    ],
)
def test_levels_of_other_slices_or_without_a_rate_have_no_cost(runs: Any, more: Any) -> None:
    assert cost_of_levels(planned(*runs), values(**more)) is None


def test_levels_within_even_slices_have_a_cost() -> None:
    grown = values(slicing=Slicing(2, 2, 1))
    assert cost_of_levels(planned(SliceRun(1, 2, 12, 1.0), SliceRun(3, 3, 0, 1.0)), grown) is not None
    assert cost_of_levels(planned(), values()) is not None


def test_values_are_found_by_pool_and_model() -> None:
    other, own = values(gpu_model="A100"), values()
    row = planned(SliceRun(1, 3, 0, 6.0))
    assert values_of_row(row, [other, own]) is own
    assert values_of_row(row, [other]) is None and cost_of_row(row, [other]) is None
    assert cost_of_row(row, [other, own]) == cost_of_levels(row, own)


def of_row(hours: int, offers: Any, **more: Any) -> Any:
    scenario = Scenario(name="A")
    made = case([Load(pool=Pool.INFERENCE, gpus=[3.0] * hours)], (), offers, scenario, **more)
    plan = plan_of(ground_of(made.project, scenario, made.pools, AdviceCache()), AdviceCache())
    return level_values(plan, hours, AdviceCache())


CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 24}


def test_values_of_a_calm_row_are_its_rates_times_months() -> None:
    """$6 by use, $2 for a year: $1,460 a month for 24 months as advised, or $4,380 once and 23 more."""
    (found,) = of_row(
        400, [offer("od", 0, 6.0), offer("y1", 12, 2.0), offer("y3", 36, 1.9, max_gpus=1)], **CALM
    )
    assert found.by_use_usd.tolist() == pytest.approx([4380.0] * 3)
    assert found.advised_usd.tolist() == pytest.approx([24 * 730 * 1.9, 24 * 1460.0, 24 * 1460.0])
    assert found.advised_month_usd.tolist() == pytest.approx([730 * 1.9, 1460.0, 1460.0])
    assert found.wait_usd[1:].tolist() == pytest.approx([23 * 1460.0] * 2)
    assert (found.paid_months[12], found.paid_months[36]) == (12.0, 24.0)
    assert found.after_usd[12][1:].tolist() == pytest.approx([12 * 1460.0] * 2)
    assert found.after_usd[36].tolist() == [0.0] * 3
    assert found.extra_usd[12].tolist() == pytest.approx([0.0] * 3)
    (late,) = of_row(400, [offer("od", 0, 6.0), offer("y1", 12, 2.0, lead_time_hours=365.0)], **CALM)
    assert late.extra_usd[12].tolist() == pytest.approx([0.5 * 4380.0] * 3)  # half a month by use
    assert late.after_usd[12].tolist() == pytest.approx([11.5 * 1460.0] * 3)


def test_a_week_of_log_values_terms_of_a_month_alone() -> None:
    offers = [offer("od", 0, 6.0), offer("m1", 1, 3.0), offer("y1", 12, 2.0)]
    (short,), (longer,) = of_row(WEEK, offers, **CALM), of_row(WEEK + 1, offers, **CALM)
    assert short.advised_month_usd.tolist() == pytest.approx([2190.0] * 3)
    assert longer.advised_month_usd.tolist() == pytest.approx([1460.0] * 3)


def test_rows_without_a_price_by_use_have_no_values() -> None:
    assert of_row(400, [offer("y1", 12, 2.0)]) == ()
    assert of_row(400, [offer("od", 0, 6.0, max_gpus=2)]) == ()
    assert len(of_row(400, [offer("od", 0, 6.0)])) == 1
