"""The beginning of every document, schema gpuplanner/1."""

from typing import Any, Final

from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.reports.report import entry, fields, named
from gpuplanner.version import __version__

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
