"""Next decisions: what to do, by when, and what twelve months cost without each of them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.audit.leak_claims import listed
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.late_orders import HOURS_PER_DAY, late_usd_per_day, usd_per_day
from gpuplanner.domain.commitment.next_decision import NextDecision, in_order
from gpuplanner.domain.commitment.numbers import numbered
from gpuplanner.domain.commitment.order_days import Seen, seen_in
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.decisions import decide, decide_beside
from gpuplanner.domain.commitment.plan.ground import Ground, first_end_of, ground_of, needs_no_notice
from gpuplanner.domain.commitment.plan.orders import (
    SOON_S,
    all_orders,
    is_soon,
    liability_usd,
    orders_by_row,
    orders_within,
    verdicts_of,
    with_rows,
    without_figures,
)
from gpuplanner.domain.commitment.plan.plan_checks import by_cluster
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned
from gpuplanner.domain.commitment.plan.twelve_months import (
    LEAST_GPU_HOURS,
    in_both,
    planned_months,
    side_by_side,
)
from gpuplanner.domain.commitment.result import Advice, ComparisonMonth, Order, Verdict, order_id, vendors
from gpuplanner.domain.commitment.words.orders import bought_in_rows_words, dated_order_words, rows_words
from gpuplanner.domain.commitment.words.verdicts import decide_by_s, ends_by_notice, is_to_stop
from gpuplanner.domain.figures.typed import amount, significant, whole
from gpuplanner.domain.message import Message, Text, joined, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import HALF_A_CENT, grouped, known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import Row, gpu_model_of
from gpuplanner.domain.model.book.renewal import decided_by_s, notice_by_s
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS, Scenario, WholeDecisions
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S, day_of
from gpuplanner.lazy_dataclass import replace

QUESTIONS: Final = frozenset({"renewal_unknown", "notice_unknown"})
"""Checks that ask what only the planner knows of a contract."""


# --- The list: one for each contract on which something is decided, each row of orders, saving and overruled decision


def next_decisions(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    advice: Advice,
    outlook: Outlook,
    cache: AdviceCache,
) -> tuple[NextDecision, ...]:
    """What is to be decided, in order, each with what twelve months cost without it.

    The other arguments are those that the advice was worked out from. Without prices nothing is decided.
    Source: docs/formulas/savings.md, Next decisions.
    """
    if not (project.has_log and project.offers):
        return ()
    plans = AlternativePlans(project=project, scenario=scenario, pools=pools, advice=advice, cache=cache)
    decisions = (
        *_of_contracts(plans),
        *_of_unknown_use(plans),
        *_of_orders(plans),
        *_not_signed(plans),
        *_savings(outlook),
    )
    begin_s = project.plan_window.end_s
    dated = (_with_orders_and_days(plans.with_late_orders(decision), begin_s) for decision in decisions)
    listed = in_order(
        decision
        for decision in dated
        if decision.committed_in_all_usd
        or decision.usd_12_months is None
        or abs(decision.usd_12_months) >= HALF_A_CENT
    )
    numbers = numbered(scenario.decision_numbers, [decision.decision_id for decision in listed])
    return tuple(replace(decision, number=numbers[decision.decision_id]) for decision in listed)


def _with_orders_and_days(decision: NextDecision, begin_s: int) -> NextDecision:
    """Return a decision with what follows from its orders and its day.

    begin_s: first day of the plan, epoch seconds.
    """
    orders, by_s = decision.orders, decision.by_s
    dated = replace(
        decision,
        order_by_s=min((order.last_day_s for order in orders), default=None),
        is_overdue=by_s is not None and by_s < day_of(begin_s),
        is_now=by_s is not None and by_s < begin_s + SOON_S,
    )
    if not orders:
        return dated
    end_s = max(order.end_s for order in orders)
    months_after = (end_s - begin_s) / MONTH_S - COMPARED_MONTHS
    costs = decision.usd_12_months is not None and decision.usd_12_months < 0
    soon = [order for order in orders if is_soon(order, begin_s)]
    later = [order for order in orders if not is_soon(order, begin_s)]
    return replace(
        dated,
        provider=_provider_of(orders),
        committed_usd=known_sum(order.liability for order in soon),
        committed_later_usd=known_sum(order.liability for order in later),
        cash_usd=known_sum(order.due_at_once for order in orders),
        months_after=months_after if costs and months_after > 0 else None,
    )


def _provider_of(orders: Sequence[Order]) -> str | None:
    """Return the providers of orders, each once; None if one is unknown."""
    return str(vendors(orders)) if all(order.provider for order in orders) else None


class Beside(NamedTuple):
    """$ of twelve months of another plan, and of this one; None where they do not compare, and why; and what this one
    saves in month 12.

    less_committed_usd: $ that the orders of this plan commit less; None unless it costs more, or where unknown.
    """

    other_usd: float | None
    own_usd: float | None
    why: Text
    saves_in_month_12: float | None = None
    less_committed_usd: float | None = None


class DecidedPlan(NamedTuple):
    """Another plan with its twelve months."""

    decided: WholeDecisions
    ground: Ground
    planned: Planned
    months: Sequence[ComparisonMonth]


class AlternativePlans:
    """The plan, and the same plan without one of its decisions."""

    def __init__(
        self,
        project: Project,
        scenario: Scenario,
        pools: tuple[Pool, ...],
        advice: Advice,
        cache: AdviceCache,
    ) -> None:
        self._asked, self._cache = (project, pools, advice.classes), cache
        self.project, self.scenario, self.advice = project, scenario, advice
        self.seen = seen_in(project)
        self.contracts = {contract.contract_id: contract for contract in project.contracts}
        self.decided = advice.whole_decisions or WholeDecisions()
        self.ends = dict(self.decided.ends)
        self.questions = {str(check.subject) for check in advice.checks if check.code in QUESTIONS}
        self.settled = {  # nothing is decided any more, but what follows is still to be ordered
            name for name, contract in self.contracts.items() if needs_no_notice(contract, scenario)
        }
        self.following = _following(advice, self.settled)

    def orders_of(self, name: str | None) -> tuple[Order, ...]:
        """The orders of the decision on a contract; None: those of no contract."""
        certain = (order for order in self.advice.orders if order.is_certain)
        return tuple(order for order in certain if self.following.get(without_figures(order)) == name)

    @cached_property
    def own(self) -> Planned:
        """The plan itself."""
        return self._as_decided(self.scenario, self.decided).planned

    def late_usd_per_day(self, order: Order) -> float | None:
        """The most that each day costs by which an order of the plan is late, $; None if unknown."""
        return late_usd_per_day(order, self.own.bought, self.seen.begins_s)

    def with_late_orders(self, decision: NextDecision) -> NextDecision:
        """A decision with what each day costs by which each of its orders is late; without where it was declined."""
        if decision.is_left:
            return decision
        late = tuple(self.late_usd_per_day(order) for order in decision.orders)
        return replace(decision, late_usd_per_day=late)

    @cached_property
    def ground(self) -> Ground:
        """What the plan stands on."""
        project, pools, classes = self._asked
        return ground_of(project, self.scenario, pools, self._cache, classes)

    def planned(self, scenario: Scenario) -> DecidedPlan:
        """Another plan, in which all is decided anew, with its twelve months."""
        project, pools, classes = self._asked
        return self._as_decided(scenario, decide(project, scenario, pools, classes, self._cache))

    def beside(self, scenario: Scenario, gpu_model: str | None) -> Beside:
        """$ of twelve months of another plan, in which one decision about a GPU model is undone, and of this one."""
        project, pools, classes = self._asked
        decided = decide_beside(project, scenario, pools, classes, self._cache, self.decided, gpu_model)
        other = self._as_decided(scenario, decided)
        beside = self.beside_months(other.months)
        if beside.other_usd is None or beside.own_usd is None or beside.other_usd >= beside.own_usd:
            return beside
        return beside._replace(less_committed_usd=self._less_committed_usd(other))

    def _less_committed_usd(self, other: DecidedPlan) -> float | None:
        """$ that the orders of this plan commit less than those of another one; None if one is unknown."""
        of_other = liability_usd(orders_within(other.ground, all_orders(other.ground, other.planned)))
        own_usd = liability_usd(self.advice.orders)
        return None if of_other is None or own_usd is None else of_other - own_usd

    def _as_decided(self, scenario: Scenario, decided: WholeDecisions) -> DecidedPlan:
        """A plan that decides so, with its twelve months."""
        project, pools, classes = self._asked
        of = replace(scenario, whole_decisions=decided)
        return DecidedPlan(decided, *planned_months(project, of, pools, classes, self._cache))

    def beside_months(self, months: Sequence[ComparisonMonth]) -> Beside:
        """The same of its months."""
        own = self.advice.comparison
        if abs(more := _unserved(months) - _unserved(own)) > LEAST_GPU_HOURS:
            return Beside(None, None, LEAVES_WORK if more > 0 else SERVES_MORE)
        without, year_with, parts = side_by_side(*([month.plan_side for month in of] for of in (months, own)))
        if without is None:
            nameless = NOT_MATCHED if self.advice.asked_models else NO_RATE
            named = worded("— (no rate for {parts})", parts=listed(parts))
            return Beside(None, None, named if parts else nameless)
        # what has no price is the same in each month of both
        saves = months[-1].plan_sum.known - own[-1].plan_sum.known
        return Beside(without, year_with, in_both(parts), saves)


NOT_MATCHED: Final[Text] = worded("— (unknown until names are matched)")
NO_RATE: Final[Text] = worded("— (a rate is missing)")
BY_HAND: Final[Text] = worded("— (you set these levels)")
LEAVES_WORK: Final[Text] = worded("— (without it, some work is unserved)")
SERVES_MORE: Final[Text] = worded("— (without it more work is served)")


def _turned(beside: Beside) -> Beside:
    """Return the same where the decision is in the other plan and not in this one."""
    saves = beside.saves_in_month_12
    return Beside(beside.own_usd, beside.other_usd, beside.why, None if saves is None else -saves)


def _unserved(months: Sequence[ComparisonMonth]) -> float:
    return sum(month.unserved_gpu_hours for month in months)


# --- Contracts: what ends with the orders that only follow from it, what runs on, and what nobody knows


def _following(advice: Advice, settled: Collection[str]) -> dict[Order, str]:
    """The contract whose decision has an order, without figures, and those that continue it: each is whole in one
    decision, that of the contract that takes half of it or more. settled: contracts of which nothing is decided."""
    shares: dict[Order, dict[str, float]] = {}
    for verdict in advice.verdicts:
        if verdict.is_to_decide and verdict.contract_id not in settled:
            for order, gpus in verdict.takes:
                shares.setdefault(without_figures(order), {})[verdict.contract_id] = gpus / order.gpus
    owners = {order: max(of, key=lambda name: (of[name], name)) for order, of in shares.items()}
    following = {order: name for order, name in owners.items() if 2 * shares[order][name] >= 1}
    for order in sorted(advice.orders, key=attrgetter("start_s")):
        if order.follows and without_figures(order) not in shares:
            before = (other for other in following if _continues(order, other))
            following |= {without_figures(order): following[other] for other in before}
    return following


def _continues(order: Order, other: Order) -> bool:
    """Whether an order begins as another of its slices ends."""
    same = (order.pool, order.gpu_model, order.start_s) == (other.pool, other.gpu_model, other.end_s)
    return same and any(low < end and begin < high for low, high in order.spans for begin, end in other.spans)


def _of_contracts(plans: AlternativePlans) -> Iterator[NextDecision]:
    scenario = plans.scenario
    for verdict in () if scenario.greenfield else plans.advice.verdicts:
        name, contract = verdict.contract_id, plans.contracts.get(verdict.contract_id)
        is_decided = verdict.verdict == "renew" or verdict.is_to_decide
        if contract is None or name in plans.settled:
            continue
        if name in scenario.kept:
            yield from _overruled(plans, contract)
            continue
        if not is_decided or verdict.is_later:
            continue
        undone = scenario.stating("ended" if verdict.verdict == "renew" else "kept", [name])
        is_stop, orders = is_to_stop(verdict, contract), plans.orders_of(name)
        beside, is_asked = plans.beside(undone, contract.gpu_model), name in plans.questions
        begin_s, days = plans.seen.begins_s, [order.last_day_s for order in orders]
        by_s = begin_s if is_stop else decide_by_s(verdict, contract)
        if is_asked:
            kind = "question"
        elif is_stop or (verdict.verdict == "let_expire" and ends_by_notice(contract)):
            kind = "end"
        else:
            kind = verdict.verdict
        ends_s = begin_s if is_stop else verdict.ends_s or contract.end_s
        yield replace(
            _beside(plans, contract, beside),
            kind=kind,
            subject=_named(contract) if is_asked else _contract_words(verdict, contract, orders, plans.seen),
            subject_shortly=_named(contract) if is_asked else _contract_shortly(verdict, contract, orders),
            by_s=min((*days, *filter(None, [by_s])), default=None),
            is_in_plan=not is_asked,
            orders=orders,
            notice_by_s=None if is_stop or kind == "renew" else notice_by_s(contract, ends_s),
            ends_s=ends_s,
            gap=_gap(plans, verdict, ends_s),
            waiting_usd_per_day=None
            if kind in ("question", "renew")
            else _after_day(plans, contract, orders),
        )


def _after_day(plans: AlternativePlans, contract: Contract, orders: Sequence[Order]) -> float | None:
    """Return the most that each day costs by which the end of a contract is put off, $; None if it may renew then.

    A contract paid by use costs on, and its first orders are placed later. One that ends by itself costs nothing more,
    but its first orders are late. orders: that follow it.
    """
    by_s = min((order.last_day_s for order in orders), default=None)
    first = [order for order in orders if order.last_day_s == by_s]
    if not contract.is_committed:
        paid = (known_sum(map(usd_per_day, first)), contract.cost_per_month)
        if None in paid:
            return None
        of_orders, per_month = (usd or 0.0 for usd in paid)
        return max(0.0, per_month * HOURS_PER_DAY / HOURS_PER_MONTH - of_orders)
    return None if contract.may_renew else known_sum(map(plans.late_usd_per_day, first))


def _gap(plans: AlternativePlans, verdict: Verdict, ends_s: int | None) -> Text:
    """What serves the work of a contract from its end to the start of the orders that follow it, and for how much."""
    late = [order for order, _ in verdict.takes if ends_s is not None and order.start_s > ends_s]
    if ends_s is None or not late:
        return ""
    usd, begin_s = 0.0, plans.seen.begins_s
    for order, gpus in verdict.takes:
        for bought in plans.own.bought if order in late else ():
            row, listed = bought.row, bought.listed
            if (row.pool, row.gpu_model) == (order.pool, order.gpu_model):
                first, last = np.searchsorted(
                    listed.edges_s, (ends_s - begin_s, order.start_s - begin_s)
                ).tolist()
                edges = row.slicing.edges[:-1]
                own = [bool(any(low <= edge < high for low, high in order.spans)) for edge in edges.tolist()]
                used, rate = listed.used[first:last][:, own], listed.rate[first:last][:, own]
                usd += gpus / order.gpus * float((used * rate)[used > 0].sum())
    if usd < HALF_A_CENT:
        return ""
    return worded(
        "From {begins} to {ends}, on-demand GPUs cover the gap: {usd}",
        begins=plans.seen.day(ends_s),
        ends=plans.seen.day(max(order.start_s for order in late) - 1),
        usd=amount(usd),
    )


def _beside(plans: AlternativePlans, contract: Contract, beside: Beside) -> NextDecision:
    """A question about a contract, with what twelve months cost without it and with it."""
    name = contract.contract_id
    first_s = first_end_of(plans.project, plans.scenario, contract)
    ends_s = plans.ends.get(name) or first_s or contract.end_s
    return NextDecision(
        decision_id=f"contract:{name}",
        kind="question",
        subject=_named(contract),
        by_s=None if ends_s is None else decided_by_s(contract, ends_s),
        year_without=beside.other_usd,
        year_with=beside.own_usd,
        saves_in_month_12=beside.saves_in_month_12,
        less_committed_usd=beside.less_committed_usd,
        provider=contract.provider,
        committed_usd=0.0,
        committed_later_usd=0.0,
        cash_usd=0.0,
        is_in_plan=False,
        unknown=beside.why,
        contract_id=name,
        ends_s=ends_s,
    )


def _overruled(plans: AlternativePlans, contract: Contract) -> Iterator[NextDecision]:
    """The end that the plan would decide of a contract that the planner keeps; nothing where it would keep it."""
    name, renews = contract.contract_id, contract.may_renew
    plan = plans.planned(plans.scenario.stating("kept", [name], holds=False))
    if renews and name not in dict(plan.decided.ends):
        return
    row = _beside(plans, contract, _turned(plans.beside_months(plan.months)))
    is_end = renews or not contract.is_committed or ends_by_notice(contract)
    kind = "end" if is_end else "let_expire"
    if not contract.is_committed:  # what is paid by use stops as the plan begins
        row = replace(row, by_s=plans.seen.begins_s, ends_s=plans.seen.begins_s)
    yield replace(row, kind=kind, committed_usd=None, committed_later_usd=None, cash_usd=None)


def _of_unknown_use(plans: AlternativePlans) -> Iterator[NextDecision]:
    """Yield a question for each contract of unknown use that the plan ends, that a check asks about, or whose notice
    is due within a month: none of them has a verdict."""
    judged = {verdict.contract_id for verdict in plans.advice.verdicts}
    asked = plans.ends.keys() | plans.questions | _with_notice_due(plans)
    for name in sorted(asked & plans.contracts.keys() - judged):
        contract, kept = plans.contracts[name], plans.scenario.stating("kept", [name])
        yield _beside(plans, contract, plans.beside(kept, contract.gpu_model))


def _with_notice_due(plans: AlternativePlans) -> set[str]:
    """Return the contracts whose last day for notice lies within a month of the plan's first day.

    Without those that the user keeps or gave notice of, and without any in a plan from scratch.
    """
    if plans.scenario.greenfield:
        return set()
    begins_s = plans.seen.begins_s
    due = {
        name
        for name, contract in plans.contracts.items()
        if (by_s := notice_by_s(contract, contract.end_s)) is not None
        and day_of(begins_s) <= by_s < begins_s + SOON_S
    }
    return due - plans.settled - {*plans.scenario.kept}


def _contract_words(verdict: Verdict, contract: Contract, orders: Sequence[Order], seen: Seen) -> Message:
    """PO-108004 (40 H100); atlas-core (64 H100) with 32 H100 for 36 months from 1 Mar 2027."""
    return _followed_by(verdict, contract, _orders_words(orders, seen))


def _contract_shortly(verdict: Verdict, contract: Contract, orders: Sequence[Order]) -> Message:
    """PO-108004 (40 H100); atlas-core (64 H100) with 32 H100."""
    return _followed_by(verdict, contract, bought_in_rows_words(_as_rows(orders)))


def _followed_by(verdict: Verdict, contract: Contract, orders: Message) -> Message:
    """A contract, with the orders that follow it in these words."""
    named = {"contract": _named(contract), "orders": orders}
    if not verdict.shares:
        return _named(contract)
    if not str(orders):
        return worded("{contract} with GPUs of another order", **named)
    if verdict.verdict in ("end", "shorten"):
        return worded("{contract} and order {orders}", **named)
    return worded("{contract} with {orders}", **named)


def _named(contract: Contract) -> Message:
    if contract.is_dollars:
        usd = amount(contract.usd_per_hour, 2)
        return worded("{contract} ({usd} per hour)", contract=contract.contract_id, usd=usd)
    return worded(
        "{contract} ({gpus} {model})",
        contract=contract.contract_id,
        gpus=significant(contract.gpus),
        model=gpu_model_of(contract.gpu_model) or worded("GPUs"),
    )


# --- Orders of one pool, model and term, terms that the planner does not sign, and savings on offer


def _of_orders(plans: AlternativePlans) -> Iterator[NextDecision]:
    """Orders of one pool, model and term are one decision, but for what follows a contract; of a run that is planned
    its own."""
    counted = [
        ((order.pool, order.gpu_model, order.term_months, order.run), order)
        for order in plans.orders_of(None)
    ]
    runs = {run.key: run for run in plans.advice.planned_runs}
    by_hand = plans.scenario.hand_layers.keys()
    for (pool, gpu_model, term, run), of_row in grouped(counted).items():
        by_s = min(order.last_day_s for order in of_row)
        if run:
            is_unserved = plans.ground.is_never_sold_by_use(Row(pool, gpu_model))
            why = LEAVES_WORK if is_unserved else NO_RATE
            beside = Beside(runs[run].use_usd, runs[run].usd, why)
        elif (pool, gpu_model) in by_hand:
            beside = Beside(None, None, BY_HAND)
        else:
            terms = plans.scenario.left_terms | {(pool, gpu_model, term)}
            beside = plans.beside(replace(plans.scenario, left_terms=terms), gpu_model_of(gpu_model))
        first = tuple(order for order in of_row if order.last_day_s == by_s)
        yield NextDecision(
            decision_id=order_id(pool, gpu_model, term, run),
            kind="order",
            subject=_in_row(of_row, plans.seen),
            subject_shortly=rows_words(_as_rows(of_row)),
            by_s=by_s,
            year_without=beside.other_usd,
            year_with=beside.own_usd,
            saves_in_month_12=beside.saves_in_month_12,
            less_committed_usd=beside.less_committed_usd,
            unknown=beside.why,
            row=(pool, gpu_model, term),
            orders=tuple(of_row),
            placed=() if beside.why is BY_HAND or plans.scenario.greenfield else _with_shares(plans, first),
            clusters=_clusters_of(plans.ground, first[0]),
            waiting_usd_per_day=known_sum(map(plans.late_usd_per_day, first)),
        )


def _with_shares(plans: AlternativePlans, orders: Sequence[Order]) -> tuple[Order, ...]:
    """Some orders of a pool, with those of other pools that they reach an offer's minimum with."""
    least = {offer.offer_id: offer.min_gpus or 0 for offer in plans.project.offers}
    short = {
        (order.offer_id, order.start_s)
        for order in orders
        if order.bought_gpus < least.get(order.offer_id, 0)
    }
    others = (order for order in plans.advice.orders if order.pool is not orders[0].pool and order.is_certain)
    return (*orders, *(order for order in others if (order.offer_id, order.start_s) in short))


