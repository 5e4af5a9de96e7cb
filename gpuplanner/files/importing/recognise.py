"""What a file is: told by its content, tried on its first rows, or known as a listing of no use."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded, worded_both
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import KIND as INTERRUPTIONS
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.activity import prometheus, sonar_samples
from gpuplanner.files.activity.activity_intake import ACTIVITY_DIALECTS
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.activity.reading import ActivityDialect
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.contracts.contract_forms import CONTRACT_FORMS
from gpuplanner.files.contracts.export_form import ExportForm
from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import DIALECT as PODS
from gpuplanner.files.job_logs.judging import tres_names
from gpuplanner.files.job_logs.judging.dialect import Dialect, json_form, write_lines
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import mapped_dialect, plain_layout
from gpuplanner.files.job_logs.propose_columns import SURE, Proposal, proposal_for
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.lists import (
    budgets,
    business_figures,
    class_rules,
    grid_carbon,
    interruptions,
    node_lists,
    place_tables,
    planned_work,
    regions,
    scheduler_limits,
    served_models,
    traffic_tables,
)
from gpuplanner.files.lists.nodes import node
from gpuplanner.files.lists.nodes.kubernetes_nodes import has_pods
from gpuplanner.files.lists.nodes.node import KIND as NODES
from gpuplanner.files.prices import price_tables
from gpuplanner.files.prices.price_forms import PRICE_FORMS
from gpuplanner.files.prices.wide_prices import sniff_wide
from gpuplanner.files.request.answered_table import is_answer
from gpuplanner.files.request.answers import FORMAT as ANSWERS
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.json_values import empty_list
from gpuplanner.files.sources.source import OTHER, TEXT, XLSX, Source, as_csv, sources_of, survey, survey_part
from gpuplanner.files.sources.spreadsheet import has_several_sheets, sheet_heads
from gpuplanner.files.sources.unpack import parts_of
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import read_known_listings
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.column_mapping import ColumnMapping, mapping_text
from gpuplanner.files.tables.fields import NEEDED_OF_OTHERS
from gpuplanner.files.tables.headings import STATISTICS, are_of_bill, plain_words
from gpuplanner.files.tables.json_table import json_table, turned_table
from gpuplanner.files.tables.layout import Layout, layout_of, layout_of_head
from gpuplanner.files.tables.small_table import TableKind, worded_message
from gpuplanner.files.tables.table_columns import LIKELY, SURELY_OURS, known_columns
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Listings that are known and lack what jobs need: what they are, and what to export in their place

_LETTERS_LOOKED_AT: Final = 4000


def known_listing(head: str) -> Message | None:
    """What a text is that no reader takes, and what to give instead; None where nobody knows it."""
    beginning = head[:_LETTERS_LOOKED_AT]
    found = (why for pattern, why in read_known_listings() if re.search(pattern, beginning, re.M | re.I))
    return next(found, None)


def bill_in_sums(source: Source) -> Message | None:
    """What to give in place of invoice lines, whose sums tell no use of GPUs; None where a file is no such list."""
    layout = layout_of_head(source.head, "prices")
    if layout is None or layout.header_row > 5 or not are_of_bill(layout.headings)[0]:
        return None
    return worded(
        "this bill has no GPUs and hours. Use the usage export (FOCUS, AWS CUR, Azure, Oracle), or a job log "
        "and contracts"
    )


# --- Files that are no log, contract or price list and yet are known: said what they are, not taken for others


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedKind:
    """kind: as in `intake.files[]` of documents; format: empty where it has no name; why: words.

    describe: every row counted, and the facts of the file.
    """

    kind: str
    format: str
    why: Message
    sniff: Callable[[str], float]
    describe: Callable[[Source], FileIntake]


def _of_table(kind: TableKind[Any]) -> DescribedKind:
    """A kind of table as a kind of file that is described, with its own test and description."""
    return DescribedKind(
        kind=kind.kind, format=kind.format, why=kind.why, sniff=kind.sniff, describe=kind.describe
    )


def _of_module(module: ModuleType, kind: str, name: str, why: Message, /, **form: object) -> DescribedKind:
    """A kind that a module tests and describes. form: what both are told beside the file."""
    return DescribedKind(
        kind=kind,
        format=name,
        why=why,
        sniff=partial(module.sniff, **form),
        describe=partial(module.describe, **form),
    )


DESCRIBED: Final[tuple[DescribedKind, ...]] = (
    *(
        _of_table(kind)
        for kind in node_lists.NODE_KINDS
        if kind.format != sonar_samples.INVENTORY_FORMAT  # which says more of its cards
    ),
    _of_module(tres_names, tres_names.KIND, tres_names.FORMAT, tres_names.WHY),
    _of_table(class_rules.RULES),
    *(
        _of_module(traffic_tables, traffic_tables.KIND, form.format, form.why, form=form)
        for form in traffic_tables.FORMS
    ),
    _of_table(traffic_tables.WEEK),
    _of_module(served_models, served_models.KIND, "", served_models.WHY),
    *(
        DescribedKind(
            kind=INTERRUPTIONS,
            format=name,
            why=interruptions.WHY[name],
            sniff=sniff,
            describe=interruptions.describe,
        )
        for name, sniff in (
            (interruptions.OWN, interruptions.sniff),
            (interruptions.TRACE, interruptions.sniff_trace),
        )
    ),
    _of_table(planned_work.PLANNED),
    _of_table(budgets.BUDGETS),
    _of_table(scheduler_limits.LIMITS),
    _of_table(business_figures.BUSINESS),
    *(
        _of_module(place_tables, each.kind, each.format, each.why, kind=each)
        for each in place_tables.PLACE_KINDS
    ),
    _of_table(regions.REGIONS),
    _of_table(regions.COUNTRIES),
    _of_table(grid_carbon.CARBON),
    DescribedKind(
        kind=node.KIND,
        format=sonar_samples.INVENTORY_FORMAT,
        why=sonar_samples.WHY_INVENTORY,
        sniff=sonar_samples.sniff_inventory,
        describe=sonar_samples.describe_inventory,
    ),
    DescribedKind(
        kind="unknown",
        format=prometheus.METRIC_LIST_FORMAT,
        why=prometheus.WHY_METRIC_LIST,
        sniff=prometheus.sniff_metric_list,
        describe=prometheus.describe_metric_list,
    ),
)
"""The table of them."""


# --- The best reading of a log: of several the one that accepts most rows; where none does, the table it surely is

NEAR: Final = 0.1
"""Dialects whose confidence differs by no more than this are tried on the first rows."""


def sure_mapping(source: Source) -> ColumnMapping | None:
    """How a file is read as a table of jobs without asking; None where what is needed is not sure, or it is known."""
    proposal = None if _layout(source) is None else proposal_for(source)
    return None if proposal is None else proposal.sure_mapping


_OF_JOBS: Final = frozenset(("job_id", "name", "user", "state", "queue"))
"""Any of them says what ran, not only how many GPUs from when to when, as contracts and reservations do."""


def table_words(source: Source, mapping: ColumnMapping, looked_like: Message) -> Message:
    """What was taken for what, and what was not read. looked_like: what it was taken for before; empty: for nothing."""
    words = [worded("read as a table of jobs: {columns}", columns=mapping_text(mapping))]
    layout = _layout(source)
    left = [] if layout is None else _unread(layout, mapping)
    if left:
        words.append(worded("not read: {names}", names=", ".join(left)))
    if looked_like:
        words.append(worded("not a {title}", title=looked_like))
    return joined((*words, worded("if a column is wrong, map another")), "; ")


def table_issue(source: Source, mapping: ColumnMapping, looked_like: Message) -> Issue:
    """The same as an issue of the file."""
    return Issue("read_as_table", 1, None, table_words(source, mapping, looked_like))


def reads_better(source: Source, dialect: Dialect, timezone: str | None) -> ColumnMapping | None:
    """A mapping that is sure and accepts more of the first rows than a dialect whose rows are mostly rejected.

    Never one that takes for jobs what the dialect ignores: steps, pending jobs and such are read, and are no jobs.
    """
    mapping = sure_mapping(source)
    if mapping is None or source.kind == OTHER or json_form(source) is not None:
        return None
    by_dialect, by_table = (rows_read(source, one, timezone) for one in (dialect, mapped_dialect(mapping)))
    is_better = by_table.accepted > by_dialect.accepted and by_table.ignored >= by_dialect.ignored
    return mapping if is_better else None


def most_accepted(source: Source, near: Sequence[Dialect]) -> Dialect:
    """Of dialects that are about as likely the one that accepts most of the first rows; of equals the first."""
    if source.kind == OTHER or json_form(source) is not None:
        return near[0]
    return max(near, key=lambda dialect: rows_read(source, dialect, None).accepted)


class RowsRead(NamedTuple):
    """How many rows were jobs, how many were knowingly left out; is_proof: most were jobs, with ids of their own."""

    accepted: int
    ignored: int
    is_proof: bool = False


@lru_cache(maxsize=8)
def tried_proposal(source: Source) -> Proposal | None:
    """What is proposed for a file as a table of jobs; a whole mapping only where most of the first rows are jobs by it.

    Without the column of ids where these repeat, as states do. None where the file cannot be read: of JSON that is cut
    off or broken enough is said already.
    """
    proposal = None if _layout(source) is None else proposal_for(source)
    if proposal is None or proposal.mapping is None or not proposal.is_complete:
        return proposal
    columns, units = proposal.mapping.columns, proposal.mapping.units
    without_ids = {name: column for name, column in columns.items() if name != "job_id"}
    for mapping in (proposal.mapping, ColumnMapping(without_ids, units)):
        if rows_read(source, mapped_dialect(mapping), None).is_proof:
            return replace(proposal, mapping=mapping)
    return None


def rows_read(source: Source, dialect: Dialect, timezone: str | None) -> RowsRead:
    """How many of a file's first rows a dialect accepts and ignores; none where it refuses the file."""
    import duckdb

    from gpuplanner.files.job_logs.judging.job_store import JOBS, create_jobs
    from gpuplanner.files.job_logs.judging.row_validation import judge_rows
    from gpuplanner.files.system.engine import open_engine

    with own_folder() as folder, open_engine() as engine:
        at = folder / "first rows"
        lines = source.head.splitlines(keepends=True)
        is_cut = source.kind == TEXT and source.lines > len(lines)
        at.write_text("".join(lines[:-1] if is_cut else lines), encoding="utf-8", newline="")
        try:
            if (form := json_form(source)) is not None:
                write_lines(source, form, at, _HEAD_ROWS)
            create_jobs(engine)
            tried = dialect.rows(survey(source.path, at=at), engine, "tried")
            judged = judge_rows(engine, tried, 0, timezone)
        except (PlannerError, duckdb.Error):
            return RowsRead(0, 0)
        (repeated,) = engine.one(f"select count(job_id) - count(distinct job_id) from {JOBS} where code = 0")
        accepted = judged.by_code.get(0, 0)
        is_proof = accepted > 2 * repeated and not judged.are_mostly_rejected
        return RowsRead(accepted, sum(judged.ignored.values()), is_proof)


