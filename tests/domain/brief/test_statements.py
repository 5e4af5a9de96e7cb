"""Statements: a page a team behind one of all of them; their figures are the chargeback's, and add up."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.chargeback import Charge
from gpuplanner.domain.brief import briefs
from gpuplanner.domain.brief.briefs import charge_title, statements_of
from gpuplanner.domain.brief.pages import TableBlock
from gpuplanner.domain.evaluation import charges_of
from gpuplanner.domain.model.plan.scenario import TODAY
from tests.domain import worlds
from tests.domain.brief.small_plan import numbers
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


def test_teams_that_are_charged_are_counted(tables: list[Any]) -> None:
    rows: Any = tuple(
        SimpleNamespace(total_in_window=usd, budget_in_window=None) for usd in (5.0, 0.0, None, 3.0)
    )
    of = briefs.charges_of(worlds.past().evaluation)
    charges = replace(of, rows=rows, whole=replace(of.whole, total_in_window=8.0))
    assert numbers(briefs.overview_page(charges).title) == ["$8", "3"]
    unknown = replace(charges, whole=replace(of.whole, total_in_window=None))
    assert numbers(briefs.overview_page(unknown).title) == []
    briefs.statement_page(of.rows[0], of)
    assert [asked[1:3] for asked in tables] == [({"called": 2.0}, 24)] * 2 + [({"workload": 3.2}, 20)]


def test_large_figures_of_a_team_have_short_titles() -> None:
    row = briefs.charges_of(worlds.past().evaluation).rows[0]
    for key in (*briefs.LARGE, *briefs.BUDGET):
        figure = briefs.charge_figure(row, key)
        assert 0 < len(str(figure.title)) <= len(str(briefs.CHARGE[key].title))


def charge(total: float | None, left: float | None) -> Charge:
    class Row:
        total_in_window, left_in_window, called = total, left, "team"

    return Row  # type: ignore[return-value]


def test_a_team_is_charged_within_or_over_its_budget() -> None:
    cases = {
        (None, None): [], (None, 5.0): [], (10.0, None): ["$10"], (10.0, 0.0): ["$10", "$0"],
        (10.0, 5.0): ["$10", "$5"], (10.0, -5.0): ["$10", "$5"],
    }  # fmt: skip
    titles = {given: charge_title(charge(*given)) for given in cases}
    assert {given: numbers(title) for given, title in titles.items()} == cases
    assert len({title.template for title in titles.values()}) == 4
    assert titles[10.0, 0.0].template == titles[10.0, 5.0].template != titles[10.0, -5.0].template


def test_statements_are_a_page_of_all_and_one_of_each() -> None:
    """Of the past: team, ops and nobody; team has a budget of $500 a month."""
    of = worlds.past().evaluation
    first, *others = statements_of(of, 0, "1").pages
    rows = {str(row.called): row for row in charges_of(of).rows}
    assert len(others) == len(rows)
    for page in others:
        figures = {figure.key: figure.amount for figure in page.figures}
        name = next(name for name in rows if str(page.title).startswith(name))
        assert figures["total_usd"] == rows[name].total_in_window
        assert ("left_usd" in figures) is (rows[name].budget_in_window is not None)
    assert first.key == "teams"
