"""Inference sizing: GPUs for a model and its load, on every GPU model, precision and number of GPUs a replica."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Final

from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.domain.serving.gpus import ServingGpu
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.memory import (
    BYTES_BY_PRECISION,
    TENSOR_PARALLEL,
    cache_gb,
    kv_bytes_per_token,
    weights_gb,
)
from gpuplanner.domain.serving.replica import Engine, ReplicaSpeed, mean_wait_s, replica_speed

_NEARLY: Final = 1e-12
"""A quotient this near to a whole number is that number: 1.8 / (0.9 x 2) asks for one replica."""


@dataclass(frozen=True, slots=True)
class ServingTerms:
    """What sizing assumes, from the assumptions of the same names.

    concurrency: requests that a replica must hold at once, at least; concurrency_most: it never holds more.
    Shares are 0..1: headroom of mu that is used, memory that is usable, bandwidth and compute that are reached.
    """

    headroom: float = 0.9
    usable_memory: float = 0.9
    concurrency: int = 8
    concurrency_most: int = 256
    kv_bytes: float = 2.0
    bandwidth_share: float = 1.0
    compute_share: float = 1.0
    round_trip_ms: float = 4.0


def terms_of(assumptions: Assumptions) -> ServingTerms:
    """The terms in force.

    A replica may hold at least as many requests at once as it must: concurrency_most is never below
    concurrency.
    Source: docs/formulas.md, Inference sizing.
    """
    return ServingTerms(
        headroom=assumptions.headroom,
        usable_memory=assumptions.usable_memory,
        concurrency=assumptions.serving_concurrency,
        concurrency_most=max(assumptions.serving_concurrency, assumptions.serving_concurrency_most),
        kv_bytes=assumptions.serving_kv_bytes,
        bandwidth_share=assumptions.serving_bandwidth_share,
        compute_share=assumptions.serving_compute_share,
        round_trip_ms=assumptions.serving_round_trip_ms,
    )


@dataclass(frozen=True, slots=True)
class SizedRow:
    """One GPU model, precision and number of GPUs a replica.

    memory_gb: what a replica needs: its weights, and cache_gb of the requests that it must hold at once; usable_gb:
    what its GPUs have, gpu_memory_gb: each of them (None: not known). fits None: nobody knows.
    Below it everything is None where it does not fit or cannot be known.
    requests_per_s: mu of one replica. replicas_asked: what the peak asks for, replicas_peak: in whole replicas.
    busy_at_peak: rho, the share of all replicas' mu that the peak takes.
    ttft_ms None where is_unstable: the peak asks for no less than all replicas can do. why: in words, what does not
    fit or is not known; is_bound: prefill is left out of mu, so that replicas are at least so many.
    """

    gpu_model: str
    precision: str
    tensor_parallel: int
    fits: bool | None
    weights_gb: float
    memory_gb: float
    usable_gb: float | None
    gpu_memory_gb: float | None
    concurrency: int | None = None
    requests_per_s: float | None = None
    decode_tokens_per_s: float | None = None
    replicas_peak: int | None = None
    gpu_hours_per_month_autoscaled: float | None = None
    busy_at_peak: float | None = None
    wait_ms: float | None = None
    prefill_ms: float | None = None
    ttft_ms: float | None = None
    is_unstable: bool = False
    is_bound: bool = False
    why: Text = ""
    cache_gb: float = 0.0
    replicas_asked: float | None = None

    @property
    def row_id(self) -> tuple[str, str, int]:
        """By what rows are sorted.

        (GPU model, precision, GPUs of a replica); no two rows of one sizing share it.
        """
        return (self.gpu_model, self.precision, self.tensor_parallel)


def replicas_for(requests_per_s: float, replica_requests_per_s: float, headroom: float) -> int:
    """ceil(`replicas_asked`): none without traffic, at least one with it.

    >>> replicas_for(1.8, 2.0, 0.9), replicas_for(1.9, 2.0, 0.9), replicas_for(0.001, 2.0, 0.9)
    (1, 2, 1)
    """
    if requests_per_s <= 0:
        return 0
    return max(1, ceil(replicas_asked(requests_per_s, replica_requests_per_s, headroom) * (1 - _NEARLY)))


def replicas_asked(requests_per_s: float, replica_requests_per_s: float, headroom: float) -> float:
    """requests per s / (headroom x mu), before it is rounded up to whole replicas.

    headroom: share of mu that is planned with, 0..1. Errors: ZeroDivisionError where mu or headroom is 0.

    >>> replicas_asked(3.6, 2.0, 0.9)
    2.0
    """
    return requests_per_s / (headroom * replica_requests_per_s)


def replicas_by_hour(load: Load, replica_requests_per_s: float, headroom: float) -> tuple[int, ...]:
    """What a perfect autoscaler holds in each hour of the load.

    One whole number for each of load.hours; 0 in an hour without requests. replica_requests_per_s: mu of one
    replica.
    """
    return tuple(replicas_for(hour.requests_per_s, replica_requests_per_s, headroom) for hour in load.hours)


def autoscaled_hours(load: Load, replicas: Sequence[int]) -> float:
    """Replica-hours a month of so many replicas in each hour of the load.

    Shapes: replicas, one for each of load.hours. Hours that the load does not cover are taken to be like
    those that it does.
    Errors: ValueError where there are not as many replicas as hours.
    """
    held = sum(hour.seconds * count for hour, count in zip(load.hours, replicas, strict=True))
    return held * load.month_per_second


def size_rows(
    model: ServedModel,
    load: Load,
    gpus: Iterable[ServingGpu],
    terms: ServingTerms,
    replicas: int | None = None,
) -> tuple[SizedRow, ...]:
    """Every GPU model, precision and tensor parallelism, sorted by them.

    replicas: how many are held, where the planner says so; None: as many as the peak asks for.
    Laws: a replica on more GPUs fits wherever one on fewer does; autoscaled GPU-hours never exceed flat ones.
    """
    rows = (
        _row(model, load, gpu, precision, parallel, terms, replicas)
        for gpu in gpus
        for precision in BYTES_BY_PRECISION
        for parallel in TENSOR_PARALLEL
    )
    return tuple(sorted(rows, key=lambda row: row.row_id))


def _row(
    model: ServedModel,
    load: Load,
    gpu: ServingGpu,
    precision: str,
    parallel: int,
    terms: ServingTerms,
    replicas: int | None,
) -> SizedRow:
    """One row: memory first, then speed; where the next step has nothing to stand on the row ends there and
    says why.
    """
    width = BYTES_BY_PRECISION[precision]
    weights = weights_gb(model.parameters, width)
    kept = kv_bytes_per_token(model, terms.kv_bytes) / 1e9
    cache = cache_gb(
        model,
        concurrency=terms.concurrency,
        context_tokens=load.tokens_per_request,
        longest_tokens=load.longest_tokens,
        kv_bytes_per_value=terms.kv_bytes,
    )
    need = float(SIZING.value("memory_gb", {"weights_gb": weights, "cache_gb": cache}))
    usable = None if gpu.memory_gb is None else terms.usable_memory * parallel * gpu.memory_gb
    fits = None if usable is None else need <= usable * (1 + _NEARLY)
    row = SizedRow(gpu.name, precision, parallel, fits, weights, need, usable, gpu.memory_gb, cache_gb=cache)
    if usable is None:
        return replace(row, why=worded("the memory of {gpu} is not known", gpu=gpu.name))
    if not fits:
        return replace(
            row,
            why=worded(
                "{needs_gb} GB do not fit in {has_gb} GB",
                needs_gb=significant(need, 4),
                has_gb=significant(usable, 4),
            ),
        )
    if gpu.bandwidth_tb_per_s is None:
        return replace(row, why=worded("the bandwidth of {gpu} is not known", gpu=gpu.name))
    one = load.tokens_per_request * kept
    room = terms.concurrency_most if one <= 0 else floor((usable - weights) / one + _NEARLY)
    speed = replica_speed(
        model,
        Engine(
            gpu.bandwidth_tb_per_s * parallel * terms.bandwidth_share,
            None if gpu.tflops is None else gpu.tflops * parallel * terms.compute_share,
        ),
        width,
        concurrency=max(terms.concurrency, min(room, terms.concurrency_most)),
        context_tokens=load.context_tokens,
        generated_tokens=load.generated_tokens,
        kv_bytes_per_value=terms.kv_bytes,
    )
    return _loaded(row, load, speed, terms, replicas)


def _loaded(
    row: SizedRow, load: Load, speed: ReplicaSpeed, terms: ServingTerms, replicas: int | None
) -> SizedRow:
    """The row with what its load asks for."""
    row = replace(row, concurrency=speed.concurrency, decode_tokens_per_s=speed.decode_tokens_per_s)
    mu = speed.requests_per_s
    if mu is None:
        return replace(row, why=worded("the requests have no tokens"))
    peak = load.peak_requests_per_s
    held = replicas_for(peak, mu, terms.headroom) if replicas is None else replicas
    by_hour = tuple(min(held, count) for count in replicas_by_hour(load, mu, terms.headroom))
    wait_s = mean_wait_s(held, peak, mu) if held else 0.0
    wait_ms = None if wait_s is None else wait_s * 1e3
    prefill_ms = None if speed.prefill_s is None else speed.prefill_s * 1e3
    is_bound = prefill_ms is None
    until_first = {"network_ms": terms.round_trip_ms, "wait_ms": wait_ms, "prefill_ms": prefill_ms}
    why: Text = worded("unstable: the peak asks for as much as all replicas can do") if wait_s is None else ""
    if is_bound and not why:
        why = worded(
            "the TFLOP/s of {gpu_model} are not known: at least so many replicas, without their prefill",
            gpu_model=row.gpu_model,
        )
    return replace(
        row,
        requests_per_s=mu,
        replicas_peak=held,
        replicas_asked=replicas_asked(peak, mu, terms.headroom),
        gpu_hours_per_month_autoscaled=autoscaled_hours(load, by_hour) * row.tensor_parallel,
        busy_at_peak=peak / (held * mu) if held else None,
        wait_ms=wait_ms,
        prefill_ms=prefill_ms,
        ttft_ms=None if None in until_first.values() else float(SIZING.value("ttft_ms", until_first)),
        is_unstable=wait_s is None,
        is_bound=is_bound,
        why=why,
    )
