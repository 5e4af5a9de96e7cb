"""A replica: parameters and memory of a model, and how fast it serves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.places import ServedModel

# --- How many parameters a decoder has, from the sizes that its config.json states ---------------

Sizes = Mapping[str, int]
"""Sizes by name: vocab, hidden, layers, heads, kv_heads, head_dim, intermediate; those that are not stated are absent.

Of a mixture of experts also experts, experts_per_token, expert_intermediate, shared_intermediate, dense_layers; of
latent attention q_rank, kv_rank, nope_dim, rope_dim, v_dim; tied, qkv_bias, qk_norm: 1 where it has that.
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

    matrices: of a feed-forward layer, 2 where it has no gate. Source: docs/formulas.md, Inference sizing.
    """
    if any(name not in sizes for name in NEEDED):
        return None
    hidden, layers = sizes["hidden"], sizes["layers"]
    embeddings = sizes["vocab"] * hidden * (1 if sizes.get("tied") else 2)
    experts = sizes.get("experts", 0)
    always = embeddings + hidden + layers * (_attention(sizes) + 2 * hidden)
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

BYTES_BY_PRECISION: Final = {"BF16": 2.0, "INT8": 1.0, "INT4": 0.5}
"""Bytes per parameter of the weights. The KV cache keeps its own width: quantising weights does not change it."""

PRECISIONS: Final = tuple(BYTES_BY_PRECISION)
TENSOR_PARALLEL: Final = (1, 2, 4, 8)
"""GPUs that hold one replica."""


BYTES_PER_GB: Final = 1e9


def weights_gb(parameters: float, bytes_per_parameter: float) -> float:
    """GB of the weights.

    >>> weights_gb(70e9, 2)
    140.0
    """
    return parameters * bytes_per_parameter / BYTES_PER_GB


def kv_bytes_per_token(model: ServedModel, bytes_per_value: float = 2.0) -> float:
    """Bytes that the KV cache keeps for one token: 2 x layers x kv_heads x head_dim x bytes.

    Latent attention keeps another count of numbers a layer, which the model then states.
    """
    per_layer = model.kv_values_per_layer
    if per_layer is None:
        per_layer = 2 * model.kv_heads * model.head_dim
    return model.layers * per_layer * bytes_per_value


def cache_gb(
    model: ServedModel,
    *,
    concurrency: float,
    context_tokens: float,
    longest_tokens: float = 0.0,
    kv_bytes_per_value: float = 2.0,
) -> float:
    """GB of one replica's KV cache: concurrency x context x KV per token, and at least that of its longest request.

    Source: docs/formulas.md, Inference sizing.
    """
    kept_tokens = max(concurrency * context_tokens, longest_tokens)
    return kept_tokens * kv_bytes_per_token(model, kv_bytes_per_value) / BYTES_PER_GB


def weights_read_gb(model: ServedModel, bytes_per_parameter: float, concurrency: float) -> float:
    """GB of weights that one step of decoding reads for so many requests.

    A dense model reads all of them. Of a mixture of E experts a layer with k for each token, requests that choose
    evenly wake E (1 - (1 - k / E)^concurrency) of them; an expert's size follows from all and active parameters.
    """
    experts, chosen = model.experts, model.experts_per_token
    if not experts or not chosen or chosen >= experts or model.active >= model.parameters:
        return weights_gb(model.active, bytes_per_parameter)
    expert = (model.parameters - model.active) / (experts - chosen)
    shared = model.parameters - experts * expert
    awake = experts * (1 - (1 - chosen / experts) ** concurrency)
    return weights_gb(shared + awake * expert, bytes_per_parameter)


# --- How a replica serves: a step of decoding, the reading of a prompt, requests a second, and how long one waits

GB_PER_TB: Final = 1e3
FLOP_PER_PARAMETER: Final = 2  # one multiplication and one addition of each parameter, for every token


@dataclass(frozen=True, slots=True)
class Engine:
    """GPUs that hold one replica together, as fast as they are reached.

    bandwidth_tb_per_s and tflops (dense BF16; None: not stated) are of all of them, times the share that is reached.
    """

    bandwidth_tb_per_s: float
    tflops: float | None

    def compute_s(self, model: ServedModel, tokens: float) -> float | None:
        """Seconds to take so many tokens through the model: 2 x parameters x tokens / FLOP/s; None: not stated."""
        if self.tflops is None:
            return None
        return FLOP_PER_PARAMETER * model.active * tokens / (self.tflops * 1e12)


@dataclass(frozen=True, slots=True)
class ReplicaSpeed:
    """One replica with so many requests at once. prefill_s None: the TFLOP/s of its GPU are not stated.

    step_s: one token for each of the requests. requests_per_s: what it can do without end (mu); an upper bound
    where prefill_s is None. decode_tokens_per_s: of all requests together.
    """

    concurrency: int
    step_s: float
    prefill_s: float | None
    requests_per_s: float | None

    @property
    def decode_tokens_per_s(self) -> float:
        """Tokens generated a second by all requests together.

        Every step gives each of the requests one token, so that this is concurrency / step_s.
        """
        return self.concurrency / self.step_s


def replica_speed(
    model: ServedModel,
    engine: Engine,
    bytes_per_parameter: float,
    *,
    concurrency: int,
    context_tokens: float,
    generated_tokens: float,
    kv_bytes_per_value: float = 2.0,
) -> ReplicaSpeed:
    """The speed of one replica.

    A step reads the weights once and the KV cache of every request, at the memory's bandwidth, or computes longer
    than that. A request takes its prefill and its share of the steps: mu = 1 / (prefill + generated x step /
    concurrency). None where neither takes any time. Source: docs/formulas.md, Inference sizing.
    """
    kept = (context_tokens + generated_tokens) * kv_bytes_per_token(model, kv_bytes_per_value) / 1e9
    read_gb = weights_read_gb(model, bytes_per_parameter, concurrency) + concurrency * kept
    step_s = read_gb / GB_PER_TB / engine.bandwidth_tb_per_s
    step_s = max(step_s, engine.compute_s(model, concurrency) or 0.0)
    prefill_s = engine.compute_s(model, context_tokens)
    busy_s = (prefill_s or 0.0) + generated_tokens * step_s / concurrency
    return ReplicaSpeed(concurrency, step_s, prefill_s, 1 / busy_s if busy_s > 0 else None)


_NEVER: Final = 1e300  # 1 / B beyond it: nobody waits
_NO_MORE: Final = 1e-17  # of the sum: a term that changes it no longer


def chance_of_waiting(servers: int, offered: float) -> float:
    """Erlang C: the share of requests that find all servers busy. offered: arrivals / rate of one server.

    1 where offered >= servers (the queue grows for ever). Its inverse is summed: 1 / B = sum over k of
    c! / ((c - k)! a^k), each term from the one before, so that thousands of servers take no longer than few.
    Errors: ValueError for less than one server. Source: Erlang (1917); Kleinrock, Queueing Systems I (1975).
    """
    if servers < 1 or offered < 0:
        raise ValueError(f"queue: {servers} servers, {offered} offered")
    if offered == 0:
        return 0.0
    busy = offered / servers
    if busy >= 1:
        return 1.0
    term = inverse_b = 1.0
    for left in range(servers, 0, -1):
        term *= left / offered
        inverse_b += term
        if inverse_b > _NEVER:
            return 0.0
        if term < inverse_b * _NO_MORE:
            break
    return 1 / ((1 - busy) * inverse_b + busy)


def mean_wait_s(servers: int, arrivals_per_s: float, rate_per_s: float) -> float | None:
    """Mean seconds in the queue; rate_per_s is of one server. None where it never settles (arrivals >= all servers).

    >>> mean_wait_s(1, 0.5, 1.0)
    1.0
    >>> mean_wait_s(2, 2.0, 1.0) is None
    True
    """
    spare = servers * rate_per_s - arrivals_per_s
    if spare <= 0:
        return None
    return chance_of_waiting(servers, arrivals_per_s / rate_per_s) / spare
