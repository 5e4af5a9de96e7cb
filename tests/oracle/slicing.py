"""Slices: how wide each is, how busy it is in each month and level, and since how many days it has lived."""

import math
from types import SimpleNamespace

MOST_BLOCKS, FINE_BLOCKS, WIDENING = 512, 384, 1.25
LONGEST_AFTER_A_FALL = 3
FALL_DAYS, FALL_SHARE, SILENT_DAYS, RECENT_H = 14, 0.6, 7, 96


def peak(sim, group, months):
    """Highest R along j = 0 over months."""
    return max(
        (max(hourly) for t in months for _, hourly in sim.served.residuals(group.members, t)), default=0.0
    )


def old_block(sim, groups):
    """b of the old rule: the planner's; above 512 slices the smallest power of two that keeps 512."""
    highest = max((peak(sim, group, range(25)) for group in groups), default=0.0)
    block = sim.block_set or 1
    if math.ceil(highest / block) > MOST_BLOCKS:
        block = 1
        while math.ceil(highest / block) > MOST_BLOCKS:
            block *= 2
    return block


def block_of(sim, group):
    """b of a group: the planner's, else the largest unit that its commitments are sold in; doubled over 512 today."""
    block = sim.block_set
    if block is None:
        block = max((unit_of(sim, o) for o in group.offers if o.pricing_category == "COMMITTED"), default=1)
    while math.ceil(peak(sim, group, [0]) / block - 1e-9) > MOST_BLOCKS:
        block *= 2
    return block


def unit_of(sim, offer):
    return offer.unit_gpus if sim.rules.unit is None else sim.rules.unit


def widths_of(sim, group, block):
    """[b_k] from the bottom: blocks as far as today's and the next year's peak ask, then 1.25 times as wide each, in
    whole blocks."""
    horizon = sim.assumptions.horizon_months
    if not sim.rules.new_slices:
        return [block] * math.ceil(
            peak(sim, group, range(25)) / block - 1e-9
        )  # digits of rounding are no slice
    year = min(peak(sim, group, range(min(12, horizon))), FINE_BLOCKS * block)
    fine = max(peak(sim, group, [0]), year)
    widths = [block] * math.ceil(fine / block - 1e-9)
    top, highest = block * len(widths), peak(sim, group, range(horizon))
    exact = block if widths else block / WIDENING
    while top < highest - 1e-9 * block:
        exact *= WIDENING
        widths.append(block * math.floor(exact / block + 0.5))
        top += widths[-1]
    return widths


def cut(sim, group, block):
    """The group's slices: k from 1, low, gpus (b_k); and group.u(k, t, j)."""
    group.block = block
    group.slices, low = [], 0.0
    for width in widths_of(sim, group, block):
        group.slices.append(SimpleNamespace(k=len(group.slices) + 1, low=low, gpus=width, dropped=False))
        low += width
    spread, known = {}, {}

    def in_state(k, key):
        if key not in spread:
            spread[key] = {}  # share of the hours by GPUs: equal hours are clipped once
            left = sim.served.left(group.members, key)
            for h, share in sim.served.shares.items():
                spread[key][left[h]] = spread[key].get(left[h], 0.0) + share
        if (k, key) not in known:
            piece = group.slices[k - 1]
            known[k, key] = sum(
                share * min(max((gpus - piece.low) / piece.gpus, 0.0), 1.0)
                for gpus, share in spread[key].items()
            )
        return known[k, key]

    def u(k, t, j):
        return sum(share * in_state(k, key) for share, key in sim.served.keys(t, j))

    group.u = u


def has_fallen(sim, group):
    """Did the log of the group fall, and what of it the planner has given no day? Who is over by then is in neither."""

    def in_plan(stream):
        ends = stream.kind.days[1]
        return ends is None or ends > sim.demand.plan_from_s

    def undated(stream):
        return stream.kind.days == (None, None)

    return all(_fell(sim.demand.of_group(group.members, logged=True, wanted=w)) for w in (in_plan, undated))


def _fell(hourly):
    """Less than 60% of the mean in the last 14 days, or nothing in the last 7?"""
    if not any(hourly):
        return False
    last = hourly[-FALL_DAYS * 24 :]
    fell = sum(last) / len(last) < FALL_SHARE * sum(hourly) / len(hourly) * (1 - 1e-12)
    return fell or not any(hourly[-SILENT_DAYS * 24 :])


class Lived:
    """Which terms each slice of a group may take in each month, by the days on which it ran."""

    def __init__(self, sim, group):
        self.sim, self.group, self._known = sim, group, {}

    def _hours(self, k, t):
        """(hours with the slice's middle reached, was it reached by what the planner states?)."""
        state, all_of_it = self.sim.served.lived(self.group.members, t)
        if (k, state) not in self._known:
            piece = self.group.slices[k - 1]
            middle = piece.low + piece.gpus / 2 - 1e-9
            _, of_the_log = self.sim.served.lived(self.group.members, t, stated=False)
            hours = [h for h, gpus in enumerate(all_of_it) if gpus >= middle]
            self._known[k, state] = hours, any(of_the_log[h] < middle for h in hours)
        return self._known[k, state]

    def days(self, k, t):
        """Days of the window (24 h back from its end) on which the slice ran; unlimited where the planner states it."""
        hours, said = self._hours(k, t)
        if said:
            return math.inf
        return len({(self.sim.hours - 1 - h) // 24 for h in hours})

    def runs_now(self, k):
        hours, said = self._hours(k, 0)
        return said or any(h >= self.sim.hours - RECENT_H for h in hours)

    def allows(self, k, t, months):
        """May slice k sign a term of so many months in month t?"""
        if t == 0 and not self.runs_now(k):
            return False
        return months <= 1 or self.days(k, t) + 30 * t >= needed_days(months)

    def only_if_it_lasts(self, k, t, months):
        """Is it only the + 30 t that allows the term?"""
        return months > 1 and self.days(k, t) < needed_days(months)


def needed_days(months):
    return min(10 * months, 45)
