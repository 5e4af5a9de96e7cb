"""Speed ratios of two GPUs with their bands, measured points, and corrections by measurements."""

from dataclasses import replace
from math import isclose

import pytest

from gpuplanner.domain.model.places import MeasuredPoint, ServingPoint
from gpuplanner.domain.serving import ratios
from gpuplanner.domain.serving.calibration import factors_of
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.ratios import Compared, compared, corrections, point_speed, speed_ratios
from gpuplanner.domain.serving.replicas import ServingTerms
from gpuplanner.domain.serving.serving_gpus import ServingGpu
from gpuplanner.domain.serving.sizing import Correction, SizedRow, size_rows
from gpuplanner.domain.serving.speed import Engine, replica_speed
from tests.domain.serving.served_gpus import CHIP, MIXED, SMALL, TABLE, TABLES

POINT = ServingPoint(
    model="m",
    gpu_model="A1",
    tensor_parallel=1,
    precision="BF16",
    concurrency=4,
    input_tokens=100,
    output_tokens=10,
)


def sized(model: str, tokens: float | None, gpus: int = 1, **more: float) -> SizedRow:
    return SizedRow(
        gpu_model=model, precision="BF16", tensor_parallel=gpus, fits=True, decode_tokens_per_s=tokens, **more
    )


def test_a_ratio_is_by_the_gpu_with_both_bands() -> None:
    """300 tokens a second of two GPUs beside 50 of one: 3 times. Bands of 0.8 to 1.25 on one side: ratio x 0.8 to 1.25;
    on both sides the logarithms add as the sides of a right angle: e^(0.2231 x 1.4142) = 1.371.
    """
    fast, slow = sized("B", 300.0, 2), sized("A", 50.0)
    plain = ratios.compare_speeds(fast, slow, 20.0, [None, None])
    assert (plain.gpu_model, plain.against, plain.tpot_ms, plain.precision) == ("B", "A", 20.0, "BF16")
    assert (plain.ratio, plain.low, plain.high) == (3.0, 3.0, 3.0)
    side = ratios.compare_speeds(replace(fast, low=0.8, high=1.25), slow, 20.0, [None, None])
    assert (side.low, side.high) == pytest.approx((2.4, 3.75))
    other = ratios.compare_speeds(fast, replace(slow, low=0.8, high=2.0), 20.0, [None, None])
    assert (other.low, other.high) == pytest.approx((1.5, 3.75))  # half where that side may be twice as fast
    both = ratios.compare_speeds(
        replace(fast, low=0.8, high=1.25), replace(slow, low=0.8, high=1.25), 20.0, [None, None]
    )
    assert (both.low, both.high) == pytest.approx((3 / 1.3711, 3 * 1.3711), rel=1e-4)
    assert ratios.tokens_per_gpu(sized("C", None)) == 0.0
    named = ratios.compare_speeds(fast, slow, 20.0, [Correction(1.0, "x.csv"), None])
    assert "x.csv" in str(named.source) and str(plain.source) in str(named.source)


def test_only_models_that_keep_the_time_have_a_ratio() -> None:
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    near = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)
    gpus = [near, replace(near, name="B", bandwidth_tb_per_s=4.0), replace(near, name="C", memory_gb=1.0)]
    terms = ServingTerms(concurrency=1, concurrency_most=1)
    rows = size_rows(SMALL, load, gpus, terms, TABLE, precisions=("BF16",))
    own = next(row for row in rows if row.row_id == ("A1", "BF16", 1))
    found = speed_ratios(own, SMALL, load, gpus, terms, TABLE, {})
    assert [ratio.gpu_model for ratio in found] == ["B"] and found[0].ratio > 1
    faster = next(row for row in rows if row.row_id == ("B", "BF16", 1))
    assert {ratio.gpu_model for ratio in speed_ratios(faster, SMALL, load, gpus, terms, TABLE, {})} <= {"A1"}
    hopeless = replace(faster, tpot_ms=1e-6)
    assert speed_ratios(hopeless, SMALL, load, gpus, terms, TABLE, {}) == ()


