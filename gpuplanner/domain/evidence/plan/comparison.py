"""Answers about plans side by side: differences, worth of a change, steps from today. scope: place of a plan."""

from typing import Final

from gpuplanner.domain.commitment.plan.comparison import busy_usd
from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.plan.layers import ComparisonEvidence, SideEvidence
from gpuplanner.domain.evidence.plan.plan_answers import ANSWERS, answer, as_written
from gpuplanner.domain.evidence.trace import Trace, TraceColumn, TraceRow, figure, less, summed
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.plan import STEP
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, capital, joined, lowered, worded
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.reports.plan_layers import layer_in_sentence
from gpuplanner.lazy_dataclass import replace

OF_COMPARISON: Final = Answers[ComparisonEvidence]()
UNUSED_NOW, OTHER, UNUSED_PLAN = "unused_now", "other", "unused_plan"
"""Steps from today to a plan that are no pool's."""
POINTS = worded("percentage points")
POINTS_COLUMN = capital(worded("percentage points"))
HEADINGS: dict[str, Text] = {"per month": worded("Per month"), "months": worded("Months")}
"""What a figure is said as -> the heading of its column."""


def in_plan(place: int | str, figure_id: str) -> str:
    """The figure of one of the plans that are compared: at its place, a figure as it has answers alone."""
    return figure("in_plan", figure_id, str(place))


def less_first(place: int, figure_id: str) -> str:
    """What a figure of a plan is more or less than that of the first one."""
    return figure("less_first", figure_id, str(place))


@OF_COMPARISON.gives("in_plan")
def of_plan(evidence: ComparisonEvidence, scope: str, figure_id: str) -> Trace:
    """A figure of one plan, as that plan answers for it; its rows stay in the same plan."""
    side = evidence.side(scope)
    alone = answer(side.plan, figure_id)

    def led(opens: str) -> str:
        return in_plan(scope, opens) if trace.parts_of(opens)[0] in ANSWERS else opens

    return replace(
        alone,
        title=worded("{plan}: {figure}", plan=side.plan.scenario, figure=alone.title),
        rows=tuple(replace(row, opens=led(row.opens)) for row in alone.rows),
        more=tuple((words, led(opens)) for words, opens in alone.more),
    )


@OF_COMPARISON.gives("less_first")
def difference(evidence: ComparisonEvidence, scope: str, figure_id: str) -> Trace:
    """A figure of a plan less the same one of the first plan, both as they are written."""
    first, other = of_plan(evidence, "0", figure_id), of_plan(evidence, scope, figure_id)
    is_share = other.unit == "share"
    decimals = 1 if is_share or other.unit == "decimal" else 0
    unit: writing.WrittenAs = "usd" if other.unit == "usd" else "exact"
    before, after = (
        None if answered.value is None else round((100 if is_share else 1) * answered.value, decimals)
        for answered in (first, other)
    )
    names = [evidence.side(place).plan.scenario for place in ("0", scope)]
    rows = (
        TraceRow(names[1], (after,), in_plan(scope, figure_id)),
        TraceRow(trace.minus(names[0]), (less(before),), in_plan(0, figure_id)),
    )
    title = answer(evidence.side(scope).plan, figure_id).title
    heading = HEADINGS.get(str(other.said_as), str(other.said_as).capitalize())
    columns = () if unit == "usd" else (TraceColumn(POINTS_COLUMN if is_share else heading, "exact"),)
    return summed(
        worded("{figure}: {plan} less {first}", figure=title, plan=names[1], first=names[0]),
        None if before is None or after is None else round(after - before, decimals),
        unit,
        worded("Difference = one plan's figure − the other's, as written"),
        rows,
        columns,
        said_as=POINTS if is_share else other.said_as,
    )


@OF_COMPARISON.gives("change_worth")
def worth(evidence: ComparisonEvidence, scope: str, step: str) -> Trace:
    """What one change is worth: the plan with it and all changes above it, less the plan with those alone."""
    changes, place = evidence.way(scope), int(step)
    change = changes[place]
    step_of = {"step": whole(place + 1), "steps": whole(len(changes))}
    row = Inputs(
        values={"plan_before": change.worth.plan_before, "plan_after": change.worth.plan_after},
        name=step,
        title=worded("{change}, step {step} of {steps}", change=change.name, **step_of),
        scope=scope,
        opens={
            "plan_before": figure("change_worth", str(place - 1), scope)
            if place
            else in_plan(0, "plan_usd::"),
            "plan_after": in_plan(scope, "plan_usd::") if place == len(changes) - 1 else "",
        },
        note=worded(
            "From {first} to {plan}. Each step includes the changes above; in another order, only the sum is "
            "the same.",
            first=evidence.side("0").plan.scenario,
            plan=evidence.side(scope).plan.scenario,
        ),
    )
    return as_written(explained(STEP, "worth_per_month", row), change.whole_usd)


