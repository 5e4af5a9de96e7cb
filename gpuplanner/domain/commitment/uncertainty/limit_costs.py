"""What limits cost: the plan without each one by itself, with one provider alone; and growth that is not planned."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.audit.spend.work_today import NOTHING_TODAY, WorkToday
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import LimitCost
from gpuplanner.domain.commitment.plan.comparison import Horizon, more_words, plan_usd_in
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.plan_checks import row_name
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS, RowList
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow, plan_of
from gpuplanner.domain.commitment.plan.shares import provider_keys, share_called, usd_of_share
from gpuplanner.domain.commitment.plan.twelve_months import LEAST_GPU_HOURS, planned_months
from gpuplanner.domain.commitment.recursion.allocation import NAMED, has_offer
from gpuplanner.domain.commitment.result import Advice, ComparisonMonth
from gpuplanner.domain.figures.plan import LIMIT, ONE_PROVIDER
from gpuplanner.domain.figures.typed import amount, percent, whole
from gpuplanner.domain.message import Message, Part, Text, joined, lowered, worded
from gpuplanner.domain.model.amounts import HALF_A_CENT, grouped, known_sum
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.contract import Contract, in_month
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, gpu_model_of
from gpuplanner.domain.model.plan.limits import ONLY, SHARE, Limit, has_cost, limits_of
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- What the limits of the planner cost: the plan with all of them, and again without each one by itself

LEAST_LEFT_GPU_HOURS: Final = 1e-6


def limit_costs(
    project: Project, ground: Ground, planned: Planned, advice: Advice, cache: AdviceCache
) -> tuple[LimitCost, ...]:
    """One for each limit that is set, in the order of `limits_of`; what is checked and not kept costs nothing.

    project: as it was given to the advice; ground, planned: of the plan. Law: without a limit set there is none, and
    what a limit costs is the plan less the plan without it alone. Source: docs/formulas/savings.md, Limits.
    """
    keys = {workload.key for workload in project.workloads}
    limits = limits_of(ground.scenario, ground.assumptions, keys)
    plan = JudgedPlan(ground, planned, advice.comparison)
    return tuple(
        compute_limit_cost(
            plan,
            _without(project, limit.lifted(ground.scenario), ground, cache) if has_cost(limit) else plan,
            limit,
        )
        for limit in limits
    )


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPlan:
    """A plan as far as limits are judged by it, with its twelve months."""

    ground: Ground
    planned: Planned
    months: Sequence[ComparisonMonth]

    @property
    def usd_per_month(self) -> float | None:
        """Of the first month."""
        return self.months[0].plan_usd

    @property
    def unserved_gpu_hours(self) -> float:
        """Of all twelve."""
        return sum(month.unserved_gpu_hours for month in self.months)


def _without(project: Project, scenario: Scenario, of: Ground, cache: AdviceCache) -> JudgedPlan:
    """The plan that a scenario would be."""
    return JudgedPlan(*planned_months(project, scenario, of.pools, of.classes, cache))


def compute_limit_cost(plan: JudgedPlan, without: JudgedPlan, limit: Limit) -> LimitCost:
    given = {
        "plan": plan.usd_per_month,
        "plan_without_limit": without.usd_per_month,
        "plan_in_year": known_sum(month.plan_usd for month in plan.months),
        "without_limit_in_year": known_sum(month.plan_usd for month in without.months),
    }
    worked = LIMIT.row(given, ["limit_cost", "limit_cost_in_year"])
    unserved = plan.unserved_gpu_hours - without.unserved_gpu_hours
    why = explain_limit(limit, plan, without, unserved)
    return LimitCost(
        limit=limit,
        inputs=given,
        limit_cost=worked["limit_cost"],
        limit_cost_in_year=worked["limit_cost_in_year"],
        unserved_gpu_hours=unserved,
        why=why,
    )


def explain_limit(limit: Limit, plan: JudgedPlan, without: JudgedPlan, unserved: float) -> Text:
    """What the limit keeps the plan from; empty where that is all in its $. Sentences are joined by semicolons."""
    clauses: list[Message] = []
    if limit.limit == "max_term_months":
        longest = _longest_term(without.planned.rows)
        if longest > _longest_term(plan.planned.rows):
            clauses.append(
                worded("without it, terms up to {months} months are ordered", months=whole(longest))
            )
    if limit.limit == "max_provider_share":
        clauses += describe_largest_provider(limit.value or 0.0, plan, without)
    if limit.limit == "budget_usd_per_month":
        clauses += _over_words(limit.value or 0.0, without)
    if limit.limit == SHARE:
        clauses += describe_share(f"{NAMED}{limit.who}", limit.value or 0.0, plan, without)
    sellers: tuple[Offer | Contract, ...] = (*plan.ground.project.offers, *plan.ground.project.contracts)
    if limit.limit == ONLY and not any(map(limit.who.allows, sellers)):
        clauses.append(worded("no offer or contract has it"))
    if unserved > LEAST_LEFT_GPU_HOURS:
        hours = whole(unserved)
        clauses.append(worded("it leaves {hours} GPU-hours unserved in twelve months", hours=hours))
    return joined(clauses, "; ") if clauses else ""


def _over_words(budget: float, without: JudgedPlan) -> list[Message]:
    """In how many months the plan without the budget is over it, and by how much: what it would take to serve all."""
    months = [month.plan_usd for month in without.months]
    over = [usd - budget for usd in months if usd is not None and usd > budget + HALF_A_CENT]
    words = worded(
        "without it, {count} of {months} months exceed it, by {usd} in total",
        count=whole(len(over)),
        months=whole(len(months)),
        usd=amount(sum(over)),
    )
    return [words] if over else []


def _longest_term(rows: Sequence[PlannedRow]) -> int:
    """The longest term that is signed in twelve months; 0: none."""
    terms = (
        row.row.offers[listed.place].term_months
        for row in rows
        for listed in row.listed.orders
        if listed.start_s < COMPARED_MONTHS * MONTH_S and listed.place >= 0
    )
    return max(terms, default=0)


def describe_largest_provider(share: float, plan: JudgedPlan, without: JudgedPlan) -> list[Message]:
    """Of the provider that would have most more without the limit on any: as `describe_share`."""
    keys = sorted(provider_keys(without.ground))
    more = {key: _usd_of(without, key) - _usd_of(plan, key) for key in keys}
    most = max(keys, key=lambda key: (more[key], key), default=None)
    return [] if most is None else describe_share(most, share, plan, without)


def describe_share(key: str, share: float, plan: JudgedPlan, without: JudgedPlan) -> list[Message]:
    """What one would have more without the limit, of the $ of that plan's month 0: at once, or by what comes later."""
    free, soon, usd = _usd_of(without, key), _usd_of(without, key, 1), without.usd_per_month
    if not usd or free <= _usd_of(plan, key) + HALF_A_CENT:
        return []
    kept = _usd_of(plan, key, 1) / plan.usd_per_month if plan.usd_per_month else None
    names: dict[str, Part] = {
        "provider": share_called(key),
        "kept": percent(kept),
        "now": percent(soon / usd),
        "ever": amount(free),
    }
    is_at_once = soon > share * usd + HALF_A_CENT
    if is_at_once and free <= soon + HALF_A_CENT:
        return [worded("{provider} has {kept} of first-month cost, {now} without it", **names)]
    text = worded(
        "{provider} has {kept} of first-month cost. Without the limit: {now}, with later orders {ever} per "
        "month",
        **names,
    )
    reasons = list(_reasons_to_grow(key, without))
    if free > usd + HALF_A_CENT:
        text += worded(", more than the whole month ({usd})", usd=amount(usd))
    elif is_at_once:
        return [text]
    return [
        worded("{text}, {reasons}", text=text, reasons=joined(reasons, worded(" and "))) if reasons else text
    ]


