"""Words of a workload's name, queue and account, and the rules that know them: whole words, never parts of words."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gpuplanner.domain.demand.rule_pattern import phrases
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.tables import ClassRule

FIELDS: Final = ("name", "queue", "owner")
"""Texts that rules look at."""


@dataclass(frozen=True, slots=True)
class WordHit:
    """A rule that matched, and the words it matched on."""

    rule: ClassRule
    word: str

    @property
    def reason(self) -> Message:
        """Why, in words.

        Of the rule, with the word put in.
        """
        return worded(self.rule.reason, word=self.word)


_Index = Mapping[str, Sequence[tuple[tuple[str, ...], ClassRule]]]
"""First word -> phrases that begin with it, each with its rule."""


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """Lower case words with single spaces between them: what is no letter separates words, and so does camelCase.

    Hashes and serial numbers are left out: their letters are no words.

    >>> folded("agentRollout-2_v1"), folded("train-7d9f8c3a")
    ('agent rollout v', 'train')
    """
    plain = _without_codes(unicodedata.normalize("NFKC", text))
    split = plain if plain.islower() else _CAMEL_CASE.sub(" ", plain)
    return " ".join(_LETTERS.findall(split.lower()))


_LETTERS: Final = re.compile(r"[^\W\d_]+")
_CAMEL_CASE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CODE: Final = re.compile(
    r"(?<![^\W_])(?:(?=[a-f]*\d)[\da-f]{7,}|[^\W\d_]+(?:\d+[^\W\d_]+){2,}\d*|\d+(?:[^\W\d_]+\d+){2,}[^\W\d_]*)(?![^\W_])",
    re.IGNORECASE,
)
"""A hash, or what goes four times or more from letters to digits or back: `7d9f8c`, not `speech2text`."""


def _without_codes(text: str) -> str:
    """The text without its hashes and serial numbers: the letters in them are no words."""
    return text if text.isalpha() else _CODE.sub(" ", text)


def word_hits(
    workloads: Sequence[Workload], rules: Sequence[ClassRule], pod_rules: Sequence[ClassRule] = ()
) -> list[tuple[WordHit, ...]]:
    """The rules that each workload's words match, each rule once, surest first (ties: order of the table).

    pod_rules: regular expressions for a whole name as it is written, in lower case.
    """
    indexes = [_index(tuple(rule for rule in rules if rule.field == field)) for field in FIELDS]
    pods = [(rule, re.compile(rule.pattern)) for rule in pod_rules]
    order = {rule.rule_id: place for place, rule in enumerate((*rules, *pod_rules))}
    known: dict[tuple[int, str], dict[str, WordHit]] = {}
    answer = []
    for workload in workloads:
        found: dict[str, WordHit] = {}
        texts = (f"{workload.name}\n{workload.sample_name}", workload.queue, workload.owner)
        for place, text in enumerate(texts):
            hits = known.get((place, text))
            if hits is None:
                hits = known[place, text] = _matches(indexes[place], text)
            found.update(hits)
        pod = workload.sample_name.lower()
        found.update((rule.rule_id, WordHit(rule, pod)) for rule, pattern in pods if pattern.fullmatch(pod))
        answer.append(
            tuple(sorted(found.values(), key=lambda hit: (-hit.rule.confidence, order[hit.rule.rule_id])))
        )
    return answer


def name_words(texts: Sequence[str], rules: Sequence[ClassRule]) -> list[tuple[str, ...]]:
    """Of each text the words that the rules for names match, the first of each rule, in their order.

    Names of one workload stand in lines of one text.
    """
    index = _index(tuple(rule for rule in rules if rule.field == FIELDS[0]))
    return [tuple(dict.fromkeys(hit.word for hit in _matches(index, text).values())) for text in texts]


@lru_cache(maxsize=8)
def _index(rules: tuple[ClassRule, ...]) -> _Index:
    """The phrases of the rules by their first word: the longest first, and of two alike only the first rule's."""
    index: dict[str, dict[tuple[str, ...], ClassRule]] = {}
    for rule in rules:
        for phrase in phrases(rule.pattern, with_digits=False):
            words = tuple(phrase.split())
            index.setdefault(words[0], {}).setdefault(words, rule)
    return {first: sorted(found.items(), key=lambda one: -len(one[0])) for first, found in index.items()}


def _matches(index: _Index, text: str) -> dict[str, WordHit]:
    """By rule id the first words it matches; a word belongs to one phrase, the longest that begins first.

    A name is looked at as it is written and with its camelCase taken apart.
    """
    hits: dict[str, WordHit] = {}
    lines = text.split("\n")
    ways = dict.fromkeys(way for line in lines for way in (line.lower(), line))
    for reading in dict.fromkeys(map(folded, ways)):
        words = reading.split()
        at = 0
        while at < len(words):
            length = 1
            for phrase, rule in index.get(words[at], ()):
                if len(phrase) == 1 or tuple(words[at : at + len(phrase)]) == phrase:
                    hits.setdefault(rule.rule_id, WordHit(rule, " ".join(phrase)))
                    length = len(phrase)
                    break
            at += length
    return hits
