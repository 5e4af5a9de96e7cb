"""A next decision by hand: what it says, and its place among others."""

import pytest

from gpuplanner.domain.commitment.next_decision import STATES, NextDecision, first_few, in_order, with_states
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import NO_PROVIDER, Order
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.scenario import DoneDecision, Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, instant_s
from gpuplanner.lazy_dataclass import replace


def row(name: str, usd: float | None, by_s: int | None = None, *, is_now: bool = False) -> NextDecision:
    return NextDecision(
        decision_id=name,
        kind="order",
        subject=name,
        by_s=by_s,
        year_without=usd,
        year_with=None if usd is None else 0.0,
        is_now=is_now,
    )


def names(decisions: tuple[NextDecision, ...]) -> str:
    return " ".join(decision.decision_id for decision in decisions)


def test_decisions_for_now_come_first_by_day_then_later_ones_by_day_and_those_without_a_day_last() -> None:
    later = [row("a", 99.0), row("b", 9.0, 50 * DAY_S), row("c", 1.0, 40 * DAY_S)]
    now = [row("d", 1.0, 3 * DAY_S, is_now=True), row("e", 9.0, 20 * DAY_S, is_now=True)]
    assert names(in_order([*later, *now])) == "d e c b a"


def test_of_one_day_the_largest_comes_first_and_the_unknown_last() -> None:
    rows = [
        row("b", None, DAY_S),
        row("d", -4.0, DAY_S),
        row("c", 5.0, DAY_S + 7),
        row("a", 5.0, DAY_S + 9),
        row("e", 9.0, 2 * DAY_S - 1),
    ]
    assert names(in_order(rows)) == "e a c d b"


def test_a_few_are_those_for_now_then_the_largest_of_the_later_ones() -> None:
    rows = in_order(
        [
            row("small", 1.0, DAY_S, is_now=True),
            row("unknown", None, 40 * DAY_S),
            row("near", 2.0, 41 * DAY_S),
            row("large", 9.0, 90 * DAY_S),
            row("undated", 5.0),
        ]
    )
    assert names(first_few(rows, 3)) == "small large undated"
    assert names(first_few(rows, 9)) == "small large undated near unknown"
    assert names(first_few(rows[1:], 1)) == "large"


def test_of_more_decisions_for_now_those_with_the_most_dollars_are_shown_in_their_order() -> None:
    """A page that asks for the sum of all commitments shows what makes it."""
    rows = (
        row("saves", 900.0, DAY_S, is_now=True),
        row("little", 5.0, DAY_S, is_now=True),
        replace(row("commits", 5.0, DAY_S, is_now=True), committed_usd=800.0),
        row("later", 5000.0),
    )
    assert names(first_few(rows, 2)) == "saves little"
    assert names(first_few(rows, 2, is_by_dollars=True)) == "saves commits"
    assert names(first_few(rows, 4, is_by_dollars=True)).split() == ["saves", "little", "commits", "later"]


def test_a_decision_is_told_with_its_number_and_those_of_its_orders() -> None:
    decision = NextDecision(decision_id="x", kind="end", subject="PO-1 (4 H100)", subject_shortly="PO-1")
    assert str(decision.numbered_title) == "End PO-1 (4 H100)", "it has no number yet"
    named = replace(decision, number=6)
    assert str(named.numbered_title) == "D6: End PO-1 (4 H100)"
    assert str(replace(named, order_numbers=(10, 4)).numbered_shortly) == "D6 (O4, O10): End PO-1"
    assert str(named.numbered_text) == f"D6: {named.text}"


@pytest.mark.parametrize(
    ("usd", "words"),
    [(12.0, "saves $12 in 12 months"), (-12.0, "costs $12 in 12 months"), (None, "a rate is missing")],
)
def test_a_decision_says_what_it_saves(usd: float | None, words: str) -> None:
    by_s = instant_s("2026-10-02") - 1
    decision = NextDecision(
        decision_id="x",
        kind="end",
        subject="PO-1",
        by_s=by_s,
        year_without=usd,
        year_with=0.0,
        unknown="a rate is missing",
    )
    assert str(decision.text) == f"End PO-1 by 1 Oct 2026: {words}"
    assert str(replace(decision, by_s=DAY_S).text) == f"End PO-1: {words}", "a log without dates has no day"


