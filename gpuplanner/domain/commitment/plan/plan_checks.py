"""Checks of a plan: what to know before signing, each with its severity and its subject."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.busy import PartState, months_of, schedules_of
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand
from gpuplanner.domain.commitment.demand.slicing import gaps_of, weighted_mean
from gpuplanner.domain.commitment.plan.ground import Ground, clusters_with, first_end_of, renewing_contracts
from gpuplanner.domain.commitment.plan.orders import gpus_to_sign, signed_for, to_sign
from gpuplanner.domain.commitment.plan.row_plans import Planned, in_all, parts_in_months
from gpuplanner.domain.commitment.plan.shares import share_called, share_rooms, usd_now, usd_of_share
from gpuplanner.domain.commitment.recursion.calendar import Fall, fall_of
from gpuplanner.domain.commitment.recursion.rates import class_at
from gpuplanner.domain.commitment.result import THE_WINDOW, Order, PoolPlan, Verdict
from gpuplanner.domain.figures.typed import amount, day, decimals, percent, significant, whole, worded_whole
from gpuplanner.domain.fit.rules import Light, Need, hardware_fit, need_of
from gpuplanner.domain.message import Message, Part, Text, joined, lowered, worded, worded_both, worded_count
from gpuplanner.domain.model.amounts import grouped, known_sum, summed
from gpuplanner.domain.model.book import exchange, extras, remark, renewal
from gpuplanner.domain.model.book.contract import (
    Contract,
    gpus_in_month,
    in_month,
    mean_rates_in_month,
    term_words,
    usd_in_month,
)
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.only import (
    Row,
    countries_of,
    gpu_model_of,
    only_of,
    ratio_for,
    sellers_of,
    where_words,
)
from gpuplanner.domain.model.book.provider_names import names_once
from gpuplanner.domain.model.book.renewal import decided_by_s
from gpuplanner.domain.model.cube import SHORT_WINDOW_HOURS, short_advice
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.plan.limits import limits_of
from gpuplanner.domain.model.plan.splits import bare_key
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.unmatched import option_of
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_PER_MONTH, iso_utc
from gpuplanner.lazy_dataclass import replace

NAMED_AT_MOST = 3
CONCENTRATED_ABOVE: Final = 0.5
"""Share of the new commitment above which one provider has most of it."""
CONCENTRATED: Final = worded(
    "{share} of the new commitment is with one provider, {provider}: {usd} of {total}"
)


def row_name(pool: str, gpu_model: str | None) -> Message:
    """How a row of the plan is called in a check.

    gpu_model None: unknown, and said so.
    """
    return worded("{pool} {model}", pool=worded(str(pool)), model=gpu_model or worded("unknown model"))


def describe_unnamed(count: int) -> Text:
    """How many of so many are not named."""
    return worded(" and {count} more", count=whole(count - NAMED_AT_MOST)) if count > NAMED_AT_MOST else ""


def check_short_log(ground: Ground) -> Iterator[Check]:
    """Short logs: no long terms, and advice that stands on little."""
    if ground.window.hours <= SHORT_WINDOW_HOURS:
        text = worded("logs up to a week allow terms up to a month")
        yield Check(code="no_long_terms", severity="info", subject="window", message=text)
    short = short_advice(ground.window.hours)
    if short:
        yield Check(
            code="advice_on_short_log", severity="amber", subject=worded("the plan"), message=lowered(short)
        )


def check_unknown_models(ground: Ground) -> Iterator[Check]:
    """How demand whose GPU model the log does not say is counted."""
    unknown = ground.plan.unknown_milli_gpu_seconds
    for model, spent in sorted(unknown.items(), key=lambda item: item[0] or ""):
        counted = (
            worded("counts with {model}", model=model)
            if model
            else worded("has no contract on its cluster: every offer is open")
        )
        text = worded(
            "{amount} GPU-hours have no known GPU model. This demand {name}",
            amount=decimals(spent / 3600000),
            name=counted,
        )
        yield Check(
            code="unknown_model_planned",
            severity="info",
            subject=model or worded("unknown model"),
            message=text,
        )


def check_offers(ground: Ground, planned: Planned) -> Iterator[Check]:
    """Offers without a rate, or undecided, that could serve something, and those of which all GPUs are planned."""
    mappings = ground.project.mappings
    for offer in ground.project.offers:
        why = remark.waits(offer)
        if (why or not offer.rate) and any(
            ratio_for(mappings, model, offer.gpu_model, pool) for pool, model in ground.rows
        ):
            lacking = exchange.lacking_rate(offer, ground.project.currency, ground.project.exchange)
            text = worded("has no rate and does not count; ask for a quote")
            if why:
                text = worded("is not considered: {why}", why=why)
            elif is_owned(offer):
                text = worded("has no rate and does not count; enter the GPU's price and life")
            elif lacking:
                text = exchange.lacking_words(offer, lacking)
            yield Check(code="quote_needed", severity="info", subject=offer.offer_id, message=text)
    for offer in planned.reached:
        yield Check(
            code="max_gpus_reached", severity="info", subject=offer.offer_id, message=max_gpus_words(offer)
        )
    silent = [offer.offer_id for offer in ground.project.offers if offer.rate and extras.without_price(offer)]
    silent += [contract.contract_id for contract in ground.plan.contracts if extras.without_price(contract)]
    if silent:
        text = worded_whole(
            len(silent),
            "{first} states no egress price: compared without it, others with it",
            "{first} and others ({count} in all) state no egress price: compared without it, others with it",
            first=silent[0],
        )
        yield Check(code="egress_unknown", severity="amber", subject=worded("the plan"), message=text)


def check_shares(ground: Ground, planned: Planned) -> Iterator[Check]:
    """Providers and regions whose contracts alone are over the share that the planner allows them."""
    for key, share in share_rooms(ground).items():
        # the first row that is planned finds all of it
        room = max((row.left_of_offers.get(key, 0.0) for row in planned.rows), default=0.0)
        if room < 0:
            usd = usd_of_share(planned.bought, ground, key, 1)
            whole_usd = usd_now(ground, planned.bought)
            text = worded(
                "its contracts alone exceed {share} of the plan, so no new orders. Now: {now} of first-month "
                "cost",
                share=percent(share),
                now=percent(usd / whole_usd if whole_usd else None),
            )
            yield Check(code="over_provider_share", severity="amber", subject=share_called(key), message=text)


def check_concentration(orders: Sequence[Order]) -> Iterator[Check]:
    """The provider of more than half of the new commitment, which is worth a decision of its own.

    Counted is the total commitment of every certain order to a provider; GPUs to buy oblige to no provider.
    """
    signed = list(signed_for(orders))
    names = names_once(order.provider for order in signed if order.provider)
    usd_by_provider = {
        provider: known_sum(usd)
        for provider, usd in grouped(
            (order.provider and names[order.provider], order.liability) for order in signed
        ).items()
    }
    total_usd = known_sum(usd_by_provider.values())
    if not total_usd:
        return
    for provider, usd in usd_by_provider.items():
        if provider is None or usd is None or usd / total_usd <= CONCENTRATED_ABOVE:
            continue
        given = {
            "share": percent(usd / total_usd, 1),
            "provider": provider,
            "usd": amount(usd),
            "total": amount(total_usd),
        }
        text = Message(CONCENTRATED.template, given)
        yield Check(code="provider_concentration", severity="amber", subject=worded("the plan"), message=text)


def check_unpriced_rows(ground: Ground, planned: Planned) -> Iterator[Check]:
    """Rows that nobody sells by use, with the rate that is missing; of models that nobody sells so the audit speaks."""
    works = {work.key for work in ground.scenario.planned}
    logged = np.array([workload.key not in works for workload in ground.project.workloads], dtype=np.bool_)
    mappings = ground.project.mappings
    by_use = [o for o in ground.project.offers if o.rate and not o.pricing_category.is_commitment]
    for planned_row in planned.rows:
        row = planned_row.row
        name = Row(row.pool, row.gpu_model)
        users, model = ground.plan.users[name], gpu_model_of(row.gpu_model)
        ran = {ground.classes[at].pool for at in np.flatnonzero(users * logged)} if ground.classes else set()
        sold = {
            pool: any(ratio_for(mappings, model, offer.gpu_model, pool) for offer in by_use)
            for pool in (row.pool, *ran)
        }
        is_sold = sold[row.pool]
        is_of_log = not ground.project.offers or bool(users[logged].any())
        if row.flex.rate is not None or row.use is not None or not users.any():
            continue
        if is_of_log and not is_sold and not all(sold[pool] for pool in ran or sold):
            continue
        if is_sold and not ground.eligible[name]:
            continue  # no offer's hardware fits, or who may serve it sells none: said by itself
        if ground.prices[name].spots:
            why = worded("only spot is offered, but some of its work may not use spot")
        elif is_sold:
            why = worded("no on-demand offer fits it")
        else:
            why = worded("no on-demand offer")
        text = worded(
            "no on-demand rate of {model} for {pool}: {why}. Demand without an order and its totals have "
            "no cost",
            model=model or worded("unknown model"),
            pool=row.pool,
            why=why,
        )
        yield Check(code="gpu_model_unpriced", severity="amber", subject=row_name(*name), message=text)


def max_gpus_words(offer: Offer) -> Message:
    """Return that an offer has no more GPUs."""
    return worded(
        "all its {gpus} GPUs are planned; the next best offer serves the rest", gpus=whole(offer.max_gpus)
    )


def check_limit_names(ground: Ground) -> Iterator[Check]:
    """Limits that name somebody whom no offer or contract names."""
    sellers = sellers_of(ground.project.offers, ground.project.contracts)
    keys = {workload.key for workload in ground.project.workloads}
    for limit in limits_of(ground.scenario, ground.assumptions, keys):
        for text in sellers.unknown(limit.who):
            yield Check(code="nobody_called_so", severity="amber", subject=lowered(limit.words), message=text)


def check_countries(ground: Ground) -> Iterator[Check]:
    """Demand that may run in some countries alone: where nobody sells there, and who serves none as nobody knows where
    he is."""
    for row in ground.rows:
        model, only, mappings = gpu_model_of(row.name), only_of(row.name), ground.project.mappings
        if not only.country:
            continue
        offers = [o for o in ground.project.offers if ratio_for(mappings, model, o.gpu_model, row.pool)]
        both: tuple[Offer | Contract, ...] = (
            *offers,
            *(contract for contract in ground.plan.contracts if model in (None, contract.gpu_model)),
        )
        given: dict[str, Text] = {"model": model or worded("GPUs"), "where": where_words(only)}
        if not any(map(only.allows, both)):
            text = worded("it may run only in {where}, which has no {model} offer. Add one", **given)
            yield Check(code="residency_broken", severity="red", subject=row_name(*row), message=text)
        unknown = [
            seller.offer_id if isinstance(seller, Offer) else seller.contract_id
            for seller in both
            if not countries_of(seller)
        ]
        if unknown:
            names, more = ", ".join(sorted(unknown)[:NAMED_AT_MOST]), describe_unnamed(len(unknown))
            text = worded(
                "country of {names}{more} unknown: excluded for work limited to {where}. Fill the column "
                "country",
                names=names,
                more=more,
                **given,
            )
            yield Check(code="residency_unknown", severity="amber", subject=row_name(*row), message=text)


def check_held_levels(planned: Planned) -> Iterator[Check]:
    """Levels that are held from the first month on in a plan that signs nothing then: they begin later."""
    for planned_row in planned.rows:
        row = planned_row.row
        if row.is_rest_advised and row.calendar.wait_months and any(level.gpus for level in row.hand or ()):
            months = row.calendar.wait_months
            text = worded_count(
                months,
                "its level is fixed from month 1, but no order starts for {months} month. Until then, its work is on "
                "demand. Reset the level, or do not wait",
                "its level is fixed from month 1, but no order starts for {months} months. Until then, its work is on "
                "demand. Reset the level, or do not wait",
                months=whole(months),
            )
            yield Check(
                code="held_level_waits",
                severity="amber",
                subject=row_name(row.pool, row.gpu_model),
                message=text,
            )


def check_hardware(ground: Ground, pools: Sequence[PoolPlan]) -> Iterator[Check]:
    """Amber hardware of what the plan chose; red where no offer at all fits. The contracts' own comes after."""
    offers = {offer.offer_id: offer for offer in ground.project.offers}
    for plan in pools:
        need = need_of(plan.pool, plan.gpu_model, ground.several_nodes[Row(plan.pool, plan.gpu_model)])
        subject = row_name(plan.pool, plan.gpu_model)
        for offer_id in sorted({layer.offer_id for layer in plan.layers if layer.offer_id}):
            light, reasons = hardware_fit(offers[offer_id], need)
            if light is Light.AMBER:
                text = joined((offer_id, joined(reasons, "; ")), ": ")
                yield Check(code="hardware_amber", severity="amber", subject=subject, message=text)
        mappings = ground.project.mappings
        of_model = [
            o for o in ground.project.offers if ratio_for(mappings, plan.gpu_model, o.gpu_model, plan.pool)
        ]
        red = [o for o in of_model if hardware_fit(o, need).light is Light.RED]
        if red and len(red) == len(of_model):
            reasons = hardware_fit(red[0], need).reasons
            text = worded(
                "no offer's hardware fits ({offer}: {reasons}). Add one",
                offer=red[0].offer_id,
                reasons=joined(reasons, "; "),
            )
            yield Check(code="hardware_red", severity="red", subject=subject, message=text)
    yield from check_contract_hardware(ground)


