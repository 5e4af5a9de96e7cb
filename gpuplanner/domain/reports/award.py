"""The award: rows with who gets what, providers with their share, quotes with their worth; rates beside each other."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final

from gpuplanner.domain.award.award import Award, Awarded, OpenRow, Quote, Vendor, line_key
from gpuplanner.domain.award.offer_worths import OfferWorth
from gpuplanner.domain.commitment.asked_rows import AskedRow, asked_words
from gpuplanner.domain.commitment.result import NO_PROVIDER
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.award import AWARD, QUOTE, VENDOR
from gpuplanner.domain.figures.typed import amount, day, decimals, percent, whole, worded_whole
from gpuplanner.domain.figures.writing import MONEY_IN_ALL, QUOTE_NEEDED
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row, remark_on
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.plan.limits import SHARE, Limit
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.report import Column, Report, named, of_part, of_subject, text
from gpuplanner.lazy_dataclass import dataclass, replace

READ: Final = report.TERMINAL | report.WINDOW
LISTED_IN_TERMINAL: Final = 40


@dataclass(frozen=True, slots=True)
class AwardRow:
    """A line of a row that is asked for: what one offer is given of it, or what stays open."""

    row: AskedRow
    given: Awarded | None
    left: OpenRow | None = None


def rows_of(award: Award) -> list[AwardRow]:
    """Every firm row: those that serve it, and what of it stays open."""
    left = {row.row.name: row for row in award.open}
    lines = []
    for row in award.rows:
        lines += [AwardRow(row, line) for line in award.awarded if line.row is row]
        if row.name in left:
            lines.append(AwardRow(row, None, left[row.name]))
    return lines


def open_words(row: OpenRow) -> Message:
    """Why nodes stay open."""
    return worded("a limit leaves them open") if row.is_quoted else joined((QUOTE_NEEDED,))


def remark_of(offer: Offer) -> str:
    """What its vendor remarked of a quote; empty where nothing was."""
    remark, _ = remark_on(offer)
    return remark


def provider_words(offer: Offer) -> Text:
    """Who sells it."""
    return offer.provider or NO_PROVIDER


def _who(line: AwardRow) -> Text:
    """Who is given it; why nobody is."""
    if line.given is not None:
        return provider_words(line.given.offer)
    return open_words(line.left) if line.left is not None else ""


def _served(line: AwardRow) -> Text:
    """GPUs that are served; where another model does it, how many of that."""
    given = line.given
    if given is None:
        return "" if line.left is None else worded("{gpus} open", gpus=whole(line.left.gpus))
    if given.offer.gpu_model == line.row.gpu_model:
        return joined((whole(given.gpus),))
    bought = joined((whole(given.bought_gpus), given.offer.gpu_model), " ")
    return joined((whole(given.gpus), bought), " = ")


def _term(row: AskedRow) -> Message:
    return term_words(row.term_months, row.term_days)


def _row(line: AwardRow) -> Text:
    """O3, and as which row its vendor quoted it, where that has another number."""
    quoted = None if line.given is None else answered_row(line.given.offer)
    name = line.row.name
    return (
        worded("{name}, quoted as {row}", name=name, row=quoted.row)
        if quoted and quoted.row != name
        else name
    )


def _asked(line: AwardRow) -> Message:
    """O1: 16 H100, 24 months."""
    gpus, model, row = whole(line.row.gpus), line.row.gpu_model, _row(line)
    return worded("{row}: {gpus} {model}, {term}", row=row, gpus=gpus, model=model, term=_term(line.row))


def _who_tip(line: AwardRow) -> Text:
    """Which offer it is, and from when on."""
    start = worded("from {day} on", day=day(line.row.start_s))
    return start if line.given is None else joined((line.given.offer.offer_id, start), ", ")


ROWS: Final = Report(
    title=worded("Who gets what"),
    rows=rows_of,
    key=lambda line: line.row.name if line.given is None else line_key(line.given),
    unit_once=MONEY_IN_ALL,
    media=READ,
    adds_up=True,
).with_columns(
    text("row", worded("Order"), _row, media=report.TERMINAL),
    text("gpu_model", worded("GPU model"), "row.gpu_model", media=report.TERMINAL),
    text("asked", worded("Asked"), lambda line: joined((whole(line.row.gpus),)), media=report.TERMINAL),
    text("term", titles.TERM, lambda line: _term(line.row), media=report.TERMINAL),
    text("start", worded("Start"), "row.start_s", media=report.TERMINAL, form="date"),
    text("provider", worded("Vendor"), _who, form="name", tip=_who_tip),
    text("asked", worded("For"), _asked, media=report.WINDOW),
    text("gpus", worded("GPUs"), _served, form="count"),
    Column(figure=AWARD["rate"], media=report.TERMINAL, value="given.rate"),
    Column(figure=AWARD["liability"], value="given.liability"),
    Column(
        figure=AWARD["saves_beside_plan"],
        media=report.TERMINAL,
        form="change",
        value="given.saves_beside_plan",
    ),
    text(
        "remark",
        worded("Remark"),
        media=READ,
        value=lambda line: "" if line.given is None else remark_of(line.given.offer),
    ),
)
"""About an award. A row that several serve has a line of each, and one of what stays open."""


BENCHMARKS: Final = Report(
    title=worded("List prices: benchmarks, never an award"),
    rows=attrgetter("benchmarks"),
    key=lambda line: line.row.name,
    unit_once=MONEY_IN_ALL,
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    named("row", "row.name"),
    *of_part("offer", "offer_id", "provider"),
    text("order", worded("Order"), lambda line: line.row.name, media=READ, form="aside"),
    text("offer", worded("Offer"), lambda line: line.offer.offer_id, media=READ, form="aside"),
    text("seller", worded("Vendor"), lambda line: provider_words(line.offer), media=READ, form="aside"),
    Column(figure=QUOTE["rate"]),
    Column(figure=AWARD["liability"]),
)
"""About an award: the cheapest list price for each row, beside which its quotes stand."""


def _name(row: Vendor) -> Text:
    return row.provider or NO_PROVIDER


VENDORS: Final = Report(
    title=worded("Vendors"),
    rows=attrgetter("vendors"),
    key=lambda row: row.provider or "",
    unit_once=MONEY_IN_ALL,
    media=READ | report.DOCUMENT_ALONE,
    adds_up=True,
).with_columns(
    named("provider"),
    text("provider", worded("Vendor"), _name, media=READ, form="name"),
    *of_subject(VENDOR, "awarded", "awarded_share", media=report.EVERYWHERE),
    Column(figure=VENDOR["saves"], media=READ, form="change"),
    *of_subject(VENDOR, "cost_without", "saves"),
    named("opens_gpus"),
)
"""About an award: providers by name."""


def _undecided(award: Award) -> Sequence[Quote]:
    return [quote for quote in award.quotes if undecided(quote.offer) is not None]


def _what(quote: Quote) -> Message:
    """H100, 12 months."""
    offer = quote.offer
    term = term_words(offer.term_months, offer.term_days)
    return worded("{model}, {term}", model=offer.gpu_model, term=term)


def _what_in_short(quote: Quote) -> Message:
    """H100 12 mo."""
    offer = quote.offer
    if offer.term_days:
        return worded("{model} {days} d", model=offer.gpu_model, days=whole(offer.term_days))
    return worded("{model} {term} mo", model=offer.gpu_model, term=whole(offer.term_months))


def list_remarks(quote: Quote) -> Text:
    """What it does not state, that it is far from the market, that the award saves nothing by it, and what nobody else
    serves."""
    marks = list(quote.unknown)
    if quote.rows and not quote.awarded_gpus:
        marks.append(worded("the award costs no less with it"))
    if quote.is_far_from_market:
        low, high = quote.market
        asks = (decimals(low, 2), *(() if low == high else (decimals(high, 2),)))
        marks.append(worded("the market asks {market}", market=joined(asks, "\u2013")))
    if quote.opens_gpus:
        marks.append(
            worded_whole(
                quote.opens_gpus, "no other quote covers {count} GPU", "no other quote covers {count} GPUs"
            )
        )
    return joined(marks, "; ") if marks else ""


def _why_not(quote: Quote) -> Message:
    """All that speaks against it, of the row that it is nearest to."""
    return joined(quote.against, "; ")


def describe_margin(quote: Quote | OfferWorth) -> Message:
    """How far what it is worth is from the rate quoted."""
    share = quote.margin_share or 0.0
    if share < 0:
        return worded("The plan orders it from {share} below its rate", share=percent(-share, 1))
    return worded("The plan orders it up to {share} above its rate", share=percent(share, 1))


def _worth_unknown(quote: Quote | OfferWorth) -> report.Unknown:
    return report.Unknown(quote.why_not_worth or "")


def _quote_id(quote: Quote | OfferWorth) -> str:
    return quote.offer.offer_id


_WHO: Final = (
    text(
        "provider",
        worded("Vendor"),
        lambda quote: joined((provider_words(quote.offer), _what_in_short(quote)), ", "),
        media=report.WINDOW,
        form="name",
        tip=lambda quote: joined(filter(None, (quote.offer.offer_id, list_remarks(quote))), "; "),
    ),
    text("provider", worded("Vendor"), lambda quote: provider_words(quote.offer), media=report.TERMINAL),
    text("offer_id", worded("Offer"), _quote_id, media=report.TERMINAL),
    text("what", worded("For"), _what, media=report.TERMINAL),
)
"""Whose quote it is and for what: in the window in one column, which is narrow there."""
_RATE: Final = Column(figure=QUOTE["rate"], media=READ, flag=QUOTE["is_far_from_market"])


def _gpus(title: Message, key: str) -> Column:
    """GPUs of the quote's own model."""
    return text("gpus", title, lambda quote: joined((whole(getattr(quote, key)),)), media=READ, form="count")


