"""Check: what one file is and what it holds, without keeping anything of it."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake, Issue
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.activity.activity_intake import describe_activity
from gpuplanner.files.contracts.contract_tables import MAPPED_FORMAT
from gpuplanner.files.contracts.contract_words import contract_parts, sentence_of
from gpuplanner.files.importing import (
    best_reading,
    described_kinds,
    known_listings,
    other_sheets,
    read_facts,
    recognise,
)
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.import_tables import read_contracts_on, read_price_source
from gpuplanner.files.importing.log_choices import AS_RECOGNISED, ReadOptions
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.job_logs import recognisers
from gpuplanner.files.job_logs.judging.tres_names import tres_of_files
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import plain_layout
from gpuplanner.files.job_logs.propose_columns import to_map
from gpuplanner.files.lists.place_tables import FIELDS_OF_PLACES, SITES, USERS
from gpuplanner.files.lists.place_tables import describe as describe_places
from gpuplanner.files.prices.other_price_lists import ListCounts
from gpuplanner.files.project.project_file import open_told
from gpuplanner.files.sources.issue_texts import NOT_READ, kind_words, refused_file, unreadable_file
from gpuplanner.files.sources.json_values import empty_list
from gpuplanner.files.sources.source import OTHER, TEXT, Source, sources_of
from gpuplanner.files.system.engine import Progress
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.fields import FIELD_NAMES
from gpuplanner.files.tables.small_table import TableRead
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

# --- Check: what one file is and what it holds, without keeping anything of it -------------------


def check_file(
    path: str, options: ReadOptions = AS_RECOGNISED, *, on_progress: Progress | None = None
) -> tuple[FileIntake, ...]:
    """A file's kind, rows, issues and facts, or those of each file packed in it; facts are of its whole log.

    A format or a mapping says that it is a job log. Errors: PlannerError file_missing, file_unreadable,
    truncated_file, usage.
    """
    unread: list[FileIntake] = []
    with sources_of(path, lambda fault: unread.append(unreadable_file(fault, "unknown"))) as sources:
        found = {source.path: _recognised(source, options.mapping) for source in sources}
        options, of_table = _parted(options, [one.kind for one in found.values()])
        if (
            any(one.kind in ("jobs", "billing") for one in found.values())
            or options.format
            or options.mapping
        ):
            read = import_jobs(
                [path], options, window_request=WindowRequest(whole_log=True), on_progress=on_progress
            )
            logs = {file.path: file for file in read.intake}
            facts = _facts_by_log(path, sources, read, options, on_progress)
        else:
            logs, facts = {}, {}
        is_told = options.format is not None or options.mapping is not None
        read_files = [
            _as_dialect(source, logs[source.path], facts[source.path], options.mapping)
            if is_told or found[source.path].kind in ("jobs", "billing")
            else other_sheets.with_sheets_named(
                _other_file(source, found[source.path], options, of_table), source
            )
            for source in sources
        ]
        beside = [
            file
            for source in sources
            for sheet in (() if is_told else recognise.tables_beside(source, found[source.path].kind))
            for file in check_file(sheet, options, on_progress=on_progress)
        ]
        return other_sheets.without_those_read((*read_files, *beside, *unread))


def _facts_by_log(
    path: str, sources: Sequence[Source], read: JobsRead, options: ReadOptions, on_progress: Progress | None
) -> dict[str, Facts]:
    """What each log holds: of an archive with several, each is read by itself, beside the activity that is with it.

    read: all of them together, which is what one log alone holds.
    """
    logs = [file.path for file in read.intake if file.kind == "jobs"]
    if len(logs) < 2:
        return dict.fromkeys((source.path for source in sources), read_facts.job_facts(read))
    activity = {file.path for file in read.intake if file.kind == ACTIVITY}
    beside = [source.at for source in sources if source.path in activity]
    tres = options.tres or tres_of_files([path])
    facts: dict[str, Facts] = dict.fromkeys((source.path for source in sources), ())
    for source in sources:
        if source.path not in logs or source.kind == OTHER:
            continue
        own = replace(options, choices={source.at: options.of(path)}, tres=tres)
        window = WindowRequest(whole_log=True)
        with suppress(PlannerError):  # said where all were read
            alone = import_jobs([source.at, *beside], own, window_request=window, on_progress=on_progress)
            facts[source.path] = read_facts.job_facts(alone)
    return facts


def _recognised(source: Source, mapping: column_mapping.ColumnMapping | str | None) -> recognise.Recognition:
    """What a file is; one that nobody knows is what the mapping says it is, as in contracts.start=Begin."""
    found = recognise.recognise_source(source)
    stated = lazy_re(rf"\W?({'|'.join(_FIELDS)})\.").match(mapping) if isinstance(mapping, str) else None
    return (
        replace(found, kind=stated[1], format=MAPPED_FORMAT) if stated and found.kind == "unknown" else found
    )


def _parted(options: ReadOptions, kinds: Sequence[str]) -> tuple[ReadOptions, str | None]:
    """How job logs are read, and the mapping of contracts or prices where a file is of these: fields or units that no
    job log has. What names another kind of file is of none here.
    """
    if not isinstance(options.mapping, str):
        return options, None
    names = {kind: _FIELDS[kind] for kind in kinds if kind in _FIELDS}
    parts = column_mapping.parted_map(options.mapping, {**dict.fromkeys(_FIELDS, ()), **names})
    said = [parts[kind].removeprefix(column_mapping.DIFFERS) for kind in ("jobs", *names) if kind in parts]
    is_of_contracts = "contracts" in names and OF_CLUSTER.fullmatch(parts.get("jobs", "")) is not None
    if is_of_contracts or parts.keys() & set(names):
        return replace(options, mapping=None), column_mapping.DIFFERS + ",".join(said)
    return replace(options, mapping=column_mapping.without_not_needed(parts.get("jobs")).of_fields), None


_FIELDS: Final = {**FIELD_NAMES, **FIELDS_OF_PLACES}
"""By kind of small table the fields that a mapping names."""

OF_CLUSTER: Final = lazy_re(r"(?:^|,)\"?cluster==([^,\"]+)\"?")
"""The item of a mapping that names the cluster of all rows: of contracts as of jobs."""


def _other_file(
    source: Source, found: recognise.Recognition, options: ReadOptions, mapping: str | None = None
) -> FileIntake:
    """A file that is no job log, by its kind: activity, contracts, prices and all else that is known.

    mapping: what is read of contracts and prices otherwise than proposed.

    A refusal is part of the answer.
    """
    dialect = recognise.activity_dialect(found)
    if dialect is not None:
        try:
            return describe_activity(dialect, source, options.timezone, options.node)
        except PlannerError as fault:
            return _refused(source, fault, found.kind)
    if found.kind in ("contracts", "prices"):
        counts = ListCounts()
        try:
            if found.kind == "contracts":
                contracts = read_contracts_on(source, mapping, options.clusters)
                facts, intake = (
                    (*read_facts.contract_facts(contracts.values), *_in_words(contracts)),
                    contracts.intake,
                )
            else:
                prices = read_price_source(source, mapping, counts)
                facts, intake = read_facts.offer_facts(prices.values), prices.intake
        except PlannerError as fault:
            return _refused(source, fault, found.kind)
        return replace(intake, facts=_joined(facts, (*counts.facts(read_facts.gpu_family), *intake.facts)))
    if found.kind == "project":
        about, project = open_told(Path(source.at))
        facts = (*about.items(), *read_facts.project_facts(source.path, project))
        return FileIntake(
            path=source.path,
            kind=found.kind,
            format="",
            rows_read=0,
            rows_accepted=0,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
            sha256=source.sha256,
            facts=facts,
        )
    for places in (USERS, SITES):
        if places.kind == found.kind and found.format in (places.format, MAPPED_FORMAT):
            return describe_places(source, mapping, kind=places)
    for kind in described_kinds.DESCRIBED:
        if (kind.kind, kind.format, kind.why) == (found.kind, found.format, found.why):
            return kind.describe(source)
    return _of_no_kind(source, found)


def _in_words(read: TableRead[Contract]) -> Facts:
    """Each contract in a sentence, which says where all that its row and the file state of it agrees."""
    stated: dict[str, bool] = {}
    for figure in read.intake.reconciliation:
        stated[figure.subject] = figure.agrees and stated.get(figure.subject, True)
    sentences = []
    for contract, row in zip_longest(read.values, read.rows):
        own = [stated[subject] for subject in ("file", f"row {row}") if subject in stated]
        agreed = worded("Agrees with your file.") if own and all(own) else NO_WORDS
        parts = (f"{contract.contract_id}:", sentence_of(contract_parts(contract)), agreed)
        sentences.append(joined(filter(None, parts), " "))
    return (("sentences", sentences),)


def _of_no_kind(source: Source, found: recognise.Recognition) -> FileIntake:
    """Why a file is none that is known, and how it may be read all the same; of a known listing, what to give."""
    why = found.why
    is_told = (
        known_listings.known_listing(source.head)
        or known_listings.bill_in_sums(source)
        or source.kind == OTHER
    )
    if (is_empty := bool(source.is_empty or empty_list(source))) or is_told:
        why = joined((why, worded("export it again")), "; ") if is_empty else why
        issue = Issue("not_a_job_log", 1, None, why)
        return FileIntake(
            path=source.path,
            kind="unknown",
            format="",
            rows_read=0,
            rows_accepted=0,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
            issues=(issue,),
        )
    proposal = best_reading.tried_proposal(source)
    try:
        plain_layout(source)
    except PlannerError as fault:  # JSON that is cut off or broken
        why = worded("{why}, and {what}", why=why, what=fault.what)
    words = proposal.words if proposal is not None else None
    if source.kind == TEXT and _BY_BLANKS.match(source.head):
        why = worded("{why}, and spaces separate columns: use commas or tabs", why=why)
    remedy = worded("map its columns with --map")
    if proposal is not None and words is not None:
        remedy = to_map(proposal)
    elif proposal is not None and proposal.mapping is not None:
        lacking = joined(proposal.lacking, worded(" and "))
        remedy = worded("{remedy}; by name and values, {lacking}", remedy=remedy, lacking=lacking)
    message = worded("{why}; if it lists jobs, {remedy}", why=why, remedy=remedy)
    if _QUOTE.search(source.head):
        message = worded("{why}; copy a quote in prose into the RFQ or a table", why=why)
    message = joined(filter(None, (message, _nearest(source))), "; ")
    issue = Issue("not_a_job_log", 1, None, message)
    facts = () if words is None else (("mapping", words),)
    return FileIntake(
        path=source.path,
        kind="unknown",
        format="",
        rows_read=0,
        rows_accepted=0,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(issue,),
        facts=facts,
    )


def _nearest(source: Source) -> Message:
    """Which small table a file is nearest to and what that needs; empty where its headings mean little."""
    nearest = recognise.nearest_table(source)
    if nearest is None:
        return NO_WORDS
    words = worded(
        "closest to {kind} ({there}); missing {lacking}: use --{option} and --map {example}",
        kind=kind_words(nearest.kind),
        there=", ".join(nearest.there),
        lacking=joined(nearest.lacking, worded(" and ")),
        option=nearest.kind,
        example=",".join(f"{nearest.kind}.{field}=COLUMN" for field in nearest.lacking),
    )
    return joined((words, nearest.remark), "; ") if nearest.remark else words


_QUOTE: Final = lazy_re(r"(?i)\bRFQ-\d{8}-|\bquot(?:e|ation)\b")
_BY_BLANKS: Final = lazy_re(r"\s*[^\s,;|]+(?: [^\s,;|]+)*(?: {2,}[^\s,;|]+(?: [^\s,;|]+)*){2,}\s*\n")
"""A first line of three columns or more, with nothing else between them."""


def _mapping_facts(
    source: Source, log: FileIntake, mapping: column_mapping.ColumnMapping | str | None
) -> Facts:
    """The mapping to reuse: as given, or of our own columns, which need none; to try, of a log that lacks columns."""
    if mapping is not None:
        return (("mapping", mapping if isinstance(mapping, str) else column_mapping.mapping_text(mapping)),)
    if log.format == MAPPED and (sure := best_reading.sure_mapping(source)) is not None:
        return (("mapping", column_mapping.mapping_text(sure)),)
    if any(issue.code == "missing_column" for issue in log.issues):
        proposal = best_reading.tried_proposal(source)
        words = proposal.words if proposal is not None else None
        return () if words is None else (("mapping", words),)
    if log.format != recognisers.OWN_CSV_FORMAT:
        return ()
    layout = plain_layout(source)
    own = column_mapping.ColumnMapping(
        {name: name for name in recognisers.COLUMN_OF.values() if layout and layout.place(name) is not None}
    )
    return () if own.lacking else (("mapping", column_mapping.mapping_text(own)),)


def _refused(source: Source, fault: PlannerError, kind: str) -> FileIntake:
    """A table that lacks a column is a finding; whatever else is wrong ends the check."""
    if fault.code != "missing_column":
        raise fault
    return refused_file(source, fault, kind)


def _joined(facts: Facts, more: Facts) -> Facts:
    """Both, the later one of a name in the earlier one's place."""
    return tuple({**dict(facts), **dict(more)}.items())


