"""Orders: every commitment that the plan's twelve months rest on, with when and why it is placed."""

from types import SimpleNamespace

from tests.oracle.layers import contract_served
from tests.oracle.limits import prices
from tests.oracle.months import hand_deal
from tests.oracle.offers import first_month, same_model
from tests.oracle.serving import MONTH_S

DAY_S = 86_400


def missed_in(sim, contract):
    """e(c): the month in which a contract is first missed."""
    return (contract.end_s - sim.demand.plan_from_s) // MONTH_S


def chains(sim, group):
    """One list of commitments a slice (or a layer set by hand): month, deal, gpus, lasts (not only if it lasts)."""
    found = []
    for piece in group.slices:
        chain = []
        if not piece.dropped:
            for t, step in enumerate(piece.path):
                if step is not None and step[0] == t:
                    lasts = not (
                        sim.rules.slices_lived and group.lived.only_if_it_lasts(piece.k, t, step[1].months)
                    )
                    chain.append(SimpleNamespace(month=t, deal=step[1], gpus=piece.gpus, lasts=lasts))
        found.append(chain)
    for hand in group.by_hand or ():
        months = range(0, sim.assumptions.horizon_months, hand.term_months)
        found.append(
            [
                SimpleNamespace(month=t, deal=hand_deal(sim, group, hand, t), gpus=hand.gpus, lasts=True)
                for t in months
                if hand.gpus
            ]
        )
    return found


def first_commitments(sim, groups):
    """[(pool, model, month, offer, GPUs)], one per slice that ever commits along j = 0."""
    return [
        (group.pool, group.model, chain[0].month, chain[0].deal.offer, chain[0].gpus)
        for group in groups
        for chain in chains(sim, group)
        if chain
    ]


def orders_of(sim, groups):
    """{(pool, model, offer_id, term, start, reason): figures} of the first 12 months.

    Before every commitment was an order a slice had its first alone, and no row a reason of its own.
    """
    rows = {}
    for group in groups:
        for chain in chains(sim, group):
            reasons = _reasons(sim, group, chain)
            for place, (one, reason) in enumerate(zip(chain, reasons, strict=True)):
                if one.month >= 12 or (place and not sim.rules.all_orders):
                    continue
                _add(sim, group, one, reason, rows)
    return rows


def _base_reason(sim, group, one):
    """(reason, contracts that end) by the month alone."""
    if one.month == 0:
        return "now", []
    ends = [
        c
        for c in sim.existing
        if same_model(c.gpu_model, group.model)
        and c.end_s is not None
        and missed_in(sim, c) == one.month
        and contract_served(sim, c)[1] > 0
    ]
    if ends:
        return "contract_end", ends
    return ("lead_time" if one.month in _first_months(sim, one.deal.offer) else "growth"), []


def _first_months(sim, offer):
    """The first month that a lead allows; of a lead of whole months also the first in which anything is served."""
    first = first_month(offer, sim.rules.leads_are_free)
    return {first} if sim.rules.leads_are_free else {first, int(offer.lead_time_hours // 730)}


def _reasons(sim, group, chain):
    """[(reason, contracts that end)] of a chain of commitments of one slice."""
    base = [_base_reason(sim, group, one) for one in chain]
    if not sim.rules.all_orders:
        return base
    follows = [
        place > 0 and chain[place - 1].month + chain[place - 1].deal.months == one.month
        for place, one in enumerate(chain)
    ]
    bridge = set()
    built = next((place for place, (reason, _) in enumerate(base) if reason == "lead_time"), None)
    if built is not None:
        place = built
        while follows[place]:
            place -= 1
            bridge.add(place)
    answer = []
    for place, (one, (reason, ends)) in enumerate(zip(chain, base, strict=True)):
        if place in bridge:
            reason, ends = "bridge", []
        elif follows[place] and reason != "lead_time":
            reason, ends = "follows", []
        answer.append((reason if one.lasts else "if_it_lasts", ends))
    return answer


def _add(sim, group, one, reason, rows):
    reason, ends = reason
    offer, plan_from_s = one.deal.offer, sim.demand.plan_from_s
    lead_s = round(offer.lead_time_hours * 3600)
    if one.month == 0:
        start, order_by = plan_from_s + lead_s, plan_from_s
    elif ends:
        start = min(c.end_s for c in ends)
        order_by = min(c.end_s - max((c.notice_days or 0) * DAY_S, lead_s) for c in ends)
    else:
        start = max(plan_from_s + one.month * MONTH_S, plan_from_s + lead_s)
        order_by = start - lead_s
    if sim.rules.all_orders and order_by < plan_from_s:
        start, order_by = max(start, plan_from_s + lead_s), plan_from_s
    sign_price = prices(sim, group)[1](one.month, offer)
    key = (*group.key, offer.offer_id, one.deal.months, start, reason)
    row = rows.setdefault(
        key,
        SimpleNamespace(gpus=0, order_by=order_by, liability=0.0, month=one.month, term_days=offer.term_days),
    )
    row.order_by = min(row.order_by, order_by)
    row.gpus += one.gpus
    row.liability += one.gpus * (one.deal.hours * one.deal.rate * sign_price + one.deal.upfront)
