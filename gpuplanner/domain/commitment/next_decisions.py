"""Next decisions: what to do, by when, and what twelve months cost without each of them, the dearest first."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import NextDecision, Outlook, in_order
from gpuplanner.domain.commitment.plan.decisions import decide
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.plan_checks import by_cluster, row_name
from gpuplanner.domain.commitment.plan.twelve_months import LEAST_GPU_HOURS, planned_months
from gpuplanner.domain.commitment.result import Advice, ComparisonMonth, Order, Verdict
from gpuplanner.domain.commitment.sentences import decide_by_s
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.domain.model.amounts import HALF_A_CENT, grouped, known_sum
from gpuplanner.domain.model.book.contract import Contract, term_words
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.plan_inputs import DEMAND_CUTS, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
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
    Source: docs/formulas.md, Next decisions.
    """
    if not (project.has_log and project.offers):
        return ()
    plans = _Plans(project, scenario, pools, advice, cache)
    of_contracts, orders = _by_contract(advice, scenario)
    return in_order(
        (
            *_of_contracts(plans, of_contracts),
            *_of_orders(plans, orders),
            *_overruled(plans),
            *_savings(outlook),
        )
    )


class _Plans:
    """A plan beside the same without one of its decisions."""

    def __init__(
        self,
        project: Project,
        scenario: Scenario,
        pools: tuple[Pool, ...],
        advice: Advice,
        cache: AdviceCache,
    ) -> None:
        self._asked, self._cache = (project, pools, advice.classes), cache
        self.scenario, self.advice = scenario, advice
        self.year_with = _year_usd(advice.comparison)
        self.contracts = {contract.contract_id: contract for contract in project.contracts}

    @cached_property
    def ground(self) -> Ground:
        """What the plan stands on."""
        project, pools, classes = self._asked
        return ground_of(project, self.scenario, pools, self._cache, classes)

    def year_of(self, scenario: Scenario) -> tuple[float | None, Text]:
        """$ of twelve months of another plan, in which all is decided anew; None where it does not compare, and why."""
        project, pools, classes = self._asked
        decided = decide(project, scenario, pools, classes, self._cache)
        of = replace(scenario, whole_decisions=decided)
        *_, months = planned_months(project, of, pools, classes, self._cache)
        if abs(_unserved(months) - _unserved(self.advice.comparison)) > LEAST_GPU_HOURS:
            return None, LEAVES_WORK
        usd = _year_usd(months)
        return usd, NO_RATE if usd is None or self.year_with is None else ""


NO_RATE: Final[Text] = worded("— (a rate is missing)")
BY_HAND: Final[Text] = worded("— (you set these levels)")
LEAVES_WORK: Final[Text] = worded("— (without it work is served by nobody)")


def _year_usd(months: Sequence[ComparisonMonth]) -> float | None:
    return known_sum(month.plan_usd for month in months)


def _unserved(months: Sequence[ComparisonMonth]) -> float:
    return sum(month.unserved_gpu_hours for month in months)


def _by_contract(advice: Advice, scenario: Scenario) -> tuple[dict[str, list[Order]], list[Order]]:
    """Orders that only follow from the end of a contract, by its id; and all others."""
    contracts = {contract.contract_id: contract for contract in advice.contracts}
    given = {*scenario.notice_given}  # what follows them is still to be ordered
    ending = [row for row in advice.verdicts if row.is_to_decide and row.contract_id not in given]
    follow: dict[str, list[Order]] = {verdict.contract_id: [] for verdict in ending}
    others = []
    for order in (order for order in advice.orders if order.is_certain):
        candidates = [
            verdict
            for verdict in ending
            if (contract := contracts.get(verdict.contract_id)) is not None
            if order.reason == "contract_end" and _may_follow(order, contract)
        ]
        if candidates:
            most = max(candidates, key=lambda verdict: (verdict.gpus, verdict.contract_id))
            follow[most.contract_id].append(order)
        else:
            others.append(order)
    return follow, others


def _may_follow(order: Order, contract: Contract) -> bool:
    """Whether an order starts in the month after the end of a contract of its model and pool."""
    since_s = order.start_s - (contract.end_s or 0)
    is_of_pool = contract.pool in (None, order.pool)
    return 0 <= since_s < MONTH_S and is_of_pool and gpu_model_of(order.gpu_model) == contract.gpu_model


def _of_contracts(plans: _Plans, follow: dict[str, list[Order]]) -> Iterator[NextDecision]:
    asked = {str(check.subject) for check in plans.advice.checks if check.code in QUESTIONS}
    overruled = {*plans.scenario.kept, *plans.scenario.ended, *plans.scenario.notice_given}
    for verdict in plans.advice.verdicts:
        contract = plans.contracts.get(verdict.contract_id)
        is_decided = verdict.verdict == "renew" or verdict.is_to_decide
        if contract is None or not is_decided or verdict.is_later or not contract.is_committed:
            continue
        if verdict.contract_id in overruled:
            continue
        statement = "ended" if verdict.verdict == "renew" else "kept"
        without, why = plans.year_of(plans.scenario.stating(statement, [verdict.contract_id]))
        yield NextDecision(
            f"contract:{verdict.contract_id}",
            "question" if verdict.contract_id in asked else verdict.verdict,
            _contract_words(verdict, contract),
            decide_by_s(verdict, contract),
            without,
            plans.year_with,
            known_sum(order.liability for order in follow.get(verdict.contract_id, ())),
            verdict.contract_id not in asked,
            why,
            contract_id=verdict.contract_id,
            ends_s=verdict.ends_s or contract.end_s,
        )


