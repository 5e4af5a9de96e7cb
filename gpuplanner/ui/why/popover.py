""" "Why this number?": a popover under a figure, to read or to copy, and who answers for the audit."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QWidget
from shiboken6 import isValid

from gpuplanner.app.past.audit_answers import Tracer
from gpuplanner.charts.kit.plain_text import on_button, show_tip_at, speak, spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.audit_evidence import hours_in, scope_words
from gpuplanner.domain.evidence.serving import OF_PLACES
from gpuplanner.domain.evidence.trace import (
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
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.writing import WrittenAs
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.kit.dialogs import AnsweringDialog
from gpuplanner.ui.kit.layout import (
    RIGHT,
    STRETCH,
    TOP,
    box,
    column,
    emptied,
    grid,
    named,
    placed,
    row,
    share,
)
from gpuplanner.ui.kit.page_parts import label, muted_label, named_button, tool_button
from gpuplanner.ui.kit.theme import icon, text_px
from gpuplanner.ui.state.view_state import Pairs, ViewState, inputs_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COPY_TABLE

# --- One answer to "Why this number?": its formula, rows and inputs, and the whole of it as text


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a figure is what it is. A row whose key is a figure opens the answer for it."""

    title: str
    formula: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    remark: str = ""
    inputs: Pairs = ()
    readings_title: str = ""
    readings: Pairs = ()
    more: Pairs = ()  # words, and the figure that they open

    def __post_init__(self) -> None:
        speak(self, "title", "formula", "note", "remark", "readings_title")

    @property
    def has_unknown(self) -> bool:
        """Whether a figure in it, or all of what it answers for, is unknown or known in part."""
        said = (
            self.title,
            *(cell.text for row in self.rows for cell in row.cells),
            *(text for _, text in self.readings),
        )
        return any(mark in str(text) for text in said for mark in (numbers.UNKNOWN, numbers.AT_LEAST))

    def as_text(self) -> str:
        """Everything as plain text, for a mail or a note."""
        rows: list[tuple[Text, ...]] = [(self.title,), (self.formula,), (self.note,), ("",)]
        if self.columns:
            rows.append(tuple(column.title for column in self.columns))
            rows += [tuple(cell.text for cell in row.cells) for row in self.rows]
        rows += [(self.remark,), ("",), (tr("Inputs"),), *self.inputs]
        if self.readings:
            rows += [("",), (self.readings_title,), *self.readings]
        return tab_text([map(str, row) for row in rows]).strip() + "\n"


# --- "Why this number?": a popover under a figure with its formula, inputs and rows, to read or to copy

WIDTH = 640
LEAST_TABLE = 120
MARGIN = 8


