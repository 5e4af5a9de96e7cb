"""The brief's PDF as a file that is there whole or not at all, drawn in the window or without one."""

import os
from collections.abc import Callable, Generator
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice

from gpuplanner.charts.brief.brief_pdf import Paper, paint_brief_pdf
from gpuplanner.domain.brief.pages import Brief
from gpuplanner.domain.message import Text
from gpuplanner.files.system.output_file import write_output
from gpuplanner.files.system.output_place import place_of


def pdf_steps(brief: Brief, path: Path, paper: Paper = Paper.A4) -> Generator[float, None, None]:
    """Write the PDF a page a step; yields the share done, 0..1. It is painted in memory and written at the end.

    Closing the iterator before its end leaves what was at the path. Errors: PlannerError file_unreadable.
    """
    place_of(path)  # what cannot be written is said before it is painted
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    yield from paint_brief_pdf(brief, held, paper)
    write_output(path, bytes(held.data().data()))


def write_pdf_without_window(
    brief: Brief, path: Path, paper: Paper, on_progress: Callable[[float, Text], None] | None = None
) -> None:
    """The same, from a process that has no window and may have no screen. Errors: PlannerError file_unreadable.

    on_progress: share done 0..1, and what is being done. Where there is no screen Qt draws off it.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication(["gpuplanner"])
    for share in pdf_steps(brief, path, paper):
        application.processEvents()  # widgets that were painted go
        if on_progress is not None:
            on_progress(share, "Writing the brief")
