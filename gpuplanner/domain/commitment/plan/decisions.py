"""Whole decisions: which contracts that may renew end, and which minima are bought whole, by what plans cost."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import pairwise, permutations
from math import sqrt
from operator import attrgetter, itemgetter
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.streams import Row
from gpuplanner.domain.commitment.plan.ground import Ground, first_end_of, ground_of, renewing_contracts
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, plan_of
from gpuplanner.domain.commitment.plan.shares import share_rooms, usd_now, usd_of_share
from gpuplanner.domain.commitment.recursion.calendar import is_block, lead_s
from gpuplanner.domain.commitment.recursion.slice_policy import IMPOSSIBLE_USD, annuity
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.amounts import HALF_A_CENT, known_sum
from gpuplanner.domain.model.book.contract import Contract, usd_in_month
from gpuplanner.domain.model.book.dollars import prices_of
from gpuplanner.domain.model.book.extras import counted_amount
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of, only_of
from gpuplanner.domain.model.plan_inputs import Scenario, WholeDecisions, WholeDollars, WholeMinimum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, months_on
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What a plan is expected to cost, to its horizon: policies part by part, contracts, their renewals and minima


Expected = Mapping[Hashable, float | None]
"""$ of today that each contract, row and run of a plan is expected to cost; None where a rate is missing."""


def expected_usd(ground: Ground, planned: Planned) -> Expected:
    """What a plan is expected to cost, part by part. planned: with its policies counted.

    Source: docs/formulas/policy.md, Whole decisions.
    """
    parts: dict[Hashable, float | None] = {
        contract.contract_id: _contract_usd(ground, contract) for contract in ground.plan.contracts
    }
    for row in planned.rows:
        if row.row.is_by_hand:
            of_row = known_sum(
                known_sum((row.listed.orders_usd(month), row.listed.use_usd(month)))
                for month in range(COMPARED_MONTHS)
            )
        else:
            counted = row.signed.expected_usd
            of_row = float((row.signed.value_usd if counted is None else counted).sum())
        is_known = of_row is not None and of_row < sqrt(IMPOSSIBLE_USD)  # else what waits has no price
        parts[row.row.pool, row.row.gpu_model] = of_row if is_known else None
    for run in planned.runs:
        parts[run.key] = known_sum((parts.get(run.key, 0.0), run.listed.usd))
    return parts


def known_usd(plan: Expected) -> float:
    """$ of what is known of a plan."""
    return sum(usd or 0.0 for usd in plan.values())


def is_cheaper(plan: Expected, other: Expected) -> bool:
    """Whether a plan is expected to cost over $1 less than another, by what is known of both.

    Nobody knows it where a part is known of one alone. A part that a plan does not have costs it nothing.

    >>> is_cheaper({"A100": None, "H100": 2.0}, {"A100": None, "H100": 4.0}), is_cheaper({"H100": None}, {"H100": 4.0})
    (True, False)
    """
    unknown, others = ({part for part, usd in of.items() if usd is None} for of in (plan, other))
    return unknown == others and known_usd(other) - known_usd(plan) > LEAST_USD


def _contract_usd(ground: Ground, contract: Contract) -> float | None:
    """$ of a contract to the horizon: until its first end whatever comes, each renewal by the chance that its demand is
    still there when it begins."""
    beta, months = (1 + ground.assumptions.wacc) ** (-1 / 12), ground.assumptions.horizon_months
    ends_s = ground.window.end_s + months * MONTH_S if contract.end_s is None else contract.end_s
    until_s = contract.end_s
    if contract.bound_until_s is not None and (until_s is None or contract.is_dollars):
        until_s = min(contract.bound_until_s, ends_s)
    is_bound = until_s is None or until_s > contract.start_s  # else a part that only a renewal has
    bound = [contract if until_s is None else contract.ending(until_s)] if is_bound else []
    each = (usd_in_month(bound, ground.window, month) for month in range(months))
    parts = [None if usd is None else usd * beta**month for month, usd in enumerate(each)]
    if until_s is not None and contract.rate is not None:
        stays = beta * (1 - _churn(ground, contract))
        usd_per_month = contract.gpus * contract.rate * MONTH_S / HOUR_S
        first_s, number = until_s, 0
        while until_s < ends_s:
            number += 1
            next_s = months_on(first_s, number * (contract.renews_months or 1))
            from_s = max(until_s, contract.start_s)
            start, length_s = (until_s - ground.window.end_s) / MONTH_S, min(next_s, ends_s) - from_s
            if length_s > 0:
                later = stays**start * beta ** ((from_s - until_s) / MONTH_S)
                parts.append(later * usd_per_month * annuity(beta, length_s / MONTH_S))
            until_s = next_s
    return known_sum(parts)


def _churn(ground: Ground, contract: Contract) -> float:
    """That of the pool of which a contract has most demand of its model beside it on its cluster; 0 where there is
    none."""
    spent: dict[Pool, float] = {}
    rows: dict[Pool, Row] = {}
    for model in ground.plan.models:
        for site in model.sites if model.gpu_model == contract.gpu_model else ():
            for stream in site.streams if contract.is_dollars or site.cluster == contract.cluster else ():
                row = model.rows[stream.row]
                if contract.pool in (None, row[0]):
                    spent[row[0]] = spent.get(row[0], 0.0) + float(stream.demand.sum())
                    rows.setdefault(row[0], row)
    if not spent:
        return 0.0
    return ground.churn(rows[max(spent, key=lambda pool: (spent[pool], -SERVING_ORDER.index(pool)))])


# --- The search: each contract that may renew, then each minimum, again until nothing lowers what the plan costs

MOST_CONTRACTS: Final = 8
MOST_OFFERS: Final = 8
MOST_DAYS: Final = 4
MOST_ROUNDS: Final = 3
MOST_PLANS: Final = 40
MOST_BESIDE: Final = 12
LEAST_USD: Final = 1.0
HALVINGS: Final = 5
TELLING_SHARE: Final = 0.005
"""Of what a plan is expected to cost: by so much an amount between deciles must beat the best of them."""


def may_decide(project: Project, scenario: Scenario) -> bool:
    """Whether a plan has anything to decide as a whole."""
    is_sold = any(offer.is_dollars or _is_sold_whole(offer) for offer in project.offers)
    return is_sold or bool(_first_ends(project, scenario))


def _first_ends(project: Project, scenario: Scenario) -> dict[str, int]:
    """When each contract can end first, epoch seconds, that a plan may end or not, by contract_id."""
    overruled = {*scenario.kept, *scenario.ended}
    return {
        contract.contract_id: first_s
        for contract in renewing_contracts(project, scenario)
        if not scenario.greenfield
        and contract.contract_id not in overruled
        and (first_s := first_end_of(project, scenario, contract)) is not None
    }


def _is_sold_whole(offer: Offer) -> bool:
    """Whether an offer has a minimum that can be bought."""
    return bool(
        offer.min_gpus and offer.min_gpus > 1 and offer.rate and offer.pricing_category.is_commitment
    ) and (offer.max_gpus is None or offer.max_gpus >= (offer.min_gpus or 0))


def decide(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    classes: tuple[Classification, ...],
    cache: AdviceCache,
) -> WholeDecisions:
    """Contracts that end, and minima that are bought, where that lowers the expected cost of the plan by over $1.

    From a plan in which all contracts that may renew run on and no minimum is bought, at most 40 plans are tried. What
    the scenario has decided before does not count. Source: docs/formulas/policy.md, Whole decisions.
    """
    if not may_decide(project, scenario):
        return WholeDecisions()
    search = DecisionSearch((project, scenario, pools, classes, cache))
    search.run()
    return search.best


def decide_beside(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    classes: tuple[Classification, ...],
    cache: AdviceCache,
    held: WholeDecisions,
    gpu_model: str | None,
) -> WholeDecisions:
    """The same where one decision about a GPU model is taken otherwise: all about the model is decided anew, and what
    was decided about others stays. GPU models meet in budget and shares alone, so it is what `decide` comes to.

    held: what was decided before. At most 12 plans are tried. Source: docs/formulas/savings.md, Next decisions.
    """
    if not may_decide(project, scenario):
        return WholeDecisions()
    search = DecisionSearch((project, scenario, pools, classes, cache), MOST_BESIDE)
    of_contracts = {contract.contract_id: contract.gpu_model for contract in project.contracts}
    of_offers = {offer.offer_id: offer.gpu_model for offer in project.offers}
    search.best = WholeDecisions(
        tuple(e for e in held.ends if e[0] in search.first_ends and of_contracts[e[0]] != gpu_model),
        tuple(minimum for minimum in held.minima if of_offers[minimum.offer_id] != gpu_model),
        tuple(own for own in held.dollars if of_offers[own.offer_id] != gpu_model),
    )
    search.run(gpu_model)
    return search.best


_Asked = tuple[Project, Scenario, tuple[Pool, ...], tuple[Classification, ...], AdviceCache]
"""What `decide` is asked, in its order."""


@dataclass(frozen=True, slots=True, eq=False)
class TriedPlan:
    """A plan that was tried, with its expected cost."""

    ground: Ground
    planned: Planned
    expected: Expected


class DecisionSearch:
    """The search for the cheapest whole decisions: the plans tried so far and the best decisions."""

    def __init__(self, asked: _Asked, most: int = MOST_PLANS) -> None:
        """most: plans to try. contracts: that may renew, those first that cost most; first_ends: when each can end,
        epoch seconds."""
        project, scenario, *_ = self._asked = asked
        self._most = most
        self._tried: dict[WholeDecisions, TriedPlan] = {}
        self.best = WholeDecisions()
        self.first_ends = _first_ends(project, scenario)
        open_ = (
            contract
            for contract in project.contracts
            if contract.contract_id in self.first_ends and contract.rate is not None
        )
        dearest = sorted(
            open_, key=lambda contract: (-(contract.cost_per_month or 0.0), contract.contract_id)
        )
        self.contracts = dearest[:MOST_CONTRACTS]

    @cached_property
    def offers(self) -> Sequence[Offer]:
        """Offers with a minimum, the cheapest first."""
        sold = [offer for offer in self.try_plan(self.best).ground.project.offers if _is_sold_whole(offer)]
        return sorted(sold, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id))[:MOST_OFFERS]

    def run(self, *gpu_models: str | None) -> None:
        """Try each contract, then each minimum, again until nothing changes; of some GPU models, or of all."""
        left = {(model, term) for _, model, term in self._asked[1].left_terms}
        in_dollars = [offer for offer in self._asked[0].offers if offer.is_dollars]
        asked = [offer for offer in in_dollars if not gpu_models or offer.gpu_model in gpu_models]
        sold = [offer for offer in asked if (offer.gpu_model, offer.term_months) not in left]
        for _ in range(MOST_ROUNDS):
            before = self.best
            for contract in self.contracts:
                if not gpu_models or contract.gpu_model in gpu_models:
                    self.keep_best(self.with_end(contract, end_s) for end_s in self.ends_of(contract))
            for offer in self.offers:
                if not gpu_models or offer.gpu_model in gpu_models:
                    self.keep_best(self.with_minimum(offer))
            for offer in sold:
                self.keep_best(self.with_dollars(offer))
            if self.best == before:
                break
        for offer in sold:
            self.keep_best(self.between(offer))

    def try_plan(self, decisions: WholeDecisions) -> TriedPlan:
        """Return the plan with these decisions; each is planned once."""
        if decisions not in self._tried:
            project, scenario, pools, classes, cache = self._asked
            decided = replace(scenario, whole_decisions=decisions)
            ground = ground_of(project, decided, pools, cache, classes)
            planned = plan_of(ground, cache, is_counted=True)
            self._tried[decisions] = TriedPlan(ground, planned, expected_usd(ground, planned))
        return self._tried[decisions]

    def keep_best(self, others: Iterator[WholeDecisions]) -> None:
        """The cheapest of some decisions, where it is cheaper than the best so far."""
        base = best = self.best
        for decisions in others:
            if decisions not in self._tried and len(self._tried) >= self._most:
                break
            tried = self.try_plan(decisions)
            if is_cheaper(tried.expected, self.try_plan(best).expected):
                best = best if is_over_share(tried, self.try_plan(base)) else decisions
        self.best = best

    def ends_of(self, contract: Contract) -> list[int | None]:
        """When a contract may end: never; first; and one without an end when a lead of a month or more has passed."""
        first_s, ground = self.first_ends[contract.contract_id], self.try_plan(self.best).ground
        leads = {
            lead_s(o) for o in ground.project.offers if o.gpu_model == contract.gpu_model and o.term_months
        }
        ends = sorted(ground.window.end_s + lead for lead in leads if lead >= MONTH_S)
        later = [end_s for end_s in ends if end_s > first_s] if contract.end_s is None else []
        return [None, first_s, *later]

    def with_end(self, contract: Contract, end_s: int | None) -> WholeDecisions:
        """The best so far, but for the end of a contract."""
        kept = tuple(end for end in self.best.ends if end[0] != contract.contract_id)
        ends = kept if end_s is None else (*kept, (contract.contract_id, end_s))
        return replace(self.best, ends=tuple(sorted(ends)))

    def with_minimum(self, offer: Offer) -> Iterator[WholeDecisions]:
        """The best so far, but for the minimum of an offer: not bought, or on one of its first days, in shares of its
        pools or for one of them."""
        base = self.best
        minima = tuple(minimum for minimum in base.minima if minimum.offer_id != offer.offer_id)
        without = replace(base, minima=minima)
        yield without
        ground = self.try_plan(base).ground
        for day_s, ending in self._days(offer, ground):
            ends = tuple(sorted({**dict(base.ends), **ending}.items()))
            beside = replace(without, ends=ends)
            now = {own.pool: own.gpus for own in base.minima if own not in minima and own.start_s == day_s}
            for gpus_of in self._pools_of(offer, beside, (day_s - ground.window.end_s) // MONTH_S, now):
                shares = ((pool, gpus) for pool, gpus in gpus_of.items() if gpus)
                parts = (WholeMinimum(day_s, offer.offer_id, *share) for share in shares)
                bought = sorted((*minima, *parts), key=attrgetter("start_s", "offer_id"))
                yield replace(base, ends=ends, minima=tuple(bought))

    def with_dollars(self, offer: Offer) -> Iterator[WholeDecisions]:
        """The best so far, but for a commitment in dollars: none, or one of the ten deciles of the dollars an hour, at
        its rates, of the use of month 0 that it could cover; from the first day on which it can start."""
        yield from map(partial(self._bought, offer), (0, *self._deciles(offer)))

    def _bought(self, offer: Offer, cents: int) -> WholeDecisions:
        """The best so far, but for so many cents an hour of a commitment in dollars."""
        kept = (own for own in self.best.dollars if own.offer_id != offer.offer_id)
        ground = self.try_plan(self.best).ground
        start_s = ground.window.end_s + ground.calendar.soonest_s(offer, has_day=True)
        own = (WholeDollars(start_s, offer.offer_id, cents),) if cents else ()
        return replace(self.best, dollars=(*kept, *own))

    def _deciles(self, offer: Offer) -> list[int]:
        """Cents an hour, ascending, each once and none 0."""
        without = self.try_plan(self._bought(offer, 0))
        ground, rows = without.ground, without.planned.rows
        models = {gpu_model_of(piece.row.gpu_model): piece for piece in rows}
        prices, usd = prices_of(offer, ground.project.offers, models), np.zeros(ground.window.hours)
        for piece in rows:
            price, _ = prices.get(gpu_model_of(piece.row.gpu_model) or "", (0.0, 0.0))
            usd += piece.residual_gpus * price * only_of(piece.row.gpu_model).allows(offer)
        deciles = np.quantile(ground.known(usd), np.arange(1, 11) / 10, method="inverted_cdf")
        most = counted_amount(offer.commitment_usd_per_hour, offer.exchange) or np.inf
        cents = np.unique(np.rint(np.minimum(deciles, most) * 100)).astype(int).tolist()
        return [amount for amount in cents if amount]

    def between(self, offer: Offer) -> Iterator[WholeDecisions]:
        """An amount between two deciles, by halving, where it costs less than the best of them by a telling share."""
        expected = cache(lambda cents: known_usd(self.try_plan(self._bought(offer, cents)).expected))
        best = min(tried := [0, *self._deciles(offer)], key=expected)
        for _ in range(HALVINGS if len(self._tried) + 2 * HALVINGS <= self._most else 0):
            at = tried.index(min(tried, key=expected))
            near = pairwise(tried[max(at - 1, 0) : at + 2])
            tried = sorted({*tried, *((low + high) // 2 for low, high in near)})
        amount = min(tried, key=expected)
        if expected(amount) < expected(best) * (1 - TELLING_SHARE):
            yield self._bought(offer, amount)

    def _pools_of(
        self, offer: Offer, without: WholeDecisions, month: int, now: Mapping[Pool, int]
    ) -> Iterator[dict[Pool, int]]:
        """GPUs of a minimum by pool: as they are in the best so far but for an eighth of them; for the slices that cost
        most without it in its term, idle ones in the first pool; and all for each pool alone. without: the plan beside
        it, with the contracts ended that it replaces; month: in which it begins; now: of the best so far."""
        least, slices = offer.min_gpus or 0, list[tuple[float, Pool, int]]()
        ground, planned = self.try_plan(without).ground, self.try_plan(without).planned
        for piece in sorted(planned.rows, key=lambda piece: SERVING_ORDER.index(piece.row.pool)):
            name, widths = (piece.row.pool, piece.row.gpu_model), piece.row.slicing.widths
            eligible = {own.offer_id for own in ground.eligible.get(name, ())}  # in the row's own nodes
            if name[1] == offer.gpu_model and offer.offer_id in eligible:
                market = piece.row.market
                stays, months = market.stays, market.horizon_months
                of_term = annuity(stays, min(offer.term_months, months)) / annuity(stays, months)
                usd = piece.signed.value_usd / widths * of_term
                is_busy = piece.row.left.today(month) > 0
                slices += [(usd[k], name[0], int(widths[k])) for k in np.flatnonzero(is_busy)]
        left, shared = least, dict.fromkeys((pool for _, pool, _ in slices), 0)
        unit = slices[0][2] if slices else 1  # whole nodes stay whole
        for giver, taker in permutations(shared, 2):
            if more := min(-(-least // (8 * unit)) * unit, now.get(giver, 0)):
                yield {**now, giver: now[giver] - more, taker: now.get(taker, 0) + more}
        for _, pool, gpus in sorted(slices, key=itemgetter(0), reverse=True):
            shared[pool] += min(gpus, left)
            left -= min(gpus, left)
        if len(shared) > 1:
            shared[next(iter(shared))] += left
            yield dict(shared)
        yield from ({pool: least} for pool in shared)

    def _days(self, offer: Offer, ground: Ground) -> list[tuple[int, dict[str, int]]]:
        """The first days within twelve months on which a minimum may begin, each with the contracts that then end."""
        begin_s = ground.window.end_s
        now_s = begin_s + ground.calendar.soonest_s(offer, has_day=True)
        if is_block(offer) and offer.starts_s is not None:
            now_s = max(now_s, offer.starts_s)
        days: dict[int, dict[str, int]] = {now_s: {}}
        planned = (w for w in ground.scenario.planned if w.gpu_model == offer.gpu_model)
        days |= {spell.begins_s: {} for w in planned if (spell := w.spell(begin_s)).begins_s is not None}
        of_model = [contract for contract in ground.plan.contracts if contract.gpu_model == offer.gpu_model]
        days |= {contract.end_s: {} for contract in of_model if contract.end_s is not None}
        for contract in of_model:
            first_s = self.first_ends.get(contract.contract_id)
            if contract.end_s is None and first_s is not None:
                days.setdefault(first_s, {})[contract.contract_id] = first_s
        last_s = begin_s + COMPARED_MONTHS * MONTH_S
        return [(day_s, days[day_s]) for day_s in sorted(days) if now_s <= day_s < last_s][:MOST_DAYS]


def is_over_share(tried: TriedPlan, before: TriedPlan) -> bool:
    """Whether a plan brings one over its share that was not over it before."""
    for key, share in share_rooms(tried.ground).items():
        usd = usd_now(tried.ground, tried.planned.bought)
        now, then = (usd_of_share(of.planned.bought, of.ground, key) for of in (before, tried))
        if usd is not None and then > max(share * usd, now) + HALF_A_CENT:
            return True
    return False
