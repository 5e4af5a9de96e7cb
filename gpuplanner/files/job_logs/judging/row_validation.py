"""Validation: how each row of a log ends, and counts of it (docs/formats/README.md, How rows are counted)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model import intake
from gpuplanner.domain.model.window import DAY_S, HOUR_S, iso_utc
from gpuplanner.files.job_logs.judging import odd_texts, row_marks, row_readings, row_texts, sql_forms
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.job_logs.judging.expression import (
    ACCEPTED,
    ACCEPTED_JOBS,
    LOST,
    clock_skew,
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
    OPEN_CODES,
    SHORT_LINES,
    STATES,
    STEPS,
    add_jobs,
    code_number,
    drop_jobs,
)
from gpuplanner.files.job_logs.judging.stated_totals import StatedTotals, stated_totals
from gpuplanner.files.job_logs.judging.tres_names import HOW_TO_NAME, numbers_words
from gpuplanner.files.sources import issue_texts
from gpuplanner.files.sources.raw_table import RawTable, drop, forget_records, records_at
from gpuplanner.files.sources.source import NOT_SET
from gpuplanner.files.system.engine import Engine, OpenEnded
from gpuplanner.files.tables.small_table import REJECTED_ROWS_KEPT, worded_message
from gpuplanner.files.values.job_states import KNOWN_STATES, RUNNING
from gpuplanner.files.values.slurm_resources import is_numbered
from gpuplanner.files.values.times import EARLIEST_S, LATEST_S, ClockSpan
from gpuplanner.files.values.zones_in_sql import Zones
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Counts: how every row of each file ended, and the issues of each file -----------------------

_BEGIN_OF_1980_S: Final = 315_532_800

NAIVE: Final = "naive_time_assumed_utc"
MIXED_ZONES: Final = "mixed_timezones"
ACCEPTED_WITH: Final = (
    ("no_gpus", "milli_gpus = 0 and flags & {other_accelerator} = 0"),
    ("zero_length", "end_s = start_s"),
    ("unknown_gpu_model", "milli_gpus > 0 and model_id is null"),
    ("several_gpu_models", "flags & {mixed_models} > 0"),
    ("before_1980", f"start_s < {_BEGIN_OF_1980_S}"),
    ("running", "is_running"),
    ("ambiguous_local_time", "flags & {repeated} > 0"),
    ("nonexistent_local_time", "flags & {skipped} > 0"),
    (MIXED_ZONES, "flags & {mixed_zones} > 0"),
    ("other_accelerator", "flags & {other_accelerator} > 0"),
    ("bad_number", "flags & {bad_number} > 0"),
    ("bad_duration", "flags & {bad_duration} > 0"),
    ("bad_time", "flags & {bad_time} > 0"),
    ("unknown_class", "flags & {bad_label} > 0"),
)
"""Issue codes of rows that stay accepted, with the condition that earns them."""

_RUNNING: Final = "running"


def conditions_of_issues(engine: Engine) -> list[tuple[str, str]]:
    """Codes of issues of accepted rows, each with its SQL condition over the columns of JOBS."""
    flags = [*ACCEPTED_WITH, (NAIVE, "flags & {naive} > 0")]
    states = engine.all(f"select id, text from {STATES} where text <> ''")
    odd = [str(number) for number, text in states if text not in KNOWN_STATES]
    unknown = [("unknown_state", f"state_id in ({', '.join(odd)})")] if odd else []
    return [*((code, condition.format(**FLAGS)) for code, condition in flags), *unknown]


def codes_of_values(engine: Engine) -> frozenset[str]:
    """Return the codes of issues that the values of accepted rows tell, and not how they were written."""
    return frozenset(code for code, where in conditions_of_issues(engine) if not where.startswith("flags"))


_STEP: Final = -1
"""Stands for the lines of STEPS where they are counted with the codes of rows."""

_REPEATED: Final = -2
"""The same for the rows of LOST."""

_JOB: Final = -3
"""The same for the lines that are a job."""

RowsByEnd = list[tuple[int, int, int, list[int] | None]]
"""By file and code: how many rows ended so, and the first lines of those that were not accepted."""


def rows_by_end(engine: Engine) -> RowsByEnd:
    """How every row of all files ended; duplicates are found before."""
    return engine.all(
        f"""select file, code, count(*), min(line, {ROWS_LISTED}) filter (where code > 0) from {JOBS}
        group by file, code
        union all select file, {_STEP}, lines, null from {STEPS} where lines > 0
        union all select file, {_REPEATED}, count(*), null from {LOST} group by file"""
    )


def row_counts(ends: RowsByEnd) -> dict[int, dict[str, int]]:
    """By file: how many rows were accepted, rejected, ignored, or were duplicates.

    Law: they add up to the rows read. A way in which no row ended is not there.
    """
    counts: dict[int, dict[str, int]] = {}
    fates = {0: "accepted", _REPEATED: "duplicate", _STEP: "ignored"}
    fates |= {code_number(code): "ignored" for code in IGNORED_CODES}
    for file, code, count, _ in ends:
        fate = fates.get(code, "rejected")
        by_validation = counts.setdefault(file, {})
        by_validation[fate] = by_validation.get(fate, 0) + count
    return counts


ROWS_LISTED: Final = 100
"""Of each file and issue, to be shown row by row."""


@dataclass(frozen=True, slots=True)
class RowsFound:
    """The issues of a file, sorted by code, and of those whose rows were not rejected the first rows."""

    issues: tuple[intake.Issue, ...] = ()
    noted: tuple[intake.RejectedRow, ...] = ()


class _IssueRows(NamedTuple):
    """How many rows an issue has, and the first few of their lines."""

    rows: int
    lines: list[int]


def row_issues(engine: Engine, ends: RowsByEnd, zoned: set[int]) -> dict[int, RowsFound]:
    """By file: what was found in its rows. ends: of `rows_by_end`; zoned: the files whose zone was said.

    By code of the issue: how many rows, and the first few of their lines.
    """
    by_file: dict[int, dict[str, _IssueRows]] = {}

    def note(file: int, code: str, count: int, lines: list[int]) -> None:
        """Adds to an issue of a file: counts add up, of the lines only the first few are listed."""
        issues = by_file.setdefault(file, {})
        before = issues.get(code, _IssueRows(rows=0, lines=[]))
        first_lines = sorted({*lines, *before.lines})[:ROWS_LISTED]
        issues[code] = _IssueRows(rows=count + before.rows, lines=first_lines)

    rejecting: set[str] = set()
    for file, number, count, lines in ends:
        if number > 0:
            code = CODES[number - 1]
            note(file, code, count, lines or [])
            rejecting |= {code} - set(IGNORED_CODES)
    conditions = conditions_of_issues(engine)
    by_flags = [(code, where) for code, where in conditions if where.startswith("flags")]
    others = [condition for condition in conditions if condition not in by_flags]
    figures = []
    for some, where in ((others, "true"), (by_flags, "flags > 0")):  # few rows have any flag
        counts, firsts = (
            ", ".join(f"{figure} filter (where {condition})" for _, condition in some)
            for figure in ("count(*)", f"min(line, {ROWS_LISTED})")
        )
        codes = ", ".join(f"'{code}'" for code, _ in some)
        figures.append(
            f"select file, [{codes}], [{counts}], [{firsts}] from {ACCEPTED} where {where} group by file"
        )
    for file, *of_file in engine.all(" union all ".join(figures)):
        for code, count, lines in zip(*of_file, strict=True):
            if count and not (code == NAIVE and file in zoned):
                note(file, code, count, lines)
    for file, count, lines in _short_rows(engine):
        note(file, issue_texts.SHORT, count, lines)
    for file, (count, lines) in possible_duplicates(engine, ROWS_LISTED).items():
        note(file, "possible_duplicate", count, lines)
    messages: dict[tuple[int, str], Message] = {}
    if any(_OTHER in issues for issues in by_file.values()):
        messages = {(file, _OTHER): words for file, words in _other_accelerators(engine).items()}
    opened = _open_rows(engine) if engine.open_ended else {}
    for file, (no_end, no_start, count, lines) in opened.items():
        messages[file, _RUNNING] = _open_message(no_end, no_start)
        if count:  # those without an end are counted already
            note(file, _RUNNING, count, lines)
    texts = _texts_of_rows(
        engine,
        {
            (file, line)
            for file, issues in by_file.items()
            for code, rows in issues.items()
            for line in rows.lines
            if code not in rejecting
        },
    )
    return {
        file: RowsFound(
            tuple(
                intake.Issue(
                    code,
                    issues[code].rows,
                    issues[code].lines[0],
                    messages.get((file, code)) or issue_texts.issue_message(code),
                )
                for code in sorted(issues)
            ),
            tuple(
                intake.RejectedRow(
                    row=line,
                    code=code,
                    message=issue_texts.issue_message(code),
                    text=texts.get((file, line), ""),
                )
                for code in sorted(issues)
                if code not in rejecting
                for line in issues[code].lines
            ),
        )
        for file, issues in by_file.items()
    }


def _open_rows(engine: Engine) -> dict[int, tuple[int, int, int, list[int]]]:
    """By file: how many accepted rows have no end though they are not said to run, how many no start, how many of these
    do not run; the lines of those."""
    is_begun = "b.line is not null and not a.is_running"
    rows = engine.all(
        f"""select a.file, count(*) filter (where a.is_running and s.text <> '{RUNNING}'),
            count(*) filter (where b.line is not null), count(*) filter (where {is_begun}),
            min(a.line, {ROWS_LISTED}) filter (where {is_begun})
        from {ACCEPTED} a left join {STATES} s on s.id = a.state_id
        left join {BEGUN_BEFORE} b on b.file = a.file and b.line = a.line group by a.file"""
    )
    return {
        file: (ended, begun, more, lines or []) for file, ended, begun, more, lines in rows if ended or begun
    }


_OTHER: Final = "other_accelerator"


def _other_accelerators(engine: Engine) -> dict[int, Message]:
    """By file: what its jobs held that is no GPU, in jobs and device-hours. Jobs without an end count up to the last
    time in any file.
    """
    number, resource = (f"split_part(m.text, ' ', {place})" for place in (1, 2))
    seconds = "coalesce(end_s, greatest(start_s, last_s)) - start_s"
    by_file: dict[int, list[Message]] = {}
    for file, name, count, total in engine.all(
        f"""select j.file, {resource} as name, count(*), sum(cast({number} as double) * ({seconds})) / {HOUR_S}
        from {ACCEPTED} j join {MODELS} m on m.id = j.model_id,
            (select coalesce(max(end_s), max(start_s)) as last_s from {ACCEPTED})
        where flags & {FLAGS[_OTHER]} > 0 group by all order by name"""
    ):
        jobs, hours = whole(count), significant(total)
        words = worded("{name}: {hours} device-hours (jobs: {jobs})", name=name, hours=hours, jobs=jobs)
        by_file.setdefault(file, []).append(words)
    return {file: worded_message(_OTHER, words) for file, words in by_file.items()}


def _open_message(no_end: int, no_start: int) -> Message:
    """What is so of rows that --open-ended kept."""
    said = []
    if no_end:
        said.append(worded("{count} rows without an end count to the log's end", count=whole(no_end)))
    if no_start:
        said.append(worded("{count} rows without a start count from the log's start", count=whole(no_start)))
    return joined((*said, issue_texts.issue_message(_RUNNING)), "; ")


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
    rows = engine.all(
        f"""select j.file, j.line, concat_ws(' ', {said}) from {JOBS} j join noted using (file, line)
        join {KINDS} k using (kind) left join {NAMES} n on n.id = j.name_id
        left join {MODELS} m on m.id = j.model_id left join {STATES} s on s.id = j.state_id"""
    )
    return {(file, line): text for file, line, text in rows}


# --- What the engine counts for the data-quality card: over the jobs of all files of one call ----

_CONSTANT: Final = lazy_re(rf"(?<![\d.-])(?:{'|'.join(NOT_SET)})(?![\d.])")
_PLACEHOLDER_YEAR: Final = lazy_re(r"(?<!\d)(?:9999|0001|1900)-\d\d-\d\d")
_MINUS_TWO: Final = lazy_re(r"^gpus is '?-2'?\b")
_EPOCH_DAY: Final = ("1970-01-01", 0, DAY_S)
_LAST_DAY_OF_32_BITS: Final = ("2038-01-19", 2_147_472_000, 2_147_472_000 + DAY_S)


Constants = tuple[tuple[str, int], ...]


def log_quality(
    engine: Engine, files: Sequence[intake.FileIntake], constants: Mapping[str, Constants]
) -> intake.DataQuality | None:
    """The card of ACCEPTED_JOBS; activity is joined before.

    files: with their rejected rows; constants: by path, what the survey of a text found anywhere in it.
    """
    return intake.data_quality(_facts(engine, files, constants))


def _facts(
    engine: Engine, files: Sequence[intake.FileIntake], constants: Mapping[str, Constants]
) -> intake.LogFacts:
    """Counts over all accepted jobs in one query.

    Starts and ends by hour, jobs with each name, long ones, suspicious dates.
    """
    events = engine.columns(
        f"""select hour, cast(sum(starts) as bigint) as starts, cast(sum(ends) as bigint) as ends from (
            select start_s // {HOUR_S} as hour, count(*) as starts, 0 as ends
            from {ACCEPTED} group by 1
            union all
            select case when end_s > start_s then (end_s - 1) // {HOUR_S} else end_s // {HOUR_S} end, 0, count(*)
            from {ACCEPTED} where end_s is not null group by 1
        ) group by hour order by hour"""
    )
    hour, starts, ends = (np.asarray(events[name], dtype=np.int64) for name in ("hour", "starts", "ends"))
    last_s = (int(hour[-1]) + 1) * HOUR_S if len(hour) else 0
    gpu_time = f"cast(milli_gpus as double) * (coalesce(end_s, greatest(start_s, {last_s})) - start_s)"
    is_long = f"is_running and coalesce(end_s, {last_s}) - start_s > {intake.LONG_RUNNING_S}"
    special = [
        (field, name, f"count(*) filter (where {column} >= {first} and {column} < {after})")
        for field, column in (("start", "start_s"), ("end", "end_s"))
        for name, first, after in (_EPOCH_DAY, _LAST_DAY_OF_32_BITS)
    ]
    jobs, with_id, with_name, with_user, naive, zero, long, total, model, activity, *more = engine.one(
        f"""select count(*), count(job_id), count(*) filter (where has_name),
            count(*) filter (where has_user),
            count(*) filter (where is_naive), count(*) filter (where end_s = start_s),
            count(*) filter (where {is_long}), coalesce(sum({gpu_time}), 0),
            coalesce(sum({gpu_time}) filter (where has_model), 0),
            coalesce(sum({gpu_time}) filter (where activity_milli_percent is not null), 0),
            {", ".join(sql for _, _, sql in special)},
            {clock_skew(HOUR_S)}, (select list(distinct cluster) from {KINDS} semi join {ACCEPTED} using (kind))
        from {ACCEPTED_JOBS}"""
    )
    *counts, skew, clusters = more
    placeholders = [
        intake.SuspiciousValue(field, name, count)
        for (field, name, _), count in zip(special, counts, strict=True)
        if count
    ]
    logs = [file for file in files if file.kind == "jobs"]
    texts = [[*_in_rejected(row, file.path in constants)] for file in logs for row in file.rejected]
    texts += [
        [intake.SuspiciousValue("any column", value, count) for value, count in constants.get(file.path, ())]
        for file in logs
    ]
    return intake.LogFacts(
        hour=hour,
        starts=starts,
        ends=ends,
        jobs=jobs,
        with_id=with_id,
        with_name=with_name,
        with_user=with_user,
        naive=naive,
        zero_length=zero,
        long_running=long,
        clock_skew=skew,
        clusters=tuple(sorted(clusters or ())),
        milli_gpu_seconds=total,
        with_model=model,
        with_activity=activity,
        suspicious=intake.as_findings([placeholders, _repeated(engine, jobs, hour, starts, ends), *texts]),
    )


def _repeated(
    engine: Engine, jobs: int, hour: Ints, starts: Ints, ends: Ints
) -> list[intake.SuspiciousValue]:
    """Starts and ends that so many rows have that they mean something else; few hours have so many, mostly none.

    hour: since 1970, ascending; starts, ends: of jobs in it; what ends with an hour is counted in that one.
    """
    if jobs < intake.REPEATED_ROWS_AT_LEAST:
        return []
    found = []
    often = intake.REPEATED_SHARE * jobs
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
            found.append(intake.SuspiciousValue(field, iso_utc(value), count))
    return found


def _in_rejected(row: intake.RejectedRow, is_surveyed: bool) -> Iterator[intake.SuspiciousValue]:
    """Constants in a row that was not taken: each once."""
    for value in () if is_surveyed else set(_CONSTANT.findall(row.text)):
        yield intake.SuspiciousValue("rejected row", value, 1)
    for date in set(_PLACEHOLDER_YEAR.findall(row.text)):
        yield intake.SuspiciousValue("rejected row", date, 1)
    if _MINUS_TWO.match(str(row.message)):
        yield intake.SuspiciousValue("gpus", "-2", 1)


@dataclass(frozen=True, slots=True)
class Judged:
    """How the rows of one file ended, by the number of the code; lines: no jobs; rejected: the first of them.

    stated: what the file states itself of its jobs.
    """

    by_code: Mapping[int, int]
    lines: int
    rejected: tuple[intake.RejectedRow, ...]
    stated: StatedTotals

    @property
    def ignored(self) -> dict[str, int]:
        """Rows that were not rejected and are no jobs that ran, by code; lines that are no job are under ''."""
        return {"": self.lines, **{code: self.by_code.get(code_number(code), 0) for code in IGNORED_CODES}}

    @property
    def are_mostly_rejected(self) -> bool:
        """Whether fewer than half of the rows were accepted, of those that were not ignored.

        The sign of a wrong mapping or format: another reading may be better.
        """
        jobs = sum(self.by_code.values()) + self.lines - sum(self.ignored.values())
        return 2 * self.by_code.get(0, 0) < jobs


def judge_rows(engine: Engine, table: JobTable, file: int, timezone: str | None) -> Judged:
    """Type the rows of one file and add them to JOBS, each with its fate.

    file: a number that tells the files of one call apart. timezone: of times that state none (None: UTC).
    """
    raw, groups = row_marks.mark_rows(engine, table)
    row_texts.stage_texts(engine, table, row_marks.PICKED)
    zones, queue_zones = odd_texts.map_texts(engine, table, groups, timezone)
    row_readings.read_groups(engine, table, groups, zones)
    is_short, is_long = _note_ragged(engine, table, raw.ragged, file)
    columns, sources = _typed_sql(
        table, file, groups, zones, queue_zones, is_short, is_long, is_open=engine.open_ended
    )
    rows = f"select {columns} {sources}"
    added = add_jobs(
        engine,
        _begun_with_log(engine, rows, file) if engine.open_ended else rows,
        [column for field, column in row_readings.SELDOM.items() if field in table.fields],
    )
    by_code = dict(
        engine.all(
            f"""select code, count(*) from {JOBS} where file = {file} group by code union all
            select if(is_ignored, {_STEP}, {_JOB}), count(*) from {row_marks.marks_of(table)} group by all"""
        )
    )
    ignored = by_code.pop(_STEP, 0)
    assert added == by_code.pop(_JOB, 0), "every row has one fate"
    engine.run(f"insert into {STEPS} values ({file}, {ignored}, {zones.has_zoned})")
    has_rejected = not by_code.keys() <= {0, *map(code_number, IGNORED_CODES)}
    rejected = _rejected_rows(engine, table, raw, file) if has_rejected else ()
    stated = stated_totals(engine, table, file, row_marks.marks_of(table))
    if engine.once == "view":  # what is made of a large log leaves its room to the next
        forget_records(engine, row_marks.MARKS)
        drop(engine, table.raw.name)
        drop(engine, row_marks.PICKED)
    return Judged(by_code, ignored, rejected, stated)


def none_ran(table: JobTable, judged: Judged) -> intake.Issue | None:
    """The issue of a log whose rows are all ignored: what they are, and what to export.

    None where some are not.

    Such a log is read, and brings nothing: pending jobs, steps, or jobs that never ran.
    """
    lines, ignored = judged.lines, judged.ignored
    rows = sum(ignored.values())
    if rows < lines + sum(judged.by_code.values()) or not rows or table.are_ignored_rows:
        return None
    what, remedy = table.no_jobs
    reasons = [worded("{count} are {what}", count=str(lines), what=what)] if lines else []
    reasons += (
        [worded("{count} had not started", count=str(ignored["pending"]))] if ignored["pending"] else []
    )
    if ignored["never_started"]:
        reasons.append(worded("{count} ended before they started", count=str(ignored["never_started"])))
    message = worded(
        "no runs in {rows} rows: {said}; {remedy}",
        rows=str(rows),
        said=joined(reasons, ", "),
        remedy=remedy if lines else worded("export a period with runs"),
    )
    return intake.Issue("not_a_job_log", rows, None, message)


def forget_rows(engine: Engine, file: int) -> None:
    """Take back what `judge_rows` added of one file.

    Names, models and states that it brought stay known, which harms nothing.
    """
    drop_jobs(engine, f"select place from {JOBS} where file = {file}")
    for table in (STEPS, SHORT_LINES, BEGUN_BEFORE):
        engine.run(f"delete from {table} where file = {file}")


def _note_ragged(
    engine: Engine, table: JobTable, ragged: issue_texts.RaggedLines, file: int
) -> tuple[str, str]:
    """Short lines into SHORT_LINES; returns SQL that tells short and long ones, empty where there are none."""
    is_short = ""
    if ragged.short:
        engine.keep("ragged", {"line": ragged.short.tolist()}, {"line": "bigint"})
        ignored = f"line in (select line from {row_marks.marks_of(table)} where is_ignored)"
        engine.run(
            f"""insert into {SHORT_LINES} select {file}, line, is_ignored
            from (select line, {ignored} as is_ignored from ragged) where not is_ignored or {table.are_ignored_rows}"""
        )
        is_short = f"line in (select line from {SHORT_LINES} where file = {file})"
    if not ragged.long:
        return is_short, ""
    engine.keep("ragged", {"line": ragged.long.tolist()}, {"line": "bigint"})
    return is_short, "line in (select line from ragged)"


def _begun_with_log(engine: Engine, rows: str, file: int) -> str:
    """SQL for the same typed rows; those without a start begin in the first hour of the log, and are BEGUN_BEFORE."""
    engine.run(f"create or replace temp table typed_rows as {rows}")
    no_start = "code = 0 and start_s is null"
    (first_s,) = engine.one("select least(min(start_s), min(end_s)) from typed_rows where code = 0")
    engine.run(f"insert into {BEGUN_BEFORE} select {file}, line from typed_rows where {no_start}")
    if first_s is None:
        return "select * from typed_rows"
    begun = f"case when {no_start} then {first_s // HOUR_S * HOUR_S} else start_s end as start_s"
    return f"select * replace ({begun}) from typed_rows"


def _typed_sql(
    table: JobTable,
    file: int,
    groups: Sequence[row_marks.Group],
    zones: Zones,
    queue_zones: Zones,
    is_short: str,
    is_long: str,
    *,
    is_open: OpenEnded,
) -> tuple[str, str]:
    """The columns of JOBS and where from. One fault a row: the first that holds.

    Source: docs/formats/README.md, How rows are counted.

    queue_zones: of the table's queue times, which make no row rejected. is_short, is_long: SQL that tells rows of
    too few or too many cells, empty where there are none. is_open: a row without an end runs on, one without a start is
    accepted with none; "both": so is one without either.
    """
    group_of = {field: f"l{number}" for number, group in enumerate(groups) for field in group.fields}
    texts = {
        column: f"{group_of[field]}.{column}"
        if field in group_of
        else row_readings.UNSAID.get(column, "null")
        for field, columns in row_readings.SAYS.items()
        for column in columns
    }

    def instant(prefix: str, of_span: Callable[[ClockSpan], int]) -> str:
        """SQL of UTC seconds from a local clock.

        Less one offset for all, or less that of its zone at that time.
        """
        clock = f"{prefix}_clock_s"
        if zones.is_fixed:
            return f"{clock} - {prefix}_offset_s"
        return f"{clock} - {zones.figure(f'{prefix}_rest', clock, of_span)}"

    def is_any(of_span: Callable[[ClockSpan], int]) -> str:
        """SQL of whether either of the two times has this mark in its zone."""
        figures = (
            zones.figure(f"{prefix}_rest", f"{prefix}_clock_s", of_span) for prefix in ("start", "end")
        )
        return " + ".join(f"coalesce({figure}, 0)" for figure in figures) + " > 0"

    is_running = f"is_end_missing and state_number = {row_readings.RUNNING_NO}"
    if is_open:
        is_running = f"is_end_missing and (state_number = {row_readings.RUNNING_NO} or elapsed_s is null)"
    flags = [f"l{number}.flags" for number in range(len(groups))]
    more_flags = ["flags"]
    if not zones.is_fixed:
        more_flags += [
            f"case when {is_any(lambda span: int(span.is_repeated))} then {FLAGS['repeated']} else 0 end",
            f"case when {is_any(lambda span: int(span.is_skipped))} then {FLAGS['skipped']} else 0 end",
        ]
    if "elapsed" in table.fields:
        more_flags.append(
            f"case when is_end_missing and has_elapsed and elapsed_s is null then {FLAGS['bad_duration']} else 0 end"
        )
    as_they_stand = "t.priority, t.is_priority_bad, " if "priority" in table.fields else ""
    as_they_stand += "t.qos, " if "qos" in table.fields else ""
    as_they_stand += "t.has_no_node, " if table.has_no_node != "false" else ""
    queue = table.queue_times
    queue_clocks = "".join(
        f"coalesce(t.{field}_clock_s, {texts[f'{field}_read_s']}) as {field}_clock_s, " for field in queue
    )
    queue_instants = "".join(
        f", {field}_clock_s - "
        f"{queue_zones.figure(f'{field}_rest', f'{field}_clock_s', row_readings.earlier)} as {field}_at_s"
        for field in queue
    )
    in_range = f"between {EARLIEST_S} and {LATEST_S - 1}"
    queue_columns = "".join(
        f", case when {field}_at_s {in_range} then {field}_at_s end as {field}_s" for field in queue
    )
    if queue:
        are_bad = " or ".join(
            f"(has_{field} and coalesce({field}_at_s not {in_range}, true))" for field in queue
        )
        more_flags.append(f"case when {are_bad} then {FLAGS['bad_time']} else 0 end")
    if "time_limit" in table.fields:
        queue_columns += ", limit_s as time_limit_s"
    if "priority" in table.fields:
        queue_columns += ", priority"
        more_flags.append(f"case when is_priority_bad then {FLAGS['bad_number']} else 0 end")
    queue_columns += f", {sql_forms.trimmed('qos')} as qos" if "qos" in table.fields else ""
    lacks_end = (
        "false"
        if table.end_is_elapsed or is_open
        else f"is_end_missing and state_number <> {row_readings.RUNNING_NO}"
    )
    milli_gpus = "milli_gpus"
    if table.gpus_are_hours:  # of a row without a length there is no demand, whatever it says
        lacks_end = "stated_end_s is null"
        count = f"cast(round(milli_gpus * {HOUR_S}.0 / nullif(stated_end_s - start_s, 0)) as bigint)"
        milli_gpus = f"coalesce(case when milli_gpus > 0 then greatest(1, {count}) end, 0) as milli_gpus"
    no_start = "not has_start and not is_end_missing and stated_end_s is not null" if is_open else "false"
    if is_open == "both":
        no_start = f"({no_start} or not has_start and is_end_missing and elapsed_s is null)"
    bad_elapsed = (
        f"when is_end_missing and elapsed_s is null and (has_elapsed or "
        f"state_number <> {row_readings.RUNNING_NO} and {not is_open}) then {code_number('bad_duration')}"
        if table.end_is_elapsed
        else ""
    )
    bad_time = code_number("bad_time")
    never_began = never_ran = ""
    if table.tells_beginnings:
        is_over = (
            f"state_id > 0 and state_number <> {row_readings.RUNNING_NO} and not ({is_short or 'false'})"
        )
        never_began = f"when not has_start and {is_over} then {code_number('never_started')}"
    if table.has_no_node != "false":
        never_ran = (
            f"when has_no_node and stated_end_s = start_s and state_number <> {row_readings.RUNNING_NO} "
            f"then {code_number('never_started')}"
        )
    later_end = (
        "when end_early_s < start_s and end_late_s >= start_s then end_late_s" if not zones.is_fixed else ""
    )
    long_row = f"when {is_long} then {code_number(issue_texts.LONG)}" if is_long else ""
    columns = f"""{file} as file, line, case
            {long_row}
            when state_number = {row_readings.PENDING_NO} then {code_number("pending")}
            when state_number = {row_readings.CANCELLED_NO} and not has_start then {code_number("never_started")}
            {never_began}
            when start_fault is not null or end_fault is not null then {code_number("unknown_timezone")}
            when (start_s is null and not ({no_start})) or start_s not {in_range} then {bad_time}
            when {lacks_end} then {bad_time}
            when not is_end_missing and stated_end_s is null then {bad_time}
            when stated_end_s not {in_range} then {bad_time}
            {bad_elapsed}
            when stated_end_s < start_s then {code_number("end_before_start")}
            {never_ran}
            when gpus_code is not null then gpus_code
            else 0 end as code,
        kind, name_id, {sql_forms.trimmed("job_id")} as job_id, coalesce(stated_model_id, gpus_model_id) as model_id,
        state_id, {milli_gpus}, coalesce(gpus_nodes, nodes_read) as nodes, start_s,
        {"stated_end_s" if table.end_is_elapsed else f"case when {lacks_end} then null else stated_end_s end"} as end_s,
        {is_running} as is_running, activity_read as activity_milli_percent, {sql_forms.trimmed("hosts")} as hosts,
        {" | ".join(more_flags)} as flags{queue_columns}"""
    joins = " ".join(
        f"join look{number} l{number} on l{number}.key = t.key{number}" for number in range(len(groups))
    )
    looks = ", ".join(
        f"look{number} as materialized ({row_readings.look_up(number, group)})"
        for number, group in enumerate(groups)
        if number > 0
    )
    passed = ", ".join(
        f"{sql} as {column}" for column, sql in texts.items() if not column.endswith("_read_s")
    )
    return (
        columns,
        f"""from (
        select *, case when is_end_missing then start_s + elapsed_s {later_end} else end_early_s end as stated_end_s
        from (
            select *, {instant("start", row_readings.earlier)} as start_s,
                {instant("end", row_readings.earlier)} as end_early_s,
                {instant("end", lambda span: span.later_offset_s)} as end_late_s{queue_instants}
            from (
                {f"with {looks}" if looks else ""}
                select t.line, t.job_id, t.hosts, l0.kind, {as_they_stand} {" | ".join(flags)} as flags,
                    coalesce(t.start_clock_s, {texts["start_read_s"]}) as start_clock_s,
                    coalesce(t.end_clock_s, {texts["end_read_s"]}) as end_clock_s,
                    coalesce(t.elapsed_quick_s, {texts["elapsed_read_s"]}) as elapsed_s,
                    {queue_clocks}{passed}
                from {row_marks.marks_of(table)} t {joins} where not t.is_ignored
            )
        )
    )""",
    )


def _rejected_rows(
    engine: Engine, table: JobTable, raw: RawTable, file: int
) -> tuple[intake.RejectedRow, ...]:
    """The first rejected rows of each code with their own text, read again from the file.

    Only these are kept whole.
    """
    ignored = ", ".join(str(code_number(code)) for code in IGNORED_CODES)
    found: list[tuple[Any, ...]] = engine.all(
        f"""select line, code, start_s is not null, end_s is not null from {JOBS}
        where file = {file} and code not in (0, {ignored})
        qualify row_number() over (partition by code order by line) <= {REJECTED_ROWS_KEPT} order by line"""
    )
    records_at(engine, raw, "rejected", np.array([row[0] for row in found], dtype=np.int64))
    row_texts.stage_texts(engine, table, "rejected")
    texts = {
        row[0]: row[1:]
        for row in engine.all(
            f'select line, t."start", t."end", t.elapsed, t.gpus, {raw.row_text}, {raw.row_cells} '
            "from texts t join rejected r using (line)"
        )
    }
    rows = []
    unstated = worded("empty or unknown")

    for line, number, is_start_read, is_end_read in found:
        code = CODES[number - 1]
        start, end, elapsed, gpus, text, cells = texts[line]
        beyond = raw.ragged.beyond.get(line, ()) if code == issue_texts.LONG else ()
        if code == issue_texts.LONG:
            value = issue_texts.long_words((*cells, *beyond), len(cells))
        elif code == "bad_number" and is_numbered(gpus or ""):
            rows.append(_unnamed(line, gpus, text, cells))
            continue
        elif code in ("bad_number", "gpus_unknown"):
            value = issue_texts.gpus_are(repr(gpus))
        elif code == "negative_gpus":
            value = issue_texts.gpus_are(gpus)
        elif code == "bad_duration":
            value = worded("duration {elapsed}", elapsed=elapsed or worded("empty"))
        elif elapsed and not end:
            value = worded("start {start}, duration {elapsed}", start=start or unstated, elapsed=elapsed)
        else:
            value = worded("start {start}, end {end}", start=start or unstated, end=end or unstated)
        lacks_one = (not end and not elapsed and is_start_read) or (not start and is_end_read)
        message = joined((value, issue_texts.issue_message(code)), ": ")
        rows.append(
            intake.RejectedRow(
                row=line,
                code=code,
                message=joined((message, issue_texts.KEPT_IF_OPEN), "; ")
                if lacks_one and code in OPEN_CODES
                else message,
                text=raw.delimiter.join((text, *beyond)),
                cells=(*cells, *beyond),
            )
        )
    return tuple(rows)


def _unnamed(line: int, gpus: str, text: str, cells: Sequence[str]) -> intake.RejectedRow:
    """A row whose GPUs stand by a number that only the cluster can explain."""
    problem = joined((issue_texts.gpus_are(repr(gpus)), numbers_words([gpus])), ": ")
    return intake.RejectedRow(
        row=line,
        code="bad_number",
        message=joined((problem, HOW_TO_NAME), "; "),
        text=text,
        cells=tuple(cells),
    )
