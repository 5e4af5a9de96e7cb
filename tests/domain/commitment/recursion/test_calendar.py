"""When an offer can begin: by leads, by the days of its capacity and of its quote."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.orders import to_sign
from gpuplanner.domain.commitment.recursion.calendar import (
    ANY_TIME,
    Calendar,
    fall_left,
    fall_of,
    has_cycle_of_a_month,
    is_block,
    length_s,
    needed_days,
)
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, iso_day
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.oracle import slicing as slicing_oracle

# --- When an offer can begin: by leads, by the days of its capacity and of its quote -------------

BEGIN_S = 1_780_272_000  # 2026-06-01
OFFER = Offer(
    offer_id="c",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=3,
    rate_usd_per_gpu_hour=Decimal(2),
)
PLAN = Calendar(begin_s=BEGIN_S)


def day(days: float) -> str:
    return iso_day(BEGIN_S + round(days * DAY_S))


def begins(calendar: Calendar, offer: Offer, months: int = 4) -> list[float | None]:
    """Hours after the plan begins at which a commitment of each month would, None where it is closed."""
    begin_s, is_open = calendar.begins(offer, months)
    return [at / HOUR_S if may else None for at, may in zip(begin_s.tolist(), is_open.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("lead_h", "expected", "free"),
    [
        (0, [0, 730, 1460, 2190], [0, 730, 1460, 2190]),
        (73, [73, 730, 1460, 2190], [0, 730, 1460, 2190]),
        (729, [729, 730, 1460, 2190], [0, 730, 1460, 2190]),
        (730, [None, 730, 1460, 2190], [0, 730, 1460, 2190]),
        (731, [None, 731, 1460, 2190], [None, None, 1460, 2190]),
        (1825, [None, None, 1825, 2190], [None, None, None, 2190]),
    ],
)
def test_a_lead_opens_the_month_in_which_it_ends(
    lead_h: float, expected: list[float | None], free: list[float | None]
) -> None:
    offer = replace(OFFER, lead_time_hours=lead_h)
    assert begins(PLAN, offer) == expected
    assert begins(Calendar(begin_s=BEGIN_S, free_leads=True), offer) == free
    assert PLAN.soonest_s(offer) == round(lead_h * HOUR_S)
    assert [PLAN.is_open_in(offer, month) for month in range(4)] == [at is not None for at in expected]


@pytest.mark.parametrize("lead_h", [0, 73, 730, 731, 1825])
def test_a_plan_that_waits_has_the_months_of_one_that_does_not_that_much_later(lead_h: float) -> None:
    offer = replace(OFFER, lead_time_hours=lead_h)
    waiting = replace(PLAN, wait_months=3)
    later = [at if at is None else at + 3 * 730 for at in begins(PLAN, offer)]
    assert begins(waiting, offer, 7) == [None] * 3 + later
    assert waiting.soonest_s(offer) == PLAN.soonest_s(offer) + 3 * MONTH_S
    assert waiting.by_hand == PLAN.by_hand


def test_a_list_waits_for_the_first_day_of_orders_and_what_bridges_or_is_quoted_does_not() -> None:
    waiting, at_once = (
        Calendar(begin_s=BEGIN_S, asked_from_s=19 * DAY_S, own_from_s=8 * DAY_S),
        Calendar(begin_s=BEGIN_S),
    )
    listed = replace(OFFER, lead_time_hours=48.0)
    begin_s, is_open = waiting.begins(listed, 3)
    assert begin_s.tolist() == [21 * DAY_S, MONTH_S, 2 * MONTH_S] and is_open.all()
    month, start_s = replace(listed, term_months=1), BEGIN_S + 10 * DAY_S
    quote = replace(listed, source="Quote RFQ-20260930-7C1E R1", starts=iso_day(start_s))
    for one in (month, quote):
        assert waiting.begins(one, 3)[0].tolist() == at_once.begins(one, 3)[0].tolist()
    assert waiting.by_hand.begins(listed, 3)[0].tolist() == at_once.by_hand.begins(listed, 3)[0].tolist()


def test_the_first_day_of_a_later_month_is_kept_where_vendors_can_reply_in_time() -> None:
    waiting = Calendar(begin_s=BEGIN_S, asked_from_s=19 * DAY_S, own_from_s=8 * DAY_S)
    in_time, late = (replace(OFFER, lead_time_hours=24.0 * days) for days in (22, 23))
    assert waiting.begins(in_time, 2)[0][1] == MONTH_S and waiting.begins(late, 2)[0][1] == 42 * DAY_S
    assert not waiting.is_open_in(in_time, 0) and waiting.is_there(in_time, MONTH_S, MONTH_S)
    assert not waiting.is_there(late, MONTH_S, MONTH_S), "nor a run"


def test_a_block_is_there_as_long_as_its_term_and_is_open_in_the_month_of_its_start() -> None:
    block = replace(OFFER, term_months=1, term_days=14, starts=day(40), ends=day(54))
    assert is_block(block) and length_s(block) == 14 * DAY_S
    assert begins(PLAN, block) == [None, 960.0, None, None]
    assert begins(PLAN, replace(block, lead_time_hours=960.0))[1] == 960.0
    assert begins(PLAN, replace(block, lead_time_hours=961.0)) == [None] * 4
    bare = replace(OFFER, term_months=0, starts=day(10), ends=day(52))
    assert is_block(bare) and length_s(bare) == 42 * DAY_S
    assert begins(PLAN, bare) == [240.0, None, None, None]
    assert not is_block(replace(block, ends=day(55))) and not is_block(replace(block, ends=None))
    assert begins(ANY_TIME, block) == [None] * 4  # nobody knows when its days are
    shorter = replace(block, ends=day(53))  # there for less than its term: nobody could use what is paid
    assert not is_block(shorter) and begins(PLAN, shorter) == [None] * 4


def test_a_term_lies_inside_the_days_of_its_capacity() -> None:
    days = replace(OFFER, term_months=1, term_days=14, starts=day(2), ends=day(40))  # renews for a month
    assert begins(PLAN, days) == [None] * 4
    built = replace(days, lead_time_hours=72)
    assert begins(PLAN, built) == [72.0, None, None, None]
    assert begins(PLAN, replace(built, ends=day(3 + 730 / 24 - 0.01))) == [None] * 4
    quarter = replace(OFFER, ends=day(2190 / 24))
    assert begins(PLAN, quarter) == [0.0, None, None, None]
    later = replace(OFFER, starts=day(40))
    assert begins(PLAN, later) == [None, None, 1460.0, 2190.0]
    assert begins(ANY_TIME, later) == [
        0.0,
        730.0,
        1460.0,
        2190.0,
    ]  # where no day is known, dates do not matter


def test_a_quote_that_has_ended_closes_an_offer() -> None:
    offer = replace(OFFER, valid_until=day(31), lead_time_hours=48)
    assert begins(PLAN, offer) == [48.0, 730.0, None, None]
    assert begins(PLAN, replace(offer, valid_until=day(-1))) == [None] * 4
    assert begins(PLAN, replace(offer, valid_until=day(0)))[0] == 48.0  # a day counts to its end


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
    assert [month for month in range(12) if PLAN.is_open_in(offer, month)] == months
    assert [month for month, at in enumerate(begins(PLAN, offer, 12)) if at is not None] == months


def test_a_quote_begins_as_much_later_as_its_vendor_says() -> None:
    assert begins(PLAN, quoted(95, starts=day(100)[:10]))[3] == pytest.approx(100 * 24)
    wanted_at_once = quoted(40, issued_day=40, starts=day(45)[:10])  # on the 40th day
    assert begins(PLAN, wanted_at_once)[0] == pytest.approx(5 * 24)
    assert (
        begins(PLAN, quoted(95, starts=day(90)[:10]))[3] == 95 * 24.0
    )  # asked for the 95th day: not before it
    assert begins(PLAN, quoted(2, lead_time_hours=240.0))[0] == 240.0
    assert ANY_TIME.months_quoted_for(quoted(95)) is None


# --- What a log is too young to sign for: demand that has gone, and demand that has only just come

HOURS = 2160
RATES = {1: 4.2, 3: 3.6, 6: 3.2, 12: 2.9, 36: 2.2}
OFFERS = [offer("od", 0, 6.88), *(offer(f"c{term}", term, rate) for term, rate in RATES.items())]
AS_IT_IS: dict[str, Any] = {
    "recency_half_life_days": 14,
    "demand_fall_closes": True,
    "slices_lived": True,
    "sigma": 0.0,
    "delta": 0.0,
}


def advised(
    *demands: Sequence[float], contracts: Sequence[Any] = (), offers: Any = OFFERS, **more: Any
) -> Advice:
    values = {"lambda_": 0.01} | AS_IT_IS | more
    made = case([Load(pool=Pool.TRAINING, gpus=list(gpus)) for gpus in demands], contracts, offers, **values)
    return advise(made.project, made.project.scenarios[0], made.pools, audit())


def signed(advice: Advice) -> dict[int, float]:
    terms: dict[int, float] = {}
    for layer in advice.pools[0].layers:
        if layer.term_months:
            terms[layer.term_months] = terms.get(layer.term_months, 0.0) + layer.gpus
    return terms


def codes(advice: Advice) -> dict[str, str]:
    return {check.code: check.message for check in advice.checks}


def spell(gpus: float, from_day: float, to_day: float) -> np.ndarray:
    """So many GPUs between two days before the window's end, none otherwise."""
    demand = np.zeros(HOURS)
    demand[HOURS - round(24 * from_day) : HOURS - round(24 * to_day)] = gpus
    return demand


