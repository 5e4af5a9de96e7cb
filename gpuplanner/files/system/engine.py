"""The embedded engine: one DuckDB connection for one piece of work, out of core, with progress and cancel."""

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
from gpuplanner.files.system import process
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.own_folder import OwnFolder

if TYPE_CHECKING:
    import duckdb

    from gpuplanner.domain.arrays import Ints

OpenEnded = bool | Literal["both"]
"""Whether rows without an end, or without a start, are kept; or also those without both."""

Progress = Callable[[float, Text], None]
"""Called with what is being done and how much of the whole is done, 0..1."""

_ON_DISK_ABOVE_BYTES: Final = 256 * 2**20
_POLL_S: Final = 0.05
_ESTIMATE_AFTER_S: Final = 3.0
_ROWS_AT_ONCE: Final = 2**18
_SMALL_BYTES: Final = 2**18  # to keep what is read of so little costs nothing
_ALONE_BYTES: Final = 2**24  # some 150,000 rows of text, shared out by 122,880: a second thread only waits
_NO_GAIN: Final = (
    "expression_rewriter,common_subexpressions,column_lifetime,compressed_materialization,reorder_filter"
)
"""Steps of the optimizer that take longer on a few rows than they save; every version that may be here has them."""


class Engine:
    """A DuckDB connection that stops when asked to. Use `open_engine`."""

    def __init__(
        self,
        connection: "duckdb.DuckDBPyConnection",
        folder: Path,
        on_progress: Progress | None,
        is_cancelled: Callable[[], bool] | None,
        is_small: bool,
    ) -> None:
        """is_small: what several queries ask for is worked out once; of large files it is too much to keep."""
        self.connection, self.folder, self.once = connection, folder, "table" if is_small else "view"
        self._on_progress, self._is_cancelled = on_progress, is_cancelled
        self._begun_s = time.monotonic()
        self._part = (0.0, 1.0)
        self._what, self._told = NO_WORDS, 0.0
        self._query: tuple[float, float] | None = (
            None  # from where to where the statement of now takes the work
        )
        self._telling = threading.Lock()
        self.tres: Mapping[str, str] = {}
        """What the planner said of resources that a cluster numbers: `gres/gpu:a100` by `1002`."""
        self.years: Sequence[int] = ()
        self.open_ended: OpenEnded = False
        """Those that the planner asked for, for logs that leave theirs out; none where nobody said."""

    def run(self, sql: str, parameters: list[Any] | None = None, *, upto: float | None = None) -> int:
        """Run a statement for what it does; returns how many rows it wrote, where it is one that says so.

        upto: the share of the work that is done after it, for `progress`.
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
        """For a while, rows may be written in any order: that is faster, and no matter where they are numbered.

        A few rows are written by one thread, in their order.
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
        """Every row of a query; for small answers only.

        Errors: Cancelled, as `check`.
        """
        self.check()
        return self.connection.execute(sql, parameters).fetchall()

    def one(self, sql: str, parameters: list[Any] | None = None) -> tuple[Any, ...]:
        """The only row of a query.

        A query of any other number of rows is a programmer's mistake.
        """
        rows = self.all(sql, parameters)
        assert len(rows) == 1
        return rows[0]

    def columns(self, sql: str) -> dict[str, Any]:
        """A query's columns as numpy arrays.

        A column with nulls comes as a masked array.
        """
        self.check()
        return self.connection.execute(sql).fetchnumpy()

    def numbers(self, sql: str, count: int) -> "Ints":
        """The only column of a query of that many rows, whole numbers all, without a second copy of them.

        Shape (count,), int64; no value may be null.
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
        """A query's columns as numpy arrays, some rows at a time; none of them may be null.

        at_most: how many rows there may be, where that is known: few come at once, without importing Arrow and pandas.
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
        """A small table made from Python lists of the same length. types: DuckDB's, by column.

        A table of that name is replaced. The lists are written out as JSON of texts: for values beside a statement,
        and for arrays of texts, the engine imports pandas, which takes longer than to read a small log.
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
        """A view of columns of whole numbers, of the same length, as they are. As `keep`, of any length."""
        self.check()
        self.connection.register(table, columns)

    def check(self) -> None:
        """Errors: Cancelled where the planner has asked to stop; KeyboardInterrupt where the process is to end."""
        if process.is_end_asked():
            raise KeyboardInterrupt
        if self._is_cancelled is not None and self._is_cancelled():
            raise Cancelled

    def progress(self, message: Message, share: float) -> None:
        """Tell how far the work is; also a place to stop.

        message: the step in words; share: of the part at hand, 0 to 1.
        """
        self.check()
        self._tell(message, self._of_whole(share))

    @contextmanager
    def part(self, begin: float, end: float) -> Iterator[None]:
        """For a while, the shares told are of this part of the work: 0 is begin, 1 is end.

        Parts may be inside parts; shares are of the innermost.
        """
        before = self._part
        self._part = (self._of_whole(begin), self._of_whole(end))
        try:
            yield
        finally:
            self._part = before

    def watch(self, done: threading.Event) -> None:
        """In a thread of its own: stop the statement of now when asked to, tell how far it is.

        done: set once the work is over.
        """
        while not done.wait(_POLL_S):
            if self._is_cancelled is not None and self._is_cancelled():
                self.connection.interrupt()
            query, percent = self._query, self.connection.query_progress()
            if query is not None and percent > 0:
                self._tell(self._what, query[0] + (query[1] - query[0]) * percent / 100)

    def _of_whole(self, share: float) -> float:
        """A share of the step at hand as one of the whole work."""
        begin, end = self._part
        return begin + (end - begin) * share

    def _tell(self, message: Message, share: float) -> None:
        """Reports what is done and the share of it; that never falls, though reports come from two threads."""
        with self._telling:
            self._what, self._told = message, min(1.0, max(share, self._told))
            if self._on_progress is not None:
                elapsed_s = time.monotonic() - self._begun_s
                self._on_progress(self._told, with_time_left(message, self._told, elapsed_s))


def sql_text(value: object) -> str:
    """A value as SQL has it: null, or a text, which whoever casts it takes for what it is.

    >>> sql_text("it's"), sql_text(None), sql_text(5)
    ("'it''s'", 'null', "'5'")
    """
    if value is None:
        return "null"
    return "'" + str(value).replace("'", "''").replace("\0", "'||chr(0)||'") + "'"


def with_time_left(message: Message, share: float, elapsed_s: float) -> Message:
    """What is being done and, once a few seconds have passed, how long the rest may take.

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
    """What is wrong with sums that no 64 bits hold."""
    problem = worded("the GPU time of all jobs is too large to count")
    return PlannerError(
        "jobs", "bad_number", problem, worded("check for a GPU count or time that is far too large")
    )


