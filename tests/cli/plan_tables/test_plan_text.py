"""Tables of a plan as text: what stands below the next decisions."""

from gpuplanner.cli.plan_tables.plan_text import decisions_text, quotes_text
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.quote_wait import Bridge, WaitForQuotes, WaitingOrder
from gpuplanner.domain.model.window import DAY_S, instant_s
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
    return decisions_text(decisions)


def test_a_decision_that_costs_in_twelve_months_says_from_when_it_pays() -> None:
    saves = replace(COSTS, number=7, year_with=50.0, months_after=None)
    *table, last = said(COSTS, saves).splitlines()
    assert last == f"  D6 {COSTS.reason}." and "$2,000" in last
    assert [line.split()[0] for line in table[-2:]] == ["D6", "D7"]
    assert said(saves).splitlines()[-1].split()[0] == "D7"
    assert said() == ""


def test_what_was_put_off_or_is_done_is_marked_and_has_its_own_day_or_none() -> None:
    put_off = replace(COSTS, subject="4 H200", by_s=instant_s("2026-12-24"), is_postponed=True)
    done = replace(put_off, number=2, is_postponed=False, is_done=True)
    first, second, *_ = said(put_off, done).splitlines()[3:]
    assert "Not now: Order 4 H200" in first and "24 Dec 2026" in first
    assert "Done: Order 4 H200" in second and "24 Dec 2026" not in second


def test_what_waiting_for_quotes_costs_and_what_is_cheaper_stand_below() -> None:
    listed = ListedOrder(number=2, orders=(), order_ids=())
    waits = WaitingOrder(listed=listed, from_s=0, until_s=19 * DAY_S, usd=9_500.0)
    plain = WaitForQuotes(orders=(waits,))
    assert quotes_text(plain) == f"  {plain.text}."
    bridge = Bridge(offer_id="m01", until_s=30 * DAY_S, usd=5_840.0, saves_usd=3_660.0)
    bridged = WaitForQuotes(orders=(replace(waits, bridge=bridge, may_bring_usd=700.0),))
    lines = [f"  {text}." for text in (bridged.text, bridged.may_bring_text, bridged.bridge_text)]
    assert quotes_text(bridged).splitlines() == lines
    assert "$3,660" in lines[-1] and "$700" in lines[1]
    assert quotes_text(None) == ""
