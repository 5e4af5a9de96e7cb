"""What orders cost month by month, worked out apart from the product: the laws of orders and of the comparison."""

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.window import HOUR_S, MONTH_S


def usd_in(order: Order, begin_s: int, month: int) -> float | None:
    """What an order costs in a month of a plan that begins then, $: its hours in the month, what is paid upfront spread
    over all of them; None without a rate.

    Law: over all orders, the orders of that month in the comparison.
    """
    if order.rate is None:
        return None
    from_s = begin_s + month * MONTH_S
    hours = max(0, min(order.end_s, from_s + MONTH_S) - max(order.start_s, from_s)) / HOUR_S
    whole = (order.end_s - order.start_s) / HOUR_S
    return order.bought_gpus * hours * (order.rate + order.upfront_per_gpu / whole)
