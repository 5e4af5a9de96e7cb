"""Layers of one row in a month: what exists, then each term, then use; busiest hours and whole dollars."""

from collections.abc import Mapping, Sequence
from itertools import compress, pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.demand.slicing import weighted_mean
from gpuplanner.domain.commitment.plan.ground import LEAST_GPUS, Ground
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS, Listed, RowList
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.commitment.plan.runs import PlannedRun
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, sold_soonest
from gpuplanner.domain.commitment.recursion.calendar import length_s
from gpuplanner.domain.commitment.recursion.rates import break_evens
from gpuplanner.domain.commitment.recursion.slice_policy import NOBODY
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import HALF_A_CENT, known_sum, largest_remainder
from gpuplanner.domain.model.book.extras import extras_over, mean_extras
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, paid_gpus
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import replace

# --- The busiest hours of month 0, over the parts that beginnings, ends and steps cut it into: peak, p95, all in order


def peak_of(parts: Sequence[result.MonthPart]) -> float:
    """The largest hourly demand in any part of the month, GPUs.

    parts: of month 0, at least one. Errors: ValueError without any.
    """
    return max(float(part.demand_gpus.max()) for part in parts)


def p95_of(parts: Sequence[result.MonthPart]) -> float:
    """The smallest hourly demand with at least 95% of the hours at or below it, GPUs.

    Each part's hours count by its share of the month. Law: 0 <= p95 <= peak; parts that are alike are as one.
    """
    if len(parts) == 1:
        gpus = parts[0].demand_gpus
        return float(np.sort(gpus)[(95 * len(gpus) + 99) // 100 - 1])
    values, at_or_below = _in_order([part.share for part in parts], [part.demand_gpus for part in parts])
    return float(values[np.searchsorted(100 * at_or_below, 95 * at_or_below[-1])])


def busiest_first(plan: result.PoolPlan) -> Floats:
    """Hourly GPUs that existing contracts leave in month 0, without planned runs, the busiest hour first, (hours,).

    Of a month in parts as many hours, picked evenly from those of all parts by their shares of the month. Law: its
    mean is theirs by days, but for what is picked.
    """
    of_log = plan.apart or plan.demand
    parts, hours = of_log.month_parts, len(of_log.residual_gpus)
    if len(parts) < 2:
        return np.sort(np.asarray(of_log.residual_gpus, dtype=np.float64))[::-1]
    values, at_or_below = _in_order([part.share for part in parts], [part.residual_gpus for part in parts])
    middles = (2 * np.arange(hours) + 1) * at_or_below[-1]
    picked: Floats = values[np.searchsorted(2 * hours * at_or_below, middles)]
    return picked[::-1]


class HeldTerm(NamedTuple):
    """GPUs of a term, and their mean over month 0."""

    gpus: float
    mean_gpus: float


def held_terms(plan: result.PoolPlan) -> dict[int, HeldTerm]:
    """GPUs of each term that the log's demand is bought, longest first, and their mean over month 0: without planned
    runs, which are bought apart."""
    sums: dict[int, HeldTerm] = {}
    for sign, layers in ((1, plan.layers), (-1, plan.apart.layers if plan.apart else ())):
        for layer in layers:
            if layer.is_new:
                gpus, held = sums.get(layer.term_months or 0, HeldTerm(gpus=0.0, mean_gpus=0.0))
                mean = sign * layer.gpus * layer.paid_hours / HOURS_PER_MONTH
                sums[layer.term_months or 0] = HeldTerm(gpus=gpus + sign * layer.gpus, mean_gpus=held + mean)
    return {term: sums[term] for term in sorted(sums, reverse=True) if sums[term].gpus > LEAST_GPUS}


def beyond_offers(planned: PlannedRow) -> tuple[result.LevelBeyondOffers, ...]:
    """Return the levels set by hand that are above what the offers of their term have when they can start.

    A level of a term that nobody sells is none of them: its price is unknown.
    """
    row, beyond = planned.row, []
    for level in row.hand or ():
        sold = sold_soonest(row, level.term_months)
        if sold is None:
            continue
        bought = round(row.gpus(np.isin(planned.signed.orders.offer[sold.month], sold.places)))
        if bought < level.gpus:
            names = [row.offers[place].offer_id for place in sold.places]
            most = [row.offers[place].max_gpus for place in sold.places]
            every = sum(
                (gpus or 0) * row.ratios.get(name, 1.0) for gpus, name in zip(most, names, strict=True)
            )
            beyond.append(
                result.LevelBeyondOffers(
                    term_months=level.term_months,
                    gpus=level.gpus,
                    offered_gpus=bought,
                    offers=len(sold.places),
                    is_left=bought <= every - row.slicing.block,
                )
            )
    return tuple(beyond)


def added(several: Sequence[Sequence[result.MonthPart]]) -> tuple[result.MonthPart, ...]:
    """Several rows together, whose months have the same parts.

    Errors: ValueError where rows have not the same number of parts.
    """
    return tuple(
        result.MonthPart(
            same[0].share,
            np.sum([part.demand_gpus for part in same], axis=0),
            np.sum([part.residual_gpus for part in same], axis=0),
        )
        for same in zip(*several, strict=True)
    )


def _in_order(shares: Sequence[float], hourly: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Hours of all parts, the least first, and for how long it is that or less: seconds of the month times hours."""
    values = np.concatenate(hourly)
    lengths_s = [round(share * MONTH_S) for share in shares]  # whole, so that 95% is met to the hour
    order = np.argsort(values)
    weights = np.repeat(np.array(lengths_s, dtype=np.int64), [len(gpus) for gpus in hourly])
    return values[order], weights[order].cumsum()


# --- Layers of one row in a month: what exists, then each term, longest first, then what is paid by use


def _existing(
    planned: PlannedRow, of_runs: Sequence[tuple[float, float]], rate: float | None, weights: Floats | None
) -> list[result.Layer]:
    """What contracts serve in a month, as one layer at their mean rate; none where they serve nothing."""
    served = weighted_mean(planned.demand_gpus - planned.residual_gpus, weights)
    served += sum(gpus for _, gpus in of_runs)
    if served <= 1e-9:  # less is rounding of the mean
        return []
    return [
        result.Layer(
            existing=True,
            pricing_category=PricingCategory.COMMITTED,
            term_months=None,
            offer_id=None,
            gpus=served,
            busy_gpus=served,
            rate=rate,
        )
    ]


def committed_layers(lists: Sequence[tuple[RowToPlan, RowList]], month: int) -> list[result.Layer]:
    """One layer an offer, of slices and runs together, longest term first; its $ from its start on."""
    by_offer: dict[str | None, list[tuple[Listed, float, float]]] = {}
    offers: dict[str, Offer] = {}
    ratios: dict[str, float] = {}
    for row, listed in lists:
        ratios.update(row.ratios)
        parts = listed.parts_of(month)
        edges_s = listed.edges_s[parts.start : parts.stop + 1]
        for order, hours in listed.running(month):
            offer = row.offers[order.place] if order.place >= 0 else None
            if offer is not None:
                offers[offer.offer_id] = offer
            inside = order.hours_in(edges_s[:-1], edges_s[1:])
            busy = inside @ listed.busy[parts][:, order.slices]
            used = float((busy * row.slicing.widths[order.slices]).sum())
            by_offer.setdefault(None if offer is None else offer.offer_id, []).append((order, hours, used))
    layers = []
    for offer_id, held in by_offer.items():
        gpus, gpu_hours = sum(o.gpus for o, *_ in held), sum(o.gpus * hours for o, hours, _ in held)
        hours, offer = gpu_hours / gpus, offers.get(offer_id or "")
        term = round(held[-1][0].hours / HOURS_PER_MONTH) if offer is None else offer.term_months
        usd = sum((order.usd_per_hour or 0.0) * inside for order, inside, _ in held)
        paid, used = sum(order.paid_gpus for order, *_ in held), sum(hours_used for *_, hours_used in held)
        layers.append(committed_layer(term, gpus, offer, ratios, used / hours, hours, paid, usd / gpu_hours))
    return sorted(layers, key=lambda layer: _longest_first(layer, offers))


def _longest_first(layer: result.Layer, offers: Mapping[str, Offer]) -> tuple[float, float]:
    """Longest term first, of terms in days those with more of them; of one length the cheapest first, as they come."""
    offer = offers.get(layer.offer_id or "")
    return -(layer.term_months or 0), 0.0 if offer is None else -length_s(offer)


def committed_layer(
    term: int,
    gpus: float,
    offer: Offer | None,
    ratios: Mapping[str, float],
    busy_gpus: float,
    paid_hours: float = HOURS_PER_MONTH,
    paid: float | None = None,
    rate: float | None = None,
) -> result.Layer:
    """A committed layer with its price: whole GPUs of the offer's model are paid for; offer None: nobody offers it.

    Its rate has what is paid upfront, spread over the term. paid_hours: of the month, from its start on; paid: GPUs of
    the row's model that are paid for, rate: $ per GPU-hour of those that work, where orders say so (None: of one
    order). offer: at its rate for the work of one GPU of the row's model; ratios: of mapped models, by offer_id. Law:
    gpus x rate and GPUs of the offer x its own rate come to the same $.
    """
    if offer is None or offer.spread_rate is None:
        return result.Layer(
            existing=False,
            pricing_category=PricingCategory.COMMITTED,
            term_months=term,
            offer_id=None,
            gpus=gpus,
            busy_gpus=busy_gpus,
            rate=None,
            paid_hours=paid_hours,
        )
    ratio = ratios.get(offer.offer_id)
    if paid is None:
        paid = paid_gpus(gpus, ratio, offer.unit_gpus)
    if rate is None:
        rate = offer.spread_rate * paid / gpus
    bought = paid if ratio is None else round(paid / ratio, 9)  # whole ones
    return result.Layer(
        existing=False,
        pricing_category=offer.pricing_category,
        term_months=term,
        offer_id=offer.offer_id,
        gpus=gpus,
        busy_gpus=busy_gpus,
        rate=rate,
        paid_hours=paid_hours,
        offer_gpu_model=offer.gpu_model,
        offer_gpus=bought,
        offer_rate=rate * gpus / bought,
        term_days=offer.term_days,
        extras=extras_over([(offer.extras, rate / offer.spread_rate)], 1.0),
    )


def _by_use(lists: Sequence[tuple[RowToPlan, RowList]], month: int) -> list[result.Layer]:
    """What is paid by use in a month, of slices and runs together, as one layer; none where nothing is.

    What nobody sells by use is a layer without a rate; what nobody may serve is none.
    """
    gpus = used = usd = 0.0
    flexes: list[tuple[result.Flex, float]] = []
    is_known = True
    for row, listed in lists:
        parts = listed.parts_of(month)
        by_slice = listed.used[parts].sum(axis=0)
        if not by_slice.any():
            continue
        gpus += row.gpus(by_slice > 0)
        used += float(by_slice.sum())
        here = listed.use_usd(month)
        is_known &= here is not None
        usd += here or 0.0
        flexes += flexes_in(row, listed, month)
    if not used:
        return []
    flex = _together(flexes)
    layer = result.Layer(
        existing=False,
        pricing_category=flex.category,
        term_months=0,
        offer_id=flex.offer_id,
        gpus=gpus,
        busy_gpus=used / HOURS_PER_MONTH,
        rate=usd / used if is_known else None,
        spot_share=flex.spot_share,
        blended=flex.blended,
        extras=flex.extras,
    )
    return [
        of_offer(layer, flex.gpu_model, {key: ratio for row, _ in lists for key, ratio in row.ratios.items()})
    ]


def flexes_in(row: RowToPlan, listed: RowList, month: int) -> list[tuple[result.Flex, float]]:
    """How a row is paid by use in a month, with the GPU-hours of each way."""
    by_slice = listed.used[listed.parts_of(month)].sum(axis=0)
    if row.use is None:
        return [(row.flex, float(by_slice.sum()))] if by_slice.any() else []
    ways = zip(row.use.flex.tolist(), by_slice.tolist(), strict=True)
    return [(row.use.flexes[at], hours) for at, hours in ways if hours]


def _together(flexes: Sequence[tuple[result.Flex, float]]) -> result.Flex:
    """How GPUs are bought by use that are bought in several ways, by the GPU-hours of each; its rate is not told."""
    kinds = {flex for flex, _ in flexes}
    if len(kinds) == 1:
        return kinds.pop()
    total = sum(hours for _, hours in flexes)
    spot = sum(flex.spot_share * hours for flex, hours in flexes) / total
    extras = mean_extras((dict(flex.extras), hours) for flex, hours in flexes)
    alike = {(flex.category, flex.offer_id, flex.gpu_model) for flex, _ in flexes}
    if len(alike) == 1:
        category, offer_id, gpu_model = alike.pop()
        return result.Flex(
            rate=None,
            category=category,
            offer_id=offer_id,
            spot_share=spot,
            gpu_model=gpu_model,
            extras=extras,
        )
    categories = {category for category, _, _ in alike}
    category = categories.pop() if len(categories) == 1 else PricingCategory.MIXED
    named = {offer_id for flex, _ in flexes for offer_id in flex.blended or (flex.offer_id or "",)}
    blended = () if "" in named else tuple(sorted(named))
    return result.Flex(
        rate=None, category=category, offer_id=None, spot_share=spot, blended=blended, extras=extras
    )


def of_offer(layer: result.Layer, gpu_model: str | None, ratios: Mapping[str, float]) -> result.Layer:
    """A layer paid by use, told in GPUs of its offer's model too; it is paid by the hour, so they need not be whole.

    ratios: of mapped models, by offer_id: GPUs of the row's model that one of the offer's is worth. Law: GPUs
    times rate come to the same $ on both sides.
    """
    if layer.offer_id is None:
        return layer
    ratio, rate = ratios.get(layer.offer_id), layer.rate
    return replace(
        layer,
        offer_gpu_model=gpu_model,
        offer_gpus=layer.gpus if ratio is None else layer.gpus / ratio,
        offer_rate=rate if ratio is None or rate is None else rate * ratio,
    )


def runs_of(planned: PlannedRow) -> tuple[result.SliceRun, ...]:
    """Neighbouring slices with the same choice in month 0, from the bottom up; together all slices of the row.

    Slices are counted from 1. Rates are $ per GPU-hour, with what is paid upfront spread over the term.
    """
    row, now, terms = planned.row, planned.signed.now, planned.term_now
    if not row.slices:
        return ()
    # -2: nobody sells it; -1: by use
    rates = [*(offer.spread_rate for offer in row.offers), None, row.flex.rate]
    differs = (np.diff(now) != 0) | (np.diff(terms) != 0)
    begins = [0, *(np.flatnonzero(differs) + 1).tolist(), row.slices]
    return tuple(
        result.SliceRun(begin + 1, end, int(terms[begin]), rates[int(now[begin])])
        for begin, end in pairwise(begins)
    )


def bands_of(planned: PlannedRow) -> tuple[result.Band, ...]:
    """Neighbouring slices that the same orders hold, from the bottom up; together all of the row."""
    row, edges_s = planned.row, planned.listed.edges_s
    if not row.slices:
        return ()
    held: list[list[int]] = [[] for _ in range(row.slices)]
    unsold: list[list[tuple[int, int]]] = [[] for _ in range(row.slices)]
    for at, order in enumerate(planned.listed.orders):
        if order.start_s < edges_s[-1]:
            for k in order.slices.tolist():
                held[k].append(at)
                if order.place == NOBODY:
                    unsold[k].append((order.start_s, order.end_s))
    denied = [_denied(planned, k) for k in range(row.slices)]
    placed: list[tuple[tuple[int, int], ...]] = [()] * row.slices
    if row.held is not None:
        spans = [*pairwise(edges_s.tolist())]
        placed = [tuple(compress(spans, column)) for column in row.held[: len(spans)].T]
    rates: list[tuple[float | None, ...]] = [()] * row.slices
    if row.use is not None:
        columns = row.use.rate[:COMPARED_MONTHS].T.tolist()
        rates = [tuple(None if np.isnan(rate) else rate for rate in column) for column in columns]
    keys = list(zip(held, denied, rates, placed, strict=True))
    begins = [0, *(k for k in range(1, row.slices) if keys[k] != keys[k - 1]), row.slices]
    return tuple(
        result.Band(
            first_slice=begin + 1,
            last_slice=end,
            unsold=tuple(unsold[begin]),
            denied=denied[begin],
            use_rates=rates[begin],
            placed=placed[begin],
        )
        for begin, end in pairwise(begins)
    )


def _denied(planned: PlannedRow, slice_: int) -> tuple[tuple[int, int], ...]:
    """Spans in which nobody serves the use of a slice, for a budget: as much of each part, at its end."""
    if planned.denied_h is None:
        return ()
    edges_s = planned.listed.edges_s
    hours = planned.denied_h[: len(edges_s) - 1, slice_]
    return tuple(
        (int(edges_s[at + 1] - round(hours[at] * HOUR_S)), int(edges_s[at + 1]))
        for at in np.flatnonzero(hours).tolist()
    )


def rounding_usd_per_month(layers: Sequence[result.Layer], ratios: Mapping[str, float]) -> float:
    """What the committed layers of mapped models cost beyond the work that they do, since GPUs are bought whole.

    Law: below the price of one GPU a layer. The policy compares fractions, so it costs no more than any plan in whole
    GPUs; what rounding adds is therefore also the most that another choice could save.
    """
    total = 0.0
    for layer in layers:
        ratio = ratios.get(layer.offer_id or "")
        bought, rate = layer.offer_gpus, layer.offer_rate
        if ratio is not None and layer.term_months and bought is not None and rate is not None:
            total += (bought - layer.gpus / ratio) * rate * HOURS_PER_MONTH
    return total


def describe_rounding(row: RowToPlan, layers: Sequence[result.Layer]) -> Text:
    """What buying whole GPUs adds; empty under half a dollar a month."""
    usd = rounding_usd_per_month(layers, row.ratios)
    if usd < 0.5:
        return ""
    return worded("whole GPUs add ${usd} per month; other choices save no more", usd=whole(usd))


def pool_plan(
    ground: Ground,
    planned: PlannedRow,
    runs: Sequence[PlannedRun],
    contract_rate: float | None,
    on_demand: Offer | None,
    note: Message,
    month: int = 0,
) -> result.PoolPlan:
    """The plan of one row: its layers from the bottom, with their $ of a month, whose demand `planned` has.

    runs: that are bought apart in it. contract_rate: the mean of its model's contracts in it, $ per GPU-hour.
    on_demand: the cheapest eligible (None: nobody offers any).
    Source: docs/formulas/layers.md.
    Law: its layers cover all of the row's GPU-hours: gpus x utilization adds up to its mean.
    """
    row, begin_s = planned.row, month * MONTH_S
    of_runs = [run.gpus_between(begin_s, begin_s + MONTH_S) for run in runs]
    demand = planned.demand_gpus + sum(gpus for gpus, _ in of_runs)
    residual = planned.residual_gpus + sum(gpus - served for gpus, served in of_runs)
    on_demand_rate = None if on_demand is None else on_demand.rate
    lists = [(row, planned.listed), *((run.row, run.listed) for run in runs)]
    weights = ground.weights_of(Row(row.pool, row.gpu_model))
    layers = result.with_figures(
        (
            *_existing(planned, of_runs, contract_rate, weights),
            *committed_layers(lists, month),
            *_by_use(lists, month),
        ),
        on_demand_rate,
    )
    parts = with_runs(planned.month_parts, runs, begin_s)
    apart = result.Apart(
        (*committed_layers(lists[1:], month), *_by_use(lists[1:], month)),
        sum(gpus - served for gpus, served in of_runs),
        planned.residual_gpus,
        planned.month_parts,
    )
    return result.PoolPlan(
        pool=row.pool,
        gpu_model=row.gpu_model,
        demand=result.RowDemand(
            gpu_hours=float(demand.sum()),
            mean_gpus=float(demand.mean()),
            p95_gpus=p95_of(parts),
            peak_gpus=peak_of(parts),
            growth=ground.growth[row.pool],
            hourly_gpus=demand,
            residual_gpus=residual,
            volatility=planned.volatility,
            month_parts=parts,
            weights=weights,
        ),
        slicing=row.slicing,
        layers=layers,
        runs=runs_of(planned),
        break_even=break_evens(row.offers, row.flex.rate, row.market.churn, ground.assumptions.delta),
        cost_per_month=known_sum([layer.cost_per_month for layer in layers]),
        flex=row.flex,
        supply=result.Supply(
            row.offers,
            frozenset(o.offer_id for o in row.offers if row.calendar.is_open_in(o, 0)),
            row.ratios,
            on_demand_rate,
        ),
        note=joined(filter(None, (note, describe_rounding(row, layers))), "; "),
        by_hand=result.ByHand(
            is_set=row.hand is not None,
            held_terms=tuple(level.term_months for level in row.hand or ()) if row.is_rest_advised else (),
            levels=row.hand or (),
            beyond=beyond_offers(planned),
        ),
        bands=bands_of(planned),
        unserved_gpu_hours=sum(listed.unserved_in(month) for _, listed in lists),
        apart=apart if runs else None,
    )


def with_runs(
    parts: Sequence[result.MonthPart], runs: Sequence[PlannedRun], begin_s: int = 0
) -> tuple[result.MonthPart, ...]:
    """The parts of a month with what runs want in them, cut where one begins or ends.

    begin_s: of the month, seconds from the plan's first moment.
    """
    if not runs:
        return tuple(parts)
    edges = [
        begin_s,
        *(begin_s + round(MONTH_S * share) for share in np.cumsum([part.share for part in parts]).tolist()),
    ]
    moments = {int(at) for run in runs for at in run.row.busy.parts.edges_s}
    answer = []
    for part, (first_s, last_s) in zip(parts, pairwise(edges), strict=True):
        cuts = [first_s, *sorted(at for at in moments if first_s < at < last_s), last_s]
        for from_s, to_s in pairwise(cuts):
            gpus = [run.gpus_between(from_s, to_s) for run in runs]
            answer.append(
                result.MonthPart(
                    (to_s - from_s) / MONTH_S,
                    part.demand_gpus + sum(whole for whole, _ in gpus),
                    part.residual_gpus + sum(whole - served for whole, served in gpus),
                )
            )
    return tuple(answer)


# --- Whole dollars of the plan's layers: the same ones in every panel, and they add up to the plan

LayerKey = tuple[Pool, str | None, bool, PricingCategory, int | None, str | None]


def layer_key(plan: result.PoolPlan, layer: result.Layer) -> LayerKey:
    """What a layer of a plan is told by: pool, GPU model, existing, category, term, offer.

    No two layers of a plan have the same one.
    """
    return (
        plan.pool,
        plan.gpu_model,
        layer.existing,
        layer.pricing_category,
        layer.term_months,
        layer.offer_id,
    )


def layer_dollars(advice: result.Advice) -> dict[LayerKey, int | None]:
    """$ a month of every layer in whole dollars, row by row by largest remainder; None where a rate is missing.

    Law: layers of a row whose $ are all known add up to the row's own whole dollars.
    """
    dollars: dict[LayerKey, int | None] = {}
    for plan, total in zip(advice.pools, _whole_dollars(advice).pools, strict=True):
        values = [layer.cost_per_month for layer in plan.layers]
        known = sum(value for value in values if value is not None)
        fits = total is not None and None not in values and abs(known - total) < 1
        shared = largest_remainder(values, float(total) if fits and total is not None else None)
        dollars |= zip((layer_key(plan, layer) for layer in plan.layers), shared, strict=True)
    return dollars


def term_dollars(
    advice: result.Advice, plan: result.PoolPlan
) -> dict[tuple[bool, PricingCategory, int | None], int | None]:
    """$ a month of a row in whole dollars by existing, category and term, whatever the offers.

    None as soon as one layer of that term has no rate.
    """
    dollars: dict[tuple[bool, PricingCategory, int | None], int | None] = {}
    for (pool, model, existing, category, term_months, _), amount in layer_dollars(advice).items():
        if (pool, model) == (plan.pool, plan.gpu_model):
            key = (existing, category, term_months)
            before = dollars.get(key, 0)
            dollars[key] = None if before is None or amount is None else before + amount
    return dollars


def idle_dollars(advice: result.Advice) -> list[int | None]:
    """$ a month of every row of idle existing GPUs, in the plan's order; with the layers they make the plan.

    None where the cost of what stands idle is unknown.
    """
    return _whole_dollars(advice).idle


def is_in_first_month(order: result.Order, advice: result.Advice) -> bool:
    """Whether an order starts in the month that the layers of a plan are of."""
    return not advice.comparison or order.start_s < advice.comparison[0].start_s + MONTH_S


def layer_of(order: result.Order, advice: result.Advice) -> tuple[result.PoolPlan, result.Layer] | None:
    """The pool and the layer that an order of today buys.

    None where no layer has its term and offer: an order of a later month has none.
    """
    if not is_in_first_month(order, advice):
        return None
    for plan in advice.pools:
        if plan.pool is order.pool and plan.gpu_model == order.gpu_model:
            for layer in plan.layers:
                same = layer.term_months == order.term_months and layer.offer_id == order.offer_id
                if same and not layer.existing:
                    return plan, layer
    return None


def order_dollars(order: result.Order, advice: result.Advice) -> int | None:
    """$ a month of an order in whole dollars: those of its layer where it is the layer; None without a rate.

    Where an order is the whole of its layer, all month, both show the same number; else the order's own $ are rounded.
    """
    layer, usd = layer_of(order, advice), order.cost_per_month
    if usd is None:
        return None
    if layer is not None and abs((layer[1].cost_per_month or 0.0) - usd) < HALF_A_CENT:
        return layer_dollars(advice)[layer_key(*layer)]
    return round(usd)


class _WholeDollars(NamedTuple):
    """$ a month of pools and of rows of idle GPUs, in the plan's order; None where a cost is unknown."""

    pools: list[int | None]
    idle: list[int | None]


def _whole_dollars(advice: result.Advice) -> _WholeDollars:
    """Pools and idle rows in whole dollars that add up to the rounded plan, where the plan is their sum."""
    pools = [plan.cost_per_month for plan in advice.pools]
    whole = largest_remainder([*pools, *(idle.cost_per_month for idle in advice.idle_existing)])
    return _WholeDollars(pools=whole[: len(pools)], idle=whole[len(pools) :])


# --- Several layers as one: their sums and means

SUMS: Final = (*(key for key in result.FIGURES if key != "utilization"), "offer_gpus")
"""Fields that are added up when several layers are shown as one."""


def together(layers: Sequence[result.Layer]) -> dict[str, float | None]:
    """Return the cost and the paid GPU-hours of several layers, per month, by the keys of LAYER.

    None if one layer's is unknown.
    """
    keys = ("cost_per_month", "paid_gpu_hours_per_month")
    return {key: known_sum([getattr(layer, key) for layer in layers]) for key in keys}


def mean_rate(layers: Sequence[result.Layer]) -> float | None:
    """Return the mean rate of layers, $ per GPU-hour; None if a cost is unknown, or without GPUs.

    Source: docs/formulas/layers.md.
    """
    return LAYER.row(together(layers), ["mean_rate"])["mean_rate"]


def mean_paid_gpus(layers: Sequence[result.Layer]) -> float:
    """Return the mean GPUs that layers pay for over a month; terms in days count for their days.

    Source: docs/formulas/layers.md.
    """
    return sum(layer.mean_gpus * layer.paid_hours for layer in layers) / HOURS_PER_MONTH


def used_of(layers: Sequence[result.Layer]) -> float | None:
    """Return the share of paid GPU-hours in use, 0..1; None without GPU-hours. Terms in days count for their days."""
    busy = sum(layer.busy_gpus * layer.paid_hours for layer in layers)
    return result.used_share(busy, sum(layer.gpus * layer.paid_hours for layer in layers))


def as_one(layers: Sequence[result.Layer]) -> result.Layer:
    """Return layers of one kind as one: sums and means, otherwise the values of the first layer.

    A sum is unknown if a part is. Errors: IndexError without a layer. Source: docs/formulas/layers.md.
    """
    sums: dict[str, Any] = {key: known_sum([getattr(layer, key) for layer in layers]) for key in SUMS}
    return replace(
        layers[0],
        gpus=sum(layer.gpus for layer in layers),
        busy_gpus=sum(layer.busy_gpus for layer in layers),
        rate=mean_rate(layers),
        utilization=used_of(layers),
        extras=mean_extras((dict(layer.extras), layer.mean_gpus * layer.paid_hours) for layer in layers),
        **sums,
    )
