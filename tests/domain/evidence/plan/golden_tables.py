"""Answers about plans, as golden tables."""

from typing import Final

from tests.domain.evidence.asked_projects import tables_of

FOLDER: Final = "tables_evidence_plan"
TABLES: Final = tables_of("plan", "limited", "unpriced", "trials", "asked", "compared", "today")
