"""The demo folder: inputs, a project with two plans, and its workbook."""

from pathlib import Path

from gpuplanner.domain.evaluation import evaluate
from gpuplanner.files.demo import DEMO_FILES
from gpuplanner.files.demo_project import PLANS, make_demo
from gpuplanner.files.project_file import save_project
from gpuplanner.files.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook

PROJECT_NAME = "demo.gpuplan"
WORKBOOK_NAME = "demo.xlsx"


def write_demo_folder(folder: Path, now_s: int) -> list[Path]:
    """Write everything into `folder` (made where missing) and say which files; the inputs are the same every time."""
    project = make_demo(folder)
    save_project(project, folder / PROJECT_NAME)
    evaluation = evaluate(project, PLANS[0], read_tables())
    write_workbook(evaluation, folder / WORKBOOK_NAME, now_s)
    return [*(folder / name for name in DEMO_FILES), folder / PROJECT_NAME, folder / WORKBOOK_NAME]
