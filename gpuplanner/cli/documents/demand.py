"""Demand as JSON: the window, its jobs and the cube."""

from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.intake import intake_document
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.report import entry, fields, named
from gpuplanner.files.importing.read_facts import quality_entry

WINDOW: Final = fields(named("start", "start_s", "date"), named("end", "end_s", "date"), "hours", "timezone")
"""Times are ISO 8601, the end exclusive; the timezone is that of naive local times."""
JOBS: Final = fields(
    "count",
    "gpu_jobs",
    "gpu_hours",
    named("peak_gpus", lambda jobs: jobs.peak_milli_gpus / 1000),
    named("first_start", "first_start_s", "date"),
    named("last_end", "last_end_s", "date"),
    "clipped",
)
"""GPU-hours are of the window; peak_gpus: the largest number in use at once."""
CUBE: Final = fields(
    named("workloads", lambda project: len(project.workloads)),
    named("hours", "window.hours"),
    named("milli_gpu_seconds", "cube.total"),
)


def demand_document(project: Project, cube_sha256: str) -> Document:
    """intake, window, jobs and cube: what stands inside every document about demand.

    cube_sha256: of the demand, so that two documents can be compared.
    """
    return {
        "intake": intake_document(project.intake),
        "window": entry(WINDOW, project.window),
        "jobs": entry(JOBS, project.jobs),
        "cube": entry(CUBE, project) | {"sha256": cube_sha256},
        "data_quality": quality_entry(project.jobs.quality),
    }
