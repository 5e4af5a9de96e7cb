"""Answers as text a person reads in a terminal: aligned tables, units in the headings."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.cli.text_tables import cluster_name, dollars, percent, report_text, signed, table
from gpuplanner.domain.audit.money.bridge import StrandedBridge
from gpuplanner.domain.audit.result import Audit, Check, ClusterAudit
from gpuplanner.domain.audit.use.hours_of_week import HoursOfWeek
from gpuplanner.domain.audit.use.stranded import why_metered_is_more
from gpuplanner.domain.audit.use.use_by import MODELS, TEAMS
from gpuplanner.domain.demand.rule_preview import rule_amounts
from gpuplanner.domain.demand.rule_proposals import rule_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.writing import ENGLISH, UNKNOWN, day
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.book.exchange import exchange_words
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.weekdays import DAYS
from gpuplanner.domain.model.window import DAY_S, Window, has_calendar
from gpuplanner.domain.reports.classes import CLASSES
from gpuplanner.domain.reports.clusters import BRIDGE, CLUSTERS
from gpuplanner.domain.reports.contracts import CONTRACTS
from gpuplanner.domain.reports.energy import ENERGY_OF_CONTRACTS
from gpuplanner.domain.reports.leaks import LEAKS, leak_list
from gpuplanner.domain.reports.use import USES
from gpuplanner.files.system.terminal_text import LINE_AT_MOST, cut, one_line

WORKLOADS_SHOWN: Final = 20
SUBJECTS_SHOWN: Final = 3
USE_TITLES: Final = {MODELS: "GPU models (* under 40%)", TEAMS: "Teams"}
PAID, SERVED, METERED, AUDIT = "cost_per_month", "allocated_per_month", "stranded_metered", "stranded_audit"


def intake_text(files: Sequence[FileIntake]) -> str:
    """How the rows of every file ended, and its issues.

    One row for each file; issues below, with the mapping that it was read by.
    """
    rows = [
        (
            file.path,
            ", ".join(filter(None, (file.kind, file.format))),
            ENGLISH.whole(file.rows_read),
            ENGLISH.whole(file.rows_accepted),
            ENGLISH.whole(file.rows_rejected),
            ENGLISH.whole(file.rows_duplicate),
            ENGLISH.whole(file.rows_ignored),
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
    """The window, what was asked of the GPUs in it, and the rates of exchange that amounts count at.

    Days are those of UTC.
    """
    jobs, window = project.jobs, project.window
    exchange = (f"Exchange   {exchange_words(project.exchange)}",) if project.exchange else ()
    return "\n".join(
        (
            f"Window     {_window_words(window)}",
            f"Jobs       {jobs.count:,}, of them {jobs.gpu_jobs:,} with GPUs",
            f"Demand     {_gpu_hours(jobs.gpu_hours)} GPU-hours, peak {jobs.peak_milli_gpus / 1000:,.9g} GPUs",
            f"Workloads  {len(project.workloads):,}",
            *exchange,
        )
    )


def _window_words(window: Window) -> str:
    """From which day to which, and its hours; a log that counts its time from 0 has days of its own alone."""
    hours = f"{window.hours:,} h"
    if has_calendar(window.start_s):
        return f"{day(window.start_s)} to {day(window.end_s - 1)}, {hours}, UTC"
    first, last = (1 + at_s // DAY_S for at_s in (window.start_s, window.end_s - 1))
    return f"day {first:,} to {last:,} of the log, {hours}; its time is counted from 0, so no day is of the calendar"


def _gpu_hours(amount: float) -> str:
    """Whole from a thousand on; the hours of a few jobs are less than one."""
    return ENGLISH.whole(amount) if amount >= 1000 else ENGLISH.number(amount, 4)


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
        else _no_contracts_text(audit),
    ]
    parts += _use_texts(audit)
    if audit.leaks:
        leaks = leak_list(evaluation.project, audit, evaluation.scenario)
        parts.append(f"\n{LEAKS.title}\n" + report_text(LEAKS, leaks))
    parts.append(energy_text(audit))
    parts += [fit_text(evaluation), checks_text(evaluation.checks)]
    return "\n".join(part for part in parts if part)


def _no_contracts_text(audit: Audit) -> str:
    """What is unknown without contracts, and what the spend is then."""
    at_list = bool(audit.spend)
    return (
        "\nContracts\n  None were given, so nothing is known of what is paid for: utilization"
        f"{'' if at_list else ', spend'} and what stands idle are unknown. "
        f"{'Spend today is all of the demand at on-demand rates. ' if at_list else ''}Give --contracts FILE."
    )


def energy_text(audit: Audit) -> str:
    """What contracts and overflow took, and the largest hour; empty where nothing of it is known."""
    energy = audit.energy
    if energy.peak_kw is None and not any(row.kwh_per_month for row in energy.contracts):
        return ""
    peak = f"  Largest hour: {ENGLISH.one_decimal(energy.peak_kw)} kW"
    return f"\n{ENERGY_OF_CONTRACTS.title}\n{report_text(ENERGY_OF_CONTRACTS, audit)}\n{peak}"


def _use_texts(audit: Audit) -> list[str]:
    """A text for each table; none for what the window does not have.

    In the order in which they are read.
    """
    texts = [_bridges(audit)] if audit.effective_utilization is not None else []
    contended = [
        (
            cluster_name(cluster),
            ENGLISH.whole(found.contention_hours),
            ENGLISH.one_decimal(found.overflow_gpu_hours),
            ENGLISH.whole(found.beside_inference_hours),
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
        (str(name), *_whole_percents(values), percent(None if np.isnan(mean) else float(mean)))
        for name, values, mean in zip(DAYS, week.utilization, week.utilization_by_day, strict=True)
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
            ENGLISH.whole(amount.matched),
            ENGLISH.whole(amount.workloads),
            ENGLISH.whole(amount.gpu_hours_per_month),
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
    rows = _fit_rows(evaluation)
    count = Counter(fit.light for fit in evaluation.fit or ())
    if not rows:
        many = count[Light.GREEN]
        said = f"all {many:,} workloads fit" if many > 1 else "the one workload fits"
        return f"\nHardware fit: {said}" if many else ""
    shown = rows[:WORKLOADS_SHOWN]
    words = {
        Light.RED: "do not fit",
        Light.AMBER: "fit at a cost",
        Light.GREEN: "fit" if count[Light.GREEN] != 1 else "fits",
        None: "unknown",
    }
    heading = ", ".join(f"{count[light]:,} {said}" for light, said in words.items() if count[light])
    left = len(rows) - len(shown)
    more = f"\n  {left:,} more that do not fit, or fit at a cost" if left else ""
    heads = ("Workload", "Class", "Light", "$ per month", "Why")
    return f"\nHardware fit today ({heading})\n" + table(heads, shown, left=3) + more


def _fit_rows(evaluation: Evaluation) -> list[tuple[str, str, str, str, Text]]:
    """Name, class, light, $ a month, what is not green: red before amber, the most expensive first.

    $ are whole, a dash where unknown. Green workloads, and those that nobody can judge, are left out.
    """
    costs = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    names = {workload.key: workload.name for workload in evaluation.project.workloads}
    asking = [(fit.light, fit) for fit in evaluation.fit or () if fit.light]
    asking.sort(key=lambda one: (-one[0], -(costs.get(one[1].key) or 0.0), one[1].key))
    return [
        (names[fit.key], fit.pool.value, light.name.lower(), dollars(costs.get(fit.key)), fit.reasons)
        for light, fit in asking
    ]


def _subjects(names: Sequence[str]) -> str:
    """What a check is of; the first of several that are checked alike, and how many there are."""
    if len(names) <= SUBJECTS_SHOWN:
        return ", ".join(names) + (", each" if len(names) > 1 else "")
    return f"{', '.join(names[:SUBJECTS_SHOWN])} and {len(names) - SUBJECTS_SHOWN:,} more, each"


def checks_text(checks: Sequence[Check]) -> str:
    """Checks, the worst first.

    Empty without any. Lines are cut to LINE_AT_MOST.
    """
    order = {"red": 0, "amber": 1, "info": 2}
    alike: dict[tuple[str, str, str], list[str]] = {}
    for check in sorted(checks, key=lambda check: (order[check.severity], check.code, str(check.subject))):
        alike.setdefault((check.severity, check.code, str(check.message)), []).append(str(check.subject))
    lines = [
        cut(
            "  " + ": ".join(one for one in (f"{severity:5}  {code}", _subjects(subjects), message) if one),
            LINE_AT_MOST,
        )
        for (severity, code, message), subjects in alike.items()
    ]
    return "\nChecks\n" + "\n".join(lines) if lines else ""
