"""Traffic of an endpoint: a list of requests read to tokens by hour, or rates by hour of the week."""

from dataclasses import replace

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.served_model import HOURS_OF_WEEK, WeekRates
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.tables.described_tables import RowNotes
from gpuplanner.files.tables.headers import has_columns, header_columns
from gpuplanner.files.traffic.request_traces import load_requests, request_form
from gpuplanner.files.traffic.traffic_facts import (
    KIND,
    WEEK,
    judge_requests,
    judge_week,
)


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
        is_weekly = has_columns(source.head, *WEEK)
        return _weekly(source) if is_weekly else _hourly(source, is_week_taken=True)


def _weekly(source: Source) -> tuple[WeekRates, FileIntake]:
    """The first row of each hour counts; another of it is a duplicate."""
    delimiter, columns = header_columns(source.head)
    notes = RowNotes()
    with open_engine(size_bytes=source.size) as engine:
        raw = load_raw(engine, source, "traffic", columns, delimiter=delimiter, is_whole=True)
        judge_week(engine, raw, notes)
        rows = engine.all(
            "select hour, arg_min(rate, line), count(*) from judged_week where fault is null group by 1"
        )
    if not rows:
        raise PlannerError(
            source.path,
            "missing_column",
            worded("none of its hours can be read"),
            worded("look at it with check"),
        )
    rates: list[float | None] = [None] * HOURS_OF_WEEK
    for hour, rate, _ in rows:
        rates[hour] = rate
    intake = notes.intake(source, KIND, "", ())
    again = sum(count - 1 for _, _, count in rows)
    intake = replace(intake, rows_accepted=intake.rows_accepted - again, rows_duplicate=again)
    return WeekRates(tuple(rates), file_name(source.path)), intake


def file_name(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _hourly(source: Source, *, is_week_taken: bool = False) -> tuple[Traffic, FileIntake]:
    form = request_form(source.head)
    if form is None:
        raise PlannerError(
            source.path,
            "missing_column",
            worded("it does not list requests with their time and tokens"),
            worded(
                "give a CSV with timestamp, context_tokens and generated_tokens, or hour_of_week and requests_per_s"
            )
            if is_week_taken
            else worded("give a CSV with timestamp, context_tokens and generated_tokens"),
        )
    notes = RowNotes()
    with open_engine(size_bytes=source.size) as engine:
        judge_requests(engine, load_requests(engine, source, form), notes, form)
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
            source.path,
            "missing_column",
            worded("none of its requests can be read"),
            worded("look at it with check"),
        )
    traffic = Traffic(
        first_us // 1_000_000,
        last_us // 1_000_000 + 1,
        tuple(row[:3] for row in rows),
        file_name(source.path),
        tuple(row[3:] for row in rows),
    )
    return traffic, notes.intake(source, KIND, form.format, ())
