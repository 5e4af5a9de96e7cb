"""Orders in the sequence in which they fall due, and those of them that are new."""

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


def asked_for(orders: Iterable[Order]) -> list[Order]:
    """The orders that are new: without those that only renew or replace another of the plan when it ends, and without
    those that hold only if young demand lasts."""
    return [
        order
        for order in orders
        if order.reason in ("now", "contract_end", "lead_time", "growth")
        or (order.reason == "bridge" and order.month == 0)
    ]
