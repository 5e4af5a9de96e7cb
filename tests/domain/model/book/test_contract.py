"""Existing contracts over time, at the very edges of a month."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import pytest

from gpuplanner.domain.model.book.contract import (
    Contract,
    first_missed_month,
    mean_rate,
    merit,
    month_start_s,
    monthly_usd,
    remaining_months,
    running,
    runs_through,
)
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, Window

WINDOW = Window(0, 2160)
END_S = WINDOW.end_s
CONTRACT = Contract("k", "c", "H100", 8000, Decimal("2.50"), 0, END_S + MONTH_S)


def test_months_begin_where_the_window_ends() -> None:
    assert [month_start_s(WINDOW, month) - END_S for month in (0, 1, 12)] == [0, MONTH_S, 12 * MONTH_S]


@pytest.mark.parametrize(
    ("start_s", "end_s", "months"),
    [
        (0, END_S + MONTH_S, [0]),
        (0, END_S + MONTH_S - 1, []),
        (END_S, END_S + 2 * MONTH_S, [0, 1]),
        (END_S + 1, END_S + 2 * MONTH_S, [1]),
        (END_S + MONTH_S, None, [1, 2, 3]),
        (0, END_S, []),
    ],
)
def test_a_month_is_served_only_by_what_runs_through_all_of_it(
    start_s: int, end_s: int | None, months: list[int]
) -> None:
    contract = replace(CONTRACT, start_s=start_s, end_s=end_s)
    assert [month for month in range(4) if runs_through(contract, WINDOW, month)] == months
    assert [month for month in range(4) if running([contract], WINDOW, month)] == months


def test_the_first_month_missed_is_the_first_not_run_through() -> None:
    for hours in (-HOUR_S, 0, 1, MONTH_S - 1, MONTH_S, 5 * MONTH_S + 7):
        contract = replace(CONTRACT, end_s=END_S + hours)
        missed = first_missed_month(contract, WINDOW)
        assert missed is not None
        assert missed < 0 or not runs_through(contract, WINDOW, missed)
        assert missed < 1 or runs_through(contract, WINDOW, missed - 1)
    assert first_missed_month(replace(CONTRACT, end_s=None), WINDOW) is None


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


def test_an_unknown_rate_is_no_gift() -> None:
    unknown = replace(CONTRACT, rate_usd_per_gpu_hour=None)
    free = replace(CONTRACT, rate_usd_per_gpu_hour=Decimal(0))
    assert monthly_usd([CONTRACT, CONTRACT]) == 2 * 8 * 2.5 * 730
    assert monthly_usd([]) == 0
    assert monthly_usd([CONTRACT, unknown]) is monthly_usd([free]) is None
    double = replace(CONTRACT, milli_gpus=24_000, rate_usd_per_gpu_hour=Decimal("4.50"))
    assert mean_rate([CONTRACT, double]) == pytest.approx(4.0)
    assert mean_rate([]) is mean_rate([CONTRACT, unknown]) is None
