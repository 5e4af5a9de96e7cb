"""Commitment, the orders of twelve months: GPUs and offer of its layers, rate and upfront payment of Prices."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Final

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.owned import has_owned
from gpuplanner.domain.reports.plan.orders import ORDERS, OrderRow
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.rates_found import UPFRONT, Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, copy_of, lift, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import (
    Look,
    figure_field,
    maybe,
    put_rows,
    report_fields,
    surely,
    write_figures,
)
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_advised import AT_PRICES, price_when_signed
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison

MONEY: Final = (
    AT_PRICES,
    figure_field(ORDER["rate"], 10),
    figure_field(ORDER["cost_per_month"], 13),
    figure_field(ORDER["spread_rate"], 12),
    figure_field(ORDER["upfront_per_gpu"], 13),
    figure_field(ORDER["term_hours"], 7),
    Field("offer_no", "Offer no.", "count", 8, "The number on Prices of the offer that is ordered."),
    Field("asked", "For GPU model", width=8),
)
"""Beside the columns of the report: what an order costs. $ stand where the layers above have wide columns."""
TO_OWN: Final = (figure_field(ORDER["capex_per_gpu"], 13), figure_field(ORDER["due_at_once"], 13))
"""After these, where offers are owned: what is to be paid on the day."""


@dataclass(frozen=True, slots=True)
class Orders:
    """The table of orders; places: the row of each."""

    table: Table
    prices: Prices
    places: Mapping[Order, int]

    def cell(self, key: str, order: Order) -> Expr:
        """A cell of the order's row."""
        return self.table.cell(key, self.places[order])

    def listed(self, key: str, order: Order) -> Expr:
        """What Prices says of the offer that is ordered now; key: of a column there."""
        return self.prices.found(key, self.cell("offer_no", order))

    def listed_rate(self, order: Order) -> Expr:
        """The rate of that offer on today's list, $ per GPU-hour."""
        return self.prices.counted_rate(self.cell("offer_no", order))


def write_orders(
    book: Book, inputs: Inputs, named: Named, prices: Prices, commitment: Commitment, comparison: Comparison
) -> Orders:
    """Write them under the sums of the sheet."""
    above, orders = commitment.totals, inputs.advice.orders
    row = above.end_row + 1
    book.write(above.sheet, row, 0, "Orders of the next twelve months", "section")
    looks = {"offer_id": Look(style="muted"), "bought_gpus": Look(style="gpus")}
    watch = Watch("Orders", named_by=("pool", "gpu_model", "term_months"), values=True)
    fields = (*report_fields(ORDERS, looks=looks), *MONEY, *(TO_OWN if has_owned(prices.listed) else ()))
    table = Table(book, above.sheet, row + 1, len(orders), fields, watch=watch)
    put_rows(table, ORDERS, inputs.advice, _style_of_order)
    for place, order in enumerate(orders):
        _order(table, place, order, (inputs, named, prices, commitment, comparison))
    return Orders(table, prices, {order: place for place, order in enumerate(orders)})


def _style_of_order(name: str, row: OrderRow) -> str | None:
    """The name of the style in a pool's colour, of the cell that names the pool."""
    return f"pool_{row.order.pool}" if name == "pool" else None


_Sheets = tuple[Inputs, Named, Prices, Commitment, Comparison]


