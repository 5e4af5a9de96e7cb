"""The panel Waiting: cost and waits of each size, the plan's waits, and a target."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.queue.frontier import FrontierPoint
from gpuplanner.domain.queue.rows import QueueRow, WaitsBy, shared_models
from gpuplanner.domain.queue.sentences import longest_wait, plan_words, target_words, today_p90_h, trust_words
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import Target
from gpuplanner.domain.reports.report import Report
from gpuplanner.domain.reports.waiting import OF_POOLS, SIZES, WINDOWS
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.waits_card import WaitsCard
from gpuplanner.ui.kit import page_parts, two_columns
from gpuplanner.ui.kit.fields import ValueField
from gpuplanner.ui.kit.layout import STRETCH, add, named, row, share
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.window_words import placed_refusal, refusal_words

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.frontier import FrontierChart


CHART_PX: Final = 190
LEAST_H: Final = 0.1
ORDERS: Final = ((worded("By eligible time"), False), (worded("By fair share"), True))
NO_WAITS: Final = worded("Import a job log to see this.")
AXES: Final = (
    worded("P90 wait in hours by $ per month. Band: corrected by the log."),
    worded("Cross: some jobs never start; no wait counts them."),
)
TABLES: Final = (
    SIZES.title,
    WINDOWS.title,
    worded("Replayed on the plan's first-month GPUs"),
    worded("Replaying the log on today's GPUs"),
)


class WaitingPanel(Panel):
    """Told what is shown and what a replay found; asks for one when it is seen."""

    about = About(
        name="waiting",
        title=worded("Waiting"),
        beside="duration",
        letter="W",
        needs=(Need("workloads", worded("Import a job log to see this.")),),
    )

    _rows_of_log: tuple[WaitsBy, ...] = ()

    waiting_asked = Signal(object, bool)  # Target or None; whether on sizes for all pools together
    order_asked = Signal(bool)  # whether by fair share
    limits_asked = Signal(bool)  # whether limits of a file apply

    def build(self) -> None:
        self.waiting: Waiting | None = None
        self._of = ""  # the scenario that is replayed
        self._target: Target | None = None
        self.chart = SeenChart(_new_frontier, self._put, self._sheet)
        self.headline = page_parts.label(step="strong", is_wrapped=True)
        self.compared = page_parts.muted_label()
        name, choose = tr("Pool and GPU model"), lambda _: self._choose_subject()
        tip = worded("Pool of the sizes drawn; shared: all pools of the GPU model")
        self.subject = page_parts.choice_of(name, tip, (), choose)
        self.most = named(
            ValueField(),
            tr("P90 limit, h"),
            worded("Finds the fewest GPUs. “never”: no waits, no on-demand jobs. Empty: no target"),
        )
        self.most.setMaximumWidth(text_px(64))
        self.most.entered.connect(self._take)
        self.outcome = page_parts.label(is_wrapped=True)
        self.calibration = page_parts.label(is_wrapped=True)
        tip = worded("From the capacity where replay and log agree")
        self.calibrate = page_parts.named_button(tr("Calibrate capacity"), tip, self._draw_subject)
        self.calibrate.setCheckable(True)
        tip = worded("First starts the account with the least use for its share")
        name, choose = tr("Order of jobs"), lambda _: self.order_asked.emit(self.order.currentData())
        self.order = page_parts.choice_of(name, tip, ORDERS, choose, 10)
        tip = worded("Limits of users, accounts, QOS and partitions from a table")
        self.limits = page_parts.named_button(tr("Import limits\u2026"), tip, self.limits_asked)
        self.limits.setCheckable(True)
        self.axes = page_parts.muted_label()
        self.titles = [page_parts.label(words, step="title", is_wrapped=True) for words in TABLES]
        self.tables = [FigureTable(tr(words)) for words in TABLES]
        self.log_waits = WaitsCard()
        self.log_waits.show_waits(self._rows_of_log)
        self.trust = page_parts.muted_label()
        columns = two_columns.TwoColumns(6)
        self.scrolled(worded("Waiting"), (14, 10, 12, 10), 6).addWidget(columns)
        asked = page_parts.label(tr("P90 limit, h"), of=self.most)
        self._asking = (self.subject, asked, self.most, self.order, self.limits)
        rules = row(self.order, self.limits, STRETCH, spacing=6)
        head = (row(share(self.subject), asked, self.most, spacing=6), rules)
        first = (
            self.headline,
            *head,
            self.outcome,
            self.calibration,
            self.calibrate,
            self.axes,
            self.compared,
        )
        self._body = add(columns.first, *first, share(None, 0))
        parts = (part for pair in zip(self.titles, self.tables, strict=True) for part in pair)
        add(columns.second, *parts, self.log_waits.frame, self.trust, share(None, 0))
        self.fill(self.scroll_area)
        self._say(tr(NO_WAITS))

    # ---- what is asked

    def draw(self, shown: ViewState) -> None:
        """Ask for a replay of the plan that is shown, once its advice is there."""
        if not shown.evaluation.project.workloads:
            self._say(tr(NO_WAITS))
            return
        if self._of != shown.evaluation.scenario:  # no figure of one stands under the name of another
            self.waiting, self._of = None, shown.evaluation.scenario
        if self.waiting is None:
            self._say(tr("Replaying the log\u2026"))
        self.show_rules(shown.evaluation.project)
        if shown.is_today or (shown.advice is not None and not shown.is_settling):
            self.waiting_asked.emit(self._target, self._is_together)

    @property
    def _is_together(self) -> bool:
        """Whether sizes for all pools are drawn: until somebody chooses one alone, whoever shares GPUs shares them."""
        drawn = self.subject.currentData()
        return drawn is None or drawn[-1]

    def _choose_subject(self) -> None:
        """Draw the sizes of another pool, and ask for them: what is under way may be of others."""
        self._draw_subject()
        if self.waiting is not None:
            self.waiting_asked.emit(self._target, self._is_together)

    def show_rules(self, project: Project) -> None:
        """Show by which rules the queue of a project is replayed."""
        self.limits.setChecked(bool(project.queue_limits))
        page_parts.refill(self.order, ORDERS, bool(project.is_fair_share))

    def _take(self, text: str) -> None:
        """Another target for the pool and model that are drawn; an empty field takes it back."""
        is_of_all = text.strip().lower() in ("never", tr("never"))
        most_h = 0.0 if is_of_all else numbers.number_in(text)
        if text.strip() and (most_h is None or most_h < 0):
            self.outcome.setText(tr("Write hours, such as 4 or 0.5, or never"))
            return
        self.most.show_value(text.strip())
        if self.subject.currentData() is None:  # no job was submitted in the window
            return
        pool, model, is_together = self.subject.currentData()
        self._target = None if most_h is None else Target(pool, most_h, model, is_of_all)
        self.waiting_asked.emit(self._target, is_together)

    # ---- what came

    def show_progress(self, share: float, doing: Text) -> None:
        """How far the replay is."""
        self.compared.setText(tr("{title}: {value}", title=doing, value=numbers.whole_percent(share)))
        self.compared.show()

    def show_failure(self, error: Exception) -> None:
        """Why there is no replay, and what to do."""
        self.waiting = None
        words = refusal_words if getattr(error, "code", "") == "file_missing" else placed_refusal
        self._say(words(error) if isinstance(error, PlannerError) else sentence(str(error)))

    def show_waiting(self, waiting: Waiting) -> None:
        """Show what a replay found; the pool and model that were drawn stay."""
        is_answer = waiting.target not in (None, self.waiting and self.waiting.target)
        self.waiting = waiting
        kept, named = self.subject.currentData(), subjects_of(waiting.by_model)
        self.subject.blockSignals(True)
        self.subject.clear()
        for subject, words in named.items():
            self.subject.addItem(spoken(words), subject)
        if subjects := list(named):
            longest = max(waiting.by_model, key=longest_wait)
            first = next(one for one in subjects if one[:2] == (longest.pool, longest.gpu_model))
            self.subject.setCurrentIndex(subjects.index(kept if kept in subjects else first))
        self.subject.blockSignals(False)
        planned = waiting.by_model if waiting.is_planned else ()
        today = () if planned else waiting.by_model
        self._fill(1, WINDOWS, waiting.windows)
        self._fill(2, OF_POOLS["plan"], planned)
        self._fill(3, OF_POOLS["today"], today or waiting.today)
        self.headline.setText(spoken(headline_words(waiting)))
        self.compared.show_text("")
        self.trust.setText("\n".join(map(spoken, trust_words(waiting))))
        self.calibrate.setVisible(any(of.agreed for of in waiting.models))
        for part in (*self._asking, self.trust):
            part.show()
        self._draw_subject()
        if is_answer and len(self._drawn) > 1:
            QTimer.singleShot(0, self, self._show_chart_of_answer)  # once it is laid out

    def _show_chart_of_answer(self) -> None:
        """All of the chart under a target's answer, which pushed it down (`ensureWidgetVisible` takes its cursor)."""
        chart = self.chart.ready()
        area, foot = self.scroll_area, QPoint(0, chart.height())
        area.ensureVisible(0, chart.mapTo(area.widget(), foot).y(), 0, 6)

    def show_log_waits(self, rows: tuple[WaitsBy, ...] | None) -> None:
        """The log's own waits, now or once the panel is seen; None: unknown."""
        self._rows_of_log = rows or ()
        if self.is_built:
            self.log_waits.show_waits(self._rows_of_log)

    def _draw_subject(self) -> None:
        """The sizes of the pool and model that are chosen, as chart and table, and what a target found."""
        points = self.list_points
        self._fill(0, sizes_of_one(points), points)
        if (waiting := self.waiting) is not None and (drawn := self.subject.currentData()):
            models = tuple(of for of in waiting.models if of.gpu_model == drawn[1])
            self.calibration.show_text(
                "\n".join(map(spoken, plan_words(replace(waiting, models=models, on_demand={}))))
            )
        target = None if self.waiting is None else self.waiting.target
        sizes = () if self.waiting is None else self.waiting.frontier
        self.outcome.show_text("" if target is None else spoken(target_words(target, sizes)))
        drawn = self._drawn
        self.axes.setText(" ".join(tr(axis) for axis in AXES[: 1 + any(point.never for point in points)]))
        self.axes.setVisible(len(drawn) > 1)
        if len(drawn) > 1:
            self.chart.ready().show_sizes(drawn, self._colour)
            self.chart.menu.refresh()
        self.chart.show(len(drawn) > 1)

    @property
    def shown_waiting(self) -> Waiting | None:
        """The replay with the sizes that are shown: at the calibrated capacity if that is chosen."""
        if self.waiting is None or not self.calibrate.isChecked():
            return self.waiting
        return self.waiting.calibrated_capacity

    @property
    def list_points(self) -> tuple[FrontierPoint, ...]:
        """The sizes of the pool and model that are chosen, fewest GPUs first."""
        drawn = self.subject.currentData()
        waiting = self.shown_waiting
        frontier = () if waiting is None else waiting.frontier
        return tuple(point for point in frontier if (point.pool, point.gpu_model, point.is_together) == drawn)

    @property
    def _drawn(self) -> tuple[FrontierPoint, ...]:
        """Those of them with a known wait."""
        return tuple(point for point in self.list_points if point.waits.p90_h is not None)

    @property
    def _colour(self) -> str:
        """Of the pool that is drawn."""
        return in_use().lane(lane_of(self.subject.currentData()[0])).name()

    def _fill(self, at: int, report: Any, rows: Any) -> None:
        self.tables[at].show_all(table_columns(report), table_rows(report, rows))
        self.titles[at].setVisible(bool(rows))

    def _say(self, text: str) -> None:
        """One sentence instead of a replay."""
        self.headline.setText(text)
        hidden: tuple[QWidget, ...] = (*self._asking, *self.titles, *self.tables)
        for part in (
            *hidden,
            self.compared,
            self.outcome,
            self.calibration,
            self.calibrate,
            self.axes,
            self.trust,
        ):
            part.hide()
        self.chart.show(False)

    def recolour_content(self) -> None:
        """Other colours from now on."""
        super().recolour_content()
        if self.waiting is not None and self.isVisible():
            self._draw_subject()

    # ---- the chart

    def _put(self, chart: "FrontierChart") -> None:
        chart.setFixedHeight(text_px(CHART_PX))
        chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._body.insertWidget(self._body.indexOf(self.axes) + 1, chart)

    def _sheet(self) -> Any:
        points, shown, colour = self._drawn, self._shown, self._colour
        if shown is None or len(points) < 2:
            return None

        def make(palette: Palette) -> QWidget:
            made = _new_frontier(palette)
            made.show_sizes(points, colour)
            return made

        def rows() -> list[list[str]]:
            return [[spoken(cell.text) for cell in row.cells] for row in table_rows(SIZES, points)]

        columns = tuple(spoken(column.title) for column in table_columns(SIZES))
        title = tr("P90 wait by cost: {name}", name=self.subject.currentText())
        return sheet_of(title, self.axes.text(), source_words(shown), make, columns, rows)


