"""Who paid for a workload in some hours: contracts that served it, and overflow by GPU model."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit.spend.overflow import overflow_rate
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import served_by_model
from gpuplanner.domain.evidence.costs.cost_evidence import WINDOW_DOLLARS, CostEvidence
from gpuplanner.domain.evidence.trace import TraceRow, column_of
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.unit_costs import EQUAL_TERMS, RUN
from gpuplanner.domain.message import Text, worded

OF_PAYERS: Final = (column_of(RUN["gpu_hours"]), column_of(EQUAL_TERMS["rate"]), WINDOW_DOLLARS)
"""Columns of who paid for a workload."""


def served_by(evidence: CostEvidence, key: str, cluster: str, span: range) -> Iterator[TraceRow]:
    """Who served a workload in some hours: GPU-hours, rate and $ of each contract."""
    hours = _cluster(evidence, cluster)
    payers = [
        (contract.contract_id, contract.full_rate, served)
        for contract, served in zip(hours.contracts, served_by_model(hours).swapaxes(0, 1), strict=True)
    ]
    return _paid(evidence, key, hours, payers, span)


def overflowed_to(evidence: CostEvidence, key: str, cluster: str, span: range) -> Iterator[TraceRow]:
    """What of a workload overflowed in some hours: GPU-hours, rate and $ by GPU model."""
    hours = _cluster(evidence, cluster)
    payers = []
    for number, model in enumerate(hours.models):
        overflow = np.zeros_like(hours.served_demand)
        overflow[number] = hours.overflow[number]
        name = worded("{model} on demand", model=model or worded("unknown model"))
        payers.append((name, overflow_rate(hours, model, evidence.past.project), overflow))
    return _paid(evidence, key, hours, payers, span)


def _cluster(evidence: CostEvidence, cluster: str) -> ClusterHours:
    return next(hours for hours in evidence.past.clusters if hours.cluster == cluster)


def _paid(
    evidence: CostEvidence,
    key: str,
    hours: ClusterHours,
    payers: Sequence[tuple[Text, float | None, Ints]],
    span: range,
) -> Iterator[TraceRow]:
    """A workload's part, by GPU time of its GPU model in each hour, of what each payer paid for.

    payers: name, rate, and what it served of each model of the cluster, shape (models, hours).
    """
    each = [0.0] * len(payers)
    demand = hours.demand.sum(axis=1)
    for model, entry_hours, spent in evidence.past.project.cube.by_model_of(evidence.place_of(key)):
        number = hours.models.index(model)
        inside = (entry_hours >= span.start) & (entry_hours < span.stop)
        when = entry_hours[inside]
        part = spent[inside] / demand[number, when] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for place, (*_, served) in enumerate(payers):
            each[place] += float((served[number, when] * part).sum())
    for (name, rate, _), gpu_hours in zip(payers, each, strict=True):
        if gpu_hours:
            yield TraceRow(name, (gpu_hours, rate, None if rate is None else gpu_hours * rate))
