"""The price book as a CSV file of our own columns, to be edited elsewhere and read again."""

from collections.abc import Iterable
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.offer import Offer
from gpuplanner.files.harmless_cells import csv_text
from gpuplanner.files.output_file import write_table

COLUMNS: Final = (
    "offer_id", "provider", "gpu_model", "pricing_category", "term_months", "rate_usd_per_gpu_hour", "rate_low",
    "rate_high", "max_gpus", "lead_time_hours", "min_term_months", "gpu_memory_gb", "bare_metal", "interconnect",
    "egress_usd_per_gb", "region", "source", "as_of",
)  # fmt: skip
"""Every field of an offer, in the order of a price file."""

assert set(COLUMNS) == {each.name for each in fields(Offer)}


def prices_text(offers: Iterable[Offer]) -> str:
    """Offers as CSV. Law: reading it gives the same offers (a text without spaces at its ends)."""
    return csv_text((COLUMNS, *([_cell(getattr(offer, name)) for name in COLUMNS] for offer in offers)))


def write_price_file(offers: Iterable[Offer], path: Path) -> None:
    """Write offers to a file: all of it or nothing. Errors: PlannerError file_unreadable."""
    write_table(path, prices_text(offers))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else f"{Decimal(repr(value)):f}"
    return str(value)
