"""Offers of one GPU model side by side: how far each is below the chosen one, and which two are furthest apart."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.prices.rows import COMPARE_COLUMNS, by_rate, compare_rows, widest_words
from gpuplanner.ui.tables.chooser import chooser, fill, price_table, select
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import tr

NOTE = worded(
    "Choose an offer: the last column says how far each other one is below it. Worked out for these two rates."
)


class PriceCompareView(QWidget):
    """Told the offers; emits the model or the offer that was chosen."""

    model_chosen = Signal()
    offer_chosen = Signal(str)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.models: QComboBox = chooser(tr("GPU model to compare"), [])
        self.models.setMinimumWidth(130)
        self.widest = PlainLabel()
        self.widest.setWordWrap(True)
        self.table: FigureTable = price_table(tr("Offers side by side"), palette)
        self.note = PlainLabel(tr(NOTE))
        self.note.setProperty("role", "muted")
        self.note.setFont(font("small"))
        self.note.setWordWrap(True)
        line = QHBoxLayout()
        line.addWidget(self.models)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 6, 12, 8)
        layout.setSpacing(6)
        layout.addLayout(line)
        layout.addWidget(self.widest)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)
        self.models.activated.connect(lambda _: self.model_chosen.emit())
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))

    def show_models(self, models: list[str]) -> None:
        """Which GPU models there are to choose from."""
        fill(self.models, models)

    def show_offers(
        self, offers: Sequence[Offer], offer_id: str, window: Window, egress_gb_per_gpu_hour: float | None
    ) -> None:
        """Show the offers of the chosen model beside one of them, the most expensive where that is not among them."""
        model = self.models.currentText()
        ordered = by_rate([offer for offer in offers if offer.gpu_model == model])
        chosen = next(
            (offer for offer in ordered if offer.offer_id == offer_id), ordered[0] if ordered else None
        )
        self.widest.setText(widest_words(ordered, model) if model else tr("No offers to compare yet."))
        self.table.show_rows(COMPARE_COLUMNS, compare_rows(ordered, chosen, window, egress_gb_per_gpu_hour))
        if chosen is not None:
            select(self.table, ordered.index(chosen))

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)

    def _follow(self, row: int) -> None:
        if 0 <= row < self.table.model().rowCount():
            self.offer_chosen.emit(self.table.row_at(row).key)
