"""Reports of training: a run on every GPU model and number of GPUs, its network's cost, the largest models."""

from collections.abc import Callable
from math import isfinite
from operator import attrgetter
from typing import Final

from gpuplanner.domain.audit.idle_leaks import PastRun, contended_runs, idle_tail_rows, long_runs
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, answering
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.training import ELSEWHERE, PAST_RUN, TRAINING
from gpuplanner.domain.figures.typed import amount, decimals, percent, significant, whole
from gpuplanner.domain.fit.other_hardware import OtherHardware, OutOfMemory
from gpuplanner.domain.fit.rules import memory_words
from gpuplanner.domain.message import Message, Text, capital, joined, worded
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.domain.model.intake import FAILED_STATES
from gpuplanner.domain.model.trained import PRECISIONS, Method
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.report import Column, Report, fields, inside, named, of_part, of_subject, text
from gpuplanner.domain.training.choices import Asked, Choice, is_assumed, notes_of, virtual_of
from gpuplanner.domain.training.memory import Fit, largest_model
from gpuplanner.domain.training.run import Chip

READ: Final = report.TERMINAL | report.WINDOW | report.SHEET
EVERYWHERE_BUT_BRIEF: Final = READ | report.DOCUMENT_ALONE


def fits_words(fit: Fit | OtherHardware) -> Text | None:
    """The verdict on memory: amber may not fit above the card's memory. None where unknown."""
    return None if fit.light is None else memory_words(fit.light, is_held=fit.holds)


def _of_finish(path: str) -> Callable[[Choice], float | None]:
    """A column's value from the finish of a run; None where it is not known or never comes."""
    value_of = attrgetter(path)

    def value(choice: Choice) -> float | None:
        if choice.finish is None:
            return None
        number = float(value_of(choice.finish))
        return number if isfinite(number) else None

    return value


def _finish(name: str, path: str) -> Column:
    return named(name, _of_finish(path))


def build_run_column(name: str, title: Text, path: str = "") -> Column:
    """Of the finish of a run, or of the choice itself where there is no path."""
    value = _of_finish(path) if path else attrgetter(name)
    return text(name, title, value, media=report.DOCUMENT_ALONE | report.SHEET, form="count")


LAYOUT: Final = fields(
    *of_part("layout", "tp", "pp", "cp", "ep"),
    named("dp", lambda run: run.layout.data_parallel(run.gpus)),
    *of_part("layout", "sharding", "micro_batch", "recompute"),
)
MEMORY: Final = fields("state", "activations", "logits", "reserve")


REMEDY: Final = fields(
    "change", named("gpus", "run.gpus"), named("memory_gib", "memory.gib"), inside("layout", LAYOUT, "run")
)


def laid_out(choice: Choice | Fit) -> str:
    """The layout in one line: `TP 8, PP 2, ZeRO-1, full recomputation`."""
    layout, parts = choice.run.layout, ("tp", "pp", "cp", "ep")
    cuts = [f"{name.upper()} {size}" for name in parts if (size := getattr(layout, name)) > 1]
    size = f"micro-batch {layout.micro_batch:g}" if layout.micro_batch != 1 else ""
    how = "" if layout.recompute == "none" else f"{layout.recompute} recomputation"
    kept = "replicated" if layout.sharding == "none" else layout.sharding.upper().replace("ZERO", "ZeRO-")
    method = "" if choice.run.method is Method.FULL else choice.run.method.upper().replace("LORA", "LoRA")
    return ", ".join(filter(None, (*cuts, kept, size, how, method)))


def fits_or_needs(choice: Choice) -> Text | None:
    """The verdict on memory; of a run that does not fit the first change that would: GPUs, layout, adapters alone."""
    if (would := choice.remedy) is None:
        return fits_words(choice.fit)
    layout = laid_out(would)
    if would.run.gpus == choice.run.gpus:
        return worded("needs {layout}", layout=layout)
    return worded("needs {gpus} GPUs, {layout}", gpus=whole(would.run.gpus), layout=layout)


def assumed_words(choice: Choice) -> Text:
    """What stands in for a measurement of the GPU model; empty where there is one."""
    return choice.finish.step.note.rpartition(": ")[2] if choice.finish and is_assumed(choice) else ""


