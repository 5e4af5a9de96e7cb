"""Requests of an inference service, judged by the engine: what a trace of them holds."""

from typing import Final

from gpuplanner.domain.message import NO_WORDS, worded
from gpuplanner.domain.model.log.intake import Facts, FileIntake
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.sources.raw_table import RawTable
from gpuplanner.files.sources.row_widths import LONG, SHORT, long_words
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.tables.row_ends import REJECTED_ROWS_KEPT, RowEnds
from gpuplanner.files.tables.small_table import RowError
from gpuplanner.files.traffic.request_traces import (
    FROM_BEGINNING_US,
    RequestForm,
    load_requests,
    request_form,
)

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
    worded("times that count from the beginning of a trace were read as seconds since 1970-01-01 UTC"),
    worded("nothing to do"),
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
