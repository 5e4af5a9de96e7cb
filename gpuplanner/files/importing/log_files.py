"""The files of an import of jobs, one after the other, and how each is to be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.importing.known_listings import known_listing
from gpuplanner.files.importing.recognise import (
    GIVE_AS,
    Recognition,
    activity_dialect,
    reads_better,
    recognise_source,
    sure_mapping,
    table_issue,
)
from gpuplanner.files.job_logs.dialects.slurm_fields import ASK_SLURM
from gpuplanner.files.job_logs.judging import tres_names
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import mapped_dialect
from gpuplanner.files.job_logs.propose_columns import proposal_for, to_map
from gpuplanner.files.job_logs.recognisers import DIALECTS, dialect_named
from gpuplanner.files.lists import node_lists
from gpuplanner.files.sources.issue_texts import (
    UNREADABLE,
    issue_message,
    kind_words,
    refused_file,
    unreadable_file,
)
from gpuplanner.files.sources.source import NOT_UTF_8, OTHER, TEXT, Source, survey_part
from gpuplanner.files.sources.unpack import parts_of
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.own_folder import discard
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping

# --- How logs are to be read where that was said by hand, one log or all of a call: what no file can say of itself


@dataclass(frozen=True, slots=True)
class LogChoice:
    """None: left to what is recognised, and to what the call says of all logs. A mapping wins over a format.

    drops_alike: rows without an id that repeat an earlier one in every field are duplicates.
    is_open_ended: rows without an end run on, those without a start were there when the log began.
    """

    format: str | None = None
    mapping: ColumnMapping | None = None
    timezone: str | None = None
    drops_alike: bool = False
    is_open_ended: bool = False


LogChoices = Mapping[str, LogChoice]
"""By the path as it was given."""

NONE_GIVEN: Final = LogChoice()


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How the job logs of a call are read.

    format, mapping, timezone, drops_alike, is_open_ended: of every log, as in LogChoice; a mapping may be in the words
    of --map. choices: what was said of single logs, which wins.
    cluster: of jobs whose log names none. tres: the GPUs among the resources that a cluster numbers, by number
    (`tres_names.parse_tres`); without it those of its own table, where that is one of the files.
    pseudonyms: replace users, accounts and job names before anything is kept, with this user's key or that in a file.
    """

    format: str | None = None
    mapping: ColumnMapping | str | None = None
    timezone: str | None = None
    drops_alike: bool = False
    is_open_ended: bool = False
    choices: LogChoices = field(default_factory=dict)
    cluster: str | None = None
    tres: Mapping[str, str] | None = None
    pseudonyms: bool | Path = False

    @property
    def of_all(self) -> LogChoice:
        """What holds for a log of which nothing else was said. Errors: PlannerError usage for a bad mapping."""
        mapping = parse_mapping(self.mapping) if isinstance(self.mapping, str) else self.mapping
        return LogChoice(self.format, mapping, self.timezone, self.drops_alike, self.is_open_ended)

    def of(self, path: str) -> LogChoice:
        """What holds for the log at a path. Errors: as of_all."""
        said, own = self.of_all, self.choices.get(path, NONE_GIVEN)
        is_told = own.format is not None or own.mapping is not None
        return LogChoice(
            own.format if is_told else said.format,
            own.mapping if is_told else said.mapping,
            own.timezone or said.timezone,
            own.drops_alike or said.drops_alike,
            own.is_open_ended or said.is_open_ended,
        )


AS_RECOGNISED: Final = ReadOptions()
"""Nothing was said by hand."""


# --- The files of an import of jobs, one after the other: unpacked, recognised, their rows judged into the engine

_SURVEY_SHARE: Final = 0.1  # of the work of reading a log
_REFUSING: Final = ("not_a_job_log", "missing_column")
"""What is wrong with a file that is left out while the others are read."""


@dataclass(slots=True)
class FilesRead:
    """What the files of a call were so far. constants: by path; zoned: the numbers of the files whose zone was said.

    without_alike: the numbers of those whose alike rows are to be dropped.
    """

    files: list[FileIntake] = field(default_factory=list)
    refused: list[PlannerError] = field(default_factory=list)
    constants: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    zoned: set[int] = field(default_factory=set)
    without_alike: set[int] = field(default_factory=set)


def read_file(
    engine: Engine,
    path: str,
    size_bytes: int,
    dialect: Dialect | None,
    timezone: str | None,
    read: FilesRead,
    *,
    is_told: bool,
) -> None:
    """Judge the rows of a file, or of each one packed in it, into the engine; `read` grows by them.

    is_told: somebody said that it is a job log of that dialect, so it is not looked at as anything else.
    """
    size, begin = max(1, size_bytes), 0.0
    engine.progress(worded("Reading {path}", path=path), 0.0)
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
                engine.progress(worded("Reading {path}", path=path), _SURVEY_SHARE * surveyed / whole)

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
                    if found is not None and found.kind == tres_names.KIND:
                        activity = tres_names.describe(source)
                    read.files.append(activity or _read_log(engine, source, found, number, dialect, timezone))
                    if timezone:
                        read.zoned.add(number)
                except PlannerError as fault:
                    if fault.code not in refusing:
                        raise
                    read.refused.append(fault)
                    format_name = (found or recognise_source(source)).format
                    read.files.append(refused_file(source, fault, format_name=format_name))
        if part.is_temporary:
            discard(part.at)
        begin = end


def chosen_dialect(choice: LogChoice) -> Dialect | None:
    """The dialect that was said, by name or by a mapping; None where nothing was. Errors: PlannerError usage."""
    if choice.mapping is not None:
        return mapped_dialect(choice.mapping, choice.format)
    return None if choice.format is None else dialect_named(choice.format, "--map")


