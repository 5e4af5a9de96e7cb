"""What a file is called before the planner says otherwise."""

from pathlib import Path

from gpuplanner.ui.words.file_words import suggested


def test_plans_of_one_project_do_not_take_each_others_place() -> None:
    plans = ("Plan A \u00b7 Separate", "Plan B \u00b7 As today")
    one = suggested("/home/me", "demo", plans[0], plans, ".xlsx")
    assert Path(one) == Path("/home/me/demo, Plan A.xlsx")
    assert one != suggested("/home/me", "demo", plans[1], plans, ".xlsx")


def test_a_question_that_was_kept_does_not_take_the_place_of_the_plan_it_was_asked_of() -> None:
    plans = ("Plan A \u00b7 Separate", "Plan A \u00b7 Separate \u00b7 growth 5%")
    first, kept = (suggested("/home/me", "demo", plan, plans, ".xlsx") for plan in plans)
    assert Path(first) == Path("/home/me/demo, Plan A \u00b7 Separate.xlsx")
    assert Path(kept) == Path("/home/me/demo, Plan A \u00b7 Separate \u00b7 growth 5%.xlsx")


def test_no_sign_of_a_plans_name_leads_elsewhere() -> None:
    assert Path(suggested("/home/me", "Q3", "../a:b", (), ".csv")) == Path("/home/me/Q3, ..-a-b.csv")
