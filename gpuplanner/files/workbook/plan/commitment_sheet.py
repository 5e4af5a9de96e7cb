"""Commitment: the list of orders, the layers of month 0, idle contracts, sums, break-evens, charts of layers."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.writing import GPUS, MONEY_PER_MONTH, MONEY_TIMES_MONTHS, Unit
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.only import ANYBODY, Row, gpu_model_of, only_of
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports import plan_layers
from gpuplanner.domain.reports.plan_layers import LAYERS, PLAN_LAYERS, TERMS
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.workbook.demand.pools_sheet import CURVE_STEPS, SHARES, Pools, busiest
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import (
    PAIR_FIELDS,
    Inputs,
    model_order,
    model_words,
    pool_words,
    put_pair,
)
from gpuplanner.files.workbook.kit import figure_cells
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.charts import CHART_WIDTH, add_series, column_of_chart, put_chart
from gpuplanner.files.workbook.kit.checks import Check, as_in_app
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Range,
    by_row,
    call,
    formula,
    known,
    known_sum_where,
    lift,
    sum_where,
    when,
)
from gpuplanner.files.workbook.kit.looks import POOL_FILL, Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_ORDERS, CALC_POOLS
from gpuplanner.files.workbook.plan.comparison_sheet import AdvisedMonths, Comparison
from gpuplanner.files.workbook.plan.order_rows import Orders, write_orders
from gpuplanner.lazy_dataclass import dataclass

EXISTING, COMMITTED, USAGE, UNSERVED = 1, 2, 3, 4
NOBODY: Final = "Unserved"
BY_USE: Final = "Paid on demand, above"
NOTHING = 1e-9
"""Mean GPUs below this are none: what is left of a subtraction."""
LAYER_FIELDS: Final = (
    figure_cells.text_field(PLAN_LAYERS, "pool", 16),
    figure_cells.text_field(PLAN_LAYERS, "gpu_model", 14),
    figure_cells.text_field(PLAN_LAYERS, "layer", 20),
    *figure_cells.report_fields(LAYERS, 10, figure_cells.looks_of("layer")),
    *figure_cells.fields_of("commitment.layer"),
)
"""What a layer is and what it comes to, by the reports of a plan; its kind and numbers are workings."""


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer of a pool and model. number: of a committed one, as the list has it; order_place: its first order."""

    pair_place: int
    kind: int
    number: int = 0
    order_place: int = 0


def layer_rows(inputs: Inputs, orders: Orders) -> list[LayerRow]:
    """From the bottom up: existing contracts, each offer that is ordered, the longest term first, use, and what nobody
    serves where there is any."""
    rows = []
    first_of = {
        orders.table.cell("layer_no", place).number: place for place in reversed(list(orders.places.values()))
    }
    for place, pair in enumerate(inputs.pairs):
        model, plan = pair.name, inputs.pool_plan(pair)
        if inputs.has_existing(model):
            rows.append(LayerRow(place, EXISTING))
        rows += [
            LayerRow(place, COMMITTED, number, first_of[number])
            for key, number in orders.layers.items()
            if key.row == pair
        ]
        is_refused = inputs.is_refused(pair)
        if not is_refused:
            rows.append(LayerRow(place, USAGE))
        if is_refused or (plan is not None and plan.unserved_gpu_hours / HOURS_PER_MONTH > NOTHING):
            rows.append(LayerRow(place, UNSERVED))
    return rows


