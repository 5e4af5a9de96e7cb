"""Random tables of contracts and prices: how their columns and cells are read, and the values, as golden tables."""

from functools import partial
from typing import Final

from tests.files.random_tables import random_table
from tests.files.read_tables import cell_lines, column_lines, table_values
from tests.golden.tables import Table

FOLDER: Final = "tables_files_tables"
SEEDS: Final = range(40)
TAB: Final = "⇥"
"""Stands for the tabs of a table, since a line of nothing but tabs would be no line of its case."""


def reading_text(kind: str, case: str) -> str:
    """Return a random table, its columns, cells and values. case: its seed."""
    seed = int(case)
    parts = (
        random_table(kind, seed).replace("\t", TAB),
        *column_lines(kind, seed),
        *cell_lines(kind, seed),
        table_values(kind, seed),
    )
    return "\n".join(parts)


CASES: Final = tuple(map(str, SEEDS))
TABLES: Final = {
    f"{kind}.txt": Table(text_of=partial(reading_text, kind), cases=CASES) for kind in ("contracts", "prices")
}
