"""Memory, speed and the M/M/c wait of a replica: by hand, against plain sums, and what must hold for all."""

from dataclasses import replace
from fractions import Fraction
from math import factorial, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.replica import (
    Engine,
    cache_gb,
    chance_of_waiting,
    counted_parameters,
    kv_bytes_per_token,
    mean_wait_s,
    replica_speed,
    weights_gb,
    weights_read_gb,
)
from gpuplanner.files.system.resources import read_served_models

# --- Memory, speed and the M/M/c wait of a replica: by hand, against plain sums, and what must hold for
# all

SMALL = ServedModel("small", 8_000_000_000, 32, 8, 128)
MIXED = ServedModel("mixed", 47_000_000_000, 32, 8, 128, 13_000_000_000, 8, 2)
LATENT = replace(SMALL, kv_values_per_layer=576)


def test_memory_by_hand() -> None:
    assert kv_bytes_per_token(SMALL) == 2 * 32 * 8 * 128 * 2 == 131_072
    assert kv_bytes_per_token(LATENT) == 32 * 576 * 2
    need = weights_gb(SMALL.parameters, 2) + cache_gb(SMALL, concurrency=10, context_tokens=1000)
    assert isclose(need, 16 + 10 * 1000 * 131_072 / 1e9)


@given(
    st.sampled_from([2.0, 1.0, 0.5]), st.integers(0, 1000), st.integers(0, 200_000), st.integers(0, 500),
    st.integers(0, 10_000),
)  # fmt: skip
def test_memory_grows_with_concurrency_context_and_precision(width, at_once, context, more, longer) -> None:
    less = cache_gb(SMALL, concurrency=at_once, context_tokens=context)
    assert cache_gb(SMALL, concurrency=at_once + more, context_tokens=context + longer) >= less
    assert weights_gb(SMALL.parameters, width * 2) > weights_gb(SMALL.parameters, width)


def test_a_mixture_reads_the_experts_that_are_awake() -> None:
    assert isclose(weights_read_gb(MIXED, 2, 1), 2 * 13)  # one request wakes what one token passes through
    assert weights_read_gb(MIXED, 2, 1) < weights_read_gb(MIXED, 2, 4) < weights_read_gb(MIXED, 2, 400)
    assert isclose(weights_read_gb(MIXED, 2, 400), 2 * 47)
    assert weights_read_gb(SMALL, 2, 1) == weights_read_gb(SMALL, 2, 64) == 16


def test_speed_by_hand() -> None:
    """8e9 parameters in BF16 on 2 TB/s and 400 TFLOP/s, four requests of 900 + 100 tokens."""
    speed = replica_speed(
        SMALL, Engine(2.0, 400.0), 2, concurrency=4, context_tokens=900, generated_tokens=100
    )
    step_s = (16 + 4 * 1000 * 131_072 / 1e9) / 2000
    prefill_s = 2 * 8e9 * 900 / 400e12
    assert isclose(speed.step_s, step_s)
    assert isclose(speed.prefill_s or 0, prefill_s)
    assert isclose(speed.requests_per_s or 0, 1 / (prefill_s + 100 * step_s / 4))
    assert isclose(speed.decode_tokens_per_s, 4 / step_s)


def test_decoding_is_bound_by_compute_where_that_takes_longer() -> None:
    speed = replica_speed(SMALL, Engine(1000.0, 1.0), 2, concurrency=10, context_tokens=0, generated_tokens=1)
    assert isclose(speed.step_s, 2 * 8e9 * 10 / 1e12)


@given(st.integers(1, 500), st.floats(1, 1e5), st.floats(1, 1e4))
def test_the_decode_rate_never_exceeds_bandwidth_by_bytes_read(at_once, context, generated) -> None:
    speed = replica_speed(
        SMALL, Engine(3.35, 990.0), 2, concurrency=at_once, context_tokens=context, generated_tokens=generated
    )
    read_gb_per_token = 16 / at_once + (context + generated) * 131_072 / 1e9
    assert speed.decode_tokens_per_s <= 3350 / read_gb_per_token * (1 + 1e-9)
    assert (speed.requests_per_s or 0) * generated <= speed.decode_tokens_per_s * (1 + 1e-9)


def test_requests_without_tokens_have_no_rate() -> None:
    speed = replica_speed(SMALL, Engine(1.0, None), 2, concurrency=1, context_tokens=10, generated_tokens=0)
    assert speed.prefill_s is None
    assert speed.requests_per_s is None


def test_a_model_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        ServedModel("none", 1, 0, 1, 1)


def plain_erlang_c(servers: int, offered: Fraction) -> Fraction:
    """The textbook sum, with fractions: no cancellation, no overflow."""
    top = offered**servers / factorial(servers) * servers / (servers - offered)
    below = sum((offered**k / factorial(k) for k in range(servers)), Fraction(0))
    return top / (below + top)


@given(servers=st.integers(1, 60), busy=st.integers(1, 99))
def test_the_chance_of_waiting_is_the_textbook_sum(servers: int, busy: int) -> None:
    offered = Fraction(servers * busy, 100)
    wanted = float(plain_erlang_c(servers, offered))
    assert isclose(chance_of_waiting(servers, float(offered)), wanted, rel_tol=1e-9, abs_tol=1e-15)


@pytest.mark.parametrize(("servers", "offered", "wanted"), [(1, 0.5, 0.5), (2, 1.0, 1 / 3), (3, 2.0, 4 / 9)])
def test_known_chances(servers: int, offered: float, wanted: float) -> None:
    assert isclose(chance_of_waiting(servers, offered), wanted)


