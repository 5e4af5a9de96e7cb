"""What the limits of the planner cost: the plan with all of them, and again without each one by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import LimitCost
from gpuplanner.domain.commitment.plan.advice import pool_plans
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.provider_limits import usd_by_provider
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS, PlannedRow, plan_of
from gpuplanner.domain.commitment.plan.totals import idle_existing, plan_usd_of
from gpuplanner.domain.commitment.plan.twelve_months import MonthParts, plan_parts_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import LIMIT
from gpuplanner.domain.figures.typed import amount, percent, whole
from gpuplanner.domain.message import Message, Text, joined, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import running
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

ONLY: Final = "only"
NAMES: Final = ("budget_usd_per_month", "max_provider_share", "max_term_months")
"""Limits that are assumptions, by --set name."""
LEAST_USD: Final = 0.005
LEAST_GPU_HOURS: Final = 1e-6


def limit_costs(
    project: Project, ground: Ground, rows: Sequence[PlannedRow], advice: Advice, cache: AdviceCache
) -> tuple[LimitCost, ...]:
    """One for each limit that is set: of the assumptions in the order of NAMES, then who alone may serve, by name.

    project: as it was given to the advice; ground, rows: of the plan. A limit that is not set is in none.
    Law: without a limit set there is none, and what a limit costs is the plan less the plan without it alone.
    Source: docs/formulas.md, Limits.
    """
    plan, assumptions = ground.scenario, ground.assumptions
    there = {workload.key for workload in project.workloads}
    pinned: dict[Only, list[str]] = {}
    for key, only in sorted(plan.only.items()):
        if key in there and only != ANYBODY:
            pinned.setdefault(only, []).append(key)
    of_plan = _Beside(ground, rows, advice.totals.plan)
    found = []
    for name in NAMES:
        value = getattr(assumptions, name)
        if value is not None:
            lifted = replace(plan, assumptions={**plan.assumptions, name: None})
            found.append(_cost_of(of_plan, _without(project, lifted, ground, cache), name, float(value)))
    for only, keys in sorted(pinned.items()):
        lifted = replace(plan, only={key: limit for key, limit in plan.only.items() if key not in set(keys)})
        without = _without(project, lifted, ground, cache)
        found.append(_cost_of(of_plan, without, ONLY, None, only, tuple(keys)))
    return tuple(found)


class _Beside:
    """A plan as far as limits are judged by it: $ of month 0 and of twelve months, and what it leaves unserved."""

    def __init__(self, ground: Ground, rows: Sequence[PlannedRow], plan_usd: float | None) -> None:
        months = range(COMPARED_MONTHS)
        parts: list[MonthParts] = [plan_parts_in(ground, rows, month) for month in months]
        self.ground, self.rows, self.usd_per_month = ground, rows, plan_usd
        self.usd_in_year = None if plan_usd is None else known_sum(part.plan_usd for part in parts)
        self.unserved_gpu_hours = sum(part.unserved_gpu_hours for part in parts)


def _without(project: Project, scenario: Scenario, of: Ground, cache: AdviceCache) -> _Beside:
    """The plan that a scenario would be."""
    ground = ground_of(project, scenario, of.pools, cache, of.classes)
    planned = plan_of(ground, cache)
    plans = pool_plans(ground, planned, {row: price.on_demand for row, price in ground.prices.items()})
    in_month_0 = running(ground.plan.contracts, ground.window, 0)
    usd = plan_usd_of(plans, idle_existing(in_month_0, plans, ground.weights))
    return _Beside(ground, planned.rows, usd)


def _cost_of(
    plan: _Beside,
    without: _Beside,
    name: str,
    value: float | None,
    only: Only = ANYBODY,
    keys: tuple[str, ...] = (),
) -> LimitCost:
    given = {
        "plan": plan.usd_per_month,
        "plan_without_limit": without.usd_per_month,
        "plan_in_year": plan.usd_in_year,
        "without_limit_in_year": without.usd_in_year,
    }
    worked = LIMIT.row(given, ["limit_cost", "limit_cost_in_year"])
    unserved = plan.unserved_gpu_hours - without.unserved_gpu_hours
    found = LimitCost(
        name, value, only, keys, given, worked["limit_cost"], worked["limit_cost_in_year"], unserved
    )
    return replace(found, why=_why(found, plan, without))


def _why(of: LimitCost, plan: _Beside, without: _Beside) -> Text:
    """What the limit keeps the plan from; empty where that is all in its $. Sentences are joined by semicolons."""
    said: list[Message] = []
    if of.limit == "max_term_months":
        longest = _longest_term(without.rows)
        if longest > _longest_term(plan.rows):
            said.append(worded("without it terms of up to {months} months are signed", months=whole(longest)))
    if of.limit == "max_provider_share":
        said += _provider_words(of.value or 0.0, plan, without)
    if of.limit == ONLY and not _is_anybody_there(plan.ground, of.only):
        said.append(worded("no offer or contract is of it"))
    if of.unserved_gpu_hours > LEAST_GPU_HOURS:
        hours = whole(of.unserved_gpu_hours)
        said.append(worded("it leaves {hours} GPU-hours of twelve months unserved", hours=hours))
    return joined(said, "; ") if said else ""


def _is_anybody_there(ground: Ground, only: Only) -> bool:
    """Whether an offer or a contract is of who alone may serve."""
    both: tuple[Offer | Contract, ...] = (*ground.project.offers, *ground.project.contracts)
    return any(only.allows(one) for one in both)


def _longest_term(rows: Sequence[PlannedRow]) -> int:
    """The longest term that is signed in twelve months; 0: none."""
    return max((int(one.signed.term[:COMPARED_MONTHS].max(initial=0)) for one in rows), default=0)


def _provider_words(share: float, plan: _Beside, without: _Beside) -> list[Message]:
    """Who would have more without the limit, of the $ of that plan's month 0: at once, or by what is signed later."""
    held, free, soon = _usd_of_providers(plan), _usd_of_providers(without), _usd_of_providers(without, 1)
    most = max(free, key=lambda name: (free[name] - held.get(name, 0.0), name), default=None)
    usd = without.usd_per_month
    if most is None or not usd or free[most] <= held.get(most, 0.0) + LEAST_USD:
        return []
    now, ever = percent(soon[most] / usd), percent(free[most] / usd)
    is_at_once = soon[most] > share * usd + LEAST_USD
    if is_at_once and free[most] <= soon[most] + LEAST_USD:
        return [worded("without it {provider} has {now} of the first month's $", provider=most, now=now)]
    if is_at_once:
        return [
            worded(
                "without it {provider} has {now} of the first month's $, and {ever} of it with what is signed later",
                provider=most,
                now=now,
                ever=ever,
            )
        ]
    later = worded(
        "without it {provider} has {now} of the first month's $, and comes to {ever} of it with what is signed later",
        provider=most,
        now=now,
        ever=ever,
    )
    grows = any(rate > 0 for rate in plan.ground.growth.values())
    return [later + worded(", as demand grows") if grows else later]


