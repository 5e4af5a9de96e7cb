"""By when to decide on a contract: a day that is still to come, or that it is now."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.order_days import Seen, VerdictRow, decide_by
from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.renewal import notice_s
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, instant_s

BEGINS_S = instant_s("2026-12-01")
BY_USE = Contract(
    contract_id="od",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8_000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    pricing_category=PricingCategory.STANDARD,
)


@pytest.mark.parametrize(
    ("days_before", "notice_days", "said"),
    [
        (20, 10, "20 Nov 2026"),
        (11, 10, "20 Nov 2026"),
        (10, 10, "now"),
        (-3, None, "now"),
        (0, None, "1 Dec 2026"),
    ],
)
def test_what_is_to_be_stopped_has_stopped_when_the_plan_begins_where_its_notice_allows(
    days_before: int, notice_days: int | None, said: str
) -> None:
    row = VerdictRow(
        Verdict(
            contract_id="od", verdict="let_expire", then_term_months=0, gpus=0.0, order_by_s=None, reason=""
        ),
        replace(BY_USE, notice_days=notice_days),
    )
    assert str(decide_by(row, Seen(BEGINS_S - days_before * DAY_S, BEGINS_S))) == said


@pytest.mark.parametrize(
    ("gpus", "lead_days", "notice", "renews", "told"),
    [
        (0, 0, 30, None, "31 Oct 2026"),
        (0, 0, None, None, "30 Nov 2026"),
        (0, 0, 30, 0, "30 Nov 2026"),  # it ends by itself: nobody is told to give notice
        (4, 10, 30, None, "31 Oct 2026"),
        (4, 40, 30, None, "22 Oct 2026"),  # an order of that day starts when the contract ends
        (4, 40, None, None, "22 Oct 2026"),
        (4, 0, None, None, "30 Nov 2026"),  # its last day, whenever its order begins
        (4, -12, None, None, "30 Nov 2026"),
    ],
)
def test_where_notice_or_the_end_decides_the_day_is_the_one_before_that_moment(
    gpus: int, lead_days: int, notice: int | None, renews: int | None, told: str
) -> None:
    end_s = instant_s("2026-12-01")
    contract = replace(
        BY_USE,
        pricing_category=PricingCategory.COMMITTED,
        end_s=end_s,
        notice_days=notice,
        renews_months=renews,
    )
    by_s = min(end_s - notice_s(contract), end_s - lead_days * DAY_S)
    verdict = Verdict(
        contract_id="od",
        verdict="replace" if gpus else "let_expire",
        then_term_months=12 if gpus else 0,
        gpus=gpus,
        order_by_s=by_s,
        reason="",
    )
    seen = Seen(instant_s("2026-10-01"), instant_s("2026-10-01"))
    assert str(decide_by(VerdictRow(verdict, contract), seen)) == told


def test_what_is_overdue_has_its_notice_beside_it_while_that_is_to_come() -> None:
    """What was to be ordered is late by its lead; until when notice can be given nobody said."""
    held = replace(BY_USE, pricing_category=PricingCategory.COMMITTED, notice_days=31)
    verdict = Verdict(
        contract_id="od",
        verdict="replace",
        then_term_months=24,
        gpus=98.0,
        order_by_s=instant_s("2026-11-20"),
        reason="",
    )
    row, late = VerdictRow(verdict, replace(held, end_s=instant_s("2027-01-15"))), "overdue: decide now"
    for day, said in (("2026-11-27", f"{late}; notice by 14 Dec 2026"), ("2026-12-15", late)):
        assert str(decide_by(row, Seen(instant_s(day), instant_s("2026-11-20")))) == said


def test_what_ends_after_a_renewal_is_to_be_decided_on_by_the_notice_of_then() -> None:
    """It was overdue, with the end that it has no more."""
    contract = replace(
        BY_USE, pricing_category=PricingCategory.COMMITTED, end_s=instant_s("2027-02-01"), notice_days=92
    )
    ends_s = instant_s("2027-08-01")
    verdict = Verdict(
        contract_id="od",
        verdict="end",
        then_term_months=0,
        gpus=0.0,
        order_by_s=ends_s - 92 * DAY_S,
        reason="",
        ends_s=ends_s,
    )
    row = VerdictRow(verdict, contract)
    assert str(decide_by(row, Seen(instant_s("2026-11-25"), instant_s("2026-11-25")))) == "30 Apr 2027"
    assert str(decide_by(row, Seen(instant_s("2027-03-01"), instant_s("2026-11-25")))) == "30 Apr 2027"
    assert row.ends_s == ends_s
