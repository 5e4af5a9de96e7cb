"""Training runs as rows and sentences: GPUs, hours, $, memory, networks."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Final

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.reports import training
from gpuplanner.domain.reports.training import fits_words
from gpuplanner.domain.training.answer import OnCluster, name_of
from gpuplanner.domain.training.choices import Choice, notes_of
from gpuplanner.domain.training.memory import Fit, largest_model
from gpuplanner.ui.cards.details import LIGHTS
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.words import numbers

TIMES: Final = "\u00d7"
CHOICE_COLUMNS: Final = (
    Column(title=worded("GPUs"), is_figure=False),
    Column(title=worded("Hours")),
    Column(title=worded("$ in all")),
    Column(title=worded("kWh")),
)
CLUSTER_COLUMNS: Final = (
    Column(title=worded("Cluster"), is_figure=False),
    Column(title=worded("GPUs")),
    Column(title=worded("Hours")),
    Column(title=worded("Largest model,\nbillions")),
)


def short_hours(hours: float) -> str:
    """Whole hours; of few of them tenths."""
    return numbers.one_decimal(hours) if hours < 10 else numbers.whole(hours)


def gpus_words(choice: Choice) -> str:
    """64 x H100, with a true times sign, and what stands in for a measurement of it."""
    assumed = f" ({spoken(training.assumed_words(choice))})" if training.assumed_words(choice) else ""
    return f"{numbers.whole(choice.run.gpus)} {TIMES} {name_of(choice)}{assumed}"


def band_words(choice: Choice) -> str:
    """812 h (682 to 1,028); what is said where it never ends or is not known."""
    if (finish := choice.finish) is None or not isfinite(finish.hours):
        return sentence(choice.why)
    hours, low, high = map(short_hours, (finish.whole_hours, finish.whole_low, finish.whole_high))
    return tr("{hours} h ({low} to {high})", hours=hours, low=low, high=high)


def headline_words(choice: Choice) -> str:
    """64 x H100: 812 h (682 to 1,028), $143,000; or that it does not fit."""
    if not choice.fit.holds:
        return tr("{title}: {value}", title=gpus_words(choice), value=spoken(fits_words(choice.fit) or ""))
    usd = tr("no price") if choice.usd is None else numbers.dollars(choice.usd)
    return tr("{gpus}: {band}, {usd}", gpus=gpus_words(choice), band=band_words(choice), usd=usd)


def money_words(choice: Choice) -> str:
    """How it is paid for, its range, its energy and the deadline."""
    parts = []
    if choice.offer is not None and choice.usd is not None:
        months = choice.offer.term_months
        how = term_words(months) if months else worded("on demand")
        parts.append(tr("{first}, {second}", first=choice.offer.offer_id, second=spoken(how)))
        if choice.usd_low is not None and choice.usd_high is not None:
            low, high = numbers.dollars(choice.usd_low), numbers.dollars(choice.usd_high)
            parts.append(tr("{low} to {high}", low=low, high=high))
    run = choice.run
    if run.nodes > 1 and run.node_gbps is not None:
        gbps = numbers.whole(run.node_gbps)
        of_tcp = tr("{gbps} Gb/s per node, plain TCP", gbps=gbps)
        parts.append(tr("{gbps} Gb/s per node", gbps=gbps) if run.is_rdma else of_tcp)
    if choice.kwh is not None:
        parts.append(tr("{kwh} kWh", kwh=numbers.whole(choice.kwh)))
    if choice.meets_deadline is not None:
        parts.append(tr("meets the deadline") if choice.meets_deadline else tr("too late for the deadline"))
    return numbers.MIDDOT.join(parts)


def memory_words(choice: Choice) -> str:
    """Fits: 52.0 GiB of 80 GB a GPU: state 18.2, ...; and where an efficiency is borrowed from."""
    memory = choice.fit.memory
    parts = (memory.state, memory.activations, memory.logits)
    state, activations, logits = map(numbers.one_decimal, parts)
    said = tr(
        "{word}: {gib} GiB of {card} GB per GPU. State {state}, activations {activations}, logits {logits}, "
        "reserve {reserve}.",
        word=numbers.capital(spoken(fits_words(choice.fit) or "")),
        gib=numbers.one_decimal(memory.gib),
        card=numbers.whole(choice.run.chip.memory_gb),
        state=state,
        activations=activations,
        logits=logits,
        reserve=numbers.one_decimal(memory.reserve),
    )
    layout = tr("Layout: {layout}.", layout=training.laid_out(choice))
    return "\n".join((said, layout, *(f"{sentence(note)}." for note in notes_of(choice))))


def trains_words(choice: Choice) -> str:
    """What else these GPUs would train; empty for nothing."""
    if (largest := largest_model(choice.run)) is None:
        return ""
    return tr("These GPUs train up to {billions} billion parameters.", billions=_billions(largest))


def _billions(parameters: float) -> str:
    return numbers.significant(parameters / 1e9, 3)


def remedy_words(remedy: Fit | None) -> str:
    """What would fit; empty where it fits or nothing does."""
    if remedy is None:
        return ""
    gpus, gib = numbers.whole(remedy.run.gpus), numbers.one_decimal(remedy.memory.gib)
    layout = training.laid_out(remedy)
    return tr("Fits on {gpus} GPUs with {layout}: {gib} GiB per GPU.", gpus=gpus, layout=layout, gib=gib)


def choice_rows(choices: Mapping[str, Choice]) -> list[Row]:
    """One row a GPU model, by its name."""
    return [Row(_choice_cells(choice), key=name) for name, choice in choices.items()]


def _choice_cells(choice: Choice) -> tuple[Cell, ...]:
    name, role, _ = LIGHTS[choice.fit.light]
    tip = "\n".join(filter(None, (memory_words(choice), remedy_words(choice.remedy))))
    is_late = choice.meets_deadline is False
    return (
        Cell(text=gpus_words(choice), icon=name, icon_role=role, is_strong=not is_late, tip=tip),
        _hours_cell(choice),
        _of(choice.usd, money_words(choice) or tr("no price for so many GPUs")),
        _of(choice.kwh, tr("its power is not known") if choice.kwh is None else ""),
    )


def _hours_cell(choice: Choice) -> Cell:
    if (finish := choice.finish) is None or not isfinite(finish.hours):
        return Cell(text=numbers.UNKNOWN, tip=band_words(choice))
    role = "red" if choice.meets_deadline is False else "text"
    return Cell(
        text=short_hours(finish.whole_hours), role=role, tip=band_words(choice), value=finish.whole_hours
    )


def _of(value: float | None, tip: Text = "") -> Cell:
    return written(numbers.whole, value, tip=tip)


def cluster_rows(clusters: Sequence[OnCluster]) -> list[Row]:
    """The run on each cluster that is there, and the largest model that it trains."""
    rows = []
    for cluster in clusters:
        (name, role, _), largest = LIGHTS[cluster.choice.fit.light], cluster.parameters
        cells = (
            Cell(text=cluster.cluster, icon=name, icon_role=role, tip=memory_words(cluster.choice)),
            Cell(text=gpus_words(cluster.choice)),
            _hours_cell(cluster.choice),
            Cell(text=numbers.UNKNOWN if largest is None else _billions(largest), value=largest),
        )
        rows.append(Row(cells))
    return rows
