"""Which trace answers "Why this number?" for which kind of figure of plans side by side; scope: the place of a plan."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure, parts_of
from gpuplanner.domain.audit.evidence.trace_forms import less, summed
from gpuplanner.domain.commitment.comparison.plan_difference import busy_usd
from gpuplanner.domain.commitment.evidence import answers
from gpuplanner.domain.commitment.evidence.comparison_evidence import ComparisonEvidence
from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import STEP
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.pool import POOL_TITLES, Pool

UNUSED_NOW, OTHER, UNUSED_PLAN = "unused_now", "other", "unused_plan"
"""Steps from today to a plan that are no pool's."""
POINTS = worded("percentage points")
POINTS_COLUMN = worded("Percentage points")
HEADINGS: dict[str, Text] = {"per month": worded("Per month"), "months": worded("Months")}
"""What a figure is said as -> the heading of its column."""


def in_plan(at: int | str, figure_id: str) -> str:
    """The figure of one of the plans that are compared: at its place, a figure as it has answers alone."""
    return figure("in_plan", figure_id, str(at))


def less_first(at: int, figure_id: str) -> str:
    """What a figure of a plan is more or less than that of the first one."""
    return figure("less_first", figure_id, str(at))


def of_plan(evidence: ComparisonEvidence, scope: str, figure_id: str) -> Trace:
    """A figure of one plan, as that plan answers for it; its rows stay in the same plan."""
    side = evidence.side(scope)
    found = answers.answer(side.plan, figure_id)

    def led(opens: str) -> str:
        return in_plan(scope, opens) if parts_of(opens)[0] in answers.ANSWERS else opens

    return replace(
        found,
        figure_id=in_plan(scope, figure_id),
        title=worded("{plan}: {figure}", plan=side.plan.scenario, figure=found.title),
        rows=tuple(replace(row, opens=led(row.opens)) for row in found.rows),
        more=tuple((words, led(opens)) for words, opens in found.more),
    )


def difference(evidence: ComparisonEvidence, scope: str, figure_id: str) -> Trace:
    """A figure of a plan less the same one of the first plan, both as they are written."""
    first, other = of_plan(evidence, "0", figure_id), of_plan(evidence, scope, figure_id)
    is_share = other.unit == "share"
    decimals = 1 if is_share or other.unit == "decimal" else 0
    unit: WrittenAs = "usd" if other.unit == "usd" else "exact"
    written = [
        None if one.value is None else round((100 if is_share else 1) * one.value, decimals)
        for one in (first, other)
    ]
    before, after = written
    value = None if before is None or after is None else round(after - before, decimals)
    names = [evidence.side(place).plan.scenario for place in ("0", scope)]
    rows = (
        TraceRow(names[1], (after,), in_plan(scope, figure_id)),
        TraceRow(
            worded("Less: {name}", name=names[0]),
            (less(before),),
            in_plan(0, figure_id),
        ),
    )
    what = answers.answer(evidence.side(scope).plan, figure_id).title
    return summed(
        figure("less_first", figure_id, scope),
        worded("{figure}: {plan} less {first}", figure=what, plan=names[1], first=names[0]),
        value,
        unit,
        worded("Difference = the figure of the one plan \u2212 that of the other, both as they are written"),
        rows,
        said_as=POINTS if is_share else other.said_as,
        columns=()
        if unit == "usd"
        else (TraceColumn(POINTS_COLUMN if is_share else _heading(other.said_as), "exact"),),
    )


def worth(evidence: ComparisonEvidence, scope: str, step: str) -> Trace:
    """What one change is worth: the plan with it and all changes above it, less the plan with those alone."""
    way, at = evidence.way(scope), int(step)
    found = way[at]
    row = Inputs(
        {"plan_before": found.worth.plan_before, "plan_after": found.worth.plan_after},
        step,
        worded(
            "{change}, step {step} of {steps}", change=found.name, step=whole(at + 1), steps=whole(len(way))
        ),
        scope,
        opens={
            "plan_before": figure("change_worth", str(at - 1), scope) if at else in_plan(0, "plan_usd::"),
            "plan_after": in_plan(scope, "plan_usd::") if at == len(way) - 1 else "",
        },
    )
    note = worded(
        "From {first} to {plan}, each step with all changes above it. In another order the single steps can be worth "
        "more or less; their sum is the same.",
        first=evidence.side("0").plan.scenario,
        plan=evidence.side(scope).plan.scenario,
    )
    trace = explained(STEP, "worth_per_month", row, note)
    return answers.as_written(replace(trace, figure_id=figure("change_worth", step, scope)), found.whole_usd)


