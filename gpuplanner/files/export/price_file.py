"""The price book as a CSV file in our own columns, to be edited elsewhere and read again."""

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.system.output_file import write_table
from gpuplanner.files.tables.delimited import csv_text
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import fields, replace

PRICE_COLUMNS: Final = phrases(
    "offer_id|provider|gpu_model|pricing_category|term_months|rate_usd_per_gpu_hour|rate_low|rate_high"
    "|max_gpus|min_gpus|unit_gpus|upfront_usd|sla_percent|lead_time_hours|min_term_months|term_days"
    "|starts|ends|valid_until|gpu_memory_gb|bare_metal|interconnect|nic_gbps|rdma|egress_usd_per_gb|country|region|source|as_of"
)
"""Every field of an offer, in the order of a price file; its GPU model is as its list wrote it."""

OWNED_COLUMNS: Final = phrases(
    "capex_usd_per_gpu|life_months|residual_share|kw_per_gpu|pue|usd_per_kwh|space_usd_per_kw_month"
)
"""Columns more where an offer states what owned GPUs cost."""
EXTRA_COLUMNS: Final = phrases(
    "staff_usd_per_gpu_month|storage_usd_per_gpu_month|network_usd_per_gpu_month|support_percent|setup_usd"
    "|lead_time_high_hours|tokens_per_minute_per_unit|commitment_usd_per_hour|discount_percent"
    "|max_gpus_per_order"
)
"""Likewise where one states what is paid beside its rate, how long it takes at most, or where its tier ends."""
CURRENCY: Final = "currency"
"""A column more where an offer is quoted in another currency than US dollars."""

assert {
    *PRICE_COLUMNS,
    *OWNED_COLUMNS,
    *EXTRA_COLUMNS,
    CURRENCY,
    "exchange",
    "gpu_model_written",
    "sent_gb",
} == {each.name for each in fields(Offer)}


def prices_text(offers: Iterable[Offer]) -> str:
    """Offers as CSV. Law: reading it gives the same offers (a text without spaces at its ends)."""
    written = [replace(offer, gpu_model=offer.gpu_model_written or offer.gpu_model) for offer in offers]
    columns = PRICE_COLUMNS
    for more in (OWNED_COLUMNS, EXTRA_COLUMNS):
        columns += more if any(getattr(offer, name) is not None for offer in written for name in more) else ()
    columns = (*columns, CURRENCY) if any(offer.currency != USD for offer in written) else columns
    return csv_text((columns, *([_cell(getattr(offer, name)) for name in columns] for offer in written)))


def write_price_file(offers: Iterable[Offer], path: Path) -> None:
    """Write offers to a file: all of it or nothing. Errors: PlannerError file_unreadable."""
    write_table(path, prices_text(offers))


def _cell(value: object) -> str:
    """A value as our own reader takes it again.

    Empty for None, numbers without exponent, true and false in small letters.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else f"{Decimal(repr(value)):f}"
    return str(value)
