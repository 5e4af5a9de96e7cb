"""What each workload costs in month 0: the $ go where the GPUs go, hour by hour (MODEL 1)."""

from tests.oracle.months import held_spans, used_spans, without
from tests.oracle.orders import rate_of
from tests.oracle.serving import HOUR_S, MONTH_S, hours_between, runs_at, serve, turns_of
from tests.oracle.totals import contract_rate, served_now


def cards_of(sim, answer):
    """{workload key: $ of month 0}. Every $ is known."""
    usd = dict.fromkeys([*(workload.key for workload in sim.project.workloads), *sim.demand.workloads], 0.0)
    for group in answer.groups:
        served_usd = 730 * served_now(sim, group) * (contract_rate(sim, group.model) or 0.0)
        wanted = _wanted(sim, group)
        _add(usd, _by_contracts(sim, group), wanted, served_usd)
        _add(usd, _by_rest(sim, group), wanted, _rest_usd(sim, group))
    return usd


def _add(usd, shares, wanted, whole):
    """Share $ out; shares need not add up to them. What serves nobody all month is paid by all, by GPU time; where
    nobody is there all month, by nobody."""
    shares = shares if sum(shares.values()) else wanted
    total = sum(shares.values())  # 0: what is held is for who comes later
    for key, share in shares.items():
        usd[key] += whole * share / total if whole and total else 0.0


def _wanted(sim, group):
    shares = {}
    for from_s, weight, h, found in _hours(sim, group):
        for stream, _, _ in found:
            (factor,) = sim.demand.factors([stream], from_s, 0, 0)
            for key, hourly in stream.users.items():
                shares[key] = shares.get(key, 0.0) + weight * factor * hourly[h]
    return shares


def _hours(sim, group):
    """[(from_s, share of the month x weight of the hour, hour, [(stream, GPUs left, $ by contracts)])]."""
    weights = sim.demand.weights_of(group.members)
    for from_s, to_s in sim.served.parts(0):
        factors = sim.demand.factors(sim.served.streams, from_s, 0, 0)
        running = [c for c in sim.existing if runs_at(c, from_s)]
        turns = turns_of(sim.served.streams, running)
        for h, weight in enumerate(weights):
            room, found = {c.contract_id: c.milli_gpus * HOUR_S for c in running}, []
            for place, usable in turns:
                stream = sim.served.streams[place]
                amount = stream.hourly[h] * factors[place]
                served = serve(amount, usable, room)
                usd = sum(served[c.contract_id] * c.rate for c in usable)
                if stream.part in group.members:
                    found.append((stream, amount, amount - sum(served.values()), usd))
            yield from_s, (to_s - from_s) / MONTH_S * weight, h, _alike(found)


def _alike(found):
    """Work of a pool, model and cluster is served by GPU time, whenever it began or ends."""
    pots = {}
    for stream, *figures in found:
        pot = pots.setdefault((stream.part, stream.cluster, stream.model_given), [0.0, 0.0, 0.0])
        pot[:] = [known + new for known, new in zip(pot, figures, strict=True)]
    answer = []
    for stream, amount, _, _ in found:
        whole, left, usd = pots[stream.part, stream.cluster, stream.model_given]
        part = amount / whole if whole else 0.0
        answer.append((stream, left * part, usd * part))
    return answer


def _share(stream, h, key):
    """Of a workload in what a stream has in an hour, by GPU time."""
    return stream.users[key][h] / stream.hourly[h] if stream.hourly[h] else 0.0


def _by_contracts(sim, group):
    shares = {}
    for _, weight, h, found in _hours(sim, group):
        for stream, _, usd in found:
            for key in stream.users:
                shares[key] = shares.get(key, 0.0) + weight * usd * _share(stream, h, key)
    return shares


def _by_rest(sim, group):
    """Orders cost the same in all hours of a part, use what is not held of the slices that are busy in an hour."""
    shares, costs = {}, {}
    for from_s, to_s in sim.served.parts(0):
        costs[from_s] = [_slice_cost(sim, group, piece, from_s, to_s) for piece in group.slices]
    orders = {
        from_s: sum(
            order.paid * rate_of(order) * hours_between(order, from_s, to_s) for order in _orders(group)
        )
        * MONTH_S
        / (to_s - from_s)
        for from_s, to_s in sim.served.parts(0)
    }
    for from_s, weight, h, found in _hours(sim, group):
        left = sum(amount for _, amount, _ in found)
        if not left:
            continue
        usd, low = orders[from_s], 0.0
        for piece, cost in zip(group.slices, costs[from_s], strict=True):
            usd += cost * min(max(left / 3_600_000 - low, 0.0), piece.gpus)
            low += piece.gpus
        for stream, amount, _ in found:
            for key in stream.users:
                shares[key] = shares.get(key, 0.0) + weight * usd * amount / left * _share(stream, h, key)
    return shares


def _orders(group):
    """Orders of its slices, each with the GPUs that are paid for it."""
    return [order for piece in group.slices for order in piece.orders]


def _slice_cost(sim, group, piece, from_s, to_s):
    """$ a month by use of a GPU of a slice that is busy in all hours of a part, for the time that it is not held."""
    rate, may_wait = sim.rented(group, piece, 0)
    if not may_wait or rate is None:
        return 0.0
    open_s = sum(
        b - a for span in without((from_s, to_s), held_spans(piece)) for a, b in without(span, piece.denied)
    )
    return open_s / (to_s - from_s) * 730 * rate * sim.use_price_at(group, from_s, 0)


def _rest_usd(sim, group):
    """Orders and use of month 0."""
    span = sim.month_span(0)
    usd = sum(order.paid * rate_of(order) * hours_between(order, *span) for order in _orders(group))
    for piece in group.slices:
        for from_s, to_s, gpus in used_spans(sim, group, piece, 0):
            usd += gpus * _slice_cost(sim, group, piece, from_s, to_s) * (to_s - from_s) / MONTH_S
    return usd
