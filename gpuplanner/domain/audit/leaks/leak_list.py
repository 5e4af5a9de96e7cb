"""Leaks: where money runs out, with jobs or contracts named and what to do; the list's total counts no hour twice."""

from collections.abc import Collection, Sequence

from gpuplanner.domain.audit.leaks.leak_claims import LeakRule, Part, Past
from gpuplanner.domain.audit.leaks.leak_rules import LEAK_RULES
from gpuplanner.domain.audit.result import Leak, LeakPart, LeakTotal
from gpuplanner.domain.figures.columns import Column, by_row, floats
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.scenario.plan_inputs import LeakStatus, Scenario

Left = dict[tuple[str, str], float]
"""GPU-hours of each workload, and idle ones of each contract, that no leak has counted yet."""


def total_of(leaks: Sequence[Leak], months: float) -> LeakTotal:
    """The total of some leaks, by what each of them counts. months: of 730 h in the window.

    $ are unknown where those of one leak are. Source: docs/formulas.md, Leaks.
    """
    counted: Column = floats([sum((leak.counted_gpu_hours for leak in leaks), 0.0)])
    found = LEAK.worked_out(
        {"counted_gpu_hours": counted, "months": months}, ("counted_gpu_hours_per_month",)
    )
    return LeakTotal(
        leaks=len(leaks),
        counted_gpu_hours=float(found["counted_gpu_hours"][0]),
        counted_gpu_hours_per_month=float(found["counted_gpu_hours_per_month"][0]),
        counted_per_month=known_sum(leak.counted_per_month for leak in leaks),
    )


def find_leaks(past: Past) -> tuple[Leak, ...]:
    """Every leak of the window, in the order of the rules, then by subject; each as large as its rule says.

    Laws: those of `Leak`.
    """
    left: Left = {("workload", workload.key): workload.gpu_hours for workload in past.project.workloads}
    left |= {("contract", contract_id): idle for contract_id, idle in past.idle_gpu_hours.items()}
    months = past.project.window.months
    return tuple(leak for rule in LEAK_RULES.values() for leak in _of_rule(rule, past, left, months))


def without_clusters(leaks: Sequence[Leak], clusters: Collection[str]) -> tuple[Leak, ...]:
    """The list without the leaks of some clusters, of whose use nothing is known.

    clusters: names. What is left counts as before.
    """
    return tuple(leak for leak in leaks if leak.cluster not in clusters)


def most_expensive_first(leaks: Sequence[Leak]) -> list[Leak]:
    """Leaks by $ a month, most expensive first, those of unknown $ last; equals stay in table order.

    What leaked counts, not what the total counts of it.
    """
    return sorted(leaks, key=lambda leak: (leak.leaked_per_month is None, -(leak.leaked_per_month or 0.0)))


def totals_by_status(leaks: Sequence[Leak], plan: Scenario | None, months: float) -> dict[str, LeakTotal]:
    """What is open, accepted and dismissed in a plan, by what each leak counts; the three add up to the total.

    A leak takes with it what it counts: nothing moves to a later leak because an earlier one was dismissed.
    Without a plan all of them are open.
    """
    decided = {one.leak_id: str(one.status) for one in plan.leak_decisions} if plan else {}
    return {
        status: total_of([leak for leak in leaks if decided.get(leak.leak_id, "open") == status], months)
        for status in ("open", *map(str, LeakStatus))
    }


def _of_rule(rule: LeakRule, past: Past, left: Left, months: float) -> list[Leak]:
    """One rule's leaks, by subject; their parts are counted together, so that each takes only what is left."""
    claims = sorted(rule.find(past), key=lambda claim: str(claim.subject))
    parts = [
        [part for part in sorted(claim.parts, key=lambda part: part.of) if part.gpu_hours] for claim in claims
    ]
    rows = iter(leak_parts([part for of_claim in parts for part in of_claim], left, months))
    return [
        Leak(
            rule.code,
            claim.subject,
            claim.action or rule.action,
            f"{rule.code}:{claim.of}",
            claim.cluster,
            tuple(next(rows) for _ in of_claim),
        )
        for claim, of_claim in zip(claims, parts, strict=True)
    ]


def leak_parts(parts: Sequence[Part], left: Left, months: float) -> list[LeakPart]:
    """The parts of one rule's leaks, no two of one workload or contract; what they count is taken from `left`.

    left: changed in place. months: of 730 h in the window. In the order of the parts.
    Errors: KeyError for a workload or contract that `left` does not have.
    """
    found = LEAK.worked_out(
        {
            "gpu_hours": floats([part.gpu_hours for part in parts]),
            "rate": floats([part.rate for part in parts]),
            "left_gpu_hours": floats([left[part.of] for part in parts]),
            "months": floats([months] * len(parts)),
        }
    )
    rows = by_row(found)
    left |= {part.of: row["still_left_gpu_hours"] or 0.0 for part, row in zip(parts, rows, strict=True)}
    return [
        LeakPart(
            *part.of,
            gpu_hours=part.gpu_hours,
            leaked_per_month=row["leaked_per_month"],
            counted_gpu_hours=row["counted_gpu_hours"] or 0.0,
            counted_gpu_hours_per_month=row["counted_gpu_hours_per_month"] or 0.0,
            counted_per_month=row["counted_per_month"],
            gpu_hours_per_month=row["gpu_hours_per_month"] or 0.0,
            leaked_in_window=row["leaked_in_window"],
            rate=part.rate,
            left_gpu_hours=row["left_gpu_hours"] or 0.0,
        )
        for part, row in zip(parts, rows, strict=True)
    ]
