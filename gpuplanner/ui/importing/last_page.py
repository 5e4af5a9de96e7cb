"""The last page of an import: what will be imported, and the effect on loaded data."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from PySide6.QtWidgets import QWidget

from gpuplanner.app.importing.logs_alone import LogAlone
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.read_facts import job_facts, line_of
from gpuplanner.ui.importing.import_state import (
    Counts,
    contracts_counted,
    jobs_counted,
    offers_counted,
    places_counted,
    with_loaded,
)
from gpuplanner.ui.importing.issue_words import TAKEN, taken_trace
from gpuplanner.ui.kit.layout import column, share
from gpuplanner.ui.kit.page_parts import heading_label, label
from gpuplanner.ui.tables.cells import Cell, Filled, filled_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

WIDEST_PX: Final = 560
"""A figure further from its name is not found by the eye."""


class _Figure(NamedTuple):
    """Name, figure and what answers for it."""

    name: str
    text: str
    figure_id: str


COLUMNS: Final[tuple[Filled[_Figure], ...]] = (
    Filled(title="", is_figure=False, cell=lambda row: row.name),
    Filled(title="", cell=lambda row: Cell(text=row.text, is_strong=True, figure_id=row.figure_id)),
)


class LastPage(QWidget):
    """Told what was read."""

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Imported data"))
        self.figures = FigureTable(tr("Imported data"))
        self.figures.row_height = 26
        self._read: Any = None  # what is shown
        self.figures.setMaximumWidth(WIDEST_PX)
        self._note = label(role="muted", is_wrapped=True)
        parts = (heading_label(tr("Imported data")), share(self.figures), self._note)
        column(*parts, on=self, margins=(20, 16, 20, 12), spacing=8)

    def trace(self, figure_id: str) -> Trace:
        """Why a count is what it is. Errors: KeyError where it is none of the page's."""
        if self._read is None:
            raise KeyError(figure_id)
        return taken_trace(self._read, figure_id)

    def show_read(
        self,
        request: Any,
        read: Any,
        note: str,
        joined: Project | None = None,
        alone: Sequence[LogAlone] = (),
    ) -> None:
        """What would be taken in; read: ReadResult, or None while it is read. note: what becomes of the rest.

        joined: the project that the files are added to; alone: each log by itself, once that is known.
        """
        self._read = read
        self._note.setText(spoken(note))
        rows = [] if read is None else _figures(request, read, joined, alone)
        self.figures.show_rows((), ())
        self.figures.show_rows(COLUMNS, filled_rows(COLUMNS, rows))
        self.figures.horizontalHeader().hide()


def _hours(gpu_hours: float) -> str:
    """GPU-hours, with a decimal where they are few; a count as it is."""
    is_whole = gpu_hours >= 100 or isinstance(gpu_hours, int)
    return numbers.whole(gpu_hours) if is_whole else numbers.one_decimal(gpu_hours)


def _gpu_counts(read: Any) -> tuple[int, float, int]:
    """GPU jobs, their GPU-hours and the workloads of what was read."""
    return read.jobs.gpu_jobs, read.jobs.gpu_hours, len(read.workloads)


def left_out_words(alone: Iterable[LogAlone]) -> str:
    """How many GPU-hours of the logs the lookback period leaves out; empty where nothing is known."""
    sums = [(log.whole.jobs.gpu_hours, log.inside.jobs.gpu_hours) for log in alone]
    whole, inside = (sum(hours) for hours in zip(*sums, strict=True)) if sums else (0.0, 0.0)
    if not sums or _hours(whole - inside) == _hours(0.0):
        return tr("Leaves out no GPU-hours.") if sums else ""
    return tr("Leaves out {left} of {whole} GPU-hours.", left=_hours(whole - inside), whole=_hours(whole))


def line_of_log(log: LogAlone) -> str:
    """What a log holds in the line of a check, and how much of that is in the lookback period."""
    line = spoken(line_of("jobs", job_facts(log.whole)))
    if log.whole.jobs.count == log.inside.jobs.count:
        return line
    hours = _hours(log.inside.jobs.gpu_hours)
    return tr("{line}; {hours} GPU-hours in the lookback period", line=line, hours=hours)


def _figures(request: Any, read: Any, joined: Project | None, alone: Sequence[LogAlone]) -> Sequence[_Figure]:
    """What was read, as rows of name, figure and what answers for it: jobs, lookback period, contracts, prices.

    Contracts, offers and places have no answer: they are listed in their files.
    """
    rows: list[_Figure] = []
    if request.job_paths:
        accepted, inside = jobs_counted(read, joined)
        outside = Counts(accepted.new - inside.new, accepted.together - inside.together)
        loaded = {file.path for file in joined.intake} if joined is not None else set()
        own = [log.inside for log in alone if log.path not in loaded]
        of_all = _gpu_counts(read)
        of_own = (
            of_all
            if accepted.new == accepted.together
            else map(sum, zip(*map(_gpu_counts, own), strict=True))
        )
        pairs = [with_loaded(Counts(*pair), words=_hours) for pair in zip(of_own, of_all, strict=False)]
        gpu_jobs, gpu_hours, workloads = pairs or [numbers.UNKNOWN] * 3
        rows += [
            _Figure(tr("Jobs imported"), with_loaded(accepted), figure(TAKEN, "accepted")),
            _Figure(tr("Jobs in the lookback period"), with_loaded(inside), figure(TAKEN, "inside")),
            _Figure(tr("Jobs before or after it, skipped"), with_loaded(outside), figure(TAKEN, "outside")),
            _Figure(tr("GPU jobs in the lookback period"), gpu_jobs, figure(TAKEN, "gpu_jobs")),
            _Figure(tr(titles.GPU_HOURS_IN_THE_WINDOW), gpu_hours, figure(TAKEN, "gpu_hours")),
            _Figure(tr("Workloads"), workloads, figure(TAKEN, "workloads")),
        ]
        if read.window is not None:
            days = numbers.gpus(read.window.hours / 24)
            span = numbers.span(read.window.start_s, read.window.end_s)
            rows.append(
                _Figure(tr("Lookback period"), tr("{start_s}, {days} days", start_s=span, days=days), "")
            )
    if request.contract_paths:
        rows.append(_Figure(tr("Contracts"), with_loaded(contracts_counted(read, joined)), ""))
    if request.price_paths:
        rows.append(_Figure(tr("Offers"), with_loaded(offers_counted(read, joined)), ""))
    rows += [
        _Figure(sentence(many), numbers.whole(count), "")
        for (_, many), count in places_counted(request, read, joined)
    ]
    if request.planned_paths:
        rows.append(_Figure(tr("Planned work"), numbers.whole(len(read.planned)), ""))
    return rows
