"""The advice in a month has the layers and dollars of that month."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.month_advice import advise_in_month
from tests.domain.commitment.conftest import audit
from tests.domain.commitment.plan.small_plan import HOURS, A, small


def test_the_advice_in_a_month_has_its_layers_and_dollars() -> None:
    """Demand grows by half a month; the contract of one GPU ends with month 1."""
    made, advice = small(growth=0.5, growth_fade=1.0)
    assert advise_in_month(made.project, A, made.pools, audit(), advice, 0) is advice
    third = advise_in_month(made.project, A, made.pools, audit(), advice, 2)
    (row,) = third.pools
    assert row.demand.mean_gpus == pytest.approx(4 * 1.5**2)
    assert not any(item.existing for item in row.layers) and any(
        item.existing for item in advice.pools[0].layers
    )
    assert third.totals.plan == pytest.approx(advice.comparison[2].plan_usd)
    assert row.cost_per_month == pytest.approx(advice.comparison[2].plan_usd)
    assert row.demand.gpu_time is not None
    assert float(row.demand.gpu_time.sum()) == pytest.approx(4 * 1.5**2 * HOURS * 3_600_000)
    assert advice.totals.savings is not None and third.totals.savings is not None
    saved = advice.comparison[2].do_nothing_usd - advice.comparison[2].plan_usd
    assert third.totals.savings_vs_do_nothing == pytest.approx(saved)
    less = replace(advice, totals=replace(advice.totals, savings_vs_do_nothing=None))
    assert advise_in_month(made.project, A, made.pools, audit(), less, 2).totals.savings is None
    assert third.orders == advice.orders and third.totals.lock_in_months == advice.totals.lock_in_months
    with pytest.raises(IndexError):
        advise_in_month(made.project, A, made.pools, audit(), advice, 12)