@contextmanager
def open_engine(
    *,
    size_bytes: int = 0,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Iterator[Engine]:
    """An engine with a folder of its own, which is gone afterwards. size_bytes: of the files to be read.

    Errors: Cancelled within half a second of is_cancelled() turning true, also in the middle of a query.
    """
    import duckdb

    room = OwnFolder()
    folder = room.path
    try:
        connection = _connected(folder, size_bytes)
    except BaseException:
        room.close()
        raise
    engine = Engine(connection, folder, on_progress, is_cancelled, size_bytes <= _SMALL_BYTES)
    done = threading.Event()
    watch = threading.Thread(target=engine.watch, args=(done,), daemon=True)
    if on_progress is not None:
        connection.execute(
            "set enable_progress_bar = true; set progress_bar_time = 0"
        )  # or it does not count
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
    except RuntimeError as stopped:  # what DuckDB makes of Ctrl-C in the middle of a query
        if str(stopped) == "Query interrupted":
            raise KeyboardInterrupt from stopped
        raise
    finally:
        done.set()
        if watch.is_alive():
            watch.join()
        if is_stopped:  # who stopped it does not wait until gigabytes are given back
            threading.Thread(target=_throw_away, args=(connection, room), name="gpuplanner-cleaning").start()
        else:
            _throw_away(connection, room)


def _in_words(fault: Exception, folder: Path) -> PlannerError:
    """What an error of the engine says to a planner; folder: of the engine."""
    import duckdb

    if isinstance(fault, duckdb.OutOfRangeException | duckdb.ConversionException):
        return uncountable()
    is_of_disk = process.is_want_of_disk(fault)
    is_of_memory = isinstance(fault, duckdb.OutOfMemoryException | MemoryError) and not is_of_disk
    if is_of_memory or process.is_want_of_memory(fault):
        return process.want_of_memory()
    if is_of_disk or isinstance(fault, duckdb.IOException):
        problem = worded("not enough disk space for temporary files, or the disk is read-only")
        return unreadable(folder, problem, worded("free some gigabytes and try again"))
    # nobody foresaw it; still one line, and no file is left half written
    problem = worded("the engine failed ({value})", value=(str(fault).splitlines() or [""])[0][:160])
    remedy = worded("try fewer files; report this error with the file that caused it")
    return unreadable("jobs", problem, remedy)


def quiet_connection(
    place: str = ":memory:", config: Mapping[str, str] | None = None
) -> "duckdb.DuckDBPyConnection":
    """A connection that draws nothing on the terminal, where it would put a bar of its own among our lines."""
    import duckdb

    connection = duckdb.connect(place, config=dict(config or {}))
    connection.execute("set enable_progress_bar_print = false")
    return connection


def _connected(folder: Path, size_bytes: int) -> "duckdb.DuckDBPyConnection":
    """A connection that works beside the disk, in a folder."""
    connection = quiet_connection(
        str(folder / "work.duckdb") if size_bytes > _ON_DISK_ABOVE_BYTES else ":memory:",
        {
            "temp_directory": str(folder / "spill"),
            "memory_limit": f"{process.engine_mb()}MB",
            "autoinstall_known_extensions": "false",  # everything works without a network
            "autoload_known_extensions": "false",
            "enable_external_file_cache": "false",  # the system keeps files; a name may come to hold another one
            "force_compression": "uncompressed",  # tables that live for a minute
            **({"threads": "1"} if size_bytes <= _ALONE_BYTES else {}),
            **({"disabled_optimizers": _NO_GAIN} if size_bytes <= _SMALL_BYTES else {}),
        },
    )
    connection.execute("set timezone = 'UTC'")
    return connection


def _throw_away(connection: "duckdb.DuckDBPyConnection", room: OwnFolder) -> None:
    """Close an engine and remove its folder."""
    connection.interrupt()  # closing waits for what is still running: after Ctrl-C that may be hours
    connection.close()
    room.close()
