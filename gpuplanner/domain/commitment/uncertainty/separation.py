"""Separation: what separate pools cost beyond one pool for each GPU model."""

from collections.abc import Sequence
from functools import partial

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment import outlook_result
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand
from gpuplanner.domain.commitment.demand.volatility import in_force
from gpuplanner.domain.commitment.plan import row_plans, totals, twelve_months
from gpuplanner.domain.commitment.plan.advice import pool_plans
from gpuplanner.domain.commitment.plan.comparison import more_words
from gpuplanner.domain.commitment.plan.ground import Ground, with_monthly
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.fit.rules import cheapest
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import HALF_A_CENT
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import POOLS, PricingCategory
from gpuplanner.lazy_dataclass import replace


def joint_demand(model: ModelDemand, largest: Sequence[Row]) -> ModelDemand:
    """The same demand as one row, and one for all that the same alone may serve: it still grows pool by pool.

    largest: (pool, name) of the joint rows, the pool being that of most GPU time; every name of the model's
    rows must be one.
    """
    place = {name: number for number, (_, name) in enumerate(largest)}
    joined = [place[name] for _, name in model.rows]
    return replace(
        model.with_streams(lambda _, stream: replace(stream, row=joined[stream.row])), rows=tuple(largest)
    )


def separation_of(ground: Ground, cache: AdviceCache) -> outlook_result.Separation:
    """The plan with its pools and the plan with one row a model, all its workloads together (and one for all that the
    same alone may serve), named by the pool with most GPU time of it: side by side over the twelve months.

    In the joint plan offers are eligible for all its pools; each workload keeps the usage price it may use and its
    demand the growth of its pool; no pins; the split stays. Source: docs/formulas/uncertainty.md, Cost of separation.
    """
    assumptions, models = ground.assumptions, list[ModelDemand]()
    apart, joint = dict[Row, row_plans.Wish](), dict[Row, row_plans.Wish]()
    on_demand = {run.row: ground.prices[run.row].on_demand for run in ground.runs}
    for model in ground.plan.models:
        named = {name: [row for row in model.rows if row.name == name] for _, name in model.rows}
        largest = tuple(
            max(rows, key=lambda row: float(ground.plan.users[row].sum())) for rows in named.values()
        )
        pooled = cache.recall("joint", largest, (model,), partial(joint_demand, model, largest))
        models.append(pooled)
        for place, (pool, rows) in enumerate(zip(largest, named.values(), strict=True)):
            measured = row_plans.measured_volatility(ground, pooled, place, POOLS, cache)
            of_no_pool = assumptions.churn_of(None, 0.0), in_force(assumptions, None, measured)
            apart |= {row: row_plans.wish_of(ground, (row,), *of_no_pool) for row in rows}
            open_to = [{offer.offer_id for offer in ground.eligible[row]} for row in rows]
            shared = tuple(  # at the rate of the row: a mapped model's is for the work of one GPU of the row's model
                offer for offer in ground.eligible[rows[0]] if all(offer.offer_id in ids for ids in open_to)
            )
            joint[pool] = row_plans.wish_of(ground, rows, *of_no_pool, shared)
            on_demand[pool] = cheapest(shared, PricingCategory.STANDARD)
    ground = with_monthly(ground, models, cache)
    names = {name for _, name in ground.monthly}
    ground = replace(ground, monthly=frozenset(row for row in apart if row.name in names))
    separate = row_plans.plan_models(ground, ground.plan.models, apart, False, cache)
    together = row_plans.plan_models(ground, models, joint, False, cache)
    pools = pool_plans(ground, together, on_demand)
    return outlook_result.Separation(
        tuple(month.plan_usd for month in twelve_months.comparison_of(ground, separate)),
        tuple(month.plan_usd for month in twelve_months.comparison_of(ground, together)),
        pools,
        totals.idle_existing(ground, pools),
    )


def check_separation(separation: outlook_result.Separation) -> tuple[Check, ...]:
    """An info where separate pools cost at least half a cent, in the first month or in the year; none where unknown."""
    cost_usd, year_usd = separation.cost_usd(), separation.cost_usd(COMPARED_MONTHS)
    if cost_usd is None or year_usd is None or max(cost_usd, year_usd) < HALF_A_CENT:
        return ()
    text = worded(
        "separate pools do not share peaks. Against one pool per model, this plan costs {cost_usd} in the "
        "first month, {year_usd} in 12 months",
        cost_usd=more_words(cost_usd),
        year_usd=more_words(year_usd),
    )
    return (
        Check(
            code="separation_costs",
            severity="info",
            subject=worded("plan"),
            message=text,
            usd_per_month=cost_usd,
        ),
    )
