"""Speed of a replica: the parts of a step, batches over machines, factors of chips, and GPUs by name."""

from dataclasses import replace
from math import isclose

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.serving.speed import (
    Engine,
    ServingGpu,
    awake_share,
    calibration_of,
    factor_keys,
    factors_of,
    nearest_chip,
    prefill_time_s,
    replica_speed,
    step_s,
    token_time_p95_s,
    token_time_s,
    weights_read,
)
from tests.domain.serving.served_gpus import CHIP, FACTORS, MIXED, SMALL, TABLE, gpus

# --- The formula


def test_a_step_is_the_sum_of_its_five_parts() -> None:
    """Two GPUs of 10 bytes/s and 100 FLOP/s: 40 / (2 x 10 x 0.5) = 4; 15 / (2 x 10 x 0.25) = 3; 2 x 5 x 20 / (2 x 100 x
    0.5) = 2; 3 layers of 1 s; their exchange 3 x (2 + 8 x 20 x 6 / 2 / (4 x 0.5)) = 3 x 242.
    """
    known = {"weights_bytes": 40, "cache_bytes": 15, "active": 5, "layers": 3, "hidden": 6, "batch": 20}
    asked = {"gpus": 2, "cache_gpus": 2, "bandwidth": 10, "flops": 100}
    assert step_s(FACTORS, **known, **asked) == 4 + 3 + 2 + 3 + 3 * 242
    # alone it reads all by itself, and exchanges nothing
    assert step_s(FACTORS, **known, **(asked | {"gpus": 1, "cache_gpus": 1})) == 8 + 6 + 4 + 3
    assert step_s(FACTORS, **known, **(asked | {"cache_gpus": 1})) == 4 + 6 + 2 + 3 + 3 * 242
    # three of four parts go over the link: 8 x 20 x 6 x 3 / 4 / 2 = 360
    assert step_s(FACTORS, **known, **(asked | {"gpus": 4})) == 2 + 3 + 1 + 3 + 3 * 362
    # 2 x 5 x 10 / (2 x 100 x 0.5) beside the 3 s of any prompt
    assert prefill_time_s(FACTORS, active=5, tokens=10, gpus=2, flops=100) == 4.0


def test_a_token_waits_for_the_prompts_of_the_others() -> None:
    """A step of 2 s and prompts of 10 s, of four others by 20 tokens; 1.645 deviations of them at P95."""
    assert token_time_s(2.0, 10.0, 5, 20) == 4.0
    assert token_time_p95_s(2.0, 10.0, 5, 20) == pytest.approx(2 + (4 + 1.645 * 2) * 0.5)
    assert token_time_s(2.0, 10.0, 1, 20) == token_time_p95_s(2.0, 10.0, 1, 20) == 2.0


@pytest.mark.parametrize(
    ("batch", "part", "others"), [(16, 8, 8), (4, 2, 2), (3, 1.5, 1.5), (2, 1, 1), (1, 0.5, 1)]
)
def test_a_pipeline_parts_its_batch_among_its_machines(batch: int, part: float, others: float) -> None:
    """Sixteen GPUs are two machines of eight: of fewer requests than machines nobody waits for another."""
    engine = Engine(gpus=16, bandwidth=1e12, flops=1e15, factors=FACTORS)
    speed = replica_speed(SMALL, engine, 2, batch=batch, context_tokens=10, generated_tokens=4)
    one_machine = step_s(
        FACTORS,
        weights_bytes=16e9,
        cache_bytes=part * 12 * SMALL.kv_values_per_token * 2,
        active=8e9,
        layers=32,
        hidden=4096,
        batch=part,
        gpus=8,
        cache_gpus=8,
        bandwidth=1e12,
        flops=1e15,
    )
    prefill = prefill_time_s(FACTORS, active=8e9, tokens=10, gpus=8, flops=1e15)
    assert isclose(speed.step_s, one_machine) and isclose(speed.prefill_s, prefill)
    assert isclose(speed.token_s, one_machine + (others - 1) * prefill / 4)
    assert isclose(speed.token_p95_s, one_machine + (others - 1 + 1.645 * (others - 1) ** 0.5) * prefill / 4)
    assert (speed.batch, speed.generated_tokens) == (batch, 4)
    half = replica_speed(
        SMALL, replace(engine, speed=0.5), 2, batch=batch, context_tokens=10, generated_tokens=4
    )
    assert isclose(half.step_s, 2 * speed.step_s) and isclose(half.prefill_s, 2 * speed.prefill_s)
    assert isclose(half.token_p95_s, 2 * speed.token_p95_s)


