"""A report, declared once: its rows, their order, its columns and notes; and its rows as JSON objects."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal

from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.writing import Unit, half_up
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, largest_remainder
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- A report, declared once: its rows, their order, its columns and notes. Renderers of each medium know how it looks


class Medium(StrEnum):
    """Where a report is read. WORKBOOK: figures of sheets that take them from the report."""

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
"""value: as its unit is written; change: the same with its sign; bar: drawn, where the medium draws; part: a bar of a
share of the whole, of money beside the largest row's; flag: words where it holds, else nothing; name: what a row is
called, where it shall stand out; aside: a text of less weight; date: of epoch seconds;
count: words for a number, which stand under each other as figures do."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What stands where a row has no value, and why it has none. text: instead of a dash; known: of money what is."""

    why: Text
    text: Text = "\u2014"
    known: PartSum = NO_PARTS


@dataclass(frozen=True, eq=False)
class Column:
    """One column: a figure of the row, or a text.

    figure: None for a text, which has a title of its own. key: of a text; of a figure what documents call it here,
    where that is not its name ("stranded.audit_usd_per_month" is a field of a field). flag: key of the figure that
    stands as a flag beside the value; mark: key of a share that is marked on a bar. value: what a row has here, where
    it is not its field of that name: a number, or words for it. tip: what stands behind a name that is cut off.
    is_rare: left out by who lists rows for people where none has any of it. unknown: of a row without a value here,
    where that is not what its figure says. holds: fields of the object that documents have here, of each of several
    where is_list.
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
        """The field of a row that it shows."""
        return self.figure.key if self.figure is not None else self.key

    @property
    def json_name(self) -> str:
        """The field of a document that it is."""
        return self.key or (self.figure.json_name if self.figure is not None else "")

    def of(self, row: Any) -> Any:
        """What a row has in this column: its field, or one of its figures that have none; None is unknown."""
        if self.value is not None:
            return _getter(self.value)(row)
        return getattr(row, self.name) if hasattr(row, self.name) else row.figures[self.name]

    def unknown_of(self, row: Any) -> Unknown:
        """What stands in a row that has no value here.

        A text that is not there has nothing to say.
        """
        if self.unknown is not None:
            return self.unknown(row)
        return Unknown(self.figure.unknown if self.figure is not None else "")

    def heading(self, between: str, *, is_short: bool = False) -> Text:
        """What it is called, with its unit after `between` where values do not carry it.

        is_short: the short title, but where the column is always in full.
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
    """A column that is no figure, under a title of its own. Arguments are as of `Column`."""
    return Column(key=key, title=title, value=value, media=media, form=form, tip=tip, is_rare=is_rare)


@dataclass(frozen=True, eq=False)
class Report:
    """A table about one kind of thing.

    rows: of what is reported on (an audit, a plan; itself where it is rows); order: sort keys by medium, where it is
    not that of the rows.
    unit_once: said over the table, not in its headings. key: of a row, as ids of figures name it; scope: the rest of
    these ids, scope_of: where it differs by row. total: the row under all of them, None without one, in total_media; a
    column that it has not is blank there; total_why: kinds of figures that open its values, by key, where they are not
    those of a row. media: where it is read; limits: how many rows a medium lists at most; rest: a row for those that it
    leaves out. adds_up: money is rounded so that a column adds up to its rounded total.
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
        """The same with these columns, in their order."""
        return replace(self, columns=columns)

    def columns_in(self, medium: Medium) -> tuple[Column, ...]:
        """The columns that a medium has; none where the report is not read there.

        In the order of the report.
        """
        return tuple(column for column in self.columns if medium in column.media & self.media)

    def columns_of(self, medium: Medium, rows: Sequence[Any]) -> tuple[Column, ...]:
        """The columns of a medium that have something to say of some rows: no rare one that is nothing in all."""
        return tuple(
            column for column in self.columns_in(medium) if not column.is_rare or any(map(column.of, rows))
        )

    def column(self, name: str) -> Column:
        """The first column of that name. Errors: StopIteration."""
        return next(column for column in self.columns if column.name == name)

    def heading(self, column: Column, between: str, *, is_short: bool = False) -> Text:
        """What a column is called, without a unit that is said over the table.

        Law: for every other column what `Column.heading` says.
        """
        figure = column.figure
        if figure is not None and figure.unit is self.unit_once:
            return figure.short or figure.title
        return column.heading(between, is_short=is_short)

    def rows_in(self, medium: Medium, about: Any) -> list[Any]:
        """The rows in the order of a medium, the first ones where it lists no more.

        about: what is reported on, as `rows` takes it. Without an order for the medium, that of the rows.
        """
        return self._parted(medium, about)[0]

    def rest_in(self, medium: Medium, about: Any) -> Any | None:
        """The row for those that a medium leaves out; None where it leaves none out, or says so otherwise.

        Law: with `rows_in` it stands for every row.
        """
        if self.rest is None or medium not in self.limits:
            return None
        left = self._parted(medium, about)[1]
        return self.rest(left) if left else None

    def _parted(self, medium: Medium, about: Any) -> tuple[list[Any], list[Any]]:
        """All rows in a medium's order: those that it lists, and the others. A row alone is no rest: it is listed."""
        rows, limit = list(self.rows(about)), self.limits.get(medium)
        if medium in self.order:
            rows.sort(key=self.order[medium])
        if limit is None or (self.rest is not None and len(rows) == limit + 1):
            return rows, []
        return rows[:limit], rows[limit:]

    def total_of(self, medium: Medium, about: Any) -> Any | None:
        """The row under all rows; None where there is none."""
        return None if self.total is None or medium not in self.total_media else self.total(about)


