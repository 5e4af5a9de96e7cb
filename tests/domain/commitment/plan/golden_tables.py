"""Advice on random and crafted worlds: layers, orders, costs and checks of the plan, as golden tables."""

from typing import Final

from tests.domain.random_worlds import advice_text, decided_text
from tests.golden.tables import Table

FOLDER: Final = "tables_commitment_plan"
WORLDS: Final = (
    "nothing_on_demand",
    "over_512_slices",
    "quotes_needed",
    "spot_mix",
    "edge 8",
    "random 7",
    "new 2",
    "new 4",
    "new 11",
    "new 24",
    "new 32",
    "new 34",
    "new 36",
    "new 37",
    "new 46",
    "new 49",
    "edge 9 stated",
    "new 2 stated",
    "new 11 stated",
    "random 3 stated",
)
"""Worlds that reach every branch of this room that advice reaches."""
DECIDED: Final = ("new 0", "new 13", "new 16", "new 19", "random 3 stated")
"""Worlds with decisions as a whole."""
TABLES: Final = {
    "advice.txt": Table(text_of=advice_text, cases=WORLDS),
    "decided.txt": Table(text_of=decided_text, cases=DECIDED),
}