@OF_COMPARISON.sums(
    worded("GPU-hours of {name}"),
    "gpu_hours",
    worded("GPU-hours per month = Σ over moved workloads"),
    said_as=writing.A_MONTH,
)
def moved_hours(evidence: ComparisonEvidence, scope: str, step: str) -> Listed:
    """GPU-hours a month of the workloads that a change moves."""
    change = evidence.way(scope)[int(step)]
    rows = [
        TraceRow(change.names[key], (hours,))
        for key, hours in sorted(change.hours.items(), key=lambda pair: -pair[1])
    ]
    return Listed(value=sum(change.hours.values()), rows=rows, name=change.name)


@OF_COMPARISON.gives("from_today")
def from_today(evidence: ComparisonEvidence, scope: str, step: str) -> Trace:
    """One step from today's spend to a plan: a pool, or unused_now, other, unused_plan."""
    side = evidence.side(scope)
    title, value, words, rows = _STEPS.get(step, _of_pool)(side, scope, step)
    called = worded("{name}, from today: {title}", name=side.plan.scenario, title=title)
    traced = summed(called, value, writing.MONEY_PER_MONTH, words, rows)
    return as_written(traced, side.whole_steps.get(step))


Step = tuple[Text, trace.Number, Message, list[TraceRow]]
"""Title, $ a month, the words of its sum, and what it is the sum of."""


def _unused_now(side: SideEvidence, scope: str, step: str) -> Step:
    gone = less(side.steps.unused_now)
    rows = [TraceRow(trace.minus(lowered(worded("Idle cost today"))), (gone,), figure("contracts_unused"))]
    words = worded("Change = − idle cost today")
    return worded("Idle cost that ends"), gone, words, rows


def _unused_plan(side: SideEvidence, scope: str, step: str) -> Step:
    unused = side.steps.unused_plan
    rows = [TraceRow(worded("Idle cost in the plan"), (unused,), in_plan(scope, "plan_unused::"))]
    words = worded("Change = idle cost of the plan")
    return worded("Unused in commitments"), unused, words, rows


def _other(side: SideEvidence, scope: str, step: str) -> Step:
    steps, unused_in_plan = side.steps, in_plan(scope, "plan_unused::")
    rows = [
        TraceRow(titles.THE_PLAN, (steps.plan,), in_plan(scope, "plan_usd::")),
        TraceRow(trace.minus(worded("today")), (less(steps.today),), figure("spend")),
        TraceRow(worded("Idle cost today"), (steps.unused_now,), figure("contracts_unused")),
    ]
    for pool, usd in steps.pools.items():
        name = trace.minus(POOL_TITLES[Pool(pool)])
        rows.append(TraceRow(name, (less(usd),), figure("from_today", pool.value, scope)))
    rows.append(
        TraceRow(
            trace.minus(lowered(worded("Idle cost in the plan"))), (less(steps.unused_plan),), unused_in_plan
        )
    )
    return worded("Other"), steps.other, worded("Other = cost of no workload or idle GPU"), rows


def _of_pool(side: SideEvidence, scope: str, step: str) -> Step:
    pool = Pool(step)
    rows = [
        TraceRow(joined((plan.gpu_model or worded("unknown model"), _used(layer)), ", "), (busy_usd(layer),))
        for plan in side.plan.pools
        for layer in plan.layers
        if plan.pool is pool
    ]
    rows.append(TraceRow(trace.minus(worded("today's cost of its workloads")), (less(side.today_usd[pool]),)))
    words = worded("Change = the pool's workloads in the plan − today")
    return POOL_TITLES[pool], side.steps.pools[pool], words, rows


_STEPS: Final = {UNUSED_NOW: _unused_now, UNUSED_PLAN: _unused_plan, OTHER: _other}
"""Steps that are no pool's."""


def _used(layer: Layer) -> Text:
    """How a layer is paid; of a new commitment it is the part of it that is used."""
    term = layer_in_sentence(layer)
    return worded("{term} term, used part", term=term) if layer.is_new else term
