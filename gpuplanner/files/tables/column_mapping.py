"""A mapping: which column of a table is which field, in what unit, how its dates and money are written."""

import csv
import io
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, Issue
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.system.resources import words_table
from gpuplanner.files.tables.fields import ACTIVITY, DURATION, JOB_FIELDS, JOB_HOLDS, STYLED, UNITS, Holds
from gpuplanner.files.values.gpu_names import MILLI_PER
from gpuplanner.files.values.numbers import CODES, COMMA, HOURS_OF_PERIOD, POINT, STYLES
from gpuplanner.files.values.written_dates import (
    DAY_FIRST,
    MONTH_FIRST,
    MONTHS,
    NO_YEAR,
    SECONDS_PER,
    SERIAL,
    YEARS,
)
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.lazy_re import lazy_re

# --- A mapping: which column of a table is which field, and in what unit. The words FIELD=COLUMN:UNIT, as a value

KEPT_AS: Final = {ACTIVITY: "activity", "class": "label", DURATION: "elapsed"}
"""What fields of a job are called inside, where it is not as in a heading of ours."""

MAPPED_FIELDS: Final = {field.name: KEPT_AS.get(field.name, field.name) for field in JOB_FIELDS}
"""Field names that --map takes, and what they are called inside."""

UNITS_OF: Final = {name: UNITS[holds] for name, holds in JOB_HOLDS.items() if holds in UNITS}
"""The units of a field of a job; one that is not here is text or a count."""

UNIT_TITLES: Final = {"iso": joined(("ISO 8601",)), **words_table("unit_title")}
"""What each unit is called for a reader."""

LONGEST_LOG_S: Final = 20 * 8766 * 3600
"""20 years: of lengths that make a log longer the unit is another."""


def smaller_length(unit: str) -> str:
    """The next smaller unit of a length; empty where there is none.

    >>> smaller_length("h"), smaller_length("ms")
    ('min', '')
    """
    return {"d": "h", "h": "min", "min": "s", "s": "ms"}.get(unit, "")


NUMBERS: Final = tuple(name for name, holds in JOB_HOLDS.items() if holds in STYLED)
"""Fields whose unit may end in how its numbers are written: `h:comma`, or `comma` alone."""