def whole_amounts(report: Report, column: Column, rows: Sequence[Any]) -> list[int | None]:
    """A column of money in whole amounts, as the report rounds them; what is unknown stays so.

    Where the column adds up to its rounded total, what rounding leaves goes to the largest remainders; else
    each is rounded by itself.
    """
    values = [column.of(row) for row in rows]
    if report.adds_up:
        return largest_remainder(values)
    return [None if value is None else int(half_up(value, 0)) for value in values]


STEPS: Final = {"gpu_hours": 1, "share": 1000, "gpus": 10}
"""Values of a column that adds up are rounded to whole GPU-hours, tenths of a percent, tenths of a GPU."""


def rounded_values(column: Column, rows: Sequence[Any]) -> list[Any]:
    """A column's values as they are to be written; where it adds up, rounded so that they come to their total."""
    values = [column.of(row) for row in rows]
    if not column.adds_up or column.figure is None:
        return values
    steps = STEPS[column.figure.unit.key]
    return [
        None if whole is None else whole / steps
        for whole in largest_remainder([None if value is None else steps * value for value in values])
    ]


# --- Rows as JSON objects: those of reports by their columns, others by fields that are declared as columns are

Entry = dict[str, Any]
Fields = tuple[Column, ...]
"""What one object has, in its order. Law: whatever else its row has is in no document."""
Of = str | Callable[[Any], Any]
"""Where a value is: a field of the row ("pool.value": a field of its field, None without one), or a function of it."""


def named(
    name: str | Figure, of: Of = "", form: Form = "value", holds: Fields = (), is_list: bool = False
) -> Column:
    """One field of documents alone, called as JSON has it, or as a figure is called there.

    of: where its value is, the row's field of that name where empty. form: "date" of epoch seconds. holds,
    is_list: as of a column.

    >>> from datetime import date
    >>> entry((named("year"), named("in_month", "month")), date(2026, 1, 2))
    {'year': 2026, 'in_month': 1}
    """
    figure, key = (name, "") if isinstance(name, Figure) else (None, name)
    return Column(
        figure, key, media=DOCUMENT_ALONE, value=of or None, form=form, holds=holds, is_list=is_list
    )


def fields(*declared: str | Figure | Column) -> Fields:
    """Fields in their order; those that are named alone, the row has under the same name."""
    return tuple(field if isinstance(field, Column) else named(field) for field in declared)


def of_part(part: str, *names: str) -> Fields:
    """Fields that a part of the row has, called as there."""
    return tuple(named(name, f"{part}.{name}") for name in names)


def of_subject(subject: Subject, *keys: str, media: Media = DOCUMENT_ALONE, **shown: Any) -> Fields:
    """Columns of figures that a subject has, by their keys; of documents alone where no media are named.

    shown: what else these columns have alike, as of `Column`.
    """
    return tuple(Column(subject[key], media=media, **shown) for key in keys)


def inside(name: str, table: Fields, of: Of = "") -> Column:
    """A field that holds an object; null where the row has none."""
    getter = _getter(of or name)

    def value(row: Any) -> Entry | None:
        part = getter(row)
        return None if part is None else entry(table, part)

    return named(name, value, holds=table)


def each(name: str, table: Fields, of: Of = "") -> Column:
    """A field that holds an object for each of several, in their order."""
    getter = _getter(of or name)
    return named(name, lambda row: [entry(table, part) for part in getter(row)], holds=table, is_list=True)


def listed(name: str, report: Report, about: Of) -> Column:
    """A field that holds the rows of a report. about: what is reported on, as `rows` takes it."""
    rows_of, table = _getter(about), report.columns_in(Medium.DOCUMENT)
    return named(name, lambda row: entries(report, rows_of(row)), holds=table, is_list=True)


def _getter(of: Of) -> Callable[[Any], Any]:
    """What finds a value in a row."""
    return _through(of) if isinstance(of, str) else of


@cache
def _through(path: str) -> Callable[[Any], Any]:
    names = path.split(".")

    def value(row: Any) -> Any:
        for name in names:
            row = None if row is None else getattr(row, name)
        return row

    return value


def entries(report: Report, about: Any) -> list[Entry]:
    """The rows of a report as a document has them: exact values under the names of resources/json_fields.csv.

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
    nested: Entry = {}
    for name, value in flat.items():
        first, _, rest = name.partition(".")
        if rest:
            nested.setdefault(first, {})[rest] = value
        else:
            nested[name] = value
    return nested


def _exact(column: Column, row: Any) -> Any:
    """A value as a document has it."""
    value = column.of(row)
    return iso_utc(value) if column.form == "date" and value is not None else value
