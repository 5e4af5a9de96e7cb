"""Answers as text a person reads in a terminal: aligned tables, units in the headings."""

import shlex
from collections.abc import Sequence
from typing import Final

from gpuplanner.cli.documents import Document, offers_of
from gpuplanner.cli.figure_text import (
    UNKNOWN,
    cluster_name,
    date_text,
    dollars,
    gpu_hours_column,
    percent,
    table,
)
from gpuplanner.cli.hardware_fit import WORKLOADS_SHOWN, fit_lines
from gpuplanner.cli.terminal_text import LINE_AT_MOST, cut, one_line
from gpuplanner.cli.use_tables import use_texts
from gpuplanner.domain.audit.leak_words import LEAK_KINDS
from gpuplanner.domain.audit.leaks import dearest_first
from gpuplanner.domain.audit.result import Audit, Check
from gpuplanner.domain.audit.stranded import why_metered_is_more
from gpuplanner.domain.commitment.level_values import cost_of_levels, values_of_row
from gpuplanner.domain.commitment.level_words import cost_of_levels_sentences
from gpuplanner.domain.commitment.price_sensitivity import CasePlan
from gpuplanner.domain.commitment.verdict_words import VERDICTS, change_words
from gpuplanner.domain.commitment.whole_dollars import idle_dollars, layer_dollars, layer_key, order_dollars
from gpuplanner.domain.demand.rule_preview import rule_amounts
from gpuplanner.domain.demand.rule_proposals import rule_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import TODAY

ORDER_REASONS: Final = {"contract_end": "contract ends", "lead_time": "lead time"}
"""What the JSON calls it -> the words of the window; the others are words already."""


def intake_text(files: Sequence[FileIntake]) -> str:
    """How the rows of every file ended, and its issues."""
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
    """The window and what was asked of the GPUs in it."""
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
    """The quarter's audit: classes, clusters, contracts, leaks, checks."""
    audit = evaluation.audit
    found = [(pool, row) for pool in POOLS if (row := audit.classes.get(pool))]
    of_classes = gpu_hours_column([row.gpu_hours for _, row in found])[:-1]
    used = gpu_hours_column([row.used_gpu_hours for row in audit.clusters])
    paid = gpu_hours_column([row.capacity_gpu_hours for row in audit.clusters])
    classes = [
        (
            pool.value.capitalize(),
            f"{row.workloads:,}",
            f"{row.jobs:,}",
            hours,
            percent(row.share),
        )
        for (pool, row), hours in zip(found, of_classes, strict=True)
    ]
    money = [
        largest_remainder([getattr(row, name) for row in audit.clusters])
        for name in ("cost_usd_per_month", "stranded_audit_usd_per_month", "stranded_metered_usd_per_month")
    ]
    clusters = [
        (
            cluster_name(row.cluster),
            used[at],
            paid[at],
            percent(row.utilization) + (" *" if row.below_40_percent else ""),
            percent(row.non_training_utilization),
            *(dollars(column[at]) for column in money),
        )
        for at, row in enumerate(audit.clusters)
    ]
    if len(clusters) > 1:
        sums = [known_sum(column) for column in money]
        share = percent(audit.effective_utilization_now)
        clusters.append(("Total", used[-1], paid[-1], share, "", *map(dollars, sums)))
    above = [
        f"  {cluster_name(row.cluster)}: {why}"
        for row in audit.clusters
        if (why := why_metered_is_more(row.stranded_metered_usd_per_month, row.stranded_audit_usd_per_month))
    ]
    contracts = [
        (
            row.contract_id,
            cluster_name(row.cluster),
            f"{row.gpus:,.9g}",
            percent(row.utilization) + (" *" if row.below_40_percent else ""),
            percent(row.break_even_utilization),
            dollars(row.unused_usd_per_month),
        )
        for row in audit.contracts
    ]
    parts = [
        demand_text(evaluation.project),
        "\nClasses\n" + table(("Class", "Workloads", "Jobs", "GPU-h in window", "Share"), classes),
        rules_text(evaluation),
        "\nClusters ($ per month; * under 40%)\n"
        + table(
            (
                "Cluster",
                "Used GPU-h",
                "Paid GPU-h",
                "Utilization",
                "In hours without training",
                "Cost",
                "Stranded, audit",
                "Stranded, metered",
            ),
            clusters,
        ),
        *above,
        "\nContracts (* under 40%)\n"
        + table(
            ("Contract", "Cluster", "GPUs", "Utilization", "Break-even", "Unused $ per month"),
            contracts,
            left=2,
        ),
    ]
    parts += use_texts(audit)
    parts.append(leaks_text(evaluation))
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


