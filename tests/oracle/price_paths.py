"""Four paths of prices, slowly: month 0 signed as the plan's own prices have it, the rest planned knowing the path.

Readings taken where MODEL's sentence allows more than one.
- A path takes the place of delta; dated changes of prices hold on it too.
- "terms over 12 months closed": in every month, as `max_term_months` closes them; what shorter-only signs in month 0 is
  the plan of these terms alone at the plan's own delta.
- "the longest eligible term": of those that the slice may sign in month 0.
- In all three, and in none of the regret: what existing contracts are paid to the horizon.
Left out: limits (max_gpus, shares of providers, a budget), which move from slice to slice with the path.
"""

import math
from types import SimpleNamespace

from tests.oracle.limits import solve_all
from tests.oracle.policy import expected, rent, step_chances
from tests.oracle.serving import runs_through

PATHS = {
    "fall": lambda t: (1 - 0.012) ** t,
    "cut": lambda t: 1.0 if t < 12 else 0.64,
    "flat": lambda t: 1.0,
    "rise": lambda t: 1.029 ** min(t, 12),
}
MIX = 0.25


def price_paths(sim, short):
    """{path: (shorter-only, advice, longer-only, regret)} in $. short: the simulator of the same case with
    max_term_months 12 (or the case's own, where that is lower)."""
    plan, shorter = sim.solved(), short.solved()
    advised = [[piece.choice[0, 0] for piece in group.slices] for group in plan]
    longer = [
        [None if piece.choice[0, 0] is None else piece.open_now[-1] for piece in group.slices]
        for group in plan
    ]
    of_short = [[piece.choice[0, 0] for piece in group.slices] for group in shorter]
    paid = contracts_usd(sim)
    answer = {}
    for name, path in PATHS.items():
        sim.path = short.path = path
        solve_all(sim, plan)
        solve_all(short, shorter)
        best = sum(piece.value[0][1][0] for group in plan for piece in group.slices)
        advice = total(plan, advised)
        answer[name] = (
            paid + total(shorter, of_short),
            paid + advice,
            paid + total(plan, longer),
            advice - best,
        )
    return answer


def contracts_usd(sim):
    """What existing contracts are paid to the horizon, discounted."""
    beta = (1 + sim.assumptions.wacc) ** (-1 / 12)
    return sum(
        beta**t * 730 * contract.gpus * contract.rate
        for t in range(sim.assumptions.horizon_months)
        for contract in sim.existing
        if runs_through(contract, sim.demand.plan, t)
    )


def total(groups, month_0):
    return sum(
        cost(piece.world, piece.value, deal)
        for group, deals in zip(groups, month_0, strict=True)
        for piece, deal in zip(group.slices, deals, strict=True)
    )


def cost(world, value, deal):
    """$ of doing this in month 0 (a deal, or None to rent) and following the policy after it."""
    beta, steps = (1 + world.wacc) ** (-1 / 12), step_chances(world.sigma)
    alive = beta * (1 - world.lambda_)

    def after(months):
        if months >= world.horizon:
            return 0.0
        return alive**months * expected(value[months][1], steps, months)[0]

    if deal is None:
        return rent(world, 0, world.busy(0, 0))[1] + after(1)
    usd = deal.upfront * world.gpus
    for i in range(min(deal.months, world.horizon)):
        usd += beta**i * 730 * world.gpus * deal.rate * world.sign_price(0, deal.offer) * deal.served[i]
        if deal.served[i] < 1:
            levels = {j: world.busy(i, j) for j in steps}
            usd += alive**i * rent(world, i, expected(levels, steps, i)[0] * (1 - deal.served[i]))[1]
    return usd + after(deal.months)


def signed_by_term(sim):
    """{(months, hours): $ in all} of what is signed in month 0, in whole units."""
    bought = {}
    for group in sim.solved():
        for piece in group.slices:
            deal = piece.choice[0, 0]
            if deal is not None:
                key = (group.pool, group.model, deal.offer.offer_id)
                row = bought.setdefault(key, SimpleNamespace(deal=deal, gpus=0.0))
                row.gpus += piece.gpus
    found = {}
    for row in bought.values():
        unit = row.deal.offer.unit_gpus
        gpus = row.gpus if unit == 1 else unit * math.ceil(row.gpus / unit - 1e-9)
        term = (row.deal.months, row.deal.hours)
        found[term] = found.get(term, 0.0) + gpus * (row.deal.hours * row.deal.rate + row.deal.upfront)
    return found


def is_another_mix(here, there):
    """Does the mix of terms change?"""
    larger = max(sum(here.values()), sum(there.values()))
    return sum(abs(here.get(t, 0.0) - there.get(t, 0.0)) for t in {*here, *there}) / 2 > MIX * larger + 0.01
