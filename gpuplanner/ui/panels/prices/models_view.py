"""GPU models that may do the work of others: the list with ratios."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.edits.model_mappings import demand_models
from gpuplanner.domain.fit.rules import cheapest
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import LEAST_RATIO, MOST_RATIO, ModelMapping
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import nearest_models
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, PricingCategory
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.layout import STRETCH, column, grid, named, row
from gpuplanner.ui.kit.page_parts import choice_of, muted_label, named_button
from gpuplanner.ui.panels.prices.offer_rows import AROUND_VIEW
from gpuplanner.ui.tables.cells import Cell, Filled, filled_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.price_table import chooser, fill, price_table, select
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import refusal_words

NONE_YET: Final = long_text("mapping_how_to")
NOTE: Final = long_text("mapping_ratio")
NO_MODELS: Final = worded("Import a job log and another GPU model's prices.")
USUAL_RATIO: Final = 1.0
ALL_POOLS: Final = worded("All pools")


class PriceModelsView(QWidget):
    """Told the project; emits the ratio that the planner sets for two models."""

    mapping_set = Signal(str, str, object, object)
    """GPU model of the demand, GPU model of the offers, ratio (None: no longer), whose demand alone (None: all)."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._mappings: tuple[ModelMapping, ...] = ()
        self.empty = muted_label(tr(NONE_YET))
        self.table: FigureTable = price_table(tr("GPU models serving others"))
        self.wanted = chooser(tr("GPU model of the demand"), [])
        self.offered = chooser(tr("Also served by"), [])
        pools = ((ALL_POOLS, None), *((POOL_TITLES[pool], pool) for pool in POOLS))
        self.pool = choice_of(tr("For"), tr("Demand it may serve"), pools, lambda _: self._say())
        self.ratio = named(
            QDoubleSpinBox(
                minimum=LEAST_RATIO, maximum=MOST_RATIO, decimals=2, singleStep=0.1, value=USUAL_RATIO
            ),
            tr("Ratio"),
            tr("GPUs of the first model per GPU of the second"),
        )
        tip = tr("The second model may serve demand for the first, at this ratio (Enter)")
        called, puts = tr("Allow another GPU model"), lambda: self._emit(self.ratio.value())
        self.put = named_button(tr("Let it serve"), tip, puts, called=called)
        tip = tr("Use only this model's offers (Delete)")
        called = tr("Use only this model's offers (Delete)")
        self.take = named_button(tr("Remove"), tip, lambda: self._emit(None), called=called)
        self.said, self.note = muted_label(), muted_label(NOTE)
        pairs = (
            ((tr("GPU model"), self.wanted), (tr("Also served by"), self.offered)),
            ((tr("For"), self.pool), (tr("Ratio"), self.ratio)),
        )
        lines = [
            line
            for pair in pairs
            for line in (
                [muted_label(title, of=field) for title, field in pair],
                [field for _, field in pair],
            )
        ]
        column(
            self.empty,
            self.table,
            grid(*lines, spacing=(8, 4), shares=(1, 1)),
            self.said,
            row(self.put, self.take, STRETCH, spacing=6),
            self.note,
            STRETCH,
            on=self,
            margins=AROUND_VIEW,
            spacing=6,
        )
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))
        self.wanted.activated.connect(lambda _: self._say())
        self.offered.activated.connect(lambda _: self._say())
        self.ratio.valueChanged.connect(lambda _: self._say())

    def show_project(self, project: Project, offers: Sequence[Offer]) -> None:
        """Show what is mapped. offers: at the rates that count in what is shown."""
        self._mappings = project.mappings
        models = sorted(
            {offer.gpu_model for offer in project.offers} | {one.offer_model for one in project.mappings}
        )
        fill(self.wanted, sorted(demand_models(project) | {one.gpu_model for one in project.mappings}))
        fill(self.offered, models)
        if self.offered.currentText() == self.wanted.currentText() and len(models) > 1:
            other = next(model for model in models if model != self.wanted.currentText())
            self.offered.setCurrentIndex(self.offered.findText(other))
        before = self.table.currentIndex().row()
        self.empty.setVisible(not project.mappings)
        columns = _columns(offers)
        self.table.show_all(columns, filled_rows(columns, project.mappings, lambda one: "\n".join(one.key)))
        if project.mappings:
            at = min(max(before, 0), len(project.mappings) - 1)
            select(self.table, at)
            if before < 0:
                self._follow(at)
        self._say()

    def ask(self, model: str) -> None:
        """Offer to let the model nearest to one by name do its work. model: of the demand; of none nothing changes."""
        if (at := self.wanted.findText(model)) >= 0:
            nearest = nearest_models(model, (self.offered.itemText(at) for at in range(self.offered.count())))
            self.wanted.setCurrentIndex(at)
            self.offered.setCurrentText(nearest[0] if nearest else "")
            self._say()

    def refuse(self, error: PlannerError) -> None:
        """Say what cannot be."""
        self.said.setText(refusal_words(error))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.table.hasFocus() and self.take.isEnabled():
            self._emit(None)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.put.isEnabled():
            self._emit(self.ratio.value())
        else:
            super().keyPressEvent(event)

    def _pair(self) -> tuple[str, str]:
        return self.wanted.currentText(), self.offered.currentText()

    def _say(self) -> None:
        """What the line would say in words, and which of its buttons have something to do."""
        wanted, offered = self._pair()
        mine = (wanted, offered, self.pool.currentData() or "")
        known = next((mapping for mapping in self._mappings if mapping.key == mine), None)
        can = bool(wanted and offered) and wanted != offered
        self.put.setText(tr("Let it serve") if known is None else tr("Set ratio"))
        self.put.setEnabled(can and (known is None or known.ratio != self.ratio.value()))
        self.take.setEnabled(known is not None)
        if can:
            words = tr(
                "1 {offered} replaces {value} {wanted}.",
                offered=offered,
                value=numbers.significant(self.ratio.value()),
                wanted=wanted,
            )
        elif not (wanted and offered):
            words = tr(NO_MODELS)
        else:
            words = tr("{wanted} serves itself: choose another model.", wanted=wanted)
        self.said.setText(words)

    def _follow(self, row: int) -> None:
        if 0 <= row < len(self._mappings):
            one = self._mappings[row]
            self.wanted.setCurrentIndex(self.wanted.findText(one.gpu_model))
            self.offered.setCurrentIndex(self.offered.findText(one.offer_model))
            self.pool.setCurrentIndex(self.pool.findData(one.pool))
            self.ratio.setValue(one.ratio)
            self._say()

    def _emit(self, ratio: float | None) -> None:
        self.mapping_set.emit(*self._pair(), ratio, self.pool.currentData())


