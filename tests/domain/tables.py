"""Tables of reports and answers as short lines of values, for tests and golden tables.

A text of four words or more is the values in it alone, so that its words may change.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Any

from gpuplanner.domain.evidence.trace import Amount, Trace
from gpuplanner.domain.figures.typed import Written
from gpuplanner.domain.message import CAPITAL, Message
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.report import Column, Medium, Report

WORDS = 3
DATES = ("day", "short_day", "month", "moment")


def plain(value: Any) -> str:
    """A value as a test writes it: six digits of a number, `-` for unknown, of a longer text only its values."""
    match value:
        case None:
            return "-"
        case Written():
            return (
                iso_utc(int(value.value))[:10] if value.way in DATES and value.value else plain(value.value)
            )
        case Message():
            inside = [plain(part) for part in value.values.values() if str(part).strip(" ,;.:")]
            words = " ".join(filter(None, inside)) if value.values else plain(str(value))
            return words[:1].upper() + words[1:] if value.template == CAPITAL else words
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return f"{value:.6g}".replace("-0", "0") if value == 0 else f"{value:.6g}"
        case str():
            return value if len(value.split()) <= WORDS else "..."
        case PartSum():
            return f"{plain(value.total)} of {len(value.missing)}" if value.missing else plain(value.total)
        case dict():
            return "{" + " ".join(f"{name}={plain(part)}" for name, part in value.items()) + "}"
        case tuple() | list() | set() | frozenset():
            return "[" + " ".join(map(plain, value)) + "]"
    return plain(str(value))


def media_text(report: Report, about: Any, media: Sequence[Medium]) -> str:
    """Return the rows of a report in several media, under the names of its columns; media with the same rows once."""
    texts: list[str] = []
    shown: list[list[str]] = []
    for medium in media:
        rows = _row_lines(report, medium, about) if report.columns_in(medium) else []
        if rows and rows not in shown:
            shown.append(rows)
            columns = report.columns_of(medium, report.rows_in(medium, about))
            names = " | ".join(column.name for column in columns)
            texts += [f"{medium.value}: {names}".rstrip(" :"), *(f"  {row}".rstrip() for row in rows)]
    return "\n".join(texts)


def _row_lines(report: Report, medium: Medium, about: Any) -> list[str]:
    """Return the rows of a report in a medium, the rest and the total under them."""
    rows = report.rows_in(medium, about)
    under = [report.rest_in(medium, about), report.total_of(medium, about)]
    columns = report.columns_of(medium, rows)
    return [
        " | ".join(_cell(column, row) for column in columns)
        for row in (*rows, *(row for row in under if row is not None))
    ]


def _cell(column: Column, row: Any) -> str:
    """Return a value as a golden table has it; empty if a total has none."""
    try:
        value = column.of(row)
    except (AttributeError, KeyError):
        return ""
    if column.form == "date" and isinstance(value, int):
        return iso_utc(value)[:10]
    if value is None and (unknown := column.unknown_of(row)):
        if unknown.known.missing:
            return f"at least {plain(unknown.known.known)}"
        return plain(None if unknown.text == "\u2014" else unknown.text)
    return plain(value)


def answer_of(trace: Trace) -> str:
    """A trace: its value, formula and remarks; and its rows, with what each opens."""
    parts = [plain(trace.value), trace.unit, plain(trace.title), plain(trace.said_as)]
    parts += ["=", " ".join(_term(item) for item in trace.symbols), plain(trace.note)]
    parts += [f"at least {plain(trace.at_least)}"] if trace.at_least is not None else []
    parts += [f"({plain(words)} {plain(amount.value)})" for words, amount in trace.readings]
    parts += [f"-> {figure_id}" for _, figure_id in trace.more]
    lines = [" ".join(filter(None, parts))]
    for row in trace.rows:
        opened = f" -> {row.opens}" if row.opens else ""
        lines.append("  " + " | ".join((plain(row.name), *map(_term, row.values))) + opened)
    return "\n".join(line.rstrip() for line in lines).replace("\t", "~")


def _term(item: Any) -> str:
    return plain(item.value) if isinstance(item, Amount) else plain(item).strip()
