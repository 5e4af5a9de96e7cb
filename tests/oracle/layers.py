"""Month 0 as layers: what existing contracts serve, terms longest first, use; and what contracts are paid for idly."""

import math
from types import SimpleNamespace

from tests.oracle.limits import prices, rented
from tests.oracle.months import hand_deal
from tests.oracle.offers import same_model


def layers_of(sim, group):
    layers = []
    gpus = served_now(sim, group)
    if gpus > 0:
        layers.append(_layer(True, "COMMITTED", None, None, gpus, existing_rate(sim, group.model), 1.0))
    if group.by_hand is not None:
        return layers + _by_hand(sim, group)
    new, use = {}, []
    for piece in group.slices:
        if piece.dropped:
            continue
        deal, u = piece.choice[0, 0], group.u(piece.k, 0, 0)
        if deal is None:
            if u > 0:
                use.append((piece, u))
            continue
        key = (-deal.months, -deal.hours, deal.offer.offer_id)
        new.setdefault(key, (deal, []))[1].append((piece.gpus, u))
        paid = min(
            1.0, deal.hours / 730
        )  # a term in days is paid for its hours of the month, the rest by use
        if paid < 1 and u > 0:
            use.append((piece, u * (1 - paid)))
    for key in sorted(new):
        deal, busy = new[key]
        gpus = sum(width for width, _ in busy)
        utilization = sum(width * u for width, u in busy) / gpus
        layer = _layer(False, "COMMITTED", deal.months, deal.offer.offer_id, gpus, deal.all_in, utilization)
        if layer.usd_per_month is not None:
            layer.usd_per_month *= min(1.0, deal.hours / 730)
        layers.append(layer)
    served = [(piece, u) for piece, u in use if rented(group, piece, 0)[1]]
    if served:
        layers.append(_use_layer(sim, group, served))
    return layers


def served_now(sim, group):
    """Mean GPUs of the group that existing contracts serve in month 0."""
    gpus = 0.0
    for share, key in sim.served.keys(0, 0):
        by_stream = sim.served.state(key)[2]
        parts = [
            hourly
            for stream, hourly in zip(sim.served.streams, by_stream, strict=True)
            if stream.part in group.members
        ]
        gpus += share * sim.mean([sum(column) for column in zip(*parts, strict=True)])
    return gpus


def _use_layer(sim, group, served):
    """One usage-priced layer of slices: their whole GPUs, busy as they are, at the mean of their rates."""
    gpus = sum(piece.gpus for piece, _ in served)
    mean_gpus = sum(piece.gpus * u for piece, u in served)
    if not group.limited:
        usages = [group.usage]
        rate, spot_share = group.usage.r_flex, group.usage.spot_share
    else:
        usages = [group.use[0, piece.k][0] for piece, _ in served]
        rates = [usage.r_flex for usage in usages]
        rate = spot_share = None
        if None not in rates:
            bill = [p.gpus * u * usage.r_flex for (p, u), usage in zip(served, usages, strict=True)]
            spot = [p.gpus * u * usage.spot_share for (p, u), usage in zip(served, usages, strict=True)]
            rate, spot_share = sum(bill) / mean_gpus, sum(spot) / mean_gpus
    alike = {(usage.category, usage.offer_id) for usage in usages}
    category, offer_id = alike.pop() if len(alike) == 1 else ("MIXED", None)
    if len({usage.category for usage in usages}) == 1:
        category = usages[0].category
    rate = None if rate is None else rate * prices(sim, group)[0](0)
    layer = _layer(False, category, 0, offer_id, gpus, rate, mean_gpus / gpus)
    layer.usd_per_month = None if rate is None else 730 * rate * mean_gpus
    layer.spot_share = spot_share or 0.0
    return layer


def _by_hand(sim, group):
    """The planner's committed layers from the bottom, the rest usage-priced."""
    layers, bottom = [], 0
    residuals = sim.served.residuals(group.members, 0)

    def mean(of_hour):
        return sum(share * sim.mean([of_hour(gpus) for gpus in hourly]) for share, hourly in residuals)

    for hand in group.by_hand:
        if hand.gpus == 0:
            continue
        low, size = bottom, hand.gpus
        busy = mean(lambda gpus, low=low, size=size: min(max(gpus - low, 0), size)) / size
        deal = hand_deal(sim, group, hand, 0)
        offer_id, rate = (None, None) if deal is None else (deal.offer.offer_id, deal.all_in)
        layers.append(_layer(False, "COMMITTED", hand.term_months, offer_id, size, rate, busy))
        bottom += size
    rest = mean(lambda gpus: max(gpus - bottom, 0.0))
    if rest > 0:
        most = max(max(hourly) for _, hourly in residuals) - bottom
        gpus = group.block * math.ceil(most / group.block)
        use = group.usage
        rate = None if use.r_flex is None else use.r_flex * prices(sim, group)[0](0)
        layer = _layer(False, use.category, 0, use.offer_id, gpus, rate, rest / gpus)
        layer.usd_per_month = None if rate is None else 730 * rate * rest
        layer.spot_share = use.spot_share
        layers.append(layer)
    return layers


def existing_rate(sim, model):
    """Mean rate, weighted by GPUs, of the model's contracts that run through month 0."""
    rows = [c for c in sim.existing_now() if same_model(c.gpu_model, model)]
    if any(not c.rate for c in rows):
        return None
    return sum(c.gpus * c.rate for c in rows) / sum(c.gpus for c in rows)


def contract_served(sim, contract):
    """Mean GPUs that a contract serves in month 0, hour by hour weighted by recency, and its plain sum of hours."""
    mean = hours = 0.0
    for share, key in sim.served.keys(0, 0):
        hourly = sim.served.state(key)[1].get(contract.contract_id)
        if hourly is not None:
            mean += share * sim.mean(hourly)
            hours += share * sum(hourly)
    return mean, hours


def idle_existing(sim):
    """{model: (mean GPUs, $ a month)} that existing contracts are paid for and do not serve."""
    idle = {}
    for model in {c.gpu_model for c in sim.existing_now()}:
        rows = [c for c in sim.existing_now() if c.gpu_model == model]
        gpus = sum(c.gpus - contract_served(sim, c)[0] for c in rows)
        rate = existing_rate(sim, model)
        idle[model] = (gpus, None if rate is None else 730 * gpus * rate)
    return idle


def _layer(existing, category, term, offer_id, gpus, rate, utilization):
    return SimpleNamespace(
        existing=existing,
        pricing_category=category,
        term_months=term,
        offer_id=offer_id,
        gpus=gpus,
        rate_usd_per_gpu_hour=rate,
        utilization=utilization,
        usd_per_month=None if rate is None else 730 * gpus * rate,
        spot_share=0.0,
    )
