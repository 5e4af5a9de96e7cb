"""Workloads as JSON: those of the log, and planned work in the same fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.evaluation import CardFigures, Evaluation, scenario_named
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.scenario.dated import NO_SPELL, PlannedWork, Spell
from gpuplanner.domain.model.scenario.merging import merge_of
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.domain.reports.entries import Entry, each, entry, fields, inside, named

PlanUsd = Mapping[str, float | None]
"""$ a month in the plan, by key of a card; None is unknown."""


class _Part(NamedTuple):
    """A card of a workload that the plan divides."""

    card: CardFigures
    plan_usd_per_month: float | None


@dataclass(frozen=True, slots=True)
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
    spell: Spell
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


ONLY: Final = fields(
    named("provider", lambda only: only.provider or None), named("region", lambda only: only.region or None)
)
"""Who alone may serve it; null: anybody."""
PART: Final = fields(
    named("key", "card.key"),
    named("name", "card.name"),
    named("pool", "card.pool.value"),
    named(CARD["gpu_hours_per_month"], "card.gpu_hours_per_month"),
    "plan_usd_per_month",
)
WORKLOAD: Final = fields(
    "key",
    "name",
    "cluster",
    named("class", "classification.pool.value"),
    named("subtype", "classification.subtype"),
    named("confidence", "classification.confidence"),
    named("reasons", lambda row: list(row.classification.reasons)),
    "runner_up",
    named("decided_by", "classification.source"),
    named("pool", "card.pool.value"),
    "in_review",
    "jobs",
    "gpu_hours",
    "peak_gpus",
    "usd_per_month",
    "plan_usd_per_month",
    "note",
    "merged_into",
    named("begins", "spell.begins_s", "date"),
    named("ends", "spell.ends_s", "date"),
    named("planned", "is_planned"),
    inside(
        "only", ONLY, lambda row: row.only if row.only and (row.only.provider or row.only.region) else None
    ),
    named("not_provider", lambda row: (row.only.not_provider or None) if row.only else None),
    each("parts", PART),
)
"""Begin and end are of the plan; null where nothing was said."""


def workload_entries(evaluation: Evaluation) -> list[Entry]:
    """Workloads of the log and planned work, by key; a workload in parts has the pool of its largest."""
    plan_usd = evaluation.advice.workload_usd if evaluation.advice else {}
    plan = scenario_named(evaluation.project, evaluation.scenario)
    cards = _cards_by_workload(evaluation, plan)
    rows = [
        _of_log(evaluation, plan, workload, today, cards[workload.key], plan_usd)
        for workload, today in zip(evaluation.project.workloads, evaluation.audit.workloads, strict=True)
    ]
    rows += [_planned(plan, work, cards[work.key][0], plan_usd) for work in plan.planned if work.key in cards]
    return [entry(WORKLOAD, row) for row in sorted(rows, key=lambda row: row.key)]


def _cards_by_workload(evaluation: Evaluation, plan: Scenario) -> dict[str, list[CardFigures]]:
    """The cards of every workload in the scenario, by its key: more than one where the plan divides it.

    Planned work has its own key.
    """
    cards: dict[str, list[CardFigures]] = {}
    for card in evaluation.figures.cards:
        cards.setdefault(whole_key(card.key, plan.splits), []).append(card)
    return cards


def _of_log(
    evaluation: Evaluation,
    plan: Scenario,
    workload: Workload,
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
        plan_usd_per_month=known_sum([plan_usd.get(card.key) for card in cards]),
        spell=plan.spells.get(key, NO_SPELL),
        is_planned=False,
        only=plan.only.get(key),
        note=evaluation.project.notes.get(key),
        merged_into=merge_of(largest.key, plan.merges),
        parts=tuple(_Part(card, plan_usd.get(card.key)) for card in cards) if len(cards) > 1 else (),
    )


def _planned(plan: Scenario, work: PlannedWork, card: CardFigures, plan_usd: PlanUsd) -> _Row:
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
        spell=Spell(work.begins_s, work.ends_s),
        is_planned=True,
        only=plan.only.get(work.key),
    )
