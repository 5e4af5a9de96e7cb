"""Every slice's policy under the limits: max_gpus, min_gpus, terms, shares of providers, limited use, a budget."""

from tests.oracle.groups import name_of, usage_of
from tests.oracle.offers import deals_in_month
from tests.oracle.policy import World, levels, middle_path, solve
from tests.oracle.slicing import LONGEST_AFTER_A_FALL, Lived, has_fallen
from tests.oracle.stated import change_factor

NO_LIMIT = 10**9
DROPPED_FIRST = ("burst", "training", "inference", "joint")


def changes_of(sim, model):
    """Dated changes of the prices of a model's offers, after the plan begins (what came before is in their rates)."""
    return [change for change in sim.later_prices if change.what.lower() == model.lower()]


def dated(sim, offer, t):
    """What dated changes make of an offer's rate at the first instant of month t."""
    changes, plan_from_s = changes_of(sim, offer.gpu_model), sim.demand.plan_from_s
    return change_factor(changes, plan_from_s + t * 730 * 3600, t, plan_from_s) if changes else 1.0


def dated_use(sim, model, t):
    """What they make of a price by use, by days of the month."""
    changes = changes_of(sim, model)
    if not changes:
        return 1.0
    plan_from_s = sim.demand.plan_from_s
    return sum(share * change_factor(changes, at_s, t, plan_from_s) for at_s, share in sim.price_pieces(t))


def prices(sim, group):
    """(use_price(t), sign_price(t, offer)): what a price of today is in month t; for use the mean by days of the
    month, and over the offers that the group's workloads pay today, by what they pay."""

    def sign_price(t, offer):
        return sim.path(t) * dated(sim, offer, t)

    def use_price(t):
        whole = sum(group.paid_by_model.values())
        if not sim.later_prices or not whole:
            return sim.path(t)
        parts = group.paid_by_model.items()
        return sim.path(t) * sum(usd / whole * dated_use(sim, model, t) for model, usd in parts)

    return use_price, sign_price


def solve_all(sim, groups, provider_limit=None):
    """Sets group.slices[..].value, .choice and .path; min_gpus closes offers in month 0 until none changes."""
    closed_now = set()
    while True:
        _solve_once(sim, groups, closed_now, provider_limit)
        taken = {}
        for group in groups:
            for piece in group.slices:
                deal = piece.choice[0, 0]
                if deal is not None:
                    taken[deal.offer.offer_id] = taken.get(deal.offer.offer_id, 0.0) + piece.gpus
        short = [o for o in sim.offers if 0 < taken.get(o.offer_id, 0.0) < o.min_gpus - 1e-9]
        if not short:
            return
        closed_now.add(min(o.offer_id for o in short))


def _solve_once(sim, groups, closed_now, provider_limit):
    rules = sim.rules
    left = {o.offer_id: o.max_gpus for o in sim.offers if o.max_gpus is not None}
    of_provider, full = _provider_start(sim), set()
    give_out_use(sim, groups)
    sim.short_supply = set()
    for group in groups:
        longest = 1 if sim.hours <= 168 else NO_LIMIT
        if rules.max_term_months is not None:
            longest = min(longest, rules.max_term_months)
        group.fell = rules.demand_fall_closes and has_fallen(sim, group)
        if group.fell:
            longest = min(longest, LONGEST_AFTER_A_FALL)
        group.levels = levels(group.sigma)
        group.lived = Lived(sim, group)
        if group.by_hand is not None:
            group.slices = []
            continue
        for piece in group.slices:
            closed = {offer_id for offer_id, gpus in left.items() if gpus < piece.gpus}
            sim.short_supply |= closed
            while True:
                barred = closed | {o.offer_id for o in sim.offers if o.provider in full}
                _solve_slice(sim, group, piece, frozenset(barred), frozenset(closed_now), longest)
                taken = {step[1].offer for step in piece.path if step is not None}
                amounts = {}
                for offer in taken:
                    usd = 730 * piece.gpus * offer.rate
                    amounts[offer.provider] = max(amounts.get(offer.provider, 0.0), usd)
                over = {
                    provider
                    for provider, usd in amounts.items()
                    if provider_limit is not None
                    and provider is not None
                    and of_provider.get(provider, 0.0) + usd > provider_limit * (1 + 1e-12)
                }
                if not over:
                    break
                full |= over
            for provider, usd in amounts.items():
                of_provider[provider] = of_provider.get(provider, 0.0) + usd
            for offer_id in {offer.offer_id for offer in taken}:
                if offer_id in left:
                    left[offer_id] -= piece.gpus


