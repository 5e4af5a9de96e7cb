"""Tables of a plan as text: what stands below the next decisions."""

from types import SimpleNamespace
from typing import Any

from gpuplanner.cli.plan_tables.plan_text import decisions_text
from gpuplanner.domain.commitment.asked_rows import usual_days
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.quote_wait import Bridge, WaitForQuotes, WaitingOrder
from gpuplanner.domain.model.window import DAY_S
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


def said(*decisions: NextDecision, wait: WaitForQuotes | None = None) -> str:
    evaluation: Any = SimpleNamespace(
        outlook=Outlook(next_decisions=decisions),
        project=SimpleNamespace(plan_window=SimpleNamespace(end_s=0)),
        wait_for_quotes=lambda days: wait if days == usual_days(0) else None,
    )
    return decisions_text(evaluation)


def test_what_waiting_for_quotes_costs_and_what_is_cheaper_stand_below() -> None:
    listed = ListedOrder(number=2, orders=(), order_ids=())
    waits = WaitingOrder(listed=listed, from_s=0, until_s=19 * DAY_S, usd=9_500.0)
    plain = WaitForQuotes(orders=(waits,))
    assert said(COSTS, wait=plain).splitlines()[-1] == f"  {plain.text}."
    bridge = Bridge(offer_id="m01", until_s=30 * DAY_S, usd=5_840.0, saves_usd=3_660.0)
    bridged = WaitForQuotes(orders=(replace(waits, bridge=bridge),))
    assert said(COSTS, wait=bridged).splitlines()[-2:] == [f"  {bridged.text}.", f"  {bridged.bridge_text}."]
    assert "$3,660" in str(bridged.bridge_text)


def test_a_decision_that_costs_in_twelve_months_says_from_when_it_pays() -> None:
    saves = replace(COSTS, number=7, year_with=50.0, months_after=None)
    *table, last = said(COSTS, saves).splitlines()
    assert last == f"  D6 {COSTS.reason}." and "$2,000" in last
    assert [line.split()[0] for line in table[-2:]] == ["D6", "D7"]
    assert said(saves).splitlines()[-1].split()[0] == "D7"
    assert said() == ""
