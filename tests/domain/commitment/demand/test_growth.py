"""Growth: it fades month by month, and without fading it is the old power."""

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.growth import grown
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.model.pool import Pool
from tests.domain.commitment.conftest import Load, audit, case, offer


def test_each_month_grows_by_nine_tenths_of_the_month_before() -> None:
    factors = grown(0.5, 0.9, 4)
    assert factors.tolist() == pytest.approx([1.0, 1.5, 1.5 * 1.45, 1.5 * 1.45 * 1.405])
    assert len(grown(0.5, 0.9, 1)) == 1


@pytest.mark.parametrize("growth", [-0.3, 0.0, 0.02, 0.5])
def test_without_fading_it_is_the_power(growth: float) -> None:
    assert grown(growth, 1.0, 60) == pytest.approx((1 + growth) ** np.arange(60))


def test_growth_that_fades_comes_to_a_limit() -> None:
    assert grown(0.03, 0.9, 120)[-1] == pytest.approx(1.3467, abs=0.0001)


def test_the_twelve_months_grow_as_it_fades() -> None:
    made = case([Load(Pool.TRAINING, [8.0] * 400)], (), [offer("od", 0, 5.0)], growth=0.1, delta=0.0)
    advice = advise(made.project, made.project.scenarios[0], made.pools, audit())
    expected = 730 * 8 * 5.0 * grown(0.1, 0.9, 12)
    assert [row.plan_usd for row in advice.comparison] == pytest.approx(expected.tolist())
    assert [row.do_nothing_usd for row in advice.comparison] == pytest.approx(expected.tolist())
