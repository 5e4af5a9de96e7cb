"""Parameters counted from the sizes of public config.json files are those of the product's table, to the unit."""

import pytest

from gpuplanner.domain.serving.parameters import counted_parameters
from gpuplanner.files.system.resources import read_served_models

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
