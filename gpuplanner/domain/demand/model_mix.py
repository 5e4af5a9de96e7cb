"""How many models are served, and how much of their GPU time is inference: what the sliders of a plan start from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.demand.model_names import model_in_name
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import Assumptions

MODELS_WHERE_NONE_IS_NAMED: Final = 2
LEAST, MOST = 0.01, 100.0
"""Bounds of a factor of demand: those of the assumptions."""


def models_named(workloads: Sequence[Workload], pools: Sequence[Pool]) -> int:
    """How many different AI models the jobs of training and inference, or their names, speak of.

    0 where under half of their GPU time speaks of one, or under two are named: it would be no count of models.
    """
    said: set[str] = set()
    spoken = spent = 0
    for workload, pool in zip(workloads, pools, strict=True):
        if pool is Pool.BURST:
            continue
        spent += workload.milli_gpu_seconds
        spoken += sum(amount for _, amount in workload.model_time)
        said |= {model for model, _ in workload.model_time}
        named = None if workload.model_time else model_in_name(workload.sample_name or workload.name)
        if named is not None and workload.milli_gpu_seconds:
            said.add(named)
            spoken += workload.milli_gpu_seconds
    return len(said) if 2 * spoken >= spent and len(said) > 1 else 0


@dataclass(frozen=True, slots=True)
class ModelMix:
    """GPU time as logged of the pools training and inference of one plan, in milli-GPU-seconds; models in the log.

    is_counted: whether the log names models, so that `models` is not just a number to begin with.
    """

    training: int
    inference: int
    models: int
    is_counted: bool

    @property
    def can_shift(self) -> bool:
        """Whether there is both training and inference, so that one can become more at the other's cost.

        False where either has no GPU time in the log.
        """
        return bool(self.training and self.inference)

    def share(self, assumptions: Assumptions) -> float | None:
        """Inference as a share of what is planned of the two; None where there is neither.

        A ratio, 0..1, of GPU time at the factors of demand that the assumptions have.
        """
        inference = self.inference * assumptions.demand_of(Pool.INFERENCE)
        both = inference + self.training * assumptions.demand_of(Pool.TRAINING)
        return inference / both if both else None

    def factors(self, share: float) -> dict[str, float]:
        """The assumptions (by --set name) at which inference is such a share, and the two together are as logged.

        Law: share(with them) == share, as far as the bounds of the assumptions allow; errors: ValueError where there
        is only one of the two.
        """
        if not self.can_shift:
            raise ValueError("model_mix: only training or only inference; nothing to shift")
        both = self.training + self.inference
        wanted = {
            "demand_training": (1 - share) * both / self.training,
            "demand_inference": share * both / self.inference,
        }
        return {name: min(MOST, max(LEAST, factor)) for name, factor in wanted.items()}

    def models_at(self, times: float) -> int:
        """How many models so many times the demand stands for.

        times: factor of demand; rounded to a whole number.
        """
        return round(self.models * times)

    def times_for(self, models: int) -> float:
        """How many times the logged demand so many models stand for.

        Within the bounds of the assumption.

        >>> ModelMix(0, 0, 4, is_counted=True).times_for(6), ModelMix(0, 0, 4, is_counted=True).models_at(1.5)
        (1.5, 6)
        """
        return min(MOST, max(LEAST, models / self.models))


def model_mix(workloads: Sequence[Workload], pools: Sequence[Pool]) -> ModelMix:
    """The mix of a plan. pools[i] is the pool of workloads[i].

    Where under two models are named, two stand for them. Errors: ValueError where there are not as many pools
    as workloads.
    """
    spent = dict.fromkeys(Pool, 0)
    for workload, pool in zip(workloads, pools, strict=True):
        spent[pool] += workload.milli_gpu_seconds
    named = models_named(workloads, pools)
    return ModelMix(
        spent[Pool.TRAINING],
        spent[Pool.INFERENCE],
        named or MODELS_WHERE_NONE_IS_NAMED,
        is_counted=bool(named),
    )
