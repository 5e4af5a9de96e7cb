"""One part of a log, read where it lies by the laptop's reader."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from gpuplanner.files.importing.import_jobs import chosen_dialect
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.job_logs import recognisers
from gpuplanner.files.job_logs.judging import expression, job_store, row_validation
from gpuplanner.files.job_logs.judging.dialect import Dialect
from gpuplanner.files.job_logs.reduce import job_rows
from gpuplanner.files.sources.issue_texts import SHORT
from gpuplanner.files.sources.source import Source, records, survey
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.lazy_dataclass import dataclass, replace

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledLog:
    """What holds for every part of one log. It is sent to the machines that read the parts.

    number: of the file in the call; cluster: of jobs that name none, empty where the call names none. head: the first
    lines of the whole log, which decide on delimiter, columns, units and the order of day and month. header: the lines
    down to the headings, without their ends; every part gets them. encoding: of the whole log.
    """

    path: str
    number: int
    choice: LogChoice
    cluster: str = ""
    head: str = ""
    header: tuple[bytes, ...] = ()
    encoding: str = ""
    is_parquet: bool = False

    @property
    def dialect(self) -> Dialect:
        """How the log is read: by a mapping, else as our own table."""
        return chosen_dialect(self.choice) or recognisers.OWN_CSV

    def source(self, at: Path) -> Source:
        """A part in a file of its own, as a source with the head of the whole log."""
        part = survey(self.path, at=at)
        if self.is_parquet:
            return replace(part, head=self.head, opened=partial(_rows_of_head, self.head))
        is_regular = part.is_regular and part.encoding == self.encoding
        return replace(part, head=self.head, encoding=self.encoding, is_regular=is_regular)


@contextmanager
def _rows_of_head(head: str) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """The first rows of a whole Parquet log, whichever part of it is read: the names of its columns are row 0."""
    yield ((line - 1, cells) for line, cells in records(head.splitlines(keepends=True), ","))


KINDS: Final = {
    **dict.fromkeys(("file", "nodes", "activity_milli_percent"), "int"),
    **dict.fromkeys(("line", "row_count", "milli_gpus", "start_s", "end_s", "finality"), "bigint"),
    **dict.fromkeys(("is_running", "has_zoned"), "boolean"),
    **dict.fromkeys(("fate", "job_id", "cluster", "owner", "workload_name", "label", "name"), "string"),
    **dict.fromkeys(("account", "user", "queue", "gpu_model", "state", "model"), "string"),
}
"""Columns of `judged_part` and their types, in words that both engines know; besides them `issues`, a list of codes.

An accepted job is a row, with row_count 1 and an empty label where it has none. Of rows that ended otherwise there are
counts by issue; has_zoned: whether any time of the part states its zone.
"""

_IGNORED: Final = ", ".join(str(job_store.CODES.index(code) + 1) for code in job_store.IGNORED_CODES)
_CODES: Final = ", ".join(f"'{code}'" for code in job_store.CODES)


def _judged_sql(engine: Engine) -> str:
    """SQL: what became of the rows of a part, once duplicates within it are found and workloads are named."""
    conditions = [*row_validation.conditions_of_issues(engine), (SHORT, "is_short")]
    issues = ", ".join(f"case when {condition} then '{code}' end" for code, condition in conditions)
    fate = f"case when code in ({_IGNORED}) then 'ignored' else 'rejected' end as fate"
    return f"""
        select r.* replace (coalesce(label, '') as label), t.finality, issues, 'accepted' as fate, 1 as row_count
        from {job_rows.ROWS_AS_READ} r join (
            select file, line, state_id, list_distinct([{issues}]) as issues from {expression.ACCEPTED}
            left join (select file, line, true as is_short from {job_store.SHORT_LINES}) using (file, line)
        ) using (file, line) join {job_store.STATES} t on t.id = state_id
        union all by name
        select file, {fate}, [[{_CODES}][code]] as issues, count(*) as row_count
        from {job_store.JOBS} where code > 0 group by file, code
        union all by name
        select file, 'ignored' as fate, lines as row_count, has_zoned from {job_store.STEPS}
        union all by name
        select file, 'duplicate' as fate, count(*) as row_count from {expression.LOST} group by file"""


_ROWS_AT_ONCE: Final = 2**14
_LINES_OF_A_PART: Final = 2**32


def judged_part(
    log: SettledLog, batches: "Iterable[pa.RecordBatch]", part: int | None = None
) -> "Iterator[pa.RecordBatch]":
    """One part of a log, read as the laptop reads a file; the rows have the columns of KINDS.

    batches: of `_lines`, or of a Parquet file. part: its number among the parts, which puts its rows in their place;
    None: that of the task of Spark.
    """
    if part is None:
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
    columns = ", ".join(f'cast("{name}" as {kind}) as "{name}"' for name, kind in KINDS.items())
    with own_folder() as folder:
        at = folder / "part"
        if not (_write_rows(batches, at) if log.is_parquet else _write_lines(log, batches, at)):
            return
        source = log.source(at)
        with open_engine(size_bytes=source.size) as engine:
            engine.run("set threads = 1")  # Spark gives each part one core
            job_store.create_jobs(engine)
            row_validation.judge_rows(
                engine, log.dialect.rows(source, engine, "log"), log.number, log.choice.timezone
            )
            if log.cluster:
                job_store.name_cluster(engine, log.cluster)
            expression.find_duplicates(engine)
            job_rows.name_workloads(engine)
            in_place = (
                f"select * replace (line + {part * _LINES_OF_A_PART} as line) from ({_judged_sql(engine)})"
            )
            rows = engine.connection.execute(f"select {columns}, issues from ({in_place})")
            yield from rows.to_arrow_reader(_ROWS_AT_ONCE)


def _write_rows(batches: "Iterable[pa.RecordBatch]", at: Path) -> bool:
    """The rows of a part as a Parquet file; whether there are any."""
    import pyarrow.parquet as pq

    writer = None
    for batch in batches:
        writer = writer or pq.ParquetWriter(at, batch.schema)
        writer.write_batch(batch)
    if writer is not None:
        writer.close()
    return writer is not None


def _write_lines(log: SettledLog, batches: "Iterable[pa.RecordBatch]", at: Path) -> bool:
    """The header of the log and the lines of a part as a file; whether there are any lines.

    Where a file begins within the part its own header is left out, as far as it is that of the log.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    before, count, skipped = 0, 0, len(log.header)
    with at.open("wb") as out:
        out.write(b"\n".join(log.header))
        for batch in batches:
            lines, files = batch.columns
            numbers = files.fill_null(0).to_numpy()
            begins = np.flatnonzero((numbers != np.append(before, numbers[:-1])) & (numbers != 0)).tolist()
            before = numbers[-1] if len(numbers) else before
            for first, last in zip([0, *begins], [*begins, len(lines)], strict=True):
                chosen = lines[first:last]
                skipped = 0 if first in begins else skipped
                while skipped < len(log.header) and len(chosen):
                    is_header = chosen[0].as_py() == log.header[skipped]
                    skipped = skipped + 1 if is_header else len(log.header)
                    chosen = chosen[1:] if is_header else chosen
                if len(chosen):
                    out.write(b"\n" if count or log.header else b"")
                    listed = pa.ListArray.from_arrays(pa.array([0, len(chosen)], pa.int32()), chosen)
                    out.write(pc.binary_join(listed, b"\n")[0].as_buffer())
                    count += len(chosen)
    return count > 0
