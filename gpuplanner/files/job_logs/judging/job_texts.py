"""Jobs that a dialect has taken apart by itself: each a few texts by field, handed on as a log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.files.job_logs.judging.job_table import JobTable
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.row_widths import RaggedLines
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

IGNORED: Final = "ignored"
"""The key of a record that is no job: any text but an empty one says so."""

RAW: Final = "raw"
"""The key under which a line that cannot be read is kept, for the planner to see."""

JobTexts = Mapping[str, str]
"""Texts by name of TEXT_FIELDS, and by IGNORED or RAW; what is not there is empty."""


def table_of_texts(
    engine: Engine,
    source: Source,
    name: str,
    fields: Sequence[str],
    jobs: Iterable[tuple[int, JobTexts]],
    finish: Callable[[JobTable], JobTable] = lambda table: table,
    ragged: RaggedLines | None = None,
) -> JobTable:
    """A log of the jobs, as (row, texts). fields: what they may say; finish: units and issues, once all are read.

    ragged: of the table that they were taken from.
    """
    columns = (*fields, RAW, IGNORED)
    raw = load_records(
        engine,
        source,
        name,
        columns,
        ((row, [texts.get(column, "") for column in columns]) for row, texts in jobs),
        ragged=ragged,
    )
    located = {field: f"c{index}" for index, field in enumerate(fields)}
    return finish(JobTable(raw, located, is_ignored=f"coalesce(c{len(columns) - 1}, '') <> ''"))
