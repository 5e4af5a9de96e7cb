"""Words of a workload's name and queue, and the rules that know them: whole words, never parts of words."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.workload import Workload


@dataclass(frozen=True, slots=True)
class WordHit:
    """A rule that matched, and the words it matched on."""

    rule: ClassRule
    word: str

    @property
    def reason(self) -> str:
        """Why, in words."""
        return self.rule.reason.format(word=self.word)


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """Lower case words with single spaces between them: what is no letter separates words, and so does camelCase."""
    plain = unicodedata.normalize("NFKC", text)
    split = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return " ".join(re.findall(r"[^\W\d_]+", split.lower()))


def word_hits(workloads: Sequence[Workload], rules: Sequence[ClassRule]) -> list[tuple[WordHit, ...]]:
    """The rules that each workload's words match, each rule once, surest first (ties: order of the table)."""
    by_field = {
        field: _one_pattern([rule for rule in rules if rule.field == field]) for field in ("name", "queue")
    }
    rule_by_id = {rule.rule_id: rule for rule in rules}
    order = {rule.rule_id: place for place, rule in enumerate(rules)}
    seen: dict[tuple[str, str], dict[str, str]] = {}
    answer = []
    for workload in workloads:
        found: dict[str, str] = {}
        for field, text in (("name", f"{workload.name}\n{workload.sample_name}"), ("queue", workload.queue)):
            hits = seen.get((field, text))
            if hits is None:
                hits = seen[field, text] = _matches(by_field[field], text)
            found.update(hits)
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
