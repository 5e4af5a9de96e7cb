"""Memory of a training run on one of its GPUs, in parts; whether it fits, what would, and the largest that does."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.fit.rules import Light, light_of
from gpuplanner.domain.model.tables import TrainedNeed
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.training.run import BAND, Chip, Factors, Run, step_of
from gpuplanner.lazy_dataclass import dataclass, replace

# Constants set by hand on 116 published readings; source: docs/formulas/training.md.
GIB: Final = 2**30
FRAGMENTATION: Final = 1.05
RESERVE_GIB: Final = 4.0
LOGIT_BYTES: Final = 11
BYTES_KEPT: Final = {Recompute.NONE: 32, Recompute.SELECTIVE: 19, Recompute.FULL: 2}
"""Of activations, a token, layer and hidden unit."""
MOE_SPLIT: Final = 14
MOE_ROUTED: Final = 12
HSDP_GPUS: Final = 8
OPTIMIZER: Final = 12
USUAL_VOCABULARY: Final = 32_000
"""Where a model does not state its own."""


@dataclass(frozen=True, slots=True)
class Memory:
    """GiB on the fullest GPU, in parts that add up to all of it; each with its share of fragmentation."""

    state: float
    activations: float
    logits: float
    reserve: float

    @property
    def gib(self) -> float:
        """All of it."""
        return self.state + self.activations + self.logits + self.reserve


def memory_of(run: Run) -> Memory:
    """Source: docs/formulas/training.md."""
    activations = _activation_bytes(run)
    logits = LOGIT_BYTES * _micro_tokens(run) * (run.model.vocabulary or USUAL_VOCABULARY) / run.layout.tp
    if run.layout.pp > 1:  # the first stage, or the last with the logits
        last = activations / run.layout.pp + logits
        if last <= activations:
            logits = 0.0
        else:
            activations /= run.layout.pp
    state, activations, logits = (
        FRAGMENTATION * part / GIB for part in (_state_bytes(run), activations, logits)
    )
    return Memory(state, activations, logits, RESERVE_GIB)


def _micro_tokens(run: Run) -> float:
    """Tokens that a GPU has in hand."""
    return run.sequence * run.layout.micro_batch / run.layout.cp


def _state_bytes(run: Run) -> float:
    """Weights, gradients and optimizer, as they are sharded; of a layer that is gathered the experts stay apart."""
    model, layout = run.model, run.layout
    gathered = model.parameters - model.expert_parameters * (1 - 1 / layout.ep)
    one_layer = gathered / (model.layers or usual_model(model.parameters).layers or 1)
    if run.method is not Method.FULL:
        return _adapter_state(run, one_layer)
    copies = layout.copies(run.gpus)
    if layout.sharding is Sharding.FSDP and layout.pp == 1:
        return 16 * model.parameters / run.gpus + 8 * one_layer
    if layout.sharding is Sharding.HSDP:
        return 16 * model.parameters / min(HSDP_GPUS, run.gpus) + 8 * one_layer
    dense = (model.parameters - model.expert_parameters) / layout.model_parallel
    cut = layout.ep * layout.pp if layout.ep > 1 else layout.model_parallel
    experts = model.expert_parameters / cut
    kept, shared = _kept_and_shared(layout)
    expert_copies = max(1.0, run.gpus / cut)
    return dense * (kept + shared / copies) + experts * (kept + shared / expert_copies)


def _kept_and_shared(layout: Layout) -> tuple[float, float]:
    """Bytes a parameter that every copy keeps, and that the copies share among them."""
    if layout.sharding is Sharding.NONE:
        return 6.0 + OPTIMIZER, 0.0
    if layout.sharding is Sharding.ZERO2:
        return 2.0, 2.0 + OPTIMIZER
    return 6.0, float(OPTIMIZER)  # ZeRO-1, also FSDP over pipeline stages


def _adapter_state(run: Run, one_layer: float) -> float:
    """Frozen weights; what learns is small."""
    if run.method is Method.QLORA:
        return 0.6 * run.model.parameters / run.layout.model_parallel
    held = 2 * run.model.parameters / run.layout.model_parallel
    if run.layout.sharding is Sharding.FSDP:
        return held / run.layout.copies(run.gpus) + 4 * one_layer
    return held


def _activation_bytes(run: Run) -> float:
    """What the backward pass needs of the forward pass; of usual proportions where the model's are not stated."""
    model, layout = run.model, run.layout
    usual = usual_model(model.parameters)
    layers, hidden = model.layers or usual.layers or 1, model.hidden or usual.hidden or 1
    unit = _micro_tokens(run) * hidden
    if model.experts_per_token is None:
        whole_layer = BYTES_KEPT[Recompute.NONE] / layout.tp
    else:
        whole_layer = MOE_SPLIT / layout.tp + MOE_ROUTED * model.experts_per_token
    match layout.recompute:
        case Recompute.FULL:
            cut = 1 if run.stack is Stack.UNTUNED else layout.tp  # sequences are not cut by what is not tuned
            total = unit * (BYTES_KEPT[Recompute.FULL] * layers / cut + whole_layer)
        case Recompute.SELECTIVE:
            saved = (BYTES_KEPT[Recompute.NONE] - BYTES_KEPT[Recompute.SELECTIVE]) / layout.tp
            total = unit * (whole_layer - saved) * layers
        case _:
            total = unit * whole_layer * layers
    pieces = layout.interleave or 1
    if layout.pp > 1 and pieces > 1:
        total *= 1 + (layout.pp - 1) / (layout.pp * pieces)
    return total


@dataclass(frozen=True, slots=True)
class Fit:
    """A run as it fits. change: what was done to the run that was asked for; "" for nothing."""

    run: Run
    memory: Memory
    light: Light
    change: str = ""

    @property
    def holds(self) -> bool:
        """Whether the card has the memory; an amber light may be on either side."""
        return self.memory.gib <= self.run.chip.memory_gb


