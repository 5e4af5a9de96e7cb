"""What a planner reads of odd logs in the terminal: no day of 1970, no table of dashes, no line said thirty times."""

from dataclasses import replace
from types import SimpleNamespace

from gpuplanner.cli.audit_tables import checks_text, demand_text
from gpuplanner.cli.tables import report_text
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.listed_orders import list_orders
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.reports.orders import SHOWN_ORDERS
from tests.domain.commitment.conftest import Load, audit, case, offer


def test_a_log_that_counts_from_0_has_days_of_its_own() -> None:
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[6.0] * 1000)],
        (),
        [offer("od", 0, 7.0), offer("d90", 3, 3.0, term_days=90)],
    )
    project = made.project

    window = Window(59 * 86_400, project.window.hours)
    said = demand_text(replace(project, window=window))
    assert "1970" not in said
    assert "day 60 to 101" in said and "1,000 h" in said


def test_orders_have_their_term_in_words() -> None:
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[6.0] * 1000)],
        (),
        [offer("od", 0, 7.0), offer("d90", 3, 3.0, term_days=90)],
    )
    plan = made.project.scenarios[0]
    advice = advise(made.project, plan, made.pools, audit())

    def said(advice: Advice) -> str:
        listed = list_orders(made.project, plan, advice, ())
        return report_text(SHOWN_ORDERS, SimpleNamespace(advised=advice, listed_orders=listed))

    assert "90 days" in " ".join(said(advice).split()) and "Term, months" not in said(advice)
    sold = replace(advice, orders=tuple(replace(one, provider="Vela") for one in advice.orders))
    columns = [line.split()[:2] for line in said(sold).splitlines()]
    assert columns[0] == ["No.", "With"] and ["O1", "Vela"] in columns  # whom to call


def test_checks_that_say_the_same_are_one_line() -> None:
    lacks = "has no rate"
    checks = [
        Check(code="quote_needed", severity="info", subject=f"offer-{at}", message=lacks) for at in range(5)
    ]
    assert checks_text(checks).splitlines()[-1] == (
        f"  Note     quote_needed: offer-0, offer-1, offer-2 and 2 more, each: {lacks}"
    )
    assert checks_text(checks[:2]).endswith(f"quote_needed: offer-0, offer-1, each: {lacks}")
    assert checks_text(checks[:1]).endswith(f"quote_needed: offer-0: {lacks}")


def test_what_is_to_come_first_is_the_first_of_its_severity() -> None:
    """Jobs that never start come before other warnings, whatever their codes; errors come before both."""
    first = Check(code="decision_waits", severity="amber", subject="b", message="m", is_first=True)
    given = (
        Check(code="below_40", severity="amber", subject="a", message="m"),
        first,
        Check(code="hardware_red", severity="red", subject="c", message="m"),
    )
    lines = checks_text(given).splitlines()[2:]
    assert [line.split(":")[1].strip() for line in lines] == ["c", "b", "a"]
