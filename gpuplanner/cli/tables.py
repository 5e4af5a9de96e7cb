"""Tables in a terminal: aligned, with units in the headings and whole dollars; and reports as such tables."""

from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.cli.terminal import LAYOUT, table
from gpuplanner.domain.ask.numbers import dated
from gpuplanner.domain.figures.writing import ENGLISH, UNKNOWN
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import PartSum, largest_remainder
from gpuplanner.domain.reports.report import Column, Medium, Report, whole_amounts
from gpuplanner.lazy_dataclass import replace

dollars, percent, signed = ENGLISH.whole, ENGLISH.percent, ENGLISH.change
WHOLE_FROM: Final = 100
"""GPU-hours of a table from which on they are written whole."""


def dollars_of(of: PartSum) -> str:
    """The dollars of a sum; `at least 1,234` where a part of it has no price, a dash where none has.

    >>> dollars_of(PartSum(1234.0, 2, ("B",))), dollars_of(PartSum(1234.0, 2))
    ('at least 1,234', '1,234')
    """
    return f"at least {dollars(of.known)}" if of.is_at_least else dollars(of.total)


def gpu_hours_column(amounts: Sequence[float]) -> list[str]:
    """GPU-hours, and last their total: whole ones that add up to it; to four decimals where all are a few jobs.

    >>> gpu_hours_column([60.5, 60.5]), gpu_hours_column([0.5])
    (['61', '60', '121'], ['0.5000', '0.5000'])
    """
    total = sum(amounts)
    if 0 < total < WHOLE_FROM:
        return [ENGLISH.number(amount, 4) for amount in (*amounts, total)]
    return [ENGLISH.whole(amount) for amount in (*largest_remainder(amounts), round(total))]


def cluster_name(name: str) -> str:
    """The name of a cluster; of jobs that name none, words for it."""
    return name or "(no cluster)"


def listed_rows(report: Report, about: Any) -> Sequence[Any]:
    """Return the rows of a report that the terminal lists. about: as of `report_text`."""
    if top := LAYOUT.get().top:
        top += len(report.rows(about)) == top + 1  # a row alone takes no more lines than its count
        report = replace(report, limits={Medium.TERMINAL: top})
    return report.rows_in(Medium.TERMINAL, about)


def report_text(report: Report, about: Any) -> str:
    """The table under its headings, its total last, and how many rows more there are.

    about: what is reported on. Rows that the terminal does not list are counted below.
    """
    rows = listed_rows(report, about)
    columns = report.columns_of(Medium.TERMINAL, rows)
    more = len(report.rows(about)) - len(rows)
    total = None if more else report.total_of(Medium.TERMINAL, about)
    cells = [_cells(report, column, rows, total) for column in columns]
    left = next((at for at, column in enumerate(columns) if _is_right(column)), len(columns))
    if len(rows) > ROWS_OF_DASHES and {UNKNOWN} == {cell for column in cells[left:] for cell in column}:
        return f"  Unknown in all {len(rows)} rows"
    headings = [str(report.heading(column, ", ", is_short=True)).replace("\n", " ") for column in columns]
    rest = f"\n  and {more:,} more: --top {more + len(rows)}" if more else ""
    return table(headings, list(zip(*cells, strict=True)), left=left) + rest


def _is_right(column: Column) -> bool:
    """Figures and dates are aligned at the right."""
    return column.figure is not None or column.form == "date"


def _cells(report: Report, column: Column, rows: Sequence[Any], total: Any | None) -> list[str]:
    """A column, its total last where there is one."""
    if total is None and _are_few_hours(column, rows):
        return _of_rows(report, column, rows)
    cells = _of_rows(report, column, rows) if report.adds_up else _alone(report, column, rows)
    return cells if total is None else [*cells, _of_total(report, column, rows, total)]


def _are_few_hours(column: Column, rows: Sequence[Any]) -> bool:
    """GPU-hours of a few jobs, which are not written whole."""
    if column.figure is None or column.figure.unit.key != "gpu_hours":
        return False
    return sum(amount for row in rows if isinstance(amount := column.of(row), float | int)) < WHOLE_FROM


def _alone(report: Report, column: Column, rows: Sequence[Any]) -> list[str]:
    """Cells of rows that overlap: each is rounded for itself."""
    if column.figure is not None and column.figure.unit.key == "gpu_hours":
        return [_value(column, row) for row in rows]
    return _of_rows(report, column, rows)


def _of_rows(report: Report, column: Column, rows: Sequence[Any]) -> list[str]:
    """Cells of rows; money and GPU-hours add up to their rounded totals."""
    if column.figure is None:
        return [_text(column, row) for row in rows]
    if column.figure.unit.key == "usd":
        return [
            _unknown(column, row) if amount is None else _money(column, amount)
            for row, amount in zip(rows, whole_amounts(report, column, rows), strict=True)
        ]
    if column.figure.unit.key == "gpu_hours":
        return _column_of_gpu_hours(column, rows)[:-1]
    return [_value(column, row) for row in rows]


def _of_total(report: Report, column: Column, rows: Sequence[Any], total: Any) -> str:
    """The cell under a column; blank where the total has no such field, for itself where rows overlap."""
    if column.figure is None:
        return str(getattr(total, column.name))
    if not hasattr(total, column.name):
        return ""
    value = getattr(total, column.name)
    if value is None:
        return UNKNOWN
    if isinstance(value, PartSum):
        return dollars_of(value)
    if column.figure.unit.key == "usd":
        return _money(column, value)
    if column.figure.unit.key == "count":
        return ENGLISH.whole(value)
    if column.figure.unit.key != "gpu_hours":
        return percent(value)
    return _column_of_gpu_hours(column, rows)[-1] if report.adds_up else ENGLISH.whole(value)


def _money(column: Column, amount: float | None) -> str:
    """Whole money; of a change with its sign."""
    return signed(amount) if column.form == "change" else dollars(amount)


def _column_of_gpu_hours(column: Column, rows: Sequence[Any]) -> list[str]:
    """GPU-hours of rows and, last, of all of them; a dash where one is unknown."""
    amounts = [getattr(row, column.name, column.of(row)) for row in rows]
    texts = gpu_hours_column([amount for amount in amounts if amount is not None])
    known = iter(texts[:-1])
    cells = [UNKNOWN if amount is None else next(known) for amount in amounts]
    shown = [UNKNOWN if column.of(row) is None else cell for row, cell in zip(rows, cells, strict=True)]
    return [*shown, texts[-1]]


def _text(column: Column, row: Any) -> str:
    """A text or a date; a dash where it is unknown."""
    value = column.of(row)
    if column.form == "date" and isinstance(value, int):
        return str(dated(value))
    if value is None:
        return UNKNOWN
    return cluster_name(value) if column.key == "cluster" else str(value)


def _unknown(column: Column, row: Any) -> str:
    """What stands where a value is unknown: of money what it is at least."""
    unknown = column.unknown_of(row)
    return dollars_of(unknown.known) if unknown.known.is_at_least else str(unknown.text)


def _value(column: Column, row: Any) -> str:
    """A figure as its unit is written, with a star where the row is flagged."""
    value, figure = column.of(row), column.figure
    assert figure is not None
    if value is None:
        return _unknown(column, row)
    if isinstance(value, Message | str):
        return str(value)
    return ENGLISH.of_unit(value, figure.unit.key) + (
        " *" if column.flag is not None and getattr(row, column.flag.key) else ""
    )


ROWS_OF_DASHES: Final = 3
"""So many rows of which nothing is known are listed all the same."""
