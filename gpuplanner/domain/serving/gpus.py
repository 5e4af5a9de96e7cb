"""GPUs that a model may be served on: those of the product's table, and those that offers name besides."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.tables import GpuModel


@dataclass(frozen=True, slots=True)
class ServingGpu:
    """One GPU model. Units: GB, TB/s, dense BF16 TFLOP/s; None: not known."""

    name: str
    memory_gb: float | None
    bandwidth_tb_per_s: float | None
    tflops: float | None


def serving_gpus(gpu_models: Sequence[GpuModel], offers: Iterable[Offer] = ()) -> tuple[ServingGpu, ...]:
    """The GPU models of the table that models are served on, and every other name in the offers, by name.

    A name has the facts of its variant, else of its family, but where the name or its offers state another memory:
    that is another card, of which only the memory is known.
    """
    found = {
        model.name.casefold(): ServingGpu(model.name, model.memory_gb, model.bandwidth_tb_per_s, model.tflops)
        for model in gpu_models
        if model.is_served
    }
    for offer in offers:
        folded = offer.gpu_model.casefold()
        if folded not in found:
            found[folded] = _named(offer.gpu_model, offer.gpu_memory_gb, gpu_models)
    return tuple(sorted(found.values(), key=lambda gpu: gpu.name))


def _named(name: str, stated_gb: float | None, gpu_models: Sequence[GpuModel]) -> ServingGpu:
    """The GPU of an offer by its name. Memory in the name counts before what the offer states; one that is
    not the known model's makes it another card.
    """
    folded = name.casefold()
    if match := re.search(r"(?<![a-z0-9.])(\d{1,4})\s?gb(?![a-z0-9])", folded):
        stated_gb = float(match[1])
    model = families_of(tuple(gpu_models)).facts(name)
    if model is None or stated_gb not in (None, model.memory_gb):
        return ServingGpu(name, stated_gb, None, None)
    return ServingGpu(name, model.memory_gb, model.bandwidth_tb_per_s, model.tflops)
