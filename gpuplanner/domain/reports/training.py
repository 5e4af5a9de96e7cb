"""Reports of training: a run on every GPU model and number of GPUs, its network's cost, the largest models."""

from collections.abc import Callable, Mapping
from math import isfinite
from operator import attrgetter
from typing import Final

from gpuplanner.domain.figures.training import TRAINING
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.report import (
    BRIEF,
    DOCUMENT_ALONE,
    SHEET,
    TERMINAL,
    WINDOW,
    Column,
    Report,
    fields,
    inside,
    named,
    of_part,
    text,
)
from gpuplanner.domain.training.choices import Choice, LargestModel, note_of

READ: Final = TERMINAL | WINDOW | SHEET
EVERYWHERE_BUT_BRIEF: Final = READ | DOCUMENT_ALONE

LIGHTS: Final[Mapping[str, Text]] = {
    "green": worded("fits"),
    "amber": worded("fits barely"),
    "red": worded("does not fit"),
}


def _light(choice: Choice) -> str:
    return choice.fit.light.name.lower()


def _of_finish(path: str) -> Callable[[Choice], float | None]:
    """A column's value from the finish of a run; None where it is not known or never comes."""
    found = attrgetter(path)

    def value(choice: Choice) -> float | None:
        if choice.finish is None:
            return None
        number = float(found(choice.finish))
        return number if isfinite(number) else None

    return value


def _finish(name: str, path: str) -> Column:
    return named(name, _of_finish(path))


def _on_sheet(name: str, title: Text, path: str = "") -> Column:
    """Of the finish of a run, or of the choice itself where there is no path."""
    value = _of_finish(path) if path else attrgetter(name)
    return text(name, title, value, media=DOCUMENT_ALONE | SHEET, form="count")


LAYOUT: Final = fields(
    *of_part("layout", "tp", "pp", "cp", "ep"),
    named("dp", lambda run: run.layout.data_parallel(run.gpus)),
    *of_part("layout", "sharding", "micro_batch", "recompute"),
)
MEMORY: Final = fields("state", "activations", "logits", "reserve")


REMEDY: Final = fields(
    "change", named("gpus", "run.gpus"), named("memory_gib", "memory.gib"), inside("layout", LAYOUT, "run")
)


def _laid_out(choice: Choice) -> Text:
    """As far as it is not one copy on every GPU."""
    layout = choice.run.layout
    cuts = ", ".join(
        f"{name.upper()} {size}" for name in ("tp", "pp", "cp", "ep") if (size := getattr(layout, name)) > 1
    )
    return ", ".join(filter(None, (str(layout.sharding).upper(), cuts, _recomputed(str(layout.recompute)))))


def _recomputed(how: str) -> str:
    return "" if how == "none" else f"{how} recomputation"


TRAINING_RUNS: Final = Report(
    title=worded("Training run"),
    key=lambda choice: f"{choice.run.chip.name}\t{choice.run.gpus}",
    columns=(
        text("gpu_model", worded("GPU model"), attrgetter("run.chip.name"), form="name"),
        Column(TRAINING["gpus"], value=attrgetter("run.gpus")),
        Column(TRAINING["nodes"], media=DOCUMENT_ALONE | SHEET, value=attrgetter("run.nodes")),
        named("precision", "run.precision"),
        named("nic_gbps", "run.node_gbps"),
        named("rdma", "run.is_rdma"),
        inside("layout", LAYOUT, "run"),
        text("laid_out", worded("Layout"), _laid_out, media=SHEET | WINDOW),
        Column(TRAINING["memory_gib"], value=attrgetter("fit.memory.gib")),
        inside("memory_parts", MEMORY, "fit.memory"),
        named("fits", _light),
        text("light", worded("Fits"), lambda choice: LIGHTS[_light(choice)], media=READ | BRIEF),
        _finish("step_s", "step.step_s"),
        _on_sheet("network_share", worded("Waits for the network"), "step.network_share"),
        Column(
            TRAINING["tokens_per_s_per_gpu"],
            media=EVERYWHERE_BUT_BRIEF,
            value=_of_finish("step.tokens_per_s_per_gpu"),
        ),
        _finish("mfu", "step.mfu"),
        Column(TRAINING["hours"], value=_of_finish("hours")),
        _on_sheet("hours_low", worded("Hours, P10"), "hours_low"),
        _on_sheet("hours_high", worded("Hours, P90"), "hours_high"),
        _on_sheet("availability", worded("Available"), "availability.share"),
        _on_sheet("checkpoint_gb", worded("Checkpoint,\nGB"), "checkpoint.gb"),
        _finish("checkpoint_stall_s", "checkpoint.stall_s"),
        _on_sheet("interval_h", worded("Checkpoint\nevery, hours"), "availability.interval_h"),
        Column(TRAINING["usd"]),
        _on_sheet("usd_low", worded("$, P10")),
        _on_sheet("usd_high", worded("$, P90")),
        Column(TRAINING["kwh"]),
        named("offer_id", lambda choice: None if choice.offer is None else choice.offer.offer_id),
        text(
            "offer",
            worded("Cheapest way"),
            lambda choice: None if choice.offer is None else choice.offer.offer_id,
            media=READ,
        ),
        named("meets_deadline"),
        inside("would_fit", REMEDY, "remedy"),
        named("note", lambda choice: str(note_of(choice)) or None),
    ),
)
"""About choices of one run."""

NETWORKS: Final = Report(
    title=worded("What the network costs"),
    key=lambda row: f"{row.gpu_model}\t{row.nic_gbps}",
    columns=(
        text("gpu_model", worded("GPU model"), form="name"),
        Column(TRAINING["nic_gbps"]),
        Column(TRAINING["hours"]),
        Column(TRAINING["usd"]),
    ),
)
"""About what networks cost a run against the best of its node."""


def _billions(row: LargestModel) -> float | None:
    return None if row.parameters is None else row.parameters / 1e9


LARGEST_MODELS: Final = Report(
    title=worded("The largest model that they train"),
    key=lambda row: f"{row.gpu_model}\t{row.gpus}",
    columns=(
        text("gpu_model", worded("GPU model"), form="name"),
        Column(TRAINING["gpus"]),
        text("params_b", worded("Billion parameters"), _billions, form="count"),
    ),
)
"""About the largest usual dense models that GPUs train."""

BEST: Final = fields(named("gpu_model", "run.chip.name"), named("gpus", "run.gpus"))
LARGEST: Final = fields("gpu_model", "gpus", named("params_b", _billions))
NETWORK_COST: Final = fields("gpu_model", "nic_gbps", "hours", "usd")