def _layout(source: Source) -> Layout | None:
    """How the file is laid out as a table; None for a known listing and for JSON that cannot be read."""
    if known_listing(source.head) is not None:
        return None
    try:
        return plain_layout(source)
    except PlannerError:  # JSON that is cut off or broken: what is said of it already is enough
        return None


def _unread(layout: Layout, mapping: ColumnMapping) -> list[str]:
    """The headings of the columns that the mapping reads for no field."""
    read = {layout.place(column) for column in mapping.columns.values()}
    return [name for place, name in enumerate(layout.headings) if place not in read]


# --- Which sheet of a workbook holds the table: the first that reads like one of contracts or prices

SHEETS_LOOKED_AT: Final = 50
_HEAD_ROWS: Final = 200
_SNIFFS: Final[Mapping[str, Callable[[str], float]]] = {
    "contracts": contract_tables.sniff,
    "prices": price_tables.sniff,
}


def of_best_sheet(source: Source, kind: str) -> Source:
    """The file with the first sheet that seems to be of a kind; as it is where none does, or the first one does.

    Of JSON with prices that is no known export its records as a table; a sheet that lies on its side is turned.
    Errors: PlannerError file_unreadable.
    """
    is_export = any(form.sniff(source.head) >= LIKELY for form in EXPORT_FORMS)
    if not is_export and (table := json_table(source)) is not None:
        return table
    sniff = _SNIFFS[kind]
    if sniff(source.head) >= LIKELY:
        return source
    is_open = source.kind == XLSX and not source.sheet
    sheets = sheet_heads(Path(source.at), source.path, SHEETS_LOOKED_AT, _HEAD_ROWS) if is_open else ()
    for name, rows in sheets:
        head = as_csv(rows)
        if sniff(head) >= LIKELY:
            return replace(source, sheet=name, head=head)
    turned = turned_table(source)
    return turned if turned is not None and sniff(turned.head) >= LIKELY else source


