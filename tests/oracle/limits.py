"""Every slice's policy under the limits: max_gpus, min_gpus, terms, shares of providers, use that is limited."""

from tests.oracle.groups import place_of, usage_of
from tests.oracle.offers import commitments, ways_in_month
from tests.oracle.orders import chain_of, is_in_time
from tests.oracle.policy import World, levels, solve
from tests.oracle.runs import buy_run
from tests.oracle.serving import hours_between
from tests.oracle.slicing import Lived, fall_of

NO_LIMIT = 10**9
NOISE = 1e-12  # a share of the hours that is only rounding


def solve_all(sim, groups, runs, provider_limit=None):
    """Sets group.slices[..].value, .choice and .orders and those of runs; min_gpus closes offers until none changes.

    provider_limit: $ that one provider may have of month 0."""
    closed_from = {}  # {offer_id: first month in which too few would take it}
    _prepare(sim, groups, runs)
    while True:
        _solve_once(sim, groups, runs, closed_from, provider_limit)
        taken = {}
        for group in groups:
            for piece in group.slices:
                for order in piece.orders:
                    at = (order.month, order.offer.offer_id)
                    taken[at] = taken.get(at, 0.0) + order.gpus
        least = {o.offer_id: o.min_gpus for o in sim.offers}
        short = sorted(at for at, gpus in taken.items() if gpus < least[at[1]] - 1e-9)
        if not short:
            return
        t, offer_id = short[0]  # one by one: the other may have enough then
        closed_from[offer_id] = t


def _prepare(sim, groups, runs):
    """What does not change with what is closed: who fell, who lived, use under its limits, enough for min_gpus."""
    for group in groups:
        group.fall = fall_of(sim.demand, group.members)
        group.levels, group.lived = levels(group.sigma), Lived(sim, group)
    give_out_use(sim, groups, runs)
    sim.enough = {}
    for offer in sim.offers:
        if offer.min_gpus and offer.rate:
            for t in range(sim.horizon):
                sim.enough[offer.offer_id, t] = _would_pay(sim, groups, offer, t) >= offer.min_gpus - 1e-9


def _would_pay(sim, groups, offer, t):
    """GPUs of the slices for which an offer would pay in month t: u r_flex >= its rate, upfront spread."""
    gpus = 0.0
    for group in groups:
        if offer not in group.offers:
            continue
        for piece in group.slices:
            busy = group.u(piece.k, t, 0)
            rate, may_wait = sim.rented(group, piece, t)
            by_use = busy * rate * sim.use_price(group, t) if may_wait and rate is not None else None
            signed = offer.rate * sim.sign_price(t, offer) + offer.upfront_usd / offer.bound_hours
            if busy > 0 and (by_use is None or by_use >= signed - 1e-12):
                gpus += piece.gpus
    return gpus


def longest_term(sim, group):
    longest = 1 if sim.hours <= 168 else NO_LIMIT
    if sim.assumptions.max_term_months is not None:
        longest = min(longest, sim.assumptions.max_term_months)
    return longest


def _solve_once(sim, groups, runs, closed_from, provider_limit):
    left = {o.offer_id: o.max_gpus for o in sim.offers if o.max_gpus is not None}
    share = Shares(sim, provider_limit)
    for owner in sorted([*groups, *runs], key=lambda one: (*place_of(one.order_pool, *one.at), one.is_run)):
        if owner.is_run:
            buy_run(sim, owner, left, share)
            continue
        for piece in owner.slices:
            closed = {offer_id for offer_id, gpus in left.items() if gpus < piece.gpus}
            share.keep(
                piece.gpus,
                lambda full, owner=owner, piece=piece, closed=closed: _solve_slice(
                    sim, owner, piece, closed | full, closed_from
                ),
            )
            for offer_id in {order.offer.offer_id for order in piece.orders}:
                if offer_id in left:
                    left[offer_id] -= piece.gpus


