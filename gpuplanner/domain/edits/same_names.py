"""Same names: two names that the planner calls one, and taking that back."""

from collections.abc import Iterable

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.model.gpu_family import Same, with_same
from gpuplanner.domain.model.project import Project


def say_same(project: Project, same: Iterable[Same]) -> Project:
    """The project with these decisions; of two of one name the later counts.

    What jobs are called is read from the kept rows: the caller reduces them again. Errors: PlannerError.
    """
    return with_values(project, same=with_same(project.same, same))


def take_back_same(project: Project, same: Iterable[Same]) -> Project:
    """The project without these decisions; those that it does not have are none.

    Names that files call by are asked about again where they do not match. The caller reduces the rows again.
    """
    gone = frozenset(same)
    return with_values(project, same=tuple(decision for decision in project.same if decision not in gone))
