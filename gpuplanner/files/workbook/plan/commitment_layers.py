"""Rows of layers in the workbook: a size to edit, and what follows from it in formulas."""

from math import ceil, isclose
from typing import Final

from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.reports.plan.layers import LAYERS
from gpuplanner.domain.reports.plan.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.mapped_models import paid_for
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, copy_of, highest, known, scaled, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import (
    Cell,
    Look,
    beside,
    maybe,
    report_fields,
    surely,
    text_field,
    write_figures,
)
from gpuplanner.files.workbook.kit.input_rules import take_numbers
from gpuplanner.files.workbook.kit.monthly_costs import cost_per_month
from gpuplanner.files.workbook.plan.layer_rows import LayerRow

EXISTING, COMMITTED, USAGE, UNSERVED = 1, 2, 3, 4
NOTHING = 1e-9
"""Mean GPUs below this are none: what is left of a subtraction."""
_LOOKS: Final = {
    "term_months": Look(8),
    "offer_id": Look(
        24, "Whose rate it is: as the app advises, while no other of the term is cheaper.", "muted"
    ),
    "gpus": Look(10, "Bought, or of what is paid by use the most at once; the mean in use stands beside."),
    "cost_per_month": Look(13),
    "unused_per_month": Look(12),
    "bound": Look(13, "For lock-in: $ per month times the term."),
}
BELOW: Final = Field(
    "below", "GPUs below", "mean", 10, "Where the layer begins: the sizes of the layers under it."
)
LAYER_FIELDS: Final = (
    text_field(PLAN_LAYERS, "pool", 16),
    text_field(PLAN_LAYERS, "gpu_model", 14),
    text_field(PLAN_LAYERS, "layer", 20),
    *beside(report_fields(LAYERS, 10, _LOOKS), {"gpus": BELOW}),
    Field("kind", "Kind", "count", 7, "1 existing, 2 committed, 3 paid by use, 4 served by nobody."),
    Field("pool_row", "Pools row", "count", 8),
    Field(
        "whole",
        "Whole, GPUs",
        "gpus.fixed",
        8,
        "GPUs that come together: of a block where they are paid by use, of what the offer sells.",
    ),
    Field("offer_no", "Offer no.", "count", 8, "The number on Prices of the offer whose rate it is."),
)
"""What a layer is and what it comes to, by the reports of a plan; where it begins, kind and row are workings."""
GIVEN_UP_FIELDS: Final = (
    Field(
        "given_from",
        "Given up from GPU",
        "mean.fixed",
        11,
        "For good, by the plan, so that it keeps to its budget.",
    ),
    Field("given_to", "Given up to GPU", "mean.fixed", 11),
)
"""What a plan decided that keeps to a budget; larger layers below may serve it all the same."""


def existing_layer(table: Table, place: int, served: Expr, rate: Expr, named: Named) -> None:
    """The row of existing contracts of a pool. served: their mean GPUs in use; rate: their mean rate."""
    table.put("layer", place, "Existing contracts")
    table.put("term_months", place, None)
    table.put("offer_id", place, "see Contracts")
    gpus = table.put("gpus", place, Expr(served.text, served.value, True))
    table.put("below", place, 0)
    rate = table.put("rate", place, Expr(rate.text, rate.value, True))
    table.put("busy_gpus", place, Expr(gpus.text, gpus.value, True))
    table.put("utilization", place, when(gpus < NOTHING, DASH, 1))
    usd = cost_per_month(gpus, rate, named.hours_per_month)
    table.put("cost_per_month", place, when(gpus < NOTHING, 0, usd))
    table.put("unused_per_month", place, 0)
    table.put("bound", place, 0)
    table.put("kind", place, EXISTING)
    _leave(table, place, "whole", "offer_no")


def _leave(table: Table, place: int, *keys: str) -> None:
    """Cells that a row has nothing for."""
    for key in keys:
        table.put(key, place, "")


