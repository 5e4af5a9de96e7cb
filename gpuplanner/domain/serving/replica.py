"""How a replica serves: a step of decoding, the reading of a prompt, requests a second, and how long one waits."""

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
