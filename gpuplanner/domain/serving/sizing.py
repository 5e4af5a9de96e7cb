"""Inference sizing: GPUs for a model and its load on every GPU model, precision and number of GPUs a replica."""

from collections.abc import Iterable, Mapping
from functools import partial
from math import floor, inf
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures.serving import memory_gb, ttft_ms, way_share
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.calibration import (
    BYTES_BY_PRECISION,
    PRECISIONS,
    Calibration,
    Factors,
    factors_of,
)
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.memory import cache_gb, kv_bytes_per_token, weights_gb
from gpuplanner.domain.serving.replicas import (
    KEPT,
    NEARLY,
    ServingTargets,
    ServingTerms,
    Wait,
    asked_by_hour,
    autoscaled_hours,
    replicas_asked,
    replicas_by_hour,
    replicas_held,
)
from gpuplanner.domain.serving.serving_gpus import ServingGpu
from gpuplanner.domain.serving.speed import NODE_GPUS, Engine, ReplicaSpeed, replica_speed
from gpuplanner.lazy_dataclass import dataclass, replace

# --- A sized row -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
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
    measured elsewhere. is_own: the planner measured this shape; is_assumed: nobody measured its GPU; is_rewritten: its
    weights are as wide as those that are published or wider, and not these.
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
    is_own: bool = False
    is_assumed: bool = False
    is_rewritten: bool = False

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
            "{gpus} \u00d7 {model}, {precision}",
            gpus=whole(self.tensor_parallel),
            model=self.gpu_model,
            precision=self.precision,
        )


# --- Every GPU model, precision and number of GPUs a replica ---------------------------------------

ON_ONE_MACHINE: Final = (1, 2, 4, 8)
OVER_MACHINES: Final = (2 * NODE_GPUS, 4 * NODE_GPUS)
"""GPUs that hold one replica; over machines only where one machine is too small."""


RowId = tuple[str, str, int]
"""Of a row the GPU model, the precision and the GPUs of a replica."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What measurements of one's own make of the formula. ratio: measured over predicted, the median.

    curve: requests at once and their ratios, ascending. is_of_shape: of this shape, else of others of its GPU.
    """

    ratio: float
    source: str
    curve: tuple[tuple[float, float], ...] = ()
    is_of_shape: bool = True

    def at(self, batch: float) -> float:
        """The ratio at so many requests at once, on the line between those measured (logarithm of the requests).

        >>> round(Correction(1.0, "", ((8, 1.0), (32, 2.0))).at(16), 6)
        1.5
        """
        at_once, ratios = zip(*self.curve or ((1.0, self.ratio),), strict=True)
        return float(np.interp(np.log(batch), np.log(at_once), ratios))

    @property
    def words(self) -> Message:
        """What stands on it."""
        source, ratio = self.source, significant(self.ratio, 3)
        if self.is_of_shape:
            return worded("measured in {source}: {ratio} of the formula", source=source, ratio=ratio)
        return worded("other shapes in {source}: {ratio} of the formula", source=source, ratio=ratio)


def correction_of(corrections: "Mapping[RowId, Correction]", row_id: RowId) -> Correction | None:
    """Of a shape its own, else that of its GPU in its precision, else that of its GPU; None: nothing was measured."""
    gpu_model, precision, _ = row_id
    keys = (row_id, (gpu_model, precision, 0), (gpu_model, "", 0))
    return next((corrections[key] for key in keys if key in corrections), None)


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
            sizing = _Sizing(
                model=model,
                load=load,
                gpu=gpu,
                precision=precision,
                terms=terms,
                factors=factors,
                replicas=replicas,
                corrections=corrections,
                asked=asked,
            )
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
        by_hour = np.minimum(most, asked_by_hour(self.rates, mu, headroom))
        return float(by_hour @ self.seconds) * self.month_per_second


