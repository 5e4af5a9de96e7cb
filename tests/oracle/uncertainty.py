"""The band of a plan's figures: what the months ahead may cost with the advice held."""

import math

import numpy as np

from tests.oracle.limits import rented
from tests.oracle.serving import turns_of
from tests.oracle.volatility import sigma_of_log

DRAWS = 500
WEEK_H, PART_H = 168, 58  # 4.35 weeks a month: four whole ones and the first 58 h of a fifth
DEGREES = 5


def band_of_plan(sim, answer, draws=DRAWS):
    """P10, P50, P90 of $ of month 0 with the advice held; None under two weeks of log or where a rate is missing.

    One level for all demand: its volatility is that of what it would cost by use, or the mean of those set by hand.
    Commitments are paid as they are; what they and contracts leave over is rented at each slice's own rate, and what
    nobody serves costs nothing.
    """
    weeks, demand = sim.hours // WEEK_H, sim.demand
    if weeks < 2 or answer.plan is None:
        return None, None, None
    starts = [sim.hours - (weeks - w) * WEEK_H for w in range(weeks)]
    week_weights = [sum(demand.weights[start : start + WEEK_H]) for start in starts]
    worth = [[gpus * (group.usage.r_flex or 0.0) for gpus in group.hourly] for group in answer.groups]
    by_hand = demand.sigma is not None
    sigma, noise = (
        (demand.sigma, 0.0) if by_hand else sigma_of_log([sum(hour) for hour in zip(*worth, strict=True)])
    )
    by_use = [
        x.usd_per_month for g in answer.groups for x in g.layers if not x.existing and not x.term_months
    ]
    return band(
        _Rent(sim, answer.groups, answer.plan - sum(by_use)),
        starts,
        week_weights,
        variance_of_level(sigma, noise, 1, demand.weights, week_weights),
        by_hand,
        sorted(demand.workloads),
        sim.assumptions.lambda_,
        draws=draws,
    )


class _Rent:
    """$ a month of some hours of the log at a level, without those who are absent."""

    def __init__(self, sim, groups, fixed_usd):
        self.sim, self.groups, self.fixed_usd = sim, groups, fixed_usd
        served = sim.served
        self.streams = served.streams
        self.hourly = [np.array(stream.hourly, dtype=float) for stream in self.streams]
        self.contracts = served.running(0)
        self.turns = turns_of(self.streams, self.contracts)
        self.pieces = [
            (share, sim.demand.factors(self.streams, at_s, 0, 0)) for at_s, share in sim.demand.pieces(0)
        ]

    def __call__(self, hours, level, absent):
        usd = self.fixed_usd
        for share, factors in self.pieces:
            left = self._left(np.array(hours), [factor * level for factor in factors], absent)
            usd += share * 730 * sum(self._rented(group, left) for group in self.groups)
        return usd

    def _left(self, hours, factors, absent):
        """GPUs by hour of each stream that contracts leave over."""
        room = {c.contract_id: np.full(len(hours), float(c.milli_gpus * 3600)) for c in self.contracts}
        left = [None] * len(self.streams)
        for index, stream, usable in self.turns:
            gone = sum(sum(stream.users[key]) for key in absent if key in stream.users)
            whole = sum(sum(own) for own in stream.users.values())
            amount = self.hourly[index][hours] * factors[index] * (1 - gone / whole if whole else 1)
            for contract in usable:
                taken = np.minimum(amount, room[contract.contract_id])
                room[contract.contract_id] = room[contract.contract_id] - taken
                amount = amount - taken
            left[index] = amount / 3_600_000
        return left

    def _rented(self, group, left):
        mine = [x for x, stream in zip(left, self.streams, strict=True) if stream.part in group.members]
        gpus, top, usd = sum(mine), 0.0, 0.0
        for piece in group.slices:
            rate, may_wait = rented(group, piece, 0)
            deal = piece.choice[0, 0]
            open_ = 1.0 if deal is None else 1 - min(1.0, deal.hours / 730)
            top = piece.low + piece.gpus
            if may_wait and not piece.dropped and rate is not None:
                usd += open_ * rate * np.clip(gpus - piece.low, 0, piece.gpus).mean()
        if group.limited or group.usage.r_flex is None or any(piece.dropped for piece in group.slices):
            return usd
        return usd + group.usage.r_flex * np.maximum(gpus - top, 0).mean()


def variance_of_level(sigma, noise, months, hour_weights, week_weights):
    """v = sigma^2 (A + n / 3) + c x sum of squared weights of the weeks.

    hour_weights: recency by hour, oldest first; A = sum over hours of (share of all older hours)^2 / 730: how many
    months the weighted mean lags behind today. week_weights: of the log's weeks, any scale.
    """
    whole, older, lag = sum(hour_weights), 0.0, 0.0
    for weight in hour_weights:
        lag += (older / whole) ** 2 / 730
        older += weight
    shares = [weight / sum(week_weights) for weight in week_weights]
    return sigma**2 * (lag + months / 3) + noise * sum(share**2 for share in shares)


def band(cost, weeks, week_weights, variance, by_hand=False, workloads=(), lambda_=0.0, seed=0, draws=DRAWS):
    """P10, P50, P90 of $ a month over 500 draws.

    cost(hours, level, absent): mean $ a month of the log's hours drawn (numbers of hours) with demand x level, and
    without the workloads absent; what is signed is in it. weeks: first hour of each of the log's weeks. by_hand:
    sigma was set by hand, so that levels are normal.
    MODEL does not fix the order in which a draw takes its weeks, its level and its absences: here in this order, draw
    by draw. Compare statistically.
    """
    random = np.random.default_rng(seed)
    chances = np.array(week_weights, dtype=float) / sum(week_weights)
    costs = []
    for _ in range(draws):
        drawn = random.choice(len(weeks), size=5, p=chances)
        hours = [weeks[w] + h for w in drawn[:4] for h in range(WEEK_H)]
        hours += [weeks[drawn[4]] + h for h in range(PART_H)]
        z = random.standard_normal() if by_hand else random.standard_t(DEGREES)
        level = math.exp(math.sqrt(variance) * z - variance / 2)
        absent = {key for key in workloads if random.random() < lambda_ / 2}
        costs.append(cost(hours, level, absent))
    costs.sort()
    return tuple(quantile(costs, share) for share in (0.1, 0.5, 0.9))


def quantile(ordered, share):
    """The share-quantile of ordered values, linear between two of them."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
