"""Answers about serving: sizes of endpoints with their $, and the way and the price of sets of sites."""

from typing import Final

from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.audit_evidence import Evidence
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.serving import BY_HOUR, FLAT, LEAK, NEEDED, SITE_SET, SIZING, WAY
from gpuplanner.domain.figures.typed import decimals, percent, significant, whole, worded_whole
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.serving.placement import SiteSet, current_placement, placement_of
from gpuplanner.domain.serving.transit import DETOUR, FIXED_MS, KM_PER_MS_IN_FIBRE, Leg
from gpuplanner.lazy_dataclass import replace

# --- Sizes of endpoints: memory, replicas, GPUs, first token, GPU-hours and dollars of one row

OF_SIZING: Final = Answers[EndpointSizing]()
HELD_NAMES: Final = {
    FLAT: titles.HELD_FOR_THE_PEAK,
    NEEDED: SIZING["needed_per_month"].title,
    LEAK: worded("Peak-provisioning leak"),
    BY_HOUR: worded("Autoscaled, on demand"),
}
HELD: Final = {(asked.why, asked.why_scope): asked.key for asked in SIZING.figures if asked.why_scope}
"""Kind and scope of an answer -> key of its figure."""


def _cost(sizing: EndpointSizing, subject: str) -> ServingCost:
    """A sized row with its $. Errors: KeyError where there is none."""
    cost = sizing.of_key(subject)
    if cost is None:
        raise KeyError(subject)
    return cost


def _title(title: Text, cost: ServingCost) -> Message:
    """What is asked, and of which row: GPUs, 2 x H100, fp8."""
    return worded("{name}, {cost}", name=title, cost=cost.row.shape)


