"""Layers of month 0: what contracts serve, what orders of the list hold in it, what is paid by use, and the rest."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports.plan_layers import LAYERS, PLAN_LAYERS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, put_pair
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Range,
    by_row,
    call,
    formula,
    known,
    known_sum_where,
    sum_where,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import (
    Look,
    cost_per_month,
    maybe,
    report_fields,
    surely,
    text_field,
    write_figures,
)
from gpuplanner.files.workbook.kit.looks import Field
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison
from gpuplanner.files.workbook.plan.order_rows import Orders

EXISTING, COMMITTED, USAGE, UNSERVED = 1, 2, 3, 4
NOBODY: Final = "Served by nobody"
BY_USE: Final = "Paid by use, above"
NOTHING = 1e-9
"""Mean GPUs below this are none: what is left of a subtraction."""
_LOOKS: Final = {
    "term_months": Look(8),
    "offer_id": Look(24, style="muted"),
    "gpus": Look(
        10, "Ordered, or of what is paid by use the most at once; the mean in use stands beside.", "gpus"
    ),
    "cost_per_month": Look(13),
    "unused_per_month": Look(12),
    "bound": Look(13, "For lock-in: $ per month times the term."),
}
LAYER_FIELDS: Final = (
    text_field(PLAN_LAYERS, "pool", 16),
    text_field(PLAN_LAYERS, "gpu_model", 14),
    text_field(PLAN_LAYERS, "layer", 20),
    *report_fields(LAYERS, 10, _LOOKS),
    Field(
        "paid_hours",
        "Hours of month 0",
        "number",
        8,
        "That orders hold it, a mean; what is used beside is paid by use.",
    ),
    Field("kind", "Kind", "count", 7, "1 existing, 2 committed, 3 paid by use, 4 served by nobody."),
    Field("pool_row", "Pools row", "count", 8),
    Field("number", "Layer no.", "count", 8),
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
    found = []
    first_of = {
        orders.table.cell("layer_no", place).number: place for place in reversed(list(orders.places.values()))
    }
    for place, pair in enumerate(inputs.pairs):
        model, plan = pair[1], inputs.pool_plan(pair)
        if inputs.has_existing(model):
            found.append(LayerRow(place, EXISTING))
        found += [
            LayerRow(place, COMMITTED, number, first_of[number])
            for key, number in orders.layers.items()
            if key[0] == pair
        ]
        is_refused = inputs.is_refused(pair)
        if not is_refused:
            found.append(LayerRow(place, USAGE))
        if is_refused or (plan is not None and plan.unserved_gpu_hours / HOURS_PER_MONTH > NOTHING):
            found.append(LayerRow(place, UNSERVED))
    return found


class LayerWriter:
    """Writes rows of layers: sums over the orders of the list, and over what they serve and leave."""

    def __init__(
        self, table: Table, inputs: Inputs, named: Named, orders: Orders, comparison: Comparison
    ) -> None:
        """table: of LAYER_FIELDS."""
        self.table, self.inputs, self.named = table, inputs, named
        self.orders, self.advised = orders, comparison.advised

    def write(self, place: int, layer: LayerRow, pools: Table, mean_rate: Expr) -> None:
        """One layer. pools: the table of the sheet Pools; mean_rate: of its model's contracts."""
        table = self.table
        put_pair(table, place, self.inputs.pairs[layer.pair_place])
        table.put("pool_row", place, layer.pair_place + 1)
        table.put("kind", place, layer.kind)
        table.put("number", place, layer.number if layer.kind == COMMITTED else "")
        if layer.kind == COMMITTED:
            self._committed(place, layer)
            return
        table.fill(place, term_months=0 if layer.kind == USAGE else None, paid_hours="")
        for key in ("unused_per_month", "bound"):
            table.put(key, place, 0)
        if layer.kind == EXISTING:
            self._existing(place, pools.cell("served_mean", layer.pair_place), mean_rate)
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
        table.fill(place, layer="Existing contracts", offer_id="see Contracts")
        gpus = table.put("gpus", place, served, "mean")
        rate = table.put("rate", place, rate)
        table.fill(place, busy_gpus=gpus, utilization=when(gpus < NOTHING, DASH, 1))
        usd = cost_per_month(gpus, rate, self.named.hours_per_month)
        table.put("cost_per_month", place, when(gpus < NOTHING, 0, usd))

    def _by_use(self, place: int, layer: LayerRow, usage_rate: Expr) -> None:
        """What orders leave, paid by use."""
        table, bands = self.table, self.advised.bands
        table.fill(place, layer=BY_USE, offer_id="by workload")
        hours = self.named.hours_per_month
        gpus = table.put("gpus", place, self._of_bands("open0", layer), "mean")
        busy = table.put("busy_gpus", place, self._of_bands("h0", layer) / hours)
        mine = (bands.range("pool_row"), layer.pair_place + 1)
        usd = table.put("cost_per_month", place, known_sum_where(bands.range("usd0"), mine))
        table.put("rate", place, when(busy < NOTHING, usage_rate, known([usd], usd / (busy * hours))))
        write_figures(table, place, LAYER, {"busy_gpus": surely(busy), "gpus": surely(gpus)}, ["utilization"])

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
        write_figures(table, place, LAYER, {"busy_gpus": surely(busy), "gpus": surely(size)}, ["utilization"])
        usd = table.put("cost_per_month", place, known_sum_where(self.advised.dollars.range("usd0"), mine))
        rate = table.put(
            "rate", place, known([usd], when(paid_hours > NOTHING, usd / (size * paid_hours), DASH))
        )
        given = {
            "mean_gpus": surely(size),
            "busy_gpus": surely(busy),
            "rate": maybe(rate),
            "paid_hours": surely(paid_hours),
        }
        unused = LAYER.value("unused_per_month", given)
        table.put("unused_per_month", place, when(size < NOTHING, 0, unused.live))
        table.put("bound", place, known_sum_where(self.advised.dollars.range("bound"), mine))
