"""What jobs may run on: the sets of GPUs of today and of a plan, and where they are sent once their patience is over.

Source: docs/formulas/waits.md.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, TypeVar, cast

import numpy as np

from gpuplanner.domain.arrays import Bools, Ints
from gpuplanner.domain.commitment.plan.ground import contracts_in
from gpuplanner.domain.commitment.recursion.rates import SpotFacts, spot_facts
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.model.amounts import summed
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract, hours_in, month_start_s, runs_at
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.intake import node_times
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.domain.queue.logged import Clusters, QueueLog, clusters_of, laid
from gpuplanner.domain.queue.parts import Rules
from gpuplanner.domain.queue.sets import NEVER, GpuSet, QueuedJob
from gpuplanner.lazy_dataclass import dataclass, field, replace

MILLI = 1000
IsCancelled = Callable[[], bool]
Found = TypeVar("Found")
SetName = tuple[str | None, str | None, Pool | None]
"""Cluster (None: of a pool of the plan), GPU model, and the pool alone that may use it (None: any)."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """Where a job may be sent, by places in the list of all: cheapest first, with $ per GPU-hour of work done there."""

    places: tuple[int, ...] = ()
    rates: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedSets:
    """Sets with their names and $ per GPU-hour in the mean (None: one is unknown)."""

    names: tuple[SetName, ...]
    sets: tuple[GpuSet, ...]
    rates: tuple[float | None, ...]

    def open_to(self, cluster: str, model: str | None, pool: Pool) -> tuple[int, ...]:
        """Places of those that jobs of a cluster, model and pool may use, the pool's own first."""
        own = ((cluster, model, pool), (None, model, pool), (cluster, model, None))
        return tuple(self.names.index(name) for name in own if name in self.names)


class Schedule(NamedTuple):
    """The rules of a replay, and which of them jobs have.

    of_kind: place of the account and of the limits of each kind of job in the log. planned: account of planned work,
    which is none of the log's. unmatched: limits that no job has; their names may be misspelled.
    """

    rules: Rules
    of_kind: list[tuple[int, tuple[int, ...]]]
    planned: int
    unmatched: tuple[Limit, ...]


class Fewest(NamedTuple):
    """A month of a plan. begins_s; gpus: of contracts and orders in it, in the mean; first_gpus: in month 0; both
    whole."""

    begins_s: int
    gpus: int
    first_gpus: int


TELLING_FALL: Final = 0.02
"""Of a plan's GPUs. With less, or with less than half of a node, its later months wait as its first does."""


