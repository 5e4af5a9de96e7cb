"""Memory of a replica: weights at a precision, and the cache of what is served at once."""

from typing import Final

from gpuplanner.domain.model.served_model import ServedModel

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