_ALSO_TAKEN: Final = dict.fromkeys((Holds.TIME, Holds.LENGTH), tuple(SECONDS_PER))
_UNIT: Final = lazy_re(r"\w{1,12}")
_NUMBERED: Final = lazy_re(r"(?i)(?:#|column\s*)(\d{1,4})")


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """One field and the column it is read from.

    column: its heading; unit: of a job's field (UNITS_OF), a price (gpu_hour, hour, gpu_month, ...: HOURS_OF_UNIT) or
    a term (months, years); style: point or comma of numbers; dmy, mdy or serial of dates; empty where nothing has to
    be decided. currency: that of the heading, empty is USD. confidence 0..1; why and note: words.
    is_asked: its unit is the likelier of two, which the note says.
    """

    field: str
    column: str
    unit: str = ""
    style: str = ""
    currency: str = ""
    confidence: float = 1.0
    why: Message = NO_WORDS
    note: Message = NO_WORDS
    is_asked: bool = False

    @property
    def stated_unit(self) -> str:
        """Its unit where that is settled."""
        return "" if self.is_asked else self.unit

    @property
    def unit_words(self) -> str:
        """What stands behind its column in the words of a mapping: `month:comma:EUR`; empty where nothing does."""
        currency = self.currency if self.currency in _SUFFIXES[2] else ""  # of several nobody knows which
        return ":".join(filter(None, (self.stated_unit, self.style, currency)))


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Which column of a table is which field. columns: heading by field; units: by field, where stated.

    A column may also be named by its place from 1, as `#3` or `column 3`. A unit may end in the style in which numbers
    are written, and of money in its currency: `h:comma`, `month:comma:EUR`.
    """

    columns: Mapping[str, str]
    units: Mapping[str, str] = field(default_factory=dict)

    def unit(self, name: str) -> str:
        """The unit of a field; empty where none applies.

        The first unit of a field is the one meant where none is stated.

        >>> parse_mapping("start=Begin:epoch_s,gpus=N").unit("start"), parse_mapping("duration=Length").unit("duration")
        ('epoch_s', 's')
        """
        stated = [part for part in self.units.get(name, "").split(":") if part and part not in STYLES]
        return stated[0] if stated else next(iter(UNITS_OF.get(name, ("",))))

    def style(self, name: str) -> str:
        """How the numbers of a field are written, point or comma; empty where the column decides.

        >>> parse_mapping("gpus=N:comma").style("gpus"), parse_mapping("gpus=N").style("gpus")
        ('comma', '')
        """
        return next((part for part in self.units.get(name, "").split(":") if part in STYLES), "")

    @property
    def lacking(self) -> tuple[Text, ...]:
        """What it needs before a table can be read: fields of `gpus`, `start`, `end or duration`.

        >>> list(map(str, parse_mapping("start=Begin,gpus=N").lacking))
        ['end or duration']
        """
        lacking: list[Text] = [name for name in ("gpus", "start") if name not in self.columns]
        if "end" not in self.columns and DURATION not in self.columns:
            lacking.append(worded("end or duration"))
        return tuple(lacking)


@dataclass(frozen=True, slots=True)
class MappingWords:
    """The words of mappings of one kind of table, FIELD=COLUMN:UNIT,...

    option: by which they are given; fields: to be named to who writes another.
    suffixes: of a field, what may stand behind its column, one word of each class; None of what is no field.
    foreign: units that are none of a field are said, where they are these.
    """

    option: str
    fields: Collection[str]
    suffixes: Callable[[str], tuple[Collection[str], ...] | None]
    foreign: frozenset[str] = frozenset()

    def parse(self, text: str) -> ColumnMapping:
        """`gpus=num_gpu,start=submitted:epoch_s`: quote an item that has a comma in its column name.

        Errors: PlannerError usage.
        """
        columns: dict[str, str] = {}
        units: dict[str, str] = {}
        for item in _items_of(text):
            name, equals, column = (part.strip() for part in item.partition("="))
            classes = self.suffixes(name)
            if not equals or not column:
                raise self._usage(
                    item or text, worded("not of the form FIELD=COLUMN"), self._fields_near(name)
                )
            if classes is None:
                raise self._usage(item, worded("no field {name}", name=name), self._fields_near(name))
            if name in columns:
                problem = worded("{name} is mapped twice", name=name)
                raise self._usage(item, problem, worded("name one column"))
            columns[name], unit = _parted(column, classes)
            _, colon, last = columns[name].rpartition(":")
            if colon and last in self.foreign and not set(unit.split(":")) & set(classes[0]):
                known = ", ".join(dict.fromkeys(classes[0])) or worded("for numbers only")
                problem = worded("{unit} is not a unit of {name}", unit=last, name=name)
                raise self._usage(item, problem, worded("units are ") + known)
            if unit:
                units[name] = unit
        if not columns:
            example = worded("write FIELD=COLUMN, such as gpus=num_gpu")
            raise self._usage(text, worded("no column is mapped"), example)
        return ColumnMapping(columns, units)

    def _fields_near(self, name: str) -> Message:
        """The remedy for a name: the nearest field, else all of them."""
        near = get_close_matches(name, self.fields, n=1)
        if near:
            return worded("did you mean {field}?", field=near[0])
        return worded("fields are {fields}", fields=", ".join(self.fields))

    def _usage(self, where: str, message: Message, remedy: Message) -> PlannerError:
        """The error `usage` for a mapping's words, with the option they were given to."""
        return PlannerError(f"{self.option} {where}", "usage", message, remedy)


def _parted(column: str, classes: Sequence[Collection[str]]) -> tuple[str, str]:
    """A column and what stands behind it, in the order of the classes."""
    found = [""] * len(classes)
    while True:
        heading, _, word = (part.strip() for part in column.rpartition(":"))
        at = next((at for at, words in enumerate(classes) if word in words and not found[at]), None)
        if not heading or at is None:
            return column, ":".join(filter(None, found))
        column, found[at] = heading, word


def _suffixes_of_jobs(name: str) -> tuple[Collection[str], ...] | None:
    """What may stand behind a column of a job log: its units, and how its numbers are written.

    None for no field.
    """
    holds = JOB_HOLDS.get(name)
    if holds is None:
        return None
    units = (*UNITS.get(holds, ()), *_ALSO_TAKEN.get(holds, ()))
    return (units, STYLES) if holds in STYLED else (units,)


HOURS, DAYS, WEEKS = "hours", "days", "weeks"
EXCLUSIVE, LAST_DAY = "exclusive", "last_day"
"""What a notice counts, and whether an end is the day after or the last one."""

JOB_MAPPINGS: Final = MappingWords(
    "--map",
    tuple(MAPPED_FIELDS),
    _suffixes_of_jobs,
    frozenset((*MILLI_PER, *SECONDS_PER, EXCLUSIVE, LAST_DAY)),
)


