"""Figures of the plan: each with its formula, three horizons and the twelve months; pools and charts of the plan."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.commitment.plan.comparison import (
    Horizon,
    HorizonRow,
    compares_with_nothing,
    horizon_row,
    horizons_of,
)
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.horizons import HORIZON_MEANINGS, HORIZON_NAMES
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import AHEAD, PLAN
from gpuplanner.domain.message import Text
from gpuplanner.domain.reports.plan_layers import EXISTING_IDLE, at_least_entry, totals_entry
from gpuplanner.domain.reports.savings import HORIZONS, QUESTION
from gpuplanner.files.system.resources import plain_table, rows_as
from gpuplanner.files.workbook.demand.audit_sheet import AuditCells
from gpuplanner.files.workbook.demand.pools_sheet import Pools
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import PAIR_FIELDS, SERVES_LESS, Inputs, put_pair
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.charts import BRIDGE_FIELDS, Step, add_bridge, column_of_chart, put_bridge
from gpuplanner.files.workbook.kit.checks import UNSOUND, Check, as_in_app
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    UNKNOWN,
    Expr,
    call,
    known,
    known_sum_where,
    lift,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import fields_of, figure_field, live, maybe, write_figures
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import AUDIT, CALC_MONTHS, NAMES
from gpuplanner.files.workbook.plan.commitment_sheet import COMMITTED, USAGE, Commitment
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison, add_months_chart
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryLine:
    """One line of the Summary. key: its name in the JSON and as a name in the book; style: of its number, which says
    its unit where that is of $ or months."""

    key: str
    title: Text
    style: str
    how: str
    own_unit: str = ""

    @property
    def unit(self) -> str:
        """Of what it is."""
        return self.own_unit or ("months" if self.style == "months" else "$ per month")


SUMMARY_FIGURES = tuple(
    replace(line, title=PLAN[key[1:]].title) if (key := str(line.title)).startswith("=") else line
    for line in rows_as(SummaryLine, "summary_lines.csv")
)
"""The lines of the Summary. = begins a figure of the plan, which has the title."""


def at_least_words(advice: Advice) -> dict[str, str]:
    """Of figures that are a dash for want of a rate, by their names, what of each is known, and whose rate is not."""
    entry = at_least_entry(advice) or {"missing": []}
    names = ", ".join(entry["missing"])[:150].replace('"', "'")
    known_usd = {key: usd for key, usd in entry.items() if key != "missing" and usd is not None}
    return {key: f"At least ${usd:,.0f}: no rate is known of {names}" for key, usd in known_usd.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What the figures are made of: sums of Audit and Calc orders, the pools, and the figures above."""

    named: Named
    audit: AuditCells
    pools: Table
    commitment: Commitment
    months: Table
    above: dict[str, Expr]

    @property
    def inputs(self) -> Inputs:
        """What the sheets are written from."""
        return self.named.inputs


def _current(of: Sources) -> Expr:
    """Spend a month: what is paid and what overflowed, over the months of the window."""
    paid, overflow = of.audit.total("paid"), of.audit.total("overflow")
    return known([paid, overflow], (paid + overflow) / of.named.window_months)


def _unused(of: Sources) -> Expr:
    """What is paid and not used, a month."""
    return of.audit.total("unused_in_window") / of.named.window_months


def _of_new(of: Sources) -> list[Expr]:
    """What has to be known before anybody knows what the plan signs."""
    return [of.commitment.total("committed_usd"), of.commitment.total("usage_usd")]


def _utilization_of_plan(of: Sources) -> Expr:
    """Mean demand over the GPUs that the plan pays for; unknown where nobody knows what it signs or what serves."""
    if of.inputs.advice.unknown_models:
        return UNKNOWN
    total = of.commitment.total
    paid = total("existing_gpus") + total("committed_gpus") + total("usage_busy")
    served = total("existing_busy") + total("committed_busy") + total("usage_busy")
    given = {"used_gpus": served, "paid_gpus": paid}
    return known(_of_new(of), live(PLAN, "effective_utilization_plan", given))


