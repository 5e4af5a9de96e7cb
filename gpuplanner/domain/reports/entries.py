"""Rows as JSON objects: those of reports by their columns, others by fields that are declared as columns are."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, Column, Form, Medium, Report

Entry = dict[str, Any]
Fields = tuple[Column, ...]
"""What one object has, in its order. Law: whatever else its row has is in no document."""
Of = str | Callable[[Any], Any]
"""Where a value is: a field of the row ("pool.value": a field of its field), or a function of the row."""


def named(name: str | Figure, of: Of = "", form: Form = "value") -> Column:
    """One field of documents alone, called as JSON has it, or as a figure is called there.

    of: where its value is, the row's field of that name where empty. form: "date" of epoch seconds.

    >>> from datetime import date
    >>> entry((named("year"), named("in_month", "month")), date(2026, 1, 2))
    {'year': 2026, 'in_month': 1}
    """
    figure, key = (name, "") if isinstance(name, Figure) else (None, name)
    value = _found(of) if of else None
    return Column(figure, key, media=DOCUMENT_ALONE, value=value, form=form)


def fields(*declared: str | Figure | Column) -> Fields:
    """Fields in their order; those that are named alone, the row has under the same name."""
    return tuple(one if isinstance(one, Column) else named(one) for one in declared)


def inside(name: str, table: Fields, of: Of = "") -> Column:
    """A field that holds an object; null where the row has none."""
    found = _found(of or name)

    def value(row: Any) -> Entry | None:
        one = found(row)
        return None if one is None else entry(table, one)

    return named(name, value)


def each(name: str, table: Fields, of: Of = "") -> Column:
    """A field that holds an object for each of several, in their order."""
    found = _found(of or name)
    return named(name, lambda row: [entry(table, one) for one in found(row)])


def _found(of: Of) -> Callable[[Any], Any]:
    """What finds a value in a row."""
    return attrgetter(of) if isinstance(of, str) else of


def entries(report: Report, about: Any) -> list[Entry]:
    """The rows of a report as a document has them: exact values under the names that docs/interface.md gives them.

    about: what is reported on. Dates are ISO 8601; None is unknown.
    """
    columns = report.columns_in(Medium.DOCUMENT)
    return [entry(columns, row) for row in report.rows_in(Medium.DOCUMENT, about)]


def entry(columns: Iterable[Column], row: Any) -> Entry:
    """One row as an object: exact values, only dates are written. None is unknown.

    Law: its keys are those that are declared, in their order.
    """
    return _nested({column.json_name: _exact(column, row) for column in columns})


def _nested(flat: Mapping[str, Any]) -> Entry:
    """Fields whose names have a dot, as fields of a field.

    One level alone; a field and fields of it cannot stand side by side.

    >>> _nested({"name": "main", "stranded.audit": 1, "stranded.metered": 2})
    {'name': 'main', 'stranded': {'audit': 1, 'metered': 2}}
    """
    found: Entry = {}
    for name, value in flat.items():
        first, _, rest = name.partition(".")
        if rest:
            found.setdefault(first, {})[rest] = value
        else:
            found[name] = value
    return found


def _exact(column: Column, row: Any) -> Any:
    """A value as a document has it."""
    value = column.of(row)
    return iso_utc(value) if column.form == "date" and value is not None else value