def subjects_of(rows: Sequence[QueueRow]) -> dict[tuple[Pool, str | None, bool], Text]:
    """Whose sizes can be drawn, and what they are called: pools of one GPU model together, then each alone."""
    models, found = shared_models(rows), dict[tuple[Pool, str | None, bool], Text]()
    for is_together, of in ((True, worded("shared")), (False, worded("alone"))):
        for one in rows:
            is_shared = one.gpu_model in models
            name = joined((POOL_TITLES[one.pool], one.gpu_model or ""), " ")
            if is_shared or not is_together:
                words = joined((name, of), ", ") if is_shared else name
                found[one.pool, one.gpu_model, is_together] = words
    return found


def sizes_of_one(points: Sequence[FrontierPoint]) -> Report:
    """The sizes of one pool and GPU model, which stand above the table; jobs that never start where there are any.

    Without P50, so that what a size is stays in sight in a narrow dock.
    """
    left_out = {"pool", "gpu_model", "p50_h"} | ({"never"} if not any(one.never for one in points) else set())
    return replace(SIZES, columns=tuple(column for column in SIZES.columns if column.name not in left_out))


def headline_words(waiting: Waiting) -> Message:
    """The P90 wait of each pool on the plan, beside today's, both replayed; or in the log. The longest wait first."""
    today = today_p90_h(waiting)
    measured = waiting.replayed if waiting.is_planned else waiting.measured or waiting.replayed
    rows = sorted(measured, key=longest_wait)[::-1]
    was = {row.pool: row.waits.p90_h for row in waiting.measured}
    words = [
        _pool_words(waits, today.get(waits.pool), was.get(waits.pool), waiting.is_planned) for waits in rows
    ]
    pools = joined(words, "; ")
    if waiting.is_changed:
        return long_text("wait_without_growth", pools=pools)
    if waiting.is_planned:
        return worded("Plan's first month, all GPU models: 10% of jobs wait longer than {pools}", pools=pools)
    if waiting.measured:
        return worded("In the log, 10% of jobs waited longer than {pools}", pools=pools)
    return worded("On today's GPUs, 10% of jobs wait longer than {pools}", pools=pools)


