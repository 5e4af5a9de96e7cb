"""Fixed tables: pools and pricing categories, GPU models, class rules, score rows."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from gpuplanner.domain.message import Message, worded
from gpuplanner.lazy_dataclass import dataclass, field

# --- Pools and pricing categories: the fixed names that demand and money are sorted by -----------


class Pool(StrEnum):
    """Where a workload runs in a scenario; also the class of a workload (what it is)."""

    TRAINING = "training"
    INFERENCE = "inference"
    BURST = "burst"


POOLS: Final = (Pool.TRAINING, Pool.INFERENCE, Pool.BURST)
"""The order in which pools are shown."""

POOL_TITLES: Final[Mapping[Pool, Message]] = {
    Pool.TRAINING: worded("Training"),
    Pool.INFERENCE: worded("Inference"),
    Pool.BURST: worded("Burst"),
}
"""What pools and classes are called in headings."""

SERVING_ORDER: Final = (Pool.INFERENCE, Pool.TRAINING, Pool.BURST)
"""The order in which contracts serve pools, and in which offers with a maximum are given out."""


class PricingCategory(StrEnum):
    """FOCUS pricing categories; MIXED is a usage-priced layer that is partly on demand, partly spot, OWNED are GPUs of
    our own.

    Source: the pricing categories of the FOCUS specification of cost data; MIXED and OWNED are ours.
    """

    STANDARD = "STANDARD"
    COMMITTED = "COMMITTED"
    DYNAMIC = "DYNAMIC"
    OWNED = "OWNED"
    MIXED = "MIXED"

    @property
    def is_commitment(self) -> bool:
        """Whether it is paid for over a term, used or not: signed for, or owned."""
        return self in (PricingCategory.COMMITTED, PricingCategory.OWNED)


# --- Tables the product ships as data (resources/): GPU models, class rules, score rows. Files reads them


@dataclass(frozen=True, slots=True)
class GpuModel:
    """One family of GPUs, or a variant of one. Units: GB, TB/s, dense BF16 TFLOP/s, W (None: not stated).

    aliases: other names; `-`: a variant, whose name is read as its family's. variants: the words of each, as
    `SXM=sxm|hgx;PCIe=pcie`. sizes_apart: sizes of memory that make families of their own. is_served: whether models
    are sized on it unasked. node_gpus: GPUs of the machine that it is sold in by most (None: singly, or not known).
    node_kw_per_gpu: kW of such a machine at full power, by its GPUs.
    """

    name: str
    memory_gb: float | None
    bandwidth_tb_per_s: float | None
    tflops: float | None
    aliases: tuple[str, ...] = ()
    variants: str = ""
    sizes_apart: tuple[str, ...] = ()
    is_served: bool = True
    tdp_watts: float | None = None
    node_gpus: int | None = None
    node_kw_per_gpu: float | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """A wording of a question or a change: a row of resources/question_forms.csv.

    example: of the form, in its first row, and page: the panel with its view on which the answer stands. pattern: a
    regular expression of all the words, with places in braces. Without a form: what is written, page, in place of a
    pattern before anything is read.
    """

    form: str
    example: str
    page: str
    pattern: str


class AskedFigure(NamedTuple):
    """A figure that answers a form as it stands: a row of resources/question_figures.csv.

    path: where documents have it; place: where an evaluation has it; title: where it is not called as its figure is.
    """

    form: str
    subject: str
    figure: str
    unit: str
    path: str
    place: str
    title: str


@dataclass(frozen=True, slots=True)
class ClassRule:
    """A pattern in a field names a class with a confidence: a row of resources/class_rules.csv, or the planner's own.

    Shipped: field name or queue, pattern a regular expression searched in the folded text. The planner's own
    (Project.rules): also field owner, pattern as in domain/demand/own_rules.py, an empty subtype is worked out.
    """

    rule_id: str
    field: str
    pattern: str
    pool: Pool
    subtype: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One row of resources/class_scores.csv: a signal between low and high adds points to a class.

    subtype: what work of that class and shape is called, where no word says it; may be empty. reason: with the signal's
    `{value}` or without; value_as: how that is written, a name of `domain/figures/typed.py`.
    """

    signal: str
    low: float
    high: float
    pool: Pool
    points: float
    reason: str
    subtype: str = ""
    value_as: str = "whole"


@dataclass(frozen=True, slots=True)
class TrainedNeed:
    """What a training run of a known model needs of one GPU, and how long its step takes.

    memory_gib: a GPU; card_gib: what a card of its GPU model really holds; step_s, slow_step_s: seconds on its node's
    usual network, and on a slow one; band: of measured over predicted speed, P10 and P90; None: not known. assumed:
    what stands in for a measurement of the GPU model.
    """

    memory_gib: float
    step_s: float | None = None
    slow_step_s: float | None = None
    card_gib: float | None = None
    band: tuple[float, float] = (1.0, 1.0)
    assumed: str = ""


TrainedOf = Callable[[float, str | None, float, float | None, str], TrainedNeed | None]
"""Of a model of so many billion parameters on a GPU model, GPUs, and Gb/s of a slow network (None: not stated), by the
name of the job; None: the run cannot be told."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All the tables that evaluation needs.

    gpu_models: variants beside their families. vision_speeds: measured on work of vision, by GPU model, a V100 is 1.
    Rules and rows in the order of their files, which is that in
    which they count.
    """

    gpu_models: tuple[GpuModel, ...] = ()
    class_rules: tuple[ClassRule, ...] = ()
    context_rule_ids: frozenset[str] = (
        frozenset()
    )  # of class_rules: those that say what a job is made with or about
    pod_rules: tuple[
        ClassRule, ...
    ] = ()  # their patterns are regular expressions for a whole name as it is written
    score_rows: tuple[ScoreRow, ...] = ()
    trained: TrainedOf | None = None
    vision_speeds: Mapping[str, float] = field(default_factory=dict)

    @property
    def node_gpus(self) -> dict[str, int]:
        """GPUs of the machine that each GPU model is sold in by most, where the table says."""
        return {model.name: model.node_gpus for model in self.gpu_models if model.node_gpus}
