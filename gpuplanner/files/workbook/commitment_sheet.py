"""Commitment: the layers of every pool with yellow sizes, idle contracts, the plan in one pool, and the orders."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isclose

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.workbook.assumptions_sheet import Named
from gpuplanner.files.workbook.book import Book, Field, Table, written_date
from gpuplanner.files.workbook.contracts_sheet import Contracts
from gpuplanner.files.workbook.demand_sheet import HourColumn, HourSheet
from gpuplanner.files.workbook.expressions import (
    DASH,
    Expr,
    call,
    known,
    known_sum_where,
    lift,
    sum_where,
    when,
)
from gpuplanner.files.workbook.inputs import Inputs, model_order, model_words, pool_words
from gpuplanner.files.workbook.layer_rows import LayerRow, layer_rows
from gpuplanner.files.workbook.mapped_models import PAID, WORTH, paid_for
from gpuplanner.files.workbook.pools_sheet import Pools, usage_blend
from gpuplanner.files.workbook.prices_sheet import Prices
from gpuplanner.files.workbook.workloads_sheet import Workloads

SHEET = "Commitment"
EXISTING, COMMITTED, USAGE = 1, 2, 3
NOTHING = 1e-9
"""Mean GPUs below this are none: what is left of a subtraction."""

LAYER_FIELDS = (
    Field("pool", "Pool", width=16),
    Field("gpu_model", "GPU model", width=14),
    Field("layer", "Layer", width=20),
    Field("term", "Term, months", "count", 8),
    Field("offer", "Offer advised", "muted", 24),
    Field(
        "gpus",
        "GPUs",
        "mean",
        10,
        "Bought, or of what is paid by use the most at once; the mean in use stands beside.",
    ),
    Field("below", "GPUs below", "mean", 10, "Where the layer begins: the sizes of the layers under it."),
    Field("rate", "Rate, $ per GPU-h", "rate", 10),
    Field("busy", "Busy, mean GPUs", "mean", 10),
    Field("utilization", "Utilization", "ratio", 10),
    Field("usd", "$ per month", "usd", 13),
    Field("unused", "Unused, $ per month", "usd", 12),
    Field("lock", "$ x months", "usd", 13, "For lock-in: $ per month times the term."),
    Field("kind", "Kind", "count", 7, "1 existing, 2 committed, 3 paid by use."),
    Field("pool_row", "Pools row", "count", 8),
)

MODEL_FIELDS = (
    Field("gpu_model", "GPU model"),
    Field("number", "Model row", "count"),
    Field("gpus", "Existing, GPUs", "gpus"),
    Field("usd", "Existing, $ per month", "usd"),
    Field("rate", "Mean rate, $ per GPU-h", "rate"),
    Field("served", "Served, mean GPUs", "mean"),
    Field("idle", "Idle, mean GPUs", "mean"),
    Field("idle_usd", "Idle, $ per month", "usd"),
    Field("lock", "$ x months left", "usd"),
    Field("r_flex", "Usage rate of all workloads, $ per GPU-h", "rate"),
)


@dataclass(frozen=True, slots=True)
class Commitment:
    """The sheet's tables, and named sums below them (see _TOTALS)."""

    layers: Table
    joint: Table
    models: Table
    totals: Table

    def total(self, key: str) -> Expr:
        """One of the sums."""
        return self.totals.cell("value", [total[0] for total in _TOTALS].index(key))