OTHER_SHEETS: Final = "other_sheets"


@lru_cache(maxsize=8)
def sheets_beside(source: Source, kind: str) -> tuple[str, dict[str, str]]:
    """Which sheet of a workbook is read as a kind, and the kinds that all seem to be, by name, unknown of that one.

    No sheet and none where a file is no workbook of several, or its path names the sheet; kept, for it is asked twice.
    Errors: as of_best_sheet.
    """
    is_named = bool(source.sheet) and Path(source.path).name == source.sheet
    if source.kind != XLSX or is_named or not has_several_sheets(Path(source.at), source.path):
        return "", {}
    taken, kinds = (of_best_sheet(source, kind) if kind in _SNIFFS else source).sheet, dict[str, str]()
    for name, rows in sheet_heads(Path(source.at), source.path, SHEETS_LOOKED_AT, _HEAD_ROWS):
        taken = taken or (name if rows else "")
        of_sheet = replace(source, sheet=name, head=as_csv(rows))
        kinds[name] = "unknown" if name == taken else recognise_source(of_sheet).kind
    return taken, kinds


def tables_beside(source: Source, kind: str) -> tuple[str, ...]:
    """The paths of a workbook's other sheets that are read by themselves: where no two are of one known kind.

    Of several of a kind, as in a plan's own workbook, some only say again what is in others. kind: as the file is read.
    """
    known = [one for one in sheets_beside(source, kind)[1].items() if one[1] != "unknown"]
    are_apart = len({kind, *(kind for _, kind in known)}) == len(known) + 1
    return tuple(f"{source.path}/{name}" for name, _ in known if are_apart and Path(source.path).is_file())


