"""Money of a contract: its SLA, prepaid amounts, deposits, take or pay, ramps, notice and mean rates."""

from dataclasses import replace
from decimal import Decimal
from math import inf
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.model.book.contract import (
    Contract,
    filed_term,
    gpus_in_month,
    hours_in,
    in_force,
    is_money,
    last_of_ramp,
    mean_gpus,
    mean_rate,
    mean_rates_in_month,
    merit,
    month_start_s,
    network_of,
    only_cluster_of,
    paid_and_used,
    paid_for,
    parts_of_ramp,
    since_log,
    term_text,
    turn_words,
    usd_by_hour,
    usd_in_month,
    with_known_terms,
    with_terms,
)
from gpuplanner.domain.model.book.extras import sla_hours, sla_usd
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.renewal import (
    bound_usd,
    decided_by_s,
    has_notice_passed,
    notice_by_s,
    remaining_months,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, Window, instant_s
from tests.domain import worlds

WINDOW = Window(0, 730)
BASE = Contract(
    contract_id="k",
    cluster="c1",
    gpu_model="H100",
    milli_gpus=4000,
    rate_usd_per_gpu_hour=Decimal(2),
    start_s=0,
)


def k(**changes: Any) -> Contract:
    return replace(BASE, **changes)


def test_an_sla_leaves_hours_open_at_the_rate() -> None:
    """99% of 730 h leave 7.3 h: 4 GPUs at $2 are $58.40."""
    assert (sla_hours(99.0), sla_hours(100.0), sla_hours(None)) == (7.3, 0.0, None)
    assert sla_usd(99.0, 4.0, 2.0) == pytest.approx(58.4)
    assert sla_usd(99.0, 4.0, None) is sla_usd(None, 4.0, 2.0) is None
    assert k(sla_percent=99.0).sla_usd_per_month == pytest.approx(58.4)


@pytest.mark.parametrize(
    ("word", "gbps", "rdma", "network"),
    [
        ("infiniband", None, None, "infiniband"),
        ("infiniband", 399, None, "ethernet"),
        ("infiniband", 400, None, "infiniband"),
        ("infiniband", 3200, False, "roce_400"),
        ("nvlink", None, False, "roce_400"),
        ("ethernet", 400, None, "roce_400"),
        ("ethernet", None, False, "ethernet"),
        (None, None, None, None),
    ],
)
def test_a_network_trains_like_its_gigabits(
    word: str | None, gbps: float | None, rdma: bool | None, network: str | None
) -> None:
    assert network_of(word, gbps, rdma) == network


def test_what_is_prepaid_is_spread_over_its_hours() -> None:
    """$2,920 of 4 GPUs over 730 h are $1 an hour."""
    paid = k(prepaid_usd=Decimal(2920), end_s=MONTH_S)
    assert (paid.prepaid_s, paid.prepaid_rate, paid.rate) == (MONTH_S, 1.0, 3.0)
    assert k(prepaid_usd=Decimal(2920), term_months=2).prepaid_rate == 0.5
    assert k(prepaid_usd=Decimal(2920), end_s=9 * MONTH_S, prepaid_until_s=MONTH_S).prepaid_rate == 1.0
    endless = k(prepaid_usd=Decimal(2920))
    assert endless.prepaid_s is endless.prepaid_rate is endless.rate is None
    assert k().prepaid_rate == 0.0 and k(rate_usd_per_gpu_hour=None).rate is None
    assert k(rate_usd_per_gpu_hour=None, prepaid_usd=Decimal(2920), end_s=MONTH_S).rate == 1.0
    assert usd_by_hour(paid, 0, 10 * HOUR_S) == 4 * 2 * 10 and usd_by_hour(endless, 0, 9) is None
    assert paid.ending(2 * MONTH_S).prepaid_until_s == MONTH_S
    assert k().ending(5) == k(end_s=5)
    assert k(prepaid_usd=Decimal(1)).ending(5).prepaid_until_s is None


def test_a_renewal_of_another_length_than_the_term_is_prepaid_by_its_length() -> None:
    """Six months are prepaid with $900, then it renews by three: 92 days of July to September, of 182.5."""
    by_term = k(start_s=instant_s("2026-01-01"), term_months=6, renews_months=3, prepaid_usd=Decimal(900))
    days = [instant_s(f"2026-{month}-01") for month in ("01", "04", "07", "10")]
    usd = [by_term.prepaid_between(at_s, at_s + 1) for at_s in days]
    assert usd == pytest.approx([900, 0, 900 * 92 / 182.5, 900 * 92 / 182.5])
    # cut on 15 August: 45 days of the first renewal
    assert by_term.ending(instant_s("2026-08-15")).prepaid_between(days[2], days[3] + 1) == pytest.approx(
        900 * 45 / 182.5
    )
    assert by_term.prepaid_between(0, days[0]) == 0.0
    nothing = replace(by_term, prepaid_usd=None)
    assert nothing.prepaid_between(0, days[3]) == 0.0


def test_renewals_after_a_stated_end_are_prepaid_from_that_end_on() -> None:
    """From 31 August to 28 February, and then by six months to 28 August, not to 31 August."""
    ends = [instant_s(text) for text in ("2026-08-31", "2027-02-28", "2027-08-28", "2027-08-31")]
    own = k(start_s=ends[0], end_s=ends[1], renews_months=6, prepaid_usd=Decimal(900))
    renewed = own.ending(ends[3] + 400 * DAY_S)
    assert [renewed.prepaid_between(at_s, at_s + 1) for at_s in ends] == [900.0, 900.0, 900.0, 0.0]
    assert own.prepaid_between(0, ends[3]) == 900.0


def test_deposits_come_back_at_the_end() -> None:
    held = k(deposit_usd=Decimal(100), start_s=HOUR_S, end_s=3 * HOUR_S)
    days = {
        (0, 2): 100.0,
        (1, 2): 100.0,
        (2, 3): 0.0,
        (2, 4): -100.0,
        (3, 4): -100.0,
        (0, 4): 0.0,
        (0, 1): 0.0,
    }
    for (from_h, to_h), usd in days.items():
        assert held.cash_on_days(from_h * HOUR_S, to_h * HOUR_S) == usd
    assert replace(held, end_s=None).cash_on_days(0, 99 * HOUR_S) == 100.0


def test_what_is_used_and_idle_of_take_or_pay_comes_to_what_is_paid() -> None:
    """Of 10 h held, 6 used and 8 paid: half of the 4 idle are paid."""
    row = k(take_or_pay_percent=80.0, paid_share=0.8, used_share=0.6)
    assert (row.rate, row.full_rate, row.idle_share) == pytest.approx((1.6, 2.0, 0.5))
    assert row.idle_rate == pytest.approx(1.0)
    assert 0.6 * row.full_rate + 0.4 * row.idle_rate == pytest.approx(row.rate)  # type: ignore[operator]
    assert k().idle_share == 1.0 and k(paid_share=0.0, used_share=1.0).idle_share == 0.0
    assert row.owed_rate == pytest.approx(1.6) and k().owed_rate == 2.0
    assert k(take_or_pay_percent=0.0).owed_rate == 0.0 and k(rate_usd_per_gpu_hour=None).owed_rate is None
    months = k(paid_shares=((0.5, 0.1), (1.0, 0.9)))
    assert [(item.paid_share, item.used_share) for item in map(months.paid_in, (0, 1, 5))] == [
        (0.5, 0.1),
        (1.0, 0.9),
        (1.0, 0.9),
    ]
    plain = k()
    assert plain.paid_in(3) is plain


def test_take_or_pay_pays_the_larger_of_its_share_and_use() -> None:
    """Of 10 held 60% at least: with 4 used 6, with 8 used 8; the parts of a ramp together, of 20 held and 6 used 12."""
    rows = [k(take_or_pay_percent=60.0), k(contract_id="p")]
    held, used = np.array([[10, 10, 10], [5, 5, 5]]), np.array([[4, 8, 10], [1, 1, 1]])
    assert paid_for(rows, held, used).tolist() == [[6.0, 8.0, 10.0], [5.0, 5.0, 5.0]]
    parts = [
        k(take_or_pay_percent=60.0, ramp_of="r"),
        k(contract_id="b", take_or_pay_percent=60.0, ramp_of="r"),
    ]
    paid = paid_for(parts, np.array([[10], [10]]), np.array([[6], [0]]))
    assert paid.sum() == pytest.approx(12.0)
    assert paid[:, 0].tolist() == pytest.approx([6 + 4 * 6 / 14, 10 * 6 / 14])
    assert paid_and_used(rows[0], 6.0, 4.0, 10.0) == (0.6, 0.4)
    assert paid_and_used(rows[0], 0.0, 0.0, 0.0) == (0.6, 0.0) and paid_and_used(k(), 0.0, 0.0, 0.0) == (
        1.0,
        0.0,
    )


def test_a_ramp_is_a_contract_for_each_day_on_which_more_come() -> None:
    ramp = "1970-01-02=1; 1970-01-05=4"
    first, second = parts_of_ramp(k(ramp=ramp, prepaid_usd=Decimal(5), end_s=99 * DAY_S))
    assert [(part.milli_gpus, part.start_s, part.ramp_of) for part in (first, second)] == [
        (1000, DAY_S, "k"),
        (3000, 4 * DAY_S, "k"),
    ]
    assert (first.prepaid_usd, second.prepaid_usd, second.contract_id) == (
        Decimal(5),
        None,
        "k from 1970-01-05",
    )
    assert parts_of_ramp(k(ramp_of="x")) == (k(),) and last_of_ramp(ramp) == "4"
    for wrong, code in (
        ("1970-01-02=4; 1970-01-05=4", "bad_number"),
        ("1970-01-02=1; 1970-01-05=3", "bad_number"),
        ("1970-01-05=1; 1970-01-02=4", "bad_number"),
        ("x=4", "bad_time"),
        ("1970-01-02=x", "bad_time"),
        ("1970-04-10=4", "bad_time"),
    ):
        with pytest.raises(PlannerError) as fault:
            parts_of_ramp(k(ramp=wrong, end_s=99 * DAY_S))
        assert fault.value.code == code


def test_parts_of_a_ramp_keep_what_the_file_said_of_the_other_terms() -> None:
    """The GPUs and days of its file are those of its ramp; of a ramp that is typed each part keeps the file's."""
    ramp, filed = "1970-01-02=1; 1970-01-05=4", (("milli_gpus", "9000"), ("notice_days", ""))
    parts = parts_of_ramp(k(ramp=ramp, notice_days=3, filed=filed))
    assert [part.filed for part in parts] == [(("notice_days", ""),)] * 2
    typed = k(ramp=ramp, prepaid_usd=Decimal(5), filed=(("prepaid_usd", ""), ("ramp", "")))
    first, second = (part.filed for part in parts_of_ramp(typed))
    gpus_and_day = (("milli_gpus", "4000"), ("start_s", "0"))
    assert first == (*gpus_and_day, ("prepaid_usd", ""), ("ramp", ""))
    assert second == (*gpus_and_day, ("ramp", ""))
    (whole,) = parts_of_ramp(k(filed=filed, ramp_of="x"))
    assert (whole.filed, whole.ramp_of) == (filed, None)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("rate_usd_per_gpu_hour", "2.5", Decimal("2.5")),
        ("deposit_usd", "100", Decimal(100)),
        ("sla_percent", "99.5", 99.5),
        ("take_or_pay_percent", "80.5", 80.5),
        ("notice_days", "30", 30),
        ("milli_gpus", "64000", 64_000),
        ("ramp", "1970-01-02=4", "1970-01-02=4"),
        ("ramp", "", None),
        ("notice_days", "", None),
        ("deposit_usd", "", None),
    ],
)
def test_what_the_file_said_of_a_term_has_its_kind(name: str, text: str, value: object) -> None:
    filed = filed_term(k(filed=((name, text),)), name)
    assert filed == value and type(filed) is type(value)
    assert is_money(name) is isinstance(value, Decimal) or not text
    assert term_text(value) == text  # type: ignore[arg-type]
    assert filed_term(k(), name) == getattr(k(), name)