def _read_log(
    engine: Engine,
    source: Source,
    found: Recognition | None,
    number: int,
    chosen: Dialect | None,
    timezone: str | None,
) -> FileIntake:
    """Judge the rows of one log into the engine; counts and issues of rows come later, over all files.

    A log for which nobody chose a reading is read as the table it is where what it looks like rejects most of its
    rows. Errors: PlannerError not_a_job_log, missing_column, file_unreadable.
    """
    import duckdb

    from gpuplanner.files.job_logs.judging.row_validation import (
        are_mostly_rejected,
        forget_rows,
        judge_rows,
        none_ran,
    )

    try:
        dialect, table = _table_of(engine, source, found, f"log_{number}", chosen)
    except duckdb.InvalidInputException as fault:
        raise PlannerError(
            source.path,
            "file_unreadable",
            worded("its first records cannot be read"),
            worded("write or download it again"),
        ) from fault
    rejected = judge_rows(engine, table, number, timezone)
    if chosen is None and dialect.format != MAPPED and are_mostly_rejected(engine, number):
        mapping = reads_better(source, dialect, timezone)
        if mapping is not None:
            forget_rows(engine, number)
            dialect, table = _as_table(engine, source, f"log_{number}", mapping, dialect.title)
            rejected = judge_rows(engine, table, number, timezone)
    unfit = none_ran(engine, table, number)
    issues = table.issues if unfit is None else (unfit,)
    if source.encoding == NOT_UTF_8:
        issues = (*issues, Issue("encoding", 1, None, issue_message("encoding")))
    columns = table.raw.columns if rejected else ()
    return FileIntake(
        source.path, "jobs", dialect.format, 0, 0, 0, 0, 0, issues, rejected, source.sha256, columns=columns
    )


def _table_of(
    engine: Engine, source: Source, found: Recognition | None, name: str, chosen: Dialect | None
) -> tuple[Dialect, JobTable]:
    """What a log is read as, and its rows: as chosen, as recognised, else as the table it surely is."""
    if chosen is not None and source.kind != OTHER and source.head.strip():
        return chosen, chosen.rows(source, engine, name)
    found = found or recognise_source(source)
    is_open = found.kind == "unknown" or (found.kind, found.format) == ("jobs", MAPPED)
    mapping = sure_mapping(source) if is_open else None
    if mapping is not None:
        return _as_table(engine, source, name, mapping, NO_WORDS)
    dialect = _recognised(source, found)
    try:
        return dialect, dialect.rows(source, engine, name)
    except PlannerError as fault:
        if fault.code not in _REFUSING:
            raise
        mapping = sure_mapping(source)
        if mapping is not None:
            return _as_table(engine, source, name, mapping, dialect.title)
        raise (_with_proposal(source, fault) if fault.code == "missing_column" else fault) from fault


def _as_table(
    engine: Engine, source: Source, name: str, mapping: ColumnMapping, looked_like: Message
) -> tuple[Dialect, JobTable]:
    """A log read through a mapping that nobody gave, which is said."""
    dialect = mapped_dialect(mapping)
    table = dialect.rows(source, engine, name)
    return dialect, replace(table, issues=(*table.issues, table_issue(source, mapping, looked_like)))


def _read_activity(
    engine: Engine, source: Source, found: Recognition | None, number: int, timezone: str | None
) -> FileIntake | None:
    """Stage the samples of an activity file; None for any other."""
    from gpuplanner.files.activity.activity_intake import stage_activity

    dialect = None if found is None else activity_dialect(found)
    return None if dialect is None else stage_activity(engine, source, dialect, number, timezone)[0]


def _recognised(source: Source, found: Recognition) -> Dialect:
    """The dialect a log was recognised as.

    Errors: PlannerError `not_a_job_log` for any other file: what it is, and where to give it instead.
    """
    for dialect in DIALECTS:
        if (found.kind, found.format) == (dialect.kind, dialect.format):
            return dialect
    nodes = node_lists.node_kind(source.head) if found.kind == node_lists.KIND else None
    if nodes is not None:
        what = node_lists.held_words(source, nodes)
        raise PlannerError(source.path, "not_a_job_log", what, node_lists.TO_COUNT)
    what = (
        found.why
        if found.kind == "unknown"
        else worded("it is a file of {kind}: {why}", kind=kind_words(found.kind), why=found.why)
    )
    remedy = GIVE_AS.get(found.kind) or worded("give a job log, or say with --map what its columns are")
    fault = PlannerError(source.path, "not_a_job_log", what, remedy)
    may_be_jobs = found.kind == "unknown" or found.format == MAPPED
    raise _with_proposal(source, fault) if may_be_jobs and source.kind != OTHER else fault


def _with_proposal(source: Source, fault: PlannerError) -> PlannerError:
    """The same fault; its remedy is the mapping to try, or says for what no column was found.

    Of a listing that is known it is said what to give instead, and that is enough.
    """
    if known_listing(source.head) is not None:
        return fault
    try:
        proposal = proposal_for(source)
    except PlannerError:  # JSON that is cut off or broken: what is said of it already is enough
        return fault
    if proposal is None or proposal.mapping is None:
        return fault
    if proposal.words is None and fault.remedy == ASK_SLURM:  # its columns have Slurm's names, or none
        return fault
    if proposal.words is not None:
        remedy = to_map(proposal)
        if fault.remedy == GIVE_AS.get("contracts") or fault.remedy == GIVE_AS.get("prices"):
            remedy = worded("{remedy}; if it is one of jobs, {other}", remedy=fault.remedy, other=remedy)
    else:
        remedy = worded(
            "{remedy}; by name and values there is {lacking}",
            remedy=fault.remedy,
            lacking=joined(proposal.lacking, worded(" and ")),
        )
    return PlannerError(fault.where, fault.code, fault.what, remedy)
