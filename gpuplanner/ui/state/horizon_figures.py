"""The headline in one horizon, and beside the plan before a question, with what the answer changes in that time."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.comparison.horizons import Horizon, HorizonRow, horizon_row, saved_share
from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.message import worded
from gpuplanner.ui.state.headline_figures import HeadlineFigure, share_below, why_no_savings
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

UNITS: Final = {
    Horizon.NEXT_MONTH: worded("$ per month"),
    Horizon.MONTH_12: worded("$ in month 12"),
    Horizon.TWELVE_MONTHS: worded("$ in 12 months"),
}
FIRST_MONTH: Final = worded("Of the plan's first month, whatever the horizon.")


def in_horizon(
    figures: tuple[HeadlineFigure, ...], shown: ViewState, horizon: Horizon
) -> tuple[HeadlineFigure, ...]:
    """A plan's headline over a horizon; while a question is asked, beside the plan before it, with what it changes.

    figures: of next month. Those of a plan of which nothing is known, and of Today, stay as they are.
    """
    if shown.is_today or shown.advice is None or shown.advice.totals.plan is None:
        return figures
    if horizon is Horizon.NEXT_MONTH and not shown.is_question:
        return figures
    row = horizon_row(horizon, shown.advice, shown.before)
    spend, savings, *others = figures
    later = () if horizon is Horizon.NEXT_MONTH else (FIRST_MONTH,)
    return (
        _spend(spend, row, shown),
        _savings(savings, row, shown),
        *(_of_first_month(one, shown, later) for one in others),
    )


def _spend(spend: HeadlineFigure, row: HorizonRow, shown: ViewState) -> HeadlineFigure:
    """What the plan costs in a horizon."""
    asked, changed = shown.is_question, row.changed
    return replace(
        spend,
        figure_id=figure(AHEAD["plan"].why, row.horizon.value),
        unit=spoken(UNITS[row.horizon]),
        plan=numbers.dollars(row.plan),
        now=numbers.dollars(row.before) if asked and row.before is not None else "",
        second=_change_lines(shown, row.before, row.plan, numbers.dollar_change)
        if asked
        else _lacks_rate(row.plan) or (tr("Doing nothing: {usd}", usd=numbers.dollars(row.do_nothing)),),
        is_good=changed is not None and round(changed) < 0 and not _unserved(shown),
        tip=_tip(shown, row.horizon),
        is_asked=asked,
    )


def _savings(savings: HeadlineFigure, row: HorizonRow, shown: ViewState) -> HeadlineFigure:
    """What the plan saves in a horizon against doing nothing in it."""
    asked, before = shown.is_question, shown.before
    then = None if before is None else horizon_row(row.horizon, before, None).saved
    share = saved_share(row.saved, row.do_nothing)
    below = () if share is None else share_below(share)
    return replace(
        savings,
        figure_id=figure(AHEAD["saved"].why, row.horizon.value),
        unit=spoken(UNITS[row.horizon]),
        plan=numbers.dollars(row.saved),
        now=numbers.dollars(then) if asked and then is not None else "",
        aside=() if asked else below,
        second=_unserved(shown)
        or (
            _change_lines(shown, then, row.saved, numbers.dollar_change)
            if asked
            else _lacks_rate(row.saved)
            or (tr("Doing nothing less the plan, in the same time"), tr("Doing nothing less the plan"))
        ),
        is_good=row.saved is not None and round(row.saved) > round((then or 0.0) if asked else 0.0),
        tip="\n".join((spoken(AHEAD["saved"].title), _tip(shown, row.horizon))),
        is_asked=asked,
    )


def _lacks_rate(usd: float | None) -> tuple[str, ...]:
    """Why $ of a horizon are unknown although those of the first month are known; empty where they are known."""
    if usd is not None:
        return ()
    return (tr("A later month needs a rate that nobody stated"), tr("A later month needs a rate"))


def _unserved(shown: ViewState) -> tuple[str, ...]:
    """What the plan leaves to nobody that could be served, in two lengths; empty where it leaves nothing.

    Such a plan costs less because it does less: that is no good news, and no savings are known of it.
    """
    if shown.advice is None or not why_no_savings(shown):
        return ()
    gpu_hours = numbers.whole(sum(one.gpu_hours for one in shown.advice.unserved))
    return (
        tr("Unserved in 12 months: {gpu_hours} GPU-h", gpu_hours=gpu_hours),
        tr("Unserved: {gpu_hours} GPU-h", gpu_hours=gpu_hours),
    )


def _points(change: float) -> str:
    """A change of a share in points of percent."""
    sign = "+" if change > 0 else numbers.MINUS
    return tr("{points} pt", points=f"{sign}{numbers.one_decimal(100 * abs(change))}")


def _months(change: float) -> str:
    """A change of months."""
    sign = "+" if change > 0 else numbers.MINUS
    return tr("{months} months", months=f"{sign}{numbers.one_decimal(abs(change))}")


_Other = tuple[Callable[[Totals], float | None], Callable[[float | None], str], Callable[[float], str]]
_OTHERS: Final[Mapping[str, _Other]] = {
    "unused_per_month": (lambda totals: totals.unused_plan, numbers.dollars, numbers.dollar_change),
    "utilization": (lambda totals: totals.effective_utilization_plan, numbers.percent, _points),
    "lock_in": (lambda totals: totals.lock_in_months, numbers.one_decimal, _months),
}
"""Of the other figures, by id: where a plan has them, how they are written, and how a change of them is."""


def _of_first_month(one: HeadlineFigure, shown: ViewState, later: tuple[object, ...]) -> HeadlineFigure:
    """A figure that a plan has of its first month alone, beside that of the plan before the question."""
    tip = "\n".join(filter(None, (*(spoken(FIRST_MONTH) for _ in later), one.tip)))
    if one.figure_id not in _OTHERS or not shown.is_question or shown.advice is None:
        return replace(one, tip=tip)
    of, written, change = _OTHERS[one.figure_id]
    after = of(shown.advice.totals)
    before = None if shown.before is None else of(shown.before.totals)
    return replace(
        one,
        now="" if before is None else written(before),
        second=_change_lines(shown, before, after, change),
        tip=tip,
        is_asked=True,
    )


def _change_lines(
    shown: ViewState, before: float | None, after: float | None, written: Callable[[float], str]
) -> tuple[str, ...]:
    """+$2,346,324 (+39.1%) against Plan A, in several lengths."""
    plan = shown.evaluation.project.plan_before(shown.evaluation.scenario)
    if plan is None or shown.before is None:
        return (tr("Settling"),)
    if before is None or after is None:
        return (tr("Change unknown"),)
    change = after - before
    if written(change).strip(f"+{numbers.MINUS}") == written(0.0).strip(f"+{numbers.MINUS}"):
        return (tr("As in {plan}", plan=plan.name), tr("No change"))
    said = written(change)
    if written is numbers.dollar_change and before:
        sign = "+" if change > 0 else numbers.MINUS
        share = f"{sign}{numbers.percent(abs(change / before))}"
        return (
            tr("{change} ({share}) against {plan}", change=said, share=share, plan=plan.name),
            tr("{change} ({share})", change=said, share=share),
            said,
        )
    return (tr("{change} against {plan}", change=said, plan=plan.name), said)


def _tip(shown: ViewState, horizon: Horizon) -> str:
    """Of which time a figure is, and what stands before the arrow."""
    spans = {
        Horizon.NEXT_MONTH: tr("Next month, with all of the plan's first month running."),
        Horizon.MONTH_12: tr("Month 12 of the plan, at its own demand and prices."),
        Horizon.TWELVE_MONTHS: tr(
            "The twelve months of the plan added up, each at its own demand and prices."
        ),
    }
    plan = shown.evaluation.project.plan_before(shown.evaluation.scenario)
    beside = "" if plan is None else tr("Before the arrow: {plan}, without the question.", plan=plan.name)
    return " ".join(filter(None, (spans[horizon], beside)))
