"""A contract is in a window where any of its time lies in it; what starts later or has ended is not."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.model.book.contract import (
    Contract,
    continued,
    gpus_in_month,
    hours_in,
    in_force,
    in_month,
    mean_gpus,
    only_cluster_of,
    usd_by_hour,
    usd_in_month,
)
from gpuplanner.domain.model.window import HOUR_S, Window


@pytest.mark.parametrize(
    ("start_s", "end_s", "is_in"),
    [(0, None, True), (99, None, True), (100, None, False), (0, 50, False), (0, 51, True), (50, 100, True)],
)
def test_only_time_within_counts(start_s: int, end_s: int | None, is_in: bool) -> None:
    contract = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=None,
        start_s=start_s,
        end_s=end_s,
    )
    assert contract.overlaps(50, 100) is is_in


def test_what_is_prepaid_is_not_paid_by_the_hour() -> None:
    """8 GPUs at $2 for two months of 730 h; $11,680 in advance are $1 more for each of 8 x 1,460 GPU-hours."""
    held = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=0,
        end_s=1460 * HOUR_S,
        prepaid_usd=Decimal(11_680),
    )
    assert (held.prepaid_rate, held.rate) == (1.0, 3.0)
    assert usd_by_hour(held, 0, 100 * HOUR_S) == 8 * 2 * 100
    assert usd_by_hour(replace(held, rate_usd_per_gpu_hour=None, prepaid_usd=None), 0, HOUR_S) is None


def test_hours_and_cost_are_of_the_time_that_it_runs() -> None:
    """8 GPUs at $2 from hour 10 to 30 after a window of 20 hours, of which month 0 begins at hour 20."""
    held = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=10 * HOUR_S,
        end_s=30 * HOUR_S,
    )
    open_end = replace(held, contract_id="o", end_s=None)
    window = Window(0, 20)
    assert (hours_in(held, 0, 20 * HOUR_S), hours_in(held, 20 * HOUR_S, 100 * HOUR_S)) == (10, 10)
    assert (hours_in(held, 31 * HOUR_S, 40 * HOUR_S), hours_in(open_end, 31 * HOUR_S, 40 * HOUR_S)) == (0, 9)
    assert mean_gpus(held, window) == 8 * 10 / 20
    assert usd_in_month([held], window, 0) == 8 * 2 * 10
    assert usd_in_month([held, open_end], window, 1) == 8 * 2 * 730
    assert usd_in_month([replace(held, rate_usd_per_gpu_hour=None)], window, 0) is None
    assert gpus_in_month([held, open_end], window, 0) == pytest.approx(8 * 10 / 730 + 8)
    assert [row.contract_id for row in in_month([held, open_end], window, 1)] == ["o"]
    moments = [(10, ["k", "o"]), (30, ["o"]), (9, [])]
    for hour, ids in moments:
        assert [row.contract_id for row in in_force([held, open_end], hour * HOUR_S)] == ids


def test_a_line_goes_on_in_the_next_that_begins_as_it_ends() -> None:
    first = Contract(
        contract_id="A1",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=0,
        end_s=10,
    )
    second = replace(first, contract_id="A1 (2)", milli_gpus=16_000, start_s=10, end_s=20)
    others = (replace(second, contract_id="B1"), replace(second, contract_id="A1 (3)", start_s=11))
    assert continued([first, second, *others]) == {"A1": second}


def test_a_model_is_in_one_place_or_in_none() -> None:
    rows = [
        Contract(
            contract_id=name,
            cluster=cluster,
            gpu_model="H100",
            milli_gpus=8000,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        )
        for name, cluster in (("a", "c1"), ("b", "c1"), ("c", "c2"))
    ]
    assert only_cluster_of(rows[:2], "H100") == "c1"
    assert only_cluster_of(rows, "H100") == only_cluster_of(rows, "A100") == ""
