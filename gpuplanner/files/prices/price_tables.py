"""Prices as tables: what could be bought, from our own list, anybody's, or the one that ships with the product."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from gpuplanner.domain.figures.order import PUE_LIMITS
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import USD, unstated_exchange
from gpuplanner.domain.model.book.offer import OWNED_FIELDS, Offer, months_of_days, unstated
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, iso_day
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.prices import quotes
from gpuplanner.files.prices.market_bounds import check_near_market
from gpuplanner.files.prices.other_price_lists import (
    NO_RANGE,
    ListCounts,
    list_rows,
    offers_of,
    place_of_availability,
)
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.user_files import resource_path
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.column_mapping import DIFFERS, GIVEN
from gpuplanner.files.tables.fields import NEEDED_OF_OTHERS, OWN_NEEDED
from gpuplanner.files.tables.mapped_cells import mapped_rows
from gpuplanner.files.tables.price_cells import with_rate
from gpuplanner.files.tables.priced_machine import machine_of_offer
from gpuplanner.files.tables.propose_mapping import check_has, propose_table_mapping
from gpuplanner.files.tables.reports import check_is_no_report
from gpuplanner.files.tables.small_table import Row, RowError, TableRead, collect_rows
from gpuplanner.files.tables.table_columns import sniff_table
from gpuplanner.lazy_dataclass import fields, replace

FORMAT: Final = "own_prices"
REQUIRED: Final = OWN_NEEDED["prices"]
LONGEST_LIFE_MONTHS: Final = 120
BUILTIN: Final = "builtin"
"""In place of a path: the offers shipped with the product."""


def sniff(head: str) -> float:
    """How sure it is that a text begins a price list, 0..1: ours by name, others by what they tell."""
    return sniff_table(head, "prices")


def builtin_path() -> str:
    """Where the shipped offers are.

    Errors: PlannerError file_missing in an installation without them.
    """
    path = resource_path("offers.csv")
    if not path.exists():
        lack, remedy = worded("no price list is installed"), worded("choose a price file")
        raise PlannerError(BUILTIN, "file_missing", lack, remedy)
    return str(path)


def read_prices(
    source: Source, mapping: column_mapping.TableMapping | str | None = None, counts: ListCounts | None = None
) -> TableRead[Offer]:
    """The offers of a table, in file order; mapping: how it is read, instead of as proposed; counts: what it holds.

    A row with prices for several ways to pay holds as many offers. Rows that are alike in all cells are duplicates.
    Errors: PlannerError missing_column, file_unreadable, usage.
    """
    is_given = mapping is not None and not (isinstance(mapping, str) and mapping.startswith(DIFFERS))
    if not isinstance(mapping, column_mapping.TableMapping):
        mapping = propose_table_mapping(source, "prices", mapping)
    is_own = mapping.is_own
    if not is_own and not is_given:
        check_is_no_report(mapping.headings, source.path, mapping.header_row, has_rate=bool(mapping.rates))
    check_has(source, mapping, REQUIRED if is_own else NEEDED_OF_OTHERS["prices"])
    if not is_own and not mapping.rates and mapping.of("capex_usd_per_gpu") is None:
        raise PlannerError(
            f"{source.path}:{mapping.header_row}",
            "missing_column",
            worded("no column {names}", names=column_mapping.RATE),
            column_mapping.range_words(mapping.columns) or worded("add it to the header"),
        )
    read_row, quote = _OfferRows(), quotes.Quote() if is_own else quotes.quote_of(source, mapping)
    mapping = mapping if is_own else quotes.as_paid(mapping, quote)
    read = collect_rows(
        source,
        "prices",
        FORMAT if is_own else contract_tables.MAPPED_FORMAT,
        own_price_rows(source, mapping)
        if is_own
        else list_rows(source, mapping, counts or ListCounts(), quote, is_given=is_given),
        (lambda row: (read_offer_row(row),)) if is_own else lambda row: offers_of(row, read_row),
        RowIds(),
    )
    if not is_own and not is_given and all(column.why is not GIVEN for column in mapping.rates):
        check_near_market(read, source.path, mapping.header_row, [column.column for column in mapping.rates])
    used = mapping.headings[place_of_availability(mapping) :][:1]
    return read.of_mapping(replace(mapping, titles=quote.titles, compared=(*mapping.compared, *used)))


class RowIds:
    """What tells the rows of price lists apart: the offer, and its day where the offer's first row has one too.

    Of answers to requests all that they say: which of two counts is decided of all files together.
    """

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def __call__(self, offer: Offer) -> str:
        """The id of a row; rows of one id are duplicates."""
        if answered_row(offer) is not None:
            return repr(offer)
        day = offer.as_of or ""
        first = self._first.setdefault(offer.offer_id, day)
        return f"{offer.offer_id}\t{day if first and day else first}"


PER_UNIT: Final = "tokens_per_minute_per_unit"
OF_UNITS: Final = {"model": "gpu_model", "unit_usd_per_hour": column_mapping.RATE, "min_units": "min_gpus"}
"""Of provisioned throughput: its columns, and the fields that have them."""


def own_price_rows(source: Source, mapping: column_mapping.TableMapping) -> Iterator[tuple[int, Row, str]]:
    """The rows of our own price list."""

    def complete(cells: Sequence[str], texts: dict[str, str], row: Row) -> dict[str, str]:
        """The rate an hour and GPU; where its currency leaves none, the range beside it goes too."""
        if texts.get(PER_UNIT):
            texts |= {field: texts.get(own) or texts.get(field, "") for own, field in OF_UNITS.items()}
        texts = with_rate(texts, mapping, None, row, machine_of_offer(cells, texts))
        has_no_rate = texts.get(column_mapping.RATE) == "" and "other_currency" in row.notes
        return {**texts, **NO_RANGE} if has_no_rate else texts

    return mapped_rows(source, mapping, complete)


def read_offer_row(row: Row) -> Offer:
    """One row of our own columns. Errors: RowError, PlannerError."""
    category = contract_tables.read_category(row)
    if category is None:
        raise RowError("missing_column", worded("pricing_category is empty"))
    if category is PricingCategory.OWNED:
        return _owned_row(row)
    is_commitment = category is PricingCategory.COMMITTED
    days = row.integer("term_days") or _block_days(row) if is_commitment else None
    if not is_commitment:
        term = 0
    elif days:
        term = months_of_days(days)
    else:
        term = _term_months(row)
    return _offer_of(
        row,
        category,
        term,
        rate_usd_per_gpu_hour=row.rate("rate_usd_per_gpu_hour"),
        rate_low=row.number("rate_low"),
        rate_high=row.number("rate_high"),
        upfront_usd=row.number("upfront_usd") or None,
        min_term_months=row.integer("min_term_months") or 0,
        term_days=days,
    )


class _OfferRows:
    """read_offer_row, kept by rows that differ in name, day, rate and source alone; of a day the first."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], tuple[dict[str, Any], Row]] = {}
        self._found: dict[tuple[object, ...], Offer] = {}

    def __call__(self, row: Row) -> Offer:
        """As read_offer_row; of another reading of a day, which is a duplicate, the first. Errors: as it."""
        rate, same = row.texts[column_mapping.RATE], {**row.texts, **_TOLD_APART}
        key = (*same, *same.values())
        if key not in self._kept or not 0 < len(rate) <= _LONGEST_PLAIN or "Quote " in row.texts["source"]:
            offer = read_offer_row(row)
            if offer.rate_usd_per_gpu_hour is not None:
                self._kept[key] = ({one.name: getattr(offer, one.name) for one in fields(offer)}, row)
            return offer
        states, like = self._kept[key]
        row.notes, row.said = [*like.notes], {**like.said}
        own = {"offer_id": row.required("offer_id"), "as_of": row.text("as_of")}
        one = (key, *own.values())
        if len(row.ways) > 1 or one not in self._found:
            paid = {"rate_usd_per_gpu_hour": row.rate(column_mapping.RATE)}
            self._found[one] = Offer(**{**states, **own, **paid, "source": row.text("source")})
        return self._found[one]


