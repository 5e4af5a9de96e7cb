"""Offers that a leak compares with: levels that pay, hours of a commitment, and offers that serve in time."""

from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.leak_claims import (
    EqualTerms,
    Part,
    PartOf,
    best_level_utilization,
    committed_hours,
    serves_before_window_ends,
)
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.audit.conftest import START_S, make_contract, make_offer

H = 3600


@pytest.mark.parametrize(
    ("rate", "asked", "is_dearer"),
    [
        (2.0, "1.9", True),
        (2.0, "2", False),
        (2.0, "2.1", False),
        (2.0 * (1 + 2e-9), "2", True),
        (2.0 * (1 + 5e-10), "2", False),
        (None, "1", False),
        (2.0, None, False),
    ],
)
def test_a_contract_is_dearer_by_more_than_rounding(
    rate: float | None, asked: str | None, *, is_dearer: bool
) -> None:
    """10 GPU-h at half of its use pay 20, at 0.8 of the offer's 12.5."""
    offer = None if asked is None else make_offer("o", asked)
    terms = EqualTerms(
        gpu_model="H100", gpu_hours=10.0, rate=rate, utilization=0.5, offer=offer, offer_utilization=0.8
    )
    assert terms.is_dearer is is_dearer
    assert terms.paid_usd == (None if rate is None else pytest.approx(20 * rate))
    assert terms.offer_usd == (None if asked is None else pytest.approx(12.5 * float(asked)))


def test_a_level_pays_where_enough_hours_use_it() -> None:
    """4 GPUs in 6 of 10 h and 1 in 2: at half of on demand all 4 are held for 60% of the time, at 0.7 one is."""
    held = np.array([4.0] * 6 + [1.0] * 2)
    committed = make_offer("y", "2", pricing_category="COMMITTED", term_months=12)
    assert best_level_utilization(held, 10, 4.0, make_offer("o", "2")) == 1.0
    assert best_level_utilization(held, 10, 4.0, committed) == pytest.approx(26 / 40)
    assert best_level_utilization(held, 10, 2 / 0.7, committed) == pytest.approx(8 / 10)
    assert best_level_utilization(held, 10, 2 / 0.9, committed) is None
    assert best_level_utilization(held, 10, None, committed) == pytest.approx(26 / 40)


@pytest.mark.parametrize(
    ("days", "hours"), [(None, inf), (365, 8760.0), (31, 744.0), (30, 730.0), (10, 240.0), (59, 1460.0)]
)
def test_a_contract_binds_from_start_to_end_in_whole_months_or_longer(days: int | None, hours: float) -> None:
    end_s = None if days is None else START_S + days * DAY_S
    contract = make_contract("k", 1, "2", start_s=START_S, end_s=end_s)
    if days is not None:
        assert committed_hours(contract) == hours
    assert committed_hours(None) == 0.0


@pytest.mark.parametrize(
    ("lead_h", "starts_h", "ends_h", "serves"),
    [
        (0.0, None, None, True),
        (99.0, None, None, True),
        (100.0, None, None, False),
        (0.0, 99, None, True),
        (0.0, 100, None, False),
        (100.0, 5, None, False),
        (0.0, None, 100, True),
        (0.0, None, 99, False),
    ],
)
def test_an_offer_serves_before_the_log_ends_and_goes_on(
    lead_h: float, starts_h: int | None, ends_h: int | None, *, serves: bool
) -> None:
    """Ordered as a log of 100 hours begins."""
    starts_s, ends_s = (None if hour is None else START_S + hour * H for hour in (starts_h, ends_h))
    offer: Any = SimpleNamespace(lead_time_hours=lead_h, starts_s=starts_s, ends_s=ends_s)
    assert serves_before_window_ends(offer, START_S, Window(START_S, 100)) is serves


@pytest.mark.parametrize(
    ("gpu_hours", "rate", "paid"), [(5.0, 2.0, 10.0), (0.0, None, 0.0), (5.0, None, None), (5.0, 0.0, 0.0)]
)
def test_nothing_costs_nothing_also_at_an_unknown_rate(
    gpu_hours: float, rate: float | None, paid: float | None
) -> None:
    assert Part(PartOf("contract", "k"), gpu_hours, rate).paid == paid