class Shares:
    """How much of month 0 each provider has; full: the offers of providers that are closed to it."""

    def __init__(self, sim, limit):
        self.sim, self.limit, self.usd, self.full = sim, limit, {}, set()
        for contract in sim.existing:
            if contract.rate and contract.provider:
                hours = hours_between(contract, sim.plan_from_s, sim.plan_from_s + 730 * 3600)
                usd = contract.gpus * contract.rate * hours
                self.usd[contract.provider] = self.usd.get(contract.provider, 0.0) + usd

    def keep(self, gpus, solved):
        """Solve a slice until it carries no provider over the limit. solved(closed offers): its orders."""
        while True:
            barred = {o.offer_id for o in self.sim.offers if o.provider in self.full}
            amounts = {}
            for order in solved(barred):
                provider, usd = order.offer.provider, 730 * gpus * order.offer.rate
                if provider:
                    amounts[provider] = max(amounts.get(provider, 0.0), usd)
            over = {
                provider
                for provider, usd in amounts.items()
                if self.limit is not None and self.usd.get(provider, 0.0) + usd > self.limit * (1 + 1e-12)
            }
            if not over:
                break
            self.full |= over
        for provider, usd in amounts.items():
            self.usd[provider] = self.usd.get(provider, 0.0) + usd


def _solve_slice(sim, group, piece, closed, closed_from):
    offers = [o for o in commitments(group.offers, longest_term(sim, group)) if o.offer_id not in closed]

    def ways(t):
        usable = [
            o
            for o in offers
            if sim.enough.get((o.offer_id, t), True) and t < closed_from.get(o.offer_id, NO_LIMIT)
        ]
        found = ways_in_month(usable, t, sim.plan_from_s, sim.sign_price)
        found = [way for way in found if is_in_time(sim, group, piece, t, way)]
        found = [way for way in found if group.lived.after_a_fall(piece.k, t, way.offer.months)]
        if sim.assumptions.slices_lived:
            found = [way for way in found if group.lived.allows(piece.k, t, way.offer.months)]
        return found

    piece.world = World(
        busy=lambda t, j: group.u(piece.k, t, j),
        ways=ways,
        rented=lambda t: sim.rented(group, piece, t),
        gpus=piece.gpus,
        horizon=sim.horizon,
        lambda_=sim.lambda_of(group),
        wacc=sim.assumptions.wacc,
        sigma=group.sigma,
        use_price=lambda t: sim.use_price(group, t),
    )
    piece.value, piece.choice = solve(piece.world)
    piece.orders = chain_of(sim, group, piece)
    return piece.orders


# -- use that is limited --------------------------------------------------------------------------------------


def give_out_use(sim, groups, runs):
    """owner.use[t, k] = (Usage, may it wait?): limits go from the highest busy slice downward, month by month; a run is
    the highest of its pool."""
    owners = sorted([*groups, *runs], key=lambda one: (*place_of(one.order_pool, *one.at), not one.is_run))
    months = range(max(sim.horizon, 12))
    for owner in owners:
        owner.use = {}
        owner.rents = any(usage_of(sim, owner, t)[0].r_flex is not None for t in months)
    if not any(owner.limited for owner in owners):
        return
    for t in months:
        left = {
            o.offer_id: o.max_gpus
            for o in sim.offers
            if o.max_gpus is not None and o.pricing_category != "COMMITTED"
        }
        for owner in owners:
            if not owner.limited:
                continue
            for piece in owner.slices if owner.is_run else reversed(owner.slices):
                usage, taken = _use_of_slice(sim, owner, piece, t, left)
                for offer_id, gpus in taken.items():
                    if owner.u(piece.k, t, 0) > NOISE and offer_id in left:
                        left[offer_id] -= gpus
                owner.use[t, piece.k] = usage, usage.r_flex is not None or not (owner.rents or owner.only)


def _use_of_slice(sim, group, piece, t, left):
    """Usage of a slice with what is left of the limits, and the GPUs it takes of each offer."""
    closed = set()
    while True:
        usage, shares = usage_of(sim, group, t, frozenset(closed))
        taken = {offer_id: share * piece.gpus for offer_id, share in shares.items()}
        short = [
            offer_id for offer_id, gpus in taken.items() if offer_id in left and gpus > left[offer_id] + 1e-9
        ]
        if not short:
            return usage, taken
        closed.add(min(short))