_TOLD_APART: Final = dict.fromkeys(("offer_id", "as_of", "source", "notes", column_mapping.RATE), "")
_LONGEST_PLAIN: Final = 12
"""Characters of a rate that is surely within what numbers may be."""


def _owned_row(row: Row) -> Offer:
    """GPUs of our own: what their rate follows from. Rates, terms and upfront payments of the row are not looked at.

    Without price and life, or with a cost that is stated and cannot be read, the rate is unknown: 0 would be a gift.
    Errors: RowError, PlannerError.
    """
    life = row.integer("life_months", high=LONGEST_LIFE_MONTHS) or None
    offer = _offer_of(
        row,
        PricingCategory.OWNED,
        life or 0,
        capex_usd_per_gpu=row.number("capex_usd_per_gpu") or None,
        life_months=life,
        residual_share=row.real("residual_share", high=1),
        kw_per_gpu=row.real("kw_per_gpu"),
        pue=row.real("pue", *PUE_LIMITS),
        usd_per_kwh=row.number("usd_per_kwh"),
        space_usd_per_kw_month=row.number("space_usd_per_kw_month"),
    )
    unread = [name for name in OWNED_FIELDS if row.text(name) and getattr(offer, name) is None]
    if unread:
        row.say(
            "quote_needed",
            worded(
                "{columns} of {offer} is not a valid number", columns=", ".join(unread), offer=offer.offer_id
            ),
        )
        return replace(offer, capex_usd_per_gpu=None)
    if offer.capex_usd_per_gpu is None or life is None:
        row.say(
            "quote_needed", worded("{offer} needs capex_usd_per_gpu and life_months", offer=offer.offer_id)
        )
    elif lacking := unstated(offer):
        row.say(
            "computed",
            worded(
                "the rate of {offer} counts empty cells as 0: {columns}",
                offer=offer.offer_id,
                columns=", ".join(lacking),
            ),
        )
    return offer


