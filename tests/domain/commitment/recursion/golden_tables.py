"""Advice on random and crafted worlds that reach all of the recursion, as golden tables."""

from typing import Final

from tests.domain.random_worlds import advice_text
from tests.golden.tables import Table

FOLDER: Final = "tables_commitment_recursion"
WORLDS: Final = (
    "nothing_on_demand",
    "by_hand",
    "edge 8",
    "edge 11",
    "new 0",
    "new 1",
    "new 14",
    "new 22",
    "new 36",
    "new 37",
    "new 44",
    "new 46",
)
"""Worlds that reach every branch of this room that advice reaches."""
TABLES: Final = {"advice.txt": Table(text_of=advice_text, cases=WORLDS)}
