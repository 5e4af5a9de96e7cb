"""Rows renamed: which workload a row belongs to, by what the planner says is one and by names that are merged.

The kept rows stay as they were read. Over them lies a view in which the workloads are named and numbered anew: each by
its cluster as the project calls it, by names that are alike but for digits (merged_names.py), and by what the planner
said of workloads; workloads that become one are reduced as one, whatever is summed up of them. A decision taken back is
the same view without it, so nothing is ever lost.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.domain.model.same import Same, SameKind, names_of
from gpuplanner.files.job_logs.judging.names import digits_aside, workload_key
from gpuplanner.files.job_logs.reduce.job_rows import (
    JOB_ROWS,
    ROWS_AS_READ,
    WORKLOAD_NAMES,
    WORKLOADS_AS_READ,
)
from gpuplanner.files.job_logs.reduce.merged_names import (
    ALIKE_AT_MOST,
    Merged,
    merged_names,
    names_merged_issue,
)
from gpuplanner.files.system.engine import Engine


class WorkloadName(NamedTuple):
    """What a workload is called; label: a class of the import, empty for none."""

    key: str
    name: str
    cluster: str
    owner: str
    label: str

    def called(self, cluster: str, name: str) -> "WorkloadName":
        """The same under another name or on another cluster."""
        key = workload_key(cluster, self.owner, name, self.label or None)
        return WorkloadName(key, name, cluster, self.owner, self.label)


@dataclass(frozen=True, slots=True)
class Renamed:
    """What workloads are called now, those alone that are called otherwise, and which names were merged."""

    names: Mapping[WorkloadName, WorkloadName] = field(default_factory=dict)
    merged: tuple[Merged, ...] = ()


def renamed(names: Collection[WorkloadName], same: Sequence[Same] = ()) -> Renamed:
    """What these workloads are called by their clusters, by what names have in common, and by decisions on workloads.

    A decision on a workload names it by its key or its name. One of itself parts it from those that it is merged with,
    or all that are merged where it names the merged workload. Law: the order of the names does not matter.
    """
    clusters = names_of(same, SameKind.CLUSTER)
    said = names_of(same, SameKind.WORKLOAD)
    now = {
        was: was.called(clusters[was.cluster], was.name) if was.cluster in clusters else was for was in names
    }
    merged = merged_names((one.cluster, one.owner, one.name) for one in now.values())
    together = frozenset((one.cluster, one.owner, one.name) for one in merged)
    now = {was: _merged(one, together, said) for was, one in now.items()} if merged else now
    are_merged = frozenset(
        (one.cluster, one.owner, one.name) for was, one in now.items() if was.name != one.name
    )
    if said:
        by_key = {one.key: one for one in now.values()}
        now = {was: _stated_of(one, said, by_key) for was, one in now.items()}
    return Renamed(
        {was: one for was, one in now.items() if one != was},
        tuple(one for one in merged if (one.cluster, one.owner, one.name) in are_merged),
    )


def _merged(
    one: WorkloadName, together: Collection[tuple[str, str, str]], said: Mapping[str, str]
) -> WorkloadName:
    """The merged workload that one is a part of, unless it was parted from it. together: cluster, owner and name."""
    aside = digits_aside(one.name)
    is_part = aside != one.name and (one.cluster, one.owner, aside) in together
    if not is_part or one.key in said or one.name in said:
        return one
    as_one = one.called(one.cluster, aside)
    return one if said.get(as_one.key) == as_one.key else as_one


def _stated_of(
    one: WorkloadName, said: Mapping[str, str], by_key: Mapping[str, WorkloadName]
) -> WorkloadName:
    """The workload that one is a part of, as far as decisions lead; a circle of them leads nowhere."""
    seen = {one.key}
    while True:
        ours = said.get(one.key) or said.get(one.name)
        if ours is None or ours in (one.key, one.name):
            return one
        there = by_key.get(ours)
        if there is None:
            own = f"{one.cluster}/{one.owner}/"
            there = one.called(one.cluster, ours.removeprefix(own))
            there = there._replace(key=ours) if "/" in ours else there
        if there.key in seen:
            return one
        seen.add(there.key)
        one = there


def rename_rows(engine: Engine, same: Sequence[Same] = ()) -> tuple[Merged, ...]:
    """JOB_ROWS and WORKLOAD_NAMES of rows just named, kept, opened or known until an hour; returns what was merged."""
    engine.run(f"create or replace view {JOB_ROWS} as select * from {ROWS_AS_READ}")
    engine.run(f"create or replace view {WORKLOAD_NAMES} as select * from {WORKLOADS_AS_READ}")
    has_said = any(one.kind in (SameKind.CLUSTER, SameKind.WORKLOAD) for one in same)
    rows = engine.all(
        f"select {_COLUMNS} from {WORKLOADS_AS_READ}"
        if has_said
        else f"""select {_COLUMNS} from {WORKLOADS_AS_READ} where regexp_matches(workload_name, '[0-9]')
            qualify count(*) over (partition by cluster, owner) > {ALIKE_AT_MOST}"""
    )
    found = renamed([WorkloadName(*row[1:]) for row in rows], same)
    if not found.names:
        return ()
    changed = [
        (row[0], row[5], found.names[WorkloadName(*row[1:])]) for row in rows if row[1:] in found.names
    ]
    engine.keep(
        "renamed_workloads",
        {
            "was": [number for number, _, _ in changed],
            "was_label": [label for _, label, _ in changed],
            **{column: [name[place] for _, _, name in changed] for place, column in enumerate(_TEXTS)},
        },
        {"was": "bigint", "was_label": "varchar", **dict.fromkeys(_TEXTS, "varchar")},
    )
    said = ", ".join(f"coalesce(r.{column}, w.{column}) as {column}" for column in _TEXTS)
    texts = ", ".join(f"min({column}) as {column}" for column in _TEXTS)
    engine.run(
        f"""create or replace table same_workloads as
        select *, cast(dense_rank() over (order by workload_key) - 1 as bigint) as workload from (
            select was, was_label, {texts}, bool_or(is_merged) as is_merged from (
                select w.workload as was, w.label as was_label, {said},
                    coalesce(r.workload_name <> w.workload_name, false) as is_merged
                from {WORKLOADS_AS_READ} w left join renamed_workloads r
                    on r.was = w.workload and r.was_label = w.label)
            group by was, was_label)"""
    )
    kept = ("workload", "workload_key", "workload_name", "cluster", "owner")
    replaced = ", ".join(f"s.{name} as {name}" for name in kept)
    engine.run(
        f"""create or replace view {JOB_ROWS} as select r.* replace ({replaced})
        from {ROWS_AS_READ} r join same_workloads s on s.was = r.workload and s.was_label = coalesce(r.label, '')"""
    )
    engine.run(f"create or replace view {WORKLOAD_NAMES} as select distinct {_COLUMNS} from same_workloads")
    return found.merged


_TEXTS: Final = ("workload_key", "workload_name", "cluster", "owner", "label")
_COLUMNS: Final = ", ".join(("workload", *_TEXTS))


def workload_names(engine: Engine) -> frozenset[str]:
    """Keys and names by which decisions may call the workloads of the rows: as read, without their clusters, merged."""
    names: set[str] = set()
    for row in engine.all(f"select distinct {_COLUMNS} from {WORKLOADS_AS_READ}"):
        read = WorkloadName(*row[1:])
        for one in (read, read.called(read.cluster, digits_aside(read.name))):
            names |= {one.key, one.name, one.key.removeprefix(f"{one.cluster}/")}
    return frozenset(names)


def merged_issues(engine: Engine, merged: Sequence[Merged]) -> dict[int, Issue]:
    """By file: what `rename_rows` merged, with how many rows, and the first of them."""
    if not merged:
        return {}
    found = engine.all(
        f"""select r.file, count(*), min(r.line) from {ROWS_AS_READ} r
        join same_workloads s on s.was = r.workload and s.was_label = coalesce(r.label, '')
        where s.is_merged group by r.file"""
    )
    return {file: names_merged_issue(merged, count, line) for file, count, line in found}
