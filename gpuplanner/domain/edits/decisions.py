"""What becomes of a decision of the plan: it is done and a fact, it is not taken, or it is planned again."""

from collections.abc import Sequence
from decimal import Decimal

from gpuplanner.domain.commitment.outlook_result import NextDecision
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.edits.find import plan_named, with_plan
from gpuplanner.domain.edits.inputs import add_contracts, change_contract
from gpuplanner.domain.edits.plans import accept_saving, state_of_contracts
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.lazy_dataclass import replace


def leave(project: Project, scenario: str, decision: NextDecision) -> Project:
    """A plan that does not take a decision: a contract runs on, or ends where it would renew; a term is not signed.

    Errors: PlannerError for Today or an unknown plan.
    """
    if decision.row is not None:
        plan = plan_named(project, scenario)
        return with_plan(project, plan, replace(plan, left_terms=plan.left_terms | {decision.row}))
    statement = "ended" if decision.kind == "renew" else "kept"
    return state_of_contracts(project, scenario, statement, (decision.contract_id,))


def take(project: Project, scenario: str, decision: NextDecision) -> Project:
    """A plan that may take a decision which the planner overruled, or takes a saving on offer.

    Errors: as for `leave`.
    """
    if decision.kind == "saving":
        return accept_saving(project, scenario, decision.decision_id.removeprefix("saving:"))
    if decision.row is not None:
        plan = plan_named(project, scenario)
        return with_plan(project, plan, replace(plan, left_terms=plan.left_terms - {decision.row}))
    statement = "ended" if decision.kind == "renew" else "kept"
    return state_of_contracts(project, scenario, statement, (decision.contract_id,), holds=False)


def give_notice(project: Project, scenario: str, contract_id: str, ends_s: int) -> Project:
    """Notice was given: a contract ends on a moment, epoch seconds, and renews no more. A fact of all plans.

    Errors: as for `leave` and `change_contract`.
    """
    after = change_contract(project, contract_id, {"end_s": ends_s, "renews_months": 0})
    return state_of_contracts(after, scenario, "notice_given", (contract_id,))


def place_orders(project: Project, orders: Sequence[Order], cluster: str) -> Project:
    """Orders were placed: each is a contract from now on, on a cluster, at what its offer says.

    Offers that are gone are left alone; GPUs that are bought to own are no contract.
    """
    offers = {offer.offer_id: offer for offer in project.offers}
    taken = {contract.contract_id for contract in project.contracts}
    placed = []
    for order in orders:
        if (offer := offers.get(order.offer_id)) is not None and not order.is_bought:
            contract = _contract_of(order, offer, cluster, taken)
            taken.add(contract.contract_id)
            placed.append(contract)
    return add_contracts(project, placed)


def _contract_of(order: Order, offer: Offer, cluster: str, taken: set[str]) -> Contract:
    """taken: ids that other contracts have."""
    name = f"{offer.offer_id} {iso_utc(order.start_s)[:10]}"
    number = next(at for at in range(1, len(taken) + 2) if _numbered(name, at) not in taken)
    prepaid = Decimal(str(offer.upfront_usd or 0)) * Decimal(str(order.bought_gpus))
    return Contract(
        _numbered(name, number),
        cluster,
        offer.gpu_model,
        round(order.bought_gpus * 1000),
        offer.quoted_rate,
        order.start_s,
        order.end_s,
        provider=offer.provider,
        pricing_category=offer.pricing_category,
        term_months=order.term_months,
        region=offer.region,
        bare_metal=offer.bare_metal,
        interconnect=offer.interconnect,
        gpu_memory_gb=offer.gpu_memory_gb,
        egress_usd_per_gb=offer.egress_usd_per_gb,
        pool=order.pool,
        sla_percent=offer.sla_percent,
        nic_gbps=offer.nic_gbps,
        rdma=offer.rdma,
        prepaid_usd=prepaid or None,
        prepaid_until_s=order.end_s if prepaid else None,
        currency=offer.currency,
        exchange=offer.exchange,
        country=offer.country,
    )


def _numbered(name: str, number: int) -> str:
    """The name itself, then with a number after it."""
    return name if number == 1 else f"{name} ({number})"


def done_label(decision: NextDecision) -> Message:
    """What the step back from a decision that is done is called."""
    return worded("Done: {decision}", decision=decision.title)


def leave_label(decision: NextDecision) -> Message:
    """What the step back from a decision that is not taken is called."""
    return worded("Do not: {decision}", decision=decision.title)


def take_label(decision: NextDecision) -> Message:
    """What the step back from a decision that is planned is called."""
    return worded("Plan: {decision}", decision=decision.title)