def check_contract_hardware(ground: Ground) -> Iterator[Check]:
    """Contracts pinned to a pool that their hardware does not fit."""
    for contract in in_month(ground.plan.contracts, ground.window, 0):
        row = Row(contract.pool, contract.gpu_model) if contract.pool else None
        if row is None or not ground.several_nodes.get(row, False) or contract.gpu_model is None:
            continue
        as_offer = Offer(
            offer_id=contract.contract_id,
            gpu_model=contract.gpu_model,
            pricing_category=PricingCategory.COMMITTED,
            term_months=contract.term_months or 0,
            rate_usd_per_gpu_hour=contract.quoted_rate,
            gpu_memory_gb=contract.gpu_memory_gb,
            bare_metal=contract.bare_metal,
            interconnect=contract.network,
        )
        light, reasons = hardware_fit(as_offer, Need(row.pool, row.name, True))
        if light is Light.RED:
            text = worded("serves {row}, but: {reasons}", row=row.pool, reasons=joined(reasons, "; "))
            yield Check(code="hardware_red", severity="red", subject=contract.contract_id, message=text)


def check_spot(ground: Ground) -> Iterator[Check]:
    """Workloads whose work would never end on spot, at most three by name."""
    for row in ground.rows:
        stuck = ground.prices[row].spot_infeasible & (ground.plan.users[row] > 0)
        places = stuck.nonzero()[0].tolist()
        if places:
            workloads = ground.project.workloads
            named = [workloads[place] for place in places[:NAMED_AT_MOST]]
            lost = ground.prices[row].lost[places[:NAMED_AT_MOST]].tolist()
            names = [
                worded("{key} ({lost})", key=workload.key, lost=percent(share))
                for workload, share in zip(named, lost, strict=True)
            ]
            text = worded(
                "spot interruptions would cost all work of {names}{more}: planned on demand",
                names=joined(names, ", "),
                more=describe_unnamed(len(places)),
            )
            yield Check(code="spot_infeasible", severity="amber", subject=row_name(*row), message=text)