@OF_SIZING.gives("size_memory")
def memory(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """GB that a replica needs."""
    cost = _cost(sizing, subject)
    row, load = cost.row, sizing.load
    usable = (
        worded("not known")
        if row.usable_gb is None
        else worded("{usable_gb} GB", usable_gb=decimals(row.usable_gb))
    )
    note = worded(
        "{parameters} billion parameters; KV cache for {concurrency} requests of {tokens_per_request} tokens, "
        "or one of {longest_tokens}, at least. Usable memory: {usable} ({usable_memory}).",
        parameters=decimals((0 if sizing.model is None else sizing.model.parameters) / 1000000000.0),
        concurrency=whole(sizing.terms.concurrency),
        tokens_per_request=whole(load.tokens_per_request),
        longest_tokens=whole(load.longest_tokens),
        usable=usable,
        usable_memory=percent(sizing.terms.usable_memory),
    )
    given = {"weights_gb": row.weights_gb, "cache_gb": row.cache_gb}
    answer = explained(SIZING, "memory_gb", Inputs(values=given, name=subject, note=note))
    return replace(answer, title=_title(SIZING["memory_gb"].title, cost))


@OF_SIZING.gives("size_replicas")
def replicas(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """Replicas that the peak asks for."""
    cost = _cost(sizing, subject)
    row, headroom = cost.row, sizing.terms.headroom
    peak, mu = sizing.load.peak_requests_per_s, row.requests_per_s
    by = (
        ""
        if mu is None
        else worded(
            " \u00f7 ({headroom} \u00d7 {mu} requests/s of a replica)",
            headroom=percent(headroom),
            mu=significant(mu, 4),
        )
    )
    asked = worded("Peak of {peak} requests/s{by}", peak=significant(peak, 4), by=by)
    rows = (
        trace.TraceRow(asked, (row.replicas_asked,)),
        trace.TraceRow(
            worded(
                "Whole replicas, at least one with traffic; {spare} spare", spare=whole(row.replicas_spare)
            ),
            (row.replicas_peak,),
        ),
    )
    source = sizing.load.source or worded("traffic")
    note = worded("Requests: {source}.", source=source)
    if row.why:
        note = worded("Requests: {source}; {why}.", source=source, why=row.why)
    return trace.listed(
        _title(titles.REPLICAS, cost),
        row.replicas_peak,
        writing.COUNT,
        worded("Replicas = peak requests/s ÷ (headroom × requests/s per replica), rounded up, + spare"),
        rows,
        (trace.TraceColumn(titles.REPLICAS, "exact"),),
        trace.Reached(),
        symbols=(
            trace.Amount(row.replicas_asked, "exact"),
            worded(", rounded up, with spare ones = "),
            trace.Amount(row.replicas_peak, "count"),
        ),
        note=note,
    )


def _explained(cost: ServingCost, key: str, subject: str, title: Text) -> trace.Trace:
    """A figure of a row by its formula; the rates are those of the offers. title: the figure, as the title says it."""
    offers = {"rate": cost.offer, "on_demand_rate": cost.on_demand}
    labels = {
        name: worded("$ per GPU-hour, no offer")
        if offer is None
        else worded("$ per GPU-hour, offer {offer}", offer=offer.offer_id)
        for name, offer in offers.items()
    }
    answer = explained(SIZING, key, Inputs(values=cost.inputs, name=subject, labels=labels))
    return replace(answer, title=_title(title, cost))


@OF_SIZING.gives("size_gpus")
def gpus(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """GPUs of all replicas at the peak."""
    answer = _explained(_cost(sizing, subject), "gpus_peak", subject, "GPUs")
    return replace(answer, more=((titles.MEMORY, trace.figure("size_memory", subject)),))


@OF_SIZING.gives("size_ttft")
def first_token(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """ms until the first token at the peak."""
    cost = _cost(sizing, subject)
    row, way_ms = cost.row, sizing.terms.way_ms
    given = {"way_ms": way_ms, "wait_ms": row.wait_ms, "prefill_ms": row.prefill_ms}
    note = worded(
        "Network latency, which no GPU shortens, is {way_share}. At the peak, {busy_at_peak} of replicas are "
        "busy.",
        way_share=percent(row.way_share or 0),
        busy_at_peak=percent(row.busy_at_peak or 0, 1),
    )
    answer = explained(SIZING, "ttft_ms", Inputs(values=given, name=subject, note=note))
    return replace(answer, title=_title(SIZING["ttft_ms"].title, cost))


@OF_SIZING.gives("size_tpot")
def per_token(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """ms between two tokens of a request, by the formula that is fitted on published measurements."""
    cost = _cost(sizing, subject)
    row, asked = cost.row, SIZING["tpot_ms"]
    source = worded(
        "One step of {concurrency} parallel requests, with prefill. 80% of published measurements had {low} to "
        "{high} of this speed",
        concurrency=whole(row.concurrency or 0),
        low=significant(row.low or 0.0, 2),
        high=significant(row.high or 0.0, 2),
    )
    return trace.read(_title(asked.title, cost), row.tpot_ms, asked.unit.key, source)


@OF_SIZING.gives("size_ratio")
def ratio(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """Another GPU model for the same work: its ratio and band, how many take the place of today's, and their $."""
    match = next((match for match in sizing.ratios if match.gpu_model == subject), None)
    if match is None:
        raise KeyError(subject)
    source = worded(
        "Tokens per second of one {model} ÷ one {against}, best shapes, {precision}, {ms} ms per token: "
        "{ratio}, P10 {low}, P90 {high}; {source}. Replaces {gpus} {against} at these rates",
        model=match.gpu_model,
        against=match.against,
        precision=match.precision,
        ms=decimals(match.tpot_ms),
        ratio=significant(match.ratio, 3),
        low=significant(match.low, 3),
        high=significant(match.high, 3),
        source=match.source,
        gpus=decimals(match.gpus),
    )
    title = worded("{model} instead of {against}", model=match.gpu_model, against=match.against)
    value = match.instead[1] if scope == "instead" else getattr(match, scope)
    return trace.read(title, value, "usd" if scope == "usd_per_month" else "exact", source)


@OF_SIZING.gives_each({kind: kind for kind in ("size_hours", "size_usd")})
def held(kind: str, sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """GPU-hours or $ a month: held flat, needed hour by hour, or the difference; what an autoscaler holds by hour."""
    cost = _cost(sizing, subject)
    key, title = HELD[kind, scope], HELD_NAMES[scope]
    if SIZING[key].formula is not None:
        return _explained(cost, key, subject, title)
    row, load = cost.row, sizing.load
    hours: dict[int, float] = {}
    for hour, count in zip(load.hours, sizing.replicas_by_hour(cost) or (), strict=False):
        replicas = min(count, row.replicas_peak or 0)
        hours[replicas] = hours.get(replicas, 0.0) + hour.seconds * load.month_per_second
    rows = [
        trace.TraceRow(
            worded_whole(count, "{count} replica", "{count} replicas"),
            (time, count * time * row.tensor_parallel),
        )
        for count, time in sorted(hours.items(), reverse=True)
    ]
    return trace.summed(
        _title(title, cost),
        row.gpu_hours_per_month_autoscaled,
        "gpu_hours",
        worded("GPU-h = Σ over hours (replicas needed × GPUs per replica), scaled to a month"),
        rows,
        (trace.TraceColumn(worded("Hours\nper month"), "decimal"), trace.TraceColumn("GPU-h", "gpu_hours")),
        1,
        said_as=writing.A_MONTH,
    )


@OF_SIZING.gives("size_million")
def per_million(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """$ per million tokens, read and generated."""
    key = "cost_per_million_tokens"
    return _explained(_cost(sizing, subject), key, subject, SIZING[key].title)


# --- Placement: the way and the price of a set of sites, and how each city is served from it

OF_PLACES: Final = Answers[Evidence]()
SITES_FILE, USERS_FILE, WAYS_FILE = (
    worded("the sites file"),
    worded("the users file"),
    worded("the measured latencies"),
)


def city_subject(set_key: str, leg: Leg) -> str:
    """A city as one set of sites serves it."""
    city = leg.city
    return "\t".join((set_key, city.city, city.country or "", str(city.latitude), str(city.longitude)))


def _set(evidence: Evidence, key: str) -> SiteSet:
    """Today's sites, or the best set of a number of them: today, best:2."""
    places = evidence.project.places
    if key == "today":
        return current_placement(places).current
    size = int(key.removeprefix("best:"))
    return next(site_set for site_set in placement_of(places).proposed if len(site_set.sites) == size)


def _name(key: str) -> Message:
    if key == "today":
        return worded("today's sites")
    return worded("the best {removeprefix} sites", removeprefix=key.removeprefix("best:"))


@OF_PLACES.gives("transit")
def transit(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """The mean one way over the top 80% of users, from the sites of today."""
    today = current_placement(evidence.project.places)
    share = 0.0 if today.covered_share is None else today.covered_share
    note = joined([part for words in today.notes for part in (" ", words)])
    return _mean_way(today.current, share, worded("Network latency, top 80% of users"), note)


@OF_PLACES.gives("set_way")
def set_way(evidence: Evidence, scope: str, key: str) -> trace.Trace:
    """The mean one way of a set of sites over the top 80% of users."""
    site_set = _set(evidence, key)
    total = sum(float(leg.city.users) for leg in site_set.service.legs)
    top = sum(float(leg.city.users) for leg in site_set.service.legs if leg.is_top)
    return _mean_way(
        site_set, top / total if total else None, worded("Network latency from {key}", key=_name(key))
    )


def _mean_way(sites: SiteSet, share: float | None, title: Message, note: Text = "") -> trace.Trace:
    """The mean one way from a set of sites. share: of users, in the cities that count."""
    mean, service = sites.mean_one_way_ms, sites.service
    rows = [_way_row(leg) for leg in service.legs if leg.is_top]
    flag = (
        worded("over {limit} ms", limit=whole(writing.LONGEST_MS))
        if service.is_over_80
        else worded("at most {limit} ms", limit=whole(writing.LONGEST_MS))
    )
    return trace.listed(
        title,
        mean,
        "ms",
        worded("Σ (users × one-way latency) ÷ Σ users, over the fewest cities with 80% of users"),
        rows,
        (
            trace.TraceColumn(WAY["users"].title, "count"),
            trace.TraceColumn(worded("One way\nms"), "ms"),
            trace.TraceColumn(worded("Users \u00d7\none way"), "count"),
        ),
        trace.Divides(2, 0),
        said_as=worded("ms one way"),
        symbols=(
            worded("{rows} of {legs} cities have ", rows=whole(len(rows)), legs=whole(len(service.legs))),
            trace.Amount(share, "share"),
            worded(" of users; round trip "),
            trace.Amount(sites.round_trip_ms, "ms"),
            worded(" ms; {flag}", flag=flag if mean is not None else worded("unknown")),
        ),
        note=worded(
            "Each city uses its nearest allowed site. Latency: measured, or great-circle km ÷ {km_per_ms} × "
            "{detour} + {fixed_ms}. Better sites: Placement.",
            km_per_ms=significant(KM_PER_MS_IN_FIBRE),
            detour=significant(DETOUR),
            fixed_ms=significant(FIXED_MS),
        )
        + note,
    )


def _way_row(leg: Leg) -> trace.TraceRow:
    """A city: users, its way in ms, and both multiplied, unknown where nobody may serve it."""
    users = float(leg.city.users)
    spent = None if leg.one_way_ms is None else users * leg.one_way_ms
    how = worded("no site may serve it") if leg.site_id is None else worded("from {site}", site=leg.site_id)
    name = joined((leg.city.city, how, *((worded("measured"),) if leg.is_measured else ())), ", ")
    return trace.TraceRow(name, (users, leg.one_way_ms, spent))


@OF_PLACES.explains(SITE_SET, "round_trip_ms")
def set_both(evidence: Evidence, scope: str, key: str) -> Inputs:
    """The mean round trip of a set of sites."""
    return Inputs(values={"mean_one_way_ms": _set(evidence, key).mean_one_way_ms}, name=key, title=_name(key))


@OF_PLACES.sums(worded("Cost of {name}"), writing.MONEY_PER_MONTH, worded("Cost = Σ over its sites"))
def set_usd(evidence: Evidence, scope: str, key: str) -> Listed:
    """What a set of sites costs a month."""
    site_set = _set(evidence, key)
    prices = {site.site_id: site.usd_per_month for site in evidence.project.places.sites}
    rows = []
    for site in site_set.sites:
        usd, name = prices.get(site), worded("{site}, from {sites_file}", site=site, sites_file=SITES_FILE)
        rows.append(trace.TraceRow(name, (None if usd is None else float(usd),)))
    return Listed(value=site_set.usd_per_month, rows=rows, name=_name(key))


def _leg(evidence: Evidence, subject: str) -> Leg:
    """How one city is served. Errors: StopIteration where no leg has that subject."""
    key, _, _ = subject.partition("\t")
    return next(leg for leg in _set(evidence, key).service.legs if city_subject(key, leg) == subject)


@OF_PLACES.gives("city_users")
def city_users(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """How many users a city has."""
    leg = _leg(evidence, subject)
    note = "" if leg.is_top else worded("Beyond the top 80% of users, not in the mean.")
    title = worded("Users of {city}", city=leg.city.city)
    return trace.read(title, float(leg.city.users), "exact", USERS_FILE, note=note)


@OF_PLACES.gives("city_way")
def city_way(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """How long the way from a city to its site is: measured, or by distance."""
    leg = _leg(evidence, subject)
    title = worded("{city} to {site}, one way", city=leg.city.city, site=leg.site_id or "")
    if leg.is_measured or leg.km is None:
        return trace.read(title, leg.one_way_ms, "ms", WAYS_FILE, said_as="ms")
    by_distance = worded(
        "{km} great-circle km ÷ {km_per_ms_in_fibre} × {detour}",
        km=decimals(leg.km),
        km_per_ms_in_fibre=significant(KM_PER_MS_IN_FIBRE),
        detour=significant(DETOUR),
    )
    rows = (
        trace.TraceRow(by_distance, (leg.km / KM_PER_MS_IN_FIBRE * DETOUR,)),
        trace.TraceRow(worded("Routers and the last mile"), (FIXED_MS,)),
    )
    words = worded(
        "One way = km \u00f7 {km_per_ms_in_fibre} \u00d7 {detour} + {fixed_ms} ms",
        km_per_ms_in_fibre=significant(KM_PER_MS_IN_FIBRE),
        detour=significant(DETOUR),
        fixed_ms=significant(FIXED_MS),
    )
    return trace.summed(title, leg.one_way_ms, "ms", words, rows, said_as="ms")


@OF_PLACES.explains(WAY, "round_trip_ms")
def city_both(evidence: Evidence, scope: str, subject: str) -> Inputs:
    """Twice the way of a city."""
    leg = _leg(evidence, subject)
    title = worded("{city} to {site}", city=leg.city.city, site=leg.site_id or "")
    return Inputs(values={"one_way_ms": leg.one_way_ms}, name=subject, title=title)
