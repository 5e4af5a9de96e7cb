"""Mappings: the columns of a table by field, their units, and the style of dates and money."""

import csv
import io
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.system.resources import words_table
from gpuplanner.files.tables.fields import ACTIVITY, DURATION, JOB_FIELDS, JOB_HOLDS, STYLED, UNITS, Holds
from gpuplanner.files.values.amounts import CODES, COMMA, POINT
from gpuplanner.files.values.durations import SECONDS_PER
from gpuplanner.files.values.gpu_counts import MILLI_PER
from gpuplanner.files.values.number_styles import STYLES
from gpuplanner.files.values.terms import MONTHS, YEARS
from gpuplanner.files.values.unit_words import HOURS_OF_PERIOD
from gpuplanner.files.values.written_dates import DAY_FIRST, MONTH_FIRST, NO_YEAR, SERIAL
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.lazy_re import lazy_re

NOT_NEEDED: Final = "-"
"""In place of a field: nobody needs the column."""

DIFFERS: Final = "+"
"""First character of a mapping in words that only contains differences from the proposal."""

KEPT_AS: Final = {ACTIVITY: "activity", "class": "label", DURATION: "elapsed"}
"""Internal names of job fields, where they differ from our headings."""

MAPPED_FIELDS: Final = {field.name: KEPT_AS.get(field.name, field.name) for field in JOB_FIELDS}
"""Field names for --map, with their internal names."""

UNITS_OF: Final = {name: UNITS[holds] for name, holds in JOB_HOLDS.items() if holds in UNITS}
"""Units of a job's fields; other fields are text or a count."""

UNIT_TITLES: Final = {"iso": joined(("ISO 8601",)), **words_table("unit_title")}
"""Titles of units."""

LONGEST_LOG_S: Final = 20 * 8766 * 3600
"""20 years: durations that make a log longer have another unit."""


def smaller_length(unit: str) -> str:
    """Return the next smaller unit of a duration; "" without one.

    >>> smaller_length("h"), smaller_length("ms")
    ('min', '')
    """
    return {"d": "h", "h": "min", "min": "s", "s": "ms"}.get(unit, "")


NUMBERS: Final = tuple(name for name, holds in JOB_HOLDS.items() if holds in STYLED)
"""Fields whose unit may end in a number style: `h:comma`, or `comma` alone."""

