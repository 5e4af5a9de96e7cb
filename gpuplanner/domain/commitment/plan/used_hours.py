"""Used hours: what a plan's effective utilization is made of, GPU-hours a month used and paid, part by part."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.result import Advice, Layer, PoolPlan
from gpuplanner.domain.model.window import HOURS_PER_MONTH

LEAST_GPU_HOURS: Final = 0.5
"""Less a month is rounding, and no part."""


@dataclass(frozen=True, slots=True)
class UsedHours:
    """GPU-hours a month of one part of a plan, used and paid for.

    layer: what is new, with its row; None of existing contracts, which are of gpu_model (None: unknown). is_weighting:
    neither of them, but what all hours alike come to beyond layers, which count recent weeks more.
    """

    used: float
    paid: float
    gpu_model: str | None = None
    layer: tuple[PoolPlan, Layer] | None = None
    is_weighting: bool = False

    @property
    def share(self) -> float | None:
        """Used over paid; None where nothing is paid for."""
        return self.used / self.paid if self.paid else None


def used_hours(advice: Advice) -> tuple[UsedHours, ...]:
    """Existing contracts by GPU model, new layers row by row, and what weighting leaves between them and all hours.

    Contracts of a model that is asked about are left out: nobody knows yet what they serve.
    Law: what is used adds up to the mean GPUs of the plan's rows. Source: docs/formulas.md, Totals.
    """
    parts = (*_existing(advice), *_new(advice))
    alike = HOURS_PER_MONTH * sum(plan.mean_gpus for plan in advice.pools)
    beyond = alike - sum(one.used for one in parts)
    return (*parts, UsedHours(beyond, 0.0, is_weighting=True)) if abs(beyond) >= LEAST_GPU_HOURS else parts


def _existing(advice: Advice) -> Iterator[UsedHours]:
    """What contracts of each model serve, and what they are paid for beside it."""
    idle_of = {idle.gpu_model: idle.gpus for idle in advice.idle_existing}
    serving: dict[str | None, float] = {}
    for plan in advice.pools:
        for layer in plan.layers:
            if layer.existing:
                serving[plan.gpu_model] = serving.get(plan.gpu_model, 0.0) + layer.gpus
    for model in {**serving, **idle_of}:
        if model not in advice.asked_models:
            used, idle = serving.get(model, 0.0), idle_of.get(model, 0.0)
            yield UsedHours(used * HOURS_PER_MONTH, (used + idle) * HOURS_PER_MONTH, model)


def _new(advice: Advice) -> Iterator[UsedHours]:
    """What new layers are used and paid for."""
    for plan in advice.pools:
        for layer in plan.layers:
            if not layer.existing:
                used, paid = (gpus * HOURS_PER_MONTH for gpus in (layer.busy_gpus, layer.mean_gpus))
                yield UsedHours(used, paid, plan.gpu_model, (plan, layer))