NAMED: Final = 3
"""Orders that a decision names one by one; it counts the others."""


def _in_row(orders: Sequence[Order], seen: Seen) -> Message:
    """14 H100 for 36 months from 1 Mar 2027, inference. orders: of one pool."""
    return worded("{orders}, {row}", orders=_orders_words(orders, seen), row=worded(orders[0].pool.value))


def _as_rows(orders: Iterable[Order]) -> list[tuple[Order, ...]]:
    """Orders as rows of their own, the first to start first."""
    return orders_by_row(with_rows(sorted(orders, key=attrgetter("start_s"))))


def _orders_words(orders: Sequence[Order], seen: Seen) -> Message:
    """Each with GPUs, term and start, as an order form has it; those that join end to start are one."""
    alike = grouped(((of.start_s, of.offer_id, of.end_s), of) for of in orders)
    whole_orders = [  # of several pools and reasons, in GPUs of the offer
        replace(
            of[0], pool=orders[0].pool, reason="now", gpus=sum(o.bought_gpus for o in of), offer_gpus=None
        )
        for _, of in sorted(alike.items())
    ]
    rows = orders_by_row(with_rows(whole_orders))
    named, later = [dated_order_words(row, seen.day) for row in rows[:NAMED]], rows[NAMED:]
    if later:
        gpus = significant(sum(row[0].gpus for row in later))
        more = worded_count(
            len(later),
            "{gpus} GPUs in {count} later order",
            "{gpus} GPUs in {count} later orders",
            gpus=gpus,
            count=whole(len(later)),
        )
        named.append(more)
    return joined(named, " + ")


