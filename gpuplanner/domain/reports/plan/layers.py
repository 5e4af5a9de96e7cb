"""The layers of a plan's row, what each term would break even at, and existing GPUs that stand idle."""

from typing import Any, Final

from gpuplanner.domain.commitment.result import Advice, BreakEven, IdleExisting, Layer, PoolPlan
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.message import worded
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, SHEET, Column, Report


def _layers(plan: PoolPlan) -> tuple[Layer, ...]:
    return plan.layers


def _terms(plan: PoolPlan) -> tuple[BreakEven, ...]:
    return plan.break_even


def _idle(advice: Advice) -> tuple[IdleExisting, ...]:
    return advice.idle_existing


def _offer_id(row: Layer | BreakEven) -> str:
    return row.offer_id or ""


def _gpu_model(row: IdleExisting) -> str:
    return row.gpu_model or ""


def _category(layer: Layer) -> str:
    return layer.pricing_category.value


def _offer_rate(layer: Layer) -> Any:
    """$ per GPU-hour of the offer's own model, which is what a signature shows."""
    return layer.offer_rate


LAYERS: Final = Report(
    title=worded("Layers of month 0, from the base up"),
    one="layer",
    many="layers",
    rows=_layers,
    key=_offer_id,
    columns=(
        Column(key="existing", media=DOCUMENT_ALONE),
        Column(key="pricing_category", media=DOCUMENT_ALONE, value=_category),
        Column(LAYER["term_months"]),
        Column(key="offer_id", title=worded("Offer"), media=DOCUMENT_ALONE | SHEET),
        Column(LAYER["gpus"]),
        Column(LAYER["rate"]),
        Column(LAYER["busy_gpus"], media=SHEET),
        Column(LAYER["utilization"]),
        Column(LAYER["cost_per_month"]),
        Column(LAYER["unused_per_month"], media=SHEET),
        Column(LAYER["bound"], media=SHEET),
        Column(key="spot_share", media=DOCUMENT_ALONE),
        Column(LAYER["value_per_month"], media=DOCUMENT_ALONE),
        Column(key="offer_gpu_model", media=DOCUMENT_ALONE),
        Column(key="offer_gpus", media=DOCUMENT_ALONE),
        Column(key="offer_rate_usd_per_gpu_hour", media=DOCUMENT_ALONE, value=_offer_rate),
    ),
)
"""About a pool and GPU model; rows are its layers."""

TERMS: Final = Report(
    title=worded("Break-evens"),
    one="term",
    many="terms",
    rows=_terms,
    key=_offer_id,
    columns=(
        Column(LAYER["term_months"]),
        Column(key="offer_id", media=DOCUMENT_ALONE),
        Column(TERM["break_even"]),
    ),
)
"""About a pool and GPU model; rows are the terms that it can be served by."""

IDLE: Final = Report(
    title=worded("Existing and idle"),
    one="GPU model",
    many="GPU models",
    rows=_idle,
    key=_gpu_model,
    columns=(Column(key="gpu_model"), Column(LAYER["gpus"]), Column(LAYER["cost_per_month"])),
)
"""About a plan; rows are GPU models of existing contracts that serve nothing in part."""