def _columns(offers: Sequence[Offer]) -> tuple[Filled[ModelMapping], ...]:
    """The columns, with rates of the cheapest of these offers on demand."""

    def rate(mapping: ModelMapping, ratio: float = 1) -> str:
        of_model = [offer for offer in offers if offer.gpu_model == mapping.offer_model]
        offer = cheapest(of_model, PricingCategory.STANDARD)
        known = None if offer is None else offer.rate
        return numbers.UNKNOWN if known is None else numbers.cents(known / ratio)

    def same_work(mapping: ModelMapping) -> Cell:
        tip = tr("On demand, $ per GPU-hour of {gpu_model}", gpu_model=mapping.gpu_model)
        return Cell(text=rate(mapping, mapping.ratio), is_strong=True, tip=tip)

    return (
        Filled(title="GPU model", is_figure=False, cell=lambda one: one.gpu_model),
        Filled(title="Also served by", is_figure=False, width=100, cell=lambda one: one.offer_model),
        Filled(
            title="For",
            is_figure=False,
            width=80,
            cell=lambda one: spoken(POOL_TITLES[one.pool] if one.pool else ALL_POOLS),
        ),
        Filled(title="Ratio", cell=lambda one: numbers.significant(one.ratio)),
        Filled(
            title="On demand\n$/GPU-h",
            cell=lambda mapping: Cell(text=rate(mapping), tip=tr("Cheapest on demand")),
        ),
        Filled(title="Same work\n$/GPU-h", cell=same_work),
    )
