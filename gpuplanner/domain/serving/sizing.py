"""Inference sizing: memory of a replica, GPUs for a model and its load on every GPU model, and measured points."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import ceil, floor, inf, log
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures.serving import memory_gb, ttft_ms, way_share
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.places import ServedModel, ServingPoint
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.speed import (
    BYTES_BY_PRECISION,
    NODE_GPUS,
    Calibration,
    Engine,
    Factors,
    ReplicaSpeed,
    ServingGpu,
    ServingTables,
    factors_of,
    gpu_of,
    replica_speed,
)
from gpuplanner.lazy_dataclass import dataclass, field

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

    Source: docs/formulas.md, Inference sizing.
    """
    kept_tokens = max(concurrency * context_tokens, longest_tokens)
    return kept_tokens * kv_bytes_per_token(model, kv_bytes_per_value) / BYTES_PER_GB


# --- Inference sizing: GPUs for a model and its load, on every GPU model, precision and number of GPUs a replica

_NEARLY: Final = 1e-12
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


@dataclass(frozen=True, slots=True)
class ServingTerms:
    """What sizing assumes, from the assumptions of the same names.

    concurrency: requests that a replica must hold at once, at least; concurrency_most: it never holds more.
    Shares are 0..1: headroom of mu that is used, memory that is usable. speed: the planner's own multiple of what the
    factors give. way_ms: there and back to the users. spare: replicas beside those that the peak asks for (None: one
    where there are two or more). start_s, scale_delay_s, cool_down_s, replicas_least: of the autoscaler.
    """

    headroom: float = 0.9
    usable_memory: float = 0.9
    concurrency: int = 8
    concurrency_most: int = 256
    kv_bytes: float = 2.0
    speed: float = 1.0
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
    Source: docs/formulas.md, Inference sizing.
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


@dataclass(frozen=True, slots=True)
class SizedRow:
    """One GPU model, precision and number of GPUs a replica.

    memory_gb: what a replica needs (None: not asked, of a stated rate): its weights, and cache_gb of the requests
    that it must hold at once; usable_gb:
    what its GPUs have, gpu_memory_gb: each of them (None: not known). fits None: nobody knows.
    Below it everything is None where it does not fit or cannot be known.
    requests_per_s: mu of one replica. replicas_asked: what the peak asks for, replicas_peak: in whole replicas, with
    replicas_spare of them spare. busy_at_peak: rho, the share of all replicas' mu that the peak takes.
    tpot_ms, tpot_p95_ms: between two tokens; ttft_ms: until the first token in the mean, in parts way_ms, wait_ms and
    prefill_ms, way_share of it no GPU shortens; None where is_unstable: the peak asks for no less than all
    replicas can do. meets_target: whether all targets are kept (None: none is set, or nobody knows); missed_by: the
    worst of them, as a multiple of the target.
    low, high: measured over predicted speed, P10 and P90. why: in words, what does not fit, is not known, missed or
    measured elsewhere.
    """

    gpu_model: str
    precision: str
    tensor_parallel: int
    fits: bool | None
    weights_gb: float | None = None
    memory_gb: float | None = None
    usable_gb: float | None = None
    gpu_memory_gb: float | None = None
    concurrency: int | None = None
    requests_per_s: float | None = None
    decode_tokens_per_s: float | None = None
    replicas_peak: int | None = None
    gpu_hours_per_month_autoscaled: float | None = None
    busy_at_peak: float | None = None
    way_ms: float | None = None
    wait_ms: float | None = None
    prefill_ms: float | None = None
    ttft_ms: float | None = None
    way_share: float | None = None
    ttft_p50_ms: float | None = None
    ttft_p95_ms: float | None = None
    tpot_ms: float | None = None
    tpot_p95_ms: float | None = None
    meets_target: bool | None = None
    missed_by: float | None = None
    low: float | None = None
    high: float | None = None
    is_unstable: bool = False
    why: Text = ""
    cache_gb: float = 0.0
    replicas_asked: float | None = None
    replicas_spare: int = 0

    @property
    def row_id(self) -> tuple[str, str, int]:
        """By what rows are sorted.

        (GPU model, precision, GPUs of a replica); no two rows of one sizing share it.
        """
        return (self.gpu_model, self.precision, self.tensor_parallel)

    @property
    def key(self) -> str:
        """The same as text."""
        return "\t".join(map(str, self.row_id))

    @property
    def shape(self) -> Message:
        """4 x H100, BF16."""
        return worded(
            "{gpus} \u00d7 {gpu_model}, {precision}",
            gpus=whole(self.tensor_parallel),
            gpu_model=self.gpu_model,
            precision=self.precision,
        )