class LayerWriter:
    """Writes rows of layers: sums over the orders of the list, and over what they serve and leave."""

    def __init__(self, table: Table, advised: AdvisedMonths) -> None:
        """table: of LAYER_FIELDS."""
        self.table, self.advised = table, advised
        self.inputs, self.named, self.orders = advised.inputs, advised.named, advised.orders

    def write(self, place: int, layer: LayerRow, pools: Table, model_rate: Expr) -> None:
        """One layer. pools: the table of the sheet Calc pools; model_rate: of its model's contracts."""
        table = self.table
        put_pair(table, place, self.inputs.pairs[layer.pair_place])
        table.put("pool_row", place, layer.pair_place + 1)
        table.fill(place, kind=layer.kind, number=layer.number if layer.kind == COMMITTED else "")
        if layer.kind == COMMITTED:
            self._committed(place, layer)
            return
        table.fill(place, term_months=0 if layer.kind == USAGE else None, paid_hours="")
        for key in ("unused_per_month", "bound"):
            table.put(key, place, 0)
        if layer.kind == EXISTING:
            self._existing(place, pools.cell("served_mean", layer.pair_place), model_rate)
        elif layer.kind == USAGE:
            self._by_use(place, layer, pools.cell("r_flex", layer.pair_place))
        else:
            self._unserved(place, layer)

    def _of_bands(self, key: str, layer: LayerRow) -> Expr:
        """What the bands of a pool and model have in a column, together."""
        bands = self.advised.bands
        return sum_where(bands.range(key), (bands.range("pool_row"), layer.pair_place + 1))

    def _existing(self, place: int, served: Expr, rate: Expr) -> None:
        """What existing contracts serve. served: mean GPUs in use; rate: their mean rate."""
        table = self.table
        table.fill(place, layer=str(plan_layers.EXISTING), offer_id="see Contracts")
        gpus = table.put("gpus", place, served, "mean")
        rate = table.put("rate", place, rate)
        table.fill(place, busy_gpus=gpus, utilization=when(gpus < NOTHING, DASH, 1))
        usd = figure_cells.cost_per_month(gpus, rate, self.named.hours_per_month)
        table.put("cost_per_month", place, when(gpus < NOTHING, 0, usd))

    def _by_use(self, place: int, layer: LayerRow, usage_rate: Expr) -> None:
        """What orders leave, paid on demand."""
        table, bands = self.table, self.advised.bands
        table.fill(place, layer=BY_USE, offer_id="by workload")
        hours = self.named.hours_per_month
        gpus = table.put("gpus", place, self._of_bands("open0", layer), "mean")
        busy = table.put("busy_gpus", place, self._of_bands("h0", layer) / hours)
        mine = (bands.range("pool_row"), layer.pair_place + 1)
        usd = table.put("cost_per_month", place, known_sum_where(bands.range("usd0"), mine))
        table.put("rate", place, when(busy < NOTHING, usage_rate, known([usd], usd / (busy * hours))))
        figure_cells.write_figures(table, place, LAYER, {"busy_gpus": busy, "gpus": gpus}, ["utilization"])

    def _unserved(self, place: int, layer: LayerRow) -> None:
        """What nobody serves, for a budget, for want of GPUs, or since nobody who may serve it sells by use."""
        table = self.table
        table.fill(place, layer=NOBODY, offer_id=None)
        busy = table.put("busy_gpus", place, self._of_bands("lost0", layer) / self.named.hours_per_month)
        table.put("gpus", place, busy, "mean")
        table.fill(place, rate=DASH, utilization=DASH, cost_per_month=0)

    def _committed(self, place: int, layer: LayerRow) -> None:
        """What orders of one offer hold in month 0, from their start on."""
        table, orders, served = self.table, self.orders.table, self.advised.served
        mine = (orders.range("layer_no"), layer.number)
        number, first = table.cell("number", place), layer.order_place
        gpus = by_row(
            "({layers}={number})*{share}*{work}",
            layers=orders.range("layer_no"),
            number=number,
            share=orders.range("share"),
            work=orders.range("work"),
        )
        hours: Range = orders.range("hours0")
        there = by_row("({hours}>0)", hours=hours)
        table.put("offer_id", place, orders.cell("offer_id", first))
        term = table.put("term_months", place, orders.cell("term_months", first))
        table.put("layer", place, formula('{term}&IF({term}=1," month"," months")', term=term))
        size = table.put("gpus", place, call("SUMPRODUCT", gpus, there))
        held = formula("SUMPRODUCT({gpus},{hours})", gpus=gpus, hours=hours)
        paid_hours = table.put("paid_hours", place, when(size > NOTHING, held / size, 0))
        used = sum_where(served.range("used"), (served.range("layer_no"), number))
        busy = table.put("busy_gpus", place, when(paid_hours > NOTHING, used / paid_hours, 0))
        figure_cells.write_figures(table, place, LAYER, {"busy_gpus": busy, "gpus": size}, ["utilization"])
        usd = table.put("cost_per_month", place, known_sum_where(self.advised.dollars.range("usd0"), mine))
        rate = table.put(
            "rate", place, known([usd], when(paid_hours > NOTHING, usd / (size * paid_hours), DASH))
        )
        given: figure_cells.Cells = {
            "mean_gpus": size,
            "busy_gpus": busy,
            "rate": figure_cells.maybe(rate),
            "paid_hours": paid_hours,
        }
        unused = figure_cells.live(LAYER, "unused_per_month", given)
        table.put("unused_per_month", place, when(size < NOTHING, 0, unused))
        table.put("bound", place, known_sum_where(self.advised.dollars.range("bound"), mine))


