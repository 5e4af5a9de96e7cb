"""Sized rows of an endpoint: the peak, targets that are missed, corrections, and rows of stated rates."""

from dataclasses import replace
from math import isclose
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving import sizing
from gpuplanner.domain.serving.calibration import factors_of
from gpuplanner.domain.serving.load import Load, LoadHour, by_hour_of_week
from gpuplanner.domain.serving.replicas import (
    ServingTargets,
    ServingTerms,
    autoscaled_hours,
    replicas_by_hour,
    terms_of,
)
from gpuplanner.domain.serving.serving_gpus import ServingGpu
from gpuplanner.domain.serving.sizing import Correction, RowId, SizedRow, rated_rows, size_rows
from gpuplanner.domain.serving.speed import Engine, replica_speed
from tests.domain.serving.served_gpus import CHIP, SMALL, TABLE
from tests.domain.serving.stated_load import load_at

GPU = ServingGpu(name="A1", memory_gb=100.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)
VALUES: dict[str, Any] = {
    "ttft_p50_ms": 100.0, "ttft_p95_ms": 300.0, "tpot_ms": 20.0, "tpot_p95_ms": 30.0, "why": "",
}  # fmt: skip


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
    result = sizing.check_targets(VALUES, ServingTargets(**targets))
    assert result["missed_by"] == pytest.approx(missed) and result["meets_target"] is (missed <= 1)
    assert ("why" in result) is (missed > 1)


def test_a_missed_target_says_by_how_much_and_what_was_said_before() -> None:
    targets = ServingTargets(ttft_p95_ms=200.0)
    why = sizing.check_targets(VALUES, targets)["why"]
    assert isinstance(why, Message)
    assert [str(why.values[name]) for name in ("value", "over", "target")] == ["300", "100", "200"]
    both = sizing.check_targets(VALUES | {"why": "remark"}, targets)["why"]
    assert str(both) == f"{why}; remark"
    assert sizing.check_targets(VALUES, ServingTargets()) == {}
    nearly = sizing.check_targets(VALUES | {"ttft_p95_ms": 200.0 * (1 + 5e-13)}, targets)
    assert nearly["meets_target"] is True
    odd = ServingTargets(ttft_p95_ms=123.45678)
    rounded = sizing.check_targets(VALUES | {"ttft_p95_ms": 234.56789}, odd)["why"]
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


# --- One row


def test_as_many_requests_as_have_room_are_held_at_once() -> None:
    """64 GB beside the weights: eight requests of 8 GB to the byte; a byte more of weights leaves seven."""
    model = ServedModel(
        name="m",
        parameters=18_000_000_000,
        layers=1,
        kv_heads=1,
        head_dim=1,
        kv_values_per_layer=500,
        hidden=64,
    )
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=4e6,
        generated_tokens=4e6,
        longest_tokens=8e6,
        are_tokens_known=True,
    )
    gpu = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)

    def held(gigabytes: float = 100.0, **terms: float) -> SizedRow:
        known = {"usable_memory": 1.0, "concurrency": 1} | terms
        (row, *_) = size_rows(
            model,
            load,
            [replace(gpu, memory_gb=gigabytes)],
            ServingTerms(**known),
            TABLE,
            precisions=("BF16",),
        )
        return row

    assert (held().concurrency, held(99.999999).concurrency) == (8, 7)
    assert held(concurrency_most=5).concurrency == 5
    assert held(concurrency=8).concurrency == 8 and held(concurrency=9).fits is False
    assert (held().weights_gb, held().cache_gb, held().memory_gb, held().usable_gb) == (
        36.0,
        8.0,
        44.0,
        100.0,
    )
    assert held(usable_memory=0.5).usable_gb == 50.0 and held(44.0).fits and not held(43.999).fits


def test_corrections_multiply_the_planners_own_speed() -> None:
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    gpu = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)

    def row(speed: float = 1.0, **ratio: float) -> SizedRow:
        own = {("A1", "BF16", 1): Correction(ratio["ratio"], "mine.csv")} if ratio else {}
        terms = ServingTerms(speed=speed)
        return size_rows(SMALL, load, [gpu], terms, TABLE, corrections=own, precisions=("BF16",))[0]

    plain, own, both = row(), row(ratio=0.5), row(3.0, ratio=0.5)
    assert isclose(own.tpot_ms or 0, 2 * (plain.tpot_ms or 0))
    assert isclose(both.tpot_ms or 0, (plain.tpot_ms or 0) / 1.5)
    assert "mine.csv" in str(own.why) and not plain.why


def test_the_prefix_cache_shortens_prefill_and_speculation_the_step() -> None:
    """Half of 100 tokens read: half of the part of prefill that grows with them. Two tokens a step: half the step."""
    engine = Engine(gpus=1, bandwidth=2e12, flops=3e14, factors=factors_of(TABLE, CHIP, "BF16", SMALL))
    given = {"batch": 4, "context_tokens": 100.0, "generated_tokens": 10.0}
    plain = replica_speed(SMALL, engine, 2, **given)
    hit = replica_speed(SMALL, replace(engine, prefix_hit=0.5), 2, **given)
    fixed = engine.factors.prefill_s
    assert isclose(hit.prefill_s - fixed, (plain.prefill_s - fixed) / 2) and hit.step_s == plain.step_s
    twice = replica_speed(SMALL, replace(engine, tokens_per_step=2.0), 2, **given)
    assert isclose(twice.step_s, plain.step_s / 2) and twice.prefill_s == plain.prefill_s
    terms = terms_of(Assumptions(serving_prefix_hit_share=0.5, serving_speculative_speedup=2))
    assert (terms.prefix_hit, terms.tokens_per_step) == (0.5, 2)
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    gpu = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)
    rows = [
        size_rows(SMALL, load, [gpu], each, TABLE, precisions=("BF16",))[0]
        for each in (terms, ServingTerms())
    ]
    assert rows[0].memory_gb == rows[1].memory_gb  # what is in the cache stays in memory
    assert (rows[0].tpot_ms or 0) < (rows[1].tpot_ms or 0)


def test_a_gpu_that_nobody_measured_is_assumed_until_the_planner_measures_it() -> None:
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    gpu = ServingGpu(
        name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=replace(CHIP, is_measured=False)
    )

    def row(own: dict[RowId, Correction]) -> SizedRow:
        return size_rows(SMALL, load, [gpu], ServingTerms(), TABLE, corrections=own, precisions=("BF16",))[0]

    assert row({}).is_assumed and not row({("A1", "BF16", 1): Correction(0.5, "mine.csv")}).is_assumed
