"""Training runs that the planner states."""

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.trained import StatedRun, check_run


def state_run(project: Project, place: int, run: StatedRun) -> Project:
    """A run in the place of another, or after the last. Errors: PlannerError for a number that it cannot have."""
    return with_values(project, runs=(*project.runs[:place], check_run(run), *project.runs[place + 1 :]))


def drop_run(project: Project, place: int) -> Project:
    """The project without one of its runs."""
    return with_values(project, runs=(*project.runs[:place], *project.runs[place + 1 :]))