def replicas_for(requests_per_s: float, replica_requests_per_s: float, headroom: float) -> int:
    """ceil(`replicas_asked`): none without traffic, at least one with it.

    >>> replicas_for(1.8, 2.0, 0.9), replicas_for(1.9, 2.0, 0.9), replicas_for(0.001, 2.0, 0.9)
    (1, 2, 1)
    """
    if requests_per_s <= 0:
        return 0
    asked: float = replicas_asked(requests_per_s, replica_requests_per_s, headroom)
    return max(1, ceil(asked * (1 - _NEARLY)))


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
    return tuple(_asked_by_hour(rates, replica_requests_per_s, headroom).astype(int).tolist())


def _asked_by_hour(rates: Floats, replica_requests_per_s: float, headroom: float) -> Floats:
    """`replicas_for` of every rate."""
    asked = np.ceil(replicas_asked(rates, replica_requests_per_s, headroom) * (1 - _NEARLY))
    return np.where(rates > 0, np.maximum(1, asked), 0)


def autoscaled_hours(load: Load, replicas: Sequence[int]) -> float:
    """Replica-hours a month of so many replicas in each hour of the load.

    Shapes: replicas, one for each of load.hours. Hours that the load does not cover are taken to be like
    those that it does.
    Errors: ValueError where there are not as many replicas as hours.
    """
    held = sum(hour.seconds * count for hour, count in zip(load.hours, replicas, strict=True))
    return held * load.month_per_second


# --- Every GPU model, precision and number of GPUs a replica ---------------------------------------

ON_ONE_MACHINE: Final = (1, 2, 4, 8)
OVER_MACHINES: Final = (2 * NODE_GPUS, 4 * NODE_GPUS)
"""GPUs that hold one replica; over machines only where one machine is too small."""


RowId = tuple[str, str, int]
"""Of a row the GPU model, the precision and the GPUs of a replica."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a measurement of one's own makes of the formula for one row. ratio: measured over predicted."""

    ratio: float
    source: str


NO_CORRECTIONS: Final[Mapping[RowId, Correction]] = {}


