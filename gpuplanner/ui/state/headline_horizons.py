"""The headline in one horizon: beside the plan before a question, with what the answer changes in that time."""

from collections.abc import Callable, Mapping
from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.plan.comparison import (
    Horizon,
    HorizonRow,
    horizon_row,
    mean_usd,
    saved_share,
)
from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.commitment.words.horizons import HORIZON_MEANINGS
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.amounts import whole_change
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.state.headline_figures import (
    HeadlineFigure,
    band_words,
    calculating,
    hypothetical,
    is_awaited,
    range_of,
    share_below,
    unserved_words,
)
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers

UNITS: Final = {
    Horizon.NEXT_MONTH: worded("$ per month"),
    Horizon.MONTH_12: worded("$ in month 12"),
    Horizon.TWELVE_MONTHS: worded("$ in 12 months"),
}
MEAN: Final = worded("Per month: mean of the plan's twelve months.")
FIRST_MONTH: Final = worded("Of the plan's first month.")
MONTH_1: Final = worded("First month")


def in_horizon(
    figures: tuple[HeadlineFigure, ...], shown: ViewState, horizon: Horizon
) -> tuple[HeadlineFigure, ...]:
    """A plan's headline over a horizon; while a question is asked, beside the plan before it, with what it changes.

    figures: of next month. Those of Today, and of a plan of which nothing can be known, stay as they are. Over twelve
    months spend and idle cost are their mean, savings their sum.
    """
    if shown.is_today or shown.month:
        return figures
    if is_awaited(shown):
        return _calculating(figures, shown, horizon)
    if shown.advice is None:
        return figures
    if horizon is Horizon.NEXT_MONTH and not shown.is_question:
        return figures
    row = horizon_row(horizon, shown.advice, shown.before)
    spend, savings, unused, *others = figures
    if shown.advice.totals.plan is None:  # of a rate that both lack the savings need nothing
        is_later = horizon is not Horizon.NEXT_MONTH
        spend, unused = (_of_first_month(least, shown, is_later=is_later) for least in (spend, unused))
        return (spend, savings if row.saved is None else _savings(savings, row, shown), unused, *others)
    asked, changed = shown.is_question, row.changed
    is_mean = horizon is Horizon.TWELVE_MONTHS and not asked
    plan = mean_usd([month.plan_usd for month in shown.advice.comparison]) if is_mean else row.plan
    before = numbers.dollars(row.before) if asked and row.before is not None else ""
    if is_mean and shown.costs is not None:
        idle, tip = numbers.dollars(mean_usd(shown.costs.unused_usd)), "\n".join((spoken(MEAN), unused.tip))
        unused = replace(unused, figure_id=figure("mean_idle"), plan=idle, tip=tip)
    else:
        unused = _of_first_month(unused, shown, is_later=horizon is not Horizon.NEXT_MONTH)
    return (
        replace(
            spend,
            figure_id=figure("mean_spend") if is_mean else figure(AHEAD["plan"].why, row.horizon.value),
            unit=spoken(UNITS[Horizon.NEXT_MONTH if is_mean else row.horizon]),
            plan=numbers.dollars(plan),
            now=spend.now if is_mean else before,
            second=_change_lines(shown, row.before, row.plan, numbers.dollar_change)
            if asked
            else unserved_words(shown, row.horizon)
            or _lacks_rate(shown, row.plan)
            or _beside_nothing(shown, row),
            is_good=changed is not None and round(changed) < 0 and not unserved_words(shown, row.horizon),
            is_bad=not asked and bool(unserved_words(shown, row.horizon)),
            tip=_tip(shown, row.horizon),
            is_asked=asked,
        ),
        _savings(savings, row, shown),
        unused,
        *(_of_first_month(other, shown, is_later=horizon is not Horizon.NEXT_MONTH) for other in others),
    )


def _calculating(
    figures: tuple[HeadlineFigure, ...], shown: ViewState, horizon: Horizon
) -> tuple[HeadlineFigure, ...]:
    """Return the headline before the first outlook of its plan: only its first month may be known."""
    spend, savings, unused, *others = figures
    savings = replace(savings, unit=spoken(UNITS[horizon]))
    if horizon is Horizon.NEXT_MONTH:
        return (spend, savings, unused, *others)
    is_mean = horizon is Horizon.TWELVE_MONTHS and not shown.is_question
    unit = spoken(UNITS[Horizon.NEXT_MONTH if is_mean else horizon])
    spend = replace(calculating(spend), unit=unit, now=spend.now if is_mean else "")
    if is_mean:
        unused = calculating(unused, *unused.second)
    return (spend, savings, unused, *others)


def _beside_nothing(shown: ViewState, row: HorizonRow) -> tuple[str, ...]:
    """What doing nothing costs in a horizon; of twelve months the plan too, and its range per month, where there is
    room."""
    usd = numbers.dollars(row.do_nothing)
    if row.horizon is not Horizon.TWELVE_MONTHS:
        return (tr("Do nothing: {usd}", usd=usd),)
    plan = numbers.dollars(row.plan)
    nothing = tr("12 months: {plan}, do nothing {usd}", plan=plan, usd=usd)
    least = tr("12 months: {plan}", plan=plan)
    if range_of(shown).year_p10_usd is None:
        return (nothing, least)
    short = band_words(shown, of_year=True)[1]
    whole = tr("{first} · {second}", first=nothing, second=short)
    if range_of(shown).if_pattern_continues:
        return (tr("{range}, if the pattern continues", range=whole), whole, nothing, least)
    return (whole, nothing, least)


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
        second=unserved_words(shown, row.horizon)
        or (
            _change_lines(shown, then, row.saved, numbers.dollar_change)
            if asked
            else _lacks_rate(shown, row.saved)
            or hypothetical(shown)
            or savings.second[-2:]  # never without what it assumes
        ),
        is_good=row.saved is not None
        and round(row.saved) > round((then or 0.0) if asked else 0.0)
        and not hypothetical(shown),
        tip="\n".join((spoken(AHEAD["saved"].title), _tip(shown, row.horizon))),
        is_asked=asked,
    )


