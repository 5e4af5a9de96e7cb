"""The figures of all clusters at once, from what went into each."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.audit.money.cluster_inputs import ClusterInputs
from gpuplanner.domain.audit.result import ClusterAudit
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.columns import Column, by_row, floats, gpu_hours, truth

MONEY: Final = (
    "activity",
    "overflow_in_window",
    "eligible_overflow_in_window",
    "paid_in_window",
    "allocated_in_window",
    "unallocated_in_window",
    "non_training_unallocated_in_window",
    "months",
)
GPU_TIME: Final = {
    "paid_gpu_hours": "paid",
    "used_gpu_hours": "used",
    "non_training_paid_gpu_hours": "non_training_paid",
    "non_training_used_gpu_hours": "non_training_used",
    "overflow_gpu_hours": "overflow",
}
"""Inputs that are exact: key, and field of what went in."""
KEPT: Final = tuple(
    one.key for one in CLUSTER.figures if one.key in ClusterAudit.__slots__ and one.key != "below_40_percent"
)


def cluster_columns(inputs: Sequence[ClusterInputs]) -> dict[str, Column]:
    """Every figure of clusters by key, one row each. Source: figures/clusters.py.

    Source: docs/formulas.md, Utilization and stranded spend.
    """
    given: dict[str, Column] = {
        key: floats([getattr(one, key) for one in inputs])
        for key in (*MONEY, "training_hours", "non_training_hours")
    }
    given |= {key: gpu_hours([getattr(one, name) for one in inputs]) for key, name in GPU_TIME.items()}
    return CLUSTER.worked_out(given)


def cluster_rows(inputs: Sequence[ClusterInputs], columns: Mapping[str, Column]) -> tuple[ClusterAudit, ...]:
    """The rows of clusters, in the order of what went in. columns: of all their figures, by key.

    Errors: ValueError where there are not as many rows as inputs.
    """
    rows = []
    for one, row in zip(inputs, by_row(columns), strict=True):
        kept: dict[str, Any] = {key: row[key] for key in KEPT}
        kept |= {"training_hours": one.training_hours, "non_training_hours": one.non_training_hours}
        flag = truth(row["below_40_percent"])
        rows.append(ClusterAudit(one.cluster, **kept, below_40_percent=flag, inputs=one, figures=row))
    return tuple(rows)
