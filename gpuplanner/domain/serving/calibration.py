"""Calibration of serving speed: precisions, GPUs that were measured, and the factors fitted on them."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, Final

from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.lazy_dataclass import dataclass

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

    factor: what it is; applies_to: which GPU, link, precision or kind of model. low, high: where it lies in 80% of the
    fits on other draws of the measurements. measurements: rows that it was fitted on; 0: the nearest that was measured.
    """

    factor: str
    applies_to: str
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
        {chip.gpu_model.casefold(): chip for chip in chips},
        {(row.factor, row.applies_to): row for row in factors},
    )


def nearest_chip(calibration: Calibration, bandwidth_tb_per_s: float, bandwidths: Mapping[str, float]) -> str:
    """Of the measured GPUs the one of nearest bandwidth, as a ratio. bandwidths: TB/s by GPU model."""
    chips = (chip for chip in calibration.chips.values() if chip.is_measured)
    known = [chip.gpu_model for chip in chips if bandwidths.get(chip.gpu_model)]
    return min(known, key=lambda name: (abs(log(bandwidths[name] / bandwidth_tb_per_s)), name))


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
    rows = {name: calibration.factors[name, applies_to] for name, applies_to in keys.items()}
    own = f"{chip.factors_of}/{precision}"
    band = calibration.factors.get(("band", own), calibration.factors["band", "all"])
    remarks: list[Text] = []
    if not chip.is_measured:
        remarks.append(
            worded(
                "no measurement of {model}: factors of {other}", model=chip.gpu_model, other=chip.factors_of
            )
        )
    elif band.applies_to == "all":
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