def _lacks_rate(shown: ViewState, usd: float | None) -> tuple[str, ...]:
    """Why $ of a horizon are unknown although those of the first month are known; empty where they are known.

    What nobody prices by use is named, as its check has it, where it can be mapped.
    """
    if usd is not None:
        return ()
    if names := [spoken(check.subject) for check in shown.checks if check.code == "gpu_model_unpriced"]:
        more = tr(" and {count} more", count=len(names) - 1) if names[1:] else ""
        values = {"model": names[0], "more": more}
        return (
            tr("No on-demand rate in a later month for {model}{more}: see Checks", **values),
            tr("No on-demand rate of {model}{more}: see Checks", **values),
            tr("No rate: {model}", model=names[0]),
        )
    return (tr("A later month needs a rate"), tr("A later month needs a rate"))


def _signed(change: float, size: str) -> str:
    """A change by its sign and its size, as it is written."""
    return f"{'+' if change > 0 else numbers.MINUS}{size}"


_Other = tuple[Callable[[Totals], float | None], Callable[[float | None], str], Callable[[float], str]]
_OTHERS: Final[Mapping[str, _Other]] = {
    "unused_per_month": (lambda totals: totals.unused_plan, numbers.dollars, numbers.dollar_change),
    "utilization": (
        lambda totals: totals.effective_utilization_plan,
        numbers.percent,
        lambda by: tr("{points} pt", points=_signed(by, numbers.one_decimal(100 * abs(by)))),
    ),
    "lock_in": (
        lambda totals: totals.lock_in_months,
        numbers.one_decimal,
        lambda by: tr("{months} months", months=_signed(by, numbers.one_decimal(abs(by)))),
    ),
}
"""Of the other figures, by id: where a plan has them, how they are written, and how a change of them is."""


def _of_first_month(other: HeadlineFigure, shown: ViewState, *, is_later: bool) -> HeadlineFigure:
    """A figure that a plan has of its first month alone, which says so over another time; beside that of the plan
    before the question."""
    if other.figure_id in _OTHERS and shown.is_question and shown.advice is not None:
        of, written, change = _OTHERS[other.figure_id]
        before = None if shown.before is None else of(shown.before.totals)
        now = "" if before is None else written(before)
        lines = _change_lines(shown, before, of(shown.advice.totals), change)
        other = replace(other, now=now, second=lines, is_asked=True)
    if not is_later:
        return other
    second = (*(joined((MONTH_1, line), numbers.MIDDOT) for line in other.second), MONTH_1)
    return replace(other, second=second, tip="\n".join(filter(None, (spoken(FIRST_MONTH), other.tip))))


def _change_lines(
    shown: ViewState, before: float | None, after: float | None, written: Callable[[float], str]
) -> tuple[str, ...]:
    """+$2,346,324 (+39.1%) against Plan A, in several lengths."""
    plan = shown.evaluation.project.plan_before(shown.evaluation.scenario)
    if plan is None or shown.before is None:
        return (tr("Calculating"),)
    if before is None or after is None:
        return (tr("Change unknown"),)
    change = after - before
    if written is numbers.dollar_change:
        change = float(whole_change(before, after) or 0)
    if written(change).strip(f"+{numbers.MINUS}") == written(0.0).strip(f"+{numbers.MINUS}"):
        return (tr("As in {plan}", plan=plan.name), tr("No change"))
    change_text = written(change)
    if written is numbers.dollar_change and before:
        share = _signed(change, numbers.percent(abs(change / before)))
        return (
            tr("{change} ({share}) against {plan}", change=change_text, share=share, plan=plan.name),
            tr("{name} ({note})", name=change_text, note=share),
            change_text,
        )
    return (tr("{change} against {plan}", change=change_text, plan=plan.name), change_text)


def _tip(shown: ViewState, horizon: Horizon) -> str:
    """Of which time a figure is, and what stands before the arrow."""
    whole = tr("Savings: sum of 12 months at their own demand and prices. Spend: their mean.")
    spans = {
        Horizon.NEXT_MONTH: tr("First of 12 months, from the plan's start."),
        Horizon.MONTH_12: tr("Month 12, at its own demand and prices."),
        Horizon.TWELVE_MONTHS: whole,
    }
    plan = shown.evaluation.project.plan_before(shown.evaluation.scenario)
    beside = "" if plan is None else tr("Before the arrow: {plan} without the question.", plan=plan.name)
    if shown.is_question and horizon is Horizon.TWELVE_MONTHS:  # its spend is the sum, too
        return "\n".join(filter(None, (spoken(HORIZON_MEANINGS[horizon]), beside)))
    return " ".join(filter(None, (spans[horizon], beside)))
