"""Reports: rows, order, columns and notes, declared once for all media; and rows as JSON objects."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Final, Literal

from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.writing import Unit, half_up
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, largest_remainder
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Reports: rows, order, columns and notes. Renderers of each medium decide on the layout -------


class Medium(StrEnum):
    """Medium of a report. WORKBOOK: sheets whose figures come from the report."""

    WINDOW = "window"
    TERMINAL = "terminal"
    BRIEF = "brief"
    DOCUMENT = "document"
    WORKBOOK = "workbook"


Media = frozenset[Medium]
EVERYWHERE: Final[Media] = frozenset(Medium)
WINDOW: Final[Media] = frozenset((Medium.WINDOW,))
TERMINAL: Final[Media] = frozenset((Medium.TERMINAL,))
BRIEF: Final[Media] = frozenset((Medium.BRIEF,))
SHEET: Final[Media] = frozenset((Medium.WORKBOOK,))
DOCUMENT_ALONE: Final[Media] = frozenset((Medium.DOCUMENT,))

Form = Literal["value", "change", "bar", "part", "flag", "name", "aside", "date", "count"]
"""value: in its unit's format; change: with its sign; bar: drawn, where the medium draws; part: a bar for a
share of the whole, for money relative to the largest row; flag: words if true, otherwise blank; name: name of a row,
emphasized; aside: muted text; date: from epoch seconds;
count: a number in words, aligned like figures."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Text for a missing value. why: the reason. text: in place of a dash. known: known part of an amount."""

    why: Text
    text: Text = "\u2014"
    known: PartSum = NO_PARTS


@dataclass(frozen=True, eq=False, kw_only=True)
class Column:
    """A column: a figure of the row, or a text.

    figure: None for a text, which has its own title. key: of a text; for a figure, its field in documents if different
    ("stranded.audit_usd_per_month" is a nested field). flag: figure shown as a flag after the value. mark: share marked
    on a bar. value: path or function of the value, if not the field of that name. tip: full text for a name that is cut
    off. is_rare: hidden in lists for people if no row has a value. unknown: text for a missing value, if not the
    figure's. holds: fields of the JSON object in this column; of each object with is_list.
    """

    figure: Figure | None = None
    key: str = ""
    title: Text = ""
    media: Media = EVERYWHERE
    form: Form = "value"
    flag: Figure | None = None
    mark: Figure | None = None
    value: "Of | None" = None
    tip: Callable[[Any], Text] | None = None
    adds_up: bool = False
    is_in_full: bool = False
    is_rare: bool = False
    unknown: Callable[[Any], Unknown] | None = None
    holds: "Fields" = ()
    is_list: bool = False

    @property
    def name(self) -> str:
        """Field of a row for this column."""
        return self.figure.key if self.figure is not None else self.key

    @property
    def json_name(self) -> str:
        """Field of a document for this column."""
        return self.key or (self.figure.json_name if self.figure is not None else "")

    @cached_property
    def of(self) -> Callable[[Any], Any]:
        """Function for the value of a row: its field, or an entry of its `figures`; None is unknown."""
        return _field(self.name) if self.value is None else _getter(self.value)

    @cached_property
    def in_document(self) -> tuple[str, str, Callable[[Any], Any]]:
        """Field of a document, the field in it or nothing, and the function for the exact value of a row."""
        first, _, rest = self.json_name.partition(".")
        of = self.of
        if self.form != "date":
            return first, rest, of
        return first, rest, lambda row: None if (value := of(row)) is None else iso_utc(value)

    def unknown_of(self, row: Any) -> Unknown:
        """Return the text for a row without a value; empty for a missing text."""
        if self.unknown is not None:
            return self.unknown(row)
        return Unknown(self.figure.unknown if self.figure is not None else "")

    def heading(self, between: str, *, is_short: bool = False) -> Text:
        """Return the title, with the unit after `between` if values do not show it.

        is_short: the short title, unless the column is always in full.
        """
        if self.figure is None:
            return self.title
        return self.figure.heading(between, is_short=is_short and not self.is_in_full)


def text(
    key: str,
    title: Text,
    value: "Of | None" = None,
    media: Media = EVERYWHERE,
    form: Form = "value",
    tip: Callable[[Any], Text] | None = None,
    *,
    is_rare: bool = False,
) -> Column:
    """Return a column of texts with its own title. Parameters as for `Column`."""
    return Column(key=key, title=title, value=value, media=media, form=form, tip=tip, is_rare=is_rare)


