"""What a planner does with several cards of a plan: make them one, named, and take that apart again."""

from collections.abc import Collection
from dataclasses import replace

from gpuplanner.domain.edits.find import cards_of, plan_named, with_plan
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.merging import check_merges, with_those_merged, without_cards


def merge_cards(project: Project, scenario: str, keys: Collection[str], name: str, pool: Pool) -> Project:
    """Cards of a plan that stand as one in a pool and are moved, pinned and labelled as one; the log is as it was.

    Those that were merged with one of them are in it too. Nothing is added up twice: each workload keeps its demand
    and its dollars. It is a move of all of them to the pool.
    Errors: PlannerError for Today, an unknown plan or workload, fewer than two cards, or a name that is taken.
    """
    plan = plan_named(project, scenario)
    cards = tuple(sorted(set(cards_of(project, plan, keys))))
    others = without_cards(plan.merges, cards)
    called = " ".join(name.split())
    if called in others:
        raise PlannerError(
            called, "usage", worded("another merged card has this name"), worded("enter another one")
        )
    if len(cards) < 2:
        raise PlannerError(
            called or "name", "usage", worded("one card is not merged"), worded("select two cards or more")
        )
    merges = {**others, called: cards}
    check_merges(merges)
    pools = {**plan.pools, **dict.fromkeys(cards, pool)}
    pinned = plan.pinned | frozenset(cards) if plan.pinned & frozenset(cards) else plan.pinned
    return with_plan(project, plan, replace(plan, merges=merges, pools=pools, pinned=pinned))


def take_apart(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """The cards that these are merged with stand alone again, in the pool where the merged card stood.

    Law: merge_cards, then this, is move_workloads; where one was pinned all of them stay pinned.
    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(
        project, plan, replace(plan, merges=without_cards(plan.merges, with_those_merged(keys, plan.merges)))
    )
