"""Measured runs of training, one a row: what the formula says of each."""

from itertools import count
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.training.run import Run, usual_cut
from gpuplanner.files.lists.trained_models import USUAL_EXPERT_SHARE
from gpuplanner.files.system.resources import chip_of, model_of_catalogue
from gpuplanner.files.tables.small_table import ReadRow, Row, RowError, TableKind
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

WORDS_OF_SHARDING: Final = (
    (lazy_re(r"hsdp"), Sharding.HSDP),
    (lazy_re(r"zero-?2"), Sharding.ZERO2),
    (lazy_re(r"zero-?1"), Sharding.ZERO1),
    (lazy_re(r"fsdp|zero-?3"), Sharding.FSDP),
    (lazy_re(r"none|ddp|replicated|one gpu"), Sharding.NONE),
)
WORDS_OF_RECOMPUTATION: Final = {**{one.value: one for one in Recompute}, "recipe": None, "not stated": None}
METHODS: Final = {"lora": Method.LORA, "qlora": Method.QLORA}
MANY_STEPS: Final = 32
"""Micro-batches a step where the batch is not stated: enough to fill a pipeline."""
TRAINED_COLUMNS: Final = phrases(
    "model|params_b|active_params_b|kind|task|layers|hidden|gpu_model|gpus|gpus_per_node|nic_gbps|precision|sequence"
    "|global_batch|micro_batch|tp|pp|cp|ep|vp|dp|sharding|activation_checkpointing|stack|proxy"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPoint:
    """A run as a row states it. run None: the chip or the model is not known; why says which.

    is_sharding_stated: else it is the usual one of its software. is_proxy: it ran with fewer layers than its model.
    """

    row: int
    run: Run | None
    why: str = ""
    is_sharding_stated: bool = True
    is_proxy: bool = False


def point_of(row: Row, line: int) -> TrainingPoint:
    """The run of a row, usual values where it states none. Errors: RowError where GPUs or the GPU model lack."""
    written = row.required("gpu_model")
    gpus = row.integer("gpus")
    if not gpus:
        raise RowError("bad_number", worded("gpus is not a whole number above 0"))
    chip, node = chip_of(written)
    if chip is None:
        return TrainingPoint(row=line, run=None, why=f"GPU model {written} is not known")
    model = _stated_model(row)
    if model is None:
        return TrainingPoint(
            row=line, run=None, why=f"model {row.text('model')} is not known, and params_b is not stated"
        )
    run = Run(
        model=model,
        chip=chip,
        gpus=gpus,
        layout=Layout(),
        batch=1.0,
        sequence=row.integer("sequence") or 4096,
        precision=_precision(row.text("precision")),
        stack=row.word("stack", {one.value: one for one in Stack}) or Stack.TUNED,
        method=METHODS.get((row.text("task") or "").casefold(), Method.FULL),
        gpus_per_node=row.integer("gpus_per_node") or node,
        nic_gbps=row.real("nic_gbps"),
    )
    text = (row.text("sharding") or "").casefold()
    sharding = next((kind for words, kind in WORDS_OF_SHARDING if words.search(text)), None)
    recompute = row.word("activation_checkpointing", WORDS_OF_RECOMPUTATION)
    run = replace(run, layout=_layout(row, run, sharding, recompute))
    copies = run.layout.data_parallel(gpus) * run.layout.micro_batch
    run = replace(run, batch=row.real("global_batch") or copies * MANY_STEPS)
    return TrainingPoint(
        row=line, run=run, why="", is_sharding_stated=sharding is not None, is_proxy=row.text("proxy") == "1"
    )


def _stated_model(row: Row) -> TrainedModel | None:
    """What the row states of a model before what the catalogue says of it."""
    known = model_of_catalogue(row.text("model") or "")
    billion, active = row.real("params_b"), row.real("active_params_b")
    if billion is None:
        return known
    layers, hidden = row.integer("layers"), row.integer("hidden")
    share = USUAL_EXPERT_SHARE if (row.text("kind") or "").casefold() == "moe" else None
    stated = known or TrainedModel(
        name=row.text("model") or "",
        parameters=billion * 1e9,
        active=billion * 1e9,
        layers=None,
        hidden=None,
        attention_layers=layers,
        attention_width=hidden,
        vocabulary=None,
        experts_per_token=None,
        expert_share=share,
    )
    return replace(
        stated,
        parameters=billion * 1e9,
        active=(active or billion) * 1e9,
        layers=layers or stated.layers,
        hidden=hidden or stated.hidden,
    )


def _precision(text: str | None) -> str:
    """BF16 for all of 16 bits."""
    folded = (text or "").upper()
    return next((name for name in ("FP4", "FP8") if name in folded), "BF16")


def _layout(row: Row, run: Run, sharding: Sharding | None, recompute: Recompute | None) -> Layout:
    """As stated; where copies are stated one lies on the GPUs of each, where nothing says how it is cut it fits."""
    stated = {name: row.integer(name) for name in ("tp", "pp", "cp", "ep", "vp", "dp")}
    cp = stated["cp"] or 1
    usual = Sharding.FSDP if run.stack is Stack.PLAIN else Sharding.ZERO1
    if stated["dp"]:
        cut = run.gpus // (stated["dp"] * cp)
    else:
        cut = 1 if (sharding or usual) is Sharding.FSDP else usual_cut(run)
    tp = stated["tp"] or max(1, min(8, cut // (stated["pp"] or 1)))
    return Layout(
        tp=tp,
        pp=stated["pp"] or max(1, cut // tp),
        cp=cp,
        ep=stated["ep"] or 1,
        sharding=sharding or usual,
        micro_batch=row.real("micro_batch") or 1.0,
        recompute=recompute or Recompute.NONE,
        interleave=stated["vp"],
    )


def _reader() -> ReadRow[TrainingPoint]:
    """Rows are numbered as lines of the file, the header is 1."""
    lines = count(2)
    return lambda row: (point_of(row, next(lines)),)


POINTS: Final[TableKind[TrainingPoint]] = TableKind(
    kind="training_points",
    format="own_points",
    columns=TRAINED_COLUMNS,
    needed=(("model", "params_b"), ("gpu_model",), ("gpus",)),
    reader=_reader,
    key=lambda point: point.row,
)
