"""The demo of one day, written and evaluated once for all that ask what is in it."""

from pathlib import Path

import pytest

from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables

INPUTS = ("jobs.csv", "contracts.csv", "prices.csv")


@pytest.fixture(scope="session")
def golden_demo(demo_path: Path) -> Path:
    """The folder of the demo of the golden day. Nobody writes here."""
    return demo_path.parent / "inputs"


@pytest.fixture(scope="session")
def golden_world(golden_demo: Path) -> Evaluation:
    """What the planner says of it."""
    project = read_inputs(*([str(golden_demo / name)] for name in INPUTS)).project()
    return evaluate(project, project.scenarios[0].name, read_tables())
