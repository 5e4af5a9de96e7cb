"""Sized rows, targets and the autoscaler by hand: what misses a target or is unstable, and who is served late."""

from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving import autoscaling, sizing
from gpuplanner.domain.serving.autoscaling import Autoscaler, replay, stretches
from gpuplanner.domain.serving.load import Load, LoadHour, by_hour_of_week
from gpuplanner.domain.serving.replicas import (
    ServingTargets,
    ServingTerms,
    autoscaled_hours,
    replicas_by_hour,
)
from gpuplanner.domain.serving.sizing import SizedRow, rated_rows, size_rows
from gpuplanner.domain.serving.speed import ServingGpu
from tests.domain.serving.test_speed_by_hand import CHIP, TABLE

SMALL = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128, hidden=4096)
GPU = ServingGpu(name="A1", memory_gb=100.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)


def load_at(*rates: float) -> Load:
    hours = tuple(LoadHour(at, rate) for at, rate in enumerate(rates))
    return Load(
        hours=hours,
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )


def row(load: Load, replicas: int | None = None, **terms: Any) -> SizedRow:
    rows = size_rows(SMALL, load, [GPU], ServingTerms(**terms), TABLE, replicas, precisions=("BF16",))
    assert [found.row_id for found in rows] == [("A1", "BF16", parallel) for parallel in (1, 2, 4, 8)]
    return rows[0]


# --- A loaded row


def test_a_row_that_the_peak_takes_whole_is_unstable() -> None:
    mu = row(load_at(1.0)).requests_per_s or 0.0
    full = row(load_at(2 * mu, mu), replicas=2)
    assert (full.busy_at_peak, full.is_unstable, full.wait_ms, full.meets_target) == (1.0, True, None, None)
    aimed = row(load_at(2 * mu), replicas=2, targets=ServingTargets(ttft_p95_ms=1e9))
    assert (aimed.is_unstable, aimed.meets_target, aimed.missed_by) == (True, False, None)
    half = row(load_at(mu), replicas=2)
    assert (half.busy_at_peak, half.is_unstable) == (0.5, False)
    prefill = half.prefill_ms or 0.0
    assert half.wait_ms == pytest.approx(0.5 * prefill)  # 0.5 p / (2 x 0.5)
    assert half.ttft_ms == pytest.approx(4 + 1.5 * prefill) and half.way_ms == 4
    assert half.way_share == pytest.approx(4 / (4 + 1.5 * prefill))
    assert half.ttft_p50_ms == pytest.approx(4 + prefill)  # half find nobody before them
    assert half.ttft_p95_ms == pytest.approx(4 + prefill + prefill * np.log(10))
    assert half.gpu_hours_per_month_autoscaled == pytest.approx(2 * 730)  # mu at 90% asks for two
    none = row(load_at(0.0), replicas=0)
    assert (none.busy_at_peak, none.is_unstable, none.replicas_asked) == (None, False, 0.0)
    asked = row(load_at(1.8 * mu, 0.9 * mu))
    assert asked.replicas_asked == pytest.approx(2.0)
    assert (asked.replicas_peak, asked.replicas_spare) == (3, 1)
    assert asked.gpu_hours_per_month_autoscaled == pytest.approx(1.5 * 730)


VALUES: dict[str, Any] = {
    "ttft_p50_ms": 100.0, "ttft_p95_ms": 300.0, "tpot_ms": 20.0, "tpot_p95_ms": 30.0, "why": "",
}  # fmt: skip


@pytest.mark.parametrize(
    ("targets", "missed"),
    [
        ({"ttft_p50_ms": 100.0}, 1.0),
        ({"ttft_p50_ms": 200.0, "tpot_p50_ms": 25.0}, 0.8),
        ({"ttft_p50_ms": 50.0, "ttft_p95_ms": 200.0}, 2.0),
        ({"ttft_p95_ms": 200.0, "tpot_p50_ms": 15.0, "tpot_p95_ms": 40.0}, 1.5),
        ({"tpot_p95_ms": 29.0}, 30 / 29),
        ({"tpot_p50_ms": 10.0}, 2.0),
    ],
)
def test_the_worst_of_the_targets_counts(targets: dict[str, float], missed: float) -> None:
    result = sizing._against_targets(VALUES, ServingTargets(**targets))
    assert result["missed_by"] == pytest.approx(missed) and result["meets_target"] is (missed <= 1)
    assert ("why" in result) is (missed > 1)


