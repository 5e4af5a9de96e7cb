"""Reports about prices and contracts, which are neither: known by the words of their headings, refused by name."""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables.headings import heading_text
from gpuplanner.lazy_re import lazy_re

_ENOUGH: Final = 2
"""Different words of reports in the headings: a price list may have one, such as `Recommended for`."""


class Report(NamedTuple):
    """What a file is, and what to give in its place; words: how many different words say so."""

    name: Message
    remedy: Message
    words: int


@cache
def _rows() -> tuple[tuple[str, Message, Message], ...]:
    """Patterns of words with what they name and what to give instead, the most telling first."""
    return tuple(
        (row["pattern"], worded(row["what"]), worded(row["remedy"])) for row in rows_of("report_words.csv")
    )


def report_of(headings: Iterable[str]) -> Report | None:
    """Return the report that headings are of; None without any of its words.

    >>> report_of(["Severity", "Recommendation", "Price"]).words, report_of(["GPU", "Price"])
    (2, None)
    """
    texts = [*map(heading_text, headings)]
    rows_found = [row for row in _rows() if any(lazy_re(row[0]).search(text) for text in texts)]
    return Report(rows_found[0][1], rows_found[0][2], len(rows_found)) if rows_found else None


def check_is_no_report(headings: Iterable[str], path: str, header_row: int, *, has_rate: bool) -> None:
    """Refuse a report that is given as a price list. Errors: PlannerError missing_column.

    has_rate: whether some column is a rate; then two words of reports are needed.
    """
    report = report_of(headings)
    if report is not None and (report.words >= _ENOUGH or not has_rate):
        problem = worded("it is {report}, not a price list", report=report.name)
        raise PlannerError(f"{path}:{header_row}", "missing_column", problem, report.remedy)