def check_inference_on_spot(ground: Ground) -> Iterator[Check]:
    """Services that the planner put where work runs on spot: they never do, and the planner must know."""
    checked = set()
    for row in ground.rows:
        pool, price = row.pool, ground.prices[row]
        if pool is not Pool.BURST or not price.spots:
            continue
        for place in (ground.plan.users[row] > 0).nonzero()[0].tolist():
            workload, classification = ground.project.workloads[place], class_at(ground.classes, place)
            if classification is not None and classification.pool is Pool.INFERENCE and place not in checked:
                checked.add(place)
                text = worded(
                    "inference in {row} would stop at spot interruptions, so it is priced on demand. Move it "
                    "to Inference",
                    row=pool,
                )
                yield Check(code="inference_on_spot", severity="red", subject=workload.key, message=text)


def _fall_words(fall: Fall, is_rest: bool) -> Message:
    """How demand fell. is_rest: of what is left without the workloads that have dates."""
    if fall.is_silent:
        how = worded("nothing ran in the last 7 days")
    else:
        how = worded("the last 14 days reach {share} of the mean", share=percent(fall.share))
    if is_rest:
        how = worded("of the workloads without dates {how}", how=how)
    if fall.is_over:
        return worded(
            "demand fell and stays low: {how}. Only GPUs used every week keep terms over 3 months", how=how
        )
    return worded(
        "demand is falling: {how}. Terms over 3 months are closed, later orders wait. Enter when it returns or "
        "ends",
        how=how,
    )