def test_a_missed_target_says_by_how_much_and_what_was_said_before() -> None:
    targets = ServingTargets(ttft_p95_ms=200.0)
    why = sizing._against_targets(VALUES, targets)["why"]
    assert isinstance(why, Message)
    assert [str(why.values[name]) for name in ("value", "over", "target")] == ["300", "100", "200"]
    both = sizing._against_targets(VALUES | {"why": "remark"}, targets)["why"]
    assert str(both) == f"{why}; remark"
    assert sizing._against_targets(VALUES, ServingTargets()) == {}
    nearly = sizing._against_targets(VALUES | {"ttft_p95_ms": 200.0 * (1 + 5e-13)}, targets)
    assert nearly["meets_target"] is True
    odd = ServingTargets(ttft_p95_ms=123.45678)
    rounded = sizing._against_targets(VALUES | {"ttft_p95_ms": 234.56789}, odd)["why"]
    assert [str(rounded.values[name]) for name in ("value", "over", "target")] == ["234.6", "111.1", "123.5"]


def test_a_target_of_the_time_per_token_takes_the_largest_batch_that_keeps_it() -> None:
    free = row(load_at(1.0), concurrency=1, concurrency_most=40)
    assert free.concurrency == 40
    exact = row(
        load_at(1.0), concurrency=1, concurrency_most=40, targets=ServingTargets(tpot_p50_ms=free.tpot_ms)
    )
    assert (exact.concurrency, exact.meets_target) == (40, True)
    p95 = row(
        load_at(1.0), concurrency=1, concurrency_most=40, targets=ServingTargets(tpot_p95_ms=free.tpot_ms)
    )
    assert 1 < (p95.concurrency or 0) < 40 and p95.meets_target
    single = row(load_at(1.0), concurrency=1, concurrency_most=1)
    least = ServingTargets(tpot_p50_ms=single.tpot_ms)
    alone = row(load_at(1.0), concurrency=1, concurrency_most=40, targets=least)
    assert (alone.concurrency, alone.meets_target) == (1, True)
    assert row(load_at(1.0), concurrency=4, targets=ServingTargets(tpot_p50_ms=0.001)).concurrency == 1


def test_rows_of_stated_rates_are_single_gpus() -> None:
    """20 requests a second at 90% of 8: 2.8; a mean of 15 asks for 3 and 2."""
    first, second = rated_rows(load_at(20.0, 10.0), {"L4": 4.0, "H100": 8.0}, ServingTerms(spare=0), None)
    assert [(of.gpu_model, of.precision, of.tensor_parallel, of.fits) for of in (first, second)] == [
        ("H100", "stated", 1, True), ("L4", "stated", 1, True),
    ]  # fmt: skip
    assert (first.replicas_peak, first.replicas_spare, second.replicas_peak) == (3, 0, 6)
    assert first.replicas_asked == pytest.approx(20 / 7.2) and first.busy_at_peak == pytest.approx(20 / 24)
    assert first.gpu_hours_per_month_autoscaled == pytest.approx(2.5 * 730)
    assert (first.why, first.requests_per_s) == ("", 8.0)
    aimed = ServingTerms(spare=2, targets=ServingTargets(tpot_p50_ms=1.0))
    (told,) = rated_rows(load_at(20.0), {"H100": 8.0}, aimed, None)
    assert told.why and (told.replicas_peak, told.replicas_spare) == (5, 2)
    (few,) = rated_rows(load_at(20.0, 1.0), {"H100": 8.0}, ServingTerms(), 2)
    assert (few.replicas_peak, few.gpu_hours_per_month_autoscaled) == (2, pytest.approx(1.5 * 730))


def test_replica_hours_are_weighted_by_the_seconds_that_are_known() -> None:
    """Two replicas for an hour and one for three: 5 replica-hours of 4 are 912.5 a month."""
    load = replace(
        load_at(1.8), hours=(LoadHour(0, 1.8), LoadHour(1, 0.1, 3 * 3600.0), LoadHour(2, 0.0, 0.0))
    )
    held = replicas_by_hour(load, 1.0, 0.9)
    assert held == (2, 1, 0) and autoscaled_hours(load, held) == pytest.approx(912.5)
    twice = replace(load, hours=(LoadHour(5, 1.0, 60.0), LoadHour(5, 4.0, 180.0)))
    by_hour = by_hour_of_week(twice, [1.0, 4.0])
    assert by_hour[5] == 3.25 and by_hour[4] is by_hour[6] is None and len(by_hour) == 168


# --- The autoscaler


