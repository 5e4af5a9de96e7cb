"""A proposal: which column of an unknown table is which field of a job, by name and by values."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded, worded_both
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.dialects.slurm.sacct_layout import are_job_ids
from gpuplanner.files.job_logs.judging import column_names
from gpuplanner.files.job_logs.mapped_log import plain_layout
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.column_mapping import (
    LONGEST_LOG_S,
    MAPPED_FIELDS,
    NUMBERS,
    UNIT_TITLES,
    UNITS_OF,
    ColumnMapping,
    ColumnReading,
    constant_of,
    mapping_text,
    smaller_length,
)
from gpuplanner.files.tables.fields import DURATION, GPU_HOURS, JOB_HOLDS, Holds
from gpuplanner.files.tables.layout import Layout
from gpuplanner.files.values import column_values as values
from gpuplanner.files.values.amounts import COMMA
from gpuplanner.files.values.column_values import ValueReading
from gpuplanner.files.values.number_styles import ColumnStyle, column_style, plain_number
from gpuplanner.files.values.written_dates import DAY_FIRST, FORMS_OF, MONTH_FIRST, decide_order
from gpuplanner.lazy_dataclass import dataclass, replace

REQUIRED: Final = ("gpus", "start", "end")

_OPTIONAL_FROM: Final = 0.45
"""A field that is not needed is mapped from this confidence on; one that is needed from any."""

SURE: Final = 0.75
"""From this confidence on a field that is needed is read without being asked about."""

_SURE_OPTIONAL: Final = 0.5
"""The same of one that is not needed; below it the column is left out, and that is said."""

_ORDER: Final = ("start", "end", "gpus", DURATION, "job_id", "name", "user", "account")

_FITS: Final[Mapping[Holds, Callable[[Sequence[str], str], ValueReading]]] = {
    Holds.TIME: values.as_time,
    Holds.LENGTH: values.as_duration,
    Holds.GPUS: values.as_gpus,
    Holds.SHARE: values.as_activity,
    Holds.WHOLE: lambda texts, _: values.as_count(texts),
    Holds.STATE: lambda texts, _: values.as_state(texts),
    Holds.CLASS: lambda texts, _: values.as_class(texts),
    Holds.MODEL: lambda texts, _: values.as_gpu_model(texts),
    Holds.ID: lambda texts, _: values.as_id(texts),
}
"""How texts are held against what a field holds; any words may be those of others."""


Columns = Mapping[str, Sequence[str]]
"""The first texts of each column, by its heading."""

Chosen = dict[str, ColumnReading]
"""The column of each field that has one, by field."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """mapping: of all that was found, also where something is lacking; None where nothing of use was.

    readings: the column of each field, by field; lacking: what no column was found for, in words.
    """

    mapping: ColumnMapping | None
    readings: Mapping[str, ColumnReading]
    lacking: tuple[Message, ...]

    @property
    def words(self) -> str | None:
        """What --map would be given; None where a log cannot be read by it."""
        return mapping_text(self.mapping) if self.mapping is not None and self.is_complete else None

    @property
    def is_complete(self) -> bool:
        """Whether a log can be read by it."""
        return self.mapping is not None and not self.lacking

    @property
    def doubts(self) -> tuple[Message, ...]:
        """What is to be said by hand before a log is read by it, in words; empty where nothing is."""
        needed = ("gpus", "start", "end" if "end" in self.readings else DURATION)
        unsure = (self.readings[name] for name in needed if name in self.readings)
        return (*self.lacking, *(_doubt(one) for one in unsure if not _is_sure(one)))

    @property
    def sure_mapping(self) -> ColumnMapping | None:
        """What may be read without asking, of its columns those that are sure; None where one that is needed is not."""
        if self.mapping is None or self.doubts:
            return None
        needed = ("gpus", "start", "end" if "end" in self.readings else DURATION)
        columns = {
            name: column
            for name, column in self.mapping.columns.items()
            if name in needed or _is_sure(self.readings[name], _SURE_OPTIONAL)
        }
        return ColumnMapping(
            columns, {name: unit for name, unit in self.mapping.units.items() if name in columns}
        )


def completed(mapping: ColumnMapping, source: Source) -> ColumnMapping:
    """A mapping that does not say all that is needed, with what is sure of the other columns of a file.

    Errors: PlannerError where it cannot be read.
    """
    proposal, used = proposal_for(source), {*mapping.columns.values()}
    more = {} if proposal is None else proposal.readings
    added = {
        name: one
        for name, one in more.items()
        if name not in mapping.columns and one.column not in used
        if _is_sure(one, SURE if name in (*REQUIRED, DURATION) else _SURE_OPTIONAL)
        if name != "end" or DURATION not in mapping.columns
    }
    sure = _mapping_of(added)
    return ColumnMapping({**sure.columns, **mapping.columns}, {**sure.units, **mapping.units})


def with_settled_days(mapping: ColumnMapping, proposal: Proposal) -> ColumnMapping:
    """A mapping whose times without a stated unit have day and month in the order that the table itself settles."""
    orders = {
        reading.column: reading.unit
        for reading in proposal.readings.values()
        if reading.unit in FORMS_OF and not reading.note
    }
    order = next(iter(orders.values())) if len(set(orders.values())) == 1 else ""
    settled = {
        name: found
        for name, column in mapping.columns.items()
        if JOB_HOLDS.get(name) is Holds.TIME and not mapping.units.get(name) and not constant_of(column)
        if (found := orders.get(column, order))
    }
    return replace(mapping, units={**mapping.units, **settled}) if settled else mapping


def left_out(mapping: ColumnMapping, proposal: Proposal) -> tuple[Issue, ...]:
    """What is to be told of columns that look like a field and that a whole mapping does not name."""
    ends = {"end", DURATION}
    others = {
        field: reading
        for field, reading in proposal.readings.items()
        if field not in mapping.columns and reading.column not in mapping.columns.values()
        if _is_sure(reading, _SURE_OPTIONAL) and not (field in ends and ends & set(mapping.columns))
    }
    message = worded(
        "not in --map, so not read: {columns}. To use them, add {more}",
        columns=", ".join(f"\u201c{other.column}\u201d" for other in others.values()),
        more=shlex.quote(mapping_text(_mapping_of(others))),
    )
    return (Issue("unknown_column", len(others), 1, message),) if others else ()


def to_map(proposal: Proposal) -> Message:
    """What to write where a proposal is complete and not sure, and why it was not used. Its words are not None."""
    remedy = worded_both("try --map {mapping}", "map its columns", mapping=shlex.quote(proposal.words or ""))
    doubts = proposal.doubts
    return worded("{remedy} ({doubts})", remedy=remedy, doubts=joined(doubts, "; ")) if doubts else remedy


def _is_sure(reading: ColumnReading, least: float = SURE) -> bool:
    """Whether the column and its unit are told by more than a guess."""
    return reading.confidence >= least and not reading.note


def _doubt(reading: ColumnReading) -> Message:
    """Why a field is not sure, in words."""
    why = reading.note or worded("not clear from its name")
    return worded("{name} is uncertain: {why}", name=reading.field, why=why)


@lru_cache(maxsize=8)
def proposal_for(source: Source) -> Proposal | None:
    """What is proposed for a file, kept: several ask it of one; None where it is no table.

    Errors: PlannerError where it cannot be read.
    """
    layout = plain_layout(source)
    return None if layout is None else proposal_of(layout)


def proposal_of(layout: Layout) -> Proposal:
    """What is proposed for a table."""
    has_header = layout.header_rows > 0 or layout.json is not None
    return propose_mapping(
        layout.headings, layout.body, has_header=has_header, is_comma=layout.delimiter == ";"
    )


def propose_mapping(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, has_header: bool = True, is_comma: bool = False
) -> Proposal:
    """From the headings, each of its own, and first rows, as wide, of a table. Nothing is decided without its reason.

    is_comma: its columns are parted as where decimals have a comma, which decides where no number does.
    """
    columns = {heading: [row[place] for row in rows] for place, heading in enumerate(headings)}
    names = {heading: column_names.name_readings(heading) if has_header else {} for heading in headings}
    styles = _styles(columns, names, is_comma=is_comma)
    plain = {
        heading: [plain_number(text, styles[heading].style) for text in texts]
        for heading, texts in columns.items()
    }
    is_day_first = any(style.style == COMMA for style in styles.values()) or any(
        map(column_names.writes_day_first, headings)
    )
    order = _settled_order(columns, names) or ("dmy" if is_day_first else "")
    candidates = [
        reading
        for heading in headings
        for field, name in names[heading].items()
        if (reading := _by_name(field, heading, name, plain[heading], order)) is not None
    ]
    counts = [
        candidate for candidate in candidates if candidate.field == "gpus" and candidate.unit != GPU_HOURS
    ]
    if counts:  # then GPU-hours beside a count are a total
        candidates = [
            candidate for candidate in candidates if candidate.field != "gpus" or candidate in counts
        ]
    if has_header and (limit := _squeue_limit(headings)) is not None:
        candidates = [
            candidate for candidate in candidates if candidate.column != limit and candidate.field != DURATION
        ]
        candidates.append(_squeue_elapsed(headings))
    rank = {field: place for place, field in enumerate((*_ORDER, *MAPPED_FIELDS))}
    candidates.sort(key=lambda one: (-one.confidence, rank[one.field], headings.index(one.column)))
    chosen: Chosen = {}
    for candidate in candidates:
        is_enough = candidate.confidence >= _OPTIONAL_FROM or candidate.field in (*REQUIRED, DURATION)
        if is_enough and candidate.field not in chosen and candidate.column not in _taken(chosen):
            chosen[candidate.field] = candidate
    _add_times(chosen, columns)
    if not has_header:
        _add_counts_and_ids(chosen, plain)
    if DURATION in chosen:
        chosen[DURATION] = _not_for_ages(_with_known_spans(chosen, plain), plain)
    _confirm(chosen, columns)
    _count_over_nodes(chosen)
    _look_for_clocks(chosen, columns, names)
    return _as_proposal({field: _styled(one, styles[one.column]) for field, one in chosen.items()})


def _settled_order(columns: Columns, names: Mapping[str, Mapping[str, column_names.NameReading]]) -> str:
    """Whether the day or the month comes first, where a column of times has dates that are none the other way."""
    said = {
        order
        for heading, fields in names.items()
        if any(JOB_HOLDS[field] is Holds.TIME for field in fields)
        for order, is_open in (decide_order(values.known(columns[heading])),)
        if order in (DAY_FIRST, MONTH_FIRST) and not is_open
    }
    return str(said.pop()) if len(said) == 1 else ""


def _not_for_ages(length: ColumnReading, columns: Columns) -> ColumnReading:
    """The duration, in the next smaller unit where its own would make a log longer than 20 years."""
    while note := note_of_ages(length.unit, columns[length.column]):
        length = replace(length, unit=smaller_length(length.unit), note=note)
    return length


def note_of_ages(unit: str, texts: Sequence[str]) -> Message:
    """That durations in a unit make a log longer than 20 years, with the next smaller one; else no words."""
    smaller = smaller_length(unit)
    longest_s = max((values.length_s(text, unit) or 0 for text in values.known(texts)), default=0)
    if not smaller or longest_s <= LONGEST_LOG_S:
        return NO_WORDS
    return worded(
        "in {unit} the log exceeds 20 years; perhaps {smaller}",
        unit=UNIT_TITLES[unit],
        smaller=UNIT_TITLES[smaller],
    )


def _taken(chosen: Chosen) -> set[str]:
    """The columns that are some field already."""
    return {reading.column for reading in chosen.values()}


def _borne_out(reading: ColumnReading, least: float, reason: Message) -> ColumnReading:
    """A reading that the values bear out: at least so sure, with one reason more."""
    return replace(
        reading, confidence=max(reading.confidence, least), why=joined((reading.why, reason), "; ")
    )


def _styles(
    columns: Columns, names: Mapping[str, Mapping[str, column_names.NameReading]], *, is_comma: bool
) -> dict[str, ColumnStyle]:
    """How the numbers of each column are written; where one column leaves it open the others tell."""

    def of(heading: str, elsewhere: str = "") -> ColumnStyle:
        """How the numbers of a column are written: decimal point or comma, lists.

        The plain way if it holds none.
        """
        fields = names[heading]
        is_number = not fields or not set(NUMBERS).isdisjoint(fields)
        if not is_number or any(field.unit in ("list", "slurm") for field in fields.values()):
            return ColumnStyle()
        texts = values.known(columns[heading])
        return column_style(texts, may_list=not fields or "gpus" in fields, elsewhere=elsewhere)

    alone = {heading: of(heading) for heading in columns}
    styles = {style.style for style in alone.values() if style.style and not style.note}
    if len(styles) == 1:
        elsewhere = styles.pop()
    elif is_comma and not styles:
        elsewhere = COMMA
    else:
        elsewhere = ""
    return {heading: of(heading, elsewhere) for heading in columns} if elsewhere else alone


def _styled(reading: ColumnReading, style: ColumnStyle) -> ColumnReading:
    """A number with the style of its column."""
    if reading.field not in NUMBERS or not style.style or reading.unit in ("list", "slurm"):
        return reading
    return replace(reading, style=style.style, note=reading.note or style.note)


def _count_over_nodes(chosen: Chosen) -> None:
    """A count for each node is one of the job where the nodes are told."""
    gpus, nodes = chosen.get("gpus"), chosen.get("nodes")
    if (
        gpus is not None
        and nodes is not None
        and gpus.note == column_names.PER_NODE
        and nodes.confidence >= _OPTIONAL_FROM
    ):
        why = joined((gpus.why, worded("times the nodes")), "; ")
        chosen["gpus"] = replace(gpus, unit="per_node", confidence=0.9, why=why, note=NO_WORDS)


def _look_for_clocks(
    chosen: Chosen, columns: Columns, names: Mapping[str, Mapping[str, column_names.NameReading]]
) -> None:
    """A date whose time of day stands in a column of its own would be read as midnight: that is asked about."""
    for field in ("start", "end"):
        reading = chosen.get(field)
        if reading is None:
            continue
        has_clocks = any(
            field in fields and heading != reading.column and values.are_clocks(columns[heading])
            for heading, fields in names.items()
        )
        if has_clocks and values.are_days(columns[reading.column]):
            note = worded("dates without times: join both columns")
            chosen[field] = replace(reading, note=note)


def _confirm(chosen: Chosen, columns: Columns) -> None:
    """What the values bear out: from and to whose times are in that order, ids none of which repeats."""
    if "start" in chosen and "end" in chosen:
        both = [chosen[field] for field in ("start", "end")]
        instants = [[values.instant_s(text, one.unit) for text in columns[one.column]] for one in both]
        if all(one.confidence >= 0.4 and not one.note for one in both) and _precedes(*instants):
            for one in both:
                chosen[one.field] = _borne_out(one, 0.8, worded("no end is before its start"))
    if "job_id" in chosen and not chosen["job_id"].note:
        said = values.known(columns[chosen["job_id"].column])
        if len(said) > 2 and len(set(said)) == len(said):
            chosen["job_id"] = _borne_out(chosen["job_id"], 0.9, worded("no value repeats"))


_SQUEUE_ELAPSED: Final = ("time", "time_used")


def _squeue_limit(headings: Sequence[str]) -> str | None:
    """The heading of squeue's END_TIME, which is when a running job has to end and not when it did; None elsewhere."""
    names = [heading.strip().casefold() for heading in headings]
    is_squeue = {"jobid", "end_time"} <= set(names) and not set(_SQUEUE_ELAPSED).isdisjoint(names)
    return headings[names.index("end_time")] if is_squeue else None


