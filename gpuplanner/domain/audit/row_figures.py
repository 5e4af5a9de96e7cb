"""The figures of all contracts, clusters and classes at once, from what went into each."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.audit.money.cluster_inputs import ClusterInputs
from gpuplanner.domain.audit.money.contract_inputs import ContractInputs
from gpuplanner.domain.audit.result import ClassShare, ClusterAudit, ContractAudit
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.columns import Column, by_row, floats, gpu_hours, truth
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.use_rows import CLASS
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool


def contract_rows(inputs: Sequence[ContractInputs]) -> tuple[ContractAudit, ...]:
    """The figures of all contracts, sorted by contract_id. Source: figures/use.py.

    inputs: in any order. None is unknown. Source: docs/formulas.md, Utilization and stranded spend.
    """
    found = CONTRACT.worked_out(
        {
            "paid_gpu_hours": gpu_hours([one.paid for one in inputs]),
            "used_gpu_hours": gpu_hours([one.used for one in inputs]),
            "committed_rate": floats([one.committed_rate for one in inputs]),
            "on_demand_rate": floats([one.on_demand_rate for one in inputs]),
            "rate": floats([one.contract.rate for one in inputs]),
            "months": floats([one.months for one in inputs]),
        }
    )
    rows = [
        ContractAudit(
            contract_id=one.contract.contract_id,
            cluster=one.contract.cluster,
            provider=one.contract.provider,
            gpus=one.contract.gpus,
            paid_gpu_hours=row["paid_gpu_hours"] or 0.0,
            used_gpu_hours=row["used_gpu_hours"],
            utilization=row["utilization"],
            below_40_percent=truth(row["below_40_percent"]),
            break_even_utilization=row["break_even_utilization"],
            unused_per_month=row["unused_per_month"],
            inputs=one,
            figures=row,
        )
        for one, row in zip(inputs, by_row(found), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.contract_id))


_CLUSTER_FLOATS: Final = (
    "activity",
    "overflow_in_window",
    "eligible_overflow_in_window",
    "paid_in_window",
    "allocated_in_window",
    "unallocated_in_window",
    "non_training_unallocated_in_window",
    "months",
)
_CLUSTER_GPU_TIME: Final = {
    "paid_gpu_hours": "paid",
    "used_gpu_hours": "used",
    "non_training_paid_gpu_hours": "non_training_paid",
    "non_training_used_gpu_hours": "non_training_used",
    "overflow_gpu_hours": "overflow",
}
"""Inputs of a cluster that are exact: key, and field of what went in."""
_KEPT_OF_CLUSTER: Final = tuple(
    one.key for one in CLUSTER.figures if one.key in ClusterAudit.__slots__ and one.key != "below_40_percent"
)


def cluster_columns(inputs: Sequence[ClusterInputs]) -> dict[str, Column]:
    """Every figure of clusters by key, one row each. Source: figures/clusters.py.

    Source: docs/formulas.md, Utilization and stranded spend.
    """
    given: dict[str, Column] = {
        key: floats([getattr(one, key) for one in inputs])
        for key in (*_CLUSTER_FLOATS, "training_hours", "non_training_hours")
    }
    given |= {
        key: gpu_hours([getattr(one, name) for one in inputs]) for key, name in _CLUSTER_GPU_TIME.items()
    }
    return CLUSTER.worked_out(given)


def cluster_rows(inputs: Sequence[ClusterInputs], columns: Mapping[str, Column]) -> tuple[ClusterAudit, ...]:
    """The rows of clusters, in the order of what went in. columns: of all their figures, by key.

    Errors: ValueError where there are not as many rows as inputs.
    """
    rows = []
    for one, row in zip(inputs, by_row(columns), strict=True):
        kept: dict[str, Any] = {key: row[key] for key in _KEPT_OF_CLUSTER}
        kept |= {"training_hours": one.training_hours, "non_training_hours": one.non_training_hours}
        flag = truth(row["below_40_percent"])
        rows.append(ClusterAudit(one.cluster, **kept, below_40_percent=flag, inputs=one, figures=row))
    return tuple(rows)


def class_rows(
    workloads: Sequence[Workload], classes: Sequence[Pool], costs: Sequence[float | None]
) -> dict[Pool, ClassShare]:
    """The figures of every class. classes, costs ($ a month; None: unknown): of the workloads, in their order.

    All of POOLS, those without workloads with 0. Source: docs/formulas.md, Classes.
    """
    members = {pool: [at for at, of in enumerate(classes) if of is pool] for pool in POOLS}
    spent = {pool: sum(workloads[at].milli_gpu_seconds for at in members[pool]) for pool in POOLS}
    every = sum(spent.values())
    found = CLASS.worked_out(
        {"gpu_hours": gpu_hours(list(spent.values())), "all_gpu_hours": gpu_hours([every] * len(POOLS))},
        ("share",),
    )
    return {
        pool: ClassShare(
            pool,
            workloads=len(members[pool]),
            jobs=sum(workloads[at].jobs for at in members[pool]),
            gpu_hours=row["gpu_hours"] or 0.0,
            share=row["share"],
            cost_per_month=known_sum(costs[at] for at in members[pool]),
            milli_gpu_seconds=spent[pool],
            all_milli_gpu_seconds=every,
        )
        for pool, row in zip(POOLS, by_row(found), strict=True)
    }