def parse_mapping(text: str) -> ColumnMapping:
    """The mapping of a job log in words. Errors: PlannerError usage.

    FIELD=COLUMN or FIELD=COLUMN:UNIT with commas between, as --map takes them
    (docs/formats/mapping.md, Any table of jobs).

    >>> parse_mapping("gpus=Num GPUs,start=Begin:epoch_s").columns
    {'gpus': 'Num GPUs', 'start': 'Begin'}
    """
    return JOB_MAPPINGS.parse(text)


def with_own_names(mapping: ColumnMapping, headings: Sequence[str]) -> ColumnMapping:
    """A mapping that does not say all that is needed says only what differs: other fields have our own headings.

    headings: of the table that is read. A mapping that is whole stays as it is: what it leaves out is not read.

    >>> with_own_names(ColumnMapping({"gpus": "n", "start": "from"}), ("job_id", "n", "from", "end")).columns
    {'gpus': 'n', 'start': 'from', 'end': 'end', 'job_id': 'job_id'}
    """
    if not mapping.lacking:
        return mapping
    own = [name for name in MAPPED_FIELDS if column_place(headings, name) is not None]
    has_end = "end" in mapping.columns or (DURATION not in mapping.columns and "end" in own)
    ends_by = "end" if has_end or DURATION not in (*mapping.columns, *own) else DURATION
    others = [name for name in own if name not in ("end", DURATION)]
    return ColumnMapping(
        {name: name for name in ("gpus", "start", ends_by, *others)} | dict(mapping.columns), mapping.units
    )


def check_units(mapping: ColumnMapping, missing: Collection[str]) -> None:
    """missing: columns that a table does not have. Errors: PlannerError usage where one of them ends in no unit."""
    for name, column in mapping.columns.items():
        heading, colon, unit = column.rpartition(":")
        if column in missing and name in UNITS_OF and heading and colon and _UNIT.fullmatch(unit):
            known = dict.fromkeys((*UNITS_OF[name], *_ALSO_TAKEN.get(JOB_HOLDS[name], ())))
            raise PlannerError(
                f"--map {name}={column}",
                "usage",
                worded("unknown unit {unit}", unit=unit),
                worded("units are ") + ", ".join(known),
            )