def test_a_point_has_the_speed_of_a_replica_and_its_band() -> None:
    result = point_speed(POINT, SMALL, TABLES)
    engine = Engine(gpus=1, bandwidth=2e12, flops=300e12, factors=factors_of(TABLE, CHIP, "BF16", SMALL))
    speed = replica_speed(SMALL, engine, 2, batch=4, context_tokens=100, generated_tokens=10)
    assert isclose(result.tokens_per_s or 0, speed.tokens_per_s)
    assert isclose(result.low or 0, 0.8 * speed.tokens_per_s) and isclose(
        result.high or 0, 1.25 * speed.tokens_per_s
    )
    assert isclose(result.tpot_ms or 0, 1e3 * speed.token_s)
    assert isclose(result.prefill_ms or 0, 1e3 * speed.prefill_s)
    assert result.note == "" == point_speed(replace(POINT, concurrency=128), SMALL, TABLES).note
    assert point_speed(replace(POINT, concurrency=129), SMALL, TABLES).note != ""
    for other in (
        replace(POINT, gpu_model="Z9"),
        replace(POINT, gpu_model="?"),
        replace(POINT, precision="FP4"),
    ):
        unknown = point_speed(other, SMALL, TABLES)
        assert unknown.tokens_per_s is unknown.tpot_ms is None and unknown.note
    assert point_speed(POINT, None, TABLES).tokens_per_s is None
    # the cache of FP8 has values of a byte: only that changes what is read
    eight = point_speed(replace(POINT, precision="FP8"), SMALL, TABLES)
    narrow = replica_speed(
        SMALL, engine, 1, batch=4, context_tokens=100, generated_tokens=10, kv_bytes_per_value=1.0
    )
    assert isclose(eight.tokens_per_s or 0, narrow.tokens_per_s)


def test_the_median_of_measurements_of_a_row_corrects_it() -> None:
    point = MeasuredPoint(
        model="m",
        gpu_model="A1",
        tensor_parallel=1,
        precision="BF16",
        concurrency=4,
        input_tokens=100,
        output_tokens=10,
        tokens_per_s=1.0,
        source="a.csv",
    )
    rows = [
        Compared(
            measured=replace(point, source=f"{at}.csv"),
            predicted_tokens_per_s=1.0,
            ratio=ratio,
            gpu_model="A1",
        )
        for at, ratio in enumerate((3.0, 1.0, 2.5, 8.0))
    ]
    models = {"m": SMALL, "other": MIXED}
    more = [
        Compared(
            measured=replace(point, tensor_parallel=2), predicted_tokens_per_s=1.0, ratio=0.5, gpu_model="A1"
        ),
        Compared(
            measured=replace(point, model="other", tensor_parallel=4),
            predicted_tokens_per_s=1.0,
            ratio=9.0,
            gpu_model="A1",
        ),
        Compared(
            measured=replace(point, tensor_parallel=8),
            predicted_tokens_per_s=None,
            ratio=None,
            gpu_model="A1",
        ),
    ]
    found = corrections([*rows, *more], SMALL, models)
    assert found == {  # of all five the median is 2.5
        ("A1", "BF16", 1): Correction(2.75, "0.csv", ((4, 2.75),)),
        ("A1", "BF16", 2): Correction(0.5, "a.csv", ((4, 0.5),)),
        ("A1", "BF16", 0): Correction(2.5, "0.csv", is_of_shape=False),
        ("A1", "", 0): Correction(2.5, "0.csv", is_of_shape=False),
    }
    (seen,) = compared([replace(point, tokens_per_s=7.0)], models, TABLES)
    assert isclose((seen.ratio or 0) * (seen.predicted_tokens_per_s or 0), 7.0)