@dataclass(frozen=True, eq=False, kw_only=True)
class Report:
    """A table about one kind of object.

    rows: return the rows from an audit or a plan; default: the argument itself. order: sort keys by medium, if not in
    the order of the rows. unit_once: a unit stated above the table instead of in its headings. key: of a row, as in
    figure ids. scope: the rest of these ids; scope_of: where it differs by row. total: return the row below all others,
    or None; shown in total_media. Columns that it has no value for are blank. total_why: kinds of figures that explain
    its values, by key, if not those of a row. media: of the report. limits: most rows by medium. rest: return one row
    for those left out. adds_up: money is rounded so that a column adds up to its rounded total.
    """

    title: Text
    rows: Callable[[Any], Sequence[Any]] = list
    key: Callable[[Any], str] = attrgetter("key")
    columns: tuple[Column, ...] = ()
    order: Mapping[Medium, Callable[[Any], Any]] = field(default_factory=dict)
    note: Text = ""
    scope: str = ""
    scope_of: Callable[[Any], str] | None = None
    total: Callable[[Any], Any | None] | None = None
    total_media: Media = EVERYWHERE
    total_why: Mapping[str, str] = field(default_factory=dict)
    unit_once: Unit | None = None
    media: Media = EVERYWHERE
    limits: Mapping[Medium, int] = field(default_factory=dict)
    rest: Callable[[Sequence[Any]], Any] | None = None
    adds_up: bool = False

    def with_columns(self, *columns: Column) -> "Report":
        """Return the report with these columns, in order."""
        return replace(self, columns=columns)

    def columns_in(self, medium: Medium) -> tuple[Column, ...]:
        """Return the columns of a medium, in order; none if the report is not in this medium."""
        return tuple(column for column in self.columns if medium in column.media & self.media)

    def columns_of(self, medium: Medium, rows: Sequence[Any]) -> tuple[Column, ...]:
        """Return the columns of a medium with a value in some row; rare columns without one are left out."""
        return tuple(
            column for column in self.columns_in(medium) if not column.is_rare or any(map(column.of, rows))
        )

    def column(self, name: str) -> Column:
        """Return the first column with this name. Errors: StopIteration."""
        return next(column for column in self.columns if column.name == name)

    def heading(self, column: Column, between: str, *, is_short: bool = False) -> Text:
        """Return the heading of a column, without the unit stated above the table.

        Law: equals `Column.heading` for every other column.
        """
        figure = column.figure
        if figure is not None and figure.unit is self.unit_once:
            return figure.short or figure.title
        return column.heading(between, is_short=is_short)

    def rows_in(self, medium: Medium, about: Any) -> list[Any]:
        """Return the rows in the order of a medium, up to its limit.

        about: argument of `rows`.
        """
        return self._parted(medium, about)[0]

    def rest_in(self, medium: Medium, about: Any) -> Any | None:
        """Return the row for those that a medium leaves out; None if it leaves none out, or has no such row.

        Law: together with `rows_in` it covers every row.
        """
        if self.rest is None or medium not in self.limits:
            return None
        left = self._parted(medium, about)[1]
        return self.rest(left) if left else None

    def _parted(self, medium: Medium, about: Any) -> tuple[list[Any], list[Any]]:
        """Return the listed and the remaining rows in a medium's order; a single remaining row is listed too."""
        rows, limit = list(self.rows(about)), self.limits.get(medium)
        if medium in self.order:
            rows.sort(key=self.order[medium])
        if limit is None or (self.rest is not None and len(rows) == limit + 1):
            return rows, []
        return rows[:limit], rows[limit:]

    def total_of(self, medium: Medium, about: Any) -> Any | None:
        """Return the row below all others; None without one."""
        return None if self.total is None or medium not in self.total_media else self.total(about)


def whole_amounts(report: Report, column: Column, rows: Sequence[Any]) -> list[int | None]:
    """Return a column of money in whole amounts; None stays unknown.

    If the report adds up, rounding differences go to the largest remainders; otherwise each amount is rounded alone.
    """
    values = [column.of(row) for row in rows]
    if report.adds_up:
        return largest_remainder(values)
    return [None if value is None else int(half_up(value, 0)) for value in values]


STEPS: Final = {"gpu_hours": 1, "share": 1000, "gpus": 10}
"""A column that adds up is rounded to whole GPU-hours, tenths of a percent or tenths of a GPU."""


