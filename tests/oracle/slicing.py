"""Slices: how wide each is, how busy it is in each part, month and level, and since how many days it has lived."""

import math
from types import SimpleNamespace

import numpy as np

from tests.oracle.serving import MILLI_GPU_SECONDS, MONTH_S, runs_at

MOST_BLOCKS, FINE_BLOCKS, WIDENING = 512, 384, 1.25
LONGEST_AFTER_A_FALL = 3
FALL_DAYS, FALL_SHARE, SILENT_DAYS, RECENT_H = 14, 0.6, 7, 96


def peak(sim, group, months, without=lambda contract: False):
    """Highest R along j = 0 over months, without some contracts."""
    served = sim.served
    keys = {served.key(at_s, t, 0, without) for t in months for at_s, _ in served.parts(t)}
    return max((float(served.left(group.members, key).max()) for key in keys), default=0.0)


def peak_today(sim, group):
    """Without the contracts that end within H."""
    last_s = sim.plan_from_s + sim.horizon * MONTH_S
    return peak(sim, group, [0], lambda c: c.end_s is not None and c.end_s <= last_s)


def unit_of(sim, offer, peak_gpus):
    """GPUs that an offer is sold in: bare metal that does not say in the usual node of its model, where the peak of
    the pool and model is one at least."""
    if sim.assumptions.unit is not None or offer.unit_gpus:
        return offer.unit_gpus if sim.assumptions.unit is None else sim.assumptions.unit
    node = sim.project.node_gpus.get(offer.gpu_model, 1)
    return node if offer.bare_metal and peak_gpus >= node - 1e-9 else 1


def block_of(sim, group):
    """b of a group: the planner's, else the largest unit that its commitments are sold in; doubled over 512 today."""
    block = sim.assumptions.block
    if block is None:
        most = peak_today(sim, group)
        signed = [o for o in group.offers if o.pricing_category == "COMMITTED"]
        block = max((unit_of(sim, o, most) for o in signed), default=1)
    while math.ceil(peak_today(sim, group) / block - 1e-9) > MOST_BLOCKS:
        block *= 2
    return block


def cut(sim, group):
    """The group's slices: k from 1, low, gpus (b_k): blocks as far as today's and the next year's peak ask, above that
    each 1.25 times as wide, in whole blocks."""
    block = group.block = block_of(sim, group)
    year = min(peak(sim, group, range(min(12, sim.horizon))), FINE_BLOCKS * block)
    widths = [block] * math.ceil(max(peak_today(sim, group), year) / block - 1e-9)
    highest, exact = peak(sim, group, range(sim.horizon)), block if widths else block / WIDENING
    while sum(widths) < highest - 1e-9 * block:
        exact *= WIDENING
        widths.append(block * math.floor(exact / block + 0.5))
    group.slices = [
        SimpleNamespace(k=place + 1, low=sum(widths[:place]), gpus=width, denied=[])
        for place, width in enumerate(widths)
    ]
    _busy(sim, group)


def _busy(sim, group):
    """Sets group.u_at(k, part, t, j) of one part, and group.u(k, t, j) of a month."""
    served, known = sim.served, {}

    def u_at(k, at_s, t, j):
        key = served.key(at_s, t, j)
        if key not in known:
            left = served.left(group.members, key)
            known[key] = [
                served.mean(np.clip((left - piece.low) / piece.gpus, 0.0, 1.0), group.members)
                for piece in group.slices
            ]
        return known[key][k - 1]

    months = {}

    def u(k, t, j):
        """The mean, by time, of the parts from the fullest on."""
        if (k, t, j) not in months:
            parts = [(to_s - from_s, u_at(k, from_s, t, j)) for from_s, to_s in served.parts(t)]
            fullest = max(busy for _, busy in parts)
            first = next(place for place, (_, busy) in enumerate(parts) if busy >= fullest - 1e-12)
            rest = parts[first:]
            months[k, t, j] = sum(s * busy for s, busy in rest) / sum(s for s, _ in rest)
        return months[k, t, j]

    group.u_at, group.u = u_at, u


def has_fallen(sim, group):
    """Did the log of the group fall, and what of it the planner has given no day? Who is over by then is in neither."""

    def in_plan(stream):
        ends = stream.kind.days[1]
        return ends is None or ends > sim.plan_from_s

    def undated(stream):
        return stream.kind.days == (None, None)

    known = [hour for hour in range(sim.hours) if hour not in sim.demand.missing]
    whole = sim.demand.logged(group.members, in_plan)
    for run, hourly in sim.demand.run_hours.items():
        if (run.pool, run.model, sim.demand.kind_of(run.workload, run.model).only) in group.members:
            whole = whole + np.array(hourly) / MILLI_GPU_SECONDS
    return all(_fell(gpus[known]) for gpus in (whole, sim.demand.logged(group.members, undated)))


