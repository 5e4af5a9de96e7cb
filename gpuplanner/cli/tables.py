"""Answers as text a person reads in a terminal: aligned tables, units in the headings."""

import shlex
from collections.abc import Sequence

from gpuplanner.cli.figure_text import (
    cluster_name,
    date_text,
    dollars,
    table,
)
from gpuplanner.cli.hardware_fit import WORKLOADS_SHOWN, fit_lines
from gpuplanner.cli.report_text import report_text
from gpuplanner.cli.use_tables import use_texts
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.audit.use.stranded import why_metered_is_more
from gpuplanner.domain.demand.rule_preview import rule_amounts
from gpuplanner.domain.demand.rule_proposals import rule_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.classes import CLASSES
from gpuplanner.domain.reports.clusters import CLUSTERS
from gpuplanner.domain.reports.contracts import CONTRACTS
from gpuplanner.domain.reports.leaks import LEAKS, leak_list
from gpuplanner.files.system.terminal_text import LINE_AT_MOST, cut, one_line


def intake_text(files: Sequence[FileIntake]) -> str:
    """How the rows of every file ended, and its issues.

    One row for each file; issues below, with the mapping that it was read by.
    """
    rows = [
        (
            file.path,
            f"{file.kind}, {file.format}",
            f"{file.rows_read:,}",
            f"{file.rows_accepted:,}",
            f"{file.rows_rejected:,}",
            f"{file.rows_duplicate:,}",
            f"{file.rows_ignored:,}",
        )
        for file in files
    ]
    parts = [table(("File", "What", "Rows", "Accepted", "Rejected", "Duplicate", "Ignored"), rows, left=2)]
    for file in files:
        parts += [
            one_line(f"  {file.path}: {issue.code} ({issue.count:,}): {issue.message}")
            for issue in file.issues
        ]
        mapping = dict(file.facts).get("mapping")
        if isinstance(mapping, str) and file.kind != "unknown":  # there the issue has it
            parts.append(one_line(f"  {file.path}: --map {shlex.quote(mapping)}"))
    return "\n".join(parts)


def demand_text(project: Project) -> str:
    """The window and what was asked of the GPUs in it.

    Days are those of UTC.
    """
    jobs, window = project.jobs, project.window
    return "\n".join(
        (
            f"Window     {date_text(window.start_s)} to {date_text(window.end_s - 1)}, {window.hours:,} h, UTC",
            f"Jobs       {jobs.count:,}, of them {jobs.gpu_jobs:,} with GPUs",
            f"Demand     {_gpu_hours(jobs.gpu_hours)} GPU-hours, peak {jobs.peak_milli_gpus / 1000:,.9g} GPUs",
            f"Workloads  {len(project.workloads):,}",
        )
    )


def _gpu_hours(amount: float) -> str:
    """Whole from a thousand on; the hours of a few jobs are less than one."""
    return f"{amount:,.0f}" if amount >= 1000 else f"{amount:,.4f}"


def audit_text(evaluation: Evaluation) -> str:
    """The quarter's audit: classes, clusters, contracts, leaks, checks.

    Money is $ a month of 730 h unless a heading says otherwise.
    """
    audit = evaluation.audit
    above = [
        one_line(f"  {cluster_name(row.cluster)}: {why}")
        for row in audit.clusters
        if (why := why_metered_is_more(row.stranded_metered, row.stranded_audit))
    ]
    parts = [
        demand_text(evaluation.project),
        f"\n{CLASSES.title}\n" + report_text(CLASSES, audit),
        rules_text(evaluation),
        "\nClusters ($ per month; * under 40%)\n" + report_text(CLUSTERS, audit),
        *above,
        "\nContracts (* under 40%)\n" + report_text(CONTRACTS, audit)
        if audit.contracts
        else "\nContracts\n  None were given, so nothing is known of what is paid for: "
        "utilization, spend and what stands idle are unknown. Give --contracts FILE.",
    ]
    parts += use_texts(audit)
    if audit.leaks:
        leaks = leak_list(evaluation.project, audit, evaluation.scenario)
        parts.append(f"\n{LEAKS.title}\n" + report_text(LEAKS, leaks))
    parts += [fit_text(evaluation), checks_text(evaluation.checks)]
    return "\n".join(part for part in parts if part)


def rules_text(evaluation: Evaluation) -> str:
    """The planner's own class rules in the order in which they decide, with what each decides; empty without any."""
    project, workloads = evaluation.project, evaluation.audit.workloads
    if not project.rules:
        return ""
    amounts = rule_amounts(
        project,
        [row.classification for row in workloads],
        {row.key: row.usd_per_month for row in workloads},
    )
    rows = [
        (
            rule_words(rule),
            f"{amount.matched:,}",
            f"{amount.workloads:,}",
            f"{amount.gpu_hours_per_month:,.0f}",
            dollars(amount.usd_per_month),
        )
        for rule, amount in zip(project.rules, amounts, strict=True)
    ]
    heads = ("Rule", "Matches", "Decides", "GPU-h per month", "$ per month")
    return "\nClass rules of your own (the first that matches decides)\n" + table(heads, rows)


def fit_text(evaluation: Evaluation) -> str:
    """Workloads whose hardware is red or amber today, with the reasons.

    At most WORKLOADS_SHOWN, red before amber.
    """
    rows = fit_lines(evaluation)
    fitting = sum(fit.light is not None for fit in evaluation.fit or ()) - len(rows)
    if not rows:
        return f"\nHardware fit: all {fitting:,} workloads fit" if fitting else ""
    shown = [(name, pool, light, usd, why) for name, pool, light, why, usd in rows[:WORKLOADS_SHOWN]]
    more = len(rows) - len(shown)
    heading = f"\nHardware fit today ({fitting:,} more fit" + (f", {more:,} more do not)" if more else ")")
    return f"{heading}\n" + table(("Workload", "Class", "Light", "$ per month", "Why"), shown, left=3)


def checks_text(checks: Sequence[Check]) -> str:
    """Checks, the worst first.

    Empty without any. Lines are cut to LINE_AT_MOST.
    """
    order = {"red": 0, "amber": 1, "info": 2}
    lines = [
        cut(
            "  "
            + ": ".join(
                str(one) for one in (f"{check.severity:5}  {check.code}", check.subject, check.message) if one
            ),
            LINE_AT_MOST,
        )
        for check in sorted(checks, key=lambda check: (order[check.severity], check.code, check.subject))
    ]
    return "\nChecks\n" + "\n".join(lines) if lines else ""
