"""Needs of workloads' hardware as the planner knows them, and taking them back."""

from collections.abc import Collection

from gpuplanner.domain.edits import find
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.hardware_needs import NEED_BY_NAME, NOTHING_SET, NeedValue, check_need
from gpuplanner.domain.model.project import Project


def set_need(project: Project, keys: Collection[str], name: str, value: NeedValue) -> Project:
    """A need of workloads' hardware (by its name in model/project.py) as the planner knows it, over what was inferred.

    Errors: PlannerError for an unknown workload or need, or a value that it cannot have.
    """
    find.require_workloads(project, keys)
    checked = check_need(name, value)
    own = {key: project.needs.get(key, NOTHING_SET).with_value(name, checked) for key in keys}
    return find.with_values(project, needs={**project.needs, **own})


def clear_need(project: Project, keys: Collection[str], name: str | None = None) -> Project:
    """What the planner set of one need (None: of all) of these workloads taken back: it is inferred again.

    Keys that no workload has are cleared too: what was set of them may be of an earlier log. Errors:
    PlannerError for an unknown need.
    """
    if name is not None and name not in NEED_BY_NAME:
        raise refusal(
            name, worded("no such need"), worded("use one of {known}", known=", ".join(NEED_BY_NAME))
        )
    cleared = dict(project.needs)
    for key in keys:
        own = cleared.pop(key, NOTHING_SET)
        own = NOTHING_SET if name is None else own.with_value(name, None)
        if not own.is_empty:
            cleared[key] = own
    return find.with_values(project, needs=cleared)