_UNITS: Final = {"usd": MONEY_PER_MONTH, "gpus": GPUS, "usd_months": MONEY_TIMES_MONTHS}
TOTALS: Final[tuple[tuple[str, Text, Unit], ...]] = tuple(
    (row["key"], row["title"] or PLAN["plan"].title, _UNITS[row["unit"]])
    for row in rows_of("workbook_totals.csv")
)
"""Key, title and unit: figures of the plan, and the workings that they are sums of."""
BOUGHT: Final = frozenset(("committed_gpus", "existing_gpus"))
"""GPUs that are bought, hundredths of one too; others are means."""


def write_totals(book: Book, named: Named, layers: Table, models: Table) -> Table:
    """Write them under the existing contracts by GPU model."""
    fields = (
        Field(key="title", heading="Sum"),
        *(Field(key=f"beside{place}", heading="") for place in range(3)),  # titles run over into these
        Field(key="value", heading="Value", style="usd"),
        Field(key="unit", heading="Unit"),
    )
    table = Table(
        book=book, sheet=layers.sheet, row=models.end_row + 1, size=len(TOTALS), fields=fields, section="Sums"
    )
    kinds = layers.range("kind")
    cells: dict[str, Expr] = {}

    def put(key: str, content: Expr) -> Expr:
        """Writes one total with its title and unit, and keeps its cell by name."""
        place = [total[0] for total in TOTALS].index(key)
        _, title, unit = TOTALS[place]
        table.fill(place, title=title, unit=unit.label or "GPUs")
        style = "gpus" if key in BOUGHT else figure_cells.STYLES[unit.key]
        cells[key] = table.put("value", place, content, style)
        return cells[key]

    put("layers_usd", layers.range("cost_per_month").known_sum())
    put("idle_usd", models.range("idle_usd").known_sum())
    put("plan_usd", known([cells["layers_usd"], cells["idle_usd"]], cells["layers_usd"] + cells["idle_usd"]))
    put("committed_usd", known_sum_where(layers.range("cost_per_month"), (kinds, COMMITTED)))
    put("usage_usd", known_sum_where(layers.range("cost_per_month"), (kinds, USAGE)))
    hours = layers.range("paid_hours")
    for key, source in (("committed_gpus", "gpus"), ("committed_busy", "busy_gpus")):
        held = by_row("{gpus}*({kinds}={kind})", gpus=layers.range(source), kinds=kinds, kind=COMMITTED)
        put(key, call("SUMPRODUCT", held, hours) / named.hours_per_month)
    put("existing_busy", sum_where(layers.range("busy_gpus"), (kinds, EXISTING)))
    put("existing_gpus", models.range("gpus").sum())
    put("usage_busy", sum_where(layers.range("busy_gpus"), (kinds, USAGE)))
    put("unused_usd", known_sum_where(layers.range("unused_per_month"), (kinds, COMMITTED)))
    put("lock", layers.range("bound").known_sum())
    put("existing_usd", models.range("usd").known_sum())
    put("existing_lock", models.range("lock").known_sum())
    return table


ROUNDING: Final = 1e-6
FORMULAS: Final = ("one_gpu_per_month", "compared_per_month", "by_use_per_month", "break_even")
FIELDS: Final = (
    *PAIR_FIELDS,
    Field(key="offer_id", heading="Offer", style="muted"),
    figure_cells.figure_field(LAYER["term_months"]),
    Field(key="attrition", heading="Default attrition per month", style="ratio.fixed"),
    *(figure_cells.figure_field(TERM[key]) for key in ("spread_rate", "by_use_rate", "kept", *FORMULAS)),
)


