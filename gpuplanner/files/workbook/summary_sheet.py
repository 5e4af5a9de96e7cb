"""Summary: every figure of the plan as a formula over the other sheets, with the assumptions beside it."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.files.workbook.assumptions_sheet import Named
from gpuplanner.files.workbook.audit_sheet import AuditCells
from gpuplanner.files.workbook.book import Book, Field, Table, written_date
from gpuplanner.files.workbook.commitment_sheet import Commitment
from gpuplanner.files.workbook.expressions import DASH, Expr, known, when
from gpuplanner.files.workbook.inputs import Inputs, model_words
from gpuplanner.files.workbook.looks import AMBER, GREEN, RED
from gpuplanner.files.workbook.pools_sheet import Pools

SHEET = "Summary"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the Summary. key: its name in the JSON and as a name in the book."""

    key: str
    title: str
    unit: str
    style: str
    how: str


FIGURES = (
    Figure("current_usd_per_month", "Spend now", "$ per month", "usd", "Paid in the window and its overflow on demand, as a month"),
    Figure("do_nothing_usd_per_month", "Next month, with nothing signed", "$ per month", "usd", "Contracts that run on, and what they leave over on demand"),
    Figure("plan_usd_per_month", "Plan", "$ per month", "usd", "All layers and the existing contracts that stand idle"),
    Figure("savings_usd_per_month", "Savings: now less plan", "$ per month", "change", "Under the assumptions below"),
    Figure("savings_percent", "Savings, share of spend now", "%", "percent", "Under the assumptions below"),
    Figure("savings_vs_do_nothing_usd_per_month", "Savings against doing nothing", "$ per month", "change", "Under the assumptions below"),
    Figure("on_demand_equivalent_usd_per_month", "All demand on demand", "$ per month", "usd", "Mean GPUs at the cheapest eligible on-demand rates, never spot"),
    Figure("effective_savings_rate", "Effective savings rate", "share", "ratio", "1 less plan over all on demand"),
    Figure("effective_utilization_now", "Effective utilization now", "share", "ratio", "Used over capacity GPU-hours of the window"),
    Figure("effective_utilization_plan", "Effective utilization, plan", "share", "ratio", "Mean GPUs over GPUs paid"),
    Figure("unused_now_usd_per_month", "Unused now", "$ per month", "usd", "Paid and not allocated in the window, as a month"),
    Figure("unused_plan_usd_per_month", "Unused, plan", "$ per month", "usd", "New commitments not busy, and existing contracts that stand idle"),
    Figure("lock_in_now_months", "Lock-in now", "months", "months", "Months left, weighted by $"),
    Figure("lock_in_months", "Lock-in, plan", "months", "months", "Months bound, weighted by $; paid by use counts 0"),
    Figure("cost_of_separation_usd_per_month", "Cost of separation", "$ per month", "change", "Plan less the plan with all workloads of a model in one pool"),
)  # fmt: skip

ASSUMPTIONS_SHOWN = ("lambda", "delta", "sigma", "wacc", "growth", "horizon_months", "block", "recency_half_life_days")

CLUSTER_FIELDS = (
    Field("cluster", "Cluster"),
    Field("utilization", "Utilization", "ratio"),
    Field("cost", "Cost, $ per month", "usd"),
    Field("unused", "Unused, $ per month", "usd"),
    Field("audit", "Stranded (audit), $ per month", "usd"),
    Field("metered", "Stranded (metered), $ per month", "usd"),
)

