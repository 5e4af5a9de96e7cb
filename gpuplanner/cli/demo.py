"""The demo folder: inputs, a project with two plans, and its workbook."""

from pathlib import Path

from gpuplanner.cli.inputs import project_from
from gpuplanner.domain.edits import add_plan
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.files.demo import write_demo
from gpuplanner.files.intake import read_inputs
from gpuplanner.files.project_file import save_project
from gpuplanner.files.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook
