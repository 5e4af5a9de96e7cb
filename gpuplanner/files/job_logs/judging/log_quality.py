"""What the engine counts for the data-quality card: over the jobs of all files of one call."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.log.data_quality import (
    LONG_RUNNING_S,
    REPEATED_ROWS_AT_LEAST,
    REPEATED_SHARE,
    DataQuality,
    LogFacts,
    SuspiciousValue,
    as_findings,
    data_quality,
)
from gpuplanner.domain.model.log.intake import FileIntake, RejectedRow
from gpuplanner.domain.model.window import DAY_S, HOUR_S, iso_utc
from gpuplanner.files.job_logs.judging.accepted_jobs import ACCEPTED_JOBS, count_clock_skew
from gpuplanner.files.sources.source import NOT_SET
from gpuplanner.files.system.engine import Engine

_CONSTANT: Final = re.compile(rf"(?<![\d.-])(?:{'|'.join(NOT_SET)})(?![\d.])")
_PLACEHOLDER_YEAR: Final = re.compile(r"(?<!\d)(?:9999|0001|1900)-\d\d-\d\d")
_MINUS_TWO: Final = re.compile(r"^gpus is '?-2'?\b")
_EPOCH_DAY: Final = ("1970-01-01", 0, DAY_S)
_LAST_DAY_OF_32_BITS: Final = ("2038-01-19", 2_147_472_000, 2_147_472_000 + DAY_S)


Constants = tuple[tuple[str, int], ...]


def log_quality(
    engine: Engine, files: Sequence[FileIntake], constants: Mapping[str, Constants]
) -> DataQuality | None:
    """The card of ACCEPTED_JOBS; activity is joined before.

    files: with their rejected rows; constants: by path, what the survey of a text found anywhere in it.
    """
    return data_quality(_facts(engine, files, constants))


def _facts(engine: Engine, files: Sequence[FileIntake], constants: Mapping[str, Constants]) -> LogFacts:
    """Counts over all accepted jobs in one query.

    Starts and ends by hour, jobs with each name, long ones, suspicious dates.
    """
    events = engine.columns(
        f"""select hour, cast(sum(starts) as bigint) as starts, cast(sum(ends) as bigint) as ends from (
            select start_s // {HOUR_S} as hour, count(*) as starts, 0 as ends
            from {ACCEPTED_JOBS} group by 1
            union all
            select case when end_s > start_s then (end_s - 1) // {HOUR_S} else end_s // {HOUR_S} end, 0, count(*)
            from {ACCEPTED_JOBS} where end_s is not null group by 1
        ) group by hour order by hour"""
    )
    hour, starts, ends = (np.asarray(events[name], dtype=np.int64) for name in ("hour", "starts", "ends"))
    last_s = (int(hour[-1]) + 1) * HOUR_S if len(hour) else 0
    gpu_time = f"cast(milli_gpus as double) * (coalesce(end_s, greatest(start_s, {last_s})) - start_s)"
    is_long = f"is_running and coalesce(end_s, {last_s}) - start_s > {LONG_RUNNING_S}"
    special = [
        (field, name, f"count(*) filter (where {column} >= {first} and {column} < {after})")
        for field, column in (("start", "start_s"), ("end", "end_s"))
        for name, first, after in (_EPOCH_DAY, _LAST_DAY_OF_32_BITS)
    ]
    (jobs, with_id, with_name, with_user, naive, zero, long, total, model, activity, *counts) = engine.one(
        f"""select count(*), count(job_id), count(*) filter (where has_name),
            count(*) filter (where has_user),
            count(*) filter (where is_naive), count(*) filter (where end_s = start_s),
            count(*) filter (where {is_long}), coalesce(sum({gpu_time}), 0),
            coalesce(sum({gpu_time}) filter (where has_model), 0),
            coalesce(sum({gpu_time}) filter (where activity_milli_percent is not null), 0),
            {", ".join(sql for _, _, sql in special)}
        from {ACCEPTED_JOBS}"""
    )
    placeholders = [
        SuspiciousValue(field, name, count)
        for (field, name, _), count in zip(special, counts, strict=True)
        if count
    ]
    logs = [file for file in files if file.kind == "jobs"]
    texts = [[*_in_rejected(row, file.path in constants)] for file in logs for row in file.rejected]
    texts += [
        [SuspiciousValue("any column", value, count) for value, count in constants.get(file.path, ())]
        for file in logs
    ]
    return LogFacts(
        hour,
        starts,
        ends,
        jobs=jobs,
        with_id=with_id,
        with_name=with_name,
        with_user=with_user,
        naive=naive,
        zero_length=zero,
        long_running=long,
        clock_skew=count_clock_skew(engine, HOUR_S),
        milli_gpu_seconds=total,
        with_model=model,
        with_activity=activity,
        suspicious=as_findings([placeholders, _repeated(engine, jobs, hour, starts, ends), *texts]),
    )


def _repeated(engine: Engine, jobs: int, hour: Ints, starts: Ints, ends: Ints) -> list[SuspiciousValue]:
    """Starts and ends that so many rows have that they mean something else; few hours have so many, mostly none.

    hour: since 1970, ascending; starts, ends: of jobs in it; what ends with an hour is counted in that one.
    """
    if jobs < REPEATED_ROWS_AT_LEAST:
        return []
    found = []
    often = REPEATED_SHARE * jobs
    either = np.union1d(hour, hour + 1)  # hours that an end may be in
    here, before = (
        np.where(np.isin(at, hour), ends[np.searchsorted(hour, at) % len(hour)], 0)
        for at in (either, either - 1)
    )
    for field, column, hours in (
        ("start", "start_s", hour[starts > often]),
        ("end", "end_s", either[here + before > often]),
    ):
        if not len(hours):
            continue
        within = " or ".join(
            f"({column} >= {at * HOUR_S} and {column} < {(at + 1) * HOUR_S})" for at in hours.tolist()
        )
        for value, count in engine.all(
            f"select {column}, count(*) from {ACCEPTED_JOBS} where {within} group by 1 having count(*) > {often}"
        ):
            found.append(SuspiciousValue(field, iso_utc(value), count))
    return found


def _in_rejected(row: RejectedRow, is_surveyed: bool) -> Iterator[SuspiciousValue]:
    """Constants in a row that was not taken: each once."""
    for value in () if is_surveyed else set(_CONSTANT.findall(row.text)):
        yield SuspiciousValue("rejected row", value, 1)
    for date in set(_PLACEHOLDER_YEAR.findall(row.text)):
        yield SuspiciousValue("rejected row", date, 1)
    if _MINUS_TWO.match(str(row.message)):
        yield SuspiciousValue("gpus", "-2", 1)
