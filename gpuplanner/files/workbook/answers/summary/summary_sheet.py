"""Summary: every figure of the plan as a formula over the other sheets, with the assumptions beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME
from gpuplanner.domain.reports.plan.totals import totals_entry
from gpuplanner.files.workbook.answers.beyond_sheets import beyond_sheets
from gpuplanner.files.workbook.answers.summary.charts import CHART_ROWS, write_charts, write_steps
from gpuplanner.files.workbook.answers.summary.figures import FIGURES, FORMULAS, OF_SAVINGS, Sources
from gpuplanner.files.workbook.answers.summary.horizons import write_horizons
from gpuplanner.files.workbook.answers.summary.months import write_months
from gpuplanner.files.workbook.demand.audit_sheet import AuditCells
from gpuplanner.files.workbook.demand.pools_sheet import Pools
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS, Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import written_date
from gpuplanner.files.workbook.kit.checks import Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, copy_of
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field
from gpuplanner.files.workbook.kit.light import LIGHT_ROW
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison

# Summary, its links: beside each figure, the sheet where its parts stand.
EXPLAINED_ON: Final = {
    "current_usd_per_month": "Audit",
    "do_nothing_usd_per_month": "Comparison",
    "on_demand_equivalent_usd_per_month": "Pools",
    "effective_savings_rate": "Pools",
    "effective_utilization_now": "Audit",
    "unused_now_usd_per_month": "Audit",
    "lock_in_now_months": "Contracts",
    "savings_vs_do_nothing_usd_per_month": "Comparison",
}
ELSE: Final = "Commitment"


def write_links(book: Book, table: Table, keys: Sequence[str]) -> None:
    """Fill the column `link` of the figures, which stand in the order of their keys."""
    for place, key in enumerate(keys):
        sheet = EXPLAINED_ON.get(key, ELSE)
        book.sheets[table.sheet].write_url(
            table.first_row + place,
            table.column_of("link"),
            f"internal:'{sheet}'!A1",
            book.style("link"),
            sheet,
        )


SHEET = "Summary"


HEADLINE = (
    ("Plan, $ per month", "plan_usd_per_month", "usd", "current_usd_per_month", "now_usd"),
    (
        PLAN["savings_vs_do_nothing"].title,
        "savings_vs_do_nothing_usd_per_month",
        "change",
        "savings_usd_per_month",
        "today_usd",
    ),
    ("Unused, $ per month", "unused_plan_usd_per_month", "usd", "unused_now_usd_per_month", "now_usd"),
    (
        PLAN["effective_utilization_plan"].title,
        "effective_utilization_plan",
        "ratio",
        "effective_utilization_now",
        "now_ratio",
    ),
    ("Lock-in, months", "lock_in_months", "months", "lock_in_now_months", "now_months"),
)
"""Title, plan and its style, what stands under it and its style."""

HEADLINE_ROW = 5

ASSUMPTIONS_SHOWN = (
    "lambda",
    "delta",
    "sigma",
    "wacc",
    "growth",
    "horizon_months",
    "block",
    "recency_half_life_days",
)

CLUSTER_FIELDS = (
    Field("cluster", "Cluster"),
    *(
        figure_field(CLUSTER[key])
        for key in (
            "utilization",
            "cost_per_month",
            "unallocated_per_month",
            "stranded_audit",
            "stranded_metered",
        )
    ),
)

POOL_FIELDS = (
    Field("pool", "Pool"),
    Field("gpu_model", "GPU model"),
    Field("gpu_hours", "GPU-h in the window", "hours"),
    Field("mean", titles.MEAN_GPUS, "mean"),
    Field("existing_usd", "Existing, $ per month", "usd"),
    Field("committed_gpus", "New commitments, GPUs", "gpus"),
    Field("committed_usd", "New commitments, $ per month", "usd"),
    Field("usage_usd", "Paid by use, $ per month", "usd"),
    Field("usd", "Plan, $ per month", "usd"),
)


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures as cells, by their JSON names, and what the app says of each (None: unknown); with its checks."""

    cells: Mapping[str, Expr]
    worked_out: Mapping[str, Expr]
    app: Mapping[str, float | None]
    checks: Sequence[Check]


def app_totals(inputs: Inputs) -> dict[str, float | None]:
    """The app's totals by JSON name; the cost of separation comes from the outlook."""
    totals = totals_entry(inputs.advice.totals)
    found = {figure.key: totals[figure.key] for figure in FIGURES}
    outlook = inputs.evaluation.outlook
    if outlook is not None:
        found["cost_of_separation_usd_per_month"] = outlook.cost_of_separation_usd_per_month
    return found


