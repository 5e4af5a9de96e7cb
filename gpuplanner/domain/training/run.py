"""What a training run is stated by: the model, the chip, the layout over its GPUs, and what one step does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Sharding(StrEnum):
    """What of weights, gradients and optimizer each data-parallel GPU keeps a part of."""

    FSDP = "fsdp"
    ZERO1 = "zero1"
    ZERO2 = "zero2"
    HSDP = "hsdp"
    NONE = "none"


class Recompute(StrEnum):
    """Which activations are worked out again in the backward pass rather than kept."""

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class Stack(StrEnum):
    """How well the software is tuned; `mlperf`: tuned, with evaluation in the time."""

    TUNED = "tuned"
    PLAIN = "plain"
    UNTUNED = "untuned"
    MLPERF = "mlperf"


class Method(StrEnum):
    """What of the model learns."""

    FULL = "full"
    LORA = "lora"
    QLORA = "qlora"


PRECISIONS: Final = ("BF16", "FP8", "FP4")


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """Sizes of a language model. parameters, active: counts; attention_width: heads x head size of a layer.

    attention_layers: those that attend (a hybrid has fewer than layers). experts_per_token, expert_share (experts a
    token uses over all of a layer): None for a dense model. hidden, layers None: not stated, so that neither
    activations nor attention are known.
    """

    name: str
    parameters: float
    active: float
    layers: int | None = None
    hidden: int | None = None
    attention_layers: int | None = None
    attention_width: int | None = None
    vocabulary: int | None = None
    experts_per_token: int | None = None
    expert_share: float | None = None

    @property
    def is_dense(self) -> bool:
        """Whether every token passes through all parameters."""
        return self.expert_share is None

    @property
    def expert_parameters(self) -> float:
        """Parameters in experts: the rest is the same for every token. P - (A - k/E P) / (1 - k/E); dense: 0."""
        share = self.expert_share
        if share is None or share >= 1:
            return 0.0
        return min(self.parameters, (self.parameters - self.active) / (1 - share))


@dataclass(frozen=True, slots=True)
class Chip:
    """A GPU model as training sees it. tflops: dense, by precision; domain: GPUs that its fast links join.

    nic_gbps: of one GPU in the node that it is usual in, Gb/s. None: not known.
    """

    name: str
    memory_gb: float
    tflops: Mapping[str, float]
    domain: int = 8
    nic_gbps: float | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """How a model lies over GPUs. tp, pp, cp, ep: tensor, pipeline, context and expert parallel.

    micro_batch: sequences that one GPU takes at a time. interleave: pieces of the model a pipeline stage holds
    (None: not stated).
    """

    tp: int = 1
    pp: int = 1
    cp: int = 1
    ep: int = 1
    sharding: Sharding = Sharding.FSDP
    micro_batch: float = 1.0
    recompute: Recompute = Recompute.NONE
    interleave: int | None = None

    @property
    def model_parallel(self) -> int:
        """GPUs that one copy of the dense weights is cut over."""
        return self.tp * self.pp

    def lies_on(self, gpus: int) -> bool:
        """Whether so many GPUs are whole copies of it, of dense weights and of experts."""
        return gpus % (self.model_parallel * self.cp) == 0 and gpus % (self.ep * self.pp) == 0

    def data_parallel(self, gpus: int) -> float:
        """Copies of the model that take batches of their own."""
        return max(1.0, gpus / (self.model_parallel * self.cp))


@dataclass(frozen=True, slots=True)
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
    """Share of its peak that a chip reaches at a precision, for dense models or mixtures. note: where borrowed from."""

    share: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Factors:
    """Fitted on published measurements; shares by (chip, precision, `dense` or `moe`), sisters: chips alike.

    Source: docs/formulas.md, Training.
    """

    shares: Mapping[tuple[str, str, str], Efficiency]
    sisters: Mapping[str, str] = field(default_factory=dict)
