"""The audit's use of the window as JSON: bridges, contended hours, hours of the week, GPU models and teams."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.contention import Contention
from gpuplanner.domain.audit.use.use_by import MODELS, TEAMS
from gpuplanner.domain.reports.clusters import BRIDGE
from gpuplanner.domain.reports.report import entries
from gpuplanner.domain.reports.use import USES

Document = dict[str, Any]


def use_document(audit: Audit) -> Document:
    """bridge, hours_of_week, by_gpu_model and by_team of an audit.

    Only the bridge where the use of the window was not worked out.
    """
    answer: Document = {"bridge": {name: getattr(audit.bridge, key) for key, name in BRIDGE}}
    if audit.use is not None:
        answer["hours_of_week"] = week_document(audit.use.everything.hours_of_week.utilization)
        answer["by_gpu_model"] = entries(USES[MODELS], audit.use)
        answer["by_team"] = [
            entry | {"mean_gpus_by_hour_of_week": week_document(row.hours_of_week.mean_gpus)}
            for entry, row in zip(entries(USES[TEAMS], audit.use), audit.use.teams, strict=True)
        ]
    return answer


def cluster_use_document(audit: Audit, cluster: str) -> Document:
    """What one cluster's entry has besides its own figures.

    cluster: its name, empty for jobs that name none.
    """
    answer: Document = {}
    if cluster in audit.contention:
        answer |= _contention(audit.contention[cluster])
    for row in audit.use.clusters if audit.use is not None else ():
        if row.name == cluster:
            answer["break_even_utilization"] = row.break_even_utilization
            answer["hours_of_week"] = week_document(row.hours_of_week.utilization)
    return answer


def contract_use_document(audit: Audit, contract_id: str) -> Document:
    """What one contract's entry has besides its own figures.

    Empty where the use of the window was not worked out.
    """
    for row in audit.use.contracts if audit.use is not None else ():
        if row.name == contract_id:
            return {"activity": row.activity, "cost_usd_per_month": row.cost_per_month}
    return {}


def week_document(values: npt.NDArray[np.float64]) -> list[list[float | None]]:
    """Seven days, Monday first, of 24 hours each, UTC; null where nothing is known.

    Shapes: values (7, 24).

    >>> week_document(np.full((1, 2), np.nan))
    [[None, None]]
    """
    return [[None if np.isnan(value) else value for value in day] for day in values.tolist()]


def _contention(found: Contention) -> Document:
    """Hours in which a cluster was asked for more GPUs than it had."""
    return {
        "contention_hours": found.contention_hours,
        "contention_gpu_hours": found.overflow_gpu_hours,
        "training_beside_inference_hours": found.beside_inference_hours,
        "training_beside_inference": list(found.shared_training),
    }
