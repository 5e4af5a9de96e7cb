"""Words of a workload's name, queue and account, and the rules that know them: whole words, never parts of words."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.workload import Workload

FIELDS: Final = ("name", "queue", "owner")
"""Texts that are taken apart into words. A rule of the field `pod` is matched by a whole name as it is written."""


@dataclass(frozen=True, slots=True)
class WordHit:
    """A rule that matched, and the words it matched on."""

    rule: ClassRule
    word: str

    @property
    def reason(self) -> str:
        """Why, in words."""
        return self.rule.reason.format(word=self.word)


def folded(text: str) -> str:
    """Lower case words with single spaces between them: what is no letter separates words, and so does camelCase."""
    plain = _without_codes(unicodedata.normalize("NFKC", text))
    split = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return " ".join(re.findall(r"[^\W\d_]+", split.lower()))


_LETTERS_AND_DIGITS: Final = re.compile(r"[^\W_]+")
_SWITCH: Final = re.compile(r"(?<=\d)(?=[^\W\d])|(?<=[^\W\d])(?=\d)")
_HASH: Final = re.compile(r"(?=[a-f]*\d)[\da-f]{7,}", re.IGNORECASE)
_SWITCHES_OF_A_CODE: Final = 4
"""`speech2text` goes from letters to digits and back, 2 times; `7d9f8c` (a hash, the name of a pod) more often."""


def _without_codes(text: str) -> str:
    """The text without its hashes and serial numbers: the letters in them are no words."""
    return _LETTERS_AND_DIGITS.sub(lambda found: " " if _is_code(found.group()) else found.group(), text)


def _is_code(run: str) -> bool:
    return bool(_HASH.fullmatch(run)) or len(_SWITCH.findall(run)) >= _SWITCHES_OF_A_CODE


def word_hits(workloads: Sequence[Workload], rules: Sequence[ClassRule]) -> list[tuple[WordHit, ...]]:
    """The rules that each workload's words match, each rule once, surest first (ties: order of the table)."""
    by_field = {field: _one_pattern([rule for rule in rules if rule.field == field]) for field in FIELDS}
    pods = [(rule, re.compile(rule.pattern)) for rule in rules if rule.field == "pod"]
    rule_by_id = {rule.rule_id: rule for rule in rules}
    order = {rule.rule_id: place for place, rule in enumerate(rules)}
    seen: dict[tuple[str, str], dict[str, str]] = {}
    answer = []
    for workload in workloads:
        found: dict[str, str] = {}
        texts = (f"{workload.name}\n{workload.sample_name}", workload.queue, workload.owner)
        for field, text in zip(FIELDS, texts, strict=True):
            hits = seen.get((field, text))
            if hits is None:
                hits = seen[field, text] = _matches(by_field[field], text)
            found.update(hits)
        pod = workload.sample_name.lower()
        found.update((rule.rule_id, pod) for rule, pattern in pods if pattern.fullmatch(pod))
        hits_of_one = (WordHit(rule_by_id[rule_id], word) for rule_id, word in found.items())
        answer.append(
            tuple(sorted(hits_of_one, key=lambda hit: (-hit.rule.confidence, order[hit.rule.rule_id])))
        )
    return answer


def name_words(texts: Sequence[str], rules: Sequence[ClassRule]) -> list[tuple[str, ...]]:
    """Of each text the words that the rules for names match, the first of each rule, in their order.

    Names of one workload stand in lines of one text.
    """
    pattern = _one_pattern([rule for rule in rules if rule.field == "name"])
    return [tuple(dict.fromkeys(_matches(pattern, text).values())) for text in texts]


def _matches(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    """Rule id -> first word; a name is looked at as it is written and with its camelCase taken apart."""
    hits: dict[str, str] = {}
    for line in dict.fromkeys(text.split("\n")):
        for reading in dict.fromkeys((folded(line.lower()), folded(line))):
            for match in pattern.finditer(reading):
                assert match.lastgroup is not None
                hits.setdefault(_rule_id(match.lastgroup), match.group())
    return hits


def _one_pattern(rules: Sequence[ClassRule]) -> re.Pattern[str]:
    """All rules of a field as one pattern with a group each: one pass over a name finds them all."""
    groups = "|".join(f"(?P<{_group(rule.rule_id)}>{rule.pattern})" for rule in rules)
    return re.compile(rf"\b(?:{groups})\b" if rules else r"(?!)")


def _group(rule_id: str) -> str:
    return "r_" + rule_id.replace("-", "__")


def _rule_id(group: str) -> str:
    return group.removeprefix("r_").replace("__", "-")