def test_steady_demand_may_take_every_term() -> None:
    advice = advised(spell(40, 90, 0))
    assert signed(advice) == {36: 40.0} and "demand_fell" not in codes(advice)


def test_what_was_switched_off_32_days_ago_is_not_signed_for() -> None:
    advice = advised(spell(40, 90, 32))
    assert not advice.pools and not advice.orders
    assert "counted as ended at no cost: c1/team/load-000." in str(codes(advice)["demand_fell"])
    assert [check.severity for check in advice.checks if check.code == "demand_fell"] == ["red"]


def test_what_still_runs_beside_it_signs_for_three_months_at_most() -> None:
    advice = advised(spell(40, 90, 20), spell(8, 90, 0))
    assert max(signed(advice)) == 3 and sum(signed(advice).values()) == 8
    assert max(order.term_months for order in advice.orders) == 3
    assert str(codes(advice)["demand_fell"]).endswith("Stopped: c1/team/load-000")


def test_a_service_of_which_a_quarter_still_runs_fell_and_did_not_stop() -> None:
    """64 replicas until 31 days ago, 16 since; beside it 8 GPUs that stopped ten days ago."""
    words = str(codes(advised(spell(64, 90, 31) + spell(16, 31, 0), spell(8, 90, 10)))["demand_fell"])
    assert words.endswith(". Stopped: c1/team/load-001. Fell: c1/team/load-000")


