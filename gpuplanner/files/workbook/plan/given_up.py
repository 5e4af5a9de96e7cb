"""Comparison, what a budget gives up: slices that a plan dropped for good, and the demand that nobody serves for it."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from gpuplanner.domain.commitment.plan.unserved import OVER_BUDGET
from gpuplanner.domain.message import Text
from gpuplanner.domain.reports.plan.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.demand.demand_months import MonthsAhead, means_by_month
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, PairKey, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.checks import Check
from gpuplanner.files.workbook.kit.expressions import Expr, sum_where
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import text_field
from gpuplanner.files.workbook.plan.comparison_inputs import MONTHS, MonthInputs, by_month

SERVED_BY_NOBODY: Final = "Given up for the budget, GPU-h"
ROUNDING_GPU_HOURS: Final = 0.001
"""Less of a workload is in no list of the app."""


def write_given_up(sheet: MonthInputs, hours: HourSheet, months: MonthsAhead) -> list[Check]:
    """Write the table, of a plan that gives something up; what of it is checked against the app."""
    inputs = sheet.inputs
    spans = [
        (place, pair, plan.slicing.below(first - 1), plan.slicing.gpus(first, last))
        for place, pair in enumerate(inputs.pairs)
        if (plan := inputs.pool_plan(pair)) is not None
        for first, last in plan.given_up
    ]
    if not spans:
        return []
    planned = MONTHS[: inputs.assumptions.horizon_months]
    table = sheet.table(
        "As advised: what the plan gives up to keep to its budget, mean GPUs that nobody serves",
        len(spans),
        (
            text_field(PLAN_LAYERS, "pool"),
            text_field(PLAN_LAYERS, "gpu_model"),
            Field("from", "From GPU", "gpus.fixed"),
            Field("gpus", "GPUs", "gpus.fixed"),
            Field("hours", f"GPU-h, {len(planned)} months", "hours"),
            *by_month("m", "mean"),
            Field("number", "Pools row", "count"),
        ),
    )
    for place, (pair_place, pair, low, gpus) in enumerate(spans):
        sheet.names(table, place, pair)
        begins, width = table.put("from", place, low), table.put("gpus", place, gpus)
        means_by_month(hours, table, place, partial(months.left_over, "existing", pair), begins, width)
        total = table.cell(f"m{planned[0]}", place)
        for month in planned[1:]:
            total = total + table.cell(f"m{month}", place)
        table.put("hours", place, total * sheet.named.hours_per_month)
        table.put("number", place, pair_place + 1)
    return [*_by_pair(inputs, table, [pair for _, pair, _, _ in spans]), *_by_month(sheet, table, planned)]


def _by_pair(inputs: Inputs, table: Table, pairs: Sequence[PairKey]) -> list[Check]:
    """GPU-hours of each pool and model, as the app lists them by workload."""
    unserved = inputs.advice.unserved
    checks = []
    for pair in dict.fromkeys(pairs):
        app = sum(one.gpu_hours for one in unserved if (one.pool, one.gpu_model) == pair)
        here = sum_where(table.range("hours"), (table.range("number"), inputs.pairs.index(pair) + 1))
        checks.append(_check(f"{pool_words(pair[0])} {model_words(pair[1])}", app, here))
    return checks


def _by_month(sheet: MonthInputs, table: Table, planned: range) -> list[Check]:
    """GPU-hours of each month, where nothing else is served by nobody."""
    advice = sheet.inputs.advice
    if any(one.reason != OVER_BUDGET for one in advice.unserved):
        return []
    hours = sheet.named.hours_per_month
    return [
        _check(
            f"month {month}",
            advice.comparison[month].unserved_gpu_hours,
            table.range(f"m{month}").sum() * hours,
        )
        for month in planned
    ]


def _check(what: Text, app: float, here: Expr) -> Check:
    """Red where the demand that nobody serves is another than the app's, unless an input was changed."""
    return Check(SERVED_BY_NOBODY, what, app, here, ROUNDING_GPU_HOURS, "total")
