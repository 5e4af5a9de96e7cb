"""The figures of all classes at once, from the workloads that are of each."""

from collections.abc import Sequence

from gpuplanner.domain.audit.result import ClassShare
from gpuplanner.domain.figures.classes import CLASS
from gpuplanner.domain.figures.columns import by_row, gpu_hours
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool


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
