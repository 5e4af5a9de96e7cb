"""The past of random and crafted worlds: audit, unit costs, charges and what reports show beside, as golden tables."""

from typing import Final

from tests.domain.random_worlds import figures_text, reports_text
from tests.golden.tables import Table

FOLDER: Final = "tables_audit"
FIGURES: Final = (
    "nothing_on_demand",
    "quotes_needed",
    "spot_mix",
    "edge 7",
    "edge 9",
    "edge 17",
    "edge 18",
    "random 6",
    "new 2",
    "new 8",
    "new 22",
    "new 25",
    "new 30",
    "new 49",
    "edge 4 stated",
    "new 2 stated",
    "random 3 stated",
)
"""Worlds that reach every branch of the audit's figures."""
REPORTS: Final = (
    "nothing_on_demand",
    "edge 2",
    "edge 12",
    "random 6",
    "new 3",
    "new 30",
    "new 46",
    "new 2 stated",
)
"""Worlds that reach every branch of what reports show beside."""
TABLES: Final = {
    "figures.txt": Table(text_of=figures_text, cases=FIGURES),
    "reports.txt": Table(text_of=reports_text, cases=REPORTS),
}
