"""What was decided of workloads under former keys, so that it holds for those that they are now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.parting import bare_key
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

Value = TypeVar("Value")
Former = Mapping[str, Sequence[str]]
"""By key of a workload: keys that its jobs had before."""


def decided_keys(project: Project) -> frozenset[str]:
    """Keys of all workloads that anything was decided of, whether the log has them or not.

    Parts count as what they are parts of. Decisions about leaks count by the key in their id.
    """
    by_key: list[Iterable[str]] = [
        project.labels, project.needs, project.notes, project.traffic, project.serving,
    ]  # fmt: skip
    for plan in project.scenarios:
        by_key += [plan.pools, plan.pinned, plan.splits, plan.spells, plan.only, *plan.merges.values()]
        by_key += [change.keys for change in plan.changes]
        by_key.append(one.leak_id.partition(":")[2] for one in plan.leak_decisions)
    return frozenset(bare_key(key) for keys in by_key for key in keys)


def carry_over(project: Project, former: Former) -> Project:
    """The project in which workloads have what was decided of them under former keys.

    What is decided of a workload itself stays; where former keys say different things none of them holds. The former
    keys keep theirs: a log that has them again finds all as it was. Law: without former keys it is the project itself.
    """
    if not former:
        return project
    return with_values(
        project,
        labels=_carried(project.labels, former),
        needs=_carried(project.needs, former),
        notes=_carried(project.notes, former),
        traffic=_carried(project.traffic, former),
        serving=_carried(project.serving, former),
        scenarios=tuple(_carried_plan(plan, former) for plan in project.scenarios),
    )


def _carried_plan(plan: Scenario, former: Former) -> Scenario:
    """A plan in which all that was decided under former keys holds for those of now, too."""
    now: dict[str, list[str]] = {}
    for key, before in former.items():
        for one in before:
            now.setdefault(one, []).append(key)
    pinned = _carried(dict.fromkeys(plan.pinned, True), former)
    said = {one.leak_id for one in plan.leak_decisions}
    leaks = [
        replace(one, leak_id=f"{code}:{key}")
        for one in plan.leak_decisions
        for code, _, of in (one.leak_id.partition(":"),)
        for key in now.get(of, ())
        if f"{code}:{key}" not in said
    ]
    return replace(
        plan,
        pools=_carried(plan.pools, former),
        pinned=frozenset(pinned) if len(pinned) > len(plan.pinned) else plan.pinned,
        splits=_carried(plan.splits, former),
        spells=_carried(plan.spells, former),
        only=_carried(plan.only, former),
        changes=tuple(
            replace(change, keys=_with_those_now(change.keys, now))
            if now.keys() & set(change.keys)
            else change
            for change in plan.changes
        ),
        merges=_carried_merges(plan.merges, now),
        leak_decisions=(*plan.leak_decisions, *{one.leak_id: one for one in leaks}.values()),
    )


def _carried(values: Mapping[str, Value], former: Former) -> Mapping[str, Value]:
    """The values with those of former keys, of their parts too (domain/model/scenario/parting.py)."""
    of_whole: dict[str, dict[str, Value]] = {}
    for key, value in values.items():
        whole = bare_key(key)
        of_whole.setdefault(whole, {})[key[len(whole) :]] = value
    more: dict[str, Value] = {}
    for key, before in former.items():
        found = [of_whole[one] for one in before if one in of_whole]
        if key not in of_whole and found and all(one == found[0] for one in found):
            more |= {key + part: value for part, value in found[0].items()}
    return {**values, **more} if more else values


def _with_those_now(keys: Collection[str], now: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Keys with those that some of them have become, sorted."""
    return tuple(sorted({*keys, *(key for one in keys for key in now.get(one, ()))}))


def _carried_merges(
    merges: Mapping[str, tuple[str, ...]], now: Mapping[str, Sequence[str]]
) -> Mapping[str, tuple[str, ...]]:
    """Merged cards with what their cards are now, each in the first of them."""
    taken = {key for keys in merges.values() for key in keys}
    answer = {}
    for name, keys in merges.items():
        more = {key for one in keys for key in now.get(one, ())} - taken
        taken |= more
        answer[name] = tuple(sorted({*keys, *more})) if more else keys
    return answer if answer != merges else merges
