"""The demo folder: inputs, a project with two plans, and its workbook."""

import os
from datetime import date
from pathlib import Path

from gpuplanner.cli.option_values import UsageError
from gpuplanner.cli.outputs import save_named
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.files.demo.demo_days import DemoDays, ending, ending_yesterday
from gpuplanner.files.demo.demo_inputs import DEMO_FILES
from gpuplanner.files.demo.demo_project import PLANS, make_demo
from gpuplanner.files.project.project_backups import replaced_name
from gpuplanner.files.project.project_stamp import stamp_if_any
from gpuplanner.files.system.output_place import place_of
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.system.user_folder import ROWS, data_folder
from gpuplanner.files.workbook.write import write_workbook

PROJECT_NAME = "demo.gpuplan"
WORKBOOK_NAME = "demo.xlsx"
FIRST_YEAR, LAST_YEAR = 1980, 2190
"""Contracts of the demo reach years before and after its log."""


def write_demo_folder(
    folder: Path, days: DemoDays, now_s: int, rows_dir: Path | None = None
) -> tuple[list[Path], tuple[str, ...]]:
    """Write everything into `folder` (made where missing); which files, and lines for standard error.

    What somebody else has under these names is kept beside them. rows_dir: where the job rows are kept, so that the
    project can be looked at in another window. Errors: PlannerError file_unreadable.
    """
    for name in (*DEMO_FILES, PROJECT_NAME, WORKBOOK_NAME):
        if folder.is_dir():
            place_of(folder / name)  # all of it or nothing
    theirs = {folder / name: stamp_if_any(folder / name) for name in DEMO_FILES}
    project = make_demo(folder, days, rows_dir=rows_dir)
    lines = []
    for path, there in theirs.items():
        now = stamp_if_any(path)
        if there is not None and now is not None and now.sha256 != there.sha256:
            lines.append(f"{path}: another file was there; it is kept as {replaced_name(path, there)}")
    lines += save_named(project, folder / PROJECT_NAME, now_s)
    evaluation = evaluate(project, PLANS[0], read_tables())
    write_workbook(evaluation, folder / WORKBOOK_NAME, now_s)
    written = [folder / name for name in (*DEMO_FILES, PROJECT_NAME, WORKBOOK_NAME)]
    return written, tuple(lines)


def demo_days(text: str | None, now_s: int) -> DemoDays:
    """The days of a demo that ends on the day of --ending, or yesterday. Errors: UsageError.

    text: an ISO day; now_s: epoch seconds UTC, which says what yesterday is.
    """
    if text is None:
        return ending_yesterday(now_s)
    try:
        last = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--ending {text!r} is no day; write 2026-09-30") from None
    if not FIRST_YEAR <= last.year <= LAST_YEAR:
        raise UsageError(f"--ending {text!r}: give a year from {FIRST_YEAR} to {LAST_YEAR}")
    return ending(last)


def rows_folder() -> Path | None:
    """Where this user's job rows are kept, as the window keeps them; None where nothing may be written there.

    The folder is made where it is not there.
    """
    folder = data_folder() / ROWS
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
