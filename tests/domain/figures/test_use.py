"""Figures of use against numbers worked out by hand, in every reading of their formulas."""

from fractions import Fraction

import numpy as np
import pytest

from gpuplanner.domain.figures.columns import floats, gpu_hours, optional
from gpuplanner.domain.figures.quantity import Quantity, leaf
from gpuplanner.domain.figures.use import CONTRACT

GPU_H = 3_600_000

# 64 GPUs for 730 h are 46,720 GPU-h; 17,520 of them used, at $2.50 against $4.00 on demand, over two months.
ROWS = {
    "gpus": [64.0, 64.0, 8.0, 8.0],
    "run_hours": [730.0, 730.0, 0.0, 100.0],
    "paid_gpu_hours": [46_720, 46_720, 0, 800],
    "used_gpu_hours": [17_520, 18_688, 0, None],
    "committed_rate": [2.5, None, 2.0, 2.0],
    "on_demand_rate": [4.0, 4.0, None, 4.0],
    "rate": [2.5, 3.0, None, 2.0],
    "months": [2.0, 2.0, 2.0, 2.0],
}
BY_HAND = {
    "idle_gpu_hours": [29_200.0, 28_032.0, 0.0, None],
    "utilization": [0.375, 0.4, None, None],
    "below_40_percent": [1.0, 0.0, 0.0, None],  # exactly 40% is not below it
    "break_even_utilization": [0.625, None, None, 0.5],
    "paid_in_window": [116_800.0, 140_160.0, 0.0, 1_600.0],  # nothing costs nothing, also without a rate
    "allocated_in_window": [43_800.0, 56_064.0, 0.0, None],
    "unused_in_window": [73_000.0, 84_096.0, 0.0, None],
    "unused_per_month": [36_500.0, 42_048.0, 0.0, None],
}


def columns() -> dict[str, object]:
    """The rows as columns."""
    times = ("paid_gpu_hours", "used_gpu_hours")
    return {
        key: gpu_hours([None if value is None else value * GPU_H for value in values])
        if key in times
        else floats(values)
        for key, values in ROWS.items()
    }


def quantities(at: int) -> dict[str, Quantity]:
    """One row as quantities, GPU time exact."""
    given = {}
    for key, values in ROWS.items():
        value, one = values[at], CONTRACT[key]
        exact = value if value is None or key.endswith(("rate", "months")) else Fraction(value)
        given[key] = leaf(exact, one.unit, key)
    return given


@pytest.mark.parametrize("key", BY_HAND)
def test_columns_come_to_what_was_worked_out_by_hand(key):
    assert optional(CONTRACT.worked_out(columns())[key]) == BY_HAND[key]


@pytest.mark.parametrize("key", BY_HAND)
@pytest.mark.parametrize("at", range(4))
def test_a_quantity_comes_to_the_same_to_the_bit(key, at):
    found = CONTRACT.worked_out(quantities(at))[key]
    assert found.number == BY_HAND[key][at]
    assert found.number is not None or found.missing or ROWS["paid_gpu_hours"][at] == 0


def test_paid_gpu_hours_are_gpus_times_hours():
    given = {key: quantities(0)[key] for key in ("gpus", "run_hours")}
    assert CONTRACT["paid_gpu_hours"].formula(**given).value == 46_720


def test_every_formula_comes_to_the_unit_that_is_declared():
    given = {one.key: leaf(None, one.unit, one.key) for one in CONTRACT.figures if one.formula is None}
    for one in CONTRACT.figures:
        if one.formula is not None:
            given[one.key] = one.formula(**{key: given[key] for key in one.parameters})
            assert given[one.key].dimension == one.unit.dimension, one.key


def test_rates_decide_about_no_gpu_time_that_was_not_there():
    found = CONTRACT.worked_out(columns())
    assert not np.isnan(found["paid_in_window"][2]) and np.isnan(found["unused_per_month"][3])