TRAINING_RUNS: Final = Report(
    title=worded("Training run"), key=lambda choice: f"{choice.run.chip.name}\t{choice.run.gpus}"
).with_columns(
    text("gpu_model", worded("GPU model"), "run.chip.name", form="name"),
    Column(figure=TRAINING["gpus"], value="run.gpus"),
    Column(figure=TRAINING["nodes"], media=report.DOCUMENT_ALONE | report.SHEET, value="run.nodes"),
    named("precision", "run.precision"),
    named("nic_gbps", "run.node_gbps"),
    named("rdma", "run.is_rdma"),
    inside("layout", LAYOUT, "run"),
    named("fastest_layout", lambda choice: laid_out(choice) if choice.fit.holds else None),
    Column(figure=TRAINING["memory_gib"], value="fit.memory.gib"),
    inside("memory_parts", MEMORY, "fit.memory"),
    named("fits", lambda choice: choice.fit.light.name.lower()),
    text("light", worded("Fits"), fits_or_needs, media=READ | report.BRIEF),
    text("assumed", worded("Assumed"), assumed_words, media=READ),
    _finish("step_s", "step.step_s"),
    build_run_column("network_share", worded("Waits for the network"), "step.network_share"),
    Column(
        figure=TRAINING["tokens_per_s_per_gpu"],
        media=EVERYWHERE_BUT_BRIEF,
        value=_of_finish("step.tokens_per_s_per_gpu"),
    ),
    _finish("mfu", "step.mfu"),
    Column(figure=TRAINING["whole_run_hours"], value=_of_finish("whole_hours")),
    build_run_column("whole_run_low_hours", worded("Hours, least"), "whole_low"),
    build_run_column("whole_run_high_hours", worded("Hours, most"), "whole_high"),
    build_run_column("hours", worded("Hours of\nthe steps"), "hours"),
    build_run_column("hours_low", worded("Hours, P10"), "hours_low"),
    build_run_column("hours_high", worded("Hours, P90"), "hours_high"),
    build_run_column("availability", worded("Available"), "availability.share"),
    build_run_column("checkpoint_gb", worded("Checkpoint,\nGB"), "checkpoint.gb"),
    _finish("checkpoint_stall_s", "checkpoint.stall_s"),
    build_run_column("interval_h", worded("Checkpoint\nevery, hours"), "availability.interval_h"),
    Column(figure=TRAINING["usd"]),
    build_run_column("usd_low", worded("$, P10")),
    build_run_column("usd_high", worded("$, P90")),
    named("offer_id", "offer.offer_id"),
    text("offer", worded("Cheapest way"), "offer.offer_id", media=READ),
    Column(figure=TRAINING["kwh"]),
    text("laid_out", worded("Layout"), laid_out, media=READ),
    named("meets_deadline"),
    inside("would_fit", REMEDY, "remedy"),
    named("note", lambda choice: "; ".join(map(str, notes_of(choice))) or None),
)
"""About choices of one run."""

NETWORKS: Final = Report(
    title=worded("Network cost"), key=lambda row: f"{row.gpu_model}\t{row.nic_gbps}"
).with_columns(
    text("gpu_model", worded("GPU model"), form="name"),
    Column(figure=TRAINING["nic_gbps"]),
    Column(figure=TRAINING["times"], value=lambda row: round(row.times, 3)),
    *of_subject(TRAINING, "hours", "usd", "hidden_from_tokens", media=report.EVERYWHERE),
)
"""About what networks cost a run against the best of its node."""


def _peak(precision: str) -> Column:
    """A column of the dense TFLOP/s in a precision."""
    return Column(
        figure=TRAINING[f"{precision.lower()}_tflops"], value=lambda chip: chip.tflops.get(precision)
    )


def _ports(chip: Chip) -> str | None:
    return None if chip.port_gbps is None else f"{chip.node_ports} \u00d7 {chip.port_gbps:.0f}"


CHIPS: Final = Report(title=worded("GPU models"), key=attrgetter("name")).with_columns(
    text("gpu_model", worded("GPU model"), "name", form="name"),
    *map(_peak, PRECISIONS),
    *of_subject(TRAINING, "flop_per_byte", "link_gb_per_s", media=report.EVERYWHERE),
    text("ports", worded("Ports\nGb/s"), _ports, READ, "count"),
    *fields("memory_gb", "bandwidth_tb_per_s", "node_ports", "port_gbps"),
    text("source", worded("Source"), media=report.SHEET | report.DOCUMENT_ALONE),
)
"""About chips: compute, compute to memory bandwidth, links in a node and ports out of it."""


def _billions(row: Choice) -> float | None:
    parameters = largest_model(row.run)
    return None if parameters is None else parameters / 1e9