def _lock_in(of: Sources) -> Expr:
    """Months of lock-in: what is bound by term, over the plan's spend a month."""
    bound = maybe(of.commitment.total("lock")) + maybe(of.commitment.total("existing_lock"))
    return live(PLAN, "lock_in_months", {"bound": bound, "plan": maybe(of.above["plan_usd_per_month"])})


def _saved_against(of: Sources, key: str, less: str, figure: str) -> Expr:
    """What the plan saves against another figure; unknown where it serves less."""
    return (
        UNKNOWN if of.inputs.serves_less else _of_above(of, key, **{less: figure}, plan="plan_usd_per_month")
    )


def _savings_rate(of: Sources) -> Expr:
    """Unknown with what is used, but where only contracts of a cluster without a log are: it does not hang on those."""
    key, equivalent = "effective_savings_rate", "on_demand_equivalent"
    audit, plan = of.inputs.audit, of.inputs.advice.totals.plan
    if audit.asked_contracts and plan is not None:  # from scratch, beside contracts that are asked about
        return UNKNOWN
    rate = _saved_against(of, key, equivalent, f"{equivalent}_usd_per_month")
    is_unlogged = audit.unknown_contracts and not audit.asked_contracts
    return rate if is_unlogged else known([of.audit.total("used")], rate)


def _of_above(of: Sources, key: str, **figures: str) -> Expr:
    """A figure of the plan that follows from others above it. figures: of its inputs."""
    return live(PLAN, key, {given: maybe(of.above[figure]) for given, figure in figures.items()})


OF_CONTRACTS: Final = ("current_usd_per_month", "lock_in_now_months")
"""Figures that nobody's use changes: what they lack is a rate."""
OF_SAVINGS: Final = frozenset(
    (
        "savings_vs_do_nothing_usd_per_month",
        "savings_usd_per_month",
        "savings_percent",
        "effective_savings_rate",
    )
)
"""Figures that such a plan does not have."""
FORMULAS: Final[dict[str, Callable[[Sources], Expr]]] = {
    "current_usd_per_month": _current,
    "do_nothing_usd_per_month": lambda of: of.months.cell("nothing", 0),
    "plan_usd_per_month": lambda of: of.months.cell("plan", 0),
    "savings_usd_per_month": lambda of: _saved_against(of, "savings", "today", "current_usd_per_month"),
    "savings_percent": lambda of: _of_above(
        of, "savings_percent", savings="savings_usd_per_month", today="current_usd_per_month"
    ),
    "savings_vs_do_nothing_usd_per_month": lambda of: (
        UNKNOWN
        if of.inputs.serves_less
        else _saved(
            of.above["do_nothing_usd_per_month"],
            of.above["plan_usd_per_month"],
            of.inputs,
            Horizon.NEXT_MONTH,
        )
    ),
    "on_demand_equivalent_usd_per_month": lambda of: of.pools.range("on_demand_usd").known_sum(),
    "effective_savings_rate": _savings_rate,
    "effective_utilization_now": lambda of: _ratio(of.audit.total("used"), of.audit.total("capacity")),
    "effective_utilization_plan": _utilization_of_plan,
    "unused_now_usd_per_month": lambda of: known(
        [of.audit.total("unused_in_window")],
        when(
            of.audit.total("capacity") > 0,
            _unused(of),
            known([of.above["current_usd_per_month"]], _unused(of)),
        ),
    ),
    "unused_plan_usd_per_month": lambda of: known(
        [*_of_new(of), of.commitment.total("unused_usd"), of.commitment.total("idle_usd")],
        of.commitment.total("unused_usd") + of.commitment.total("idle_usd"),
    ),
    "lock_in_now_months": lambda of: _ratio(of.audit.total("existing_lock"), of.audit.total("existing")),
    "lock_in_months": _lock_in,
}
"""The formula of each figure but what separation costs, which is as exported. Source: docs/formulas/totals.md."""


