"""Ratios between GPU models at equal interactivity: what they keep, and what they stand on."""

from dataclasses import replace
from math import isclose

from gpuplanner.domain.model.places import MeasuredPoint
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.ratios import SpeedRatio, compared, corrections, speed_ratios
from gpuplanner.domain.serving.replicas import ServingTargets, ServingTerms
from gpuplanner.domain.serving.sizing import size_rows
from gpuplanner.domain.serving.speed import serving_gpus
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import read_served_models, read_serving_tables

TABLES = read_serving_tables()
GPUS = serving_gpus(TABLES)
LLAMA = model_named("Llama-3.1-8B", read_served_models())
LOAD = Load((LoadHour(0, 20.0),), 5e7, 1000.0, 250.0, 1250.0, are_tokens_known=True)
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
    point = MeasuredPoint("Llama-3.1-8B", "B200", 1, "BF16", 32, 1000, 250, 9_000.0, "own.json")
    models = {"Llama-3.1-8B": LLAMA}
    own = corrections(compared([point], models, TABLES), LLAMA, models, TABLES)
    before, after = ratios_of("H100")["B200"], ratios_of("H100", own)["B200"]
    assert "measured in own.json" in str(after.source) and after.ratio != before.ratio


def test_gpus_in_place_of_those_that_are_held_are_fewer_the_faster_they_are() -> None:
    """12 GPUs at 2 to 4 times, in the middle 3: 3, 4 and 6; 4 of them cost 4 x $5 x 730."""
    ratio = SpeedRatio("B200", "H100", "BF16", 20.0, 3.0, 2.0, 4.0, "", 12.0, 5.0)
    assert ratio.instead == (3.0, 4.0, 6.0)
    assert ratio.usd_per_month == 4 * 5 * 730
    unknown = SpeedRatio("B200", "H100", "BF16", 20.0, 3.0, 2.0, 4.0, "")
    assert unknown.instead == (None, None, None) and unknown.usd_per_month is None
    assert SpeedRatio("B200", "H100", "BF16", 20.0, 3.0, 2.0, 4.0, "", 12.0).usd_per_month is None


def test_a_measurement_stands_beside_the_formula() -> None:
    """Twice and half of what the formula predicts; of a model that nobody knows it predicts nothing."""
    point = MeasuredPoint("Llama-3.1-8B", "B200", 1, "BF16", 32, 1000, 250, 1.0, "own.json")
    models = {"Llama-3.1-8B": LLAMA}
    (first,) = compared([point], models, TABLES)
    predicted = first.predicted_tokens_per_s
    assert predicted is not None
    points = [replace(point, tokens_per_s=predicted * times, source=str(times)) for times in (2.0, 0.5, 3.0)]
    rows = compared(points, models, TABLES)
    assert [round(row.ratio or 0, 9) for row in rows] == [2.0, 0.5, 3.0]
    correction = corrections(rows, LLAMA, models, TABLES)[("B200", "BF16", 1)]
    assert isclose(correction.ratio, 2.0) and "2.0" in str(correction.source)
    (unknown,) = compared([replace(point, model="x")], models, TABLES)
    assert (unknown.predicted_tokens_per_s, unknown.ratio) == (None, None)
    assert corrections([unknown], LLAMA, models, TABLES) == {} == corrections(rows, LLAMA, {}, TABLES)


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