def _as_dialect(
    source: Source, log: FileIntake, facts: Facts, mapping: column_mapping.ColumnMapping | str | None
) -> FileIntake:
    """A log with its facts; a bill is said to be one."""
    of_sheets = (fact for fact in log.facts if fact[0] in ("sheet", "other_sheets", "job_steps"))
    facts = (*facts, *_mapping_facts(source, log, mapping), *of_sheets)
    for dialect in recognisers.DIALECTS:
        if dialect.format == log.format:
            own = dialect.facts(source) if dialect.facts is not None else ()
            return replace(log, kind=dialect.kind, facts=(*facts, *own))
    return replace(log, facts=facts)


def check_files(
    paths: Sequence[str], options: ReadOptions = AS_RECOGNISED, *, on_progress: Progress | None = None
) -> tuple[FileIntake, ...]:
    """Each file by itself, in the given order; see check_file. A cluster's table of resources explains all logs.

    A file that cannot be read does not keep the others from being read.

    Errors: as check_file of a single file; usage also where the mapping names a kind of which there is no file.
    """
    options = replace(options, tres=options.tres or tres_of_files(paths))
    files: tuple[FileIntake, ...] = ()
    for path in paths:
        try:
            files += check_file(path, options, on_progress=on_progress)
        except PlannerError as error:
            if len(paths) == 1 or error.code not in NOT_READ:
                raise
            files += (unreadable_file(error, "unknown"),)
    text = options.mapping if isinstance(options.mapping, str) else None
    parts = column_mapping.parted_map(text, dict.fromkeys(_FIELDS, ()))
    if missing := [kind for kind in _FIELDS if kind in parts and all(file.kind != kind for file in files)]:
        fault = worded("no file contains {kind}", kind=kind_words(missing[0]))
        raise PlannerError(f"--map {text}", "usage", fault, worded("add the file, or remove this option"))
    return files
