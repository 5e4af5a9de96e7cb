"""GPUs that models may be served on: those of the table, and every other name in the offers."""

import re
from collections.abc import Iterable
from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.serving.calibration import Calibration, ServingChip, nearest_chip
from gpuplanner.lazy_dataclass import dataclass, replace


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