def _ratio(part: Expr, whole: Expr) -> Expr:
    """part / whole, the dash where either is unknown or there is no whole. Both are cells."""
    return known([part, whole], when(whole > 0, part / whole, DASH))


MONTH_FIELDS: Final = fields_of("summary.month")
WAYS: Final = (
    ("nothing", str(titles.DO_NOTHING), "Contracts continue or end; the rest is paid on demand"),
    ("plan", "Plan as advised", "The orders on Calc orders at the rates of this book"),
)
"""Column of the twelve months, its name and its meaning."""


def write_months(book: Book, comparison: Comparison, row: int) -> int:
    """The sums of both ways below a heading; the answer is the row below them."""
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(WAYS),
        fields=MONTH_FIELDS,
        section="The next twelve months",
    )
    nothing, inputs = comparison.sums["nothing"], comparison.advised.inputs
    serves_less = inputs.serves_less
    for place, (key, name, how) in enumerate(WAYS):
        whole = comparison.sums[key]
        table.put("way", place, name, "text" if key == "nothing" else "strong")
        table.put("usd", place, whole)
        saved = None if serves_less else _saved(nothing, whole, inputs, Horizon.TWELVE_MONTHS)
        table.put("saved", place, "" if key == "nothing" else saved)
        table.put("how", place, SERVES_LESS if serves_less and key != "nothing" else how)
    return table.end_row + 1


def _saved(nothing: Expr, plan: Expr, inputs: Inputs, horizon: Horizon) -> Expr:
    """Doing nothing less the plan, by the formula of that figure; above 0 saves. Where both lack the same rate the app
    knows the savings alone, until the rate is typed in."""
    by_formula = live(PLAN, "savings_vs_do_nothing", {"do_nothing": maybe(nothing), "plan": maybe(plan)})
    app = horizon_row(horizon, inputs.advice, None)
    if app.saved is None or None not in (app.do_nothing, app.plan):
        return by_formula
    return when(call("COUNT", nothing, plan).equals(2), by_formula, app.saved)


WIDTH: Final = 18
NAME: Final = Field(key="name", heading="Horizon", width=34)
HOW: Final = Field(key="how", heading="Description", style="muted", width=18)
ASKED: Final = (
    figure_field(
        AHEAD["before"],
        WIDTH,
        style="usd.fixed",
        note="Of the plan that the question is asked of: the app's.",
    ),
    figure_field(AHEAD["changed"], WIDTH, style="change"),
)
HORIZON_FIELDS: Final = tuple(
    figure_field(AHEAD[key], WIDTH, style=style)
    for key, style in (("do_nothing", "usd"), ("plan", "usd"), ("saved", "change"))
)
CHECKED: Final = ("do_nothing", "plan", "saved", "changed")


def write_horizons(
    figures: Mapping[str, Expr], comparison: Comparison, row: int
) -> tuple[Table, list[Check]]:
    """The three horizons below a heading, and what of them is checked against the app.

    figures: cells of the Summary by their names. What the plan was before a question is the app's; all else is live.
    """
    inputs = comparison.advised.inputs
    before = inputs.evaluation.before
    is_asked = before is not None
    fields = (NAME, *HORIZON_FIELDS, *(ASKED if is_asked else ()), HOW)
    rows = horizons_of(inputs.advice, before)
    title, book = QUESTION.title if is_asked else HORIZONS.title, comparison.table.book
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(rows),
        fields=fields,
        watch=Watch(title="Horizons"),
        section=title,
    )
    may_save, checks = compares_with_nothing(inputs.advice), list[Check]()
    for place, one in enumerate(rows):
        nothing, plan = _costs(one.horizon, figures, comparison)
        table.put("name", place, HORIZON_NAMES[one.horizon], "strong")
        cells = {"do_nothing": table.put("do_nothing", place, nothing)}
        cells["plan"] = table.put("plan", place, plan)
        if is_asked:
            cells["before"] = table.put("before", place, one.before)
        table.put("saved", place, _saved(nothing, plan, inputs, one.horizon) if may_save else None)
        if is_asked:
            write_figures(table, place, AHEAD, {key: maybe(cell) for key, cell in cells.items()}, ["changed"])
        table.put("how", place, HORIZON_MEANINGS[one.horizon])
        checks += _checks(table, place, one)
    if not may_save:
        book.write(CALC_MONTHS, table.end_row, 0, SERVES_LESS, "note")
    return table, checks


