"""When a training run is done: checkpoints, failures, and hours with their band."""

from dataclasses import dataclass
from math import log2, sqrt
from typing import Final

from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.training.run import BAND, Factors, Run, Step, step_of

CHECKPOINT_BYTES: Final = 14
"""A parameter: 2 of weights, 12 of weights and moments in FP32."""
FAILURE_GPU_HOURS: Final = 50_700
RESTART_H: Final = 0.25
STORAGE_GB_PER_S: Final = 10.0
BYTES_PER_GB: Final = 1e9
DOUBLING_BAND: Final = (0.98, 0.78)
"""What of the ideal a doubling of GPUs gave across nodes: 405 and 8 billion parameters."""
FURTHEST_DOUBLINGS: Final = 2
"""So far a measured run tells of other numbers of GPUs."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """gb: written each time. stall_s: how long computing stops for it."""

    gb: float
    stall_s: float


def checkpoint_of(parameters: float, storage_gb_per_s: float = STORAGE_GB_PER_S) -> Checkpoint:
    """14 bytes a parameter, written while computing waits.

    >>> checkpoint = checkpoint_of(70.55e9)
    >>> round(checkpoint.gb, 1), round(checkpoint.stall_s, 1)
    (987.7, 98.8)
    """
    size = CHECKPOINT_BYTES * parameters / BYTES_PER_GB
    return Checkpoint(size, size / storage_gb_per_s)


@dataclass(frozen=True, slots=True)
class Availability:
    """Share of the hours that computes, and the hours between checkpoints that it is for."""

    share: float
    interval_h: float


def availability_of(checkpoint: Checkpoint, gpus: int) -> Availability:
    """1 - [d / tau + (tau / 2 + R) / M] at the best interval tau = sqrt(2 d M), M = hours between failures / GPUs.

    Never more often than a checkpoint takes. A share at or below 0: it never gets on.
    """
    between = FAILURE_GPU_HOURS / gpus
    stall = checkpoint.stall_s / HOUR_S
    interval = max(sqrt(2 * stall * between), stall)
    return Availability(1 - stall / interval - (interval / 2 + RESTART_H) / between, interval)


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A run of the planner's own: its hours on so many GPUs, and what of the ideal a doubling of them gives."""

    hours: float
    gpus: int
    doubling: float = 0.83

    def doublings(self, gpus: int) -> float:
        """Doublings from its GPUs to these; below 0: to fewer."""
        return log2(gpus / self.gpus)

    def hours_on(self, gpus: int, doubling: float | None = None) -> float:
        """m(N) = m0 N0 / N / q^log2(N / N0). Source: docs/formulas.md, Training.

        >>> round(MeasuredRun(100, 64).hours_on(128), 1)
        60.2
        """
        kept: float = (doubling or self.doubling) ** self.doublings(gpus)
        return self.hours * self.gpus / gpus / kept

    def band_on(self, gpus: int) -> tuple[float, float]:
        """Hours with what a doubling gave the published run that scaled best, and the one that scaled worst."""
        low, high = sorted(self.hours_on(gpus, one) for one in DOUBLING_BAND)
        return min(low, self.hours_on(gpus)), max(high, self.hours_on(gpus))


@dataclass(frozen=True, slots=True)
class Finish:
    """When so many tokens are through. hours_low, hours_high: P10 and P90; inf where failures leave no headway."""

    step: Step
    hours: float
    hours_low: float
    hours_high: float
    checkpoint: Checkpoint
    availability: Availability


def finish_of(
    run: Run, tokens: float, factors: Factors, storage_gb_per_s: float = STORAGE_GB_PER_S
) -> Finish | None:
    """tokens x step / (batch x sequence) / availability; None where the step is not known.

    Source: docs/formulas.md, Training.
    """
    step = step_of(run, factors)
    if step is None:
        return None
    checkpoint = checkpoint_of(run.model.parameters, storage_gb_per_s)
    available = availability_of(checkpoint, run.gpus)
    computing = tokens * step.step_s / run.tokens_per_step / HOUR_S
    hours = computing / available.share if available.share > 0 else float("inf")
    low, high = BAND[run.model.is_dense]
    return Finish(step, hours, hours / high, hours / low, checkpoint, available)
