"""The panel Track: files are asked for and compared with the plan in a thread."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject

from gpuplanner.app.past import tracking
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.track.track import Track
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.file_dialogs import open_files, save_file
from gpuplanner.ui.kit.small_dialogs import errors_in_dialog
from gpuplanner.ui.panels.cost.track import TrackPanel

TITLES: Final = words_table("file_title")


class TrackFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: TrackPanel, tables: Tables) -> None:
        super().__init__(session.window)
        self.session, self._panel = session, panel
        self.tracking = tracking.Tracking(tables, self)
        panel.files_asked.connect(self._choose)
        panel.compare_asked.connect(self.tracking.ask)
        panel.cancel_asked.connect(self.tracking.cancel)
        panel.book_asked.connect(self._write)
        self.tracking.answered.connect(panel.show_track)
        self.tracking.progressed.connect(panel.show_progress)
        self.tracking.failed.connect(panel.show_failure)

    def _choose(self, kind: str) -> None:
        """Asks for files of one kind; without an answer those chosen before stay."""
        from gpuplanner.ui.importing.import_dialog import FILTER

        if paths := open_files(self.session.window, tr(TITLES[kind]), tr(FILTER)):
            self._panel.take_files(kind, tuple(paths))

    def _write(self, track: Track) -> None:
        """Asks for a file and writes the workbook of `track --out`."""
        from gpuplanner.files.workbook.write import write_track

        window = self.session.window
        path, _ = save_file(window, tr("Save the comparison"), "track.xlsx", tr("Workbooks (*.xlsx)"))
        if path:
            with errors_in_dialog(window):
                currency = self.session.document.project.currency
                write_track(track, currency, Path(path), self.session.time_s())
