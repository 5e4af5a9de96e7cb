"""How fast a replica is: a step of decoding, the reading of a prompt, and requests a second."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.domain.serving.memory import kv_bytes_per_token, weights_read_gb

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
