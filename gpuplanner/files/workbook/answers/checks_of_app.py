"""Checks against the app: totals, months and leaks as it has them, beside what the book works out."""

from gpuplanner.files.workbook.answers.summary.figures import FIGURES
from gpuplanner.files.workbook.answers.summary.summary_sheet import Summary
from gpuplanner.files.workbook.demand.leaks_sheet import LeakCells
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison


def totals(summary: Summary) -> list[Check]:
    """Every figure of the Summary as in the app."""
    checks = []
    for figure in FIGURES:
        app = summary.app[figure.key]
        tolerance = CENT if figure.style in ("usd", "change") else 1e-6
        checks.append(
            Check(
                "Total as in the app",
                figure.title,
                DASH if app is None else app,
                summary.worked_out[figure.key],
                tolerance,
                "total",
            )
        )
    return checks


def months(inputs: Inputs, comparison: Comparison, summary: Summary) -> list[Check]:
    """Each month as in the app, and that month 0 is the Summary's, where it is known once contracts were changed."""
    checks = []
    for month, row in enumerate(inputs.advice.comparison):
        for key, what, app in (
            ("nothing", "Do nothing", row.do_nothing_usd),
            ("plan", "Plan as advised", row.plan_usd),
        ):
            here = comparison.table.cell(key, month)
            said = DASH if app is None else app
            checks.append(
                Check("Month as in the app", f"{what}, month {month}, $", said, here, CENT, "total")
            )
    firsts = (("nothing", "do_nothing_usd_per_month"), ("held", "plan_usd_per_month"))
    for key, figure in firsts:
        here, total = comparison.table.cell(key, 0), summary.worked_out[figure]
        shown = Expr(f"IF(ISNUMBER({here.text}),{here.text},{total.text})", here.value, True)
        checks.append(Check("Month 0 is the Summary's", f"{figure}, $", total, shown, CENT))
    return checks


def leaks_total(inputs: Inputs, leaks: LeakCells) -> list[Check]:
    """The list's total as the app has it, and that each leak counts no more than it is."""
    audit = inputs.audit
    usd = DASH if audit.leaks_total.counted_per_month is None else audit.leaks_total.counted_per_month
    hours, counted = leaks.leaks.range("gpu_hours"), leaks.leaks.range("counted_gpu_hours")
    over = float((counted.numbers() > hours.numbers() + 1e-6).sum())
    none_over = call("SUMPRODUCT", over, f"--({counted.text}>{hours.text}+0.000001)")
    return [
        Check(
            "Total as in the app",
            "Leaks, each GPU-hour once, GPU-h",
            audit.leaks_total.counted_gpu_hours,
            leaks.total_gpu_hours,
            1e-5,
            "total",
        ),
        Check(
            "Total as in the app",
            "Leaks, each GPU-hour once, $ per month",
            usd,
            leaks.total_usd,
            CENT,
            "total",
        ),
        Check("Leaks that count more than they are", "all leaks", 0.0, none_over, 0),
    ]
