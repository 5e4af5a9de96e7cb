"""Every policy of one slice, tried one by one: only for a few months, terms and levels."""

import math
from itertools import product


def walks(horizon, sigma):
    """[(levels by month, chance)] of every walk from level 0; short horizons never reach the edge of the grid."""
    assert horizon <= 10
    if sigma == 0:
        return [((0,) * horizon, 1.0)]
    s = sigma * math.sqrt(3)
    up = 1 / (3 * (1 + math.exp(s)))
    chances = {1: up, -1: math.exp(s) * up, 0: 1 - up - math.exp(s) * up}
    answer = []
    for steps in product((-1, 0, 1), repeat=horizon - 1):
        path, chance = [0], 1.0
        for step in steps:
            path.append(path[-1] + step)
            chance *= chances[step]
        answer.append((tuple(path), chance))
    return answer


def cost_of(policy, path, busy, rates, r_flex, block, lambda_, delta, wacc):
    """Expected discounted cost of a policy along one walk; the demand ends for good with chance lambda a month."""
    horizon = len(path)
    t, cost = 0, 0.0
    while t < horizon:
        weight = ((1 + wacc) ** (-1 / 12) * (1 - lambda_)) ** t  # discounted, and the demand is still there
        term = policy[t, path[t]]
        if term is None:
            cost += weight * 730 * block * busy(t, path[t]) * r_flex * (1 - delta) ** t
            t += 1
        else:
            months = [m for m in range(t, t + term) if m < horizon]
            paid = sum((1 + wacc) ** (-(m - t) / 12) for m in months)
            cost += weight * 730 * block * rates[term] * (1 - delta) ** t * paid
            t += term
    return cost


def costs_by_first_choice(busy, rates, r_flex, block, horizon, lambda_, delta, wacc, sigma):
    """{first choice: least expected cost of every policy that begins so}; None waits, else a term.

    A policy is one choice for each month and level that a walk from level 0 can reach.
    """
    states = [(t, j) for t in range(horizon) for j in (range(-t, t + 1) if sigma else [0])]
    paths = walks(horizon, sigma)
    best = {}
    for choices in product([None, *rates], repeat=len(states)):
        policy = dict(zip(states, choices, strict=True))
        cost = 0.0
        for path, chance in paths:
            cost += chance * cost_of(policy, path, busy, rates, r_flex, block, lambda_, delta, wacc)
        best[choices[0]] = min(cost, best.get(choices[0], math.inf))
    return best


def least_cost(*world):
    """The least expected cost over every policy; arguments as for costs_by_first_choice."""
    return min(costs_by_first_choice(*world).values())


def newsvendor_level(hourly, block, rate, r_flex):
    """The smallest whole level K of the least `rate b K + r_flex mean(max(0, D - b K))`, by trying them all."""
    costs = {}
    for level in range(math.ceil(max(hourly) / block) + 1):
        over = sum(max(0.0, gpus - block * level) for gpus in hourly) / len(hourly)
        costs[level] = rate * block * level + r_flex * over
    least = min(costs.values())
    return min(level for level, cost in costs.items() if cost <= least + 1e-9)