def test_terms_are_kept_beside_what_the_file_said() -> None:
    known = with_terms(k(), {"rate_usd_per_gpu_hour": Decimal("2.50"), "notice_days": 30})
    assert filed_term(known, "rate_usd_per_gpu_hour") == 2 and filed_term(known, "notice_days") is None
    assert known.is_rate_stated and not k().is_rate_stated
    assert with_terms(known, {"rate_usd_per_gpu_hour": Decimal(2), "notice_days": None}) == k()
    assert with_known_terms(k(), known) == known
    newer = k(rate_usd_per_gpu_hour=Decimal(3))
    assert with_known_terms(newer, known).rate_usd_per_gpu_hour == 3
    assert with_known_terms(newer, known).notice_days == 30
    assert with_known_terms(known, k()) is known and with_known_terms(newer, None) is newer


def test_contracts_without_dates_are_there_since_the_log_on_its_only_cluster() -> None:
    undated, dated = k(cluster=""), k(cluster="", start_s=5)
    assert since_log((undated, dated), 77, ["a", "a"]) == (k(cluster="a", start_s=77), dated)
    assert since_log((undated,), 77, ["a", "b"])[0].cluster == ""
    assert since_log((k(),), 77, ["a"])[0].cluster == "c1"
    assert only_cluster_of((k(), k(cluster="c2")), "H100") == "" and only_cluster_of((k(),), "H100") == "c1"
    assert only_cluster_of((k(),), "A100") == ""