QUOTES: Final = Report(
    title=worded("Quotes"),
    rows=lambda award: [quote for quote in award.quotes if quote.rows],
    key=_quote_id,
    unit_once=MONEY_IN_ALL,
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=READ,
).with_columns(
    *_WHO,
    _gpus(worded("GPUs"), "awarded_gpus"),
    _RATE,
    Column(figure=QUOTE["saves"]),
    Column(figure=QUOTE["worth_rate"], unknown=_worth_unknown, tip=describe_margin),
    Column(figure=QUOTE["margin_share"], media=READ, unknown=_worth_unknown),
    text("marked", worded("Note"), list_remarks, media=READ, form="aside"),
)
"""About an award: offers that qualify, those that are given something first."""

OFFER_WORTHS: Final = Report(
    title=worded("Value of each term"),
    key=_quote_id,
    note=worded("Highest rate at which the plan orders it, other offers unchanged."),
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    *of_part("offer", "offer_id", "provider", "gpu_model"),
    text("offer_id", worded("Offer"), _quote_id, form="name", media=READ),
    Column(figure=QUOTE["rate"]),
    Column(
        figure=replace(QUOTE["worth_rate"], why=""), unknown=_worth_unknown, tip=describe_margin
    ),  # of no award
    Column(figure=QUOTE["margin_share"], media=READ, unknown=_worth_unknown),
    named("why_not_worth", lambda row: row.why_not_worth and str(row.why_not_worth)),
)
"""About a plan: every priced term on offer, and up to which rate it is worth signing."""

