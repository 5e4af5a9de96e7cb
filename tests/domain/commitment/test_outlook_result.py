"""What the outlook says of itself: which ranges are shown, what separate pools cost, and what a step adds.

A range is shown if it is of four whole weeks or more and holds its plan.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.outlook_result import SavingsStep, Separation, Uncertainty, trusted_band

BAND = Uncertainty(
    p10_usd_per_month=90.0,
    p50_usd_per_month=100.0,
    p90_usd_per_month=110.0,
    year_p10_usd=1_000.0,
    year_p90_usd=1_400.0,
    resamples=500,
    seed=7,
)
FOUR_WEEKS = 4 * 7 * 24


@pytest.mark.parametrize(
    ("hours", "plan_usd", "is_shown"),
    [
        (FOUR_WEEKS, 100.0, True),
        (FOUR_WEEKS - 1, 100.0, False),
        (FOUR_WEEKS, 90.0, True),
        (FOUR_WEEKS, 110.4, True),  # in whole dollars it is the end of the range
        (FOUR_WEEKS, 89.4, False),
        (FOUR_WEEKS, 110.6, False),
    ],
)
def test_a_range_is_shown_that_stands_on_enough_and_holds_the_plan(
    hours: int, plan_usd: float, is_shown: bool
) -> None:
    assert (trusted_band(BAND, plan_usd, hours) is BAND) is is_shown


def test_what_is_not_shown_says_nothing_of_month_or_year() -> None:
    found = trusted_band(BAND, 200.0, FOUR_WEEKS)
    assert found == Uncertainty(resamples=500, seed=7)


@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(0, 1e9), st.integers(0, 9_000))
def test_no_range_that_is_shown_leaves_its_plan_outside(
    low: float, high: float, plan: float, hours: int
) -> None:
    found = trusted_band(replace(BAND, p10_usd_per_month=low, p90_usd_per_month=high), plan, hours)
    if found.p10_usd_per_month is not None and found.p90_usd_per_month is not None:
        assert round(found.p10_usd_per_month) <= round(plan) <= round(found.p90_usd_per_month)
        assert hours >= FOUR_WEEKS


def test_a_plan_without_a_price_has_the_range_that_it_had() -> None:
    assert trusted_band(Uncertainty(), None, 0) == Uncertainty()


@pytest.mark.parametrize("missing", ["p10_usd_per_month", "p90_usd_per_month"])
def test_a_range_that_lacks_an_end_is_as_it_is(missing: str) -> None:
    """There is nothing to hide of it, whatever the plan costs and the log has."""
    partly = replace(BAND, **{missing: None})  # type: ignore[arg-type]
    assert trusted_band(partly, 200.0, 1) is partly
    assert trusted_band(BAND, None, 1) is BAND


def test_separate_pools_cost_what_they_cost_more_over_some_months() -> None:
    separation = Separation((10.0, 20.0, None), (8.0, 25.0, 1.0))
    assert separation.cost_usd() == 2.0
    assert separation.cost_usd(2) == -3.0
    assert separation.cost_usd(3) is None and Separation().cost_usd() is None


@pytest.mark.parametrize(("saved", "usd"), [(5.0, -5.0), (-5.0, 5.0), (0.0, 0.0), (None, None)])
def test_a_step_adds_what_it_does_not_save(saved: float | None, usd: float | None) -> None:
    assert (
        SavingsStep(step="terms", cost_before=1.0, cost_after=1.0, saved_per_month=saved).usd_per_month == usd
    )
