"""What becomes of a decision of the plan: it is done and a fact, it is not taken, or it is planned again."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate, chain, count
from math import isclose

from gpuplanner.domain.commitment.demand.model_demand import Spans
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import keep_numbers
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.edits.contracts import add_contracts, change_contract
from gpuplanner.domain.edits.find import plan_named, with_plan, with_values
from gpuplanner.domain.edits.plans import accept_saving, state_of_contracts
from gpuplanner.domain.message import Message, joined
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.plan.scenario import DONE_MARK, DoneDecision
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.lazy_dataclass import fields, replace

OF_BOTH = {each.name for each in fields(Offer)} & {each.name for each in fields(Contract)}
"""Terms of an offer that the contract has by the same names."""


def leave(project: Project, scenario: str, decision: NextDecision, *, is_left: bool = True) -> Project:
    """A plan that does not take a decision, or may take it again: a contract runs on, or ends where it would renew; a
    term is not ordered; a saving is not accepted.

    Errors: PlannerError for Today or an unknown plan.
    """
    if decision.kind == "saving":
        return accept_saving(project, scenario, decision.decision_id.removeprefix("saving:"), not is_left)
    if decision.row is None:
        statement = "ended" if decision.kind == "renew" else "kept"
        return state_of_contracts(project, scenario, statement, (decision.contract_id,), is_left)
    plan, terms = plan_named(project, scenario), {decision.row}
    left = plan.left_terms | terms if is_left else plan.left_terms - terms
    return with_plan(project, plan, replace(plan, left_terms=left))


def postpone(
    project: Project, scenario: str, decision: NextDecision, *, is_postponed: bool = True
) -> Project:
    """A plan whose list of decisions hides one until shortly before its day, or shows it again; no figure changes.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan, ids = plan_named(project, scenario), {decision.decision_id}
    postponed = plan.postponed | ids if is_postponed else plan.postponed - ids
    return with_plan(project, plan, replace(plan, postponed=postponed))


