"""Inference sizing: every GPU model, precision and number of GPUs a replica, what it takes and what it costs."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.reports.entries import named
from gpuplanner.domain.reports.report import (
    DOCUMENT_ALONE,
    SHEET,
    TERMINAL,
    WINDOW,
    Column,
    Media,
    Report,
)

LISTED: Final = TERMINAL | DOCUMENT_ALONE
READ: Final = LISTED | WINDOW
EVERY_ROW: Final = LISTED | SHEET


def _rows(costs: Sequence[ServingCost]) -> Sequence[ServingCost]:
    return costs


def _key(cost: ServingCost) -> str:
    return "\t".join(str(part) for part in cost.row.row_id)


def _of_row(name: str) -> Callable[[ServingCost], Any]:
    """A column's value from the sized row behind the $."""
    return lambda cost: getattr(cost.row, name)


def _of_offer(offer: Callable[[ServingCost], Offer | None], name: str) -> Callable[[ServingCost], Any]:
    """A column's value from an offer; None without one."""

    def value(cost: ServingCost) -> Any:
        """The offer's field."""
        found = offer(cost)
        return None if found is None else getattr(found, name)

    return value


def _first_token(cost: ServingCost) -> float | Text | None:
    """In ms; a word where the queue never settles."""
    return worded("unstable") if cost.row.is_unstable else cost.row.ttft_ms


def _sized(key: str, media: Media) -> Column:
    """A figure of the sized row."""
    return Column(SIZING[key], media=media, value=_of_row(key))


def _costed(key: str, media: Media) -> Column:
    """A figure of the row with its $."""
    return Column(SIZING[key], media=media)


def _offer(cost: ServingCost) -> Offer | None:
    return cost.offer


def _on_demand(cost: ServingCost) -> Offer | None:
    return cost.on_demand


SIZES: Final = Report(
    title=worded("Sizes"),
    one="size",
    many="sizes",
    rows=_rows,
    key=_key,
    columns=(
        Column(key="gpu_model", title=worded("GPU model"), media=EVERY_ROW, value=_of_row("gpu_model")),
        Column(key="replica", title=worded("A replica on"), media=WINDOW, form="name"),
        Column(key="precision", title=worded("Precision"), media=EVERY_ROW, value=_of_row("precision")),
        _sized("tensor_parallel", EVERY_ROW),
        named("fits", "row.fits"),
        _sized("memory_gb", READ),
        _sized("replicas_peak", READ | SHEET),
        _costed("gpus_peak", READ | SHEET),
        Column(SIZING["ttft_ms"], media=WINDOW | SHEET, value=_first_token),
        Column(key="offer_id", title=worded("Offer"), media=SHEET),
        _costed("cost_per_month", WINDOW | SHEET),
        _costed("gpu_hours_per_month_flat", EVERY_ROW),
        _sized("gpu_hours_per_month_autoscaled", EVERY_ROW),
        _sized("ttft_ms", DOCUMENT_ALONE),
        Column(SIZING["ttft_ms"], media=TERMINAL, value=_first_token),
        _costed("cost_per_month", LISTED),
        _costed("peak_provisioning_gpu_hours", SHEET),
        _costed("peak_provisioning_per_month", SHEET),
        _costed("cost_per_million_tokens", EVERY_ROW),
        _costed("peak_provisioning_per_month", TERMINAL),
        _costed("rate", SHEET),
        named("weights_gb", "row.weights_gb"),
        named("usable_memory_gb", "row.usable_gb"),
        named("concurrency", "row.concurrency"),
        named("requests_per_s_per_replica", "row.requests_per_s"),
        named("decode_tokens_per_s", "row.decode_tokens_per_s"),
        named("busy_at_peak", "row.busy_at_peak"),
        named("wait_ms", "row.wait_ms"),
        named("prefill_ms", "row.prefill_ms"),
        named("is_unstable", "row.is_unstable"),
        named("is_bound", "row.is_bound"),
        named("why", "row.why"),
        named("offer_id", _of_offer(_offer, "offer_id")),
        named("term_months", _of_offer(_offer, "term_months")),
        _costed("rate", DOCUMENT_ALONE),
        named("on_demand_offer_id", _of_offer(_on_demand, "offer_id")),
        _costed("autoscaled_per_month", DOCUMENT_ALONE),
        _costed("peak_provisioning_gpu_hours", DOCUMENT_ALONE),
        _costed("peak_provisioning_per_month", DOCUMENT_ALONE),
    ),
    adds_up=False,
)
"""About sized rows with their $; the terminal is asked about those that fit. On its sheet rows are formulas, and what
fits, speed and memory are workings there."""

NOT_FITTING: Final = Report(
    title=worded("Does not fit"),
    one="size",
    many="sizes",
    rows=_rows,
    key=_key,
    columns=(
        Column(key="gpu_model", title=worded("Does not fit"), value=_of_row("gpu_model")),
        Column(key="precision", title=worded("Precision"), value=_of_row("precision")),
        Column(
            key="tensor_parallel", title=SIZING["tensor_parallel"].title, value=_of_row("tensor_parallel")
        ),
        Column(key="why", title=worded("Why"), value=_of_row("why")),
    ),
    media=TERMINAL,
    adds_up=False,
)
"""About sized rows that do not fit, or of which nobody knows it."""

PRECISION_SIZES: Final = Report(
    title=worded("Precisions"),
    one="precision",
    many="precisions",
    rows=_rows,
    key=_key,
    columns=(
        Column(key="precision", title=worded("Precision"), form="name", value=_of_row("precision")),
        _sized("memory_gb", WINDOW),
        _costed("gpus_peak", WINDOW),
        _costed("cost_per_month", WINDOW),
        _costed("cost_per_million_tokens", WINDOW),
    ),
    media=WINDOW,
    adds_up=False,
)
"""About one GPU model and number of GPUs a replica, in every precision."""