def test_the_cache_is_parted_over_no_more_gpus_than_heads_and_a_latent_one_over_none() -> None:
    """Only the cache is read here: 2 x 8 values of 2 bytes and 32 layers, of 11 tokens in the mean."""
    light = replace(FACTORS, weights_share=1e30, compute_share=1e30, layer_s=0, exchange_s=0, link_share=1e30)

    def read_s(model: ServedModel, gpus: int, **more: float) -> float:
        engine = Engine(gpus=gpus, bandwidth=1.0, flops=1.0, factors=light)
        return float(
            replica_speed(model, engine, 2, batch=3, context_tokens=10, generated_tokens=2, **more).step_s
        )

    few = replace(SMALL, kv_heads=2)
    kept = 3 * 11 * 2 * 32 * 2 * 128
    assert read_s(few, 1) == pytest.approx(kept * 2 / 0.25)
    assert read_s(few, 2) == pytest.approx(kept / 0.25) == read_s(few, 8)
    assert read_s(few, 2, kv_bytes_per_value=1.0) == pytest.approx(kept / 2 / 0.25)
    latent = replace(SMALL, kv_heads=64, kv_values_per_layer=64)
    assert read_s(latent, 8) == pytest.approx(3 * 11 * 32 * 64 * 2 / 0.25)


def test_a_mixture_wakes_experts_by_chance() -> None:
    """Of four experts each token chooses one: two requests wake 7/16. Three experts are 60 of 100 parameters."""
    assert awake_share(1, 4, 2) == pytest.approx(7 / 16) and awake_share(2, 4, 1) == 0.5
    assert weights_read(MIXED, 1) == pytest.approx(40.0)
    assert weights_read(MIXED, 2) == pytest.approx(20 + 80 * 7 / 16)
    assert weights_read(replace(MIXED, experts_per_token=4), 2) == 100


# --- Factors


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


# --- GPUs that models may be served on


def sold(name: str, memory_gb: float | None = None) -> Offer:
    return Offer(
        offer_id=name,
        gpu_model=name,
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        gpu_memory_gb=memory_gb,
    )


def test_gpus_are_those_of_the_table_with_the_chip_of_their_own_or_the_nearest() -> None:
    found = gpus()
    assert list(found) == ["A1", "New", "Z9"]
    assert found["A1"] == ServingGpu(
        name="A1", memory_gb=100.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP
    )
    assert found["New"].chip == replace(CHIP, gpu_model="New", is_measured=False, tflops={})
    assert found["Z9"] == ServingGpu(
        name="Z9", memory_gb=48.0, bandwidth_tb_per_s=None, tflops=50.0, chip=None
    )


@pytest.mark.parametrize(
    ("stated", "memory_gb"), [(90.0, 90.0), (89.9, 100.0), (100.0, 100.0), (100.1, 100.0), (None, 100.0)]
)
def test_a_card_sold_with_up_to_a_tenth_less_is_the_same(stated: float | None, memory_gb: float) -> None:
    assert gpus(sold("a1", stated))["A1"].memory_gb == memory_gb
    assert gpus(sold("a1", stated), sold("A1", 95.0))["A1"].memory_gb == min(
        memory_gb, 95.0 if memory_gb >= 95 else 90.0
    )


def test_a_name_of_an_offer_has_the_facts_of_its_family_unless_its_memory_is_another() -> None:
    named = gpus(
        sold("Nvidia A1", 95.0),
        sold("A1 80GB", 100.0),
        sold("A1 92 GB"),
        sold("A1 PCIe"),
        sold("X", 7.0),
        sold("old"),
    )
    assert named["Nvidia A1"] == ServingGpu(
        name="Nvidia A1", memory_gb=95.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP
    )
    assert named["A1 80GB"] == ServingGpu(
        name="A1 80GB", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None
    )
    assert named["A1 92 GB"].memory_gb == 92.0 and named["A1 92 GB"].chip == CHIP
    assert named["A1 PCIe"].memory_gb == 100.0 and named["A1 PCIe"].tflops == 300.0
    assert named["X"] == ServingGpu(name="X", memory_gb=7.0, bandwidth_tb_per_s=None, tflops=None)
    assert named["old"].memory_gb == 16.0 and named["old"].chip is not None
    assert gpus(sold("Nvidia A1", 120.0))["Nvidia A1"] == ServingGpu(
        name="Nvidia A1", memory_gb=120.0, bandwidth_tb_per_s=None, tflops=None
    )
    assert gpus(sold("Nvidia A1", 100.0))["Nvidia A1"].bandwidth_tb_per_s == 2.0
