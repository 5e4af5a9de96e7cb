"""The last page of an import: what is taken in, over which window, and what becomes of what is loaded."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gpuplanner.domain.model.project import Project
from gpuplanner.ui import numbers
from gpuplanner.ui.figure_cells import Cell, Column, Row
from gpuplanner.ui.figure_table import FigureTable
from gpuplanner.ui.import_words import contracts_counted, offers_counted, places_counted, with_loaded
from gpuplanner.ui.said import said
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font
from gpuplanner.ui.window_choice import WindowChoice

WIDEST_PX = 560
"""A figure further from its name is not found by the eye."""


class LastPage(QWidget):
    """Told what was read; emits another window."""

    window_changed = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(said("What is taken in"))
        title = QLabel(said("What is taken in"))
        title.setFont(font("title"))
        self.figures = FigureTable(said("What is taken in"), palette)
        self.figures.row_height = 26
        self.figures.setMaximumWidth(WIDEST_PX)
        self.window_choice = WindowChoice()
        self.window_choice.changed.connect(self.window_changed)
        label = QLabel(said("Window"))
        label.setBuddy(self.window_choice.box)
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.window_choice, 1)
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 12)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(self._row)
        layout.addWidget(self.figures, 1)
        layout.addWidget(self._note)

    def show_read(self, request: Any, read: Any, note: str, joined: Project | None = None) -> None:
        """What would be taken in; read: ReadResult, or None while it is read. note: what becomes of the rest.

        joined: the project that the files are added to.
        """
        self._row.setVisible(request is None or bool(request.job_paths))
        self._note.setText(note)
        rows = [] if read is None else _figures(request, read, joined)
        self.figures.show_rows((), ())
        self.figures.show_rows(
            (Column("", False), Column("")),
            [Row((Cell(name), Cell(value, is_strong=True))) for name, value in rows],
        )
        self.figures.horizontalHeader().hide()
        if read is not None and read.window is not None:
            self.window_choice.show_window(read.window)


def _hours(gpu_hours: float) -> str:
    return numbers.whole(gpu_hours) if gpu_hours >= 100 else numbers.one_decimal(gpu_hours)


def _figures(request: Any, read: Any, joined: Project | None) -> Sequence[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if request.job_paths:
        rows += [
            ("Jobs accepted", numbers.whole(read.accepted_jobs)),
            ("Jobs in the window", numbers.whole(read.jobs.count)),
            ("Jobs before or after it, left out", numbers.whole(read.accepted_jobs - read.jobs.count)),
            ("GPU jobs in the window", numbers.whole(read.jobs.gpu_jobs)),
            ("GPU-hours in the window", _hours(read.jobs.gpu_hours)),
            ("Workloads", numbers.whole(len(read.workloads))),
        ]
        if read.window is not None:
            days = read.window.hours / 24
            rows.append(
                (
                    "Window",
                    f"{numbers.span(read.window.start_s, read.window.end_s)}, {numbers.gpus(days)} days",
                )
            )
    if request.contract_paths:
        rows.append(("Contracts", with_loaded(contracts_counted(read, joined))))
    if request.price_paths:
        rows.append(("Offers", with_loaded(offers_counted(read, joined))))
    rows += [
        (numbers.sentence(many), numbers.whole(count))
        for (_, many), count in places_counted(request, read, joined)
    ]
    return rows
