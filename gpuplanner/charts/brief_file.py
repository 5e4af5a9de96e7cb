"""The brief's PDF as a file that is there whole or not at all, drawn in the window or without one."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from gpuplanner.charts.brief_pdf import Paper, write_brief_pdf
from gpuplanner.domain.brief.pages import Brief
from gpuplanner.files.open_elsewhere import check_not_open, unwritable
from gpuplanner.files.whole_file import whole_file


def pdf_steps(brief: Brief, path: Path, paper: Paper = Paper.A4) -> Iterator[float]:
    """Write the PDF a page a step; yields the share done, 0..1. The file takes its place at the end.

    Closing the iterator before its end leaves what was at the path. Errors: PlannerError file_unwritable.
    """
    check_not_open(path)
    try:
        with whole_file(path) as beside:
            yield from write_brief_pdf(brief, beside, paper)
            check_not_open(path)
    except OSError as error:
        raise unwritable(path, error) from error


def write_pdf_without_window(
    brief: Brief, path: Path, paper: Paper, on_progress: Callable[[float, str], None] | None = None
) -> None:
    """The same, from a process that has no window and may have no screen. Errors: PlannerError file_unwritable."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication(["gpuplanner"])
    for share in pdf_steps(brief, path, paper):
        application.processEvents()  # widgets that were painted go
        if on_progress is not None:
            on_progress(share, "Writing the brief")
