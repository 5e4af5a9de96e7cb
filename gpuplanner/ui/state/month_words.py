"""The month of a plan's figures, next to the cost of its last month."""

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.result import PlannedRunFigures
from gpuplanner.domain.commitment.words import months
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.window import MONTH_S
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


def case_words(shown: ViewState) -> str:
    """Which rates count in a plan, where it is not the mid ones."""
    evaluation = shown.evaluation
    case = PriceCase.MID if shown.is_today else evaluation.project.scenario(evaluation.scenario).price_case
    return {PriceCase.LOW: tr("Low rates"), PriceCase.HIGH: tr("High rates")}.get(case, "")


def month_lines(shown: ViewState) -> tuple[str, ...]:
    """At several lengths, longest first; empty where nothing of the plan was set, for then no month needs telling."""
    if shown.is_today or shown.advice is None or not shown.advice.comparison:
        return ()
    plan, growth = plan_of(shown), months.has_growth(shown.advice)
    if plan is None or not months.do_months_differ(shown.advice, shown.evaluation.project, plan):
        return ()
    last = shown.advice.comparison[-1]
    usd, month = numbers.dollars(last.plan_usd), numbers.whole(last.month + 1)
    first = case_words(shown) or (tr("At today's demand") if growth else tr("First month"))
    return (
        tr("{first} \u00b7 month {month}: {usd}", first=first, month=month, usd=usd),
        tr("Month {month}: {usd}", month=month, usd=usd),
    )


def month_sentence(shown: ViewState) -> str:
    """Why the spend of the first month may fall as demand grows, and what the last month costs; empty as above."""
    plan = plan_of(shown)
    if plan is None or shown.advice is None:
        return ""
    return spoken(months.month_sentence(shown.advice, shown.evaluation.project, plan))


def plan_of(shown: ViewState) -> Scenario | None:
    """The plan that is shown; None for today."""
    evaluation = shown.evaluation
    return next((one for one in evaluation.project.scenarios if one.name == evaluation.scenario), None)
