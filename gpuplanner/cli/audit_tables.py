"""The audit as text in a terminal: demand, clusters, use, energy, rules, fit and checks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from gpuplanner.cli.file_results import shown_names
from gpuplanner.cli.tables import cluster_name, dollars, dollars_of, percent, report_text, signed
from gpuplanner.cli.terminal import GRADES, LAYOUT, Tables, table
from gpuplanner.domain.audit.result import Audit, Check, ClusterAudit
from gpuplanner.domain.audit.spend.stranded import StrandedBridge, why_readings_differ
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.use_by import MODELS, TEAMS, HoursOfWeek
from gpuplanner.domain.demand.rule_preview import rule_amounts, rule_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.window import CLASS
from gpuplanner.domain.figures.writing import ENGLISH, UNKNOWN, day
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.book.exchange import exchange_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, DAYS, Window, has_calendar
from gpuplanner.domain.reports.clusters import BRIDGE, CLASSES, CLUSTERS, CONTRACTS, LOGGED_CLUSTERS
from gpuplanner.domain.reports.leaks import LEAKS, leak_list
from gpuplanner.domain.reports.mix import OF_PAST, QUARTER
from gpuplanner.domain.reports.report import Report
from gpuplanner.domain.reports.series import MONTHS, NO_ROWS
from gpuplanner.domain.reports.training import OTHER_HARDWARE, OUT_OF_MEMORY
from gpuplanner.domain.reports.use import ENERGY_OF_CONTRACTS, ENERGY_OF_TEAMS, USES
from gpuplanner.files.system.terminal_output import LINE_AT_MOST, cut, one_line

WORKLOADS_SHOWN: Final = 20
NAME_OF_PAST: Final = {
    "hidden_share": "prices",
    "h100_equivalents": "prices",
    "published": "prices",
    "cluster_classes": "models",
    "hours_of_week_by": "heatmap",
}
"""The tables of --show in which reports about the past are; all others are in `runs`."""
SUBJECTS_SHOWN: Final = 3
USE_TITLES: Final = {MODELS: "GPU models (* under 40%)", TEAMS: "Teams"}
SPEND_PARTS: Final = ("contracts", "overflow")
PAID, SERVED, METERED, AUDIT = "cost_per_month", "allocated_per_month", "stranded_metered", "stranded_audit"


def demand_text(project: Project) -> str:
    """The lookback period, what was asked of the GPUs in it, and the rates of exchange that amounts count at.

    Days are those of UTC.
    """
    jobs, window = project.jobs, project.window
    exchange = (f"Exchange   {exchange_words(project.exchange)}",) if project.exchange else ()
    return "\n".join(
        (
            f"Lookback   {_window_words(window)}",
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
        days = " \u2013 ".join(dict.fromkeys((day(window.start_s), day(window.end_s - 1))))
        return f"{days}, {hours}, UTC"
    first, last = (1 + at_s // DAY_S for at_s in (window.start_s, window.end_s - 1))
    return f"day {first:,} to {last:,} of the log, {hours}; its time is counted from 0, so no day is of the calendar"


def _gpu_hours(amount: float) -> str:
    """Whole from a thousand on; the hours of a few jobs are less than one."""
    return ENGLISH.whole(amount) if amount >= 1000 else ENGLISH.number(amount, 4)


def audit_tables(evaluation: Evaluation) -> Tables:
    """The quarter's audit: demand, classes, clusters, contracts, leaks, hardware, checks.

    Money is $ a month of 730 h unless a heading says otherwise.
    """
    audit, use = evaluation.audit, evaluation.audit.use
    past = past_of(evaluation.project, audit)
    leaks = leak_list(evaluation.project, audit, evaluation.scenario)
    fits = evaluation.fit or ()
    kinds = ((NAME_OF_PAST.get(key, "runs"), report) for key, report in OF_PAST.items())
    return (
        ("demand", lambda: demand_text(evaluation.project)),
        ("classes", lambda: titled(CLASSES, audit)),
        ("classes", lambda: rules_text(evaluation)),
        ("clusters", lambda: _clusters_text(evaluation)),
        ("stranded", lambda: _readings_text(audit)),
        ("contracts", lambda: titled(CONTRACTS, audit, " (* under 40%)") or _no_contracts_text(evaluation)),
        ("stranded", lambda: _bridges(audit)),
        ("contention", lambda: _contended_text(audit)),
        ("models", lambda: _use_text(MODELS, audit)),
        ("teams", lambda: _use_text(TEAMS, audit)),
        ("quarter", lambda: titled(QUARTER, evaluation)),
        ("quarter", lambda: "\n".join(f"  {of.step}. {of.next_action}" for of in QUARTER.rows(evaluation))),
        ("heatmap", lambda: "" if use is None else _week(use.everything.hours_of_week)),
        ("leaks", lambda: titled(LEAKS, leaks)),
        ("energy", lambda: energy_text(audit)),
        *((name, partial(titled, report, past)) for name, report in kinds),
        ("hardware", lambda: fit_text(evaluation)),
        *(("hardware", partial(titled, report, fits)) for report in (OTHER_HARDWARE, OUT_OF_MEMORY)),
        ("checks", lambda: checks_text(evaluation.checks, shown_names(evaluation.project.intake))),
    )


def titled(report: Report, about: Any, beside: str = "") -> str:
    """A report under its title; empty without rows. beside: what stands after the title."""
    return f"\n{report.title}{beside}\n{report_text(report, about)}" if report.rows(about) else ""


def _clusters_text(evaluation: Evaluation) -> str:
    """The clusters and what is paid for them; without contracts what ran on them."""
    audit = evaluation.audit
    if evaluation.project.has_spend:
        return titled(CLUSTERS, audit, " ($ per month; * under 40%)")
    return titled(LOGGED_CLUSTERS, audit)


def _readings_text(audit: Audit) -> str:
    """Why both readings of stranded spend differ, by cluster."""
    return "\n".join(
        one_line(f"  {cluster_name(row.cluster)}: {why}")
        for row in audit.clusters
        if (why := why_readings_differ(row.stranded_metered, row.stranded_audit, row.unallocated_per_month))
    )


def audit_head(evaluation: Evaluation) -> str:
    """The lookback period, what was read of it, and the figures of the audit, each in a line."""
    audit, project = evaluation.audit, evaluation.project
    counts = {
        "GPU job": project.jobs.gpu_jobs,
        "workload": len(project.workloads),
        "cluster": len(audit.clusters),
        "contract": len(audit.contracts),
    }
    figures = _head_figures(audit) if project.has_spend else _head_of_log(evaluation)
    return "\n".join(
        (
            f"Audit of {_window_words(project.window)}",
            " \u00b7 ".join(f"{many:,} {name}{'s' * (many != 1)}" for name, many in counts.items()),
            table(("", "", ""), figures).partition("\n")[2],
        )
    )


def _head_of_log(evaluation: Evaluation) -> Sequence[tuple[Text, str, str]]:
    """Figures of a log without contracts: what ran, and what it costs on demand where prices tell."""
    audit, jobs = evaluation.audit, evaluation.project.jobs
    of_spend = "all demand at on-demand rates" if evaluation.project.offers else "unknown without contracts"
    return (
        (CLASS["gpu_hours"].title, _gpu_hours(jobs.gpu_hours), "GPU-hours of GPU jobs"),
        ("Peak", f"{jobs.peak_milli_gpus / 1000:,.9g}", "GPUs at one time"),
        (titles.SPEND, dollars_of(audit.spend_parts), f"$ per month: {of_spend}"),
    )


def _head_figures(audit: Audit) -> Sequence[tuple[Text, str, str]]:
    """Spend, utilization, idle and stranded cost, and leaks."""
    names = SPEND_PARTS if audit.contracts else ("billed use", *SPEND_PARTS[1:])
    parts = [f"{name} {dollars_of(usd)}" for name, usd in zip(names, audit.whole_spend, strict=True)]
    bridge, unit = audit.bridge, "$ per month"
    used, metered, estimate = (
        CLUSTER[key].title for key in ("utilization", "stranded_metered", "stranded_audit")
    )
    return (
        (titles.SPEND, dollars_of(audit.spend_parts), f"{unit}: {' + '.join(parts)}"),
        (used, percent(audit.effective_utilization), "of paid GPU-hours, allocated to jobs"),
        (titles.IDLE_COST, dollars(audit.unused_per_month), f"{unit}, paid for and allocated to no job"),
        (metered, dollars(bridge.stranded_metered), f"{unit}, in hours without training"),
        (estimate, dollars(bridge.stranded_audit), f"{unit}, idle share of those hours"),
        ("Leaks", dollars(audit.leaks_total.counted_per_month), f"{unit}; no GPU-hour counts twice"),
    )


def series_text(evaluation: Evaluation) -> str:
    """The log month by month, or why there are no months of it."""
    if evaluation.months is None:
        return f"\n{MONTHS.title}\n  {NO_ROWS}"
    return f"\n{MONTHS.title}\n  {MONTHS.note}\n{report_text(MONTHS, evaluation)}"


def _no_contracts_text(evaluation: Evaluation) -> str:
    """What is unknown without contracts, and what the spend is then."""
    if evaluation.project.has_spend:
        return "\nContracts\n  None were given. Bills state what is paid."
    at_list = bool(evaluation.audit.spend)
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
    texts = [f"\n{of.title}\n{report_text(of, audit)}" for of in (ENERGY_OF_TEAMS, ENERGY_OF_CONTRACTS)]
    return "\n".join((*texts, peak))


def _use_text(view: str, audit: Audit) -> str:
    """One view of the use of GPUs under its title; empty where the window has none."""
    if audit.use is None or not getattr(audit.use, view):
        return ""
    return f"\n{USE_TITLES[view]}\n{report_text(USES[view], audit.use)}"


def _contended_text(audit: Audit) -> str:
    """Hours over capacity by cluster; empty without any."""
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
    headings = ("Cluster", "Hours", "GPU-h beyond", "Training beside inference, h", "Training workloads then")
    return f"\n{titles.CONTENDED_HOURS}\n" + table(headings, contended) if contended else ""


def _bridges(audit: Audit) -> str:
    """From the bill to stranded spend, by cluster, their total last; empty where nothing is known to be paid."""
    if audit.effective_utilization is None:
        return ""
    names = [cluster_name(row.cluster) for row in audit.clusters]
    amounts = whole_bridges(audit.clusters, audit.bridge)
    if len(names) > 1:
        names.append("Total")
    paid = [*(row.inputs.paid_parts for row in audit.clusters), audit.paid_parts]
    rows = [
        (name, dollars_of(known) if known.is_at_least else cells[0], *cells[1:])
        for name, known, cells in zip(names, paid, amounts, strict=False)
    ]
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
        project, [row.classification for row in workloads], {row.key: row.usd_per_month for row in workloads}
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


FITS: Final[Mapping[Light | None, str]] = {Light.RED: "no", Light.AMBER: "at a cost", Light.GREEN: "yes"}


def fit_text(evaluation: Evaluation) -> str:
    """Workloads whose hardware is red or amber today, with the reasons.

    At most WORKLOADS_SHOWN, red before amber.
    """
    # name, class, light, $ a month, what is not green: red before amber, the most expensive first
    costs = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    names = {workload.key: workload.name for workload in evaluation.project.workloads}
    asking = [fit for fit in evaluation.fit or () if fit.light]
    asking.sort(key=lambda fit: (-(fit.light or 0), -(costs.get(fit.key) or 0.0), fit.key))
    rows = [
        (names[fit.key], fit.pool.value, FITS[fit.light], dollars(costs.get(fit.key)), fit.reasons)
        for fit in asking
    ]
    count = Counter(fit.light for fit in evaluation.fit or ())
    if not rows:
        many = count[Light.GREEN]
        said = f"all {many:,} workloads fit" if many > 1 else "the one workload fits"
        return f"\nHardware fit: {said}" if many else ""
    shown = rows[: LAYOUT.get().top or WORKLOADS_SHOWN]
    words = {
        Light.RED: "do not fit" if count[Light.RED] != 1 else "does not fit",
        Light.AMBER: f"fit{'s' * (count[Light.AMBER] == 1)} at a cost",
        Light.GREEN: f"fit{'s' * (count[Light.GREEN] == 1)}",
        None: "unknown",
    }
    heading = ", ".join(f"{count[light]:,} {said}" for light, said in words.items() if count[light])
    left = len(rows) - len(shown)
    more = f"\n  {left:,} more that do not fit, or fit at a cost" if left else ""
    heads = ("Workload", "Class", "Fits", "$ per month", "Why")
    return f"\nHardware fit today ({heading})\n" + table(heads, shown, left=3) + more


def _subjects(names: Sequence[str]) -> str:
    """What a check is of; the first of several that are checked alike, and how many there are."""
    shown, left = ", ".join(map(cluster_name, names[:SUBJECTS_SHOWN])), len(names) - SUBJECTS_SHOWN
    more = f"{shown} and {left:,} more" if left > 0 else shown
    return f"{more}, each" if len(names) > 1 else names[0]


def checks_text(checks: Sequence[Check], names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Checks, the worst first. names: of files, by their paths.

    Empty without any. Lines are cut to LINE_AT_MOST.
    """
    order = {"red": 0, "amber": 1, "info": 2}
    alike: dict[tuple[str, str, str], list[str]] = {}
    for check in sorted(
        checks, key=lambda check: (order[check.severity], not check.is_first, check.code, str(check.subject))
    ):
        alike.setdefault((check.severity, check.code, str(check.message)), []).append(
            names.get(str(check.subject), str(check.subject))
        )
    rows = (
        (f"{GRADES[severity].capitalize():7}  {code}", _subjects(subjects), message)
        for (severity, code, message), subjects in alike.items()
    )
    lines = [cut("  " + ": ".join(filter(None, parts)), LINE_AT_MOST) for parts in rows]
    return "\nChecks\n" + "\n".join(lines[: LAYOUT.get().top]) if lines else ""
