"""The board brief as PDF."""

import os
from collections.abc import Callable, Generator
from enum import StrEnum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtWidgets import QApplication

from gpuplanner.charts.page_painter.page_layout import draw_page, parts_of
from gpuplanner.charts.page_painter.page_look import PAPER, SIGNED
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.pages import Brief
from gpuplanner.domain.message import Text
from gpuplanner.files.system.output_file import place_of, write_output
from gpuplanner.lazy_dataclass import replace

DOTS_PER_INCH: Final = 96
"""A unit of the page is a pixel of the screen, so that charts look as they do there."""
PARTED: Final = 0.25
"""What of the work is to find how many sheets each page takes."""


class Paper(StrEnum):
    """A sheet; always across."""

    A4 = "a4"
    LETTER = "letter"


_SIZES: Final = {Paper.A4: QPageSize.PageSizeId.A4, Paper.LETTER: QPageSize.PageSizeId.Letter}


def paint_brief_pdf(brief: Brief, held: QIODevice, paper: Paper = Paper.A4) -> Generator[float, None, None]:
    """Paint the brief into memory: each time the iterator is asked a page finds its sheets, then a sheet is painted.
    Yields how much is done, 0..1.

    What has no room on the sheet of its page is on one more, while there may be more. Into memory and never into a
    file: Qt does not say where a disk is full. In the thread of the window: charts are widgets. The PDF is whole when
    the iterator ends.
    """
    writer = QPdfWriter(held)
    writer.setResolution(DOTS_PER_INCH)
    writer.setTitle(str(brief.title))
    writer.setCreator("gpuplanner")
    size = QPageSize(_SIZES[paper])
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Landscape, QMarginsF(0, 0, 0, 0)))
    painter = QPainter()
    if not painter.begin(writer):
        raise RuntimeError("the brief: a PDF in memory cannot be painted")
    try:
        room = QRectF(0, 0, writer.width(), writer.height())
        parts: list[pages.Page] = []
        spare = None if brief.most is None else brief.most - len(brief.pages)
        for number, page in enumerate(brief.pages, start=1):
            first, *more = parts_of(page, room, SIGNED if page.is_whole else PAPER)
            kept = more if page.is_whole else more[:spare]
            spare = None if spare is None else max(0, spare - len(kept))
            if len(kept) < len(more):
                first = replace(first, kicker=str(first.kicker) + pages.MORE)
            parts += [first, *kept]
            yield PARTED * number / len(brief.pages)
        for number, page in enumerate(parts, start=1):
            if number > 1:
                writer.newPage()
            draw_page(
                painter, room, brief, page, f"{number} / {len(parts)}", SIGNED if page.is_whole else PAPER
            )
            yield PARTED + (1 - PARTED) * number / len(parts)
    finally:
        painter.end()


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
    application = QApplication.instance() or QApplication(["gpuplanner"])
    for share in pdf_steps(brief, path, paper):
        application.processEvents()  # widgets that were painted go
        if on_progress is not None:
            on_progress(share, "Writing the brief")