class LayerWriter:
    """Writes rows of new layers into a table of them."""

    def __init__(self, book: Book, table: Table, hours: HourSheet, prices: Prices, named: Named) -> None:
        self.book, self.table, self.hours, self.prices, self.named = book, table, hours, prices, named
        self._bought: dict[tuple[int, int, str | None], list[Expr]] = {}  # GPUs by need, term and offer

    def write(
        self,
        place: int,
        layer: LayerRow,
        column: HourColumn,
        need: int,
        r_flex: Expr | None,
        above: int | None,
        stepped: Expr | None = None,
    ) -> None:
        """One layer over a column of demand; above: the place after the layer it stands on (None: the bottom).

        r_flex: None where nobody who may serve it sells by use. stepped: what a dated step of prices makes of it in
        month 0; None: nothing.
        """
        table, month = self.table, self.named.hours_per_month
        below, end = self._begins(place, layer, above)
        term = table.put("term_months", place, layer.term_months)
        is_refused = layer.given_up is not None or (r_flex is None and not layer.is_committed)
        table.put("layer", place, _layer_words(layer, term, is_refused))
        together = self.prices.unit_of(layer.offer_id) if layer.is_committed else layer.block
        whole = table.put("whole", place, together)
        if end is not None:
            gpus = table.put("gpus", place, highest(0, end - below))
            busy = table.put("busy_gpus", place, self.hours.mean_between(column, below, gpus))
        elif layer.gpus is None:
            gpus = table.put("gpus", place, self._busy_at_all(column, below, whole))
            busy = table.put("busy_gpus", place, self.hours.mean_between(column, below, None))
        else:
            gpus = table.put("gpus", place, layer.gpus, "mean.input" if layer.is_committed else "mean")
            if layer.is_committed:
                take_numbers(table, "gpus", words="Enter GPUs, 0 or more.", place=place)
            busy = table.put("busy_gpus", place, self.hours.mean_between(column, below, gpus))
        write_figures(table, place, LAYER, {"busy_gpus": surely(busy), "gpus": surely(gpus)}, ["utilization"])
        if is_refused:
            for key in ("rate", "cost_per_month", "unused_per_month", "bound"):
                table.put(key, place, DASH if key == "rate" else 0)
            table.put("kind", place, UNSERVED)
            _leave(table, place, "offer_no")
            return
        if not layer.is_committed:
            assert r_flex is not None  # else it is refused
            table.put("offer_id", place, "by workload")
            paid_by_use = Expr(r_flex.text, r_flex.value, True)
            at_prices = paid_by_use if stepped is None else known([r_flex], scaled(r_flex, stepped))
            rate = table.put("rate", place, at_prices)
            usd = cost_per_month(busy, rate, month)
            table.put("cost_per_month", place, when(busy < NOTHING, 0, usd))
            table.put("unused_per_month", place, 0)
            table.put("bound", place, 0)
            table.put("kind", place, USAGE)
            _leave(table, place, "offer_no")
            return
        found, worth = self._committed_rate(layer, need, term)
        rate = table.put("rate", place, found)
        own = None if worth is None else self.prices.number_of(layer.offer_id)
        cheapest = self.prices.cheapest_number(need, term, rate, layer.offer_id) if own is None else own
        number = table.put("offer_no", place, copy_of(cheapest))
        table.put("offer_id", place, known([number], self.prices.found("offer_id", number)))
        paid, unused = gpus, _unused(gpus, busy, rate, month)
        if self.prices.are_whole(need):
            ratio = None
            if self.prices.needs[need].ratios:
                worth = self.prices.worth(need, term, rate) if worth is None else worth
                ratio = table.put("worth", place, worth)
            before = self._bought.setdefault((need, layer.term_months, layer.offer_id), [])
            paid = table.put("paid", place, paid_for(gpus, ratio, before, whole))
            unused = unused * surely(paid) / surely(gpus)
            before.append(gpus)
        usd = table.put("cost_per_month", place, when(gpus.equals(0), 0, cost_per_month(paid, rate, month)))
        table.put("unused_per_month", place, when(gpus.equals(0), 0, unused.live))
        write_figures(
            table, place, LAYER, {"cost_per_month": maybe(usd), "term_months": surely(term)}, ["bound"]
        )
        table.put("kind", place, COMMITTED)

    def _begins(self, place: int, layer: LayerRow, above: int | None) -> tuple[Expr, Expr | None]:
        """Where a layer begins, and up to where it reaches (None: by its size, or all above): on the layers below it;
        what is given up at its own GPU unless they reach further."""
        table = self.table
        begins: Expr | int = 0
        if above is not None:
            begins = table.cell("below", above - 1) + table.cell("gpus", above - 1)
        if layer.until is not None:  # the row above is what is given up
            return table.put("below", place, begins), Expr(
                table.cell("given_from", place + 1).text, layer.until, True
            )
        if layer.given_up is None:
            return table.put("below", place, begins), None
        low, high = (
            table.put(key.key, place, gpu) for key, gpu in zip(GIVEN_UP_FIELDS, layer.given_up, strict=True)
        )
        return table.put("below", place, highest(low, begins)), high

    def _busy_at_all(self, column: HourColumn, below: Expr, block: Expr) -> Expr:
        """GPUs of the slices above that are busy at all, in whole blocks."""
        parts = [part for _, part in column.parts] or [column]
        peak = call("MAX", max(float(part.values.max()) for part in parts), *(part.range for part in parts))
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
        rate, worth = self.prices.spread_for(place, need)
        ratio = Expr("1", 1.0, True) if worth is None else Expr(worth.text, worth.value, True)
        return known([rate], Expr(rate.text, rate.value, True)), ratio


def _unused(mean_gpus: Expr, busy_gpus: Expr, rate: Expr, paid_hours: Expr) -> Cell:
    """$ a month of those of the GPUs that are not busy."""
    given = {
        "mean_gpus": surely(mean_gpus),
        "busy_gpus": surely(busy_gpus),
        "rate": maybe(rate),
        "paid_hours": surely(paid_hours),
    }
    cell: Cell = LAYER.value("unused_per_month", given)
    return cell


def _layer_words(layer: LayerRow, term: Expr, is_refused: bool) -> Expr | str:
    """What a layer is called: its term, as its cell has it, paid by use, or who does not serve it."""
    if is_refused:
        return "Served by nobody" if layer.given_up is None else "Over the budget"
    if not layer.is_committed:
        is_top = layer.gpus is None and layer.until is None
        return "Paid by use, above" if is_top else "Paid by use"
    words = f"{layer.term_months} month" + ("s" if layer.term_months > 1 else "")
    return Expr(f'{term.text}&IF({term.text}=1," month"," months")', words)
