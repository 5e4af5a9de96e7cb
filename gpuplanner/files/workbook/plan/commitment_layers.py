"""Layers in the workbook: what the app advises, room for other terms, a size to edit and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isclose
from typing import Final

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports.plan_layers import LAYERS, PLAN_LAYERS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.prices_sheet import paid_for
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import take_numbers
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    added,
    call,
    formula,
    highest,
    known,
    lift,
    scaled,
    when,
)
from gpuplanner.files.workbook.kit.figure_cells import (
    Cell,
    Look,
    beside,
    cost_per_month,
    maybe,
    report_fields,
    surely,
    text_field,
    write_figures,
)
from gpuplanner.files.workbook.kit.looks import Field


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer of new GPUs.

    term_months 0: paid by use. gpus None: everything above, the top layer. block: GPUs a slice. from_h, to_h: hours of
    month 0 between which it is held.
    """

    term_months: int
    offer_id: str | None
    gpus: float | None
    advised_rate: float | None = None
    block: int = 1
    from_h: float = 0.0
    to_h: float = HOURS_PER_MONTH

    @property
    def is_committed(self) -> bool:
        """Whether it is bought for a term."""
        return self.term_months > 0


def layer_rows(plan: PoolPlan | None, terms: Sequence[int]) -> list[LayerRow]:
    """Rows from the bottom up, the last one paid by use; terms: those for sale, which get a row of 0 GPUs.

    A ladder that shortens going up keeps its order with the added rows; any other order is kept as advised and
    the added rows stand under the top.
    """
    block = 1 if plan is None else plan.block
    top = LayerRow(0, None, None, block=block)
    if plan is None:
        return [*(LayerRow(term, None, 0.0) for term in sorted(terms, reverse=True)), top]
    runs = sorted(plan.runs, key=lambda run: run.first_slice)
    last_committed = max((place for place, run in enumerate(runs) if run.term_months > 0), default=-1)
    rows = [
        LayerRow(
            run.term_months,
            run.offer_id,
            plan.slicing.gpus(run.first_slice, run.last_slice),
            run.rate_usd_per_gpu_hour,
            from_h=run.from_h,
            to_h=run.to_h,
        )
        for run in runs[: last_committed + 1]
    ]
    missing = sorted(set(terms) - {row.term_months for row in rows}, reverse=True)
    added = [LayerRow(term, None, 0.0) for term in missing]
    shortens = all(lower.term_months >= upper.term_months > 0 for lower, upper in pairwise(rows))
    if shortens:
        rows = sorted([*rows, *added], key=lambda row: -row.term_months)
    else:
        rows += added
    return [*rows, top]


EXISTING, COMMITTED, USAGE, UNSERVED = 1, 2, 3, 4
NOBODY: Final = "Served by nobody"
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
    Field(
        "paid_hours",
        "Hours of month 0",
        "number",
        8,
        "From its start on; the rest of its use is paid by use.",
    ),
    Field("beside", "By use beside it, mean GPUs", "mean", 9, "Before its start."),
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


def existing_layer(table: Table, place: int, served: Expr, rate: Expr, named: Named) -> None:
    """The row of existing contracts of a pool. served: their mean GPUs in use; rate: their mean rate."""
    table.put("layer", place, "Existing contracts")
    table.put("term_months", place, None)
    table.put("offer_id", place, "see Contracts")
    gpus = table.put("gpus", place, served)
    table.put("below", place, 0)
    rate = table.put("rate", place, rate)
    table.put("busy_gpus", place, gpus)
    table.put("utilization", place, when(gpus < NOTHING, DASH, 1))
    usd = cost_per_month(gpus, rate, named.hours_per_month)
    table.put("cost_per_month", place, when(gpus < NOTHING, 0, usd))
    table.put("unused_per_month", place, 0)
    table.put("bound", place, 0)
    table.put("kind", place, EXISTING)
    _leave(table, place, "whole", "offer_no", "paid_hours", "beside")


def unserved_layer(table: Table, place: int, gpus: float) -> None:
    """The row of what nobody serves in month 0, as the app has it: for a budget, or where offers have no more GPUs."""
    table.put("layer", place, NOBODY)
    for key in ("gpus", "busy_gpus"):
        table.put(key, place, gpus, "mean.fixed")
    table.put("rate", place, DASH)
    for key in ("cost_per_month", "unused_per_month", "bound"):
        table.put(key, place, 0)
    table.put("kind", place, UNSERVED)
    _leave(table, place, "offer_no", "paid_hours", "beside")


def _leave(table: Table, place: int, *keys: str) -> None:
    """Cells that a row has nothing for."""
    for key in keys:
        table.put(key, place, "")


