"""Pools: demand of each pool and model, what it may pay by use, and what the plan costs it."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import model_words, pool_words, put_pair
from gpuplanner.files.workbook.inputs.workloads_sheet import Workloads
from gpuplanner.files.workbook.kit import expressions
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.charts import add_series, put_chart
from gpuplanner.files.workbook.kit.figure_cells import cost_per_month, fields_of, text_field
from gpuplanner.files.workbook.kit.looks import POOL_FILL, Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_POOLS
from gpuplanner.lazy_dataclass import dataclass

WATCH: Final = Watch(named_by=("pool", "gpu_model"), values=True)
CURVE_STEPS = 50
SHARES: Final = {"name": "Share of hours, busiest first", "num_format": "0%"}
"""Of the axis across of a load duration curve."""

FIELDS = (
    text_field(PLAN_LAYERS, "pool", 16),
    text_field(PLAN_LAYERS, "gpu_model", 14),
    *fields_of("pools", Field(key="mean", heading=titles.MEAN_GPUS, style="mean", width=10)),
)


@dataclass(frozen=True, slots=True)
class Pools:
    """The sheet's table; rows in the order of Inputs.pairs. end_row: the first free row under its curves."""

    table: Table
    end_row: int


def write_pools(prices: Prices, hours: HourSheet, workloads: Workloads) -> Pools:
    """Write demand and rates; `write_pool_money` adds what the layers cost."""
    book, inputs, named = hours.book, hours.inputs, hours.named
    row = book.title(
        CALC_POOLS,
        "Demand by pool and GPU model from Calc demand, and cost of the plan from Calc orders.",
        title="Pools",
    )
    table = Table(
        book=book,
        sheet=CALC_POOLS,
        row=row,
        size=len(inputs.pairs),
        fields=FIELDS,
        name="PoolList",
        watch=WATCH,
    )
    table.widen()
    book.sheets[CALC_POOLS].freeze_panes(0, 2)
    models = inputs.planned_models
    for place, pair in enumerate(inputs.pairs):
        plan = inputs.pool_plan(pair)
        put_pair(table, place, pair)
        table.fill(place, growth=named.growth(pair.pool), number=place + 1)
        table.fill(place, model_row=models.index(pair.name) + 1, note="" if plan is None else plan.note)
        _demand(table, place, pair, hours)
        _rates(table, place, pair, prices, workloads, named)
    return Pools(table, _duration_curves(table, hours))


def _demand(table: Table, place: int, pair: Row, hours: HourSheet) -> None:
    """Writes GPU-hours, mean, 95th percentile by rank and peak of a pool and model, and what contracts leave over; runs
    have no hours of the log: of them the app says how many GPUs they have in month 0."""
    named, inputs = hours.named, hours.inputs
    plan = inputs.pool_plan(pair)
    column = hours.column(("demand", *pair))
    runs = [run for run in inputs.advice.planned_runs if (run.pool, run.gpu_model) == pair]
    bought = sum(run.nothing_gpu_hours[part] for run in runs for part in inputs.parts_of(0))
    served = sum(run.of_contracts_gpu_hours for run in runs)
    of_runs = table.put("runs_mean", place, sum(run.gpu_hours for run in runs) / HOURS_PER_MONTH)
    of_contracts = table.put("runs_served", place, served / HOURS_PER_MONTH)
    gpu_hours = column.range.sum() + of_runs * named.window_hours if runs else column.range.sum()
    table.put("mean", place, table.put("gpu_hours", place, gpu_hours) / named.window_hours)
    percentile = named.fixed["demand_percentile"]
    parts = [part for _, part in column.parts] or [column]
    if plan is not None and (column.parts or runs):  # hours of several parts, which no rank counts
        table.put("p95", place, plan.demand.p95_gpus, "mean.fixed")
    else:
        rank = expressions.formula(
            "ROUNDUP({percentile}*{hours}/100,0)", percentile=percentile, hours=named.window_hours
        )
        table.put("p95", place, expressions.call("SMALL", column.range, rank))
    if plan is not None and runs:
        table.put("peak", place, plan.demand.peak_gpus, "mean.fixed")
    else:
        table.put("peak", place, expressions.call("MAX", *(part.range for part in parts)))
    over, open_mean = (hours.mean(hours.column((key, *pair)).range, pair) for key in ("over", "over_now"))
    mean = hours.mean(column.range, pair)
    mean = table.put("now_mean", place, mean + of_runs if runs else mean)
    over = table.put("over_mean", place, over + of_runs - of_contracts if runs else over)
    table.put("served_mean", place, mean - over)
    table.put("open_mean", place, open_mean + bought / HOURS_PER_MONTH if bought else open_mean)


