"""Commitment: the layers of every pool with yellow sizes, idle contracts, the plan in one pool, and the orders."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.model.book.only import ANYBODY, gpu_model_of, only_of
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports.plan.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.demand.pools_sheet import Pools, usage_blend
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.mapped_models import PAID, WORTH
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_order, model_words, pool_words
from gpuplanner.files.workbook.inputs.workloads_sheet import Workloads
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, known_sum_where, sum_where, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, text_field
from gpuplanner.files.workbook.kit.monthly_costs import cost_per_month, mean_rate
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.commitment_layers import (
    GIVEN_UP_FIELDS,
    LAYER_FIELDS,
    NOTHING,
    LayerWriter,
    existing_layer,
)
from gpuplanner.files.workbook.plan.commitment_totals import TOTALS, write_totals
from gpuplanner.files.workbook.plan.layer_rows import LayerRow, layer_rows

SHEET = "Commitment"


MODEL_FIELDS = (
    text_field(PLAN_LAYERS, "gpu_model"),
    Field("number", "Model row", "count"),
    Field("gpus", "Existing, GPUs", "gpus"),
    Field("usd", "Existing, $ per month", "usd"),
    figure_field(LAYER["mean_rate"]),
    Field("served", "Served, mean GPUs", "mean"),
    Field("idle", "Idle, mean GPUs", "mean"),
    Field("idle_usd", "Idle, $ per month", "usd"),
    Field("lock", "$ x months left", "usd"),
    Field("r_flex", "Usage rate of all workloads, $ per GPU-h", "rate"),
)
"""Existing contracts over all pools: workings of the plan in one pool, which no report lists."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """The sheet's tables, and named sums below them (see TOTALS)."""

    layers: Table
    joint: Table
    models: Table
    totals: Table

    def total(self, key: str) -> Expr:
        """One of the sums."""
        return self.totals.cell("value", [total[0] for total in TOTALS].index(key))


def write_commitment(
    book: Book,
    inputs: Inputs,
    named: Named,
    prices: Prices,
    contracts: Contracts,
    hours: HourSheet,
    workloads: Workloads,
    pools: Pools,
) -> Commitment:
    """Write the sheet; the sizes come from the app, everything after them is formulas."""
    row = book.title(
        SHEET,
        "Commitment",
        (
            "Yellow sizes are inputs, advised by the app or set by hand in it; utilization and cost "
            "follow from the Demand sheet."
        ),
        (
            "Layers stand on each other from the bottom: the first row of a pool is busy first. A term "
            "of 0 GPUs is for sale and not taken."
        ),
    )
    models = _model_names(inputs)
    rows = [
        (place, layer)
        for place, pair in enumerate(inputs.pairs)
        for layer in [
            *_existing_row(inputs, gpu_model_of(pair[1])),
            *_rows_for(inputs.pool_plan(pair), prices, prices.plan[pair]),
        ]
    ]
    fields = _fields(prices, [layer for _, layer in rows])
    book.write(SHEET, row, 0, "Layers of the plan", "section")
    layers = Table(book, SHEET, row + 1, len(rows), fields, name="LayerList", watch=_of_layers("Layers"))
    layers.widen()
    book.sheets[SHEET].freeze_panes(layers.first_row, 3)
    book.write(SHEET, layers.end_row + 1, 0, "Existing contracts by model, month 0", "section")
    model_table = Table(book, SHEET, layers.end_row + 2, len(models), MODEL_FIELDS)
    for place in sorted(range(len(models)), key=lambda at: only_of(models[at]) != ANYBODY):
        _model(model_table, place, models, inputs, contracts.table, workloads, pools, named)
    writer = LayerWriter(book, layers, hours, prices, named)
    for place, (pair_place, layer) in enumerate(rows):
        pool, model = inputs.pairs[pair_place]
        if isinstance(layer, LayerRow):
            above = (
                place
                if place and rows[place - 1][0] == pair_place and rows[place - 1][1] is not None
                else None
            )
            column = hours.column(("over", pool, model))
            need = prices.plan[pool, model]
            stepped = prices.steps.of_blend([(pool, model)], 0)
            flex = None if inputs.is_refused((pool, model)) else pools.table.cell("r_flex", pair_place)
            writer.write(place, layer, column, need, flex, above, stepped)
        else:
            served, rate = (
                pools.table.cell("served_mean", pair_place),
                model_table.cell("mean_rate", models.index(model)),
            )
            existing_layer(layers, place, served, rate, named)
        layers.put("pool", place, pool_words(pool), f"pool_{pool}")
        layers.put("gpu_model", place, model_words(model))
        layers.put("pool_row", place, pair_place + 1)
    joint = _write_joint(book, inputs, named, prices, hours, model_table, models)
    totals = write_totals(book, inputs, layers, joint, model_table)
    return Commitment(layers, joint, model_table, totals)


def _fields(prices: Prices, layers: Sequence[LayerRow | None]) -> Sequence[Field]:
    """The columns of layers: with what is paid for where that is another number of GPUs than serves, and what is given
    up where a budget takes some."""
    is_worth = any(need.ratios for need in prices.needs)
    is_paid = is_worth or any(map(prices.are_whole, range(len(prices.needs))))
    is_given_up = any(layer is not None and layer.given_up for layer in layers)
    return (
        *LAYER_FIELDS,
        *((WORTH,) if is_worth else ()),
        *((PAID,) if is_paid else ()),
        *(GIVEN_UP_FIELDS if is_given_up else ()),
    )


def _of_layers(title: str) -> Watch:
    """Layers are told by their place: they stand on each other."""
    return Watch(title, named_by=("pool", "gpu_model", "layer"), values=True)


