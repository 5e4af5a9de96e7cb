"""What a planner says of inference: which model an endpoint serves, its requests, and the row that is drawn."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.edits.find import require_workloads, with_values
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.served_model import NOTHING_CHOSEN, ServedModel, ServingChoice, WeekRates

NO_ENDPOINT: Final = ""
"""The key of what is sized for no workload of the log."""


def set_served_model(project: Project, key: str, model: ServedModel | None) -> Project:
    """The model that an endpoint serves; the row that was drawn for another model is let go.

    Errors: PlannerError for an unknown workload.
    """
    own = project.serving.get(key, NOTHING_CHOSEN)
    if own.model == model:
        return project
    return _with_choice(project, key, ServingChoice(model, own.week))


def set_week(project: Project, key: str, week: WeekRates | None) -> Project:
    """The requests of an endpoint by hour of the week; None: those of its traffic. Errors: as set_served_model.

    An empty key is the endpoint beside the log.
    """
    return _with_choice(project, key, replace(project.serving.get(key, NOTHING_CHOSEN), week=week))


def set_sized_row(
    project: Project, key: str, gpu_model: str, precision: str, tensor_parallel: int
) -> Project:
    """The row that is drawn for an endpoint; an empty GPU model: that of least cost. Errors: as set_served_model.

    The row need not be there: one that is not is passed over when it is drawn.
    """
    own = project.serving.get(key, NOTHING_CHOSEN)
    row = replace(own, gpu_model=gpu_model, precision=precision, tensor_parallel=tensor_parallel)
    return _with_choice(project, key, row)


def _with_choice(project: Project, key: str, choice: ServingChoice) -> Project:
    """The project with a choice for an endpoint; where nothing is chosen its entry goes."""
    if choice == NOTHING_CHOSEN:
        return with_values(
            project, serving={other: of for other, of in project.serving.items() if other != key}
        )
    require_workloads(project, (key,) if key != NO_ENDPOINT else ())
    return with_values(project, serving={**project.serving, key: choice})
