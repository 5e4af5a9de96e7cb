"""The command size: a model and its traffic sized, as JSON and as text; and measured points."""

import argparse
from collections.abc import Mapping, Sequence
from math import inf
from typing import Final, NamedTuple

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.audit_tables import titled
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.intake import intake_document
from gpuplanner.cli.inputs import prices_of, project_path
from gpuplanner.cli.option_values import parse_rates, parse_settings, parse_whole
from gpuplanner.cli.project_words import in_money_of, no_project, with_money
from gpuplanner.cli.reading import maps_of_places
from gpuplanner.cli.tables import dollars, percent, report_text
from gpuplanner.cli.terminal import Tables, table
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.fit import best_rows, endpoint_sizing, serving_costs, sized_endpoints
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import ServedModel, ServingChoice, WeekRates
from gpuplanner.domain.reports.report import entries, entry, fields, named, of_part
from gpuplanner.domain.reports.serving import MEASURED, NOT_FITTING, RATIOS, REGIONS, SIZES, offer_terms
from gpuplanner.domain.reports.serving_words import sentences_of
from gpuplanner.domain.serving.load import load_of
from gpuplanner.domain.serving.memory import kv_bytes_per_token
from gpuplanner.domain.serving.ratios import Compared, PointSpeed, point_speed
from gpuplanner.files.lists import served_models, serving_results
from gpuplanner.files.lists.planned_work import hours_text
from gpuplanner.files.lists.traffic_tables import TYPED, read_load, typed_load
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import read_served_models, read_serving_tables
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.lazy_dataclass import dataclass

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
    named("weights", lambda of: of.model.weights or "BF16"),
    named("source", "model.source"),
)
TOKENS: Final = ("tokens_per_month", "context_tokens", "generated_tokens", "longest_tokens")
LOAD: Final = fields(
    "peak_requests_per_s",
    "requests_per_month",
    *TOKENS,
    named("tokens_are_assumed", lambda load: bool(load.tokens_per_request) and not load.are_tokens_known),
    named("hours", "known_hours"),
    named("warning", lambda load: load.warning or None),
)
TERMS: Final = fields(
    "headroom",
    "usable_memory",
    "concurrency",
    "concurrency_most",
    "kv_bytes",
    named("bandwidth_share", lambda _: None),
    named("compute_share", lambda _: None),  # of the rule before this one
    named("round_trip_ms", "way_ms"),
    "speed",
)
REPLAY: Final = fields(
    "replicas_flat", "replicas_mean", "replicas_perfect", "missed_share", "backlog_most", "backlog_hours"
)
REGION: Final = fields(
    "site_id",
    "users",
    "peak_requests_per_s",
    "replicas",
    "spare",
    "gpus",
    "usd_per_month",
    "ms_p50",
    "ms_p80",
    "egress_usd_per_month",
    "near_gb",
    "far_gb",
    named("peak_hour_of_week", "peak_hour"),
)
EGRESS: Final = fields(
    "near_gb",
    "far_gb",
    "near_usd_per_gb",
    "far_usd_per_gb",
    "usd_per_month",
    "far_share",
    "later_users_times",
    "later_far_share",
    "later_usd_per_month",
    "times",
)


API: Final = fields(
    "usd_per_million_in",
    "usd_per_million_out",
    "usd_per_month",
    "break_even_requests_per_month",
    "break_even_requests_per_s",
)
WAY: Final = fields(named("sites", lambda way: list(way.sites)), "ms_saved", "usd_per_month")
PLANNED: Final = fields(
    "name", "pool", "gpu_model", "gpus", named("hours", lambda row: hours_text(row.hours))
)
REGIONS_IN_ALL: Final = fields("unserved_users", "gpus", "usd_per_month")
OF_TERM: Final = fields(
    *of_part("row", "gpu_model", "precision", "tensor_parallel"),
    *of_part("offer", "offer_id", "term_months"),
    "gpus_peak",
    named("usd_per_month", "cost_per_month"),
)
BESIDE: Final = fields(*of_part("cost.row", "gpu_model", "precision", "tensor_parallel"), "why")
NOT_SIZED: Final[Document] = {"intake": {"files": []}, "model": None, "gpu_model": None, "rows": []}
"""Where a file can be read and is of no use."""


