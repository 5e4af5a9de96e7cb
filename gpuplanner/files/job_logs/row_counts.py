"""Counts: how every row of each file ended, and the issues of each file."""

from typing import Final

from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.engine import Engine
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs.duplicates import possible_duplicates
from gpuplanner.files.job_logs.row_fates import JOBS

ACCEPTED_WITH: Final = (
    ("no_gpus", "milli_gpus = 0"),
    ("zero_length", "end_s = start_s"),
    ("unknown_gpu_model", "milli_gpus > 0 and gpu_model is null"),
    ("several_gpu_models", "is_model_mixed"),
    ("running", "is_running"),
    ("ambiguous_local_time", "is_repeated"),
    ("nonexistent_local_time", "is_skipped"),
    ("mixed_timezones", "is_zone_mixed"),
    ("bad_number", "has_bad_number"),
    ("bad_duration", "has_bad_duration"),
    ("unknown_class", "has_bad_label"),
)
"""Issue codes of rows that stay accepted, with the condition that earns them."""

_SILENT_CODES: Final = ("step",)  # step lines are in rows_ignored; there are too many to be an issue


def row_counts(engine: Engine) -> dict[int, dict[str, int]]:
    """By file: how many rows ended in each fate."""
    counts: dict[int, dict[str, int]] = {}
    for file, fate, count in engine.all(f"select file, fate, count(*) from {JOBS} group by file, fate"):
        counts.setdefault(file, {})[fate] = count
    return counts


def row_issues(engine: Engine, *, is_timezone_given: bool) -> dict[int, tuple[Issue, ...]]:
    """By file: its issues, sorted by code."""
    found: dict[int, dict[str, tuple[int, int]]] = {}

    def note(file: int, code: str, count: int, line: int) -> None:
        issues = found.setdefault(file, {})
        before = issues.get(code)
        issues[code] = (count + before[0], min(line, before[1])) if before else (count, line)

    for file, code, count, line in engine.all(
        f"select file, code, count(*), min(line) from {JOBS} where code is not null group by file, code"
    ):
        if code not in _SILENT_CODES:
            note(file, code, count, line)
    conditions = [*ACCEPTED_WITH]
    if not is_timezone_given:
        conditions.append(("naive_time_assumed_utc", "is_naive"))
    figures = ", ".join(
        f"count(*) filter (where {condition}), min(line) filter (where {condition})"
        for _, condition in conditions
    )
    for file, *values in engine.all(
        f"select file, {figures} from {JOBS} where fate = 'accepted' group by file"
    ):
        for (code, _), count, line in zip(conditions, values[::2], values[1::2], strict=True):
            if count:
                note(file, code, count, line)
    for file, (count, line) in possible_duplicates(engine).items():
        note(file, "possible_duplicate", count, line)
    return {
        file: tuple(Issue(code, *issues[code], issue_message(code)) for code in sorted(issues))
        for file, issues in found.items()
    }
