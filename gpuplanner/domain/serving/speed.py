"""Speed of a replica: a step of decoding, the prefill of a prompt, and the time of a token."""

from typing import Any, Final

from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.calibration import Factors
from gpuplanner.lazy_dataclass import dataclass

FLOP_PER_PARAMETER: Final = 2  # one multiplication and one addition of each parameter, for every token
EXCHANGED_BYTES: Final = (
    8  # of a value of the hidden state: two exchanges a layer, there and back, 2 bytes each
)


def awake_share(chosen: Any, experts: Any, batch: Any) -> Any:
    """Share of the experts of a layer that at least one of so many tokens goes through, each choosing evenly."""
    return 1 - (1 - chosen / experts) ** batch


def step_s(
    factors: Factors,
    *,
    weights_bytes: Any,
    cache_bytes: Any,
    active: Any,
    layers: Any,
    hidden: Any,
    batch: Any,
    gpus: Any,
    cache_gpus: Any,
    bandwidth: Any,
    flops: Any,
) -> Any:
    """Seconds in which each request of a batch gets one token.

    weights_bytes, cache_bytes: read in the step, of all GPUs of the replica. cache_gpus: those that the cache is parted
    over. bandwidth in bytes/s, flops in FLOP/s of one GPU. Source: docs/formulas/sizing.md.
    """
    read = weights_bytes / (gpus * bandwidth * factors.weights_share)
    kept = cache_bytes / (cache_gpus * bandwidth * factors.cache_share)
    computed = FLOP_PER_PARAMETER * active * batch / (gpus * flops * factors.compute_share)
    sent = EXCHANGED_BYTES * batch * hidden * (gpus - 1) / gpus
    exchange = (
        (gpus > 1) * layers * (factors.exchange_s + sent / (factors.link_bytes_per_s * factors.link_share))
    )
    return read + kept + computed + layers * factors.layer_s + exchange


def prefill_time_s(factors: Factors, *, active: Any, tokens: Any, gpus: Any, flops: Any) -> Any:
    """Seconds to read a prompt of so many tokens, alone. Source: docs/formulas/sizing.md."""
    return factors.prefill_s + FLOP_PER_PARAMETER * active * tokens / (gpus * flops * factors.prefill_share)


def token_time_s(step: Any, prefill: Any, batch: Any, generated: Any) -> Any:
    """Seconds between two tokens of a request: a step, and its share of the prompts of the others in the batch.

    While a request generates, each of the others ends once and another's prompt is read.
    """
    return step + (batch - 1) * prefill / generated


P95_DEVIATES: Final = 1.645


def token_time_p95_s(step: Any, prefill: Any, batch: Any, generated: Any) -> Any:
    """The same of the request of twenty that meets most prompts: their number is as of Poisson arrivals."""
    others = batch - 1
    return step + (others + P95_DEVIATES * others**0.5) * prefill / generated


NODE_GPUS: Final = 8
"""GPUs that share one machine: a replica on more is a pipeline over machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaSpeed:
    """One replica with so many requests at once, or a column of such batches; times in seconds.

    token_s: between two tokens of a request, in the mean; token_p95_s: of the slowest of twenty requests.
    """

    batch: Any
    step_s: Any
    prefill_s: float
    token_s: Any
    token_p95_s: Any
    generated_tokens: float

    @property
    def tokens_per_s(self) -> Any:
        """Tokens generated a second by all requests together."""
        return self.batch / self.token_s

    @property
    def request_s(self) -> Any:
        """Seconds that a request keeps its place: its prompt, and its tokens."""
        return self.prefill_s + self.generated_tokens * self.token_s

    @property
    def requests_per_s(self) -> Any:
        """What it can do without end (mu)."""
        return self.batch / self.request_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """GPUs that hold one replica: how many, bytes/s and FLOP/s of each in the precision, and the factors.

    speed: the planner's own correction, a multiple of the speed that the factors give. prefix_hit: share of a prompt
    that is not read again, its cache is kept; tokens_per_step: that a request gets of one step.
    """

    gpus: int
    bandwidth: float
    flops: float
    factors: Factors
    speed: float = 1.0
    prefix_hit: float = 0.0
    tokens_per_step: float = 1.0


def replica_speed(
    model: ServedModel,
    engine: Engine,
    bytes_per_parameter: float,
    *,
    batch: Any,
    context_tokens: float,
    generated_tokens: float,
    kv_bytes_per_value: float = 2.0,
) -> ReplicaSpeed:
    """The speed of one replica with a batch, or with each of a column of batches.

    A replica on several machines is a pipeline: each part of the batch passes one machine after the other, so that a
    token takes a step of its part, and as many parts are under way as there are machines.
    Errors: ValueError where no token is generated. Source: docs/formulas/sizing.md.
    """
    if generated_tokens <= 0:
        raise ValueError(f"{model.name}: requests that generate nothing have no time per token")
    machines = max(1, engine.gpus // NODE_GPUS)
    gpus, part = engine.gpus // machines, batch / machines
    kept_tokens = context_tokens + generated_tokens / 2
    step = step_s(
        engine.factors,
        weights_bytes=weights_read(model, part) * bytes_per_parameter,
        cache_bytes=part * kept_tokens * model.kv_values_per_token * kv_bytes_per_value,
        active=model.active,
        layers=model.layers,
        hidden=model.width,
        batch=part,
        gpus=gpus,
        cache_gpus=1 if model.is_latent else min(gpus, model.kv_heads),
        bandwidth=engine.bandwidth,
        flops=engine.flops,
    )
    read = context_tokens * (1 - engine.prefix_hit)
    prefill = prefill_time_s(engine.factors, active=model.active, tokens=read, gpus=gpus, flops=engine.flops)
    step, prefill = step / engine.speed / engine.tokens_per_step, prefill / engine.speed
    others = part + (part < 1) * (1 - part)  # a batch smaller than the machines: nobody else is in its part
    return ReplicaSpeed(
        batch=batch,
        step_s=step,
        prefill_s=prefill,
        token_s=token_time_s(step, prefill, others, generated_tokens),
        token_p95_s=token_time_p95_s(step, prefill, others, generated_tokens),
        generated_tokens=generated_tokens,
    )


def weights_read(model: ServedModel, batch: Any) -> Any:
    """Parameters that one step of decoding reads for so many requests.

    A dense model reads all of them. Of a mixture of E experts a layer with k for each token, requests that choose
    evenly wake E (1 - (1 - k / E)^batch) of them; an expert's size follows from all and active parameters.
    """
    if not model.is_mixture:
        return model.parameters
    experts, chosen = model.experts or 1, model.experts_per_token or 1
    mixed = (model.parameters - model.active) / (experts - chosen) * experts
    return model.parameters - mixed + mixed * awake_share(chosen, experts, batch)
