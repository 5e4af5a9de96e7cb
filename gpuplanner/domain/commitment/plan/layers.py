"""Layers of one row in month 0: what exists, then each term, longest first, then what is paid by use."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats
from gpuplanner.domain.commitment.demand.slices import weighted_mean
from gpuplanner.domain.commitment.layer_figures import with_figures
from gpuplanner.domain.commitment.plan.highest_hours import p95_of, peak_of
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed, bound_in, share_in
from gpuplanner.domain.commitment.recursion.limited_use import LimitedUse
from gpuplanner.domain.commitment.recursion.rates import Flex, break_evens
from gpuplanner.domain.commitment.result import Bond, BondRun, Layer, PoolPlan, SliceRun
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import mean_rate
from gpuplanner.domain.model.book.model_mapping import whole_gpus
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def _existing(planned: PlannedRow, in_month_0: Sequence[Contract], weights: Floats | None) -> list[Layer]:
    """What contracts that run serve in month 0, as one layer at their mean rate; none where they serve
    nothing.
    """
    served = weighted_mean(planned.demand_gpus - planned.residual_gpus, weights)
    if served <= 1e-9:  # less is rounding of the mean
        return []
    model = gpu_model_of(planned.row.gpu_model)
    rate = mean_rate(contract for contract in in_month_0 if contract.gpu_model == model)
    return [Layer(True, PricingCategory.COMMITTED, None, None, served, served, rate)]


def _committed(row: RowToPlan, signed: Signed, busy: Floats) -> list[Layer]:
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
) -> Layer:
    """A committed layer with its price: whole GPUs of the offer's model are paid for; offer None: nobody offers it.

    Its rate has what is paid upfront, spread over the term.
    offer: at its rate for the work of one GPU of the row's model; ratios: of mapped models, by offer_id.
    Law: gpus x rate and GPUs of the offer x its own rate come to the same $.
    """
    if offer is None or offer.spread_rate is None:
        return Layer(False, PricingCategory.COMMITTED, term, None, gpus, busy_gpus, None)
    ratio, rate = ratios.get(offer.offer_id), offer.spread_rate
    bought, own_rate = gpus, rate
    if ratio is not None or offer.unit_gpus is not None:
        bought, own_rate = whole_gpus(gpus, ratio or 1.0, offer.unit_gpus or 1), rate * (ratio or 1.0)
        rate = bought * own_rate / gpus
    return Layer(
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


def _by_use(row: RowToPlan, signed: Signed, busy: Floats) -> list[Layer]:
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
    layer = Layer(
        False, flex.category, 0, flex.offer_id, gpus, used, flex.rate, flex.spot_share, blended=flex.blended
    )
    return [of_offer(layer, flex.gpu_model, row.ratios)]


def _flex_of(use: LimitedUse, mean: Floats, waiting: Bools) -> Flex:
    """What slices pay by use together in month 0, each at its own rate. mean: GPUs in use, (slices,)."""
    total = float(mean[waiting].sum())
    rate = float((mean * use.rate[0])[waiting].sum()) / total
    flexes = [use.flexes[at] for at in use.flex.tolist()]
    spot = sum(float(mean[k]) * flexes[k].spot_share for k in np.flatnonzero(waiting).tolist()) / total
    alike = {(flexes[k].category, flexes[k].offer_id, flexes[k].gpu_model) for k in np.flatnonzero(waiting)}
    if len(alike) == 1:
        category, offer_id, gpu_model = alike.pop()
        return Flex(rate, category, offer_id, spot, gpu_model)
    categories = {category for category, _, _ in alike}
    category = categories.pop() if len(categories) == 1 else PricingCategory.MIXED
    each = {flexes[k].blended or (flexes[k].offer_id or "",) for k in np.flatnonzero(waiting)}
    named = {offer_id for some in each for offer_id in some}
    return Flex(rate, category, None, spot, blended=() if "" in named else tuple(sorted(named)))


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


def of_offer(layer: Layer, gpu_model: str | None, ratios: Mapping[str, float]) -> Layer:
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


def runs_of(row: RowToPlan, signed: Signed) -> tuple[SliceRun, ...]:
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
        runs.append(SliceRun(begin + 1, end, term, offer_id, rate, utilization))
    return tuple(runs)


def bond_runs_of(row: RowToPlan, signed: Signed) -> tuple[BondRun, ...]:
    """Neighbouring slices that are bound alike in months 0..11, from the bottom up; together all slices of the row.

    Shapes: one bond for each of 12 months; None in a month in which nothing binds.
    """
    if not row.slices:
        return ()
    bound = [bound_in(signed, month) for month in range(COMPARED_MONTHS)]
    changes = [(np.diff(since) != 0) | (np.diff(place) != 0) for since, place in bound]
    begins = [0, *(np.flatnonzero(np.any(changes, axis=0)) + 1).tolist(), row.slices]
    return tuple(
        BondRun(
            begin + 1,
            end,
            tuple(
                _bond(row, int(since[begin]), int(place[begin]), month)
                for month, (since, place) in enumerate(bound)
            ),
        )
        for begin, end in pairwise(begins)
    )


def _bond(row: RowToPlan, since: int, place: int, month: int) -> Bond | None:
    """since, place: as in `bound_in`. A bond of no offer was set by hand to a term that nobody sells."""
    if since < 0:
        return None
    if place < 0:
        return Bond(since, None, None)
    offer = row.offers[place]
    share, upfront_share = share_in(row.calendar, offer, since, month)
    return Bond(since, offer.offer_id, offer.rate, share, upfront_share)


def _spans(slices: Bools) -> tuple[tuple[int, int], ...]:
    """Neighbours among them as first..last, from the bottom up, counted from 1."""
    changes = np.flatnonzero(np.diff(np.concatenate(([0], slices.astype(np.int64), [0]))))
    return tuple((int(begin) + 1, int(end)) for begin, end in zip(changes[::2], changes[1::2], strict=True))


def rounding_usd_per_month(layers: Sequence[Layer], ratios: Mapping[str, float]) -> float:
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


def _rounding_words(row: RowToPlan, layers: Sequence[Layer]) -> Text:
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
) -> PoolPlan:
    """The plan of one row: its layers from the bottom, with their $ of month 0.

    in_month_0: contracts that run through it. weights: of the window's hours, (hours,), adding up to 1 (None: all
    alike). on_demand: the cheapest eligible (None: nobody offers any); growth, price_fall: ratios a month.
    Source: docs/formulas.md, Layers.
    Law: its layers cover all of the row's GPU-hours: gpus x utilization adds up to its mean.
    """
    row, signed, demand = planned.row, planned.signed, planned.demand_gpus
    busy = row.busy.today(0)
    on_demand_rate = None if on_demand is None else on_demand.rate
    layers = with_figures(
        (
            *_existing(planned, in_month_0, weights),
            *_committed(row, signed, busy),
            *_by_use(row, signed, busy),
        ),
        on_demand_rate,
    )
    return PoolPlan(
        pool=row.pool,
        gpu_model=row.gpu_model,
        gpu_hours=float(demand.sum()),
        mean_gpus=float(demand.mean()),
        p95_gpus=p95_of(planned.month_parts),
        peak_gpus=peak_of(planned.month_parts),
        growth=growth,
        slicing=row.slicing,
        layers=layers,
        runs=runs_of(row, signed),
        break_even=break_evens(row.offers, row.flex.rate, row.market.churn, price_fall),
        cost_per_month=known_sum([layer.cost_per_month for layer in layers]),
        r_flex=row.flex.rate,
        on_demand_rate=on_demand_rate,
        set_by_hand=row.hand is not None,
        note=joined(filter(None, (note, _rounding_words(row, layers))), "; "),
        demand_gpus=demand,
        residual_gpus=planned.residual_gpus,
        bond_runs=bond_runs_of(row, signed),
        offers=row.offers,
        open_now=frozenset(o.offer_id for o in row.offers if row.calendar.start_in(o, 0) is not None),
        flex_category=row.flex.category,
        flex_offer_id=row.flex.offer_id,
        flex_gpu_model=row.flex.gpu_model,
        ratios=row.ratios,
        volatility=planned.volatility,
        month_parts=planned.month_parts,
        flex_spot_share=row.flex.spot_share,
        held_terms=tuple(level.term_months for level in row.hand or ()) if row.is_rest_advised else (),
        given_up=() if planned.given_up is None else _spans(planned.given_up.slices),
    )
