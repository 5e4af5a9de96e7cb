"""A training run on one kind of GPU: the chip, how many, and what one step does; the factors that are fitted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuplanner.domain.model.trained import (
    PRECISIONS,
    Layout,
    Method,
    Recompute,
    Sharding,
    Stack,
    TrainedModel,
)

__all__ = ["PRECISIONS", "Layout", "Method", "Recompute", "Sharding", "Stack", "TrainedModel"]


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
