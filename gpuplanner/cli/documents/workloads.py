"""Workloads as JSON: those of the log and planned ones, their energy, and the hardware that they fit."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.audit.energy import energy_of_sites
from gpuplanner.domain.audit.result import Audit, WorkloadToday
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.evaluation import CardFigures, Evaluation, scenario_named
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.energy import ENERGY as OF
from gpuplanner.domain.fit.needs import Needed
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import Counts, WorkloadFit, offers_by_light, pool_fits
from gpuplanner.domain.model import amounts, cube, plan_inputs
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports import report, use
from gpuplanner.domain.reports.training import OTHER_HARDWARE, OUT_OF_MEMORY
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Energy as JSON: of the window by workload, contract and site, and of a plan by pool ---------

ENERGY: Final = report.fields("kwh_per_month", "kg_co2_per_month", OF["peak_kw"])
AMOUNTS: Final = report.fields("kwh_per_month", "kg_co2_per_month")
SITE: Final = report.fields("site_id", "kwh_per_month", "kg_co2_per_month")


def energy_parts(project: Project, audit: Audit) -> Document:
    """What of the window took it."""
    energy = audit.energy
    return {
        "workloads": report.entries(use.ENERGY_OF_WORKLOADS, audit),
        "teams": report.entries(use.ENERGY_OF_TEAMS, audit),
        "contracts": report.entries(use.ENERGY_OF_CONTRACTS, audit)[: len(energy.contracts)],
        "overflow": [{"cluster": row.name} | report.entry(AMOUNTS, row) for row in energy.overflow],
        "sites": [report.entry(SITE, row) for row in energy_of_sites(project, energy)],
    }


def plan_energy_entry(project: Project, audit: Audit, energy: PlanEnergy) -> Document:
    """The energy of a plan, beside it that of the window and its parts."""
    return (
        report.entry(ENERGY, energy)
        | {"by_pool": report.entries(use.ENERGY_OF_PLAN, energy), "today": report.entry(ENERGY, audit.energy)}
        | energy_parts(project, audit)
    )


# --- Workloads as JSON: those of the log, and planned work in the same fields --------------------

PlanUsd = Mapping[str, float | None]
"""$ a month in the plan, by key of a card; None is unknown."""


class _Part(NamedTuple):
    """A card of a workload that the plan divides."""

    card: CardFigures
    plan_usd_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One workload or planned work in a plan.

    card: the largest of its cards, whose pool it has. parts: of one that is divided, else none. note, merged_into,
    only: None where nothing was said.
    """

    key: str
    name: str
    cluster: str
    classification: Classification
    card: CardFigures
    in_review: bool
    jobs: int
    gpu_hours: float
    peak_gpus: float
    usd_per_month: float | None
    plan_usd_per_month: float | None
    spell: plan_inputs.Spell
    is_planned: bool
    only: Only | None
    note: str | None = None
    merged_into: str | None = None
    parts: tuple[_Part, ...] = ()

    @property
    def runner_up(self) -> str | None:
        """The class that it nearly was; of planned work none, which says what it is."""
        second = None if self.is_planned else self.classification.runner_up
        return None if second is None else second.value


ONLY: Final = report.fields(
    report.named("provider", lambda only: only.provider or None),
    report.named("region", lambda only: only.region or None),
    report.named("country", lambda only: only.country or None),
)
"""Who alone may serve it; null: anybody."""
PART: Final = report.fields(
    *report.of_part("card", "key", "name"),
    report.named("pool", "card.pool.value"),
    report.named(CARD["gpu_hours_per_month"], "card.gpu_hours_per_month"),
    "plan_usd_per_month",
)
WORKLOAD: Final = report.fields(
    "key",
    "name",
    "cluster",
    report.named("class", "classification.pool.value"),
    *report.of_part("classification", "subtype", "confidence"),
    report.named("reasons", lambda row: list(row.classification.reasons)),
    "runner_up",
    report.named("decided_by", "classification.source"),
    report.named("pool", "card.pool.value"),
    "in_review",
    "jobs",
    "gpu_hours",
    "peak_gpus",
    "usd_per_month",
    "plan_usd_per_month",
    "note",
    "merged_into",
    report.named("begins", "spell.begins_s", "date"),
    report.named("ends", "spell.ends_s", "date"),
    report.named("planned", "is_planned"),
    report.inside(
        "only",
        ONLY,
        lambda row: row.only if row.only and replace(row.only, not_provider="") != ANYBODY else None,
    ),
    report.named("not_provider", lambda row: (row.only.not_provider or None) if row.only else None),
    report.each("parts", PART),
)
"""Begin and end are of the plan; null where nothing was said."""


