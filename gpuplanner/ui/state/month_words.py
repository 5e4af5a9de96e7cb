"""Of which month a plan's figures are, beside what the last of its twelve costs: said where the two part."""

from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr


def has_growth(shown: ViewState) -> bool:
    """Whether demand grows or shrinks in the plan."""
    return shown.advice is not None and any(plan.growth for plan in shown.advice.pools)


def has_dates(shown: ViewState) -> bool:
    """Whether the plan says of its demand what no log does: workloads that come or go, planned work, steps."""
    plan = _plan(shown)
    return plan is not None and bool(plan.spells or plan.changes or plan.planned)


def case_words(shown: ViewState) -> str:
    """Which rates count in a plan, where it is not the mid ones."""
    evaluation = shown.evaluation
    case = PriceCase.MID if shown.is_today else evaluation.project.scenario(evaluation.scenario).price_case
    return {PriceCase.LOW: tr("Low rates"), PriceCase.HIGH: tr("High rates")}.get(case, "")


def month_lines(shown: ViewState) -> tuple[str, ...]:
    """At several lengths, longest first; empty where nothing of the plan was set, for then no month needs telling."""
    if shown.is_today or shown.advice is None or not shown.advice.comparison:
        return ()
    if not has_growth(shown) and not _is_set(shown):
        return ()
    last = shown.advice.comparison[-1]
    usd, month = numbers.dollars(last.plan_usd), numbers.whole(last.month + 1)
    first = case_words(shown) or (tr("At today's demand") if has_growth(shown) else tr("First month"))
    return (
        tr("{first} \u00b7 month {month}: {usd}", first=first, month=month, usd=usd),
        tr("Month {month}: {usd}", month=month, usd=usd),
    )


def month_sentence(shown: ViewState) -> str:
    """Why the spend of the first month may fall as demand grows, and what the last month costs; empty as above."""
    if not month_lines(shown) or shown.advice is None:
        return ""
    last = shown.advice.comparison[-1]
    usd, month = numbers.dollars(last.plan_usd), numbers.whole(last.month + 1)
    if has_growth(shown):
        return tr(
            "The plan's figures are of its first month, at the demand of the log. Growth makes longer terms pay, "
            "so more may be signed at lower rates and the first month cost less; month {month} costs {usd}.",
            month=month,
            usd=usd,
        )
    return tr(
        "The plan's figures are of its first month: what is set for later moves them only as other terms are signed. "
        "Month {month} costs {usd}.",
        month=month,
        usd=usd,
    )


def _is_set(shown: ViewState) -> bool:
    """Whether anything in the plan makes its months differ: dates, prices, or assumptions of its own."""
    plan, project = _plan(shown), shown.evaluation.project
    return plan is not None and (
        has_dates(shown) or bool(plan.price_changes) or project.assumptions_in(plan) != project.assumptions
    )


def _plan(shown: ViewState) -> Scenario | None:
    """The plan that is shown; None for today."""
    evaluation = shown.evaluation
    return next((one for one in evaluation.project.scenarios if one.name == evaluation.scenario), None)
