"""Growth of demand: how many times today's it is in each month, a growth that fades month by month."""

import numpy as np

from gpuplanner.domain.arrays import Floats


def grown(growth: float, fade: float, months: int) -> Floats:
    """G_t = product over i = 1..t of (1 + g fade^(i-1)) for t = 0..months-1; shape (months,).

    growth: g a month, a ratio; fade 1: the same growth for ever.
    Source: docs/formulas.md, Contracts over time and what they leave over.
    """
    steps = 1 + growth * fade ** np.arange(max(months - 1, 0))
    return np.concatenate(([1.0], np.cumprod(steps)))[:months]
