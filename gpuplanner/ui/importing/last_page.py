"""The last page of an import: what is taken in, over which window, and what becomes of what is loaded."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.audit.evidence.trace import Trace, figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.importing.import_words import (
    contracts_counted,
    offers_counted,
    places_counted,
    with_loaded,
)
from gpuplanner.ui.importing.questions import ClusterQuestion
from gpuplanner.ui.importing.traces import TAKEN, taken_trace
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.kit.window_choice import WindowChoice
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

WIDEST_PX = 560
"""A figure further from its name is not found by the eye."""


class LastPage(QWidget):
    """Told what was read; emits another window."""

    window_changed = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What is taken in"))
        title = PlainLabel(tr("What is taken in"))
        title.setFont(font("title"))
        self.figures = FigureTable(tr("What is taken in"), palette)
        self.figures.row_height = 26
        self._read: Any = None  # what is shown
        self.figures.setMaximumWidth(WIDEST_PX)
        self.window_choice = WindowChoice()
        self.window_choice.changed.connect(self.window_changed)
        label = PlainLabel(tr("Window"))
        label.setBuddy(self.window_choice.box)
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.window_choice, 1)
        self.cluster = ClusterQuestion()
        self._note = PlainLabel()
        self._note.setWordWrap(True)
        self._note.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 12)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(self.cluster)
        layout.addWidget(self._row)
        layout.addWidget(self.figures, 1)
        layout.addWidget(self._note)

    def trace(self, figure_id: str) -> Trace:
        """Why a count is what it is. Errors: KeyError where it is none of the page's."""
        if self._read is None:
            raise KeyError(figure_id)
        return taken_trace(self._read, figure_id)

    def show_read(self, request: Any, read: Any, note: str, joined: Project | None = None) -> None:
        """What would be taken in; read: ReadResult, or None while it is read. note: what becomes of the rest.

        joined: the project that the files are added to.
        """
        self._read = read
        self._row.setVisible(request is None or bool(request.job_paths))
        self._note.setText(spoken(note))
        rows = [] if read is None else _figures(request, read, joined)
        self.figures.show_rows((), ())
        self.figures.show_rows(
            (Column("", False), Column("")),
            [
                Row((Cell(name), Cell(value, is_strong=True, figure_id=figure_id)))
                for name, value, figure_id in rows
            ],
        )
        self.figures.horizontalHeader().hide()
        if read is not None and read.window is not None:
            self.window_choice.show_window(read.window)


def _hours(gpu_hours: float) -> str:
    """GPU-hours, with a decimal where they are few."""
    return numbers.whole(gpu_hours) if gpu_hours >= 100 else numbers.one_decimal(gpu_hours)


def _figures(request: Any, read: Any, joined: Project | None) -> Sequence[tuple[str, str, str]]:
    """What was read, as rows of name, figure and what answers for it: jobs, window, contracts, prices.

    Contracts, offers and places have no answer: they are listed in their files.
    """
    rows: list[tuple[str, str, str]] = []
    if request.job_paths:
        rows += [
            (tr("Jobs accepted"), numbers.whole(read.accepted_jobs), figure(TAKEN, "accepted")),
            (tr("Jobs in the window"), numbers.whole(read.jobs.count), figure(TAKEN, "inside")),
            (
                tr("Jobs before or after it, left out"),
                numbers.whole(read.accepted_jobs - read.jobs.count),
                figure(TAKEN, "outside"),
            ),
            (tr("GPU jobs in the window"), numbers.whole(read.jobs.gpu_jobs), figure(TAKEN, "gpu_jobs")),
            (tr(titles.GPU_HOURS_IN_THE_WINDOW), _hours(read.jobs.gpu_hours), figure(TAKEN, "gpu_hours")),
            (tr("Workloads"), numbers.whole(len(read.workloads)), figure(TAKEN, "workloads")),
        ]
        if read.window is not None:
            days = read.window.hours / 24
            rows.append(
                (
                    tr("Window"),
                    tr(
                        "{start_s}, {days} days",
                        start_s=numbers.span(read.window.start_s, read.window.end_s),
                        days=numbers.gpus(days),
                    ),
                    "",
                )
            )
    if request.contract_paths:
        rows.append((tr("Contracts"), with_loaded(contracts_counted(read, joined)), ""))
    if request.price_paths:
        rows.append((tr("Offers"), with_loaded(offers_counted(read, joined)), ""))
    rows += [
        (sentence(many), numbers.whole(count), "")
        for (_, many), count in places_counted(request, read, joined)
    ]
    if request.planned_paths:
        rows.append((tr("Planned work"), numbers.whole(len(read.planned)), ""))
    return rows
