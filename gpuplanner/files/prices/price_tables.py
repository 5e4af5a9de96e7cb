"""Prices as tables: what could be bought, from our own list, anybody's, or the one that ships with the product."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.figures.costs.owned import PUE_LIMITS
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import USD, unstated_exchange
from gpuplanner.domain.model.book.offer import Offer, months_of_days
from gpuplanner.domain.model.book.offer_history import is_dated
from gpuplanner.domain.model.book.owned import OWNED_FIELDS, unstated
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import iso_day
from gpuplanner.files.contracts.contract_tables import INTERCONNECTS, MAPPED_FORMAT, read_category
from gpuplanner.files.prices.price_lists import NO_RANGE, list_rows, offers_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import resource_path
from gpuplanner.files.tables.fields import NEEDED_OF_OTHERS, OWN_NEEDED
from gpuplanner.files.tables.machine_prices import machine_of_offer
from gpuplanner.files.tables.mapped_cells import mapped_rows, with_rate
from gpuplanner.files.tables.propose_mapping import check_has, propose_table_mapping
from gpuplanner.files.tables.row_ends import TableRead, collect_rows
from gpuplanner.files.tables.small_table import LARGEST_NUMBER, Row, RowError
from gpuplanner.files.tables.table_mapping import RATE, TableMapping, is_rate
from gpuplanner.files.tables.table_sniff import sniff_table

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
        raise PlannerError(
            BUILTIN,
            "file_missing",
            worded("this installation has no price list"),
            worded("give a file of prices"),
        )
    return str(path)


def read_prices(source: Source, mapping: TableMapping | str | None = None) -> TableRead[Offer]:
    """The offers of a table, in file order; mapping: how it is read, instead of as proposed.

    A row with prices for several ways to pay holds as many offers. Rows that are alike in all cells are duplicates.
    Errors: PlannerError missing_column, file_unreadable, usage.
    """
    if not isinstance(mapping, TableMapping):
        mapping = propose_table_mapping(source, "prices", mapping)
    is_own = mapping.is_own
    check_has(source, mapping, REQUIRED if is_own else NEEDED_OF_OTHERS["prices"])
    if not is_own and not any(is_rate(column.field) for column in mapping.columns):
        raise PlannerError(
            f"{source.path}:{mapping.header_row}",
            "missing_column",
            worded("there is no column {rate}", rate=RATE),
            worded("add it to the header"),
        )
    read = collect_rows(
        source,
        "prices",
        FORMAT if is_own else MAPPED_FORMAT,
        own_price_rows(source, mapping) if is_own else list_rows(source, mapping),
        (lambda row: (read_offer_row(row),)) if is_own else lambda row: offers_of(row, read_offer_row),
        RowIds(),
    )
    return read.of_mapping(mapping)


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
        day = offer.as_of or "" if is_dated(offer) else ""
        first = self._first.setdefault(offer.offer_id, day)
        return f"{offer.offer_id}\t{day if first and day else first}"


def own_price_rows(source: Source, mapping: TableMapping) -> Iterator[tuple[int, Row, str]]:
    """The rows of our own price list."""

    def complete(cells: Sequence[str], texts: dict[str, str], row: Row) -> dict[str, str]:
        """The rate an hour and GPU; where its currency leaves none, the range beside it goes too."""
        texts = with_rate(texts, mapping, None, row, machine_of_offer(cells, texts))
        has_no_rate = texts.get(RATE) == "" and "other_currency" in row.notes
        return {**texts, **NO_RANGE} if has_no_rate else texts

    return mapped_rows(source, mapping, complete)


def read_offer_row(row: Row) -> Offer:
    """One row of our own columns. Errors: RowError, PlannerError."""
    category = read_category(row)
    if category is None:
        raise RowError("missing_column", worded("pricing_category is empty"))
    if category is PricingCategory.OWNED:
        return _owned_row(row)
    is_commitment = category is PricingCategory.COMMITTED
    days = row.integer("term_days") or None if is_commitment else None
    term = (months_of_days(days) if days else _term_months(row)) if is_commitment else 0
    return replace(
        _offer_of(row, category, term),
        rate_usd_per_gpu_hour=row.rate("rate_usd_per_gpu_hour"),
        rate_low=row.number("rate_low"),
        rate_high=row.number("rate_high"),
        upfront_usd=row.number("upfront_usd") or None,
        min_term_months=row.integer("min_term_months") or 0,
        term_days=days,
    )


def _owned_row(row: Row) -> Offer:
    """GPUs of our own: what their rate follows from. Rates, terms and upfront payments of the row are not looked at.

    Without price and life, or with a cost that is stated and cannot be read, the rate is unknown: 0 would be a gift.
    Errors: RowError, PlannerError.
    """
    life = row.integer("life_months", high=LONGEST_LIFE_MONTHS) or None
    offer = replace(
        _offer_of(row, PricingCategory.OWNED, life or 0),
        capex_usd_per_gpu=row.number("capex_usd_per_gpu") or None,
        life_months=life,
        residual_share=_number(row, "residual_share", high=1),
        kw_per_gpu=_number(row, "kw_per_gpu"),
        pue=_number(row, "pue", *PUE_LIMITS),
        usd_per_kwh=row.number("usd_per_kwh"),
        space_usd_per_kw_month=row.number("space_usd_per_kw_month"),
        staff_usd_per_gpu_month=row.number("staff_usd_per_gpu_month"),
    )
    unread = [name for name in OWNED_FIELDS if row.text(name) and getattr(offer, name) is None]
    if unread:
        row.say(
            "quote_needed",
            worded(
                "{columns} of {offer_id} is no number that it can be",
                columns=", ".join(unread),
                offer_id=offer.offer_id,
            ),
        )
        return replace(offer, capex_usd_per_gpu=None)
    if offer.capex_usd_per_gpu is None or life is None:
        row.say(
            "quote_needed",
            worded("{offer_id} needs capex_usd_per_gpu and life_months", offer_id=offer.offer_id),
        )
    elif lacking := unstated(offer):
        row.say(
            "computed",
            worded(
                "the rate of {offer_id} counts what is empty as 0: {columns}",
                offer_id=offer.offer_id,
                columns=", ".join(lacking),
            ),
        )
    return offer


def _offer_of(row: Row, category: PricingCategory, term_months: int) -> Offer:
    """What all offers state, without a rate. Errors: RowError, PlannerError."""
    lead, sla = row.number("lead_time_hours"), row.number("sla_percent", high=100)
    return Offer(
        offer_id=row.required("offer_id"),
        gpu_model=row.required("gpu_model"),
        pricing_category=category,
        term_months=term_months,
        rate_usd_per_gpu_hour=None,
        provider=row.text("provider"),
        max_gpus=row.integer("max_gpus"),
        min_gpus=row.integer("min_gpus") or None,
        unit_gpus=row.integer("unit_gpus") or None,
        sla_percent=None if sla is None else float(sla),
        lead_time_hours=float(lead or 0),
        starts=_instant(row, "starts"),
        ends=_instant(row, "ends"),
        valid_until=_instant(row, "valid_until"),
        gpu_memory_gb=_number(row, "gpu_memory_gb"),
        bare_metal=row.flag("bare_metal"),
        interconnect=row.word("interconnect", INTERCONNECTS),
        egress_usd_per_gb=row.number("egress_usd_per_gb"),
        region=row.text("region"),
        source=row.text("source"),
        as_of=row.text("as_of"),
        currency=(currency := row.text("currency") or USD),
        exchange=unstated_exchange(currency),
    )


def _number(row: Row, column: str, low: int = 0, high: int = LARGEST_NUMBER) -> float | None:
    """A number from low to high as a float; None where it is empty or none."""
    value = row.number(column, low, high)
    return None if value is None else float(value)


def _term_months(row: Row) -> int:
    """The months of a commitment. Errors: RowError where there are none, or only a part of one."""
    stated = row.number("term_months")
    if stated and stated == stated.to_integral_value():
        return int(stated)
    what = worded("term_months is {value} for a commitment", value=row.text("term_months") or worded("empty"))
    raise RowError(
        "bad_number", what, worded("give whole months in term_months, such as 12, or days in term_days")
    )


def _instant(row: Row, column: str) -> str | None:
    """A date or time as it is kept, in UTC. Errors: RowError bad_time."""
    at_s = row.time(column)
    return None if at_s is None else iso_day(at_s)
