"""Fixed tables: pools and pricing categories, GPU models, class rules, score rows."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.lazy_dataclass import dataclass, field

# --- Pools and pricing categories: fixed names for grouping demand and money ----------------------


class Pool(StrEnum):
    """The pool that serves a workload in a scenario; also the class of a workload."""

    TRAINING = "training"
    INFERENCE = "inference"
    BURST = "burst"


POOLS: Final = (Pool.TRAINING, Pool.INFERENCE, Pool.BURST)
"""Pools in display order."""

POOL_TITLES: Final[Mapping[Pool, Message]] = {
    Pool.TRAINING: worded("Training"),
    Pool.INFERENCE: worded("Inference"),
    Pool.BURST: worded("Burst"),
}
"""Headings of pools and classes."""

SERVING_ORDER: Final = (Pool.INFERENCE, Pool.TRAINING, Pool.BURST)
"""Order in which contracts, and offers with a maximum, serve the pools."""


class PricingCategory(StrEnum):
    """FOCUS pricing categories, and two of ours: MIXED (on demand and spot together) and OWNED (GPUs that we own).

    Source: the pricing categories of the FOCUS specification of cost data; MIXED and OWNED are ours.
    """

    STANDARD = "STANDARD"
    COMMITTED = "COMMITTED"
    DYNAMIC = "DYNAMIC"
    OWNED = "OWNED"
    MIXED = "MIXED"

    @property
    def is_commitment(self) -> bool:
        """Whether it is paid over a term, used or not: a commitment or owned GPUs."""
        return self in (PricingCategory.COMMITTED, PricingCategory.OWNED)


CATEGORY_WORDS: Final[Mapping[PricingCategory, Text]] = {
    PricingCategory.STANDARD: worded("on demand"),
    PricingCategory.COMMITTED: worded("committed"),
    PricingCategory.DYNAMIC: worded("spot"),
    PricingCategory.OWNED: worded("owned"),
}
"""Words for the categories of offers."""


# --- Tables in resources/: GPU models, class rules, score rows. The files layer reads them


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuModel:
    """A GPU family, or a variant in a family. Units: GB, TB/s, dense BF16 TFLOP/s, W; None: not stated.

    aliases: other names; `-` marks a variant whose name means its family. variants: words for each variant, as
    `SXM=sxm|hgx;PCIe=pcie`. sizes_apart: memory sizes that are families of their own. is_served: whether models are
    sized for it without a request. node_gpus: GPUs of the machine that most providers sell (None: single GPUs, or
    unknown). node_kw_per_gpu: kW of this machine at full power, per GPU.
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

    form: the name; "" for a row that replaces words before any form is matched. example: only in a form's first row.
    page: the panel and view with the answer; without a form, the replacement text. pattern: a regular expression for
    the whole question, with places in braces.
    """

    form: str
    example: str
    page: str
    pattern: str


class AskedFigure(NamedTuple):
    """A figure that answers a form directly: a row of resources/question_figures.csv.

    path: field in the JSON documents. place: attribute path in an evaluation. title: where it differs from the
    figure's.
    """

    form: str
    subject: str
    figure: str
    unit: str
    path: str
    place: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRule:
    """A pattern that assigns a class with a confidence: a row of resources/class_rules.csv, or one of the user's rules.

    Shipped rules: field is name or queue; pattern is a regular expression searched in the folded text. The user's rules
    (Project.rules): field may also be owner; pattern as in domain/demand/own_rules.py; an empty subtype is inferred.
    """

    rule_id: str
    field: str
    pattern: str
    pool: Pool
    subtype: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """A row of resources/class_scores.csv: a signal between `low` and `high` adds points to a class.

    subtype: name for work of this class and shape where no word names it; may be empty. reason: may contain the
    signal's `{value}`. value_as: its number format, a function of `domain/figures/typed.py`.
    """

    signal: str
    low: float
    high: float
    pool: Pool
    points: float
    reason: str
    subtype: str = ""
    value_as: str = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedNeed:
    """Needs of a training run of a known model on one GPU model, and the duration of a training step.

    memory_gib: GiB needed per GPU. card_gib: usable GiB of the card. step_s, slow_step_s: seconds per step on the
    node's usual network and on a slow one. band: measured over predicted speed, P10 and P90. None: unknown. assumed:
    substitute for a missing measurement of the GPU model.
    """

    memory_gib: float
    step_s: float | None = None
    slow_step_s: float | None = None
    card_gib: float | None = None
    band: tuple[float, float] = (1.0, 1.0)
    assumed: str = ""


TrainedOf = Callable[[float, str | None, float, float | None, str], TrainedNeed | None]
"""Needs by parameters (billion), GPU model, GPUs, Gb/s of a slow network (None: not stated) and job name;
None where the run cannot be predicted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables that an evaluation needs.

    gpu_models: families and variants. vision_speeds: measured speed of computer vision work by GPU model, a V100 is 1.
    Rules and rows apply in the order of their files.
    """

    gpu_models: tuple[GpuModel, ...] = ()
    class_rules: tuple[ClassRule, ...] = ()
    context_rule_ids: frozenset[str] = (
        frozenset()
    )  # of class_rules: the rules that describe the tools or the subject of a job
    pod_rules: tuple[
        ClassRule, ...
    ] = ()  # their patterns are regular expressions for a whole name as it is written
    score_rows: tuple[ScoreRow, ...] = ()
    trained: TrainedOf | None = None
    vision_speeds: Mapping[str, float] = field(default_factory=dict)

    @property
    def node_gpus(self) -> dict[str, int]:
        """GPUs of the machine that most providers sell, by GPU model; models without an entry are left out."""
        return {model.name: model.node_gpus for model in self.gpu_models if model.node_gpus}