def _reasons_to_grow(key: str, of: JudgedPlan) -> Iterator[Message]:
    """Why what one has grows with what is signed later: a contract that ends counts beside what replaces it."""
    if any(rate > 0 for rate in of.ground.growth.values()):
        yield worded("as demand grows")
    held = in_month(of.ground.plan.contracts, of.ground.window, 0)
    if any(contract.end_s is not None and has_offer(key, contract) for contract in held):
        yield worded("because contracts count with the orders after them")


def _usd_of(of: JudgedPlan, key: str, months: int | None = None) -> float:
    """$ a month of one, as the limit of its share counts them."""
    return usd_of_share(of.planned.bought, of.ground, key, months)


def limit_checks(limits: Sequence[LimitCost]) -> tuple[Check, ...]:
    """An info for each limit that changes what the plan costs, or what it serves."""
    checks = []
    for cost in limits:
        if not is_binding(cost):
            continue
        text = _cost_words(cost)
        text = worded("{costs}; {why}", costs=text, why=cost.why) if cost.why else text
        checks.append(
            Check(
                code="limit_binds",
                severity="info",
                subject=lowered(cost.limit.words),
                message=text,
                usd_per_month=cost.limit_cost,
            )
        )
    return tuple(checks)


def is_binding(cost: LimitCost) -> bool:
    """Whether the plan without the limit costs something else, or serves something else."""
    usd = (cost.limit_cost, cost.limit_cost_in_year)
    return any(value is not None and abs(value) >= HALF_A_CENT for value in usd) or (
        abs(cost.unserved_gpu_hours) > LEAST_LEFT_GPU_HOURS
    )


