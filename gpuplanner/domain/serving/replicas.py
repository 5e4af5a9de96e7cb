"""Replicas: latency targets and sizing terms, how many replicas a load asks for, and the queue before prefill."""

from collections.abc import Mapping, Sequence
from math import ceil, log
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.serving.load import Load
from gpuplanner.lazy_dataclass import dataclass, field

# --- Latency targets, and what sizing assumes ------------------------------------------------------

NEARLY: Final = 1e-12
"""A quotient this near to a whole number is that number: 1.8 / (0.9 x 2) asks for one replica."""


@dataclass(frozen=True, slots=True)
class ServingTargets:
    """What a planner promises of latency, in ms; None: nothing.

    ttft: until the first token, way included; tpot: between two tokens. p50 holds for the request in the middle, p95
    for the slowest of twenty.
    """

    ttft_p50_ms: float | None = None
    ttft_p95_ms: float | None = None
    tpot_p50_ms: float | None = None
    tpot_p95_ms: float | None = None

    @property
    def is_set(self) -> bool:
        """Whether anything is promised."""
        return any(getattr(self, name) is not None for name in KEPT)


KEPT: Final[Mapping[str, tuple[str, Text]]] = {
    "ttft_p50_ms": ("ttft_p50_ms", worded("first token, P50")),
    "ttft_p95_ms": ("ttft_p95_ms", worded("first token, P95")),
    "tpot_p50_ms": ("tpot_ms", worded("time per token, P50")),
    "tpot_p95_ms": ("tpot_p95_ms", worded("time per token, P95")),
}
"""By target the field of a row that is to keep it, and what it is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingTerms:
    """What sizing assumes, from the assumptions of the same names.

    concurrency: requests that a replica must hold at once, at least; concurrency_most: it never holds more.
    Shares are 0..1: headroom of mu that is used, memory that is usable. speed: the planner's own multiple of what the
    factors give. prefix_hit: share of a prompt that the cache has. tokens_per_step: of speculative decoding. way_ms:
    there and back to the users. spare: replicas beside those that the peak asks for (None: one where there are two or
    more). start_s, scale_delay_s, cool_down_s, replicas_least: of the autoscaler.
    """

    headroom: float = 0.9
    usable_memory: float = 0.9
    concurrency: int = 8
    concurrency_most: int = 256
    kv_bytes: float = 2.0
    speed: float = 1.0
    prefix_hit: float = 0.0
    tokens_per_step: float = 1.0
    way_ms: float = 4.0
    spare: int | None = None
    start_s: float = 180
    scale_delay_s: float = 60
    cool_down_s: float = 300
    replicas_least: int = 1
    targets: ServingTargets = field(default_factory=ServingTargets)


def terms_of(assumptions: Assumptions, way_ms: float | None = None) -> ServingTerms:
    """The terms in force. way_ms: there and back as placement has it; None: as assumed.

    A most that the planner states holds whatever the least is; else concurrency_most is never below concurrency.
    Source: docs/formulas/sizing.md.
    """
    least, most = assumptions.serving_concurrency, assumptions.serving_concurrency_most
    if most != Assumptions().serving_concurrency_most:
        least = min(least, most)
    return ServingTerms(
        headroom=assumptions.headroom,
        usable_memory=assumptions.usable_memory,
        concurrency=least,
        concurrency_most=max(least, most),
        kv_bytes=assumptions.serving_kv_bytes,
        speed=assumptions.serving_speed,
        prefix_hit=assumptions.serving_prefix_hit_share,
        tokens_per_step=assumptions.serving_speculative_speedup,
        way_ms=assumptions.serving_round_trip_ms if way_ms is None else way_ms,
        spare=assumptions.serving_replicas_spare,
        start_s=assumptions.serving_start_s,
        scale_delay_s=assumptions.serving_scale_delay_s,
        cool_down_s=assumptions.serving_cool_down_s,
        replicas_least=assumptions.serving_replicas_least,
        targets=ServingTargets(
            assumptions.serving_ttft_p50_ms,
            assumptions.serving_ttft_p95_ms,
            assumptions.serving_tpot_p50_ms,
            assumptions.serving_tpot_p95_ms,
        ),
    )


# --- How many replicas a load asks for -------------------------------------------------------------


def replicas_for(requests_per_s: float, replica_requests_per_s: float, headroom: float) -> int:
    """ceil(`replicas_asked`): none without traffic, at least one with it.

    >>> replicas_for(1.8, 2.0, 0.9), replicas_for(1.9, 2.0, 0.9), replicas_for(0.001, 2.0, 0.9)
    (1, 2, 1)
    """
    if requests_per_s <= 0:
        return 0
    asked: float = replicas_asked(requests_per_s, replica_requests_per_s, headroom)
    return max(1, ceil(asked * (1 - NEARLY)))


def replicas_asked(requests_per_s: Any, replica_requests_per_s: float, headroom: float) -> Any:
    """requests per s (a number, or a column) / (headroom x mu), before it is rounded up to whole replicas.

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
    rates = np.array([hour.requests_per_s for hour in load.hours])
    return tuple(asked_by_hour(rates, replica_requests_per_s, headroom).astype(int).tolist())


