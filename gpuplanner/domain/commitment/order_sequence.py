"""Orders in the sequence in which they fall due, those that are due, and those that somebody has to be asked for."""

from collections.abc import Iterable

from gpuplanner.domain.commitment.result import Order


def as_they_fall_due(orders: Iterable[Order]) -> list[Order]:
    """What must be ordered first coming first; the same orders always come in the same sequence."""
    return sorted(
        orders,
        key=lambda order: (
            order.order_by_s,
            order.start_s,
            order.pool,
            order.gpu_model or "",
            order.term_months,
        ),
    )


def is_due(order: Order, today_s: int) -> bool:
    """Whether an order is to be signed now: on the day the plan begins, or by a day that is over."""
    if order.reason == "if_it_lasts":
        return False
    return order.reason == "now" or order.is_at_once or order.order_by_s < today_s


def asked_for(orders: Iterable[Order]) -> list[Order]:
    """The orders that are new: without those that only renew or replace another of the plan when it ends, and without
    those that hold only if young demand lasts."""
    return [
        order
        for order in orders
        if order.reason in ("now", "contract_end", "lead_time", "growth")
        or (order.reason == "bridge" and order.month == 0)
    ]
