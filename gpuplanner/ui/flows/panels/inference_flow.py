"""The panel Inference with what sizes for it: asks, reads files, and turns choices into undo steps."""

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog

from gpuplanner.app.questions.sizing import ServingFiles, Sizing, project_with_load, project_with_model
from gpuplanner.domain.edits import (
    served_model_label,
    set_sized_row,
    sized_row_label,
    traffic_label,
    week_label,
)
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.model.served_model import WeekRates
from gpuplanner.domain.model.tables import Tables
from gpuplanner.files.system.resources import read_served_models
from gpuplanner.ui.kit.message import show_error
from gpuplanner.ui.panels.places.inference import InferencePanel
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import tr

MODEL_FILES: Final = worded("Models (*.json *.csv *.tsv *.txt);;All files (*)")
TRAFFIC_FILES: Final = worded(
    "Requests (*.csv *.tsv *.txt *.json *.jsonl *.parquet *.gz *.zip);;All files (*)"
)


class InferenceFlow(QObject):
    """Told the session, the panel and the action that opens the assumptions."""

    def __init__(self, session: Session, panel: InferencePanel, tables: Tables, assumptions: QAction) -> None:
        super().__init__(session.window)
        self._session, self._document, self._panel = session, session.document, panel
        self._sizing = Sizing(tables.gpu_models, self)
        self._files = ServingFiles(self)
        panel.set_models(read_served_models())
        panel.size_asked.connect(self._ask)
        panel.model_chosen.connect(self._take_model)
        panel.model_file_asked.connect(self._choose_model_file)
        panel.traffic_file_asked.connect(self._choose_traffic_file)
        panel.row_chosen.connect(self._take_row)
        panel.assumptions_asked.connect(assumptions.trigger)
        self._sizing.answered.connect(panel.show_sizing)
        self._files.model_read.connect(self._take_model)
        self._files.load_read.connect(self._take_load)
        for service in (self._sizing, self._files):
            service.failed.connect(self._fail)

    @property
    def is_busy(self) -> bool:
        """Whether a sizing is awaited."""
        return self._sizing.is_busy

    def read_model(self, key: str, path: Path) -> None:
        """Read the model of an endpoint from a file; one undo step."""
        self._files.read_model(key, path)

    def read_load(self, key: str, path: Path) -> None:
        """Read the requests of an endpoint from a file; one undo step."""
        self._files.read_load(key, path)

    def close(self) -> None:
        """Want nothing any more, and wait for the threads."""
        self._sizing.close()
        self._files.close()

    def _ask(self, key: str) -> None:
        """Has an endpoint sized with the assumptions and offers of the plan, or of today."""
        project = self._document.project
        if self._session.scenario == TODAY:
            self._sizing.ask(project, key, project.assumptions, project.offers)
            return
        plan = project.scenario(self._session.scenario)
        self._sizing.ask(project, key, project.assumptions_in(plan), project.offers_in(plan))

    def _choose_model_file(self, key: str) -> None:
        """Asks for a file with a served model."""
        path, _ = QFileDialog.getOpenFileName(self._session.window, tr("Model"), "", tr(MODEL_FILES))
        if path:
            self.read_model(key, Path(path))

    def _choose_traffic_file(self, key: str) -> None:
        """Asks for a file with requests."""
        path, _ = QFileDialog.getOpenFileName(self._session.window, tr("Requests"), "", tr(TRAFFIC_FILES))
        if path:
            self.read_load(key, Path(path))

    def _take_model(self, key: str, model: Any, intake: Any = None) -> None:
        """Sets the model that an endpoint serves, with the file it came from."""
        project = self._document.project
        self._edit(
            served_model_label(project, key, model), lambda: project_with_model(project, key, model, intake)
        )

    def _take_load(self, key: str, read: Any, intake: Any) -> None:
        """Sets an endpoint's load: a trace of requests, or rates of a week."""
        project = self._document.project
        label = (week_label if isinstance(read, WeekRates) else traffic_label)(project, key, read)
        self._edit(label, lambda: project_with_load(project, key, read, intake))

    def _take_row(self, key: str, gpu_model: str, precision: str, tensor_parallel: int) -> None:
        """Sets which row of the sizing an endpoint runs on."""
        project = self._document.project
        row = (key, gpu_model, precision, tensor_parallel)
        self._edit(sized_row_label(project, *row), lambda: set_sized_row(project, *row))

    def _edit(self, label: Message, after: Any) -> None:
        """One undo step; where another log was imported meanwhile, the error in words."""
        try:
            self._document.edit(label, after())
        except PlannerError as error:
            show_error(self._session.window, error)

    def _fail(self, error: Exception) -> None:
        show_error(self._session.window, error)
