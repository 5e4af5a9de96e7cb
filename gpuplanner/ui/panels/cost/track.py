"""Track: the plan against what came: from what was planned to what was paid, and what is left of each contract."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.app.past.tracking import TrackFiles
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.changes import TRACK
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.reports import changes
from gpuplanner.domain.reports.report import Report
from gpuplanner.domain.track.track import Track
from gpuplanner.files.system.resources import long_text, views_of
from gpuplanner.ui.kit.layout import STRETCH, add, row
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, named_button
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.state.waterfall_steps import Amount
from gpuplanner.ui.state.waterfall_steps import steps_of as bars_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.seen_chart import SeenChart, new_waterfall, waterfall_sheet

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

OF_A_PLAN: Final = worded("Open a plan to compare it with actuals.")
SETTLING: Final = worded("Working out the plan.")
HOW_TO: Final = long_text("track_how_to")
CHANGED: Final = worded("The plan has changed: compare again")
NOTHING_YET: Final = worded("No comparison yet.")
CANCELLED: Final = worded("It was cancelled.")
KINDS: Final = views_of("track_files")
"""What is chosen, from left to right: what it is called, and what it is for."""
TABLES: Final[tuple[tuple[str, Report, Message], ...]] = (
    ("moved", changes.MOVED, worded("Causes by pool and GPU model")),
    ("quarters", changes.QUARTERS, worded("Quarters, plan vs. actual")),
    ("workloads", changes.BY_WORKLOAD, worded("Workloads, plan vs. actual")),
    ("contracts", changes.BURN_DOWNS, worded("Contracts with remaining commitment")),
)
"""Below the chart, each with what it is called to who listens."""
CHART_PX: Final = 190


class TrackPanel(Panel):
    """Told what is shown; asks for files, and for the comparison of a plan with them."""

    about = About(
        name="track", title=worded("Plan vs. actual"), beside="contracts", letter="K", is_closed=True
    )

    files_asked = Signal(str)  # jobs, contracts or prices
    compare_asked = Signal(object, object)  # Evaluation, TrackFiles
    cancel_asked = Signal()
    book_asked = Signal(object)  # Track
    figure_opened = Signal(str, object, object)  # figure id, the chart, and where in it (QRect)

    def build(self) -> None:
        self.files = TrackFiles()
        self._found: tuple[Track, Advice | None] | None = None
        self._asked_of: Advice | None = None
        self.is_busy = False
        self.headline = label(step="strong", is_wrapped=True)
        self.note = muted_label()
        self.chosen = muted_label()
        self.buttons = {kind: named_button(title, tip, self._asks(kind)) for kind, title, tip in KINDS}
        self.compare = named_button(worded("Compare"), worded("Compare with the chosen log"), self.ask)
        self.cancel = named_button(worded("Cancel"), worded("Stop reading and comparing"), self._cancel)
        self.again = named_button(worded("Start over"), worded("Without the chosen files"), self._start_over)
        words, tip = worded("Workbook\u2026"), worded("Plan vs. actual as a workbook")
        self.book = named_button(words, tip, lambda: self.book_asked.emit(self.track))
        self.tables = {name: FigureTable(tr(title)) for name, _, title in TABLES}
        self.headings = {name: heading_label(report.title) for name, report, _ in TABLES}
        self.notes = {name: muted_label(report.note) for name, report, _ in TABLES}
        unit = muted_label(worded("$ in this time"), is_wrapped=False)
        self._chart_parts: list[QWidget] = [label(tr(changes.STEPS.title), step="strong"), unit]
        self._head = row(*self._chart_parts, STRETCH)
        new = partial(new_waterfall, changes.STEPS.title)
        self.chart = SeenChart(new, self._put, self._sheet, self._head)
        columns = TwoColumns(6)
        self.scrolled(worded("Plan vs. actual"), (14, 10, 12, 12), 6).addWidget(columns)
        ask = row(self.compare, self.cancel, self.again, self.book, STRETCH)
        asked = (row(*self.buttons.values(), STRETCH), self.chosen, ask)
        self._rows = add(columns.first, *asked, self.headline, self.note, self._head)
        for name, table in self.tables.items():
            side = columns.first if name == TABLES[0][0] else columns.second
            add(side, self.headings[name], table, self.notes[name])
        columns.first.addStretch()
        columns.second.addStretch()
        self.fill(self.scroll_area)
        self._say_files()
        self._show(None)

    def draw(self, shown: ViewState) -> None:
        """Say what can be compared; what was found last stays, and says when its plan has changed."""
        is_ready = not shown.is_today and shown.evaluation.advice is not None
        self.compare.setEnabled(is_ready and bool(self.files.jobs) and not self.is_busy)
        self.cancel.setVisible(self.is_busy)
        if shown.is_today:
            self._say(OF_A_PLAN, HOW_TO)
        elif shown.evaluation.advice is None:
            self._say(SETTLING, HOW_TO)
        elif self._found is None:
            self._say(NOTHING_YET, HOW_TO)
        else:
            track, advice = self._found
            notes = [changes.beside(track), *track.notes]
            if advice is not shown.evaluation.advice:
                notes.insert(0, CHANGED)
            self._say(changes.headline(track), joined([words for words in notes if str(words)], ". "))
        self._show(self.track if is_ready else None)

    def take_files(self, kind: str, paths: tuple[str, ...]) -> None:
        """Other files of one kind; a log is compared at once."""
        given = {"jobs": self.files.jobs, "contracts": self.files.contracts, "prices": self.files.prices}
        self.files = TrackFiles(**{**given, kind: paths})
        self._say_files()
        self.redraw()
        if self.files.jobs:
            self.ask()

    def ask(self) -> None:
        """Have the plan that is shown compared, where there are a plan and a log."""
        shown = self._shown
        if shown is None or shown.is_today or shown.evaluation.advice is None or not self.files.jobs:
            return
        self.is_busy, self._asked_of = True, shown.evaluation.advice
        self.compare_asked.emit(shown.evaluation, self.files)
        self.redraw()

    def show_track(self, track: Track) -> None:
        """A comparison is there."""
        self.is_busy, self._found = False, (track, self._asked_of)
        self.redraw()

    def show_progress(self, share: float, doing: Text) -> None:
        """What is being done, as long as nothing is compared."""
        if self.is_busy:
            self.note.setText(spoken(doing))

    def show_failure(self, error: Exception) -> None:
        """Why nothing could be compared; what was found last is of other files."""
        self.is_busy, self._found = False, None
        self.redraw()
        why = error.message if isinstance(error, PlannerError) else str(error)
        self.note.setText(spoken(worded("Cannot be compared: {error}", error=why)))

    @property
    def track(self) -> Track | None:
        """What is shown; None while nothing is compared."""
        if self._found is None:
            return None
        track, _ = self._found
        return track

    # Inside

    def _asks(self, kind: str) -> Callable[[], None]:
        return lambda: self.files_asked.emit(kind)

    def _cancel(self) -> None:
        """Wants no answer any more."""
        self.is_busy = False
        self.cancel_asked.emit()
        self.redraw()
        if self._found is None:
            self.note.setText(tr(CANCELLED))

    def _start_over(self) -> None:
        """Nothing is chosen and nothing compared."""
        self._cancel()
        self.files, self._found = TrackFiles(), None
        self._say_files()
        self.redraw()

    def _say(self, head: Text, note: Text) -> None:
        self.headline.setText(spoken(head))
        self.note.setText(spoken(note))

    def _say_files(self) -> None:
        """The names of the files that are chosen."""
        chosen = (self.files.jobs, self.files.contracts, self.files.prices)
        self.chosen.show_text(", ".join(Path(path).name for paths in chosen for path in paths))
        self.again.setVisible(bool(self.chosen.text()))

    def _show(self, track: Track | None) -> None:
        """The chart and the tables; nothing of them without a comparison."""
        if track is not None:
            self.chart.ready().show_steps(_bars(track))
            self.chart.menu.refresh()
        seen = () if self.chart.plot is None else (self.chart.plot, self.chart.menu.button)
        for part in (*self._chart_parts, *seen, self.book):
            part.setVisible(track is not None)
        for name, report, _ in TABLES:
            rows = () if track is None else table_rows(report, track)
            self.tables[name].show_all(table_columns(report), rows)
            self.headings[name].setVisible(bool(rows))
            self.notes[name].setVisible(bool(rows and report.note))

    def _put(self, chart: "WaterfallPlot") -> None:
        chart.setFixedHeight(text_px(CHART_PX))
        self._rows.insertWidget(self._rows.indexOf(self._head) + 1, chart)
        chart.step_opened.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, chart, chart.place_of_current())
        )

    def _sheet(self) -> Any:
        if (shown := self._shown) is None or self._found is None:
            return None
        return waterfall_sheet(self.chart, changes.STEPS.title, tr("$ in this time"), source_words(shown))


def _kind_of(step: changes.TrackStep, first: changes.TrackStep) -> Literal["start", "step", "result"]:
    """Return the kind of a step's bar: the planned cost is first, changes follow, and results are at the end."""
    if step.is_change:
        return "step"
    return "start" if step is first else "result"


def _bars(track: Track) -> Any:
    """What was planned, what moved it, and what was paid, as bars of whole dollars that add up."""
    steps = changes.steps_of(track)
    return bars_of(
        [
            Amount(
                name=step.name if step.is_change else TRACK[step.what].short,
                note="",
                usd=step.moved if step.is_change else step.level,
                kind=_kind_of(step, steps[0]),
                tip=step.means,
                figure_id=figure("track_step", step.what),
            )
            for step in steps
        ],
        worded("in this time"),
    )