def _costs(horizon: Horizon, figures: Mapping[str, Expr], comparison: Comparison) -> tuple[Expr, Expr]:
    """Cells of what doing nothing and the plan cost in a horizon."""
    if horizon is Horizon.NEXT_MONTH:
        return figures["do_nothing_usd_per_month"], figures["plan_usd_per_month"]
    if horizon is Horizon.TWELVE_MONTHS:
        return comparison.sums["nothing"], comparison.sums["plan"]
    last = comparison.table.size - 1
    return comparison.table.cell("nothing", last), comparison.table.cell("plan", last)


def _checks(table: Table, place: int, app: HorizonRow) -> list[Check]:
    """Each live figure of a horizon as the app has it."""
    name, group = HORIZON_NAMES[app.horizon], "Horizon as in the app"
    return [
        as_in_app(f"{name}: {AHEAD[key].title}, $", getattr(app, key), table.cell(key, place), group)
        for key in CHECKED
        if table.has(key)
    ]


def _write_charts(book: Book, steps: Table, comparison: Comparison, row: int) -> None:
    """Add two charts side by side to Audit, from a row on."""
    add_bridge(book, steps, "From spend now to the plan, $ per month", row)
    add_months_chart(book, comparison.table, AUDIT, row, column_of_chart(book.sheets[AUDIT], 1), (620, 340))


def write_steps(
    named: Named, audit: AuditCells, commitment: Commitment, figures: dict[str, Expr], row: int
) -> Table:
    """Two totals and what leads from one to the other; a step that is unknown is a dash and draws nothing."""
    months, kinds = named.window_months, commitment.layers.range("kind")
    paid, overflow = audit.total("paid"), audit.total("overflow")
    existing = commitment.total("existing_usd")
    layers = commitment.layers.range("cost_per_month")
    steps = (
        Step("Spend today", figures["current_usd_per_month"], is_total=True),
        Step("Contracts that end or are on demand", known([existing, paid], existing - paid / months)),
        Step("Overflow of the lookback period", known([overflow], lift(0) - overflow / months)),
        Step("New commitments", known_sum_where(layers, (kinds, COMMITTED))),
        Step("Paid on demand in the plan", known_sum_where(layers, (kinds, USAGE))),
        Step("Plan", figures["plan_usd_per_month"], is_total=True),
    )
    table = Table(
        book=named.book,
        sheet=AUDIT,
        row=row,
        size=len(steps),
        fields=BRIDGE_FIELDS,
        section="Steps from spend now to the plan",
    )
    put_bridge(table, steps)
    return table


EXPLAINED_ON: Final = plain_table("explained_on")
"""The key of the sheet with the parts of a figure; for all other figures it is Calc orders."""


def write_links(book: Book, table: Table, keys: Sequence[str]) -> None:
    """Fill the column `link` of the figures, which stand in the order of their keys."""
    for place, key in enumerate(keys):
        sheet = NAMES[EXPLAINED_ON.get(key, "calc_orders")]
        row, column = table.first_row + place, table.column_of("link")
        book.sheets[table.sheet].write_url(row, column, f"internal:'{sheet}'!A1", book.style("link"), sheet)


