"""Sentences beside the tables of serving: what is advised, and what hosting is weighed against."""

from typing import Final

from gpuplanner.domain.figures.typed import amount, decimals, percent, significant, whole
from gpuplanner.domain.fit.api_offers import ApiOffer
from gpuplanner.domain.fit.best_rows import best_row, nearest_row, runner_up
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.reports.serving import offer_terms
from gpuplanner.domain.serving.regions import SPARE_WAYS, EgressPaths, Regional

WAYS_NAMED: Final = 3


def advice(sizing: EndpointSizing, cost: ServingCost) -> tuple[Message, ...]:
    """A sentence each on the first token in parts, the band, the runner-up and why it lost, what comes nearest where
    nothing keeps the targets, and the replicas flat, as an autoscaler follows, and perfect."""
    row, sentences = cost.row, list[Message]()
    if row.ttft_ms is not None:
        sentences.append(
            worded(
                "Time to first token {all} ms: network {way} ({share}, the same on any GPU), queue {wait}, "
                "prefill {prefill}.",
                all=decimals(row.ttft_ms),
                way=decimals(row.way_ms),
                wait=decimals(row.wait_ms),
                prefill=decimals(row.prefill_ms),
                share=percent(row.way_share or 0.0),
            )
        )
    if row.low is not None:
        sentences.append(
            worded(
                "Measured speeds are {low} to {high} times the predicted speed (P10 to P90).",
                low=decimals(row.low, 2),
                high=decimals(row.high, 2),
            )
        )
    own = best_row(each for each in sizing.costs if each.row.is_own)
    if own is not None and not row.is_own:
        usd, called = amount(own.cost_per_month), own.row.shape
        words = worded("Not measured by you. Cheapest measured: {own}, {usd} per month.", own=called, usd=usd)
        sentences.append(words)
    second, nearest, replayed = runner_up(sizing.costs), nearest_row(sizing.costs), sizing.replay(cost)
    if second is not None and cost is sizing.best:
        sentences.append(worded("Runner-up: {row}, {why}.", row=second.cost.row.shape, why=second.why))
    if (cheaper := sizing.cheaper) is not None and cheaper.offer is not None:
        words = worded(
            "Cheapest way to pay: {gpus} \u00d7 {model}, {precision}, {usd} per month ({terms}).",
            gpus=whole(cheaper.gpus_peak),
            model=cheaper.row.gpu_model,
            precision=cheaper.row.precision,
            usd=amount(cheaper.cost_per_month),
            terms=offer_terms(cheaper.offer),
        )
        sentences.append(words)
    if nearest is not None:
        words = worded(
            "Nothing meets the targets; nearest {row}: {why}.", row=nearest.cost.row.shape, why=nearest.why
        )
        sentences.append(words)
    if replayed is not None:
        sentences.append(
            worded(
                "Replicas: {flat} fixed, {mean} autoscaled ({missed} late requests), {perfect} ideal.",
                flat=whole(replayed.replicas_flat),
                mean=decimals(replayed.replicas_mean),
                missed=percent(replayed.missed_share, 1),
                perfect=decimals(replayed.replicas_perfect),
            )
        )
        if replayed.backlog_most >= 1:
            words = worded(
                "While replicas start, up to {most} requests wait, {minutes} min in total.",
                most=whole(replayed.backlog_most),
                minutes=decimals(replayed.backlog_hours * 60),
            )
            sentences.append(words)
    return tuple(sentences)


def sentences_of(sizing: EndpointSizing, cost: ServingCost) -> tuple[Message, ...]:
    """Both: what is advised, and what hosting is weighed against."""
    return (*advice(sizing, cost), *weighed(sizing, cost))


