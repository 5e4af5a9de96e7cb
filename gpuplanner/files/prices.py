"""Price lists: what could be bought, from CSV or XLSX, or the list that ships with the product."""

from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.files.contracts import INTERCONNECTS, read_category
from gpuplanner.files.resources import resource_path
from gpuplanner.files.small_table import Row, RowError, TableRead, header_columns, read_table
from gpuplanner.files.source import Source

FORMAT: Final = "own_prices"
REQUIRED: Final = ("offer_id", "gpu_model", "pricing_category")
BUILTIN: Final = "builtin"
"""In place of a path: the offers shipped with the product."""


def sniff(head: str) -> float:
    """How sure it is that a text begins a price list, 0..1."""
    _, columns = header_columns(head)
    if "offer_id" not in columns:
        return 0.0
    return 1.0 if set(REQUIRED) <= set(columns) else 0.6


def builtin_path() -> str:
    """Where the shipped offers are.

    Errors: PlannerError file_missing in an installation without them.
    """
    path = resource_path("offers.csv")
    if not path.exists():
        raise PlannerError(
            BUILTIN, "file_missing", "this installation has no price list", "give a file of prices"
        )
    return str(path)


def read_prices(source: Source) -> TableRead[Offer]:
    """The offers of one file, in file order.

    Errors: PlannerError missing_column, file_unreadable.
    """
    return read_table(source, "prices", FORMAT, REQUIRED, _read_row, lambda offer: offer.offer_id)


def _read_row(row: Row) -> Offer:
    category = read_category(row)
    if category is None:
        raise RowError("missing_column", "pricing_category is empty")
    term = row.integer("term_months")
    if category is PricingCategory.COMMITTED and not term:
        raise RowError("bad_number", f"term_months is {row.text('term_months') or 'empty'} for a commitment")
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
