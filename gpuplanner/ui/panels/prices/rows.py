"""The price book as rows that a filter leaves, with what is old or missing; and rates of offers beside each other."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, by_count, spoken, tr
from gpuplanner.domain.award.deciding import OfferWorth
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.trials import layer_subject
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book import contract, exchange, extras, price_book
from gpuplanner.domain.model.book.offer import PRICE_CASES, Offer, PriceCase, is_owned
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.reports.report import Report
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.layout import STRETCH, column, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, press_beside
from gpuplanner.ui.kit.tabs import tab_button
from gpuplanner.ui.kit.theme import text_px
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_row, written
from gpuplanner.ui.tables.figure_table import FigureTable, chooser, fill, price_table, select
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.rows_model import LazyRows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

# --- The price book as rows: offers that a filter leaves, in an order, with what is old or missing said
# beside them


AROUND_VIEW: Final = (14, 6, 12, 8)
"""Margins of a view of the panel, in pixels."""
RANGE_FROM, WIDE_FROM = 520, 900
"""Pixels of the table from which low and high stand beside a rate, and from which every field of an offer has a column:
below, an offer's name needs the room."""

ALL_MODELS: Final = worded("All models")
CATEGORIES: Final[tuple[tuple[Message, PricingCategory | None], ...]] = (
    (worded("All kinds"), None),
    (titles.ON_DEMAND, PricingCategory.STANDARD),
    (titles.COMMITTED, PricingCategory.COMMITTED),
    (worded("Spot"), PricingCategory.DYNAMIC),
    (worded("Owned"), PricingCategory.OWNED),
)
_ORDER_OF_CATEGORY: Final = {kind: at for at, (_, kind) in enumerate(CATEGORIES)}


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is listed: of one GPU model (None: of all), of one category (None: of all)."""

    gpu_model: str | None = None
    category: PricingCategory | None = None


def listed_offers(offers: Sequence[Offer], shelf: Shelf) -> list[Offer]:
    """The offers that a shelf holds, by GPU model, kind and term; the heads of the table sort them otherwise."""
    kept = [
        offer
        for offer in offers
        if shelf.gpu_model in (None, offer.gpu_model) and shelf.category in (None, offer.pricing_category)
    ]
    return sorted(
        kept,
        key=lambda one: (
            one.gpu_model,
            _ORDER_OF_CATEGORY[one.pricing_category],
            one.term_months,
            one.offer_id,
        ),
    )


def sold_as_words(offer: Offer) -> Text:
    """12 months, 182 days, on demand, spot; 48 months, owned."""
    if is_owned(offer):
        term = spoken(contract.term_words(offer.term_months)) if offer.term_months else ""
        return ", ".join(filter(None, (term, tr("owned"))))
    if offer.pricing_category is PricingCategory.COMMITTED:
        return spoken(contract.term_words(offer.term_months, offer.term_days))
    return price_book.CATEGORY_WORDS[offer.pricing_category]


def badge_of(offer: Offer, window: Window) -> tuple[str, str, str]:
    """Icon, role and words for what is wrong with a price; ("", "", "") where nothing is."""
    if quoted := exchange.as_quoted(offer):
        words = tr(long_text("no_exchange_rate", quoted=quoted))
        return "price", "amber", words
    if offer.rate is None and is_owned(offer):
        words = tr("Not free: without a rate no plan uses it. Enter price and life.")
        return "price", "amber", words
    if offer.rate is None:
        why = tr("Not free: without a rate no plan uses it. Ask for a quote.")
        return "price", "amber", why
    if price_book.is_stale(offer, window):
        return (
            "clock",
            "amber",
            tr(
                "Old price: {as_of}, over {stale_days} days before the plan starts",
                as_of=numbers.iso_date(offer.as_of or ""),
                stale_days=numbers.whole(price_book.STALE_DAYS),
            ),
        )
    if not offer.as_of:
        return "info", "muted", tr("No price date")
    if offer.pricing_category is PricingCategory.COMMITTED and offer.min_term_months > offer.term_months:
        return ("info", "muted", tr(long_text("minimum_term", months=numbers.whole(offer.min_term_months))))
    return "", "", ""


def hardware_words(offer: Offer) -> str:
    """80 GB, bare metal, infiniband."""
    memory, is_bare = offer.gpu_memory_gb, offer.bare_metal
    if is_bare is None:
        bare_words = ""
    elif is_bare:
        bare_words = tr("bare metal")
    else:
        bare_words = tr("virtual")
    parts = (
        "" if memory is None else tr("{usable_gb} GB", usable_gb=numbers.significant(memory)),
        bare_words,
        (offer.interconnect or "").replace("_", " "),
    )
    return ", ".join(filter(None, parts))


def _end_of_range(title: str, name: str) -> Filled[Offer]:
    """The column of the low or high rate. name: of the field."""

    def cell(offer: Offer) -> Cell:
        value = getattr(offer, name)
        return Cell(
            text=rate_text(value), role="muted", figure_id=asked(value, "offer_rate", offer.offer_id, name)
        )

    return Filled(title=title, cell=cell)


_LOW, _HIGH = _end_of_range("Low", "low"), _end_of_range("High", "high")
_TERM: Final[Filled[Offer]] = Filled(
    title=titles.TERM,
    cell=lambda offer: Cell(text=sold_as_words(offer), role="muted", value=offer.term_months),
)
_WIDE: Final[tuple[Filled[Offer], ...]] = (
    Filled(title="GPU model", cell=lambda offer: offer.gpu_model),
    Filled(
        title="Most\nGPUs",
        cell=lambda offer: numbers.UNKNOWN if offer.max_gpus is None else numbers.whole(offer.max_gpus),
    ),
    Filled(title="Lead\nhours", cell=lambda offer: numbers.significant(offer.lead_time_hours)),
    Filled(title="Min.\nterm", cell=lambda offer: f"{offer.min_term_months}"),
    Filled(title="Egress\n$/GB", cell=lambda offer: rate_text(offer.egress)),
    Filled(
        title="As of",
        cell=lambda offer: Cell(
            text=numbers.iso_date(offer.as_of or numbers.UNKNOWN), role="muted", value=offer.as_of
        ),
    ),
    Filled(
        title="Provider", is_figure=False, width=130, cell=lambda offer: offer.provider or numbers.UNKNOWN
    ),
    Filled(title="Region", is_figure=False, width=84, cell=lambda offer: offer.region or numbers.UNKNOWN),
    Filled(
        title="Hardware",
        is_figure=False,
        width=170,
        cell=lambda offer: hardware_words(offer) or numbers.UNKNOWN,
    ),
    Filled(
        title="Source",
        is_figure=False,
        width=200,
        is_cut_at_end=True,
        cell=lambda offer: Cell(text=offer.source or numbers.UNKNOWN, role="muted", tip=offer.source or ""),
    ),
)


def offers_table(
    offers: Sequence[Offer], window: Window, width: int
) -> tuple[tuple[Column, ...], Sequence[Row]]:
    """The columns that there is room for, and one row an offer, made when it is seen.

    All in has a column where it is not the rate alone. width: of the table, in pixels.
    """
    is_wide, has_range = width >= text_px(WIDE_FROM), width >= text_px(RANGE_FROM)
    columns: tuple[Filled[Offer], ...] = (
        Filled(
            title="Offer",
            is_figure=False,
            cell=lambda offer: Cell(text=offer.offer_id, tip=_facts(offer, window)),
        ),
        _TERM,
        *((_LOW,) if has_range else ()),
        _rate_column(window),
        *((_HIGH,) if has_range else ()),
        *((_ALL_IN,) if is_wide or any(offer.extras for offer in offers) else ()),
        *(_WIDE if is_wide else ()),
    )
    return columns, LazyRows(len(offers), lambda at: filled_row(columns, offers[at], offers[at].offer_id))


def rate_text(value: Decimal | float | None) -> str:
    """2.75 under a heading with its unit; a dash where nothing is known."""
    return numbers.UNKNOWN if value is None else numbers.rate(float(value))


def _facts(offer: Offer, window: Window) -> str:
    """What is known of an offer, a line each."""
    facts = (offer.provider, offer.gpu_model, offer.region, hardware_words(offer), offer.source)
    return "\n".join(filter(None, (offer.offer_id, *facts, badge_of(offer, window)[2])))


def _rate_column(window: Window) -> Filled[Offer]:
    """The rate, with what is wrong with it."""

    def cell(offer: Offer) -> Cell:
        icon, role, words = badge_of(offer, window)
        is_quote = offer.rate is None
        return Cell(
            text=(exchange.as_quoted(offer) or tr("quote")) if is_quote else rate_text(offer.bare_rate),
            role="amber" if is_quote else "text",
            is_strong=True,
            icon=icon,
            icon_role=role,
            tip=words,
            figure_id=asked(offer.bare_rate, "offer_rate", offer.offer_id),
            value=offer.bare_rate,
        )

    return Filled(title="Rate\n$/GPU-h", cell=cell)


def _all_in(offer: Offer) -> Cell:
    """The rate with all that is stated beside it."""
    total = price_book.all_in(offer).total
    asks = asked(total, "offer_all_in", offer.offer_id)
    return Cell(text=rate_text(total), tip=all_in_words(offer), figure_id=asks)


_ALL_IN: Final = Filled(title="All in", cell=_all_in)


def all_in_words(offer: Offer) -> str:
    """How the all-in rate of an offer comes about, and what is not in it."""
    found: price_book.AllIn = price_book.all_in(offer)
    if found.rate is None:
        return tr("No rate, no all-in rate: ask for a quote.")
    rate = numbers.cents(found.rate)
    add = tr("Enter egress per GPU-hour to add its cost.")
    more = "" if offer.sent_gb else f" {add}"
    parts = [tr("upfront {usd}", usd=numbers.cents(found.upfront))] * bool(found.upfront)
    parts += [
        tr(
            "{first} {second}",
            first=spoken(extras.EXTRA_TITLES[name]),
            second=numbers.UNKNOWN if usd is None else numbers.fine_rate(usd),
        )
        for name, usd in found.extras.items()
    ]
    if not parts:
        return tr("{rate} is only the rate.", rate=rate) + more
    said = " + ".join((rate, *parts))
    if found.total is None:
        return tr("{parts}: egress cost unknown, enter it.", parts=said)
    whole = tr("{parts} = {total} per GPU-hour.", parts=said, total=numbers.cents(found.total))
    return whole + more


def hidden_words(offer: Offer) -> str:
    """The range that others found beside ours, and why it is not in it."""
    if offer.bare_rate is None:
        return ""
    low, high = (numbers.cents(offer.bare_rate * (1 + share)) for share in price_book.HIDDEN_SHARES)
    least, most = (numbers.whole(share * 100) for share in price_book.HIDDEN_SHARES)
    shares = tr("{hidden_shares} to {HIDDEN_SHARES_2}%", hidden_shares=least, HIDDEN_SHARES_2=most)
    return tr(long_text("hidden_costs", shares=shares, low=low, high=high))


def summary_words(offers: Sequence[Offer], window: Window) -> str:
    """13 offers, 5 need a quote, 2 are old, 1 has no date."""
    quotes = sum(offer.rate is None for offer in offers)
    old = sum(price_book.is_stale(offer, window) for offer in offers)
    undated = sum(offer.rate is not None and not offer.as_of for offer in offers)
    parts = [numbers.counted(len(offers), "offer")]
    parts += [
        by_count(quotes, "{quotes} needs a quote", "{quotes} need a quote", quotes=numbers.whole(quotes))
    ] * bool(quotes)
    parts += [
        by_count(
            old,
            "{old} is over {stale_days} days old",
            "{old} are over {stale_days} days old",
            old=numbers.whole(old),
            stale_days=numbers.whole(price_book.STALE_DAYS),
        )
    ] * bool(old)
    parts += [tr("{undated} without a date", undated=undated)] * bool(undated)
    return numbers.MIDDOT.join(parts)


# ---------------------------------------------------------------- side by side


def by_rate(offers: Sequence[Offer]) -> list[Offer]:
    """The highest all-in rate first, as pairs compare; what needs a quote comes last."""
    return sorted(offers, key=lambda offer: (-(price_book.all_in(offer).total or 0.0), offer.offer_id))


def compare_table(
    ordered: Sequence[Offer], chosen: Offer | None, window: Window
) -> tuple[tuple[Column, ...], Sequence[Row]]:
    """The columns, and the offers of one model, each beside the chosen one; rows are made when they are seen."""

    def name(offer: Offer) -> Cell:
        return Cell(text=offer.offer_id, tip=badge_of(offer, window)[2] or offer.offer_id)

    def below(offer: Offer) -> Cell:
        if chosen is None:
            return Cell(text=numbers.UNKNOWN)
        if offer.offer_id == chosen.offer_id:
            return Cell(text="chosen", role="muted")
        share = price_book.share_below(offer, chosen)
        tip = "" if share is None else pair_tip(offer, chosen, share)
        figure_id = asked(share, "offer_below", offer.offer_id, chosen.offer_id)
        return written(numbers.percent, share, tip=tip, figure_id=figure_id)

    columns: tuple[Filled[Offer], ...] = (
        Filled(title="Offer", is_figure=False, cell=name),
        _TERM,
        _rate_column(window),
        _ALL_IN,
        Filled(title="Below the\nchosen one", cell=below),
    )
    return columns, LazyRows(len(ordered), lambda at: filled_row(columns, ordered[at], ordered[at].offer_id))


def pair_tip(offer: Offer, chosen: Offer, share: float) -> str:
    """How far one offer is below (or above) another, with both all-in rates."""
    values = {
        "offer": offer.offer_id,
        "rate": numbers.cents(price_book.all_in(offer).total),
        "share": numbers.percent(abs(share)),
        "chosen": chosen.offer_id,
        "chosen_rate": numbers.cents(price_book.all_in(chosen).total),
    }
    if share >= 0:
        return tr("{offer} at {rate} is {share} below {chosen} at {chosen_rate}", **values)
    return tr("{offer} at {rate} is {share} above {chosen} at {chosen_rate}", **values)


def widest_words(offers: Sequence[Offer], gpu_model: str) -> str:
    """Up to 64.5% below, of two offers of a model with their names and rates; and of two that are like for like."""
    widest, alike = price_book.widest_pair(offers), price_book.widest_alike(offers)
    if widest is None:
        return tr("{gpu_model}: no different rates to compare.", gpu_model=gpu_model)
    first = tr("{gpu_model}: up to {widest}.", gpu_model=gpu_model, widest=_pair_words(widest))
    if alike is not None and alike.below == widest.below:
        return first
    note = tr("Terms or kinds explain part of the gap.")
    same = tr("Same term: up to {alike}.", alike=_pair_words(alike)) if alike else tr("All terms differ.")
    return f"{first} {note} {same}"


def _pair_words(pair: price_book.PricePair) -> str:
    return tr(
        "{share} below, {offer} at {rate} against {other} at {other_rate}",
        share=numbers.percent(pair.below),
        offer=pair.lower.offer_id,
        rate=numbers.cents(price_book.all_in(pair.lower).total),
        other=pair.higher.offer_id,
        other_rate=numbers.cents(price_book.all_in(pair.higher).total),
    )


# ---------------------------------------------------------------- low, mid, high

CASE_COLUMNS: Final = (
    Column(title="$ per month", is_figure=False),
    Column(title="Low"),
    Column(title="Mid"),
    Column(title="High"),
)
LAYER_COLUMNS: Final = (
    Column(title="New commitments, GPUs", is_figure=False),
    Column(title="Low"),
    Column(title="Mid"),
    Column(title="High"),
)


def case_rows(cases: Sequence[CasePlan]) -> list[Row]:
    """Money of the plan in each case, and how many offers state no rate of their own."""

    def at_mid(plan: CasePlan) -> str:
        return tr("{shown} of {total}", shown=plan.at_mid, total=plan.priced_offers)

    nothing, saved = PLAN["do_nothing"].title, PLAN["savings_vs_do_nothing"].title
    lines: tuple[tuple[Text, str, Callable[[CasePlan], str]], ...] = (
        ("Plan", "case_plan", lambda plan: numbers.whole(plan.plan_usd_per_month)),
        (nothing, "case_nothing", lambda plan: numbers.whole(plan.do_nothing_usd_per_month)),
        (saved, "case_saved", lambda plan: numbers.whole(plan.savings_vs_do_nothing_usd_per_month)),
        ("Offers that count at mid", "case_at_mid", at_mid),
    )
    return [
        Row(
            (
                Cell(text=tr(name), role="muted" if at else "text", is_strong=not at),
                *(
                    Cell(text=text(case), is_strong=not at, figure_id=figure(kind, "", case.case.value))
                    for case in cases
                ),
            )
        )
        for at, (name, kind, text) in enumerate(lines)
    ]


def layer_rows(cases: Sequence[CasePlan]) -> list[Row]:
    """The layers that are not the same in all cases, with their GPUs in each."""
    gpus: dict[tuple[Pool, str | None, int], dict[str, float]] = {}
    terms: dict[tuple[Pool, str | None, int], Text] = {}
    for case in cases:
        for change in case.changed_layers:
            key = (change.pool, change.gpu_model, change.term_months)
            gpus.setdefault(key, {})["mid"] = change.gpus_mid
            gpus[key][case.case.value] = change.gpus
            terms.setdefault(key, change.term)
    rows = []
    for (pool, model, term), found in sorted(
        gpus.items(), key=lambda row: (POOLS.index(row[0][0]), row[0][1:])
    ):
        name = numbers.MIDDOT.join(
            (lane_of(pool).title, model or tr("unknown model"), spoken(terms[pool, model, term]))
        )
        subject = layer_subject(pool, model, term)
        cells = (
            written(
                numbers.gpus,
                found.get(one.case.value, found["mid"]),
                figure_id=figure("case_layer", subject, one.case.value),
            )
            for one in cases
        )
        rows.append(Row((Cell(text=name), *cells)))
    return rows


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


# --- Low, mid and high rates beside each other: which of them a plan counts with, and what that changes

TITLES: Final = {PriceCase.LOW: worded("Low"), PriceCase.MID: worded("Mid"), PriceCase.HIGH: worded("High")}


class PriceCasesView(QWidget):
    """Told a plan in three cases; emits the case that it is to count with."""

    case_chosen = Signal(object)  # PriceCase

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.shown: Sequence[CasePlan] = ()
        self.said = muted_label()
        self.buttons = {
            case: tab_button(
                TITLES[case],
                tr("Count with {case} rates", case=case),
                tr("Use the {case} rate of every offer; one undo step", case=case),
                lambda _=False, case=case: self.case_chosen.emit(case),
            )
            for case in PRICE_CASES
        }
        group = QButtonGroup(self)
        for button in self.buttons.values():
            group.addButton(button)
        self.money = FigureTable(tr("Plan at low, mid and high rates"))
        self.layers_title = heading_label(tr("Layers that change"))
        self.layers = FigureTable(tr("Layers that change with the rates"))
        self.note = muted_label()
        cases = row(PlainLabel(tr("Rates that count")), *self.buttons.values(), STRETCH, spacing=4)
        parts = (cases, self.said, self.money, 10, self.layers_title, self.layers, self.note, STRETCH)
        column(*parts, on=self, margins=AROUND_VIEW, spacing=6)

    def show_plan(self, name: str | None, case: PriceCase) -> None:
        """Whose rates these are; None for the past, which has no choice."""
        for each, button in self.buttons.items():
            button.setEnabled(name is not None)
            button.setChecked(each is case)
        if name is None:
            self.said.setText(tr("Today uses mid rates. Choose a plan to see others."))
        else:
            self.said.setText(tr("{name} uses {case} rates; today stays at mid rates.", name=name, case=case))

    def show_cases(self, cases: Sequence[CasePlan]) -> None:
        """Show what was worked out; nothing while it is being worked out."""
        self.shown = cases
        rows = layer_rows(cases)
        self.layers_title.setVisible(bool(cases))
        self.money.show_all(CASE_COLUMNS, case_rows(cases) if cases else ())
        self.layers.show_all(LAYER_COLUMNS, rows)
        self.note.setText(_note(cases, bool(rows)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_beside([*self.buttons.values()], event, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)


def _note(cases: Sequence[CasePlan], has_changes: bool) -> str:
    if not cases:
        return tr("Calculating…")
    parts = [] if has_changes else [tr("No layer changes at the three rates.")]
    if any(case.at_mid for case in cases):
        parts.append(tr("Offers without low or high rates use their mid rate."))
    return " ".join(parts)


# --- Reports of many plans: each provider alone beside the plan, and what each term on offer is worth


class PlanReportView(QWidget):
    """Told the rows of a report of a plan. words: what they come to."""

    def __init__(self, of: Report, words: Callable[[Any], str]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.shown: Sequence[Any] = ()
        self.said = muted_label()
        self.table = FigureTable(spoken(of.title))
        self.note = muted_label(spoken(of.note))
        self._of, self._words = of, words
        column(self.said, self.table, self.note, STRETCH, on=self, margins=AROUND_VIEW, spacing=6)

    def say(self, words: str) -> None:
        """Say why there is nothing to show."""
        self.shown = ()
        self.said.setText(spoken(words))
        self.table.hide()
        self.note.hide()

    def show_plans(self, plans: Sequence[Any]) -> None:
        """Show what was worked out, and what it comes to in words."""
        self.shown = plans
        self.said.setText(self._words(plans))
        self.table.show_all(table_columns(self._of), table_rows(self._of, plans))
        self.note.setVisible(bool(plans))


def worth_words(worths: Sequence[OfferWorth]) -> str:
    """How many are signed at the rate that they have."""
    if not worths:
        return tr("No offer has a term and a rate.")
    signed = sum(row.worth_rate is not None and row.worth_rate >= row.rate for row in worths)
    return tr(
        "Value of each term: {signed} of {many} pay off at their rate.",
        signed=numbers.whole(signed),
        many=numbers.counted(len(worths), "offer"),
    )


def alone_words(plans: Sequence[ProviderPlan]) -> str:
    """How many could serve all, and what the cheapest of them costs beside the plan."""
    if not plans:
        return tr("No offer names its provider.")
    if not (able := [plan for plan in plans if plan.serves_all]):
        return tr("No provider could serve the whole plan alone.")
    first = able[0]
    many = numbers.counted(len(plans), "provider")
    words = tr("{able} of {many} could serve the whole plan.", able=numbers.whole(len(able)), many=many)
    if first.beside_plan is None:
        return words
    side = tr("more") if first.beside_plan >= 0 else tr("less")
    usd = numbers.dollars(abs(first.beside_plan))
    provider = first.provider
    costs = tr(
        "Cheapest over 12 months: {provider}, {usd} {side} than the plan.",
        provider=provider,
        usd=usd,
        side=side,
    )
    return f"{words} {costs}"
