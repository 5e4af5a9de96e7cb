"""From a correction to a rule: what the planner may have meant by "every name like this"."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.own_rules import OWN_CONFIDENCE, RULE_FIELDS, readings, rule_hits
from gpuplanner.domain.demand.rule_pattern import pattern_of, pattern_words, phrases
from gpuplanner.domain.demand.words import folded
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.tables import ClassRule

MOST_PROPOSALS: Final = 12
FEWEST_LETTERS: Final = 3
SURE: Final = 0.85
"""Of another class with this confidence or more, a workload speaks against a word that it has too."""

_UNTELLING_WORDS: Final = worded(
    "run runs job jobs task test tmp new old final latest the and for with from main exp experiment project team user "
    "gpu gpus cpu node nodes cluster prod production staging script python bash slurm sbatch unnamed version "
    "llama mistral mixtral qwen gemma phi gpt bert deepseek falcon resnet vit clip whisper sdxl diffusion "
    "small base large medium xl"
)
UNTELLING: Final = frozenset(str(_UNTELLING_WORDS).split())
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
    workloads: Sequence[Workload],
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
    for at, (workload, hits) in enumerate(zip(workloads, rule_hits(workloads, candidates), strict=True)):
        for hit in hits:
            count = counts[places[id(hit.rule)]]
            if workload.key in keys:
                count[0] += 1
                continue
            count[1] += 1
            found = classifications[at] if classifications else None
            if found is not None and found.pool is not pool and found.confidence >= SURE:
                count[2] += 1
    fields = tuple(RULE_FIELDS)
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
        RuleProposal(
            _with_free_id(candidates[place], taken),
            counts[place][1],
            counts[place][2],
        )
        for place in order[:MOST_PROPOSALS]
    )


def rule_id_for(pool: Pool, pattern: str, taken: Collection[str]) -> str:
    """An id that says what the rule does and that no rule has: burst-rollout, burst-rollout-2.

    At most four words and sixty signs of the pattern, before the number.

    >>> rule_id_for(Pool.BURST, "rollouts?", ()), rule_id_for(Pool.BURST, "rollouts?", {"burst-rollout"})
    ('burst-rollout', 'burst-rollout-2')
    """
    words = re.findall(r"\w+", pattern_words(pattern))[:4]
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
    said = _quoted_pattern(rule)
    return (
        worded("names with {said} are {pool}", said=said, pool=rule.pool)
        if rule.field == "name"
        else worded("{field} {said} is {pool}", field=rule.field, said=said, pool=rule.pool)
    )


def matched_words(rule: ClassRule) -> Message:
    """What a rule is about, in words: names with “rollout”; queue “gpu-long”."""
    said = _quoted_pattern(rule)
    return worded("names with {said}", said=said) if rule.field == "name" else joined((rule.field, " ", said))


def _quoted_pattern(rule: ClassRule) -> str:
    return f"“{pattern_words(rule.pattern)}”"


def _candidates(workload: Workload, pool: Pool) -> list[ClassRule]:
    """Rules that match this workload: words and pairs of words of its name, then queue and owner, as they
    are. Without ids.
    """
    words = folded(workload.name.lower()).split()
    parts = (
        words if len(words) == 1 else [*words, *(" ".join(pair) for pair in pairwise(words)), " ".join(words)]
    )
    if workload.sample_name:
        parts += [word for word in folded(workload.sample_name).split() if word not in words]
    telling = [part for part in parts if _is_telling(part)] or [" ".join(words)]
    named = [("name", pattern_of(part)) for part in dict.fromkeys(telling) if part]
    places = (("queue", workload.queue), ("owner", workload.owner))
    exact = [(field, readings(text, field)[-1]) for field, text in places if text.strip()]
    made = []
    for field, pattern in (*named, *exact):
        try:
            phrases(pattern, with_digits=field != "name")
        except PlannerError:  # of one letter, or of signs alone: nothing to make a rule of
            continue
        made.append(ClassRule("", field, pattern, pool, "", OWN_CONFIDENCE, ""))
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