def write_ladder(named: Named, prices: Prices, pools: Table, row: int) -> list[Check]:
    """Write it from a row on; each break-even beside the app's. pools: the table of the sheet Calc pools."""
    book, inputs = named.book, named.inputs
    terms = [
        (place, pair, term)
        for place, pair in enumerate(inputs.pairs)
        if (plan := inputs.pool_plan(pair)) is not None
        for term in plan.break_even
    ]
    if not terms:
        return []
    watch, title = (
        Watch(title="Break-evens", values=True),
        f"{TERMS.title}: of the cheapest offer of each term",
    )
    table = Table(
        book=book, sheet=CALC_ORDERS, row=row, size=len(terms), fields=FIELDS, watch=watch, section=title
    )
    places = {offer.offer_id: place for place, offer in enumerate(prices.listed)}
    checks = []
    for place, (pair_place, pair, term) in enumerate(terms):
        words = (pool_words(pair.pool), model_words(pair.name))
        put_pair(table, place, pair)
        table.put("offer_id", place, term.offer_id)
        months = table.put("term_months", place, term.term_months)
        attrition = table.put("attrition", place, inputs.ground.churn(pair))
        rate, _ = prices.spread_for(places[term.offer_id], prices.plan[pair])
        operands: figure_cells.Cells = {
            "spread_rate": figure_cells.maybe(table.put("spread_rate", place, rate)),
            "by_use_rate": figure_cells.maybe(
                table.put("by_use_rate", place, pools.cell("r_flex", pair_place))
            ),
            "kept": table.put("kept", place, _kept(named, pair, months, attrition)),
            "month_hours": named.hours_per_month,
        }
        figure_cells.write_figures(table, place, TERM, operands, FORMULAS)
        what = f"{words[0]} {words[1]}, {term.term_months} months, {term.offer_id}"
        here = table.cell("break_even", place)
        checks.append(as_in_app(what, term.break_even, here, "Break-even as in the app", ROUNDING))
    return checks


def _kept(named: Named, pair: Row, months: Expr, attrition: Expr) -> Expr:
    """The mean of ((1 - churn)(1 - price decline))^t over the months t of a term, as the sum of a geometric series; of
    runs alone churn is none.

    attrition: churn where no assumption states it, by the workloads of the row.
    """
    own, common = named.assumptions[f"lambda_{pair.pool}"], named.assumptions["lambda"]
    if named.inputs.is_of_runs_alone(pair):
        own = lift(0)
    fall = named.assumptions["delta"]
    lasts = "(1-IF(ISNUMBER({own}),{own},IF(ISNUMBER({common}),{common},{attrition})))*(1-{fall})"
    kept = f"IF(ABS(1-{lasts})<0.000000001,1,(1-({lasts})^{{months}})/({{months}}*(1-{lasts})))"
    return formula(kept, own=own, common=common, attrition=attrition, fall=fall, months=months)


MODEL_FIELDS = (
    figure_cells.text_field(PLAN_LAYERS, "gpu_model"),
    *figure_cells.fields_of("commitment.model", of=LAYER),
)
"""Existing contracts over all pools, which no report lists."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """The sheet's tables, and named sums below them (see TOTALS)."""

    layers: Table
    models: Table
    totals: Table

    def total(self, key: str) -> Expr:
        """One of the sums."""
        return self.totals.cell("value", [total[0] for total in TOTALS].index(key))


def write_list(book: Book, inputs: Inputs, named: Named, prices: Prices) -> Orders:
    """Begin the sheet: its title and the list of orders."""
    row = book.title(
        CALC_ORDERS,
        "The plan is a list of orders, each from a start to an end. Yellow cells are inputs, advised by the app. "
        "Months, layers and totals are sums over the orders.",
        "Orders serve the demand above contracts, one above the other. With more GPUs an order serves more of that "
        "demand, and the orders above it move up. A renewal starts at the end of its order.",
    )
    return write_orders(book, inputs, named, prices, row)


