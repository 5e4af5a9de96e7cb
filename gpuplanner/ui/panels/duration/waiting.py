"""Waiting: what each size costs and how long people wait on it, the plan's waits, and a target that finds a size."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.charts.kit.plain_text import sentence, spoken, tr
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.queue.frontier import FrontierPoint
from gpuplanner.domain.queue.rows import QueueRow
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import Target
from gpuplanner.domain.reports.report import Report
from gpuplanner.domain.reports.waiting import (
    OF_POOLS,
    SIZES,
    WINDOWS,
    longest_wait,
    target_words,
    today_p90_h,
    trust_words,
)
from gpuplanner.ui.kit.dialogs import ValueField
from gpuplanner.ui.kit.layout import add, named, row, share
from gpuplanner.ui.kit.page_parts import TwoColumns, choice_of, heading_label, label, muted_label
from gpuplanner.ui.kit.theme import Palette, in_use, text_px
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import SeenChart, chart_colours, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of
from gpuplanner.ui.words.window_words import placed_refusal, refusal_words

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.frontier import FrontierChart

CHART_PX: Final = 190
LEAST_H: Final = 0.1
NO_JOBS: Final = worded("No jobs yet. Import a job log to see how long its jobs wait.")
AXES: Final = (
    worded("P90 wait in hours against $ per month; band: as the log corrects it."),
    worded("Cross: some jobs never start there and are in no wait."),
)
TABLES: Final = (
    SIZES.title,
    WINDOWS.title,
    worded("On the GPUs of the plan's first month"),
    worded("On the GPUs of today"),
    worded("Waits as they were"),
)
Subject = tuple[Any, str | None]
"""A pool and a GPU model."""


class WaitingPanel(Panel):
    """Told what is shown and what a replay found; asks for one when it is seen."""

    about = About(
        "waiting",
        worded("Waiting"),
        beside="duration",
        letter="W",
        needs=(Need("workloads", worded("A job log says who waits: import one.")),),
        also=worded("queue, how long will they wait, frontier, cost against wait, P90, target, knee"),
    )

    waiting_asked = Signal(object)  # Target or None

    def build(self) -> None:
        self.waiting: Waiting | None = None
        self._target: Target | None = None
        self._chart = SeenChart(_new_chart, self._put, self._sheet)
        self._headline = label(step="strong", is_wrapped=True)
        self._beside = muted_label()
        self.subject = choice_of(
            tr("Pool and GPU model"), worded("Whose sizes are drawn"), (), lambda _: self._draw_subject()
        )
        self.most = named(
            ValueField(),
            tr("P90 wait at most, hours"),
            worded(
                "Finds the fewest GPUs that keep it; never: on which nobody waits or is sent out; empty: none"
            ),
        )
        self.most.setMaximumWidth(text_px(64))
        self.most.entered.connect(self._take)
        self._found = label(is_wrapped=True)
        self._axes = muted_label()
        self.titles = [heading_label(words) for words in TABLES]
        self.tables = [FigureTable(tr(words)) for words in TABLES]
        self._trust = muted_label()
        columns = TwoColumns(6)
        self.scrolled(worded("Waiting, chart and tables"), (14, 10, 12, 10), 6).addWidget(columns)
        asked = label(tr("P90 at most, h"), of=self.most)
        self._asking = (self.subject, asked, self.most)
        head = row(share(self.subject), asked, self.most, spacing=6)
        self._body = add(
            columns.first, self._headline, self._beside, head, self._found, self._axes, share(None, 0)
        )
        parts = (part for pair in zip(self.titles, self.tables, strict=True) for part in pair)
        add(columns.second, *parts, self._trust, share(None, 0))
        self.fill(self.scroll_area)
        self._say(tr(NO_JOBS))

    # ---- what is asked

    def draw(self, shown: ViewState) -> None:
        """Ask for a replay of the plan that is shown, once its advice is there."""
        if not shown.evaluation.project.workloads:
            self._say(tr(NO_JOBS))
        elif shown.is_today or (shown.advice is not None and not shown.is_settling):
            if self.waiting is None:
                self._say(tr("Replaying the log\u2026"))
            self.waiting_asked.emit(self._target)

    def _take(self, text: str) -> None:
        """Another target for the pool and model that are drawn; an empty field takes it back."""
        is_of_all = text.strip().lower() in ("never", tr("never"))
        most_h = 0.0 if is_of_all else numbers.number_in(text)
        if text.strip() and (most_h is None or most_h < 0):
            self._found.setText(tr("Write hours, such as 4 or 0.5, or never"))
            return
        self.most.show_value(text.strip())
        if self.subject.currentData() is None:  # no job was submitted in the window
            return
        pool, model = self.subject.currentData()
        self._target = None if most_h is None else Target(pool, most_h, model, is_of_all)
        self.waiting_asked.emit(self._target)

    # ---- what came

    def show_progress(self, share: float, doing: Text) -> None:
        """How far the replay is."""
        self._beside.setText(tr("{doing}: {share}", doing=doing, share=numbers.whole_percent(share)))
        self._beside.show()

    def show_failure(self, error: Exception) -> None:
        """Why there is no replay, and what to do."""
        self.waiting = None
        words = refusal_words if getattr(error, "code", "") == "file_missing" else placed_refusal
        self._say(words(error) if isinstance(error, PlannerError) else sentence(str(error)))

    def show_waiting(self, waiting: Waiting) -> None:
        """Show what a replay found; the pool and model that were drawn stay."""
        self.waiting = waiting
        kept, subjects = self.subject.currentData(), [(one.pool, one.gpu_model) for one in waiting.by_model]
        self.subject.blockSignals(True)
        self.subject.clear()
        for pool, model in subjects:
            self.subject.addItem(spoken(joined((POOL_TITLES[pool], model or ""), " ")), (pool, model))
        longest = max(waiting.by_model, key=longest_wait, default=None)
        if longest is not None:
            first = (longest.pool, longest.gpu_model)
            self.subject.setCurrentIndex(subjects.index(kept if kept in subjects else first))
        self.subject.blockSignals(False)
        planned = waiting.by_model if waiting.is_planned else ()
        today = () if planned else waiting.by_model
        self._fill(1, WINDOWS, waiting.windows)
        pools = (planned, today or waiting.today, waiting.measured)
        for at, (report, rows) in enumerate(zip(OF_POOLS.values(), pools, strict=True), 2):
            self._fill(at, report, rows)
        self._headline.setText(spoken(headline_words(waiting)))
        self._beside.hide()
        self._trust.setText("\n".join(map(spoken, trust_words(waiting))))
        for part in (*self._asking, self._trust):
            part.show()
        self._draw_subject()

    def _draw_subject(self) -> None:
        """The sizes of the pool and model that are chosen, as chart and table, and what a target found."""
        points = self._points
        self._fill(0, sizes_of_one(points), points)
        target = None if self.waiting is None else self.waiting.target
        self._found.setText("" if target is None else spoken(target_words(target)))
        self._found.setVisible(target is not None)
        drawn = self._drawn
        self._axes.setText(" ".join(tr(one) for one in AXES[: 1 + any(one.never for one in points)]))
        self._axes.setVisible(len(drawn) > 1)
        if len(drawn) > 1:
            self._chart.ready().show_sizes(drawn, self._colour)
            self._chart.menu.refresh()
        self._chart.show(len(drawn) > 1)

    @property
    def _points(self) -> tuple[FrontierPoint, ...]:
        """The sizes of the pool and model that are chosen, fewest GPUs first."""
        drawn = self.subject.currentData()
        frontier = () if self.waiting is None else self.waiting.frontier
        return tuple(one for one in frontier if (one.pool, one.gpu_model) == drawn)

    @property
    def _drawn(self) -> tuple[FrontierPoint, ...]:
        """Those of them with a known wait."""
        return tuple(one for one in self._points if one.waits.p90_h is not None)

    @property
    def _colour(self) -> str:
        """Of the pool that is drawn."""
        return in_use().lane(lane_of(self.subject.currentData()[0])).name()

    def _fill(self, at: int, report: Any, rows: Any) -> None:
        self.tables[at].show_all(table_columns(report), table_rows(report, rows))
        self.titles[at].setVisible(bool(rows))
        self.tables[at].setVisible(bool(rows))

    def _say(self, text: str) -> None:
        """One sentence instead of a replay."""
        self._headline.setText(text)
        hidden: tuple[QWidget, ...] = (*self._asking, *self.titles, *self.tables)
        for part in (*hidden, self._beside, self._found, self._axes, self._trust):
            part.hide()
        self._chart.show(False)

    def recolour_content(self) -> None:
        """Other colours from now on."""
        super().recolour_content()
        if self.waiting is not None and self.isVisible():
            self._draw_subject()

    # ---- the chart

    def _put(self, chart: "FrontierChart") -> None:
        chart.setFixedHeight(CHART_PX)
        chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._body.insertWidget(self._body.indexOf(self._axes) + 1, chart)

    def _sheet(self) -> Any:
        points, shown, colour = self._drawn, self._shown, self._colour
        if shown is None or len(points) < 2:
            return None

        def make(palette: Palette) -> QWidget:
            made = _new_chart(palette)
            made.show_sizes(points, colour)
            return made

        def rows() -> list[list[str]]:
            return [[spoken(cell.text) for cell in row.cells] for row in table_rows(SIZES, points)]

        columns = tuple(spoken(column.title) for column in table_columns(SIZES))
        title = tr("P90 wait by cost: {name}", name=self.subject.currentText())
        return sheet_of(title, self._axes.text(), source_words(shown), make, columns, rows)


def sizes_of_one(points: Sequence[FrontierPoint]) -> Report:
    """The sizes of one pool and GPU model, which stand above the table; jobs that never start where there are any."""
    left_out = {"pool", "gpu_model"} | ({"never"} if not any(one.never for one in points) else set())
    return replace(SIZES, columns=tuple(one for one in SIZES.columns if one.name not in left_out))


def headline_words(waiting: Waiting) -> Message:
    """The P90 wait of each pool on the plan, beside today's; the longest wait first."""
    today = today_p90_h(waiting)
    rows = sorted(
        waiting.replayed if waiting.is_planned else waiting.measured or waiting.replayed, key=longest_wait
    )[::-1]
    said = [_pool_words(one, today.get(one.pool), waiting.is_planned) for one in rows]
    pools = joined(said, "; ")
    if waiting.is_planned:
        return worded("In the plan's first month one job in ten waits longer than: {pools}", pools=pools)
    return worded("One job in ten waits longer than: {pools}", pools=pools)


def _pool_words(one: QueueRow, today_h: float | None, is_planned: bool) -> Text:
    """Training 3.2 h (today 12 h)."""
    pool, wait = POOL_TITLES[one.pool], hours(one.waits.p90_h)
    if not is_planned:
        return worded("{pool} {wait} h", pool=pool, wait=wait)
    return worded("{pool} {wait} h (today {today} h)", pool=pool, wait=wait, today=hours(today_h))


def hours(value: float | None) -> str:
    """0, 0.3, 12, 206: hours as short as they are told apart, none of them under six minutes."""
    if value is None:
        return numbers.UNKNOWN
    return tr("under 0.1") if 0 < value < LEAST_H else numbers.significant(value, 2 if value < 100 else 3)


def _new_chart(palette: Palette) -> "FrontierChart":
    from gpuplanner.charts.plots.frontier import FrontierChart

    return FrontierChart(chart_colours(palette), hours, numbers.dollars, numbers.short_dollars)
