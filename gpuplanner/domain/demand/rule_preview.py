"""Class rules before they are applied: what the planner may have meant, and what would change."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

from gpuplanner.domain.demand import own_rules
from gpuplanner.domain.demand.classification import Classification, classify
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model import amounts, cube, errors
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool, Tables
from gpuplanner.lazy_dataclass import dataclass, replace

# --- From a correction to a rule: what the planner may have meant by "every name like this" ------

MOST_PROPOSALS: Final = 12
FEWEST_LETTERS: Final = 3
SURE: Final = 0.85
"""Of another class with this confidence or more, a workload speaks against a word that it has too."""

_UNTELLING_WORDS: Final = (
    "run runs job jobs task test tmp new old final latest the and for with from main exp experiment project team user "
    "gpu gpus cpu node nodes cluster prod production staging script python bash slurm sbatch unnamed version llama "
    "mistral mixtral qwen gemma phi gpt bert deepseek falcon resnet vit clip whisper sdxl diffusion small base large "
    "medium xl"
)
UNTELLING: Final = frozenset(_UNTELLING_WORDS.split())
"""Words that names of all classes have: what it ran on, for whom, which model, which try."""


@dataclass(frozen=True, slots=True)
class RuleProposal:
    """A rule that would have said what the planner said.

    others: workloads it matches besides those corrected; against: those of them that are surely of another class.
    """

    rule: ClassRule
    others: int
    against: int


def propose_rules(
    workloads: Sequence[cube.Workload],
    keys: Collection[str],
    pool: Pool,
    *,
    rules: Sequence[ClassRule] = (),
    classifications: Sequence[Classification] = (),
) -> tuple[RuleProposal, ...]:
    """Rules for the corrected workloads, the likeliest first: telling words of the name, then queue and owner.

    rules: the planner's own, whose ids are taken; classifications: in the order of workloads, empty where unknown.
    Empty where none of `keys` is there or nothing is written of it. Likeliest: it matches all that were corrected,
    nothing sure speaks against it, it helps with most others, it is a word rather than a phrase, it is long.
    """
    wanted = [workload for workload in workloads if workload.key in keys]
    if not wanted:
        return ()
    candidates = [rule for workload in wanted[:3] for rule in _candidates(workload, pool)]
    candidates = list({(rule.field, rule.pattern): rule for rule in candidates}.values())
    counts = [[0, 0, 0] for _ in candidates]  # corrected, others, against
    places = {id(rule): place for place, rule in enumerate(candidates)}
    for at, (workload, hits) in enumerate(
        zip(workloads, own_rules.rule_hits(workloads, candidates), strict=True)
    ):
        for hit in hits:
            count = counts[places[id(hit.rule)]]
            if workload.key in keys:
                count[0] += 1
                continue
            count[1] += 1
            current = classifications[at] if classifications else None
            if current is not None and current.pool is not pool and current.confidence >= SURE:
                count[2] += 1
    fields = tuple(own_rules.RULE_FIELDS)
    order = sorted(
        range(len(candidates)),
        key=lambda place: (
            fields.index(candidates[place].field),
            -counts[place][0],
            counts[place][2],
            -counts[place][1],
            len(candidates[place].pattern.split()),
            -len(candidates[place].pattern),
            candidates[place].pattern,
        ),
    )
    taken = {rule.rule_id for rule in rules}
    return tuple(
        RuleProposal(_with_free_id(candidates[place], taken), counts[place][1], counts[place][2])
        for place in order[:MOST_PROPOSALS]
    )


def rule_id_for(pool: Pool, pattern: str, taken: Collection[str]) -> str:
    """An id that says what the rule does and that no rule has: burst-rollout, burst-rollout-2.

    At most four words and sixty signs of the pattern, before the number.

    >>> rule_id_for(Pool.BURST, "rollouts?", ()), rule_id_for(Pool.BURST, "rollouts?", {"burst-rollout"})
    ('burst-rollout', 'burst-rollout-2')
    """
    words = re.findall(r"\w+", own_rules.pattern_words(pattern))[:4]
    wanted = "-".join([pool.value, *words])[:60]
    if wanted not in taken:
        return wanted
    used, free = 1, 2
    while f"{wanted}-{free}" in taken:
        used, free = free, 2 * free
    while free - used > 1:  # one by one would take as long as the list is, for each rule of it
        middle = (used + free) // 2
        used, free = (middle, free) if f"{wanted}-{middle}" in taken else (used, middle)
    return f"{wanted}-{free}"


def rule_words(rule: ClassRule) -> Message:
    """A rule in words: names with “rollout” are burst; queue “gpu-long” is training.

    For people: the pattern as it is said, not as it is written.
    """
    text = _quoted_pattern(rule)
    if rule.field == "name":
        return worded("names with {text} are {pool}", text=text, pool=rule.pool)
    return worded("{field} {text} is {pool}", field=rule.field, text=text, pool=rule.pool)


def matched_words(rule: ClassRule) -> Message:
    """What a rule is about, in words: names with “rollout”; queue “gpu-long”."""
    pattern = _quoted_pattern(rule)
    return (
        worded("names with {said}", said=pattern)
        if rule.field == "name"
        else joined((rule.field, " ", pattern))
    )


def _quoted_pattern(rule: ClassRule) -> str:
    return f"“{own_rules.pattern_words(rule.pattern)}”"


def _candidates(workload: cube.Workload, pool: Pool) -> list[ClassRule]:
    """Rules that match this workload: words and pairs of words of its name, then queue and owner, as they
    are. Without ids.
    """
    words = own_rules.folded(workload.name.lower()).split()
    parts = (
        words if len(words) == 1 else [*words, *(" ".join(pair) for pair in pairwise(words)), " ".join(words)]
    )
    if workload.sample_name:
        parts += [word for word in own_rules.folded(workload.sample_name).split() if word not in words]
    telling = [part for part in parts if _is_telling(part)] or [" ".join(words)]
    named = [("name", own_rules.pattern_of(part)) for part in dict.fromkeys(telling) if part]
    places = (("queue", workload.queue), ("owner", workload.owner))
    exact = [(field, own_rules.readings(text, field)[-1]) for field, text in places if text.strip()]
    made = []
    for field, pattern in (*named, *exact):
        try:
            own_rules.phrases(pattern, with_digits=field != "name")
        except errors.PlannerError:  # of one letter, or of signs alone: nothing to make a rule of
            continue
        made.append(
            ClassRule(
                rule_id="",
                field=field,
                pattern=pattern,
                pool=pool,
                subtype="",
                confidence=own_rules.OWN_CONFIDENCE,
                reason="",
            )
        )
    return made


def _is_telling(part: str) -> bool:
    """Whether a word, or one of several, says what is done rather than where, for whom or with which model."""
    words = part.split()
    if len(words) > 1:
        return any(_is_telling(word) for word in words)
    return len(part) >= FEWEST_LETTERS and part not in UNTELLING


def _with_free_id(rule: ClassRule, taken: set[str]) -> ClassRule:
    """The rule under an id that no other has."""
    rule_id = rule_id_for(rule.pool, rule.pattern, taken)
    return replace(rule, rule_id=rule_id)


# --- What other class rules would change, before they are applied: workloads, GPU-hours and money by class

LABELLED: Final = worded("labelled by you")
IMPORTED: Final = worded("labelled in the import")


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleAmount:
    """What a rule decides: workloads, GPU-hours a month, $ a month today. matched: also what others decide.

    None where the cost of one of its workloads is unknown. matched counts workloads too.
    """

    rule_id: str
    matched: int
    workloads: int
    gpu_hours_per_month: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
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
    hits = own_rules.rule_hits(project.workloads, rules)
    new = {rule.rule_id for rule in rules} - {rule.rule_id for rule in project.rules if rule in rules}
    own_before = own_rules.rule_hits(project.workloads, project.rules)
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
                    key=workload.key,
                    name=workload.name,
                    cluster=workload.cluster,
                    before=old,
                    after=now,
                    was_in_review=was_in_review,
                    gpu_hours_per_month=hours[at],
                    usd_per_month=usd,
                )
            )
        if any(hit.rule.rule_id in new for hit in hits[at]) and judge_after not in new:
            why = _why_left(now, hits[at])
            left.append(
                LeftAlone(
                    key=workload.key,
                    name=workload.name,
                    pool=now.pool,
                    why=why,
                    gpu_hours_per_month=hours[at],
                    usd_per_month=usd,
                )
            )
    return RulePreview(
        rules=tuple(rules),
        effects=tuple(sorted(effects, key=expense_sort_key)),
        left=tuple(sorted(left, key=expense_sort_key)),
        classes_before=_by_class(project, before, hours, usd_per_month),
        classes_after=_by_class(project, after, hours, usd_per_month),
        decided=_amounts(project, rules, hits, after, hours, usd_per_month),
    )


def rule_amounts(
    project: Project, classifications: Sequence[Classification], usd_per_month: Mapping[str, float | None]
) -> tuple[RuleAmount, ...]:
    """What each of the project's own rules decides, in their order.

    usd_per_month: cost today by workload key, None where unknown.
    Errors: PlannerError bad_pattern; ValueError where there are not as many classes as workloads.
    """
    hits = own_rules.rule_hits(project.workloads, project.rules)
    hours = _gpu_hours_per_month(project)
    return _amounts(project, project.rules, hits, classifications, hours, usd_per_month)


def _amounts(
    project: Project,
    rules: Sequence[ClassRule],
    hits: Sequence[tuple[own_rules.RuleHit, ...]],
    classifications: Sequence[Classification],
    hours: Sequence[float],
    usd_per_month: Mapping[str, float | None],
) -> tuple[RuleAmount, ...]:
    """By rule: what it matches, and what of it nobody before it decides."""
    matched = {rule.rule_id: 0 for rule in rules}
    decided: dict[str, list[int]] = {rule.rule_id: [] for rule in rules}
    for at, (classification, own) in enumerate(zip(classifications, hits, strict=True)):
        for hit in own:
            matched[hit.rule.rule_id] += 1
        judge = _judge(classification, own)
        if judge:
            decided[judge].append(at)
    return tuple(
        RuleAmount(
            rule_id=rule.rule_id,
            matched=matched[rule.rule_id],
            workloads=len(decided[rule.rule_id]),
            gpu_hours_per_month=sum(hours[at] for at in decided[rule.rule_id]),
            usd_per_month=amounts.known_sum(
                [usd_per_month.get(project.workloads[at].key) for at in decided[rule.rule_id]]
            ),
        )
        for rule in rules
    )


def _judge(classification: Classification, hits: Sequence[own_rules.RuleHit]) -> str:
    """The id of the rule that decided; empty where none of the planner's own did."""
    return hits[0].rule.rule_id if classification.source == "own_rule" and hits else ""


