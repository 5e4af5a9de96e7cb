"""Traffic of an inference service, a row a request or an hour of the week: what the file holds."""

from typing import Final

from gpuplanner.domain.model.log.intake import Facts, FileIntake
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.files.sources.raw_table import RawTable, load_raw
from gpuplanner.files.sources.row_widths import LONG, long_words
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.tables.described_tables import RowNotes, fault_of_long
from gpuplanner.files.tables.headers import has_columns, header_columns
from gpuplanner.files.tables.small_table import REJECTED_ROWS_KEPT
from gpuplanner.files.traffic.request_traces import (
    FROM_BEGINNING_US,
    RequestForm,
    load_requests,
    request_form,
)

KIND: Final = "traffic"
WEEK: Final = ("hour_of_week", "requests_per_s")


def sniff(head: str, form: RequestForm) -> float:
    """How sure it is that a text begins a record of traffic of that form, 0..1."""
    is_week = not form.format and has_columns(head, *WEEK)
    return 1.0 if request_form(head) is form or is_week else 0.0


def describe(source: Source) -> FileIntake:
    """Requests, tokens, span, and the minute with most requests. Errors: PlannerError file_unreadable."""
    notes = RowNotes()
    form = request_form(source.head)
    with open_engine(size_bytes=source.size) as engine:
        if form is None:
            delimiter, columns = header_columns(source.head)
            raw = load_raw(engine, source, "traffic", columns, delimiter=delimiter, is_whole=True)
            return notes.intake(source, KIND, "", _weekly(engine, raw, notes))
        facts = _requests(engine, load_requests(engine, source, form), notes, form)
    return notes.intake(source, KIND, form.format, facts)


def _requests(engine: Engine, raw: RawTable, notes: RowNotes, form: RequestForm) -> Facts:
    """Times are read to the microsecond; a minute is one of the clock."""
    judge_requests(engine, raw, notes, form)
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


def judge_requests(engine: Engine, raw: RawTable, notes: RowNotes, form: RequestForm) -> None:
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
            case {fault_of_long(engine, raw)}
                when second_us is null or not is_time then 'bad_time'
                when not coalesce(context between 0 and 1000000000 and generated between 0 and 1000000000, false)
                then 'bad_number'
                end as fault
        from requests"""
    )
    (notes.read,) = engine.one("select count(*) from judged")
    notes.note_short(engine, raw, "judged")
    for code, count, first in engine.all(
        "select fault, count(*), min(line) from judged where fault is not null group by 1"
    ):
        for line, at, c, g in engine.all(
            "select line, stamp, c, g from judged where fault = ? order by line limit ?",
            [code, REJECTED_ROWS_KEPT],
        ):
            if code == LONG:
                what = _long_words(raw, line)
            elif code == "bad_time":
                what = worded("the time is {at}", at=at)
            else:
                what = worded("the tokens are {c} and {g}", c=f"{c!r}", g=f"{g!r}")
            notes.reject(code, line, what, f"{at},{c},{g}")
        if count > REJECTED_ROWS_KEPT:
            notes.reject_unseen(code, first, count - REJECTED_ROWS_KEPT)
    if form.unit:
        good, first_good = engine.one("select count(*), min(line) from judged where fault is null")
        if good:
            notes.note("before_1980", first_good, good)
    naive, first_naive = engine.one(
        "select count(*), min(line) from judged where fault is null and not is_zoned"
    )
    if naive:
        notes.note("naive_time_assumed_utc", first_naive, naive)


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


def _long_words(raw: RawTable, line: int) -> Worded:
    width = len(raw.columns)
    return long_words([""] * (width + len(raw.ragged.beyond.get(line, ()))), width)


def _weekly(engine: Engine, raw: RawTable, notes: RowNotes) -> Facts:
    judge_week(engine, raw, notes)
    hours, mean, peak = engine.one(
        "select count(distinct hour), avg(rate), max(rate) from judged_week where fault is null"
    )
    return (("hours", hours), ("mean_requests_per_s", mean), ("peak_requests_per_s", peak))


def judge_week(engine: Engine, raw: RawTable, notes: RowNotes) -> None:
    """The table judged_week: hour, rate and fault (null: good) of every row, with its line; what is bad is noted."""
    hour, rate = raw.column(WEEK[0]), raw.column(WEEK[1])
    whole = f"try_cast({hour} as double) = try_cast({hour} as int)"  # 1.5 is no hour, and would be read as 2
    good = f"{whole} and try_cast({hour} as int) between 0 and 167 and try_cast({rate} as double) between 0 and 1e12"
    engine.run(
        f"""create or replace table judged_week as
        select line, {hour} as hour_text, {rate} as rate_text, try_cast({hour} as int) as hour,
            try_cast({rate} as double) as rate, case {fault_of_long(engine, raw)}
                when not coalesce({good}, false) then 'bad_number' end as fault
        from "{raw.name}\""""
    )
    (notes.read,) = engine.one("select count(*) from judged_week")
    notes.note_short(engine, raw, "judged_week")
    for line, hour_text, rate_text, fault in engine.all(
        "select line, hour_text, rate_text, fault from judged_week where fault is not null order by line"
    ):
        what = worded(
            "hour_of_week is {hour_text}, requests_per_s is {rate_text}",
            hour_text=hour_text,
            rate_text=rate_text,
        )
        notes.reject(
            fault, line, _long_words(raw, line) if fault == LONG else what, f"{hour_text},{rate_text}"
        )


def _column(raw: RawTable, names: tuple[str, ...]) -> str:
    return next(column for name in names if (column := raw.column(name)) is not None)


def _iso(microseconds: int | None) -> str | None:
    return None if microseconds is None else iso_utc(microseconds // 1_000_000)
