"""Unit costs and variance as text a person reads in a terminal."""

from gpuplanner.cli.figure_text import cluster_name, date_text, dollars, signed, table
from gpuplanner.cli.report_text import report_text
from gpuplanner.domain.audit.cost_result import ClusterVariance, Period, UnitCosts, Variance
from gpuplanner.domain.figures.changes import CELLS, CHANGE
from gpuplanner.domain.model.window import HOUR_S, Window
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
        _variance(variance, window),
    ]
    return "\n".join(part for part in parts if part)


def _listed(report: Report, costs: UnitCosts, beside: str = "", under: str = "") -> str:
    """A report under its title; empty without rows. under: what stands below the table."""
    if not report.rows(costs):
        return ""
    return f"\n{report.title}{beside}\n{report_text(report, costs)}{under}"


def _cells(row: ClusterVariance | Variance) -> list[str]:
    """$ a month from the first period to the second; changes with their sign."""
    return [(dollars if key.startswith("cost") else signed)(getattr(row, key)) for key in CELLS]


def _variance(variance: Variance, window: Window) -> str:
    """Clusters and their total, notes on what could not be told apart, and the mix."""
    rows = [(cluster_name(row.cluster), *_cells(row)) for row in variance.clusters]
    rows.append(("Total", *_cells(variance)))
    before, after = (_period_text(period, window) for period in (variance.before, variance.after))
    said = (f"  {cluster_name(row.cluster)}: {row.note}" for row in variance.clusters if row.note)
    notes = "".join(f"\n{one_line(line)}" for line in said)
    if variance.mix_per_month is not None and len(variance.clusters) > 1:
        notes += f"\n  Of the volume, {signed(variance.mix_per_month)} is work that went to other clusters"
    headings = ("Cluster", *(CHANGE[key].title for key in CELLS))
    return f"\nWhat changed, {before} to {after} ($ per month)\n" + table(headings, rows) + notes


def _period_text(period: Period, window: Window) -> str:
    """First and last day of a period."""
    first, last = (window.start_s + hour * HOUR_S for hour in (period.first, period.last))
    return f"{date_text(first)} \u2013 {date_text(last - 1)}"