LARGEST_MODELS: Final = Report(
    title=worded("The largest model they train"), key=TRAINING_RUNS.key
).with_columns(
    TRAINING_RUNS.column("gpu_model"),
    TRAINING_RUNS.column("gpus"),
    text("params_b", capital(worded("billion parameters")), _billions, form="count"),
)
"""About the largest usual dense models that the GPUs of choices train."""

BEST: Final = fields(named("gpu_model", "run.chip.name"), named("gpus", "run.gpus"))
LARGEST: Final = fields(*BEST, named("params_b", _billions))
NETWORK_COST: Final = fields("gpu_model", "nic_gbps", "times", "hours", "usd", "hidden_from_tokens")
VIRTUAL: Final = fields("hours_low", "hours_high", "usd_low", "usd_high")


def sentences_of(choice: Choice, asked: Asked) -> tuple[Message, ...]:
    """Hours of the steps and of the whole run, checkpoints, and virtual machines where the planner states a range."""
    finish, virtual = choice.finish, virtual_of(choice, asked)
    if finish is None:
        return ()
    of_all = worded(
        "Its steps take {hours} h; with evaluation, restarts, stalls and data loading {whole} h ({low} to "
        "{high}).",
        hours=decimals(finish.hours),
        whole=decimals(finish.whole_hours),
        low=decimals(finish.whole_low),
        high=decimals(finish.whole_high),
    )
    checkpoint = worded(
        "A checkpoint of {gb} GB takes {stall} s at {storage} GB/s. Best interval: {every} h; "
        "{share} of hours compute.",
        gb=decimals(finish.checkpoint.gb),
        stall=decimals(finish.checkpoint.stall_s),
        storage=significant(asked.storage_gb_per_s),
        every=decimals(finish.availability.interval_h),
        share=percent(max(0.0, finish.availability.share), 1),
    )
    own = (joined((asked.own_words, ".")),) if asked.own_words else ()
    sentences = (checkpoint,) if asked.measured or not isfinite(finish.hours) else (of_all, *own, checkpoint)
    if virtual is None or asked.virtual is None:
        return sentences
    low, high = (percent(share, 1) for share in asked.virtual)
    slower = [worded("{low} to {high} h", low=decimals(virtual.hours_low), high=decimals(virtual.hours_high))]
    if virtual.usd_low is not None and virtual.usd_high is not None:
        dollars = {"low": amount(virtual.usd_low), "high": amount(virtual.usd_high)}
        slower.append(worded("{low} to {high} more", **dollars))
    words = worded(
        "On virtual machines, by your range {low} to {high} slower: {hours}.",
        low=low,
        high=high,
        hours=joined(slower, ", "),
    )
    return *sentences, words


# --- What sharing did to the training runs of the log

ROWS: Final = {report.Medium.WINDOW: 500, report.Medium.TERMINAL: 20}


def _has_failed(row: PastRun) -> bool:
    return row.state in FAILED_STATES


def _ended(row: PastRun) -> Text:
    """Failed, or how it ended; that it took longer where it did."""
    if _has_failed(row):
        return worded("Failed")
    if (row.figures["longer_share"] or 0.0) > 0:
        return worded("Took longer")
    return "" if row.state in ("", "COMPLETED") else row.state.capitalize()


def _of_past(
    name: str,
    title: Message,
    rows: Callable[..., list[PastRun]],
    began: Text,
    note: Message,
    *columns: Column,
) -> Report:
    """About a past: runs by name, with their team and start."""
    return Report(
        title=title,
        rows=rows,
        key=lambda row: f"{row.workload.cluster}\t{row.run}\t{row.start_s}",
        scope=name,
        note=note,
        media=EVERYWHERE_BUT_BRIEF,
        limits=ROWS,
    ).with_columns(
        named("key", lambda row: row.workload.key or None),
        Column(key="name", title=worded("Run of"), form="name", value=lambda row: row.workload.name or None),
        Column(key="run", title=worded("Job"), value=lambda row: row.run or None),
        Column(key="team", title=worded("Team"), value=lambda row: row.workload.owner or CALLED_NOBODY),
        Column(key="cluster", title=worded("Cluster"), value="workload.cluster"),
        Column(key="start", title=began, form="date", value="start_s"),
        *columns,
    )


