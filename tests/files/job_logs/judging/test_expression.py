"""The one expression beside a plain reading of it, row by row."""

import random
from collections import defaultdict
from pathlib import Path

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.job_logs.judging.expression import demand_steps
from tests.some_of import some_of

Row = dict[str, object]

SCHEMA = pa.schema(
    [
        *((name, pa.int64()) for name in ("file", "line")),
        *((name, pa.string()) for name in ("cluster", "job_id")),
        *((name, pa.int64()) for name in ("start_s", "end_s")),
        ("is_running", pa.bool_()),
        *((name, pa.int64()) for name in ("finality", "milli_gpus", "workload", "gpu_model")),
    ]
)


def made_rows(seed: int, count: int = 120) -> list[Row]:
    """Rows with repeats, jobs that run on, jobs of no length and jobs around the edges of the window."""
    chance = random.Random(seed)
    rows: list[Row] = []
    for line in range(count):
        start = chance.randrange(-3, 30) * 1800 + chance.choice((0, 0, 7))
        running = chance.random() < 0.15
        end = (
            None if running and chance.random() < 0.5 else start + chance.choice((0, 60, 3600, 7201, 50_000))
        )
        rows.append(
            {
                "file": chance.randrange(2),
                "line": line,
                "cluster": chance.choice(("a", "b")),
                "job_id": chance.choice((None, "1", "2", "3", "4")),
                "start_s": start,
                "end_s": end,
                "is_running": running,
                "finality": chance.randrange(3),
                "milli_gpus": chance.choice((0, 500, 1000, 8000)),
                "workload": chance.randrange(3),
                "gpu_model": chance.randrange(-1, 2),
            }
        )
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
        assert isinstance(start, int) and isinstance(milli, int) and (end is None or isinstance(end, int))
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
    assert isinstance(finality, int)
    return (running, -end if isinstance(end, int) else float("inf"), -finality, row["file"], row["line"])


def demand_of(steps: list[tuple[int, int, int, int, int]], hours: int) -> dict[tuple[object, ...], int]:
    """Steps (workload, gpu_model, at_s, rate, offset) as amounts by hour."""
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


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.parametrize("seed", some_of(range(8), quick=1))
def test_every_engine_counts_as_one_would_by_hand(tmp_path: Path, engine: str, seed: int) -> None:
    pytest.importorskip(engine)
    rows, window = made_rows(seed), Window(2 * HOUR_S, 9)
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), tmp_path / "typed.parquet")
    backend = getattr(ibis, engine).connect()
    steps = backend.to_pyarrow(demand_steps(backend.read_parquet(tmp_path / "typed.parquet"), window))
    columns = [steps[name].to_pylist() for name in ("workload", "gpu_model", "at_s", "rate", "offset")]
    found = demand_of(list(zip(*columns, strict=True)), window.hours)
    assert found == plain_demand(rows, window)