def write_commitment(named: Named, contracts: Contracts, pools: Pools, comparison: Comparison) -> Commitment:
    """Write the layers of month 0, existing contracts and sums under the list."""
    book, inputs, orders = named.book, named.inputs, comparison.advised.orders
    models, rows = _model_names(inputs), layer_rows(inputs, orders)
    # layers are told by their place: they stand on each other
    layers = Table(
        book=book,
        sheet=CALC_ORDERS,
        row=orders.table.end_row + 1,
        size=len(rows),
        fields=LAYER_FIELDS,
        name="LayerList",
        watch=Watch(title="Layers", named_by=("pool", "gpu_model", "layer"), values=True),
        section="Layers of the first month",
    )
    book.sheets[CALC_ORDERS].freeze_panes(orders.table.first_row, 3)
    title = "Existing contracts by model, first month"
    model_table = Table(
        book=book,
        sheet=CALC_ORDERS,
        row=layers.end_row + 1,
        size=len(models),
        fields=MODEL_FIELDS,
        section=title,
    )
    for place in sorted(range(len(models)), key=lambda at: only_of(models[at]) != ANYBODY):
        _model(model_table, place, models, contracts.table, pools, named)
    writer = LayerWriter(layers, comparison.advised)
    for place, layer in enumerate(rows):
        model = inputs.pairs[layer.pair_place].name
        writer.write(place, layer, pools.table, model_table.cell("mean_rate", models.index(model)))
    return Commitment(layers, model_table, write_totals(book, named, layers, model_table))


def _model_names(inputs: Inputs) -> list[str | None]:
    """Models with demand in the plan first (their place is the model row), then those that only contracts have."""
    models = list(inputs.planned_models)
    bare = {gpu_model_of(model) for model in models if only_of(model) != ANYBODY}
    owned = set() if inputs.scenario.greenfield else {row.gpu_model for row in inputs.contracts}
    return models + sorted((owned | bare) - set(models), key=model_order)


def _model(
    table: Table, place: int, models: Sequence[str | None], contracts: Table, pools: Pools, named: Named
) -> None:
    """Writes a GPU model over all pools: contracts, their mean rate, what they serve and what stays idle.

    What only some may serve has a row of its own: contracts and what is idle of them stand in that of its GPU model.
    """
    model = models[place]
    table.put("gpu_model", place, model_words(model))
    number = table.put("number", place, place + 1)
    if only_of(model) != ANYBODY:
        _limited(table, place, models, pools)
        return
    number_of = named.inputs.models.index(model) + 1 if model in named.inputs.models else -1
    model_number = -1 if named.inputs.scenario.greenfield else number_of
    model_column = contracts.range("model_no")
    of_model = (model_column, model_number)
    hours = by_row(
        "{hours}*({models}={model})",
        hours=contracts.range("existing"),
        models=model_column,
        model=model_number,
    )
    gpus = table.put(
        "gpus", place, call("SUMPRODUCT", contracts.range("gpus_used"), hours) / named.hours_per_month
    )
    usd = table.put("usd", place, known_sum_where(contracts.range("month0"), of_model))
    rate = figure_cells.mean_rate(usd, gpus, named.hours_per_month)
    served_by = sum_where(pools.table.range("served_mean"), (pools.table.range("model_row"), number))
    for other, name in enumerate(models):
        if name != model and gpu_model_of(name) == model:
            of_other = (pools.table.range("model_row"), other + 1)
            served_by = served_by + sum_where(pools.table.range("served_mean"), of_other)
    served = table.put("served", place, served_by)
    idle = table.put("idle", place, gpus - served)
    idle_usd = figure_cells.cost_per_month(idle, rate, named.hours_per_month)
    rates = (contract.paid_in(0) for contract in named.inputs.contracts if contract.gpu_model == model)
    if any(
        rate_paid.paid_share < 1 for rate_paid in rates
    ):  # take-or-pay: what is idle is not paid like what serves
        idle_usd = known_sum_where(contracts.range("idle0"), of_model)
        of_served = figure_cells.mean_rate(known([usd], usd - idle_usd), served, named.hours_per_month)
        rate = when(served < NOTHING, rate, of_served)
    table.put("mean_rate", place, rate)
    table.put("idle_usd", place, when(idle < NOTHING, 0, idle_usd))
    if model in named.inputs.advice.unknown_models:  # nobody knows what its contracts serve
        table.fill(place, idle=DASH, idle_usd=DASH)
    table.put("lock", place, known_sum_where(contracts.range("lock"), of_model))


def _limited(table: Table, place: int, models: Sequence[str | None], pools: Pools) -> None:
    """Writes the row of what only some may serve: it has the rate of its GPU model's contracts, and none of its own."""
    rate = table.cell("mean_rate", models.index(gpu_model_of(models[place])))
    for key in ("gpus", "usd", "idle", "idle_usd", "lock"):
        table.put(key, place, 0)
    number = table.cell("number", place)
    served = sum_where(pools.table.range("served_mean"), (pools.table.range("model_row"), number))
    table.fill(place, mean_rate=rate, served=served)