def order_at_list_price(
    project: Project, scenario: str, listed: ListedOrder, *, is_at_list_price: bool = True
) -> Project:
    """A plan that places an order at list price, without a quote, or waits for one again; no figure changes.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan, ids = plan_named(project, scenario), {listed.order_ids[0]}
    chosen = plan.at_list_price | ids if is_at_list_price else plan.at_list_price - ids
    return with_plan(project, plan, replace(plan, at_list_price=chosen))


def mark_done(project: Project, scenario: str, decision: NextDecision, seen: Project) -> Project:
    """Its first orders were placed, or notice was given: a fact of all plans. A renewal is kept by this plan.

    The plan lists it as done, with its number.
    seen: the project that the decision was made in; of an order that is done already nothing changes.
    Errors: as for `leave` and `change_contract`.
    """
    placed = placed_contracts(seen, decision) if decision.kind != "renew" else ()
    settled = _settled(project, scenario, decision, placed)
    if settled is project:
        return project
    done = _done_decision(project, decision, placed)
    marked = _listed_as_done(settled, scenario, done, decision.number)
    if decision.kind == "renew":
        return marked
    for plan in project.scenarios:  # a fact of all plans: each that listed the decision lists it as done
        number = plan.decision_numbers.get(decision.decision_id)
        if plan.name != scenario and number is not None:
            marked = _listed_as_done(marked, plan.name, done, number)
    return marked


def reopen(project: Project, scenario: str, decision: NextDecision) -> Project:
    """A decision that was marked as done is open again, by the number that it had, in each plan that lists it.

    What was recorded when it was marked is withdrawn: its contracts go, or the contract has the end that it had before,
    and no notice was given. A renewal is open again in this plan alone. decision: of the plan, can_reopen.
    Errors: PlannerError for Today or an unknown plan.
    """
    listed = plan_named(project, scenario).done
    done = next((row for row in listed if row.decision_id == decision.decision_id), None)
    if done is None or not done.contract_ids:
        return project
    known = {contract.contract_id for contract in project.contracts}
    contract_ids = [name for name in done.contract_ids if name in known]  # the user may have deleted it since
    if done.kind == "renew":
        withdrawn = state_of_contracts(project, scenario, "kept", contract_ids, holds=False)
        return _listed_as_open(withdrawn, scenario, done)
    for plan in project.scenarios:
        project = state_of_contracts(project, plan.name, "notice_given", contract_ids, holds=False)
        project = _listed_as_open(project, plan.name, done)
    if done.is_placed:
        left = (contract for contract in project.contracts if contract.contract_id not in contract_ids)
        return with_values(project, contracts=tuple(left))
    for contract_id in contract_ids:
        terms = {"end_s": done.end_s, "renews_months": done.renews_months}
        project = change_contract(project, contract_id, terms)
    return project


def _settled(project: Project, scenario: str, decision: NextDecision, placed: Sequence[Contract]) -> Project:
    """The facts of a decision that is done; the same project where it has them already.

    placed: contracts that its first orders become. Other parameters: as for `mark_done`.
    """
    contract_ids = [decision.contract_id]
    if decision.kind == "renew":
        return state_of_contracts(project, scenario, "kept", contract_ids)
    if placed:
        contract_ids = [contract.contract_id for contract in placed]  # which end with their term
        project = add_contracts(project, placed)
    else:
        ends = {} if decision.ends_s is None else {"end_s": decision.ends_s}
        project = change_contract(project, decision.contract_id, {**ends, "renews_months": 0})
    for plan in project.scenarios:
        project = state_of_contracts(project, plan.name, "notice_given", contract_ids)
    return project


def _done_decision(project: Project, decision: NextDecision, placed: Sequence[Contract]) -> DoneDecision:
    """A decision as it is listed once it is done, by the number that it has.

    Of a contract whose orders are not placed yet the notice alone is done: those orders stay to be decided, with their
    savings. project: before it was done. placed: contracts that its first orders become.
    """
    is_notice_alone = bool(decision.contract_id and decision.orders and not decision.placed)
    subject = decision.contract_id if is_notice_alone else decision.subject_shortly or decision.subject
    ended = next((row for row in project.contracts if row.contract_id == decision.contract_id), None)
    has_notice = ended is not None and not placed and decision.kind != "renew"
    return DoneDecision(
        decision_id=decision.decision_id,
        number=decision.number,
        kind="end" if is_notice_alone else decision.kind,
        subject=subject if isinstance(subject, Message) else joined((subject,)),
        provider=ended.provider if is_notice_alone and ended else decision.provider,
        by_s=decision.notice_by_s if is_notice_alone else decision.by_s,
        usd_12_months=None if is_notice_alone else decision.usd_12_months,
        committed_usd=0.0 if is_notice_alone else decision.committed_usd,
        contract_ids=tuple(contract.contract_id for contract in placed) or (decision.contract_id,),
        is_placed=bool(placed),
        end_s=ended.end_s if ended is not None and has_notice else None,
        renews_months=ended.renews_months if ended is not None and has_notice else None,
    )


def _listed_as_done(project: Project, scenario: str, done: DoneDecision, number: int) -> Project:
    """A plan that lists a decision as done. Its number is used for no other: it stays, by the new id, with those given.

    done: by the id that it has while it is open. number: of the plan; 0 where none was given yet.
    """
    plan = plan_named(project, scenario)
    done_id = f"{done.decision_id}{DONE_MARK}{number}"
    numbers = {name: given for name, given in plan.decision_numbers.items() if given != number}
    if number:
        numbers[done_id] = number
    marked = replace(
        plan,
        done=(*plan.done, replace(done, decision_id=done_id, number=number)),
        decision_numbers=numbers,
        postponed=plan.postponed - {done.decision_id},
    )
    return with_plan(project, plan, marked)


def _listed_as_open(project: Project, scenario: str, done: DoneDecision) -> Project:
    """A plan that lists a decision as done no more; the same project where it does not.

    The decision has its number again, unless it was given another one since. done: as this or another plan lists it.
    """
    plan = plan_named(project, scenario)
    own = next((row for row in plan.done if _is_same(row, done)), None)
    if own is None:
        return project
    numbers = dict(plan.decision_numbers)
    if own.number and own.open_id not in numbers:
        del numbers[own.decision_id]
        numbers[own.open_id] = own.number
    left = tuple(row for row in plan.done if row is not own)
    return with_plan(project, plan, replace(plan, done=left, decision_numbers=numbers))


def _is_same(first: DoneDecision, second: DoneDecision) -> bool:
    """Whether two plans list one decision."""
    return (first.open_id, first.contract_ids) == (second.open_id, second.contract_ids)


def with_numbers(project: Project, scenario: str, outlook: Outlook | None) -> Project:
    """A project that keeps the numbers of a plan's decisions and orders, which people have read.

    outlook: of the plan; None before it is calculated. The same project where it has the numbers, or has no such plan.
    """
    if outlook is None:
        return project
    plan = next((plan for plan in project.scenarios if plan.name == scenario), None)
    if plan is None:
        return project
    numbers = {decision.decision_id: decision.number for decision in outlook.next_decisions}
    of_orders = {order.order_ids[0]: order.number for order in outlook.listed_orders}
    kept = replace(
        plan,
        decision_numbers=keep_numbers(plan.decision_numbers, numbers),
        order_numbers=keep_numbers(plan.order_numbers, of_orders),
    )
    return with_plan(project, plan, kept)


def placed_contracts(project: Project, decision: NextDecision) -> tuple[Contract, ...]:
    """The contracts that the first orders of a decision become: one a cluster, none with an id of the project.

    Whole units of the offer go to clusters by what each needs.
    """
    offers = {offer.offer_id: offer for offer in project.offers}
    taken = {contract.contract_id for contract in project.contracts}
    placed = []
    for order in decision.placed:
        offer, first = offers[order.offer_id], 0.0
        for cluster, gpus in _by_cluster(order, offer.unit_gpus or 1, decision.clusters or (("", 1.0),)):
            name = " ".join(filter(None, (offer.offer_id, cluster, iso_utc(order.start_s)[:10])))
            numbered = (f"{name} ({number})" for number in count(2))
            contract_id = next(each for each in chain([name], numbered) if each not in taken)
            taken.add(contract_id)
            slices = _of_spans(order.spans, first, float(gpus))
            placed.append(replace(_contract(contract_id, order, offer, cluster, gpus), slices=slices))
            first += float(gpus)
    return tuple(placed)


def _of_spans(spans: Spans, first: float, gpus: float) -> Spans:
    """So many GPUs of spans, after the first ones."""
    before = accumulate((high - low for low, high in spans), initial=0.0)
    parts = (
        (low + max(first - at, 0.0), min(high, low + first + gpus - at))
        for (low, high), at in zip(spans, before, strict=False)
    )
    return tuple((low, high) for low, high in parts if low < high)


def _by_cluster(order: Order, unit: int, needs: Sequence[tuple[str, float]]) -> list[tuple[str, Decimal]]:
    """GPUs of an order by cluster; less than a unit goes to the one that needs most."""
    gpus, whole = Decimal(str(order.bought_gpus)), sum(need for _, need in needs)
    whole_units = largest_remainder(
        [need / whole * int(gpus // unit) for _, need in needs], int(gpus // unit)
    )
    shares = [Decimal(unit * (units or 0)) for units in whole_units]
    most = max(range(len(needs)), key=lambda at: needs[at][1])
    shares[most] += gpus - sum(shares)
    return [(cluster, share) for (cluster, _), share in zip(needs, shares, strict=True) if share]


def _contract(contract_id: str, order: Order, offer: Offer, cluster: str, gpus: Decimal) -> Contract:
    """All that the offer states; it ends with its term, and serves as it did in the plan. Setup is paid upfront, and
    what is owned, or is signed at another rate than today's, costs what the plan worked out, staff included."""
    terms = {name: getattr(offer, name) for name in OF_BOTH} | {"rate_usd_per_gpu_hour": offer.quoted_rate}
    if is_owned(offer) or not isclose(order.rate or 0.0, offer.bare_rate or 0.0):
        rate = None if order.rate is None else Decimal(str(order.rate)) / (offer.exchange or 1)
        terms |= {"rate_usd_per_gpu_hour": rate}
    terms |= {"staff_usd_per_gpu_month": None} if is_owned(offer) else {}
    prepaid = ((offer.upfront_usd or 0) + (offer.setup_usd or 0)) * gpus
    return Contract(
        contract_id=contract_id,
        cluster=cluster,
        milli_gpus=round(gpus * 1000),
        start_s=order.start_s,
        end_s=order.end_s,
        pool=order.pool,
        renews_months=0,
        prepaid_usd=Decimal(prepaid) or None,
        **terms | {"term_months": order.term_months},
    )
