"""The outlook: the slower figures of an advice, together."""

from gpuplanner.domain.commitment import outlook_result
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import row_plans
from gpuplanner.domain.commitment.plan.comparison import savings_offered, savings_steps
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty import level_costs
from gpuplanner.domain.commitment.uncertainty.coverage import coverage_of, coverage_where_priced
from gpuplanner.domain.commitment.uncertainty.flips import price_paths, terms_hang_on_prices
from gpuplanner.domain.commitment.uncertainty.limit_costs import growth_checks, limit_checks, limit_costs
from gpuplanner.domain.commitment.uncertainty.net_present_value import npv_usd
from gpuplanner.domain.commitment.uncertainty.plan_bands import uncertainty_of
from gpuplanner.domain.commitment.uncertainty.separation import check_separation, separation_of
from gpuplanner.domain.commitment.uncertainty.spot import spot_advice
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool


def outlook(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    advice: Advice,
    cache: AdviceCache | None = None,
) -> outlook_result.Outlook:
    """The slower figures of an advice; the other arguments are those that it was worked out from."""
    cache = AdviceCache() if cache is None else cache
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    # What contracts serve that are asked about decides what the rest costs, in both plans.
    separation = outlook_result.Separation() if advice.asked_models else separation_of(ground, cache)
    planned = row_plans.plan_of(ground, cache)
    values = level_costs.level_values(planned, project.window.hours, cache)
    limits = limit_costs(project, ground, planned, advice, cache)
    hang = terms_hang_on_prices(
        ground.assumptions,
        planned,
        lambda values: row_plans.plan_with(project, scenario, pools, advice.classes, values, cache),
    )
    return outlook_result.Outlook(
        uncertainty=uncertainty_of(ground, planned, advice, values),
        separation=separation,
        checks=(
            *check_separation(separation),
            *hang,
            *limit_checks(limits),
            *growth_checks(project, ground, planned, advice, cache),
        ),
        coverage=coverage_where_priced(coverage_of(ground, planned), advice),
        npv_usd=npv_usd(planned),
        spot=spot_advice(ground, advice.pools),
        level_values=values,
        savings_steps=savings_steps(project, ground, advice, cache),
        price_paths=price_paths(ground, planned, cache),
        limits=limits,
        savings_offered=savings_offered(project, ground, advice, cache),
    )
