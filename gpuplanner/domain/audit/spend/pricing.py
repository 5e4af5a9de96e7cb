"""GPU time in $: in all and by hour, at given rates."""

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, floats


def priced(milli_gpu_seconds: Ints, rates: list[float | None]) -> float | None:
    """Return $ of GPU time by contract at their rates; None if GPU time has no rate. Shapes: (contracts,) both."""
    spent: list[int] = milli_gpu_seconds.tolist()
    if any(amount and rate is None for amount, rate in zip(spent, rates, strict=True)):
        return None
    return sum(
        amount / MILLI_GPU_SECONDS_PER_GPU_HOUR * (rate or 0.0)
        for amount, rate in zip(spent, rates, strict=True)
    )


def usd_by_hour(amount: npt.NDArray[np.int64], rates: list[float | None]) -> Floats:
    """Return $ in each hour; shapes: amount (tiers, hours), rates (tiers,); NaN if GPU time has no rate."""
    usd = np.where(amount > 0, amount * floats(rates).reshape(-1, 1), 0.0) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    return np.asarray(usd.sum(axis=0), dtype=np.float64)