def with_sheets_named(file: FileIntake, source: Source) -> FileIntake:
    """A file with which sheet of its workbook was read and which were not, as an issue and as facts; these with the
    kind that they seem to be. Errors: PlannerError file_unreadable.
    """
    is_named = any(issue.code == OTHER_SHEETS for issue in file.issues)
    taken, kinds = ("", {}) if is_named else sheets_beside(source, file.kind)
    others = sorted((name for name in kinds if name != taken), key=lambda name: kinds[name] == "unknown")
    if not others:
        return file
    shown = [
        joined((f"“{name}”", *(() if kinds[name] == "unknown" else (" (", kind_words(kinds[name]), ")"))))
        for name in others
    ]
    facts = (*file.facts, ("sheet", taken), ("other_sheets", [name for name in kinds if name != taken]))
    return replace(file, issues=(*file.issues, _not_read(taken, shown)), facts=facts)


def _not_read(taken: str, others: Sequence[Text]) -> Issue:
    """The issue of sheets that were not read, the first of them by name, and how one is given."""
    names = joined(others[:5], ", ")
    if len(others) > 5:
        names += worded(" and {count} more", count=whole(len(others) - 5))
    words = [worded("“{taken}” was read, not {shown}", taken=taken, shown=names)]
    return Issue(OTHER_SHEETS, len(others), None, worded_message(OTHER_SHEETS, words))


