"""Counts: how every row of each file ended, and the issues of each file."""

from dataclasses import dataclass
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.log.intake import Issue, RejectedRow
from gpuplanner.files.job_logs.judging.duplicates import ACCEPTED, LOST, possible_duplicates
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
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.row_widths import SHORT
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.states import KNOWN_STATES, RUNNING

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
