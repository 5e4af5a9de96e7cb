"""What a file is called before the planner says otherwise."""

from pathlib import Path

from gpuplanner.ui.words.file_words import suggested


def test_plans_of_one_project_do_not_take_each_others_place() -> None:
    one = suggested("/home/me", "demo", "Plan A \u00b7 Separate", ".xlsx")
    assert Path(one) == Path("/home/me/demo, Plan A.xlsx")
    assert one != suggested("/home/me", "demo", "Plan B \u00b7 As today", ".xlsx")


def test_no_sign_of_a_plans_name_leads_elsewhere() -> None:
    assert Path(suggested("/home/me", "Q3", "../a:b", ".csv")) == Path("/home/me/Q3, ..-a-b.csv")
