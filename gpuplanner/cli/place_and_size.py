"""The commands place and size: services read and sized, their answers as JSON and as text."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from gpuplanner.cli.arguments import PROJECT_SUFFIX
from gpuplanner.cli.documents.audit import check_entries
from gpuplanner.cli.documents.head import Document, intake_document
from gpuplanner.cli.inputs import project_path
from gpuplanner.cli.option_values import UsageError, parse_rates, parse_settings
from gpuplanner.cli.project_words import in_money_of, no_project, with_money
from gpuplanner.cli.tables import dollars, percent, report_text
from gpuplanner.domain.audit.log_checks import place_checks
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.fit.endpoint_sizing import (
    BY_THE_HOUR,
    Beside,
    ServingCost,
    best_row,
    cost_rows,
    nearest_row,
    regions_of,
    runner_up,
    way_of,
)
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, counted_rows
from gpuplanner.domain.model.book.offer import owned_at
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import NO_PLACES, Places, ServedModel
from gpuplanner.domain.reports.report import each, entries, entry, fields, named, of_part
from gpuplanner.domain.reports.serving import (
    CITIES,
    NOT_FITTING,
    REGIONS,
    SITE_SETS,
    SIZES,
    offer_terms,
    sets_and_cheapest,
)
from gpuplanner.domain.serving.autoscaling import replay_row
from gpuplanner.domain.serving.placement import (
    CurrentPlacement,
    Placement,
    SiteSet,
    forbidden_countries,
    placement_of,
)
from gpuplanner.domain.serving.points import Compared, RowId, compared, corrections
from gpuplanner.domain.serving.regions import Regional
from gpuplanner.domain.serving.replica import kv_bytes_per_token
from gpuplanner.domain.serving.sizing import (
    Correction,
    Load,
    ServingTables,
    ServingTerms,
    load_of,
    rated_rows,
    serving_gpus,
    size_rows,
    terms_of,
)
from gpuplanner.domain.serving.transit import Egress, Leg, Service, egress_of, tokens_per_month
from gpuplanner.files.importing.intake import import_prices
from gpuplanner.files.lists.served_models import model_named, read_model
from gpuplanner.files.lists.serving_results import read_measured
from gpuplanner.files.lists.traffic_tables import read_load
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.process import one_line
from gpuplanner.files.system.resources import read_served_models, read_serving_tables

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
    "gap",
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
    named("bandwidth_share", lambda _: None),  # of the rule before this one
    named("compute_share", lambda _: None),
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
)
MEASURED: Final = fields(
    *of_part("measured.point", "model", "gpu_model", "precision", "tensor_parallel", "concurrency"),
    named("tokens_per_s", "measured.tokens_per_s"),
    "predicted_tokens_per_s",
    "ratio",
    named("source", "measured.source"),
)
REGIONS_IN_ALL: Final = fields("unserved_users", "gpus", "usd_per_month")
BESIDE: Final = fields(*of_part("cost.row", "gpu_model", "precision", "tensor_parallel"), "why")
NOT_SIZED: Final[Document] = {"intake": {"files": []}, "model": None, "gpu_model": None, "rows": []}
"""Where a file can be read and is of no use."""


def _beside(found: Beside | None) -> Document | None:
    """A row that is not the advice, and why; null without one."""
    return None if found is None else entry(BESIDE, found)


def size_document(
    intake: Sequence[FileIntake],
    model: ServedModel | None,
    load: Load,
    terms: ServingTerms,
    costs: Sequence[ServingCost],
    by_site: Regional | None = None,
    measured: Sequence[Compared] = (),
) -> Document:
    """The document of `size`, but for its head. costs: every row that was sized, in their order; by_site: the best.

    Memory in GB, times in ms, $ a month of 730 h; null where unknown.
    """
    best = best_row(costs)
    replayed = None if best is None else replay_row(load, best.row, terms)
    return {
        "intake": intake_document(intake),
        "model": None if model is None else model.name,
        "gpu_model": None if best is None else best.row.gpu_model,
        "best": None if best is None else entry(ROW_ID, best),
        "runner_up": _beside(runner_up(costs)),
        "nearest": _beside(nearest_row(costs)),
        "measured": [entry(MEASURED, one) for one in measured],
        "regions": [] if by_site is None else [entry(REGION, one) for one in by_site.regions],
        "regions_in_all": None if by_site is None else entry(REGIONS_IN_ALL, by_site),
        "autoscaling": None if replayed is None else entry(REPLAY, replayed),
        "rows": entries(SIZES, costs),
        "architecture": None
        if model is None
        else entry(ARCHITECTURE, _Architecture(model, kv_bytes_per_token(model, terms.kv_bytes))),
        "load": entry(LOAD, load),
        "terms": entry(TERMS, terms),
    }


# --- The answer of `place`: users and sites read, and what they come to as text ------------------

NO_PLACES_WHY: Final = (
    "there are no users or no sites; give --users FILE and --sites FILE with at least one row"
)


@dataclass(frozen=True, slots=True)
class PlacesLoaded:
    """What a call is about: places, the assumptions in force, tokens that files of traffic say, validation of rows.

    tokens_read: a month; None where no traffic was read. refused: files that could not be read.
    """

    places: Places
    assumptions: Assumptions
    tokens_read: float | None
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...]
    currency: Currency = DOLLARS


def load_places(words: argparse.Namespace) -> PlacesLoaded:
    """Read the files of a call, in place of those of a project where one is given. Errors: UsageError; PlannerError.

    A kind of file that the call gives takes the place of the project's of that kind.
    """
    from gpuplanner.files.lists.place_tables import import_places

    intake: tuple[FileIntake, ...] = ()
    project, tokens = no_project(), None
    if words.project:
        if not words.project.lower().endswith(PROJECT_SUFFIX):
            raise UsageError(
                f"{words.project!r} is not a {PROJECT_SUFFIX} file; name files with --users, --sites"
            )
        from gpuplanner.files.project.project_file import open_project

        project = open_project(Path(words.project))
        tokens = tokens_per_month(project.traffic.values())
        replaced = {kind for kind in ("users", "sites", "measured", "residency") if getattr(words, kind)}
        kinds = {"users", "sites", "measured", "residency"} - replaced
        intake = tuple(file for file in project.intake if file.kind in kinds)
    elif not (words.users and words.sites):
        raise UsageError(f"place needs --users FILE and --sites FILE, or a {PROJECT_SUFFIX} file")
    read = import_places(words.users, words.sites, words.measured, words.residency)
    project, currency = with_money(project, words, in_dollars=words.json)
    assumptions = project.assumptions.with_values(in_money_of(project, parse_settings(words.set)))
    places = read.in_money_of(project).over(project.places)
    return PlacesLoaded(places, assumptions, tokens, (*intake, *read.intake), read.refused, currency)


def place_text(loaded: PlacesLoaded) -> str:
    """The headline, the cities, the proposals, egress and what there is to say.

    At most as many cities as the terminal lists.
    """
    placement = placement_of(loaded.places)
    today, current = placement.today, placement.today.current
    top = [leg for leg in current.service.legs if leg.is_top]
    parts = [
        headline(placement),
        f"\nTop cities ({percent(today.covered_share)} of users)\n{report_text(CITIES, top)}" if top else "",
        f"\n{SITE_SETS.title}\n{report_text(SITE_SETS, sets_and_cheapest(placement))}",
        "\n" + one_line(egress_line(egress_of(loaded.assumptions, loaded.tokens_read))),
        *(one_line(f"  {note}") for note in placement.notes),
    ]
    return "\n".join(part for part in parts if part)


def headline(placement: Placement) -> str:
    """Top 80% of users: 86.4 ms one way, 172.8 ms round trip. Over 80 ms.

    What is over 80 ms by less than a tenth is written with as many places as show it.
    """
    current = placement.today.current
    if current.mean_one_way_ms is None or current.round_trip_ms is None:
        return "Top 80% of users: the way is not known."
    flag = "Over 80 ms." if current.service.is_over_80 else "Not over 80 ms."
    return (
        f"Top 80% of users: {ENGLISH.way_ms(current.mean_one_way_ms)} ms one way, "
        f"{ENGLISH.way_ms(current.round_trip_ms)} ms round trip. {flag}{_way_80_text(current.service)}"
    )


def _way_80_text(service: Service) -> str:
    """The way that is no longer for 80% of all users."""
    if service.way_80_ms is None:
        return " Fewer than 80% of users are served."
    over = ", over 80 ms" if service.is_way_80_over else ""
    return f" 80% of users within {ENGLISH.way_ms(service.way_80_ms)} ms{over}."


def egress_line(egress: Egress) -> str:
    """Egress a month, and the sentence about text and media.

    A dash where neither text nor media was stated.
    """
    amount = ENGLISH.number(egress.usd, 2)
    return f"Egress, $ per month: {amount}. {egress.sentence}"


def nothing_to_place(files: Sequence[FileIntake]) -> str:
    """Why there is no answer.

    files: those that were read; none: the project has no places.
    """
    return (
        NO_PLACES_WHY
        if files
        else "the project has no users and sites; import them, or give --users and --sites"
    )


# --- The answer of `size`: a model and its traffic read and sized, and the rows as text ----------

LACKING: Final = "size needs {}; write --model FILE|NAME --traffic FILE [--prices FILE]"
OF_NO_USE: Final = ("missing_column", "bad_number")
"""Codes of a model or traffic that can be read and not be sized."""
REPLICAS_AT_MOST: Final = 1_000_000
MONTHS_AT_MOST: Final = 120


@dataclass(frozen=True, slots=True)
class Sized:
    """What one call sized, and the files behind it.

    model: None where the call states rates. costs: every GPU model, precision and GPUs a replica, in their order.
    """

    model: ServedModel | None
    load: Load
    terms: ServingTerms
    costs: tuple[ServingCost, ...]
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...]
    currency: Currency = DOLLARS
    places: Places = NO_PLACES
    egress_usd_per_gb: float = 0.0
    measured: tuple[Compared, ...] = ()

    @property
    def by_site(self) -> Regional | None:
        """The advised row by the sites of today; None without one, or without users and sites."""
        best = self.best
        if best is None:
            return None
        return regions_of(self.places, self.load, best, self.terms, self.egress_usd_per_gb)

    @property
    def best(self) -> ServingCost | None:
        """The row of least $ a month.

        None where no row has a price.
        """
        return best_row(self.costs)


def sized(words: argparse.Namespace) -> Sized:
    """Read the model, the traffic and the prices, and size. Errors: UsageError; PlannerError.

    Prices of the call take the place of the project's.
    """
    needed = ("traffic",) if words.rate else ("model", "traffic")
    lacking = [f"--{name}" for name in needed if not getattr(words, name)]
    if lacking:
        raise UsageError(LACKING.format(" and ".join(lacking)))
    from gpuplanner.files.lists.place_tables import import_places

    replicas = _whole(words.replicas, "--replicas", REPLICAS_AT_MOST)
    settings = parse_settings(words.set)
    path = project_path(words)
    project, currency = with_money(
        no_project() if path is None else open_project(path), words, in_dollars=words.json
    )
    assumptions = project.assumptions.with_values(in_money_of(project, settings))
    rates = parse_rates(words.rate)
    model, model_intake = (None, None) if rates else read_model(words.model, read_served_models())
    traffic, traffic_intake = read_load(words.traffic)
    prices = import_prices([one for one in words.prices if not one.casefold().endswith(".gpuplan")])
    offers = counted_rows(prices.offers, project.currency, project.exchange)
    offers = owned_at(offers, assumptions.wacc, assumptions.pue)
    intake = [one for one in (model_intake, traffic_intake, *prices.intake) if one is not None]
    if path is not None and not prices.intake:
        offers = project.offers
        intake += [one for one in project.intake if one.kind == "prices"]
    load = load_of(traffic, assumptions)
    assert load is not None  # a file without any request was refused
    read = import_places(words.users, words.sites, (), words.residency)
    places = read.in_money_of(project).over(project.places)
    terms = terms_of(assumptions, way_of(places))
    tables = read_serving_tables()
    gpus = serving_gpus(tables, offers)
    found: tuple[Compared, ...] = ()
    own: Mapping[RowId, Correction] = {}
    if model is not None and words.measured:
        found, own = _own_measurements(words.measured, model, tables)
    rows = (
        rated_rows(load, rates, terms)
        if model is None
        else size_rows(model, load, gpus, terms, tables.calibration, replicas=replicas, corrections=own)
    )
    costs = cost_rows(rows, load, offers, _whole(words.term, "--term", MONTHS_AT_MOST) or BY_THE_HOUR)
    refused = (*prices.refused, *read.refused)
    return Sized(
        model,
        load,
        terms,
        costs,
        (*intake, *read.intake),
        refused,
        currency,
        places,
        assumptions.egress_usd_per_gb,
        found,
    )


def _own_measurements(
    paths: Sequence[str], model: ServedModel, tables: ServingTables
) -> tuple[tuple[Compared, ...], Mapping[RowId, Correction]]:
    """Measurements of files beside the formula, and what they make of it for the model that is sized."""
    measured = [one for path in paths for one in read_measured(path)]
    known = (*read_served_models(), model)
    models = {one.point.model: model_named(one.point.model, known) for one in measured}
    found = compared(measured, models, tables)
    return found, corrections(found, model, models, tables)


def _whole(text: str | None, option: str, most: int) -> int | None:
    """None where the call says none. Errors: UsageError."""
    if text is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise UsageError(f"{option} {text!r} is not a whole number; write 1 to {most:,}")
    return int(text)


def _advice_lines(costs: Sequence[ServingCost]) -> list[str]:
    """What is advised and at which terms, the runner-up and why it lost; else what comes nearest."""
    best, second, nearest = best_row(costs), runner_up(costs), nearest_row(costs)
    if best is None:
        return [
            "Least cost unknown: give --prices"
            if nearest is None
            else f"Least cost none keeps the targets; nearest is {_shape(nearest.cost)}: {nearest.why}"
        ]
    terms = "" if best.offer is None else f", {offer_terms(best.offer)} at ${best.rate:,.4g} a GPU-hour"
    lines = [f"Least cost {_shape(best)}, ${dollars(best.cost_per_month)} per month{terms}"]
    row = best.row
    if row.ttft_ms:
        lines.append(
            f"{SIZING['ttft_ms'].title} {row.ttft_ms:,.1f} ms: {row.way_ms:,.1f} of way, {row.wait_ms:,.1f} of queue, "
            f"{row.prefill_ms:,.1f} of prefill; no GPU shortens {percent(row.way_share or 0)} of it"
        )
    return [*lines, *([] if second is None else [f"Runner-up  {_shape(second.cost)}: {second.why}"])]


def _replay_lines(answer: Sized) -> list[str]:
    """Flat, as an autoscaler follows, and perfect, of the advised row."""
    best = answer.best
    replayed = None if best is None else replay_row(answer.load, best.row, answer.terms)
    if replayed is None:
        return []
    return [
        f"{titles.REPLICAS}   {replayed.replicas_flat} flat, {replayed.replicas_mean:,.1f} as an autoscaler follows "
        f"with {percent(replayed.missed_share)} of requests waiting too long, {replayed.replicas_perfect:,.1f} perfect"
    ]


def _measured_lines(found: Sequence[Compared]) -> list[str]:
    """A line a measurement, with the formula beside it."""
    return [
        one_line(
            f"Measured   {one.measured.point.tensor_parallel} x {one.measured.point.gpu_model}, "
            f"{one.measured.point.precision}, {one.measured.point.concurrency:,.4g} at once: "
            f"{one.measured.tokens_per_s:,.4g} tokens/s; the formula says {ENGLISH.number(one.predicted_tokens_per_s)}"
        )
        for one in found
    ]


def _region_lines(found: Regional | None) -> list[str]:
    """The table by site, and what spare replicas come to."""
    if found is None:
        return []
    said = ", ".join(
        f"{found.gpus[way]} GPUs{'' if usd is None else f' (${dollars(usd)} per month)'} {words}"
        for way, words in (("none", "without spare replicas"), ("each", "with one at each site"),
                           ("over_sites", "with one over all sites"))
        for usd in (found.usd_per_month[way],)
    )  # fmt: skip
    return ["", str(REGIONS.title), report_text(REGIONS, found.regions), f"  In all {said}."]


def _shape(cost: ServingCost) -> str:
    """4 x H100, BF16, 2 a replica."""
    row = cost.row
    return f"{cost.gpus_peak} x {row.gpu_model}, {row.precision}, {row.tensor_parallel} a replica"


def size_text(answer: Sized) -> str:
    """What was sized, the rows that fit, and in a line each what does not and why.

    GPU-hours and $ are whole, a month of 730 h.
    """
    model, load, terms = answer.model, answer.load, answer.terms
    tokens = f"{load.context_tokens:,.0f} tokens read, {load.generated_tokens:,.0f} generated"
    said = "" if load.are_tokens_known else ", as assumed: the traffic does not say"
    warning = [one_line(f"Warning    {load.warning}")] if load.warning else []
    lines = [
        "Model      none: requests a second of a GPU are stated"
        if model is None
        else f"Model      {one_line(model.name)}: {model.parameters / 1e9:,.4g} billion parameters, "
        f"{kv_bytes_per_token(model, terms.kv_bytes) / 1e3:,.4g} kB of KV cache a token",
        f"Traffic    peak {load.peak_requests_per_s:,.4g} requests/s, {load.requests_per_month:,.0f} per month; "
        f"a request: {tokens}{said}",
        *warning,
        f"Assumed    {percent(terms.headroom)} of a replica used, {percent(terms.usable_memory)} of memory usable, "
        f"{terms.way_ms:,.4g} ms of way to the users and back",
        *(one_line(line) for line in _advice_lines(answer.costs)),
        *_replay_lines(answer),
        *_measured_lines(answer.measured),
        *_region_lines(answer.by_site),
        "",
        report_text(SIZES, [cost for cost in answer.costs if cost.row.fits]),
    ]
    others = [cost for cost in answer.costs if not cost.row.fits]
    if others:
        lines += ["", report_text(NOT_FITTING, others)]
    noted = {str(cost.row.why) for cost in answer.costs if cost.row.fits and cost.row.why}
    return "\n".join([*lines, *(one_line("  " + why[0].upper() + why[1:] + ".") for why in sorted(noted))])
