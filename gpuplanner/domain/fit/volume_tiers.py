"""Volume tiers: on-demand and spot offers for more GPUs than a log ever uses are not for that log."""

from typing import Final

import numpy as np

from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

_ROUNDING_GPUS: Final = 1e-6


def within_tiers(project: Project) -> Project:
    """Return the project without on-demand and spot offers whose minimum is above the log's peak of their GPU model.

    Offers of a model that the log does not name are compared with the peak of all GPUs. Commitments stay: the plan
    orders them in GPUs. The same project if no such offer has a minimum. Source: docs/formulas/policy.md.
    """
    tiers = [
        offer
        for offer in project.offers
        if (offer.min_gpus or 0) > 1 and offer.rate and not offer.pricing_category.is_commitment
    ]
    peaks = {name: _peak_gpus(project.cube, name) for name in {offer.gpu_model for offer in tiers}}
    above = {
        offer.offer_id for offer in tiers if (offer.min_gpus or 0) > peaks[offer.gpu_model] + _ROUNDING_GPUS
    }
    kept = tuple(offer for offer in project.offers if offer.offer_id not in above)
    return replace(project, offers=kept) if above else project


def _peak_gpus(cube: Cube, gpu_model: str) -> float:
    """Most GPUs of a model in any hour; of all models if the cube does not have it."""
    amounts, hours = cube.milli_gpu_seconds, cube.hour
    if gpu_model in cube.gpu_models:
        of_model = (cube.model_index == cube.gpu_models.index(gpu_model))[cube.entry_row]
        amounts, hours = amounts[of_model], hours[of_model]
    hourly = np.zeros(cube.hours, dtype=np.int64)
    np.add.at(hourly, hours, amounts)
    return float(hourly.max(initial=0)) / MILLI_GPU_SECONDS_PER_GPU_HOUR
