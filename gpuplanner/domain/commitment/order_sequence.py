"""Orders in the sequence in which they fall due: what leaves the house numbers them so."""

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
