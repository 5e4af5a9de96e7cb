"""What orders cost month by month, worked out apart from the product: the laws of orders and of the comparison."""

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def usd_in(order: Order, month: int) -> float | None:
    """What an order costs in a month of the plan, $; None without a rate.

    Law: over all orders, the orders of that month in the comparison.
    """
    if order.rate is None:
        return None
    if not order.month <= month < order.month + order.term_months:
        return 0.0
    share = 1.0 - (order.late if month == order.month else 0.0)
    share -= order.early if month == order.month + order.term_months - 1 else 0.0
    months = order.term_months - order.late - order.early
    upfront = order.upfront_per_gpu * share / months if months > 0 else 0.0
    return order.bought_gpus * (HOURS_PER_MONTH * order.rate * share + upfront)
