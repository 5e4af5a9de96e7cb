"""Outlooks of a made plan, with a cache and without one: they are the same."""

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.plan.scenario import Scenario

PLAN = Scenario(name="Plan A")
HOURS = 24 * 28
STILL = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0}


def both(made, audit):  # type: ignore[no-untyped-def]
    cache = AdviceCache()
    advice = advise(made.project, PLAN, made.pools, audit, cache)
    cached = outlook(made.project, PLAN, made.pools, advice, cache)
    alone = outlook(made.project, PLAN, made.pools, advice)
    assert cached.uncertainty == alone.uncertainty
    assert cached.separation.cost_usd() == alone.separation.cost_usd()
    return advice, alone
