"""An import, timed: cube and whole import of a large log beside one scan of it that touches every mapped column.

Run: python tests/benchmarks/bench_import.py [--rows 10000000] [--folder DIR] [--keep] [--repeat 1]
Each figure is of a process of its own, scan and work by turns, so that they meet the same machine. Prints times,
processor times, ratios, peak memory (of Spark: without Java's own), and the hash of the cube by each engine; asserts
nothing of time.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

ROWS: Final = 10_000_000
PANDAS_ROWS_AT_MOST: Final = 2_000_000  # it keeps all texts in memory
DAYS: Final = 90
COLUMNS: Final = (
    "job_id", "cluster", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state",
)  # fmt: skip


# --- The log ------------------------------------------------------------------------------------

LOG = Path(__file__).with_name("import_log.sql")
"""The query for the rows of a log."""


def write_log(folder: Path, rows: int) -> None:
    """log.csv and log.parquet: 3,000 workloads of very different size, runs in order of time, one row of 50 again."""
    import duckdb

    log = LOG.read_text(encoding="utf-8").format(rows=rows, seconds=DAYS * 86400)
    with duckdb.connect() as engine:
        engine.execute("set timezone = 'UTC'")
        engine.execute("set memory_limit = '1GB'")
        engine.execute("create macro chance(run, number) as cast(hash(run, number) // 2 as bigint)")
        engine.execute(f"copy ({log}) to '{folder}/log.csv' (format csv, header)")
        engine.execute(f"copy ({log}) to '{folder}/log.parquet' (format parquet)")


# --- What is timed, each in a process of its own ------------------------------------------------


def scan(path: Path) -> Any:
    """One query that reads the file and touches every mapped column as text."""
    from gpuplanner.files.system.engine import open_engine

    touched = ", ".join(f'sum(length("{column}"))' for column in COLUMNS)
    types = "{" + ", ".join(f"'{column}': 'VARCHAR'" for column in COLUMNS) + "}"
    source = (
        f"read_csv('{path}', auto_detect=false, header=true, delim=',', quote='\"', escape='\"', columns={types})"
        if path.suffix == ".csv"
        else f"read_parquet('{path}')"
    )
    with open_engine(size_bytes=path.stat().st_size) as engine:
        begin = _now()
        engine.one(f"select {touched} from {source}")
        return _since(begin)


def cube(path: Path) -> Any:
    """From the file to the cube, repeats dropped; nothing kept, nothing else counted."""
    import pandas  # noqa: F401

    from gpuplanner.files.job_logs.judging.expression import find_duplicates
    from gpuplanner.files.job_logs.judging.job_store import create_jobs
    from gpuplanner.files.job_logs.judging.row_validation import judge_rows
    from gpuplanner.files.job_logs.recognisers import DIALECTS
    from gpuplanner.files.job_logs.reduce.job_rows import name_workloads
    from gpuplanner.files.sources.source import survey
    from gpuplanner.files.system.engine import open_engine

    source = survey(str(path))
    with open_engine(size_bytes=source.size) as engine:
        begin = _now()
        create_jobs(engine)
        judge_rows(engine, DIALECTS[0].rows(source, engine, "log"), 0, None)
        find_duplicates(engine)
        name_workloads(engine)
        found = _demand_cube(engine, _window())
        return _since(begin) | {"gpu_hours": found.total / 3_600_000}


def _demand_cube(engine: Any, window: Any) -> Any:
    """Only the cube of the jobs just read; its workloads are those with demand, in the order of their numbers."""
    import numpy as np

    from gpuplanner.files.job_logs.judging.expression import ACCEPTED, clipped_jobs
    from gpuplanner.files.job_logs.judging.job_store import MODELS
    from gpuplanner.files.job_logs.reduce.busy_jobs import cube_of_jobs, read_busy_jobs, steps_of
    from gpuplanner.files.job_logs.reduce.reduction import cube_of_steps, read_hourly_steps

    texts = sorted(engine.all(f"select text, id from {MODELS}"))
    engine.keep(
        "model_places",
        {"gpu_model": [number for _, number in texts] + [-1], "place": [*range(len(texts)), -1]},
        {"gpu_model": "bigint", "place": "int"},
    )
    engine.run(
        f"""create or replace view job_numbers as
        select w.workload, coalesce(j.model_id, -1)::bigint as gpu_model, j.milli_gpus, j.start_s, j.end_s
        from {ACCEPTED} j join named_kinds k using (kind) join folded_names n on n.id = j.name_id
        join workloads w on w.base = k.base and w.fold = n.fold"""
    )
    engine.run(
        f"""create or replace view clipped_jobs as select c.* replace (p.place as gpu_model)
        from ({clipped_jobs("job_numbers", window)}) c join model_places p using (gpu_model)"""
    )
    (count, most) = engine.one(f"select count(*), coalesce(max(milli_gpus), 0) from {ACCEPTED}")
    busy = read_busy_jobs(engine, "clipped_jobs", window, at_most=count, most_milli_gpus=most, longest_s=None)
    gpu_models = tuple(text for text, _ in texts)
    cube = cube_of_jobs(busy, window.hours, gpu_models)
    if cube is None:
        steps = steps_of(busy) or read_hourly_steps(engine, "clipped_jobs")
        cube = cube_of_steps(window.hours, gpu_models, np.unique(steps["workload"]), steps)
    used = np.unique(cube.model_index[cube.model_index >= 0])
    places = np.append(np.searchsorted(used, np.arange(len(texts))), -1)  # the last place is that of -1
    return replace(
        cube, gpu_models=tuple(gpu_models[place] for place in used), model_index=places[cube.model_index]
    )


def whole(path: Path) -> Any:
    """All of `reduce`: survey, rows, repeats, Parquet, facts, exact peak, cube."""
    import pandas  # noqa: F401

    from gpuplanner.files.export.cube_file import cube_sha256
    from gpuplanner.files.importing.import_jobs import import_jobs
    from gpuplanner.files.values.lookback_period import WindowRequest

    begin = _now()
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        read = import_jobs([str(path)], window_request=WindowRequest(whole_log=True), rows_dir=Path(folder))
    took = _since(begin)
    assert read.cube is not None and read.window is not None
    accepted, repeats = read.intake[0].rows_accepted, read.intake[0].rows_duplicate
    return took | {
        "accepted": accepted,
        "repeats": repeats,
        "gpu_hours": read.cube.total / 3_600_000,
        "sha256": cube_sha256(read.cube, read.workloads, read.window),
    }


def spark(path: Path) -> Any:
    """The same reader on the parts that Spark hands out, from the CSV itself; in several processes where asked for."""
    from gpuplanner.files.export.cube_file import cube_sha256
    from gpuplanner.files.importing.spark.spark_reduce import reduce_on_spark

    begin = _now()
    read = reduce_on_spark([str(path)])
    took = _since(begin)
    assert read.cube is not None and read.window is not None
    hashed = cube_sha256(read.cube, read.workloads, read.window)
    return took | {"gpu_hours": read.cube.total / 3_600_000, "sha256": hashed}


def pandas(path: Path) -> Any:
    """What one would write: read all, drop repeats, fold names, then spread the jobs over the hours."""
    import numpy as np
    import pandas as pd

    from gpuplanner.files.job_logs.reduce.names import fold_name

    rows = min(_rows_of(path), PANDAS_ROWS_AT_MOST)
    begin = _now()
    log = pd.read_csv(path, nrows=rows, dtype=str, keep_default_na=False)
    for column in ("start", "end"):
        log[column] = pd.to_datetime(log[column], utc=True).dt.as_unit("s").astype("int64")
    log["milli"] = (log["gpus"].astype(float) * 1000).round().astype("int64")
    log = log.sort_values("end").drop_duplicates(["cluster", "job_id", "start"], keep="last")
    names = {name: fold_name(name) for name in log["name"].unique()}
    log["workload"] = log["cluster"] + "/" + log["account"] + "/" + log["name"].map(names)
    log = log[(log["milli"] > 0) & (log["end"] > log["start"])]
    first, last = log["start"] // 3600, (log["end"] - 1) // 3600
    spread = log.loc[log.index.repeat(last - first + 1)]
    hour = spread.groupby(level=0).cumcount() + first.loc[spread.index]
    seconds = np.minimum(spread["end"], (hour + 1) * 3600) - np.maximum(spread["start"], hour * 3600)
    amount = (seconds * spread["milli"]).groupby([spread["workload"], hour]).sum()
    return _since(begin) | {"rows": rows, "gpu_hours": float(amount.sum()) / 3_600_000}


def _rows_of(path: Path) -> int:
    return int((path.parent / "rows").read_text())


def _window() -> Any:
    """All hours that any job of the log touches."""
    from gpuplanner.domain.model.window import Window

    return Window(1_767_225_600, DAYS * 24 + 26 * 24)


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(begin: tuple[float, float]) -> dict[str, Any]:
    return {"seconds": time.perf_counter() - begin[0], "cpu_seconds": time.process_time() - begin[1]}


# --- The table ----------------------------------------------------------------------------------

WORK: Final[dict[str, Callable[[Path], Any]]] = {
    work.__name__: work for work in (scan, cube, whole, spark, pandas)
}


def measured(work: str, path: Path) -> dict[str, Any]:
    """Times, peak memory and answers of one piece of work in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--do", work, str(path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if done.returncode:
        return {"failed": "failed: " + (done.stderr.strip().splitlines() or ["silently"])[-1]}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def print_table(folder: Path, repeat: int) -> None:
    """Each piece of work beside a scan of the same file, taken just before and after it."""
    print(f"{'':16}{'s':>8}{'cpu s':>8}{'x scan':>8}{'x cpu':>8}{'peak MB':>9}  answer")
    hashes = set()
    for name, work in (
        ("log.csv", "cube"),
        ("log.csv", "whole"),
        ("log.parquet", "cube"),
        ("log.parquet", "whole"),
        ("log.csv", "spark"),
        ("log.csv", "pandas"),
    ):
        for _ in range(repeat):
            path, csv = folder / name, folder / "log.csv"
            scans = [measured("scan", csv)]
            found = measured(work, path)
            scans.append(measured("scan", csv))
            label = f"{work} {path.suffix[1:]}"
            if "failed" in found:
                print(f"{label:16}{found['failed']}")
                continue
            share = found.get("rows", _rows_of(path)) / _rows_of(path)
            ratios = [
                found[unit] / (share * sum(scan[unit] for scan in scans) / 2)
                for unit in ("seconds", "cpu_seconds")
            ]
            said = [f"{found['gpu_hours']:.4f} GPU-h"] + ([found["sha256"][:16]] if "sha256" in found else [])
            if share < 1:
                said.append(f"of the first {found['rows']:,} rows")
            hashes |= {found["sha256"]} if "sha256" in found else set()
            print(
                f"{label:16}{found['seconds']:8.1f}{found['cpu_seconds']:8.1f}{ratios[0]:8.1f}{ratios[1]:8.1f}"
                f"{found['peak_mb']:9.0f}  {', '.join(said)}  (scan {scans[0]['seconds']:.1f}, "
                f"{scans[1]['seconds']:.1f} s)",
                flush=True,
            )
    print("one hash by all engines and files" if len(hashes) == 1 else f"HASHES DIFFER: {sorted(hashes)}")


def _peak_mb() -> float:
    """The most memory this process had; elsewhere than on Linux it is not known."""
    status = Path("/proc/self/status")
    lines = (
        status.read_text().splitlines() if status.exists() else []
    )  # resource's figure is the parent's as well
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), float("nan"))


def main() -> None:
    """Make the log, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=ROWS)
    arguments.add_argument(
        "--folder", type=Path, help="where the log is made; taken as it is if it is there already"
    )
    arguments.add_argument("--keep", action="store_true", help="leave the log there")
    arguments.add_argument("--repeat", type=int, default=1)
    arguments.add_argument("--do", nargs=2, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.do:
        found = WORK[given.do[0]](Path(given.do[1]))
        print(json.dumps({"peak_mb": _peak_mb(), **found}))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(tempfile.mkdtemp() if given.keep else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "rows").exists():
            write_log(folder, given.rows)
            (folder / "rows").write_text(str(given.rows))
        print(
            f"{_rows_of(folder / 'log.csv'):,} rows, {(folder / 'log.csv').stat().st_size / 1e9:.2f} GB of CSV"
        )
        print_table(folder, given.repeat)
        if given.keep:
            print(f"kept in {folder}")


if __name__ == "__main__":
    main()
