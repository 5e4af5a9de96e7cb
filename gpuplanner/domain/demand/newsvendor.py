"""The newsvendor level: how many units of demand it pays to commit to, at one term and with no change over time."""

from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats

ROUNDING: Final = 1e-9
"""Units: a sum of hours that is a rounding over a whole unit does not need another."""


def newsvendor_units(demand_units: Floats, ratio: float, hours: int | None = None) -> int:
    """How many whole units are busy more than `ratio` (committed rate / usage rate) of the hours.

    Shapes: demand_units (hours in which there is demand,), in units (a GPU, or a block of them); hours: of all, where
    the others are left out. The least whole level of the lowest cost. Source: docs/formulas.md, Backtest.
    """
    busy_hours = ratio * (len(demand_units) if hours is None else hours)
    low, high = 0, max(0, ceil(float(demand_units.max(initial=0.0)) - ROUNDING))
    while low < high:  # a higher unit is busy no longer than one below it
        unit = (low + high) // 2
        if np.clip(demand_units - unit, 0.0, 1.0).sum() > busy_hours:
            low = unit + 1
        else:
            high = unit
    return low
