"""Workloads of a plan: moved, labelled and pinned, one or many."""

from collections.abc import Collection, Mapping

from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.edits import find
from gpuplanner.domain.edits.by_workload import without_keys
from gpuplanner.domain.model.plan.merged_cards import with_those_merged
from gpuplanner.domain.model.plan.scenario import SEPARATED, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace

Classes = Mapping[str, Classification]
"""By key of a workload, as in the audit of the project."""


def move_workloads(
    project: Project, scenario: str, keys: Collection[str], pool: Pool, classes: Classes | None = None
) -> Project:
    """Workloads put into a pool of a plan, which takes them out of review; their class stays what it is.

    A workload that the plan divides goes with all its parts; work that no log has is planned for the pool from then on.
    classes: where they are known, a workload that its class alone puts there stands there by that, as if nobody had
    moved it. Errors: PlannerError for Today, an unknown plan or an unknown workload.
    """
    plan = find.plan_named(project, scenario)
    works = find.planned_keys(project, plan).intersection(keys)
    cards = find.cards_of(project, plan, (key for key in keys if key not in works))
    planned = tuple(replace(work, pool=pool) if work.key in works else work for work in plan.planned)
    pools = {**plan.pools, **dict.fromkeys(cards, pool)} if cards else plan.pools
    if classes and plan.start == SEPARATED:
        sure = _sure_pools(project, plan, {key: classes[key] for key in cards if key in classes})
        pools = {key: place for key, place in pools.items() if sure.get(key) is not place}
    return find.with_plan(project, plan, replace(plan, pools=pools, planned=planned))


def label_workloads(project: Project, keys: Collection[str], label: Pool | None) -> Project:
    """Workloads given a class by the planner, which wins over everything else; None takes it back.

    Errors: PlannerError for an unknown workload.
    """
    if label is None:
        return find.with_values(project, labels=without_keys(project.labels, set(keys)))
    find.require_workloads(project, keys)
    return find.with_values(project, labels={**project.labels, **dict.fromkeys(keys, label)})


def pin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" is to leave alone in a plan.

    Planned work is passed over: nothing separates it. Errors: PlannerError for Today, an unknown plan or
    workload.
    """
    plan = find.plan_named(project, scenario)
    works = find.planned_keys(project, plan)  # nothing separates them
    cards = find.cards_of(project, plan, (key for key in keys if key not in works))
    return find.with_plan(project, plan, replace(plan, pinned=plan.pinned | frozenset(cards)))


def unpin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" may move again in a plan.

    Keys that are not pinned are passed over. Errors: PlannerError for Today or an unknown plan.
    """
    plan = find.plan_named(project, scenario)
    cards = with_those_merged(keys, plan.merges)
    return find.with_plan(project, plan, replace(plan, pinned=plan.pinned - frozenset(cards)))


def separate_automatically(project: Project, scenario: str, classifications: Classes) -> Project:
    """Every workload of a plan that is not pinned and whose class is sure put into its class's pool.

    classifications: by key, as in the audit of this project; a workload without one stays where it is. So does one
    whose class is not sure: where the planner placed it, else in review. Nothing is decided for the planner.
    """
    plan = find.plan_named(project, scenario)
    sure = _sure_pools(project, plan, classifications)
    pools = {key: pool for key, pool in plan.pools.items() if key not in sure}
    if plan.start != SEPARATED:  # else where the plan starts is its class's pool already
        pools |= sure
    return find.with_plan(project, plan, replace(plan, pools=pools))


def _sure_pools(project: Project, plan: Scenario, classes: Classes) -> dict[str, Pool]:
    """The pools of classes that are sure, of workloads about which the planner decided nothing else."""
    review_below = project.assumptions_in(plan).review_below
    # who divides a workload, or merges some, has decided where they stand
    stays = plan.pinned.union(plan.splits, *plan.merges.values())
    return {
        key: result.pool
        for key, result in classes.items()
        if key not in stays and (result.is_settled or result.confidence >= review_below)
    }