def _beside(beside: best_rows.Beside | None) -> Document | None:
    """A row that is not the advice, and why; null without one."""
    return None if beside is None else entry(BESIDE, beside)


def size_document(intake: Sequence[FileIntake], sized: endpoint_sizing.EndpointSizing) -> Document:
    """The document of `size`, but for its head.

    Memory in GB, times in ms, $ a month of 730 h; null where unknown.
    """
    best, model, load, costs = sized.best, sized.model, sized.load, sized.costs
    replayed, by_site = (None, None) if best is None else (sized.replay(best), sized.regional(best))
    api = None if best is None else sized.api(best)
    egress = None if by_site is None else by_site.egress
    return {
        "intake": intake_document(intake),
        "model": None if model is None else model.name,
        "gpu_model": None if best is None else best.row.gpu_model,
        "best": None if best is None else entry(ROW_ID, best),
        "runner_up": _beside(best_rows.runner_up(costs)),
        "nearest": _beside(best_rows.nearest_row(costs)),
        "cheapest_term": None if sized.cheaper is None else entry(OF_TERM, sized.cheaper),
        "measured": entries(MEASURED, sized.measured),
        "ratios": entries(RATIOS, sized.ratios),
        "api": None if api is None else entry(API, api),
        "shorter_ways": [entry(WAY, one) for one in sized.shorter_ways],
        "planned": []
        if best is None
        else [entry(PLANNED, planned) for planned in sized.planned(best, PLANNED_AS)],
        "regions": [] if by_site is None else [entry(REGION, region) for region in by_site.regions],
        "regions_in_all": None if by_site is None else entry(REGIONS_IN_ALL, by_site),
        "egress": None if egress is None else entry(EGRESS, egress),
        "autoscaling": None if replayed is None else entry(REPLAY, replayed),
        "rows": entries(SIZES, sized.every),
        "architecture": None
        if model is None
        else entry(ARCHITECTURE, _Architecture(model, kv_bytes_per_token(model, sized.terms.kv_bytes))),
        "load": entry(LOAD, load) | ({} if load.tokens_per_request else dict.fromkeys(TOKENS)),
        "terms": entry(TERMS, sized.terms),
    }


# --- The answer of `size`: a model and its traffic read and sized, and the rows as text ----------

LACKING: Final = "size needs {}; write --model FILE|NAME --traffic FILE, or --requests 40 --in 1200 --out 300"
OF_NO_USE: Final = ("missing_column", "bad_number")
"""Codes of a model or traffic that can be read and not be sized."""
REPLICAS_AT_MOST: Final = 1_000_000
MONTHS_AT_MOST: Final = 120


PLANNED_AS: Final = "inference, sized"
"""The name of planned work that holds what was sized."""


@dataclass(frozen=True, slots=True)
class Sized:
    """What one call sized, and the files behind it."""

    sizing: endpoint_sizing.EndpointSizing
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...]
    currency: Currency = DOLLARS


