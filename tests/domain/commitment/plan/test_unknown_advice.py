"""Advice without prices or demand keeps what is of contracts."""

from dataclasses import replace

from gpuplanner.domain.commitment.plan.advice import without_demand, without_prices
from tests.domain.commitment.plan.small_plan import small


def test_advice_without_prices_or_demand_keeps_what_is_of_contracts() -> None:
    _, advice = small()
    assert advice.verdicts and without_prices(advice) == replace(advice, verdicts=())
    bare = without_demand(advice)
    assert (bare.orders, bare.verdicts, bare.idle_existing, bare.checks) == ((), (), (), ())
    known = {
        name
        for name in ("today", "lock_in_now_months", "plan", "savings", "liability")
        if getattr(bare.totals, name) is not None
    }
    assert known == {"today", "lock_in_now_months"}
    assert (bare.totals.gpus_to_sign, bare.totals.extras) == ((), ())
    assert {month.plan_usd for month in bare.comparison} == {None} and bare.pools == advice.pools
    assert bare.comparison[0].plan_sum.total is None
