"""The answers to "Why this number?": those of Today, and which answer belongs to which figure."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui import numbers
from gpuplanner.ui.figure_table import Cell, Column, Row
from gpuplanner.ui.headline_figures import stranded_today
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.why_answer import Why, inputs_of
from gpuplanner.ui.why_plan import (
    UTILIZATION_COLUMNS,
    lock_in,
    savings,
    spend_in_plan,
    unused,
    utilization_in_plan,
    utilization_now,
)


def why(figure_id: str, shown: Shown) -> Why:
    """The answer for one figure of the headline."""
    if figure_id == "utilization" and shown.is_today:
        return _utilization_today(shown)
    return _ANSWERS[figure_id](shown)


def _spend_today(shown: Shown) -> Why:
    project, audit = shown.evaluation.project, shown.evaluation.audit
    months = project.window.months
    current = audit.current_usd_per_month
    overflow = [None if row.overflow_usd is None else row.overflow_usd / months for row in audit.clusters]
    paid = [row.cost_usd_per_month for row in audit.clusters]
    known = [value for value in (*paid, *overflow) if value is not None]
    totals: tuple[int | None, int | None]
    dearer = 0.0 if current is None else current - sum(known)  # what a class may run on can cost more
    if current is not None and None not in (*paid, *overflow):
        paid_usd = sum(value for value in paid if value is not None)
        totals = (
            round(paid_usd),
            round(current) - round(paid_usd),
        )  # to the dollar, as in the clusters' table
    else:
        totals = (None, None)
    more: list[float | None] = [dearer] if current is not None and abs(dearer) >= 0.5 else []
    whole = [
        *numbers.largest_remainder(paid, totals[0]),
        *numbers.largest_remainder([*overflow, *more], totals[1]),
    ]
    count = len(audit.clusters)

    def money(value: int | None) -> str:
        return numbers.UNKNOWN if value is None else numbers.whole(value)

    def both(left: int | None, right: int | None) -> int | None:
        return None if left is None or right is None else left + right

    rows = [
        Row(
            (
                Cell(row.cluster, is_strong=True),
                Cell(numbers.whole(row.capacity_gpu_hours / months)),
                Cell(money(whole[at])),
                Cell(numbers.whole(row.overflow_gpu_hours / months)),
                Cell(money(whole[count + at])),
                Cell(money(both(whole[at], whole[count + at]))),
            )
        )
        for at, row in enumerate(audit.clusters)
    ]
    extra = whole[2 * count :]
    if extra:
        name = "Overflow, dearer for its class"
        rows.append(Row((Cell(name), Cell(), Cell(), Cell(), Cell(money(extra[0])), Cell(money(extra[0])))))

    def total(parts: list[int | None]) -> str:
        return numbers.UNKNOWN if None in parts else numbers.whole(sum(part or 0 for part in parts))

    rows.append(
        Row(
            (
                Cell("Spend"),
                Cell(numbers.whole(sum(row.capacity_gpu_hours for row in audit.clusters) / months)),
                Cell(total(whole[:count])),
                Cell(numbers.whole(sum(row.overflow_gpu_hours for row in audit.clusters) / months)),
                Cell(total(whole[count:])),
                Cell(numbers.whole(current)),
            ),
            True,
        )
    )
    return Why(
        f"Spend: {numbers.dollars(current)} per month",
        "Spend = 730 \u00f7 window hours \u00d7 (paid for contracts in the window + overflow at on-demand rates)",
        "Overflow is demand that no contract had room for, at the cheapest on-demand rate that it may run on.",
        (
            Column("Cluster", False),
            Column("Paid GPU-h\nper month"),
            Column("Paid\n$ per month"),
            Column("Overflow GPU-h\nper month"),
            Column("Overflow\n$ per month"),
            Column("Spend\n$ per month"),
        ),
        tuple(rows),
        "Contracts that ended inside the window count for the hours they ran.",
        inputs_of(shown),
    )


def _utilization_today(shown: Shown) -> Why:
    audit = shown.evaluation.audit
    return Why(
        f"Utilization: {numbers.percent(audit.effective_utilization_now)}",
        "Utilization = GPU-hours allocated to jobs \u00f7 GPU-hours paid for",
        "It is allocation. What the GPUs did while allocated is activity, and is shown apart.",
        UTILIZATION_COLUMNS,
        utilization_now(shown),
        "What overflowed ran on GPUs that are not paid by a contract, and is not counted as used here.",
        inputs_of(shown),
    )


def _stranded(shown: Shown) -> Why:
    audit = shown.evaluation.audit
    audit_usd, metered_usd = stranded_today(shown)
    money = numbers.largest_remainder([row.stranded_audit_usd_per_month for row in audit.clusters], audit_usd)
    cost = numbers.largest_remainder([row.cost_usd_per_month for row in audit.clusters])
    rows = [
        Row(
            (
                Cell(row.cluster, is_strong=True),
                Cell(numbers.whole(row.non_training_hours)),
                Cell(numbers.whole(row.non_training_used_gpu_hours)),
                Cell(numbers.whole(row.non_training_capacity_gpu_hours)),
                Cell(numbers.percent(row.non_training_utilization, 2)),
                Cell(numbers.UNKNOWN if paid is None else numbers.whole(paid)),
                Cell(numbers.UNKNOWN if share is None else numbers.whole(share), is_strong=True),
            )
        )
        for row, paid, share in zip(audit.clusters, cost, money, strict=True)
    ]
    costs = known_sum(row.cost_usd_per_month for row in audit.clusters)
    literal = [
        row.non_training_utilization * row.cost_usd_per_month
        for row in audit.clusters
        if row.non_training_utilization is not None and row.cost_usd_per_month is not None
    ]
    total = Row(
        (
            Cell(numbers.counted(len(rows), "cluster")),
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            Cell(numbers.whole(costs)),
            Cell(numbers.whole(audit_usd)),
        ),
        True,
    )
    return Why(
        f"Stranded, audit: {numbers.dollars(audit_usd)} per month",
        "Stranded, audit = \u03a3 over clusters of (1 \u2212 U) \u00d7 cost per month",
        "U = used GPU-h \u00f7 paid GPU-h, in hours in which the cluster ran no training.",
        (
            Column("Cluster", False),
            Column("Hours without\ntraining"),
            Column("Used\nGPU-h"),
            Column("Paid\nGPU-h"),
            Column("U"),
            Column("Cost\n$ per month"),
            Column("Stranded, audit\n$ per month"),
        ),
        (*rows, total),
        f"Used and paid GPU-h are for the window, {numbers.whole(shown.evaluation.project.window.hours)} h. "
        "Dollars are computed before rounding.",
        inputs_of(shown),
        "Other readings, $ per month",
        (
            ("Metered: idle in those hours only", numbers.whole(metered_usd)),
            (
                "Literal: U \u00d7 cost",
                numbers.whole(sum(literal) if len(literal) == len(audit.clusters) and literal else None),
            ),
            ("Totals use metered: it adds up to the invoice.", ""),
        ),
    )


def _below_40(shown: Shown) -> Why:
    audit = shown.evaluation.audit
    rows = tuple(
        Row(
            (
                Cell(row.contract_id, is_strong=True),
                Cell(numbers.whole(row.used_gpu_hours)),
                Cell(numbers.whole(row.committed_gpu_hours)),
                Cell(
                    numbers.percent(row.utilization, 2),
                    icon="triangle" if row.below_40_percent else "",
                    icon_role="amber",
                ),
                Cell(numbers.percent(row.break_even_utilization, 2)),
            )
        )
        for row in audit.contracts
    )
    count = sum(row.below_40_percent for row in audit.contracts)
    return Why(
        f"Under 40%: {count} of {numbers.counted(len(audit.contracts), 'contract')}",
        "Flag when 100 \u00d7 used GPU-h < 40 \u00d7 paid GPU-h",
        "Exactly 40% is not flagged. Break-even is the rate paid \u00f7 the cheapest on-demand rate.",
        (
            Column("Contract", False),
            Column("Used\nGPU-h"),
            Column("Paid\nGPU-h"),
            Column("Utilization"),
            Column("Break-even"),
        ),
        rows,
        "",
        inputs_of(shown),
    )


def _classes(shown: Shown) -> Why:
    classes = shown.evaluation.audit.classes
    rows = tuple(
        Row(
            (
                Cell(pool.capitalize(), is_strong=True),
                Cell(numbers.whole(share.workloads)),
                Cell(numbers.whole(share.jobs)),
                Cell(numbers.whole(share.gpu_hours)),
                Cell(numbers.percent(share.share, 2)),
            )
        )
        for pool, share in classes.items()
    )
    return Why(
        "GPU-hours by class",
        "Share = GPU-hours of the class \u00f7 all GPU-hours in the window",
        "A class is what a workload is; moving a card changes where it runs, not what it is.",
        (Column("Class", False), Column("Workloads"), Column("Jobs"), Column("GPU-h"), Column("Share")),
        rows,
        "What the planner says wins over a label in the log, then rules, then a score.",
        inputs_of(shown),
    )


_ANSWERS: Final[dict[str, Callable[[Shown], Why]]] = {
    "spend": spend_in_plan,
    "savings": savings,
    "unused": unused,
    "utilization": utilization_in_plan,
    "lock_in": lock_in,
    "paid": _spend_today,
    "stranded": _stranded,
    "below_40": _below_40,
    "classes": _classes,
}
