"""Reports of serving: sizing of inference by GPU model, and placement by sets of sites."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.serving import SITE_SET, SIZING, WAY
from gpuplanner.domain.figures.typed import decimals, significant, whole
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.fit_rows import FitRow
from gpuplanner.domain.fit.provisioned import PROVISIONED
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.message import Text, capital, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.hardware_needs import NEED_BY_NAME
from gpuplanner.domain.model.window import DAYS
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.report import Column, Report, named, of_part, of_subject, text
from gpuplanner.domain.serving import ratios, regions, transit
from gpuplanner.domain.serving.placement import Placement, SiteSet
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Hardware that fits: workloads beside what they need; endpoints that are sized, on which GPUs and at what cost

LISTED: Final = report.TERMINAL | report.DOCUMENT_ALONE
READ: Final = LISTED | report.WINDOW
EVERY_ROW: Final = LISTED | report.SHEET
EVERYWHERE: Final = report.TERMINAL | report.SHEET | report.WINDOW
READ_AND_LISTED: Final = EVERYWHERE | report.DOCUMENT_ALONE


def _rate_terms(cost: ServingCost) -> Text | None:
    """Under which terms the rate can be had; None without an offer."""
    return None if cost.offer is None else offer_terms(cost.offer)


def offer_terms(offer: Offer) -> Text:
    """By the hour, or for how long; how long it takes to come, and what is paid upfront, where there is any of it."""
    term = worded("on demand")
    if offer.term_months:
        term = term_words(offer.term_months, offer.term_days)
    parts: list[Text] = [term]
    if offer.lead_time_hours:
        parts.append(worded("there in {hours} h", hours=whole(offer.lead_time_hours)))
    if offer.upfront:
        parts.append(worded("{usd} upfront a GPU", usd=whole(offer.upfront)))
    return joined(parts, ", ")


def _meets(cost: ServingCost) -> Text | None:
    """None where there is no target, or nobody knows."""
    return None if cost.row.meets_target is None else _yes(cost.row.meets_target)


def _first_token(cost: ServingCost) -> float | Text | None:
    """In ms; a word where the queue never settles."""
    return worded("unstable") if cost.row.is_unstable else cost.row.ttft_ms


def _sized(key: str, media: report.Media) -> Column:
    """A figure of the sized row."""
    return Column(figure=SIZING[key], media=media, value=f"row.{key}")


def _fits(cost: ServingCost) -> Text | None:
    """None where nobody knows."""
    return None if cost.row.fits is None else _yes(cost.row.fits)


def _yes(holds: bool) -> Text:
    return worded("yes") if holds else worded("no")


SIZES: Final = Report(title=worded("Sizes"), key=attrgetter("row.key")).with_columns(
    text("gpu_model", worded("GPU model"), "row.gpu_model", media=EVERY_ROW),
    text("replica", worded("A replica on"), media=report.WINDOW, form="name"),
    text("precision", worded("Precision"), "row.precision", media=EVERY_ROW),
    _sized("tensor_parallel", EVERY_ROW),
    text("fits", worded("Fits"), _fits, media=report.SHEET),
    named("fits", "row.fits"),
    _sized("memory_gb", EVERY_ROW),
    *(
        text(key, title, f"row.{key}", media=media)
        for key, title, media in (
            ("concurrency", worded("Requests at once"), report.SHEET | report.TERMINAL),
            ("requests_per_s", worded("Requests/s per replica"), report.SHEET),
            ("low", worded("Measured over predicted, P10"), report.SHEET),
            ("high", worded("Measured over predicted, P90"), report.SHEET),
        )
    ),
    _sized("replicas_peak", EVERY_ROW),
    Column(figure=SIZING["gpus_peak"], media=READ | report.SHEET),
    Column(figure=SIZING["ttft_ms"], media=report.WINDOW | report.SHEET, value=_first_token),
    Column(
        figure=SIZING["tpot_ms"], media=report.WINDOW | report.SHEET | report.TERMINAL, value="row.tpot_ms"
    ),
    text("meets", worded("Meets targets"), _meets, media=report.SHEET | report.TERMINAL),
    text("offer_id", worded("Offer"), "offer.offer_id", media=report.SHEET),
    text("rate_terms", worded("Rate terms"), _rate_terms, media=report.SHEET | report.TERMINAL),
    Column(figure=SIZING["cost_per_month"], media=report.WINDOW | report.SHEET),
    Column(figure=SIZING["gpu_hours_per_month_flat"], media=EVERY_ROW),
    _sized("gpu_hours_per_month_autoscaled", EVERY_ROW),
    _sized("ttft_ms", report.DOCUMENT_ALONE),
    Column(figure=SIZING["ttft_ms"], media=report.TERMINAL, value=_first_token),
    Column(figure=SIZING["cost_per_month"], media=LISTED),
    *of_subject(SIZING, "peak_provisioning_gpu_hours", "peak_provisioning_per_month", media=report.SHEET),
    Column(figure=SIZING["cost_per_million_tokens"], media=EVERY_ROW),
    Column(figure=SIZING["peak_provisioning_per_month"], media=report.TERMINAL),
    text("note", worded("Note"), "row.why", media=report.TERMINAL | report.SHEET),
    Column(figure=SIZING["rate"], media=report.SHEET),
    named("weights_gb", "row.weights_gb"),
    named("usable_memory_gb", "row.usable_gb"),
    named("concurrency", "row.concurrency"),
    named("requests_per_s_per_replica", "row.requests_per_s"),
    *of_part("row", "decode_tokens_per_s", "busy_at_peak", "way_ms", "wait_ms", "prefill_ms", "is_unstable"),
    named("is_bound", lambda _: False),  # of the rule before this one: nothing is a bound any more
    *of_part("row", "tpot_ms", "tpot_p95_ms", "ttft_p50_ms", "ttft_p95_ms", "meets_target"),
    *of_part("row", "low", "high", "way_share"),
    named("replicas_spare", "row.replicas_spare"),
    named("hosting", lambda cost: PROVISIONED if cost.row.precision == PROVISIONED else "gpus"),
    named("break_even_requests_per_month", "api_from"),
    named("hosting_from_requests_per_month", "hosting_from"),
    named("why", "row.why"),
    *of_part("offer", "offer_id", "term_months", "lead_time_hours"),
    named("upfront_usd", "upfront"),
    Column(figure=SIZING["rate"], media=report.DOCUMENT_ALONE),
    named("on_demand_offer_id", "on_demand.offer_id"),
    *of_subject(SIZING, "autoscaled_per_month", "peak_provisioning_gpu_hours", "peak_provisioning_per_month"),
)
"""About sized rows with their $; the terminal is asked about those that fit."""

NOT_FITTING: Final = Report(
    title=worded("Does not fit"), key=attrgetter("row.key"), media=report.TERMINAL
).with_columns(
    text("gpu_model", worded("Does not fit"), "row.gpu_model"),
    text("precision", worded("Precision"), "row.precision"),
    text("tensor_parallel", SIZING["tensor_parallel"].title, "row.tensor_parallel"),
    text("why", worded("Why"), "row.why"),
)
"""About sized rows that do not fit, or of which nobody knows it."""

PRECISION_SIZES: Final = Report(
    title=worded("Precisions"), key=attrgetter("row.key"), media=report.WINDOW
).with_columns(
    text("precision", worded("Precision"), "row.precision", form="name"),
    _sized("memory_gb", report.WINDOW),
    *of_subject(SIZING, "gpus_peak", "cost_per_month", "cost_per_million_tokens", media=report.WINDOW),
)
"""About one GPU model and number of GPUs a replica, in every precision."""


# ---------------------------------------------------------------- endpoints, and the hours of their requests


@dataclass(frozen=True, slots=True)
class NamedSizing:
    """What is sized for an endpoint, with its name."""

    name: Text
    sizing: EndpointSizing


def _drawn(key: str) -> Column:
    """A figure of the row that an endpoint is sized on; None where it fits nowhere."""

    return Column(figure=SIZING[key], value=_of_drawn(SIZES.column(key).of))


def _of_drawn(value: Callable[[ServingCost], Any]) -> Callable[[NamedSizing], Any]:
    """A column's value from the row that an endpoint is sized on; None where it fits nowhere."""
    return lambda row: None if row.sizing.drawn is None else value(row.sizing.drawn)


