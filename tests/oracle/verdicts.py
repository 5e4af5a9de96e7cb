"""What becomes of each existing contract: the first commitments of its model shared among those that end."""

from tests.oracle.layers import contract_served
from tests.oracle.offers import same_model
from tests.oracle.orders import first_commitments, missed_in
from tests.oracle.serving import MONTH_S, SERVING_ORDER, merit

DAY_S = 86_400
KEPT_MONTHS = 24


def verdicts_of(sim, groups):
    """{contract_id: (verdict, then_term_months, gpus, order_by)} of contracts that have not ended."""
    if sim.scenario.greenfield:
        return {}
    left = {}
    for pool, model, t, offer, gpus in first_commitments(sim, groups):
        key = (pool, model, t, offer)
        left[key] = left.get(key, 0) + gpus
    answer, sharing = {}, []
    plan_from_s = sim.demand.plan_from_s
    for contract in sim.project.contracts:
        if contract.end_s is not None and contract.end_s <= plan_from_s:
            continue  # it has ended: no existing contract
        end, notice_s = contract.end_s, (contract.notice_days or 0) * DAY_S
        order_by = None if end is None else end - notice_s
        if not contract.is_committed:
            answer[contract.contract_id] = ("let_expire", 0, 0, order_by)
        elif end is None or end - plan_from_s > KEPT_MONTHS * MONTH_S:
            answer[contract.contract_id] = ("keep", 0, 0, order_by)
        else:
            sharing.append(contract)
    sharing.sort(key=lambda c: (missed_in(sim, c), -contract_served(sim, c)[1], merit(c)))
    for contract in sharing:
        share = _share(sim, contract, left)
        end, notice_s = contract.end_s, (contract.notice_days or 0) * DAY_S
        if not share:
            answer[contract.contract_id] = ("let_expire", 0, 0, end - notice_s)
            continue
        by_term = {}
        for offer, gpus in share:
            by_term[offer.months] = by_term.get(offer.months, 0) + gpus
        term = min(by_term, key=lambda months: (-by_term[months], months))
        shorter = contract.term_months is not None and term < contract.term_months
        lead_s = max(round(offer.lead_time_hours * 3600) for offer, _ in share)
        gpus = sum(gpus for _, gpus in share)
        verdict = "shorten" if shorter else "renew"
        answer[contract.contract_id] = (verdict, term, gpus, end - max(notice_s, lead_s))
    return answer


def _share(sim, contract, left):
    """[(offer, GPUs)] that the contract takes from the commitments still there; `left` is used up."""
    missed = missed_in(sim, contract)
    months = {missed, missed - 1, missed - 2} - ({0} if missed != 0 else set())
    room, share = contract.gpus, []
    while room > 0:
        usable = [
            key
            for key, gpus in left.items()
            if gpus > 0
            and key[2] in months
            and same_model(key[1], contract.gpu_model)
            and contract.pool in (None, key[0])
        ]
        if not usable:
            break
        by_term = {}
        for key in usable:
            by_term[key[3].months] = by_term.get(key[3].months, 0) + left[key]
        term = min(by_term, key=lambda months: (-by_term[months], months))
        of_term = [key for key in usable if key[3].months == term]
        for key in sorted(
            of_term, key=lambda key: (SERVING_ORDER.index(key[0]), key[3].lead_time_hours, key[2])
        ):
            taken = min(room, left[key])
            left[key] -= taken
            room -= taken
            if taken:
                share.append((key[3], taken))
    return share
