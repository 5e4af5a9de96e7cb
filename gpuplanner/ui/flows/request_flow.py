"""Export requests for quote: terms and a folder are asked for, and a thread writes a file for each vendor."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from gpuplanner.app.requesting import Requesting
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import whole
from gpuplanner.files.request.terms import Terms
from gpuplanner.ui.kit.message import Question, show_error
from gpuplanner.ui.kit.progress import ProgressDialog
from gpuplanner.ui.plans.request_dialog import RequestDialog
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import by_count, tr


class RequestFlow(QObject):
    """Told the session. Requests bear the day on which they are asked for."""

    def __init__(self, session: Session, settings: Any) -> None:
        super().__init__(session.window)
        self._session, self._settings = session, settings
        self.requesting = Requesting(self)
        self.requesting.written.connect(self._done)
        self.requesting.failed.connect(self._fail)
        self._wanted: tuple[Path, Terms] | None = None
        self._progress: ProgressDialog | None = None
        session.asks.export_requests_asked.connect(self.export)

    @property
    def is_busy(self) -> bool:
        """Whether requests are on their way."""
        return self._wanted is not None or self.requesting.is_busy

    def close(self) -> None:
        """Want none any more, and wait for the thread."""
        self._let_go()
        self.requesting.close()

    def export(self) -> None:
        """Ask what stands above them and for a folder, and write them of the plan shown."""
        said = self._settings.request_terms
        dialog = RequestDialog(said, self._session.time_s(), self._session.window)
        dialog.terms_chosen.connect(self._choose_folder)
        dialog.exec()

    def _choose_folder(self, said: dict[str, str], terms: Terms) -> None:
        self._settings.request_terms = said
        start = str(self._settings.last_folder or Path.home())
        chosen = QFileDialog.getExistingDirectory(
            self._session.window, tr("Folder for requests for quote"), start
        )
        if chosen:
            self.export_to(Path(chosen), terms)

    def export_to(self, folder: Path, terms: Terms) -> None:
        """Write the requests into a folder, once the plan is settled."""
        self._let_go()
        self._wanted = folder, terms
        self._settings.last_folder = folder
        self._progress = ProgressDialog(tr("Exporting requests for quote"), self._session.window)
        self._progress.cancelled.connect(self._let_go)
        self._progress.begin()
        self._session.evaluator.evaluated.connect(self._when_settled)
        if self._session.evaluator.evaluation is not None:
            self._when_settled(self._session.evaluator.evaluation)

    def _when_settled(self, evaluation: Evaluation) -> None:
        """Begins once the advice is there."""
        if self._wanted is not None and evaluation.advice is not None:
            (folder, terms), self._wanted = self._wanted, None
            self._session.evaluator.evaluated.disconnect(self._when_settled)
            self.requesting.start(evaluation, folder, self._session.time_s(), terms)

    def _done(self, paths: tuple[Path, ...]) -> None:
        """Says what was written and offers to open the folder."""
        self._end_progress()
        if not paths:
            note = tr("The plan orders nothing: there is nothing to ask for.")
            Question(self._session.window, tr("No request is written"), "", ("Close",), note).exec()
            return
        names = "\n".join(path.name for path in paths)
        note = tr("In {folder}. Import the answers as they come back.", folder=paths[0].parent.name)
        count = len(paths)
        title = by_count(
            count,
            "{count} request for quote written",
            "{count} requests for quote written",
            count=whole(count),
        )
        question = Question(self._session.window, title, names, ("Close", "Open folder"), note)
        question.exec()
        if question.answer == "Open folder":
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths[0].parent)))

    def _fail(self, error: Exception) -> None:
        self._end_progress()
        show_error(self._session.window, error)

    def _end_progress(self) -> None:
        if self._progress is not None:
            self._progress.end()
            self._progress.deleteLater()
            self._progress = None

    def _let_go(self) -> None:
        """Nothing more of them."""
        if self._wanted is not None:
            self._wanted = None
            self._session.evaluator.evaluated.disconnect(self._when_settled)
        self.requesting.cancel()
        self._end_progress()
