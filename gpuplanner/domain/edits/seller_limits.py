"""Limits of a plan: who alone may serve a workload, and how much one seller may have."""

from collections.abc import Collection

from gpuplanner.domain.edits import find
from gpuplanner.domain.model.assumptions import check_share
from gpuplanner.domain.model.book.only import ANYBODY, Only, Sellers, check_only, sellers_of
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace


def limit_workloads(project: Project, scenario: str, keys: Collection[str], only: Only) -> Project:
    """Workloads of a plan, or work planned in it, that only some may serve; ANYBODY takes the limit back.

    The names are kept as offers and contracts spell them. Errors: PlannerError for Today, an unknown plan or workload,
    or a name that is none.
    """
    plan = find.plan_named(project, scenario)
    planned = find.planned_keys(project, plan)
    find.require_workloads(project, (key for key in keys if key not in planned))
    limits = dict(plan.only)
    for key in keys:
        spelled = check_only(key, sellers_in(project).spelled(only))
        if spelled == ANYBODY:
            limits.pop(key, None)
        else:
            limits[key] = spelled
    return find.with_plan(project, plan, replace(plan, only=limits))


def limit_share(project: Project, scenario: str, who: Only, share: float | None) -> Project:
    """A plan in which a provider or a region may have no more than a share of the first month's $, 0..1.

    None takes the limit back, and so does 1: all of it is no limit. Errors: PlannerError for Today, an unknown plan, a
    name that is none, or a share out of range.
    """
    plan = find.plan_named(project, scenario)
    spelled = sellers_in(project).spelled(who)
    check_share(spelled, 1.0 if share is None else share)
    left = {seller: value for seller, value in plan.shares.items() if seller != spelled}
    if share is not None and share < 1:
        left[spelled] = share
    return find.with_plan(project, plan, replace(plan, shares=dict(sorted(left.items()))))


def sellers_in(project: Project) -> Sellers:
    """Who sells in a project: the names of its offers and contracts."""
    return sellers_of(project.offers, project.contracts)
