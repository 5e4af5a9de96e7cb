"""A form of export: how its records are found and what of them is a contract or an offer."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, Generic

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.contracts.contract_tables import read_contract_row
from gpuplanner.files.sources.json_values import are_alike, begins_json, values_of_text
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.resources import read_gpu_instances
from gpuplanner.files.tables.delimited import as_written, header_columns
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError, TableRead, Value, collect_rows
from gpuplanner.files.values.amounts import read_amount
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.written_dates import read_date
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

JSON_BYTES_AT_MOST: Final = 64 * 2**20
"""Such an export is a few kilobytes; it is read whole."""
REASONS_KEPT: Final = 20
"""Of rows that were left out, in the facts of a file."""

_DATE_IN_WORDS: Final = lazy_re(r"[A-Za-z]{3,9}\.? \d{1,2}, \d{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record of an export. texts: by name in small letters and digits alone; raw: as JSON had it; line, text.

    cells: of a table, as they stand; path: of the file.
    """

    line: int
    texts: Mapping[str, str]
    raw: Mapping[str, object] = field(default_factory=dict)
    text: str = ""
    cells: tuple[str, ...] = ()
    path: str = ""

    def get(self, *names: str) -> str:
        """The first of these fields that is not empty or null, trimmed; else empty.

        names: small letters without blanks and signs, as `plain` makes them.
        """
        for name in names:
            text = self.texts.get(name, "").strip()
            if text and text.lower() not in ("null", "none", "n/a", "-", "–"):
                return text
        return ""

    def amount(self, *names: str) -> Decimal | None:
        """The number in the first of these fields that has one.

        None where none of them has.
        """
        for name in names:
            number = read_amount(self.get(name)).number
            if number is not None:
                return number
        return None

    def number(self, value: object, otherwise: Decimal | None = None) -> Decimal | None:
        """A number inside a list of the record, else what stands for it."""
        found = read_amount(str(value)[:60]).number
        return otherwise if found is None else found

    def time(self, *names: str) -> str:
        """The first of these fields as ISO text, or as it is where it is no date."""
        text = self.get(*names)
        if not text:
            return ""
        found = read_date(text)
        in_words = _DATE_IN_WORDS.search(text) if found is None else None
        return found or (in_words and read_date(in_words[0])) or text


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportForm(Generic[Value]):
    """One form of export. list_names: of a JSON list of records; texts_of: a record as texts of our own columns.

    kind: contracts or prices; sniff: how sure it is of a beginning, 0..1; read_row, id_of: of that kind; named: tells
    values of one id apart; readings: other texts_of, where an export may be meant in several ways.
    Errors of texts_of: RowError, RowLeftOutError.
    """

    kind: str
    format: str
    title: Message
    sniff: Callable[[str], float]
    list_names: tuple[str, ...]
    texts_of: Callable[[Record, Row], Sequence[Mapping[str, str]]]
    read_row: Callable[[Row], Value]
    id_of: Callable[[Value], str]
    facts: Callable[[Sequence[Record]], Facts] | None = None
    named: Callable[[], Callable[[Value, Mapping[str, str]], Value]] | None = None
    readings: Mapping[str, Callable[[Record, Row], Sequence[Mapping[str, str]]]] = field(default_factory=dict)

    @property
    def why(self) -> Message:
        """Why a file is taken for one."""
        return worded("looks like {title}", title=self.title)


def contract_form(
    format: str,
    title: Message,
    sniff: Callable[[str], float],
    list_names: tuple[str, ...],
    texts_of: Callable[[Record, Row], Sequence[Mapping[str, str]]],
    facts: Callable[[Sequence[Record]], Facts] | None = None,
    readings: Mapping[str, Callable[[Record, Row], Sequence[Mapping[str, str]]]] | None = None,
) -> ExportForm[Contract]:
    """A form of contracts."""
    return ExportForm(
        kind="contracts",
        format=format,
        title=title,
        sniff=sniff,
        list_names=list_names,
        texts_of=texts_of,
        read_row=read_contract_row,
        id_of=lambda one: one.contract_id,
        facts=facts,
        readings=readings or {},
    )


