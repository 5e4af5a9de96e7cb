"""Checks of GPU models: jobs that state none, and models that nobody prices, so that what is missing is said."""

from collections.abc import Iterator

import numpy as np

from gpuplanner.domain.audit.leak_claims import listed
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.model_mapping import ratio_for
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.worded import worded, worded_count


def model_checks(project: Project) -> Iterator[Check]:
    """Both kinds, by cluster and by model."""
    yield from _unstated(project)
    yield from _unpriced(project)


def _unstated(project: Project) -> Iterator[Check]:
    """GPU time without a model counts with the model of the contract that serves it: by cluster."""
    cube = project.cube
    totals, unknown = cube.row_totals, cube.model_index < 0
    hours: dict[str, int] = {}
    count: dict[str, int] = {}
    for place, amount in zip(cube.workload_index[unknown].tolist(), totals[unknown].tolist(), strict=True):
        cluster = project.workloads[place].cluster
        hours[cluster] = hours.get(cluster, 0) + amount
        count[cluster] = count.get(cluster, 0) + 1
    for cluster in sorted(hours):
        models = sorted({one.gpu_model or "" for one in project.contracts if one.cluster == cluster} - {""})
        counts_as = (
            worded(
                "they count as {models}, the model of the contracts that serve them", models=listed(models)
            )
            if models
            else worded("no contract says which they ran on, so every offer is open to them")
        )
        many = worded_count(
            count[cluster], "{count} workload", "{count} workloads", count=f"{count[cluster]:,}"
        )
        gpu_hours = hours[cluster] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        text = worded(
            "{gpu_hours} GPU-hours of {many} state no GPU model: {counts_as}; map the column if the log "
            "has it",
            gpu_hours=f"{gpu_hours:,.1f}",
            many=many,
            counts_as=counts_as,
        )
        yield Check("gpu_model_unstated", "info", cluster or worded("jobs without a cluster"), text)


def _unpriced(project: Project) -> Iterator[Check]:
    """Where there are prices, models that no offer prices by use."""
    cube = project.cube
    by_use = [
        offer
        for offer in project.offers
        if offer.rate and offer.pricing_category is not PricingCategory.COMMITTED
    ]
    if not project.offers:
        return
    known = cube.model_index >= 0
    totals = np.bincount(
        cube.model_index[known], cube.row_totals[known].astype(np.float64), minlength=len(cube.gpu_models)
    )
    for model, amount in zip(cube.gpu_models, totals.tolist(), strict=True):
        if amount and not any(ratio_for(project.mappings, model, offer.gpu_model) for offer in by_use):
            gpu_hours = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
            text = worded(
                "no offer prices it by use: what no contract serves of its {gpu_hours} GPU-hours has no "
                "known cost, and every total that needs it is unknown, not 0; add its on-demand rate, or map "
                "it onto a model that is priced",
                gpu_hours=f"{gpu_hours:,.1f}",
            )
            yield Check("gpu_model_unpriced", "amber", model, text)
