"""Orders for the tests of words."""

from dataclasses import replace
from typing import Any

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S, instant_s

BEGIN_S = instant_s("2026-10-01")
END_S = instant_s("2027-02-01")


def order(number: int = 0, months: int = 1, **values: Any) -> Order:
    """4 H100 that begin with a month of the plan, in a row of their own."""
    start_s = BEGIN_S + number * MONTH_S
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="o",
        term_months=months,
        gpus=4.0,
        start_s=start_s,
        end_s=start_s + months * MONTH_S,
        order_by_s=start_s,
        reason="now",
        row=number,
    )
    return replace(base, **values)
