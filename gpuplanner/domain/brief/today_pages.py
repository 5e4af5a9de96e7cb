"""The pages of what is: today's clusters and their use, and what is stranded."""

from typing import Final

import numpy as np

from gpuplanner.domain.audit.money.bridge import StrandedBridge
from gpuplanner.domain.audit.use.stranded import why_metered_is_more
from gpuplanner.domain.brief.figure_words import change, counted, dollars, joined, percent, whole
from gpuplanner.domain.brief.pages import (
    Bar,
    BridgeChart,
    DemandChart,
    Page,
    TableBlock,
    TextBlock,
)
from gpuplanner.domain.brief.report_block import report_block
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.message import lowered
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.book.contracts_apart import any_ran, contracts_apart
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import has_calendar
from gpuplanner.domain.reports.clusters import CLUSTERS
from gpuplanner.domain.reports.contracts import CONTRACTS
from gpuplanner.domain.reports.leaks import LEAKS, leak_list

DAY_HOURS: Final = 24
MOST_CLUSTERS: Final = 6
MOST_CONTRACTS: Final = 5


def today_page(evaluation: Evaluation) -> Page:
    """Who uses what, and what it costs.

    What contracts cost is unknown where none was given, or none ran while the log did; the title says so.
    """
    audit, project = evaluation.audit, evaluation.project
    cost = audit.bridge.cost_per_month
    used = percent(audit.effective_utilization)
    count = counted(len(audit.clusters), "cluster")
    if not project.contracts:
        title = "No contract was given: what the GPUs cost today is unknown"
    elif not any_ran(project.contracts, project.window):
        title = "No contract ran while the log did: what the GPUs cost today is unknown"
    else:
        verb = "costs" if len(audit.clusters) == 1 else "cost"
        use = f"{used} of the GPU-hours paid are used"
        if audit.effective_utilization is None:
            use = "how much of what is paid is used is unknown"
        title = f"{count} {verb} {dollars(cost)} per month, and {use}"
    classes = [
        f"{percent(share.share)} {pool}" for pool in POOLS if (share := audit.classes.get(pool)) is not None
    ]
    sentences = [
        f"{counted(project.jobs.gpu_jobs, 'GPU job')} of {counted(len(project.workloads), 'workload')} used "
        f"{whole(project.jobs.gpu_hours)} GPU-hours in the window: {joined(classes)}, by class.",
        _spent_now(evaluation),
        *_times(project),
    ]
    flagged = [row.contract_id for row in audit.contracts if row.below_40_percent]
    if flagged:
        named = (
            joined(flagged[:3])
            if len(flagged) <= 3
            else f"{', '.join(flagged[:3])} and {len(flagged) - 3} more"
        )
        sentences.append(f"{counted(len(flagged), 'contract')} under 40% used: {named}.")
    return Page(
        "today",
        "Today",
        title,
        (
            (TextBlock("", tuple(sentences)), _demand(evaluation)),
            (_clusters(evaluation),),
            (_contracts(evaluation),),
        ),
    )


def _times(project: Project) -> list[str]:
    """Of when log and contracts are, where they are of two times."""
    apart = contracts_apart(project.contracts, project.window)
    if apart is None:
        return []
    log = f"The log is of {day(project.window.start_s)} to {day(project.window.end_s - 1)}"
    if not has_calendar(project.window.end_s):
        log = "The log counts its time from 0"
    over = "on" if apart.end_s is None else f"to {day(apart.end_s - 1)}"
    return [f"{log}, the contracts are of {day(apart.begin_s)} {over}: figures of today count none of them."]


def _spent_now(evaluation: Evaluation) -> str:
    """Spend in a sentence; without contracts what all of it would cost on demand."""
    project = evaluation.project
    usd, has_contracts = evaluation.audit.spend, any_ran(project.contracts, project.window)
    if usd is None:
        return f"What {'is spent now' if has_contracts else 'all of it costs on demand'} is unknown: a rate is missing."
    if not has_contracts:
        return f"All of it on demand would cost {dollars(usd)} per month."
    return f"Spend today is {dollars(usd)} per month: contracts, and what they could not serve at on-demand rates."


def _demand(evaluation: Evaluation) -> DemandChart:
    """Demand by pool of the plan, as daily means; a last day that is not whole counts its own hours."""
    series = []
    for pool in POOLS:
        hourly = evaluation.figures.hourly[pool] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        starts = np.arange(0, len(hourly), DAY_HOURS)
        lengths = np.minimum(len(hourly) - starts, DAY_HOURS)
        series.append((pool, np.add.reduceat(hourly, starts) / lengths if len(hourly) else hourly))
    start_s = evaluation.project.window.start_s
    dated_s = start_s if has_calendar(evaluation.project.window.end_s) else None
    return DemandChart("Demand, mean GPUs a day, by pool of the plan", dated_s, tuple(series))


