"""What becomes of each existing contract when it ends: orders of its model that start then are shared out (MODEL 5)."""

from types import SimpleNamespace

from tests.oracle.orders import DAY_S, chains_of, follows
from tests.oracle.serving import MONTH_S, SERVING_ORDER, merit

KEPT_MONTHS = 24


def verdicts_of(sim, groups, runs):
    """{contract_id: (verdict, then_term_months, gpus, order_by, gpus if it lasts)} of contracts that have not ended."""
    if sim.scenario.greenfield:
        return {}
    left = [
        SimpleNamespace(owner=owner, order=order, gpus=order.gpus, is_firm=order.lasts)
        for owner, chain in chains_of(groups, runs)
        for place, order in enumerate(chain)
        if not follows(chain, place)
    ]
    answer, sharing = {}, []
    for c in sim.project.contracts:
        held = sim.rows[c.contract_id]
        if held.end_s is not None and held.end_s <= sim.plan_from_s:
            continue
        by_s = None if held.end_s is None else held.end_s - (c.notice_days or 0) * DAY_S
        if not c.is_committed:
            answer[c.contract_id] = ("let_expire", 0, 0, by_s, 0)
        elif held.end_s is None and held.bound_until_s is not None:
            answer[c.contract_id] = ("renew", 0, 0, None, 0)
        elif held.end_s is None or held.end_s - sim.plan_from_s > KEPT_MONTHS * MONTH_S:
            answer[c.contract_id] = ("keep", 0, 0, by_s, 0)
        else:
            sharing.append(held)
    sharing.sort(key=lambda c: (c.end_s, -round(_served_hours(sim, c), 6), merit(c)))
    for c in sharing:
        answer[c.contract_id] = _shared(sim, c, left)
        decided = sim.scenario.whole_decisions
        if decided is not None and dict(decided.ends).get(c.contract_id) == c.end_s:
            _, then, gpus, _, lasting = answer[c.contract_id]
            answer[c.contract_id] = ("end", then, gpus, c.end_s - (c.notice_days or 0) * DAY_S, lasting)
    return answer


def _served_hours(sim, contract):
    """GPU-hours that a contract serves in the window's hours as the plan begins."""
    found = sim.served.state(sim.served.key(sim.plan_from_s, 0, 0))[1].get(contract.contract_id)
    return 0.0 if found is None else float(sim.served.by_hour(found).sum())


def _shared(sim, contract, left):
    share, leads, needed, lasting = {}, [], contract.gpus, 0.0

    def open_now(is_firm):
        return [
            one
            for one in left
            if one.gpus > 1e-9
            and one.is_firm is is_firm
            and sim.same_model(one.owner.model, contract.gpu_model)
            and contract.pool in (None, one.owner.order_pool)
            and 0 <= one.order.start_s - contract.end_s < MONTH_S
        ]

    for is_firm in (True, False):  # what is signed if it lasts fills what firm orders leave, and counts apart
        while needed > 1e-9 and open_now(is_firm):
            by_term = {}
            for one in open_now(is_firm):
                term = one.order.offer.term_months
                by_term[term] = by_term.get(term, 0.0) + one.gpus
            term = min(by_term, key=lambda term: (-by_term[term], term))
            mine = [one for one in open_now(is_firm) if one.order.offer.term_months == term]
            mine.sort(
                key=lambda one: (
                    SERVING_ORDER.index(one.owner.order_pool),
                    one.order.offer.lead_s,
                    one.order.start_s,
                    one.order.offer.offer_id,
                )
            )
            for one in mine:
                taken = min(needed, one.gpus)
                one.gpus, needed = one.gpus - taken, needed - taken
                if taken > 0 and is_firm:
                    share[term] = share.get(term, 0.0) + taken
                    leads.append(one.order.offer.lead_s)
                elif taken > 0:
                    lasting += taken
    notice_s = (contract.notice_days or 0) * DAY_S
    if not share:
        return "let_expire", 0, 0, contract.end_s - notice_s, lasting
    then = min(share, key=lambda term: (-share[term], term))
    is_shorter = contract.term_months is not None and then < contract.term_months
    order_by_s = contract.end_s - max(notice_s, *leads)
    return "shorten" if is_shorter else "replace", then, sum(share.values()), order_by_s, lasting
