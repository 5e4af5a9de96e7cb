"""Who answers "Why this number?" for the audit, and a trace as an answer in the words of the window."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QRect, QSize, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from gpuplanner.app.looking_back import Tracer
from gpuplanner.charts.kit.plain_text import show_tip_at, spoken, tr
from gpuplanner.domain.audit.evidence import places
from gpuplanner.domain.audit.evidence.audit_evidence import hours_in, scope_words
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Divides,
    Multiplies,
    Quotient,
    Reached,
    Trace,
    TraceColumn,
    Value,
    parts_of,
)
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.writing import WrittenAs
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.ui.state.view_state import Pairs, ViewState, inputs_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.why.popover import Why, WhyPopover
from gpuplanner.ui.words import numbers

# --- A trace as an answer of the window: every value as it is written, columns that add up as they are written

ADDITIVE: Final[frozenset[WrittenAs]] = frozenset(
    ("usd", "gpu_hours", "milli_gpu_seconds", "hours", "count", "gpus")
)
ROUNDED_TOGETHER: Final[frozenset[WrittenAs]] = frozenset(("usd", "gpu_hours", "milli_gpu_seconds"))
WRITTEN: Final[dict[WrittenAs, Callable[[float], str]]] = {
    "milli_gpu_seconds": lambda value: numbers.whole(value / MILLI_GPU_SECONDS_PER_GPU_HOUR),
    "share": lambda value: numbers.percent(value, 2),
}
"""WrittenAs -> how a known value of it is written here; others are written as everywhere."""


def why_of(trace: Trace, inputs: Pairs) -> Why:
    """The answer: title, formula in words and with its numbers, rows with a total, what it was worked out from."""
    value = in_full(trace.value, trace.unit)
    opens = any(row.opens for row in trace.rows)
    texts = [_column(trace, at, column) for at, column in enumerate(trace.columns)]
    more = (Column("", False, 24),) if opens else ()
    rows = [
        Row(
            (
                Cell(row.name, is_strong=True, tip=row.name),
                *(Cell(column[at], tip=_exact(trace, at, place)) for place, column in enumerate(texts)),
                *((Cell(icon="chevron_right" if row.opens else ""),) if opens else ()),
            ),
            key=row.opens,
        )
        for at, row in enumerate(trace.rows)
    ]
    total = _total(trace, [column[-1] for column in texts])
    return Why(
        title=" ".join(
            tr("{title}: {value} {said_as}", title=trace.title, value=value, said_as=trace.said_as).split()
        ),
        formula=spoken(trace.words),
        note="".join(_symbols(trace, texts)),
        columns=(
            Column("", False),
            *(Column(column.title, _holds_figures(trace, at)) for at, column in enumerate(trace.columns)),
            *more,
        ),
        rows=(*rows, total),
        remark=spoken(trace.note),
        inputs=inputs,
        readings_title=tr("Other readings, $ per month") if trace.readings else "",
        readings=tuple((name, written(reading.value, reading.unit)) for name, reading in trace.readings),
        more=trace.more,
    )


def _holds_figures(trace: Trace, at: int) -> bool:
    """Whether a column is of numbers, also of such as have units of their own."""
    return trace.columns[at].unit != "text" or any(isinstance(row.values[at], Amount) for row in trace.rows)


def written(value: Value, unit: WrittenAs) -> str:
    """A value under a heading that names its unit."""
    if isinstance(value, Amount):
        return written(value.value, value.unit)
    if isinstance(value, Message | str):
        return spoken(value)
    write = None if value is None else WRITTEN.get(unit)
    return numbers.of_unit(value, unit) if value is None or write is None else write(value)


def in_full(value: Value, unit: WrittenAs) -> str:
    """A value in a sentence: dollars with their sign."""
    if unit == "usd" and (value is None or isinstance(value, int | float)):
        return numbers.dollars(value)
    if unit == "rate" and isinstance(value, int | float):
        return numbers.cents(value)
    return written(value, unit)


def _symbols(trace: Trace, texts: Sequence[Sequence[str]]) -> list[str]:
    """The formula with its numbers: addends as their rows have them, so that both lines add up as they are written."""
    arrival = trace.arrival
    quantities = [one for one in trace.symbols if isinstance(one, Amount)]
    said = [in_full(one.value, one.unit) for one in quantities]
    if isinstance(arrival, Adds) and trace.columns[arrival.column].unit == "usd":
        of_rows = [row.values[arrival.column] for row in trace.rows]
        if None not in of_rows and [one.value for one in quantities[:-1]] == of_rows:
            said[:-1] = [numbers.with_dollar(text) for text in texts[arrival.column][:-1]]
    left = iter(said)
    return [next(left) if isinstance(one, Amount) else spoken(one) for one in trace.symbols]


def _exact(trace: Trace, at: int, column: int) -> str:
    """What a tool tip adds: cents, and GPU-hours to a tenth."""
    cell = trace.rows[at].values[column]
    value, unit = (cell.value, cell.unit) if isinstance(cell, Amount) else (cell, trace.columns[column].unit)
    if not isinstance(value, int | float):
        return ""
    if unit == "usd":
        return numbers.cents(value)
    if unit in ("gpu_hours", "milli_gpu_seconds"):
        hours = value / MILLI_GPU_SECONDS_PER_GPU_HOUR if unit == "milli_gpu_seconds" else value
        return tr("{hours} GPU-h", hours=numbers.one_decimal(hours))
    return ""


def _column(trace: Trace, at: int, column: TraceColumn) -> list[str]:
    """The texts of a column, and last that of its total: whole amounts that add up to it, where it is a sum."""
    values = [row.values[at] for row in trace.rows]
    adds = _adds(trace, at)
    numbers_only = [value for value in values if isinstance(value, int | float)]
    known = len(numbers_only) == len(values)
    if not (adds and column.unit in ROUNDED_TOGETHER and known and values):
        total = sum(numbers_only) if adds and known else None
        return [
            *(written(value, column.unit) for value in values),
            written(total, column.unit) if adds else "",
        ]
    scale = MILLI_GPU_SECONDS_PER_GPU_HOUR if column.unit == "milli_gpu_seconds" else 1
    amounts: list[float | None] = [value / scale for value in numbers_only]
    whole = largest_remainder(amounts, _written_total(trace, at, sum(numbers_only) / scale))
    return [
        *(numbers.whole(value) for value in whole),
        numbers.whole(float(sum(value or 0 for value in whole))),
    ]


def _written_total(trace: Trace, at: int, total: float) -> float | None:
    """What a column is rounded to: the figure as it is written, where it is their sum but for a dollar."""
    is_figure = isinstance(trace.arrival, Adds) and trace.arrival.column == at and trace.unit == "usd"
    value = trace.value
    if not is_figure or not isinstance(value, int) or abs(value - total) > len(trace.rows) + 3:
        return None
    return float(value)


def _adds(trace: Trace, at: int) -> bool:
    """Whether the sum of a column means something: where rows are parts of one whole."""
    unit, arrival = trace.columns[at].unit, trace.arrival
    if any(isinstance(row.values[at], Amount) for row in trace.rows):
        return False
    if isinstance(arrival, Adds) and at == arrival.column and unit in ("ms", "decimal", "exact"):
        return True
    if isinstance(arrival, Adds):
        return unit in ADDITIVE and (at == arrival.column or unit not in ("hours", "gpus"))
    return isinstance(arrival, Divides) and unit in ADDITIVE


def _total(trace: Trace, sums: Sequence[str]) -> Row:
    """The last row: what the rows come to."""
    names = {
        Quotient: tr("First \u00f7 second"),
        Multiplies: tr("Product"),
        Adds: tr("Total"),
        Divides: tr("Total"),
        Reached: tr("Comes to"),
    }
    name = names.get(type(trace.arrival), f"{numbers.counted(len(trace.rows), 'row')}")
    cells = [Cell(text) for text in sums]
    value = written(trace.value, trace.unit)
    if isinstance(trace.arrival, Quotient | Multiplies):
        cells[trace.arrival.column] = Cell(value)
    elif isinstance(trace.arrival, Reached):
        cells[0] = Cell(value)
    elif isinstance(trace.arrival, Divides):
        shares = [at for at, column in enumerate(trace.columns) if column.unit in ("share", "ms")]
        if shares and shares[-1] not in (trace.arrival.top, trace.arrival.bottom):
            cells[shares[-1]] = Cell(value)
    return Row((Cell(name), *cells), is_total=True)


# --- Who answers "Why this number?" for the figures of the audit: asks for the trace, shows it, follows its rows

Sources = tuple[tuple[Collection[str], Callable[[str], Trace]], ...]
"""Kinds of figures that are answered at once, and what answers for them; those of the audit take a thread."""


OF_PLACES = frozenset(places.WHY)
"""Figures whose inputs are users and sites, not jobs and contracts."""


class AnsweringDialog(Protocol):
    """A dialog that knows why its figures are what they are."""

    figure_opened: Any  # Signal: figure id, the widget it stands in, and where (QRect; None: all of it)

    def trace(self, figure_id: str) -> Trace:
        """The answer for one of its figures. Errors: KeyError where it is none of its own."""


class WayBack(Protocol):
    """A sheet that can lead back to where it was opened."""

    accepted: Any  # Signal: the way back was taken
    rejected: Any  # Signal: it was closed

    def offer_way_back(self) -> None:
        """Show the button for it."""


class AuditQuestions(QObject):
    """Told what is shown by a function; a popover says the answer, the trace of a row stands in the same popover.

    sources: who answers for figures that are none of the audit's; own_inputs: what was read for some of their kinds.
    """

    # CardFigures, hours of the window that count (None: all), in words
    jobs_asked = Signal(object, object, object)
    failed = Signal(object)

    def __init__(self, popover: WhyPopover, shown: Callable[[], ViewState | None], parent: QWidget) -> None:
        super().__init__(parent)
        self._popover, self._shown = popover, shown
        self._origin: tuple[QWidget, QRect | None] | None = None
        self._own: Callable[[str], Trace] | None = None  # of the dialog whose figure was asked about
        self._is_next = False
        self._left: tuple[Why, ...] = ()  # the answers that the jobs were opened from
        self._left_at: tuple[QWidget, QRect | None] | None = None
        self.sources: Sources = ()
        self.own_inputs: dict[str, Callable[[], Pairs]] = {}
        self.tracer = Tracer(self)
        self.tracer.answered.connect(self._take)
        self.tracer.failed.connect(self.failed)
        popover.followed.connect(self.follow)

    def ask(self, figure_id: str, origin: QWidget, place: QRect | None = None) -> None:
        """Answer for a figure that stands at a place of a widget."""
        self._origin, self._is_next, self._own = (origin, place), False, None
        self._ask(figure_id)

    def answer_for(self, dialog: AnsweringDialog) -> None:
        """A dialog that is not yet done: it answers for its own figures, the window for those of the project."""

        def ask(figure_id: str, origin: QWidget, place: QRect | None) -> None:
            """Asks for a dialog's figure, and answers beside it."""
            self._origin, self._is_next, self._own = (origin, place), False, dialog.trace
            self._ask(figure_id)

        dialog.figure_opened.connect(ask)

    def show(self, answer: Why, origin: QWidget) -> None:
        """An answer that is there; its rows lead on as those of others do."""
        self._origin, self._own = (origin, None), None
        self._popover.show_why(answer, origin)

    def follow(self, figure_id: str) -> None:
        """A row of the answer that is shown was opened: the next answer, or the jobs behind it."""
        kind, scope, key = parts_of(figure_id)
        if kind == JOBS:
            self._open_jobs(scope, key)
        else:
            self._is_next = True
            self._ask(figure_id)

    @property
    def can_resume(self) -> bool:
        """Whether the jobs in sight were opened from an answer that can be come back to."""
        return bool(self._left)

    def offer_way_back(self, sheet: WayBack) -> None:
        """A sheet of jobs that was opened from an answer leads back to it."""
        if self.can_resume:
            sheet.offer_way_back()
            sheet.accepted.connect(self.resume)
            sheet.rejected.connect(self.forget)

    def resume(self) -> None:
        """Back from the jobs to the answer that they were opened from, with the way that led there."""
        left, self._left = self._left, ()
        # of the jobs themselves much may have been asked
        at, self._left_at, self._own = (self._left_at, None, None)
        if not left or at is None or self._shown() is None:
            return
        if not (isValid(at[0]) and at[0].isVisible()):  # drawn anew, or closed, while the jobs were looked at
            window = self._popover.parentWidget()
            assert window is not None, "it stands over a window"
            at = (window, QRect(window.rect().center(), QSize(1, 1)))
        self._origin = at
        self._popover.show_again(left, *at)

    def forget(self) -> None:
        """The jobs are closed for good."""
        self._left = ()

    def _ask(self, figure_id: str) -> None:
        """Finds the trace: a dialog's own figures first, then the first source that knows the kind."""
        shown = self._shown()
        if self._own is not None:
            try:
                self._take(replace(self._own(figure_id), figure_id=figure_id))
            except (KeyError, StopIteration):  # it is none of the dialog's own
                pass
            else:
                return
        if shown is None:
            return
        answer = next((answer for kinds, answer in self.sources if parts_of(figure_id)[0] in kinds), None)
        if answer is not None:
            try:
                trace = answer(figure_id)
            except (
                KeyError,
                StopIteration,
            ):  # what is shown is of a moment before: a new answer is on its way
                self._say_settling()
                return
            self._take(trace)
        else:
            evaluation = shown.evaluation
            self.tracer.ask(evaluation.project, evaluation.audit, figure_id, shown.fit or ())

    def _say_settling(self) -> None:
        """Says beside the figure that it is being worked out anew."""
        if self._origin is not None and isValid(self._origin[0]):
            widget, place = self._origin
            at = (place or widget.rect()).bottomLeft()
            show_tip_at(widget.mapToGlobal(at), tr("This figure is settling. Ask again in a moment."), widget)

    def _take(self, trace: Trace) -> None:
        """Shows an answer at its figure, or after the one that is open.

        Drops it where the figure is gone by now.
        """
        shown, kind = self._shown(), parts_of(trace.figure_id)[0]
        own = self.own_inputs.get(kind)
        if self._origin is None or not isValid(self._origin[0]) or (shown is None and own is None):
            return
        inputs = own() if own is not None else inputs_of(shown, of_places=kind in OF_PLACES) if shown else ()
        answer = why_of(trace, inputs)
        if self._is_next and self._popover.isVisible():
            self._popover.show_next(answer)
        elif not self._is_next and self._origin[0].isVisible():
            self._popover.show_why(answer, *self._origin)

    def _open_jobs(self, scope: str, key: str) -> None:
        """Opens the jobs of a card, in the hours of the answer's scope.

        The answer comes back when they are closed.
        """
        shown, evidence = self._shown(), self.tracer.evidence
        card: CardFigures | None = (
            next((one for one in shown.cards if one.key == key), None) if shown else None
        )
        if card is None or (scope and evidence is None):
            return
        self._left, self._left_at = self._popover.answers, self._origin
        self._popover.hide()
        if not scope or evidence is None:
            self.jobs_asked.emit(card, None, "")
            return
        inside = hours_in(scope, evidence.project.window, evidence.hours(card.cluster))
        self.jobs_asked.emit(card, inside, scope_words(scope, card.cluster))
