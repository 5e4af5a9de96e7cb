"""Calibration: each factor is of its own row, and the nearest chip stands in."""

from dataclasses import replace

from gpuplanner.domain.serving.calibration import calibration_of, factor_keys, factors_of, nearest_chip
from gpuplanner.domain.serving.serving_gpus import ServingGpu
from tests.domain.serving.served_gpus import CHIP, MIXED, SMALL, TABLE


def test_each_factor_is_of_its_own_row() -> None:
    dense = factors_of(TABLE, CHIP, "BF16", SMALL)
    assert (dense.weights_share, dense.cache_share, dense.compute_share, dense.prefill_share) == (
        0.1,
        0.2,
        0.4,
        0.6,
    )
    assert (dense.layer_s, dense.exchange_s, dense.link_share, dense.prefill_s) == (0.8, 1.1, 1.2, 1.3)
    assert (dense.link_bytes_per_s, dense.low, dense.high, dense.remarks) == (300e9, 0.8, 1.25, ())
    mixed = factors_of(TABLE, CHIP, "FP8", replace(MIXED, kv_heads=64, head_dim=64, kv_values_per_layer=64))
    assert (mixed.cache_share, mixed.compute_share, mixed.prefill_share, mixed.layer_s) == (
        0.3,
        0.5,
        0.7,
        0.9,
    )
    assert (mixed.low, mixed.high, len(mixed.remarks)) == (0.7, 1.5, 1)  # hardly measured in FP8
    near = factors_of(TABLE, CHIP, "INT8", SMALL)
    assert near.prefill_share == 0.65 and len(near.remarks) == 2
    other = factors_of(TABLE, replace(CHIP, gpu_model="B1", is_measured=False), "INT8", SMALL)
    names = [dict(remark.values) for remark in other.remarks]  # type: ignore[union-attr]
    assert names == [{"model": "B1", "other": "A1"}, {"precision": "INT8", "nearest": "near"}]


def test_weights_without_arithmetic_are_computed_in_bf16() -> None:
    assert [CHIP.computed_in(name) for name in ("BF16", "FP8", "INT8", "INT4", "FP4")] == [
        "BF16", "BF16", "INT8", "BF16", "FP4",
    ]  # fmt: skip
    assert factor_keys(CHIP, "FP8", is_mixture=False, is_latent=False)["prefill_share"] == "dense/BF16"
    gpu = ServingGpu(name="A1", memory_gb=80, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)
    assert [gpu.flops(name) for name in ("BF16", "FP8", "INT8", "INT4", "FP4")] == [
        300e12, 300e12, 100e12, 300e12, None,
    ]  # fmt: skip
    assert replace(gpu, tflops=None).flops("FP8") is None and replace(gpu, chip=None).flops("BF16") is None


def test_the_nearest_chip_is_so_as_a_ratio_and_was_measured() -> None:
    """2 and 8 are as near to 4: the first by name. 3 is nearer to 4 than to 2."""
    chips = [replace(CHIP, gpu_model=name, is_measured=name != "D") for name in ("C", "B", "A", "D")]
    table = calibration_of(chips, ())
    speeds = {"B": 2.0, "A": 8.0, "C": 4.0, "D": 3.0}
    assert nearest_chip(table, 4.0, {"B": 2.0, "A": 8.0}) == "A"
    assert nearest_chip(table, 3.0, speeds) == "C" and nearest_chip(table, 2.5, speeds) == "B"
    assert nearest_chip(table, 1.0, {"A": 0.0, "B": 9.0}) == "B"
