"""Hardware fit as rows: workloads and their needs."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.fit.fit_rows import FitRow
from gpuplanner.domain.fit.rules import TRAINING_MEMORY_WISHED_GB, Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.hardware_needs import NeedValue
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.tables.network_words import NETWORKS
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.cards.details import LIGHTS
from gpuplanner.ui.kit.type_scale import base_font, text_width
from gpuplanner.ui.tables.cells import Cell, Filled, written
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

WIDE_FROM: Final = 410
"""Pixels from which headings of lights are not parted: below, names of workloads need the room."""


def fit_columns(
    is_wide: bool, names: Mapping[str, Text], usd: Mapping[str, float | None]
) -> tuple[Filled[WorkloadFit], ...]:
    """Class and name of a workload, a light as wide as its heading for each need, $ a month; by the workload's key."""

    def light(title: str, *needs: str) -> Filled[WorkloadFit]:
        width = max(text_width(line, base_font("small")) for line in title.split("\n")) + 12
        return Filled(title=title, is_figure=False, width=width, cell=lambda fit: _first_light(fit, needs))

    return (
        Filled(title="Workload", is_figure=False, cell=lambda fit: _name_cell(fit, names[fit.key])),
        light(tr("Memory") if is_wide else tr("Mem-\nory"), "memory", "model_memory"),
        light(tr("Network") if is_wide else tr("Net-\nwork"), "interconnect", "training_grade"),
        light(tr("Bare\nmetal"), "bare_metal"),
        light(tr("Alone,\nterm"), "own_cluster", "term"),
        Filled(
            title="$ per\nmonth",
            is_figure=True,
            width=60,
            cell=lambda fit: _cost_cell(fit.key, usd.get(fit.key)),
        ),
    )


@dataclass(frozen=True, slots=True)
class FitFilter:
    """Which workloads are listed: lights (None among them: unknown) and classes."""

    lights: frozenset[Light | None] = frozenset((Light.RED, Light.AMBER))
    pools: frozenset[Pool] = frozenset(Pool)


def filtered_fits(
    fits: Sequence[WorkloadFit], usd: Mapping[str, float | None], chosen: FitFilter
) -> list[WorkloadFit]:
    """The workloads of a filter, most expensive first; those of unknown cost last."""
    kept = [fit for fit in fits if fit.light in chosen.lights and fit.pool in chosen.pools]

    def cost(fit: WorkloadFit) -> tuple[bool, float]:
        own = usd.get(fit.key)
        return own is None, -(own or 0.0)

    return sorted(kept, key=cost)


def _name_cell(fit: WorkloadFit, name: Text) -> Cell:
    lane = lane_of(fit.pool)
    tip = f"{spoken(name)}\n{lane.title}: {spoken(fit.reasons) or tr('nothing amiss')}"
    return Cell(text=name, icon=lane.icon, tip=tip)


def _first_light(fit: WorkloadFit, needs: Sequence[str]) -> Cell:
    """The light of the first of these needs that a workload has."""
    by_need = {row.need: row for row in fit.rows}
    return next((light_cell(by_need[need]) for need in needs if need in by_need), Cell())


def _cost_cell(key: str, usd: float | None) -> Cell:
    tip = "" if usd is not None else tr("a rate is missing: see Contracts")
    return written(numbers.whole, usd, tip=tip, figure_id=figure("workload_cost", key))


def light_cell(row: FitRow) -> Cell:
    """A light as an icon, in words for who does not see it; unknown is a dash."""
    words = tr("{has}, needs {needs}", has=has_words(row), needs=needs_words(row))
    if row.light is None:
        source = sentence(row.source_words)
        tip = tr("Unknown. {words}. {source_words}.", words=words, source_words=source)
        return Cell(text=numbers.UNKNOWN, role="muted", tip=tip)
    icon, role, word = LIGHTS[row.light]
    tip = tr("{title}: {value}", title=word, value=spoken(row.reason) or words)
    return Cell(icon=icon, icon_role=role, tip=tip)


def has_words(row: FitRow) -> str:
    """What the hardware has, in words with its unit."""
    if row.has is None and row.need == "term" and row.light is Light.AMBER:
        return tr("no end")
    return value_words(row.need, row.has)


def needs_words(row: FitRow) -> str:
    """What is needed, in words with its unit."""
    if row.needs is None:
        return numbers.UNKNOWN if row.source == "unknown" else tr("none")
    if row.need == "own_cluster":
        return tr("its own") if row.needs else tr("any")
    if row.need == "memory" and row.source == "rule":
        return tr("80 GB ({need} recommended)", need=value_words(row.need, TRAINING_MEMORY_WISHED_GB))
    return value_words(row.need, row.needs)


def value_words(need: str, value: NeedValue) -> str:
    """A value of a row of the table, with its unit."""
    if value is None:
        return tr("not stated")
    if isinstance(value, bool):
        if value:
            return tr("bare metal")
        if need == "bare_metal":
            return tr("virtual")
        return tr("no")
    if isinstance(value, Message | str):
        return spoken(NETWORKS[str(value)]) if value in NETWORKS else tr(value)
    return (
        f"{numbers.whole(value)} h" if need == "term" else tr("{usable_gb} GB", usable_gb=numbers.gpus(value))
    )


def counts_by_light(fits: Sequence[WorkloadFit]) -> dict[Light | None, int]:
    """How many workloads have each light."""
    counts: dict[Light | None, int] = {Light.RED: 0, Light.AMBER: 0, Light.GREEN: 0, None: 0}
    for fit in fits:
        counts[fit.light] += 1
    return counts
