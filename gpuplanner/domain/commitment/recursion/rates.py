"""Rates of one pool and model: price levels in each month, what terms and use cost, and spot."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from functools import cache
from itertools import pairwise
from math import ceil, isnan, prod, sqrt
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.recursion.calendar import is_block, lead_s, length_s
from gpuplanner.domain.commitment.result import TERM_FIGURES, TERM_INPUTS, BreakEven, Flex, figured, inputs_of
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.card import SPOT
from gpuplanner.domain.figures.figure import floats
from gpuplanner.domain.figures.layer import TERM
from gpuplanner.domain.fit.needs import size_in_name
from gpuplanner.domain.fit.rules import cheapest
from gpuplanner.domain.model.amounts import grouped, summed
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.book.extras import Extras, extras_over
from gpuplanner.domain.model.book.offer import Offer, is_owned, scaled
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.intake import NODE_MTBF, NodeTimes
from gpuplanner.domain.model.plan.changes import PriceChange, factor_in
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.domain.training.run import checkpoint_of
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Price levels: what a price of today is in each month of a plan, on a path of all prices and by dated changes

Levels = tuple[float, ...]
"""Of each month from month 0 on, a share of today's price; from its last month on it stays."""

FALL_PER_MONTH: Final = 0.012
RISE_PER_MONTH: Final = 0.029
MONTHS_OF_RISE: Final = 12
CUT: Final = 0.36
MONTH_OF_CUT: Final = 12
"""Source of the four: dated list prices of 2023 to 2026, resources/price_history.csv."""
PATH_DELTAS: Final[dict[str, float | None]] = {"fall": FALL_PER_MONTH, "cut": None, "flat": 0.0, "rise": None}
"""The paths in the order in which they are shown; those that are one price fall a month, with it."""


@cache
def falling(price_fall: float, months: int) -> Levels:
    """(1 - delta)^t.

    price_fall: delta, a ratio a month; below 0 prices rise. Returns one level for each month, month 0 first,
    which is 1.

    >>> falling(0.5, 3)
    (1.0, 0.5, 0.25)
    """
    return tuple((1 - price_fall) ** month for month in range(months))


def named_paths(months: int) -> dict[str, Levels]:
    """The four paths that prices may take: fall, cut, flat and rise. Source: docs/formulas/uncertainty.md, Price paths.

    months: how many levels each path has, month 0 first.
    """
    month = range(months)
    return {
        "fall": falling(FALL_PER_MONTH, months),
        "cut": tuple(1.0 if at < MONTH_OF_CUT else 1 - CUT for at in month),
        "flat": falling(0.0, months),
        "rise": tuple((1 + RISE_PER_MONTH) ** min(at, MONTHS_OF_RISE) for at in month),
    }


def over(levels: Levels, months: int) -> Floats:
    """Of so many months, (months,).

    levels: at least one; after its last it stays as it is.

    >>> over((1.0, 0.5), 4).tolist()
    [1.0, 0.5, 0.5, 0.5]
    """
    return np.asarray(levels, dtype=np.float64)[np.minimum(np.arange(months), len(levels) - 1)]


def times(path: Levels, dated: Levels, months: int) -> Levels:
    """A path with what dated changes make of it.

    Month by month the product. Without dated changes the very same path, so that it is told by identity.
    """
    return path if dated == (1.0,) else tuple((over(path, months) * over(dated, months)).tolist())


def is_firm(offer: Offer) -> bool:
    """Whether the rate of an offer stays whatever prices do: it is quoted, has a last day, or is of certain days."""
    return bool(answered_row(offer) or offer.valid_until or is_block(offer))