def _clusters_of(ground: Ground, order: Order) -> tuple[tuple[str, float], ...]:
    """The clusters that an order serves, each with its GPUs beyond contracts as it starts; where none is, with all."""
    if order.run:
        return tuple((run.cluster, 1.0) for run in ground.runs if run.key == order.run)
    row, month = (order.pool, order.gpu_model), max(0, order.start_s - ground.window.end_s) // MONTH_S
    for model in ground.plan.models:
        if row in model.rows:
            served, left = by_cluster(ground, model, month, (row,))
            needs = left if any(left.values()) else served
            return tuple((cluster, gpus) for cluster, gpus in needs.items() if gpus > 0)
    return ()


def _not_signed(plans: AlternativePlans) -> Iterator[NextDecision]:
    """Terms that the planner does not sign, where the plan would."""
    for row in sorted(plans.scenario.left_terms, key=str):
        terms = plans.scenario.left_terms - {row}
        _, ground, planned, months = plans.planned(replace(plans.scenario, left_terms=terms))
        every = orders_within(ground, all_orders(ground, planned))
        verdicts = verdicts_of(ground.existing, every, ground.plan.served, ground)
        following = _following(replace(plans.advice, orders=every, verdicts=verdicts), plans.settled)
        certain = (order for order in every if order.is_certain and without_figures(order) not in following)
        orders = [of for of in certain if (of.pool, of.gpu_model, of.term_months) == row]
        if not orders:
            continue
        by_s = min(order.last_day_s for order in orders)
        beside = _turned(plans.beside_months(months))
        yield NextDecision(
            decision_id=order_id(*row),
            kind="order",
            subject=_in_row(orders, plans.seen),
            subject_shortly=rows_words(_as_rows(orders)),
            by_s=by_s,
            year_without=beside.other_usd,
            year_with=beside.own_usd,
            saves_in_month_12=beside.saves_in_month_12,
            is_in_plan=False,
            unknown=beside.why,
            row=row,
            orders=tuple(orders),
        )


def _savings(outlook: Outlook) -> Iterator[NextDecision]:
    """Savings that are not accepted."""
    for step in outlook.savings_offered:
        yield NextDecision(
            decision_id=f"saving:{step.step}",
            kind="saving",
            subject=lowered(DEMAND_CUTS[step.step]),
            year_without=step.year_before,
            year_with=step.year_after,
            is_in_plan=False,
            unknown=step.unknown or NO_RATE,
        )
