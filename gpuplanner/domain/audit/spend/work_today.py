"""Today's cost of the work of each class and GPU model: its share of contracts, idle GPU-hours included, and overflow.

Source: docs/formulas/spend.md, This quarter.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from gpuplanner.domain.audit.spend.on_demand_rates import EligibleRates
from gpuplanner.domain.audit.spend.overflow import overflow_by_class
from gpuplanner.domain.audit.spend.pricing import priced
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import shares_of_contracts
from gpuplanner.domain.model.amounts import known_sums
from gpuplanner.domain.model.tables import POOLS, Pool

Work = tuple[Pool, str | None]
"""Class and GPU model; an unknown model is that of the cluster's contracts."""

WorkToday = Mapping[Work, float | None]
"""$ per month today; None: a rate is missing."""
NOTHING_TODAY: Final[WorkToday] = MappingProxyType({})


def work_today(clusters: Sequence[ClusterHours], rates: EligibleRates, months: float) -> WorkToday:
    """Return what the work of each class and GPU model costs today, in $ per month of 730 h.

    A contract's whole cost is divided by the GPU time that it served. months: of 730 h in the window.
    Law: the sum is today's spend without the contracts that served nothing.
    """
    parts = (part for hours in clusters for part in (*_contract_parts(hours), *_overflow_parts(hours, rates)))
    return {work: None if usd is None else usd / months for work, usd in known_sums(parts).items()}


def _contract_parts(hours: ClusterHours) -> Iterator[tuple[Work, float | None]]:
    """Yield the cost of each contract in the window, by the work that it served."""
    shares = shares_of_contracts(hours)
    by_model = zip(hours.models, hours.counted, hours.demand, strict=True)
    served = {
        (number, counted): shares[model] @ by_class.T  # (contracts, classes)
        for number, (model, counted, by_class) in enumerate(by_model)
    }
    total = sum((amounts.sum(axis=1) for amounts in served.values()), np.zeros(len(hours.contracts)))
    for place, contract in enumerate(hours.contracts):
        if not total[place]:
            continue
        usd = priced(hours.capacity[place].sum(keepdims=True), [contract.rate])
        for (_, model), amounts in served.items():
            for pool, amount in zip(POOLS, amounts[place].tolist(), strict=True):
                if amount:
                    yield (pool, model), None if usd is None else usd * amount / total[place]


def _overflow_parts(hours: ClusterHours, rates: EligibleRates) -> Iterator[tuple[Work, float | None]]:
    """Yield the cost of overflow in the window."""
    for pool, model, usd in overflow_by_class(hours, rates):
        yield (pool, model), usd