_TOTALS = (
    ("layers_usd", "Layers of the plan", "usd"),
    ("idle_usd", "Existing contracts, paid and idle", "usd"),
    ("plan_usd", "Plan: layers and idle existing contracts", "usd"),
    ("committed_gpus", "New commitments, GPUs", "gpus"),
    ("existing_gpus", "Existing contracts through month 0, GPUs", "gpus"),
    ("usage_busy", "Paid by use, mean GPUs", "mean"),
    ("unused_usd", "New commitments, not busy", "usd"),
    ("lock", "New commitments, $ x months", "usd"),
    ("existing_usd", "Existing contracts, used or idle", "usd"),
    ("existing_lock", "Existing contracts, $ x months left", "usd"),
    ("joint_layers_usd", "Layers with all workloads of a model in one pool", "usd"),
    ("joint_usd", "Plan with all workloads of a model in one pool", "usd"),
)


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
    is_mapped = any(need.ratios for need in prices.needs)
    fields = (*LAYER_FIELDS, WORTH, PAID) if is_mapped else LAYER_FIELDS
    rows = [
        (place, layer)
        for place, pair in enumerate(inputs.pairs)
        for layer in [
            *_existing_row(inputs, pair[1]),
            *_rows_for(inputs.pool_plan(pair), prices, prices.plan[pair]),
        ]
    ]
    book.write(SHEET, row, 0, "Layers of the plan", "section")
    layers = Table(book, SHEET, row + 1, len(rows), fields, name="LayerList")
    layers.widen()
    book.sheets[SHEET].freeze_panes(layers.first_row, 3)
    book.write(SHEET, layers.end_row + 1, 0, "Existing contracts by model, month 0", "section")
    model_table = Table(book, SHEET, layers.end_row + 2, len(models), MODEL_FIELDS)
    for place, model in enumerate(models):
        _model(model_table, place, model, inputs, contracts.table, workloads, pools, named)
    writer = _LayerWriter(book, layers, hours, prices, named)
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
            writer.write(place, layer, column, need, pools.table.cell("r_flex", pair_place), above)
        else:
            served, rate = (
                pools.table.cell("served_mean", pair_place),
                model_table.cell("rate", models.index(model)),
            )
            _existing_layer(layers, place, served, rate, named)
        layers.put("pool", place, pool_words(pool), f"pool_{pool}")
        layers.put("gpu_model", place, model_words(model))
        layers.put("pool_row", place, pair_place + 1)
    joint = _write_joint(book, inputs, named, prices, hours, model_table, models)
    totals = _write_totals(book, inputs, layers, joint, model_table)
    _write_orders(book, inputs, totals.end_row + 1)
    return Commitment(layers, joint, model_table, totals)


def _model_names(inputs: Inputs) -> list[str | None]:
    """Models with demand in the plan first (their place is the model row), then those that only contracts have."""
    models = list(inputs.joint_needs)
    if not inputs.scenario.greenfield:
        models += sorted({row.gpu_model for row in inputs.contracts} - set(models), key=model_order)
    return models


def _existing_row(inputs: Inputs, model: str | None) -> list[LayerRow | None]:
    """None stands for the row of existing contracts, where the plan has any of the model."""
    has_any = any(row.gpu_model == model and row.is_committed for row in inputs.contracts)
    return [None] if has_any and not inputs.scenario.greenfield else []


def _rows_for(plan: PoolPlan | None, prices: Prices, need: int) -> list[LayerRow]:
    eligible = prices.needs[need].eligible
    terms = {
        offer.term_months
        for offer in prices.listed
        if offer.offer_id in eligible
        and offer.pricing_category is PricingCategory.COMMITTED
        and offer.lead_time_hours <= HOURS_PER_MONTH
        and max(1, offer.min_term_months) <= offer.term_months
    }
    return layer_rows(plan, sorted(terms))


def _existing_layer(table: Table, place: int, served: Expr, rate: Expr, named: Named) -> None:
    table.put("layer", place, "Existing contracts")
    table.put("term", place, None)
    table.put("offer", place, "see Contracts")
    gpus = table.put("gpus", place, Expr(served.text, served.value, True))
    table.put("below", place, 0)
    mean_rate = table.put("rate", place, Expr(rate.text, rate.value, True))
    table.put("busy", place, Expr(gpus.text, gpus.value, True))
    table.put("utilization", place, when(gpus < NOTHING, DASH, 1))
    usd = known([mean_rate], gpus * mean_rate * named.hours_per_month)
    table.put("usd", place, when(gpus < NOTHING, 0, usd))
    table.put("unused", place, 0)
    table.put("lock", place, 0)
    table.put("kind", place, EXISTING)