def leaks_text(evaluation: Evaluation) -> str:
    """Leaks, dearest first; beside each what it counts in the total, and what the plan decided. Empty without any."""
    audit = evaluation.audit
    if not audit.leaks:
        return ""
    plan = None if evaluation.scenario == TODAY else evaluation.project.scenario(evaluation.scenario)
    decided = {one.leak_id: one.status.value for one in plan.leak_decisions} if plan else {}
    rows = [
        (
            LEAK_KINDS[leak.code].title,
            leak.subject.removeprefix(": "),
            f"{leak.gpu_hours:,.0f}",
            dollars(leak.usd_per_month),
            f"{leak.counted_gpu_hours:,.0f}",
            dollars(leak.counted_usd_per_month),
            decided.get(leak.leak_id, ""),
        )
        for leak in dearest_first(audit.leaks)
    ]
    total = (
        "Total",
        "each GPU-hour once",
        "",
        "",
        f"{audit.leaks_gpu_hours:,.0f}",
        dollars(audit.leaks_usd_per_month),
        "",
    )
    heads = (
        "Leak",
        "Where",
        "GPU-h in window",
        "$ per month",
        "Counted GPU-h",
        "Counted $ per month",
        "Decided",
    )
    return "\nLeaks\n" + table(heads, [*rows, total], left=2)


def fit_text(evaluation: Evaluation) -> str:
    """Workloads whose hardware is red or amber today, with the reasons."""
    rows = fit_lines(evaluation)
    fitting = sum(fit.light is not None for fit in evaluation.fit or ()) - len(rows)
    if not rows:
        return f"\nHardware fit: all {fitting:,} workloads fit" if fitting else ""
    shown = [(name, pool, light, usd, why) for name, pool, light, why, usd in rows[:WORKLOADS_SHOWN]]
    more = len(rows) - len(shown)
    heading = f"\nHardware fit today ({fitting:,} more fit" + (f", {more:,} more do not)" if more else ")")
    return f"{heading}\n" + table(("Workload", "Class", "Light", "$ per month", "Why"), shown, left=3)


def checks_text(checks: Sequence[Check]) -> str:
    """Checks, the worst first."""
    order = {"red": 0, "amber": 1, "info": 2}
    lines = [
        cut(
            "  "
            + ": ".join(filter(None, (f"{check.severity:5}  {check.code}", check.subject, check.message))),
            LINE_AT_MOST,
        )
        for check in sorted(checks, key=lambda check: (order[check.severity], check.code, check.subject))
    ]
    return "\nChecks\n" + "\n".join(lines) if lines else ""


def plan_text(evaluation: Evaluation, document: Document) -> str:
    """The plan: totals, layers by pool, verdicts, orders."""
    advice = evaluation.advice
    assert advice is not None
    totals = document["totals"]
    headline = [
        ("Spend today", dollars(totals["current_usd_per_month"])),
        *_spend_parts(evaluation.audit, totals["current_usd_per_month"]),
        ("Doing nothing", dollars(totals["do_nothing_usd_per_month"])),
        ("The plan", dollars(totals["plan_usd_per_month"])),
        ("Savings against today", dollars(totals["savings_usd_per_month"])),
        ("Savings against doing nothing", dollars(totals["savings_vs_do_nothing_usd_per_month"])),
        ("Cost of separation", dollars(totals["cost_of_separation_usd_per_month"])),
        ("All of it on demand", dollars(totals["on_demand_equivalent_usd_per_month"])),
        ("Effective savings rate", percent(totals["effective_savings_rate"])),
    ]
    whole = layer_dollars(advice)
    layers = [
        (
            pool.pool.value.capitalize(),
            pool.gpu_model or UNKNOWN,
            _layer_name(layer.existing, layer.term_months, layer.pricing_category.value),
            f"{layer.mean_gpus:,.1f}",
            _gpus(f"{layer.gpus:,.1f}", pool.gpu_model, layer.offer_gpu_model, layer.offer_gpus),
            percent(layer.utilization),
            UNKNOWN if layer.rate_usd_per_gpu_hour is None else f"{layer.rate_usd_per_gpu_hour:,.2f}",
            dollars(whole[layer_key(pool, layer)]),
        )
        for pool in advice.pools
        for layer in pool.layers
    ]
    layers += [
        (
            "Idle",
            row.gpu_model or UNKNOWN,
            "Existing, unused",
            f"{row.gpus:,.1f}",
            UNKNOWN,
            UNKNOWN,
            UNKNOWN,
            dollars(usd),
        )
        for row, usd in zip(advice.idle_existing, idle_dollars(advice), strict=True)
    ]
    layers.append(("The plan", "", "", "", "", "", "", dollars(totals["plan_usd_per_month"])))
    contracts = {contract.contract_id: contract for contract in evaluation.project.contracts}
    verdicts = [
        (
            row.contract_id,
            VERDICTS.get(row.verdict, row.verdict),
            change_words(row, contracts.get(row.contract_id)) or UNKNOWN,
            date_text(row.order_by_s),
            row.reason,
        )
        for row in advice.verdicts
    ]
    orders = [
        (
            order.offer_id,
            order.pool.value.capitalize(),
            order.gpu_model or UNKNOWN,
            _gpus(f"{order.gpus:,.9g}", order.gpu_model, order.offer_gpu_model, order.offer_gpus),
            order.term_months,
            date_text(order.start_s),
            date_text(order.order_by_s),
            ORDER_REASONS.get(order.reason, order.reason),
            dollars(order_dollars(order, offers_of(evaluation), advice)),
        )
        for order in advice.orders
    ]
    parts = [
        audit_text(evaluation),
        _plan_from_text(evaluation.project)
        + "\nThe plan ($ per month)\n"
        + table(("", "$ per month"), headline),
        "\nLayers\n"
        + table(
            ("Pool", "GPU", "Term", "GPUs, mean", "GPUs, peak", "Used", "$ per GPU-h", "$ per month"),
            layers,
            left=3,
        ),
        _by_hand_text(evaluation),
    ]
    if verdicts:
        parts.append(
            "\nContracts\n"
            + table(("Contract", "Verdict", "GPUs, term", "Order by", "Why"), verdicts, left=3)
        )
    if orders:
        parts.append(
            "\nOrders\n"
            + table(
                ("Offer", "Pool", "GPU", "GPUs", "Months", "Start", "Order by", "Reason", "$ per month"),
                orders,
                left=3,
            )
        )
    return "\n".join(part for part in parts if part)