def _squeue_elapsed(headings: Sequence[str]) -> ColumnReading:
    """The reading of squeue's listing: the time so far, as END_TIME is only the limit."""
    names = [heading.strip().casefold() for heading in headings]
    place = next(names.index(name) for name in _SQUEUE_ELAPSED if name in names)
    why = joined((worded("squeue's elapsed time"), worded("END_TIME is a time limit")), "; ")
    return ColumnReading(
        field=DURATION, column=headings[place], unit=UNITS_OF[DURATION][0], confidence=0.9, why=why
    )


def _by_name(
    field: str, heading: str, name: column_names.NameReading, texts: Sequence[str], order: str
) -> ColumnReading | None:
    """A reading from what a column is called, weighed with how well its values fit; None if hardly."""
    fits = _FITS.get(JOB_HOLDS[field])
    stated = name.unit or (order if JOB_HOLDS[field] is Holds.TIME else "")
    reading = fits(texts, stated) if fits is not None else values.as_words(texts)
    if not values.known(texts) and field in (*REQUIRED, DURATION):
        unit = name.unit if name.unit in UNITS_OF[field] else UNITS_OF[field][0]
        reading = ValueReading(share=0.6, unit=unit, sure=0.5, note=worded("first rows are empty"))
    confidence = name.confidence * min(1.0, reading.share) * (0.6 + 0.4 * reading.sure)
    if reading.share < 0.3 or confidence < 0.1:
        return None
    return ColumnReading(
        field=field,
        column=heading,
        unit=reading.unit if field in UNITS_OF else "",
        confidence=round(confidence, 2),
        why=joined(filter(None, (_called(heading), reading.why)), "; "),
        note=joined(filter(None, (name.note, reading.note)), "; "),
    )