def _contract_words(verdict: Verdict, contract: Contract) -> Message:
    """PO-108004 (40 H100); atlas-core (64 H100) with 32 GPUs for 36 months."""
    if not verdict.shares:
        return _named(contract)
    named = {"contract": _named(contract), "terms": verdict.reason}
    if verdict.verdict == "end":
        return worded("{contract} and order {terms}", **named)
    return worded("{contract} with {terms}", **named)


def _named(contract: Contract) -> Message:
    return worded(
        "{contract} ({gpus} {gpu_model})",
        contract=contract.contract_id,
        gpus=significant(contract.gpus),
        gpu_model=gpu_model_of(contract.gpu_model) or worded("GPUs"),
    )


def _of_orders(plans: _Plans, orders: Sequence[Order]) -> Iterator[NextDecision]:
    """Orders of one pool, model and term are one decision; of a run that is planned its own."""
    rows = grouped(((order.pool, order.gpu_model, order.term_months, order.run), order) for order in orders)
    runs = {run.key: run for run in plans.advice.planned_runs}
    by_hand = plans.scenario.hand_layers.keys() - plans.scenario.advised_around
    for (pool, gpu_model, term, run), of_row in rows.items():
        by_s = min(order.last_day_s for order in of_row)
        if run:
            without, year_with, why = runs[run].use_usd, runs[run].usd, NO_RATE
        elif (pool, gpu_model) in by_hand:
            without, year_with, why = None, None, BY_HAND
        else:
            left = plans.scenario.left_terms | {(pool, gpu_model, term)}
            without, why = plans.year_of(replace(plans.scenario, left_terms=left))
            year_with = plans.year_with
        first = [order for order in of_row if order.last_day_s == by_s]
        subject = worded(
            "{gpus} {gpu_model} for {term}, {row}",
            gpus=significant(sum(order.bought_gpus for order in first)),
            gpu_model=first[0].offer_gpu_model or gpu_model_of(gpu_model) or worded("GPUs"),
            term=term_words(term, first[0].term_days),
            row=worded(pool.value),
        )
        yield NextDecision(
            _order_id(pool, gpu_model, term, run),
            "order",
            subject,
            by_s,
            without,
            year_with,
            known_sum(order.liability for order in of_row),
            unknown=why,
            row=(pool, gpu_model, term),
            orders=tuple(first),
            clusters=_clusters_of(plans.ground, first[0]),
        )


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


def _order_id(pool: Pool, gpu_model: str | None, term: int, run: str = "") -> str:
    return ":".join(("order", pool.value, gpu_model or "", str(term), *filter(None, (run,))))


def _overruled(plans: _Plans) -> Iterator[NextDecision]:
    """What the planner decided otherwise: contracts that are kept or ended, and terms that are not signed.

    Not a contract of which the plan would decide the same.
    """
    scenario, taken = plans.scenario, dict[NextDecision, Scenario]()
    for statement, kind in (("kept", "end"), ("ended", "renew")):
        for contract_id in {*getattr(scenario, statement)} & plans.contracts.keys():
            subject = _named(plans.contracts[contract_id])
            decision = NextDecision(f"contract:{contract_id}", kind, subject, contract_id=contract_id)
            taken[decision] = scenario.stating(statement, [contract_id], holds=False)
    for row in scenario.left_terms:
        subject = worded("{row} for {term}", row=row_name(*row[:2]), term=term_words(row[2]))
        decision = NextDecision(_order_id(*row), "order", subject, row=row)
        taken[decision] = replace(scenario, left_terms=scenario.left_terms - {row})
    for decision, plan in taken.items():
        usd, why = plans.year_of(plan)
        decided = replace(
            decision, year_without=plans.year_with, year_with=usd, is_in_plan=False, unknown=why
        )
        if decided.row or why or abs(decided.usd_12_months or 0.0) >= HALF_A_CENT:
            yield decided


def _savings(outlook: Outlook) -> Iterator[NextDecision]:
    """Savings that are not accepted; none that would save nothing."""
    for step in outlook.savings_offered:
        if step.saved_in_year is not None and abs(step.saved_in_year) < HALF_A_CENT:
            continue
        yield NextDecision(
            f"saving:{step.step}",
            "saving",
            lowered(DEMAND_CUTS[step.step]),
            year_without=step.year_before,
            year_with=step.year_after,
            is_in_plan=False,
            unknown=step.unknown,
        )
