"""The head of the panel Duration: which pool and GPU model, whose levels, and the way back to the advice."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.model.pool import Pool
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.state.term_rows import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr


class DurationHead(QObject):
    """Told the plans there are; emits that another is chosen. Its widgets stand on the line that it makes."""

    plan_chosen = Signal()

    def __init__(self, palette: Palette, parent: QObject) -> None:
        super().__init__(parent)
        self._palette = palette
        self._plans: tuple[PoolPlan, ...] = ()
        self.pool = QComboBox()
        self.pool.setAccessibleName(tr("Pool"))
        self.pool.view().setAccessibleName(tr("Pools"))
        set_tip(self.pool, tr("Which pool to show"))
        self.model = QComboBox()
        self.model.setAccessibleName(tr("GPU model"))
        self.model.view().setAccessibleName(tr("GPU models"))
        set_tip(self.model, tr("Which GPU model to show"))
        for box in (self.pool, self.model):  # filled once the panel is seen, after a first size was asked for
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.by_hand = PlainLabel(tr("Levels set by you"))
        self.by_hand.setProperty("role", "muted")
        self.by_hand.setFont(font("small"))
        set_tip(self.by_hand, spoken(WHAT_THE_ADVICE_MINIMISES))
        self.use_advice = QPushButton(tr("Use advice"))
        self.use_advice.setProperty("link", True)
        self.use_advice.setAccessibleName(tr("Use advice"))
        set_tip(self.use_advice, with_keys(tr("Let go of the levels set by you"), "use_advice"))
        self.line = QHBoxLayout()
        self.line.setSpacing(8)
        self.line.addWidget(self.pool)
        self.line.addWidget(self.model)
        self.line.addStretch(1)
        self.line.addWidget(self.by_hand)
        self.line.addWidget(self.use_advice)
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
            self.pool.blockSignals(True)
            self.pool.clear()
            for pool in pools:
                lane = lane_of(pool)
                self.pool.addItem(icon(lane.icon, self._palette.lane(lane)), lane.title, pool)
            self.pool.setCurrentIndex(max(0, self.pool.findData(chosen)))
            self.pool.blockSignals(False)
        self._fill_models()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        for at in range(self.pool.count()):
            lane = lane_of(self.pool.itemData(at))
            self.pool.setItemIcon(at, icon(lane.icon, palette.lane(lane)))

    def choose(self, pool: Pool, gpu_model: str | None) -> None:
        """Choose one pool and GPU model, where the plans have them."""
        self.pool.setCurrentIndex(max(0, self.pool.findData(pool)))
        self.model.setCurrentIndex(max(0, self.model.findData(gpu_model or "")))

    def _choose_pool(self) -> None:
        self._fill_models()
        self.plan_chosen.emit()

    def _fill_models(self) -> None:
        pool = self.pool.currentData()
        plans = sorted((plan for plan in self._plans if plan.pool == pool), key=lambda plan: -plan.gpu_hours)
        models = [plan.gpu_model or "" for plan in plans]
        if [self.model.itemData(at) for at in range(self.model.count())] != models:
            chosen = self.model.currentData()
            self.model.blockSignals(True)
            self.model.clear()
            for name in models:
                self.model.addItem(name or tr("Unknown model"), name)
            self.model.setCurrentIndex(max(0, self.model.findData(chosen)))
            self.model.blockSignals(False)