def test_one_server_waits_as_m_m_1() -> None:
    assert isclose(mean_wait_s(1, 4.0, 5.0) or 0, 0.8)  # rho / (mu - lambda)


@pytest.mark.parametrize("arrivals", [2.0, 2.5])
def test_a_queue_that_never_settles_has_no_wait(arrivals: float) -> None:
    assert mean_wait_s(4, arrivals, 0.5) is None


@given(st.integers(1, 5000), st.floats(0.01, 0.999))
def test_one_more_server_never_waits_longer(servers: int, busy: float) -> None:
    offered = servers * busy
    assert 0 <= chance_of_waiting(servers + 1, offered) <= chance_of_waiting(servers, offered) <= 1


def test_nobody_who_comes_never_waits() -> None:
    assert chance_of_waiting(3, 0.0) == 0.0
    with pytest.raises(ValueError, match="0 servers"):
        chance_of_waiting(0, 1.0)


# --- Parameters counted from the sizes of public config.json files are those of the product's table, to
# the unit

HEADS = {"kv_heads": 8, "head_dim": 128}
LLAMA = {**HEADS, "vocab": 128256}
QWEN = {**HEADS, "vocab": 152064, "qkv_bias": 1}
QWEN3 = {**HEADS, "vocab": 151936, "qk_norm": 1}
DEEPSEEK = {
    "vocab": 129280, "hidden": 7168, "layers": 61, "heads": 128, "kv_heads": 128, "head_dim": 128,
    "intermediate": 18432, "experts": 256, "experts_per_token": 8, "expert_intermediate": 2048,
    "shared_intermediate": 2048, "dense_layers": 3, "router_bias": 1, "q_rank": 1536, "kv_rank": 512,
    "nope_dim": 128, "rope_dim": 64, "v_dim": 128,
}  # fmt: skip


def sizes(hidden: int, layers: int, heads: int, intermediate: int, **more: int) -> dict[str, int]:
    return {"hidden": hidden, "layers": layers, "heads": heads, "intermediate": intermediate, **more}


BY_NAME = {
    "DeepSeek R1": DEEPSEEK,
    "DeepSeek V3": DEEPSEEK,
    "Llama 2 7B": {**HEADS, **sizes(4096, 32, 32, 11008, vocab=32000, kv_heads=32)},
    "Llama 2 13B": {**HEADS, **sizes(5120, 40, 40, 13824, vocab=32000, kv_heads=40)},
    "Llama 2 70B": {**HEADS, **sizes(8192, 80, 64, 28672, vocab=32000)},
    "Llama 3 8B": {**LLAMA, **sizes(4096, 32, 32, 14336)},
    "Llama 3 70B": {**LLAMA, **sizes(8192, 80, 64, 28672)},
    "Llama 3.1 8B": {**LLAMA, **sizes(4096, 32, 32, 14336)},
    "Llama 3.1 70B": {**LLAMA, **sizes(8192, 80, 64, 28672)},
    "Llama 3.1 405B": {**LLAMA, **sizes(16384, 126, 128, 53248)},
    "Llama 3.2 1B": {**LLAMA, **sizes(2048, 16, 32, 8192, head_dim=64, tied=1)},
    "Llama 3.2 3B": {**LLAMA, **sizes(3072, 28, 24, 8192, tied=1)},
    "Llama 3.3 70B": {**LLAMA, **sizes(8192, 80, 64, 28672)},
    "Mistral 7B": {**HEADS, **sizes(4096, 32, 32, 14336, vocab=32768)},
    "Mixtral 8x7B": {**HEADS, **sizes(4096, 32, 32, 14336, vocab=32000, experts=8, experts_per_token=2)},
    "Mixtral 8x22B": {**HEADS, **sizes(6144, 56, 48, 16384, vocab=32000, experts=8, experts_per_token=2)},
    "Phi 4": {**HEADS, **sizes(5120, 40, 40, 17920, vocab=100352, kv_heads=10)},
    "Qwen2.5 7B": {**QWEN, **sizes(3584, 28, 28, 18944, kv_heads=4)},
    "Qwen2.5 14B": {**QWEN, **sizes(5120, 48, 40, 13824)},
    "Qwen2.5 32B": {**QWEN, **sizes(5120, 64, 40, 27648)},
    "Qwen2.5 72B": {**QWEN, **sizes(8192, 80, 64, 29568)},
    "Qwen3 8B": {**QWEN3, **sizes(4096, 36, 32, 12288)},
    "Qwen3 32B": {**QWEN3, **sizes(5120, 64, 64, 25600)},
    "Qwen3 30B A3B": {
        **QWEN3,
        **sizes(2048, 48, 32, 6144, kv_heads=4, experts=128, experts_per_token=8, expert_intermediate=768),
    },
    "Qwen3 235B A22B": {
        **QWEN3,
        **sizes(4096, 94, 64, 12288, kv_heads=4, experts=128, experts_per_token=8, expert_intermediate=1536),
    },
}


@pytest.mark.parametrize("model", read_served_models(), ids=lambda model: model.name)
def test_the_table_holds_what_the_sizes_come_to(model) -> None:
    of = BY_NAME[model.name]
    counted = counted_parameters(of)
    assert counted is not None
    assert (model.parameters, model.active) == (counted.parameters, counted.active)
    assert (model.layers, model.kv_heads, model.head_dim) == (of["layers"], of["kv_heads"], of["head_dim"])
    assert (model.experts, model.experts_per_token) == (of.get("experts"), of.get("experts_per_token"))
    assert "config.json of" in model.source


def test_a_size_that_is_not_stated_makes_the_count_unknown() -> None:
    assert counted_parameters({name: 1 for name in DEEPSEEK if name != "vocab"}) is None
