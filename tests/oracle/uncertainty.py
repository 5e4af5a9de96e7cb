"""The band of a plan's figures: what the months ahead may cost with the advice held."""

import math

import numpy as np

from tests.oracle.totals import total

DRAWS = 500
WEEK_H, PART_H = 168, 58  # 4.35 weeks a month: four whole ones and the first 58 h of a fifth
DEGREES = 5


def old_band(sim, answer):
    """P10, P50, P90 of the first model: 500 resamples of the last whole weeks, nothing else uncertain."""
    weeks = sim.hours // WEEK_H
    if weeks < 2 or answer.plan is None:
        return None, None, None
    fixed = total([usd for _, usd in answer.idle.values()])
    hourly = [0.0] * sim.hours  # $ of usage by hour
    for group in answer.groups:
        for layer in group.layers:
            if layer.existing or layer.term_months:
                fixed += layer.usd_per_month
        for piece in group.slices:
            if piece.choice[0, 0] is None:
                for h, gpus in enumerate(group.residual_now):
                    hourly[h] += group.usage.r_flex * min(max(gpus - piece.low, 0.0), piece.gpus)
    first = sim.hours - weeks * WEEK_H
    by_week = [sum(hourly[first + WEEK_H * w : first + WEEK_H * (w + 1)]) / WEEK_H for w in range(weeks)]
    costs = sorted(
        fixed + 730 * sum(by_week[w] for w in drawn) / weeks
        for drawn in np.random.default_rng(0).integers(0, weeks, size=(DRAWS, weeks)).tolist()
    )
    return tuple(quantile(costs, share) for share in (0.1, 0.5, 0.9))


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


def band(cost, weeks, week_weights, variance, by_hand=False, workloads=(), lambda_=0.0, seed=0):
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
    for _ in range(DRAWS):
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
