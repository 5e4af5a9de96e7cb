"""Summary, its links: beside each figure, the sheet where its parts stand."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.files.workbook.book import Book, Table

EXPLAINED_ON: Final = {
    "current_usd_per_month": "Audit",
    "do_nothing_usd_per_month": "Comparison",
    "on_demand_equivalent_usd_per_month": "Pools",
    "effective_savings_rate": "Pools",
    "effective_utilization_now": "Audit",
    "unused_now_usd_per_month": "Audit",
    "lock_in_now_months": "Contracts",
    "savings_vs_do_nothing_usd_per_month": "Comparison",
}
ELSE: Final = "Commitment"


def write_links(book: Book, table: Table, keys: Sequence[str]) -> None:
    """Fill the column `link` of the figures, which stand in the order of their keys."""
    for place, key in enumerate(keys):
        sheet = EXPLAINED_ON.get(key, ELSE)
        book.sheets[table.sheet].write_url(
            table.first_row + place,
            table.column_of("link"),
            f"internal:'{sheet}'!A1",
            book.style("link"),
            sheet,
        )
