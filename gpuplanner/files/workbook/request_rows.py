"""What is to be bought: the orders of the next twelve months, each with the offer it was advised on."""

from dataclasses import dataclass
from math import isclose

from gpuplanner.domain.commitment.order_sequence import as_they_fall_due
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.offer import Offer
from gpuplanner.files.workbook.commitment_layers import COMMITTED
from gpuplanner.files.workbook.commitment_sheet import Commitment
from gpuplanner.files.workbook.expressions import Expr
from gpuplanner.files.workbook.inputs import Inputs


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One layer to buy. name: R1, R2 ... in the order of order_by; offer: what it was advised on, with its place."""

    name: str
    order: Order
    offer: Offer
    offer_place: int


def request_rows(inputs: Inputs) -> tuple[RequestRow, ...]:
    """The orders, what must be ordered first coming first."""
    places = {offer.offer_id: place for place, offer in enumerate(inputs.project.offers)}
    orders = as_they_fall_due(
        order for order in inputs.advice.orders if order.offer_id in places and order.is_certain
    )
    return tuple(
        RequestRow(f"R{number}", order, inputs.project.offers[places[order.offer_id]], places[order.offer_id])
        for number, order in enumerate(orders, 1)
    )


def _ordered(row: RequestRow) -> float:
    """GPUs of the offer's own model."""
    return row.order.gpus if row.order.offer_gpus is None else row.order.offer_gpus


def gpus_of(row: RequestRow, inputs: Inputs, commitment: Commitment) -> Expr | float:
    """GPUs to buy: of an order for now the layers of Commitment that it stands for, else as the app says."""
    if row.order.reason != "now":
        return _ordered(row)
    pair_row = inputs.pairs.index((row.order.pool, row.order.gpu_model)) + 1
    layers = commitment.layers
    is_mapped = row.order.gpu_model not in (None, row.offer.gpu_model)
    cells = [
        layers.cell("paid", place) / layers.cell("worth", place) if is_mapped else layers.cell("gpus", place)
        for place in range(layers.size)
        if layers.cell("kind", place).value == COMMITTED
        and layers.cell("pool_row", place).value == pair_row
        and layers.cell("term", place).value == row.order.term_months
        and layers.cell("offer", place).value == row.order.offer_id
    ]
    total = sum(cell.number for cell in cells)
    if not cells or not isclose(total, _ordered(row), rel_tol=1e-9):
        return _ordered(row)
    return Expr("+".join(cell.text for cell in cells), total, len(cells) == 1)
