"""Advice on random and crafted worlds, as golden tables."""

from typing import Final

from tests.domain.random_worlds import advice_text
from tests.golden.tables import Table

FOLDER: Final = "tables_commitment"
WORLDS: Final = (
    "nothing_on_demand",
    "over_512_slices",
    "new 0",
    "new 1",
    "new 4",
    "new 11",
    "new 12",
    "new 16",
    "new 38",
    "new 43",
    "new 48",
    "new 30 stated",
    "random 3 stated",
)
"""Worlds that reach every branch of this room that advice reaches."""
TABLES: Final = {"advice.txt": Table(text_of=advice_text, cases=WORLDS)}
