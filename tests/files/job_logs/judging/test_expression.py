"""The SQL that both engines run beside a plain reading of it, row by row."""

import random
from collections import defaultdict
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.importing.log_choices import LogChoice, ReadOptions
from gpuplanner.files.importing.windowed_jobs import rewindow
from gpuplanner.files.job_logs.judging.expression import (
    ACCEPTED,
    clipped_jobs,
    find_duplicates,
    hourly_steps,
    repeated_rows,
)
from gpuplanner.files.job_logs.judging.job_store import KINDS, STATES, add_jobs, create_jobs
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.row_ends import codes
from tests.some_of import some_of

Row = dict[str, object]

INTEGERS = ("file", "line", "start_s", "end_s", "finality", "milli_gpus", "workload", "gpu_model")
KINDS_OF = dict.fromkeys(INTEGERS, pa.int64()) | dict.fromkeys(("cluster", "job_id"), pa.string())
SCHEMA = pa.schema(KINDS_OF | {"is_running": pa.bool_()})


def made_rows(seed: int, count: int = 120) -> list[Row]:
    """Rows with repeats, jobs that run on, jobs of no length and jobs around the edges of the window."""
    chance = random.Random(seed)
    rows: list[Row] = []
    for line in range(count):
        start = chance.randrange(-3, 30) * 1800 + chance.choice((0, 0, 7))
        running = chance.random() < 0.15
        lasts = chance.choice((0, 60, 3600, 7201, 50_000))
        end = None if running and chance.random() < 0.5 else start + lasts
        row: Row = {"file": chance.randrange(2), "line": line, "cluster": chance.choice(("a", "b"))}
        row |= {"job_id": chance.choice((None, "1", "2", "3", "4")), "start_s": start, "end_s": end}
        row |= {"is_running": running, "finality": chance.randrange(3), "workload": chance.randrange(3)}
        row |= {"milli_gpus": chance.choice((0, 500, 1000, 8000)), "gpu_model": chance.randrange(-1, 2)}
        rows.append(row)
    return rows


def plain_demand(rows: list[Row], window: Window) -> dict[tuple[object, ...], int]:
    """Milli-GPU-seconds by workload, model and hour, second by second of thought and none of cleverness."""
    best: dict[tuple[object, ...], Row] = {}
    for row in rows:
        key = (row["cluster"], row["job_id"], row["start_s"]) if row["job_id"] else (row["file"], row["line"])
        known = best.get(key)
        if known is None or _merit(row) < _merit(known):
            best[key] = row
    demand: dict[tuple[object, ...], int] = defaultdict(int)
    for row in best.values():
        start, end, milli = row["start_s"], row["end_s"], row["milli_gpus"]
        stop = window.end_s if end is None else end
        for hour in range(window.hours):
            low = window.start_s + hour * HOUR_S
            seconds = min(stop, low + HOUR_S) - max(start, low)
            if seconds > 0 and milli:
                demand[row["workload"], row["gpu_model"], hour] += seconds * milli
    return dict(demand)


def _merit(row: Row) -> tuple[object, ...]:
    end = row["end_s"]
    finality, running = row["finality"], row["is_running"]
    return (running, -end if isinstance(end, int) else float("inf"), -finality, row["file"], row["line"])


def demand_of(steps: list[tuple[int, int, int, int, int]], hours: int) -> dict[tuple[object, ...], int]:
    """Steps (workload, gpu_model, at_s, rate, amount) as amounts by hour."""
    by_row = defaultdict(dict)
    for workload, model, at_s, rate, offset in steps:
        by_row[workload, model][at_s // HOUR_S] = (rate, offset)
    demand: dict[tuple[object, ...], int] = {}
    for (workload, model), changes in by_row.items():
        level = 0
        for hour in range(hours):
            rate, offset = changes.get(hour, (0, 0))
            level += rate
            if level * HOUR_S + offset:
                demand[workload, model, hour] = level * HOUR_S + offset
    return demand


@pytest.mark.parametrize("seed", some_of(range(8), quick=1))
def test_the_sql_counts_as_you_would_by_hand(tmp_path: Path, seed: int) -> None:
    rows, window = made_rows(seed), Window(2 * HOUR_S, 9)
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), tmp_path / "typed.parquet")
    typed = f"read_parquet('{tmp_path / 'typed.parquet'}')"
    jobs = f"(select * from {typed} anti join ({repeated_rows(typed)}) using (file, line))"
    with duckdb.connect() as connection:
        steps = connection.execute(hourly_steps(f"({clipped_jobs(jobs, window)})")).fetchall()
    assert demand_of(steps, window.hours) == plain_demand(rows, window)


# --- Duplicates: one run of one job of one cluster counts once, whichever rows tell of it

Row_of_duplicates = tuple[str, str | None, int, int | None, bool, int]
"""cluster, job_id, start_s, end_s, is_running, finality"""

