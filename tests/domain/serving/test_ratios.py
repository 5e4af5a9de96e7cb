"""Ratios between GPU models at equal interactivity: what they keep, and what they stand on."""

from dataclasses import replace
from math import isclose

import pytest

from gpuplanner.domain.model.places import MeasuredPoint
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.ratios import SpeedRatio, compared, corrections, measured_ratio, speed_ratios
from gpuplanner.domain.serving.replicas import ServingTargets, ServingTerms
from gpuplanner.domain.serving.serving_gpus import serving_gpus
from gpuplanner.domain.serving.sizing import size_rows
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import read_served_models, read_serving_tables

TABLES = read_serving_tables()
GPUS = serving_gpus(TABLES)
LLAMA = model_named("Llama-3.1-8B", read_served_models())
LOAD = Load(
    hours=(LoadHour(0, 20.0),),
    requests_per_month=5e7,
    context_tokens=1000.0,
    generated_tokens=250.0,
    longest_tokens=1250.0,
    are_tokens_known=True,
)
TERMS = ServingTerms(concurrency_most=64)
ROWS = {row.row_id: row for row in size_rows(LLAMA, LOAD, GPUS, TERMS, TABLES.calibration)}


def ratios_of(gpu_model: str, own=(), **changed):
    row = replace(ROWS[(gpu_model, "BF16", 1)], **changed)
    found = speed_ratios(row, LLAMA, LOAD, GPUS, TERMS, TABLES.calibration, dict(own))
    return {one.gpu_model: one for one in found}


def test_a_ratio_lies_in_its_band_and_turns_round() -> None:
    from_h100 = ratios_of("H100")
    b200 = from_h100["B200"]
    assert b200.low < b200.ratio < b200.high and 1.2 < b200.ratio < 4 and b200.against == "H100"
    assert "formula" in str(b200.source) and "H100" not in from_h100
    back = ratios_of("B200", tpot_ms=ROWS[("H100", "BF16", 1)].tpot_ms)["H100"]
    assert isclose(back.ratio * b200.ratio, 1) and isclose(back.low * b200.high, 1)
    least, middle, most = (b200 := replace(b200, gpus=12.0, rate=5.0)).instead
    assert isclose(b200.usd_per_month, middle * 3_650)
    assert least < middle < most and isclose(middle * b200.ratio, b200.gpus)


def test_who_cannot_keep_the_time_is_left_out() -> None:
    fast = ROWS[("B200", "BF16", 8)].tpot_ms / 20
    assert ratios_of("B200", tpot_ms=fast) == {} == ratios_of("H100", tpot_ms=None)


def test_measurements_move_the_ratio_and_are_its_source() -> None:
    point = MeasuredPoint(
        model="Llama-3.1-8B",
        gpu_model="B200",
        tensor_parallel=1,
        precision="BF16",
        concurrency=32,
        input_tokens=1000,
        output_tokens=250,
        tokens_per_s=9_000.0,
        source="own.json",
    )
    models = {"Llama-3.1-8B": LLAMA}
    own = corrections(compared([point], models, TABLES), LLAMA, models)
    before, after = ratios_of("H100")["B200"], ratios_of("H100", own)["B200"]
    assert "measured in own.json" in str(after.source) and after.ratio != before.ratio


def test_gpus_in_place_of_those_that_are_held_are_fewer_the_faster_they_are() -> None:
    """12 GPUs at 2 to 4 times, in the middle 3: 3, 4 and 6; 4 of them cost 4 x $5 x 730."""
    ratio = SpeedRatio(
        gpu_model="B200",
        against="H100",
        precision="BF16",
        tpot_ms=20.0,
        ratio=3.0,
        low=2.0,
        high=4.0,
        source="",
        gpus=12.0,
        rate=5.0,
    )
    assert ratio.instead == (3.0, 4.0, 6.0)
    assert ratio.usd_per_month == 4 * 5 * 730
    unknown = SpeedRatio(
        gpu_model="B200",
        against="H100",
        precision="BF16",
        tpot_ms=20.0,
        ratio=3.0,
        low=2.0,
        high=4.0,
        source="",
    )
    assert unknown.instead == (None, None, None) and unknown.usd_per_month is None
    assert (
        SpeedRatio(
            gpu_model="B200",
            against="H100",
            precision="BF16",
            tpot_ms=20.0,
            ratio=3.0,
            low=2.0,
            high=4.0,
            source="",
            gpus=12.0,
        ).usd_per_month
        is None
    )