def mapping_text(mapping: ColumnMapping) -> str:
    """The words that are read back as this mapping.

    >>> mapping_text(ColumnMapping({"gpus": "n, all", "start": "begun"}, {"start": "epoch_s"}))
    '"gpus=n, all",start=begun:epoch_s'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(
        f"{name}={column}" + (f":{mapping.units[name]}" if mapping.units.get(name) else "")
        for name, column in mapping.columns.items()
    )
    return out.getvalue()


def constant_of(column: str) -> str | None:
    """What every row has in place of a column, which --map says as `gpus==1`; None of a column.

    >>> constant_of("=1"), constant_of("n")
    ('1', None)
    """
    return column[1:].strip() if column.startswith("=") else None


def is_writable(heading: str) -> bool:
    """Whether a heading can stand in the words of --map as it is; one that cannot is named by its place.

    >>> is_writable("Num GPUs"), is_writable("start:s"), is_writable("")
    (True, False, False)
    """
    is_like_a_unit = heading.rpartition(":")[2] in (*UNIT_TITLES, *STYLES) and ":" in heading
    return bool(heading) and heading.isprintable() and heading == heading.strip() and not is_like_a_unit


def unique_headings(headings: Sequence[str]) -> tuple[str, ...]:
    """Headings by which every column can be told from the others: a second of a name, or none, is `column 3`.

    >>> unique_headings(["GPUs", "Start", "gpus", ""])
    ('GPUs', 'Start', 'column 3', 'column 4')
    """
    seen: set[str] = set()
    answer = []
    for place, heading in enumerate(headings, 1):
        name = heading.strip()
        if not is_writable(name) or _NUMBERED.fullmatch(name) or name.casefold() in seen:
            name = f"column {place}"
        seen.add(name.casefold())
        answer.append(name)
    return tuple(answer)


def column_place(headings: Sequence[str], name: str) -> int | None:
    """Which column is meant, from 0: by its heading, ignoring case, else by its place. None where there is none.

    >>> column_place(("id", "GPUs"), "gpus"), column_place(("id", "GPUs"), "#1"), column_place(("id",), "#2")
    (1, 0, None)
    """
    wanted = name.strip().casefold()
    for place, heading in enumerate(headings):
        if heading.strip().casefold() == wanted:
            return place
    match = _NUMBERED.fullmatch(wanted)
    return int(match[1]) - 1 if match and 0 < int(match[1]) <= len(headings) else None


# --- A table's mapping: which column is which field of a contract or an offer, in what unit, how sure and why

GPU_HOUR: Final = "gpu_hour"
HOURS_OF_UNIT: Final = {
    unit: (hours, unit.startswith("gpu_"))
    for period, hours in HOURS_OF_PERIOD.items()
    for unit in (f"gpu_{period}", period)
}
"""What a price is for: hours, and whether of one GPU (else of all GPUs of the row)."""

CENTS: Final = "cents"
"""In place of a currency: US cents."""

CURRENCY: Final = "currency"
"""The currency of all money of a row, in a column of its own; empty is USD."""

RATE: Final = "rate_usd_per_gpu_hour"
RATE_ON_DEMAND: Final = "rate_on_demand"
RATE_SPOT: Final = "rate_spot"
NODES: Final = "nodes"
GPUS_PER_NODE: Final = "gpus_per_node"
"""Two columns that stand for one of GPUs."""

GPUS: Final = "gpu"
"""The unit of a count that is of GPUs, whatever its rows say of nodes; NODES that of one of machines."""

INSTANCE: Final = "instance"
"""The type of machine that a row is of."""

PRICE_UNIT: Final = "price_unit"
"""What the price of a row is for, in a column of its own: `per instance-hour`."""

STATED_PER_GPU: Final = "stated_per_gpu"
"""What a price list itself says a GPU costs, beside the price of the machine: compared, not used."""

_STYLES: Final = (POINT, COMMA, DAY_FIRST, MONTH_FIRST, NO_YEAR, SERIAL)
_SUFFIXES: Final = (
    (*HOURS_OF_UNIT, GPUS, NODES, HOURS, DAYS, WEEKS, MONTHS, YEARS, EXCLUSIVE, LAST_DAY),
    _STYLES,
    (CENTS, *CODES),
)
"""What may stand behind a column: unit, style and currency."""


def committed_rate(months: int) -> str:
    """The field of a column of prices for one term.

    >>> committed_rate(12), term_of_rate(committed_rate(12))
    ('rate_12m', 12)
    """
    return f"rate_{months}m"


def range_words(columns: Iterable[ColumnReading]) -> Message:
    """What to do where a list has the ends of ranges and no rate between them; empty where it has none."""
    high = next((column.column for column in columns if column.field == "rate_high"), "")
    words = worded_both(
        "a range is not a rate. Choose the end that counts: --map {map}",
        "a range is not a rate. Choose the column of the end that counts",
        map=shlex.quote(f"prices.{RATE}={high}"),
    )
    return words if high else NO_WORDS


@lru_cache(maxsize=1024)
def is_rate(field: str) -> bool:
    """Whether a field is a price of GPUs.

    >>> is_rate("rate_36m"), is_rate("rate_usd_per_gpu_hour"), is_rate("gpus")
    (True, True, False)
    """
    return field in (RATE, RATE_ON_DEMAND, RATE_SPOT, STATED_PER_GPU) or term_of_rate(field) is not None


@lru_cache(maxsize=1024)
def term_of_rate(field: str) -> int | None:
    """The term of a column of committed prices, in months.

    None for any other field.

    >>> term_of_rate("rate_36m"), term_of_rate("rate_spot")
    (36, None)
    """
    digits = field.removeprefix("rate_").removesuffix("m")
    return int(digits) if field == f"rate_{digits}m" and digits.isdecimal() and len(digits) < 5 else None


@dataclass(frozen=True)
class TableMapping:
    """How a table is read.

    kind: contracts or prices; header_row: the line on which the header begins, header_rows how many it takes;
    headings: of all columns, in order, each once, empty where a column has none; columns: those that are used.
    is_own: the columns are our own, by name. compared: headings of columns with which the reading was compared.
    titles: constants that stand above or below the table and are so of all rows that do not say them.
    """

    kind: str
    columns: tuple[ColumnReading, ...]
    headings: tuple[str, ...] = ()
    header_row: int = 1
    header_rows: int = 1
    delimiter: str = ","
    sheet: str = ""
    is_own: bool = False
    compared: tuple[str, ...] = ()
    titles: tuple[ColumnReading, ...] = ()

    def of(self, field: str) -> ColumnReading | None:
        """The column of a field.

        None where no column tells it.
        """
        return self._by_field.get(field)

    @cached_property
    def _by_field(self) -> Mapping[str, ColumnReading]:
        """The first column of each field."""
        return {column.field: column for column in reversed(self.columns)}

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """The place of each heading, the first of those that differ in case alone."""
        return {name.lower(): at for at, name in reversed([*enumerate(self.headings)]) if name}

    def place(self, heading: str) -> int:
        """The place of a column, whatever its case; behind all where there is none."""
        return self._places.get(heading.lower(), len(self.headings))

    def place_of(self, field: str) -> int:
        """The same of the column of a field."""
        return self.place("" if (column := self.of(field)) is None else column.column)

    @cached_property
    def rates(self) -> tuple[ColumnReading, ...]:
        """The columns of prices."""
        return tuple(column for column in self.columns if is_rate(column.field))

    def lacks(self, fields: Iterable[str]) -> list[str]:
        """Those of the fields that no column tells; nodes with their GPUs, type or model tell how many there are."""
        told = {column.field for column in self.columns}
        if NODES in told and told & {GPUS_PER_NODE, INSTANCE, "gpu_model"}:
            told.add("gpus")
        if INSTANCE in told:
            told.add("gpu_model")  # by the table of instances, row by row
        return [field for field in fields if field not in told]

    @property
    def unused(self) -> tuple[str, ...]:
        """Headings of columns that are not read.

        Columns without a heading are left out.
        """
        used = {*self.compared, *(column.column for column in self.columns)}
        return tuple(heading for heading in self.headings if heading and heading not in used)

    @property
    def issues(self) -> tuple[Issue, ...]:
        """What is to be said of columns that are not known."""
        return unknown_columns(self.unused, self.header_row)

    @property
    def facts(self) -> Facts:
        """What `check` says of it: the words to use it again, how sure each is and why; nothing of our own columns."""
        if self.is_own:
            return ()
        return (
            ("header_row", self.header_row),
            ("mapping", self.words),
            (
                "mapping_why",
                {c.field: f"{c.why} ({c.confidence:.0%} sure)" for c in (*self.titles, *self.columns)},
            ),
            ("unused_columns", list(self.unused)),
            *((("undecided", asked),) if (asked := [c.field for c in self.columns if c.is_asked]) else ()),
        )

    @property
    def words(self) -> str:
        """`gpus=Qty,rate_usd_per_gpu_hour=Price:month:comma`: what parse_table_columns reads."""
        units = {c.field: c.unit_words for c in self.columns}
        return mapping_text(ColumnMapping({c.field: c.column for c in (*self.titles, *self.columns)}, units))


OF_OTHERS: Final = {"lead time": worded(" (a lead is of an offer, in the hours of its lead_time_hours)")}
"""What a heading that is not read says by its words, and of which other kind of table that is."""


def unknown_columns(headings: Sequence[str], header_row: int) -> tuple[Issue, ...]:
    """What is to be said of columns that were not read, and how many they are."""
    if not headings:
        return ()
    what, remedy = ISSUE_TEXTS["unknown_column"]
    told = (
        joined(
            (
                f"“{name}”",
                *(why for words, why in OF_OTHERS.items() if words in name.lower().replace("_", " ")),
            )
        )
        for name in headings
    )
    message = joined((joined((what, joined(told, ", ")), ": "), remedy), "; ")
    return (Issue("unknown_column", len(headings), header_row, message),)


def parse_table_mapping(text: str, fields: Collection[str]) -> ColumnMapping:
    """`gpus=Qty,rate_usd_per_gpu_hour=Price:month:comma:EUR`; fields: those of this kind of table.

    Errors: PlannerError usage.
    """
    words = MappingWords(
        "mapping", fields, lambda name: _SUFFIXES if name in fields or is_rate(name) else None
    )
    return words.parse(text)


DIFFERS: Final = "+"
"""How a mapping in words begins that says only what is read otherwise than proposed."""


def parted_map(text: str | None, fields: Mapping[str, Collection[str]]) -> dict[str, str]:
    """The items of one --map by the kind of table that they are for: `jobs`, else the first kind whose field it is.

    An item may say its kind itself, `contracts.start=Begin`. fields: by kind of table, the kinds that are there. What
    is nobody's stays with the jobs, whose reader refuses it.
    """
    found: dict[str, list[str]] = {}
    for item in _items_of(text or ""):
        stated, _, rest = item.partition(".")
        kind, said = (stated, rest) if stated in fields else ("jobs", item)
        name, equals, column = said.partition("=")
        quoted = mapping_text(ColumnMapping({name: column})) if equals else said
        if kind == "jobs":
            try:
                JOB_MAPPINGS.parse(quoted)
            except PlannerError:
                name = name.strip()
                named = (one for one, own in fields.items() if name in own or (own and is_rate(name)))
                kind = next(named, kind)
        found.setdefault(kind, []).append(quoted)
    return {kind: ("" if kind == "jobs" else DIFFERS) + ",".join(items) for kind, items in found.items()}


def map_of_kind(text: str, kind: str) -> str:
    """A mapping whose items say of which kind of table they are, so that they go to no job log of the same call.

    >>> map_of_kind('"gpus=n, all",start=Begin', "contracts")
    '"contracts.gpus=n, all",contracts.start=Begin'
    """
    items = (item.partition("=") for item in _items_of(text))
    return ",".join(mapping_text(ColumnMapping({f"{kind}.{name}": column})) for name, _, column in items)


def _items_of(text: str) -> list[str]:
    """The items of a mapping in words, without the quotes of those with a comma."""
    return next(csv.reader([text], skipinitialspace=True), [])


def parse_table_columns(text: str, fields: Collection[str]) -> tuple[ColumnReading, ...]:
    """The columns of a mapping in words. Errors: as parse_table_mapping.

    fields: those that the kind of table has. Each is given, so it is wholly sure.
    """
    mapping = parse_table_mapping(text, fields)

    def reading(name: str, column: str) -> ColumnReading:
        """One column as it was given: unit, style and currency in any order, each by its own words."""
        parts = mapping.units.get(name, "").split(":")
        unit, style, currency = (next((part for part in parts if part in words), "") for words in _SUFFIXES)
        return ColumnReading(name, column, unit, style, currency, 1.0, worded("it was given"))

    return tuple(reading(name, column) for name, column in mapping.columns.items())


# --- Tables of one shape: whether what was said of the columns of one holds for another, and what differs

_SEPARATOR: Final = "\x1f"
_MAY_DIFFER: Final = 0.25
"""The share of headings that may be new or gone; one always may."""


@dataclass(frozen=True, slots=True)
class SameShape:
    """header: of the table that is known, as `header_key`; differs: what is otherwise now, in words, or empty."""

    header: str
    differs: Message = NO_WORDS


def header_key(columns: Sequence[str]) -> str:
    """A stable text of a table's headings, under which its mapping is remembered.

    Case and blanks about a name do not count, nor does what is said of every row; the order of the columns does.
    """
    return _SEPARATOR.join(name.strip().casefold() for name in columns if constant_of(name) is None)


def find_shape(header: str, known: Mapping[str, Collection[str]]) -> SameShape | None:
    """The known table that another has the shape of: the same headings, or all that are read and hardly any others.

    header: as `header_key`; known: by header the columns that are read of that table. A column without a name of its
    own is known by its place alone: then nothing may differ.

    >>> str(find_shape(header_key(["Job", "N", "Note"]), {header_key(["n", "job"]): ["N", "Job"]}).differs)
    'not read because it is new: note'
    """
    if header in known:
        return SameShape(header)
    found: list[tuple[int, SameShape]] = []
    now = header.split(_SEPARATOR)
    for one, columns in known.items():
        before = one.split(_SEPARATOR)
        used = {column.strip().casefold() for column in columns if constant_of(column) is None}
        new, gone = ([name for name in a if name not in b] for a, b in ((now, before), (before, now)))
        is_told_by_names = (
            len(set(now)) == len(now) and used <= {*now} & {*before} and not any(map(_is_place, used))
        )
        if is_told_by_names and len(new) + len(gone) <= max(1, _MAY_DIFFER * len(before)):
            found.append((len(new) + len(gone), SameShape(one, _differing(new, gone))))
    return min(found, key=lambda match: match[0])[1] if found else None


def _is_place(name: str) -> bool:
    """Whether a column is named by its place, as one without a heading is."""
    return name.startswith("#") or (name.startswith("column ") and name[7:].isdecimal())


def _differing(new: Sequence[str], gone: Sequence[str]) -> Message:
    """Which columns are new and which are gone, in words; if none, that only their order differs."""
    said = []
    if new:
        said.append(worded("not read because it is new: {names}", names=", ".join(new)))
    if gone:
        said.append(worded("no longer there: {names}", names=", ".join(gone)))
    return joined(said, "; ") if said else worded("the order of columns changed")
