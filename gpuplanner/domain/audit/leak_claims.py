"""What a leak rule is, is given, and answers; and the equal terms that inference is measured by."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from math import isinf
from typing import Final, Literal

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.energy import EnergyRow
from gpuplanner.domain.audit.spend import EligibleRates, overflow_rate
from gpuplanner.domain.audit.utilization import ClusterHours, part_of, shares_of_contracts, weighted_sums
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import newsvendor_units
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.unit_costs import EQUAL_TERMS
from gpuplanner.domain.fit.rules import cheapest
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import IdleGap
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window
from gpuplanner.lazy_dataclass import dataclass

# --- Equal terms: inference beside the cheapest offer that it could have had, each rate at its utilization

SAME_RATE: Final = 1e-9
"""Rates closer than this, as a share, are the same: what a sum of many hours may be off by."""


@dataclass(frozen=True, slots=True)
class EqualTerms:
    """GPU-hours of a workload and GPU model that one contract served (or nobody: overflow), and what they compare with.

    rate: $ per GPU-hour of the contract, of overflow the on-demand rate; utilization: of the contract in the window,
    of overflow 1; offer_utilization: that of the level of the offer that the workload would hold. None: unknown, no
    offer that fits.
    """

    gpu_model: str | None
    gpu_hours: float
    rate: float | None
    utilization: float
    offer: Offer | None
    offer_utilization: float = 1.0

    @property
    def offer_rate(self) -> float | None:
        """$ per GPU-hour of the offer, what is paid upfront spread over its term.

        None where no offer fits.
        """
        return None if self.offer is None else self.offer.spread_rate

    @property
    def is_dearer(self) -> bool:
        """Whether a GPU-hour that was used cost more than one at the offer.

        False where either rate is unknown; the difference must be more than rounding.
        """
        paid, asked = self.rate, self.offer_rate
        return paid is not None and asked is not None and paid > asked * (1 + SAME_RATE)

    @property
    def paid_usd(self) -> float | None:
        """$ in the window at the rate paid, with its share of what the contract was paid for and did not serve.

        None where the rate is unknown.
        """
        return self._cost(self.rate, self.utilization)

    @property
    def offer_usd(self) -> float | None:
        """$ in the window at the offer, with what the level held of it would leave idle.

        None where no offer fits.
        """
        return self._cost(self.offer_rate, self.offer_utilization)

    def _cost(self, rate: float | None, utilization: float) -> float | None:
        """served GPU-hours x rate / utilization; None where the rate is unknown."""
        if rate is None:
            return None
        inputs = {"served_gpu_hours": self.gpu_hours, "rate": rate, "utilization": utilization}
        return float(EQUAL_TERMS.worked_out(inputs)["cost_with_idle"])


def equal_terms(
    project: Project,
    clusters: Sequence[ClusterHours],
    rates: EligibleRates,
    inference_of: Callable[[str], Sequence[int]],
) -> dict[int, list[EqualTerms]]:
    """By place of every inference workload that ran: its GPU-hours beside the cheapest offer at equal terms.

    inference_of: places in Project.workloads of a cluster's inference that ran on GPUs.
    Law: at the contracts' rates and utilizations all that they served costs what they were paid.
    Source: docs/formulas/unit-costs.md, Consolidation premium.
    """
    terms: dict[int, list[EqualTerms]] = {}
    fitting = cache(partial(rates.steady, Pool.INFERENCE))
    for hours in clusters:
        if inference := inference_of(hours.cluster):
            payers = _payers(project, hours, fitting)
            terms |= {place: list(_parts(project, place, payers)) for place in inference}
    return terms


@dataclass(frozen=True, slots=True, eq=False)
class _Payers:
    """Who serves a GPU model of a cluster: its contracts in merit order, and last what is paid by use for overflow.

    Shapes: shares (payers, hours), of the model's demand. open_to: the offers that each compares with, cheapest first;
    usage_rate: of the cheapest on-demand offer.
    """

    shares: Floats
    rates: tuple[float | None, ...]
    utilizations: tuple[float, ...]
    open_to: tuple[tuple[Offer, ...], ...]
    usage_rate: float | None


def _payers(
    project: Project, hours: ClusterHours, fitting: Callable[[str | None], tuple[Offer, ...]]
) -> dict[str | None, _Payers]:
    """Who serves each model of a cluster, and what each would have to choose from. fitting: offers of a model
    that inference may use, cheapest first.
    """
    stand_in = hours.stand_in
    served = hours.served.sum(axis=1)
    paid = hours.capacity.sum(axis=1) * [
        (contract.rate or 1.0) / (contract.full_rate or 1.0) for contract in hours.contracts
    ]
    used = np.divide(served, paid, out=np.ones(len(served)), where=paid > 0)
    shares, beyond = shares_of_contracts(hours), hours.overflow
    payers = {}
    for number, model in enumerate(hours.models):
        name = stand_in if model is None else model
        offers = fitting(name)
        usage = cheapest(offers, PricingCategory.STANDARD)
        overflow = part_of(beyond[number], hours.demand[number].sum(axis=0))
        payers[model] = _Payers(
            np.vstack([shares[model], overflow]),
            (*(contract.full_rate for contract in hours.contracts), overflow_rate(hours, model, project)),
            (*used.tolist(), 1.0),
            tuple(_open_to(offers, contract, project.window) for contract in (*hours.contracts, None)),
            None if usage is None else usage.rate,
        )
    return payers


def _open_to(offers: Sequence[Offer], contract: Contract | None, window: Window) -> tuple[Offer, ...]:
    """The offers of a contract's term or a shorter one that could serve by now; None: overflow, bound to nothing.

    A lead has passed where an offer that was ordered when the contract began, or with the window if that is earlier,
    serves before the window ends.
    """
    binds = _bound_hours(contract)
    ordered_s = window.start_s if contract is None else min(window.start_s, contract.start_s)
    return tuple(
        offer for offer in offers if offer.term_hours <= binds and _serves_by_now(offer, ordered_s, window)
    )


def _parts(project: Project, place: int, payers: Mapping[str | None, _Payers]) -> Iterator[EqualTerms]:
    """The parts of a workload: by GPU model, by who served it."""
    for model, when, amount in project.cube.by_model_of(place):
        held = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
        of_model = payers[model]
        utilization_of = cache(partial(_utilization, held, project.window.hours, of_model.usage_rate))
        for number, gpu_hours in enumerate((of_model.shares[:, when] @ held).tolist()):
            if gpu_hours:
                fitting = (
                    (offer, used)
                    for offer in of_model.open_to[number]
                    if (used := utilization_of(offer)) is not None
                )
                offer, used = next(fitting, (None, 1.0))
                yield EqualTerms(
                    model, gpu_hours, of_model.rates[number], of_model.utilizations[number], offer, used
                )


def _utilization(held: Floats, hours: int, usage_rate: float | None, offer: Offer) -> float | None:
    """The utilization that an offer would have of what is held; None where it would not pay to hold one GPU of it.

    Shapes: held (hours in which any is,). Without anything paid by use all of it would be committed.
    """
    if not offer.term_hours:
        return 1.0
    level = newsvendor_units(held, (offer.spread_rate or 0.0) / usage_rate if usage_rate else 0.0, hours)
    return float(np.minimum(held, level).sum()) / (level * hours) if level else None


def _bound_hours(contract: Contract | None) -> float:
    """How long a contract binds; from start to end in whole months, which calendar months come near to."""
    hours = 0.0 if contract is None else contract.binding_hours
    return hours if isinf(hours) else max(hours, float(HOURS_PER_MONTH * round(hours / HOURS_PER_MONTH)))


def _serves_by_now(offer: Offer, ordered_s: int, window: Window) -> bool:
    """Whether an offer that was ordered then serves before the window ends, and goes on past it."""
    begins_s = max(ordered_s + offer.lead_time_hours * HOUR_S, offer.starts_s or ordered_s)
    return begins_s < window.end_s and (offer.ends_s is None or offer.ends_s >= window.end_s)


# --- What a leak rule is, is given, and answers: parts of workloads' used time or of contracts' idle time

NAMED_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Part:
    """GPU-hours of one workload that ran, or of one contract that idled; `of` says which.

    rate: $ per GPU-hour; None: unknown.
    """

    of: tuple[str, str]
    gpu_hours: float
    rate: float | None

    @property
    def paid(self) -> float | None:
        """$ in the window; nothing for nothing, also at an unknown rate."""
        return self.gpu_hours * self.rate if self.rate is not None else None if self.gpu_hours else 0.0


@dataclass(frozen=True, slots=True)
class LeakClaim:
    """One leak of one cluster (or of one of its contracts), as its rule sees it; amounts are of the window.

    action: what to do, where that is more than its rule says.
    """

    cluster: str
    subject: Text
    parts: tuple[Part, ...]
    action: Text = ""
    contract_id: str | None = None

    @property
    def of(self) -> str:
        """What tells it from the other claims of its rule.

        Law: with the code of its rule no other leak of the window has it.
        """
        return self.cluster if self.contract_id is None else self.contract_id


@dataclass(frozen=True)
class Past:
    """Everything that leak rules look at. classifications and workload_usd: in the order of Project.workloads.

    rates: what overflow of each class and model would cost on demand. workload_energy: as workload_usd, empty where
    nobody asks for it.
    """

    project: Project
    classifications: tuple[Classification, ...]
    clusters: tuple[ClusterHours, ...]
    workload_usd_per_month: tuple[float | None, ...]
    rates: EligibleRates
    workload_energy: tuple[EnergyRow, ...] = ()

    @cached_property
    def idle_gpu_hours(self) -> dict[str, float]:
        """GPU-hours that each contract was paid for and did not serve, by contract_id."""
        return {
            contract.contract_id: int((hours.capacity[place] - hours.served[place]).sum())
            / MILLI_GPU_SECONDS_PER_GPU_HOUR
            for hours in self.clusters
            for place, contract in enumerate(hours.contracts)
        }

    @cached_property
    def equal_terms(self) -> dict[int, list[EqualTerms]]:
        """By place of every inference workload that ran: its GPU-hours beside the cheapest offer at equal terms.

        Worked out once, for the leak and for the endpoints.
        """
        inference_of = partial(self.members, pool=Pool.INFERENCE)
        return equal_terms(self.project, self.clusters, self.rates, inference_of)

    @cached_property
    def _places_by_cluster(self) -> dict[str, list[int]]:
        """Places of the workloads that ran on GPUs, by cluster; most GPU time first."""
        workloads = self.project.workloads
        ran = [place for place, workload in enumerate(workloads) if workload.milli_gpu_seconds]
        ran.sort(key=lambda place: (-workloads[place].milli_gpu_seconds, place))
        return grouped((workloads[place].cluster, place) for place in ran)

    def members(self, cluster: str, pool: Pool | None = None) -> list[int]:
        """Places of a cluster's workloads that ran on GPUs, of one class if given; most GPU time first.

        Empty for a cluster without such workloads.
        """
        places = self._places_by_cluster.get(cluster, [])
        return [place for place in places if pool in (None, self.classifications[place].pool)]

    def idle_gaps_longer_than(self, longer_than_s: float) -> Mapping[str, Sequence[IdleGap]] | None:
        """The idle gaps of each cluster; None where they are not known for waits of this length.

        longer_than_s: seconds.
        """
        idle_gaps = self.project.jobs.idle_gaps
        if idle_gaps is None or longer_than_s < idle_gaps.longer_than_s:
            return None
        return self._idle_gaps_by_cluster

    @cached_property
    def _idle_gaps_by_cluster(self) -> dict[str, list[IdleGap]]:
        """In the order in which they were kept, by their end."""
        known = self.project.jobs.idle_gaps.each if self.project.jobs.idle_gaps else ()
        return grouped((idle_gap.cluster, idle_gap) for idle_gap in known)

    def shared(self, *shares: Mapping[tuple[str, str | None], Floats]) -> tuple[list[float], ...]:
        """GPU-hours of every workload times a share of each hour of its cluster and model, all workloads in one pass.

        Shapes: each share (hours,); all of them name the same clusters and models (None: unknown), and one that is not
        named has none. Returns for each of them one figure a workload, in order.
        """
        cube = self.project.cube
        ofs = [of for of in shares[0] if any(share[of].any() for share in shares)]
        workloads = len(self.project.workloads)
        if not ofs:
            return tuple([0.0] * workloads for _ in shares)
        number = {of: place for place, of in enumerate(ofs)}
        rows = ((self.project.workloads[place].cluster, model) for place, model in cube.pairs)
        of_row = np.array([number.get(row, len(ofs)) for row in rows], dtype=np.int64)
        answers = []
        for share in shares:
            table = np.stack([*(share[of] for of in ofs), np.zeros(cube.hours)])
            sums = weighted_sums(cube, of_row, table, workloads)
            answers.append((sums / MILLI_GPU_SECONDS_PER_GPU_HOUR).tolist())
        return tuple(answers)

    def usd_per_gpu_hour(self, place: int) -> float | None:
        """What a workload's GPU-hour cost on average, overflow included; None where its cost is unknown.

        place: in Project.workloads. None, too, for a workload without GPU time.
        """
        usd = self.workload_usd_per_month[place]
        spent = self.project.workloads[place].gpu_hours
        return None if usd is None or not spent else usd * self.project.window.months / spent

    def used(self, place: int, gpu_hours: float, rate: float | None) -> Part:
        """A part of what a workload ran; a rate of None is unknown.

        place: in Project.workloads; gpu_hours: of the window; rate: $ per GPU-hour.
        """
        return Part(("workload", self.project.workloads[place].key), gpu_hours, rate)

    def used_at_its_rate(self, place: int, gpu_hours: float) -> Part:
        """A part of what a workload ran, at what its GPU-hours cost on average."""
        return self.used(place, gpu_hours, self.usd_per_gpu_hour(place))

    def named(self, cluster: str, places: Sequence[int]) -> Message:
        """`cluster: name, name and 4 more`.

        places: in the order in which they are named.
        """
        return joined((cluster, listed(self.project.workloads[place].name for place in places)), ": ")


def listed(names: Iterable[Text]) -> Message:
    """The first few names and how many more there are; each name once.

    >>> str(listed(["a", "b", "a"])), str(listed(["a", "b", "c", "d", "e"]))
    ('a, b', 'a, b, c and 2 more')
    """
    each = list(dict.fromkeys(names))
    shown = each if len(each) <= NAMED_AT_MOST + 1 else each[:NAMED_AT_MOST]
    more = len(each) - len(shown)
    some = joined(shown, ", ")
    return worded("{names} and {more} more", names=some, more=whole(more)) if more else some


def claim_of(
    past: Past, hours: ClusterHours, parts: Mapping[int, Part], action: Text = ""
) -> list[LeakClaim]:
    """One claim of a cluster, or none where nothing leaks. parts: by the places of the workloads that it names.

    action: where it says more than the rule's.
    """
    if not any(part.gpu_hours for part in parts.values()):
        return []
    return [LeakClaim(hours.cluster, past.named(hours.cluster, [*parts]), tuple(parts.values()), action)]


@dataclass(frozen=True, eq=False)
class LeakRule:
    """A kind of leak, declared once beside the function that finds it.

    title: short, for a table; words: when it is one; formula: how its $ follow from GPU-hours, in words; action: what
    to do about it; claims: which GPU-hours, those that a "workload" ran or a "contract" was paid for and idle.
    pool: where its workloads belong, so that a plan can put them there; None: a plan of pools and terms cannot show
    what would be saved. rate: what its $ of each GPU-hour are called, where they are not the rate paid.
    """

    code: str
    title: Message
    find: Callable[[Past], list[LeakClaim]]
    claims: Literal["workload", "contract"]
    words: Message
    formula: Message
    action: Text = ""
    pool: Pool | None = None
    rate: Text = ""