def workload_entries(evaluation: Evaluation) -> list[report.Entry]:
    """Workloads of the log and planned work, by key; a workload in parts has the pool of its largest."""
    plan_usd = evaluation.advice.workload_usd if evaluation.advice else {}
    plan = scenario_named(evaluation.project, evaluation.scenario)
    # the cards of every workload in the scenario, by its key: more than one where the plan divides it
    cards: dict[str, list[CardFigures]] = {}
    for card in evaluation.figures.cards:
        cards.setdefault(plan_inputs.whole_key(card.key, plan.splits), []).append(card)
    rows = [
        _of_log(evaluation, plan, workload, today, cards[workload.key], plan_usd)
        for workload, today in zip(evaluation.project.workloads, evaluation.audit.workloads, strict=True)
    ]
    rows += [_planned(plan, work, cards[work.key][0], plan_usd) for work in plan.planned if work.key in cards]
    return [report.entry(WORKLOAD, row) for row in sorted(rows, key=lambda row: row.key)]


def _of_log(
    evaluation: Evaluation,
    plan: plan_inputs.Scenario,
    workload: cube.Workload,
    today: WorkloadToday,
    cards: Sequence[CardFigures],
    plan_usd: PlanUsd,
) -> _Row:
    """A workload of the log. today: of the audit; cards: its own, several where the plan divides it."""
    key = workload.key
    largest = max(cards, key=lambda card: card.gpu_hours_per_month)
    return _Row(
        key=key,
        name=workload.name,
        cluster=workload.cluster,
        classification=today.classification,
        card=largest,
        in_review=any(card.in_review for card in cards),
        jobs=workload.jobs,
        gpu_hours=workload.gpu_hours,
        peak_gpus=workload.peak_milli_gpus / 1000,
        usd_per_month=today.usd_per_month,
        plan_usd_per_month=amounts.known_sum([plan_usd.get(card.key) for card in cards]),
        spell=plan.spells.get(key, plan_inputs.NO_SPELL),
        is_planned=False,
        only=plan.only.get(key),
        note=evaluation.project.notes.get(key),
        merged_into=plan_inputs.merge_of(largest.key, plan.merges),
        parts=tuple(_Part(card, plan_usd.get(card.key)) for card in cards) if len(cards) > 1 else (),
    )


def _planned(
    plan: plan_inputs.Scenario, work: plan_inputs.PlannedWork, card: CardFigures, plan_usd: PlanUsd
) -> _Row:
    """Work that no log has: it costs nothing today."""
    return _Row(
        key=work.key,
        name=work.name,
        cluster=work.cluster,
        classification=card.classification,
        card=card,
        in_review=card.in_review,
        jobs=0,
        gpu_hours=0.0,
        peak_gpus=work.gpus,
        usd_per_month=0.0,
        plan_usd_per_month=plan_usd.get(work.key),
        spell=plan_inputs.Spell(work.begins_s, work.ends_s),
        is_planned=True,
        only=plan.only.get(work.key),
    )


# --- Hardware fit as JSON: each workload on what it runs on, and each class ----------------------


class _FitRow(NamedTuple):
    """A workload's fit, and the offers that it would have by their light."""

    fit: WorkloadFit
    offers: Mapping[Light | None, list[str]]


class _NeedRow(NamedTuple):
    """One need of a workload, by name."""

    need: str
    needed: Needed


class _NeedCounts(NamedTuple):
    """One row of the table, by name, and how many workloads have which light in it."""

    need: str
    workloads: Counts


