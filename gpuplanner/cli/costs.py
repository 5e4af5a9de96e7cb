"""Unit costs, variance and chargeback as text that a person reads in a terminal."""

from collections.abc import Sequence

from gpuplanner.cli.text_tables import cluster_name, dollars, report_text, signed
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.audit.costs.business import BusinessCost
from gpuplanner.domain.audit.costs.charge_rows import Charges
from gpuplanner.domain.audit.costs.charge_words import shared_words
from gpuplanner.domain.audit.costs.retraining import retraining_of
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports.business import BUSINESS_COSTS, RETRAININGS
from gpuplanner.domain.reports.changes import CHANGES
from gpuplanner.domain.reports.chargeback import report_of
from gpuplanner.domain.reports.costs import ENDPOINTS, EXPERIMENTS, MODELS, RUNS
from gpuplanner.domain.reports.report import Report
from gpuplanner.files.system.terminal_text import one_line


def cost_text(costs: UnitCosts, variance: Variance, window: Window) -> str:
    """The most expensive runs, models, endpoints and experiments, and what changed between two periods.

    window: that periods are counted in. Kinds of things that there are none of are left out.
    """
    of_a_run = f" ($ of the run; one ends after {costs.run_gap_hours:g} h without GPU time)"
    premium = dollars(costs.premium_per_month)
    parts = [
        _listed(RUNS, costs, of_a_run),
        _listed(MODELS, costs),
        _listed(ENDPOINTS, costs, under=f"\n  Consolidation premium at equal terms: {premium} $ per month"),
        _listed(EXPERIMENTS, costs),
        _retraining_text(costs, window),
        _variance_text(variance, window),
    ]
    return "\n".join(part for part in parts if part)


def _retraining_text(costs: UnitCosts, window: Window) -> str:
    """How often training workloads are run again; empty where none ran."""
    rows = retraining_of(costs.runs, window)
    return f"\n{RETRAININGS.title}\n{report_text(RETRAININGS, rows)}" if rows else ""


def business_text(rows: Sequence[BusinessCost]) -> str:
    """Spend for one of the business figures, and why some of it is unknown; empty where none are given."""
    if not rows:
        return ""
    whys = dict.fromkeys(
        one_line(f"  {row.name}, {row.month}: {row.unknown}") for row in rows if str(row.unknown)
    )
    table = report_text(BUSINESS_COSTS, rows)
    return "\n".join((f"\n{BUSINESS_COSTS.title}", table, *whys, f"  {BUSINESS_COSTS.note}"))


def charge_text(charges: Charges) -> str:
    """Who pays for the window, and how idle GPUs were shared; empty where there is nothing to pay."""
    if not charges.rows:
        return ""
    report = report_of(charges)
    used_up = "".join(
        f"\n  {one_line(str(row.called))}: the budget is used up in the month from {day(row.used_up_s)}"
        for row in charges.rows
        if row.used_up_s is not None
    )
    said = f"$ in the window; {shared_words(charges.rule)}"
    return f"\n{report.title} ({said})\n{report_text(report, charges)}{used_up}"


def _listed(report: Report, costs: UnitCosts, beside: str = "", under: str = "") -> str:
    """A report under its title; empty without rows. under: what stands below the table."""
    if not report.rows(costs):
        return ""
    return f"\n{report.title}{beside}\n{report_text(report, costs)}{under}"


def _variance_text(variance: Variance, window: Window) -> str:
    """Clusters and their total, notes on what could not be told apart, and the mix."""
    before, after = (_period_text(period, window) for period in (variance.before, variance.after))
    said = (f"  {cluster_name(row.cluster)}: {row.note}" for row in variance.clusters if row.note)
    notes = "".join(f"\n{one_line(line)}" for line in said)
    if variance.mix_per_month is not None and len(variance.clusters) > 1:
        notes += f"\n  Of the volume, {signed(variance.mix_per_month)} is work that went to other clusters"
    return f"\n{CHANGES.title}, {before} to {after} ($ per month)\n{report_text(CHANGES, variance)}{notes}"


def _period_text(period: Period, window: Window) -> str:
    """First and last day of a period."""
    first, last = (window.start_s + hour * HOUR_S for hour in (period.first, period.last))
    return f"{day(first)} \u2013 {day(last - 1)}"
