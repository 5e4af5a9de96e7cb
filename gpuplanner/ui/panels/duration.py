"""Duration & commitment: the load duration curve of one pool and model, its layers, and their sizes to set."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.scenario import HandLayer
from gpuplanner.ui import numbers
from gpuplanner.ui.chart_colours import chart_colours
from gpuplanner.ui.figure_table import Cell, Column, FigureTable, Row
from gpuplanner.ui.icons import icon
from gpuplanner.ui.lanes import lane_of
from gpuplanner.ui.panels.duration_rows import (
    WHAT_THE_ADVICE_MINIMISES,
    TermRow,
    term_rows,
    total_row,
    usage_mean_gpus,
)
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette, mixed
from gpuplanner.ui.type_scale import font
from gpuplanner.ui.whole_dollars import layer_dollars

_COLUMNS = (
    Column("Term", False),
    Column("GPUs", True, 60),
    Column("Used"),
    Column("Break-even"),
    Column("$/GPU-h"),
    Column("$/month"),
)


class LevelSpin(QSpinBox):
    """GPUs of one layer: arrows change it by one block, with Shift by eight."""

    def __init__(self, term_months: int, gpus: int, block: int) -> None:
        super().__init__()
        self.term_months = term_months
        self.setRange(0, 1_000_000)
        self.setSingleStep(block)
        self.setValue(gpus)
        self.setKeyboardTracking(False)
        self.setProperty("dense", True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName(f"GPUs for {numbers.counted(term_months, 'month')}")
        self.setToolTip(
            f"GPUs committed for {numbers.counted(term_months, 'month')} (Up, Down; with Shift by 8)"
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 8, Qt.Key.Key_Down: -8}
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and event.key() in steps:
            self.stepBy(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        event.ignore()  # the panel scrolls under the cursor; a level must not change by that


class DurationPanel(QWidget):
    """Told what is shown; emits the levels that the planner sets."""

    levels_set = Signal(
        object, object, tuple, object
    )  # Pool, GPU model or None, HandLayers, the one that changed
    advice_asked = Signal(object, object)  # Pool, GPU model or None
    import_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Duration and commitment")
        self._palette = palette
        self._shown: Shown | None = None
        self._chart: Any = None  # charts are imported when the first one is shown
        self._spins: dict[int, LevelSpin] = {}
        self._shape: tuple[object, ...] = ()
        head = self._pickers()
        self._unit = _small("GPUs in use")
        self._pale = _small(_idle_words(palette))
        unit_row = QHBoxLayout()
        unit_row.addWidget(self._unit)
        unit_row.addStretch(1)
        unit_row.addWidget(self._pale)
        self._caption = _small("")
        self._caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.setProperty("role", "muted")
        self._note.linkActivated.connect(lambda _: self.import_asked.emit())
        self.table = FigureTable("Layers of commitment", palette)
        # Its lines are broken by hand: a label that wraps by itself would stretch the chart.
        self.minimised = _small(WHAT_THE_ADVICE_MINIMISES)
        self.minimised.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        body = QWidget()
        body.setObjectName("panel")
        self._body = QVBoxLayout(body)
        self._body.setContentsMargins(14, 10, 12, 8)
        self._body.setSpacing(4)
        self._body.addLayout(head)
        self._body.addSpacing(4)
        self._body.addLayout(unit_row)
        self._body.addWidget(self._caption)
        self._body.addWidget(self._note)
        self._body.addWidget(self.table)
        self._body.addWidget(self.minimised)
        self._body.addStretch(0)
        scroll = QScrollArea()
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName("Duration and commitment, contents")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        self.pool.currentIndexChanged.connect(lambda _: self._fill_models())
        self.model.currentIndexChanged.connect(lambda _: self._draw())

    def _pickers(self) -> QHBoxLayout:
        self.pool = QComboBox()
        self.pool.setAccessibleName("Pool")
        self.pool.view().setAccessibleName("Pools")
        self.pool.setToolTip("Which pool to show")
        self.model = QComboBox()
        self.model.setAccessibleName("GPU model")
        self.model.view().setAccessibleName("GPU models")
        self.model.setToolTip("Which GPU model to show")
        self.by_hand = QLabel("Levels set by you")
        self.by_hand.setProperty("role", "muted")
        self.by_hand.setFont(font("small"))
        self.by_hand.setToolTip(WHAT_THE_ADVICE_MINIMISES.replace("\n", " "))
        self.use_advice = QPushButton("Use advice")
        self.use_advice.setProperty("link", True)
        self.use_advice.setAccessibleName("Use advice")
        self.use_advice.setToolTip("Let go of the levels set by you (Ctrl+Shift+A)")
        self.use_advice.clicked.connect(self.ask_advice)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.pool)
        head.addWidget(self.model)
        head.addStretch(1)
        head.addWidget(self.by_hand)
        head.addWidget(self.use_advice)
        return head

    def show_shown(self, shown: Shown) -> None:
        """Show the pool and model that are chosen, of the newest advice."""
        self._shown = shown
        pools = list(dict.fromkeys(plan.pool for plan in shown.advice.pools)) if shown.advice else []
        if [self.pool.itemData(at) for at in range(self.pool.count())] != pools:
            chosen = self.pool.currentData() or Pool.INFERENCE
            self.pool.blockSignals(True)
            self.pool.clear()
            for pool in pools:
                lane = lane_of(pool)
                self.pool.addItem(icon(lane.icon, self._palette.lane(lane)), lane.title, pool)
            self.pool.setCurrentIndex(max(0, self.pool.findData(chosen)))
            self.pool.blockSignals(False)
        self._fill_models()

    def resizeEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().resizeEvent(event)
        self._show_by_hand()
        if (event.oldSize().width() < 420) != (event.size().width() < 420):
            self._draw()

    def _show_by_hand(self) -> None:
        plan = self._plan()
        by_hand = plan is not None and plan.set_by_hand
        self.by_hand.setVisible(by_hand and self.width() >= 420)  # the link alone says it where it is narrow
        self.use_advice.setVisible(by_hand)
        self.minimised.setVisible(by_hand)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self._pale.setText(_idle_words(palette))
        self.table.show_palette(palette)
        for at in range(self.pool.count()):
            lane = lane_of(self.pool.itemData(at))
            self.pool.setItemIcon(at, icon(lane.icon, palette.lane(lane)))
        if self._chart is not None:
            self._body.removeWidget(self._chart)
            self._chart.deleteLater()
            self._chart = None
        self._draw()

    def choose(self, pool: Pool, gpu_model: str | None) -> None:
        """Show one pool and GPU model, where the plan has them."""
        self.pool.setCurrentIndex(max(0, self.pool.findData(pool)))
        self.model.setCurrentIndex(max(0, self.model.findData(gpu_model or "")))

    def ask_advice(self) -> None:
        """Let go of the levels set by hand."""
        plan = self._plan()
        if plan is not None and plan.set_by_hand:
            self.advice_asked.emit(plan.pool, plan.gpu_model)

    # Inside

    def _fill_models(self) -> None:
        shown, pool = self._shown, self.pool.currentData()
        plans = [plan for plan in shown.advice.pools if plan.pool == pool] if shown and shown.advice else []
        plans.sort(key=lambda plan: -plan.gpu_hours)
        models = [plan.gpu_model or "" for plan in plans]
        if [self.model.itemData(at) for at in range(self.model.count())] != models:
            chosen = self.model.currentData()
            self.model.blockSignals(True)
            self.model.clear()
            for name in models:
                self.model.addItem(name or "Unknown model", name)
            self.model.setCurrentIndex(max(0, self.model.findData(chosen)))
            self.model.blockSignals(False)
        self._draw()

    def _plan(self) -> PoolPlan | None:
        if self._shown is None or self._shown.advice is None:
            return None
        pool, model = self.pool.currentData(), self.model.currentData()
        return next(
            (
                plan
                for plan in self._shown.advice.pools
                if plan.pool == pool and (plan.gpu_model or "") == model
            ),
            None,
        )

    def _draw(self) -> None:
        plan, shown = self._plan(), self._shown
        for widget in (self.pool, self.model, self._unit, self._caption, self.table):
            widget.setVisible(plan is not None)
        self._pale.setVisible(plan is not None and any(layer.term_months for layer in plan.layers))
        self._show_by_hand()
        if plan is None or shown is None:
            if self._chart is not None:
                self._chart.hide()
            is_empty = shown is not None and not shown.cards
            self._note.setText(
                "No jobs yet. <a href='#'>Import a job log</a>"
                if is_empty
                else "Layers are of a plan. Open one to see them."
                if shown is not None and shown.is_today
                else "Working out the layers."
            )
            self._note.show()
            return
        self._show_chart(plan)
        self._caption.setText(f"Share of {numbers.whole(len(plan.demand_gpus))} hours in %, busiest first")
        self._show_table(plan, shown)
        note = "" if shown.evaluation.project.offers else "<a href='#'>Add prices</a> to see layers."
        self._note.setText(" ".join(filter(None, (numbers.sentence(plan.note), note))))
        self._note.setVisible(bool(self._note.text()))

    def _show_chart(self, plan: PoolPlan) -> None:
        from gpuplanner.charts.load_duration import LayerBand, LoadDuration, LoadDurationChart

        if self._chart is None:
            self._chart = LoadDurationChart(chart_colours(self._palette))
            self._chart.setMinimumHeight(136)
            self._chart.setMaximumHeight(280)
            self._body.insertWidget(3, self._chart, 4)
        palette, bands, at = self._palette, [], 0.0
        for layer in plan.layers:
            if layer.existing and layer.gpus:
                bands.append(LayerBand(at, at + layer.gpus, _existing_colour(palette), "Existing"))
                at += layer.gpus
        base = at
        for layer in plan.layers:
            if layer.existing or not layer.term_months or not layer.gpus:
                continue
            months = layer.term_months
            bands.append(
                LayerBand(at, at + layer.gpus, palette.terms[_step(palette, months)], numbers.counted(months, "month"),
                          is_paid_idle=True)
            )  # fmt: skip
            at += layer.gpus
        residual = np.sort(np.asarray(plan.residual_gpus, dtype=np.float64))[::-1]
        for layer in plan.layers:
            if not layer.existing and not layer.term_months and usage_mean_gpus(layer) > 0:
                pattern = "dotted" if layer.pricing_category is PricingCategory.DYNAMIC else "hatched"
                name = "Spot" if pattern == "dotted" else "On demand"
                bands.append(
                    LayerBand(at, base + max(float(residual[0]), at - base), palette.terms[0], name,
                              f"above {numbers.gpus(at)}", pattern, palette.hatch)
                )  # fmt: skip
        curve = LoadDuration(base + residual, tuple(bands), palette.lanes[lane_of(plan.pool)].fill)
        ticks = [(0.0, "0"), (25.0, "25"), (50.0, "50"), (75.0, "75"), (100.0, "100")]
        self._chart.show_curve(curve, ticks)
        self._chart.show()

    def _show_table(self, plan: PoolPlan, shown: Shown) -> None:
        project = shown.evaluation.project
        scenario = project.scenario(shown.evaluation.scenario)
        by_hand = scenario.hand_layers.get((plan.pool, plan.gpu_model))
        rows = term_rows(plan, project.offers)
        if by_hand is not None:  # what was just set is shown at once, its figures when they are there
            sizes = {layer.term_months: float(layer.gpus) for layer in by_hand}
            rows = [
                replace(row, gpus=sizes.get(row.term_months or -1, 0.0)) if row.is_set else row
                for row in rows
            ]
        total = total_row(plan, rows, "All")
        whole = self._whole_dollars(plan, rows, shown)
        cells = [self._row(row, money, shown) for row, money in zip(rows, whole, strict=True)]
        if self.width() < 420:
            cells = [
                replace(
                    cell, cells=(replace(cell.cells[0], text=_short(cell.cells[0].text)), *cell.cells[1:])
                )
                for cell in cells
            ]
        shape = (self.width() >= 420, *((row.name, row.is_set) for row in rows))
        if shape != self._shape:
            self._shape = shape
            self.table.show_rows((), ())  # other rows: the spin boxes of before go with them
            self._spins = {}
        columns = (
            _COLUMNS
            if self.width() >= 420
            else (
                _COLUMNS[0],
                replace(_COLUMNS[1], width=52),
                _COLUMNS[2],
                replace(_COLUMNS[3], title="Break\neven"),
                *_COLUMNS[4:],
            )
        )
        self.table.show_rows(columns, [*cells, self._row(total, _known_sum(whole), shown, True)])
        self.table.fit_height()
        for at, row in enumerate(rows):
            if row.is_set and row.term_months:
                self._show_spin(at, row.term_months, round(row.gpus), plan.block)
        self._order_tabs()

    def _order_tabs(self) -> None:
        """Reading order: pool, model, the way back to the advice, the sizes from top to bottom, the table."""
        stops = [self.pool, self.model, self.use_advice, *self._spins.values(), self.table]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _whole_dollars(self, plan: PoolPlan, rows: list[TermRow], shown: Shown) -> list[int | None]:
        """The rows in the whole dollars that every panel shows for these layers."""
        layers = layer_dollars(shown.advice) if shown.advice else {}
        return [
            layers.get((plan.pool, plan.gpu_model, row.existing, row.category, row.term_months), 0)
            for row in rows
        ]

    def _show_spin(self, at: int, months: int, gpus: int, block: int) -> None:
        spin = self._spins.get(months)
        if spin is not None:
            spin.blockSignals(True)
            spin.setSingleStep(block)
            spin.setValue(gpus)
            spin.blockSignals(False)
            return
        spin = LevelSpin(months, gpus, block)
        spin.valueChanged.connect(lambda value: self._set_level(months, value))
        holder = QWidget()
        holder_layout = QHBoxLayout(holder)
        holder_layout.setContentsMargins(6, 2, 0, 2)
        holder_layout.addWidget(spin)
        holder.setFocusProxy(spin)
        self.table.setIndexWidget(self.table.model().index(at, 1), holder)
        self._spins[months] = spin

    def _row(self, row: TermRow, money: int | None, shown: Shown, is_total: bool = False) -> Row:
        palette, quiet = self._palette, "muted" if shown.is_settling else "text"
        usage = not row.existing and row.term_months == 0
        shown_gpus = (
            numbers.one_decimal(row.gpus) if usage or row.existing or is_total else numbers.gpus(row.gpus)
        )
        amount = numbers.whole(row.usd) if money is None else numbers.whole(float(money))
        swatch = (
            ""
            if is_total
            else _existing_colour(palette)
            if row.existing
            else palette.terms[_step(palette, row.term_months or 0)]
        )
        not_there = (
            "Used as it comes: there is nothing unused to count." if usage else "No GPUs in this layer."
        )
        return Row(
            (
                Cell(row.name, swatch=swatch, is_hatched=usage),
                Cell("" if row.is_set else shown_gpus, tip="Mean GPUs" if usage or is_total else ""),
                Cell(numbers.percent(row.used), quiet, tip="" if row.used is not None else not_there),
                Cell(numbers.percent(row.break_even), "muted", tip=_BREAK_EVEN_TIP),
                Cell(
                    numbers.rate(row.rate) if row.rate is not None or not is_total else numbers.UNKNOWN, quiet
                ),
                Cell(amount, quiet, tip=numbers.cents(row.usd)),
            ),
            is_total,
        )

    def _set_level(self, months: int, gpus: int) -> None:
        plan = self._plan()
        if plan is None:
            return
        layers = tuple(
            HandLayer(term, spin.value())
            for term, spin in sorted(self._spins.items(), reverse=True)
            if spin.value()
        )
        self.levels_set.emit(plan.pool, plan.gpu_model, layers, HandLayer(months, gpus))


def _known_sum(values: list[int | None]) -> int | None:
    return None if None in values else sum(value for value in values if value is not None)


_BREAK_EVEN_TIP = (
    "Used for a larger share of the hours, the term is cheaper than paying by use. A rule of thumb."
)


def _step(palette: Palette, months: int) -> int:
    """The step of the ramp that a term is drawn in."""
    return max(step for step in palette.terms if step <= months)


def _short(name: str) -> str:
    """36 mo, where there is little room."""
    return name.replace(" months", " mo").replace(" month", " mo")


def _existing_colour(palette: Palette) -> str:
    """Existing contracts are no step of the ramp: a neutral that none of its colours is."""
    return mixed(palette.colour("text"), palette.colour("raised"), 0.5).name()


def _idle_words(palette: Palette) -> str:
    """What the area of GPUs that stand idle is called: it fades towards the ground, which may be dark."""
    return "Dark: paid, not used" if palette.is_dark else "Pale: paid, not used"


def _small(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "muted")
    label.setFont(font("small"))
    return label
