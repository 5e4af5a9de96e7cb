"""Tables of a plan as text: what stands below the next decisions."""

from types import SimpleNamespace
from typing import Any

from gpuplanner.cli.plan_tables.plan_text import decisions_text
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.lazy_dataclass import replace

COSTS = NextDecision(
    decision_id="a",
    number=6,
    kind="order",
    subject="8 H100",
    year_without=100.0,
    year_with=500.0,
    saves_in_month_12=100.0,
    months_after=24.0,
)


def said(*decisions: NextDecision) -> str:
    evaluation: Any = SimpleNamespace(outlook=Outlook(next_decisions=decisions))
    return decisions_text(evaluation)


def test_a_decision_that_costs_in_twelve_months_says_from_when_it_pays() -> None:
    saves = replace(COSTS, number=7, year_with=50.0, months_after=None)
    *table, last = said(COSTS, saves).splitlines()
    assert last == f"  D6 {COSTS.reason}." and "$2,000" in last
    assert [line.split()[0] for line in table[-2:]] == ["D6", "D7"]
    assert said(saves).splitlines()[-1].split()[0] == "D7"
    assert said() == ""
