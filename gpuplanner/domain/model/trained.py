"""What a planner states of a training run: the model, its tokens, how it lies over GPUs, and by when."""

from enum import StrEnum
from functools import partial
from math import inf
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.lazy_dataclass import dataclass, fields, replace
from gpuplanner.lazy_re import lazy_re


class Sharding(StrEnum):
    """What of weights, gradients and optimizer each data-parallel GPU keeps a part of."""

    FSDP = "fsdp"
    ZERO1 = "zero1"
    ZERO2 = "zero2"
    HSDP = "hsdp"
    NONE = "none"


class Recompute(StrEnum):
    """Which activations are worked out again in the backward pass rather than kept.

    NONE: none, unless it does not fit without; NEVER: none, even so.
    """

    NONE = "none"
    NEVER = "never"
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


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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

    def copies(self, gpus: int) -> float:
        """Copies of the dense weights: those that share a sequence among them hold one each."""
        return max(1.0, gpus / self.model_parallel)

    def data_parallel(self, gpus: int) -> float:
        """Copies of the model that take batches of their own."""
        return max(1.0, gpus / (self.model_parallel * self.cp))


USUAL_LAYOUT: Final = Layout()
SEARCHED: Final = ("tp", "pp", "cp", "ep", "micro_batch", "sharding", "recompute")
"""Parts of a layout that are searched unless the planner sets them."""


# --- A run as it is stated, field by field -------------------------------------------------------

USUAL_SEQUENCE: Final = 8192
USUAL_STORAGE_GB_PER_S: Final = 10.0
LARGEST_COUNT: Final = 10_000_000
SCALES: Final = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedRun:
    """A run to be planned. tokens: to train on; deadline_h: hours from now in which it is to be done.

    gpu_model "": every one of the prices. gpus, batch (sequences a step) None: usual ones. nic_gbps: of a node, all
    ports (None: that of the usual node); is_rdma False: plain TCP. storage_gb_per_s: of checkpoints.
    virtual_low, virtual_high: % that it takes longer on virtual machines, as the planner has it. measured_h,
    measured_gpus: the same run of the planner's own on `gpu_model`; measured_doubling: 0..1, what of the ideal a
    doubling of its GPUs gives (None: as published runs mostly have it). fixed: parts of the layout that the planner
    set, in words of SEARCHED; a part that differs from the usual layout counts as set.
    """

    model: TrainedModel
    tokens: float
    gpu_model: str = ""
    gpus: int | None = None
    deadline_h: float | None = None
    layout: Layout = USUAL_LAYOUT
    batch: float | None = None
    sequence: int = USUAL_SEQUENCE
    precision: str = PRECISIONS[0]
    stack: Stack = Stack.TUNED
    method: Method = Method.FULL
    nic_gbps: float | None = None
    is_rdma: bool = True
    storage_gb_per_s: float = USUAL_STORAGE_GB_PER_S
    virtual_low: float | None = None
    virtual_high: float | None = None
    measured_h: float | None = None
    measured_gpus: int | None = None
    measured_doubling: float | None = None
    fixed: tuple[str, ...] = ()

    @property
    def free(self) -> frozenset[str]:
        """Parts of the layout that are searched."""
        usual = (name for name in SEARCHED if getattr(self.layout, name) == getattr(USUAL_LAYOUT, name))
        return frozenset(usual).difference(self.fixed)

    @property
    def called(self) -> str:
        """Llama-3-70B, 15T tokens."""
        return f"{self.model.name}, {short_count(self.tokens)} tokens"

    def lies_on(self, gpus: int) -> bool:
        """Whether its layout lies on so many GPUs, with a layer or more in every piece of a stage."""
        pieces = self.layout.pp * (self.layout.interleave or 1) if self.layout.pp > 1 else 1
        return self.layout.lies_on(gpus) and pieces <= (self.model.layers or inf)

    @property
    def measured_lacks(self) -> tuple[str, ...]:
        """Of a measured run what it counts with and is not stated; empty where nothing of it is, or all."""
        is_stated = self.measured_h or self.measured_gpus or self.measured_doubling
        needed = ("measured_h", "measured_gpus", "gpu_model") if is_stated else ()
        return tuple(name for name in needed if not getattr(self, name))


def short_count(value: float) -> str:
    """A large number as a planner writes it.

    >>> short_count(15e12), short_count(3.5e11), short_count(900)
    ('15T', '350B', '900')
    """
    scale, by = next(((name, by) for name, by in reversed(SCALES.items()) if value >= by), ("", 1.0))
    return f"{value / by:.6g}{scale}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunField:
    """A number of a run that is typed. is_whole: a count; is_optional: empty is a usual one; most: the largest."""

    name: str
    title: Message
    tip: Message
    is_whole: bool = True
    is_optional: bool = False
    most: float = inf


_part: Final = partial(RunField, is_optional=True)
_VIRTUAL: Final = worded("Your range for virtual machines: none is published for several nodes")
_MEASURED: Final = worded("This run's time on the GPU model above replaces the formula")

