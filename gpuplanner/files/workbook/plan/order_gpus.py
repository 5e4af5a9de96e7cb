"""GPUs of an order as a cell: of an order for now the layers of Commitment that it stands for, else as the app says."""

from math import isclose

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment


def gpus_of(order: Order, inputs: Inputs, prices: Prices, commitment: Commitment) -> Expr | float:
    """GPUs to buy, of the offer's own model."""
    if order.month:
        return order.bought_gpus
    pair_row = inputs.pairs.index((order.pool, order.gpu_model)) + 1
    layers = commitment.layers
    size = "paid" if prices.are_whole(prices.plan[order.pool, order.gpu_model]) else "gpus"
    is_mapped = gpu_model_of(order.gpu_model) not in (None, order.offer_gpu_model)
    cells = [
        layers.cell("paid", place) / layers.cell("worth", place) if is_mapped else layers.cell(size, place)
        for place in range(layers.size)
        if layers.cell("kind", place).value == COMMITTED
        and layers.cell("pool_row", place).value == pair_row
        and layers.cell("term_months", place).value == order.term_months
        and layers.cell("offer_id", place).value == order.offer_id
    ]
    total = sum(cell.number for cell in cells)
    if not cells or not isclose(total, order.bought_gpus, rel_tol=1e-9):
        return order.bought_gpus
    return Expr("+".join(cell.text for cell in cells), total, len(cells) == 1)
