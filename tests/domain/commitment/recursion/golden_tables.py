"""Advice on random and crafted worlds that reach all of the recursion, as golden tables."""

from typing import Final

from tests.domain.random_worlds import advice_text, decisions_text
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
    "edge 4 stated",
    "edge 9 stated",
)
"""Worlds that reach every branch of this room that advice reaches."""
DECIDED: Final = ("new 0", "new 13", "new 16", "new 18", "new 19", "random 3 stated")
"""Worlds with decisions as a whole, whose policies are counted part by part."""
TABLES: Final = {
    "advice.txt": Table(text_of=advice_text, cases=WORLDS),
    "decisions.txt": Table(text_of=decisions_text, cases=DECIDED),
}