def size_rows(
    model: ServedModel,
    load: Load,
    gpus: Iterable[ServingGpu],
    terms: ServingTerms,
    calibration: Calibration,
    replicas: int | None = None,
    corrections: Mapping[RowId, Correction] = NO_CORRECTIONS,
    precisions: Iterable[str] = tuple(BYTES_BY_PRECISION),
) -> tuple[SizedRow, ...]:
    """Every GPU model, precision and tensor parallelism, sorted by them.

    A replica is held by 1 to 8 GPUs of one machine; where not even 8 hold it, by two or four machines as a pipeline.
    replicas: how many are held, where the planner says so; None: as many as the peak asks for. corrections: by row_id,
    of measurements of the planner's own.
    Laws: a replica on more GPUs fits wherever one on fewer does; autoscaled GPU-hours never exceed flat ones.
    """
    rows: list[SizedRow] = []
    rates, seconds = np.array([(hour.requests_per_s, hour.seconds) for hour in load.hours]).reshape(-1, 2).T
    asked = _Asked(load.peak_requests_per_s, rates, seconds, load.month_per_second)
    for gpu in gpus:
        for precision in precisions:
            chip = gpu.chip if gpu.flops(precision) else None
            factors = factors_of(calibration, chip, precision, model) if chip else None
            sizing = _Sizing(model, load, gpu, precision, terms, factors, replicas, corrections, asked)
            made = [sizing.row(parallel) for parallel in ON_ONE_MACHINE]
            if made[-1].fits is False:
                wider = (sizing.row(parallel) for parallel in OVER_MACHINES)
                made += [row for row in wider if row.fits][:1]
            rows += made
    return tuple(sorted(rows, key=lambda row: row.row_id))


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What a load comes to: its peak, requests a second and seconds of each hour, and hours of a month of a second."""

    peak: float
    rates: Floats
    seconds: Floats
    month_per_second: float

    def autoscaled_hours(self, mu: float, headroom: float, most: int) -> float:
        """`autoscaled_hours` of what each hour asks for, `most` replicas at most."""
        by_hour = np.minimum(most, _asked_by_hour(self.rates, mu, headroom))
        return float(by_hour @ self.seconds) * self.month_per_second


@dataclass(frozen=True, slots=True)
class _Sizing:
    """What rows of one GPU model and precision have in common."""

    model: ServedModel
    load: Load
    gpu: ServingGpu
    precision: str
    terms: ServingTerms
    factors: Factors | None
    replicas: int | None
    corrections: Mapping[RowId, Correction]
    asked: _Asked

    def row(self, parallel: int) -> SizedRow:
        """One row: memory first, then speed; where the next step has nothing to stand on the row ends there and
        says why.
        """
        model, load, gpu, terms = self.model, self.load, self.gpu, self.terms
        weights = weights_gb(model.parameters, BYTES_BY_PRECISION[self.precision])
        cache = cache_gb(
            model,
            concurrency=terms.concurrency,
            context_tokens=load.tokens_per_request,
            longest_tokens=load.longest_tokens,
            kv_bytes_per_value=terms.kv_bytes,
        )
        need = float(memory_gb(weights, cache))
        usable = None if gpu.memory_gb is None else terms.usable_memory * parallel * gpu.memory_gb
        fits = None if usable is None else need <= usable * (1 + _NEARLY)
        made = partial(
            SizedRow,
            gpu.name,
            self.precision,
            parallel,
            fits,
            weights,
            need,
            usable,
            gpu.memory_gb,
            cache_gb=cache,
        )
        if usable is None:
            return made(why=worded("the memory of {gpu} is not known", gpu=gpu.name))
        if not fits:
            return made(
                why=worded(
                    "{needs_gb} GB do not fit in {has_gb} GB",
                    needs_gb=significant(need, 4),
                    has_gb=significant(usable, 4),
                )
            )
        if gpu.bandwidth_tb_per_s is None or gpu.chip is None:
            return made(why=worded("the bandwidth of {gpu} is not known", gpu=gpu.name))
        flops, factors = gpu.flops(self.precision), self.factors
        if flops is None or factors is None:
            return made(
                why=worded(
                    "the TFLOP/s of {gpu} in {precision} are not known",
                    gpu=gpu.name,
                    precision=self.precision,
                )
            )
        if load.generated_tokens <= 0:
            return made(why=worded("the requests generate no tokens"))
        one = load.tokens_per_request * kv_bytes_per_token(model, terms.kv_bytes) / 1e9
        room = floor((usable - weights) / one + _NEARLY)
        own = self.corrections.get((gpu.name, self.precision, parallel))
        speed = terms.speed * (1.0 if own is None else own.ratio)
        engine = Engine(parallel, gpu.bandwidth_tb_per_s * 1e12, flops, factors, speed)
        most = max(terms.concurrency, min(room, terms.concurrency_most))
        remarks = factors.remarks
        if own is not None:
            remarks = (
                worded(
                    "measured in {source}: {ratio} of the formula",
                    source=own.source,
                    ratio=significant(own.ratio, 3),
                ),
            )
        why = joined(remarks, "; ") if remarks else ""
        found = self._loaded(parallel, self._largest_batch(engine, most), why)
        return made(low=factors.low, high=factors.high, **found)

    def _largest_batch(self, engine: Engine, most: int) -> ReplicaSpeed:
        """The largest batch that keeps the targets of the time per token; one request where none does.

        The time grows with the batch, nearly as a line does: the next to be tried lies on it between two that were.
        """
        targets = self.terms.targets
        p50_s, p95_s = (
            inf if ms is None else ms / 1e3 * (1 + _NEARLY)
            for ms in (targets.tpot_p50_ms, targets.tpot_p95_ms)
        )

        def tried(batch: int) -> tuple[float, ReplicaSpeed]:
            speed = replica_speed(
                self.model,
                engine,
                BYTES_BY_PRECISION[self.precision],
                batch=batch,
                context_tokens=self.load.context_tokens,
                generated_tokens=self.load.generated_tokens,
                kv_bytes_per_value=self.terms.kv_bytes,
            )
            return max(speed.token_s / p50_s, speed.token_p95_s / p95_s), speed

        (over, high), (under, low) = tried(most), tried(1)
        if over <= 1 or under > 1:
            return high if over <= 1 else low
        while high.batch - low.batch > 1:
            at = low.batch + int((high.batch - low.batch) * (1 - under) / (over - under))
            share, speed = tried(min(max(at, low.batch + 1), high.batch - 1))
            (over, high), (under, low) = (
                ((over, high), (share, speed)) if share <= 1 else ((share, speed), (under, low))
            )
        return low

    def _loaded(self, parallel: int, speed: ReplicaSpeed, why: Text) -> dict[str, Any]:
        """What its load asks for of a row, by field. why: what is said of it already."""
        terms = self.terms
        mu, peak, prefill_ms = speed.requests_per_s, self.asked.peak, speed.prefill_s * 1e3
        held, spare = replicas_held(peak, mu, prefill_ms, terms, self.replicas)
        busy = peak / (held * mu) if held else 0.0
        wait = None if busy >= 1 else Wait(busy, prefill_ms)
        until = terms.way_ms + prefill_ms
        found = {
            "concurrency": int(speed.batch),
            "decode_tokens_per_s": speed.tokens_per_s,
            "requests_per_s": mu,
            "replicas_peak": held,
            "replicas_spare": spare,
            "replicas_asked": replicas_asked(peak, mu, terms.headroom),
            "gpu_hours_per_month_autoscaled": self.asked.autoscaled_hours(mu, terms.headroom, held)
            * parallel,
            "busy_at_peak": busy if held else None,
            "way_ms": terms.way_ms,
            "wait_ms": None if wait is None else wait.mean_ms,
            "prefill_ms": prefill_ms,
            "tpot_ms": speed.token_s * 1e3,
            "tpot_p95_ms": speed.token_p95_s * 1e3,
            "is_unstable": wait is None,
            "why": why,
        }
        if wait is None:
            said = worded("unstable: the peak asks for as much as all replicas can do")
            return found | {"why": said, "meets_target": False if terms.targets.is_set else None}
        found["ttft_ms"] = float(ttft_ms(terms.way_ms, wait.mean_ms, prefill_ms))
        found["way_share"] = float(way_share(terms.way_ms, found["ttft_ms"]))
        found["ttft_p50_ms"], found["ttft_p95_ms"] = (
            until + wait.quantile_ms(share) for share in (0.50, 0.95)
        )
        return found | _against_targets(found, terms.targets)


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


KEPT: Final[Mapping[str, tuple[str, Text]]] = {
    "ttft_p50_ms": ("ttft_p50_ms", worded("first token, P50")),
    "ttft_p95_ms": ("ttft_p95_ms", worded("first token, P95")),
    "tpot_p50_ms": ("tpot_ms", worded("time per token, P50")),
    "tpot_p95_ms": ("tpot_p95_ms", worded("time per token, P95")),
}
"""By target the field of a row that is to keep it, and what it is called."""


def _against_targets(found: Mapping[str, Any], targets: ServingTargets) -> dict[str, Any]:
    """Whether a row keeps the targets, and which it misses most, by field; nothing without targets."""
    if not targets.is_set:
        return {}
    missed = [
        (found[field] / target, name, found[field], target)
        for key, (field, name) in KEPT.items()
        if (target := getattr(targets, key)) is not None
    ]
    worst, name, value, target = max(missed, key=lambda one: one[0])
    if worst <= 1 + _NEARLY:
        return {"meets_target": True, "missed_by": worst}
    why = worded(
        "{name}: {value} ms, {over} ms over the target of {target} ms",
        name=name,
        value=significant(value, 4),
        over=significant(value - target, 4),
        target=significant(target, 4),
    )
    said = joined((why, found["why"]), "; ") if found["why"] else why
    return {"meets_target": False, "missed_by": worst, "why": said}


# --- Models that are no language models: requests a second of one GPU, as the planner measured them

STATED: Final = "stated"
"""Where a precision would stand: the planner states the speed."""


def rated_rows(
    load: Load, rates: Mapping[str, float], terms: ServingTerms, replicas: int | None = None
) -> tuple[SizedRow, ...]:
    """GPUs of each model for a rate of requests a second of one GPU, sorted by name: no memory, no tokens, no times.

    Errors: ValueError for a rate that is not above 0.
    """
    if any(rate <= 0 for rate in rates.values()):
        raise ValueError(f"rates {rates}: requests a second of a GPU are more than 0")
    rows = []
    for name, rate in sorted(rates.items()):
        peak = load.peak_requests_per_s
        held, spare = replicas_held(peak, rate, 0.0, terms, replicas)
        by_hour = np.minimum(held, replicas_by_hour(load, rate, terms.headroom))
        rows.append(
            SizedRow(
                name,
                STATED,
                1,
                True,
                requests_per_s=rate,
                replicas_peak=held,
                gpu_hours_per_month_autoscaled=autoscaled_hours(load, by_hour.tolist()),
                busy_at_peak=peak / (held * rate) if held else None,
                why=worded("how long a request takes is not stated") if terms.targets.is_set else "",
                replicas_asked=replicas_asked(peak, rate, terms.headroom),
                replicas_spare=spare,
            )
        )
    return tuple(rows)


# --- The queue for a prompt to be read -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wait:
    """The queue before prefill. busy: rho, under 1; prefill_ms: of one prompt.

    Source: docs/formulas.md, Inference sizing: the mean of M/D/1, its tail as exponential.
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


