""""""

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.volatility import seen_volatility
from gpuplanner.domain.commitment.uncertainty.bands import draws_of
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.uncertainty.outlooks import HOURS, STILL, both


def test_the_band_is_that_of_weeks_levels_and_churn_drawn(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    """Worked out here from the definition, hour by hour: sigma set by hand, no recency, one workload that may end."""
    demand = np.repeat([2.0, 4.0, 9.0, 5.0], 168)
    made = make_case(
        [make_load(Pool.INFERENCE, demand)],
        offers=[make_offer("od", 0, 6.0), make_offer("c", 1, 3.0)],
        sigma=0.1,
        lambda_=0.2,
        recency_half_life_days=None,
    )
    advice, later = both(made, make_audit())
    level = advice.pools[0].layers[0].gpus
    drawn = draws_of(np.ones(4), True, 12)
    older = np.arange(672) / 672
    noise = seen_volatility(demand).noise
    factor = drawn.levels(0.01 * (float(older @ older) / 730 + 1 / 3) + noise / 4)
    absent = np.random.default_rng(1).random((500, 1))[:, 0] < 0.1
    weeks = demand.reshape(4, 168)[drawn.weeks[:, 0]].reshape(500, -1)[:, :730]
    use = np.maximum(weeks * (factor * ~absent)[:, None] - level, 0).mean(axis=1)
    band = later.uncertainty
    found = (band.p10_usd_per_month, band.p50_usd_per_month, band.p90_usd_per_month)
    wanted = np.percentile(730 * (3.0 * level + 6.0 * use), (10, 50, 90))
    assert found == pytest.approx(wanted, rel=0.01)  # between levels it is linear
    assert (band.resamples, band.seed) == (500, 0)
    assert (band.coverage, band.coverage_folds) == (None, 0)


def test_the_band_starts_from_what_is_fixed(
    make_case, make_load, make_contract, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 3.0)]
    contracts = [make_contract("k", 9, 2.0, 14, HOURS)]
    made = make_case([make_load(Pool.INFERENCE, [5.0] * HOURS)], contracts, offers, **STILL)
    advice, later = both(made, make_audit())
    band = later.uncertainty
    plan_usd = advice.totals.plan
    assert (band.p10_usd_per_month, band.p90_usd_per_month) == pytest.approx((plan_usd, plan_usd))
    assert (band.year_p10_usd, band.year_p90_usd) == pytest.approx((12 * plan_usd, 12 * plan_usd))
    assert band.regret_p90_usd_per_month == pytest.approx(0)


def test_under_two_weeks_or_without_prices_there_is_no_band(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    short = make_case([make_load(Pool.INFERENCE, [5.0] * 335)], offers=[make_offer("od", 0, 6.0)])
    advice, later = both(short, make_audit())
    assert advice.totals.plan is not None
    assert later.uncertainty.p50_usd_per_month is None
    made = make_case([make_load(Pool.INFERENCE, [5.0] * HOURS)])
    _, later = both(made, make_audit())
    assert later.uncertainty.p50_usd_per_month is None
    assert later.separation.cost_usd() is None
