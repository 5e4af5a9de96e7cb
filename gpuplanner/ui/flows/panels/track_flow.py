"""The panel Track with what compares for it: asks for files, compares in a thread, tells what came of it."""

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from gpuplanner.app.questions.tracking import Tracking
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.tables import Tables
from gpuplanner.ui.panels.cost.track import TrackPanel
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import tr

TITLES: Final[dict[str, Message]] = {
    "jobs": worded("Job logs that came"),
    "contracts": worded("Contracts as they are now"),
    "prices": worded("Prices as they are now"),
}


class TrackFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: TrackPanel, tables: Tables) -> None:
        super().__init__(session.window)
        self._session, self._panel = session, panel
        self._tracking = Tracking(tables, self)
        panel.files_asked.connect(self._choose)
        panel.compare_asked.connect(self._tracking.ask)
        panel.cancel_asked.connect(self._tracking.cancel)
        self._tracking.answered.connect(panel.show_track)
        self._tracking.progressed.connect(panel.show_progress)
        self._tracking.failed.connect(panel.show_failure)

    @property
    def is_busy(self) -> bool:
        """Whether a comparison is awaited."""
        return self._tracking.is_busy

    def close(self) -> None:
        """Want nothing any more, and wait for the thread."""
        self._tracking.close()

    def _choose(self, kind: str) -> None:
        """Asks for files of one kind; without an answer those chosen before stay."""
        from gpuplanner.ui.importing.import_dialog import FILTER

        paths, _ = QFileDialog.getOpenFileNames(self._session.window, tr(TITLES[kind]), "", tr(FILTER))
        if paths:
            self._panel.take_files(kind, tuple(paths))
