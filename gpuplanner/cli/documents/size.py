"""Sizing as JSON: a model and its traffic on every GPU model, precision and GPUs a replica."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.cli.documents.demand import intake_document
from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.fit.serving_costs import ServingCost, best_row
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.domain.reports.entries import entries, entry, fields, named
from gpuplanner.domain.reports.sizing import SIZES
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.memory import kv_bytes_per_token
from gpuplanner.domain.serving.sizing import ServingTerms


class _Architecture(NamedTuple):
    """A model, and bytes of KV cache a token at the precision of the terms."""

    model: ServedModel
    kv_bytes_per_token: float


ROW_ID: Final = fields(
    *(named(name, f"row.{name}") for name in ("gpu_model", "precision", "tensor_parallel"))
)
ARCHITECTURE: Final = fields(
    named("parameters", "model.parameters"),
    named("active_parameters", "model.active"),
    *(
        named(name, f"model.{name}")
        for name in ("layers", "kv_heads", "head_dim", "experts", "experts_per_token")
    ),
    "kv_bytes_per_token",
    named("source", "model.source"),
)
LOAD: Final = fields(
    "peak_requests_per_s",
    "requests_per_month",
    "tokens_per_month",
    "context_tokens",
    "generated_tokens",
    "longest_tokens",
    named("tokens_are_assumed", lambda load: not load.are_tokens_known),
    named("hours", "known_hours"),
    named("warning", lambda load: load.warning or None),
)
TERMS: Final = fields(
    "headroom",
    "usable_memory",
    "concurrency",
    "concurrency_most",
    "kv_bytes",
    "bandwidth_share",
    "compute_share",
    "round_trip_ms",
)
NOT_SIZED: Final[Document] = {"intake": {"files": []}, "model": None, "gpu_model": None, "rows": []}
"""Where a file can be read and is of no use."""


def size_document(
    intake: Sequence[FileIntake],
    model: ServedModel,
    load: Load,
    terms: ServingTerms,
    costs: Sequence[ServingCost],
) -> Document:
    """The document of `size`, but for its head. costs: every row that was sized, in their order.

    Memory in GB, times in ms, $ a month of 730 h; null where unknown.
    """
    best = best_row(costs)
    return {
        "intake": intake_document(intake),
        "model": model.name,
        "gpu_model": None if best is None else best.row.gpu_model,
        "best": None if best is None else entry(ROW_ID, best),
        "rows": entries(SIZES, costs),
        "architecture": entry(ARCHITECTURE, _Architecture(model, kv_bytes_per_token(model, terms.kv_bytes))),
        "load": entry(LOAD, load),
        "terms": entry(TERMS, terms),
    }
