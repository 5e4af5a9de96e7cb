"""Traces of a plan in one horizon: next month, month 12, or twelve months in all; and what a question changes in it."""

from collections.abc import Callable
from dataclasses import replace

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.commitment.comparison.horizons import (
    Horizon,
    compared_nothing,
    nothing_usd_in,
    plan_usd_in,
)
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.evidence.trace_orders import plan_usd
from gpuplanner.domain.commitment.evidence.trace_totals import month_nothing, month_plan, plan_nothing
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.horizon_words import HORIZON_NAMES
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, worded

ALL_TWELVE = worded("Twelve months = \u03a3 over months of what each costs, at its own demand and prices")
LAST = 11
"""The month that is called 12."""


def _advice(evidence: PlanEvidence) -> Advice:
    """Errors: KeyError while the plan is worked out."""
    if evidence.advice is None:
        raise KeyError("the plan is still worked out")
    return evidence.advice


def ahead_plan(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan costs in a horizon."""
    horizon = Horizon(subject)
    if horizon is Horizon.TWELVE_MONTHS:
        return _all_twelve(evidence, "ahead_plan", AHEAD["plan"].title, is_plan=True)
    found = (
        plan_usd(evidence, "", "") if horizon is Horizon.NEXT_MONTH else month_plan(evidence, "", str(LAST))
    )
    return replace(found, figure_id=figure("ahead_plan", subject))


def ahead_nothing(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What signing nothing costs in a horizon."""
    horizon = Horizon(subject)
    if horizon is Horizon.TWELVE_MONTHS:
        return _all_twelve(evidence, "ahead_nothing", AHEAD["do_nothing"].title, is_plan=False)
    found = (
        plan_nothing(evidence, "", "")
        if horizon is Horizon.NEXT_MONTH
        else month_nothing(evidence, "", str(LAST))
    )
    return replace(found, figure_id=figure("ahead_nothing", subject))


def ahead_before(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan before the question costs in a horizon. Errors: KeyError where no question is asked."""
    horizon, before = Horizon(subject), evidence.before
    plan = evidence.project.plan_before(evidence.scenario)
    if before is None or plan is None:
        raise KeyError("no question is asked")
    title = worded("{plan}: {horizon}", plan=plan.name, horizon=HORIZON_NAMES[horizon])
    value, figure_id = plan_usd_in(before, horizon), figure("ahead_before", subject)
    note = worded("The plan as it is without the question; its own tab says why.")
    if horizon is not Horizon.TWELVE_MONTHS:
        return read(figure_id, title, value, "usd", plan.name, note=note, words=AHEAD["before"].title)
    rows = [TraceRow(_month(one.month), (one.plan_usd,)) for one in before.comparison]
    return summed(figure_id, title, value, "usd", ALL_TWELVE, rows, said_as=AHEAD["plan"].unit.per, note=note)


def of_ahead(key: str) -> Callable[[PlanEvidence, str, str], Trace]:
    """The answer about a figure of a horizon that has a formula. key: of AHEAD."""

    def answer(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
        advice, horizon = _advice(evidence), Horizon(subject)
        values = {
            "do_nothing": compared_nothing(advice, horizon),
            "plan": plan_usd_in(advice, horizon),
            "before": None if evidence.before is None else plan_usd_in(evidence.before, horizon),
        }
        return explained(AHEAD, key, Inputs(values, subject, HORIZON_NAMES[horizon]))

    return answer


def _all_twelve(evidence: PlanEvidence, kind: str, what: Text, *, is_plan: bool) -> Trace:
    """The sum of the comparison's months, each of which opens its own."""
    advice, horizon = _advice(evidence), Horizon.TWELVE_MONTHS
    opens = "month_plan" if is_plan else "month_nothing"
    rows = [
        TraceRow(
            _month(one.month),
            (one.plan_usd if is_plan else one.do_nothing_usd,),
            figure(opens, str(one.month)),
        )
        for one in advice.comparison
    ]
    value = (plan_usd_in if is_plan else nothing_usd_in)(advice, horizon)
    return summed(
        figure(kind, horizon.value),
        worded("{what}: {horizon}", what=what, horizon=HORIZON_NAMES[horizon]),
        value,
        "usd",
        ALL_TWELVE,
        rows,
        said_as=AHEAD["plan"].unit.per,
    )


def _month(month: int) -> Text:
    return worded("Month {month}", month=whole(month + 1))
