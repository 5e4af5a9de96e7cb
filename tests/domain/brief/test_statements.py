"""Statements: a page a team behind one of all of them; their figures are the chargeback's, and add up."""

from dataclasses import replace

import pytest

from gpuplanner.domain.brief.briefs import statements_of
from gpuplanner.domain.brief.pages import TableBlock
from gpuplanner.domain.evaluation import charges_of
from gpuplanner.domain.model.plan_inputs import TODAY
from tests.files.workbook.evaluations import evaluated, two_clusters_with_layers

TEAMS = {"chat": "web", "pretrain": "research", "mystery": "research", "embed": "web", "sweep": ""}


def evaluation_of(budgets=None):
    case = two_clusters_with_layers()
    scenario = replace(case.scenario, pools=dict(case.pools))
    workloads = tuple(replace(one, owner=TEAMS[one.name]) for one in case.project.workloads)
    project = replace(case.project, workloads=workloads, scenarios=(scenario,), budgets=budgets or {})
    return evaluated(project, case.classifications)


def number(text):
    return float(text.replace(",", "").replace("\u2212", "-"))


def tables_of(page):
    return [block for row in page.rows for block in row if isinstance(block, TableBlock)]


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_of({"web": 400.0, "research": 40_000.0, "ops": 900.0})


def test_each_team_has_a_page_whose_figures_are_those_of_the_chargeback(evaluation):
    first, *pages = statements_of(evaluation, 0, "0").pages
    found = charges_of(evaluation)
    rows = {str(row.called): row for row in found.rows}
    assert (
        {page.title.split(" is charged")[0] for page in pages}
        == set(rows)
        == {"web", "research", "ops", "Nobody"}
    )
    for page in pages:
        row = rows[page.title.split(" is charged")[0]]
        kept = {figure.key: figure.amount for figure in page.figures}
        assert kept["total_usd"] == row.total_in_window
        assert kept.get("left_usd") == row.left_in_window
        for table in tables_of(page):
            assert sum(number(line[-1]) for line in table.rows) == pytest.approx(row.total_in_window, abs=1)
    (teams,) = tables_of(first)
    assert number(teams.total[5]) == round(found.whole.total_in_window)
    assert "to 3 teams" in first.title  # nobody asks ops for anything


def test_a_title_says_what_is_left_or_over(evaluation):
    titles = {page.title.split(" ")[0]: page.title for page in statements_of(evaluation, 0, "0").pages[1:]}
    assert "over its budget" in titles["web"] and titles["research"].endswith("of its budget remains")
    assert "budget" not in titles["Nobody"]


def test_without_budgets_no_page_speaks_of_them():
    for page in statements_of(evaluation_of(), 0, "0").pages:
        assert "udget" not in repr(page)


def test_when_a_budget_is_used_up_is_told_of_a_plan_alone(evaluation):
    def is_told(of):
        return any(row.used_up_s is not None for row in charges_of(of).rows)

    assert is_told(evaluation)
    assert not is_told(replace(evaluation, scenario=TODAY))
    assert not is_told(replace(evaluation, advice=None))
