"""Rows of a table, or records of JSON, as texts by a dialect's own keys, whatever a version calls its columns."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.job_logs.judging.job_texts import IGNORED, NOTED, RAW, JobTexts, Note, table_of_texts
from gpuplanner.files.job_logs.judging.json_records import flat
from gpuplanner.files.sources.json_objects import json_records, numbered_values, text_of
from gpuplanner.files.sources.json_values import json_paths
from gpuplanner.files.sources.raw_table import RawTable, load_raw
from gpuplanner.files.sources.row_widths import RaggedLines
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.headers import bare, header_columns

Headings = Mapping[str, Sequence[str]]
"""By a dialect's own key: names of columns without case and signs, the best first; of JSON, keys run together."""

Told = Mapping[str, str]
"""Text by key of Headings; what is empty or not there is an empty text."""

_ROWS_AT_ONCE: Final = 10_000
_NOTE: Final = "note"


@dataclass(frozen=True, slots=True)
class NamedLog:
    """A kind of log that names its columns. fields: of a job, what it may say; texts: a record as a job.

    containers: keys of the list of records in JSON; needed: keys of which each group must be named, with what it is
    called; remedy: what to export instead. end_is_elapsed: it has durations, which count before ends; note: what is to
    be said of jobs that hold GPUs, and of which of them.
    """

    fields: Sequence[str]
    headings: Headings
    texts: Callable[[Told], JobTexts]
    containers: tuple[str, ...]
    needed: tuple[tuple[tuple[str, ...], str], ...]
    remedy: Message
    end_is_elapsed: bool = False
    note: Message | None = None
    is_noted: Callable[[Told], bool] = lambda told: False

    def keys(self, head: str) -> frozenset[str]:
        """Which keys a beginning names.

        Keys are the dialect's own, under which it knows the spellings of all versions.
        """
        paths = json_paths(head)
        prefix = f"{self._container(head)}." if paths else ""
        names = [path.removeprefix(prefix) for path in paths] if paths else header_columns(head)[1]
        named = {bare(re.sub(r"\.item$", "", name)) for name in names}
        return frozenset(key for key, known in self.headings.items() if named & set(known))

    def _container(self, head: str) -> str:
        """The path of the records of a document; `item`, or empty where they are in no list of a name."""
        paths = json_paths(head)
        found = next((name for name in self.containers if f"{name}.item" in paths), None)
        return f"{found}.item" if found else "item" if "item" in paths else ""

    def rows(self, source: Source, engine: Engine, table: str) -> JobTable:
        """Every record as a job. Errors: PlannerError missing_column; truncated_file, file_unreadable.

        An unknown record is no error: it is rejected or ignored by its texts, like any row.
        """
        self._check(source)
        ragged: RaggedLines | None = None
        if json_paths(source.head):
            jobs = self._json_jobs(source)
        else:
            delimiter, columns = header_columns(source.head)
            raw = load_raw(engine, source, f"{table}_cells", columns, delimiter=delimiter, is_whole=True)
            ragged = raw.ragged
            jobs = table_jobs(engine, raw, located(columns, self.headings), self._job)

        return table_of_texts(
            engine,
            source,
            table,
            self.fields,
            jobs,
            notes={} if self.note is None else {_NOTE: Note("undecided", self.note)},
            finish=lambda done: replace(done, end_is_elapsed=self.end_is_elapsed),
            ragged=ragged,
        )

    def _job(self, told: Told) -> JobTexts:
        """The texts of a job, with a note where the dialect says that something of it was taken for granted."""
        texts = self.texts(told)
        return {**texts, NOTED: _NOTE} if self.is_noted(told) else texts

    def _check(self, source: Source) -> None:
        """PlannerError `missing_column` if the file lacks one of the fields no job can do without."""
        keys = self.keys(source.head)
        lacking = [name for group, name in self.needed if not keys & set(group)]
        if lacking:
            what = worded("there is no {names}", names=joined(lacking, worded(" and no ")))
            raise PlannerError(f"{source.path}:1", "missing_column", what, self.remedy)

    def _json_jobs(self, source: Source) -> Iterator[tuple[int, JobTexts]]:
        """Each record of the JSON by the dialect's own keys, numbered from 1.

        What is no object keeps its text.
        """
        path = self._container(source.head)
        records = json_records(source) if path in ("", "item") else numbered_values(source, path)
        for row, value in records:
            if not isinstance(value, dict):
                yield row, {RAW: text_of(value)}
                continue
            texts = {bare(key): text.strip() for key, text in flat(value).items()}
            told = {
                key: next((texts[name] for name in names if texts.get(name)), "")
                for key, names in self.headings.items()
            }
            yield row, self._job(told)


def located(columns: Sequence[str], headings: Headings) -> dict[str, tuple[int, ...]]:
    """By key, the places of the columns that may tell it, the best first.

    >>> located(("GPU Count", "Start"), {"gpus": ("gpus", "gpucount"), "end": ("end",)})
    {'gpus': (0,)}
    """
    names = [bare(column) for column in columns]
    places = {
        key: tuple(names.index(name) for name in known if name in names) for key, known in headings.items()
    }
    return {key: found for key, found in places.items() if found}


def table_jobs(
    engine: Engine,
    raw: RawTable,
    places: Mapping[str, tuple[int, ...]],
    job: Callable[[Told], JobTexts],
) -> Iterator[tuple[int, JobTexts]]:
    """Every record of a table as (line, job).

    One with too many cells is never ignored: its cells may be another's.

    Of several columns for a key the first that is not empty counts, row by row. Lines ascend.
    """
    long = frozenset(raw.ragged.long)
    texts = (
        f"coalesce({', '.join(f'nullif(trim(c{index}), {_EMPTY})' for index in found)}, {_EMPTY})"
        for found in places.values()
    )
    cursor = engine.connection.cursor().execute(
        f'select line, {", ".join(texts)} from "{raw.name}" order by line'
    )
    while found := cursor.fetchmany(_ROWS_AT_ONCE):
        for line, *cells in found:
            said = job(dict(zip(places, cells, strict=True)))
            yield line, {**said, IGNORED: ""} if line in long else said


_EMPTY: Final = "''"
