"""The price book as rows: offers that a filter leaves, with old or missing rates."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book import contract, exchange, extras
from gpuplanner.domain.model.book.all_in_rate import HIDDEN_SHARES, AllIn, all_in
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.price_age import STALE_DAYS, is_stale
from gpuplanner.domain.model.tables import CATEGORY_WORDS, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import long_text
from gpuplanner.files.tables.network_words import network_words
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_row
from gpuplanner.ui.tables.rows_model import LazyRows
from gpuplanner.ui.words import numbers

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
    return CATEGORY_WORDS[offer.pricing_category]


class Badge(NamedTuple):
    """Icon, role and words for what is wrong with a price."""

    icon: str
    role: str
    words: str


NO_BADGE: Final = Badge(icon="", role="", words="")


def badge_of(offer: Offer, window: Window) -> Badge:
    """What is wrong with a price; NO_BADGE where nothing is."""
    if quoted := exchange.as_quoted(offer):
        words = tr(long_text("no_exchange_rate", quoted=quoted))
        return Badge("price", "amber", words)
    if offer.rate is None and is_owned(offer):
        words = tr("Not free: without a rate no plan uses it. Enter price and life.")
        return Badge("price", "amber", words)
    if offer.rate is None:
        why = tr("Not free: without a rate no plan uses it. Ask for a quote.")
        return Badge("price", "amber", why)
    if is_stale(offer, window):
        return Badge(
            "clock",
            "amber",
            tr(
                "Old price: {as_of}, over {stale_days} days before the plan starts",
                as_of=numbers.iso_date(offer.as_of or ""),
                stale_days=numbers.whole(STALE_DAYS),
            ),
        )
    if not offer.as_of:
        return Badge("info", "muted", tr("No price date"))
    if offer.pricing_category is PricingCategory.COMMITTED and offer.min_term_months > offer.term_months:
        return Badge(
            "info", "muted", tr(long_text("minimum_term", months=numbers.whole(offer.min_term_months)))
        )
    return NO_BADGE


def hardware_words(offer: Offer) -> str:
    """80 GB, bare metal, InfiniBand."""
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
        spoken(network_words(offer.interconnect, is_bare_metal=False)),
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
TERM_COLUMN: Final[Filled[Offer]] = Filled(
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
        TERM_COLUMN,
        *((_LOW,) if has_range else ()),
        rate_column(window),
        *((_HIGH,) if has_range else ()),
        *((ALL_IN_COLUMN,) if is_wide or any(offer.extras for offer in offers) else ()),
        *(_WIDE if is_wide else ()),
    )
    return columns, LazyRows(len(offers), lambda at: filled_row(columns, offers[at], offers[at].offer_id))


def rate_text(value: Decimal | float | None) -> str:
    """2.75 under a heading with its unit; a dash where nothing is known."""
    return numbers.UNKNOWN if value is None else numbers.rate(float(value))


def _facts(offer: Offer, window: Window) -> str:
    """What is known of an offer, a line each."""
    facts = (offer.provider, offer.gpu_model, offer.region, hardware_words(offer), offer.source)
    return "\n".join(filter(None, (offer.offer_id, *facts, badge_of(offer, window).words)))


def rate_column(window: Window) -> Filled[Offer]:
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
    total = all_in(offer).total
    asks = asked(total, "offer_all_in", offer.offer_id)
    return Cell(text=rate_text(total), tip=all_in_words(offer), figure_id=asks)


ALL_IN_COLUMN: Final = Filled(title="All in", cell=_all_in)


def all_in_words(offer: Offer) -> str:
    """How the all-in rate of an offer comes about, and what is not in it."""
    breakdown: AllIn = all_in(offer)
    if breakdown.rate is None:
        return tr("No rate, no all-in rate: ask for a quote.")
    rate = numbers.cents(breakdown.rate)
    add = tr("Enter egress per GPU-hour to add its cost.")
    more = "" if offer.sent_gb else f" {add}"
    parts = [tr("upfront {usd}", usd=numbers.cents(breakdown.upfront))] * bool(breakdown.upfront)
    parts += [
        tr(
            "{first} {second}",
            first=spoken(extras.EXTRA_TITLES[name]),
            second=numbers.UNKNOWN if usd is None else numbers.fine_rate(usd),
        )
        for name, usd in breakdown.extras.items()
    ]
    if not parts:
        return tr("{rate} is only the rate.", rate=rate) + more
    sum_words = " + ".join((rate, *parts))
    if breakdown.total is None:
        return tr("{parts}: egress cost unknown, enter it.", parts=sum_words)
    whole = tr("{parts} = {total} per GPU-hour.", parts=sum_words, total=numbers.cents(breakdown.total))
    return whole + more


def hidden_words(offer: Offer) -> str:
    """The range that others found beside ours, and why it is not in it."""
    if offer.bare_rate is None:
        return ""
    low, high = (numbers.cents(offer.bare_rate * (1 + share)) for share in HIDDEN_SHARES)
    least, most = (numbers.whole(share * 100) for share in HIDDEN_SHARES)
    shares = tr("{hidden_shares} to {HIDDEN_SHARES_2}%", hidden_shares=least, HIDDEN_SHARES_2=most)
    return tr(long_text("hidden_costs", shares=shares, low=low, high=high))


def summary_words(offers: Sequence[Offer], window: Window) -> str:
    """13 offers, 5 need a quote, 2 are old, 1 has no date."""
    quotes = sum(offer.rate is None for offer in offers)
    old = sum(is_stale(offer, window) for offer in offers)
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
            stale_days=numbers.whole(STALE_DAYS),
        )
    ] * bool(old)
    parts += [tr("{undated} without a date", undated=undated)] * bool(undated)
    return numbers.MIDDOT.join(parts)
