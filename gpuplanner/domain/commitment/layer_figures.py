"""The figures of layers, of what stands idle and of terms: all of a row at once, from what went into each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from gpuplanner.domain.commitment.result import BreakEven, Layer
from gpuplanner.domain.figures.columns import by_row, floats, optional
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import HOURS_PER_MONTH

INPUTS: Final = ("gpus", "busy_gpus", "mean_gpus", "rate", "paid_hours", "on_demand_rate", "term_months")
FIGURES: Final = (
    "utilization",
    "cost_per_month",
    "paid_gpu_hours_per_month",
    "unused_per_month",
    "on_demand_per_month",
    "value_per_month",
    "beside_on_demand",
    "bound",
)
SUMS: Final = (*(key for key in FIGURES if key != "utilization"), "offer_gpus")
"""Of several layers, what each of them has of it added up."""

TERM_INPUTS: Final = ("spread_rate", "by_use_rate", "kept")


def with_figures(layers: Sequence[Layer], on_demand_rate: float | None) -> tuple[Layer, ...]:
    """The layers with their figures. on_demand_rate: what their GPU-hours are measured against; None or 0: nothing.

    New layers, in order; figures whose inputs are unknown are None. A month is 730 h.
    Source: docs/formulas.md, Layers.
    """
    rows = [replace(layer, on_demand_rate=on_demand_rate or None) for layer in layers]
    given: dict[str, Any] = {key: floats([getattr(row, key) for row in rows]) for key in INPUTS}
    found = LAYER.worked_out(given, FIGURES)
    figures: list[dict[str, Any]] = [{key: one[key] for key in FIGURES} for one in by_row(found)]
    return tuple(replace(row, **of_row) for row, of_row in zip(rows, figures, strict=True))


def cost_per_month(gpus: Sequence[float], rates: Sequence[float | None]) -> list[float | None]:
    """What GPUs cost that are paid all the month, used or not: one value a row.

    Units: GPUs, $ per GPU-hour, $ a month of 730 h. None where the rate is unknown.

    >>> cost_per_month([2, 1], [1.5, None])
    [2190.0, None]
    """
    given = {
        "mean_gpus": floats(gpus),
        "rate": floats(rates),
        "paid_hours": floats([HOURS_PER_MONTH] * len(gpus)),
    }
    return optional(LAYER.worked_out(given, ["cost_per_month"])["cost_per_month"])


def together(layers: Sequence[Layer]) -> dict[str, float | None]:
    """What went into the figures of several layers together: their cost and the GPU-hours that it pays for.

    Units: $ and GPU-hours a month, by the keys of LAYER. None where one of them is unknown.
    """
    return {
        key: known_sum([getattr(layer, key) for layer in layers])
        for key in ("cost_per_month", "paid_gpu_hours_per_month")
    }


def mean_rate(layers: Sequence[Layer]) -> float | None:
    """$ per GPU-hour of layers together; None where the cost of one is unknown, and where there are no GPUs.

    Source: docs/formulas.md, Layers.
    """
    return LAYER.row(together(layers), ["mean_rate"])["mean_rate"]


def mean_paid_gpus(layers: Sequence[Layer]) -> float:
    """GPUs that layers pay for, a mean over the hours of a month: a term of days counts for its days.

    Source: docs/formulas.md, Layers.
    """
    return sum(layer.mean_gpus * layer.paid_hours for layer in layers) / HOURS_PER_MONTH


def used_of(layers: Sequence[Layer]) -> float | None:
    """How much of the GPU-hours that layers pay for is in use, 0..1; None where there are none.

    A term of days counts for the hours of its days.
    """
    busy = sum(layer.busy_gpus * layer.paid_hours for layer in layers)
    return used_share(busy, sum(layer.gpus * layer.paid_hours for layer in layers))


def as_one(layers: Sequence[Layer]) -> Layer:
    """Layers of one kind as a row shows them; what has no sum and no mean is the first one's.

    The sum of what is unknown of one is unknown. Errors: IndexError without a layer.
    Source: docs/formulas.md, Layers.
    """
    sums: dict[str, Any] = {key: known_sum([getattr(layer, key) for layer in layers]) for key in SUMS}
    return replace(
        layers[0],
        gpus=sum(layer.gpus for layer in layers),
        busy_gpus=sum(layer.busy_gpus for layer in layers),
        rate=mean_rate(layers),
        utilization=used_of(layers),
        **sums,
    )


def used_share(busy_gpus: float, gpus: float) -> float | None:
    """How much of GPUs, or of GPU-hours of the same hours, is in use; None where there are none.

    A ratio, 0..1.

    >>> used_share(30, 40), used_share(0, 0)
    (0.75, None)
    """
    return LAYER.row({"busy_gpus": busy_gpus, "gpus": gpus}, ["utilization"])["utilization"]


def by_use_gpu_per_month(by_use_rate: float) -> float:
    """What one GPU that is paid by use costs a month, busy all the time.

    by_use_rate: $ per GPU-hour. Returns $ a month of 730 h.

    >>> by_use_gpu_per_month(2.0)
    1460.0
    """
    given = {"by_use_rate": floats([by_use_rate]), "month_hours": floats([HOURS_PER_MONTH])}
    return float(TERM.worked_out(given, ["by_use_per_month"])["by_use_per_month"][0])


def term_rows(
    offers: Sequence[Offer], by_use_rate: float | None, kept: Sequence[float]
) -> tuple[BreakEven, ...]:
    """One offer of each term beside paying by use. kept: of each, the mean share of demand and prices that lasts.

    by_use_rate: $ per GPU-hour; None or 0: no figure that compares. Rows come in the order of `offers`, and
    nothing is rounded.
    Errors: ValueError where there is not one `kept` an offer.
    Source: docs/formulas.md, Screening curve.
    """
    rows = [
        BreakEven(
            one.term_months,
            one.offer_id,
            one.rate,
            one.spread_rate,
            by_use_rate or None,
            share,
            one_gpu_per_month=None,
            by_use_per_month=None,
            compared_per_month=None,
            break_even=None,
            term_days=one.term_days,
        )
        for one, share in zip(offers, kept, strict=True)
    ]
    given: dict[str, Any] = {key: floats([getattr(row, key) for row in rows]) for key in TERM_INPUTS}
    given["month_hours"] = floats([HOURS_PER_MONTH] * len(rows))
    found = TERM.worked_out(given)
    return tuple(
        replace(
            row,
            one_gpu_per_month=figures["one_gpu_per_month"],
            by_use_per_month=figures["by_use_per_month"],
            compared_per_month=figures["compared_per_month"],
            break_even=figures["break_even"],
        )
        for row, figures in zip(rows, by_row(found), strict=True)
    )
