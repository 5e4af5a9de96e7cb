"""Spend of workloads: the share of each, by GPU time in each hour, of the cost of its GPU model."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.spend.overflow import overflow_rate
from gpuplanner.domain.audit.spend.pricing import usd_by_hour
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row, per_unit_of_demand
from gpuplanner.domain.audit.utilization.dispatch import served_of_models
from gpuplanner.domain.audit.utilization.row_sums import weighted_sums
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.figure import optional
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window


def workload_usd_per_month(project: Project, clusters: Sequence[ClusterHours]) -> list[float | None]:
    """Return each workload's $ a month: its share, by GPU time in each hour, of its GPU model's cost on its cluster.

    The cost of an hour is the served GPU time at its contracts' rates, plus the overflow. None if one of the workload's
    hours has an unknown cost. Law: the values add up to allocated + overflow of all clusters.
    """
    of_row, worth = group_of_row(project, clusters), usd_per_unit(project, clusters)
    window_usd = weighted_sums(project.cube, of_row, worth, len(project.workloads))
    return workload_usd_of(window_usd, project.window)


def workload_usd_of(window_usd: Floats, window: Window) -> list[float | None]:
    """Return $ a month from $ in the window, shape (n,): of workloads, or of one workload's weeks; NaN is unknown."""
    given = {"cost_in_window": window_usd, "months": np.full(len(window_usd), window.months)}
    return optional(CARD.value("cost_today", given))


def usd_per_unit(project: Project, clusters: Sequence[ClusterHours]) -> Floats:
    """Return $ of each milli-GPU-second of demand, NaN if a rate is missing; shape (groups, hours).

    A group is a GPU model on a cluster, in the order of `group_of_row`: jobs on L40S pay for L40S.
    """
    return per_unit_of_demand(clusters, lambda hours: _served_usd(hours) + _overflow_usd(hours, project))


def served_usd_per_unit(clusters: Sequence[ClusterHours]) -> Floats:
    """Return the part of `usd_per_unit` that contracts served. The rest is overflow. Shape (groups, hours)."""
    return per_unit_of_demand(clusters, _served_usd)


def overflow_usd_per_unit(project: Project, clusters: Sequence[ClusterHours]) -> Floats:
    """Return the part of `usd_per_unit` that did not fit in any contract. Shape (groups, hours)."""
    return per_unit_of_demand(clusters, lambda hours: _overflow_usd(hours, project))


def _served_usd(hours: ClusterHours) -> Floats:
    """Return $ of GPU time that contracts served, by GPU model and hour; shape (models, hours)."""
    rates = [contract.full_rate for contract in hours.contracts]
    usd = np.zeros(hours.served_demand.shape)
    for number, (open_to, served) in enumerate(served_of_models(hours)):
        usd[number] = usd_by_hour(served, [rates[place] for place in open_to])
    return usd


def _overflow_usd(hours: ClusterHours, project: Project) -> Floats:
    """Return $ of overflow by GPU model and hour; shape (models, hours)."""
    usd = np.zeros(hours.served_demand.shape)
    for number, (model, overflow) in enumerate(zip(hours.models, hours.overflow, strict=True)):
        usd[number] = usd_by_hour(overflow[np.newaxis], [overflow_rate(hours, model, project)])
    return usd