POOL_FIELDS = (
    Field("pool", "Pool"),
    Field("gpu_model", "GPU model"),
    Field("gpu_hours", "GPU-h in the window", "hours"),
    Field("mean", "Mean GPUs", "mean"),
    Field("existing_usd", "Existing, $ per month", "usd"),
    Field("committed_gpus", "New commitments, GPUs", "gpus"),
    Field("committed_usd", "New commitments, $ per month", "usd"),
    Field("usage_usd", "Paid by use, $ per month", "usd"),
    Field("usd", "Plan, $ per month", "usd"),
)


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures as cells, by their JSON names, and what the app says of each (None: unknown)."""

    cells: Mapping[str, Expr]
    worked_out: Mapping[str, Expr]
    app: Mapping[str, float | None]


def app_totals(inputs: Inputs) -> dict[str, float | None]:
    """The app's totals by JSON name; the cost of separation comes from the outlook."""
    totals: Totals = inputs.advice.totals
    found: dict[str, float | None] = {figure.key: getattr(totals, figure.key) for figure in FIGURES}
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
    generated_at_s: int,
) -> Summary:
    """Write the sheet but its light, which stands on Checks (see `write_light`)."""
    window = inputs.project.window
    title = inputs.project.title or "GPU capacity plan"
    row = book.title(
        SHEET,
        f"{title}: {inputs.scenario.name}",
        f"Window {written_date(window.start_s)} – {written_date(window.end_s - 1)} (UTC), {window.hours:,} hours. Written {written_date(generated_at_s)}.",
        "Every figure is a formula: change a yellow cell on Contracts, Prices, Commitment or Assumptions and it follows.",
    )
    fields = (
        Field("title", "Figure", width=34),
        Field("value", "Value", "number", 15),
        Field("unit", "Unit", "muted", 14),
        Field("how", "What it is", "muted", 16),
    )
    table = Table(book, SHEET, row + 2, len(FIGURES), fields)
    sheet = book.sheets[SHEET]
    for column, width in enumerate((34, 15, 16, 15, 15, 15, 15, 15, 15)):
        sheet.set_column(column, column, width)
    formulas = _Formulas(named, audit, pools, commitment)
    app = app_totals(inputs)
    cells: dict[str, Expr] = {}
    for place, figure in enumerate(FIGURES):
        formula = formulas(figure.key, cells)
        said = app[figure.key]
        headline = figure.key in ("current_usd_per_month", "plan_usd_per_month", "savings_usd_per_month")
        table.put("title", place, figure.title, "strong" if headline else "text")
        style = f"{figure.style}.strong" if headline else figure.style
        cached = Expr(formula.text, DASH if said is None else said, formula.is_atom)
        shown = table.put("value", place, cached, style)
        book.name(figure.key, shown)
        cells[figure.key] = Expr(shown.text, formula.value, True)
        table.put("unit", place, figure.unit)
        table.put("how", place, figure.how)
    next_row = _clusters(book, audit, table.end_row + 1)
    next_row = _pools(book, pools, inputs, next_row)
    _assumptions(book, named, next_row)
    _chart(book, table)
    sheet.freeze_panes(row, 0)
    shown_cells = {figure.key: table.cell("value", place) for place, figure in enumerate(FIGURES)}
    return Summary(shown_cells, cells, app)


@dataclass(frozen=True, slots=True)
class _Formulas:
    """The formula of each figure; figures above it may be used. Source: MODEL section 5, Totals."""

    named: Named
    audit: AuditCells
    pools: Pools
    commitment: Commitment

    def __call__(self, key: str, above: Mapping[str, Expr]) -> Expr:
        """The formula of a figure; above: the cells of the figures before it."""
        whole, total = self.audit.total, self.commitment.total
        if key == "current_usd_per_month":
            parts = [whole("paid"), whole("overflow")]
            return known(parts, (parts[0] + parts[1]) / self.named.window_months)
        if key == "do_nothing_usd_per_month":
            parts = [whole("nothing"), whole("open")]
            return known(parts, parts[0] + parts[1])
        if key == "plan_usd_per_month":
            return known([total("plan_usd")], Expr(total("plan_usd").text, total("plan_usd").value, True))
        if key == "on_demand_equivalent_usd_per_month":
            return self.pools.table.range("on_demand_usd").known_sum()
        if key.startswith("effective_utilization"):
            return self._utilization(key)
        if key == "unused_now_usd_per_month":
            return known([whole("unused")], whole("unused") / self.named.window_months)
        if key == "unused_plan_usd_per_month":
            parts = [total("unused_usd"), total("idle_usd")]
            return known(parts, parts[0] + parts[1])
        if key == "lock_in_now_months":
            return _ratio(whole("existing_lock"), whole("existing"))
        if key == "cost_of_separation_usd_per_month":
            parts = [total("plan_usd"), total("joint_usd")]
            return known(parts, parts[0] - parts[1])
        return self._of_figures(key, above)

    def _utilization(self, key: str) -> Expr:
        whole, total = self.audit.total, self.commitment.total
        if key == "effective_utilization_now":
            return _ratio(whole("used"), whole("capacity"))
        paid = total("existing_gpus") + total("committed_gpus") + total("usage_busy")
        mean = self.pools.table.range("mean").sum()
        return when(paid > 1e-9, mean / paid, DASH)

    def _of_figures(self, key: str, above: Mapping[str, Expr]) -> Expr:
        total = self.commitment.total
        current, plan = above["current_usd_per_month"], above["plan_usd_per_month"]
        if key == "savings_usd_per_month":
            return known([current, plan], current - plan)
        if key == "savings_percent":
            savings = above["savings_usd_per_month"]
            return _ratio(savings, current, 100)
        if key == "savings_vs_do_nothing_usd_per_month":
            nothing = above["do_nothing_usd_per_month"]
            return known([nothing, plan], nothing - plan)
        if key == "effective_savings_rate":
            on_demand = above["on_demand_equivalent_usd_per_month"]
            ratio = _ratio(plan, on_demand)
            value = ratio.value if isinstance(ratio.value, str) else 1 - ratio.value
            text = f'IF(COUNT({plan.text},{on_demand.text})=2,IF({on_demand.text}>0,1-{plan.text}/{on_demand.text},"{DASH}"),"{DASH}")'
            return Expr(text, value, True)
        lock, existing = total("lock"), total("existing_lock")
        both = lock + existing
        text = f'IF(COUNT({lock.text},{existing.text},{plan.text})=3,IF({plan.text}>0,({both.text})/{plan.text},"{DASH}"),"{DASH}")'
        value = both / plan if both.is_known and plan.is_known and plan.number > 0 else Expr("", DASH)
        return Expr(text, value.value, True)


