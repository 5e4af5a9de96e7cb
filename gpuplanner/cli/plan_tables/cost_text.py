"""Unit costs, variance and chargeback as text in a terminal."""

from collections.abc import Sequence
from functools import partial

from gpuplanner.cli.audit_tables import titled
from gpuplanner.cli.tables import cluster_name, dollars, report_text, signed
from gpuplanner.cli.terminal import Tables
from gpuplanner.domain.audit.chargeback import Charges
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance, shared_words
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.audit.unit_costs.retraining import retraining_of
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports.changes import CHANGES
from gpuplanner.domain.reports.costs import (
    BUSINESS_COSTS,
    ENDPOINTS,
    EXPERIMENTS,
    MODELS,
    RETRAININGS,
    RUNS,
    report_of,
)
from gpuplanner.files.system.terminal_output import one_line


def cost_tables(costs: UnitCosts, variance: Variance, window: Window) -> Tables:
    """The most expensive runs, models, endpoints and experiments, and what changed between two periods.

    window: that periods are counted in.
    """
    of_a_run = f" ($ of the run; one ends after {costs.run_gap_hours:g} h without GPU time)"
    premium = (
        f"  Consolidation premium at equal terms, $ per month: {dollars(costs.premium.usd_per_month)} = rate premium "
        f"{dollars(costs.premium.rate_usd_per_month)} + idle premium {dollars(costs.premium.idle_usd_per_month)}"
    )
    return (
        ("costs", lambda: titled(RUNS, costs, of_a_run)),
        *(("costs", partial(titled, report, costs)) for report in (MODELS, ENDPOINTS)),
        ("costs", lambda: premium if ENDPOINTS.rows(costs) else ""),
        ("costs", lambda: titled(EXPERIMENTS, costs)),
        ("runs", lambda: titled(RETRAININGS, retraining_of(costs.runs, window))),
        ("changes", lambda: _variance_text(variance, window)),
    )


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
    unit = f"$ in the lookback period; {shared_words(charges.rule)}"
    return f"\n{report.title} ({unit})\n{report_text(report, charges)}{used_up}"


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
