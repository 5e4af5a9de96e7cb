"""Training runs as rows of tables and sentences: GPUs, hours with their band, $, memory, networks, clusters."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Final

from gpuplanner.charts.kit.plain_text import sentence, spoken, tr
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.reports.training import LIGHTS as FITS
from gpuplanner.domain.training.answer import OnCluster, name_of
from gpuplanner.domain.training.choices import Choice, note_of
from gpuplanner.domain.training.memory import FRAGMENTATION, Fit, largest_model
from gpuplanner.ui.panels.today.hardware_rows import LIGHTS
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.words import numbers

TIMES: Final = "\u00d7"
CHOICE_COLUMNS: Final = (
    Column(worded("GPUs"), is_figure=False),
    Column(worded("Hours")),
    Column(worded("$ in all")),
    Column(worded("kWh")),
)
CLUSTER_COLUMNS: Final = (
    Column(worded("Cluster"), is_figure=False),
    Column(worded("GPUs")),
    Column(worded("Hours")),
    Column(worded("Largest model,\nbillions")),
)


def short_hours(hours: float) -> str:
    """Whole hours; of few of them tenths."""
    return numbers.one_decimal(hours) if hours < 10 else numbers.whole(hours)


def gpus_words(choice: Choice) -> str:
    """64 x H100, with a true times sign."""
    return f"{numbers.whole(choice.run.gpus)} {TIMES} {name_of(choice)}"


def band_words(choice: Choice) -> str:
    """812 h (682 to 1,028); what is said where it never ends or is not known."""
    finish = choice.finish
    if finish is None:
        return sentence(choice.why) or tr("Hours unknown")
    if not isfinite(finish.hours):
        return tr("failures leave no headway")
    return tr(
        "{hours} h ({low} to {high})",
        hours=short_hours(finish.hours),
        low=short_hours(finish.hours_low),
        high=short_hours(finish.hours_high),
    )


def headline_words(choice: Choice) -> str:
    """64 x H100: 812 h (682 to 1,028), $143,000; or that it does not fit."""
    if choice.fit.light is Light.RED:
        return tr("{gpus}: does not fit", gpus=gpus_words(choice))
    usd = tr("no price") if choice.usd is None else numbers.dollars(choice.usd)
    return tr("{gpus}: {band}, {usd}", gpus=gpus_words(choice), band=band_words(choice), usd=usd)


def money_words(choice: Choice) -> str:
    """How it is paid for, its range, its energy and the deadline."""
    parts = []
    if choice.offer is not None and choice.usd is not None:
        months = choice.offer.term_months
        how = term_words(months) if months else worded("by the hour")
        parts.append(tr("{offer}, {how}", offer=choice.offer.offer_id, how=spoken(how)))
        if choice.usd_low is not None and choice.usd_high is not None:
            parts.append(
                tr(
                    "{low} to {high}",
                    low=numbers.dollars(choice.usd_low),
                    high=numbers.dollars(choice.usd_high),
                )
            )
    run = choice.run
    if run.nodes > 1 and run.node_gbps is not None:
        gbps = numbers.whole(run.node_gbps)
        of_tcp = tr("{gbps} Gb/s a node, plain TCP", gbps=gbps)
        parts.append(tr("{gbps} Gb/s a node", gbps=gbps) if run.is_rdma else of_tcp)
    if choice.kwh is not None:
        parts.append(tr("{kwh} kWh", kwh=numbers.whole(choice.kwh)))
    if choice.meets_deadline is not None:
        parts.append(tr("keeps the deadline") if choice.meets_deadline else tr("too late for the deadline"))
    return numbers.MIDDOT.join(parts)


def memory_words(choice: Choice) -> str:
    """Fits: 52.0 GiB of 80 GB a GPU: state 18.2, ...; and where an efficiency is borrowed from."""
    memory, note = choice.fit.memory, note_of(choice)
    parts = (memory.state, memory.activations, memory.logits)
    state, activations, logits = (numbers.one_decimal(FRAGMENTATION * part) for part in parts)
    said = tr(
        "{word}: {gib} GiB of {card} GB a GPU. State {state}, activations {activations}, logits {logits}, "
        "reserve {reserve}.",
        word=numbers.capital(spoken(FITS[choice.fit.light.name.lower()])),
        gib=numbers.one_decimal(memory.gib),
        card=numbers.whole(choice.run.chip.memory_gb),
        state=state,
        activations=activations,
        logits=logits,
        reserve=numbers.one_decimal(memory.reserve),
    )
    return f"{said}\n{sentence(note)}." if note else said


def trains_words(choice: Choice) -> str:
    """What else these GPUs would train; empty for nothing."""
    largest = largest_model(choice.run)
    if largest is None:
        return ""
    return tr("These GPUs train up to {billions} billion parameters.", billions=_billions(largest))


def _billions(parameters: float) -> str:
    return numbers.significant(parameters / 1e9, 3)


def remedy_words(remedy: Fit | None) -> str:
    """What would fit; empty where it fits or nothing does."""
    if remedy is None:
        return ""
    run, gib = remedy.run, numbers.one_decimal(remedy.memory.gib)
    gpus, tp, pp = numbers.whole(run.gpus), run.layout.tp, run.layout.pp
    match remedy.change:
        case "full_recomputation":
            return tr("It fits with full recomputation: {gib} GiB a GPU.", gib=gib)
        case "more_gpus":
            return tr("It fits on {gpus} GPUs: {gib} GiB a GPU.", gpus=gpus, gib=gib)
        case "tensor_parallel_8":
            return tr("It fits with layers cut over {tp} GPUs: {gib} GiB a GPU.", tp=tp, gib=gib)
        case "pipeline":
            return tr("It fits in {pp} stages of {tp} GPUs: {gib} GiB a GPU.", pp=pp, tp=tp, gib=gib)
    return tr("It fits as LoRA, where the model itself does not learn: {gib} GiB a GPU.", gib=gib)


def choice_rows(choices: Mapping[str, Choice]) -> list[Row]:
    """One row a GPU model, by its name."""
    return [Row(_choice_cells(one), key=name) for name, one in choices.items()]


def _choice_cells(choice: Choice) -> tuple[Cell, ...]:
    name, role, _ = LIGHTS[choice.fit.light]
    tip = "\n".join(filter(None, (memory_words(choice), remedy_words(choice.remedy))))
    is_late = choice.meets_deadline is False
    return (
        Cell(gpus_words(choice), icon=name, icon_role=role, is_strong=not is_late, tip=tip),
        _hours_cell(choice),
        _of(choice.usd, money_words(choice) or tr("no price for so many GPUs")),
        _of(choice.kwh, tr("its power is not known") if choice.kwh is None else ""),
    )


def _hours_cell(choice: Choice) -> Cell:
    finish = choice.finish
    if finish is None or not isfinite(finish.hours):
        return Cell(numbers.UNKNOWN, tip=band_words(choice))
    role = "red" if choice.meets_deadline is False else "text"
    return Cell(short_hours(finish.hours), role, tip=band_words(choice), value=finish.hours)


def _of(value: float | None, tip: Text = "") -> Cell:
    return written(numbers.whole, value, tip=tip)


def cluster_rows(clusters: Sequence[OnCluster]) -> list[Row]:
    """The run on each cluster that is there, and the largest model that it trains."""
    rows = []
    for one in clusters:
        (name, role, _), largest = LIGHTS[one.choice.fit.light], one.parameters
        cells = (
            Cell(one.cluster, icon=name, icon_role=role, tip=memory_words(one.choice)),
            Cell(gpus_words(one.choice)),
            _hours_cell(one.choice),
            Cell(numbers.UNKNOWN if largest is None else _billions(largest), value=largest),
        )
        rows.append(Row(cells))
    return rows
