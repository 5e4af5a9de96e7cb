"""Duration & commitment: the load duration curve of one pool and model, its layers, and their sizes to set."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, PlainLabel, escaped, set_tip
from gpuplanner.domain.commitment.evidence.plan_evidence import row_subject
from gpuplanner.domain.commitment.plan.whole_dollars import term_dollars
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import set_levels
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.plan_inputs import HandLayer
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.duration.chart import curve_of, curve_table, duration_sheet
from gpuplanner.ui.panels.duration.head import DurationHead
from gpuplanner.ui.panels.duration.levels import Levels
from gpuplanner.ui.panels.duration.sections import DurationSections
from gpuplanner.ui.panels.duration.table import WIDE_FROM, LayersTable
from gpuplanner.ui.panels.duration.words import (
    LIVE_TIP,
    READ_ONLY,
    against_words,
    idle_words,
    levels_words,
    limit_words,
    live_words,
    others_label,
    short_words,
)
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.term_rows import WHAT_THE_ADVICE_MINIMISES, term_rows, total_row
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, take_out
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import TABLE
from gpuplanner.ui.words.translation import sentence, spoken, tr

WORDS_FROM: Final = 420
"""Width from which there is room to say whose the levels are."""
ROOM_FOR_FOCUS: Final = 60
"""What is higher is not scrolled to as a whole while a part of it is seen."""
CHART_AT: Final = 3
"""Its place in the panel, from the top."""


class DurationPanel(Panel):
    """Told what is shown; emits the levels that the planner sets."""

    about = About(
        "duration",
        worded("Duration && commitment"),
        called=worded("Duration and commitment"),
        also=worded(
            "commitment layers terms levels load curve break-even utilization lock-in own rent buy, "
            "how sure, confidence, uncertainty, risk P10 P90, against list price, discount, "
            "effective savings rate, locked in"
        ),
    )

    levels_set = Signal(object, object, object, object, bool)
    """Pool, GPU model or None, its HandLayers, the one that changed, whether the rest is advised."""
    hold_turned = Signal(object, object, object, object, bool, bool)
    """Pool, GPU model or None, its HandLayers (None: all is advised), the one meant, rest advised, is held."""
    level_let_go = Signal()
    advice_asked = Signal(object, object)  # Pool, GPU model or None
    import_asked = Signal()

    def build(self) -> None:
        self._chart: Any = None  # charts are imported when the first one is shown
        self._levels = Levels()
        self._watched: int | None = None  # the term whose edge or size has the keyboard or the mouse
        self._last_set: int | None = None
        self._layers_of: tuple[object, ...] = ()
        self._is_read_only = False
        self._make_labels(self._palette)
        self.head = head = DurationHead(self._palette, self)
        self.pool, self.model, self.by_hand = head.pool, head.model, head.by_hand
        self.use_advice = head.use_advice
        self.use_advice.clicked.connect(self.ask_advice)
        self._lay_out(head.line)
        head.plan_chosen.connect(self._draw_layers)
        self.table.level_set.connect(self._set_level)
        self.table.level_let_go.connect(self.level_let_go)
        self.table.hold_turned.connect(self._turn_hold)
        self.table.spin_focused.connect(self._watch)
        twin = QShortcut(QKeySequence(TABLE), self)
        twin.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        twin.activated.connect(self._turn_chart)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    def _make_labels(self, palette: Palette) -> None:
        self._unit = muted_label(tr("GPUs in use"), is_wrapped=False)
        self._pale = muted_label(idle_words(palette), is_wrapped=False)
        self._live = PlainLabel()
        self._live.setFont(font("small_strong"))
        self._live.hide()
        height = max(self._live.fontMetrics().height(), self._pale.sizeHint().height())
        for label in (self._unit, self._pale, self._live):
            label.setFixedHeight(
                height
            )  # the chart must not move under the hand when one takes the other's place
        self._caption = muted_label("", is_wrapped=False)
        self._caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._note = MarkupLabel()
        self._note.setWordWrap(True)
        self._note.setProperty("role", "muted")
        self._note.linkActivated.connect(lambda _: self.import_asked.emit())
        self.curve = FigureTable(tr("The load duration curve in figures"), palette)
        self.curve.row_height = 20
        self.curve.hide()
        self.table = LayersTable(palette)
        self.sections = DurationSections(palette)
        # Its lines are broken by hand: a label that wraps by itself would stretch the chart.
        self.others = others_label()
        self.others.linkActivated.connect(lambda _: self._let_others_follow())
        self.minimised = muted_label("", is_wrapped=False)
        self.minimised.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _lay_out(self, head: QHBoxLayout) -> None:
        self._unit_row = unit_row = QHBoxLayout()
        unit_row.addWidget(self._unit)
        unit_row.addStretch(1)
        unit_row.addWidget(self._pale)
        unit_row.addWidget(self._live)
        self._body = self.scrolled(worded("Duration and commitment, contents"), (14, 10, 12, 8), 4)
        self._body.addLayout(head)
        self._body.addSpacing(4)
        self._body.addLayout(unit_row)
        self._body.addWidget(self._caption)
        self._body.addWidget(self.curve)
        self._body.addWidget(self._note)
        self._body.addWidget(self.table)
        self._body.addWidget(self.others)
        self._body.addWidget(self.minimised)
        self._body.addSpacing(4)
        self._body.addWidget(self.sections)
        self._body.addStretch(0)
        self.fill(self.scroll_area)

    @property
    def view_state(self) -> ViewState | None:
        """What its layers are of: on Today those of the plan before."""
        return self._shown

    @property
    def chart(self) -> Any:
        """The load duration chart; None before the panel was seen."""
        return self._chart

    def show_state(self, shown: ViewState) -> None:
        """Show the newest advice. On Today the layers of the plan last shown stay, but never those of other inputs."""
        project = shown.evaluation.project
        inputs = (project.cube, project.contracts, project.offers, project.mappings)
        was_read_only, self._is_read_only = self._is_read_only, shown.is_today
        is_kept, self._layers_of = shown.is_today and self._layers_of == inputs, inputs
        if not is_kept:
            super().show_state(shown)
        elif not was_read_only and self.isVisible():
            self.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_by_hand()
        self._fit_chart()
        if (event.oldSize().width() < WIDE_FROM) != (event.size().width() < WIDE_FROM):
            self._draw_layers()

    def _show_by_hand(self) -> None:
        plan = self.head.plan
        by_hand = plan is not None and plan.set_by_hand
        is_held = plan is not None and bool(plan.held_terms)
        self.by_hand.setText(tr("Levels held by you") if is_held else tr("Levels set by you"))
        self.by_hand.setVisible(by_hand and self.width() >= WORDS_FROM)  # the link says it where it is narrow
        self.use_advice.setVisible(by_hand and not self._is_read_only)
        self.minimised.setVisible(by_hand)
        self.others.setVisible(
            by_hand and not is_held and not self._is_read_only and len(self.table.spins) > 1
        )

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._pale.setText(idle_words(palette))
        self.table.show_palette(palette)
        self.sections.show_palette(palette)
        self.head.show_palette(palette)
        if self._chart is not None:
            take_out(self._unit_row, self._menu.button)
        take_out(self._body, self._chart)
        self._chart = None

    def choose(self, pool: Pool, gpu_model: str | None) -> None:
        """Show one pool and GPU model, where the plan has them."""
        self.head.choose(pool, gpu_model)

    def ask_advice(self) -> None:
        """Let go of the levels set by hand."""
        plan = self.head.plan
        if plan is not None and plan.set_by_hand and not self._is_read_only:
            self.advice_asked.emit(plan.pool, plan.gpu_model)

    # Inside

    def draw(self, shown: ViewState) -> None:
        """Show the pool and model that are chosen."""
        self.head.show_plans(shown.advice.pools if shown.advice else ())
        self._draw_layers()

    def _draw_layers(self) -> None:
        plan, shown = self.head.plan, self._shown
        for part in (self.pool, self.model, self._unit, self._caption, self.table, self.sections):
            part.setVisible(plan is not None)
        self._pale.setVisible(plan is not None and any(layer.term_months for layer in plan.layers))
        self._show_by_hand()
        if plan is None or shown is None:
            for widget in (self._chart, self.curve, self._live):
                if widget is not None:
                    widget.hide()
            is_empty = shown is not None and not shown.cards
            self._note.setText(
                Markup(tr("No jobs yet. <a href='#'>Import a job log</a>"))
                if is_empty
                else tr("Layers are of a plan. Open one to see them.")
                if shown is not None and shown.is_today
                else tr("Working out the layers.")
            )
            self._note.show()
            return
        self._caption.setText(
            tr(
                "Share of {demand_gpus} hours in %, busiest first",
                demand_gpus=numbers.whole(len(plan.demand_gpus)),
            )
        )
        self._levels.look_at(plan, shown)
        held = None if self._chart is None else self._chart.held_term
        if held is None:  # an answer that comes meanwhile does not take the edge out of the hand
            self._show_plan(self._levels.as_set)
        note = "" if shown.evaluation.project.offers else tr("<a href='#'>Add prices</a> to see layers.")
        hours = len(plan.demand_gpus)
        short, limits = short_words(hours, self._palette), limit_words(hours)
        has_prices = bool(shown.evaluation.project.offers)
        why = f"{sentence(plan.note)}." if plan.note and has_prices else ""
        read_only = READ_ONLY if self._is_read_only else ""
        plain = map(escaped, (spoken(read_only), why, limits))
        self._note.setText(Markup(" ".join(filter(None, (short, *plain, note)))))
        self._note.setVisible(bool(self._note.text()))

    def _show_plan(self, plan: PoolPlan) -> None:
        """Chart, table and figures of a row as it is set, or as it is tried out."""
        shown = self._shown
        if shown is None or shown.advice is None:
            return
        self._show_chart(plan)
        rows = term_rows(plan, plan.offers)  # at the rates that count in this plan
        pools = tuple(
            plan if (one.pool, one.gpu_model) == (plan.pool, plan.gpu_model) else one
            for one in shown.advice.pools
        )
        by_kind = term_dollars(replace(shown.advice, pools=pools), plan)
        dollars = {
            at: by_kind.get((row.existing, row.category, row.term_months), 0) for at, row in enumerate(rows)
        }
        self.table.show_layers(
            rows,
            total_row(plan, rows, tr("All")),
            dollars,
            plan.block,
            self._levels.held_terms(tuple(row.term_months or 0 for row in rows if row.is_set)),
            is_quiet=shown.is_settling,
            is_wide=self.width() >= WIDE_FROM,
            subject=partial(row_subject, plan),
        )
        self.table.set_read_only(self._is_read_only)
        against = self._against(plan)
        self._pale.setText(spoken(against) or idle_words(self._palette))
        set_tip(
            self._pale,
            tr(
                "Against the advice. {what_the_advice_minimises}",
                what_the_advice_minimises=WHAT_THE_ADVICE_MINIMISES,
            )
            if against
            else "",
        )
        self.minimised.setText(levels_words(self._levels.over_advice(plan), self._levels.values_of(plan)))
        self._show_live(plan)
        self.sections.show_row(plan, shown, is_trial=self._chart.held_term is not None)
        stops = [self.pool, self.model, self.use_advice, *self._chart.handles.values(), *self.table.stops()]
        stops += [fold.head for fold in self.sections.folds.values()]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _against(self, plan: PoolPlan) -> str:
        cost = self._levels.over_advice(plan) if plan.set_by_hand else None
        return against_words(cost, is_wide=self.width() >= WIDE_FROM)

    def _sheet(self) -> Any:
        plan, shown = self.head.plan, self._shown
        return None if plan is None or shown is None else duration_sheet(self._levels.as_set, shown)

    def _show_chart(self, plan: PoolPlan) -> None:
        from gpuplanner.charts.plots.load_duration import LoadDurationChart

        if self._chart is None:
            self._chart = LoadDurationChart(chart_colours(self._palette))
            self._fit_chart()
            self._body.insertWidget(CHART_AT, self._chart, 4)
            self._chart.level_dragged.connect(self._drag)
            self._chart.level_dropped.connect(self._drop)
            self._chart.drag_cancelled.connect(lambda _: self._show_plan(self._levels.as_set))
            self._chart.level_stepped.connect(lambda term, blocks: self.table.spins[term].stepBy(blocks))
            self._chart.level_let_go.connect(self.level_let_go)
            self._chart.edge_focused.connect(self._watch)
            self._menu = ChartMenu(
                self._chart, self._palette, self._sheet, turn=self._turn_chart, is_floating=False
            )
            self._unit_row.addWidget(self._menu.button)
        can_move = not self._is_read_only and self._shown is not None and not self._shown.is_today
        watched = () if self._watched is None else (self._watched,)
        curve = curve_of(plan, self._palette, watched, can_move=can_move)
        self._chart.show_curve(curve)
        is_chart = self.curve.isHidden()
        self._chart.setVisible(is_chart)
        if not is_chart:
            headings, rows = curve_table(curve)
            columns = [Column(heading, at > 0) for at, heading in enumerate(headings)]
            self.curve.show_rows(columns, [Row(tuple(Cell(text) for text in row)) for row in rows])
            self.curve.fit_height()

    def _turn_chart(self) -> None:
        """The curve in figures, or as a chart again."""
        if self._chart is not None and self.head.plan is not None:
            self.curve.setVisible(self.curve.isHidden())
            self._draw_layers()

    def _follow_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """The panel scrolls to what has the keyboard, however it came there."""
        if now is not None and self.isVisible() and self.scroll_area.isAncestorOf(now):
            is_small = now.height() <= ROOM_FOR_FOCUS
            if is_small or now.visibleRegion().isEmpty():
                self.scroll_area.ensureWidgetVisible(now, 0, 8)

    def _fit_chart(self) -> None:
        """Its share of the panel: enough to take hold of an edge, and the layers still seen under it."""
        if self._chart is not None:
            self._chart.setFixedHeight(max(136, min(280, round(0.44 * self.height()))))

    # Levels

    def _watch(self, term_months: int, is_focused: bool) -> None:
        """An edge and its box in the table are one thing: both show the ring, and the figures of the level stand by."""
        self._watched = term_months if is_focused else None
        for term, spin in self.table.spins.items():
            spin.show_ring(is_focused and term == term_months)
        if self._chart is not None:
            self._chart.show_ring(term_months, is_focused)
        if self.head.plan is not None and self._shown is not None and self._shown.advice is not None:
            plan = self._levels.as_set
            self._show_live(plan)
            if is_focused and self._chart.held_term is None:
                self._show_chart(plan)  # a level of 0 has an edge while its box has the keyboard
                self._chart.show_ring(term_months, True)

    def _show_live(self, plan: PoolPlan) -> None:
        term = self._watched if self._chart.held_term is None else self._chart.held_term
        trial = None if term is None else self._levels.trial_of(plan, term)
        self._live.setVisible(trial is not None)
        self._pale.setVisible(trial is None and any(layer.term_months for layer in plan.layers))
        if trial is not None:
            self._live.setText(live_words(trial, is_wide=self.width() >= WIDE_FROM))
            set_tip(self._live, spoken(LIVE_TIP))
            self._live.setAccessibleName(self._live.text())

    def _drag(self, term_months: int, gpus: int) -> None:
        self._show_plan(self._levels.try_out(term_months, gpus))

    def _drop(self, term_months: int, gpus: int) -> None:
        before = {level.term_months: level.gpus for level in set_levels(self._levels.as_set)}
        if gpus != before.get(term_months, 0):
            self.level_let_go.emit()
            self._set_level(term_months, gpus)
            self.level_let_go.emit()
        else:
            self._show_plan(self._levels.as_set)

    def _set_level(self, term_months: int, gpus: int) -> None:
        plan = self.head.plan
        if plan is not None:
            self._last_set = term_months
            layers, is_rest_advised = self._levels.with_level(term_months, gpus)
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
        plan = self.head.plan
        if plan is not None:
            spins = self.table.spins
            layers, is_rest_advised = self._levels.with_hold(term_months, is_held, tuple(spins))
            meant = HandLayer(term_months, spins[term_months].value())
            self.hold_turned.emit(plan.pool, plan.gpu_model, layers, meant, is_rest_advised, is_held)
