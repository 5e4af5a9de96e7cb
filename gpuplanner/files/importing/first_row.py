"""What the first row of a log means, field by field: as the file has it, and as it is read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.figures.typed import moment, significant, whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded, worded_count
from gpuplanner.files.job_logs.mapped_log import gpu_reader
from gpuplanner.files.job_logs.propose_columns import SURE, Proposal, note_of_ages
from gpuplanner.files.job_logs.recognisers import REQUIRED
from gpuplanner.files.tables.column_mapping import (
    MAPPED_FIELDS,
    NUMBERS,
    UNITS_OF,
    ColumnMapping,
    constant_of,
)
from gpuplanner.files.tables.fields import ACTIVITY, DURATION, GPU_HOURS
from gpuplanner.files.values.column_values import instant_s, length_s
from gpuplanner.files.values.gpu_counts import GpuReading
from gpuplanner.files.values.job_states import read_state
from gpuplanner.files.values.number_styles import STYLES, plain_number
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import MISSING_TEXTS
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

_UNREADABLE: Final = worded("cannot be read")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldReading:
    """One of our fields and where it comes from.

    field: as --map takes it; column: a heading, None where the file has none for it; unit: one of `units`, empty
    where none applies; first_text: as the first row has it; read_as: what that means; confidence 0..1; why: words;
    note: a warning, or empty. is_asked: whether its unit is a guess that somebody is to settle. below: what the rows
    below the first mean, ROWS_READ with it.
    """

    field: str
    is_required: bool
    column: str | None
    unit: str
    units: tuple[str, ...]
    first_text: str
    read_as: Text
    confidence: float
    why: Message
    note: Message = NO_WORDS
    is_asked: bool = False
    below: tuple[Text, ...] = ()


ROWS_READ: Final = 3


def mapped_readings(
    mapping: ColumnMapping,
    proposal: Proposal,
    place_of: Callable[[str], int | None],
    rows: Sequence[Sequence[str]],
    timezone: str | None,
) -> tuple[FieldReading, ...]:
    """Every field of --map under a mapping. rows: the first of the table; proposal: for the reasons."""
    return tuple(
        _mapped_reading(field, mapping, proposal, place_of, rows, timezone) for field in MAPPED_FIELDS
    )


def _mapped_reading(
    field: str,
    mapping: ColumnMapping,
    proposal: Proposal,
    place_of: Callable[[str], int | None],
    rows: Sequence[Sequence[str]],
    timezone: str | None,
) -> FieldReading:
    """What one field of the mapping means in the first row: column, unit, text as it is and as it is read.

    A field without a column says so, and has confidence 0.
    """
    units = UNITS_OF.get(field, ())
    column = mapping.columns.get(field)
    is_required = is_needed(field, mapping)
    if column is None:
        return FieldReading(
            field=field,
            is_required=is_required,
            column=None,
            unit="",
            units=units,
            first_text="",
            read_as="",
            confidence=0.0,
            why=worded("no column matches"),
        )
    said, place = constant_of(column), place_of(column)
    unit = mapping.unit(field)
    texts = [] if place is None else [row[place] if place < len(row) else "" for row in rows]
    texts = texts if said is None else [said]
    text = texts[0] if texts else ""
    style = mapping.style(field)
    read_as, *below = (
        read_in_words(field, plain_number(one, style), unit, timezone) for one in texts[:ROWS_READ] or [""]
    )
    unit, units = _with_styles(field, unit, style, text)
    proposed = proposal.readings.get(field)
    if proposed is not None and place_of(proposed.column) == place and proposed.unit_words in ("", unit):
        confidence, why, note = proposed.confidence, proposed.why, proposed.note
    else:
        confidence, why = 1.0, worded("it was chosen")
        note = note_of_ages(mapping.unit(field), texts) if field == DURATION else NO_WORDS
    if is_required and confidence < SURE:
        note = note or worded("not clear from its name")
    if place is None and said is None:
        confidence, why, note = (0.0, worded("it was chosen"), worded("no column {names}", names=column))
    elif read_as == _UNREADABLE:
        note = note or worded("{text} cannot be read this way", text=text[:40])
    reading = FieldReading(
        field=field,
        is_required=is_required,
        column=column,
        unit=unit,
        units=units,
        first_text=text,
        read_as=read_as,
        confidence=confidence,
        why=why,
        note=note,
    )
    return replace(reading, below=tuple(below))


def _with_styles(field: str, unit: str, style: str, text: str) -> tuple[str, tuple[str, ...]]:
    """The unit of a field with the style of its numbers, and what it may be; with styles where a number has a comma."""
    units = UNITS_OF.get(field, ())
    if field not in NUMBERS or not (style or "," in text):
        return unit, units
    plain = units or ("",)
    styled = tuple(f"{one}:{sign}".strip(":") for one in plain if one not in _NO_NUMBERS for sign in STYLES)
    return f"{unit}:{style}".strip(":"), (*units, *styled)


_NO_NUMBERS: Final = ("slurm", "list", "hm", "per_node", GPU_HOURS)


def is_needed(field: str, mapping: ColumnMapping) -> bool:
    """Whether a log cannot be read without it; a duration stands for an end, and an id may be left out."""
    if field == "end":
        return DURATION not in mapping.columns
    return field in ("gpus", "start") or (field == DURATION and "end" not in mapping.columns)


def read_in_words(field: str, text: str, unit: str, timezone: str | None) -> Text:
    """What a text of a field means; empty where it says nothing."""
    plain = text.strip()
    if plain.casefold() in MISSING_TEXTS and field not in ("gpus",):
        return ""
    if field in ("start", "end"):
        return instant_in_words(instant_s(plain, unit, timezone))
    if field == DURATION:
        return length_in_words(length_s(plain, unit))
    if field == "gpus" and unit == GPU_HOURS:
        reading = gpu_reader(unit)(plain)
        return (
            _UNREADABLE
            if reading.fault
            else worded("{gpu_hours} GPU-h", gpu_hours=significant(reading.milli_gpus / 1000, 9))
        )
    if field == "gpus":
        return gpus_in_words(gpu_reader(unit)(plain))
    if field == ACTIVITY:
        number = read_decimal(plain.rstrip("% "))
        if number is None:
            return _UNREADABLE
        return joined((significant(float(number) * (100 if unit == "share" else 1), 4), "%"))
    return read_state(plain) if field == "state" else plain


def instant_in_words(at_s: int | None) -> Text:
    """3 Jul 2026 00:14:09 UTC."""
    if at_s is None or abs(at_s) > 10**11:
        return _UNREADABLE
    return worded("{moment}:{seconds} UTC", moment=moment(at_s), seconds=f"{at_s % 60:02d}")


def length_in_words(seconds: int | None) -> Text:
    """1 d 2 h 3 min 4 s."""
    if seconds is None:
        return _UNREADABLE
    sizes = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    parts = []
    for name, size in sizes:
        count, seconds = divmod(seconds, size)
        parts += [joined((whole(count), name), " ")] if count else []
    return joined(parts, " ") if parts else "0 s"


def gpus_in_words(reading: GpuReading) -> Message:
    """8 GPUs of a100."""
    if reading.fault is not None:
        return _UNREADABLE
    count = gpus_counted(reading.milli_gpus)
    return worded("{gpus} of {model}", gpus=count, model=reading.gpu_model) if reading.gpu_model else count


def gpus_counted(milli_gpus: int) -> Message:
    """1 GPU, 0.5 GPUs."""
    gpus = milli_gpus / 1000
    return worded_count(gpus, "{count} GPU", "{count} GPUs", count=significant(gpus, 9))


def dialect_readings(
    texts: Mapping[str, str],
    column_of: Mapping[str, str],
    units: Mapping[str, str],
    read_gpus: Callable[[str], GpuReading],
    title: Message,
    timezone: str | None,
) -> tuple[FieldReading, ...]:
    """The fields that a dialect knows by itself. texts: of the first job; column_of: headings, both by field."""
    answer = []
    for field in MAPPED_FIELDS:
        if field not in column_of:
            if field in REQUIRED and not (field == "end" and DURATION in column_of):
                answer.append(
                    FieldReading(
                        field=field,
                        is_required=True,
                        column=None,
                        unit="",
                        units=(),
                        first_text="",
                        read_as="",
                        confidence=0.0,
                        why=worded("the {title} has none", title=title),
                    )
                )
            continue
        text, unit = texts.get(field, ""), units.get(field, "")
        read_as = (
            gpus_in_words(read_gpus(text)) if field == "gpus" else read_in_words(field, text, unit, timezone)
        )
        if not text and read_as == _UNREADABLE:  # a bill that says nothing of GPUs
            read_as = ""
        answer.append(
            FieldReading(
                field=field,
                is_required=field in REQUIRED,
                column=column_of[field],
                unit=unit,
                units=(unit,) if unit else (),
                first_text=text,
                read_as=read_as,
                confidence=1.0,
                why=worded("a {title} has it there", title=title),
            )
        )
    return tuple(answer)


def column_in(sql: str, headings: Sequence[str]) -> str:
    """The heading of the column whose text an expression of a dialect gives, or of two that it puts together.

    >>> column_in("case when trim(c1) = '' then 'CANCELLED' else c0 end", ("phase", "start"))
    'phase'
    >>> column_in("coalesce(c1, '') || '|' || coalesce(c0, '')", ("milli", "count"))
    'count and milli'
    """
    given = lazy_re(r"\bc(\d+)\b").findall(_CONDITION.sub("", sql)) or lazy_re(r"\bc(\d+)\b").findall(sql)[:1]
    names = list(dict.fromkeys(headings[int(place)] for place in given if int(place) < len(headings)))
    return " and ".join(names) if 0 < len(names) <= _COLUMNS_NAMED else (names or ["several columns"])[0]


_CONDITION: Final = lazy_re(r"(?s)\bwhen\b.*?\bthen\b")
_COLUMNS_NAMED: Final = 2


class NaiveTime(NamedTuple):
    """A time as a file has it, without a zone. unit: as of `instant_s`."""

    text: str
    unit: str

    def meaning_in(self, zone: str) -> Text:
        """Return the UTC instant that the time is in a zone, in words."""
        return instant_in_words(instant_s(self.text, self.unit, zone))


_APART: Final = ("UTC", "Asia/Kolkata")
"""Two zones whose clocks never agree."""


def naive_sample(texts: Iterable[str], unit: str) -> NaiveTime | None:
    """Return the first time that is another instant in another zone; None where each says its own."""
    if unit not in ("iso", "ymd", "dmy", "mdy"):
        return None
    for text in texts:
        if len({instant_s(text.strip(), unit, zone) for zone in _APART}) > 1:
            return NaiveTime(text.strip(), unit)
    return None