TAIL: Final = answering("tail", LEAK["gpu_hours"], LEAK["leaked_per_month"])
OF_PAST_RUNS: Final = {
    "contended_runs": _of_past(
        "contended_runs",
        worded("Training runs in hours over capacity"),
        contended_runs,
        worded("Start"),
        worded("Against the median of completed runs on as many GPUs outside hours over capacity."),
        *(Column(figure=PAST_RUN[key]) for key in ("gpus", "hours", "contended_hours", "usual_hours")),
        Column(
            figure=PAST_RUN["longer_share"],
            value=lambda row: None if _has_failed(row) else row.figures["longer_share"],
        ),
        named("state", lambda row: row.state or None),
        named("is_failed", _has_failed),
        Column(key="ended", title=worded("Ended"), media=READ, value=_ended),
    ),
    "idle_tails": _of_past(
        "idle_tails",
        worded("Idle after each training run"),
        idle_tail_rows,
        capital(worded("stopped")),
        worded("Together: the leak Idle after training."),
        Column(figure=PAST_RUN["idle_hours"]),
        Column(figure=TAIL[0], is_in_full=True),
        Column(figure=TAIL[1]),
    ),
    "long_runs": _of_past(
        "long_runs",
        worded("Training runs over a day"),
        long_runs,
        worded("Start"),
        worded("By share of GPU-hours on commitments; others ran on demand or without a contract."),
        *(Column(figure=PAST_RUN[key]) for key in ("gpus", "hours", "committed_share")),
    ),
}
"""Of a past, by their names in documents."""


# --- Other GPU models for the workloads of a log, and what ran out of memory


def _row_key(row: OtherHardware | OutOfMemory | SpotAdvice) -> str:
    return f"{row.key}\t{row.gpu_model}"


WORKLOAD: Final = Column(key="key", title=worded("Workload"), media=report.TERMINAL | report.SHEET)
GPU_MODEL: Final = Column(key="gpu_model", title=worded("GPU model"), form="name")


OTHER_HARDWARE: Final = Report(
    title=worded("Other GPU models"),
    rows=lambda fits: [row for fit in fits for row in fit.elsewhere()],
    key=_row_key,
    limits=ROWS,
).with_columns(
    WORKLOAD,
    GPU_MODEL,
    *of_subject(ELSEWHERE, "run_hours", "gpu_hours_per_month", media=report.EVERYWHERE),
    *of_subject(ELSEWHERE, "cost_per_month", "worth_below", media=report.EVERYWHERE),
    Column(figure=ELSEWHERE["ratio"], media=READ, value=lambda row: round(row.ratio, 3)),
    named("ratio"),
    *of_subject(ELSEWHERE, "low", "high", media=report.SHEET | report.DOCUMENT_ALONE),
    named("fits", lambda row: None if row.light is None else row.light.name.lower()),
    Column(key="memory", title=titles.MEMORY, media=READ, value=fits_words),
    named("offer_id"),
    text("source", worded("Stands on"), media=EVERYWHERE_BUT_BRIEF),
    Column(key="map_model", title="--map-model", media=report.SHEET | report.DOCUMENT_ALONE),
)
"""About fits of workloads: each on every GPU model of which it is known how fast it is there, fewest $ first."""

OUT_OF_MEMORY: Final = Report(
    title=worded("Jobs that ran out of memory"),
    rows=lambda fits: [row for fit in fits for row in fit.ran_out],
    key=_row_key,
    limits=ROWS,
).with_columns(
    WORKLOAD,
    GPU_MODEL,
    *of_subject(ELSEWHERE, "jobs", "gpu_hours", "memory_gb", "needs_gib", media=report.EVERYWHERE),
    text("held_by", worded("Would have fitted"), lambda row: ", ".join(row.would_hold), READ),
    named("would_hold", lambda row: list(row.would_hold)),
)
"""About fits of workloads; what a GPU needs is unknown where the model is."""

ON_SPOT: Final = (
    Figure(key="longest_job_hours", title=worded("Longest run"), unit=writing.RUN_HOURS),
    Figure(key="run_hours", title=worded("Duration on spot"), unit=writing.RUN_HOURS),
    Figure(key="best_lost_share", title=titles.LOST_ON_SPOT, unit=writing.SHARE),
    Figure(key="run_usd", title=worded("Cost on spot"), unit=writing.MONEY_IN_ALL),
    Figure(key="run_usd_on_demand", title=worded("Cost on demand"), unit=writing.MONEY_IN_ALL),
)
SPOT_RUNS: Final = Report(
    title=worded("Long training on spot and on demand"),
    rows=lambda outlook: (
        [] if outlook is None else [spot for spot in outlook.spot if spot.barrier is not None]
    ),
    key=_row_key,
    limits=ROWS,
).with_columns(WORKLOAD, GPU_MODEL, *(Column(figure=figure, media=READ) for figure in ON_SPOT))
"""About an outlook: training that its length keeps off spot, there at its best checkpoint interval."""