def _cost_words(cost: LimitCost) -> Message:
    """$1,200 more in the first month, $14,400 more in twelve months."""
    year = cost.limit_cost_in_year
    if cost.limit_cost is None or year is None:
        return worded("cost unknown: a rate is missing")
    month, twelve = more_words(cost.limit_cost), more_words(year)
    return worded("{month} in the first month, {twelve} in twelve months", month=month, twelve=twelve)


# --- Growth that the log shows and the plan leaves out: the plan again with it

LEAST_GROWTH: Final = 0.02


def growth_checks(
    project: Project, ground: Ground, planned: Planned, advice: Advice, cache: AdviceCache
) -> Iterator[Check]:
    """Of each pool whose log surely grows, by over 2% a month, and whose plan has less: $ of twelve months with that
    growth less the plan's. Of several GPU models the one that grows most stands for its pool.

    Arguments as of `limit_costs`. Source: docs/formulas/uncertainty.md.
    """
    trends = [(row.volatility.trend, row.row) for row in planned.rows if row.volatility.trend]
    trends.sort(key=lambda trend_and_row: trend_and_row[0].value)
    for pool, (trend, row) in {row.pool: (trend, row) for trend, row in trends}.items():
        name, own = f"growth_{pool}", ground.assumptions.of_pool("growth", pool)
        growth = round(min(trend.value, SPEC_BY_NAME[name].high), 3)
        if trend.low <= 0 or trend.value <= LEAST_GROWTH or own >= growth:
            continue
        scenario = replace(ground.scenario, assumptions={**ground.scenario.assumptions, name: growth})
        sides = (_without(project, scenario, ground, cache).months, advice.comparison)
        grown, plan = (known_sum(month.plan_usd for month in months) for months in sides)
        cost = None if grown is None or plan is None else grown - plan
        text = worded(
            "demand grows {growth} per month ({low} to {high}), the plan has {own}. With it, 12 months cost "
            "{usd} more. To plan it, set Growth of {pool} to {growth}",
            growth=percent(growth, 1),
            low=percent(trend.low, 1),
            high=percent(trend.high, 1),
            own=percent(own, 1),
            usd=amount(cost),
            pool=worded(pool.value),
        )
        yield Check(
            code="growth_not_planned", severity="amber", subject=row_name(pool, row.gpu_model), message=text
        )


# --- Who could serve all: the same plan with the offers of one provider alone, provider by provider

MOST_NAMED: Final = 3
"""What a provider lacks is named so often, the rest is counted."""


@dataclass(frozen=True, slots=True)
class NotServed:
    """GPUs of a model that a provider does not sell, in the mean of the first month; $ a month as the plan has them."""

    gpu_model: str | None
    gpus: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderPlan:
    """A plan with the offers of one provider alone, and what it does not sell as planned. Money None: unknown.

    serves: share of the plan's GPU-hours served from scratch, 0..1. same_work_now: today's cost of that work, $
    per month, idle GPU-hours of its contracts included. from_scratch: $ of the first month without any existing
    contract, served: what of it is the provider's; alone_year: $ of the next 12 months, in which existing contracts run
    to their end; plan_year: the same of the plan with all offers. lacks: what it cannot serve or has no price for, from
    scratch; empty where it serves all. not_served: of the same, GPUs and $. year_parts: what alone_year is the sum of.
    """

    provider: str
    offers: int
    serves: float | None
    same_work_now: float | None
    served: float | None
    from_scratch: float | None
    alone_year: float | None
    plan_year: float | None
    beside_plan: float | None
    lacks: Text = ""
    not_served: tuple[NotServed, ...] = ()
    year_parts: tuple[tuple[Text, float | None], ...] = field(default=(), compare=False, repr=False)

    @property
    def serves_all(self) -> bool:
        """Whether its offers serve every pool and GPU model of the plan, from scratch."""
        return not self.lacks


