"""Figures of a plan's layers: what GPUs of one term cost and are used, and from where on a term is worth signing.

Sources of the formulas: docs/formulas.md, Layers; docs/formulas.md, Screening curve.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, phrased, share
from gpuplanner.domain.figures.writing import (
    GPU_HOURS_PER_MONTH,
    GPUS,
    HOURS_A_MONTH,
    MONEY_PER_GPU_MONTH,
    MONEY_PER_MONTH,
    MONEY_TIMES_MONTHS,
    MONTHS,
    RATE,
    SHARE,
)
from gpuplanner.domain.message import worded

TERM_MONTHS: Final = Figure("term_months", titles.TERM, MONTHS, phrase=worded("months of the term"))

HOURS_OF_MONTH: Final = phrased("month_hours", worded("hours in a month"), HOURS_A_MONTH)

LAYER: Final = Subject(
    "layer",
    Figure("gpus", titles.GPUS_PEAK, GPUS, phrase=worded("GPUs of the layer")),
    Figure("busy_gpus", worded("Busy, mean GPUs"), GPUS, phrase=worded("mean GPUs in use")),
    Figure(
        "mean_gpus",
        worded("GPUs, mean"),
        GPUS,
        phrase=worded("mean GPUs paid for"),
        why="layer_gpus",
        note=worded("On-demand GPUs are a mean over the hours."),
    ),
    phrased(
        "rate",
        worded("rate"),
        RATE,
        why="layer_rate",
        unknown=worded("A quote is needed: enter its rate in Prices"),
        json="rate_usd_per_gpu_hour",
    ),
    phrased("paid_hours", worded("hours of a month that are paid"), HOURS_A_MONTH),
    Figure(
        "on_demand_rate", worded("On-demand rate"), RATE, phrase=worded("cheapest on-demand rate that fits")
    ),
    TERM_MONTHS,
)
"""A layer of month 0: GPUs of one term and offer in one pool and GPU model."""


@LAYER.figure(
    titles.USED,
    SHARE,
    why="layer_used",
    is_better="up",
    unknown=worded("No GPUs in this layer."),
    glossary=worded("GPU-hours that demand fills over GPU-hours of the layer."),
    note=worded("A layer serves demand above the layers below it."),
)
def utilization(busy_gpus: Operand, gpus: Operand) -> Operand:
    """Mean GPUs in use over those of the layer, 0..1: a layer serves what those under it leave."""
    return share(busy_gpus, gpus)


@LAYER.figure(
    titles.COST,
    MONEY_PER_MONTH,
    why="layer_usd",
    is_better="down",
    unknown=worded("A quote is needed: enter its rate in Prices"),
)
def cost_per_month(mean_gpus: Operand, rate: Operand, paid_hours: Operand) -> Operand:
    """What is paid a month: GPUs times rate times the hours of a month that are paid."""
    return mean_gpus * rate * paid_hours


@LAYER.figure(
    titles.PAID_GPU_HOURS, GPU_HOURS_PER_MONTH, phrase=worded("paid GPU-h per month"), why="layer_paid"
)
def paid_gpu_hours_per_month(mean_gpus: Operand, paid_hours: Operand) -> Operand:
    """GPU-hours that are paid for a month; a term of days is paid for in its days alone."""
    return mean_gpus * paid_hours


@LAYER.figure(worded("Mean rate"), RATE)
def mean_rate(cost_per_month: Operand, paid_gpu_hours_per_month: Operand) -> Operand:
    """$ per GPU-hour of several layers together: what is paid over the GPU-hours that it pays for.

    Unknown where no GPU is paid for.
    """
    return share(cost_per_month, paid_gpu_hours_per_month)


@LAYER.figure(titles.UNUSED, MONEY_PER_MONTH, is_better="down")
def unused_per_month(mean_gpus: Operand, busy_gpus: Operand, rate: Operand, paid_hours: Operand) -> Operand:
    """What is paid a month for GPUs that no job uses; nothing of what is paid by use."""
    return (mean_gpus - busy_gpus) * rate * paid_hours


@LAYER.figure(worded("Its GPU-hours on demand"), MONEY_PER_MONTH)
def on_demand_per_month(busy_gpus: Operand, on_demand_rate: Operand, paid_hours: Operand) -> Operand:
    """What the GPU-hours that the layer serves would cost a month at the cheapest on-demand rate that fits.

    A term of days serves the hours that it pays; what is left of the month is paid by use in any case.
    """
    return busy_gpus * on_demand_rate * paid_hours


@LAYER.figure(worded("Value"), MONEY_PER_MONTH, is_better="up")
def value_per_month(on_demand_per_month: Operand, cost_per_month: Operand) -> Operand:
    """What the layer saves a month beside paying its GPU-hours on demand."""
    return on_demand_per_month - cost_per_month


@LAYER.figure(worded("Bound"), MONEY_TIMES_MONTHS, is_better="binds")
def bound(cost_per_month: Operand, term_months: Operand) -> Operand:
    """What is signed for all of its term, as the lock-in counts it: $ a month times months."""
    return cost_per_month * term_months


@LAYER.figure(worded("Spot instead of on demand"), MONEY_PER_MONTH, why="spot_instead", is_better="down")
def beside_on_demand(cost_per_month: Operand, on_demand_per_month: Operand) -> Operand:
    """What a layer that uses spot changes in a month's spend beside the same hours on demand; below 0 it saves."""
    return cost_per_month - on_demand_per_month


TERM: Final = Subject(
    "term",
    phrased("spread_rate", worded("rate including upfront"), RATE),
    phrased("by_use_rate", worded("rate by use"), RATE),
    Figure(
        "kept",
        worded("Demand and prices that last"),
        SHARE,
        phrase=worded("mean share of demand and prices that lasts over the term"),
    ),
    HOURS_OF_MONTH,
)
"""One GPU of one term, beside one that is paid by use."""


@TERM.figure(worded("One GPU"), MONEY_PER_GPU_MONTH, why="one_gpu")
def one_gpu_per_month(spread_rate: Operand, month_hours: Operand) -> Operand:
    """What one GPU of a term costs a month; what is paid upfront is spread over the term."""
    return spread_rate * month_hours


@TERM.figure(worded("One GPU on demand, always in use"), MONEY_PER_GPU_MONTH)
def by_use_per_month(by_use_rate: Operand, month_hours: Operand) -> Operand:
    """What one GPU that is paid by use costs a month, busy all the time."""
    return by_use_rate * month_hours


@TERM.figure(
    worded("One GPU as it is compared"),
    MONEY_PER_GPU_MONTH,
    short=worded("As compared"),
    phrase=worded("one GPU for the term, as it is compared"),
    why="compared",
    note=worded("It exceeds 730 h × rate by the cost of attrition and price decline over the term."),
)
def compared_per_month(spread_rate: Operand, month_hours: Operand, kept: Operand) -> Operand:
    """One GPU of a term as it is compared with paying by use: it bears churn and the fall of prices over the term."""
    return share(spread_rate * month_hours, kept)


@TERM.figure(
    worded("Break-even of the term"),
    SHARE,
    short=titles.BREAK_EVEN,
    phrase=worded("break-even of the term"),
    why="term_break_even",
    glossary=worded("Above this share of hours in use, the term costs less than on demand. A rule of thumb."),
    note=worded("A rule of thumb. The advice itself looks at every month of the horizon, slice by slice."),
    json="utilization",
)
def break_even(compared_per_month: Operand, by_use_per_month: Operand) -> Operand:
    """The share of busy hours from which a term is cheaper than paying by use; above 1 it never is."""
    return share(compared_per_month, by_use_per_month)
