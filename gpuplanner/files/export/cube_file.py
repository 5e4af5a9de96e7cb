"""The demand cube as a CSV file: a row per workload, GPU model and hour; and the hash of all rows."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, Window, iso_utc
from gpuplanner.files.system.output_file import output_folder, output_text
from gpuplanner.files.tables.delimited import write_rows

CUBE_NAME = "cube.csv"
HEADER = ("workload", "gpu_model", "hour", "milli_gpu_seconds")


def write_cube(project: Project, folder: Path) -> tuple[Path, ...]:
    """Write the cube into a folder, made where missing; an unknown GPU model is an empty cell.

    No half of the file is ever seen. Errors: PlannerError file_unreadable.
    """
    path = output_folder(folder) / CUBE_NAME
    with output_text(path) as file:
        write_rows(file, cube_rows(project))
    return (path,)


def cube_rows(project: Project) -> Iterator[tuple[object, ...]]:
    """The rows of the file, its header first."""
    yield HEADER
    cube, start_s = project.cube, project.window.start_s
    for row in range(len(cube.workload_index)):
        key = project.workloads[int(cube.workload_index[row])].key
        model = cube.gpu_models[cube.model_index[row]] if cube.model_index[row] >= 0 else ""
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        for hour, amount in zip(cube.hour[span].tolist(), cube.milli_gpu_seconds[span].tolist(), strict=True):
            yield key, model, iso_utc(start_s + hour * HOUR_S), amount


def cube_sha256(cube: Cube, workloads: Sequence[Workload], window: Window) -> str:
    """SHA-256 of the lines `key TAB hour TAB milli-GPU-seconds LF`, UTF-8, sorted by key then hour, zeros left out.

    Amounts are summed over GPU models. Source: docs/json.md, Documents.
    """
    hours = [iso_utc(window.start_s + hour * HOUR_S) for hour in range(cube.hours)]
    digest = hashlib.sha256()
    first_row = np.searchsorted(cube.workload_index, np.arange(len(workloads) + 1))
    for index in sorted(range(len(workloads)), key=lambda position: workloads[position].key):
        begin, end = cube.offsets[first_row[index]], cube.offsets[first_row[index + 1]]
        hour, place = np.unique(cube.hour[begin:end], return_inverse=True)
        amount = np.zeros(len(hour), dtype=np.int64)
        np.add.at(amount, place, cube.milli_gpu_seconds[begin:end])
        key = workloads[index].key
        digest.update(
            "".join(
                f"{key}\t{hours[h]}\t{a}\n" for h, a in zip(hour.tolist(), amount.tolist(), strict=True)
            ).encode()
        )
    return digest.hexdigest()
