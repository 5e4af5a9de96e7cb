import numpy as np
import pytest

from gpuplanner.domain.commitment.comparison.separation import joint_demand
from gpuplanner.domain.commitment.demand.residual import ModelDemand, Site, Stream
from gpuplanner.domain.commitment.demand.seen_volatility import seen_volatility
from gpuplanner.domain.commitment.plan.advice import AdviceCache, advise
from gpuplanner.domain.commitment.uncertainty.bands import draws_of
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

PLAN = Scenario("Plan A")
HOURS = 24 * 28
STILL = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0}


def both(made, audit):  # type: ignore[no-untyped-def]
    cache = AdviceCache()
    advice = advise(made.project, PLAN, made.pools, audit, cache)
    cached = outlook(made.project, PLAN, made.pools, advice, cache)
    alone = outlook(made.project, PLAN, made.pools, advice)
    assert cached.uncertainty == alone.uncertainty
    assert cached.cost_of_separation_usd_per_month == alone.cost_of_separation_usd_per_month
    return advice, alone


def test_pools_that_take_turns_would_share_gpus(make_case, make_load, make_offer, make_audit) -> None:  # type: ignore[no-untyped-def]
    """One pool works by day, the other by night: together they are one flat load that is worth committing to."""
    day = np.where(np.arange(HOURS) % 24 < 12, 10.0, 0.0)
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 4.0)]
    made = make_case(
        [make_load(Pool.TRAINING, day), make_load(Pool.INFERENCE, 10 - day)], offers=offers, **STILL
    )
    advice, later = both(made, make_audit())
    assert advice.totals.plan == pytest.approx(730 * 10 * 6.0)
    assert later.cost_of_separation_usd_per_month == pytest.approx(730 * 10 * (6.0 - 4.0))
    assert [(plan.mean_gpus, plan.layers[0].term_months) for plan in later.joint_pools] == [(10.0, 12)]
    assert [check.code for check in later.checks] == ["separation_costs"]


def test_one_pool_for_each_model_costs_nothing_to_keep(
    make_case, make_load, make_offer, make_contract, make_audit
) -> None:  # type: ignore[no-untyped-def]
    random = np.random.default_rng(3)
    loads = [
        make_load(Pool.TRAINING, random.random(HOURS) * 9),
        make_load(Pool.BURST, random.random(HOURS) * 5, "A100"),
    ]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 4.0), make_offer("oda", 0, 3.0, gpu_model="A100")]
    made = make_case(loads, [make_contract("k", 3, 3.0, 4.5, HOURS)], offers)
    _, later = both(made, make_audit())
    assert later.cost_of_separation_usd_per_month == pytest.approx(0, abs=1e-6)
    assert later.checks == ()


def test_in_the_joint_row_each_pool_keeps_its_growth() -> None:
    streams = (Stream(0, Pool.INFERENCE, np.ones(2)), Stream(1, Pool.BURST, np.ones(2)))
    rows = ((Pool.INFERENCE, "H100"), (Pool.BURST, "H100"))
    joint = joint_demand(ModelDemand("H100", rows, (Site("c", streams),)), rows[1:])
    assert joint.rows == rows[1:]
    assert [(stream.row, stream.grows_with) for stream in joint.sites[0].streams] == [
        (0, Pool.INFERENCE),
        (0, Pool.BURST),
    ]


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
    assert later.cost_of_separation_usd_per_month is None
