"""What the savings against doing nothing would buy: GPU-hours a month, and GPUs for a year, at the rate of one more."""

from dataclasses import dataclass

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import SAVINGS_BUY
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class SavingsBuy:
    """Figures of SAVINGS_BUY with what went in; None is unknown, and then `unknown` says why."""

    savings_vs_do_nothing: float | None
    by_use_per_month: float | None
    by_use_gpu_hours_per_month: float
    month_hours: float
    marginal_rate: float | None
    bought_gpu_hours_per_month: float | None
    bought_gpus: float | None
    unknown: Text = ""


def savings_buy(advice: Advice) -> SavingsBuy:
    """What the plan of an advice would free: by use, at the mean rate of all that it pays by use in month 0.

    Where the plan saves nothing, or pays nothing by use, there is nothing to say.
    Source: docs/formulas.md, Where savings come from.
    """
    layers = [
        layer
        for plan in advice.pools
        for layer in plan.layers
        if not layer.existing and not layer.term_months and layer.mean_gpus
    ]
    saved = advice.totals.savings_vs_do_nothing
    given = {
        "savings_vs_do_nothing": saved if saved is not None and saved > 0 else None,
        "by_use_per_month": known_sum(layer.cost_per_month for layer in layers),
        "by_use_gpu_hours_per_month": HOURS_PER_MONTH * sum(layer.mean_gpus for layer in layers),
        "month_hours": float(HOURS_PER_MONTH),
    }
    return SavingsBuy(**SAVINGS_BUY.row(given), unknown=_why_unknown(saved, bool(layers), given))  # type: ignore[arg-type]


def _why_unknown(saved: float | None, pays_by_use: bool, given: dict[str, float | None]) -> Text:
    """What lacks, in words; empty where nothing does."""
    if saved is None:
        return worded("The savings are unknown.")
    if saved <= 0:
        return worded("The plan saves nothing against doing nothing.")
    if not pays_by_use:
        return worded("The plan pays nothing by use, so that one GPU-hour more has no rate in it.")
    return worded("A rate of what is paid by use is missing.") if given["by_use_per_month"] is None else ""
