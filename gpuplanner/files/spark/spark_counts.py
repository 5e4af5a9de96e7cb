"""How the rows of each log on Spark ended, and what is to be said of them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from gpuplanner.domain.model.log.intake import FileIntake, Issue
from gpuplanner.files.job_logs.judging.row_counts import conditions_of_issues
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.row_widths import SHORT
from gpuplanner.files.values.states import KNOWN_STATES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def intake_of_views(
    session: "SparkSession",
    files: Sequence[tuple[str, str]],
    kept: Mapping[int, int],
    steps: Mapping[int, int],
    is_timezone_given: bool,
) -> tuple[FileIntake, ...]:
    """How the rows of each file ended. kept: accepted rows of each that are no repeats; steps: rows that are no job."""
    counts: dict[tuple[int, str], int] = {
        (file, fate): count
        for file, fate, count in session.sql(
            "select file, fate, count(*) from jobs group by file, fate"
        ).collect()
    }
    issues: dict[int, dict[str, int]] = {}
    for file, code, count in session.sql(
        "select file, code, count(*) from jobs where code is not null group by file, code"
    ).collect():
        issues.setdefault(file, {})[code] = count
    known = ", ".join(f"'{state}'" for state in sorted(KNOWN_STATES))
    conditions = [
        *conditions_of_issues(is_timezone_given=is_timezone_given),
        ("unknown_state", f"state <> '' and state not in ({known})"),
        (SHORT, "is_short"),
    ]
    figures = ", ".join(f"count(*) filter (where {condition})" for _, condition in conditions)
    for file, *found in session.sql(
        f"select file, {figures} from (select *, gpu_model as model_id from accepted_once) group by file"
    ).collect():
        for (code, _), count in zip(conditions, found, strict=True):
            if count:
                of_file = issues.setdefault(file, {})
                of_file[code] = of_file.get(code, 0) + count
    for file, count in session.sql(_ALIKE_SQL).collect():
        issues.setdefault(file, {})["possible_duplicate"] = count
    answer = []
    for number, (path, format_name) in enumerate(files):
        rejected, ignored = (counts.get((number, fate), 0) for fate in ("rejected", "ignored"))
        ignored += steps.get(number, 0)
        told = counts.get((number, "accepted"), 0)
        accepted = kept.get(number, 0)
        told_of = tuple(
            Issue(code, count, None, issue_message(code))
            for code, count in sorted(issues.get(number, {}).items())
        )
        answer.append(
            FileIntake(
                path,
                "jobs",
                format_name,
                told + rejected + ignored,
                accepted,
                rejected,
                told - accepted,
                ignored,
                told_of,
            )
        )
    return tuple(answer)


_ALIKE: Final = (
    "cluster, name, account, user, queue, gpu_model, milli_gpus, nodes, start_s, end_s, is_running, state, "
    "activity_milli_percent, label, model"
)
_ALIKE_SQL: Final = f"""select file, count(*) from (
    select file, row_number() over (partition by {_ALIKE} order by file, line) as place
    from accepted_once where job_id is null) where place > 1 group by file"""
NOT_ALIKE_SQL: Final = f"""select * from (
    select *, row_number() over (partition by {_ALIKE} order by file, line) as place from accepted_jobs)
    where job_id is not null or place = 1"""
"""The accepted jobs without those that have no id and repeat an earlier one in every field."""