def without_those_read(files: Sequence[FileIntake]) -> tuple[FileIntake, ...]:
    """The files, of which none says of a sheet that it was not read that another of them is."""
    taken = {f"{file.path}/{sheet}" for file in files for name, sheet in file.facts if name == "sheet"}
    paths = {file.path for file in files} | taken

    def told(file: FileIntake) -> FileIntake:
        """One of them, with what is left to be said of its sheets."""
        facts: dict[str, Any] = dict(file.facts)
        issues = [issue for issue in file.issues if issue.code != OTHER_SHEETS]
        every = facts.get("other_sheets", ())
        left = [f"“{name}”" for name in every if f"{file.path}/{name}" not in paths]
        more = (_not_read(facts["sheet"], left),) if left else ()
        return file if len(left) == len(every) else replace(file, issues=(*issues, *more))

    return tuple(map(told, files))


# --- What a file is, by its content: so that anything can be dropped and sorts itself ------------

EXPORT_FORMS: Final[tuple[ExportForm[Contract] | ExportForm[Offer], ...]] = (*CONTRACT_FORMS, *PRICE_FORMS)
"""Every form of export of contracts or prices."""


def _given_as(option: str, title: str = "") -> Message:
    """Return the remedy of an option; title: of the kind in the window, "" where it reads none."""
    if not title:
        return worded("use it with --{kind}", kind=option)
    return worded_both("use it with --{kind}", "choose {title} on the left", kind=option, title=worded(title))


_AS_JOBS: Final = _given_as("jobs", "Job log")
_AS_CONTRACTS: Final = _given_as("contracts", "Contracts")
GIVE_AS: Final[Mapping[str, Message]] = {
    "jobs": _AS_JOBS,
    "billing": _AS_JOBS,
    "activity": _AS_JOBS,
    "tres": _AS_JOBS,
    "contracts": _AS_CONTRACTS,
    "prices": _given_as("prices", "Prices"),
    "nodes": _AS_CONTRACTS,
    "rules": _given_as("rules"),
    "traffic": _given_as("traffic"),
    "interruptions": _given_as("interruptions"),
    "project": worded("use it instead of --jobs, --contracts and --prices, or open it"),
    "planned": _given_as("planned", "Planned work"),
}
"""The option of the command line that takes a file of each kind, as a remedy where it was given as another."""


@dataclass(frozen=True, slots=True)
class NearTable:
    """A kind of small table that a file is nearest to: contracts or prices; fields there, and those it lacks.

    remark: what to do about these, where more is to be said than that they are to be named.
    """

    kind: str
    there: tuple[str, ...]
    lacking: tuple[str, ...]
    remark: Message = NO_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """kind: jobs, billing, contracts, prices, one of `described`, or unknown; confidence 0..1; why: words.

    format: the dialect, empty where it has none. nearest: of what is unknown. beside: as tables_beside has it.
    """

    kind: str
    format: str
    confidence: float
    why: Message
    nearest: NearTable | None = None
    beside: tuple[str, ...] = ()


_ENOUGH_FIELDS: Final = 3
_OF_ANYTHING: Final = frozenset(("start", "end", "status", "owner", "cluster", "region", "currency"))
"""Fields that lists of people and of events have, too."""


def nearest_table(source: Source) -> NearTable | None:
    """Which small table a file is nearest to and what that needs; None where its headings mean little.

    A table with a column for most fields of one kind is nearest to that.
    """
    found: list[NearTable] = []
    source = json_table(source) or source
    are_ends = False  # of prices without a word for them
    for kind, needed in NEEDED_OF_OTHERS.items() if source.kind in (TEXT, XLSX) else ():
        layout = layout_of(source, kind)
        are_ends |= layout is not None and not STATISTICS.keys().isdisjoint(map(plain_words, layout.headings))
        columns = known_columns(layout, kind) if layout is not None else ()
        there = tuple(column.field for column in columns)
        lacking, remark = column_mapping.TableMapping(kind=kind, columns=columns).lacks(needed), NO_WORDS
        if kind == "prices" and not any(map(column_mapping.is_rate, there)):
            lacking, remark = [*lacking, column_mapping.RATE], column_mapping.range_words(columns)
        found.append(NearTable(kind, there, tuple(lacking), remark))
    has_name = [one for one in found if f"{one.kind[:-1]}_id" in one.there]
    nearest = max(has_name or found, key=lambda row: (len(row.there), row.kind), default=None)
    if nearest is None or not nearest.lacking:
        return None
    is_near = len(nearest.there) >= _ENOUGH_FIELDS or {"provider", "gpu_model"} <= {*nearest.there}
    is_near &= not _OF_ANYTHING.issuperset(nearest.there)
    is_near |= are_ends and "gpu_model" in nearest.there
    return nearest if is_near else None


