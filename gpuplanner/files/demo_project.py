"""The demo as a project: its inputs written to a folder, read like any others, with two plans."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpuplanner.domain.edits import add_plan
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import AS_TODAY, Scenario
from gpuplanner.files.demo import write_demo
from gpuplanner.files.engine import Progress
from gpuplanner.files.intake import new_project, read_inputs

INPUTS: Final = ("jobs.csv", "contracts.csv", "prices.csv")
FIRST_PLAN: Final = "Plan A · Separate"
SECOND_PLAN: Final = "Plan B · As today"
WRITING_SHARE: Final = 0.3  # of the work, for the progress bar


def make_demo(
    folder: Path, on_progress: Progress | None = None, is_cancelled: Callable[[], bool] | None = None
) -> tuple[Project, list[Path]]:
    """Write the demo's inputs into `folder` and read them; the project, and the files that were written.

    It takes seconds: a window calls it in a thread. Errors: Cancelled.
    """

    def reading(fraction: float, text: str) -> None:
        if on_progress is not None:
            on_progress(WRITING_SHARE + (1 - WRITING_SHARE) * fraction, text)

    if on_progress is not None:
        on_progress(0.0, "Writing the demo's log")
    paths = write_demo(folder)
    read = read_inputs(
        *([str(folder / name)] for name in INPUTS), on_progress=reading, is_cancelled=is_cancelled
    )
    project = replace(new_project(read), scenarios=(Scenario(FIRST_PLAN),), title="Demo")
    return add_plan(project, SECOND_PLAN, start=AS_TODAY), paths
