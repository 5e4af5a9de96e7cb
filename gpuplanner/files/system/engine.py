"""The embedded engine: a DuckDB connection per task, out of core, with progress and cancellation."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, worded
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.files.system import memory, output_file, own_folder, termination

if TYPE_CHECKING:
    import duckdb

    from gpuplanner.domain.arrays import Ints

OpenEnded = bool | Literal["both"]
"""Whether to keep rows without an end or a start; "both": also rows without either."""

Progress = Callable[[float, Text], None]
"""Callback with the share done, 0..1, and the present step in words."""

_ON_DISK_ABOVE_BYTES: Final = 256 * 2**20
_POLL_S: Final = 0.05
_ESTIMATE_AFTER_S: Final = 3.0
_ROWS_AT_ONCE: Final = 2**18
_SMALL_BYTES: Final = 2**21  # results of so little input can be cached
_ALONE_BYTES: Final = 2**24  # some 150,000 rows of text, in parts of 122,880: a second thread only waits
_NO_GAIN: Final = (
    "expression_rewriter,common_subexpressions,column_lifetime,compressed_materialization,reorder_filter"
)
"""Optimizer steps that cost more than they save on a few rows; all supported versions have them."""


class Engine:
    """A DuckDB connection that can be cancelled. Use `open_engine`."""

    def __init__(
        self,
        connection: "duckdb.DuckDBPyConnection",
        folder: Path,
        on_progress: Progress | None,
        is_cancelled: Callable[[], bool] | None,
        is_small: bool,
    ) -> None:
        """Create an engine. is_small: shared results are stored in tables; for large files they are too big."""
        self.connection, self.folder, self.once = connection, folder, "table" if is_small else "view"
        self._on_progress, self._is_cancelled = on_progress, is_cancelled
        self._begun_s = time.monotonic()
        self._part = (0.0, 1.0)
        self._what, self._told = NO_WORDS, 0.0
        self._query: tuple[float, float] | None = (
            None  # range of the present statement as a part of the whole work
        )
        self._telling = threading.Lock()
        self.tres: Mapping[str, str] = {}
        """Resources that the user named for a cluster's numbers: `gres/gpu:a100` by `1002`."""
        self.years: Sequence[int] = ()
        self.open_ended: OpenEnded = False
        """years: for logs without years, if the user chose them. open_ended: rows without end or start to keep."""

    def run(self, sql: str, parameters: list[Any] | None = None, *, upto: float | None = None) -> int:
        """Run a statement. Returns the number of rows written, or 0 if it reports none.

        upto: share of the work done after it, for `progress`. Errors: Cancelled, as for `check`.
        """
        self.check()
        if upto is not None:
            self._query = (self._told, self._of_whole(upto))
        try:
            said = self.connection.execute(sql, parameters).fetchone()
        finally:
            self._query = None
        if upto is not None:
            self._tell(self._what, self._of_whole(upto))
        return said[0] if said and isinstance(said[0], int) else 0

    @contextmanager
    def in_any_order(self) -> Iterator[None]:
        """Allow rows to be written in any order within this context, which is faster; rows must be numbered.

        A few rows are written by one thread, in order.
        """
        if self.once == "table":
            yield
            return
        self.connection.execute("set preserve_insertion_order = false")
        try:
            yield
        finally:
            self.connection.execute("set preserve_insertion_order = true")

    def all(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Return all rows of a query, for small results. Errors: Cancelled, as for `check`."""
        self.check()
        return self.connection.execute(sql, parameters).fetchall()

    def one(self, sql: str, parameters: list[Any] | None = None) -> tuple[Any, ...]:
        """Return the only row of a query; any other number of rows is a programming error."""
        rows = self.all(sql, parameters)
        assert len(rows) == 1
        return rows[0]

    def columns(self, sql: str) -> dict[str, Any]:
        """Return a query's columns as numpy arrays; a column with nulls is a masked array."""
        self.check()
        return self.connection.execute(sql).fetchnumpy()

    def numbers(self, sql: str, count: int) -> "Ints":
        """Return the only column of a query as whole numbers, without a second copy.

        count: its rows. Shape (count,), int64; without nulls.
        """
        import numpy as np

        found = np.empty(count, dtype=np.int64)
        place = 0
        for (numbers,) in self.batches(sql, count):
            found[place : place + len(numbers)] = numbers
            place += len(numbers)
        assert place == count
        return found

    def batches(self, sql: str, at_most: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield a query's columns as numpy arrays, some rows at a time; without nulls.

        at_most: upper bound of the rows, if known: few are returned at once, without importing Arrow and pandas.
        """
        if at_most is not None and at_most <= _ROWS_AT_ONCE:
            yield tuple(self.columns(sql).values())
            return
        self.check()
        with closing(self.connection.execute(sql).to_arrow_reader(_ROWS_AT_ONCE)) as batches:
            for batch in batches:
                self.check()
                yield tuple(column.to_numpy() for column in batch.columns)

    def keep(self, table: str, columns: dict[str, list[Any]], types: dict[str, str]) -> None:
        """Create a small table from Python lists of equal length; replaces one with the same name. types: DuckDB's, by
        column.

        The lists are passed as JSON texts, because for parameters and for arrays of texts the engine imports pandas,
        which takes longer than reading a small log.
        """
        self.check()
        lists = {
            name: json.dumps([None if value is None else str(value) for value in columns[name]])
            for name in types
        }
        unpacked = ", ".join(
            f'unnest(cast(from_json({sql_text(lists[name])}, \'["varchar"]\') as {kind}[])) as "{name}"'
            for name, kind in types.items()
        )
        self.connection.execute(f'create or replace table "{table}" as select {unpacked}')

    def keep_numbers(self, table: str, columns: "dict[str, Ints]") -> None:
        """Create a view of columns of whole numbers, of any equal length, without copying."""
        self.check()
        self.connection.register(table, columns)

    def check(self) -> None:
        """Stop if requested. Errors: Cancelled if the user cancelled; KeyboardInterrupt if the process ends."""
        if termination.is_end_asked():
            raise KeyboardInterrupt
        if self._is_cancelled is not None and self._is_cancelled():
            raise Cancelled

    def progress(self, message: Message, share: float) -> None:
        """Report progress; also a place to stop, see `check`.

        message: the step in words. share: of the present part, 0..1.
        """
        self.check()
        self._tell(message, self._of_whole(share))

    @contextmanager
    def part(self, begin: float, end: float) -> Iterator[None]:
        """Map reported shares to a part of the work within this context: 0 is begin, 1 is end.

        Parts may be nested; shares refer to the innermost.
        """
        before = self._part
        self._part = (self._of_whole(begin), self._of_whole(end))
        try:
            yield
        finally:
            self._part = before

    def watch(self, done: threading.Event) -> None:
        """Watch in a separate thread: interrupt the present statement on cancellation, and report its progress.

        done: set when the work is over.
        """
        while not done.wait(_POLL_S):
            if self._is_cancelled is not None and self._is_cancelled():
                self.connection.interrupt()
            query, percent = self._query, self.connection.query_progress()
            if query is not None and percent > 0:
                self._tell(self._what, query[0] + (query[1] - query[0]) * percent / 100)

    def _of_whole(self, share: float) -> float:
        """Return a share of the present part as a share of the whole work."""
        begin, end = self._part
        return begin + (end - begin) * share

    def _tell(self, message: Message, share: float) -> None:
        """Report a step and the share done, which never falls although two threads report."""
        with self._telling:
            self._what, self._told = message, min(1.0, max(share, self._told))
            if self._on_progress is not None:
                elapsed_s = time.monotonic() - self._begun_s
                self._on_progress(self._told, with_time_left(message, self._told, elapsed_s))


def sql_text(value: object) -> str:
    """Return a value as SQL: null or a text, which the statement casts.

    >>> sql_text("it's"), sql_text(None), sql_text(5)
    ("'it''s'", 'null', "'5'")
    """
    if value is None:
        return "null"
    return "'" + str(value).replace("'", "''").replace("\0", "'||chr(0)||'") + "'"


def with_time_left(message: Message, share: float, elapsed_s: float) -> Message:
    """Return a step in words and, after a few seconds, the estimated time left.

    share: done so far, 0..1. elapsed_s: seconds.

    >>> str(with_time_left("Reading jobs.csv", 0.25, 10.0))
    'Reading jobs.csv, about 30 s left'
    """
    if elapsed_s <= _ESTIMATE_AFTER_S or not 0 < share < 1:
        return message
    return worded(
        "{what}, about {seconds} s left",
        what=message,
        seconds=whole(max(1, round(elapsed_s * (1 - share) / share))),
    )


def uncountable() -> PlannerError:
    """Return the error for sums beyond 64 bits."""
    problem = worded("too much GPU time to count")
    return PlannerError("jobs", "bad_number", problem, worded("check for far too large GPU counts or times"))


@contextmanager
def open_engine(
    *,
    size_bytes: int = 0,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Iterator[Engine]:
    """Open an engine with its own folder, removed afterwards; use in `with`. size_bytes: of the files to read.

    Errors: Cancelled within half a second of is_cancelled() returning True, even during a query; PlannerError for
    faults of the engine.
    """
    import duckdb

    room = own_folder.OwnFolder()
    folder = room.path
    try:
        connection = _connected(folder, size_bytes)
    except BaseException:
        room.close()
        raise
    engine = Engine(
        connection=connection,
        folder=folder,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
        is_small=size_bytes <= _SMALL_BYTES,
    )
    done = threading.Event()
    watch = threading.Thread(target=engine.watch, args=(done,), daemon=True)
    if on_progress is not None:
        connection.execute(
            "set enable_progress_bar = true; set progress_bar_time = 0"
        )  # otherwise it does not count
    if on_progress is not None or is_cancelled is not None:
        watch.start()
    is_stopped = False
    try:
        yield engine
    except Cancelled:
        is_stopped = True
        raise
    except duckdb.InterruptException as stopped:
        is_stopped = True
        raise Cancelled from stopped
    except (duckdb.Error, MemoryError) as fault:
        raise _in_words(fault, folder) from fault
    except RuntimeError as stopped:  # DuckDB's error for Ctrl-C during a query
        if str(stopped) == "Query interrupted":
            raise KeyboardInterrupt from stopped
        raise
    finally:
        done.set()
        if watch.is_alive():
            watch.join()
        if is_stopped:  # a cancelled user does not wait until gigabytes are released
            threading.Thread(target=throw_away, args=(connection, room), name="gpuplanner-cleaning").start()
        else:
            throw_away(connection, room)


def _in_words(fault: Exception, folder: Path) -> PlannerError:
    """Return an engine's error in words for the user. folder: of the engine."""
    import duckdb

    if isinstance(fault, duckdb.OutOfRangeException | duckdb.ConversionException):
        return uncountable()
    is_of_disk = memory.is_want_of_disk(fault)
    is_of_memory = isinstance(fault, duckdb.OutOfMemoryException | MemoryError) and not is_of_disk
    if is_of_memory or memory.is_want_of_memory(fault):
        return memory.want_of_memory()
    if is_of_disk or isinstance(fault, duckdb.IOException):
        problem = worded("disk full for temporary files, or read-only")
        return output_file.unreadable(folder, problem, worded("free some gigabytes, and retry"))
    # unforeseen, but still one line, and no partly written file is left
    problem = worded("engine failure ({value})", value=(str(fault).splitlines() or [""])[0][:160])
    remedy = worded("try fewer files, and report this error with its file")
    return output_file.unreadable("jobs", problem, remedy)


def quiet_connection(
    place: str = ":memory:", config: Mapping[str, str] | None = None
) -> "duckdb.DuckDBPyConnection":
    """Open a connection without DuckDB's own progress bar on the terminal."""
    import duckdb

    connection = duckdb.connect(place, config=dict(config or {}))
    connection.execute("set enable_progress_bar_print = false")
    return connection


def _connected(folder: Path, size_bytes: int) -> "duckdb.DuckDBPyConnection":
    """Open a connection that keeps large work on disk, in a folder."""
    connection = quiet_connection(
        str(folder / "work.duckdb") if size_bytes > _ON_DISK_ABOVE_BYTES else ":memory:",
        {
            "temp_directory": str(folder / "spill"),
            "memory_limit": f"{memory.engine_mb()}MB",
            "autoinstall_known_extensions": "false",  # works without a network
            "autoload_known_extensions": "false",
            "enable_external_file_cache": "false",  # the system caches files; a name may later mean another file
            "force_compression": "uncompressed",  # tables exist for a minute
            **({"threads": "1"} if size_bytes <= _ALONE_BYTES else {}),
            **({"disabled_optimizers": _NO_GAIN} if size_bytes <= _SMALL_BYTES else {}),
        },
    )
    connection.execute("set timezone = 'UTC'")
    return connection


def throw_away(connection: "duckdb.DuckDBPyConnection", room: own_folder.OwnFolder) -> None:
    """Close an engine and remove its folder."""
    connection.interrupt()  # closing waits for running work, which after Ctrl-C may take hours
    connection.close()
    room.close()
