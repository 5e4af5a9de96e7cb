"""The outlook: how sure the plan's cost is, what it and its terms hang on, and where savings come from."""

from dataclasses import replace

import numpy as np

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.comparison.coverage import coverage_of
from gpuplanner.domain.commitment.comparison.savings import savings_steps
from gpuplanner.domain.commitment.comparison.separation import HandLayersByModel, joint_idle, joint_plan
from gpuplanner.domain.commitment.outlook_result import Coverage, Outlook
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow, plan_of, plan_with
from gpuplanner.domain.commitment.plan.totals import is_priced, plan_usd_of
from gpuplanner.domain.commitment.recursion.rates import term_rates
from gpuplanner.domain.commitment.recursion.slice_policy import cheapest_policy
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.checkpoints import spot_advice
from gpuplanner.domain.commitment.uncertainty.cost_range import uncertainty_of
from gpuplanner.domain.commitment.uncertainty.level_values import level_values
from gpuplanner.domain.commitment.uncertainty.limit_costs import limit_checks, limit_costs
from gpuplanner.domain.commitment.uncertainty.price_paths import price_paths
from gpuplanner.domain.commitment.uncertainty.terms_hang import terms_hang_on_prices
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import decimals
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Scenario


# Net present value: what signing as advised is expected to save over the horizon, against paying all by
# use.
def npv_usd(planned: Planned) -> float | None:
    """Over all rows, $ of today; None where a rate is missing or layers are set by hand.

    Both sides are the expected, discounted cost of month 0 to the horizon, so churn, price fall and volatility
    are in. Law: never below 0, since paying by use is one of the policies. Source: docs/formulas.md, Policy.
    """
    return known_sum([_of_row(one) for one in planned.rows])


def _of_row(one: PlannedRow) -> float | None:
    """Waiting less the advice, $ of today; 0 for a row without slices, None where one of them is unknown."""
    row = one.row
    if not row.slices:
        return 0.0
    if row.flex.rate is None or row.use is not None or np.isnan(one.signed.value_usd).any():
        return None
    waiting = cheapest_policy(
        row.busy.shares,
        row.busy.state_of_month,
        term_rates((), row.market.horizon_months),
        row.flex.rate,
        row.market,
        row.slicing.widths,
    )
    today = waiting.value[len(waiting.value) // 2]
    return float((today - one.signed.value_usd).sum())


def outlook(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    advice: Advice,
    cache: AdviceCache | None = None,
    joint_layers: HandLayersByModel | None = None,
) -> Outlook:
    """The slower figures of an advice; the other arguments are those that it was worked out from.

    joint_layers: of the plan in one pool, by model, where they are not to be advised anew (as in a workbook).

    Cost of separation: the plan less the joint plan; it can be negative, and is None where either is unknown.
    """
    cache = AdviceCache() if cache is None else cache
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    joint = joint_plan(ground, cache, joint_layers)
    idle = joint_idle(ground, joint)
    given = {"plan": advice.totals.plan, "joint": plan_usd_of(joint, idle)}
    cost = PLAN.row(given, ["cost_of_separation"])["cost_of_separation"]
    planned = plan_of(ground, cache)
    values = level_values(planned, project.window.hours, cache)
    limits = limit_costs(project, ground, planned.rows, advice, cache)
    hang = terms_hang_on_prices(
        ground.assumptions,
        planned,
        lambda values: plan_with(project, scenario, pools, advice.classes, values, cache),
    )
    return Outlook(
        uncertainty_of(ground, planned, advice, values),
        cost,
        joint,
        (*_separation_checks(cost), *hang, *limit_checks(limits)),
        _coverage(coverage_of(ground, planned), advice),
        npv_usd(planned),
        spot_advice(ground, advice.pools),
        values,
        savings_steps(project, ground, advice.totals, cache),
        price_paths(ground, planned),
        idle,
        limits,
    )


def _coverage(found: Coverage, advice: Advice) -> Coverage:
    """Where a price is missing nobody knows what the plan would commit, nor what more would cost."""
    if is_priced(advice.pools):
        return found
    return replace(found, plan=None, reached=None, extra_gpus=0.0, extra_usd_per_month=None)


def _separation_checks(cost_usd: float | None) -> tuple[Check, ...]:
    """An info where separate pools cost at least half a cent a month; none where that is unknown."""
    if cost_usd is None or cost_usd < 0.005:
        return ()
    text = worded(
        "separate pools do not share peaks: this plan costs ${cost_usd} per month more than one pool per model",
        cost_usd=decimals(cost_usd, 2),
    )
    return (Check("separation_costs", "info", worded("plan"), text, cost_usd),)
