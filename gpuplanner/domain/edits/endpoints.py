"""Endpoints of inference: tokens, served model, requests, and the row that is drawn."""

from collections.abc import Iterable
from typing import Final

from gpuplanner.domain.edits.find import require_workloads, with_values
from gpuplanner.domain.model.places import (
    NOTHING_CHOSEN,
    MeasuredPoint,
    ServedModel,
    ServingChoice,
    Traffic,
    WeekRates,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

NO_ENDPOINT: Final = ""
"""The key of what is sized for no workload of the log."""


def set_traffic(project: Project, key: str, traffic: Traffic | None) -> Project:
    """The tokens of an endpoint (an empty key: of none of the log); None takes them away.

    Errors: PlannerError for an unknown workload.
    """
    return with_endpoint(project, "traffic", key, traffic)


def with_endpoint(project: Project, part: str, key: str, value: Traffic | ServingChoice | None) -> Project:
    """The project with a value for an endpoint; None takes its entry away."""
    entries = getattr(project, part)
    if value is None:
        return with_values(
            project, **{part: {other: entry for other, entry in entries.items() if other != key}}
        )
    require_workloads(project, (key,) if key != NO_ENDPOINT else ())
    return with_values(project, **{part: {**entries, key: value}})


def set_served_model(project: Project, key: str, model: ServedModel | None) -> Project:
    """The model that an endpoint serves; the row that was drawn for another model is let go.

    Errors: PlannerError for an unknown workload.
    """
    own = project.serving.get(key, NOTHING_CHOSEN)
    if own.model == model and not own.rates:
        return project
    return _with_choice(project, key, ServingChoice(model=model, week=own.week))


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


def set_serving_term(project: Project, key: str, term_months: int) -> Project:
    """The term whose rates price an endpoint's sizing; 0: by the hour. Errors: as set_served_model."""
    own = project.serving.get(key, NOTHING_CHOSEN)
    return _with_choice(project, key, replace(own, term_months=term_months))


def set_rates(project: Project, key: str, rates: tuple[tuple[str, float], ...]) -> Project:
    """Requests a second of one GPU of each model, in place of the model of an endpoint. Errors: as set_served_model."""
    own = project.serving.get(key, NOTHING_CHOSEN)
    return _with_choice(project, key, ServingChoice(week=own.week, term_months=own.term_months, rates=rates))


def set_measured(project: Project, key: str, measured: Iterable[MeasuredPoint]) -> Project:
    """Measurements of an endpoint's model, beside those that it has; of one point the newest counts; none: all go.

    Errors: as set_served_model.
    """
    own = project.serving.get(key, NOTHING_CHOSEN)
    added = tuple(measured)
    points = {replace(point, tokens_per_s=0.0, source=""): point for point in (*own.measured, *added)}
    return _with_choice(project, key, replace(own, measured=tuple(points.values()) if added else ()))


def _with_choice(project: Project, key: str, choice: ServingChoice) -> Project:
    """The project with a choice for an endpoint; where nothing is chosen its entry goes."""
    return with_endpoint(project, "serving", key, None if choice == NOTHING_CHOSEN else choice)
