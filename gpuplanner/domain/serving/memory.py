"""Memory of a replica: parameters of a decoder, its weights at a precision, and its KV cache."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.model.places import ServedModel
from gpuplanner.lazy_dataclass import dataclass

# --- How many parameters a decoder has, from the sizes that its config.json states ---------------

Sizes = Mapping[str, int]
"""Sizes by name: vocab, hidden, layers, heads, kv_heads, head_dim, intermediate; those that are not stated are absent.

Of a mixture of experts also experts, experts_per_token, expert_intermediate, shared_intermediate, dense_layers; of
latent attention q_rank, kv_rank, nope_dim, rope_dim, v_dim; tied, qkv_bias, qk_norm: 1 where it has that;
norms: of a layer (2).
"""


NEEDED: Final = ("vocab", "hidden", "layers", "heads", "kv_heads", "head_dim", "intermediate")


_MATRICES: Final = 3  # of a gated feed-forward layer: gate, up, down


@dataclass(frozen=True, slots=True)
class Counted:
    """All parameters, and those that one token passes through."""

    parameters: int
    active: int


def counted_parameters(sizes: Sizes, matrices: int = _MATRICES) -> Counted | None:
    """Embeddings, attention, feed-forward layers and norms added up; None where a size is not stated.

    matrices: of a feed-forward layer, 2 where it has no gate. Source: docs/formulas/sizing.md.
    """
    if any(name not in sizes for name in NEEDED):
        return None
    hidden, layers = sizes["hidden"], sizes["layers"]
    embeddings = sizes["vocab"] * hidden * (1 if sizes.get("tied") else 2)
    experts = sizes.get("experts", 0)
    always = embeddings + hidden + layers * (_attention(sizes) + sizes.get("norms", 2) * hidden)
    if not experts:
        whole = always + layers * matrices * hidden * sizes["intermediate"]
        return Counted(whole, whole)
    dense = min(layers, sizes.get("dense_layers", 0))
    expert = matrices * hidden * sizes.get("expert_intermediate", sizes["intermediate"])
    shared = matrices * hidden * sizes.get("shared_intermediate", 0)
    shared += hidden if sizes.get("shared_gate") else 0
    router = hidden * experts + (experts if sizes.get("router_bias") else 0)
    always += dense * matrices * hidden * sizes["intermediate"] + (layers - dense) * (shared + router)
    chosen = sizes.get("experts_per_token", experts)
    mixed = (layers - dense) * expert
    return Counted(always + mixed * experts, always + mixed * chosen)


def _attention(sizes: Sizes) -> int:
    """Parameters of the attention of one layer."""
    hidden, heads = sizes["hidden"], sizes["heads"]
    if "kv_rank" in sizes:
        return _latent_attention(sizes)
    head_dim, kv_heads = sizes["head_dim"], sizes["kv_heads"]
    weights = 2 * hidden * heads * head_dim + 2 * hidden * kv_heads * head_dim
    bias = (heads + 2 * kv_heads) * head_dim if sizes.get("qkv_bias") else 0
    return weights + bias + (2 * head_dim if sizes.get("qk_norm") else 0)


def _latent_attention(sizes: Sizes) -> int:
    """Parameters of one layer whose keys and values are kept compressed: query, keys and values, output, and
    the norms between them.
    """
    hidden, heads, kv_rank = sizes["hidden"], sizes["heads"], sizes["kv_rank"]
    nope, rope, value = sizes["nope_dim"], sizes["rope_dim"], sizes["v_dim"]
    query_rank = sizes.get("q_rank", 0)
    wide = heads * (nope + rope)
    query = hidden * query_rank + query_rank + query_rank * wide if query_rank else hidden * wide
    keys = hidden * (kv_rank + rope) + kv_rank + kv_rank * heads * (nope + value)
    return query + keys + heads * value * hidden


# --- Memory of a replica: weights at a precision, and the cache of what is served at once --------

BYTES_PER_GB: Final = 1e9


def weights_gb(parameters: float, bytes_per_parameter: float) -> float:
    """GB of the weights.

    >>> weights_gb(70e9, 2)
    140.0
    """
    return parameters * bytes_per_parameter / BYTES_PER_GB


def kv_bytes_per_token(model: ServedModel, bytes_per_value: float = 2.0) -> float:
    """Bytes that the KV cache keeps for one token, at so many bytes a value."""
    return model.kv_values_per_token * bytes_per_value


def cache_gb(
    model: ServedModel,
    *,
    concurrency: float,
    context_tokens: float,
    longest_tokens: float = 0.0,
    kv_bytes_per_value: float = 2.0,
) -> float:
    """GB of one replica's KV cache: concurrency x context x KV per token, and at least that of its longest request.

    Source: docs/formulas/sizing.md.
    """
    kept_tokens = max(concurrency * context_tokens, longest_tokens)
    return kept_tokens * kv_bytes_per_token(model, kv_bytes_per_value) / BYTES_PER_GB
