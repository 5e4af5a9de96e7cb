"""Track: the plan against what came: from what was planned to what was paid, and what is left of each contract."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpuplanner.app.questions.tracking import TrackFiles
from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.costs.track import TRACK
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.reports.report import Report
from gpuplanner.domain.reports.track import BURN_DOWNS, MOVED, QUARTERS, STEPS, beside, headline, steps_of
from gpuplanner.domain.track.track import Track
from gpuplanner.ui.kit.labels import heading_label, muted_label, named_button
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.state.waterfall_steps import Amount
from gpuplanner.ui.state.waterfall_steps import steps_of as bars_of
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.translation import spoken, tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

OF_A_PLAN: Final = worded("A plan is held against what came: open one.")
SETTLING: Final = worded("Working out the plan.")
HOW_TO: Final = worded(
    "Choose the job log that came after the plan begins; with the contracts that were signed and the prices of today, "
    "it also says what was decided and paid otherwise."
)
CHANGED: Final = worded("The plan has changed since: compare again")
NOTHING_YET: Final = worded("Nothing is compared yet.")
CANCELLED: Final = worded("It was cancelled.")
KINDS: Final[tuple[tuple[str, Message, Message], ...]] = (
    ("jobs", worded("Log that came\u2026"), worded("Job logs of the time since the plan begins")),
    (
        "contracts",
        worded("Contracts\u2026"),
        worded("What was signed; without it the contracts and orders of the plan"),
    ),
    ("prices", worded("Prices\u2026"), worded("What is asked now; without it the rates of the plan")),
)
"""What is chosen, from left to right: what it is called, and what it is for."""
TABLES: Final[tuple[tuple[str, Report, Message], ...]] = (
    ("moved", MOVED, worded("What moved the plan, by pool and GPU model")),
    ("quarters", QUARTERS, worded("Quarters with what was planned and what came")),
    ("contracts", BURN_DOWNS, worded("Contracts with what is left of each")),
)
"""Below the chart, each with what it is called to who listens."""
CHART_PX: Final = 190
IN_THIS_TIME: Final = worded("in this time")


class TrackPanel(Panel):
    """Told what is shown; asks for files, and for the comparison of a plan with them."""

    about = About(
        "track",
        worded("Plan against what came"),
        beside="recommendations",
        letter="K",
        is_closed=True,
        also=worded(
            "track actuals variance forecast accuracy burn down later log last quarter why were we off wrong budget"
        ),
    )

    files_asked = Signal(str)  # jobs, contracts or prices
    compare_asked = Signal(object, object)  # Evaluation, TrackFiles
    cancel_asked = Signal()

    def build(self) -> None:
        self.chart: Any = None  # charts are imported when the first one is shown
        self.files = TrackFiles()
        self._found: tuple[Track, Advice | None] | None = None
        self._asked_of: Advice | None = None
        self._is_busy = False
        self.headline = muted_label()
        self.headline.setProperty("role", "")
        self.headline.setFont(font("strong"))
        self.note = muted_label()
        self.chosen = muted_label()
        self.buttons = {kind: named_button(title, tip) for kind, title, tip in KINDS}
        for kind, button in self.buttons.items():
            button.clicked.connect(self._asks(kind))
        self.compare = named_button(worded("Compare"), worded("Hold the plan against the chosen log"))
        self.compare.clicked.connect(self.ask)
        self.cancel = named_button(worded("Cancel"), worded("Stop reading and comparing"))
        self.cancel.clicked.connect(self._cancel)
        self.again = named_button(worded("Start over"), worded("Without the files that are chosen"))
        self.again.clicked.connect(self._start_over)
        self.tables = {name: FigureTable(tr(title), self._palette) for name, _, title in TABLES}
        self.headings = {name: heading_label(report.title) for name, report, _ in TABLES}
        self._head = QHBoxLayout()
        title = PlainLabel(tr(STEPS.title))
        title.setFont(font("strong"))
        unit = muted_label(worded("$ in this time"), is_wrapped=False)
        self._chart_parts: list[QWidget] = [title, unit]
        for part in self._chart_parts:
            self._head.addWidget(part)
        self._head.addStretch(1)
        columns = TwoColumns(6)
        self.scrolled(worded("Plan against what came, tables"), (14, 10, 12, 12), 6).addWidget(columns)
        self._rows = columns.first
        choose = QHBoxLayout()
        for button in self.buttons.values():
            choose.addWidget(button)
        choose.addStretch(1)
        do = QHBoxLayout()
        for button in (self.compare, self.cancel, self.again):
            do.addWidget(button)
        do.addStretch(1)
        self._rows.addLayout(choose)
        self._rows.addWidget(self.chosen)
        self._rows.addLayout(do)
        self._rows.addWidget(self.headline)
        self._rows.addWidget(self.note)
        self._rows.addLayout(self._head)
        for name, table in self.tables.items():
            column = columns.first if name == TABLES[0][0] else columns.second
            column.addWidget(self.headings[name])
            column.addWidget(table)
        columns.first.addStretch()
        columns.second.addStretch()
        self.fill(self.scroll_area)
        self._say_files()
        self._show(None)

    def draw(self, shown: ViewState) -> None:
        """Say what can be compared; what was found last stays, and says when its plan has changed."""
        is_ready = not shown.is_today and shown.evaluation.advice is not None
        self.compare.setEnabled(is_ready and bool(self.files.jobs) and not self._is_busy)
        self.cancel.setVisible(self._is_busy)
        if shown.is_today:
            self._say(OF_A_PLAN, HOW_TO)
        elif shown.evaluation.advice is None:
            self._say(SETTLING, HOW_TO)
        elif self._found is None:
            self._say(NOTHING_YET, HOW_TO)
        else:
            found, advice = self._found
            said = [beside(found), *found.notes]
            if advice is not shown.evaluation.advice:
                said.insert(0, CHANGED)
            self._say(headline(found), joined([words for words in said if str(words)], ". "))
        self._show(None if self._found is None or not is_ready else self._found[0])

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
        self._is_busy, self._asked_of = True, shown.evaluation.advice
        self.compare_asked.emit(shown.evaluation, self.files)
        self.redraw()

    def show_track(self, found: Track) -> None:
        """A comparison is there."""
        self._is_busy, self._found = False, (found, self._asked_of)
        self.redraw()

    def show_progress(self, share: float, what: Text) -> None:
        """What is being done, as long as nothing is compared."""
        if self._is_busy:
            self.note.setText(spoken(what))

    def show_failure(self, error: Exception) -> None:
        """Why nothing could be compared; what was found last is of other files."""
        self._is_busy, self._found = False, None
        self.redraw()
        why = error.message if isinstance(error, PlannerError) else str(error)
        self.note.setText(spoken(worded("Cannot be compared: {error}", error=why)))

    @property
    def track(self) -> Track | None:
        """What is shown; None while nothing is compared."""
        return None if self._found is None else self._found[0]

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        if self.chart is not None:
            self.chart.show_colours(chart_colours(palette))
            self._menu.show_palette(palette)

    # Inside

    def _asks(self, kind: str) -> Callable[[], None]:
        return lambda: self.files_asked.emit(kind)

    def _cancel(self) -> None:
        """Wants no answer any more."""
        self._is_busy = False
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
        self.chosen.setText(", ".join(Path(path).name for paths in chosen for path in paths))
        self.chosen.setVisible(bool(self.chosen.text()))
        self.again.setVisible(bool(self.chosen.text()))

    def _show(self, found: Track | None) -> None:
        """The chart and the tables; nothing of them without a comparison."""
        if found is not None:
            self._make()
            self.chart.show_steps(_bars(found))
            self._menu.refresh()
        for part in self._chart_parts:
            part.setVisible(found is not None)
        for name, report, _ in TABLES:
            rows = () if found is None else table_rows(report, found)
            table = self.tables[name]
            table.show_rows(table_columns(report), rows)
            table.fit_height()
            table.setVisible(bool(rows))
            self.headings[name].setVisible(bool(rows))

    def _make(self) -> None:
        if self.chart is not None:
            return
        self.chart = self._new_chart(self._palette)
        self.chart.setFixedHeight(CHART_PX)
        self._rows.insertWidget(self._rows.indexOf(self._head) + 1, self.chart)
        self._menu = ChartMenu(self.chart, self._palette, self._sheet, is_floating=False)
        self._head.addWidget(self._menu.button)
        self._chart_parts += [self.chart, self._menu.button]

    def _new_chart(self, palette: Palette) -> "WaterfallPlot":
        from gpuplanner.charts.plots.waterfall import WaterfallPlot

        return WaterfallPlot(STEPS.title, chart_colours(palette))

    def _sheet(self) -> Any:
        shown = self._shown
        if shown is None or self._found is None:
            return None

        def make(palette: Palette) -> QWidget:
            made = self._new_chart(palette)
            made.show_steps(self.chart.steps)
            return made

        unit, source = tr("$ in this time"), source_words(shown)
        return sheet_of(STEPS.title, unit, source, make, ("", unit), self.chart.table, 320)


def _bars(found: Track) -> Any:
    """What was planned, what moved it, and what was paid, as bars of whole dollars that add up."""
    steps = steps_of(found)
    return bars_of(
        [
            Amount(
                step.name if step.is_change else TRACK[step.what].short,
                "",
                step.moved if step.is_change else step.level,
                "step" if step.is_change else "start" if step is steps[0] else "result",
                step.means,
            )
            for step in steps
        ],
        IN_THIS_TIME,
    )