def test_a_large_training_that_ended_six_weeks_ago() -> None:
    advice = advised(spell(512, 90, 42), spell(8, 90, 0))
    assert sum(signed(advice).values()) == 8 and "demand_fell" in codes(advice)


def test_demand_that_falls_from_40_to_5() -> None:
    falling = np.where(np.arange(HOURS) < HOURS - 24 * 20, 40.0, 5.0)
    advice = advised(falling)
    assert sum(signed(advice).values()) <= 5 and set(signed(advice)) <= {1, 3}


@pytest.mark.parametrize("before", [0.0, 3.0])
def test_a_run_of_three_weeks_alone_signs_for_a_month_and_what_follows_hangs_on_it(before: float) -> None:
    """No term over a month for the new slices, in layers and in orders but those that say so."""
    own = {36: before} if before else {}
    advice = advised(spell(108, 21, 0) + before)
    assert signed(advice) == own | {1: 108.0} and "demand_fell" not in codes(advice)
    terms = {order.term_months for order in advice.orders if order.reason != "if_it_lasts"}
    assert terms == {1, *own}
    without = advised(spell(108, 21, 0) + before, offers=[one for one in OFFERS if one.offer_id != "c1"])
    assert signed(without) == own
    later = [order for order in without.orders if order.reason == "if_it_lasts"]
    assert sum(order.gpus for order in later) == 108.0 and not to_sign(later, 2**60)
    assert all(order.gpus == before for order in without.orders if order not in later)


def test_what_ran_last_more_than_four_days_ago_signs_nothing_now() -> None:
    assert signed(advised(spell(6, 90, 0) + spell(4, 90, 4.1))) == {36: 6.0}
    assert signed(advised(spell(6, 90, 0) + spell(4, 90, 3.9))) == {36: 6.0, 1: 4.0}
    assert signed(advised(spell(6, 90, 0) + spell(4, 90, 1.9)))[36] > 6


def test_a_slice_under_a_contract_has_lived_when_the_contract_ends() -> None:
    """40 GPUs on a contract to month 5: the slices it leaves free then ran all the time."""
    advice = advised(spell(40, 90, 0), contracts=[contract("k1", 40, 3.0, 5, HOURS)])
    (order,) = advice.orders
    assert (order.gpus, order.reason, order.term_months) == (40.0, "contract_end", 36)