def check_fallen_demand(ground: Ground, planned: Planned) -> Iterator[Check]:
    """Rows whose demand has fallen, with the workloads that stopped or fell, most GPU time first."""
    for planned_row in planned.rows:
        if planned_row.fall is None:
            continue
        row = Row(planned_row.row.pool, planned_row.row.gpu_model)
        users, cube = ground.plan.users[row], ground.project.cube
        schedules = schedules_of(ground.project.workloads, ground.scenario, ground.window.end_s)
        undated = [
            place
            for place in np.argsort(-users, kind="stable").tolist()
            if users[place] > 0 and not schedules[place].is_stated
        ]
        falls = {
            ground.project.workloads[at].key: fall
            for at in undated
            if (fall := fall_of(ground.known(cube.hourly_of(at).astype(np.float64))))
        }
        is_rest = any(users[place] > 0 and schedules[place].is_stated for place in range(len(users)))
        text = _fall_words(planned_row.fall, is_rest)
        for is_silent in (True, False):
            keys = [key for key, fall in falls.items() if fall.is_silent is is_silent]
            names, more = ", ".join(keys[:NAMED_AT_MOST]), describe_unnamed(len(keys))
            if keys and is_silent:
                text = worded("{text}. Stopped: {names}{more}", text=text, names=names, more=more)
            elif keys:  # some of their GPUs still run
                text = worded("{text}. Fell: {names}{more}", text=text, names=names, more=more)
        of = list(falls) or [ground.project.workloads[at].key for at in undated]
        yield Check(code="demand_fell", severity="red", subject=row_name(*row), message=text, keys=tuple(of))


