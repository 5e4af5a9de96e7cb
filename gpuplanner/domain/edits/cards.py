"""Cards of a plan: divided into parts, merged under a name, made whole again; and notes on them."""

from collections.abc import Collection

from gpuplanner.domain.edits import find
from gpuplanner.domain.edits.by_workload import without_keys
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.plan.merged_cards import check_merges, merge_of, with_those_merged, without_cards
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.splits import (
    FIRST,
    SECOND,
    Split,
    Splits,
    check_split,
    divided_key,
    part_key,
    whole_key,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace

LONGEST_NOTE = 2000
"""Characters: a cell of a workbook holds 32,767, and a note is no document."""


def split_workload(
    project: Project, scenario: str, key: str, split: Split, pool: Pool | None = None
) -> Project:
    """A workload (or a part of one) that stands as two parts in a plan, where it stood; the log is as it was.

    pool: where the second part goes; None leaves it beside the first. Pins and pools of the whole go to its parts and
    are kept for it. Errors: PlannerError for Today, an unknown plan or workload, one that is divided already, or a
    split that leaves a part empty.
    """
    plan = find.plan_named(project, scenario)
    find.require_workloads(project, (whole_key(key, plan.splits),))
    check_split(split)
    if key in plan.splits:
        raise refusal(key, worded("it is already split"), worded("split a part, or merge first"))
    merged = merge_of(key, plan.merges)
    if merged is not None:
        problem = worded("it is merged into \u201c{merged}\u201d", merged=merged)
        raise refusal(key, problem, worded("split that first"))
    parts = part_key(key, FIRST), part_key(key, SECOND)
    pools = dict(plan.pools)
    if key in pools:
        pools.update(dict.fromkeys(parts, pools[key]))
    if pool is not None:
        pools[parts[1]] = pool
    pinned = plan.pinned | frozenset(parts) if key in plan.pinned else plan.pinned
    splits = {**plan.splits, key: split}
    return find.with_plan(project, plan, replace(plan, splits=splits, pools=pools, pinned=pinned))


def merge_parts(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """What was divided into these parts whole again, where it stood before; keys may also name what was divided.

    Law: split_workload, then anything done to the parts, then this, is the plan as it was.
    """
    plan = find.plan_named(project, scenario)
    divided = (key if key in plan.splits else divided_key(key, plan.splits) for key in keys)
    wholes = {*filter(None, divided)}
    gone = {part for whole in wholes for part in _parts_under(whole, plan.splits)}
    splits, pools = without_keys(plan.splits, wholes | gone), without_keys(plan.pools, gone)
    pinned, merges = plan.pinned - gone, without_cards(plan.merges, gone)
    after = replace(plan, splits=splits, pools=pools, pinned=pinned, merges=merges)
    return find.with_plan(project, plan, after)


def set_note(project: Project, key: str, text: str) -> Project:
    """What the planner writes about a workload, in every plan; empty text takes it away.

    Errors: PlannerError for an unknown workload, or a text that is too long.
    """
    written = text.strip()
    if not written:
        return find.with_values(project, notes=without_keys(project.notes, {key}))
    find.require_workloads(project, (key,))
    if len(written) > LONGEST_NOTE:
        raise refusal(
            "note",
            worded("it has {written} characters", written=whole(len(written))),
            worded("shorten it to {longest_note}", longest_note=whole(LONGEST_NOTE)),
        )
    return find.with_values(project, notes={**project.notes, key: written})


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


def merge_cards(project: Project, scenario: str, keys: Collection[str], name: str, pool: Pool) -> Project:
    """Cards of a plan that stand as one in a pool and are moved, pinned and labelled as one; the log is as it was.

    Those that were merged with one of them are in it too. Nothing is added up twice: each workload keeps its demand
    and its dollars. It is a move of all of them to the pool.
    Errors: PlannerError for Today, an unknown plan or workload, fewer than two cards, or a name that is taken.
    """
    plan = find.plan_named(project, scenario)
    cards = tuple(sorted(set(find.cards_of(project, plan, keys))))
    others = without_cards(plan.merges, cards)
    called = " ".join(name.split())
    if called in others:
        raise refusal(called, worded("another merged card has this name"), worded("enter another one"))
    if len(cards) < 2:
        raise refusal(called or "name", worded("one card is not merged"), worded("select two or more cards"))
    merges = {**others, called: cards}
    check_merges(merges)
    pools = {**plan.pools, **dict.fromkeys(cards, pool)}
    pinned = plan.pinned | frozenset(cards) if plan.pinned & frozenset(cards) else plan.pinned
    return find.with_plan(project, plan, replace(plan, merges=merges, pools=pools, pinned=pinned))


def take_apart(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """The cards that these are merged with stand alone again, in the pool where the merged card stood.

    Law: merge_cards, then this, is move_workloads; where one was pinned all of them stay pinned.
    Errors: PlannerError for Today or an unknown plan.
    """
    plan = find.plan_named(project, scenario)
    merges = without_cards(plan.merges, with_those_merged(keys, plan.merges))
    return find.with_plan(project, plan, replace(plan, merges=merges))
