"""Counts: how every row of each file ended, its issues, and what the data-quality card tells."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.intake import (
    LONG_RUNNING_S,
    REPEATED_ROWS_AT_LEAST,
    REPEATED_SHARE,
    DataQuality,
    FileIntake,
    Issue,
    LogFacts,
    RejectedRow,
    SuspiciousValue,
    as_findings,
    data_quality,
)
from gpuplanner.domain.model.window import DAY_S, HOUR_S, iso_utc
from gpuplanner.files.job_logs.judging.expression import (
    ACCEPTED,
    ACCEPTED_JOBS,
    LOST,
    count_clock_skew,
    possible_duplicates,
)
from gpuplanner.files.job_logs.judging.job_store import (
    BEGUN_BEFORE,
    CODES,
    FLAGS,
    IGNORED_CODES,
    JOBS,
    KINDS,
    MODELS,
    NAMES,
    SHORT_LINES,
    STATES,
    STEPS,
)
from gpuplanner.files.sources.issue_texts import SHORT, issue_message
from gpuplanner.files.sources.source import NOT_SET
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.scheduler_words import KNOWN_STATES, RUNNING

# --- Counts: how every row of each file ended, and the issues of each file -----------------------

_BEGIN_OF_1980_S: Final = 315_532_800

ACCEPTED_WITH: Final = (
    ("no_gpus", "milli_gpus = 0"),
    ("zero_length", "end_s = start_s"),
    ("unknown_gpu_model", "milli_gpus > 0 and model_id is null"),
    ("several_gpu_models", "flags & {mixed_models} > 0"),
    ("before_1980", f"start_s < {_BEGIN_OF_1980_S}"),
    ("running", "is_running"),
    ("ambiguous_local_time", "flags & {repeated} > 0"),
    ("nonexistent_local_time", "flags & {skipped} > 0"),
    ("mixed_timezones", "flags & {mixed_zones} > 0"),
    ("bad_number", "flags & {bad_number} > 0"),
    ("bad_duration", "flags & {bad_duration} > 0"),
    ("bad_time", "flags & {bad_time} > 0"),
    ("unknown_class", "flags & {bad_label} > 0"),
)
"""Issue codes of rows that stay accepted, with the condition that earns them."""

_RUNNING: Final = "running"
_NAIVE: Final = ("naive_time_assumed_utc", "flags & {naive} > 0")


def conditions_of_issues(*, is_timezone_given: bool) -> list[tuple[str, str]]:
    """ACCEPTED_WITH in plain SQL over rows with flags, and what is said of naive times where no zone was given."""
    said = ACCEPTED_WITH if is_timezone_given else (*ACCEPTED_WITH, _NAIVE)
    return [(code, condition.format(**FLAGS)) for code, condition in said]


def row_counts(engine: Engine) -> dict[int, dict[str, int]]:
    """By file: how many rows were accepted, rejected, ignored, or were duplicates.

    Law: they add up to the rows read. A way in which no row ended is not there.
    """
    counts: dict[int, dict[str, int]] = {}
    ignored = {CODES.index(code) + 1 for code in IGNORED_CODES}
    for file, code, count in engine.all(
        f"""select file, code, count(*) from {JOBS} group by file, code
        union all select file, -1, lines from {STEPS} where lines > 0"""
    ):
        fate = "accepted" if code == 0 else "ignored" if code in ignored or code < 0 else "rejected"
        by_validation = counts.setdefault(file, {})
        by_validation[fate] = by_validation.get(fate, 0) + count
    for file, count in engine.all(f"select file, count(*) from {LOST} group by file"):
        counts.setdefault(file, {})["duplicate"] = count
    return counts


def _unknown_states(engine: Engine) -> list[tuple[str, str]]:
    """The condition for states that no scheduler writes, where the log has any."""
    states = engine.all(f"select id, text from {STATES} where text <> ''")
    odd = [str(number) for number, text in states if text not in KNOWN_STATES]
    return [("unknown_state", f"state_id in ({', '.join(odd)})")] if odd else []


ROWS_LISTED: Final = 100
"""Of each file and issue, to be shown row by row."""


@dataclass(frozen=True, slots=True)
class RowsFound:
    """The issues of a file, sorted by code, and of those whose rows were not rejected the first rows."""

    issues: tuple[Issue, ...] = ()
    noted: tuple[RejectedRow, ...] = ()


def row_issues(engine: Engine, zoned: set[int]) -> dict[int, RowsFound]:
    """By file: what was found in its rows. zoned: the files whose zone was said, so that none was assumed.

    By code of the issue: how many rows, and the first few of their lines.
    """
    found: dict[int, dict[str, tuple[int, list[int]]]] = {}

    def note(file: int, code: str, count: int, lines: list[int]) -> None:
        """Adds to an issue of a file: counts add up, of the lines only the first few are listed."""
        issues = found.setdefault(file, {})
        before = issues.get(code, (0, []))
        issues[code] = (count + before[0], sorted({*lines, *before[1]})[:ROWS_LISTED])

    rejecting: set[str] = set()
    for file, number, count, lines in engine.all(
        f"select file, code, count(*), min(line, {ROWS_LISTED}) from {JOBS} where code > 0 group by file, code"
    ):
        code = CODES[number - 1]
        note(file, code, count, lines)
        rejecting |= {code} - set(IGNORED_CODES)
    conditions = [*conditions_of_issues(is_timezone_given=False), *_unknown_states(engine)]
    by_flags = [pair for pair in conditions if "flags" in pair[1]]
    others = [pair for pair in conditions if pair not in by_flags]
    for some, where in ((others, "true"), (by_flags, "flags > 0")):  # few rows have any flag
        figures = ", ".join(
            f"count(*) filter (where {condition}), min(line, {ROWS_LISTED}) filter (where {condition})"
            for _, condition in some
        )
        for file, *values in engine.all(
            f"select file, {figures} from {ACCEPTED} where {where} group by file"
        ):
            for (code, _), count, lines in zip(some, values[::2], values[1::2], strict=True):
                if count and not (code == _NAIVE[0] and file in zoned):
                    note(file, code, count, lines)
    for file, count, lines in _short_rows(engine):
        note(file, SHORT, count, lines)
    for file, (count, lines) in possible_duplicates(engine, ROWS_LISTED).items():
        note(file, "possible_duplicate", count, lines)
    opened = _open_rows(engine) if engine.open_ended else {}
    for file, (_, count, lines) in opened.items():
        if count:
            note(file, _RUNNING, count, lines)
    texts = _texts_of_rows(
        engine,
        {
            (file, line)
            for file, issues in found.items()
            for code, (_, lines) in issues.items()
            for line in lines
            if code not in rejecting
        },
    )
    return {
        file: RowsFound(
            tuple(
                Issue(
                    code,
                    issues[code][0],
                    issues[code][1][0],
                    _open_message(*opened[file][:2])
                    if code == _RUNNING and file in opened
                    else issue_message(code),
                )
                for code in sorted(issues)
            ),
            tuple(
                RejectedRow(line, code, issue_message(code), texts.get((file, line), ""))
                for code in sorted(issues)
                if code not in rejecting
                for line in issues[code][1]
            ),
        )
        for file, issues in found.items()
    }


def _open_rows(engine: Engine) -> dict[int, tuple[int, int, list[int]]]:
    """By file: how many accepted rows have no end though they are not said to run, how many no start, these lines."""
    found = engine.all(
        f"""select a.file, count(*) filter (where a.is_running and s.text <> '{RUNNING}'),
            count(*) filter (where b.line is not null), min(a.line, {ROWS_LISTED}) filter (where b.line is not null)
        from {ACCEPTED} a left join {STATES} s on s.id = a.state_id
        left join {BEGUN_BEFORE} b on b.file = a.file and b.line = a.line group by a.file"""
    )
    return {file: (ended, begun, lines or []) for file, ended, begun, lines in found if ended or begun}


def _open_message(no_end: int, no_start: int) -> Message:
    """What is so of rows that --open-ended kept."""
    said = []
    if no_end:
        said.append(worded("{count} rows without an end run to the end of the log", count=whole(no_end)))
    if no_start:
        said.append(
            worded("{count} rows without a start were there when the log began", count=whole(no_start))
        )
    return joined((*said, issue_message(_RUNNING)), "; ")


def _short_rows(engine: Engine) -> list[tuple[Any, ...]]:
    """By file: how many rows of too few cells were not rejected for what they lack, and the first of them."""
    if not engine.one(f"select count(*) from {SHORT_LINES}")[0]:
        return []
    return engine.all(
        f"""select s.file, count(*), min(s.line, {ROWS_LISTED}) from {SHORT_LINES} s
        left join {ACCEPTED} a on a.file = s.file and a.line = s.line
        where s.is_ignored or a.line is not null group by s.file"""
    )


def _texts_of_rows(engine: Engine, places: set[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """By file and line: what was understood of a row, as `field=value`."""
    if not places:
        return {}
    files, lines = zip(*sorted(places), strict=True)
    engine.keep("noted", {"file": [*files], "line": [*lines]}, {"file": "int", "line": "bigint"})
    fields = (
        ("job_id", "j.job_id"),
        ("name", "nullif(n.text, '')"),
        ("user", 'k."user"'),
        ("account", "k.account"),
        ("gpu_model", "m.text"),
        ("gpus", "j.milli_gpus / 1000"),
        ("start", "strftime(make_timestamp(j.start_s::bigint * 1000000), '%Y-%m-%dT%H:%M:%SZ')"),
        ("end", "strftime(make_timestamp(j.end_s::bigint * 1000000), '%Y-%m-%dT%H:%M:%SZ')"),
        ("state", "nullif(s.text, '')"),
    )
    said = ", ".join(f"'{name}=' || {value}" for name, value in fields)
    found = engine.all(
        f"""select j.file, j.line, concat_ws(' ', {said}) from {JOBS} j join noted using (file, line)
        join {KINDS} k using (kind) left join {NAMES} n on n.id = j.name_id
        left join {MODELS} m on m.id = j.model_id left join {STATES} s on s.id = j.state_id"""
    )
    return {(file, line): text for file, line, text in found}


# --- What the engine counts for the data-quality card: over the jobs of all files of one call ----

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