def write_summary(
    book: Book,
    inputs: Inputs,
    named: Named,
    audit: AuditCells,
    pools: Pools,
    commitment: Commitment,
    comparison: Comparison,
    generated_at_s: int,
) -> Summary:
    """Write the sheet but its light, which stands on Checks (see `write_light`)."""
    window = inputs.project.window
    title = inputs.project.title or "GPU capacity plan"
    book.title(
        SHEET,
        f"{title}: {inputs.scenario.name}",
        (
            f"Window {written_date(window.start_s)} – {written_date(window.end_s - 1)} (UTC), "
            f"{window.hours:,} hours. {_begins(inputs)}Written {written_date(generated_at_s)}."
        ),
        (
            "Every figure is a formula: change a yellow cell on Contracts, Prices, Commitment or "
            "Assumptions and it follows. Cells hold cents: a row may differ by $1 from the app's, whose rows "
            "are rounded to add up; totals never do." + beyond_sheets(inputs)
        ),
    )
    fields = (
        Field("title", "Figure", width=34),
        Field("value", "Value", "number", 18),
        Field("unit", "Unit", "muted", 18),
        Field("link", "Explained on", "muted", 18),
        Field("how", "What it is", "muted", 18),
    )
    table = Table(book, SHEET, HEADLINE_ROW + 4, len(FIGURES), fields)
    sheet = book.sheets[SHEET]
    for column, width in enumerate((34, 22, *[18] * 7)):
        sheet.set_column(column, column, width)
    app = app_totals(inputs)
    cells: dict[str, Expr] = {}
    sources = Sources(named, audit, pools.table, commitment, cells, inputs.serves_less)
    for place, figure in enumerate(FIGURES):
        formula = FORMULAS[figure.key](sources)
        said = app[figure.key]
        headline = figure.key in (
            "current_usd_per_month",
            "plan_usd_per_month",
            "savings_vs_do_nothing_usd_per_month",
        )
        table.put("title", place, figure.title, "strong" if headline else "text")
        style = f"{figure.style}.strong" if headline else figure.style
        cached = Expr(formula.text, DASH if said is None else said, formula.is_atom)
        shown = table.put("value", place, cached, style)
        book.name(figure.key, shown)
        cells[figure.key] = Expr(shown.text, formula.value, True)
        table.put("unit", place, figure.unit)
        is_unknown = inputs.serves_less and figure.key in OF_SAVINGS
        table.put("how", place, SERVES_LESS if is_unknown else figure.how)
    shown_cells = {figure.key: table.cell("value", place) for place, figure in enumerate(FIGURES)}
    months_row, checks = write_horizons(book, SHEET, inputs, shown_cells, comparison, table.end_row + 1)
    charts_row = write_months(book, SHEET, comparison, months_row, inputs.serves_less)
    next_row = _clusters(book, audit, charts_row + CHART_ROWS + 2)
    next_row = _pools(book, pools, commitment, inputs, next_row)
    steps_row = _assumptions(book, named, next_row)
    sheet.freeze_panes(LIGHT_ROW + 1, 0)
    _headline(book, shown_cells)
    if inputs.serves_less:
        book.write(SHEET, HEADLINE_ROW + 3, 0, SERVES_LESS, "note")
    write_links(book, table, [figure.key for figure in FIGURES])
    steps = write_steps(book, named, audit, commitment, shown_cells, steps_row)
    write_charts(book, steps, comparison, charts_row)
    return Summary(shown_cells, cells, app, checks)


def _headline(book: Book, cells: Mapping[str, Expr]) -> None:
    """Five figures of the plan, each above what it is now."""
    sheet = book.sheets[SHEET]
    sheet.set_row(HEADLINE_ROW + 1, 26)
    for place, (title, plan, style, now, now_style) in enumerate(HEADLINE):
        book.write(SHEET, HEADLINE_ROW, place, title, "muted")
        book.write(SHEET, HEADLINE_ROW + 1, place, copy_of(cells[plan]), f"{style}.figure")
        book.write(SHEET, HEADLINE_ROW + 2, place, copy_of(cells[now]), f"{now_style}.now")


def _clusters(book: Book, audit: AuditCells, row: int) -> int:
    """Copies each cluster's figures from Audit; the answer is the row below."""
    book.write(SHEET, row, 0, "Clusters today", "section")
    source = audit.clusters
    table = Table(book, SHEET, row + 1, source.size, CLUSTER_FIELDS)
    for place in range(source.size):
        for field in CLUSTER_FIELDS:
            cell = source.cell(field.key, place)
            table.put(field.key, place, copy_of(cell))
    return table.end_row + 1


def _pools(book: Book, pools: Pools, commitment: Commitment, inputs: Inputs, row: int) -> int:
    """Copies each pool's figures from Pools, with idle contracts and the whole below.

    The answer is the row below.
    """
    book.write(SHEET, row, 0, "Pools in the plan", "section")
    source = pools.table
    table = Table(book, SHEET, row + 1, source.size, POOL_FIELDS)
    for place, (pool, model) in enumerate(inputs.pairs):
        table.put("pool", place, pool_words(pool), f"pool_{pool}")
        table.put("gpu_model", place, model_words(model))
        for field in POOL_FIELDS[2:]:
            cell = source.cell(field.key, place)
            table.put(field.key, place, copy_of(cell))
    idle, plan = commitment.total("idle_usd"), commitment.total("plan_usd")
    column = table.column_of("usd")
    for place, (words, cell, style) in enumerate(
        (("Existing contracts, idle", idle, "text"), ("Plan", plan, "total"))
    ):
        row = table.end_row + place
        book.write(SHEET, row, 0, words, style)
        for between in range(1, column):
            book.write(SHEET, row, between, "", style)
        book.write(SHEET, row, column, copy_of(cell), "usd" if style == "text" else f"usd.{style}")
    return table.end_row + 3


def _begins(inputs: Inputs) -> str:
    """The day that was chosen for the plan to begin; nothing where that is the end of the window."""
    begins = inputs.project.plan_window
    return "" if begins is inputs.project.window else f"The plan begins {written_date(begins.end_s)}. "


def _assumptions(book: Book, named: Named, row: int) -> int:
    """Copies the assumptions that savings rest on; the answer is the row below."""
    book.write(SHEET, row, 0, "Assumptions behind the savings", "section")
    fields = (Field("title", "Assumption"), Field("value", "Value", "number"), Field("unit", "Unit", "muted"))
    table = Table(book, SHEET, row + 1, len(ASSUMPTIONS_SHOWN), fields)
    for place, name in enumerate(ASSUMPTIONS_SHOWN):
        spec, cell = SPEC_BY_NAME[name], named.assumptions[name]
        table.put("title", place, spec.title)
        table.put("value", place, copy_of(cell), "ratio" if spec.kind == "ratio" else "number")
        table.put("unit", place, spec.unit)
    return table.end_row + 1
