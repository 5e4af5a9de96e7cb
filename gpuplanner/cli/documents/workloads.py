"""Workloads as JSON: those of the log, and planned ones in the same fields."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.evaluation import CardFigures, Evaluation, scenario_named
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.model import amounts, cube
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.plan.merged_cards import merge_of
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import NO_SPELL, Spell
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.reports import report
from gpuplanner.lazy_dataclass import dataclass, replace

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
        cards.setdefault(whole_key(card.key, plan.splits), []).append(card)
    rows = [
        _of_log(evaluation, plan, workload, today, cards[workload.key], plan_usd)
        for workload, today in zip(evaluation.project.workloads, evaluation.audit.workloads, strict=True)
    ]
    rows += [_planned(plan, work, cards[work.key][0], plan_usd) for work in plan.planned if work.key in cards]
    return [report.entry(WORKLOAD, row) for row in sorted(rows, key=lambda row: row.key)]


def _of_log(
    evaluation: Evaluation,
    plan: Scenario,
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