def weighed(sizing: EndpointSizing, cost: ServingCost) -> tuple[Message, ...]:
    """A sentence each on an API in place of hosting, a shorter way, and what leaves by path, as asked."""
    api, by_site = sizing.api(cost), sizing.regional(cost)
    parts = [] if api is None else [describe_api(api)]
    known = {
        "has_api": api is not None,
        "is_hosted": sizing.best is not None and sizing.best.rate is not None,
    }
    parts += [_units_words(units, **known) for units in sizing.provisioned]
    if sizing.shorter_ways:
        ways: list[Text] = [
            worded(
                "{sites}: {ms} ms sooner, {usd}",
                sites=joined(row.sites, " + "),
                ms=decimals(row.ms_saved),
                usd=amount(row.usd_per_month),
            )
            for row in sizing.shorter_ways[:WAYS_NAMED]
        ]
        parts.append(worded("A faster answer is worth per month: {ways}.", ways=joined(ways, "; ")))
    if by_site is not None:
        parts.append(describe_spares(by_site))
        if by_site.unserved_users:
            words = worded(
                "Data residency excludes all current sites for {users} users, so the size excludes them.",
                users=whole(by_site.unserved_users),
            )
            parts.append(words)
        if by_site.egress is not None:
            parts.append(describe_egress(by_site.egress))
    return tuple(parts)


def describe_spares(sites: Regional) -> Message:
    """Return the GPUs of all sites, and their $ where known, for each policy of spare replicas."""
    none, each, over_sites = (
        worded_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=whole(gpus))
        if usd is None
        else worded_count(
            gpus,
            "{gpus} GPU ({usd} per month)",
            "{gpus} GPUs ({usd} per month)",
            gpus=whole(gpus),
            usd=amount(usd),
        )
        for held in SPARE_WAYS
        for gpus, usd in ((sites.gpus[held], sites.usd_per_month[held]),)
    )
    return worded(
        "By site: {none} without spare replicas, {each} with one each, {over_sites} with one for all.",
        none=none,
        each=each,
        over_sites=over_sites,
    )


def describe_api(api: ApiOffer) -> Message:
    usd_in, usd_out = amount(api.usd_per_million_in, 2), amount(api.usd_per_million_out, 2)
    given = {"usd_in": usd_in, "usd_out": usd_out, "usd": amount(api.usd_per_month)}
    if api.break_even_requests_per_month is None:
        return worded(
            "An API at {usd_in} and {usd_out} per million tokens costs {usd} per month, less than hosting at any "
            "traffic.",
            **given,
        )
    return worded(
        "An API at {usd_in} and {usd_out} per million tokens costs {usd} per month. Hosting costs less from "
        "{requests} requests per month ({per_s}/s at the peak).",
        requests=whole(api.break_even_requests_per_month),
        per_s=significant(api.break_even_requests_per_s, 3),
        **given,
    )


def _units_words(units: ServingCost, *, has_api: bool, is_hosted: bool) -> Message:
    api, hosting = units.api_from, units.hosting_from
    first = worded(
        "{offer_id}: {units} units of provisioned throughput cost {usd} per month.",
        offer_id=units.row.gpu_model,
        units=whole(units.row.replicas_peak),
        usd=amount(units.cost_per_month),
    )
    rows = (
        (
            has_api and api,
            worded("They beat the API from {requests} requests per month.", requests=whole(api)),
        ),
        (has_api and not api, worded("The API costs less at any traffic.")),
        (
            is_hosted and hosting,
            worded("Hosting beats them from {requests} requests per month.", requests=whole(hosting)),
        ),
        (is_hosted and not hosting, worded("At high traffic, hosting costs more.")),
    )
    return joined((first, *(words for holds, words in rows if holds)), " ")


def describe_egress(paths: EgressPaths) -> Message:
    """What leaves today; and later, where anything is stated of it."""
    now = worded(
        "Egress text: {near_gb} GB within a country, {far_gb} GB abroad ({far}), {usd} per month",
        near_gb=significant(paths.near_gb, 3),
        far_gb=significant(paths.far_gb, 3),
        far=percent(paths.far_share),
        usd=amount(paths.usd_per_month, 2),
    )
    if paths.later_users_times == 1 and paths.later_far_share == paths.far_share:
        return worded("{now}.", now=now)
    return worded(
        "{now}; with {users} times the users and {far} abroad {usd}, \u00d7 {times}.",
        now=now,
        users=significant(paths.later_users_times, 3),
        far=percent(paths.later_far_share),
        usd=amount(paths.later_usd_per_month, 2),
        times=decimals(paths.times, 2),
    )
