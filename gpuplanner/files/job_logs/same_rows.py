"""Rows renamed: what a planner says is one cluster or one workload is so in every reduction, not in the kept rows.

The kept rows stay as they were read. Over them lies a view in which the workloads are named and numbered anew: each by
its cluster as the project calls it, and by `renamed` as a whole; workloads that become one are reduced as one, whatever
is summed up of them. A decision taken back is the same view without it, so nothing is ever lost.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from gpuplanner.domain.model.same import Same, SameKind, names_of
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.job_rows import JOB_ROWS, ROWS_AS_READ, WORKLOAD_NAMES
from gpuplanner.files.job_logs.names import workload_key


class WorkloadName(NamedTuple):
    """What a workload is called; label: a class of the import, empty for none."""

    key: str
    name: str
    cluster: str
    owner: str
    label: str


Rename = Callable[[WorkloadName], WorkloadName]


def renaming(same: Iterable[Same]) -> Rename | None:
    """What rows' workloads are called by these decisions; None where none is of clusters or workloads."""
    same = tuple(same)
    clusters = names_of(same, SameKind.CLUSTER)
    workloads = names_of(same, SameKind.WORKLOAD)
    if not clusters and not workloads:
        return None

    def renamed(was: WorkloadName) -> WorkloadName:
        cluster = clusters.get(was.cluster, was.cluster)
        key, name = was.key, was.name
        if cluster != was.cluster:
            key = workload_key(cluster, was.owner, was.name, was.label or None)
        return WorkloadName(key, name, cluster, was.owner, was.label)

    return renamed


def rename_rows(engine: Engine, same: Sequence[Same]) -> None:
    """JOB_ROWS and WORKLOAD_NAMES by these decisions, over rows just named, kept, opened or known until an hour."""
    rename = renaming(same)
    if rename is None:
        return
    columns = "workload, workload_key, workload_name, cluster, owner, label"
    rows = engine.all(f"select distinct {columns} from {WORKLOAD_NAMES} order by all")
    names = [rename(WorkloadName(*row[1:])) for row in rows]
    number_of = {key: number for number, key in enumerate(sorted({name.key for name in names}))}
    engine.keep(
        "same_workloads",
        {
            "was": [row[0] for row in rows],
            "was_label": [row[5] for row in rows],
            "workload": [number_of[name.key] for name in names],
            **{
                column: [name[place] for name in names]
                for place, column in enumerate(columns.split(", ")[1:])
            },
        },
        {
            name: "bigint" if name in ("was", "workload") else "varchar"
            for name in ("was", "was_label", *columns.split(", "))
        },
    )
    kept = "workload, workload_key, workload_name, cluster, owner"
    replaced = ", ".join(f"s.{name} as {name}" for name in kept.split(", "))
    engine.run(
        f"""create or replace view {JOB_ROWS} as select r.* replace ({replaced})
        from {ROWS_AS_READ} r join same_workloads s on s.was = r.workload and s.was_label = coalesce(r.label, '')"""
    )
    engine.run(f"create or replace view {WORKLOAD_NAMES} as select distinct {columns} from same_workloads")
