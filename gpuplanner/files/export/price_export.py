"""The price book as a CSV file of our own columns, to be edited elsewhere and read again."""

from collections.abc import Iterable
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.system.output_file import write_table
from gpuplanner.files.tables.harmless_cells import csv_text

COLUMNS: Final = (
    "offer_id", "provider", "gpu_model", "pricing_category", "term_months", "rate_usd_per_gpu_hour", "rate_low",
    "rate_high", "max_gpus", "min_gpus", "unit_gpus", "upfront_usd", "sla_percent", "lead_time_hours",
    "min_term_months", "term_days", "starts", "ends", "valid_until", "gpu_memory_gb", "bare_metal", "interconnect",
    "egress_usd_per_gb", "region", "source", "as_of",
)  # fmt: skip
"""Every field of an offer, in the order of a price file; its GPU model is as its list wrote it."""

OWNED_COLUMNS: Final = (
    "capex_usd_per_gpu", "life_months", "residual_share", "kw_per_gpu", "pue", "usd_per_kwh", "space_usd_per_kw_month",
    "staff_usd_per_gpu_month",
)  # fmt: skip
"""Columns more where an offer states what owned GPUs cost."""
CURRENCY: Final = "currency"
"""A column more where an offer is quoted in another currency than US dollars."""

assert {*COLUMNS, *OWNED_COLUMNS, CURRENCY, "exchange", "gpu_model_written"} == {
    each.name for each in fields(Offer)
}


def prices_text(offers: Iterable[Offer]) -> str:
    """Offers as CSV. Law: reading it gives the same offers (a text without spaces at its ends)."""
    written = [replace(offer, gpu_model=offer.gpu_model_written or offer.gpu_model) for offer in offers]
    is_owned = any(getattr(offer, name) is not None for offer in written for name in OWNED_COLUMNS)
    columns = (*COLUMNS, *(OWNED_COLUMNS if is_owned else ()))
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
