"""The audit's use of the window in a terminal: the bridge, contended hours, GPU models, teams, hours of the week."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.cli.figure_text import (
    UNKNOWN,
    cluster_name,
    dollars,
    percent,
    signed,
    table,
)
from gpuplanner.cli.report_text import report_text
from gpuplanner.domain.audit.money.bridge import StrandedBridge
from gpuplanner.domain.audit.result import Audit, ClusterAudit
from gpuplanner.domain.audit.use.hours_of_week import HoursOfWeek
from gpuplanner.domain.audit.use.use_by import MODELS, TEAMS
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.weekdays import DAYS
from gpuplanner.domain.reports.clusters import BRIDGE
from gpuplanner.domain.reports.use import USES

USE_TITLES: Final = {MODELS: "GPU models (* under 40%)", TEAMS: "Teams"}
PAID, SERVED, METERED, AUDIT = "cost_per_month", "allocated_per_month", "stranded_metered", "stranded_audit"


def use_texts(audit: Audit) -> list[str]:
    """A text for each table; none for what the window does not have.

    In the order in which they are read.
    """
    texts = [_bridges(audit)] if audit.effective_utilization_now is not None else []
    contended = [
        (
            cluster_name(cluster),
            f"{found.contention_hours:,}",
            f"{found.overflow_gpu_hours:,.1f}",
            f"{found.beside_inference_hours:,}",
            f"{len(found.shared_training):,}",
        )
        for cluster, found in audit.contention.items()
        if found.contention_hours
    ]
    if contended:
        headings = (
            "Cluster",
            "Hours",
            "GPU-h beyond",
            "Training beside inference, h",
            "Training workloads then",
        )
        texts.append("\nContended hours\n" + table(headings, contended))
    if audit.use is not None:
        texts += [
            f"\n{title}\n{report_text(USES[view], audit.use)}"
            for view, title in USE_TITLES.items()
            if getattr(audit.use, view)
        ]
        texts.append(_week(audit.use.everything.hours_of_week))
    return texts


def _bridges(audit: Audit) -> str:
    """From the bill to stranded spend, cluster by cluster, their total last."""
    names = [cluster_name(row.cluster) for row in audit.clusters]
    amounts = whole_bridges(audit.clusters, audit.bridge)
    if len(names) > 1:
        names.append("Total")
    rows = [(name, *cells) for name, cells in zip(names, amounts, strict=False)]
    headings = ("Cluster", *(CLUSTER[key].title for key, _ in BRIDGE))
    return "\nFrom the bill to stranded spend ($ per month)\n" + table(headings, rows)


def whole_bridges(
    bridges: Sequence[ClusterAudit | StrandedBridge], total: StrandedBridge
) -> list[tuple[str, ...]]:
    """The cells of each bridge and of their total, in whole dollars that add up down every column and along every row.

    The total is written as the window writes it. What is paid, served, and stranded in both readings is rounded to the
    total of its column; what lies between them is their difference.
    """

    def column(field: str, whole: int | None) -> list[int | None]:
        parts = [getattr(bridge, field) for bridge in bridges]
        return [*largest_remainder(parts, None if None in parts else whole), whole]

    kept = {field: getattr(total, field) for field in (PAID, METERED, AUDIT)}
    whole = {field: None if amount is None else round(amount) for field, amount in kept.items()}
    steps = (total.allocated_per_month, total.idle_while_training)
    paid_whole, left = whole[PAID], whole[METERED]
    whole[SERVED] = None if steps[0] is None else round(steps[0])
    if paid_whole is not None and left is not None and None not in steps:
        taken = largest_remainder([None if one is None else -one for one in steps], left - paid_whole)[0]
        whole[SERVED] = None if taken is None else -taken
    columns = [column(field, whole[field]) for field in (PAID, SERVED, METERED, AUDIT)]
    rows: list[tuple[str, ...]] = []
    for paid, served, metered, audit in zip(*columns, strict=True):
        idle = None if paid is None or served is None or metered is None else paid - served - metered
        scaled = None if metered is None or audit is None else audit - metered
        rows.append(
            (dollars(paid), _less(served), _less(idle), dollars(metered), signed(scaled), dollars(audit))
        )
    return rows


def _less(amount: int | None) -> str:
    """The amount with a minus before it; a dash where it is unknown."""
    return UNKNOWN if amount is None else dollars(-amount)


def _week(week: HoursOfWeek) -> str:
    """Whole percent in each of the 168 hours; too many for a heading with units in every column."""
    if np.isnan(week.utilization).all():
        return ""
    hours = range(week.utilization.shape[1])
    rows = [
        (str(day), *_whole_percents(values), percent(None if np.isnan(mean) else float(mean)))
        for day, values, mean in zip(DAYS, week.utilization, week.utilization_by_day, strict=True)
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    head = "  " + " ".join(("   ", *(f"{hour:02d}".rjust(widths[hour + 1]) for hour in hours), "  Mean"))
    lines = [
        "  " + " ".join((row[0], *(row[at].rjust(widths[at]) for at in range(1, 25)), row[25].rjust(6)))
        for row in rows
    ]
    return "\n".join(("\nUtilization by weekday and hour, UTC (% of paid GPU-hours)", head, *lines))


def _whole_percents(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Iterator[str]:
    """Two places each, a dash where nothing is known."""
    for value in values.tolist():
        yield UNKNOWN.rjust(2) if np.isnan(value) else f"{100 * value:2.0f}"
