"""Steps of demand and prices multiply. Plans begin at hour 1,000."""

import pytest

from gpuplanner.domain.model.plan.changes import (
    MOST_TIMES,
    DemandChange,
    PriceChange,
    Step,
    check_demand_change,
    check_price_change,
    factor_in,
)
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.domain.model.refusals import is_right

BEGIN_S = 1000 * HOUR_S


@pytest.mark.parametrize(
    ("steps", "at_s", "month", "factor"),
    [
        ((), BEGIN_S, 0, 1.0),
        ((Step(2.0, BEGIN_S),), BEGIN_S, 0, 2.0),
        ((Step(2.0, BEGIN_S + 1),), BEGIN_S, 0, 1.0),
        ((Step(2.0, BEGIN_S), Step(3.0, BEGIN_S)), BEGIN_S, 0, 6.0),
        ((Step(2.0, BEGIN_S), Step(3.0, BEGIN_S + 9)), BEGIN_S, 0, 2.0),
        # by four months from now: a quarter of the way each month
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 0, 1.0),
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 1, 1.25),
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 3, 1.75),
        ((Step(2.0, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 4, 2.0),
        ((Step(0.5, BEGIN_S + 4 * MONTH_S, by=True),), BEGIN_S, 2, 0.75),
        (
            (Step(2.0, BEGIN_S + 3 * MONTH_S + 1, by=True),),
            BEGIN_S,
            3,
            1.75,
        ),  # the fourth month is the first behind
        ((Step(2.0, BEGIN_S - 5, by=True),), BEGIN_S, 0, 2.0),
        ((Step(2.0, BEGIN_S, by=True),), BEGIN_S, 0, 2.0),
    ],
)
def test_steps_multiply_once_they_are_there(
    steps: tuple[Step, ...], at_s: int, month: int, factor: float
) -> None:
    assert factor_in(steps, at_s, month, BEGIN_S) == factor


@pytest.mark.parametrize(
    ("factor", "of_demand", "of_prices"),
    [
        (0.0, True, False),
        (-0.1, False, False),
        (1.0, True, True),
        (1000.0, True, True),
        (1000.1, False, False),
    ],
)
def test_a_factor_has_its_bounds(factor: float, *, of_demand: bool, of_prices: bool) -> None:
    scaled = factor * MOST_TIMES / 1000
    assert (
        is_right(check_demand_change, DemandChange(target="all", keys=(), factor=scaled, from_s=0))
        is of_demand
    )
    assert is_right(check_price_change, PriceChange("H100", scaled, 0)) is of_prices
