"""Duration & commitment: the load duration curve of one pool and model, its head, and its levels."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QBoxLayout, QComboBox, QHBoxLayout, QSizePolicy, QWidget

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.commitment.plan.layers import term_dollars
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.result import Order, PoolPlan
from gpuplanner.domain.commitment.words.assumed import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.domain.commitment.words.layers import existing_words
from gpuplanner.domain.evidence.plan.layers import row_subject
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, TOP, Share, add, column, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label, named_button, refill
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.duration import level_curve, level_words, levels
from gpuplanner.ui.panels.duration.layers_table import WIDE_FROM, LayersTable
from gpuplanner.ui.panels.duration.sections import DurationSections, coming_words
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.term_rows import term_rows, total_row
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import TABLE, with_keys
from gpuplanner.ui.words.lanes import lane_of

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.load_duration import LoadDurationChart

# --- The head of the panel Duration: which pool and GPU model, whose levels, and the way back to the advice


class DurationHead(QObject):
    """Told the plans there are; emits that another is chosen. Its widgets stand on the line that it makes."""

    plan_chosen = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._plans: tuple[PoolPlan, ...] = ()
        self._is_chosen = False  # somebody chose a pool or a model: no plan opens at another
        self.pool = choice_of(tr("Pool"), tr("Pool"), ())
        self.pool.view().setAccessibleName(tr("Pools"))
        self.model = choice_of(tr("GPU model"), tr("GPU model"), ())
        self.model.view().setAccessibleName(tr("GPU models"))
        for box in (self.pool, self.model):  # filled once the panel is seen, after a first size was asked for
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        words = muted_label(tr("Levels set by you"), is_wrapped=False)
        self.by_hand = named(words, tip=WHAT_THE_ADVICE_MINIMISES)
        tip = with_keys(tr("Release the levels you set"), "use_advice")
        self.use_advice = named_button(tr("Use advice"), tip, is_link=True)
        self.line = row(self.pool, self.model, STRETCH, self.by_hand, self.use_advice, spacing=8)
        for box in (self.pool, self.model):
            box.activated.connect(self._keep)
        self.pool.currentIndexChanged.connect(lambda _: self._choose_pool())
        self.model.currentIndexChanged.connect(lambda _: self.plan_chosen.emit())

    @property
    def plan(self) -> PoolPlan | None:
        """The one that is chosen; None where there is none."""
        pool, model = self.pool.currentData(), self.model.currentData()
        return next(
            (plan for plan in self._plans if plan.pool == pool and (plan.gpu_model or "") == model), None
        )

    def show_plans(self, plans: Sequence[PoolPlan]) -> None:
        """These may be chosen; what was chosen stays so where it is among them. Nothing is emitted."""
        self._plans = tuple(plans)
        pools = list(dict.fromkeys(plan.pool for plan in plans))
        if [self.pool.itemData(at) for at in range(self.pool.count())] != pools:
            chosen = self.pool.currentData() or Pool.INFERENCE
            with QSignalBlocker(self.pool):
                self.pool.clear()
                for pool in pools:
                    lane = lane_of(pool)
                    self.pool.addItem(icon(lane.icon, lane), lane.title, pool)
                self.pool.setCurrentIndex(max(0, self.pool.findData(chosen)))
        self._fill_models()

    def open_at(self, pool: Pool, gpu_model: str | None) -> None:
        """Choose one pool and GPU model unless somebody chose before. Nothing is emitted."""
        if not self._is_chosen:
            with QSignalBlocker(self.pool), QSignalBlocker(self.model):
                self.pool.setCurrentIndex(max(0, self.pool.findData(pool)))
                self._fill_models()
                self.model.setCurrentIndex(max(0, self.model.findData(gpu_model or "")))

    def _keep(self, _: int) -> None:
        """Keep what somebody chose."""
        self._is_chosen = True

    def choose(self, pool: Pool, gpu_model: str | None) -> None:
        """Choose one pool and GPU model, where the plans have them."""
        self._is_chosen = True
        self.pool.setCurrentIndex(max(0, self.pool.findData(pool)))
        self.model.setCurrentIndex(max(0, self.model.findData(gpu_model or "")))

    def _choose_pool(self) -> None:
        self._fill_models()
        self.plan_chosen.emit()

    def _fill_models(self) -> None:
        pool = self.pool.currentData()
        of_pool = (plan for plan in self._plans if plan.pool == pool)
        plans = sorted(of_pool, key=lambda plan: -plan.demand.gpu_hours)
        models = [plan.gpu_model or "" for plan in plans]
        if [self.model.itemData(at) for at in range(self.model.count())] != models:
            chosen = self.model.currentData()
            refill(self.model, ((name or tr("Unknown model"), name) for name in models), chosen)


def first_to_order(orders: Sequence[Order]) -> Order | None:
    """Return the new order of GPUs that is to be placed first, of one day the largest; None without one."""
    of_gpus = (order for order in asked_for(orders) if not order.is_dollars)
    return min(of_gpus, key=lambda order: (order.last_day_s, -(order.liability or 0.0)), default=None)


# --- Duration & commitment: the load duration curve of one pool and model, its layers, and their sizes to set

WORDS_FROM: Final = 420
"""Width from which there is room to say whose the levels are."""
ROOM_FOR_FOCUS: Final = 60
"""What is higher is not scrolled to as a whole while a part of it is seen."""
SIDE_BY_SIDE_FROM: Final = 720
"""Width from which the chart and its layers have room beside each other."""
CHART_SHARE, LAYERS_SHARE = 3, 4
"""Shares of that room: layers have seven columns, none of them cut."""
AROUND_LAYERS_PX: Final = 104
"""Height of the panel without its chart and layers, down to their end."""
LEAST_CHART_PX, MOST_CHART_PX = 160, 280
BESIDE_CHART_PX: Final = 44
"""Height of the lines above and below the chart."""


class DurationPanel(Panel):
    """Told what is shown; emits the levels that the planner sets."""

    about = About(
        name="duration",
        title=worded("Duration && commitment"),
        called=worded("Duration and commitment"),
        title_shortly=worded("Duration"),
        has_months=True,
    )

    levels_set = Signal(object, object, object, object, bool)
    """Pool, GPU model or None, its HandLayers, the one that changed, whether the rest is advised."""
    hold_turned = Signal(object, object, object, object, bool, bool)
    """Pool, GPU model or None, its HandLayers (None: all is advised), the one meant, rest advised, is held."""
    level_let_go = Signal()
    advice_asked = Signal(object, object)  # Pool, GPU model or None

    def build(self) -> None:
        self.levels = levels.Levels()
        self._watched: int | None = None  # the term whose edge or size has the keyboard or the mouse
        self._last_set: int | None = None
        self._layers_of: tuple[object, ...] = ()
        self._opened = ""  # the plan that it was opened with
        self._opened_cube: Cube | None = None  # and its log
        self._is_read_only = self._was_table_wide = False
        self._make_labels()
        self.head = head = DurationHead(self)
        self.pool, self.model, self.by_hand = head.pool, head.model, head.by_hand
        self.use_advice = head.use_advice
        self.use_advice.clicked.connect(self.ask_advice)
        self._lay_out(head.line)
        head.plan_chosen.connect(self._draw_layers)
        self.table.level_set.connect(self._set_level)
        self.table.level_let_go.connect(self.level_let_go)
        self.table.hold_turned.connect(self._turn_hold)
        self.table.spin_focused.connect(self._watch)
        twin = QShortcut(QKeySequence(TABLE), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        twin.activated.connect(self.turn_chart)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    def _make_labels(self) -> None:
        self._unit = muted_label(tr("GPUs in use"), is_wrapped=False)
        self._pale = muted_label(level_words.idle_words(in_use()), is_wrapped=False)
        self.live = label(step="small_strong")
        self.live.hide()
        height = max(self.live.fontMetrics().height(), self._pale.sizeHint().height())
        for words in (self._unit, self._pale, self.live):
            words.setFixedHeight(height)  # no chart moves under the hand when one takes the other's place
        self.caption = muted_label()
        self.caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.note = MarkupLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("role", "muted")
        self.note.linkActivated.connect(lambda _: self.import_asked.emit())
        self.curve = FigureTable(tr("Load duration curve"))
        self.curve.row_height = 20
        self.curve.hide()
        self.table = LayersTable()
        self.sections = DurationSections()
        # Its lines are broken by hand: a label that wraps by itself would stretch the chart.
        self.others = level_words.others_label()
        self.others.linkActivated.connect(lambda _: self._let_others_follow())
        self.minimised = muted_label("", is_wrapped=False)
        self.minimised.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _lay_out(self, head: QHBoxLayout) -> None:
        over_chart = row(self._unit, STRETCH, self._pale, self.live)
        self._seen = SeenChart(
            new=_new_chart, put=self._put, sheet=self._sheet, head=over_chart, turn=self.turn_chart
        )
        self._graph = column(over_chart, self.caption, self.curve, spacing=4)
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._halves.setSpacing(4)
        add(self._halves, share(self._graph, CHART_SHARE), Share(self.table, share=LAYERS_SHARE, place=TOP))
        add(
            self.scrolled(worded("Duration and commitment"), (14, 10, 12, 8), 4),
            *(head, 4, self._halves, self.note, self.others),
            *(self.minimised, 4, self.sections, share(None, 0)),
        )
        self.fill(self.scroll_area)

    @property
    def view_state(self) -> ViewState | None:
        """What its layers are of: on Today those of the plan before."""
        return self._shown

    @property
    def chart(self) -> Any:
        """The load duration chart; None before the panel was seen."""
        return self._seen.plot

    def show_state(self, shown: ViewState) -> None:
        """Show the newest advice. On Today the layers of the plan last shown stay, but never those of other inputs."""
        project = shown.evaluation.project
        inputs = (project.cube, project.contracts, project.offers, project.mappings)
        was_read_only, self._is_read_only = self._is_read_only, shown.is_today or bool(shown.month)
        is_kept, self._layers_of = shown.is_today and self._layers_of == inputs, inputs
        if not is_kept:
            super().show_state(shown)
        elif not was_read_only and self.isVisible():
            self.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_by_hand()
        self._arrange()
        if self._is_table_wide is not self._was_table_wide:
            self._draw_layers()

    @property
    def _is_table_wide(self) -> bool:
        """Whether the layers have room for wide columns; beside the chart they have a part of the panel."""
        is_beside = self._halves.direction() is QBoxLayout.Direction.LeftToRight
        room = self.width() * LAYERS_SHARE // (CHART_SHARE + LAYERS_SHARE) if is_beside else self.width()
        return room >= text_px(WIDE_FROM)

    def _arrange(self) -> None:
        """Put chart and layers side by side where the panel is wide; where it is low, the layers come first.

        An edge that is held keeps its place.
        """
        if self.chart is not None and self.chart.held_term is not None:
            return
        if self.width() >= text_px(SIDE_BY_SIDE_FROM):
            direction = QBoxLayout.Direction.LeftToRight
        elif self.height() < self.table.height() + text_px(AROUND_LAYERS_PX + LEAST_CHART_PX):
            direction = QBoxLayout.Direction.BottomToTop
        else:
            direction = QBoxLayout.Direction.TopToBottom
        if direction is not self._halves.direction():
            self._halves.setDirection(direction)
            self._halves.setSpacing(16 if direction is QBoxLayout.Direction.LeftToRight else 4)
            self._order_stops()
        if self.chart is not None:
            self.chart.setFixedHeight(self._chart_px)

    def _order_stops(self) -> None:
        """Let Tab go through the parts from top to bottom."""
        if self.chart is None:
            return
        parts = [[*self.chart.handles.values()], self.table.stops()]
        is_table_first = self._halves.direction() is QBoxLayout.Direction.BottomToTop
        upper, lower = reversed(parts) if is_table_first else parts
        stops = [self.pool, self.model, self.use_advice, *upper, *lower]
        stops += [fold.head for fold in self.sections.folds.values()]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _show_by_hand(self) -> None:
        plan = self.head.plan
        by_hand = plan is not None and plan.by_hand.is_set
        # the link says it where it is narrow
        self.by_hand.setVisible(by_hand and self.width() >= text_px(WORDS_FROM))
        self.use_advice.setVisible(by_hand and not self._is_read_only)
        self.minimised.setVisible(by_hand)
        is_held = plan is not None and bool(plan.by_hand.held_terms)
        has_others = by_hand and not is_held and not self._is_read_only
        self.others.setVisible(has_others and len(self.table.spins) > 1)

    def recolour_content(self) -> None:
        self._pale.setText(level_words.idle_words(in_use()))
        super().recolour_content()

    def choose(self, pool: Pool, gpu_model: str | None) -> None:
        """Show one pool and GPU model, where the plan has them."""
        self.head.choose(pool, gpu_model)

    def ask_advice(self) -> None:
        """Let go of the levels set by hand."""
        if (plan := self.head.plan) is not None and plan.by_hand.is_set and not self._is_read_only:
            self.advice_asked.emit(plan.pool, plan.gpu_model)

    # Inside

    def draw(self, shown: ViewState) -> None:
        """Show the pool and model that are chosen."""
        self.head.show_plans(shown.advice.pools if shown.advice else ())
        self._open_at_first_order(shown)
        self._draw_layers()

    def _open_at_first_order(self, shown: ViewState) -> None:
        """Open a plan at the row of its first order; after that no edit of the plan moves the panel to another row."""
        scenario, cube = shown.evaluation.scenario, shown.evaluation.project.cube
        if shown.advice is None or shown.is_today or (self._opened == scenario and self._opened_cube is cube):
            return
        self._opened, self._opened_cube = scenario, cube
        if (first := first_to_order(shown.advice.orders)) is not None:
            self.head.open_at(first.pool, first.gpu_model)

    def _draw_layers(self) -> None:
        plan, shown = self.head.plan, self._shown
        for part in (self.pool, self.model, self._unit, self.caption, self.table, self.sections):
            part.setVisible(plan is not None)
        self._pale.setVisible(plan is not None and any(layer.term_months for layer in plan.layers))
        self._show_by_hand()
        if plan is None or shown is None:
            for widget in (self.chart, self.curve, self.live):
                if widget is not None:
                    widget.hide()
            is_empty = shown is not None and not shown.cards
            words: Text = tr("Calculating…")
            if is_empty:
                words = Markup(tr("No jobs yet. <a href='#'>Import a job log</a>"))
            elif shown is not None and shown.is_today:
                words = tr("Open a plan to see this.")
            self.note.setText(words)
            self.note.show()
            return
        self.caption.setText(
            tr(long_text("duration_axis", demand_gpus=numbers.whole(len(plan.demand.hourly_gpus))))
        )
        self.levels.look_at(plan, shown)
        held = None if self.chart is None else self.chart.held_term
        if held is None:  # an answer that comes meanwhile does not take the edge out of the hand
            self._show_plan(self.levels.as_set)
        note = "" if shown.evaluation.project.offers else tr("<a href='#'>Add prices</a> to see layers.")
        hours = len(plan.demand.hourly_gpus)
        short, limits = level_words.short_words(hours, in_use()), level_words.limit_words(hours)
        has_prices = bool(shown.evaluation.project.offers)
        why = f"{sentence(plan.note)}." if plan.note and has_prices else ""
        read_only: Text
        if shown.month:
            read_only = level_words.LATER_MONTH
        elif self._is_read_only:
            read_only = level_words.READ_ONLY
        else:
            read_only = ""
        plain = map(escaped, (spoken(read_only), why, limits))
        self.note.show_text(Markup(" ".join(filter(None, (short, *plain, note)))))

    def _show_plan(self, plan: PoolPlan) -> None:
        """Chart, table and figures of a row as it is set, or as it is tried out."""
        if (shown := self._shown) is None or shown.advice is None:
            return
        self._show_chart(plan)
        coming, existing = self._coming(plan), self._existing(plan)
        rows = [  # at the rates that count in this plan
            replace(row, note=existing if row.existing else row.note or coming.get(row.term_months or 0, ""))
            for row in term_rows(plan, plan.supply.offers)
        ]
        pools = tuple(
            plan if (pool.pool, pool.gpu_model) == (plan.pool, plan.gpu_model) else pool
            for pool in shown.advice.pools
        )
        by_kind = term_dollars(replace(shown.advice, pools=pools), plan)
        dollars = {
            at: 0 if row.is_unserved else by_kind.get((row.existing, row.category, row.term_months), 0)
            for at, row in enumerate(rows)
        }
        self._was_table_wide = self._is_table_wide
        self.table.show_layers(
            rows,
            total_row(plan, rows, tr("All")),
            dollars,
            plan.block,
            self.levels.held_terms(tuple(row.term_months or 0 for row in rows if row.is_set)),
            is_quiet=shown.is_settling,
            is_wide=self._is_table_wide,
            subject=partial(row_subject, plan),
        )
        self.table.set_read_only(self._is_read_only)
        self._arrange()
        against = self._against(plan)
        self._pale.setText(spoken(against) or level_words.idle_words(in_use()))
        minimises = WHAT_THE_ADVICE_MINIMISES
        tip = tr("Against the advice. {what_the_advice_minimises}", what_the_advice_minimises=minimises)
        set_tip(self._pale, tip if against else "")
        over, values = self.levels.over_advice(plan), self.levels.values_of(plan)
        self.minimised.setText(level_words.levels_words(over, values))
        self._show_live(plan)
        self.sections.show_row(plan, shown, is_trial=self.chart.held_term is not None)
        self._order_stops()

    def _coming(self, plan: PoolPlan) -> dict[int, str]:
        """What is ordered later of terms of which the row has no GPUs yet."""
        shown = self._shown
        return coming_words(plan, shown.advice.orders if shown and shown.advice and not shown.month else ())

    def _existing(self, plan: PoolPlan) -> str:
        """Which part of its contracts the row uses, and how much of them all pools use."""
        shown = self._shown
        if shown is None or shown.advice is None:
            return ""
        window = shown.evaluation.project.plan_window
        return spoken(existing_words(shown.advice, plan, window, shown.month))

    def _against(self, plan: PoolPlan) -> str:
        cost = self.levels.over_advice(plan) if plan.by_hand.is_set else None
        return level_words.against_words(cost, is_wide=self.width() >= text_px(WIDE_FROM))

    def _sheet(self) -> Any:
        plan, shown = self.head.plan, self._shown
        return (
            None if plan is None or shown is None else level_curve.duration_sheet(self.levels.as_set, shown)
        )

    def _show_chart(self, plan: PoolPlan) -> None:
        chart = self._seen.ready()
        can_move = not self._is_read_only and self._shown is not None and not self._shown.is_today
        watched = () if self._watched is None else (self._watched,)
        curve = level_curve.curve_of(plan, in_use(), watched, can_move=can_move)
        chart.show_curve(curve)
        is_chart = self.curve.isHidden()
        chart.setVisible(is_chart)
        if not is_chart:
            headings, rows = level_curve.curve_table(curve)
            columns = [Column(title=heading, is_figure=at > 0) for at, heading in enumerate(headings)]
            self.curve.show_whole(columns, [Row(tuple(Cell(text=text) for text in row)) for row in rows])

    def _put(self, chart: "LoadDurationChart") -> None:
        chart.setFixedHeight(self._chart_px)
        self._graph.insertWidget(self._graph.indexOf(self.caption), chart, 4)
        chart.level_dragged.connect(self._drag)
        chart.level_dropped.connect(self._drop)
        chart.drag_cancelled.connect(lambda _: self._show_plan(self.levels.as_set))
        chart.level_stepped.connect(lambda term, blocks: self.table.spins[term].stepBy(blocks))
        chart.level_let_go.connect(self.level_let_go)
        chart.edge_focused.connect(self._watch)

    def turn_chart(self) -> None:
        """The curve in figures, or as a chart again."""
        if self.chart is not None and self.head.plan is not None:
            self.curve.setVisible(self.curve.isHidden())
            self._draw_layers()

    def _follow_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """The panel scrolls to what has the keyboard, however it came there."""
        if now is not None and self.isVisible() and self.scroll_area.isAncestorOf(now):
            is_small = now.height() <= ROOM_FOR_FOCUS
            if is_small or now.visibleRegion().isEmpty():
                self.scroll_area.ensureWidgetVisible(now, 0, 8)

    @property
    def _chart_px(self) -> int:
        """Height of the chart: that of the layers beside it, or what the layers leave of the panel."""
        if self._halves.direction() is QBoxLayout.Direction.LeftToRight:
            room = self.table.height() - text_px(BESIDE_CHART_PX)
        else:
            room = self.height() - self.table.height() - text_px(AROUND_LAYERS_PX)
        return max(text_px(LEAST_CHART_PX), min(text_px(MOST_CHART_PX), room))

    # Levels

    def _watch(self, term_months: int, is_focused: bool) -> None:
        """An edge and its box in the table are one thing: both show the ring, and the figures of the level stand by."""
        self._watched = term_months if is_focused else None
        for term, spin in self.table.spins.items():
            spin.show_ring(is_focused and term == term_months)
        if self.chart is not None:
            self.chart.show_ring(term_months, is_focused)
        if self.head.plan is not None and self._shown is not None and self._shown.advice is not None:
            plan = self.levels.as_set
            self._show_live(plan)
            if is_focused and self.chart.held_term is None:
                self._show_chart(plan)  # a level of 0 has an edge while its box has the keyboard
                self.chart.show_ring(term_months, True)

    def _show_live(self, plan: PoolPlan) -> None:
        term = self._watched if self.chart.held_term is None else self.chart.held_term
        trial = None if term is None else self.levels.trial_of(plan, term)
        self.live.setVisible(trial is not None)
        self._pale.setVisible(trial is None and any(layer.term_months for layer in plan.layers))
        if trial is not None:
            self.live.setText(level_words.live_words(trial, is_wide=self.width() >= text_px(WIDE_FROM)))
            set_tip(self.live, spoken(level_words.LIVE_TIP))
            self.live.setAccessibleName(self.live.text())

    def _drag(self, term_months: int, gpus: int) -> None:
        self._show_plan(self.levels.try_out(term_months, gpus))

    def _drop(self, term_months: int, gpus: int) -> None:
        if gpus != self.levels.sizes.get(term_months, 0):
            self.level_let_go.emit()
            self._set_level(term_months, gpus)
            self.level_let_go.emit()
        else:
            self._show_plan(self.levels.as_set)

    def _set_level(self, term_months: int, gpus: int) -> None:
        if (plan := self.head.plan) is not None:
            self._last_set = term_months
            layers, is_rest_advised = self.levels.with_level(term_months, gpus)
            changed = HandLayer(term_months, gpus)
            self.levels_set.emit(plan.pool, plan.gpu_model, layers, changed, is_rest_advised)

    def _let_others_follow(self) -> None:
        """Hold the level that was set last, and have the advice set all others around it."""
        plan, spins = self.head.plan, self.table.spins
        if plan is not None and spins:
            term = (
                self._last_set if self._last_set in spins else max(spins, key=lambda one: spins[one].value())
            )
            meant = HandLayer(term, spins[term].value())
            self.hold_turned.emit(plan.pool, plan.gpu_model, (meant,), meant, True, True)

    def _turn_hold(self, term_months: int, is_held: bool) -> None:
        if (plan := self.head.plan) is not None:
            spins = self.table.spins
            layers, is_rest_advised = self.levels.with_hold(term_months, is_held, tuple(spins))
            meant = HandLayer(term_months, spins[term_months].value())
            self.hold_turned.emit(plan.pool, plan.gpu_model, layers, meant, is_rest_advised, is_held)


def _new_chart(palette: Palette) -> "LoadDurationChart":
    from gpuplanner.charts.plots.load_duration import LoadDurationChart

    return LoadDurationChart(chart_colours(palette))