def _provider_start(sim):
    """$ a month of each provider's contracts that run through month 0."""
    usd = {}
    for contract in sim.existing_now():
        if contract.rate:
            amount = 730 * contract.gpus * contract.rate
            usd[contract.provider] = usd.get(contract.provider, 0.0) + amount
    return usd


def _solve_slice(sim, group, piece, closed, closed_now, longest):
    a, rules = sim.assumptions, sim.rules
    use_price, sign_price = prices(sim, group)
    known = sim.known_deals.setdefault((*group.key, closed, closed_now, longest), {})

    def deals(t):
        if t not in known:
            barred = closed | closed_now if t == 0 else closed
            known[t] = deals_in_month(
                group.offers,
                t,
                longest,
                barred,
                rules.leads_are_free,
                sim.demand.plan_from_s,
                lambda offer: dated(sim, offer, t),
            )
        found = known[t]
        if not rules.slices_lived:
            return found
        return [deal for deal in found if group.lived.allows(piece.k, t, deal.months)]

    world = World(
        lambda t, j: group.u(piece.k, t, j),
        deals,
        lambda t: rented(group, piece, t),
        piece.gpus,
        a.horizon_months,
        sim.of_pool("lambda", group.pool),
        a.delta,
        a.wacc,
        group.sigma,
        use_price,
        sign_price,
    )
    piece.world, piece.open_now = world, deals(0)
    piece.value, piece.choice = solve(world)
    piece.path = middle_path(piece.choice, a.horizon_months)


# -- use that is limited --------------------------------------------------------------------------------------


def rented(group, piece, t):
    """(r_flex, may it wait) of a slice in month t."""
    if not group.limited:
        return group.usage.r_flex, True
    usage, may_wait = group.use[t, piece.k]
    return usage.r_flex, may_wait


def give_out_use(sim, groups):
    """group.use[t, k] = (Usage, may it wait?): limits go from the highest busy slice downward, month by month."""
    if not any(group.limited for group in groups):
        return
    for group in groups:
        group.use = {}
        months = range(sim.assumptions.horizon_months)
        group.rents = any(usage_of(sim, group, t)[0].r_flex is not None for t in months)
    for t in range(sim.assumptions.horizon_months):
        left = {
            o.offer_id: o.max_gpus
            for o in sim.offers
            if o.max_gpus is not None and o.pricing_category != "COMMITTED"
        }
        for group in groups:
            if not group.limited:
                continue
            for piece in reversed(group.slices):
                usage, taken = _use_of_slice(sim, group, piece, t, left)
                busy = group.u(piece.k, t, 0) > 0
                for offer_id, gpus in taken.items():
                    if busy and offer_id in left:
                        left[offer_id] -= gpus
                group.use[t, piece.k] = usage, usage.r_flex is not None or not (group.rents or group.only)


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


# -- a budget -------------------------------------------------------------------------------------------------


def drop_over_budget(sim, groups, usd_in_month, usd_of_slice):
    """Slices are dropped for good, highest first, burst before training before inference, while a month costs more."""
    budget = sim.rules.budget_usd_per_month
    for t in range(min(12, sim.assumptions.horizon_months)):
        while True:
            usd = usd_in_month(t)
            if usd is None or usd <= budget + 1e-6:
                break
            candidates = [
                (DROPPED_FIRST.index(group.pool), -piece.low, group.model or "", name_of(group.only), piece)
                for group in groups
                for piece in group.slices
                if not piece.dropped and (usd_of_slice(group, piece, t) or 0) > 0
            ]
            if not candidates:
                break
            min(candidates, key=lambda one: one[:-1])[-1].dropped = True