class WhyPopover(QFrame):
    """Told an answer and the figure it belongs to; says which row was followed, goes back, and returns the keyboard."""

    followed = Signal(str)  # the figure of a row
    editor_asked = Signal(str)  # contract_id: its rate, which the answer lacks
    asking: Callable[[Why], str] = staticmethod(lambda why: "")  # the contract whose rate an answer lacks

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        named(self, tr("Why this number?"), look="popover")
        self._why: Why | None = None
        self._lacking = ""
        self._origin: QWidget | None = None
        self._place: QRect | None = None
        self._before: list[Why] = []
        self.setFixedWidth(text_px(WIDTH))
        head = self._head()
        self._formula, self._note = label(step="strong", is_wrapped=True), muted_label()
        formula = column(self._formula, self._note, margins=(12, 8, 12, 8), spacing=4)
        self.table = FigureTable(tr("Rows"))
        self.table.row_opened.connect(self.followed)
        self._remark = muted_label()
        self._pairs = grid(spacing=(10, 4), shares=(1, 0, 0, 1))
        self._pairs.setColumnMinimumWidth(2, 8)
        self.asked = named_button(tr("Enter a rate"), does=self._edit, is_link=True, takes_enter=True)
        parts = (head, box("box", formula, QFrame()), self.asked, self.table, self._remark, self._pairs)
        answer = column(*parts, margins=(16, 12, 16, 12), spacing=10)
        column(answer, self._foot(), on=self, margins=1, spacing=0)

    def _head(self) -> QHBoxLayout:
        """The title with the ways back and out."""
        ask = label(tr("Why this number?"), step="body", role="muted")
        self._title = label(step="title", is_wrapped=True)
        tip = tr("Back to the previous figure (Backspace)")
        self.back = tool_button(tr("Back"), tip, self.go_back, drawing="chevron_left")
        self._close = tool_button(tr("Close"), tr("Close (Esc)"), self.close, drawing="close")
        words = column(ask, self._title, spacing=2)
        return row(placed(self.back, TOP), share(words), placed(self._close, TOP))

    def _foot(self) -> QFrame:
        """The way to copy the answer, and to the figures it leads on to."""
        self.copy = named_button(
            tr("Copy as text"),
            tr("Copy formula, rows and inputs ({keys})", keys=COPY_TABLE),
            self._copy,
            takes_enter=True,  # outside a dialog it would not press it
            drawn=icon("copy", "text"),
        )
        self._more = row(spacing=8)
        return box("popover_foot", row(self.copy, STRETCH, self._more, margins=(12, 8, 12, 8)), QFrame())

    def show_why(self, why: Why, origin: QWidget, place: QRect | None = None) -> None:
        """Open under the figure, inside the window. place: of the figure in its widget, where it is not all of it."""
        self._origin, self._place, self._before = origin, place, []
        self._show(why)
        self._focus_first(self.copy)

    @property
    def answers(self) -> tuple[Why, ...]:
        """The answer that is shown, after those that Back leads to."""
        return () if self._why is None else (*self._before, self._why)

    def show_again(self, answers: tuple[Why, ...], origin: QWidget, place: QRect | None = None) -> None:
        """Open once more at the last of these answers, with the way that led to it."""
        self._origin, self._place, self._before = origin, place, list(answers[:-1])
        self._show(answers[-1])
        self._focus_first()

    def show_next(self, why: Why) -> None:
        """The answer for a row that was followed; back returns to the one before."""
        if self._why is not None:
            self._before.append(self._why)
        self._show(why)
        self._focus_first()

    def go_back(self) -> None:
        """The answer before."""
        if self._before:
            self._show(self._before.pop())
            self._focus_first()

    def _focus_first(self, first: QWidget | None = None) -> None:
        """The field of what is asked for, else this widget, else rows of which one can be followed."""
        if target := first if self.asked.isHidden() else self.asked:
            target.setFocus(Qt.FocusReason.PopupFocusReason)
            return
        rows = self._why.rows if self._why is not None else ()
        if (opening := next((at for at, row in enumerate(rows) if row.key), None)) is None:
            (self.back if self._before else self.copy).setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self.table.setCurrentIndex(self.table.model().index(opening, 0))
            self.table.setFocus(Qt.FocusReason.PopupFocusReason)

    def _show(self, why: Why) -> None:
        """Shows an answer beside its figure, in the room that it needs."""
        self._why = why
        origin = self._origin
        assert origin is not None, "an answer belongs to a figure"
        self._title.setText(spoken(why.title))
        self._formula.setText(spoken(why.formula))
        self._note.setText(spoken(why.note))
        self.table.row_height = 23 if len(why.rows) <= 8 else 20
        self.table.setAccessibleName(tr("{title}, as a table", title=why.formula or why.title))
        self.table.show_rows((), ())  # another answer: its columns get widths of their own
        self.table.show_whole(why.columns, why.rows)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._remark.show_text(why.remark)
        self._show_pairs(why)
        self._show_more(why)
        self._lacking = self.asking(why)
        self.asked.setVisible(bool(self._lacking))
        words = tr("Enter the rate of {name}…", name=self._lacking)
        named(self.asked, words).setText(on_button(words))
        self.back.setVisible(bool(self._before))
        self._fit(origin)
        self._place_beside(origin)
        self.show()
        self._fit(origin)  # words that are styled may wrap otherwise
        self._place_beside(origin)

    def _edit(self) -> None:
        """Goes, for the editor of the contract to come."""
        self.close()
        self.editor_asked.emit(self._lacking)

    def _place_beside(self, origin: QWidget) -> None:
        """Under the figure, or above it where there is more room; inside the screen wherever the figure is."""
        window = origin.window()  # a sheet may stand beside the main window
        if (main := self.parentWidget()) is not None and window.width() < self.width() + 2 * MARGIN:
            window = main
        under = self._place or QRect(0, 0, origin.width(), origin.height() - 4)
        place = origin.mapToGlobal(under.bottomLeft() + QPoint(0, 4 if self._place else 0))
        right = window.mapToGlobal(QPoint(window.width() - self.width() - 8, 0)).x()
        left = window.mapToGlobal(QPoint(8, 0)).x()
        screen = origin.screen().availableGeometry()
        lowest = max(screen.top() + MARGIN, screen.bottom() - MARGIN - self.height())
        above = origin.mapToGlobal(under.topLeft()).y() - self.height() - 4
        is_above = place.y() > lowest and above >= screen.top() + MARGIN
        y = max(screen.top() + MARGIN, min(above if is_above else place.y(), lowest))
        x = max(left, min(place.x() + 4, right))
        self.move(max(screen.left(), min(x, screen.right() - self.width())), y)

    def _fit(self, origin: QWidget) -> None:
        """As tall as its text, but inside the screen: then the rows scroll and everything else stays in sight."""
        height = self._height_of_all()
        room = origin.screen().availableGeometry().height() - 2 * MARGIN
        if height > room:
            left = max(LEAST_TABLE, self.table.height() - (height - room))
            head = self.table.horizontalHeader().sizeHint().height() + 2
            self.table.setFixedHeight(left - (left - head) % self.table.row_height)  # whole rows: none is cut
            self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
            height = self._height_of_all()
        self.resize(WIDTH, height)

    def _height_of_all(self) -> int:
        """The height of the whole answer in pixels, long texts wrapped."""
        layout = self.layout()
        assert layout is not None
        for inner in (*self.findChildren(QLayout), layout):
            inner.invalidate()  # texts set while it is hidden do not reach the layouts around them
        height = layout.totalHeightForWidth(WIDTH)
        self.resize(WIDTH, height)
        layout.activate()
        wrapped = (self._title, self._formula, self._note, self._remark)
        cut = [label.heightForWidth(label.width()) - label.height() for label in wrapped if label.text()]
        return height + sum(max(0, pixels) for pixels in cut)  # a frame's border can add a line

    def _show_pairs(self, why: Why) -> None:
        """Shows inputs and readings side by side."""
        emptied(self._pairs)
        for at_side, (title, pairs) in enumerate(
            ((tr("Inputs"), why.inputs), (why.readings_title, why.readings))
        ):
            if not pairs:
                continue
            self._pairs.addWidget(label(title, step="small_strong"), 0, 3 * at_side)
            for at, (name, value) in enumerate(pairs, 1):
                left = label(name, step="small", role="" if value else "muted")
                self._pairs.addWidget(left, at, 3 * at_side)
                right = label(value, step="small", role="" if at_side else "muted")
                self._pairs.addWidget(right, at, 3 * at_side + 1, RIGHT)
        for widget in _widgets_in(self._pairs):
            widget.show()  # at once, too: what is hidden has no height to measure

    def _show_more(self, why: Why) -> None:
        """Shows a button for each figure that the answer leads on to."""
        emptied(self._more)
        for words, figure_id in why.more:
            button = named_button(
                on_button(spoken(words)),
                does=lambda _=False, opens=figure_id: self.followed.emit(opens),
                called=words,
                takes_enter=True,
            )
            self._more.addWidget(button)
            button.show()

    def _copy(self) -> None:
        """Puts formula, rows and inputs on the clipboard."""
        if self._why is not None:
            QGuiApplication.clipboard().setText(self._why.as_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies, Backspace goes back, Return presses the button that has the keyboard."""
        if event.key() == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._copy()
        elif event.key() == Qt.Key.Key_Backspace and self._before:
            self.go_back()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._close.hasFocus():
            self._close.click()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.back.hasFocus():
            self.go_back()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Gives the keyboard back to the figure, if it is still there."""
        super().hideEvent(event)
        if self._origin is not None and isValid(self._origin):  # what is drawn anew meanwhile is gone
            self._origin.setFocus(Qt.FocusReason.PopupFocusReason)


def _widgets_in(layout: QLayout) -> list[QWidget]:
    """The widgets that stand in a layout."""
    items = (layout.itemAt(at) for at in range(layout.count()))
    return [widget for item in items if item is not None and (widget := item.widget()) is not None]


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
    least = trace.at_least if trace.value is None else None
    value = (
        in_full(trace.value, trace.unit) if least is None else numbers.AT_LEAST + in_full(least, trace.unit)
    )
    opens = any(row.opens for row in trace.rows)
    texts = [_column(trace, at, column) for at, column in enumerate(trace.columns)]
    more = (Column(title="", is_figure=False, width=24),) if opens else ()
    rows = [
        Row(
            (
                Cell(text=row.name, is_strong=True, tip=row.name),
                *(Cell(text=column[at], tip=_exact(trace, at, place)) for place, column in enumerate(texts)),
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
            Column(title="", is_figure=False),
            *(
                Column(title=column.title, is_figure=_holds_figures(trace, at))
                for at, column in enumerate(trace.columns)
            ),
            *more,
        ),
        rows=(*rows, total),
        remark=spoken(trace.note),
        inputs=inputs,
        readings_title=_readings_title(trace),
        readings=tuple((name, written(reading.value, reading.unit)) for name, reading in trace.readings),
        more=trace.more,
    )


def _readings_title(trace: Trace) -> str:
    """Names the unit where all are dollars; others are of the figure's own."""
    if any(reading.unit != "usd" for _, reading in trace.readings):
        return tr("Other readings")
    return tr("Other readings, $ per month") if trace.readings else ""


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
    return numbers.cents(value) if unit == "rate" and isinstance(value, int | float) else written(value, unit)


def _symbols(trace: Trace, texts: Sequence[Sequence[str]]) -> list[str]:
    """The formula with its numbers: addends as their rows have them, so that both lines add up as they are written."""
    arrival = trace.arrival
    quantities = [symbol for symbol in trace.symbols if isinstance(symbol, Amount)]
    figures = [in_full(quantity.value, quantity.unit) for quantity in quantities]
    if isinstance(arrival, Adds) and trace.columns[arrival.column].unit == "usd":
        of_rows = [row.values[arrival.column] for row in trace.rows]
        if None not in of_rows and [quantity.value for quantity in quantities[:-1]] == of_rows:
            figures[:-1] = [numbers.with_dollar(text) for text in texts[arrival.column][:-1]]
    left = iter(figures)
    return [next(left) if isinstance(symbol, Amount) else spoken(symbol) for symbol in trace.symbols]


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
        return tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(hours))
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
    of_all = numbers.whole(float(sum(value or 0 for value in whole)))
    return [*map(numbers.whole, whole), of_all]


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
    cells = [Cell(text=text) for text in sums]
    value = written(trace.value, trace.unit)
    if isinstance(trace.arrival, Quotient | Multiplies):
        cells[trace.arrival.column] = Cell(text=value)
    elif isinstance(trace.arrival, Reached):
        cells[0] = Cell(text=value)
    elif isinstance(trace.arrival, Divides):
        shares = [at for at, column in enumerate(trace.columns) if column.unit in ("share", "ms")]
        if shares and shares[-1] not in (trace.arrival.top, trace.arrival.bottom):
            cells[shares[-1]] = Cell(text=value)
    return Row((Cell(text=name), *cells), is_total=True)


# --- Who answers "Why this number?" for the figures of the audit: asks for the trace, shows it, follows its rows

Sources = tuple[tuple[Collection[str], Callable[[str], Trace]], ...]
"""Kinds of figures that are answered at once, and what answers for them; those of the audit take a thread."""


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
            show_tip_at(widget.mapToGlobal(at), tr("Still calculating. Try again shortly."), widget)

    def _take(self, trace: Trace) -> None:
        """Shows an answer at its figure, or after the one that is open.

        Drops it where the figure is gone by now.
        """
        shown, kind = self._shown(), parts_of(trace.figure_id)[0]
        own = self.own_inputs.get(kind)
        if self._origin is None or not isValid(self._origin[0]) or (shown is None and own is None):
            return
        if own is not None:
            inputs = own()
        elif shown:
            inputs = inputs_of(shown, of_places=kind in OF_PLACES)
        else:
            inputs = ()
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