def _ended(ground: Ground) -> Iterator[Check]:
    """Workloads that have ended by themselves, those of most GPU time first.

    Work whose last job completed has ended as planned, which is no error; a service does not complete.
    """
    spent: dict[str, int] = {}
    as_planned: set[str] = set()
    for place, workload in enumerate(ground.project.workloads if ground.ended else ()):
        key, classification = bare_key(workload.key), class_at(ground.classes, place)
        spent[key] = spent.get(key, 0) + workload.milli_gpu_seconds
        is_service = classification is not None and classification.pool is Pool.INFERENCE
        if workload.is_completed and not is_service:
            as_planned.add(key)
    keys = sorted(ground.ended, key=lambda key: (-spent[bare_key(key)], key))
    completed = [key for key in keys if bare_key(key) in as_planned]
    stopped = [key for key in keys if bare_key(key) not in as_planned]
    returns = worded_both("If they return, add --begins", "If they return, enter a first day")
    if stopped:
        text = worded(
            "no run for 28 days, counted as ended at no cost: {names}{more}. {returns}",
            names=", ".join(stopped[:NAMED_AT_MOST]),
            more=describe_unnamed(len(stopped)),
            returns=returns,
        )
        yield Check(code="demand_fell", severity="red", subject="log", message=text, keys=tuple(stopped))
    if completed:
        text = worded(
            "completed, no run for 28 days since, counted as ended at no cost: {names}{more}. {returns}",
            names=", ".join(completed[:NAMED_AT_MOST]),
            more=describe_unnamed(len(completed)),
            returns=returns,
        )
        yield Check(
            code="work_completed", severity="info", subject="log", message=text, keys=tuple(completed)
        )


def check_log_gaps(ground: Ground) -> Iterator[Check]:
    """Days without any job at all, until the planner says that the log lacks them."""
    gaps = () if ground.scenario.is_gap_missing else gaps_of(ground.project, ground.scenario)
    if gaps:
        longest = max(gaps, key=lambda gap: (gap.hours, -gap.start_s))
        text = worded_whole(
            len(gaps),
            "missing or idle? A gap without jobs lasts {hours} hours, {from_s} to {to_s}. It counts as idle. "
            "If data is missing: --gap missing",
            "missing or idle? {count} gaps without jobs last {hours} hours, the longest {from_s} to {to_s}. "
            "They count as idle. If data is missing: --gap missing",
            hours=whole(sum(gap.hours for gap in gaps)),
            from_s=iso_utc(longest.start_s),
            to_s=iso_utc(longest.end_s),
        )
        yield Check(code="log_gap", severity="amber", subject="log", message=text)


