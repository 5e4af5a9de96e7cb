"""Memory of a served model: its parameters by their matrices, and the requests that its cache holds."""

import pytest

from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.memory import cache_gb, counted_parameters


def test_parameters_are_counted_by_their_matrices() -> None:
    """Vocabulary 10, hidden 4, 2 layers, 2 heads of 2, 1 of keys, intermediate 3.

    Embeddings 10 x 4 twice; of a layer attention 2 x 4 x 4 + 2 x 4 x 2 = 48 and norms 8, feed-forward 3 x 4 x 3 = 36; a
    norm of 4 at the end: 80 + 4 + 2 x (56 + 36) = 268.
    """
    plain = {
        "vocab": 10,
        "hidden": 4,
        "layers": 2,
        "heads": 2,
        "kv_heads": 1,
        "head_dim": 2,
        "intermediate": 3,
    }

    def counted(matrices: int = 3, **more: int) -> tuple[int, int]:
        result = counted_parameters(plain | more, matrices)
        assert result is not None
        return result.parameters, result.active

    assert counted() == (268, 268) and counted(2) == (244, 244)
    assert counted(tied=1) == (228, 228)
    assert counted(qkv_bias=1) == (268 + 2 * 8, 268 + 2 * 8)  # (2 + 2 x 1) heads of 2
    assert counted(qk_norm=1) == (268 + 2 * 4, 268 + 2 * 4)
    # four experts of 36 with a router of 16: 80 + 4 + 2 x (56 + 16) = 228 always, and 2 x 36 of each expert
    assert counted(experts=4, experts_per_token=1) == (228 + 288, 228 + 72)
    assert counted(experts=4) == (516, 516)
    assert counted(experts=4, experts_per_token=1, router_bias=1) == (524, 308)
    assert counted(experts=4, experts_per_token=2, expert_intermediate=1) == (228 + 96, 228 + 48)
    assert counted(experts=4, experts_per_token=1, shared_intermediate=1) == (516 + 24, 300 + 24)
    assert counted(experts=4, experts_per_token=1, shared_gate=1) == (516 + 8, 300 + 8)
    # one dense layer of 36 in place of a router and four experts
    assert counted(experts=4, experts_per_token=1, dense_layers=1) == (516 - 160 + 36, 300 - 52 + 36)
    assert counted(experts=4, experts_per_token=1, dense_layers=9) == (268, 268)
    # latent: query 4 x 2 x (3 + 1) = 32, keys 4 x (5 + 1) + 5 + 5 x 2 x (3 + 2) = 79, output 2 x 2 x 4 = 16
    latent = {"kv_rank": 5, "nope_dim": 3, "rope_dim": 1, "v_dim": 2}
    assert counted(**latent) == (268 + 2 * (127 - 48),) * 2
    assert counted(**latent, q_rank=6) == (268 + 2 * (24 + 6 + 48 + 95 - 48),) * 2


def test_a_cache_holds_requests_at_once_and_at_least_the_longest() -> None:
    """65,536 values of 2 bytes a token."""
    model = ServedModel(name="m", parameters=1, layers=32, kv_heads=8, head_dim=128)

    def gb(**more: float) -> float:
        return cache_gb(model, concurrency=4, context_tokens=100, **more)

    assert gb() == pytest.approx(400 * 131_072 / 1e9) == gb(longest_tokens=400)
    assert gb(longest_tokens=401) == pytest.approx(401 * 131_072 / 1e9)
    assert gb(kv_bytes_per_value=1.0) == pytest.approx(400 * 65_536 / 1e9)