KEPT: tuple[Row_of_duplicates, ...] = (
    ("a", "1", 0, 50, False, 2),
    ("a", "1", 7, 20, False, 1),  # requeued: the same id, another start
    ("b", "1", 0, 20, False, 1),  # another cluster's job of that id and start
    ("b", "2", 0, 20, False, 1),
    ("a", None, 0, 50, False, 2),
    ("a", None, 0, 50, False, 2),
)
LOST: tuple[Row_of_duplicates, ...] = (
    ("a", "1", 0, 40, False, 2),  # an earlier end
    ("a", "1", 0, 50, False, 1),  # a state that is less final
    ("a", "1", 0, None, True, 0),
    ("a", "1", 0, 99, True, 0),  # still running
    ("a", "1", 7, 10, False, 1),
    ("b", "1", 0, 10, False, 1),
    ("b", "2", 0, 10, False, 1),
)


def kept(rows: tuple[Row_of_duplicates, ...]) -> list[Row_of_duplicates]:
    with open_engine() as engine:
        create_jobs(engine)
        clusters = sorted({row[0] for row in rows})
        for kind, cluster in enumerate(clusters):
            engine.run(f"insert into {KINDS} (kind, cluster) values (?, ?)", [kind, cluster])
        for finality in range(3):
            engine.run(f"insert into {STATES} values (?, '', ?)", [finality + 1, finality])
        kinds = {"line": "int", "kind": "int", "job_id": "varchar", "start_s": "int", "end_s": "int"}
        kinds |= {"is_running": "boolean", "state_id": "int"}
        told = [(line, clusters.index(row[0]), *row[1:5], row[5] + 1) for line, row in enumerate(rows)]
        engine.keep("told", dict(zip(kinds, map(list, zip(*told, strict=True)), strict=True)), kinds)
        nothing = "0 as file, 0 as code, 0 as flags, 0 as name_id, 0 as model_id"
        add_jobs(engine, f"select *, {nothing}, 1000 as milli_gpus, 1 as nodes from told")
        find_duplicates(engine)
        found = "cluster, job_id, start_s, end_s, is_running, state_id - 1"
        return engine.all(f"select {found} from {ACCEPTED} join {KINDS} using (kind)")


def in_order(rows: object) -> list[str]:
    return sorted(map(str, rows))  # type: ignore[call-overload]


@pytest.mark.long
def test_what_stays_is_the_same_in_every_order_of_the_rows() -> None:
    for first in range(0, 13, 4):
        rows = (KEPT + LOST)[first:] + (KEPT + LOST)[:first]
        assert in_order(kept(rows)) == in_order(KEPT)
        assert in_order(kept(rows[::-1])) == in_order(KEPT)


@pytest.mark.long
def test_each_reason_for_itself() -> None:
    for lost in LOST:
        (winner,) = [row for row in KEPT if row[:3] == lost[:3]]
        for rows in permutations((lost, winner)):
            assert kept(rows) == [winner]


def test_of_rows_that_are_alike_the_first_is_kept(
    read_log: Callable[..., ReadResult], job_csv: Callable[..., str]
) -> None:
    row = ("1", 1, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "COMPLETED")
    assert _ends(read_log(job_csv(row, row), job_csv(row))) == [(2, 1, 1), (1, 0, 1)]


ALIKE = (
    "job_id,gpus,start,end,name\n"
    ",1,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,a\n"
    ",1,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,a\n"
    ",1,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,b\n"  # another name
    "7,1,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,a\n"  # it has an id
)


def _twice(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path in paths:
        path.write_text(ALIKE, encoding="utf-8")
    return [str(path) for path in paths]


def _ends(read: object) -> list[tuple[int, int, int]]:
    return [(f.rows_read, f.rows_accepted, f.rows_duplicate) for f in read.intake]  # type: ignore[attr-defined]


def _alike(read: object) -> list[int]:
    counts = [codes(file).get("possible_duplicate") for file in read.intake]  # type: ignore[attr-defined]
    return [*filter(None, counts)]


@pytest.mark.long
def test_rows_that_are_alike_are_dropped_where_that_was_said_and_counted_where_not(tmp_path: Path) -> None:
    paths = _twice(tmp_path)
    kept = import_jobs(paths)
    assert _ends(kept) == [(4, 4, 0), (4, 3, 1)] and _alike(kept) == [1, 3]
    dropped = import_jobs(paths, options=ReadOptions(drops_alike=True))
    assert _ends(dropped) == [(4, 3, 1), (4, 0, 4)] and not _alike(dropped)
    assert (kept.jobs.gpu_hours, dropped.jobs.gpu_hours) == (70.0, 30.0)
    of_first = import_jobs(paths, options=ReadOptions(choices={paths[0]: LogChoice(drops_alike=True)}))
    assert _ends(of_first) == [(4, 3, 1), (4, 3, 1)] and _alike(of_first) == [3]


@pytest.mark.long
def test_what_was_dropped_stays_so_in_another_window(tmp_path: Path) -> None:
    read = import_jobs(_twice(tmp_path), options=ReadOptions(drops_alike=True), rows_dir=tmp_path)
    start_s = read.window.start_s
    again = rewindow(tmp_path, read.jobs, read.intake, WindowRequest(start_s, start_s + 5 * 3600))
    assert again.jobs.gpu_hours == 15.0 and _ends(again) == _ends(read)
