"""Traces of the savings story: a step of it, what the savings would buy, what separate pools cost and avoid."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from gpuplanner.domain.audit.costs.unit_costs import past_of
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.audit.leaks.premium import premium_costs
from gpuplanner.domain.commitment.comparison.savings import STEPS
from gpuplanner.domain.commitment.comparison.savings_buy import savings_buy
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.evidence.trace_cases import separation
from gpuplanner.domain.commitment.words.savings_words import STEP_MEANINGS, STEP_NAMES
from gpuplanner.domain.figures.plan import PLAN, SAVINGS_BUY, SAVINGS_STEP
from gpuplanner.domain.message import Text, joined, worded

ENDS: Final[tuple[tuple[Text, str], ...]] = (
    (worded("today's spend"), figure("spend")),
    (worded("the log at the demand of next month, contracts as today"), ""),
    (worded("doing nothing"), figure("plan_nothing")),
    (worded("the plan with everything where it runs today, without spot"), ""),
    (worded("the plan without spot"), ""),
    (worded("the plan"), figure("plan_usd")),
)
"""What stands between the steps, and what explains it: six ends of five steps."""


def savings_step(evidence: PlanEvidence, scope: str, name: str) -> Trace:
    """What one step saves: the plan before it less the plan with it. Errors: StopIteration while it is worked out."""
    steps = evidence.outlook.savings_steps if evidence.outlook is not None else ()
    step, at = next(one for one in steps if one.step == name), STEPS.index(name)
    (before, opens_before), (after, opens_after) = ENDS[at : at + 2]
    row = Inputs(
        {"cost_before": step.cost_before, "cost_after": step.cost_after},
        name,
        STEP_NAMES[name],
        labels={"cost_before": before, "cost_after": after},
        opens={"cost_before": opens_before, "cost_after": opens_after},
    )
    return explained(SAVINGS_STEP, "saved_per_month", row, joined((STEP_MEANINGS[name], step.unknown), " "))


def of_buy(key: str) -> Callable[[PlanEvidence, str, str], Trace]:
    """What explains one of the figures of what the savings would buy."""

    def trace(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
        if evidence.advice is None:
            raise KeyError("the plan is still worked out")
        buy = savings_buy(evidence.advice)
        given = {name: value for name, value in asdict(buy).items() if name in SAVINGS_BUY}
        note = worded(
            "At the mean rate of all that the plan pays by use in its first month: no new commitment."
        )
        return explained(SAVINGS_BUY, key, Inputs(given, "", worded("the plan")), note)

    return trace


def separation_usd(evidence: PlanEvidence, scope: str, line: str) -> Trace:
    """What separate pools cost in the plan; what inference pays in the log above offers at equal terms, by workload."""
    if line == "cost":
        return separation(evidence, scope, "")
    past = past_of(evidence.project, evidence.audit)
    workloads = evidence.project.workloads
    rows = [
        TraceRow(
            workloads[place].name,
            (cost.premium_per_month,),
            figure("endpoint_premium", workloads[place].key),
        )
        for place, cost in premium_costs(past).items()
    ]
    return summed(
        figure("separation_usd", "premium"),
        worded("Premium of inference at equal terms"),
        evidence.audit.premium_usd_per_month,
        "usd",
        worded("\u03a3 over endpoints of what is paid \u2212 the cheapest offer that fits, at equal terms"),
        rows,
        said_as=PLAN["plan"].unit.per,
    )


def separation_hours(evidence: PlanEvidence, scope: str, line: str) -> Trace:
    """Contended hours of the log by cluster; of interference those in which training and inference both ran."""
    is_all = line == "contention"
    rows = [
        TraceRow(
            cluster,
            (found.contention_hours if is_all else found.beside_inference_hours,),
            figure("contended", cluster, "hours" if is_all else "beside"),
        )
        for cluster, found in evidence.audit.contention.items()
    ]
    found = evidence.audit
    return summed(
        figure("separation_hours", line),
        worded("Contended hours") if is_all else worded("Training beside inference in contended hours"),
        found.contended_hours if is_all else found.interference_hours,
        "count",
        worded("\u03a3 over clusters; an hour of two clusters counts twice"),
        rows,
    )