def moved_hours(evidence: ComparisonEvidence, scope: str, step: str) -> Trace:
    """GPU-hours a month of the workloads that a change moves."""
    found = evidence.way(scope)[int(step)]
    rows = [
        TraceRow(found.names[key], (hours,), in_plan(0, figure("card_hours", key)))
        for key, hours in sorted(found.hours.items(), key=lambda one: -one[1])
    ]
    return summed(
        figure("moved_hours", step, scope),
        worded("GPU-hours of {name}", name=found.name),
        sum(found.hours.values()),
        "gpu_hours",
        worded("GPU-hours per month = \u03a3 over the workloads that move"),
        rows,
        said_as=worded("per month"),
    )


def from_today(evidence: ComparisonEvidence, scope: str, step: str) -> Trace:
    """One step from today's spend to a plan: a pool, or unused_now, other, unused_plan."""
    side = evidence.side(scope)
    of, name = figure("from_today", step, scope), side.plan.scenario
    steps = side.steps
    if step == UNUSED_NOW:
        gone = less(steps.unused_now)
        rows = [TraceRow(worded("Less: unused today"), (gone,), figure("contracts_unused"))]
        title, value, words = (
            worded("Unused today ends"),
            gone,
            worded("Change = \u2212 what is paid now and not allocated"),
        )
    elif step == UNUSED_PLAN:
        rows = [TraceRow(worded("Unused in the plan"), (steps.unused_plan,), in_plan(scope, "plan_unused::"))]
        title, value, words = (
            worded("Unused in commitments"),
            steps.unused_plan,
            worded("Change = what the plan pays and does not use"),
        )
    elif step == OTHER:
        unused_in_plan = in_plan(scope, "plan_unused::")
        rows = [
            TraceRow(titles.THE_PLAN, (steps.plan,), in_plan(scope, "plan_usd::")),
            TraceRow(worded("Less: today"), (less(steps.today),), figure("spend")),
            TraceRow(worded("And unused today"), (steps.unused_now,), figure("contracts_unused")),
            *(
                TraceRow(
                    worded("Less: {pool}", pool=POOL_TITLES[Pool(pool)]),
                    (less(usd),),
                    figure("from_today", pool.value, scope),
                )
                for pool, usd in steps.pools.items()
            ),
            TraceRow(worded("Less: unused in the plan"), (less(steps.unused_plan),), unused_in_plan),
        ]
        title, value, words = (
            worded("Other"),
            steps.other,
            worded("Other = what no workload and no idle GPU stands for"),
        )
    else:
        pool = Pool(step)
        rows = [
            TraceRow(
                joined((plan.gpu_model or worded("unknown model"), _term(layer)), ", "), (busy_usd(layer),)
            )
            for plan in (side.plan.advice.pools if side.plan.advice is not None else ())
            for layer in plan.layers
            if plan.pool is pool
        ]
        rows.append(TraceRow(worded("Less: what its workloads cost today"), (less(side.today_usd[pool]),)))
        title, value = POOL_TITLES[Pool(pool)], steps.pools[pool]
        words = worded(
            "Change = what the workloads of the pool cost while busy in the plan \u2212 what they cost today"
        )
    found = summed(
        of,
        worded("{name}, from today: {title}", name=name, title=title),
        value,
        "usd",
        words,
        rows,
        said_as=worded("per month"),
    )
    return answers.as_written(found, side.whole_steps.get(step))


def _heading(said_as: Text) -> Text:
    return HEADINGS.get(str(said_as), str(said_as).capitalize())


def _term(layer: Layer) -> Message:
    """A layer's term in words."""
    if layer.existing:
        return worded("existing contracts")
    return (
        worded("term of {term}, its used part", term=term_words(layer.term_months, layer.term_days))
        if layer.term_months
        else worded("by use")
    )


Answer = Callable[[ComparisonEvidence, str, str], Trace]

ANSWERS: Final[dict[str, Answer]] = {
    "in_plan": of_plan,
    "less_first": difference,
    "change_worth": worth,
    "moved_hours": moved_hours,
    "from_today": from_today,
}
"""Kind of figure -> what answers for it; as the tables of the audit and of one plan."""


def answer(evidence: ComparisonEvidence, figure_id: str) -> Trace:
    """Why a figure of a comparison is what it is. Errors: KeyError, StopIteration where there is no such figure."""
    kind, scope, subject = parts_of(figure_id)
    return ANSWERS[kind](evidence, scope, subject)