def sized(words: argparse.Namespace) -> Sized:
    """Read the model, the traffic and the prices, and size. Errors: UsageError; PlannerError.

    Prices of the call take the place of the project's.
    """
    typed = {name: text for name in TYPED if (text := getattr(words, name.replace("-", "_")))}
    needed = ([] if words.rate else ["model"]) + (["requests"] if typed else ["traffic"])
    lacking = [f"--{name}" for name in needed if not getattr(words, name)]
    if typed and words.traffic:
        raise UsageError(
            "--traffic states the requests: it goes without --requests, --in, --out; leave one out"
        )
    if words.rate and (words.model or words.measured):
        raise UsageError("--rate states the speed: it goes without --model and --measured; leave one out")
    if lacking:
        raise UsageError(LACKING.format(" and ".join(lacking)))
    from gpuplanner.files.lists.place_tables import import_places

    replicas = parse_whole(words.replicas, "--replicas", REPLICAS_AT_MOST)
    settings = parse_settings(words.set)
    path = project_path(words)
    project, currency = with_money(
        no_project() if path is None else open_project(path), words, in_dollars=words.json
    )
    assumptions = project.assumptions.with_values(in_money_of(project, settings))
    rates = parse_rates(words.rate)
    model, model_intake = (
        (None, None) if rates else served_models.read_model(words.model, read_served_models())
    )
    traffic, traffic_intake = (_typed(typed), None) if typed else read_load(words.traffic)
    prices = prices_of(words, project, assumptions)
    intake = [file for file in (model_intake, traffic_intake, *prices.intake) if file is not None]
    load = load_of(traffic, assumptions)
    assert load is not None  # a file without any request was refused
    read = import_places(
        words.users, words.sites, (), words.residency, mappings=maps_of_places(words), refuses_unread=True
    )
    places = read.in_money_of(project).over(project.places)
    measured = (
        []
        if model is None
        else [point for path in words.measured for point in serving_results.read_measured(path)]
    )
    known = (*read_served_models(), *(() if model is None else (model,)))
    sizing = sized_endpoints.size_choice(
        "",
        ServingChoice(
            model=model,
            term_months=parse_whole(words.term, "--term", MONTHS_AT_MOST) or serving_costs.BY_THE_HOUR,
            measured=tuple(measured),
            rates=tuple(sorted(rates.items())),
        ),
        load,
        assumptions,
        places,
        prices.offers,
        read_serving_tables(),
        models={point.model: served_models.model_named(point.model, known) for point in measured},
        replicas=replicas,
    )
    return Sized(sizing, (*intake, *read.intake), (*prices.refused, *read.refused), currency)


def _typed(texts: Mapping[str, str]) -> WeekRates:
    """Typed traffic. Errors: UsageError."""
    try:
        return typed_load(texts)
    except PlannerError as error:
        name = error.where if error.where in TYPED else "peak-share"
        raise UsageError(f"--{name}: {error.what}; {error.remedy}") from None


def _advised_line(sized: endpoint_sizing.EndpointSizing) -> str:
    """What costs least and at which terms, of the widest weights that do it."""
    best = sized.best
    if best is None:
        drawn = "" if sized.drawn is None else f"; what follows is of {_shape(sized.drawn)}"
        if best_rows.nearest_row(sized.costs) is not None:
            return f"Least cost none: nothing keeps the targets{drawn}"
        if not (terms := ", ".join(map(str, sized.offered_terms[1:]))):
            return f"Least cost unknown: give --prices{drawn}"
        reason = f"nothing that fits is offered so; by the hour and these terms are: {terms} months"
        return f"Least cost unknown: {reason}{drawn}"
    terms = "" if best.offer is None else f", {offer_terms(best.offer)} at ${best.rate:,.2f} per GPU-hour"
    narrow = any(
        (cost.cost_per_month or inf) < (best.cost_per_month or 0.0) and not cost.row.is_rewritten
        for cost in sized.costs
    )
    narrower = "; narrower weights cost less and are another model" if narrow else ""
    return f"Least cost: {_shape(best)}, ${dollars(best.cost_per_month)} per month{terms}{narrower}"


def _measured_lines(compared: Sequence[Compared]) -> list[str]:
    """A line a measurement, with the formula beside it."""
    return [
        one_line(
            f"Measured   {choice.measured.tensor_parallel} × {choice.measured.gpu_model}, "
            f"{choice.measured.precision}, {choice.measured.concurrency:,.4g} at once: "
            f"{choice.measured.tokens_per_s:,.4g} tokens/s; the formula says "
            f"{ENGLISH.number(choice.predicted_tokens_per_s)}"
        )
        for choice in compared
    ]