def recognise(path: str) -> Recognition:
    """What a file on disk is; of several packed in it, the first that is known.

    Errors: PlannerError file_missing, file_unreadable, truncated_file.
    """
    with sources_of(path) as sources:
        found = [recognise_source(source) for source in sources]
    return next((one for one in found if one.kind != "unknown"), found[0])


def glance(path: str, on_bytes: Callable[[int], None] | None = None) -> Recognition:
    """As `recognise`, from the first bytes alone: a file of any size is known at once. Packed files are unpacked.

    on_bytes: told what of a packed file is done; whatever it raises stops the work.
    """
    with own_folder() as folder:
        parts = parts_of(path, folder, on_bytes)
        sources = [survey_part(part, is_head_enough=True) for part in parts if part.fault is None]
        found = [recognise_source(source) for source in sources]
        best = next((at for at, one in enumerate(found) if one.kind != "unknown"), 0)
        return replace(found[best], beside=tables_beside(sources[best], found[best].kind))


@lru_cache(maxsize=8)
def recognise_source(source: Source) -> Recognition:
    """What a surveyed file is; kept, for whoever checks or imports it asks more than once."""
    if source.kind == OTHER:
        kind = "project" if source.is_project else "unknown"
        return Recognition(
            kind=kind, format="", confidence=1.0, why=worded("it is {kind}", kind=source.foreign)
        )
    if source.is_empty:
        return Recognition(kind="unknown", format="", confidence=1.0, why=worded("it is empty"))
    if is_answer(source):
        return Recognition(
            kind="prices", format=ANSWERS, confidence=1.0, why=worded("rows have the keys of an RFQ")
        )
    candidates: list[Recognition] = []
    for candidate in _candidates(source):
        candidates.append(candidate)
        if candidate.confidence == 1:  # none is surer, and of equals the first is taken
            break
    best = max(candidates, key=lambda candidate: candidate.confidence)
    if best.kind == NODES and any(row.format == PODS.format and row.confidence for row in candidates):
        best = next(row for row in candidates if row.format == PODS.format) if has_pods(source) else best
    if best.confidence < LIKELY and source.kind == XLSX:
        other_sheets = [row for kind in _SNIFFS for row in _tables(of_best_sheet(source, kind))]
        best = max(other_sheets, key=lambda candidate: candidate.confidence)
    if best.confidence < LIKELY and (table := json_table(source)) is not None:
        best = max(best, *_tables(table), _wide(table), key=lambda candidate: candidate.confidence)
    if best.confidence < LIKELY and (table := turned_table(source)) is not None:
        turned = (replace(row, why=worded("headings in the first column")) for row in _tables(table))
        best = max(best, *turned, key=lambda candidate: candidate.confidence)
    mapping = sure_mapping(source) if best.confidence < LIKELY else None
    if mapping is not None and not _OF_JOBS.isdisjoint(mapping.columns):
        return Recognition(
            kind="jobs",
            format=MAPPED,
            confidence=SURE,
            why=worded("headings and values match a table of jobs"),
        )
    if best.confidence < LIKELY:
        why = known_listing(source.head) or bill_in_sums(source)
        if why is None and (name := empty_list(source)):
            why = worded("list {name} is empty", name=name)
        nearest = None if why is not None else nearest_table(source)
        why = why or worded("no known format")
        return Recognition(
            kind="unknown", format="", confidence=1.0 - best.confidence, why=why, nearest=nearest
        )
    near = {row.format: row for row in candidates if _are_near(row, best)}
    if len(near) > 1:
        dialects = [dialect for dialect in DIALECTS if dialect.format in near]
        likeliest = sorted(dialects, key=lambda dialect: -near[dialect.format].confidence)
        return near[most_accepted(source, likeliest).format]
    return best


