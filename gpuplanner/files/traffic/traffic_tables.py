"""Traffic of an endpoint: a list of requests read to tokens by hour, or rates by hour of the week."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Facts, FileIntake
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.served_model import WeekRates
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.tables.row_ends import RowEnds
from gpuplanner.files.tables.small_table import Row, RowError
from gpuplanner.files.tables.table_kind import TableKind, one_value
from gpuplanner.files.traffic.request_traces import load_requests, request_form
from gpuplanner.files.traffic.traffic_facts import (
    KIND,
    judge_requests,
)
from gpuplanner.files.values.numbers import read_decimal


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


def _weekly(source: Source) -> tuple[WeekRates, FileIntake]:
    """Rates by hour of the week from a table; an hour without a row is None, unknown.

    Errors: PlannerError `missing_column` if not one hour can be read.
    """
    read = WEEK.read(source)
    if not read.values:
        raise PlannerError(
            source.path,
            "missing_column",
            worded("none of its hours can be read"),
            worded("look at it with check"),
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
        raise RowError("bad_number", said, worded("write a whole hour from 0 to 167 and a rate from 0 on"))
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
    KIND,
    "",
    _WEEK,
    tuple((name,) for name in _WEEK),
    one_value(_rate),
    lambda rate: rate[0],
    worded("it lists the requests per second of hours of the week"),
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
    return traffic, ends.intake(source, KIND, form.format)
