"""Training as tables: models that a planner names or has a file of, and measured points."""

import re
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.training.run import Run, usual_cut
from gpuplanner.files.lists.served_models import read_model
from gpuplanner.files.system.resources import chip_of, model_of_catalogue, read_served_models
from gpuplanner.files.tables.small_table import ReadRow, Row, RowError, TableKind
from gpuplanner.files.values.numbers import phrases

USUAL_EXPERT_SHARE: Final = 0.05
"""Of the experts of a layer, those that a token uses, where a mixture is not in the catalogue."""


def trained_model(text: str) -> tuple[TrainedModel, FileIntake | None]:
    """A model by its name in the tables, or from a file, with the intake of that file.

    Errors: PlannerError, as of `served_models.read_model`.
    """
    known = model_of_catalogue(text)
    if known is not None:
        return known, None
    served, intake = read_model(text, read_served_models())
    alike = model_of_catalogue(served.name)
    chosen, experts = served.experts_per_token, served.experts
    return alike or TrainedModel(
        served.name,
        float(served.parameters),
        float(served.active),
        served.layers,
        served.hidden,
        experts_per_token=chosen,
        expert_share=chosen / experts if chosen and experts else None,
    ), intake


# --- Measured runs, one a row: what the formula says of each

WORDS_OF_SHARDING: Final = (
    (re.compile(r"hsdp"), Sharding.HSDP),
    (re.compile(r"zero-?2"), Sharding.ZERO2),
    (re.compile(r"zero-?1"), Sharding.ZERO1),
    (re.compile(r"fsdp|zero-?3"), Sharding.FSDP),
    (re.compile(r"none|ddp|replicated|one gpu"), Sharding.NONE),
)
WORDS_OF_RECOMPUTATION: Final = {**{one.value: one for one in Recompute}, "recipe": None, "not stated": None}
METHODS: Final = {"lora": Method.LORA, "qlora": Method.QLORA}
MANY_STEPS: Final = 32
"""Micro-batches a step where the batch is not stated: enough to fill a pipeline."""
COLUMNS: Final = phrases(
    "model|params_b|active_params_b|kind|task|layers|hidden|gpu_model|gpus|gpus_per_node|nic_gbps|precision|sequence"
    "|global_batch|micro_batch|tp|pp|cp|ep|vp|dp|sharding|activation_checkpointing|stack"
)


@dataclass(frozen=True, slots=True)
class TrainingPoint:
    """A run as a row states it. run None: the chip or the model is not known; why says which.

    is_sharding_stated: else it is the usual one of its software.
    """

    row: int
    run: Run | None
    why: str = ""
    is_sharding_stated: bool = True


def point_of(row: Row, line: int) -> TrainingPoint:
    """The run of a row, usual values where it states none. Errors: RowError where GPUs or the GPU model lack."""
    written = row.required("gpu_model")
    gpus = row.integer("gpus")
    if not gpus:
        raise RowError("bad_number", worded("gpus is not a whole number of 1 or more"))
    chip, node = chip_of(written)
    if chip is None:
        return TrainingPoint(line, None, f"GPU model {written} is not known")
    model = _stated_model(row)
    if model is None:
        return TrainingPoint(
            line, None, f"model {row.text('model')} is not known, and params_b is not stated"
        )
    run = Run(
        model,
        chip,
        gpus,
        Layout(),
        1.0,
        row.integer("sequence") or 4096,
        _precision(row.text("precision")),
        row.word("stack", {one.value: one for one in Stack}) or Stack.TUNED,
        METHODS.get((row.text("task") or "").casefold(), Method.FULL),
        row.integer("gpus_per_node") or node,
        row.real("nic_gbps"),
    )
    text = (row.text("sharding") or "").casefold()
    sharding = next((kind for words, kind in WORDS_OF_SHARDING if words.search(text)), None)
    recompute = row.word("activation_checkpointing", WORDS_OF_RECOMPUTATION)
    run = replace(run, layout=_layout(row, run, sharding, recompute))
    copies = run.layout.data_parallel(gpus) * run.layout.micro_batch
    run = replace(run, batch=row.real("global_batch") or copies * MANY_STEPS)
    return TrainingPoint(line, run, is_sharding_stated=sharding is not None)


def _stated_model(row: Row) -> TrainedModel | None:
    """What the row states of a model before what the catalogue says of it."""
    known = model_of_catalogue(row.text("model") or "")
    billion, active = row.real("params_b"), row.real("active_params_b")
    if billion is None:
        return known
    layers, hidden = row.integer("layers"), row.integer("hidden")
    share = USUAL_EXPERT_SHARE if (row.text("kind") or "").casefold() == "moe" else None
    stated = known or TrainedModel(
        row.text("model") or "", billion * 1e9, billion * 1e9, None, None, layers, hidden, None, None, share
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
        tp,
        stated["pp"] or max(1, cut // tp),
        cp,
        stated["ep"] or 1,
        sharding or usual,
        row.real("micro_batch") or 1.0,
        recompute or Recompute.NONE,
        stated["vp"],
    )


def _reader() -> ReadRow[TrainingPoint]:
    """Rows are numbered as lines of the file, the header is 1."""
    lines = count(2)
    return lambda row: (point_of(row, next(lines)),)


POINTS: Final[TableKind[TrainingPoint]] = TableKind(
    kind="training_points",
    format="own_points",
    columns=COLUMNS,
    needed=(("model", "params_b"), ("gpu_model",), ("gpus",)),
    reader=_reader,
    key=lambda point: point.row,
)
