"""Placement and sizing as JSON: sites for each number of them, a model on every GPU model."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.cli.documents.audit import check_entries
from gpuplanner.cli.documents.head import Document, intake_document
from gpuplanner.domain.audit.log_checks import place_checks
from gpuplanner.domain.fit.endpoint_sizing import ServingCost, best_row
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import Places, ServedModel
from gpuplanner.domain.reports.report import each, entries, entry, fields, named, of_part
from gpuplanner.domain.reports.serving import SIZES
from gpuplanner.domain.serving.placement import CurrentPlacement, SiteSet, forbidden_countries, placement_of
from gpuplanner.domain.serving.replica import kv_bytes_per_token
from gpuplanner.domain.serving.sizing import Load, ServingTerms
from gpuplanner.domain.serving.transit import Leg, egress_of

# --- Placement as JSON: how every city is served today, the best sites for each number of them, and egress


def _users(leg: Leg) -> int | float:
    """A whole number where they are one."""
    users = leg.city.users
    return int(users) if users == users.to_integral_value() else float(users)


def _by_city(leg: Leg) -> tuple[str, str, float, float]:
    """Order of legs in a document: by name, not by users."""
    return leg.city.city, leg.city.country, leg.city.latitude, leg.city.longitude


def _legs(today: CurrentPlacement) -> list[Leg]:
    return sorted(today.current.service.legs, key=_by_city)


def _unserved_countries(one: SiteSet) -> list[str]:
    """Countries of cities that none of the sites may serve, those of the top 80% first."""
    return list(forbidden_countries((*one.service.unserved, *one.service.unserved_others)))


LEG: Final = fields(
    *of_part("city", "city", "country"),
    named("users", _users),
    "site_id",
    "one_way_ms",
    "km",
    "is_measured",
    named("in_top_80_percent", "is_top"),
)
"""One city and its way."""
CURRENT: Final = fields(
    named("sites", lambda today: list(today.current.sites)),
    *of_part("current", "mean_one_way_ms", "round_trip_ms"),
    "covered_share",
    named("cities", lambda today: sorted(city.city for city in today.table.top_cities)),
    named("over_80_ms", "current.service.is_over_80"),
    named("way_80_percent_ms", "current.service.way_80_ms"),
    named("way_80_percent_over_80_ms", "current.service.is_way_80_over"),
    named("served_mean_one_way_ms", "current.service.served_mean_ms"),
    named("usd_per_month", "current.usd_per_month"),
    named("unserved_countries", lambda today: _unserved_countries(today.current)),
    each("legs", LEG, _legs),
)
"""Today: the headline figures, and how every city is served."""
PROPOSAL: Final = fields(
    named("sites", lambda one: list(one.sites)),
    "mean_one_way_ms",
    "round_trip_ms",
    "usd_per_month",
    named("served_mean_one_way_ms", "service.served_mean_ms"),
    named("over_80_ms", "service.is_over_80"),
    named("way_80_percent_ms", "service.way_80_ms"),
    named("way_80_percent_over_80_ms", "service.is_way_80_over"),
    named("adds", lambda one: list(one.adds)),
    named("drops", lambda one: list(one.drops)),
    named("unserved_countries", _unserved_countries),
)
"""A set of sites with its figures, and how it differs from today's."""
EGRESS: Final = fields(
    named("text_gb_per_month", "text_gb"),
    named("media_gb_per_month", "media_gb"),
    "usd_per_gb",
    named("text_usd_per_month", "text_usd"),
    named("media_usd_per_month", "media_usd"),
    "sentence",
)


def place_document(
    intake: Sequence[FileIntake], places: Places, assumptions: Assumptions, tokens_read: float | None
) -> Document:
    """intake, current, proposed, cheapest_within_80_ms, egress, checks and notes; current null without places.

    tokens_read: a month, of files of traffic. Ways in ms, null where unknown. Source: docs/formulas.md, Placement.
    """
    placement = placement_of(places)
    egress = egress_of(assumptions, tokens_read)
    cheapest = placement.cheapest_within
    return {
        "intake": intake_document(intake),
        "current": entry(CURRENT, placement.today) if places.can_be_placed else None,
        "proposed": [entry(PROPOSAL, one) for one in placement.proposed],
        "cheapest_within_80_ms": None if cheapest is None else entry(PROPOSAL, cheapest),
        "left_out": list(placement.left_out),
        "egress_usd_per_month": egress.usd,
        "egress": entry(EGRESS, egress),
        "checks": check_entries(place_checks(places)),
        "notes": list(placement.notes),
    }


# --- Sizing as JSON: a model and its traffic on every GPU model, precision and GPUs a replica ----


class _Architecture(NamedTuple):
    """A model, and bytes of KV cache a token at the precision of the terms."""

    model: ServedModel
    kv_bytes_per_token: float


ROW_ID: Final = fields(*of_part("row", "gpu_model", "precision", "tensor_parallel"))
ARCHITECTURE: Final = fields(
    named("parameters", "model.parameters"),
    named("active_parameters", "model.active"),
    *of_part("model", "layers", "kv_heads", "head_dim", "experts", "experts_per_token"),
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