MONTH, YEAR = range(2)
SPANS: Final = (1, COMPARED_MONTHS)


class RowCost(NamedTuple):
    """$ of a pool and model in each of SPANS, None where nobody sells it, and GPU-hours that nobody serves."""

    usd: tuple[float | None, ...]
    left: tuple[float, ...]

    @property
    def lacks(self) -> bool:
        """Whether nobody sells it, or not enough."""
        return self.usd[YEAR] is None or self.left[YEAR] > LEAST_GPU_HOURS


_Costs = Mapping[Row, RowCost]


def _costs(ground: Ground, cache: AdviceCache) -> _Costs:
    """What each pool and model of a plan costs beside its contracts."""
    bought = plan_of(ground, cache).bought
    lists = grouped((Row(planned.row.pool, planned.row.gpu_model), planned.listed) for planned in bought)

    def sums(of: Callable[[RowList, int], float | None], listed: list[RowList]) -> tuple[float | None, ...]:
        return tuple(known_sum(of(row, month) for row in listed for month in range(span)) for span in SPANS)

    return {
        row: RowCost(
            sums(lambda row, month: known_sum((row.orders_usd(month), row.use_usd(month))), listed),
            tuple(hours or 0.0 for hours in sums(RowList.unserved_in, listed)),
        )
        for row, listed in lists.items()
    }


def providers_alone(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    plan: Advice,
    is_cancelled: Callable[[], bool] = lambda: False,
    cache: AdviceCache | None = None,
    today: WorkToday = NOTHING_TODAY,
) -> tuple[ProviderPlan, ...]:
    """Each provider of the price book alone: by the share of the fleet that it serves, then the cheapest of the year.

    pools[i] is the pool of project.workloads[i]; plan: with all offers; today: cost of the log's work in these pools.
    Limits on the shares of providers do not hold
    here, all other limits and rules of the plan do; hardware of our own is no provider. Nothing where it is cancelled.
    Source: docs/formulas/savings.md, One provider alone.
    """
    cache, classes = cache or AdviceCache(), plan.classes
    shares = {who: share for who, share in scenario.shares.items() if not who.provider}
    free = replace(scenario, assumptions={**scenario.assumptions, "max_provider_share": None}, shares=shares)
    planned = _costs(ground_of(project, scenario, pools, cache, classes), cache)
    answer = []
    sold = [offer for offer in project.offers if offer.pricing_category is not PricingCategory.OWNED]
    for name in sorted({offer.provider for offer in sold if offer.provider}):
        ours = replace(project, offers=tuple(offer for offer in sold if offer.provider == name))
        if is_cancelled():
            return ()
        scratch, existing = (
            ground_of(ours, of, pools, cache, classes) for of in (replace(free, greenfield=True), free)
        )
        held = known_sum(map(existing.contracts_usd, range(COMPARED_MONTHS)))
        afresh, alone = _costs(scratch, cache), _costs(existing, cache)
        answer.append(_row(name, len(ours.offers), held, afresh, alone, plan, planned, today))

    def order(row: ProviderPlan) -> tuple[bool, float, float, str]:
        """The fewer GPUs of the fleet it leaves, the larger the share that it serves."""
        left = sum(part.gpus for part in row.not_served)
        return not row.serves_all, left, row.alone_year or 0.0, row.provider

    return tuple(sorted(answer, key=order))


