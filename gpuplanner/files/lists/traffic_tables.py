"""Traffic of an endpoint: traces of requests judged by the engine, or rates by hour of the week."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.assumptions import read_share
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.domain.model.places import Traffic, WeekRates
from gpuplanner.domain.model.window import HOURS_OF_WEEK, iso_utc
from gpuplanner.domain.serving.load import typed_week
from gpuplanner.files.lists.planned_work import hours_of
from gpuplanner.files.sources.issue_texts import LONG, SHORT, long_words
from gpuplanner.files.sources.json_values import json_paths, json_records, text_of
from gpuplanner.files.sources.raw_table import RawTable, load_raw, load_records
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.system.resources import rows_as
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.small_table import (
    REJECTED_ROWS_KEPT,
    Row,
    RowEnds,
    RowError,
    TableKind,
    one_value,
)
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass

# --- Traces of requests: what each kind calls the time and tokens of a request, and its rows as a table of the engine

OURS: Final = worded("requests with tokens")

FROM_BEGINNING_US: Final = {"ms": 1_000, "s": 1_000_000}
"""Microseconds of a unit in which times count from the beginning of a trace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestForm:
    """format: empty where it has no name. time, context, generated: names in small letters, the best first.

    marks: names that such a trace has besides. unit: of times that count from the beginning of the trace; empty where
    they have dates. is_json: objects, else a table. date: how the time of its first request begins.
    """

    format: str
    why: Message
    time: tuple[str, ...]
    context: tuple[str, ...]
    generated: tuple[str, ...]
    marks: tuple[str, ...] = ()
    unit: str = ""
    is_json: bool = False
    date: str = ""

    def fits(self, names: Sequence[str]) -> bool:
        """Whether these names tell the time and tokens of requests as this kind does."""
        has_all = all(set(names) & set(known) for known in (self.time, self.context, self.generated))
        return has_all and set(self.marks) <= set(names)


FORMS: Final = rows_as(RequestForm, "request_forms.csv")
"""The kinds, those with a name first."""


def request_form(head: str) -> RequestForm | None:
    """The kind of trace that a text begins; None where it lists no requests with their tokens."""
    paths = json_paths(head)
    if paths:
        names = [path.removeprefix("item.").removesuffix(".item") for path in paths]
        is_json = True
    else:
        names, is_json = list(header_columns(head).columns), False
    fitting = (form for form in FORMS if form.is_json == is_json and form.fits(names))
    return next((form for form in fitting if _begins_in(head, form.date)), None)


def _begins_in(head: str, date: str) -> bool:
    """Whether the first row below the header begins with this; anything does with nothing."""
    rows = [line for line in head.splitlines() if line.strip()][1:2]
    return not date or any(row.lstrip('" ').startswith(date) for row in rows)


def load_requests(engine: Engine, source: Source, form: RequestForm) -> RawTable:
    """Every request of a file, with the columns that the form names. Errors: PlannerError file_unreadable."""
    if not form.is_json:
        delimiter, columns = header_columns(source.head)
        return load_raw(engine, source, "traffic", columns, delimiter=delimiter, is_whole=True)
    names = (form.time[0], form.context[0], form.generated[0])

    def cells() -> Iterator[tuple[int, list[str]]]:
        """Each record's time and tokens as texts, numbered as in the file; what is no object keeps its text."""
        for row, value in json_records(source):
            is_object = isinstance(value, dict)
            yield row, [text_of(value.get(name)) for name in names] if is_object else [text_of(value), "", ""]

    return load_records(engine, source, "traffic", names, cells())


# --- Requests of an inference service, judged by the engine: what a trace of them holds ----------

KIND: Final = "traffic"


def sniff(head: str, form: RequestForm) -> float:
    """How sure it is that a text begins a record of traffic of that form, 0..1."""
    return 1.0 if request_form(head) is form else 0.0


def describe(source: Source, form: RequestForm) -> FileIntake:
    """Requests, tokens, span, and the minute with most requests. Errors: PlannerError file_unreadable."""
    ends = RowEnds()
    with open_engine(size_bytes=source.size) as engine:
        facts = _requests(engine, load_requests(engine, source, form), ends, form)
    return ends.intake(source, KIND, form.format, facts)


