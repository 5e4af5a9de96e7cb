"""Leak rules: their form, input and result; and equal terms for inference."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from math import isinf
from typing import Final, Literal, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.energy import EnergyRow
from gpuplanner.domain.audit.spend.on_demand_rates import EligibleRates
from gpuplanner.domain.audit.spend.overflow import overflow_rate
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours, part_of
from gpuplanner.domain.audit.utilization.dispatch import shares_of_contracts
from gpuplanner.domain.audit.utilization.row_sums import weighted_sums
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

# --- Equal terms: inference compared with its cheapest possible offer, each rate at its utilization

SAME_RATE: Final = 1e-9
"""Largest relative difference of equal rates: the error of a sum over many hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualTerms:
    """GPU-hours of a workload and GPU model on one contract (or overflow), and the offer to compare with.

    rate: $ per GPU-hour of the contract; the on-demand rate for overflow. utilization: of the contract in the window; 1
    for overflow. offer_utilization: of the level that the workload would commit. None: unknown, or no offer fits.
    """

    gpu_model: str | None
    gpu_hours: float
    rate: float | None
    utilization: float
    offer: Offer | None
    offer_utilization: float = 1.0

    @property
    def offer_rate(self) -> float | None:
        """$ per GPU-hour of the offer with its upfront payment spread over the term; None without an offer."""
        return None if self.offer is None else self.offer.spread_rate

    @property
    def is_dearer(self) -> bool:
        """Whether a used GPU-hour cost more than at the offer, beyond rounding; False if a rate is unknown."""
        paid, asked = self.rate, self.offer_rate
        return paid is not None and asked is not None and paid > asked * (1 + SAME_RATE)

    @property
    def paid_usd(self) -> float | None:
        """$ in the window at the paid rate, including its share of the contract's idle hours; None without a rate."""
        return self._cost(self.rate, self.utilization)

    @property
    def offer_usd(self) -> float | None:
        """$ in the window at the offer, including the idle hours of the committed level; None without an offer."""
        return self._cost(self.offer_rate, self.offer_utilization)

    def _cost(self, rate: float | None, utilization: float) -> float | None:
        """Return served GPU-hours x rate / utilization; None without a rate."""
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
    """Compare the GPU-hours of every inference workload with the cheapest offer at equal terms, by index of the
    workload.

    inference_of: returns the indexes of a cluster's inference workloads with GPU time.
    Law: at the contracts' rates and utilizations, their served GPU-hours cost the amount paid.
    Source: docs/formulas/unit-costs.md, Consolidation premium.
    """
    terms: dict[int, list[EqualTerms]] = {}
    fitting = cache(partial(rates.steady, Pool.INFERENCE))
    for hours in clusters:
        if inference := inference_of(hours.cluster):
            payers = _payers(project, hours, fitting)
            terms |= {place: list(_parts(project, place, payers)) for place in inference}
    return terms


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Payers:
    """Supply of a GPU model on a cluster: its contracts in merit order, then on-demand GPUs for overflow.

    Shapes: shares (payers, hours), of the model's demand. open_to: offers to compare each with, cheapest first.
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
    """Return the supply of each model on a cluster, with the offers to compare with.

    fitting: returns the offers of a model for inference, cheapest first.
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
            shares=np.vstack([shares[model], overflow]),
            rates=(
                *(contract.full_rate for contract in hours.contracts),
                overflow_rate(hours, model, project),
            ),
            utilizations=(*used.tolist(), 1.0),
            open_to=tuple(
                _open_to(offers, contract, project.window) for contract in (*hours.contracts, None)
            ),
            usage_rate=None if usage is None else usage.rate,
        )
    return payers


def _open_to(offers: Sequence[Offer], contract: Contract | None, window: Window) -> tuple[Offer, ...]:
    """Return the offers with at most a contract's term that could serve by now; None: overflow, without a commitment.

    The lead time is over if an order at the contract's start, or at the window's start if earlier, serves before the
    window ends.
    """
    binds = committed_hours(contract)
    ordered_s = window.start_s if contract is None else min(window.start_s, contract.start_s)
    return tuple(
        offer
        for offer in offers
        if offer.term_hours <= binds and serves_before_window_ends(offer, ordered_s, window)
    )


