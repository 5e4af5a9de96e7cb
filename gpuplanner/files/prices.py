"""Prices as tables: what could be bought, from our own list, anybody's, or the one that ships with the product."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.contracts import INTERCONNECTS, MAPPED_FORMAT, read_category
from gpuplanner.files.harmless_cells import as_written
from gpuplanner.files.machine_prices import machine_of_offer
from gpuplanner.files.mapped_cells import rate_of, texts_of
from gpuplanner.files.own_columns import OWN_REQUIRED
from gpuplanner.files.price_lists import list_rows, offers_of
from gpuplanner.files.propose_mapping import body_rows, check_has, propose_table_mapping
from gpuplanner.files.resources import resource_path
from gpuplanner.files.small_table import Row, RowError, TableRead, collect_rows
from gpuplanner.files.source import Source
from gpuplanner.files.table_mapping import RATE, TableMapping, is_rate
from gpuplanner.files.table_sniff import sniff_table

FORMAT: Final = "own_prices"
REQUIRED: Final = OWN_REQUIRED["prices"]
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
    check_has(source, mapping, REQUIRED if is_own else ("gpu_model",))
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
        (lambda row: (_read_row(row),)) if is_own else lambda row: offers_of(row, _read_row),
        lambda offer: offer.offer_id,
    )
    return read.of_mapping(mapping)


def own_price_rows(source: Source, mapping: TableMapping) -> Iterator[tuple[int, Row, str]]:
    """The rows of our own price list."""
    rate = mapping.of(RATE)
    for line, cells in body_rows(source, mapping):
        row = Row({}).of_width(cells, mapping.headings, source)
        texts = texts_of(cells, mapping, row)
        if rate is not None:
            found = rate_of(texts[RATE], rate, None, row, machine_of_offer(cells, texts))
            texts[RATE] = "" if found is None else f"{found:f}"
        row.texts = {field: as_written(text) for field, text in texts.items()}
        yield line, row, mapping.delimiter.join(cells)


def _read_row(row: Row) -> Offer:
    category = read_category(row)
    if category is None:
        raise RowError("missing_column", worded("pricing_category is empty"))
    term = row.integer("term_months")
    if category is PricingCategory.COMMITTED and not term:
        raise RowError(
            "bad_number",
            worded(
                "term_months is {value} for a commitment", value=row.text("term_months") or worded("empty")
            ),
        )
    memory = row.number("gpu_memory_gb")
    lead = row.number("lead_time_hours")
    return Offer(
        offer_id=row.required("offer_id"),
        gpu_model=row.required("gpu_model"),
        pricing_category=category,
        term_months=term if term and category is PricingCategory.COMMITTED else 0,
        rate_usd_per_gpu_hour=row.rate("rate_usd_per_gpu_hour"),
        provider=row.text("provider"),
        rate_low=row.number("rate_low"),
        rate_high=row.number("rate_high"),
        max_gpus=row.integer("max_gpus"),
        lead_time_hours=float(lead or 0),
        min_term_months=row.integer("min_term_months") or 0,
        gpu_memory_gb=None if memory is None else float(memory),
        bare_metal=row.flag("bare_metal"),
        interconnect=row.word("interconnect", INTERCONNECTS),
        egress_usd_per_gb=row.number("egress_usd_per_gb"),
        region=row.text("region"),
        source=row.text("source"),
        as_of=row.text("as_of"),
    )
