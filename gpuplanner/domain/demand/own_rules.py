"""The planner's own class rules: which workloads each matches, and the first in the list that decides."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.demand.rule_pattern import ANY_ENDING, FEWEST_LETTERS_BEFORE_STAR, phrases
from gpuplanner.domain.demand.words import folded
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.tables import ClassRule

OWN_CONFIDENCE: Final = 0.97
LEAST_OWN_CONFIDENCE: Final = 0.95
"""A planner who makes a rule is sure: what it decides is not in review."""

RULE_FIELDS: Final[Mapping[str, Message]] = {
    "name": worded("the name says “{word}”"),
    "queue": worded("the queue is “{word}”"),
    "owner": worded("the owner is “{word}”"),
}
"""Where a rule may look -> the reason of a rule that gives none."""


@dataclass(frozen=True, slots=True)
class RuleHit:
    """A rule of the planner's own and the words it matched."""

    rule: ClassRule
    word: str

    @property
    def reason(self) -> Message:
        """Why, in words; other braces than {word} stay as they are written.

        The rule's own reason with the word put in; the words of the field where it gives none.
        """
        why = str(self.rule.reason or RULE_FIELDS[self.rule.field]).replace("{word}", self.word)
        return worded("your rule: {why}", why=why)


def check_rule(rule: ClassRule) -> None:
    """Errors: PlannerError where the id is empty, the field unknown, the pattern bad or the confidence out of range.

    Codes: missing_column, bad_rule, bad_number, bad_pattern. A confidence is LEAST_OWN_CONFIDENCE to 1.
    """
    if not rule.rule_id.strip():
        raise PlannerError(
            "rule", "missing_column", worded("it has no id"), worded("give it a short name of its own")
        )
    if rule.field not in RULE_FIELDS:
        what = worded("a rule cannot look at \u201c{field}\u201d", field=rule.field)
        raise PlannerError(rule.rule_id, "bad_rule", what, worded("write ") + ", ".join(RULE_FIELDS))
    if not LEAST_OWN_CONFIDENCE <= rule.confidence <= 1:
        what = worded("its confidence is {confidence}", confidence=significant(rule.confidence))
        raise PlannerError(
            rule.rule_id,
            "bad_number",
            what,
            worded(
                "write {least_own_confidence} to 1", least_own_confidence=significant(LEAST_OWN_CONFIDENCE)
            ),
        )
    phrases(rule.pattern, with_digits=rule.field != "name")


def deciding_hits(workloads: Sequence[Workload], rules: Sequence[ClassRule]) -> list[RuleHit | None]:
    """For each workload the first rule in the list that matches it, wherever it looks; None where none does.

    Shapes: one entry for each workload. Errors: PlannerError bad_pattern.
    """
    return [hits[0] if hits else None for hits in rule_hits(workloads, rules)]


def rule_hits(workloads: Sequence[Workload], rules: Sequence[ClassRule]) -> list[tuple[RuleHit, ...]]:
    """For each workload all rules that match it, in the order of the list. Errors: PlannerError bad_pattern.

    Texts that are alike are looked at once.
    """
    indexes = [
        (
            field,
            _PhraseIndex(field, [(place, rule) for place, rule in enumerate(rules) if rule.field == field]),
        )
        for field in RULE_FIELDS
        if any(rule.field == field for rule in rules)
    ]
    known: dict[tuple[str, str], dict[int, str]] = {}
    answer = []
    for workload in workloads:
        found: dict[int, str] = {}
        for field, index in indexes:
            text = _text_of(workload, field)
            hits = known.get((field, text))
            if hits is None:
                hits = known[field, text] = index.matches(text)
            found.update(hits)
        answer.append(tuple(RuleHit(rules[place], found[place]) for place in sorted(found)))
    return answer


def readings(text: str, field: str) -> tuple[str, ...]:
    """How a text is read: whole words, as written and with camelCase apart; queues and owners with digits too.

    text: one or more lines, each read by itself; field: of RULE_FIELDS. Each reading once.
    """
    made = []
    for line in text.split("\n"):
        made += [folded(line.lower()), folded(line)]
        if field != "name":
            plain = unicodedata.normalize("NFKC", line).lower()
            made.append(" ".join(re.findall(r"[^\W_]+", plain)))
    return tuple(dict.fromkeys(made))


def _text_of(workload: Workload, field: str) -> str:
    """What a rule of this field looks at; the name of a job stands on a line below that of the workload."""
    texts = {"queue": workload.queue, "owner": workload.owner}
    return texts.get(field, f"{workload.name}\n{workload.sample_name}")


class _PhraseIndex:
    """The phrases of all rules of a field by their first word, so that a name is looked through once."""

    def __init__(self, field: str, rules: Iterable[tuple[int, ClassRule]]) -> None:
        """rules: with the place of each in the list, which is what `matches` answers with."""
        self._field = field
        self._by_word: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        self._by_stem: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        for place, rule in rules:
            for phrase in phrases(rule.pattern, with_digits=field != "name"):
                words = tuple(phrase.split())
                is_stem = words[0].endswith(ANY_ENDING)
                by = self._by_stem if is_stem else self._by_word
                first = words[0][:FEWEST_LETTERS_BEFORE_STAR] if is_stem else words[0]
                by.setdefault(first, []).append((place, words))

    def matches(self, text: str) -> dict[int, str]:
        """Place of each rule that matches -> the words it matched first."""
        found: dict[int, str] = {}
        for reading in readings(text, self._field):
            words = reading.split()
            for at, word in enumerate(words):
                stem = word[:FEWEST_LETTERS_BEFORE_STAR]
                for place, wanted in (*self._by_word.get(word, ()), *self._by_stem.get(stem, ())):
                    here = words[at : at + len(wanted)]
                    if place not in found and len(here) == len(wanted) and all(map(_is_word, here, wanted)):
                        found[place] = " ".join(here)
        return found


def _is_word(word: str, wanted: str) -> bool:
    """Whether a word is the one wanted, or begins so where any ending will do."""
    return word.startswith(wanted[:-1]) if wanted.endswith(ANY_ENDING) else word == wanted
