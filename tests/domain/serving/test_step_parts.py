"""Speed of a replica: the parts of a step, and batches over machines."""

from dataclasses import replace
from math import isclose

import pytest

from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.speed import (
    Engine,
    awake_share,
    prefill_time_s,
    replica_speed,
    step_s,
    token_time_p95_s,
    token_time_s,
    weights_read,
)
from tests.domain.serving.served_gpus import FACTORS, MIXED, SMALL


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