def _called(heading: str) -> Message:
    """That a column's name says what it is."""
    return worded("heading {heading}", heading=heading)


class _TimeColumn(NamedTuple):
    """A column of times: its heading, how it is read, and the instants of its rows."""

    heading: str
    reading: ValueReading
    instants: list[int | None]


def _add_times(chosen: Chosen, columns: Columns) -> None:
    """Start and end from columns of times whose names say nothing: each row's end is not before its start."""
    lacking = [
        field
        for field in ("start", "end")
        if field not in chosen and not (field == "end" and DURATION in chosen)
    ]
    if not lacking:
        return
    times: list[_TimeColumn] = []
    for heading, texts in columns.items():
        found = values.as_time(texts) if heading not in _taken(chosen) else ValueReading(share=0.0)
        if found.share >= 0.75 and found.sure >= 0.5:
            instants = [values.instant_s(text, found.unit) for text in texts]
            times.append(_TimeColumn(heading=heading, reading=found, instants=instants))
    known_times = {
        field: [values.instant_s(text, chosen[field].unit) for text in columns[chosen[field].column]]
        for field in ("start", "end")
        if field in chosen
    }

    def choose(
        field: str, heading: str, reading: ValueReading, sure: float, why: Message, note: Message
    ) -> None:
        """Takes a column for a field by its values alone."""
        chosen[field] = ColumnReading(
            field=field,
            column=heading,
            unit=reading.unit,
            confidence=sure,
            why=worded("by values only: {why}", why=why),
            note=note,
        )

    if lacking == ["start", "end"]:
        pairs = [
            (first, second)
            for first in times
            for second in times
            if first is not second and _precedes(first.instants, second.instants)
        ]
        if pairs:  # of submit, start and end it is the last two
            both = max(pairs, key=_typical_of_both)
            for field, column in zip(lacking, both, strict=True):
                why = column.reading.why
                choose(field, column.heading, column.reading, 0.4, why, worded("no matching name"))
        return
    no_name = worded("no matching name")
    starts = known_times.get("start", ())
    after = [time for time in times if starts and _precedes(starts, time.instants)]
    ends = known_times.get("end", ())
    before = [time for time in times if ends and _precedes(time.instants, ends)]
    if after:
        end = min(after, key=_typical_time)
        choose("end", end.heading, end.reading, 0.35, worded("never before the start"), no_name)
    elif before:
        start = max(before, key=_typical_time)
        choose("start", start.heading, start.reading, 0.35, worded("never after the end"), no_name)


