"""The demo folder: inputs, a project with two plans, and its workbook."""

from dataclasses import replace
from pathlib import Path

from gpuplanner.cli.inputs import project_from
from gpuplanner.domain.edits import add_plan
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.scenario import AS_TODAY, Scenario
from gpuplanner.files.demo import write_demo
from gpuplanner.files.intake import read_inputs
from gpuplanner.files.project_file import save_project
from gpuplanner.files.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook

PROJECT_NAME = "demo.gpuplan"
WORKBOOK_NAME = "demo.xlsx"
FIRST_PLAN = "Plan A · Separate"
SECOND_PLAN = "Plan B · As today"


def write_demo_folder(folder: Path, now_s: int) -> list[Path]:
    """Write everything into `folder` (made where missing) and say which files; the inputs are the same every time."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = list(write_demo(folder))
    read = read_inputs(*([str(folder / name)] for name in ("jobs.csv", "contracts.csv", "prices.csv")))
    project = replace(project_from(read), scenarios=(Scenario(FIRST_PLAN),), title="Demo")
    project = add_plan(project, SECOND_PLAN, start=AS_TODAY)
    save_project(project, folder / PROJECT_NAME)
    evaluation = evaluate(project, FIRST_PLAN, read_tables())
    write_workbook(evaluation, folder / WORKBOOK_NAME, now_s)
    return [*paths, folder / PROJECT_NAME, folder / WORKBOOK_NAME]
