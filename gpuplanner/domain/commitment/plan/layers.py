"""Layers of one row in month 0: what exists, then each term, then use; busiest hours and whole dollars."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed, bound_in, share_in
from gpuplanner.domain.commitment.recursion.rates import break_evens
from gpuplanner.domain.commitment.recursion.slice_policy import LimitedUse
from gpuplanner.domain.commitment.slicing import weighted_mean
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.book.contract import Contract, mean_rate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of, whole_gpus
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S

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
    """Hourly GPUs that existing contracts leave in month 0, the busiest hour first, (hours,).

    Of a month in parts as many hours, picked evenly from those of all parts by their shares of the month. Law: its
    mean is theirs by days, but for what is picked.
    """
    parts = plan.demand.month_parts
    if len(parts) < 2:
        return np.sort(np.asarray(plan.demand.residual_gpus, dtype=np.float64))[::-1]
    values, at_or_below = _in_order([part.share for part in parts], [part.residual_gpus for part in parts])
    hours = len(plan.demand.residual_gpus)
    middles = (2 * np.arange(hours) + 1) * at_or_below[-1]
    picked: Floats = values[np.searchsorted(2 * hours * at_or_below, middles)]
    return picked[::-1]


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


# --- Layers of one row in month 0: what exists, then each term, longest first, then what is paid by use


def _existing(
    planned: PlannedRow, in_month_0: Sequence[Contract], weights: Floats | None
) -> list[result.Layer]:
    """What contracts that run serve in month 0, as one layer at their mean rate; none where they serve
    nothing.
    """
    served = weighted_mean(planned.demand_gpus - planned.residual_gpus, weights)
    if served <= 1e-9:  # less is rounding of the mean
        return []
    model = gpu_model_of(planned.row.gpu_model)
    rate = mean_rate(contract for contract in in_month_0 if contract.gpu_model == model)
    return [result.Layer(True, PricingCategory.COMMITTED, None, None, served, served, rate)]


def _committed(row: RowToPlan, signed: Signed, busy: Floats) -> list[result.Layer]:
    """One layer a term and offer; within a term in the order of their lowest slices."""
    pairs = dict.fromkeys(zip(signed.term[0].tolist(), signed.offer[0].tolist(), strict=True))
    layers = []
    for term, place in sorted((pair for pair in pairs if pair[0]), key=partial(_longest_first, row)):
        taken = (signed.term[0] == term) & (signed.offer[0] == place)
        offer = row.offers[place] if place >= 0 else None
        gpus = row.gpus(taken)
        used = float((busy * row.slicing.widths)[taken].sum())
        layers.append(committed_layer(term, gpus, offer, row.ratios, used))
    return layers


def _longest_first(row: RowToPlan, pair: tuple[int, int]) -> tuple[float, float]:
    """Longest term first, of terms in days those with more of them."""
    term, place = pair
    return -term, -row.offers[place].term_hours if place >= 0 else 0.0


def committed_layer(
    term: int, gpus: float, offer: Offer | None, ratios: Mapping[str, float], busy_gpus: float
) -> result.Layer:
    """A committed layer with its price: whole GPUs of the offer's model are paid for; offer None: nobody offers it.

    Its rate has what is paid upfront, spread over the term.
    offer: at its rate for the work of one GPU of the row's model; ratios: of mapped models, by offer_id.
    Law: gpus x rate and GPUs of the offer x its own rate come to the same $.
    """
    if offer is None or offer.spread_rate is None:
        return result.Layer(False, PricingCategory.COMMITTED, term, None, gpus, busy_gpus, None)
    ratio, rate = ratios.get(offer.offer_id), offer.spread_rate
    bought, own_rate = gpus, rate
    if ratio is not None or offer.unit_gpus is not None:
        bought, own_rate = whole_gpus(gpus, ratio or 1.0, offer.unit_gpus or 1), rate * (ratio or 1.0)
        rate = bought * own_rate / gpus
    return result.Layer(
        False,
        offer.pricing_category,
        term,
        offer.offer_id,
        gpus,
        busy_gpus,
        rate,
        paid_hours=min(HOURS_PER_MONTH, offer.term_hours),
        offer_gpu_model=offer.gpu_model,
        offer_gpus=bought,
        offer_rate=own_rate,
        term_days=offer.term_days,
    )


def _by_use(row: RowToPlan, signed: Signed, busy: Floats) -> list[result.Layer]:
    """What is paid by use in month 0, as one layer: none where nothing waits, or nobody rents to those who
    do.
    """
    by_use = by_use_share(row, signed)
    waiting = (busy > 0) & (by_use > 0)
    if row.use is not None:
        waiting &= ~np.isnan(row.use.rate[0])
    if not waiting.any():
        return []
    gpus, mean = row.gpus(waiting), busy * by_use * row.slicing.widths
    used = float(mean[waiting].sum())
    flex = row.flex if row.use is None else _flex_of(row.use, mean, waiting)
    if flex.rate is not None:
        flex = replace(flex, rate=flex.rate * row.market.use_prices[0])
    layer = result.Layer(
        False, flex.category, 0, flex.offer_id, gpus, used, flex.rate, flex.spot_share, blended=flex.blended
    )
    return [of_offer(layer, flex.gpu_model, row.ratios)]


def _flex_of(use: LimitedUse, mean: Floats, waiting: Bools) -> result.Flex:
    """What slices pay by use together in month 0, each at its own rate. mean: GPUs in use, (slices,)."""
    total = float(mean[waiting].sum())
    rate = float((mean * use.rate[0])[waiting].sum()) / total
    flexes = [use.flexes[at] for at in use.flex.tolist()]
    spot = sum(float(mean[k]) * flexes[k].spot_share for k in np.flatnonzero(waiting).tolist()) / total
    alike = {(flexes[k].category, flexes[k].offer_id, flexes[k].gpu_model) for k in np.flatnonzero(waiting)}
    if len(alike) == 1:
        category, offer_id, gpu_model = alike.pop()
        return result.Flex(rate, category, offer_id, spot, gpu_model)
    categories = {category for category, _, _ in alike}
    category = categories.pop() if len(categories) == 1 else PricingCategory.MIXED
    each = {flexes[k].blended or (flexes[k].offer_id or "",) for k in np.flatnonzero(waiting)}
    named = {offer_id for some in each for offer_id in some}
    return result.Flex(rate, category, None, spot, blended=() if "" in named else tuple(sorted(named)))


def by_use_share(row: RowToPlan, signed: Signed) -> Floats:
    """The share of each slice's use in month 0 that is paid by use: shape (slices,), 0..1.

    1 where the slice signs nothing, 0 where it signs a term of months; a term in days leaves 1 - days / month.
    Source: docs/formulas.md, Layers.
    """
    return np.where(signed.term[0] == 0, 1.0, _beside_days(row, signed))


def _beside_days(row: RowToPlan, signed: Signed) -> Floats:
    """Of each slice, (slices,): the share of a month that a term of less than one leaves to be paid by use."""
    left = np.zeros(row.slices)
    for place in np.unique(signed.offer[0]).tolist():
        if place >= 0:
            left[signed.offer[0] == place] = max(0.0, 1 - row.offers[place].term_hours / HOURS_PER_MONTH)
    return left


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


def runs_of(row: RowToPlan, signed: Signed) -> tuple[result.SliceRun, ...]:
    """Neighbouring slices with the same choice in month 0, from the bottom up; together all slices of the row.

    Slices are counted from 1. Rates are $ per GPU-hour, with what is paid upfront spread over the term.
    """
    used = row.busy.today(0) * row.slicing.widths
    if not row.slices:
        return ()
    change = (np.diff(signed.term[0]) != 0) | (np.diff(signed.offer[0]) != 0)
    begins = [0, *(np.flatnonzero(change) + 1).tolist(), row.slices]
    runs = []
    for begin, end in pairwise(begins):
        term, place = int(signed.term[0, begin]), int(signed.offer[0, begin])
        offer_id, rate = (row.flex.offer_id, row.flex.rate) if term == 0 else (None, None)
        if term and place >= 0:
            offer_id, rate = row.offers[place].offer_id, row.offers[place].spread_rate
        utilization = float(used[begin:end].sum()) / row.slicing.gpus(begin + 1, end)
        runs.append(result.SliceRun(begin + 1, end, term, offer_id, rate, utilization))
    return tuple(runs)


def bond_runs_of(row: RowToPlan, signed: Signed) -> tuple[result.BondRun, ...]:
    """Neighbouring slices that are bound alike in months 0..11, from the bottom up; together all slices of the row.

    Shapes: one bond for each of 12 months; None in a month in which nothing binds.
    """
    if not row.slices:
        return ()
    bound = [bound_in(signed, month) for month in range(COMPARED_MONTHS)]
    changes = [(np.diff(since) != 0) | (np.diff(place) != 0) for since, place in bound]
    begins = [0, *(np.flatnonzero(np.any(changes, axis=0)) + 1).tolist(), row.slices]
    return tuple(
        result.BondRun(
            begin + 1,
            end,
            tuple(
                _bond(row, int(since[begin]), int(place[begin]), month)
                for month, (since, place) in enumerate(bound)
            ),
        )
        for begin, end in pairwise(begins)
    )


def _bond(row: RowToPlan, since: int, place: int, month: int) -> result.Bond | None:
    """since, place: as in `bound_in`. A bond of no offer was set by hand to a term that nobody sells."""
    if since < 0:
        return None
    if place < 0:
        return result.Bond(since, None, None)
    offer = row.offers[place]
    share, upfront_share = share_in(row.calendar, offer, since, month)
    return result.Bond(since, offer.offer_id, offer.rate, share, upfront_share)


def _spans(slices: Bools) -> tuple[tuple[int, int], ...]:
    """Neighbours among them as first..last, from the bottom up, counted from 1."""
    changes = np.flatnonzero(np.diff(np.concatenate(([0], slices.astype(np.int64), [0]))))
    return tuple((int(begin) + 1, int(end)) for begin, end in zip(changes[::2], changes[1::2], strict=True))


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


def _rounding_words(row: RowToPlan, layers: Sequence[result.Layer]) -> Text:
    """What buying whole GPUs adds; empty under half a dollar a month."""
    usd = rounding_usd_per_month(layers, row.ratios)
    if usd < 0.5:
        return ""
    return worded(
        "buying whole GPUs adds ${usd} per month: no other choice of GPUs could save more than that",
        usd=whole(usd),
    )


def pool_plan(
    planned: PlannedRow,
    in_month_0: Sequence[Contract],
    weights: Floats | None,
    growth: float,
    on_demand: Offer | None,
    price_fall: float,
    note: Message,
) -> result.PoolPlan:
    """The plan of one row: its layers from the bottom, with their $ of month 0.

    in_month_0: contracts that run through it. weights: of the window's hours, (hours,), adding up to 1 (None: all
    alike). on_demand: the cheapest eligible (None: nobody offers any); growth, price_fall: ratios a month.
    Source: docs/formulas.md, Layers.
    Law: its layers cover all of the row's GPU-hours: gpus x utilization adds up to its mean.
    """
    row, signed, demand = planned.row, planned.signed, planned.demand_gpus
    busy = row.busy.today(0)
    on_demand_rate = None if on_demand is None else on_demand.rate
    layers = result.with_figures(
        (
            *_existing(planned, in_month_0, weights),
            *_committed(row, signed, busy),
            *_by_use(row, signed, busy),
        ),
        on_demand_rate,
    )
    return result.PoolPlan(
        row.pool,
        row.gpu_model,
        result.RowDemand(
            gpu_hours=float(demand.sum()),
            mean_gpus=float(demand.mean()),
            p95_gpus=p95_of(planned.month_parts),
            peak_gpus=peak_of(planned.month_parts),
            growth=growth,
            hourly_gpus=demand,
            residual_gpus=planned.residual_gpus,
            volatility=planned.volatility,
            month_parts=planned.month_parts,
        ),
        row.slicing,
        layers,
        runs_of(row, signed),
        break_evens(row.offers, row.flex.rate, row.market.churn, price_fall),
        known_sum([layer.cost_per_month for layer in layers]),
        row.flex,
        result.Supply(
            row.offers,
            frozenset(o.offer_id for o in row.offers if row.calendar.start_in(o, 0) is not None),
            row.ratios,
            on_demand_rate,
        ),
        note=joined(filter(None, (note, _rounding_words(row, layers))), "; "),
        by_hand=result.ByHand(
            row.hand is not None,
            tuple(level.term_months for level in row.hand or ()) if row.is_rest_advised else (),
        ),
        bond_runs=bond_runs_of(row, signed),
        given_up=() if planned.given_up is None else _spans(planned.given_up.slices),
    )


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
    """$ a month of every layer in whole dollars; None where a rate is missing.

    Law: layers of a row whose $ are all known add up to the row's own whole dollars.
    """
    return dict(zip(*_layers(advice), strict=True))


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
    return _parts(advice)[1]


def pool_dollars(advice: result.Advice) -> dict[Pool, int | None]:
    """$ a month of every pool in whole dollars; with the rows of idle GPUs they make the plan.

    None where a row of the pool has no known cost.
    """
    found: dict[Pool, int | None] = {}
    for plan, dollars in zip(advice.pools, _parts(advice)[0], strict=True):
        before = found.get(plan.pool, 0)
        found[plan.pool] = None if before is None or dollars is None else before + dollars
    return found


def layer_of(order: result.Order, advice: result.Advice) -> tuple[result.PoolPlan, result.Layer] | None:
    """The pool and the layer that an order of today buys.

    None for an order of a later month, and where no layer has its term and offer.
    """
    if order.month:
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

    Where an order is the whole of its layer both show the same number; else the order's own $ are rounded.
    """
    found = layer_of(order, advice)
    if found is not None and abs(found[1].gpus - order.gpus) < 1e-9:
        return layer_dollars(advice)[layer_key(*found)]
    return None if order.cost_per_month is None else round(order.cost_per_month)


def _parts(advice: result.Advice) -> tuple[list[int | None], list[int | None]]:
    """Pools and idle rows in whole dollars that add up to the rounded plan, where the plan is their sum."""
    pools = [plan.cost_per_month for plan in advice.pools]
    whole = largest_remainder([*pools, *(idle.cost_per_month for idle in advice.idle_existing)])
    return whole[: len(pools)], whole[len(pools) :]


def _layers(advice: result.Advice) -> tuple[list[LayerKey], list[int | None]]:
    """Keys and whole dollars of all layers, row by row; layers of a row share out its rounded sum by largest
    remainder.
    """
    keys: list[LayerKey] = []
    dollars: list[int | None] = []
    for plan, total in zip(advice.pools, _parts(advice)[0], strict=True):
        values = [layer.cost_per_month for layer in plan.layers]
        known = sum(value for value in values if value is not None)
        fits = total is not None and None not in values and abs(known - total) < 1
        keys += [layer_key(plan, layer) for layer in plan.layers]
        dollars += largest_remainder(values, float(total) if fits and total is not None else None)
    return keys, dollars