class _LayerWriter:
    """Writes rows of new layers into a table of them."""

    def __init__(self, book: Book, table: Table, hours: HourSheet, prices: Prices, named: Named) -> None:
        self.book, self.table, self.hours, self.prices, self.named = book, table, hours, prices, named
        self._bought: dict[tuple[int, int, str | None], list[Expr]] = {}  # GPUs by need, term and offer

    def write(
        self, place: int, layer: LayerRow, column: HourColumn, need: int, r_flex: Expr, above: int | None
    ) -> None:
        """One layer over a column of demand; above: the place after the layer it stands on (None: the bottom)."""
        table, month = self.table, self.named.hours_per_month
        if above is None:
            below = table.put("below", place, 0)
        else:
            below = table.put("below", place, table.cell("below", above - 1) + table.cell("gpus", above - 1))
        term = table.put("term", place, layer.term_months)
        table.put("offer", place, layer.offer_id or ("" if layer.is_committed else "by workload"))
        table.put("layer", place, _layer_words(layer))
        if layer.gpus is None:
            gpus = table.put("gpus", place, self._busy_at_all(column, below, layer))
            busy = table.put("busy", place, self.hours.mean_between(column, below, None))
        else:
            gpus = table.put("gpus", place, layer.gpus, "mean.input" if layer.is_committed else "mean")
            if layer.is_committed:
                self._validate(place)
            busy = table.put("busy", place, self.hours.mean_between(column, below, gpus))
        table.put("utilization", place, when(gpus > 0, busy / gpus, DASH))
        if not layer.is_committed:
            rate = table.put("rate", place, Expr(r_flex.text, r_flex.value, True))
            usd = known([rate], busy * rate * month)
            table.put("usd", place, when(busy < NOTHING, 0, usd))
            table.put("unused", place, 0)
            table.put("lock", place, 0)
            table.put("kind", place, USAGE)
            return
        found, worth = self._committed_rate(layer, need, term)
        rate = table.put("rate", place, found)
        paid, idle = gpus, gpus - busy
        if self.prices.needs[need].ratios:
            ratio = table.put("worth", place, self.prices.worth(need, term, rate) if worth is None else worth)
            before = self._bought.setdefault((need, layer.term_months, layer.offer_id), [])
            paid = table.put("paid", place, paid_for(gpus, ratio, before))
            idle = paid * idle / gpus
            before.append(gpus)
        usd = table.put("usd", place, when(gpus.equals(0), 0, known([rate], paid * rate * month)))
        table.put("unused", place, when(gpus.equals(0), 0, known([rate], idle * rate * month)))
        table.put("lock", place, known([usd], usd * term))
        table.put("kind", place, COMMITTED)

    def _busy_at_all(self, column: HourColumn, below: Expr, layer: LayerRow) -> Expr:
        """GPUs of the slices above that are busy at all, in whole blocks."""
        block = lift(layer.block)
        peak = call("MAX", float(column.values.max()), column.range)
        slices = max(0.0, ceil(round((peak.number - below.number) / block.number, 6)))
        text = f"{block.text}*MAX(0,ROUNDUP(ROUND(({peak.text}-{below.text})/{block.text},6),0))"
        return Expr(text, slices * block.number)

    def _committed_rate(self, layer: LayerRow, need: int, term: Expr) -> tuple[Expr, Expr | None]:
        """The cheapest offer of the term; the advised offer's own rate where it is another (an offer had a maximum).

        With what one GPU of that other offer is worth; None: of the cheapest.
        """
        cheapest = self.prices.committed(need, term)
        if layer.advised_rate is None or (
            cheapest.is_known and isclose(layer.advised_rate, cheapest.number, rel_tol=1e-12)
        ):
            return cheapest, None
        place = next(
            (number for number, offer in enumerate(self.prices.listed) if offer.offer_id == layer.offer_id),
            None,
        )
        if place is None:
            return cheapest, None
        rate, worth = self.prices.offer_for(place, need)
        ratio = Expr("1", 1.0, True) if worth is None else Expr(worth.text, worth.value, True)
        return known([rate], Expr(rate.text, rate.value, True)), ratio

    def _validate(self, place: int) -> None:
        row, column = self.table.first_row + place, self.table.column_of("gpus")
        self.book.sheets[SHEET].data_validation(
            row,
            column,
            row,
            column,
            {
                "validate": "decimal",
                "criteria": ">=",
                "value": 0,
                "error_title": "Size of a layer",
                "error_message": "Enter GPUs, 0 or more.",
            },
        )


def _layer_words(layer: LayerRow) -> str:
    if not layer.is_committed:
        return "Paid by use" if layer.gpus is not None else "Paid by use, above"
    return f"{layer.term_months} month" + ("s" if layer.term_months > 1 else "")


def _model(
    table: Table,
    place: int,
    model: str | None,
    inputs: Inputs,
    contracts: Table,
    workloads: Workloads,
    pools: Pools,
    named: Named,
) -> None:
    table.put("gpu_model", place, model_words(model))
    number = table.put("number", place, place + 1)
    mine = ((contracts.range("model_no"), inputs.models.index(model) + 1), (contracts.range("existing"), 1))
    if inputs.scenario.greenfield:
        mine = ((contracts.range("model_no"), -1), mine[1])
    gpus = table.put("gpus", place, sum_where(contracts.range("gpus"), *mine))
    usd = table.put("usd", place, known_sum_where(contracts.range("month0"), *mine))
    rate = table.put("rate", place, when(gpus > 0, known([usd], usd / (gpus * named.hours_per_month)), DASH))
    served = table.put(
        "served", place, sum_where(pools.table.range("served_mean"), (pools.table.range("joint_row"), number))
    )
    idle = table.put("idle", place, gpus - served)
    idle_usd = known([rate], idle * rate * named.hours_per_month)
    table.put("idle_usd", place, when(idle < NOTHING, 0, idle_usd))
    table.put("lock", place, known_sum_where(contracts.range("lock"), *mine))
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
    is_mapped = any(need.ratios for need in prices.needs)
    fields = (*LAYER_FIELDS, WORTH, PAID) if is_mapped else LAYER_FIELDS
    table = Table(book, SHEET, start + 1, len(rows), fields)
    writer = _LayerWriter(book, table, hours, prices, named)
    for place, (model, layer, is_bottom) in enumerate(rows):
        number = models.index(model)
        above = None if is_bottom else place
        column, need = hours.column(("over_joint", model)), prices.joint[model]
        writer.write(place, layer, column, need, model_table.cell("r_flex", number), above)
        table.put("pool", place, "all pools")
        table.put("gpu_model", place, model_words(model))
        table.put("pool_row", place, number + 1)
    return table