LEFT_OUT: Final = Report(
    title=worded("Offers that do not qualify"),
    rows=lambda award: [quote for quote in award.quotes if not quote.rows and undecided(quote.offer) is None],
    key=_quote_id,
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=READ,
    adds_up=True,
).with_columns(*_WHO, _RATE, text("why", worded("Why not"), _why_not, media=READ, form="aside"))
"""About an award: the other commitments on offer, each with why it qualifies for nothing."""

UNDECIDED: Final = Report(
    title=worded("Needs clarification: accept as quoted, or ask"),
    rows=_undecided,
    key=_quote_id,
    unit_once=MONEY_IN_ALL,
    media=READ,
).with_columns(
    *_WHO,
    _RATE,
    _gpus(worded("GPUs if taken"), "if_taken_gpus"),
    Column(figure=QUOTE["if_taken"], media=READ),
    text("why", worded("Why"), _why_not, media=READ),
    text("remark", worded("Remark"), lambda quote: remark_of(quote.offer), media=READ),
)
"""About an award: quotes that are given nothing for what their vendors remark, with what each would get once taken."""

OF_REMARK: Final = (
    named("remark", lambda row: remark_of(row.offer) or None),
    named("undecided", lambda row: (why := undecided(row.offer)) and str(why)),
)
"""What documents say of the remark of an offer."""

