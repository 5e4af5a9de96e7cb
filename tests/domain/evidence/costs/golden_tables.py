"""Answers about costs of the past, as golden tables."""

from typing import Final

from tests.domain.evidence.asked_projects import tables_of

FOLDER: Final = "tables_evidence_costs"
TABLES: Final = tables_of("costs")
