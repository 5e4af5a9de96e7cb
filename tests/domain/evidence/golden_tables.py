"""Answers about the past, cash, waits and places, as golden tables."""

from typing import Final

from tests.domain.evidence.asked_projects import tables_of

FOLDER: Final = "tables_evidence"
TABLES: Final = tables_of("past", "mix", "cash", "months", "waiting", "sizing", "places")