def _candidates(source: Source) -> Iterator[Recognition]:
    """All that a file may be, one after the other: to ask after each takes as long as to read a short log."""
    yield from (
        Recognition(kind=d.kind, format=d.format, confidence=d.sniff(source.head), why=d.why)
        for d in (*DIALECTS, *EXPORT_FORMS)
    )
    yield from _tables(source)
    yield _wide(source)
    yield from (
        Recognition(kind=d.kind, format=d.format, confidence=d.sniff(source.head), why=d.why)
        for d in DESCRIBED
    )
    yield from (
        Recognition(kind=d.kind, format=d.format, confidence=d.sniff(source.head), why=d.why)
        for d in ACTIVITY_DIALECTS
    )


def _wide(source: Source) -> Recognition:
    """As a table of prices with providers or GPU models as columns."""
    why = worded("its columns are providers or GPU models")
    return Recognition(
        kind="prices", format=contract_tables.MAPPED_FORMAT, confidence=sniff_wide(source), why=why
    )


def _are_near(recognition: Recognition, best: Recognition) -> bool:
    """Whether a log may about as well be this: then its first rows decide."""
    are_logs = recognition.kind == "jobs" == best.kind and best.confidence < 1
    return are_logs and recognition.confidence >= max(LIKELY, best.confidence - NEAR)


def activity_dialect(recognition: Recognition) -> ActivityDialect | None:
    """The dialect of a file that was recognised as activity; None where it is something else."""
    if recognition.kind != ACTIVITY:
        return None
    return next(d for d in ACTIVITY_DIALECTS if (d.format, d.why) == (recognition.format, recognition.why))


def _tables(source: Source) -> tuple[Recognition, Recognition]:
    """As which table of contracts or prices a file can be read, ours or anybody's."""

    def table(kind: str, ours: str, own: Message, others: Message) -> Recognition:
        """As one kind of table. ours: the format of those with our columns; own, others: why it is one."""
        sure = _SNIFFS[kind](source.head)
        is_own = sure >= SURELY_OURS
        format_name = ours if is_own else contract_tables.MAPPED_FORMAT
        return Recognition(kind=kind, format=format_name, confidence=sure, why=own if is_own else others)

    own = (worded("has a contract_id column"), worded("has an offer_id column"))
    others = (worded("headings match contracts"), worded("headings match prices"))
    return (
        table("contracts", contract_tables.FORMAT, own[0], others[0]),
        table("prices", price_tables.FORMAT, own[1], others[1]),
    )


def check_is(source: Source, kind: str) -> None:
    """Errors: PlannerError where a file is given as one kind and is clearly another."""
    found = recognise_source(
        of_best_sheet(source, kind) if source.kind == XLSX and kind in _SNIFFS else source
    )
    if (listing := known_listing(source.head)) is not None and found.kind == "unknown":
        remedy = worded("choose a file with {kind}", kind=kind_words(kind))
        raise PlannerError(f"{source.path}:1", "missing_column", listing, remedy)
    is_ours_to_read = found.format == contract_tables.MAPPED_FORMAT and kind in ("contracts", "prices")
    is_ours_to_read = is_ours_to_read or (found.kind, kind) == (NODES, "contracts")
    if found.kind not in (kind, "unknown") and not is_ours_to_read:
        wanted = kind_words(kind)
        problem = worded("contains {found}, not {wanted}", found=kind_words(found.kind), wanted=wanted)
        remedy = GIVE_AS.get(found.kind) or worded("choose a file with {kind}", kind=wanted)
        raise PlannerError(f"{source.path}:1", "missing_column", problem, remedy)
