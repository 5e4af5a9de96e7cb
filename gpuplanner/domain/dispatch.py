"""Dispatch: which tier of capacity serves each hour's demand. Exact for integers; audit and plan stand on it."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Amounts = TypeVar("Amounts", npt.NDArray[np.int64], npt.NDArray[np.float64])


def dispatch(demand: Amounts, capacity: Amounts) -> Amounts:
    """Serve every hour from the first tier that has room.

    Shapes: demand (hours,); capacity (tiers, hours), cheapest first; returns served (tiers, hours).
    Units: any one unit of GPU time, never negative.
    Law: served.sum(axis=0) == minimum(demand, capacity.sum(axis=0)).
    Errors: ValueError if the two cover different hours.
    Source: merit order dispatch, as in Stoft, Power System Economics (2002).
    """
    if demand.shape != capacity.shape[1:]:
        raise ValueError(
            f"dispatch: demand {demand.shape}, capacity {capacity.shape}; build both on one window"
        )
    served: Amounts = np.diff(np.minimum(np.cumsum(capacity, axis=0), demand), axis=0, prepend=0)
    return served
