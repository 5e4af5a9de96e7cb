"""A budget a month: while a month costs more, the dearest of the first pool that has something gives way (MODEL 15)."""

from types import SimpleNamespace

from tests.oracle.groups import name_of
from tests.oracle.months import pieces_of, plan_in_month, use_in_month
from tests.oracle.orders import rate_of, served_hours

GIVEN_UP = ("burst", "training", "inference")
ROUNDING_USD = 1e-6


def keep_to_budget(sim, groups, runs):
    """Moves orders and denies use, in place, until no month costs more than the budget or nothing is left to cut."""
    pieces = pieces_of(groups, runs)
    for t in sim.months():
        while True:
            usd = plan_in_month(sim, groups, runs, t).usd
            if usd is None or usd <= sim.assumptions.budget_usd_per_month + ROUNDING_USD:
                break
            cuts = [
                cut
                for place, (owner, piece) in enumerate(pieces)
                for cut in _cuts(sim, owner, piece, place, t)
            ]
            if not cuts:
                break
            _give_way(sim, min(cuts, key=lambda cut: _turn(cut, sim.even)), t)


def _cuts(sim, owner, piece, place, t):
    """What of a slice or strip may give way in a month: its use, and each order that holds part of it."""
    usd, _, hours = use_in_month(sim, owner, piece, t)
    low = (1, place) if owner.is_run else (0, piece.low)
    cut = SimpleNamespace(owner=owner, piece=piece, low=low, order=None)
    if usd is not None and usd > 0:
        yield SimpleNamespace(**{**vars(cut), "rate": usd / hours})
    from_s, to_s = sim.month_span(t)
    for order in piece.orders:
        if order.start_s < to_s and order.end_s > from_s:
            held, served = served_hours(sim, owner, piece, order)
            rate = order.paid * rate_of(order) * held / served if served > 0 else float("inf")
            yield SimpleNamespace(**{**vars(cut), "order": order, "rate": rate})


def _turn(cut, are_alike):
    owner = cut.owner
    return (
        0 if are_alike else GIVEN_UP.index(owner.pool),
        -round(cut.rate, 9),
        (-cut.low[0], -cut.low[1]),
        owner.model or "",
        name_of(owner.only),
    )


def _give_way(sim, cut, t):
    """The use of the month is not served; or the order starts at its end, with its chain, and nobody serves till then.

    What its offer does not allow at its new time, and what would serve nobody then, is no order any more.
    """
    from_s, until_s = sim.month_span(t)
    piece, owner = cut.piece, cut.owner
    if cut.order is None:
        piece.denied.append((from_s, until_s))
        return
    piece.denied.append((cut.order.start_s, until_s))
    at = piece.orders.index(cut.order)
    kept, before, old_end_s, free_s = piece.orders[:at], None, None, until_s
    for place, order in enumerate(piece.orders[at:]):
        joins = place == 0 or (order.start_s == old_end_s and kept and kept[-1] is before)
        before, old_end_s, length_s = order, order.end_s, order.end_s - order.start_s
        start_s = free_s if joins and not order.offer.is_block else max(order.start_s, free_s)
        if start_s != order.start_s or place == 0:
            if not order.offer.may_run(start_s, start_s + length_s, sim.plan_from_s):
                continue
            order.start_s, order.end_s = start_s, start_s + length_s
            order.month = sim.month_of(start_s)
            order.price = sim.start_price(start_s, order.offer)
            if served_hours(sim, owner, piece, order)[1] <= 0:
                continue
        free_s = order.end_s
        kept.append(order)
    piece.orders = kept
