"""What each day costs by which an order is late: its work on demand at its mean use, less the order."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.plan.row_list import Bought
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.window import MONTH_S

HOURS_PER_DAY: Final = 24


def usd_per_day(order: Order) -> float | None:
    """Return the cost of an order per day, $; None without a rate."""
    return None if order.cost_per_month is None else order.cost_per_month * HOURS_PER_DAY / order.paid_hours


def late_usd_per_day(order: Order, bought: Sequence[Bought], begin_s: int) -> float | None:
    """Return the most that each day costs by which an order is late, $: on demand at mean use, less its cost.

    bought: rows of the plan. begin_s: first day of the plan, epoch seconds. None if a rate is missing, if nobody sells
    the GPUs on demand, and for dollars. Source: docs/formulas/savings.md, Next decisions.
    """
    own = usd_per_day(order)
    by_use = None if order.is_dollars else by_use_usd_per_day(order, bought, begin_s)
    return None if own is None or by_use is None else max(0.0, by_use - own)


def by_use_usd_per_day(order: Order, bought: Sequence[Bought], begin_s: int) -> float | None:
    """Return what the work of an order costs on demand per day, $, at its mean use in the month from its start on,
    and at the price of its start.

    A planned run uses all its GPUs. Parameters: as for `late_usd_per_day`.
    """
    rows = [each for each in bought if (each.row.pool, each.row.gpu_model) == (order.pool, order.gpu_model)]
    if order.run or not order.spans:
        rates = {each.row.flex.rate for each in rows}
        rate = rates.pop() if len(rates) == 1 else None
        return None if rate is None else HOURS_PER_DAY * order.gpus * rate
    days = [usd for each in rows if (usd := _by_use_in(each, order, begin_s)) is not None]
    return sum(days) if days else None


def _by_use_in(bought: Bought, order: Order, begin_s: int) -> float | None:
    """Return the same of the row whose slices the order serves; None if nobody sells them on demand."""
    listed, slicing = bought.listed, bought.row.slicing
    edges = slicing.edges[:-1].tolist()
    own = np.array([any(low <= edge < high for low, high in order.spans) for edge in edges], dtype=np.bool_)
    last_s = int(listed.edges_s[-1])
    from_s = max(0, min(order.start_s - begin_s, last_s - MONTH_S))
    inside = np.minimum(listed.edges_s[1:], from_s + MONTH_S) - np.maximum(listed.edges_s[:-1], from_s)
    weights = np.maximum(inside, 0) / np.maximum(inside, 0).sum()
    gpus = (listed.busy[:, own] * weights[:, None]).sum(axis=0) * slicing.widths[own]
    rate = listed.rate[int(np.flatnonzero(weights)[0]), own]  # of the day on which it starts
    if np.isnan(rate[gpus > 0]).any():
        return None
    return HOURS_PER_DAY * float((gpus * np.nan_to_num(rate)).sum())