class LayerWriter:
    """Writes rows of new layers into a table of them."""

    def __init__(self, book: Book, table: Table, hours: HourSheet, prices: Prices, named: Named) -> None:
        self.book, self.table, self.hours, self.prices, self.named = book, table, hours, prices, named
        self._bought: dict[tuple[int, int, str | None], list[Expr]] = {}  # GPUs by need, term and offer
        self._beside: dict[int, list[Expr]] = {}  # mean GPUs by use before layers start, by need

    def write(
        self,
        place: int,
        layer: LayerRow,
        column: HourColumn,
        need: int,
        r_flex: Expr | None,
        above: int | None,
        stepped: Expr | None = None,
        unserved: float = 0.0,
    ) -> None:
        """One layer over a column of demand; above: the place after the layer it stands on (None: the bottom).

        r_flex: None where nobody who may serve it sells by use. stepped: what a dated step of prices makes of it in
        month 0; None: nothing. unserved: mean GPUs of what would be paid by use that nobody serves.
        """
        table, month = self.table, self.named.hours_per_month
        below = table.put(
            "below",
            place,
            0 if above is None else table.cell("below", above - 1) + table.cell("gpus", above - 1),
        )
        term = table.put("term_months", place, layer.term_months)
        is_refused = r_flex is None and not layer.is_committed
        table.put("layer", place, _layer_words(layer, term, is_refused))
        together = self.prices.unit_of(layer.offer_id) if layer.is_committed else layer.block
        whole = table.put("whole", place, together)
        if layer.gpus is None:
            gpus = table.put("gpus", place, self._busy_at_all(column, below, whole))
            self._beside.setdefault(need, [])
            beside = added([*self._beside.pop(need), lift(0)])
            used = self.hours.mean_between(column, below, None) + beside
            busy = table.put("busy_gpus", place, highest(0, used - unserved) if unserved else used)
            _leave(table, place, "paid_hours", "beside")
        else:
            gpus = table.put("gpus", place, layer.gpus, "mean.input" if layer.is_committed else "mean")
            if layer.is_committed:
                take_numbers(table, "gpus", words="Enter GPUs, 0 or more.", place=place)
            paid_hours = table.put("paid_hours", place, layer.to_h - layer.from_h)
            in_hours, all_of_it = self._busy_while_held(column, below, gpus, layer)
            busy = table.put("busy_gpus", place, in_hours)
            beside = table.put("beside", place, highest(0, all_of_it - busy * paid_hours / month))
            self._beside.setdefault(need, []).append(beside)
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
            at_prices = r_flex if stepped is None else known([r_flex], scaled(r_flex, stepped))
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
        number = table.put("offer_no", place, cheapest)
        table.put("offer_id", place, known([number], self.prices.found("offer_id", number)))
        paid, unused = gpus, _unused(gpus, busy, rate, paid_hours)
        if self.prices.are_whole(need):
            ratio = None
            if self.prices.needs[need].ratios:
                worth = self.prices.worth(need, term, rate) if worth is None else worth
                ratio = table.put("worth", place, worth)
            before = self._bought.setdefault((need, layer.term_months, layer.offer_id), [])
            paid = table.put("paid", place, paid_for(gpus, ratio, before, whole))
            unused = unused * surely(paid) / surely(gpus)
            before.append(gpus)
        usd = table.put(
            "cost_per_month", place, when(gpus.equals(0), 0, cost_per_month(paid, rate, paid_hours))
        )
        table.put("unused_per_month", place, when(gpus.equals(0), 0, unused.live))
        write_figures(
            table, place, LAYER, {"cost_per_month": maybe(usd), "term_months": surely(term)}, ["bound"]
        )
        table.put("kind", place, COMMITTED)

    def _busy_while_held(
        self, column: HourColumn, below: Expr, gpus: Expr, layer: LayerRow
    ) -> tuple[Expr, Expr]:
        """Mean GPUs in use of a layer while it is held, and in all of month 0."""
        whole = self.hours.mean_between(column, below, gpus)
        if not column.parts or (layer.from_h, layer.to_h) == (0.0, HOURS_PER_MONTH):
            return whole, whole
        begins, held = 0.0, []
        for share, part in column.parts:
            ends = begins + share.number * HOURS_PER_MONTH
            hours = max(0.0, min(ends, layer.to_h) - max(begins, layer.from_h))
            if hours:
                mean = self.hours.mean_between(part, below, gpus)
                held.append(mean * (hours / (layer.to_h - layer.from_h)))
            begins = ends
        return added(held), whole

    def _busy_at_all(self, column: HourColumn, below: Expr, block: Expr) -> Expr:
        """GPUs of the slices above that are busy at all, in whole blocks."""
        parts = [part for _, part in column.parts] or [column]
        peak = call("MAX", *(part.range for part in parts))
        whole_blocks = "{block}*MAX(0,ROUNDUP(ROUND(({peak}-{below})/{block},6),0))"
        return formula(whole_blocks, block=block, peak=peak, below=below)

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
        return known([rate], rate), lift(1) if worth is None else worth


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
        return NOBODY
    if not layer.is_committed:
        return "Paid by use, above"
    return formula('{term}&IF({term}=1," month"," months")', term=term)