def _plan_from_text(project: Project) -> str:
    """The day that was chosen for the plan to begin; empty where that is the end of the window."""
    begins = project.plan_window
    return "" if begins is project.window else f"\nPlan from  {date_text(begins.end_s)}, UTC\n"


def _by_hand_text(evaluation: Evaluation) -> str:
    """What levels set by hand cost beside the advice, row by row; empty where none are."""
    advice, outlook = evaluation.advice, evaluation.outlook
    lines = []
    for pool in advice.pools if advice and outlook else ():
        values = values_of_row(pool, outlook.level_values) if outlook and pool.set_by_hand else None
        cost = None if values is None else cost_of_levels(pool, values)
        if values is not None and cost is not None:
            name = f"{pool.pool.capitalize()} {pool.gpu_model or 'unknown model'}"
            lines += [f"  {name}: {line}" for line in cost_of_levels_sentences(cost, values)]
    return "\nLevels set by you\n" + "\n".join(lines) if lines else ""


def _spend_parts(audit: Audit, spend: float | None) -> list[tuple[str, str]]:
    """What the clusters cost and what overflowed, as the window writes them: both add up to the spend."""
    paid = known_sum(largest_remainder([row.cost_usd_per_month for row in audit.clusters]))
    over = None if paid is None or spend is None else round(spend) - paid
    return [("  paid for contracts", dollars(paid)), ("  overflow, at on-demand rates", dollars(over))]


def price_sensitivity_text(cases: Sequence[CasePlan]) -> str:
    """The plan at low, mid and high rates, and the layers that change with them."""
    rows = [
        (
            one.case.value,
            dollars(one.plan_usd_per_month),
            dollars(one.do_nothing_usd_per_month),
            dollars(one.savings_vs_do_nothing_usd_per_month),
            f"{one.at_mid:,} of {one.priced_offers:,}",
        )
        for one in cases
    ]
    heads = ("Rates", "Plan, $ per month", "Do nothing", "Saved against it", "Offers at their mid rate")
    lines = ["Low, mid and high rates", table(heads, rows)]
    for one in cases:
        for row in one.changed_layers:
            term = f"{row.term_months} month{'s' * (row.term_months != 1)}"
            name = f"{row.pool} {row.gpu_model or 'unknown model'}, {term}"
            lines.append(one_line(f"  {one.case}: {name}: {row.gpus:g} GPUs, not {row.gpus_mid:g}"))
    return "\n".join(lines)


def _gpus(of_row: str, gpu_model: str | None, offer_model: str | None, offer_gpus: float | None) -> str:
    """GPUs of a row's model; where another model serves them, also how many of it: `9.0 = 5 H200`."""
    if offer_gpus is None or offer_model is None or gpu_model in (None, offer_model):
        return of_row
    return f"{of_row} = {round(offer_gpus, 1):,.9g} {offer_model}"


def _layer_name(existing: bool, term_months: int | None, category: str) -> str:
    if existing:
        return "Existing contracts"
    if term_months:
        return f"{term_months} month{'s' if term_months > 1 else ''}"
    return {"STANDARD": "On demand", "DYNAMIC": "Spot", "MIXED": "On demand and spot"}.get(category, category)
