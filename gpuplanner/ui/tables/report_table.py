"""A report as a table of the window: bars, flags as triangles, whole money, and figures to ask about."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.evidence.trace import figure as figure_id
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.use import FLAG_PERCENT
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.amounts import PartSum, lacking_sentences
from gpuplanner.domain.reports.report import Column, Medium, Report, rounded_values, whole_amounts
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.tables.cells import Bar, Cell, Filled, Row, written
from gpuplanner.ui.tables.cells import Column as TableColumn
from gpuplanner.ui.words import numbers

Looks = Mapping[str, dict[str, Any]]
"""By a column's name the fields of a column of the window that are other ones than the report's."""
NO_LOOKS: Final[Looks] = MappingProxyType({})

BAR_PX: Final = 120
PART_PX: Final = 92
SHORT_BAR_PX: Final = 54
FLAG: Final = FLAG_PERCENT / 100
SCALE: Final = ((0.0, "0"), (FLAG, f"{FLAG_PERCENT}"), (1.0, "100%"))
MARKS: Final = worded("Solid: 40% flag. Dashed: break-even.")


@dataclass(frozen=True, slots=True)
class Named:
    """What the window calls a row: words, an icon, and the palette role of that and of its bars."""

    words: str
    icon: str
    role: str


def table_columns(
    report: Report, looks: Looks = NO_LOOKS, *, left_out: str | None = None, are_bars_short: bool = False
) -> tuple[TableColumn, ...]:
    """The columns of a report with their units on a line of their own, but for the one that has no room.

    are_bars_short: bars without title and flag.
    """
    return tuple(
        TableColumn(**_fields(column, are_bars_short=are_bars_short) | looks.get(column.name, {}))
        for column in report.columns_in(Medium.WINDOW)
        if column.name != left_out
    )


def filled_columns(report: Report, looks: Looks) -> tuple[Filled[Any], ...]:
    """The columns of a report that are named, with what fills their cells here."""
    shown = (column for column in report.columns_in(Medium.WINDOW) if column.name in looks)
    return tuple(Filled(**_fields(column) | looks[column.name]) for column in shown)


def _fields(column: Column, *, are_bars_short: bool = False) -> dict[str, Any]:
    """A column of a report as fields of one of the window: parts and bars have widths of their own."""
    if column.form == "part":
        return {"title": "", "is_figure": False, "width": PART_PX}
    if column.form != "bar":
        is_right = column.figure is not None or column.form == "count"
        title, is_aside = column.heading("\n", is_short=True), column.form == "aside"
        return {"title": title, "is_figure": is_right, "is_cut_at_end": is_aside}
    if are_bars_short:
        return {"title": "", "is_figure": False, "width": SHORT_BAR_PX, "scale": (SCALE[0], SCALE[-1])}
    title = joined((column.heading("", is_short=True), "\n "))
    return {"title": title, "is_figure": False, "width": BAR_PX, "scale": SCALE}


def table_rows(
    report: Report, about: Any, *, are_opened: bool = False, named: Callable[[Any], Named] | None = None
) -> tuple[Row, ...]:
    """The rows of a report in the window's order, and its total. Every value that is known can be asked about.

    are_opened: a row has the report's key of it, and can be chosen. named: of a row, where its name is more than words.
    """
    rows, columns = report.rows_in(Medium.WINDOW, about), report.columns_in(Medium.WINDOW)
    cells = [_cells(report, column, rows, named) for column in columns]
    keys = [report.key(row) if are_opened else "" for row in rows]
    of_window = [Row(tuple(of_row), key=key) for key, *of_row in zip(keys, *cells, strict=True)]
    if (total := report.total_of(Medium.WINDOW, about)) is not None:
        of_total = tuple(_total_cell(report, column, total) for column in columns)
        of_window.append(Row(of_total, is_total=True, key=report.key(total) if are_opened else ""))
    return tuple(of_window)


def _cells(
    report: Report, column: Column, rows: Sequence[Any], named: Callable[[Any], Named] | None
) -> list[Cell]:
    """The cells of a column over all rows; dollars are rounded so that they add up to the total."""
    if (figure := column.figure) is None:
        return [_text_cell(column, row, named) for row in rows]
    if column.form == "bar":
        return [_bar_cell(column, row) for row in rows]
    if column.form == "part":
        return _part_cells(column, rows, named)
    if figure.unit.key == "usd":
        return [
            _money_cell(report, column, figure, row, whole)
            for row, whole in zip(rows, whole_amounts(report, column, rows), strict=True)
        ]
    written = rounded_values(column, rows)
    return [_value_cell(report, column, figure, row, value) for row, value in zip(rows, written, strict=True)]


def _last_figure(report: Report) -> Column:
    """The last column that is a figure, whose dollars stand out."""
    return [column for column in report.columns_in(Medium.WINDOW) if column.figure is not None][-1]


def _total_cell(report: Report, column: Column, total: Any) -> Cell:
    """A value of the row under all rows: as of a row or, where it has figures of its own, as they are opened."""
    if not report.total_why:
        return _cells(report, column, (total,), None)[0]
    value: Any = getattr(total, column.name, "")
    if (figure := column.figure) is None or column.form != "value" or value == "":
        return Cell(text=value if figure is None else "")
    kind = "" if value is None else report.total_why.get(column.name, "")
    is_sum = isinstance(value, PartSum)
    if is_sum:
        tip = lacking_sentences(value)
    elif value is None:
        tip = figure.unknown
    else:
        tip = ""
    return Cell(
        text=numbers.sum_of(value, numbers.whole) if is_sum else numbers.of_unit(value, figure.unit.key),
        tip=tip,
        figure_id=figure_id(kind) if kind else "",
    )


def _part_cells(column: Column, rows: Sequence[Any], named: Callable[[Any], Named] | None) -> list[Cell]:
    """Bars of shares on a track; of money as long as it is beside the largest."""
    assert column.figure is not None
    values, is_share = [column.of(row) for row in rows], column.figure.unit.key == "share"
    whole = 1.0 if is_share else max((value or 0.0 for value in values), default=0.0)
    return [
        Cell(
            bar=None
            if value is None or not (is_share or value)
            else Bar(share=value / whole, role=named(row).role if named else "neutral", has_track=is_share)
        )
        for row, value in zip(rows, values, strict=True)
    ]


def _money_cell(report: Report, column: Column, figure: Figure, row: Any, whole: int | None) -> Cell:
    """Whole dollars with the cents in the tip; a dash where they are unknown."""
    if whole is None:
        return _unknown_cell(column, row)
    return Cell(
        text=numbers.change(whole) if column.form == "change" else numbers.whole(float(whole)),
        is_strong=column is _last_figure(report),
        tip=numbers.cents(column.of(row)),
        figure_id=_asks(report, figure, row),
        value=column.of(row),
    )


def _unknown_cell(column: Column, row: Any) -> Cell:
    """A cell of an unknown figure, with the reason as its tip."""
    unknown = column.unknown_of(row)
    text = numbers.sum_of(unknown.known, numbers.whole) if unknown.known.is_at_least else unknown.text
    return Cell(
        text=text, role="muted" if text == unknown.text != numbers.UNKNOWN else "text", tip=unknown.why
    )


def _text_cell(column: Column, row: Any, named: Callable[[Any], Named] | None) -> Cell:
    """A date, a name with icon, or plain words."""
    if column.form == "date":
        return written(numbers.short_date, column.of(row), "muted")
    if column.form == "name" and named is not None:
        name = named(row)
        return Cell(text=name.words, is_strong=True, icon=name.icon, icon_role=name.role)
    tip = "" if column.tip is None else column.tip(row)
    if isinstance(tip, Message):  # a sentence of the domain; names stay as they are
        tip = spoken(tip)
    role = "muted" if column.form == "aside" else "text"
    return Cell(text=column.of(row), role=role, is_strong=column.form == "name", tip=tip)


def _bar_cell(column: Column, row: Any) -> Cell:
    """A share as a bar, amber where its row is flagged; empty where it is unknown."""
    if (share := column.of(row)) is None:
        return Cell(tip=MARKS if column.unknown is None else column.unknown(row).why)
    role = "amber" if _is_flagged(column, row) else "neutral"
    mark = None if column.mark is None else getattr(row, column.mark.key)
    return Cell(bar=Bar(share=share, role=role, solid_mark=FLAG, dashed_mark=mark), tip=MARKS)


def _value_cell(report: Report, column: Column, figure: Figure, row: Any, value: float | None) -> Cell:
    """value: as it is rounded."""
    if value is None:
        return _unknown_cell(column, row)
    flag = column.flag if _is_flagged(column, row) else None
    if flag is not None:
        tip = flag.glossary
    elif column.tip is not None:
        tip = spoken(column.tip(row))
    else:
        tip = ""
    return Cell(
        text=numbers.change(value) if column.form == "change" else numbers.of_unit(value, figure.unit.key),
        icon="" if flag is None else "triangle",
        icon_role="amber" if column.flag is not None else "muted",
        tip=tip,
        figure_id=_asks(report, figure, row),
        value=column.of(row),
    )


def _is_flagged(column: Column, row: Any) -> bool:
    """Whether the row has this column's flag."""
    return column.flag is not None and bool(getattr(row, column.flag.key))


def _asks(report: Report, figure: Figure, row: Any) -> str:
    """The figure's id for this row; empty for figures that answer nothing."""
    if not figure.why:
        return ""
    scope = report.scope if report.scope_of is None else report.scope_of(row)
    return figure_id(figure.why, report.key(row), figure.why_scope or scope)
