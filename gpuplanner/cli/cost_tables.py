"""Unit costs and variance as text a person reads in a terminal."""

from typing import Final

from gpuplanner.cli.figure_text import (
    ROWS_SHOWN,
    UNKNOWN,
    cluster_name,
    date_text,
    dollars,
    percent,
    signed,
    table,
)
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.system.terminal_text import one_line

SOURCES: Final = {"log": "the log", "name": "its name", "unknown": UNKNOWN}


def cost_text(costs: UnitCosts, variance: Variance, window: Window) -> str:
    """The dearest runs, models, endpoints and experiments, and what changed between two periods."""
    parts = [
        _runs(costs),
        _models(costs),
        _endpoints(costs),
        _experiments(costs),
        _variance(variance, window),
    ]
    return "\n".join(part for part in parts if part)


def _rate(rate: float | None) -> str:
    return UNKNOWN if rate is None else f"{rate:,.2f}"


def _more(shown: int, total: int) -> str:
    return f"\n  and {total - shown:,} more; see --json" if total > shown else ""


def _runs(costs: UnitCosts) -> str:
    if not costs.runs:
        return ""
    rows = [
        (
            run.name,
            run.cluster,
            date_text(run.start_s),
            date_text(run.end_s - 1),
            f"{run.mean_gpus:,.1f}",
            f"{run.gpu_hours:,.0f}",
            dollars(run.usd),
        )
        for run in costs.runs[:ROWS_SHOWN]
    ]
    title = f"\nTraining runs ($ of the run; one ends after {costs.run_gap_hours:g} h without GPU time)\n"
    headings = ("Run", "Cluster", "From", "To", "Mean GPUs", "GPU-h", "$ of the run")
    return title + table(headings, rows, left=2) + _more(len(rows), len(costs.runs))


def _models(costs: UnitCosts) -> str:
    if not costs.models:
        return ""
    rows = [
        (
            row.model or "(unknown)",
            SOURCES[row.source],
            f"{len(row.parts):,}",
            f"{row.gpu_hours:,.0f}",
            dollars(row.usd_per_month),
        )
        for row in costs.models[:ROWS_SHOWN]
    ]
    headings = ("Model", "Known from", "Workloads", "GPU-h in window", "$ per month")
    return "\nModels\n" + table(headings, rows, left=2) + _more(len(rows), len(costs.models))


def _endpoints(costs: UnitCosts) -> str:
    if not costs.endpoints:
        return ""
    rows = [
        (
            row.name,
            row.cluster,
            f"{row.gpu_hours:,.0f}",
            dollars(row.usd_per_month),
            dollars(row.idle_usd_per_month),
            _rate(row.tokens.usd_per_million_tokens if row.tokens else None),
            _rate(row.premium.usd_per_gpu_hour),
            percent(row.premium.utilization),
            _rate(row.premium.offer_usd_per_gpu_hour),
            percent(row.premium.offer_utilization),
            dollars(row.premium.usd_per_month),
        )
        for row in costs.endpoints[:ROWS_SHOWN]
    ]
    headings = (
        "Endpoint",
        "Cluster",
        "GPU-h in window",
        "$ per month",
        "Idle $ per month",
        "$ per 1M tokens",
        "Paid $/GPU-h",
        "Used",
        "Offer $/GPU-h",
        "Would be used",
        "Premium $ per month",
    )
    text = "\nEndpoints\n" + table(headings, rows, left=2) + _more(len(rows), len(costs.endpoints))
    return (
        text + f"\n  Consolidation premium at equal terms: {dollars(costs.premium_usd_per_month)} $ per month"
    )


def _experiments(costs: UnitCosts) -> str:
    if not costs.experiments:
        return ""
    rows = [
        (
            row.name,
            row.cluster,
            f"{row.jobs:,}",
            f"{row.gpu_hours:,.0f}",
            dollars(row.usd_per_month),
            _rate(row.usd_per_job),
        )
        for row in costs.experiments[:ROWS_SHOWN]
    ]
    headings = ("Experiment", "Cluster", "Jobs", "GPU-h in window", "$ per month", "$ per job")
    return "\nExperiments\n" + table(headings, rows, left=2) + _more(len(rows), len(costs.experiments))


def _variance(variance: Variance, window: Window) -> str:
    rows = [
        (
            cluster_name(row.cluster),
            dollars(row.before.usd_per_month),
            signed(row.volume_usd_per_month),
            signed(row.efficiency_usd_per_month),
            signed(row.price_usd_per_month),
            dollars(row.after.usd_per_month),
        )
        for row in variance.clusters
    ]
    rows.append(
        (
            "Total",
            dollars(variance.before_usd_per_month),
            signed(variance.volume_usd_per_month),
            signed(variance.efficiency_usd_per_month),
            signed(variance.price_usd_per_month),
            dollars(variance.after_usd_per_month),
        )
    )
    before, after = (_period_text(period, window) for period in (variance.before, variance.after))
    said = (f"  {cluster_name(row.cluster)}: {row.note}" for row in variance.clusters if row.note)
    notes = "".join(f"\n{one_line(line)}" for line in said)
    if variance.mix_usd_per_month is not None and len(variance.clusters) > 1:
        notes += (
            f"\n  Of the volume, {signed(variance.mix_usd_per_month)} is work that went to other clusters"
        )
    headings = ("Cluster", "Before", "Volume", "Efficiency", "Price", "After")
    return f"\nWhat changed, {before} to {after} ($ per month)\n" + table(headings, rows) + notes


def _period_text(period: Period, window: Window) -> str:
    first, last = (window.start_s + hour * HOUR_S for hour in (period.first, period.last))
    return f"{date_text(first)} \u2013 {date_text(last - 1)}"