def _requests(engine: Engine, raw: RawTable, ends: RowEnds, form: RequestForm) -> Facts:
    """Times are read to the microsecond; a minute is one of the clock."""
    judge_requests(engine, raw, ends, form)
    found = engine.one(
        """select count(*), cast(sum(context) as bigint), cast(sum(generated) as bigint), max(context),
            max(generated), min(at_us), max(at_us), count(*) filter (where generated = 0)
        from judged where fault is null"""
    )
    requests, context_sum, generated_sum, longest, longest_answer, first_us, last_us, unanswered = found
    busiest = engine.all(
        """select at_us // 60000000 * 60, count(*) from judged where fault is null
        group by 1 order by 2 desc, 1 limit 1"""
    )
    minute_s, peak = busiest[0] if busiest else (None, None)
    return (
        ("requests", requests),
        ("context_tokens", context_sum),
        ("generated_tokens", generated_sum),
        ("first_request", _iso(first_us)),
        ("last_request", _iso(last_us)),
        ("span_s", None if first_us is None else (last_us - first_us) / 1e6),
        ("peak_requests_per_minute", peak),
        ("peak_minute", None if minute_s is None else iso_utc(minute_s)),
        ("longest_context_tokens", longest),
        ("longest_generated_tokens", longest_answer),
        ("without_answer", unanswered),
    )


def judge_requests(engine: Engine, raw: RawTable, ends: RowEnds, form: RequestForm) -> None:
    """The table judged: at_us, context, generated and fault (null: good) of every request; what is bad is noted.

    Times that count from the beginning of a trace are read as those since 1970, and it is said.
    """
    time, context, generated = (_column(raw, names) for names in (form.time, form.context, form.generated))
    engine.run(
        f"""create or replace table requests as
        select line, stamp, c, g, {_clock_columns(form)},
            try_cast(c as bigint) as context, try_cast(g as bigint) as generated
        from (select line, coalesce(trim({time}), '') as stamp, trim({context}) as c, trim({generated}) as g
            from "{raw.name}")"""
    )
    engine.run(
        f"""create or replace table judged as
        select line, stamp, c, g, is_zoned, context, generated,
            second_us + fraction_us - offset_us as at_us,
            case {_fault_of_long(engine, raw)}
                when second_us is null or not is_time then 'bad_time'
                when not coalesce(context between 0 and 1000000000 and generated between 0 and 1000000000, false)
                then 'bad_number'
                end as fault
        from requests"""
    )
    (ends.read,) = engine.one("select count(*) from judged")
    _note_short(engine, raw, ends)
    for code, count, first in engine.all(
        "select fault, count(*), min(line) from judged where fault is not null group by 1"
    ):
        for line, at, c, g in engine.all(
            "select line, stamp, c, g from judged where fault = ? order by line limit ?",
            [code, REJECTED_ROWS_KEPT],
        ):
            ends.reject(line, _fault(code, raw, line, at, c, g), f"{at},{c},{g}")
        if count > REJECTED_ROWS_KEPT:
            ends.reject(first, RowError(code, NO_WORDS), "", count - REJECTED_ROWS_KEPT)
    if form.unit:
        good, first_good = engine.one("select count(*), min(line) from judged where fault is null")
        if good:
            ends.note("before_1980", first_good, *_FROM_BEGINNING, count=good)
    naive, first_naive = engine.one(
        "select count(*), min(line) from judged where fault is null and not is_zoned"
    )
    if naive:
        ends.note("naive_time_assumed_utc", first_naive, count=naive)


_FROM_BEGINNING: Final = (
    worded("times from the trace's start, read as seconds since 1970-01-01 UTC"),
    worded("no action needed"),
)


def _fault(
    code: str, raw: RawTable, line: int, at: str, context: str | None, generated: str | None
) -> RowError:
    """What is wrong with a request, in words."""
    if code == LONG:
        width = len(raw.columns)
        return RowError(code, long_words([""] * (width + len(raw.ragged.beyond.get(line, ()))), width))
    if code == "bad_time":
        return RowError(code, worded("the time is {at}", at=at))
    return RowError(
        code,
        worded("the tokens are {c} and {g}", c=f"{context!r}", g=f"{generated!r}"),
        worded("write them as whole numbers"),
    )


