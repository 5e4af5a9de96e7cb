"""Four workloads in a few hours, whose GPU time is stated."""

from dataclasses import replace
from typing import Any

import numpy as np

from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.cube import Cube, Workload, cube_from_entries
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window

MONDAY_S = 1_767_571_200
"""5 January 2026."""
GPU_HOUR = 3_600_000
HOURS = 10
FOUR = [
    (0, 0, 0, 10), (0, 0, 1, 11), (0, -1, 1, 7), (1, 0, 2, 100), (1, 1, 2, 1), (1, 1, 5, 30),
    (2, -1, 9, 5), (3, 1, 0, 2), (3, 1, 4, 3),
]  # fmt: skip
"""Of four workloads on two models or an unknown: workload, model, hour, milli-GPU-seconds."""
T, I, B = Pool.TRAINING, Pool.INFERENCE, Pool.BURST  # noqa: E741


def works(*names: str, **facts: Any) -> tuple[Workload, ...]:
    return tuple(Workload(key=f"c/o/{name}", name=name, cluster="c", owner="o", **facts) for name in names)


def project(
    rows: list[tuple[int, int, int, int]] = FOUR, names: str = "abcd", start_s: int = MONDAY_S
) -> Project:
    cube = cube_from_entries(HOURS, ("H100", "A100"), *np.array(rows, dtype=np.int64).reshape(-1, 4).T)
    totals = [sum(amount for work, *_, amount in rows if work == at) for at in range(len(names))]
    listed = (
        replace(work, milli_gpu_seconds=total, peak_milli_gpus=1001, jobs=5, gpu_jobs=4)
        for work, total in zip(works(*names), totals, strict=True)
    )
    return Project(window=Window(start_s, HOURS), cube=cube, workloads=tuple(listed))


def entries(cube: Cube) -> list[tuple[int, int, int, int]]:
    """Workload, model, hour and amount of each entry of a cube, in its order."""
    row = cube.entry_row
    columns = (cube.workload_index[row], cube.model_index[row], cube.hour, cube.milli_gpu_seconds)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def classes(*pools: Pool, source: str = "rule") -> tuple[Classification, ...]:
    return tuple(
        Classification(pool=pool, subtype="", confidence=0.5, reasons=(), runner_up=None, source=source)
        for pool in pools
    )