def test_a_contract_binds_to_its_end_or_for_its_notice() -> None:
    end_s = WINDOW.end_s
    assert remaining_months(k(end_s=end_s + 3 * MONTH_S), WINDOW) == 3.0
    assert remaining_months(k(notice_days=73), WINDOW) == pytest.approx(73 * 24 / 730)
    assert bound_usd(k(end_s=end_s + 3 * MONTH_S), WINDOW) == 3 * 4 * 2 * 730
    assert bound_usd(k(end_s=end_s + 3 * MONTH_S, rate_usd_per_gpu_hour=None), WINDOW) is None
    committed, by_use = PricingCategory.COMMITTED, PricingCategory.STANDARD
    binding = [
        item.binding_hours
        for item in (
            k(),
            k(end_s=7200),
            k(term_months=2),
            k(pricing_category=by_use),
            k(pricing_category=committed, end_s=3600),
        )
    ]
    assert binding == [inf, 2.0, 1460.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({"end_s": 100 * DAY_S, "notice_days": 30}, False),  # due on day 70, the plan begins then
        ({"end_s": 100 * DAY_S - 1, "notice_days": 30}, True),
        ({"end_s": 100 * DAY_S - 1}, False),
        ({"end_s": 100 * DAY_S - 1, "notice_days": 30, "renews_months": 0}, False),
        ({"notice_days": 30}, False),
        ({"end_s": 60 * DAY_S, "notice_days": 30}, False),  # over with the log
        ({"end_s": 65 * DAY_S, "notice_days": 30}, False),
        ({"end_s": 65 * DAY_S, "renews_months": 6}, True),
        ({"end_s": 70 * DAY_S, "renews_months": 6}, True),
        ({"end_s": 90 * DAY_S, "notice_days": 30, "pricing_category": PricingCategory.STANDARD}, False),
    ],
)
def test_notice_has_passed_where_it_was_due_before_the_plan(changes: dict[str, Any], *, passed: bool) -> None:
    """The log ends on day 60, the plan begins on day 70."""
    assert has_notice_passed(k(**changes), 70 * DAY_S, 60 * DAY_S) is passed


