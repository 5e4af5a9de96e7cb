"""Hardware fit as rows of tables: workloads beside what they need, a run on two networks, offers and why not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.charts.kit.plain_text import sentence, spoken, tr
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.evidence.workloads import network_subject
from gpuplanner.domain.fit.network_cost import NetworkCost, OnNetwork
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import FitRow, OfferFit, WorkloadFit
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.project import NeedValue
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.kit.theme import base_font, text_width
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, written
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

LIGHTS: Final = {
    Light.RED: ("octagon", "red", worded("Does not fit")),
    Light.AMBER: ("triangle", "amber", worded("Fits at a cost")),
    Light.GREEN: ("tick", "green", worded("Fits")),
}
"""Light -> its icon, its palette role, its word."""

INTERCONNECT_WORDS: Final[Mapping[str, Text]] = {
    "infiniband": "InfiniBand",
    "nvlink": "NVLink",
    "roce_400": worded("RoCE 400 Gb/s"),
    "roce": "RoCE",
    "ethernet": worded("Ethernet"),
}


WIDE_FROM: Final = 410
"""Pixels from which headings of lights are not parted: below, names of workloads need the room."""


def fit_columns(
    is_wide: bool, names: Mapping[str, Text], usd: Mapping[str, float | None]
) -> tuple[Filled[WorkloadFit], ...]:
    """Class and name of a workload, a light as wide as its heading for each need, $ a month; by the workload's key."""

    def light(title: str, *needs: str) -> Filled[WorkloadFit]:
        width = max(text_width(line, base_font("small")) for line in title.split("\n")) + 12
        return Filled(title, False, width, cell=lambda fit: _first_light(fit, needs))

    return (
        Filled("Workload", False, cell=lambda fit: _name_cell(fit, names[fit.key])),
        light(tr("Memory") if is_wide else tr("Mem-\nory"), "memory", "model_memory"),
        light(tr("Network") if is_wide else tr("Net-\nwork"), "interconnect", "training_grade"),
        light(tr("Bare\nmetal"), "bare_metal"),
        light(tr("Alone,\nterm"), "own_cluster", "term"),
        Filled("$ per\nmonth", True, 60, cell=lambda fit: _cost_cell(fit.key, usd.get(fit.key))),
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
    return Cell(name, icon=lane.icon, tip=tip)


def _first_light(fit: WorkloadFit, needs: Sequence[str]) -> Cell:
    """The light of the first of these needs that a workload has."""
    by_need = {row.need: row for row in fit.rows}
    return next((light_cell(by_need[need]) for need in needs if need in by_need), Cell())


def _cost_cell(key: str, usd: float | None) -> Cell:
    tip = "" if usd is not None else tr("a rate is missing: see Contracts")
    return written(numbers.whole, usd, tip=tip, figure_id=figure("workload_cost", key))


def light_cell(row: FitRow) -> Cell:
    """A light as an icon, in words for who does not see it; unknown is a dash."""
    words = tr("{has}; needs {needs}", has=has_words(row), needs=needs_words(row))
    if row.light is None:
        return Cell(
            numbers.UNKNOWN,
            "muted",
            tip=tr("Unknown. {words}. {source_words}.", words=words, source_words=sentence(row.source_words)),
        )
    icon, role, word = LIGHTS[row.light]
    return Cell(
        icon=icon, icon_role=role, tip=tr("{word}: {reason}", word=word, reason=spoken(row.reason) or words)
    )


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
        return tr("80 GB, better {need}", need=value_words(row.need, row.needs))
    return value_words(row.need, row.needs)


def value_words(need: str, value: NeedValue) -> str:
    """A value of a row of the table, with its unit."""
    if value is None:
        return tr("not stated")
    if isinstance(value, bool):
        return tr("bare metal") if value else tr("virtual") if need == "bare_metal" else tr("no")
    if isinstance(value, Message | str):
        return spoken(INTERCONNECT_WORDS[str(value)]) if value in INTERCONNECT_WORDS else tr(value)
    if need == "term":
        return f"{numbers.whole(value)} h"
    return tr("{value} GB", value=numbers.gpus(value))


def counts_by_light(fits: Sequence[WorkloadFit]) -> dict[Light | None, int]:
    """How many workloads have each light."""
    counts: dict[Light | None, int] = {Light.RED: 0, Light.AMBER: 0, Light.GREEN: 0, None: 0}
    for fit in fits:
        counts[fit.light] += 1
    return counts


# ---------------------------------------------------------------- one workload


def network_columns(network: NetworkCost) -> tuple[Column, ...]:
    """The headings of the two networks: which is today's is said."""
    return (
        Column("", False),
        *(
            Column(tr("{network},\ntoday", network=name) if network.has == name.lower() else name)
            for name in ("InfiniBand", tr("Ethernet"))
        ),
    )


def network_rows(network: NetworkCost, key: str = "") -> list[Row]:
    """A run and a month on both networks, of the workload of a key; the one that it has is strong."""
    fast, slow = network.infiniband, network.ethernet
    if fast is None or slow is None:
        return []
    lines: tuple[tuple[str, str, Callable[[OnNetwork], str]], ...] = (
        (tr("One training step, s"), "step", lambda on: numbers.gpus(on.step_s)),
        (tr("Longest run, h"), "hours", lambda on: numbers.one_decimal(on.run_hours)),
        (tr("Longest run, GPU-h"), "gpu_hours", lambda on: numbers.whole(on.run_gpu_hours)),
        (tr("Longest run, $"), "usd", lambda on: numbers.whole(on.run_usd)),
        (tr("GPU-h per month"), "month_hours", lambda on: numbers.whole(on.gpu_hours_per_month)),
        (tr("$ per month"), "month_usd", lambda on: numbers.whole(on.usd_per_month)),
    )

    def cell(scope: str, on: OnNetwork, text: str) -> Cell:
        asked = figure("on_network", network_subject(key, on.network), scope) if key else ""
        return Cell(text, is_strong=on.network == network.has, figure_id=asked)

    return [
        Row((Cell(title), *(cell(scope, on, text(on)) for on in (fast, slow))))
        for title, scope, text in lines
    ]


def network_note(network: NetworkCost) -> str:
    """How the table was worked out, with its inputs."""
    own = network.infiniband if network.has == "infiniband" else network.ethernet
    other = network.ethernet if network.has == "infiniband" else network.infiniband
    if own is None or other is None:
        return tr("Nothing can be told: {reason}.", reason=network.reason)
    names = {"infiniband": "InfiniBand", "ethernet": tr("Ethernet")}
    rate = (
        tr(" at {usd_per_gpu_hour} a GPU-hour", usd_per_gpu_hour=numbers.cents(network.usd_per_gpu_hour))
        if network.usd_per_gpu_hour
        else ""
    )
    return tr(
        "It runs on {network}: {run_hours} h on {run_gpus} GPUs{rate}. On {other}: {run_hours} h \u00d7 "
        "{step_s} s / {own_step_s} s = {other_hours} h. The seconds of a step are {source}, and scale the whole "
        "step: a bound for work that waits for the network.",
        source=tr("of the model it trains, by published measurements")
        if network.is_of_model
        else tr("assumptions, taken from an article on training and inference infrastructure (2026)"),
        network=names[own.network],
        run_hours=numbers.one_decimal(own.run_hours),
        run_gpus=numbers.gpus(network.run_gpus),
        rate=rate,
        other=names[other.network],
        step_s=numbers.gpus(other.step_s),
        own_step_s=numbers.gpus(own.step_s),
        other_hours=numbers.one_decimal(other.run_hours),
    )


def _offer_cell(offer: OfferFit) -> Cell:
    if offer.light is None:
        return Cell(offer.offer_id, tip=tr("Unknown"))
    icon, role, word = LIGHTS[offer.light]
    tip = tr("{offer_id}: {word}", offer_id=offer.offer_id, word=word)
    return Cell(offer.offer_id, icon=icon, icon_role=role, tip=tip)


def _amiss_cell(offer: OfferFit) -> Cell:
    if offer.light is None:
        return Cell(tr("its need is unknown"), "muted")
    why = "; ".join(spoken(row.reason) for row in offer.rows if row.reason) or LIGHTS[offer.light][2]
    return Cell(why, "muted", tip=why)


OFFER_COLUMNS: Final[tuple[Filled[OfferFit], ...]] = (
    Filled("Offer", False, 170, cell=_offer_cell),
    Filled("Why", False, 0, True, cell=_amiss_cell),
)
"""Of offers for one workload, with what is amiss."""


def offer_key(offer: OfferFit) -> str:
    """What the row of an offer opens; nothing where its need is unknown."""
    return "" if offer.light is None else offer.offer_id
