"""What a planner does with workloads: move, label, pin, set what they need of hardware."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.edits.find import (
    cards_of,
    plan_named,
    planned_keys,
    require_workloads,
    with_plan,
    with_values,
)
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.needs import NEED_BY_NAME, NOTHING_SET, NeedValue, check_need
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.merging import with_those_merged
from gpuplanner.domain.model.scenario.plan_inputs import SEPARATED


def move_workloads(project: Project, scenario: str, keys: Collection[str], pool: Pool) -> Project:
    """Workloads put into a pool of a plan, which takes them out of review; their class stays what it is.

    A workload that the plan divides goes with all its parts; work that no log has is planned for the pool from then on.
    Errors: PlannerError for Today, an unknown plan or an unknown workload.
    """
    plan = plan_named(project, scenario)
    works = planned_keys(project, plan).intersection(keys)
    cards = cards_of(project, plan, (key for key in keys if key not in works))
    planned = tuple(replace(work, pool=pool) if work.key in works else work for work in plan.planned)
    if planned == plan.planned and all(plan.pools.get(key) is pool for key in cards):
        return project
    pools = {**plan.pools, **dict.fromkeys(cards, pool)} if cards else plan.pools
    return with_plan(project, plan, replace(plan, pools=pools, planned=planned))


def label_workloads(project: Project, keys: Collection[str], label: Pool | None) -> Project:
    """Workloads given a class by the planner, which wins over everything else; None takes it back.

    Errors: PlannerError for an unknown workload.
    """
    if label is None:
        return with_values(
            project, labels={key: pool for key, pool in project.labels.items() if key not in set(keys)}
        )
    require_workloads(project, keys)
    return with_values(project, labels={**project.labels, **dict.fromkeys(keys, label)})


def set_need(project: Project, keys: Collection[str], name: str, value: NeedValue) -> Project:
    """A need of workloads' hardware (by its name in model/needs.py) as the planner knows it, over what was inferred.

    Errors: PlannerError for an unknown workload or need, or a value that it cannot have.
    """
    require_workloads(project, keys)
    checked = check_need(name, value)
    own = {key: project.needs.get(key, NOTHING_SET).with_value(name, checked) for key in keys}
    return with_values(project, needs={**project.needs, **own})


def clear_need(project: Project, keys: Collection[str], name: str | None = None) -> Project:
    """What the planner set of one need (None: of all) of these workloads taken back: it is inferred again.

    Keys that no workload has are cleared too: what was set of them may be of an earlier log. Errors:
    PlannerError for an unknown need.
    """
    if name is not None and name not in NEED_BY_NAME:
        raise PlannerError(
            name, "usage", worded("no such need"), worded("use one of ") + ", ".join(NEED_BY_NAME)
        )
    cleared = dict(project.needs)
    for key in keys:
        own = cleared.pop(key, NOTHING_SET)
        own = NOTHING_SET if name is None else own.with_value(name, None)
        if not own.is_empty:
            cleared[key] = own
    return with_values(project, needs=cleared)


def pin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" is to leave alone in a plan.

    Planned work is passed over: nothing separates it. Errors: PlannerError for Today, an unknown plan or
    workload.
    """
    plan = plan_named(project, scenario)
    works = planned_keys(project, plan)  # nothing separates them
    cards = cards_of(project, plan, (key for key in keys if key not in works))
    return with_plan(project, plan, replace(plan, pinned=plan.pinned | frozenset(cards)))


def unpin_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that "Separate automatically" may move again in a plan.

    Keys that are not pinned are passed over. Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    cards = with_those_merged(keys, plan.merges)
    return with_plan(project, plan, replace(plan, pinned=plan.pinned - frozenset(cards)))


def separate_automatically(
    project: Project, scenario: str, classifications: Mapping[str, Classification]
) -> Project:
    """Every workload of a plan that is not pinned and whose class is sure put into its class's pool.

    classifications: by key, as in the audit of this project; a workload without one stays where it is. So does one
    whose class is not sure: where the planner placed it, else in review. Nothing is decided for the planner.
    """
    plan = plan_named(project, scenario)
    starts_separated = plan.start == SEPARATED
    review_below = project.assumptions_in(plan).review_below
    pools = dict(plan.pools)
    # who divides a workload, or merges some, has decided where they stand
    stays = plan.pinned.union(plan.splits, *plan.merges.values())
    for key, found in classifications.items():
        if key in stays:
            continue
        if not (found.is_settled or found.confidence >= review_below):
            continue  # it is for the planner to decide, or was decided by him
        if not starts_separated:
            pools[key] = found.pool
        else:  # where the plan starts is its class's pool already
            pools.pop(key, None)
    return with_plan(project, plan, replace(plan, pools=pools))