def read_form(source: Source, form: ExportForm[Value]) -> TableRead[Value]:
    """The values of an export. Errors: PlannerError file_unreadable where it is no whole JSON.

    Facts: left_out, how many rows were left out by reason, of those that have one.
    """
    left_out: Counter[str] = Counter()
    named = form.named() if form.named is not None else None

    def read_row(row: Row) -> tuple[Value, ...]:
        """The contracts or offers of one record.

        A record left out is counted by its reason before the error goes on.
        """
        found = []
        try:
            of_record = form.texts_of(by_row[id(row)], row)
        except RowLeftOutError as fate:
            left_out[str(fate.what)] += 1
            raise
        for texts in of_record:
            one = Row(texts=texts)
            value = form.read_row(one)
            found.append(named(value, texts) if named is not None else value)
            row.take_notes(one)
        return tuple(found)

    headings, records = records_of(source, form.list_names)
    rows = [
        (record, Row(texts={}).of_width(record.cells, headings, source) if headings else Row(texts={}))
        for record in records
    ]
    by_row = {id(row): record for record, row in rows}
    numbered = ((record.line, row, record.text) for record, row in rows)
    read = collect_rows(source, form.kind, form.format, numbered, read_row, form.id_of)
    facts = form.facts([record for record, _ in rows]) if form.facts is not None else (("rows", len(rows)),)
    reasons = left_out.most_common(REASONS_KEPT)
    facts += (("left_out", dict(reasons)),) if reasons else ()
    return replace(read, intake=replace(read.intake, facts=facts))


def records_of(source: Source, list_names: Sequence[str]) -> tuple[Sequence[str], list[Record]]:
    """Headings of a table, none of JSON, and every record. Errors: PlannerError file_unreadable.

    list_names: the keys under which an export keeps its records, in any spelling.
    """
    if source.kind == TEXT and begins_json(source.head):
        return (), list(_json_records(source, {plain(name) for name in list_names}))
    delimiter, _ = header_columns(source.head)
    with source.rows(delimiter) as rows:
        _, headings = next(rows, (0, []))
        names = [plain(heading) for heading in headings]
        return headings, [
            Record(
                line=line,
                texts=_first_of(names, [*map(as_written, cells)]),
                text=delimiter.join(cells),
                cells=tuple(cells),
                path=source.path,
            )
            for line, cells in rows
        ]


def plain(name: str) -> str:
    """A field's name in small letters and digits alone; `%` is percentage.

    >>> plain("ContractCommitmentDiscount%"), plain("Reserved instance ID")
    ('contractcommitmentdiscountpercentage', 'reservedinstanceid')
    """
    return "".join(letter for letter in name.lower().replace("%", "percentage") if letter.isalnum())


def names_in(head: str) -> frozenset[str]:
    """The field names that begin a file: a header, or the keys of JSON.

    >>> sorted(names_in("Reservation Id,Term"))
    ['reservationid', 'term']
    """
    if begins_json(head):
        return frozenset(plain(key) for key in re.findall(r'"([^"\\\n]{1,80})"\s*:', head[:20_000]))
    return frozenset(plain(column) for column in header_columns(head).columns)


@dataclass(frozen=True, slots=True)
class GpuInstance:
    """gpus: of one instance; a slice of a GPU is less than one."""

    instance_type: str
    gpu_model: str
    gpus: Fraction


def find_instance(instance_type: str) -> GpuInstance | None:
    """The GPUs of an instance type; None where the table does not have it.

    Spellings are one: ND96isr H100 v5, standard_nd96isr_h100_v5.

    >>> find_instance("ND96isr H100 v5").gpus, find_instance("m5.large")
    (Fraction(8, 1), None)
    """
    return _instances().get(_type_key(instance_type))


def instances_of_family(family: str) -> tuple[GpuInstance, ...]:
    """The instance types of a family such as p5; none where it has no GPUs, or nobody knows it."""
    return tuple(one for key, one in _instances().items() if key.startswith(_type_key(family) + "."))


def need_instance(instance_type: str, has_gpus_by_name: re.Pattern[str]) -> GpuInstance:
    """The GPUs of an instance type. Errors: RowLeftOutError where it has none, RowError where they are not known."""
    found = find_instance(instance_type)
    if found is None and has_gpus_by_name.match(_type_key(instance_type)):
        raise RowError(
            "unknown_value", worded("unknown GPU instance {instance_type}", instance_type=instance_type)
        )
    if found is None:
        raise RowLeftOutError(
            "left_out",
            worded("{value} has no GPUs", value=instance_type[:60] or worded("a record without a type")),
        )
    return found


def gpus_of_instances(instance: GpuInstance, count: int, name: str, row: Row) -> Fraction:
    """GPUs of so many instances of a reservation; where they are more than one has, its row says the arithmetic."""
    gpus = instance.gpus * count
    if gpus != instance.gpus:
        row.say(
            "computed",
            worded(
                "{name}: {count} x {instance_type} = {gpus} GPUs",
                name=name,
                count=whole(count),
                instance_type=instance.instance_type,
                gpus=gpus_text(gpus),
            ),
        )
    return gpus