def test_the_last_day_of_notice_is_before_the_end() -> None:
    row = k(notice_days=30)
    assert decided_by_s(row, 100 * DAY_S) == 70 * DAY_S - 1 == notice_by_s(row, 100 * DAY_S)
    assert notice_by_s(row, None) is notice_by_s(k(), 5) is None and decided_by_s(k(), 5) == 4
    assert hours_in(k(start_s=HOUR_S, end_s=3 * HOUR_S), 0, 9 * HOUR_S) == 2.0
    assert hours_in(k(start_s=HOUR_S), 3 * HOUR_S, 2 * HOUR_S) == 0.0
    assert usd_in_month((k(end_s=WINDOW.end_s + 73 * HOUR_S),), WINDOW, 0) == 4 * 2 * 73
    assert usd_in_month((k(), k(rate_usd_per_gpu_hour=None)), WINDOW, 0) is None


def test_mean_rates_are_by_what_is_used_and_what_is_idle() -> None:
    assert mean_rate([1.0, 4.0], [2.0, 1.0]) == 2.0 and mean_rate([3.0, 3.0], [0.1, 0.2]) == 3.0
    assert mean_rate([1.0, None], [1.0, 1.0]) is mean_rate([], []) is mean_rate([1.0], [0.0]) is None
    dear = k(contract_id="d", rate_usd_per_gpu_hour=Decimal(5), milli_gpus=2000)
    assert mean_rates_in_month((k(), dear), WINDOW, 0) == (3.0, 3.0)
    least = k(paid_share=0.8, used_share=0.6)
    serving, idle = mean_rates_in_month((least, k(contract_id="u", used_share=1.0)), WINDOW, 0)
    assert (serving, idle) == pytest.approx((2.0, 1.0))  # idle is only what take-or-pay leaves
    unused = k(paid_share=0.5, used_share=0.0)
    assert mean_rates_in_month((unused,), WINDOW, 0) == pytest.approx((2.0, 1.0))