@dataclass(frozen=True, slots=True)
class Prices:
    """One path of all prices, and what dated changes make of those of one GPU model beside it.

    changes: after the plan begins. begins_s: when it does, epoch seconds.
    """

    path: Levels = (1.0,)
    changes: tuple[PriceChange, ...] = ()
    begins_s: int = 0

    def when_signed(self, gpu_model: str | None, months: int) -> Floats:
        """What the rate of a contract signed for each month is, (months,): the price of the month's first moment.

        As a share of today's price; a contract keeps the price that it was signed at.
        Source: docs/formulas/policy.md, Steps of prices.
        """
        path, own = over(self.path, months), self._of(gpu_model)
        if not own:
            return path
        first = [self.begins_s + month * MONTH_S for month in range(months)]
        dated = np.array([factor_in(own, at_s, t, self.begins_s) for t, at_s in enumerate(first)])
        return np.asarray(path * dated, dtype=np.float64)

    def when_placed(self, offer: Offer, months: int) -> Floats:
        """What the rate of an offer is whose order is placed in each month, as a share of the rate stated, (months,).

        Source: docs/formulas/quotes.md, Quotes.
        """
        return np.ones(months) if is_firm(offer) else self.when_signed(offer.gpu_model, months)

    def of_offer(self, offer: Offer, months: int) -> Floats:
        """F_o(t): the same of what is to begin in each month, (months,); a lead counts in whole months.

        Source: docs/formulas/policy.md.
        """
        return self.when_placed(offer, months)[np.maximum(np.arange(months) - lead_s(offer) // MONTH_S, 0)]

    def dated_at(self, gpu_model: str | None, at_s: int) -> float:
        """What dated changes alone make of a price by use at a moment, epoch seconds: a ratio to today's."""
        return factor_in(self._of(gpu_model), at_s, (at_s - self.begins_s) // MONTH_S, self.begins_s)

    def dated_use(self, gpu_model: str | None, months: int) -> Floats:
        """What dated changes alone make of a price by use, (months,).

        Ones where no change speaks of the model. The path is left out: it moves all models alike.
        """
        own = self._of(gpu_model)
        return np.array([self._mean_in(own, month) for month in range(months)])

    def on(self, path: Levels) -> "Prices":
        """The same dated changes on another path."""
        return replace(self, path=path)

    def _of(self, gpu_model: str | None) -> tuple[PriceChange, ...]:
        """Changes of one GPU model; a project's list is short."""
        return tuple(change for change in self.changes if change.gpu_model == gpu_model)

    def _mean_in(self, changes: tuple[PriceChange, ...], month: int) -> float:
        """The mean over one month, each piece between two changes by its length."""
        start_s = self.begins_s + month * MONTH_S
        inside = (c.from_s for c in changes if start_s < c.from_s < start_s + MONTH_S and not c.by)
        edges = [start_s, *sorted(set(inside)), start_s + MONTH_S]
        parts = [
            (to_s - from_s) / MONTH_S * factor_in(changes, from_s, month, self.begins_s)
            for from_s, to_s in pairwise(edges)
        ]
        return sum(parts)


def at_first_day(
    offers: tuple[Offer, ...], changes: Sequence[PriceChange], begins_s: int
) -> tuple[Offer, ...]:
    """Offers at the prices of the day that a plan begins: what changed up to then has happened. Quotes are firm.

    Law: the very same tuple where nothing did.
    """
    past = tuple(change for change in changes if change.from_s <= begins_s)
    if not past:
        return offers
    return tuple(
        offer
        if answered_row(offer)
        else _times(offer, [change.factor for change in past if change.gpu_model == offer.gpu_model])
        for offer in offers
    )


def _times(offer: Offer, factors: Sequence[float]) -> Offer:
    """The offer at its rate times every factor, exactly; the offer itself where there is nothing to change."""
    rate = offer.rate_usd_per_gpu_hour
    if not factors or rate is None:
        return offer
    whole = prod((Decimal(str(factor)) for factor in factors), start=Decimal(1))
    return scaled(offer, whole) if is_owned(offer) else replace(offer, rate_usd_per_gpu_hour=rate * whole)


# --- Spot: what share of the work interruptions cost, and which workloads may use it (docs/formulas/spot.md)

SHORT_TRAINING_S = 4 * 3600
CHECKPOINTED_TRAINING_S = 24 * 3600
LARGE_JOB_MILLI_GPUS = 8000
LONG_JOB_S = 24 * 3600
NO_TIMES: Final[NodeTimes] = {}
DEVELOPMENT_SUBTYPES: Final = frozenset({"development", "notebook", "interactive"})


class Barrier(StrEnum):
    """What keeps a workload off spot.

    The values are short codes; what they say to people stands where they are shown.
    """

    NOT_WANTED = "not_wanted"
    REQUESTS = "requests"
    DEVELOPMENT = "development"
    NO_CHECKPOINTS = "no_checkpoints"
    TOO_LONG = "too_long"


OF_LENGTH: Final = {Barrier.NO_CHECKPOINTS: "training_checkpoints", Barrier.TOO_LONG: "spot_long_training"}
"""Barriers of long jobs, and the assumption that lifts each."""


def spot_inputs(assumptions: Assumptions, nodes: Any, longest_job_s: Any) -> dict[str, Any]:
    """What a workload loses on spot is worked out from, by the keys of SPOT, in hours.

    nodes: of its widest job; longest_job_s: seconds; columns of both for many workloads.
    """
    return {
        "node_hours": assumptions.spot_node_mtbf_hours,
        "nodes": nodes,
        "checkpoint_hours": assumptions.spot_checkpoint_minutes / 60,
        "interval_hours": assumptions.spot_interval_hours,
        "restart_hours": assumptions.spot_restart_minutes / 60,
        "longest_hours": longest_job_s / 3600,
    }


def lost_figure(inputs: Mapping[str, float]) -> str:
    """The figure of SPOT that holds: one whose longest job is over before its first checkpoint writes none."""
    writes = inputs["longest_hours"] >= inputs["interval_hours"]
    return "lost_with_checkpoints" if writes else "lost_without_checkpoints"


def lost_share(assumptions: Assumptions, nodes: int, longest_job_s: float) -> float:
    """Share of the work that is lost on spot, 1 or more: it cannot finish. Source: docs/formulas/spot.md.

    nodes: of its widest job; longest_job_s: seconds.
    """
    inputs = spot_inputs(assumptions, nodes, longest_job_s)
    return float(SPOT.value(lost_figure(inputs), inputs))


NO_NEEDS: Final[Mapping[str, NeedsSet]] = {}


def with_checkpoint_of(
    assumptions: Assumptions,
    workload: Workload,
    kind: Classification | None,
    needs: Mapping[str, NeedsSet] = NO_NEEDS,
) -> Assumptions:
    """The assumptions with the minutes that a checkpoint of a training workload's model takes, where its size is known
    and the planner set no other. needs: what the planner set, by key. Adapters (`lora` in its name) write little.

    Source: docs/formulas/spot.md.
    """
    name = workload.sample_name or workload.name
    is_trained = kind is not None and kind.pool is Pool.TRAINING and "lora" not in name.casefold()
    if not is_trained or assumptions.spot_checkpoint_minutes != USUAL_CHECKPOINT_MINUTES:
        return assumptions
    own = needs.get(workload.key)
    size = own.parameters_billion if own is not None and own.parameters_billion else _size_of(name)
    return assumptions if not size else replace(assumptions, spot_checkpoint_minutes=_minutes_of(size))


USUAL_CHECKPOINT_MINUTES: Final = Assumptions().spot_checkpoint_minutes


@cache
def _size_of(name: str) -> float | None:
    return size_in_name(name).parameters_billion


def _minutes_of(billion: float) -> float:
    return min(checkpoint_of(billion * 1e9).stall_s / 60, SPEC_BY_NAME["spot_checkpoint_minutes"].high)


def lost_shares(
    assumptions: Assumptions, workloads: Sequence[Workload], checkpoint_minutes: Sequence[float] | None = None
) -> Floats:
    """The same of many workloads at once; shape (workloads,). One whose nodes nobody states has one.

    checkpoint_minutes: of each, where they are not those of the assumptions.
    """
    inputs = spot_inputs(
        assumptions,
        np.array([workload.max_nodes or 1 for workload in workloads], dtype=np.float64),
        np.array([workload.longest_job_s for workload in workloads], dtype=np.float64),
    )
    if checkpoint_minutes is not None:
        inputs["checkpoint_hours"] = np.array(checkpoint_minutes, dtype=np.float64) / 60
    shares = SPOT.worked_out(inputs)
    writes = inputs["longest_hours"] >= inputs["interval_hours"]
    lost: Floats = np.where(writes, shares["lost_with_checkpoints"], shares["lost_without_checkpoints"])
    return lost


def best_interval_h(assumptions: Assumptions, nodes: int) -> float:
    """The interval between checkpoints that loses least: tau* = sqrt(2 d M), in hours.

    d: minutes that a checkpoint takes; M: mean time between failures of a node, over the number of nodes.
    Source: first-order checkpoint model (Young 1974).
    """
    return sqrt(2 * assumptions.spot_checkpoint_minutes / 60 * assumptions.spot_node_mtbf_hours / nodes)


def barrier_of(
    assumptions: Assumptions, workload: Workload, pool: Pool, classification: Classification | None
) -> Barrier | None:
    """What keeps a workload in a pool off spot, the first that does; None where it may use it.

    classification: its class and subtype; None where nobody said: then it is what its pool is.
    """
    if not assumptions.spot:
        return Barrier.NOT_WANTED
    if pool is Pool.INFERENCE or (classification is not None and classification.pool is Pool.INFERENCE):
        return Barrier.REQUESTS
    if (
        classification is not None
        and not assumptions.spot_for_development
        and str(classification.subtype).casefold() in DEVELOPMENT_SUBTYPES
    ):
        return Barrier.DEVELOPMENT
    if is_large_and_long(workload) and not assumptions.training_checkpoints:
        return Barrier.NO_CHECKPOINTS
    if pool is Pool.BURST or assumptions.spot_long_training:
        return None
    longest_s = CHECKPOINTED_TRAINING_S if assumptions.training_checkpoints else SHORT_TRAINING_S
    return None if workload.longest_job_s <= longest_s else Barrier.TOO_LONG


def is_large_and_long(workload: Workload) -> bool:
    """Whether the median job holds 8 GPUs or more for over 24 h: too much to lose without checkpoints.

    GPUs and length each have their median. A project file from before the GPUs of the median job were kept: those
    of the largest job count.
    """
    milli_gpus = workload.median_milli_gpus
    if milli_gpus is None:
        milli_gpus = workload.max_milli_gpus
    return milli_gpus >= LARGE_JOB_MILLI_GPUS and workload.median_job_s > LONG_JOB_S


def class_at(classes: Sequence[Classification], place: int) -> Classification | None:
    """What a workload was taken for; None where nobody said.

    classes: of all workloads, in their order; empty where nobody said. Errors: IndexError for a place that is
    not there.
    """
    return classes[place] if classes else None


@dataclass(frozen=True, slots=True, eq=False)
class SpotFacts:
    """Of each workload: lost share of work, and whether each pool lets it use spot. Shapes (workloads,).

    lost: ratios; 1 or more cannot finish on spot; lost_on: on nodes of a provider and GPU model of which it was
    observed how often they are taken. Source: docs/formulas/spot.md.
    """

    lost: Floats
    allowed: dict[Pool, Bools]
    lost_on: Mapping[tuple[str, str], Floats] = field(default_factory=dict)

    def lost_with(self, offer: Offer) -> Floats:
        """Lost shares on an offer, (workloads,)."""
        return self.lost_on.get(_nodes_of(offer), self.lost)


def _nodes_of(offer: Offer) -> tuple[str, str]:
    """Whose nodes an offer has, as a key of NodeTimes."""
    return (offer.provider or "").casefold(), offer.gpu_model.casefold()


def with_nodes_of(assumptions: Assumptions, offer: Offer, times: NodeTimes) -> Assumptions:
    """The assumptions with the time between interruptions of an offer's nodes, where it was observed."""
    hours = times.get(_nodes_of(offer))
    return assumptions if hours is None else assumptions.with_values({NODE_MTBF: hours})


def spot_facts(
    assumptions: Assumptions,
    workloads: tuple[Workload, ...],
    classes: Sequence[Classification] = (),
    times: NodeTimes = NO_TIMES,
    needs: Mapping[str, NeedsSet] = NO_NEEDS,
) -> SpotFacts:
    """The facts of every workload, with its largest number of nodes (missing: 1) and its longest job, unclipped.

    classes: of the workloads in their order; empty where nobody said. times: between interruptions, as observed.
    needs: what the planner set of workloads, by key.
    """
    taken = [(workload, class_at(classes, place)) for place, workload in enumerate(workloads)]
    minutes = [with_checkpoint_of(assumptions, *pair, needs).spot_checkpoint_minutes for pair in taken]
    allowed = {
        pool: np.array([barrier_of(assumptions, w, pool, of) is None for w, of in taken], dtype=np.bool_)
        for pool in Pool
    }
    lost_on = {
        nodes: lost_shares(assumptions.with_values({NODE_MTBF: hours}), workloads, minutes)
        for nodes, hours in times.items()
    }
    return SpotFacts(lost_shares(assumptions, workloads, minutes), allowed, lost_on)


# --- Rates of one pool and model: what may be committed to, and what GPUs paid by use cost -------

SHORT_WINDOW_TERM_MONTHS = 1
TODAY: Final = Prices()
"""Prices that stay."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UsagePrice:
    """What each workload pays by use in one pool and model: shapes (workloads,); rate NaN where nothing is open.

    on_demand: the cheapest eligible offer, None without one; spots: of each kind of nodes the cheapest, cheapest first.
    Rates are $ per GPU-hour of work done, so that what interruptions lose is in those of spot.
    on_spot: who uses spot; spot_infeasible: whose work would never end there; spot_place: the place in spots of the one
    with the lowest effective rate, lost: the share of work lost on it.
    """

    on_demand: Offer | None
    spots: tuple[Offer, ...]
    rate: Floats
    on_spot: Bools
    spot_infeasible: Bools
    spot_place: Ints
    lost: Floats

    def spot_of(self, workload: int) -> Offer | None:
        """The spot offer with the lowest effective rate for a workload, by its place; None without one."""
        return self.spots[int(self.spot_place[workload])] if self.spots else None

    def paid(self, used: Bools) -> Iterator[tuple[Offer | None, Bools]]:
        """The offers that workloads pay, with who does; used: whom it is asked of, (workloads,)."""
        for place, offer in enumerate(self.spots):
            yield offer, used & self.on_spot & (self.spot_place == place)
        yield self.on_demand, used & ~self.on_spot


def committed_offers(eligible: Sequence[Offer], longest_term_months: int | None = None) -> tuple[Offer, ...]:
    """Priced commitments whose term is not below their minimum term, cheapest first (ties: lowest offer_id).

    Cheapest by rate and upfront payment, spread over the term. A block without a term is as long as it is there.
    """
    usable = [
        offer
        for offer in eligible
        if offer.pricing_category.is_commitment
        and offer.rate
        and (is_block(offer) or offer.term_months >= max(1, offer.min_term_months))
        and (longest_term_months is None or length_s(offer) <= longest_term_months * MONTH_S)
    ]
    return tuple(sorted(usable, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id)))


def usage_price(eligible: Sequence[Offer], pool: Pool, facts: SpotFacts) -> UsagePrice:
    """On demand, or spot at its lowest effective rate r_spot / (1 - w) where that is allowed, feasible and cheaper.

    w: the share of work that each workload loses to interruptions of the offer's nodes; 1 or more cannot finish. Rates
    are in $ per GPU-hour; shapes of the answer (workloads,). Source: docs/formulas/spot.md.
    """
    on_demand = cheapest(eligible, PricingCategory.STANDARD)
    spots = _spots(eligible, facts)
    rate = np.full(len(facts.lost), np.nan if on_demand is None else on_demand.rate or np.nan)
    on_spot = np.zeros(len(facts.lost), dtype=np.bool_)
    infeasible, place, lost = on_spot, np.zeros(len(facts.lost), dtype=np.int64), facts.lost
    if spots:
        losses = np.stack([facts.lost_with(offer) for offer in spots])
        rates = np.array([[offer.rate or np.nan] for offer in spots])
        effective = np.where(losses < 1, rates / np.where(losses < 1, 1 - losses, 1.0), np.inf)
        place = np.argmin(effective, axis=0)
        lowest, lost = effective.min(axis=0), np.take_along_axis(losses, place[None], axis=0)[0]
        infeasible = facts.allowed[pool] & np.isinf(lowest)
        on_spot = facts.allowed[pool] & np.isfinite(lowest) & ~(lowest >= rate)
        rate = np.where(on_spot, lowest, rate)
    return UsagePrice(
        on_demand=on_demand,
        spots=spots,
        rate=rate,
        on_spot=on_spot,
        spot_infeasible=infeasible,
        spot_place=place,
        lost=lost,
    )


def _spots(eligible: Sequence[Offer], facts: SpotFacts) -> tuple[Offer, ...]:
    """Of spot offers the cheapest of those whose nodes are taken alike, cheapest first."""
    nodes = ((_nodes_of(offer), offer) for offer in eligible)
    alike = grouped((kind if kind in facts.lost_on else None, offer) for kind, offer in nodes)
    best = [cheapest(offers, PricingCategory.DYNAMIC) for offers in alike.values()]
    return tuple(sorted((o for o in best if o is not None), key=lambda o: (o.rate or 0.0, o.offer_id)))


def blend(parts: Sequence[tuple[UsagePrice, Floats]]) -> Flex:
    """r_flex: the mean of what workloads pay by use, in $ per GPU-hour, weighted by their GPU time.

    parts: pairs of prices and GPU time, each of shape (workloads,); GPU time in any unit, alike in all pairs.
    The rate is None where no price is open to a workload that has GPU time, and where none has any; an offer is named
    where all pay the same one. Source: docs/formulas/policy.md.
    """
    total = on_spot = 0.0
    bases = {price.on_demand.rate for price, _ in parts if price.on_demand is not None}
    base = min((rate for rate in bases if rate), default=0.0)
    extras: list[tuple[Extras, float]] = []
    above = 0.0  # over the base rate: where all pay the same, the blend is that rate to the last digit
    categories, offers = set[PricingCategory](), set[tuple[str, str]]()
    is_partly_unpriced = False
    for price, weight in parts:
        used = weight > 0
        total += float(weight.sum())
        on_spot += float(weight[used & price.on_spot].sum())
        above += float(((price.rate[used] - base) * weight[used]).sum())
        for offer, users in price.paid(used):
            if offer is not None and users.any():
                categories.add(offer.pricing_category)
                offers.add((offer.offer_id, offer.gpu_model))
                if offer.extras:  # of work done: what spot loses is done again, and its extras with it
                    hours = float((price.rate[users] * weight[users]).sum()) / (offer.rate or 1.0)
                    extras.append((offer.extras, hours))
            is_partly_unpriced |= offer is None and bool(users.any())
    share = on_spot / total if total else 0.0
    rate = base + above / total if total else float("nan")
    if not categories:
        return Flex(
            rate=None if isnan(rate) else rate,
            category=PricingCategory.STANDARD,
            offer_id=None,
            spot_share=share,
        )
    is_mixed = is_partly_unpriced or len(categories) > 1
    blended = () if is_partly_unpriced else tuple(sorted(offer_id for offer_id, _ in offers))
    offer_id, gpu_model = offers.pop() if len(offers) == 1 and not is_mixed else (None, None)
    return Flex(
        rate=None if isnan(rate) else rate,
        category=PricingCategory.MIXED if is_mixed else categories.pop(),
        offer_id=offer_id,
        spot_share=share,
        gpu_model=gpu_model,
        blended=blended if offer_id is None else (),
        extras=extras_over(extras, total),
    )


def dated_use(
    parts: Sequence[tuple[UsagePrice, Floats]], prices: Prices, months: int, moments: Sequence[int] = ()
) -> tuple[Levels, Floats]:
    """What dated changes of prices make of the blend, as ratios to today's: of each month, (months,) or (1,) for none,
    and at moments, epoch seconds, (moments,).

    Weights are today's $ by GPU model: who pays which offer stays as it is. parts: as in `blend`.
    Source: docs/formulas/policy.md, Steps of prices.
    """
    usd = usd_by_model(parts) if prices.changes else {}
    whole = sum(usd.values())
    if not whole > 0:
        return (1.0,), np.ones(len(moments))
    shares = {model: amount / whole for model, amount in usd.items()}
    mean = sum(share * prices.dated_use(model, months) for model, share in shares.items())
    at = [sum(share * prices.dated_at(model, s) for model, share in shares.items()) for s in moments]
    return tuple(np.asarray(mean).tolist()), np.array(at, dtype=np.float64)


def usd_by_model(parts: Sequence[tuple[UsagePrice, Floats]]) -> dict[str, float]:
    """What the GPU time of workloads costs by use, by the GPU model of whose offer they pay.

    parts: as in `blend`; $ per hour in the unit of their GPU time. Models that nobody pays for are left out.
    """
    return summed((offer.gpu_model, float((rate * weight).sum())) for offer, rate, weight in _paid(parts))


def _paid(parts: Sequence[tuple[UsagePrice, Floats]]) -> Iterator[tuple[Offer, Floats, Floats]]:
    """Offers that somebody pays by use, with the rate and the GPU time of each who does."""
    for price, weight in parts:
        for offer, users in price.paid(weight > 0):
            if offer is not None and users.any():
                yield offer, price.rate[users], weight[users]


def shares_of(parts: Sequence[tuple[UsagePrice, Floats]]) -> dict[str, float]:
    """Share of the GPU-hours of workloads that each usage-priced offer serves, by offer_id; as `blend` has it.

    Units: ratios, 0..1. Law: they add up to 1 where every workload with GPU time has an offer, to less where
    some have none.
    """
    total = sum(float(weight.sum()) for _, weight in parts)
    return summed((offer.offer_id, float(weight.sum()) / total) for offer, _, weight in _paid(parts))


def break_evens(
    offers: tuple[Offer, ...], flex_rate: float | None, churn: float, price_fall: float
) -> tuple[BreakEven, ...]:
    """u*_T = r_T / (r_flex x mean of ((1 - lambda)(1 - delta))^t over t < T) of every term; a rule of thumb.

    offers: committed, cheapest first. churn and price_fall are ratios a month (lambda, delta); flex_rate
    None: nothing to compare with, so that no break-even is known.
    Source: docs/formulas/layers.md, Screening curve.
    """
    best: dict[int, Offer] = {}
    for offer in offers:  # cheapest first
        best.setdefault(offer.term_months, offer)
    kept = [float(np.mean(((1 - churn) * (1 - price_fall)) ** np.arange(term))) for term in sorted(best)]
    rows = [
        BreakEven(
            term_months=term,
            offer_id=offer.offer_id,
            rate=offer.rate,
            spread_rate=offer.spread_rate,
            by_use_rate=flex_rate or None,
            kept=share,
            term_days=offer.term_days,
        )
        for (term, offer), share in zip(sorted(best.items()), kept, strict=True)
    ]
    given = inputs_of(rows, TERM_INPUTS) | {"month_hours": floats([HOURS_PER_MONTH] * len(rows))}
    return figured(rows, TERM, given, TERM_FIGURES)


# --- The time to get GPUs back after an interruption: a range, from the log's own requeued jobs ---


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartDelays:
    """How long jobs waited to go on. Units: hours; lost: share of the work of one node on spot, with each delay before
    its restart.

    Quantiles: the smallest delay that so many of the jobs are at or below. Source: docs/formulas/spot.md.
    """

    count: int
    p50_h: float
    p90_h: float
    lost: float
    lost_p50: float
    lost_p90: float


def restart_delays_of(delays_s: Sequence[int], assumptions: Assumptions) -> RestartDelays | None:
    """Of delays in seconds, ascending; None where the log has none.

    >>> found = restart_delays_of((3600, 3 * 3600, 8 * 3600), Assumptions())
    >>> found.p50_h, found.p90_h, round(found.lost, 3), round(found.lost_p50, 3)
    (3.0, 8.0, 0.115, 0.24)
    """
    if not delays_s:
        return None

    def after(delay_h: float) -> float:
        restart = assumptions.spot_restart_minutes + 60 * delay_h
        long_s = max(assumptions.spot_interval_hours, 1.0) * HOUR_S
        return lost_share(replace(assumptions, spot_restart_minutes=restart), 1, long_s)

    p50_h, p90_h = (delays_s[ceil(share * len(delays_s)) - 1] / HOUR_S for share in (0.5, 0.9))
    return RestartDelays(
        count=len(delays_s),
        p50_h=p50_h,
        p90_h=p90_h,
        lost=after(0.0),
        lost_p50=after(p50_h),
        lost_p90=after(p90_h),
    )
