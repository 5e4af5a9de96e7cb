"""Existing contracts over time, at the very edges of a month."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import numpy as np
import pytest

from gpuplanner.domain.model.book.contract import (
    Contract,
    continued,
    gpus_in_month,
    in_month,
    mean_gpus,
    mean_rates_in_month,
    merit,
    month_start_s,
    paid_and_used,
    paid_for,
    runs_at,
    turn_words,
    usd_in_month,
)
from gpuplanner.domain.model.book.renewal import (
    first_end_s,
    has_notice_passed,
    notice_by_s,
    notice_s,
    remaining_months,
    with_renewal,
)
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, Window, instant_s

WINDOW = Window(0, 2160)
END_S = WINDOW.end_s
CONTRACT = Contract(
    contract_id="k",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8000,
    rate_usd_per_gpu_hour=Decimal("2.50"),
    start_s=0,
    end_s=END_S + MONTH_S,
)


def test_what_does_not_renew_ends_whatever_its_notice() -> None:
    contract = replace(CONTRACT, end_s=END_S + 30 * DAY_S, notice_days=90, term_months=12)
    assert has_notice_passed(contract, END_S, END_S)
    ends = replace(contract, renews_months=0)
    assert not has_notice_passed(ends, END_S, END_S) and with_renewal(ends, END_S, END_S) is ends
    assert (notice_s(ends), notice_by_s(ends, ends.end_s)) == (0, None)
    assert (
        remaining_months(replace(ends, end_s=None), WINDOW) == 90 * DAY_S / MONTH_S
    )  # nothing ends it but notice


def test_the_last_day_for_notice_is_the_last_day_of_the_contract_less_the_notice() -> None:
    ends = replace(CONTRACT, end_s=instant_s("2027-02-01"), notice_days=92)
    by_s = notice_by_s(ends, ends.end_s)
    assert ends.end_s is not None and by_s is not None
    assert by_s // DAY_S == (ends.end_s - 1) // DAY_S - 92 == instant_s("2026-10-31") // DAY_S
    assert not has_notice_passed(ends, by_s + 1, END_S) and has_notice_passed(ends, by_s + 2, END_S)
    assert notice_by_s(replace(ends, end_s=None), None) is None


def test_months_begin_where_the_window_ends() -> None:
    assert [month_start_s(WINDOW, month) - END_S for month in (0, 1, 12)] == [0, MONTH_S, 12 * MONTH_S]


@pytest.mark.parametrize(
    ("start_s", "end_s", "hours"),
    [
        (0, END_S + MONTH_S, [730, 0, 0]),
        (0, END_S + MONTH_S - HOUR_S, [729, 0, 0]),
        (END_S, END_S + 2 * MONTH_S, [730, 730, 0]),
        (END_S + HOUR_S // 2, END_S + MONTH_S + HOUR_S, [729.5, 1, 0]),
        (END_S + MONTH_S, None, [0, 730, 730]),
        (0, END_S, [0, 0, 0]),
    ],
)
def test_a_month_has_a_contract_for_the_hours_that_it_runs(
    start_s: int, end_s: int | None, hours: list[float]
) -> None:
    """8 GPUs at $2.50: in each month they are held, and paid, for these hours of it."""
    contract = replace(CONTRACT, start_s=start_s, end_s=end_s)
    for month, ran in enumerate(hours):
        assert in_month([contract], WINDOW, month) == ((contract,) if ran else ())
        assert usd_in_month([contract], WINDOW, month) == pytest.approx(8 * 2.5 * ran)
        assert gpus_in_month([contract], WINDOW, month) == pytest.approx(8 * ran / 730)


def test_its_end_is_no_moment_of_it() -> None:
    assert [runs_at(CONTRACT, at_s) for at_s in (-1, 0, END_S + MONTH_S - 1, END_S + MONTH_S)] == [
        False,
        True,
        True,
        False,
    ]
    assert runs_at(replace(CONTRACT, end_s=None), 10**12)


@pytest.mark.parametrize(
    ("end_days", "renews", "term", "later_months"),
    [
        (60, 6, 12, 6),  # by what it renews by, not by its term
        (60, None, 12, 0),  # a notice alone is no renewal
        (60, 0, 12, 0),
        (60, 1, None, 1),  # a month at a time: 60 days and a month are past 90 days of notice
        (10, 1, None, 3),  # 80 days short, in months of 730 h: 30.4, 60.8 and 91.25 days
        (90, 6, 12, 0),  # there is time yet for notice
        (120, 6, 12, 0),
        (-1, 6, 12, 0),  # it is over
    ],
)
def test_it_renews_as_often_as_it_takes_once_its_notice_has_passed(
    end_days: int, renews: int | None, term: int | None, later_months: int
) -> None:
    contract = replace(
        CONTRACT, end_s=END_S + end_days * DAY_S, notice_days=90, renews_months=renews, term_months=term
    )
    renewed = with_renewal(contract, END_S, END_S)
    assert renewed == replace(contract, end_s=contract.end_s + later_months * MONTH_S)
    assert renewed is contract or not has_notice_passed(renewed, END_S, END_S)


OPEN = replace(CONTRACT, end_s=None)


@pytest.mark.parametrize(
    ("contract", "may", "first_s"),
    [
        (CONTRACT, False, None),
        (replace(CONTRACT, notice_days=90), False, None),  # a notice alone is no renewal
        (replace(CONTRACT, renews_months=0), False, None),
        (replace(CONTRACT, renews_months=6), True, END_S + MONTH_S),
        (replace(CONTRACT, renews_months=6, notice_days=30), True, END_S + MONTH_S),
        (replace(CONTRACT, renews_months=6, notice_days=31), True, END_S + 7 * MONTH_S),  # bound once more
        (replace(CONTRACT, renews_months=6, end_s=END_S), True, None),  # it is over
        (replace(CONTRACT, renews_months=6, pricing_category=PricingCategory.STANDARD), False, None),
        (OPEN, False, None),
        (replace(OPEN, notice_days=0), True, END_S + DAY_S),  # a day at least
        (replace(OPEN, notice_days=30), True, END_S + 30 * DAY_S),
        (replace(OPEN, renews_months=1), True, 3 * MONTH_S),  # a month that it renews for ends on its day
        (replace(OPEN, renews_months=1, notice_days=60), True, 5 * MONTH_S),
        (replace(OPEN, notice_days=30, start_s=END_S + 90 * DAY_S), True, END_S + 91 * DAY_S),  # it has run
    ],
)
def test_what_may_renew_has_a_first_end(contract: Contract, may: bool, first_s: int | None) -> None:
    assert contract.may_renew is may
    assert first_end_s(contract, END_S, END_S) == first_s


def test_56_it_runs_out_by_months_of_730_hours_where_time_has_no_calendar() -> None:
    """480 h to run, 60 days of notice that have passed, renews by 3 months: 2,670 h. In a log with days it is the same
    day three months later, as a contract says (from 1 April 2026: 21 July, 2,664 h).
    """
    for begin_s, runs_out_h in ((END_S, 2670), (instant_s("2026-04-01"), 2664)):
        held = replace(CONTRACT, end_s=begin_s + 480 * HOUR_S, notice_days=60, renews_months=3)
        assert first_end_s(held, begin_s, begin_s) == begin_s + runs_out_h * HOUR_S


@pytest.mark.parametrize(
    ("end", "months", "notice", "begin", "renewed", "notice_by"),
    [
        ("2027-01-31", 6, 92, "2026-11-25", "2027-07-31", "2027-04-29"),
        ("2027-02-01", 6, 92, "2026-11-25", "2027-08-01", "2027-04-30"),
        ("2027-01-31", 1, 30, "2027-02-05", "2027-03-31", "2027-02-28"),
        ("2027-12-15", 12, 30, "2027-12-01", "2028-12-15", "2028-11-14"),
        ("2026-10-31T23:00:00", 6, 30, "2026-10-31", "2027-04-30T23:00:00", "2027-03-31"),
    ],
)
def test_a_contract_renews_by_the_calendar(
    end: str, months: int, notice: int, begin: str, renewed: str, notice_by: str
) -> None:
    """Six months of 730 h would have ended two days later, and so would have its notice. Law: what is prepaid again is
    paid by the length of each renewal.
    """
    own = replace(
        CONTRACT,
        end_s=instant_s(end),
        notice_days=notice,
        renews_months=months,
        prepaid_usd=Decimal(1000),
        start_s=instant_s("2026-01-31"),
    )
    after = with_renewal(own, instant_s(begin), instant_s("2026-10-01"))
    ends_s, last_s, span_s = after.end_s, notice_by_s(after, after.end_s), own.prepaid_s
    assert (
        ends_s == instant_s(renewed)
        and last_s is not None
        and last_s // DAY_S == instant_s(notice_by) // DAY_S
    )
    paid = after.prepaid_between(0, ends_s)
    assert span_s is not None and paid == pytest.approx(1000 * (ends_s - own.start_s) / span_s)


@pytest.mark.parametrize("end", [None, "2026-07-01"])
def test_what_is_prepaid_by_term_is_paid_whole_with_each_on_its_day_and_by_length_where_it_is_cut(
    end: str | None,
) -> None:
    """Without an end invoices were of 50,411 and 49,589 $, the first at noon, for the lengths of the terms differ."""
    own = replace(
        CONTRACT,
        start_s=instant_s("2026-01-01"),
        end_s=None if end is None else instant_s(end),
        term_months=6,
        prepaid_usd=Decimal(50_000),
    )
    stops_s = instant_s("2028-10-01")
    days = [instant_s(f"{year}-{month}-01") for year in (2026, 2027, 2028) for month in ("01", "07")]
    for held in (own.ending(None), own.ending(stops_s)):
        assert [held.prepaid_between(day, day + 1) for day in days[:5]] == [50_000.0] * 5
        assert held.prepaid_between(0, days[5]) == 5 * 50_000.0
    cut = 50_000 * (stops_s - days[5]) / (instant_s("2029-01-01") - days[5])
    assert held.prepaid_between(days[5], 2 * stops_s) == pytest.approx(cut)


def test_what_is_prepaid_by_term_from_the_31st_is_due_on_the_last_days_of_months() -> None:
    """From 31 August by six months it was due on 28 February and then each 28 August, three days before each term."""
    own = replace(
        CONTRACT, start_s=instant_s("2026-08-31"), end_s=None, term_months=6, prepaid_usd=Decimal(900)
    )
    days = [instant_s(day) for day in ("2026-08-31", "2027-02-28", "2027-08-31", "2028-02-29", "2028-08-31")]
    assert [own.prepaid_between(day, day + DAY_S) for day in days] == [900.0] * 5
    assert own.prepaid_between(0, days[4]) == 4 * 900.0
    ended = own.ending(own.renewed_until_s(own.start_s, days[2]))  # by notice, as it renews
    assert (ended.end_s, ended.prepaid_between(0, days[4])) == (days[2], 2 * 900.0)


@pytest.mark.parametrize(
    ("renews", "notice", "months"), [(1, None, 2), (1, 30, 2), (12, 30, 12), (None, 30, None)]
)
def test_one_that_ended_between_the_log_and_the_plan_has_renewed_where_it_says_so(
    renews: int | None, notice: int | None, months: int | None
) -> None:
    """Ten days after the log it ends, a month after that the plan begins: a month was not enough, two are."""
    contract = replace(
        CONTRACT, end_s=END_S + 10 * DAY_S, notice_days=notice, renews_months=renews, term_months=12
    )
    begin_s = END_S + 10 * DAY_S + MONTH_S
    renewed = with_renewal(contract, begin_s, END_S)
    assert renewed == replace(contract, end_s=contract.end_s + (months or 0) * MONTH_S)
    assert with_renewal(contract, begin_s, begin_s) is contract  # the log saw it end


def test_a_contract_without_an_end_binds_for_its_notice() -> None:
    assert remaining_months(CONTRACT, WINDOW) == 1
    endless = replace(CONTRACT, end_s=None)
    assert remaining_months(endless, WINDOW) == 0
    assert remaining_months(replace(endless, notice_days=73), WINDOW) == 73 * DAY_S / MONTH_S


def test_committed_first_then_the_lower_rate_then_the_id() -> None:
    rows = [
        replace(CONTRACT, contract_id="b", rate_usd_per_gpu_hour=Decimal("1.10")),
        replace(CONTRACT, contract_id="c", rate_usd_per_gpu_hour=Decimal("1.10")),
        replace(CONTRACT, contract_id="a", rate_usd_per_gpu_hour=Decimal("1.20")),
        replace(CONTRACT, contract_id="0", rate_usd_per_gpu_hour=None),
        replace(CONTRACT, contract_id="1", rate_usd_per_gpu_hour=Decimal(0)),
        replace(CONTRACT, contract_id="00", pricing_category=PricingCategory.STANDARD),
    ]
    for order in permutations(rows):
        assert sorted(order, key=merit) == rows


def test_a_rate_that_moves_who_serves_first_says_so() -> None:
    """Without one a contract serves last of those of its model on its cluster; others do not count."""
    typed, other = CONTRACT, replace(CONTRACT, contract_id="a", rate_usd_per_gpu_hour=Decimal(3))
    without = replace(typed, rate_usd_per_gpu_hour=None)
    assert "H100 contracts on c" in str(turn_words(typed, [other, without], [other, typed]))
    dear = replace(typed, rate_usd_per_gpu_hour=Decimal(4))
    elsewhere = replace(other, cluster="d")
    assert not turn_words(dear, [other, without], [other, dear])
    assert not turn_words(typed, [elsewhere, without], [elsewhere, typed])


def test_an_unknown_rate_is_no_gift() -> None:
    unknown = replace(CONTRACT, rate_usd_per_gpu_hour=None)
    free = replace(CONTRACT, rate_usd_per_gpu_hour=Decimal(0))
    assert usd_in_month([CONTRACT, CONTRACT], WINDOW, 0) == 2 * 8 * 2.5 * 730
    assert usd_in_month([], WINDOW, 0) == 0
    assert usd_in_month([CONTRACT, unknown], WINDOW, 0) is usd_in_month([free], WINDOW, 0) is None
    double = replace(CONTRACT, milli_gpus=24_000, rate_usd_per_gpu_hour=Decimal("4.50"))
    for some, rate in (
        ([CONTRACT, double], 4.0),
        ([CONTRACT, replace(double, end_s=END_S + MONTH_S // 2)], (8 * 2.5 + 12 * 4.5) / 20),
    ):
        assert mean_rates_in_month(some, WINDOW, 0) == (pytest.approx(rate), pytest.approx(rate))
    for some in ([], [CONTRACT, unknown]):
        assert mean_rates_in_month(some, WINDOW, 0) == (None, None)


def test_idle_gpus_of_take_or_pay_cost_what_the_minimum_pays_beyond_use() -> None:
    """32 GPUs at $2, 25%: 8 are paid at least. With 4 in use 4 of the 28 that are idle are; with 8 or more none is."""
    taken = replace(
        CONTRACT, milli_gpus=32_000, take_or_pay_percent=25.0, rate_usd_per_gpu_hour=Decimal("2.00")
    )
    other = replace(CONTRACT, contract_id="full", rate_usd_per_gpu_hour=Decimal("3.00"))
    for used, idle_usd in ((4.0, 8.0), (8.0, 0.0), (20.0, 0.0), (0.0, 16.0)):
        held, spent = np.array([[32.0], [8.0]]), np.array([[used], [2.0]])
        (paid,) = paid_for((taken, other), held, spent).T
        each = []
        for one, *amounts in zip((taken, other), paid, (used, 2.0), (32.0, 8.0), strict=True):
            paid_share, used_share = paid_and_used(one, *amounts)
            each.append(replace(one, paid_share=paid_share, used_share=used_share))
        of_taken = each[0]
        assert of_taken.idle_rate * (32 - used) == pytest.approx(idle_usd)
        assert of_taken.full_rate == 2.0 and each[1].rates == dict.fromkeys(each[1].rates, 3.0)
        serving, idle = mean_rates_in_month(each, WINDOW, 0)
        assert serving * (used + 2) == pytest.approx(used * 2.0 + 2 * 3.0)
        assert idle * (32 - used + 6) == pytest.approx(idle_usd + 6 * 3.0)


def test_a_contract_of_which_nothing_has_to_be_paid_owes_nothing() -> None:
    """0% is a share that was stated: nobody stated one only where it is None."""
    assert replace(CONTRACT, take_or_pay_percent=0.0).owed_rate == 0.0
    assert CONTRACT.owed_rate == CONTRACT.bare_rate == 2.5


def test_what_goes_on_in_a_line_of_its_own_contract_is_a_step_of_it() -> None:
    step = replace(
        CONTRACT, contract_id="k (2)", milli_gpus=16000, start_s=END_S + MONTH_S, end_s=END_S + 3 * MONTH_S
    )
    last = replace(step, contract_id="k (3)", start_s=END_S + 3 * MONTH_S, end_s=None)
    assert continued((last, CONTRACT, step)) == {"k": step, "k (2)": last}
    for change in ({"cluster": "d"}, {"gpu_model": "H200"}, {"start_s": END_S}, {"contract_id": "l (2)"}):
        assert "k" not in continued((CONTRACT, replace(step, **change), last))


def test_mean_gpus_of_a_window_count_the_hours_in_which_a_contract_runs() -> None:
    halves = [replace(CONTRACT, end_s=END_S // 4), replace(CONTRACT, start_s=END_S // 4)]
    assert [mean_gpus(one, WINDOW) for one in (CONTRACT, *halves)] == [8, 2, 6]
    assert mean_gpus(replace(CONTRACT, start_s=END_S), WINDOW) == 0