DOUBLINGS: Final = 8


def fit_of(run: Run) -> Fit:
    """The run as it is stated."""
    memory = memory_of(run)
    return Fit(run, memory, light_of(memory.gib, run.chip.memory_gb))


def as_needed(run: Run, *, is_sharding_stated: bool = True) -> Fit:
    """The run; where it is red, fully sharded unless its sharding is stated, then with everything recomputed unless it
    says how.
    """
    fit = fit_of(run)
    if fit.light is Light.RED and not is_sharding_stated:
        fit = fit_of(replace(run, layout=replace(run.layout, sharding=Sharding.FSDP)))
    layout = fit.run.layout
    if fit.light is Light.RED and layout.recompute is Recompute.NONE:
        fit = fit_of(replace(run, layout=replace(layout, recompute=Recompute.FULL)))
    return fit


def fitting(run: Run) -> Fit:
    """The run where the card holds it; else the first change that makes it so; else the run as it is."""
    asked = fit_of(run)
    if asked.holds:
        return asked
    for change, other in list_changed_runs(run):
        fitted = fit_of(other)
        if fitted.holds:
            return replace(fitted, change=change)
    return asked


def list_changed_runs(run: Run) -> Iterator[tuple[str, Run]]:
    """Each keeps the changes before it that can only help: full recomputation first."""
    layout = replace(run.layout, recompute=Recompute.FULL)
    run = replace(run, layout=layout)
    yield "full_recomputation", run
    for doubling in range(1, DOUBLINGS + 1):
        more = run.gpus * 2**doubling
        yield "more_gpus", replace(run, gpus=more, batch=max(run.batch, layout.data_parallel(more)))
    tp = min(8, run.gpus, run.gpus_per_node)
    split = replace(layout, tp=max(tp, layout.tp), sharding=Sharding.ZERO1)
    yield "tensor_parallel_8", replace(run, layout=split)
    pp = 2
    while split.tp * pp <= run.gpus:
        yield "pipeline", replace(run, layout=replace(split, pp=pp))
        pp *= 2
    yield "lora", replace(run, method=Method.LORA)


# --- The largest model that GPUs train: of usual proportions, fully sharded, everything recomputed

ASPECT: Final = 128
"""Hidden units a layer of dense models, about."""
SMALLEST: Final = 1e6
LARGEST: Final = 1e14
STEPS: Final = 60


def usual_model(parameters: float) -> TrainedModel:
    """A dense model of so many parameters: 12 x layers x hidden^2, hidden = 128 x layers."""
    layers = max(1.0, (parameters / (12 * ASPECT**2)) ** (1 / 3))
    hidden = ASPECT * layers
    whole = round(layers)
    return TrainedModel(
        name="",
        parameters=parameters,
        active=parameters,
        layers=whole,
        hidden=round(hidden),
        attention_layers=whole,
        attention_width=round(hidden),
        vocabulary=USUAL_VOCABULARY,
    )


def largest_model(run: Run) -> float | None:
    """Parameters of the largest usual dense model that the run's GPUs hold; None: none.

    As the run and of its vocabulary, but fully sharded with full recomputation: what fits most. By bisection, to one
    part in a million.
    """
    layout = replace(run.layout, tp=1, pp=1, ep=1, sharding=Sharding.FSDP, recompute=Recompute.FULL)

    def fits(parameters: float) -> bool:
        usual = usual_model(parameters)
        model = replace(usual, vocabulary=run.model.vocabulary or usual.vocabulary)
        return fit_of(replace(run, model=model, layout=layout)).holds

    low, high = SMALLEST, LARGEST
    if not fits(low):
        return None
    for _ in range(STEPS):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


# --- What a workload's run needs where its model is known -----------------------------------------

SEQUENCE: Final = 4096
SLOW_GBPS: Final = 100.0
"""Of a node: one port, where nothing is stated of a slow network."""
ANY_CHIP: Final = Chip(name="", memory_gb=0.0, tflops={})


def run_of_model(model: TrainedModel, chip: Chip | None, node_gpus: int, gpus: float, name: str) -> Run:
    """As logs have most of them: plain and fully sharded, a sequence a GPU; `lora` in its name: adapters."""
    folded, count = name.casefold(), max(1, round(gpus))
    if "qlora" in folded:
        method = Method.QLORA
    elif "lora" in folded:
        method = Method.LORA
    else:
        method = Method.FULL
    return Run(
        model=model,
        chip=chip or ANY_CHIP,
        gpus=count,
        layout=Layout(),
        batch=count,
        sequence=SEQUENCE,
        precision="BF16",
        stack=Stack.PLAIN,
        method=method,
        gpus_per_node=node_gpus,
    )


def need_of_run(run: Run, slow_gbps: float | None, factors: Factors) -> TrainedNeed:
    """Memory of a GPU and the step on its node's usual network and on a slow one, Gb/s a node; what does not fit is
    worked out again. Source: docs/formulas/training.md.
    """
    fit = as_needed(run)
    slow = replace(fit.run, nic_gbps=slow_gbps or SLOW_GBPS)
    steps = [step_of(candidate, factors) for candidate in (fit.run, slow)]
    fast_s, slow_s = (None if step is None else step.step_s for step in steps)
    band = BAND[run.model.is_dense]
    assumed = steps[0].note if steps[0] is not None and steps[0].is_assumed else ""
    return TrainedNeed(
        memory_gib=fit.memory.gib,
        step_s=fast_s,
        slow_step_s=slow_s,
        card_gib=run.chip.memory_gb or None,
        band=band,
        assumed=assumed,
    )
