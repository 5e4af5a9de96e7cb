"""How the rows of each file ended, once repeats over all files are found and activity is joined with the jobs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake, Issue
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.sources.issue_texts import KEPT_IF_OPEN
from gpuplanner.files.system.engine import Engine

NO_RECORDS: Final = "there is no job in it"
_EXPORT_WITH_JOBS: Final = "export a time in which jobs ran"


def counted_files(
    engine: Engine, files: Sequence[FileIntake], zoned: set[int], without_alike: set[int]
) -> list[FileIntake]:
    """The files with their counts and issues: duplicates found over all of them, activity joined.

    zoned: the numbers of the files whose zone was said; without_alike: of those whose alike rows are dropped.
    """
    from gpuplanner.files.job_logs.judging.accepted_jobs import view_accepted_jobs
    from gpuplanner.files.job_logs.judging.duplicates import find_duplicates
    from gpuplanner.files.job_logs.judging.row_counts import RowsFound, row_counts, row_issues

    find_duplicates(engine, without_alike)
    view_accepted_jobs(engine)
    files, joined = _join_activity(engine, files)
    counts = row_counts(engine)
    found = row_issues(engine, zoned)
    counted = []
    for number, file in enumerate(files):
        of_file = found.get(number, RowsFound())
        issues = (*of_file.issues, *joined.get(number, ()))
        counted.append(_with_counts(replace(file, noted=of_file.noted), counts.get(number, {}), issues))
    return counted


def activity_alone(files: Sequence[FileIntake]) -> tuple[list[FileIntake], list[PlannerError]]:
    """Activity without any job log to join it with is refused, in words."""
    if any(file.kind != ACTIVITY for file in files):
        return [*files], []
    what = worded("it says how busy GPUs were, and holds no jobs")
    remedy = worded("give the job log too, in the same call: --jobs JOBS.csv ACTIVITY.csv")
    faults = [PlannerError(file.path, "not_a_job_log", what, remedy) for file in files]
    issues = [Issue(fault.code, 1, None, joined((what, remedy), "; ")) for fault in faults]
    return [
        FileIntake(file.path, ACTIVITY, file.format, 0, 0, 0, 0, 0, issues=(issue,), sha256=file.sha256)
        for file, issue in zip(files, issues, strict=True)
    ], faults


def _join_activity(
    engine: Engine, files: Sequence[FileIntake]
) -> tuple[list[FileIntake], dict[int, tuple[Issue, ...]]]:
    """Samples counted once and joined with the jobs; the files with their repeats, and more issues by file."""
    if not any(file.kind == ACTIVITY and file.rows_read for file in files):
        return [*files], {}
    from gpuplanner.files.activity.join import join_activity
    from gpuplanner.files.activity.staging import drop_repeated_samples, without_repeats

    engine.progress(worded("Joining activity with jobs"), 0.58)
    repeated = drop_repeated_samples(engine)
    counted = [without_repeats(file, repeated.get(number, 0)) for number, file in enumerate(files)]
    return counted, join_activity(engine)


def _with_counts(file: FileIntake, counts: Mapping[str, int], issues: Sequence[Issue]) -> FileIntake:
    """A file with the counts and issues that only all files together tell; a log without any record says so."""
    if file.kind != "jobs":
        return replace(file, issues=sorted_issues((*file.issues, *issues)))
    if not (counts or issues or file.issues):
        issues = (
            Issue(
                "not_a_job_log",
                1,
                None,
                joined((NO_RECORDS, _EXPORT_WITH_JOBS), "; "),
            ),
        )
    open_codes = {row.code for row in file.rejected if str(KEPT_IF_OPEN) in str(row.message)}
    told = tuple(
        replace(issue, message=joined((issue.message, KEPT_IF_OPEN), "; "))
        if issue.code in open_codes
        else issue
        for issue in issues
    )
    return replace(
        file,
        rows_read=sum(counts.values()),
        rows_accepted=counts.get("accepted", 0),
        rows_rejected=counts.get("rejected", 0),
        rows_duplicate=counts.get("duplicate", 0),
        rows_ignored=counts.get("ignored", 0),
        issues=sorted_issues((*file.issues, *told)),
    )


def sorted_issues(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """Issues in the order in which they are told."""
    return tuple(sorted(issues, key=lambda issue: (issue.code, issue.first_row or 0)))
