"""The demand cube as files for other programs: one CSV row per workload, GPU model and hour."""

from collections.abc import Iterator
from pathlib import Path

from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, iso_utc
from gpuplanner.files.system.output_file import output_folder, output_text
from gpuplanner.files.tables.harmless_cells import write_rows

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
