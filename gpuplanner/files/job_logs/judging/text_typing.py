"""Typing as one expression: the texts of jobs to typed rows and their validation, on engines that are not embedded.

It says in ibis what row_fates says to the embedded engine; a test holds the two together. What is written in an
unusual way is read in Python once for each distinct text (`Readings`), as it is there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.job_logs.judging.dialect import TEXT_FIELDS
from gpuplanner.files.job_logs.judging.job_store import FLAGS
from gpuplanner.files.job_logs.judging.row_texts import read_odd_time
from gpuplanner.files.sources.issue_texts import LONG, SHORT
from gpuplanner.files.values.gpu_names import GpuReading
from gpuplanner.files.values.scheduler_words import CANCELLED, PENDING, RUNNING, finality, read_state
from gpuplanner.files.values.times import (
    EARLIEST_S,
    LATEST_S,
    MISSING_TEXTS,
    ClockSpan,
    LocalTime,
    read_zone,
    zone_spans,
)
from gpuplanner.files.values.written_dates import SECONDS_PER, read_duration
from gpuplanner.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from ibis.expr.types import BooleanValue, IntegerValue, StringValue, Table, Value

_BLANKS: Final = r"^[ \t\r\n]+|[ \t\r\n]+$"
_USUAL_TIME: Final = (
    r"^[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)"
    r"[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
)
"""Days that there are in every year; the 29th of February is read one by one."""

_PLAIN_NUMBER: Final = r"^[0-9]{1,14}$"
_TIMES: Final = ("start", "end", "elapsed")


@dataclass(frozen=True, slots=True)
class Units:
    """Of start, end (None: ISO 8601) and durations, as in JobTable."""

    start: str | None = None
    end: str | None = None
    elapsed: str = "s"
    end_is_elapsed: bool = False


@dataclass(frozen=True, slots=True)
class Readings:
    """What Python made of distinct texts, as tables with a column `text`, and what the zone texts of times mean.

    odd_times: clock_s, rest; odd_durations: seconds; gpus: milli_gpus, gpu_fault, its_model; states: state, finality.
    spans: of each zone text that is one, ascending; unknown_zones: texts that name no zone; naive: texts of none.
    """

    odd_times: "Table"
    odd_durations: "Table"
    gpus: "Table"
    states: "Table"
    spans: Mapping[str, Sequence[ClockSpan]]
    unknown_zones: Sequence[str]
    naive: Sequence[str]
    is_any_zoned: bool


def staged_texts(
    raw: "Table", column_of: Mapping[str, str], units: Units, ragged: str | None = None
) -> "Table":
    """Every field trimmed or null, and times read where their form is the usual one.

    raw: columns of text, with `line`. ragged: the column that has the code of rows of too few or too many cells.
    Returns line, ragged, TEXT_FIELDS, {start,end}_clock_s and _rest, elapsed_quick_s.
    """
    import ibis

    texts: dict[str, Any] = {
        "line": raw.line,
        "ragged": ibis.literal("") if ragged is None else ibis.coalesce(raw[ragged], ""),
    }
    for field in TEXT_FIELDS:
        text = _trimmed(raw[column_of[field]]) if field in column_of else ibis.null("string")
        if field in _TIMES and field in column_of:
            text = text.lower().isin(MISSING_TEXTS).ifelse(ibis.null("string"), text)
        texts[field] = text
    staged = raw.select(**texts)
    start_clock_s, start_rest = _time_parts(staged.start, units.start)
    end_clock_s, end_rest = _time_parts(staged.end, units.end)
    return staged.mutate(
        start_clock_s=start_clock_s,
        start_rest=start_rest,
        end_clock_s=end_clock_s,
        end_rest=end_rest,
        elapsed_quick_s=_whole_seconds(staged.elapsed, units.elapsed),
    )


def _trimmed(text: "StringValue") -> "StringValue":
    """Looking for blanks is much cheaper than taking them away."""
    has_none = (text >= "!") & (text.right(1) > " ")
    return has_none.ifelse(text, text.re_replace(_BLANKS, "").nullif(""))


def _time_parts(text: "StringValue", unit: str | None) -> "tuple[IntegerValue, StringValue]":
    """Local seconds and the text of the zone behind a time; null where it is not in the usual form."""
    import ibis

    if unit is not None:
        seconds = _whole_seconds(text, unit)
        return seconds, seconds.notnull().ifelse("Z", ibis.null("string"))
    is_usual = text.re_search(_USUAL_TIME)

    def part(begin: int, length: int) -> "IntegerValue":
        """So many digits of a usual time as a number; 1 where it is none, as the cast must not fail."""
        return is_usual.ifelse(text.substr(begin, length), "1").cast("int64")

    days = _days_since_1970(part(0, 4), part(5, 2), part(8, 2))
    clock_s = days * DAY_S + part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2)
    rest = text.substr(19).re_replace(r"^[.,][0-9]*", "")
    return is_usual.ifelse(clock_s, ibis.null("int64")), is_usual.ifelse(rest, ibis.null("string"))


def _days_since_1970(year: "IntegerValue", month: "IntegerValue", day: "IntegerValue") -> "IntegerValue":
    """Whole numbers alone, so that every engine agrees: years begin in March, leap days come last."""
    import ibis

    years = year - (month <= 2).ifelse(ibis.literal(1, "int64"), ibis.literal(0, "int64"))
    months = (month + 9) % 12
    return years * 365 + years // 4 - years // 100 + years // 400 + (months * 153 + 2) // 5 + day - 719_469


def _whole_seconds(text: "StringValue", unit: str) -> "IntegerValue":
    """A plain number in a unit as whole seconds, rounded down; null where it is no plain number."""
    import ibis

    is_plain = text.re_search(_PLAIN_NUMBER)
    number = is_plain.ifelse(text, "0").cast("int64")
    per = SECONDS_PER[unit]
    seconds = number * per.numerator if per.denominator == 1 else number // per.denominator
    return is_plain.ifelse(seconds, ibis.null("int64"))


def distinct_texts(texts: "Table") -> "Table":
    """What Python is to read, each text once: kind, text, first_s, last_s; in one pass over the rows.

    kind: start, end, elapsed, gpus, state, or rest (a zone text, with the first and last clock second it stands by).
    """
    import ibis

    null, none = ibis.null("string"), ibis.null("int64")
    told = [
        ("start", texts.start_clock_s.isnull().ifelse(texts.start, null), none),
        ("end", texts.end_clock_s.isnull().ifelse(texts.end, null), none),
        ("elapsed", texts.elapsed_quick_s.isnull().ifelse(texts.elapsed, null), none),
        ("gpus", texts.gpus, none),
        ("state", texts.state, none),
        ("rest", texts.start_rest, texts.start_clock_s),
        ("rest", texts.end_rest, texts.end_clock_s),
    ]
    every = ibis.array(
        [ibis.struct({"kind": kind, "text": text, "clock_s": clock_s}) for kind, text, clock_s in told]
    )
    one = texts.select(told=every.unnest()).unpack("told")
    return (
        one.filter(one.text.notnull())
        .group_by("kind", "text")
        .aggregate(first_s=lambda table: table.clock_s.min(), last_s=lambda table: table.clock_s.max())
    )


def read_texts(
    told: Iterable[tuple[str, str, int | None, int | None]],
    units: Units,
    read_gpus: Callable[[str], GpuReading],
    timezone: str | None,
    make_table: Callable[[str, Mapping[str, str], Sequence[tuple[Any, ...]]], "Table"],
) -> Readings:
    """The rows of `distinct_texts`, read. make_table: a small table of an engine from name, column types and rows."""
    texts: dict[str, list[str]] = {}
    clocks: dict[str, tuple[int, int]] = {}

    def note(rest: str, first_s: int, last_s: int) -> None:
        """Widens the span of local seconds in which the text of a zone occurs."""
        low, high = clocks.get(rest, (first_s, last_s))
        clocks[rest] = (min(low, first_s), max(high, last_s))

    for kind, text, first_s, last_s in told:
        if kind == "rest" and first_s is not None and last_s is not None:
            note(text, first_s, last_s)
        else:
            texts.setdefault(kind, []).append(text)
    odd: dict[str, LocalTime] = {}
    for kind, unit in (("start", units.start), ("end", units.end)):
        for text in texts.get(kind, ()):
            read = read_odd_time(text, unit)
            if read is not None:
                odd[text] = read
                note(read.zone_text, read.clock_s, read.clock_s)
    zones = {text: read_zone(text) for text in sorted(clocks)}
    gpus = [(text, read_gpus(text)) for text in texts.get("gpus", ())]
    states = [(text, read_state(text)) for text in texts.get("state", ())]
    return Readings(
        odd_times=make_table(
            "odd_times",
            {"text": "string", "clock_s": "int64", "rest": "string"},
            [(text, at.clock_s, at.zone_text) for text, at in odd.items()],
        ),
        odd_durations=make_table(
            "odd_durations",
            {"text": "string", "seconds": "int64"},
            [(text, read_duration(text, units.elapsed)) for text in texts.get("elapsed", ())],
        ),
        gpus=make_table(
            "gpu_readings",
            {"text": "string", "milli_gpus": "int64", "gpu_fault": "string", "its_model": "string"},
            [(text, read.milli_gpus, read.fault, read.gpu_model) for text, read in gpus],
        ),
        states=make_table(
            "states",
            {"text": "string", "state": "string", "finality": "int64"},
            [(text, state, finality(state)) for text, state in states],
        ),
        spans={
            text: zone_spans(zone, clocks[text], timezone) for text, zone in zones.items() if not zone.fault
        },
        unknown_zones=[text for text, zone in zones.items() if zone.fault == "unknown_timezone"],
        naive=[text for text, zone in zones.items() if zone.is_naive],
        is_any_zoned=any(not zone.is_naive for zone in zones.values()),
    )


def judged_rows(texts: "Table", readings: Readings, units: Units, file: int) -> "Table":
    """Typed rows, each with its fate and FLAGS: one fault a row, the first that holds.

    texts: of `staged_texts`. See docs/interface.md, How a row ends.
    """
    import ibis

    null = ibis.null("string")
    odd_start, odd_end = readings.odd_times, readings.odd_times.view()
    read = texts.left_join(odd_start, texts.start == odd_start.text).select(
        *(texts[name] for name in texts.columns if name not in ("start_clock_s", "start_rest")),
        start_clock_s=ibis.coalesce(texts.start_clock_s, odd_start.clock_s),
        start_rest=ibis.coalesce(texts.start_rest, odd_start.rest),
    )
    read = read.left_join(odd_end, read.end == odd_end.text).select(
        *(read[name] for name in read.columns if name not in ("end_clock_s", "end_rest")),
        end_clock_s=ibis.coalesce(read.end_clock_s, odd_end.clock_s),
        end_rest=ibis.coalesce(read.end_rest, odd_end.rest),
    )
    durations, gpus, states = readings.odd_durations, readings.gpus, readings.states
    read = read.left_join(durations, read.elapsed == durations.text).select(
        *(read[name] for name in read.columns),
        elapsed_s=ibis.coalesce(read.elapsed_quick_s, durations.seconds),
    )
    read = read.left_join(gpus, read.gpus == gpus.text).select(
        *(read[name] for name in read.columns if name != "gpu_model"),
        gpu_model=ibis.coalesce(read.gpu_model, gpus.its_model),
        milli_gpus=ibis.coalesce(gpus.milli_gpus, 0),
        gpu_fault=gpus.gpu_fault,
    )
    read = read.left_join(states, read.state == states.text).select(
        *(read[name] for name in read.columns if name != "state"),
        state=ibis.coalesce(states.state, ""),
        finality=ibis.coalesce(states.finality, 1),
    )

    def instant(prefix: str, of_span: Callable[[ClockSpan], int]) -> "IntegerValue":
        """UTC seconds from a local clock, by the offset of its zone at that time."""
        clock_s = read[f"{prefix}_clock_s"]
        return clock_s - _of_zone(readings, read[f"{prefix}_rest"], clock_s, of_span)

    def is_any(of_span: Callable[[ClockSpan], int]) -> "BooleanValue":
        """Whether either of the two times has this mark in its zone."""
        found = [
            ibis.coalesce(_of_zone(readings, read[f"{prefix}_rest"], read[f"{prefix}_clock_s"], of_span), 0)
            for prefix in ("start", "end")
        ]
        return found[0] + found[1] > 0

    is_end_missing = read.end.isnull()
    start_s = instant("start", lambda span: span.earlier_offset_s)
    early_end_s = instant("end", lambda span: span.earlier_offset_s)
    late_end_s = instant("end", lambda span: span.later_offset_s)
    takes_later = (early_end_s < start_s) & (late_end_s >= start_s)
    stated_end_s = is_end_missing.ifelse(
        start_s + read.elapsed_s, takes_later.fill_null(False).ifelse(late_end_s, early_end_s)
    )
    timed = read.mutate(
        start_s=start_s,
        stated_end_s=stated_end_s,
        is_repeated=is_any(lambda span: int(span.is_repeated)),
        is_skipped=is_any(lambda span: int(span.is_skipped)),
        is_naive=_is_in(read.start_rest, readings.naive) | _is_in(read.end_rest, readings.naive),
        has_bad_zone=_is_in(read.start_rest, readings.unknown_zones)
        | _is_in(read.end_rest, readings.unknown_zones),
    )
    is_end_missing, has_elapsed = timed.end.isnull(), timed.elapsed.notnull()
    is_bad_elapsed = is_end_missing & timed.elapsed_s.isnull()
    faults: list[tuple[Any, Any]] = [
        (timed.ragged == LONG, LONG),
        (timed.state == PENDING, "pending"),
        ((timed.state == CANCELLED) & timed.start.isnull(), "never_started"),
        (timed.has_bad_zone, "unknown_timezone"),
        (timed.start_s.isnull(), "bad_time"),
        (~timed.start_s.between(EARLIEST_S, LATEST_S - 1), "bad_time"),
        (~is_end_missing & timed.stated_end_s.isnull(), "bad_time"),
        (timed.stated_end_s.notnull() & ~timed.stated_end_s.between(EARLIEST_S, LATEST_S - 1), "bad_time"),
        (timed.stated_end_s < timed.start_s, "end_before_start"),
        (timed.gpu_fault.notnull(), timed.gpu_fault),
    ]
    is_running = timed.state == RUNNING
    if units.end_is_elapsed:
        faults.insert(-2, (is_bad_elapsed & (has_elapsed | ~is_running), "bad_duration"))
    else:
        faults.insert(6, (is_end_missing & ~is_running, "bad_time"))
    code = ibis.cases(*((condition.fill_null(False), what) for condition, what in faults), else_=null)
    nodes = _small_number(timed.nodes, 1, 10**6)
    is_whole = nodes == nodes.floor()
    activity = _small_number(timed.activity.re_replace("[% ]+$", ""), 0, 100)
    label = timed.label.lower().isin([str(pool) for pool in POOLS])
    fate = ibis.cases(
        (code.isin(("pending", "never_started")), "ignored"), (code.notnull(), "rejected"), else_="accepted"
    )
    flags = _flags(
        naive=timed.is_naive,
        mixed_zones=timed.is_naive & ibis.literal(readings.is_any_zoned),
        repeated=timed.is_repeated,
        skipped=timed.is_skipped,
        bad_number=(timed.nodes.notnull() & ~is_whole.fill_null(False))
        | (timed.activity.notnull() & activity.isnull()),
        bad_duration=is_bad_elapsed & has_elapsed,
        bad_label=timed.label.notnull() & ~label.fill_null(False),
    )
    return timed.select(
        file=ibis.literal(file, "int64"),
        line=timed.line,
        fate=fate,
        code=code,
        job_id=timed.job_id,
        cluster=ibis.coalesce(timed.cluster, ""),
        name=ibis.coalesce(timed.name, ""),
        account=timed.account,
        user=timed.user,
        queue=timed.queue,
        gpu_model=timed.gpu_model,
        milli_gpus=timed.milli_gpus,
        nodes=is_whole.ifelse(nodes.cast("int64"), ibis.null("int64")),
        start_s=timed.start_s,
        end_s=timed.stated_end_s,
        is_running=is_end_missing & is_running,
        is_short=timed.ragged == SHORT,
        state=timed.state,
        finality=timed.finality,
        activity_milli_percent=(activity * 1000).round().cast("int64"),
        label=label.fill_null(False).ifelse(timed.label.lower(), null),
        model=timed.model,
        hosts=timed.hosts,
        flags=flags,
    )


def _flags(**conditions: "BooleanValue") -> "IntegerValue":
    """The sum of FLAGS that hold."""
    import ibis

    none = ibis.literal(0, "int64")
    bits = [
        condition.ifelse(ibis.literal(FLAGS[name], "int64"), none) for name, condition in conditions.items()
    ]
    return sum(bits[1:], bits[0])


def _small_number(text: "StringValue", low: int, high: int) -> "Any":
    """A number in its range as a float, else null."""
    import ibis

    number = text.try_cast("float64")
    return number.between(low, high).fill_null(False).ifelse(number, ibis.null("float64"))


def _is_in(text: "StringValue", words: Sequence[str]) -> "BooleanValue":
    """Whether a text is one of some words; false for null."""
    import ibis

    return text.isin(list(words)).fill_null(False) if words else ibis.literal(False)


def _of_zone(
    readings: Readings, rest: "StringValue", clock_s: "IntegerValue", of_span: Callable[[ClockSpan], int]
) -> "IntegerValue":
    """A figure of the span that each time falls in; null where the zone is at fault."""
    import ibis

    branches = [(rest == text, _of_spans(spans, clock_s, of_span)) for text, spans in readings.spans.items()]
    return ibis.cases(*branches, else_=ibis.null("int64")) if branches else ibis.null("int64")


def _of_spans(
    spans: Sequence[ClockSpan], clock_s: "IntegerValue", of_span: Callable[[ClockSpan], int]
) -> "Value":
    """A search by halves through the spans."""
    import ibis

    if len({of_span(span) for span in spans}) == 1:
        return ibis.literal(of_span(spans[0]), "int64")
    middle = len(spans) // 2
    low, high = (_of_spans(half, clock_s, of_span) for half in (spans[:middle], spans[middle:]))
    return (clock_s < spans[middle].clock_s).ifelse(low, high)