@dataclass(frozen=True, slots=True, kw_only=True)
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
        fits = None if usable is None else need <= usable * (1 + NEARLY)
        published, width = model.weights or PRECISIONS[0], BYTES_BY_PRECISION[self.precision]
        made = partial(
            SizedRow,
            gpu_model=gpu.name,
            precision=self.precision,
            tensor_parallel=parallel,
            fits=fits,
            weights_gb=weights,
            memory_gb=need,
            usable_gb=usable,
            gpu_memory_gb=gpu.memory_gb,
            cache_gb=cache,
            is_rewritten=self.precision != published and width >= BYTES_BY_PRECISION[published],
        )
        if usable is None:
            return made(why=worded("memory of {gpu} is not known", gpu=gpu.name))
        if not fits:
            return made(
                why=worded(
                    "{needs} GB exceed {has} GB", needs=significant(need, 4), has=significant(usable, 4)
                )
            )
        if gpu.bandwidth_tb_per_s is None or gpu.chip is None:
            return made(why=worded("bandwidth of {gpu} is not known", gpu=gpu.name))
        flops, factors = gpu.flops(self.precision), self.factors
        if flops is None or factors is None:
            return made(
                why=worded(
                    "TFLOP/s of {gpu} in {precision} are unknown", gpu=gpu.name, precision=self.precision
                )
            )
        if load.generated_tokens <= 0:
            return made(why=worded("the requests generate no tokens"))
        request_gb = load.tokens_per_request * kv_bytes_per_token(model, terms.kv_bytes) / 1e9
        room = floor((usable - weights) / request_gb + NEARLY)
        own = correction_of(self.corrections, (gpu.chip.gpu_model, self.precision, parallel))
        engine = Engine(
            gpus=parallel,
            bandwidth=gpu.bandwidth_tb_per_s * 1e12,
            flops=flops,
            factors=factors,
            speed=terms.speed,
            prefix_hit=terms.prefix_hit,
            tokens_per_step=terms.tokens_per_step,
        )
        most = max(terms.concurrency, min(room, terms.concurrency_most))
        remarks = factors.remarks
        if own is not None:
            remarks = (own.words,)
        why = joined(remarks, "; ") if remarks else ""
        figures = self._loaded(parallel, self._largest_batch(engine, most, own), why)
        is_own = own is not None and own.is_of_shape
        is_assumed = own is None and not gpu.chip.is_measured
        return made(low=factors.low, high=factors.high, is_own=is_own, is_assumed=is_assumed, **figures)

    def _largest_batch(self, engine: Engine, most: int, own: Correction | None) -> ReplicaSpeed:
        """The largest batch that keeps the targets of the time per token; one request where none does.

        The time grows with the batch, nearly as a line does: the next to be tried lies on it between two that were.
        """
        targets = self.terms.targets
        p50_s, p95_s = (
            inf if ms is None else ms / 1e3 * (1 + NEARLY)
            for ms in (targets.tpot_p50_ms, targets.tpot_p95_ms)
        )

        def tried(batch: int) -> tuple[float, ReplicaSpeed]:
            speed = replica_speed(
                self.model,
                engine if own is None else replace(engine, speed=engine.speed * own.at(batch)),
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
        values = {
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
            why_unstable = worded("unstable: the peak needs all replicas")
            return values | {"why": why_unstable, "meets_target": False if terms.targets.is_set else None}
        values["ttft_ms"] = float(ttft_ms(terms.way_ms, wait.mean_ms, prefill_ms))
        values["way_share"] = float(way_share(terms.way_ms, values["ttft_ms"]))
        values["ttft_p50_ms"], values["ttft_p95_ms"] = (
            until + wait.quantile_ms(share) for share in (0.50, 0.95)
        )
        return values | check_targets(values, terms.targets)


def check_targets(values: Mapping[str, Any], targets: ServingTargets) -> dict[str, Any]:
    """Whether a row keeps the targets, and which it misses most, by field; nothing without targets."""
    if not targets.is_set:
        return {}
    missed = [
        (values[field] / target, name, values[field], target)
        for key, (field, name) in KEPT.items()
        if (target := getattr(targets, key)) is not None
    ]
    worst, name, value, target = max(missed, key=lambda entry: entry[0])
    if worst <= 1 + NEARLY:
        return {"meets_target": True, "missed_by": worst}
    why = worded(
        "{name}: {value} ms, {over} ms over the target of {target} ms",
        name=name,
        value=significant(value, 4),
        over=significant(value - target, 4),
        target=significant(target, 4),
    )
    reason = joined((why, values["why"]), "; ") if values["why"] else why
    return {"meets_target": False, "missed_by": worst, "why": reason}


# --- Models that are no language models: requests a second of one GPU, as the planner measured them

STATED: Final = "stated"
"""Where a precision would stand: the planner states the speed."""


def rated_rows(
    load: Load, rates: Mapping[str, float], terms: ServingTerms, replicas: int | None
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
                gpu_model=name,
                precision=STATED,
                tensor_parallel=1,
                fits=True,
                requests_per_s=rate,
                replicas_peak=held,
                gpu_hours_per_month_autoscaled=autoscaled_hours(load, by_hour.tolist()),
                busy_at_peak=peak / (held * rate) if held else None,
                why=worded("request duration missing") if terms.targets.is_set else "",
                replicas_asked=replicas_asked(peak, rate, terms.headroom),
                replicas_spare=spare,
            )
        )
    return tuple(rows)
