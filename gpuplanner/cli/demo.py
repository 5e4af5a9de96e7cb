"""The demo folder: inputs, a project with two plans, and its workbook."""

import os
from pathlib import Path

from gpuplanner.domain.evaluation import evaluate
from gpuplanner.files.demo import DEMO_FILES
from gpuplanner.files.demo_project import PLANS, make_demo
from gpuplanner.files.output_place import place_of
from gpuplanner.files.project_file import save_project
from gpuplanner.files.resources import read_tables
from gpuplanner.files.user_folder import ROWS, data_folder
from gpuplanner.files.workbook.write import write_workbook

PROJECT_NAME = "demo.gpuplan"
WORKBOOK_NAME = "demo.xlsx"


def write_demo_folder(folder: Path, now_s: int, rows_dir: Path | None = None) -> list[Path]:
    """Write everything into `folder` (made where missing) and say which files; the inputs are the same every time.

    rows_dir: where the job rows are kept, so that the project can be looked at in another window.
    Errors: PlannerError file_unreadable.
    """
    for name in (*DEMO_FILES, PROJECT_NAME, WORKBOOK_NAME):
        if folder.is_dir():
            place_of(folder / name)  # all of it or nothing
    project = make_demo(folder, rows_dir=rows_dir)
    save_project(project, folder / PROJECT_NAME)
    evaluation = evaluate(project, PLANS[0], read_tables())
    write_workbook(evaluation, folder / WORKBOOK_NAME, now_s)
    return [*(folder / name for name in DEMO_FILES), folder / PROJECT_NAME, folder / WORKBOOK_NAME]


def rows_folder() -> Path | None:
    """Where this user's job rows are kept, as the window keeps them; None where nothing may be written there."""
    folder = data_folder() / ROWS
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