# --- A point: one replica of a model under so many requests at once -------------------------------


@dataclass(frozen=True, slots=True)
class PointSpeed:
    """What the formula says of a point. tokens_per_s: of the replica, low and high its band; None: not known, said."""

    tokens_per_s: float | None = None
    tpot_ms: float | None = None
    prefill_ms: float | None = None
    low: float | None = None
    high: float | None = None
    note: Text = ""


CACHE_BYTES: Final = {"FP8": 1.0, "FP4": 1.0}
"""Bytes of a value of the KV cache by precision of the weights, where nobody states them; 2 for the others."""
CROWDED: Final = 128
"""Requests at once above which the formula is off: the median miss is twice that of fewer."""


def point_speed(point: ServingPoint, model: ServedModel | None, tables: ServingTables) -> PointSpeed:
    """What the formula says. model: None where its name is not known. Source: docs/formulas.md, Inference sizing."""
    if model is None:
        return PointSpeed(note=worded("the model {name} is not known", name=point.model))
    facts = families_of(tables.gpu_models).facts(point.gpu_model)
    gpu = None if facts is None else gpu_of(facts.name, facts.memory_gb, facts, tables)
    flops = None if gpu is None else gpu.flops(point.precision)
    if gpu is None or gpu.chip is None or gpu.bandwidth_tb_per_s is None or flops is None:
        return PointSpeed(
            note=worded(
                "{gpu_model} in {precision} is not known",
                gpu_model=point.gpu_model,
                precision=point.precision,
            )
        )
    if point.precision not in BYTES_BY_PRECISION:
        return PointSpeed(note=worded("the precision {name} is not known", name=point.precision))
    factors = factors_of(tables.calibration, gpu.chip, point.precision, model)
    speed = replica_speed(
        model,
        Engine(point.tensor_parallel, gpu.bandwidth_tb_per_s * 1e12, flops, factors),
        BYTES_BY_PRECISION[point.precision],
        batch=point.concurrency,
        context_tokens=point.input_tokens,
        generated_tokens=point.output_tokens,
        kv_bytes_per_value=CACHE_BYTES.get(point.precision, 2.0),
    )
    remarks = list(factors.remarks)
    if point.concurrency > CROWDED:
        remarks.append(worded("over {most} at once the formula is off", most=whole(CROWDED)))
    return PointSpeed(
        speed.tokens_per_s,
        speed.token_s * 1e3,
        speed.prefill_s * 1e3,
        speed.tokens_per_s * factors.low,
        speed.tokens_per_s * factors.high,
        joined(remarks, "; ") if remarks else "",
    )
