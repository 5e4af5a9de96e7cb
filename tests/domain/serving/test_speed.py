"""Speed of a replica: one step by hand, and what must hold for all."""

from dataclasses import replace
from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.calibration import Factors
from gpuplanner.domain.serving.speed import Engine, replica_speed, weights_read

SMALL = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128, hidden=4096)
MIXED = ServedModel(
    name="mixed",
    parameters=47_000_000_000,
    layers=32,
    kv_heads=8,
    head_dim=128,
    active_parameters=13_000_000_000,
    experts=8,
    experts_per_token=2,
    hidden=4096,
)
LATENT = replace(SMALL, kv_heads=64, kv_values_per_layer=576)
FACTORS = Factors(
    weights_share=0.8,
    cache_share=0.5,
    compute_share=0.7,
    prefill_share=0.4,
    layer_s=5e-5,
    exchange_s=2e-5,
    link_share=0.1,
    link_bytes_per_s=450e9,
    prefill_s=0.004,
)
TWO = Engine(gpus=2, bandwidth=3.0e12, flops=1.0e15, factors=FACTORS)


def test_a_mixture_reads_the_experts_that_are_awake() -> None:
    assert isclose(weights_read(MIXED, 1), 13e9)  # one request wakes what one token passes through
    assert weights_read(MIXED, 1) < weights_read(MIXED, 4) < weights_read(MIXED, 400)
    assert isclose(weights_read(MIXED, 400), 47e9)
    assert weights_read(SMALL, 1) == weights_read(SMALL, 64) == 8e9


def test_a_step_by_hand() -> None:
    """8e9 parameters in BF16 on two GPUs of 3 TB/s and 1 PFLOP/s, ten requests of 1,000 + 200 tokens."""
    speed = replica_speed(SMALL, TWO, 2, batch=10, context_tokens=1000, generated_tokens=200)
    kept = 10 * 1100 * 2 * 32 * 8 * 128 * 2
    step_s = (
        16e9 / (2 * 3e12 * 0.8)
        + kept / (2 * 3e12 * 0.5)
        + 2 * 8e9 * 10 / (2 * 1e15 * 0.7)
        + 32 * 5e-5
        + 32 * (2e-5 + 8 * 10 * 4096 * 0.5 / (450e9 * 0.1))
    )
    prefill_s = 0.004 + 2 * 8e9 * 1000 / (2 * 1e15 * 0.4)
    assert isclose(speed.step_s, step_s) and isclose(speed.prefill_s, prefill_s)
    assert isclose(speed.token_s, step_s + 9 * prefill_s / 200)
    assert isclose(speed.token_p95_s, step_s + (9 + 1.645 * 3) * prefill_s / 200)
    assert isclose(speed.tokens_per_s, 10 / speed.token_s)
    assert isclose(speed.requests_per_s, 10 / (10 * prefill_s + 200 * step_s))


def test_one_gpu_exchanges_nothing_and_latent_attention_is_in_no_parts() -> None:
    alone = replica_speed(SMALL, replace(TWO, gpus=1), 2, batch=1, context_tokens=0, generated_tokens=2)
    kept = 1 * 2 * 32 * 8 * 128 * 2
    assert isclose(alone.step_s, 16e9 / 2.4e12 + kept / 1.5e12 + 16e9 / 0.7e15 + 32 * 5e-5)
    assert LATENT.is_latent and not SMALL.is_latent
    more = [
        replica_speed(
            LATENT, replace(TWO, gpus=gpus), 2, batch=50, context_tokens=90_000, generated_tokens=2
        ).step_s
        for gpus in (2, 4)
    ]
    assert more[1] > 0.9 * more[0]  # the cache, which is most of it, is read whole by every GPU


def test_a_replica_on_two_machines_is_a_pipeline() -> None:
    """Sixteen GPUs: each half of the batch on eight, both under way at once."""
    eight = replica_speed(SMALL, replace(TWO, gpus=8), 2, batch=8, context_tokens=100, generated_tokens=100)
    sixteen = replica_speed(
        SMALL, replace(TWO, gpus=16), 2, batch=16, context_tokens=100, generated_tokens=100
    )
    assert isclose(sixteen.token_s, eight.token_s)
    assert isclose(sixteen.tokens_per_s, 2 * eight.tokens_per_s)


@given(
    st.sampled_from([SMALL, MIXED, LATENT]), st.integers(1, 500), st.integers(0, 100_000), st.integers(1, 5000),
    st.sampled_from([1, 2, 4, 8]),
)  # fmt: skip
def test_laws_of_every_replica(model, batch, read, generated, gpus) -> None:
    engine = replace(TWO, gpus=gpus)
    sizes = {"context_tokens": read, "generated_tokens": generated}
    one = replica_speed(model, engine, 2, batch=batch, **sizes)
    more = replica_speed(model, engine, 2, batch=batch + 1, **sizes)
    assert more.token_s > one.token_s and one.token_p95_s >= one.token_s
    assert one.tokens_per_s <= gpus * engine.bandwidth / (2 * weights_read(model, batch)) * batch
    column = replica_speed(model, engine, 2, batch=np.array([batch, batch + 1]), **sizes)
    assert np.allclose(column.token_s, [one.token_s, more.token_s], rtol=1e-12)
    twice = replica_speed(model, replace(engine, speed=2.0), 2, batch=batch, **sizes)
    assert isclose(twice.token_s, one.token_s / 2)
    with pytest.raises(ValueError, match="generate nothing"):
        replica_speed(model, engine, 2, batch=1, context_tokens=1, generated_tokens=0)
