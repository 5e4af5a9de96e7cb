"""What a planner does with one card of a plan: divide it into two parts, and merge them again; and a note on it."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from gpuplanner.domain.edits.find import plan_named, require_workloads, with_plan, with_values
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.merging import merge_of, with_those_merged, without_cards
from gpuplanner.domain.model.scenario.parting import (
    FIRST,
    SECOND,
    Split,
    Splits,
    check_split,
    divided_key,
    part_key,
    whole_key,
)
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

LONGEST_NOTE = 2000
"""Characters: a cell of a workbook holds 32,767, and a note is no document."""

Value = TypeVar("Value")


def split_workload(
    project: Project, scenario: str, key: str, split: Split, pool: Pool | None = None
) -> Project:
    """A workload (or a part of one) that stands as two parts in a plan, where it stood; the log is as it was.

    pool: where the second part goes; None leaves it beside the first. Pins and pools of the whole go to its parts and
    are kept for it. Errors: PlannerError for Today, an unknown plan or workload, one that is divided already, or a
    split that leaves a part empty.
    """
    plan = plan_named(project, scenario)
    require_workloads(project, (whole_key(key, plan.splits),))
    check_split(split)
    if key in plan.splits:
        raise PlannerError(
            key,
            "usage",
            worded("it is divided already"),
            worded("divide one of its parts, or merge them first"),
        )
    merged = merge_of(key, plan.merges)
    if merged is not None:
        raise PlannerError(
            key,
            "usage",
            worded("it is merged into \u201c{merged}\u201d", merged=merged),
            worded("take that apart first"),
        )
    parts = part_key(key, FIRST), part_key(key, SECOND)
    pools = dict(plan.pools)
    if key in pools:
        pools.update(dict.fromkeys(parts, pools[key]))
    if pool is not None:
        pools[parts[1]] = pool
    pinned = plan.pinned | frozenset(parts) if key in plan.pinned else plan.pinned
    splits = {**plan.splits, key: split}
    return with_plan(project, plan, replace(plan, splits=splits, pools=pools, pinned=pinned))


def merge_parts(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """What was divided into these parts whole again, where it stood before; keys may also name what was divided.

    Law: split_workload, then anything done to the parts, then this, is the plan as it was.
    """
    plan = plan_named(project, scenario)
    wholes = {key if key in plan.splits else divided_key(key, plan.splits) for key in keys} - {None}
    gone = {part for whole in wholes if whole is not None for part in _parts_under(whole, plan.splits)}
    return with_plan(
        project,
        plan,
        replace(
            plan,
            splits=_without(plan.splits, wholes | gone),
            pools=_without(plan.pools, gone),
            pinned=plan.pinned - gone,
            merges=without_cards(plan.merges, gone),
        ),
    )


def set_note(project: Project, key: str, text: str) -> Project:
    """What the planner writes about a workload, in every plan; empty text takes it away.

    Errors: PlannerError for an unknown workload, or a text that is too long.
    """
    written = text.strip()
    if not written:
        return with_values(project, notes=_without(project.notes, {key}))
    require_workloads(project, (key,))
    if len(written) > LONGEST_NOTE:
        raise PlannerError(
            "note",
            "usage",
            worded("it has {written} characters", written=whole(len(written))),
            worded("shorten it to {longest_note}", longest_note=whole(LONGEST_NOTE)),
        )
    return with_values(project, notes={**project.notes, key: written})


def whole_keys(plan: Scenario, keys: Collection[str]) -> tuple[str, ...]:
    """The workloads that cards of a plan, and those merged with them, are of, each once.

    In the order of the cards.
    """
    cards = with_those_merged(keys, plan.merges)
    return tuple(dict.fromkeys(whole_key(key, plan.splits) for key in cards))


def _parts_under(key: str, splits: Splits) -> set[str]:
    """The parts of what was divided, and theirs."""
    if key not in splits:
        return set()
    parts = {part_key(key, FIRST), part_key(key, SECOND)}
    return parts.union(*(_parts_under(part, splits) for part in parts))


def _without(values: Mapping[str, Value], keys: Collection[str | None]) -> dict[str, Value]:
    """The values without those of some keys."""
    return {key: value for key, value in values.items() if key not in keys}
