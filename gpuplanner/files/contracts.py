"""Contract files: what exists today, from CSV or XLSX."""

from decimal import Decimal
from typing import Final

from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.files.job_logs.gpu_counts import GpuReading, from_number
from gpuplanner.files.small_table import Row, RowError, TableRead, header_columns, read_table
from gpuplanner.files.source import Source

FORMAT: Final = "own_contracts"
REQUIRED: Final = ("contract_id", "gpus", "start")
LONGEST_NOTICE_DAYS: Final = 36_500
"""More is a slip, and the day to order by would be before the calendar."""
INTERCONNECTS: Final = {name: name for name in ("infiniband", "nvlink", "roce_400", "roce", "ethernet")}
CATEGORIES: Final = {
    **{
        str(category).lower(): category
        for category in PricingCategory
        if category is not PricingCategory.MIXED
    },
    "on demand": PricingCategory.STANDARD,
    "on-demand": PricingCategory.STANDARD,
    "reserved": PricingCategory.COMMITTED,
    "spot": PricingCategory.DYNAMIC,
}
"""FOCUS's words, and those that people write for them."""

ENDLESS_YEAR: Final = "9999-"
"""How systems that need a date write "no end"."""


def sniff(head: str) -> float:
    """How sure it is that a text begins a table of contracts, 0..1."""
    _, columns = header_columns(head)
    if "contract_id" not in columns:
        return 0.0
    return 1.0 if set(REQUIRED) <= set(columns) else 0.6


def read_contracts(source: Source) -> TableRead[Contract]:
    """The contracts of one file, in file order.

    Errors: PlannerError missing_column, file_unreadable.
    """
    return read_table(source, "contracts", FORMAT, REQUIRED, _read_row, lambda contract: contract.contract_id)


def _read_row(row: Row) -> Contract:
    gpus = row.number("gpus", low=None)
    reading = GpuReading(fault="bad_number") if gpus is None else from_number(gpus * 1000)
    if reading.fault or not reading.milli_gpus:
        raise RowError(reading.fault or "bad_number", f"gpus is {row.text('gpus') or 'empty'}")
    start_s = row.time("start")
    runs_on = (row.text("end") or "").startswith(ENDLESS_YEAR)
    end_s = None if runs_on else row.time("end")
    if start_s is None:
        raise RowError("bad_time", "start is empty")
    return Contract(
        contract_id=row.required("contract_id"),
        cluster=row.text("cluster") or "",
        gpu_model=row.text("gpu_model"),
        milli_gpus=reading.milli_gpus,
        rate_usd_per_gpu_hour=row.rate("rate_usd_per_gpu_hour"),
        start_s=start_s,
        end_s=end_s,
        provider=row.text("provider"),
        pricing_category=read_category(row),
        term_months=row.integer("term_months"),
        min_term_months=row.integer("min_term_months"),
        notice_days=row.integer("notice_days", high=LONGEST_NOTICE_DAYS),
        region=row.text("region"),
        bare_metal=row.flag("bare_metal"),
        interconnect=row.word("interconnect", INTERCONNECTS),
        gpu_memory_gb=_float_or_none(row.number("gpu_memory_gb")),
        egress_usd_per_gb=row.number("egress_usd_per_gb"),
        pool=row.word("pool", {str(pool): pool for pool in Pool}),
    )


def read_category(row: Row) -> PricingCategory | None:
    """The pricing category; None where none is stated.

    Errors: RowError where it is a word of nobody's: taking it for a commitment would be a guess.
    """
    text = (row.text("pricing_category") or "").lower()
    if text in ("", "null"):
        return None
    if text not in CATEGORIES:
        raise RowError("unknown_value", f"pricing_category is {text}, not STANDARD, COMMITTED or DYNAMIC")
    return CATEGORIES[text]


def _float_or_none(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
