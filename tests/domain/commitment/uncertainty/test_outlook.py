"""The outlook: it ends where nobody waits for it, and growth that is not planned has a price."""

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.errors import Cancelled
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, offer
from tests.domain.commitment.uncertainty.outlooks import HOURS, PLAN, STILL


def test_an_outlook_that_nobody_waits_for_any_more_ends_where_it_is(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    made = make_case(
        [make_load(Pool.TRAINING, np.full(HOURS, 4.0))], offers=[make_offer("od", 0, 6.0)], **STILL
    )
    advice, asked = advise(made.project, PLAN, made.pools, make_audit()), 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked >= last

    last = 1_000_000
    outlook(made.project, PLAN, made.pools, advice, AdviceCache(is_cancelled))
    for last in (1, asked // 2, asked):
        asked = 0
        with pytest.raises(Cancelled):
            outlook(made.project, PLAN, made.pools, advice, AdviceCache(is_cancelled))
        assert asked == last


def test_growth_of_the_log_that_is_not_planned_is_priced() -> None:
    """4% a month for 90 days, paid by use. A plan with that growth gets no check, nor do logs that are flat or fall."""
    hours = np.arange(2160)

    def growth_check(rate: float, **assumptions: float) -> list[str]:
        demand = 32 * (1 + rate) ** (hours / 730)
        made = case(
            [Load(pool=Pool.INFERENCE, gpus=demand.tolist())],
            (),
            [offer("od", 0, 6.88)],
            delta=0.0,
            **assumptions,
        )
        plan = made.project.scenarios[0]
        advice = advise(made.project, plan, made.pools, audit())
        checks = outlook(made.project, plan, made.pools, advice).checks
        return [str(check.message) for check in checks if check.code == "growth_not_planned"]

    (text,) = growth_check(0.04)
    factors = [float(np.prod([1 + 0.04 * 0.9**at for at in range(month)])) for month in range(12)]
    mean = float((32 * 1.04 ** (hours / 730)).mean())
    more = mean * 730 * 6.88 * (sum(factors) - 12)
    assert "4.0% per month" in text and f"${more:,.0f}" in text
    assert (
        growth_check(0.04, growth=0.04) == growth_check(0.0) == growth_check(-0.1) == growth_check(0.01) == []
    )
