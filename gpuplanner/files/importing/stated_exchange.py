"""Exchange rates that a sheet states itself: proposed for its amounts, never used unasked."""

from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import Message, joined, worded, worded_both
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.layout import first_rows
from gpuplanner.files.tables.small_table import TableRead, worded_message
from gpuplanner.files.values.exchange_texts import exchange_stated
from gpuplanner.lazy_dataclass import replace

Value = TypeVar("Value", Contract, Offer)
FACT: Final = "stated_exchange"
"""The fact of a file whose sheet states exchange rates: by code, US dollars of one, and the ISO date (may be empty)."""


def with_stated_exchange(read: TableRead[Value], source: Source) -> TableRead[Value]:
    """The values of a sheet with the exchange rates that it states for their currencies, as a fact and as an issue."""
    lacking = {value.currency for value in read.values if value.exchange is None and value.quoted_rate}
    if not lacking:
        return read
    stated_rates: dict[str, tuple[int, str, ExchangeRate]] = {}
    delimiter = header_columns(source.head).delimiter or ","
    for line, cells in first_rows(source, delimiter):
        text = delimiter.join(filter(None, map(str.strip, cells)))
        stated = exchange_stated(text)
        if stated is not None and stated.code in lacking:
            stated_rates.setdefault(stated.code, (line, text, stated))
    if not stated_rates:
        return read
    facts = {code: [float(rate.usd_rate), rate.as_of] for code, (_, _, rate) in stated_rates.items()}
    words = [
        worded("the file states “{text}”", text=text.strip()[:60]) for _, text, _ in stated_rates.values()
    ]
    remedies = [_remedy(rate) for _, _, rate in stated_rates.values()]
    message = worded_message("other_currency", words, remedies)
    issue = Issue(
        "other_currency", len(stated_rates), min(line for line, _, _ in stated_rates.values()), message
    )
    kept = tuple(issue_kept for issue_kept in read.intake.issues if issue_kept.code != "other_currency")
    intake = replace(read.intake, facts=(*read.intake.facts, (FACT, facts)), issues=kept)
    return replace(read, intake=intake).with_issues((issue,))


def _remedy(rate: ExchangeRate) -> Message:
    """How to use a rate."""
    as_stated = joined((rate.code, "=", exact(rate.usd_rate), "@", rate.as_of or "YYYY-MM-DD"), "")
    return worded_both(
        "to use this rate: --fx {rate}", "to use this rate, enter it in Plan > Currency", rate=as_stated
    )