def gpus_text(gpus: Fraction) -> str:
    """GPUs to thousandths, as text.

    >>> gpus_text(Fraction(16)), gpus_text(Fraction(1, 8))
    ('16', '0.125')
    """
    return f"{(Decimal(gpus.numerator) / Decimal(gpus.denominator)).quantize(Decimal('0.001')).normalize():f}"


def rate_text(rate: Decimal | None) -> str:
    """A rate to a millionth of a dollar as text; empty where it is unknown or nothing.

    >>> rate_text(Decimal("2.50")), rate_text(Decimal(0)), rate_text(None)
    ('2.5', '', '')
    """
    return f"{rate.quantize(Decimal('0.000001')).normalize():f}" if rate and 0 < rate < 10**12 else ""


def hours_between(start: str, end: str) -> Decimal | None:
    """Hours of a period; None where it has no two ends, or not in this order.

    >>> hours_between("2026-01-31", "2026-02-01"), hours_between("2026-02-01", "2026-01-31")
    (Decimal('24'), None)
    """
    first, last = utc_seconds(start), utc_seconds(end)
    return Decimal(last - first) / 3600 if first is not None and last is not None and last > first else None


@lru_cache(maxsize=1)
def _instances() -> Mapping[str, GpuInstance]:
    """GPU instances by the key that any spelling of their type comes to."""
    return {
        _type_key(row["instance_type"]): GpuInstance(
            row["instance_type"], row["gpu_model"], Fraction(row["gpus"])
        )
        for row in read_gpu_instances()
    }


def _type_key(instance_type: str) -> str:
    """An instance type as it is compared: small letters, `_` for blanks, without Azure's `Standard_`."""
    return instance_type.strip().lower().replace(" ", "_").removeprefix("standard_")


def _first_of(names: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """The cells by name of column; of columns of one name the first counts."""
    found: dict[str, str] = {}
    for name, cell in zip(names, cells, strict=False):
        found.setdefault(name, cell)
    return found


def _json_records(source: Source, list_names: set[str]) -> Iterator[Record]:
    """Each record of a JSON export, numbered from 1, flattened to texts.

    What is no object is a record without fields.
    Errors: PlannerError `file_unreadable` over 64 MB, as the whole text is held in memory.
    """
    if source.size > JSON_BYTES_AT_MOST:
        raise unreadable(source.path, worded("JSON over 64 MB"), worded("export only the part you need"))
    with source.text_lines() as lines:
        text = "".join(lines)
    for number, listed in enumerate(_flat(values_of_text(text, source.path), list_names, 0), 1):
        value = _of_text(listed)
        if isinstance(value, dict):
            texts: dict[str, str] = {}
            _flatten(value, "", texts, 0)
            yield Record(line=number, texts=texts, raw=value, text=json.dumps(value)[:2000], path=source.path)
        else:
            yield Record(line=number, texts={}, raw={}, text=str(value)[:2000])


def _of_text(value: object) -> object:
    """A record that a list holds as JSON in a text; any other value as it is."""
    if not isinstance(value, str) or value[:1] != "{":
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _flat(values: Sequence[object], list_names: set[str], depth: int) -> Iterator[object]:
    """The records in pages and lists, and in objects that have one under each name."""
    for value in values:
        if isinstance(value, list) and depth < 4:
            yield from _flat(value, list_names, depth + 1)
            continue
        inside = [
            item
            for key, item in (value.items() if isinstance(value, dict) else ())
            if plain(key) in list_names and isinstance(item, list | dict)
        ]
        if inside and depth < 4:
            listed = [each for item in inside for each in _members(item, list_names)]
            yield from _flat(listed, list_names, depth + 1)
        elif isinstance(value, dict) and depth < 4 and are_alike([*value.values()]):
            yield from value.values()
        else:
            yield value


def _members(item: list[object] | dict[str, object], list_names: set[str]) -> list[object]:
    """What a list holds, or an object whose values are all records; any other object by itself."""
    if isinstance(item, list):
        return item
    is_named = bool(item) and all(isinstance(each, dict) for each in item.values())
    is_page = any(plain(key) in list_names for key in item)
    return list(item.values()) if is_named and not is_page else [item]


def _flatten(value: Mapping[str, object], prefix: str, texts: dict[str, str], depth: int) -> None:
    """Fields of a JSON object by name and, where it is free, by the last part of the name."""
    nested = []
    for key, item in value.items():
        if isinstance(item, dict):
            nested.append((key, item))
        elif isinstance(item, str | bool):
            texts[prefix + plain(key)] = str(item)
            texts.setdefault(plain(key), str(item))
    for key, inside in nested if depth < 4 else ():
        _flatten(inside, prefix + plain(key), texts, depth + 1)
