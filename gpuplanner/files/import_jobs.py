"""Importing jobs: logs in; workloads, demand and the fate of every row out."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files import node_facts
from gpuplanner.files.activity_logs.activity_intake import KIND as ACTIVITY
from gpuplanner.files.decoding import NOT_UTF_8
from gpuplanner.files.engine import Engine, Progress, open_engine
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs.dialects import DIALECTS, Dialect
from gpuplanner.files.job_logs.mapped import mapped_dialect
from gpuplanner.files.job_logs.mapping import ColumnMapping, parse_mapping
from gpuplanner.files.job_logs.propose import proposal_for
from gpuplanner.files.job_logs.times import check_timezone
from gpuplanner.files.log_choice import NONE_GIVEN, LogChoices
from gpuplanner.files.recognise import OPTION_OF, Recognition, activity_dialect, recognise_source
from gpuplanner.files.refused_file import UNREADABLE, refused_file, unreadable_file
from gpuplanner.files.source import OTHER, TEXT, Source, survey_part
from gpuplanner.files.unpack import parts_of
from gpuplanner.files.user_folder import data_folder
from gpuplanner.files.window_request import WindowRequest, choose_window

LOG_KINDS: Final = ("jobs", ACTIVITY)
"""Kinds of files that are read together, and numbered in the order in which they were given."""

_READING_SHARE: Final = 0.55  # of the work of an import, for the progress bar
_SURVEY_SHARE: Final = 0.1  # of the work of reading a log


@dataclass(frozen=True, slots=True, eq=False)
class JobsRead:
    """What job logs hold. window and cube are None where no job was accepted and no bounds were given.

    refused: files that are readable but no job log; each is in intake too, with its issue. jobs.rows_sha256 names
    the kept rows where a folder for them was given; accepted: jobs of all files, in or out of the window.
    """

    window: Window | None
    cube: Cube | None
    workloads: tuple[Workload, ...]
    jobs: JobFacts
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...] = ()
    accepted: int = 0


def import_jobs(
    paths: Sequence[str],
    *,
    format: str | None = None,
    timezone: str | None = None,
    mapping: ColumnMapping | str | None = None,
    cluster: str | None = None,
    window_request: WindowRequest | None = None,
    rows_dir: Path | None = None,
    choices: LogChoices | None = None,
    drop_alike: bool = False,
    pseudonyms: bool | Path = False,
    counts_only: bool = False,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> JobsRead:
    """Read job logs: rows judged, duplicates over all files dropped, rows kept, demand reduced.

    choices: what was said of single logs, which wins over format, mapping and timezone.
    drop_alike: in all logs, rows without an id that repeat an earlier one in every field are duplicates.
    pseudonyms: replace users, accounts and job names before anything is kept, with this user's key or that in a file.
    counts_only: say how the rows end and nothing more: no workloads, no demand. Errors: as read_inputs.
    """
    choices = choices or {}
    for zone in (timezone, *(choice.timezone for choice in choices.values())):
        check_timezone(zone)
    key = _pseudonym_key(pseudonyms)
    paths = [str(path) for path in paths]
    chosen = _chosen_dialect(format, parse_mapping(mapping) if isinstance(mapping, str) else mapping)
    sizes = [Path(path).stat().st_size if Path(path).is_file() else 0 for path in paths]
    with open_engine(size_bytes=sum(sizes), on_progress=on_progress, is_cancelled=is_cancelled) as engine:
        from gpuplanner.files.activity_logs.staging import create_activity
        from gpuplanner.files.job_logs.row_fates import create_jobs, name_cluster

        create_jobs(engine)
        create_activity(engine)
        read = _FilesRead()
        for place, path in enumerate(paths):
            begin, end = (
                _READING_SHARE * sum(sizes[:count]) / max(1, sum(sizes)) for count in (place, place + 1)
            )
            own = choices.get(path, NONE_GIVEN)
            dialect = _chosen_dialect(own.format, own.mapping) or chosen
            with engine.part(begin, end):
                is_told = dialect is not None and len(paths) == 1
                first = len(read.files)
                _read_file(
                    engine, path, sizes[place], dialect, own.timezone or timezone, read, is_told=is_told
                )
                if drop_alike or own.drops_alike:
                    read.without_alike.update(range(first, len(read.files)))
        engine.progress("Read", _READING_SHARE)
        if cluster:
            name_cluster(engine, cluster)
        files, alone = _activity_alone(read.files)
        refused = [*read.refused, *alone]
        files = _counted(engine, files, read.zoned, read.without_alike)
        if counts_only:
            accepted = sum(file.rows_accepted for file in files)
            return JobsRead(None, None, (), JobFacts(), tuple(files), tuple(refused), accepted)
        return _finish_jobs(
            engine, files, refused, read.constants, timezone, window_request or WindowRequest(), rows_dir, key
        )


_REFUSING: Final = ("not_a_job_log", "missing_column")
"""What is wrong with a file that is left out while the others are read."""

NO_RECORDS: Final = "there is no job in it"
_EXPORT_WITH_JOBS: Final = "export a time in which jobs ran"


def _pseudonym_key(pseudonyms: bool | Path) -> bytes | None:
    """Errors: PlannerError file_missing, file_unreadable."""
    if pseudonyms is False:
        return None
    from gpuplanner.files.pseudonyms import read_key

    return read_key(None if pseudonyms is True else pseudonyms, data_folder())


@dataclass(slots=True)
class _FilesRead:
    """What the files of a call were so far. constants: by path; zoned: the numbers of the files whose zone was said.

    without_alike: the numbers of those whose alike rows are to be dropped.
    """

    files: list[FileIntake] = field(default_factory=list)
    refused: list[PlannerError] = field(default_factory=list)
    constants: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    zoned: set[int] = field(default_factory=set)
    without_alike: set[int] = field(default_factory=set)


def _read_file(
    engine: Engine,
    path: str,
    size_bytes: int,
    dialect: Dialect | None,
    timezone: str | None,
    read: _FilesRead,
    *,
    is_told: bool,
) -> None:
    """Judge the rows of a file, or of each one packed in it, into the engine; `read` grows by them.

    is_told: somebody said that it is a job log of that dialect, so it is not looked at as anything else.
    """
    size, begin = max(1, size_bytes), 0.0
    engine.progress(f"Reading {path}", 0.0)
    parts = parts_of(path, engine.folder, lambda count: engine.check())
    refusing = _REFUSING if len(parts) == 1 else (*_REFUSING, *UNREADABLE)
    for part in parts:
        part_bytes = part.at.stat().st_size if part.at.is_file() else 0
        end = min(1.0, begin + (part.packed_bytes or part_bytes) / size)
        with engine.part(begin, end):
            surveyed = 0

            def on_bytes(count: int, whole: int = max(1, part_bytes)) -> None:
                nonlocal surveyed
                surveyed += count
                engine.progress(f"Reading {path}", _SURVEY_SHARE * surveyed / whole)

            try:
                source = survey_part(part, on_bytes)
            except PlannerError as fault:
                if fault.code not in refusing:
                    raise
                read.refused.append(fault)
                read.files.append(unreadable_file(fault))
                begin = end
                continue
            if source.kind == TEXT:
                read.constants[source.path] = source.constants
            number = len(read.files)
            with engine.part(_SURVEY_SHARE, 1.0):
                found = None if is_told and source.kind != OTHER else recognise_source(source)
                try:
                    activity = None if is_told else _read_activity(engine, source, found, number, timezone)
                    read.files.append(activity or _read_log(engine, source, found, number, dialect, timezone))
                    if timezone:
                        read.zoned.add(number)
                except PlannerError as fault:
                    if fault.code not in refusing:
                        raise
                    read.refused.append(fault)
                    format_name = (found or recognise_source(source)).format
                    read.files.append(refused_file(source, fault, format_name=format_name))
        if str(part.at) != part.path:
            part.at.unlink(missing_ok=True)
        begin = end


def _counted(
    engine: Engine, files: Sequence[FileIntake], zoned: set[int], without_alike: set[int]
) -> list[FileIntake]:
    """The files with their counts and issues: duplicates found over all of them, activity joined.

    zoned: the numbers of the files whose zone was said; without_alike: of those whose alike rows are dropped.
    """
    from gpuplanner.files.job_logs.accepted_jobs import view_accepted_jobs
    from gpuplanner.files.job_logs.duplicates import find_duplicates
    from gpuplanner.files.job_logs.row_counts import RowsFound, row_counts, row_issues

    engine.progress("Looking for duplicates", _READING_SHARE)
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


def _finish_jobs(
    engine: Engine,
    files: Sequence[FileIntake],
    refused: Sequence[PlannerError],
    constants: Mapping[str, tuple[tuple[str, int], ...]],
    timezone: str | None,
    request: WindowRequest,
    rows_dir: Path | None,
    key: bytes | None,
) -> JobsRead:
    from gpuplanner.files.job_logs.job_rows import keep_rows, name_workloads
    from gpuplanner.files.job_logs.log_quality import log_quality

    quality = log_quality(engine, files, constants)
    if key is not None:
        from gpuplanner.files.job_logs.pseudonymise import pseudonymise, without_names

        engine.progress("Replacing names", 0.61)
        pseudonymise(engine, key)
        files = [without_names(file) for file in files]
    engine.progress("Naming workloads", 0.62)
    name_workloads(engine)
    sha256 = ""
    if rows_dir is not None:
        engine.progress("Keeping the job rows", 0.65)
        sha256 = keep_rows(engine, rows_dir)
    with engine.part(0.8, 1.0):
        engine.progress("Adding up demand", 0.0)
        read = replace(_reduce(engine, request, timezone or "UTC", files), refused=tuple(refused))
    engine.progress("Done", 1.0)
    return replace(read, jobs=replace(read.jobs, rows_sha256=sha256, quality=quality))


def rewindow(
    rows_dir: Path,
    jobs: JobFacts,
    intake: Sequence[FileIntake],
    window_request: WindowRequest,
    *,
    timezone: str = "UTC",
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> JobsRead:
    """The same jobs in another window, from the rows kept when they were imported.

    jobs, intake: of the project; files of other kinds are left out of the answer. Errors: PlannerError
    file_missing where the rows are gone; usage; Cancelled.
    """
    from gpuplanner.files.job_logs.job_rows import open_rows, rows_path

    path = rows_path(rows_dir, jobs.rows_sha256)
    if not jobs.rows_sha256 or not path.exists():
        raise PlannerError(
            str(path), "file_missing", "the job rows are not kept here", "import the job log again"
        )
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        open_rows(engine, path)
        files = [file for file in intake if file.kind in LOG_KINDS]  # as their rows were numbered
        read = _reduce(engine, window_request, timezone, files)
    return replace(read, jobs=replace(read.jobs, rows_sha256=jobs.rows_sha256, quality=jobs.quality))


def _chosen_dialect(format_name: str | None, mapping: ColumnMapping | None) -> Dialect | None:
    if mapping is not None:
        return mapped_dialect(mapping)
    if format_name is None:
        return None
    for dialect in DIALECTS:
        if dialect.format == format_name:
            return dialect
    known = ", ".join(dialect.format for dialect in DIALECTS)
    raise PlannerError(
        repr(format_name), "usage", "no such format of job log", f"use one of {known}, or --map"
    )


def _read_log(
    engine: Engine,
    source: Source,
    found: Recognition | None,
    number: int,
    chosen: Dialect | None,
    timezone: str | None,
) -> FileIntake:
    """Judge the rows of one log into the engine; counts and issues of rows come later, over all files.

    Errors: PlannerError not_a_job_log, missing_column, file_unreadable.
    """
    import duckdb

    from gpuplanner.files.job_logs.row_fates import judge_rows

    if chosen is not None and source.kind != OTHER and source.head.strip():
        dialect = chosen
    else:
        dialect = _recognised(source, found or recognise_source(source))
    try:
        table = dialect.rows(source, engine, f"log_{number}")
    except PlannerError as fault:
        if fault.code != "missing_column" or chosen is not None:
            raise
        raise _with_proposal(source, fault) from fault
    except duckdb.InvalidInputException as fault:
        raise PlannerError(
            source.path, "file_unreadable", "its first records cannot be read", "write or download it again"
        ) from fault
    rejected = judge_rows(engine, table, number, timezone)
    issues = table.issues
    if surplus := table.raw.surplus.count:
        first = table.raw.surplus.first_line
        issues = (*issues, Issue("surplus_cells", surplus, first, issue_message("surplus_cells")))
    if source.encoding == NOT_UTF_8:
        issues = (*issues, Issue("encoding", 1, None, issue_message("encoding")))
    columns = table.raw.columns if rejected else ()
    return FileIntake(
        source.path, "jobs", dialect.format, 0, 0, 0, 0, 0, issues, rejected, source.sha256, columns=columns
    )


def _read_activity(
    engine: Engine, source: Source, found: Recognition | None, number: int, timezone: str | None
) -> FileIntake | None:
    """Stage the samples of an activity file; None for any other."""
    from gpuplanner.files.activity_logs.staging import stage_activity

    dialect = None if found is None else activity_dialect(found)
    return None if dialect is None else stage_activity(engine, source, dialect, number, timezone)[0]


def _activity_alone(files: Sequence[FileIntake]) -> tuple[list[FileIntake], list[PlannerError]]:
    """Activity without any job log to join it with is refused, in words."""
    if any(file.kind != ACTIVITY for file in files):
        return [*files], []
    what = "it says how busy GPUs were, and holds no jobs"
    remedy = "give the job log too, in the same call: --jobs JOBS.csv ACTIVITY.csv"
    faults = [PlannerError(file.path, "not_a_job_log", what, remedy) for file in files]
    issues = [Issue(fault.code, 1, None, f"{what}; {remedy}") for fault in faults]
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
    from gpuplanner.files.activity_logs.join import join_activity
    from gpuplanner.files.activity_logs.staging import drop_repeated_samples, without_repeats

    engine.progress("Joining activity with jobs", 0.58)
    repeated = drop_repeated_samples(engine)
    counted = [without_repeats(file, repeated.get(number, 0)) for number, file in enumerate(files)]
    return counted, join_activity(engine)


def _recognised(source: Source, found: Recognition) -> Dialect:
    for dialect in DIALECTS:
        if (found.kind, found.format) == (dialect.kind, dialect.format):
            return dialect
    if (found.format, found.why) == (node_facts.FORMAT, node_facts.WHY):
        raise PlannerError(source.path, "not_a_job_log", node_facts.held_words(source), node_facts.TO_COUNT)
    option = OPTION_OF.get(found.kind)
    what = found.why if found.kind == "unknown" else f"it is a file of {found.kind}: {found.why}"
    remedy = f"give it as --{option}" if option else "give a job log, or say with --map what its columns are"
    fault = PlannerError(source.path, "not_a_job_log", what, remedy)
    raise fault if found.kind != "unknown" or source.kind == OTHER else _with_proposal(source, fault)


def _with_proposal(source: Source, fault: PlannerError) -> PlannerError:
    """The same fault; its remedy is the mapping to try, or says for what no column was found."""
    try:
        proposal = proposal_for(source)
    except PlannerError:  # JSON that is cut off or broken: what is said of it already is enough
        return fault
    if proposal is None or proposal.mapping is None:
        return fault
    if proposal.words is not None:
        remedy = f"it may be read with --map {shlex.quote(proposal.words)}"
    else:
        remedy = f"{fault.remedy}; by name and values there is {' and '.join(proposal.lacking)}"
    return PlannerError(fault.where, fault.code, fault.what, remedy)


def _with_counts(file: FileIntake, counts: Mapping[str, int], issues: Sequence[Issue]) -> FileIntake:
    if file.kind == ACTIVITY:
        return replace(file, issues=_sorted_issues((*file.issues, *issues)))
    if not (counts or issues or file.issues):
        issues = (Issue("not_a_job_log", 1, None, f"{NO_RECORDS}; {_EXPORT_WITH_JOBS}"),)
    return replace(
        file,
        rows_read=sum(counts.values()),
        rows_accepted=counts.get("accepted", 0),
        rows_rejected=counts.get("rejected", 0),
        rows_duplicate=counts.get("duplicate", 0),
        rows_ignored=counts.get("ignored", 0),
        issues=_sorted_issues((*file.issues, *issues)),
    )


def _sorted_issues(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    return tuple(sorted(issues, key=lambda issue: (issue.code, issue.first_row or 0)))


def _reduce(engine: Engine, request: WindowRequest, timezone: str, files: Sequence[FileIntake]) -> JobsRead:
    """JOB_ROWS of the engine in the window asked for; the issue `clipped` is of the window, so it is set here."""
    from gpuplanner.files.job_logs.reduce import log_span, reduce_jobs

    span = log_span(engine)
    window = choose_window(request, span, timezone)
    accepted = sum(file.rows_accepted for file in files if file.kind == "jobs")
    files = [
        replace(file, issues=tuple(issue for issue in file.issues if issue.code != "clipped"))
        for file in files
    ]
    if window is None:
        return JobsRead(None, None, (), JobFacts(), tuple(files), accepted=accepted)
    found = reduce_jobs(engine, window)
    for number, (count, line) in found.clipped_by_file.items():
        issue = Issue("clipped", count, line, issue_message("clipped"))
        files[number] = replace(files[number], issues=_sorted_issues((*files[number].issues, issue)))
    return JobsRead(window, found.cube, found.workloads, found.jobs, tuple(files), accepted=accepted)