def _model_names(inputs: Inputs) -> list[str | None]:
    """Models with demand in the plan first (their place is the model row), then those that only contracts have."""
    models = list(inputs.joint_needs)
    bare = {gpu_model_of(model) for model in models if only_of(model) != ANYBODY}
    owned = set() if inputs.scenario.greenfield else {row.gpu_model for row in inputs.contracts}
    return models + sorted((owned | bare) - set(models), key=model_order)


def _existing_row(inputs: Inputs, model: str | None) -> list[LayerRow | None]:
    """None stands for the row of existing contracts, where the plan has any of the model."""
    has_any = any(row.gpu_model == model and row.is_committed for row in inputs.contracts)
    return [None] if has_any and not inputs.scenario.greenfield else []


def _rows_for(plan: PoolPlan | None, prices: Prices, need: int) -> list[LayerRow]:
    """The rows of a pool's layers: those of the plan, and an empty one for each other term on sale."""
    eligible = prices.needs[need].eligible
    terms = {
        offer.term_months
        for offer in prices.listed
        if offer.offer_id in eligible
        and offer.pricing_category.is_commitment
        and offer.lead_time_hours <= HOURS_PER_MONTH
        and max(1, offer.min_term_months) <= offer.term_months
    }
    return layer_rows(plan, sorted(terms))


def _model(
    table: Table,
    place: int,
    models: Sequence[str | None],
    inputs: Inputs,
    contracts: Table,
    workloads: Workloads,
    pools: Pools,
    named: Named,
) -> None:
    """Writes a GPU model over all pools: contracts, their mean rate, what they serve and what stays idle.

    What only some may serve has a row of its own: contracts and what is idle of them stand in that of its GPU model.
    """
    model = models[place]
    table.put("gpu_model", place, model_words(model))
    number = table.put("number", place, place + 1)
    if only_of(model) != ANYBODY:
        _limited(table, place, models, workloads, pools)
        return
    number_of = inputs.models.index(model) + 1 if model in inputs.models else -1
    mine = ((contracts.range("model_no"), number_of), (contracts.range("existing"), 1))
    if inputs.scenario.greenfield:
        mine = ((contracts.range("model_no"), -1), mine[1])
    gpus = table.put("gpus", place, sum_where(contracts.range("gpus"), *mine))
    usd = table.put("usd", place, known_sum_where(contracts.range("month0"), *mine))
    rate = table.put("mean_rate", place, mean_rate(usd, gpus, named.hours_per_month))
    served_by = sum_where(pools.table.range("served_mean"), (pools.table.range("joint_row"), number))
    for other, name in enumerate(models):
        if name != model and gpu_model_of(name) == model:
            of_other = (pools.table.range("joint_row"), other + 1)
            served_by = served_by + sum_where(pools.table.range("served_mean"), of_other)
    served = table.put("served", place, served_by)
    idle = table.put("idle", place, gpus - served)
    idle_usd = cost_per_month(idle, rate, named.hours_per_month)
    table.put("idle_usd", place, when(idle < NOTHING, 0, idle_usd))
    advice = inputs.evaluation.advice
    if (
        advice is not None and model in advice.asked_models
    ):  # nobody has said yet which jobs its contracts serve
        table.put("idle", place, DASH)
        table.put("idle_usd", place, DASH)
    table.put("lock", place, known_sum_where(contracts.range("lock"), *mine))
    table.put("r_flex", place, usage_blend(workloads.table, (workloads.table.range("joint_row"), number)))


def _limited(
    table: Table, place: int, models: Sequence[str | None], workloads: Workloads, pools: Pools
) -> None:
    """Writes the row of what only some may serve: it has the rate of its GPU model's contracts, and none of its own."""
    rate = table.cell("mean_rate", models.index(gpu_model_of(models[place])))
    for key in ("gpus", "usd", "idle", "idle_usd", "lock"):
        table.put(key, place, 0)
    number = table.cell("number", place)
    served = sum_where(pools.table.range("served_mean"), (pools.table.range("joint_row"), number))
    table.put("mean_rate", place, Expr(rate.text, rate.value, True))
    table.put("served", place, served)
    table.put("r_flex", place, usage_blend(workloads.table, (workloads.table.range("joint_row"), number)))


def _write_joint(
    book: Book,
    inputs: Inputs,
    named: Named,
    prices: Prices,
    hours: HourSheet,
    model_table: Table,
    models: Sequence[str | None],
) -> Table:
    """The plan with all workloads of a model in one pool: what separation is compared with."""
    rows: list[tuple[str | None, LayerRow, bool]] = []
    for model, plan in inputs.joint_plans.items():
        if model in inputs.joint_needs:
            found = _rows_for(plan, prices, prices.joint[model])
            rows += [(model, layer, place == 0) for place, layer in enumerate(found)]
    start = model_table.end_row + 1
    book.write(
        SHEET, start, 0, "All workloads of a model in one pool: the plan without separation", "section"
    )
    fields = _fields(prices, [layer for _, layer, _ in rows])
    table = Table(book, SHEET, start + 1, len(rows), fields, watch=_of_layers("Layers in one pool"))
    writer = LayerWriter(book, table, hours, prices, named)
    for place, (model, layer, is_bottom) in enumerate(rows):
        number = models.index(model)
        above = None if is_bottom else place
        column, need = hours.column(("over_joint", model)), prices.joint[model]
        pairs = [pair for pair in inputs.pairs if pair[1] == model]
        stepped = prices.steps.of_blend(pairs, 0)
        flex = None if inputs.is_refused_in_one_pool(model) else model_table.cell("r_flex", number)
        writer.write(place, layer, column, need, flex, above, stepped)
        table.put("pool", place, "all pools")
        table.put("gpu_model", place, model_words(model))
        table.put("pool_row", place, number + 1)
    return table
