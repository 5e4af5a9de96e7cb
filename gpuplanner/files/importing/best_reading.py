"""The best reading of a log: of several the one that accepts most rows, else the table of jobs."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.importing.best_sheet import HEAD_ROWS
from gpuplanner.files.importing.known_listings import known_listing
from gpuplanner.files.job_logs.judging.column_names import words_of
from gpuplanner.files.job_logs.judging.dialect import Dialect, json_form, write_lines
from gpuplanner.files.job_logs.mapped_log import mapped_dialect, plain_layout
from gpuplanner.files.job_logs.propose_columns import Proposal, proposal_for
from gpuplanner.files.sources.source import OTHER, TEXT, Source, survey
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.tables.column_mapping import ColumnMapping, mapping_text
from gpuplanner.files.tables.layout import Layout
from gpuplanner.files.values.column_values import known
from gpuplanner.files.values.word_lists import words
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

NEAR: Final = 0.1
"""Dialects whose confidence differs by no more than this are tried on the first rows."""


def sure_mapping(source: Source) -> ColumnMapping | None:
    """How a file is read as a table of jobs without asking; None where what is needed is not sure, or it is known."""
    proposal = None if _layout(source) is None else proposal_for(source)
    return None if proposal is None else proposal.sure_mapping


_OF_JOBS: Final = frozenset(("job_id", "name", "user", "state", "queue"))
"""Any of them says what ran, not only how many GPUs from when to when, as contracts and reservations do."""

_OF_WORK: Final = words(
    "job|jobs|run|runs|task|tasks|experiment|trial|workload|workloads|pod|container|training|batch|auftrag"
    "|aufgabe|tâche|travail"
)
_OF_MACHINES: Final = words(
    "instance type|machine type|node type|server type|vm size|vm type|asset type|asset id|asset tag|serial"
    "|serial number|serial no|provider id|resource type"
)
"""Headings of lists of machines, in which a name is that of a machine and a state is whether it is on."""

_ENDED: Final = lazy_re(r"(?i)complet|succe|fail|time.?out|cancel|finish|error|preempt")
_MACHINE: Final = lazy_re(r"(?i)^(?:node|server|instance|vm|virtual machine|machine|host|compute)s?$")


def shows_work(source: Source, mapping: ColumnMapping) -> bool:
    """Whether a table tells what ran (law L7): machines from when to when are capacity."""
    layout = _layout(source)
    if _OF_JOBS.isdisjoint(mapping.columns) or layout is None:
        return False
    if "user" in mapping.columns or any(not _OF_WORK.isdisjoint(words_of(name)) for name in layout.headings):
        return True
    state = layout.place(mapping.columns["state"]) if "state" in mapping.columns else None
    if state is not None and any(map(_ENDED.search, layout.texts(state))):
        return True
    headings = [" ".join(words_of(name)) for name in layout.headings]
    types = [known(layout.texts(place)) for place, name in enumerate(headings) if name.endswith("type")]
    are_machines = any(texts and all(map(_MACHINE.match, texts)) for texts in types)
    return not are_machines and _OF_MACHINES.isdisjoint(headings)


def table_words(source: Source, mapping: ColumnMapping, looked_like: Message) -> Message:
    """What was taken for what, and what was not read. looked_like: what it was taken for before; empty: for nothing."""
    parts = [worded("read as a table of jobs: {columns}", columns=mapping_text(mapping))]
    layout = _layout(source)
    left = [] if layout is None else _unread(layout, mapping)
    if left:
        parts.append(worded("not read: {names}", names=", ".join(left)))
    if looked_like:
        parts.append(worded("not a {title}", title=looked_like))
    return joined((*parts, worded("if a column is wrong, map another")), "; ")


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
                write_lines(source, form, at, HEAD_ROWS)
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
