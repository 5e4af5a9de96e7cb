"""Use of the window as JSON: bridges, contended hours, hours of the week, GPU models and teams."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.audit import use_by
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.window import USE
from gpuplanner.domain.reports import use
from gpuplanner.domain.reports.clusters import BRIDGE
from gpuplanner.domain.reports.report import Column, Entry, entries, entry, fields, named


def _by_weekday(name: str, of: str) -> Column:
    """A figure of each hour of the week: seven days, Monday first, of 24 hours each, UTC."""
    return named(name, lambda row: week(getattr(row.hours_of_week, of)))


WHOLE_BRIDGE: Final = fields(*(named(name, key) for key, name in BRIDGE))
CONTENTION: Final = fields(
    "contention_hours",
    named("contention_gpu_hours", "overflow_gpu_hours"),
    named("training_beside_inference_hours", "beside_inference_hours"),
    named("training_beside_inference", lambda contention: list(contention.shared_training)),
)
"""Hours in which a cluster was asked for more GPUs than it had."""
HOURS_OF_WEEK: Final = fields(_by_weekday("hours_of_week", "utilization"))
CLUSTER_USE: Final = fields(USE["break_even_utilization"], *HOURS_OF_WEEK)
CONTRACT_USE: Final = fields(USE["activity"], named(CONTRACT["paid_per_month"], "cost_per_month"))
TEAM_WEEK: Final = fields(_by_weekday("mean_gpus_by_hour_of_week", "mean_gpus"))


def use_document(audit: Audit) -> Document:
    """bridge, hours_of_week, by_gpu_model and by_team of an audit.

    Only the bridge where the use of the window was not worked out.
    """
    answer: Document = {"bridge": entry(WHOLE_BRIDGE, audit.bridge)}
    if audit.use is not None:
        answer |= entry(HOURS_OF_WEEK, audit.use.everything)
        answer["by_gpu_model"] = entries(use.USES[use_by.MODELS], audit.use)
        answer["by_team"] = [
            team | entry(TEAM_WEEK, row)
            for team, row in zip(entries(use.USES[use_by.TEAMS], audit.use), audit.use.teams, strict=True)
        ]
    return answer


def cluster_use_document(audit: Audit, cluster: str) -> Entry:
    """What one cluster's entry has besides its own figures.

    cluster: its name, empty for jobs that name none.
    """
    answer: Entry = {}
    if cluster in audit.contention:
        answer |= entry(CONTENTION, audit.contention[cluster])
    for row in audit.use.clusters if audit.use is not None else ():
        if row.name == cluster:
            answer |= entry(CLUSTER_USE, row)
    return answer


def contract_use_document(audit: Audit, contract_id: str) -> Entry:
    """What one contract's entry has besides its own figures.

    Empty where the use of the window was not worked out.
    """
    for row in audit.use.contracts if audit.use is not None else ():
        if row.name == contract_id:
            return entry(CONTRACT_USE, row)
    return {}


def week(values: npt.NDArray[np.float64]) -> list[list[float | None]]:
    """Values by day and hour; null where nothing is known.

    Shapes: values (7, 24).

    >>> week(np.full((1, 2), np.nan))
    [[None, None]]
    """
    return [[None if np.isnan(value) else value for value in day] for day in values.tolist()]
