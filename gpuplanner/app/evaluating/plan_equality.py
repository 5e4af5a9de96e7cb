"""Equality of plans and projects: which changes ask for no other advice or audit."""

from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace


def plan_alike(scenario: Scenario | None, other: Scenario | None) -> bool:
    """Whether two plans stand on the very same parts: another name or a line in the log asks for no other advice."""
    return scenario is other or (scenario is not None and other is not None and scenario.plans_as(other))


def are_equal_plans(scenario: Scenario | None, other: Scenario | None) -> bool:
    """Whether two plans say the same but for logs and names: what was hovered knows of no decision or scratch copy."""
    if scenario is None or other is None:
        return scenario is other
    same = replace(scenario, decisions=other.decisions, name=other.name, scratch_of=other.scratch_of)
    return same == other


def audited_parts(project: Project) -> tuple[object, ...]:
    """Everything in a project that the audit may look at: all but the plans, the intake and the title."""
    return (
        project.window,
        project.cube,
        project.workloads,
        project.jobs,
        project.contracts,
        project.offers,
        project.assumptions,
        project.labels,
        project.rules,
        project.mappings,
        project.plan_from_s,
        project.same,
    )