def light_name(light: Light | None) -> str | None:
    """red, amber or green; null where nobody knows.

    >>> light_name(Light.RED), light_name(None) is None
    ('red', True)
    """
    return None if light is None else light.name.lower()


def _of_light(name: str, light: Light | None, of: str, otherwise: Any) -> report.Column:
    """What a row has of one light, in its field `of`."""
    return report.named(name, lambda row: getattr(row, of).get(light, otherwise))


def _counts(of: str) -> report.Fields:
    """How many of each light, worst first; every light is there."""
    return tuple(
        _of_light(light_name(light) or "unknown", light, of, 0) for light in (*reversed(Light), None)
    )


LIGHT: Final = report.named("light", lambda row: light_name(row.light))
NEED: Final = report.fields("need", *report.of_part("needed", "value", "source", "note"))
OFFERS: Final = report.fields(
    _of_light("green", Light.GREEN, "offers", []),
    _of_light("amber", Light.AMBER, "offers", []),
    _of_light("red", Light.RED, "offers", []),
    _of_light("unknown", None, "offers", []),
)
ON_NETWORK: Final = report.fields(
    "network", "step_s", "run_hours", "run_gpu_hours", "run_usd", "gpu_hours_per_month", "usd_per_month"
)
NETWORK: Final = report.fields(
    "has",
    "run_hours",
    "run_gpus",
    "usd_per_gpu_hour",
    report.inside("infiniband", ON_NETWORK),
    report.inside("ethernet", ON_NETWORK),
    "reason",
)
PREMIUM: Final = report.fields(
    "with_usd_per_gpu_hour", "without_usd_per_gpu_hour", "gpu_hours_per_month", "usd_per_month"
)
FIT_ROW: Final = report.fields(
    "need", LIGHT, "has", "needs", "source", "source_words", "has_source", "reason"
)
WORKLOAD_FIT: Final = report.fields(
    report.named("key", "fit.key"),
    report.named("pool", "fit.pool.value"),
    report.named("gpu_model", "fit.gpu_model"),
    report.named("light", lambda row: light_name(row.fit.light)),
    report.named("runs_on", lambda row: [hardware.of for hardware in row.fit.hardware if hardware.of]),
    report.each("rows", FIT_ROW, "fit.rows"),
    report.each("needs", NEED, lambda row: [_NeedRow(*need) for need in row.fit.needs.items()]),
    report.inside("offers", OFFERS, lambda row: row),
    report.inside("network", NETWORK, "fit.network"),
    report.inside("interconnect_premium", PREMIUM, "fit.premium"),
    report.listed("other_hardware", OTHER_HARDWARE, lambda row: [row.fit]),
    report.listed("out_of_memory", OUT_OF_MEMORY, lambda row: [row.fit]),
)
"""What a workload runs on, row by row, what it needs, and offers by their light."""
NEED_COUNTS: Final = report.fields("need", *_counts("workloads"))
POOL_FIT: Final = report.fields(
    report.named("pool", "pool.value"),
    LIGHT,
    *_counts("workloads"),
    report.named("red_usd_per_month", lambda row: row.usd_per_month[Light.RED]),
    report.named("amber_usd_per_month", lambda row: row.usd_per_month[Light.AMBER]),
    report.each("rows", NEED_COUNTS, lambda row: [_NeedCounts(*need) for need in row.by_need.items()]),
)


def hardware_fit_entries(evaluation: Evaluation) -> list[report.Entry]:
    """The `hardware_fit` array: one entry a workload, by key.

    Empty where hardware fit was not worked out.
    """
    fits = sorted(evaluation.fit or (), key=lambda fit: fit.key)
    offers = offers_by_light(fits, evaluation.project.offers, evaluation.project.mappings)
    return [report.entry(WORKLOAD_FIT, _FitRow(*both)) for both in zip(fits, offers, strict=True)]


def pool_fit_entries(evaluation: Evaluation) -> list[report.Entry]:
    """The `hardware_fit_pools` array: one entry a class, in its usual order.

    $ a month, null where the cost of one workload is unknown. Classes without workloads are left out.
    """
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    return [report.entry(POOL_FIT, fit) for fit in pool_fits(evaluation.fit or (), usd)]