_ALSO_TAKEN: Final = dict.fromkeys((Holds.TIME, Holds.LENGTH), tuple(SECONDS_PER))
_UNIT: Final = lazy_re(r"\w{1,12}")
_NUMBERED: Final = lazy_re(r"(?i)(?:#|column\s*)(\d{1,4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReading:
    """A field and the column it is read from.

    column: its heading. unit: of a job's field (UNITS_OF), a price (gpu_hour, hour, gpu_month, ...: HOURS_OF_UNIT) or
    a term (months, years). style: point or comma of numbers; dmy, mdy or serial of dates; "" if not needed.
    currency: from the heading, "" is USD. confidence: 0..1. why, note: in words. is_asked: the unit is the likelier of
    two, which the note explains.
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
        """The unit, if it is settled."""
        return "" if self.is_asked else self.unit

    @property
    def unit_words(self) -> str:
        """Suffix of its column in the words of a mapping: `month:comma:EUR`; "" without one."""
        currency = self.currency if self.currency in _SUFFIXES[2] else ""  # several currencies are ambiguous
        return ":".join(filter(None, (self.stated_unit, self.style, currency)))


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Columns of a table by field. columns: heading by field. units: by field, where stated. not_needed: headings of
    columns that nobody needs.

    A column may also be named by its number from 1, as `#3` or `column 3`. A unit may end in a number style, and for
    money in a currency: `h:comma`, `month:comma:EUR`.
    """

    columns: Mapping[str, str]
    units: Mapping[str, str] = field(default_factory=dict)
    not_needed: tuple[str, ...] = ()

    def unit(self, name: str) -> str:
        """Return the unit of a field: stated, otherwise the first unit of the field; "" for none.

        >>> parse_mapping("start=Begin:epoch_s,gpus=N").unit("start"), parse_mapping("duration=Length").unit("duration")
        ('epoch_s', 's')
        """
        stated = [part for part in self.units.get(name, "").split(":") if part and part not in STYLES]
        return stated[0] if stated else next(iter(UNITS_OF.get(name, ("",))))

    def style(self, name: str) -> str:
        """Return the stated number style of a field, point or comma; "" if the column decides.

        >>> parse_mapping("gpus=N:comma").style("gpus"), parse_mapping("gpus=N").style("gpus")
        ('comma', '')
        """
        return next((part for part in self.units.get(name, "").split(":") if part in STYLES), "")

    @property
    def lacking(self) -> tuple[Text, ...]:
        """Required fields that are missing: of `gpus`, `start`, `end or duration`.

        >>> list(map(str, parse_mapping("start=Begin,gpus=N").lacking))
        ['end or duration']
        """
        lacking: list[Text] = [name for name in ("gpus", "start") if name not in self.columns]
        if "end" not in self.columns and DURATION not in self.columns:
            lacking.append(worded("end or duration"))
        return tuple(lacking)


@dataclass(frozen=True, slots=True)
class MappingWords:
    """The grammar of mappings for one kind of table, FIELD=COLUMN:UNIT,...

    option: of the command line. fields: to name in errors. suffixes: return the allowed words after a field's column,
    by class; None for an unknown field. foreign: units of other fields, for a better error.
    """

    option: str
    fields: Collection[str]
    suffixes: Callable[[str], tuple[Collection[str], ...] | None]
    foreign: frozenset[str] = frozenset()

    def parse(self, text: str) -> ColumnMapping:
        """Parse `gpus=num_gpu,start=submitted:epoch_s`; an item with a comma in its column name needs quotes.

        Errors: PlannerError usage.
        """
        columns: dict[str, str] = {}
        units: dict[str, str] = {}
        not_needed: list[str] = []
        for item in _items_of(text):
            name, equals, column = (part.strip() for part in item.partition("="))
            if name == NOT_NEEDED and column:
                not_needed.append(column)
                continue
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
                raise self._usage(item, problem, worded("units are {names}", names=known))
            if unit:
                units[name] = unit
        if not columns and not not_needed:
            example = worded("write FIELD=COLUMN, such as gpus=num_gpu")
            raise self._usage(text, worded("no column is mapped"), example)
        return ColumnMapping(columns, units, tuple(not_needed))

    def _fields_near(self, name: str) -> Message:
        """Return the remedy for an unknown name: the nearest field, otherwise all fields."""
        near = get_close_matches(name, self.fields, n=1)
        if near:
            return worded("did you mean {field}?", field=near[0])
        return worded("fields are {fields}", fields=", ".join(self.fields))

    def _usage(self, where: str, message: Message, remedy: Message) -> PlannerError:
        """Return the error `usage` for a mapping, with its option."""
        return PlannerError(f"{self.option} {where}", "usage", message, remedy)


def _parted(column: str, classes: Sequence[Collection[str]]) -> tuple[str, str]:
    """Split a column from its suffixes, in the order of the classes."""
    found = [""] * len(classes)
    while True:
        heading, _, word = (part.strip() for part in column.rpartition(":"))
        at = next((at for at, words in enumerate(classes) if word in words and not found[at]), None)
        if not heading or at is None:
            return column, ":".join(filter(None, found))
        column, found[at] = heading, word


def _suffixes_of_jobs(name: str) -> tuple[Collection[str], ...] | None:
    """Return the allowed suffixes of a job log's column: units and number styles; None for an unknown field."""
    holds = JOB_HOLDS.get(name)
    if holds is None:
        return None
    units = (*UNITS.get(holds, ()), *_ALSO_TAKEN.get(holds, ()))
    return (units, STYLES) if holds in STYLED else (units,)


HOURS, DAYS, WEEKS = "hours", "days", "weeks"
EXCLUSIVE, LAST_DAY = "exclusive", "last_day"
"""Units of a notice, and whether an end is the last day or the day after."""

JOB_MAPPINGS: Final = MappingWords(
    "--map",
    tuple(MAPPED_FIELDS),
    _suffixes_of_jobs,
    frozenset((*MILLI_PER, *SECONDS_PER, EXCLUSIVE, LAST_DAY)),
)


def parse_mapping(text: str) -> ColumnMapping:
    """Parse the mapping of a job log, as for --map: FIELD=COLUMN or FIELD=COLUMN:UNIT, separated by commas.

    Errors: PlannerError usage. See docs/formats/mapping.md, Any table of jobs.

    >>> parse_mapping("gpus=Num GPUs,start=Begin:epoch_s").columns
    {'gpus': 'Num GPUs', 'start': 'Begin'}
    """
    return JOB_MAPPINGS.parse(text)


def with_own_names(mapping: ColumnMapping, headings: Sequence[str]) -> ColumnMapping:
    """Return an incomplete mapping with our own headings for the other fields; a complete mapping is unchanged.

    headings: of the table. Fields missing in a complete mapping are not read.

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
        {name: name for name in ("gpus", "start", ends_by, *others)} | dict(mapping.columns),
        mapping.units,
        mapping.not_needed,
    )


def check_units(mapping: ColumnMapping, missing: Collection[str]) -> None:
    """Check that missing columns do not end in an unknown unit. missing: columns that the table does not have.

    Errors: PlannerError usage.
    """
    for name, column in mapping.columns.items():
        heading, colon, unit = column.rpartition(":")
        if column in missing and name in UNITS_OF and heading and colon and _UNIT.fullmatch(unit):
            known = dict.fromkeys((*UNITS_OF[name], *_ALSO_TAKEN.get(JOB_HOLDS[name], ())))
            raise PlannerError(
                f"--map {name}={column}",
                "usage",
                worded("unknown unit {unit}", unit=unit),
                worded("units are {names}", names=", ".join(known)),
            )


def mapping_text(mapping: ColumnMapping) -> str:
    """Return a mapping in words, which `parse_mapping` reads back.

    >>> mapping_text(ColumnMapping({"gpus": "n, all", "start": "begun"}, {"start": "epoch_s"}))
    '"gpus=n, all",start=begun:epoch_s'
    >>> mapping_text(ColumnMapping({"gpus": "n"}, not_needed=("Surcharge %",)))
    'gpus=n,-=Surcharge %'
    """
    out = io.StringIO()
    read = (
        f"{name}={column}" + (f":{mapping.units[name]}" if mapping.units.get(name) else "")
        for name, column in mapping.columns.items()
    )
    left = (f"{NOT_NEEDED}={column}" for column in mapping.not_needed)
    csv.writer(out, lineterminator="").writerow((*read, *left))
    return out.getvalue()


class PartedMapping(NamedTuple):
    """What a mapping in words says of fields (None: nothing), and the headings of columns that are not needed."""

    of_fields: str | None
    not_needed: tuple[str, ...]


def without_not_needed(text: str | None) -> PartedMapping:
    """Part the columns that are not needed from a mapping in words.

    >>> without_not_needed("+gpus=n,-=Surcharge %")
    PartedMapping(of_fields='+gpus=n', not_needed=('Surcharge %',))
    >>> without_not_needed("+-=Rank")
    PartedMapping(of_fields=None, not_needed=('Rank',))
    """
    is_part = (text or "").startswith(DIFFERS)
    items = [item.partition("=") for item in _items_of((text or "").removeprefix(DIFFERS))]
    named = [
        mapping_text(ColumnMapping({name: column})) for name, _, column in items if name.strip() != NOT_NEEDED
    ]
    left = tuple(dict.fromkeys(column.strip() for name, _, column in items if name.strip() == NOT_NEEDED))
    if not left:
        return PartedMapping(text or None, ())
    of_fields = DIFFERS * is_part + ",".join(named) if named else None
    return PartedMapping(of_fields, left)


def constant_of(column: str) -> str | None:
    """Return the constant in place of a column, which --map writes as `gpus==1`; None for a column.

    >>> constant_of("=1"), constant_of("n")
    ('1', None)
    """
    return column[1:].strip() if column.startswith("=") else None


def is_writable(heading: str) -> bool:
    """Return whether a heading can be written in --map as it is; others are named by number.

    >>> is_writable("Num GPUs"), is_writable("start:s"), is_writable("")
    (True, False, False)
    """
    is_like_a_unit = heading.rpartition(":")[2] in (*UNIT_TITLES, *STYLES) and ":" in heading
    return bool(heading) and heading.isprintable() and heading == heading.strip() and not is_like_a_unit


def unique_headings(headings: Sequence[str]) -> tuple[str, ...]:
    """Return unique headings: a repeated or unusable name becomes `column 3`.

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
    """Return the index of a column by its heading, ignoring case, otherwise by its number; None without one.

    >>> column_place(("id", "GPUs"), "gpus"), column_place(("id", "GPUs"), "#1"), column_place(("id",), "#2")
    (1, 0, None)
    """
    wanted = name.strip().casefold()
    for place, heading in enumerate(headings):
        if heading.strip().casefold() == wanted:
            return place
    match = _NUMBERED.fullmatch(wanted)
    return int(match[1]) - 1 if match and 0 < int(match[1]) <= len(headings) else None


GPU_HOUR: Final = "gpu_hour"


class PriceUnit(NamedTuple):
    """Period of a price in hours, and whether it is for one GPU (otherwise for all GPUs of the row)."""

    hours: Fraction
    is_of_one: bool


HOURS_OF_UNIT: Final = {
    unit: PriceUnit(hours=hours, is_of_one=unit.startswith("gpu_"))
    for period, hours in HOURS_OF_PERIOD.items()
    for unit in (f"gpu_{period}", period)
}
"""Units of prices by name."""

CENTS: Final = "cents"
"""In place of a currency: US cents."""

CURRENCY: Final = "currency"
"""A column with the currency of all money in a row; "" is USD."""

RATE: Final = "rate_usd_per_gpu_hour"
RATE_ON_DEMAND: Final = "rate_on_demand"
RATE_SPOT: Final = "rate_spot"
NODES: Final = "nodes"
GPUS_PER_NODE: Final = "gpus_per_node"
"""Two columns in place of one for GPUs."""

GPUS: Final = "gpu"
"""Unit of a count of GPUs, even if its rows mention nodes; NODES is the unit for machines."""

INSTANCE: Final = "instance"
"""Type of machine of a row."""

PRICE_UNIT: Final = "price_unit"
"""A column with the unit of a row's price: `per instance-hour`."""

STATED_PER_GPU: Final = "stated_per_gpu"
"""A list's own price per GPU, next to the price of the machine: compared, not used."""

_STYLES: Final = (POINT, COMMA, DAY_FIRST, MONTH_FIRST, NO_YEAR, SERIAL)
_SUFFIXES: Final = (
    (*HOURS_OF_UNIT, GPUS, NODES, HOURS, DAYS, WEEKS, MONTHS, YEARS, EXCLUSIVE, LAST_DAY),
    _STYLES,
    (CENTS, *CODES),
)
"""Suffixes of a column: unit, style and currency."""


def committed_rate(months: int) -> str:
    """Return the field for prices of one term.

    >>> committed_rate(12), term_of_rate(committed_rate(12))
    ('rate_12m', 12)
    """
    return f"rate_{months}m"


def range_words(columns: Iterable[ColumnReading]) -> Message:
    """Return the remedy for a list with the ends of ranges and no rate between; empty without ranges."""
    high = next((column.column for column in columns if column.field == "rate_high"), "")
    words = worded_both(
        "a range is not a rate. Choose a column: --map {map}",
        "a range is not a rate. Choose the column that counts",
        map=shlex.quote(f"prices.{RATE}={high}"),
    )
    return words if high else NO_WORDS


@lru_cache(maxsize=1024)
def is_rate(field: str) -> bool:
    """Return whether a field is a price of GPUs.

    >>> is_rate("rate_36m"), is_rate("rate_usd_per_gpu_hour"), is_rate("gpus")
    (True, True, False)
    """
    return field in (RATE, RATE_ON_DEMAND, RATE_SPOT, STATED_PER_GPU) or term_of_rate(field) is not None


@lru_cache(maxsize=1024)
def term_of_rate(field: str) -> int | None:
    """Return the term of a column of committed prices in months; None for any other field.

    >>> term_of_rate("rate_36m"), term_of_rate("rate_spot")
    (36, None)
    """
    digits = field.removeprefix("rate_").removesuffix("m")
    return int(digits) if field == f"rate_{digits}m" and digits.isdecimal() and len(digits) < 5 else None


@dataclass(frozen=True, kw_only=True)
class TableMapping:
    """The reading of a table.

    kind: contracts or prices. header_row: first line of the header; header_rows: its lines. headings: of all columns,
    in order, unique, "" if a column has none. columns: the used ones. is_own: our own columns, by name. compared:
    headings of columns used as a check. titles: constants above or below the table, for rows that do not state them.
    not_needed: headings of columns that nobody needs.
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
    not_needed: tuple[str, ...] = ()

    def of(self, field: str) -> ColumnReading | None:
        """Return the column of a field; None without one."""
        return self._by_field.get(field)

    @cached_property
    def _by_field(self) -> Mapping[str, ColumnReading]:
        """First column of each field."""
        return {column.field: column for column in reversed(self.columns)}

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """Index of each heading in lower case; the first of equal ones."""
        return {name.lower(): at for at, name in reversed([*enumerate(self.headings)]) if name}

    def place(self, heading: str) -> int:
        """Return the index of a heading, ignoring case; the number of columns if missing."""
        return self._places.get(heading.lower(), len(self.headings))

    def place_of(self, field: str) -> int:
        """Return the index of a field's column, as `place`."""
        return self.place("" if (column := self.of(field)) is None else column.column)

    @cached_property
    def rates(self) -> tuple[ColumnReading, ...]:
        """Columns of prices."""
        return tuple(column for column in self.columns if is_rate(column.field))

    def lacks(self, fields: Iterable[str]) -> list[str]:
        """Return the fields without a column; nodes with GPUs per node, machine type or model count as GPUs."""
        told = {column.field for column in self.columns}
        if NODES in told and told & {GPUS_PER_NODE, INSTANCE, "gpu_model"}:
            told.add("gpus")
        if INSTANCE in told:
            told.add("gpu_model")  # by the table of instances, row by row
        return [field for field in fields if field not in told]

    @property
    def unused(self) -> tuple[str, ...]:
        """Headings of columns that are not read."""
        used = {*self.compared, *self.not_needed, *(column.column for column in self.columns)}
        return tuple(heading for heading in self.headings if heading and heading not in used)

    @property
    def facts(self) -> Facts:
        """Facts for `check`: the mapping in words, with confidence and reasons; empty for our own columns."""
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
        """The mapping in words, as `gpus=Qty,rate_usd_per_gpu_hour=Price:month:comma`; read by parse_table_columns."""
        units = {c.field: c.unit_words for c in self.columns}
        columns = {c.field: c.column for c in (*self.titles, *self.columns)}
        return mapping_text(ColumnMapping(columns, units, self.not_needed))


def parse_table_mapping(text: str, fields: Collection[str]) -> ColumnMapping:
    """Parse `gpus=Qty,rate_usd_per_gpu_hour=Price:month:comma:EUR`. fields: of this kind of table.

    Errors: PlannerError usage.
    """
    words = MappingWords(
        "mapping", fields, lambda name: _SUFFIXES if name in fields or is_rate(name) else None
    )
    return words.parse(text)


def parted_map(text: str | None, fields: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Split the items of --map by kind of table: `jobs`, otherwise the first kind with the field.

    fields: by kind of table. An item may state its kind, `contracts.start=Begin`. A column that is not needed is so in
    every kind. Unknown fields remain with the jobs, whose reader refuses them.
    """
    found: dict[str, list[str]] = {}
    for item in _items_of(text or ""):
        stated, _, rest = item.partition(".")
        kind, said = (stated, rest) if stated in fields else ("jobs", item)
        name, equals, column = said.partition("=")
        quoted = mapping_text(ColumnMapping({name: column})) if equals else said
        if name.strip() == NOT_NEEDED and stated not in fields:
            for each in ("jobs", *(kind for kind, own in fields.items() if own)):
                found.setdefault(each, []).append(quoted)
            continue
        if kind == "jobs":
            try:
                JOB_MAPPINGS.parse(quoted)
            except PlannerError:
                name = name.strip()
                named = (
                    table
                    for table, own in fields.items()
                    if name in own or (RATE_ON_DEMAND in own and is_rate(name))
                )
                kind = next(named, kind)
        found.setdefault(kind, []).append(quoted)
    return {kind: ("" if kind == "jobs" else DIFFERS) + ",".join(items) for kind, items in found.items()}


def map_of_kind(text: str, kind: str) -> str:
    """Return a mapping whose items state their kind of table, so that they do not apply to a job log of the same call.

    >>> map_of_kind('"gpus=n, all",start=Begin', "contracts")
    '"contracts.gpus=n, all",contracts.start=Begin'
    """
    items = (item.partition("=") for item in _items_of(text))
    return ",".join(mapping_text(ColumnMapping({f"{kind}.{name}": column})) for name, _, column in items)


def _items_of(text: str) -> list[str]:
    """Return the items of a mapping in words, without quotes; a column of ranges is named by its first field."""
    items = next(csv.reader([text], skipinitialspace=True), [])
    return [_RANGES.sub(r"\1min_gpus\2", item) for item in items]


_RANGES: Final = lazy_re(r"^(\s*(?:prices\.)?)min_gpus\.\.max_gpus(?:_per_order)?(\s*=)")


GIVEN: Final = worded("it was given")
"""Why a column is read that somebody named with its unit."""


def parse_table_columns(text: str, fields: Collection[str]) -> tuple[ColumnReading, ...]:
    """Return the columns of a mapping in words, with confidence 1. fields: of the kind of table.

    Errors: as for parse_table_mapping.
    """
    mapping = parse_table_mapping(text, fields)

    def reading(name: str, column: str) -> ColumnReading:
        """Return one given column: unit, style and currency in any order."""
        parts = mapping.units.get(name, "").split(":")
        unit, style, currency = (next((part for part in parts if part in words), "") for words in _SUFFIXES)
        return ColumnReading(
            field=name, column=column, unit=unit, style=style, currency=currency, confidence=1.0, why=GIVEN
        )

    return tuple(reading(name, column) for name, column in mapping.columns.items())
