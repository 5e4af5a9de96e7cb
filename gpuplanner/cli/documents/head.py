"""How every document begins, schema gpuplanner/1; files and how their rows ended; and what was asked."""

import math
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.exchange import DOLLARS, USD, Currency
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.report import Column, each, entry, fields, named
from gpuplanner.version import __version__

if TYPE_CHECKING:  # most documents ask nothing
    from gpuplanner.domain.ask.numbers import Answered, Number

# --- How every document begins, schema gpuplanner/1: fields are never renamed or removed within a schema number

Document = dict[str, Any]

SCHEMA: Final = "gpuplanner/1"
CURRENCY: Final = fields(
    "code", named("usd_rate", lambda row: None if row.usd_rate is None else float(row.usd_rate)), "as_of"
)


def head(command: str, currency: Currency = DOLLARS) -> Document:
    """How every document begins; beside its US dollars stands what else is reported in, where that is not they.

    command: its name. A rate of exchange that nobody stated is null.
    """
    answer: Document = {"schema": SCHEMA, "command": command, "version": __version__}
    return answer if currency == DOLLARS else answer | {"currency": entry(CURRENCY, currency)}


# --- What stands inside every document about demand: files and how their rows ended; `demand_document` has the rest


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


# --- What was asked as JSON: how it was understood, the sentence, and its numbers with where a plan has them


def _value(number: "Number") -> object:
    """Dates as all dates of documents."""
    return iso_utc(int(number.value)) if number.unit == "date" and number.value is not None else number.value


def _name(number: "Number") -> str:
    """The field that it is."""
    return number.name or number.path.rpartition(".")[2].partition("[")[0]


NUMBER: Final = fields(
    named("name", _name), named("value", _value), "unit", named("path", lambda row: row.path or None)
)


def asked_document(
    question: str, answered: "Answered | None", sentence: Text, nearest: Sequence[str]
) -> Document:
    """answered: None where it was not understood."""
    return {
        "question": question,
        "understood": answered is not None,
        "form": None if answered is None else answered.form,
        "as": None if answered is None or answered.is_of_file else shlex.join(answered.as_words) or "plan",
        "sentence": str(sentence),
        "numbers": [] if answered is None else [entry(NUMBER, number) for number in answered.numbers],
        "nearest": list(nearest),
    }