def _row(
    name: str,
    offers: int,
    contracts_year: float | None,
    afresh: _Costs,
    alone: _Costs,
    plan: Advice,
    planned: _Costs,
    today: WorkToday,
) -> ProviderPlan:
    of_plan = {(pool.pool, pool.gpu_model): pool for pool in plan.pools}

    def rows_of_plan(costs: _Costs, row: Row) -> list[Row]:
        """Return the plan's rows of a model: demand for this provider alone is a row of its own there."""
        return [
            name
            for name in planned
            if name == row or (name not in costs and Row(name.pool, gpu_model_of(name.name)) == row)
        ]

    def rest(costs: _Costs, row: Row, span: int) -> tuple[float, float | None]:
        """Mean GPUs of a row that the provider does not serve in a span, and their $ as planned."""
        names = rows_of_plan(costs, row)
        mean = sum((of_plan[name].demand.mean_gpus for name in names), 0.0)
        usd = known_sum(of_plan[name].cost_per_month for name in names) if names else None
        if costs[row].usd[span] is None:
            is_stated = span == MONTH or not names
            return mean, usd if is_stated else known_sum(planned[name].usd[span] for name in names)
        gpus = costs[row].left[span] / (HOURS_PER_MONTH * SPANS[span])
        return gpus, None if usd is None or not mean else usd * SPANS[span] * gpus / mean

    left = {row: rest(afresh, row, MONTH) for row, cost in afresh.items() if cost.lacks}
    asked_for = {
        row: sum((of_plan[name].demand.mean_gpus for name in rows_of_plan(afresh, row)), 0.0)
        for row in afresh
    }
    gpus_left = {row: min(left[row][0], asked_for[row]) if row in left else 0.0 for row in afresh}
    serves = {row: 1.0 - gpus_left[row] / gpus if gpus else 0.0 for row, gpus in asked_for.items()}
    costs_today = [
        None if usd is None else usd * serves[row]
        for row in afresh
        if serves[row] and (usd := today.get((row.pool, gpu_model_of(row.name)), 0.0)) != 0.0
    ]
    every = sum(asked_for.values())
    served = known_sum(cost.usd[MONTH] for cost in afresh.values() if cost.usd[MONTH] is not None)
    parts: list[tuple[Text, float | None]] = [(worded("Existing contracts"), contracts_year)]
    for row, cost in alone.items():
        named: dict[str, Part] = {"pool": row.pool.value, "model": row.name or worded("unknown model")}
        if cost.usd[YEAR] is not None:
            parts.append((worded("{pool} {model}, its offers", **named), cost.usd[YEAR]))
        if cost.lacks:
            parts.append((worded("{pool} {model}, as planned", **named), rest(alone, row, YEAR)[1]))
    given = {
        "serves": 1.0 - sum(gpus_left.values()) / every if every else None,
        "same_work_now": known_sum(costs_today) if today else None,
        "alone_year": known_sum(usd for _, usd in parts),
        "plan_year": plan_usd_in(plan, Horizon.TWELVE_MONTHS),
        "served": served,
        "from_scratch": known_sum([served, *(usd for _, usd in left.values())]),
    }
    by_model = grouped(
        (gpu_model_of(row.name), left[row]) for row in sorted(left, key=lambda row: row.name or "")
    )
    not_served = (
        NotServed(model, sum(gpus for gpus, _ in gpus_and_usd), known_sum(usd for _, usd in gpus_and_usd))
        for model, gpus_and_usd in by_model.items()
    )
    return ProviderPlan(
        provider=name,
        offers=offers,
        lacks=describe_unserved_models(afresh),
        not_served=tuple(not_served),
        year_parts=tuple(parts),
        **ONE_PROVIDER.row(given),
    )


def describe_unserved_models(afresh: _Costs) -> Text:
    """GPU models that it leaves to nobody or has no price for; with the pools, where it serves them in others."""
    left = {row for row, cost in afresh.items() if cost.lacks}
    models = sorted({model for _, model in left}, key=lambda model: model or "")
    names = [_model_words(model, left, afresh) for model in models]
    if len(names) <= MOST_NAMED:
        return joined(names, ", ")
    more = whole(len(names) - MOST_NAMED)
    return worded("{names} and {more} more", names=joined(names[:MOST_NAMED], ", "), more=more)


def _model_words(model: str | None, left: set[Row], afresh: _Costs) -> Text:
    name: Text = model or worded("unknown model")
    every = {pool for pool, of in afresh if of == model}
    lacking = [pool for pool in POOLS if (pool, model) in left]
    if every <= set(lacking):
        return name
    pools = joined([worded(pool.value) for pool in lacking], ", ")
    return worded("{model} for {pools}", model=name, pools=pools)


DOES_NOT_BIND: Final = worded("no effect on the plan")


CHECKED_ALONE: Final = worded("checked, not enforced; Checks lists violations")


def binds_words(row: LimitCost) -> Text:
    """What a limit keeps the plan from, or that it keeps it from nothing; empty where its $ say all."""
    if not has_cost(row.limit):
        return CHECKED_ALONE
    is_known = row.limit_cost is not None and row.limit_cost_in_year is not None
    return row.why if is_binding(row) or not is_known else DOES_NOT_BIND
