"""Stranded spend: $ of GPU time at its contracts' rates, and why one reading can be above the other."""

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Text, worded


def priced(milli_gpu_seconds: Ints, rates: list[float | None]) -> float | None:
    """$ of GPU time by contract at their rates; None where GPU time has no rate. Shapes: (contracts,) both."""
    spent: list[int] = milli_gpu_seconds.tolist()
    if any(amount and rate is None for amount, rate in zip(spent, rates, strict=True)):
        return None
    return sum(
        amount / MILLI_GPU_SECONDS_PER_GPU_HOUR * (rate or 0.0)
        for amount, rate in zip(spent, rates, strict=True)
    )


def why_metered_is_more(metered: float | None, audit: float | None) -> Text:
    """Why metered stranded spend can be above the audit's reading; empty where it is not, or one is unknown."""
    if metered is None or audit is None or metered < audit + 0.5:
        return ""
    return worded(
        "Metered is above audit: contracts are used cheapest first, so the idle GPUs are the most expensive ones. "
        "Metered takes them at their own rates, audit takes the idle share of the cost at the mean rate."
    )