def _fault_of_long(engine: Engine, raw: RawTable) -> str:
    """SQL of a case: the fault of requests with too many cells, empty where there are none."""
    if not raw.ragged.long:
        return ""
    engine.keep("long_lines", {"line": raw.ragged.long.tolist()}, {"line": "bigint"})
    return f"when line in (select line from long_lines) then '{LONG}'"


def _note_short(engine: Engine, raw: RawTable, ends: RowEnds) -> None:
    """Say which requests of too few cells were taken."""
    if raw.ragged.short:
        engine.keep("short_lines", {"line": raw.ragged.short.tolist()}, {"line": "bigint"})
        count, first = engine.one(
            "select count(*), min(line) from judged join short_lines using (line) where fault is null"
        )
        if count:
            ends.note(SHORT, first, count=count)


def _clock_columns(form: RequestForm) -> str:
    """SQL for second_us, fraction_us, offset_us, is_zoned and is_time of `stamp`."""
    if form.unit:
        factor, most = FROM_BEGINNING_US[form.unit], _LATEST_US // FROM_BEGINNING_US[form.unit]
        number = "try_cast(stamp as decimal(24, 6))"
        return f"""case when {number} between 0 and {most} then cast({number} * {factor} as bigint) end as second_us,
            0 as fraction_us, 0 as offset_us, true as is_zoned, true as is_time"""
    offset = r"regexp_extract(stamp, '([+-])(\d{2}):?(\d{2})$', ['sign', 'hours', 'minutes'])"
    fraction = r"try_cast(rpad(regexp_extract(stamp, '^.{19}[.,](\d{1,6})', 1), 6, '0') as bigint)"
    minutes = f"60 * try_cast({offset}.hours as bigint) + try_cast({offset}.minutes as bigint)"
    return f"""epoch_us(try_cast(replace(left(stamp, 19), 'T', ' ') as timestamp)) as second_us,
            coalesce({fraction}, 0) as fraction_us, length(stamp) > 19 and {offset}.sign <> '' as has_offset,
            has_offset or lower(right(stamp, 1)) = 'z' as is_zoned,
            case when has_offset then (case when {offset}.sign = '-' then -60000000 else 60000000 end) * ({minutes})
                else 0 end as offset_us, regexp_matches(stamp, '^[12][0-9]{{3}}-') as is_time"""


_LATEST_US: Final = 10**16
"""More than three hundred years: nothing that counts from the beginning of a trace is later."""


def _column(raw: RawTable, names: tuple[str, ...]) -> str:
    """The column under the first of these names; one is there, the form was told by it."""
    return next(column for name in names if (column := raw.column(name)) is not None)


