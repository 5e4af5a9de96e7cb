"""Inference sizing in a thread, and its files: a model or the requests of an endpoint read and put into the project."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Threaded
from gpuplanner.app.questions.newest_question import NewestQuestion
from gpuplanner.domain.edits import import_inputs, set_served_model, set_traffic, set_week
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing, size_endpoint
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.served_model import ServedModel, WeekRates
from gpuplanner.domain.model.tables import GpuModel


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


class Sizing(Threaded):
    """The newest endpoint is sized; what is known is told at once."""

    answered = Signal(str, object)  # workload key, EndpointSizing or None

    def __init__(self, gpu_models: tuple[GpuModel, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gpu_models = gpu_models
        self._newest = NewestQuestion[tuple[str, EndpointSizing | None]](
            self._background, lambda sized: self.answered.emit(*sized)
        )

    def ask(self, project: Project, key: str, assumptions: Assumptions, offers: Sequence[Offer]) -> None:
        """Size an endpoint; `answered` tells, at once where the question is that of last time.

        offers: those that count in the shown plan. None is told where model or requests are not known.
        """
        question = (key, project.serving.get(key), project.traffic.get(key), assumptions, tuple(offers))
        models = self._gpu_models
        self._newest.ask(
            question,
            lambda on_progress, is_cancelled: (key, size_endpoint(project, key, assumptions, offers, models)),
        )


class ServingFiles(Threaded):
    """Reads one file at a time; the newest is wanted."""

    model_read = Signal(str, object, object)  # workload key, ServedModel, FileIntake
    load_read = Signal(str, object, object)  # workload key, Traffic or WeekRates, FileIntake

    def read_model(self, key: str, path: Path) -> None:
        """Read the model of an endpoint; `model_read` tells.

        path: a config.json, or a file of the same fields.
        """

        def work() -> tuple[object, object]:
            from gpuplanner.files.traffic.served_models import read_model

            return read_model(str(path), ())

        self._background.run(work, lambda read: self.model_read.emit(key, *read))

    def read_load(self, key: str, path: Path) -> None:
        """Read the requests of an endpoint; `load_read` tells.

        path: a list of requests, or rates by hour of the week.
        """

        def work() -> tuple[object, object]:
            from gpuplanner.files.traffic.traffic_tables import read_load

            return read_load(str(path))

        self._background.run(work, lambda read: self.load_read.emit(key, *read))
