"""A table's mapping: which column is which field of a contract or an offer, in what unit, how sure and why."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.log.intake import Facts, Issue
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.tables.column_mapping import ColumnMapping, ColumnReading, MappingWords, mapping_text
from gpuplanner.files.values.amounts import COMMA, POINT
from gpuplanner.files.values.unit_words import HOURS_OF_PERIOD
from gpuplanner.files.values.written_dates import DAY_FIRST, MONTH_FIRST, SERIAL
from gpuplanner.files.values.written_terms import MONTHS, YEARS

GPU_HOUR: Final = "gpu_hour"
HOURS_OF_UNIT: Final = {
    unit: (hours, unit.startswith("gpu_"))
    for period, hours in HOURS_OF_PERIOD.items()
    for unit in (f"gpu_{period}", period)
}
"""What a price is for: hours, and whether of one GPU (else of all GPUs of the row)."""

CENTS: Final = "cents"
"""In place of a currency: US cents."""

CURRENCY: Final = "currency"
"""The currency of all money of a row, in a column of its own; empty is USD."""

RATE: Final = "rate_usd_per_gpu_hour"
RATE_ON_DEMAND: Final = "rate_on_demand"
RATE_SPOT: Final = "rate_spot"
NODES: Final = "nodes"
GPUS_PER_NODE: Final = "gpus_per_node"
"""Two columns that stand for one of GPUs."""

INSTANCE: Final = "instance"
"""The type of machine that a row is of."""

PRICE_UNIT: Final = "price_unit"
"""What the price of a row is for, in a column of its own: `per instance-hour`."""

STATED_PER_GPU: Final = "stated_per_gpu"
"""What a price list itself says a GPU costs, beside the price of the machine: compared, not used."""

_STYLES: Final = (POINT, COMMA, DAY_FIRST, MONTH_FIRST, SERIAL)
_CURRENCIES: Final = (
    "USD",
    CENTS,
    "EUR",
    "GBP",
    "CHF",
    "SEK",
    "NOK",
    "DKK",
    "JPY",
    "CNY",
    "INR",
    "CAD",
    "AUD",
)
_SUFFIXES: Final = ((*HOURS_OF_UNIT, MONTHS, YEARS), _STYLES, _CURRENCIES)
"""What may stand behind a column: unit, style and currency."""


def committed_rate(months: int) -> str:
    """The field of a column of prices for one term.

    >>> committed_rate(12), term_of_rate(committed_rate(12))
    ('rate_12m', 12)
    """
    return f"rate_{months}m"


def is_rate(field: str) -> bool:
    """Whether a field is a price of GPUs.

    >>> is_rate("rate_36m"), is_rate("rate_usd_per_gpu_hour"), is_rate("gpus")
    (True, True, False)
    """
    return field in (RATE, RATE_ON_DEMAND, RATE_SPOT, STATED_PER_GPU) or term_of_rate(field) is not None


def term_of_rate(field: str) -> int | None:
    """The term of a column of committed prices, in months.

    None for any other field.

    >>> term_of_rate("rate_36m"), term_of_rate("rate_spot")
    (36, None)
    """
    digits = field.removeprefix("rate_").removesuffix("m")
    return int(digits) if field == f"rate_{digits}m" and digits.isdecimal() and len(digits) < 5 else None


@dataclass(frozen=True, slots=True)
class TableMapping:
    """How a table is read.

    kind: contracts or prices; header_row: the line on which the header begins, header_rows how many it takes;
    headings: of all columns, in order, each once, empty where a column has none; columns: those that are used.
    is_own: the columns are our own, by name.
    """

    kind: str
    columns: tuple[ColumnReading, ...]
    headings: tuple[str, ...] = ()
    header_row: int = 1
    header_rows: int = 1
    delimiter: str = ","
    sheet: str = ""
    is_own: bool = False

    def of(self, field: str) -> ColumnReading | None:
        """The column of a field.

        None where no column tells it.
        """
        return next((column for column in self.columns if column.field == field), None)

    def lacks(self, fields: Iterable[str]) -> list[str]:
        """Those of the fields that no column tells; nodes with their GPUs or type tell how many GPUs there are."""
        told = {column.field for column in self.columns}
        if NODES in told and told & {GPUS_PER_NODE, INSTANCE}:
            told.add("gpus")
        return [field for field in fields if field not in told]

    @property
    def unused(self) -> tuple[str, ...]:
        """Headings of columns that are not read.

        Columns without a heading are left out.
        """
        used = {column.column for column in self.columns}
        return tuple(heading for heading in self.headings if heading and heading not in used)

    def issues(self, rows: int) -> tuple[Issue, ...]:
        """What is to be said of columns that are not known; rows: how many the table has below them."""
        return unknown_columns(self.unused, rows, self.header_row)

    @property
    def facts(self) -> Facts:
        """What `check` says of it: the words to use it again, how sure each is and why; nothing of our own columns."""
        if self.is_own:
            return ()
        return (
            ("header_row", self.header_row),
            ("mapping", self.words),
            ("mapping_why", {c.field: f"{c.why} ({c.confidence:.0%} sure)" for c in self.columns}),
            ("unused_columns", list(self.unused)),
        )

    @property
    def words(self) -> str:
        """`gpus=Qty,rate_usd_per_gpu_hour=Price:month:comma`: what parse_table_columns reads."""
        units = {c.field: c.unit_words for c in self.columns}
        return mapping_text(ColumnMapping({c.field: c.column for c in self.columns}, units))


def unknown_columns(headings: Sequence[str], rows: int, header_row: int) -> tuple[Issue, ...]:
    """What is to be said of columns that were not read; rows: how many the table has below them."""
    if not headings:
        return ()
    what, remedy = ISSUE_TEXTS["unknown_column"]
    names = joined((f"“{name}”" for name in headings), ", ")
    said = joined((joined((what, names), ": "), remedy), "; ")
    return (Issue("unknown_column", max(1, rows), header_row, said),)


def parse_table_mapping(text: str, fields: Collection[str]) -> ColumnMapping:
    """`gpus=Qty,rate_usd_per_gpu_hour=Price:month:comma:EUR`; fields: those of this kind of table.

    Errors: PlannerError usage.
    """
    words = MappingWords(
        "mapping", fields, lambda name: _SUFFIXES if name in fields or is_rate(name) else None
    )
    return words.parse(text)


def parse_table_columns(text: str, fields: Collection[str]) -> tuple[ColumnReading, ...]:
    """The columns of a mapping in words. Errors: as parse_table_mapping.

    fields: those that the kind of table has. Each is given, so it is wholly sure.
    """
    mapping = parse_table_mapping(text, fields)

    def reading(name: str, column: str) -> ColumnReading:
        """One column as it was given: unit, style and currency in any order, each by its own words."""
        parts = mapping.units.get(name, "").split(":")
        unit, style, currency = (next((part for part in parts if part in words), "") for words in _SUFFIXES)
        return ColumnReading(name, column, unit, style, currency, 1.0, worded("it was given"))

    return tuple(reading(name, column) for name, column in mapping.columns.items())