def _rates(table: Table, place: int, pair: Row, prices: Prices, workloads: Workloads, named: Named) -> None:
    """Writes what a pool pays by use: on demand, the blend with spot, and what its demand would cost so; demand may be
    of later months alone: a rate that nobody states is then unknown all the same; so is that cost where on demand has
    not GPUs for all of it."""
    plan, need = named.inputs.pool_plan(pair), prices.plan[pair]
    is_limited = all(offer.max_gpus is not None for offer in prices.on_demand_in_turn(need))
    has_too_few = is_limited and named.inputs.advice.totals.on_demand_equivalent is None
    on_demand = table.put("on_demand", place, prices.on_demand(need))
    rows, mine = workloads.table, (workloads.table.range("pool_row"), table.cell("number", place))
    gpu_hours = expressions.sum_where(rows.range("gpu_hours"), mine)
    if gpu_hours.number or plan is None:
        table.put("r_flex", place, usage_blend(rows, mine))
    else:  # of runs alone
        table.put("r_flex", place, plan.flex.rate, "rate.fixed")
    share = expressions.sum_where(rows.range("on_spot"), mine) / gpu_hours
    table.put("spot_share", place, expressions.when(gpu_hours > 0, share, 0))
    usd = cost_per_month(table.cell("now_mean", place), on_demand, named.hours_per_month)
    table.put("on_demand_usd", place, None if has_too_few else usd)


def usage_blend(rows: Table, own: tuple[expressions.Range, expressions.Expr]) -> expressions.Expr:
    """r_flex: what the workloads in question would pay by use, over their GPU-hours."""
    usage, gpu_hours = rows.range("usage"), expressions.sum_where(rows.range("gpu_hours"), own)
    return expressions.formula(
        "IF(AND(SUMPRODUCT(ISTEXT({usage})*({rows}={row}))=0,{gpu_hours}>0),{rate},{unknown})",
        usage=usage,
        rows=own[0],
        row=own[1],
        gpu_hours=gpu_hours,
        rate=expressions.sum_where(usage, own) / gpu_hours,
        unknown=expressions.DASH,
    )


def busiest(hours: expressions.Range, share: expressions.Expr) -> expressions.Expr:
    """Mean GPUs that so large a share of the hours has at least."""
    rank = expressions.formula("MAX(1,ROUNDUP(ROUND({share}*ROWS({hours}),6),0))", share=share, hours=hours)
    return expressions.call("LARGE", hours, rank)


def write_pool_money(pools: Pools, layers: Table, run_usd: Callable[[int], expressions.Expr]) -> None:
    """What each pool and model costs, by kind of layer, and its runs of it. layers: those of the Commitment sheet."""
    table = pools.table
    for place in range(table.size):
        mine = (layers.range("pool_row"), table.cell("number", place))
        usd, kinds = layers.range("cost_per_month"), layers.range("kind")
        parts = [
            table.put(key, place, expressions.known_sum_where(usd, mine, (kinds, kind)))
            for kind, key in enumerate(("existing_usd", "committed_usd", "usage_usd"), 1)
        ]
        table.put("committed_gpus", place, expressions.sum_where(layers.range("gpus"), mine, (kinds, 2)))
        table.put("usd", place, expressions.known(parts, parts[0] + parts[1] + parts[2]))
        of_runs, logged = (table.cell(key, place).number for key in ("runs_mean", "now_mean"))
        # unless it is of runs alone, what contracts serve is shared
        of_runs_usd = table.cell("usd", place) if logged <= of_runs else run_usd(place)
        table.put("runs_usd", place, of_runs_usd if of_runs else 0)


def _duration_curves(table: Table, hours: HourSheet) -> int:
    """The load duration curve of each row, busiest hours first, as formulas and as a chart; the first row below."""
    row, title = (
        table.end_row + 2,
        "Load duration curves: mean GPUs at least this busy, by share of the hours",
    )
    fields = [Field(key="share", heading="Share of hours", style="ratio")]
    fields += [
        Field(key=f"curve{place}", heading=f"{pool_words(pool)} {model_words(model)}", style="mean")
        for place, (pool, model) in enumerate(hours.inputs.pairs)
    ]
    curve = Table(
        book=table.book, sheet=CALC_POOLS, row=row - 1, size=CURVE_STEPS + 1, fields=fields, section=title
    )
    chart = table.book.workbook.add_chart({"type": "scatter", "subtype": "straight"})
    for step in range(CURVE_STEPS + 1):
        share = curve.put("share", step, step / CURVE_STEPS)
        for place, pair in enumerate(hours.inputs.pairs):
            curve.put(f"curve{place}", step, busiest(hours.column(("demand", *pair)).range, share))
    dashes = ("solid", "dash", "square_dot", "long_dash_dot")
    seen: dict[Pool, int] = {}
    for place, (pool, _) in enumerate(hours.inputs.pairs):
        seen[pool] = seen.get(pool, -1) + 1
        name = [CALC_POOLS, curve.first_row - 1, curve.column_of(f"curve{place}")]
        line = {"color": POOL_FILL[pool], "width": 2, "dash_type": dashes[seen[pool] % len(dashes)]}
        add_series(chart, name, curve.range("share"), curve.range(f"curve{place}"), line=line)
    if hours.inputs.pairs:
        at, up = (row, max(5, len(hours.inputs.pairs) + 2)), {"name": str(titles.MEAN_GPUS)}
        across = {**SHARES, "min": 0, "max": 1}
        put_chart(table.book, CALC_POOLS, chart, "Load duration curves", at, (760, 380), across, up, {})
    return curve.end_row + 1
