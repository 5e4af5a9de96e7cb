"""One slice: the walk of demand, the recursion (docs/formulas.md, Policy), and the path along the middle level."""

import math
from collections.abc import Callable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Deal:
    """An offer that may be signed in one month: what of each month of its term it serves and is paid for.

    months: T; hours: of the term; served: share of each of the T months; rate $ per GPU-hour and upfront $ per GPU,
    both before the price of the month.
    """

    offer: object
    months: int
    hours: float
    served: tuple
    rate: float
    upfront: float = 0.0

    @property
    def all_in(self):
        """$ per GPU-hour with the upfront payment spread over the term."""
        return self.rate + self.upfront / self.hours


@dataclass
class World:
    """What one slice's policy looks at.

    busy(t, j): u; deals(t): those open in month t; rented(t): (r_flex or None, may the slice wait in month t?);
    use_price(t), sign_price(t, offer): what a price of today is in month t, for use and for what is signed then.
    """

    busy: Callable
    deals: Callable
    rented: Callable
    gpus: float
    horizon: int
    lambda_: float
    delta: float
    wacc: float
    sigma: float
    use_price: Callable | None = None
    sign_price: Callable | None = None

    def __post_init__(self):
        fall = self.delta
        self.use_price = self.use_price or (lambda t: (1 - fall) ** t)
        self.sign_price = self.sign_price or (lambda t, offer: (1 - fall) ** t)


def rent(world, t, share_of_month):
    """(GPU-hours that nobody offers, $) of so much use in month t."""
    rate, may_wait = world.rented(t)
    if share_of_month <= 0:
        return 0.0, 0.0
    if not may_wait:
        return 730 * world.gpus * share_of_month, 0.0
    if rate is None:
        return 0.0, math.inf
    return 0.0, 730 * world.gpus * share_of_month * rate * world.use_price(t)


def better(one, best):
    """Less unserved first, then cheaper; a tie keeps the best so far."""
    if abs(one[0] - best[0]) > 1e-9 * (1 + abs(best[0])):
        return one[0] < best[0]
    return one[1] < math.inf and (best[1] == math.inf or one[1] < best[1] - 1e-12 * abs(best[1]))


def solve(world):
    """(V, choice): least cost (unserved GPU-hours, $) and what attains it, by (month, level); choice: Deal or None."""
    beta = (1 + world.wacc) ** (-1 / 12)
    alive = beta * (1 - world.lambda_)
    steps, grid = step_chances(world.sigma), levels(world.sigma)
    horizon = world.horizon
    zeros = dict.fromkeys(grid, 0.0)
    value = {horizon: (zeros, zeros)}
    choice = {}
    for t in range(horizon - 1, -1, -1):
        tomorrow = [expected(part, steps, 1) for part in value[t + 1]]
        options = []
        for deal in world.deals(t):
            after = None
            if t + deal.months < horizon and world.lambda_ < 1:
                after = [expected(part, steps, deal.months) for part in value[t + deal.months]]
            later_use = {  # E[u] of the months (or parts) that the term does not serve
                i: expected({j: world.busy(t + i, j) for j in grid}, steps, i)
                for i in range(min(deal.months, horizon - t))
                if deal.served[i] < 1
            }
            paid = sum(beta**i * deal.served[i] for i in range(min(deal.months, horizon - t)))
            cost = (
                730 * world.gpus * deal.rate * world.sign_price(t, deal.offer) * paid
                + deal.upfront * world.gpus
            )
            options.append((deal, cost, after, later_use))
        missed, usd = {}, {}
        for j in grid:
            best, best_deal = rent(world, t, world.busy(t, j)), None
            if world.lambda_ < 1:
                best = best[0] + alive * tomorrow[0][j], best[1] + alive * tomorrow[1][j]
            for deal, cost, after, later_use in options:
                candidate = [0.0, cost]
                for i, u in later_use.items():
                    lost, rented = rent(world, t + i, u[j] * (1 - deal.served[i]))
                    chance = alive**i
                    candidate[0] += chance * lost
                    candidate[1] += chance * rented if chance else 0.0
                if after is not None:
                    candidate[0] += alive**deal.months * after[0][j]
                    candidate[1] += alive**deal.months * after[1][j]
                if better(candidate, best):
                    best, best_deal = tuple(candidate), deal
            missed[j], usd[j] = best
            choice[t, j] = best_deal
        value[t] = missed, usd
    return value, choice


def solve_slice(busy, offers_in_month, r_flex, block, horizon, lambda_, delta, wacc, sigma):
    """(V, choice) where months are whole, leads free and nothing is limited: offers_in_month(t) is {term: offer}.

    r_flex None: nobody rents by the hour, so waiting is impossible (infinitely dear) where the slice is busy.
    V is {month: {level: $}}; choice[t, j] is None for waiting, else the offer.
    """

    def deals(t):
        return [whole(offer, term) for term, offer in sorted(offers_in_month(t).items())]

    world = World(busy, deals, lambda t: (r_flex, True), block, horizon, lambda_, delta, wacc, sigma)
    value, choice = solve(world)
    offers = {at: None if deal is None else deal.offer for at, deal in choice.items()}
    return {t: usd for t, (_, usd) in value.items()}, offers


def whole(offer, term):
    """An offer that serves whole months."""
    return Deal(offer, term, 730.0 * term, (1.0,) * term, offer.rate)


def middle_path(choice, horizon):
    """[(month signed, offer or deal) or None] for every month along j = 0: what the slice is in, if anything."""
    path = []
    while len(path) < horizon:
        t = len(path)
        signed = choice[t, 0]
        months = getattr(signed, "months", None) or getattr(signed, "term_months", None)
        path += [None] if signed is None else [(t, signed)] * months
    return path[:horizon]