def _replayed(name: str) -> Callable[[NamedSizing], float | None]:
    """A column's value from the replayed autoscaler of the row that an endpoint is sized on."""

    def value(row: NamedSizing) -> float | None:
        drawn = row.sizing.drawn
        replay = None if drawn is None else row.sizing.replay(drawn)
        return None if replay is None else float(getattr(replay, name))

    return value


def _sized_on(row: NamedSizing) -> Text:
    drawn = row.sizing.drawn
    return worded("fits nowhere") if drawn is None else drawn.row.shape


def model_words(sizing: EndpointSizing) -> Text:
    """The name of the model; of none what is stated in its place."""
    if sizing.model is not None:
        return sizing.model.name
    return worded("none: enter requests per second per GPU")


ENDPOINTS: Final = Report(
    title=worded("Endpoints"), key=attrgetter("sizing.key"), media=report.SHEET
).with_columns(
    text("name", worded("Endpoint"), form="name"),
    text("sized_on", worded("Sized on"), _sized_on),
    _drawn("gpus_peak"),
    _drawn("gpu_hours_per_month_flat"),
    _drawn("gpu_hours_per_month_autoscaled"),
    _drawn("cost_per_month"),
    text("rate_terms", worded("Rate terms"), _of_drawn(_rate_terms)),
    _drawn("peak_provisioning_per_month"),
    _drawn("cost_per_million_tokens"),
    *(
        text(key, title, _replayed(key))
        for key, title in (
            ("replicas_mean", worded("Autoscaled replicas, mean")),
            ("replicas_perfect", worded("Replicas, perfect")),
            ("missed_share", worded("Late requests")),
        )
    ),
    text("model", worded("Model"), lambda row: model_words(row.sizing)),
    Column(figure=SIZING["tokens_per_month"], value=lambda row: row.sizing.load.tokens_per_month or None),
    text("peak", worded("Peak, requests/s"), "sizing.load.peak_requests_per_s"),
    text("source", worded("Requests from"), "sizing.load.source", form="aside"),
    text("key", worded("Key"), "sizing.key", form="aside"),
)
"""About endpoints, each on the row that the planner chose, else on that of least cost."""
IN_SHORT: Final = (
    *("name", "sized_on", "gpus_peak", "cost_per_month", "rate_terms", "peak_provisioning_per_month"),
    "cost_per_million_tokens",
)
ENDPOINTS_IN_SHORT: Final = replace(
    ENDPOINTS, columns=tuple(map(ENDPOINTS.column, IN_SHORT)), media=report.BRIEF
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HourHeld:
    """An hour of an endpoint's load, and the GPUs held in it: flat, and by a perfect autoscaler (None: not known)."""

    name: Text
    week_hour: int
    requests_per_s: float
    seconds: float
    flat: int | None
    autoscaled: int | None


def hours_held(row: NamedSizing) -> tuple[HourHeld, ...]:
    """Every hour of an endpoint's load, on the row that it is sized on."""
    drawn, load = row.sizing.drawn, row.sizing.load
    replicas = None if drawn is None else row.sizing.replicas_by_hour(drawn)
    return tuple(
        HourHeld(
            name=row.name,
            week_hour=hour.week_hour,
            requests_per_s=hour.requests_per_s,
            seconds=hour.seconds,
            flat=None if drawn is None else drawn.gpus_peak,
            autoscaled=None
            if drawn is None or replicas is None
            else replicas[place] * drawn.row.tensor_parallel,
        )
        for place, hour in enumerate(load.hours)
    )


HOURS_HELD: Final = Report(
    title=worded("Requests per hour, and allocated GPUs"),
    key=lambda row: str(row.week_hour),
    media=report.SHEET,
).with_columns(
    text("name", worded("Endpoint"), form="name"),
    text(
        "hour",
        worded("Hour, UTC"),
        lambda row: joined((DAYS[row.week_hour // 24], f"{row.week_hour % 24}:00"), " "),
    ),
    text("requests_per_s", worded("Requests/s")),
    text("hours", worded("Hours known"), lambda row: row.seconds / 3600),
    text("flat", worded("Sized for peak, GPUs")),
    text("autoscaled", worded("Autoscaled, GPUs")),
)
"""About the hours of endpoints."""


def build_rounded_column(
    key: str,
    title: Text,
    places: int,
    media: report.Media = EVERYWHERE,
    unit: writing.Unit | None = None,
    **more: Any,
) -> Column:
    """A column as it is read; None stays None. unit: of a figure; more: what else is said of it."""

    def value(row: Any) -> float | None:
        """To so many places."""
        number: float | None = getattr(row, key)
        return None if number is None else round(number, places or None)

    if unit is None:
        return text(key, title, value, media=media)
    return Column(figure=Figure(key=key, title=title, unit=unit, **more), media=media, value=value)


def describe_replicas(row: regions.ServingRegion) -> Text:
    return worded(
        "{replicas} and {spare} spare, for a peak of {peak} requests/s",
        replicas=worded_count(row.replicas, "{count} replica", "{count} replicas", count=whole(row.replicas)),
        spare=whole(row.spare),
        peak=significant(row.peak_requests_per_s, 3),
    )


REGIONS: Final = Report(title=worded("By site"), key=attrgetter("site_id")).with_columns(
    text("site_id", worded("Served from"), media=EVERYWHERE, form="name"),
    Column(figure=replace(WAY["users"], why=""), media=EVERYWHERE),
    build_rounded_column(
        "peak_requests_per_s", worded("Peak, requests per second"), 2, report.TERMINAL | report.SHEET
    ),
    text("replicas", worded("Replicas asked for"), media=report.TERMINAL | report.SHEET),
    text("spare", worded("Spare"), media=report.TERMINAL | report.SHEET),
    Column(
        figure=Figure(key="gpus", title=worded("GPUs held"), unit=writing.COUNT),
        media=EVERYWHERE,
        tip=describe_replicas,
    ),
    build_rounded_column("ms_p50", worded("P50"), 1, unit=writing.MILLISECONDS),
    build_rounded_column("ms_p80", worded("P80"), 1, unit=writing.MILLISECONDS),
    build_rounded_column("usd_per_month", worded("GPUs"), 2, unit=writing.MONEY_PER_MONTH),
    build_rounded_column(
        "egress_usd_per_month", worded("Egress text, $ per month"), 2, report.TERMINAL | report.SHEET
    ),
    text("near_gb", worded("Within the country, GB"), media=report.SHEET),
    text("far_gb", worded("Abroad, GB"), media=report.SHEET),
)
"""About the sites of today, each with what serves its users."""


def _instead(at: int) -> Callable[[ratios.SpeedRatio], float | None]:
    """GPUs in place of those that are held: P10, the middle or P90; None where nobody knows."""
    return lambda ratio: ratio.instead[at]


def describe_instead(row: ratios.SpeedRatio) -> Text:
    least, _, most = row.instead
    if row.gpus is None or least is None or most is None:
        return ""
    return worded(
        "{least} to {most} instead of {gpus} {against}",
        least=decimals(least),
        most=decimals(most),
        gpus=decimals(row.gpus),
        against=row.against,
    )


def _of_ratio(key: str, title: Text, places: int, unit: writing.Unit = writing.TIMES) -> Column:
    """A figure that answers Why."""
    return build_rounded_column(key, title, places, unit=unit, why="size_ratio", why_scope=key)


RATIOS: Final = Report(
    title=worded("Other GPUs for the same work"), key=attrgetter("gpu_model")
).with_columns(
    text("gpu_model", worded("GPU model"), form="name", media=READ_AND_LISTED, tip=attrgetter("source")),
    _of_ratio("ratio", worded("Ratio"), 3),
    _of_ratio("low", worded("P10"), 3),
    _of_ratio("high", worded("P90"), 3),
    text("against", worded("Of these"), media=LISTED | report.SHEET),
    replace(
        _of_ratio("instead", worded("Instead"), 1, replace(writing.GPUS, key="decimal")),
        value=_instead(1),
        tip=describe_instead,
    ),
    _of_ratio("usd_per_month", titles.COST, 0, writing.MONEY_PER_MONTH),
    text("source", worded("Stands on"), media=LISTED | report.SHEET),
    *map(named, ("precision", "tpot_ms", "ratio", "low", "high")),
    *(named(f"gpus_instead{end}", _instead(at)) for at, end in ((1, ""), (0, "_low"), (2, "_high"))),
    named("usd_per_month_instead", "usd_per_month"),
    named("map_model", lambda row: f"{row.against}={row.gpu_model}:{row.ratio:.3g}"),
)
"""About GPU models against that of the drawn row, at its time between two tokens."""


MEASURED: Final = Report(
    title=worded("Measured, against the formula"),
    key=attrgetter("measured.source"),
    columns=tuple(
        text(of.rpartition(".")[2], title, of)
        for of, title in (
            ("measured.model", worded("Model")),
            ("measured.gpu_model", worded("GPU model")),
            ("measured.precision", worded("Precision")),
            ("measured.tensor_parallel", SIZING["tensor_parallel"].title),
            ("measured.concurrency", worded("Requests at once")),
            ("measured.tokens_per_s", worded("Tokens/s")),
            ("predicted_tokens_per_s", worded("The formula says")),
            ("ratio", worded("Ratio")),
            ("measured.source", worded("From")),
        )
    ),
    media=report.SHEET | report.DOCUMENT_ALONE,
)
"""About measurements of the planner's own."""


# ---------------------------------------------------------------- workloads beside what they need


@dataclass(frozen=True, slots=True)
class NamedFit:
    """A workload on what it runs on, with its name and what it costs today, $ per month (None: not known)."""

    name: str
    usd_per_month: float | None
    fit: WorkloadFit


def _light(light: Light | None) -> str | None:
    return None if light is None else light.name.lower()


def _in_row(needs: tuple[str, ...], value: Callable[[FitRow], Any]) -> Callable[[NamedFit], Any]:
    """A column's value from the row of the traffic-light table that is of one of some needs; empty without one."""

    def found(row: NamedFit) -> Any:
        """Of the first of them."""
        return next((value(part) for part in row.fit.rows if part.need in needs), "")

    return found


def _sources(row: NamedFit) -> str:
    """Where each need is known from."""
    needs = ((NEED_BY_NAME[need].title, needed.source_words) for need, needed in row.fit.needs.items())
    return "; ".join([f"{title}: {words}" for title, words in needs])


_NEEDS: Final = (
    ("memory", ("memory", "model_memory"), worded("Memory")),
    ("network", ("interconnect", "training_grade"), worded("Network")),
    ("metal", ("bare_metal",), worded("Bare metal")),
    ("cluster", ("own_cluster",), worded("Own cluster")),
    ("term", ("term",), titles.TERM),
)
"""Needs that stand in one column: its key, the rows of the traffic-light table, its title."""

FITS: Final = Report(
    title=worded("Hardware fit"), key=attrgetter("fit.key"), media=report.SHEET
).with_columns(
    text("name", worded("Workload"), form="name"),
    text("pool", worded("Class"), lambda row: str(row.fit.pool)),
    text("gpu_model", worded("GPU model"), lambda row: row.fit.gpu_model or worded("unknown model")),
    text(
        "runs_on",
        capital(worded("runs on")),
        lambda row: (
            ", ".join(str(part.contract_or_offer) for part in row.fit.hardware if part.contract_or_offer)
            or worded("no contract")
        ),
    ),
    text("usd_per_month", worded("Today, $ per month")),
    *(
        text(f"{speed}_{of}", title, f"fit.network.{network}.run_{of}")
        for speed, network, of, title in (
            ("fast", "infiniband", "hours", worded("On InfiniBand, h")),
            ("slow", "ethernet", "hours", worded("Over Ethernet, h")),
            ("fast", "infiniband", "usd", worded("On InfiniBand, $")),
            ("slow", "ethernet", "usd", worded("Over Ethernet, $")),
        )
    ),
    text("light", worded("Light"), lambda row: _light(row.fit.light), form="name"),
    *(
        text(f"{key}_light", title, _in_row(needs, lambda row: _light(row.light)), form="name")
        for key, needs, title in _NEEDS
    ),
    text("reasons", worded("Why"), "fit.reasons"),
    text("sources", worded("Needs from"), _sources, form="aside"),
    text("key", worded("Key"), "fit.key", form="aside"),
)
"""About workloads on what they run on: $, the longest run on two networks, a light for each need."""


# --- Placement: sets of sites with their way and price, the sites, and the cities with the site that serves them

PLACEMENT_READ: Final = report.TERMINAL | report.WINDOW | report.BRIEF
LISTED_IN_TERMINAL: Final = 40


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A set of sites as it is listed. key: today, best:2 or cheapest."""

    key: str
    name: Text
    sites: SiteSet


def named_sets(placement: Placement) -> tuple[NamedSet, ...]:
    """Today, and the best set of each size."""
    best = (
        NamedSet(f"best:{len(sites.sites)}", worded("Best {sites}", sites=whole(len(sites.sites))), sites)
        for sites in placement.proposed
    )
    return (NamedSet("today", worded("Today"), placement.today.current), *best)


def sets_and_cheapest(placement: Placement) -> tuple[NamedSet, ...]:
    """The same, and the cheapest set whose mean way is short enough, where there is one."""
    cheapest = placement.cheapest_within
    within = worded("Cheapest within {limit} ms", limit=whole(writing.LONGEST_MS))
    named = () if cheapest is None else (NamedSet("cheapest", within, cheapest),)
    return (*named_sets(placement), *named)


def _by(leg: transit.Leg) -> Text | None:
    """How a way is known; None where there is none."""
    if leg.site_id is None:
        return None
    return worded("measured") if leg.is_measured else worded("{km} km", km=whole(leg.km or 0.0))


def _names(row: NamedSet) -> Text:
    return ", ".join(row.sites.sites) or worded("none")


SITE_SETS: Final = Report(title=worded("Sites"), media=PLACEMENT_READ | report.SHEET).with_columns(
    Column(key="name", media=PLACEMENT_READ, form="name"),
    text("name", worded("Sites"), media=report.SHEET),
    text("sites", worded("Sites"), _names, media=PLACEMENT_READ),
    Column(figure=SITE_SET["mean_one_way_ms"], value="sites.mean_one_way_ms"),
    text(
        "at_best",
        worded("No set of this size under, ms one way"),
        lambda row: row.sites.shortest_ms and round(row.sites.shortest_ms, 1),
        media=report.TERMINAL | report.SHEET,
        is_rare=True,
    ),
    Column(figure=SITE_SET["round_trip_ms"], value="sites.round_trip_ms"),
    Column(figure=SITE_SET["cost_per_month"], value="sites.usd_per_month"),
    text(
        "is_over_80",
        worded("Over {longest_ms} ms one way", longest_ms=whole(writing.LONGEST_MS)),
        # none where the mean way is not known
        lambda row: None if row.sites.mean_one_way_ms is None else _yes(row.sites.service.is_over_80),
        media=report.SHEET,
    ),
    text("sites", worded("Which sites"), _names, media=report.SHEET),
)
"""About sets of sites, by `named_sets` or `sets_and_cheapest`."""

SITES: Final = Report(title=worded("Sites"), key=attrgetter("site_id"), media=report.SHEET).with_columns(
    text("site_id", worded("Site")),
    text("city", worded("City")),
    text("country", worded("Country")),
    Column(figure=SITE_SET["cost_per_month"], value="usd_per_month"),
    text("is_current", worded("In use today"), lambda site: _yes(site.is_current)),
)
"""About the sites of a project."""

CITIES: Final = Report(
    title=worded("Cities"),
    key=attrgetter("city.city"),
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=PLACEMENT_READ | report.SHEET,
).with_columns(
    text("city", worded("City"), "city.city", form="name"),
    text("country", worded("Country"), "city.country", media=report.TERMINAL | report.SHEET),
    Column(figure=WAY["users"], media=report.WINDOW | report.SHEET, value=lambda leg: float(leg.city.users)),
    text("is_top", worded("In the top 80%"), lambda leg: _yes(leg.is_top), media=report.SHEET),
    text("site_id", worded("Served from"), lambda leg: leg.site_id or worded("no site may serve it")),
    Column(figure=WAY["users"], media=report.TERMINAL, value=lambda leg: f"{leg.city.users:,f}"),
    *of_subject(WAY, "one_way_ms", "round_trip_ms", media=report.EVERYWHERE),
    text("by", worded("By"), _by),
)
"""About the legs of a set of sites, those with most users first; the terminal is asked about the top 80% of users."""
