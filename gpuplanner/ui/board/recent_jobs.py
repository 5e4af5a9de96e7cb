"""The last jobs of a workload in the side sheet, read in a thread from the kept rows."""

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject

from gpuplanner.app.background import Background
from gpuplanner.app.document import Document
from gpuplanner.app.past.job_pages import kept_rows, reader_in
from gpuplanner.charts.kit.translation import tr
from gpuplanner.ui.board.card_sheet import CardSheet
from gpuplanner.ui.cards.details import Line
from gpuplanner.ui.words import numbers

SHOWN: Final = 5
HOUR_S: Final = 3600


class RecentJobs(QObject):
    """Told the sheet and where rows are kept; the newest question is answered, and without rows none."""

    def __init__(
        self, sheet: CardSheet, document: Document, rows: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._sheet, self._document, self._rows = sheet, document, rows
        self._background = Background(lambda error: None, parent=self)  # the list of jobs says what is amiss
        sheet.workload_shown.connect(self._ask)

    def _ask(self, key: str) -> None:
        """Reads the latest jobs of a workload in a thread; nothing where no rows are kept."""
        project = self._document.project
        path, window = kept_rows(self._rows, project.jobs.rows_sha256), project.window
        self._background.cancel()
        if project.jobs.rows_sha256 and path.exists():
            self._background.run(
                lambda: reader_in(None, project.same)(path, (key,), window, "latest", 0).rows[:SHOWN],
                lambda rows: self._sheet.show_recent(key, tuple(map(job_line, rows))),
            )


def job_line(row: Any) -> Line:
    """12 Sep 2026, 8 GPUs, 4.2 h; how it ended at the right."""
    lasted = (
        tr("runs on") if row.end_s is None else f"{numbers.one_decimal((row.end_s - row.start_s) / HOUR_S)} h"
    )
    gpus = f"{numbers.gpus(row.milli_gpus / 1000)} {'GPU' if row.milli_gpus == 1000 else 'GPUs'}"
    words = tr("{start_s}, {gpus}, {lasted}", start_s=numbers.date(row.start_s), gpus=gpus, lasted=lasted)
    return Line(text=words, figure=(row.state or "").capitalize())
