"""The answers to "Why this number?": formula, inputs and rows of each headline figure, taken from the evaluation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.ui import numbers
from gpuplanner.ui.figure_table import Cell, Column, Row
from gpuplanner.ui.headline_figures import stranded_today
from gpuplanner.ui.panels.duration_rows import usage_mean_gpus
from gpuplanner.ui.panels.recommendations import pool_title
from gpuplanner.ui.shown import Shown

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Why:
    """Why a figure is what it is."""

    title: str
    formula: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    remark: str = ""
    inputs: Pairs = ()
    readings_title: str = ""
    readings: Pairs = ()

    def as_text(self) -> str:
        """Everything as plain text, for a mail or a note."""
        lines = [self.title, self.formula, self.note, ""]
        if self.columns:
            lines.append("\t".join(column.title.replace("\n", " ") for column in self.columns))
            lines += ["\t".join(cell.text for cell in row.cells) for row in self.rows]
        lines += [self.remark, "", "Inputs", *(f"{name}\t{value}" for name, value in self.inputs)]
        if self.readings:
            lines += ["", self.readings_title, *(f"{name}\t{value}" for name, value in self.readings)]
        return "\n".join(line for line in lines if line is not None).strip() + "\n"


def why(figure_id: str, shown: Shown) -> Why:
    """The answer for one figure of the headline."""
    return _ANSWERS[figure_id](shown)


def _inputs(shown: Shown) -> Pairs:
    project = shown.evaluation.project
    of_kind: dict[str, list[str]] = {}
    for file in project.intake:
        of_kind.setdefault(file.kind, []).append(file.path.replace("\\", "/").rsplit("/", 1)[-1])

    def named(kind: str) -> str:
        files = of_kind.get(kind, [])
        return files[0] if len(files) == 1 else f"{len(files)} files" if files else ""

    return (
        (numbers.counted(project.jobs.count, "job"), named("jobs")),
        (numbers.counted(len(project.contracts), "contract"), named("contracts")),
        (numbers.counted(len(project.offers), "offer"), named("prices")),
        ("730 hours in a month", f"window {numbers.whole(project.window.hours)} h"),
    )


def _assumed(shown: Shown) -> Pairs:
    project = shown.evaluation.project
    plans = [plan for plan in project.scenarios if plan.name == shown.evaluation.scenario]
    values = project.assumptions_in(plans[0]) if plans else project.assumptions
    return (
        ("Churn", f"{numbers.percent(values.lambda_)} a month"),
        ("Price fall", f"{numbers.percent(values.delta)} a month"),
        ("Volatility", f"{numbers.percent(values.sigma)} a month"),
        ("Growth", f"{numbers.percent(values.growth)} a month"),
        ("Cost of capital", f"{numbers.percent(values.wacc)} a year"),
    )


def _pools(shown: Shown) -> tuple[PoolPlan, ...]:
    return shown.advice.pools if shown.advice else ()


def _money_rows(
    names: list[str], gpus: list[float], values: list[float | None], total: float | None, label: str
) -> tuple[Row, ...]:
    shares = numbers.largest_remainder(values, total if total is not None and None not in values else None)
    rows = [
        Row(
            (
                Cell(name, is_strong=True),
                Cell(numbers.one_decimal(count)),
                Cell(numbers.UNKNOWN if share is None else numbers.whole(share)),
            )
        )
        for name, count, share in zip(names, gpus, shares, strict=True)
    ]
    return (*rows, Row((Cell(label), Cell(numbers.one_decimal(sum(gpus))), Cell(numbers.whole(total))), True))


def _spend(shown: Shown) -> Why:
    advice = shown.advice
    total = advice.totals.plan_usd_per_month if advice else None
    names, gpus, values = [], [], []
    for plan in _pools(shown):
        for layer in plan.layers:
            term = (
                "existing"
                if layer.existing
                else f"{layer.term_months} months"
                if layer.term_months
                else "by use"
            )
            names.append(f"{pool_title(plan)}, {term}")
            gpus.append(
                usage_mean_gpus(layer) if layer.term_months == 0 and not layer.existing else layer.gpus
            )
            values.append(layer.usd_per_month)
    for idle in advice.idle_existing if advice else ():
        if idle.gpus:
            names.append(f"Existing, idle \u00b7 {idle.gpu_model or 'unknown model'}")
            gpus.append(idle.gpus)
            values.append(idle.usd_per_month)
    totals = advice.totals if advice else None
    return Why(
        f"Spend in the plan: {numbers.dollars(total)} per month",
        "Plan = \u03a3 over layers of GPUs \u00d7 rate \u00d7 730 h + existing GPUs that stand idle",
        "GPUs of layers priced by use are a mean over the window's hours.",
        (Column("Layer", False), Column("GPUs"), Column("$ per month")),
        _money_rows(names, gpus, values, total, "The plan"),
        "Hourly means hide spikes within an hour. A rate by use is a blend over the pool's workloads.",
        _inputs(shown),
        "Beside it, $ per month",
        (
            ("Today", numbers.whole(totals.current_usd_per_month if totals else None)),
            ("Doing nothing", numbers.whole(totals.do_nothing_usd_per_month if totals else None)),
            ("All on demand", numbers.whole(totals.on_demand_equivalent_usd_per_month if totals else None)),
        ),
    )


def _savings(shown: Shown) -> Why:
    totals = shown.advice.totals if shown.advice else None
    now = totals.current_usd_per_month if totals else None
    plan = totals.plan_usd_per_month if totals else None
    saved = totals.savings_usd_per_month if totals else None
    parts = (("Today", now), ("Plan", plan))
    rows = [Row((Cell(name, is_strong=True), Cell(numbers.whole(value)))) for name, value in parts]
    percent = totals.savings_percent if totals else None
    beside = totals.savings_vs_do_nothing_usd_per_month if totals else None
    share = numbers.UNKNOWN if percent is None else numbers.percent(percent / 100, 2)
    return Why(
        f"Savings: {numbers.dollars(saved)} per month",
        "Savings = today's spend \u2212 the plan's spend",
        f"{share} of today's spend. Savings hold under the assumptions below, and no others.",
        (Column("", False), Column("$ per month")),
        (*rows, Row((Cell("Savings"), Cell(numbers.whole(saved))), True)),
        f"Against doing nothing, which signs nothing new: {numbers.dollars(beside)} per month.",
        _inputs(shown),
        "Assumptions",
        _assumed(shown),
    )


def _unused(shown: Shown) -> Why:
    advice, audit = shown.advice, shown.evaluation.audit
    total = advice.totals.unused_plan_usd_per_month if advice else None
    audit_usd, metered_usd = stranded_today(shown)
    rows = tuple(
        Row(
            (
                Cell(row.contract_id, is_strong=True),
                Cell(numbers.percent(row.utilization, 2)),
                Cell(numbers.whole(row.unused_usd_per_month)),
            )
        )
        for row in audit.contracts
    )
    foot = Row((Cell("Today"), Cell(), Cell(numbers.whole(audit.unused_now_usd_per_month))), True)
    return Why(
        f"Unused: {numbers.dollars(audit.unused_now_usd_per_month)} now, {numbers.dollars(total)} in the plan, "
        "per month",
        "Unused in the plan = \u03a3 over new layers of $ \u00d7 (1 \u2212 used) + existing GPUs that stand idle",
        "Unused today = what is paid and allocated to no job.",
        (Column("Contract", False), Column("Used"), Column("Unused\n$ per month")),
        (*rows, foot),
        "Stranded looks only at hours in which a cluster ran no training.",
        _inputs(shown),
        "Stranded today, $ per month",
        (("Audit", numbers.whole(audit_usd)), ("Metered", numbers.whole(metered_usd))),
    )


def _utilization(shown: Shown) -> Why:
    audit = shown.evaluation.audit
    rows = tuple(
        Row(
            (
                Cell(row.cluster, is_strong=True),
                Cell(numbers.whole(row.used_gpu_hours)),
                Cell(numbers.whole(row.capacity_gpu_hours)),
                Cell(numbers.percent(row.utilization, 2)),
            )
        )
        for row in audit.clusters
    )
    used = sum(row.used_gpu_hours for row in audit.clusters)
    paid = sum(row.capacity_gpu_hours for row in audit.clusters)
    total = Row(
        (
            Cell("Today"),
            Cell(numbers.whole(used)),
            Cell(numbers.whole(paid)),
            Cell(numbers.percent(audit.effective_utilization_now, 2)),
        ),
        True,
    )
    totals = shown.advice.totals if shown.advice else None
    after = totals.effective_utilization_plan if totals and not shown.is_today else None
    title = f"Utilization today: {numbers.percent(audit.effective_utilization_now)}"
    if not shown.is_today:
        now = numbers.percent(audit.effective_utilization_now)
        title = f"Effective utilization: {now} now, {numbers.percent(after)} in the plan"
    return Why(
        title,
        "Utilization = GPU-hours allocated to jobs \u00f7 GPU-hours paid for",
        "It is allocation. What the GPUs did while allocated is activity, and is shown apart.",
        (Column("Cluster", False), Column("Used\nGPU-h"), Column("Paid\nGPU-h"), Column("Utilization")),
        (*rows, total),
        f"GPU-hours are of the whole window, {numbers.whole(shown.evaluation.project.window.hours)} h.",
        _inputs(shown),
    )


def _lock_in(shown: Shown) -> Why:
    totals = shown.advice.totals if shown.advice else None
    after = totals.lock_in_months if totals else None
    rows = [
        Row(
            (
                Cell(f"{pool_title(plan)}, {layer.term_months} months"),
                Cell(numbers.whole(layer.usd_per_month)),
                Cell(numbers.whole(layer.term_months)),
            )
        )
        for plan in _pools(shown)
        for layer in plan.layers
        if not layer.existing and layer.term_months
    ]
    total = Row(
        (
            Cell("The plan"),
            Cell(numbers.whole(totals.plan_usd_per_month if totals else None)),
            Cell(numbers.one_decimal(after)),
        ),
        True,
    )
    return Why(
        f"Lock-in: {numbers.one_decimal(after)} months",
        "Lock-in = \u03a3 over layers of $ \u00d7 remaining months \u00f7 the plan's $",
        "Existing contracts count with the months they have left; what is priced by use counts with none.",
        (Column("New layer", False), Column("$ per month"), Column("Months")),
        (*rows, total),
        "",
        _inputs(shown),
        "Today",
        (("Lock-in now, months", numbers.one_decimal(shown.evaluation.audit.lock_in_now_months)),),
    )


def _paid(shown: Shown) -> Why:
    project, audit = shown.evaluation.project, shown.evaluation.audit
    months = project.window.hours / HOURS_PER_MONTH
    rows = tuple(
        Row(
            (
                Cell(row.cluster, is_strong=True),
                Cell(numbers.whole(row.capacity_gpu_hours / months)),
                Cell(numbers.whole(row.cost_usd_per_month)),
                Cell(numbers.whole(row.overflow_gpu_hours / months)),
            )
        )
        for row in audit.clusters
    )
    return Why(
        f"Paid: {numbers.dollars(audit.current_usd_per_month)} per month",
        "Paid = 730 \u00f7 window hours \u00d7 (contracts in the window + overflow at the cheapest on-demand rate)",
        "Overflow is demand that no contract had room for.",
        (
            Column("Cluster", False),
            Column("Paid GPU-h\nper month"),
            Column("Contracts\n$ per month"),
            Column("Overflow GPU-h\nper month"),
        ),
        rows,
        "Contracts that ended inside the window count for the hours they ran.",
        _inputs(shown),
    )


def _stranded(shown: Shown) -> Why:
    audit = shown.evaluation.audit
    audit_usd, metered_usd = stranded_today(shown)
    money = numbers.largest_remainder([row.stranded_audit_usd_per_month for row in audit.clusters], audit_usd)
    cost = numbers.largest_remainder([row.cost_usd_per_month for row in audit.clusters])
    rows = [
        Row(
            (
                Cell(row.cluster, is_strong=True),
                Cell(numbers.whole(row.non_training_hours)),
                Cell(numbers.whole(row.non_training_used_gpu_hours)),
                Cell(numbers.whole(row.non_training_capacity_gpu_hours)),
                Cell(numbers.percent(row.non_training_utilization, 2)),
                Cell(numbers.UNKNOWN if paid is None else numbers.whole(paid)),
                Cell(numbers.UNKNOWN if share is None else numbers.whole(share), is_strong=True),
            )
        )
        for row, paid, share in zip(audit.clusters, cost, money, strict=True)
    ]
    known = [row.cost_usd_per_month for row in audit.clusters]
    costs = (
        None if any(value is None for value in known) else sum(value for value in known if value is not None)
    )
    literal = [
        row.non_training_utilization * row.cost_usd_per_month
        for row in audit.clusters
        if row.non_training_utilization is not None and row.cost_usd_per_month is not None
    ]
    total = Row(
        (
            Cell(numbers.counted(len(rows), "cluster")),
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            Cell(numbers.whole(costs)),
            Cell(numbers.whole(audit_usd)),
        ),
        True,
    )
    return Why(
        f"Stranded, audit: {numbers.dollars(audit_usd)} per month",
        "Stranded, audit = \u03a3 over clusters of (1 \u2212 U) \u00d7 cost per month",
        "U = used GPU-h \u00f7 paid GPU-h, in hours in which the cluster ran no training.",
        (
            Column("Cluster", False),
            Column("Hours without\ntraining"),
            Column("Used\nGPU-h"),
            Column("Paid\nGPU-h"),
            Column("U"),
            Column("Cost\n$ per month"),
            Column("Stranded, audit\n$ per month"),
        ),
        (*rows, total),
        f"Used and paid GPU-h are for the window, {numbers.whole(shown.evaluation.project.window.hours)} h. "
        "Dollars are computed before rounding.",
        _inputs(shown),
        "Other readings, $ per month",
        (
            ("Metered: idle in those hours only", numbers.whole(metered_usd)),
            (
                "Literal: U \u00d7 cost",
                numbers.whole(sum(literal) if len(literal) == len(audit.clusters) and literal else None),
            ),
            ("Totals use metered: it adds up to the invoice.", ""),
        ),
    )


def _below_40(shown: Shown) -> Why:
    audit = shown.evaluation.audit
    rows = tuple(
        Row(
            (
                Cell(row.contract_id, is_strong=True),
                Cell(numbers.whole(row.used_gpu_hours)),
                Cell(numbers.whole(row.committed_gpu_hours)),
                Cell(
                    numbers.percent(row.utilization, 2),
                    icon="triangle" if row.below_40_percent else "",
                    icon_role="amber",
                ),
                Cell(numbers.percent(row.break_even_utilization, 2)),
            )
        )
        for row in audit.contracts
    )
    count = sum(row.below_40_percent for row in audit.contracts)
    return Why(
        f"Under 40%: {count} of {numbers.counted(len(audit.contracts), 'contract')}",
        "Flag when 100 \u00d7 used GPU-h < 40 \u00d7 paid GPU-h",
        "Exactly 40% is not flagged. Break-even is the rate paid \u00f7 the cheapest on-demand rate.",
        (
            Column("Contract", False),
            Column("Used\nGPU-h"),
            Column("Paid\nGPU-h"),
            Column("Utilization"),
            Column("Break-even"),
        ),
        rows,
        "",
        _inputs(shown),
    )


def _classes(shown: Shown) -> Why:
    classes = shown.evaluation.audit.classes
    rows = tuple(
        Row(
            (
                Cell(pool.capitalize(), is_strong=True),
                Cell(numbers.whole(share.workloads)),
                Cell(numbers.whole(share.jobs)),
                Cell(numbers.whole(share.gpu_hours)),
                Cell(numbers.percent(share.share, 2)),
            )
        )
        for pool, share in classes.items()
    )
    return Why(
        "GPU-hours by class",
        "Share = GPU-hours of the class \u00f7 all GPU-hours in the window",
        "A class is what a workload is; moving a card changes where it runs, not what it is.",
        (Column("Class", False), Column("Workloads"), Column("Jobs"), Column("GPU-h"), Column("Share")),
        rows,
        "What the planner says wins over a label in the log, then rules, then a score.",
        _inputs(shown),
    )


_ANSWERS: Final[dict[str, Callable[[Shown], Why]]] = {
    "spend": _spend,
    "savings": _savings,
    "unused": _unused,
    "utilization": _utilization,
    "lock_in": _lock_in,
    "paid": _paid,
    "stranded": _stranded,
    "below_40": _below_40,
    "classes": _classes,
}