def _parts(project: Project, place: int, payers: Mapping[str | None, _Payers]) -> Iterator[EqualTerms]:
    """Yield the parts of a workload, by GPU model and contract."""
    for model, when, amount in project.cube.by_model_of(place):
        held = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
        of_model = payers[model]
        utilization_of = cache(
            partial(best_level_utilization, held, project.window.hours, of_model.usage_rate)
        )
        for number, gpu_hours in enumerate((of_model.shares[:, when] @ held).tolist()):
            if gpu_hours:
                fitting = (
                    (offer, used)
                    for offer in of_model.open_to[number]
                    if (used := utilization_of(offer)) is not None
                )
                offer, used = next(fitting, (None, 1.0))
                yield EqualTerms(
                    gpu_model=model,
                    gpu_hours=gpu_hours,
                    rate=of_model.rates[number],
                    utilization=of_model.utilizations[number],
                    offer=offer,
                    offer_utilization=used,
                )


def best_level_utilization(held: Floats, hours: int, usage_rate: float | None, offer: Offer) -> float | None:
    """Return the utilization of an offer's best level for this use; None if committing one GPU does not pay.

    Shapes: held (hours with use,). Without an on-demand rate all of it would be committed.
    """
    if not offer.term_hours:
        return 1.0
    level = newsvendor_units(held, (offer.spread_rate or 0.0) / usage_rate if usage_rate else 0.0, hours)
    return float(np.minimum(held, level).sum()) / (level * hours) if level else None


def committed_hours(contract: Contract | None) -> float:
    """Return the hours of a contract's commitment, rounded to whole months."""
    hours = 0.0 if contract is None else contract.binding_hours
    return hours if isinf(hours) else max(hours, float(HOURS_PER_MONTH * round(hours / HOURS_PER_MONTH)))


def serves_before_window_ends(offer: Offer, ordered_s: int, window: Window) -> bool:
    """Return whether an offer ordered then serves before the window ends, and continues after it."""
    begins_s = max(ordered_s + offer.lead_time_hours * HOUR_S, offer.starts_s or ordered_s)
    return begins_s < window.end_s and (offer.ends_s is None or offer.ends_s >= window.end_s)


# --- Leak rules: form, input and result, which are parts of workloads' used time or contracts' idle time

NAMED_AT_MOST = 3


class PartOf(NamedTuple):
    """The kind and id of what a part is of: a workload or a contract."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Part:
    """GPU-hours used by one workload, or idle on one contract. origin: its kind and id.

    rate: $ per GPU-hour; None: unknown.
    """

    origin: PartOf
    gpu_hours: float
    rate: float | None

    @property
    def paid(self) -> float | None:
        """$ in the window; 0 for 0 GPU-hours, even at an unknown rate."""
        if self.rate is not None:
            return self.gpu_hours * self.rate
        if self.gpu_hours:
            return None
        return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakClaim:
    """A leak of one cluster, or of one of its contracts, as found by its rule; amounts refer to the window.

    action: the remedy, if it is more specific than the rule's.
    """

    cluster: str
    subject: Text
    parts: tuple[Part, ...]
    action: Text = ""
    contract_id: str | None = None

    @property
    def of(self) -> str:
        """Id of the claim within its rule; unique in the window together with the rule's code."""
        return self.cluster if self.contract_id is None else self.contract_id