def _offer_of(row: Row, category: PricingCategory, term_months: int, **more: Any) -> Offer:
    """What all offers state. more: what one of the category states. Errors: RowError, PlannerError."""
    lead, sla = row.real("lead_time_hours"), row.real("sla_percent", high=100)
    dollars = contract_tables.dollar_terms(row) if term_months else {}
    return Offer(
        offer_id=row.required("offer_id"),
        gpu_model=dollars.pop("gpu_model", None) or row.required("gpu_model"),
        pricing_category=category,
        term_months=term_months,
        provider=row.text("provider"),
        max_gpus=row.integer("max_gpus"),
        min_gpus=row.integer("min_gpus") or None,
        max_gpus_per_order=row.integer("max_gpus_per_order") or None,
        unit_gpus=row.integer("unit_gpus") or None,
        sla_percent=sla,
        lead_time_hours=lead or 0.0,
        lead_time_high_hours=row.real("lead_time_high_hours"),
        starts=_instant(row, "starts"),
        ends=_instant(row, "ends"),
        valid_until=_instant(row, "valid_until"),
        **contract_tables.machine_terms(row),
        setup_usd=row.number("setup_usd"),
        tokens_per_minute_per_unit=row.real(PER_UNIT) or None,
        source=row.text("source"),
        as_of=row.text("as_of"),
        currency=(currency := row.text("currency") or USD),
        exchange=unstated_exchange(currency),
        **{"rate_usd_per_gpu_hour": None, **more, **dollars},
    )


def _block_days(row: Row) -> int | None:
    """Whole days of a commitment that states no term and is there from a day to another."""
    starts_s, ends_s = row.time("starts"), row.time("ends")
    if row.number("term_months") or starts_s is None or ends_s is None:
        return None
    return None if (ends_s - starts_s) % DAY_S else max(ends_s - starts_s, 0) // DAY_S or None


def _term_months(row: Row) -> int:
    """The months of a commitment. Errors: RowError where there are none, or only a part of one."""
    stated = row.number("term_months")
    if stated and stated == stated.to_integral_value():
        return int(stated)
    what = worded("term_months is {value} for a commitment", value=row.text("term_months") or worded("empty"))
    raise RowError("bad_number", what, worded("give whole months in term_months, or days in term_days"))


def _instant(row: Row, column: str) -> str | None:
    """A date or time as it is kept, in UTC. Errors: RowError bad_time."""
    at_s = row.time(column)
    return None if at_s is None else iso_day(at_s)
