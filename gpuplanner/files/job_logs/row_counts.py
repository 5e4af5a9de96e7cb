"""Counts: how every row of each file ended, and the issues of each file."""

from typing import Final

from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.engine import Engine
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs.duplicates import ACCEPTED, LOST, possible_duplicates
from gpuplanner.files.job_logs.row_fates import CODES, FLAGS, IGNORED_CODES, JOBS, STATES, STEPS
from gpuplanner.files.job_logs.states import KNOWN_STATES

ACCEPTED_WITH: Final = (
    ("no_gpus", "milli_gpus = 0"),
    ("zero_length", "end_s = start_s"),
    ("unknown_gpu_model", "milli_gpus > 0 and model_id is null"),
    ("several_gpu_models", "flags & {mixed_models} > 0"),
    ("running", "is_running"),
    ("ambiguous_local_time", "flags & {repeated} > 0"),
    ("nonexistent_local_time", "flags & {skipped} > 0"),
    ("mixed_timezones", "flags & {mixed_zones} > 0"),
    ("bad_number", "flags & {bad_number} > 0"),
    ("bad_duration", "flags & {bad_duration} > 0"),
    ("unknown_class", "flags & {bad_label} > 0"),
)
"""Issue codes of rows that stay accepted, with the condition that earns them."""

_NAIVE: Final = ("naive_time_assumed_utc", "flags & {naive} > 0")


def conditions_of_issues(*, is_timezone_given: bool) -> list[tuple[str, str]]:
    """ACCEPTED_WITH in plain SQL over rows with flags, and what is said of naive times where no zone was given."""
    said = ACCEPTED_WITH if is_timezone_given else (*ACCEPTED_WITH, _NAIVE)
    return [(code, condition.format(**FLAGS)) for code, condition in said]


def row_counts(engine: Engine) -> dict[int, dict[str, int]]:
    """By file: how many rows ended in each fate."""
    counts: dict[int, dict[str, int]] = {}
    ignored = {CODES.index(code) + 1 for code in IGNORED_CODES}
    for file, code, count in engine.all(
        f"""select file, code, count(*) from {JOBS} group by file, code
        union all select file, -1, lines from {STEPS} where lines > 0"""
    ):
        fate = "accepted" if code == 0 else "ignored" if code in ignored or code < 0 else "rejected"
        by_fate = counts.setdefault(file, {})
        by_fate[fate] = by_fate.get(fate, 0) + count
    for file, count in engine.all(f"select file, count(*) from {LOST} group by file"):
        counts[file]["accepted"] -= count
        counts[file]["duplicate"] = count
    return counts


def _unknown_states(engine: Engine) -> list[tuple[str, str]]:
    """The condition for states that no scheduler writes, where the log has any."""
    states = engine.all(f"select id, text from {STATES} where text <> ''")
    odd = [str(number) for number, text in states if text not in KNOWN_STATES]
    return [("unknown_state", f"state_id in ({', '.join(odd)})")] if odd else []


def row_issues(engine: Engine, zoned: set[int]) -> dict[int, tuple[Issue, ...]]:
    """By file: its issues, sorted by code. zoned: the files whose zone was said, so that none was assumed."""
    found: dict[int, dict[str, tuple[int, int]]] = {}

    def note(file: int, code: str, count: int, line: int) -> None:
        issues = found.setdefault(file, {})
        before = issues.get(code)
        issues[code] = (count + before[0], min(line, before[1])) if before else (count, line)

    for file, number, count, line in engine.all(
        f"select file, code, count(*), min(line) from {JOBS} where code > 0 group by file, code"
    ):
        note(file, CODES[number - 1], count, line)
    conditions = [*conditions_of_issues(is_timezone_given=False), *_unknown_states(engine)]
    by_flags = [pair for pair in conditions if "flags" in pair[1]]
    others = [pair for pair in conditions if pair not in by_flags]
    for some, where in ((others, "true"), (by_flags, "flags > 0")):  # few rows have any flag
        figures = ", ".join(
            f"count(*) filter (where {condition}), min(line) filter (where {condition})"
            for _, condition in some
        )
        for file, *values in engine.all(
            f"select file, {figures} from {ACCEPTED} where {where} group by file"
        ):
            for (code, _), count, line in zip(some, values[::2], values[1::2], strict=True):
                if count and not (code == _NAIVE[0] and file in zoned):
                    note(file, code, count, line)
    for file, (count, line) in possible_duplicates(engine).items():
        note(file, "possible_duplicate", count, line)
    return {
        file: tuple(Issue(code, *issues[code], issue_message(code)) for code in sorted(issues))
        for file, issues in found.items()
    }