def asked_by_hour(rates: Floats, replica_requests_per_s: float, headroom: float) -> Floats:
    """`replicas_for` of every rate."""
    asked = np.ceil(replicas_asked(rates, replica_requests_per_s, headroom) * (1 - NEARLY))
    return np.where(rates > 0, np.maximum(1, asked), 0)


def autoscaled_hours(load: Load, replicas: Sequence[int]) -> float:
    """Replica-hours a month of so many replicas in each hour of the load.

    Shapes: replicas, one for each of load.hours. Hours that the load does not cover are taken to be like
    those that it does.
    Errors: ValueError where there are not as many replicas as hours.
    """
    held = sum(hour.seconds * count for hour, count in zip(load.hours, replicas, strict=True))
    return held * load.month_per_second


def replicas_held(
    peak: float, mu: float, prefill_ms: float, terms: ServingTerms, replicas: int | None = None
) -> tuple[int, int]:
    """Replicas that are held, and how many of them are spare. replicas: how many, where the planner says so.

    As many as keep the headroom, and more where the queue would otherwise miss a target of the first token.
    """
    if replicas is not None:
        return replicas, 0
    asked = replicas_for(peak, mu, terms.headroom)
    for target, quantile in ((terms.targets.ttft_p50_ms, 0.50), (terms.targets.ttft_p95_ms, 0.95)):
        left_ms = None if target is None else target - terms.way_ms - prefill_ms
        if left_ms is not None and left_ms > 0:
            asked = max(asked, replicas_for(peak, mu, busiest_for(left_ms, prefill_ms, quantile)))
    spare = terms.spare if terms.spare is not None else int(asked > 1)
    return asked + (spare if asked else 0), spare if asked else 0


# --- The queue for a prompt to be read -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wait:
    """The queue before prefill. busy: rho, under 1; prefill_ms: of one prompt.

    Source: docs/formulas/sizing.md: the mean of M/D/1, its tail as exponential.
    """

    busy: float
    prefill_ms: float

    @property
    def mean_ms(self) -> float:
        """rho p / 2 (1 - rho).

        >>> Wait(0.5, 10.0).mean_ms
        5.0
        """
        return self.busy * self.prefill_ms / (2 * (1 - self.busy))

    def quantile_ms(self, share: float) -> float:
        """The wait that so many requests do not exceed: 0 for as many as find nobody before them.

        >>> Wait(0.5, 10.0).quantile_ms(0.5)
        0.0
        """
        return 0.0 if self.busy <= 1 - share else self.mean_ms / self.busy * log(self.busy / (1 - share))


def busiest_for(wait_ms: float, prefill_ms: float, share: float) -> float:
    """The highest rho at which so many requests wait no longer; 0..1, found by halving."""
    low, high = 1 - share, 1.0  # nobody of them waits below it
    for _ in range(24):
        middle = (low + high) / 2
        waits_ms = prefill_ms / (2 * (1 - middle)) * log(middle / (1 - share))
        low, high = (middle, high) if waits_ms <= wait_ms else (low, middle)
    return low