def test_a_measurement_stands_beside_the_formula() -> None:
    """Twice and half of what the formula predicts; of a model that nobody knows it predicts nothing."""
    point = MeasuredPoint(
        model="Llama-3.1-8B",
        gpu_model="B200",
        tensor_parallel=1,
        precision="BF16",
        concurrency=32,
        input_tokens=1000,
        output_tokens=250,
        tokens_per_s=1.0,
        source="own.json",
    )
    models = {"Llama-3.1-8B": LLAMA}
    (first,) = compared([point], models, TABLES)
    predicted = first.predicted_tokens_per_s
    assert predicted is not None
    points = [replace(point, tokens_per_s=predicted * times, source=str(times)) for times in (2.0, 0.5, 3.0)]
    rows = compared(points, models, TABLES)
    assert [round(row.ratio or 0, 9) for row in rows] == [2.0, 0.5, 3.0]
    correction = corrections(rows, LLAMA, models)[("B200", "BF16", 1)]
    assert isclose(correction.ratio, 2.0) and "2.0" in str(correction.source)
    (unknown,) = compared([replace(point, model="x")], models, TABLES)
    assert (unknown.predicted_tokens_per_s, unknown.ratio) == (None, None)
    assert corrections([unknown], LLAMA, models) == {} == corrections(rows, LLAMA, {})


A100 = MeasuredPoint(
    model="Llama-3.1-8B",
    gpu_model="A100",
    tensor_parallel=1,
    precision="BF16",
    concurrency=32,
    input_tokens=1000,
    output_tokens=250,
    tokens_per_s=1000.0,
    source="own.csv",
)
H100 = replace(A100, gpu_model="H100", tokens_per_s=2200.0)


def measured_ratios(points: list[MeasuredPoint], **changed: float) -> dict[str, SpeedRatio]:
    models = {"Llama-3.1-8B": LLAMA}
    rows = compared(points, models, TABLES)
    own = corrections(rows, LLAMA, models)
    row = replace(ROWS[("A100", "BF16", 1)], **changed)
    found = speed_ratios(row, LLAMA, LOAD, GPUS, TERMS, TABLES.calibration, own, rows)
    return {one.gpu_model: one for one in found}


def test_two_gpu_models_measured_at_2_2_times_are_2_2_times() -> None:
    found = measured_ratios([A100, H100])
    assert isclose(found["H100"].ratio, 2.2) and str(found["H100"].source) == "measured in own.csv"
    assert "other shapes" not in str(found["H100"].source) and "formula" in str(found["B200"].source)


def test_curves_are_compared_at_equal_interactivity() -> None:
    """A100: 40 tokens/s of a request at 400 a GPU, 20 at 800. H100: 40 at 1,200, 20 at 1,600; between them on the line
    of the logarithms: at 28.284 the middle, 565.7 and 1,385.6. At 60 or 10 the nearest that both have.
    """
    slow = [replace(A100, concurrency=c, tokens_per_s=t) for c, t in ((10, 400.0), (40, 800.0))]
    fast = [replace(H100, concurrency=c, tokens_per_s=t) for c, t in ((30, 1200.0), (80, 1600.0))]
    for interactivity, ratio in ((40, 3), (20, 2), (28.284, 6**0.5), (60, 3), (10, 2)):
        assert measured_ratio(fast, slow, 1000 / interactivity) == pytest.approx((ratio,), rel=1e-4)
    beaten = replace(
        H100, concurrency=25, tokens_per_s=700.0
    )  # slower at 28 tokens/s of a request than the others
    assert measured_ratio([*fast, beaten], slow, 1000 / 28.284) == measured_ratio(fast, slow, 1000 / 28.284)
    assert measured_ratio(fast, [replace(point, input_tokens=9) for point in slow], 25) == ()
    two = [replace(point, tensor_parallel=2) for point in fast]
    assert measured_ratio(two, slow, 25) == pytest.approx((1.5,))  # by the GPU