def _fell(hourly):
    """Less than 60% of the mean in the last 14 days, or nothing in the last 7? Not where it has happened before."""
    mean = hourly.mean()
    if not mean:
        return False
    if not hourly[-SILENT_DAYS * 24 :].any():
        return True
    low, days = FALL_SHARE * mean * (1 - 1e-12), FALL_DAYS * 24
    return bool(hourly[-days:].mean() < low) and not _has_come_back(hourly, low, mean * (1 - 1e-12), days)


def has_cycle_of_a_month(hourly):
    """At the end of one of the last 31 days, was the log until then low for 14 days, as it had been and come back?"""
    days = FALL_DAYS * 24
    for ended in range(31):
        so_far = hourly[: max(len(hourly) - 24 * ended, 0)]
        if len(so_far) >= 2 * days and so_far.any():
            mean = so_far.mean()
            low = FALL_SHARE * mean * (1 - 1e-12)
            if so_far[-days:].mean() < low and _has_come_back(so_far, low, mean * (1 - 1e-12), days):
                return True
    return False


def _has_come_back(hourly, low, mean, days):
    """Were an earlier stretch of 14 days as low, and 14 days after it at the mean or above?"""
    so_far = np.concatenate(([0.0], np.cumsum(hourly)))
    held = [(so_far[at + days] - so_far[at]) / days for at in range(len(hourly) - days + 1)]
    lows = [at for at in range(len(hourly) - 2 * days + 1) if held[at] < low]
    return any(held[later] >= mean for at in lows[:1] for later in range(at + days, len(held)))


class Lived:
    """Which terms each slice of a group may take in each month, by the days on which it ran."""

    def __init__(self, sim, group):
        self.sim, self.group, self._known = sim, group, {}

    def _factors(self, t, stated):
        """Today's level of D(h; 0), with (or without) what the planner states to be there in month t."""
        demand = self.sim.demand
        return tuple(
            float(stated and demand.in_month(s.kind, t))
            if demand.is_stated(s.kind)
            else float(demand.in_month(s.kind, 0))
            for s in self.sim.served.streams
        )

    def _hours(self, k, t, served):
        """(hours with the slice's middle reached, was it reached by what the planner states?) of demand as served."""
        end_s = self.sim.plan_from_s + (t + 1) * MONTH_S
        ids = tuple(c.contract_id for c in served.contracts if runs_at(c, end_s - 1))
        key = ids, self._factors(t, True)
        if (k, key, served) not in self._known:
            piece = self.group.slices[k - 1]
            middle = piece.low + piece.gpus / 2 - 1e-9
            reached = served.by_hour(served.left(self.group.members, key)) >= middle
            logged = served.by_hour(served.left(self.group.members, (ids, self._factors(t, False)))) >= middle
            self._known[k, key, served] = np.flatnonzero(reached), bool((reached & ~logged).any())
        return self._known[k, key, served]

    def days(self, k, t):
        """Days of the window (24 h back from its end) on which the slice ran, one job of its group left out; unlimited
        where the planner states it."""
        hours, said = self._hours(k, t, self.sim.evidence)
        return math.inf if said else len({(self.sim.hours - 1 - h) // 24 for h in hours})

    def runs_now(self, k, t):
        """Was its middle reached in the last 96 hours, above the contracts that run at the end of month t?"""
        hours, said = self._hours(k, t, self.sim.served)
        lately = [h for h in range(self.sim.hours) if h not in self.sim.demand.missing][-RECENT_H:]
        return said or bool(set(lately) & set(hours.tolist()))

    def allows(self, k, t, months):
        """May slice k sign a term of so many months in month t?"""
        if t == 0 and not self.runs_now(k, 0):
            return False
        return months <= 1 or self.days(k, t) + 30 * t >= needed_days(months)

    def only_if_it_lasts(self, k, t, months):
        """Is it only the + 30 t that allows the term, or did the slice not run lately?"""
        return (months > 1 and self.days(k, t) < needed_days(months)) or (t <= 1 and not self.runs_now(k, t))


def needed_days(months):
    return min(10 * months, 45)
