"""Rows of layers in the workbook: a size to edit, and what follows from it in formulas."""

from math import ceil, isclose

from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.mapped_models import paid_for
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.kit.book import Book, Field, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, known, lift, when
from gpuplanner.files.workbook.plan.layer_rows import LayerRow

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


def existing_layer(table: Table, place: int, served: Expr, rate: Expr, named: Named) -> None:
    """The row of existing contracts of a pool. served: their mean GPUs in use; rate: their mean rate."""
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


class LayerWriter:
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
        rate, worth = self.prices.spread_for(place, need)
        ratio = Expr("1", 1.0, True) if worth is None else Expr(worth.text, worth.value, True)
        return known([rate], Expr(rate.text, rate.value, True)), ratio

    def _validate(self, place: int) -> None:
        row, column = self.table.first_row + place, self.table.column_of("gpus")
        self.book.sheets[self.table.sheet].data_validation(
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