def _usd_of_providers(of: _Beside, months: int | None = None) -> Mapping[str, float]:
    """$ a month by provider, as the limit counts them."""
    in_month_0 = running(of.ground.plan.contracts, of.ground.window, 0)
    return usd_by_provider([one.row for one in of.rows], [one.signed for one in of.rows], in_month_0, months)


def limit_checks(limits: Sequence[LimitCost]) -> tuple[Check, ...]:
    """An info for each limit that changes what the plan costs, or what it serves."""
    found = []
    for one in limits:
        if not is_binding(one):
            continue
        text = _cost_words(one)
        text = worded("{costs}; {why}", costs=text, why=one.why) if one.why else text
        found.append(Check("limit_binds", "info", lowered(limit_words(one)), text, one.limit_cost))
    return tuple(found)


def is_binding(one: LimitCost) -> bool:
    """Whether the plan without the limit costs something else, or serves something else."""
    usd = (one.limit_cost, one.limit_cost_in_year)
    return any(value is not None and abs(value) >= LEAST_USD for value in usd) or (
        abs(one.unserved_gpu_hours) > LEAST_GPU_HOURS
    )


def _cost_words(one: LimitCost) -> Message:
    """$1,200 more in the first month, $14,400 more in twelve months."""
    year = one.limit_cost_in_year
    if one.limit_cost is None or year is None:
        return worded("what it costs is not known: a rate is missing")
    month, twelve = _more(one.limit_cost), _more(year)
    return worded("{month} in the first month, {twelve} in twelve months", month=month, twelve=twelve)


def _more(usd: float) -> Message:
    """$1,200 more; $1,200 less; nothing more, under half a dollar."""
    if abs(usd) < 0.5:
        return worded("nothing more")
    return worded("{usd} more", usd=amount(usd)) if usd > 0 else worded("{usd} less", usd=amount(-usd))


def limit_words(one: LimitCost) -> Message:
    """No term over 12 months; No more than 60% with one provider; A budget of $400,000; 3 workloads only from X."""
    if one.limit == "max_term_months":
        months = int(one.value or 0)
        return worded_count(
            months,
            "No term over {months} month",
            "No term over {months} months",
            months=whole(months),
        )
    if one.limit == "max_provider_share":
        return worded("No more than {share} with one provider", share=percent(one.value or 0.0))
    if one.limit == "budget_usd_per_month":
        return worded("A budget of {usd} per month", usd=amount(one.value or 0.0))
    count = len(one.keys)
    if one.only.region and one.only.provider:
        who = worded("{provider} in {region}", provider=one.only.provider, region=one.only.region)
    elif one.only.region:
        who = worded("region {region}", region=one.only.region)
    else:
        who = worded("{provider}", provider=one.only.provider)
    return worded_count(
        count,
        "{count} workload only from {who}",
        "{count} workloads only from {who}",
        count=whole(count),
        who=who,
    )
