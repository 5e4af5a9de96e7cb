"""Speed of a replica: a step of decoding and the prefill of a prompt, by factors fitted on measurements; the GPUs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any, Final

from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Precisions: bytes of a parameter, and what a GPU computes in each -----------------------------

BYTES_BY_PRECISION: Final = {"BF16": 2.0, "FP8": 1.0, "INT8": 1.0, "INT4": 0.5, "FP4": 0.5}
"""Bytes per parameter of the weights. The KV cache keeps its own width: quantising weights does not change it."""

PRECISIONS: Final = tuple(BYTES_BY_PRECISION)
COMPUTED_IN: Final = {"INT4": "BF16"}
"""Precisions in which weights are kept and not computed, and what they are computed in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingChip:
    """What serving asks of a GPU besides its memory, bandwidth and BF16: a row of resources/serving_gpus.csv.

    factors_of: the measured GPU whose factors it has; is_measured: it was measured itself. tflops: dense TFLOP/s by
    precision; None: not stated; 0: it has no arithmetic in it, so that weights kept in it are computed in BF16.
    link_gb_per_s: one way.
    """

    gpu_model: str
    factors_of: str
    is_measured: bool
    generation: str
    platform: str
    link: str
    link_gb_per_s: float
    tflops: Mapping[str, float | None]
    source: str = ""

    def computed_in(self, precision: str) -> str:
        """The precision that it computes in where weights are kept in this one: BF16 where it has nothing else."""
        return COMPUTED_IN.get(precision, "BF16" if self.tflops.get(precision) == 0 else precision)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingFactor:
    """One fitted number: a row of resources/serving_factors.csv.

    factor: what of; of: of which GPU, link, precision or kind of model. low, high: where it lies in 80% of the fits
    on other draws of the measurements. measurements: rows that it was fitted on; 0: the nearest that was measured.
    """

    factor: str
    of: str
    value: float
    low: float
    high: float
    measurements: int
    source: str = ""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The two tables of measured serving, by what they are asked for."""

    chips: Mapping[str, ServingChip]
    factors: Mapping[tuple[str, str], ServingFactor]


def calibration_of(chips: Sequence[ServingChip], factors: Sequence[ServingFactor]) -> Calibration:
    """Tables by name: a chip by its folded GPU model, a factor by what it is of."""
    return Calibration(
        {chip.gpu_model.casefold(): chip for chip in chips}, {(row.factor, row.of): row for row in factors}
    )


def nearest_chip(calibration: Calibration, bandwidth_tb_per_s: float, bandwidths: Mapping[str, float]) -> str:
    """Of the measured GPUs the one of nearest bandwidth, as a ratio. bandwidths: TB/s by GPU model."""
    chips = (chip for chip in calibration.chips.values() if chip.is_measured)
    known = [chip.gpu_model for chip in chips if bandwidths.get(chip.gpu_model)]
    return min(known, key=lambda name: (abs(log(bandwidths[name] / bandwidth_tb_per_s)), name))


# --- What the formula takes of a GPU, a precision and a kind of model ------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """Numbers of one GPU in one precision for one kind of model; each field may be a column of many of them.

    Shares are of the GPU's own figures: weights_share and cache_share of its bandwidth, compute_share and
    prefill_share of its FLOP/s, link_share of a link's link_bytes_per_s. layer_s, exchange_s: a layer's time in a step
    whatever it does, and that of its exchange between the GPUs of a replica. prefill_s: of a prompt of any length.
    low, high: measured over predicted throughput, P10 and P90. remarks: what was not measured itself.
    """

    weights_share: Any
    cache_share: Any
    compute_share: Any
    prefill_share: Any
    layer_s: Any
    exchange_s: Any
    link_share: Any
    link_bytes_per_s: Any
    prefill_s: Any
    low: float = 1.0
    high: float = 1.0
    remarks: tuple[Text, ...] = ()


def factor_keys(chip: ServingChip, precision: str, *, is_mixture: bool, is_latent: bool) -> Mapping[str, str]:
    """Which row of the table each factor of a GPU, precision and kind of model is.

    The prefill of a mixture of experts hangs on the GPU's generation, that of a dense model on its precision.
    """
    kind = "moe" if is_mixture else "dense"
    return {
        "weights_share": chip.factors_of,
        "cache_share": "mla" if is_latent else "gqa",
        "compute_share": kind,
        "prefill_share": f"moe/{chip.generation}" if is_mixture else f"dense/{chip.computed_in(precision)}",
        "layer_s": f"{chip.platform}/{kind}",
        "exchange_s": chip.link,
        "link_share": chip.link,
        "prefill_s": "all",
    }


def factors_of(calibration: Calibration, chip: ServingChip, precision: str, model: ServedModel) -> Factors:
    """The factors of a GPU, precision and model, with their band; the nearest where there is no measurement, said."""
    keys = factor_keys(chip, precision, is_mixture=model.is_mixture, is_latent=model.is_latent)
    rows = {name: calibration.factors[name, of] for name, of in keys.items()}
    own = f"{chip.factors_of}/{precision}"
    band = calibration.factors.get(("band", own), calibration.factors["band", "all"])
    remarks: list[Text] = []
    if not chip.is_measured:
        remarks.append(
            worded(
                "no measurement of {model}: factors of {other}", model=chip.gpu_model, other=chip.factors_of
            )
        )
    elif band.of == "all":
        remarks.append(
            worded("hardly measured on {model} in {precision}", model=chip.gpu_model, precision=precision)
        )
    if not rows["prefill_share"].measurements:
        remarks.append(
            worded(
                "prefill in {precision} not measured: as {nearest}",
                precision=precision,
                nearest=rows["prefill_share"].source,
            )
        )
    return Factors(
        **{name: row.value for name, row in rows.items()},
        link_bytes_per_s=chip.link_gb_per_s * 1e9,
        low=band.low,
        high=band.high,
        remarks=tuple(remarks),
    )


# --- The formula: each of these takes numbers, or columns of them ----------------------------------

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


# --- One replica -----------------------------------------------------------------------------------

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


# --- GPUs that models may be served on ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServingTables:
    """What ships with the product about GPUs: their facts, and how fast they were measured to serve."""

    gpu_models: tuple[GpuModel, ...]
    calibration: Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingGpu:
    """One GPU model. Units: GB, TB/s, dense BF16 TFLOP/s; None: not known.

    chip: what it has besides, its own or, of a GPU that no table of serving names, that of the nearest (None: nothing
    is near that has no bandwidth).
    """

    name: str
    memory_gb: float | None
    bandwidth_tb_per_s: float | None
    tflops: float | None
    chip: ServingChip | None = None

    def flops(self, precision: str) -> float | None:
        """FLOP/s in which weights of a precision are computed; None: not stated.

        What the GPU has no arithmetic for is computed in BF16.
        """
        if self.chip is None:
            return None
        computed = self.chip.computed_in(precision)
        tflops = self.tflops if computed == "BF16" else self.chip.tflops.get(computed)
        return None if tflops is None else tflops * 1e12


def serving_gpus(tables: ServingTables, offers: Iterable[Offer] = ()) -> tuple[ServingGpu, ...]:
    """The GPU models of the table that models are served on, and every other name in the offers, by name.

    A name has the facts of its variant, else of its family, but where the name or its offers state another memory:
    that is another card, of which only the memory is known. A card sold with a little less memory than the chip has
    (B200: 180 of 192 GB) is the same, with the memory that can be had.
    """
    gpus = {
        model.name.casefold(): gpu_of(model.name, model.memory_gb, model, tables)
        for model in tables.gpu_models
        if model.is_served
    }
    for offer in offers:
        folded = offer.gpu_model.casefold()
        known = gpus.get(folded)
        if known is None:
            gpus[folded] = _named(offer.gpu_model, offer.gpu_memory_gb, tables)
        elif _is_nearly(offer.gpu_memory_gb, known.memory_gb):
            gpus[folded] = replace(known, memory_gb=min(offer.gpu_memory_gb or 0, known.memory_gb or 0))
    return tuple(sorted(gpus.values(), key=lambda gpu: gpu.name))


_SOLD_SHARE: Final = 0.9


def _is_nearly(stated_gb: float | None, known_gb: float | None) -> bool:
    """Whether a card's memory is the chip's, but for the part that is not sold."""
    return stated_gb is not None and known_gb is not None and _SOLD_SHARE * known_gb <= stated_gb <= known_gb


def _named(name: str, stated_gb: float | None, tables: ServingTables) -> ServingGpu:
    """The GPU of an offer by its name. Memory in the name counts before what the offer states; one that is
    not the known model's makes it another card.
    """
    folded = name.casefold()
    if match := re.search(r"(?<![a-z0-9.])(\d{1,4})\s?gb(?![a-z0-9])", folded):
        stated_gb = float(match[1])
    model = families_of(tables.gpu_models).facts(name)
    if model is not None and _is_nearly(stated_gb, model.memory_gb):
        return gpu_of(name, stated_gb, model, tables)
    if model is None or stated_gb not in (None, model.memory_gb):
        return ServingGpu(name=name, memory_gb=stated_gb, bandwidth_tb_per_s=None, tflops=None)
    return gpu_of(name, model.memory_gb, model, tables)


def gpu_of(name: str, memory_gb: float | None, model: GpuModel, tables: ServingTables) -> ServingGpu:
    """A GPU with the facts of its model, under the name that it is sold by."""
    chips = tables.calibration.chips
    chip = chips.get(model.name.casefold())
    if chip is None and model.bandwidth_tb_per_s:
        bandwidths = {gpu.name: gpu.bandwidth_tb_per_s or 0.0 for gpu in tables.gpu_models}
        near = chips[nearest_chip(tables.calibration, model.bandwidth_tb_per_s, bandwidths).casefold()]
        chip = replace(near, gpu_model=model.name, is_measured=False, tflops={})
    return ServingGpu(
        name=name,
        memory_gb=memory_gb,
        bandwidth_tb_per_s=model.bandwidth_tb_per_s,
        tflops=model.tflops,
        chip=chip,
    )
