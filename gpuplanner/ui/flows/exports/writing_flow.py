"""What all exports share: a file is asked for, the plan settles, a thread writes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from gpuplanner.app import exporting
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text, worded
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit import dialogs, progress_dialog, small_dialogs
from gpuplanner.ui.kit.file_dialogs import last_folder, save_file
from gpuplanner.ui.words.file_words import suggested


class WritingFlow(QObject):
    """Told the session and who writes.

    A flow says what it starts (`start_writing`) and what it says at the end (`show_written`).
    """

    def __init__(self, session: Session, settings: Any, writing: exporting.Writing) -> None:
        super().__init__(session.window)
        self.session, self.settings, self.writing = session, settings, writing
        writing.setParent(self)
        writing.written.connect(self.show_written)
        writing.failed.connect(self._fail)
        self._wanted: Any = None
        self.progress: progress_dialog.ProgressDialog | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is on its way."""
        return self._wanted is not None or self.writing.is_busy

    def close(self) -> None:
        """Want nothing any more, and wait for the thread."""
        self._let_go()
        self.writing.close()

    def _chosen_file(self, title: Text, end: str, kinds: Mapping[str, str]) -> Path | None:
        """A file to write that was asked for; None where there is none.

        end: of the name that is suggested; kinds: words of a kind of file -> its suffix, the first one where none is
        chosen. Asks again where the suffix that it adds makes it another file that is there.
        """
        document = self.session.document
        plans = [plan.name for plan in document.project.scenarios]
        start = suggested(str(last_folder()), document.name, self.session.scenario, plans, end)
        window = self.session.window
        english = tr("in English")
        heading = str(title) if english == "in English" else f"{title} ({english})"
        chosen, kind = save_file(window, heading, start, ";;".join(kinds))
        if not chosen:
            return None
        is_known = Path(chosen).suffix.lower() in kinds.values()
        path = Path(chosen if is_known else chosen + kinds.get(kind, next(iter(kinds.values()))))
        answers = ("Keep it", "Replace")  # the question speaks them, and gives them back as they are here
        if str(path) != chosen and path.exists():  # the file dialog asked about what was typed
            question = tr("Replace {name}?", name=path.name)
            return path if small_dialogs.ask(window, question, str(path), answers) == "Replace" else None
        return path

    def _want(self, wanted: Any, folder: Path, title: str) -> None:
        """Write what is wanted, once the plan is settled. folder: where files are asked for next time."""
        self._let_go()
        self._wanted = wanted
        self.progress = progress_dialog.ProgressDialog(title, self.session.window)
        self.progress.cancelled.connect(self._let_go)
        self.progress.show_progress(0.0, worded("Working out the plan"))
        self.progress.begin()
        self.writing.progressed.connect(self.progress.show_progress)
        self.session.evaluator.evaluated.connect(self._when_settled)
        self.session.evaluator.failed.connect(self._let_go)  # the window says why
        if self.session.evaluator.evaluation is not None:
            self._when_settled(self.session.evaluator.evaluation)

    def _when_settled(self, evaluation: Evaluation) -> None:
        """Begins once the plan is settled: an advice before its outlook may lack the plan's whole decisions."""
        if self._wanted is not None and evaluation.advice is not None and evaluation.outlook is not None:
            wanted = self._wanted
            self._wait_no_more()
            self.start_writing(evaluation, wanted)

    def _wait_no_more(self) -> None:
        """What was wanted is on its way, or no longer wanted."""
        if self._wanted is not None:
            self._wanted = None
            self.session.evaluator.evaluated.disconnect(self._when_settled)
            self.session.evaluator.failed.disconnect(self._let_go)

    def start_writing(self, evaluation: Evaluation, wanted: Any) -> None:
        """Start writing what `_want` was told."""
        raise NotImplementedError

    def show_written(self, written: Any) -> None:
        """What was written is there."""
        raise NotImplementedError

    def _done(self, title: str, names: str, note: str, path: Path, opens: str = "Open") -> None:
        """Say what was written, and offer to open it. opens: what the button says, a text of `Question`."""
        self._end_progress()
        question = small_dialogs.Question(
            parent=self.session.window, title=title, text=names, answers=("Close", opens), note=note
        )
        dialogs.exec_once(question)
        if question.answer == opens:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def _fail(self, error: Exception) -> None:
        """Say why nothing was written."""
        self._end_progress()
        small_dialogs.show_error(self.session.window, error)

    def _end_progress(self) -> None:
        if self.progress is not None:
            self.progress.end()
            self.progress = None

    def _let_go(self) -> None:
        """Nothing more of it; what was at its place stays."""
        self._wait_no_more()
        self.writing.cancel()
        self._end_progress()
