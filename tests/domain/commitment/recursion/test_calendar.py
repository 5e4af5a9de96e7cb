"""When an offer can begin: by leads, by the days of its capacity and of its quote."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar, Start
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, iso_day

BEGIN_S = 1_780_272_000  # 2026-06-01
OFFER = Offer("c", "H100", PricingCategory.COMMITTED, 3, Decimal(2))
PLAN = Calendar(BEGIN_S)


def day(days: float) -> str:
    return iso_day(BEGIN_S + round(days * DAY_S))


@pytest.mark.parametrize(
    ("lead_h", "first", "late", "free_first"),
    [
        (0, 0, 0.0, 0),
        (73, 0, 0.1, 0),
        (730, 0, 1.0, 0),
        (731, 1, 1 / 730, 2),
        (1460, 1, 1.0, 2),
        (1825, 2, 0.5, 3),
    ],
)
def test_a_lead_opens_the_month_in_which_it_ends(
    lead_h: float, first: int, late: float, free_first: int
) -> None:
    offer = replace(OFFER, lead_time_hours=lead_h)
    assert [PLAN.start_in(offer, month) is None for month in range(4)] == [
        month < first for month in range(4)
    ]
    assert PLAN.start_in(offer, first) == Start(pytest.approx(late), 0.0)
    assert PLAN.start_in(offer, first + 1) == Start()
    assert PLAN.delay_s(offer, first) == round(lead_h * HOUR_S)
    free = Calendar(BEGIN_S, free_leads=True)
    assert free.first_month(offer) == free_first
    assert free.start_in(offer, free_first) == Start()


@pytest.mark.parametrize("lead_h", [0, 73, 730, 731, 1825])
def test_a_plan_that_waits_has_the_months_of_one_that_does_not_that_much_later(lead_h: float) -> None:
    offer = replace(OFFER, lead_time_hours=lead_h)
    waiting = replace(PLAN, wait_months=3)
    assert [waiting.start_in(offer, month) for month in range(3)] == [None] * 3
    for month in range(5):
        soon, late = PLAN.start_in(offer, month), waiting.start_in(offer, month + 3)
        assert (soon is None, late is None) in ((True, True), (False, False))
        if soon is not None and late is not None:
            assert late.late == pytest.approx(soon.late)
        assert waiting.delay_s(offer, month + 3) == PLAN.delay_s(offer, month) + 3 * MONTH_S
    assert waiting.by_hand == PLAN.by_hand


def test_a_term_in_days_serves_its_days() -> None:
    fortnight = replace(OFFER, term_months=1, term_days=14)
    assert ANY_TIME.start_in(fortnight, 5) == Start(0.0, pytest.approx(1 - 336 / 730))
    late = replace(fortnight, lead_time_hours=73)
    assert PLAN.start_in(late, 0) == Start(0.1, pytest.approx(1 - 336 / 730 - 0.1))
    cut = replace(fortnight, lead_time_hours=500)  # what its days reach into the next month is not used
    assert PLAN.start_in(cut, 0) == Start(pytest.approx(500 / 730), 0.0)
    six_weeks = replace(OFFER, term_months=2, term_days=42)
    assert PLAN.start_in(six_weeks, 0) == Start(0.0, pytest.approx(2 - 1008 / 730))


def test_a_term_lies_inside_the_days_of_its_capacity() -> None:
    block = replace(OFFER, term_months=1, term_days=14, starts=day(0), ends=day(14))
    assert PLAN.start_in(block, 0) == Start(0.0, pytest.approx(1 - 336 / 730))
    assert PLAN.start_in(block, 1) is None
    assert PLAN.start_in(replace(block, ends=day(13.9)), 0) is None
    assert PLAN.start_in(replace(block, starts=day(2), ends=day(30)), 0) is None
    built = replace(block, starts=day(2), ends=day(30), lead_time_hours=72)
    assert PLAN.start_in(built, 0) == Start(pytest.approx(72 / 730), pytest.approx(1 - 408 / 730))
    quarter = replace(OFFER, ends=day(2190 / 24))
    assert [PLAN.start_in(quarter, month) is None for month in range(2)] == [False, True]
    later = replace(OFFER, starts=day(40))
    assert [PLAN.start_in(later, month) is None for month in range(3)] == [True, True, False]
    assert ANY_TIME.start_in(block, 7) is not None  # where no day is known, dates do not matter


def test_a_quote_that_has_ended_closes_an_offer() -> None:
    offer = replace(OFFER, valid_until=day(31), lead_time_hours=48)
    assert [PLAN.start_in(offer, month) is None for month in range(3)] == [False, False, True]
    assert PLAN.start_in(replace(offer, valid_until=day(-1)), 0) is None
    assert PLAN.start_in(replace(offer, valid_until=day(0)), 0) is not None  # a day counts to its end


def test_months_alike_come_together_and_say_what_each_says() -> None:
    for offer in (
        OFFER,
        replace(OFFER, lead_time_hours=1000),
        replace(OFFER, term_months=2, term_days=40, lead_time_hours=100),
        replace(OFFER, starts=day(40), ends=day(400), valid_until=day(90)),
    ):
        for calendar in (PLAN, Calendar(BEGIN_S, free_leads=True), Calendar(BEGIN_S, not_now=frozenset("c"))):
            found: list[Start | None] = [None] * 12
            for here, start in calendar.starts(offer, 12):
                found[here] = [start] * len(range(12)[here])
            assert found == [calendar.start_in(offer, month) for month in range(12)]


def test_what_may_not_begin_now_may_begin_later() -> None:
    calendar = Calendar(BEGIN_S, not_now=frozenset({"c"}))
    assert calendar.start_in(OFFER, 0) is None
    assert calendar.start_in(OFFER, 1) == Start()


def quoted(asked_day: float, issued_day: float = -10, **values: object) -> Offer:
    """An answer to a row that was asked for on a day of the plan."""
    reference = f"RFQ-{day(issued_day)[:10].replace('-', '')}-AAAA"
    given = {
        "source": f"Quote {reference} R1 for {day(asked_day)[:10]}",
        "valid_until": day(15)[:10],
        **values,
    }
    return replace(OFFER, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("offer", "months"),
    [
        (quoted(0), [0]),
        (quoted(95), [3]),
        (quoted(30), [0, 1]),  # the month ends inside the day
        (quoted(300), [9]),  # ordered by the 15th day all the same
        (quoted(-20), [0]),  # its day has gone by
        (quoted(-40), []),  # a quote for January is not ordered for October
        (quoted(40, issued_day=40), [0, 1]),  # overdue when it was asked for
        (quoted(2, lead_time_hours=1500.0), [2]),
        (quoted(2, starts=day(70)[:10]), [2]),
        (quoted(25, starts=day(40)[:10]), [1]),  # its own day is in the next month
        (quoted(95, valid_until=day(-1)[:10]), []),
        (quoted(95, ends=day(150)), []),
    ],
)
def test_a_quote_is_for_the_month_it_was_asked_for(offer: Offer, months: list[int]) -> None:
    assert [month for month in range(12) if PLAN.start_in(offer, month) is not None] == months
    found = [month for here, _ in PLAN.starts(offer, 12) for month in range(12)[here]]
    assert found == months


def test_a_quote_begins_as_much_later_as_its_vendor_says() -> None:
    start = PLAN.start_in(quoted(95, starts=day(100)[:10]), 3)
    assert start is not None and start.late * 730 == pytest.approx(100 * 24 - 3 * 730)
    assert PLAN.delay_s(quoted(95, starts=day(100)[:10]), 3) == pytest.approx((3 + start.late) * MONTH_S)
    late = PLAN.start_in(quoted(40, issued_day=40, starts=day(45)[:10]), 0)  # wanted at once, on the 40th day
    assert late is not None and late.late == pytest.approx(5 * 24 / 730)
    assert PLAN.start_in(quoted(95, starts=day(90)[:10]), 3) == Start()
    assert PLAN.start_in(quoted(2, lead_time_hours=240.0), 0) == Start(pytest.approx(240 / 730))
    assert Calendar(BEGIN_S, not_now=frozenset("c")).start_in(quoted(95), 3) is None  # too few GPUs
    assert ANY_TIME.months_quoted_for(quoted(95)) is None
