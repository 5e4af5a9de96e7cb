"""Training runs of the panel Hardware fit: answered in a thread, stated and planned as steps of Undo."""

from pathlib import Path

from PySide6.QtCore import QObject

from gpuplanner.app.sourcing.training import TrainingRuns
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits import dates, labels, training_runs
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.domain.training.answer import planned_of
from gpuplanner.domain.training.choices import Choice
from gpuplanner.files.system import resources
from gpuplanner.files.system.training import past_runs
from gpuplanner.ui.flows.panels.inference_flow import MODEL_FILES
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.file_dialogs import open_file
from gpuplanner.ui.kit.small_dialogs import show_error
from gpuplanner.ui.panels.today.hardware_fit import TrainingRunView


class TrainingFlow(QObject):
    """Told the session, the view of runs, and the day it is, epoch seconds."""

    def __init__(self, session: Session, view: TrainingRunView, now_s: int) -> None:
        super().__init__(session.window)
        self.session, self._view, self._now_s = session, view, now_s
        self.training = TrainingRuns(self)
        view.set_models(lambda: resources.training_facts().models.values())  # noqa: PLW0108 - read once it is looked at
        view.answer_asked.connect(self.ask)
        view.run_stated.connect(self._state)
        view.run_dropped.connect(self._drop)
        view.file_asked.connect(self._choose_file)
        view.work_chosen.connect(self._plan)
        self.training.answered.connect(view.show_answer)
        self.training.model_read.connect(view.take_model)  # its file is not kept among the inputs of the log
        self.training.failed.connect(lambda error: show_error(session.window, error))

    def ask(self, run: StatedRun) -> None:
        """At the assumptions and offers of the plan, or of today."""
        project, scenario = self.session.project, self.session.scenario
        offers, assumptions = project.offers, project.assumptions
        if scenario != TODAY:
            plan = project.scenario(scenario)
            offers, assumptions = project.offers_in(plan), project.assumptions_in(plan)
        past = past_runs(project, run)
        self.training.ask(run, offers, assumptions, project.contracts, self._now_s, past)

    def _state(self, at: int, run: StatedRun) -> None:
        self.session.edit(
            labels.run_label(run), lambda: training_runs.state_run(self.session.project, at, run)
        )

    def _drop(self, at: int) -> None:
        project = self.session.project
        label = labels.run_label(project.runs[at], is_dropped=True)
        self.session.edit(label, lambda: training_runs.drop_run(project, at))

    def _choose_file(self, run: StatedRun | None) -> None:
        """Asks for a file with the model of a run."""
        if path := open_file(self.session.window, tr("Model"), tr(MODEL_FILES)):
            self.training.read_model(run, Path(path))

    def _plan(self, run: StatedRun, choice: Choice) -> None:
        """The run on so many GPUs as work that no log has, from the beginning of the plan."""
        project, scenario = self.session.project, self.session.scenario
        if scenario != TODAY:
            begins_s = project.plan_window.end_s
            work = planned_of(choice, run.called, begins_s, run.deadline_h, project.contracts)
            self.session.edit(
                labels.planned_label((work,)), lambda: dates.plan_work(project, scenario, (work,))
            )
