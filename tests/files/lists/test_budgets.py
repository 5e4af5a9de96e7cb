"""Files of budgets: what is read, what is refused, and that they stay with a project."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits.money import counted_in, with_exchange
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.budgets import BUDGETS

LINES = ("vision,60000", "speech,1200.5", "vision,5", "hr,", "ops,-1", ",7", "free,0")


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "budgets.csv"
    made.write_text("Team,usd_per_month\n" + "\n".join(LINES) + "\n", "utf-8")
    return str(made)


def test_the_first_of_a_team_counts_and_what_is_no_budget_is_rejected(path):
    read = BUDGETS.read_files([path])
    assert dict(read.values) == {"vision": 60_000, "speech": 1_200.5, "free": 0}
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (7, 3, 3, 1)
    assert {issue.code: issue.count for issue in file.issues if "duplicate" not in issue.code} == {
        "missing_column": 2,
        "bad_number": 1,
    }


def test_a_file_is_known_by_its_columns(path):
    assert recognise(path).kind == "budgets"
    (file,) = check_file(path)
    assert (file.kind, dict(file.facts)) == ("budgets", {"teams": 3, "usd_per_month": 61_200.5})


def test_a_file_without_its_columns_is_refused(tmp_path):
    made = tmp_path / "budgets.csv"
    made.write_text("team,amount\nvision,5\n", "utf-8")
    read = BUDGETS.read_files([str(made)])
    assert not read.values and [fault.code for fault in read.refused] == ["missing_column"]


def test_budgets_of_a_project():
    nothing = Project(window=Window(0, 1), cube=empty_cube(1))
    given = edits.money.add_budgets(nothing, {"vision": 60_000.0, " hr ": 5})
    assert dict(given.budgets) == {"hr": 5.0, "vision": 60_000.0}
    assert edits.money.add_budgets(given, {"hr": 5}) is given
    assert dict(edits.money.set_budget(given, "hr", None).budgets) == {"vision": 60_000.0}
    assert edits.money.set_budget(given, "nobody else", None) is given
    for team, usd in (("", 1.0), ("a", -1.0), ("a", float("nan")), ("a", 1e13), ("a" * 201, 1.0)):
        with pytest.raises(PlannerError):
            edits.money.set_budget(given, team, usd)


def test_budgets_stand_in_the_money_of_the_project():
    project = edits.money.set_budget(Project(window=Window(0, 1), cube=empty_cube(1)), "hr", 540.0)
    with pytest.raises(PlannerError):
        edits.money.report_in(project, "EUR")
    rated = with_exchange(project, [ExchangeRate("EUR", Decimal("1.08"), "2026-10-01")])
    assert dict(counted_in(rated, "EUR").budgets) == {"hr": pytest.approx(500)}
    assert dict(counted_in(replace(project), "SEK").budgets) == {"hr": None}


def test_an_amount_is_read_as_it_is_typed(tmp_path):
    made = tmp_path / "budgets.csv"
    made.write_text('team,usd_per_month\na,"20,000"\nb,"$1,200.50"\nc,20k\nd,20 EUR\ne,5%\n', "utf-8")
    read = BUDGETS.read_files([str(made)])
    assert dict(read.values) == {"a": 20_000, "b": 1_200.5, "c": 20_000}
    assert read.intake[0].rows_rejected == 2
