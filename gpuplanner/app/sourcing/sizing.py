"""Inference sizing in a thread, and its files: models and requests of endpoints."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuplanner.app import background
from gpuplanner.domain.edits.endpoints import set_served_model, set_traffic, set_week
from gpuplanner.domain.edits.inputs import import_inputs
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.sized_endpoints import size_endpoint
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import ServedModel, Traffic, WeekRates
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.serving.serving_gpus import ServingTables


def project_with_load(project: Project, key: str, read: Traffic | WeekRates, intake: FileIntake) -> Project:
    """The project with the requests of an endpoint, and the file among its intake. Errors: PlannerError.

    A list of requests takes the place of a week, and the other way round. Errors: of an unknown workload.
    """
    if isinstance(read, WeekRates):
        after = set_week(project, key, read)
    else:
        after = set_week(set_traffic(project, key, read), key, None)
    return import_inputs(after, intake=(intake,), adding=True)


def project_with_model(
    project: Project, key: str, model: ServedModel | None, intake: FileIntake | None
) -> Project:
    """The project with the model of an endpoint, and its file among the intake. Errors: PlannerError.

    model: None takes it away; intake: None where it was chosen from the list. Errors: of an unknown workload.
    """
    after = set_served_model(project, key, model)
    return after if intake is None else import_inputs(after, intake=(intake,), adding=True)


class Sizing(background.Answering):
    """The newest endpoint is sized; what is known is told at once."""

    answered = Signal(str, object)  # workload key, EndpointSizing or None

    def __init__(self, tables: ServingTables, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tables = tables

    def _tell(self, answer: tuple[str, EndpointSizing | None]) -> None:
        self.answered.emit(*answer)

    def ask(self, project: Project, key: str, assumptions: Assumptions, offers: Sequence[Offer]) -> None:
        """Size an endpoint; `answered` tells, at once where the question is that of last time.

        offers: those that count in the shown plan. None is told where model or requests are not known.
        """
        choice, traffic = project.serving.get(key), project.traffic.get(key)
        question = (
            key,
            choice,
            traffic,
            assumptions,
            tuple(offers),
            background.Itself(project.places),
            background.Itself(project.cube),
        )
        tables = self._tables
        self._newest.ask(
            question,
            lambda on_progress, is_cancelled: (key, size_endpoint(project, key, assumptions, offers, tables)),
        )


class ServingFiles(background.Threaded):
    """Reads one file at a time; the newest is wanted."""

    model_read = Signal(str, object, object)  # workload key, ServedModel, FileIntake
    measured_read = Signal(str, object)  # workload key, MeasuredPoints
    load_read = Signal(str, object, object)  # workload key, Traffic or WeekRates, FileIntake

    def read_model(self, key: str, path: Path) -> None:
        """Read the model of an endpoint; `model_read` tells.

        path: a config.json, or a file of the same fields.
        """

        def work() -> tuple[object, object]:
            from gpuplanner.files.lists.served_models import read_model

            return read_model(str(path), ())

        self._background.run(work, lambda read: self.model_read.emit(key, *read))

    def read_measured(self, key: str, path: Path, model: ServedModel) -> None:
        """Read measurements of an endpoint's model; `measured_read` tells. Errors: of a file about other models."""

        def work() -> object:
            from gpuplanner.files.lists.serving_results import measured_of

            return measured_of(str(path), model)

        self._background.run(work, lambda read: self.measured_read.emit(key, read))

    def read_load(self, key: str, path: Path) -> None:
        """Read the requests of an endpoint; `load_read` tells.

        path: a list of requests, or rates by hour of the week.
        """

        def work() -> tuple[object, object]:
            from gpuplanner.files.lists.traffic_tables import read_load

            return read_load(str(path))

        self._background.run(work, lambda read: self.load_read.emit(key, *read))