def test_curves_that_do_not_meet_are_compared_at_as_many_requests() -> None:
    assert measured_ratio([H100], [A100], 20) == pytest.approx((2.2,))
    assert measured_ratio([replace(H100, concurrency=16)], [A100], 20) == ()


def test_a_measurement_corrects_the_other_shapes_of_its_gpu() -> None:
    models = {"Llama-3.1-8B": LLAMA}
    (plain,) = compared([A100], models, TABLES)
    point = replace(A100, tokens_per_s=plain.predicted_tokens_per_s * 0.5)
    own = corrections(compared([point], models, TABLES), LLAMA, models)
    rows = size_rows(LLAMA, LOAD, GPUS, TERMS, TABLES.calibration, corrections=own)
    slower = {row.row_id: row for row in rows}
    for row_id in (("A100", "BF16", 1), ("A100", "BF16", 4), ("A100", "INT8", 2)):
        assert isclose(slower[row_id].tpot_ms, 2 * ROWS[row_id].tpot_ms), row_id
        assert slower[row_id].is_own is (row_id == ("A100", "BF16", 1))
    assert "other shapes in own.csv" in str(slower["A100", "BF16", 4].why)
    assert slower["H100", "BF16", 1] == ROWS["H100", "BF16", 1]


def test_a_measured_curve_is_met_at_each_of_its_points() -> None:
    """1.2 of the formula at 4 requests at once, 0.6 at 64: the line of the logarithm has 0.9 at 16."""
    models = {"Llama-3.1-8B": LLAMA}
    points = [replace(A100, concurrency=at_once) for at_once in (4, 64)]
    predicted = [row.predicted_tokens_per_s for row in compared(points, models, TABLES)]
    shares = zip(points, predicted, (1.2, 0.6), strict=True)
    points = [replace(point, tokens_per_s=tokens * share) for point, tokens, share in shares]
    correction = corrections(compared(points, models, TABLES), LLAMA, models)["A100", "BF16", 1]
    for at_once, share in ((1, 1.2), (4, 1.2), (16, 0.9), (64, 0.6), (256, 0.6)):
        assert isclose(correction.at(at_once), share)
    alone = replace(TERMS, concurrency=64)
    sized = size_rows(
        LLAMA, LOAD, GPUS, alone, TABLES.calibration, corrections={("A100", "BF16", 1): correction}
    )
    rows = {row.row_id: row for row in sized}
    assert isclose(rows["A100", "BF16", 1].decode_tokens_per_s, points[1].tokens_per_s)


def test_a_model_that_takes_half_as_long_again_is_left_out() -> None:
    """Of each other model the fastest row of any shape decides whether it keeps the time."""
    alone = replace(TERMS, targets=ServingTargets(tpot_p50_ms=1e-6))
    rows = size_rows(LLAMA, LOAD, GPUS, alone, TABLES.calibration, precisions=("BF16",))
    least: dict[str, float] = {}
    for row in rows:
        if row.tpot_ms is not None:
            least[row.gpu_model] = min(row.tpot_ms, least.get(row.gpu_model, row.tpot_ms))
    own = min(least, key=lambda name: least[name])
    for name, ms in least.items():
        if name != own and ms / 1.5 > least[own]:
            assert name not in ratios_of(own, tpot_ms=ms / 1.5)
            assert name in ratios_of(own, tpot_ms=ms * 1.01)
