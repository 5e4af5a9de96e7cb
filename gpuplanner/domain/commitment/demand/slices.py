"""Slices of demand: how busy each block of GPUs is."""

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.scratch import Scratch


def hour_weights(hours: int, half_life_days: float | None) -> Floats | None:
    """Weights 2^(-age / half-life) that add up to 1, age from an hour's end to the window's end.

    Shapes: (hours,), oldest first. None where half_life_days is None: all hours count alike.
    Source: docs/formulas.md, Slices.
    """
    if half_life_days is None:
        return None
    age_days = np.arange(hours - 1, -1, -1) / 24
    weights = np.exp2(-age_days / half_life_days)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def weighted_mean(hourly: Floats, weights: Floats | None) -> float:
    """Mean over hours, in the unit of `hourly`. Shapes: hourly, weights (hours,); weights None: all alike.

    weights: as `hour_weights` gives them, adding up to 1.

    >>> weighted_mean(np.array([1.0, 3.0]), None), weighted_mean(np.array([1.0, 3.0]), np.array([0.25, 0.75]))
    (2.0, 2.5)
    """
    return float(hourly.mean() if weights is None else hourly @ weights)


def busy_shares(
    demand_slices: Floats, slices: int, weights: Floats | None, scratch: Scratch | None = None
) -> Floats:
    """u_k: the mean over hours of clip(R - (k - 1), 0, 1) for k = 1..slices.

    Shapes: demand_slices (states, hours), in slices that it fills (Slicing.in_slices); returns (states, slices), the
    lowest slice first.
    Law: the shares of a state add up to its mean demand in slices, where that stays within them.
    An hour fills the slices under its whole part, and its fraction goes to the next: a count and a sum per slice.
    """
    states, hours = demand_slices.shape
    scratch = scratch or Scratch()
    within, whole = (
        scratch.floats("within", demand_slices.shape),
        scratch.floats("whole", demand_slices.shape),
    )
    np.clip(demand_slices, 0.0, float(slices), out=within)
    np.floor(within, out=whole)
    within -= whole
    places = scratch.ints("places", demand_slices.shape)
    np.copyto(places, whole, casting="unsafe")
    if weights is not None:
        within *= weights
    shares = np.empty((states, slices))
    for state, (place, part) in enumerate(zip(places, within, strict=True)):
        # an hour that fills every slice has the place after the last, whose part is nothing
        full = np.bincount(place, weights, minlength=slices + 1)
        above = full[:0:-1].cumsum()[::-1]  # from the top, so that the highest slices keep their digits
        np.add(above, np.bincount(place, part, minlength=slices + 1)[:-1], out=shares[state])
    if weights is None:
        shares /= hours
    return shares