def check_single_jobs(ground: Ground) -> Iterator[Check]:
    """Rows of which one job holds over half of the GPU time: what it alone ran is no evidence of what comes."""
    if not ground.assumptions.slices_lived:
        return
    for row, largest in ground.largest.items():
        workload = ground.project.workloads[largest.place]
        (schedule,) = schedules_of((workload,), ground.scenario, ground.window.end_s)
        if largest.share > 0.5 and not schedule.is_stated:
            days = (largest.job.end_s - largest.job.start_s) / DAY_S
            length = whole(days) if days >= 1 else significant(days, 2)
            text = worded(
                "{job} of {key} has {share} of GPU time: {gpus} GPUs for {days}. Terms over a month ignore it. "
                "Enter when it returns or ends",
                share=percent(largest.share),
                job=largest.job.job_id or worded("a job without an id"),
                key=workload.key,
                gpus=whole(largest.job.milli_gpus / 1000),
                days=worded_count(days, "{days} day", "{days} days", days=length),
            )
            yield Check(
                code="one_job", severity="amber", subject=row_name(*row), message=text, keys=(workload.key,)
            )


def check_late_work(ground: Ground) -> Iterator[Check]:
    """Planned work of a length that cannot be done by when it has to be."""
    for work in ground.scenario.planned:
        ends_s = work.spell(ground.window.end_s).ends_s
        if work.latest_finish_s is not None and ends_s is not None and ends_s > work.latest_finish_s:
            text = worded(
                "it ends {ends}, after its deadline {latest}. Start earlier or use more GPUs",
                ends=day(ends_s),
                latest=day(work.latest_finish_s),
            )
            yield Check(code="planned_too_late", severity="red", subject=work.key, message=text)


def check_start(ground: Ground) -> Iterator[Check]:
    """A plan that begins after the log: what counts as of that day, and which contracts are over by then."""
    begins_s, log = ground.window.end_s, ground.project.window
    days = begins_s // DAY_S - log.end_s // DAY_S  # by the calendar, as "3 days ago" counts
    if begins_s == log.end_s:
        return
    text = worded_count(
        days,
        "the plan starts {begins}, {days} day after the log. Demand and prices stay unchanged",
        "the plan starts {begins}, {days} days after the log. Demand and prices stay unchanged",
        begins=day(begins_s),
        days=whole(days),
    )
    yield Check(code="plan_begins_later", severity="info", subject="plan", message=text)
    for contract in ground.nothing.contracts:
        if contract.end_s is not None and log.end_s < contract.end_s <= begins_s:
            text = worded(
                "ended {end}, before the plan: it serves nothing. If it ran on, enter its new end",
                end=day(contract.end_s - 1),
            )
            yield Check(
                code="contract_ended_before_plan", severity="info", subject=contract.contract_id, message=text
            )


def check_left_out_contracts(ground: Ground) -> Iterator[Check]:
    """That a plan without existing contracts is one, and what they cost beside it while they run."""
    committed = [c for c in in_month(ground.nothing.contracts, ground.window, 0) if c.is_committed]
    if not ground.scenario.greenfield or not committed:
        return
    usd = usd_in_month(committed, ground.window, 0)
    cost = worded("an unknown amount") if usd is None else worded("{usd} per month", usd=amount(usd))
    text = worded_whole(
        len(committed),
        "Hypothetical: as if nothing were under contract. {count} commitment costs {cost} more; savings start "
        "when it ends.",
        "Hypothetical: as if nothing were under contract. {count} commitments cost {cost} more; savings start "
        "when they end.",
        cost=cost,
    )
    yield Check(code="contracts_left_out", severity="amber", subject="plan", message=text)


def check_passed_notices(ground: Ground) -> Iterator[Check]:
    """Contracts that renew and whose notice can no longer be given: what the renewal costs is owed."""
    for contract in renewing_contracts(ground.project, ground.scenario):
        ends_s = first_end_of(ground.project, ground.scenario, contract)
        if contract.end_s is None or ends_s is None or ends_s == contract.end_s:
            continue
        usd = contract.cost_of((ends_s - contract.end_s) / HOUR_S)
        text = worded(
            "notice was due {late} before {when}. It runs until {ends}{usd}; next notice by {next}. {given}",
            ends=day(ends_s - 1),
            next=day(decided_by_s(contract, ends_s)),
            **_passed_words(ground, contract, contract.end_s, usd),
        )
        yield Check(
            code="order_by_passed",
            severity="amber",
            subject=contract.contract_id,
            message=text,
            usd_per_month=usd,
        )


