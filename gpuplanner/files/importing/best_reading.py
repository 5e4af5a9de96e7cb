"""The best reading of a log: of several the one that accepts most rows; where none does, the table it surely is."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.files.importing.known_listings import known_listing
from gpuplanner.files.job_logs.judging.dialect import Dialect
from gpuplanner.files.job_logs.judging.json_records import json_form
from gpuplanner.files.job_logs.mapping.any_table import plain_layout
from gpuplanner.files.job_logs.mapping.mapped_log import mapped_dialect
from gpuplanner.files.job_logs.mapping.propose_columns import proposal_for
from gpuplanner.files.sources.source import OTHER, TEXT, Source, survey
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.tables.column_mapping import ColumnMapping, mapping_text
from gpuplanner.files.tables.table_layout import Layout

NEAR: Final = 0.1
"""Dialects whose confidence differs by no more than this are tried on the first rows."""


def sure_mapping(source: Source) -> ColumnMapping | None:
    """How a file is read as a table of jobs without asking; None where what is needed is not sure, or it is known."""
    proposal = None if _layout(source) is None else proposal_for(source)
    return None if proposal is None else proposal.sure_mapping


def tells_of_jobs(mapping: ColumnMapping) -> bool:
    """Whether a table says what ran, and not only how many GPUs from when to when, as contracts and reservations do."""
    return not _OF_JOBS.isdisjoint(mapping.columns)


_OF_JOBS: Final = frozenset(("job_id", "name", "user", "state", "queue"))


def table_words(source: Source, mapping: ColumnMapping, looked_like: Message) -> Message:
    """What was taken for what, and what was not read. looked_like: what it was taken for before; empty: for nothing."""
    taken = mapping_text(mapping)
    words = worded("read as a table of jobs: {columns}", columns=taken)
    layout = _layout(source)
    left = [] if layout is None else _unread(layout, mapping)
    if left:
        words += worded("; not read: {names}", names=", ".join(left))
    if looked_like:
        words += worded("; it looked like a {title}, which it is not", title=looked_like)
    return words + worded("; map other columns where one is wrong")


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
    """How many rows were jobs, and how many were knowingly left out."""

    accepted: int
    ignored: int


def rows_read(source: Source, dialect: Dialect, timezone: str | None) -> RowsRead:
    """How many of a file's first rows a dialect accepts and ignores; none where it refuses the file."""
    import duckdb

    from gpuplanner.files.job_logs.judging.job_store import create_jobs
    from gpuplanner.files.job_logs.judging.row_validation import accepted_and_ignored, judge_rows
    from gpuplanner.files.system.engine import open_engine

    with own_folder() as folder, open_engine() as engine:
        at = folder / "first rows"
        lines = source.head.splitlines(keepends=True)
        is_cut = source.kind == TEXT and source.lines > len(lines)
        at.write_text("".join(lines[:-1] if is_cut else lines), encoding="utf-8", newline="")
        try:
            create_jobs(engine)
            judge_rows(engine, dialect.rows(survey(source.path, at=at), engine, "tried"), 0, timezone)
        except (PlannerError, duckdb.Error):
            return RowsRead(0, 0)
        return RowsRead(*accepted_and_ignored(engine, 0))


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
