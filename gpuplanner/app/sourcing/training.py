"""Training runs in a thread, and models of them read from files."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpuplanner.app import background
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.files.system.training import trained_answer


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