@dataclass(frozen=True, kw_only=True)
class Past:
    """The data for leak rules. classifications, workload_usd: in the order of Project.workloads.

    rates: on-demand cost of overflow by class and model. workload_energy: in the same order; may be empty.
    """

    project: Project
    classifications: tuple[Classification, ...]
    clusters: tuple[ClusterHours, ...]
    workload_usd_per_month: tuple[float | None, ...]
    rates: EligibleRates
    workload_energy: tuple[EnergyRow, ...] = ()

    @cached_property
    def idle_gpu_hours(self) -> dict[str, float]:
        """Idle GPU-hours of each contract, by contract_id."""
        return {
            contract.contract_id: int((hours.capacity[place] - hours.served[place]).sum())
            / MILLI_GPU_SECONDS_PER_GPU_HOUR
            for hours in self.clusters
            for place, contract in enumerate(hours.contracts)
        }

    @cached_property
    def equal_terms(self) -> dict[int, list[EqualTerms]]:
        """GPU-hours of every inference workload compared with the cheapest offer at equal terms, by index of the
        workload.

        Calculated once, for the leak and for the endpoints.
        """
        inference_of = partial(self.members, pool=Pool.INFERENCE)
        return equal_terms(self.project, self.clusters, self.rates, inference_of)

    @cached_property
    def _places_by_cluster(self) -> dict[str, list[int]]:
        """Indexes of the workloads with GPU time, by cluster; most GPU time first."""
        workloads = self.project.workloads
        ran = [place for place, workload in enumerate(workloads) if workload.milli_gpu_seconds]
        ran.sort(key=lambda place: (-workloads[place].milli_gpu_seconds, place))
        return grouped((workloads[place].cluster, place) for place in ran)

    def members(self, cluster: str, pool: Pool | None = None) -> list[int]:
        """Return the indexes of a cluster's workloads with GPU time, optionally in one class; most GPU time first."""
        places = self._places_by_cluster.get(cluster, [])
        return [place for place in places if pool in (None, self.classifications[place].pool)]

    def idle_gaps_longer_than(self, longer_than_s: float) -> Mapping[str, Sequence[IdleGap]] | None:
        """Return the idle gaps of each cluster; None if they are unknown for this length. longer_than_s: seconds."""
        idle_gaps = self.project.jobs.idle_gaps
        if idle_gaps is None or longer_than_s < idle_gaps.longer_than_s:
            return None
        return self._idle_gaps_by_cluster

    @cached_property
    def _idle_gaps_by_cluster(self) -> dict[str, list[IdleGap]]:
        """Idle gaps by cluster, sorted by their end."""
        known = self.project.jobs.idle_gaps.each if self.project.jobs.idle_gaps else ()
        return grouped((idle_gap.cluster, idle_gap) for idle_gap in known)

    def shared(self, *shares: Mapping[tuple[str, str | None], Floats]) -> tuple[list[float], ...]:
        """Return the GPU-hours of every workload times hourly shares of its cluster and model, in one pass.

        Shapes: each share (hours,); all have the same clusters and models (None: unknown), and others count 0. Returns
        for each share one figure per workload, in order.
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
        """Return the mean cost of a workload's GPU-hour, $, including overflow; None if unknown, or without GPU time.

        place: index in Project.workloads.
        """
        usd = self.workload_usd_per_month[place]
        spent = self.project.workloads[place].gpu_hours
        return None if usd is None or not spent else usd * self.project.window.months / spent

    def used(self, place: int, gpu_hours: float, rate: float | None) -> Part:
        """Return a part of a workload's used time. place: index in Project.workloads.

        gpu_hours: of the window. rate: $ per GPU-hour; None is unknown.
        """
        return Part(PartOf("workload", self.project.workloads[place].key), gpu_hours, rate)

    def used_at_its_rate(self, place: int, gpu_hours: float) -> Part:
        """Return a part of a workload's used time, at the mean cost of its GPU-hours."""
        return self.used(place, gpu_hours, self.usd_per_gpu_hour(place))

    def named(self, cluster: str, places: Sequence[int]) -> Message:
        """Return `cluster: name, name and 4 more`. places: indexes in display order."""
        return joined((cluster, listed(self.project.workloads[place].name for place in places)), ": ")


def listed(names: Iterable[Text]) -> Message:
    """Return the first few names and the number of others; each name once.

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
    """Return one claim of a cluster; empty without a leak. parts: by the indexes of the workloads.

    action: the remedy, if it is more specific than the rule's.
    """
    if not any(part.gpu_hours for part in parts.values()):
        return []
    return [
        LeakClaim(
            cluster=hours.cluster,
            subject=past.named(hours.cluster, [*parts]),
            parts=tuple(parts.values()),
            action=action,
        )
    ]


@dataclass(frozen=True, eq=False, kw_only=True)
class LeakRule:
    """A kind of leak, declared once with the function that finds it.

    title: short, for a table. words: its condition. formula: calculation of its $, in words. action: the remedy.
    claims: the GPU-hours it counts, used by a "workload" or idle on a "contract". pool: the right pool for its
    workloads, so that a plan can move them; None: a plan cannot show the saving. rate: name of its $ per GPU-hour, if
    not the paid rate.
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
