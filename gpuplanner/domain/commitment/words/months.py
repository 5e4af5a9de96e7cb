"""What makes the months of a plan differ: growth, dates, prices or assumptions of its own, and what it costs then."""

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project


def has_growth(advice: Advice) -> bool:
    """Return whether demand grows or shrinks in the plan."""
    return any(plan.demand.growth for plan in advice.pools)


def has_dates(plan: Scenario) -> bool:
    """Return whether the plan has demand that no log has: workloads that come or go, planned work, steps."""
    return bool(plan.spells or plan.changes or plan.planned)


def do_months_differ(advice: Advice, project: Project, plan: Scenario) -> bool:
    """Return whether anything in the plan makes its months differ; otherwise no month needs to be named."""
    is_set = has_dates(plan) or bool(plan.price_changes)
    return has_growth(advice) or is_set or project.assumptions_in(plan) != project.assumptions


def month_sentence(advice: Advice, project: Project, plan: Scenario) -> Text:
    """Return why the spend of the first month may fall as demand grows, with the cost of the last month; empty where
    the months don't differ.
    """
    if not advice.comparison or not do_months_differ(advice, project, plan):
        return ""
    last = advice.comparison[-1]
    month, usd = whole(last.month + 1), amount(last.plan_usd)
    if has_growth(advice):
        return worded(
            "First month at the log's demand. With growth, longer, cheaper terms pay off. Month {month} costs "
            "{usd}.",
            month=month,
            usd=usd,
        )
    return worded(
        "First month; later settings affect only its terms. Month {month} costs {usd}.", month=month, usd=usd
    )
