"""One slice: the walk of demand, and the cheapest policy by backward recursion (docs/formulas/policy.md)."""

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
class Way:
    """An offer that may be signed in one month: x, the share of it before it starts, and what prices are then."""

    offer: object
    x: float
    price: float

    @property
    def months(self):
        """l."""
        return self.offer.bound_hours / 730

    @property
    def upfront(self):
        """$ per GPU, once, also of a term that renews."""
        return self.offer.upfront_usd


@dataclass(kw_only=True)
class World:
    """What one slice's policy looks at.

    busy(t, j): u; ways(t): what may be signed, in the order in which ties are decided; rented(t): (r_flex or None, may
    the slice wait in month t?); use_price(t): what a price by use of today is in month t.
    """

    busy: Callable
    ways: Callable
    rented: Callable
    gpus: float
    horizon: int
    lambda_: float
    wacc: float
    sigma: float
    use_price: Callable

    def __post_init__(self):
        self.beta = (1 + self.wacc) ** (-1 / 12)
        self.alive = self.beta * (1 - self.lambda_)  # q


def rent(world, t, j, share):
    """(GPU-hours that nobody offers, $) of a slice's use in a share of month t."""
    used = 730 * world.gpus * world.busy(t, j) * share
    rate, may_wait = world.rented(t)
    if used <= 0:
        return 0.0, 0.0
    if not may_wait:
        return used, 0.0
    return 0.0, math.inf if rate is None else used * rate * world.use_price(t)


def better(one, best):
    """Less unserved first, then cheaper; a tie keeps the best so far."""
    if abs(one[0] - best[0]) > 1e-9 * (1 + abs(best[0])):
        return one[0] < best[0]
    return one[1] < math.inf and (best[1] == math.inf or one[1] < best[1] - 1e-12 * abs(best[1]))


def paid_months(world, months):
    """a(n) = 1 + beta + .. over the whole months of n, plus its rest x beta^floor(n)."""
    whole = math.floor(months + 1e-12)
    return sum(world.beta**i for i in range(whole)) + max(months - whole, 0.0) * world.beta**whole


def solve(world):
    """(V, choice): least cost (unserved GPU-hours, $) and what attains it, by (month, level); choice: Way or None."""
    steps, grid, horizon = step_chances(world.sigma), levels(world.sigma), world.horizon
    value = {horizon: (dict.fromkeys(grid, 0.0), dict.fromkeys(grid, 0.0))}
    choice = {}
    for t in range(horizon - 1, -1, -1):
        known = {}

        def later(months, j, t=t, known=known):
            """q^i E_i[V(t + i)], 0 from the horizon on."""
            if t + months >= horizon or world.alive == 0:
                return 0.0, 0.0
            if months not in known:
                known[months] = [expected(part, steps, months) for part in value[t + months]]
            return tuple(world.alive**months * part[j] for part in known[months])

        ways = [(way, way_usd(world, t, way)) for way in world.ways(t)]
        missed, usd = {}, {}
        for j in grid:
            best, best_way = plus(rent(world, t, j, 1.0), later(1, j)), None
            for way, signed_usd in ways:
                left = way.x + max(
                    0.0, 1 - way.x - way.months
                )  # of the month: before it starts, after a block
                end = max(1.0, way.x + way.months)
                i = math.floor(end + 1e-9)
                p = max(end - i, 0.0)
                p = 0.0 if p < 1e-9 else p
                candidate = plus(
                    rent(world, t, j, left), (0.0, signed_usd), mixed(later(i, j), later(i + 1, j), p)
                )
                if better(candidate, best):
                    best, best_way = candidate, way
            missed[j], usd[j] = best
            choice[t, j] = best_way
        value[t] = missed, usd
    return value, choice


def way_usd(world, t, way):
    """q^x (m r a(n) + upfront b)."""
    n = min(way.months, world.horizon - t - way.x)
    usd = 730 * world.gpus * way.offer.rate * way.price * paid_months(world, n) + way.upfront * world.gpus
    return world.alive**way.x * usd


def plus(*amounts):
    return tuple(sum(parts) for parts in zip(*amounts, strict=True))


def mixed(one, other, p):
    """On the line between two."""
    return one if p == 0 else tuple((1 - p) * a + p * b for a, b in zip(one, other, strict=True))