def test_the_old_rules_sign_for_what_is_gone() -> None:
    old: dict[str, Any] = {"slices_lived": False, "recency_half_life_days": None}
    assert 36 in signed(advised(spell(40, 90, 20), demand_fall_closes=False, **old))
    assert 36 in signed(advised(spell(40, 21, 0), slices_lived=False))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=40))
def test_a_fall_is_less_than_60_percent_or_a_week_of_silence(by_day: list[int]) -> None:
    hourly = np.repeat(np.array(by_day, dtype=np.float64), 24)
    last, silent = by_day[-14:], not any(by_day[-7:])
    is_less = 10 * sum(last) * len(by_day) < 6 * sum(by_day) * len(last)
    fall = fall_of(hourly)
    assert (fall is not None) == (any(by_day) and (silent or is_less))
    if fall is not None:
        assert fall.is_silent == silent and (silent or fall.share < 0.6)


@given(*(st.lists(st.integers(0, 50), min_size=30, max_size=30) for _ in range(2)))
def test_a_date_makes_no_fall_where_the_whole_had_none(dated: list[int], undated: list[int]) -> None:
    """And where the whole fell, the fall that is said is that of what has no date."""
    gave, rest = (np.repeat(np.array(one, dtype=np.float64), 24) for one in (dated, undated))
    whole = gave + rest
    assert fall_left(whole, whole) == fall_of(whole)
    assert fall_left(whole, rest) == (fall_of(rest) if fall_of(whole) else None)
    if fall_of(whole) is None:
        assert fall_left(whole, rest) is None


def by_days(*gpus_and_days: tuple[float, int]) -> np.ndarray:
    """Hours of days with so many GPUs, one stretch after another."""
    return np.concatenate([np.full(24 * days, gpus) for gpus, days in gpus_and_days])


MONTHLY = [(9.0, 3), (0.0, 27)]


@pytest.mark.parametrize(
    ("log", "has_cycle"),
    [
        (by_days((0.0, 10), *MONTHLY * 2), True),
        (by_days((0.0, 10), *MONTHLY * 2, (9.0, 3)), True),  # the low was there at the end of days before
        (by_days(*MONTHLY, (9.0, 40)), False),  # the low of 36 days ago is no newer one
        (by_days((9.0, 60), (0.0, 20)), False),  # a fall that was never there before
        (by_days(*[(9.0, 1), (0.0, 6)] * 10), False),  # a week is no month
        (by_days((9.0, 90)), False),
        (by_days((0.0, 90)), False),
        (by_days((0.0, 14), (9.0, 3)), False),
        (by_days((0.0, 14), (9.0, 14), (0.0, 5)), False),  # five days are no low
        (by_days((0.0, 14), (9.0, 14), (1.0, 14)), True),
        (by_days((0.0, 14), (9.0, 14), (1.0, 14), (9.0, 29)), True),  # 29 days back it was less than 60%
        (by_days((0.0, 14), (9.0, 14), (1.0, 14), (9.0, 37)), False),
        (by_days((0.0, 14), (9.0, 14), (4.0, 14)), False),  # 4 of a mean of 4.33
    ],
)
def test_a_cycle_of_a_month_is_a_low_of_the_last_days_that_was_there_before(
    log: np.ndarray, has_cycle: bool
) -> None:
    assert has_cycle_of_a_month(log) is has_cycle
    assert slicing_oracle.has_cycle_of_a_month(log) is has_cycle


def test_days_that_terms_need() -> None:
    months = np.array([2, 3, 4, 6, 36]) * MONTH_S
    assert needed_days(months).tolist() == [20, 30, 40, 45, 45]
    assert needed_days(np.array([42 * DAY_S])).tolist() == pytest.approx([10 * 42 * 24 / 730])


def test_a_block_is_as_long_as_it_is_there_or_as_its_term() -> None:
    """30 days from 1 February 2026 are 720 hours, and a month is 730."""
    days = {"starts": "2026-02-01", "ends": "2026-03-03"}
    block, month = (offer("b", term, 2.0, **days) for term in (0, 1))
    assert (length_s(block), length_s(month)) == (30 * 86_400, 730 * 3600)
    by_days = replace(month, term_months=0, term_days=30)
    assert [is_block(each) for each in (block, month, by_days)] == [True, False, True]
    assert not is_block(replace(block, ends=None)) and not is_block(replace(block, ends="2026-02-01"))