def _typical_time(column: _TimeColumn) -> int:
    """The latest instant of a column."""
    return _typical(column.instants)


def _typical_of_both(columns: tuple[_TimeColumn, _TimeColumn]) -> tuple[int, int]:
    """The latest instants of a start and an end, that of the end first."""
    start, end = columns
    return _typical_time(end), _typical_time(start)


def _typical(instants: Sequence[int | None]) -> int:
    """The latest of some instants: near enough to tell a time from a small number."""
    return max((at for at in instants if at is not None), default=0)


def _precedes(first: Sequence[int | None], second: Sequence[int | None]) -> bool:
    """Whether one column of times lies before another in 95% of the rows, at least once strictly."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    return (
        len(pairs) >= 2
        and sum(a <= b for a, b in pairs) >= 0.95 * len(pairs)
        and any(a < b for a, b in pairs)
    )


def _add_counts_and_ids(chosen: Chosen, columns: Columns) -> None:
    """GPUs and ids of a table without a header: small whole numbers, and texts that never repeat."""
    free = [heading for heading in columns if heading not in _taken(chosen)]
    of_gpus = [heading for heading in free if "gres/gpu" in " ".join(values.known(columns[heading]))]
    of_gpus += [heading for heading in free if _is_small_count(columns[heading])]
    if "gpus" not in chosen and of_gpus:
        gpus = values.as_gpus(columns[of_gpus[0]])
        why = worded("by values only: {why}", why=gpus.why)
        note = worded("no matching name: check that these are GPUs")
        chosen["gpus"] = ColumnReading(
            field="gpus", column=of_gpus[0], unit=gpus.unit, confidence=0.3, why=why, note=note
        )
    free = [heading for heading in free if heading not in _taken(chosen)]
    of_slurm = [heading for heading in free if are_job_ids(values.known(columns[heading]))]
    if "job_id" not in chosen and of_slurm:
        why, note = worded("values like Slurm job ids"), worded("no matching name")
        chosen["job_id"] = ColumnReading(
            field="job_id", column=of_slurm[0], confidence=0.7, why=why, note=note
        )
    for heading in free:
        said = values.known(columns[heading])
        is_free = "job_id" not in chosen
        is_distinct = (
            len(said) > 1 and len(set(said)) == len(said) and not any("." in one for one in said[:5])
        )
        if is_free and is_distinct and values.as_id(said).share:
            why, note = worded("no value repeats"), worded("no matching name")
            chosen["job_id"] = ColumnReading(
                field="job_id", column=heading, confidence=0.45, why=why, note=note
            )


def _is_small_count(texts: Sequence[str]) -> bool:
    """Whether the values are whole counts up to 1,024 with few different ones, as counts of GPUs are.

    Large ones that never repeat are ids.
    """
    said = values.known(texts)
    numbers = values.numbers_of(said)
    is_small = bool(numbers) and len(numbers) == len(said) and min(numbers) >= 0 and 1 <= max(numbers) <= 1024
    are_ids = len(set(numbers)) == len(numbers) > 1 and min(numbers, default=0) > 64
    return is_small and not are_ids and len(set(numbers)) <= max(4, len(numbers) / 3)


def _with_known_spans(chosen: Mapping[str, ColumnReading], columns: Columns) -> ColumnReading:
    """The duration, in the unit in which it is the time from start to end."""
    length = chosen[DURATION]
    if "start" not in chosen or "end" not in chosen:
        return length
    texts, spans = [], []
    starts, ends = (chosen[field] for field in ("start", "end"))
    for text, begun, ended in zip(
        columns[length.column], columns[starts.column], columns[ends.column], strict=True
    ):
        from_s, to_s = values.instant_s(begun, starts.unit), values.instant_s(ended, ends.unit)
        if from_s is not None and to_s is not None:
            texts.append(text)
            spans.append(to_s - from_s)
    unit = values.unit_of_lengths(texts, spans)
    if unit is None:
        return length
    by_name = replace(length, unit=unit, why=_called(length.column), note=NO_WORDS)
    return _borne_out(by_name, 0.95, worded("equals end minus start in this unit"))


_NO_GPUS: Final = worded("no column for gpus (gpus==1 gives each job one GPU)")


def _as_proposal(chosen: Mapping[str, ColumnReading]) -> Proposal:
    """The readings as a mapping; none at all if no field of use was found."""
    mapping = _mapping_of(chosen)
    lacking = tuple(
        worded("no column for {name}", name=name) if name != "gpus" else _NO_GPUS for name in mapping.lacking
    )
    is_of_use = any(field in mapping.columns for field in ("gpus", "start", "end", DURATION))
    return Proposal(mapping if is_of_use else None, chosen, lacking)


def _mapping_of(chosen: Mapping[str, ColumnReading]) -> ColumnMapping:
    """The readings as a mapping; units that are the usual ones are left out."""
    columns = {field: chosen[field].column for field in MAPPED_FIELDS if field in chosen}
    units = {
        field: said
        for field in columns
        if (said := chosen[field].unit_words)
        and (field == DURATION or said != next(iter(UNITS_OF.get(field, ())), ""))
    }
    return ColumnMapping(columns, units)