def _iso(microseconds: int | None) -> str | None:
    """Microseconds since 1970 as ISO text in UTC, to the second; None stays None."""
    return None if microseconds is None else iso_utc(microseconds // 1_000_000)


# --- Traffic of an endpoint: a list of requests read to tokens by hour, or rates by hour of the week


def read_traffic(path: str) -> tuple[Traffic, FileIntake]:
    """The tokens of every hour with requests, and how the rows ended; a bad row counts nowhere.

    Errors: PlannerError missing_column where it lists no requests with tokens, file_missing, file_unreadable.
    """
    with sources_of(path) as sources:
        return _hourly(sources[0])


def read_load(path: str) -> tuple[Traffic | WeekRates, FileIntake]:
    """Requests by hour, or the rates of a week, whichever the file has. Errors: as `read_traffic`."""
    with sources_of(path) as sources:
        source = sources[0]
        return _weekly(source) if WEEK.sniff(source.head) else _hourly(source, is_week_taken=True)


TYPED: Final = ("requests", "in", "out", "hours", "peak-share")
"""What is typed of traffic, by the options of `size`."""


def typed_load(texts: Mapping[str, str], shape: Sequence[float] = ()) -> WeekRates:
    """Typed traffic: `TYPED` by name; tokens that are not stated are as assumed, hours and days even.

    shape: as of `typed_week`. Errors: PlannerError, whose place is the name, of a share its text.
    """
    numbers: dict[str, float | None] = {}
    for name in TYPED[:3]:
        typed = texts.get(name, "")
        number = read_decimal(typed.replace(",", ""))
        if (typed or name == TYPED[0]) and (number is None or not 0 < number <= _RATE_AT_MOST):
            fault = worded("{text} is not a number above 0", text=repr(typed))
            raise PlannerError(name, "usage", fault, worded("enter a number, such as 40"))
        numbers[name] = None if number is None else float(number)
    hours, share = hours_of(texts.get("hours", "")), read_share(texts.get("peak-share", ""))
    return typed_week(numbers["requests"] or 0.0, numbers["in"], numbers["out"], hours, share, shape)


def _weekly(source: Source) -> tuple[WeekRates, FileIntake]:
    """Rates by hour of the week from a table; an hour without a row is None, unknown.

    Errors: PlannerError `missing_column` if not one hour can be read.
    """
    read = WEEK.read(source)
    if not read.values:
        raise PlannerError(
            source.path, "missing_column", worded("no readable hour"), worded("inspect it with check")
        )
    known = dict(read.values)
    rates = tuple(known.get(hour) for hour in range(HOURS_OF_WEEK))
    return WeekRates(rates, file_name(source.path)), read.intake


def _rate(row: Row) -> tuple[int, float]:
    """An hour of the week, Monday 00:00 is 0, and its requests per second."""
    hour, rate = (read_decimal(row.text(name) or "") for name in _WEEK)
    if hour is None or hour not in range(HOURS_OF_WEEK) or rate is None or not 0 <= rate <= _RATE_AT_MOST:
        said = worded(
            "hour_of_week is {hour_text}, requests_per_s is {rate_text}",
            hour_text=row.text("hour_of_week") or "",
            rate_text=row.text("requests_per_s") or "",
        )
        raise RowError("bad_number", said, worded("write a whole hour, 0 to 167, and a rate of 0 or more"))
    return int(hour), float(rate)


def _week_facts(rates: Sequence[tuple[int, float]]) -> Facts:
    """How many hours have a rate, the mean and the highest, in requests a second."""
    per_s = [rate for _, rate in rates]
    return (
        ("hours", len(per_s)),
        ("mean_requests_per_s", sum(per_s) / len(per_s) if per_s else None),
        ("peak_requests_per_s", max(per_s, default=None)),
    )


_WEEK: Final = ("hour_of_week", "requests_per_s")
_RATE_AT_MOST: Final = 10**12
WEEK: Final = TableKind(
    kind=KIND,
    format="",
    columns=_WEEK,
    needed=tuple((name,) for name in _WEEK),
    reader=one_value(_rate),
    key=lambda rate: rate[0],
    why=worded("requests per second by hour of the week"),
    sureness=1.0,
    facts=_week_facts,
)
"""The first row of each hour counts."""


def file_name(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _hourly(source: Source, *, is_week_taken: bool = False) -> tuple[Traffic, FileIntake]:
    """A list of requests as tokens by hour; PlannerError `missing_column` if it is no such list."""
    form = request_form(source.head)
    if form is None:
        needed = (
            "timestamp,context_tokens,generated_tokens" + " / hour_of_week,requests_per_s" * is_week_taken
        )
        problem = worded("no requests with time and tokens")
        remedy = worded("give a CSV with {columns}", columns=needed)
        raise PlannerError(source.path, "missing_column", problem, remedy)
    ends = RowEnds()
    with open_engine(size_bytes=source.size) as engine:
        judge_requests(engine, load_requests(engine, source, form), ends, form)
        first_us, last_us = engine.one("select min(at_us), max(at_us) from judged where fault is null")
        rows = engine.all(
            """with minutes as (
                select at_us // 60000000 as minute, cast(sum(context) as bigint) as context,
                    cast(sum(generated) as bigint) as generated, count(*) as requests,
                    max(context + generated) as longest
                from judged where fault is null group by 1)
            select minute // 60 * 3600, cast(sum(context) as bigint), cast(sum(generated) as bigint),
                cast(sum(requests) as bigint), max(requests), max(longest)
            from minutes group by 1 order by 1"""
        )
    if first_us is None:
        raise PlannerError(
            source.path, "missing_column", worded("no readable request"), worded("inspect it with check")
        )
    traffic = Traffic(
        start_s=first_us // 1_000_000,
        end_s=last_us // 1_000_000 + 1,
        hours=tuple(row[:3] for row in rows),
        source=file_name(source.path),
        requests=tuple(row[3:] for row in rows),
    )
    return traffic, ends.intake(source, KIND, form.format)
