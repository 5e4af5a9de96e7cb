"""The log of a queue, drawn and started by the replay itself, and what is timed of it in a process of its own.

Run: python tests/benchmarks/bench_queue.py FOLDER [JOBS SIZES]. Prints one line of JSON; asserts nothing.
"""

import contextlib
import io
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.sets import GpuSet, QueuedJob

DAYS, BEGIN, GPUS, NODE = 90, "2026-01-01", 144, 8
HEAD = "job_id,cluster,name,account,gpu_model,gpus,nodes,submit,start,end,time_limit,class\n"
CONTRACT = (
    "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months\n"
    f"c,V,a,H100,{GPUS},2,2025-01-01,2027-01-01,COMMITTED,24\n"
)
PRICES = (
    "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
    "od,V,H100,STANDARD,0,6\nlong,V,H100,COMMITTED,12,2.5\n"
)


def write_queue(folder: Path, count: int, *, is_plain: bool = False) -> None:
    """jobs.csv, contracts.csv and prices.csv: 90 days of 1 to 8 GPUs on 144, which are busy four fifths of the time;
    a third of 100,000 jobs waits, one in ten for most of an hour. is_plain: M/M/c, of one GPU each, as busy.
    """
    random = np.random.default_rng(1)
    of_day = 1 + (0 if is_plain else 0.6) * np.sin((np.arange(24 * DAYS) % 24 - 8) * np.pi / 12)
    hour = random.choice(24 * DAYS, count, p=of_day / of_day.sum())
    come = np.sort(3600 * hour + random.integers(0, 3600, count))
    gpus = random.choice([1] if is_plain else [1, 1, 1, 1, 2, 4, 8], count)
    drawn = random.exponential(5.183, count) if is_plain else random.lognormal(0, 1.2, count)
    length = np.maximum(5, (drawn * 1728 * 100_000 / count).astype(int))
    limit = 600 * np.ceil(length * random.uniform(1, 4, count) / 600).astype(int)
    pool = (random.random(count) < (0 if is_plain else 0.2)).astype(int)
    order = np.lexsort((come, pool))
    columns = (column[order].tolist() for column in (pool, come, length, limit, 1000 * gpus))
    jobs = [
        QueuedJob(
            pool=job_pool,
            eligible_s=come_s,
            length_s=length_s,
            planned_s=limit_s,
            milli_gpus=milli_gpus,
            sets=(0,),
        )
        for job_pool, come_s, length_s, limit_s, milli_gpus in zip(*columns, strict=True)
    ]
    start = np.empty(count, dtype=int)
    start[order] = replay(jobs, [GpuSet(((0, 1000 * GPUS),), 1000 * NODE)]).start_s
    times = (
        np.datetime_as_string(np.datetime64(BEGIN) + at.astype("m8[s]"))
        for at in (come, start, start + length)
    )
    rows = zip(range(count), *times, gpus.tolist(), limit.tolist(), pool.tolist(), strict=True)
    with (folder / "jobs.csv").open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for at, came, began, ended, many, longest, is_burst in rows:
            name, of_class = ("tune", "burst") if is_burst else ("train", "training")
            words = f"{at},a,{name}-{at % 300},team{at % 12},H100,{many},1,{came}Z,{began}Z,{ended}Z"
            file.write(f"{words},{longest},{of_class}\n")
    (folder / "contracts.csv").write_text(CONTRACT)
    (folder / "prices.csv").write_text(PRICES)


def measured(folder: Path, *words: str) -> dict[str, float]:
    """`queue` on the files of a folder: processor time in ms and most memory in MB."""
    from gpuplanner.__main__ import main

    files = [
        word
        for name in ("jobs", "contracts", "prices")
        for word in (f"--{name}", str(folder / f"{name}.csv"))
    ]
    begun, sys.argv = time.process_time(), ["gpuplanner", "queue", *files, *words, "--json"]
    unheard = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
    with unheard[0], unheard[1], contextlib.suppress(SystemExit):
        main()
    return {
        "ms": 1000 * (time.process_time() - begun),
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def frontier_ms(folder: Path) -> Callable[[], float]:
    """The demo written into a folder; what it gives times 12 sizes of each pool and model, today and the plan known."""
    from gpuplanner.__main__ import main
    from gpuplanner.domain.evaluation import evaluate_advice
    from gpuplanner.domain.queue.ground import Queueing
    from gpuplanner.domain.queue.waiting import waiting_of
    from gpuplanner.files.importing.intake import read_inputs
    from gpuplanner.files.importing.windowed_jobs import read_queue
    from gpuplanner.files.system.resources import read_tables

    sys.argv = ["gpuplanner", "demo", str(folder), "--ending", "2026-09-30"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
    files = ([folder / f"{name}.csv"] for name in ("jobs", "contracts", "prices"))
    project = read_inputs(*files, rows_dir=folder).project()
    evaluation = evaluate_advice(project, project.scenarios[0].name, read_tables())
    log = read_queue(folder, project)

    def once() -> float:
        queueing = Queueing(evaluation, log)
        waiting_of(queueing, 0)
        begun = time.process_time()
        waiting_of(queueing)
        return 1000 * (time.process_time() - begun)

    return once


if __name__ == "__main__":
    print(json.dumps(measured(Path(sys.argv[1]), *sys.argv[2:])))