def check_unknown_renewals(ground: Ground) -> Iterator[Check]:
    """Contracts of which a notice is known that has passed, and not whether they renew: they end, and it is asked."""
    scenario, log_end_s = ground.scenario, ground.project.window.end_s
    for contract in ground.nothing.contracts:
        is_stated = contract.contract_id in {*scenario.notice_given, *scenario.kept}
        is_open = contract.renews_months is None and not is_stated
        if (
            contract.end_s is None
            or not is_open
            or not renewal.has_notice_passed(contract, ground.window.end_s, log_end_s)
        ):
            continue
        usd = contract.cost_of((contract.term_months or 1) * HOURS_PER_MONTH)
        given = _passed_words(ground, contract, contract.end_s, usd)
        renews = worded_both(
            "If it renews for {term}{usd}: --runs-on {own}.",
            "If it renews for {term}{usd}, mark the contract.",
            term=term_words(contract.term_months or 1),
            **given,
        )
        text = worded(
            "notice was due {late} before {when}, renewal unknown: the plan ends it on {ends}. {renews} {given}",
            ends=day(contract.end_s - 1),
            renews=renews,
            **given,
        )
        yield Check(
            code="renewal_unknown",
            severity="amber",
            subject=contract.contract_id,
            message=text,
            usd_per_month=usd,
        )


def check_unreadable_notices(ground: Ground) -> Iterator[Check]:
    """Contracts of which nobody can read the notice: no day to decide by is shown, and it is asked."""
    for contract in ground.nothing.contracts:
        if contract.is_notice_unknown and contract.contract_id not in ground.scenario.notice_given:
            text = worded(
                "no decision date for its {gpus} GPUs: the file's notice is “{notice}”. Enter days in file or "
                "editor",
                gpus=significant(contract.gpus),
                notice=contract.notice_written or "",
            )
            yield Check(
                code="notice_unknown",
                severity="amber",
                subject=contract.contract_id,
                message=text,
                usd_per_month=contract.cost_per_month,
            )


def _passed_words(ground: Ground, contract: Contract, ends_s: int, usd: float | None) -> dict[str, Part]:
    """How long before the plan the notice of an end was due, 12 days before which moment, what the renewal costs, and
    the contract as a command has it."""
    late = ground.window.end_s // DAY_S - decided_by_s(contract, ends_s) // DAY_S
    return {
        "late": worded_count(late, "{days} day", "{days} days", days=whole(late)),
        "when": worded("the end of the lookback period") if ground.origin == THE_WINDOW else ground.origin,
        "usd": "" if usd is None else worded(", which costs ${usd}", usd=whole(usd)),
        "own": shlex.quote(contract.contract_id),
        "given": worded_both(
            "If you gave notice: --notice-given {own}",
            "If you gave notice, mark the contract",
            own=shlex.quote(contract.contract_id),
        ),
    }


LEAST_IDLE_GPUS = 1.0