@pytest.mark.parametrize(
    ("at_s", "came", "queued", "capacity", "may_wait_s", "late"),
    [
        # 10 a second for 10 s, 5 of them served: who comes waits as long as it has been going on
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 0.0, 100.0),
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 5.0, 50.0),
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 8.0, 20.0),
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 10.0, 0.0),
        # the same where the traffic ends before they are served
        ([0, 10], [0, 100], [0, 50], 5.0, 5.0, 50.0),
        ([0, 10], [0, 100], [0, 50], 5.0, 10.0, 0.0),
        # after 10 quiet seconds 20 such, and nothing after them
        ([0, 10, 30], [0, 0, 200], [0, 0, 100], 5.0, 10.0, 100.0),
        ([0, 10, 30], [0, 0, 200], [0, 0, 100], 5.0, 20.0, 0.0),
        # nothing is ever served
        ([0, 10], [0, 100], [0, 100], 0.0, 1000.0, 100.0),
        # nobody waits, and nobody comes
        ([0, 10], [0, 100], [0, 0], 20.0, 0.0, 0.0),
        ([0, 10], [0, 0], [0, 0], 20.0, 0.0, 0.0),
    ],
)
def test_requests_are_late_that_are_not_served_within_their_wait(
    at_s: list[float], came: list[float], queued: list[float], capacity: float, may_wait_s: float, late: float
) -> None:
    arrays = (np.array(values, dtype=float) for values in (at_s, came, queued))
    assert autoscaling._missed(*arrays, capacity, may_wait_s) == pytest.approx(late, abs=1e-6)


SCALER = Autoscaler(delay_s=10, start_s=20, cool_down_s=50, least=1, spare=0, most=5)


def spans(load: Load, **facts: Any) -> list[tuple[float, int, int]]:
    """Seconds with so many replicas that are ready and paid, however they are cut."""
    parts = stretches(load, 1.0, 1.0, replace(SCALER, **facts))
    alike = groupby(parts, lambda part: (part.ready, part.paid))
    return [(sum(part.seconds for part in parts), *held) for held, parts in alike]


def hundreds(*rates: float) -> Load:
    return replace(load_at(1.0), hours=tuple(LoadHour(at, rate, 100.0) for at, rate in enumerate(rates)))


def test_replicas_are_ordered_paid_ready_and_go_at_their_moments() -> None:
    assert spans(hundreds(1, 3, 1)) == [(110, 1, 1), (20, 1, 3), (120, 3, 3), (50, 1, 1)]
    assert spans(hundreds(1, 3, 3)) == [(110, 1, 1), (20, 1, 3), (170, 3, 3)]
    assert spans(hundreds(1, 3), spare=1) == [(110, 2, 2), (20, 2, 4), (70, 4, 4)]
    assert spans(hundreds(0, 0), spare=1) == [(200, 1, 1)]  # none beside what nobody asks for
    assert spans(hundreds(9), least=2) == [(100, 5, 5)] and spans(hundreds(1), least=2) == [(100, 2, 2)]
    assert spans(hundreds(9), least=7) == [(100, 7, 7)]  # the least is more than the most
    assert spans(hundreds(0), least=0) == [(100, 0, 0)] and spans(hundreds()) == []
    # what starts when the hour has ended serves in the next
    assert spans(hundreds(1, 2, 2), start_s=120) == [(110, 1, 1), (120, 1, 2), (70, 2, 2)]
    # what is on its way is not ordered twice, and what is asked for beside it is
    assert spans(hundreds(1, 2, 3), start_s=120) == [(110, 1, 1), (100, 1, 2), (20, 1, 3), (70, 2, 3)]
    assert spans(hundreds(3, 2, 1), cool_down_s=0) == [(100, 3, 3), (100, 2, 2), (100, 1, 1)]
    assert spans(hundreds(3, 2, 1, 1), cool_down_s=100) == [(200, 3, 3), (100, 2, 2), (100, 1, 1)]


def test_a_replay_adds_up_what_is_paid_asked_for_and_waits() -> None:
    """1, 3 and 1 requests/s in hundreds of seconds: 60 wait when two more serve, which only keep up with the rate.

    Three are kept for 50 s more: 2 a second leave. Paid: 100 + 10 + 3 x (20 + 70 + 50) + 50 = 580 replica-seconds.
    """
    of = replay(hundreds(1, 3, 1), 1.0, 1.0, SCALER)
    assert of.replicas_flat == 5 and of.replicas_mean == pytest.approx(580 / 300)
    assert of.replicas_perfect == pytest.approx(5 / 3)
    assert of.backlog_most == pytest.approx(60.0)
    assert of.backlog_hours == pytest.approx((100 + 30) / 3600)
    # all who come in the second hundred, and in the 30 s after it
    assert of.missed_share == pytest.approx((300 + 30) / 500)
    assert replay(hundreds(1, 3, 1), 1.0, 1.0, SCALER, 61.0).missed_share == 0.0
    idle = replay(hundreds(0), 1.0, 1.0, replace(SCALER, least=0))
    assert (idle.replicas_mean, idle.replicas_perfect, idle.missed_share, idle.backlog_most) == (0, 0, 0, 0)
    assert replay(hundreds(1, 1), 1.0, 1.0, SCALER).missed_share == 0.0
    few = replay(hundreds(1, 1.005), 1.0, 1.0, replace(SCALER, most=1))  # half a request waits at the end
    assert (few.backlog_most, few.backlog_hours) == pytest.approx((0.5, 100 / 3600))
