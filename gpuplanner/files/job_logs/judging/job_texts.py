"""Jobs that a dialect has taken apart by itself: each a few texts by field, handed on as a log."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.row_widths import RaggedLines
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

IGNORED: Final = "ignored"
"""The key of a record that is no job: any text but an empty one says so."""

RAW: Final = "raw"
"""The key under which a line that cannot be read is kept, for the planner to see."""

NOTED: Final = "noted"
"""The key under which a record names the notes that are to be made of it, apart by blanks."""

JobTexts = Mapping[str, str]
"""Texts by name of TEXT_FIELDS, and by IGNORED, RAW or NOTED; what is not there is empty."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be said of so many jobs of a log, from the first of their rows on: the code of the issue, words."""

    code: str
    words: Message


NO_NOTES: Final[Mapping[str, Note]] = {}


def table_of_texts(
    engine: Engine,
    source: Source,
    name: str,
    fields: Sequence[str],
    jobs: Iterable[tuple[int, JobTexts]],
    *,
    clock: str | None = None,
    notes: Mapping[str, Note] = NO_NOTES,
    finish: Callable[[JobTable], JobTable] = lambda table: table,
    ragged: RaggedLines | None = None,
) -> JobTable:
    """A log of the jobs, as (row, texts). fields: what they may say; clock: the unit of their times (None: ISO 8601).

    notes: by the names that records have under NOTED; finish: what else there is to say, once all are read; ragged: of
    the table that they were taken from.
    """
    columns = (*fields, RAW, IGNORED)
    noted: dict[str, tuple[int, int]] = {}

    def cells() -> Iterator[tuple[int, list[str]]]:
        """Each job as cells in the order of the columns; notes are counted with the first row that has them."""
        for row, texts in jobs:
            for note in texts[NOTED].split() if NOTED in texts else ():
                count, first = noted.get(note, (0, row))
                noted[note] = (count + 1, min(first, row))
            yield row, [texts.get(column, "") for column in columns]

    raw = load_records(engine, source, name, columns, cells(), ragged=ragged)
    located = {field: f"c{index}" for index, field in enumerate(fields)}
    issues = (Issue(note.code, *noted[key], note.words) for key, note in notes.items() if key in noted)
    done = JobTable(
        raw,
        located,
        is_ignored=f"coalesce(c{len(columns) - 1}, '') <> ''",
        start_unit=clock,
        end_unit=clock,
        issues=tuple(issues),
    )
    return finish(
        done if clock is None else replace(done, queue_units=dict.fromkeys(done.queue_times, clock))
    )