@pytest.mark.parametrize(
    ("year", "monthly", "after", "month", "usd", "words"),
    [
        (
            -400.0,
            100.0,
            24.0,
            16,
            2000.0,
            "costs $400 in 12 months, pays from month 16: $2,000 over its term",
        ),
        (
            -401.0,
            100.0,
            24.0,
            17,
            1999.0,
            "costs $401 in 12 months, pays from month 17: $1,999 over its term",
        ),
        (-400.0, 100.0, 4.0, 16, 0.0, "costs $400 in 12 months, pays from month 16: $0 over its term"),
        (-400.0, 100.0, 3.5, None, -50.0, "costs $400 in 12 months, costs $50 over its term"),
        (-400.0, -10.0, 2.0, None, -420.0, "costs $400 in 12 months, costs $420 over its term"),
        (-400.0, 0.0, 2.0, None, -400.0, "costs $400 in 12 months, costs $400 over its term"),
        (-400.0, 100.0, None, None, None, "costs $400 in 12 months"),
        (-400.0, None, 24.0, None, None, "costs $400 in 12 months"),
        (400.0, 100.0, None, None, None, "saves $400 in 12 months"),
        (None, None, None, None, None, "no rate"),
    ],
)
def test_what_costs_in_twelve_months_says_from_when_it_pays(
    year: float | None,
    monthly: float | None,
    after: float | None,
    month: int | None,
    usd: float | None,
    words: str,
) -> None:
    """By hand: 400 are back after four months at 100."""
    decision = replace(row("a", year), saves_in_month_12=monthly, months_after=after, unknown="no rate")
    assert (decision.pays_from_month, decision.usd_over_term) == (month, usd)
    assert str(decision.text) == f"Order a: {words}"


def test_a_month_that_dividing_dollars_leaves_is_none() -> None:
    """Three months at 0.1 are back after three, although 0.3 / 0.1 is a little more."""
    decision = replace(row("a", -0.30000000000000004), saves_in_month_12=0.1, months_after=9.0)
    assert decision.pays_from_month == 15


def test_what_the_planner_left_is_in_no_document() -> None:
    left = NextDecision(decision_id="contract:PO-1", kind="end", subject="PO-1", is_in_plan=False)
    rows = (row("a", 9.0), left, replace(left, decision_id="saving:x", kind="saving"))
    assert [each.decision_id for each in Outlook(next_decisions=rows).open_decisions] == ["a", "saving:x"]


def test_a_decision_that_was_put_off_is_hidden_until_14_days_before_its_day() -> None:
    """Its day is day 40: it is hidden on day 25, and shown on day 26."""
    rows = (row("a", 1.0, 40 * DAY_S), row("undated", 1.0), row("open", 1.0, 40 * DAY_S))
    plan = Scenario(name="A", postponed=frozenset({"a", "undated", "gone"}))
    states = [[one.state for one in with_states(rows, plan, day * DAY_S + 5)] for day in (0, 25, 26, 40)]
    assert states == [["open", "not_now", "not_now"]] * 2 + [["open", "open", "not_now"]] * 2


def test_decisions_are_listed_by_state_and_what_was_put_off_or_is_done_is_marked() -> None:
    declined = replace(row("left", 1.0), is_in_plan=False)
    done = DoneDecision(decision_id="x:done:3", number=3, kind="end", subject=worded("x"))
    plan = Scenario(name="A", postponed=frozenset({"a"}), done=(done,))
    listed = with_states((replace(row("a", 1.0), number=4), declined, row("b", 1.0)), plan, 0)
    assert [one.state for one in listed] == list(STATES)
    assert [str(one.marked_title) for one in listed] == [
        "Order b",
        "Not now: Order a",
        "Order left",
        "Done: End x",
    ]
    _, put_off, _, noted = listed
    assert str(put_off.numbered_title) == "D4, not now: order a"
    assert str(noted.numbered_text) == "D3, done: end x"


def test_what_is_done_comes_last_with_its_number_and_the_latest_first() -> None:
    first = DoneDecision(decision_id="x:done:3", number=3, kind="end", subject=worded("x"), usd_12_months=7.0)
    latest = replace(first, decision_id="y:done:1", number=1, subject=worded("y"), usd_12_months=None)
    listed = with_states((row("a", 1.0),), Scenario(name="A", done=(first, latest)), 0)
    assert [(one.number, one.state, one.usd_12_months) for one in listed[1:]] == [
        (1, "done", None),
        (3, "done", 7.0),
    ]
    assert str(listed[1].title) == "End y"


def test_a_decision_is_signed_with_the_providers_of_its_orders_not_of_its_contract() -> None:
    first = Order(
        pool=Pool.BURST,
        gpu_model="H100",
        offer_id="m12",
        term_months=12,
        gpus=8.0,
        start_s=0,
        end_s=DAY_S,
        order_by_s=0,
        reason="now",
        provider="New",
    )
    second = replace(first, provider="Other")
    held = replace(row("d", 1.0), kind="replace", provider="Old", contract_id="c")
    assert str(replace(held, orders=(first, first)).provider_words) == "New"
    assert str(replace(held, orders=(first, second)).provider_words) == "New, Other"
    assert replace(held, orders=(replace(first, provider=None),)).provider_words == NO_PROVIDER
    assert held.provider_words == "Old" and not replace(held, provider=None).provider_words
