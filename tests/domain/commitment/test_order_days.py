"""Days of orders as they are seen: what is late, over, overdue or lapsed, what is signed now, rows of orders."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

import pytest

from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import (
    Deadline,
    Seen,
    ToSign,
    VerdictRow,
    deadlines,
    decide_by,
    decisions_of_contracts,
    order_rows,
    orders_as_read,
    seen_on,
    verdict_rows,
)
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order, Verdict
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s, iso_utc
from tests.domain import worlds
from tests.domain.commitment.conftest import Load, case, offer

BEGIN_S = instant_s("2026-10-01")
NOON_S = 12 * HOUR_S
UNDATED_S = 1_000_000
"""A log whose time is counted from 0."""


def order(start: int = 0, ahead: int = 0, months: int = 3, **values: Any) -> Order:
    """4 H100 of offer o, so many days after the plan begins, ordered so many days ahead."""
    start_s = BEGIN_S + start * DAY_S
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="o",
        term_months=months,
        gpus=4.0,
        start_s=start_s,
        end_s=start_s + months * MONTH_S,
        order_by_s=start_s - ahead * DAY_S,
        reason="now",
    )
    return replace(base, **values)


def seen(days: int = 0, hours: int = 0, **values: Any) -> Seen:
    """The plan so many days after it began."""
    return replace(Seen(BEGIN_S + days * DAY_S + hours * HOUR_S, BEGIN_S), **values)


# --- Late, over, overdue, lapsed


@pytest.mark.parametrize(("days", "late"), [(-3, 0), (0, 0), (1, 1), (40, 40)])
def test_days_late_are_counted_by_the_calendar(days: int, late: int) -> None:
    assert seen(days, 23).days_late == late
    assert seen(days, 23).counted_from_s == BEGIN_S + max(days, 0) * DAY_S
    undated = Seen(UNDATED_S + days * DAY_S, UNDATED_S)
    assert (undated.is_dated, undated.days_late, undated.counted_from_s) == (False, 0, UNDATED_S)


def test_a_day_is_past_from_the_next_day_on() -> None:
    at_s = BEGIN_S + 5 * DAY_S + NOON_S
    assert [seen(day, 1).is_past(at_s) for day in (4, 5, 6)] == [False, False, True]
    assert not Seen(UNDATED_S, UNDATED_S).is_past(0)


def test_an_order_is_late_from_its_last_day_until_its_term_is_over() -> None:
    """To be ordered by the midnight of day 10 is by day 9; three months end on day 111 at 6."""
    item = order(20, 10)
    assert [seen(day).is_late(item) for day in (9, 10, 111, 112)] == [False, True, True, False]
    assert [seen(day).is_over(item) for day in (111, 112)] == [False, True]
    assert [seen(day).is_overdue(item) for day in (9, 10)] == [False, True]
    soonest = replace(item, is_soonest=True)  # its own day
    assert [seen(day).is_late(soonest) for day in (10, 11)] == [False, True]
    old = Seen(UNDATED_S + 400 * DAY_S, UNDATED_S)
    assert not old.is_over(item) and not old.is_late(item)


def test_an_order_of_a_quote_that_is_closed_has_lapsed() -> None:
    closed = seen(10, closed=frozenset({"o"}))
    item = order(20, 10)
    assert closed.has_lapsed(item) and not closed.is_overdue(item)
    assert not seen(10).has_lapsed(item)
    assert not Seen(UNDATED_S, UNDATED_S, closed=frozenset({"o"})).has_lapsed(item)
    assert str(closed.order_by(item)).startswith("quote")
    assert str(seen(10).order_by(item)).startswith("overdue")
    assert str(seen(9).order_by(item)) == "10 Oct 2026"  # day 9


def test_days_of_a_plan_without_a_calendar_are_its_months() -> None:
    undated = Seen(UNDATED_S, UNDATED_S)
    moments = [UNDATED_S - DAY_S, UNDATED_S + MONTH_S - 1, UNDATED_S + MONTH_S, UNDATED_S + 11 * MONTH_S]
    assert [str(undated.day(at_s)) for at_s in moments] == [
        "first month",
        "first month",
        "month 2",
        "month 12",
    ]
    assert str(seen().day(BEGIN_S + MONTH_S)) == "31 Oct 2026"


def test_what_is_late_starts_after_its_lead_from_the_day_of_writing_on() -> None:
    item = order(20, 10)
    assert seen(9, 5).starts_s(item) == item.start_s
    assert seen(15, 5, leads_s={"o": 7 * DAY_S}).starts_s(item) == BEGIN_S + 22 * DAY_S
    assert seen(15, 5, leads_s={"o": 2 * DAY_S}).starts_s(item) == item.start_s  # not before its day
    assert seen(15, 5).starts_s(item) == BEGIN_S + 25 * DAY_S  # as far ahead as in the plan
    assert str(seen(15, 5).starts(item)) == "26 Oct 2026"


def test_a_plan_is_seen_with_its_leads_and_closed_offers() -> None:
    offers = [offer("a", 12, 2.0, lead_time_hours=48.0), offer("b", 12, 2.0, valid_until="2026-10-05")]
    found = seen_on(BEGIN_S + 5 * DAY_S, BEGIN_S, offers)
    assert (found.leads_s, found.closed) == ({"a": 2 * DAY_S, "b": 0}, {"b"})
    assert seen_on(BEGIN_S, BEGIN_S, offers).closed == frozenset()


# --- What is signed now, and what later


def test_what_is_due_within_a_month_is_signed_now_the_first_to_order_first() -> None:
    """A month is 30 days and 10 hours: what is due on day 30 is in, on day 31 not."""
    soon, late, edge = order(5, 5), order(50, 20, offer_id="b"), order(41, 10)
    lasting = order(0, 0, reason=IF_IT_LASTS)
    renewed = order(20, 0, reason="follows", follows=True)
    found = seen().to_approve([edge, late, lasting, renewed, soon])
    assert found == (soon, renewed, late)
    assert seen().to_sign_later([edge, late, lasting, renewed, soon]) == (edge,)
    assert seen(1).to_approve([edge]) == (edge,)


def test_what_only_renews_waits_until_a_week_before_its_day() -> None:
    """Seen 10 days late: a month from then would sign both renewals; but the second is due on day 35."""
    first, second = (order(day, 0, 1, reason="follows", follows=True) for day in (20, 35))
    assert seen(10).to_approve([first, second]) == (first,)
    assert seen(27).to_approve([first, second]) == (first,)
    assert seen(29).to_approve([first, second]) == (first, second)
    assert seen(27).to_sign_later([second]) == ()


def test_what_is_over_is_neither_signed_now_nor_later() -> None:
    over = order(-120, 0)
    assert seen().to_approve([over]) == () == seen().to_sign_later([over])


def test_orders_of_one_day_come_by_start_then_offer_then_pool() -> None:
    items = [
        order(4, 4, offer_id="b"),
        order(4, 4, offer_id="a", pool=Pool.TRAINING),
        order(4, 4, offer_id="a", pool=Pool.INFERENCE),
        order(2, 2, offer_id="z"),
        order(3, 4, offer_id="y"),
    ]
    found = seen().to_approve(items)
    assert [(item.offer_id, item.pool) for item in found] == [
        ("y", Pool.TRAINING),
        ("z", Pool.TRAINING),
        ("a", Pool.INFERENCE),
        ("a", Pool.TRAINING),
        ("b", Pool.TRAINING),
    ]


# --- Rows of orders


def listed() -> Any:
    """Three orders, of which the first two join; $ over their terms of 10.6, 10.6 and 10.8, at once 1.4 each."""
    first = order(0, 0, 1, liability=5.3, due_at_once=0.7, cost_per_month=7.4, row=0)
    second = replace(
        first,
        start_s=first.end_s,
        end_s=first.end_s + MONTH_S,
        reason="follows",
        follows=True,
        order_by_s=BEGIN_S,
    )
    third = order(1, 1, 3, offer_id="b", liability=10.8, due_at_once=1.4, cost_per_month=None, row=1)
    return SimpleNamespace(orders=(first, second, third), pools=(), comparison=())


def test_orders_that_join_are_one_row_and_their_dollars_add_up() -> None:
    """10.6 and 10.8 are 21.4: 10 and 11; 1.4 twice is 2.8: the first of equal remainders has the one that is left."""
    rows = ToSign(listed(), seen()).now()
    assert [(len(row.orders), row.whole_cost, row.whole_liability, row.whole_due) for row in rows] == [
        (2, 7, 10, 2),
        (1, None, 11, 1),
    ]
    assert [str(row.starts) for row in rows] == ["1 Oct 2026", "2 Oct 2026"]
    assert ToSign(listed(), seen()).later() == []
    advice = listed()
    advice.orders = (*advice.orders[:2], replace(advice.orders[2], liability=None))
    assert [row.whole_liability for row in ToSign(advice, seen()).now()] == [11, None]


def test_orders_are_read_by_number_or_one_by_one() -> None:
    advice = listed()
    first, second, third = advice.orders
    in_list = [
        ListedOrder(number=3, orders=(third,), order_ids=("c",)),
        ListedOrder(number=8, orders=(first, second), order_ids=("a", "b")),
    ]
    found = [(row.order, row.count, row.ends_s, row.whole_cost) for row in orders_as_read(advice, in_list)]
    assert found == [(third, 1, third.end_s, None), (first, 2, second.end_s, 7)]
    assert [(row.order, row.whole_cost) for row in order_rows(advice)] == [
        (first, 7),
        (second, 7),
        (third, None),
    ]


# --- What becomes of contracts


HELD = Contract(
    contract_id="k",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8_000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    pricing_category=PricingCategory.COMMITTED,
)


def ends(name: str, day: str | None, by: str | None) -> VerdictRow:
    """A contract that is let end on a day, to be decided on by another."""
    end_s = None if day is None else instant_s(day)
    by_s = None if by is None else instant_s(by)
    return VerdictRow(
        Verdict(
            contract_id=name, verdict="let_expire", then_term_months=0, gpus=0.0, order_by_s=by_s, reason=""
        ),
        replace(HELD, contract_id=name, end_s=end_s),
    )


@pytest.mark.parametrize(("hours", "is_over"), [(-1, False), (0, True), (1, True)])
def test_a_contract_has_ended_from_its_end_on(hours: int, is_over: bool) -> None:
    row = ends("k", "2026-12-01", "2026-12-01")
    at_s = instant_s("2026-12-01") + hours * HOUR_S
    assert ("ended" in str(decide_by(row, Seen(at_s, BEGIN_S)))) is is_over


def test_verdicts_stand_beside_the_contracts_that_are_paid() -> None:
    project = case([Load(pool=Pool.TRAINING, gpus=[1.0] * 24)], [HELD]).project
    verdicts = (
        Verdict(contract_id="k", verdict="keep", then_term_months=0, gpus=0.0, order_by_s=None, reason=""),
        Verdict(
            contract_id="gone",
            verdict="keep",
            then_term_months=0,
            gpus=0.0,
            order_by_s=None,
            reason="",
            ends_s=7,
        ),
    )
    rows = verdict_rows(project, SimpleNamespace(verdicts=verdicts))  # type: ignore[arg-type]
    assert [(row.verdict.contract_id, row.contract) for row in rows] == [("k", HELD), ("gone", None)]
    assert [row.ends_s for row in rows] == [None, 7]
    assert verdict_rows(project, None) == []


DECIDED: Final = NextDecision(
    decision_id="contract:K2",
    number=8,
    kind="replace",
    subject="K2 (4 H100) with 2 H100 for 12 months from 2 Apr 2026",
    subject_shortly="K2 (4 H100) with 2 H100",
    by_s=instant_s("2026-02-20"),
    contract_id="K2",
    order_numbers=(4, 12),
)


def test_a_contract_has_the_words_gpus_and_day_of_the_decision_about_it() -> None:
    """Its verdict counts shares of orders that other contracts are replaced by, too."""
    orders = (order(0, gpus=8.0, term_months=12), order(0, gpus=4.0, term_months=1, row=2))
    row = ends("K2", "2027-01-01", "2027-01-01")
    verdict = replace(row.verdict, verdict="replace", gpus=10.0, then_term_months=6)
    decided = replace(row, verdict=verdict, decision=replace(DECIDED, orders=orders))
    assert str(decided.advice) == "D8 (O4, O12): Replace K2 (4 H100) with 2 H100"
    assert (decided.following_gpus, decided.following_term_months) == (12.0, 12)
    assert decided.decide_by_s == DECIDED.by_s
    lasting = replace(decided, verdict=replace(verdict, if_it_lasts_gpus=4.0))
    assert str(lasting.advice).endswith("with 2 H100 (4 more if it lasts)")
    undecided = replace(row, verdict=verdict)
    assert (undecided.following_gpus, undecided.following_term_months) == (10.0, 6)
    assert "K2" not in str(undecided.advice)


def test_a_question_is_no_decision_about_a_contract() -> None:
    asked = replace(DECIDED, kind="question", is_in_plan=False, contract_id="K1")
    assert decisions_of_contracts([DECIDED, asked]) == {"K2": DECIDED}


# --- Deadlines


def due(days: float, contracts: Any = None, plan: Any = None) -> dict[str, tuple[str, str]]:
    """The deadlines of the plan of worlds.py so many days after it begins (31 January 2026, 10:00): day and words."""
    of = worlds.plan()
    project = of.project if contracts is None else replace(of.project, contracts=contracts)
    found = deadlines(project, plan or of.plan, of.advised, worlds.PLAN_S + round(days * DAY_S))
    assert list(found) == sorted(found, key=lambda row: (row.day_s, row.decision_id))
    return {row.decision_id: (iso_utc(row.day_s), str(row.words)) for row in found}


def test_a_deadline_is_the_last_day_on_which_the_act_is_in_time() -> None:
    found = due(0)
    assert found["order:training:H100:12"][0] == "2026-01-31T00:00:00Z"
    # K2 ends on 2 April at 06:00, with 15 days of notice: 18 March, 05:59:59
    assert found["contract:K2"] == ("2026-03-18T00:00:00Z", "End K2 (give notice): $8,760 per month")
    assert found["end:K2"] == ("2026-04-02T00:00:00Z", "K2 ends: $8,760 per month")
    assert found["end:K1"] == ("2026-08-01T00:00:00Z", "K1 ends: $5,840 per month")
    assert "contract:K1" not in found  # no notice is stated
    assert not any("K3" in name for name in found)  # no end


def test_a_deadline_begins_with_the_number_of_its_decision_or_order() -> None:
    of = worlds.plan()
    (order, *_) = of.advised.orders
    in_list = (ListedOrder(number=4, orders=(order,), order_ids=("a",)),)
    words = {
        days: {
            row.decision_id: str(row.words)
            for row in deadlines(
                of.project, of.plan, of.advised, worlds.PLAN_S + days * DAY_S, [DECIDED], in_list
            )
        }
        for days in (0, 50)
    }
    assert words[0]["contract:K2"] == "D8: Replace K2 (4 H100) with 2 H100 (give notice): $8,760 per month"
    assert words[0]["end:K2"] == "D8: K2 ends: $8,760 per month"
    assert words[0]["end:K1"] == "K1 ends: $5,840 per month", "nothing is decided about it"
    late = "D8, overdue: replace K2 (4 H100) with 2 H100 (give notice): $8,760 per month"
    assert words[50]["contract:K2"] == late
    assert sum(text.startswith("O4: Order ") for text in words[0].values()) == 1


def test_a_deadline_of_a_contract_has_the_day_of_its_decision() -> None:
    """The first order is due before the notice; a question is a decision too, and asks for no notice by its words."""
    of = worlds.plan()
    asked = replace(DECIDED, number=9, kind="question", is_in_plan=False)

    def found(decision: NextDecision) -> Deadline:
        rows = deadlines(of.project, of.plan, of.advised, worlds.PLAN_S, [decision])
        return next(row for row in rows if row.decision_id == "contract:K2")

    assert found(DECIDED).day_s == DECIDED.by_s
    notice_days = [str(line) for line in found(DECIDED).details if "2026" in str(line)]
    assert len(notice_days) == 2, "the last day for notice, and the notice to copy"
    assert str(found(asked).words).startswith("D9: ") and "(give notice)" not in str(found(asked).words)
    asked_days = [str(line) for line in found(asked).details if "2026" in str(line)]
    assert len(asked_days) == 1, "the last day for notice; nothing to copy, since nobody decided to end it"
    done = replace(asked, is_done=True)
    assert "D9" not in str(found(done).words), "nothing is asked any more"


def test_what_was_put_off_stays_a_deadline_and_is_marked() -> None:
    """Its decision waits: its notice, the order that follows and the quote of that order say so; its end does not."""
    of = worlds.plan()
    orders = of.advised.orders
    in_list = tuple(
        ListedOrder(number=number, orders=(order,), order_ids=(str(number),))
        for number, order in enumerate(orders, start=1)
    )
    numbers = tuple(order.number for order in in_list)

    def found(waiting: tuple[int, ...], days: int = 0) -> dict[str, str]:
        decision = replace(DECIDED, is_postponed=True, order_numbers=waiting)
        written_s = worlds.PLAN_S + days * DAY_S
        rows = deadlines(of.project, of.plan, of.advised, written_s, [decision], in_list)
        return {row.decision_id: str(row.words) for row in rows}

    marks = {name: ", not now: " in words for name, words in found(numbers).items()}
    assert marks["contract:K2"] and marks["quote:y1"] and not marks["end:K2"]
    assert all(marks[name] for name in marks if name.startswith("order:"))
    of_one = found(numbers[:1])
    assert sum(", not now: " in words for name, words in of_one.items() if name.startswith("order:")) == 1
    assert ", overdue: " in found(numbers, days=50)["contract:K2"]


def test_an_end_or_an_order_by_midnight_is_the_day_before() -> None:
    midnight = instant_s("2026-05-01")
    contracts = [replace(c, end_s=midnight, notice_days=30) for c in worlds.plan().project.contracts[:1]]
    found = due(0, tuple(contracts))
    assert found["end:K1"][0] == "2026-04-30T00:00:00Z"
    assert found["contract:K1"][0] == "2026-03-31T00:00:00Z"


def test_what_has_passed_is_today_and_says_so() -> None:
    found = due(50)  # 22 March, 10:00
    assert found["contract:K2"] == ("2026-03-22T00:00:00Z", "Overdue: end K2 (give notice): $8,760 per month")
    assert found["end:K2"][0] == "2026-04-02T00:00:00Z"
    assert "end:K2" not in due(80)


def test_a_notice_that_was_given_is_no_deadline() -> None:
    found = due(0, plan=replace(worlds.plan().plan, notice_given=("K2",)))
    assert "contract:K2" not in found
    assert "end:K2" in found


def test_a_quote_that_an_order_stands_on_has_its_last_day_and_dollars() -> None:
    found = due(0)
    # 4 and 2 H100 of y1: $90,520 and $45,260
    assert found["quote:y1"] == ("2026-03-01T00:00:00Z", "Quote y1 expires: total commitment $135,780")
    assert "quote:q3" not in found  # valid for ever


def test_an_unknown_amount_is_a_dash_never_0() -> None:
    contracts = tuple(replace(c, rate_usd_per_gpu_hour=None) for c in worlds.plan().project.contracts)
    assert due(0, contracts)["end:K1"][1] == "K1 ends: \u2014 per month"


def test_what_is_paid_by_use_is_ended_and_what_runs_on_has_no_deadline() -> None:
    of = worlds.plan()
    advice = replace(of.advised, verdicts=(replace(of.advised.verdicts[0], verdict="renew"),))
    name = advice.verdicts[0].contract_id
    found = deadlines(of.project, of.plan, advice, worlds.PLAN_S)
    assert not any(row.decision_id.endswith(f":{name}") for row in found)
    ramp = replace(advice.verdicts[0], verdict="let_expire", continued_by="next")
    found = deadlines(of.project, of.plan, replace(advice, verdicts=(ramp,)), worlds.PLAN_S)
    assert not any(row.decision_id.endswith(f":{name}") for row in found)
    by_use = replace(of.project.contracts[0], end_s=None, pricing_category=PricingCategory.STANDARD)
    verdict = replace(advice.verdicts[0], contract_id=by_use.contract_id, verdict="let_expire", ends_s=None)
    project = replace(of.project, contracts=(by_use,))
    (row, *_) = deadlines(project, of.plan, replace(advice, verdicts=(verdict,), orders=()), worlds.PLAN_S)
    assert (row.decision_id, str(row.words)) == ("contract:K1", "End K1: $5,840 per month")


def test_an_order_with_terms_that_are_placed_later_has_the_dollars_of_all() -> None:
    advice = listed()
    first, second, _ = advice.orders
    second = replace(
        second, order_by_s=BEGIN_S + 100 * DAY_S, start_s=BEGIN_S + 101 * DAY_S, end_s=BEGIN_S + 132 * DAY_S
    )
    advice.orders = (first, second)
    numbered = ListedOrder(number=8, orders=(first, second), order_ids=("a", "b"))
    (alone,), (row,) = ToSign(advice, seen()).now(), ToSign(advice, seen(), (numbered,)).now()
    assert (alone.whole_liability, row.whole_liability) == (5, 11)
    assert (row.orders, row.number, row.order) == ((first, second), "O8", first)
