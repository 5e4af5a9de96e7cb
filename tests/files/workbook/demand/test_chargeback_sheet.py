"""The sheet Chargeback: teams are sums of their workloads, budgets follow, and all of it is paid and overflow."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.chargeback import charged, charges
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of

TEAMS = {"chat": "web", "pretrain": "research", "mystery": "research", "embed": "web", "sweep": ""}
BUDGETS = {"web": 4_000.0, "ops": 900.0}


@pytest.fixture(scope="module")
def evaluation():
    """Two teams, work that has none, and a budget of a team without jobs."""
    case = two_clusters_with_layers()
    scenario = replace(case.scenario, pools=dict(case.pools))
    workloads = tuple(replace(one, owner=TEAMS[one.name]) for one in case.project.workloads)
    project = replace(case.project, workloads=workloads, scenarios=(scenario,), budgets=BUDGETS)
    return evaluated(project, case.classifications)


@pytest.fixture(scope="module")
def book(evaluation, tmp_path_factory):
    path = tmp_path_factory.mktemp("teams") / "teams.xlsx"
    write_workbook(evaluation, path, 0)
    return path


HEADINGS = {
    "gpu_hours": "GPU-hours",
    "direct_in_window": "Direct, $ in the lookback period",
    "idle_in_window": "Shared idle, $ in the lookback period",
    "overflow_in_window": "Overflow, $ in the lookback period",
    "total_in_window": "Charged, $ in the lookback period",
    "budget_per_month": "Budget, $ per month",
    "budget_in_window": "Budget, $ in the lookback period",
    "left_in_window": "Budget left, $ in the lookback period",
}


def check_teams(sheet, evaluation):
    project, audit = evaluation.project, evaluation.audit
    found = charges(project, charged(past_of(project, audit), audit), ChargeBy.TEAM)
    called, head = sheet.column("Team")
    assert {str(row.called) for row in found.rows} == {"web", "research", "ops", "Nobody"}
    for row in found.rows:
        (at,) = [line for line in sheet.rows(**{called: str(row.called)}) if line > head]
        for key, heading in HEADINGS.items():
            letters, _ = sheet.column(heading, head)
            expected = getattr(row, key)
            cell = sheet.cells.get(f"{letters}{at}")
            assert cell is None if expected is None else cell == pytest.approx(expected, abs=0.005), (
                row.called,
                key,
            )
    (bottom,) = sheet.rows(**{called: "All of it"})
    letters, _ = sheet.column(HEADINGS["total_in_window"], head)
    paid = sum(one.paid_in_window + one.overflow_in_window for one in audit.clusters)
    assert sheet.cells[f"{letters}{bottom}"] == pytest.approx(paid, abs=0.005)


def test_teams_are_those_of_the_app(book, evaluation):
    check_teams(SheetCells(cells_of(book)["Chargeback"]), evaluation)


@pytest.mark.long
def test_teams_are_those_of_the_app_after_recalculation(need_tool, book, evaluation, tmp_path):
    (again,) = Recalculator(need_tool("soffice"), tmp_path).recalculated(book)
    check_teams(SheetCells(cells_of(again)["Chargeback"]), evaluation)