QUOTE_ENTRIES: Final = Report(
    title=worded("Quotes"),
    rows=attrgetter("quotes"),
    key=_quote_id,
    media=report.DOCUMENT_ALONE,
    adds_up=True,
).with_columns(
    *of_part("offer", "offer_id", "provider", "gpu_model", "term_months", "term_days"),
    named("rows", lambda quote: [row.name for row in quote.rows]),
    named("reasons", lambda quote: [str(words) for words in quote.against]),
    named("unknown", lambda quote: [str(words) for words in quote.unknown]),
    named("offer_gpus", "awarded_gpus"),
    named("upfront_usd_per_gpu", "offer.upfront"),
    *of_subject(QUOTE, "rate", "cost_with", "cost_without", "saves"),
    named("opens_gpus"),
    named("saves_beside_plan_usd", "saves_beside_plan"),
    named(QUOTE["worth_rate"]),
    named("why_not_worth", lambda quote: quote.why_not_worth and str(quote.why_not_worth)),
    *of_subject(QUOTE, "margin", "margin_share"),
    named("market_low_usd_per_gpu_hour", lambda quote: quote.market[0] or None),
    named("market_high_usd_per_gpu_hour", lambda quote: quote.market[1] or None),
    named(QUOTE["is_far_from_market"]),
    *OF_REMARK,
    named(QUOTE["if_taken"]),
)
"""About an award: all commitments on offer, as documents have them."""


def headline(award: Award) -> Message:
    """12 of 13 orders awarded in full, total commitment $7,233,875."""
    asked = len(award.rows)
    return worded(
        "{given} of {asked} orders awarded in full, total commitment {money}",
        given=whole(asked - len(award.open)),
        asked=whole(asked),
        money=amount(award.liability),
    )


def notes(award: Award) -> Iterator[Message]:
    """What stays open, what is prepaid, what the limits are, and what is not awarded."""
    more = sum(line.liability * (1 - line.row.ordered_gpus / line.row.gpus) for line in award.awarded)
    if in_nodes := asked_words(award.rows, more):
        yield in_nodes
    unquoted = joined((line.row.name for line in award.open if not line.is_quoted), ", ")
    if unquoted:
        yield worded("{orders}: a quote is needed.", orders=unquoted)
    limited = joined((line.row.name for line in award.open if line.is_quoted), ", ")
    if limited:
        yield worded("{orders}: a limit excludes quotes.", orders=limited)
    gone: dict[str, list[str]] = {}
    for reference, name in award.gone:
        gone.setdefault(reference, []).append(name)
    for reference, names in gone.items():
        orders = joined(names, ", ")
        yield worded("{reference}: the plan no longer has {orders}.", reference=reference, orders=orders)
    if award.unasked:
        yield award.unasked
    if award.prepaid:
        yield worded("{money} of this is prepaid.", money=amount(award.prepaid))
    if award.conditions.max_share is not None:
        yield worded(
            "No vendor exceeds {share} of {money}, the cost without this limit.",
            share=percent(award.conditions.max_share),
            money=amount(award.shared),
        )
    for who, share in award.conditions.shares.items():
        yield worded(
            "{limit} of the {money}.", limit=Limit(SHARE, share, who).words, money=amount(award.shared)
        )
    if award.conditions.max_prepaid is not None:
        most = amount(award.conditions.max_prepaid)
        yield worded("At most {most} may be prepaid.", most=most)
    if waiting := len(_undecided(award)):
        yield worded_count(
            waiting,
            "{quotes} quote needs clarification: a remark changes the offer.",
            "{quotes} quotes need clarification: remarks change the offer.",
            quotes=whole(waiting),
        )
    for row in award.unread:
        yield worded(
            "{vendor}'s answer to {row} has an unreadable cell: not awarded. Correct or ask, then import again.",
            vendor=row.vendor or worded("A vendor"),
            row=row.name,
        )
    if award.options:
        yield worded_count(
            len(award.options),
            "{options} option is not awarded: it pays off only if recent demand lasts.",
            "{options} options are not awarded: they pay off only if recent demand lasts.",
            options=whole(len(award.options)),
        )


PRICE_PAIRS: Final = report.Report(
    title=worded("Rates below another provider's"),
    key=lambda row: f"{row.gpu_model}/{row.provider}/{row.against}/{row.like_for_like}",
    media=report.SHEET | report.DOCUMENT_ALONE,
).with_columns(
    report.text("gpu_model", worded("GPU model")),
    report.text("provider", worded("Provider")),
    report.text("against", worded("Against")),
    report.text("usd_per_gpu_hour", worded("Its rate, $ per GPU-h")),
    report.text("against_usd_per_gpu_hour", worded("Against, $ per GPU-h")),
    report.text("percent_below", worded("Below, %")),
    report.text("like_for_like", worded("Like for like")),
)
"""Like for like is in one way; else the cheapest rate of one stands beside the on-demand rate of the other."""