RUN_FIELDS: Final = (
    RunField(
        name="tokens",
        title=titles.TOKENS,
        tip=worded("Tokens to train on, such as 1T, 300B or 1e12"),
        is_whole=False,
    ),
    RunField(
        name="deadline_h",
        title=worded("Done within, hours"),
        tip=worded("From now; empty: no deadline"),
        is_whole=False,
        is_optional=True,
    ),
    _part(name="gpus", title=worded("GPUs"), tip=worded("Empty: whole nodes, doubling")),
    _part(
        name="tp",
        title=worded("Tensor parallel"),
        tip=worded("GPUs per layer, within a node. Empty: searched"),
    ),
    _part(
        name="pp",
        title=worded("Pipeline stages"),
        tip=worded("Groups of layers, each on its own GPUs. Empty: searched"),
    ),
    _part(name="interleave", title=worded("Pieces a stage"), tip=worded("Of a pipeline; empty: a usual one")),
    _part(name="cp", title=worded("Context parallel"), tip=worded("GPUs per sequence. Empty: searched")),
    _part(
        name="ep",
        title=worded("Expert parallel"),
        tip=worded("GPUs for the experts of a layer. Empty: searched"),
    ),
    _part(
        name="micro_batch",
        title=worded("Micro-batch"),
        tip=worded("Sequences per GPU. Empty: searched"),
        is_whole=False,
    ),
    RunField(name="sequence", title=worded("Tokens a sequence"), tip=worded("Sequence length, in tokens")),
    RunField(
        name="batch",
        title=worded("Sequences a step"),
        tip=worded("Empty: about 4 million tokens"),
        is_whole=False,
        is_optional=True,
    ),
    _part(
        name="nic_gbps",
        title=worded("Gb/s per node"),
        tip=worded("All ports; empty: as in offers"),
        is_whole=False,
        most=1e5,
    ),
    RunField(
        name="storage_gb_per_s", title=worded("Storage, GB/s"), tip=worded("Checkpoint share"), is_whole=False
    ),
    RunField(
        name="virtual_low",
        title=worded("Virtual slowdown, % at least"),
        tip=_VIRTUAL,
        is_whole=False,
        is_optional=True,
    ),
    RunField(
        name="virtual_high",
        title=worded("Virtual slowdown, % at most"),
        tip=_VIRTUAL,
        is_whole=False,
        is_optional=True,
    ),
    RunField(
        name="measured_h", title=worded("Measured, hours"), tip=_MEASURED, is_whole=False, is_optional=True
    ),
    _part(name="measured_gpus", title=worded("Measured on GPUs"), tip=_MEASURED),
    _part(
        name="measured_doubling",
        title=worded("Kept of a doubling"),
        tip=worded("Efficiency when GPUs double, such as 0.98 or 98%; empty: 0.83"),
        is_whole=False,
        most=1.0,
    ),
)
"""What is typed of a run, in the order in which it is asked."""
_OF_LAYOUT: Final = frozenset(each.name for each in fields(Layout))


def value_in(run: StatedRun, name: str) -> object:
    """What a run or its layout has under a name; None for a part of the layout that is searched."""
    if name in run.free and name != "recompute":
        return None
    return getattr(run.layout if name in _OF_LAYOUT else run, name)


def run_with(run: StatedRun, name: str, value: object) -> StatedRun:
    """The run with another value of it or of its layout.

    A part of the layout is fixed by a value and searched for None. More stages than one keep no full shards of weights.
    """
    if name not in _OF_LAYOUT:
        return replace(run, **{name: value})  # type: ignore[arg-type]
    is_free = value is None or value is Recompute.NONE
    fixed = {*run.fixed, name}.difference((name,) if is_free or name not in SEARCHED else ())
    value = getattr(USUAL_LAYOUT, name) if is_free else value
    layout = replace(run.layout, **{name: value})  # type: ignore[arg-type]
    if layout.pp > 1 and layout.sharding is Sharding.FSDP and "sharding" in fixed:
        layout = replace(layout, sharding=Sharding.ZERO1)
    return replace(run, layout=layout, fixed=tuple(sorted(fixed)))


_GROUPED: Final = lazy_re(r"^[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")


def typed_number(of: RunField, text: str) -> float | int | None:
    """The number of a text; `15T`, `1,024` and `2%` too. Empty: None, a usual one.

    Errors: PlannerError, for a comma that parts no thousands (`1,5T`) too.
    """
    written = _GROUPED.sub(lambda match: match[0].replace(",", ""), "".join(text.split()))
    cleaned = written.removesuffix("%")
    if not cleaned and of.is_optional:
        return None
    scale = SCALES.get(cleaned[-1:].upper(), 1.0)
    per = 100 if of.most == 1 and written != cleaned else 1
    try:
        value = scale * float(cleaned[:-1] if scale > 1 else cleaned) / per
    except ValueError:
        value = 0.0
    return check_number(of, value, text)


def check_number(of: RunField, value: float, text: Text = "") -> float | int:
    """A number that a run can have. Errors: PlannerError."""
    if (
        not 0 < value < inf
        or value > of.most
        or (of.is_whole and (value != int(value) or value > LARGEST_COUNT))
    ):
        fault = worded("{value} is not allowed", value=repr(text) if text else significant(value))
        remedy = worded("enter a number over 0")
        if of.is_whole:
            remedy = worded("enter a whole number of 1 to {most}", most=whole(LARGEST_COUNT))
        elif of.most < inf:
            remedy = worded("enter a number over 0 and at most {most}", most=significant(of.most))
        raise refusal(of.title, fault, remedy)
    return int(value) if of.is_whole else value


def check_run(run: StatedRun) -> StatedRun:
    """The run itself. Errors: PlannerError for a number that it cannot have."""
    for each in RUN_FIELDS:
        value = value_in(run, each.name)
        if value is not None:
            assert isinstance(value, int | float)
            check_number(each, value)
    return run