def _order(table: Table, place: int, order: Order, sheets: _Sheets) -> None:
    """What is ordered and what it costs, over the cells of this book.

    What is signed now is of Commitment's layers, with their GPUs and the offer that is the cheapest there; what is
    signed later is the app's.
    """
    inputs, named, prices, commitment, comparison = sheets
    layers = _layers_of(order, inputs, prices, commitment)
    own = prices.number_of(order.offer_id)
    assert own is not None  # it is ordered
    if layers:
        table.put("bought_gpus", place, _gpus(layers, order, prices, commitment.layers))
        own = commitment.layers.cell("offer_no", layers[0])
    number = table.put("offer_no", place, copy_of(own))
    table.put("offer_id", place, prices.found("offer_id", number))
    asked = table.put("asked", place, order.gpu_model or "")
    if layers and order.gpu_model is not None:
        table.put("gpu_model", place, _served_by(asked, prices.found("gpu_model", number)))
    hours = (
        24.0 * order.term_days
        if order.term_days
        else table.cell("term_months", place) * named.hours_per_month
    )
    level = table.put("price", place, _level(order, prices, comparison))
    listed = prices.counted_rate(number)
    given = {
        "bought_gpus": surely(table.cell("bought_gpus", place)),
        "rate": maybe(table.put("rate", place, _at_level(listed, level))),
        "upfront_per_gpu": surely(table.put("upfront_per_gpu", place, _upfront(prices, number))),
        "term_hours": surely(table.put("term_hours", place, hours)),
    }
    paid = f"MIN({named.hours_per_month.text},{given['term_hours'].expression.text})"
    given["paid_hours"] = surely(Expr(paid, order.paid_hours, True))
    missing = write_figures(table, place, ORDER, given, ["spread_rate", "cost_per_month"])
    assert not missing, missing
    if has_owned(prices.listed):
        given["capex_per_gpu"] = surely(table.put("capex_per_gpu", place, _capex(prices, number, level)))
        write_figures(table, place, ORDER, given, ["due_at_once"])


def _layers_of(order: Order, inputs: Inputs, prices: Prices, commitment: Commitment) -> list[int]:
    """The layers that an order stands for: of what is signed now, where they come to its GPUs; else none."""
    if order.month:
        return []
    pair_row = inputs.pairs.index((order.pool, order.gpu_model)) + 1
    layers = commitment.layers
    found = [
        place
        for place in range(layers.size)
        if layers.cell("kind", place).value == COMMITTED
        and layers.cell("pool_row", place).value == pair_row
        and layers.cell("term_months", place).value == order.term_months
        and layers.cell("offer_id", place).value == order.offer_id
    ]
    is_whole = found and isclose(_gpus(found, order, prices, layers).number, order.bought_gpus, rel_tol=1e-9)
    return found if is_whole else []


def _gpus(places: list[int], order: Order, prices: Prices, layers: Table) -> Expr:
    """GPUs of some layers, of the model of their offer."""
    need = prices.plan[order.pool, order.gpu_model]
    cells = [layers.cell("paid" if prices.are_whole(need) else "gpus", place) for place in places]
    if prices.needs[need].ratios:
        cells = [cell / layers.cell("worth", place) for cell, place in zip(cells, places, strict=True)]
    return Expr("+".join(cell.text for cell in cells), sum(cell.number for cell in cells), len(cells) == 1)


def _served_by(asked: Expr, model: Expr) -> Expr:
    """H200 for H100, where another model serves the row's; else that of the offer."""
    said = model.value if model.value == asked.value else f"{model.value} for {asked.value}"
    return Expr(f'IF({model.text}={asked.text},{model.text},{model.text}&" for "&{asked.text})', said, True)


def _level(order: Order, prices: Prices, comparison: Comparison) -> Expr | float | None:
    """What it is signed at, as a share of the rate on the list today; None where the rate is not known.

    As the app has it where a lead lets what is signed for several months start together.
    """
    offer = next(offer for offer in prices.counted if offer.offer_id == order.offer_id)
    if order.rate is None or not offer.rate:
        return None
    app = order.rate / offer.rate
    live = lift(price_when_signed(comparison.table, prices, offer, order.month))
    return live if isclose(live.number, app, rel_tol=1e-9) else app


def _at_level(rate: Expr, level: Expr) -> Expr:
    """The rate in the month of signature; the dash where there is none, for none is never free."""
    if not level.is_known:
        return Expr(f'"{DASH}"', DASH, True)
    stated = call("N", rate.value if rate.is_known else 0.0, rate) > 0
    return when(stated, rate * level, DASH)


def _upfront(prices: Prices, number: Expr) -> Expr | float:
    """$ that are paid upfront for a GPU of the offer; none stated counts as none."""
    if not prices.has_upfront:
        return 0.0
    paid = prices.found(UPFRONT.key, number)
    return call("N", paid.value if paid.is_known else 0.0, paid)


def _capex(prices: Prices, number: Expr, level: Expr) -> Expr:
    """$ to buy a GPU of the offer in the month in which it is bought; 0 of what is signed for."""
    stated = prices.found("capex_per_gpu", number)
    listed = call("N", stated.number if stated.is_known else 0.0, stated)
    return listed * level if level.is_known else listed
