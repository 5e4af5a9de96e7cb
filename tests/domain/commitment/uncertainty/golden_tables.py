"""Outlooks of random and crafted worlds, as golden tables."""

from typing import Final

from tests.domain.random_worlds import outlook_text
from tests.golden.tables import Table

FOLDER: Final = "tables_commitment_uncertainty"
WORLDS: Final = (
    "nothing_on_demand",
    "over_512_slices",
    "untyped_cluster",
    "new 0",
    "new 2",
    "new 6",
    "new 11",
    "new 15",
    "new 16",
    "new 22",
    "new 44",
    "new 47",
    "edge 4 stated",
    "new 11 stated",
)
"""Worlds that reach every branch of this room that an outlook reaches."""
TABLES: Final = {"outlooks.txt": Table(text_of=outlook_text, cases=WORLDS)}
