"""Parameters and memory of a replica: by hand, and what must hold for all."""

from dataclasses import replace
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.replica import cache_gb, counted_parameters, kv_bytes_per_token, weights_gb
from gpuplanner.files.system.resources import read_served_models

# --- Memory of a replica: by hand, and what must hold for all

SMALL = ServedModel("small", 8_000_000_000, 32, 8, 128)
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


def test_a_model_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        ServedModel("none", 1, 0, 1, 1)


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
    "Qwen2 7B": {**QWEN, **sizes(3584, 28, 28, 18944, kv_heads=4)},
    "Qwen2 72B": {**QWEN, **sizes(8192, 80, 64, 29568)},
    "Qwen2.5 7B": {**QWEN, **sizes(3584, 28, 28, 18944, kv_heads=4)},
    "Qwen2.5 14B": {**QWEN, **sizes(5120, 48, 40, 13824)},
    "Qwen2.5 32B": {**QWEN, **sizes(5120, 64, 40, 27648)},
    "Qwen2.5 72B": {**QWEN, **sizes(8192, 80, 64, 29568)},
    "Qwen3 14B": {**QWEN3, **sizes(5120, 40, 40, 17408)},
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


COUNTED = [model for model in read_served_models() if "named by its publisher" not in model.source]


@pytest.mark.parametrize("model", COUNTED, ids=lambda model: model.name)
def test_the_table_holds_what_the_sizes_come_to(model) -> None:
    of = BY_NAME[model.name]
    counted = counted_parameters(of)
    assert counted is not None
    assert (model.parameters, model.active) == (counted.parameters, counted.active)
    assert model.hidden == of["hidden"]
    assert (model.layers, model.kv_heads, model.head_dim) == (of["layers"], of["kv_heads"], of["head_dim"])
    assert (model.experts, model.experts_per_token) == (of.get("experts"), of.get("experts_per_token"))
    assert "config.json of" in model.source


def test_a_size_that_is_not_stated_makes_the_count_unknown() -> None:
    assert counted_parameters({name: 1 for name in DEEPSEEK if name != "vocab"}) is None