def _shape(cost: serving_costs.ServingCost) -> str:
    """4 × H100, BF16, 2 per replica."""
    row = cost.row
    return f"{cost.gpus_peak} × {row.gpu_model}, {row.precision}, {row.tensor_parallel} per replica"


def size_text(answer: Sized) -> str:
    """The configuration of least cost, why, and the first token in parts."""
    sized = answer.sizing
    drawn = () if sized.drawn is None else sentences_of(sized, sized.drawn)
    return "\n".join((one_line(_advised_line(sized)), *(one_line(str(words)) for words in drawn)))


def size_tables(answer: Sized) -> Tables:
    """What was sized, the rows that fit, what does not and why, and sites.

    GPU-hours and $ are whole, a month of 730 h.
    """
    sized = answer.sizing
    fits, misfits = ([cost for cost in sized.costs if bool(cost.row.fits) is does] for does in (True, False))
    regional = None if sized.best is None else sized.regional(sized.best)
    return (
        ("assumptions", lambda: _assumptions_text(sized)),
        ("measured", lambda: "\n".join(_measured_lines(sized.measured))),
        ("regions", lambda: titled(REGIONS, () if regional is None else regional.regions)),
        ("ratios", lambda: titled(RATIOS, sized.ratios)),
        ("rows", lambda: "\n" + report_text(SIZES, fits)),
        ("misfits", lambda: report_text(NOT_FITTING, misfits) if misfits else ""),
    )


def _assumptions_text(sized: endpoint_sizing.EndpointSizing) -> str:
    """The model, the traffic and what is assumed."""
    model, load, terms = sized.model, sized.load, sized.terms
    assumed = "" if load.are_tokens_known else ", as assumed: the traffic does not say"
    tokens = f"; a request: {load.context_tokens:,.0f} tokens read, {load.generated_tokens:,.0f} generated{assumed}"
    tokens = tokens if load.tokens_per_request else ""
    warning = [one_line(f"Warning    {load.warning}")] if load.warning else []
    lines = [
        "Model      none: requests a second of a GPU are stated"
        if model is None
        else f"Model      {one_line(model.name)}: {model.parameters / 1e9:,.4g} billion parameters "
        f"in {model.weights or 'BF16'}, {kv_bytes_per_token(model, terms.kv_bytes) / 1e3:,.4g} kB of KV cache a token",
        f"Traffic    peak {load.peak_requests_per_s:,.4g} requests/s, {load.requests_per_month:,.0f} per month{tokens}",
        *warning,
        f"Assumed    {percent(terms.headroom)} of a replica used, {percent(terms.usable_memory)} of memory usable, "
        f"{terms.way_ms:,.4g} ms of way to the users and back",
    ]
    return "\n".join(lines)


# --- Measured points, each predicted ---------------------------------------------------------------

POINT: Final = fields("tokens_per_s", "tpot_ms", "prefill_ms", "low", "high", "note")


def points_of(path: str) -> list[Document]:
    """One entry a row of the file, by its line. Errors: PlannerError."""
    models, tables = read_served_models(), read_serving_tables()
    points = []
    for row, point, fault in serving_results.read_points(path):
        if point is None:
            speed = PointSpeed(note=fault)
        else:
            speed = point_speed(point, served_models.model_named(point.model, models), tables)
        points.append({"row": row} | entry(POINT, speed) | {"note": str(speed.note) or None})
    return points


def points_text(points: Sequence[Document]) -> str:
    """A line a point: tokens a second with their band, time per token, prefill, and what is to be said of it."""
    names = ("tokens_per_s", "low", "high", "tpot_ms", "prefill_ms")
    rows = [
        (point["row"], *(ENGLISH.number(point[name], 1) for name in names), point["note"] or "")
        for point in points
    ]
    return table(("Row", "Tokens/s", "Low", "High", "Time per token, ms", "Prefill, ms", "Note"), rows)