def check_idle_contracts(ground: Ground, orders: Sequence[Order]) -> Iterator[Check]:
    """Contracts that stand idle on one cluster while GPUs of their model are to be signed for another, or while planned
    work that names no cluster may be of several."""
    due = gpus_to_sign(to_sign(orders, ground.window.end_s))
    signed = summed((ordered.gpu_model, ordered.gpus) for ordered in due)
    several = {
        work.gpu_model: (work.name, clusters)
        for work in ground.scenario.planned
        if not work.cluster
        if len(clusters := clusters_with(ground.project, ground.scenario, work.gpu_model)) > 1
    }
    models = {model.gpu_model: model for model in ground.plan.models}
    for name, contracts in sorted(grouped((c.gpu_model, c) for c in ground.plan.contracts).items(), key=str):
        if name not in signed and name not in several:
            continue
        work, homes = several.get(name or "", ("", set[str]()))
        served, left = by_cluster(ground, models[name]) if name in models else ({}, {})
        held = summed((contract.cluster, contract.gpus) for contract in contracts)
        for cluster in sorted(held):
            here = [contract for contract in contracts if contract.cluster == cluster]
            idle = gpus_in_month(here, ground.window, 0) - served.get(cluster, 0.0)
            others = {other: gpus for other, gpus in left.items() if other not in (cluster, "") and gpus > 0}
            others = others if name in signed else {}  # planned work that names no cluster is of none
            around = others or {
                other: held.get(other, 0.0) for other in homes - {cluster} if cluster in homes
            }
            if idle < LEAST_IDLE_GPUS or not around:
                continue
            rate = mean_rates_in_month(here, ground.window, 0).idle
            usd = None if rate is None else idle * rate * HOURS_PER_MONTH
            other = max(sorted(around), key=around.__getitem__)
            same = option_of(Same(SameKind.CLUSTER, cluster, other))
            given: dict[str, Part] = {
                "idle": decimals(idle),
                "cluster": cluster,
                "usd": "" if usd is None else worded(" (${usd} per month)", usd=whole(usd)),
            }
            ask = worded_both(
                "If both are the same: {same}", "If both are the same: Plan > Match names", same=same
            )
            if others:
                text = worded(
                    "{idle} GPUs are idle on {cluster}{usd} while {other} needs most of the {signed} to order. "
                    "{ask}",
                    **given,
                    signed=whole(signed[name]),
                    other=other,
                    ask=ask,
                )
            else:
                text = worded(
                    "{idle} of its contract GPUs on {cluster} are idle{usd}. {work} names no cluster and "
                    "cannot use them; {other} also has contracts of the model. {ask}",
                    **given,
                    work=work,
                    other=other,
                    ask=ask,
                )
            yield Check(
                code="idle_beside_orders",
                severity="amber",
                subject=name or worded("unknown model"),
                message=text,
                usd_per_month=usd,
            )


def by_cluster(
    ground: Ground, model: ModelDemand, at_month: int = 0, of: Collection[tuple[Pool, str | None]] = ()
) -> tuple[dict[str, float], dict[str, float]]:
    """What contracts of a model serve on each cluster in a month and what they leave over, mean GPUs.

    of: rows of the model; empty: all.
    """
    hours = ground.window.hours
    *_, month = months_of(model, ground.plan.contracts, ground.window, ground.outlined, at_month + 1)
    served, left = dict[str, float](), dict[str, float]()
    for place, site in enumerate(model.sites):
        alone = replace(model, sites=(site,))
        here = tuple(
            PartState(share, replace(state, capacities=(state.capacities[place],))) for share, state in month
        )
        gpus = zip(model.rows, parts_in_months(alone, here, hours), strict=True)
        rows = [(ground.weights_of(row), in_all(parts)) for row, parts in gpus if not of or row in of]
        wanted = sum(weighted_mean(demand, weights) for weights, (demand, _) in rows)
        over = sum(weighted_mean(residual, weights) for weights, (_, residual) in rows)
        left[site.cluster], served[site.cluster] = over, wanted - over
    return served, left


def checks_of(
    ground: Ground,
    planned: Planned,
    pools: Sequence[PoolPlan],
    verdicts: Sequence[Verdict],
    orders: Sequence[Order],
    more: Sequence[Check],
) -> tuple[Check, ...]:
    """Every check that the plan gives rise to, worst first, then by code and subject; equal ones once.

    more: found elsewhere.

    What is so whatever is planned (a short log, contracts without a rate) is said by the audit.
    """
    checks = [
        *check_short_log(ground),
        *check_unknown_models(ground),
        *check_offers(ground, planned),
        *check_shares(ground, planned),
        *check_unpriced_rows(ground, planned),
        *check_limit_names(ground),
        *check_countries(ground),
        *check_held_levels(planned),
        *check_hardware(ground, pools),
        *check_spot(ground),
        *check_inference_on_spot(ground),
        *check_fallen_demand(ground, planned),
        *_ended(ground),
        *check_single_jobs(ground),
        *check_log_gaps(ground),
        *check_late_work(ground),
        *check_start(ground),
        *check_left_out_contracts(ground),
        *check_passed_notices(ground),
        *check_unreadable_notices(ground),
        *check_unknown_renewals(ground),
        *check_idle_contracts(ground, orders),
        *check_concentration(orders),
        *more,
    ]
    worst_first = ("red", "amber", "info")

    def rank(check: Check) -> tuple[int, str, str, str]:
        return worst_first.index(check.severity), check.code, str(check.subject), str(check.message)

    return tuple(sorted(dict.fromkeys(checks), key=rank))