def _ratio(part: Expr, whole: Expr, times: float = 1) -> Expr:
    """part / whole, the dash where either is unknown or there is no whole. Both are cells."""
    ratio = part / whole if times == 1 else part / whole * times
    is_there = part.is_known and whole.is_known and whole.number > 0
    inner = when(Expr(f"{whole.text}>0", float(is_there)), ratio, DASH)
    return known([part, whole], inner)


def _clusters(book: Book, audit: AuditCells, row: int) -> int:
    book.write(SHEET, row, 0, "Clusters today", "section")
    source = audit.clusters
    table = Table(book, SHEET, row + 1, source.size, CLUSTER_FIELDS)
    for place in range(source.size):
        for field in CLUSTER_FIELDS:
            cell = source.cell(field.key, place)
            table.put(field.key, place, Expr(cell.text, cell.value, True))
    return table.end_row + 1


def _pools(book: Book, pools: Pools, inputs: Inputs, row: int) -> int:
    book.write(SHEET, row, 0, "Pools in the plan", "section")
    source = pools.table
    table = Table(book, SHEET, row + 1, source.size, POOL_FIELDS)
    for place, (pool, model) in enumerate(inputs.pairs):
        table.put("pool", place, str(pool), f"pool_{pool}")
        table.put("gpu_model", place, model_words(model))
        for field in POOL_FIELDS[2:]:
            cell = source.cell(field.key, place)
            table.put(field.key, place, Expr(cell.text, cell.value, True))
    return table.end_row + 1


def _assumptions(book: Book, named: Named, row: int) -> None:
    book.write(SHEET, row, 0, "Assumptions behind the savings", "section")
    fields = (Field("title", "Assumption"), Field("value", "Value", "number"), Field("unit", "Unit", "muted"))
    table = Table(book, SHEET, row + 1, len(ASSUMPTIONS_SHOWN), fields)
    for place, name in enumerate(ASSUMPTIONS_SHOWN):
        spec, cell = SPEC_BY_NAME[name], named.assumptions[name]
        table.put("title", place, spec.title)
        table.put("value", place, Expr(cell.text, cell.value, True), "ratio" if spec.kind == "ratio" else "number")
        table.put("unit", place, spec.unit)


def _chart(book: Book, table: Table) -> None:
    values, titles = table.range("value", 0, 3), table.range("title", 0, 3)
    chart = book.workbook.add_chart({"type": "bar"})
    chart.add_series(
        {
            "name": "$ per month",
            "categories": f"={titles.text}",
            "values": f"={values.text}",
            "fill": {"color": "#526094"},
            "data_labels": {"value": True, "num_format": "#,##0"},
            "gap": 60,
        }
    )
    chart.set_title({"name": "$ per month", "name_font": {"size": 12}})
    chart.set_legend({"none": True})
    chart.set_x_axis({"num_format": "#,##0", "min": 0, "major_gridlines": {"visible": False}, "visible": False})
    chart.set_y_axis({"reverse": True, "line": {"color": "#7D8695"}})
    chart.set_size({"width": 430, "height": 250})
    book.sheets[SHEET].insert_chart(table.first_row - 1, 7, chart)


def write_light(book: Book, row: int, light: Expr) -> None:
    """The one light of the Checks sheet, at the top of the Summary."""
    sheet = book.sheets[SHEET]
    book.write(SHEET, row, 0, "Checks", "strong")
    book.write(SHEET, row, 1, Expr(light.text, light.value, True), "light")
    add_light_colors(book, SHEET, row, 1, row, 1)
    sheet.set_row(row, 20)


def add_light_colors(book: Book, sheet: str, row: int, column: int, last_row: int, last_column: int) -> None:
    """Colour words that begin with red, changed or green; the word says it without the colour too."""
    for word, color in (("red", RED), ("changed", AMBER), ("green", GREEN)):
        look = book.workbook.add_format({"font_color": color, "bold": True})
        book.sheets[sheet].conditional_format(
            row, column, last_row, last_column, {"type": "text", "criteria": "begins with", "value": word, "format": look}
        )

