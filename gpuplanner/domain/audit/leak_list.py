"""Leaks: the table of their rules, the list whose total counts no hour twice, and what acting is worth."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.audit import use_leaks
from gpuplanner.domain.audit.idle_leaks import IDLE_TAIL, UNMATERIALISED
from gpuplanner.domain.audit.leak_claims import LeakRule, Part, Past
from gpuplanner.domain.audit.result import Audit, Leak, LeakPart, LeakTotal
from gpuplanner.domain.figures.figure import Column, by_row, fields_of, floats
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.scenario import LeakStatus, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass

# --- The table of leak rules, in the order in which their leaks are counted ----------------------

LEAK_RULES: Final[Mapping[str, LeakRule]] = {
    rule.code: rule
    for rule in (
        IDLE_TAIL,
        use_leaks.PERSISTENT_DEV,
        UNMATERIALISED,
        use_leaks.PEAK_PROVISIONED,
        use_leaks.FAILED_WORK,
        use_leaks.CONTENTION,
        use_leaks.CONSOLIDATION_PREMIUM,
        use_leaks.PERMANENT_BURST,
    )
}
"""By code, as in docs/formulas/leaks.md: where two claim the same GPU-hour, the total gives it to the first."""


# --- What leaks are called, and what accepting one can change in a plan --------------------------


@dataclass(frozen=True, slots=True)
class Remedy:
    """What accepting a leak does in a plan: its workloads of that class go to `pool`; None: it is noted.

    keys: of the workloads that move; empty where it is only noted.
    """

    pool: Pool | None
    keys: tuple[str, ...]


def remedy_of(leak: Leak, classes: Mapping[str, Pool]) -> Remedy:
    """What accepting a leak does. classes: of the workloads, by key; of contention only inference moves.

    Workloads of other classes stay: moving them would not stop the leak.
    """
    pool = LEAK_RULES[leak.code].pool
    keys = tuple(
        part.id for part in leak.parts if part.kind == "workload" and pool and classes.get(part.id) is pool
    )
    return Remedy(pool if keys else None, keys)


def classes_by_key(audit: Audit) -> dict[str, Pool]:
    """The class of every workload, by key."""
    return {row.key: row.classification.pool for row in audit.workloads}


def leak_called(leak: Leak) -> Message:
    """`Idle after training, atlas`: what a leak is called in a sentence, an undo step or the log.

    By its cluster, or by its contract where it is of one.
    """
    where = leak.leak_id.partition(":")[2] or worded("jobs without a cluster")
    return worded("{title}, {where}", title=LEAK_RULES[leak.code].title, where=where)


# --- Leaks: where money runs out, with jobs or contracts named and what to do; the list's total counts no hour twice

Left = dict[tuple[str, str], float]
"""GPU-hours of each workload, and idle ones of each contract, that no leak has counted yet."""


def total_of(leaks: Sequence[Leak], months: float) -> LeakTotal:
    """The total of some leaks, by what each of them counts. months: of 730 h in the window.

    $ are unknown where those of one leak are. Source: docs/formulas/leaks.md.
    """
    counted: Column = floats([sum((leak.counted_gpu_hours for leak in leaks), 0.0)])
    columns = LEAK.worked_out(
        {"counted_gpu_hours": counted, "months": months}, ("counted_gpu_hours_per_month",)
    )
    return LeakTotal(
        leaks=len(leaks),
        counted_gpu_hours=float(columns["counted_gpu_hours"][0]),
        counted_gpu_hours_per_month=float(columns["counted_gpu_hours_per_month"][0]),
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
    decided = {decision.leak_id: str(decision.status) for decision in plan.leak_decisions} if plan else {}
    return {
        status: total_of([leak for leak in leaks if decided.get(leak.leak_id, "open") == status], months)
        for status in ("open", *map(str, LeakStatus))
    }


def _of_rule(rule: LeakRule, past: Past, left: Left, months: float) -> list[Leak]:
    """One rule's leaks, by subject; their parts are counted together, so that each takes only what is left."""
    claims = sorted(rule.find(past), key=lambda claim: str(claim.subject))
    parts = [
        [part for part in sorted(claim.parts, key=lambda part: part.origin) if part.gpu_hours]
        for claim in claims
    ]
    rows = iter(leak_parts([part for of_claim in parts for part in of_claim], left, months))
    return [
        Leak(
            code=rule.code,
            subject=claim.subject,
            action=claim.action or rule.action,
            leak_id=f"{rule.code}:{claim.of}",
            cluster=claim.cluster,
            parts=tuple(next(rows) for _ in of_claim),
        )
        for claim, of_claim in zip(claims, parts, strict=True)
    ]


def leak_parts(parts: Sequence[Part], left: Left, months: float) -> list[LeakPart]:
    """The parts of one rule's leaks, no two of one workload or contract; what they count is taken from `left`.

    left: changed in place. months: of 730 h in the window. In the order of the parts.
    Errors: KeyError for a workload or contract that `left` does not have.
    """
    columns = LEAK.worked_out(
        {
            "gpu_hours": floats([part.gpu_hours for part in parts]),
            "rate": floats([part.rate for part in parts]),
            "left_gpu_hours": floats([left[part.origin] for part in parts]),
            "months": floats([months] * len(parts)),
        }
    )
    rows = by_row(columns)
    left |= {part.origin: row["still_left_gpu_hours"] or 0.0 for part, row in zip(parts, rows, strict=True)}
    return [
        LeakPart(kind=part.origin.kind, id=part.origin.id, **fields_of(LeakPart, row))
        for part, row in zip(parts, rows, strict=True)
    ]


# --- What acting on the audit is worth: the leaks that no plan dismissed, each GPU-hour counted once


@dataclass(frozen=True, slots=True)
class Worth:
    """What all leaks count, those that no plan dismissed, and the others. Law: all = open + dismissed."""

    all: LeakTotal
    open: LeakTotal
    dismissed: LeakTotal


def dismissed_leaks(project: Project) -> frozenset[str]:
    """Ids of leaks that some plan dismissed: a reason was given why there is nothing to be had.

    A leak that one plan dismissed and another accepted is among them.
    """
    return frozenset(
        decision.leak_id
        for plan in project.scenarios
        for decision in plan.leak_decisions
        if decision.status is LeakStatus.DISMISSED
    )


def worth_of(project: Project, audit: Audit) -> Worth:
    """What is open and what was dismissed of the list's total. An accepted leak is still to be acted on.

    Units: GPU-hours and $ a month; None where a rate is missing.
    """
    gone, months = dismissed_leaks(project), project.window.months
    return Worth(
        total_of(audit.leaks, months),
        total_of([leak for leak in audit.leaks if leak.leak_id not in gone], months),
        total_of([leak for leak in audit.leaks if leak.leak_id in gone], months),
    )