def test_gpus_are_a_mean_over_the_hours_of_a_month() -> None:
    """4 GPUs for 73 of 730 h are 0.4; the second month begins 730 h after the first."""
    part = k(start_s=WINDOW.end_s - 73 * HOUR_S, end_s=WINDOW.end_s + 146 * HOUR_S)
    assert mean_gpus(part, WINDOW) == pytest.approx(0.4) and mean_gpus(k(), WINDOW) == 4.0
    assert gpus_in_month((part, k()), WINDOW, 0) == pytest.approx(4.8)
    assert [gpus_in_month((part,), WINDOW, month) for month in (1, 2)] == [0.0, 0.0]
    assert [month_start_s(WINDOW, month) for month in (0, 2)] == [730 * HOUR_S, 3 * 730 * HOUR_S]
    at = {
        second: len(in_force((part,), second)) for second in (part.start_s - 1, part.start_s, part.end_s or 0)
    }
    assert list(at.values()) == [0, 1, 0] and in_force((k(),), 10**12) == [k()]


def test_contracts_serve_committed_first_then_the_cheaper() -> None:
    by_use = k(contract_id="a", pricing_category=PricingCategory.STANDARD, rate_usd_per_gpu_hour=Decimal(1))
    cheap, unknown = k(contract_id="z"), k(contract_id="b", rate_usd_per_gpu_hour=None)
    dear, same = k(contract_id="c", rate_usd_per_gpu_hour=Decimal(5)), k(contract_id="y")
    rows = (unknown, by_use, dear, cheap, same)
    assert [row.contract_id for row in sorted(rows, key=merit)] == ["y", "z", "c", "b", "a"]
    after = replace(dear, rate_usd_per_gpu_hour=Decimal(1))
    assert turn_words(dear, (cheap, dear), (cheap, after)) != ""
    assert turn_words(dear, (cheap, dear), (replace(cheap, rate_usd_per_gpu_hour=Decimal(3)), dear)) == ""
    for apart in ({"cluster": "c2"}, {"gpu_model": "A100"}):
        other = replace(cheap, **apart)
        assert turn_words(dear, (other, dear), (other, after)) == ""


def test_owned_offers_of_a_project_have_the_rate_at_its_assumptions() -> None:
    """They cost more where money does."""
    owned = Offer(
        offer_id="own",
        gpu_model="H100",
        pricing_category=PricingCategory.OWNED,
        term_months=36,
        rate_usd_per_gpu_hour=None,
        capex_usd_per_gpu=Decimal(8760),
        life_months=36,
        residual_share=0.1,
        kw_per_gpu=0.5,
        pue=1.2,
        usd_per_kwh=Decimal("0.1"),
    )
    of = worlds.plan_project()
    rates = []
    for wacc in (0.0, 0.2):
        project: Project = replace(of, offers=(owned,), assumptions=replace(of.assumptions, wacc=wacc))
        rates.append(project.offers[0].rate)
    assert rates[0] == pytest.approx(8760 * 0.9 / (36 * 730) + 0.5 * 1.2 * 0.1) and rates[1] is not None
    assert rates[1] > rates[0]