@dataclass(eq=False)
class Queueing:
    """A log laid on an evaluation: who stands in which pool and model, in which order, and who may be sent where.

    without: a contract that is not there, by its id. known: what was replayed, by what it is of.
    """

    evaluation: Evaluation
    log: QueueLog
    without: str = ""
    known: dict[object, Any] = field(default_factory=dict)
    clusters: Clusters = field(init=False)
    pools: tuple[Pool, ...] = field(init=False)

    def once(self, key: object, work: Callable[[IsCancelled], Found], is_cancelled: IsCancelled) -> Found:
        """What is worked out for a key: what was found before, kept unless it was cancelled."""
        if key in self.known:
            return cast(Found, self.known[key])
        answer = work(is_cancelled)
        if not is_cancelled():
            self.known[key] = answer
        return answer

    def __post_init__(self) -> None:
        """pools: of each kind of the log, today by its class, as one cluster serves all; of a workload without a job in
        the window the one that the log states, else that of which its cluster has most."""
        project, by_class = self.evaluation.project, self._by_class
        whole = by_class if self.evaluation.scenario == TODAY else self.evaluation.figures.whole_pools
        self.clusters = clusters_of(self.log, project)
        places = zip(project.workloads, whole, strict=True)
        spent = summed(((workload.cluster, pool), workload.milli_gpu_seconds) for workload, pool in places)
        usual = {
            cluster: max(SERVING_ORDER, key=lambda pool: spent.get((cluster, pool), 0))
            for cluster in {kind.cluster for kind in self.log.kinds}
        }
        self.pools = tuple(
            (kind.label or usual[kind.cluster]) if kind.place is None else whole[kind.place]
            for kind in self.log.kinds
        )

    @property
    def _by_class(self) -> tuple[Pool, ...]:
        """Of each workload of the project the pool of its class."""
        return tuple(row.classification.pool for row in self.evaluation.audit.workloads)

    @cached_property
    def of_today(self) -> "Queueing":
        """The same of Today, whose jobs stand by class wherever a plan has put them, and go out at the rates of today;
        itself where a plan moves neither."""
        are_same = self.offers == _by_use(self.evaluation.project.offers)
        if self.evaluation.scenario == TODAY or (
            are_same and self.evaluation.figures.whole_pools == self._by_class
        ):
            return self
        return Queueing(replace(self.evaluation, scenario=TODAY), self.log, self.without)

    @cached_property
    def rank(self) -> Ints:
        """Of each job the place of its pool in the order in which pools are asked."""
        return np.array([SERVING_ORDER.index(pool) for pool in self.pools], dtype=np.int64)[self.log.kind]

    @cached_property
    def order(self) -> Ints:
        """Places of the jobs in the order in which they are asked: pool, eligible, id as text, row."""
        return np.lexsort((self.log.eligible_s, self.rank))

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Usage-priced offers with a rate."""
        project, plan = self.evaluation.project, self.evaluation.figures.basis.plan
        priced = project.offers if self.evaluation.scenario == TODAY else project.offers_in(plan)
        return _by_use(priced)

    @property
    def rooms(self) -> tuple[int | None, ...]:
        """Thousandths of a GPU of each of them; None without a limit."""
        return tuple(None if offer.max_gpus is None else int(offer.max_gpus * MILLI) for offer in self.offers)

    @cached_property
    def spot(self) -> SpotFacts:
        """Where work may run on capacity that can be taken away, and what it loses there."""
        project, times = self.evaluation.project, node_times(self.evaluation.project.intake)
        classes = tuple(row.classification for row in self.evaluation.audit.workloads)
        return spot_facts(self.assumed, project.workloads, classes, times, project.needs)

    @cached_property
    def outlets(self) -> tuple[Outlets, ...]:
        """Of each kind of the log."""
        place_of = {offer.offer_id: place for place, offer in enumerate(self.offers)}
        workloads, mappings = self.evaluation.project.workloads, self.evaluation.project.mappings

        @cache
        def of(pool: Pool, model: str | None, workload: int | None) -> Outlets:
            is_wide = workload is not None and (workloads[workload].max_nodes or 1) > 1
            open_to = eligible_offers(self.offers, need_of(pool, model, is_wide), mappings)
            rates = ((self.price_work(o, pool, workload), place_of[o.offer_id], o.offer_id) for o in open_to)
            priced = sorted((rate, name, place) for rate, place, name in rates if rate is not None)
            return Outlets(tuple(place for _, _, place in priced), tuple(rate for rate, _, _ in priced))

        of_kind = zip(self.pools, self.clusters.of_kind, self.log.kinds, strict=True)
        return tuple(of(pool, model, kind.place) for pool, (_, model), kind in of_kind)

    def price_work(self, offer: Offer, pool: Pool, workload: int | None) -> float | None:
        """Return $ per GPU-hour of work done on an offer; None where the work may not run there."""
        if offer.pricing_category is not PricingCategory.DYNAMIC:
            return offer.rate
        if workload is None or not self.spot.allowed[pool][workload]:
            return None
        lost = float(self.spot.lost_with(offer)[workload])
        return None if lost >= 1 or offer.rate is None else offer.rate / (1 - lost)

    @cached_property
    def schedule(self) -> Schedule:
        """Limits and fair share as the project has them."""
        project, kinds = self.evaluation.project, self.log.kinds
        stated, is_fair = project.queue_limits or (), bool(project.is_fair_share)
        place_of, of_kind = dict[tuple[Limit, tuple[str, ...]], int](), []
        accounts = sorted({kind.team for kind in kinds if is_fair})
        asked = [limit for limit in stated if limit.max_gpus is not None]
        for kind, (_, model) in zip(kinds, self.clusters.of_kind, strict=True):
            names = (kind.user, kind.account, kind.qos, kind.partition, model or "")
            own = [(limit, group) for limit in asked if (group := limit.group_of(*names)) is not None]
            account = accounts.index(kind.team) if accounts else 0
            of_kind.append((account, tuple(place_of.setdefault(key, len(place_of)) for key in own)))
        shares = {limit.account or limit.user: limit.shares or 1.0 for limit in stated if limit.shares}
        of_limits = tuple(int((limit.max_gpus or 0) * MILLI) for limit, _ in place_of)
        of_accounts = tuple(shares.get(account, 1.0) for account in accounts) + (1.0,) * is_fair
        rules = Rules(of_limits, of_accounts, self.assumed.fairshare_half_life_days * 24 * HOUR_S)
        matched = {limit for limit, _ in place_of}
        return Schedule(
            rules, of_kind, len(accounts), tuple(limit for limit in asked if limit not in matched)
        )

    @cached_property
    def larger(self) -> Bools:
        """Which jobs are larger than one of their limits, so that they start on no size, (jobs,)."""
        rules, of_kind, *_ = self.schedule
        least = [min((rules.limits[at] for at in own), default=NEVER) for _, own in of_kind]
        return np.asarray(laid(self.log.milli_gpus) > np.array(least, dtype=np.int64)[self.log.kind])

    @property
    def assumed(self) -> Assumptions:
        """Those of the plan."""
        return self.evaluation.project.assumptions_in(self.evaluation.figures.basis.plan)

    def patience_s(self, pool: Pool) -> int | None:
        """Seconds after which its jobs are sent out; None: they wait for ever."""
        hours = getattr(self.assumed, f"patience_{pool}_hours")
        return None if hours is None else round(hours * HOUR_S)

    def jobs(self, named: NamedSets, places: Ints | None = None) -> list[QueuedJob]:
        """Jobs in their order on these sets. places: of these alone, all of which may use every set."""
        log, at = self.log, self.order if places is None else places
        pairs = zip(self.pools, self.clusters.of_kind, self.outlets, self.schedule.of_kind, strict=True)
        of_kind = []
        for pool, (cluster, model), outlets, rules in pairs:
            own = named.open_to(cluster, model, pool) if places is None else (*range(len(named.sets)),)
            patience = self.patience_s(pool) if outlets.places else None
            of_kind.append((SERVING_ORDER.index(pool), own, outlets.places, patience, *rules))
        mine_of, milli = [of_kind[kind] for kind in log.kind[at].tolist()], laid(log.milli_gpus[at])
        numbers = (log.eligible_s[at], (log.end_s - log.start_s)[at], log.planned_s[at], milli)
        nodes = np.clip(log.nodes[at], 1, milli).tolist()
        rank, *places_of, account, limits = ([row[place] for row in mine_of] for place in range(6))
        columns = (rank, *(column.tolist() for column in numbers), *places_of, nodes, account, limits)
        return [*map(QueuedJob._make, zip(*columns, strict=True))]

    def node_milli_gpus(self, places: Ints) -> int | None:
        """The most that one of these jobs has on a node, a whole GPU at least; None where one does not say on how many
        it runs, and where none has more than one whole GPU on a node: nodes then make nobody wait."""
        nodes, milli = self.log.nodes[places], laid(self.log.milli_gpus[places])
        most = int((-(-milli // np.maximum(nodes, 1))).max(initial=MILLI))
        return most if nodes.all() and (most > MILLI or (milli % MILLI).any()) else None

    def _node_of(self, name: SetName) -> int | None:
        """That of the jobs of a set's cluster and model, or of all of its model."""
        cluster, model, _ = name
        of_kind = enumerate(self.clusters.of_kind)
        kinds = [at for at, (where, its) in of_kind if its == model and cluster in (None, where)]
        return self.node_milli_gpus(np.flatnonzero(np.isin(self.log.kind, kinds)))

    def _named(self, had: Mapping[SetName, Sequence[tuple[int, int, float | None]]]) -> NamedSets:
        """Sets from what each has: (from when, how many more, $ per GPU-hour)."""
        names, sets, rates = [], [], []
        for name, steps in had.items():
            at_s = sorted({at for at, _, _ in steps})
            changes = tuple((at, sum(more for when, more, _ in steps if when <= at)) for at in at_s)
            if any(milli for _, milli in changes):
                names.append(name)
                sets.append(GpuSet(changes, self._node_of(name)))
                rates.append(mean_rate((more, rate) for _, more, rate in steps if more > 0))
        return NamedSets(tuple(names), tuple(sets), tuple(rates))

    def _model_of(self, contract: Contract) -> str | None:
        """The GPU model that a contract counts with: its cluster's where it names none."""
        places = [place for place in self.clusters.jobs if place[0] == contract.cluster]
        return contract.gpu_model or (places[0][1] if len(places) == 1 else None)

    @cached_property
    def today(self) -> NamedSets:
        """Contracts by their dates; what is there at the window's end stays. Without contracts, what was busy.

        What is there before log and window begin is there from 0 on, as in a plan: where both are the same, so is their
        replay.
        """
        end_s, begins_s = self.evaluation.project.window.end_s, self.evaluation.project.window.start_s
        begins_s = int(self.log.eligible_s.min(initial=begins_s))
        had: dict[SetName, list[tuple[int, int, float | None]]] = {}
        for contract in self.evaluation.project.contracts:
            if contract.contract_id == self.without or not contract.overlaps(0, end_s):
                continue
            steps = had.setdefault((contract.cluster, self._model_of(contract), contract.pool), [])
            steps.append(
                (contract.start_s if contract.start_s > begins_s else 0, contract.milli_gpus, contract.rate)
            )
            if contract.end_s is not None and contract.end_s < end_s:
                steps.append((contract.end_s, -contract.milli_gpus, contract.rate))
        for (cluster, model), milli in self.clusters.guessed.items():
            had[cluster, model, None] = [(0, milli, None)]
        return self._named(had)

    @cached_property
    def plan(self) -> NamedSets | None:
        """Contracts and orders of month 0 in the mean, the same all through the log; None where nothing is planned."""
        evaluation = self.evaluation
        is_planned = evaluation.advice is not None and evaluation.scenario != TODAY
        return self._named(self._held_in(0)) if is_planned and evaluation.project.offers else None

    @cached_property
    def fewest(self) -> Fewest | None:
        """The month of the twelve compared in which the plan has the fewest GPUs; None where these are about as many
        as in the first."""
        project, advice = self.evaluation.project, self.evaluation.advice
        if self.plan is None or advice is None or not advice.comparison:
            return None
        held = [
            sum(milli for steps in self._held_in(month).values() for _, milli, _ in steps) / MILLI
            for month in range(len(advice.comparison))
        ]
        at, first = min(range(len(held)), key=held.__getitem__), round(held[0])
        node = min((gpu_set.node_milli_gpus or MILLI for gpu_set in self.plan.sets), default=MILLI) / MILLI
        is_telling = max(1, TELLING_FALL * first, node / 2) <= first - round(held[at])
        return Fewest(month_start_s(project.plan_window, at), round(held[at]), first) if is_telling else None

    @property
    def is_changed(self) -> bool:
        """Whether the plan's demand grows or is another than the log's, which no replay shows."""
        plan = self.evaluation.figures.basis.plan
        grows = any(self.assumed.of_pool("growth", pool) for pool in SERVING_ORDER)
        return self.plan is not None and bool(grows or plan.changes or plan.spells or plan.planned)

    @cached_property
    def _contracts(self) -> list[Contract]:
        """Those that the plan counts with, each with the end that it has there."""
        held = contracts_in(self.evaluation.project, self.evaluation.figures.basis.plan).plan
        return [contract for contract in held if contract.contract_id != self.without]

    def _held_in(self, month: int) -> dict[SetName, list[tuple[int, int, float | None]]]:
        """Contracts and orders of a plan's month, in the mean."""
        project, advice = self.evaluation.project, self.evaluation.advice
        assert advice is not None
        from_s = month_start_s(project.plan_window, month)
        had: dict[SetName, list[tuple[int, int, float | None]]] = {}
        for contract in self._contracts:
            hours = hours_in(contract, from_s, from_s + MONTH_S)
            name: SetName = (contract.cluster, self._model_of(contract), contract.pool)
            milli = round(contract.milli_gpus * hours / HOURS_PER_MONTH)
            had.setdefault(name, []).append((0, milli, contract.rate))
        for order in advice.orders:
            lasts = min(order.end_s, from_s + MONTH_S) - max(order.start_s, from_s)
            if lasts <= 0 or not order.is_certain or order.run:
                continue
            name = (None, gpu_model_of(order.gpu_model), order.pool)
            had.setdefault(name, []).append((0, round(order.gpus * MILLI * lasts / MONTH_S), order.rate))
        return had

    def held_at(
        self, at_s: int, kept: Collection[str] = (), dropped: Collection[Order] = frozenset()
    ) -> NamedSets:
        """Return what contracts and orders of the plan hold at an instant, as if they did all through the log.

        Orders that start only if their demand lasts do not count. Rates are left out: the same GPUs are the same sets.
        at_s: epoch seconds. kept: ids of contracts that hold their GPUs then, whatever the plan decides of them.
        dropped: orders that are not placed.
        """
        advice = self.evaluation.advice
        assert advice is not None
        planned = self._contracts
        names = {contract.contract_id for contract in planned}
        # on-demand contracts are planned again, so that the plan has none of them
        others = [row for row in self.evaluation.project.contracts if row.contract_id in {*kept} - names]
        had: dict[SetName, list[tuple[int, int, float | None]]] = {}
        for contract in (*planned, *others):
            is_held = contract.contract_id in kept or runs_at(contract, at_s)
            name: SetName = (contract.cluster, self._model_of(contract), contract.pool)
            had.setdefault(name, []).append((0, contract.milli_gpus if is_held else 0, None))
        for order in advice.orders:
            if order.run or not order.is_certain or order in dropped:
                continue
            if order.start_s <= at_s < order.end_s:
                name = (None, gpu_model_of(order.gpu_model), order.pool)
                had.setdefault(name, []).append((0, round(order.gpus * MILLI), None))
        return self._named(had)


def _by_use(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    return tuple(offer for offer in offers if offer.rate and not offer.pricing_category.is_commitment)


def mean_rate(parts: Iterable[tuple[float, float | None]]) -> float | None:
    """$ per GPU-hour of (how many, at which rate) together; None where one is unknown, or there are none."""
    known = list(parts)
    many = sum(amount for amount, _ in known)
    if not many or any(rate is None for amount, rate in known if amount):
        return None
    return sum(amount * (rate or 0.0) for amount, rate in known) / many
