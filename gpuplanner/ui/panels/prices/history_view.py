"""Rates of an offer over time, next to public ones."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QDate, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.charts.kit.user_locale import day_locale
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import (
    KIND_WORDS,
    PriceFall,
    PriceMonth,
    fall_words,
    histories,
    months_of,
    proposed_falls,
    provider_kind,
    public_rates,
    rate_change_words,
)
from gpuplanner.ui.kit.layout import STRETCH, TOP, column, ground, placed, row, share
from gpuplanner.ui.kit.page_parts import label, muted_label, named_button
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.prices.offer_rows import AROUND_VIEW
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Cell, Filled, filled_rows
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.price_table import chooser, fill, price_table
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.month_lines import MonthLinesChart


TITLE: Final = worded("Rates over time")
COLUMNS: Final[tuple[Filled[Offer], ...]] = (
    Filled(title="As of", is_figure=False, cell=lambda offer: numbers.iso_date(offer.as_of or "")),
    Filled(title="Rate\n$/GPU-h", cell=lambda offer: numbers.cents(offer.bare_rate)),
    Filled(
        title="Source",
        is_figure=False,
        cell=lambda one: Cell(text=one.source or numbers.UNKNOWN, role="muted", tip=one.source or ""),
    ),
)
CHART_HEIGHT: Final = 160
MOST_FALLS: Final = 4


class PriceHistoryView(QWidget):
    """Told the price book and the public rates; emits the offer that was chosen, and a fall that is to count."""

    offer_chosen = Signal(str)
    fall_chosen = Signal(float)  # ratio a month

    def __init__(self) -> None:
        super().__init__()
        ground(self, "panel")
        self._shown: ViewState | None = None
        self._book: tuple[tuple[Offer, ...], tuple[Offer, ...]] = ((), ())
        self._histories: dict[str, tuple[Offer, ...]] = {}
        self._proposed: tuple[PriceFall, ...] = ()
        self.own_prices: tuple[Offer, ...] = ()
        self.public: tuple[PriceMonth, ...] = ()
        self.chart = SeenChart(_new_chart, self._put, self._sheet)
        self._draws = QTimer(self, singleShot=True, interval=0)
        self._draws.timeout.connect(self._draw_chart)
        self.offers: QComboBox = chooser(tr("Offer"), [])
        self.offers.setMinimumWidth(text_px(180))
        self.note = muted_label()
        self.table: FigureTable = price_table(tr("Dated rates of the offer"))
        self.in_force = muted_label()
        self.falls = [FallLine() for _ in range(MOST_FALLS)]
        self.unit = muted_label(worded("$ per GPU-hour"), is_wrapped=False)
        self._exchange: float | None = 1.0
        line = row(share(self.offers), self.unit)
        self._rows = column(
            *(line, self.note),
            *self.falls,
            self.in_force,
            self.table,
            STRETCH,
            on=self,
            margins=AROUND_VIEW,
            spacing=6,
        )
        for fall in self.falls:
            fall.chosen.connect(self.fall_chosen)
        self.offers.activated.connect(lambda at: self.offer_chosen.emit(self.offers.itemText(at)))

    def show_history(
        self, shown: ViewState, offer_id: str, public: Sequence[PriceMonth], delta: float
    ) -> None:
        """Show the history of one offer. public: the shipped rates; delta: the price fall in force."""
        project = shown.evaluation.project
        self._shown = shown
        book = (project.offers, project.earlier_offers)
        if any(one is not other for one, other in zip(book, self._book, strict=True)):
            self._book = book
            self._histories, self._proposed = histories(*book), proposed_falls(*book, public)
        fill(self.offers, [offer.offer_id for offer in project.offers])
        offer = next((one for one in project.offers if one.offer_id == offer_id), None)
        offer = offer or next(iter(project.offers), None)
        into = exchange_between(USD, project.currency, project.exchange)
        self._exchange = None if into is None else float(into)
        self.own_prices = () if offer is None else self._histories[offer.offer_id]
        self.public = () if offer is None else like_for_like(public_rates(public, offer), offer)
        if offer is not None:
            self.offers.setCurrentText(offer.offer_id)
            set_tip(self.offers, offer.offer_id)  # an id may be longer than the panel is wide
        self.note.setText(_note(offer, self.own_prices, self.public))
        newest_first = reversed(self.own_prices)
        self.table.show_all(COLUMNS, filled_rows(COLUMNS, newest_first, lambda one: one.as_of or ""))
        self._draw_chart()
        model = None if offer is None else offer.gpu_model
        self._show_falls([fall for fall in self._proposed if fall.gpu_model == model], delta)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.chart.plot is not None and event.size().width() != event.oldSize().width():
            self._draws.start()  # as many months are named as have room; once the chart has its own width

    def recolour(self) -> None:
        """Other colours from now on."""
        if self._shown is not None:
            self._draw_chart()

    # Inside

    def _draw_chart(self) -> None:
        lines, months = lines_of(self.own_prices, self.public, self._exchange)
        if lines:
            chart = self.chart.ready()
            self.chart.show()
            _tell(chart, lines, months)
            self.chart.menu.refresh()
        else:
            self.chart.show(False)

    def _put(self, chart: "MonthLinesChart") -> None:
        chart.setFixedHeight(text_px(CHART_HEIGHT))
        chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows.insertWidget(1, chart)

    def _sheet(self) -> Any:
        shown = self._shown
        lines, months = lines_of(self.own_prices, self.public, self._exchange)
        if shown is None or not lines:
            return None
        return sheet_of(
            tr("{title}: {value}", title=TITLE, value=self.offers.currentText()),
            tr("$ per GPU-hour"),
            source_words(shown),
            self.chart.drawn(lambda made, _: _tell(made, lines, months)),
            (tr("Month"), *(name for name, _ in lines)),
            lambda: [
                (month, *(numbers.cents(rates[at]) for _, rates in lines)) for at, month in enumerate(months)
            ],
        )

    def _show_falls(self, falls: Sequence[PriceFall], delta: float) -> None:
        for place, line in enumerate(self.falls):
            line.show_fall(falls[place] if place < len(falls) else None, delta)
        words = tr("No price decline is proposed: no rates of this GPU model span a year.")
        if falls:
            words = tr("In force: {change} per month.", change=spoken(rate_change_words(delta)))
        self.in_force.setText(words)


class FallLine(QWidget):
    """What one history proposes, with the button that lets it count."""

    chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._fall: PriceFall | None = None
        self.words = label(is_wrapped=True)
        tip = tr("Use as price decline; one undo step")
        self.use = named_button("", tip, self._choose, called=tr("Use the proposed price decline"))
        row(share(self.words), placed(self.use, TOP), on=self)

    def show_fall(self, fall: PriceFall | None, delta: float) -> None:
        """Show one, or nothing; delta: the price fall in force."""
        self._fall = fall
        self.setVisible(fall is not None)
        if fall is not None:
            self.words.setText(spoken(fall_words(fall)))
            self.use.setText(tr("Use {change} per month", change=spoken(rate_change_words(fall.proposed))))
            self.use.setAccessibleName(tr("{title}: {value}", title=self.use.text(), value=self.words.text()))
            self.use.setEnabled(round(delta, 6) != fall.proposed)

    def _choose(self) -> None:
        if self._fall is not None:
            self.chosen.emit(self._fall.proposed)


def like_for_like(rows: Sequence[PriceMonth], offer: Offer) -> tuple[PriceMonth, ...]:
    """The public rates of an offer's category and term; where there are none of these, those on demand."""
    alike = [
        row
        for row in rows
        if (row.pricing_category, row.term_months) == (offer.pricing_category, offer.term_months)
    ]
    return tuple(alike or [row for row in rows if not row.term_months])


