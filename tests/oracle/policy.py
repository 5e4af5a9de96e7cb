"""One slice: the walk of demand, the recursion (docs/formulas.md, Policy), and the path along the middle level."""

import math

EDGE = 10


def levels(sigma):
    """The grid of levels j; volatility 0 leaves one."""
    return [0] if sigma == 0 else list(range(-EDGE, EDGE + 1))


def level_factor(j, sigma):
    """f_j = exp(j s), s = sigma sqrt(3)."""
    return math.exp(j * sigma * math.sqrt(3))


def step_chances(sigma):
    """{j: [(next j, chance)]} of one month; at the edge the outward step stays."""
    if sigma == 0:
        return {0: [(0, 1.0)]}
    up = 1 / (3 * (1 + math.exp(sigma * math.sqrt(3))))
    down = math.exp(sigma * math.sqrt(3)) * up
    steps = {}
    for j in levels(sigma):
        stay = 1 - up - down
        moves = []
        if j < EDGE:
            moves.append((j + 1, up))
        else:
            stay += up
        if j > -EDGE:
            moves.append((j - 1, down))
        else:
            stay += down
        moves.append((j, stay))
        steps[j] = moves
    return steps


def expected(values, steps, months):
    """{j: E_months[values]}: the walk taken one month at a time."""
    for _ in range(months):
        values = {j: sum(chance * values[to] for to, chance in moves) for j, moves in steps.items()}
    return values


def solve_slice(busy, offers_in_month, r_flex, block, horizon, lambda_, delta, wacc, sigma):
    """(V, choice): least cost and what attains it, by (month, level).

    r_flex None: nobody rents by the hour, so waiting is impossible (infinitely dear) where the slice is busy.
    busy(t, j) is u_k; offers_in_month(t) is {term: offer}; choice is None for waiting, else the offer.
    """
    beta = (1 + wacc) ** (-1 / 12)
    gpu_hours = 730 * block
    steps = step_chances(sigma)
    grid = levels(sigma)
    value = {horizon: dict.fromkeys(grid, 0.0)}
    choice = {}
    for t in range(horizon - 1, -1, -1):
        value[t] = {}
        offers = offers_in_month(t)
        tomorrow = expected(value[t + 1], steps, 1)
        after = {term: expected(value[t + term], steps, term) for term in offers if t + term < horizon}
        for j in grid:
            if r_flex is None:
                rented = math.inf if busy(t, j) > 0 else 0.0
            else:
                rented = gpu_hours * busy(t, j) * r_flex * (1 - delta) ** t
            best = rented + (beta * (1 - lambda_) * tomorrow[j] if lambda_ < 1 else 0.0)
            best_offer = None
            for term in sorted(offers):
                paid_months = min(term, horizon - t)
                candidate = (
                    gpu_hours
                    * offers[term].rate
                    * (1 - delta) ** t
                    * sum(beta**i for i in range(paid_months))
                )
                if t + term < horizon and lambda_ < 1:
                    candidate += (beta * (1 - lambda_)) ** term * after[term][j]
                if candidate < math.inf and (best == math.inf or candidate < best - 1e-12 * abs(best)):
                    best, best_offer = candidate, offers[term]
            value[t][j] = best
            choice[t, j] = best_offer
    return value, choice


def middle_path(choice, horizon):
    """[(month signed, offer) or None] for every month along j = 0: the commitment the slice is in, if any."""
    path = []
    while len(path) < horizon:
        t = len(path)
        offer = choice[t, 0]
        path += [None] if offer is None else [(t, offer)] * offer.term_months
    return path[:horizon]
