"""Importing jobs: logs read one after the other; workloads, demand and the validation of every row out."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, capital, joined, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.activity.activity_intake import drop_repeated_samples, stage_activity, without_repeats
from gpuplanner.files.importing import best_reading, known_listings, other_sheets, recognise
from gpuplanner.files.importing.log_choices import AS_RECOGNISED, LogChoice, ReadOptions
from gpuplanner.files.importing.windowed_jobs import JobsRead, reduce_in, sorted_issues
from gpuplanner.files.job_logs import propose_columns
from gpuplanner.files.job_logs.dialects.slurm.slurm_fields import ASK_SLURM, STEPS
from gpuplanner.files.job_logs.judging import job_store, tres_names
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.expression import ACCEPTED, find_duplicates
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import mapped_dialect, plain_layout
from gpuplanner.files.job_logs.recognisers import DIALECTS, dialect_named
from gpuplanner.files.job_logs.reduce import job_rows
from gpuplanner.files.job_logs.reduce.kept_logs import KeptLogs, put_back, recounted
from gpuplanner.files.job_logs.reduce.pseudonymise import pseudonymise, without_names
from gpuplanner.files.job_logs.reduce.pseudonyms import read_key
from gpuplanner.files.lists import node_lists
from gpuplanner.files.lists.nodes import node
from gpuplanner.files.sources import issue_texts
from gpuplanner.files.sources.source import NOT_UTF_8, OTHER, TEXT, Source, survey_part
from gpuplanner.files.sources.unpack import parts_of
from gpuplanner.files.system.engine import Engine, Progress, open_engine
from gpuplanner.files.system.memory import few_collections
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.own_folder import discard
from gpuplanner.files.system.user_files import data_folder
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.layout import unique
from gpuplanner.files.tables.unread_columns import told_columns
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.files.values.times import check_timezone
from gpuplanner.lazy_dataclass import dataclass, field, replace

_SURVEY_SHARE: Final = 0.1  # of the work of reading a log
_REFUSING: Final = ("not_a_job_log", "missing_column")
"""What is wrong with a file that is left out while the others are read."""


@dataclass(slots=True, kw_only=True)
class FilesRead:
    """What the files of a call were so far. constants: by path; zoned: the numbers of the files whose zone was said.

    without_alike: the numbers of those whose alike rows are to be dropped. unnamed: as in JobsRead.
    """

    files: list[FileIntake] = field(default_factory=list)
    refused: list[PlannerError] = field(default_factory=list)
    constants: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    zoned: set[int] = field(default_factory=set)
    without_alike: set[int] = field(default_factory=set)
    unnamed: list[str] = field(default_factory=list)


def read_file(
    engine: Engine,
    path: str,
    size_bytes: int,
    dialect: Dialect | None,
    choice: LogChoice,
    read: FilesRead,
    *,
    is_told: bool,
) -> None:
    """Judge the rows of a file, or of each one packed in it, into the engine; `read` grows by them.

    dialect: that was chosen; choice: what else was. is_told: it is a job log of that dialect, so it is not looked at as
    anything else.
    """
    size, begin = max(1, size_bytes), 0.0
    engine.progress(worded("Reading {path}", path=path), 0.0)
    parts = parts_of(path, engine.folder, lambda count: engine.check())
    refusing = _REFUSING if len(parts) == 1 else (*_REFUSING, *issue_texts.UNREADABLE)
    for part in parts:
        part_bytes = part.at.stat().st_size if part.at.is_file() else 0
        end = min(1.0, begin + (part.packed_bytes or part_bytes) / size)
        with engine.part(begin, end):
            surveyed = 0

            def on_bytes(count: int, whole: int = max(1, part_bytes)) -> None:
                nonlocal surveyed
                surveyed += count
                engine.progress(worded("Reading {path}", path=path), _SURVEY_SHARE * surveyed / whole)

            try:
                source = survey_part(part, on_bytes)
            except PlannerError as fault:
                if fault.code not in refusing:
                    raise
                read.refused.append(fault)
                read.files.append(issue_texts.unreadable_file(fault))
                begin = end
                continue
            if source.kind == TEXT:
                read.constants[source.path] = source.constants
            number = len(read.files)
            with engine.part(_SURVEY_SHARE, 1.0):
                recognised = None if is_told and source.kind != OTHER else recognise.recognise_source(source)
                try:
                    activity = None if is_told else _read_activity(engine, source, recognised, number, choice)
                    if recognised is not None and recognised.kind == tres_names.KIND:
                        activity = tres_names.describe(source)
                    read.files.append(
                        activity or _read_log(engine, source, recognised, number, dialect, choice.timezone)
                    )
                    if choice.timezone:
                        read.zoned.add(number)
                except PlannerError as fault:
                    if fault.code not in refusing:
                        raise
                    read.refused.append(fault)
                    format_name = (recognised or recognise.recognise_source(source)).format
                    read.files.append(issue_texts.refused_file(source, fault, format_name=format_name))
        if part.is_temporary:
            discard(part.at)
        begin = end


def chosen_dialect(choice: LogChoice) -> Dialect | None:
    """The dialect that was said, by name or by a mapping; None where nothing was. Errors: PlannerError usage."""
    if choice.mapping is not None:
        return mapped_dialect(choice.mapping, choice.format, _completed)
    return None if choice.format is None else dialect_named(choice.format, "--map")


def _completed(
    mapping: column_mapping.ColumnMapping, source: Source
) -> tuple[column_mapping.ColumnMapping, tuple[Issue, ...]]:
    """A mapping with what is sure of the other columns, which is told; of one that is whole, what it leaves out."""
    if mapping.lacking:
        whole = propose_columns.completed(mapping, source)
        return whole, (best_reading.table_issue(source, whole, NO_WORDS),)
    proposal = propose_columns.proposal_for(source)
    if proposal is None:
        return mapping, ()
    return propose_columns.with_settled_days(mapping, proposal), propose_columns.left_out(mapping, proposal)


def _read_log(
    engine: Engine,
    source: Source,
    recognition: recognise.Recognition | None,
    number: int,
    chosen: Dialect | None,
    timezone: str | None,
) -> FileIntake:
    """Judge the rows of one log into the engine; counts and issues of rows come later, over all files.

    A log for which nobody chose a reading is read as the table it is where what it looks like rejects most of its
    rows. Errors: PlannerError not_a_job_log, missing_column, file_unreadable.
    """
    import duckdb

    from gpuplanner.files.importing.reconciliation import of_log
    from gpuplanner.files.job_logs.judging.row_validation import forget_rows, judge_rows, none_ran
    from gpuplanner.files.job_logs.judging.stated_totals import with_stated

    try:
        dialect, table = _table_of(engine, source, recognition, f"log_{number}", chosen)
    except duckdb.InvalidInputException as fault:
        raise unreadable(
            source.path, worded("unreadable first records"), worded("copy or export it again")
        ) from fault
    twice = _named_twice(engine, source, dialect, table)
    judged = judge_rows(engine, with_stated(engine, table), number, timezone)
    if chosen is None and dialect.format != MAPPED and judged.are_mostly_rejected:
        mapping = best_reading.reads_better(source, dialect, timezone)
        if mapping is not None:
            forget_rows(engine, number)
            dialect, table = _as_table(engine, source, f"log_{number}", mapping, dialect.title)
            twice = _named_twice(engine, source, dialect, table)
            judged = judge_rows(engine, with_stated(engine, table), number, timezone)
    for column, part in job_rows.BILLED_PARTS.items() if table.billed else ():
        charged = f'select j.place, b.{part} from {job_store.JOBS} j join "{table.billed}" b using (line)'
        job_store.set_column(engine, column, f"f.{part}", f"{charged} where j.file = {number}")
    unfit = none_ran(table, judged)
    is_long = f"file = {number} and end_s - start_s > {column_mapping.LONGEST_LOG_S}"
    long_s = f"select count(*), min(line) from {job_store.JOBS} where {is_long}"
    count, line = engine.one(long_s) if table.of_ages else (0, None)
    if count:
        twice = (*twice, Issue("undecided", count, line, table.of_ages))
    stated = replace(judged.stated, figures=(*table.figures, *judged.stated.figures))
    issues = (*table.issues, *twice, *of_log(stated)) if unfit is None else (unfit,)
    if source.encoding == NOT_UTF_8:
        issues = (*issues, Issue("encoding", 1, None, issue_texts.issue_message("encoding")))
    columns = table.raw.columns if judged.rejected else ()
    file = FileIntake(
        path=source.path,
        kind="jobs",
        format=dialect.format,
        rows_read=0,
        rows_accepted=0,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        issues=issues,
        rejected=judged.rejected,
        sha256=source.sha256,
    )
    steps = (("job_steps", judged.lines),) if table.no_jobs is STEPS and judged.lines else ()
    file = replace(file, facts=(*table.facts, *steps), columns=columns, reconciliation=stated.figures)
    return other_sheets.with_sheets_named(file, source)


def _named_twice(engine: Engine, source: Source, dialect: Dialect, table: JobTable) -> tuple[Issue, ...]:
    """What is to be said of columns that are not read, for one before them has their name and other cells."""
    layout = plain_layout(source) if dialect.format == MAPPED else None
    names = (layout.keys if layout is not None else ()) or table.raw.columns
    is_read = {int(at) for sql in table.fields.values() for at in re.findall(r"\bc(\d+)\b", sql)}
    first: dict[str, int] = {}
    repeated: list[str] = []
    for at, name in enumerate(names):
        before = first.setdefault(name.strip().casefold(), at)
        if name.strip() and before in is_read and at not in is_read:
            sql = f'select 1 from "{table.raw.name}" where c{before} is distinct from c{at} limit 1'
            repeated += [unique(names)[at] for _ in engine.all(sql)]
    return told_columns(repeated, 1)


def _table_of(
    engine: Engine, source: Source, found: recognise.Recognition | None, name: str, chosen: Dialect | None
) -> tuple[Dialect, JobTable]:
    """What a log is read as, and its rows: as chosen, as recognised, else as the table it surely is."""
    if chosen is not None and source.kind != OTHER and source.head.strip():
        return chosen, chosen.rows(source, engine, name)
    found = found or recognise.recognise_source(source)
    is_open = found.kind == "unknown" or (found.kind, found.format) == ("jobs", MAPPED)
    mapping = best_reading.sure_mapping(source) if is_open else None
    if mapping is not None:
        return _as_table(engine, source, name, mapping, NO_WORDS)
    dialect = _recognised(source, found)
    try:
        return dialect, dialect.rows(source, engine, name)
    except PlannerError as fault:
        if fault.code not in _REFUSING:
            raise
        mapping = best_reading.sure_mapping(source)
        if mapping is not None:
            return _as_table(engine, source, name, mapping, dialect.title)
        raise (_with_proposal(source, fault) if fault.code == "missing_column" else fault) from fault


def _as_table(
    engine: Engine, source: Source, name: str, mapping: column_mapping.ColumnMapping, looked_like: Message
) -> tuple[Dialect, JobTable]:
    """A log read through a mapping that nobody gave, which is said."""
    dialect = mapped_dialect(mapping)
    table = dialect.rows(source, engine, f"{name}_as_table")
    return dialect, replace(
        table, issues=(*table.issues, best_reading.table_issue(source, mapping, looked_like))
    )


def _read_activity(
    engine: Engine, source: Source, recognition: recognise.Recognition | None, number: int, choice: LogChoice
) -> FileIntake | None:
    """Stage the samples of an activity file; None for any other."""
    dialect = None if recognition is None else recognise.activity_dialect(recognition)
    if dialect is None:
        return None
    file, _ = stage_activity(engine, source, dialect, number, choice.timezone, choice.node)
    return file


def _recognised(source: Source, recognition: recognise.Recognition) -> Dialect:
    """The dialect a log was recognised as.

    Errors: PlannerError `not_a_job_log` for any other file: what it is, and where to give it instead.
    """
    for dialect in DIALECTS:
        if (recognition.kind, recognition.format) == (dialect.kind, dialect.format):
            return dialect
    nodes = node_lists.node_kind(source.head) if recognition.kind == node.KIND else None
    if nodes is not None:
        reason = node_lists.held_words(source, nodes)
        raise PlannerError(source.path, "not_a_job_log", reason, node_lists.TO_COUNT)
    if recognition.kind in ("unknown", "project"):
        reason = recognition.why
    else:
        reason = worded(
            "contains {kind}: {why}", kind=issue_texts.kind_words(recognition.kind), why=recognition.why
        )
    other = worded_both(
        "choose a job log, or map the columns with --map", "choose another file, or map the columns"
    )
    other = worded("export it again") if source.is_empty else other
    if known_listings.known_listing(source.head) is not None:
        other = worded_both("choose a job log", "choose another file")
    remedy = recognise.GIVE_AS.get(recognition.kind) or other
    fault = PlannerError(source.path, "not_a_job_log", reason, remedy)
    may_be_jobs = recognition.kind == "unknown" or recognition.format == MAPPED
    raise _with_proposal(source, fault) if may_be_jobs and source.kind != OTHER else fault


def _with_proposal(source: Source, fault: PlannerError) -> PlannerError:
    """The same fault; its remedy is the mapping to try, or says for what no column was found.

    Of a listing that is known it is said what to give instead, and that is enough.
    """
    proposal = best_reading.tried_proposal(source)
    if proposal is None or proposal.mapping is None:
        return fault
    if proposal.words is None and fault.remedy == ASK_SLURM:  # its columns have Slurm's names, or none
        return fault
    if proposal.words is not None:
        remedy = propose_columns.to_map(proposal)
        if fault.remedy in (recognise.GIVE_AS["contracts"], recognise.GIVE_AS["prices"]):
            remedy = worded("{remedy}; if it lists jobs, {other}", remedy=fault.remedy, other=remedy)
    else:
        remedy = worded(
            "{remedy}; by name and values, {lacking}",
            remedy=fault.remedy,
            lacking=joined(proposal.lacking, worded(" and ")),
        )
    return PlannerError(fault.where, fault.code, fault.what, remedy)


NO_RECORDS: Final = "there is no job in it"
_EXPORT_WITH_JOBS: Final = "export a period with runs"


def counted_files(
    engine: Engine, files: Sequence[FileIntake], read: FilesRead, *, changes_later: bool, kept: int = 0
) -> list[FileIntake]:
    """The files with their counts and issues: duplicates found over all of them, activity joined.

    read: what was said of them; changes_later: what rows say is replaced afterwards. kept: how many of the first files
    are logs of an earlier import, whose counts and issues stay.
    """
    from gpuplanner.files.job_logs.judging import row_validation

    has_activity = any(file.kind == ACTIVITY and file.rows_read for file in files[kept:])
    parts, wholes = (
        ", ".join(str(at) for at, file in enumerate(files) if file.format in formats)
        for formats in (("kubernetes_pods",), ("kueue", "volcano"))
    )
    once = "view" if has_activity or changes_later else engine.once
    find_duplicates(engine, read.without_alike, once, (parts, wholes))
    files, joined = _join_activity(engine, files) if has_activity else (files, {})
    ends = row_validation.rows_by_end(engine)
    counts = row_validation.row_counts(ends)
    found_by_file = row_validation.row_issues(engine, ends, read.zoned)
    counted = []
    told_by_rows = row_validation.codes_of_values(engine) if kept else frozenset[str]()
    for number, file in enumerate(files):
        of_file = found_by_file.get(number, row_validation.RowsFound())
        if number < kept:
            log = recounted(file, counts.get(number, {}), of_file.issues, told_by_rows)
            counted.append(replace(log, issues=sorted_issues(log.issues)))
            continue
        issues = (*of_file.issues, *joined.get(number, ()))
        counted.append(with_counts(replace(file, noted=of_file.noted), counts.get(number, {}), issues))
    return counted


def activity_alone(files: Sequence[FileIntake]) -> tuple[list[FileIntake], list[PlannerError]]:
    """Activity without any job log to join it with is refused, in words."""
    if any(file.kind != ACTIVITY for file in files):
        return [*files], []
    problem = worded("contains GPU activity, not jobs")
    remedy = worded_both(
        "add the job log: --jobs JOBS.csv ACTIVITY.csv",
        "import it with the job log: Cancel, then File > Import, and select both",
    )
    faults = [PlannerError(file.path, "not_a_job_log", problem, remedy) for file in files]
    issues = [Issue(fault.code, 1, None, joined((problem, remedy), "; ")) for fault in faults]
    return [
        FileIntake(
            path=file.path,
            kind=ACTIVITY,
            format=file.format,
            rows_read=0,
            rows_accepted=0,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
            issues=(issue,),
            sha256=file.sha256,
        )
        for file, issue in zip(files, issues, strict=True)
    ], faults


def _join_activity(
    engine: Engine, files: Sequence[FileIntake]
) -> tuple[list[FileIntake], dict[int, tuple[Issue, ...]]]:
    """Samples counted once and joined with the jobs; the files with their repeats, and more issues by file."""
    from gpuplanner.files.activity.join import join_activity

    engine.progress(worded("Matching activity to jobs"), 0.58)
    repeated = drop_repeated_samples(engine)
    counted = [without_repeats(file, repeated.get(number, 0)) for number, file in enumerate(files)]
    return counted, join_activity(engine)


def with_counts(file: FileIntake, counts: Mapping[str, int], issues: Sequence[Issue]) -> FileIntake:
    """A file with the counts and issues that only all files together tell; a log without any record says so."""
    if file.kind != "jobs":
        return replace(file, issues=sorted_issues((*file.issues, *issues)))
    if not (counts or issues or file.issues):
        issues = (Issue("not_a_job_log", 1, None, joined((NO_RECORDS, _EXPORT_WITH_JOBS), "; ")),)
    open_codes = {row.code for row in file.rejected if str(issue_texts.KEPT_IF_OPEN) in str(row.message)}
    told = tuple(
        replace(issue, message=joined((issue.message, issue_texts.KEPT_IF_OPEN), "; "))
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


Resolve = Callable[[frozenset[str], frozenset[str], Callable[[], frozenset[str]]], tuple[Same, ...]]
"""Decisions as they hold for a log, by its GPU models, its clusters and the names of its workloads."""

_READING_SHARE: Final = 0.55  # of the work of an import, for the progress bar


@few_collections()
def import_jobs(
    paths: Sequence[str],
    options: ReadOptions = AS_RECOGNISED,
    *,
    window_request: WindowRequest | None = None,
    rows_dir: Path | None = None,
    same: Resolve | None = None,
    counts_only: bool = False,
    kept: KeptLogs | None = None,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> JobsRead:
    """Read job logs: rows judged, duplicates over all files dropped, rows kept, demand reduced.

    same: what the planner says is one; clusters and workloads are renamed after the rows are kept. kept: logs that are
    there already, which these are read beside; they come first.
    counts_only: say how the rows end and nothing more: no workloads, no demand. Errors: as read_inputs.
    """
    request = window_request or WindowRequest()
    for zone in (options.timezone, *(choice.timezone for choice in options.choices.values())):
        check_timezone(zone or None)
    key = _pseudonym_key(options.pseudonyms)
    paths = [str(path) for path in paths]
    chosen_dialect(options.of_all)  # what was said is wrong whatever the files are
    sizes = [Path(path).stat().st_size if Path(path).is_file() else 0 for path in paths]
    kept_bytes = kept.rows.stat().st_size if kept is not None and kept.rows.is_file() else 0
    size_bytes = sum(sizes) + kept_bytes
    with open_engine(size_bytes=size_bytes, on_progress=on_progress, is_cancelled=is_cancelled) as engine:
        engine.tres = options.tres or tres_names.tres_of_files(paths)
        engine.years = request.years
        job_store.create_jobs(engine)
        read = FilesRead()
        if kept is not None:
            read.files.extend(kept.files)
        count_kept = len(read.files)
        for place, path in enumerate(paths):
            begin, end = (
                _READING_SHARE * sum(sizes[:count]) / max(1, sum(sizes)) for count in (place, place + 1)
            )
            said = options.of(path)
            dialect = chosen_dialect(said)
            engine.open_ended = said.is_open_ended
            with engine.part(begin, end):
                is_told = dialect is not None and len(paths) == 1
                first = len(read.files)
                kinds = job_store.kinds_so_far(engine)
                read_file(engine, path, sizes[place], dialect, said, read, is_told=is_told)
                if said.drops_alike:
                    read.without_alike.update(range(first, len(read.files)))
                if job_store.name_cluster(engine, said.cluster, kinds):
                    read.unnamed.append(path)
        every = (options.of_all, *options.choices.values())
        engine.open_ended = max((choice.is_open_ended for choice in every), key=str, default=False)
        engine.progress(worded("Read"), _READING_SHARE)
        if kept is not None:
            if kept.has_pseudonyms:  # what is put back has them already
                key = key or read_key(None, data_folder())
                pseudonymise(engine, key)
            read.unnamed[:0] = put_back(engine, kept)
        files, alone = activity_alone(read.files)
        refused = [*read.refused, *alone]
        engine.progress(worded("Looking for duplicates"), _READING_SHARE)
        files = counted_files(engine, files, read, changes_later=key is not None, kept=count_kept)
        if counts_only:
            accepted = sum(file.rows_accepted for file in files)
            return JobsRead(
                window=None,
                cube=None,
                workloads=(),
                jobs=JobFacts(),
                intake=tuple(files),
                refused=tuple(refused),
                accepted=accepted,
            )
        return _finish_jobs(
            engine,
            files,
            refused,
            read,
            options.timezone,
            request,
            rows_dir,
            key,
            same,
            are_replaced=kept is not None and kept.has_pseudonyms,
        )


def _pseudonym_key(pseudonyms: bool | Path) -> bytes | None:
    """Errors: PlannerError file_missing, file_unreadable."""
    if pseudonyms is False:
        return None
    return read_key(None if pseudonyms is True else pseudonyms, data_folder())


def _finish_jobs(
    engine: Engine,
    files: Sequence[FileIntake],
    refused: Sequence[PlannerError],
    of_files: FilesRead,
    timezone: str | None,
    request: WindowRequest,
    rows_dir: Path | None,
    key: bytes | None,
    resolve: Resolve | None,
    *,
    are_replaced: bool,
) -> JobsRead:
    """From the judged rows of all files to workloads and demand.

    Quality first, then pseudonyms, then equal names, then the reduction. are_replaced: the rows have them already.
    """
    from gpuplanner.files.job_logs.judging.row_validation import log_quality

    quality = log_quality(engine, files, of_files.constants)
    if key is not None:
        engine.progress(worded("Replacing names"), 0.61)
        if not are_replaced:
            pseudonymise(engine, key)
        files = [without_names(file) for file in files]
    engine.progress(worded("Naming workloads"), 0.62)
    job_rows.name_workloads(engine)
    sha256 = ""
    if rows_dir is not None:
        engine.progress(worded("Saving the job rows"), 0.65)
        sha256 = job_rows.keep_rows(engine, rows_dir)
    same: tuple[Same, ...] = ()
    if resolve is not None:
        known = f"select distinct unnest([cluster, cluster || '/' || queue]) as name from {job_store.KINDS}"
        lists = engine.one(
            f"select (select list(text) from {job_store.MODELS}), (select list(name) from ({known}))"
        )
        models, clusters = (frozenset(filter(None, names or ())) for names in lists)
        same = resolve(models, clusters, cache(lambda: job_rows.workload_names(engine)))
    merged = job_rows.rename_rows(engine, same)
    with engine.part(0.8, 1.0):
        engine.progress(worded("Adding up demand"), 0.0)
        reduced = reduce_in(engine, request, timezone or "UTC", files, merged, ACCEPTED)
        read = replace(reduced, refused=tuple(refused), same=same, unnamed=tuple(of_files.unnamed))
    engine.progress(capital(worded("done")), 1.0)
    return replace(read, jobs=replace(read.jobs, rows_sha256=sha256, quality=quality))
