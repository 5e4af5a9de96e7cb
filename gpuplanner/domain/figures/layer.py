"""Figures of a plan's layers: what GPUs of one term cost and are used, and from where on a term is worth signing.

Sources of the formulas: docs/formulas/layers.md; docs/formulas/layers.md, Screening curve.
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
from gpuplanner.domain.message import capital, worded

TERM_MONTHS: Final = Figure(key="term_months", title=titles.TERM, unit=MONTHS, phrase=worded("term months"))

HOURS_OF_MONTH: Final = phrased("month_hours", worded("hours in a month"), HOURS_A_MONTH)

LAYER: Final = Subject(
    "layer",
    (
        Figure(key="gpus", title=titles.GPUS_PEAK, unit=GPUS, phrase=worded("layer GPUs")),
        Figure(key="busy_gpus", title=titles.MEAN_GPUS_IN_USE, unit=GPUS, phrase=worded("mean GPUs in use")),
        Figure(
            key="mean_gpus",
            title=titles.MEAN_PAID_GPUS,
            unit=GPUS,
            phrase=worded("mean paid GPUs"),
            why="layer_gpus",
            note=worded("On-demand GPUs are hourly means."),
        ),
        phrased(
            "rate",
            worded("rate"),
            RATE,
            why="layer_rate",
            unknown=worded("Quote needed: enter its rate in Prices"),
            json="rate_usd_per_gpu_hour",
        ),
        phrased("paid_hours", worded("paid hours per month"), HOURS_A_MONTH),
        Figure(
            key="on_demand_rate",
            title=capital(worded("on-demand rate")),
            unit=RATE,
            phrase=worded("cheapest fitting on-demand rate"),
        ),
        TERM_MONTHS,
    ),
)
"""A layer of month 0: GPUs of one term and offer in one pool and GPU model."""


@LAYER.figure(
    titles.USED,
    SHARE,
    why="layer_used",
    is_better="up",
    unknown=worded("No GPUs in this layer."),
    glossary=worded("Used ÷ paid GPU-hours of the layer."),
    note=worded("A layer serves demand above lower layers."),
)
def utilization(busy_gpus: Operand, gpus: Operand) -> Operand:
    """Mean GPUs in use over the GPUs of the layer."""
    return share(busy_gpus, gpus)


@LAYER.figure(
    titles.COST,
    MONEY_PER_MONTH,
    why="layer_usd",
    is_better="down",
    unknown=worded("Quote needed: enter its rate in Prices"),
)
def cost_per_month(mean_gpus: Operand, rate: Operand, paid_hours: Operand) -> Operand:
    """Cost per month: GPUs, rate and paid hours."""
    return mean_gpus * rate * paid_hours


@LAYER.figure(titles.PAID_GPU_HOURS, GPU_HOURS_PER_MONTH, phrase=worded("paid GPU-h"), why="layer_paid")
def paid_gpu_hours_per_month(mean_gpus: Operand, paid_hours: Operand) -> Operand:
    """GPU-hours paid per month; a term of days pays only its days."""
    return mean_gpus * paid_hours


@LAYER.figure(worded("Mean rate"), RATE)
def mean_rate(cost_per_month: Operand, paid_gpu_hours_per_month: Operand) -> Operand:
    """Mean rate of several layers: their cost over their paid GPU-hours.

    Unknown where no GPU is paid for.
    """
    return share(cost_per_month, paid_gpu_hours_per_month)


@LAYER.figure(titles.UNUSED, MONEY_PER_MONTH, is_better="down")
def unused_per_month(mean_gpus: Operand, busy_gpus: Operand, rate: Operand, paid_hours: Operand) -> Operand:
    """Idle cost per month; 0 for on-demand layers."""
    return (mean_gpus - busy_gpus) * rate * paid_hours


@LAYER.figure(worded("Its GPU-hours on demand"), MONEY_PER_MONTH)
def on_demand_per_month(busy_gpus: Operand, on_demand_rate: Operand, paid_hours: Operand) -> Operand:
    """Cost of the served GPU-hours at the cheapest eligible on-demand rate.

    A term of days serves the hours that it pays; what is left of the month is paid by use in any case.
    """
    return busy_gpus * on_demand_rate * paid_hours


@LAYER.figure(worded("Value"), MONEY_PER_MONTH, is_better="up")
def value_per_month(on_demand_per_month: Operand, cost_per_month: Operand) -> Operand:
    """Savings of the layer against on demand."""
    return on_demand_per_month - cost_per_month


@LAYER.figure(worded("Bound"), MONEY_TIMES_MONTHS, is_better="binds")
def bound(cost_per_month: Operand, term_months: Operand) -> Operand:
    """Cost per month times the months of the term, for the average term left."""
    return cost_per_month * term_months


@LAYER.figure(worded("Spot instead of on demand"), MONEY_PER_MONTH, why="spot_instead", is_better="down")
def beside_on_demand(cost_per_month: Operand, on_demand_per_month: Operand) -> Operand:
    """Cost of a spot layer less the same hours on demand; below 0 spot saves."""
    return cost_per_month - on_demand_per_month


TERM: Final = Subject(
    "term",
    (
        phrased("spread_rate", worded("rate including upfront"), RATE),
        phrased("by_use_rate", worded("on-demand rate"), RATE),
        Figure(
            key="kept",
            title=worded("Mean share of demand and prices left over the term"),
            unit=SHARE,
            phrase=worded("mean share of demand and prices left over the term"),
        ),
        HOURS_OF_MONTH,
    ),
)
"""One GPU of one term, beside one that is paid by use."""


@TERM.figure(worded("One GPU"), MONEY_PER_GPU_MONTH, why="one_gpu")
def one_gpu_per_month(spread_rate: Operand, month_hours: Operand) -> Operand:
    """Monthly cost of a committed GPU, upfront spread over the term."""
    return spread_rate * month_hours


@TERM.figure(worded("One GPU always on demand"), MONEY_PER_GPU_MONTH)
def by_use_per_month(by_use_rate: Operand, month_hours: Operand) -> Operand:
    """Monthly cost of an on-demand GPU, busy all the time."""
    return by_use_rate * month_hours


@TERM.figure(
    worded("One GPU, as compared"),
    MONEY_PER_GPU_MONTH,
    short=worded("As compared"),
    phrase=worded("one GPU, as compared"),
    why="compared",
    note=worded("730 h × rate, plus the term's cost of attrition and price decline."),
)
def compared_per_month(spread_rate: Operand, month_hours: Operand, kept: Operand) -> Operand:
    """Cost of a committed GPU, divided by the share that attrition and price decline leave."""
    return share(spread_rate * month_hours, kept)


@TERM.figure(
    capital(worded("term break-even")),
    SHARE,
    short=titles.BREAK_EVEN,
    phrase=worded("term break-even"),
    why="term_break_even",
    glossary=worded("Rule of thumb: the term beats on demand above this share of hours in use."),
    note=worded("A rule of thumb: the advice checks every slice and month of the horizon."),
    json="utilization",
)
def break_even(compared_per_month: Operand, by_use_per_month: Operand) -> Operand:
    """Share of busy hours above which the term is cheaper; above 1 it never is."""
    return share(compared_per_month, by_use_per_month)