def lines_of(
    own: Sequence[Offer], public: Sequence[PriceMonth], exchange: float | None = 1.0
) -> tuple[list[tuple[str, tuple[float | None, ...]]], list[str]]:
    """The lines of the chart, $ per GPU-hour by month, and the months; a rate holds until the next one is known.

    exchange: units of the project's money of one US dollar, in which public rates are listed; None: not stated.
    """
    held: dict[str, float | None] = {(one.as_of or "")[:7]: one.bare_rate for one in own}
    listed: dict[str, float | None] = {
        row.month: row.rate_usd_per_gpu_hour * exchange for row in public if exchange is not None
    }
    if not (held or listed):
        return [], []
    months = months_of(min((*held, *listed)), max((*held, *listed)))
    lines = [(tr("This offer"), _held(held, months, months[-1]))] if held else []
    if listed:
        kind = sentence(spoken(KIND_WORDS[public[0].provider_kind]))
        lines.append((kind, _held(listed, months, max(listed))))
    return lines, months


def _held(rates: dict[str, float | None], months: Sequence[str], last: str) -> tuple[float | None, ...]:
    line: list[float | None] = []
    for month in months:
        before = line[-1] if line else None
        line.append(rates.get(month, before) if month <= last else None)
    return tuple(line)


def _new_chart(palette: Palette) -> "MonthLinesChart":
    from gpuplanner.charts.plots.month_lines import MonthLinesChart

    return MonthLinesChart(chart_colours(palette), TITLE, numbers.cents)


def _tell(
    chart: "MonthLinesChart", lines: Sequence[tuple[str, tuple[float | None, ...]]], months: Sequence[str]
) -> None:
    from gpuplanner.charts.plots.month_lines import MonthLine

    own = tr("This offer")
    shown = [MonthLine(name, rates, name == own) for name, rates in lines]
    chart.show_lines(shown, list(map(_month, months)))


def _month(month: str) -> str:
    year, number = map(int, month.split("-"))
    return day_locale().toString(QDate(year, number, 1), "MMM yyyy")


def _note(offer: Offer | None, own: Sequence[Offer], public: Sequence[PriceMonth]) -> str:
    if offer is None:
        return tr("No prices yet")
    dated = tr("This offer's rate has no date: enter one under Offers.") + " " if not own else ""
    if len(own) == 1:
        dated = tr("One dated rate so far.") + " "
    if not public:
        kind = spoken(KIND_WORDS[provider_kind(offer.provider)])
        return dated + tr("No public rates of {model} at {kind}.", model=offer.gpu_model, kind=kind)
    months, kind = public[0].term_months, spoken(KIND_WORDS[public[0].provider_kind])
    if months:
        kind = tr("{first}, {second}", first=kind, second=term_words(months))
    return dated + tr(
        "For comparison: monthly median list price of {model} at {kind}, {count} months. "
        "Last source: {source}.",
        model=public[0].gpu_model,
        kind=kind,
        count=len(public),
        source=public[-1].source,
    )