CHARTS_AT_MOST: Final = 6
CHART_ROWS: Final = 17
SHADES: Final = ("#526094", "#7381B1", "#98A3C7", "#BCC4DC", "#D8DDEB", "#E9ECF4")
"""Of layers from the bottom up: what is bought for longest is darkest."""


def write_layer_charts(hours: HourSheet, pools: Pools, commitment: Commitment) -> None:
    """A chart for each pool and model that buys layers, the most expensive first, and its table of formulas below."""
    book, inputs = hours.book, hours.inputs
    layers = commitment.layers
    bought: dict[Row, list[int]] = {}
    for place in range(layers.size):
        if layers.cell("kind", place).value == COMMITTED and layers.cell("gpus", place).number > 0:
            bought.setdefault(inputs.pairs[int(layers.cell("pool_row", place).number) - 1], []).append(place)
    most_expensive = sorted(bought, key=lambda pair: -_usd(pools, inputs, pair))[:CHARTS_AT_MOST]
    if not most_expensive:
        return
    row = pools.end_row + 1
    book.write(CALC_POOLS, row, 0, "Layers below the demand above existing contracts", "section")
    first_data_row = row + 1 + CHART_ROWS * ceil(len(most_expensive) / 2)
    fields = [Field(key="share", heading="Share of hours", style="ratio")]
    for number, pair in enumerate(most_expensive):
        name = f"{pool_words(pair.pool)} {model_words(pair.name)}"
        fields.append(
            Field(key=f"over{number}", heading=f"{name}: left over by contracts, and layers", style="mean")
        )
        fields += [
            Field(
                key=f"layer{place}",
                heading=f"{name}: {layers.cell('layer', place).value}, GPUs",
                style="mean",
            )
            for place in bought[pair]
        ]
    table = Table(book=book, sheet=CALC_POOLS, row=first_data_row, size=CURVE_STEPS + 1, fields=fields)
    for step in range(CURVE_STEPS + 1):
        share = table.put("share", step, step / CURVE_STEPS)
        for number, pair in enumerate(most_expensive):
            table.put(f"over{number}", step, busiest(hours.column(("over", *pair)).range, share))
            for place in bought[pair]:
                table.put(f"layer{place}", step, layers.cell("gpus", place))
    for number, pair in enumerate(most_expensive):
        _chart(book, table, layers, pair, number, bought[pair], row + 1 + CHART_ROWS * (number // 2))


def _usd(pools: Pools, inputs: Inputs, pair: Row) -> float:
    """What a pool and model cost a month; 0 where that is unknown, for the order of the charts alone."""
    usd = pools.table.cell("usd", inputs.pairs.index(pair))
    return usd.number if usd.is_known else 0.0


def _chart(
    book: Book, table: Table, layers: Table, pair: Row, number: int, places: list[int], row: int
) -> None:
    """Adds the chart of one pool and model: its layers as areas, what contracts leave over as a line."""
    areas = book.workbook.add_chart({"type": "area", "subtype": "stacked"})
    shares = table.range("share")
    for order, place in enumerate(places):
        fill = {"color": SHADES[min(order, len(SHADES) - 1)]}
        name = str(layers.cell("layer", place).value)
        add_series(areas, name, shares, table.range(f"layer{place}"), fill=fill)
    line = book.workbook.add_chart({"type": "line"})
    left = table.range(f"over{number}")
    add_series(
        line, "Left over by contracts", shares, left, line={"color": POOL_FILL[pair.pool], "width": 2.25}
    )
    areas.combine(line)
    # a log's text is read, not said
    title = [CALC_POOLS, table.first_row - 1, table.column_of(f"over{number}")]
    across = {**SHARES, "interval_unit": 10, "interval_tick": 10, "position_axis": "on_tick"}
    corner, up = (row, column_of_chart(book.sheets[CALC_POOLS], number)), {"name": str(titles.MEAN_GPUS)}
    put_chart(book, CALC_POOLS, areas, title, corner, (CHART_WIDTH, 336), across, up)
