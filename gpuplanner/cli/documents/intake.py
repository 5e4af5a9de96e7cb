"""Imported files as JSON, with the results of their rows."""

import math
from collections.abc import Sequence
from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.reports.report import Column, each, entry, fields, named


def _issues(file: FileIntake) -> list[Issue]:
    """Sorted by code, those of the whole file first."""
    return sorted(file.issues, key=lambda issue: (issue.code, issue.first_row or 0))


def _in_dollars(name: str) -> Column:
    """A number of what a file states; null where it is money of another currency."""
    return named(name, lambda row: getattr(row, name) if row.currency == USD else None)


_QUANTITY: Final = named("what", lambda row: row.quantity)
FILE: Final = fields(
    "path",
    "kind",
    "format",
    "rows_read",
    "rows_accepted",
    "rows_rejected",
    "rows_duplicate",
    "rows_ignored",
    each("issues", fields("code", "count", "first_row", "message"), _issues),
)
FILE_WITH_FACTS: Final = (
    *FILE,
    named("facts", lambda file: {name: _plain(value) for name, value in file.facts}),
    each(
        "reconciliation", fields(_QUANTITY, "subject", _in_dollars("stated"), _in_dollars("read"), "agrees")
    ),
)


def intake_document(files: Sequence[FileIntake]) -> Document:
    """The `intake` of every document: files in the order in which they were given."""
    return {"files": [entry(FILE, file) for file in files]}


def _plain(value: object) -> object:
    """A fact as JSON has it: what is no number, text or list is said in words; NaN and infinity are null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