def _pool_words(one: QueueRow, today_h: float | None, was_h: float | None, is_planned: bool) -> Text:
    """Training 3.2 h (on today's GPUs 12 h), and how long it was in the log where that is longer: by so much the replay
    is too short."""
    pool, wait = POOL_TITLES[one.pool], hours(one.waits.p90_h)
    if not is_planned:
        return worded("{pool} {wait} h", pool=pool, wait=wait)
    words = worded("{pool} {wait} h (today's GPUs {today} h)", pool=pool, wait=wait, today=hours(today_h))
    if (was_h or 0.0) < (today_h or 0.0) + LEAST_H or hours(was_h) == hours(today_h):
        return words
    return worded(
        "{pool} {wait} h (today's GPUs {today} h, log {was} h)",
        pool=pool,
        wait=wait,
        today=hours(today_h),
        was=hours(was_h),
    )


def hours(value: float | None) -> str:
    """0, 0.3, 12, 206: hours as short as they are told apart, none of them under six minutes."""
    if value is None:
        return numbers.UNKNOWN
    return tr("under 0.1") if 0 < value < LEAST_H else numbers.significant(value, 2 if value < 10 else 3)


def _new_frontier(palette: Palette) -> "FrontierChart":
    from gpuplanner.charts.plots.frontier import FrontierChart

    return FrontierChart(chart_colours(palette), hours, numbers.dollars, numbers.short_dollars)
