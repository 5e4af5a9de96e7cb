"""What the outlook says of itself: ranges that are shown, months of separate pools, by hand."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.outlook_result import SavingsStep, Separation, Uncertainty, trusted_band

HOURS = 4 * 168
BAND = Uncertainty(
    p10_usd_per_month=90.0, p50_usd_per_month=100.0, p90_usd_per_month=110.0, resamples=500, seed=7
)


@pytest.mark.parametrize("missing", ["p10_usd_per_month", "p90_usd_per_month"])
def test_a_range_that_lacks_an_end_is_as_it_is(missing: str) -> None:
    """There is nothing to hide of it, whatever the plan costs and the log has."""
    partly = replace(BAND, **{missing: None})  # type: ignore[arg-type]
    assert trusted_band(partly, 200.0, 1) is partly
    assert trusted_band(BAND, None, 1) is BAND
    assert trusted_band(BAND, 200.0, HOURS) == Uncertainty(resamples=500, seed=7)


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
