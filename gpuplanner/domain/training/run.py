"""A training run on one kind of GPU: the chip, how many, how long one step takes, and when all of it is done."""

from collections.abc import Mapping
from math import log2, sqrt
from typing import Final, NamedTuple

from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.lazy_dataclass import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A GPU model as training sees it. tflops: dense, by precision; domain: GPUs that its fast links join.

    nic_gbps: of one GPU in the node that it is usual in, Gb/s, of so many ports. link_gb_per_s: of those links, both
    ways. None: not known.
    """

    name: str
    memory_gb: float
    tflops: Mapping[str, float] = field(hash=False)
    domain: int = 8
    nic_gbps: float | None = None
    port_gbps: float | None = None
    node_ports: int | None = None
    bandwidth_tb_per_s: float | None = None
    link_gb_per_s: float | None = None
    source: str = ""

    @property
    def flop_per_byte(self) -> int | None:
        """FLOP in BF16 that it computes while its memory moves a byte; None where either is not known."""
        peak, moved = self.tflops.get("BF16"), self.bandwidth_tb_per_s
        return round(peak / moved) if peak and moved else None


class NamedChip(NamedTuple):
    """Chip of a name (None: unknown), and the GPUs of its usual node."""

    chip: Chip | None
    node_gpus: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run on one kind of GPU. batch: sequences a step, of all GPUs; sequence: tokens.

    gpus_per_node: GPUs that share the node's NICs. nic_gbps: of a node, all ports (None: that of the chip's usual
    node). is_rdma False: plain TCP.
    """

    model: TrainedModel
    chip: Chip
    gpus: int
    layout: Layout
    batch: float
    sequence: int
    precision: str = "BF16"
    stack: Stack = Stack.TUNED
    method: Method = Method.FULL
    gpus_per_node: int = 8
    nic_gbps: float | None = None
    is_rdma: bool = True

    @property
    def nodes(self) -> int:
        """Nodes that hold the GPUs."""
        return -(-self.gpus // self.gpus_per_node)

    @property
    def node_gbps(self) -> float | None:
        """Gb/s of all ports of a node, as stated or as usual; None: not known."""
        usual = self.chip.nic_gbps
        return self.nic_gbps or (None if usual is None else usual * self.gpus_per_node)

    @property
    def tokens_per_step(self) -> float:
        """Of all GPUs together."""
        return self.batch * self.sequence

    @property
    def micro_steps(self) -> float:
        """Micro-batches that a GPU takes before its gradients are summed."""
        return max(1.0, self.batch / (self.layout.data_parallel(self.gpus) * self.layout.micro_batch))


@dataclass(frozen=True, slots=True)
class Efficiency:
    """Share of its peak that a chip reaches at a precision, for dense models or mixtures. note: where borrowed from.

    is_assumed: a usual share, of no measurement.
    """

    share: float
    note: str = ""
    is_assumed: bool = False


@dataclass(frozen=True, slots=True)
class Factors:
    """Fitted on published measurements; shares by (chip, precision, `dense` or `moe`), sisters: chips alike.

    Source: docs/formulas/training.md.
    """

    shares: Mapping[tuple[str, str, str], Efficiency] = field(hash=False)
    sisters: Mapping[str, str] = field(default_factory=dict, hash=False)


# --- How long one step of training takes ----------------------------------------------------------

# All fitted on published measurements; source: docs/formulas/training.md.
ATTENTION_SHARE: Final = 0.238  # of the BF16 peak that attention reaches
SMALL_MODEL: Final = 0.101e9  # parameters: a dense model of so many takes twice its time
RECOMPUTED: Final = 1.238
SMALL_BATCH: Final = 0.154
EXPOSED_LEAST: Final = 0.2
OVERLAPPED: Final = 0.667
STACK_SHARE: Final = {Stack.TUNED: 1.0, Stack.PLAIN: 0.807, Stack.UNTUNED: 0.580, Stack.MLPERF: 0.885}
MLPERF_LORA: Final = 0.831
UNKNOWN_INTERLEAVE: Final = {Stack.UNTUNED: 1}
USUAL_INTERLEAVE: Final = 4
TCP_GBPS: Final = 50.0
"""What plain TCP carries a node, whatever the port says."""
BITS_PER_BYTE: Final = 8
FLOP_FULL: Final = 6.0
FLOP_LORA: Final = 4.0
"""FLOP of a token a parameter: forward 2, backward 4; without the gradients of weights that do not learn 2."""
SISTER_OF_FP8: Final = 0.75
SISTER_OF_FP4: Final = 0.5
DENSE_UNKNOWN: Final = 0.4
MOE_UNKNOWN: Final = 0.2
BAND: Final = {True: (0.79, 1.19), False: (0.6, 1.7)}
"""P10 and P90 of measured over predicted tokens/s; by whether the model is dense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. compute_s and network_s: alone; step_s: together, as far as they do not overlap.

    tokens_per_s_per_gpu: of one GPU. mfu: model FLOP (recomputation not counted) over the peak at the precision.
    network_share: of step_s that the network adds. low, high: tokens a second a GPU, P10 and P90. hidden_from: tokens
    of a GPU from one exchange to the next, above which computing hides the network; of the linear part alone.
    """

    step_s: float
    compute_s: float
    network_s: float
    tokens_per_s_per_gpu: float
    mfu: float
    low: float
    high: float
    hidden_from: float
    note: str = ""
    is_assumed: bool = False

    @property
    def network_share(self) -> float:
        """Share of the step in which computing waits for the network."""
        return max(0.0, 1 - self.compute_s / self.step_s)


def efficiency(factors: Factors, chip: str, precision: str, *, is_dense: bool) -> Efficiency:
    """The fitted share, else that of a chip alike, else from BF16 of the chip, else a usual one; what is borrowed
    is named.
    """
    kind = "dense" if is_dense else "moe"
    names = [chip] + ([factors.sisters[chip]] if chip in factors.sisters else [])
    for name in names:
        row = factors.shares.get((name, precision, kind))
        if row is not None:
            if chip == name or chip.removeprefix(f"{name} ").removesuffix("GB").isdigit():
                return row  # rows of all sizes of memory are measured together
            return Efficiency(row.share, note=f"no measurement of {chip}: as {name}")
    worse = {"FP8": SISTER_OF_FP8, "FP4": SISTER_OF_FP4}.get(precision)
    for name in names:
        row = factors.shares.get((name, "BF16", kind))
        if row is not None and worse is not None:
            return Efficiency(row.share * worse, note=f"no measurement in {precision}: from BF16 of {name}")
    usual = DENSE_UNKNOWN if is_dense else MOE_UNKNOWN
    return Efficiency(usual, f"{chip}: {usual:.0%} of peak assumed", is_assumed=True)


def step_of(run: Run, factors: Factors) -> Step | None:
    """None where the chip's FLOP/s at the precision are not known. Source: docs/formulas/training.md."""
    peak, peak_bf16 = (run.chip.tflops.get(precision) for precision in (run.precision, "BF16"))
    if peak is None or peak_bf16 is None:
        return None
    reached = efficiency(factors, run.chip.name, run.precision, is_dense=run.model.is_dense)
    share = reached.share * _stack_share(run)
    linear = (FLOP_FULL if run.method is Method.FULL else FLOP_LORA) * run.model.active
    attention = attention_flop(run)
    linear_s = linear / (peak * 1e12 * share)
    small_model = 1 + SMALL_MODEL / run.model.active if run.model.is_dense else 1.0
    token_s = linear_s * small_model + attention / (ATTENTION_SHARE * peak_bf16 * 1e12)
    if run.layout.recompute is Recompute.FULL:
        token_s *= RECOMPUTED
    tokens = run.tokens_per_step / run.gpus
    token_s *= bubble(run)
    if tokens < run.sequence:
        token_s *= (run.sequence / tokens) ** SMALL_BATCH
    compute_s = tokens * token_s
    network_s = network_s_of(run)
    step_s = overlapped(compute_s, network_s)
    rate = tokens / step_s
    low, high = BAND[run.model.is_dense]
    flop = linear + attention
    return Step(
        step_s=step_s,
        compute_s=compute_s,
        network_s=network_s,
        tokens_per_s_per_gpu=rate,
        mfu=rate * flop / (peak * 1e12),
        low=rate * low,
        high=rate * high,
        hidden_from=network_s / _exchanges(run) / (OVERLAPPED * linear_s),
        note=reached.note,
        is_assumed=reached.is_assumed,
    )


def overlapped(compute_s: float, network_s: float) -> float:
    """Seconds of a step that computes and exchanges: part of the exchange hides behind computing."""
    return compute_s + max(EXPOSED_LEAST * network_s, network_s - OVERLAPPED * compute_s)


def attention_flop(run: Run) -> float:
    """FLOP of a token for causal attention: 6 x attention layers x width x sequence; unknown sizes count none."""
    model = run.model
    return FLOP_FULL * (model.attention_layers or 0) * (model.attention_width or 0) * run.sequence


def _stack_share(run: Run) -> float:
    if run.stack is Stack.MLPERF and run.method is not Method.FULL:
        return MLPERF_LORA
    return STACK_SHARE[run.stack]


def bubble(run: Run) -> float:
    """What idles while a pipeline fills and drains: 1 + (PP - 1) / (VP m)."""
    layout = run.layout
    if layout.pp <= 1:
        return 1.0
    pieces = layout.interleave or UNKNOWN_INTERLEAVE.get(run.stack, USUAL_INTERLEAVE)
    return 1 + (layout.pp - 1) / (pieces * run.micro_steps)


def network_s_of(run: Run) -> float:
    """Seconds in which a step's gradients (and weights, where they are sharded) cross between nodes; 0 on one domain.

    b u P / (TP PP) / max(1, D / (TP PP)) / bytes a second of a GPU's share of its node's NICs.
    """
    domain = max(run.chip.domain, run.gpus_per_node if run.chip.domain <= 8 else 0)
    if run.gpus <= domain:
        return 0.0
    per_gpu = run.nic_gbps / run.gpus_per_node if run.nic_gbps else run.chip.nic_gbps
    if per_gpu is None:
        return 0.0
    if not run.is_rdma:
        per_gpu = min(per_gpu, TCP_GBPS / run.gpus_per_node)
    layout = run.layout
    bytes_moved = _bytes_per_parameter(run) * _exchanges(run)
    dense = run.model.parameters - run.model.expert_parameters
    moved = bytes_moved * (
        dense / layout.model_parallel / max(1.0, domain / layout.model_parallel) + experts_sent(run, domain)
    )
    return moved / (per_gpu * 1e9 / BITS_PER_BYTE)


def _exchanges(run: Run) -> float:
    """Times a step that parameters cross: every micro-step where each GPU holds a part of them, else once."""
    return run.micro_steps if run.layout.sharding is Sharding.FSDP else 1.0


def experts_sent(run: Run, domain: int) -> float:
    """Parameters of experts that each GPU sends, over the copies of them; none where nobody else has them."""
    experts, layout = run.model.expert_parameters, run.layout
    cut = layout.ep * layout.pp
    if layout.ep <= 1:
        cut = layout.model_parallel
    return 0.0 if not experts or run.gpus <= cut else experts / cut / max(1.0, domain / cut)


def _bytes_per_parameter(run: Run) -> float:
    if run.method is not Method.FULL:
        return 4.0 if run.layout.sharding is Sharding.FSDP else 0.02
    return 4.0 if run.layout.sharding is Sharding.HSDP else 6.0


def usual_cut(run: Run) -> int:
    """GPUs of a copy where nothing is stated: the smallest power of two on which 18 bytes a parameter fill 60% of a
    card.
    """
    cut = 1
    while 18 * run.model.parameters / cut > 0.6 * run.chip.memory_gb * 1e9 and 2 * cut <= run.gpus:
        cut *= 2
    return cut


# --- When a training run is done ------------------------------------------------------------------

CHECKPOINT_BYTES: Final = 14
"""A parameter: 2 of weights, 12 of weights and moments in FP32."""
ADAPTERS: Final = 0.01
"""Share of the parameters that adapters have: they exchange 0.02 bytes a parameter, 2 each."""
FAILURE_GPU_HOURS: Final = 50_700
RESTART_H: Final = 0.25
STORAGE_GB_PER_S: Final = 10.0
BYTES_PER_GB: Final = 1e9
USUAL_DOUBLING: Final = 0.83
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
    doubling: float = USUAL_DOUBLING

    def doublings(self, gpus: int) -> float:
        """Doublings from its GPUs to these; below 0: to fewer."""
        return log2(gpus / self.gpus)

    def hours_on(self, gpus: int, doubling: float | None = None) -> float:
        """m(N) = m0 N0 / N / q^log2(N / N0). Source: docs/formulas/training.md.

        >>> round(MeasuredRun(100, 64).hours_on(128), 1)
        60.2
        """
        kept: float = (doubling or self.doubling) ** self.doublings(gpus)
        return self.hours * self.gpus / gpus / kept

    def band_on(self, gpus: int) -> tuple[float, float]:
        """Hours with what a doubling gave the published run that scaled best, and the one that scaled worst."""
        low, high = sorted(self.hours_on(gpus, doubling) for doubling in DOUBLING_BAND)
        return min(low, self.hours_on(gpus)), max(high, self.hours_on(gpus))


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """When so many tokens are through. hours, hours_low, hours_high: of the steps, P10 and P90; whole_hours, whole_low,
    whole_high: of the whole run, with evaluation, restarts, stalls and data loading. inf where failures leave no
    headway.
    """

    step: Step
    hours: float
    hours_low: float
    hours_high: float
    checkpoint: Checkpoint
    availability: Availability
    whole_hours: float
    whole_low: float
    whole_high: float

    def taking(self, hours: float, low: float, high: float) -> "Finish":
        """The same with hours that were measured, of the whole run."""
        return Finish(
            step=self.step,
            hours=hours,
            hours_low=low,
            hours_high=high,
            checkpoint=self.checkpoint,
            availability=self.availability,
            whole_hours=hours,
            whole_low=low,
            whole_high=high,
        )


WHOLE_RUN: Final = 1.25
WHOLE_RUN_BAND: Final = (0.9, 1.75)
"""Published whole runs over the time of their steps: of 65 billion parameters and more the median, and a band."""
WHOLE_RUN_PUBLISHED: Final = (0.86, 2.98)
"""The least and the most of them all. Source: docs/measurements.md."""


def finish_of(
    run: Run,
    tokens: float,
    factors: Factors,
    storage_gb_per_s: float = STORAGE_GB_PER_S,
    whole_run: float | None = None,
) -> Finish | None:
    """tokens x step / (batch x sequence) / availability; None where the step is not known.

    whole_run: the planner's own whole run over step time; None: that of published runs, with the wider of its band and
    that of steps. Source: docs/formulas/training.md.
    """
    step = step_of(run, factors)
    if step is None:
        return None
    learns = 1.0 if run.method is Method.FULL else ADAPTERS
    checkpoint = checkpoint_of(learns * run.model.parameters, storage_gb_per_s)
    available = availability_of(checkpoint, run.gpus)
    computing = tokens * step.step_s / run.tokens_per_step / HOUR_S
    hours = computing / available.share if available.share > 0 else float("inf")
    low, high = BAND[run.model.is_dense]
    times = whole_run or WHOLE_RUN
    least, most = (times, times) if whole_run else WHOLE_RUN_BAND
    return Finish(
        step=step,
        hours=hours,
        hours_low=hours / high,
        hours_high=hours / low,
        checkpoint=checkpoint,
        availability=available,
        whole_hours=hours * times,
        whole_low=hours * min(least, times / high),
        whole_high=hours * max(most, times / low),
    )
