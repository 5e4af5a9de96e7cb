"""What a file is, by its content: so that anything can be dropped and sorts itself."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.activity.activity_intake import ACTIVITY_DIALECTS
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.activity.metric_table import SERIES, sniff_named
from gpuplanner.files.activity.name_of_file import metric_in_name
from gpuplanner.files.activity.reading import ActivityDialect
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.importing.best_reading import NEAR, most_accepted, shows_work, sure_mapping
from gpuplanner.files.importing.best_sheet import (
    EXPORT_FORMS,
    HEAD_ROWS,
    SHEETS_LOOKED_AT,
    SNIFFS,
    of_best_sheet,
)
from gpuplanner.files.importing.described_kinds import DESCRIBED
from gpuplanner.files.importing.known_listings import bill_in_sums, known_listing
from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import DIALECT as PODS
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.propose_columns import SURE
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.lists.nodes.kubernetes_nodes import has_pods
from gpuplanner.files.lists.nodes.node import KIND as NODES
from gpuplanner.files.prices import price_tables
from gpuplanner.files.prices.wide_prices import sniff_wide
from gpuplanner.files.request.answered_table import is_answer
from gpuplanner.files.request.answers import FORMAT as ANSWERS
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.json_values import empty_list
from gpuplanner.files.sources.source import OTHER, TEXT, XLSX, Source, as_csv, sources_of, survey_part
from gpuplanner.files.sources.spreadsheet import has_several_sheets, sheet_heads
from gpuplanner.files.sources.unpack import parts_of
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.fields import NEEDED_OF_OTHERS
from gpuplanner.files.tables.headings import STATISTICS, plain_words
from gpuplanner.files.tables.json_table import json_table, turned_table
from gpuplanner.files.tables.layout import layout_of
from gpuplanner.files.tables.own_workbook import own_workbook
from gpuplanner.files.tables.table_columns import LIKELY, SURELY_OURS, known_columns
from gpuplanner.lazy_dataclass import dataclass, replace


@lru_cache(maxsize=8)
def sheets_beside(source: Source, kind: str) -> tuple[str, dict[str, str]]:
    """Which sheet of a workbook is read as a kind, and the kinds that all seem to be, by name, unknown of that one.

    No sheet and none where a file is no workbook of several, or its path names the sheet; of the workbook of a plan the
    sheets of its lists. Kept, for it is asked twice. Errors: as of_best_sheet.
    """
    is_named = bool(source.sheet) and Path(source.path).name == source.sheet
    if source.kind != XLSX or is_named or not has_several_sheets(Path(source.at), source.path):
        return "", {}
    if (book := own_workbook(source)) is not None:
        taken = dict(book.lists).get(kind, "")
        return taken, {name: "unknown" if name == taken else of_sheet for of_sheet, name in book.lists}
    taken, kinds = (of_best_sheet(source, kind) if kind in SNIFFS else source).sheet, dict[str, str]()
    for name, rows in sheet_heads(Path(source.at), source.path, SHEETS_LOOKED_AT, HEAD_ROWS):
        taken = taken or (name if rows else "")
        of_sheet = replace(source, sheet=name, head=as_csv(rows))
        kinds[name] = "unknown" if name == taken else recognise_source(of_sheet).kind
    return taken, kinds


def tables_beside(source: Source, kind: str) -> tuple[str, ...]:
    """The paths of a workbook's other sheets that are read by themselves: where no two are of one known kind.

    Of several of a kind, some may only say again what is in others. kind: as the file is read.
    """
    _, kinds = sheets_beside(source, kind)
    known = {name: of_sheet for name, of_sheet in kinds.items() if of_sheet != "unknown"}
    are_apart = len({kind, *known.values()}) == len(known) + 1
    return tuple(f"{source.path}/{name}" for name in known if are_apart and Path(source.path).is_file())


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
    if (own := _of_own_list(source)) is not None:
        return own
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
        other_sheets = [row for kind in SNIFFS for row in _tables(of_best_sheet(source, kind))]
        best = max(other_sheets, key=lambda candidate: candidate.confidence)
    if best.confidence < LIKELY and (table := json_table(source)) is not None:
        best = max(best, *_tables(table), _wide(table), key=lambda candidate: candidate.confidence)
    if best.confidence < LIKELY and source.kind == TEXT:
        sectioned = (row for kind in SNIFFS for row in _tables(of_best_sheet(source, kind)))
        best = max(best, *sectioned, key=lambda candidate: candidate.confidence)
    if best.confidence < LIKELY and (table := turned_table(source)) is not None:
        turned = (replace(row, why=worded("headings in the first column")) for row in _tables(table))
        best = max(best, *turned, key=lambda candidate: candidate.confidence)
    mapping = sure_mapping(source) if best.confidence < LIKELY else None
    if mapping is not None and shows_work(source, mapping):
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


def _of_own_list(source: Source) -> Recognition | None:
    """As the list of contracts or offers that is read of a plan's workbook; None where a file has none."""
    book = own_workbook(source)
    kind = book.kind_of(source.sheet) if book is not None else None
    if kind is None:
        return None
    why = worded("it is the workbook of a plan: its {kind} are read", kind=kind_words(kind))
    return Recognition(kind=kind, format=_OWN_FORMATS[kind], confidence=1.0, why=why)


_OWN_FORMATS: Final = {"contracts": contract_tables.FORMAT, "prices": price_tables.FORMAT}


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
    yield Recognition(
        kind=ACTIVITY,
        format=SERIES.format,
        confidence=sniff_named(source.head, metric_in_name(source.path)),
        why=SERIES.why,
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
        sure = SNIFFS[kind](source.head)
        is_own = sure >= SURELY_OURS
        format_name = ours if is_own else contract_tables.MAPPED_FORMAT
        return Recognition(kind=kind, format=format_name, confidence=sure, why=own if is_own else others)

    return (
        table(
            "contracts",
            contract_tables.FORMAT,
            own=worded("has a contract_id column"),
            others=worded("headings match contracts"),
        ),
        table(
            "prices",
            price_tables.FORMAT,
            own=worded("has an offer_id column"),
            others=worded("headings match prices"),
        ),
    )


def check_is(source: Source, kind: str) -> None:
    """Errors: PlannerError where a file is given as one kind and is clearly another."""
    found = recognise_source(
        of_best_sheet(source, kind) if source.kind == XLSX and kind in SNIFFS else source
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
