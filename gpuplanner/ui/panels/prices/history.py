"""How the rates of an offer moved: its own dated ones beside the public ones, and the fall that they propose."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QDate, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_history import histories
from gpuplanner.domain.model.book.price_history import (
    KIND_WORDS,
    PriceFall,
    PriceMonth,
    fall_words,
    months_of,
    proposed_falls,
    provider_kind,
    public_rates,
    rate_change_words,
)
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of
from gpuplanner.ui.tables.chooser import chooser, fill, price_table
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.month_lines import MonthLinesChart

TITLE: Final = worded("Rates over time")
COLUMNS: Final = (Column("As of", False), Column("Rate\n$/GPU-h"), Column("Source", False))
CHART_HEIGHT: Final = 160
MOST_FALLS: Final = 4


class PriceHistoryView(QWidget):
    """Told the price book and the public rates; emits the offer that was chosen, and a fall that is to count."""

    offer_chosen = Signal(str)
    fall_chosen = Signal(float)  # ratio a month

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._palette = palette
        self._shown: ViewState | None = None
        self._book: tuple[tuple[Offer, ...], tuple[Offer, ...]] = ((), ())
        self._histories: dict[str, tuple[Offer, ...]] = {}
        self._proposed: tuple[PriceFall, ...] = ()
        self._own: tuple[Offer, ...] = ()
        self._public: tuple[PriceMonth, ...] = ()
        self.chart: Any = None
        self._draws = QTimer(self)
        self._draws.setSingleShot(True)
        self._draws.setInterval(0)
        self._draws.timeout.connect(self._draw_chart)
        self.offers: QComboBox = chooser(tr("Offer"), [])
        self.offers.setMinimumWidth(180)
        self.note = muted_label()
        self.table: FigureTable = price_table(tr("Dated rates of the offer"), palette)
        self.in_force = muted_label()
        self.falls = [FallLine() for _ in range(MOST_FALLS)]
        line = QHBoxLayout()
        line.addWidget(self.offers, 1)
        self.unit = muted_label(worded("$ per GPU-hour"), is_wrapped=False)
        line.addWidget(self.unit)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(14, 6, 12, 8)
        self._rows.setSpacing(6)
        self._rows.addLayout(line)
        self._exchange: float | None = 1.0
        self._rows.addWidget(self.note)
        for fall in self.falls:
            self._rows.addWidget(fall)
            fall.chosen.connect(self.fall_chosen)
        self._rows.addWidget(self.in_force)
        self._rows.addWidget(self.table)
        self._rows.addStretch(1)
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
        self._own = () if offer is None else self._histories[offer.offer_id]
        self._public = () if offer is None else like_for_like(public_rates(public, offer), offer)
        if offer is not None:
            self.offers.setCurrentText(offer.offer_id)
            set_tip(self.offers, offer.offer_id)  # an id may be longer than the panel is wide
        self.note.setText(_note(offer, self._own, self._public))
        self.table.setVisible(bool(self._own))
        self.table.show_rows(COLUMNS, own_rows(self._own))
        self.table.fit_height()
        self._draw_chart()
        model = None if offer is None else offer.gpu_model
        self._show_falls([fall for fall in self._proposed if fall.gpu_model == model], delta)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.chart is not None and event.size().width() != event.oldSize().width():
            self._draws.start()  # as many months are named as have room; once the chart has its own width

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.table.show_palette(palette)
        if self.chart is not None:
            self._rows.removeWidget(self.chart)
            self.chart.deleteLater()
            self.chart = None
        if self._shown is not None:
            self._draw_chart()

    # Inside

    def _draw_chart(self) -> None:
        lines, months = lines_of(self._own, self._public, self._exchange)
        if self.chart is None and lines:
            self.chart = self._new_chart(self._palette)
            self.chart.setFixedHeight(CHART_HEIGHT)
            self.chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self._rows.insertWidget(1, self.chart)
            self._menu = ChartMenu(self.chart, self._palette, self._sheet)
        if self.chart is None:
            return
        is_table = self._menu.table is not None and self._menu.table.isVisible()
        self.chart.setVisible(bool(lines) and not is_table)
        if lines:
            _tell(self.chart, lines, months)
            self._menu.refresh()

    def _new_chart(self, palette: Palette) -> "MonthLinesChart":
        from gpuplanner.charts.plots.month_lines import MonthLinesChart

        return MonthLinesChart(chart_colours(palette), TITLE, numbers.cents)

    def _sheet(self) -> Any:
        shown = self._shown
        lines, months = lines_of(self._own, self._public, self._exchange)
        if shown is None or not lines:
            return None

        def make(palette: Palette) -> QWidget:
            made = self._new_chart(palette)
            _tell(made, lines, months)
            return made

        return sheet_of(
            tr("{title}: {offer_id}", title=TITLE, offer_id=self.offers.currentText()),
            tr("$ per GPU-hour"),
            source_words(shown),
            make,
            (tr("Month"), *(name for name, _ in lines)),
            lambda: [
                (month, *(numbers.cents(rates[at]) for _, rates in lines)) for at, month in enumerate(months)
            ],
        )

    def _show_falls(self, falls: Sequence[PriceFall], delta: float) -> None:
        for place, line in enumerate(self.falls):
            line.show_fall(falls[place] if place < len(falls) else None, delta)
        self.in_force.setText(
            tr("In force: {change} per month.", change=spoken(rate_change_words(delta)))
            if falls
            else tr("No rates of this GPU model span a year: nothing is proposed as price fall.")
        )


class FallLine(QWidget):
    """What one history proposes, with the button that lets it count."""

    chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._fall: PriceFall | None = None
        self.words = PlainLabel()
        self.words.setWordWrap(True)
        self.use = QPushButton()
        self.use.setAccessibleName(tr("Use the proposed price fall"))
        set_tip(self.use, tr("Set the assumption Price fall to it; one step of Undo"))
        self.use.clicked.connect(self._choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.use, 0, Qt.AlignmentFlag.AlignTop)

    def show_fall(self, fall: PriceFall | None, delta: float) -> None:
        """Show one, or nothing; delta: the price fall in force."""
        self._fall = fall
        self.setVisible(fall is not None)
        if fall is not None:
            self.words.setText(spoken(fall_words(fall)))
            self.use.setText(tr("Use {change} per month", change=spoken(rate_change_words(fall.proposed))))
            self.use.setAccessibleName(tr("{use}: {words}", use=self.use.text(), words=self.words.text()))
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
    held: dict[str, float | None] = {(one.as_of or "")[:7]: one.rate for one in own}
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


def own_rows(own: Sequence[Offer]) -> list[Row]:
    """The dated rates of an offer, newest first."""
    return [
        Row(
            (
                Cell(numbers.iso_date(one.as_of or "")),
                Cell(numbers.cents(one.rate)),
                Cell(one.source or numbers.UNKNOWN, "muted", tip=one.source or ""),
            ),
            key=one.as_of or "",
        )
        for one in reversed(own)
    ]


def _held(rates: dict[str, float | None], months: Sequence[str], last: str) -> tuple[float | None, ...]:
    line: list[float | None] = []
    for month in months:
        before = line[-1] if line else None
        line.append(rates.get(month, before) if month <= last else None)
    return tuple(line)


def _tell(chart: Any, lines: Sequence[tuple[str, tuple[float | None, ...]]], months: Sequence[str]) -> None:
    from gpuplanner.charts.plots.month_lines import MonthLine

    own = tr("This offer")
    chart.show_lines(
        [MonthLine(name, rates, name == own) for name, rates in lines], list(map(_month, months))
    )


def _month(month: str) -> str:
    year, number = map(int, month.split("-"))
    return numbers.locale().toString(QDate(year, number, 1), "MMM yyyy")


def _note(offer: Offer | None, own: Sequence[Offer], public: Sequence[PriceMonth]) -> str:
    if offer is None:
        return tr("No prices yet.")
    dated = tr("The rate of this offer has no date: enter one under Offers.") + " " if not own else ""
    if len(own) == 1:
        dated = tr("One dated rate so far.") + " "
    if not public:
        kind = spoken(KIND_WORDS[provider_kind(offer.provider)])
        return dated + tr("No public rates of {model} at {kind} are known.", model=offer.gpu_model, kind=kind)
    months = public[0].term_months
    term = tr(", {term}", term=spoken(term_words(months))) if months else ""
    return dated + tr(
        "Beside it the monthly median of public list prices of {model} at {kind}{term}: {count} months. Last source: "
        "{source}.",
        model=public[0].gpu_model,
        kind=spoken(KIND_WORDS[public[0].provider_kind]),
        term=term,
        count=len(public),
        source=public[-1].source,
    )