def rounded_values(column: Column, rows: Sequence[Any]) -> list[Any]:
    """Return a column's values for display, rounded to add up to their total if the column does."""
    values = [column.of(row) for row in rows]
    if not column.adds_up or column.figure is None:
        return values
    steps = STEPS[column.figure.unit.key]
    return [
        None if whole is None else whole / steps
        for whole in largest_remainder([None if value is None else steps * value for value in values])
    ]


# --- Rows as JSON objects: by a report's columns, or by fields declared like columns --------------

Entry = dict[str, Any]
Fields = tuple[Column, ...]
"""Fields of an object, in order; other data of its row appear in no document."""
Of = str | Callable[[Any], Any]
"""Path of a value in a row ("pool.value": nested, None if missing), or a function of the row."""


def named(
    name: str | Figure, of: Of = "", form: Form = "value", holds: Fields = (), is_list: bool = False
) -> Column:
    """Return a field for documents, named as in JSON or after a figure.

    of: path or function of its value; default: the row's field of the same name. form: "date" for epoch seconds. holds,
    is_list: as for a column.

    >>> from datetime import date
    >>> entry((named("year"), named("in_month", "month")), date(2026, 1, 2))
    {'year': 2026, 'in_month': 1}
    """
    figure, key = (name, "") if isinstance(name, Figure) else (None, name)
    return Column(
        figure=figure,
        key=key,
        media=DOCUMENT_ALONE,
        value=of or None,
        form=form,
        holds=holds,
        is_list=is_list,
    )


def fields(*declared: str | Figure | Column) -> Fields:
    """Return fields in order; plain names are fields of the row."""
    return tuple(field if isinstance(field, Column) else named(field) for field in declared)


def of_part(part: str, *names: str) -> Fields:
    """Return fields of a part of the row, with the same names."""
    return tuple(named(name, f"{part}.{name}") for name in names)


def of_subject(subject: Subject, *keys: str, media: Media = DOCUMENT_ALONE, **shown: Any) -> Fields:
    """Return columns for a subject's figures, by key; only for documents unless media are given.

    shown: further arguments of `Column` for all of them.
    """
    return tuple(Column(figure=subject[key], media=media, **shown) for key in keys)


def inside(name: str, table: Fields, of: Of = "") -> Column:
    """Return a field with a nested object; null if the row has none."""
    getter = _getter(of or name)

    def value(row: Any) -> Entry | None:
        part = getter(row)
        return None if part is None else entry(table, part)

    return named(name, value, holds=table)


def each(name: str, table: Fields, of: Of = "") -> Column:
    """Return a field with a list of objects, in order."""
    getter = _getter(of or name)
    return named(name, lambda row: [entry(table, part) for part in getter(row)], holds=table, is_list=True)


def listed(name: str, report: Report, about: Of) -> Column:
    """Return a field with the rows of a report. about: path or function of the report's argument."""
    rows_of, table = _getter(about), report.columns_in(Medium.DOCUMENT)
    return named(name, lambda row: entries(report, rows_of(row)), holds=table, is_list=True)


def _getter(of: Of) -> Callable[[Any], Any]:
    """Return the function that gets a value from a row."""
    return _through(of) if isinstance(of, str) else of


@cache
def _field(name: str) -> Callable[[Any], Any]:
    return lambda row: getattr(row, name) if hasattr(row, name) else row.figures[name]


@cache
def _through(path: str) -> Callable[[Any], Any]:
    names = path.split(".")

    def value(row: Any) -> Any:
        for name in names:
            row = None if row is None else getattr(row, name)
        return row

    return value


def entries(report: Report, about: Any) -> list[Entry]:
    """Return the rows of a report for a document: exact values by the names in resources/json_fields.csv.

    about: argument of `rows`. Dates are ISO 8601; None is unknown.
    """
    columns = report.columns_in(Medium.DOCUMENT)
    return [entry(columns, row) for row in report.rows_in(Medium.DOCUMENT, about)]


def entry(columns: Iterable[Column], row: Any) -> Entry:
    """Return a row as an object with exact values; dates as ISO 8601, None is unknown.

    Law: its keys are the declared ones, in order; those with a dot are nested, one level deep, and a field cannot also
    have nested fields.
    """
    nested: Entry = {}
    for column in columns:
        first, rest, value_of = column.in_document
        if rest:
            nested.setdefault(first, {})[rest] = value_of(row)
        else:
            nested[first] = value_of(row)
    return nested
