"""What other class rules would change, before they are applied: workloads, GPU-hours and money by class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.demand.own_rules import RuleHit, rule_hits
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Tables

LABELLED: Final = worded("labelled by you")
IMPORTED: Final = worded("labelled in the import")


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """One workload that other rules decide otherwise. usd_per_month: its cost today, None where unknown.

    Units: GPU-hours and $ a month. Where the class stays, another now decides it.
    """

    key: str
    name: str
    cluster: str
    before: Classification
    after: Classification
    was_in_review: bool
    gpu_hours_per_month: float
    usd_per_month: float | None

    @property
    def changes_class(self) -> bool:
        """Whether it becomes another class, rather than only sure of the one it has.

        False where only who decides is another.
        """
        return self.before.pool is not self.after.pool


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """One workload that a new rule matches and does not decide, and why.

    why: LABELLED, IMPORTED, or by which rule that stands before it. Units: GPU-hours and $ a month,
    None unknown.
    """

    key: str
    name: str
    pool: Pool
    why: Message
    gpu_hours_per_month: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class ClassAmount:
    """What a class comes to: workloads, GPU-hours a month, $ a month today (None where one of them is unknown)."""

    workloads: int
    gpu_hours_per_month: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class RuleAmount:
    """What a rule decides: workloads, GPU-hours a month, $ a month today. matched: also what others decide.

    None where the cost of one of its workloads is unknown. matched counts workloads too.
    """

    rule_id: str
    matched: int
    workloads: int
    gpu_hours_per_month: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class RulePreview:
    """Other rules beside those that hold.

    Laws: both sides of `classes` have the same totals; effects most expensive first.

    effects: all whose class or whose judge changes; left: what a new rule matches and leaves.
    """

    rules: tuple[ClassRule, ...]
    effects: tuple[RuleEffect, ...]
    left: tuple[LeftAlone, ...]
    classes_before: Mapping[Pool, ClassAmount]
    classes_after: Mapping[Pool, ClassAmount]
    decided: tuple[RuleAmount, ...]


def rule_preview(
    project: Project,
    rules: Sequence[ClassRule],
    tables: Tables,
    before: Sequence[Classification],
    usd_per_month: Mapping[str, float | None],
) -> RulePreview:
    """What the project's classes would be with these rules in place of its own.

    before: its classes now, in the order of Project.workloads; usd_per_month: cost today by workload key.
    Errors: PlannerError bad_pattern.
    """
    after = classify(project.workloads, project.cube, project.labels, tables, rules)
    hits = rule_hits(project.workloads, rules)
    new = {rule.rule_id for rule in rules} - {rule.rule_id for rule in project.rules if rule in rules}
    own_before = rule_hits(project.workloads, project.rules)
    review_below = project.assumptions.review_below
    hours = _gpu_hours_per_month(project)
    effects, left = [], []
    for at, workload in enumerate(project.workloads):
        old, now, usd = before[at], after[at], usd_per_month.get(workload.key)
        judge_before, judge_after = _judge(old, own_before[at]), _judge(now, hits[at])
        if old.pool is not now.pool or judge_before != judge_after:
            was_in_review = not old.is_settled and old.confidence < review_below
            effects.append(
                RuleEffect(
                    workload.key, workload.name, workload.cluster, old, now, was_in_review, hours[at], usd
                )
            )
        if any(hit.rule.rule_id in new for hit in hits[at]) and judge_after not in new:
            why = _why_left(now, hits[at])
            left.append(LeftAlone(workload.key, workload.name, now.pool, why, hours[at], usd))
    return RulePreview(
        tuple(rules),
        tuple(sorted(effects, key=_most_expensive)),
        tuple(sorted(left, key=_most_expensive)),
        _by_class(project, before, hours, usd_per_month),
        _by_class(project, after, hours, usd_per_month),
        _amounts(project, rules, hits, after, hours, usd_per_month),
    )


def rule_amounts(
    project: Project, classifications: Sequence[Classification], usd_per_month: Mapping[str, float | None]
) -> tuple[RuleAmount, ...]:
    """What each of the project's own rules decides, in their order.

    usd_per_month: cost today by workload key, None where unknown.
    Errors: PlannerError bad_pattern; ValueError where there are not as many classes as workloads.
    """
    hits = rule_hits(project.workloads, project.rules)
    hours = _gpu_hours_per_month(project)
    return _amounts(project, project.rules, hits, classifications, hours, usd_per_month)


def _amounts(
    project: Project,
    rules: Sequence[ClassRule],
    hits: Sequence[tuple[RuleHit, ...]],
    classifications: Sequence[Classification],
    hours: Sequence[float],
    usd_per_month: Mapping[str, float | None],
) -> tuple[RuleAmount, ...]:
    """By rule: what it matches, and what of it nobody before it decides."""
    matched = {rule.rule_id: 0 for rule in rules}
    decided: dict[str, list[int]] = {rule.rule_id: [] for rule in rules}
    for at, (found, own) in enumerate(zip(classifications, hits, strict=True)):
        for hit in own:
            matched[hit.rule.rule_id] += 1
        judge = _judge(found, own)
        if judge:
            decided[judge].append(at)
    return tuple(
        RuleAmount(
            rule.rule_id,
            matched[rule.rule_id],
            len(decided[rule.rule_id]),
            sum(hours[at] for at in decided[rule.rule_id]),
            known_sum([usd_per_month.get(project.workloads[at].key) for at in decided[rule.rule_id]]),
        )
        for rule in rules
    )


def _judge(found: Classification, hits: Sequence[RuleHit]) -> str:
    """The id of the rule that decided; empty where none of the planner's own did."""
    return hits[0].rule.rule_id if found.source == "own_rule" and hits else ""


def _why_left(now: Classification, hits: Sequence[RuleHit]) -> Message:
    """Who decides instead: the planner or the import, else the first rule that matches."""
    if now.source in ("override", "label"):
        return LABELLED if now.source == "override" else IMPORTED
    return worded("decided by “{rule_id}”, which stands before it", rule_id=hits[0].rule.rule_id)


def _by_class(
    project: Project,
    classifications: Sequence[Classification],
    hours: Sequence[float],
    usd_per_month: Mapping[str, float | None],
) -> dict[Pool, ClassAmount]:
    """Workloads, GPU-hours and $ a month of every class, those without any workload too."""
    places: dict[Pool, list[int]] = {pool: [] for pool in POOLS}
    for at, found in enumerate(classifications):
        places[found.pool].append(at)
    return {
        pool: ClassAmount(
            len(at_class),
            sum(hours[at] for at in at_class),
            known_sum([usd_per_month.get(project.workloads[at].key) for at in at_class]),
        )
        for pool, at_class in places.items()
    }


def _gpu_hours_per_month(project: Project) -> list[float]:
    """Of each workload: GPU time of the window over its months of 730 h."""
    per_month = 1 / (project.window.months * MILLI_GPU_SECONDS_PER_GPU_HOUR)
    return [workload.milli_gpu_seconds * per_month for workload in project.workloads]


def _most_expensive(row: RuleEffect | LeftAlone) -> tuple[float, float, str]:
    """Key for sorting: most $ first, an unknown cost as 0, then most GPU-hours, then by key."""
    return (-(row.usd_per_month or 0.0), -row.gpu_hours_per_month, row.key)