def _why_left(now: Classification, hits: Sequence[own_rules.RuleHit]) -> Message:
    """Who decides instead: the planner or the import, else the first rule that matches."""
    if now.source in ("override", "label"):
        return LABELLED if now.source == "override" else IMPORTED
    return worded("decided by “{rule_id}”, an earlier rule", rule_id=hits[0].rule.rule_id)


def _by_class(
    project: Project,
    classifications: Sequence[Classification],
    hours: Sequence[float],
    usd_per_month: Mapping[str, float | None],
) -> dict[Pool, ClassAmount]:
    """Workloads, GPU-hours and $ a month of every class, those without any workload too."""
    places: dict[Pool, list[int]] = {pool: [] for pool in POOLS}
    for at, classification in enumerate(classifications):
        places[classification.pool].append(at)
    return {
        pool: ClassAmount(
            len(at_class),
            sum(hours[at] for at in at_class),
            amounts.known_sum([usd_per_month.get(project.workloads[at].key) for at in at_class]),
        )
        for pool, at_class in places.items()
    }


def _gpu_hours_per_month(project: Project) -> list[float]:
    """Of each workload: GPU time of the window over its months of 730 h."""
    per_month = 1 / (project.window.months * MILLI_GPU_SECONDS_PER_GPU_HOUR)
    return [workload.milli_gpu_seconds * per_month for workload in project.workloads]


def expense_sort_key(row: RuleEffect | LeftAlone) -> tuple[float, float, str]:
    """Key for sorting: most $ first, an unknown cost as 0, then most GPU-hours, then by key."""
    return (-(row.usd_per_month or 0.0), -row.gpu_hours_per_month, row.key)
