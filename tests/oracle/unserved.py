"""What nobody serves, by workload, with what it cost without a budget; and what runs cost in all (MODEL 5, 15)."""

from tests.oracle.months import add, held_spans, use_in_month, used_spans, without
from tests.oracle.orders import rate_of, served_hours
from tests.oracle.runs import overlap_h
from tests.oracle.serving import HOUR_S

LEAST_GPU_HOURS = 1e-6


def unserved_of(sim, groups, runs):
    """{(group, workload): (GPU-hours of the 12 months, what they cost without the budget / 12)}."""
    answer = {}
    for owner in [*groups, *runs]:
        for piece in owner.strips if owner.is_run else owner.slices:
            for t in range(min(12, sim.horizon)):
                for from_s, to_s, gpus in used_spans(sim, owner, piece, t):
                    hours, usd = _lost(sim, owner, piece, (from_s, to_s), t)
                    for key, share in _sharers(sim, owner, piece, from_s, t).items() if hours else ():
                        before = answer.get((owner.key, key), (0.0, 0.0))
                        own = gpus * share
                        answer[owner.key, key] = before[0] + own * hours, before[1] + own * usd / 12
    return {at: figures for at, figures in answer.items() if figures[0] > LEAST_GPU_HOURS}


def _lost(sim, owner, piece, span, t):
    """(hours that nobody serves, $ of a GPU in them without the budget) of a slice in a part of a month."""
    rate, may_wait = sim.rented(owner, piece, t)
    hours = usd = 0.0
    for free in without(span, held_spans(piece)):
        served = without(free, piece.denied)
        denied = without(free, served)
        hours += sum(to_s - from_s for from_s, to_s in denied) / HOUR_S
        if not may_wait:
            hours += sum(to_s - from_s for from_s, to_s in served) / HOUR_S
        for from_s, to_s in denied:
            for order in piece.before:
                held = overlap_h((order.start_s, order.end_s), from_s, to_s)
                if held:
                    length, gpu_hours = served_hours(sim, owner, piece, order)
                    usd += held * order.paid * rate_of(order) * length / gpu_hours
            rest = without((from_s, to_s), [(order.start_s, order.end_s) for order in piece.before])
            if may_wait and rate is not None:
                by_use = rate * sim.use_price_at(owner, span[0], t)
                usd += sum(until_s - since_s for since_s, until_s in rest) / HOUR_S * by_use
    return hours, usd


def _sharers(sim, owner, piece, at_s, t):
    """{workload: share} of a slice's use in a part of a month, in proportion to the GPU time of each hour."""
    if owner.is_run:
        return {owner.work.key: 1.0}
    served, demand = sim.served, sim.demand
    left = served.by_hour(served.left(owner.members, served.key(at_s, t, 0)))
    there, weights = {}, demand.weights_of(owner.members)
    mine = [stream for stream in served.streams if stream.part in owner.members]
    for stream, factor in zip(mine, demand.factors(mine, at_s, t, 0), strict=True):
        for key, hourly in stream.users.items():
            there[key] = [
                known + factor * new
                for known, new in zip(there.get(key, [0] * sim.hours), hourly, strict=True)
            ]
    answer = dict.fromkeys(there, 0.0)
    whole = 0.0
    for hour in range(sim.hours):
        used = weights[hour] * min(max(float(left[hour]) - piece.low, 0.0), piece.gpus)
        spent = sum(hourly[hour] for hourly in there.values())
        whole += used
        for key, hourly in there.items() if used else ():
            answer[key] += used * hourly[hour] / spent
    return {key: amount / whole for key, amount in answer.items()} if whole else answer


def run_usd(sim, run):
    """$ of all orders of a run, each whole, and of what it pays by use; None where a rate is missing."""
    usd, months = 0.0, max(sim.horizon, 12)
    for strip in run.strips:
        for order in strip.orders:
            usd = add(usd, order.paid * rate_of(order) * (order.end_s - order.start_s) / HOUR_S)
        for t in range(months):
            usd = add(usd, use_in_month(sim, run, strip, t)[0])
    return usd
