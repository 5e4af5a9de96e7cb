"""Intake: files in, values out. What the window and the command line call to read jobs, contracts and prices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.contracts import read_contracts
from gpuplanner.files.engine import Engine, Progress, open_engine
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs.dialects import DIALECTS, Dialect
from gpuplanner.files.job_logs.mapped import mapped_dialect
from gpuplanner.files.job_logs.mapping import ColumnMapping, parse_mapping
from gpuplanner.files.job_logs.times import check_timezone
from gpuplanner.files.prices import BUILTIN, builtin_path, read_prices
from gpuplanner.files.recognise import check_is, recognise_source
from gpuplanner.files.resources import read_tables
from gpuplanner.files.small_table import TableRead
from gpuplanner.files.source import OTHER, Source, survey
from gpuplanner.files.spellings import canonical_spellings, spell_contracts, spell_cube, spell_offers
from gpuplanner.files.window_request import WindowRequest, choose_window

Value = TypeVar("Value", Contract, Offer)

_SURVEY_SHARE: Final = 0.2  # of the work of reading a log, for the progress bar
_ROWS_SHARE: Final = 0.7


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


@dataclass(frozen=True, slots=True)
class ContractsRead:
    """Contracts sorted by id, the intake of their files, and why some of these were refused."""

    contracts: tuple[Contract, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


@dataclass(frozen=True, slots=True)
class PricesRead:
    """Offers sorted by id, the intake of their files, and why some of these were refused."""

    offers: tuple[Offer, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ReadResult:
    """Everything one call read, GPU models spelled alike throughout; the fields are those of Project.

    window and cube are None where no job was accepted and no bounds were given. refused: see JobsRead.
    """

    window: Window | None
    cube: Cube | None
    workloads: tuple[Workload, ...]
    jobs: JobFacts
    contracts: tuple[Contract, ...]
    offers: tuple[Offer, ...]
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...] = ()
    accepted_jobs: int = 0


def read_inputs(
    job_paths: Sequence[str],
    contract_paths: Sequence[str] = (),
    price_paths: Sequence[str] = (),
    *,
    format: str | None = None,
    timezone: str | None = None,
    mapping: ColumnMapping | str | None = None,
    window_request: WindowRequest | None = None,
    rows_dir: Path | None = None,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> ReadResult:
    """Read all files of a call and put them together.

    format, mapping and timezone are of the job logs. Errors: PlannerError file_missing, file_unreadable,
    truncated_file, or usage; Cancelled. A readable file that is not what it was given as is refused, not raised.
    """
    contracts = import_contracts(contract_paths)
    prices = import_prices(price_paths)
    jobs = import_jobs(
        job_paths,
        format=format,
        timezone=timezone,
        mapping=mapping,
        window_request=window_request,
        rows_dir=rows_dir,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    return assemble(jobs, contracts, prices)


def assemble(jobs: JobsRead, contracts: ContractsRead, prices: PricesRead) -> ReadResult:
    """The parts as one, every GPU model spelled in one way."""
    log_models = jobs.cube.gpu_models if jobs.cube is not None else ()
    spellings = canonical_spellings(prices.offers, contracts.contracts, read_tables().gpu_models, log_models)
    return ReadResult(
        jobs.window,
        None if jobs.cube is None else spell_cube(jobs.cube, spellings),
        jobs.workloads,
        jobs.jobs,
        spell_contracts(contracts.contracts, spellings),
        spell_offers(prices.offers, spellings),
        (*jobs.intake, *contracts.intake, *prices.intake),
        (*jobs.refused, *contracts.refused, *prices.refused),
        jobs.accepted,
    )


# --- Jobs --------------------------------------------------------------------------------------


def import_jobs(
    paths: Sequence[str],
    *,
    format: str | None = None,
    timezone: str | None = None,
    mapping: ColumnMapping | str | None = None,
    window_request: WindowRequest | None = None,
    rows_dir: Path | None = None,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> JobsRead:
    """Read job logs: rows judged, duplicates over all files dropped, rows kept, demand reduced.

    Errors: as read_inputs.
    """
    check_timezone(timezone)
    paths = [str(path) for path in paths]
    chosen = _chosen_dialect(format, parse_mapping(mapping) if isinstance(mapping, str) else mapping)
    sizes = [Path(path).stat().st_size if Path(path).is_file() else 0 for path in paths]
    with open_engine(size_bytes=sum(sizes), on_progress=on_progress, is_cancelled=is_cancelled) as engine:
        from gpuplanner.files.job_logs.row_fates import create_jobs

        create_jobs(engine)
        whole = max(1, sum(sizes)) / _ROWS_SHARE
        done = 0.0
        files: list[FileIntake] = []
        refused: list[PlannerError] = []
        for number, (path, size) in enumerate(zip(paths, sizes, strict=True)):
            begun = done

            def on_bytes(count: int, path: str = path) -> None:
                nonlocal done
                done += count * _SURVEY_SHARE
                engine.progress(f"Reading {path}", done / whole)

            source = survey(path, on_bytes)
            try:
                files.append(_read_log(engine, source, number, chosen, timezone))
            except PlannerError as fault:
                if fault.code not in ("not_a_job_log", "missing_column"):
                    raise
                refused.append(fault)
                files.append(_refused_file(source, fault, format_name=recognise_source(source).format))
            done = begun + size
            engine.progress(f"Read {path}", done / whole)
        return _finish_jobs(engine, files, refused, timezone, window_request or WindowRequest(), rows_dir)


def _finish_jobs(
    engine: Engine,
    files: Sequence[FileIntake],
    refused: Sequence[PlannerError],
    timezone: str | None,
    request: WindowRequest,
    rows_dir: Path | None,
) -> JobsRead:
    from gpuplanner.files.job_logs.duplicates import mark_duplicates
    from gpuplanner.files.job_logs.job_rows import keep_rows, name_workloads
    from gpuplanner.files.job_logs.row_counts import row_counts, row_issues

    engine.progress("Looking for duplicates", 0.75)
    mark_duplicates(engine)
    counts = row_counts(engine)
    issues = row_issues(engine, is_timezone_given=timezone is not None)
    files = [
        _with_counts(file, counts.get(number, {}), issues.get(number, ()))
        for number, file in enumerate(files)
    ]
    engine.progress("Naming workloads", 0.8)
    name_workloads(engine)
    sha256 = ""
    if rows_dir is not None:
        engine.progress("Keeping the job rows", 0.85)
        sha256 = keep_rows(engine, rows_dir)
    engine.progress("Adding up demand", 0.9)
    read = replace(_reduce(engine, request, timezone or "UTC", files), refused=tuple(refused))
    engine.progress("Done", 1.0)
    return replace(read, jobs=replace(read.jobs, rows_sha256=sha256))


def rewindow(
    rows_dir: Path,
    before: JobsRead,
    window_request: WindowRequest,
    *,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> JobsRead:
    """The same jobs in another window, from the rows kept when they were imported.

    Errors: PlannerError file_missing where the rows are gone; usage; Cancelled.
    """
    from gpuplanner.files.job_logs.job_rows import open_rows, rows_path

    path = rows_path(rows_dir, before.jobs.rows_sha256)
    if not before.jobs.rows_sha256 or not path.exists():
        raise PlannerError(
            str(path), "file_missing", "the job rows are not kept here", "import the job log again"
        )
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        open_rows(engine, path)
        timezone = before.window.timezone if before.window is not None else "UTC"
        read = _reduce(engine, window_request, timezone, before.intake)
    return replace(read, refused=before.refused, jobs=replace(read.jobs, rows_sha256=before.jobs.rows_sha256))


def _chosen_dialect(format_name: str | None, mapping: ColumnMapping | None) -> Dialect | None:
    if mapping is not None:
        return mapped_dialect(mapping)
    if format_name is None:
        return None
    for dialect in DIALECTS:
        if dialect.format == format_name:
            return dialect
    known = ", ".join(dialect.format for dialect in DIALECTS)
    raise PlannerError(format_name, "usage", "no such format of job log", f"use one of {known}, or --map")


def _read_log(
    engine: Engine, source: Source, number: int, chosen: Dialect | None, timezone: str | None
) -> FileIntake:
    """Judge the rows of one log into the engine; counts and issues of rows come later, over all files.

    Errors: PlannerError not_a_job_log, missing_column, file_unreadable.
    """
    from gpuplanner.files.job_logs.row_fates import judge_rows

    dialect = (
        chosen if chosen is not None and source.kind != OTHER and source.head.strip() else _recognised(source)
    )
    table = dialect.rows(source, engine, f"log_{number}")
    rejected = judge_rows(engine, table, number, timezone)
    issues = table.issues
    if source.encoding == "latin-1":
        issues = (*issues, Issue("encoding", 1, None, issue_message("encoding")))
    return FileIntake(source.path, "jobs", dialect.format, 0, 0, 0, 0, 0, issues, rejected, source.sha256)


def _recognised(source: Source) -> Dialect:
    found = recognise_source(source)
    for dialect in DIALECTS:
        if found.kind == "jobs" and dialect.format == found.format:
            return dialect
    what = found.why if found.kind == "unknown" else f"it is a file of {found.kind}: {found.why}"
    remedy = (
        f"give it as --{found.kind}"
        if found.kind != "unknown"
        else "give a job log, or say with --map what its columns are"
    )
    raise PlannerError(source.path, "not_a_job_log", what, remedy)


def _refused_file(
    source: Source, fault: PlannerError, kind: str = "jobs", format_name: str = ""
) -> FileIntake:
    issue = Issue(
        fault.code, 1, 1 if fault.code == "missing_column" else None, f"{fault.what}; {fault.remedy}"
    )
    return FileIntake(source.path, kind, format_name, 0, 0, 0, 0, 0, (issue,), (), source.sha256)


def _with_counts(file: FileIntake, counts: Mapping[str, int], issues: Sequence[Issue]) -> FileIntake:
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


# --- Contracts and prices ----------------------------------------------------------------------


def import_contracts(paths: Sequence[str]) -> ContractsRead:
    """Read contract files; of two rows of one contract_id, also in two files, the first is kept.

    Errors: PlannerError file_missing, file_unreadable, truncated_file. A table that is none of contracts is refused.
    """
    reads, refused = _read_tables(paths, "contracts", read_contracts)
    values, files = _joined(reads, lambda contract: contract.contract_id)
    return ContractsRead(values, files, refused)


def import_prices(paths: Sequence[str]) -> PricesRead:
    """Read price lists; `builtin` is the one that ships with the product. Otherwise as import_contracts."""
    reads, refused = _read_tables(paths, "prices", read_prices)
    values, files = _joined(reads, lambda offer: offer.offer_id)
    return PricesRead(values, files, refused)


def _read_tables(
    paths: Sequence[str], kind: str, read: Callable[[Source], TableRead[Value]]
) -> tuple[list[TableRead[Value]], tuple[PlannerError, ...]]:
    reads: list[TableRead[Value]] = []
    refused: list[PlannerError] = []
    for path in map(str, paths):
        source = survey(builtin_path() if (kind, path) == ("prices", BUILTIN) else path)
        try:
            check_is(source, kind)
            found = read(source)
        except PlannerError as fault:
            if fault.code != "missing_column":
                raise
            refused.append(fault)
            found = TableRead((), _refused_file(source, fault, kind))
        reads.append(replace(found, intake=replace(found.intake, path=path)))
    return reads, tuple(refused)


def _joined(
    reads: Sequence[TableRead[Value]], id_of: Callable[[Value], str]
) -> tuple[tuple[Value, ...], tuple[FileIntake, ...]]:
    found: dict[str, Value] = {}
    files = []
    for read in reads:
        again = 0
        for value in read.values:
            again += found.setdefault(id_of(value), value) is not value
        files.append(
            replace(
                read.intake,
                rows_accepted=read.intake.rows_accepted - again,
                rows_duplicate=read.intake.rows_duplicate + again,
            )
        )
    return tuple(found[key] for key in sorted(found)), tuple(files)
