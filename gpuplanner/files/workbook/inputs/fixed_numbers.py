"""Assumptions, currency and fixed numbers: what formulas take as given, as named cells with unit and source."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.recursion.spot import CHECKPOINTED_TRAINING_S, SHORT_TRAINING_S
from gpuplanner.domain.fit.rules import FULL
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.watch import Watch

CURRENCY: Final = "book_currency"


@dataclass(frozen=True, slots=True)
class FixedNumber:
    """One of them: its title, value and unit, the name of its cell, its style (looks.py) and where it is from."""

    name: str
    title: Text
    value: float
    unit: str
    source: str
    style: str = "count"


FIXED_NUMBERS: Final = (
    FixedNumber("demand_percentile", "Percentile of demand shown", 95, "% of hours", "Pools, p95 GPUs"),
    FixedNumber(
        "timeline_months", "Timeline of contracts, into the plan", 36, "months", "Contracts, Timeline"
    ),
    FixedNumber(
        "short_training_h",
        "Training that may run on spot as it is",
        SHORT_TRAINING_S / HOUR_S,
        "hours",
        "Method, Spot",
    ),
    FixedNumber(
        "checkpointed_training_h",
        "The same where it writes checkpoints",
        CHECKPOINTED_TRAINING_S / HOUR_S,
        "hours",
        "Method, Spot",
    ),
    FixedNumber("memory_full", "Memory that counts as full", FULL, "of a GPU's memory", "Hardware", "ratio"),
)
"""What the app has in its rules, too: another value would be another method."""


def write_fixed_numbers(
    book: Book, sheet: str, currency: str, fields: tuple[Field, ...], row: int
) -> dict[str, Expr]:
    """The currency of the book and the fixed numbers, below a heading; the cells of the numbers by their names.

    fields: of the sheet's tables (title, value, unit, name, live, default, source).
    """
    book.write(sheet, row, 0, "Currency and fixed numbers", "section")
    watch = Watch("Currency and fixed numbers")
    table = Table(book, sheet, row + 1, 1 + len(FIXED_NUMBERS), fields, watch=watch)
    table.put("title", 0, "Currency of every amount in this book")
    book.name(CURRENCY, table.put("value", 0, currency, "text.right.fixed"))
    table.put("unit", 0, "ISO 4217")
    table.put("name", 0, CURRENCY)
    table.put("live", 0, "Chosen in the app: change it there")
    table.put("source", 0, "the project")
    cells = {}
    for place, one in enumerate(FIXED_NUMBERS, start=1):
        table.put("title", place, one.title)
        cells[one.name] = book.name(one.name, table.put("value", place, one.value, f"{one.style}.fixed"))
        table.put("unit", place, one.unit)
        table.put("name", place, one.name)
        table.put("live", place, "Fixed, as in the app")
        table.put("source", place, one.source)
    return cells
