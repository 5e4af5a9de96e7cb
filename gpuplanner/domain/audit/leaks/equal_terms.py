"""Equal terms: inference beside the cheapest offer that it could have had, each rate at its utilization."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import isinf
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.money.rates import EligibleRates, model_of_cluster, on_demand_rate_of_model
from gpuplanner.domain.audit.use.utilization import ClusterHours, part_of, shares_of_contracts
from gpuplanner.domain.demand.newsvendor import newsvendor_units
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.costs.unit_costs import EQUAL_TERMS
from gpuplanner.domain.fit.eligibility import cheapest
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window

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
    Source: docs/formulas.md, Consolidation premium.
    """
    found: dict[int, list[EqualTerms]] = {}
    fitting = cache(partial(rates.steady, Pool.INFERENCE))
    for hours in clusters:
        if inference := inference_of(hours.cluster):
            payers = _payers(project, hours, fitting)
            found |= {place: list(_parts(project, place, payers)) for place in inference}
    return found


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
    stand_in = model_of_cluster(hours.contracts)
    served, capacity = hours.served.sum(axis=1), hours.capacity.sum(axis=1)
    used = np.divide(served, capacity, out=np.ones(len(served)), where=capacity > 0)
    shares, beyond = shares_of_contracts(hours), hours.overflow
    found = {}
    for number, model in enumerate(hours.models):
        name = stand_in if model is None else model
        offers = fitting(name)
        usage = cheapest(offers, PricingCategory.STANDARD)
        overflow = part_of(beyond[number], hours.demand[number].sum(axis=0))
        on_demand = on_demand_rate_of_model(project.offers, name, project.mappings)
        found[model] = _Payers(
            np.vstack([shares[model], overflow]),
            (*(contract.rate for contract in hours.contracts), on_demand),
            (*used.tolist(), 1.0),
            tuple(_open_to(offers, one, project.window) for one in (*hours.contracts, None)),
            None if usage is None else usage.rate,
        )
    return found


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
                found = (
                    (offer, used)
                    for offer in of_model.open_to[number]
                    if (used := utilization_of(offer)) is not None
                )
                offer, used = next(found, (None, 1.0))
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
