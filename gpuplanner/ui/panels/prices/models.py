"""GPU models that may do the work of others: the list with its ratios, and the line under it to set one."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.edits import demand_models
from gpuplanner.domain.fit.eligibility import cheapest
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.model_mapping import LEAST_RATIO, MOST_RATIO, ModelMapping
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chooser import chooser, fill, price_table, select
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

COLUMNS: Final = (
    Column("GPU model", False),
    Column("Also served by", False, width=100),
    Column("Ratio"),
    Column("On demand\n$/GPU-h"),
    Column("Same work\n$/GPU-h"),
)
NONE_YET: Final = worded(
    "Each GPU model is served by offers of its own. Say below that another model may do its work, and how many of its "
    "GPUs one of them is worth: from then on both compete, each at its rate for the same work."
)
NOTE: Final = worded(
    "A ratio is yours to know: measure your own jobs on both. Memory of a model that stands in must fit. What is "
    "ordered is whole GPUs; what is paid by use need not be. Existing contracts serve their own model."
)
NO_MODELS: Final = worded("Import a job log and prices of another GPU model first.")
USUAL_RATIO: Final = 1.0


class PriceModelsView(QWidget):
    """Told the project; emits the ratio that the planner sets for two models."""

    mapping_set = Signal(str, str, object)
    """GPU model of the demand, GPU model of the offers, ratio (None: no longer)."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._mappings: tuple[ModelMapping, ...] = ()
        self.empty = muted_label(tr(NONE_YET))
        self.table: FigureTable = price_table(tr("GPU models that may serve others"), palette)
        self.wanted = chooser(tr("GPU model of the demand"), [])
        self.offered = chooser(tr("May also be served by"), [])
        self.ratio = QDoubleSpinBox()
        self.ratio.setRange(LEAST_RATIO, MOST_RATIO)
        self.ratio.setDecimals(2)
        self.ratio.setSingleStep(0.1)
        self.ratio.setValue(USUAL_RATIO)
        self.ratio.setAccessibleName(tr("Ratio"))
        set_tip(self.ratio, tr("How many GPUs of the first model one GPU of the second does the work of"))
        self.put = QPushButton(tr("Let it serve"))
        self.put.setAccessibleName(tr("Let one model serve another"))
        set_tip(
            self.put, tr("Offers of the second model may serve demand for the first, at this ratio (Enter)")
        )
        self.take = QPushButton(tr("Remove"))
        self.take.setAccessibleName(tr("Let one model no longer serve another"))
        set_tip(self.take, tr("Only offers of its own model serve it again (Delete)"))
        self.said = muted_label("")
        self.note = muted_label(tr(NOTE))
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))
        self.put.clicked.connect(lambda: self._emit(self.ratio.value()))
        self.take.clicked.connect(lambda: self._emit(None))
        self.wanted.activated.connect(lambda _: self._say())
        self.offered.activated.connect(lambda _: self._say())
        self.ratio.valueChanged.connect(lambda _: self._say())

    def _lay_out(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(8)
        form.setVerticalSpacing(4)
        for column, (title, widget) in enumerate(
            (
                (tr("GPU model"), self.wanted),
                (tr("Also served by"), self.offered),
                (tr("Ratio"), self.ratio),
            )
        ):
            label = muted_label(spoken(title))
            label.setBuddy(widget)
            form.addWidget(label, 0, column)
            form.addWidget(widget, 1, column)
        form.setColumnStretch(0, 1)
        form.setColumnStretch(1, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.put)
        buttons.addWidget(self.take)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 6, 12, 8)
        layout.setSpacing(6)
        layout.addWidget(self.empty)
        layout.addWidget(self.table)
        layout.addLayout(form)
        layout.addWidget(self.said)
        layout.addLayout(buttons)
        layout.addWidget(self.note)
        layout.addStretch(1)

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
        row = self.table.currentIndex().row()
        self.table.setVisible(bool(project.mappings))
        self.empty.setVisible(not project.mappings)
        self.table.show_rows(COLUMNS, [_row(one, offers) for one in project.mappings])
        self.table.fit_height()
        if project.mappings:
            at = min(max(row, 0), len(project.mappings) - 1)
            select(self.table, at)
            if row < 0:
                self._follow(at)
        self._say()

    def refuse(self, error: PlannerError) -> None:
        """Say what cannot be."""
        self.said.setText(sentence(tr("{what}; {remedy}", what=error.what, remedy=error.remedy)))

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)

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
        known = next(
            (one for one in self._mappings if (one.gpu_model, one.offer_model) == self._pair()), None
        )
        can = bool(wanted and offered) and wanted != offered
        self.put.setText(tr("Let it serve") if known is None else tr("Set ratio"))
        self.put.setEnabled(can and (known is None or known.ratio != self.ratio.value()))
        self.take.setEnabled(known is not None)
        self.said.setText(
            tr(
                "1 {offered} does the work of {value} {wanted}.",
                offered=offered,
                value=numbers.significant(self.ratio.value()),
                wanted=wanted,
            )
            if can
            else tr(NO_MODELS)
            if not (wanted and offered)
            else tr("{wanted} already serves itself: choose another model.", wanted=wanted)
        )

    def _follow(self, row: int) -> None:
        if 0 <= row < len(self._mappings):
            one = self._mappings[row]
            self.wanted.setCurrentIndex(self.wanted.findText(one.gpu_model))
            self.offered.setCurrentIndex(self.offered.findText(one.offer_model))
            self.ratio.setValue(one.ratio)
            self._say()

    def _emit(self, ratio: float | None) -> None:
        self.mapping_set.emit(*self._pair(), ratio)


def _row(mapping: ModelMapping, offers: Sequence[Offer]) -> Row:
    of_model = [offer for offer in offers if offer.gpu_model == mapping.offer_model]
    offer = cheapest(of_model, PricingCategory.STANDARD)
    rate = None if offer is None else offer.rate
    same_work = numbers.UNKNOWN if rate is None else numbers.cents(rate / mapping.ratio)
    return Row(
        (
            Cell(mapping.gpu_model),
            Cell(mapping.offer_model),
            Cell(numbers.significant(mapping.ratio)),
            Cell(numbers.UNKNOWN if rate is None else numbers.cents(rate), tip=tr("The cheapest on demand")),
            Cell(
                same_work,
                is_strong=True,
                tip=tr(
                    "On demand, $ for the work of one GPU-hour of {gpu_model}", gpu_model=mapping.gpu_model
                ),
            ),
        ),
        key=f"{mapping.gpu_model}\t{mapping.offer_model}",
    )
