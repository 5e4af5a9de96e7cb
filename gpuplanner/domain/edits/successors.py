"""Workloads under new keys: what was decided under former keys goes over to them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from gpuplanner.domain.edits import find
from gpuplanner.domain.edits.by_workload import Value
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.splits import bare_key
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

Former = Mapping[str, Sequence[str]]
"""By key of a workload: keys that its jobs had before."""


def decided_keys(project: Project) -> frozenset[str]:
    """Keys of all workloads that anything was decided of, whether the log has them or not.

    Parts count as what they are parts of. Decisions about leaks count by the key in their id.
    """
    by_key: list[Iterable[str]] = [
        project.labels,
        project.needs,
        project.notes,
        project.traffic,
        project.serving,
    ]
    for plan in project.scenarios:
        by_key += [plan.pools, plan.pinned, plan.splits, plan.spells, plan.only, *plan.merges.values()]
        by_key += [change.keys for change in plan.changes]
        by_key.append(leak_decision.leak_id.partition(":")[2] for leak_decision in plan.leak_decisions)
    return frozenset(bare_key(key) for keys in by_key for key in keys)


def carry_over(project: Project, former: Former) -> Project:
    """The project in which workloads have what was decided of them under former keys.

    What is decided of a workload itself stays; where former keys say different things none of them holds. The former
    keys keep theirs: a log that has them again finds all as it was. Law: without former keys it is the project itself.
    """
    if not former:
        return project
    return find.with_values(
        project,
        labels=carry_values(project.labels, former),
        needs=carry_values(project.needs, former),
        notes=carry_values(project.notes, former),
        traffic=carry_values(project.traffic, former),
        serving=carry_values(project.serving, former),
        scenarios=tuple(_carried_plan(plan, former) for plan in project.scenarios),
    )


def _carried_plan(plan: Scenario, former: Former) -> Scenario:
    """A plan in which all that was decided under former keys holds for those of now, too."""
    now: dict[str, list[str]] = {}
    for key, before in former.items():
        for old in before:
            now.setdefault(old, []).append(key)
    pinned = carry_values(dict.fromkeys(plan.pinned, True), former)
    decided = {leak_decision.leak_id for leak_decision in plan.leak_decisions}
    leaks = [
        replace(leak_decision, leak_id=f"{code}:{key}")
        for leak_decision in plan.leak_decisions
        for code, _, former_key in (leak_decision.leak_id.partition(":"),)
        for key in now.get(former_key, ())
        if f"{code}:{key}" not in decided
    ]
    return replace(
        plan,
        pools=carry_values(plan.pools, former),
        pinned=frozenset(pinned) if len(pinned) > len(plan.pinned) else plan.pinned,
        splits=carry_values(plan.splits, former),
        spells=carry_values(plan.spells, former),
        only=carry_values(plan.only, former),
        changes=tuple(
            replace(change, keys=add_successor_keys(change.keys, now))
            if now.keys() & set(change.keys)
            else change
            for change in plan.changes
        ),
        merges=carry_merges(plan.merges, now),
        leak_decisions=(*plan.leak_decisions, *{leak.leak_id: leak for leak in leaks}.values()),
    )


def carry_values(values: Mapping[str, Value], former: Former) -> Mapping[str, Value]:
    """The values with those of former keys, of their parts too (domain/model/plan/splits.py)."""
    of_whole: dict[str, dict[str, Value]] = {}
    for key, value in values.items():
        whole = bare_key(key)
        of_whole.setdefault(whole, {})[key[len(whole) :]] = value
    more: dict[str, Value] = {}
    for key, before in former.items():
        parts = [of_whole[old] for old in before if old in of_whole]
        if key not in of_whole and parts and all(part == parts[0] for part in parts):
            more |= {key + part: value for part, value in parts[0].items()}
    return {**values, **more} if more else values


def add_successor_keys(keys: Collection[str], now: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Keys with those that some of them have become, sorted."""
    return tuple(sorted({*keys, *(key for old in keys for key in now.get(old, ()))}))


def carry_merges(
    merges: Mapping[str, tuple[str, ...]], now: Mapping[str, Sequence[str]]
) -> Mapping[str, tuple[str, ...]]:
    """Merged cards with what their cards are now, each in the first of them."""
    taken = {key for keys in merges.values() for key in keys}
    answer = {}
    for name, keys in merges.items():
        more = {key for old in keys for key in now.get(old, ())} - taken
        taken |= more
        answer[name] = tuple(sorted({*keys, *more})) if more else keys
    return answer if answer != merges else merges