def _write_totals(book: Book, inputs: Inputs, layers: Table, joint: Table, models: Table) -> Table:
    book.write(SHEET, joint.end_row + 1, 0, "Sums", "section")
    fields = (
        Field("title", "Sum"),
        *(Field(f"beside{place}", "") for place in range(3)),  # titles run over into these
        Field("value", "Value", "usd"),
        Field("unit", "Unit"),
    )
    table = Table(book, SHEET, joint.end_row + 2, len(_TOTALS), fields)
    kinds = layers.range("kind")
    cells: dict[str, Expr] = {}

    def put(key: str, content: Expr) -> Expr:
        place = [total[0] for total in _TOTALS].index(key)
        _, title, style = _TOTALS[place]
        table.put("title", place, title)
        unit = "$ x months" if key.endswith("lock") else "$ per month" if style == "usd" else "GPUs"
        table.put("unit", place, unit)
        cells[key] = table.put("value", place, content, style)
        return cells[key]

    put("layers_usd", layers.range("usd").known_sum())
    put("idle_usd", models.range("idle_usd").known_sum())
    put("plan_usd", known([cells["layers_usd"], cells["idle_usd"]], cells["layers_usd"] + cells["idle_usd"]))
    put("committed_gpus", sum_where(layers.range("gpus"), (kinds, COMMITTED)))
    put("existing_gpus", models.range("gpus").sum())
    put("usage_busy", sum_where(layers.range("busy"), (kinds, USAGE)))
    put("unused_usd", known_sum_where(layers.range("unused"), (kinds, COMMITTED)))
    put("lock", layers.range("lock").known_sum())
    put("existing_usd", models.range("usd").known_sum())
    put("existing_lock", models.range("lock").known_sum())
    has_joint = inputs.evaluation.outlook is not None
    put("joint_layers_usd", joint.range("usd").known_sum() if has_joint else Expr(f'"{DASH}"', DASH, True))
    parts = [cells["joint_layers_usd"], cells["existing_usd"]]
    put("joint_usd", known(parts, parts[0] + parts[1]))
    return table


def _write_orders(book: Book, inputs: Inputs, row: int) -> None:
    book.write(SHEET, row, 0, "Orders of the next twelve months, from the app", "section")
    fields = (
        Field("pool", "Pool"),
        Field("gpu_model", "GPU model"),
        Field("reason", "Why"),
        Field("term", "Term, months", "count"),
        Field("offer", "Offer", "muted"),
        Field("gpus", "GPUs", "gpus"),
        Field("start", "Start"),
        Field("order_by", "Order by"),
    )
    table = Table(book, SHEET, row + 1, len(inputs.advice.orders), fields)
    words = {"now": "now", "contract_end": "a contract ends", "lead_time": "lead time", "growth": "growth"}
    for place, order in enumerate(inputs.advice.orders):
        table.put("pool", place, pool_words(order.pool), _pool_style(order.pool))
        is_mapped = (
            None not in (order.gpu_model, order.offer_gpu_model) and order.gpu_model != order.offer_gpu_model
        )
        model = (
            f"{order.offer_gpu_model} for {order.gpu_model}" if is_mapped else model_words(order.gpu_model)
        )
        table.put("gpu_model", place, model)
        table.put("reason", place, words.get(order.reason, order.reason))
        table.put("term", place, order.term_months)
        table.put("offer", place, order.offer_id)
        table.put("gpus", place, order.gpus if order.offer_gpus is None else order.offer_gpus)
        table.put("start", place, written_date(order.start_s))
        table.put("order_by", place, written_date(order.order_by_s))


def _pool_style(pool: Pool) -> str:
    return f"pool_{pool}"
