"""What to buy of whom and where, in a thread: awards, placement, sizing, traffic of endpoints."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpuplanner.app import background
from gpuplanner.domain.award.award import Award
from gpuplanner.domain.award.deciding import decide, with_worth
from gpuplanner.domain.edits.inputs import import_inputs, set_served_model, set_traffic, set_week
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing, size_endpoint
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import Places, ServedModel, Traffic, WeekRates
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.domain.serving.placement import placement_of
from gpuplanner.domain.serving.speed import ServingTables
from gpuplanner.files.system.training import trained_answer
from gpuplanner.lazy_dataclass import dataclass

# --- An award in a thread: who gets what first, then what each quote is worth; kept for as long as the plan holds


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """An award; is_whole: with what each quote would be worth, which takes many plans."""

    award: Award
    is_whole: bool


class Awarding(QObject):
    """The newest question is answered, in two steps; one asked again is answered at once."""

    answered = Signal(object)  # Found
    failed = Signal(object)  # Exception
    progressed = Signal(float, object)  # share of what quotes are worth, 0..1, and words

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._deciding = background.Background(self.failed.emit, parent=self)
        self._worth = background.Background(self.failed.emit, self.progressed.emit, self)
        self._decided = background.NewestQuestion[Award | None](self._deciding, self._take)
        self._whole = background.NewestQuestion[Award | None](self._worth, self._take_whole)
        self._asked: Evaluation | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._deciding.is_busy or self._worth.is_busy

    def ask(self, evaluation: Evaluation, today_s: int, max_prepaid: float | None = None) -> None:
        """Award what a plan asks for; `answered` tells. Errors: ValueError without advice.

        today_s: epoch seconds; max_prepaid: in the money of the project, None: no limit. Told at once where it is the
        very same advice and limit as last time.
        """
        advice = evaluation.advised
        if self._asked is None or self._asked.advice is not advice:
            self._worth.cancel()
        self._asked = evaluation

        def work(on_progress: background.OnProgress, is_cancelled: background.IsCancelled) -> Award | None:
            from gpuplanner.files.tables.odd_rates import market_of_offer

            return decide(evaluation, today_s, market_of_offer, max_prepaid, is_cancelled)

        self._decided.ask((background.Itself(advice), today_s, max_prepaid), work)

    def cancel(self) -> None:
        """Want no answer any more."""
        self._deciding.cancel()
        self._worth.cancel()

    def close(self) -> None:
        """Want no answer any more, and wait for the threads."""
        self._deciding.close()
        self._worth.close()

    def _take(self, award: Award | None) -> None:
        """Tells who gets what, and asks what the quotes are worth."""
        evaluation = self._asked
        if award is None or evaluation is None:
            return
        self.answered.emit(Found(award, False))

        def work(on_progress: background.OnProgress, is_cancelled: background.IsCancelled) -> Award | None:
            return with_worth(award, evaluation, is_cancelled, on_progress)

        self._whole.ask((background.Itself(award),), work)

    def _take_whole(self, award: Award | None) -> None:
        if award is not None:
            self.answered.emit(Found(award, True))


# --- Placement in a thread: the best sites are looked for once somebody looks, and kept for as long as places hold


class Placer(background.Answering):
    """Who is served from where; answers with a `Placement`."""

    def ask(self, places: Places) -> None:
        """Work out who is served from where, today and from the best sites; `answered` tells.

        Told at once for the very same places as last time.
        """
        self._newest.ask((background.Itself(places),), lambda on_progress, is_cancelled: placement_of(places))


# --- Inference sizing in a thread, and its files: a model or the requests of an endpoint read and put into the project


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


# --- Training runs in a thread, and models of them read from files --------------------------------


class TrainingRuns(background.Answering):
    """The newest run is answered, with a `TrainingAnswer`; a model is read from a file."""

    model_read = Signal(object, object)  # StatedRun that it is for, TrainedModel

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = background.Background(self.failed.emit, parent=self)

    def ask(self, *question: Any) -> None:
        """Have a run answered, asked as of `trained_answer`; `answered` tells, at once where it was asked last."""
        self._newest.ask(question, lambda on_progress, is_cancelled: trained_answer(*question))

    def read_model(self, run: StatedRun | None, path: Path) -> None:
        """Read the model of a run (None: a new one) from a config.json or the like; `model_read` tells."""
        from gpuplanner.files.lists.trained_models import trained_model

        self._files.run(lambda: trained_model(str(path)), lambda read: self.model_read.emit(run, read[0]))


# --- Reading the requests of an endpoint from a file in a thread, and putting them into the project


def project_with_traffic(project: Project, key: str, traffic: "Traffic", intake: FileIntake) -> Project:
    """The project with the tokens of an endpoint, and the file among its intake. Errors: PlannerError.

    key: of a workload, empty for none of the log. Errors: of an unknown workload.
    """
    return import_inputs(set_traffic(project, key, traffic), intake=(intake,), adding=True)


class TrafficReader(background.Threaded):
    """One file at a time; the newest is wanted."""

    found = Signal(str, object, object)  # workload key, Traffic, FileIntake

    def start(self, key: str, path: Path) -> None:
        """Read a file for an endpoint; `found` tells.

        The project is not touched: whoever is told puts the tokens into it.
        """

        def work() -> "tuple[Traffic, FileIntake]":
            from gpuplanner.files.lists.traffic_tables import read_traffic

            return read_traffic(str(path))

        self._background.run(work, lambda answer: self.found.emit(key, *answer))
