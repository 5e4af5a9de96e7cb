"""When a training run is done: checkpoints, failures, hours with their band, and other numbers of GPUs."""

from dataclasses import dataclass
from math import log2, sqrt
from typing import Final

from gpuplanner.domain.training.run import Factors, Run
from gpuplanner.domain.training.step import BAND, Step, step_of

CHECKPOINT_BYTES: Final = 14
"""A parameter: 2 of weights, 12 of weights and moments in FP32."""
FAILURE_GPU_HOURS: Final = 50_700
RESTART_H: Final = 0.25
ASYNC_GB_PER_S: Final = 25.0
ASYNC_S: Final = 1.0
STORAGE_GB_PER_S: Final = 10.0
DOUBLING_ACROSS_NODES: Final = 0.83
DOUBLING_IN_NODE: Final = 0.98
DOUBLINGS_SURE: Final = 2
SECONDS_PER_HOUR: Final = 3600
BYTES_PER_GB: Final = 1e9


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """gb: written each time. stall_s: how long computing stops for it. write_s: until it lies on storage."""

    gb: float
    stall_s: float
    write_s: float


def checkpoint_of(
    parameters: float, gpus: int, *, storage_gb_per_s: float = STORAGE_GB_PER_S, is_async: bool = False
) -> Checkpoint:
    """14 bytes a parameter. Written while computing goes on it stalls for the copy out of the GPUs alone.

    >>> checkpoint = checkpoint_of(70.55e9, 512)
    >>> round(checkpoint.gb, 1), round(checkpoint.stall_s, 1)
    (987.7, 98.8)
    """
    size = CHECKPOINT_BYTES * parameters / BYTES_PER_GB
    write = size / storage_gb_per_s
    return Checkpoint(size, size / gpus / ASYNC_GB_PER_S + ASYNC_S if is_async else write, write)


@dataclass(frozen=True, slots=True)
class Availability:
    """Share of the hours that computes, and the hours between checkpoints that it is for."""

    share: float
    interval_h: float


def availability_of(
    checkpoint: Checkpoint,
    gpus: int,
    *,
    interval_h: float | None = None,
    restart_h: float = RESTART_H,
    failure_gpu_hours: float = FAILURE_GPU_HOURS,
) -> Availability:
    """1 - [d / tau + (tau / 2 + R) / M], M = hours between failures / GPUs; tau: given, else the best, sqrt(2 d M).

    Never more often than a checkpoint takes to be written. A share at or below 0: it never gets on.
    """
    between = failure_gpu_hours / gpus
    stall = checkpoint.stall_s / SECONDS_PER_HOUR
    interval = sqrt(2 * stall * between) if interval_h is None else interval_h
    interval = max(interval, checkpoint.write_s / SECONDS_PER_HOUR)
    return Availability(1 - stall / interval - (interval / 2 + restart_h) / between, interval)


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
    run: Run,
    tokens: float,
    factors: Factors,
    *,
    storage_gb_per_s: float = STORAGE_GB_PER_S,
    is_async: bool = False,
) -> Finish | None:
    """tokens x step / (batch x sequence) / availability; None where the step is not known.

    Source: docs/formulas.md, Training.
    """
    step = step_of(run, factors)
    if step is None:
        return None
    checkpoint = checkpoint_of(
        run.model.parameters, run.gpus, storage_gb_per_s=storage_gb_per_s, is_async=is_async
    )
    available = availability_of(checkpoint, run.gpus)
    computing = tokens * step.step_s / run.tokens_per_step / SECONDS_PER_HOUR
    hours = computing / available.share if available.share > 0 else float("inf")
    low, high = BAND[run.model.is_dense]
    return Finish(step, hours, hours / high, hours / low, checkpoint, available)


def hours_on(
    measured_h: float, measured_gpus: int, gpus: int, *, per_doubling: float | None = None, node: int = 8
) -> float:
    """Hours on another number of GPUs, from one measured run: m0 N0 / N / q^log2(N / N0).

    per_doubling: q, the share of the ideal that a doubling keeps; None: usual, within a node or across. Beyond two
    doublings it is a guess (see `is_far`). Errors: ValueError for less than one GPU.

    >>> round(hours_on(230.7, 512, 2048, per_doubling=0.98), 1)
    60.1
    """
    if min(measured_gpus, gpus) < 1:
        raise ValueError(f"hours on {gpus} GPUs from {measured_gpus}")
    share = per_doubling
    if share is None:
        share = DOUBLING_IN_NODE if max(measured_gpus, gpus) <= node else DOUBLING_ACROSS_NODES
    doublings = log2(gpus / measured_gpus)
    return measured_h * measured_gpus / gpus / float(share**doublings)


def is_far(measured_gpus: int, gpus: int) -> bool:
    """Whether another number of GPUs is more than two doublings away."""
    return abs(log2(gpus / measured_gpus)) > DOUBLINGS_SURE
