"""The month of a plan's figures, next to the cost of its last month."""

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.result import PlannedRunFigures
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers


def run_figures(shown: ViewState) -> tuple[PlannedRunFigures, ...]:
    """Planned work with an end or a length in the plan that is shown: it is bought apart; none of the past."""
    return () if shown.is_today or shown.advice is None else shown.advice.planned_runs


def work_of(key: str, shown: ViewState) -> PlannedWork | None:
    """Planned work of the plan that is shown, by its key."""
    return next((work for work in shown.evaluation.figures.basis.plan.planned if work.key == key), None)


def run_money(run: PlannedRunFigures, shown: ViewState) -> str:
    """$ of all of a run, short; empty where it is unknown, or comes back for good."""
    work = work_of(run.key, shown)
    if run.usd is None or work is None or (work.every_hours is not None and work.ends_s is None):
        return ""
    return numbers.short_dollars(run.usd)


def run_lines(shown: ViewState) -> tuple[str, ...]:
    """Runs that begin after the first month, which the figures of it do not have: From 1 Feb: $2.0M."""
    begins_s = shown.evaluation.project.plan_window.end_s
    later = [
        (spell_s, run)
        for run in run_figures(shown)
        if (work := work_of(run.key, shown)) is not None
        and (spell_s := work.spell(begins_s).begins_s or begins_s) >= begins_s + MONTH_S
        and run_money(run, shown)
    ]
    if not later:
        return ()
    day = numbers.short_date(min(spell_s for spell_s, _ in later))
    money = numbers.short_dollars(sum(run.usd or 0.0 for _, run in later))
    names = numbers.counted(len(later), "run") if len(later) > 1 else later[0][1].key.rsplit("/", 1)[-1]
    return (
        tr("Not included: {names}, from {day}: {money}", names=names, day=day, money=money),
        tr("From {day}: {money}", day=day, money=money),
    )


def has_growth(shown: ViewState) -> bool:
    """Whether demand grows or shrinks in the plan."""
    return shown.advice is not None and any(plan.demand.growth for plan in shown.advice.pools)


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
        return tr(long_text("first_month_growth", month=month, usd=usd))
    return tr(long_text("first_month_settings", month=month, usd=usd))


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
