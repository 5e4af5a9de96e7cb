"""Offers of one GPU model side by side: differences, and the pair that is furthest apart."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.all_in_rate import all_in
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_pairs import PricePair, share_below, widest_alike, widest_pair
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.kit.layout import STRETCH, column, row, share
from gpuplanner.ui.kit.page_parts import label, muted_label
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.prices.offer_rows import (
    ALL_IN_COLUMN,
    AROUND_VIEW,
    TERM_COLUMN,
    badge_of,
    rate_column,
)
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_row, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.price_table import chooser, fill, price_table, select
from gpuplanner.ui.tables.rows_model import LazyRows
from gpuplanner.ui.words import numbers

# ---------------------------------------------------------------- side by side


def by_rate(offers: Sequence[Offer]) -> list[Offer]:
    """The highest all-in rate first, as pairs compare; what needs a quote comes last."""
    return sorted(offers, key=lambda offer: (-(all_in(offer).total or 0.0), offer.offer_id))


def compare_table(
    ordered: Sequence[Offer], chosen: Offer | None, window: Window
) -> tuple[tuple[Column, ...], Sequence[Row]]:
    """The columns, and the offers of one model, each beside the chosen one; rows are made when they are seen."""

    def name(offer: Offer) -> Cell:
        return Cell(text=offer.offer_id, tip=badge_of(offer, window).words or offer.offer_id)

    def below(offer: Offer) -> Cell:
        if chosen is None:
            return Cell(text=numbers.UNKNOWN)
        if offer.offer_id == chosen.offer_id:
            return Cell(text="chosen", role="muted")
        share = share_below(offer, chosen)
        tip = "" if share is None else pair_tip(offer, chosen, share)
        figure_id = asked(share, "offer_below", offer.offer_id, chosen.offer_id)
        return written(numbers.percent, share, tip=tip, figure_id=figure_id)

    columns: tuple[Filled[Offer], ...] = (
        Filled(title="Offer", is_figure=False, cell=name),
        TERM_COLUMN,
        rate_column(window),
        ALL_IN_COLUMN,
        Filled(title="Below the\nchosen one", cell=below),
    )
    return columns, LazyRows(len(ordered), lambda at: filled_row(columns, ordered[at], ordered[at].offer_id))


def pair_tip(offer: Offer, chosen: Offer, share: float) -> str:
    """How far one offer is below (or above) another, with both all-in rates."""
    values = {
        "offer": offer.offer_id,
        "rate": numbers.cents(all_in(offer).total),
        "share": numbers.percent(abs(share)),
        "chosen": chosen.offer_id,
        "chosen_rate": numbers.cents(all_in(chosen).total),
    }
    if share >= 0:
        return tr("{offer} at {rate} is {share} below {chosen} at {chosen_rate}", **values)
    return tr("{offer} at {rate} is {share} above {chosen} at {chosen_rate}", **values)


def widest_words(offers: Sequence[Offer], gpu_model: str) -> str:
    """Up to 64.5% below, of two offers of a model with their names and rates; and of two that are like for like."""
    widest, alike = widest_pair(offers), widest_alike(offers)
    if widest is None:
        return tr("{gpu_model}: no different rates to compare.", gpu_model=gpu_model)
    first = tr("{gpu_model}: up to {widest}.", gpu_model=gpu_model, widest=_pair_words(widest))
    if alike is not None and alike.below == widest.below:
        return first
    note = tr("Terms or kinds explain part of the gap.")
    same = tr("Same term: up to {alike}.", alike=_pair_words(alike)) if alike else tr("All terms differ.")
    return f"{first} {note} {same}"


def _pair_words(pair: PricePair) -> str:
    return tr(
        "{share} below, {offer} at {rate} against {other} at {other_rate}",
        share=numbers.percent(pair.below),
        offer=pair.lower.offer_id,
        rate=numbers.cents(all_in(pair.lower).total),
        other=pair.higher.offer_id,
        other_rate=numbers.cents(all_in(pair.higher).total),
    )


# --- Offers of one GPU model side by side: how far each is below the chosen one, and which two are furthest apart

NOTE = worded("Choose an offer to compare others with it.")


class PriceCompareView(QWidget):
    """Told the offers; emits the model or the offer that was chosen."""

    model_chosen = Signal()
    offer_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.models: QComboBox = chooser(tr("GPU model to compare"), [])
        self.models.setMinimumWidth(text_px(130))
        self.widest = label(is_wrapped=True)
        self.table: FigureTable = price_table(tr("Offers side by side"))
        self.note = muted_label(NOTE)
        parts = (row(self.models, STRETCH), self.widest, share(self.table), self.note)
        column(*parts, on=self, margins=AROUND_VIEW, spacing=6)
        self.models.activated.connect(lambda _: self.model_chosen.emit())
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))

    def show_models(self, models: list[str]) -> None:
        """Which GPU models there are to choose from."""
        fill(self.models, models)

    def show_offers(self, offers: Sequence[Offer], offer_id: str, window: Window) -> None:
        """Show the offers of the chosen model beside one of them, the most expensive where that is not among them."""
        model = self.models.currentText()
        ordered = by_rate([offer for offer in offers if offer.gpu_model == model])
        chosen = next(
            (offer for offer in ordered if offer.offer_id == offer_id), ordered[0] if ordered else None
        )
        self.widest.setText(widest_words(ordered, model) if model else tr("No offers to compare yet."))
        self.table.show_rows(*compare_table(ordered, chosen, window))
        if chosen is not None:
            select(self.table, ordered.index(chosen))

    def _follow(self, row: int) -> None:
        if 0 <= row < self.table.model().rowCount():
            self.offer_chosen.emit(self.table.row_at(row).key)