POOL_FIELDS = (
    *PAIR_FIELDS,
    *fields_of("summary.pool", Field(key="mean", heading=titles.MEAN_GPUS, style="mean")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures as cells, by their JSON names, and what the app says of each (None: unknown); with its checks.

    horizons: what both ways cost next month, in the last month and over all twelve.
    """

    cells: Mapping[str, Expr]
    worked_out: Mapping[str, Expr]
    app: Mapping[str, float | None]
    checks: Sequence[Check]
    horizons: Table


def write_summary(
    named: Named, audit: AuditCells, pools: Pools, commitment: Commitment, comparison: Comparison
) -> Summary:
    """Write the figures, horizons and months on Calc months, and the pools and charts of the plan on Audit."""
    book, inputs = named.book, named.inputs
    row = book.title(
        CALC_MONTHS,
        "Formulas follow the yellow cells of this book. Cells contain exact amounts. The app rounds rows so that they "
        "add up, so a row may differ there by $1; totals do not.",
        title="Figures of the plan",
    )
    fields = fields_of("summary")
    table = Table(book=book, sheet=CALC_MONTHS, row=row, size=len(SUMMARY_FIGURES), fields=fields)
    table.widen()
    app = totals_entry(inputs.evaluation.totals or inputs.advice.totals)
    cells: dict[str, Expr] = {}
    sources = Sources(
        named=named,
        audit=audit,
        pools=pools.table,
        commitment=commitment,
        months=comparison.table,
        above=cells,
    )
    at_least = at_least_words(inputs.advice)
    for place, figure in enumerate(SUMMARY_FIGURES):
        headline = figure.key in (
            "current_usd_per_month",
            "plan_usd_per_month",
            "savings_vs_do_nothing_usd_per_month",
        )
        table.put("title", place, figure.title, "strong" if headline else "text")
        style = f"{figure.style}.strong" if headline else figure.style
        if figure.key in FORMULAS:
            hangs_on_use = app[figure.key] is None and figure.key not in OF_CONTRACTS
            is_unlogged = hangs_on_use and not inputs.project.has_log
            figured = UNKNOWN if is_unlogged else when(UNSOUND > 0, DASH, FORMULAS[figure.key](sources))
            cells[figure.key] = table.put("value", place, figured, style)
        else:  # the plan in one pool is no part of the book
            cells[figure.key] = table.put("value", place, app[figure.key], f"{style}.fixed")
        book.name(figure.key, cells[figure.key])
        table.put("unit", place, figure.unit)
        is_unknown = inputs.serves_less and figure.key in OF_SAVINGS
        if app[figure.key] is None and figure.key in at_least:  # until the rate is typed in
            table.put(
                "how", place, when(call("ISNUMBER", cells[figure.key]), figure.how, at_least[figure.key])
            )
        else:
            table.put("how", place, SERVES_LESS if is_unknown else figure.how)
    shown_cells = {figure.key: table.cell("value", place) for place, figure in enumerate(SUMMARY_FIGURES)}
    horizons, checks = write_horizons(shown_cells, comparison, table.end_row + 1)
    months_row = horizons.end_row + (1 if compares_with_nothing(inputs.advice) else 2)
    write_months(book, comparison, months_row)
    write_links(book, table, [figure.key for figure in SUMMARY_FIGURES])
    steps_row = _pools(book, pools, commitment, inputs)
    steps = write_steps(named, audit, commitment, shown_cells, steps_row)
    _write_charts(book, steps, comparison, steps.end_row + 1)
    return Summary(cells=shown_cells, worked_out=cells, app=app, checks=checks, horizons=horizons)


def _pools(book: Book, pools: Pools, commitment: Commitment, inputs: Inputs) -> int:
    """Copy the figures of each pool from Calc pools to Audit, with idle contracts and the sum; the row below them."""
    source = pools.table
    row = book.title(AUDIT, "The first month, from Calc pools.", title="Pools in the plan")
    table = Table(book=book, sheet=AUDIT, row=row, size=source.size, fields=POOL_FIELDS)
    for place, pair in enumerate(inputs.pairs):
        put_pair(table, place, pair)
        table.fill(place, **{field.key: source.cell(field.key, place) for field in POOL_FIELDS[2:]})
    *_, last, usd = table.fields
    table.line_below(str(EXISTING_IDLE), last.key, "text")
    table.put_below(usd.key, commitment.total("idle_usd"), "usd")
    table.line_below("Plan", last.key, row=1)
    table.put_below(usd.key, commitment.total("plan_usd"), "usd.total", 1)
    return table.end_row + 3