def _clusters(evaluation: Evaluation) -> TableBlock:
    """The clusters that cost most."""
    return report_block(
        CLUSTERS,
        evaluation.audit,
        "Clusters, most expensive first",
        {"cluster": 2.2, "cost_per_month": 1.2, "stranded_audit": 1.4, "stranded_metered": 1.4},
        MOST_CLUSTERS,
        "on the workbook's Audit sheet.",
    )


def _contracts(evaluation: Evaluation) -> TableBlock:
    """The contracts that leave most unused."""
    return report_block(
        CONTRACTS,
        evaluation.audit,
        "Contracts, most unused first",
        {"contract_id": 1.8, "cluster": 1.4, "break_even_utilization": 1.2, "unused_per_month": 1.2},
        MOST_CONTRACTS,
        "on the workbook's Contracts sheet.",
    )


def stranded_page(evaluation: Evaluation) -> Page:
    """What is paid and idle, in both readings, and the leaks behind it.

    Where a reading is unknown the title says so.
    """
    bridge = evaluation.audit.bridge
    metered, reading = bridge.stranded_metered, bridge.stranded_audit
    title = f"{dollars(metered)} per month is stranded as metered; the audit's reading is {dollars(reading)}"
    if metered is None or not evaluation.project.contracts:
        title = "What is stranded is unknown without contracts and their rates"
        if not evaluation.project.has_log:
            title = "What is stranded is unknown without a log"
        elif evaluation.project.contracts:
            title = "What is stranded is unknown: a cluster has no contract of its own, or one has no rate"
    elif not any_ran(evaluation.project.contracts, evaluation.project.window):
        title = "What is stranded is unknown: no contract ran while the log did"
    elif reading is None:
        title = f"{dollars(metered)} per month is stranded as metered; the audit's reading is unknown"
    words = (
        "Metered: paid and not allocated in hours in which nothing trained; it adds up to the invoice.",
        "Audit: the idle share of those hours, taken for the whole cost. It is a reading, not money on the invoice.",
    )
    above = [
        f"{row.cluster}: {lowered(why)}"
        for row in evaluation.audit.clusters
        if (why := why_metered_is_more(row.stranded_metered, row.stranded_audit))
    ]
    rows = (
        (_bridge(bridge), TextBlock("Two readings of stranded spend", (*words, *above[:1]))),
        (_leaks(evaluation),),
    )
    return Page("stranded", "Stranded", title, rows)


def _bridge(bridge: StrandedBridge) -> BridgeChart:
    """Whole dollars that add up from each bar on zero to the next."""

    def less(usd: float | None) -> float | None:
        return None if usd is None else -usd

    paid, metered, audit = (
        bridge.cost_per_month,
        bridge.stranded_metered,
        bridge.stranded_audit,
    )
    steps = [less(bridge.allocated_per_month), less(bridge.idle_while_training)]
    both = paid is not None and metered is not None and None not in steps
    served, idle = largest_remainder(
        steps, round(metered) - round(paid) if both and paid and metered else None
    )
    scaled = bridge.scaled_to_all_hours
    both_read = audit is not None and metered is not None
    scaled_text = change(round(audit) - round(metered) if both_read and audit and metered else scaled)
    bars = (
        Bar(str(titles.PAID), "$ per month", paid, "start", whole(paid)),
        Bar(str(titles.ALLOCATED), "to jobs", steps[0], "step", change(served)),
        Bar("Idle while", "training ran", steps[1], "step", change(idle)),
        Bar("Stranded,", "metered", metered, "result", whole(metered)),
        Bar("Scaled to", "all hours", scaled, "scaled", scaled_text),
        Bar("Stranded,", "audit", audit, "result", whole(audit)),
    )
    return BridgeChart("From the bill to stranded spend, $ per month", bars)


def _leaks(evaluation: Evaluation) -> TableBlock:
    """Leaks with what the total counts of them."""
    shares = {"title": 1.6, "where": 1.9, "leaked_per_month": 0.8, "counted_per_month": 1.0, "action": 4.2}
    leaks = leak_list(evaluation.project, evaluation.audit)
    return report_block(LEAKS, leaks, "Leaks, most expensive first", shares)
